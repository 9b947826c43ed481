#include <math.h>

#include "foundation/math/math.h"
#include "script/api_check.h"
#include "script/entity/api_data.h"
#include "script/world/api_component.h"
#include "script/world/api_component_pose.h"

extern const ct_lua_module ct_api_camera;

enum { MAX_PIXELS = 65536 };

static const float smallest_depth = 1e-6f; // used as the depth of points beside the camera
static const double most_tangent = 1e3;    // of the angles of a frustum's edges
static const double most_metres = 1e7;
static const double least_width = 1e-4; // in the same units: what edges are apart

static ct_camera_data *check_data(lua_State *L) {
    const ct_script_camera c = ct_check_camera(L, 1);
    return ct_camera_data_of(ct_world_cameras(c.world), c.instance);
}

// Returns the eye with the number from 1 at `argument`; the first when it is nil.
static ct_camera_eye *check_eye(lua_State *L, int argument) {
    const ct_script_camera c = ct_check_camera(L, 1);
    const bool is_first = lua_isnoneornil(L, argument);
    const uint32_t eye =
        is_first ? 0 : (uint32_t)ct_check_integer(L, argument, 1, CT_CAMERA_NUM_EYES) - 1;
    return ct_camera_eye_of(ct_world_cameras(c.world), c.instance, eye);
}

static const ct_schema *schema(void) {
    return ct_component_type_named("camera")->schema;
}

// --- What it sees with ---------------------------------------------------------------------------

static int near_range(lua_State *L) {
    lua_pushnumber(L, (double)check_data(L)->near_range);
    return 1;
}

static int far_range(lua_State *L) {
    lua_pushnumber(L, (double)check_data(L)->far_range);
    return 1;
}

static int vertical_fov(lua_State *L) {
    const ct_camera_eye *const eye = check_eye(L, 2);
    const ct_camera_edges e = eye->perspective;
    const bool is_symmetric = !(e.left < e.right);
    lua_pushnumber(L, is_symmetric ? (double)eye->vertical_fov
                                   : atan((double)e.top) - atan((double)e.bottom));
    return 1;
}

static int set_near_range(lua_State *L) {
    ct_camera_data *const data = check_data(L);
    const double range = ct_check_field_number(L, 2, schema(), "near_range");
    if (range >= (double)data->far_range)
        return ct_argument_error(L, 2, "expected less than the far range %g, got %g",
                                 (double)data->far_range, range);
    data->near_range = (float)range;
    return 0;
}

static int set_far_range(lua_State *L) {
    ct_camera_data *const data = check_data(L);
    const double range = ct_check_field_number(L, 2, schema(), "far_range");
    if (range <= (double)data->near_range)
        return ct_argument_error(L, 2, "expected more than the near range %g, got %g",
                                 (double)data->near_range, range);
    data->far_range = (float)range;
    return 0;
}

static int set_vertical_fov(lua_State *L) {
    ct_camera_eye *const eye = check_eye(L, 3);
    eye->vertical_fov = (float)ct_check_field_number(L, 2, schema(), "vertical_fov");
    eye->perspective = (ct_camera_edges){0};
    return 0;
}

static int projection_type(lua_State *L) {
    lua_pushnumber(L, check_data(L)->projection);
    return 1;
}

static int set_projection_type(lua_State *L) {
    ct_camera_data *const data = check_data(L);
    data->projection = (uint32_t)ct_check_integer(L, 2, CT_CAMERA_PROJECTION_PERSPECTIVE,
                                                  CT_CAMERA_PROJECTION_ORTHOGRAPHIC);
    return 0;
}

static int orthographic_height(lua_State *L) {
    const ct_camera_edges e = check_eye(L, 2)->orthographic;
    const bool is_symmetric = !(e.left < e.right);
    lua_pushnumber(L, is_symmetric ? (double)check_data(L)->orthographic_height
                                   : (double)(e.top - e.bottom));
    return 1;
}

