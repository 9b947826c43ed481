#include "entity/data_component.h"

#include <string.h>

#include "foundation/error.h"
#include "foundation/os/file.h"
#include "foundation/os/path.h"
#include "support/test_support.h"

enum { NUM = 100 };

typedef struct data_fixture {
    ct_entity_manager *entities;
    ct_data_manager *data;
    ct_entity e[NUM];
} data_fixture;

static data_fixture start(void) {
    data_fixture f = {.entities = ct_entity_manager_create(test_heap()),
                      .data = ct_data_manager_create(test_heap())};
    ct_entity_create(f.entities, f.e, NUM);
    return f;
}

static void stop(data_fixture *f) {
    ct_data_manager_destroy(f->data);
    ct_entity_manager_destroy(f->entities);
}

static ct_data_key key(const char *name) {
    return ct_data_key_of_id(ct_string_id32_of(name));
}

static ct_data_value text(const char *s) {
    return ct_data_string(s, (uint32_t)strlen(s));
}

static void set(data_fixture *f, ct_data_instance i, const char *name, ct_data_value value) {
    ct_error error = {0};
    if (!ct_data_set(f->data, i, key(name), value, &error))
        fail_msg("%s", error.message);
}

static void assert_text(data_fixture *f, ct_data_instance i, const char *name,
                        const char *expected) {
    const ct_data_value v = ct_data_get(f->data, i, key(name));
    assert_int_equal(v.type, CT_DATA_TYPE_STRING);
    assert_string_equal(v.text, expected);
}

static float number(data_fixture *f, ct_data_instance i, const char *name) {
    const ct_data_value v = ct_data_get(f->data, i, key(name));
    return v.type == CT_DATA_TYPE_FLOAT ? v.number : -1;
}

static void assert_none(ct_data_instance i) {
    assert_int_equal(i.slot, 0);
}

static void assert_same(ct_data_instance a, ct_data_instance b) {
    assert_int_equal(a.slot, b.slot);
    assert_int_equal(a.generation, b.generation);
}

// --- Instances -----------------------------------------------------------------------------------

static void tells_instances_of_an_entity_apart_by_id(void **state) {
    (void)state;
    data_fixture f = start();
    const ct_data_instance a = ct_data_create(f.data, f.e[0], 7);
    const ct_data_instance b = ct_data_create(f.data, f.e[1], 7);
    const ct_data_instance c = ct_data_create(f.data, f.e[0], 8);
    assert_int_equal(ct_data_count(f.data), 3);
    assert_same(ct_data_with_id(f.data, f.e[0], 7), a);
    assert_same(ct_data_with_id(f.data, f.e[0], 8), c);
    assert_none(ct_data_with_id(f.data, f.e[1], 8));
    assert_same(ct_data_first(f.data, f.e[0]), a);
    assert_same(ct_data_next(f.data, a), c);
    assert_none(ct_data_next(f.data, c));
    assert_none(ct_data_first(f.data, f.e[2]));
    assert_int_equal(ct_data_entity(f.data, b).id, f.e[1].id);
    assert_int_equal(ct_data_id(f.data, c), 8);
    ct_data_instance firsts[3];
    ct_data_first_many(f.data, f.e, 3, firsts);
    assert_same(firsts[0], a);
    assert_same(firsts[1], b);
    assert_none(firsts[2]);
    stop(&f);
}

static void knows_instances_that_ended(void **state) {
    (void)state;
    data_fixture f = start();
    assert_false(ct_data_is_valid(f.data, (ct_data_instance){0}));
    const ct_data_instance a = ct_data_create(f.data, f.e[0], 1);
    const ct_data_instance b = ct_data_create(f.data, f.e[1], 1);
    set(&f, a, "name", text("first"));
    set(&f, b, "name", text("second"));
    ct_data_destroy(f.data, a);
    assert_false(ct_data_is_valid(f.data, a));
    assert_true(ct_data_is_valid(f.data, b)); // whose row moved
    assert_text(&f, b, "name", "second");
    const ct_data_instance c = ct_data_create(f.data, f.e[0], 1);
    assert_int_equal(c.slot, a.slot);
    assert_false(ct_data_is_valid(f.data, a));
    assert_int_equal(ct_data_get(f.data, c, key("name")).type, CT_DATA_TYPE_NONE);
    ct_data_destroy(f.data, b);
    assert_int_equal(ct_data_entity(f.data, c).id, f.e[0].id);
    stop(&f);
}

