// app_interfaces.h: the interfaces that plugins of a running game have beside those of every program
// (plugin/plugin_interfaces.h): one file for each, app_<name>_api.c.
#pragma once
#include "app/app.h"
#include "plugin/plugin_host.h"

#include <cuttle/app.h>
#include <cuttle/component_types.h>
#include <cuttle/components.h>
#include <cuttle/console.h>
#include <cuttle/data.h>
#include <cuttle/input.h>
#include <cuttle/navigation.h>
#include <cuttle/network.h>
#include <cuttle/physics.h>
#include <cuttle/poses.h>
#include <cuttle/renderer.h>
#include <cuttle/resource_types.h>
#include <cuttle/sound.h>
#include <cuttle/world.h>

extern const cuttle_app_api_1 ct_app_app_api_1;
extern const cuttle_component_types_api_1 ct_app_component_types_api_1;
extern const cuttle_components_api_1 ct_app_components_api_1;
extern const cuttle_console_api_1 ct_app_console_api_1;
extern const cuttle_data_api_1 ct_app_data_api_1;
extern const cuttle_input_api_1 ct_app_input_api_1;
extern const cuttle_navigation_api_1 ct_app_navigation_api_1;
extern const cuttle_network_api_1 ct_app_network_api_1;
extern const cuttle_physics_api_1 ct_app_physics_api_1;
extern const cuttle_poses_api_1 ct_app_poses_api_1;
extern const cuttle_renderer_api_1 ct_app_renderer_api_1;
extern const cuttle_resource_types_api_1 ct_app_resource_types_api_1;
extern const cuttle_sound_api_1 ct_app_sound_api_1;
extern const cuttle_world_api_1 ct_app_world_api_1;

// Returns the table, and sets `count`. Static.
const ct_plugin_interface *ct_app_interfaces(uint32_t *count);

// Lets the receivers of plugins hear the messages of the network, of an app with its script.
void ct_app_listen_to_network(ct_app *app);

// Returns the app in which a plugin runs.
static inline ct_app *ct_app_of_plugin(const ct_plugin *plugin) {
    return ct_plugin_host_user(ct_plugin_host_of(plugin));
}