static int set_orthographic_height(lua_State *L) {
    const float height = (float)ct_check_field_number(L, 2, schema(), "orthographic_height");
    const ct_script_camera c = ct_check_camera(L, 1);
    check_data(L)->orthographic_height = height;
    for (uint32_t i = 0; i < CT_CAMERA_NUM_EYES; ++i)
        ct_camera_eye_of(ct_world_cameras(c.world), c.instance, i)->orthographic =
            (ct_camera_edges){0};
    return 0;
}

// --- Edges and eyes ------------------------------------------------------------------------------

// True when two edges are apart in float, too.
static bool are_apart(double low, double high, double least) {
    const double greatest = fmax(fabs(low), fabs(high));
    return high - low >= fmax(least, 1e-6 * greatest);
}

// Arguments 2 to 5, none beyond `most`, opposite ones at least `least` apart: left, right, bottom
// and top. With `outwards` left and bottom count the other way.
static ct_camera_edges check_edges(lua_State *L, double most, double least, bool outwards) {
    double v[4];
    for (int i = 0; i < 4; ++i) {
        const double number = ct_check_number_in(L, i + 2, -most, most);
        v[i] = outwards && i % 2 == 0 ? -number : number;
    }
    for (int i = 0; i < 4; i += 2) {
        if (!are_apart(v[i], v[i + 1], least))
            ct_argument_error(L, i + 3, "expected more than the opposite edge at %g, got %g", v[i],
                              v[i + 1]);
    }
    return (ct_camera_edges){(float)v[0], (float)v[1], (float)v[2], (float)v[3]};
}

static int set_frustum(lua_State *L) {
    const float nearest = check_data(L)->near_range;
    ct_camera_eye *const eye = check_eye(L, 6);
    const ct_camera_edges e =
        check_edges(L, most_tangent * (double)nearest, least_width * (double)nearest, false);
    eye->perspective =
        (ct_camera_edges){e.left / nearest, e.right / nearest, e.bottom / nearest, e.top / nearest};
    return 0;
}

static int set_frustum_half_angles(lua_State *L) {
    ct_camera_eye *const eye = check_eye(L, 6);
    eye->perspective = check_edges(L, most_tangent, least_width, true);
    return 0;
}

static int set_orthographic_view(lua_State *L) {
    ct_camera_eye *const eye = check_eye(L, 6);
    eye->orthographic = check_edges(L, most_metres, least_width, false);
    return 0;
}

static int set_local(lua_State *L) {
    ct_camera_eye *const eye = check_eye(L, 3);
    ct_vec3 scale;
    ct_check_pose(L, 2, &eye->position, &eye->rotation, &scale);
    return 0;
}

static int mode(lua_State *L) {
    const ct_script_camera c = ct_check_camera(L, 1);
    lua_pushnumber(L, ct_camera_mode_of(ct_world_cameras(c.world), c.instance));
    return 1;
}

static int set_mode(lua_State *L) {
    const ct_script_camera c = ct_check_camera(L, 1);
    const int64_t m = ct_check_integer(L, 2, CT_CAMERA_MODE_MONO, CT_CAMERA_MODE_STEREO);
    ct_camera_set_mode(ct_world_cameras(c.world), c.instance, (ct_camera_mode)m);
    return 0;
}

// --- Data ----------------------------------------------------------------------------------------

// Puts the camera's place among its unit's in place of argument 1: the first index in the table of
// all of them, whose key is returned. `least` arguments are needed.
static uint64_t check_data_key(lua_State *L, int least) {
    uint32_t which;
    const ct_entity e = ct_check_component(L, 1, &ct_component_camera.type, &which);
    if (lua_gettop(L) < 2)
        ct_argument_type_error(L, 2, "string or integer");
    if (lua_gettop(L) < least)
        ct_function_error(L, "expected one or more indices and a value");
    lua_pushnumber(L, which + 1);
    lua_replace(L, 1);
    return ct_data_key_of_cameras(e);
}

static int get_data(lua_State *L) {
    return ct_script_get_data(L, check_data_key(L, 2), 1);
}

static int has_data(lua_State *L) {
    return ct_script_has_data(L, check_data_key(L, 2), 1);
}

