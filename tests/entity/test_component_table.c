#include "support/test_support.h"

#include "entity/component_table.h"

#include "foundation/math/math.h"

typedef struct engine_data {
    float power;
    float exhaust[3];
    uint32_t is_on;
} engine_data;

#define AT(member)                                                                                 \
    .offset = offsetof(engine_data, member), .size_bytes = sizeof(((engine_data *)0)->member)

static const ct_field engine_fields[] = {
    {.name = "power", .type = CT_FIELD_TYPE_FLOAT, AT(power), .doc = "Power.", .unit = "W"},
    {.name = "exhaust", .type = CT_FIELD_TYPE_VECTOR3, AT(exhaust), .doc = "Place.", .unit = "m"},
    {.name = "is_on", .type = CT_FIELD_TYPE_BOOL, AT(is_on), .doc = "Whether it runs."},
};

static const ct_schema engine_schema = {.name = "engine",
                                        .doc = "An engine.",
                                        .size_bytes = sizeof(engine_data),
                                        .num_fields = CT_COUNT_OF(engine_fields),
                                        .fields = engine_fields};

enum { NUM = 100 };

typedef struct fixture {
    ct_entity_manager *entities;
    ct_component_table *table;
    ct_entity e[NUM];
    uint32_t ids[NUM];
    engine_data data[NUM];
} fixture;

static fixture f;

static void start(bool is_single, ct_instance_lookup lookup, ct_component_end end) {
    f.entities = ct_entity_manager_create(test_heap());
    f.table = ct_component_table_create(
        test_heap(), &(ct_component_table_desc){&engine_schema, lookup, end, is_single});
    ct_entity_create(f.entities, f.e, NUM);
    for (uint32_t i = 0; i < NUM; ++i) {
        f.ids[i] = 7000 + i;
        f.data[i] = (engine_data){(float)i, {1, (float)i, 3}, i % 2};
    }
}

static void stop(void) {
    ct_component_table_destroy(f.table);
    ct_entity_manager_destroy(f.entities);
}

static uint32_t row_of(ct_entity e) {
    return ct_instance_table_first(ct_component_table_instances(f.table), e);
}

static const ct_instance_lookup lookups[] = {CT_INSTANCE_LOOKUP_HASH, CT_INSTANCE_LOOKUP_SPARSE};

static void has_a_column_for_each_field(void **state) {
    (void)state;
    for (uint32_t k = 0; k < CT_COUNT_OF(lookups); ++k) {
        start(true, lookups[k], CT_COMPONENT_END_AT_ONCE);
        assert_int_equal(ct_component_table_add(f.table, f.e, NULL, f.data, NUM), 1);
        const float *const power = ct_component_table_column(f.table, "power");
        const ct_vec3 *const exhaust = ct_component_table_column(f.table, "exhaust");
        const uint32_t *const is_on = ct_component_table_column(f.table, "is_on");
        assert_true(power[0] == 0);
        for (uint32_t i = 0; i < NUM; ++i) {
            const uint32_t row = row_of(f.e[i]);
            assert_true(power[row] == (float)i && exhaust[row].y == (float)i);
            assert_int_equal(is_on[row], i % 2);
        }
        stop();
    }
}

static void ask_for_a_column_that_is_none(void *user) {
    ct_component_table_column(user, "colour");
}

static void refuses_a_column_that_is_none(void **state) {
    (void)state;
    start(true, CT_INSTANCE_LOOKUP_HASH, CT_COMPONENT_END_AT_ONCE);
    test_expect_death(ask_for_a_column_that_is_none, f.table,
                      "the component engine has no field \"colour\"");
    stop();
}

static void gives_an_entity_one_row_in_a_single_table(void **state) {
    (void)state;
    for (uint32_t k = 0; k < CT_COUNT_OF(lookups); ++k) {
        start(true, lookups[k], CT_COMPONENT_END_AT_ONCE);
        const ct_entity twice[] = {f.e[0], f.e[1], f.e[0]};
        assert_int_equal(ct_component_table_add(f.table, twice, NULL, f.data, 3), 0);
        assert_int_equal(row_of(f.e[1]), 0);
        assert_int_equal(ct_instance_table_count(ct_component_table_instances(f.table)), 0);
        assert_int_equal(ct_component_table_add(f.table, f.e, NULL, f.data, 2), 1);
        assert_int_equal(ct_component_table_add(f.table, f.e + 1, NULL, f.data, 2), 0);
        assert_int_equal(row_of(f.e[2]), 0);
        assert_int_equal(row_of(f.e[1]), 2);
        stop();
    }
}

