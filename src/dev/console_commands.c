#include "dev/console_commands.h"

#include <stdlib.h>
#include <string.h>

#include "dev/console_memory.h"
#include "dev/console_network.h"
#include "dev/console_overlay.h"
#include "dev/console_physics.h"
#include "dev/console_plugin.h"
#include "dev/console_render.h"
#include "dev/console_screenshot.h"
#include "dev/console_sound.h"
#include "dev/debugger/debugger.h"
#include "dev/profiler_console.h"
#include "foundation/error.h"
#include "resource/schema/schema.h"

enum { MAX_COMMANDS = 64 };

static bool run_pause(ct_console_target *target, uint32_t num_arguments,
                      const char *const *arguments, ct_string_builder *result, ct_error *error) {
    (void)num_arguments, (void)arguments, (void)error;
    ct_app_pause(target->app);
    ct_string_builder_add(result, "paused");
    return true;
}

static bool run_resume(ct_console_target *target, uint32_t num_arguments,
                       const char *const *arguments, ct_string_builder *result, ct_error *error) {
    (void)num_arguments, (void)arguments, (void)error;
    ct_app_resume(target->app);
    ct_string_builder_add(result, "running");
    return true;
}

static bool run_step(ct_console_target *target, uint32_t num_arguments,
                     const char *const *arguments, ct_string_builder *result, ct_error *error) {
    (void)num_arguments, (void)arguments, (void)error;
    ct_app_pause(target->app);
    ct_app_step(target->app);
    ct_string_builder_add(result, "one update, then paused");
    return true;
}

static bool run_lose(ct_console_target *target, uint32_t num_arguments,
                     const char *const *arguments, ct_string_builder *result, ct_error *error) {
    static const char *const kinds[] = {[CT_RENDER_FAULT_DEVICE_LOST] = "device",
                                        [CT_RENDER_FAULT_OUT_OF_MEMORY] = "memory",
                                        [CT_RENDER_FAULT_SURFACE_LOST] = "surface"};
    uint32_t kind = 0;
    while (kind < CT_COUNT_OF(kinds) && strcmp(arguments[0], kinds[kind]) != 0)
        ++kind;
    if (kind == CT_COUNT_OF(kinds))
        return ct_error_set(error, "unknown fault \"%.64s\"; expected device, memory or surface",
                            arguments[0]);
    long times = 1;
    if (num_arguments == 2) {
        char *end = NULL;
        times = strtol(arguments[1], &end, 10);
        if (end == arguments[1] || *end != '\0' || times < 1 || times > 1000000)
            return ct_error_set(error, "invalid number of times \"%.64s\"; expected 1 to 1000000",
                                arguments[1]);
    }
    ct_renderer_inject_fault(
        ct_app_renderer(target->app),
        &(ct_render_fault){.kind = (ct_render_fault_kind)kind, .num_times = (uint32_t)times});
    ct_string_builder_addf(result, "simulating the loss of the %s in this frame", kinds[kind]);
    return true;
}

static bool run_quit(ct_console_target *target, uint32_t num_arguments,
                     const char *const *arguments, ct_string_builder *result, ct_error *error) {
    long code = 0;
    if (num_arguments == 1) {
        char *end = NULL;
        code = strtol(arguments[0], &end, 10);
        if (end == arguments[0] || *end != '\0' || code < 0 || code > 255)
            return ct_error_set(error, "invalid exit code \"%s\"; expected 0 to 255", arguments[0]);
    }
    ct_app_quit(target->app, (int)code);
    if (ct_debugger_is_stopped(target->debugger))
        ct_debugger_note_quit(target->debugger);
    ct_string_builder_addf(result, "quitting with exit code %ld", code);
    return true;
}

static bool run_help(ct_console_target *target, uint32_t num_arguments,
                     const char *const *arguments, ct_string_builder *result, ct_error *error);

