// app.h: the running game: settings, main loop, window.
//
// The app reads the project's `settings` config, makes every system, loads the boot package, runs
// the boot script, and calls init, update, render and shutdown. The layer above adds the
// development tools (compiler, console, hot reload) as hooks; the player has no hooks. Main thread,
// which is the update thread.
#pragma once
#include "app/frame_times.h"
#include "app/settings.h"
#include "foundation/task/task.h"
#include "resource/load/resource_manager.h"
#include "script/network/script_network.h"
#include "script/script.h"

typedef struct ct_app ct_app;

// Functions of the layer above that a running app calls. They may be NULL. Update thread.
typedef struct ct_app_hooks {
    void *user;
    void (*booting)(void *user, ct_app *app);     // before the boot script runs
    void (*started)(void *user, ct_app *app);     // before init
    void (*frame_begin)(void *user, ct_app *app); // the frame boundary: reloads, console scripts
    void (*frame_drawn)(void *user, ct_app *app); // after render: draws over the game's picture
    void (*idle_drawn)(void *user,
                       ct_app *app);           // in ct_app_idle_frame: draws over the last picture
    void (*stopping)(void *user, ct_app *app); // after shutdown
    uint16_t (*console_port)(void *user);
    void (*console_send)(void *user, const char *json); // to every tool
    // Shows a text over the picture for a while, in a colour (linear); not called without a window.
    void (*print_to_screen)(void *user, ct_vec3 color, const char *text);
} ct_app_hooks;

typedef struct ct_app_desc {
    ct_allocator *allocator;
    // The project; its folder's name is also the name of the game's folder for user files. NULL in
    // the player, which has no project and takes that name from the settings' title
    // (user_folder.h).
    const char *project_folder;
    const char *data_folder;
    // From where the settings name the libraries of plugins; NULL: the project's. Without either,
    // there are no plugins.
    const char *plugin_folder;
    // A script that runs in place of the settings' boot script, for tools; or NULL. It and the
    // scripts that it requires need not be in a package. The package of the same name is loaded
    // with it when there is one, else every package that the data has.
    const char *boot_script;
    const ct_app_hooks *hooks; // may be NULL; copied
    bool ends_on_boot_error;   // quit when the boot script fails, also with hooks
    bool is_headless;
    bool is_unpaced;     // frames follow one another at once; the settings have no effect
    bool validation;     // Vulkan's
    uint32_t num_frames; // end after this number of frames; 0: until quit
    // Frames are the same every time, as with num_frames: nothing is streamed, and without a window
    // they mix the sound.
    bool is_repeatable;
    double fixed_step_seconds;    // each frame is one step of this; 0: by the settings
    bool has_workers;             // num_workers says how many task workers there are; else the
    uint32_t num_workers;         // settings do
    uint32_t width, height;       // 0: by the settings
    uint32_t foreign_window;      // an X11 window of another program to draw into; 0: opens one
    const char *screenshot_path;  // for the last frame's picture; or NULL. Needs num_frames
    const char *const *arguments; // for the game
    uint32_t num_arguments;
    // What the command line says of the network. Of the address the port alone is used; address,
    // password, plain and bandwidth come from the settings.
    ct_script_network_options network;
} ct_app_desc;

// The summary that `cuttle run` prints at the end. Times are medians over all frames but the first
// ten.
typedef struct ct_app_summary {
    uint64_t frames;
    double frame_ms_median, frame_ms_worst;
    double update_ms_median; // the update thread's work, without waiting for the renderer
    double submit_ms_median; // recording and submitting, without waiting for the device
    uint32_t entities;       // at the end
    uint32_t draws;          // of the last frame
    char device[256];
} ct_app_summary;

// Starts the app and boots the game. Returns NULL with `error` when the app cannot start. When the
// boot script or its init fails and no frame_begin hook may mend it, the game has quit with exit code
// 1, after an error in the log. `desc` is copied, its strings are borrowed until
// the app is destroyed. At most one app in the process at a time has a window.
ct_app *ct_app_create(const ct_app_desc *desc, ct_error *error);

// Runs one frame, whose time step follows from the real `seconds` since the one before (finite, not
// negative). Waits as long as the frame rate asks for. Returns false when the game has quit: in this
// frame, or before it, and then no frame is run.
bool ct_app_run_frame(ct_app *app, double seconds);

