// cuttle.h: runs the Cuttle engine inside another program: an editor, a previewer, a test.
//
// The program makes an engine from compiled data, then calls cuttle_engine_step for each frame. In
// between it may read the picture, feed input, and exchange messages with the game. The messages
// are JSON objects, the same as those of the console (docs/formats/console_protocol.md): they run
// Lua and console commands, or go to the game's own console_receive.
//
// - One engine: a process runs one at a time. It may make another one after destroying the first.
// - Threads: all functions of an engine are for the thread that made it, except from the log
//   callback, which may come from any thread and must call nothing of this header.
// - Errors: a function that fails returns false or NULL, changes nothing, and writes what is wrong
//   to `error`, which may be NULL. It does not write `error` when it succeeds. Wrong arguments and
//   calls in the wrong order are errors, too. A bug of the engine, and memory that runs out, end
//   the process by abort().
// - Strings: UTF-8, zero-terminated. Those that are passed in are copied, and may go after the call.
// - Locale: numbers in messages and in Lua are those of C ("1.5"), whatever setlocale has set. The
//   log callback runs in the locale of C.
// - Signals: handlers of crashes are installed only where `handles_crashes` asks for them. An engine
//   whose settings stop Lua calls that take too long has SIGPROF while it lives (of LuaJIT's
//   profiler), and SIGRTMIN + 4 from the first such call on.
// - Growth: later versions add functions, and members at the end of cuttle_engine_desc. Programs
//   that were compiled before still run (docs/decisions/0057-embedding.md).
//
// In short; examples/embedding/main.c is a whole program:
//
//     const cuttle_engine_desc desc = {
//         .desc_bytes = sizeof(desc), .data_folder = "data", .width = 640, .height = 360};
//     cuttle_engine *const engine = cuttle_engine_create(&desc, &error);
//     while (cuttle_engine_step(engine, 1.0 / 60.0, &error)) {
//     }
//     cuttle_engine_destroy(engine, NULL);
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CUTTLE_API __attribute__((visibility("default")))

// The version of this header. cuttle_version has that of the library.
#define CUTTLE_VERSION_MAJOR 0
#define CUTTLE_VERSION_MINOR 1
#define CUTTLE_VERSION_PATCH 0

typedef struct cuttle_engine cuttle_engine;

// What is wrong, and where: a file with line and column, which start at 1. "" and 0: unknown. This
// struct never grows.
typedef struct cuttle_engine_error {
    char message[1024];
    char file[512];
    uint32_t line, column;
} cuttle_engine_error;

// How urgent a message of the log is.
typedef enum cuttle_log_level {
    CUTTLE_LOG_LEVEL_DEFAULT, // of a desc: INFO for a callback, WARNING for standard error
    CUTTLE_LOG_LEVEL_DEBUG,
    CUTTLE_LOG_LEVEL_INFO,
    CUTTLE_LOG_LEVEL_WARNING,
    CUTTLE_LOG_LEVEL_ERROR,
} cuttle_log_level;

// Gets a message of the log: `system` is the part of the engine ("lua"), and `message` has one or
// more lines. Both are borrowed for the call. Comes from any thread, one call at a time, and
// must not call functions of this header: they would fail, or wait for ever.
typedef void (*cuttle_log_function)(void *user, cuttle_log_level level, const char *system,
                                    const char *message);

// How to make an engine. Zero every member that is not set; zero selects the default.
typedef struct cuttle_engine_desc {
    size_t desc_bytes; // sizeof(cuttle_engine_desc)

    // The compiled data: a folder that `cuttle compile` made, or `data` of a bundle. NULL: what
    // `cuttle compile` writes by default for the project below. Its variant for another platform
    // needs a data_folder.
    const char *data_folder;
    // The folder of the project's sources. NULL without a project; Lua then cannot ask for it, and
    // the game's title names the folder of its saved files.
    const char *project_folder;
    // A script that runs in place of the game's boot script, such as "tools/previewer"; or NULL.
    const char *boot_script;

    // The picture, or the engine's own window, in pixels (1 to 16384); 0: by the game's settings.
    uint32_t width, height;
    // Opens a window of its own, in which the player's input arrives. The program must not use SDL
    // 2 itself then.
    bool has_window;
    // Copies each frame's picture to memory, for cuttle_engine_pixels. See
    // cuttle_engine_keep_pictures.
    bool keeps_pictures;
    // Frames are the same in each run: textures are complete when they are drawn, and sound goes on
    // with the frames. For tests.
    bool is_repeatable;
    // Advances the game by this in each frame, whatever cuttle_engine_step gets; 0: by the game's
    // settings. Seconds, up to 10.
    double fixed_step_seconds;

    // Strings for the game: Application.argv.
    const char *const *arguments;
    uint32_t num_arguments;

    cuttle_log_function log; // NULL: to standard error
    void *log_user;
    cuttle_log_level log_level; // the least that is sent

    // Accepts connections to the game's console, at console_port or the next free port of 64, as
    // `cuttle run` does; port 0: any free one. Lua finds the port with Application.console_port.
    bool has_console;
    uint16_t console_port;

    // Writes a report when the process crashes: installs handlers for SIGSEGV, SIGBUS, SIGFPE,
    // SIGILL and SIGABRT, and forks a process that finds the symbols. They stay until the process
    // ends. Ask for it in the first engine, while the process has one thread.
    bool handles_crashes;
    // Messages of Vulkan's validation layer go to the log as errors.
    bool validation;

    // The folder from which the game's settings name the libraries of plugins, such as
    // "plugins/wind.so": that of the bundle whose data this is, for example. NULL: the project's.
    // Without either, plugins are left out, with a warning. Plugins are reloaded while the game runs
    // only in a project.
    const char *plugin_folder;
} cuttle_engine_desc;

