// Camera, Light and Mesh.
#include "script/api_fixture.h"

static int set_up_handles(void **state) {
    set_up(state);
    run_lua(&f, "Cam = Unit.camera(C, 1) Sun = Unit.light(C, 1) "
                "MC = EntityManager.mesh_component(W) "
                "MeshComponent.create_with_mesh(MC, L, 'lid', 'meshes/crate') "
                "M = Unit.mesh(L, 'lid')");
    return 0;
}

#define HANDLE_TEST(test) cmocka_unit_test_setup_teardown(test, set_up_handles, tear_down)

static void all_give_and_take_their_units_pose(void **state) {
    (void)state;
    static const char *const modules[][3] = {
        {"Camera", "Cam", "C"}, {"Light", "Sun", "C"}, {"Mesh", "M", "L"}};
    for (uint32_t i = 0; i < CT_COUNT_OF(modules); ++i) {
        char lua[512];
        snprintf(lua, sizeof(lua),
                 "T, H, U = %s, %s, %s T.set_local_position(H, Vector3(1, 0, 2)) "
                 "T.set_local_rotation(H, Quaternion.from_elements(0, 0, 1, 0))",
                 modules[i][0], modules[i][1], modules[i][2]);
        run_lua(&f, lua);
        assert_lua(&f, "parts(T.local_position(H))", "1\t0\t2");
        assert_lua(&f, "parts(Unit.local_position(U, 1))", "1\t0\t2");
        assert_lua(&f, "parts(T.local_rotation(H))", "0\t0\t1\t0");
        run_lua(&f, "T.set_local_pose(H, Matrix4x4.from_translation(Vector3(3, 0, 0)))");
        assert_lua(&f, "parts(Matrix4x4.translation(T.local_pose(H)))", "3\t0\t0");
        assert_lua(&f, "T.node(H)", "1");
        assert_lua_error(&f, "T.set_local_position(H, Vector3(0/0, 0, 0))",
                         "argument 2 (position): expected a finite Vector3");
        assert_lua_error(&f, "T.world_pose(C)", "argument 1 (self): expected ");
    }
    assert_lua(&f, "parts(Mesh.world_position(M))", "6\t0\t0"); // C is at 3, 0, 0
    assert_lua(&f, "parts(Matrix4x4.translation(Camera.world_pose(Cam)))", "3\t0\t0");
    assert_lua(&f, "parts(Light.world_rotation(Sun))", "0\t0\t0\t1");
}

static void all_are_refused_when_their_unit_is_dead(void **state) {
    (void)state;
    run_lua(&f, "World.destroy_unit(W, C)");
    assert_lua_error(
        &f, "Camera.near_range(Cam)",
        "Camera.near_range: argument 1 (self): expected Camera, got a destroyed Camera");
    assert_lua_error(&f, "Light.color(Sun)",
                     "Light.color: argument 1 (self): expected Light, got a destroyed Light");
    assert_lua_error(&f, "Mesh.visibility(M)",
                     "Mesh.visibility: argument 1 (self): expected Mesh, got a destroyed Mesh");
}

static void refuses_meshes_that_were_destroyed(void **state) {
    (void)state;
    run_lua(&f, "MeshComponent.destroy_all(MC, L)");
    assert_lua_error(&f, "Mesh.visibility(M)",
                     "Mesh.visibility: argument 1 (self): expected Mesh, got a destroyed Mesh");
}

// --- Camera --------------------------------------------------------------------------------------

