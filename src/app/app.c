#include "app/app.h"

#include <stdio.h>
#include <string.h>

#include "app/app_private.h"
#include "app/app_render_settings.h"
#include "app/png_writer.h"
#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/memory/proxy_allocator.h"
#include "foundation/os/os.h"
#include "foundation/profiler/profiler.h"
#include "resource/types/package_resource.h"
#include "script/web/script_web.h"
#include "world/world_navigation.h"

enum {
    UPDATE_THREAD_AFFINITY = 1,
    HEADLESS_FRAME_RATE = 60,
    HIDDEN_FRAME_RATE = 60,
    CLASS_CHECK_FRAME = 60
};

#define FIRST_FRAME_SECONDS (1.0 / 60.0) // before there is one to measure

// --- Start ---------------------------------------------------------------------------------------

// settings.config was saved: applies its render settings at once.
static void config_reload(void *user, ct_string_id64 name, const void *old_blob,
                          const void *new_blob) {
    ct_app *app = user;
    ct_error error = {0};
    (void)old_blob;
    if (name.value == CT_ID64("settings", 0x6bb47b51ae4a21ff).value && app->renderer &&
        !ct_app_apply_render_settings(app->renderer, new_blob, &error))
        ct_log_report("app", &error);
}

bool ct_app_is_repeatable(const ct_app *app) {
    return app->desc.num_frames != 0 || app->desc.is_repeatable;
}

// Which parts of a texture have come depends on how fast the disk is.
static void set_streaming(ct_app *app) {
    const bool is_endless = !ct_app_is_repeatable(app);
    ct_resource_manager_set_streaming(app->resources, app->settings.is_streaming && is_endless,
                                      is_endless ? app->settings.streaming_bytes_per_second : 0);
}

static bool load_settings(ct_app *app, ct_error *error) {
    const ct_resource_callbacks callbacks = {.user = app, .reload = config_reload};
    ct_resource_manager_register(app->resources, "config", &callbacks);
    if (!ct_resource_manager_load_now(app->resources, "config", "settings", error))
        return false;
    const ct_config_resource *const config =
        ct_resource_manager_get(app->resources, "config", CT_ID64("settings", 0x6bb47b51ae4a21ff));
    if (!ct_settings_read(config, &app->settings, error))
        return false;
    if (app->desc.width != 0) {
        app->settings.width = app->desc.width;
        app->settings.height = app->desc.height;
    }
    app->time_step = app->settings.time_step;
    if (app->desc.fixed_step_seconds > 0.0)
        app->time_step = (ct_time_step){.policy = CT_TIME_STEP_POLICY_LOCKED,
                                        .seconds = app->desc.fixed_step_seconds};
    snprintf(app->title, sizeof(app->title), "%s", app->settings.title);
    ct_user_game_name(app->game_name,
                      app->settings.user_folder[0] ? app->settings.user_folder : app->title);
    return true;
}

static bool open_window_and_renderer(ct_app *app, ct_error *error) {
    uint32_t width = app->settings.width, height = app->settings.height;
    if (!app->desc.is_headless) {
        const ct_window_desc desc = {.allocator = app->allocator,
                                     .title = app->title,
                                     .width = width,
                                     .height = height,
                                     .is_resizable = app->settings.is_resizable,
                                     .foreign_window = app->desc.foreign_window};
        app->window = ct_window_create(&desc, error);
        if (!app->window)
            return false;
        ct_window_size(app->window, &width, &height);
    }
    char cache[CT_PATH_BYTES];
    const bool has_cache = app->window && ct_user_cache_folder(cache, app->settings.title);
    const ct_renderer_desc desc = {
        .allocator = app->allocator,
        .tasks = app->tasks,
        .resources = app->resources,
        .surface = app->window ? ct_window_surface(app->window) : NULL,
        .width = width,
        .height = height,
        .validation = app->desc.validation,
        .cache_folder = has_cache ? cache : NULL,
    };
    app->renderer = ct_renderer_create(&desc, error);
    return app->renderer != NULL;
}

static ct_resource_package *load_package(ct_app *app, const char *name, ct_error *error) {
    ct_resource_package *const package = ct_resource_package_create(app->resources, name, error);
    if (package)
        ct_resource_package_load_now(app->resources, package);
    return package;
}