static int set_data(lua_State *L) {
    return ct_script_set_data(L, check_data_key(L, 3), 1);
}

// --- Projection ----------------------------------------------------------------------------------

static int projection(lua_State *L) {
    const ct_script_camera c = ct_check_camera(L, 1);
    const float aspect = (float)ct_check_number_in(L, 2, 1e-3, 1e3);
    const ct_mat4 m = ct_camera_projection_of(ct_world_cameras(c.world), c.instance, 0, aspect);
    ct_push_matrix4x4(L, &m);
    return 1;
}

// The size of a picture: a Vector2 at `argument`, or the back buffer's.
static ct_vec2 check_size(lua_State *L, int argument) {
    uint32_t width, height;
    if (lua_isnoneornil(L, argument)) {
        ct_renderer_size(ct_world_system_renderer(ct_script_of(L)->worlds), &width, &height);
        return (ct_vec2){{(float)(width ? width : 1), (float)(height ? height : 1)}};
    }
    const ct_vec2 size = ct_check_vector2(L, argument);
    if (!(size.x >= 1 && size.y >= 1 && size.x <= MAX_PIXELS && size.y <= MAX_PIXELS))
        ct_argument_error(L, argument, "expected a picture size in pixels, got (%g, %g)",
                          (double)size.x, (double)size.y);
    return size;
}

// The size of the first eye's part, which begins at the left, of a picture of the size at
// `argument`.
static ct_vec2 check_picture(lua_State *L, int argument, ct_script_camera c) {
    ct_vec2 size = check_size(L, argument);
    if (ct_camera_mode_of(ct_world_cameras(c.world), c.instance) == CT_CAMERA_MODE_STEREO)
        size.x /= 2;
    return size;
}

static ct_render_view view_of(ct_script_camera c, ct_vec2 picture) {
    return ct_camera_view(ct_world_cameras(c.world), c.instance, 0, picture.x / picture.y);
}

static int inside_frustum(lua_State *L) {
    const ct_script_camera c = ct_check_camera(L, 1);
    const ct_vec3 point = ct_check_finite_vector3(L, 2);
    const ct_render_view view = view_of(c, check_picture(L, 3, c));
    const ct_mat4 to_clip = ct_mat4_mul(view.projection, ct_mat4_inverse(view.pose));
    const ct_frustum frustum = ct_frustum_from(&to_clip);
    float least = INFINITY;
    for (uint32_t i = 0; i < CT_COUNT_OF(frustum.planes); ++i) {
        const ct_vec4 plane = frustum.planes[i];
        const float distance =
            ct_vec3_dot(ct_vec3_make(plane.x, plane.y, plane.z), point) + plane.w;
        least = distance < least ? distance : least;
    }
    lua_pushnumber(L, (lua_Number)least);
    return 1;
}

static int world_to_screen(lua_State *L) {
    const ct_script_camera c = ct_check_camera(L, 1);
    const ct_vec3 point = ct_check_finite_vector3(L, 2);
    const ct_vec2 picture = check_picture(L, 4, c);
    const ct_render_view view = view_of(c, picture);
    const ct_vec3 seen = ct_mat4_transform_point(ct_mat4_inverse(view.pose), point);
    const ct_vec4 clip = glms_mat4_mulv(view.projection, (ct_vec4){{seen.x, seen.y, seen.z, 1}});
    const float w = fabsf(clip.w) < smallest_depth ? smallest_depth : clip.w;
    ct_push_vector3(
        L, ct_vec3_make((clip.x / w + 1) / 2 * picture.x, (clip.y / w + 1) / 2 * picture.y, 0));
    lua_pushnumber(L, (lua_Number)seen.y);
    return 2;
}

