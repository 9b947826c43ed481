#include "support/test_support.h"

#include <math.h>
#include <string.h>

#include "entity/transform_component.h"
#include "foundation/log.h"
#include "foundation/math/math.h"
#include "resource/types/component_resource.h"

static const ct_vec3 origin = {{0, 0, 0}};
static const ct_vec3 no_scale = {{1, 1, 1}};

static ct_transform make(ct_transform_manager *m, uint32_t entity, ct_vec3 position) {
    return ct_transform_create(m, (ct_entity){entity}, position, ct_quat_identity(), no_scale);
}

static void assert_near(ct_vec3 a, ct_vec3 b, float tolerance) {
    const float distance = ct_vec3_length(ct_vec3_sub(a, b));
    if (!(distance <= tolerance))
        fail_msg("(%g %g %g) is not (%g %g %g)", (double)a.x, (double)a.y, (double)a.z, (double)b.x,
                 (double)b.y, (double)b.z);
}

static ct_vec3 world_position(const ct_transform_manager *m, ct_transform t) {
    return ct_mat4_position(*ct_transform_world(m, t));
}

static void looks_up_instances_by_entity(void **state) {
    (void)state;
    ct_transform_manager *const m = ct_transform_manager_create(test_heap());
    const ct_transform a = make(m, 7, ct_vec3_make(1, 2, 3));
    assert_int_equal(ct_transform_lookup(m, (ct_entity){7}).index, a.index);
    assert_int_equal(ct_transform_lookup(m, (ct_entity){8}).index, 0);
    assert_int_equal(ct_transform_entity(m, a).id, 7);
    assert_int_equal(ct_transform_count(m), 1);
    assert_near(world_position(m, a), ct_vec3_make(1, 2, 3), 0);
    ct_transform_manager_destroy(m);
}

static void scales_then_rotates_then_moves(void **state) {
    (void)state;
    ct_transform_manager *const m = ct_transform_manager_create(test_heap());
    const ct_quat quarter_turn = ct_quat_axis_angle(ct_vec3_make(0, 0, 1), 1.57079633f);
    const ct_transform t = make(m, 1, origin);
    ct_transform_set_local_pose(m, t, ct_vec3_make(10, 0, 0), quarter_turn, ct_vec3_make(2, 1, 1));
    const ct_vec3 p = ct_mat4_transform_point(*ct_transform_world(m, t), ct_vec3_make(1, 0, 0));
    assert_near(p, ct_vec3_make(10, 2, 0), 1e-5f);
    ct_transform_manager_destroy(m);
}

static void moves_children_with_their_parent_at_once(void **state) {
    (void)state;
    ct_transform_manager *const m = ct_transform_manager_create(test_heap());
    const ct_transform a = make(m, 1, origin), b = make(m, 2, ct_vec3_make(1, 0, 0));
    const ct_transform c = make(m, 3, ct_vec3_make(0, 1, 0));
    assert_true(ct_transform_link(m, b, a));
    assert_true(ct_transform_link(m, c, b));
    ct_transform_set_local_position(m, a, ct_vec3_make(0, 0, 5));
    assert_near(world_position(m, c), ct_vec3_make(1, 1, 5), 0);
    ct_transform_set_local_scale(m, a, ct_vec3_make(2, 2, 2));
    assert_near(world_position(m, c), ct_vec3_make(2, 2, 5), 0);
    ct_transform_set_local_rotation(m, b, ct_quat_axis_angle(ct_vec3_make(0, 0, 1), 3.14159265f));
    assert_near(world_position(m, c), ct_vec3_make(2, -2, 5), 1e-5f);
    ct_transform_manager_destroy(m);
}

static void keeps_children_in_the_order_they_were_linked(void **state) {
    (void)state;
    ct_transform_manager *const m = ct_transform_manager_create(test_heap());
    const ct_transform parent = make(m, 1, origin);
    for (uint32_t i = 2; i <= 5; ++i)
        ct_transform_link(m, make(m, i, origin), parent);
    ct_transform child = ct_transform_first_child(m, parent);
    for (uint32_t i = 2; i <= 5; ++i) {
        assert_int_equal(ct_transform_entity(m, child).id, i);
        assert_int_equal(ct_transform_parent(m, child).index, parent.index);
        child = ct_transform_next_sibling(m, child);
    }
    assert_int_equal(child.index, 0);
    ct_transform_manager_destroy(m);
}

// 1 (2 (3) 4), beside it 5.
static void walks_the_tree_below_an_instance(void **state) {
    (void)state;
    ct_transform_manager *const m = ct_transform_manager_create(test_heap());
    const ct_transform root = make(m, 9, origin), top = make(m, 1, origin);
    const ct_transform two = make(m, 2, origin), leaf = make(m, 3, origin);
    ct_transform_link(m, top, root);
    ct_transform_link(m, make(m, 5, origin), root);
    ct_transform_link(m, two, top);
    ct_transform_link(m, leaf, two);
    ct_transform_link(m, make(m, 4, origin), top);
    ct_transform t = top;
    for (uint32_t i = 2; i <= 4; ++i) {
        t = ct_transform_next_below(m, top, t);
        assert_int_equal(ct_transform_entity(m, t).id, i);
    }
    assert_int_equal(ct_transform_next_below(m, top, t).index, 0);
    assert_int_equal(ct_transform_next_below(m, leaf, leaf).index, 0);
    ct_transform_manager_destroy(m);
}

static void refuses_to_hang_something_below_itself(void **state) {
    (void)state;
    ct_transform_manager *const m = ct_transform_manager_create(test_heap());
    const ct_transform a = make(m, 1, origin), b = make(m, 2, ct_vec3_make(1, 0, 0));
    ct_transform_link(m, b, a);
    assert_false(ct_transform_link(m, a, b));
    assert_false(ct_transform_link(m, a, a));
    assert_int_equal(ct_transform_parent(m, a).index, 0);
    assert_int_equal(ct_transform_parent(m, b).index, a.index);
    ct_transform_manager_destroy(m);
}

