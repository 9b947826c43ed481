#include "app/window.h"

#include <stdio.h>
#include <string.h>

#include "app/sdl_api.h"
#include "app/window_events.h"
#include "foundation/error.h"
#include "foundation/os.h"

enum { MAX_EXTENSIONS = 16 };

struct ct_window {
    ct_allocator *allocator;
    const ct_sdl_api *sdl;
    SDL_Window *handle;
    ct_render_surface_api surface;
    const char *extensions[MAX_EXTENSIONS];
    bool is_closing;
};

bool ct_window_is_possible(void) {
    const char *x11 = ct_os_environment("DISPLAY");
    const char *wayland = ct_os_environment("WAYLAND_DISPLAY");
    return (x11 != NULL && x11[0] != '\0') || (wayland != NULL && wayland[0] != '\0');
}

static uint64_t create_surface(void *user, void *instance) {
    ct_window *w = user;
    VkSurfaceKHR surface = 0;
    if (!w->sdl->SDL_Vulkan_CreateSurface(w->handle, (VkInstance)instance, &surface))
        return 0;
    return (uint64_t)surface;
}

static bool open_window(ct_window *w, const ct_window_desc *desc, ct_error *error) {
    const uint32_t flags = SDL_WINDOW_VULKAN | SDL_WINDOW_ALLOW_HIGHDPI |
                           (desc->is_resizable ? SDL_WINDOW_RESIZABLE : 0);
    w->handle =
        w->sdl->SDL_CreateWindow(desc->title, SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED,
                                 (int)desc->width, (int)desc->height, flags);
    if (w->handle == NULL)
        return ct_error_set(error, "no window: %s", w->sdl->SDL_GetError());
    unsigned int count = MAX_EXTENSIONS;
    if (!w->sdl->SDL_Vulkan_GetInstanceExtensions(w->handle, &count, w->extensions))
        return ct_error_set(error, "no Vulkan in windows: %s", w->sdl->SDL_GetError());
    w->surface = (ct_render_surface_api){
        .user = w,
        .extensions = w->extensions,
        .num_extensions = count,
        .create_surface = create_surface,
    };
    return true;
}

ct_window *ct_window_create(const ct_window_desc *desc, ct_error *error) {
    const ct_sdl_api *sdl = ct_sdl_load(error);
    if (sdl == NULL)
        return NULL;
    ct_window *w = CT_NEW(desc->allocator, ct_window);
    w->allocator = desc->allocator;
    w->sdl = sdl;
    ct_sdl_start(sdl, desc->allocator);
    sdl->SDL_SetMainReady();
    // Ctrl-C ends the program as it ends any other.
    sdl->SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");
    if (sdl->SDL_InitSubSystem(SDL_INIT_VIDEO) != 0) {
        ct_error_set(error, "no display: %s", sdl->SDL_GetError());
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
    if (w == NULL)
        return;
    if (w->handle != NULL)
        w->sdl->SDL_DestroyWindow(w->handle);
    w->sdl->SDL_QuitSubSystem(SDL_INIT_VIDEO);
    w->sdl->SDL_Quit();
    ct_sdl_stop(w->sdl);
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
    while (w->sdl->SDL_PollEvent(&event)) {
        const int32_t age_ms = (int32_t)(w->sdl->SDL_GetTicks() - event.common.timestamp);
        const ct_window_frame frame = window_frame(w);
        ct_input_set_time(input, ct_os_time_ns() - (uint64_t)(age_ms > 0 ? age_ms : 0) * 1000000);
        handle_window_event(w, &event);
        ct_window_event_feed(input, &frame, &event);
        if (gamepads != NULL)
            ct_gamepads_feed(gamepads, &event);
    }
}

const char *ct_window_key_name(const ct_window *w, uint32_t usage) {
    return w->sdl->SDL_GetKeyName(w->sdl->SDL_GetKeyFromScancode((SDL_Scancode)usage));
}

bool ct_window_is_closing(const ct_window *w) {
    return w->is_closing;
}

bool ct_window_has_focus(const ct_window *w) {
    return (w->sdl->SDL_GetWindowFlags(w->handle) & SDL_WINDOW_INPUT_FOCUS) != 0;
}

bool ct_window_is_minimized(const ct_window *w) {
    return (w->sdl->SDL_GetWindowFlags(w->handle) & SDL_WINDOW_MINIMIZED) != 0;
}

void ct_window_size(const ct_window *w, uint32_t *width, uint32_t *height) {
    int drawable_width = 0, drawable_height = 0;
    w->sdl->SDL_Vulkan_GetDrawableSize(w->handle, &drawable_width, &drawable_height);
    *width = (uint32_t)(drawable_width > 0 ? drawable_width : 0);
    *height = (uint32_t)(drawable_height > 0 ? drawable_height : 0);
}

void ct_window_set_size(ct_window *w, uint32_t width, uint32_t height) {
    w->sdl->SDL_SetWindowSize(w->handle, (int)width, (int)height);
}

const char *ct_window_title(const ct_window *w) {
    return w->sdl->SDL_GetWindowTitle(w->handle);
}

void ct_window_set_title(ct_window *w, const char *title) {
    w->sdl->SDL_SetWindowTitle(w->handle, title);
}

bool ct_window_shows_cursor(const ct_window *w) {
    return w->sdl->SDL_ShowCursor(SDL_QUERY) == SDL_ENABLE;
}

void ct_window_set_shows_cursor(ct_window *w, bool is_shown) {
    w->sdl->SDL_ShowCursor(is_shown ? SDL_ENABLE : SDL_DISABLE);
}

bool ct_window_captures_mouse(const ct_window *w) {
    return w->sdl->SDL_GetRelativeMouseMode() == SDL_TRUE;
}

void ct_window_set_captures_mouse(ct_window *w, bool is_captured) {
    w->sdl->SDL_SetRelativeMouseMode(is_captured ? SDL_TRUE : SDL_FALSE);
}

double ct_window_refresh_rate(const ct_window *w) {
    SDL_DisplayMode mode;
    const int display = w->sdl->SDL_GetWindowDisplayIndex(w->handle);
    if (display < 0 || w->sdl->SDL_GetDesktopDisplayMode(display, &mode) != 0 ||
        mode.refresh_rate <= 0)
        return 60.0;
    return mode.refresh_rate;
}
