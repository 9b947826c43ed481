#include "compiler/driver/compiler_run.h"
#include "foundation/error.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"

#include <stdio.h>
#include <string.h>

enum { MAX_ATTEMPTS = 4, MAX_ASKED = 32 };

// Resources to ask for, by position, and which is next.
typedef struct job_queue {
    ct_u32_array jobs;
    uint32_t next;
} job_queue;

// Those whose sources change meanwhile join their queue again.
typedef struct build {
    ct_run *run;
    job_queue with_tables; // of types that have them
    job_queue others;
    ct_u32_array lost; // to be asked for one by one, in new workers
    uint32_t num_done;
    const char *last_done; // path
    uint64_t told_ns;      // when progress was told
} build;

// --- Files ---------------------------------------------------------------------------------------

// True when a worker writes a file where it is to stay: nothing is there that a reader could meet
// half, and it costs no renaming.
static bool is_written_in_place(const ct_run *run, const ct_run_resource *resource,
                                ct_run_file_kind kind) {
    return !ct_run_data_file_of(run, resource, kind);
}

// The name that a worker gives to a file of a resource: a temporary one, as ct_run_list_data knows
// them, until all is well.
static void name_output(const ct_run *run, const ct_run_resource *resource, ct_run_file_kind kind,
                        char name[CT_RESOURCE_FILE_NAME_BYTES]) {
    if (is_written_in_place(run, resource, kind))
        ct_run_file_name(resource->id, kind, name);
    else
        snprintf(name, CT_RESOURCE_FILE_NAME_BYTES, ".%llx-%x-%x.tmp",
                 (unsigned long long)ct_os_process_id(),
                 (uint32_t)(resource - run->resources.items), (uint32_t)kind);
}

// Removes what a worker may have written, whole or in part, of a resource that failed.
static void remove_output(ct_run *run, const ct_run_resource *resource) {
    for (ct_run_file_kind kind = 0; kind < CT_RUN_FILE_KIND_COUNT; ++kind) {
        char name[CT_RESOURCE_FILE_NAME_BYTES], path[CT_PATH_BYTES];
        name_output(run, resource, kind, name);
        ct_path_join(path, run->compiler->data_folder, name);
        ct_os_file_remove(path, NULL);
    }
}

// Gives a file that a worker wrote its name.
static bool place_file(ct_run *run, const ct_run_resource *resource, ct_run_file_kind kind,
                       ct_error *error) {
    if (is_written_in_place(run, resource, kind))
        return true;
    char output[CT_RESOURCE_FILE_NAME_BYTES], name[CT_RESOURCE_FILE_NAME_BYTES];
    char from[CT_PATH_BYTES], to[CT_PATH_BYTES];
    name_output(run, resource, kind, output);
    ct_run_file_name(resource->id, kind, name);
    ct_path_join(from, run->compiler->data_folder, output);
    ct_path_join(to, run->compiler->data_folder, name);
    return ct_os_file_rename(from, to, error);
}

// --- Asking --------------------------------------------------------------------------------------

// What asking for some resources in one message takes.
typedef struct ask {
    ct_compile_request requests[MAX_ASKED];
    char names[MAX_ASKED][CT_RUN_FILE_KIND_COUNT][CT_RESOURCE_FILE_NAME_BYTES];
    uint32_t jobs[MAX_ASKED];
    uint32_t count;
} ask;

// The name to ask for, written to its place in `names`; NULL: the worker knows it.
static const char *output_of(const ct_run *run, const ct_run_resource *resource,
                             ct_run_file_kind kind, char names[][CT_RESOURCE_FILE_NAME_BYTES]) {
    if (is_written_in_place(run, resource, kind))
        return NULL;
    name_output(run, resource, kind, names[kind]);
    return names[kind];
}

static void add_request(build *b, ask *a, uint32_t job) {
    ct_run *run = b->run;
    ct_run_resource *const resource = &run->resources.items[job];
    const ct_compiler *const c = run->compiler;
    const uint32_t i = a->count++;
    a->jobs[i] = job;
    a->requests[i] = (ct_compile_request){
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
        .plugins = run->plugins,
        .num_plugins = run->num_plugins,
        .output = {.folder = c->data_folder,
                   .data = output_of(run, resource, CT_RUN_FILE_KIND_DATA, a->names[i]),
                   .stream = output_of(run, resource, CT_RUN_FILE_KIND_STREAM, a->names[i]),
                   .data_hash = resource->data_hash,
                   .stream_hash = resource->stream_hash},
    };
    resource->is_asked = true;
    resource->asked_ns = ct_os_wall_time_ns();
    ++resource->num_attempts;
}

