// resource_manager_private.h: shared by the files of the resource manager.
//
// resource_manager.c has records, names, frames and loads of single resources; resource_package.c
// has packages; resource_reload.c swaps changed resources; resource_stream.c has streams;
// resource_made.c has resources that the program makes itself.
#pragma once
#include "foundation/container/array.h"
#include "foundation/container/hash_map.h"
#include "resource/load/resource_loader.h"
#include "resource/types/package_resource.h"

typedef CT_ARRAY(ct_resource_id) ct_reached_array;

typedef enum ct_record_state {
    CT_RECORD_STATE_FREE,
    CT_RECORD_STATE_LOADING, // a result is due
    CT_RECORD_STATE_LOADED,  // its package is not complete yet
    CT_RECORD_STATE_ONLINE,
    CT_RECORD_STATE_REFUSED,
} ct_record_state;

// Where the blob of a record is from.
typedef enum ct_record_origin {
    CT_RECORD_ORIGIN_DATA,      // the data folder or the bundle
    CT_RECORD_ORIGIN_MADE,      // the program, which holds it
    CT_RECORD_ORIGIN_ABANDONED, // the program, which does not hold it any more
} ct_record_origin;

// A held resource. Slot 0 of the records is not used.
typedef struct ct_record {
    ct_resource_id id;
    ct_string_id64 data_name; // of the variant that `blob` is, or will be
    ct_record_state state;
    ct_record_origin origin;
    uint32_t holders;             // packages, and loads without one
    bool is_read_anew;            // a result is due that goes to `new_blob`
    ct_loaded_blob blob;          // LOADED, ONLINE
    ct_loaded_blob new_blob;      // waits for the swap of a reload
    ct_string_id64 new_data_name; // of the variant that `new_blob` is, or will be
    uint32_t older, newer;        // slots: the list of online resources
    uint32_t data_bytes;          // of the blob, according to the catalog
    uint32_t stream_ticket;       // of the requested stream; 0: none
} ct_record;

// A blob that the renderer may still use.
typedef struct ct_retired_blob {
    ct_resource_id id;
    ct_loaded_blob blob;
    uint64_t frame;
} ct_retired_blob;

// A system's registration for a type.
typedef struct ct_registration {
    ct_string_id64 type;
    ct_resource_callbacks callbacks;
} ct_registration;

// A stream that the renderer may still use.
typedef struct ct_retired_stream {
    void *bytes;
    uint64_t frame;
} ct_retired_stream;

// The state of a package handle.
typedef enum ct_package_state {
    CT_PACKAGE_STATE_UNLOADED,
    CT_PACKAGE_STATE_LOADING,
    CT_PACKAGE_STATE_LOADED,
} ct_package_state;

struct ct_resource_package {
    ct_resource_id id;
    ct_package_state state;
    ct_package_resource *blob;
    ct_string_id64 data_name;    // of the variant that `blob` is
    ct_reached_array ids;        // of the held resources, in loading order; empty when unloaded
    ct_u32_array slots;          // slots of these; 0: of no known type
    uint32_t num_ready;          // no slot before this one is LOADING
    uint64_t ready_bytes, bytes; // of the ready ones, and of all
};

struct ct_resource_manager {
    ct_allocator *allocator;
    ct_resource_store *store;
    ct_resource_loader *loader;
    CT_ARRAY(ct_record) records;
    ct_u32_array free_slots;
    ct_hash_map slots; // ct_resource_id_key to slot
    uint32_t newest;   // the end of the list of online resources
    CT_ARRAY(ct_registration) registrations;
    ct_load_request_array asked;  // not sent to the loader yet
    ct_load_result_array results; // buffer for results taken from it
    CT_ARRAY(ct_retired_blob) retired;
    CT_ARRAY(ct_resource_package *) packages;
    uint64_t frame;
    uint32_t error_slot; // of a load that a caller waits for, and where its error goes; 0: none
    ct_error *error;
    ct_catalog *catalog; // NULL: missing
    uint64_t catalog_stamp;
    ct_preference_order preference;
    bool are_variants_due; // to be reloaded
    uint32_t num_told;     // of resources that came online, or were swapped while online; wraps
    uint32_t num_settled;  // that count at the last calls of `settled`
    bool is_streaming;     // streams are read separately
    uint32_t last_ticket;
    uint32_t num_streams; // requested streams
    CT_ARRAY(ct_retired_stream) retired_streams;
};

// --- resource_manager.c --------------------------------------------------------------------------

// Returns the name of a resource type for messages. Works in the player too, which knows no other
// names.
const char *ct_resource_manager_type_name(ct_string_id64 type);

// Reads the catalog if it has changed. An invalid one is logged, and the previous one stays.
void ct_resource_manager_refresh_catalog(ct_resource_manager *m);

// Returns the data name of the preferred variant of `id`; {0} when it has variants but none is
// preferred. A resource that is not in the catalog has its own name.
ct_string_id64 ct_resource_manager_choose(const ct_resource_manager *m, ct_resource_id id);

// Returns the catalog's entry for the preferred variant of `id`; NULL when the resource is not in
// the catalog, or no variant is preferred.
const ct_catalog_variant *ct_resource_manager_variant(const ct_resource_manager *m,
                                                      ct_resource_id id);

