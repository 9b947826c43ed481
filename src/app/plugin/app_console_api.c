#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "app/app_private.h"
#include "app/plugin/app_interfaces.h"
#include "app/plugin/app_plugin_commands.h"
#include "foundation/sjson/sjson_writer.h"
#include "plugin/plugin_addition.h"
#include "resource/schema/schema.h"

// An addition is called "plugin command".
static bool check(const ct_plugin_addition *a, ct_error *error) {
    const cuttle_console_command *const command = a->desc;
    return (command->run && command->usage && command->summary &&
            command->least_arguments <= command->most_arguments) ||
           ct_error_set(error, "it needs `run`, `usage`, `summary`, and at least as many "
                               "most_arguments as least_arguments");
}

static const ct_plugin_kind command_kind = {
    .name = "console command",
    .desc_bytes = sizeof(cuttle_console_command),
    .check = check,
};

// --- For plugins ---------------------------------------------------------------------------------

static bool add_command(cuttle_plugin *self, const char *name,
                        const cuttle_console_command *command, cuttle_error *error) {
    char full[CT_PLUGIN_ADDITION_NAME_BYTES];
    ct_error why = {0};
    snprintf(full, sizeof(full), "%s %s", ct_plugin_name(self), name ? name : "");
    if (!name || !name[0] || strpbrk(name, " \t\n"))
        ct_error_set(&why, "a console command needs a name without blanks");
    else if (!command)
        ct_error_set(&why, "the console command \"%.64s\" needs a description", name);
    else if (ct_plugin_add(self, &command_kind, full, command, &why))
        return true;
    return ct_plugin_error_to(error, &why);
}

static void print(cuttle_console_answer *answer, const char *format, ...) {
    char text[4096];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof(text), format, list);
    va_end(list);
    ct_string_builder_add((ct_string_builder *)answer, text);
}

// The text is written again: what tools get is JSON, also where the plugin wrote SJSON.
static bool send_json(cuttle_plugin *self, const char *json) {
    ct_app *const app = ct_app_of_plugin(self);
    ct_sjson *const doc =
        json ? ct_sjson_parse(app->allocator, json, strlen(json), "message", NULL, NULL) : NULL;
    if (!doc)
        return false;
    ct_string_builder text;
    ct_sjson_writer w;
    ct_string_builder_init(&text, app->allocator);
    ct_sjson_writer_init(&w, &text, CT_SJSON_STYLE_JSON);
    ct_sjson_write_value(&w, doc, ct_sjson_root(doc));
    if (app->hooks.console_send)
        app->hooks.console_send(app->hooks.user, ct_string_builder_text(&text));
    ct_string_builder_free(&text);
    ct_sjson_free(doc);
    return true;
}

const cuttle_console_api_1 ct_app_console_api_1 = {
    .add_command = add_command,
    .print = print,
    .send = send_json,
};

// --- For the console -----------------------------------------------------------------------------

static const char *name_of(const ct_plugin_addition *a) {
    return a->name + strlen(ct_plugin_name(a->plugin)) + 1;
}

void ct_app_list_plugin_commands(const ct_plugin *plugin, ct_string_builder *out) {
    const ct_plugin_host *const host = ct_plugin_host_of(plugin);
    const ct_plugin_addition *a = NULL;
    while ((a = ct_plugin_host_next_addition(host, &command_kind, a))) {
        const cuttle_console_command *const command = a->desc;
        if (a->plugin == plugin)
            ct_string_builder_addf(out, "\n%s%s%s: %s", name_of(a), command->usage[0] ? " " : "",
                                   command->usage, command->summary);
    }
}

static bool unknown(const ct_plugin *plugin, const char *name, ct_error *error) {
    enum { MAX_NAMES = 64 };
    const char *names[MAX_NAMES];
    uint32_t count = 0;
    const ct_plugin_addition *a = NULL;
    while ((a = ct_plugin_host_next_addition(ct_plugin_host_of(plugin), &command_kind, a)))
        if (a->plugin == plugin && count < MAX_NAMES)
            names[count++] = name_of(a);
    const char *const nearest = ct_nearest_name(name, names, count);
    return ct_error_set(error, "the plugin \"%s\" has no command \"%.64s\"%s%s%s",
                        ct_plugin_name(plugin), name, nearest ? "; did you mean \"" : "",
                        nearest ? nearest : "", nearest ? "\"?" : "");
}

bool ct_app_run_plugin_command(const ct_plugin *plugin, const char *name, uint32_t num_arguments,
                               const char *const *arguments, ct_string_builder *answer,
                               ct_error *error) {
    char full[CT_PLUGIN_ADDITION_NAME_BYTES];
    snprintf(full, sizeof(full), "%s %s", ct_plugin_name(plugin), name);
    const ct_plugin_addition *const a =
        ct_plugin_host_addition(ct_plugin_host_of(plugin), &command_kind, full);
    if (!a)
        return unknown(plugin, name, error);
    const cuttle_console_command *const command = a->desc;
    if (num_arguments < command->least_arguments || num_arguments > command->most_arguments)
        return ct_error_set(error, "wrong number of arguments (%u); expected: %s%s%s",
                            num_arguments, name, command->usage[0] ? " " : "", command->usage);
    cuttle_error why = {0};
    const uint32_t entered = ct_plugin_enter(plugin);
    const bool is_done =
        command->run(a->plugin, num_arguments, arguments, (cuttle_console_answer *)answer, &why);
    ct_plugin_leave(entered);
    return is_done || ct_plugin_error_from(error, &why);
}
