// plugin_host.h: the plugins of a program: opening, order, what they added, reloading.
//
// A plugin is a shared library with the function cuttle_plugin_get_api (include/cuttle/plugin.h). The
// host knows nothing of worlds or Lua: a program gives it interfaces, tables of functions by name and
// version, and kinds of additions (plugin_addition.h), by which what plugins add reaches its tables.
//
// Loading is a transaction. The library is copied (so that a build may write over the file), opened,
// and `init` runs while its additions are only staged. Then all of them are checked; only when nothing
// can fail any more do they take the place of the old library's. At any failure before that, the new
// library is closed and the old one goes on.
//
// A failing `init` is caught: a signal, an abort (also by a C++ exception that is not caught) and a
// call of exit are reported, and the plugin is left out. Later failures end the program with a report
// that names the plugin. Under sanitizers signals are theirs.
//
// Update thread, at a frame boundary.
#pragma once
#include "foundation/error.h"
#include "foundation/types.h"

#include <cuttle/plugin.h>

typedef struct ct_plugin_host ct_plugin_host;
typedef struct cuttle_plugin ct_plugin;
typedef struct ct_task_manager ct_task_manager;

enum { CT_PLUGIN_NAME_BYTES = 32, CT_PLUGIN_MAX = 64, CT_PLUGIN_MAX_FOLDERS = 8 };

// An interface that the program offers. Constant.
typedef struct ct_plugin_interface {
    const char *name;
    uint32_t version;
    const void *functions; // the struct of that version
} ct_plugin_interface;

// A plugin to load.
typedef struct ct_plugin_entry {
    const char *name;
    const char *path; // of its library, absolute
} ct_plugin_entry;

typedef struct ct_plugin_host_desc {
    ct_allocator *allocator;
    // Beside those of plugin_interfaces.h, which every program has. Borrowed.
    const ct_plugin_interface *interfaces;
    uint32_t num_interfaces;
    // An absolute folder for copies of libraries, which is made; copied. NULL: libraries are opened
    // where they are, and cannot be reloaded (the player).
    const char *copies_folder;
    const char *folder;     // the project's or game's, absolute; copied; NULL: there is none
    ct_task_manager *tasks; // NULL: tasks run at once, on the thread that adds them
    // Called in ct_plugin_host_load for each plugin that fails, in place of logging it; or NULL.
    void (*left_out)(void *user, const ct_plugin_entry *entry, const ct_error *error);
    void *user; // of the program: ct_plugin_host_user
} ct_plugin_host_desc;

// Makes a host without plugins. The desc is copied; what it points to is borrowed.
ct_plugin_host *ct_plugin_host_create(const ct_plugin_host_desc *desc);

// Ends all plugins, the last first (`end` where they have started, then `shutdown`), and frees the host.
void ct_plugin_host_destroy(ct_plugin_host *host);

// Returns the desc's `user`.
void *ct_plugin_host_user(const ct_plugin_host *host);

// Keeps a system of the program under a name, a constant, for interfaces that are made below the
// program's floor; NULL: it has ended. Returns it; NULL: there is none.
void ct_plugin_host_offer(ct_plugin_host *host, const char *name, void *system);
void *ct_plugin_host_system(const ct_plugin_host *host, const char *name);

// Loads plugins, each after those that it needs. One that fails is logged (or given to the desc's
// `left_out`) and left out, and so are those that need it. Returns how many were left out. From then on,
// ct_plugin_host_watch tries those that are not loaded again whenever their files change.
uint32_t ct_plugin_host_load(ct_plugin_host *host, const ct_plugin_entry *entries, uint32_t count);

// Loads one plugin. Its needs must be there. Returns false with `error`, and changes nothing.
bool ct_plugin_host_load_one(ct_plugin_host *host, const ct_plugin_entry *entry, ct_error *error);

// Writes the name of the plugin in a library: its file's without `lib` at the start and `.so` at the end;
// "" when it is too long.
void ct_plugin_name_of_library(const char *path, char name[CT_PLUGIN_NAME_BYTES]);

