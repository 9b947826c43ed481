#include "script/script_private.h"

// Vector2. Operators (+ - * /, .x, .y) are those of all light userdata.

static ct_vec2 read_parts(lua_State *L, int first) {
    ct_vec2 v;
    for (int i = 0; i < 2; ++i)
        v.raw[i] = ct_check_float(L, first + i);
    return v;
}

// What `Vector2(x, y)` calls; the table itself is argument 1.
static int make(lua_State *L) {
    ct_push_vector2(L, read_parts(L, 2));
    return 1;
}

static int add(lua_State *L) {
    ct_push_vector2(L, glms_vec2_add(ct_check_vector2(L, 1), ct_check_vector2(L, 2)));
    return 1;
}

static int subtract(lua_State *L) {
    ct_push_vector2(L, glms_vec2_sub(ct_check_vector2(L, 1), ct_check_vector2(L, 2)));
    return 1;
}

static int multiply_elements(lua_State *L) {
    ct_push_vector2(L, glms_vec2_mul(ct_check_vector2(L, 1), ct_check_vector2(L, 2)));
    return 1;
}

static int divide_elements(lua_State *L) {
    ct_push_vector2(L, glms_vec2_div(ct_check_vector2(L, 1), ct_check_vector2(L, 2)));
    return 1;
}

static int min(lua_State *L) {
    ct_push_vector2(L, glms_vec2_minv(ct_check_vector2(L, 1), ct_check_vector2(L, 2)));
    return 1;
}

static int max(lua_State *L) {
    ct_push_vector2(L, glms_vec2_maxv(ct_check_vector2(L, 1), ct_check_vector2(L, 2)));
    return 1;
}

static int multiply(lua_State *L) {
    ct_push_vector2(L, glms_vec2_scale(ct_check_vector2(L, 1), ct_check_float(L, 2)));
    return 1;
}

static int divide(lua_State *L) {
    ct_push_vector2(L, glms_vec2_divs(ct_check_vector2(L, 1), ct_check_float(L, 2)));
    return 1;
}

static int lerp(lua_State *L) {
    const ct_vec2 a = ct_check_vector2(L, 1), b = ct_check_vector2(L, 2);
    ct_push_vector2(L,
                    glms_vec2_add(a, glms_vec2_scale(glms_vec2_sub(b, a), ct_check_float(L, 3))));
    return 1;
}

static int normalize(lua_State *L) {
    ct_push_vector2(L, glms_vec2_normalize(ct_check_vector2(L, 1)));
    return 1;
}

static int dot(lua_State *L) {
    lua_pushnumber(L, (lua_Number)glms_vec2_dot(ct_check_vector2(L, 1), ct_check_vector2(L, 2)));
    return 1;
}

static int length(lua_State *L) {
    lua_pushnumber(L, (lua_Number)glms_vec2_norm(ct_check_vector2(L, 1)));
    return 1;
}

static int distance(lua_State *L) {
    lua_pushnumber(L,
                   (lua_Number)glms_vec2_distance(ct_check_vector2(L, 1), ct_check_vector2(L, 2)));
    return 1;
}

static int distance_squared(lua_State *L) {
    const ct_vec2 between = glms_vec2_sub(ct_check_vector2(L, 1), ct_check_vector2(L, 2));
    lua_pushnumber(L, (lua_Number)glms_vec2_dot(between, between));
    return 1;
}

static int equal(lua_State *L) {
    const ct_vec2 a = ct_check_vector2(L, 1), b = ct_check_vector2(L, 2);
    lua_pushboolean(L, a.x == b.x && a.y == b.y);
    return 1;
}

static int is_valid(lua_State *L) {
    const ct_vec2 v = ct_check_vector2(L, 1);
    lua_pushboolean(L, isfinite(v.x) && isfinite(v.y));
    return 1;
}

static int zero(lua_State *L) {
    ct_push_vector2(L, (ct_vec2){{0}});
    return 1;
}

// --- Parts ---------------------------------------------------------------------------------------

static int x(lua_State *L) {
    lua_pushnumber(L, (lua_Number)ct_check_vector2(L, 1).x);
    return 1;
}

static int y(lua_State *L) {
    lua_pushnumber(L, (lua_Number)ct_check_vector2(L, 1).y);
    return 1;
}

static int element(lua_State *L) {
    const ct_vec2 v = ct_check_vector2(L, 1);
    lua_pushnumber(L, (lua_Number)v.raw[ct_check_integer(L, 2, 1, 2) - 1]);
    return 1;
}

