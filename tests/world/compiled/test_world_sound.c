// What sounds of a world meet: rooms with reverb in levels, and walls of its physics.
#include <math.h>

#include "foundation/math/math.h"
#include "sound/sound_system_private.h"
#include "world/compiled_fixture.h"
#include "world/world_sound.h"

static world_fixture f;

static int start(void **state) {
    test_group_setup(state);
    f = start_world();
    return 0;
}

static int stop(void **state) {
    stop_world(&f);
    return test_group_teardown(state);
}

static void expect_gain(float found, float db) {
    assert_float_equal(found, powf(10, db / 20), 1e-4f);
}

// --- Reverb --------------------------------------------------------------------------------------

static ct_level load_rooms(void) {
    const char *const project = test_scratch_folder();
    ct_error error = {0};
    write_text(project, "rooms.level",
               "volumes = [\n"
               "  { id = \"a\" name = \"hall\" half_size = [2 2 2] reverb = -6 reverb_fade = 4 }\n"
               "  { id = \"b\" name = \"cave\" position = [1 0 0] half_size = [1 1 1] reverb = 3\n"
               "    reverb_fade = 0 }\n"
               "  { id = \"c\" name = \"dry\" position = [50 0 0] half_size = [1 1 1] } ]");
    load_compiled(&f, project, "level", "rooms");
    const ct_level level = ct_world_spawn_level(f.world, "rooms", ct_vec3_make(0, 0, 0),
                                                ct_quat_identity(), ct_vec3_make(1, 1, 1), &error);
    if (!level.id)
        fail_msg("%s", error.message);
    return level;
}

static float reverb_at(float x) {
    return ct_world_reverb_at(f.world, &(ct_vec3){{x, 0, 0}}, 1);
}

static void the_strongest_volume_counts(void **state) {
    (void)state;
    assert_float_equal(reverb_at(0), 0, 0);
    const ct_level level = load_rooms();
    expect_gain(reverb_at(-1), -6);
    expect_gain(reverb_at(1.5f), 3); // in both
    assert_float_equal(reverb_at(50), 0, 0);
    assert_float_equal(reverb_at(20), 0, 0);
    const ct_vec3 places[] = {{{50, 0, 0}}, {{-1, 0, 0}}};
    expect_gain(ct_world_reverb_at(f.world, places, 2), -6);
    ct_world_destroy_level(f.world, level);
    assert_float_equal(reverb_at(0), 0, 0);
}

static void fades_away_outside(void **state) {
    (void)state;
    load_rooms();
    assert_float_equal(reverb_at(-4), 0.5f * powf(10, -6.0f / 20), 1e-4f);
    assert_float_equal(reverb_at(-6.5f), 0, 0);
    assert_float_equal(reverb_at(2.1f), (1 - 0.1f / 4) * powf(10, -6.0f / 20), 1e-3f);
}

static float place_send(void) {
    return ct_world_sounds(f.world)->place_send;
}

static void a_world_sends_as_its_listeners_say(void **state) {
    (void)state;
    load_rooms();
    ct_world_advance(f.world, 0.1);
    assert_float_equal(place_send(), 0, 0);
    ct_sound_listeners_place(ct_world_sound_listeners(f.world), 0, ct_vec3_make(-1, 0, 0),
                             ct_quat_identity(), true);
    ct_world_advance(f.world, 0.1);
    assert_float_equal(place_send(), 0.2f, 1e-4f); // it fades there
    for (uint32_t i = 0; i < 5; ++i)
        ct_world_advance(f.world, 0.1);
    expect_gain(place_send(), -6);
    ct_world_set_reverb(f.world, true, 0);
    for (uint32_t i = 0; i < 5; ++i)
        ct_world_advance(f.world, 0.1);
    assert_float_equal(place_send(), 0, 0);
    ct_world_set_reverb(f.world, false, 0);
    for (uint32_t i = 0; i < 5; ++i)
        ct_world_advance(f.world, 0.1);
    expect_gain(place_send(), -6);
}

// --- Occlusion -----------------------------------------------------------------------------------

