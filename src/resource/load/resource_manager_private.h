// resource_manager_private.h: what the parts of the resource manager share.
//
// resource_manager.c has records, names, frames and loads of single resources; resource_package.c
// has packages; resource_reload.c swaps what changed; resource_stream.c has streams.
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

// A resource that someone holds. Slot 0 of the records is not used.
typedef struct ct_record {
    ct_resource_id id;
    ct_string_id64 data_name; // of the variant that `blob` is, or is to be
    ct_record_state state;
    uint32_t holders;             // packages, and loads without one
    bool is_read_anew;            // a result is due that goes to `new_blob`
    ct_loaded_blob blob;          // LOADED, ONLINE
    ct_loaded_blob new_blob;      // waits for the swap of a reload
    ct_string_id64 new_data_name; // of the variant that `new_blob` is, or is to be
    uint32_t older, newer;        // slots: the list of what is online
    uint32_t data_bytes;          // of the blob, as the catalog says
    uint32_t stream_ticket;       // of the stream that is due; 0: none
} ct_record;

// A blob that the renderer may still use.
typedef struct ct_retired_blob {
    ct_resource_id id;
    ct_loaded_blob blob;
    uint64_t frame;
} ct_retired_blob;

// Who is interested in a type.
typedef struct ct_registration {
    ct_string_id64 type;
    ct_resource_callbacks callbacks;
} ct_registration;

// A stream that the renderer may still use.
typedef struct ct_retired_stream {
    void *bytes;
    uint64_t frame;
} ct_retired_stream;

// How far a package handle is.
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
    ct_reached_array ids;        // of what it holds, in the order of loading; none when unloaded
    ct_u32_array slots;          // of these; 0: of no known type
    uint32_t num_ready;          // slots before this one are not LOADING
    uint64_t ready_bytes, bytes; // of their data, and of all
};

struct ct_resource_manager {
    ct_allocator *allocator;
    ct_resource_store *store;
    ct_resource_loader *loader;
    CT_ARRAY(ct_record) records;
    ct_u32_array free_slots;
    ct_hash_map slots; // ct_resource_id_key to slot
    uint32_t newest;   // the end of the list of what is online
    CT_ARRAY(ct_registration) registrations;
    ct_load_request_array asked;  // not sent to the loader yet
    ct_load_result_array results; // room for what is taken from it
    CT_ARRAY(ct_retired_blob) retired;
    CT_ARRAY(ct_resource_package *) packages;
    uint64_t frame;
    uint32_t error_slot; // of a load that somebody waits for, with the place of its error; 0: none
    ct_error *error;
    ct_catalog *catalog; // NULL: there is none
    uint64_t catalog_stamp;
    ct_preference_order preference;
    bool are_variants_due; // to be reloaded
    uint32_t num_told;     // of resources that came online, or were swapped while they were; wraps
    uint32_t num_settled;  // num_told when systems last heard that things have settled
    bool is_streaming;     // streams are read apart
    uint32_t last_ticket;
    uint32_t num_streams; // that are due
    CT_ARRAY(ct_retired_stream) retired_streams;
};

// --- resource_manager.c --------------------------------------------------------------------------

// The name of a type of resources for messages, in the player too, which knows no other names.
const char *ct_resource_manager_type_name(ct_string_id64 type);

// Reads the catalog when it is another than the one that was read. A bad one is logged, and the
// one before stays.
void ct_resource_manager_refresh_catalog(ct_resource_manager *m);

// The data name of the variant of `id` that is wanted now; {0} when it has variants but none is
// wanted. What the catalog does not know goes by its own name.
ct_string_id64 ct_resource_manager_choose(const ct_resource_manager *m, ct_resource_id id);

// What the catalog says of the variant of `id` that is wanted now; NULL when it does not know it,
// or none is wanted.
const ct_catalog_variant *ct_resource_manager_variant(const ct_resource_manager *m,
                                                      ct_resource_id id);

// The slot of what is held, or 0.
uint32_t ct_resource_manager_slot(const ct_resource_manager *m, ct_resource_id id);

// Holds a resource, and asks for it when it is not there. Returns its slot, or 0 with a message in
// the log when it cannot be one.
uint32_t ct_resource_manager_hold(ct_resource_manager *m, ct_resource_id id, bool is_urgent);