// --- Life cycle ----------------------------------------------------------------------------------

// Returns the version of the library, such as "0.1.0". Any thread.
CUTTLE_API const char *cuttle_version(void);

// Makes an engine: loads the boot package, runs the boot script and the game's `init`. Takes from
// tenths of a second to seconds. Returns NULL with `error` when something of the desc is wrong, the
// data is missing or damaged, graphics or the window cannot start, or the boot script or `init`
// fails (`error` then has the error of Lua). Strings of `desc` are copied.
CUTTLE_API cuttle_engine *cuttle_engine_create(const cuttle_engine_desc *desc,
                                               cuttle_engine_error *error);

// Shuts the game down if it still runs, and frees everything. NULL is fine. Returns false with
// `error`, and frees nothing, on another thread or inside a log callback.
CUTTLE_API bool cuttle_engine_destroy(cuttle_engine *engine, cuttle_engine_error *error);

// Runs one frame: the game's `update`, and `render`. `seconds` is the time since the frame before
// (finite, 0 or more), from which the game's settings make its time step. Does not wait for the
// time to pass; in a window, the display may hold it up. Returns true while the game runs. Returns
// false without changing `error` once the game has quit, or the window was closed: the game's
// `shutdown` has run then, and later calls return false, too. Also returns false with `error`, and
// runs nothing, when an argument is wrong or the call comes at the wrong time.
CUTTLE_API bool cuttle_engine_step(cuttle_engine *engine, double seconds,
                                   cuttle_engine_error *error);

// Returns the exit code of a game that has quit; 0 while it runs.
CUTTLE_API int cuttle_engine_exit_code(const cuttle_engine *engine);

// --- Picture -------------------------------------------------------------------------------------

// Changes the size of the picture, or of the engine's window, from the next step on. Pixels, 1 to
// 16384. Fails when the window is minimized or full screen.
CUTTLE_API bool cuttle_engine_resize(cuttle_engine *engine, uint32_t width, uint32_t height,
                                     cuttle_engine_error *error);

// Starts or stops copying pictures to memory, from the next step on. The copy costs time in each
// frame (docs/embedding.md has figures): switch it off while no one looks.
CUTTLE_API bool cuttle_engine_keep_pictures(cuttle_engine *engine, bool keeps_pictures,
                                            cuttle_engine_error *error);

// Gives the size in pixels of the last frame's picture that was kept. Waits until it is drawn.
// Fails when no picture was kept, or the frame drew nothing.
CUTTLE_API bool cuttle_engine_picture_size(cuttle_engine *engine, uint32_t *width, uint32_t *height,
                                           cuttle_engine_error *error);

// Copies that picture to `pixels`, which has room for `bytes` (at least width * height * 4): red,
// green, blue and alpha (255), 8 bits each, sRGB, rows from the top without gaps. Waits until it is
// drawn. Fails in the same cases, and when `bytes` is too small.
CUTTLE_API bool cuttle_engine_pixels(cuttle_engine *engine, void *pixels, size_t bytes,
                                     cuttle_engine_error *error);

// Writes that picture to the file `path` as a PNG. Fails in the same cases, and when the file cannot
// be written.
CUTTLE_API bool cuttle_engine_write_png(cuttle_engine *engine, const char *path,
                                        cuttle_engine_error *error);

// --- Messages ------------------------------------------------------------------------------------

// Sends a message to the game, a JSON object (or SJSON) of at most 16 MiB, and handles it at once.
// The answer, if there is one, waits for cuttle_engine_receive: a Lua error or an unknown command is
// an answer, too. Fails when `json` is not an object, or the game has quit.
CUTTLE_API bool cuttle_engine_send(cuttle_engine *engine, const char *json,
                                   cuttle_engine_error *error);

// Returns the oldest message that was not received yet: an answer, or what the game sent with
// Application.console_send. A JSON object, borrowed until the next call of cuttle_engine_receive or
// the end of the engine. NULL: no message waits. At most 4,096 messages and 64 MiB wait; further
// ones are dropped with a warning in the log.
CUTTLE_API const char *cuttle_engine_receive(cuttle_engine *engine);

// --- Input ---------------------------------------------------------------------------------------

// Input counts for the next step. At most 1,024 events wait; more are dropped with a warning in the
// log. Names of devices, buttons and axes are those of Lua (docs/input.md), such as "keyboard" and
// "left shift", "mouse" and "left", "pad1" and "a". Functions fail when there is no such name.

// Presses or releases a button. A key that is pressed while it is down counts as a repeat, for text
// fields.
CUTTLE_API bool cuttle_engine_button(cuttle_engine *engine, const char *device, const char *button,
                                     bool is_down, cuttle_engine_error *error);

// Moves an axis: the mouse's "cursor" to a place in pixels from the top left, "mouse" by pixels (y
// down), "wheel" by notches (y up); a pad's "left" and "right" from -1 to 1 (y up). Values are
// finite.
CUTTLE_API bool cuttle_engine_axis(cuttle_engine *engine, const char *device, const char *axis,
                                   float x, float y, cuttle_engine_error *error);

// Enters text, as the keyboard layout or an input method made it: valid UTF-8, up to 16 KiB a frame.
CUTTLE_API bool cuttle_engine_text(cuttle_engine *engine, const char *text,
                                   cuttle_engine_error *error);

// Releases all keys and mouse buttons, for a program whose view lost the focus.
CUTTLE_API bool cuttle_engine_release_buttons(cuttle_engine *engine, cuttle_engine_error *error);

#ifdef __cplusplus
}
#endif