static bool submit(build *b, const ask *a, ct_worker_need need, ct_error *error) {
    const ct_compiler *const c = b->run->compiler;
    ct_byte_array message;
    ct_array_init(&message, c->allocator);
    ct_compile_request_write(a->requests, a->count, &message);
    const bool result = ct_worker_pool_submit(c->pool, need, a->jobs, a->count, &message, error);
    ct_array_free(&message);
    return result;
}

static const ct_compiler_type *type_of(const build *b, const job_queue *q, uint32_t i) {
    return b->run->resources.items[q->jobs.items[i]].type;
}

static bool is_empty(const job_queue *q) {
    return q->next == q->jobs.count;
}

// Messages with a listing are large.
static bool needs_idle_worker(const ct_compiler_type *type) {
    return type->is_slow || type->needs_listing;
}

static ct_worker_need need_of(const ct_compiler_type *type) {
    return type->has_tables          ? CT_WORKER_NEED_TABLES
           : needs_idle_worker(type) ? CT_WORKER_NEED_IDLE
                                     : CT_WORKER_NEED_ANY;
}

// How many of the queue's next to ask for in one message: fewer towards the end, so that all
// workers are done at about the same time.
static uint32_t num_to_ask(const build *b, const job_queue *q) {
    const ct_compiler_type *const type = type_of(b, q, q->next);
    const uint32_t share =
        (q->jobs.count - q->next) / (4 * ct_worker_pool_size(b->run->compiler->pool));
    uint32_t count = 1;
    while (!type->is_slow && count < MAX_ASKED && count < share &&
           type_of(b, q, q->next + count)->needs_listing == type->needs_listing &&
           !type_of(b, q, q->next + count)->is_slow)
        ++count;
    return count;
}

static bool submit_lost(build *b, ct_error *error) {
    ask a = {.count = 0};
    add_request(b, &a, b->lost.items[--b->lost.count]);
    return submit(b, &a, CT_WORKER_NEED_NEW, error);
}

static bool submit_from(build *b, job_queue *q, ct_error *error) {
    ask a = {.count = 0};
    const ct_worker_need need = need_of(type_of(b, q, q->next));
    for (uint32_t left = num_to_ask(b, q); left > 0; --left)
        add_request(b, &a, q->jobs.items[q->next++]);
    return submit(b, &a, need, error);
}

static bool has_room(const build *b, const job_queue *q) {
    return ct_worker_pool_has_room(b->run->compiler->pool, need_of(type_of(b, q, q->next)));
}

// True when the next job with tables is to be asked for. While there is other work a worker that
// would first have to make them does that.
static bool is_time_for_tables(const build *b) {
    return !is_empty(&b->with_tables) && has_room(b, &b->with_tables) &&
           (is_empty(&b->others) || !ct_worker_pool_are_tables_taken(b->run->compiler->pool));
}

static bool submit_with_tables(build *b, ct_error *error) {
    bool result = true;
    while (result && is_time_for_tables(b))
        result = submit_from(b, &b->with_tables, error);
    return result;
}

static bool submit_next(build *b, ct_error *error) {
    const ct_worker_pool *const pool = b->run->compiler->pool;
    bool result = true;
    while (result && b->lost.count > 0 && ct_worker_pool_has_room(pool, CT_WORKER_NEED_NEW))
        result = submit_lost(b, error);
    result = result && submit_with_tables(b, error);
    while (result && !is_empty(&b->others) && has_room(b, &b->others))
        result = submit_from(b, &b->others, error);
    return result && submit_with_tables(b, error); // now that there may be nothing else
}

// --- Taking --------------------------------------------------------------------------------------

// Takes over the hashes of files that nobody else has read yet, and the scan's paths in place of
// the answer's: the index then sees at once which are the same. Returns the first file that has not
// now the content that the worker read; NULL when all do.
static const char *take_includes(ct_run *run, const ct_run_resource *resource,
                                 ct_compile_answer *answer) {
    const char *changed = NULL;
    for (uint32_t i = 0; i < answer->includes.count; ++i) {
        ct_compile_include *const include = &answer->includes.items[i];
        const ct_scan_file *const file = ct_scan_take_hash(
            &run->scan, include->path, include->stamp, include->content_hash, resource->asked_ns);
        if (file)
            include->path = file->path;
        const uint64_t hash = file ? file->hash : ct_scan_hash(&run->scan, include->path);
        if (hash != include->content_hash && !changed)
            changed = include->path;
    }
    for (uint32_t i = 0; i < answer->references.count; ++i) {
        ct_compile_referred *const reference = &answer->references.items[i];
        reference->file = answer->includes.items[reference->include].path;
    }
    return changed;
}

