#include "resource/load/resource_loader.h"

#include <stdio.h>
#include <string.h>

#include "foundation/container/array.h"
#include "foundation/container/ring.h"
#include "foundation/os/os.h"
#include "foundation/profiler/profiler.h"
#include "resource/blob/content_hash.h"
#include "resource/load/transfer_budget.h"
#include "resource/types/resource_types.h"

enum {
    STREAM_PIECE_BYTES = 1 << 20, // other requests get their turn between two pieces
    MAX_GROUP_LOADS = 512,
};

typedef struct free_request {
    ct_resource_id id;
    ct_loaded_blob blob;
} free_request;

typedef struct registration {
    ct_string_id64 type;
    ct_resource_callbacks callbacks;
    uint32_t num_calls; // in progress
} registration;

// Changes to a slot's requests after they were made.
typedef struct slot_state {
    uint32_t stream_ticket; // of the wanted stream; 0: none
    bool is_cancelled;      // the load
    bool is_urgent;         // the load: a thread waits for it
} slot_state;

// The stream that is being read; only the service thread uses it.
typedef struct stream_read {
    ct_stream_request request;
    char *bytes; // NULL: none
    uint64_t done_bytes;
} stream_read;

// Loads that are served together: `requests`, one by one or all from one chunk.
typedef struct load_group {
    ct_load_request requests[MAX_GROUP_LOADS];
    ct_store_read reads[MAX_GROUP_LOADS];
    ct_load_result results[MAX_GROUP_LOADS];
    uint32_t count;
    uint32_t num_callbacks; // registered when it began
    bool is_streaming;      // then, too
} load_group;

// What the thread does next.
typedef enum step {
    STEP_END,
    STEP_FREE,
    STEP_LOAD,
    STEP_STREAM,
} step;

struct ct_resource_loader {
    ct_allocator *allocator;
    const ct_resource_store *store;
    ct_thread thread;
    bool has_stopped;          // of the manager's thread only
    stream_read stream;        // of the service thread only
    load_group *group;         // of the service thread only
    load_group *waiters_group; // of the waiting thread
    ct_mutex mutex;            // guards all below
    ct_condition has_work, has_results;
    ct_ring frees;            // free_request
    ct_ring urgent, requests; // ct_load_request
    ct_ring streams;          // ct_stream_request
    ct_ring results;          // ct_load_result
    ct_ring stream_results;   // ct_stream_result
    CT_ARRAY(slot_state) slots;
    CT_ARRAY(registration) registrations;
    ct_transfer_budget budget;
    uint32_t num_waiting; // for streams
    bool is_streaming;
    bool should_stop;
};

// --- Callbacks -----------------------------------------------------------------------------------

void ct_resource_loader_register(ct_resource_loader *l, ct_string_id64 type,
                                 const ct_resource_callbacks *callbacks) {
    if (!callbacks->load && !callbacks->unload)
        return;
    ct_mutex_lock(&l->mutex);
    ct_array_push(&l->registrations, (registration){type, *callbacks, 0});
    ct_mutex_unlock(&l->mutex);
}

void ct_resource_loader_unregister(ct_resource_loader *l, const void *user) {
    ct_mutex_lock(&l->mutex);
    for (uint32_t i = 0; i < l->registrations.count; ++i) {
        if (l->registrations.items[i].callbacks.user != user)
            continue;
        l->registrations.items[i].callbacks = (ct_resource_callbacks){0};
        while (l->registrations.items[i].num_calls > 0)
            ct_condition_wait(&l->has_results, &l->mutex);
    }
    ct_mutex_unlock(&l->mutex);
}

// Begin and end a call of a registration's functions, which stay valid meanwhile.
static registration begin_call(ct_resource_loader *l, uint32_t position) {
    ct_mutex_lock(&l->mutex);
    ++l->registrations.items[position].num_calls;
    const registration r = l->registrations.items[position];
    ct_mutex_unlock(&l->mutex);
    return r;
}

static void end_call(ct_resource_loader *l, uint32_t position) {
    ct_mutex_lock(&l->mutex);
    registration *const r = &l->registrations.items[position];
    if (--r->num_calls == 0 && !r->callbacks.user)
        ct_condition_broadcast(&l->has_results);
    ct_mutex_unlock(&l->mutex);
}

