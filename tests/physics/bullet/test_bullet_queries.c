// Queries against formulas: rays, sweeps, overlaps, nearest points, at many places and distances.
#include <math.h>

#include "foundation/math/math.h"
#include "physics/bullet/bullet_scene.h"

static scene s;

static float uniform(uint32_t *seed, float least, float most) {
    return least + (most - least) * (float)(test_random(seed) >> 8) / (float)(1 << 24);
}

static ct_vec3 random_point(uint32_t *seed, float reach) {
    const float x = uniform(seed, -reach, reach), y = uniform(seed, -reach, reach);
    return scene_at(x, y, uniform(seed, -reach, reach));
}

// --- Formulas ------------------------------------------------------------------------------------

// Where a line enters a ball, as a share of it; 2: not. Far lines need doubles.
static double ray_ball(ct_vec3 from, ct_vec3 to, ct_vec3 center, double radius) {
    double d[3], m[3], a = 0, b = 0, c = -radius * radius;
    for (int k = 0; k < 3; ++k) {
        d[k] = (double)to.raw[k] - (double)from.raw[k];
        m[k] = (double)from.raw[k] - (double)center.raw[k];
        a += d[k] * d[k], b += m[k] * d[k], c += m[k] * m[k];
    }
    const double root = b * b - a * c;
    if (root < 0)
        return 2;
    const double t = (-b - sqrt(root)) / a;
    return t >= 0 && t <= 1 ? t : 2;
}

static double ray_box(ct_vec3 from, ct_vec3 to, ct_vec3 center, ct_vec3 half) {
    double enter = 0, leave = 1;
    for (int k = 0; k < 3; ++k) {
        const double d = (double)to.raw[k] - (double)from.raw[k];
        const double a = (double)center.raw[k] - (double)half.raw[k] - (double)from.raw[k];
        const double b = (double)center.raw[k] + (double)half.raw[k] - (double)from.raw[k];
        if (d == 0 && (a > 0 || b < 0))
            return 2;
        enter = fmax(enter, fmin(a / d, b / d));
        leave = fmin(leave, fmax(a / d, b / d));
    }
    return enter <= leave ? enter : 2;
}

static void rays_meet_what_the_formulas_say(void **state) {
    (void)state;
    scene_begin(&s, 0);
    ct_bullet_shape *const ball = scene_shape(&s, CT_BULLET_SHAPE_SPHERE, 0.7f, 0, 0);
    ct_bullet_shape *const box = scene_shape(&s, CT_BULLET_SHAPE_BOX, 0.5f, 0.8f, 0.3f);
    uint32_t seed = 11;
    ct_vec3 at[100];
    for (uint32_t i = 0; i < 100; ++i) {
        at[i] = random_point(&seed, 20);
        scene_body(&s, CT_BULLET_STATIC, i % 2 ? box : ball, at[i]);
    }
    uint32_t num_hits = 0;
    for (uint32_t i = 0; i < 2000; ++i) {
        // The start is outside of all: beyond 25 m.
        ct_vec3 from = random_point(&seed, 20);
        from.x = i % 2 ? 30 : -30;
        const ct_vec3 to = random_point(&seed, 25);
        double first = 2;
        uint32_t id = 0, count = 0;
        for (uint32_t k = 0; k < 100; ++k) {
            const double t = k % 2 ? ray_box(from, to, at[k], scene_at(0.5f, 0.8f, 0.3f))
                                   : ray_ball(from, to, at[k], 0.7);
            count += t <= 1;
            if (t < first) {
                first = t;
                id = k + 1;
            }
        }
        ct_bullet_hit hit, all[32];
        const bool is_hit = ct_bullet_ray(s.world, from, to, &scene_find_all, &hit);
        const uint32_t found = ct_bullet_ray_all(s.world, from, to, &scene_find_all, all, 32);
        if (is_hit != (first <= 1) || found != count) {
            // Lines that graze are on either side.
            assert_true(found + 1 >= count && found <= count + 1);
            continue;
        }
        assert_int_equal(ct_bullet_ray_any(s.world, from, to, &scene_find_all), is_hit);
        for (uint32_t k = 1; k < found; ++k)
            assert_true(all[k - 1].fraction <= all[k].fraction);
        if (!is_hit)
            continue;
        ++num_hits;
        if (hit.id == id) { // not where two bodies cross each other
            assert_true(fabs((double)hit.fraction - first) < 1e-3);
            assert_true(fabsf(ct_vec3_length(hit.normal) - 1) < 1e-3f);
            assert_true(ct_vec3_dot(hit.normal, ct_vec3_sub(to, from)) <= 1e-3f);
        }
        assert_int_equal(all[0].id, hit.id);
        assert_true(hit.triangle == UINT32_MAX && hit.part == 0);
    }
    assert_in_range(num_hits, 80, 1900);
    scene_end(&s);
}

