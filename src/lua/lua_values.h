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
// All light userdata share one metatable, whose operators dispatch on the kind. Temporaries end
// with the frame: using one later is an error that says so. Checked functions raise a Lua error
// that names function, argument, expected and got; they do not return then.
//
// LuaJIT takes at most 255 different values of the bits from 39 up. Only handles of components use
// them: a type of components takes one value, and one more for each 32 instances that an entity had.
// So all types together may have 255; ct_push_component raises an error for more.
#pragma once
#include "entity/entity.h"
#include "foundation/math/math.h"
#include "foundation/string/string_id.h"
#include "lua/lua_module.h"

typedef struct ct_lua ct_lua;

enum {
    CT_COMPONENT_HANDLE_BITS = 10,
    CT_MAX_COMPONENT_HANDLES = 1024,    // of one type of an entity
    CT_MAX_COMPONENT_TYPES_IN_LUA = 64, // that are known by handles
    CT_MAX_COMPONENT_SEGMENTS = 250,    // values of the bits from 39 up
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
    CT_VALUE_KIND_COUNT,
} ct_value_kind;

// With what an engine object ends.
typedef enum ct_lua_owner {
    CT_LUA_OWNER_NONE,   // with the state, unless its module ends it before
    CT_LUA_OWNER_OBJECT, // with the object that the handle is a part of (a level, a manager)
    CT_LUA_OWNER_DATA,   // with the object whose address is the handle's `data`
} ct_lua_owner;

// A type of engine objects, which are kept in a table of slots with generations: World, Window, ….
// One constant for each, beside the functions of its module; its address is its identity.
typedef struct ct_lua_object_type {
    const char *name; // "World": for errors and Script.type_name
    ct_lua_owner owner;
    // Frees the object; its handles have ended. NULL: it is not Lua's to free.
    void (*end)(lua_State *L, void *object, uint64_t data);
} ct_lua_object_type;

// A type of components that Lua holds by entity and number: Camera, Light, …. As above.
typedef struct ct_lua_component_type {
    const char *name; // "Camera"
} ct_lua_component_type;

// The machine that this thread made last, and the Lua state it began with; NULL once it ended.
typedef struct ct_lua_newest {
    lua_State *lua;
    ct_lua *machine;
} ct_lua_newest;
extern _Thread_local ct_lua_newest ct_lua_newest_here;

// The machine that runs `L`. Calls of Lua's are what bindings cost: this makes none where `L` is the
// state that this thread's newest machine began with, and not one of its coroutines.
static inline ct_lua *ct_lua_of(lua_State *L) {
    if (__builtin_expect(ct_lua_newest_here.lua == L, 1))
        return ct_lua_newest_here.machine;
    void *m;
    lua_getallocf(L, &m);
    return (ct_lua *)m;
}

// The kind of the value at `index`, NONE for what is no engine value; and its name as errors and
// Script.type_name give it ("Vector3", "Unit", "number", "nil", …), a dead or stale one included.
ct_value_kind ct_value_kind_at(lua_State *L, int index);
const char *ct_value_type_name(lua_State *L, int index);

// --- Pushing -------------------------------------------------------------------------------------

// Pushes a Unit; nil for {0}.
void ct_push_entity(lua_State *L, ct_entity e);

// Push temporaries of this frame. Raise an error when a frame has too many.
void ct_push_vector2(lua_State *L, ct_vec2 v);
void ct_push_vector3(lua_State *L, ct_vec3 v);
void ct_push_vector4(lua_State *L, ct_vec4 v);
void ct_push_quaternion(lua_State *L, ct_quat q);

// Pushes a temporary of four slots. `m` may be among the temporaries.
void ct_push_matrix4x4(lua_State *L, const ct_mat4 *m);

// Push ids: one of 32 bits is in the value itself, one of 64 bits is a temporary of this frame.
void ct_push_id32(lua_State *L, ct_string_id32 id);
void ct_push_id64(lua_State *L, ct_string_id64 id);

// Pushes the component of `e` whose number ends in the CT_COMPONENT_HANDLE_BITS bits of `number`. Raises an
// error when there are too many types and numbers for handles.
void ct_push_component(lua_State *L, const ct_lua_component_type *type, ct_entity e,
                       uint32_t number);

// --- Checked reading -----------------------------------------------------------------------------

// A living entity; ct_check_entity_id also takes a dead one.
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
// The same for names, and for all that goes on as a zero-terminated text: a zero byte is an error.
const char *ct_check_string(lua_State *L, int argument);
// The same of any string on the stack, an array's element say; NULL when it has a zero byte.
const char *ct_lua_name_at(lua_State *L, int index);

// The same for vectors and quaternions to be used as poses: NaN and infinities are errors.
ct_vec3 ct_check_finite_vector3(lua_State *L, int argument);
ct_quat ct_check_finite_quaternion(lua_State *L, int argument); // and normalised

// An optional argument: `otherwise` when absent or nil.
ct_vec3 ct_optional_vector3(lua_State *L, int argument, ct_vec3 otherwise);

// The place of a temporary of this kind to change it in place (Vector3.set_x).
float *ct_check_temporary(lua_State *L, int argument, ct_value_kind kind);

// The handle of a component of this type, of a living entity; `number` is set to the last bits of its
// number. The caller looks the instance up, and reports one that is gone with ct_argument_error.
ct_entity ct_check_component(lua_State *L, int argument, const ct_lua_component_type *type,
                             uint32_t *number);

// Raises the error `FUNCTION: argument N (NAME) …`, the function's own name taken from its module's
// table. Does not return.
int ct_argument_error(lua_State *L, int argument, const char *format, ...) CT_PRINTF(3, 4);

// Raises the error `FUNCTION: …`. Does not return.
int ct_function_error(lua_State *L, const char *format, ...) CT_PRINTF(2, 3);

// --- Objects -------------------------------------------------------------------------------------

// Makes a handle for an engine object and pushes it; the same object and type give the same handle
// while it is registered. `data` is a second value kept with it (a resource's name, say). Raises an
// error when there are CT_MAX_OBJECTS.
void ct_push_object(lua_State *L, const ct_lua_object_type *type, void *object, uint64_t data);

// The object behind a handle of this type; an error when it was released. `data` may be NULL.
void *ct_check_object(lua_State *L, int argument, const ct_lua_object_type *type, uint64_t *data);

// Ends all handles of an object; those that remain in Lua are errors when used.
void ct_release_object(ct_lua *m, const ct_lua_object_type *type, void *object, uint64_t data);

// The same, and frees the object as its type says.
void ct_end_object(lua_State *L, const ct_lua_object_type *type, void *object, uint64_t data);

// Ends all objects whose owner is at `owner`; with NULL all that are left and have an end. Those of a
// world end before it, those that are left before the state closes.
void ct_end_objects_of(lua_State *L, const void *owner);

// Raises an error when no more handles of this type can be made. Call before making what one is for.
void ct_check_object_room(lua_State *L, const ct_lua_object_type *type);

// --- Temporaries ---------------------------------------------------------------------------------

// How many temporaries this frame has; Lua can go back to an earlier count to reuse their places.
uint32_t ct_temporary_count(lua_State *L);
void ct_set_temporary_count(lua_State *L, uint32_t count);
