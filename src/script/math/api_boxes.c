#include <string.h>

#include "foundation/error.h"
#include "foundation/math/math.h"
#include "script/script_private.h"

// Boxes keep what temporaries hold for longer than a frame. A box is a full userdata whose
// metatable is that of its kind; the module's table is where methods are looked up, so that
// `Vector3Box.unbox(box)` and `box:unbox()` are the same.

typedef struct box {
    _Alignas(8) uint8_t data[64]; // floats, or an id
} box;

static uint32_t data_bytes(ct_value_kind kind) {
    static const uint8_t bytes[] = {
        [CT_VALUE_KIND_VECTOR2] = 8,     [CT_VALUE_KIND_VECTOR3] = 12, [CT_VALUE_KIND_VECTOR4] = 16,
        [CT_VALUE_KIND_QUATERNION] = 16, [CT_VALUE_KIND_ID32] = 4,     [CT_VALUE_KIND_ID64] = 8,
        [CT_VALUE_KIND_MATRIX4X4] = 64,
    };
    return bytes[kind];
}

static const char *box_name(ct_value_kind kind) {
    static const char *const names[] = {
        [CT_VALUE_KIND_VECTOR2] = "Vector2Box",     [CT_VALUE_KIND_VECTOR3] = "Vector3Box",
        [CT_VALUE_KIND_VECTOR4] = "Vector4Box",     [CT_VALUE_KIND_QUATERNION] = "QuaternionBox",
        [CT_VALUE_KIND_ID32] = "IdString32Box",     [CT_VALUE_KIND_ID64] = "IdString64Box",
        [CT_VALUE_KIND_MATRIX4X4] = "Matrix4x4Box",
    };
    return names[kind];
}

static const ct_value_kind box_kinds[] = {
    CT_VALUE_KIND_VECTOR2,   CT_VALUE_KIND_VECTOR3, CT_VALUE_KIND_VECTOR4, CT_VALUE_KIND_QUATERNION,
    CT_VALUE_KIND_MATRIX4X4, CT_VALUE_KIND_ID32,    CT_VALUE_KIND_ID64,
};

// The box of this kind at `index`, or NULL.
static box *box_at(lua_State *L, int index, ct_value_kind kind) {
    if (lua_type(L, index) != LUA_TUSERDATA || !lua_getmetatable(L, index))
        return NULL;
    const bool is_box = lua_topointer(L, -1) == ct_lua_of(L)->box_metatables[kind];
    lua_pop(L, 1);
    return is_box ? lua_touserdata(L, index) : NULL;
}

// --- Reading and writing what is inside ----------------------------------------------------------

static uint32_t num_floats(ct_value_kind kind) {
    const bool is_id = kind == CT_VALUE_KIND_ID32 || kind == CT_VALUE_KIND_ID64;
    return is_id ? 0 : data_bytes(kind) / (uint32_t)sizeof(float);
}

// The value of `kind` at `first`, or for vectors and quaternions as many numbers from there.
static void read_value(lua_State *L, int first, ct_value_kind kind, box *b) {
    const bool takes_numbers = kind != CT_VALUE_KIND_MATRIX4X4 && num_floats(kind) > 0;
    float floats[16];
    if (kind == CT_VALUE_KIND_ID32) {
        const ct_string_id32 id = ct_check_id32(L, first);
        memcpy(b->data, &id.value, sizeof(id.value));
    } else if (kind == CT_VALUE_KIND_ID64) {
        const ct_string_id64 id = ct_check_id64(L, first);
        memcpy(b->data, &id.value, sizeof(id.value));
    } else if (takes_numbers && lua_type(L, first) == LUA_TNUMBER) {
        for (uint32_t i = 0; i < num_floats(kind); ++i)
            floats[i] = ct_check_float(L, first + (int)i);
        memcpy(b->data, floats, data_bytes(kind));
    } else if (kind == CT_VALUE_KIND_QUATERNION) {
        const ct_quat q = ct_check_quaternion(L, first); // a Vector4 too
        memcpy(b->data, q.raw, sizeof(q.raw));
    } else if (kind == CT_VALUE_KIND_VECTOR4) {
        const ct_vec4 v = ct_check_vector4(L, first); // a Quaternion too
        memcpy(b->data, v.raw, sizeof(v.raw));
    } else {
        memcpy(b->data, ct_check_temporary(L, first, kind), data_bytes(kind));
    }
}