static void rays_do_not_meet_what_contains_their_start(void **state) {
    (void)state;
    scene_begin(&s, 0);
    const uint32_t kinds[] = {CT_BULLET_SHAPE_SPHERE, CT_BULLET_SHAPE_BOX, CT_BULLET_SHAPE_CAPSULE,
                              CT_BULLET_SHAPE_CYLINDER};
    uint32_t seed = 5;
    for (uint32_t i = 0; i < 4; ++i) {
        scene_body(&s, CT_BULLET_STATIC, scene_shape(&s, kinds[i], 1, 1, 1),
                   scene_at(10 * (float)i, 0, 0));
        for (uint32_t k = 0; k < 200; ++k) {
            const ct_vec3 inside = ct_vec3_scale(random_point(&seed, 1), 0.5f);
            const ct_vec3 from = ct_vec3_add(scene_at(10 * (float)i, 0, 0), inside);
            ct_vec3 way = random_point(&seed, 1);
            way = ct_vec3_scale(way, 4 / ct_vec3_length(way)); // not as far as the next
            ct_bullet_hit hit;
            assert_false(
                ct_bullet_ray(s.world, from, ct_vec3_add(from, way), &scene_find_all, &hit));
        }
    }
    scene_end(&s);
}

static void rays_may_start_near_what_they_meet(void **state) {
    (void)state;
    scene_begin(&s, 0);
    const uint32_t kinds[] = {CT_BULLET_SHAPE_SPHERE, CT_BULLET_SHAPE_BOX,
                              CT_BULLET_SHAPE_CYLINDER};
    const ct_bullet_find near = {.kinds = CT_BULLET_FIND_SOLID | CT_BULLET_FIND_NEAR,
                                 .filters = UINT32_MAX};
    for (uint32_t i = 0; i < CT_COUNT_OF(kinds); ++i) {
        const float x = 10 * (float)i;
        scene_body(&s, CT_BULLET_STATIC, scene_shape(&s, kinds[i], 1, 1, 1), scene_at(x, 0, 0));
        for (uint32_t k = 0; k < 10; ++k) {
            const float height = 0.002f + 0.005f * (float)k;
            ct_bullet_hit hit;
            assert_true(
                ct_bullet_ray(s.world, scene_at(x, 0, 1 + height), scene_at(x, 0, 0), &near, &hit));
            assert_float_equal(hit.position.z, 1, 1e-3);
            assert_true(hit.normal.z > 0.99f);
            // Away from it there is nothing.
            assert_false(
                ct_bullet_ray(s.world, scene_at(x, 0, 1 + height), scene_at(x, 0, 3), &near, &hit));
        }
    }
    scene_end(&s);
}

