#include "app/app_private.h"
#include "app/user_folder.h"
#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/os/os.h"

static const char *key_name(void *user, uint32_t usage) {
    const ct_app *const app = user;
    return ct_window_key_name(app->window, usage);
}

// Players' own bindings are a matter of windows: runs without one are the same everywhere.
static bool start_actions(ct_app *app, ct_error *error) {
    char path[CT_PATH_BYTES];
    const bool has_path =
        app->window && ct_user_file_path(path, app->settings.title, "input.sjson");
    const ct_actions_desc desc = {.allocator = app->allocator,
                                  .input = app->input,
                                  .resources = app->resources,
                                  .resource = app->settings.input,
                                  .user_file = has_path ? path : NULL};
    app->actions = ct_actions_create(&desc);
    return app->settings.input[0] == '\0' ||
           ct_resource_manager_load_now(app->resources, "input", app->settings.input, error);
}

static void start_gamepads(ct_app *app) {
    ct_error error = {0};
    // The window has loaded SDL.
    app->gamepads = ct_gamepads_create(app->allocator, ct_sdl_load(&error), app->input, &error);
    if (!app->gamepads)
        ct_log_warning("input", "no_gamepads", "%s", error.message);
    else
        ct_gamepads_add_mappings(app->gamepads, ct_actions_gamepad_mappings(app->actions));
}

bool ct_app_start_input(ct_app *app, ct_error *error) {
    app->input = ct_input_create(app->allocator);
    app->input_time_ns = ct_os_time_ns();
    if (!start_actions(app, error))
        return false;
    if (!app->window)
        return true;
    const ct_input_platform platform = {.user = app, .key_name = key_name};
    ct_input_set_platform(app->input, &platform);
    start_gamepads(app);
    return true;
}

void ct_app_stop_input(ct_app *app) {
    ct_gamepads_destroy(app->gamepads);
    ct_actions_destroy(app->actions);
    ct_input_destroy(app->input);
    ct_input_destroy(app->idle.input);
}

void ct_app_pump_input(ct_app *app) {
    ct_window_pump_events(app->window, app->input, app->gamepads);
    const uint64_t now_ns = ct_os_time_ns();
    if (app->gamepads)
        ct_gamepads_update(app->gamepads, (float)((double)(now_ns - app->input_time_ns) * 1e-9));
    app->input_time_ns = now_ns;
}
