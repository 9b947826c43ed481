// resource_rows.h: what a resource manager holds, and what refers to what, for tools.
//
// References are those of the catalog, in the variants that are preferred now. Names are those of the
// catalog, or of the registry of ids; shipped data has no names. Update thread.
#pragma once
#include "resource/load/resource_manager.h"

// A resource that is held.
typedef struct ct_resource_row {
    ct_resource_id id;
    const char *type, *name; // borrowed for the call
    uint32_t holders;        // packages, and loads without one
    uint32_t data_bytes;     // of the blob, by the catalog; 0: made by the program
    uint32_t stream_bytes;   // beside it; 0: none
    bool is_online, is_refused, is_made;
} ct_resource_row;

// Calls `visit` for all resources that are held, in no particular order. `visit` must not load or unload.
void ct_resource_manager_each_held(ct_resource_manager *m,
                                   void (*visit)(void *user, const ct_resource_row *row),
                                   void *user);

// What a resource has to do with another one.
typedef enum ct_resource_relation {
    CT_RESOURCE_RELATION_USER,    // it refers to the other
    CT_RESOURCE_RELATION_USED,    // the other refers to it
    CT_RESOURCE_RELATION_PACKAGE, // a loaded package, or one that loads, which holds the other
} ct_resource_relation;

// Calls `visit` for all that have this relation to a resource. The rows of resources that are not held have
// 0 holders.
void ct_resource_manager_each_related(ct_resource_manager *m, ct_resource_id id,
                                      ct_resource_relation relation,
                                      void (*visit)(void *user, const ct_resource_row *row),
                                      void *user);

// Returns whether the catalog has a resource, or it is held.
bool ct_resource_manager_knows(ct_resource_manager *m, ct_resource_id id);