static void sets_what_a_camera_sees(void **state) {
    (void)state;
    run_lua(&f, "Camera.set_near_range(Cam, 0.5) Camera.set_far_range(Cam, 200) "
                "Camera.set_vertical_fov(Cam, 1.5) Camera.set_orthographic_height(Cam, 20)");
    assert_lua(&f, "Camera.near_range(Cam), Camera.far_range(Cam)", "0.5\t200");
    assert_lua(&f, "Camera.vertical_fov(Cam), Camera.orthographic_height(Cam)", "1.5\t20");
    assert_lua_error(&f, "Camera.set_near_range(Cam, 200)",
                     "Camera.set_near_range: argument 2 (range): expected less than the far range");
    assert_lua_error(&f, "Camera.set_far_range(Cam, 0.5)",
                     "Camera.set_far_range: argument 2 (range): expected more than the near range");
    assert_lua_error(&f, "Camera.set_vertical_fov(Cam, 4)", "expected a number from 0.01 to 3.1");
    assert_lua_error(&f, "Camera.set_vertical_fov(Cam, 0/0)", "expected a finite number");
    assert_lua_error(&f, "Camera.set_near_range(Cam, 0)", "argument 2 (range)");
}

static void chooses_how_a_camera_projects(void **state) {
    (void)state;
    assert_lua(&f, "Camera.projection_type(Cam) == Camera.PERSPECTIVE", "true");
    run_lua(&f, "Camera.set_projection_type(Cam, Camera.ORTHOGRAPHIC)");
    assert_lua(&f, "Camera.projection_type(Cam) == Camera.ORTHOGRAPHIC", "true");
    assert_lua_error(&f, "Camera.set_projection_type(Cam, 2)",
                     "argument 2 (projection_type): expected an integer from 0 to 1, got 2");
    assert_lua(&f, "Script.type_name(Camera.projection(Cam, 1.5))", "Matrix4x4");
    assert_lua_error(&f, "Camera.projection(Cam, 0)", "argument 2 (aspect_ratio)");
}

// The camera stands at 0, 0, 0 and looks along y; the picture is 640 x 480.
static void finds_points_on_the_screen(void **state) {
    (void)state;
    run_lua(&f, "Unit.set_local_position(C, 1, Vector3(0, 0, 0)) "
                "Camera.set_vertical_fov(Cam, 1.5707963267948966)");
    assert_lua(&f,
               "local p, d = Camera.world_to_screen(Cam, Vector3(0, 10, 0)) "
               "return p.x, p.y, d",
               "320\t240\t10");
    // At 10 metres, 480 pixels show 20 metres; z is up and pixels count down.
    assert_lua(&f,
               "local p = Camera.world_to_screen(Cam, Vector3(5, 10, 5)) "
               "return math.floor(p.x + 0.5), math.floor(p.y + 0.5)",
               "440\t120");
    assert_lua(&f,
               "local p = Camera.screen_to_world(Cam, Vector3(440, 120, 0), 10) "
               "return math.floor(p.x * 100 + 0.5), p.y, math.floor(p.z * 100 + 0.5)",
               "500\t10\t500");
    assert_lua(&f,
               "local p = Camera.world_to_screen(Cam, Vector3(0, 10, 0), nil, Vector2(100, 50)) "
               "return p.x, p.y",
               "50\t25");
    run_lua(&f, "Camera.set_projection_type(Cam, Camera.ORTHOGRAPHIC) "
                "Camera.set_orthographic_height(Cam, 48)");
    assert_lua(&f,
               "local p = Camera.world_to_screen(Cam, Vector3(10, 3, 10)) "
               "return math.floor(p.x + 0.5), math.floor(p.y + 0.5)",
               "420\t140");
    assert_lua(&f,
               "local p = Camera.screen_to_world(Cam, Vector3(420, 140, 0), 3) "
               "return math.floor(p.x * 10 + 0.5), p.y, math.floor(p.z * 10 + 0.5)",
               "100\t3\t100");
    assert_lua_error(&f, "Camera.world_to_screen(Cam, Vector3(0, 0/0, 0))", "argument 2 (w)");
    assert_lua_error(&f, "Camera.world_to_screen(Cam, Vector3(0, 1, 0), nil, Vector2(0, 1))",
                     "argument 4 (viewport_size): expected a picture size in pixels");
}