static void call_load(ct_resource_loader *l, uint32_t num_callbacks, ct_resource_id id,
                      const void *blob) {
    for (uint32_t i = 0; i < num_callbacks; ++i) {
        const registration r = begin_call(l, i);
        if (r.type.value == id.type.value && r.callbacks.load)
            r.callbacks.load(r.callbacks.user, id.name, blob);
        end_call(l, i);
    }
}

void ct_resource_loader_prepare(ct_resource_loader *l, ct_resource_id id, const void *blob) {
    ct_mutex_lock(&l->mutex);
    const uint32_t count = l->registrations.count;
    ct_mutex_unlock(&l->mutex);
    call_load(l, count, id, blob);
}

static void unload(ct_resource_loader *l, const free_request *f, uint32_t num_callbacks) {
    for (uint32_t i = num_callbacks; i-- > 0;) {
        const registration r = begin_call(l, i);
        if (r.type.value == f->id.type.value && r.callbacks.unload)
            r.callbacks.unload(r.callbacks.user, f->id.name, f->blob.data);
        end_call(l, i);
    }
    ct_loaded_blob_free(l->allocator, f->blob);
}

// --- Loads ---------------------------------------------------------------------------------------

// "load texture"
static const char *scope_name(ct_string_id64 type) {
    if (!ct_profiler_is_on())
        return "load";
    char text[CT_PROFILER_NAME_BYTES];
    snprintf(text, sizeof(text), "load %s", ct_resource_type_of(type)->name);
    return ct_profiler_name(text);
}

static uint64_t bytes_of(const ct_load_result *result) {
    return result->blob.data ? ((const ct_blob_header *)result->blob.data)->size_bytes : 0;
}

// Passes on a group's results and charges background reads; a read that a thread is waiting for by
// now is free.
static void push_results(ct_resource_loader *l, const load_group *g) {
    const uint64_t now_ns = ct_os_time_ns();
    ct_mutex_lock(&l->mutex);
    for (uint32_t i = 0; i < g->count; ++i) {
        const ct_load_result *const result = &g->results[i];
        if (!l->slots.items[result->slot].is_urgent)
            ct_transfer_budget_spend(&l->budget, bytes_of(result), now_ns);
        ct_ring_push(&l->results, result);
    }
    ct_condition_broadcast(&l->has_results);
    ct_mutex_unlock(&l->mutex);
}

// Charges what was read for `slot` in the background.
static void spend_load(ct_resource_loader *l, uint32_t slot, uint64_t bytes) {
    ct_mutex_lock(&l->mutex);
    if (!l->slots.items[slot].is_urgent)
        ct_transfer_budget_spend(&l->budget, bytes, ct_os_time_ns());
    ct_mutex_unlock(&l->mutex);
}

static void spend_stream(ct_resource_loader *l, uint64_t bytes) {
    ct_mutex_lock(&l->mutex);
    if (l->num_waiting == 0)
        ct_transfer_budget_spend(&l->budget, bytes, ct_os_time_ns());
    ct_mutex_unlock(&l->mutex);
}

static bool check_stream(const void *bytes, const ct_blob_stream *stream, ct_error *error) {
    return ct_content_hash(bytes, stream->bytes) == stream->hash ||
           ct_error_set(error, "the stream does not match its data");
}

// Reads a blob's stream, if any, to memory after the blob. On failure frees the blob and returns an
// empty one with `error`.
static ct_loaded_blob with_stream(ct_resource_loader *l, uint32_t slot, ct_resource_id data_id,
                                  ct_loaded_blob blob, ct_error *error) {
    const ct_resource_type *const type = ct_resource_type_of(data_id.type);
    const ct_blob_stream stream = type->stream ? *type->stream(blob.data) : (ct_blob_stream){0};
    if (stream.bytes == 0)
        return blob;
    const uint64_t blob_bytes = ((const ct_blob_header *)blob.data)->size_bytes;
    char *const whole = ct_alloc(l->allocator, blob_bytes + stream.bytes);
    memcpy(whole, blob.data, blob_bytes);
    ct_loaded_blob_free(l->allocator, blob);
    spend_load(l, slot, stream.bytes);
    if (ct_resource_store_read_stream(l->store, data_id, 0, stream.bytes, whole + blob_bytes,
                                      error) &&
        check_stream(whole + blob_bytes, &stream, error))
        return (ct_loaded_blob){.data = whole};
    ct_free(l->allocator, whole);
    return (ct_loaded_blob){0};
}

