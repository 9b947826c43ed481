#include "render/draw/render_culling.h"

#include <math.h>
#include <string.h>

#include "foundation/math/math_bulk.h"
#include "foundation/math/random.h"
#include "support/test_support.h"

enum { MOST = 9000, HIDDEN = 1, OTHER = 2 };

// Objects as the renderer has them, and nothing else of it.
typedef struct culling_fixture {
    ct_task_manager *tasks;
    ct_render_culling culling;
    float spheres[MOST][4];
    uint8_t flags[MOST], visible[MOST], wanted[MOST];
    uint32_t count;
} culling_fixture;

static culling_fixture f;

static int start(void **state) {
    (void)state;
    memset(&f, 0, sizeof(f));
    f.tasks =
        ct_task_manager_create(&(ct_task_manager_desc){.allocator = test_heap(), .num_workers = 2});
    ct_render_culling_init(&f.culling, test_heap());
    return 0;
}

static int stop(void **state) {
    (void)state;
    ct_render_culling_free(&f.culling);
    ct_task_manager_destroy(f.tasks);
    return 0;
}

// Somewhere in a world of 1 km; some are not to be drawn, some are out of this world.
static void place(ct_random *r, uint32_t i) {
    for (uint32_t k = 0; k < 3; ++k)
        f.spheres[i][k] = ct_random_float_range(r, -500, 500);
    f.spheres[i][3] = ct_random_float_range(r, 0, 5);
    const uint32_t kind = ct_random_below(r, 1000);
    if (kind > 900)
        f.spheres[i][3] = -1;
    else if (kind == 1)
        f.spheres[i][ct_random_below(r, 4)] = INFINITY;
    else if (kind == 2)
        f.spheres[i][0] = 3e9f;
    else if (kind == 3)
        f.spheres[i][ct_random_below(r, 4)] = NAN;
}

static void add(ct_random *r) {
    place(r, f.count);
    f.flags[f.count++] = ct_random_below(r, 10) ? 0 : HIDDEN;
    ct_render_culling_add(&f.culling);
}

static void move(ct_random *r, uint32_t i) {
    place(r, i);
    ct_render_culling_move(&f.culling, i);
}

static void erase(uint32_t i) {
    ct_render_culling_swap_erase(&f.culling, i);
    --f.count;
    memcpy(f.spheres[i], f.spheres[f.count], sizeof(f.spheres[i]));
    f.flags[i] = f.flags[f.count];
}

static void settle(uint32_t num_calls) {
    for (uint32_t i = 0; i < num_calls; ++i)
        ct_render_culling_settle(&f.culling, (const float(*)[4])f.spheres);
}

static ct_frustum frustum_at(ct_vec3 position, ct_quat rotation, float far_range) {
    const ct_mat4 camera = ct_mat4_compose(position, rotation, ct_vec3_make(1, 1, 1));
    const ct_mat4 projection = ct_mat4_perspective(1, 1.5f, 0.1f, far_range);
    const ct_mat4 to_clip = ct_mat4_mul(projection, ct_mat4_inverse(camera));
    return ct_frustum_from(&to_clip);
}

// Returns whether the broadphase knew.
static bool check_seen(const ct_frustum *frustum, uint32_t num_seen) {
    memset(f.visible, 0xee, sizeof(f.visible));
    const ct_render_culling_query query = {.frustum = *frustum,
                                           .spheres = (const float(*)[4])f.spheres,
                                           .flags = f.flags,
                                           .unseen = HIDDEN,
                                           .count = f.count,
                                           .visible = f.visible};
    const bool knew = ct_render_culling_see(&f.culling, f.tasks, &query, num_seen);
    ct_frustum_cull_spheres(frustum, (const float(*)[4])f.spheres, f.count, f.wanted);
    for (uint32_t i = 0; i < f.count; ++i)
        f.wanted[i] &= !(f.flags[i] & HIDDEN);
    assert_memory_equal(f.visible, f.wanted, f.count);
    assert_true(f.count == MOST || f.visible[f.count] == 0xee);
    return knew;
}

static void sees_what_a_test_of_all_sees(void **state) {
    (void)state;
    ct_random r = ct_random_seeded(1, 1);
    uint32_t num_known = 0, num_tested = 0;
    for (uint32_t round = 0; round < test_rounds(600, 20000); ++round) {
        if (round % 300 == 0) {
            while (f.count)
                erase(ct_random_below(&r, f.count));
            while (f.count < MOST - 500)
                add(&r);
        }
        for (uint32_t i = ct_random_below(&r, 20); i; --i)
            move(&r, ct_random_below(&r, f.count));
        if (ct_random_below(&r, 40) == 0)
            for (uint32_t i = 0; i < f.count; ++i)
                move(&r, i);
        for (uint32_t i = ct_random_below(&r, 10); i; --i)
            ct_random_below(&r, 2) ? erase(ct_random_below(&r, f.count)) : add(&r);
        f.flags[ct_random_below(&r, f.count)] ^= ct_random_below(&r, 2) ? HIDDEN : OTHER;
        settle(ct_random_below(&r, 30));
        const ct_vec3 at = ct_vec3_make(ct_random_float_range(&r, -600, 600),
                                        ct_random_float_range(&r, -600, 600), 0);
        const ct_frustum frustum =
            frustum_at(at, ct_random_quat(&r), ct_random_float_range(&r, 10, 2000));
        const bool knew = check_seen(&frustum, ct_random_below(&r, 3) ? 0 : f.count);
        num_known += knew;
        num_tested += !knew;
    }
    assert_true(num_known > 100 && num_tested > 100);
}

