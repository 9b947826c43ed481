// every_function.h: what the files of the plugin every_function.c share.
#pragma once
#include <cuttle/app.h>
#include <cuttle/compiler.h>
#include <cuttle/component_types.h>
#include <cuttle/components.h>
#include <cuttle/console.h>
#include <cuttle/data.h>
#include <cuttle/input.h>
#include <cuttle/log.h>
#include <cuttle/lua.h>
#include <cuttle/memory.h>
#include <cuttle/navigation.h>
#include <cuttle/network.h>
#include <cuttle/physics.h>
#include <cuttle/plugin.h>
#include <cuttle/poses.h>
#include <cuttle/profiler.h>
#include <cuttle/renderer.h>
#include <cuttle/resource_types.h>
#include <cuttle/sound.h>
#include <cuttle/state.h>
#include <cuttle/tasks.h>
#include <cuttle/world.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))

enum { MOST = 8, NUM_UNITS = 8 };

extern cuttle_plugin *me;
extern const cuttle_app_api_1 *app;
extern const cuttle_compiler_api_1 *compiler;
extern const cuttle_component_types_api_1 *component_types;
extern const cuttle_components_api_1 *components;
extern const cuttle_console_api_1 *console;
extern const cuttle_data_api_1 *data;
extern const cuttle_input_api_1 *input;
extern const cuttle_log_api_1 *logger;
extern const cuttle_lua_api_1 *lua;
extern const cuttle_memory_api_1 *memory;
extern const cuttle_navigation_api_1 *navigation;
extern const cuttle_network_api_1 *network;
extern const cuttle_physics_api_1 *physics;
extern const cuttle_poses_api_1 *poses;
extern const cuttle_profiler_api_1 *profiler;
extern const cuttle_renderer_api_1 *renderer;
extern const cuttle_resource_types_api_1 *resource_types;
extern const cuttle_sound_api_1 *sound;
extern const cuttle_state_api_1 *state;
extern const cuttle_tasks_api_1 *tasks;
extern const cuttle_world_api_1 *world;

extern const char *phase;  // that is being tried
extern cuttle_world *live; // NULL where there is none
// Two units, two entities, and some that are dead.
extern cuttle_entity units[NUM_UNITS];
extern cuttle_error why; // of the last call that was refused

static const cuttle_entity others[] = {{0}, {1}, {0xffffffff}, {0x00ffffff}, {0x12345678}};
static char not_a_world[64];
static cuttle_world *const ended[] = {NULL, (cuttle_world *)(void *)not_a_world};
static const cuttle_vector3 middle = {0, 0, 1}, nowhere = {NAN, 0, INFINITY}, far = {1e30f, 0, 0};
static const cuttle_quaternion unturned = {0, 0, 0, 1}, no_turn = {0, 0, 0, 0};
static const cuttle_matrix4 unmoved = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
static const cuttle_matrix4 no_pose = {{NAN}};

// A component, a state, and what sources of the resource type have.
typedef struct thing {
    float strength;
    int32_t number;
} thing;

extern const cuttle_schema thing_schema;
extern const cuttle_lua_module every_module;
extern const cuttle_network_receiver every_receiver;

// Calls everything, as functions of the plugin do.
void call_everything(const char *name);

// The systems of the game (every_function_systems.c), and Lua (every_function_lua.c).
void call_systems(void);
void call_lua(void);

// A compile function (every_function_compile.c).
bool compile_every(cuttle_plugin *self, cuttle_compile *c, const void *source);