static void push_value(lua_State *L, ct_value_kind kind, const box *b) {
    union {
        ct_vec2 vector2;
        ct_vec3 vector3;
        ct_vec4 vector4;
        ct_quat quaternion;
        ct_mat4 matrix;
        ct_string_id32 id32;
        ct_string_id64 id64;
    } value;
    memcpy(&value, b->data, data_bytes(kind));
    switch (kind) {
    case CT_VALUE_KIND_VECTOR2:
        ct_push_vector2(L, value.vector2);
        break;
    case CT_VALUE_KIND_VECTOR3:
        ct_push_vector3(L, value.vector3);
        break;
    case CT_VALUE_KIND_VECTOR4:
        ct_push_vector4(L, value.vector4);
        break;
    case CT_VALUE_KIND_QUATERNION:
        ct_push_quaternion(L, value.quaternion);
        break;
    case CT_VALUE_KIND_MATRIX4X4:
        ct_push_matrix4x4(L, &value.matrix);
        break;
    case CT_VALUE_KIND_ID32:
        ct_push_id32(L, value.id32);
        break;
    default:
        ct_push_id64(L, value.id64);
        break;
    }
}

// What a box made without a value holds: no rotation, no transform, zeros, no id.
static void set_default(ct_value_kind kind, box *b) {
    memset(b, 0, sizeof(*b));
    if (kind == CT_VALUE_KIND_QUATERNION) {
        const ct_quat q = ct_quat_identity();
        memcpy(b->data, q.raw, sizeof(q.raw));
    } else if (kind == CT_VALUE_KIND_MATRIX4X4) {
        const ct_mat4 m = ct_mat4_identity();
        memcpy(b->data, m.raw, sizeof(m.raw));
    }
}

// --- Functions of all kinds ----------------------------------------------------------------------

// The module's table is argument 1.
static int make_box(lua_State *L, ct_value_kind kind) {
    box inside;
    if (lua_isnoneornil(L, 2))
        set_default(kind, &inside);
    else
        read_value(L, 2, kind, &inside);
    box *const b = lua_newuserdata(L, data_bytes(kind));
    memcpy(b->data, inside.data, data_bytes(kind));
    luaL_getmetatable(L, box_name(kind));
    lua_setmetatable(L, -2);
    return 1;
}

static box *check_box(lua_State *L, ct_value_kind kind) {
    box *const b = box_at(L, 1, kind);
    if (!b)
        ct_argument_type_error(L, 1, box_name(kind));
    return b;
}

static int store_in_box(lua_State *L, ct_value_kind kind) {
    box *const b = check_box(L, kind);
    box inside;
    read_value(L, 2, kind, &inside);
    memcpy(b->data, inside.data, data_bytes(kind));
    return 0;
}

static int unbox_value(lua_State *L, ct_value_kind kind) {
    push_value(L, kind, check_box(L, kind));
    return 1;
}

// `Vector3Box(1, 2, 3)`: what is inside, after its own kind's text.
static int to_string(lua_State *L) {
    for (uint32_t i = 0; i < CT_COUNT_OF(box_kinds); ++i) {
        const box *const b = box_at(L, 1, box_kinds[i]);
        if (!b)
            continue;
        push_value(L, box_kinds[i], b);
        luaL_callmeta(L, -1, "__tostring");
        const char *const text = lua_tostring(L, -1);
        const char *const parts = strchr(text, '(');
        lua_pushfstring(L, "%s%s", box_name(box_kinds[i]), parts ? parts : "");
        return 1;
    }
    lua_pushliteral(L, "userdata");
    return 1;
}

// --- The functions of each kind ------------------------------------------------------------------

static int make_vector2(lua_State *L) {
    return make_box(L, CT_VALUE_KIND_VECTOR2);
}
static int store_vector2(lua_State *L) {
    return store_in_box(L, CT_VALUE_KIND_VECTOR2);
}
static int unbox_vector2(lua_State *L) {
    return unbox_value(L, CT_VALUE_KIND_VECTOR2);
}