// Loads a package that the boot script runs on.
static bool load_boot_package(ct_app *app, const char *name, ct_error *error) {
    ct_resource_package *const package = load_package(app, name, error);
    if (package)
        ct_array_push(&app->packages, package);
    return package != NULL;
}

// Loads every package of the data but core's, which is loaded already.
static bool load_all_packages(ct_app *app, ct_error *error) {
    const ct_string_id64 type = ct_string_id64_of("package");
    for (uint32_t i = 0;; ++i) { // loading may read the catalog anew
        const ct_catalog *const catalog = ct_resource_manager_catalog(app->resources);
        if (!catalog || i >= catalog->entries.count)
            return true;
        const char *const name = ct_catalog_name(catalog, i);
        if (ct_catalog_entries(catalog)[i].id.type.value == type.value && name &&
            strcmp(name, CT_PACKAGE_CORE) != 0 && !load_boot_package(app, name, error))
            return false;
    }
}

// Loads the render config with everything it refers to, unless a package has loaded it: no package
// needs to hold it.
static bool set_render_config(ct_app *app, ct_error *error) {
    const char *const name = app->settings.render_config;
    const ct_string_id64 id = ct_string_id64_of(name);
    if (!ct_resource_manager_get(app->resources, "render_config", id) &&
        !ct_resource_manager_load_needed_now(app->resources, "render_config", name, error))
        return false;
    return ct_renderer_set_config(app->renderer, name, error);
}

// The packages of the boot script: as the settings say, or those of a script that a tool asked for.
static bool load_boot_packages(ct_app *app, ct_error *error) {
    const char *const script = app->desc.boot_script;
    if (!script)
        return load_boot_package(app, app->settings.boot_package, error);
    if (!ct_resource_manager_can_get(app->resources, "lua", script))
        return ct_error_set(error, "the boot script \"%.255s\" does not exist", script);
    if (!ct_resource_manager_can_get(app->resources, "package", script))
        return load_all_packages(app, error) &&
               ct_resource_manager_load_now(app->resources, "lua", script, error);
    return load_boot_package(app, script, error) &&
           ct_resource_manager_load_now(app->resources, "lua", script, error);
}

// GUIs, animation, physics, particles and sound: they watch the resources that are loaded from now on.
static void create_systems(ct_app *app) {
    const char *const name = app->settings.fallback_font;
    const ct_string_id64 fallback = ct_string_id64_of(name);
    const ct_gui_system_desc desc = {.allocator = app->allocator,
                                     .renderer = app->renderer,
                                     .resources = app->resources,
                                     .fallbacks = &fallback,
                                     .num_fallbacks = name[0] ? 1 : 0};
    app->gui = ct_gui_system_create(&desc);
    app->animation = ct_animation_system_create(app->allocator, app->resources, app->tasks);
    app->physics = ct_physics_system_create(app->allocator, app->resources);
    ct_physics_system_use(app->physics, ct_string_id64_of(app->settings.physics));
    const ct_particle_system_desc particles = {.allocator = app->allocator,
                                               .resources = app->resources,
                                               .renderer = app->renderer,
                                               .tasks = app->tasks,
                                               .budget = app->settings.particle_budget,
                                               .gpu_threshold =
                                                   app->settings.particle_gpu_threshold};
    app->particles = ct_particle_system_create(&particles);
    app->sound = ct_app_create_sound(app);
}

// Loads a resource that the settings name, unless it is "", with everything it refers to: no package
// needs to hold it.
static bool load_named(ct_app *app, const char *type, const char *name, ct_error *error) {
    return !name[0] || ct_resource_manager_get(app->resources, type, ct_string_id64_of(name)) ||
           ct_resource_manager_load_needed_now(app->resources, type, name, error);
}

// What the command line and the settings say of the network.
static bool read_network(const ct_app *app, ct_script_network_options *options, ct_error *error) {
    const ct_settings *const s = &app->settings;
    *options = app->desc.network;
    ct_datagram_address address;
    ct_error why = {0};
    if (!ct_datagram_address_parse(s->network_address, 1, &address, &why) || address.port != 1)
        return ct_error_set_at(error, "settings.config", 0, 0,
                               "network.address is \"%.64s\"; expected an IPv4 address without a "
                               "port, such as \"0.0.0.0\" for all networks",
                               s->network_address);
    options->address.ip = address.ip;
    options->is_on_all_networks = address.ip == CT_DATAGRAM_IP_ANY;
    options->password = s->network_password;
    options->is_plain = s->is_network_plain;
    options->bandwidth = s->network_bandwidth;
    return true;
}