static void uses_no_generation_of_a_slot_twice(void **state) {
    (void)state;
    data_fixture f = start();
    const ct_data_instance first = ct_data_create(f.data, f.e[0], 1);
    const uint32_t most = 1u << CT_DATA_GENERATION_BITS;
    ct_data_instance last = first;
    for (uint32_t i = 1; i < most; ++i) {
        ct_data_destroy(f.data, last);
        last = ct_data_create(f.data, f.e[0], 1);
        assert_int_equal(last.slot, first.slot);
        assert_int_equal(last.generation, first.generation + i);
    }
    ct_data_destroy(f.data, last);
    const ct_data_instance other = ct_data_create(f.data, f.e[0], 1);
    assert_int_not_equal(other.slot, first.slot);
    assert_false(ct_data_is_valid(f.data, first));
    assert_false(ct_data_is_valid(f.data, last));
    assert_false(ct_data_is_valid(f.data, (ct_data_instance){first.slot, most}));
    assert_true(ct_data_is_valid(f.data, other));
    stop(&f);
}

static void get_of_ended(void *user) {
    data_fixture *const f = user;
    const ct_data_instance a = ct_data_create(f->data, f->e[0], 1);
    ct_data_destroy(f->data, a);
    ct_data_get(f->data, a, key("name"));
}

// The next buffer may have the keys of the one before, of other types.
static void spawns_buffers_of_one_key_and_two_types(void **state) {
    (void)state;
    data_fixture f = start();
    const ct_component_manager manager = ct_data_component_manager(f.data);
    _Alignas(8) char buffers[2][64];
    const uint32_t offsets[3] = {0, 64, 128}, ids[3] = {1, 1, 1}, data_index[3] = {0, 1, 0};
    for (uint32_t i = 0; i < 2; ++i) {
        ct_data_buffer *const b = (ct_data_buffer *)buffers[i];
        ct_data_buffer_rebuild(&ct_data_buffer_empty, (ct_data_key){0}, (ct_data_value){0}, b, 64);
        ct_data_buffer_set(b, key("on"), i == 0 ? ct_data_bool(true) : ct_data_float(2.5f));
    }
    manager.spawn(f.data, &(ct_component_spawn){f.e, ids, buffers, offsets, data_index, 3, 1});
    for (uint32_t i = 0; i < 3; ++i) {
        const ct_data_value value = ct_data_get(f.data, ct_data_first(f.data, f.e[i]), key("on"));
        assert_int_equal(value.type, i == 1 ? CT_DATA_TYPE_FLOAT : CT_DATA_TYPE_BOOL);
        assert_true(i == 1 ? value.number == 2.5f : value.boolean);
    }
    stop(&f);
}

// Those who take over from the dead, whose indices they have, get the slots until these have had
// all generations.
static void takes_slots_over_no_more_than_all_generations_long(void **state) {
    (void)state;
    enum { NUM_HEIRS = 64, NUM_LIVES = (1 << CT_DATA_GENERATION_BITS) + 3 };
    const ct_component_manager manager =
        ct_data_component_manager(ct_data_manager_create(test_heap()));
    ct_entity entities[NUM_HEIRS];
    uint32_t ids[NUM_HEIRS] = {0};
    for (uint32_t i = 0; i < NUM_HEIRS; ++i)
        entities[i] = ct_entity_make(i + 1, 1);
    const ct_component_spawn spawn = {
        .owners = entities, .ids = ids, .num_instances = NUM_HEIRS, .num_copies = 1};
    manager.spawn(manager.manager, &spawn);
    const ct_data_instance first = ct_data_first(manager.manager, entities[0]);
    for (uint32_t life = 1; life < NUM_LIVES; ++life) {
        for (uint32_t i = 0; i < NUM_HEIRS; ++i) // two generations take turns
            entities[i] = ct_entity_make(i + 1, 3 - ct_entity_generation(entities[i]));
        manager.spawn(manager.manager, &spawn);
        assert_false(ct_data_is_valid(manager.manager, first));
        const ct_data_instance now = ct_data_first(manager.manager, entities[0]);
        const bool is_same = life <= UINT16_MAX - first.generation;
        assert_int_equal(now.slot == first.slot, is_same);
        assert_int_equal(ct_data_entity(manager.manager, now).id, entities[0].id);
        if (is_same)
            assert_int_equal(now.generation, first.generation + life);
    }
    assert_int_equal(ct_data_count(manager.manager), NUM_HEIRS);
    manager.destroy(manager.manager);
}

// A get that found the key before.
static void get_again_of_ended(void *user) {
    data_fixture *const f = user;
    const ct_data_instance a = ct_data_create(f->data, f->e[0], 1);
    set(f, a, "health", ct_data_float(1));
    number(f, a, "health");
    ct_data_destroy(f->data, a);
    number(f, a, "health");
}

static void get_past_the_end(void *user) {
    data_fixture *const f = user;
    number(f, (ct_data_instance){1000, 0}, "health");
}

static void get_many_of_ended(void *user) {
    data_fixture *const f = user;
    ct_data_instance both[2];
    float values[2];
    for (uint32_t i = 0; i < 2; ++i) {
        both[i] = ct_data_create(f->data, f->e[i], 1);
        set(f, both[i], "health", ct_data_float(1));
    }
    ct_data_destroy(f->data, both[1]);
    ct_data_get_floats(f->data, both, 2, key("health"), 0, values);
}