// Returns the slot of a held resource, or 0.
uint32_t ct_resource_manager_slot(const ct_resource_manager *m, ct_resource_id id);

// Holds a resource, and requests it if it is missing. Returns its slot; logs a message and returns
// 0 when the id cannot have a slot.
uint32_t ct_resource_manager_hold(ct_resource_manager *m, ct_resource_id id, bool is_urgent);

// Makes a record without blob, state and holders for an id that has none. Returns its slot.
uint32_t ct_resource_manager_add_record(ct_resource_manager *m, ct_resource_id id);

// Like ct_resource_manager_hold for `count` ids. positions[i] is the catalog entry of ids[i], or
// CT_CATALOG_NONE. Sets `slots`.
void ct_resource_manager_hold_many(ct_resource_manager *m, const ct_resource_id *ids,
                                   const uint32_t *positions, uint32_t count, bool is_urgent,
                                   uint32_t *slots);
void ct_resource_manager_release(ct_resource_manager *m, uint32_t slot);

// Brings a LOADED resource online in its systems. They may load more resources, so pointers to
// records do not outlive the call.
void ct_resource_manager_bring_online(ct_resource_manager *m, uint32_t slot);

// Returns the frame after which no reader uses data that is retired now: the one after the last
// update, since the renderer gets changes between two frames with the next.
uint64_t ct_resource_manager_retire_frame(const ct_resource_manager *m);

// Keeps a blob until the renderer has passed that frame.
void ct_resource_manager_retire_blob(ct_resource_manager *m, ct_resource_id id,
                                     ct_loaded_blob blob);

// Returns the callbacks registered at `position` (below registrations.count) if they are of this
// type; otherwise none. Callbacks may register more, so they are copied.
static inline ct_resource_callbacks ct_resource_manager_callbacks(const ct_resource_manager *m,
                                                                  uint32_t position,
                                                                  ct_string_id64 type) {
    const ct_registration *const r = &m->registrations.items[position];
    return r->type.value == type.value ? r->callbacks : (ct_resource_callbacks){0};
}

// Requests the variant `data_name` of the resource in `slot`; {0} gives a refusal.
void ct_resource_manager_ask(ct_resource_manager *m, uint32_t slot, ct_string_id64 data_name,
                             bool is_urgent);

// Calls `settled` of the systems if anything came online or was swapped since the last such call.
void ct_resource_manager_settle(ct_resource_manager *m);

// Takes results from the service thread, and waits until no result for `slot` is due.
void ct_resource_manager_take_results(ct_resource_manager *m);
void ct_resource_manager_wait_for(ct_resource_manager *m, uint32_t slot);

// --- resource_reach.c ----------------------------------------------------------------------------

// Appends the resources that a package's blob lists and everything they refer to, in the order of
// the catalog. Listed packages are followed. Resources that are not in the catalog come first.
// Their catalog entries, or CT_CATALOG_NONE, go to `positions` (NULL is fine). Listed resources
// without a preferred variant are appended to `left_out` (NULL is fine).
void ct_resource_manager_reach_listed(ct_resource_manager *m, const ct_package_resource *package,
                                      ct_reached_array *ids, ct_u32_array *positions,
                                      ct_reached_array *left_out);

// The same for one resource and its references; appends nothing when it is not in the catalog.
void ct_resource_manager_reach(ct_resource_manager *m, ct_resource_id id, ct_reached_array *ids);

// --- resource_package.c --------------------------------------------------------------------------

// Reads the package again if it is in `ids`. If it now reaches other resources than before, holds
// these (online, if the package is); the ones it held before are appended to `lost`, to be released
// later. Returns true if it is one of `ids` and loaded or about to be.
bool ct_resource_package_refresh(ct_resource_manager *m, ct_resource_package *p,
                                 const ct_resource_id *ids, uint32_t count, ct_u32_array *lost);

// Returns whether the preferred variant of the package, if any, is another one than its blob's.
bool ct_resource_package_is_other_variant(const ct_resource_manager *m,
                                          const ct_resource_package *p);

// Brings the loaded resources of a complete package online.
void ct_resource_package_update(ct_resource_manager *m, ct_resource_package *p);

// Frees the handle and its blob.
void ct_resource_package_free(ct_resource_manager *m, ct_resource_package *p);

// --- resource_stream.c ---------------------------------------------------------------------------

// Cancels the requested stream of the resource in `slot`.
void ct_resource_manager_cancel_stream(ct_resource_manager *m, uint32_t slot);

// Passes streams that have arrived to the systems.
void ct_resource_manager_take_streams(ct_resource_manager *m);

// Frees the streams that the renderer is done with once it has passed `frame`.
void ct_resource_manager_retire_streams(ct_resource_manager *m, uint64_t frame);

// --- resource_reload.c ---------------------------------------------------------------------------

// Puts `new_blob` of the record in place of its blob, and notifies the systems. Returns whether one of
// them can see the change.
bool ct_resource_manager_swap(ct_resource_manager *m, uint32_t slot);

// Swaps resources that are loaded in another variant than is preferred now.
void ct_resource_manager_reload_variants(ct_resource_manager *m);