// Where a point is seen, and that the way back leads to it.
#define SEES                                                                                       \
    "function sees(x, y, z) "                                                                      \
    "local p, d = Camera.world_to_screen(Cam, Vector3(x, y, z)) "                                  \
    "local back = Camera.screen_to_world(Cam, p, d) "                                              \
    "assert(Vector3.distance(back, Vector3(x, y, z)) < 1e-3 * (1 + y)) "                           \
    "return math.floor(p.x + 0.5), math.floor(p.y + 0.5) end "

// The picture is 640 x 480; 2 metres in front it shows from -1 to 3 and from -0.5 to 2.
static void sees_between_edges_in_perspective(void **state) {
    (void)state;
    run_lua(&f, SEES "Unit.set_local_position(C, 1, Vector3(0, 0, 0)) "
                     "Camera.set_near_range(Cam, 0.5) "
                     "Camera.set_frustum_half_angles(Cam, 0.5, 1.5, 0.25, 1)");
    assert_lua(&f, "sees(-1, 2, 2)", "0\t0");
    assert_lua(&f, "sees(3, 2, -0.5)", "640\t480");
    assert_lua(&f, "sees(5, 10, 5)", "320\t192");
    assert_lua(&f, "math.abs(Camera.vertical_fov(Cam) - math.atan(1) - math.atan(0.25)) < 1e-6",
               "true");
    run_lua(&f, "Camera.set_frustum(Cam, -0.5, 0, 0, 0.25) Camera.set_near_range(Cam, 0.25)");
    assert_lua(&f, "sees(-2, 2, 1)", "0\t0"); // as it was when it was set
    assert_lua(&f, "sees(0, 2, 0)", "640\t480");
    assert_lua(&f, "Camera.inside_frustum(Cam, Vector3(-1, 2, 0.5)) > 0", "true");
    assert_lua(&f, "Camera.inside_frustum(Cam, Vector3(1, 2, 0.5)) < 0", "true");
    run_lua(&f, "Camera.set_vertical_fov(Cam, 1.5)");
    assert_lua(&f, "sees(0, 2, 0)", "320\t240");
}

static void sees_between_edges_in_orthographic_projection(void **state) {
    (void)state;
    run_lua(&f, SEES "Unit.set_local_position(C, 1, Vector3(0, 0, 0)) "
                     "Camera.set_projection_type(Cam, Camera.ORTHOGRAPHIC) "
                     "Camera.set_orthographic_view(Cam, -10, 30, 5, 10)");
    assert_lua(&f, "sees(-10, 2, 10)", "0\t0");
    assert_lua(&f, "sees(30, 50, 5)", "640\t480");
    assert_lua(&f, "sees(10, 3, 7.5)", "320\t240");
    assert_lua(&f, "Camera.orthographic_height(Cam)", "5");
    run_lua(&f, "Camera.set_orthographic_height(Cam, 48)");
    assert_lua(&f, "sees(0, 3, 24)", "320\t0");
}

static void refuses_edges_that_enclose_nothing(void **state) {
    (void)state;
    assert_lua_error(&f, "Camera.set_frustum(Cam, 1, 1, 0, 1)",
                     "Camera.set_frustum: argument 3 (right): expected more than the opposite edge "
                     "at 1, got 1");
    assert_lua_error(&f, "Camera.set_frustum_half_angles(Cam, 1, 1, 1, -1)",
                     "argument 5 (up_tan): expected more than the opposite edge at -1, got -1");
    assert_lua_error(&f, "Camera.set_frustum_half_angles(Cam, 1, 1e4, 1, 1)",
                     "argument 3 (right_tan): expected a number from -1000 to 1000");
    assert_lua_error(&f, "Camera.set_orthographic_view(Cam, -1, 1, 0/0, 1)", "argument 4 (min_z)");
    assert_lua_error(&f, "Camera.set_orthographic_view(Cam, 9999999, 9999999.4, 0, 1)",
                     "argument 3 (max_x)");
    assert_lua_error(&f, "Camera.set_frustum(Cam, -1, 1, -1, 1, 3)",
                     "argument 6 (index): expected an integer from 1 to 2, got 3");
}

