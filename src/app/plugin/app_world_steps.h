// app_world_steps.h: steps and observers that plugins add to worlds.
//
// Each is a row of worlds (world_schedule.h) with its addition; a reload replaces what the row calls.
#pragma once
#include "plugin/plugin_addition.h"

#include <cuttle/world.h>

// Implement functions of cuttle_world_api_1.
bool ct_app_add_world_step(cuttle_plugin *self, const cuttle_world_step *step, cuttle_error *error);
bool ct_app_add_world_observer(cuttle_plugin *self, const cuttle_world_observer *observer,
                               cuttle_error *error);
void *ct_app_world_observer_data(cuttle_plugin *self, const cuttle_world *world, const char *name);
