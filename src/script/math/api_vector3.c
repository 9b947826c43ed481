#include "script/script_private.h"

// Vector3. Operators (+ - * /, .x, .y, .z) are those of all light userdata.

static ct_vec3 read_parts(lua_State *L, int first) {
    ct_vec3 v;
    for (int i = 0; i < 3; ++i)
        v.raw[i] = ct_check_float(L, first + i);
    return v;
}

// What `Vector3(x, y, z)` calls; the table itself is argument 1.
static int make(lua_State *L) {
    ct_push_vector3(L, read_parts(L, 2));
    return 1;
}

static int add(lua_State *L) {
    ct_push_vector3(L, glms_vec3_add(ct_check_vector3(L, 1), ct_check_vector3(L, 2)));
    return 1;
}

static int subtract(lua_State *L) {
    ct_push_vector3(L, glms_vec3_sub(ct_check_vector3(L, 1), ct_check_vector3(L, 2)));
    return 1;
}

static int multiply_elements(lua_State *L) {
    ct_push_vector3(L, glms_vec3_mul(ct_check_vector3(L, 1), ct_check_vector3(L, 2)));
    return 1;
}

static int divide_elements(lua_State *L) {
    ct_push_vector3(L, glms_vec3_div(ct_check_vector3(L, 1), ct_check_vector3(L, 2)));
    return 1;
}

static int min(lua_State *L) {
    ct_push_vector3(L, glms_vec3_minv(ct_check_vector3(L, 1), ct_check_vector3(L, 2)));
    return 1;
}

static int max(lua_State *L) {
    ct_push_vector3(L, glms_vec3_maxv(ct_check_vector3(L, 1), ct_check_vector3(L, 2)));
    return 1;
}

static int cross(lua_State *L) {
    ct_push_vector3(L, glms_vec3_cross(ct_check_vector3(L, 1), ct_check_vector3(L, 2)));
    return 1;
}

static int multiply(lua_State *L) {
    ct_push_vector3(L, glms_vec3_scale(ct_check_vector3(L, 1), ct_check_float(L, 2)));
    return 1;
}

static int divide(lua_State *L) {
    ct_push_vector3(L, glms_vec3_divs(ct_check_vector3(L, 1), ct_check_float(L, 2)));
    return 1;
}

static int lerp(lua_State *L) {
    const ct_vec3 a = ct_check_vector3(L, 1), b = ct_check_vector3(L, 2);
    ct_push_vector3(L,
                    glms_vec3_add(a, glms_vec3_scale(glms_vec3_sub(b, a), ct_check_float(L, 3))));
    return 1;
}

static int normalize(lua_State *L) {
    ct_push_vector3(L, glms_vec3_normalize(ct_check_vector3(L, 1)));
    return 1;
}

static int dot(lua_State *L) {
    lua_pushnumber(L, (lua_Number)glms_vec3_dot(ct_check_vector3(L, 1), ct_check_vector3(L, 2)));
    return 1;
}

static int length(lua_State *L) {
    lua_pushnumber(L, (lua_Number)glms_vec3_norm(ct_check_vector3(L, 1)));
    return 1;
}

static int distance(lua_State *L) {
    lua_pushnumber(L,
                   (lua_Number)glms_vec3_distance(ct_check_vector3(L, 1), ct_check_vector3(L, 2)));
    return 1;
}

static int distance_squared(lua_State *L) {
    const ct_vec3 between = glms_vec3_sub(ct_check_vector3(L, 1), ct_check_vector3(L, 2));
    lua_pushnumber(L, (lua_Number)glms_vec3_dot(between, between));
    return 1;
}

static int equal(lua_State *L) {
    const ct_vec3 a = ct_check_vector3(L, 1), b = ct_check_vector3(L, 2);
    lua_pushboolean(L, a.x == b.x && a.y == b.y && a.z == b.z);
    return 1;
}