// A program without a project is the player's: it asks only the hosts of the settings.
static ct_script_web_options web_options(const ct_app *app) {
    return (ct_script_web_options){.hosts = app->settings.web_hosts,
                                   .num_hosts = app->settings.num_web_hosts,
                                   .is_strict = !app->desc.project_folder};
}

static bool create_script(ct_app *app, ct_error *error) {
    ct_script_network_options network;
    if (!read_network(app, &network, error))
        return false;
    const ct_world_system_desc worlds = {.allocator = app->allocator,
                                         .resources = app->resources,
                                         .renderer = app->renderer,
                                         .animation = app->animation,
                                         .physics = app->physics,
                                         .particles = app->particles,
                                         .sound = app->sound,
                                         .tasks = app->tasks};
    app->worlds = ct_world_system_create(&worlds);
    ct_world_system_set_navigation(
        app->worlds,
        (ct_navigation_settings){.path_polygons = app->settings.navigation_path_polygons,
                                 .tiles = app->settings.navigation_tiles});
    const ct_flow_system_desc flow = {.allocator = app->allocator,
                                      .resources = app->resources,
                                      .worlds = app->worlds,
                                      .input = app->input};
    app->flow = ct_flow_system_create(&flow);
    const ct_script_host host = ct_app_script_host(app);
    const ct_script_web_options web = web_options(app);
    const ct_script_desc script = {
        .allocator = app->allocator,
        .worlds = app->worlds,
        .input = app->input,
        .actions = app->actions,
        .gui = app->gui,
        .flow = app->flow,
        .host = &host,
        .network = &network,
        .web = &web,
        .is_unsafe = app->settings.is_lua_unsafe,
        .loads_scripts = app->desc.boot_script != NULL,
        .time_limit_seconds = app->settings.lua_time_limit_seconds,
        .stops_long_calls = app->settings.stops_long_lua_calls,
        .memory_limit_bytes = (uint64_t)app->settings.lua_memory_limit_mb << 20,
        .num_worker_states =
            app->settings.lua_worker_states ? app->settings.lua_worker_states : app->num_workers,
        .worker_memory_limit_bytes = (uint64_t)app->settings.lua_worker_memory_limit_mb << 20};
    app->script = ct_script_create(&script);
    ct_app_load_plugins(app);
    return true;
}

// Returns the number of workers from the desc, or from the settings; otherwise one for each core
// beside those of the update and render threads, up to CT_SETTING_MAX_WORKERS.
static uint32_t choose_workers(const ct_app *app) {
    if (app->desc.has_workers)
        return app->desc.num_workers;
    if (app->settings.has_workers)
        return app->settings.num_workers;
    const uint32_t num_cores = ct_os_core_count();
    const uint32_t num_left = num_cores > 2 ? num_cores - 2 : 0;
    return num_left < CT_SETTING_MAX_WORKERS ? num_left : CT_SETTING_MAX_WORKERS;
}

static bool create_tasks(ct_app *app, ct_error *error) {
    const ct_settings *const settings = &app->settings;
    app->num_workers = choose_workers(app);
    const ct_task_manager_desc tasks = {.allocator = app->allocator,
                                        .num_workers = app->num_workers};
    app->tasks = ct_task_manager_create(&tasks);
    ct_task_register_thread(app->tasks, UPDATE_THREAD_AFFINITY);
    for (uint32_t i = 0; i < settings->num_priorities; ++i) {
        const ct_settings_priority *const p = &settings->priorities[i];
        if (!ct_task_set_priority(app->tasks, p->name, p->level))
            return ct_error_set_at(error, "settings.config", 0, 0,
                                   "cannot set tasks.priorities.%s: expected the name of a task "
                                   "class, and fewer than %d names",
                                   p->name, (int)CT_TASK_MAX_PRIORITIES);
    }
    return true;
}

// Call it after some frames: engine and game request a class when they first use it.
static void warn_of_unknown_classes(const ct_app *app) {
    const char *name;
    for (uint32_t i = 0; (name = ct_task_unused_class(app->tasks, i)); ++i)
        ct_log_warning(
            "app", "unknown_task_class",
            "settings.config sets tasks.priorities.%s, but no task has used this class yet", name);
}