static void queries_see_what_they_ask_for(void **state) {
    (void)state;
    scene_begin(&s, 0);
    ct_bullet_shape *const ball = scene_shape(&s, CT_BULLET_SHAPE_SPHERE, 0.5f, 0, 0);
    for (uint32_t i = 0; i < 6; ++i) {
        const uint32_t kinds[6] = {CT_BULLET_STATIC, CT_BULLET_DYNAMIC, CT_BULLET_KINEMATIC,
                                   CT_BULLET_SENSOR, CT_BULLET_STATIC,  CT_BULLET_STATIC};
        ct_bullet_body_desc desc = scene_desc(&s, kinds[i], ball, scene_at(2 + 2 * (float)i, 0, 0));
        desc.filter = i;
        desc.flags = i == 4 ? CT_BULLET_NO_QUERIES : i == 5 ? CT_BULLET_NO_COLLISION : 0;
        scene_add(&s, &desc);
    }
    const ct_vec3 from = scene_at(0, 0, 0), to = scene_at(20, 0, 0);
    const ct_rigid_pose start = {from, scene_identity};
    for (uint32_t kinds = 0; kinds < 16; ++kinds) {
        for (uint32_t filters = 0; filters < 64; ++filters) {
            const ct_bullet_find find = {.kinds = kinds, .filters = filters};
            uint32_t expected[6], count = 0;
            const uint32_t bit[6] = {1, 2, 4, 8, 0, 1};
            for (uint32_t i = 0; i < 6; ++i) {
                if ((kinds & bit[i]) && (filters >> i & 1))
                    expected[count++] = i + 1;
            }
            ct_bullet_hit rays[8], sweeps[8], hit;
            assert_int_equal(ct_bullet_ray_all(s.world, from, to, &find, rays, 8), count);
            assert_int_equal(ct_bullet_sweep_all(s.world, ball, start, to, &find, sweeps, 8),
                             count);
            for (uint32_t i = 0; i < count; ++i) {
                assert_int_equal(rays[i].id, expected[i]);
                assert_int_equal(sweeps[i].id, expected[i]);
            }
            assert_int_equal(ct_bullet_ray(s.world, from, to, &find, &hit), count > 0);
            assert_true(count == 0 || hit.id == expected[0]);
            // Fewer than there are: the nearest.
            assert_int_equal(ct_bullet_ray_all(s.world, from, to, &find, rays, 1),
                             count < 1 ? count : 1);
            assert_true(count == 0 || rays[0].id == expected[0]);
        }
    }
    scene_end(&s);
}

static bool is_odd(void *user, uint32_t id) {
    ++*(uint32_t *)user;
    return id % 2;
}

static void queries_ask_who_is_accepted(void **state) {
    (void)state;
    scene_begin(&s, 0);
    ct_bullet_shape *const ball = scene_shape(&s, CT_BULLET_SHAPE_SPHERE, 0.5f, 0, 0);
    for (uint32_t i = 0; i < 6; ++i)
        scene_body(&s, CT_BULLET_STATIC, ball, scene_at(2 + 2 * (float)i, 0, 0));
    uint32_t num_asked = 0;
    const ct_bullet_find find = {
        .kinds = CT_BULLET_FIND_STATIC, .filters = 1, .accepts = is_odd, .user = &num_asked};
    ct_bullet_hit hits[8];
    const uint32_t count =
        ct_bullet_ray_all(s.world, scene_at(0, 0, 0), scene_at(20, 0, 0), &find, hits, 8);
    assert_int_equal(count, 3);
    assert_int_equal(num_asked, 6);
    assert_int_equal(hits[2].id, 5);
    scene_end(&s);
}

// --- Sweeps --------------------------------------------------------------------------------------

// Sweeps a ball at a ball and a box over `distance`. The mistake of floats grows with it.
static void sweep_over(float distance, float radius) {
    scene_begin(&s, 0);
    ct_bullet_shape *const swept = scene_shape(&s, CT_BULLET_SHAPE_SPHERE, radius, 0, 0);
    ct_bullet_shape *const ball = scene_shape(&s, CT_BULLET_SHAPE_SPHERE, 1, 0, 0);
    scene_body(&s, CT_BULLET_STATIC, ball, scene_at(1, 2, 3));
    uint32_t seed = 23, num_hits = 0;
    for (uint32_t i = 0; i < 500; ++i) {
        const ct_vec3 aim = ct_vec3_add(scene_at(1, 2, 3), random_point(&seed, 1.5f));
        ct_vec3 way = random_point(&seed, 1);
        way = ct_vec3_scale(way, distance / ct_vec3_length(way));
        const ct_vec3 from = ct_vec3_sub(aim, ct_vec3_scale(way, 0.6f));
        const ct_vec3 to = ct_vec3_add(aim, ct_vec3_scale(way, 0.4f));
        const double t = ray_ball(from, to, scene_at(1, 2, 3), 1 + (double)radius);
        const double nearly = ray_ball(from, to, scene_at(1, 2, 3), 0.98 * (1 + (double)radius));
        ct_bullet_hit hit;
        const bool is_hit = ct_bullet_sweep(s.world, swept, (ct_rigid_pose){from, scene_identity},
                                            to, &scene_find_all, &hit);
        if (nearly <= 1)
            assert_true(is_hit); // none is missed
        if (t > 1)
            assert_true(!is_hit || hit.fraction > 0.59f); // it grazes
        if (!is_hit || nearly > 1)
            continue;
        ++num_hits;
        const double metres = fabs((double)hit.fraction - t) * (double)distance;
        assert_true(metres < 0.02 + 2e-6 * (double)distance);
        assert_true(ct_vec3_dot(hit.normal, way) < 0);
        const float off = ct_vec3_length(ct_vec3_sub(hit.position, scene_at(1, 2, 3)));
        assert_true(fabsf(off - 1) < 0.02f + 2e-6f * distance);
    }
    assert_true(num_hits > 100);
    scene_end(&s);
}