static void keeps_the_world_pose_when_unlinked(void **state) {
    (void)state;
    ct_transform_manager *const m = ct_transform_manager_create(test_heap());
    const ct_transform a = make(m, 1, ct_vec3_make(3, 4, 5)), b = make(m, 2, origin);
    ct_transform_set_local_rotation(m, a, ct_quat_axis_angle(ct_vec3_make(0, 0, 1), 1));
    ct_transform_set_local_scale(m, a, ct_vec3_make(-2, 2, 2));
    ct_transform_link(m, b, a);
    ct_transform_set_local_position(m, b, ct_vec3_make(1, 1, 0));
    const ct_mat4 before = *ct_transform_world(m, b);
    ct_transform_unlink(m, b);
    const ct_mat4 after = *ct_transform_world(m, b);
    for (uint32_t i = 0; i < 16; ++i)
        assert_true(fabsf(before.raw[i / 4][i % 4] - after.raw[i / 4][i % 4]) < 1e-5f);
    assert_near(ct_transform_local_position(m, b), ct_mat4_position(before), 0);
    assert_int_equal(ct_transform_first_child(m, a).index, 0);
    ct_transform_manager_destroy(m);
}

static void keeps_the_world_pose_under_another_parent(void **state) {
    (void)state;
    ct_transform_manager *const m = ct_transform_manager_create(test_heap());
    const ct_vec3 ones = ct_vec3_make(1, 1, 1);
    const ct_quat turned = ct_quat_axis_angle(ct_vec3_make(0, 0, 1), 1);
    const ct_transform top = ct_transform_create(m, (ct_entity){1}, ct_vec3_make(1, 2, 3), turned,
                                                 ct_vec3_make(2, 2, 2));
    const ct_transform child =
        ct_transform_create(m, (ct_entity){2}, ct_vec3_make(-4, 5, 6), turned, ones);
    const ct_transform below =
        ct_transform_create(m, (ct_entity){3}, ct_vec3_make(1, 0, 0), turned, ones);
    assert_true(ct_transform_link(m, below, child));
    const ct_vec3 before = ct_mat4_position(*ct_transform_world(m, below));
    const ct_mat4 world = *ct_transform_world(m, child);
    assert_true(ct_transform_link(m, child, top));
    assert_true(ct_transform_set_world_pose(m, child, &world));
    assert_int_equal(ct_transform_parent(m, child).index, top.index);
    assert_near(ct_mat4_position(*ct_transform_world(m, child)), ct_vec3_make(-4, 5, 6), 1e-5f);
    assert_near(ct_mat4_position(*ct_transform_world(m, below)), before, 1e-5f);
    assert_near(ct_transform_local_scale(m, child), ct_vec3_make(0.5f, 0.5f, 0.5f), 1e-6f);
    assert_false(ct_transform_link(m, top, below));
    // Under a parent of no size there is no such local pose: it stays.
    const ct_vec3 local = ct_transform_local_position(m, child);
    ct_transform_set_local_scale(m, top, ct_vec3_make(0, 0, 0));
    const ct_mat4 pose = ct_mat4_identity();
    assert_false(ct_transform_set_world_pose(m, child, &pose));
    assert_near(ct_transform_local_position(m, child), local, 0);
    // At an offset.
    ct_transform_set_local_scale(m, top, ones);
    const ct_mat4 offset = ct_mat4_compose(ct_vec3_make(0, 0, 7), turned, ones);
    assert_true(ct_transform_link_at(m, child, top, &offset));
    assert_true(ct_transform_set_world_pose(m, child, &pose));
    assert_near(ct_mat4_position(*ct_transform_world(m, child)), ct_vec3_make(0, 0, 0), 1e-5f);
    ct_transform_manager_destroy(m);
}

static void moves_without_turning_as_a_whole_update_does(void **state) {
    (void)state;
    ct_transform_manager *const m = ct_transform_manager_create(test_heap());
    const ct_quat turned = ct_quat_axis_angle(ct_vec3_make(0.6f, 0, 0.8f), 1);
    const ct_vec3 scale = ct_vec3_make(1.5f, -0.5f, 2);
    ct_transform t[4];
    for (uint32_t i = 0; i < 4; ++i)
        t[i] =
            ct_transform_create(m, (ct_entity){i + 1}, ct_vec3_make((float)i, 2, 3), turned, scale);
    const ct_mat4 offset = ct_mat4_compose(ct_vec3_make(3, 0, 7), turned, scale);
    assert_true(ct_transform_link(m, t[1], t[0]));
    assert_true(ct_transform_link_at(m, t[2], t[1], &offset));
    assert_true(ct_transform_link(m, t[3], t[2]));
    ct_transform_set_local_position(m, t[0], ct_vec3_make(-7, 0.1f, 5));
    ct_transform_set_local_positions(m, (ct_transform[]){t[2], t[1]},
                                     (ct_vec3[]){{{9, 8, 7}}, {{0.3f, 0, 4}}}, 2);
    ct_mat4 moved[4];
    for (uint32_t i = 0; i < 4; ++i)
        moved[i] = *ct_transform_world(m, t[i]);
    ct_transform_set_local_scale(m, t[0], scale); // all of it is made anew
    for (uint32_t i = 0; i < 4; ++i)
        assert_memory_equal(&moved[i], ct_transform_world(m, t[i]), sizeof(ct_mat4));
    const ct_vec3 nowhere = ct_vec3_make(0, INFINITY, 0);
    assert_false(ct_transform_move(m, t[0], &nowhere));
    assert_memory_equal(&moved[0], ct_transform_world(m, t[0]), sizeof(ct_mat4));
    ct_transform_manager_destroy(m);
}

