#include "resource/resource_loader.h"

#include <stdio.h>

#include "foundation/array.h"
#include "foundation/os.h"
#include "foundation/profiler.h"
#include "foundation/ring.h"
#include "resource/resource_types.h"

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

struct ct_resource_loader {
    ct_allocator *allocator;
    const ct_resource_store *store;
    ct_thread thread;
    bool has_stopped; // of the manager's thread only
    ct_mutex mutex;   // guards all below
    ct_condition has_work, has_results;
    ct_ring urgent, requests; // request
    ct_ring results;          // ct_load_result
    CT_ARRAY(registration) registrations;
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
    ct_condition_signal(&l->has_results);
    ct_mutex_unlock(&l->mutex);
}

static void load(ct_resource_loader *l, const request *r) {
    CT_PROFILER_SCOPE(scope_name(r->id.type));
    ct_error error = {0};
    ct_load_result result = {.slot = r->slot};
    result.blob = ct_resource_store_read(l->store, l->allocator,
                                         (ct_resource_id){r->id.type, r->data_name}, &error);
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

// Waits for the next request; false when the thread shall end.
static bool next_request(ct_resource_loader *l, request *r, bool *should_stop) {
    ct_mutex_lock(&l->mutex);
    bool has_request = false;
    for (;;) {
        *should_stop = l->should_stop;
        has_request = ct_ring_pop(&l->urgent, r) || ct_ring_pop(&l->requests, r);
        if (has_request || *should_stop)
            break;
        ct_condition_wait(&l->has_work, &l->mutex);
    }
    ct_mutex_unlock(&l->mutex);
    return has_request;
}

static void run(void *data) {
    ct_resource_loader *const l = data;
    request r;
    bool should_stop;
    while (next_request(l, &r, &should_stop)) {
        if (r.blob)
            unload(l, &r);
        else if (!should_stop)
            load(l, &r);
    }
}

// --- Life ----------------------------------------------------------------------------------------

ct_resource_loader *ct_resource_loader_create(ct_allocator *a, const ct_resource_store *store) {
    ct_resource_loader *const l = CT_NEW(a, ct_resource_loader);
    l->allocator = a;
    l->store = store;
    ct_mutex_init(&l->mutex);
    ct_condition_init(&l->has_work);
    ct_condition_init(&l->has_results);
    ct_ring_init(&l->urgent, a, sizeof(request));
    ct_ring_init(&l->requests, a, sizeof(request));
    ct_ring_init(&l->results, a, sizeof(ct_load_result));
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
    ct_array_free(&l->registrations);
    ct_ring_free(&l->results);
    ct_ring_free(&l->requests);
    ct_ring_free(&l->urgent);
    ct_condition_shutdown(&l->has_results);
    ct_condition_shutdown(&l->has_work);
    ct_mutex_shutdown(&l->mutex);
    ct_free(a, l);
}

// --- Requests and results ------------------------------------------------------------------------

static void push(ct_resource_loader *l, ct_ring *queue, const request *r) {
    ct_mutex_lock(&l->mutex);
    ct_ring_push(queue, r);
    ct_condition_signal(&l->has_work);
    ct_mutex_unlock(&l->mutex);
}

void ct_resource_loader_load(ct_resource_loader *l, ct_resource_id id, ct_string_id64 data_name,
                             uint32_t slot, bool is_urgent) {
    push(l, is_urgent ? &l->urgent : &l->requests,
         &(request){.id = id, .data_name = data_name, .slot = slot});
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
        push(l, &l->requests, &r);
}

bool ct_resource_loader_poll(ct_resource_loader *l, ct_load_result *result) {
    ct_mutex_lock(&l->mutex);
    const bool has_result = ct_ring_pop(&l->results, result);
    ct_mutex_unlock(&l->mutex);
    return has_result;
}

void ct_resource_loader_wait(ct_resource_loader *l) {
    ct_mutex_lock(&l->mutex);
    while (l->results.count == 0)
        ct_condition_wait(&l->has_results, &l->mutex);
    ct_mutex_unlock(&l->mutex);
}
