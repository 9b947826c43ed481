#include "app/window.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/sdl_api.h"
#include "app/window_events.h"
#include "app/x11_window.h"
#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/os/os.h"

enum { MAX_EXTENSIONS = 16 };

struct ct_window {
    ct_allocator *allocator;
    const ct_sdl_api *sdl;
    SDL_Window *handle;
    ct_render_surface_api surface;
    const char *extensions[MAX_EXTENSIONS];
    SDL_Cursor *cursor; // NULL: the system's own
    bool is_closing;
    bool is_foreign;
};

bool ct_window_is_possible(void) {
    const char *const x11 = ct_os_environment("DISPLAY");
    const char *const wayland = ct_os_environment("WAYLAND_DISPLAY");
    return (x11 && x11[0] != '\0') || (wayland && wayland[0] != '\0');
}

#define HEADLESS_HINT "; `--headless` runs without a window"

static uint64_t create_surface(void *user, void *instance) {
    ct_window *const w = user;
    VkSurfaceKHR surface = 0;
    if (!w->sdl->SDL_Vulkan_CreateSurface(w->handle, (VkInstance)instance, &surface))
        return 0;
    return (uint64_t)surface;
}

// SDL must be told before that Vulkan will draw into it. Returns NULL with `error`.
static SDL_Window *window_of_another_program(ct_window *w, uint32_t number, ct_error *error) {
    if (!ct_x11_window_find(number, error))
        return NULL;
    w->is_foreign = true;
    w->sdl->SDL_SetHint(SDL_HINT_VIDEO_FOREIGN_WINDOW_VULKAN, "1");
    return w->sdl->SDL_CreateWindowFrom((void *)(uintptr_t)number); // NOLINT: an XID
}

static bool open_window(ct_window *w, const ct_window_desc *desc, ct_error *error) {
    const uint32_t flags = SDL_WINDOW_VULKAN | SDL_WINDOW_ALLOW_HIGHDPI |
                           (desc->is_resizable ? SDL_WINDOW_RESIZABLE : 0);
    ct_error why = {0};
    if (desc->foreign_window != 0)
        w->handle = window_of_another_program(w, desc->foreign_window, &why);
    else
        w->handle =
            w->sdl->SDL_CreateWindow(desc->title, SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED,
                                     (int)desc->width, (int)desc->height, flags);
    if (!w->handle)
        return ct_error_set(error, "cannot open %s: %s" HEADLESS_HINT,
                            desc->foreign_window != 0 ? "the window of another program"
                                                      : "a window",
                            why.message[0] ? why.message : w->sdl->SDL_GetError());
    unsigned int count = MAX_EXTENSIONS;
    if (!w->sdl->SDL_Vulkan_GetInstanceExtensions(w->handle, &count, w->extensions))
        return ct_error_set(error, "cannot use Vulkan in a window: %s" HEADLESS_HINT,
                            w->sdl->SDL_GetError());
    w->surface = (ct_render_surface_api){
        .user = w,
        .extensions = w->extensions,
        .num_extensions = count,
        .create_surface = create_surface,
    };
    return true;
}

ct_window *ct_window_create(const ct_window_desc *desc, ct_error *error) {
    const ct_sdl_api *const sdl = ct_sdl_load(error);
    if (!sdl)
        return NULL;
    if (sdl->SDL_WasInit(0) != 0) { // its memory and its events would be ours, too
        ct_error_set(error, "cannot open a window: the program uses SDL itself");
        return NULL;
    }
    ct_window *const w = CT_NEW(desc->allocator, ct_window);
    w->allocator = desc->allocator;
    w->sdl = sdl;
    ct_sdl_start(sdl, desc->allocator);
    sdl->SDL_SetMainReady();
    // Ctrl-C ends the program as it ends any other.
    sdl->SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");
    if (sdl->SDL_InitSubSystem(SDL_INIT_VIDEO) != 0) {
        ct_error_set(error, "cannot use the display: %s" HEADLESS_HINT, sdl->SDL_GetError());
        ct_window_destroy(w);
        return NULL;
    }
    if (!open_window(w, desc, error)) {
        ct_window_destroy(w);
        return NULL;
    }
    return w;
}

void ct_window_destroy(ct_window *w) {
    if (!w)
        return;
    if (w->cursor)
        w->sdl->SDL_FreeCursor(w->cursor);
    if (w->handle)
        w->sdl->SDL_DestroyWindow(w->handle);
    w->sdl->SDL_QuitSubSystem(SDL_INIT_VIDEO);
    w->sdl->SDL_Quit();
    ct_sdl_stop(w->sdl);
    ct_x11_window_end();
    ct_free_sized(w->allocator, w, sizeof(*w));
}

