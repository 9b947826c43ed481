#include "foundation/container/buddy_array.h"

#include <string.h>

#include "support/test_support.h"

typedef CT_BUDDY_ARRAY(uint32_t) u32_buddy_array;

typedef struct odd_item {
    uint8_t bytes[23];
} odd_item;

typedef struct fixture {
    ct_buddy_allocator b;
    void *buffer;
    uint64_t buffer_bytes;
} fixture;

static fixture *start(uint64_t buffer_bytes) {
    fixture *f = CT_NEW(test_heap(), fixture);
    f->buffer_bytes = buffer_bytes;
    f->buffer = ct_alloc_aligned(test_heap(), buffer_bytes, 4096);
    ct_buddy_init(&f->b, "arrays", f->buffer, buffer_bytes, 16);
    return f;
}

static void end(fixture *f) {
    ct_buddy_shutdown(&f->b);
    ct_free_sized(test_heap(), f->buffer, f->buffer_bytes);
    ct_free(test_heap(), f);
}

static void fills_its_block(void **state) {
    (void)state;
    fixture *f = start(1 << 16);
    u32_buddy_array array = {0};
    assert_int_equal(sizeof(array), 16);
    for (uint32_t i = 0; i < 1000; ++i) {
        ct_buddy_array_push(&f->b, &array, i * 3);
        assert_int_equal(array.capacity * sizeof(uint32_t),
                         ct_buddy_block_bytes(&f->b, array.items));
        assert_true(i < 4 || array.capacity <= 2 * i);
    }
    for (uint32_t i = 0; i < 1000; ++i)
        assert_int_equal(array.items[i], i * 3);
    ct_buddy_array_free(&f->b, &array);
    assert_null(array.items);
    end(f);
}

static void holds_items_whose_size_is_no_power_of_two(void **state) {
    (void)state;
    fixture *f = start(1 << 16);
    CT_BUDDY_ARRAY(odd_item) array = {0};
    for (uint32_t i = 0; i < 200; ++i) {
        odd_item item;
        memset(&item, (int)i, sizeof(item));
        ct_buddy_array_push(&f->b, &array, item);
        assert_int_equal(array.capacity, ct_buddy_block_bytes(&f->b, array.items) / 23);
    }
    for (uint32_t i = 0; i < 200; ++i)
        assert_true(array.items[i].bytes[0] == i && array.items[i].bytes[22] == i);
    ct_buddy_array_free(&f->b, &array);
    end(f);
}

static void grows_in_place_with_a_free_buddy(void **state) {
    (void)state;
    fixture *f = start(1 << 16);
    u32_buddy_array first = {0}, array = {0};
    ct_buddy_array_reserve(&f->b, &first, 4096); // 16 KiB: the right half of the lower half
    for (uint32_t i = 0; i < 4096; ++i)
        ct_buddy_array_push(&f->b, &array, i);
    const uint32_t *const items = array.items;
    assert_ptr_equal(items, (char *)f->buffer + (1 << 15));
    ct_buddy_array_push(&f->b, &array, 4096);
    assert_ptr_equal(array.items, items);
    assert_int_equal(array.capacity, 8192);
    ct_buddy_array_free(&f->b, &first);
    ct_buddy_array_free(&f->b, &array);
    end(f);
}

static void erases_in_order_and_by_the_last(void **state) {
    (void)state;
    fixture *f = start(4096);
    u32_buddy_array array = {0};
    for (uint32_t i = 0; i < 6; ++i)
        ct_buddy_array_push(&f->b, &array, i);
    ct_buddy_array_erase(&array, 1);
    static const uint32_t ordered[] = {0, 2, 3, 4, 5};
    assert_int_equal(array.count, 5);
    assert_memory_equal(array.items, ordered, sizeof(ordered));
    ct_buddy_array_swap_erase(&array, 0);
    static const uint32_t swapped[] = {5, 2, 3, 4};
    assert_int_equal(array.count, 4);
    assert_memory_equal(array.items, swapped, sizeof(swapped));
    assert_int_equal(ct_buddy_array_pop(&array), 4);
    ct_buddy_array_erase(&array, 2);
    assert_int_equal(array.count, 2);
    ct_buddy_array_free(&f->b, &array);
    end(f);
}

// --- Many arrays against plain ones --------------------------------------------------------------

enum { NUM_ARRAYS = 100, MAX_ITEMS = 400 };

typedef struct model {
    u32_buddy_array arrays[NUM_ARRAYS];
    uint32_t items[NUM_ARRAYS][MAX_ITEMS];
    uint32_t counts[NUM_ARRAYS];
} model;

static void operate(model *m, ct_buddy_allocator *b, uint32_t *random) {
    const uint32_t a = test_random(random) % NUM_ARRAYS;
    const uint32_t action = test_random(random) % 64, count = m->counts[a];
    u32_buddy_array *const array = &m->arrays[a];
    if (action < 40 && count < MAX_ITEMS) {
        const uint32_t value = test_random(random);
        ct_buddy_array_push(b, array, value);
        m->items[a][m->counts[a]++] = value;
    } else if (action < 50 && count > 0) {
        assert_int_equal(ct_buddy_array_pop(array), m->items[a][--m->counts[a]]);
    } else if (action < 62 && count > 0) {
        const uint32_t i = test_random(random) % count;
        ct_buddy_array_erase(array, i);
        memmove(m->items[a] + i, m->items[a] + i + 1, (count - i - 1) * sizeof(uint32_t));
        --m->counts[a];
    } else if (action == 62) {
        ct_buddy_array_free(b, array);
        m->counts[a] = 0;
    }
}

static void check(const model *m) {
    for (uint32_t a = 0; a < NUM_ARRAYS; ++a) {
        assert_int_equal(m->arrays[a].count, m->counts[a]);
        if (m->counts[a])
            assert_memory_equal(m->arrays[a].items, m->items[a], m->counts[a] * sizeof(uint32_t));
    }
}

static void agrees_with_plain_arrays(void **state) {
    (void)state;
    fixture *f = start(1 << 20);
    model *m = CT_NEW(test_heap(), model);
    uint32_t random = 4321;
    for (uint32_t i = 0; i < 1000000; ++i) {
        operate(m, &f->b, &random);
        if (i % 1000 == 0)
            check(m);
    }
    for (uint32_t a = 0; a < NUM_ARRAYS; ++a)
        ct_buddy_array_free(&f->b, &m->arrays[a]);
    ct_free(test_heap(), m);
    end(f);
}

static void push_forever(void *user) {
    u32_buddy_array array = {0};
    for (;;)
        ct_buddy_array_push((ct_buddy_allocator *)user, &array, 1);
}

static void erase_what_is_not_there(void *user) {
    u32_buddy_array array = {0};
    ct_buddy_array_push((ct_buddy_allocator *)user, &array, 1);
    ct_buddy_array_erase(&array, 1);
}

static void reports_misuse(void **state) {
    (void)state;
    fixture *const f = start(4096);
    test_expect_death(push_forever, &f->b, "out of memory: allocator \"arrays\"");
    test_expect_death(erase_what_is_not_there, &f->b,
                      "index 1 is out of range: the array has 1 items");
    end(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fills_its_block),
        cmocka_unit_test(holds_items_whose_size_is_no_power_of_two),
        cmocka_unit_test(grows_in_place_with_a_free_buddy),
        cmocka_unit_test(erases_in_order_and_by_the_last),
        cmocka_unit_test(agrees_with_plain_arrays),
        cmocka_unit_test(reports_misuse),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
