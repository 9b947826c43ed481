#include <math.h>

#include "foundation/math/math.h"
#include "script/api_check.h"
#include "script/render/api_line_object.h"

extern const ct_lua_module ct_api_line_object;

static void end(lua_State *L, void *object, uint64_t data) {
    (void)L, (void)data;
    ct_line_object_destroy(object);
}

const ct_lua_object_type ct_type_line_object = {
    .name = "LineObject", .owner = CT_LUA_OWNER_DATA, .end = end};

enum {
    DEFAULT_SEGMENTS = 20,
    DEFAULT_PARTS = 4,
    MAX_SEGMENTS = 1024,
    MAX_VERTICES = 1 << 22, // of a line object: a loop that forgets to reset
};

static const float half_turn = 3.14159265358979323846f;

static ct_line_object *check_lines(lua_State *L, int argument) {
    return ct_check_object(L, argument, &ct_type_line_object, NULL);
}

// A line object that lines can be added to.
static ct_line_object *check_roomy(lua_State *L) {
    ct_line_object *const l = check_lines(L, 1);
    if (l->vertices.count > MAX_VERTICES)
        ct_function_error(L, "the line object is full (%d lines); reset it each frame",
                          MAX_VERTICES / 2);
    return l;
}

static float check_length(lua_State *L, int argument) {
    return (float)ct_check_number_in(L, argument, 0, 1e7);
}

static uint32_t optional_count(lua_State *L, int argument, int64_t least, uint32_t otherwise) {
    if (lua_isnoneornil(L, argument))
        return otherwise;
    return (uint32_t)ct_check_integer(L, argument, least, MAX_SEGMENTS);
}

static int add_line(lua_State *L) {
    ct_line_object *const l = check_roomy(L);
    const ct_vec4 color = ct_check_finite_vector4(L, 2);
    const ct_vec3 from = ct_check_finite_vector3(L, 3), to = ct_check_finite_vector3(L, 4);
    ct_line_object_add_line(l, color, from, to);
    return 0;
}

static int add_axes(lua_State *L) {
    ct_line_object *const l = check_roomy(L);
    ct_mat4 pose = ct_check_finite_matrix4x4(L, 2);
    ct_vec3 lengths = ct_vec3_make(1, 1, 1);
    if (lua_type(L, 3) == LUA_TNUMBER)
        lengths = ct_vec3_scale(lengths, check_length(L, 3));
    else if (!lua_isnoneornil(L, 3))
        lengths = ct_check_finite_vector3(L, 3);
    for (uint32_t i = 0; i < 3; ++i)
        pose.col[i] = glms_vec4_scale(pose.col[i], lengths.raw[i]);
    ct_line_object_add_axes(l, &pose, 1);
    return 0;
}

static int add_box(lua_State *L) {
    ct_line_object *const l = check_roomy(L);
    const ct_vec4 color = ct_check_finite_vector4(L, 2);
    const ct_mat4 pose = ct_check_finite_matrix4x4(L, 3);
    ct_line_object_add_box(l, color, &pose, ct_check_finite_vector3(L, 4));
    return 0;
}

static int add_circle(lua_State *L) {
    ct_line_object *const l = check_roomy(L);
    const ct_vec4 color = ct_check_finite_vector4(L, 2);
    const ct_vec3 center = ct_check_finite_vector3(L, 3);
    const float radius = check_length(L, 4);
    const ct_vec3 normal = ct_check_finite_vector3(L, 5);
    ct_line_object_add_circle(l, color, center, radius, normal,
                              optional_count(L, 6, 3, DEFAULT_SEGMENTS));
    return 0;
}

static int add_sphere(lua_State *L) {
    ct_line_object *const l = check_roomy(L);
    const ct_vec4 color = ct_check_finite_vector4(L, 2);
    const ct_vec3 center = ct_check_finite_vector3(L, 3);
    const float radius = check_length(L, 4);
    ct_line_object_add_sphere(l, color, center, radius, optional_count(L, 5, 3, DEFAULT_SEGMENTS));
    return 0;
}

// A half circle from `side` over `top` to the other side; both are unit vectors times the radius.
static void add_arch(ct_line_object *l, ct_vec4 color, ct_vec3 center, ct_vec3 side, ct_vec3 top,
                     uint32_t num_segments) {
    ct_vec3 from = ct_vec3_add(center, side);
    for (uint32_t i = 1; i <= num_segments; ++i) {
        const float angle = half_turn * (float)i / (float)num_segments;
        const ct_vec3 offset =
            ct_vec3_add(ct_vec3_scale(side, cosf(angle)), ct_vec3_scale(top, sinf(angle)));
        const ct_vec3 to = ct_vec3_add(center, offset);
        ct_line_object_add_line(l, color, from, to);
        from = to;
    }
}