// Makes a result of the data, or of the reason why there is none.
static void finish_load(ct_resource_loader *l, load_group *g, uint32_t i) {
    const ct_load_request *const r = &g->requests[i];
    const ct_resource_id data_id = g->reads[i].data_id;
    ct_loaded_blob blob = g->reads[i].blob;
    ct_load_result *const result = &g->results[i];
    if (blob.data && g->is_streaming) {
        call_load(l, g->num_callbacks, r->id, blob.data);
        result->blob = blob;
        return;
    }
    ct_error error = {0};
    if (!blob.data) // read it by itself, also to get the error
        blob.data = ct_resource_store_read(l->store, l->allocator, data_id, &error);
    if (blob.data && !g->is_streaming)
        blob = with_stream(l, r->slot, data_id, blob, &error);
    result->blob = blob;
    if (blob.data) {
        call_load(l, g->num_callbacks, r->id, blob.data);
        return;
    }
    result->error = CT_NEW(l->allocator, ct_error);
    *result->error = error;
}

static void load(ct_resource_loader *l, load_group *g) {
    CT_PROFILER_SCOPE(scope_name(g->requests[0].id.type));
    if (g->reads[0].place.group != 0)
        ct_resource_store_read_together(l->store, l->allocator, g->reads, g->count);
    for (uint32_t i = 0; i < g->count; ++i)
        finish_load(l, g, i);
    push_results(l, g);
}

// Takes the oldest requests from `queue` that are read together; at least one. Cancelled ones get
// their results at once. Under the mutex.
static void take_group(ct_resource_loader *l, ct_ring *queue, load_group *g) {
    g->count = 0;
    g->num_callbacks = l->registrations.count;
    g->is_streaming = l->is_streaming;
    while (queue->count > 0 && g->count < MAX_GROUP_LOADS) {
        const ct_load_request *const r = ct_ring_at(queue, 0);
        slot_state *const s = &l->slots.items[r->slot];
        if (s->is_cancelled) {
            s->is_cancelled = false;
            ct_ring_push(&l->results, &(ct_load_result){.slot = r->slot, .is_cancelled = true});
            ct_condition_broadcast(&l->has_results);
            ct_ring_pop(queue, NULL);
            continue;
        }
        const ct_resource_id data_id = {r->id.type, r->data_name};
        const ct_store_place place = ct_resource_store_place(
            l->store, data_id, g->count > 0 ? &g->reads[g->count - 1].place : NULL);
        const bool is_alone = place.group == 0;
        if (g->count > 0 && (is_alone || place.group != g->reads[0].place.group))
            return;
        g->requests[g->count] = *r;
        g->reads[g->count] = (ct_store_read){.data_id = data_id, .place = place};
        g->results[g->count] = (ct_load_result){.slot = r->slot};
        ++g->count;
        ct_ring_pop(queue, NULL);
        if (is_alone)
            return;
    }
}

// --- Streams -------------------------------------------------------------------------------------

// Ends the stream that is being read: with its bytes, with an error, or without a result.
static void end_stream(ct_resource_loader *l, bool is_wanted, const ct_error *error) {
    ct_stream_result result = {.request = l->stream.request, .bytes = l->stream.bytes};
    if (error || !is_wanted) {
        ct_free(l->allocator, result.bytes);
        result.bytes = NULL;
    }
    if (error && is_wanted) {
        result.error = CT_NEW(l->allocator, ct_error);
        *result.error = *error;
    }
    l->stream = (stream_read){0};
    if (!is_wanted)
        return;
    ct_mutex_lock(&l->mutex);
    ct_ring_push(&l->stream_results, &result);
    ct_condition_broadcast(&l->has_results);
    ct_mutex_unlock(&l->mutex);
}