static void set_many_of_ended(void *user) {
    data_fixture *const f = user;
    ct_data_instance both[2];
    const float values[2] = {0};
    for (uint32_t i = 0; i < 2; ++i) {
        both[i] = ct_data_create(f->data, f->e[i], 1);
        set(f, both[i], "health", ct_data_float(1));
    }
    ct_data_destroy(f->data, both[1]);
    ct_data_set_floats(f->data, both, 2, key("health"), values, NULL);
}

static void create_twice(void *user) {
    data_fixture *const f = user;
    ct_data_create(f->data, f->e[0], 1);
    ct_data_create(f->data, f->e[0], 1);
}

static void asserts_what_callers_may_do_wrong(void **state) {
    (void)state;
    data_fixture f = start();
    test_expect_death(get_of_ended, &f, "is invalid or has ended");
    test_expect_death(get_again_of_ended, &f, "is invalid or has ended");
    test_expect_death(get_past_the_end, &f, "is invalid or has ended");
    test_expect_death(get_many_of_ended, &f, "is invalid or has ended");
    test_expect_death(set_many_of_ended, &f, "is invalid or has ended");
    test_expect_death(create_twice, &f, "already has data with the id");
    stop(&f);
}

static void ends_all_of_an_entity(void **state) {
    (void)state;
    data_fixture f = start();
    ct_data_instance all[NUM];
    for (uint32_t i = 0; i < NUM; ++i) {
        all[i] = ct_data_create(f.data, f.e[i / 2], i % 2);
        set(&f, all[i], "number", ct_data_float((float)i));
    }
    ct_data_destroy_all(f.data, f.e + 10, 5);
    assert_int_equal(ct_data_count(f.data), NUM - 10);
    for (uint32_t i = 0; i < NUM; ++i) {
        assert_int_equal(ct_data_is_valid(f.data, all[i]), i < 20 || i >= 30);
        if (ct_data_is_valid(f.data, all[i]))
            assert_true(number(&f, all[i], "number") == (float)i);
    }
    stop(&f);
}

static void ends_instances_of_dead_entities_lazily(void **state) {
    (void)state;
    data_fixture f = start();
    for (uint32_t i = 0; i < NUM; ++i)
        set(&f, ct_data_create(f.data, f.e[i], 0), "number", ct_data_float((float)i));
    ct_entity_destroy(f.entities, f.e, 90);
    const ct_component_manager manager = ct_data_component_manager(f.data);
    for (uint32_t i = 0; i < 1000 && ct_data_count(f.data) > 10; ++i)
        manager.collect_garbage(manager.manager, f.entities);
    assert_int_equal(ct_data_count(f.data), 10);
    for (uint32_t i = 90; i < NUM; ++i)
        assert_true(number(&f, ct_data_first(f.data, f.e[i]), "number") == (float)i);
    stop(&f);
}

// However many a dead entity has; when it is found, no frame passes it over until all are ended.
static void ends_so_many_each_frame(void **state) {
    (void)state;
    enum { OF_ONE = 5000, EACH_FRAME = 1024 };
    data_fixture f = start();
    for (uint32_t i = 0; i < NUM; ++i)
        ct_data_create(f.data, f.e[i], 0);
    static ct_entity owners[OF_ONE];
    static uint32_t ids[OF_ONE];
    for (uint32_t i = 0; i < OF_ONE; ++i)
        owners[i] = f.e[5], ids[i] = i + 1;
    const ct_component_manager manager = ct_data_component_manager(f.data);
    const ct_component_spawn spawn = {.owners = owners,
                                      .ids = ids,
                                      .data = &ct_data_buffer_empty,
                                      .offsets = (uint32_t[2]){0, sizeof(ct_data_buffer_empty)},
                                      .num_instances = 1,
                                      .num_copies = OF_ONE};
    manager.spawn(manager.manager, &spawn);
    ct_entity_destroy(f.entities, &f.e[5], 1);
    for (uint32_t left = OF_ONE + 1, ended; left > 0; left -= ended) {
        ended = left < EACH_FRAME ? left : EACH_FRAME;
        manager.collect_garbage(manager.manager, f.entities);
        assert_int_equal(ct_data_count(f.data), NUM - 1 + left - ended);
    }
    stop(&f);
}

// The next entity that has the index of this one.
static ct_entity next_of(ct_entity e) {
    return (ct_entity){e.id + (1u << CT_ENTITY_INDEX_BITS)};
}

