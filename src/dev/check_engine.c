#include "dev/check_engine.h"

#include <string.h>

#include "app/app.h"
#include "dev/check_overlaps.h"
#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/os/message.h"
#include "foundation/os/os.h"
#include "foundation/sjson/sjson.h"
#include "foundation/sjson/sjson_writer.h"
#include "resource/data_index.h"

enum {
    MAX_MESSAGE_BYTES = 16 << 20,
    DRAIN_FRAMES = 2, // after a job: the render thread may still be at its last frame
    PICTURE_WIDTH = 128,
    PICTURE_HEIGHT = 72,
    ENDLESS_FRAMES = 1000000000,
};
#define SLAVE_SCRIPT "core/tools/check_slave"

typedef struct check_engine {
    ct_check_engine_desc desc;
    ct_message_reader reader;
    ct_sjson *job;          // in hand; NULL: none
    _Atomic uint32_t frame; // of the job, from 0; of the game. Any thread reads it
    uint32_t num_frames;    // of the job
    uint32_t num_drained;
    ct_mutex mutex; // of sending: any thread may log
} check_engine;

// --- Sending -------------------------------------------------------------------------------------

static void send_text(check_engine *e, const ct_string_builder *json) {
    ct_byte_array bytes;
    ct_array_init(&bytes, e->desc.allocator);
    ct_message_write(&bytes, ct_string_builder_text(json), json->length, NULL, 0);
    ct_mutex_lock(&e->mutex);
    uint64_t sent = 0;
    int64_t went = 0;
    while (went >= 0 && sent < bytes.count) {
        went = ct_socket_send(e->desc.socket, bytes.items + sent, bytes.count - sent);
        sent += went > 0 ? (uint64_t)went : 0;
    }
    ct_mutex_unlock(&e->mutex);
    ct_array_free(&bytes);
}

// Sends {type, frame (unless it is negative), key: text (unless NULL)}.
static void send_message(check_engine *e, const char *type, int64_t frame, const char *key,
                         const char *text) {
    ct_string_builder json;
    ct_sjson_writer w;
    ct_string_builder_init(&json, e->desc.allocator);
    ct_sjson_writer_init(&w, &json, CT_SJSON_STYLE_JSON);
    ct_sjson_begin_object(&w);
    ct_sjson_member_string(&w, "type", type);
    if (frame >= 0)
        ct_sjson_member_number(&w, "frame", (double)frame);
    if (text)
        ct_sjson_member_string(&w, key, text);
    ct_sjson_end_object(&w);
    send_text(e, &json);
    ct_string_builder_free(&json);
}

static void write_logged(ct_sjson_writer *w, const check_engine *e, const char *type,
                         const char *system, const char *message, uint64_t bytes) {
    ct_sjson_begin_object(w);
    ct_sjson_member_string(w, "type", type);
    ct_sjson_member_number(w, "frame", e->frame);
    ct_sjson_member_string(w, "system", system);
    ct_sjson_member_bytes(w, "message", message, bytes);
    ct_sjson_end_object(w);
}

// Runs with the log locked, on any thread. The frame may be one too late for other threads.
static void send_logged(void *user, ct_log_level level, const char *system, const char *message) {
    check_engine *const e = user;
    (void)level;
    ct_string_builder json;
    ct_sjson_writer w;
    ct_string_builder_init(&json, e->desc.allocator);
    ct_sjson_writer_init(&w, &json, CT_SJSON_STYLE_JSON);
    write_logged(&w, e, "error", system, message, ct_log_bytes_of_message());
    send_text(e, &json);
    ct_string_builder_free(&json);
}

static void send_physics_warning(void *user, const char *message) {
    check_engine *const e = user;
    ct_string_builder json;
    ct_sjson_writer w;
    ct_string_builder_init(&json, e->desc.allocator);
    ct_sjson_writer_init(&w, &json, CT_SJSON_STYLE_JSON);
    write_logged(&w, e, "warning", "physics", message, strlen(message));
    send_text(e, &json);
    ct_string_builder_free(&json);
}

// --- What a resource needs -----------------------------------------------------------------------

typedef struct need_check {
    ct_resource_manager *resources;
    const ct_data_index *index;
} need_check;

