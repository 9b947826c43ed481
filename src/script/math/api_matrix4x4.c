#include <math.h>

#include "foundation/math/math.h"
#include "script/script_private.h"

// Matrix4x4: four axes of three numbers: x, y, z and the translation, by numbers 1 to 4. A product
// transforms by its right side first.

static ct_vec3 axis_of(const ct_mat4 *m, uint32_t axis) {
    return ct_vec3_make(m->col[axis].x, m->col[axis].y, m->col[axis].z);
}

static void set_axis_of(ct_mat4 *m, uint32_t axis, ct_vec3 v) {
    for (uint32_t i = 0; i < 3; ++i)
        m->col[axis].raw[i] = v.raw[i];
}

static int push_axis(lua_State *L, uint32_t axis) {
    ct_push_vector3(L, axis_of(ct_check_matrix4x4(L, 1), axis));
    return 1;
}

// The matrix at 1, to be changed in place.
static ct_mat4 *check_in_place(lua_State *L) {
    return (ct_mat4 *)(void *)ct_check_temporary(L, 1, CT_VALUE_KIND_MATRIX4X4);
}

static int write_axis(lua_State *L, uint32_t axis) {
    const ct_vec3 v = ct_check_vector3(L, 2);
    set_axis_of(check_in_place(L), axis, v);
    return 0;
}

static int push_matrix(lua_State *L, ct_mat4 m) {
    ct_push_matrix4x4(L, &m);
    return 1;
}

// --- Making --------------------------------------------------------------------------------------

static int push_from_elements(lua_State *L, int first) {
    ct_mat4 m = ct_mat4_identity();
    for (int i = 0; i < 12; ++i)
        m.col[i / 3].raw[i % 3] = ct_check_float(L, first + i);
    return push_matrix(L, m);
}

// What `Matrix4x4(xx, …, tz)` calls; the table itself is argument 1.
static int make(lua_State *L) {
    return push_from_elements(L, 2);
}

static int from_elements(lua_State *L) {
    return push_from_elements(L, 1);
}

static int from_axes(lua_State *L) {
    ct_mat4 m = ct_mat4_identity();
    for (uint32_t i = 0; i < 4; ++i)
        set_axis_of(&m, i, ct_check_vector3(L, (int)i + 1));
    return push_matrix(L, m);
}

static int from_quaternion(lua_State *L) {
    return push_matrix(L, ct_mat4_compose(ct_vec3_make(0, 0, 0), ct_check_quaternion(L, 1),
                                          ct_vec3_make(1, 1, 1)));
}

static int from_quaternion_position(lua_State *L) {
    return push_matrix(L, ct_mat4_compose(ct_check_vector3(L, 2), ct_check_quaternion(L, 1),
                                          ct_vec3_make(1, 1, 1)));
}

static int from_translation(lua_State *L) {
    ct_mat4 m = ct_mat4_identity();
    set_axis_of(&m, 3, ct_check_vector3(L, 1));
    return push_matrix(L, m);
}

static int identity(lua_State *L) {
    return push_matrix(L, ct_mat4_identity());
}

static int zero(lua_State *L) {
    return push_matrix(L, glms_mat4_zero());
}

static int copy(lua_State *L) {
    return push_matrix(L, *ct_check_matrix4x4(L, 1));
}

// --- Operations ----------------------------------------------------------------------------------

static int multiply(lua_State *L) {
    return push_matrix(L, ct_mat4_mul(*ct_check_matrix4x4(L, 1), *ct_check_matrix4x4(L, 2)));
}

static int inverse(lua_State *L) {
    return push_matrix(L, ct_mat4_inverse(*ct_check_matrix4x4(L, 1)));
}