static void survives_unlinking_from_a_parent_of_no_size(void **state) {
    (void)state;
    ct_transform_manager *const m = ct_transform_manager_create(test_heap());
    const ct_transform a = make(m, 1, ct_vec3_make(3, 4, 5)), b = make(m, 2, origin);
    ct_transform_link(m, b, a);
    ct_transform_set_local_scale(m, a, origin);
    ct_transform_unlink(m, b);
    assert_true(ct_mat4_is_finite(ct_transform_world(m, b)));
    assert_true(ct_quat_is_finite(ct_transform_local_rotation(m, b)));
    assert_near(world_position(m, b), ct_vec3_make(3, 4, 5), 0);
    ct_transform_manager_destroy(m);
}

static void keeps_numbers_finite_when_unlinked_from_a_world_of_overflow(void **state) {
    (void)state;
    ct_transform_manager *const m = ct_transform_manager_create(test_heap());
    const ct_transform a = make(m, 1, origin), b = make(m, 2, ct_vec3_make(1e30f, 0, 0));
    ct_transform_link(m, b, a);
    ct_transform_set_local_scale(m, a, ct_vec3_make(1e30f, 1, 1));
    ct_transform_unlink(m, b);
    assert_true(ct_vec3_is_finite(ct_transform_local_position(m, b)));
    assert_true(ct_mat4_is_finite(ct_transform_world(m, b)));
    ct_transform_manager_destroy(m);
}

static void keeps_rotations_at_length_1(void **state) {
    (void)state;
    ct_transform_manager *const m = ct_transform_manager_create(test_heap());
    const ct_transform t = make(m, 1, origin);
    ct_transform_set_local_rotation(m, t, (ct_quat){{0, 0, 3, 4}});
    const ct_quat q = ct_transform_local_rotation(m, t);
    assert_true(fabsf(q.z - 0.6f) < 1e-6f && fabsf(q.w - 0.8f) < 1e-6f);
    ct_transform_set_local_rotation(m, t, (ct_quat){{0, 0, 0, 0}});
    assert_true(ct_mat4_is_finite(ct_transform_world(m, t)));
    ct_transform_manager_destroy(m);
}

static void unlinks_children_that_outlive_their_parent(void **state) {
    (void)state;
    ct_transform_manager *const m = ct_transform_manager_create(test_heap());
    const ct_transform a = make(m, 1, ct_vec3_make(1, 0, 0)), b = make(m, 2, ct_vec3_make(0, 1, 0));
    ct_transform_link(m, b, a);
    ct_transform_destroy(m, &(ct_entity){1}, 1);
    const ct_transform survivor = ct_transform_lookup(m, (ct_entity){2});
    assert_int_not_equal(survivor.index, 0);
    assert_int_equal(ct_transform_parent(m, survivor).index, 0);
    assert_near(ct_transform_local_position(m, survivor), ct_vec3_make(1, 1, 0), 0);
    assert_int_equal(ct_transform_lookup(m, (ct_entity){1}).index, 0);
    ct_transform_manager_destroy(m);
}

static void destroys_whole_families_in_any_order(void **state) {
    (void)state;
    for (uint32_t first = 0; first < 3; ++first) {
        ct_transform_manager *const m = ct_transform_manager_create(test_heap());
        const ct_transform a = make(m, 1, origin), b = make(m, 2, origin), c = make(m, 3, origin);
        make(m, 4, ct_vec3_make(9, 9, 9));
        ct_transform_link(m, b, a);
        ct_transform_link(m, c, b);
        const ct_entity all[] = {
            {1 + first}, {1 + (first + 1) % 3}, {1 + (first + 2) % 3}, {1 + first}, {77}};
        ct_transform_destroy(m, all, 5);
        assert_int_equal(ct_transform_count(m), 1);
        const ct_transform rest = ct_transform_lookup(m, (ct_entity){4});
        assert_near(world_position(m, rest), ct_vec3_make(9, 9, 9), 0);
        ct_transform_manager_destroy(m);
    }
}

// Those who get the places of a family that ended are not taken for some that end.
static void keeps_nothing_of_those_that_had_a_place(void **state) {
    (void)state;
    ct_transform_manager *const m = ct_transform_manager_create(test_heap());
    const ct_transform_data data[2] = {{{1, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}},
                                       {{0, 1, 0}, {0, 0, 0, 1}, {1, 1, 1}}};
    const uint32_t parents[2] = {CT_TRANSFORM_NO_PARENT, 0};
    const ct_entity first[2] = {{1}, {2}}, next[2] = {{3}, {4}};
    assert_true(ct_transform_spawn(m, first, data, parents, 2, 1));
    ct_transform_destroy(m, first, 2);
    assert_true(ct_transform_spawn(m, next, data, parents, 2, 1));
    ct_transform_destroy(m, next, 1);
    const ct_transform survivor = ct_transform_lookup(m, next[1]);
    assert_near(ct_transform_local_position(m, survivor), ct_vec3_make(1, 1, 0), 0);
    ct_transform_manager_destroy(m);
}

static ct_transform_reader reader; // of the manager of the test

static uint32_t num_changed(const ct_transform_manager *m) {
    uint32_t count, num = 0;
    const uint32_t *const changed = ct_transform_changed(m, reader, &count);
    for (uint32_t i = 0; i < count; ++i)
        num += changed[i] != 0;
    return num;
}

static void lists_what_changed_once(void **state) {
    (void)state;
    ct_transform_manager *const m = ct_transform_manager_create(test_heap());
    reader = ct_transform_add_reader(m);
    const ct_transform a = make(m, 1, origin), b = make(m, 2, origin), c = make(m, 3, origin);
    assert_int_equal(num_changed(m), 3);
    ct_transform_clear_changed(m, reader);
    assert_int_equal(num_changed(m), 0);
    ct_transform_link(m, b, a);
    ct_transform_set_local_position(m, a, ct_vec3_make(1, 0, 0));
    ct_transform_set_local_position(m, a, ct_vec3_make(2, 0, 0));
    assert_int_equal(num_changed(m), 2);
    assert_true(ct_transform_is_changed(m, reader, a));
    assert_true(ct_transform_is_changed(m, reader, b));
    assert_false(ct_transform_is_changed(m, reader, c));
    ct_transform_manager_destroy(m);
}

