// resource_manager.h: owns the blobs of all loaded resources and calls systems when resources come
// online, go offline or change.
//
// Packages load on a service thread: it reads and checks files and calls `load` of their type. The
// update thread does so too while it waits for a package. Packages come online on the update
// thread, in ct_resource_manager_update, at a frame boundary. A resource is loaded once, however
// many packages hold it. On a reload, every registered system gets the old and the new blob; the
// old one lives until the render thread has passed that frame. A blob that is missing, damaged or
// of another version is refused with a message; the loaded one stays.
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
//         ct_resource_manager_update(m, frame); // brings loaded resources online
//         ct_resource_manager_retire(m, frame); // when the renderer has passed this frame
//     }
//     const void *const blob = ct_resource_manager_get(m, "lua", ct_string_id64_of("a"));
//
//     ct_resource_package_destroy(m, yard);
//     ct_resource_manager_destroy(m);
#pragma once
#include "foundation/memory/allocator.h"
#include "resource/catalog.h"
#include "resource/load/resource_stream.h"

typedef struct ct_resource_manager ct_resource_manager;
typedef struct ct_resource_package ct_resource_package;

// A system's functions for the resources of one type. Functions may be NULL. Blobs are valid until
// offline, or after a reload until the renderer has passed that frame.
typedef struct ct_resource_callbacks {
    void *user;
    // On the service thread, or on the thread that waits for the load, and for two blobs at once,
    // before online: does slow preparation; must not touch the system. `unload` undoes it right
    // before the blob is freed (on the service thread; when the manager is destroyed, on the
    // caller's).
    void (*load)(void *user, ct_string_id64 name, const void *blob);
    void (*unload)(void *user, ct_string_id64 name, const void *blob);
    // On the update thread.
    void (*online)(void *user, ct_string_id64 name, const void *blob);
    void (*offline)(void *user, ct_string_id64 name, const void *blob);
    void (*reload)(void *user, ct_string_id64 name, const void *old_blob, const void *new_blob);
    // The requested stream of an online resource has arrived. It is valid until the renderer has
    // passed the next frame.
    void (*streamed)(void *user, ct_string_id64 name, const void *blob, const void *stream);
    // Runs after `online` and `reload` of all resources of a reload, or of all since the last
    // update: all resources that changed together are in place.
    void (*settled)(void *user);
} ct_resource_callbacks;

// Parameters of a new manager.
typedef struct ct_resource_manager_desc {
    ct_allocator *allocator;
    const char *data_folder; // copied
} ct_resource_manager_desc;

// Makes a manager and starts its service thread. If something is wrong with the data,
// ct_resource_manager_check_data reports it.
ct_resource_manager *ct_resource_manager_create(const ct_resource_manager_desc *desc);

// Returns whether there is data to load: a bundle whose parts are complete and belong together, or
// a folder with a catalog. Otherwise returns false with `error`, which says what is missing or
// damaged. Existing resources can still be loaded then, but variants and references are unknown.
bool ct_resource_manager_check_data(ct_resource_manager *m, ct_error *error);

// Takes everything offline, newest first. Call it at the end, when registered systems are destroyed
// before the manager. All packages must be destroyed before; nothing may be loaded afterwards.
void ct_resource_manager_end_all(ct_resource_manager *m);

// Takes everything offline, newest first, and frees it with all packages.
void ct_resource_manager_destroy(ct_resource_manager *m);

// Registers a system for `type`, before anything of that type is loaded. Several systems may
// register: they are called in the order of registration, for offline in reverse. `callbacks` are
// copied.
void ct_resource_manager_register(ct_resource_manager *m, const char *type,
                                  const ct_resource_callbacks *callbacks);

// Ends all registrations of `user`, which may then be freed: none of its functions runs or is
// called any more, `unload` neither. Waits for the one that runs. For a system with `load` or
// `unload` that ends before the manager.
void ct_resource_manager_unregister(ct_resource_manager *m, const void *user);

