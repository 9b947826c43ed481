// resource_loader.h: the service thread behind the resource manager.
//
// Two queues of requests (urgent ones first) and one of results, under one mutex. The thread reads,
// checks and prepares blobs, and undoes and frees them. It knows neither packages nor which
// resources are online; the manager gives each request a slot number and gets it back. Internal to
// the resource manager.
#pragma once
#include "foundation/error.h"
#include "resource/resource_manager.h"
#include "resource/resource_store.h"

typedef struct ct_resource_loader ct_resource_loader;

typedef struct ct_load_result {
    uint32_t slot;
    void *blob;      // valid, `load` has run; NULL when refused
    ct_error *error; // why it was refused; the receiver frees it with ct_free
} ct_load_result;

// Starts the thread. `a` must be safe from any thread; `store` is borrowed until destroy.
ct_resource_loader *ct_resource_loader_create(ct_allocator *a, const ct_resource_store *store);

// Ends the thread after what it does now and after all frees asked for; loads are dropped. From
// then on ct_resource_loader_free works at once, on the calling thread.
void ct_resource_loader_stop(ct_resource_loader *l);

// Frees the loader, which was stopped, and the results nobody took.
void ct_resource_loader_destroy(ct_resource_loader *l);

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

// Has a result with `slot` come that is refused with this message.
void ct_resource_loader_refuse(ct_resource_loader *l, uint32_t slot, const char *message);

// Gives a blob back: `unload` runs, then it is freed.
void ct_resource_loader_free(ct_resource_loader *l, ct_resource_id id, void *blob);

// Takes the oldest result; false when there is none.
bool ct_resource_loader_poll(ct_resource_loader *l, ct_load_result *result);

// Waits until there is a result. One must be due.
void ct_resource_loader_wait(ct_resource_loader *l);