// All but every fifth are followed by others, of whom each has two instances.
static void ends_those_whose_indices_others_get(void **state) {
    (void)state;
    data_fixture f = start();
    ct_data_instance former[2][NUM];
    for (uint32_t i = 0; i < 2 * NUM; ++i) {
        ct_data_instance *const x = &former[i / NUM][i % NUM];
        *x = ct_data_create(f.data, f.e[i % NUM], 7 + i / NUM);
        set(&f, *x, "number", ct_data_float((float)i));
        set(&f, *x, "text", text("a text"));
    }
    ct_entity owners[2 * NUM];
    uint32_t ids[2 * NUM], count = 0;
    for (uint32_t i = 0; i < 2 * NUM; ++i) {
        if (i / 2 % 5 != 0) {
            owners[count] = next_of(f.e[i / 2]);
            ids[count++] = 1 + i % 2;
        }
    }
    const ct_component_manager manager = ct_data_component_manager(f.data);
    const uint32_t offset = 0;
    manager.spawn(manager.manager, &(ct_component_spawn){owners, ids, &ct_data_buffer_empty,
                                                         &offset, NULL, 1, count});
    assert_int_equal(ct_data_count(f.data), 2 * NUM);
    for (uint32_t i = 0; i < 2 * NUM; ++i) {
        const ct_data_instance x = former[i / NUM][i % NUM];
        const ct_entity next = next_of(f.e[i % NUM]);
        const ct_data_instance first = ct_data_first(f.data, next);
        assert_int_equal(ct_data_is_valid(f.data, x), i % NUM % 5 == 0);
        assert_int_equal(first.slot != 0, i % NUM % 5 != 0);
        if (i % NUM % 5 == 0) {
            assert_same(ct_data_with_id(f.data, f.e[i % NUM], 7 + i / NUM), x);
            assert_true(number(&f, x, "number") == (float)i);
            assert_text(&f, x, "text", "a text");
        } else {
            assert_none(ct_data_first(f.data, f.e[i % NUM]));
            assert_int_equal(ct_data_id(f.data, first), 1);
            assert_int_equal(ct_data_id(f.data, ct_data_next(f.data, first)), 2);
            assert_true(number(&f, first, "number") == -1);
        }
    }
    stop(&f);
}

// --- Values --------------------------------------------------------------------------------------

static void keeps_values_apart(void **state) {
    (void)state;
    data_fixture f = start();
    const ct_data_instance a = ct_data_create(f.data, f.e[0], 1);
    const ct_data_instance b = ct_data_create(f.data, f.e[1], 1);
    set(&f, a, "name", text("The One"));
    set(&f, b, "name", text("The Other"));
    set(&f, a, "health", ct_data_float(100));
    set(&f, a, "drunk", ct_data_bool(true));
    assert_text(&f, a, "name", "The One");
    assert_text(&f, b, "name", "The Other");
    assert_true(number(&f, a, "health") == 100);
    assert_true(number(&f, b, "health") == -1);
    set(&f, a, "health", (ct_data_value){0});
    set(&f, b, "health", (ct_data_value){0});
    assert_int_equal(ct_data_get(f.data, a, key("health")).type, CT_DATA_TYPE_NONE);
    assert_true(ct_data_get(f.data, a, key("drunk")).boolean);
    stop(&f);
}

