// scene_graph_component.h: named poses on an entity, which hang on each other.
//
// Node 0 of an entity is the entity itself, its transform; the nodes of its scene graph count from
// 1. Two structures of arrays: one of graphs (entity, id, range of nodes), one of nodes (name,
// parent, local position, rotation and scale, and the pose: the matrix from the node's space to the
// entity's). The nodes of a graph stand together, as their template has them: parents before
// children, so that one pass in order makes all poses. Graphs that end leave holes, which are
// closed when they are more than half.
//
// Setting a local pose only notes from which node on the graph's poses are stale. Whoever reads a
// pose has the graph brought up to date first, so what is read is always true; what was not read is
// brought up to date once a frame, in one pass over the graphs that changed. World poses are not
// kept: they are the entity's times the node's, made for those who ask, so a graph costs nothing
// while its entity moves.
//
// Other entities can be attached to nodes: their transforms are linked to the entity's at the pose
// of the node (ct_transform_link_at), and follow it at once.
//
// Positions, rotations and scales that come in must be finite (asserted). Scales may be zero or
// negative. Rotations are kept at length 1. Update thread.
#pragma once
#include "entity/transform_component.h"
#include "resource/types/component_resource.h"

typedef struct ct_scene_graph_manager ct_scene_graph_manager;

// A graph: its place in the arrays. {0} is no graph. Stale after any graph is
// destroyed: look it up again.
typedef struct ct_scene_graph {
    uint32_t index;
} ct_scene_graph;

// Makes a manager of graphs on entities whose transforms are in `transforms`, which must outlive
// it.
ct_scene_graph_manager *ct_scene_graph_manager_create(ct_allocator *a,
                                                      ct_transform_manager *transforms);
void ct_scene_graph_manager_destroy(ct_scene_graph_manager *m);

// The entry for a world's registry. Template data is one instance for each node.
ct_component_manager ct_scene_graph_component_manager(ct_scene_graph_manager *m);

// Gives an entity a graph of `count` nodes (1 to CT_SCENE_GRAPH_MAX_NODES), whose parents stand
// before them. An entity that has a graph is a bug. O(count).
ct_scene_graph ct_scene_graph_create(ct_scene_graph_manager *m, ct_entity e, uint32_t id,
                                     const ct_scene_graph_node_data *nodes, uint32_t count);

// Ends the graphs of `entities`; those without one are passed over. What is attached to nodes stays
// where it is in the entity's space; what stands on nodes (meshes, …) stands on the entity from now
// on, whose transform counts as changed.
void ct_scene_graph_destroy(ct_scene_graph_manager *m, const ct_entity *entities, uint32_t count);

// The graph of an entity, or {0}. A hash-map hit.
ct_scene_graph ct_scene_graph_lookup(const ct_scene_graph_manager *m, ct_entity e);

// Returns the entity that the graph belongs to.
ct_entity ct_scene_graph_entity(const ct_scene_graph_manager *m, ct_scene_graph g);

// The 32-bit id of the component in the entity's template.
uint32_t ct_scene_graph_id(const ct_scene_graph_manager *m, ct_scene_graph g);

// The number of graphs.
uint32_t ct_scene_graph_count(const ct_scene_graph_manager *m);

// The number of nodes, and so the highest node; node 0 is not counted.
uint32_t ct_scene_graph_num_nodes(const ct_scene_graph_manager *m, ct_scene_graph g);

// The node of this name, or 0. Linear in the graph's nodes.
uint32_t ct_scene_graph_find(const ct_scene_graph_manager *m, ct_scene_graph g,
                             ct_string_id32 name);

// As ct_scene_graph_find in the graph of an entity; 0 when it has none.
uint32_t ct_scene_graph_node_of(const ct_scene_graph_manager *m, ct_entity e, ct_string_id32 name);

// `node` where the entity has a graph with such a node, else 0, the entity itself: for those who
// keep the node that they stand on.
uint32_t ct_scene_graph_node_still(const ct_scene_graph_manager *m, ct_entity e, uint32_t node);

