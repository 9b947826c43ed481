// script_values.h: engine values in Lua: checked handles and temporaries, never pointers.
//
// A value is a light userdata: the low 4 bits are its kind, the rest its payload:
//   entity (a Unit)        30 bits of entity id
//   camera, light          30 bits of entity id, 10 bits: which of the entity's, from 0
//   mesh                   30 bits of entity id, the last 10 bits of the mesh's number among its
//                          entity's (meshes can be ended one by one: render/component/mesh_component.h)
//   vector, quaternion, matrix, 64-bit id
//                          20 bits of place among this frame's temporaries, 15 bits of frame
//   32-bit id              the id
//   object                 5 bits of object kind, 14 bits of place, 16 bits of generation
// All light userdata share one metatable, whose operators dispatch on the kind. Temporaries end
// with the frame: using one later is an error that says so. Checked functions raise a Lua error
// that names function, argument, expected and got; they do not return then. (LuaJIT takes at most
// 255 different values of the bits from 39 up: only the components of entities with more than 32 of
// a kind, or that had as many meshes, go there, with at most 31.)
#pragma once
#include "entity/entity.h"
#include "foundation/math/math.h"
#include "foundation/string/string_id.h"
#include "script/script_module.h"

struct ct_script;

enum {
    CT_COMPONENT_HANDLE_BITS = 10,
    CT_MAX_COMPONENT_HANDLES = 1024, // of one kind of an entity (CAMERA, LIGHT, MESH)
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
    CT_VALUE_KIND_CAMERA,
    CT_VALUE_KIND_LIGHT,
    CT_VALUE_KIND_MESH,
    CT_VALUE_KIND_OBJECT,
} ct_value_kind;

// Engine objects kept in a table of slots with generations.
typedef enum ct_object_kind {
    CT_OBJECT_KIND_NONE,
    CT_OBJECT_KIND_WORLD,
    CT_OBJECT_KIND_LEVEL,
    CT_OBJECT_KIND_VIEWPORT,
    CT_OBJECT_KIND_WINDOW,
    CT_OBJECT_KIND_MATERIAL,
    CT_OBJECT_KIND_LINE_OBJECT,
    CT_OBJECT_KIND_PACKAGE,
    CT_OBJECT_KIND_TRANSFORM_COMPONENT, // a world's manager
    CT_OBJECT_KIND_SCENE_GRAPH_COMPONENT,
    CT_OBJECT_KIND_MESH_COMPONENT,
    CT_OBJECT_KIND_DEBUG_NAME_COMPONENT,
    CT_OBJECT_KIND_LOCALIZER,
    CT_OBJECT_KIND_DATA_COMPONENT,
    CT_OBJECT_KIND_BROADPHASE,
    CT_OBJECT_KIND_UNIT_COMPONENT, // a world's units
    CT_OBJECT_KIND_TAG_COMPONENT,
    CT_OBJECT_KIND_SCRIPT_COMPONENT,
} ct_object_kind;

// The environment that this thread made last, and the Lua state it began with; NULL once it ended.
typedef struct ct_script_newest {
    lua_State *lua;
    struct ct_script *script;
} ct_script_newest;
extern _Thread_local ct_script_newest ct_script_newest_here;

// The environment that runs `L`. Calls of Lua's are what bindings cost: there is none where `L` is the
// state that this thread's newest environment began with, and not one of its coroutines.
static inline struct ct_script *ct_script_of(lua_State *L) {
    if (__builtin_expect(ct_script_newest_here.lua == L, 1))
        return ct_script_newest_here.script;
    void *s;
    lua_getallocf(L, &s);
    return (struct ct_script *)s;
}

// The kind of the value at `index`, NONE for what is no engine value; and its name as errors and
// Script.type_name give it ("Vector3", "Unit", "number", "nil", …), a dead or stale one included.
ct_value_kind ct_value_kind_at(lua_State *L, int index);
const char *ct_value_type_name(lua_State *L, int index);

// --- Pushing -------------------------------------------------------------------------------------

void ct_push_entity(lua_State *L, ct_entity e); // nil for none
void ct_push_vector2(lua_State *L, ct_vec2 v);
void ct_push_vector3(lua_State *L, ct_vec3 v);
void ct_push_vector4(lua_State *L, ct_vec4 v);
void ct_push_quaternion(lua_State *L, ct_quat q);
void ct_push_matrix4x4(lua_State *L, const ct_mat4 *m);
void ct_push_id32(lua_State *L, ct_string_id32 id);
void ct_push_id64(lua_State *L, ct_string_id64 id);
// The `which`-th camera or light, or the mesh whose number ends in `which` (kind CAMERA, LIGHT, MESH)
// of an entity; from 0 and below CT_MAX_COMPONENT_HANDLES.
void ct_push_component(lua_State *L, ct_value_kind kind, ct_entity e, uint32_t which);

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
int64_t ct_check_integer(lua_State *L, int argument, int64_t least, int64_t most);
bool ct_check_boolean(lua_State *L, int argument);
const char *ct_check_string(lua_State *L, int argument);

// The same for vectors and quaternions to be used as poses: NaN and infinities are errors.
ct_vec3 ct_check_finite_vector3(lua_State *L, int argument);
ct_quat ct_check_finite_quaternion(lua_State *L, int argument); // and normalised

// An optional argument: `otherwise` when absent or nil.
ct_vec3 ct_optional_vector3(lua_State *L, int argument, ct_vec3 otherwise);

// The place of a temporary of this kind to change it in place (Vector3.set_x).
float *ct_check_temporary(lua_State *L, int argument, ct_value_kind kind);

// A camera, light or mesh handle of a living entity; `which` is set. The caller looks the instance
// up, and reports one that is gone with ct_argument_error.
ct_entity ct_check_component(lua_State *L, int argument, ct_value_kind kind, uint32_t *which);

// Raises the error `FUNCTION: argument N (NAME) …`, the function's own name taken from its module's
// table. Does not return.
int ct_argument_error(lua_State *L, int argument, const char *format, ...) CT_PRINTF(3, 4);

// Raises the error `FUNCTION: …`. Does not return.
int ct_function_error(lua_State *L, const char *format, ...) CT_PRINTF(2, 3);

// --- Objects -------------------------------------------------------------------------------------

// Makes a handle for an engine object and pushes it; the same object and kind give the same handle
// while it is registered. `data` is a second value kept with it (a resource's name, say).
void ct_push_object(lua_State *L, ct_object_kind kind, void *object, uint64_t data);

// The object behind a handle of this kind; an error when it was released.
void *ct_check_object(lua_State *L, int argument, ct_object_kind kind, uint64_t *data);

// Ends all handles of an object; those that remain in Lua are errors when used.
void ct_release_object(struct ct_script *s, ct_object_kind kind, void *object, uint64_t data);

// --- Temporaries ---------------------------------------------------------------------------------

// How many temporaries this frame has; Lua can go back to an earlier count to reuse their places.
uint32_t ct_temporary_count(lua_State *L);
void ct_set_temporary_count(lua_State *L, uint32_t count);
