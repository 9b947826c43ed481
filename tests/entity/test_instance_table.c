#include "support/test_support.h"

#include "entity/instance_table.h"

// A manager with one array of its own.
typedef struct sticker_manager {
    ct_instance_table table;
    uint32_t *color;
    uint8_t *is_torn; // only in some tests
} sticker_manager;

static const ct_soa_array arrays[] = {
    CT_NUMBERED_INSTANCE_TABLE_ARRAYS(sticker_manager, table),
    CT_SOA_ARRAY_ALIGNED(sticker_manager, color, 64),
};

static void start(sticker_manager *m) {
    ct_instance_table_init(&m->table, test_heap(), m, arrays, CT_COUNT_OF(arrays),
                           CT_INSTANCE_LOOKUP_HASH);
}

static uint32_t add_sticker(sticker_manager *m, uint32_t entity, uint32_t id, uint32_t color) {
    const uint32_t i = ct_instance_table_add(&m->table, (ct_entity){entity}, id);
    m->color[i] = color;
    return i;
}

static void starts_with_a_zeroed_none(void **state) {
    (void)state;
    sticker_manager m;
    start(&m);
    assert_int_equal(m.table.soa.count, 1);
    assert_int_equal(ct_instance_table_count(&m.table), 0);
    assert_int_equal(m.table.entity[0].id, 0);
    assert_int_equal(m.table.id[0], 0);
    assert_int_equal(m.table.next[0], 0);
    assert_int_equal(m.table.previous[0], 0);
    assert_int_equal(m.table.number[0], 0);
    assert_int_equal(m.color[0], 0);
    assert_int_equal(add_sticker(&m, 5, 1, 10), 1);
    ct_instance_table_free(&m.table);
}

static void starts_its_arrays_on_cache_lines_of_their_own(void **state) {
    (void)state;
    sticker_manager m;
    static const ct_soa_array odd_arrays[] = {
        CT_SOA_ARRAY(sticker_manager, is_torn), // 16 bytes to begin with
        CT_INSTANCE_TABLE_ARRAYS(sticker_manager, table),
    };
    ct_instance_table_init(&m.table, test_heap(), &m, odd_arrays, CT_COUNT_OF(odd_arrays),
                           CT_INSTANCE_LOOKUP_HASH);
    assert_int_equal((uintptr_t)m.table.entity % 64, 0);
    assert_int_equal((uintptr_t)m.table.id % 64, 0);
    assert_int_equal((uintptr_t)m.table.next % 64, 0);
    assert_int_equal((uintptr_t)m.table.previous % 64, 0);
    ct_instance_table_free(&m.table);
}

static void chains_instances_of_an_entity_in_order(void **state) {
    (void)state;
    sticker_manager m;
    start(&m);
    add_sticker(&m, 5, 1, 10);
    add_sticker(&m, 6, 1, 20);
    add_sticker(&m, 5, 2, 11);
    add_sticker(&m, 5, 3, 12);
    uint32_t i = ct_instance_table_first(&m.table, (ct_entity){5});
    for (uint32_t expected = 10; expected <= 12; ++expected) {
        assert_int_equal(m.color[i], expected);
        i = m.table.next[i];
    }
    assert_int_equal(i, 0);
    ct_instance_table_free(&m.table);
}

static void finds_by_id(void **state) {
    (void)state;
    sticker_manager m;
    start(&m);
    add_sticker(&m, 5, 77, 10);
    add_sticker(&m, 5, 78, 11);
    assert_int_equal(m.color[ct_instance_table_with_id(&m.table, (ct_entity){5}, 78)], 11);
    assert_int_equal(ct_instance_table_with_id(&m.table, (ct_entity){5}, 79), 0);
    assert_int_equal(ct_instance_table_with_id(&m.table, (ct_entity){6}, 77), 0);
    ct_instance_table_free(&m.table);
}

