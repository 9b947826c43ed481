// hot_reload.h: from a saved file to the changed resource in the running game.
//
// A service thread waits for file changes below project and core, runs the compiler (whose workers
// stay alive) and queues which resources changed; the update thread takes them at a frame boundary.
#pragma once
#include "app/app.h"
#include "compiler/driver/compiler.h"

typedef struct ct_hot_reload ct_hot_reload;

// `compiler` is lent until destroyed. NULL with `error` when the folders cannot be watched.
ct_hot_reload *ct_hot_reload_create(ct_allocator *a, ct_compiler *compiler,
                                    const char *project_folder, const char *core_folder,
                                    ct_error *error);
void ct_hot_reload_destroy(ct_hot_reload *h);

// Asks for a compile now, without waiting for a change.
void ct_hot_reload_request(ct_hot_reload *h);

// At a frame boundary: reloads what was compiled since the last call and logs errors and warnings
// that are new.
// Returns how many resources were swapped.
uint32_t ct_hot_reload_apply(ct_hot_reload *h, ct_resource_manager *resources);
