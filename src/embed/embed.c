// embed.c: the life of an engine in another program (cuttle/cuttle.h).
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "app/window.h"
#include "embed/embed_private.h"
#include "foundation/crash/crash.h"
#include "foundation/log.h"
#include "foundation/memory/memory.h"
#include "foundation/memory/proxy_allocator.h"
#include "foundation/profiler/profiler.h"
#include "foundation/string/string_id.h"
#include "lua/lua_library.h"

_Static_assert((int)CUTTLE_LOG_LEVEL_ERROR == (int)CT_LOG_LEVEL_ERROR &&
                   (int)CUTTLE_LOG_LEVEL_DEBUG == (int)CT_LOG_LEVEL_DEBUG,
               "the levels of the log are cast");
_Static_assert(sizeof(((cuttle_engine_error *)0)->message) == CT_ERROR_MESSAGE_BYTES &&
                   sizeof(((cuttle_engine_error *)0)->file) == CT_ERROR_FILE_BYTES,
               "errors are copied");

// Memory roots, log and names are the process's, so it has one engine at a time.
static atomic_bool is_taken;
static cuttle_engine *_Atomic living;

// --- Calls ---------------------------------------------------------------------------------------

bool ct_embed_fail(cuttle_engine_error *error, const ct_error *found) {
    if (error) {
        memcpy(error->message, found->message, sizeof(error->message));
        memcpy(error->file, found->file, sizeof(error->file));
        error->line = found->line;
        error->column = found->column;
    }
    return false;
}

bool ct_embed_begin_call(cuttle_engine *engine, cuttle_engine_error *error) {
    ct_error found = {0};
    if (!engine)
        ct_error_set(&found, "the engine is NULL");
    else if (engine != atomic_load(&living))
        ct_error_set(&found, "this engine does not exist (any more)");
    else if (engine->thread != ct_thread_system_id())
        ct_error_set(&found, "an engine belongs to the thread that made it; this is another one");
    else if (engine->is_busy)
        ct_error_set(&found, "a log callback must not call the engine");
    if (found.message[0])
        return ct_embed_fail(error, &found);
    engine->is_busy = true;
    engine->locale = ct_thread_use_c_locale();
    return true;
}

bool ct_embed_end_call(cuttle_engine *engine, bool is_done, const ct_error *found,
                       cuttle_engine_error *error) {
    engine->is_busy = false;
    ct_thread_restore_locale(engine->locale);
    return is_done || ct_embed_fail(error, found);
}

// --- Log -----------------------------------------------------------------------------------------

static void send_to_program(void *user, ct_log_level level, const char *system,
                            const char *message) {
    const cuttle_engine *const engine = user;
    engine->log(engine->log_user, (cuttle_log_level)level, system, message);
}

// Keeps the first error: what a boot script that fails has said.
static void keep_error(void *user, ct_log_level level, const char *system, const char *message) {
    cuttle_engine *const engine = user;
    (void)level, (void)system;
    if (!engine->first_error[0])
        snprintf(engine->first_error, sizeof(engine->first_error), "%s", message);
}

static void start_log(cuttle_engine *engine, const cuttle_engine_desc *desc) {
    const ct_log_level least = (ct_log_level)desc->log_level;
    engine->log = desc->log;
    engine->log_user = desc->log_user;
    const ct_log_sink program = {
        .write = send_to_program, .user = engine, .least = least ? least : CT_LOG_LEVEL_INFO};
    const ct_log_sink terminal = ct_log_terminal_sink(least ? least : CT_LOG_LEVEL_WARNING);
    const ct_log_sink errors = {.write = keep_error, .user = engine, .least = CT_LOG_LEVEL_ERROR};
    ct_log_add_sink(desc->log ? &program : &terminal);
    ct_log_add_sink(&errors);
}

// --- Hooks ---------------------------------------------------------------------------------------

static void booting(void *user, ct_app *app) {
    const cuttle_engine *const engine = user;
    engine->dev_hooks.booting(engine->dev_hooks.user, app);
}

static void started(void *user, ct_app *app) {
    const cuttle_engine *const engine = user;
    engine->dev_hooks.started(engine->dev_hooks.user, app);
}

