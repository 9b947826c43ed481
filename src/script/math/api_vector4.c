#include "script/script_private.h"

// Vector4. Operators (+ - * /, .x, .y, .z, .w) are those of all light userdata.

static ct_vec4 read_parts(lua_State *L, int first) {
    ct_vec4 v;
    for (int i = 0; i < 4; ++i)
        v.raw[i] = ct_check_float(L, first + i);
    return v;
}

// What `Vector4(x, y, z, w)` calls; the table itself is argument 1.
static int make(lua_State *L) {
    ct_push_vector4(L, read_parts(L, 2));
    return 1;
}

static int add(lua_State *L) {
    ct_push_vector4(L, glms_vec4_add(ct_check_vector4(L, 1), ct_check_vector4(L, 2)));
    return 1;
}

static int subtract(lua_State *L) {
    ct_push_vector4(L, glms_vec4_sub(ct_check_vector4(L, 1), ct_check_vector4(L, 2)));
    return 1;
}

static int multiply_elements(lua_State *L) {
    ct_push_vector4(L, glms_vec4_mul(ct_check_vector4(L, 1), ct_check_vector4(L, 2)));
    return 1;
}

static int divide_elements(lua_State *L) {
    ct_push_vector4(L, glms_vec4_div(ct_check_vector4(L, 1), ct_check_vector4(L, 2)));
    return 1;
}

static int min(lua_State *L) {
    ct_push_vector4(L, glms_vec4_minv(ct_check_vector4(L, 1), ct_check_vector4(L, 2)));
    return 1;
}

static int max(lua_State *L) {
    ct_push_vector4(L, glms_vec4_maxv(ct_check_vector4(L, 1), ct_check_vector4(L, 2)));
    return 1;
}

static int multiply(lua_State *L) {
    ct_push_vector4(L, glms_vec4_scale(ct_check_vector4(L, 1), ct_check_float(L, 2)));
    return 1;
}

static int divide(lua_State *L) {
    ct_push_vector4(L, glms_vec4_divs(ct_check_vector4(L, 1), ct_check_float(L, 2)));
    return 1;
}

static int lerp(lua_State *L) {
    const ct_vec4 a = ct_check_vector4(L, 1), b = ct_check_vector4(L, 2);
    ct_push_vector4(L,
                    glms_vec4_add(a, glms_vec4_scale(glms_vec4_sub(b, a), ct_check_float(L, 3))));
    return 1;
}

static int normalize(lua_State *L) {
    ct_push_vector4(L, glms_vec4_normalize(ct_check_vector4(L, 1)));
    return 1;
}

static int dot(lua_State *L) {
    lua_pushnumber(L, (lua_Number)glms_vec4_dot(ct_check_vector4(L, 1), ct_check_vector4(L, 2)));
    return 1;
}

static int length(lua_State *L) {
    lua_pushnumber(L, (lua_Number)glms_vec4_norm(ct_check_vector4(L, 1)));
    return 1;
}

static int distance(lua_State *L) {
    lua_pushnumber(L,
                   (lua_Number)glms_vec4_distance(ct_check_vector4(L, 1), ct_check_vector4(L, 2)));
    return 1;
}

static int distance_squared(lua_State *L) {
    const ct_vec4 between = glms_vec4_sub(ct_check_vector4(L, 1), ct_check_vector4(L, 2));
    lua_pushnumber(L, (lua_Number)glms_vec4_dot(between, between));
    return 1;
}

static int equal(lua_State *L) {
    const ct_vec4 a = ct_check_vector4(L, 1), b = ct_check_vector4(L, 2);
    lua_pushboolean(L, a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w);
    return 1;
}

static int is_valid(lua_State *L) {
    const ct_vec4 v = ct_check_vector4(L, 1);
    lua_pushboolean(L, isfinite(v.x) && isfinite(v.y) && isfinite(v.z) && isfinite(v.w));
    return 1;
}

static int zero(lua_State *L) {
    ct_push_vector4(L, (ct_vec4){{0}});
    return 1;
}

// --- Parts ---------------------------------------------------------------------------------------

static int x(lua_State *L) {
    lua_pushnumber(L, (lua_Number)ct_check_vector4(L, 1).x);
    return 1;
}

static int y(lua_State *L) {
    lua_pushnumber(L, (lua_Number)ct_check_vector4(L, 1).y);
    return 1;
}

static int z(lua_State *L) {
    lua_pushnumber(L, (lua_Number)ct_check_vector4(L, 1).z);
    return 1;
}

static int w(lua_State *L) {
    lua_pushnumber(L, (lua_Number)ct_check_vector4(L, 1).w);
    return 1;
}

static int element(lua_State *L) {
    const ct_vec4 v = ct_check_vector4(L, 1);
    lua_pushnumber(L, (lua_Number)v.raw[ct_check_integer(L, 2, 1, 4) - 1]);
    return 1;
}

