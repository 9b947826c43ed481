// Lines of shapes and contacts: how many, where and in which colour.
#include <math.h>

#include "foundation/math/math.h"
#include "physics/actor/actor_fixture.h"

enum { MOST_LINES = 4096 };

typedef struct drawn {
    uint32_t num_lines;
    float colors[MOST_LINES][4];
    ct_vec3 from[MOST_LINES], to[MOST_LINES];
} drawn;

static drawn lines;

static void keep_line(void *user, ct_vec3 from, ct_vec3 to, const float color[4]) {
    drawn *const d = user;
    assert_true(d->num_lines < MOST_LINES);
    for (uint32_t i = 0; i < 4; ++i)
        d->colors[d->num_lines][i] = color[i];
    d->from[d->num_lines] = from;
    d->to[d->num_lines++] = to;
}

static void draw(actor_fixture *f, uint32_t flags, float x, float radius) {
    lines.num_lines = 0;
    ct_physics_world_draw(f->world, flags, ct_vec3_make(x, 0, 0), radius, keep_line, &lines);
}

// Asserts that there are `count` lines, all of this colour.
static void assert_lines(uint32_t count, float r, float g, float b) {
    assert_int_equal(lines.num_lines, count);
    for (uint32_t i = 0; i < count; ++i) {
        assert_float_equal(lines.colors[i][0], r, 1e-6);
        assert_float_equal(lines.colors[i][1], g, 1e-6);
        assert_float_equal(lines.colors[i][2], b, 1e-6);
        assert_float_equal(lines.colors[i][3], 1, 1e-6);
    }
}

static ct_actor box(actor_fixture *f, float x, float z, uint32_t body) {
    return make_actor(f, make_entity(f, x, 0, z), body, box_shape(1, 1, 1));
}

static void a_box_has_twelve_edges_in_the_colour_of_its_body(void **state) {
    (void)state;
    actor_fixture f = start_actors();
    ct_actor a = box(&f, 0, 0, CT_ACTOR_DYNAMIC);
    draw(&f, CT_PHYSICS_DRAW_SHAPES, 0, 10);
    assert_lines(12, 1, 1, 1);
    for (uint32_t i = 0; i < 12; ++i) {
        assert_float_equal(ct_vec3_length(ct_vec3_sub(lines.to[i], lines.from[i])), 2, 1e-4);
        for (uint32_t axis = 0; axis < 3; ++axis)
            assert_float_equal(fabsf(lines.from[i].raw[axis]), 1, 1e-4);
    }
    ct_bullet_body_sleep(ct_actor_bullet(f.world, a));
    draw(&f, CT_PHYSICS_DRAW_SHAPES, 0, 10);
    assert_lines(12, 0.5f, 0.5f, 0.5f);
    ct_bullet_body_wake(ct_actor_bullet(f.world, a));
    draw(&f, CT_PHYSICS_DRAW_SHAPES, 0, 10);
    assert_lines(12, 1, 1, 1);
    ct_actor_destroy(f.world, a);
    a = box(&f, 0, 0, CT_ACTOR_STATIC);
    draw(&f, CT_PHYSICS_DRAW_SHAPES, 0, 10);
    assert_lines(12, 0.2f, 0.8f, 0.2f);
    ct_actor_destroy(f.world, a);
    box(&f, 0, 0, CT_ACTOR_KEYFRAMED);
    draw(&f, CT_PHYSICS_DRAW_SHAPES, 0, 10);
    assert_lines(12, 0.3f, 0.5f, 1);
    stop_actors(&f);
}

static void only_what_is_asked_for_is_drawn(void **state) {
    (void)state;
    actor_fixture f = start_actors();
    box(&f, 0, 0, CT_ACTOR_STATIC);
    box(&f, 0, 1.99f, CT_ACTOR_DYNAMIC);
    run(&f, 1);
    draw(&f, 0, 0, 10);
    assert_int_equal(lines.num_lines, 0);
    draw(&f, CT_PHYSICS_DRAW_MOVERS, 0, 10);
    assert_int_equal(lines.num_lines, 0);
    draw(&f, CT_PHYSICS_DRAW_SHAPES, 0, 10);
    assert_int_equal(lines.num_lines, 24);
    draw(&f, CT_PHYSICS_DRAW_ALL, 0, 10);
    assert_int_equal(lines.num_lines, 25);
    stop_actors(&f);
}

static void only_lines_nearer_than_the_radius_are_drawn(void **state) {
    (void)state;
    actor_fixture f = start_actors();
    // The four edges at x = 99 are 98 m away, those along x begin there, those at x = 101 are
    // farther.
    box(&f, 100, 0, CT_ACTOR_STATIC);
    draw(&f, CT_PHYSICS_DRAW_SHAPES, 1, 97.9f);
    assert_int_equal(lines.num_lines, 0);
    draw(&f, CT_PHYSICS_DRAW_SHAPES, 1, 99);
    assert_int_equal(lines.num_lines, 8);
    draw(&f, CT_PHYSICS_DRAW_SHAPES, 1, 101);
    assert_int_equal(lines.num_lines, 12);
    draw(&f, CT_PHYSICS_DRAW_SHAPES, 200, 101); // from the other side
    assert_int_equal(lines.num_lines, 8);
    stop_actors(&f);
}

static void contacts_lie_along_the_normal_and_stay_while_both_rest(void **state) {
    (void)state;
    actor_fixture f = start_actors();
    box(&f, 0, 0, CT_ACTOR_STATIC);
    const ct_actor crate = box(&f, 0, 1.99f, CT_ACTOR_DYNAMIC);
    run(&f, 1);
    draw(&f, CT_PHYSICS_DRAW_CONTACTS, 0, 10);
    assert_lines(1, 1, 0.2f, 0.2f);
    assert_float_equal(fabsf(lines.to[0].z - lines.from[0].z), 0.3, 1e-3);
    assert_float_equal(lines.from[0].z, 1, 0.05);
    run(&f, 400);
    assert_true(ct_bullet_body_is_asleep(ct_actor_bullet(f.world, crate)));
    draw(&f, CT_PHYSICS_DRAW_CONTACTS, 0, 10);
    assert_lines(1, 0.5f, 0.5f, 0.5f);
    draw(&f, CT_PHYSICS_DRAW_CONTACTS, 20, 10);
    assert_lines(0, 0, 0, 0);
    ct_actor_teleport(f.world, crate,
                      (ct_rigid_pose){{{0, 0, 50}}, .rotation = ct_quat_identity()});
    run(&f, 2);
    draw(&f, CT_PHYSICS_DRAW_CONTACTS, 0, 100);
    assert_lines(0, 0, 0, 0);
    stop_actors(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_has_twelve_edges_in_the_colour_of_its_body),
        cmocka_unit_test(only_what_is_asked_for_is_drawn),
        cmocka_unit_test(only_lines_nearer_than_the_radius_are_drawn),
        cmocka_unit_test(contacts_lie_along_the_normal_and_stay_while_both_rest),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
