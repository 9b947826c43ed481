// worker_node_uses.h: what the nodes of a model are for, as their names say.
//
// A node is drawn unless it is named as a shape: `collision_…`, `col_…` or `…_collision`, and
// `occluder_…` or `…_occluder`, in any case; `box`, `sphere`, `convex` or `mesh` as the word next
// to that says what it stands for. `…_LOD0`, `…_LOD1` and so on are levels of detail of one thing.
// What lies below such a node is for the same. A number that a modelling program adds to a name
// (`.001`) does not count.
//
// Shapes and further levels belong to the mesh of another node, their owner.
#pragma once
#include "compiler/types/model/worker_scene.h"

#define CT_WORKER_EVERY_LOD UINT32_MAX

typedef enum ct_worker_node_role {
    CT_WORKER_NODE_ROLE_DRAWN,
    CT_WORKER_NODE_ROLE_COLLISION,
    CT_WORKER_NODE_ROLE_OCCLUDER,
} ct_worker_node_role;

typedef struct ct_worker_node_use {
    ct_worker_node_role role;
    ct_mesh_shape_kind kind; // of shapes
    uint32_t lod;            // CT_WORKER_EVERY_LOD: it is drawn at every level
    uint32_t named_by;       // the node whose name says so: itself or one above; or NO_NODE
    // In whose mesh it is. Of what is drawn: itself, unless it is of a level that is not the finest
    // of its siblings, or below one. Of a shape: the node that it is called after, or the nearest
    // above, or the first beside it, that is drawn and has meshes; NO_NODE when there is none.
    uint32_t owner;
} ct_worker_node_use;

// The uses of all nodes, in the order of scene->nodes, from c->allocator. `chosen` is drawn
// whatever it is called; CT_WORKER_SCENE_NO_NODE for none.
ct_worker_node_use *ct_worker_node_uses(ct_compile *c, const ct_worker_scene *scene,
                                        uint32_t chosen);

// What is wrong with the levels of detail: one that is missing between two, or one that two nodes
// of the same name beside each other are (a number that a modelling program adds makes another
// name: a level may consist of several). Only of things that have a level in `levels_of`, bits by
// owner. The message is from c->allocator; NULL when nothing is.
const char *ct_worker_node_uses_problem(ct_compile *c, const ct_worker_scene *scene,
                                        const ct_worker_node_use *uses, const uint32_t *levels_of);