static int add_half_sphere(lua_State *L) {
    ct_line_object *const l = check_roomy(L);
    const ct_vec4 color = ct_check_finite_vector4(L, 2);
    const ct_vec3 center = ct_check_finite_vector3(L, 3);
    const float radius = check_length(L, 4);
    const ct_vec3 normal = ct_vec3_normalize(ct_check_finite_vector3(L, 5));
    const uint32_t segments = optional_count(L, 6, 3, DEFAULT_SEGMENTS);
    const uint32_t parts = optional_count(L, 7, 1, DEFAULT_PARTS);
    const ct_vec3 other = fabsf(normal.z) < 0.9f ? ct_vec3_make(0, 0, 1) : ct_vec3_make(1, 0, 0);
    const ct_vec3 u = ct_vec3_normalize(ct_vec3_cross(other, normal));
    const ct_vec3 v = ct_vec3_cross(normal, u);
    ct_line_object_add_circle(l, color, center, radius, normal, segments);
    for (uint32_t i = 0; i < parts; ++i) {
        const float angle = half_turn * (float)i / (float)parts;
        const ct_vec3 side =
            ct_vec3_add(ct_vec3_scale(u, cosf(angle)), ct_vec3_scale(v, sinf(angle)));
        add_arch(l, color, center, ct_vec3_scale(side, radius), ct_vec3_scale(normal, radius),
                 segments / 2 + 1);
    }
    return 0;
}

static int add_capsule(lua_State *L) {
    ct_line_object *const l = check_roomy(L);
    const ct_vec4 color = ct_check_finite_vector4(L, 2);
    const ct_vec3 from = ct_check_finite_vector3(L, 3), to = ct_check_finite_vector3(L, 4);
    const float radius = check_length(L, 5);
    ct_line_object_add_capsule(l, color, from, to, radius,
                               optional_count(L, 6, 3, DEFAULT_SEGMENTS));
    return 0;
}

static int add_cone(lua_State *L) {
    ct_line_object *const l = check_roomy(L);
    const ct_vec4 color = ct_check_finite_vector4(L, 2);
    const ct_vec3 from = ct_check_finite_vector3(L, 3), to = ct_check_finite_vector3(L, 4);
    const float radius = check_length(L, 5);
    const uint32_t segments = optional_count(L, 6, 3, DEFAULT_SEGMENTS);
    ct_line_object_add_cone(l, color, from, to, radius, segments,
                            optional_count(L, 7, 0, DEFAULT_PARTS));
    return 0;
}

static int dispatch(lua_State *L) {
    const ct_world *const world = ct_check_world(L, 1);
    const ct_line_object *const l = check_lines(L, 2);
    ct_line_object_dispatch(l, ct_world_system_renderer(ct_script_of(L)->worlds),
                            ct_world_render_world(world));
    return 0;
}

static int reset(lua_State *L) {
    ct_line_object_reset(check_lines(L, 1));
    return 0;
}

static const ct_lua_function functions[] = {
    {"add_axes", add_axes,
     "(self: LineObject, pose: Matrix4x4, length: any(number,Vector3)?) -> nil",
     "Adds red, green and blue lines along the x, y and z axes of a pose."},
    {"add_box", add_box,
     "(self: LineObject, color: Vector4, pose: Matrix4x4, extents: Vector3) -> nil",
     "Adds the edges of a box; the extents are half its sizes."},
    {"add_capsule", add_capsule,
     "(self: LineObject, color: Vector4, from: Vector3, to: Vector3, radius: number, "
     "segments: integer?) -> nil",
     "Adds a capsule; `from` and `to` are the centres of its half spheres."},
    {"add_circle", add_circle,
     "(self: LineObject, color: Vector4, center: Vector3, radius: number, normal: Vector3, "
     "segments: integer?) -> nil",
     "Adds a circle."},
    {"add_cone", add_cone,
     "(self: LineObject, color: Vector4, from: Vector3, to: Vector3, radius: number, "
     "segments: integer?, bars: integer?) -> nil",
     "Adds a cone with its base around `from` and its tip at `to`."},
    {"add_half_sphere", add_half_sphere,
     "(self: LineObject, color: Vector4, center: Vector3, radius: number, normal: Vector3, "
     "segments: integer?, parts: integer?) -> nil",
     "Adds the half of a sphere on the normal's side, as a circle with arcs over it."},
    {"add_line", add_line, "(self: LineObject, color: Vector4, from: Vector3, to: Vector3) -> nil",
     "Adds a line."},
    {"add_sphere", add_sphere,
     "(self: LineObject, color: Vector4, center: Vector3, radius: number, segments: integer?) -> "
     "nil",
     "Adds a sphere as three circles."},
    {"dispatch", dispatch, "(world: World, line_object: LineObject) -> nil",
     "Draws the lines in a world for this frame."},
    {"reset", reset, "(self: LineObject) -> nil", "Removes all lines."},
};

const ct_lua_module ct_api_line_object = {
    .name = "LineObject",
    .doc = "Debug lines, which stay until they are reset. Colors are linear red, green, blue and "
           "alpha. Make one with World.create_line_object.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
};
