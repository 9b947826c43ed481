// debugger.h: lets clients of the console stop the game's Lua, look at it and go on.
//
// One for the program. While a client is attached (`debugger_attach`), each Lua state has a debugger
// (lua/lua_debugger.h): the game's and those that run jobs (script.h). They get the breakpoints of all
// clients together. When the last client leaves, they end, at the next frame boundary.
//
// A state that stops on the update thread runs a loop there, which serves the console and keeps the
// window alive until a client goes on. A state that stops on another thread waits there, and does what
// clients ask of it; the loop then runs where the update thread waits for the jobs. In the loop only some
// messages are handled. What is evaluated never stops.
//
// Update thread, except the callbacks of states that run jobs. Messages:
// docs/formats/debugger_protocol.md.
#pragma once
#include "dev/console_commands.h"

typedef struct ct_debugger_desc {
    ct_allocator *allocator;
    ct_console_server *console; // whose clients attach; borrowed
    ct_overlay *overlay;        // shows where the game has stopped; borrowed; NULL: none
    // Absolute folders of the sources, for tools; copied.
    const char *project_folder;
    const char *core_folder;
} ct_debugger_desc;

// Makes the debugger; no client is attached.
ct_debugger *ct_debugger_create(const ct_debugger_desc *desc);

// Frees it; NULL is fine. Before the console's server ends, after ct_debugger_end.
void ct_debugger_destroy(ct_debugger *d);

// Takes the app whose Lua clients stop. Before the boot script runs.
void ct_debugger_begin(ct_debugger *d, ct_app *app);

// Sends all clients that the game ends and lets them go. Before the script system ends.
void ct_debugger_end(ct_debugger *d);

// Serves the console until a client has attached and goes on, or has left, or the game was asked to quit;
// without a client for at most 10 seconds. Before the boot script runs.
void ct_debugger_wait_for_client(ct_debugger *d);

// Sends what has happened since, and lets go of clients whose connections have ended. Call it at each
// frame boundary.
void ct_debugger_update(ct_debugger *d);

// --- For the console (`d` may be NULL) -----------------------------------------------------------

// Returns the folder of the engine's own sources; "" when it is not known.
const char *ct_debugger_core_folder(const ct_debugger *d);

// Returns whether messages of `type` are for the debugger.
bool ct_debugger_is_message(const char *type);

// Handles the message of `target` and appends the answer to `answer`.
void ct_debugger_handle(ct_debugger *d, const ct_console_target *target, ct_string_builder *answer);

// Returns whether the game has stopped: only some messages may be handled.
bool ct_debugger_is_stopped(const ct_debugger *d);

// Returns whether the components of entities can be read and set: the game runs, or it has stopped in its own Lua,
// which could do so there, too. Not while jobs run, or one of them has stopped.
bool ct_debugger_can_inspect(const ct_debugger *d);

// Returns whether the game is about to go on: what other messages there are waits until it has.
bool ct_debugger_is_going_on(ct_debugger *d);

// Appends where the game has stopped: "at scripts/main.lua:12".
void ct_debugger_describe_stop(ct_debugger *d, ct_string_builder *out);

// Same as ct_lua_complete, in the state that has stopped; one must have.
uint32_t ct_debugger_complete(ct_debugger *d, const char *text, ct_string_builder *names);

// Notes that a client asked the game to quit while it was stopped: it goes on, and stops no more.
void ct_debugger_note_quit(ct_debugger *d);