// Forgets what was known of the files, so that the next attempt meets them as they are by then.
static void refresh_includes(ct_run *run, const ct_compile_answer *answer) {
    for (uint32_t i = 0; i < answer->includes.count; ++i)
        ct_scan_refresh(&run->scan, answer->includes.items[i].path);
}

// Gives what a worker wrote its names, the stream first: data that is new finds its own. What is
// the same as before was not written.
static bool take_data(ct_run *run, ct_run_resource *resource, ct_error *error) {
    const ct_compile_written *const data = &resource->record.written_data;
    const ct_compile_written *const stream = &resource->record.written_stream;
    const bool has_new_stream = stream->hash != 0 && stream->hash != resource->stream_hash;
    const bool has_new_data = data->hash != resource->data_hash;
    if (has_new_stream && !place_file(run, resource, CT_RUN_FILE_KIND_STREAM, error))
        return false;
    if (has_new_data && !place_file(run, resource, CT_RUN_FILE_KIND_DATA, error))
        return false;
    resource->stream_stamp = has_new_stream ? stream->stamp : (ct_file_stamp){0};
    resource->data_stamp = has_new_data ? data->stamp : (ct_file_stamp){0};
    resource->data_hash = data->hash;
    resource->data_bytes = (uint32_t)data->stamp.size_bytes;
    resource->stream_hash = stream->hash;
    resource->stream_bytes = (uint32_t)stream->stamp.size_bytes;
    resource->is_data_written = has_new_stream || has_new_data;
    return true;
}

// A failed resource keeps the data it has, also that of a run which was killed before it could
// write its index; but not with a stream, which may be another one's.
static void keep_last_data(ct_run *run, ct_run_resource *resource) {
    const ct_run_data_file *const file = ct_run_data_file_of(run, resource, CT_RUN_FILE_KIND_DATA);
    if (resource->data_hash != 0 || !file ||
        ct_run_data_file_of(run, resource, CT_RUN_FILE_KIND_STREAM) ||
        !ct_run_has_whole_data(run, resource))
        return;
    resource->data_hash = ct_run_data_hash(run, resource, CT_RUN_FILE_KIND_DATA);
    resource->data_bytes = resource->data_hash != 0 ? (uint32_t)file->stamp.size_bytes : 0;
}

// What failed leaves nothing new.
static void take_errors(ct_run *run, ct_run_resource *resource) {
    remove_output(run, resource);
    keep_last_data(run, resource);
}

static void add_job(build *b, uint32_t job) {
    const bool has_tables = b->run->resources.items[job].type->has_tables;
    ct_array_push(has_tables ? &b->with_tables.jobs : &b->others.jobs, job);
}

// Takes the answer over, or asks again when a file changed meanwhile. False with `error` when the
// data folder cannot be written.
static bool take_answer(build *b, uint32_t job, ct_compile_answer *answer, ct_error *error) {
    ct_run *run = b->run;
    ct_run_resource *const resource = &run->resources.items[job];
    if (answer->write_problem) {
        ct_error_set(error, "%s", answer->write_problem);
        ct_compile_answer_free(answer);
        return false;
    }
    const char *const changed = take_includes(run, resource, answer);
    if (changed && resource->num_attempts < MAX_ATTEMPTS) {
        refresh_includes(run, answer);
        remove_output(run, resource); // the next may have no stream
        ct_compile_answer_free(answer);
        add_job(b, job);
        return true;
    }
    resource->record = *answer;
    resource->has_record = true;
    resource->is_asked = false;
    if (changed)
        ct_compile_answer_error(
            &resource->record,
            &(ct_compile_fault){.file = changed,
                                .message = "this file kept changing while it was compiled"});
    if (answer->includes.items[0].content_hash == 0 && !ct_scan_has(&run->scan, resource->source) &&
        !ct_scan_is_unlisted(&run->scan, resource->source))
        run->has_lost_sources = true;
    ct_run_check_references(run, resource);
    ct_compile_answer_detach(&resource->record);
    if (resource->record.errors.count == 0)
        return take_data(run, resource, error);
    take_errors(run, resource);
    return true;
}

// A worker that crashed or hung says nothing of what it read: the source alone is known.
static void take_failure(build *b, uint32_t job, const char *message) {
    ct_run *run = b->run;
    ct_run_resource *const resource = &run->resources.items[job];
    resource->has_record = true;
    resource->is_asked = false;
    ct_compile_answer_init(&resource->record, run->allocator);
    ct_compile_answer_include(&resource->record, resource->source,
                              ct_scan_hash(&run->scan, resource->source));
    ct_compile_answer_error(&resource->record,
                            &(ct_compile_fault){.file = resource->source, .message = message});
    take_errors(run, resource);
}