static bool start(ct_app *app, ct_error *error) {
    const ct_resource_manager_desc resources = {.allocator = app->allocator,
                                                .data_folder = app->desc.data_folder};
    app->resources = ct_resource_manager_create(&resources);
    if (!ct_resource_manager_check_data(app->resources, error) || !load_settings(app, error))
        return false;
    set_streaming(app);
    if (!create_tasks(app, error) || !open_window_and_renderer(app, error))
        return false;
    if (!ct_app_start_input(app, error))
        return false;
    create_systems(app);
    if (!create_script(app, error))
        return false;
    app->core_package = load_package(app, CT_PACKAGE_CORE, error);
    if (!app->core_package || !load_boot_packages(app, error) || !set_render_config(app, error) ||
        !load_named(app, "font", app->settings.fallback_font, error) ||
        !load_named(app, "physics", app->settings.physics, error) ||
        !load_named(app, "sound_bus", app->settings.sound_buses, error))
        return false;
    const void *const config =
        ct_resource_manager_get(app->resources, "config", CT_ID64("settings", 0x6bb47b51ae4a21ff));
    return ct_app_apply_render_settings(app->renderer, config, error);
}

// Ends what was started, in reverse; parts that never started are NULL.
static void stop(ct_app *app) {
    ct_script_destroy(app->script);
    app->script = NULL;
    // Worlds call functions of plugins until they end; plugins find none in their shutdown.
    while (app->worlds && ct_world_system_num_worlds(app->worlds) > 0)
        ct_world_destroy(ct_world_system_world(app->worlds, 0));
    ct_plugin_host_destroy(app->plugins);
    ct_world_system_destroy(app->worlds);
    app->worlds = NULL;
    ct_app_stop_input(app);
    if (app->renderer)
        ct_renderer_flush(app->renderer);
    for (uint32_t i = app->packages.count; i > 0; --i)
        ct_resource_package_destroy(app->resources, app->packages.items[i - 1]);
    ct_array_free(&app->packages);
    ct_string_builder_free(&app->clipboard);
    if (app->core_package)
        ct_resource_package_destroy(app->resources, app->core_package);
    // Also unloads resources that no package held; the renderer is notified of these, too.
    if (app->resources)
        ct_resource_manager_end_all(app->resources);
    ct_flow_system_destroy(app->flow);
    ct_gui_system_destroy(app->gui);
    ct_animation_system_destroy(app->animation);
    ct_physics_system_destroy(app->physics);
    ct_particle_system_destroy(app->particles);
    if (app->sound)
        ct_sound_system_destroy(app->sound);
    if (app->renderer)
        ct_renderer_destroy(app->renderer);
    ct_window_destroy(app->window);
    if (app->resources)
        ct_resource_manager_destroy(app->resources);
    if (app->tasks)
        ct_task_manager_destroy(app->tasks);
}

// --- Frames --------------------------------------------------------------------------------------

// On the render thread.
static void save_screenshot(void *user, const uint8_t *pixels, uint32_t width, uint32_t height) {
    const ct_app *const app = user; // its path never changes
    const char *const path = app->desc.screenshot_path;
    ct_error error = {0};
    if (!pixels)
        ct_error_set(&error, "the frame drew nothing");
    if (!pixels || !ct_png_write(path, pixels, width, height, &error))
        ct_log_error("app", "no_screenshot", "cannot write the screenshot \"%s\": %s", path,
                     error.message);
    else
        ct_log_info("app", "wrote %s", path);
}

void ct_app_follow_window(ct_app *app) {
    if (!app->window)
        return;
    if (ct_window_is_closing(app->window) && !app->is_quitting)
        ct_app_quit(app, 0);
    const bool was_minimized = app->is_minimized;
    app->is_minimized = ct_window_flag(app->window, CT_SCRIPT_WINDOW_MINIMIZED);
    uint32_t width = 0, height = 0, old_width, old_height;
    if (!app->is_minimized)
        ct_window_size(app->window, &width, &height);
    ct_renderer_size(app->renderer, &old_width, &old_height);
    const bool has_changed = !app->is_minimized && (width != old_width || height != old_height);
    if (has_changed || app->is_minimized != was_minimized)
        ct_renderer_resize(app->renderer, width, height);
}

