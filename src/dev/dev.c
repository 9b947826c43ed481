#include "dev/dev.h"

#include <string.h>

#include "dev/console_messages.h"
#include "dev/console_server.h"
#include "dev/debugger/debugger.h"
#include "dev/frames/frames.h"
#include "dev/hot_reload.h"
#include "dev/inspect/inspect_select.h"
#include "dev/inspect/memory_traces.h"
#include "dev/inspect/network_history.h"
#include "dev/overlay/overlay_script.h"
#include "dev/profiler_console.h"
#include "dev/serve/serve_client.h"
#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/os/os.h"

struct ct_dev {
    ct_allocator *allocator;
    ct_console_server *console; // NULL: does not listen
    ct_hot_reload *reload;      // NULL: no compiler
    ct_serve_client *served;    // NULL: no file server
    ct_overlay *overlay;
    ct_debugger *debugger; // NULL: does not listen
    ct_frames *frames;     // NULL: does not listen
    ct_inspect_selections *selections;
    bool waits_for_debugger;
};

static void start_debugger(ct_dev *dev, const ct_dev_desc *desc) {
    const ct_debugger_desc debugger = {.allocator = desc->allocator,
                                       .console = dev->console,
                                       .overlay = dev->overlay,
                                       .project_folder = desc->project_folder,
                                       .core_folder = desc->core_folder};
    dev->debugger = ct_debugger_create(&debugger);
    ct_console_server_set_debugger(dev->console, dev->debugger);
}

// A game that cannot be reached still runs.
static void start_console(ct_dev *dev, const ct_dev_desc *desc) {
    const char *const project = desc->project_folder;
    ct_error error = {0};
    const ct_console_entrance_desc entrance = {.allocator = desc->allocator,
                                               .port = desc->port,
                                               .address = desc->console_address,
                                               .token = desc->console_token,
                                               .pages_folder = desc->pages_folder,
                                               .project_folder =
                                                   project && project[0] ? project : NULL};
    if (desc->console)
        dev->console = ct_console_server_create(&entrance, &error);
    if (desc->console && !dev->console)
        ct_log_warning("console", "no_console", "cannot start the console: %s", error.message);
}

// `cuttle nodes`, tests and other tools read the first line.
static void log_addresses(const ct_dev *dev, const ct_dev_desc *desc) {
    const char *const address = desc->console_address;
    ct_log_info("console", "listening on 127.0.0.1:%u", ct_dev_port(dev));
    ct_log_info("console", "tools: http://127.0.0.1:%u/", ct_dev_port(dev));
    if (address)
        ct_log_info("console", "tools with the token: http://%s%s%s:%u/",
                    strchr(address, ':') ? "[" : "", address, strchr(address, ':') ? "]" : "",
                    ct_dev_port(dev));
}

ct_dev *ct_dev_create(const ct_dev_desc *desc) {
    ct_dev *const dev = CT_NEW(desc->allocator, ct_dev);
    dev->allocator = desc->allocator;
    dev->served = desc->served;
    dev->overlay = ct_overlay_create(desc->allocator);
    dev->selections = ct_inspect_selections_create(desc->allocator);
    ct_error error = {0};
    start_console(dev, desc);
    if (desc->compiler) {
        dev->reload = ct_hot_reload_create(desc->allocator, desc->compiler, desc->project_folder,
                                           desc->core_folder, &error);
        if (!dev->reload) // it still runs
            ct_log_warning("reload", "no_hot_reload", "hot reload is off: %s", error.message);
    }
    ct_profiler_console_init(desc->allocator);
    dev->waits_for_debugger = desc->waits_for_debugger;
    if (dev->console)
        start_debugger(dev, desc);
    if (dev->console) {
        dev->frames = ct_frames_create(desc->allocator, dev->console);
        ct_console_server_set_frames(dev->console, dev->frames);
        ct_console_server_set_selections(dev->console, dev->selections);
    }
    if (dev->console)
        log_addresses(dev, desc);
    return dev;
}

void ct_dev_destroy(ct_dev *dev) {
    if (!dev)
        return;
    ct_profiler_console_shutdown();
    ct_hot_reload_destroy(dev->reload);
    ct_debugger_destroy(dev->debugger);
    ct_frames_destroy(dev->frames);
    ct_console_server_destroy(dev->console);
    ct_inspect_selections_destroy(dev->selections);
    ct_overlay_destroy(dev->overlay);
    ct_free_sized(dev->allocator, dev, sizeof(*dev));
}

