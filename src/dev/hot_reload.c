#include "dev/hot_reload.h"

#include <stdatomic.h>

#include "dev/resource_swap.h"
#include "foundation/container/array.h"
#include "foundation/container/hash_map.h"
#include "foundation/log.h"
#include "foundation/memory/proxy_allocator.h"
#include "foundation/os/os.h"
#include "foundation/string/string_builder.h"
#include "foundation/string/string_id.h"
#include "project/source_watch.h"

// How long the service thread waits at a time before it looks whether it is to end.
static const uint64_t slice_ns = 20000000;

// How long sources stay as they are before an error in them is believed: of many files that are
// saved together some may still come.
static const uint64_t error_quiet_ns = 300000000;

struct ct_hot_reload {
    ct_allocator *allocator;
    ct_compiler *compiler;
    ct_thread thread;
    atomic_bool is_stopping, is_requested;

    // Of the service thread:
    ct_source_watch *watch;
    ct_hash_map told;               // hashes of the errors and warnings that were queued last
    ct_resource_id_array collected; // resources that changed since something was last queued

    ct_mutex mutex;        // of what follows, which the update thread takes
    ct_condition is_taken; // signalled when nothing is queued or being swapped any more
    bool is_queued;
    ct_resource_id_array changed;
    ct_error_array errors, warnings; // new ones, not logged yet
    ct_error failure;                // of the last run as a whole; no message: none
    uint32_t num_errors;             // of the last run that was queued
    bool is_mended;                  // the last run had no errors, one before it had
};

static uint64_t error_hash(const ct_error *error) {
    char text[CT_ERROR_MESSAGE_BYTES + CT_ERROR_FILE_BYTES + 64];
    ct_error_format(error, text, sizeof(text));
    return ct_string_id64_of(text).value;
}

// Queues the errors and warnings that were not queued last.
static void queue_errors(ct_hot_reload *h, const ct_compile_report *report) {
    ct_hash_map now;
    ct_hash_map_init(&now, h->allocator);
    for (uint32_t i = 0; i < report->errors.count; ++i) {
        const uint64_t hash = error_hash(&report->errors.items[i]);
        ct_error error;
        ct_compile_report_error(report, i, &error);
        ct_hash_map_set(&now, hash, 1);
        if (!ct_hash_map_find(&h->told, hash))
            ct_array_push(&h->errors, error);
    }
    for (uint32_t i = 0; i < report->warnings.count; ++i) {
        const uint64_t hash = error_hash(&report->warnings.items[i]);
        ct_hash_map_set(&now, hash, 1);
        if (!ct_hash_map_find(&h->told, hash))
            ct_array_push(&h->warnings, report->warnings.items[i]);
    }
    ct_hash_map_free(&h->told);
    h->told = now;
}

static bool has_new_error(const ct_hot_reload *h, const ct_error_array *errors) {
    for (uint32_t i = 0; i < errors->count; ++i) {
        if (!ct_hash_map_find(&h->told, error_hash(&errors->items[i])))
            return true;
    }
    return false;
}

static bool is_stopping(void *user) {
    const ct_hot_reload *const h = user;
    return atomic_load(&h->is_stopping);
}

static void add_keys(ct_hash_map *keys, const ct_resource_id_array *ids) {
    for (uint32_t i = 0; i < ids->count; ++i)
        ct_hash_map_set(keys, ct_resource_id_key(ids->items[i]), 1);
}

// Adds what a run changed to what runs before it did. What it removed has no data any more.
static void collect(ct_hot_reload *h, const ct_compile_report *report) {
    ct_hash_map anew;
    ct_hash_map_init(&anew, h->allocator);
    add_keys(&anew, &report->removed);
    add_keys(&anew, &report->changed);
    uint32_t count = 0;
    for (uint32_t i = 0; i < h->collected.count; ++i) {
        const ct_resource_id id = h->collected.items[i];
        h->collected.items[count] = id;
        count += !ct_hash_map_find(&anew, ct_resource_id_key(id));
    }
    h->collected.count = count;
    ct_array_push_many(&h->collected, report->changed.items, report->changed.count);
    ct_hash_map_free(&anew);
}

// Hands what came of the last run to the update thread. `report` is NULL when it failed as a whole,
// with `error`.
static void queue(ct_hot_reload *h, const ct_compile_report *report, const ct_error *error) {
    const uint32_t num_errors = report ? report->errors.count : 1;
    ct_mutex_lock(&h->mutex);
    if (report)
        queue_errors(h, report);
    else
        ct_array_push(&h->errors, *error);
    h->failure = report ? (ct_error){0} : *error;
    h->is_mended = num_errors == 0 && (h->num_errors > 0 || h->is_mended);
    h->num_errors = num_errors;
    ct_array_push_many(&h->changed, h->collected.items, h->collected.count);
    h->collected.count = 0;
    h->is_queued = true;
    ct_mutex_unlock(&h->mutex);
}

// Waits until the update thread has swapped what was queued: compiling may remove data that it
// reads.
static void wait_until_taken(ct_hot_reload *h) {
    ct_mutex_lock(&h->mutex);
    while (h->is_queued && !atomic_load(&h->is_stopping))
        ct_condition_wait_for(&h->is_taken, &h->mutex, slice_ns);
    ct_mutex_unlock(&h->mutex);
}

