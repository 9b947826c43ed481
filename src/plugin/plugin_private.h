// plugin_private.h: the host's state, shared by the files of this folder.
#pragma once
#include "foundation/container/array.h"
#include "foundation/os/os.h"
#include "foundation/task/task.h"
#include "plugin/plugin_addition.h"
#include "plugin/plugin_library.h"

#include <cuttle/state.h>

enum { CT_PLUGIN_MAX_HOSTS = 4 };

// A library of a plugin that is open, and what it says of itself.
typedef struct ct_plugin_code {
    ct_plugin_library library;
    cuttle_get_api get_api;
    const cuttle_plugin_api_1 *api;
} ct_plugin_code;

// An addition with its descriptions. While a library is staged, `next` is what it adds.
typedef struct ct_plugin_slot {
    ct_plugin_addition addition; // first: an addition's address is that of its slot
    bool is_in;                  // the program has it; else it is only staged
    bool has_next;
    bool is_new; // made for the library that is staged
    _Alignas(16) uint8_t desc[CT_PLUGIN_MAX_DESC_BYTES];
    _Alignas(16) uint8_t next[CT_PLUGIN_MAX_DESC_BYTES];
} ct_plugin_slot;

// A state of a plugin. While a library is staged, `next` is what it gets where that is another.
typedef struct ct_plugin_state {
    cuttle_schema schema, next_schema; // with fields and names of our own
    void *data, *next_data; // next_data NULL: the staged library has the same, or did not ask
    bool is_new;            // made for the library that is staged
} ct_plugin_state;

struct cuttle_plugin {
    ct_plugin_host *host;
    char name[CT_PLUGIN_NAME_BYTES];
    char path[CT_PATH_BYTES];
    ct_plugin_stamp stamp;        // of the file that `code` is from
    ct_plugin_stamp failed_stamp; // of the file that could not be loaded last
    ct_plugin_code code, next;    // `next` while it is staged
    ct_allocator *allocator;
    struct ct_plugin_block *blocks; // that it has allocated; NULL: none
    ct_mutex blocks_lock;
    ct_task_id tasks; // parent of those that it added
    CT_ARRAY(ct_plugin_state *) states;
    uint32_t num_reloads;
    bool is_staging, has_started;
    bool is_adding; // what was staged for `next` is being brought in, or taken out after a failure
    ct_error crash; // of a call of ct_plugin_try meanwhile; no message: none crashed
};

// A system of the program under its name (ct_plugin_host_offer).
typedef struct ct_plugin_system {
    const char *name;
    void *system;
} ct_plugin_system;

// A library that could not be loaded, or was unloaded, as it was then.
typedef struct ct_plugin_left {
    uint64_t path_hash;
    ct_plugin_stamp stamp;
    uint32_t num_loads; // of the host, where a plugin that it needs was missing; UINT32_MAX: else
} ct_plugin_left;

// A plugin that the program has asked for (ct_plugin_host_load).
typedef struct ct_plugin_listed {
    char name[CT_PLUGIN_NAME_BYTES];
    char path[CT_PATH_BYTES];
} ct_plugin_listed;

struct ct_plugin_host {
    ct_allocator *allocator;
    ct_plugin_host_desc desc;
    char copies_folder[CT_PATH_BYTES], folder[CT_PATH_BYTES];
    char *folders[CT_PLUGIN_MAX_FOLDERS]; // whose libraries are plugins
    uint32_t num_folders;
    uint32_t index;                // among the hosts of the process
    uint32_t num_changes;          // ct_plugin_host_changes
    uint32_t num_copies;           // ever made
    uint32_t num_loads;            // of plugins that were not there before
    uint32_t num_locks;            // while plugins change, or end
    bool has_started;              // the game runs
    uint64_t watch_ns;             // of the last look at the folders
    CT_ARRAY(ct_plugin *) plugins; // in the order of loading
    CT_ARRAY(ct_plugin_slot *) slots;
    CT_ARRAY(ct_plugin_system) systems;
    CT_ARRAY(ct_plugin_left) left; // alone
    CT_ARRAY(ct_plugin_listed) listed;
};

// Returns the function that plugins of this host call.
cuttle_get_api ct_plugin_host_get_api(const ct_plugin_host *host);

// Returns whether a staged or loaded plugin needs the plugin `name`.
bool ct_plugin_needs(const cuttle_plugin_api_1 *api, const char *name);

// Returns true unless code of the plugin runs on this thread; false with `error`.
bool ct_plugin_is_idle(const ct_plugin *plugin, ct_error *error);