static const ct_console_command command_table[] = {
    {"help", "[COMMAND]", "list all commands, or describe one", NULL, 0, 1, run_help},
    {"lose", "device|memory|surface [TIMES]",
     "simulate a lost graphics device, full device memory or a lost window surface, for TIMES "
     "driver calls in a row (default 1)",
     NULL, 1, 2, run_lose},
    {"memory", "[trace NAME on|off|report]",
     "show all allocators as a tree; or record the call stacks of one allocator's blocks (on, "
     "off), "
     "and show them (report)",
     NULL, 0, 3, ct_console_run_memory},
    {"network", "stats|simulate CONDITIONS [seed=N]|timeouts on|off",
     "show the figures of the game's network and its peers; or simulate a bad one, such as "
     "loss=5%,delay=80ms (none: end it), with the losses of a seed; or turn its timeouts off, or "
     "on",
     NULL, 1, 3, ct_console_run_network},
    {"overlay", "[on|off|line]",
     "show the overlay over the game, hide it, or type Lua into its line; without an argument, "
     "say which of them holds",
     NULL, 0, 1, ct_console_run_overlay},
    {"pause", "", "stop calling the game's update; frames are still drawn", NULL, 0, 0, run_pause},
    {"physics", "draw off|shapes|contacts|movers... [METRES]",
     "draw the shapes, contacts and movers of physics as lines, up to METRES from the cameras "
     "(default 50)",
     NULL, 2, 5, ct_console_run_physics},
    {"plugin", "[NAME [reload|COMMAND [ARGUMENT...]]]",
     "list the plugins, or the commands of one; or reload it, or run a command of it", NULL, 0,
     CT_CONSOLE_MAX_ARGUMENTS, ct_console_run_plugin},
    {"profiler", "start|stop|dump FILE|subscribe|unsubscribe",
     "record frames, write the last ones to a file for Perfetto, or stream them to this client",
     NULL, 1, 2, ct_console_run_profiler},
    {"quit", "[EXIT_CODE]", "end the game after this frame", "exit_code", 0, 1, run_quit},
    {"render", "views|view NAME|settings|set NAME VALUE...|presets|preset NAME",
     "list the debug views, the settings or the presets of the renderer, or choose one", NULL, 1, 6,
     ct_console_run_render},
    {"resume", "", "call the game's update again", NULL, 0, 0, run_resume},
    {"screenshot", "[FILE]",
     "take a PNG screenshot of this frame; `cuttle console` writes it to FILE (default "
     "screenshot.png)",
     "file", 0, 1, ct_console_run_screenshot},
    {"sound", "[COUNT]",
     "show the output, the buses and up to COUNT sounds (default 50) with their parameters, the "
     "loudest first",
     NULL, 0, 1, ct_console_run_sound},
    {"step", "", "call the game's update once, then pause", NULL, 0, 0, run_step},
};

static void add_row(const ct_console_command *c, ct_string_builder *result) {
    ct_string_builder_addf(result, "%s%s%s: %s", c->name, c->usage[0] != '\0' ? " " : "", c->usage,
                           c->summary);
}

bool ct_console_unknown_command(const char *name, ct_error *error) {
    const char *names[MAX_COMMANDS];
    _Static_assert(CT_COUNT_OF(command_table) <= MAX_COMMANDS, "more commands than names");
    for (uint32_t i = 0; i < CT_COUNT_OF(command_table); ++i)
        names[i] = command_table[i].name;
    const char *const nearest = ct_nearest_name(name, names, CT_COUNT_OF(command_table));
    if (nearest)
        return ct_error_set(error, "unknown command \"%.64s\"; did you mean \"%s\"?", name,
                            nearest);
    return ct_error_set(error, "unknown command \"%.64s\"; \"help\" lists all commands", name);
}

static bool run_help(ct_console_target *target, uint32_t num_arguments,
                     const char *const *arguments, ct_string_builder *result, ct_error *error) {
    (void)target;
    if (num_arguments == 1) {
        const ct_console_command *const command = ct_console_command_named(arguments[0]);
        if (!command)
            return ct_console_unknown_command(arguments[0], error);
        add_row(command, result);
        return true;
    }
    for (uint32_t i = 0; i < CT_COUNT_OF(command_table); ++i) {
        if (i != 0)
            ct_string_builder_add(result, "\n");
        add_row(&command_table[i], result);
    }
    return true;
}

const ct_console_command *ct_console_commands(uint32_t *count) {
    *count = CT_COUNT_OF(command_table);
    return command_table;
}

const ct_console_command *ct_console_command_named(const char *name) {
    for (uint32_t i = 0; i < CT_COUNT_OF(command_table); ++i) {
        if (strcmp(command_table[i].name, name) == 0)
            return &command_table[i];
    }
    return NULL;
}

bool ct_console_command_run(const ct_console_command *command, ct_console_target *target,
                            uint32_t num_arguments, const char *const *arguments,
                            ct_string_builder *result, ct_error *error) {
    if (num_arguments < command->least_arguments || num_arguments > command->most_arguments)
        return ct_error_set(error, "wrong number of arguments (%u); expected: %s%s%s",
                            num_arguments, command->name, command->usage[0] != '\0' ? " " : "",
                            command->usage);
    return command->run(target, num_arguments, arguments, result, error);
}