static int screen_to_world(lua_State *L) {
    const ct_script_camera c = ct_check_camera(L, 1);
    const ct_vec3 place = ct_check_finite_vector3(L, 2);
    const float depth = (float)ct_check_number_in(L, 3, -1e7, 1e7);
    const ct_vec2 picture = check_picture(L, 5, c);
    const ct_render_view view = view_of(c, picture);
    // The way back through the projection: from clip space to x and z at this depth.
    const ct_vec4 *const p = view.projection.col;
    const float w = p[1].w * depth + p[3].w;
    const float x = ((place.x / picture.x * 2 - 1) * w - p[1].x * depth - p[3].x) / p[0].x;
    const float z = ((place.y / picture.y * 2 - 1) * w - p[1].y * depth - p[3].y) / p[2].y;
    ct_push_vector3(L, ct_mat4_transform_point(view.pose, ct_vec3_make(x, depth, z)));
    return 1;
}

static int cut(lua_State *L) {
    const ct_script_camera c = ct_check_camera(L, 1);
    ct_camera_cut(ct_world_cameras(c.world), c.instance);
    return 0;
}

// --- How instances are reached
// ---------------------------------------------------------------------

static uint32_t first(const ct_world *w, ct_entity e) {
    return ct_camera_first(ct_world_cameras(w), e).index;
}

static uint32_t next(const ct_world *w, uint32_t instance) {
    return ct_camera_next(ct_world_cameras(w), (ct_camera_instance){instance}).index;
}

static uint32_t with_number(const ct_world *w, ct_entity e, uint32_t number) {
    return ct_camera_with_number(ct_world_cameras(w), e, number, CT_COMPONENT_HANDLE_BITS).index;
}

static uint32_t number_of(const ct_world *w, uint32_t instance) {
    return ct_camera_number(ct_world_cameras(w), (ct_camera_instance){instance});
}

static uint32_t name_of(const ct_world *w, uint32_t instance) {
    return ct_camera_data_of(ct_world_cameras(w), (ct_camera_instance){instance})->name.value;
}

static uint32_t node_of(const ct_world *w, uint32_t instance) {
    return ct_camera_node(ct_world_cameras(w), (ct_camera_instance){instance});
}

const ct_script_component ct_component_camera = {.type = {.name = "Camera"},
                                                 .noun = "camera",
                                                 .nouns = "cameras",
                                                 .first = first,
                                                 .next = next,
                                                 .with_number = with_number,
                                                 .number = number_of,
                                                 .name = name_of,
                                                 .node = node_of};

