#include "foundation/container/linked_nodes.h"

#include <string.h>

#include "foundation/memory/poison.h"
#include "support/test_support.h"

typedef struct parameter {
    uint32_t next;
    uint32_t key;
    float value;
} parameter;

static ct_linked_nodes *start(void) {
    ct_linked_nodes *const nodes = CT_NEW(test_heap(), ct_linked_nodes);
    ct_linked_nodes_init(nodes, test_heap(), sizeof(parameter));
    return nodes;
}

static void end(ct_linked_nodes *nodes) {
    ct_linked_nodes_free(nodes);
    ct_free(test_heap(), nodes);
}

static parameter *at(const ct_linked_nodes *nodes, uint32_t place) {
    return ct_linked_node(nodes, parameter, place);
}

static void never_hands_out_place_0(void **state) {
    (void)state;
    ct_linked_nodes *const nodes = start();
    assert_false(ct_linked_nodes_is_taken(nodes, 0));
    assert_int_equal(ct_linked_nodes_add(nodes, 0), 1);
    assert_false(ct_linked_nodes_is_taken(nodes, 0));
    assert_true(ct_linked_nodes_is_taken(nodes, 1));
    assert_int_equal(at(nodes, 1)->next, 0);
    end(nodes);
}

static void lays_nodes_added_together_side_by_side(void **state) {
    (void)state;
    ct_linked_nodes *const nodes = start();
    for (uint32_t list = 0; list < 100; ++list) {
        uint32_t node = ct_linked_nodes_add(nodes, 0);
        for (uint32_t i = 0; i < 4; ++i) {
            const uint32_t next = ct_linked_nodes_add(nodes, node);
            assert_int_equal(next, node + 1);
            node = next;
        }
    }
    end(nodes);
}

static void takes_the_free_place_nearest_behind_the_predecessor(void **state) {
    (void)state;
    ct_linked_nodes *const nodes = start();
    uint32_t places[40] = {0};
    for (uint32_t i = 0; i < 40; ++i)
        places[i] = ct_linked_nodes_add(nodes, 0);
    uint32_t hole = places[12];
    ct_linked_nodes_erase(nodes, &hole);
    hole = places[20];
    ct_linked_nodes_erase(nodes, &hole);
    assert_int_equal(ct_linked_nodes_add(nodes, places[15]), places[20]);
    assert_int_equal(ct_linked_nodes_add(nodes, places[3]), places[12]);
    assert_int_equal(at(nodes, places[15])->next, places[20]);
    end(nodes);
}

static void starts_again_at_the_front_when_the_end_is_full(void **state) {
    (void)state;
    ct_linked_nodes *const nodes = start();
    uint32_t places[64];
    for (uint32_t i = 1; i < 50; ++i)
        places[i] = ct_linked_nodes_add(nodes, 0);
    for (uint32_t i = 1; i < 10; ++i)
        ct_linked_nodes_erase(nodes, &places[i]);
    for (uint32_t i = 50; i < 64; ++i)
        assert_int_equal(ct_linked_nodes_add(nodes, 0), i);
    assert_int_equal(ct_linked_nodes_add(nodes, 0), 1);
    assert_int_equal(nodes->capacity, 64);
    end(nodes);
}

static void doubles_before_it_is_seven_eighths_full(void **state) {
    (void)state;
    ct_linked_nodes *const nodes = start();
    for (uint32_t i = 1; i < 56; ++i)
        assert_int_equal(ct_linked_nodes_add(nodes, 0), i);
    assert_int_equal(nodes->capacity, 64);
    assert_int_equal(ct_linked_nodes_add(nodes, 0), 56);
    assert_int_equal(nodes->capacity, 128);
    end(nodes);
}

static void inserts_and_erases_in_the_middle_of_a_list(void **state) {
    (void)state;
    ct_linked_nodes *const nodes = start();
    uint32_t head = ct_linked_nodes_add(nodes, 0);
    const uint32_t third = ct_linked_nodes_add(nodes, head);
    const uint32_t second = ct_linked_nodes_add(nodes, head);
    assert_int_equal(at(nodes, head)->next, second);
    assert_int_equal(at(nodes, second)->next, third);
    ct_linked_nodes_erase(nodes, &at(nodes, head)->next);
    assert_int_equal(at(nodes, head)->next, third);
    assert_false(ct_linked_nodes_is_taken(nodes, second));
    ct_linked_nodes_erase(nodes, &head);
    assert_int_equal(head, third);
    ct_linked_nodes_erase_list(nodes, &head);
    assert_int_equal(head, 0);
    assert_int_equal(nodes->num_taken, 1);
    end(nodes);
}

static void zeroes_places_that_are_used_again(void **state) {
    (void)state;
    ct_linked_nodes *const nodes = start();
    for (uint32_t round = 0; round < 200; ++round) {
        uint32_t place = ct_linked_nodes_add(nodes, 0);
        assert_true(at(nodes, place)->next == 0 && at(nodes, place)->key == 0 &&
                    at(nodes, place)->value == 0);
        memset(&at(nodes, place)->key, 0xff, 8);
        ct_linked_nodes_erase(nodes, &place);
    }
    assert_int_equal(nodes->capacity, 64);
    end(nodes);
}

// --- Many lists against plain arrays -------------------------------------------------------------

enum { NUM_LISTS = 60, MAX_NODES = 30 };

typedef struct model {
    uint32_t heads[NUM_LISTS];
    uint32_t keys[NUM_LISTS][MAX_NODES]; // in the order of the list
    uint32_t counts[NUM_LISTS];
} model;