// What a camera that is nowhere sees is nobody's business, but it sees objects that there are.
static void survives_a_camera_that_is_nowhere(void **state) {
    (void)state;
    ct_random r = ct_random_seeded(5, 5);
    while (f.count < MOST)
        add(&r);
    settle(30 + MOST / 64);
    const float bad[] = {NAN, INFINITY, -INFINITY, 3e38f};
    for (uint32_t i = 0; i < CT_COUNT_OF(bad); ++i) {
        const ct_frustum frustum =
            frustum_at(ct_vec3_make(bad[i], 0, bad[i]), ct_quat_identity(), 100);
        memset(f.visible, 0xee, sizeof(f.visible));
        const ct_render_culling_query query = {.frustum = frustum,
                                               .spheres = (const float(*)[4])f.spheres,
                                               .flags = f.flags,
                                               .unseen = HIDDEN,
                                               .count = f.count,
                                               .visible = f.visible};
        ct_render_culling_see(&f.culling, f.tasks, &query, 0);
        for (uint32_t k = 0; k < f.count; ++k)
            assert_true(f.visible[k] <= 1);
    }
}

static void asks_the_broadphase_for_few_that_rest(void **state) {
    (void)state;
    ct_random r = ct_random_seeded(2, 2);
    while (f.count < MOST)
        add(&r);
    const ct_vec3 origin = ct_vec3_make(0, 0, 0), beside = ct_vec3_make(0, -9000, 0);
    const ct_frustum few = frustum_at(origin, ct_quat_identity(), 100);
    const ct_frustum all = frustum_at(beside, ct_quat_identity(), 1e6f);
    assert_false(check_seen(&few, 0)); // all are new
    settle(29);
    assert_false(check_seen(&few, 0));
    settle(200);
    const uint32_t num_resting = ct_broadphase_count(f.culling.resting);
    assert_in_range(num_resting, MOST * 85 / 100, MOST * 95 / 100); // those that have a place
    assert_true(check_seen(&few, 0));
    assert_false(check_seen(&few, MOST)); // so many the last time
    assert_false(check_seen(&all, 0));    // so many now
    uint32_t resting = 0;
    while (!f.culling.items.items[resting].slot)
        ++resting;
    move(&r, resting);
    assert_int_equal(ct_broadphase_count(f.culling.resting), num_resting - 1);
    assert_true(check_seen(&few, 0));
    for (uint32_t i = 0; i < MOST; i += 64)
        move(&r, i);
    assert_false(check_seen(&few, 0));
}

static void lists_what_is_visible(void **state) {
    (void)state;
    ct_random r = ct_random_seeded(4, 4);
    for (uint32_t count = 0; count < 100; ++count) {
        const uint32_t one_of = 1 + ct_random_below(&r, 20);
        uint8_t visible[100];
        uint32_t seen[101], num_wanted = 0;
        for (uint32_t i = 0; i < count; ++i)
            visible[i] = ct_random_below(&r, one_of) == 0;
        memset(seen, 0xee, sizeof(seen));
        const uint32_t num_seen = ct_render_culling_list(visible, count, seen);
        for (uint32_t i = 0; i < count; ++i) {
            if (!visible[i])
                continue;
            assert_true(num_wanted < num_seen);
            assert_int_equal(seen[num_wanted++], i);
        }
        assert_int_equal(num_seen, num_wanted);
        assert_int_equal(seen[count], 0xeeeeeeee);
    }
}

static void allocates_nothing_once_it_has_grown(void **state) {
    (void)state;
    ct_random r = ct_random_seeded(3, 3);
    while (f.count < 5000)
        add(&r);
    const ct_frustum few = frustum_at(ct_vec3_make(0, 0, 0), ct_quat_identity(), 100);
    settle(200);
    uint64_t before = 0;
    for (uint32_t round = 0; round < 400; ++round) {
        if (round == 200)
            before = ct_allocator_stats_of(test_heap()).total_blocks;
        move(&r, ct_random_below(&r, 5000));
        settle(2);
        check_seen(&few, 0);
    }
    assert_int_equal(ct_allocator_stats_of(test_heap()).total_blocks, before);
}

#define CULLING_TEST(test) cmocka_unit_test_setup_teardown(test, start, stop)

int main(void) {
    const struct CMUnitTest tests[] = {
        CULLING_TEST(sees_what_a_test_of_all_sees),
        CULLING_TEST(survives_a_camera_that_is_nowhere),
        CULLING_TEST(asks_the_broadphase_for_few_that_rest),
        cmocka_unit_test(lists_what_is_visible),
        CULLING_TEST(allocates_nothing_once_it_has_grown),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
