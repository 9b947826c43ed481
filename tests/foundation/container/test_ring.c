#include "foundation/container/ring.h"

#include <string.h>

#include "support/test_support.h"

static void gives_back_in_order(void **state) {
    (void)state;
    ct_ring ring;
    ct_ring_init(&ring, test_heap(), sizeof(uint32_t));
    for (uint32_t i = 0; i < 100; ++i)
        ct_ring_push(&ring, &i);
    assert_int_equal(ring.count, 100);
    for (uint32_t i = 0; i < 100; ++i) {
        uint32_t item;
        assert_true(ct_ring_pop(&ring, &item));
        assert_int_equal(item, i);
    }
    ct_ring_free(&ring);
}

static void leaves_the_item_when_empty(void **state) {
    (void)state;
    ct_ring ring;
    ct_ring_init(&ring, test_heap(), sizeof(uint32_t));
    uint32_t item = 42;
    assert_false(ct_ring_pop(&ring, &item));
    assert_int_equal(item, 42);
    ct_ring_push(&ring, &item);
    assert_true(ct_ring_pop(&ring, NULL)); // dropped
    assert_false(ct_ring_pop(&ring, NULL));
    ct_ring_free(&ring);
}

static void grows_while_wrapped(void **state) {
    (void)state;
    ct_ring ring;
    ct_ring_init(&ring, test_heap(), sizeof(uint32_t));
    uint32_t next_in = 0, next_out = 0, item;
    for (uint32_t i = 0; i < 8; ++i, ++next_in)
        ct_ring_push(&ring, &next_in);
    for (uint32_t i = 0; i < 5; ++i, ++next_out)
        assert_true(ct_ring_pop(&ring, &item));
    for (uint32_t i = 0; i < 20; ++i, ++next_in) // grows with its head in the middle
        ct_ring_push(&ring, &next_in);
    for (uint32_t i = 0; i < ring.count; ++i)
        assert_int_equal(*(uint32_t *)ct_ring_at(&ring, i), next_out + i);
    ct_ring_free(&ring);
}

static void moves_many_at_once(void **state) {
    (void)state;
    ct_ring ring;
    ct_ring_init(&ring, test_heap(), sizeof(uint32_t));
    uint32_t items[50], next_in = 0, next_out = 0;
    ct_ring_push_many(&ring, items, 0);
    ct_ring_pop_many(&ring, items, 0);
    for (uint32_t round = 0; round < 200; ++round) { // across the end of the buffer, and growing
        const uint32_t num_in = round * 7 % 51, left = ring.count + num_in;
        const uint32_t num_out = round * 11 % 51 < left ? round * 11 % 51 : left;
        for (uint32_t i = 0; i < num_in; ++i)
            items[i] = next_in++;
        ct_ring_push_many(&ring, items, num_in);
        ct_ring_pop_many(&ring, items, num_out);
        for (uint32_t i = 0; i < num_out; ++i)
            assert_int_equal(items[i], next_out++);
        assert_int_equal(ring.count, next_in - next_out);
    }
    ct_ring_free(&ring);
}

static void pushes_an_own_item_while_growing(void **state) {
    (void)state;
    ct_ring ring;
    ct_ring_init(&ring, test_heap(), sizeof(uint64_t));
    const uint64_t value = 0x1234567890;
    ct_ring_push(&ring, &value);
    for (uint32_t i = 0; i < 40; ++i)
        ct_ring_push(&ring, ct_ring_at(&ring, 0));
    assert_true(*(uint64_t *)ct_ring_at(&ring, 40) == value);
    ct_ring_free(&ring);
}

static void is_usable_after_free(void **state) {
    (void)state;
    ct_ring ring;
    ct_ring_init(&ring, test_heap(), 3);
    ct_ring_push(&ring, "abc");
    ct_ring_free(&ring);
    assert_int_equal(ring.count, 0);
    ct_ring_push(&ring, "def");
    assert_memory_equal(ct_ring_at(&ring, 0), "def", 3);
    ct_ring_free(&ring);
}

typedef struct model_item {
    uint32_t a;
    char b[9];
} model_item;

enum { MODEL_ITEMS = 300 };

// The model keeps the queue as an array whose items move on when the first one leaves.
static void agrees_with_a_moving_array(void **state) {
    (void)state;
    ct_ring ring;
    ct_ring_init(&ring, test_heap(), sizeof(model_item));
    static model_item model[MODEL_ITEMS];
    uint32_t count = 0, random = 31337;
    const uint32_t rounds = test_rounds(20000, 2000000);
    for (uint32_t round = 0; round < rounds; ++round) {
        const bool wants_push = test_random(&random) % 16 < (round / 512 % 2 ? 9 : 7);
        model_item item = {.a = test_random(&random), .b = "padding"};
        if (wants_push && count < MODEL_ITEMS) {
            ct_ring_push(&ring, &item);
            model[count++] = item;
        } else {
            assert_int_equal(ct_ring_pop(&ring, &item), count > 0);
            if (count > 0) {
                assert_memory_equal(&item, &model[0], sizeof(item));
                memmove(model, model + 1, --count * sizeof(item));
            }
        }
        assert_int_equal(ring.count, count);
        if (count > 0) {
            const uint32_t i = test_random(&random) % count;
            assert_memory_equal(ct_ring_at(&ring, i), &model[i], sizeof(item));
        }
        if (test_random(&random) % 5000 == 0) {
            ct_ring_free(&ring);
            count = 0;
        }
    }
    ct_ring_free(&ring);
}

static void read_past_the_newest(void *ring) {
    (void)ct_ring_at(ring, 1);
}

static void refuses_positions_past_the_newest(void **state) {
    (void)state;
    ct_ring ring;
    ct_ring_init(&ring, test_heap(), 1);
    ct_ring_push(&ring, "x");
    test_expect_death(read_past_the_newest, &ring,
                      "position 1 is out of range: the ring has 1 items");
    ct_ring_free(&ring);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_back_in_order),
        cmocka_unit_test(leaves_the_item_when_empty),
        cmocka_unit_test(grows_while_wrapped),
        cmocka_unit_test(moves_many_at_once),
        cmocka_unit_test(pushes_an_own_item_while_growing),
        cmocka_unit_test(is_usable_after_free),
        cmocka_unit_test(agrees_with_a_moving_array),
        cmocka_unit_test(refuses_positions_past_the_newest),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