static bool is_online(const need_check *check, ct_resource_id id) {
    return ct_resource_manager_get_id(check->resources, id) != NULL;
}

static void load_now(void *user, const ct_data_index_entry *entry) {
    const need_check *const check = user;
    ct_error error = {0};
    if (entry->data_hash != 0 && !is_online(check, entry->id) &&
        !ct_resource_manager_load_now(check->resources,
                                      ct_blob_at(check->index, entry->type.offset),
                                      ct_blob_at(check->index, entry->name.offset), &error))
        ct_log_report("resource", &error);
}

// Loads those of the job's resources that no package holds, with what they refer to, so that they
// are checked nevertheless.
static void load_needed(const check_engine *e, ct_resource_manager *resources, const char *type) {
    ct_allocator *const a = e->desc.allocator;
    ct_error error = {0};
    const ct_data_index *const index = ct_data_index_read(a, e->desc.data_folder, &error);
    if (!index) {
        ct_log_report("resource", &error);
        return;
    }
    need_check check = {.resources = resources, .index = index};
    ct_sjson_value name =
        ct_sjson_first(e->job, ct_sjson_find(e->job, ct_sjson_root(e->job), "names"));
    for (; name.entry != 0; name = ct_sjson_next(e->job, name)) {
        // A variant goes by its name with properties, under which nobody refers to it.
        const char *const text = ct_sjson_string(e->job, name, "");
        const ct_data_index_entry *const entry = ct_data_index_find_variant(index, type, text);
        if (entry && !is_online(&check, entry->id))
            ct_data_index_each_needed(index, entry, a, load_now, &check);
    }
    ct_free(a, (void *)(uintptr_t)index);
}

// --- Jobs ----------------------------------------------------------------------------------------

// A fault on demand, by which the tests see that one ends neither the check nor the other jobs.
static void inject_fault(const char *job) {
    const char *const crash = ct_os_environment("CUTTLE_CHECK_CRASH");
    const char *const hang = ct_os_environment("CUTTLE_CHECK_HANG");
    CT_ASSERT(!crash || !strstr(job, crash), "crash requested by CUTTLE_CHECK_CRASH=%s", crash);
    while (hang && strstr(job, hang))
        ct_os_sleep_ns(1000000000);
}

// Hands a message to the slave script, and logs what that does wrong.
static void tell_slave(const check_engine *e, ct_app *app, const ct_sjson *message) {
    ct_string_builder answer, traceback;
    ct_string_builder_init(&answer, e->desc.allocator);
    ct_string_builder_init(&traceback, e->desc.allocator);
    if (!ct_script_receive(ct_app_script(app), message, &answer, &traceback))
        ct_log_error("lua", "check_receive", "%s\n%s", ct_string_builder_text(&answer),
                     ct_string_builder_text(&traceback));
    ct_string_builder_free(&answer);
    ct_string_builder_free(&traceback);
}

// Physics has not run yet: actors are where the level has them.
static void check_overlaps(check_engine *e, ct_world_system *worlds) {
    for (uint32_t i = 0; i < ct_world_system_num_worlds(worlds); ++i)
        ct_check_overlaps(ct_world_system_world(worlds, i), e->desc.allocator, send_physics_warning,
                          e);
}

static void begin_job(check_engine *e, ct_app *app, const ct_message *message) {
    ct_error error = {0};
    e->job =
        ct_sjson_parse(e->desc.allocator, message->json, message->json_bytes, "job", NULL, &error);
    if (!e->job) {
        ct_log_report("check", &error);
        return;
    }
    const ct_sjson_value root = ct_sjson_root(e->job);
    const char *const what = ct_sjson_string(e->job, ct_sjson_find(e->job, root, "what"), "");
    if (strcmp(what, "end") == 0) {
        ct_app_quit(app, 0);
        return;
    }
    e->frame = e->num_drained = 0;
    e->num_frames = (uint32_t)ct_sjson_number(e->job, ct_sjson_find(e->job, root, "frames"), 0);
    inject_fault(message->json);
    if (strcmp(what, "level") == 0 || strcmp(what, "unit") == 0)
        load_needed(e, ct_app_resources(app), what);
    tell_slave(e, app, e->job);
    if (strcmp(what, "level") == 0)
        check_overlaps(e, ct_app_worlds(app));
}

