#include <stdio.h>

#include "app/app_private.h"
#include "app/plugin/app_interfaces.h"
#include "foundation/log.h"

// Below a project, where what is made of it is.
#define COPIES_FOLDER ".cuttle/plugins"

static const char *folder_of(const ct_app *app) {
    return app->desc.plugin_folder ? app->desc.plugin_folder : app->desc.project_folder;
}

// Copies are made only where the game is developed: in a project.
static ct_plugin_host *make_host(ct_app *app) {
    char absolute[CT_PATH_BYTES], copies[CT_PATH_BYTES];
    const bool has_copies = app->desc.project_folder &&
                            ct_os_absolute_path(app->desc.project_folder, absolute, NULL) &&
                            ct_path_try_join(copies, absolute, COPIES_FOLDER);
    ct_plugin_host_desc desc = {.allocator = app->allocator,
                                .program = CUTTLE_PROGRAM_GAME,
                                .copies_folder = has_copies ? copies : NULL,
                                .tasks = app->tasks,
                                .user = app};
    desc.interfaces = ct_app_interfaces(&desc.num_interfaces);
    return ct_plugin_host_create(&desc);
}

void ct_app_load_plugins(ct_app *app) {
    const ct_settings *const s = &app->settings;
    char folder[CT_PATH_BYTES], paths[CT_SETTING_MAX_PLUGINS][CT_PATH_BYTES];
    ct_plugin_entry entries[CT_SETTING_MAX_PLUGINS];
    ct_error error = {0};
    app->plugins = make_host(app);
    if (s->num_plugins == 0)
        return;
    if (!folder_of(app) || !ct_os_absolute_path(folder_of(app), folder, &error)) {
        ct_log_error("plugin", "no_plugin_folder",
                     "the settings name plugins; there is no folder "
                     "for their libraries");
        return;
    }
    for (uint32_t i = 0; i < s->num_plugins; ++i) {
        const char *const library = s->plugins[i].library;
        const bool fits = ct_path_try_join(paths[i], folder, library);
        entries[i] = (ct_plugin_entry){s->plugins[i].name, fits ? paths[i] : library};
    }
    ct_plugin_host_load(app->plugins, entries, s->num_plugins);
}