static bool is_wanted(ct_resource_loader *l, const ct_stream_request *r) {
    ct_mutex_lock(&l->mutex);
    const bool result = l->slots.items[r->slot].stream_ticket == r->ticket;
    ct_mutex_unlock(&l->mutex);
    return result;
}

// Reads the next piece.
static void step_stream(ct_resource_loader *l) {
    CT_PROFILER_SCOPE("stream");
    stream_read *const s = &l->stream;
    if (!is_wanted(l, &s->request)) {
        end_stream(l, false, NULL);
        return;
    }
    const uint64_t all = s->request.stream.bytes, left = all - s->done_bytes;
    const uint64_t bytes = left < STREAM_PIECE_BYTES ? left : STREAM_PIECE_BYTES;
    ct_error error = {0};
    if (!s->bytes)
        s->bytes = ct_alloc(l->allocator, all);
    const bool is_read = ct_resource_store_read_stream(l->store, s->request.data_id, s->done_bytes,
                                                       bytes, s->bytes + s->done_bytes, &error);
    s->done_bytes += bytes;
    spend_stream(l, bytes);
    if (!is_read || (s->done_bytes == all && !check_stream(s->bytes, &s->request.stream, &error)))
        end_stream(l, true, &error);
    else if (s->done_bytes == all)
        end_stream(l, true, NULL);
}

// --- The loop ------------------------------------------------------------------------------------

// Takes urgent loads, or others when these `may_read`. Returns false when there are none.
static bool take_any_group(ct_resource_loader *l, bool may_read) {
    take_group(l, &l->urgent, l->group);
    if (l->group->count == 0 && may_read)
        take_group(l, &l->requests, l->group);
    return l->group->count > 0;
}

// Chooses the work to do now. Returns false when the thread has to wait, `wait_ns` at most (0: for
// a request).
static bool choose(ct_resource_loader *l, free_request *f, step *what, uint64_t *wait_ns) {
    *wait_ns = ct_transfer_budget_wait_ns(&l->budget, ct_os_time_ns());
    const bool may_read = *wait_ns == 0, may_stream = may_read || l->num_waiting > 0;
    l->group->count = 0;
    if (ct_ring_pop(&l->frees, f)) {
        l->group->num_callbacks = l->registrations.count;
        *what = STEP_FREE;
    } else if (l->should_stop) {
        *what = STEP_END;
    } else if (take_any_group(l, may_read)) {
        *what = STEP_LOAD;
    } else if (may_stream &&
               (l->stream.request.ticket || ct_ring_pop(&l->streams, &l->stream.request))) {
        *what = STEP_STREAM;
    } else {
        const bool has_reads =
            l->requests.count > 0 || l->streams.count > 0 || l->stream.request.ticket;
        *wait_ns = has_reads ? *wait_ns : 0;
        return false;
    }
    return true;
}

// Waits for what is to be done next.
static step next_step(ct_resource_loader *l, free_request *f) {
    step what = STEP_END;
    uint64_t wait_ns = 0;
    ct_mutex_lock(&l->mutex);
    while (!choose(l, f, &what, &wait_ns)) {
        if (wait_ns > 0)
            ct_condition_wait_for(&l->has_work, &l->mutex, wait_ns);
        else
            ct_condition_wait(&l->has_work, &l->mutex);
    }
    ct_mutex_unlock(&l->mutex);
    return what;
}

static void run(void *data) {
    ct_resource_loader *const l = data;
    free_request f;
    for (step what; (what = next_step(l, &f)) != STEP_END;) {
        if (what == STEP_FREE)
            unload(l, &f, l->group->num_callbacks);
        else if (what == STEP_LOAD)
            load(l, l->group);
        else
            step_stream(l);
    }
    end_stream(l, false, NULL);
}

// --- Life ----------------------------------------------------------------------------------------

