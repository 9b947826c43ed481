// resource_manager.h: owns the blobs of all loaded resources and calls systems when resources come
// online, go offline and change.
//
// Packages load on a service thread: it reads and checks files and calls `load` of their type. The
// update thread does so too while it waits for a package. Packages come online on the update
// thread, in ct_resource_manager_update, at a frame boundary. A resource is loaded once however
// many packages hold it. On reload every interested system gets the old and the new blob; the old
// one lives until the render thread has passed the frame in which that happened. A blob that is
// missing, damaged or of another version is refused with a message; whatever was loaded stays.
//
// All functions are for the update thread.
//
// Example (tests/resource/load/test_resource_manager.c):
//
//     ct_resource_manager *const m = ct_resource_manager_create(
//         &(ct_resource_manager_desc){.allocator = a, .data_folder = data_folder});
//     ct_resource_manager_register(
//         m, "lua", &(ct_resource_callbacks){.user = &num_scripts, .online = count_script});
//
//     ct_error error = {0};
//     ct_resource_package *const yard = ct_resource_package_create(m, "main", &error);
//     CT_ASSERT(yard, "%s", error.message);
//     ct_resource_package_load(m, yard); // in the background
//     for (uint64_t frame = 1; !ct_resource_package_has_loaded(yard); ++frame) {
//         ct_resource_manager_update(m, frame); // what has loaded comes online
//         ct_resource_manager_retire(m, frame); // when the renderer has passed this frame
//     }
//     const void *const blob = ct_resource_manager_get(m, "lua", ct_string_id64_of("a"));
//
//     ct_resource_package_destroy(m, yard);
//     ct_resource_manager_destroy(m);
#pragma once
#include "foundation/memory/allocator.h"
#include "resource/catalog.h"

typedef struct ct_resource_manager ct_resource_manager;
typedef struct ct_resource_package ct_resource_package;

// What a system does with the resources of one type. Functions may be NULL. Blobs are valid, and
// stay until offline, or after a reload until the renderer has passed that frame.
typedef struct ct_resource_callbacks {
    void *user;
    // On the service thread, or on the one that waits for the load, and for two blobs at once,
    // before online: prepares something slow; must not touch the system. `unload` undoes it right
    // before the blob is freed (on the service thread; when the manager ends, on the caller's).
    void (*load)(void *user, ct_string_id64 name, const void *blob);
    void (*unload)(void *user, ct_string_id64 name, const void *blob);
    // On the update thread.
    void (*online)(void *user, ct_string_id64 name, const void *blob);
    void (*offline)(void *user, ct_string_id64 name, const void *blob);
    void (*reload)(void *user, ct_string_id64 name, const void *old_blob, const void *new_blob);
    // The stream of an online resource that was asked for has come; it stays until the renderer has
    // passed the next frame.
    void (*streamed)(void *user, ct_string_id64 name, const void *blob, const void *stream);
    // After `online` and `reload` of all that a reload, or the time until an update, brought: now
    // what changed together is there together.
    void (*settled)(void *user);
} ct_resource_callbacks;

// How to make a manager.
typedef struct ct_resource_manager_desc {
    ct_allocator *allocator;
    const char *data_folder; // copied
} ct_resource_manager_desc;

// Makes a manager and starts its service thread. When something is wrong with the data,
// ct_resource_manager_check_data says so.
ct_resource_manager *ct_resource_manager_create(const ct_resource_manager_desc *desc);

// Returns true when there is data to load: a bundle whose parts are all there and belong
// together, or a folder with a catalog. Otherwise false with `error`, which says what is missing
// or damaged. Resources that are there can still be loaded, but variants and references are
// unknown.
bool ct_resource_manager_check_data(ct_resource_manager *m, ct_error *error);

// Takes everything offline, newest first. Call it at the end, when registered systems go before
// the manager does. Packages must have been destroyed, and nothing may be loaded afterwards.
void ct_resource_manager_end_all(ct_resource_manager *m);

// Takes everything offline, newest first, and frees it with all packages.
void ct_resource_manager_destroy(ct_resource_manager *m);

// Adds a system that is interested in `type`, before anything of that type is loaded. Several
// systems may be: they are called in the order they registered, for offline in reverse.
// `callbacks` are copied.
void ct_resource_manager_register(ct_resource_manager *m, const char *type,
                                  const ct_resource_callbacks *callbacks);

// Returns the blob of an online resource, or NULL. One lookup in a hash map.
const void *ct_resource_manager_get(const ct_resource_manager *m, const char *type,
                                    ct_string_id64 name);

// As ct_resource_manager_get, by id.
const void *ct_resource_manager_get_id(const ct_resource_manager *m, ct_resource_id id);

// Calls `each` for all online resources of a type, in the order in which they came online. `each`
// must not load or unload.
void ct_resource_manager_each_online(const ct_resource_manager *m, const char *type,
                                     void (*each)(void *user, ct_string_id64 name,
                                                  const void *blob),
                                     void *user);

// Returns whether compiled data of a wanted variant of this resource exists, loaded or not.
// Looks at the disk.
bool ct_resource_manager_can_get(ct_resource_manager *m, const char *type, const char *name);

// Why a known resource is not there: messages add this after its name and a colon.
#define CT_RESOURCE_UNWANTED                                                                       \
    "it has variants only with properties that are not preferred "                                 \
    "(Application.set_property_preference_order)"

// Returns whether all variants of this resource have properties that are not preferred.
bool ct_resource_manager_is_unwanted(ct_resource_manager *m, const char *type, const char *name);

// Sets `nearest` to the name of this type in the catalog that is most like `name`, for "did you
// mean". False when no name is like it.
bool ct_resource_manager_nearest(ct_resource_manager *m, const char *type, const char *name,
                                 char nearest[CT_RESOURCE_NAME_BYTES]);