// Compiles until the sources stop changing, and queues the result. Does not report the states in
// between.
static void follow_changes(ct_hot_reload *h) {
    const ct_compile_report *report = NULL;
    ct_error error = {0};
    bool is_over = false;
    wait_until_taken(h);
    while (!is_over && !atomic_load(&h->is_stopping)) {
        ct_source_watch_settle(h->watch, is_stopping, h);
        const bool is_done = ct_compiler_run(h->compiler, &report, &error);
        if (is_done)
            collect(h, report);
        else
            report = NULL;
        const bool is_news =
            !is_done || has_new_error(h, &report->errors) || has_new_error(h, &report->warnings);
        is_over = ct_source_watch_is_overdue(h->watch) ||
                  !ct_source_watch_wait(h->watch, is_news ? error_quiet_ns : 0);
    }
    ct_source_watch_end_burst(h->watch);
    if (is_over)
        queue(h, report, &error);
}

static void run(void *data) {
    ct_hot_reload *const h = data;
    follow_changes(h);
    while (!atomic_load(&h->is_stopping)) {
        bool is_changed = ct_source_watch_wait(h->watch, slice_ns);
        is_changed |= atomic_exchange(&h->is_requested, false);
        if (is_changed)
            follow_changes(h);
    }
}

ct_hot_reload *ct_hot_reload_create(ct_allocator *a, ct_compiler *compiler,
                                    const char *project_folder, const char *core_folder,
                                    ct_error *error) {
    ct_allocator *const allocator = ct_proxy_allocator_create(a, "hot_reload");
    ct_source_watch *const watch =
        ct_source_watch_create(allocator, project_folder, core_folder, error);
    if (!watch) {
        ct_proxy_allocator_destroy(allocator);
        return NULL;
    }
    ct_hot_reload *const h = CT_NEW(allocator, ct_hot_reload);
    h->allocator = allocator;
    h->compiler = compiler;
    h->watch = watch;
    ct_hash_map_init(&h->told, allocator);
    ct_array_init(&h->collected, allocator);
    ct_mutex_init(&h->mutex);
    ct_condition_init(&h->is_taken);
    ct_array_init(&h->changed, allocator);
    ct_array_init(&h->errors, allocator);
    ct_array_init(&h->warnings, allocator);
    // Who started the game has told what the run before told, and nobody what was saved since.
    queue_errors(h, ct_compiler_report(compiler));
    h->errors.count = h->warnings.count = 0;
    h->num_errors = ct_compiler_report(compiler)->errors.count;
    h->thread = ct_thread_start("hot reload", run, h);
    return h;
}

void ct_hot_reload_destroy(ct_hot_reload *h) {
    if (!h)
        return;
    atomic_store(&h->is_stopping, true);
    ct_compiler_cancel(h->compiler);
    ct_thread_join(h->thread);
    ct_source_watch_destroy(h->watch);
    ct_hash_map_free(&h->told);
    ct_array_free(&h->collected);
    ct_array_free(&h->changed);
    ct_array_free(&h->errors);
    ct_array_free(&h->warnings);
    ct_condition_shutdown(&h->is_taken);
    ct_mutex_shutdown(&h->mutex);
    ct_allocator *const allocator = h->allocator;
    ct_free_sized(allocator, h, sizeof(*h));
    ct_proxy_allocator_destroy(allocator);
}

void ct_hot_reload_request(ct_hot_reload *h) {
    atomic_store(&h->is_requested, true);
}

const ct_error *ct_hot_reload_failure(const ct_hot_reload *h) {
    return h->failure.message[0] != '\0' ? &h->failure : NULL;
}

void ct_hot_reload_release(ct_hot_reload *h) {
    ct_mutex_lock(&h->mutex);
    h->is_queued = false;
    ct_condition_signal(&h->is_taken);
    ct_mutex_unlock(&h->mutex);
}

bool ct_hot_reload_take(ct_hot_reload *h, ct_resource_id_array *changed) {
    ct_error_array errors, warnings;
    ct_mutex_lock(&h->mutex);
    if (!h->is_queued) {
        ct_mutex_unlock(&h->mutex);
        return false;
    }
    *changed = h->changed;
    errors = h->errors;
    warnings = h->warnings;
    const bool is_mended = h->is_mended;
    h->is_mended = false;
    ct_array_init(&h->changed, h->allocator);
    ct_array_init(&h->errors, h->allocator);
    ct_array_init(&h->warnings, h->allocator);
    ct_mutex_unlock(&h->mutex);

    for (uint32_t i = 0; i < warnings.count; ++i)
        ct_log_report_warning("compiler", &warnings.items[i]);
    for (uint32_t i = 0; i < errors.count; ++i)
        ct_log_report("compiler", &errors.items[i]);
    if (is_mended)
        ct_log_info("compiler", "the sources compile again");
    ct_array_free(&errors);
    ct_array_free(&warnings);
    return true;
}

uint32_t ct_hot_reload_apply(ct_hot_reload *h, ct_resource_manager *resources) {
    ct_resource_id_array changed;
    if (!ct_hot_reload_take(h, &changed))
        return 0;
    const uint32_t num_swapped = ct_resource_swap(h->allocator, resources, &changed);
    ct_hot_reload_release(h);
    ct_array_free(&changed);
    return num_swapped;
}