// Sweeps a capsule at a box, whose formulas bound what is exact.
static void sweep_at_box(uint32_t kind, float distance, float radius) {
    scene_begin(&s, 0);
    ct_bullet_shape *const swept = scene_shape(&s, kind, radius, radius, radius);
    const ct_vec3 center = scene_at(1, 2, 3), half = scene_at(1, 0.5f, 2);
    static const float points[] = {-1, -0.5f, -2, 1, -0.5f, -2, 1, 0.5f, -2, -1, 0.5f, -2,
                                   -1, -0.5f, 2,  1, -0.5f, 2,  1, 0.5f, 2,  -1, 0.5f, 2};
    static const uint32_t indices[] = {0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4,
                                       3, 6, 2, 3, 7, 6, 0, 4, 7, 0, 7, 3, 1, 2, 6, 1, 6, 5};
    const ct_bullet_triangles triangles = {
        .points = points, .num_points = 8, .indices = indices, .num_indices = 36};
    const ct_bullet_shape_part mesh = {.kind = CT_BULLET_SHAPE_MESH,
                                       .pose = {.rotation = scene_identity},
                                       .size = scene_at(1, 1, 1),
                                       .triangles = &triangles};
    ct_bullet_shape *const targets[2] = {
        scene_shape(&s, CT_BULLET_SHAPE_BOX, half.x, half.y, half.z),
        s.shapes[s.num_shapes++] = ct_bullet_shape_create(&mesh, 1)};
    uint32_t seed = 29;
    for (uint32_t i = 0; i < 600; ++i) {
        if (i % 300 == 0) {
            if (i > 0)
                scene_pop(&s);
            scene_body(&s, CT_BULLET_STATIC, targets[i / 300], center);
        }
        const ct_vec3 aim = ct_vec3_add(center, random_point(&seed, 2.5f));
        ct_vec3 way = random_point(&seed, 1);
        way = ct_vec3_scale(way, distance / ct_vec3_length(way));
        const ct_vec3 from = ct_vec3_sub(aim, ct_vec3_scale(way, 0.6f));
        const ct_vec3 to = ct_vec3_add(aim, ct_vec3_scale(way, 0.4f));
        const float mistake = 0.03f + 3e-6f * distance, reach = 2 * radius + mistake;
        const ct_vec3 most = ct_vec3_add(half, scene_at(reach, reach, reach));
        const ct_vec3 least = ct_vec3_sub(half, scene_at(mistake, mistake, mistake));
        const double earliest = ray_box(from, to, center, most);
        const double latest = ray_box(from, to, center, least);
        ct_bullet_hit hit;
        const bool is_hit = ct_bullet_sweep(s.world, swept, (ct_rigid_pose){from, scene_identity},
                                            to, &scene_find_all, &hit);
        if (latest <= 1)
            assert_true(is_hit); // none is missed
        if (!is_hit)
            continue;
        assert_true(earliest <= 1 && (double)hit.fraction > earliest - 1e-4);
        assert_true((double)hit.fraction < latest + 1e-4);
        assert_true(ct_vec3_dot(hit.normal, way) < 0);
        const ct_vec3 on = ct_vec3_sub(hit.position, center);
        for (int k = 0; k < 3; ++k)
            assert_true(fabsf(on.raw[k]) < half.raw[k] + 2 * mistake);
        assert_int_equal(hit.triangle == UINT32_MAX, i < 300);
    }
    scene_end(&s);
}