static void sees_with_two_eyes(void **state) {
    (void)state;
    run_lua(&f, SEES "Unit.set_local_position(C, 1, Vector3(0, 0, 0)) "
                     "Camera.set_vertical_fov(Cam, 1.5707963267948966) "
                     "Camera.set_local(Cam, Matrix4x4.from_translation(Vector3(-1, 0, 0))) "
                     "Camera.set_vertical_fov(Cam, 1, 2)");
    assert_lua(&f, "Camera.mode(Cam) == Camera.MONO", "true");
    assert_lua(&f,
               "math.abs(Camera.vertical_fov(Cam) - math.pi / 2) < 1e-6, "
               "Camera.vertical_fov(Cam, 2)",
               "true\t1");
    assert_lua(&f, "sees(-1, 5, 0)", "320\t240");
    run_lua(&f, "Camera.set_mode(Cam, Camera.STEREO)");
    assert_lua(&f, "Camera.mode(Cam) == Camera.STEREO", "true");
    assert_lua(&f, "sees(-1, 5, 0)", "160\t240"); // the first eye has the left half
    assert_lua_error(&f, "Camera.set_mode(Cam, 2)",
                     "argument 2 (mode): expected an integer from 0");
    assert_lua_error(&f, "Camera.set_local(Cam, Matrix4x4.identity(), 0)", "argument 3 (index)");
    run_lua(&f, "Camera.cut(Cam)");
    assert_lua_error(&f, "Camera.cut(C)", "argument 1 (self): expected Camera");
}

static void keeps_data_with_each_camera(void **state) {
    (void)state;
    run_lua(&f, "Unit.set_data(C, 'speed', 1) Camera.set_data(Cam, 'speed', 2) "
                "Camera.set_data(Cam, 'limits', 1, 'most') ");
    assert_lua(&f, "Unit.get_data(C, 'speed'), Camera.get_data(Cam, 'speed')", "1\t2");
    assert_lua(&f, "Camera.get_data(Cam, 'limits', 1), Camera.get_data(Cam, 'limits', 2)",
               "most\tnil");
    assert_lua(&f, "Camera.has_data(Cam, 'limits'), Camera.has_data(Cam, 'height')", "true\tfalse");
    assert_lua_error(&f, "Camera.get_data(Cam)",
                     "Camera.get_data: argument 2 (indices): expected string or integer");
    assert_lua_error(&f, "Camera.set_data(Cam, 'a')", "expected one or more indices and a value");
    assert_lua_error(&f, "Camera.get_data(C, 'a')", "argument 1 (self): expected Camera");
    run_lua(&f, "World.destroy_unit(W, C)");
    assert_lua_error(&f, "Camera.get_data(Cam, 'speed')", "got a destroyed Camera");
}

// Also where nothing is kept with units.
static void gives_up_data_of_cameras_that_ended(void **state) {
    (void)state;
    run_lua(&f, "kept = setmetatable({{}}, {__mode = 'v'}) Camera.set_data(Cam, 'it', kept[1]) "
                "collectgarbage() assert(kept[1]) World.destroy_unit(W, C) "
                "World.set_data(W, 'other', 1) collectgarbage() assert(not kept[1])");
}

static void tells_how_far_inside_a_point_lies(void **state) {
    (void)state;
    run_lua(&f, "Unit.set_local_position(C, 1, Vector3(0, 0, 0)) Camera.set_near_range(Cam, 1)");
    assert_lua(&f, "Camera.inside_frustum(Cam, Vector3(0, 10, 0)) > 0", "true");
    assert_lua(&f, "math.abs(Camera.inside_frustum(Cam, Vector3(0, -2, 0)) + 3) < 1e-3", "true");
}

