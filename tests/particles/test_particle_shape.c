// Places of birth: inside the shape, even over it, and the same for the same seed.
#include <math.h>

#include "foundation/math/math.h"
#include "particles/particle_fixture.h"
#include "particles/particle_private.h"
#include "support/test_support.h"

enum { COUNT = 20000 };

// An effect with one emitter, whose shape the tests change. Particle i has the seed of birth i.
typedef struct shape_fixture {
    ct_particle_effect effect;
    ct_particle_emitter emitter;
} shape_fixture;

static shape_fixture start(ct_particle_shape_type type) {
    return (shape_fixture){.emitter.shape = {.type = type,
                                             .rotation = {0, 0, 0, 1},
                                             .size = {1, 1, 1},
                                             .radius = 1,
                                             .arc = 6.2831853f}};
}

static ct_particle_origin birth(const shape_fixture *f, uint32_t i) {
    return ct_particle_shape_origin(&f->effect, &f->emitter, ct_particle_seed(7, 0, i));
}

static double length_of(ct_vec3 v) {
    return sqrt((double)v.x * v.x + (double)v.y * v.y + (double)v.z * v.z);
}

// Asserts that the mean of a function of origins is `expected`.
static void assert_mean(const shape_fixture *f, double (*of)(const ct_particle_origin *),
                        double expected, double tolerance) {
    double sum = 0;
    for (uint32_t i = 0; i < COUNT; ++i) {
        const ct_particle_origin o = birth(f, i);
        sum += of(&o);
    }
    assert_float_equal(sum / COUNT, expected, tolerance);
}

// Asserts that an eighth of the positions (or directions) is in each octant.
static void assert_octants(const shape_fixture *f, bool is_direction) {
    uint32_t counts[8] = {0};
    for (uint32_t i = 0; i < COUNT; ++i) {
        const ct_particle_origin o = birth(f, i);
        const ct_vec3 v = is_direction ? o.direction : o.position;
        ++counts[(v.x > 0) + 2 * (v.y > 0) + 4 * (v.z > 0)];
    }
    for (uint32_t i = 0; i < 8; ++i)
        assert_in_range(counts[i], COUNT / 8 - 200, COUNT / 8 + 200); // four deviations
}

static double x_of(const ct_particle_origin *o) {
    return o->position.x;
}
static double y_of(const ct_particle_origin *o) {
    return o->position.y;
}
static double z_of(const ct_particle_origin *o) {
    return o->position.z;
}
static double z_squared_of(const ct_particle_origin *o) {
    return (double)o->position.z * o->position.z;
}
static double direction_z_of(const ct_particle_origin *o) {
    return o->direction.z;
}
static double across_squared_of(const ct_particle_origin *o) {
    return (double)o->position.x * o->position.x + (double)o->position.y * o->position.y;
}
static double cubed_of(const ct_particle_origin *o) {
    return pow(length_of(o->position), 3);
}

static void points_spray_evenly(void **state) {
    (void)state;
    const shape_fixture f = start(CT_PARTICLE_SHAPE_POINT);
    for (uint32_t i = 0; i < COUNT; ++i) {
        const ct_particle_origin o = birth(&f, i);
        assert_true(length_of(o.position) == 0);
        assert_float_equal(length_of(o.direction), 1, 1e-5);
        assert_false(o.is_in_world);
    }
    assert_octants(&f, true);
    assert_mean(&f, direction_z_of, 0, 0.02);
}

static void boxes_fill_their_volume(void **state) {
    (void)state;
    shape_fixture f = start(CT_PARTICLE_SHAPE_BOX);
    memcpy(f.emitter.shape.size, (float[]){1, 2, 3}, sizeof(f.emitter.shape.size));
    for (uint32_t i = 0; i < COUNT; ++i) {
        const ct_particle_origin o = birth(&f, i);
        assert_true(fabsf(o.position.x) <= 1 && fabsf(o.position.y) <= 2 &&
                    fabsf(o.position.z) <= 3);
        assert_true(o.direction.z == 1);
    }
    assert_octants(&f, false);
    assert_mean(&f, z_squared_of, 3, 0.1);
}

