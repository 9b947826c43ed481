#include "app/x11_window.h"

#include <X11/Xlib.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/os/os.h"

static struct {
    __typeof__(&XOpenDisplay) XOpenDisplay;
    __typeof__(&XCloseDisplay) XCloseDisplay;
    __typeof__(&XGetWindowAttributes) XGetWindowAttributes;
    __typeof__(&XSetErrorHandler) XSetErrorHandler;
    __typeof__(&XSelectInput) XSelectInput;
    __typeof__(&XPending) XPending;
    __typeof__(&XNextEvent) XNextEvent;
} api;
static bool is_loaded, is_lost;
static Display *display; // NULL: no window was looked for
static XErrorHandler handler_before;

static int ignore_error(Display *of, XErrorEvent *event) {
    (void)of, (void)event;
    return 0;
}

static bool load(ct_error *error) {
    if (is_loaded)
        return true;
    void *const library = ct_library_open("libX11.so.6");
    if (!library)
        return ct_error_set(error, "libX11 is not installed; install the package libx11-6");
#define LOOK_UP(name)                                                                              \
    {                                                                                              \
        void *const symbol = ct_library_symbol(library, #name);                                    \
        if (!symbol)                                                                               \
            return ct_error_set(error, "the installed libX11 has no function %s", #name);          \
        memcpy(&api.name, &symbol, sizeof(symbol));                                                \
    }
    LOOK_UP(XOpenDisplay)
    LOOK_UP(XCloseDisplay)
    LOOK_UP(XGetWindowAttributes)
    LOOK_UP(XSetErrorHandler)
    LOOK_UP(XSelectInput)
    LOOK_UP(XPending)
    LOOK_UP(XNextEvent)
#undef LOOK_UP
    is_loaded = true;
    return true;
}

bool ct_x11_window_find(uint32_t window, ct_error *error) {
    if (!load(error))
        return false;
    display = api.XOpenDisplay(NULL);
    if (!display)
        return ct_error_set(error, "found no X11 display");
    handler_before = api.XSetErrorHandler(ignore_error);
    is_lost = false;
    XWindowAttributes attributes;
    const bool is_there = api.XGetWindowAttributes(display, window, &attributes) != 0;
    if (is_there)
        api.XSelectInput(display, window, StructureNotifyMask);
    return is_there || ct_error_set(error, "the display has no window %u", window);
}

bool ct_x11_window_is_lost(void) {
    while (display && !is_lost && api.XPending(display) > 0) {
        XEvent event;
        api.XNextEvent(display, &event);
        is_lost = event.type == DestroyNotify;
    }
    return is_lost;
}

void ct_x11_window_end(void) {
    if (!display)
        return;
    api.XSetErrorHandler(handler_before);
    api.XCloseDisplay(display);
    display = NULL;
}
