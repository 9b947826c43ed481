#include "entity/data_layout.h"

#include "foundation/container/sort.h"
#include "support/test_support.h"

typedef struct layout_fixture {
    ct_data_layouts layouts;
    ct_data_hint hints[CT_DATA_NUM_HINTS];
} layout_fixture;

static layout_fixture *start(void) {
    layout_fixture *const f = CT_NEW(test_heap(), layout_fixture);
    ct_data_layouts_init(&f->layouts, test_heap(), f->hints);
    return f;
}

static void stop(layout_fixture *f) {
    ct_data_layouts_free(&f->layouts);
    ct_free(test_heap(), f);
}

static ct_data_layout layout_of(uint32_t first, uint32_t second, ct_data_type type) {
    return (ct_data_layout){
        .keys = {first, second}, .types = {CT_DATA_TYPE_FLOAT, (uint8_t)type}, .num_keys = 2};
}

static uint32_t find(layout_fixture *f, uint32_t first, uint32_t second, ct_data_type type) {
    const ct_data_layout wanted = layout_of(first, second, type);
    return ct_data_layouts_find(&f->layouts, &wanted);
}

static void are_found_by_keys_and_types(void **state) {
    (void)state;
    layout_fixture *const f = start();
    const uint32_t a = find(f, 1, 2, CT_DATA_TYPE_FLOAT);
    assert_true(a >= CT_DATA_LAYOUT_OTHERS);
    assert_int_equal(find(f, 1, 2, CT_DATA_TYPE_FLOAT), a);
    assert_int_not_equal(find(f, 1, 2, CT_DATA_TYPE_BOOL), a);
    assert_int_not_equal(find(f, 1, 3, CT_DATA_TYPE_FLOAT), a);
    const ct_data_layout none = {0}, one = {.keys = {1}, .types = {CT_DATA_TYPE_FLOAT}, 1, 0, 0};
    assert_int_equal(ct_data_layouts_find(&f->layouts, &none), CT_DATA_LAYOUT_EMPTY);
    assert_int_not_equal(ct_data_layouts_find(&f->layouts, &one), a);
    const ct_data_layout *const layout = &f->layouts.items.items[a];
    assert_int_equal(ct_data_layout_place(layout, (ct_data_key){2}), 1);
    assert_true(ct_data_layout_has(layout, 1, (ct_data_key){2}));
    assert_false(ct_data_layout_has(layout, ct_data_layout_place(layout, (ct_data_key){3}),
                                    (ct_data_key){3}));
    stop(f);
}

static void stay_until_places_are_needed(void **state) {
    (void)state;
    layout_fixture *const f = start();
    const uint32_t a = find(f, 1, 2, CT_DATA_TYPE_FLOAT), b = find(f, 1, 3, CT_DATA_TYPE_FLOAT);
    ct_data_layouts_take(&f->layouts, a);
    ct_data_layouts_take(&f->layouts, b);
    ct_data_layouts_leave(&f->layouts, b);
    f->hints[7] = (ct_data_hint){.key = 3, .layout = b};
    for (uint32_t i = 4; f->layouts.items.count < CT_DATA_MAX_LAYOUTS; ++i)
        assert_int_not_equal(find(f, 1, i, CT_DATA_TYPE_FLOAT), 0);
    assert_int_equal(find(f, 1, 3, CT_DATA_TYPE_FLOAT), b);
    assert_int_equal(f->hints[7].layout, b);
    assert_int_not_equal(find(f, 0, 1, CT_DATA_TYPE_FLOAT), 0); // takes the place of another
    assert_int_equal(f->hints[7].layout, CT_DATA_LAYOUT_NEVER);
    assert_int_equal(find(f, 1, 2, CT_DATA_TYPE_FLOAT), a); // which an instance has
    assert_int_equal(f->layouts.items.items[a].num_instances, 1);
    assert_int_equal(f->layouts.items.count, CT_DATA_MAX_LAYOUTS);
    stop(f);
}