// The most frames a second, 0: no limit.
static double frame_rate_limit(const ct_app *app) {
    double rate = app->settings.max_frame_rate;
    if (rate == 0.0 && app->window)
        rate = ct_window_refresh_rate(app->window);
    // A measurement or a test is over soonest; a run without end need not fill a core.
    if (rate == 0.0 && !ct_app_is_repeatable(app))
        rate = HEADLESS_FRAME_RATE;
    return rate;
}

// Sleeps until the frame has lasted as long as the frame rate allows.
static void limit_frame_rate(const ct_app *app) {
    double rate = frame_rate_limit(app);
    // Nothing is seen of more.
    if (app->is_minimized && rate > HIDDEN_FRAME_RATE)
        rate = HIDDEN_FRAME_RATE;
    if (rate == 0.0 || app->desc.is_unpaced)
        return;
    const uint64_t wanted_ns = (uint64_t)(1e9 / rate);
    const uint64_t taken_ns = ct_os_time_ns() - app->frame_start_ns;
    if (taken_ns < wanted_ns) {
        CT_PROFILER_SCOPE("wait for frame rate");
        ct_os_sleep_ns(wanted_ns - taken_ns);
    }
}

// What was pressed or moved is new for one update: a frame without one keeps it for the next, and
// the second update of a frame does not see it again.
static void begin_input(ct_app *app) {
    if (app->is_input_seen)
        ct_input_begin_frame(app->input);
    app->is_input_seen = false;
}

static void update_script(ct_app *app, ct_time_step_frame frame) {
    const bool is_running = !app->is_paused || app->steps_once;
    const uint32_t num_steps = !app->is_paused ? frame.num_steps : app->steps_once ? 1 : 0;
    app->steps_once = false;
    if (is_running)
        app->interpolation = frame.interpolation;
    for (uint32_t i = 0; i < num_steps && (i == 0 || !app->is_quitting); ++i) {
        begin_input(app);
        ct_actions_update(app->actions, frame.step_seconds);
        ct_input_end_feeding(app->input);
        ct_plugin_host_update(app->plugins, frame.step_seconds);
        ct_script_update(app->script, frame.step_seconds);
        app->is_input_seen = true;
    }
    if (num_steps == 0)
        ct_script_begin_frame(app->script);
    app->is_input_seen |= !is_running;
}

static void update_resources(ct_app *app) {
    CT_PROFILER_SCOPE("resources");
    ct_resource_manager_update(app->resources, ct_renderer_frame(app->renderer));
    ct_resource_manager_retire(app->resources, ct_renderer_completed_frame(app->renderer));
}

static void run_hooks(ct_app *app) {
    CT_PROFILER_SCOPE("tools");
    app->hooks.frame_begin(app->hooks.user, app);
}

static void update_frame(ct_app *app, ct_time_step_frame frame) {
    CT_PROFILER_SCOPE("update");
    begin_input(app);
    ct_app_catch_up_input(app);
    if (app->window)
        ct_app_pump_input(app);
    ct_app_follow_window(app);
    // Before the hooks, so that what they reload retires with this frame.
    update_resources(app);
    // Before data that was compiled with a new library is swapped in by the hooks.
    ct_app_watch_plugins(app);
    if (app->hooks.frame_begin)
        run_hooks(app);
    ct_app_update_sound(app, app->is_paused ? 0 : frame.num_steps * frame.step_seconds);
    update_script(app, frame);
    ct_plugin_host_render(app->plugins);
    ct_script_render(app->script);
    if (app->hooks.frame_drawn)
        app->hooks.frame_drawn(app->hooks.user, app);
}

static void count_memory(void *data) {
    (void)data;
    ct_profiler_count_memory();
}

// Has memory counted by this thread, while it waits for the renderer if that takes long enough.
static ct_task_id request_memory_count(const ct_app *app) {
    if (!ct_profiler_is_on())
        return (ct_task_id){0};
    const ct_task_desc desc = {.name = "count memory",
                               .run = count_memory,
                               .priority = CT_TASK_PRIORITY_LOW,
                               .affinity = UPDATE_THREAD_AFFINITY};
    return ct_task_add(app->tasks, &desc);
}

