#include "compiler/compiler_run.h"
#include "foundation/error.h"
#include "foundation/file.h"
#include "foundation/os.h"
#include "resource/content_hash.h"

enum { MAX_ATTEMPTS = 4 };

// The resources to compile, by position; those whose sources change meanwhile join again.
typedef struct build {
    ct_run *run;
    ct_u32_array queue;
    uint32_t next; // in the queue
    uint32_t num_done;
    const char *last_done; // path
    uint64_t told_ns;      // when progress was told
} build;

// --- Asking --------------------------------------------------------------------------------------

static bool submit(build *b, uint32_t job, ct_error *error) {
    ct_run *run = b->run;
    ct_run_resource *resource = &run->resources.items[job];
    const ct_compiler *c = run->compiler;
    const ct_compile_request request = {
        .type = resource->type->name,
        .name = resource->base_name,
        .path = resource->source,
        .project_folder = c->project_folder,
        .core_folder = c->core_folder,
        .platform = c->platform,
        .source_platform = c->source_platform,
        .properties = resource->properties,
        .num_properties = resource->num_properties,
        .listing = resource->type->needs_listing ? run->listing : NULL,
        .num_listed = resource->type->needs_listing ? run->num_listed : 0,
    };
    ct_byte_array message;
    ct_array_init(&message, c->allocator);
    ct_compile_request_write(&request, &message);
    ++resource->num_attempts;
    const bool result = ct_worker_pool_submit(c->pool, job, &message, error);
    ct_array_free(&message);
    return result;
}

// --- Taking --------------------------------------------------------------------------------------

// Copies what goes to the index.
static void take_record(ct_run *run, ct_run_resource *resource, const ct_compile_answer *answer) {
    ct_compile_answer *record = &resource->record;
    resource->has_record = true;
    ct_compile_answer_init(record, run->allocator);
    for (uint32_t i = 0; i < answer->includes.count; ++i)
        ct_compile_answer_include(record, answer->includes.items[i].path,
                                  answer->includes.items[i].content_hash);
    for (uint32_t i = 0; i < answer->references.count; ++i)
        ct_compile_answer_reference(record, &answer->references.items[i]);
    for (uint32_t i = 0; i < answer->errors.count; ++i)
        ct_compile_answer_error(record, &answer->errors.items[i]);
    for (uint32_t i = 0; i < answer->warnings.count; ++i)
        ct_compile_answer_warning(record, &answer->warnings.items[i]);
}

// The first file that has not now the content that the worker read; NULL when all do.
static const char *changed_include(ct_run *run, const ct_compile_answer *answer) {
    for (uint32_t i = 0; i < answer->includes.count; ++i) {
        const ct_compile_include *include = &answer->includes.items[i];
        if (ct_scan_hash(&run->scan, include->path) != include->content_hash)
            return include->path;
    }
    return NULL;
}

// Forgets what was known of the files, so that the next attempt meets them as they are by then.
static void refresh_includes(ct_run *run, const ct_compile_answer *answer) {
    for (uint32_t i = 0; i < answer->includes.count; ++i)
        ct_scan_refresh(&run->scan, answer->includes.items[i].path);
}

// Writes the compiled file. A second run on the same folder may take our temporary file for an
// interrupted run's and remove it, hence the second try.
static bool write_file(const ct_run *run, ct_run_resource *resource, ct_run_file_kind kind,
                       const ct_byte_array *bytes, ct_error *error) {
    char name[CT_RESOURCE_FILE_NAME_BYTES], path[CT_PATH_BYTES];
    ct_run_file_name(resource->id, kind, name);
    ct_path_join(path, run->compiler->data_folder, name);
    resource->is_data_written = true;
    return ct_file_write(path, bytes->items, bytes->count, false, NULL) ||
           ct_file_write(path, bytes->items, bytes->count, false, error);
}