const ct_render_surface_api *ct_window_surface(ct_window *w) {
    return &w->surface;
}

static void handle_window_event(ct_window *w, const SDL_Event *event) {
    if (event->type == SDL_QUIT ||
        (event->type == SDL_WINDOWEVENT && event->window.event == SDL_WINDOWEVENT_CLOSE))
        w->is_closing = true;
}

static ct_window_frame window_frame(const ct_window *w) {
    int width = 0, height = 0;
    uint32_t pixel_width, pixel_height;
    w->sdl->SDL_GetWindowSize(w->handle, &width, &height);
    ct_window_size(w, &pixel_width, &pixel_height);
    const bool is_known = width > 0 && height > 0 && pixel_width > 0 && pixel_height > 0;
    return (ct_window_frame){
        .width = (float)pixel_width,
        .height = (float)pixel_height,
        .pixels_per_point_x = is_known ? (float)pixel_width / (float)width : 1.0f,
        .pixels_per_point_y = is_known ? (float)pixel_height / (float)height : 1.0f,
    };
}

void ct_window_pump_events(ct_window *w, ct_input *input, ct_gamepads *gamepads) {
    SDL_Event event;
    if (w->is_foreign && !w->is_closing && ct_x11_window_is_lost()) {
        ct_log_warning("app", "foreign_window_lost", "the other program has closed the window");
        w->is_closing = true;
    }
    while (w->sdl->SDL_PollEvent(&event)) {
        const int32_t age_ms = (int32_t)(w->sdl->SDL_GetTicks() - event.common.timestamp);
        const ct_window_frame frame = window_frame(w);
        ct_input_set_time(input, ct_os_time_ns() - (uint64_t)(age_ms > 0 ? age_ms : 0) * 1000000);
        handle_window_event(w, &event);
        ct_window_event_feed(input, &frame, &event);
        if (gamepads)
            ct_gamepads_feed(gamepads, &event);
    }
}

const char *ct_window_key_name(const ct_window *w, uint32_t usage) {
    return w->sdl->SDL_GetKeyName(w->sdl->SDL_GetKeyFromScancode((SDL_Scancode)usage));
}

bool ct_window_is_closing(const ct_window *w) {
    return w->is_closing;
}

// --- Flags ---------------------------------------------------------------------------------------

static bool has_sdl_flag(const ct_window *w, uint32_t flag) {
    return (w->sdl->SDL_GetWindowFlags(w->handle) & flag) != 0;
}

bool ct_window_flag(const ct_window *w, ct_script_window_flag flag) {
    switch (flag) {
    case CT_SCRIPT_WINDOW_FOCUS:
        return has_sdl_flag(w, SDL_WINDOW_INPUT_FOCUS);
    case CT_SCRIPT_WINDOW_SHOW_CURSOR:
        return w->sdl->SDL_ShowCursor(SDL_QUERY) == SDL_ENABLE;
    case CT_SCRIPT_WINDOW_MOUSE_FOCUS:
        return w->sdl->SDL_GetRelativeMouseMode() == SDL_TRUE;
    case CT_SCRIPT_WINDOW_CLIP_CURSOR:
        return w->sdl->SDL_GetWindowMouseGrab(w->handle) == SDL_TRUE;
    case CT_SCRIPT_WINDOW_RESIZABLE:
        return has_sdl_flag(w, SDL_WINDOW_RESIZABLE);
    case CT_SCRIPT_WINDOW_FULLSCREEN:
        return has_sdl_flag(w, SDL_WINDOW_FULLSCREEN); // a bit of FULLSCREEN_DESKTOP, too
    case CT_SCRIPT_WINDOW_MINIMIZED:
        return has_sdl_flag(w, SDL_WINDOW_MINIMIZED);
    case CT_SCRIPT_WINDOW_MAXIMIZED:
        return has_sdl_flag(w, SDL_WINDOW_MAXIMIZED);
    case CT_SCRIPT_WINDOW_TEXT_INPUT:
        return w->sdl->SDL_IsTextInputActive() == SDL_TRUE;
    case CT_SCRIPT_WINDOW_CLOSING:
        return w->is_closing;
    }
    return false;
}