// Keeps the window alive while the game is stopped inside its Lua, by a debugger: in init, update, render,
// shutdown or a script that runs for the first time, with a frame that is partly recorded. Reads the
// window's events, follows its size, and shows the last picture with what was drawn since and what
// idle_drawn draws; without a window that goes to the back buffer. Then sleeps: there are 30 such frames a
// second. What was recorded so far stays in order, and the frame goes on after the stop; the picture of
// the frame after it has no motion from before.
//
// Meanwhile the game's input rests: what is pressed, typed or moved does not reach it, and what was let
// go is released in the next frame. The cursor is shown and free. Sound that plays goes on. The time of
// the stop does not count for time steps; other clocks (time_since_launch, time limits of the network)
// go on. No Lua runs, and no resource comes or goes.
//
// Returns false when the player has closed the window, the game has quit or the device was lost for good
// since the stop began: let the game go on then, so that it ends.
bool ct_app_idle_frame(ct_app *app);

// Says that the game goes on after ct_app_idle_frame: call it before Lua runs again. Does nothing without
// a stop; at the end of the frame the app does it itself.
void ct_app_end_idle(ct_app *app);

// Shuts the game down: calls its `shutdown`, then the `stopping` hook. No frame can be run after it.
// Does nothing when called again.
void ct_app_end(ct_app *app);

// Ends the game unless it has ended, and frees the app. Fills `summary`, which may be NULL. Returns
// the game's exit code.
int ct_app_destroy(ct_app *app, ct_app_summary *summary);

// All of these: runs until the game quits, the window closes or num_frames have passed. Returns the
// game's exit code and fills `summary`. Returns 1 after logging the cause when the app cannot start.
int ct_app_run(const ct_app_desc *desc, ct_app_summary *summary);

// The systems of a running app, for hooks and callers of ct_app_run_frame. Borrowed; they live from
// `started` to after `stopping`.

// Returns the script system that runs the game.
ct_script *ct_app_script(ct_app *app);

// Returns the worlds of the game.
ct_world_system *ct_app_worlds(ct_app *app);

// Returns the resource manager with the packages of the game.
ct_resource_manager *ct_app_resources(ct_app *app);

// Returns the renderer that draws into the window, or into the back buffer alone.
ct_renderer *ct_app_renderer(ct_app *app);

// Returns what the sounds of all worlds share.
ct_sound_system *ct_app_sound(ct_app *app);

// Returns the input that the window feeds; without a window, only tools and Lua do.
ct_input *ct_app_input(ct_app *app);

// Returns the GUIs of the game, for those of tools.
ct_gui_system *ct_app_gui(ct_app *app);

// Returns the plugins of the game.
struct ct_plugin_host *ct_app_plugins(ct_app *app);

// Returns the settings as they were at the start. Their strings are borrowed until settings.config
// is saved: read them in `started`.
const ct_settings *ct_app_settings(const ct_app *app);

// Returns the times of the frames so far.
const ct_frame_times *ct_app_frame_times(const ct_app *app);

// Returns the seconds that a frame may take at the frame rate of the settings or the display; 1/60
// where nothing limits it.
double ct_app_frame_budget(const ct_app *app);

// Returns the project's folder as given in the desc; NULL in the player.
const char *ct_app_project_folder(const ct_app *app);

// Returns the folder of the compiled data as given in the desc.
const char *ct_app_data_folder(const ct_app *app);

// Returns whether the app runs without a window.
bool ct_app_is_headless(const ct_app *app);

// Returns the task manager that all systems share.
ct_task_manager *ct_app_tasks(ct_app *app);

// Changes the size of the picture, in pixels: of the window when there is one, from the next frame
// on, otherwise of the back buffer. Returns false when a window is minimized or full screen.
bool ct_app_set_resolution(ct_app *app, uint32_t width, uint32_t height);

// Ends the game after this frame; ct_app_run returns `exit_code`.
void ct_app_quit(ct_app *app, int exit_code);

// Returns whether the game was asked to quit: it ends after this frame.
bool ct_app_is_quitting(const ct_app *app);

// Returns the exit code of a game that has quit; 0 before.
int ct_app_exit_code(const ct_app *app);

// Returns whether the boot script and its init worked at the start.
bool ct_app_has_booted(const ct_app *app);

// Pauses the game: update is not called until ct_app_resume. Frames are still drawn, and hooks run.
void ct_app_pause(ct_app *app);

// Ends a pause; does nothing without one.
void ct_app_resume(ct_app *app);

// Runs one update during a pause.
void ct_app_step(ct_app *app);

// Returns whether the game is paused.
bool ct_app_is_paused(const ct_app *app);
