// scene_graph_component.h: a hierarchy of named nodes with poses, on an entity.
//
// Node 0 of an entity is its transform; the nodes of its scene graph start at 1. There are two
// structures of arrays: one of graphs (entity, id, range of nodes), one of nodes (name, parent,
// local position, rotation and scale, and the pose: the matrix from the node's space to the
// entity's). The nodes of a graph are stored together, in the order of their template: parents
// before children, so that one pass in order computes all poses. Graphs that end leave holes, which
// are closed when they are more than half.
//
// Setting a local pose only records the first node from which on the graph's poses are stale.
// Reading a pose updates the graph first, so poses are always up to date; graphs that were not read
// are updated once a frame, in one pass over the graphs that changed. World poses are not stored:
// they are the entity's times the node's and computed on request, so a graph costs nothing while
// its entity moves.
//
// Other entities can be attached to nodes: their transforms are linked to the entity's at the pose
// of the node (ct_transform_link_at), and follow it at once.
//
// Positions, rotations and scales passed in must be finite (asserted). Scales may be zero or
// negative. Rotations are kept at length 1. Update thread.
#pragma once
#include "entity/transform_component.h"
#include "resource/types/component_resource.h"

typedef struct ct_scene_graph_manager ct_scene_graph_manager;

// A graph: its place in the arrays. {0} is no graph. After any graph is destroyed it is stale: look
// it up again.
typedef struct ct_scene_graph {
    uint32_t index;
} ct_scene_graph;

// Makes a manager for graphs on entities whose transforms are in `transforms`, which must outlive
// it.
ct_scene_graph_manager *ct_scene_graph_manager_create(ct_allocator *a,
                                                      ct_transform_manager *transforms);
void ct_scene_graph_manager_destroy(ct_scene_graph_manager *m);

// Returns the entry for a world's registry. Template data has one instance for each node.
ct_component_manager ct_scene_graph_component_manager(ct_scene_graph_manager *m);

// Gives an entity a graph of `count` nodes (1 to CT_SCENE_GRAPH_MAX_NODES), parents before their
// children. The entity must not have a graph (asserted). O(count).
ct_scene_graph ct_scene_graph_create(ct_scene_graph_manager *m, ct_entity e, uint32_t id,
                                     const ct_scene_graph_node_data *nodes, uint32_t count);

// Ends the graphs of `entities`; skips entities without one. Entities attached to nodes stay where
// they are in the entity's space. Components at nodes (meshes, …) are at the entity itself from
// then on, and its transform counts as changed.
void ct_scene_graph_destroy(ct_scene_graph_manager *m, const ct_entity *entities, uint32_t count);

// Returns the graph of an entity, or {0}. One look-up in a hash map.
ct_scene_graph ct_scene_graph_lookup(const ct_scene_graph_manager *m, ct_entity e);

// Returns the entity that the graph belongs to.
ct_entity ct_scene_graph_entity(const ct_scene_graph_manager *m, ct_scene_graph g);

// Returns the 32-bit id of the component in the entity's template.
uint32_t ct_scene_graph_id(const ct_scene_graph_manager *m, ct_scene_graph g);

// Returns the number of graphs.
uint32_t ct_scene_graph_count(const ct_scene_graph_manager *m);

// Returns the number of nodes, which is also the highest node; node 0 does not count.
uint32_t ct_scene_graph_num_nodes(const ct_scene_graph_manager *m, ct_scene_graph g);

// Returns a number, not 0, that no other graph of the manager has or had (of 2^32 - 1). Nodes keep
// their places and names as long as the graph exists, so what was looked up by name for a graph
// holds for as long as its entity's graph has the same version.
uint32_t ct_scene_graph_version(const ct_scene_graph_manager *m, ct_scene_graph g);

// Returns the node with this name, or 0. Linear in the graph's nodes.
uint32_t ct_scene_graph_find(const ct_scene_graph_manager *m, ct_scene_graph g,
                             ct_string_id32 name);

// Returns the node with this name in the graph of an entity; 0 when there is no such node or graph.
uint32_t ct_scene_graph_node_of(const ct_scene_graph_manager *m, ct_entity e, ct_string_id32 name);

// Returns `node` if the entity has a graph with such a node, else 0, the entity itself. For
// components that store the node they are at.
uint32_t ct_scene_graph_node_still(const ct_scene_graph_manager *m, ct_entity e, uint32_t node);

// Returns the name of a node, 1 to ct_scene_graph_num_nodes.
ct_string_id32 ct_scene_graph_name(const ct_scene_graph_manager *m, ct_scene_graph g,
                                   uint32_t node);

// --- Poses; `node` is 1 to ct_scene_graph_num_nodes ----------------------------------------------

// Returns a part of the pose in the parent's space.
ct_vec3 ct_scene_graph_local_position(const ct_scene_graph_manager *m, ct_scene_graph g,
                                      uint32_t node);