// --- Light ---------------------------------------------------------------------------------------

static void sets_how_a_light_shines(void **state) {
    (void)state;
    run_lua(&f, "Light.set_color(Sun, Vector3(1, 0.5, 0)) Light.set_intensity(Sun, 4) "
                "Light.set_falloff_end(Sun, 12) Light.set_type(Sun, 'point') "
                "Light.set_enabled(Sun, false) Light.set_casts_shadows(Sun, true) "
                "World.update(W, 0.1)");
    assert_lua(&f, "parts(Light.color(Sun))", "1\t0.5\t0");
    assert_lua(&f, "Light.intensity(Sun), Light.falloff_end(Sun), Light.type(Sun)", "4\t12\tpoint");
    assert_lua(&f, "Light.enabled(Sun), Light.casts_shadows(Sun)", "false\ttrue");
    run_lua(&f, "Light.set_falloff_start(Sun, 3) Light.set_spot_angle_start(Sun, 0.25) "
                "Light.set_spot_angle_end(Sun, 0.5) Light.set_shadow_depth_bias(Sun, 0.125)");
    assert_lua(&f, "Light.falloff_start(Sun), Light.spot_angle_start(Sun)", "3\t0.25");
    assert_lua(&f, "Light.spot_angle_end(Sun), Light.shadow_depth_bias(Sun)", "0.5\t0.125");
    assert_true(recorded()->lights[1].data.intensity == 4);
    assert_true(recorded()->lights[1].data.color[1] == 0.5f);
    assert_int_equal(recorded()->lights[1].data.type, CT_LIGHT_TYPE_POINT);
    assert_int_equal(recorded()->lights[1].data.is_enabled, 0);
}

static void copies_how_a_light_shines(void **state) {
    (void)state;
    run_lua(&f, "Other = World.spawn_unit(W, 'units/crate') To = Unit.light(Other, 1) "
                "Light.set_intensity(Sun, 7) Light.set_type(Sun, 'spot') "
                "Light.set_data(Other, Sun, To)");
    assert_lua(&f, "Light.intensity(To), Light.type(To)", "7\tspot");
    assert_lua_error(&f, "Light.set_data(C, Sun, To)",
                     "Light.set_data: argument 3 (dst): expected a Light of the unit");
}

static void refuses_lights_that_cannot_be(void **state) {
    (void)state;
    assert_lua_error(
        &f, "Light.set_type(Sun, 'laser')",
        "Light.set_type: argument 2 (type): expected \"directional\" or \"point\" or \"spot\", "
        "got \"laser\"");
    assert_lua_error(&f, "Light.set_intensity(Sun, -1)",
                     "Light.set_intensity: argument 2 (intensity): expected a number from 0 to");
    assert_lua_error(&f, "Light.set_color(Sun, Vector3(-1, 0, 0))",
                     "Light.set_color: argument 2 (color)");
    assert_lua_error(&f, "Light.set_enabled(Sun, 1)", "expected boolean, got number");
    assert_lua_error(&f, "Light.color(Cam)", "expected Light, got Camera");
}

// --- Mesh ----------------------------------------------------------------------------------------

static void gives_the_box_of_a_mesh(void **state) {
    (void)state;
    assert_lua(&f, "local pose, half = Mesh.box(M) return parts(half)", "1\t2\t3");
    assert_lua(&f, "parts(Matrix4x4.translation((Mesh.box(M))))", "1\t2\t7");
    assert_lua(&f,
               "local least, most, radius = Mesh.bounding_volume_components(M) "
               "return least.x, least.z, most.y, radius",
               "-1\t0\t2\t3.75");
    assert_lua_error(&f, "Mesh.box(Unit.mesh(C, 1))", "Mesh.box: argument 1 (self): the mesh \"");
}

