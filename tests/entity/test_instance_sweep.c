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
    uint8_t marks[NUM_INDICES + 1]; // of an entity manager in which all of `now` live
    ct_tag_reader reader;
    ct_entity known[NUM_INDICES]; // who had the index when the reader last read
    uint32_t known_bits[NUM_INDICES];
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
    if (ct_entity_generation(old) == CT_ENTITY_LAST_GENERATION) {
        f.tags.indices_ended(f.tags.manager, &old, 1);
        f.data.indices_ended(f.data.manager, &old, 1);
        f.now[index] = ct_entity_make(ct_entity_index(old), 1);
    } else {
        f.now[index].id += 1u << CT_ENTITY_INDEX_BITS;
    }
    f.tag_bits[index] = f.num_data[index] = 0;
    f.marks[ct_entity_index(old)] = (uint8_t)ct_entity_generation(f.now[index]);
}

// Reads what changed of a tag: who gained it, each once, and who lost it.
static void read_tag(uint32_t tag) {
    const ct_entity_manager living = {.marks = f.marks};
    const uint32_t most = ct_tag_most_changed(f.tags.manager, f.reader, tag_of(tag)),
                   bit = 1u << tag;
    ct_entity *const gained = CT_NEW_ARRAY(test_heap(), ct_entity, most + 1);
    ct_entity *const lost = CT_NEW_ARRAY(test_heap(), ct_entity, most + 1);
    const ct_tag_changed_counts counts =
        ct_tag_changed(f.tags.manager, &living, f.reader, tag_of(tag), gained, lost);
    for (uint32_t k = 0; k < NUM_INDICES && counts.is_anew; ++k)
        f.known_bits[k] &= ~bit;
    for (uint32_t k = 0; k < counts.num_gained; ++k) {
        const uint32_t i = ct_entity_index(gained[k]) - 1;
        assert_int_equal(gained[k].id, f.now[i].id);
        assert_true((f.tag_bits[i] & bit) && !(f.known_bits[i] & bit));
        f.known_bits[i] |= bit;
    }
    for (uint32_t k = 0; k < counts.num_lost; ++k) {
        const uint32_t i = ct_entity_index(lost[k]) - 1;
        if (lost[k].id != f.now[i].id)
            continue; // a dead one
        assert_true(!(f.tag_bits[i] & bit) && (f.known_bits[i] & bit));
        f.known_bits[i] &= ~bit;
    }
    ct_free(test_heap(), lost);
    ct_free(test_heap(), gained);
}

static void read_changes(void) {
    for (uint32_t i = 0; i < NUM_INDICES; ++i) {
        f.known_bits[i] = f.known[i].id == f.now[i].id ? f.known_bits[i] : 0;
        f.known[i] = f.now[i];
    }
    for (uint32_t tag = 0; tag < NUM_TAGS; ++tag)
        read_tag(tag);
    ct_tag_clear_changes(f.tags.manager, f.reader);
    assert_memory_equal(f.known_bits, f.tag_bits, sizeof(f.known_bits));
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

// Many get the indices of others, each with two tags, of two templates in turn, and two data
// instances; in some calls each stands there twice.
static void spawn_many(void) {
    const uint32_t tag = below(3) ? 0 : below(NUM_TAGS - 3), first = tag_of(tag).value;
    const struct {
        uint32_t num_tags, tags[2];
        char texts[4];
    } both[2] = {{2, {first, first + 1}, "a\0b"}, {2, {first + 3 - below(2), first + 1}, "c\0b"}};
    const uint32_t bits[2] = {3u << tag, 1u << (both[1].tags[0] - first + tag) | 2u << tag};
    const uint32_t offsets[3] = {0, sizeof(both[0]), sizeof(both)}, one_in = 1 + below(6);
    ct_entity born[NUM_INDICES], twice[2 * NUM_INDICES];
    ct_data_instance ended[NUM_INDICES];
    uint32_t ids[2 * NUM_INDICES], count = 0;
    for (uint32_t i = 0; i < NUM_INDICES; ++i) {
        if (below(one_in))
            continue;
        ended[count] = ct_data_first(f.data.manager, f.now[i]);
        begin_next_life(i);
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
    for (uint32_t i = 0; i < count; ++i)
        f.tag_bits[ct_entity_index(born[i]) - 1] = is_twice ? bits[0] | bits[1] : bits[i % 2];
    if (!is_twice && count % 2) // the last goes without
        f.tag_bits[ct_entity_index(born[count - 1]) - 1] = 0;
    const ct_component_spawn spawn = {.owners = is_twice ? twice : born,
                                      .ids = ids,
                                      .data = both,
                                      .offsets = offsets,
                                      .num_instances = 2,
                                      .num_copies = is_twice ? count : count / 2};
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
    assert_true(ct_tag_reader_named(f.tags.manager, (ct_string_id32){1}, &f.reader, NULL));
    for (uint32_t i = 0; i < NUM_INDICES; ++i) {
        f.now[i] = ct_entity_make(i + 1, 1);
        f.marks[i + 1] = 1;
    }
    const uint32_t num_rounds = test_rounds(3000, 40000);
    for (uint32_t round = 0; round < num_rounds; ++round) {
        if (below(10) < 3)
            spawn_many();
        else
            change_one();
        if (below(8) == 0)
            read_changes();
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