static void surfaces_of_boxes_are_even_by_area(void **state) {
    (void)state;
    shape_fixture f = start(CT_PARTICLE_SHAPE_BOX);
    uint32_t counts[3] = {0};
    f.emitter.shape.flags = CT_PARTICLE_SHAPE_SURFACE;
    memcpy(f.emitter.shape.size, (float[]){1, 2, 4}, sizeof(f.emitter.shape.size));
    for (uint32_t i = 0; i < COUNT; ++i) {
        const ct_particle_origin o = birth(&f, i);
        uint32_t axis = 0;
        while (o.direction.raw[axis] == 0)
            ++axis;
        ++counts[axis];
        assert_float_equal(length_of(o.direction), 1, 1e-6);
        assert_true(o.position.raw[axis] == o.direction.raw[axis] * f.emitter.shape.size[axis]);
    }
    // Areas 8, 4 and 2 of 14.
    assert_in_range(counts[0], COUNT * 8 / 14 - 300, COUNT * 8 / 14 + 300);
    assert_in_range(counts[1], COUNT * 4 / 14 - 300, COUNT * 4 / 14 + 300);
    assert_octants(&f, false);
    memcpy(f.emitter.shape.size, (float[]){0, 0, 4}, sizeof(f.emitter.shape.size));
    assert_true(fabsf(birth(&f, 1).position.z) < 4); // a line: no area
    memcpy(f.emitter.shape.size, (float[]){0, 2, 4}, sizeof(f.emitter.shape.size));
    for (uint32_t i = 0; i < 100; ++i)
        assert_true(fabsf(birth(&f, i).direction.x) == 1); // a rectangle
}

static void spheres_fill_what_is_between_their_radii(void **state) {
    (void)state;
    shape_fixture f = start(CT_PARTICLE_SHAPE_SPHERE);
    f.emitter.shape.radius = 2;
    f.emitter.shape.inner = 0.5f;
    for (uint32_t i = 0; i < COUNT; ++i) {
        const ct_particle_origin o = birth(&f, i);
        const double radius = length_of(o.position);
        assert_true(radius > 0.999 && radius < 2.001);
        assert_float_equal(ct_vec3_dot(o.position, o.direction), radius, 1e-4);
    }
    assert_octants(&f, false);
    assert_mean(&f, cubed_of, (1 + 8) / 2.0, 0.1); // cubes are even from 1 to 8
    f.emitter.shape.flags = CT_PARTICLE_SHAPE_SURFACE;
    for (uint32_t i = 0; i < 100; ++i)
        assert_float_equal(length_of(birth(&f, i).position), 2, 1e-5);
    f.emitter.shape.arc = 3.1415927f;
    for (uint32_t i = 0; i < 1000; ++i)
        assert_true(birth(&f, i).position.y >= -1e-5f);
}

static void cones_spread_from_their_base(void **state) {
    (void)state;
    shape_fixture f = start(CT_PARTICLE_SHAPE_CONE);
    f.emitter.shape.radius = 2;
    f.emitter.shape.angle = 0.5f;
    for (uint32_t i = 0; i < COUNT; ++i) {
        const ct_particle_origin o = birth(&f, i);
        const double share = sqrt(across_squared_of(&o)) / 2;
        assert_true(share <= 1.0001 && o.position.z == 0);
        assert_float_equal(length_of(o.direction), 1, 1e-4);
        // It leans with the distance from the axis, away from it.
        assert_float_equal(o.direction.z, 1 - share * share * (1 - cos(0.5)), 1e-4);
        assert_true(o.direction.x * o.position.x + o.direction.y * o.position.y >= 0);
    }
    assert_mean(&f, across_squared_of, 2, 0.05); // even on the disc
    assert_mean(&f, x_of, 0, 0.05);
    assert_mean(&f, y_of, 0, 0.05);
}

static void cones_without_radius_are_even_over_the_cap(void **state) {
    (void)state;
    shape_fixture f = start(CT_PARTICLE_SHAPE_CONE);
    f.emitter.shape.radius = 0;
    f.emitter.shape.angle = 1.2f;
    assert_mean(&f, direction_z_of, (1 + cos(1.2)) / 2, 0.01);
    f.emitter.shape.flags = CT_PARTICLE_SHAPE_SURFACE;
    for (uint32_t i = 0; i < 100; ++i)
        assert_float_equal(birth(&f, i).direction.z, cos(1.2), 1e-5);
    f.emitter.shape.angle = 3.1415927f; // half a turn: the whole sphere
    f.emitter.shape.flags = 0;
    assert_octants(&f, true);
}

