// From the text of volumes, splines and markers to where they are in a world.
#include "foundation/math/math.h"
#include "world/compiled_fixture.h"
#include "world/world_level_members.h"

#define MEMBERS                                                                                    \
    "volumes = [\n"                                                                                \
    "  { id = \"v1\" name = \"room\" half_size = [1 2 3] position = [10 0 0] purpose = \"fog\" "   \
    "}\n"                                                                                          \
    "  { id = \"v2\" name = \"ball\" type = \"sphere\" radius = 2 purpose = \"reverb\" }\n"        \
    "  { id = \"v3\" name = \"tent\" type = \"convex\" position = [0 20 0]\n"                      \
    "    points = [ [0 0 0] [3 0 0] [0 3 0] [0 0 3] ] } ]\n"                                       \
    "splines = [\n"                                                                                \
    "  { id = \"s1\" name = \"road\" points = [ [0 0 0] [0 10 0] [5 20 0] ] }\n"                   \
    "  { id = \"s2\" name = \"ring\" is_closed = true points = [ [0 0 0] [4 0 0] [4 4 0] ] } ]\n"  \
    "markers = [ { id = \"m\" name = \"start\" position = [1 2 3] rotation_degrees = [0 0 90]\n"   \
    "    purpose = \"spawn\" } ]"

static ct_string_id32 id_of(const char *text) {
    return ct_string_id32_of(text);
}

static world_fixture start_with(const char *text, const char **project) {
    world_fixture f = start_world();
    *project = test_scratch_folder();
    write_text(*project, "yard.level", text);
    load_compiled(&f, *project, "level", "yard");
    return f;
}

static ct_level spawn(world_fixture *f, ct_vec3 position, ct_quat rotation, ct_vec3 scale) {
    ct_error error = {0};
    const ct_level level =
        ct_world_spawn_level(f->world, "yard", position, rotation, scale, &error);
    if (!level.id)
        fail_msg("%s", error.message);
    return level;
}

static ct_level spawn_plainly(world_fixture *f) {
    return spawn(f, ct_vec3_make(0, 0, 0), ct_quat_identity(), ct_vec3_make(1, 1, 1));
}

static const ct_world_volume *find_volume(const world_fixture *f, ct_level level,
                                          const char *name) {
    return ct_level_find_member(f->world, level, CT_LEVEL_MEMBER_VOLUME, id_of(name));
}

static const ct_world_spline *find_spline(const world_fixture *f, ct_level level,
                                          const char *name) {
    return ct_level_find_member(f->world, level, CT_LEVEL_MEMBER_SPLINE, id_of(name));
}

static bool contains(const world_fixture *f, ct_level level, const char *name, float x, float y,
                     float z) {
    const ct_world_volume *const v = find_volume(f, level, name);
    assert_non_null(v);
    return ct_volume_contains(&v->shape, ct_vec3_make(x, y, z));
}

static void assert_point(ct_vec3 p, float x, float y, float z) {
    assert_float_equal(p.x, x, 1e-4);
    assert_float_equal(p.y, y, 1e-4);
    assert_float_equal(p.z, z, 1e-4);
}

static void reload(world_fixture *f, const char *project, const char *type, const char *name) {
    ct_compile_answer answer = compile_file(project, type, name);
    char file_name[CT_RESOURCE_FILE_NAME_BYTES], path[CT_PATH_BYTES];
    const ct_resource_id id = ct_resource_id_of(type, name);
    expect_blob(&answer, type);
    ct_resource_file_name(id, file_name);
    ct_path_join(path, f->folder, file_name);
    assert_true(ct_file_write(path, answer.blob.items, answer.blob.count, false, NULL));
    ct_compile_answer_free(&answer);
    assert_int_equal(ct_resource_manager_reload(f->resources, &id, 1), 1);
    for (uint64_t frame = 1; frame < 4; ++frame) {
        ct_resource_manager_update(f->resources, frame);
        ct_resource_manager_retire(f->resources, frame); // the old data is gone
    }
}

