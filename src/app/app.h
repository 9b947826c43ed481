// app.h: the running game: settings, main loop, window.
//
// The app reads the project's `settings` config, makes every system, loads the boot package, runs
// the boot script, and calls init, update, render and shutdown. What development adds (compiler,
// console, hot reload) comes in as hooks from the floor above; the player has none.
#pragma once
#include "foundation/task/task.h"
#include "resource/load/resource_manager.h"
#include "script/script.h"

typedef struct ct_app ct_app;

// What the floor above does in a running app. Functions may be NULL. Update thread.
typedef struct ct_app_hooks {
    void *user;
    void (*started)(void *user, ct_app *app);     // before init
    void (*frame_begin)(void *user, ct_app *app); // the frame boundary: reloads, console scripts
    void (*stopping)(void *user, ct_app *app);    // after shutdown
    uint16_t (*console_port)(void *user);
    void (*console_send)(void *user, const char *json); // to every tool
} ct_app_hooks;

typedef struct ct_app_desc {
    ct_allocator *allocator;
    // The project, whose folder's name is that of the user's own folder of the game. NULL in the
    // player: there is none, and that name comes from the settings' title (user_folder.h).
    const char *project_folder;
    const char *data_folder;
    // A script that runs in place of the settings' boot script, for tools; NULL: none. No package
    // need name it or what it requires. The package of the same name is loaded with it when there
    // is one, else every package that the data has.
    const char *boot_script;
    const ct_app_hooks *hooks; // may be NULL; copied
    bool is_headless;
    bool is_unpaced;              // frames follow one another at once, whatever the settings say
    bool validation;              // Vulkan's
    uint32_t num_frames;          // end after so many; 0: until quit
    double fixed_step_seconds;    // each frame is one step of this; 0: by the settings
    bool has_workers;             // num_workers says how many task workers there are; else the
    uint32_t num_workers;         // settings do
    uint32_t width, height;       // 0: by the settings
    const char *screenshot_path;  // the last frame's picture; NULL: none. Needs num_frames
    const char *const *arguments; // for the game
    uint32_t num_arguments;
} ct_app_desc;

// What `cuttle run` tells at the end. Times are medians over all frames but the first ten.
typedef struct ct_app_summary {
    uint64_t frames;
    double frame_ms_median, frame_ms_worst;
    double update_ms_median; // the update thread's work, without waiting for the renderer
    double submit_ms_median; // recording and submitting, without waiting for the device
    uint32_t entities;       // at the end
    uint32_t draws;          // of the last frame
    char device[256];
} ct_app_summary;

// Runs until the game quits, the window closes or num_frames have passed. Returns the game's exit
// code and fills `summary`; 1 after logging what is wrong when it cannot start, or, without hooks
// at the frame boundary, that could mend it, when the boot script or its init fails.
int ct_app_run(const ct_app_desc *desc, ct_app_summary *summary);

// For hooks.
ct_script *ct_app_script(ct_app *app);
ct_resource_manager *ct_app_resources(ct_app *app);
ct_renderer *ct_app_renderer(ct_app *app);
const char *ct_app_project_folder(const ct_app *app);
const char *ct_app_data_folder(const ct_app *app);

// Ends the loop after this frame.
void ct_app_quit(ct_app *app, int exit_code);

// While paused no update is called (frames are still drawn, and hooks run); step does one.
void ct_app_pause(ct_app *app);
void ct_app_resume(ct_app *app);
void ct_app_step(ct_app *app);
bool ct_app_is_paused(const ct_app *app);

// Writes the picture of this frame to a PNG file once it is drawn; what goes wrong then is logged.
// False with `error` when the path is too long.
bool ct_app_screenshot(ct_app *app, const char *path, ct_error *error);
