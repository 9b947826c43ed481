// app_plugin_commands.h: the console commands of plugins, for the console.
#pragma once
#include "app/app.h"
#include "foundation/string/string_builder.h"
#include "plugin/plugin_host.h"

// Appends a line for each command of a plugin: its name, arguments and summary.
void ct_app_list_plugin_commands(const ct_plugin *plugin, ct_string_builder *out);

// Runs a command of a plugin and appends its answer. Returns false with `error` when there is no such
// command, the number of arguments is wrong, or it failed.
bool ct_app_run_plugin_command(const ct_plugin *plugin, const char *name, uint32_t num_arguments,
                               const char *const *arguments, ct_string_builder *answer,
                               ct_error *error);
