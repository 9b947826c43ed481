#include <stdio.h>
#include <string.h>

#include "app/app_private.h"
#include "app/png_writer.h"
#include "foundation/os/os.h"
#include "foundation/string/utf8.h"

static void host_quit(void *user, int exit_code) {
    ct_app_quit(user, exit_code);
}

static double host_time_since_launch(void *user) {
    const ct_app *const app = user;
    return (double)(ct_os_time_ns() - app->start_ns) * 1e-9;
}

static uint16_t host_console_port(void *user) {
    const ct_app *const app = user;
    return app->hooks.console_port ? app->hooks.console_port(app->hooks.user) : 0;
}

static void host_console_send(void *user, const char *json) {
    const ct_app *const app = user;
    if (app->hooks.console_send)
        app->hooks.console_send(app->hooks.user, json);
}

static void host_print_to_screen(void *user, ct_vec3 color, const char *text) {
    const ct_app *const app = user;
    if (app->window && app->hooks.print_to_screen)
        app->hooks.print_to_screen(app->hooks.user, color, text);
}

static void host_set_time_step(void *user, const ct_time_step *time_step) {
    ct_app *const app = user;
    app->time_step = *time_step;
}

static double host_time_step_interpolation(void *user) {
    const ct_app *const app = user;
    return app->interpolation;
}

static bool host_has_window(void *user) {
    const ct_app *const app = user;
    return app->window != NULL;
}

static bool host_window_flag(void *user, ct_script_window_flag flag) {
    const ct_app *const app = user;
    if (flag == CT_SCRIPT_WINDOW_CLOSING && app->is_quitting)
        return true;
    if (flag == CT_SCRIPT_WINDOW_TEXT_INPUT && !app->window)
        return !app->is_text_input_off;
    return app->window && ct_window_flag(app->window, flag);
}

static void host_set_window_flag(void *user, ct_script_window_flag flag, bool is_on) {
    ct_app *const app = user;
    if (app->window)
        ct_window_set_flag(app->window, flag, is_on);
    else if (flag == CT_SCRIPT_WINDOW_CLOSING && is_on)
        ct_app_quit(app, 0);
    else if (flag == CT_SCRIPT_WINDOW_TEXT_INPUT)
        app->is_text_input_off = !is_on;
}

static void host_set_title(void *user, const char *title) {
    ct_app *const app = user;
    snprintf(app->title, sizeof(app->title), "%s", title);
    if (app->window)
        ct_window_set_title(app->window, app->title);
}

static const char *host_title(void *user) {
    const ct_app *const app = user;
    return app->title;
}

static void host_window_rect(void *user, int32_t rect[4]) {
    const ct_app *const app = user;
    uint32_t width, height;
    ct_renderer_size(app->renderer, &width, &height);
    rect[0] = rect[1] = 0;
    rect[2] = (int32_t)width;
    rect[3] = (int32_t)height;
    if (app->window)
        ct_window_rect(app->window, rect);
}

bool ct_app_set_resolution(ct_app *app, uint32_t width, uint32_t height) {
    if (app->window)
        return ct_window_set_size(app->window, width, height);
    ct_renderer_resize(app->renderer, width, height);
    return true;
}

static bool host_set_resolution(void *user, uint32_t width, uint32_t height) {
    return ct_app_set_resolution(user, width, height);
}

static void host_set_window_rect(void *user, const int32_t rect[4]) {
    ct_app *const app = user;
    if (app->window)
        ct_window_set_rect(app->window, rect);
    else
        host_set_resolution(user, (uint32_t)rect[2], (uint32_t)rect[3]);
}

static uint32_t host_num_displays(void *user) {
    const ct_app *const app = user;
    return app->window ? ct_window_num_displays(app->window) : 0;
}

static uint32_t host_num_display_modes(void *user, uint32_t display) {
    const ct_app *const app = user;
    return app->window ? ct_window_num_modes(app->window, display) : 0;
}

static void host_display_mode(void *user, uint32_t display, uint32_t mode, uint32_t size[2]) {
    const ct_app *const app = user;
    size[0] = size[1] = 0;
    if (app->window)
        ct_window_mode(app->window, display, mode, size);
}

static double host_dpi_scale(void *user) {
    const ct_app *const app = user;
    return app->window ? ct_window_pixels_per_point(app->window) : 1.0;
}

static void host_set_cursor(void *user, ct_script_cursor cursor) {
    ct_app *const app = user;
    if (app->window)
        ct_window_set_cursor(app->window, cursor);
}

static void host_set_icon(void *user, const uint8_t *pixels, uint32_t width, uint32_t height) {
    ct_app *const app = user;
    if (app->window)
        ct_window_set_icon(app->window, pixels, width, height);
}

// Programs may put anything into the clipboard: what is not UTF-8 becomes a question mark.
static void add_valid_text(ct_string_builder *out, const char *text) {
    const size_t bytes = strlen(text);
    for (size_t at = 0; at < bytes;) {
        const uint32_t length = ct_utf8_length(text + at, bytes - at);
        ct_string_builder_add_bytes(out, length ? text + at : "?", length ? length : 1);
        at += length ? length : 1;
    }
}