// Returns the time at which the update thread's own work was done.
static uint64_t work_frame(ct_app *app, ct_time_step_frame frame, bool is_last) {
    CT_PROFILER_SCOPE("frame");
    update_frame(app, frame);
    if (is_last && app->desc.screenshot_path)
        ct_renderer_screenshot(app->renderer, save_screenshot, app);
    const ct_task_id memory_count = request_memory_count(app);
    ct_app_complete_frame(app);
    ct_gui_system_end_frame(app->gui);
    const uint64_t updated_ns = ct_os_time_ns();
    ct_renderer_end_frame(app->renderer);
    ct_task_wait(app->tasks, memory_count);
    limit_frame_rate(app);
    return updated_ns;
}

static void run_frame(ct_app *app, ct_time_step_frame frame) {
    const bool is_last =
        app->desc.num_frames != 0 && app->times.num_frames + 1 == app->desc.num_frames;
    const uint64_t updated_ns = work_frame(app, frame, is_last);
    ct_profiler_end_frame(app->times.num_frames + 1);

    const uint64_t end_ns = ct_os_time_ns();
    const uint64_t begin_ns = app->frame_start_ns + app->idle.stopped_ns;
    ct_frame_times_add(&app->times, (double)(end_ns - begin_ns) * 1e-6,
                       (double)(updated_ns - begin_ns) * 1e-6,
                       ct_renderer_stats(app->renderer).submit_seconds * 1e3);
    app->frame_start_ns = end_ns;
    if (ct_renderer_has_failed(app->renderer))
        ct_app_quit(app, 1);
    if (app->times.num_frames == CLASS_CHECK_FRAME ||
        (is_last && app->times.num_frames < CLASS_CHECK_FRAME))
        warn_of_unknown_classes(app);
    if (is_last)
        ct_app_quit(app, app->exit_code);
}

// Runs the boot script and its init. If either fails, the game ends, unless scripts can be reloaded
// while it runs.
static void boot(ct_app *app) {
    const bool is_mendable = app->hooks.frame_begin && !app->desc.ends_on_boot_error;
    const char *const boot_script =
        app->desc.boot_script ? app->desc.boot_script : app->settings.boot_script;
    if (app->hooks.booting)
        app->hooks.booting(app->hooks.user, app);
    const bool is_booted = ct_script_boot(app->script, boot_script);
    if (!is_booted && is_mendable)
        ct_log_info("app", "the boot script has an error; fix it and save to run it again");
    if (app->hooks.started)
        app->hooks.started(app->hooks.user, app);
    ct_plugin_host_start(app->plugins);
    app->has_booted = ct_script_init(app->script) && is_booted;
    if (app->has_booted || is_mendable)
        return;
    ct_log_error("app", "boot_failed", "the game cannot start: its boot script \"%s\" failed",
                 boot_script);
    ct_app_quit(app, 1);
}

static void run_frames(ct_app *app) {
    double seconds = FIRST_FRAME_SECONDS;
    uint64_t begin_ns = app->frame_start_ns;
    while (ct_app_run_frame(app, seconds)) {
        seconds = (double)(app->frame_start_ns - begin_ns) * 1e-9;
        begin_ns = app->frame_start_ns;
    }
}

static void summarize(ct_app *app, ct_app_summary *summary) {
    ct_renderer_flush(app->renderer);
    const ct_frame_times_summary times = ct_frame_times_summarize(&app->times);
    *summary = (ct_app_summary){
        .frames = app->times.num_frames,
        .frame_ms_median = times.frame_ms_median,
        .frame_ms_worst = times.frame_ms_worst,
        .update_ms_median = times.update_ms_median,
        .submit_ms_median = times.submit_ms_median,
        .entities = app->num_entities,
        .draws = ct_renderer_stats(app->renderer).num_draws,
    };
    snprintf(summary->device, sizeof(summary->device), "%s",
             ct_renderer_device_name(app->renderer));
}

// --- Life cycle ----------------------------------------------------------------------------------

static void free_app(ct_app *app) {
    ct_allocator *const allocator = app->allocator;
    stop(app);
    ct_frame_times_shutdown(&app->times);
    ct_free_sized(allocator, app, sizeof(*app));
    ct_proxy_allocator_destroy(allocator);
}