static void numbers_come_around_past_those_that_are_taken(void **state) {
    (void)state;
    sticker_manager m;
    start(&m);
    const ct_entity e = {5};
    const uint32_t most = (1u << CT_INSTANCE_NUMBER_BITS) - 1;
    add_sticker(&m, e.id, 1, 10);
    const uint32_t last = add_sticker(&m, e.id, 2, 11);
    m.table.number[last] = most;
    assert_int_equal(m.table.number[add_sticker(&m, e.id, 3, 12)], 1); // 0 is taken
    assert_int_equal(ct_instance_table_with_number(&m.table, e, 0, CT_INSTANCE_NUMBER_BITS), 1);
    assert_int_equal(ct_instance_table_with_number(&m.table, e, most, CT_INSTANCE_NUMBER_BITS), 2);
    assert_int_equal(ct_instance_table_with_number(&m.table, e, 2, CT_INSTANCE_NUMBER_BITS), 0);
    assert_int_equal(ct_instance_table_with_number(&m.table, e, 2 + 1, 1), 2); // ends in a 1
    ct_instance_table_free(&m.table);
}

static void forgets_the_numbers_of_the_dead(void **state) {
    (void)state;
    sticker_manager m;
    start(&m);
    const ct_entity e = {5};
    ct_instance_table_end(&m.table, add_sticker(&m, e.id, 1, 10));
    ct_instance_table_erase_entities(&m.table, &e, 1);
    assert_int_equal(m.table.newest.count, 0);
    const uint32_t ids[3] = {1, 2, 1};
    const ct_entity owners[3] = {{5}, {5}, {6}};
    ct_instance_table_end(&m.table, add_sticker(&m, e.id, 1, 10));
    const uint32_t first = ct_instance_table_add_many(&m.table, owners, ids, 3);
    assert_int_equal(m.table.number[first], 1);
    assert_int_equal(m.table.number[first + 1], 2);
    assert_int_equal(m.table.number[first + 2], 0);
    assert_int_equal(m.table.newest.count, 0);
    ct_instance_table_free(&m.table);
}

// Checks that the chain is linked backwards, too, and that the first leads to the last.
static void check_links(const ct_instance_table *t, ct_entity e) {
    const uint32_t first = ct_instance_table_first(t, e);
    uint32_t last = first;
    for (; last && t->next[last]; last = t->next[last])
        assert_int_equal(t->previous[t->next[last]], last);
    assert_int_equal(t->previous[first], last); // also of none
}

// What the table should hold: for each of a few entities the colours in order.
enum { NUM_ENTITIES = 20, MOST_STICKERS = 8, NUM_HEIRS = 300 };

typedef struct sticker_model {
    uint32_t colors[NUM_ENTITIES + 1][MOST_STICKERS];
    uint32_t numbers[NUM_ENTITIES + 1][MOST_STICKERS];
    uint32_t next_number[NUM_ENTITIES + 1];
    uint32_t count[NUM_ENTITIES + 1];
    uint32_t total;
} sticker_model;

static void compare(const sticker_manager *m, const sticker_model *model) {
    assert_int_equal(ct_instance_table_count(&m->table), model->total);
    for (uint32_t e = 1; e <= NUM_ENTITIES; ++e) {
        uint32_t i = ct_instance_table_first(&m->table, (ct_entity){e});
        for (uint32_t k = 0; k < model->count[e]; ++k) {
            assert_int_not_equal(i, 0);
            assert_int_equal(m->color[i], model->colors[e][k]);
            assert_int_equal(m->table.id[i], model->colors[e][k] + 1);
            assert_int_equal(m->table.entity[i].id, e);
            assert_int_equal(m->table.number[i], model->numbers[e][k]);
            assert_int_equal(ct_instance_table_with_number(&m->table, (ct_entity){e},
                                                           model->numbers[e][k],
                                                           CT_INSTANCE_NUMBER_BITS),
                             i);
            i = m->table.next[i];
        }
        assert_int_equal(i, 0);
        check_links(&m->table, (ct_entity){e});
    }
}

static void erase_random(sticker_manager *m, sticker_model *model, uint32_t e, uint32_t which) {
    uint32_t i = ct_instance_table_first(&m->table, (ct_entity){e});
    for (uint32_t k = 0; k < which; ++k)
        i = m->table.next[i];
    ct_instance_table_end(&m->table, i);
    for (uint32_t k = which; k + 1 < model->count[e]; ++k) {
        model->colors[e][k] = model->colors[e][k + 1];
        model->numbers[e][k] = model->numbers[e][k + 1];
    }
    --model->count[e];
    --model->total;
}