// The stream comes first: data that is new finds its own. What is the same as before stays.
static bool write_data(ct_run *run, ct_run_resource *resource, const ct_compile_answer *answer,
                       ct_error *error) {
    const ct_byte_array *blob = &answer->blob, *stream = &answer->stream;
    const uint64_t data_hash = ct_content_hash(blob->items, blob->count);
    const uint64_t stream_hash =
        stream->count > 0 ? ct_content_hash(stream->items, stream->count) : 0;
    if (stream_hash != 0 && resource->stream_hash != stream_hash &&
        !write_file(run, resource, CT_RUN_FILE_KIND_STREAM, stream, error))
        return false;
    if (resource->data_hash != data_hash &&
        !write_file(run, resource, CT_RUN_FILE_KIND_DATA, blob, error))
        return false;
    resource->data_hash = data_hash;
    resource->data_bytes = blob->count;
    resource->stream_hash = stream_hash;
    resource->stream_bytes = stream->count;
    if (resource->is_data_written)
        ct_array_push(&run->changed, (uint32_t)(resource - run->resources.items));
    return true;
}

// Also of a failed compilation, whose errors stand in the record and whose data is the last good.
static void set_key(ct_run *run, ct_run_resource *resource) {
    resource->key = ct_run_key(run, resource->type, resource->record.includes.items,
                               resource->record.includes.count);
}

// A failed resource keeps the data it has, also that of a run which was killed before it could
// write its index; but not with a stream, which may be another one's.
static void keep_last_data(ct_run *run, ct_run_resource *resource) {
    const ct_run_data_file *file = ct_run_data_file_of(run, resource->id, CT_RUN_FILE_KIND_DATA);
    if (resource->data_hash != 0 || !file ||
        ct_run_data_file_of(run, resource->id, CT_RUN_FILE_KIND_STREAM))
        return;
    resource->data_hash = ct_run_data_hash(run, resource->id, CT_RUN_FILE_KIND_DATA);
    resource->data_bytes = resource->data_hash != 0 ? (uint32_t)file->stamp.size_bytes : 0;
}

static bool take_answer(build *b, uint32_t job, const ct_compile_answer *answer, ct_error *error) {
    ct_run *run = b->run;
    ct_run_resource *resource = &run->resources.items[job];
    const char *changed = changed_include(run, answer);
    if (changed && resource->num_attempts < MAX_ATTEMPTS) {
        refresh_includes(run, answer);
        ct_array_push(&b->queue, job);
        return true;
    }
    take_record(run, resource, answer);
    if (changed)
        ct_compile_answer_error(
            &resource->record,
            &(ct_compile_fault){.file = changed,
                                .message = "this file kept changing while it was compiled"});
    ct_run_check_references(run, resource);
    set_key(run, resource);
    if (resource->record.errors.count == 0)
        return write_data(run, resource, answer, error);
    keep_last_data(run, resource);
    return true;
}

// A worker that crashed or hung says nothing of what it read: the source alone is known.
static void take_failure(build *b, uint32_t job, const char *message) {
    ct_run *run = b->run;
    ct_run_resource *resource = &run->resources.items[job];
    resource->has_record = true;
    ct_compile_answer_init(&resource->record, run->allocator);
    ct_compile_answer_include(&resource->record, resource->source,
                              ct_scan_hash(&run->scan, resource->source));
    ct_compile_answer_error(&resource->record,
                            &(ct_compile_fault){.file = resource->source, .message = message});
    set_key(run, resource);
    keep_last_data(run, resource);
}

// Reads the answer of a job that has ended. False with `cause` when there is none to take; a worker
// that answers nonsense gets no other job.
static bool read_answer(build *b, const ct_worker_outcome *outcome, ct_compile_answer *answer,
                        ct_error *cause) {
    const ct_compiler *c = b->run->compiler;
    *cause = outcome->error;
    if (outcome->has_answer &&
        ct_compile_answer_read(c->allocator, &outcome->answer, answer, cause))
        return true;
    if (outcome->has_answer)
        ct_worker_pool_reject(c->pool, outcome->job);
    return false;
}

// --- All -----------------------------------------------------------------------------------------

static const double slow_seconds = 1;
static const double tick_seconds = 0.1; // between two tellings while nothing is done

