// Many poses at once are the same as one after the other: in trees at random, in any order, with offsets.
#include "support/test_support.h"

#include <string.h>

#include "entity/transform_component.h"
#include "foundation/math/math.h"

enum { NUM = 150, NUM_ROUNDS = 200 };

// Two managers with the same trees: one gets its poses singly, the other all at once.
typedef struct pair {
    ct_transform_manager *single, *many;
    ct_transform_reader readers[2]; // of both: the same numbers
    uint32_t random;
} pair;

static uint32_t below(pair *p, uint32_t end) {
    p->random = p->random * 1664525 + 1013904223;
    return (p->random >> 8) % end;
}

static float some_number(pair *p) {
    return (float)below(p, 2001) / 100 - 10;
}

static ct_vec3 some_vector(pair *p) {
    const float x = some_number(p), y = some_number(p);
    return ct_vec3_make(x, y, some_number(p));
}

// Of any length, which setting makes 1.
static ct_quat some_rotation(pair *p) {
    const ct_vec3 v = some_vector(p);
    return (ct_quat){{v.x, v.y, v.z, some_number(p) + 11}};
}

static ct_transform of(const ct_transform_manager *m, uint32_t entity) {
    return ct_transform_lookup(m, (ct_entity){entity});
}

// Entities have the ids 1 to NUM. Children lie before and behind their parents.
static pair start(uint32_t seed) {
    pair p = {.single = ct_transform_manager_create(test_heap()),
              .many = ct_transform_manager_create(test_heap()),
              .random = seed};
    for (uint32_t e = 1; e <= NUM; ++e) {
        const ct_vec3 origin = ct_vec3_make(0, 0, 0), one = ct_vec3_make(1, 1, 1);
        ct_transform_create(p.single, (ct_entity){e}, origin, ct_quat_identity(), one);
        ct_transform_create(p.many, (ct_entity){e}, origin, ct_quat_identity(), one);
    }
    for (uint32_t e = 1; e <= NUM; ++e) {
        const uint32_t parent = 1 + below(&p, NUM), kind = below(&p, 4);
        const ct_mat4 offset =
            ct_mat4_compose(some_vector(&p), ct_quat_identity(), ct_vec3_make(1, 2, 1));
        const ct_mat4 *const at = kind == 0 ? &offset : NULL;
        if (kind == 3)
            continue;
        const bool is_linked =
            ct_transform_link_at(p.single, of(p.single, e), of(p.single, parent), at);
        assert_int_equal(ct_transform_link_at(p.many, of(p.many, e), of(p.many, parent), at),
                         is_linked);
    }
    for (uint32_t r = 0; r < 2; ++r) {
        p.readers[r] = ct_transform_add_reader(p.single);
        ct_transform_add_reader(p.many);
    }
    return p;
}

static void stop(pair *p) {
    ct_transform_manager_destroy(p->single);
    ct_transform_manager_destroy(p->many);
}

static void set_some(pair *p) {
    static ct_transform transforms[NUM];
    static ct_vec3 positions[NUM], scales[NUM];
    static ct_quat rotations[NUM];
    const uint32_t count = below(p, NUM + 1), first = below(p, NUM), step = 1 + below(p, 2) * 6;
    for (uint32_t k = 0; k < count; ++k) { // each once: 7 divides nothing of 150
        const uint32_t e = 1 + (first + k * step) % NUM;
        transforms[k] = of(p->many, e);
        positions[k] = some_vector(p);
        rotations[k] = some_rotation(p);
        scales[k] = some_vector(p);
        ct_transform_set_local_pose(p->single, of(p->single, e), positions[k], rotations[k],
                                    scales[k]);
    }
    ct_transform_set_local_poses(p->many, transforms, positions, rotations, scales, count);
}

// Marks the entities of a reader's list; each is there once.
static void read_list(const ct_transform_manager *m, ct_transform_reader reader, bool *is_listed) {
    uint32_t count;
    const uint32_t *const changed = ct_transform_changed(m, reader, &count);
    memset(is_listed, 0, sizeof(bool) * (NUM + 1));
    for (uint32_t i = 0; i < count; ++i) {
        if (!changed[i])
            continue;
        const uint32_t e = ct_transform_entity(m, (ct_transform){changed[i]}).id;
        assert_false(is_listed[e]);
        is_listed[e] = true;
    }
}

static void assert_same(const pair *p) {
    for (uint32_t e = 1; e <= NUM; ++e) {
        const ct_transform a = of(p->single, e), b = of(p->many, e);
        const ct_vec3 position = ct_transform_local_position(p->single, a);
        const ct_vec3 scale = ct_transform_local_scale(p->single, a);
        const ct_quat rotation = ct_transform_local_rotation(p->single, a);
        const ct_vec3 other_position = ct_transform_local_position(p->many, b);
        const ct_vec3 other_scale = ct_transform_local_scale(p->many, b);
        const ct_quat other_rotation = ct_transform_local_rotation(p->many, b);
        assert_memory_equal(&position, &other_position, sizeof(position));
        assert_memory_equal(&scale, &other_scale, sizeof(scale));
        assert_memory_equal(&rotation, &other_rotation, sizeof(rotation));
        assert_memory_equal(ct_transform_local(p->single, a), ct_transform_local(p->many, b),
                            sizeof(ct_mat4));
        assert_memory_equal(ct_transform_world(p->single, a), ct_transform_world(p->many, b),
                            sizeof(ct_mat4));
    }
    for (uint32_t r = 0; r < 2; ++r) {
        bool single[NUM + 1], many[NUM + 1];
        read_list(p->single, p->readers[r], single);
        read_list(p->many, p->readers[r], many);
        assert_memory_equal(single, many, sizeof(single));
    }
}

static void many_poses_are_those_set_one_by_one(void **state) {
    (void)state;
    for (uint32_t seed = 1; seed <= 5; ++seed) {
        pair p = start(seed);
        for (uint32_t round = 0; round < NUM_ROUNDS; ++round) {
            set_some(&p);
            assert_same(&p);
            for (uint32_t r = 0; r < 2; ++r) { // readers fall behind by turns
                if (below(&p, 3) > 0)
                    continue;
                ct_transform_clear_changed(p.single, p.readers[r]);
                ct_transform_clear_changed(p.many, p.readers[r]);
            }
        }
        stop(&p);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(many_poses_are_those_set_one_by_one)};
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
