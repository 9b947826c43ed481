// The volumes, splines and markers of a level in Lua: Y is the level "yard", at (100, 0, 0).
#include "script/fake_host.h"
#include "world/compiled_fixture.h"

static const char members[] =
    "volumes = [\n"
    "  { id = \"v1\" name = \"room\" half_size = [1 2 3] position = [10 0 0] purpose = \"fog\" }\n"
    "  { id = \"v2\" name = \"ball\" type = \"sphere\" radius = 2 purpose = \"reverb\" }\n"
    "  { id = \"v3\" name = \"shed\" position = [0 0 9] purpose = \"fog\" } \n"
    "  { id = \"v4\" name = \"lost\" type = \"mesh\" mesh = \"not_there\" } ]\n"
    "splines = [\n"
    "  { id = \"s1\" name = \"road\" points = [ [0 0 0] [0 10 0] ] purpose = \"cars\" }\n"
    "  { id = \"s2\" name = \"ring\" type = \"bezier\" is_closed = true\n"
    "    points = [ [0 0 0] [4 0 0] [4 3 0] ] } ]\n"
    "markers = [ { id = \"m1\" name = \"start\" position = [1 2 3] rotation_degrees = [0 0 90]\n"
    "    purpose = \"spawn\" } { id = \"m2\" name = \"end\" } ]";

static script_fixture f;

static int set_up(void **state) {
    (void)state;
    f = start_script_with((ct_script_desc){0});
    const char *const project = test_scratch_folder();
    write_text(project, "yard.level", members);
    write_text(project, "void.level", "{}");
    load_compiled(&f.world, project, "level", "yard");
    load_compiled(&f.world, project, "level", "void");
    run_lua(&f, "W = Application.new_world() "
                "Y = World.load_level(W, 'yard', Vector3(100, 0, 0)) "
                "function near(v, x, y, z) "
                "  return Vector3.distance(v, Vector3(x, y, z)) < 1e-4 "
                "end");
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    stop_script(&f);
    return 0;
}

static void knows_its_members(void **state) {
    (void)state;
    assert_lua(&f, "Level.has_volume(Y, 'room'), Level.has_volume(Y, 'start')", "true\tfalse");
    assert_lua(&f, "Level.has_spline(Y, 'road'), Level.has_spline(Y, 'room')", "true\tfalse");
    assert_lua(&f, "Level.has_marker(Y, 'end'), Level.has_marker(Y, 'road')", "true\tfalse");
    assert_lua(&f, "table.concat(Level.volumes(Y), ' ')", "room ball shed lost");
    assert_lua(&f, "table.concat(Level.volumes(Y, 'fog'), ' ')", "room shed");
    assert_lua(&f, "table.concat(Level.splines(Y), ' ')", "road ring");
    assert_lua(&f, "table.concat(Level.splines(Y, 'cars'), ' ')", "road");
    assert_lua(&f, "table.concat(Level.markers(Y), ' ')", "start end");
    assert_lua(&f, "#Level.markers(Y, 'spawn'), #Level.markers(Y, 'none')", "1\t0");
    assert_lua(&f, "#Level.volumes(World.load_level(W, 'void'))", "0");
}

static void knows_what_is_inside(void **state) {
    (void)state;
    assert_lua(&f, "Level.is_point_inside_volume(Y, 'room', Vector3(110.9, 1.9, -2.9))", "true");
    assert_lua(&f, "Level.is_point_inside_volume(Y, 'room', Vector3(111.1, 0, 0))", "false");
    assert_lua(&f, "Level.is_point_inside_volume(Y, 'ball', Vector3(100, 0, 1.9))", "true");
    assert_lua(&f, "Level.is_point_inside_volume(Y, 'lost', Vector3(100, 0, 0))", "false");
    run_lua(&f, "local pose, half = Level.volume_box(Y, 'room') "
                "assert(near(Matrix4x4.translation(pose), 110, 0, 0) and near(half, 1, 2, 3)) "
                "assert(Math.point_in_box(Vector3(110.9, 1.9, 2.9), pose, half))");
    assert_lua(&f, "near(select(2, Level.volume_box(Y, 'lost')), 0, 0, 0)", "true");
}

static void gives_random_points_inside(void **state) {
    (void)state;
    run_lua(&f, "seed, all = 5, 0 "
                "for i = 1, 100 do "
                "  local next, p = Level.next_random_point_inside_volume(Y, 'ball', seed) "
                "  local again, q = Level.next_random_point_inside_volume(Y, 'ball', seed) "
                "  assert(next == again and next ~= seed and Vector3.distance(p, q) == 0) "
                "  assert(Level.is_point_inside_volume(Y, 'ball', p)) "
                "  all = all + p.z "
                "  seed = next "
                "  p = Level.random_point_inside_volume(Y, 'room') "
                "  assert(Level.is_point_inside_volume(Y, 'room', p)) "
                "end");
    assert_lua(&f, "math.abs(all) > 0 and math.abs(all) < 40", "true");
    assert_lua(&f, "select('#', Level.next_random_point_inside_volume(Y, 'lost', 1))", "2");
    assert_lua(&f, "Level.random_point_inside_volume(Y, 'lost')", "nil");
    // Seeds go on as those of Math.next_random.
    assert_lua(&f, "(Level.next_random_point_inside_volume(Y, 'ball', 7)) == (Math.next_random(7))",
               "true");
}

