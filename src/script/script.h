// script.h: the Lua environment of a game.
//
// LuaJIT on an engine allocator, with the engine's modules as global tables. Scripts are resources
// of the type lua: `require "scripts/player"` loads one, once. When a script is saved while the
// game runs, it runs again in the same environment: state in guarded globals, `Game = Game or {}`,
// stays, and when the old and the new run both returned tables, the old table takes over the
// members of the new one, so that its users see the new functions. A Lua error is logged with file,
// line and traceback, and the game goes on. Update thread.
#pragma once
#include "flow/flow.h"
#include "foundation/sjson/sjson.h"
#include "foundation/string/string_builder.h"
#include "foundation/time_step.h"
#include "gui/gui.h"
#include "input/actions.h"
#include "input/input.h"
#include "lua/lua_module.h"
#include "world/world.h"

typedef struct ct_lua ct_lua;
typedef struct ct_script ct_script;

// Properties of a window.
typedef enum ct_script_window_flag {
    CT_SCRIPT_WINDOW_FOCUS,       // gets the keyboard's input; setting brings it to the front
    CT_SCRIPT_WINDOW_SHOW_CURSOR, // over itself
    CT_SCRIPT_WINDOW_MOUSE_FOCUS, // keeps the cursor inside, hidden, and reports endless movement
    CT_SCRIPT_WINDOW_CLIP_CURSOR, // keeps the cursor inside
    CT_SCRIPT_WINDOW_RESIZABLE,   // by the user
    CT_SCRIPT_WINDOW_FULLSCREEN,  // fills the desktop, whose mode stays
    CT_SCRIPT_WINDOW_MINIMIZED,
    CT_SCRIPT_WINDOW_MAXIMIZED,
    CT_SCRIPT_WINDOW_TEXT_INPUT, // reports typed text, and shows what helps to type it
    CT_SCRIPT_WINDOW_CLOSING,    // was asked to close; the game ends after this frame
} ct_script_window_flag;

// The system's cursors.
typedef enum ct_script_cursor {
    CT_SCRIPT_CURSOR_ARROW,
    CT_SCRIPT_CURSOR_TEXT,
    CT_SCRIPT_CURSOR_WAIT,
    CT_SCRIPT_CURSOR_CROSSHAIR,
    CT_SCRIPT_CURSOR_SIZE_FALLING, // from the upper left to the lower right
    CT_SCRIPT_CURSOR_SIZE_RISING,
    CT_SCRIPT_CURSOR_SIZE_HORIZONTAL,
    CT_SCRIPT_CURSOR_SIZE_VERTICAL,
    CT_SCRIPT_CURSOR_MOVE,
    CT_SCRIPT_CURSOR_FORBIDDEN,
    CT_SCRIPT_CURSOR_HAND,
    CT_SCRIPT_CURSOR_COUNT,
} ct_script_cursor;

// Functions that Lua may call in the layers above. All must be set; headless hosts report their
// state with the results.
typedef struct ct_script_host {
    void *user;
    void (*quit)(void *user, int exit_code);
    double (*time_since_launch)(void *user); // seconds
    const char *const *arguments;            // the game's own, after `--`; borrowed
    uint32_t num_arguments;
    const char *project_folder;           // absolute; borrowed; NULL: none, in the player
    const char *game_name;                // of the user's folder of the game; borrowed; NULL: as
                                          // the project's folder is called
    uint16_t (*console_port)(void *user); // 0: there is no console
    // Sends a JSON object to all connected consoles.
    void (*console_send)(void *user, const char *json);
    // Shows a text over the picture for a while, in a colour (linear red, green and blue); nothing happens
    // without a window, and in the player.
    void (*print_to_screen)(void *user, ct_vec3 color, const char *text);
    // Takes a small picture of the frame that is being made; `done` gets it as a PNG, once, on any thread,
    // or NULL when there is none. NULL: the host takes none.
    void (*take_picture)(void *user, void (*done)(void *data, const void *png, uint32_t num_bytes),
                         void *data);
    // Sets how steps are made from measured times, from now on.
    void (*set_time_step)(void *user, const ct_time_step *time_step);
    // Where this frame's picture lies between the last two updates, from 0 to 1.
    double (*time_step_interpolation)(void *user);
    // The main window; without one nothing happens, has_window is false and so is every flag.
    bool (*has_window)(void *user);
    bool (*window_flag)(void *user, ct_script_window_flag flag);
    void (*set_window_flag)(void *user, ct_script_window_flag flag, bool is_on);
    void (*set_title)(void *user, const char *title);
    const char *(*title)(void *user);
    // Where its drawable lies on the desktop: x, y, width, height in pixels.
    void (*window_rect)(void *user, int32_t rect[4]);
    void (*set_window_rect)(void *user, const int32_t rect[4]);
    // Sets the drawable's size in pixels, or the picture's without a window. False while the window
    // has a size that the system gives (minimised, fullscreen).
    bool (*set_resolution)(void *user, uint32_t width, uint32_t height);
    // How many displays there are, 0 without a window; how many sizes one of them can have, and one
    // of these, in points.
    uint32_t (*num_displays)(void *user);
    uint32_t (*num_display_modes)(void *user, uint32_t display);
    void (*display_mode)(void *user, uint32_t display, uint32_t mode, uint32_t size[2]);
    double (*dpi_scale)(void *user); // pixels in a point of the desktop
    void (*set_cursor)(void *user, ct_script_cursor cursor);
    // RGBA, 8 bits each, sRGB, rows from the top; copied.
    void (*set_icon)(void *user, const uint8_t *pixels, uint32_t width, uint32_t height);
    // The system's clipboard, or without a window the game's own: valid UTF-8, borrowed until the
    // next call, and copied.
    const char *(*clipboard)(void *user);
    void (*set_clipboard)(void *user, const char *text);
    // Where typed text appears, from the upper left of the window: x, y, width, height in pixels.
    void (*set_text_area)(void *user, const int32_t rect[4]);
} ct_script_host;

