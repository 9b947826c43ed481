#include "dev/console_plugin.h"

#include <string.h>

#include "app/plugin/app_plugin_commands.h"
#include "foundation/error.h"
#include "plugin/plugin_host.h"
#include "resource/schema/schema.h"

static void add_plugin(const ct_plugin *plugin, ct_string_builder *result) {
    ct_allocator *const a = ct_plugin_allocator(plugin);
    ct_allocator_stats stats;
    a->stats(a, &stats);
    ct_string_builder_addf(result, "%s: %s, %llu bytes, reloaded %u times", ct_plugin_name(plugin),
                           ct_plugin_path(plugin), (unsigned long long)stats.live_bytes,
                           ct_plugin_num_reloads(plugin));
}

static bool list(const ct_plugin_host *host, ct_string_builder *result) {
    for (uint32_t i = 0; i < ct_plugin_host_count(host); ++i) {
        if (i > 0)
            ct_string_builder_add(result, "\n");
        add_plugin(ct_plugin_host_at(host, i), result);
    }
    if (ct_plugin_host_count(host) == 0)
        ct_string_builder_add(result, "this game has no plugins");
    return true;
}

static bool unknown(const ct_plugin_host *host, const char *name, ct_error *error) {
    const char *names[CT_PLUGIN_MAX];
    for (uint32_t i = 0; i < ct_plugin_host_count(host); ++i)
        names[i] = ct_plugin_name(ct_plugin_host_at(host, i));
    const char *const nearest = ct_nearest_name(name, names, ct_plugin_host_count(host));
    return ct_error_set(error, "there is no plugin \"%.64s\"%s%s%s", name,
                        nearest ? "; did you mean \"" : "", nearest ? nearest : "",
                        nearest ? "\"?" : "");
}

bool ct_console_run_plugin(ct_console_target *target, uint32_t num_arguments,
                           const char *const *arguments, ct_string_builder *result,
                           ct_error *error) {
    ct_plugin_host *const host = ct_app_plugins(target->app);
    if (num_arguments == 0)
        return list(host, result);
    const ct_plugin *const plugin = ct_plugin_host_find(host, arguments[0]);
    if (!plugin)
        return unknown(host, arguments[0], error);
    if (num_arguments == 1) {
        add_plugin(plugin, result);
        ct_string_builder_add(result, "\nreload: open its library again");
        ct_app_list_plugin_commands(plugin, result);
        return true;
    }
    if (strcmp(arguments[1], "reload") != 0)
        return ct_app_run_plugin_command(plugin, arguments[1], num_arguments - 2, arguments + 2,
                                         result, error);
    if (!ct_plugin_host_reload(host, arguments[0], error))
        return false;
    ct_string_builder_addf(result, "reloaded %s", arguments[0]);
    return true;
}
