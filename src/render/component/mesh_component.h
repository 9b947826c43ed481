// mesh_component.h: meshes on entities. An entity may have several.
//
// Structure of arrays in one allocation: entity, id, number, mesh, materials, visibility, render
// object, node of the entity's scene graph, next instance of the same entity; from entity to its
// first by an array. Slot 0 is none. Materials of more than 7 parts stand in an array of their own,
// which grows by as many places as there are such meshes and keeps them.
#pragma once
#include "entity/scene_graph_component.h"
#include "render/renderer.h"

typedef struct ct_mesh_manager ct_mesh_manager;

typedef struct ct_mesh_instance {
    uint32_t index; // stale after any instance is destroyed
} ct_mesh_instance;

ct_mesh_manager *ct_mesh_manager_create(ct_allocator *a, ct_renderer *r, ct_render_world_id world,
                                        ct_transform_manager *transforms,
                                        ct_scene_graph_manager *graphs);
void ct_mesh_manager_destroy(ct_mesh_manager *m);
ct_component_manager ct_mesh_component_manager(ct_mesh_manager *m);

// Gives an entity a mesh, for which there is room, on the node that the data names, which the
// entity's scene graph has by now; a node that is not there stands for the entity itself.
ct_mesh_instance ct_mesh_create(ct_mesh_manager *m, ct_entity e, uint32_t id,
                                const ct_mesh_data *data);
void ct_mesh_destroy(ct_mesh_manager *m, ct_mesh_instance i);

// The entity's first instance and the next one; {0} at the end.
ct_mesh_instance ct_mesh_first(const ct_mesh_manager *m, ct_entity e);
ct_mesh_instance ct_mesh_next(const ct_mesh_manager *m, ct_mesh_instance i);

// The entity's instance of this id, or {0}; and the id of an instance.
ct_mesh_instance ct_mesh_with_id(const ct_mesh_manager *m, ct_entity e, uint32_t id);
uint32_t ct_mesh_id(const ct_mesh_manager *m, ct_mesh_instance i);

// The instance's number among the entity's, below 2^CT_INSTANCE_NUMBER_BITS, which no other had or
// gets (instance_table.h); the first instance whose number ends in these bits, or {0}.
uint32_t ct_mesh_number(const ct_mesh_manager *m, ct_mesh_instance i);
ct_mesh_instance ct_mesh_with_number(const ct_mesh_manager *m, ct_entity e, uint32_t number,
                                     uint32_t num_bits);

// The node of the entity's scene graph that it is on; 0: the entity, also when the graph has ended.
uint32_t ct_mesh_node(const ct_mesh_manager *m, ct_mesh_instance i);

// The resources, whether it is drawn, and whether it casts shadows while it is; all of it, which is
// some 500 bytes.
ct_mesh_data ct_mesh_data_of(const ct_mesh_manager *m, ct_mesh_instance i);

// The mesh resource; the material of a part below CT_MESH_MAX_MATERIALS, or 0; whether it is drawn.
ct_string_id64 ct_mesh_name(const ct_mesh_manager *m, ct_mesh_instance i);
ct_string_id64 ct_mesh_material(const ct_mesh_manager *m, ct_mesh_instance i, uint32_t part);
bool ct_mesh_is_visible(const ct_mesh_manager *m, ct_mesh_instance i);

void ct_mesh_set_visible(ct_mesh_manager *m, ct_mesh_instance i, bool is_visible);
void ct_mesh_set_casts_shadows(ct_mesh_manager *m, ct_mesh_instance i, bool casts_shadows);
void ct_mesh_set_material(ct_mesh_manager *m, ct_mesh_instance i, uint32_t part,
                          ct_string_id64 material);

// Gives the mesh a value of its own (1 to 4 floats) for an instanced parameter of its materials.
// False when none of them has such a parameter.
bool ct_mesh_set_value(ct_mesh_manager *m, ct_mesh_instance i, ct_string_id32 name,
                       const float *values, uint32_t num_values);

uint32_t ct_mesh_count(const ct_mesh_manager *m);

// Sends the poses of what moved to the renderer: reads the changed lists of transforms and scene
// graphs.
void ct_mesh_send_poses(ct_mesh_manager *m);