// The mesh's two triangles lie at a height of 7, back to back.
static void picks_a_mesh_with_a_ray(void **state) {
    (void)state;
    run_lua(&f, "function pick(from, direction, length, hidden) "
                "local d, n, mesh, triangle = Unit.mesh_pick_raycast(L, from, direction, length, "
                "hidden) return d, n and n.z, mesh, triangle end");
    assert_lua(&f, "pick(Vector3(1, 2, 10), Vector3(0, 0, -5), 10, false)", "3\t1\t1\t1");
    assert_lua(&f, "pick(Vector3(1, 2, 5), Vector3(0, 0, 0.5), 10, false)", "2\t1\t1\t1");
    assert_lua(&f, "(pick(Vector3(1, 2, 10), Vector3(0, 0, -5), 2, false))", "nil");
    assert_lua(&f, "(pick(Vector3(9, 2, 10), Vector3(0, 0, -5), 10, false))", "nil");
    run_lua(&f, "MeshComponent.create_with_mesh(MC, L, 'other', 'meshes/crate')");
    assert_lua(&f, "pick(Vector3(1, 2, 10), Vector3(0, 0, -5), 10, false)", "3\t1\t1\t1");
    run_lua(&f, "Mesh.set_visibility(M, false)");
    assert_lua(&f, "pick(Vector3(1, 2, 10), Vector3(0, 0, -5), 10, false)", "3\t1\t2\t1");
    assert_lua(&f, "pick(Vector3(1, 2, 10), Vector3(0, 0, -5), 10, true)", "3\t1\t1\t1");
    assert_lua(&f, "(Unit.mesh_pick_raycast(C, Vector3(0, 0, 0), Vector3(0, 0, 1), 9, true))",
               "nil"); // its mesh is not loaded
    assert_lua_error(&f, "Unit.mesh_pick_raycast(L, Vector3(0, 0, 0), Vector3(0, 0, 0), 9, true)",
                     "argument 3 (direction): expected a direction, got a Vector3 of length 0");
    assert_lua_error(&f, "Unit.mesh_pick_raycast(L, Vector3(0, 0, 0), Vector3(0, 0, 1), -1, true)",
                     "argument 4 (length): expected a number from 0");
    assert_lua_error(&f, "Unit.mesh_pick_raycast(L, Vector3(0, 0, 0), Vector3(0, 0, 1), 1, 1)",
                     "argument 5 (include_hidden_meshes): expected boolean");
}

static void gives_the_materials_of_a_mesh(void **state) {
    (void)state;
    assert_lua(&f, "Mesh.num_materials(M), Mesh.has_material(M, 'wood')", "2\ttrue");
    assert_lua(&f, "Mesh.has_material(M, 'glass')", "false");
    run_lua(&f, "Mesh.set_material(M, 'iron', 'materials/steel') "
                "Mesh.set_material(M, 1, 'materials/oak')");
    assert_lua(&f, "Mesh.material(M, 'iron') == Mesh.material(M, 2)", "true");
    assert_lua(&f, "IdString64.equal(Material.id(Mesh.material(M, 1)), 'materials/oak')", "true");
    assert_lua_error(&f, "Mesh.material(M, 3)", "expected an integer from 1 to 2, got 3");
    assert_lua_error(&f, "Mesh.material(M, 'glass')",
                     "Mesh.material: argument 2 (slot): the mesh has no");
    assert_lua_error(&f, "Mesh.set_material(M, 1, 'materials/gold')",
                     "argument 3 (material_resource): there is no material");
    assert_lua_error(&f,
                     "MeshComponent.create_with_mesh(MC, L, 'b', 'meshes/crate') "
                     "Mesh.material(Unit.mesh(L, 'b'), 1)",
                     "Mesh.material: argument 2 (slot): no material is loaded");
}