static void sweeps_meet_at_any_distance_and_size(void **state) {
    (void)state;
    const float distances[] = {20, 60, 300, 3000, 10000};
    const float radii[] = {0.001f, 0.05f, 0.5f};
    for (uint32_t i = 0; i < 5; ++i) {
        for (uint32_t k = 0; k < 3; ++k) {
            sweep_over(distances[i], radii[k]);
            sweep_at_box(CT_BULLET_SHAPE_CAPSULE, distances[i], radii[k]);
            sweep_at_box(CT_BULLET_SHAPE_BOX, distances[i], radii[k]);
        }
    }
}

static void sweeps_that_start_inside_lead_out(void **state) {
    (void)state;
    scene_begin(&s, 0);
    scene_body(&s, CT_BULLET_STATIC, scene_shape(&s, CT_BULLET_SHAPE_BOX, 1, 1, 1),
               scene_at(0, 0, 0));
    ct_bullet_shape *const ball = scene_shape(&s, CT_BULLET_SHAPE_SPHERE, 0.5f, 0, 0);
    const ct_rigid_pose start = {scene_at(1.3f, 0, 0), scene_identity}; // 0.2 m inside
    ct_bullet_hit hit;
    assert_true(ct_bullet_sweep(s.world, ball, start, scene_at(-5, 0, 0), &scene_find_all, &hit));
    assert_true(hit.fraction == 0 && hit.normal.x > 0.99f);
    assert_true(ct_bullet_sweep(s.world, ball, start, scene_at(-5, 3, 0), &scene_find_all, &hit));
    assert_true(hit.fraction == 0 && hit.normal.x > 0.99f);
    // What it moves out of is not in its way.
    assert_false(ct_bullet_sweep(s.world, ball, start, scene_at(5, 0, 0), &scene_find_all, &hit));
    scene_end(&s);
}

// --- Overlaps and nearest points -----------------------------------------------------------------

static void overlaps_know_how_deep(void **state) {
    (void)state;
    scene_begin(&s, 0);
    ct_bullet_shape *const ball = scene_shape(&s, CT_BULLET_SHAPE_SPHERE, 1, 0, 0);
    ct_bullet_shape *const probe = scene_shape(&s, CT_BULLET_SHAPE_SPHERE, 0.5f, 0, 0);
    uint32_t seed = 31;
    ct_vec3 at[60];
    for (uint32_t i = 0; i < 60; ++i) {
        at[i] = random_point(&seed, 5);
        scene_body(&s, CT_BULLET_STATIC, ball, at[i]);
    }
    for (uint32_t i = 0; i < 300; ++i) {
        const ct_vec3 p = random_point(&seed, 5);
        const float reach = i % 2 ? 0 : 0.8f;
        ct_bullet_overlap found[64];
        const uint32_t count = ct_bullet_overlaps(
            s.world, probe, (ct_rigid_pose){p, scene_identity}, reach, &scene_find_all, found, 64);
        uint32_t n = 0;
        float nearest = 1e9f;
        for (uint32_t k = 0; k < 60; ++k) {
            const ct_vec3 away = ct_vec3_sub(p, at[k]);
            const float distance = ct_vec3_length(away) - 1.5f;
            nearest = fminf(nearest, ct_vec3_length(away) - 1);
            if (distance > reach - 1e-4f && distance < reach + 1e-4f)
                n = UINT32_MAX; // on the edge
            if (n == UINT32_MAX || distance > reach)
                continue;
            assert_true(n < count && found[n].id == k + 1);
            assert_true(fabsf(found[n].distance - distance) < 1e-3f);
            const ct_vec3 normal = ct_vec3_scale(away, 1 / ct_vec3_length(away));
            assert_true(ct_vec3_dot(found[n].normal, normal) > 0.999f);
            assert_true(ct_vec3_length(ct_vec3_sub(found[n].position, ct_vec3_add(at[k], normal))) <
                        1e-2f);
            ++n;
        }
        if (n != UINT32_MAX)
            assert_int_equal(n, count);
        ct_bullet_overlap closest;
        assert_true(ct_bullet_closest_point(s.world, p, 50, &scene_find_all, &closest));
        assert_true(fabsf(closest.distance - nearest) < 2e-3f);
        assert_int_equal(ct_bullet_closest_point(s.world, p, 0.5f, &scene_find_all, &closest),
                         nearest < 0.5f);
    }
    scene_end(&s);
}