static void follows_splines(void **state) {
    (void)state;
    assert_lua(&f, "Level.num_splines(Y)", "2");
    run_lua(&f, "local points = Level.spline(Y, 'ring') "
                "assert(#points == 3 and near(points[2], 104, 0, 0)) "
                "assert(near(points[3], 104, 3, 0))");
    assert_lua(&f, "#Level.spline_by_index(Y, 1), #Level.spline_by_index(Y, 2)", "2\t3");
    assert_lua(&f, "math.abs(Level.spline_length(Y, 'ring') - 12) < 1e-3", "true");
    run_lua(&f, "local p, t = Level.spline_point(Y, 'road', 4) "
                "assert(near(p, 100, 4, 0) and near(t, 0, 1, 0))");
    assert_lua(&f, "near(Level.spline_point(Y, 'road', 99), 100, 10, 0)", "true");
    // From 4 0 to 4 3 and round.
    assert_lua(&f,
               "Vector3.distance((Level.spline_point(Y, 'ring', 12 + 5.5)), "
               "Vector3(104, 1.5, 0)) < 1e-2",
               "true");
    run_lua(&f,
            "local p, d = Level.spline_nearest(Y, 'road', Vector3(103, 7, 1)) "
            "assert(Vector3.distance(p, Vector3(100, 7, 0)) < 1e-2 and math.abs(d - 7) < 1e-2)");
}

static void gives_the_poses_of_markers(void **state) {
    (void)state;
    run_lua(&f, "local pose = Level.marker_pose(Y, 'start') "
                "assert(near(Matrix4x4.translation(pose), 101, 2, 3)) "
                "assert(near(Matrix4x4.x(pose), 0, 1, 0))");
}

static void draws_lines(void **state) {
    (void)state;
    const uint32_t before = recorded()->num_line_vertices;
    run_lua(&f, "lines = World.create_line_object(W) Level.draw_members(Y, lines) "
                "LineObject.dispatch(W, lines)");
    // Two boxes and a ball; one piece and three; two markers.
    assert_int_equal(recorded()->num_line_vertices - before, 2 * (24 + 72 + 4 * 16 + 6));
    assert_lua_error(&f, "Level.draw_members(Y, 5)",
                     "Level.draw_members: argument 2 (line_object): expected LineObject, got "
                     "number");
}

static void names_what_is_wrong(void **state) {
    (void)state;
    assert_lua_error(&f, "Level.is_point_inside_volume(Y, 'hall', Vector3(0, 0, 0))",
                     "Level.is_point_inside_volume: argument 2 (volume_name): the level has no "
                     "volume \"hall\"");
    assert_lua_error(&f, "Level.spline_length(Y, 'room')",
                     "Level.spline_length: argument 2 (spline_name): the level has no spline "
                     "\"room\"");
    assert_lua_error(&f, "Level.marker_pose(Y, 'x')",
                     "Level.marker_pose: argument 2 (marker_name): the level has no marker \"x\"");
    assert_lua_error(&f, "Level.spline_by_index(Y, 3)",
                     "Level.spline_by_index: argument 2 (index): expected");
    assert_lua_error(&f, "Level.spline_by_index(World.load_level(W, 'void'), 1)",
                     "Level.spline_by_index: the level has no splines");
    assert_lua_error(&f, "Level.spline_point(Y, 'road', 0/0)",
                     "Level.spline_point: argument 3 (distance): expected");
    assert_lua_error(&f, "Level.spline_nearest(Y, 'road', Vector3(0/0, 0, 0))",
                     "Level.spline_nearest: argument 3 (point): expected");
    assert_lua_error(&f, "Level.next_random_point_inside_volume(Y, 'ball', 1.5)",
                     "Level.next_random_point_inside_volume: argument 3 (seed): expected");
    assert_lua_error(&f, "Level.volumes(Y, 5)", "Level.volumes: argument 2 (purpose): expected");
    run_lua(&f, "World.destroy_level(W, Y)");
    assert_lua_error(&f, "Level.has_volume(Y, 'room')",
                     "argument 1 (self): expected Level, got a destroyed Level");
}

#define MEMBERS_TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        MEMBERS_TEST(knows_its_members),          MEMBERS_TEST(knows_what_is_inside),
        MEMBERS_TEST(gives_random_points_inside), MEMBERS_TEST(follows_splines),
        MEMBERS_TEST(gives_the_poses_of_markers), MEMBERS_TEST(draws_lines),
        MEMBERS_TEST(names_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
