// lua_values.h: engine values in Lua: checked handles and temporaries, never pointers.
//
// A value is a light userdata: the low 4 bits are its kind, the rest its payload:
//   entity (a Unit)        30 bits of entity id
//   component              30 bits of entity id, 5 bits of instance number, 6 bits of component type,
//                          5 more bits of the number: the last 10 bits of the instance's number
//                          among its entity's (entity/instance_table.h)
//   vector, quaternion, matrix, 64-bit id
//                          20 bits of place among this frame's temporaries, 15 bits of frame
//   32-bit id              the id
//   object                 14 bits of place, 21 bits of generation
//   actor of a physics     32 bits of its id, 8 bits of the number of its world's physics
// All light userdata share one metatable, whose operators dispatch on the kind. Temporaries end
// with the frame; using one later raises an error that says so. Functions that check raise a Lua
// error with the function, the argument, the expected and the actual value; they then do not
// return.
//
// LuaJIT allows at most 255 different values of the bits from 39 up. Only handles of components use
// them: a type of components takes one value, and one more for each 32 instances that an entity
// had; and those of actors of the 8th and later worlds. All types together may have 255;
// ct_push_component raises an error for more.
#pragma once
#include "entity/entity.h"
#include "foundation/math/math_types.h"
#include "foundation/string/string_id.h"
#include "lua/lua_module.h"

typedef struct ct_lua ct_lua;

enum {
    CT_COMPONENT_HANDLE_BITS = 10,
    CT_MAX_COMPONENT_HANDLES = 1024,    // of one type of an entity
    CT_MAX_COMPONENT_TYPES_IN_LUA = 64, // that are known by handles
    CT_MAX_COMPONENT_SEGMENTS = 250,    // values of the bits from 39 up
    CT_ACTOR_WORLD_BITS = 8,            // of the number of a world in the handle of an actor
};

typedef enum ct_value_kind {
    CT_VALUE_KIND_NONE,
    CT_VALUE_KIND_ENTITY,
    CT_VALUE_KIND_VECTOR2,
    CT_VALUE_KIND_VECTOR3,
    CT_VALUE_KIND_VECTOR4, // also a color
    CT_VALUE_KIND_QUATERNION,
    CT_VALUE_KIND_MATRIX4X4,
    CT_VALUE_KIND_ID32,
    CT_VALUE_KIND_ADDRESS, // no value has it: addresses of full userdata end in it, or in NONE
    CT_VALUE_KIND_ID64,
    CT_VALUE_KIND_COMPONENT, // of a unit: a camera, light, mesh, …
    CT_VALUE_KIND_OBJECT,
    CT_VALUE_KIND_ACTOR, // a rigid body
    CT_VALUE_KIND_COUNT,
} ct_value_kind;

// What an engine object ends with.
typedef enum ct_lua_owner {
    CT_LUA_OWNER_NONE,   // with the state, unless its module ends it before
    CT_LUA_OWNER_OBJECT, // with the object that the handle is a part of (a level, a manager)
    CT_LUA_OWNER_DATA,   // with the object whose address is the handle's `data`
} ct_lua_owner;

// A type of engine objects, which are kept in a table of slots with generations: World, Window, ….
// Each has one constant, beside the functions of its module, whose address is its identity.
typedef struct ct_lua_object_type {
    const char *name; // "World": for errors and Script.type_name
    ct_lua_owner owner;
    // Frees the object after its handles have ended. NULL: Lua does not own it.
    void (*end)(lua_State *L, void *object, uint64_t data);
} ct_lua_object_type;

// A type of components that Lua refers to by entity and number: Camera, Light, …. One constant
// each, as above.
typedef struct ct_lua_component_type {
    const char *name; // "Camera"
} ct_lua_component_type;

// The machine that this thread made last, and the Lua state that it began with; NULL once it has
// ended.
typedef struct ct_lua_newest {
    lua_State *lua;
    ct_lua *machine;
} ct_lua_newest;
extern _Thread_local ct_lua_newest ct_lua_newest_here;

// Returns the machine that runs `L`. Calls into Lua are the main cost of bindings: this makes none
// when `L` is the state that this thread's newest machine began with, and not one of its
// coroutines.
static inline ct_lua *ct_lua_of(lua_State *L) {
    if (__builtin_expect(ct_lua_newest_here.lua == L, 1))
        return ct_lua_newest_here.machine;
    void *m;
    lua_getallocf(L, &m);
    return (ct_lua *)m;
}

// Return the kind of the value at `index`, NONE for other than engine values, and its name for
// errors and Script.type_name ("Vector3", "Unit", "number", "nil", …), which a dead or stale value
// has too.
ct_value_kind ct_value_kind_at(lua_State *L, int index);
const char *ct_value_type_name(lua_State *L, int index);

// --- Pushing -------------------------------------------------------------------------------------

// Pushes a Unit; nil for {0}.
void ct_push_entity(lua_State *L, ct_entity e);

// Push temporaries of this frame. Raise an error when the frame has too many.
void ct_push_vector2(lua_State *L, ct_vec2 v);
void ct_push_vector3(lua_State *L, ct_vec3 v);
void ct_push_vector4(lua_State *L, ct_vec4 v);
void ct_push_quaternion(lua_State *L, ct_quat q);

// Pushes a temporary of four slots. `m` may be among the temporaries.
void ct_push_matrix4x4(lua_State *L, const ct_mat4 *m);

