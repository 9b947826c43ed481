#include "app/app_private.h"
#include "foundation/profiler/profiler.h"

enum { IDLE_FRAME_RATE = 30 };

// --- Begin and end -------------------------------------------------------------------------------

// Lets the player have the cursor and the devices.
static void release_window(ct_app *app) {
    ct_app_idle *const idle = &app->idle;
    if (!app->window)
        return;
    idle->shows_cursor = ct_window_flag(app->window, CT_SCRIPT_WINDOW_SHOW_CURSOR);
    idle->is_relative = ct_window_flag(app->window, CT_SCRIPT_WINDOW_MOUSE_FOCUS);
    idle->is_clipped = ct_window_flag(app->window, CT_SCRIPT_WINDOW_CLIP_CURSOR);
    if (idle->is_relative)
        ct_window_set_flag(app->window, CT_SCRIPT_WINDOW_MOUSE_FOCUS, false);
    if (idle->is_clipped)
        ct_window_set_flag(app->window, CT_SCRIPT_WINDOW_CLIP_CURSOR, false);
    if (!idle->shows_cursor)
        ct_window_set_flag(app->window, CT_SCRIPT_WINDOW_SHOW_CURSOR, true);
    if (!idle->input)
        idle->input = ct_input_create(app->allocator);
    if (!idle->has_input)
        ct_input_copy_state(idle->input, app->input);
    idle->has_input = true;
    if (app->gamepads)
        ct_gamepads_use_input(app->gamepads, idle->input);
}

static void regain_window(ct_app *app) {
    const ct_app_idle *const idle = &app->idle;
    if (!app->window)
        return;
    if (!idle->shows_cursor)
        ct_window_set_flag(app->window, CT_SCRIPT_WINDOW_SHOW_CURSOR, false);
    if (idle->is_clipped)
        ct_window_set_flag(app->window, CT_SCRIPT_WINDOW_CLIP_CURSOR, true);
    if (idle->is_relative)
        ct_window_set_flag(app->window, CT_SCRIPT_WINDOW_MOUSE_FOCUS, true);
    if (app->gamepads)
        ct_gamepads_use_input(app->gamepads, app->input);
}

static void begin_idle(ct_app *app) {
    ct_app_idle *const idle = &app->idle;
    idle->is_stopped = true;
    idle->start_ns = idle->frame_ns = ct_os_time_ns();
    idle->was_quitting = app->is_quitting;
    // A request that has led to this shutdown is not one to end the stop.
    if (app->window && app->is_quitting)
        ct_window_set_flag(app->window, CT_SCRIPT_WINDOW_CLOSING, false);
    release_window(app);
}

void ct_app_end_idle(ct_app *app) {
    ct_app_idle *const idle = &app->idle;
    if (!idle->is_stopped)
        return;
    idle->is_stopped = false;
    idle->stopped_ns += ct_os_time_ns() - idle->start_ns;
    regain_window(app);
}

// --- Idle frames ---------------------------------------------------------------------------------

static void pump_events(ct_app *app) {
    if (!app->window)
        return;
    ct_input_begin_frame(app->idle.input);
    ct_window_pump_events(app->window, app->idle.input, app->gamepads);
    if (app->gamepads)
        ct_gamepads_update(app->gamepads, 0.0f);
    app->input_time_ns = ct_os_time_ns();
    ct_app_follow_window(app);
}

// Shows what was recorded so far. The game's recording goes on in the next frame.
static void show_part(ct_app *app) {
    app->idle.has_views |= ct_renderer_has_views(app->renderer);
    ct_renderer_split_frame(app->renderer);
    if (app->hooks.idle_drawn)
        app->hooks.idle_drawn(app->hooks.user, app);
    ct_gui_system_end_part(app->gui);
    ct_renderer_end_frame(app->renderer);
    ct_resource_manager_follow(app->resources, ct_renderer_frame(app->renderer));
}

static void wait_for_next(ct_app_idle *idle) {
    const uint64_t wanted_ns = 1000000000 / IDLE_FRAME_RATE;
    const uint64_t taken_ns = ct_os_time_ns() - idle->frame_ns;
    if (taken_ns < wanted_ns)
        ct_os_sleep_ns(wanted_ns - taken_ns);
    idle->frame_ns = ct_os_time_ns();
}

bool ct_app_idle_frame(ct_app *app) {
    ct_app_idle *const idle = &app->idle;
    if (!idle->is_stopped)
        begin_idle(app);
    pump_events(app);
    show_part(app);
    if (ct_renderer_has_failed(app->renderer))
        ct_app_quit(app, 1);
    wait_for_next(idle);
    const bool is_closing = app->window && ct_window_is_closing(app->window);
    return !is_closing && app->is_quitting == idle->was_quitting &&
           !ct_renderer_has_failed(app->renderer);
}

// --- The frame around it -------------------------------------------------------------------------

void ct_app_catch_up_input(ct_app *app) {
    if (app->idle.has_input)
        ct_input_catch_up(app->input, app->idle.input);
    app->idle.has_input = false;
}

void ct_app_complete_frame(ct_app *app) {
    ct_app_end_idle(app);
    if (app->idle.has_views)
        ct_renderer_keep_picture(app->renderer);
    app->idle.has_views = false;
}

double ct_app_without_stops(ct_app *app, double seconds) {
    const double stopped = (double)app->idle.stopped_ns * 1e-9;
    app->idle.stopped_ns = 0;
    return seconds >= stopped ? seconds - stopped : seconds;
}
