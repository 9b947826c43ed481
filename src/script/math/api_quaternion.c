#include <math.h>

#include "foundation/math/math.h"
#include "script/script_private.h"

// Quaternion: rotations, x y z w. A product turns by its right side first.

static int push_number(lua_State *L, float number) {
    lua_pushnumber(L, (lua_Number)number);
    return 1;
}

// --- Making --------------------------------------------------------------------------------------

static int push_axis_angle(lua_State *L, int first) {
    const ct_vec3 axis = ct_check_vector3(L, first);
    const float angle = ct_check_float(L, first + 1);
    if (!(ct_vec3_length(axis) > 0))
        return ct_argument_error(L, first, "expected an axis, got a Vector3 without length");
    ct_push_quaternion(L, ct_quat_axis_angle(axis, angle));
    return 1;
}

// What `Quaternion(axis, angle)` calls; the table itself is argument 1.
static int make(lua_State *L) {
    return push_axis_angle(L, 2);
}

static int axis_angle(lua_State *L) {
    return push_axis_angle(L, 1);
}

static int identity(lua_State *L) {
    ct_push_quaternion(L, ct_quat_identity());
    return 1;
}

static int from_elements(lua_State *L) {
    ct_quat q;
    for (int i = 0; i < 4; ++i)
        q.raw[i] = ct_check_float(L, 1 + i);
    ct_push_quaternion(L, q);
    return 1;
}

static int from_euler_angles_xyz(lua_State *L) {
    const float x = ct_check_float(L, 1), y = ct_check_float(L, 2);
    ct_push_quaternion(L, ct_quat_from_euler_xyz(ct_vec3_make(x, y, ct_check_float(L, 3))));
    return 1;
}

static int from_matrix4x4(lua_State *L) {
    const ct_mat4 m = *ct_check_matrix4x4(L, 1);
    ct_vec3 position, scale;
    ct_quat rotation;
    ct_mat4_decompose(&m, &position, &rotation, &scale);
    ct_push_quaternion(L, rotation);
    return 1;
}

static int look(lua_State *L) {
    const ct_vec3 direction = ct_check_finite_vector3(L, 1);
    const ct_vec3 up = ct_optional_vector3(L, 2, ct_vec3_make(0, 0, 1));
    if (!(ct_vec3_length(direction) > 0))
        return ct_argument_error(L, 1, "expected a direction, got a Vector3 without length");
    ct_push_quaternion(L, ct_quat_look(direction, up));
    return 1;
}

// --- Taking apart --------------------------------------------------------------------------------

// The angle from 0 to pi and the axis of a rotation; about x when it turns nothing.
static float angle_and_axis(ct_quat q, ct_vec3 *axis) {
    q = ct_quat_normalize(q);
    if (q.w < 0)
        q = (ct_quat){{-q.x, -q.y, -q.z, -q.w}};
    const ct_vec3 v = ct_vec3_make(q.x, q.y, q.z);
    const float sine = ct_vec3_length(v);
    *axis = sine > 0 ? ct_vec3_scale(v, 1 / sine) : ct_vec3_make(1, 0, 0);
    return 2 * atan2f(sine, q.w);
}

static int angle(lua_State *L) {
    ct_vec3 axis;
    return push_number(L, angle_and_axis(ct_check_quaternion(L, 1), &axis));
}

static int decompose(lua_State *L) {
    ct_vec3 axis;
    const float turn = angle_and_axis(ct_check_quaternion(L, 1), &axis);
    ct_push_vector3(L, axis);
    lua_pushnumber(L, (lua_Number)turn);
    return 2;
}

static int to_elements(lua_State *L) {
    const ct_quat q = ct_check_quaternion(L, 1);
    for (int i = 0; i < 4; ++i)
        lua_pushnumber(L, (lua_Number)q.raw[i]);
    return 4;
}

static int to_euler_angles_xyz(lua_State *L) {
    const ct_vec3 angles = ct_quat_to_euler_xyz(ct_quat_normalize(ct_check_quaternion(L, 1)));
    for (int i = 0; i < 3; ++i)
        lua_pushnumber(L, (lua_Number)angles.raw[i]);
    return 3;
}

static int matrix4x4(lua_State *L) {
    const ct_mat4 m =
        ct_mat4_compose(ct_vec3_make(0, 0, 0), ct_check_quaternion(L, 1), ct_vec3_make(1, 1, 1));
    ct_push_matrix4x4(L, &m);
    return 1;
}

static int to_string(lua_State *L) {
    ct_check_quaternion(L, 1);
    return luaL_callmeta(L, 1, "__tostring");
}

// --- Operations ----------------------------------------------------------------------------------

static int multiply(lua_State *L) {
    ct_push_quaternion(L, ct_quat_mul(ct_check_quaternion(L, 1), ct_check_quaternion(L, 2)));
    return 1;
}

static int conjugate(lua_State *L) {
    ct_push_quaternion(L, glms_quat_conjugate(ct_check_quaternion(L, 1)));
    return 1;
}

static int inverse(lua_State *L) {
    ct_push_quaternion(L, glms_quat_inv(ct_check_quaternion(L, 1)));
    return 1;
}

static int normalize(lua_State *L) {
    ct_push_quaternion(L, ct_quat_normalize(ct_check_quaternion(L, 1)));
    return 1;
}

static int lerp(lua_State *L) {
    const ct_quat a = ct_check_quaternion(L, 1), b = ct_check_quaternion(L, 2);
    ct_push_quaternion(L, ct_quat_nlerp(a, b, ct_check_float(L, 3)));
    return 1;
}

static int rotate(lua_State *L) {
    ct_push_vector3(L, ct_quat_rotate(ct_check_quaternion(L, 1), ct_check_vector3(L, 2)));
    return 1;
}

