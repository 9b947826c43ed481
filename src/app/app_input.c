#include "app/app_private.h"
#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/os.h"

static const char *key_name(void *user, uint32_t usage) {
    const ct_app *const app = user;
    return ct_window_key_name(app->window, usage);
}

void ct_app_start_input(ct_app *app) {
    app->input = ct_input_create(app->allocator);
    app->input_time_ns = ct_os_time_ns();
    if (app->window == NULL)
        return;
    const ct_input_platform platform = {.user = app, .key_name = key_name};
    ct_input_set_platform(app->input, &platform);
    ct_error error = {0};
    // The window has loaded SDL.
    app->gamepads = ct_gamepads_create(app->allocator, ct_sdl_load(&error), app->input, &error);
    if (app->gamepads == NULL)
        ct_log_warning("input", "no_gamepads", "%s", error.message);
}

void ct_app_stop_input(ct_app *app) {
    ct_gamepads_destroy(app->gamepads);
    ct_input_destroy(app->input);
}

void ct_app_pump_input(ct_app *app) {
    ct_window_pump_events(app->window, app->input, app->gamepads);
    const uint64_t now_ns = ct_os_time_ns();
    if (app->gamepads != NULL)
        ct_gamepads_update(app->gamepads, (float)((double)(now_ns - app->input_time_ns) * 1e-9));
    app->input_time_ns = now_ns;
}