static void finds_members_by_name(void **state) {
    (void)state;
    const char *project;
    world_fixture f = start_with(MEMBERS, &project);
    const ct_level level = spawn_plainly(&f);
    const ct_level_member_list list = ct_level_members_of(f.world, level, CT_LEVEL_MEMBER_VOLUME);
    const ct_world_volume *const volumes = list.items;
    assert_int_equal(list.count, 3);
    assert_string_equal(volumes[1].member.name_text, "ball");
    assert_string_equal(volumes[1].member.purpose_text, "reverb");
    assert_int_equal(volumes[1].member.id.value, id_of("v2").value);
    assert_ptr_equal(find_volume(&f, level, "tent"), &volumes[2]);
    assert_int_equal(volumes[2].member.purpose.value, 0);
    assert_null(find_volume(&f, level, "start"));
    assert_null(find_spline(&f, level, "room"));
    assert_int_equal(ct_level_members_of(f.world, level, CT_LEVEL_MEMBER_SPLINE).count, 2);
    const ct_world_spline *const ring = find_spline(&f, level, "ring");
    assert_true(ring->curve.is_closed);
    assert_int_equal(ring->num_points, 3);
    assert_int_equal(ring->curve.num_pieces, 3);
    const ct_world_marker *const start =
        ct_level_find_member(f.world, level, CT_LEVEL_MEMBER_MARKER, id_of("start"));
    assert_point(start->position, 1, 2, 3);
    assert_int_equal(start->member.purpose.value, id_of("spawn").value);
    assert_true(contains(&f, level, "room", 10.9f, 1.9f, -2.9f));
    assert_false(contains(&f, level, "room", 11.1f, 0, 0));
    assert_true(contains(&f, level, "ball", 0, 1.4f, 1.4f));
    assert_false(contains(&f, level, "ball", 0, 1.5f, 1.5f));
    assert_true(contains(&f, level, "tent", 0.5f, 20.5f, 0.5f));
    assert_false(contains(&f, level, "tent", 1.5f, 21.5f, 0.5f));
    stop_world(&f);
}

// A level turned by a quarter about z, twice as large.
static void places_members_with_the_level(void **state) {
    (void)state;
    const char *project;
    world_fixture f = start_with(MEMBERS, &project);
    const ct_quat quarter = ct_quat_axis_angle(ct_vec3_make(0, 0, 1), 1.5707963f);
    const ct_level level = spawn(&f, ct_vec3_make(100, 0, 0), quarter, ct_vec3_make(2, 2, 2));
    const ct_world_volume *const room = find_volume(&f, level, "room");
    assert_point(room->position, 100, 20, 0);
    assert_point(room->scale, 2, 2, 2);
    assert_point(room->half_size, 1, 2, 3);
    const ct_aabb box = ct_volume_bounds(&room->shape);
    assert_point(box.min, 96, 18, -6);
    assert_point(box.max, 104, 22, 6);
    assert_true(contains(&f, level, "room", 103.9f, 21.9f, 5.9f));
    assert_false(contains(&f, level, "room", 100, 22.1f, 0));
    assert_true(contains(&f, level, "ball", 100, 0, 3.9f));
    const ct_world_spline *const road = find_spline(&f, level, "road");
    assert_point(road->points[1], 80, 0, 0);
    assert_point(road->points[2], 60, 10, 0);
    const ct_level plain = spawn_plainly(&f);
    const ct_world_spline *const same = find_spline(&f, plain, "road");
    assert_float_equal(ct_spline_length(&road->curve), 2 * ct_spline_length(&same->curve), 1e-3);
    const ct_world_marker *const start =
        ct_level_find_member(f.world, level, CT_LEVEL_MEMBER_MARKER, id_of("start"));
    assert_point(start->position, 96, 2, 6);
    assert_point(ct_quat_rotate(start->rotation, ct_vec3_make(1, 0, 0)), -1, 0, 0);
    stop_world(&f);
}

// Lengths are measured again where the scale differs by direction.
static void measures_splines_of_unevenly_scaled_levels(void **state) {
    (void)state;
    const char *project;
    world_fixture f = start_with(MEMBERS, &project);
    const ct_level level =
        spawn(&f, ct_vec3_make(0, 0, 0), ct_quat_identity(), ct_vec3_make(3, 1, 1));
    const ct_spline *const s = &find_spline(&f, level, "road")->curve;
    float sum = 0;
    ct_vec3 before = ct_spline_step_position(s, 0);
    for (uint32_t i = 1; i <= CT_SPLINE_STEPS * s->num_pieces; ++i) {
        const ct_vec3 p = ct_spline_step_position(s, i);
        sum += ct_vec3_length(ct_vec3_sub(p, before));
        before = p;
        assert_float_equal(s->lengths[i], sum, 0.01 * (double)sum);
    }
    assert_true(sum > 26); // across 15 and along 20 metres
    stop_world(&f);
}

