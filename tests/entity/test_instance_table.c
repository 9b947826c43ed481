#include "support/test_support.h"

#include "entity/instance_table.h"

// A manager with one array of its own.
typedef struct sticker_manager {
    ct_instance_table table;
    uint32_t *color;
} sticker_manager;

static const ct_soa_column columns[] = {
    CT_INSTANCE_TABLE_COLUMNS(sticker_manager, table),
    CT_SOA_COLUMN(sticker_manager, color),
};

static void start(sticker_manager *m) {
    ct_instance_table_init(&m->table, test_heap(), m, columns, CT_COUNT_OF(columns));
}

static uint32_t add_sticker(sticker_manager *m, uint32_t entity, uint32_t id, uint32_t color) {
    const uint32_t i = ct_instance_table_add(&m->table, (ct_entity){entity}, id);
    m->color[i] = color;
    return i;
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

// What the table should hold: for each of a few entities the colours in order.
enum { NUM_ENTITIES = 20, MOST_STICKERS = 8 };

typedef struct sticker_model {
    uint32_t colors[NUM_ENTITIES + 1][MOST_STICKERS];
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
            i = m->table.next[i];
        }
        assert_int_equal(i, 0);
    }
}

static void erase_random(sticker_manager *m, sticker_model *model, uint32_t e, uint32_t which) {
    uint32_t i = ct_instance_table_first(&m->table, (ct_entity){e});
    for (uint32_t k = 0; k < which; ++k)
        i = m->table.next[i];
    ct_instance_table_erase(&m->table, i);
    for (uint32_t k = which; k + 1 < model->count[e]; ++k)
        model->colors[e][k] = model->colors[e][k + 1];
    model->count[e]--;
    model->total--;
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
            model.colors[e][model.count[e]++] = round;
            model.total++;
        } else if (!grow && model.count[e]) {
            erase_random(&m, &model, e, test_random(&random) % model.count[e]);
        }
        if (round % 16 == 0)
            compare(&m, &model);
    }
    compare(&m, &model);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chains_instances_of_an_entity_in_order),
        cmocka_unit_test(finds_by_id),
        cmocka_unit_test(behaves_like_a_list_per_entity),
        cmocka_unit_test(dies_of_a_component_without_entity),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
