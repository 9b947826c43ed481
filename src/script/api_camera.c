#include "script/api_pose.h"

extern const ct_script_module ct_api_camera;

enum { MAX_PIXELS = 65536 };

static const float smallest_depth = 1e-6f; // stands for the depth of points beside the camera

static ct_camera_data *check_data(lua_State *L) {
    const ct_script_camera c = ct_check_camera(L, 1);
    return ct_camera_data_of(ct_world_cameras(c.world), c.instance);
}

static const ct_schema *schema(void) {
    return ct_component_type_named("camera")->schema;
}

static ct_script_pose check_pose(lua_State *L) {
    const ct_script_camera c = ct_check_camera(L, 1);
    const uint32_t node = ct_camera_node(ct_world_cameras(c.world), c.instance);
    return ct_check_node_pose(L, 1, c.world, c.entity, node);
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
    lua_pushnumber(L, (double)check_data(L)->vertical_fov);
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
    ct_camera_data *const data = check_data(L);
    data->vertical_fov = (float)ct_check_field_number(L, 2, schema(), "vertical_fov");
    return 0;
}

static const char *const projection_names[] = {"perspective", "orthographic", NULL};

static int projection_type(lua_State *L) {
    lua_pushstring(L, projection_names[check_data(L)->projection]);
    return 1;
}

static int set_projection_type(lua_State *L) {
    ct_camera_data *const data = check_data(L);
    data->projection = ct_check_name_of(L, 2, projection_names);
    return 0;
}

static int orthographic_height(lua_State *L) {
    lua_pushnumber(L, (double)check_data(L)->orthographic_height);
    return 1;
}

static int set_orthographic_height(lua_State *L) {
    ct_camera_data *const data = check_data(L);
    data->orthographic_height = (float)ct_check_field_number(L, 2, schema(), "orthographic_height");
    return 0;
}

// --- Projection ----------------------------------------------------------------------------------

static int projection(lua_State *L) {
    const ct_script_camera c = ct_check_camera(L, 1);
    const float aspect = (float)ct_check_number_in(L, 2, 1e-3, 1e3);
    const ct_mat4 m = ct_camera_projection_of(ct_world_cameras(c.world), c.instance, aspect);
    ct_push_matrix4x4(L, &m);
    return 1;
}

// The size of the picture: a Vector2 at `argument`, or the back buffer's.
static ct_vec2 check_picture(lua_State *L, int argument) {
    uint32_t width, height;
    if (lua_isnoneornil(L, argument)) {
        ct_renderer_size(ct_world_system_renderer(ct_script_of(L)->worlds), &width, &height);
        return (ct_vec2){{(float)(width ? width : 1), (float)(height ? height : 1)}};
    }
    const ct_vec2 size = ct_check_vector2(L, argument);
    if (!(size.x >= 1 && size.y >= 1 && size.x <= MAX_PIXELS && size.y <= MAX_PIXELS))
        ct_argument_error(L, argument, "expected a size in pixels, got (%g, %g)", (double)size.x,
                          (double)size.y);
    return size;
}

static ct_render_view view_of(ct_script_camera c, ct_vec2 picture) {
    return ct_camera_view(ct_world_cameras(c.world), c.instance, picture.x / picture.y);
}

static int inside_frustum(lua_State *L) {
    const ct_script_camera c = ct_check_camera(L, 1);
    const ct_vec3 point = ct_check_finite_vector3(L, 2);
    const ct_render_view view = view_of(c, check_picture(L, 3));
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
    const ct_vec2 picture = check_picture(L, 4);
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
    const ct_vec2 picture = check_picture(L, 5);
    const ct_render_view view = view_of(c, picture);
    // In perspective the picture grows with the depth.
    const bool is_perspective = check_data(L)->projection == CT_CAMERA_PROJECTION_PERSPECTIVE;
    const float size = is_perspective ? depth : 1;
    const float x = (place.x / picture.x * 2 - 1) * size / view.projection.col[0].x;
    const float z = (place.y / picture.y * 2 - 1) * size / view.projection.col[2].y;
    ct_push_vector3(L, ct_mat4_transform_point(view.pose, ct_vec3_make(x, depth, z)));
    return 1;
}

// --- Poses ---------------------------------------------------------------------------------------

static int local_pose(lua_State *L) {
    return ct_push_local_pose(L, check_pose(L));
}

static int local_position(lua_State *L) {
    return ct_push_local_position(L, check_pose(L));
}

static int local_rotation(lua_State *L) {
    return ct_push_local_rotation(L, check_pose(L));
}

static int set_local_pose(lua_State *L) {
    return ct_take_local_pose(L, check_pose(L), 2);
}