static int push_direction(lua_State *L, ct_vec3 direction) {
    ct_push_vector3(L, ct_quat_rotate(ct_check_quaternion(L, 1), direction));
    return 1;
}

static int right(lua_State *L) {
    return push_direction(L, ct_vec3_make(1, 0, 0));
}

static int forward(lua_State *L) {
    return push_direction(L, ct_vec3_make(0, 1, 0));
}

static int up(lua_State *L) {
    return push_direction(L, ct_vec3_make(0, 0, 1));
}

static int dot(lua_State *L) {
    return push_number(L, glms_quat_dot(ct_check_quaternion(L, 1), ct_check_quaternion(L, 2)));
}

static int norm(lua_State *L) {
    return push_number(L, glms_quat_norm(ct_check_quaternion(L, 1)));
}

static int equal(lua_State *L) {
    const ct_quat a = ct_check_quaternion(L, 1), b = ct_check_quaternion(L, 2);
    lua_pushboolean(L, a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w);
    return 1;
}

static int is_valid(lua_State *L) {
    lua_pushboolean(L, ct_quat_is_finite(ct_check_quaternion(L, 1)));
    return 1;
}

// Gives the changed quaternion back, as the yardstick has it.
static int set_xyzw(lua_State *L) {
    float *const data = ct_check_temporary(L, 1, CT_VALUE_KIND_QUATERNION);
    float parts[4];
    for (int i = 0; i < 4; ++i)
        parts[i] = ct_check_float(L, 2 + i);
    for (int i = 0; i < 4; ++i)
        data[i] = parts[i];
    lua_pushvalue(L, 1);
    return 1;
}

static const ct_lua_function functions[] = {
    {"angle", angle, "(quat: Quaternion) -> number",
     "Returns the angle of the rotation, in radians from 0 to pi."},
    {"axis_angle", axis_angle, "(axis: Vector3, angle: number) -> Quaternion",
     "Returns the rotation about an axis by an angle in radians."},
    {"conjugate", conjugate, "(quat: Quaternion) -> Quaternion",
     "Returns the conjugate: x, y and z negated. For a rotation, this is its inverse."},
    {"decompose", decompose, "(quat: Quaternion) -> Vector3, number",
     "Returns the axis and the angle in radians of the rotation."},
    {"dot", dot, "(quat_a: Quaternion, quat_b: Quaternion) -> number",
     "Returns the dot product of two quaternions."},
    {"equal", equal, "(quat_a: Quaternion, quat_b: Quaternion) -> boolean",
     "Returns whether all components of two quaternions are equal."},
    {"forward", forward, "(quat: Quaternion) -> Vector3",
     "Returns the direction to which the rotation turns the y axis."},
    {"from_elements", from_elements, "(x: number, y: number, z: number, w: number) -> Quaternion",
     "Makes a quaternion from four numbers."},
    {"from_euler_angles_xyz", from_euler_angles_xyz,
     "(x: number, y: number, z: number) -> Quaternion",
     "Returns the rotation about x, then y, then z of the parent's axes, by angles in radians."},
    {"from_matrix4x4", from_matrix4x4, "(matrix: Matrix4x4) -> Quaternion",
     "Returns the rotation of a matrix, without its scale."},
    {"identity", identity, "() -> Quaternion", "Returns the identity rotation."},
    {"inverse", inverse, "(quat: Quaternion) -> Quaternion", "Returns the inverse rotation."},
    {"is_valid", is_valid, "(quat: Quaternion) -> boolean",
     "Returns whether all components are finite numbers."},
    {"lerp", lerp, "(quat_a: Quaternion, quat_b: Quaternion, t: number) -> Quaternion",
     "Returns the normalised linear interpolation of two rotations along the shorter way: the "
     "first at `t` 0, the second at 1."},
    {"look", look, "(dir: Vector3, up: Vector3?) -> Quaternion",
     "Returns the rotation whose forward is `dir` and whose up is as close to `up` as possible."},
    {"matrix4x4", matrix4x4, "(quat: Quaternion) -> Matrix4x4",
     "Returns the rotation as a matrix."},
    {"multiply", multiply, "(quat_a: Quaternion, quat_b: Quaternion) -> Quaternion",
     "Returns the rotation `quat_b` followed by `quat_a`."},
    {"norm", norm, "(quat: Quaternion) -> number",
     "Returns the length of the quaternion; 1 for rotations."},
    {"normalize", normalize, "(quat: Quaternion) -> Quaternion",
     "Returns the normalised quaternion; the identity when the length is 0."},
    {"right", right, "(quat: Quaternion) -> Vector3",
     "Returns the direction to which the rotation turns the x axis."},
    {"rotate", rotate, "(quat: Quaternion, vector: Vector3) -> Vector3",
     "Returns the rotated vector."},
    {"set_xyzw", set_xyzw,
     "(quat: Quaternion, x: number, y: number, z: number, w: number) -> Quaternion",
     "Sets all components in place and returns the same quaternion."},
    {"to_elements", to_elements, "(quat: Quaternion) -> number, number, number, number",
     "Returns the components x, y, z and w as numbers."},
    {"to_euler_angles_xyz", to_euler_angles_xyz, "(quat: Quaternion) -> number, number, number",
     "Returns the angles in radians from which Quaternion.from_euler_angles_xyz makes this "
     "rotation."},
    {"to_string", to_string, "(quat: Quaternion) -> string", "Returns the quaternion as text."},
    {"up", up, "(quat: Quaternion) -> Vector3",
     "Returns the direction to which the rotation turns the z axis."},
};

const ct_lua_module ct_api_quaternion = {
    .name = "Quaternion",
    .doc = "Rotations.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
    .call = make,
    .call_signature = "(axis: Vector3, angle: number) -> Quaternion",
};
