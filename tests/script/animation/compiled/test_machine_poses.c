// What a character with a state machine looks like: clips that are added, layers, masks, curves;
// and what is logged when it cannot play.
#include "world/compiled_fixture.h"

#include <math.h>

#include "script/animation/animation_fixture.h"

static ct_world *world;
static ct_animation_manager *characters;
static ct_entity robot;
static char project[CT_PATH_BYTES];

// Beside the clips of animation_fixture.h: clips/lift and clips/sink, which are additive and move n3
// by 1 and -0.25 metres in a second. Their sources are in the project.
static int set_up_robot(void **state) {
    static const char additive[] = "skeleton = \"models/stick\" additive = \"rest\"\n";
    set_up(state);
    load_animations(&f);
    static const char *const names[] = {"models/stick", "clips/idle", "clips/wave"};
    for (uint32_t i = 0; i < CT_COUNT_OF(names); ++i) // for messages
        ct_string_id64_register(names[i]);
    const uint32_t flags = CT_ANIMATION_LOOPS | CT_ANIMATION_ADDITIVE;
    load_stick_clip(&f, "clips/lift", flags, 1, 0, NULL, 0, NULL);
    load_stick_clip(&f, "clips/sink", flags, -0.25f, 0, NULL, 0, NULL);
    snprintf(project, sizeof(project), "%s", test_scratch_folder());
    write_text(project, "clips/lift.animation", additive);
    write_text(project, "clips/sink.animation", additive);
    write_text(project, "models/stick.skeleton",
               "joints = [ { id = \"a\" name = \"n1\" position = [0 0 1] }\n"
               "  { id = \"b\" name = \"n2\" parent = \"n1\" position = [0 0 1] }\n"
               "  { id = \"c\" name = \"n3\" parent = \"n2\" position = [0 0 1] } ]\n");
    run_lua(&f, "R = World.spawn_unit(W, 'units/robot')");
    world = ct_world_system_world(f.world.system, ct_world_system_num_worlds(f.world.system) - 1);
    characters = ct_world_animations(world);
    uint32_t num_units;
    const ct_entity *const units = ct_world_units(world, &num_units);
    robot = units[num_units - 1]; // spawned last
    return 0;
}

// Compiles a state machine from text and gives it to the robot.
static void animate_with(const char *name, const char *skeleton, const char *machine) {
    char path[64];
    snprintf(path, sizeof(path), "%s.state_machine", name);
    write_text(project, path, machine);
    load_compiled(&f.world, project, "state_machine", name);
    const ct_animation_data data = {.skeleton = ct_string_id64_register(skeleton),
                                    .state_machine = ct_string_id64_register(name),
                                    .is_always_posed = true};
    ct_animation_create(characters, robot, 1, &data);
}

static void animate(const char *machine) {
    animate_with("robot", "models/stick", machine);
}

static void stop(void) {
    ct_animation_destroy(characters, ct_animation_lookup(characters, robot));
}

static void set(const char *variable, float value) {
    ct_state_machine *const m =
        ct_animation_machine(characters, ct_animation_lookup(characters, robot));
    const uint32_t number = ct_state_machine_find_variable(m, ct_string_id32_of(variable));
    assert_true(ct_state_machine_set_variable(m, number, value));
}

// How high n3 is above n2.
static float height(void) {
    ct_affine joints[STICK_JOINTS];
    ct_animation_write_joints(characters, ct_animation_lookup(characters, robot), joints);
    return joints[2].rows[2][3] - joints[1].rows[2][3];
}

static void assert_near(float found, float wanted) {
    if (!(fabsf(found - wanted) < 1e-3f))
        fail_msg("found %.6g, expected %.6g", (double)found, (double)wanted);
}

#define VARIABLES                                                                                  \
    "skeleton = \"models/stick\" variables = [ { id = \"x\" name = \"x\" max = 1 }\n"              \
    "  { id = \"y\" name = \"y\" max = 1 } { id = \"z\" name = \"z\" max = 1 } ]\n"
#define CLIP(id, clip)                                                                             \
    "{ id = \"" id "\" type = \"clip\" name = \"" id "\" animation = \"clips/" clip "\" }\n"

// --- Additive clips ------------------------------------------------------------------------------

