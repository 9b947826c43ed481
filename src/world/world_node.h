// world_node.h: poses of nodes: of an entity itself, or of a node of its scene graph.
#pragma once
#include "world/world.h"

// The transform of an entity (node 0), or a node of its scene graph. Fits two registers.
typedef struct ct_world_node {
    union {
        ct_transform_manager *transforms;
        ct_scene_graph_manager *graphs; // for other nodes than 0
    };
    union {
        ct_transform transform;
        ct_scene_graph graph; // for other nodes than 0
    };
    uint32_t node;
} ct_world_node;

// Returns a node of an entity's scene graph; for node 0, and one that is not there any more, the
// entity. Its transform is {0} when the entity has none in this world: it has no pose then.
ct_world_node ct_world_node_of(const ct_world *w, ct_entity e, uint32_t node);

// The entity, and all linked below it, did not move where it next is but jumped there: its meshes,
// sounds and listeners have no velocity in this frame, its particle effects are born at the new
// place only, and its own kinematic actors are there at once, so that they push nothing on the way.
void ct_world_jump(const ct_world *w, ct_entity e);

// Returns the position in the parent's space.
static inline ct_vec3 ct_world_node_local_position(ct_world_node n) {
    return n.node ? ct_scene_graph_local_position(n.graphs, n.graph, n.node)
                  : ct_transform_local_position(n.transforms, n.transform);
}

// The same for the rotation.
static inline ct_quat ct_world_node_local_rotation(ct_world_node n) {
    return n.node ? ct_scene_graph_local_rotation(n.graphs, n.graph, n.node)
                  : ct_transform_local_rotation(n.transforms, n.transform);
}

// The same for the scale.
static inline ct_vec3 ct_world_node_local_scale(ct_world_node n) {
    return n.node ? ct_scene_graph_local_scale(n.graphs, n.graph, n.node)
                  : ct_transform_local_scale(n.transforms, n.transform);
}

// Returns the matrix from the node's space to the world's.
static inline ct_mat4 ct_world_node_world(ct_world_node n) {
    return n.node ? ct_scene_graph_world(n.graphs, ct_scene_graph_entity(n.graphs, n.graph), n.node)
                  : *ct_transform_world(n.transforms, n.transform);
}

// Sets the position in the parent's space; finite.
static inline void ct_world_node_set_local_position(ct_world_node n, ct_vec3 position) {
    if (n.node)
        ct_scene_graph_set_local_position(n.graphs, n.graph, n.node, position);
    else
        ct_transform_set_local_position(n.transforms, n.transform, position);
}

// The same for the rotation, which is normalised.
static inline void ct_world_node_set_local_rotation(ct_world_node n, ct_quat rotation) {
    if (n.node)
        ct_scene_graph_set_local_rotation(n.graphs, n.graph, n.node, rotation);
    else
        ct_transform_set_local_rotation(n.transforms, n.transform, rotation);
}

// The same for the scale.
static inline void ct_world_node_set_local_scale(ct_world_node n, ct_vec3 scale) {
    if (n.node)
        ct_scene_graph_set_local_scale(n.graphs, n.graph, n.node, scale);
    else
        ct_transform_set_local_scale(n.transforms, n.transform, scale);
}