static void tells_each_reader_what_it_has_not_seen(void **state) {
    (void)state;
    ct_transform_manager *const m = ct_transform_manager_create(test_heap());
    const ct_transform a = make(m, 1, origin), b = make(m, 2, origin);
    const ct_transform_reader often = ct_transform_add_reader(m);
    const ct_transform_reader rarely = ct_transform_add_reader(m);
    uint32_t count;
    ct_transform_changed(m, rarely, &count);
    assert_int_equal(count, 2);
    for (uint32_t i = 1; i <= 5000; ++i) { // the list does not grow with what is told again
        ct_transform_set_local_position(m, a, ct_vec3_make((float)i, 0, 0));
        assert_true(ct_transform_is_changed(m, often, a));
        ct_transform_clear_changed(m, often);
        assert_false(ct_transform_is_changed(m, often, a));
    }
    assert_true(ct_transform_is_changed(m, rarely, a));
    assert_true(ct_transform_is_changed(m, rarely, b));
    ct_transform_changed(m, rarely, &count);
    assert_true(count < 2000);
    ct_transform_clear_changed(m, rarely);
    assert_null(ct_transform_changed(m, often, &count));
    assert_int_equal(count, 0);
    ct_transform_mark_changed(m, b);
    ct_transform_changed(m, rarely, &count);
    assert_int_equal(count, 1);
    ct_transform_manager_destroy(m);
}

static void drops_what_ended_from_the_list(void **state) {
    (void)state;
    ct_transform_manager *const m = ct_transform_manager_create(test_heap());
    reader = ct_transform_add_reader(m);
    for (uint32_t i = 1; i <= 4; ++i)
        make(m, i, origin);
    ct_transform_destroy(m, (ct_entity[]){{2}, {4}}, 2);
    make(m, 2, origin);
    uint32_t count, seen[5] = {0};
    const uint32_t *const changed = ct_transform_changed(m, reader, &count);
    assert_int_equal(num_changed(m), 3);
    for (uint32_t i = 0; i < count; ++i) {
        if (changed[i])
            ++seen[ct_transform_entity(m, (ct_transform){changed[i]}).id];
    }
    assert_int_equal(seen[1], 1);
    assert_int_equal(seen[2], 1);
    assert_int_equal(seen[3], 1);
    ct_transform_manager_destroy(m);
}

static void sets_many_positions_with_one_update_each(void **state) {
    (void)state;
    ct_transform_manager *const m = ct_transform_manager_create(test_heap());
    reader = ct_transform_add_reader(m);
    const ct_transform a = make(m, 1, origin), b = make(m, 2, origin), c = make(m, 3, origin);
    const ct_transform lone = make(m, 4, origin);
    ct_transform_link(m, b, a);
    ct_transform_link(m, c, b);
    ct_transform_clear_changed(m, reader);
    const ct_transform all[] = {c, a, lone, c};
    const ct_vec3 positions[] = {{{1, 0, 0}}, {{0, 2, 0}}, {{4, 4, 4}}, {{0, 0, 3}}};
    ct_transform_set_local_positions(m, all, positions, 4);
    assert_near(world_position(m, a), ct_vec3_make(0, 2, 0), 0);
    assert_near(world_position(m, b), ct_vec3_make(0, 2, 0), 0);
    assert_near(world_position(m, c), ct_vec3_make(0, 2, 3), 0);
    assert_near(world_position(m, lone), ct_vec3_make(4, 4, 4), 0);
    assert_int_equal(num_changed(m), 4);
    ct_transform_manager_destroy(m);
}

enum { NUM_POSES = 130 };

// What some instances are to be set to.
typedef struct poses {
    ct_transform of[NUM_POSES];
    ct_vec3 position[NUM_POSES], scale[NUM_POSES];
    ct_quat rotation[NUM_POSES];
} poses;

// Sets all to `p` by one call, in which the instance `who[i]` comes in place `i`.
static void set_as(ct_transform_manager *m, const poses *p, const uint32_t *who) {
    static poses given;
    for (uint32_t i = 0; i < NUM_POSES; ++i) {
        ct_transform_set_local_pose(m, p->of[i], origin, ct_quat_identity(), no_scale);
        given.of[i] = p->of[who[i]];
        given.position[i] = p->position[who[i]];
        given.rotation[i] = p->rotation[who[i]];
        given.scale[i] = p->scale[who[i]];
    }
    ct_transform_set_local_poses(m, given.of, given.position, given.rotation, given.scale,
                                 NUM_POSES);
}