static void come_and_go_for_ever(void **state) {
    (void)state;
    layout_fixture *const f = start();
    uint32_t held[100] = {0};
    for (uint32_t i = 0; i < 100000; ++i) {
        const uint32_t number = find(f, i, i + 1, CT_DATA_TYPE_FLOAT);
        assert_int_not_equal(number, 0);
        ct_data_layouts_take(&f->layouts, number);
        if (held[i % 100])
            ct_data_layouts_leave(&f->layouts, held[i % 100]);
        held[i % 100] = number;
    }
    for (uint32_t i = 99900; i < 100000; ++i)
        assert_int_equal(find(f, i, i + 1, CT_DATA_TYPE_FLOAT), held[i % 100]);
    stop(f);
}

static void are_no_more_than_there_is_room_for(void **state) {
    (void)state;
    layout_fixture *const f = start();
    uint32_t count = 0;
    for (uint32_t number; (number = find(f, 0, ++count, CT_DATA_TYPE_FLOAT)) != 0;)
        ct_data_layouts_take(&f->layouts, number);
    assert_int_equal(count - 1, CT_DATA_MAX_LAYOUTS - CT_DATA_LAYOUT_OTHERS);
    const uint32_t number = find(f, 0, 1, CT_DATA_TYPE_FLOAT);
    assert_int_not_equal(number, 0); // what is there is found
    for (uint32_t i = 1; i < CT_DATA_MAX_LAYOUTS / 8; ++i) {
        ct_data_layouts_leave(&f->layouts, find(f, 0, i, CT_DATA_TYPE_FLOAT));
        assert_int_equal(find(f, 1, 2, CT_DATA_TYPE_FLOAT), 0); // not worth looking for places
    }
    ct_data_layouts_leave(&f->layouts, find(f, 0, CT_DATA_MAX_LAYOUTS / 8, CT_DATA_TYPE_FLOAT));
    assert_int_not_equal(find(f, 1, 2, CT_DATA_TYPE_FLOAT), 0);
    stop(f);
}

// --- Two layouts of one hash ---------------------------------------------------------------------

// As in data_layout.c, for one key.
static uint64_t mix(uint64_t x) {
    x *= UINT64_C(0x9e3779b97f4a7c15);
    return x ^ x >> 32;
}

// Looks for two first keys of which the hashes are so near that second keys make up for it.
static void of_one_hash_are_told_apart(void **state) {
    (void)state;
    enum { COUNT = 1 << 19 };
    layout_fixture *const f = start();
    uint32_t *const keys = CT_NEW_ARRAY(test_heap(), uint32_t, COUNT);
    uint64_t *const hashes = CT_NEW_ARRAY(test_heap(), uint64_t, 2 * COUNT);
    uint32_t random = 20150612;
    for (uint32_t i = 0; i < COUNT; ++i) {
        keys[i] = test_random(&random) % (1 << 30);
        hashes[i] = mix((uint64_t)keys[i] << 8 | CT_DATA_TYPE_FLOAT);
    }
    ct_sort_u64(hashes, hashes + COUNT, COUNT);
    uint64_t low = 0, between = 0; // sums of the second key and its type differ by this
    for (uint32_t i = 1; i < COUNT && !between; ++i) {
        const uint64_t difference = hashes[i] - hashes[i - 1];
        if (difference % 256 == 0 && difference >> 39 == 0) {
            low = hashes[i - 1];
            between = difference;
        }
    }
    assert_true(between != 0);
    uint32_t firsts[2] = {0};
    for (uint32_t i = 0; i < COUNT; ++i) {
        const uint64_t hash = mix((uint64_t)keys[i] << 8 | CT_DATA_TYPE_FLOAT);
        if (hash == low || hash == low + between)
            firsts[hash != low] = keys[i];
    }
    const uint32_t second = 1u << 30;
    const uint32_t a = find(f, firsts[0], second + (uint32_t)(between >> 8), CT_DATA_TYPE_FLOAT);
    assert_int_not_equal(a, 0);
    assert_int_equal(find(f, firsts[1], second, CT_DATA_TYPE_FLOAT), 0);
    assert_int_equal(find(f, firsts[0], second + (uint32_t)(between >> 8), CT_DATA_TYPE_FLOAT), a);
    ct_free(test_heap(), hashes);
    ct_free(test_heap(), keys);
    stop(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(are_found_by_keys_and_types),
        cmocka_unit_test(stay_until_places_are_needed),
        cmocka_unit_test(come_and_go_for_ever),
        cmocka_unit_test(are_no_more_than_there_is_room_for),
        cmocka_unit_test(of_one_hash_are_told_apart),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