static int make_vector3(lua_State *L) {
    return make_box(L, CT_VALUE_KIND_VECTOR3);
}
static int store_vector3(lua_State *L) {
    return store_in_box(L, CT_VALUE_KIND_VECTOR3);
}
static int unbox_vector3(lua_State *L) {
    return unbox_value(L, CT_VALUE_KIND_VECTOR3);
}

static int make_vector4(lua_State *L) {
    return make_box(L, CT_VALUE_KIND_VECTOR4);
}
static int store_vector4(lua_State *L) {
    return store_in_box(L, CT_VALUE_KIND_VECTOR4);
}
static int unbox_vector4(lua_State *L) {
    return unbox_value(L, CT_VALUE_KIND_VECTOR4);
}

static int make_quaternion(lua_State *L) {
    return make_box(L, CT_VALUE_KIND_QUATERNION);
}
static int store_quaternion(lua_State *L) {
    return store_in_box(L, CT_VALUE_KIND_QUATERNION);
}
static int unbox_quaternion(lua_State *L) {
    return unbox_value(L, CT_VALUE_KIND_QUATERNION);
}

static int make_matrix(lua_State *L) {
    return make_box(L, CT_VALUE_KIND_MATRIX4X4);
}
static int store_matrix(lua_State *L) {
    return store_in_box(L, CT_VALUE_KIND_MATRIX4X4);
}
static int unbox_matrix(lua_State *L) {
    return unbox_value(L, CT_VALUE_KIND_MATRIX4X4);
}

static int make_id32(lua_State *L) {
    return make_box(L, CT_VALUE_KIND_ID32);
}
static int store_id32(lua_State *L) {
    return store_in_box(L, CT_VALUE_KIND_ID32);
}
static int unbox_id32(lua_State *L) {
    return unbox_value(L, CT_VALUE_KIND_ID32);
}

static int make_id64(lua_State *L) {
    return make_box(L, CT_VALUE_KIND_ID64);
}
static int store_id64(lua_State *L) {
    return store_in_box(L, CT_VALUE_KIND_ID64);
}
static int unbox_id64(lua_State *L) {
    return unbox_value(L, CT_VALUE_KIND_ID64);
}

// --- Modules -------------------------------------------------------------------------------------

#define STORE_DOC "Stores another value in the box."
#define UNBOX_DOC "Returns the stored value, as a temporary."

static const ct_lua_function vector2_functions[] = {
    {"store", store_vector2, "(self: Vector2Box, vector: any(Vector2,number), y: number?) -> nil",
     STORE_DOC},
    {"unbox", unbox_vector2, "(self: Vector2Box) -> Vector2", UNBOX_DOC},
};
static const ct_lua_function vector3_functions[] = {
    {"store", store_vector3,
     "(self: Vector3Box, vector: any(Vector3,number), y: number?, z: number?) -> nil", STORE_DOC},
    {"unbox", unbox_vector3, "(self: Vector3Box) -> Vector3", UNBOX_DOC},
};
static const ct_lua_function vector4_functions[] = {
    {"store", store_vector4,
     "(self: Vector4Box, vector: any(Vector4,number), y: number?, z: number?, w: number?) -> nil",
     STORE_DOC},
    {"unbox", unbox_vector4, "(self: Vector4Box) -> Vector4", UNBOX_DOC},
};
static const ct_lua_function quaternion_functions[] = {
    {"store", store_quaternion,
     "(self: QuaternionBox, quat: any(Quaternion,number), y: number?, z: number?, w: number?) -> "
     "nil",
     STORE_DOC},
    {"unbox", unbox_quaternion, "(self: QuaternionBox) -> Quaternion", UNBOX_DOC},
};
static const ct_lua_function matrix_functions[] = {
    {"store", store_matrix, "(self: Matrix4x4Box, m: Matrix4x4) -> nil", STORE_DOC},
    {"unbox", unbox_matrix, "(self: Matrix4x4Box) -> Matrix4x4", UNBOX_DOC},
};
static const ct_lua_function id32_functions[] = {
    {"store", store_id32, "(self: IdString32Box, s: any(IdString32,string)) -> nil", STORE_DOC},
    {"unbox", unbox_id32, "(self: IdString32Box) -> IdString32", UNBOX_DOC},
};
static const ct_lua_function id64_functions[] = {
    {"store", store_id64, "(self: IdString64Box, s: any(IdString64,string)) -> nil", STORE_DOC},
    {"unbox", unbox_id64, "(self: IdString64Box) -> IdString64", UNBOX_DOC},
};

