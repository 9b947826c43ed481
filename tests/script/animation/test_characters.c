// Characters in a world: who is posed, what becomes of root motion, and whom nodes follow.
#include <math.h>

#include "foundation/math/math.h"
#include "script/animation/animation_fixture.h"

static ct_world *world;
static ct_animation_manager *characters;
static ct_entity robot;

// A robot that waves: its joint n3 rises from 1 to 2 metres in a second.
static int set_up_robot(void **state) {
    set_up(state);
    load_animations(&f);
    run_lua(&f, "R = World.spawn_unit(W, 'units/robot')");
    world = ct_world_system_world(f.world.system, ct_world_system_num_worlds(f.world.system) - 1);
    characters = ct_world_animations(world);
    uint32_t num_units;
    const ct_entity *const units = ct_world_units(world, &num_units);
    robot = units[num_units - 1]; // spawned last
    const ct_animation_data data = {.skeleton = ct_string_id64_of("models/stick")};
    ct_animation_create(characters, robot, 1, &data);
    return 0;
}

static ct_animation_instance character(void) {
    return ct_animation_lookup(characters, robot);
}

static void play(const char *clip) {
    uint32_t id;
    ct_error error = {0};
    if (!ct_animation_crossfade(characters, character(), ct_string_id64_of(clip), 0, 0, true, false,
                                &id, &error))
        fail_msg("%s", error.message);
}

// How high n3 is above n2.
static float height(void) {
    ct_affine joints[STICK_JOINTS];
    ct_animation_write_joints(characters, character(), joints);
    return joints[2].rows[2][3] - joints[1].rows[2][3];
}

// A view that looks along y from a kilometre away, to `distance` metres past the origin.
static void look(float distance) {
    const ct_vec3 from = ct_vec3_make(0, -1000, 0);
    const ct_render_view view = {
        .pose = ct_mat4_compose(from, ct_quat_identity(), ct_vec3_make(1, 1, 1)),
        .projection = ct_mat4_orthographic(-1, 1, -1, 1, 0.1f, 1000 + distance)};
    ct_world_add_view(world, &view);
}

static void only_those_that_are_seen_are_posed(void **state) {
    (void)state;
    play("clips/wave");
    ct_world_advance(world, 0.25); // new ones are always posed
    assert_true(fabsf(height() - 1.25f) < 1e-3f);
    ct_world_advance(world, 0.25); // no view: time goes on, the pose stays
    assert_true(fabsf(height() - 1.25f) < 1e-3f);
    look(-500); // ends before the robot
    ct_world_advance(world, 0.125);
    assert_true(fabsf(height() - 1.25f) < 1e-3f);
    look(100);
    ct_world_advance(world, 0.125);
    assert_true(fabsf(height() - 1.75f) < 1e-3f);
    ct_world_advance(world, 0.125); // the view still counts
    assert_true(fabsf(height() - 1.875f) < 1e-3f);
}

static void a_character_may_always_be_posed(void **state) {
    (void)state;
    play("clips/wave");
    ct_world_advance(world, 0.25);
    ct_animation_set_always(characters, character(), true);
    ct_world_advance(world, 0.25);
    assert_true(fabsf(height() - 1.5f) < 1e-3f);
}

// A paused world is drawn for hours without a step.
static void the_last_views_count(void **state) {
    (void)state;
    play("clips/wave");
    ct_world_advance(world, 0.25);
    for (uint32_t i = 0; i < 10000; ++i)
        look(i < 9000 ? 100 : -500);
    ct_world_advance(world, 0.25);
    assert_true(fabsf(height() - 1.25f) < 1e-3f);
    for (uint32_t i = 0; i < 10000; ++i)
        look(i < 9999 ? -500 : 100);
    ct_world_advance(world, 0.25);
    assert_true(fabsf(height() - 1.75f) < 1e-3f);
}

static void nodes_follow_joints_and_scripts_have_the_last_word(void **state) {
    (void)state;
    play("clips/wave");
    ct_world_advance(world, 0.5);
    ct_scene_graph_manager *const graphs = ct_world_scene_graphs(world);
    const ct_scene_graph g = ct_scene_graph_lookup(graphs, robot);
    const uint32_t node = ct_scene_graph_find(graphs, g, ct_string_id32_of("n3"));
    assert_true(fabsf(ct_scene_graph_local_position(graphs, g, node).z - 1.5f) < 1e-3f);
    ct_animation_mark_sent(characters, character());
    assert_false(ct_animation_must_send(characters, character()));
    ct_scene_graph_set_local_position(graphs, g, node, ct_vec3_make(0, 0, 7));
    assert_true(ct_animation_must_send(characters, character()));
    assert_true(fabsf(height() - 7) < 1e-3f);
}

