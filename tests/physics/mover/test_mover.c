// The parts of movers: shapes, planes, normals at edges of triangles.
#include "physics/mover/mover_private.h"

#include <math.h>

#include "foundation/math/math.h"
#include "physics/mover/course_check.h"

static void checks_shapes_from_outside(void **state) {
    (void)state;
    const ct_mover_shape fine = course_mover_shape(ct_vec3_make(0, 0, 1));
    assert_true(ct_mover_shape_is_valid(&fine));
    const struct {
        float radius, height, skin, step, slope, mass, force, up;
    } bad[] = {
        {0, 1.8f, 0.02f, 0.3f, 0.7f, 80, 600, 1},    {0.4f, 0.7f, 0.02f, 0.3f, 0.7f, 80, 600, 1},
        {0.4f, 1.8f, 0, 0.3f, 0.7f, 80, 600, 1},     {0.4f, 1.8f, 0.5f, 0.3f, 0.7f, 80, 600, 1},
        {0.4f, 1.8f, 0.02f, -1, 0.7f, 80, 600, 1},   {0.4f, 1.8f, 0.02f, 0.3f, 2, 80, 600, 1},
        {0.4f, 1.8f, 0.02f, 0.3f, 0.7f, -1, 600, 1}, {0.4f, 1.8f, 0.02f, 0.3f, 0.7f, 80, -1, 1},
        {0.4f, 1.8f, 0.02f, 0.3f, 0.7f, 80, 600, 2}, {NAN, 1.8f, 0.02f, 0.3f, 0.7f, 80, 600, 1},
        {0.4f, NAN, 0.02f, 0.3f, 0.7f, 80, 600, 1},  {0.4f, 1.8f, 0.02f, 0.3f, NAN, 80, 600, 1},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(bad); ++i) {
        const ct_mover_shape shape = {
            bad[i].radius, bad[i].height, bad[i].skin,  bad[i].step,
            bad[i].slope,  bad[i].mass,   bad[i].force, ct_vec3_make(0, 0, bad[i].up)};
        assert_false(ct_mover_shape_is_valid(&shape));
    }
}

static void clips_by_planes(void **state) {
    (void)state;
    const ct_vec3 planes[] = {{{-1, 0, 0}}, {{0, -1, 0}}, {{0, 0, 1}}};
    ct_vec3 out = ct_mover_clip(ct_vec3_make(1, 2, -3), planes, 1);
    assert_true(out.x == 0 && out.y == 2 && out.z == -3);
    out = ct_mover_clip(ct_vec3_make(1, 2, -3), planes, 2);
    assert_true(out.x == 0 && out.y == 0 && out.z == -3);
    out = ct_mover_clip(ct_vec3_make(1, 2, -3), planes, 3);
    assert_true(ct_vec3_length(out) == 0);
    out = ct_mover_clip(ct_vec3_make(-1, -2, 3), planes, 3);
    assert_true(out.x == -1 && out.y == -2 && out.z == 3);
}

// --- Edges ---------------------------------------------------------------------------------------

// The normal that a hit at (0, y, z) with a normal in the y z plane is corrected to. `other`: some
// point of the triangle that was hit.
static ct_vec3 correct(course_world *w, ct_vec3 position, ct_vec3 normal, ct_vec3 direction,
                       float triangle_y) {
    ct_mover_contacts contacts = {0};
    ct_mover_run run;
    ct_mover_run_init(&run, w->bullet, w->tools, &w->find, &contacts, w->mover.position);
    run.bodies = &w->lookup;
    // The triangle's number: by a ray down onto it.
    ct_bullet_hit hit;
    const ct_vec3 above = ct_vec3_make(position.x + 0.01f, triangle_y, 5);
    assert_true(ct_bullet_ray(w->bullet, above, ct_mover_along(above, w->up, -10), &w->find, &hit));
    assert_true(hit.triangle != UINT32_MAX);
    hit.position = position;
    hit.normal = ct_vec3_normalize(normal);
    return ct_mover_edge_normal(&run, &hit, ct_vec3_normalize(direction));
}

static void expect_normal(ct_vec3 found, float y, float z) {
    const ct_vec3 expected = ct_vec3_normalize(ct_vec3_make(0, y, z));
    if (ct_vec3_length(ct_vec3_sub(found, expected)) > 0.002f)
        fail_msg("the normal is %g %g %g; expected %g %g %g", (double)found.x, (double)found.y,
                 (double)found.z, (double)expected.x, (double)expected.y, (double)expected.z);
}

static void takes_the_normal_of_a_flat_surface_at_its_edges(void **state) {
    (void)state;
    course_world *const w = course_start("mesh floor"); // edges at y = 0.5, 1, …
    const ct_vec3 edge = ct_vec3_make(0.05f, 1, 0), forward = ct_vec3_make(0, 1, -0.2f);
    expect_normal(correct(w, edge, ct_vec3_make(0, 0.5f, 1), forward, 0.99f), 0, 1);
    expect_normal(correct(w, edge, ct_vec3_make(0, -0.5f, 1), forward, 1.01f), 0, 1);
    course_close(w);
}

static void takes_the_surface_it_moves_into_at_a_concave_edge(void **state) {
    (void)state;
    course_world *const w = course_start("mesh hill"); // at y = 2 it rises by 20 degrees
    const ct_vec3 edge = ct_vec3_make(0.05f, 2, 0), tilted = ct_vec3_make(0, 0.5f, 1);
    const float sine = sinf(0.34906585f), cosine = cosf(0.34906585f);
    expect_normal(correct(w, edge, tilted, ct_vec3_make(0, 1, 0), 1.99f), -sine, cosine);
    expect_normal(correct(w, edge, tilted, ct_vec3_make(0, -1, -0.1f), 1.99f), 0, 1);
    course_close(w);
}

static void keeps_normals_between_the_surfaces_of_a_convex_edge(void **state) {
    (void)state;
    course_world *const w = course_start("mesh ridge"); // 30 degrees up, and down from y = 5
    const ct_vec3 edge = ct_vec3_make(0.05f, 5, 1.7320508f), down = ct_vec3_make(0, 0, -1);
    expect_normal(correct(w, edge, ct_vec3_make(0, 0, 1), down, 4.99f), 0, 1);
    expect_normal(correct(w, edge, ct_vec3_make(0, 0.2f, 1), down, 4.99f), 0.2f, 1);
    // Beyond the other surface's normal there is none.
    expect_normal(correct(w, edge, ct_vec3_make(0, 1.5f, 1), down, 4.99f), 0.5f, 0.8660254f);
    course_close(w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checks_shapes_from_outside),
        cmocka_unit_test(clips_by_planes),
        cmocka_unit_test(takes_the_normal_of_a_flat_surface_at_its_edges),
        cmocka_unit_test(takes_the_surface_it_moves_into_at_a_concave_edge),
        cmocka_unit_test(keeps_normals_between_the_surfaces_of_a_convex_edge),
    };
    return cmocka_run_group_tests(tests, course_setup, course_teardown);
}