static const ct_lua_function functions[] = {
    {"cut", cut, "(self: Camera) -> nil",
     "Says that the camera jumps in this frame, so that effects that use the last picture start "
     "again. Another camera in a viewport needs no cut."},
    {"far_range", far_range, "(self: Camera) -> number",
     "Returns the distance to the far plane, in metres."},
    {"get_data", get_data, "(self: Camera, indices: any(integer,string)+) -> any",
     "Returns the value stored with the camera under these indices, or nil."},
    {"has_data", has_data, "(self: Camera, indices: any(integer,string)+) -> boolean",
     "Returns whether a value is stored with the camera under these indices."},
    {"inside_frustum", inside_frustum,
     "(self: Camera, w: Vector3, viewport_size: Vector2?) -> number",
     "Returns how far a point is inside the first eye's frustum, in metres; negative outside."},
    CT_COMPONENT_LOCAL_POSE_ROWS("Camera", "camera"),
    {"mode", mode, "(self: Camera) -> integer",
     "Returns how many pictures the camera makes: Camera.MONO or Camera.STEREO."},
    {"near_range", near_range, "(self: Camera) -> number",
     "Returns the distance to the near plane, in metres."},
    CT_COMPONENT_NODE_ROW("Camera", "camera"),
    {"orthographic_height", orthographic_height, "(self: Camera, index: number?) -> number",
     "Returns the height of an orthographic view of the first or second eye, in metres."},
    {"projection", projection, "(self: Camera, aspect_ratio: number) -> Matrix4x4",
     "Returns the projection matrix, from camera space to clip space, for a picture with this "
     "ratio of width to height."},
    {"projection_type", projection_type, "(self: Camera) -> integer",
     "Returns the projection type: Camera.PERSPECTIVE or Camera.ORTHOGRAPHIC."},
    {"screen_to_world", screen_to_world,
     "(self: Camera, p: Vector3, d: number, window: Window?, viewport_size: Vector2?) -> Vector3",
     "Returns the world position that the first eye sees at x, y pixels from the top left, `d` "
     "metres in front of it."},
    {"set_data", set_data,
     "(self: Camera, indices: any(integer,string), indices: any(integer,string), "
     "indices: any(integer,string), value: any) -> nil",
     "Stores a value with the camera under these indices, until the camera's unit is destroyed."},
    {"set_far_range", set_far_range, "(self: Camera, range: number) -> nil",
     "Sets the distance to the far plane, in metres; must be above the near range."},
    {"set_frustum", set_frustum,
     "(self: Camera, left: number, right: number, down: number, up: number, index: number?) -> nil",
     "Sets the edges of the first or second eye's perspective view, in metres at the current near "
     "range. They fill the picture, whatever its shape."},
    {"set_frustum_half_angles", set_frustum_half_angles,
     "(self: Camera, left_tan: number, right_tan: number, down_tan: number, up_tan: number, "
     "index: number?) -> nil",
     "Sets the edges of the first or second eye's perspective view, as tangents of the angles "
     "outwards from straight ahead."},
    {"set_local", set_local, "(self: Camera, m: Matrix4x4, index: number?) -> nil",
     "Sets the pose of the first or second eye in the camera's space; the scale is ignored."},
    CT_COMPONENT_SET_LOCAL_POSE_ROWS("Camera", "camera"),
    {"set_mode", set_mode, "(self: Camera, mode: integer) -> nil",
     "Sets whether the camera makes one picture (Camera.MONO) or one for each eye, side by side "
     "(Camera.STEREO)."},
    {"set_near_range", set_near_range, "(self: Camera, range: number) -> nil",
     "Sets the distance to the near plane, in metres; must be below the far range."},
    {"set_orthographic_height", set_orthographic_height, "(self: Camera, height: number) -> nil",
     "Sets the height of an orthographic view, in metres; the width follows from the picture's "
     "shape."},
    {"set_orthographic_view", set_orthographic_view,
     "(self: Camera, min_x: number, max_x: number, min_z: number, max_z: number, "
     "index: number?) -> nil",
     "Sets the edges of the first or second eye's orthographic view, in metres. They fill the "
     "picture, whatever its shape."},
    {"set_projection_type", set_projection_type, "(self: Camera, projection_type: integer) -> nil",
     "Sets the projection type: Camera.PERSPECTIVE or Camera.ORTHOGRAPHIC."},
    {"set_vertical_fov", set_vertical_fov, "(self: Camera, fov: number, index: number?) -> nil",
     "Sets the vertical field of view of the first or second eye's perspective view, in radians; "
     "the width follows from the picture's shape."},
    {"vertical_fov", vertical_fov, "(self: Camera, index: number?) -> number",
     "Returns the vertical field of view of the first or second eye's perspective view, in "
     "radians."},
    CT_COMPONENT_WORLD_POSE_ROWS("Camera", "camera"),
    {"world_to_screen", world_to_screen,
     "(self: Camera, w: Vector3, window: Window?, viewport_size: Vector2?) -> Vector3, number",
     "Returns where the first eye sees a point, as x, y pixels from the top left, and how far the "
     "point is in front of the eye, in metres."},
};

static const ct_lua_constant constants[] = {
    {"MONO", CT_CAMERA_MODE_MONO, "The camera makes one picture."},
    {"ORTHOGRAPHIC", CT_CAMERA_PROJECTION_ORTHOGRAPHIC,
     "Things look the same size at any distance."},
    {"PERSPECTIVE", CT_CAMERA_PROJECTION_PERSPECTIVE, "Things look smaller farther away."},
    {"STEREO", CT_CAMERA_MODE_STEREO, "The camera makes a picture for each eye, side by side."},
};

const ct_lua_module ct_api_camera = {
    .component = &ct_component_camera.type,
    .name = "Camera",
    .doc = "A camera, which views a world. It looks along its unit's forward (y), with z up. Get "
           "one with Unit.camera.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
    .constants = constants,
    .num_constants = CT_COUNT_OF(constants),
};
