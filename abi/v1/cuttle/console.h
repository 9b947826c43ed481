// console.h: the interface "console": commands of a plugin, for `cuttle console` and other tools.
//
// `cuttle console plugin wind set 3` runs the command `set` of the plugin `wind`; `plugin wind` lists
// its commands. There are no consoles in games that ship: commands are accepted there, and never run.
#ifndef CUTTLE_CONSOLE_H
#define CUTTLE_CONSOLE_H
#include <cuttle/log.h>
#include <cuttle/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CUTTLE_CONSOLE_API "console"

// The answer of a command, while it runs.
typedef struct cuttle_console_answer cuttle_console_answer;

// A command. All is borrowed as long as the library is open.
typedef struct cuttle_console_command {
    const char *usage;   // its arguments, as help shows them: "SPEED [DIRECTION]"; "" without
    const char *summary; // one line
    uint32_t least_arguments, most_arguments; // others are refused, with the usage
    // Runs it, at a frame boundary. Arguments are UTF-8, borrowed for the call. Returns false with
    // `error` when it failed.
    bool (*run)(cuttle_plugin *self, uint32_t num_arguments, const char *const *arguments,
                cuttle_console_answer *answer, cuttle_error *error);
} cuttle_console_command;

// Update thread.
typedef struct cuttle_console_api_1 {
    // Adds a command of the plugin. Returns false with `error` when the plugin has one of this name,
    // or the description is incomplete.
    bool (*add_command)(cuttle_plugin *self, const char *name,
                        const cuttle_console_command *command, cuttle_error *error);
    // Adds text to the answer of a command; lines are separated by line ends.
    void (*print)(cuttle_console_answer *answer, const char *format, ...) CUTTLE_PRINTF(2, 3);
    // Sends a JSON object to all tools that are connected. Returns false, and sends nothing, when the
    // text is not one (SJSON is accepted).
    bool (*send)(cuttle_plugin *self, const char *json);
} cuttle_console_api_1;

#ifdef __cplusplus
}
#endif
#endif