const ct_lua_module ct_api_vector2_box = {
    .name = "Vector2Box",
    .doc = "Keeps a Vector2 for longer than a frame.",
    .functions = vector2_functions,
    .num_functions = CT_COUNT_OF(vector2_functions),
    .call = make_vector2,
    .call_signature = "(vector: any(Vector2,number)?, y: number?) -> Vector2Box",
};
const ct_lua_module ct_api_vector3_box = {
    .name = "Vector3Box",
    .doc = "Keeps a Vector3 for longer than a frame.",
    .functions = vector3_functions,
    .num_functions = CT_COUNT_OF(vector3_functions),
    .call = make_vector3,
    .call_signature = "(vector: any(Vector3,number)?, y: number?, z: number?) -> Vector3Box",
};
const ct_lua_module ct_api_vector4_box = {
    .name = "Vector4Box",
    .doc = "Keeps a Vector4 for longer than a frame.",
    .functions = vector4_functions,
    .num_functions = CT_COUNT_OF(vector4_functions),
    .call = make_vector4,
    .call_signature =
        "(vector: any(Vector4,number)?, y: number?, z: number?, w: number?) -> Vector4Box",
};
const ct_lua_module ct_api_quaternion_box = {
    .name = "QuaternionBox",
    .doc = "Keeps a Quaternion for longer than a frame.",
    .functions = quaternion_functions,
    .num_functions = CT_COUNT_OF(quaternion_functions),
    .call = make_quaternion,
    .call_signature =
        "(quat: any(Quaternion,number)?, y: number?, z: number?, w: number?) -> QuaternionBox",
};
const ct_lua_module ct_api_matrix4x4_box = {
    .name = "Matrix4x4Box",
    .doc = "Keeps a Matrix4x4 for longer than a frame.",
    .functions = matrix_functions,
    .num_functions = CT_COUNT_OF(matrix_functions),
    .call = make_matrix,
    .call_signature = "(m: Matrix4x4?) -> Matrix4x4Box",
};
const ct_lua_module ct_api_id_string32_box = {
    .name = "IdString32Box",
    .doc = "Keeps an IdString32.",
    .functions = id32_functions,
    .num_functions = CT_COUNT_OF(id32_functions),
    .call = make_id32,
    .call_signature = "(s: any(IdString32,string)?) -> IdString32Box",
};
const ct_lua_module ct_api_id_string64_box = {
    .name = "IdString64Box",
    .doc = "Keeps an IdString64 for longer than a frame.",
    .functions = id64_functions,
    .num_functions = CT_COUNT_OF(id64_functions),
    .call = make_id64,
    .call_signature = "(s: any(IdString64,string)?) -> IdString64Box",
};

void ct_script_open_boxes(lua_State *L) {
    for (uint32_t i = 0; i < CT_COUNT_OF(box_kinds); ++i) {
        const ct_value_kind kind = box_kinds[i];
        luaL_newmetatable(L, box_name(kind));
        ct_lua_of(L)->box_metatables[kind] = lua_topointer(L, -1); // kept by the registry
        lua_pushstring(L, box_name(kind));
        lua_setfield(L, -2, "__name");
        lua_pushliteral(L, "box");
        lua_setfield(L, -2, "__metatable");
        lua_pushcfunction(L, to_string);
        lua_setfield(L, -2, "__tostring");
        lua_getglobal(L, box_name(kind));
        CT_ASSERT(lua_istable(L, -1), "there is no module %s", box_name(kind));
        lua_setfield(L, -2, "__index");
        lua_pop(L, 1);
    }
}