typedef struct ct_script_desc {
    ct_allocator *allocator;
    ct_world_system *worlds;
    ct_input *input;
    ct_actions *actions;        // NULL: there are none
    ct_gui_system *gui;         // NULL: there are no GUIs
    ct_flow_system *flow;       // NULL: there are no flow graphs
    const ct_script_host *host; // copied
    bool is_unsafe;             // `ffi` and `debug` are there (settings: lua = { unsafe = true })
    bool loads_scripts;         // `require` loads scripts that no loaded package holds
    // A call of Lua that takes longer is stopped with an error, or where that is not wanted only
    // reported (lua_watch.h); 0: no limit. Code that can be stopped is a little slower.
    double time_limit_seconds;
    bool stops_long_calls;
    uint64_t memory_limit_bytes; // that Lua may hold (lua_memory.h); 0: 2 GiB
    // Of LuaThreads (script/threads/script_threads.h): the states that run jobs, 0: 1; and what each
    // may hold, 0: 256 MiB.
    uint32_t num_worker_states;
    uint64_t worker_memory_limit_bytes;
    // What Network starts with (script/network/script_network.h); copied; NULL: defaults.
    const struct ct_script_network_options *network;
    // Which hosts Http and WebSocket may ask (script/web/script_web.h); copied; NULL: none.
    const struct ct_script_web_options *web;
    // Modules of higher floors, beside the engine's; borrowed until the environment ends.
    const ct_lua_module *const *modules;
    uint32_t num_modules;
} ct_script_desc;

// Makes the environment and registers for the type `lua` with the resource manager.
ct_script *ct_script_create(const ct_script_desc *desc);
void ct_script_destroy(ct_script *s);

// Runs the script resource `name`; its globals init, update, render and shutdown are called later.
// Logs and returns false when it is not loaded or fails.
bool ct_script_boot(ct_script *s, const char *name);

// Call the boot script's globals; missing ones are skipped. On an error, log it and return false.
// ct_script_update begins a new frame.
bool ct_script_init(ct_script *s);
bool ct_script_update(ct_script *s, double dt);
bool ct_script_render(ct_script *s);
bool ct_script_shutdown(ct_script *s);

// Begins a new frame without an update (the game is paused): temporaries of the last frame end, and
// garbage is collected.
void ct_script_begin_frame(ct_script *s);

// What a debugger does about the states that run jobs (script/threads/script_threads.h). All functions
// must be set.
typedef struct ct_script_debug_hooks {
    void *user;
    // A state was made and has run nothing yet; a state is about to end. `number` counts from 1. Update
    // thread, which has entered the machine (ct_lua_enter).
    void (*state_made)(void *user, ct_lua *machine, uint32_t number);
    void (*state_ends)(void *user, ct_lua *machine, uint32_t number);
    // The state begins a job, or goes on with one that has waited. On the thread that runs it.
    void (*job_runs)(void *user, uint32_t number);
    // Jobs run on other threads: waits for a part of a millisecond, or while a state has stopped. Update
    // thread.
    void (*wait)(void *user);
} ct_script_debug_hooks;

// Sets these hooks, copied, after state_ends of the old ones was called for all states; then calls
// state_made for all. NULL: there are none, as at the start. Update thread, while no jobs run.
void ct_script_set_debug_hooks(ct_script *s, const ct_script_debug_hooks *hooks);

// Returns how many states run jobs now, or are about to. Update thread, in `wait`.
uint32_t ct_script_num_running_states(const ct_script *s);

// Notes that a debugger had stopped a job's state for `stopped_ns`, which are not the job's. `machine` is
// the state's, on the thread that runs it; does nothing for the game's own.
void ct_script_note_stop(ct_lua *machine, uint64_t stopped_ns);

// Returns the machine that runs the game's Lua, for the console (lua/lua_machine.h). It lives as
// long as `s`.
ct_lua *ct_script_lua(ct_script *s);

// Returns whether the game has a global function `console_receive`.
bool ct_script_can_receive(ct_script *s);

// Calls `console_receive` with a tool's message as a table. The returned table is appended to
// `answer` as JSON, with the message's `id` and the type "result" unless it has its own; for nil
// nothing is appended. On an error returns false, with the message in `answer` and the traceback
// appended to `traceback`.
bool ct_script_receive(ct_script *s, const ct_sjson *message, ct_string_builder *answer,
                       ct_string_builder *traceback);

// Returns the bytes that the game's own Lua state holds.
uint64_t ct_script_memory_bytes(const ct_script *s);

// Destroys a level like World.destroy_level, with the handles and data that Lua has of it.
void ct_script_end_level(ct_script *s, ct_world *world, ct_level level);