static void add_wall(float x, float y, float half_width) {
    const ct_actor_data none = {.given = 0};
    ct_actor_data data;
    ct_actor_data_combine(NULL, &none, &data);
    data.body = CT_ACTOR_STATIC;
    data.given = CT_ACTOR_GIVEN_MASK;
    const ct_actor_shape_data shape = {
        .type = CT_ACTOR_SHAPE_BOX, .rotation = {0, 0, 0, 1}, .half_size = {half_width, 0.1f, 5}};
    ct_error error = {0};
    const ct_actor_desc desc = {.pose = {{{x, y, 0}}, .rotation = ct_quat_identity()},
                                .data = &data,
                                .shapes = &shape,
                                .num_shapes = 1};
    if (!ct_actor_create(ct_world_physics(f.world), &desc, &error).id)
        fail_msg("%s", error.message);
}

static float occlusion_of(float x, float y, float radius) {
    const ct_vec3 source = {{x, y, 0}};
    float occlusion = -1;
    ct_world_occlude_sounds(f.world, ct_vec3_make(0, 0, 0), &source, &radius, 1, &occlusion);
    return occlusion;
}

static void walls_hide_what_is_behind_them(void **state) {
    (void)state;
    assert_float_equal(occlusion_of(0, 10, 0.5f), 0, 0);
    add_wall(0, 5, 3);
    ct_world_advance(f.world, 0.1);
    assert_float_equal(occlusion_of(0, 10, 0.5f), 1, 0);
    assert_float_equal(occlusion_of(0, -10, 0.5f), 0, 0);
    assert_float_equal(occlusion_of(0, 4, 0.5f), 0, 0);
    assert_float_equal(occlusion_of(0, 10, 0), 0, 0); // no rays
    assert_float_equal(occlusion_of(0, 0, 0.5f), 0, 0);
}

static void an_edge_hides_a_part(void **state) {
    (void)state;
    add_wall(-3, 5, 3); // up to x 0
    ct_world_advance(f.world, 0.1);
    const float part = occlusion_of(0, 10, 1);
    assert_true(part > 0 && part < 1);
}

static void a_body_does_not_hide_its_own_sound(void **state) {
    (void)state;
    add_wall(0, 10, 0.1f);
    ct_world_advance(f.world, 0.1);
    assert_float_equal(occlusion_of(0, 10, 0.5f), 0, 0);
}

static void answers_for_many_sources_at_once(void **state) {
    (void)state;
    enum { COUNT = 100 };
    ct_vec3 sources[COUNT];
    float radii[COUNT], occlusion[COUNT];
    add_wall(0, 5, 3);
    ct_world_advance(f.world, 0.1);
    for (uint32_t i = 0; i < COUNT; ++i) {
        sources[i] = ct_vec3_make(0, i % 3 == 0 ? 10 : -10, 0);
        radii[i] = i % 5 == 0 ? 0 : 0.5f;
    }
    ct_world_occlude_sounds(f.world, ct_vec3_make(0, 0, 0), sources, radii, COUNT, occlusion);
    for (uint32_t i = 0; i < COUNT; ++i) {
        const bool is_hidden = i % 3 == 0 && i % 5 != 0;
        assert_float_equal(occlusion[i], (is_hidden ? 1 : 0), 0);
    }
}

// --- Worlds --------------------------------------------------------------------------------------

static void a_world_without_sound_has_none(void **state) {
    (void)state;
    ct_world_system *const system = ct_world_system_create(&(ct_world_system_desc){
        .allocator = f.allocator, .resources = f.resources, .renderer = recorder});
    ct_world *const w = ct_world_create(system);
    assert_null(ct_world_sounds(w));
    assert_null(ct_world_sound_sources(w));
    assert_null(ct_world_sound_listeners(w));
    assert_null(ct_world_system_sound(system));
    ct_world_advance(w, 0.1);
    ct_world_system_destroy(system);
}

#define WORLD_TEST(test) cmocka_unit_test_setup_teardown(test, start, stop)

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(the_strongest_volume_counts),
        WORLD_TEST(fades_away_outside),
        WORLD_TEST(a_world_sends_as_its_listeners_say),
        WORLD_TEST(walls_hide_what_is_behind_them),
        WORLD_TEST(an_edge_hides_a_part),
        WORLD_TEST(a_body_does_not_hide_its_own_sound),
        WORLD_TEST(answers_for_many_sources_at_once),
        WORLD_TEST(a_world_without_sound_has_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
