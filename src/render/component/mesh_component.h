// mesh_component.h: meshes on entities. An entity may have several.
//
// Structure of arrays in one allocation: entity, id, number, mesh, materials, visibility, render
// object, node of the entity's scene graph, next instance of the same entity. An array gives the
// first instance of an entity. Slot 0 is not used. Materials of more than 7 parts are in an array
// of their own, which grows with the number of such meshes and keeps its places.
//
// Functions that take an instance assert that it exists. Update thread.
#pragma once
#include "entity/scene_graph_component.h"
#include "render/render_skeleton.h"

typedef struct ct_mesh_manager ct_mesh_manager;

typedef struct ct_mesh_instance {
    uint32_t index; // stale after any instance is destroyed
} ct_mesh_instance;

// Makes the manager of a world's meshes, from `a`. It reads `transforms` and `graphs` and makes the
// objects in `world` of the renderer; all of these must outlive it.
ct_mesh_manager *ct_mesh_manager_create(ct_allocator *a, ct_renderer *r, ct_render_world_id world,
                                        ct_transform_manager *transforms,
                                        ct_scene_graph_manager *graphs);

// Frees the manager (NULL is fine) and removes its meshes from the renderer's world.
void ct_mesh_manager_destroy(ct_mesh_manager *m);

// Returns the row for the component registry. A registry that has the row destroys the manager.
ct_component_manager ct_mesh_component_manager(ct_mesh_manager *m);

// Gives an entity a mesh on the node of its scene graph that the data names. The scene graph must
// exist by now; the mesh is on the entity itself when the graph has no such node. The caller has
// checked that there is room (ct_component_manager_has_room).
ct_mesh_instance ct_mesh_create(ct_mesh_manager *m, ct_entity e, uint32_t id,
                                const ct_mesh_data *data);

// Removes the mesh from its entity and from the renderer's world. Other instances may move.
void ct_mesh_destroy(ct_mesh_manager *m, ct_mesh_instance i);

// Returns the entity's mesh that was made first, or {0} when it has none.
ct_mesh_instance ct_mesh_first(const ct_mesh_manager *m, ct_entity e);

// Returns the mesh of the same entity that was made after `i`, or {0} when `i` is the last.
ct_mesh_instance ct_mesh_next(const ct_mesh_manager *m, ct_mesh_instance i);

// Returns the entity's first mesh of this id, or {0}.
ct_mesh_instance ct_mesh_with_id(const ct_mesh_manager *m, ct_entity e, uint32_t id);

// Returns the id that the mesh was created with.
uint32_t ct_mesh_id(const ct_mesh_manager *m, ct_mesh_instance i);

// Returns the mesh's number among the entity's, below 2^CT_INSTANCE_NUMBER_BITS. No other mesh of
// the entity has the number, and a destroyed mesh's number comes back only after 2^23 others
// (instance_table.h).
uint32_t ct_mesh_number(const ct_mesh_manager *m, ct_mesh_instance i);

// Returns the entity's first mesh whose number ends in the lowest `num_bits` bits of `number`, or
// {0}.
ct_mesh_instance ct_mesh_with_number(const ct_mesh_manager *m, ct_entity e, uint32_t number,
                                     uint32_t num_bits);

// Returns the node of the entity's scene graph that the mesh is on; 0 is the entity itself, also
// when the graph has ended.
uint32_t ct_mesh_node(const ct_mesh_manager *m, ct_mesh_instance i);

// Returns all settings: the resources, whether the mesh is drawn and whether it casts shadows while
// it is drawn. Copies some 500 bytes; the functions below are cheaper for one value.
ct_mesh_data ct_mesh_data_of(const ct_mesh_manager *m, ct_mesh_instance i);

// Writes the settings to `out`, but for num_materials and the materials after the last that is given;
// returns the number of materials up to that one. For many meshes.
uint32_t ct_mesh_read(const ct_mesh_manager *m, ct_mesh_instance i, ct_mesh_data *out);

// Returns the mesh resource.
ct_string_id64 ct_mesh_name(const ct_mesh_manager *m, ct_mesh_instance i);

// Returns the material of a part below CT_MESH_MAX_MATERIALS, or 0 when the part has none.
ct_string_id64 ct_mesh_material(const ct_mesh_manager *m, ct_mesh_instance i, uint32_t part);

// Returns whether the mesh is drawn where a camera sees it.
bool ct_mesh_is_visible(const ct_mesh_manager *m, ct_mesh_instance i);

// Shows or hides the mesh. A hidden mesh casts no shadows.
void ct_mesh_set_visible(ct_mesh_manager *m, ct_mesh_instance i, bool is_visible);

// Says that the entity's meshes jump to their poses of this frame: they have no velocity then.
void ct_mesh_jump(ct_mesh_manager *m, ct_entity e);

// Sets whether the mesh casts shadows while it is visible.
void ct_mesh_set_casts_shadows(ct_mesh_manager *m, ct_mesh_instance i, bool casts_shadows);

// Gives the mesh an outline of a colour (3 floats, linear, 0 to 1), or, with NULL, none. The meshes
// of an entity are outlined as one.
void ct_mesh_set_outline(ct_mesh_manager *m, ct_mesh_instance i, const float *color);

// The same for a tool: its outline covers the game's, which is back without it.
void ct_mesh_mark(ct_mesh_manager *m, ct_mesh_instance i, const float *color);

// Sets the material of a part below CT_MESH_MAX_MATERIALS; 0 shows the error material.
void ct_mesh_set_material(ct_mesh_manager *m, ct_mesh_instance i, uint32_t part,
                          ct_string_id64 material);

// Gives the mesh a value of its own (1 to 4 floats) for an instanced parameter of its materials.
// Returns false and changes nothing when none of its materials is online with such a parameter.
bool ct_mesh_set_value(ct_mesh_manager *m, ct_mesh_instance i, ct_string_id32 name,
                       const float *values, uint32_t num_values);

// Gives all meshes that an entity has now a value (1 to 4 floats) for an instanced parameter of
// their materials, also of those that they are given later. The entity may have no mesh.
void ct_mesh_give_value(ct_mesh_manager *m, ct_entity e, ct_string_id32 name, const float *values,
                        uint32_t num_values);

// Gives all meshes of an entity a skeleton of the renderer's world, also those that are created on
// it later; {0} takes it away. Skinned meshes are then posed by the entity itself and not by a node
// of its scene graph: the skeleton's matrices lead to the entity's space. Other meshes stay on
// their nodes. The caller ends it before it destroys the skeleton. The entity may have no mesh.
void ct_mesh_set_skeleton(ct_mesh_manager *m, ct_entity e, ct_render_skeleton_id skeleton);

// Returns the number of meshes of all entities.
uint32_t ct_mesh_count(const ct_mesh_manager *m);

// Sends the poses of the meshes that moved to the renderer. Reads the changed lists of transforms
// and scene graphs.
void ct_mesh_send_poses(ct_mesh_manager *m);
