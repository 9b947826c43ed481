// compiled_resource.h: for commands that show a resource as it was compiled last.
#pragma once
#include "cli/command.h"
#include "foundation/os/path.h"
#include "resource/load/resource_store.h"

// The project and the options that say where its data is; NULL: the default.
typedef struct ct_compiled_place {
    const char *project;
    const char *platform, *source_platform, *data_folder;
} ct_compiled_place;

// Checks the project and the platform, and sets the folder of the compiled data. Returns false with
// `error`.
bool ct_compiled_folder(const ct_compiled_place *place, char folder[CT_PATH_BYTES],
                        ct_error *error);

// Reads the data of the variant that a game has when it starts, and validates it. `name` is for
// messages. The blob is from `scratch`. Returns NULL with `error`.
const void *ct_compiled_read(const ct_resource_store *store, const ct_catalog *catalog,
                             ct_allocator *scratch, ct_resource_id id, const char *name,
                             ct_error *error);

// Prints why `command` failed, with the advice to compile if `has_folder`, and as JSON if `json`.
// Returns CT_EXIT_FAILED.
ct_exit ct_compiled_failed(ct_allocator *scratch, const char *command, bool has_folder, bool json,
                           const ct_error *error);
