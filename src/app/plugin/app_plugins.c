#include <stdio.h>

#include "app/app_private.h"
#include "app/plugin/app_interfaces.h"
#include "foundation/log.h"
#include "script/plugin/script_plugins.h"

// Below a project, where what is made of it is.
#define COPIES_FOLDER ".cuttle/plugins"

// As `cuttle new` makes it.
#define ANNOTATIONS_FOLDER ".luals"

static const char *folder_of(const ct_app *app) {
    return app->desc.plugin_folder ? app->desc.plugin_folder : app->desc.project_folder;
}

// Copies are made only where the game is developed: in a project.
static ct_plugin_host *make_host(ct_app *app) {
    char project[CT_PATH_BYTES], copies[CT_PATH_BYTES], folder[CT_PATH_BYTES];
    const bool has_copies = app->desc.project_folder &&
                            ct_os_absolute_path(app->desc.project_folder, project, NULL) &&
                            ct_path_try_join(copies, project, COPIES_FOLDER);
    const bool has_folder = folder_of(app) && ct_os_absolute_path(folder_of(app), folder, NULL);
    ct_plugin_host_desc desc = {.allocator = app->allocator,
                                .copies_folder = has_copies ? copies : NULL,
                                .folder = has_folder ? folder : NULL,
                                .tasks = app->tasks,
                                .user = app};
    desc.interfaces = ct_app_interfaces(&desc.num_interfaces);
    return ct_plugin_host_create(&desc);
}

void ct_app_load_plugins(ct_app *app) {
    const ct_settings *const s = &app->settings;
    char paths[CT_SETTING_MAX_PLUGINS][CT_PATH_BYTES];
    ct_plugin_entry entries[CT_SETTING_MAX_PLUGINS];
    app->plugins = make_host(app);
    ct_script_set_plugins(app->script, app->plugins);
    ct_app_listen_to_network(app);
    const char *const folder = ct_plugin_host_folder(app->plugins);
    if (s->num_plugins > 0 && !folder[0]) {
        ct_log_warning("plugin", "plugins_without_folder",
                       "the settings name plugins; they are left out, as there is no folder of a "
                       "project or a game for their libraries");
        return;
    }
    for (uint32_t i = 0; i < s->num_plugins; ++i) {
        const char *const library = s->plugins[i].library;
        const bool fits = ct_path_try_join(paths[i], folder, library);
        entries[i] = (ct_plugin_entry){s->plugins[i].name, fits ? paths[i] : library};
    }
    if (s->num_plugins > 0)
        ct_plugin_host_load(app->plugins, entries, s->num_plugins);
}

void ct_app_watch_plugins(ct_app *app) {
    ct_plugin_host_watch(app->plugins);
    char folder[CT_PATH_BYTES];
    ct_error error = {0};
    if (app->plugin_changes == ct_plugin_host_changes(app->plugins) || !app->desc.project_folder ||
        !ct_path_try_join(folder, app->desc.project_folder, ANNOTATIONS_FOLDER))
        return;
    app->plugin_changes = ct_plugin_host_changes(app->plugins);
    if (!ct_script_annotate_plugins(app->script, folder, &error))
        ct_log_report("plugin", &error);
}