static void parts_of_a_compound_are_named(void **state) {
    (void)state;
    scene_begin(&s, 0);
    ct_bullet_shape_part parts[3];
    for (uint32_t i = 0; i < 3; ++i)
        parts[i] = (ct_bullet_shape_part){.kind = CT_BULLET_SHAPE_BOX,
                                          .pose = {scene_at(3 * (float)i, 0, 0), scene_identity},
                                          .size = scene_at(1, 1, 1),
                                          .number = 70 + i};
    s.shapes[s.num_shapes++] = ct_bullet_shape_create(parts, 3);
    const ct_bullet_mass mass = ct_bullet_shape_mass(s.shapes[0]);
    assert_true(fabsf(mass.volume - 24) < 1e-4f && fabsf(mass.frame.position.x - 3) < 1e-5f);
    ct_bullet_body *const b = scene_body(&s, CT_BULLET_DYNAMIC, s.shapes[0], scene_at(10, 0, 0));
    assert_true(fabsf(ct_bullet_body_center(b).x - 13) < 1e-5f);
    assert_true(fabsf(ct_bullet_body_pose(b).position.x - 10) < 1e-5f);
    const ct_bullet_shape *const ball = scene_shape(&s, CT_BULLET_SHAPE_SPHERE, 0.5f, 0, 0);
    for (uint32_t i = 0; i < 3; ++i) {
        const ct_vec3 from = scene_at(10 + 3 * (float)i, 0, 10), to = scene_at(from.x, 0, -10);
        ct_bullet_hit hit;
        assert_true(ct_bullet_ray(s.world, from, to, &scene_find_all, &hit));
        assert_true(hit.part == 70 + i && hit.triangle == UINT32_MAX);
        assert_true(fabsf(hit.position.z - 1) < 1e-3f);
        assert_true(ct_bullet_sweep(s.world, ball, (ct_rigid_pose){from, scene_identity}, to,
                                    &scene_find_all, &hit));
        assert_true(hit.part == 70 + i && fabsf(hit.fraction - 8.5f / 20) < 2e-3f);
        ct_bullet_overlap overlap;
        const ct_rigid_pose above = {scene_at(from.x, 0, 1.4f), scene_identity};
        assert_int_equal(ct_bullet_overlaps(s.world, ball, above, 0, &scene_find_all, &overlap, 1),
                         1);
        assert_true(overlap.part == 70 + i && fabsf(overlap.distance + 0.1f) < 5e-3f);
    }
    scene_end(&s);
}

