// The data component against plain tables, under random operations.

#include "entity/data_component.h"
#include "foundation/error.h"
#include "support/test_support.h"

enum { NUM_ENTITIES = 40, NUM_IDS = 3, NUM_KEYS = 12, MOST_BYTES = 120 };

typedef struct model_value {
    ct_data_type type;
    uint32_t count;
    float number;
    char bytes[MOST_BYTES + 1];
} model_value;

typedef struct model_instance {
    bool is_there;
    ct_data_instance instance;
    model_value values[NUM_KEYS];
} model_instance;

typedef struct fixture {
    ct_entity_manager *entities;
    ct_data_manager *data;
    ct_entity e[NUM_ENTITIES];
    model_instance model[NUM_ENTITIES][NUM_IDS];
    ct_byte_array save;
    uint32_t random;
    bool has_own_keys;   // each instance: many layouts come and go
    uint32_t most_texts; // of 16 values
    ct_data_instance fillers[CT_DATA_MAX_LAYOUTS];
    uint32_t num_fillers; // each with a layout of its own
} fixture;

static ct_data_key key_of(const fixture *f, const model_instance *m, uint32_t key) {
    const uint32_t own = f->has_own_keys ? (uint32_t)(m - f->model[0]) * NUM_KEYS : 0;
    return (ct_data_key){(own + key) * 2654435761u + 17};
}

static void check_value(const fixture *f, const model_instance *m, uint32_t key) {
    const model_value *const expected = &m->values[key];
    const ct_data_value v = ct_data_get(f->data, m->instance, key_of(f, m, key));
    assert_int_equal(v.type, expected->type);
    if (v.type == CT_DATA_TYPE_BOOL)
        assert_int_equal(v.boolean, expected->number != 0);
    if (v.type == CT_DATA_TYPE_FLOAT)
        assert_true(v.number == expected->number);
    if (v.type < CT_DATA_TYPE_STRING)
        return;
    assert_int_equal(v.count, expected->count);
    const bool is_text = v.type == CT_DATA_TYPE_STRING;
    assert_memory_equal(v.text, expected->bytes, is_text ? v.count + 1 : v.count * sizeof(float));
}

static void check_all(const fixture *f) {
    uint32_t count = 0;
    for (uint32_t e = 0; e < NUM_ENTITIES; ++e) {
        for (uint32_t id = 0; id < NUM_IDS; ++id) {
            const model_instance *const m = &f->model[e][id];
            const ct_data_instance i = ct_data_with_id(f->data, f->e[e], id);
            assert_int_equal(i.slot != 0, m->is_there);
            assert_int_equal(ct_data_is_valid(f->data, m->instance), m->is_there);
            for (uint32_t key = 0; m->is_there && key < NUM_KEYS; ++key)
                check_value(f, m, key);
            count += m->is_there;
        }
    }
    assert_int_equal(ct_data_count(f->data), count + f->num_fillers);
}

static model_value random_value(fixture *f) {
    const bool is_text = test_random(&f->random) % 16 < f->most_texts;
    const uint32_t type = is_text ? 3 + test_random(&f->random) % 2 : test_random(&f->random) % 3;
    model_value v = {.type = (ct_data_type)type, .number = (float)(test_random(&f->random) % 2)};
    if (v.type == CT_DATA_TYPE_FLOAT)
        v.number = (float)(test_random(&f->random) % 1000);
    if (v.type == CT_DATA_TYPE_STRING)
        v.count = test_random(&f->random) % (MOST_BYTES + 1);
    if (v.type == CT_DATA_TYPE_FLOATS)
        v.count = test_random(&f->random) % (MOST_BYTES / sizeof(float) + 1);
    const uint32_t bytes = v.type == CT_DATA_TYPE_FLOATS ? v.count * 4 : v.count;
    for (uint32_t i = 0; i < bytes; ++i)
        v.bytes[i] = (char)test_random(&f->random);
    return v;
}

static ct_data_value value_of(const model_value *v) {
    ct_data_value value = {.type = v->type, .count = v->count};
    if (v->type == CT_DATA_TYPE_BOOL)
        value.boolean = v->number != 0;
    else if (v->type == CT_DATA_TYPE_FLOAT)
        value.number = v->number;
    else
        value.text = v->bytes;
    return value;
}

static void set_random(fixture *f, model_instance *m) {
    const uint32_t key = test_random(&f->random) % NUM_KEYS;
    m->values[key] = random_value(f);
    ct_error error = {0};
    assert_true(
        ct_data_set(f->data, m->instance, key_of(f, m, key), value_of(&m->values[key]), &error));
    check_value(f, m, key);
}