static void behaves_like_a_list_per_entity(void **state) {
    (void)state;
    sticker_manager m;
    start(&m);
    sticker_model model = {0};
    uint32_t random = 17;
    const uint32_t rounds = test_rounds(20000, 1000000);
    for (uint32_t round = 0; round < rounds; ++round) {
        const uint32_t e = 1 + test_random(&random) % NUM_ENTITIES;
        const bool grow = test_random(&random) % 100 < 50;
        if (grow && model.count[e] < MOST_STICKERS) {
            add_sticker(&m, e, round + 1, round);
            model.numbers[e][model.count[e]] = model.next_number[e]++;
            model.colors[e][model.count[e]++] = round;
            ++model.total;
        } else if (!grow && model.count[e]) {
            erase_random(&m, &model, e, test_random(&random) % model.count[e]);
        }
        if (round % 16 == 0)
            compare(&m, &model);
    }
    compare(&m, &model);
    ct_instance_table_free(&m.table);
}

// --- Those who were there before -----------------------------------------------------------------

// Of each index: who has it, and what that one has.
typedef struct heirs_model {
    uint32_t generation[NUM_HEIRS], count[NUM_HEIRS], colors[NUM_HEIRS][MOST_STICKERS];
    uint32_t total;
} heirs_model;

static ct_entity heir(const heirs_model *model, uint32_t index) {
    return ct_entity_make(index + 1, model->generation[index]);
}

static void compare_heirs(const sticker_manager *m, const heirs_model *model) {
    assert_int_equal(ct_instance_table_count(&m->table), model->total);
    for (uint32_t index = 0; index < NUM_HEIRS; ++index) {
        uint32_t i = ct_instance_table_first(&m->table, heir(model, index));
        for (uint32_t k = 0; k < model->count[index]; ++k) {
            assert_int_not_equal(i, 0);
            assert_int_equal(m->table.entity[i].id, heir(model, index).id);
            assert_int_equal(m->color[i], model->colors[index][k]);
            i = m->table.next[i];
        }
        assert_int_equal(i, 0);
        check_links(&m->table, heir(model, index));
    }
}

// Gives `count` indices in a row to others, each with up to MOST_STICKERS, all added at once.
static void pass_on(sticker_manager *m, heirs_model *model, uint32_t first, uint32_t count,
                    uint32_t *random) {
    static ct_entity owners[NUM_HEIRS * MOST_STICKERS];
    static uint32_t ids[NUM_HEIRS * MOST_STICKERS];
    uint32_t num = 0;
    for (uint32_t k = 0; k < count; ++k) {
        const uint32_t index = (first + k) % NUM_HEIRS;
        model->generation[index] = model->generation[index] % CT_ENTITY_LAST_GENERATION + 1;
        model->total -= model->count[index];
        model->count[index] = 1 + test_random(random) % MOST_STICKERS;
        model->total += model->count[index];
        for (uint32_t i = 0; i < model->count[index]; ++i) {
            owners[num] = heir(model, index);
            ids[num++] = i;
            model->colors[index][i] = test_random(random);
        }
    }
    uint32_t i = ct_instance_table_add_many(&m->table, owners, ids, num);
    for (uint32_t k = 0; k < count; ++k) {
        const uint32_t index = (first + k) % NUM_HEIRS;
        for (uint32_t n = 0; n < model->count[index]; ++n)
            m->color[i++] = model->colors[index][n];
    }
}

static void ends_few_or_many_whose_indices_others_get(void **state) {
    (void)state;
    sticker_manager m;
    ct_instance_table_init(&m.table, test_heap(), &m, arrays, CT_COUNT_OF(arrays),
                           CT_INSTANCE_LOOKUP_SPARSE);
    static heirs_model model;
    model = (heirs_model){0};
    uint32_t random = 5;
    const uint32_t rounds = test_rounds(400, 20000);
    for (uint32_t round = 0; round < rounds; ++round) {
        const uint32_t most = round % 2 ? NUM_HEIRS : NUM_HEIRS / 8;
        pass_on(&m, &model, test_random(&random) % NUM_HEIRS, 1 + test_random(&random) % most,
                &random);
        compare_heirs(&m, &model);
    }
    ct_instance_table_free(&m.table);
}