static void finish_job(const check_engine *e, ct_app *app) {
    static const char text[] = "{\"type\": \"finish\"}";
    ct_sjson *const finish =
        ct_sjson_parse(e->desc.allocator, text, sizeof(text) - 1, "finish", NULL, NULL);
    tell_slave(e, app, finish);
    ct_sjson_free(finish);
}

// Waits for the next job; false when there is none any more.
static bool receive_job(check_engine *e, ct_message *message) {
    ct_error error = {0};
    for (;;) {
        const ct_message_result result = ct_message_reader_next(&e->reader, message, &error);
        if (result != CT_MESSAGE_RESULT_NONE)
            return result == CT_MESSAGE_RESULT_MESSAGE;
        char bytes[4096];
        const int64_t count = ct_socket_receive(e->desc.socket, bytes, sizeof(bytes));
        if (count < 0)
            return false;
        ct_message_reader_add(&e->reader, bytes, (uint64_t)count);
    }
}

static void next_job(check_engine *e, ct_app *app) {
    ct_message message;
    if (receive_job(e, &message))
        begin_job(e, app, &message);
    else
        ct_app_quit(app, 0);
}

static void jobs_frame(void *user, ct_app *app) {
    check_engine *const e = user;
    if (e->job && e->frame < e->num_frames) {
        send_message(e, "frame", ++e->frame, NULL, NULL);
        return;
    }
    if (e->job && e->num_drained++ == 0)
        finish_job(e, app);
    if (e->job && e->num_drained <= DRAIN_FRAMES)
        return;
    if (e->job) {
        ct_sjson_free(e->job);
        e->job = NULL;
        send_message(e, "done", -1, NULL, NULL);
    }
    next_job(e, app);
}

static void game_frame(void *user, ct_app *app) {
    check_engine *const e = user;
    (void)app;
    send_message(e, "frame", ++e->frame, NULL, NULL);
}

static void started(void *user, ct_app *app) {
    check_engine *const e = user;
    (void)app;
    send_message(e, "ready", -1, NULL, NULL);
}

// --- Life cycle ----------------------------------------------------------------------------------

static int run_app(check_engine *e) {
    const bool is_game = e->desc.num_game_frames != 0;
    const ct_app_hooks hooks = {
        .user = e,
        .started = started,
        .frame_begin = is_game ? game_frame : jobs_frame,
    };
    const ct_app_desc app = {
        .allocator = e->desc.allocator,
        .project_folder = e->desc.project_folder,
        .data_folder = e->desc.data_folder,
        .boot_script = is_game ? NULL : SLAVE_SCRIPT,
        .hooks = &hooks,
        .is_headless = true,
        .is_unpaced = true,
        .validation = e->desc.validation,
        .num_frames = is_game ? e->desc.num_game_frames : ENDLESS_FRAMES,
        .fixed_step_seconds = 1.0 / 60.0,
        .width = PICTURE_WIDTH,
        .height = PICTURE_HEIGHT,
    };
    ct_app_summary summary = {0};
    const uint64_t num_errors = ct_log_error_count();
    const int code = ct_app_run(&app, &summary);
    if (is_game && code != 0 && ct_log_error_count() == num_errors)
        ct_log_error("app", "game_failed", "the game ended with exit code %d", code);
    if (is_game)
        send_message(e, "done", -1, NULL, NULL);
    return !is_game && code != 0 ? 1 : 0;
}

int ct_check_engine_run(const ct_check_engine_desc *desc) {
    check_engine e = {.desc = *desc};
    ct_mutex_init(&e.mutex);
    ct_message_reader_init(&e.reader, desc->allocator, MAX_MESSAGE_BYTES);
    ct_socket_set_blocking(desc->socket, true);
    const ct_log_sink sink = {.write = send_logged, .user = &e, .least = CT_LOG_LEVEL_ERROR};
    ct_log_add_sink(&sink);
    send_message(&e, "start", -1, "report", desc->report_path);
    const int code = run_app(&e);
    ct_log_remove_sink(send_logged, &e);
    ct_sjson_free(e.job);
    ct_message_reader_free(&e.reader);
    ct_mutex_shutdown(&e.mutex);
    ct_socket_close(desc->socket);
    return code;
}