// Makes a handle of the resource package `name`; NULL with `error` when there is no such
// package. Loads nothing yet.
ct_resource_package *ct_resource_package_create(ct_resource_manager *m, const char *name,
                                                ct_error *error);

// Unloads the package when it is loaded, and frees the handle.
void ct_resource_package_destroy(ct_resource_manager *m, ct_resource_package *p);

// Starts to load in the background what the package lists, in the variants that are wanted now,
// and all that these refer to. When no variant of the package itself is wanted, or it cannot be
// read, that is logged and the list that was read before is used. Loading twice is a bug.
void ct_resource_package_load(ct_resource_manager *m, ct_resource_package *p);

// Loads the package at once: as load and flush, but nothing is charged to the budget of
// background reads.
void ct_resource_package_load_now(ct_resource_manager *m, ct_resource_package *p);

// Returns whether everything in the package is online. Resources that were refused were logged
// and do not count.
bool ct_resource_package_has_loaded(const ct_resource_package *p);

// Waits until the package has loaded, and brings it online.
void ct_resource_package_flush(ct_resource_manager *m, ct_resource_package *p);

// How far a package is. Bytes are of blobs, as the catalog has them, without streams.
typedef struct ct_resource_progress {
    uint32_t num_loaded, num_resources; // refused ones count as loaded
    uint64_t loaded_bytes, bytes;
} ct_resource_progress;

// Returns how far the package is; all 0 while it is unloaded. What other packages have loaded
// counts as loaded.
ct_resource_progress ct_resource_package_progress(const ct_resource_manager *m,
                                                  ct_resource_package *p);

// Sets `expected` to what the package `name` would load now, with nothing loaded, whether it is
// loaded or not. False with `error` when there is no such package. Reads the package.
bool ct_resource_package_expect(ct_resource_manager *m, const char *name,
                                ct_resource_progress *expected, ct_error *error);

// Returns the share that has loaded, 0 to 1: of bytes, or of resources where bytes are not
// known. 0 when there is nothing to load.
double ct_resource_progress_share(const ct_resource_progress *p);

// Returns how far the packages of this name are ({0}: all that are loaded or loading), in all
// handles. `is_complete` is set when none of them is loading, and for a name, at least one has
// loaded.
ct_resource_progress ct_resource_manager_progress(const ct_resource_manager *m, ct_string_id64 name,
                                                  bool *is_complete);

// Unloads the package: takes offline what no other loaded package holds, and drops what has not
// been read yet. Does nothing when it was not loaded.
void ct_resource_package_unload(ct_resource_manager *m, ct_resource_package *p);

// Loads one resource without a package, at once; it stays until the end. False with `error`.
bool ct_resource_manager_load_now(ct_resource_manager *m, const char *type, const char *name,
                                  ct_error *error);

// As ct_resource_manager_load_now, with all that the resource refers to. What is refused of that
// is logged.
bool ct_resource_manager_load_needed_now(ct_resource_manager *m, const char *type, const char *name,
                                         ct_error *error);

// Returns the catalog, or NULL when it is missing. Borrowed until the next call of a function
// that is not const.
const ct_catalog *ct_resource_manager_catalog(ct_resource_manager *m);

// Sets whether streams stay on the disk until they are asked for (otherwise, and at first, they
// are loaded with their data and follow it in memory), and how many bytes a second are read in
// the background (0: no limit). Call it before anything with a stream is loaded; the limit may
// change any time. Reads that a thread waits for (flush, load_now, reload) come first and are
// not charged to the limit.
void ct_resource_manager_set_streaming(ct_resource_manager *m, bool is_streaming,
                                       uint64_t bytes_per_second);
bool ct_resource_manager_is_streaming(const ct_resource_manager *m);

// Asks for the stream of an online resource. It arrives in a ct_resource_manager_update, once,
// unless the resource goes offline or is reloaded before. Does nothing when the stream is due
// already, when the resource has none, or when streams are loaded with their data.
void ct_resource_manager_request_stream(ct_resource_manager *m, const char *type,
                                        ct_string_id64 name);

// Returns the number of streams that were asked for and have not arrived.
uint32_t ct_resource_manager_num_streams(const ct_resource_manager *m);

// Waits until all streams have arrived, and calls `streamed` for them.
void ct_resource_manager_wait_for_streams(ct_resource_manager *m);

// Brings online what has loaded. Call it at the frame boundary; `frame` is the number of this
// frame.
void ct_resource_manager_update(ct_resource_manager *m, uint64_t frame);

// Frees what was replaced or taken offline before frame `frame`, and streams that arrived before
// it: the renderer has passed that frame. What goes offline after the update of one frame may
// reach the renderer with the next, so it outlives both.
void ct_resource_manager_retire(ct_resource_manager *m, uint64_t frame);

// Reads changed resources again, in the variants that are wanted now, and swaps those that are
// loaded, in the order of the type table; waits for the service thread meanwhile. Packages among
// them first bring online what they gained, and at the end release what they lost. Returns how
// many were swapped, packages included, or came online after having been refused before. Refused
// ones are logged and stay as they were; resources that are not loaded are passed over. Blobs
// replaced here retire with the frame after the one given last to ct_resource_manager_update.
uint32_t ct_resource_manager_reload(ct_resource_manager *m, const ct_resource_id *ids,
                                    uint32_t count);

// Sets which variants are wanted, for all that is loaded from now on. `order` is copied.
void ct_resource_manager_set_preference(ct_resource_manager *m, const ct_preference_order *order);

// Makes the next ct_resource_manager_update swap what is loaded in another variant than is
// wanted then; packages among it hold what their variants list from then on.
void ct_resource_manager_request_variants(ct_resource_manager *m);