static int set_local_position(lua_State *L) {
    return ct_take_local_position(L, check_pose(L), 2);
}

static int set_local_rotation(lua_State *L) {
    return ct_take_local_rotation(L, check_pose(L), 2);
}

static int world_pose(lua_State *L) {
    return ct_push_world_pose(L, check_pose(L));
}

static int world_position(lua_State *L) {
    return ct_push_world_position(L, check_pose(L));
}

static int world_rotation(lua_State *L) {
    return ct_push_world_rotation(L, check_pose(L));
}

static int node(lua_State *L) {
    const ct_script_camera c = ct_check_camera(L, 1);
    lua_pushnumber(L, ct_camera_node(ct_world_cameras(c.world), c.instance) + 1);
    return 1;
}

static const ct_script_function functions[] = {
    {"far_range", far_range, "(self: Camera) -> number", "The farthest distance seen, in metres."},
    {"inside_frustum", inside_frustum,
     "(self: Camera, w: Vector3, viewport_size: Vector2?) -> number",
     "How far inside what the camera sees a point lies, in metres; negative outside."},
    {"local_pose", local_pose, "(self: Camera) -> Matrix4x4",
     "The pose of the camera's node in its parent's space."},
    {"local_position", local_position, "(self: Camera) -> Vector3",
     "The position of the camera's node in its parent's space, in metres."},
    {"local_rotation", local_rotation, "(self: Camera) -> Quaternion",
     "The rotation of the camera's node in its parent's space."},
    {"near_range", near_range, "(self: Camera) -> number", "The nearest distance seen, in metres."},
    {"node", node, "(self: Camera) -> integer",
     "The node of the unit that the camera is on; 1 is the unit itself."},
    {"orthographic_height", orthographic_height, "(self: Camera) -> number",
     "What an orthographic picture shows from bottom to top, in metres."},
    {"projection", projection, "(self: Camera, aspect_ratio: number) -> Matrix4x4",
     "The matrix from camera space to clip space for a picture of this width by height."},
    {"projection_type", projection_type, "(self: Camera) -> string",
     "How space becomes a picture: \"perspective\" or \"orthographic\"."},
    {"screen_to_world", screen_to_world,
     "(self: Camera, p: Vector3, d: number, window: Window?, viewport_size: Vector2?) -> Vector3",
     "The point seen at x, y pixels from the top left, d metres in front of the camera."},
    {"set_far_range", set_far_range, "(self: Camera, range: number) -> nil",
     "Sets the farthest distance seen, in metres; above the near range."},
    {"set_local_pose", set_local_pose, "(self: Camera, pose: Matrix4x4) -> nil",
     "Sets the pose of the camera's node in its parent's space."},
    {"set_local_position", set_local_position, "(self: Camera, position: Vector3) -> nil",
     "Sets the position of the camera's node in its parent's space, in metres."},
    {"set_local_rotation", set_local_rotation, "(self: Camera, rotation: Quaternion) -> nil",
     "Sets the rotation of the camera's node in its parent's space."},
    {"set_near_range", set_near_range, "(self: Camera, range: number) -> nil",
     "Sets the nearest distance seen, in metres; below the far range."},
    {"set_orthographic_height", set_orthographic_height, "(self: Camera, height: number) -> nil",
     "Sets what an orthographic picture shows from bottom to top, in metres."},
    {"set_projection_type", set_projection_type, "(self: Camera, projection_type: string) -> nil",
     "Sets how space becomes a picture: \"perspective\" or \"orthographic\"."},
    {"set_vertical_fov", set_vertical_fov, "(self: Camera, fov: number) -> nil",
     "Sets the angle from the bottom to the top of a perspective picture, in radians."},
    {"vertical_fov", vertical_fov, "(self: Camera) -> number",
     "The angle from the bottom to the top of a perspective picture, in radians."},
    {"world_pose", world_pose, "(self: Camera) -> Matrix4x4", "The camera's pose in the world."},
    {"world_position", world_position, "(self: Camera) -> Vector3",
     "The camera's position in the world, in metres."},
    {"world_rotation", world_rotation, "(self: Camera) -> Quaternion",
     "The camera's rotation in the world."},
    {"world_to_screen", world_to_screen,
     "(self: Camera, w: Vector3, window: Window?, viewport_size: Vector2?) -> Vector3, number",
     "Where a point is seen, x, y pixels from the top left, and how far in front, in metres."},
};

const ct_script_module ct_api_camera = {
    .name = "Camera",
    .doc = "What a world is seen through; looks along its unit's forward (y), up is z.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
};
