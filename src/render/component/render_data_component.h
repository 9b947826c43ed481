// render_data_component.h: values by name that all meshes of an entity have, for the instanced
// parameters of their materials. An entity may have several instances; where two hold the same
// name, the one that was set last counts.
//
// A value reaches the meshes that the entity has when it is set, and those that are given to it
// later with ct_render_data_give. Functions that take an instance assert that it exists. Update
// thread.
#pragma once
#include "render/component/mesh_component.h"
#include "resource/types/component/render_data.h"

typedef struct ct_render_data_manager ct_render_data_manager;

typedef struct ct_render_data_instance {
    uint32_t index; // stale after any instance is destroyed
} ct_render_data_instance;

// Makes a world's manager, from `a`, which sets values of `meshes`; these must outlive it.
ct_render_data_manager *ct_render_data_manager_create(ct_allocator *a, ct_mesh_manager *meshes);

// Frees the manager (NULL is fine). Meshes keep their values.
void ct_render_data_manager_destroy(ct_render_data_manager *m);

// Returns the row for the component registry. A registry that has the row destroys the manager.
ct_component_manager ct_render_data_component_manager(ct_render_data_manager *m);

// Gives an entity an instance without values. The caller has checked that there is room
// (ct_component_manager_has_room).
ct_render_data_instance ct_render_data_create(ct_render_data_manager *m, ct_entity e, uint32_t id);

// Removes the instance. Meshes keep their values. Other instances may move.
void ct_render_data_destroy(ct_render_data_manager *m, ct_render_data_instance i);

// Returns the entity's instance that was made first, or {0} when it has none.
ct_render_data_instance ct_render_data_first(const ct_render_data_manager *m, ct_entity e);

// Returns the instance of the same entity that was made after `i`, or {0} when `i` is the last.
ct_render_data_instance ct_render_data_next(const ct_render_data_manager *m,
                                            ct_render_data_instance i);

// Returns the entity's first instance of this id, or {0}.
ct_render_data_instance ct_render_data_with_id(const ct_render_data_manager *m, ct_entity e,
                                               uint32_t id);

// Returns the number of instances of all entities.
uint32_t ct_render_data_count(const ct_render_data_manager *m);

// Returns the id that the instance was created with.
uint32_t ct_render_data_id(const ct_render_data_manager *m, ct_render_data_instance i);

// Returns the instance's number among the entity's, below 2^CT_INSTANCE_NUMBER_BITS, which no other
// has (instance_table.h).
uint32_t ct_render_data_number(const ct_render_data_manager *m, ct_render_data_instance i);

// Returns the entity's first instance whose number ends in the lowest `num_bits` bits of `number`,
// or {0}.
ct_render_data_instance ct_render_data_with_number(const ct_render_data_manager *m, ct_entity e,
                                                   uint32_t number, uint32_t num_bits);

// Returns all values of an instance and their number. Borrowed until the manager next changes.
const ct_render_data_value *ct_render_data_values(const ct_render_data_manager *m,
                                                  ct_render_data_instance i, uint32_t *count);

// Returns the value of this name, or NULL. Borrowed until the manager next changes.
const ct_render_data_value *ct_render_data_get(const ct_render_data_manager *m,
                                               ct_render_data_instance i, ct_string_id32 name);

// Sets the value of this name (1 to 4 floats) and gives it to the meshes of the entity. Returns
// false and changes nothing when the instance has CT_RENDER_DATA_MAX_VALUES others.
bool ct_render_data_set(ct_render_data_manager *m, ct_render_data_instance i, ct_string_id32 name,
                        const float *values, uint32_t num_values);

// Gives all values of an entity to its meshes, one of which is new. The entity may have no values.
void ct_render_data_give(const ct_render_data_manager *m, ct_entity e);