// Bullet adds a margin around hulls; their points move in by as much.
static void hulls_keep_their_outer_size(void **state) {
    (void)state;
    scene_begin(&s, 10);
    static const float corners[] = {-1, -1, -1, 1, -1, -1, 1, 1, -1, -1, 1, -1,
                                    -1, -1, 1,  1, -1, 1,  1, 1, 1,  -1, 1, 1};
    scene_body(&s, CT_BULLET_STATIC, scene_shape(&s, CT_BULLET_SHAPE_BOX, 50, 50, 1),
               scene_at(0, 0, -1));
    const ct_bullet_shape *const ball = scene_shape(&s, CT_BULLET_SHAPE_SPHERE, 0.1f, 0, 0);
    for (uint32_t i = 0; i < 4; ++i) {
        const float size = i == 0 ? 0.05f : i == 1 ? 0.1f : i == 2 ? 0.5f : 2;
        const ct_bullet_shape_part part = {.kind = CT_BULLET_SHAPE_CONVEX,
                                           .pose = {.rotation = scene_identity},
                                           .size = scene_at(size, size, 2 * size),
                                           .points = corners,
                                           .num_points = 8,
                                           .volume = 8};
        ct_bullet_shape *const hull = ct_bullet_shape_create(&part, 1);
        s.shapes[s.num_shapes++] = hull;
        assert_true(fabsf(ct_bullet_shape_mass(hull).volume - 16 * size * size * size) <
                    1e-3f * size);
        const float x = 6 * (float)i;
        ct_bullet_body *const b =
            scene_body(&s, CT_BULLET_DYNAMIC, hull, scene_at(x, 0, 2 * size + 0.005f));
        ct_bullet_hit hit;
        assert_true(ct_bullet_sweep(s.world, ball,
                                    (ct_rigid_pose){scene_at(x, 0, 9), scene_identity},
                                    scene_at(x, 0, 0), &scene_find_all, &hit));
        assert_int_equal(hit.id, ct_bullet_body_id(b));
        assert_true(fabsf(hit.position.z - (4 * size + 0.005f)) < 2e-3f);
        ct_bullet_overlap overlap;
        const ct_rigid_pose beside = {scene_at(x + size + 0.11f, 0, 2 * size), scene_identity};
        assert_int_equal(
            ct_bullet_overlaps(s.world, ball, beside, 0.05f, &scene_find_all, &overlap, 1), 1);
        if (overlap.id == ct_bullet_body_id(b))
            assert_true(fabsf(overlap.distance - 0.01f) < 2e-3f);
    }
    scene_steps(&s, 240);
    for (uint32_t i = 1; i < 5; ++i) {
        const float size = i == 1 ? 0.05f : i == 2 ? 0.1f : i == 3 ? 0.5f : 2;
        assert_true(fabsf(ct_bullet_body_pose(s.bodies[i]).position.z - 2 * size) < 1e-3f);
    }
    scene_end(&s);
}

// --- Triangles and heights -----------------------------------------------------------------------

// Two meshes of two triangles each, side by side, and a box.
static void triangles_of_parts_are_named(void **state) {
    (void)state;
    scene_begin(&s, 0);
    static const float points[] = {-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0};
    static const uint32_t indices[] = {0, 1, 2, 0, 2, 3};
    const ct_bullet_triangles quad = {
        .points = points, .num_points = 4, .indices = indices, .num_indices = 6};
    ct_bullet_shape_part parts[3];
    for (uint32_t i = 0; i < 3; ++i)
        parts[i] =
            (ct_bullet_shape_part){.kind = i == 1 ? CT_BULLET_SHAPE_BOX : CT_BULLET_SHAPE_MESH,
                                   .pose = {scene_at(4 * (float)i, 0, 0), scene_identity},
                                   .size = i == 2 ? scene_at(1.5f, 1, 1) : scene_at(1, 1, 1),
                                   .triangles = &quad,
                                   .number = 50 + i};
    s.shapes[s.num_shapes++] = ct_bullet_shape_create(parts, 3);
    scene_body(&s, CT_BULLET_STATIC, s.shapes[0], scene_at(0, 0, 0));
    const ct_bullet_shape *const ball = scene_shape(&s, CT_BULLET_SHAPE_SPHERE, 0.1f, 0, 0);
    for (uint32_t i = 0; i < 6; ++i) {
        const uint32_t part = i / 2, triangle = part == 1 ? UINT32_MAX : i % 2;
        const float aside = i % 2 ? -0.5f : 0.5f;
        const ct_vec3 from = scene_at(4 * (float)part + aside, -aside, 5);
        const ct_vec3 to = scene_at(from.x, from.y, -5);
        ct_bullet_hit hit;
        assert_true(ct_bullet_ray(s.world, from, to, &scene_find_all, &hit));
        assert_true(hit.part == 50 + part && hit.triangle == triangle && hit.normal.z > 0.99f);
        assert_true(ct_bullet_ray(s.world, to, from, &scene_find_all, &hit)); // both sides
        assert_true(hit.part == 50 + part && hit.triangle == triangle && hit.normal.z < -0.99f);
        assert_true(ct_bullet_sweep(s.world, ball, (ct_rigid_pose){from, scene_identity}, to,
                                    &scene_find_all, &hit));
        assert_true(hit.part == 50 + part && hit.triangle == triangle && hit.normal.z > 0.99f);
        ct_bullet_overlap overlap;
        const ct_rigid_pose p = {scene_at(from.x, from.y, part == 1 ? 1.05f : 0.05f),
                                 scene_identity};
        assert_int_equal(ct_bullet_overlaps(s.world, ball, p, 0, &scene_find_all, &overlap, 1), 1);
        assert_true(overlap.part == 50 + part && overlap.triangle == triangle);
    }
    // The second mesh is wider.
    assert_true(
        ct_bullet_ray_any(s.world, scene_at(9.4f, 0, 1), scene_at(9.4f, 0, -1), &scene_find_all));
    assert_false(
        ct_bullet_ray_any(s.world, scene_at(1.4f, 0, 1), scene_at(1.4f, 0, -1), &scene_find_all));
    scene_end(&s);
}

