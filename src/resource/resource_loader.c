#include "resource/resource_loader.h"

#include <stdio.h>
#include <string.h>

#include "foundation/array.h"
#include "foundation/os.h"
#include "foundation/profiler.h"
#include "foundation/ring.h"
#include "resource/content_hash.h"
#include "resource/resource_types.h"
#include "resource/transfer_budget.h"

enum { STREAM_PIECE_BYTES = 1 << 20 }; // between which other requests have their turn

typedef struct request {
    ct_resource_id id;
    ct_string_id64 data_name; // of the variant
    uint32_t slot;
    void *blob; // NULL: load; else free this
} request;

typedef struct registration {
    ct_string_id64 type;
    ct_resource_callbacks callbacks;
} registration;

// What was said of a slot after its requests were made.
typedef struct slot_state {
    uint32_t stream_ticket; // of the stream that is wanted; 0: none
    bool is_cancelled;      // the load
    bool is_urgent;         // the load: somebody waits for it
} slot_state;

// The stream that is being read, the thread's own.
typedef struct stream_read {
    ct_stream_request request;
    char *bytes; // NULL: none
    uint64_t done_bytes;
} stream_read;

// What the thread does next.
typedef enum step {
    STEP_END,
    STEP_FREE,
    STEP_LOAD,
    STEP_DROP, // a load that was cancelled
    STEP_STREAM,
} step;

struct ct_resource_loader {
    ct_allocator *allocator;
    const ct_resource_store *store;
    ct_thread thread;
    bool has_stopped;   // of the manager's thread only
    stream_read stream; // of the service thread only
    ct_mutex mutex;     // guards all below
    ct_condition has_work, has_results;
    ct_ring frees, urgent, requests; // request
    ct_ring streams;                 // ct_stream_request
    ct_ring results;                 // ct_load_result
    ct_ring stream_results;          // ct_stream_result
    CT_ARRAY(slot_state) slots;
    CT_ARRAY(registration) registrations;
    ct_transfer_budget budget;
    uint32_t num_waiting; // for streams
    uint32_t num_wanted;  // so many results of loads are waited for; 0: nobody waits
    bool is_streaming;
    bool should_stop;
};

// --- Callbacks -----------------------------------------------------------------------------------

void ct_resource_loader_register(ct_resource_loader *l, ct_string_id64 type,
                                 const ct_resource_callbacks *callbacks) {
    ct_mutex_lock(&l->mutex);
    ct_array_push(&l->registrations, (registration){type, *callbacks});
    ct_mutex_unlock(&l->mutex);
}

uint32_t ct_resource_loader_num_callbacks(ct_resource_loader *l) {
    ct_mutex_lock(&l->mutex);
    const uint32_t count = l->registrations.count;
    ct_mutex_unlock(&l->mutex);
    return count;
}

bool ct_resource_loader_callbacks(ct_resource_loader *l, uint32_t position, ct_string_id64 type,
                                  ct_resource_callbacks *callbacks) {
    ct_mutex_lock(&l->mutex);
    const registration *const r = &l->registrations.items[position];
    const bool is_of_type = r->type.value == type.value;
    if (is_of_type)
        *callbacks = r->callbacks;
    ct_mutex_unlock(&l->mutex);
    return is_of_type;
}

// --- The thread ----------------------------------------------------------------------------------

static void unload(ct_resource_loader *l, const request *r) {
    for (uint32_t i = ct_resource_loader_num_callbacks(l); i-- > 0;) {
        ct_resource_callbacks c;
        if (ct_resource_loader_callbacks(l, i, r->id.type, &c) && c.unload)
            c.unload(c.user, r->id.name, r->blob);
    }
    ct_free(l->allocator, r->blob);
}

// "load texture"
static const char *scope_name(ct_string_id64 type) {
    if (!ct_profiler_is_on())
        return "load";
    char text[CT_PROFILER_NAME_BYTES];
    snprintf(text, sizeof(text), "load %s", ct_resource_type_of(type)->name);
    return ct_profiler_name(text);
}

static void push_result(ct_resource_loader *l, const ct_load_result *result) {
    ct_mutex_lock(&l->mutex);
    ct_ring_push(&l->results, result);
    if (l->num_wanted > 0 && l->results.count >= l->num_wanted)
        ct_condition_broadcast(&l->has_results);
    ct_mutex_unlock(&l->mutex);
}

// Charges what was read for `slot` in the background; what somebody waits for by now is free.
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
           ct_error_set(error, "the stream is not the one of this data");
}

// Reads the stream of a blob behind it, when it has one. NULL with `error`; the blob is freed then.
static void *with_stream(ct_resource_loader *l, uint32_t slot, ct_resource_id data_id, void *blob,
                         ct_error *error) {
    const ct_resource_type *const type = ct_resource_type_of(data_id.type);
    const ct_blob_stream stream = type->stream ? *type->stream(blob) : (ct_blob_stream){0};
    if (stream.bytes == 0)
        return blob;
    const uint64_t blob_bytes = ((const ct_blob_header *)blob)->size_bytes;
    char *const whole = ct_alloc(l->allocator, blob_bytes + stream.bytes);
    memcpy(whole, blob, blob_bytes);
    ct_free(l->allocator, blob);
    spend_load(l, slot, stream.bytes);
    if (ct_resource_store_read_stream(l->store, data_id, 0, stream.bytes, whole + blob_bytes,
                                      error) &&
        check_stream(whole + blob_bytes, &stream, error))
        return whole;
    ct_free(l->allocator, whole);
    return NULL;
}

