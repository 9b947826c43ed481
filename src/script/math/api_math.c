#include <math.h>

#include "foundation/math/math_shapes.h"
#include "script/math/api_random.h"
#include "script/script_private.h"

// Math: boxes, rays and random numbers. A box is a pose and half its dimensions along the pose's
// axes; its corners are the pose's transforms of (±hx, ±hy, ±hz).

enum { NUM_CORNERS = 8, MAX_PLANES = 32 };

static ct_vec3 corner_of(const ct_mat4 *pose, ct_vec3 half, uint32_t corner) {
    const ct_vec3 at = ct_vec3_make(corner & 1 ? half.x : -half.x, corner & 2 ? half.y : -half.y,
                                    corner & 4 ? half.z : -half.z);
    return ct_mat4_transform_point(*pose, at);
}

// True when all corners lie behind the plane dot(normal, p) + offset = 0.
static bool is_behind(const ct_vec3 corners[NUM_CORNERS], ct_vec3 normal, float offset) {
    for (uint32_t i = 0; i < NUM_CORNERS; ++i) {
        if (ct_vec3_dot(normal, corners[i]) + offset >= 0)
            return false;
    }
    return true;
}

static void read_box(lua_State *L, int pose, ct_vec3 corners[NUM_CORNERS]) {
    const ct_mat4 m = *ct_check_matrix4x4(L, pose);
    const ct_vec3 half = ct_check_vector3(L, pose + 1);
    for (uint32_t i = 0; i < NUM_CORNERS; ++i)
        corners[i] = corner_of(&m, half, i);
}

// --- Boxes ---------------------------------------------------------------------------------------

static int box_in_frustum(lua_State *L) {
    ct_vec3 corners[NUM_CORNERS];
    read_box(L, 1, corners);
    const int count = lua_gettop(L);
    bool is_inside = true;
    for (int i = 3; i <= count || i == 3; i += 2) {
        const ct_vec3 normal = ct_check_vector3(L, i);
        is_inside = !is_behind(corners, normal, ct_check_float(L, i + 1)) && is_inside;
    }
    lua_pushboolean(L, is_inside);
    return 1;
}

// True when the eight corners from argument `first` on lie all on one outer side of the box.
static bool is_frustum_beside(lua_State *L, int first) {
    const ct_mat4 to_box = ct_mat4_inverse(*ct_check_matrix4x4(L, 1));
    const ct_vec3 half = ct_check_vector3(L, 2);
    ct_aabb around = ct_aabb_empty();
    for (int i = 0; i < NUM_CORNERS; ++i) {
        const ct_vec3 corner = ct_check_vector3(L, first + i);
        around = ct_aabb_add_point(around, ct_mat4_transform_point(to_box, corner));
    }
    for (uint32_t axis = 0; axis < 3; ++axis) {
        if (around.min.raw[axis] > half.raw[axis] || around.max.raw[axis] < -half.raw[axis])
            return true;
    }
    return false;
}

// A few boxes near the corners of a frustum are in front of all its planes and yet outside; the
// frustum's own corners reveal most of those.
static int box_intersects_frustum(lua_State *L) {
    ct_vec3 corners[NUM_CORNERS];
    read_box(L, 1, corners);
    const int count = lua_gettop(L);
    bool is_inside = true;
    int i = 3;
    for (; i < count && lua_type(L, i + 1) == LUA_TNUMBER; i += 2) {
        const ct_vec3 normal = ct_check_vector3(L, i);
        is_inside = !is_behind(corners, normal, ct_check_float(L, i + 1)) && is_inside;
    }
    if (i <= count && is_frustum_beside(L, i))
        is_inside = false;
    lua_pushboolean(L, is_inside);
    return 1;
}

static int merge_boxes(lua_State *L) {
    const int count = lua_gettop(L);
    ct_mat4 pose = *ct_check_matrix4x4(L, 1);
    const ct_mat4 to_first = ct_mat4_inverse(pose);
    ct_aabb merged = ct_aabb_empty();
    for (int box = 1; box <= count; box += 2) {
        ct_vec3 corners[NUM_CORNERS];
        read_box(L, box, corners);
        for (uint32_t i = 0; i < NUM_CORNERS; ++i)
            merged = ct_aabb_add_point(merged, ct_mat4_transform_point(to_first, corners[i]));
    }
    const ct_vec3 center = ct_vec3_scale(ct_vec3_add(merged.min, merged.max), 0.5f);
    const ct_vec3 moved = ct_mat4_transform_point(pose, center);
    for (uint32_t i = 0; i < 3; ++i)
        pose.col[3].raw[i] = moved.raw[i];
    ct_push_matrix4x4(L, &pose);
    ct_push_vector3(L, ct_vec3_scale(ct_vec3_sub(merged.max, merged.min), 0.5f));
    return 2;
}

static int point_in_box(lua_State *L) {
    const ct_vec3 point = ct_check_vector3(L, 1);
    const ct_mat4 to_box = ct_mat4_inverse(*ct_check_matrix4x4(L, 2));
    const ct_vec3 half = ct_check_vector3(L, 3);
    const ct_vec3 at = ct_mat4_transform_point(to_box, point);
    lua_pushboolean(L, fabsf(at.x) <= half.x && fabsf(at.y) <= half.y && fabsf(at.z) <= half.z);
    return 1;
}