static int to_elements(lua_State *L) {
    const ct_vec2 v = ct_check_vector2(L, 1);
    for (int i = 0; i < 2; ++i)
        lua_pushnumber(L, (lua_Number)v.raw[i]);
    return 2;
}

static int to_string(lua_State *L) {
    ct_check_vector2(L, 1);
    return luaL_callmeta(L, 1, "__tostring");
}

static int set_part(lua_State *L, int part, int argument) {
    const float value = ct_check_float(L, argument);
    ct_check_temporary(L, 1, CT_VALUE_KIND_VECTOR2)[part] = value;
    return 0;
}

static int set_element(lua_State *L) {
    return set_part(L, (int)ct_check_integer(L, 2, 1, 2) - 1, 3);
}

static int set_x(lua_State *L) {
    return set_part(L, 0, 2);
}

static int set_y(lua_State *L) {
    return set_part(L, 1, 2);
}

static int set_xy(lua_State *L) {
    float *const data = ct_check_temporary(L, 1, CT_VALUE_KIND_VECTOR2);
    const ct_vec2 v = read_parts(L, 2);
    for (int i = 0; i < 2; ++i)
        data[i] = v.raw[i];
    return 0;
}

static const ct_lua_function functions[] = {
    {"add", add, "(vector_a: Vector2, vector_b: Vector2) -> Vector2", "The sum of two vectors."},
    {"distance", distance, "(vector_a: Vector2, vector_b: Vector2) -> number",
     "The distance between two points."},
    {"distance_squared", distance_squared, "(vector_a: Vector2, vector_b: Vector2) -> number",
     "The square of the distance between two points."},
    {"divide", divide, "(vector: Vector2, factor: number) -> Vector2",
     "The vector with its parts divided by a number."},
    {"divide_elements", divide_elements, "(vector_a: Vector2, vector_b: Vector2) -> Vector2",
     "Each part of one vector divided by that of another."},
    {"dot", dot, "(vector_a: Vector2, vector_b: Vector2) -> number",
     "The dot product of two vectors."},
    {"element", element, "(vector: Vector2, index: integer) -> number",
     "A part by its number, from 1 (x) to 2 (y)."},
    {"equal", equal, "(vector_a: Vector2, vector_b: Vector2) -> boolean",
     "Tells whether all parts of two vectors are the same numbers."},
    {"is_valid", is_valid, "(vector: Vector2) -> boolean",
     "Tells whether all parts are finite numbers."},
    {"length", length, "(vector: Vector2) -> number", "The length of the vector."},
    {"lerp", lerp, "(vector_a: Vector2, vector_b: Vector2, ratio: number) -> Vector2",
     "The point on the line through two points: the first for 0, the second for 1."},
    {"max", max, "(vector_a: Vector2, vector_b: Vector2) -> Vector2",
     "The larger of each two parts."},
    {"min", min, "(vector_a: Vector2, vector_b: Vector2) -> Vector2",
     "The smaller of each two parts."},
    {"multiply", multiply, "(vector: Vector2, factor: number) -> Vector2",
     "The vector with its parts multiplied by a number."},
    {"multiply_elements", multiply_elements, "(vector_a: Vector2, vector_b: Vector2) -> Vector2",
     "Each part of one vector multiplied by that of another."},
    {"normalize", normalize, "(vector: Vector2) -> Vector2",
     "The vector made 1 long; one without length stays as it is."},
    {"set_element", set_element, "(vector: Vector2, index: integer, value: number) -> nil",
     "Changes a part by its number, in place."},
    {"set_x", set_x, "(vector: Vector2, value: number) -> nil", "Changes the part x, in place."},
    {"set_xy", set_xy, "(vector: Vector2, x: number, y: number) -> nil",
     "Changes all parts, in place."},
    {"set_y", set_y, "(vector: Vector2, value: number) -> nil", "Changes the part y, in place."},
    {"subtract", subtract, "(vector_a: Vector2, vector_b: Vector2) -> Vector2",
     "The first vector less the second."},
    {"to_elements", to_elements, "(vector: Vector2) -> number, number", "The parts as numbers."},
    {"to_string", to_string, "(vector: Vector2) -> string", "The vector as text: Vector2(1, 2)."},
    {"x", x, "(vector: Vector2) -> number", "The part x."},
    {"y", y, "(vector: Vector2) -> number", "The part y."},
    {"zero", zero, "() -> Vector2", "The vector whose parts are all 0."},
};

const ct_lua_module ct_api_vector2 = {
    .name = "Vector2",
    .doc = "A point or direction in the plane.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
    .call = make,
    .call_signature = "(x: number, y: number) -> Vector2",
};