ct_resource_loader *ct_resource_loader_create(ct_allocator *a, const ct_resource_store *store) {
    ct_resource_loader *const l = CT_NEW(a, ct_resource_loader);
    l->allocator = a;
    l->store = store;
    ct_mutex_init(&l->mutex);
    ct_condition_init(&l->has_work);
    ct_condition_init(&l->has_results);
    ct_ring_init(&l->frees, a, sizeof(free_request));
    ct_ring_init(&l->urgent, a, sizeof(ct_load_request));
    ct_ring_init(&l->requests, a, sizeof(ct_load_request));
    ct_ring_init(&l->streams, a, sizeof(ct_stream_request));
    ct_ring_init(&l->results, a, sizeof(ct_load_result));
    ct_ring_init(&l->stream_results, a, sizeof(ct_stream_result));
    ct_array_init(&l->slots, a);
    ct_array_init(&l->registrations, a);
    l->group = ct_alloc(a, sizeof(*l->group));
    l->waiters_group = ct_alloc(a, sizeof(*l->waiters_group));
    l->thread = ct_thread_start("resources", run, l);
    return l;
}

void ct_resource_loader_stop(ct_resource_loader *l) {
    ct_mutex_lock(&l->mutex);
    l->should_stop = true;
    ct_condition_signal(&l->has_work);
    ct_mutex_unlock(&l->mutex);
    ct_thread_join(l->thread);
    l->has_stopped = true;
}

void ct_resource_loader_destroy(ct_resource_loader *l) {
    ct_allocator *const a = l->allocator;
    CT_ASSERT(l->has_stopped, "the loader must be stopped before it is destroyed");
    ct_load_result result;
    while (ct_ring_pop(&l->results, &result)) {
        ct_loaded_blob_free(a, result.blob);
        ct_free(a, result.error);
    }
    ct_stream_result stream;
    while (ct_ring_pop(&l->stream_results, &stream)) {
        ct_free(a, stream.bytes);
        ct_free(a, stream.error);
    }
    ct_array_free(&l->registrations);
    ct_array_free(&l->slots);
    ct_ring_free(&l->stream_results);
    ct_ring_free(&l->results);
    ct_ring_free(&l->streams);
    ct_ring_free(&l->requests);
    ct_ring_free(&l->urgent);
    ct_ring_free(&l->frees);
    ct_condition_shutdown(&l->has_results);
    ct_condition_shutdown(&l->has_work);
    ct_mutex_shutdown(&l->mutex);
    ct_free(a, l->group);
    ct_free(a, l->waiters_group);
    ct_free(a, l);
}

void ct_resource_loader_set_streaming(ct_resource_loader *l, bool is_streaming,
                                      uint64_t bytes_per_second) {
    ct_mutex_lock(&l->mutex);
    l->is_streaming = is_streaming;
    l->budget.bytes_per_second = bytes_per_second;
    ct_condition_signal(&l->has_work);
    ct_mutex_unlock(&l->mutex);
}

// --- Requests and results ------------------------------------------------------------------------

static slot_state *state_of(ct_resource_loader *l, uint32_t slot) {
    if (slot >= l->slots.count)
        ct_array_resize(&l->slots, slot + 1);
    return &l->slots.items[slot];
}

static void set_cancelled(ct_resource_loader *l, uint32_t slot, bool is_cancelled) {
    ct_mutex_lock(&l->mutex);
    state_of(l, slot)->is_cancelled = is_cancelled;
    ct_condition_signal(&l->has_work);
    ct_mutex_unlock(&l->mutex);
}

void ct_resource_loader_load(ct_resource_loader *l, const ct_load_request *requests, uint32_t count,
                             bool is_urgent) {
    ct_mutex_lock(&l->mutex);
    for (uint32_t i = 0; i < count; ++i) {
        slot_state *const s = state_of(l, requests[i].slot);
        s->is_cancelled = false;
        s->is_urgent = is_urgent;
        ct_ring_push(is_urgent ? &l->urgent : &l->requests, &requests[i]);
    }
    ct_condition_signal(&l->has_work);
    ct_mutex_unlock(&l->mutex);
}