ct_app *ct_app_create(const ct_app_desc *desc, ct_error *error) {
    ct_allocator *const allocator = ct_proxy_allocator_create(desc->allocator, "app");
    ct_app *const app = CT_NEW(allocator, ct_app);
    app->allocator = allocator;
    app->desc = *desc;
    app->start_ns = ct_os_time_ns();
    ct_profiler_name_thread("update");
    if (desc->hooks)
        app->hooks = *desc->hooks;
    ct_frame_times_init(&app->times, allocator);
    ct_array_init(&app->packages, allocator);
    ct_string_builder_init(&app->clipboard, allocator);
    if (!start(app, error)) {
        free_app(app);
        return NULL;
    }
    boot(app);
    ct_app_end_idle(app);
    app->idle.stopped_ns = 0;
    app->frame_start_ns = ct_os_time_ns();
    return app;
}

bool ct_app_run_frame(ct_app *app, double seconds) {
    if (app->is_quitting)
        return false;
    app->frame_seconds = ct_app_without_stops(app, seconds);
    run_frame(app, ct_time_step_advance(&app->time_step, app->frame_seconds));
    return !app->is_quitting;
}

void ct_app_end(ct_app *app) {
    if (app->has_ended)
        return;
    app->is_quitting = true;
    app->has_ended = true;
    app->num_entities = ct_world_system_num_entities(app->worlds);
    ct_script_shutdown(app->script);
    ct_plugin_host_end(app->plugins);
    if (app->hooks.stopping)
        app->hooks.stopping(app->hooks.user, app);
}

int ct_app_destroy(ct_app *app, ct_app_summary *summary) {
    ct_app_end(app);
    if (summary)
        summarize(app, summary);
    const int code = app->exit_code;
    free_app(app);
    return code;
}

int ct_app_run(const ct_app_desc *desc, ct_app_summary *summary) {
    ct_error error = {0};
    ct_app *const app = ct_app_create(desc, &error);
    if (!app) {
        ct_log_report("app", &error);
        return 1;
    }
    run_frames(app);
    return ct_app_destroy(app, summary);
}

// --- For hooks -----------------------------------------------------------------------------------

ct_script *ct_app_script(ct_app *app) {
    return app->script;
}

ct_world_system *ct_app_worlds(ct_app *app) {
    return app->worlds;
}

ct_renderer *ct_app_renderer(ct_app *app) {
    return app->renderer;
}

ct_resource_manager *ct_app_resources(ct_app *app) {
    return app->resources;
}

ct_sound_system *ct_app_sound(ct_app *app) {
    return app->sound;
}

ct_plugin_host *ct_app_plugins(ct_app *app) {
    return app->plugins;
}

ct_input *ct_app_input(ct_app *app) {
    return app->input;
}

ct_gui_system *ct_app_gui(ct_app *app) {
    return app->gui;
}

const ct_settings *ct_app_settings(const ct_app *app) {
    return &app->settings;
}

const ct_frame_times *ct_app_frame_times(const ct_app *app) {
    return &app->times;
}

double ct_app_frame_budget(const ct_app *app) {
    const double rate = frame_rate_limit(app);
    return 1.0 / (rate > 0.0 ? rate : HEADLESS_FRAME_RATE);
}

const char *ct_app_project_folder(const ct_app *app) {
    return app->desc.project_folder;
}

const char *ct_app_data_folder(const ct_app *app) {
    return app->desc.data_folder;
}

bool ct_app_is_headless(const ct_app *app) {
    return !app->window;
}

ct_task_manager *ct_app_tasks(ct_app *app) {
    return app->tasks;
}

void ct_app_quit(ct_app *app, int exit_code) {
    app->is_quitting = true;
    app->exit_code = exit_code;
}

void ct_app_pause(ct_app *app) {
    app->is_paused = true;
}

void ct_app_resume(ct_app *app) {
    app->is_paused = false;
}

void ct_app_step(ct_app *app) {
    app->steps_once = true;
}

bool ct_app_is_quitting(const ct_app *app) {
    return app->is_quitting;
}

int ct_app_exit_code(const ct_app *app) {
    return app->exit_code;
}

bool ct_app_has_booted(const ct_app *app) {
    return app->has_booted;
}

bool ct_app_is_paused(const ct_app *app) {
    return app->is_paused;
}