static void takes_no_memory_for_a_few_numbers(void **state) {
    (void)state;
    data_fixture f = start();
    const ct_data_instance a = ct_data_create(f.data, f.e[0], 1);
    assert_int_equal(ct_data_memory_of(f.data).used_bytes, 0);
    const char *const numbers[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    for (uint32_t i = 0; i < CT_COUNT_OF(numbers); ++i)
        set(&f, a, numbers[i], ct_data_float((float)i));
    assert_int_equal(ct_data_memory_of(f.data).used_bytes, 0); // they are in the slot
    set(&f, a, "name", text("x"));
    assert_int_equal(ct_data_memory_of(f.data).used_bytes, 32); // 8 + 4 + 4 + 4 + 4
    set(&f, a, "ninth", ct_data_float(8));
    assert_int_equal(ct_data_memory_of(f.data).used_bytes, 32);
    set(&f, a, "surname", text("yz"));
    assert_int_equal(ct_data_memory_of(f.data).used_bytes, 64);
    for (uint32_t i = 0; i < CT_COUNT_OF(numbers); ++i)
        assert_true(number(&f, a, numbers[i]) == (float)i);
    assert_true(number(&f, a, "ninth") == 8);
    set(&f, a, "name", (ct_data_value){0});
    set(&f, a, "surname", (ct_data_value){0});
    set(&f, a, "ninth", (ct_data_value){0});
    assert_int_equal(ct_data_memory_of(f.data).used_bytes, 0);
    set(&f, a, "name", text("x"));
    ct_data_destroy(f.data, a);
    assert_int_equal(ct_data_memory_of(f.data).used_bytes, 0);
    stop(&f);
}

static void changes_types(void **state) {
    (void)state;
    data_fixture f = start();
    const ct_data_instance a = ct_data_create(f.data, f.e[0], 1);
    set(&f, a, "health", ct_data_float(3));
    set(&f, a, "mana", ct_data_float(4));
    set(&f, a, "health", ct_data_bool(true));
    assert_int_equal(ct_data_get(f.data, a, key("health")).type, CT_DATA_TYPE_BOOL);
    assert_true(ct_data_get(f.data, a, key("health")).boolean);
    set(&f, a, "health", text("full"));
    assert_text(&f, a, "health", "full");
    assert_true(number(&f, a, "mana") == 4);
    set(&f, a, "health", ct_data_float(5));
    assert_true(number(&f, a, "health") == 5);
    set(&f, a, "health", ct_data_bool(false));
    assert_int_equal(ct_data_get(f.data, a, key("health")).type, CT_DATA_TYPE_BOOL);
    assert_false(ct_data_get(f.data, a, key("health")).boolean);
    assert_true(number(&f, a, "mana") == 4);
    stop(&f);
}

// As of a game that makes up keys: all values are there, all the same.
static void holds_any_number_of_keys(void **state) {
    (void)state;
    enum { COUNT = 10000, KEYS = 3 };
    data_fixture f = start();
    ct_entity *const e = CT_NEW_ARRAY(test_heap(), ct_entity, COUNT);
    ct_data_instance *const all = CT_NEW_ARRAY(test_heap(), ct_data_instance, COUNT);
    ct_entity_create(f.entities, e, COUNT);
    for (uint32_t round = 0; round < 3; ++round) {
        for (uint32_t i = 0; i < COUNT; ++i) {
            all[i] = ct_data_create(f.data, e[i], 1);
            for (uint32_t k = 0; k < KEYS; ++k)
                ct_data_set(f.data, all[i], (ct_data_key){(round * COUNT + i) * KEYS + k},
                            ct_data_float((float)(i + k)), NULL);
        }
        assert_true(ct_data_memory_of(f.data).used_bytes > 0); // not all keys are shared ones
        for (uint32_t i = 0; i < COUNT; ++i) {
            for (uint32_t k = 0; k < KEYS; ++k)
                assert_true(
                    ct_data_get(f.data, all[i], (ct_data_key){(round * COUNT + i) * KEYS + k})
                        .number == (float)(i + k));
            assert_int_equal(ct_data_get(f.data, all[i], (ct_data_key){UINT32_MAX}).type,
                             CT_DATA_TYPE_NONE);
        }
        ct_data_destroy_all(f.data, e, COUNT);
        assert_int_equal(ct_data_memory_of(f.data).used_bytes, 0);
    }
    const ct_data_instance common = ct_data_create(f.data, e[0], 1);
    set(&f, common, "health", ct_data_float(1)); // there is room for its keys again
    assert_true(number(&f, common, "health") == 1);
    assert_int_equal(ct_data_memory_of(f.data).used_bytes, 0);
    ct_free(test_heap(), all);
    ct_free(test_heap(), e);
    stop(&f);
}

// The buffers that templates are compiled to.
static void starts_as_templates_say(void **state) {
    (void)state;
    enum { BYTES = 512, COPIES = 10 };
    data_fixture f = start();
    static uint32_t templates[3][BYTES / 4];
    const uint32_t offsets[4] = {0, BYTES, 2 * BYTES, 3 * BYTES}, ids[3 * COPIES] = {0};
    for (uint32_t t = 0; t < 3; ++t) {
        ct_data_buffer *const b = (ct_data_buffer *)templates[t];
        ct_data_buffer_rebuild(&ct_data_buffer_empty, (ct_data_key){0}, (ct_data_value){0}, b,
                               BYTES);
        for (uint32_t k = 0; k < t * 10; ++k) // none, 10 and 20
            ct_data_buffer_set(b, (ct_data_key){k * 1000},
                               k % 3 ? ct_data_float((float)(k + t)) : text("every third"));
    }
    const ct_component_manager manager = ct_data_component_manager(f.data);
    const ct_component_spawn spawn = {f.e, ids, templates, offsets, NULL, 3, COPIES};
    manager.spawn(f.data, &spawn);
    for (uint32_t i = 0; i < 3 * COPIES; ++i) {
        const ct_data_instance a = ct_data_first(f.data, f.e[i]);
        for (uint32_t k = 0; k < 25; ++k) {
            const ct_data_value v = ct_data_get(f.data, a, (ct_data_key){k * 1000});
            if (k >= i % 3 * 10)
                assert_int_equal(v.type, CT_DATA_TYPE_NONE);
            else if (k % 3)
                assert_true(v.type == CT_DATA_TYPE_FLOAT && v.number == (float)(k + i % 3));
            else
                assert_string_equal(v.text, "every third");
        }
    }
    stop(&f);
}

static void stays_small_when_strings_change_for_ever(void **state) {
    (void)state;
    data_fixture f = start();
    const ct_data_instance a = ct_data_create(f.data, f.e[0], 1);
    static const char *const names[] = {"a", "b", "c"};
    char string[64];
    for (uint32_t i = 0; i < 10000; ++i) {
        memset(string, 'x', i % 60);
        string[i % 60] = 0;
        set(&f, a, names[i % 3], text(string));
        assert_text(&f, a, names[i % 3], string);
        assert_true(ct_data_memory_of(f.data).used_bytes <= 512);
    }
    stop(&f);
}

static void refuses_what_64_kib_do_not_hold(void **state) {
    (void)state;
    data_fixture f = start();
    static char large[1 << 17];
    memset(large, 'x', sizeof(large));
    const ct_data_instance a = ct_data_create(f.data, f.e[0], 1);
    set(&f, a, "small", text("still there"));
    set(&f, a, "large", ct_data_string(large, 60000));
    ct_error error = {0};
    assert_false(ct_data_set(f.data, a, key("more"), ct_data_string(large, 6000), &error));
    assert_string_equal(error.message, "the data of an instance takes at most 65536 bytes; there "
                                       "is no room for 6000 more bytes");
    assert_false(ct_data_set(f.data, a, key("large"), ct_data_string(large, 1 << 17), &error));
    assert_false(ct_data_set(f.data, a, key("large"),
                             ct_data_floats((const float *)(const void *)large, 1 << 15), &error));
    assert_true(strstr(error.message, "32768 more numbers"));
    assert_int_equal(ct_data_get(f.data, a, key("large")).count, 60000);
    assert_text(&f, a, "small", "still there");
    set(&f, a, "large", ct_data_string(large, 65000)); // another as large fits in its stead
    assert_int_equal(ct_data_get(f.data, a, key("large")).count, 65000);
    assert_text(&f, a, "small", "still there");
    stop(&f);
}

// As one buffer all that an instance has must be no larger than that: it is saved as one.
static void counts_numbers_wherever_they_are(void **state) {
    (void)state;
    static char large[1 << 16];
    memset(large, 'x', sizeof(large));
    for (uint32_t bytes = 65300; bytes < 65516; ++bytes) {
        data_fixture f = start();
        const ct_data_instance a = ct_data_create(f.data, f.e[0], 1);
        ct_error error = {0};
        uint32_t count = 0;
        set(&f, a, "large", ct_data_float(1));
        set(&f, a, "large", ct_data_string(large, bytes));
        while (ct_data_set(f.data, a, (ct_data_key){count}, ct_data_float((float)count), &error))
            ++count;
        assert_true(strstr(error.message, "at most 65536 bytes"));
        const uint32_t words = 2 + (count + 2) + (count + 5) / 4 + (count + 2) + bytes / 4 + 1;
        assert_true(words > 65536 / 4 && words - 3 <= 65536 / 4); // with another, and without
        const float more = 1;
        assert_false(ct_data_set_floats(f.data, &a, 1, (ct_data_key){count}, &more, &error));
        assert_int_equal(ct_data_get(f.data, a, (ct_data_key){count}).type, CT_DATA_TYPE_NONE);
        ct_byte_array save;
        ct_array_init(&save, test_heap());
        ct_data_save(f.data, &save);
        assert_true(ct_data_load(f.data, save.items, save.count, &error));
        const ct_data_instance b = ct_data_first(f.data, f.e[0]);
        for (uint32_t k = 0; k < count; ++k)
            assert_true(ct_data_get(f.data, b, (ct_data_key){k}).number == (float)k);
        assert_int_equal(ct_data_get(f.data, b, key("large")).count, bytes);
        ct_array_free(&save);
        stop(&f);
    }
}

static void takes_values_of_its_own(void **state) {
    (void)state;
    data_fixture f = start();
    const ct_data_instance a = ct_data_create(f.data, f.e[0], 1);
    set(&f, a, "0", text("a text that is copied often"));
    for (char name[2] = "1"; name[0] < '9'; ++name[0])
        set(&f, a, name, ct_data_get(f.data, a, key("0")));
    for (char name[2] = "0"; name[0] < '9'; ++name[0])
        assert_text(&f, a, name, "a text that is copied often");
    stop(&f);
}

static void gets_and_sets_many(void **state) {
    (void)state;
    data_fixture f = start();
    ct_data_instance all[NUM];
    float in[NUM], out[NUM];
    ct_data_value values[NUM];
    ct_error error = {0};
    for (uint32_t i = 0; i < NUM; ++i) {
        all[i] = ct_data_create(f.data, f.e[i], 1);
        in[i] = (float)i;
        if (i % 3 == 0) // so that not all have the same keys
            set(&f, all[i], "name", text("three"));
    }
    assert_true(ct_data_set_floats(f.data, all, NUM, key("health"), in, &error));
    set(&f, all[50], "health", text("poor"));
    set(&f, all[51], "health", (ct_data_value){0});
    ct_data_get_floats(f.data, all, NUM, key("health"), -5, out);
    ct_data_get_many(f.data, all, NUM, key("health"), values);
    for (uint32_t i = 0; i < NUM; ++i) {
        assert_true(out[i] == (i == 50 || i == 51 ? -5 : (float)i));
        if (i != 50 && i != 51)
            assert_true(values[i].type == CT_DATA_TYPE_FLOAT && values[i].number == (float)i);
    }
    assert_string_equal(values[50].text, "poor");
    assert_int_equal(values[51].type, CT_DATA_TYPE_NONE);
    for (uint32_t i = 0; i < NUM; ++i)
        values[i] = i % 2 ? text("odd") : (ct_data_value){0};
    assert_true(ct_data_set_many(f.data, all, NUM, key("health"), values, &error));
    assert_text(&f, all[51], "health", "odd");
    assert_int_equal(ct_data_get(f.data, all[50], key("health")).type, CT_DATA_TYPE_NONE);
    stop(&f);
}

static void sets_all_of_many_or_none(void **state) {
    (void)state;
    data_fixture f = start();
    static char large[1 << 16];
    ct_data_instance all[3];
    ct_error error = {0};
    for (uint32_t i = 0; i < 3; ++i)
        all[i] = ct_data_create(f.data, f.e[i], 1);
    set(&f, all[2], "large", ct_data_string(large, 65500));
    const ct_data_value values[3] = {text("a"), text("b"), text("no more room for this")};
    assert_false(ct_data_set_many(f.data, all, 3, key("name"), values, &error));
    assert_int_equal(ct_data_get(f.data, all[0], key("name")).type, CT_DATA_TYPE_NONE);
    const float numbers[3] = {1, 2, 3};
    set(&f, all[2], "fits", ct_data_float(1));
    assert_false(ct_data_set_floats(f.data, all, 3, key("health"), numbers, &error));
    assert_int_equal(ct_data_get(f.data, all[0], key("health")).type, CT_DATA_TYPE_NONE);
    assert_true(ct_data_set_floats(f.data, all, 3, key("fits"), numbers, &error));
    stop(&f);
}

// --- Saves ---------------------------------------------------------------------------------------

// Twenty instances of ten entities, with some of everything.
static void fill(data_fixture *f) {
    const float path[3] = {1, 2, 3};
    for (uint32_t i = 0; i < 20; ++i) {
        const ct_data_instance a = ct_data_create(f->data, f->e[i / 2], 100 + i);
        set(f, a, "number", ct_data_float((float)i));
        if (i % 3 == 0)
            set(f, a, "name", text("a longer name that leaves a hole"));
        if (i % 3 == 0)
            set(f, a, "name", text("three"));
        if (i % 5 == 0)
            set(f, a, "path", ct_data_floats(path, 3));
    }
    ct_data_create(f->data, f->e[0], 1); // the third of this entity, without values
    ct_data_destroy(f->data, ct_data_with_id(f->data, f->e[3], 106));
}

static void assert_filled(data_fixture *f) {
    assert_int_equal(ct_data_count(f->data), 20);
    for (uint32_t i = 0; i < 20; ++i) {
        const ct_data_instance a = ct_data_with_id(f->data, f->e[i / 2], 100 + i);
        if (i == 6) {
            assert_none(a);
            continue;
        }
        assert_true(number(f, a, "number") == (float)i);
        if (i % 3 == 0)
            assert_text(f, a, "name", "three");
        else
            assert_int_equal(ct_data_get(f->data, a, key("name")).type, CT_DATA_TYPE_NONE);
        const ct_data_value path = ct_data_get(f->data, a, key("path"));
        assert_int_equal(path.count, i % 5 == 0 ? 3 : 0);
        if (i % 5 == 0)
            assert_true(path.numbers[2] == 3);
    }
    const ct_data_instance first = ct_data_first(f->data, f->e[0]);
    const ct_data_instance second = ct_data_next(f->data, first);
    assert_int_equal(ct_data_id(f->data, first), 100);
    assert_int_equal(ct_data_id(f->data, second), 101);
    assert_int_equal(ct_data_id(f->data, ct_data_next(f->data, second)), 1);
}

static void is_saved_with_one_write_and_loaded_with_one_read(void **state) {
    (void)state;
    data_fixture f = start();
    fill(&f);
    ct_byte_array bytes;
    ct_array_init(&bytes, test_heap());
    ct_data_save(f.data, &bytes);
    char path[CT_PATH_BYTES];
    ct_path_join(path, test_scratch_folder(), "data.save");
    ct_error error = {0};
    assert_true(ct_file_write(path, bytes.items, bytes.count, false, &error));
    ct_data_manager_destroy(f.data);
    f.data = ct_data_manager_create(test_heap());
    const ct_data_instance before = ct_data_create(f.data, f.e[50], 1);
    uint64_t size_bytes;
    void *const read = ct_file_read(test_heap(), path, &size_bytes, &error);
    assert_non_null(read);
    assert_true(ct_data_load(f.data, read, size_bytes, &error));
    assert_filled(&f);
    assert_false(ct_data_is_valid(f.data, before));
    ct_byte_array again;
    ct_array_init(&again, test_heap());
    ct_data_save(f.data, &again);
    assert_int_equal(again.count, bytes.count);
    assert_memory_equal(again.items, bytes.items, bytes.count);
    ct_free(test_heap(), read);
    ct_array_free(&again);
    ct_array_free(&bytes);
    stop(&f);
}

static void saves_that_there_is_nothing(void **state) {
    (void)state;
    data_fixture f = start();
    ct_byte_array bytes;
    ct_array_init(&bytes, test_heap());
    ct_data_save(f.data, &bytes);
    fill(&f);
    ct_error error = {0};
    assert_true(ct_data_load(f.data, bytes.items, bytes.count, &error));
    assert_int_equal(ct_data_count(f.data), 0);
    assert_int_equal(ct_data_memory_of(f.data).used_bytes, 0);
    ct_array_free(&bytes);
    stop(&f);
}

static void assert_refused(data_fixture *f, const void *bytes, uint64_t size,
                           const char *expected) {
    ct_error error = {0};
    assert_false(ct_data_load(f->data, bytes, size, &error));
    if (!strstr(error.message, expected))
        fail_msg("expected \"%s\", got \"%s\"", expected, error.message);
    assert_filled(f);
}

static void refuses_what_was_no_save(void **state) {
    (void)state;
    data_fixture f = start();
    fill(&f);
    ct_byte_array bytes;
    ct_array_init(&bytes, test_heap());
    ct_data_save(f.data, &bytes);
    uint32_t *const words = (uint32_t *)(void *)bytes.items;
    assert_refused(&f, words, 8, "not saved data of version 1");
    assert_refused(&f, words, bytes.count - 8, "bytes of saved data; expected");
    const struct {
        uint32_t word, value;
        const char *expected;
    } damages[] = {
        {0, 0x63647461, "not saved data"},
        {1, 2, "not saved data"},
        {4, 21, "21 instances do not fit"},
        {4, UINT32_MAX, "instances do not fit"},
        {6, 0, "instance 0 of saved data: 0 is not a valid entity"},
        {6, UINT32_MAX, "4294967295 is not a valid entity"},
        {6, ct_entity_index(f.e[0]), "instance 0 of saved data: 1 is not a valid entity"},
        {6, 1u << CT_ENTITY_INDEX_BITS, "4194304 is not a valid entity"},
        {6 + 1, f.e[0].id + (1u << CT_ENTITY_INDEX_BITS),
         "two entities of saved data have the index"},
        {6 + 20 + 1, 100, "has two saved instances with the same id"},
        {6 + 40, 8, "buffers of saved data are from byte 8"},
        {6 + 40 + 1, 4, "buffer 0 of saved data: found 4 bytes of data"},
        {6 + 40 + 5, UINT32_MAX, "buffer 4 of saved data is from byte"},
        {6 + 40 + 1, 8, "buffer 0 of saved data: found 8 bytes of data"},
        {6 + 60, 0, "buffers of saved data are from byte 0 to 0"},
        {6 + 62, UINT32_MAX, "buffer 0 of saved data: "},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(damages); ++i) {
        const uint32_t sound = words[damages[i].word];
        words[damages[i].word] = damages[i].value;
        assert_refused(&f, words, bytes.count, damages[i].expected);
        words[damages[i].word] = sound;
    }
    ct_array_free(&bytes);
    stop(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_instances_of_an_entity_apart_by_id),
        cmocka_unit_test(knows_instances_that_ended),
        cmocka_unit_test(uses_no_generation_of_a_slot_twice),
        cmocka_unit_test(spawns_buffers_of_one_key_and_two_types),
        cmocka_unit_test(takes_slots_over_no_more_than_all_generations_long),
        cmocka_unit_test(asserts_what_callers_may_do_wrong),
        cmocka_unit_test(ends_all_of_an_entity),
        cmocka_unit_test(ends_instances_of_dead_entities_lazily),
        cmocka_unit_test(ends_so_many_each_frame),
        cmocka_unit_test(ends_those_whose_indices_others_get),
        cmocka_unit_test(keeps_values_apart),
        cmocka_unit_test(takes_no_memory_for_a_few_numbers),
        cmocka_unit_test(changes_types),
        cmocka_unit_test(holds_any_number_of_keys),
        cmocka_unit_test(starts_as_templates_say),
        cmocka_unit_test(stays_small_when_strings_change_for_ever),
        cmocka_unit_test(refuses_what_64_kib_do_not_hold),
        cmocka_unit_test(counts_numbers_wherever_they_are),
        cmocka_unit_test(takes_values_of_its_own),
        cmocka_unit_test(gets_and_sets_many),
        cmocka_unit_test(sets_all_of_many_or_none),
        cmocka_unit_test(is_saved_with_one_write_and_loaded_with_one_read),
        cmocka_unit_test(saves_that_there_is_nothing),
        cmocka_unit_test(refuses_what_was_no_save),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