// Those that lie in order take another way than those that do not.
static void sets_many_poses_in_any_order(void **state) {
    (void)state;
    ct_transform_manager *const m = ct_transform_manager_create(test_heap());
    static poses p;
    static ct_mat4 worlds[NUM_POSES];
    uint32_t in_order[NUM_POSES], backwards[NUM_POSES], swapped[NUM_POSES], twice[NUM_POSES];
    for (uint32_t i = 0; i < NUM_POSES; ++i) {
        p.of[i] = make(m, i + 1, origin);
        if (i % 3)
            ct_transform_link(m, p.of[i], p.of[i - 1]);
        p.position[i] = ct_vec3_make((float)i, 1, -2);
        p.rotation[i] = ct_quat_axis_angle(ct_vec3_make(0, 1, 0), (float)i);
        p.scale[i] = ct_vec3_make(1, 2, (float)(i % 5));
        in_order[i] = swapped[i] = twice[i] = i;
        backwards[i] = NUM_POSES - 1 - i;
    }
    p.rotation[70] = (ct_quat){{0, 0, 3, 0}}; // is made one of length 1
    swapped[30] = 31, swapped[31] = 30;
    twice[31] = 30; // and 31 not at all
    set_as(m, &p, in_order);
    for (uint32_t i = 0; i < NUM_POSES; ++i) {
        worlds[i] = *ct_transform_world(m, p.of[i]);
        assert_near(ct_transform_local_position(m, p.of[i]), p.position[i], 0);
        assert_near(ct_transform_local_scale(m, p.of[i]), p.scale[i], 0);
    }
    assert_float_equal(ct_transform_local_rotation(m, p.of[70]).z, 1, 0);
    assert_near(ct_mat4_position(worlds[1]), ct_vec3_make(1, 3, -2), 0);
    const uint32_t *const orders[] = {backwards, swapped, twice};
    for (uint32_t k = 0; k < CT_COUNT_OF(orders); ++k) {
        set_as(m, &p, orders[k]);
        if (orders[k] == twice) {
            assert_near(ct_transform_local_position(m, p.of[31]), origin, 0);
            ct_transform_set_local_pose(m, p.of[31], p.position[31], p.rotation[31], p.scale[31]);
        }
        for (uint32_t i = 0; i < NUM_POSES; ++i)
            assert_memory_equal(ct_transform_world(m, p.of[i]), &worlds[i], sizeof(ct_mat4));
    }
    ct_transform_manager_destroy(m);
}

static void allocates_nothing_per_frame_once_warm(void **state) {
    (void)state;
    ct_transform_manager *const m = ct_transform_manager_create(test_heap());
    reader = ct_transform_add_reader(m);
    for (uint32_t i = 1; i <= 1000; ++i)
        make(m, i, origin);
    ct_transform_clear_changed(m, reader);
    const uint64_t before = ct_allocator_stats_of(test_heap()).total_blocks;
    for (uint32_t frame = 0; frame < 3; ++frame) {
        for (uint32_t i = 1; i <= 1000; ++i)
            ct_transform_set_local_position(m, (ct_transform){i}, ct_vec3_make((float)i, 0, 0));
        assert_int_equal(num_changed(m), 1000);
        ct_transform_clear_changed(m, reader);
    }
    assert_int_equal(ct_allocator_stats_of(test_heap()).total_blocks, before);
    ct_transform_manager_destroy(m);
}

// Three trees whose nodes were made in turns: after a round each lies in one piece, parents first.
static void brings_near_what_hangs_together(void **state) {
    (void)state;
    ct_transform_manager *const m = ct_transform_manager_create(test_heap());
    enum { NUM_TREES = 3, NUM_NODES = 5 };
    for (uint32_t i = 0; i < NUM_TREES * NUM_NODES; ++i) {
        const ct_transform t = make(m, i + 1, ct_vec3_make((float)i, 0, 0));
        const uint32_t number = i / NUM_TREES, parent = number == 3 ? 1 : 0;
        if (number > 0)
            ct_transform_link(
                m, t, ct_transform_lookup(m, (ct_entity){i % NUM_TREES + NUM_TREES * parent + 1}));
    }
    for (uint32_t i = 0; i < NUM_TREES * NUM_NODES; ++i) {
        ct_transform_tidy(m, 3, 1);
        for (uint32_t e = 1; e <= NUM_TREES * NUM_NODES; ++e)
            assert_int_equal(ct_transform_entity(m, ct_transform_lookup(m, (ct_entity){e})).id, e);
    }
    static const uint32_t order[NUM_NODES] = {0, 1, 3, 2, 4};
    for (uint32_t i = 0; i < NUM_TREES * NUM_NODES; ++i) {
        const uint32_t e = ct_transform_entity(m, (ct_transform){i + 1}).id - 1;
        const uint32_t root = ct_transform_entity(m, (ct_transform){i - i % NUM_NODES + 1}).id - 1;
        assert_int_equal(e, root + NUM_TREES * order[i % NUM_NODES]);
    }
    ct_transform_manager_destroy(m);
}

static void follows_a_chain_of_20000_without_recursion(void **state) {
    (void)state;
    ct_transform_manager *const m = ct_transform_manager_create(test_heap());
    enum { LENGTH = 20000 };
    make(m, 1, origin);
    for (uint32_t i = 2; i <= LENGTH; ++i) // the checked way up makes this quadratic
        assert_true(ct_transform_link(m, make(m, i, ct_vec3_make(0, 0, 1)), (ct_transform){i - 1}));
    ct_transform_set_local_position(m, (ct_transform){1}, ct_vec3_make(5, 0, 0));
    assert_near(world_position(m, (ct_transform){LENGTH}), ct_vec3_make(5, 0, LENGTH - 1), 0);
    ct_transform_manager_destroy(m);
}

// --- Against a plain model -----------------------------------------------------------------------

enum { NUM_ENTITIES = 64 };

typedef struct model_node {
    bool exists;
    uint32_t parent; // 0: none
    ct_vec3 position, scale;
    ct_quat rotation;
} model_node;

static model_node model[NUM_ENTITIES + 1];

static ct_mat4 model_world(uint32_t e) {
    const ct_mat4 local = ct_mat4_compose(model[e].position, model[e].rotation, model[e].scale);
    return model[e].parent ? ct_mat4_mul(model_world(model[e].parent), local) : local;
}

static bool model_is_below(uint32_t e, uint32_t top) {
    for (; e; e = model[e].parent) {
        if (e == top)
            return true;
    }
    return false;
}

static void model_unlink(uint32_t e) {
    const ct_mat4 world = model_world(e);
    ct_mat4_decompose(&world, &model[e].position, &model[e].rotation, &model[e].scale);
    model[e].parent = 0;
}

static void model_destroy(uint32_t e) {
    for (uint32_t child = 1; child <= NUM_ENTITIES; ++child) {
        if (model[child].exists && model[child].parent == e)
            model_unlink(child);
    }
    model[e].exists = false;
}

