// Rows of the dead: marked, taken over by others, swept.
#include "entity/instance_table.h"
#include "support/test_support.h"

enum { NUM = 100, FIRST_REBORN = 21, NUM_REBORN = 70 };

// A manager with one array of its own.
typedef struct sticker_manager {
    ct_instance_table table;
    uint32_t *color;
} sticker_manager;

static const ct_soa_array single_arrays[] = {
    CT_SINGLE_INSTANCE_TABLE_ARRAYS(sticker_manager, table),
    CT_SOA_ARRAY_ALIGNED(sticker_manager, color, 64),
};

static const ct_soa_array arrays[] = {
    CT_INSTANCE_TABLE_ARRAYS(sticker_manager, table),
    CT_SOA_ARRAY_ALIGNED(sticker_manager, color, 64),
};

// Who gets the indices from FIRST_REBORN on, in an order of its own.
static void fill_reborn(ct_entity *reborn) {
    for (uint32_t k = 0; k < NUM_REBORN; ++k)
        reborn[k] = ct_entity_make(FIRST_REBORN + (k * 31 + 5) % NUM_REBORN, 2);
}

// Stickers of entities 1 to NUM, `each` of them; their colors are their rows.
static void start(sticker_manager *m, uint32_t each) {
    const bool is_single = each == 1;
    ct_instance_table_init(&m->table, test_heap(), m, is_single ? single_arrays : arrays,
                           is_single ? CT_COUNT_OF(single_arrays) : CT_COUNT_OF(arrays),
                           CT_INSTANCE_LOOKUP_SPARSE);
    for (uint32_t k = 0; k < each; ++k) {
        for (uint32_t index = 1; index <= NUM; ++index) {
            const uint32_t i = ct_instance_table_add(&m->table, ct_entity_make(index, 1), k);
            m->color[i] = i;
        }
    }
}

static void those_who_come_take_over_rows_in_order(void **state) {
    (void)state;
    sticker_manager m;
    ct_entity reborn[NUM_REBORN];
    uint32_t rows[NUM_REBORN];
    start(&m, 1);
    fill_reborn(reborn);
    assert_true(ct_instance_table_sweeps_for(&m.table, NUM_REBORN));
    assert_int_equal(ct_instance_table_mark_formers(&m.table, reborn, NUM_REBORN), NUM_REBORN);
    assert_int_equal(ct_instance_table_take_over(&m.table, reborn, NULL, NUM_REBORN, rows),
                     NUM_REBORN);
    for (uint32_t k = 0; k < NUM_REBORN; ++k) {
        assert_int_equal(rows[k], FIRST_REBORN + k);
        assert_int_equal(m.color[rows[k]], rows[k]);
        assert_int_equal(m.table.entity[rows[k]].id, reborn[k].id);
        assert_int_equal(ct_instance_table_first(&m.table, reborn[k]), rows[k]);
        const ct_entity former = ct_entity_make(ct_entity_index(reborn[k]), 1);
        assert_int_equal(ct_instance_table_first(&m.table, former), 0);
    }
    assert_int_equal(ct_instance_table_count(&m.table), NUM);
    assert_int_equal(ct_instance_table_first(&m.table, ct_entity_make(1, 1)), 1);
    ct_instance_table_free(&m.table);
}