// Returns whether plugins may be loaded, reloaded and unloaded: not by what a plugin calls while it, or
// another one, is brought in or taken out (num_locks); false with `error`.
bool ct_plugin_host_can_change(const ct_plugin_host *host, ct_error *error);

// --- Watching (plugin_watch.c) -------------------------------------------------------------------

// Frees the list of folders.
void ct_plugin_host_forget_folders(ct_plugin_host *host);

// Lets a library be until its file is another than `stamp` says; with `num_loads` (else UINT32_MAX), also
// until the host's number is another one. Does nothing in a host that does not watch files.
void ct_plugin_host_leave_alone(ct_plugin_host *host, const char *path, ct_plugin_stamp stamp,
                                uint32_t num_loads);

// --- Loading (plugin_load.c) ---------------------------------------------------------------------

// Makes a plugin without code, at the end of the host's; or frees one, with its states and memory.
ct_plugin *ct_plugin_make(ct_plugin_host *host, const ct_plugin_entry *entry);
void ct_plugin_free(ct_plugin *plugin);

// Waits until all tasks of a plugin are done.
void ct_plugin_wait_for_tasks(ct_plugin *plugin);

// Loads plugins as ct_plugin_host_load does, but does not look for them later. Those that fail are left
// alone until they change; with `is_again`, files that a linker has not finished fail without a word.
uint32_t ct_plugin_load_all(ct_plugin_host *host, const ct_plugin_entry *entries, uint32_t count,
                            bool is_again);

// Opens the file of a plugin as `next` and reads what it says of itself. Sets `is_unfinished` as
// ct_plugin_library_open does.
bool ct_plugin_open_next(ct_plugin *plugin, bool *is_unfinished, ct_error *error);

// Lets `next` of each of the plugins, which are in the order of loading, take the place of `code`, or of
// none. Returns false with `error`; `next` is closed then, and nothing has changed.
bool ct_plugin_commit(ct_plugin *const *plugins, uint32_t count, ct_error *error);

// Closes `next`, and drops what was staged for it.
void ct_plugin_drop_next(ct_plugin *plugin);

// Closes a library that was `owner`'s; when a table of the engine still has an address in it, logs which,
// and lets it stay open.
void ct_plugin_close_library(const ct_plugin *owner, ct_plugin_library *library);

// --- Additions (plugin_addition.c) ---------------------------------------------------------------

// For all additions of a plugin that is staged: whether the program can take the change.
bool ct_plugin_additions_check(ct_plugin *plugin, ct_error *error);

// Brings the new ones in. Returns false with `error` when one is refused; those before it are in.
bool ct_plugin_additions_add(ct_plugin *plugin, ct_error *error);

// Makes what is staged the truth: swaps descriptions, takes away what the new library did not add.
void ct_plugin_additions_commit(ct_plugin *plugin);

// Drops what is staged; takes away those that ct_plugin_additions_add has brought in.
void ct_plugin_additions_drop(ct_plugin *plugin);

// Returns whether all additions of a plugin can be taken away now.
bool ct_plugin_additions_can_remove(const ct_plugin *plugin, ct_error *error);

// Calls `ending` for those that go: all, or those that a staged library does not add. The last first.
void ct_plugin_additions_end(ct_plugin *plugin);

// Takes them away, the last first.
void ct_plugin_additions_remove(ct_plugin *plugin);

// Logs each addition of a plugin that still has an address in `library`, which was of `owner`. Returns how
// many there are.
uint32_t ct_plugin_additions_in_library(const ct_plugin *plugin, const ct_plugin *owner,
                                        const ct_plugin_library *library);

// --- States (plugin_state.c) ---------------------------------------------------------------------

// Implements cuttle_state_api_1.get.
void *ct_plugin_state_get(ct_plugin *plugin, const cuttle_schema *schema,
                          bool (*migrate)(const void *, uint32_t, uint32_t, void *, cuttle_error *),
                          cuttle_error *error);
// Let the states of the staged library take the place of the old ones; drop them; free all.
void ct_plugin_states_commit(ct_plugin *plugin);
void ct_plugin_states_drop(ct_plugin *plugin);
void ct_plugin_states_free(ct_plugin *plugin);

// Logs each state of a plugin that still has an address in `library`, which was of `owner`. Returns how
// many there are.
uint32_t ct_plugin_states_in_library(const ct_plugin *plugin, const ct_plugin *owner,
                                     const ct_plugin_library *library);

// --- Memory (api/plugin_api_memory.c) ------------------------------------------------------------

// Frees all blocks that the plugin has allocated.
void ct_plugin_free_blocks(ct_plugin *plugin);