static void gives_an_entity_many_rows_in_others(void **state) {
    (void)state;
    for (uint32_t k = 0; k < CT_COUNT_OF(lookups); ++k) {
        start(false, lookups[k], CT_COMPONENT_END_AT_ONCE);
        const ct_entity owners[] = {f.e[0], f.e[1], f.e[0]};
        assert_int_equal(ct_component_table_add(f.table, owners, f.ids, f.data, 3), 1);
        const ct_instance_table *const t = ct_component_table_instances(f.table);
        assert_int_equal(ct_instance_table_with_id(t, f.e[0], 7002), 3);
        assert_int_equal(ct_instance_table_with_id(t, f.e[0], 7001), 0);
        ct_component_table_erase_entities(f.table, f.e, 1);
        assert_int_equal(ct_instance_table_count(t), 1);
        assert_int_equal(row_of(f.e[1]), 1);
        assert_int_equal(t->id[1], 7001);
        assert_true(((const float *)ct_component_table_column(f.table, "power"))[1] == 1);
        stop();
    }
}

static void fills_the_place_of_an_erased_row(void **state) {
    (void)state;
    for (uint32_t k = 0; k < CT_COUNT_OF(lookups); ++k) {
        start(true, lookups[k], CT_COMPONENT_END_AT_ONCE);
        ct_component_table_add(f.table, f.e, NULL, f.data, 3);
        ct_component_table_erase(f.table, 1);
        assert_int_equal(ct_instance_table_count(ct_component_table_instances(f.table)), 2);
        assert_int_equal(row_of(f.e[0]), 0);
        assert_int_equal(row_of(f.e[1]), 2);
        assert_int_equal(row_of(f.e[2]), 1);
        const float *const power = ct_component_table_column(f.table, "power");
        assert_true(power[1] == f.data[2].power && power[2] == f.data[1].power);
        stop();
    }
}

static void gets_and_sets_many(void **state) {
    (void)state;
    start(true, CT_INSTANCE_LOOKUP_SPARSE, CT_COMPONENT_END_AT_ONCE);
    ct_component_table_add(f.table, f.e, NULL, f.data, NUM);
    const uint32_t rows[] = {40, 3, 17};
    engine_data found[3];
    ct_component_table_get(f.table, rows, 3, found);
    for (uint32_t i = 0; i < 3; ++i)
        assert_memory_equal(&found[i], &f.data[rows[i] - 1], sizeof(*found));
    found[1].power = 1234;
    ct_component_table_set(f.table, rows, 3, found);
    const float *const power = ct_component_table_column(f.table, "power");
    assert_true(power[3] == 1234 && power[40] == 39 && power[4] == 3);
    stop();
}

static void spawns_what_templates_say(void **state) {
    (void)state;
    start(true, CT_INSTANCE_LOOKUP_SPARSE, CT_COMPONENT_END_AT_ONCE);
    const ct_component_manager manager = ct_component_table_manager(f.table);
    const ct_entity owners[] = {f.e[5], f.e[2], f.e[5]}; // twice the same: told, the first stays
    const ct_component_spawn spawn = {
        .owners = owners, .ids = f.ids, .data = f.data, .num_instances = 3, .num_copies = 1};
    assert_string_equal(manager.type_name, "engine");
    manager.spawn(manager.manager, &spawn);
    const float *const power = ct_component_table_column(f.table, "power");
    assert_true(power[row_of(f.e[5])] == 0 && power[row_of(f.e[2])] == 1);
    assert_int_equal(ct_instance_table_count(ct_component_table_instances(f.table)), 2);
    assert_null(manager.collect_garbage);
    const uint32_t data_index[] = {4, 1, 4};
    manager.spawn(manager.manager, &(ct_component_spawn){.owners = f.e + 6,
                                                         .ids = f.ids,
                                                         .data = f.data,
                                                         .data_index = data_index,
                                                         .num_instances = 3,
                                                         .num_copies = 2});
    for (uint32_t i = 0; i < 6; ++i)
        assert_true(power[row_of(f.e[6 + i])] == (float)data_index[i % 3]);
    manager.entities_destroyed(manager.manager, f.e, NUM);
    assert_int_equal(ct_instance_table_count(ct_component_table_instances(f.table)), 0);
    stop();
}

static void ends_lazily(void **state) {
    (void)state;
    for (uint32_t k = 0; k < CT_COUNT_OF(lookups); ++k) {
        start(true, lookups[k], CT_COMPONENT_END_LAZY);
        const ct_component_manager manager = ct_component_table_manager(f.table);
        const ct_instance_table *const t = ct_component_table_instances(f.table);
        ct_component_table_add(f.table, f.e, NULL, f.data, NUM);
        assert_null(manager.entities_destroyed);
        ct_entity_destroy(f.entities, f.e, 90);
        assert_int_equal(ct_instance_table_count(t), NUM);
        for (uint32_t frame = 0; frame < 1000; ++frame)
            manager.collect_garbage(manager.manager, f.entities);
        assert_int_equal(ct_instance_table_count(t), 10);
        const float *const power = ct_component_table_column(f.table, "power");
        for (uint32_t i = 90; i < NUM; ++i)
            assert_true(power[row_of(f.e[i])] == (float)i);
        stop();
    }
}