static int ray_box_intersection(lua_State *L) {
    const ct_vec3 from = ct_check_vector3(L, 1), dir = ct_check_vector3(L, 2);
    const ct_mat4 to_box = ct_mat4_inverse(*ct_check_matrix4x4(L, 3));
    const ct_vec3 half = ct_check_vector3(L, 4);
    const ct_ray ray = {ct_mat4_transform_point(to_box, from),
                        ct_mat4_transform_direction(to_box, dir)};
    const ct_aabb box = {ct_vec3_scale(half, -1), half};
    lua_pushnumber(L, (lua_Number)ct_ray_to_aabb(ray, box));
    return 1;
}

// --- Numbers -------------------------------------------------------------------------------------

static int is_valid(lua_State *L) {
    const int count = lua_gettop(L);
    bool is_finite = true;
    for (int i = 1; i <= count; ++i)
        is_finite = isfinite(ct_check_float(L, i)) && isfinite(lua_tonumber(L, i)) && is_finite;
    lua_pushboolean(L, is_finite);
    return 1;
}

// Pushes a number of 53 random bits as Lua's math.random gives them: from 0 to 1 without bounds,
// else an integer from 1, or from the first bound, to the last one.
static void push_random(lua_State *L, int first_bound, uint64_t bits) {
    const double fraction = (double)(bits >> 11) * 0x1p-53;
    if (lua_isnoneornil(L, first_bound)) {
        lua_pushnumber(L, fraction);
        return;
    }
    const int64_t limit = 1ll << 52;
    int64_t least = 1, most = ct_check_integer(L, first_bound, -limit, limit);
    const bool has_both = !lua_isnoneornil(L, first_bound + 1);
    if (has_both) {
        least = most;
        most = ct_check_integer(L, first_bound + 1, -limit, limit);
    }
    if (least > most)
        ct_argument_error(L, first_bound + has_both, "expected a bound of at least %lld, got %lld",
                          (long long)least, (long long)most);
    lua_pushnumber(L, (double)least + floor(fraction * (double)(most - least + 1)));
}

static int random_number(lua_State *L) {
    push_random(L, 1, ct_random_next_bits(&ct_lua_of(L)->random_state));
    return 1;
}

static int next_random(lua_State *L) {
    const uint64_t next_seed = ct_check_next_seed(L, 1);
    uint64_t state = next_seed;
    // The bounds are read by their places: nothing is pushed before.
    push_random(L, 2, ct_random_next_bits(&state));
    lua_pushnumber(L, (lua_Number)next_seed);
    lua_insert(L, -2);
    return 2;
}

static const ct_lua_function functions[] = {
    {"box_in_frustum", box_in_frustum,
     "(pose: Matrix4x4, half_dimensions: Vector3, n: Vector3, o: number, "
     "additional_planes: any(Vector3,number)*) -> boolean",
     "Returns false when the whole box is behind one of the planes. A plane is a normal, which "
     "points inwards, and an offset: dot(n, p) + o = 0."},
    {"box_intersects_frustum", box_intersects_frustum,
     "(pose: Matrix4x4, half_dimensions: Vector3, frustum_planes: any(Vector3,number)*, "
     "frustum_corners: Vector3*) -> boolean",
     "Works like box_in_frustum, but also returns false when all eight corners of the frustum are "
     "outside the same side of the box."},
    {"is_valid", is_valid, "(inputs: number*) -> boolean",
     "Returns whether all numbers are finite, also as 32-bit floats."},
    {"merge_boxes", merge_boxes,
     "(pose: Matrix4x4, half_dimensions: Vector3, additional_boxes: any(Matrix4x4,Vector3)*) -> "
     "Matrix4x4, Vector3",
     "Returns the smallest box that contains all boxes and has the axes of the first: its pose and "
     "half dimensions."},
    {"next_random", next_random,
     "(seed: integer, first_bound: integer?, second_bound: integer?) -> integer, number",
     "Returns the next seed and a random number in the ranges of Math.random. The same seed always "
     "gives the same results."},
    {"point_in_box", point_in_box,
     "(point: Vector3, pose: Matrix4x4, half_dimensions: Vector3) -> boolean",
     "Returns whether a point is inside a box."},
    {"random", random_number, "(first_bound: integer?, second_bound: integer?) -> number",
     "Returns a random number from 0 up to 1, or an integer from 1 to a bound, or between two "
     "bounds. The sequence is the same in every run."},
    {"ray_box_intersection", ray_box_intersection,
     "(from: Vector3, dir: Vector3, pose: Matrix4x4, half_dimensions: Vector3) -> number",
     "Returns the distance along a ray to a box, in lengths of `dir`: 0 when it starts inside, -1 "
     "when it misses."},
};

const ct_lua_module ct_api_math = {
    .name = "Math",
    .doc = "Boxes, rays and random numbers.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
};
