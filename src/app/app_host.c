#include <stdio.h>

#include "app/app_private.h"
#include "foundation/os.h"

static void host_quit(void *user, int exit_code) {
    ct_app_quit(user, exit_code);
}

static double host_time_since_launch(void *user) {
    const ct_app *app = user;
    return (double)(ct_os_time_ns() - app->start_ns) * 1e-9;
}

static uint16_t host_console_port(void *user) {
    const ct_app *app = user;
    return app->hooks.console_port != NULL ? app->hooks.console_port(app->hooks.user) : 0;
}

static void host_console_send(void *user, const char *json) {
    const ct_app *app = user;
    if (app->hooks.console_send != NULL)
        app->hooks.console_send(app->hooks.user, json);
}

static void host_set_time_step(void *user, const ct_time_step *time_step) {
    ct_app *app = user;
    app->time_step = *time_step;
}

static double host_time_step_interpolation(void *user) {
    const ct_app *app = user;
    return app->interpolation;
}

static bool host_has_window(void *user) {
    const ct_app *app = user;
    return app->window != NULL;
}

static bool host_has_focus(void *user) {
    const ct_app *app = user;
    return app->window != NULL && ct_window_has_focus(app->window);
}

static void host_set_title(void *user, const char *title) {
    ct_app *app = user;
    snprintf(app->title, sizeof(app->title), "%s", title);
    if (app->window != NULL)
        ct_window_set_title(app->window, app->title);
}

static const char *host_title(void *user) {
    const ct_app *app = user;
    return app->title;
}

static void host_set_show_cursor(void *user, bool is_shown) {
    ct_app *app = user;
    if (app->window != NULL)
        ct_window_set_shows_cursor(app->window, is_shown);
}

static bool host_show_cursor(void *user) {
    const ct_app *app = user;
    return app->window != NULL && ct_window_shows_cursor(app->window);
}

static void host_set_mouse_focus(void *user, bool is_captured) {
    ct_app *app = user;
    if (app->window != NULL)
        ct_window_set_captures_mouse(app->window, is_captured);
}

static bool host_mouse_focus(void *user) {
    const ct_app *app = user;
    return app->window != NULL && ct_window_captures_mouse(app->window);
}

static void host_set_resolution(void *user, uint32_t width, uint32_t height) {
    ct_app *app = user;
    if (app->window != NULL)
        ct_window_set_size(app->window, width, height);
    else
        ct_renderer_resize(app->renderer, width, height);
}

ct_script_host ct_app_script_host(ct_app *app) {
    return (ct_script_host){
        .user = app,
        .quit = host_quit,
        .time_since_launch = host_time_since_launch,
        .arguments = app->desc.arguments,
        .num_arguments = app->desc.num_arguments,
        .project_folder = app->desc.project_folder,
        .console_port = host_console_port,
        .console_send = host_console_send,
        .set_time_step = host_set_time_step,
        .time_step_interpolation = host_time_step_interpolation,
        .has_window = host_has_window,
        .has_focus = host_has_focus,
        .set_title = host_set_title,
        .title = host_title,
        .set_show_cursor = host_set_show_cursor,
        .show_cursor = host_show_cursor,
        .set_mouse_focus = host_set_mouse_focus,
        .mouse_focus = host_mouse_focus,
        .set_resolution = host_set_resolution,
    };
}