ct_quat ct_scene_graph_local_rotation(const ct_scene_graph_manager *m, ct_scene_graph g,
                                      uint32_t node);
ct_vec3 ct_scene_graph_local_scale(const ct_scene_graph_manager *m, ct_scene_graph g,
                                   uint32_t node);

// Sets a part of the pose in the parent's space, or all of it; values must be finite. The graph is
// updated later (ct_scene_graph_update), or when one of its poses is read.
void ct_scene_graph_set_local_position(ct_scene_graph_manager *m, ct_scene_graph g, uint32_t node,
                                       ct_vec3 position);
void ct_scene_graph_set_local_rotation(ct_scene_graph_manager *m, ct_scene_graph g, uint32_t node,
                                       ct_quat rotation);
void ct_scene_graph_set_local_scale(ct_scene_graph_manager *m, ct_scene_graph g, uint32_t node,
                                    ct_vec3 scale);
void ct_scene_graph_set_local_pose(ct_scene_graph_manager *m, ct_scene_graph g, uint32_t node,
                                   ct_vec3 position, ct_quat rotation, ct_vec3 scale);

// The poses of the nodes of one graph, to be written all at once: node 1 is at 0.
typedef struct ct_scene_graph_nodes {
    ct_vec3 *position; // local
    ct_quat *rotation; // of length 1
    ct_vec3 *scale;
    ct_mat4 *pose;          // to the entity's space
    const uint32_t *parent; // node of the graph; 0: the entity
    uint32_t count;
} ct_scene_graph_nodes;

// Returns the arrays of a graph's nodes for writing, until graphs are made or end. Different graphs
// may be written by different threads at a time. Call ct_scene_graph_written afterwards.
ct_scene_graph_nodes ct_scene_graph_write(ct_scene_graph_manager *m, ct_scene_graph g);

// Ends ct_scene_graph_write: counts all nodes as set. `has_poses`: the poses of all nodes were
// written too, and agree with the local ones; else they are updated later.
void ct_scene_graph_written(ct_scene_graph_manager *m, ct_scene_graph g, bool has_poses);

// Copies the local poses of the nodes of `from` to the nodes of `to`, for as many nodes as both
// have. `from` is a graph of `source`, which may be `m`.
void ct_scene_graph_copy_local(ct_scene_graph_manager *m, ct_scene_graph to,
                               const ct_scene_graph_manager *source, ct_scene_graph from);

// Returns the matrix from the node's space to the entity's; for node 0 the identity. Updates the
// graph first.
ct_mat4 ct_scene_graph_pose(ct_scene_graph_manager *m, ct_scene_graph g, uint32_t node);

// Returns the matrix from a node's space to the world's. For node 0, a node that does not exist,
// and an entity without a graph, it is the entity's world matrix, or the identity without a
// transform.
ct_mat4 ct_scene_graph_world(ct_scene_graph_manager *m, ct_entity e, uint32_t node);

// Writes the world matrices of nodes 1 to `count` of a graph to `worlds`.
void ct_scene_graph_worlds(ct_scene_graph_manager *m, ct_scene_graph g, ct_mat4 *worlds,
                           uint32_t count);

// --- Links ---------------------------------------------------------------------------------------

// Returns the parent of a node; 0 for the entity.
uint32_t ct_scene_graph_parent(const ct_scene_graph_manager *m, ct_scene_graph g, uint32_t node);

// Makes `parent` the parent of `node` (0: the entity). The local pose keeps its values and is then
// relative to the new parent. Returns false, and changes nothing, when `parent` is `node` or below
// it. A graph with a parent after one of its children updates more slowly: nodes times depth.
bool ct_scene_graph_link(ct_scene_graph_manager *m, ct_scene_graph g, uint32_t node,
                         uint32_t parent);

// Returns the node that an entity is attached to; 0: none.
uint32_t ct_scene_graph_attached_to(const ct_scene_graph_manager *m, ct_entity child);

// Links the transform of `child` to that of the graph's entity, at a node (from 1). Returns false,
// and changes nothing, in the same cases as ct_transform_link. Both entities must have transforms.
bool ct_scene_graph_attach(ct_scene_graph_manager *m, ct_entity child, ct_scene_graph g,
                           uint32_t node);

// --- Changes -------------------------------------------------------------------------------------

// Updates the poses of all graphs that changed. Call once a frame.
void ct_scene_graph_update(ct_scene_graph_manager *m);

// Returns the entities whose graphs changed (or were made) since the list was cleared, each once,
// without those whose graph has ended. Borrowed until the manager next changes.
const ct_entity *ct_scene_graph_changed(const ct_scene_graph_manager *m, uint32_t *count);

// Returns whether the graph is in that list.
bool ct_scene_graph_is_changed(const ct_scene_graph_manager *m, ct_scene_graph g);

// Empties the list of changed entities.
void ct_scene_graph_clear_changed(ct_scene_graph_manager *m);