static void mirrored_and_flattened_levels_are_fine(void **state) {
    (void)state;
    const char *project;
    world_fixture f = start_with(MEMBERS, &project);
    const ct_level mirrored =
        spawn(&f, ct_vec3_make(0, 0, 0), ct_quat_identity(), ct_vec3_make(-1, 1, 1));
    assert_true(contains(&f, mirrored, "room", -10.9f, 0, 0));
    assert_true(contains(&f, mirrored, "tent", -0.5f, 20.5f, 0.5f));
    const ct_level flat =
        spawn(&f, ct_vec3_make(0, 0, 0), ct_quat_identity(), ct_vec3_make(1, 1, 0));
    assert_false(contains(&f, flat, "room", 10, 0, 0));
    ct_random r = ct_random_seeded(1, 0);
    ct_vec3 p;
    assert_false(ct_volume_random_point(&find_volume(&f, flat, "tent")->shape, &r, &p));
    stop_world(&f);
}

static void levels_without_members_and_ended_ones_have_none(void **state) {
    (void)state;
    const char *project;
    world_fixture f = start_with("{}", &project);
    const ct_level level = spawn_plainly(&f);
    assert_null(ct_level_members_of(f.world, level, CT_LEVEL_MEMBER_VOLUME).items);
    assert_int_equal(ct_level_members_of(f.world, level, CT_LEVEL_MEMBER_VOLUME).count, 0);
    write_text(project, "yard.level", MEMBERS);
    reload(&f, project, "level", "yard");
    const ct_level full = spawn_plainly(&f);
    assert_non_null(ct_level_members_of(f.world, full, CT_LEVEL_MEMBER_MARKER).items);
    ct_world_destroy_level(f.world, full);
    assert_null(ct_level_members_of(f.world, full, CT_LEVEL_MEMBER_MARKER).items);
    assert_int_equal(ct_level_members_of(f.world, full, CT_LEVEL_MEMBER_MARKER).count, 0);
    assert_null(find_spline(&f, full, "road"));
    stop_world(&f);
}

// --- Meshes --------------------------------------------------------------------------------------

static const char cube_points[] = "v -1 -1 -1\nv 1 -1 -1\nv -1 1 -1\nv 1 1 -1\n"
                                  "v -1 -1 1\nv 1 -1 1\nv -1 1 1\nv 1 1 1\n";
static const char cube_sides[] = "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\n";
static const char last_side[] = "f 2 4 8 6\n";

static void load_mesh(world_fixture *f, const char *project, const char *name, const char *before,
                      const char *last) {
    char text[1024], path[64];
    snprintf(text, sizeof(text), "%s%so body\n%s%s", before, cube_points, cube_sides, last);
    snprintf(path, sizeof(path), "%s.obj", name);
    write_text(project, path, text);
    snprintf(text, sizeof(text), "source = \"%s.obj\" up_axis = \"z\"", name);
    snprintf(path, sizeof(path), "%s.mesh", name);
    write_text(project, path, text);
    load_compiled(f, project, "mesh", name);
}

#define CAVE                                                                                       \
    "volumes = [ { id = \"v\" name = \"cave\" type = \"mesh\" mesh = \"cube\" position = [5 0 "    \
    "0]\n"                                                                                         \
    "  scale = [1 2 1] } ]"

static void mesh_volumes_are_inside_the_surface(void **state) {
    (void)state;
    const char *project;
    world_fixture f = start_with(CAVE, &project);
    load_mesh(&f, project, "cube", "", last_side);
    const ct_level level = spawn_plainly(&f);
    assert_true(contains(&f, level, "cave", 5.9f, 1.9f, -0.9f));
    assert_false(contains(&f, level, "cave", 6.1f, 0, 0));
    assert_false(contains(&f, level, "cave", 5, 2.1f, 0));
    stop_world(&f);
}

// A tetrahedron that is named as a collision shape counts in place of what is drawn.
static void mesh_volumes_are_inside_collision_shapes(void **state) {
    (void)state;
    const char *project;
    world_fixture f = start_with(CAVE, &project);
    load_mesh(&f, project, "cube",
              "v 0 0 0\nv 3 0 0\nv 0 3 0\nv 0 0 3\n"
              "o collision_body\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n",
              "");
    const ct_level level = spawn_plainly(&f);
    assert_true(contains(&f, level, "cave", 5.5f, 1, 0.5f));
    assert_true(contains(&f, level, "cave", 7.5f, 0.1f, 0.1f));
    assert_false(contains(&f, level, "cave", 4.5f, 0, 0));
    stop_world(&f);
}

static void open_and_missing_meshes_contain_nothing(void **state) {
    (void)state;
    const char *project;
    world_fixture f = start_with(CAVE, &project);
    const uint64_t missing = ct_log_error_count_of("level_volume_mesh"),
                   open = ct_log_error_count_of("level_volume_open");
    ct_level level = spawn_plainly(&f);
    assert_int_equal(ct_log_error_count_of("level_volume_mesh"), missing + 1);
    assert_false(contains(&f, level, "cave", 5, 0, 0));
    load_mesh(&f, project, "cube", "", ""); // without its last side
    level = spawn_plainly(&f);
    assert_int_equal(ct_log_error_count_of("level_volume_open"), open + 1);
    assert_int_equal(ct_log_error_count_of("level_volume_mesh"), missing + 1);
    assert_false(contains(&f, level, "cave", 5, 0, 0));
    stop_world(&f);
}