static float random_float(uint32_t *random, float least, float most) {
    return least + (most - least) * (float)(test_random(random) % 10001) / 10000;
}

static ct_vec3 random_vec3(uint32_t *random, float least, float most) {
    return ct_vec3_make(random_float(random, least, most), random_float(random, least, most),
                        random_float(random, least, most));
}

static ct_quat random_rotation(uint32_t *random) {
    const ct_vec3 axis = ct_vec3_add(random_vec3(random, -1, 1), ct_vec3_make(0.01f, 0, 0));
    return ct_quat_axis_angle(ct_vec3_normalize(axis), random_float(random, -3, 3));
}

// Even scales only: uneven ones shear, and then an unlinked pose depends on the order of rounding.
static ct_vec3 random_scale(uint32_t *random) {
    const float s = random_float(random, 0.8f, 1.2f);
    return ct_vec3_make(s, s, s);
}

static void compare(const ct_transform_manager *m) {
    uint32_t count = 0;
    for (uint32_t e = 1; e <= NUM_ENTITIES; ++e) {
        const ct_transform t = ct_transform_lookup(m, (ct_entity){e});
        assert_int_equal(t.index != 0, model[e].exists);
        if (!model[e].exists)
            continue;
        ++count;
        const ct_transform parent = ct_transform_parent(m, t);
        const uint32_t parent_entity = parent.index ? ct_transform_entity(m, parent).id : 0;
        assert_int_equal(parent_entity, model[e].parent);
        const ct_mat4 expected = model_world(e), *found = ct_transform_world(m, t);
        for (uint32_t i = 0; i < 16; ++i) {
            const float a = expected.raw[i / 4][i % 4], b = found->raw[i / 4][i % 4];
            if (!(fabsf(a - b) < 1e-2f + fabsf(a) * 1e-3f))
                fail_msg("entity %u: %g is not %g", e, (double)b, (double)a);
        }
    }
    assert_int_equal(ct_transform_count(m), count);
}

// Every child is found from its parent, once.
static void compare_children(const ct_transform_manager *m) {
    uint32_t found = 0, linked = 0;
    for (uint32_t e = 1; e <= NUM_ENTITIES; ++e) {
        if (!model[e].exists)
            continue;
        linked += model[e].parent != 0;
        ct_transform child = ct_transform_lookup(m, (ct_entity){e});
        for (child = ct_transform_first_child(m, child); child.index;
             child = ct_transform_next_sibling(m, child)) {
            assert_int_equal(model[ct_transform_entity(m, child).id].parent, e);
            ++found;
        }
    }
    assert_int_equal(found, linked);
}

// Keeps entity `e` and its transform in step with the model through one random deed.
static void do_random_deed(ct_transform_manager *m, uint32_t *random) {
    const uint32_t e = 1 + test_random(random) % NUM_ENTITIES;
    const uint32_t other = 1 + test_random(random) % NUM_ENTITIES;
    const ct_transform t = ct_transform_lookup(m, (ct_entity){e});
    if (!model[e].exists) {
        model[e] = (model_node){true, 0, random_vec3(random, -9, 9), random_scale(random),
                                random_rotation(random)};
        ct_transform_create(m, (ct_entity){e}, model[e].position, model[e].rotation,
                            model[e].scale);
        return;
    }
    switch (test_random(random) % 9) {
    case 0:
        ct_transform_destroy(m, &(ct_entity){e}, 1);
        model_destroy(e);
        break;
    case 1:
    case 2:
        if (model[other].exists) {
            const bool allowed = !model_is_below(other, e);
            const ct_transform parent = ct_transform_lookup(m, (ct_entity){other});
            assert_int_equal(ct_transform_link(m, t, parent), allowed);
            if (allowed)
                model[e].parent = other;
        }
        break;
    case 3:
        if (model[e].parent)
            model_unlink(e);
        ct_transform_unlink(m, t);
        break;
    case 4:
        model[e].rotation = random_rotation(random);
        ct_transform_set_local_rotation(m, t, model[e].rotation);
        break;
    case 5:
        model[e].scale = random_scale(random);
        ct_transform_set_local_scale(m, t, model[e].scale);
        break;
    case 6:
        if (model[other].exists) {
            const ct_transform both[] = {t, ct_transform_lookup(m, (ct_entity){other})};
            const ct_vec3 positions[] = {random_vec3(random, -9, 9), random_vec3(random, -9, 9)};
            model[e].position = positions[0];
            model[other].position = positions[1];
            ct_transform_set_local_positions(m, both, positions, 2);
        }
        break;
    case 7:
        if (model[other].exists) {
            const ct_transform both[] = {t, ct_transform_lookup(m, (ct_entity){other})};
            const ct_vec3 positions[] = {random_vec3(random, -9, 9), random_vec3(random, -9, 9)};
            const ct_quat rotations[] = {random_rotation(random), random_rotation(random)};
            const ct_vec3 scales[] = {random_scale(random), random_scale(random)};
            model[e] = (model_node){true, model[e].parent, positions[0], scales[0], rotations[0]};
            model[other] =
                (model_node){true, model[other].parent, positions[1], scales[1], rotations[1]};
            ct_transform_set_local_poses(m, both, positions, rotations, scales, 2);
        }
        break;
    default:
        model[e].position = random_vec3(random, -9, 9);
        ct_transform_set_local_position(m, t, model[e].position);
        break;
    }
}

enum { NUM_READERS = 3 };

// What a reader has not heard yet, and what the world matrices were.
static struct {
    bool is_news[NUM_READERS][NUM_ENTITIES + 1];
    ct_mat4 world[NUM_ENTITIES + 1];
    bool exists[NUM_ENTITIES + 1];
} known;