// An index comes back while a row of the one that had it is still there.
static void tells_an_entity_from_one_that_had_its_index(void **state) {
    (void)state;
    start(true, CT_INSTANCE_LOOKUP_SPARSE, CT_COMPONENT_END_LAZY);
    ct_component_table_add(f.table, f.e, NULL, f.data, 3);
    const ct_entity next = {f.e[1].id + (1u << CT_ENTITY_INDEX_BITS)};
    assert_int_equal(row_of(next), 0);
    assert_int_not_equal(ct_component_table_add(f.table, &next, NULL, &f.data[50], 1), 0);
    assert_int_equal(row_of(f.e[1]), 0);
    const float *const power = ct_component_table_column(f.table, "power");
    assert_true(power[row_of(next)] == 50 && power[row_of(f.e[2])] == 2);
    assert_int_equal(ct_instance_table_count(ct_component_table_instances(f.table)), 3);
    stop();
}

// --- Against a plain model -----------------------------------------------------------------------

typedef struct model {
    ct_entity living[NUM * 10];
    uint32_t count;
    float power[NUM * 10];
} model;

static void check_model(const model *m) {
    const ct_instance_table *const t = ct_component_table_instances(f.table);
    assert_int_equal(ct_instance_table_count(t), m->count);
    const float *const power = ct_component_table_column(f.table, "power");
    uint32_t rows[NUM * 10];
    ct_instance_table_first_many(t, m->living, m->count, rows);
    for (uint32_t i = 0; i < m->count; ++i) {
        assert_int_equal(t->entity[rows[i]].id, m->living[i].id);
        assert_true(power[rows[i]] == m->power[i]);
    }
}

// Ends some of those that live by one call that names some twice, and a stranger.
static void end_some(model *m, uint32_t *random) {
    ct_entity ended[48];
    uint32_t count = 0;
    for (uint32_t most = test_random(random) % 40; count < most && m->count > 0; ++count) {
        const uint32_t which = test_random(random) % m->count;
        ended[count] = m->living[which];
        m->living[which] = m->living[--m->count];
        m->power[which] = m->power[m->count];
    }
    const uint32_t num_ended = count;
    for (uint32_t k = 0; k < 4 && num_ended > 0; ++k)
        ended[count++] = ended[test_random(random) % num_ended];
    ended[count++] = (ct_entity){CT_ENTITY_MAX_INDICES - 1};
    ct_component_table_erase_entities(f.table, ended, count);
    ct_entity_destroy(f.entities, ended, num_ended);
}

static void behaves_like_a_list(void **state) {
    (void)state;
    const uint32_t rounds = test_rounds(3000, 1000000);
    for (uint32_t k = 0; k < CT_COUNT_OF(lookups); ++k) {
        start(true, lookups[k], CT_COMPONENT_END_AT_ONCE);
        model m = {.count = 0};
        uint32_t random = 7 + k;
        for (uint32_t round = 0; round < rounds; ++round) {
            const uint32_t count = 1 + test_random(&random) % 8;
            if (test_random(&random) % 2 && m.count + count <= CT_COUNT_OF(m.living)) {
                ct_entity made[8];
                engine_data data[8] = {0};
                ct_entity_create(f.entities, made, count);
                for (uint32_t i = 0; i < count; ++i) {
                    data[i].power = m.power[m.count] = (float)(round * 8 + i);
                    m.living[m.count++] = made[i];
                }
                ct_component_table_add(f.table, made, NULL, data, count);
            }
            if (test_random(&random) % 8 == 0)
                end_some(&m, &random);
            if (round % 64 == 0)
                check_model(&m);
        }
        check_model(&m);
        stop();
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_a_column_for_each_field),
        cmocka_unit_test(refuses_a_column_that_is_none),
        cmocka_unit_test(gives_an_entity_one_row_in_a_single_table),
        cmocka_unit_test(gives_an_entity_many_rows_in_others),
        cmocka_unit_test(fills_the_place_of_an_erased_row),
        cmocka_unit_test(gets_and_sets_many),
        cmocka_unit_test(spawns_what_templates_say),
        cmocka_unit_test(ends_lazily),
        cmocka_unit_test(tells_an_entity_from_one_that_had_its_index),
        cmocka_unit_test(behaves_like_a_list),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
