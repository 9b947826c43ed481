// worker_node_uses.h: finds the uses of the nodes of a model by their names.
//
// A node is drawn unless it is named as a shape: `collision_…`, `col_…` or `…_collision`, and
// `occluder_…` or `…_occluder`, in any case; `box`, `sphere`, `convex` or `mesh` as the word next
// to that is the kind of shape, and so is `hulls` of collision shapes: convex, split into several.
// `…_LOD0`, `…_LOD1` and so on are levels of detail of one thing. Nodes below such a node have the
// same use. A number that a modelling program adds to a name (`.001`) does not count.
//
// Shapes and further levels belong to the mesh of another node, their owner.
#pragma once
#include "compiler/types/model/worker_scene.h"

#define CT_WORKER_EVERY_LOD UINT32_MAX

// The use of a node's triangles.
typedef enum ct_worker_node_role {
    CT_WORKER_NODE_ROLE_DRAWN,
    CT_WORKER_NODE_ROLE_COLLISION,
    CT_WORKER_NODE_ROLE_OCCLUDER,
} ct_worker_node_role;

typedef struct ct_worker_node_use {
    ct_worker_node_role role;
    ct_mesh_shape_kind kind; // of shapes
    bool is_split;           // into several hulls
    uint32_t lod;            // CT_WORKER_EVERY_LOD: it is drawn at every level
    uint32_t named_by;       // the node whose name gives the use: itself or one above; or NO_NODE
    // The node whose mesh it is in. Of a drawn node: itself, unless it is of a level that is not
    // the finest of its siblings, or below one. Of a shape: the node that it is called after, or
    // the nearest above, or the first beside it, that is drawn and has meshes; NO_NODE when there
    // is none.
    uint32_t owner;
} ct_worker_node_use;

// Returns the uses of all nodes, in the order of scene->nodes, from c->allocator. The node `chosen`
// is drawn whatever its name is; CT_WORKER_SCENE_NO_NODE chooses no node.
ct_worker_node_use *ct_worker_node_uses(ct_compile *c, const ct_worker_scene *scene,
                                        uint32_t chosen);

// Returns a message about the levels of detail, from c->allocator, or NULL when they are right: one
// is missing between two others, or two nodes of the same name beside each other have the same one
// (a number that a modelling program adds makes another name: a level may consist of several
// nodes). Only considers things that have a level in `levels_of`, bits by owner.
const char *ct_worker_node_uses_problem(ct_compile *c, const ct_worker_scene *scene,
                                        const ct_worker_node_use *uses, const uint32_t *levels_of);