void ct_resource_loader_hurry(ct_resource_loader *l, const uint32_t *slots, uint32_t count) {
    ct_mutex_lock(&l->mutex);
    for (uint32_t i = 0; i < count; ++i)
        state_of(l, slots[i])->is_urgent = true;
    bool is_all = l->urgent.count == 0;
    for (uint32_t i = 0; i < l->requests.count && is_all; ++i) {
        const ct_load_request *const r = ct_ring_at(&l->requests, i);
        is_all = l->slots.items[r->slot].is_urgent;
    }
    if (is_all) {
        const ct_ring none = l->urgent;
        l->urgent = l->requests;
        l->requests = none;
    }
    for (uint32_t left = l->requests.count; left > 0; --left) {
        ct_load_request r;
        ct_ring_pop(&l->requests, &r);
        ct_ring_push(l->slots.items[r.slot].is_urgent ? &l->urgent : &l->requests, &r);
    }
    ct_condition_signal(&l->has_work);
    ct_mutex_unlock(&l->mutex);
}

bool ct_resource_loader_is_urgent(ct_resource_loader *l, uint32_t slot) {
    ct_mutex_lock(&l->mutex);
    const bool result = state_of(l, slot)->is_urgent;
    ct_mutex_unlock(&l->mutex);
    return result;
}

void ct_resource_loader_cancel(ct_resource_loader *l, uint32_t slot) {
    set_cancelled(l, slot, true);
}

void ct_resource_loader_keep(ct_resource_loader *l, uint32_t slot) {
    set_cancelled(l, slot, false);
}

void ct_resource_loader_refuse(ct_resource_loader *l, uint32_t slot, const char *message) {
    const ct_load_result result = {.slot = slot, .error = CT_NEW(l->allocator, ct_error)};
    ct_error_set(result.error, "%s", message);
    ct_mutex_lock(&l->mutex);
    ct_ring_push(&l->results, &result);
    ct_condition_broadcast(&l->has_results);
    ct_mutex_unlock(&l->mutex);
}

void ct_resource_loader_free(ct_resource_loader *l, ct_resource_id id, ct_loaded_blob blob) {
    const free_request f = {id, blob};
    if (l->has_stopped) {
        unload(l, &f, l->registrations.count);
        return;
    }
    ct_mutex_lock(&l->mutex);
    ct_ring_push(&l->frees, &f);
    ct_condition_signal(&l->has_work);
    ct_mutex_unlock(&l->mutex);
}

void ct_resource_loader_take(ct_resource_loader *l, ct_load_result_array *results) {
    ct_load_result result;
    ct_mutex_lock(&l->mutex);
    while (ct_ring_pop(&l->results, &result))
        ct_array_push(results, result);
    ct_mutex_unlock(&l->mutex);
}

void ct_resource_loader_wait(ct_resource_loader *l) {
    ct_mutex_lock(&l->mutex);
    while (l->results.count == 0) {
        take_group(l, &l->urgent, l->waiters_group);
        if (l->waiters_group->count > 0) {
            ct_mutex_unlock(&l->mutex);
            load(l, l->waiters_group);
            ct_mutex_lock(&l->mutex);
        } else if (l->results.count == 0) {
            ct_condition_wait(&l->has_results, &l->mutex);
        }
    }
    ct_mutex_unlock(&l->mutex);
}

void ct_resource_loader_stream(ct_resource_loader *l, const ct_stream_request *r) {
    ct_mutex_lock(&l->mutex);
    state_of(l, r->slot)->stream_ticket = r->ticket;
    ct_ring_push(&l->streams, r);
    ct_condition_signal(&l->has_work);
    ct_mutex_unlock(&l->mutex);
}

void ct_resource_loader_cancel_stream(ct_resource_loader *l, uint32_t slot) {
    ct_mutex_lock(&l->mutex);
    state_of(l, slot)->stream_ticket = 0;
    ct_mutex_unlock(&l->mutex);
}

bool ct_resource_loader_poll_stream(ct_resource_loader *l, ct_stream_result *result) {
    ct_mutex_lock(&l->mutex);
    const bool has_result = ct_ring_pop(&l->stream_results, result);
    ct_mutex_unlock(&l->mutex);
    return has_result;
}

void ct_resource_loader_wait_for_stream(ct_resource_loader *l) {
    ct_mutex_lock(&l->mutex);
    ++l->num_waiting;
    ct_condition_signal(&l->has_work);
    while (l->stream_results.count == 0)
        ct_condition_wait(&l->has_results, &l->mutex);
    --l->num_waiting;
    ct_mutex_unlock(&l->mutex);
}
