// Lines of a world's physics: when they are sent, around which cameras, and how many.
#include "foundation/math/math.h"
#include "world/world_fixture.h"

enum { MOST_LINES = 50000, BOX_LINES = 12 };

static void add_box(world_fixture *f, float x) {
    const ct_actor_data none = {.given = 0};
    ct_actor_data data;
    ct_actor_data_combine(NULL, &none, &data);
    data.body = CT_ACTOR_STATIC;
    data.given = CT_ACTOR_GIVEN_MASK;
    const ct_actor_shape_data shape = {
        .type = CT_ACTOR_SHAPE_BOX, .rotation = {0, 0, 0, 1}, .half_size = {1, 1, 1}};
    ct_error error = {0};
    const ct_actor_desc desc = {.pose = {{{x, 0, 0}}, .rotation = ct_quat_identity()},
                                .data = &data,
                                .shapes = &shape,
                                .num_shapes = 1};
    if (!ct_actor_create(ct_world_physics(f->world), &desc, &error).id)
        fail_msg("%s", error.message);
}

// Renders the world through `count` cameras at these places along x, as a script does.
static void render_at(world_fixture *f, const float *x, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        ct_world_send_changes(f->world);
        const ct_render_view view = {.pose =
                                         ct_mat4_compose(ct_vec3_make(x[i], 0, 0),
                                                         ct_quat_identity(), ct_vec3_make(1, 1, 1)),
                                     .projection = ct_mat4_identity()};
        ct_world_add_view(f->world, &view);
    }
}

// Returns the lines that a frame with these cameras sends.
static uint32_t lines_at(world_fixture *f, const float *x, uint32_t count) {
    const uint32_t before = recorded()->num_line_vertices;
    ct_world_advance(f->world, 1.0 / 60);
    render_at(f, x, count);
    return (recorded()->num_line_vertices - before) / 2;
}

static void lines_are_sent_once_in_a_frame_while_it_is_on(void **state) {
    (void)state;
    world_fixture f = start_world();
    static const float x[] = {0, 0.1f};
    add_box(&f, 0);
    assert_int_equal(lines_at(&f, x, 1), 0);
    const uint64_t bytes = ct_allocator_stats_of(ct_world_allocator(f.world)).live_bytes;
    ct_world_set_physics_draw(f.world, CT_PHYSICS_DRAW_ALL, 50);
    assert_int_equal(lines_at(&f, x, 1), 0); // no camera rendered before
    assert_int_equal(lines_at(&f, x, 1), BOX_LINES);
    assert_int_equal(lines_at(&f, x, 2), BOX_LINES);
    assert_int_equal(lines_at(&f, x, 2), BOX_LINES); // near both cameras
    assert_int_equal(lines_at(&f, x, 0), 0);         // it is not rendered
    ct_world_set_physics_draw(f.world, CT_PHYSICS_DRAW_CONTACTS, 50);
    assert_int_equal(lines_at(&f, x, 1), 0);
    ct_world_set_physics_draw(f.world, 0, 50);
    assert_int_equal(lines_at(&f, x, 1), 0);
    assert_int_equal(ct_allocator_stats_of(ct_world_allocator(f.world)).live_bytes, bytes);
    stop_world(&f);
}

static void only_what_is_near_a_camera_of_the_last_frame_is_drawn(void **state) {
    (void)state;
    world_fixture f = start_world();
    static const float here[] = {0}, there[] = {1000}, both[] = {0, 1000};
    add_box(&f, 0);
    add_box(&f, 1000);
    add_box(&f, 1010);
    add_box(&f, 500);
    ct_world_set_physics_draw(f.world, CT_PHYSICS_DRAW_SHAPES, 50);
    lines_at(&f, here, 1);
    assert_int_equal(lines_at(&f, there, 1), BOX_LINES);
    assert_int_equal(lines_at(&f, both, 2), 2 * BOX_LINES);
    assert_int_equal(lines_at(&f, both, 2), 3 * BOX_LINES);
    ct_world_set_physics_draw(f.world, CT_PHYSICS_DRAW_SHAPES, 600);
    assert_int_equal(lines_at(&f, both, 2), 4 * BOX_LINES);
    stop_world(&f);
}

static void too_many_lines_are_cut_with_a_warning(void **state) {
    (void)state;
    world_fixture f = start_world();
    static const float x[] = {0};
    const uint64_t warnings = ct_log_warning_count("too_many_lines");
    for (uint32_t i = 0; i < MOST_LINES / BOX_LINES; ++i)
        add_box(&f, (float)i * 0.001f);
    ct_world_set_physics_draw(f.world, CT_PHYSICS_DRAW_SHAPES, 50);
    lines_at(&f, x, 1);
    assert_int_equal(lines_at(&f, x, 1), MOST_LINES / BOX_LINES * BOX_LINES);
    assert_int_equal(ct_log_warning_count("too_many_lines"), warnings);
    add_box(&f, 0);
    assert_int_equal(lines_at(&f, x, 1), MOST_LINES);
    assert_int_equal(lines_at(&f, x, 1), MOST_LINES);
    assert_int_equal(ct_log_warning_count("too_many_lines"), warnings + 1);
    stop_world(&f);
}

static void later_worlds_are_drawn_too(void **state) {
    (void)state;
    world_fixture f = start_world();
    static const float x[] = {0};
    ct_world *const first = f.world;
    ct_world_system_set_physics_draw(f.system, CT_PHYSICS_DRAW_SHAPES, 50);
    f.world = ct_world_create(f.system);
    add_box(&f, 0);
    lines_at(&f, x, 1);
    assert_int_equal(lines_at(&f, x, 1), BOX_LINES);
    ct_world_system_set_physics_draw(f.system, 0, 50);
    assert_int_equal(lines_at(&f, x, 1), 0);
    f.world = ct_world_create(f.system);
    add_box(&f, 0);
    lines_at(&f, x, 1);
    assert_int_equal(lines_at(&f, x, 1), 0);
    f.world = first;
    stop_world(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_sent_once_in_a_frame_while_it_is_on),
        cmocka_unit_test(only_what_is_near_a_camera_of_the_last_frame_is_drawn),
        cmocka_unit_test(too_many_lines_are_cut_with_a_warning),
        cmocka_unit_test(later_worlds_are_drawn_too),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
