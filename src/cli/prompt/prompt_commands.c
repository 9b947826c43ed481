#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/prompt/console_request.h"
#include "cli/prompt/prompt.h"
#include "foundation/error.h"

// One command of the prompt; `argument` is what follows its name, without blanks around.
typedef struct prompt_command {
    const char *name, *usage, *summary;
    bool (*run)(ct_prompt *p, const char *argument, ct_error *error);
} prompt_command;

// --- Engines -------------------------------------------------------------------------------------

static bool run_engines(ct_prompt *p, const char *argument, ct_error *error) {
    (void)argument, (void)error;
    for (uint32_t i = 0; i < p->engines.count; ++i) {
        const ct_prompt_engine *const e = &p->engines.list[i];
        const bool is_used = p->selected[0] == '\0' || strcmp(p->selected, e->name) == 0;
        ct_prompt_print(p, "%c %u  %s:%u%s", is_used ? '*' : ' ', i + 1, e->host, e->port,
                        e->socket < 0 ? "  (not connected)" : "");
    }
    if (p->engines.count == 0)
        ct_prompt_print(p, "no engine is connected");
    return true;
}

static bool run_all(ct_prompt *p, const char *argument, ct_error *error) {
    (void)argument, (void)error;
    p->selected[0] = '\0';
    return true;
}

static bool run_use(ct_prompt *p, const char *argument, ct_error *error) {
    if (strcmp(argument, "all") == 0)
        return run_all(p, argument, error);
    const unsigned long number = strtoul(argument, NULL, 10);
    for (uint32_t i = 0; i < p->engines.count; ++i) {
        const ct_prompt_engine *const e = &p->engines.list[i];
        if (number != i + 1 && strcmp(argument, e->name) != 0)
            continue;
        snprintf(p->selected, sizeof(p->selected), "%s", e->name);
        return true;
    }
    return ct_error_set(error, "unknown engine \"%.64s\"; :engines lists them", argument);
}

static bool run_connect(ct_prompt *p, const char *argument, ct_error *error) {
    char host[256];
    uint16_t port = 0;
    return ct_console_parse_address(argument, host, sizeof(host), &port, error) &&
           ct_prompt_engines_add(&p->engines, host, port, error);
}

// --- The log -------------------------------------------------------------------------------------

static void show_filter(ct_prompt *p) {
    const ct_prompt_filter *const f = &p->filter;
    ct_string_builder systems;
    ct_string_builder_init(&systems, p->allocator);
    for (uint32_t i = 0; i < f->num_systems; ++i)
        ct_string_builder_addf(&systems, " %s", f->systems[i]);
    ct_prompt_print(p, "level %s, system%s, text %s",
                    f->least > CT_LOG_LEVEL_ERROR   ? "none"
                    : f->least == CT_LOG_LEVEL_NONE ? "debug"
                                                    : ct_log_level_name(f->least),
                    f->num_systems != 0 ? ct_string_builder_text(&systems) : " all",
                    f->text[0] != '\0' ? f->text : "all");
    ct_string_builder_free(&systems);
}

static bool run_level(ct_prompt *p, const char *argument, ct_error *error) {
    if (argument[0] == '\0') {
        show_filter(p);
        return true;
    }
    return ct_prompt_filter_set_level(&p->filter, argument, error);
}

static bool run_system(ct_prompt *p, const char *argument, ct_error *error) {
    return ct_prompt_filter_set_systems(&p->filter, strcmp(argument, "all") != 0 ? argument : "",
                                        error);
}

static bool run_filter(ct_prompt *p, const char *argument, ct_error *error) {
    return ct_prompt_filter_set_text(&p->filter, argument, error);
}

// --- The prompt ----------------------------------------------------------------------------------

static bool run_quit(ct_prompt *p, const char *argument, ct_error *error) {
    (void)argument, (void)error;
    p->is_quitting = true;
    return true;
}

static bool run_help(ct_prompt *p, const char *argument, ct_error *error);

static const prompt_command command_table[] = {
    {"help", "", "print this list", run_help},
    {"engines", "", "list the engines; * marks those that get your lines", run_engines},
    {"use", "N|NAME|all", "send lines to one engine, or to all", run_use},
    {"all", "", "send lines to all engines", run_all},
    {"connect", "HOST:PORT", "connect to another engine", run_connect},
    {"level", "LEVEL", "show log messages from debug, info, warning or error on, or none",
     run_level},
    {"system", "NAME…|all", "show log messages of these systems", run_system},
    {"filter", "[TEXT]", "show log messages that contain TEXT; without TEXT, all", run_filter},
    {"quit", "", "quit the prompt; the engines keep running", run_quit},
};

static bool run_help(ct_prompt *p, const char *argument, ct_error *error) {
    (void)argument, (void)error;
    ct_prompt_print(p, "Lua, or a command of the engine (`help` lists them), or:");
    for (uint32_t i = 0; i < CT_COUNT_OF(command_table); ++i) {
        const prompt_command *const c = &command_table[i];
        ct_prompt_print(p, "  :%s%s%s: %s", c->name, c->usage[0] != '\0' ? " " : "", c->usage,
                        c->summary);
    }
    ct_prompt_print(p, "TAB completes names, arrows and Ctrl-R find earlier lines, Ctrl-C drops "
                       "the line or stops waiting, Ctrl-D quits.");
    return true;
}

void ct_prompt_run_command(ct_prompt *p, const char *line) {
    const size_t length = strcspn(line + 1, " \t");
    const char *const rest = line + 1 + length;
    char argument[1024];
    snprintf(argument, sizeof(argument), "%s", rest + strspn(rest, " \t"));
    size_t end = strlen(argument);
    while (end > 0 && (argument[end - 1] == ' ' || argument[end - 1] == '\t'))
        argument[--end] = '\0';
    ct_error error = {0};
    bool is_done = false;
    ct_error_set(&error, "unknown command \":%.*s\"; :help lists them",
                 length < 64 ? (int)length : 64, line + 1);
    for (uint32_t i = 0; i < CT_COUNT_OF(command_table); ++i) {
        const prompt_command *const c = &command_table[i];
        if (strlen(c->name) == length && strncmp(c->name, line + 1, length) == 0)
            is_done = c->run(p, argument, &error);
    }
    if (!is_done) {
        p->has_failed = true;
        ct_prompt_print(p, "error: %s", error.message);
    }
}

void ct_prompt_add_command_names(ct_string_array *names) {
    for (uint32_t i = 0; i < CT_COUNT_OF(command_table); ++i) {
        char name[32];
        snprintf(name, sizeof(name), ":%s", command_table[i].name);
        ct_prompt_add_name(names, name);
    }
}