static void cells_of_heights_are_named(void **state) {
    (void)state;
    scene_begin(&s, 0);
    static float heights[5 * 4];
    for (uint32_t i = 0; i < 20; ++i)
        heights[i] = 0.25f * (float)(i % 5); // a slope along x
    const ct_bullet_heights grid = {
        .heights = heights, .columns = 5, .rows = 4, .spacing = {2, 3}, .least = 0, .most = 1};
    const ct_bullet_shape_part part = {.kind = CT_BULLET_SHAPE_HEIGHTS,
                                       .pose = {.rotation = scene_identity},
                                       .size = scene_at(1, 1, 1),
                                       .heights = &grid};
    s.shapes[s.num_shapes++] = ct_bullet_shape_create(&part, 1);
    scene_body(&s, CT_BULLET_STATIC, s.shapes[0], scene_at(100, 0, 0));
    const ct_bullet_shape *const ball = scene_shape(&s, CT_BULLET_SHAPE_SPHERE, 0.2f, 0, 0);
    for (uint32_t row = 0; row < 3; ++row) {
        for (uint32_t column = 0; column < 4; ++column) {
            for (uint32_t half = 0; half < 2; ++half) {
                const float x = 2 * ((float)column + (half ? 0.7f : 0.3f));
                const float y = 3 * ((float)row + 0.5f);
                const ct_vec3 from = scene_at(100 - 4 + x, y - 4.5f, 5);
                const ct_vec3 to = scene_at(from.x, from.y, -5);
                ct_bullet_hit hit, swept;
                assert_true(ct_bullet_ray(s.world, from, to, &scene_find_all, &hit));
                assert_true(fabsf(hit.position.z - 0.125f * x) < 1e-3f);
                assert_true(ct_bullet_sweep(s.world, ball, (ct_rigid_pose){from, scene_identity},
                                            to, &scene_find_all, &swept));
                ct_bullet_overlap overlap;
                const ct_rigid_pose p = {scene_at(from.x, from.y, 0.125f * x + 0.15f),
                                         scene_identity};
                const uint32_t n =
                    ct_bullet_overlaps(s.world, ball, p, 0, &scene_find_all, &overlap, 1);
                const uint32_t cell = row * 4 + column;
                assert_int_equal(hit.triangle, cell);
                assert_int_equal(swept.triangle, cell);
                assert_true(n == 1 && overlap.triangle == cell);
            }
        }
    }
    scene_end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays_meet_what_the_formulas_say),
        cmocka_unit_test(rays_do_not_meet_what_contains_their_start),
        cmocka_unit_test(rays_may_start_near_what_they_meet),
        cmocka_unit_test(queries_see_what_they_ask_for),
        cmocka_unit_test(queries_ask_who_is_accepted),
        cmocka_unit_test(sweeps_meet_at_any_distance_and_size),
        cmocka_unit_test(sweeps_that_start_inside_lead_out),
        cmocka_unit_test(overlaps_know_how_deep),
        cmocka_unit_test(parts_of_a_compound_are_named),
        cmocka_unit_test(hulls_keep_their_outer_size),
        cmocka_unit_test(triangles_of_parts_are_named),
        cmocka_unit_test(cells_of_heights_are_named),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