void ct_window_set_flag(ct_window *w, ct_script_window_flag flag, bool is_on) {
    const SDL_bool sdl_is_on = is_on ? SDL_TRUE : SDL_FALSE;
    switch (flag) {
    case CT_SCRIPT_WINDOW_FOCUS:
        if (is_on)
            w->sdl->SDL_RaiseWindow(w->handle);
        break;
    case CT_SCRIPT_WINDOW_SHOW_CURSOR:
        w->sdl->SDL_ShowCursor(is_on ? SDL_ENABLE : SDL_DISABLE);
        break;
    case CT_SCRIPT_WINDOW_MOUSE_FOCUS:
        w->sdl->SDL_SetRelativeMouseMode(sdl_is_on);
        break;
    case CT_SCRIPT_WINDOW_CLIP_CURSOR:
        w->sdl->SDL_SetWindowMouseGrab(w->handle, sdl_is_on);
        break;
    case CT_SCRIPT_WINDOW_RESIZABLE:
        w->sdl->SDL_SetWindowResizable(w->handle, sdl_is_on);
        break;
    case CT_SCRIPT_WINDOW_FULLSCREEN:
        w->sdl->SDL_SetWindowFullscreen(w->handle, is_on ? SDL_WINDOW_FULLSCREEN_DESKTOP : 0);
        break;
    case CT_SCRIPT_WINDOW_MINIMIZED:
    case CT_SCRIPT_WINDOW_MAXIMIZED:
        if (!is_on)
            w->sdl->SDL_RestoreWindow(w->handle);
        else if (flag == CT_SCRIPT_WINDOW_MINIMIZED)
            w->sdl->SDL_MinimizeWindow(w->handle);
        else
            w->sdl->SDL_MaximizeWindow(w->handle);
        break;
    case CT_SCRIPT_WINDOW_TEXT_INPUT:
        if (is_on)
            w->sdl->SDL_StartTextInput();
        else
            w->sdl->SDL_StopTextInput();
        break;
    case CT_SCRIPT_WINDOW_CLOSING:
        w->is_closing = is_on;
        break;
    }
}

// --- Place and size ------------------------------------------------------------------------------

void ct_window_size(const ct_window *w, uint32_t *width, uint32_t *height) {
    int drawable_width = 0, drawable_height = 0;
    w->sdl->SDL_Vulkan_GetDrawableSize(w->handle, &drawable_width, &drawable_height);
    *width = (uint32_t)(drawable_width > 0 ? drawable_width : 0);
    *height = (uint32_t)(drawable_height > 0 ? drawable_height : 0);
}

double ct_window_pixels_per_point(const ct_window *w) {
    return window_frame(w).pixels_per_point_x;
}

// To the nearest whole number.
static int32_t scaled(double value, double factor) {
    return (int32_t)lround(value * factor);
}

bool ct_window_set_size(ct_window *w, uint32_t width, uint32_t height) {
    if (has_sdl_flag(w, SDL_WINDOW_MINIMIZED | SDL_WINDOW_FULLSCREEN))
        return false;
    const double points = 1.0 / ct_window_pixels_per_point(w);
    w->sdl->SDL_SetWindowSize(w->handle, scaled(width, points), scaled(height, points));
    return true;
}

void ct_window_rect(const ct_window *w, int32_t rect[4]) {
    const double pixels = ct_window_pixels_per_point(w);
    uint32_t width, height;
    int x = 0, y = 0;
    w->sdl->SDL_GetWindowPosition(w->handle, &x, &y);
    ct_window_size(w, &width, &height);
    rect[0] = scaled(x, pixels);
    rect[1] = scaled(y, pixels);
    rect[2] = (int32_t)width;
    rect[3] = (int32_t)height;
}

void ct_window_set_rect(ct_window *w, const int32_t rect[4]) {
    const double points = 1.0 / ct_window_pixels_per_point(w);
    if (ct_window_set_size(w, (uint32_t)rect[2], (uint32_t)rect[3]))
        w->sdl->SDL_SetWindowPosition(w->handle, scaled(rect[0], points), scaled(rect[1], points));
}

// --- Displays ------------------------------------------------------------------------------------

uint32_t ct_window_num_displays(const ct_window *w) {
    const int count = w->sdl->SDL_GetNumVideoDisplays();
    return count > 0 ? (uint32_t)count : 0;
}

uint32_t ct_window_num_modes(const ct_window *w, uint32_t display) {
    const int count = w->sdl->SDL_GetNumDisplayModes((int)display);
    return count > 0 ? (uint32_t)count : 0;
}