static void tell_progress(build *b) {
    const ct_run *run = b->run;
    const ct_compiler *c = run->compiler;
    if (!c->progress)
        return;
    const uint64_t now_ns = ct_os_time_ns();
    ct_compile_progress p = {.done = b->num_done,
                             .total = b->queue.count,
                             .seconds = (double)(now_ns - run->start_ns) * 1e-9,
                             .resource = b->last_done};
    uint32_t job = 0;
    if (ct_worker_pool_longest(c->pool, &job, &p.slow_seconds) && p.slow_seconds > slow_seconds)
        p.slow = run->resources.items[job].source;
    b->told_ns = now_ns;
    c->progress(c->user, &p);
}

static void tick(void *user) {
    build *b = user;
    const ct_compiler *c = b->run->compiler;
    if (c->is_interrupted && c->is_interrupted(c->user))
        ct_worker_pool_cancel(c->pool);
    if ((double)(ct_os_time_ns() - b->told_ns) * 1e-9 >= tick_seconds)
        tell_progress(b);
}

static bool submit_next(build *b, ct_error *error) {
    while (b->next < b->queue.count && ct_worker_pool_has_room(b->run->compiler->pool)) {
        if (!submit(b, b->queue.items[b->next++], error))
            return false;
    }
    return true;
}

// Waits for a job to end and takes what came of it. Its worker goes on with the next one meanwhile.
static bool take_next(build *b, ct_error *error) {
    ct_worker_outcome outcome;
    ct_compile_answer answer;
    ct_error cause;
    if (!ct_worker_pool_next(b->run->compiler->pool, &outcome, error))
        return false;
    const bool has_answer = read_answer(b, &outcome, &answer, &cause);
    bool result = submit_next(b, error);
    if (has_answer) {
        result = result && take_answer(b, outcome.job, &answer, error);
        ct_compile_answer_free(&answer);
    } else {
        take_failure(b, outcome.job, cause.message);
    }
    ++b->num_done;
    b->last_done = b->run->resources.items[outcome.job].source;
    tell_progress(b);
    return result;
}

static bool build_all(build *b, ct_error *error) {
    while (b->next < b->queue.count || ct_worker_pool_is_busy(b->run->compiler->pool)) {
        if (!submit_next(b, error) || !take_next(b, error))
            return false;
    }
    return true;
}

static void note_file(ct_run *run, const ct_run_resource *resource, ct_run_file_kind kind,
                      uint64_t hash, int64_t now_ns) {
    char name[CT_RESOURCE_FILE_NAME_BYTES + 1] = ":", path[CT_PATH_BYTES];
    ct_run_file_name(resource->id, kind, name + 1);
    ct_path_join(path, run->compiler->data_folder, name + 1);
    const ct_file_info info = ct_os_file_info(path);
    const ct_file_stamp stamp = {info.size_bytes, info.modified_ns, info.inode};
    if (info.kind == CT_FILE_KIND_FILE)
        ct_stat_cache_set(&run->compiler->cache, name, stamp, hash, now_ns);
}

// Data files that were just written are known without reading them again.
static void note_written_data(ct_run *run) {
    const int64_t now_ns = ct_os_wall_time_ns();
    for (uint32_t i = 0; i < run->changed.count; ++i) {
        const ct_run_resource *resource = &run->resources.items[run->changed.items[i]];
        note_file(run, resource, CT_RUN_FILE_KIND_DATA, resource->data_hash, now_ns);
        if (resource->stream_hash != 0)
            note_file(run, resource, CT_RUN_FILE_KIND_STREAM, resource->stream_hash, now_ns);
    }
}

bool ct_run_build(ct_run *run, ct_error *error) {
    build b = {.run = run};
    ct_array_init(&b.queue, run->allocator);
    for (uint32_t i = 0; i < run->resources.count; ++i)
        if (run->resources.items[i].must_compile)
            ct_array_push(&b.queue, i);
    ct_worker_pool_set_tick(run->compiler->pool, tick, &b);
    const bool result = build_all(&b, error);
    ct_worker_pool_set_tick(run->compiler->pool, NULL, NULL);
    if (!result)
        ct_worker_pool_abort(run->compiler->pool);
    note_written_data(run);
    return result;
}