static const char *host_clipboard(void *user) {
    ct_app *const app = user;
    if (!app->window)
        return ct_string_builder_text(&app->clipboard);
    char *const text = ct_window_clipboard(app->window);
    ct_string_builder_clear(&app->clipboard);
    if (text)
        add_valid_text(&app->clipboard, text);
    ct_window_free_text(app->window, text);
    return ct_string_builder_text(&app->clipboard);
}

static void host_set_clipboard(void *user, const char *text) {
    ct_app *const app = user;
    ct_string_builder_clear(&app->clipboard);
    if (app->window)
        ct_window_set_clipboard(app->window, text);
    else
        ct_string_builder_add(&app->clipboard, text);
}

static void host_set_text_area(void *user, const int32_t rect[4]) {
    ct_app *const app = user;
    if (app->window)
        ct_window_set_text_area(app->window, rect);
}

// --- Pictures of saved games ---------------------------------------------------------------------

// A picture that the render thread makes.
typedef struct picture_request {
    ct_allocator *allocator;
    void (*done)(void *data, const void *png, uint32_t num_bytes);
    void *data;
} picture_request;

enum { PICTURE_WIDTH = 320 };

// Averages squares of pixels, so that the picture is at most PICTURE_WIDTH wide.
static void shrink(const uint8_t *pixels, uint32_t width, uint32_t factor, uint32_t small_width,
                   uint32_t small_height, uint8_t *small) {
    for (uint32_t i = 0; i < small_width * small_height; ++i) {
        const uint32_t x = i % small_width * factor, y = i / small_width * factor;
        for (uint32_t c = 0; c < 4; ++c) {
            uint32_t sum = 0;
            for (uint32_t k = 0; k < factor * factor; ++k)
                sum += pixels[((y + k / factor) * (uint64_t)width + x + k % factor) * 4 + c];
            small[i * 4 + c] = (uint8_t)(sum / (factor * factor));
        }
    }
}

// On the render thread.
static void take_pixels(void *user, const uint8_t *pixels, uint32_t width, uint32_t height) {
    picture_request *const r = user;
    const uint32_t factor = (width + PICTURE_WIDTH - 1) / PICTURE_WIDTH;
    const uint32_t small_width = factor ? width / factor : 0;
    const uint32_t small_height = factor ? height / factor : 0;
    ct_byte_array png;
    ct_array_init(&png, r->allocator);
    if (pixels && small_width > 0 && small_height > 0) {
        const uint64_t bytes = (uint64_t)small_width * small_height * 4;
        uint8_t *const small = ct_alloc(r->allocator, bytes);
        shrink(pixels, width, factor, small_width, small_height, small);
        if (!ct_png_encode(small, small_width, small_height, &png, NULL))
            png.count = 0;
        ct_free_sized(r->allocator, small, bytes);
    }
    r->done(r->data, png.count ? png.items : NULL, png.count);
    ct_array_free(&png);
    ct_free_sized(r->allocator, r, sizeof(*r));
}

static void host_take_picture(void *user,
                              void (*done)(void *data, const void *png, uint32_t num_bytes),
                              void *data) {
    ct_app *const app = user;
    picture_request *const r = ct_alloc(app->desc.allocator, sizeof(*r));
    *r = (picture_request){app->desc.allocator, done, data};
    ct_renderer_screenshot(app->renderer, take_pixels, r);
}

ct_script_host ct_app_script_host(ct_app *app) {
    return (ct_script_host){
        .user = app,
        .quit = host_quit,
        .time_since_launch = host_time_since_launch,
        .arguments = app->desc.arguments,
        .num_arguments = app->desc.num_arguments,
        .project_folder = app->desc.project_folder,
        .game_name =
            !app->desc.project_folder || app->settings.user_folder[0] ? app->game_name : NULL,
        .console_port = host_console_port,
        .console_send = host_console_send,
        .print_to_screen = host_print_to_screen,
        .take_picture = host_take_picture,
        .set_time_step = host_set_time_step,
        .time_step_interpolation = host_time_step_interpolation,
        .has_window = host_has_window,
        .window_flag = host_window_flag,
        .set_window_flag = host_set_window_flag,
        .set_title = host_set_title,
        .title = host_title,
        .window_rect = host_window_rect,
        .set_window_rect = host_set_window_rect,
        .set_resolution = host_set_resolution,
        .num_displays = host_num_displays,
        .num_display_modes = host_num_display_modes,
        .display_mode = host_display_mode,
        .dpi_scale = host_dpi_scale,
        .set_cursor = host_set_cursor,
        .set_icon = host_set_icon,
        .clipboard = host_clipboard,
        .set_clipboard = host_set_clipboard,
        .set_text_area = host_set_text_area,
    };
}
