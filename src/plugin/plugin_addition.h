// plugin_addition.h: what plugins have added to the program, in a form that outlives reloads.
//
// An addition is a description by a plugin (a command with its function, a component with its schema)
// under a kind and a name. The host keeps a copy at an address that does not change; after a reload it
// holds the description of the new library. So tables of the program keep the address of the addition,
// and take functions out of it for each call; they never keep a function or text of a library.
#pragma once
#include "plugin/plugin_host.h"

enum { CT_PLUGIN_ADDITION_NAME_BYTES = 128, CT_PLUGIN_MAX_DESC_BYTES = 512 };

typedef struct ct_plugin_kind ct_plugin_kind;

typedef struct ct_plugin_addition {
    const ct_plugin_kind *kind;
    ct_plugin *plugin;
    char name[CT_PLUGIN_ADDITION_NAME_BYTES];
    // The plugin's struct, as the kind's interface defines it; aligned to 16. What it points to lies
    // in the library or in memory of the plugin.
    const void *desc;
    void *user; // of the kind: what it made in `add`
} ct_plugin_addition;

// How a program takes additions of one kind. Functions may be NULL. None of them calls the plugin, but
// `add` (by ct_plugin_try), `replaced`, `ending` and `remove` where the kind's interface says so.
struct ct_plugin_kind {
    const char *name;    // "console command"
    uint32_t desc_bytes; // of the plugin's struct, at most CT_PLUGIN_MAX_DESC_BYTES
    // Stays when a new library does not add it: it is data of the program, without addresses of a
    // library, and goes with the plugin.
    bool is_kept;
    // Checks a description when it is added, before anything changes. Returns false with `error`: the
    // plugin's call fails then.
    bool (*check)(const ct_plugin_addition *a, ct_error *error);
    // Brings a new addition into the program; the plugin's `init` has returned true. Returns false
    // with `error`: the plugin is not loaded or reloaded then.
    bool (*add)(ct_plugin_addition *a, ct_error *error);
    // Returns whether the description `desc` of a new library can take the place of the one in `a`;
    // false with `error` that says what is different. NULL: always.
    bool (*can_replace)(const ct_plugin_addition *a, const void *desc, ct_error *error);
    // `a` has a new description.
    void (*replaced)(ct_plugin_addition *a);
    // Returns whether an addition can be taken away now; false with `error`. NULL: always.
    bool (*can_remove)(const ct_plugin_addition *a, ct_error *error);
    // The plugin ends, or a new library does not add `a` any more: before its `shutdown`. May call it.
    void (*ending)(ct_plugin_addition *a);
    // Takes an addition out of the program.
    void (*remove)(ct_plugin_addition *a);
    // Sets `address` to the one at `index` of those that the program keeps for the addition beside its
    // description, such as what a function of the plugin has returned. Returns false when there are no
    // more. NULL: it keeps none.
    bool (*kept)(const ct_plugin_addition *a, uint32_t index, const void **address);
};

// Adds the description `desc` (kind->desc_bytes; copied) under `name` (copied), which must be new among
// the kind's additions of all plugins. During `init` it is staged; later (a plugin may add things when
// it wants to) it is added at once. Returns NULL with `error` (NULL: logged) when the kind or the host
// refuses it. `kind` is static.
ct_plugin_addition *ct_plugin_add(ct_plugin *plugin, const ct_plugin_kind *kind, const char *name,
                                  const void *desc, ct_error *error);

// Returns the addition of a kind with this name, of any plugin; NULL: there is none, or it is only
// staged.
ct_plugin_addition *ct_plugin_host_addition(const ct_plugin_host *host, const ct_plugin_kind *kind,
                                            const char *name);

// Returns the additions of a kind in their order: the one after `a`, or the first after NULL. NULL:
// there are no more.
ct_plugin_addition *ct_plugin_host_next_addition(const ct_plugin_host *host,
                                                 const ct_plugin_kind *kind,
                                                 const ct_plugin_addition *a);
