// resource_loader.h: the service thread behind the resource manager.
//
// Queues of requests and of results, under one mutex. The thread frees what is given back, then
// serves urgent loads, other loads, and last streams, piece by piece. Loads that are not urgent,
// and streams unless somebody waits for one, keep to a budget of bytes per second; what does not
// keep to it is not charged to it. It knows neither packages nor which resources are online; the
// manager gives each request a slot number and gets it back. Internal to the resource manager.
#pragma once
#include "foundation/error.h"
#include "resource/resource_manager.h"
#include "resource/resource_store.h"

typedef struct ct_resource_loader ct_resource_loader;

typedef struct ct_load_result {
    uint32_t slot;
    bool is_cancelled; // nothing was read
    void *blob;        // valid, `load` has run; NULL when refused
    ct_error *error;   // why it was refused; the receiver frees it with ct_free
} ct_load_result;

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

// Adds callbacks of a type. Any time; seen by what is loaded afterwards.
void ct_resource_loader_register(ct_resource_loader *l, ct_string_id64 type,
                                 const ct_resource_callbacks *callbacks);

// The number of callbacks registered for all types, and those at `position` when they are of this
// type (else false).
uint32_t ct_resource_loader_num_callbacks(ct_resource_loader *l);
bool ct_resource_loader_callbacks(ct_resource_loader *l, uint32_t position, ct_string_id64 type,
                                  ct_resource_callbacks *callbacks);

// Asks for the variant `data_name` of a resource of a known type; a result with `slot` will come.
void ct_resource_loader_load(ct_resource_loader *l, ct_resource_id id, ct_string_id64 data_name,
                             uint32_t slot, bool is_urgent);

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
void ct_resource_loader_free(ct_resource_loader *l, ct_resource_id id, void *blob);

// Takes the oldest result; false when there is none.
bool ct_resource_loader_poll(ct_resource_loader *l, ct_load_result *result);

// Waits until there are `count` (at least 1) results of loads. So many must be due, of urgent ones:
// others come after streams and are held back by the budget. To be woken for each of many costs
// more than most of them do.
void ct_resource_loader_wait(ct_resource_loader *l, uint32_t count);

// Asks for a stream. A result will come unless it is cancelled.
void ct_resource_loader_stream(ct_resource_loader *l, const ct_stream_request *r);

// Forgets the stream that was asked for with this slot. Its result may be on its way.
void ct_resource_loader_cancel_stream(ct_resource_loader *l, uint32_t slot);

// As for loads.
bool ct_resource_loader_poll_stream(ct_resource_loader *l, ct_stream_result *result);
void ct_resource_loader_wait_for_stream(ct_resource_loader *l);
