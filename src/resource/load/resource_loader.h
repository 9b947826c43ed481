// resource_loader.h: the service thread behind the resource manager.
//
// It has queues of requests and of results, under one mutex. The thread frees returned blobs, then
// serves urgent loads, then other loads, and last streams, piece by piece. Consecutive loads from
// one chunk of an archive are served together, as one group. A thread that waits for urgent loads
// serves some of them itself, so that two threads read, unpack and check. Loads that are not
// urgent, and streams while no thread waits for one, keep to a budget of bytes per second; other
// reads are not charged to it. The loader knows nothing of packages or of which resources are
// online; the manager gives each request a slot number, which the result returns. Internal to the
// resource manager.
#pragma once
#include "foundation/container/array.h"
#include "foundation/error.h"
#include "resource/load/resource_manager.h"
#include "resource/load/resource_store.h"

typedef struct ct_resource_loader ct_resource_loader;

typedef struct ct_load_request {
    ct_resource_id id;
    ct_string_id64 data_name; // of the variant
    uint32_t slot;
} ct_load_request;

typedef struct ct_load_result {
    uint32_t slot;
    bool is_cancelled;   // nothing was read
    ct_loaded_blob blob; // valid, after `load`; no data when refused
    ct_error *error;     // why it was refused; the receiver frees it with ct_free
} ct_load_result;

typedef CT_ARRAY(ct_load_request) ct_load_request_array;
typedef CT_ARRAY(ct_load_result) ct_load_result_array;

// A stream to be read whole.
typedef struct ct_stream_request {
    ct_resource_id data_id;
    uint32_t slot, ticket; // the ticket is not 0
    ct_blob_stream stream; // the data's description of it
} ct_stream_request;

typedef struct ct_stream_result {
    ct_stream_request request;
    void *bytes;     // the receiver frees it with ct_free; NULL when refused
    ct_error *error; // why it was refused; the receiver frees it
} ct_stream_result;

// Starts the thread. `a` must be safe to use on any thread; `store` is borrowed until destroy.
ct_resource_loader *ct_resource_loader_create(ct_allocator *a, const ct_resource_store *store);

// Ends the thread after its current work and all requested frees; drops loads. Afterwards
// ct_resource_loader_free works at once, on the calling thread.
void ct_resource_loader_stop(ct_resource_loader *l);

// Frees the stopped loader, and the results that were not taken.
void ct_resource_loader_destroy(ct_resource_loader *l);

// Sets whether streams are read separately (otherwise together with their data, in memory after
// it), and how many bytes per second non-urgent reads may use; 0: no limit. Applies to later
// requests.
void ct_resource_loader_set_streaming(ct_resource_loader *l, bool is_streaming,
                                      uint64_t bytes_per_second);

// Adds `load` and `unload` of a type, which run where its blobs are read and freed: `load` on the
// service thread, or on the waiting thread, and on both at once. Call it any time; it applies to
// later loads.
void ct_resource_loader_register(ct_resource_loader *l, ct_string_id64 type,
                                 const ct_resource_callbacks *callbacks);

// Ends the registrations of `user`. Waits for calls of its functions in progress.
void ct_resource_loader_unregister(ct_resource_loader *l, const void *user);

// Requests resources of known types. A result with its `slot` will arrive for each.
void ct_resource_loader_load(ct_resource_loader *l, const ct_load_request *requests, uint32_t count,
                             bool is_urgent);

// Makes the requested loads with these slots urgent (slot 0 is ignored), because a thread is about
// to wait for them. Costs a step for each load that is not urgent.
void ct_resource_loader_hurry(ct_resource_loader *l, const uint32_t *slots, uint32_t count);

// Returns whether the last load with this slot was urgent or has become so.
bool ct_resource_loader_is_urgent(ct_resource_loader *l, uint32_t slot);

// Makes a load that has not begun end at once; its result still arrives. `keep` cancels that, when
// it is not too late.
void ct_resource_loader_cancel(ct_resource_loader *l, uint32_t slot);
void ct_resource_loader_keep(ct_resource_loader *l, uint32_t slot);

// Adds a refused result with this `slot` and message.
void ct_resource_loader_refuse(ct_resource_loader *l, uint32_t slot, const char *message);

// Calls `load` for a blob that is not from the store, on this thread.
void ct_resource_loader_prepare(ct_resource_loader *l, ct_resource_id id, const void *blob);

// Returns a blob to the loader: `unload` runs, then it is freed.
void ct_resource_loader_free(ct_resource_loader *l, ct_resource_id id, ct_loaded_blob blob);

// Appends the available results to `results`, oldest first.
void ct_resource_loader_take(ct_resource_loader *l, ct_load_result_array *results);

// Serves urgent loads, or waits when the service thread has begun the last of them, until there is
// a result. The result of an urgent load must be due: other loads come after streams and are held
// back by the budget. One thread at a time.
void ct_resource_loader_wait(ct_resource_loader *l);

// Requests a stream. A result will arrive unless the request is cancelled.
void ct_resource_loader_stream(ct_resource_loader *l, const ct_stream_request *r);

// Cancels the stream request with this slot. Its result may still arrive.
void ct_resource_loader_cancel_stream(ct_resource_loader *l, uint32_t slot);

// Like the functions for loads.
bool ct_resource_loader_poll_stream(ct_resource_loader *l, ct_stream_result *result);
void ct_resource_loader_wait_for_stream(ct_resource_loader *l);