// Returns the desc's `folder`; "" without one.
const char *ct_plugin_host_folder(const ct_plugin_host *host);

// Loads the plugins whose libraries are in a folder (absolute), and from then on, in
// ct_plugin_host_watch, each that comes. Those that fail are logged. Returns false with `error` without
// a copies folder, or when the folder cannot be read or there are CT_PLUGIN_MAX_FOLDERS.
bool ct_plugin_host_add_folder(ct_plugin_host *host, const char *folder, ct_error *error);

// Ends that; the plugins stay. Returns false when the folder was not added.
bool ct_plugin_host_remove_folder(ct_plugin_host *host, const char *folder);

// Opens the file of a plugin again, and those of all that need it, and lets the new libraries take the
// place of the old ones. Returns false with `error`; the old ones go on then. One that runs on this thread
// cannot be reloaded or unloaded.
bool ct_plugin_host_reload(ct_plugin_host *host, const char *name, ct_error *error);

// Ends a plugin, with what it added. Returns false with `error`, and changes nothing, when another
// plugin needs it or something that it added cannot be taken away now.
bool ct_plugin_host_unload(ct_plugin_host *host, const char *name, ct_error *error);

// Looks at the files of all plugins, also of those of ct_plugin_host_load that are not loaded, and once a
// second at added folders. Loads or reloads those that have changed and are whole (a file that a linker has
// not finished is left for later). Logs what happens. Does nothing without a copies folder.
void ct_plugin_host_watch(ct_plugin_host *host);

// Returns how often plugins were loaded, reloaded or unloaded.
uint32_t ct_plugin_host_changes(const ct_plugin_host *host);

// Call the plugins' functions, in the order of loading (`end` in the reverse order).
void ct_plugin_host_start(ct_plugin_host *host);
void ct_plugin_host_end(ct_plugin_host *host);
void ct_plugin_host_update(ct_plugin_host *host, double dt);
void ct_plugin_host_render(ct_plugin_host *host);

// Returns the number of plugins, and one of them in the order of loading. Borrowed until plugins are
// loaded or unloaded.
uint32_t ct_plugin_host_count(const ct_plugin_host *host);
const ct_plugin *ct_plugin_host_at(const ct_plugin_host *host, uint32_t index);

// Returns a plugin by its name; NULL: there is none.
ct_plugin *ct_plugin_host_find(const ct_plugin_host *host, const char *name);

// --- One plugin ----------------------------------------------------------------------------------

// Return the host of a plugin, its name, and the path of its library as it was given.
ct_plugin_host *ct_plugin_host_of(const ct_plugin *plugin);
const char *ct_plugin_name(const ct_plugin *plugin);
const char *ct_plugin_path(const ct_plugin *plugin);

// Returns the allocator that counts the plugin's memory. Any thread.
ct_allocator *ct_plugin_allocator(const ct_plugin *plugin);

// Returns whether `init` of a library runs that has not taken its place yet: it may add things, and must
// change nothing else.
bool ct_plugin_is_staging(const ct_plugin *plugin);

// Returns how often the plugin was reloaded.
uint32_t ct_plugin_num_reloads(const ct_plugin *plugin);

// Marks that this thread runs code of the plugin until ct_plugin_leave: crash reports name it. Returns
// what ct_plugin_leave takes. Any thread.
uint32_t ct_plugin_enter(const ct_plugin *plugin);
void ct_plugin_leave(uint32_t entered);

// Calls code of the plugin, which must be entered. While what a library has added is being brought in, that
// is under a guard: when it crashes, returns false, the library is refused afterwards, and its code is not
// called any more. At other times a crash ends the program. Nothing that was locked may be held.
bool ct_plugin_try(ct_plugin *plugin, void (*call)(void *user), void *user);

// Copy an error from the form that plugins have, or to it (NULL is fine). Both return false.
bool ct_plugin_error_from(ct_error *error, const cuttle_error *from);
bool ct_plugin_error_to(cuttle_error *error, const ct_error *from);