static void cones_with_length_are_even_along_it(void **state) {
    (void)state;
    shape_fixture f = start(CT_PARTICLE_SHAPE_CONE);
    f.emitter.shape.length = 4;
    f.emitter.shape.angle = 0; // a cylinder
    assert_mean(&f, z_of, 2, 0.05);
    f.emitter.shape.radius = 0;
    f.emitter.shape.angle = atanf(0.5f);
    for (uint32_t i = 0; i < COUNT; ++i) {
        const ct_particle_origin o = birth(&f, i);
        assert_true(o.position.z >= 0 && o.position.z <= 4.0001f);
        assert_true(sqrt(across_squared_of(&o)) <= o.position.z * 0.5 + 1e-4);
    }
    assert_mean(&f, z_of, 3, 0.05); // the middle of a cone is a quarter above its base
    f.emitter.shape.flags = CT_PARTICLE_SHAPE_SURFACE;
    assert_mean(&f, z_of, 4 * 2.0 / 3, 0.05); // that of its side a third
    f.emitter.shape.angle = 1.5707963f;
    assert_true(ct_vec3_is_finite(birth(&f, 3).position));
}

static void arcs_leave_the_rest_out(void **state) {
    (void)state;
    shape_fixture f = start(CT_PARTICLE_SHAPE_CONE);
    f.emitter.shape.arc = 1.5707963f;
    f.emitter.shape.inner = 0.5f;
    for (uint32_t i = 0; i < COUNT; ++i) {
        const ct_particle_origin o = birth(&f, i);
        assert_true(o.position.x > -1e-4f && o.position.y > -1e-4f);
        assert_true(across_squared_of(&o) > 0.2499);
    }
}

static void shapes_are_turned_then_moved(void **state) {
    (void)state;
    shape_fixture f = start(CT_PARTICLE_SHAPE_CONE);
    const ct_quat turn = ct_quat_axis_angle(ct_vec3_make(0, 1, 0), 1.5707963f); // z to x
    f.emitter.shape.radius = 0;
    memcpy(f.emitter.shape.rotation, turn.raw, sizeof(f.emitter.shape.rotation));
    memcpy(f.emitter.shape.offset, (float[]){1, 2, 3}, sizeof(f.emitter.shape.offset));
    const ct_particle_origin o = birth(&f, 0);
    assert_float_equal(o.position.x, 1, 1e-5);
    assert_float_equal(o.position.y, 2, 1e-5);
    assert_float_equal(o.position.z, 3, 1e-5);
    assert_float_equal(o.direction.x, 1, 1e-5);
}

static void meshes_give_points_with_normals(void **state) {
    (void)state;
    particle_fixture *const builder = particle_fixture_begin();
    const uint32_t e = particle_fixture_emitter(builder, "mesh", 4);
    const ct_particle_point points[3] = {
        {{1, 0, 0}, {1, 0, 0}}, {{2, 0, 0}, {0, 1, 0}}, {{3, 0, 0}, {0, 0, 1}}};
    particle_fixture_at(builder, e)->shape.type = CT_PARTICLE_SHAPE_MESH;
    builder->emitters[e].points = points;
    builder->emitters[e].num_points = 3;
    ct_particles_resource *const resource = particle_fixture_end(builder);
    const ct_particle_effect fx = {.resource = resource};
    uint32_t counts[3] = {0};
    for (uint32_t i = 0; i < COUNT; ++i) {
        const ct_particle_origin o = ct_particle_shape_origin(
            &fx, ct_particle_emitter_at(resource, 0), ct_particle_seed(7, 0, i));
        const uint32_t point = (uint32_t)o.position.x - 1;
        assert_true(o.direction.raw[point] == 1);
        ++counts[point];
    }
    for (uint32_t i = 0; i < 3; ++i)
        assert_in_range(counts[i], COUNT / 3 - 300, COUNT / 3 + 300);
    free(resource);
}

static void meshes_without_points_are_points(void **state) {
    (void)state;
    particle_fixture *const builder = particle_fixture_begin();
    const uint32_t e = particle_fixture_emitter(builder, "mesh", 4);
    particle_fixture_at(builder, e)->shape.type = CT_PARTICLE_SHAPE_MESH;
    ct_particles_resource *const resource = particle_fixture_end(builder);
    const ct_particle_effect fx = {.resource = resource};
    const ct_particle_origin o =
        ct_particle_shape_origin(&fx, ct_particle_emitter_at(resource, 0), 1);
    assert_true(length_of(o.position) == 0 && o.direction.z == 1);
    free(resource);
}