// No id but the owner's finds an instance by a sparse place: none of another generation, not even
// of those that are never issued, and none where nobody has one.
static void tells_generations_apart_at_a_place(void **state) {
    (void)state;
    sticker_manager m;
    ct_instance_table_init(&m.table, test_heap(), &m, arrays, CT_COUNT_OF(arrays),
                           CT_INSTANCE_LOOKUP_SPARSE);
    for (uint32_t filler = 1; filler <= 20; ++filler) // an instance may be 4 times the index
        add_sticker(&m, ct_entity_make(100 + filler, 1).id, 1, 0);
    const uint32_t generations[] = {1, 2, 127, 128, CT_ENTITY_LAST_GENERATION};
    for (uint32_t k = 0; k < CT_COUNT_OF(generations); ++k) {
        const ct_entity owner = ct_entity_make(5, generations[k]);
        const uint32_t i = add_sticker(&m, owner.id, 1, 7);
        for (uint32_t g = 0; g <= CT_ENTITY_LAST_GENERATION; ++g) {
            const ct_entity e = ct_entity_make(5, g), nobody = ct_entity_make(6, g);
            uint32_t many[2];
            ct_instance_table_first_many(&m.table, (ct_entity[]){e, nobody}, 2, many);
            assert_int_equal(many[0], g == generations[k] ? i : 0);
            assert_int_equal(many[1], 0);
            assert_int_equal(ct_instance_table_first(&m.table, e), many[0]);
            assert_int_equal(ct_instance_table_former(&m.table, e), i - many[0]);
            assert_int_equal(ct_instance_table_of_index(&m.table, e), i);
            assert_int_equal(ct_instance_table_of_index(&m.table, nobody), 0);
        }
        ct_instance_table_erase(&m.table, i);
        assert_int_equal(ct_instance_table_of_index(&m.table, owner), 0);
    }
    ct_instance_table_free(&m.table);
}

static void add_without_entity(void *user) {
    ct_instance_table_add(user, (ct_entity){0}, 1);
}

static void dies_of_a_component_without_entity(void **state) {
    (void)state;
    sticker_manager m;
    start(&m);
    test_expect_death(add_without_entity, &m.table, "a component needs an entity");
    ct_instance_table_free(&m.table);
}

static void erase_none(void *user) {
    ct_instance_table_erase(user, 0);
}

static void dies_when_none_is_erased(void **state) {
    (void)state;
    sticker_manager m;
    start(&m);
    add_sticker(&m, 5, 1, 10);
    test_expect_death(erase_none, &m.table, "there is no instance 0; the last one is 1");
    ct_instance_table_free(&m.table);
}

// --- The example of instance_table.h -------------------------------------------------------------

typedef struct badge_manager {
    ct_instance_table table;
    uint32_t *color; // grows and moves with the table
} badge_manager;

static const ct_soa_array badge_arrays[] = {
    CT_INSTANCE_TABLE_ARRAYS(badge_manager, table),
    CT_SOA_ARRAY(badge_manager, color),
};

static void example_of_the_header(void **state) {
    (void)state;
    ct_allocator *const a = test_heap();
    const ct_entity entity = ct_entity_make(5, 1);
    badge_manager m;
    ct_instance_table_init(&m.table, a, &m, badge_arrays, CT_COUNT_OF(badge_arrays),
                           CT_INSTANCE_LOOKUP_HASH);
    const uint32_t i = ct_instance_table_add(&m.table, entity, 17); // 17: id among the entity's
    m.color[i] = 0xff0000;
    for (uint32_t k = ct_instance_table_first(&m.table, entity); k; k = m.table.next[k])
        m.color[k] |= 0xff;
    assert_int_equal(m.color[i], 0xff00ff);
    ct_instance_table_erase_entities(&m.table, &entity, 1);
    assert_int_equal(ct_instance_table_count(&m.table), 0);
    ct_instance_table_free(&m.table);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(example_of_the_header),
        cmocka_unit_test(starts_with_a_zeroed_none),
        cmocka_unit_test(starts_its_arrays_on_cache_lines_of_their_own),
        cmocka_unit_test(chains_instances_of_an_entity_in_order),
        cmocka_unit_test(finds_by_id),
        cmocka_unit_test(numbers_come_around_past_those_that_are_taken),
        cmocka_unit_test(forgets_the_numbers_of_the_dead),
        cmocka_unit_test(behaves_like_a_list_per_entity),
        cmocka_unit_test(ends_few_or_many_whose_indices_others_get),
        cmocka_unit_test(tells_generations_apart_at_a_place),
        cmocka_unit_test(dies_of_a_component_without_entity),
        cmocka_unit_test(dies_when_none_is_erased),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