static int is_valid(lua_State *L) {
    const ct_vec3 v = ct_check_vector3(L, 1);
    lua_pushboolean(L, isfinite(v.x) && isfinite(v.y) && isfinite(v.z));
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

static int zero(lua_State *L) {
    ct_push_vector3(L, (ct_vec3){{0}});
    return 1;
}

// --- Parts ---------------------------------------------------------------------------------------

static int x(lua_State *L) {
    lua_pushnumber(L, (lua_Number)ct_check_vector3(L, 1).x);
    return 1;
}

static int y(lua_State *L) {
    lua_pushnumber(L, (lua_Number)ct_check_vector3(L, 1).y);
    return 1;
}

static int z(lua_State *L) {
    lua_pushnumber(L, (lua_Number)ct_check_vector3(L, 1).z);
    return 1;
}

static int element(lua_State *L) {
    const ct_vec3 v = ct_check_vector3(L, 1);
    lua_pushnumber(L, (lua_Number)v.raw[ct_check_integer(L, 2, 1, 3) - 1]);
    return 1;
}

static int to_elements(lua_State *L) {
    const ct_vec3 v = ct_check_vector3(L, 1);
    for (int i = 0; i < 3; ++i)
        lua_pushnumber(L, (lua_Number)v.raw[i]);
    return 3;
}

static int to_string(lua_State *L) {
    ct_check_vector3(L, 1);
    return luaL_callmeta(L, 1, "__tostring");
}

static int set_part(lua_State *L, int part, int argument) {
    const float value = ct_check_float(L, argument);
    ct_check_temporary(L, 1, CT_VALUE_KIND_VECTOR3)[part] = value;
    return 0;
}

static int set_element(lua_State *L) {
    return set_part(L, (int)ct_check_integer(L, 2, 1, 3) - 1, 3);
}

static int set_x(lua_State *L) {
    return set_part(L, 0, 2);
}

static int set_y(lua_State *L) {
    return set_part(L, 1, 2);
}

static int set_z(lua_State *L) {
    return set_part(L, 2, 2);
}

static int set_xyz(lua_State *L) {
    float *const data = ct_check_temporary(L, 1, CT_VALUE_KIND_VECTOR3);
    const ct_vec3 v = read_parts(L, 2);
    for (int i = 0; i < 3; ++i)
        data[i] = v.raw[i];
    return 0;
}

static const ct_lua_function functions[] = {
    {"add", add, "(vector_a: Vector3, vector_b: Vector3) -> Vector3", "The sum of two vectors."},
    {"backward", backward, "() -> Vector3", "The direction (0, -1, 0)."},
    {"base", base, "(index: integer) -> Vector3",
     "The unit vector of an axis: 1 is x, 2 is y, 3 is z."},
    {"cross", cross, "(vector_a: Vector3, vector_b: Vector3) -> Vector3",
     "The cross product of two vectors."},
    {"distance", distance, "(vector_a: Vector3, vector_b: Vector3) -> number",
     "The distance between two points."},
    {"distance_squared", distance_squared, "(vector_a: Vector3, vector_b: Vector3) -> number",
     "The square of the distance between two points."},
    {"divide", divide, "(vector: Vector3, factor: number) -> Vector3",
     "The vector with its parts divided by a number."},
    {"divide_elements", divide_elements, "(vector_a: Vector3, vector_b: Vector3) -> Vector3",
     "Each part of one vector divided by that of another."},
    {"dot", dot, "(vector_a: Vector3, vector_b: Vector3) -> number",
     "The dot product of two vectors."},
    {"down", down, "() -> Vector3", "The direction (0, 0, -1)."},
    {"element", element, "(vector: Vector3, index: integer) -> number",
     "A part by its number, from 1 (x) to 3 (z)."},
    {"equal", equal, "(vector_a: Vector3, vector_b: Vector3) -> boolean",
     "Tells whether all parts of two vectors are the same numbers."},
    {"forward", forward, "() -> Vector3", "The direction (0, 1, 0)."},
    {"is_valid", is_valid, "(vector: Vector3) -> boolean",
     "Tells whether all parts are finite numbers."},
    {"left", left, "() -> Vector3", "The direction (-1, 0, 0)."},
    {"length", length, "(vector: Vector3) -> number", "The length of the vector."},
    {"lerp", lerp, "(vector_a: Vector3, vector_b: Vector3, ratio: number) -> Vector3",
     "The point on the line through two points: the first for 0, the second for 1."},
    {"make_axes", make_axes, "(vector: Vector3) -> Vector3, Vector3",
     "Two unit vectors at right angles to the vector and to each other."},
    {"max", max, "(vector_a: Vector3, vector_b: Vector3) -> Vector3",
     "The larger of each two parts."},
    {"min", min, "(vector_a: Vector3, vector_b: Vector3) -> Vector3",
     "The smaller of each two parts."},
    {"multiply", multiply, "(vector: Vector3, factor: number) -> Vector3",
     "The vector with its parts multiplied by a number."},
    {"multiply_elements", multiply_elements, "(vector_a: Vector3, vector_b: Vector3) -> Vector3",
     "Each part of one vector multiplied by that of another."},
    {"normalize", normalize, "(vector: Vector3) -> Vector3",
     "The vector made 1 long; one without length stays as it is."},
    {"right", right, "() -> Vector3", "The direction (1, 0, 0)."},
    {"set_element", set_element, "(vector: Vector3, index: integer, value: number) -> nil",
     "Changes a part by its number, in place."},
    {"set_x", set_x, "(vector: Vector3, value: number) -> nil", "Changes the part x, in place."},
    {"set_xyz", set_xyz, "(vector: Vector3, x: number, y: number, z: number) -> nil",
     "Changes all parts, in place."},
    {"set_y", set_y, "(vector: Vector3, value: number) -> nil", "Changes the part y, in place."},
    {"set_z", set_z, "(vector: Vector3, value: number) -> nil", "Changes the part z, in place."},
    {"subtract", subtract, "(vector_a: Vector3, vector_b: Vector3) -> Vector3",
     "The first vector less the second."},
    {"to_elements", to_elements, "(vector: Vector3) -> number, number, number",
     "The parts as numbers."},
    {"to_string", to_string, "(vector: Vector3) -> string",
     "The vector as text: Vector3(1, 2, 3)."},
    {"up", up, "() -> Vector3", "The direction (0, 0, 1)."},
    {"x", x, "(vector: Vector3) -> number", "The part x."},
    {"y", y, "(vector: Vector3) -> number", "The part y."},
    {"z", z, "(vector: Vector3) -> number", "The part z."},
    {"zero", zero, "() -> Vector3", "The vector whose parts are all 0."},
};

const ct_lua_module ct_api_vector3 = {
    .name = "Vector3",
    .doc = "A point or direction in space: x right, y forward, z up.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
    .call = make,
    .call_signature = "(x: number, y: number, z: number) -> Vector3",
};