void ct_window_mode(const ct_window *w, uint32_t display, uint32_t mode, uint32_t size[2]) {
    SDL_DisplayMode m = {0};
    size[0] = size[1] = 0;
    if (w->sdl->SDL_GetDisplayMode((int)display, (int)mode, &m) != 0)
        return;
    size[0] = (uint32_t)m.w;
    size[1] = (uint32_t)m.h;
}

// --- Looks ---------------------------------------------------------------------------------------

const char *ct_window_title(const ct_window *w) {
    return w->sdl->SDL_GetWindowTitle(w->handle);
}

void ct_window_set_title(ct_window *w, const char *title) {
    w->sdl->SDL_SetWindowTitle(w->handle, title);
}

void ct_window_set_cursor(ct_window *w, ct_script_cursor cursor) {
    static const SDL_SystemCursor cursors[CT_SCRIPT_CURSOR_COUNT] = {
        [CT_SCRIPT_CURSOR_ARROW] = SDL_SYSTEM_CURSOR_ARROW,
        [CT_SCRIPT_CURSOR_TEXT] = SDL_SYSTEM_CURSOR_IBEAM,
        [CT_SCRIPT_CURSOR_WAIT] = SDL_SYSTEM_CURSOR_WAIT,
        [CT_SCRIPT_CURSOR_CROSSHAIR] = SDL_SYSTEM_CURSOR_CROSSHAIR,
        [CT_SCRIPT_CURSOR_SIZE_FALLING] = SDL_SYSTEM_CURSOR_SIZENWSE,
        [CT_SCRIPT_CURSOR_SIZE_RISING] = SDL_SYSTEM_CURSOR_SIZENESW,
        [CT_SCRIPT_CURSOR_SIZE_HORIZONTAL] = SDL_SYSTEM_CURSOR_SIZEWE,
        [CT_SCRIPT_CURSOR_SIZE_VERTICAL] = SDL_SYSTEM_CURSOR_SIZENS,
        [CT_SCRIPT_CURSOR_MOVE] = SDL_SYSTEM_CURSOR_SIZEALL,
        [CT_SCRIPT_CURSOR_FORBIDDEN] = SDL_SYSTEM_CURSOR_NO,
        [CT_SCRIPT_CURSOR_HAND] = SDL_SYSTEM_CURSOR_HAND};
    SDL_Cursor *const old = w->cursor;
    w->cursor = w->sdl->SDL_CreateSystemCursor(cursors[cursor]);
    w->sdl->SDL_SetCursor(w->cursor);
    if (old)
        w->sdl->SDL_FreeCursor(old);
}

void ct_window_set_icon(ct_window *w, const uint8_t *pixels, uint32_t width, uint32_t height) {
    SDL_Surface *const surface = w->sdl->SDL_CreateRGBSurfaceWithFormatFrom(
        (void *)(uintptr_t)pixels, (int)width, (int)height, 32, (int)width * 4,
        SDL_PIXELFORMAT_RGBA32);
    if (!surface) {
        ct_log_warning("app", "no_icon", "cannot set the icon of the window: %s",
                       w->sdl->SDL_GetError());
        return;
    }
    w->sdl->SDL_SetWindowIcon(w->handle, surface);
    w->sdl->SDL_FreeSurface(surface);
}

double ct_window_refresh_rate(const ct_window *w) {
    SDL_DisplayMode mode;
    const int display = w->sdl->SDL_GetWindowDisplayIndex(w->handle);
    if (display < 0 || w->sdl->SDL_GetDesktopDisplayMode(display, &mode) != 0 ||
        mode.refresh_rate <= 0)
        return 60.0;
    return mode.refresh_rate;
}

// --- Text ----------------------------------------------------------------------------------------

char *ct_window_clipboard(const ct_window *w) {
    return w->sdl->SDL_GetClipboardText();
}

void ct_window_free_text(const ct_window *w, char *text) {
    w->sdl->SDL_free(text);
}

void ct_window_set_clipboard(ct_window *w, const char *text) {
    if (w->sdl->SDL_SetClipboardText(text) != 0)
        ct_log_warning("app", "no_clipboard", "cannot put text into the clipboard: %s",
                       w->sdl->SDL_GetError());
}

void ct_window_set_text_area(ct_window *w, const int32_t rect[4]) {
    const double points = 1.0 / ct_window_pixels_per_point(w);
    const SDL_Rect area = {scaled(rect[0], points), scaled(rect[1], points),
                           scaled(rect[2], points), scaled(rect[3], points)};
    w->sdl->SDL_SetTextInputRect(&area);
}