// A unit that is loaded again has another graph, also with as many nodes.
static void nodes_are_looked_up_again_for_another_graph(void **state) {
    (void)state;
    static const char *const names[STICK_JOINTS] = {"n3", "n1", "other"};
    play("clips/wave");
    ct_animation_set_always(characters, character(), true);
    ct_world_advance(world, 0.25);
    ct_scene_graph_manager *const graphs = ct_world_scene_graphs(world);
    ct_scene_graph_node_data nodes[STICK_JOINTS];
    for (uint32_t i = 0; i < STICK_JOINTS; ++i)
        nodes[i] = (ct_scene_graph_node_data){.name = ct_string_id32_of(names[i]),
                                              .position = {0, 0, 5},
                                              .rotation = {0, 0, 0, 1},
                                              .scale = {1, 1, 1}};
    ct_scene_graph_destroy(graphs, &robot, 1);
    const ct_scene_graph g = ct_scene_graph_create(graphs, robot, 1, nodes, STICK_JOINTS);
    assert_true(fabsf(height() - 1.25f) < 1e-3f); // of the last pose, not of other nodes
    ct_world_advance(world, 0.25);
    assert_true(fabsf(ct_scene_graph_local_position(graphs, g, 1).z - 1.5f) < 1e-3f);
    assert_true(fabsf(ct_scene_graph_local_position(graphs, g, 2).z - 1) < 1e-3f);
    assert_true(ct_scene_graph_local_position(graphs, g, 3).z == 5); // no joint
}

static void bone_modes_choose_parts_of_the_pose(void **state) {
    (void)state;
    play("clips/wave");
    ct_animation_set_always(characters, character(), true);
    ct_animation_set_bone_mode(characters, character(), CT_ANIMATION_BONE_MODE_ROTATION);
    ct_world_advance(world, 0.25);
    assert_true(fabsf(height() - 1) < 1e-3f); // positions at rest
    ct_animation_set_bone_mode(characters, character(), CT_ANIMATION_BONE_MODE_POSITION);
    ct_world_advance(world, 0.25);
    assert_true(fabsf(height() - 1.5f) < 1e-3f);
    ct_animation_set_bone_mode(characters, character(), CT_ANIMATION_BONE_MODE_IGNORE);
    ct_world_advance(world, 0.25);
    assert_true(fabsf(height() - 1.5f) < 1e-3f); // as it was
}

static void root_motion_moves_the_entity_by_its_mode(void **state) {
    (void)state;
    play("clips/walk");
    ct_transform_manager *const transforms = ct_world_transforms(world);
    const ct_transform t = ct_transform_lookup(transforms, robot);
    const float from = ct_transform_local_position(transforms, t).y;
    ct_world_advance(world, 0.5);
    assert_true(ct_transform_local_position(transforms, t).y == from);
    assert_true(fabsf(ct_animation_root_delta(characters, character()).position[1] - 1) < 1e-3f);
    ct_animation_set_root_mode(characters, character(), CT_ANIMATION_ROOT_MODE_DELTA_POSITION);
    ct_world_advance(world, 2.25); // four and a half metres
    assert_true(fabsf(ct_transform_local_position(transforms, t).y - from - 4.5f) < 1e-3f);
}

static void memory_comes_back_when_a_character_ends(void **state) {
    (void)state;
    play("clips/walk");
    ct_animation_set_always(characters, character(), true);
    ct_world_advance(world, 0.5);
    assert_int_equal(ct_animation_count(characters), 1);
    ct_world_destroy_units(world, &robot, 1);
    assert_int_equal(ct_animation_count(characters), 0);
    ct_world_advance(world, 0.5); // nobody is left
}

static void says_whose_skin_has_ended(void **state) {
    (void)state;
    uint32_t count;
    ct_animation_destroy(characters, character()); // without a skin
    ct_animation_ended_skins(characters, &count);
    assert_int_equal(count, 0);
    const ct_animation_data data = {.skeleton = ct_string_id64_of("models/stick")};
    ct_animation_skin_of(characters, ct_animation_create(characters, robot, 1, &data))->handle = 77;
    ct_animation_destroy(characters, character());
    const ct_animation_ended_skin *const ended = ct_animation_ended_skins(characters, &count);
    assert_int_equal(count, 1);
    assert_true(ended[0].handle == 77 && ct_entity_equal(ended[0].entity, robot));
    ct_animation_clear_ended(characters);
    ct_animation_ended_skins(characters, &count);
    assert_int_equal(count, 0);
}

#define ROBOT_TEST(test) cmocka_unit_test_setup_teardown(test, set_up_robot, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        ROBOT_TEST(only_those_that_are_seen_are_posed),
        ROBOT_TEST(a_character_may_always_be_posed),
        ROBOT_TEST(the_last_views_count),
        ROBOT_TEST(nodes_follow_joints_and_scripts_have_the_last_word),
        ROBOT_TEST(nodes_are_looked_up_again_for_another_graph),
        ROBOT_TEST(bone_modes_choose_parts_of_the_pose),
        ROBOT_TEST(root_motion_moves_the_entity_by_its_mode),
        ROBOT_TEST(memory_comes_back_when_a_character_ends),
        ROBOT_TEST(says_whose_skin_has_ended),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
