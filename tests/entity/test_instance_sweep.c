// Sweeps: tags and data of many entities that get the indices of others, which died with theirs,
// against a plain model.
#include "entity/data_component.h"
#include "entity/tag_component.h"
#include "support/test_support.h"

enum { NUM_INDICES = 400, NUM_TAGS = 12, MOST_DATA = 9 };

typedef struct sweep_fixture {
    ct_component_manager tags, data;
    ct_entity now[NUM_INDICES]; // who has the index
    uint32_t tag_bits[NUM_INDICES], num_data[NUM_INDICES];
    uint32_t random;
} sweep_fixture;

static sweep_fixture f;

static uint32_t below(uint32_t limit) {
    return test_random(&f.random) % limit;
}

static ct_string_id32 tag_of(uint32_t number) {
    return (ct_string_id32){5000 + number};
}

// Another has the index from now on. As an entity manager does, tells when its ids begin anew.
static void begin_next_life(uint32_t index) {
    const ct_entity old = f.now[index];
    if (ct_entity_generation(old) == CT_ENTITY_NUM_GENERATIONS - 1) {
        f.tags.indices_ended(f.tags.manager, &old, 1);
        f.data.indices_ended(f.data.manager, &old, 1);
        f.now[index].id = ct_entity_index(old);
    } else {
        f.now[index].id += 1u << CT_ENTITY_INDEX_BITS;
    }
    f.tag_bits[index] = f.num_data[index] = 0;
}

static void compare_one(uint32_t index) {
    const ct_entity e = f.now[index];
    uint32_t count = 0, n = 0;
    for (uint32_t k = 0; k < NUM_TAGS; ++k) {
        const bool has = ct_tag_has(f.tags.manager, e, tag_of(k));
        assert_int_equal(has, f.tag_bits[index] >> k & 1);
        count += has;
    }
    assert_int_equal(ct_tag_count(f.tags.manager, e), count);
    for (ct_data_instance d = ct_data_first(f.data.manager, e); d.slot;
         d = ct_data_next(f.data.manager, d)) {
        assert_int_equal(ct_data_entity(f.data.manager, d).id, e.id);
        assert_int_equal(ct_data_id(f.data.manager, d), ++n);
    }
    assert_int_equal(n, f.num_data[index]);
}

static void shuffle(ct_entity *entities, uint32_t count) {
    for (uint32_t i = count; i > 1; --i) {
        const uint32_t k = below(i);
        const ct_entity e = entities[i - 1];
        entities[i - 1] = entities[k];
        entities[k] = e;
    }
}

// Many get the indices of others, each with two tags and two data instances; in some calls each
// stands there twice.
static void spawn_many(void) {
    const uint32_t tag = tag_of(below(NUM_TAGS - 1)).value;
    const struct {
        uint32_t num_tags, tags[2];
        char texts[4];
    } both = {2, {tag, tag + 1}, "a\0b"};
    const uint32_t offsets[2] = {0, sizeof both}, one_in = 1 + below(6);
    ct_entity born[NUM_INDICES], twice[2 * NUM_INDICES];
    ct_data_instance ended[NUM_INDICES];
    uint32_t ids[2 * NUM_INDICES], count = 0;
    for (uint32_t i = 0; i < NUM_INDICES; ++i) {
        if (below(one_in))
            continue;
        ended[count] = ct_data_first(f.data.manager, f.now[i]);
        begin_next_life(i);
        f.tag_bits[i] = 3u << (tag - tag_of(0).value);
        f.num_data[i] = 2;
        born[count++] = f.now[i];
    }
    if (count == 0)
        return;
    shuffle(born, count);
    for (uint32_t i = 0; i < 2 * count; ++i) {
        twice[i] = born[i / 2];
        ids[i] = i % 2 + 1;
    }
    const bool is_twice = below(4) == 0;
    const ct_component_spawn spawn = {.owners = is_twice ? twice : born,
                                      .ids = ids,
                                      .data = &both,
                                      .offsets = offsets,
                                      .num_instances = 1,
                                      .num_copies = is_twice ? 2 * count : count};
    f.tags.spawn(f.tags.manager, &spawn);
    const ct_component_spawn without_values = {
        .owners = twice, .ids = ids, .num_instances = 1, .num_copies = 2 * count};
    f.data.spawn(f.data.manager, &without_values);
    for (uint32_t i = 0; i < count; ++i)
        assert_true(ended[i].slot == 0 || !ct_data_is_valid(f.data.manager, ended[i]));
}

static void change_one(void) {
    const uint32_t i = below(NUM_INDICES), tag = below(NUM_TAGS), what = below(7);
    if (what == 0 && below(2))
        begin_next_life(i);
    if (what < 3) {
        ct_tag_add(f.tags.manager, &f.now[i], 1, tag_of(tag));
        f.tag_bits[i] |= 1u << tag;
    } else if (what < 5) {
        ct_tag_remove(f.tags.manager, &f.now[i], 1, tag_of(tag));
        f.tag_bits[i] &= ~(1u << tag);
    } else if (what < 6 && f.num_data[i] < MOST_DATA) {
        ct_data_create(f.data.manager, f.now[i], ++f.num_data[i]);
    } else {
        ct_tag_remove_all(f.tags.manager, &f.now[i], 1);
        ct_data_destroy_all(f.data.manager, &f.now[i], 1);
        f.tag_bits[i] = f.num_data[i] = 0;
    }
}

static void those_who_get_indices_get_nothing_else(void **state) {
    (void)state;
    f = (sweep_fixture){.tags = ct_tag_component_manager(ct_tag_manager_create(test_heap())),
                        .data = ct_data_component_manager(ct_data_manager_create(test_heap())),
                        .random = 99};
    for (uint32_t i = 0; i < NUM_INDICES; ++i)
        f.now[i].id = i + 1;
    const uint32_t num_rounds = test_rounds(3000, 40000);
    for (uint32_t round = 0; round < num_rounds; ++round) {
        if (below(10) < 3)
            spawn_many();
        else
            change_one();
        for (uint32_t i = 0; round % 8 == 0 && i < NUM_INDICES; ++i)
            compare_one(i);
    }
    f.tags.destroy(f.tags.manager);
    f.data.destroy(f.data.manager);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(those_who_get_indices_get_nothing_else)};
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