// The link to the node at `i` of a list.
static uint32_t *link_to(model *m, const ct_linked_nodes *nodes, uint32_t list, uint32_t i) {
    uint32_t *link = &m->heads[list];
    while (i-- > 0)
        link = &at(nodes, *link)->next;
    return link;
}

static void insert(model *m, ct_linked_nodes *nodes, uint32_t list, uint32_t i, uint32_t key) {
    uint32_t place;
    if (m->counts[list] == 0) {
        i = 0;
        place = m->heads[list] = ct_linked_nodes_add(nodes, 0);
    } else {
        place = ct_linked_nodes_add(nodes, *link_to(m, nodes, list, i));
        ++i;
    }
    at(nodes, place)->key = key;
    memmove(&m->keys[list][i + 1], &m->keys[list][i], (m->counts[list] - i) * sizeof(uint32_t));
    m->keys[list][i] = key;
    ++m->counts[list];
}

static void erase(model *m, ct_linked_nodes *nodes, uint32_t list, uint32_t i) {
    ct_linked_nodes_erase(nodes, link_to(m, nodes, list, i));
    --m->counts[list];
    memmove(&m->keys[list][i], &m->keys[list][i + 1], (m->counts[list] - i) * sizeof(uint32_t));
}

static void operate(model *m, ct_linked_nodes *nodes, uint32_t *random) {
    const uint32_t list = test_random(random) % NUM_LISTS, count = m->counts[list];
    const uint32_t action = test_random(random) % 64;
    const uint32_t i = count ? test_random(random) % count : 0;
    if (action < 40 && count < MAX_NODES) {
        insert(m, nodes, list, i, test_random(random));
    } else if (action < 63 && count > 0) {
        erase(m, nodes, list, i);
    } else if (action == 63) {
        ct_linked_nodes_erase_list(nodes, &m->heads[list]);
        m->counts[list] = 0;
    }
}

static void check(const model *m, const ct_linked_nodes *nodes) {
    uint32_t num_taken = 1;
    for (uint32_t list = 0; list < NUM_LISTS; ++list) {
        uint32_t i = 0;
        for (uint32_t node = m->heads[list]; node; node = at(nodes, node)->next)
            assert_int_equal(at(nodes, node)->key, m->keys[list][i++]);
        assert_int_equal(i, m->counts[list]);
        num_taken += i;
    }
    assert_int_equal(nodes->num_taken, num_taken);
}

static void agrees_with_plain_arrays(void **state) {
    (void)state;
    ct_linked_nodes *const nodes = start();
    model *const m = CT_NEW(test_heap(), model);
    insert(m, nodes, 0, 0, 1);
    uint32_t random = 987;
    for (uint32_t round = 0; round < 300000; ++round) {
        operate(m, nodes, &random);
        if (round % 500 == 0)
            check(m, nodes);
    }
    assert_true(nodes->capacity >= 1024);
    ct_free(test_heap(), m);
    end(nodes);
}

// --- Misuse --------------------------------------------------------------------------------------

static void erase_nothing(void *user) {
    uint32_t head = 0;
    ct_linked_nodes_erase(user, &head);
}

static void erase_twice(void *user) {
    uint32_t first = ct_linked_nodes_add(user, 0), again = first;
    ct_linked_nodes_erase(user, &first);
    ct_linked_nodes_erase(user, &again);
}

static void add_behind_nothing(void *user) {
    (void)ct_linked_nodes_add(user, 1000);
}

static void reports_misuse(void **state) {
    (void)state;
    ct_linked_nodes *const nodes = start();
    test_expect_death(erase_nothing, nodes, "place 0 has no node");
    test_expect_death(erase_twice, nodes, "place 1 has no node");
    test_expect_death(add_behind_nothing, nodes, "place 1000 has no node");
    end(nodes);
}

#ifdef CT_ADDRESS_SANITIZER
static void write_byte(void *p) {
    *(volatile char *)p = 1;
}

static void poisons_free_places(void **state) {
    (void)state;
    ct_linked_nodes *const nodes = CT_NEW(test_heap(), ct_linked_nodes);
    ct_linked_nodes_init(nodes, test_heap(), 16);
    uint32_t first = ct_linked_nodes_add(nodes, 0), second = ct_linked_nodes_add(nodes, 0);
    test_expect_death(write_byte, nodes->items + (second + 1) * 16, "use-after-poison");
    test_expect_death(write_byte, nodes->items, "use-after-poison"); // nil
    ct_linked_nodes_erase(nodes, &first);
    test_expect_death(write_byte, nodes->items + 16, "use-after-poison");
    write_byte(nodes->items + second * 16 + 15);
    end(nodes);
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(never_hands_out_place_0),
        cmocka_unit_test(lays_nodes_added_together_side_by_side),
        cmocka_unit_test(takes_the_free_place_nearest_behind_the_predecessor),
        cmocka_unit_test(starts_again_at_the_front_when_the_end_is_full),
        cmocka_unit_test(doubles_before_it_is_seven_eighths_full),
        cmocka_unit_test(inserts_and_erases_in_the_middle_of_a_list),
        cmocka_unit_test(zeroes_places_that_are_used_again),
        cmocka_unit_test(agrees_with_plain_arrays),
        cmocka_unit_test(reports_misuse),
#ifdef CT_ADDRESS_SANITIZER
        cmocka_unit_test(poisons_free_places),
#endif
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