// Positions, rotations and scales are mixed each for itself, so that what lies between is a pose.
static int lerp(lua_State *L) {
    const ct_mat4 a = *ct_check_matrix4x4(L, 1), b = *ct_check_matrix4x4(L, 2);
    const float t = ct_check_float(L, 3);
    ct_vec3 position_a, scale_a, position_b, scale_b;
    ct_quat rotation_a, rotation_b;
    ct_mat4_decompose(&a, &position_a, &rotation_a, &scale_a);
    ct_mat4_decompose(&b, &position_b, &rotation_b, &scale_b);
    const float side = glms_quat_dot(rotation_a, rotation_b) < 0 ? -1 : 1;
    for (int i = 0; i < 4; ++i)
        rotation_a.raw[i] += t * (side * rotation_b.raw[i] - rotation_a.raw[i]);
    return push_matrix(L, ct_mat4_compose(ct_vec3_lerp(position_a, position_b, t),
                                          ct_quat_normalize(rotation_a),
                                          ct_vec3_lerp(scale_a, scale_b, t)));
}

static int transform(lua_State *L) {
    const ct_vec3 p = ct_check_vector3(L, 2);
    ct_push_vector3(L, ct_mat4_transform_point(*ct_check_matrix4x4(L, 1), p));
    return 1;
}

static int transform_without_translation(lua_State *L) {
    const ct_vec3 v = ct_check_vector3(L, 2);
    ct_push_vector3(L, ct_mat4_transform_direction(*ct_check_matrix4x4(L, 1), v));
    return 1;
}

static int equal(lua_State *L) {
    const ct_mat4 *a = ct_check_matrix4x4(L, 1), *b = ct_check_matrix4x4(L, 2);
    bool is_equal = true;
    for (uint32_t i = 0; i < 16; ++i)
        is_equal = is_equal && a->col[i / 4].raw[i % 4] == b->col[i / 4].raw[i % 4];
    lua_pushboolean(L, is_equal);
    return 1;
}

static int is_valid(lua_State *L) {
    lua_pushboolean(L, ct_mat4_is_finite(ct_check_matrix4x4(L, 1)));
    return 1;
}

// Physics takes rotation and translation only: no scale, no shear, no mirroring.
static int is_valid_for_physics(lua_State *L) {
    const ct_mat4 *const m = ct_check_matrix4x4(L, 1);
    const ct_vec3 x = axis_of(m, 0), y = axis_of(m, 1), z = axis_of(m, 2);
    const float limit = 1e-3f;
    const ct_vec3 off = ct_vec3_sub(ct_vec3_cross(x, y), z);
    lua_pushboolean(L, ct_mat4_is_finite(m) && fabsf(ct_vec3_dot(x, y)) < limit &&
                           fabsf(ct_vec3_length(x) - 1) < limit &&
                           fabsf(ct_vec3_length(y) - 1) < limit && ct_vec3_length(off) < limit);
    return 1;
}

// --- Parts ---------------------------------------------------------------------------------------

static int axis(lua_State *L) {
    return push_axis(L, (uint32_t)ct_check_integer(L, 2, 1, 4) - 1);
}

static int x_axis(lua_State *L) {
    return push_axis(L, 0);
}

static int y_axis(lua_State *L) {
    return push_axis(L, 1);
}

static int z_axis(lua_State *L) {
    return push_axis(L, 2);
}

static int translation(lua_State *L) {
    return push_axis(L, 3);
}

static int element(lua_State *L) {
    const ct_mat4 *const m = ct_check_matrix4x4(L, 1);
    const int64_t i = ct_check_integer(L, 2, 1, 4), j = ct_check_integer(L, 3, 1, 4);
    lua_pushnumber(L, (lua_Number)m->col[i - 1].raw[j - 1]);
    return 1;
}

static int rotation(lua_State *L) {
    const ct_mat4 m = *ct_check_matrix4x4(L, 1);
    ct_vec3 position, size;
    ct_quat turn;
    ct_mat4_decompose(&m, &position, &turn, &size);
    ct_push_quaternion(L, turn);
    return 1;
}

static int scale(lua_State *L) {
    const ct_mat4 m = *ct_check_matrix4x4(L, 1);
    ct_vec3 position, size;
    ct_quat turn;
    ct_mat4_decompose(&m, &position, &turn, &size);
    ct_push_vector3(L, size);
    return 1;
}