static void adds_several_clips_of_one_tree(void **state) {
    (void)state;
    animate(VARIABLES
            "layers = [ { id = \"l\" name = \"l\" start = \"s\" states = [\n"
            "{ id = \"s\" type = \"tree\" name = \"s\" root = \"both\" nodes = [\n"
            "{ id = \"both\" type = \"add\" name = \"both\" a = \"one\" b = \"sink\" by = \"y\" }\n"
            "{ id = \"one\" type = \"add\" name = \"one\" a = \"idle\" b = \"lift\" by = \"x\" "
            "}\n" CLIP("idle", "idle") CLIP("lift", "lift") CLIP("sink", "sink") "] } ] } ]");
    ct_world_advance(world, 0.5);
    assert_near(height(), 1); // no weight yet
    set("x", 1);
    ct_world_advance(world, 0);
    assert_near(height(), 1.5f);
    set("y", 1);
    ct_world_advance(world, 0);
    assert_near(height(), 1.5f - 0.125f);
    set("x", 0.5f);
    set("y", 0.5f);
    ct_world_advance(world, 0.25);
    assert_near(height(), 1 + 0.5f * 0.75f - 0.5f * 0.1875f);
}

// Of a blend, each side brings what is added to it by its share.
static void blends_what_was_added(void **state) {
    (void)state;
    animate(VARIABLES "layers = [ { id = \"l\" name = \"l\" start = \"s\" states = [\n"
                      "{ id = \"s\" type = \"tree\" name = \"s\" root = \"blend\" nodes = [\n"
                      "{ id = \"blend\" type = \"lerp\" name = \"blend\" a = \"left\" b = "
                      "\"right\" by = \"x\" }\n"
                      "{ id = \"left\" type = \"add\" name = \"left\" a = \"idle\" b = \"lift\" by "
                      "= 1 }\n"
                      "{ id = \"right\" type = \"add\" name = \"right\" a = \"walk\" b = \"sink\" "
                      "by = \"y\" }\n" CLIP("idle", "idle") CLIP("walk", "walk")
                          CLIP("lift", "lift") CLIP("sink", "sink") "] } ] } ]");
    set("x", 0.75f);
    set("y", 0.5f);
    ct_world_advance(world, 0.5);
    assert_near(height(), 1 + 0.25f * 0.5f - 0.75f * 0.5f * 0.125f);
}

// --- Layers --------------------------------------------------------------------------------------

#define UPPER_WALK                                                                                 \
    VARIABLES                                                                                      \
    "layers = [ { id = \"l\" name = \"l\" start = \"idle\" states = [ " CLIP(                      \
        "idle",                                                                                    \
        "idle") "] }"                                                                              \
                "{ id = \"u\" name = \"u\" weight = \"x\" start = \"walk\" states = [ " CLIP(      \
                    "walk", "walk") "] } ]"

static void weights_curves_by_their_layers(void **state) {
    (void)state;
    static const float weights[] = {1, 0.5f, 0.25f};
    float value = 0;
    animate(UPPER_WALK);
    const ct_animation_instance i = ct_animation_lookup(characters, robot);
    const ct_string_id32 face = ct_string_id32_of("face"), smile = ct_string_id32_of("smile");
    ct_world_advance(world, 0.5); // the layer's weight is 0
    assert_true(!ct_animation_curve_value(characters, i, face, smile, &value) || value == 0);
    for (uint32_t k = 0; k < CT_COUNT_OF(weights); ++k) {
        set("x", weights[k]);
        ct_world_advance(world, 0);
        assert_true(ct_animation_curve_value(characters, i, face, smile, &value));
        assert_near(value, 0.5f * weights[k]);
    }
}

#define MASKED(mask, layer)                                                                        \
    VARIABLES                                                                                      \
    "masks = [ { id = \"m\" name = \"m\" joints = [ " mask " ] } ] layers = [ { id = \"l\" "       \
    "name = \"l\" start = \"idle\" states = [ " CLIP(                                              \
        "idle", "idle") "] }"                                                                      \
                        "{ id = \"u\" name = \"u\" mask = \"m\" " layer " ] } ]"
#define WAVES "start = \"wave\" states = [ " CLIP("wave", "wave")
#define LIFTS "additive = true start = \"lift\" states = [ " CLIP("lift", "lift")