// Returns the name of a node, 1 to ct_scene_graph_num_nodes.
ct_string_id32 ct_scene_graph_name(const ct_scene_graph_manager *m, ct_scene_graph g,
                                   uint32_t node);

// --- Poses; `node` is 1 to ct_scene_graph_num_nodes ----------------------------------------------

// Reads a part of the pose in the parent's space.
ct_vec3 ct_scene_graph_local_position(const ct_scene_graph_manager *m, ct_scene_graph g,
                                      uint32_t node);
ct_quat ct_scene_graph_local_rotation(const ct_scene_graph_manager *m, ct_scene_graph g,
                                      uint32_t node);
ct_vec3 ct_scene_graph_local_scale(const ct_scene_graph_manager *m, ct_scene_graph g,
                                   uint32_t node);

// Sets a part of the pose in the parent's space, or all of it; values must be finite. The graph is
// brought up to date later (ct_scene_graph_update), or when a pose of it is read.
void ct_scene_graph_set_local_position(ct_scene_graph_manager *m, ct_scene_graph g, uint32_t node,
                                       ct_vec3 position);
void ct_scene_graph_set_local_rotation(ct_scene_graph_manager *m, ct_scene_graph g, uint32_t node,
                                       ct_quat rotation);
void ct_scene_graph_set_local_scale(ct_scene_graph_manager *m, ct_scene_graph g, uint32_t node,
                                    ct_vec3 scale);
void ct_scene_graph_set_local_pose(ct_scene_graph_manager *m, ct_scene_graph g, uint32_t node,
                                   ct_vec3 position, ct_quat rotation, ct_vec3 scale);

// Gives the nodes of `to` the local poses of the nodes of `from`, a graph of `source`, which may be
// `m`, as many as both have.
void ct_scene_graph_copy_local(ct_scene_graph_manager *m, ct_scene_graph to,
                               const ct_scene_graph_manager *source, ct_scene_graph from);

// The matrix from the node's space to the entity's; for node 0 the identity. Brings the graph up to
// date first.
ct_mat4 ct_scene_graph_pose(ct_scene_graph_manager *m, ct_scene_graph g, uint32_t node);

// The matrix from a node's space to the world's. For node 0, a node that is not there, and an
// entity without graph, the entity's; the identity without transform.
ct_mat4 ct_scene_graph_world(ct_scene_graph_manager *m, ct_entity e, uint32_t node);

// The world matrices of nodes 1 to `count` of a graph.
void ct_scene_graph_worlds(ct_scene_graph_manager *m, ct_scene_graph g, ct_mat4 *worlds,
                           uint32_t count);

// --- Links ---------------------------------------------------------------------------------------

// The node that a node hangs on; 0 for the entity.
uint32_t ct_scene_graph_parent(const ct_scene_graph_manager *m, ct_scene_graph g, uint32_t node);

// Hangs a node on another (0: the entity); its local pose stays and is relative to that. Returns
// false, and changes nothing, when `parent` is `node` or hangs on it. A graph whose parents do not
// all stand before their children is brought up to date more slowly: nodes times depth.
bool ct_scene_graph_link(ct_scene_graph_manager *m, ct_scene_graph g, uint32_t node,
                         uint32_t parent);

// Links the transform of `child` to that of the graph's entity, at a node (from 1). Returns false,
// and changes nothing, as ct_transform_link. Both must have transforms.
bool ct_scene_graph_attach(ct_scene_graph_manager *m, ct_entity child, ct_scene_graph g,
                           uint32_t node);

// --- Changes -------------------------------------------------------------------------------------

// Brings the poses of all graphs that changed up to date. Once a frame.
void ct_scene_graph_update(ct_scene_graph_manager *m);

// The entities whose graphs changed (or were made) since the list was cleared, each once, less
// those whose graph has ended. Borrowed until the manager next changes.
const ct_entity *ct_scene_graph_changed(const ct_scene_graph_manager *m, uint32_t *count);

// True when the graph is in that list.
bool ct_scene_graph_is_changed(const ct_scene_graph_manager *m, ct_scene_graph g);

// Empties the list of changed entities.
void ct_scene_graph_clear_changed(ct_scene_graph_manager *m);