static void *read_blob(ct_resource_loader *l, const request *r, ct_error *error) {
    const ct_resource_id data_id = {r->id.type, r->data_name};
    ct_mutex_lock(&l->mutex);
    const bool is_streaming = l->is_streaming;
    ct_mutex_unlock(&l->mutex);
    void *blob = ct_resource_store_read(l->store, l->allocator, data_id, error);
    if (blob)
        spend_load(l, r->slot, ((const ct_blob_header *)blob)->size_bytes);
    return blob && !is_streaming ? with_stream(l, r->slot, data_id, blob, error) : blob;
}

static void load(ct_resource_loader *l, const request *r) {
    CT_PROFILER_SCOPE(scope_name(r->id.type));
    ct_error error = {0};
    ct_load_result result = {.slot = r->slot, .blob = read_blob(l, r, &error)};
    if (!result.blob) {
        result.error = CT_NEW(l->allocator, ct_error);
        *result.error = error;
    }
    const uint32_t count = result.blob ? ct_resource_loader_num_callbacks(l) : 0;
    for (uint32_t i = 0; i < count; i++) {
        ct_resource_callbacks c;
        if (ct_resource_loader_callbacks(l, i, r->id.type, &c) && c.load)
            c.load(c.user, r->id.name, result.blob);
    }
    push_result(l, &result);
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

// What can be done now; false when the thread has to wait, `wait_ns` at most (0: for a request).
static bool choose(ct_resource_loader *l, request *r, step *what, uint64_t *wait_ns) {
    *wait_ns = ct_transfer_budget_wait_ns(&l->budget, ct_os_time_ns());
    const bool may_read = *wait_ns == 0, may_stream = may_read || l->num_waiting > 0;
    if (ct_ring_pop(&l->frees, r)) {
        *what = STEP_FREE;
    } else if (l->should_stop) {
        *what = STEP_END;
    } else if (ct_ring_pop(&l->urgent, r) || (may_read && ct_ring_pop(&l->requests, r))) {
        slot_state *const s = &l->slots.items[r->slot];
        *what = s->is_cancelled ? STEP_DROP : STEP_LOAD;
        s->is_cancelled = false;
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
static step next_step(ct_resource_loader *l, request *r) {
    step what = STEP_END;
    uint64_t wait_ns = 0;
    ct_mutex_lock(&l->mutex);
    while (!choose(l, r, &what, &wait_ns)) {
        if (l->num_wanted > 0) { // there will not be more by now
            l->num_wanted = 1;
            ct_condition_broadcast(&l->has_results);
        }
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
    request r;
    for (step what; (what = next_step(l, &r)) != STEP_END;) {
        if (what == STEP_FREE)
            unload(l, &r);
        else if (what == STEP_LOAD)
            load(l, &r);
        else if (what == STEP_DROP)
            push_result(l, &(ct_load_result){.slot = r.slot, .is_cancelled = true});
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
    ct_ring_init(&l->frees, a, sizeof(request));
    ct_ring_init(&l->urgent, a, sizeof(request));
    ct_ring_init(&l->requests, a, sizeof(request));
    ct_ring_init(&l->streams, a, sizeof(ct_stream_request));
    ct_ring_init(&l->results, a, sizeof(ct_load_result));
    ct_ring_init(&l->stream_results, a, sizeof(ct_stream_result));
    ct_array_init(&l->slots, a);
    ct_array_init(&l->registrations, a);
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
    CT_ASSERT(l->has_stopped, "a loader is stopped before it is destroyed");
    ct_load_result result;
    while (ct_ring_pop(&l->results, &result)) {
        ct_free(a, result.blob);
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

static void push(ct_resource_loader *l, ct_ring *queue, const request *r) {
    ct_mutex_lock(&l->mutex);
    ct_ring_push(queue, r);
    ct_condition_signal(&l->has_work);
    ct_mutex_unlock(&l->mutex);
}

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

void ct_resource_loader_load(ct_resource_loader *l, ct_resource_id id, ct_string_id64 data_name,
                             uint32_t slot, bool is_urgent) {
    ct_mutex_lock(&l->mutex);
    state_of(l, slot)->is_cancelled = false;
    state_of(l, slot)->is_urgent = is_urgent;
    ct_mutex_unlock(&l->mutex);
    push(l, is_urgent ? &l->urgent : &l->requests,
         &(request){.id = id, .data_name = data_name, .slot = slot});
}

void ct_resource_loader_hurry(ct_resource_loader *l, const uint32_t *slots, uint32_t count) {
    ct_mutex_lock(&l->mutex);
    for (uint32_t i = 0; i < count; i++)
        state_of(l, slots[i])->is_urgent = true;
    for (uint32_t left = l->requests.count; left > 0; left--) {
        request r;
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
    ct_load_result result = {.slot = slot, .error = CT_NEW(l->allocator, ct_error)};
    ct_error_set(result.error, "%s", message);
    push_result(l, &result);
}

void ct_resource_loader_free(ct_resource_loader *l, ct_resource_id id, void *blob) {
    const request r = {.id = id, .blob = blob};
    if (l->has_stopped)
        unload(l, &r);
    else
        push(l, &l->frees, &r);
}

bool ct_resource_loader_poll(ct_resource_loader *l, ct_load_result *result) {
    ct_mutex_lock(&l->mutex);
    const bool has_result = ct_ring_pop(&l->results, result);
    ct_mutex_unlock(&l->mutex);
    return has_result;
}

void ct_resource_loader_wait(ct_resource_loader *l, uint32_t count) {
    ct_mutex_lock(&l->mutex);
    l->num_wanted = count;
    ct_condition_signal(&l->has_work); // who has nothing to do says so
    while (l->results.count < l->num_wanted)
        ct_condition_wait(&l->has_results, &l->mutex);
    l->num_wanted = 0;
    ct_mutex_unlock(&l->mutex);
}

// --- Requests for streams ------------------------------------------------------------------------

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
