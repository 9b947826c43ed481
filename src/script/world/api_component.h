// api_component.h: components that Lua has handles for: Camera, Light, Mesh, ….
//
// A row defines how to reach the instances of a type. It provides the functions of Unit that find
// them (num_cameras, camera, has_camera), the check of an argument, and the functions that all such
// modules share: the pose of the node that the component is on. A module names its row as its
// `component`, so that these functions know the type for which they were called.
#pragma once
#include "script/script_private.h"

typedef struct ct_script_component {
    ct_lua_component_type type; // first: `component` of the module
    const char *noun, *nouns;   // "mesh" and "meshes", for errors
    // Instances by their place in the manager's arrays, 0 for none: the first of an entity, the
    // next of the same entity, and the one whose number ends in CT_COMPONENT_HANDLE_BITS bits.
    uint32_t (*first)(const ct_world *w, ct_entity e);
    uint32_t (*next)(const ct_world *w, uint32_t instance);
    uint32_t (*with_number)(const ct_world *w, ct_entity e, uint32_t number);
    uint32_t (*number)(const ct_world *w, uint32_t instance);
    uint32_t (*name)(const ct_world *w, uint32_t instance); // the 32-bit id that Unit finds it by
    uint32_t (*node)(const ct_world *w, uint32_t instance); // of the entity's scene graph, from 0
} ct_script_component;

extern const ct_script_component ct_component_camera, ct_component_light, ct_component_mesh;

// An existing instance.
typedef struct ct_script_instance {
    ct_world *world;
    ct_entity entity;
    uint32_t index; // its place in the manager's arrays, until instances are destroyed
} ct_script_instance;

// Returns the component of this type at `argument`; raises an error when it or its unit has been
// destroyed.
ct_script_instance ct_check_component_instance(lua_State *L, int argument,
                                               const ct_script_component *c);

// Pushes the handle of an instance and returns 1; raises an error about `argument` when the entity
// has too many instances to identify this one.
int ct_push_component_instance(lua_State *L, int argument, const ct_script_component *c,
                               const ct_world *w, ct_entity e, uint32_t instance);

// Returns the instance of `e` with this name, and sets `place`, unless NULL, to its place, from 0,
// among the entity's; 0 when there is none.
uint32_t ct_find_component(const ct_script_component *c, const ct_world *w, ct_entity e,
                           uint32_t name, uint32_t *place);

// Raises the error that the unit has no `what` with the name or id at argument 2.
int ct_no_such_component(lua_State *L, const char *what);

// Implement functions of Unit: the number of components, the component with the index from 1 or the
// name at argument 2, and whether there is one with that name.
int ct_unit_num_components(lua_State *L, const ct_script_component *c);
int ct_unit_component(lua_State *L, const ct_script_component *c);
int ct_unit_has_component(lua_State *L, const ct_script_component *c);
