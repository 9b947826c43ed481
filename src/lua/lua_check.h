// lua_check.h: checked arguments that modules share.
//
// Each function raises a Lua error that names function, argument, what was expected and what was
// found; it does not return then.
#pragma once
#include "entity/component_registry.h"
#include "lua/lua_machine.h"
#include "resource/schema/schema.h"

// Raises an error unless `e`, element `i` from 0 of the array at `argument`, lives.
void ct_check_entity_at(lua_State *L, int argument, ct_entity e, uint32_t i);

// A finite number from `least` to `most`.
double ct_check_number_in(lua_State *L, int argument, double least, double most);

// A number in the range of a schema's field.
double ct_check_field_number(lua_State *L, int argument, const ct_schema *schema,
                             const char *field);

// A string among NULL-terminated `names`; its position.
uint32_t ct_check_name_of(lua_State *L, int argument, const char *const *names);

// Four finite numbers: a Vector4 or Quaternion.
ct_vec4 ct_check_finite_vector4(lua_State *L, int argument);

// Rotation `i`, from 0, of those in `floats`, which stand at `argument`, x, y, z and w each, and are
// finite; normalised.
ct_quat ct_check_rotation_of(lua_State *L, int argument, const float *floats, uint32_t i);

// A matrix of finite numbers; and one that is taken apart to a pose.
ct_mat4 ct_check_finite_matrix4x4(lua_State *L, int argument);
void ct_check_pose(lua_State *L, int argument, ct_vec3 *position, ct_quat *rotation,
                   ct_vec3 *scale);

// The name of a resource of this type that is loaded; its blob is set unless `blob` is NULL.
const char *ct_check_resource(lua_State *L, int argument, const char *type, const void **blob);

// Pushes what an error says after the name of a resource that is not there: that its variants are
// not wanted, `, did you mean "…"?`, or nothing when no compiled one of this type has a name like
// it. Borrowed from Lua.
const char *ct_push_resource_guess(lua_State *L, const char *type, const char *name);

// An instance of a component of which an entity has one at most is known to Lua by a number that
// says the entity: it is stale when that one died, and good for no other.
int ct_push_single_instance(lua_State *L, ct_entity e); // returns 1; nil for none
ct_entity ct_check_single_instance(lua_State *L, int argument);

// What `instances` and `instance_ids` of such a component give: nothing for none, else the instance,
// or the id of the only one, which is 0. They return how many they pushed.
int ct_push_single_instances(lua_State *L, ct_entity e);
int ct_push_single_ids(lua_State *L, ct_entity e);

// One of several instances of an entity is known by a number that says the entity and the instance's
// number among that one's (entity/instance_table.h): it is good for no other, too. Whether there is
// such an instance is for the caller to see.
#define CT_MOST_INSTANCE ((1ll << 53) - 1)
int ct_push_instance(lua_State *L, ct_entity e, uint32_t number); // returns 1
// The entity of the instance whose number is at `argument`, or is `instance`, and its number among
// that entity's instances. {0} for a number that no instance can have.
ct_entity ct_check_instance(lua_State *L, int argument, uint32_t *number);
ct_entity ct_instance_entity(uint64_t instance, uint32_t *number);

// Raises the error that the instance at `argument`, of a component called `noun`, has ended.
int ct_instance_error(lua_State *L, int argument, const char *noun);

// The 32-bit id of a component: an integer, a string or an IdString32.
uint32_t ct_check_component_id(lua_State *L, int argument);

// Raises an error unless the manager has room for one more instance.
void ct_check_room(lua_State *L, const ct_component_manager *manager);

// Positions from a Float32Array, whose own they are, or from a Lua array of Vector3s, or of numbers
// x1, y1, z1, x2, …, allocated from `a`. Sets `count`.
const ct_vec3 *ct_check_positions(lua_State *L, int argument, ct_allocator *a, uint32_t *count);

// The length of the array at `argument`.
uint32_t ct_check_array(lua_State *L, int argument);
