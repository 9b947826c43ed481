// plugin_library.h: a shared library that can be closed, and whose file may be written over.
#pragma once
#include "foundation/os/path.h"
#include "foundation/types.h"

typedef struct ct_plugin_library {
    void *handle;             // NULL: it is not open
    char copy[CT_PATH_BYTES]; // the file that was opened, if it is a copy; ""
} ct_plugin_library;

// What a file was when it was last looked at. {0}: there is none.
typedef struct ct_plugin_stamp {
    uint64_t size_bytes, inode;
    int64_t modified_ns;
} ct_plugin_stamp;

// Returns the stamp of a file.
ct_plugin_stamp ct_plugin_stamp_of(const char *path);

// Opens the library at `path`, after checking that it is a whole one for this machine. With a folder,
// opens a copy in there, whose name holds `number`, so that the same file can be opened several times
// and written over. Symbols are bound at once and stay its own. Returns false with `error`; sets
// `is_unfinished` when more of the file may come (it ends too early).
bool ct_plugin_library_open(ct_allocator *a, ct_plugin_library *library, const char *path,
                            const char *copies_folder, uint32_t number, bool *is_unfinished,
                            ct_error *error);

// Returns the address of an exported symbol; NULL: there is none.
void *ct_plugin_library_symbol(const ct_plugin_library *library, const char *name);

// Returns whether an address lies in the code or the data of the library.
bool ct_plugin_library_holds(const ct_plugin_library *library, const void *address);

// Lets a library stay open for ever, so that calling it does no harm; removes its copy.
void ct_plugin_library_leave_open(ct_plugin_library *library);

// Removes the copies in a folder that were made by processes which are gone.
void ct_plugin_library_remove_old_copies(const char *folder);

// Closes a library and removes its copy; one that is not open is fine. Returns whether its memory is
// gone: a library that has threads, or asked to stay, is not unmapped by the system.
bool ct_plugin_library_close(ct_plugin_library *library);