// Push ids. A 32-bit id is in the value itself, a 64-bit id is a temporary of this frame.
void ct_push_id32(lua_State *L, ct_string_id32 id);
void ct_push_id64(lua_State *L, ct_string_id64 id);

// Pushes the component of `e` whose number ends in the CT_COMPONENT_HANDLE_BITS bits of `number`.
// Raises an error when there are too many types and numbers for handles.
void ct_push_component(lua_State *L, const ct_lua_component_type *type, ct_entity e,
                       uint32_t number);

// Pushes the actor with this id in the physics that has this number (below 2^CT_ACTOR_WORLD_BITS).
// What numbers the worlds sets ct_lua.is_actor_alive, and does not give the number of a world that
// ended to another one soon. Raises an error as ct_push_component.
void ct_push_actor_value(lua_State *L, uint32_t world, uint32_t actor);

// Return the id of an actor and the number of its world from the bits of its handle.
uint32_t ct_actor_of_value(uint64_t value);
uint32_t ct_actor_world_of_value(uint64_t value);

// --- Checked reading -----------------------------------------------------------------------------

// Returns a living entity; ct_check_entity_id also accepts dead ones.
ct_entity ct_check_entity(lua_State *L, int argument);
ct_entity ct_check_entity_id(lua_State *L, int argument);
ct_vec2 ct_check_vector2(lua_State *L, int argument);
ct_vec3 ct_check_vector3(lua_State *L, int argument);
ct_vec4 ct_check_vector4(lua_State *L, int argument);    // a Quaternion too
ct_quat ct_check_quaternion(lua_State *L, int argument); // a Vector4 too
// Borrowed from the frame's temporaries: copy before pushing anything.
const ct_mat4 *ct_check_matrix4x4(lua_State *L, int argument);
ct_string_id32 ct_check_id32(lua_State *L, int argument); // a string too
ct_string_id64 ct_check_id64(lua_State *L, int argument); // a string too
double ct_check_number(lua_State *L, int argument);       // finite
// A whole number from `least` to `most`, which are within 2^53.
int64_t ct_check_integer(lua_State *L, int argument, int64_t least, int64_t most);
bool ct_check_boolean(lua_State *L, int argument); // nothing else, nil included
// A string, not a number, zero bytes included. Borrowed while it is on the stack.
const char *ct_check_text(lua_State *L, int argument, size_t *bytes);
// Same as ct_check_text, for names and everything used as zero-terminated text: a zero byte is an
// error.
const char *ct_check_string(lua_State *L, int argument);
// Returns any string on the stack, such as an array's element, or NULL when it has a zero byte.
const char *ct_lua_name_at(lua_State *L, int index);

// Return vectors and quaternions for poses: NaN and infinities are errors.
ct_vec3 ct_check_finite_vector3(lua_State *L, int argument);
ct_quat ct_check_finite_quaternion(lua_State *L, int argument); // and normalised

// Return an optional argument, or `otherwise` when it is absent or nil.
ct_vec3 ct_optional_vector3(lua_State *L, int argument, ct_vec3 otherwise);

// Returns the data of a temporary of this kind, to change it in place (Vector3.set_x).
float *ct_check_temporary(lua_State *L, int argument, ct_value_kind kind);

// Checks the handle of a component of this type on a living entity; `number` is set to the last
// bits of its number. The caller looks the instance up, and reports a missing one with
// ct_argument_error.
ct_entity ct_check_component(lua_State *L, int argument, const ct_lua_component_type *type,
                             uint32_t *number);

// Raises the error `FUNCTION: argument N (NAME) …`, with the function's name from its module's
// table. Does not return.
int ct_argument_error(lua_State *L, int argument, const char *format, ...) CT_PRINTF(3, 4);

// Raises the error `FUNCTION: …`. Does not return.
int ct_function_error(lua_State *L, const char *format, ...) CT_PRINTF(2, 3);

// --- Objects -------------------------------------------------------------------------------------

// Makes a handle for an engine object and pushes it. The same object and type give the same handle
// while the object is registered. `data` is a second value stored with it, such as a resource's
// name. Raises an error when there are CT_MAX_OBJECTS objects.
void ct_push_object(lua_State *L, const ct_lua_object_type *type, void *object, uint64_t data);

// Returns the object of a handle of this type; raises an error when it was released. `data` may be
// NULL.
void *ct_check_object(lua_State *L, int argument, const ct_lua_object_type *type, uint64_t *data);

// Ends all handles of an object. Using one that remains in Lua is then an error.
void ct_release_object(ct_lua *m, const ct_lua_object_type *type, void *object, uint64_t data);

// Same as ct_release_object, and frees the object as its type defines.
void ct_end_object(lua_State *L, const ct_lua_object_type *type, void *object, uint64_t data);

// Ends all objects whose owner is at `owner`; with NULL, all remaining objects that have an `end`.
// Call it for a world before the world ends, and for the rest before the state closes.
void ct_end_objects_of(lua_State *L, const void *owner);

// Raises an error when no more handles of this type can be made. Call it before making the object.
void ct_check_object_room(lua_State *L, const ct_lua_object_type *type);

// --- Temporaries ---------------------------------------------------------------------------------

// Return and set how many temporaries this frame has. Lua can go back to an earlier count to reuse
// their slots.
uint32_t ct_temporary_count(lua_State *L);
void ct_set_temporary_count(lua_State *L, uint32_t count);