// Returns the blob of an online resource, or NULL. One lookup in a hash map.
const void *ct_resource_manager_get(const ct_resource_manager *m, const char *type,
                                    ct_string_id64 name);

// Like ct_resource_manager_get, by id.
const void *ct_resource_manager_get_id(const ct_resource_manager *m, ct_resource_id id);

// Calls `each` for all online resources of a type, in the order in which they came online. `each`
// must not load or unload.
void ct_resource_manager_each_online(const ct_resource_manager *m, const char *type,
                                     void (*each)(void *user, ct_string_id64 name,
                                                  const void *blob),
                                     void *user);

// Returns whether compiled data of a preferred variant of this resource exists, loaded or not.
// Looks at the disk.
bool ct_resource_manager_can_get(ct_resource_manager *m, const char *type, const char *name);

// The reason why a known resource cannot be loaded: messages add this after its name and a colon.
#define CT_RESOURCE_UNWANTED                                                                       \
    "it has variants only with properties that are not preferred "                                 \
    "(Application.set_property_preference_order)"

// Returns whether all variants of this resource have properties that are not preferred.
bool ct_resource_manager_is_unwanted(ct_resource_manager *m, const char *type, const char *name);

// Sets `nearest` to the name of this type in the catalog that is most like `name`, for "did you
// mean". Returns false when no name is similar.
bool ct_resource_manager_nearest(ct_resource_manager *m, const char *type, const char *name,
                                 char nearest[CT_RESOURCE_NAME_BYTES]);

// Makes a handle of the resource package `name`. Returns NULL with `error` when the package does
// not exist. Loads nothing yet.
ct_resource_package *ct_resource_package_create(ct_resource_manager *m, const char *name,
                                                ct_error *error);

// Unloads the package if it is loaded, and frees the handle.
void ct_resource_package_destroy(ct_resource_manager *m, ct_resource_package *p);

// Starts to load in the background the resources that the package lists, in the variants that are
// preferred now, and everything they refer to. If no variant of the package itself is preferred, or
// it cannot be read, that is logged and the previously read list is used. Loading twice is a bug.
void ct_resource_package_load(ct_resource_manager *m, ct_resource_package *p);

// Loads the package at once: like load and flush, but nothing is charged to the budget of
// background reads.
void ct_resource_package_load_now(ct_resource_manager *m, ct_resource_package *p);

// Returns whether everything in the package is online. Refused resources were logged and do not
// count.
bool ct_resource_package_has_loaded(const ct_resource_package *p);

// Waits until the package has loaded, and brings it online.
void ct_resource_package_flush(ct_resource_manager *m, ct_resource_package *p);

// The progress of a package. Bytes are of blobs, as in the catalog, without streams.
typedef struct ct_resource_progress {
    uint32_t num_loaded, num_resources; // refused ones count as loaded
    uint64_t loaded_bytes, bytes;
} ct_resource_progress;

// Returns the package's progress; all 0 while it is unloaded. Resources that other packages have
// loaded count as loaded.
ct_resource_progress ct_resource_package_progress(const ct_resource_manager *m,
                                                  ct_resource_package *p);

// Sets `expected` to the amount that loading the package `name` would load now if nothing were
// loaded; the package may be loaded or not. Returns false with `error` when the package does not
// exist. Reads the package.
bool ct_resource_package_expect(ct_resource_manager *m, const char *name,
                                ct_resource_progress *expected, ct_error *error);

// Returns the loaded share, 0 to 1: of bytes, or of resources when bytes are unknown. 0 when there
// is nothing to load.
double ct_resource_progress_share(const ct_resource_progress *p);

// Returns the progress of the packages of this name ({0}: all that are loaded or loading), over all
// handles. `is_complete` is set when none of them is loading and, for a name, at least one has
// loaded.
ct_resource_progress ct_resource_manager_progress(const ct_resource_manager *m, ct_string_id64 name,
                                                  bool *is_complete);

