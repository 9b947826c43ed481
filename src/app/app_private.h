// app_private.h: the app's state, shared by the files of this folder.
#pragma once
#include "app/app.h"
#include "app/frame_times.h"
#include "app/settings.h"
#include "app/user_folder.h"
#include "app/window.h"
#include "foundation/container/array.h"
#include "foundation/os/os.h"
#include "foundation/os/path.h"
#include "foundation/string/string_builder.h"
#include "foundation/time_step.h"
#include "gui/gui.h"
#include "plugin/plugin_host.h"

// A stop of the game inside its Lua (app_idle.c).
typedef struct ct_app_idle {
    bool is_stopped;
    bool was_quitting;   // before the stop
    bool has_views;      // parts of this frame have shown some of its views
    uint64_t start_ns;   // of the stop
    uint64_t frame_ns;   // when the last idle frame began
    uint64_t stopped_ns; // that stops took of this frame
    ct_input *input;     // sees what devices do; NULL before the first stop of a window
    bool has_input;      // the game's input has to catch up with it
    bool shows_cursor, is_relative, is_clipped; // of the game's window before the stop
} ct_app_idle;

struct ct_app {
    ct_allocator *allocator;
    ct_app_desc desc;
    ct_app_hooks hooks;
    ct_settings settings; // strings borrowed from the settings config
    char title[256];
    char game_name[CT_USER_GAME_BYTES]; // from the title of the settings
    uint64_t start_ns;

    ct_task_manager *tasks;
    uint32_t num_workers; // of these
    ct_resource_manager *resources;
    ct_resource_package *core_package;
    CT_ARRAY(ct_resource_package *) packages; // what the boot script runs on
    ct_window *window;                        // NULL: headless
    bool is_minimized;
    ct_string_builder clipboard; // what was read of the system's; without a window the game's own
    bool is_text_input_off;      // without a window
    ct_renderer *renderer;
    ct_gui_system *gui;
    ct_flow_system *flow;
    ct_animation_system *animation;
    ct_physics_system *physics;
    ct_particle_system *particles;
    ct_sound_system *sound;
    ct_input *input;
    ct_actions *actions;
    ct_gamepads *gamepads;  // NULL: headless, or SDL has none
    uint64_t input_time_ns; // of the last pump
    ct_world_system *worlds;
    ct_script *script;
    ct_plugin_host *plugins;
    uint32_t num_spawn_locks; // functions of plugins that run and may not spawn,
    uint32_t num_reading;     // and those that may not destroy either
    uint32_t plugin_changes;  // for which annotations were written

    ct_time_step time_step;
    double interpolation;    // of the current frame
    bool is_input_seen;      // an update has read it: nothing in it counts as new any more
    uint64_t frame_start_ns; // of the current frame
    double frame_seconds;    // real time of the frame before
    double unheard_seconds;  // that sound is behind, in a run whose frames mix it
    ct_frame_times times;
    bool has_booted; // the boot script and its init worked
    bool is_quitting, is_paused, steps_once;
    bool has_ended; // the game has shut down
    ct_app_idle idle;
    int exit_code;
    uint32_t num_entities; // before the game shut down
};

// Returns whether frames must be the same every time: the run is a measurement or a test.
bool ct_app_is_repeatable(const ct_app *app);

// Returns the functions that Lua may call on this app, which they borrow.
ct_script_host ct_app_script_host(ct_app *app);

// --- Plugins (plugin/app_plugins.c) --------------------------------------------------------------

// Makes the host, with the interfaces of plugin/app_interfaces.h, and loads the plugins of the settings.
// Those that fail are logged and left out. After worlds and script were made, before any world.
void ct_app_load_plugins(ct_app *app);

// Reloads plugins whose files have changed, and writes what editors know of them.
void ct_app_watch_plugins(ct_app *app);

// --- Sound (app_sound.c) -------------------------------------------------------------------------

// Makes the sound system with the buses and the output of the settings.
ct_sound_system *ct_app_create_sound(const ct_app *app);

// Moves sound on, before the game's update. `seconds` are those of the game in this frame.
void ct_app_update_sound(ct_app *app, double seconds);

// --- Input (app_input.c) -------------------------------------------------------------------------

// Makes the input with the project's actions, and the game controllers when there is a window.
// Controllers that cannot start are only a warning. Returns false with `error` when the settings
// name an input resource that cannot be loaded.
bool ct_app_start_input(ct_app *app, ct_error *error);

// Destroys controllers, actions and input, also when only some of them were made.
void ct_app_stop_input(ct_app *app);

// Reads the events of the window, which must exist, into the input, and drives the motors of pads.
void ct_app_pump_input(ct_app *app);

// Follows the window: its size, and a request to close it.
void ct_app_follow_window(ct_app *app);

// --- Stops (app_idle.c) --------------------------------------------------------------------------

// Brings the game's input up to date after a stop. At the begin of a frame, before events are read.
void ct_app_catch_up_input(ct_app *app);

// Ends a stop that has not been ended, and completes the picture of a frame of which parts were shown. Before
// the renderer's frame ends.
void ct_app_complete_frame(ct_app *app);

// Returns `seconds` since the frame before without the time of its stops, which it forgets. Less than
// that was not measured, and stays as it is.
double ct_app_without_stops(ct_app *app, double seconds);
