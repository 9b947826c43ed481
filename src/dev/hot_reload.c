#include "dev/hot_reload.h"

#include <stdatomic.h>
#include <string.h>

#include "foundation/container/array.h"
#include "foundation/container/hash_map.h"
#include "foundation/log.h"
#include "foundation/memory/proxy_allocator.h"
#include "foundation/os/os.h"
#include "foundation/os/path.h"
#include "foundation/string/string_builder.h"
#include "foundation/string/string_id.h"

// How long the service thread waits for a change in the project before it looks at core.
static const uint64_t watch_slice_ns = 20000000;

// How many of the resources that were swapped the log names.
static const uint32_t most_named = 4;

// What the update thread holds of resources while it swaps them; borrowed.
typedef CT_ARRAY(const void *) blob_pointer_array;

struct ct_hot_reload {
    ct_allocator *allocator;
    ct_compiler *compiler;
    ct_file_watch *project_watch, *core_watch;
    ct_thread thread;
    atomic_bool is_stopping, is_requested;
    ct_hash_map told; // service thread: hashes of the errors and warnings of the last run

    ct_mutex mutex; // of what follows, which the update thread takes
    ct_resource_id_array changed;
    ct_error_array errors, warnings; // new ones, not logged yet
};

static uint64_t error_hash(const ct_error *error) {
    char text[CT_ERROR_MESSAGE_BYTES + CT_ERROR_FILE_BYTES + 64];
    ct_error_format(error, text, sizeof(text));
    return ct_string_id64_of(text).value;
}

// Queues the errors and warnings that the run before did not have.
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

static void compile(ct_hot_reload *h) {
    const ct_compile_report *report = NULL;
    ct_error error = {0};
    const bool is_done = ct_compiler_run(h->compiler, &report, &error);
    ct_mutex_lock(&h->mutex);
    if (is_done) {
        queue_errors(h, report);
        ct_array_push_many(&h->changed, report->changed.items, report->changed.count);
    } else {
        ct_array_push(&h->errors, error);
    }
    ct_mutex_unlock(&h->mutex);
}

static void run(void *data) {
    ct_hot_reload *h = data;
    compile(h);
    while (!atomic_load(&h->is_stopping)) {
        bool is_changed = ct_file_watch_wait(h->project_watch, watch_slice_ns);
        is_changed |= ct_file_watch_wait(h->core_watch, 0);
        is_changed |= atomic_exchange(&h->is_requested, false);
        if (is_changed && !atomic_load(&h->is_stopping))
            compile(h);
    }
}

ct_hot_reload *ct_hot_reload_create(ct_allocator *a, ct_compiler *compiler,
                                    const char *project_folder, const char *core_folder,
                                    ct_error *error) {
    ct_allocator *const allocator = ct_proxy_allocator_create(a, "hot_reload");
    ct_file_watch *const project = ct_file_watch_create(allocator, project_folder, error);
    ct_file_watch *const core =
        project ? ct_file_watch_create(allocator, core_folder, error) : NULL;
    if (!core) {
        ct_file_watch_destroy(project);
        ct_proxy_allocator_destroy(allocator);
        return NULL;
    }
    ct_hot_reload *const h = CT_NEW(allocator, ct_hot_reload);
    h->allocator = allocator;
    h->compiler = compiler;
    h->project_watch = project;
    h->core_watch = core;
    ct_hash_map_init(&h->told, allocator);
    ct_mutex_init(&h->mutex);
    ct_array_init(&h->changed, allocator);
    ct_array_init(&h->errors, allocator);
    ct_array_init(&h->warnings, allocator);
    // Who started the game has told what the run before told, and nobody what was saved since.
    queue_errors(h, ct_compiler_report(compiler));
    h->errors.count = h->warnings.count = 0;
    h->thread = ct_thread_start("hot reload", run, h);
    return h;
}

void ct_hot_reload_destroy(ct_hot_reload *h) {
    if (!h)
        return;
    atomic_store(&h->is_stopping, true);
    ct_compiler_cancel(h->compiler);
    ct_thread_join(h->thread);
    ct_file_watch_destroy(h->project_watch);
    ct_file_watch_destroy(h->core_watch);
    ct_hash_map_free(&h->told);
    ct_array_free(&h->changed);
    ct_array_free(&h->errors);
    ct_array_free(&h->warnings);
    ct_mutex_shutdown(&h->mutex);
    ct_allocator *const allocator = h->allocator;
    ct_free_sized(allocator, h, sizeof(*h));
    ct_proxy_allocator_destroy(allocator);
}

void ct_hot_reload_request(ct_hot_reload *h) {
    atomic_store(&h->is_requested, true);
}

// Logs which resources were swapped: those of `changed` whose blob is another than `before` it.
static void log_swapped(ct_hot_reload *h, const ct_resource_manager *resources,
                        const ct_resource_id_array *changed, const blob_pointer_array *before) {
    ct_string_builder names;
    ct_string_builder_init(&names, h->allocator);
    uint32_t num_swapped = 0;
    for (uint32_t i = 0; i < changed->count; ++i) {
        const ct_resource_id id = changed->items[i];
        if (ct_resource_manager_get_id(resources, id) == before->items[i])
            continue;
        if (num_swapped++ < most_named)
            ct_string_builder_addf(&names, "%s%s.%s", num_swapped == 1 ? "" : ", ",
                                   ct_string_id64_name(id.name), ct_string_id64_name(id.type));
    }
    if (num_swapped > most_named)
        ct_log_info("reload", "reloaded %s and %u more", ct_string_builder_text(&names),
                    num_swapped - most_named);
    else
        ct_log_info("reload", "reloaded %s",
                    num_swapped != 0 ? ct_string_builder_text(&names) : "packages");
    ct_string_builder_free(&names);
}

static uint32_t reload(ct_hot_reload *h, ct_resource_manager *resources,
                       const ct_resource_id_array *changed) {
    blob_pointer_array before;
    ct_array_init(&before, h->allocator);
    for (uint32_t i = 0; i < changed->count; ++i)
        ct_array_push(&before, ct_resource_manager_get_id(resources, changed->items[i]));
    const uint32_t num_swapped =
        ct_resource_manager_reload(resources, changed->items, changed->count);
    if (num_swapped != 0)
        log_swapped(h, resources, changed, &before);
    ct_array_free(&before);
    return num_swapped;
}

uint32_t ct_hot_reload_apply(ct_hot_reload *h, ct_resource_manager *resources) {
    ct_resource_id_array changed;
    ct_error_array errors, warnings;
    ct_mutex_lock(&h->mutex);
    changed = h->changed;
    errors = h->errors;
    warnings = h->warnings;
    ct_array_init(&h->changed, h->allocator);
    ct_array_init(&h->errors, h->allocator);
    ct_array_init(&h->warnings, h->allocator);
    ct_mutex_unlock(&h->mutex);

    for (uint32_t i = 0; i < warnings.count; ++i)
        ct_log_report_warning("compiler", &warnings.items[i]);
    for (uint32_t i = 0; i < errors.count; ++i)
        ct_log_report("compiler", &errors.items[i]);
    const uint32_t num_swapped = changed.count != 0 ? reload(h, resources, &changed) : 0;
    ct_array_free(&changed);
    ct_array_free(&errors);
    ct_array_free(&warnings);
    return num_swapped;
}