static void masks_choose_joints(void **state) {
    (void)state;
    static const struct {
        const char *machine;
        float height;
    } cases[] = {
        {MASKED("{ id = \"j\" joint = \"n3\" }", WAVES), 1.5f},
        {MASKED("{ id = \"j\" joint = \"n2\" weight = 0.5 }", WAVES), 1.25f},
        {MASKED("{ id = \"j\" joint = \"n1\" } { id = \"k\" joint = \"n3\" weight = 0 }", WAVES),
         1},
        {MASKED("{ id = \"j\" joint = \"n3\" weight = 0.5 }", LIFTS), 1.25f},
    };
    for (uint32_t k = 0; k < CT_COUNT_OF(cases); ++k) {
        char name[16];
        snprintf(name, sizeof(name), "robot%u", k);
        animate_with(name, "models/stick", cases[k].machine);
        ct_world_advance(world, 0.5);
        assert_near(height(), cases[k].height);
        stop();
    }
}

// --- Warnings ------------------------------------------------------------------------------------

// A mask is for the joints of its skeleton, and so are the clips: nothing plays on another.
static void stays_at_rest_with_the_machine_of_another_skeleton(void **state) {
    (void)state;
    static const char masked[] = MASKED("{ id = \"j\" joint = \"n3\" }", WAVES);
    load_stick_as(&f, "models/other", 8);
    animate_with("robot", "models/other", masked);
    assert_true(is_logged("the animation \"clips/wave\" of the state machine \"robot\" is for the "
                          "skeleton \"models/stick\"; characters with the skeleton "
                          "\"models/other\" stay at rest in it"));
    assert_true(is_logged("the animation \"clips/idle\" of the state machine \"robot\" is for"));
    ct_world_advance(world, 0.5);
    assert_near(height(), 1);
    logged[0] = 0; // once for a clip
    stop();
    animate_with("robot", "models/other", masked);
    assert_string_equal(logged, "");
    // A skeleton with the same joints has the same hash; its name does not matter.
    load_stick_as(&f, "models/twin", 7);
    stop();
    animate_with("robot", "models/twin", masked);
    ct_world_advance(world, 0.5);
    assert_near(height(), 1.5f);
    assert_string_equal(logged, "");
}

static void counts_events_that_are_dropped(void **state) {
    (void)state;
    uint32_t count;
    animate(UPPER_WALK);
    ct_world_advance(world, 200); // two a second
    ct_animation_events(characters, &count);
    assert_int_equal(count, CT_STATE_MACHINE_MAX_EVENTS);
    assert_true(
        is_logged("a character with the state machine \"robot\" had more than 256 events in "
                  "one step; 144 were left out; update in smaller steps"));
    logged[0] = 0; // once
    ct_world_advance(world, 200);
    assert_string_equal(logged, "");
    ct_world_advance(world, 100);
    ct_animation_events(characters, &count);
    assert_int_equal(count, 200);
}

static void counts_events_of_fades_that_are_dropped(void **state) {
    (void)state;
    uint32_t id;
    ct_error error = {0};
    const ct_animation_data data = {.skeleton = ct_string_id64_register("models/stick")};
    const ct_animation_instance i = ct_animation_create(characters, robot, 1, &data);
    assert_true(ct_animation_crossfade(characters, i, ct_string_id64_of("clips/walk"), 0, 0, true,
                                       false, &id, &error));
    assert_true(ct_animation_set_crossfade_speed(characters, i, id, -1));
    ct_world_advance(world, 200);
    assert_true(is_logged("a character with the skeleton \"models/stick\" had more than 256 events "
                          "in one step; 144 were left out"));
}

#define ROBOT_TEST(test) cmocka_unit_test_setup_teardown(test, set_up_robot, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        ROBOT_TEST(adds_several_clips_of_one_tree),
        ROBOT_TEST(blends_what_was_added),
        ROBOT_TEST(weights_curves_by_their_layers),
        ROBOT_TEST(masks_choose_joints),
        ROBOT_TEST(stays_at_rest_with_the_machine_of_another_skeleton),
        ROBOT_TEST(counts_events_that_are_dropped),
        ROBOT_TEST(counts_events_of_fades_that_are_dropped),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