static void frame_begin(void *user, ct_app *app) {
    const cuttle_engine *const engine = user;
    engine->dev_hooks.frame_begin(engine->dev_hooks.user, app);
}

static void frame_drawn(void *user, ct_app *app) {
    cuttle_engine *const engine = user;
    engine->dev_hooks.frame_drawn(engine->dev_hooks.user, app);
    if (engine->keeps_pictures)
        ct_embed_picture_request(engine);
}

static void idle_drawn(void *user, ct_app *app) {
    const cuttle_engine *const engine = user;
    engine->dev_hooks.idle_drawn(engine->dev_hooks.user, app);
}

static void stopping(void *user, ct_app *app) {
    const cuttle_engine *const engine = user;
    engine->dev_hooks.stopping(engine->dev_hooks.user, app);
}

static uint16_t console_port(void *user) {
    const cuttle_engine *const engine = user;
    return ct_dev_port(engine->dev);
}

static void console_send(void *user, const char *json) {
    cuttle_engine *const engine = user;
    engine->dev_hooks.console_send(engine->dev_hooks.user, json);
    ct_embed_messages_add(&engine->messages, json, (uint32_t)strlen(json));
}

static void print_to_screen(void *user, ct_vec3 color, const char *text) {
    const cuttle_engine *const engine = user;
    engine->dev_hooks.print_to_screen(engine->dev_hooks.user, color, text);
}

static ct_app_hooks hooks_of(cuttle_engine *engine) {
    return (ct_app_hooks){.user = engine,
                          .booting = booting,
                          .started = started,
                          .frame_begin = frame_begin,
                          .frame_drawn = frame_drawn,
                          .idle_drawn = idle_drawn,
                          .stopping = stopping,
                          .console_port = console_port,
                          .console_send = console_send,
                          .print_to_screen = print_to_screen};
}

// --- Life cycle ----------------------------------------------------------------------------------

const char *cuttle_version(void) {
    return CT_VERSION_STRING;
}

// The handlers stay for the life of the process.
static void handle_crashes(void) {
    static bool is_done;
    if (!is_done)
        ct_crash_init();
    is_done = true;
}

static void start_process(const cuttle_engine_desc *desc) {
    if (desc->handles_crashes)
        handle_crashes(); // first: its helper is a copy of what there is
    ct_memory_init();
    ct_log_init(ct_memory_heap());
    ct_string_id_registry_init(ct_memory_heap());
}

static void stop_process(void) {
    ct_profiler_shutdown();
    ct_string_id_registry_shutdown();
    ct_log_shutdown();
    ct_memory_shutdown();
}

static cuttle_engine *new_engine(const cuttle_engine_desc *desc) {
    ct_allocator *const allocator = ct_proxy_allocator_create(ct_memory_heap(), "embed");
    cuttle_engine *const engine = CT_NEW(allocator, cuttle_engine);
    engine->allocator = allocator;
    engine->thread = ct_thread_system_id();
    engine->keeps_pictures = desc->keeps_pictures;
    engine->is_busy = true;
    ct_embed_messages_init(&engine->messages, allocator);
    ct_embed_picture_init(&engine->picture);
    start_log(engine, desc);
    return engine;
}

// Parts that never started are NULL.
static void free_engine(cuttle_engine *engine) {
    ct_allocator *const allocator = engine->allocator;
    atomic_store(&living, NULL);
    if (engine->app)
        ct_app_destroy(engine->app, NULL);
    ct_dev_destroy(engine->dev);
    ct_embed_settings_free(&engine->settings);
    ct_embed_messages_free(&engine->messages);
    ct_embed_picture_free(&engine->picture);
    ct_log_remove_sink(keep_error, engine);
    ct_log_remove_sink(send_to_program, engine);
    ct_free_sized(allocator, engine, sizeof(*engine));
    ct_proxy_allocator_destroy(allocator);
    stop_process();
    atomic_store(&is_taken, false);
}