// Reads the answer of a job that has ended, which take_answer takes over. False with `cause` when
// there is none to take; a worker that answers nonsense gets no other job.
static bool read_answer(build *b, const ct_worker_outcome *outcome, ct_compile_answer *answer,
                        ct_error *cause) {
    *cause = outcome->error;
    if (!outcome->has_answer)
        return false;
    const char *const source = b->run->resources.items[outcome->job].source;
    if (ct_compile_answer_read(b->run->allocator, b->run->compiler->allocator, &outcome->answer,
                               answer, cause)) {
        if (strcmp(answer->includes.items[0].path, source) == 0)
            return true;
        ct_error_set(cause, "the worker process answered for another resource");
        ct_compile_answer_free(answer);
    }
    ct_worker_pool_reject(b->run->compiler->pool);
    return false;
}

// --- All -----------------------------------------------------------------------------------------

static const double slow_seconds = 1;
static const double tick_seconds = 0.1; // between two tellings while nothing is done

static void tell_progress(build *b) {
    const ct_run *const run = b->run;
    const ct_compiler *const c = run->compiler;
    if (!c->progress)
        return;
    const uint64_t now_ns = ct_os_time_ns();
    ct_compile_progress p = {.done = b->num_done,
                             .total = b->with_tables.jobs.count + b->others.jobs.count,
                             .seconds = (double)(now_ns - run->start_ns) * 1e-9,
                             .resource = b->last_done};
    uint32_t job = 0;
    if (ct_worker_pool_longest(c->pool, &job, &p.slow_seconds) && p.slow_seconds > slow_seconds)
        p.slow = run->resources.items[job].source;
    b->told_ns = now_ns;
    c->progress(c->user, &p);
}

static void tick(void *user) {
    build *const b = user;
    const ct_compiler *const c = b->run->compiler;
    if (c->is_interrupted && c->is_interrupted(c->user))
        ct_worker_pool_cancel(c->pool);
    if ((double)(ct_os_time_ns() - b->told_ns) * 1e-9 >= tick_seconds)
        tell_progress(b);
}

static bool take_outcome(build *b, const ct_worker_outcome *outcome, ct_error *error) {
    ct_compile_answer answer;
    ct_error cause;
    if (outcome->is_lost) {
        ct_array_push(&b->lost, outcome->job);
        --b->run->resources.items[outcome->job].num_attempts;
        return submit_next(b, error);
    }
    const bool has_answer = read_answer(b, outcome, &answer, &cause);
    const bool is_submitted = submit_next(b, error);
    const bool is_taken = !has_answer || take_answer(b, outcome->job, &answer, error);
    if (!has_answer)
        take_failure(b, outcome->job, cause.message);
    ++b->num_done;
    b->last_done = b->run->resources.items[outcome->job].source;
    tell_progress(b);
    return is_submitted && is_taken;
}

// Waits for a job to end and takes what came of it. Its worker goes on with the next one meanwhile.
static bool take_next(build *b, ct_error *error) {
    ct_worker_outcome outcome;
    return ct_worker_pool_next(b->run->compiler->pool, &outcome, error) &&
           take_outcome(b, &outcome, error);
}

static bool build_all(build *b, ct_error *error) {
    while (!is_empty(&b->with_tables) || !is_empty(&b->others) || b->lost.count > 0 ||
           ct_worker_pool_is_busy(b->run->compiler->pool)) {
        if (!submit_next(b, error) || !take_next(b, error))
            return false;
    }
    return true;
}

// Of a run that ended before its time: what nobody has taken goes.
static void remove_asked(ct_run *run) {
    for (uint32_t i = 0; i < run->resources.count; ++i)
        if (run->resources.items[i].is_asked)
            remove_output(run, &run->resources.items[i]);
}

// What takes long is begun first: its ends then fall among many short jobs.
static void add_jobs(build *b, bool need_idle_worker) {
    const ct_run *const run = b->run;
    for (uint32_t i = 0; i < run->resources.count; ++i)
        if (run->resources.items[i].must_compile &&
            needs_idle_worker(run->resources.items[i].type) == need_idle_worker)
            add_job(b, i);
}

bool ct_run_build(ct_run *run, ct_error *error) {
    build b = {.run = run};
    ct_array_init(&b.with_tables.jobs, run->allocator);
    ct_array_init(&b.others.jobs, run->allocator);
    ct_array_init(&b.lost, run->allocator);
    add_jobs(&b, true);
    add_jobs(&b, false);
    ct_worker_pool_set_tick(run->compiler->pool, tick, &b);
    const bool result = build_all(&b, error);
    ct_worker_pool_set_tick(run->compiler->pool, NULL, NULL);
    if (!result) {
        ct_worker_pool_abort(run->compiler->pool);
        remove_asked(run);
    }
    return result;
}