// As ct_resource_manager_hold for `count` ids, of which positions[i] is the entry in the catalog or
// CT_CATALOG_NONE; sets `slots`.
void ct_resource_manager_hold_many(ct_resource_manager *m, const ct_resource_id *ids,
                                   const uint32_t *positions, uint32_t count, bool is_urgent,
                                   uint32_t *slots);
void ct_resource_manager_release(ct_resource_manager *m, uint32_t slot);

// Tells the systems of a LOADED resource. They may load further ones, so pointers to records do
// not outlive the call.
void ct_resource_manager_bring_online(ct_resource_manager *m, uint32_t slot);

// The frame after which nobody reads what goes now: the one after the last update, since between
// two frames the renderer is told with the next.
uint64_t ct_resource_manager_retire_frame(const ct_resource_manager *m);

// Keeps a blob until the renderer has passed that frame.
void ct_resource_manager_retire_blob(ct_resource_manager *m, ct_resource_id id,
                                     ct_loaded_blob blob);

// The callbacks registered at `position` (below registrations.count) when they are of this type;
// else none. Callbacks may register more, so they are copied.
static inline ct_resource_callbacks ct_resource_manager_callbacks(const ct_resource_manager *m,
                                                                  uint32_t position,
                                                                  ct_string_id64 type) {
    const ct_registration *const r = &m->registrations.items[position];
    return r->type.value == type.value ? r->callbacks : (ct_resource_callbacks){0};
}

// Asks the loader for the variant `data_name` of the resource in `slot`; {0} gives a refusal.
void ct_resource_manager_ask(ct_resource_manager *m, uint32_t slot, ct_string_id64 data_name,
                             bool is_urgent);

// Tells the systems that things have settled, if anything came online or was swapped since they
// last heard that.
void ct_resource_manager_settle(ct_resource_manager *m);

// Takes what the service thread has done, and waits until no result for `slot` is due.
void ct_resource_manager_take_results(ct_resource_manager *m);
void ct_resource_manager_wait_for(ct_resource_manager *m, uint32_t slot);

// --- resource_reach.c ----------------------------------------------------------------------------

// Appends what a package's blob lists and all that this refers to, in the order of the catalog.
// Packages that are listed are followed. What the catalog does not know comes first. To `positions`
// (NULL is fine) go their entries in the catalog, or CT_CATALOG_NONE. What is listed but has no
// variant that is wanted is appended to `left_out` (NULL is fine).
void ct_resource_manager_reach_listed(ct_resource_manager *m, const ct_package_resource *package,
                                      ct_reached_array *ids, ct_u32_array *positions,
                                      ct_reached_array *left_out);

// The same of one resource and what it refers to; nothing when the catalog does not know it.
void ct_resource_manager_reach(ct_resource_manager *m, ct_resource_id id, ct_reached_array *ids);

// --- resource_package.c --------------------------------------------------------------------------

// Reads the package anew where `ids` has it. When it reaches other resources now than it did, holds
// these (online, when the package is); what it held before is appended to `lost`, to be released
// later. True when it is one of `ids` and loaded or about to be.
bool ct_resource_package_refresh(ct_resource_manager *m, ct_resource_package *p,
                                 const ct_resource_id *ids, uint32_t count, ct_u32_array *lost);

// True when another variant of the package, or none, is wanted now than its blob is of.
bool ct_resource_package_is_other_variant(const ct_resource_manager *m,
                                          const ct_resource_package *p);

// Brings online what has loaded of a package that is complete.
void ct_resource_package_update(ct_resource_manager *m, ct_resource_package *p);

// Frees the handle and its blob.
void ct_resource_package_free(ct_resource_manager *m, ct_resource_package *p);

// --- resource_stream.c ---------------------------------------------------------------------------

// Forgets the stream that is due for what is in `slot`.
void ct_resource_manager_cancel_stream(ct_resource_manager *m, uint32_t slot);

// Tells the systems of streams that have come.
void ct_resource_manager_take_streams(ct_resource_manager *m);

// Frees the streams that the renderer is done with once it has passed `frame`.
void ct_resource_manager_retire_streams(ct_resource_manager *m, uint64_t frame);

// --- resource_reload.c ---------------------------------------------------------------------------

// Swaps what is loaded in another variant than is wanted now.
void ct_resource_manager_reload_variants(ct_resource_manager *m);