static void start_dev(cuttle_engine *engine, const cuttle_engine_desc *desc) {
    const ct_dev_desc dev = {.allocator = engine->allocator,
                             .project_folder = engine->settings.project_folder,
                             .port = desc->console_port,
                             .console = desc->has_console};
    engine->dev = ct_dev_create(&dev);
    engine->dev_hooks = ct_dev_hooks(engine->dev);
}

static bool start_app(cuttle_engine *engine, const cuttle_engine_desc *desc, ct_error *error) {
    const ct_embed_settings *const settings = &engine->settings;
    const ct_app_hooks hooks = hooks_of(engine);
    const ct_app_desc app = {
        .allocator = engine->allocator,
        .project_folder = settings->project_folder[0] ? settings->project_folder : NULL,
        .data_folder = settings->data_folder,
        .plugin_folder = settings->plugin_folder[0] ? settings->plugin_folder : NULL,
        .boot_script = settings->boot_script,
        .hooks = &hooks,
        .is_headless = !desc->has_window,
        .is_unpaced = true,
        .validation = desc->validation,
        .is_repeatable = desc->is_repeatable,
        .ends_on_boot_error = true,
        .fixed_step_seconds = desc->fixed_step_seconds,
        .width = desc->width,
        .height = desc->height,
        .arguments = settings->arguments,
        .num_arguments = settings->num_arguments,
    };
    engine->app = ct_app_create(&app, error);
    if (!engine->app)
        return false;
    return ct_app_has_booted(engine->app) ||
           ct_error_set(error, "the boot script failed: %.900s", engine->first_error);
}

static bool start(cuttle_engine *engine, const cuttle_engine_desc *desc, ct_error *error) {
    if (!ct_embed_settings_init(&engine->settings, engine->allocator, desc, error))
        return false;
    if (desc->has_window && !ct_window_is_possible())
        return ct_error_set(error, "there is no display for a window; without has_window the "
                                   "engine draws into memory");
    start_dev(engine, desc);
    return start_app(engine, desc, error);
}

static cuttle_engine *create(const cuttle_engine_desc *given, ct_error *error) {
    cuttle_engine_desc desc;
    if (!ct_embed_read_desc(given, &desc, error) || !ct_lua_library_check(error))
        return NULL;
    if (atomic_exchange(&is_taken, true)) {
        ct_error_set(error, "this process has an engine already, and can run one at a time; "
                            "destroy that one first");
        return NULL;
    }
    start_process(&desc);
    cuttle_engine *const engine = new_engine(&desc);
    if (!start(engine, &desc, error)) {
        free_engine(engine);
        return NULL;
    }
    ct_log_remove_sink(keep_error, engine);
    engine->is_busy = false;
    atomic_store(&living, engine);
    return engine;
}

cuttle_engine *cuttle_engine_create(const cuttle_engine_desc *desc, cuttle_engine_error *error) {
    ct_error found = {0};
    void *const locale = ct_thread_use_c_locale();
    cuttle_engine *const engine = create(desc, &found);
    ct_thread_restore_locale(locale);
    if (!engine)
        ct_embed_fail(error, &found);
    return engine;
}

bool cuttle_engine_destroy(cuttle_engine *engine, cuttle_engine_error *error) {
    if (!engine)
        return true;
    if (!ct_embed_begin_call(engine, error))
        return false;
    void *const locale = engine->locale;
    free_engine(engine);
    ct_thread_restore_locale(locale);
    return true;
}

bool cuttle_engine_step(cuttle_engine *engine, double seconds, cuttle_engine_error *error) {
    if (!ct_embed_begin_call(engine, error))
        return false;
    ct_error found = {0};
    if (!(isfinite(seconds) && seconds >= 0.0)) {
        ct_error_set(&found, "a step got %g seconds; expected 0 or more", seconds);
        return ct_embed_end_call(engine, false, &found, error);
    }
    const bool is_running = ct_app_run_frame(engine->app, seconds);
    if (!is_running) {
        ct_app_end(engine->app);
        engine->has_ended = true;
    }
    ct_embed_end_call(engine, true, NULL, error);
    return is_running;
}

int cuttle_engine_exit_code(const cuttle_engine *engine) {
    const bool is_living = engine && engine == atomic_load(&living);
    return is_living ? ct_app_exit_code(engine->app) : 0;
}