// A root at the origin, and a node 2 m along x that looks up along y, twice as large.
static void make_nodes(shape_fixture *f, ct_mat4 nodes[2]) {
    static uint32_t parents[2] = {UINT32_MAX, 0};
    nodes[0] = ct_mat4_identity();
    nodes[1] = ct_mat4_compose(ct_vec3_make(2, 0, 0),
                               ct_quat_axis_angle(ct_vec3_make(1, 0, 0), -1.5707963f),
                               ct_vec3_make(2, 2, 2));
    f->effect.nodes = nodes;
    f->effect.node_parents = parents;
    f->effect.num_nodes = 2;
}

static void skeletons_give_nodes_in_the_world(void **state) {
    (void)state;
    shape_fixture f = start(CT_PARTICLE_SHAPE_SKELETON);
    ct_mat4 nodes[2];
    uint32_t num_second = 0;
    make_nodes(&f, nodes);
    f.emitter.shape.offset[2] = 0.5f; // in the node's space
    for (uint32_t i = 0; i < 1000; ++i) {
        const ct_particle_origin o = birth(&f, i);
        assert_true(o.is_in_world);
        num_second += o.position.x > 1;
        if (o.position.x > 1) {
            assert_float_equal(o.direction.y, 1, 1e-5);
            assert_float_equal(o.position.y, 1, 1e-5);
        } else {
            assert_float_equal(o.direction.z, 1, 1e-5);
            assert_float_equal(o.position.z, 0.5, 1e-5);
        }
    }
    assert_in_range(num_second, 430, 570);
}

static void bones_give_points_between_nodes(void **state) {
    (void)state;
    shape_fixture f = start(CT_PARTICLE_SHAPE_SKELETON);
    ct_mat4 nodes[2];
    uint32_t num_between = 0;
    make_nodes(&f, nodes);
    f.emitter.shape.flags = CT_PARTICLE_SHAPE_BONES;
    for (uint32_t i = 0; i < 1000; ++i) {
        const ct_particle_origin o = birth(&f, i);
        assert_true(o.position.x >= 0 && o.position.x <= 2 && fabsf(o.position.y) < 1e-5f);
        num_between += o.position.x > 0.5f && o.position.x < 1.5f;
    }
    assert_in_range(num_between, 200, 300); // half of the half that has a parent
}

static void skeletons_without_nodes_are_the_effect(void **state) {
    (void)state;
    const shape_fixture f = start(CT_PARTICLE_SHAPE_SKELETON);
    const ct_particle_origin o = birth(&f, 5);
    assert_true(length_of(o.position) == 0 && o.direction.z == 1 && !o.is_in_world);
}

static void same_seeds_give_same_places(void **state) {
    (void)state;
    for (uint32_t type = 0; type < CT_PARTICLE_SHAPE_MESH; ++type) {
        const shape_fixture f = start(type);
        for (uint32_t i = 0; i < 100; ++i) {
            const ct_particle_origin a = birth(&f, i), b = birth(&f, i), other = birth(&f, i + 1);
            assert_memory_equal(a.position.raw, b.position.raw, sizeof(a.position));
            assert_memory_equal(a.direction.raw, b.direction.raw, sizeof(a.direction));
            if (type != CT_PARTICLE_SHAPE_CONE) // without an angle all go up
                assert_memory_not_equal(&a, &other, 24);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_spray_evenly),
        cmocka_unit_test(boxes_fill_their_volume),
        cmocka_unit_test(surfaces_of_boxes_are_even_by_area),
        cmocka_unit_test(spheres_fill_what_is_between_their_radii),
        cmocka_unit_test(cones_spread_from_their_base),
        cmocka_unit_test(cones_without_radius_are_even_over_the_cap),
        cmocka_unit_test(cones_with_length_are_even_along_it),
        cmocka_unit_test(arcs_leave_the_rest_out),
        cmocka_unit_test(shapes_are_turned_then_moved),
        cmocka_unit_test(meshes_give_points_with_normals),
        cmocka_unit_test(meshes_without_points_are_points),
        cmocka_unit_test(skeletons_give_nodes_in_the_world),
        cmocka_unit_test(bones_give_points_between_nodes),
        cmocka_unit_test(skeletons_without_nodes_are_the_effect),
        cmocka_unit_test(same_seeds_give_same_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
