// plugin_interfaces.h: the interfaces that plugins have in every program: log, memory, state, profiler,
// tasks. api/ has a file for each.
#pragma once
#include "plugin/plugin_host.h"

#include <cuttle/log.h>
#include <cuttle/memory.h>
#include <cuttle/profiler.h>
#include <cuttle/state.h>
#include <cuttle/tasks.h>

extern const cuttle_log_api_1 ct_plugin_log_api_1;
extern const cuttle_memory_api_1 ct_plugin_memory_api_1;
extern const cuttle_profiler_api_1 ct_plugin_profiler_api_1;
extern const cuttle_state_api_1 ct_plugin_state_api_1;
extern const cuttle_tasks_api_1 ct_plugin_tasks_api_1;

// Gives an error to a plugin, in its form; logs it when `error` is NULL. Returns false.
bool ct_plugin_give_error(cuttle_error *error, const ct_error *from);

// Returns the table, and sets `count`. Static.
const ct_plugin_interface *ct_plugin_interfaces(uint32_t *count);
