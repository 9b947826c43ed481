#include "render/draw/render_sort.h"

#include "support/test_support.h"

#include <stdlib.h>

enum { MAX_ITEMS = 3000 };

static int by_key_then_object(const void *a, const void *b) {
    const ct_render_item *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->object < y->object ? -1 : x->object > y->object;
}

// Property: as a stable sort by comparison, whatever bytes of the keys differ.
static void sorts_as_a_stable_sort_does(void **state) {
    (void)state;
    static ct_render_item items[MAX_ITEMS], scratch[MAX_ITEMS], model[MAX_ITEMS];
    uint32_t random = 7;
    for (uint32_t round = 0; round < test_rounds(100, 5000); ++round) {
        const uint32_t count = test_random(&random) % MAX_ITEMS;
        const uint64_t mask = 0xffull << test_random(&random) % 57 |
                              0xfull << test_random(&random) % 61 | (round % 3 ? 0 : UINT64_MAX);
        for (uint32_t i = 0; i < count; ++i) {
            const uint64_t high = test_random(&random), low = test_random(&random);
            items[i] = (ct_render_item){.key = (high << 32 | low) & mask, .object = i};
            model[i] = items[i];
        }
        qsort(model, count, sizeof(*model), by_key_then_object);
        const ct_render_item *const sorted = ct_render_sort_items(items, scratch, count);
        for (uint32_t i = 0; i < count; ++i)
            assert_true(sorted[i].key == model[i].key && sorted[i].object == model[i].object);
    }
}

static void keys_order_by_layer_first(void **state) {
    (void)state;
    assert_true(ct_render_key_material(1, 0x3ff, 0xffff, 0xffff, 0xff, true) <
                ct_render_key_material(2, 0, 0, 0, 0, false));
    assert_true(ct_render_key_back_front(1, -1e30f, 0xffffff) <
                ct_render_key_back_front(2, 1e30f, 0));
    assert_true(ct_render_key_front_back(1, 1e30f, 0xffff, 0xffff, 0xff, true) <
                ct_render_key_front_back(2, -1e30f, 0, 0, 0, false));
    assert_int_equal(ct_render_key_layer(ct_render_key_material(63, 1, 2, 3, 4, true)), 63);
    assert_int_equal(ct_render_key_layer(ct_render_key_back_front(5, 3.0f, 9)), 5);
}

static void keys_order_by_shader_then_material_then_mesh(void **state) {
    (void)state;
    assert_true(ct_render_key_material(0, 1, 0xffff, 0xffff, 0xff, true) <
                ct_render_key_material(0, 2, 0, 0, 0, false));
    assert_true(ct_render_key_material(0, 1, 1, 0xffff, 0xff, true) <
                ct_render_key_material(0, 1, 2, 0, 0, false));
    assert_true(ct_render_key_material(0, 1, 1, 1, 0xff, true) <
                ct_render_key_material(0, 1, 1, 2, 0, false));
}

static void keys_order_by_distance_both_ways(void **state) {
    (void)state;
    const float distances[] = {-1000.0f, -1.0f, -0.001f, 0.0f, 0.001f, 1.0f, 1.5f, 1000.0f};
    for (uint32_t i = 1; i < CT_COUNT_OF(distances); ++i) {
        assert_true(ct_render_key_back_front(0, distances[i - 1], 5) >
                    ct_render_key_back_front(0, distances[i], 5));
        assert_true(ct_render_key_front_back(0, distances[i - 1], 5, 0, 0, false) <
                    ct_render_key_front_back(0, distances[i], 5, 0, 0, false));
    }
    // Near neighbours fall together, so that they are drawn in one call.
    assert_true(ct_render_key_front_back(0, 10.0f, 5, 1, 0, false) ==
                ct_render_key_front_back(0, 10.1f, 5, 1, 0, false));
    assert_true(ct_render_key_back_front(0, 10.0f, 5) != ct_render_key_back_front(0, 10.1f, 5));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorts_as_a_stable_sort_does),
        cmocka_unit_test(keys_order_by_layer_first),
        cmocka_unit_test(keys_order_by_shader_then_material_then_mesh),
        cmocka_unit_test(keys_order_by_distance_both_ways),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