static void end_entity(fixture *f, uint32_t e) {
    if (test_random(&f->random) % 2) {
        ct_data_destroy_all(f->data, &f->e[e], 1);
    } else { // with the entity; another takes its place
        ct_entity_destroy(f->entities, &f->e[e], 1);
        for (uint32_t i = 0; i < 10000 && ct_data_first(f->data, f->e[e]).slot; ++i)
            ct_data_collect_garbage(f->data, f->entities);
        ct_entity_create(f->entities, &f->e[e], 1);
    }
    for (uint32_t id = 0; id < NUM_IDS; ++id)
        f->model[e][id].is_there = false;
}

// Saves, ends all, and loads: nothing but the instances is new.
static void save_and_load(fixture *f) {
    f->save.count = 0;
    ct_data_save(f->data, &f->save);
    if (test_random(&f->random) % 2) {
        ct_data_manager_destroy(f->data);
        f->data = ct_data_manager_create(test_heap());
    }
    ct_error error = {0};
    if (!ct_data_load(f->data, f->save.items, f->save.count, &error))
        fail_msg("%s", error.message);
    for (uint32_t e = 0; e < NUM_ENTITIES; ++e) {
        for (uint32_t id = 0; id < NUM_IDS; ++id)
            f->model[e][id].instance = ct_data_with_id(f->data, f->e[e], id);
    }
}

static void step(fixture *f) {
    const uint32_t e = test_random(&f->random) % NUM_ENTITIES;
    const uint32_t id = test_random(&f->random) % NUM_IDS, what = test_random(&f->random) % 1000;
    model_instance *const m = &f->model[e][id];
    if (what == 0 && f->num_fillers == 0) { // they are found by their instances
        save_and_load(f);
    } else if (what < 10) {
        end_entity(f, e);
    } else if (!m->is_there) {
        *m = (model_instance){.is_there = true, .instance = ct_data_create(f->data, f->e[e], id)};
    } else if (what < 40) {
        ct_data_destroy(f->data, m->instance);
        m->is_there = false;
    } else {
        set_random(f, m);
    }
}

// Instances that leave no room for more layouts.
static void add_fillers(fixture *f) {
    ct_entity *const e = CT_NEW_ARRAY(test_heap(), ct_entity, CT_DATA_MAX_LAYOUTS);
    ct_entity_create(f->entities, e, CT_DATA_MAX_LAYOUTS);
    f->num_fillers = CT_DATA_MAX_LAYOUTS;
    for (uint32_t i = 0; i < f->num_fillers; ++i) {
        f->fillers[i] = ct_data_create(f->data, e[i], 0);
        ct_data_set(f->data, f->fillers[i], (ct_data_key){i}, ct_data_float((float)i), NULL);
    }
    ct_free(test_heap(), e);
}

static void end_fillers(fixture *f) {
    for (uint32_t i = 0; i < f->num_fillers; ++i) {
        assert_true(ct_data_get(f->data, f->fillers[i], (ct_data_key){i}).number == (float)i);
        ct_data_destroy(f->data, f->fillers[i]);
    }
    f->num_fillers = 0;
}

static void compare(bool has_own_keys, uint32_t most_texts, bool has_fillers) {
    fixture *const f = CT_NEW(test_heap(), fixture);
    f->entities = ct_entity_manager_create(test_heap());
    f->data = ct_data_manager_create(test_heap());
    f->random = 20150612;
    f->has_own_keys = has_own_keys;
    f->most_texts = most_texts;
    ct_array_init(&f->save, test_heap());
    ct_entity_create(f->entities, f->e, NUM_ENTITIES);
    const uint32_t rounds = test_rounds(50000, 1000000);
    for (uint32_t i = 0; i < rounds; ++i) {
        if (i == rounds / 4 && has_fillers)
            add_fillers(f);
        if (i == rounds / 2)
            end_fillers(f);
        step(f);
        if (i % 1000 == 0)
            check_all(f);
    }
    check_all(f);
    ct_array_free(&f->save);
    ct_data_manager_destroy(f->data);
    ct_entity_manager_destroy(f->entities);
    ct_free(test_heap(), f);
}

static void does_what_plain_tables_do(void **state) {
    (void)state;
    compare(false, 8, false);
}

static void does_so_with_few_texts(void **state) {
    (void)state;
    compare(false, 1, false);
}

static void does_so_with_made_up_keys(void **state) {
    (void)state;
    compare(true, 2, false);
}

static void does_so_without_room_for_layouts(void **state) {
    (void)state;
    compare(true, 1, true);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(does_what_plain_tables_do),
        cmocka_unit_test(does_so_with_few_texts),
        cmocka_unit_test(does_so_with_made_up_keys),
        cmocka_unit_test(does_so_without_room_for_layouts),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