static int to_elements(lua_State *L) {
    const ct_mat4 *const m = ct_check_matrix4x4(L, 1);
    for (uint32_t i = 0; i < 12; ++i)
        lua_pushnumber(L, (lua_Number)m->col[i / 3].raw[i % 3]);
    return 12;
}

static int to_string(lua_State *L) {
    ct_check_matrix4x4(L, 1);
    return luaL_callmeta(L, 1, "__tostring");
}

// --- Changing in place ---------------------------------------------------------------------------

static int set_axis(lua_State *L) {
    const ct_vec3 v = ct_check_vector3(L, 3);
    const int64_t i = ct_check_integer(L, 2, 1, 4);
    set_axis_of(check_in_place(L), (uint32_t)i - 1, v);
    return 0;
}

static int set_x(lua_State *L) {
    return write_axis(L, 0);
}

static int set_y(lua_State *L) {
    return write_axis(L, 1);
}

static int set_z(lua_State *L) {
    return write_axis(L, 2);
}

static int set_translation(lua_State *L) {
    return write_axis(L, 3);
}

static int set_element(lua_State *L) {
    ct_mat4 *const m = check_in_place(L);
    const int64_t i = ct_check_integer(L, 2, 1, 4), j = ct_check_integer(L, 3, 1, 4);
    m->col[i - 1].raw[j - 1] = ct_check_float(L, 4);
    return 0;
}

static int set_rotation(lua_State *L) {
    const ct_quat turn = ct_check_quaternion(L, 2);
    ct_mat4 *const m = check_in_place(L);
    ct_vec3 position, size;
    ct_quat old;
    ct_mat4_decompose(m, &position, &old, &size);
    *m = ct_mat4_compose(position, turn, size);
    return 0;
}

static int set_scale(lua_State *L) {
    const ct_vec3 size = ct_check_vector3(L, 2);
    ct_mat4 *const m = check_in_place(L);
    ct_vec3 position, old;
    ct_quat turn;
    ct_mat4_decompose(m, &position, &turn, &old);
    *m = ct_mat4_compose(position, turn, size);
    return 0;
}

#define ELEMENTS                                                                                   \
    "(xx: number, xy: number, xz: number, yx: number, yy: number, yz: number, zx: number, "        \
    "zy: number, zz: number, tx: number, ty: number, tz: number) -> Matrix4x4"