static void booting(void *user, ct_app *app) {
    const ct_dev *const dev = user;
    if (!dev->debugger)
        return;
    ct_debugger_begin(dev->debugger, app);
    if (dev->waits_for_debugger)
        ct_debugger_wait_for_client(dev->debugger);
}

static void started(void *user, ct_app *app) {
    const ct_dev *const dev = user;
    ct_overlay_desc desc = {.renderer = ct_app_renderer(app),
                            .gui = ct_app_gui(app),
                            .input = ct_app_input(app),
                            .key = -1};
    ct_setting_key_named(ct_app_settings(app)->overlay_key, &desc.key);
    ct_overlay_attach(dev->overlay, &desc);
    if (dev->console)
        ct_console_server_set_overlay(dev->console, dev->overlay);
}

static void stopping(void *user, ct_app *app) {
    const ct_dev *const dev = user;
    (void)app;
    if (dev->debugger)
        ct_debugger_end(dev->debugger);
    ct_frames_end(dev->frames);
    ct_inspect_selections_forget(dev->selections);
    ct_memory_traces_end();
    if (dev->console)
        ct_network_history_end(ct_console_server_network_history(dev->console));
    if (dev->console)
        ct_console_server_set_overlay(dev->console, NULL);
    ct_overlay_detach(dev->overlay);
}

static void frame_drawn(void *user, ct_app *app) {
    const ct_dev *const dev = user;
    if (!ct_overlay_is_idle(dev->overlay)) {
        const ct_overlay_figures figures = ct_overlay_figures_of(app);
        ct_overlay_draw(dev->overlay, &figures);
    }
}

static void idle_drawn(void *user, ct_app *app) {
    const ct_dev *const dev = user;
    (void)app;
    ct_overlay_draw_stop(dev->overlay);
}

static void frame_begin(void *user, ct_app *app) {
    ct_dev *const dev = user;
    if (dev->reload)
        ct_hot_reload_apply(dev->reload, ct_app_resources(app));
    if (dev->served)
        ct_serve_client_apply(dev->served, ct_app_resources(app));
    if (dev->console) {
        ct_debugger_update(dev->debugger);
        ct_console_server_serve(dev->console, app, dev->reload);
        ct_memory_traces_update(dev->console);
        ct_network_history_update(ct_console_server_network_history(dev->console),
                                  ct_app_script(app), ct_os_time_ns());
        ct_profiler_console_send(dev->console);
        ct_frames_update(dev->frames, app);
    }
    ct_inspect_selections_update(dev->selections, app, dev->console);
    ct_overlay_run_lines(dev->overlay, dev->allocator, ct_script_lua(ct_app_script(app)));
}

static uint16_t console_port(void *user) {
    return ct_dev_port(user);
}

static void console_send(void *user, const char *json) {
    ct_dev *const dev = user;
    if (dev->console)
        ct_console_server_send_all(dev->console, json);
}

static void print_to_screen(void *user, ct_vec3 color, const char *text) {
    const ct_dev *const dev = user;
    ct_overlay_show_text(dev->overlay, color, text, ct_os_time_ns());
}

ct_app_hooks ct_dev_hooks(ct_dev *dev) {
    return (ct_app_hooks){
        .user = dev,
        .booting = booting,
        .started = started,
        .frame_begin = frame_begin,
        .frame_drawn = frame_drawn,
        .idle_drawn = idle_drawn,
        .stopping = stopping,
        .console_port = console_port,
        .console_send = console_send,
        .print_to_screen = print_to_screen,
    };
}

bool ct_dev_handle(ct_dev *dev, ct_app *app, const char *json, uint32_t bytes,
                   ct_string_builder *answer, ct_error *error) {
    ct_console_target target = {.allocator = dev->allocator,
                                .app = app,
                                .reload = dev->reload,
                                .overlay = dev->overlay,
                                .debugger = dev->debugger,
                                .selections = dev->selections};
    return ct_console_handle(&target, json, bytes, answer, error);
}

uint16_t ct_dev_port(const ct_dev *dev) {
    return dev->console ? ct_console_server_port(dev->console) : 0;
}