static int to_elements(lua_State *L) {
    const ct_vec4 v = ct_check_vector4(L, 1);
    for (int i = 0; i < 4; ++i)
        lua_pushnumber(L, (lua_Number)v.raw[i]);
    return 4;
}

static int to_string(lua_State *L) {
    ct_check_vector4(L, 1);
    return luaL_callmeta(L, 1, "__tostring");
}

static int set_part(lua_State *L, int part, int argument) {
    const float value = ct_check_float(L, argument);
    ct_check_temporary(L, 1, CT_VALUE_KIND_VECTOR4)[part] = value;
    return 0;
}

static int set_element(lua_State *L) {
    return set_part(L, (int)ct_check_integer(L, 2, 1, 4) - 1, 3);
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

static int set_w(lua_State *L) {
    return set_part(L, 3, 2);
}

static int set_xyzw(lua_State *L) {
    float *const data = ct_check_temporary(L, 1, CT_VALUE_KIND_VECTOR4);
    const ct_vec4 v = read_parts(L, 2);
    for (int i = 0; i < 4; ++i)
        data[i] = v.raw[i];
    return 0;
}

static const ct_lua_function functions[] = {
    {"add", add, "(vector_a: Vector4, vector_b: Vector4) -> Vector4", "The sum of two vectors."},
    {"distance", distance, "(vector_a: Vector4, vector_b: Vector4) -> number",
     "The distance between two points."},
    {"distance_squared", distance_squared, "(vector_a: Vector4, vector_b: Vector4) -> number",
     "The square of the distance between two points."},
    {"divide", divide, "(vector: Vector4, factor: number) -> Vector4",
     "The vector with its parts divided by a number."},
    {"divide_elements", divide_elements, "(vector_a: Vector4, vector_b: Vector4) -> Vector4",
     "Each part of one vector divided by that of another."},
    {"dot", dot, "(vector_a: Vector4, vector_b: Vector4) -> number",
     "The dot product of two vectors."},
    {"element", element, "(vector: Vector4, index: integer) -> number",
     "A part by its number, from 1 (x) to 4 (w)."},
    {"equal", equal, "(vector_a: Vector4, vector_b: Vector4) -> boolean",
     "Tells whether all parts of two vectors are the same numbers."},
    {"is_valid", is_valid, "(vector: Vector4) -> boolean",
     "Tells whether all parts are finite numbers."},
    {"length", length, "(vector: Vector4) -> number", "The length of the vector."},
    {"lerp", lerp, "(vector_a: Vector4, vector_b: Vector4, ratio: number) -> Vector4",
     "The point on the line through two points: the first for 0, the second for 1."},
    {"max", max, "(vector_a: Vector4, vector_b: Vector4) -> Vector4",
     "The larger of each two parts."},
    {"min", min, "(vector_a: Vector4, vector_b: Vector4) -> Vector4",
     "The smaller of each two parts."},
    {"multiply", multiply, "(vector: Vector4, factor: number) -> Vector4",
     "The vector with its parts multiplied by a number."},
    {"multiply_elements", multiply_elements, "(vector_a: Vector4, vector_b: Vector4) -> Vector4",
     "Each part of one vector multiplied by that of another."},
    {"normalize", normalize, "(vector: Vector4) -> Vector4",
     "The vector made 1 long; one without length stays as it is."},
    {"set_element", set_element, "(vector: Vector4, index: integer, value: number) -> nil",
     "Changes a part by its number, in place."},
    {"set_w", set_w, "(vector: Vector4, value: number) -> nil", "Changes the part w, in place."},
    {"set_x", set_x, "(vector: Vector4, value: number) -> nil", "Changes the part x, in place."},
    {"set_xyzw", set_xyzw, "(vector: Vector4, x: number, y: number, z: number, w: number) -> nil",
     "Changes all parts, in place."},
    {"set_y", set_y, "(vector: Vector4, value: number) -> nil", "Changes the part y, in place."},
    {"set_z", set_z, "(vector: Vector4, value: number) -> nil", "Changes the part z, in place."},
    {"subtract", subtract, "(vector_a: Vector4, vector_b: Vector4) -> Vector4",
     "The first vector less the second."},
    {"to_elements", to_elements, "(vector: Vector4) -> number, number, number, number",
     "The parts as numbers."},
    {"to_string", to_string, "(vector: Vector4) -> string",
     "The vector as text: Vector4(1, 2, 3, 4)."},
    {"w", w, "(vector: Vector4) -> number", "The part w."},
    {"x", x, "(vector: Vector4) -> number", "The part x."},
    {"y", y, "(vector: Vector4) -> number", "The part y."},
    {"z", z, "(vector: Vector4) -> number", "The part z."},
    {"zero", zero, "() -> Vector4", "The vector whose parts are all 0."},
};

const ct_lua_module ct_api_vector4 = {
    .name = "Vector4",
    .doc = "Four numbers.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
    .call = make,
    .call_signature = "(x: number, y: number, z: number, w: number) -> Vector4",
};
