// resource_loader.h: the service thread behind the resource manager.
//
// Queues of requests and of results, under one mutex. The thread frees what is given back, then
// serves urgent loads, other loads, and last streams, piece by piece. Loads that follow each other
// and lie in one chunk of an archive are served together, as one group. Who waits for urgent loads
// serves some itself meanwhile, so that two threads read, unpack and check. Loads that are not
// urgent, and streams unless somebody waits for one, keep to a budget of bytes per second; what
// does not keep to it is not charged to it. It knows neither packages nor which resources are
// online; the manager gives each request a slot number and gets it back. Internal to the resource
// manager.
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
    ct_loaded_blob blob; // valid, `load` has run; no data when refused
    ct_error *error;     // why it was refused; the receiver frees it with ct_free
} ct_load_result;

typedef CT_ARRAY(ct_load_request) ct_load_request_array;
typedef CT_ARRAY(ct_load_result) ct_load_result_array;

// A stream to be read whole.
typedef struct ct_stream_request {
    ct_resource_id data_id;
    uint32_t slot, ticket; // the ticket is not 0
    ct_blob_stream stream; // what the data says of it
} ct_stream_request;

typedef struct ct_stream_result {
    ct_stream_request request;
    void *bytes;     // the receiver frees it with ct_free; NULL when refused
    ct_error *error; // why; the receiver frees it
} ct_stream_result;

// Starts the thread. `a` must be safe from any thread; `store` is borrowed until destroy.
ct_resource_loader *ct_resource_loader_create(ct_allocator *a, const ct_resource_store *store);

// Ends the thread after what it does now and after all frees asked for; loads are dropped. From
// then on ct_resource_loader_free works at once, on the calling thread.
void ct_resource_loader_stop(ct_resource_loader *l);

// Frees the loader, which was stopped, and the results nobody took.
void ct_resource_loader_destroy(ct_resource_loader *l);

// Sets whether streams are read apart (else with their data, behind which they lie), and how many
// bytes a second are read that are not urgent; 0: as many as there are. For what is asked for from
// now on.
void ct_resource_loader_set_streaming(ct_resource_loader *l, bool is_streaming,
                                      uint64_t bytes_per_second);

// Adds `load` and `unload` of a type, which run where its blobs are read and freed; `load` on the
// service thread, or on the one that waits, and on both at once. Any time; seen by what is loaded
// afterwards.
void ct_resource_loader_register(ct_resource_loader *l, ct_string_id64 type,
                                 const ct_resource_callbacks *callbacks);

// Asks for resources of known types; a result with its `slot` will come for each.
void ct_resource_loader_load(ct_resource_loader *l, const ct_load_request *requests, uint32_t count,
                             bool is_urgent);

// Makes the loads with these slots urgent that have been asked for (0 is passed over): somebody is
// about to wait for them. Costs a step for each load that is not urgent.
void ct_resource_loader_hurry(ct_resource_loader *l, const uint32_t *slots, uint32_t count);

// True when the last load with this slot was urgent or has become so.
bool ct_resource_loader_is_urgent(ct_resource_loader *l, uint32_t slot);

// Has a load that has not begun end at once; its result comes all the same. `keep` takes that back,
// when it is not too late.
void ct_resource_loader_cancel(ct_resource_loader *l, uint32_t slot);
void ct_resource_loader_keep(ct_resource_loader *l, uint32_t slot);

// Has a result with `slot` come that is refused with this message.
void ct_resource_loader_refuse(ct_resource_loader *l, uint32_t slot, const char *message);

// Gives a blob back: `unload` runs, then it is freed.
void ct_resource_loader_free(ct_resource_loader *l, ct_resource_id id, ct_loaded_blob blob);

// Appends the results that there are to `results`, oldest first.
void ct_resource_loader_take(ct_resource_loader *l, ct_load_result_array *results);

// Serves urgent loads, or waits where the service thread has begun the last of them, until there is
// a result. One must be due, of an urgent load: others come after streams and are held back by the
// budget. One thread at a time.
void ct_resource_loader_wait(ct_resource_loader *l);

// Asks for a stream. A result will come unless it is cancelled.
void ct_resource_loader_stream(ct_resource_loader *l, const ct_stream_request *r);

// Forgets the stream that was asked for with this slot. Its result may be on its way.
void ct_resource_loader_cancel_stream(ct_resource_loader *l, uint32_t slot);

// As for loads.
bool ct_resource_loader_poll_stream(ct_resource_loader *l, ct_stream_result *result);
void ct_resource_loader_wait_for_stream(ct_resource_loader *l);