static const ct_lua_function functions[] = {
    {"axis", axis, "(m: Matrix4x4, i: integer) -> Vector3",
     "Returns an axis by its number: 1 is x, 2 is y, 3 is z, 4 is the translation."},
    {"copy", copy, "(m: Matrix4x4) -> Matrix4x4", "Returns a copy of the matrix."},
    {"element", element, "(m: Matrix4x4, i: integer, j: integer) -> number",
     "Returns element `j` of axis `i`, both from 1 to 4."},
    {"equal", equal, "(m1: Matrix4x4, m2: Matrix4x4) -> boolean",
     "Returns whether all elements of two matrices are equal."},
    {"forward", y_axis, "(m: Matrix4x4) -> Vector3", "Returns the y axis."},
    {"from_axes", from_axes, "(x: Vector3, y: Vector3, z: Vector3, t: Vector3) -> Matrix4x4",
     "Makes a matrix from three axes and a translation."},
    {"from_elements", from_elements, ELEMENTS,
     "Makes a matrix from the elements of the x, y and z axes and of the translation."},
    {"from_quaternion", from_quaternion, "(q: Quaternion) -> Matrix4x4",
     "Makes a matrix from a rotation."},
    {"from_quaternion_position", from_quaternion_position,
     "(q: Quaternion, t: Vector3) -> Matrix4x4", "Makes a matrix that rotates, then translates."},
    {"from_translation", from_translation, "(t: Vector3) -> Matrix4x4",
     "Makes a matrix from a translation."},
    {"identity", identity, "() -> Matrix4x4", "Returns the identity matrix."},
    {"inverse", inverse, "(m: Matrix4x4) -> Matrix4x4",
     "Returns the inverse transform. If the matrix has no inverse, the result is not valid."},
    {"is_valid", is_valid, "(m: Matrix4x4) -> boolean",
     "Returns whether all elements are finite numbers."},
    {"is_valid_for_physics", is_valid_for_physics, "(m: Matrix4x4) -> boolean",
     "Returns whether the matrix is valid and only rotates and translates."},
    {"lerp", lerp, "(m1: Matrix4x4, m2: Matrix4x4, t: number) -> Matrix4x4",
     "Interpolates between two poses: position, rotation and scale each on its own."},
    {"multiply", multiply, "(m1: Matrix4x4, m2: Matrix4x4) -> Matrix4x4",
     "Returns the transform `m2` followed by `m1`."},
    {"right", x_axis, "(m: Matrix4x4) -> Vector3", "Returns the x axis."},
    {"rotation", rotation, "(m: Matrix4x4) -> Quaternion", "Returns the rotation, without scale."},
    {"scale", scale, "(m: Matrix4x4) -> Vector3", "Returns the scale along each axis."},
    {"set_axis", set_axis, "(m: Matrix4x4, i: integer, v: Vector3) -> nil",
     "Sets an axis by its number: 1 is x, 2 is y, 3 is z, 4 is the translation."},
    {"set_element", set_element, "(m: Matrix4x4, i: integer, j: integer, value: number) -> nil",
     "Sets element `j` of axis `i`, both from 1 to 4."},
    {"set_forward", set_y, "(m: Matrix4x4, forward: Vector3) -> nil", "Sets the y axis."},
    {"set_right", set_x, "(m: Matrix4x4, right: Vector3) -> nil", "Sets the x axis."},
    {"set_rotation", set_rotation, "(m: Matrix4x4, r: Quaternion) -> nil",
     "Sets the rotation and keeps the translation and scale."},
    {"set_scale", set_scale, "(m: Matrix4x4, s: Vector3) -> nil",
     "Sets the scale and keeps the translation and rotation."},
    {"set_translation", set_translation, "(m: Matrix4x4, t: Vector3) -> nil",
     "Sets the translation."},
    {"set_up", set_z, "(m: Matrix4x4, up: Vector3) -> nil", "Sets the z axis."},
    {"set_x", set_x, "(m: Matrix4x4, x: Vector3) -> nil", "Sets the x axis."},
    {"set_y", set_y, "(m: Matrix4x4, y: Vector3) -> nil", "Sets the y axis."},
    {"set_z", set_z, "(m: Matrix4x4, z: Vector3) -> nil", "Sets the z axis."},
    {"to_elements", to_elements,
     "(m: Matrix4x4) -> number, number, number, number, number, number, number, number, number, "
     "number, number, number",
     "Returns the elements of the x, y and z axes and of the translation."},
    {"to_string", to_string, "(m: Matrix4x4) -> string", "Returns the matrix as text."},
    {"transform", transform, "(m: Matrix4x4, p: Vector3) -> Vector3",
     "Returns the transformed point."},
    {"transform_without_translation", transform_without_translation,
     "(m: Matrix4x4, v: Vector3) -> Vector3",
     "Returns the transformed direction, without the translation."},
    {"translation", translation, "(m: Matrix4x4) -> Vector3", "Returns the translation."},
    {"up", z_axis, "(m: Matrix4x4) -> Vector3", "Returns the z axis."},
    {"x", x_axis, "(m: Matrix4x4) -> Vector3", "Returns the x axis."},
    {"y", y_axis, "(m: Matrix4x4) -> Vector3", "Returns the y axis."},
    {"z", z_axis, "(m: Matrix4x4) -> Vector3", "Returns the z axis."},
    {"zero", zero, "() -> Matrix4x4", "Returns the matrix of zeros."},
};

const ct_lua_module ct_api_matrix4x4 = {
    .name = "Matrix4x4",
    .doc = "4x4 matrices: transforms in space.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
    .call = make,
    .call_signature = ELEMENTS,
};