static void note_news(const ct_transform_manager *m) {
    for (uint32_t e = 1; e <= NUM_ENTITIES; ++e) {
        const ct_transform t = ct_transform_lookup(m, (ct_entity){e});
        const bool is_new =
            t.index && (!known.exists[e] ||
                        memcmp(&known.world[e], ct_transform_world(m, t), sizeof(ct_mat4)) != 0);
        known.exists[e] = t.index != 0;
        for (uint32_t r = 0; r < NUM_READERS; ++r)
            known.is_news[r][e] = t.index && (known.is_news[r][e] || is_new);
        if (t.index)
            known.world[e] = *ct_transform_world(m, t);
    }
}

// All that is news to the reader is in its list, nothing is there twice, and no number is stale.
static void read_changes(ct_transform_manager *m, uint32_t r) {
    const ct_transform_reader own = {r};
    bool is_listed[NUM_ENTITIES + 1] = {false};
    uint32_t count;
    const uint32_t *const changed = ct_transform_changed(m, own, &count);
    for (uint32_t k = 0; k < count; ++k) {
        if (changed[k] == 0)
            continue;
        const ct_transform t = {changed[k]};
        const uint32_t e = ct_transform_entity(m, t).id;
        assert_int_equal(ct_transform_lookup(m, (ct_entity){e}).index, t.index);
        assert_false(is_listed[e]);
        assert_true(ct_transform_is_changed(m, own, t));
        is_listed[e] = true;
    }
    for (uint32_t e = 1; e <= NUM_ENTITIES; ++e) {
        assert_true(is_listed[e] || !known.is_news[r][e]);
        known.is_news[r][e] = false;
    }
    ct_transform_clear_changed(m, own);
}

static void behaves_like_a_plain_tree(void **state) {
    (void)state;
    ct_transform_manager *const m = ct_transform_manager_create(test_heap());
    memset(model, 0, sizeof(model));
    memset(&known, 0, sizeof(known));
    for (uint32_t r = 0; r < NUM_READERS; ++r)
        assert_int_equal(ct_transform_add_reader(m).number, r);
    uint32_t random = 2024;
    const uint32_t rounds = test_rounds(100000, 3000000);
    for (uint32_t round = 0; round < rounds; ++round) {
        do_random_deed(m, &random);
        note_news(m);
        if (round % 3 == 0)
            ct_transform_tidy(m, 16, 2);
        if (round % 32 == 0) {
            compare(m);
            compare_children(m);
        }
        if (round % 5 == 0)
            read_changes(m, 0);
        if (round % 35 == 0)
            read_changes(m, 1);
        if (round % 9001 == 0) // so late that zeroes are taken out meanwhile
            read_changes(m, 2);
    }
    ct_transform_manager_destroy(m);
}

// --- From templates, and bugs --------------------------------------------------------------------

static void spawns_from_template_data(void **state) {
    (void)state;
    ct_transform_manager *const m = ct_transform_manager_create(test_heap());
    const ct_component_manager manager = ct_transform_component_manager(m);
    assert_int_equal(manager.schema->size_bytes, sizeof(ct_transform_data));
    const ct_entity entities[] = {{10}, {11}};
    const ct_transform_data data[] = {
        {{1, 2, 3}, {0, 0, 0, 1}, {1, 1, 1}},
        {{4, 5, 6}, {0, 0, 1, 0}, {2, 2, 2}},
    };
    const ct_entity owners[] = {{11}, {10}, {12}, {13}};
    const uint32_t ids[] = {5, 6, 5, 6};
    manager.spawn(m, &(ct_component_spawn){owners, ids, data, NULL, NULL, 2, 2});
    assert_int_equal(ct_transform_count(m), 4);
    const ct_transform second = ct_transform_lookup(m, (ct_entity){12});
    assert_near(ct_transform_local_position(m, second), ct_vec3_make(1, 2, 3), 0);
    const ct_transform a = ct_transform_lookup(m, entities[1]);
    const ct_transform b = ct_transform_lookup(m, entities[0]);
    assert_near(ct_transform_local_position(m, a), ct_vec3_make(1, 2, 3), 0);
    assert_near(ct_transform_local_scale(m, b), ct_vec3_make(2, 2, 2), 0);
    assert_true(ct_transform_local_rotation(m, b).z == 1);
    ct_transform_manager_destroy(m);
}

static void leaves_out_bad_template_data_with_a_warning(void **state) {
    (void)state;
    ct_transform_manager *const m = ct_transform_manager_create(test_heap());
    const ct_component_manager manager = ct_transform_component_manager(m);
    const ct_entity entities[] = {{10}, {11}};
    const ct_transform_data data[] = {
        {{1, 2, 3}, {0, 0, 0, 1}, {1, 1, 1}},
        {{7, 7, 7}, {0, 0, 0, 1}, {1, 1, 1}},
        {{NAN, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}},
    };
    const ct_entity owners[] = {{10}, {10}, {11}};
    const uint32_t ids[] = {5, 6, 7};
    const uint64_t twice = ct_log_warning_count("two_transforms");
    const uint64_t bad = ct_log_warning_count("bad_transform");
    manager.spawn(m, &(ct_component_spawn){owners, ids, data, NULL, NULL, 3, 1});
    assert_int_equal(ct_log_warning_count("two_transforms"), twice + 1);
    assert_int_equal(ct_log_warning_count("bad_transform"), bad + 1);
    assert_int_equal(ct_transform_count(m), 1);
    assert_near(world_position(m, ct_transform_lookup(m, entities[0])), ct_vec3_make(1, 2, 3), 0);
    ct_transform_manager_destroy(m);
}