// Unloads the package: takes resources offline that no other loaded package holds, and drops
// pending reads. Does nothing when the package was not loaded.
void ct_resource_package_unload(ct_resource_manager *m, ct_resource_package *p);

// Loads one resource without a package, at once; it stays loaded until the manager is destroyed.
// Returns false with `error` on failure.
bool ct_resource_manager_load_now(ct_resource_manager *m, const char *type, const char *name,
                                  ct_error *error);

// Like ct_resource_manager_load_now, with everything that the resource refers to. Refused
// references are logged.
bool ct_resource_manager_load_needed_now(ct_resource_manager *m, const char *type, const char *name,
                                         ct_error *error);

// Returns the catalog, or NULL when it is missing. Borrowed until the next call of a non-const
// function.
const ct_catalog *ct_resource_manager_catalog(ct_resource_manager *m);

// Sets whether streams stay on disk until they are requested (otherwise, and by default, they are
// loaded with their data and follow it in memory), and how many bytes per second may be read in the
// background (0: no limit). Call it before anything with a stream is loaded; the limit may change
// any time. Reads that a thread waits for (flush, load_now, reload) come first and are not charged
// to the limit.
void ct_resource_manager_set_streaming(ct_resource_manager *m, bool is_streaming,
                                       uint64_t bytes_per_second);
bool ct_resource_manager_is_streaming(const ct_resource_manager *m);

// Requests the stream of an online resource. It arrives in a ct_resource_manager_update, once,
// unless the resource goes offline or is reloaded before. Does nothing when the stream was
// requested already, when the resource has no stream, or when streams are loaded with their data.
void ct_resource_manager_request_stream(ct_resource_manager *m, const char *type,
                                        ct_string_id64 name);

// Returns a reader of the stream of an online resource, in the variant in use: of its memory when
// streams are loaded with their data, or else of the file or the bundle. Returns {0} when the
// resource is not online or has no stream. A reader of memory is valid as long as the blob, any
// other as long as the manager.
ct_resource_stream_reader ct_resource_manager_stream_reader(const ct_resource_manager *m,
                                                            const char *type, ct_string_id64 name);

// Returns the number of requested streams that have not arrived.
uint32_t ct_resource_manager_num_streams(const ct_resource_manager *m);

// Waits until all streams have arrived, and calls `streamed` for them.
void ct_resource_manager_wait_for_streams(ct_resource_manager *m);

// Says that frame `frame` is being recorded now, where the renderer's frame changes between two calls of
// ct_resource_manager_update: what goes from now on stays for that frame and the next.
void ct_resource_manager_follow(ct_resource_manager *m, uint64_t frame);

// Brings loaded resources online. Call it at the frame boundary; `frame` is the number of this
// frame.
void ct_resource_manager_update(ct_resource_manager *m, uint64_t frame);

// Frees blobs that were replaced or taken offline before frame `frame`, and streams that arrived
// before it, as the renderer has passed that frame. A resource that goes offline after the update
// of one frame may reach the renderer with the next frame, so it outlives both.
void ct_resource_manager_retire(ct_resource_manager *m, uint64_t frame);

// Reads changed resources again, in the variants that are preferred now, and swaps the loaded ones,
// in the order of the type table. Waits for the service thread meanwhile. Packages among them first
// bring new resources online, and at the end release removed ones. Returns how many resources,
// including packages, were swapped, or came online after having been refused before. Refused ones
// are logged and stay as they were; resources that are not loaded are skipped. Blobs replaced here
// retire with the frame after the one given last to ct_resource_manager_update.
uint32_t ct_resource_manager_reload(ct_resource_manager *m, const ct_resource_id *ids,
                                    uint32_t count);

// Sets which variants are preferred, for all later loads. `order` is copied.
void ct_resource_manager_set_preference(ct_resource_manager *m, const ct_preference_order *order);

// Makes the next ct_resource_manager_update swap resources that are loaded in another variant than
// is preferred then. Packages among them then hold the resources that their new variants list.
void ct_resource_manager_request_variants(ct_resource_manager *m);
