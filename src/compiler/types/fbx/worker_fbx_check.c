#include "compiler/types/fbx/worker_fbx_check.h"

#include "compiler/types/model/worker_scene.h"
#include "foundation/container/array.h"
#include "foundation/container/hash_map.h"
#include "foundation/error.h"

// A scene's nodes, and as much again for each of what hangs below them: geometry, materials, ...
enum {
    MAX_CONNECTIONS = 64 * CT_WORKER_SCENE_MAX_NODES,
    MAX_DEPTH = 4 * CT_WORKER_SCENE_MAX_DEPTH
};

typedef struct connection {
    uint64_t child, parent; // ids of objects; 0 is the scene
} connection;

typedef CT_ARRAY(connection) connection_array;

// Takes every C for a connection, wherever it is.
static void find_connections(const ct_worker_fbx_records *records, connection_array *out) {
    for (uint32_t i = 0; i < records->items.count; ++i) {
        const ct_worker_fbx_record *const r = &records->items.items[i];
        connection c;
        if (ct_worker_fbx_is_named(r, "C") &&
            ct_worker_fbx_link_of(records, r, &c.child, &c.parent))
            ct_array_push(out, c);
    }
}

// Objects by small numbers, with a list of the parents of each.
typedef struct object_graph {
    ct_hash_map number_of_id; // from 1
    uint32_t *num_children;   // not yet done, by number
    uint32_t *depth;          // below the longest line of children that is done
    uint32_t *first;          // of its connections as child, counting from 1; 0: none
    uint32_t *next;           // connection of the same child
    uint32_t *parents;        // by connection
    uint32_t num_objects;
} object_graph;

static uint32_t number_of(object_graph *g, uint64_t id) {
    const uint64_t known = ct_hash_map_get(&g->number_of_id, id, 0);
    if (known)
        return (uint32_t)known;
    ct_hash_map_set(&g->number_of_id, id, ++g->num_objects);
    return g->num_objects;
}

static void build_graph(ct_allocator *a, const connection_array *list, object_graph *g) {
    const uint32_t most = 2 * list->count + 1;
    ct_hash_map_init(&g->number_of_id, a);
    g->num_children = CT_NEW_ARRAY(a, uint32_t, most);
    g->depth = CT_NEW_ARRAY(a, uint32_t, most);
    g->first = CT_NEW_ARRAY(a, uint32_t, most);
    g->next = CT_NEW_ARRAY(a, uint32_t, list->count + 1);
    g->parents = CT_NEW_ARRAY(a, uint32_t, list->count + 1);
    for (uint32_t i = 0; i < list->count; ++i) {
        const uint32_t child = number_of(g, list->items[i].child);
        const uint32_t parent = number_of(g, list->items[i].parent);
        g->parents[i + 1] = parent;
        g->next[i + 1] = g->first[child];
        g->first[child] = i + 1;
        ++g->num_children[parent];
    }
}

// Takes objects without children off, until none is left (Kahn 1962): what stays is in a circle.
// Returns the number taken; `deepest` is set to the longest line.
static uint32_t take_leaves(ct_allocator *a, object_graph *g, uint32_t *deepest) {
    ct_u32_array done;
    ct_array_init(&done, a);
    for (uint32_t i = 1; i <= g->num_objects; ++i) {
        if (g->num_children[i] == 0)
            ct_array_push(&done, i);
    }
    for (uint32_t i = 0; i < done.count; ++i) {
        const uint32_t child = done.items[i];
        *deepest = g->depth[child] > *deepest ? g->depth[child] : *deepest;
        for (uint32_t c = g->first[child]; c != 0; c = g->next[c]) {
            const uint32_t parent = g->parents[c];
            if (g->depth[parent] <= g->depth[child])
                g->depth[parent] = g->depth[child] + 1;
            if (--g->num_children[parent] == 0)
                ct_array_push(&done, parent);
        }
    }
    return done.count;
}

bool ct_worker_fbx_check(ct_allocator *a, const ct_worker_fbx_records *records, ct_error *error) {
    connection_array list;
    ct_array_init(&list, a);
    find_connections(records, &list);
    if (list.count > MAX_CONNECTIONS)
        return ct_error_set(error, "found %u connections between objects, expected at most %u",
                            list.count, MAX_CONNECTIONS);
    object_graph g = {0};
    uint32_t deepest = 0;
    build_graph(a, &list, &g);
    if (take_leaves(a, &g, &deepest) < g.num_objects)
        return ct_error_set(error, "its objects are connected in a circle");
    return deepest <= MAX_DEPTH ||
           ct_error_set(error, "its objects are connected %u deep, expected at most %u", deepest,
                        MAX_DEPTH);
}
