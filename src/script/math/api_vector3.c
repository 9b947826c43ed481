#include <math.h>

#include "foundation/math/math.h"
#include "script/script_private.h"

// What only vectors of three parts have; vector_module.inc has the rest.

static int cross(lua_State *L) {
    ct_push_vector3(L, ct_vec3_cross(ct_check_vector3(L, 1), ct_check_vector3(L, 2)));
    return 1;
}

// Two unit vectors at right angles to the vector and to each other. The
// vector, the first and the second are right-handed.
static int make_axes(lua_State *L) {
    const ct_vec3 v = ct_vec3_normalize(ct_check_vector3(L, 1));
    if (!(ct_vec3_length(v) > 0))
        return ct_argument_error(L, 1, "expected a direction, got a Vector3 without length");
    const bool is_steep = fabsf(v.z) > 0.9f;
    const ct_vec3 other = ct_vec3_make(is_steep ? 1 : 0, 0, is_steep ? 0 : 1);
    const ct_vec3 first = ct_vec3_normalize(ct_vec3_cross(other, v));
    ct_push_vector3(L, first);
    ct_push_vector3(L, ct_vec3_cross(v, first));
    return 2;
}

// --- Constants -----------------------------------------------------------------------------------

static int base(lua_State *L) {
    const int64_t index = ct_check_integer(L, 1, 1, 3);
    ct_push_vector3(L, ct_vec3_make(index == 1, index == 2, index == 3));
    return 1;
}

static int right(lua_State *L) {
    ct_push_vector3(L, ct_vec3_make(1, 0, 0));
    return 1;
}

static int left(lua_State *L) {
    ct_push_vector3(L, ct_vec3_make(-1, 0, 0));
    return 1;
}

static int forward(lua_State *L) {
    ct_push_vector3(L, ct_vec3_make(0, 1, 0));
    return 1;
}

static int backward(lua_State *L) {
    ct_push_vector3(L, ct_vec3_make(0, -1, 0));
    return 1;
}

static int up(lua_State *L) {
    ct_push_vector3(L, ct_vec3_make(0, 0, 1));
    return 1;
}

static int down(lua_State *L) {
    ct_push_vector3(L, ct_vec3_make(0, 0, -1));
    return 1;
}

// --- What all vectors have ----------------------------------------------------------------------

#define PARTS 3
#include "foundation/math/math.h"
#include "script/math/vector_module.inc"

const ct_lua_module ct_api_vector3 = {
    .name = NAME,
    .doc = "A point or direction in space: x right, y forward, z up.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
    .call = make,
    .call_signature = "(" NUMBERS ") -> " NAME,
};