// --- Reloading -----------------------------------------------------------------------------------

static void members_stay_when_the_level_is_reloaded(void **state) {
    (void)state;
    const char *project;
    world_fixture f = start_with(MEMBERS, &project);
    const ct_level old = spawn_plainly(&f);
    write_text(project, "yard.level",
               "volumes = [ { id = \"v1\" name = \"room\" position = [0 50 0] } ]");
    reload(&f, project, "level", "yard");
    assert_true(contains(&f, old, "room", 10, 0, 0));
    assert_true(contains(&f, old, "tent", 0.5f, 20.5f, 0.5f));
    assert_string_equal(find_spline(&f, old, "road")->member.name_text, "road");
    const ct_level fresh = spawn_plainly(&f);
    assert_false(contains(&f, fresh, "room", 10, 0, 0));
    assert_true(contains(&f, fresh, "room", 0, 50, 0));
    assert_null(find_volume(&f, fresh, "tent"));
    stop_world(&f);
}

static void members_are_there_before_the_units(void **state) {
    (void)state;
    const char *project;
    world_fixture f = start_world();
    project = test_scratch_folder();
    write_text(project, "rock.unit", "components = [ { id = \"t\" type = \"transform\" } ]");
    write_text(project, "yard.level", "units = [ { id = \"u\" unit = \"rock\" } ]\n" MEMBERS);
    load_compiled(&f, project, "unit", "rock");
    load_compiled(&f, project, "level", "yard");
    const ct_level level = ct_world_spawn_level_gradually(
        f.world, "yard", ct_vec3_make(0, 0, 0), ct_quat_identity(), ct_vec3_make(1, 1, 1), 0, NULL);
    assert_false(ct_level_is_spawned(f.world, level));
    assert_true(contains(&f, level, "room", 10, 0, 0));
    // A level that starts over because it was reloaded has the new ones.
    write_text(project, "yard.level",
               "units = [ { id = \"u\" unit = \"rock\" } ]\n"
               "volumes = [ { id = \"v1\" name = \"room\" position = [0 50 0] } ]");
    reload(&f, project, "level", "yard");
    ct_world_advance(f.world, 0.1);
    assert_true(ct_level_is_spawned(f.world, level));
    assert_true(contains(&f, level, "room", 0, 50, 0));
    stop_world(&f);
}

// --- Lines ---------------------------------------------------------------------------------------

typedef struct line_counts {
    uint32_t yellow, blue, axes;
} line_counts;

static void count_line(void *user, ct_vec4 color, ct_vec3 from, ct_vec3 to) {
    line_counts *const c = user;
    assert_true(ct_vec3_is_finite(from) && ct_vec3_is_finite(to));
    if (color.x == 1 && color.y > 0)
        ++c->yellow;
    else if (color.y > 0 && color.z > 0)
        ++c->blue;
    else
        ++c->axes;
}

static void lines_show_all_members(void **state) {
    (void)state;
    const char *project;
    world_fixture f = start_with(MEMBERS, &project);
    const ct_level level = spawn_plainly(&f);
    line_counts c = {0};
    ct_level_member_lines(f.world, level, count_line, &c);
    assert_int_equal(c.yellow, 12 + 72 + 6); // the box, the ball and the tetrahedron
    assert_int_equal(c.blue, (2 + 3) * CT_SPLINE_STEPS);
    assert_int_equal(c.axes, 3);
    ct_world_destroy_level(f.world, level);
    ct_level_member_lines(f.world, level, count_line, &c);
    assert_int_equal(c.axes, 3);
    stop_world(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_members_by_name),
        cmocka_unit_test(places_members_with_the_level),
        cmocka_unit_test(measures_splines_of_unevenly_scaled_levels),
        cmocka_unit_test(mirrored_and_flattened_levels_are_fine),
        cmocka_unit_test(levels_without_members_and_ended_ones_have_none),
        cmocka_unit_test(mesh_volumes_are_inside_the_surface),
        cmocka_unit_test(mesh_volumes_are_inside_collision_shapes),
        cmocka_unit_test(open_and_missing_meshes_contain_nothing),
        cmocka_unit_test(members_stay_when_the_level_is_reloaded),
        cmocka_unit_test(members_are_there_before_the_units),
        cmocka_unit_test(lines_show_all_members),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