// Random trees, twice, beside the same made one by one.
static void spawns_trees_as_links_make_them(void **state) {
    (void)state;
    enum { COUNT = 200, COPIES = 2, TOTAL = COUNT * COPIES };
    ct_transform_manager *const m = ct_transform_manager_create(test_heap());
    ct_transform_manager *const single = ct_transform_manager_create(test_heap());
    const ct_transform_reader follower = ct_transform_add_reader(m);
    ct_transform_data data[TOTAL];
    ct_entity entities[TOTAL];
    uint32_t parents[COUNT], random = 12345, num_changed;
    for (uint32_t i = 0; i < TOTAL; ++i) {
        random = random * 1664525u + 1013904223u;
        const uint32_t of_copy = i % COUNT;
        entities[i].id = i + 1;
        data[i] = (ct_transform_data){{(float)(random >> 24), 2, 3}, {0, 0.6f, 0, 0.8f}, {1, 2, 1}};
        if (i < COUNT)
            parents[i] = random >> 16 & 3 && i > 0 ? (random >> 8) % i : CT_TRANSFORM_NO_PARENT;
        const ct_transform t =
            ct_transform_create(single, entities[i], ct_vec3_make(data[i].position[0], 2, 3),
                                (ct_quat){{0, 0.6f, 0, 0.8f}}, ct_vec3_make(1, 2, 1));
        if (parents[of_copy] != CT_TRANSFORM_NO_PARENT)
            ct_transform_link(
                single, t, ct_transform_lookup(single, entities[i - of_copy + parents[of_copy]]));
    }
    assert_true(ct_transform_spawn(m, entities, data, parents, COUNT, COPIES));
    ct_transform_changed(m, follower, &num_changed);
    assert_int_equal(num_changed, TOTAL);
    for (uint32_t i = 1; i <= TOTAL; ++i) {
        const ct_transform t = {i};
        const ct_mat4 *const world = ct_transform_world(m, t);
        for (uint32_t k = 0; k < 16; ++k) {
            const float expected = ((const float *)ct_transform_world(single, t))[k];
            assert_float_equal(((const float *)world)[k], expected, 1e-5f * (1 + fabsf(expected)));
        }
        assert_int_equal(ct_transform_parent(m, t).index, ct_transform_parent(single, t).index);
        assert_int_equal(ct_transform_first_child(m, t).index,
                         ct_transform_first_child(single, t).index);
        assert_int_equal(ct_transform_next_sibling(m, t).index,
                         ct_transform_next_sibling(single, t).index);
    }
    assert_false(ct_transform_spawn(m, entities + 5, data, NULL, 1, 1));
    assert_int_equal(ct_transform_count(m), TOTAL);
    ct_transform_destroy(m, entities, TOTAL);
    assert_int_equal(ct_transform_count(m), 0);
    ct_transform_manager_destroy(m);
    ct_transform_manager_destroy(single);
}

static void set_nan(void *user) {
    ct_transform_set_local_position(user, (ct_transform){1}, ct_vec3_make(0, NAN, 0));
}

static void create_again(void *user) {
    make(user, 1, origin);
}

static void read_none(void *user) {
    ct_transform_world(user, (ct_transform){0});
}

static void read_past_the_end(void *user) {
    ct_transform_world(user, (ct_transform){2});
}

static void set_two_from(ct_transform_manager *m, uint32_t first) {
    const ct_transform two[] = {{first}, {first + 1}};
    const ct_quat rotations[] = {ct_quat_identity(), ct_quat_identity()};
    ct_transform_set_local_poses(m, two, (ct_vec3[]){origin, origin}, rotations,
                                 (ct_vec3[]){no_scale, no_scale}, 2);
}

static void set_none_of_two(void *user) {
    set_two_from(user, 0);
}

static void set_two_past_the_end(void *user) {
    set_two_from(user, 1);
}

static void dies_of_bugs(void **state) {
    (void)state;
    ct_transform_manager *const m = ct_transform_manager_create(test_heap());
    make(m, 1, origin);
    test_expect_death(set_nan, m, "a position is not finite");
    test_expect_death(create_again, m, "entity 1 already has a transform");
    test_expect_death(read_none, m, "there is no instance 0; the last one is 1");
    test_expect_death(read_past_the_end, m, "there is no instance 2; the last one is 1");
    test_expect_death(set_none_of_two, m, "there is no instance 0; the last one is 1");
    test_expect_death(set_two_past_the_end, m, "there is no instance 2; the last one is 1");
    ct_transform_manager_destroy(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(looks_up_instances_by_entity),
        cmocka_unit_test(scales_then_rotates_then_moves),
        cmocka_unit_test(moves_children_with_their_parent_at_once),
        cmocka_unit_test(keeps_children_in_the_order_they_were_linked),
        cmocka_unit_test(walks_the_tree_below_an_instance),
        cmocka_unit_test(refuses_to_hang_something_below_itself),
        cmocka_unit_test(keeps_the_world_pose_when_unlinked),
        cmocka_unit_test(keeps_the_world_pose_under_another_parent),
        cmocka_unit_test(moves_without_turning_as_a_whole_update_does),
        cmocka_unit_test(survives_unlinking_from_a_parent_of_no_size),
        cmocka_unit_test(keeps_numbers_finite_when_unlinked_from_a_world_of_overflow),
        cmocka_unit_test(keeps_rotations_at_length_1),
        cmocka_unit_test(unlinks_children_that_outlive_their_parent),
        cmocka_unit_test(destroys_whole_families_in_any_order),
        cmocka_unit_test(keeps_nothing_of_those_that_had_a_place),
        cmocka_unit_test(lists_what_changed_once),
        cmocka_unit_test(tells_each_reader_what_it_has_not_seen),
        cmocka_unit_test(drops_what_ended_from_the_list),
        cmocka_unit_test(sets_many_positions_with_one_update_each),
        cmocka_unit_test(sets_many_poses_in_any_order),
        cmocka_unit_test(allocates_nothing_per_frame_once_warm),
        cmocka_unit_test(brings_near_what_hangs_together),
        cmocka_unit_test(follows_a_chain_of_20000_without_recursion),
        cmocka_unit_test(behaves_like_a_plain_tree),
        cmocka_unit_test(spawns_from_template_data),
        cmocka_unit_test(leaves_out_bad_template_data_with_a_warning),
        cmocka_unit_test(spawns_trees_as_links_make_them),
        cmocka_unit_test(dies_of_bugs),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