static void rows_that_nobody_takes_over_are_swept(void **state) {
    (void)state;
    sticker_manager m;
    ct_entity reborn[NUM_REBORN];
    uint32_t rows[NUM_REBORN], ids[NUM_REBORN];
    start(&m, 2);
    fill_reborn(reborn);
    for (uint32_t k = 0; k < NUM_REBORN; ++k)
        ids[k] = 1000 + k;
    reborn[1] = reborn[0]; // it gets two, and one index nobody
    assert_int_equal(ct_instance_table_mark_formers(&m.table, reborn, NUM_REBORN),
                     2 * (NUM_REBORN - 1));
    assert_int_equal(ct_instance_table_take_over(&m.table, reborn, ids, NUM_REBORN, rows),
                     NUM_REBORN);
    assert_int_equal(rows[0], FIRST_REBORN);
    ct_instance_table_sweep(&m.table);
    assert_int_equal(ct_instance_table_count(&m.table), 2 * NUM - NUM_REBORN + 2);
    const uint32_t both = ct_instance_table_first(&m.table, reborn[0]);
    assert_int_equal(m.table.id[both], 1000);
    assert_int_equal(m.table.id[m.table.next[both]], 1001);
    assert_int_equal(m.table.next[m.table.next[both]], 0);
    assert_int_equal(m.table.previous[both], m.table.next[both]);
    for (uint32_t k = 2; k < NUM_REBORN; ++k) {
        const uint32_t i = ct_instance_table_first(&m.table, reborn[k]);
        assert_int_equal(m.table.id[i], 1000 + k);
        assert_int_equal(m.table.next[i], 0);
        assert_int_equal(m.table.previous[i], i);
    }
    const uint32_t old = ct_instance_table_first(&m.table, ct_entity_make(NUM, 1));
    assert_int_equal(m.color[old], NUM);
    assert_int_equal(m.color[m.table.next[old]], 2 * NUM);
    ct_instance_table_free(&m.table);
}

static void nobody_takes_over_for_one_who_stands_twice(void **state) {
    (void)state;
    sticker_manager m;
    ct_entity reborn[NUM_REBORN];
    uint32_t rows[NUM_REBORN];
    start(&m, 1);
    fill_reborn(reborn);
    reborn[NUM_REBORN - 2] = reborn[3];
    const uint32_t num_marked = ct_instance_table_mark_formers(&m.table, reborn, NUM_REBORN);
    assert_int_equal(num_marked, NUM_REBORN - 1);
    assert_int_equal(ct_instance_table_take_over(&m.table, reborn, NULL, NUM_REBORN, rows), 0);
    for (uint32_t k = 0; k < NUM_REBORN; ++k)
        assert_int_equal(ct_instance_table_first(&m.table, reborn[k]), 0);
    ct_instance_table_sweep(&m.table);
    assert_int_equal(ct_instance_table_count(&m.table), NUM - num_marked);
    assert_int_equal(m.color[ct_instance_table_first(&m.table, ct_entity_make(NUM, 1))], NUM);
    ct_instance_table_free(&m.table);
}

static void rows_of_entities_themselves_are_marked(void **state) {
    (void)state;
    sticker_manager m;
    ct_entity ending[NUM_REBORN];
    start(&m, 2);
    for (uint32_t k = 0; k < NUM_REBORN; ++k)
        ending[k] = ct_entity_make(FIRST_REBORN + k, 1);
    ending[0].id += 1u << CT_ENTITY_INDEX_BITS; // another, without a sticker
    assert_int_equal(ct_instance_table_mark(&m.table, ending, NUM_REBORN), 2 * (NUM_REBORN - 1));
    ct_instance_table_sweep(&m.table);
    assert_int_equal(ct_instance_table_count(&m.table), 2 * (NUM - NUM_REBORN + 1));
    for (uint32_t index = 1; index <= NUM; ++index) {
        const uint32_t i = ct_instance_table_first(&m.table, ct_entity_make(index, 1));
        const bool is_left = index <= FIRST_REBORN || index >= FIRST_REBORN + NUM_REBORN;
        assert_int_equal(i != 0, is_left);
        if (is_left) {
            assert_int_equal(m.color[i], index);
            assert_int_equal(m.color[m.table.next[i]], NUM + index);
        }
    }
    ct_instance_table_free(&m.table);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(those_who_come_take_over_rows_in_order),
        cmocka_unit_test(rows_that_nobody_takes_over_are_swept),
        cmocka_unit_test(nobody_takes_over_for_one_who_stands_twice),
        cmocka_unit_test(rows_of_entities_themselves_are_marked),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
