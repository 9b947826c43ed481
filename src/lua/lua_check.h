// lua_check.h: argument checks shared by modules.
//
// Each function raises a Lua error when its check fails. The error names the function, the
// argument, the expected and the actual value; the call then does not return.
#pragma once
#include "entity/component_registry.h"
#include "lua/lua_machine.h"
#include "resource/schema/schema.h"

// Raises an error unless `e`, element `i` from 0 of the array at `argument`, is alive.
void ct_check_entity_at(lua_State *L, int argument, ct_entity e, uint32_t i);

// Returns a finite number from `least` to `most`.
double ct_check_number_in(lua_State *L, int argument, double least, double most);

// Returns a number in the range of a schema's field.
double ct_check_field_number(lua_State *L, int argument, const ct_schema *schema,
                             const char *field);

// Returns the position, from 0, of a string in the NULL-terminated `names`.
uint32_t ct_check_name_of(lua_State *L, int argument, const char *const *names);

// Returns four finite numbers: a Vector4 or Quaternion.
ct_vec4 ct_check_finite_vector4(lua_State *L, int argument);

// Returns rotation `i`, from 0, in `floats`, the finite contents of `argument` with x, y, z and w
// for each; normalised.
ct_quat ct_check_rotation_of(lua_State *L, int argument, const float *floats, uint32_t i);

// Return a matrix of finite numbers, and such a matrix decomposed to a pose.
ct_mat4 ct_check_finite_matrix4x4(lua_State *L, int argument);
void ct_check_pose(lua_State *L, int argument, ct_vec3 *position, ct_quat *rotation,
                   ct_vec3 *scale);

// Returns the name of a loaded resource of this type, and sets `blob` unless it is NULL.
const char *ct_check_resource(lua_State *L, int argument, const char *type, const void **blob);

// Pushes what an error adds after the name of a missing resource: that its variants are not
// preferred, or `, did you mean "…"?`, or nothing when no compiled resource of this type has a
// similar name. The text is borrowed from Lua.
const char *ct_push_resource_guess(lua_State *L, const char *type, const char *name);

// Push and check an instance of a component of which an entity has at most one. Lua identifies it
// by a number that contains the entity: the number becomes stale when that entity dies, and is
// never valid for another.
int ct_push_single_instance(lua_State *L, ct_entity e); // returns 1; nil for none
ct_entity ct_check_single_instance(lua_State *L, int argument);

// Push the results of `instances` and `instance_ids` for such a component: nothing when there is no
// instance, else the instance, or its id, which is 0. Return how many values they pushed.
int ct_push_single_instances(lua_State *L, ct_entity e);
int ct_push_single_ids(lua_State *L, ct_entity e);

// Push and check one of several instances of an entity. Lua identifies it by a number that contains
// the entity and the instance's number within it (entity/instance_table.h), which is never valid
// for another. The caller checks whether the instance exists.
#define CT_MOST_INSTANCE ((1ll << 53) - 1)
int ct_push_instance(lua_State *L, ct_entity e, uint32_t number); // returns 1
// The entity of the instance whose number is at `argument`, or is `instance`, and its number among
// that entity's instances. {0} for a number that no instance can have.
ct_entity ct_check_instance(lua_State *L, int argument, uint32_t *number);
ct_entity ct_instance_entity(uint64_t instance, uint32_t *number);

// Raises the error that the instance at `argument`, of a component called `noun`, is destroyed.
int ct_instance_error(lua_State *L, int argument, const char *noun);

// Returns the 32-bit id of a component from an integer, a string or an IdString32.
uint32_t ct_check_component_id(lua_State *L, int argument);

// Raises an error unless the manager has room for another instance.
void ct_check_room(lua_State *L, const ct_component_manager *manager);

// Returns positions: those in a Float32Array, in place, or those of a Lua array of Vector3s or of
// numbers x1, y1, z1, x2, …, allocated from `a`. Sets `count`.
const ct_vec3 *ct_check_positions(lua_State *L, int argument, ct_allocator *a, uint32_t *count);

// Returns the length of the array at `argument`.
uint32_t ct_check_array(lua_State *L, int argument);
