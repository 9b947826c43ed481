#include "script/api_pose.h"

extern const ct_script_module ct_api_camera;

static ct_camera_data *check_data(lua_State *L) {
    const ct_script_camera c = ct_check_camera(L, 1);
    return ct_camera_data_of(ct_world_cameras(c.world), c.instance);
}

static const ct_schema *schema(void) {
    return ct_component_type_named("camera")->schema;
}

static ct_script_pose check_pose(lua_State *L) {
    const ct_script_camera c = ct_check_camera(L, 1);
    return ct_check_transform(L, 1, c.world, c.entity);
}

// --- What it sees with --------------------------------------------------------------------------

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

// --- Projection ---------------------------------------------------------------------------------

static int projection(lua_State *L) {
    const ct_script_camera c = ct_check_camera(L, 1);
    const float aspect = (float)ct_check_number_in(L, 2, 1e-3, 1e3);
    const ct_mat4 m = ct_camera_projection_of(ct_world_cameras(c.world), c.instance, aspect);
    ct_push_matrix4x4(L, &m);
    return 1;
}

// From world space to clip space for the whole back buffer, whose size is set.
static ct_mat4 view_projection(lua_State *L, float *width, float *height) {
    const ct_script_camera c = ct_check_camera(L, 1);
    ct_check_transform(L, 1, c.world, c.entity);
    uint32_t pixels_wide, pixels_high;
    ct_renderer_size(ct_world_system_renderer(ct_script_of(L)->worlds), &pixels_wide, &pixels_high);
    *width = pixels_wide != 0 ? (float)pixels_wide : 1.0f;
    *height = pixels_high != 0 ? (float)pixels_high : 1.0f;
    const ct_render_view view =
        ct_camera_view(ct_world_cameras(c.world), c.instance, *width / *height);
    return ct_mat4_mul(view.projection, ct_mat4_inverse(view.pose));
}

static int world_to_screen(lua_State *L) {
    const ct_vec3 p = ct_check_finite_vector3(L, 2);
    float width, height;
    const ct_mat4 m = view_projection(L, &width, &height);
    const ct_vec4 clip = glms_mat4_mulv(m, (ct_vec4){{p.x, p.y, p.z, 1}});
    const float w = clip.w != 0 ? clip.w : 1e-9f;
    ct_push_vector3(L, ct_vec3_make((clip.x / w * 0.5f + 0.5f) * width,
                                    (clip.y / w * 0.5f + 0.5f) * height, 0));
    lua_pushnumber(L, (double)clip.w);
    return 2;
}

// The point `d` metres before the camera's plane that shows at pixel p.
static int screen_to_world(lua_State *L) {
    const ct_vec3 p = ct_check_finite_vector3(L, 2);
    const float distance = (float)ct_check_number_in(L, 3, 0, 1e9);
    float width, height;
    const ct_mat4 inverse = ct_mat4_inverse(view_projection(L, &width, &height));
    const float x = p.x / width * 2 - 1, y = p.y / height * 2 - 1;
    const ct_vec4 a = glms_mat4_mulv(inverse, (ct_vec4){{x, y, 0, 1}});
    const ct_vec4 b = glms_mat4_mulv(inverse, (ct_vec4){{x, y, 1, 1}});
    const ct_vec3 near_point = ct_vec3_make(a.x / a.w, a.y / a.w, a.z / a.w);
    const ct_vec3 far_point = ct_vec3_make(b.x / b.w, b.y / b.w, b.z / b.w);
    const ct_camera_data *const data = check_data(L);
    const float along = (distance - data->near_range) / (data->far_range - data->near_range);
    ct_push_vector3(L, ct_vec3_lerp(near_point, far_point, along));
    return 1;
}

static int inside_frustum(lua_State *L) {
    const ct_vec3 p = ct_check_finite_vector3(L, 2);
    float width, height;
    const ct_mat4 m = view_projection(L, &width, &height);
    const ct_frustum frustum = ct_frustum_from(&m);
    const ct_aabb point = {p, p};
    lua_pushboolean(L, ct_frustum_intersects_aabb(&frustum, point));
    return 1;
}

// --- Poses --------------------------------------------------------------------------------------

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
    ct_check_camera(L, 1);
    lua_pushnumber(L, 1);
    return 1;
}

static const ct_script_function functions[] = {
    {"far_range", far_range, "(self: Camera) -> number", "How far it sees, in metres."},
    {"inside_frustum", inside_frustum, "(self: Camera, w: Vector3) -> boolean",
     "True when it sees a point of the world, hidden or not."},
    {"local_pose", local_pose, "(self: Camera) -> Matrix4x4", "Its pose in the parent's space."},
    {"local_position", local_position, "(self: Camera) -> Vector3",
     "Its position in the parent's space, in metres."},
    {"local_rotation", local_rotation, "(self: Camera) -> Quaternion",
     "Its rotation in the parent's space."},
    {"near_range", near_range, "(self: Camera) -> number",
     "From which distance it sees, in metres."},
    {"node", node, "(self: Camera) -> integer", "The node it stands at."},
    {"orthographic_height", orthographic_height, "(self: Camera) -> number",
     "The height of what an orthographic camera sees, in metres."},
    {"projection", projection, "(self: Camera, aspect_ratio: number) -> Matrix4x4",
     "From camera space to clip space for a picture of this width divided by its height."},
    {"projection_type", projection_type, "(self: Camera) -> string",
     "How it projects: \"perspective\" or \"orthographic\"."},
    {"screen_to_world", screen_to_world, "(self: Camera, p: Vector3, d: number) -> Vector3",
     "The point of the world that shows at a pixel, at this depth in metres."},
    {"set_far_range", set_far_range, "(self: Camera, range: number) -> nil",
     "Sets how far it sees, in metres."},
    {"set_local_pose", set_local_pose, "(self: Camera, pose: Matrix4x4) -> nil",
     "Sets its pose in the parent's space."},
    {"set_local_position", set_local_position, "(self: Camera, position: Vector3) -> nil",
     "Sets its position in the parent's space, in metres."},
    {"set_local_rotation", set_local_rotation, "(self: Camera, rotation: Quaternion) -> nil",
     "Sets its rotation in the parent's space."},
    {"set_near_range", set_near_range, "(self: Camera, range: number) -> nil",
     "Sets from which distance it sees, in metres."},
    {"set_orthographic_height", set_orthographic_height, "(self: Camera, height: number) -> nil",
     "Sets the height of what an orthographic camera sees, in metres."},
    {"set_projection_type", set_projection_type, "(self: Camera, projection_type: string) -> nil",
     "Sets how it projects: \"perspective\" or \"orthographic\"."},
    {"set_vertical_fov", set_vertical_fov, "(self: Camera, fov: number) -> nil",
     "Sets the vertical angle it sees, in radians."},
    {"vertical_fov", vertical_fov, "(self: Camera) -> number",
     "The vertical angle it sees, in radians."},
    {"world_pose", world_pose, "(self: Camera) -> Matrix4x4", "Its pose in the world."},
    {"world_position", world_position, "(self: Camera) -> Vector3",
     "Its position in the world, in metres."},
    {"world_rotation", world_rotation, "(self: Camera) -> Quaternion",
     "Its rotation in the world."},
    {"world_to_screen", world_to_screen, "(self: Camera, w: Vector3) -> Vector3, number",
     "The pixel at which a point of the world shows, and its depth in metres."},
};

const ct_script_module ct_api_camera = {
    .name = "Camera",
    .doc = "What a world is seen through; had from a unit. It looks along its forward (y) axis.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
};
