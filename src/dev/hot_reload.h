// hot_reload.h: from a saved file to the changed resource in the running game.
//
// A service thread waits for file changes below project and core, runs the compiler (whose workers
// stay alive) and queues the changed resources; the update thread takes them at a frame boundary.
// Changes in quick succession (`git checkout`) count as one: it waits for their end
// (project/source_watch.h), drops the errors of states that have changed since, and compiles
// nothing further until the update thread has read what it queued.
#pragma once
#include "app/app.h"
#include "compiler/driver/compiler.h"

typedef struct ct_hot_reload ct_hot_reload;

// Starts the service thread, which alone uses `compiler` until ct_hot_reload_destroy. Returns NULL
// with `error` when the folders cannot be watched.
ct_hot_reload *ct_hot_reload_create(ct_allocator *a, ct_compiler *compiler,
                                    const char *project_folder, const char *core_folder,
                                    ct_error *error);

// Cancels `compiler` for good, waits for the service thread and frees everything; NULL is fine.
void ct_hot_reload_destroy(ct_hot_reload *h);

// Asks the service thread to compile now, without waiting for a change. Any thread.
void ct_hot_reload_request(ct_hot_reload *h);

// Reloads the resources that were compiled since the last call, and logs new errors and warnings.
// Call it at a frame boundary. Returns how many resources were swapped.
uint32_t ct_hot_reload_apply(ct_hot_reload *h, ct_resource_manager *resources);

// Takes what the last runs of the compiler changed, without a game: logs new errors and warnings
// and fills `changed`, to be freed with ct_array_free. Returns false, and fills nothing, when no
// run has ended since. The compiler does not run again before ct_hot_reload_release, so its report
// may be read until then. Call both from one thread.
bool ct_hot_reload_take(ct_hot_reload *h, ct_resource_id_array *changed);

// Returns why the last run failed as a whole, so that its report means nothing, or NULL. Valid
// between ct_hot_reload_take and ct_hot_reload_release.
const ct_error *ct_hot_reload_failure(const ct_hot_reload *h);
void ct_hot_reload_release(ct_hot_reload *h);