static void gives_a_mesh_values_of_its_own(void **state) {
    (void)state;
    run_lua(&f, "Mesh.set_material(M, 1, 'materials/oak') "
                "Mesh.set_color(M, 'base_color', Vector4(0.25, 0, 0, 1))");
    assert_true(recorded()->objects[recorded()->last_object].value == 0.25f);
    assert_lua_error(&f, "Mesh.set_scalar(M, 'gloss', 1)",
                     "Mesh.set_scalar: argument 2 (variable): no material of the mesh has an "
                     "instanced variable \"gloss\"");
    assert_lua_error(&f, "Mesh.set_vector4(M, 'base_color', Vector4(0/0, 0, 0, 1))", "finite");
}

static void shows_and_hides_a_mesh(void **state) {
    (void)state;
    assert_lua(&f, "Mesh.visibility(M)", "true");
    run_lua(&f, "Mesh.set_visibility(M, false)");
    assert_lua(&f, "Mesh.visibility(M)", "false");
    assert_false(recorded()->objects[recorded()->last_object].is_visible);
    assert_lua_error(&f, "Mesh.set_visibility(M)", "expected boolean, got nil");
}

static void outlines_a_mesh(void **state) {
    (void)state;
    run_lua(&f, "Mesh.set_outline(M, Vector3(0.5, 1, 0))");
    assert_true(recorded()->objects[recorded()->last_object].outline[0] == 0.5f);
    run_lua(&f, "Mesh.set_outline(M, nil)");
    assert_true(recorded()->objects[recorded()->last_object].outline[3] == 0.0f);
    run_lua(&f, "MeshComponent.set_outline(MC, L, MeshComponent.instance_ids(MC, L), "
                "Vector3(0, 0.25, 0))");
    assert_true(recorded()->objects[recorded()->last_object].outline[1] == 0.25f);
    run_lua(&f, "Unit.set_outline(L)");
    assert_true(recorded()->objects[recorded()->last_object].outline[3] == 0.0f);
    run_lua(&f, "Unit.set_outline(L, Vector3(0, 0, 1))");
    assert_true(recorded()->objects[recorded()->last_object].outline[2] == 1.0f);
    assert_lua_error(&f, "Mesh.set_outline(M, Vector3(0, 2, 0))",
                     "Mesh.set_outline: argument 2 (color): expected a color from 0 to 1, got "
                     "(0, 2, 0)");
    assert_lua_error(&f, "Unit.set_outline(L, 1)", "expected Vector3");
    assert_lua_error(&f, "MeshComponent.set_outline(MC, L, 'none', nil)", "no mesh with the id");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        HANDLE_TEST(all_give_and_take_their_units_pose),
        HANDLE_TEST(all_are_refused_when_their_unit_is_dead),
        HANDLE_TEST(refuses_meshes_that_were_destroyed),
        HANDLE_TEST(sets_what_a_camera_sees),
        HANDLE_TEST(chooses_how_a_camera_projects),
        HANDLE_TEST(finds_points_on_the_screen),
        HANDLE_TEST(sees_between_edges_in_perspective),
        HANDLE_TEST(sees_between_edges_in_orthographic_projection),
        HANDLE_TEST(refuses_edges_that_enclose_nothing),
        HANDLE_TEST(sees_with_two_eyes),
        HANDLE_TEST(keeps_data_with_each_camera),
        HANDLE_TEST(gives_up_data_of_cameras_that_ended),
        HANDLE_TEST(tells_how_far_inside_a_point_lies),
        HANDLE_TEST(sets_how_a_light_shines),
        HANDLE_TEST(copies_how_a_light_shines),
        HANDLE_TEST(refuses_lights_that_cannot_be),
        HANDLE_TEST(gives_the_box_of_a_mesh),
        HANDLE_TEST(picks_a_mesh_with_a_ray),
        HANDLE_TEST(gives_the_materials_of_a_mesh),
        HANDLE_TEST(gives_a_mesh_values_of_its_own),
        HANDLE_TEST(outlines_a_mesh),
        HANDLE_TEST(shows_and_hides_a_mesh),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
