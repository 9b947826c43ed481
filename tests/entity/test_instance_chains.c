// Entities with very many instances in a table: against plain lists, and what it takes.
#include <string.h>

#include "entity/instance_table.h"
#include "support/test_support.h"

enum { NUM_OWNERS = 12, MOST = 1000, NUM_ROUNDS = 1500, MANY = 100000, NUM_OTHERS = 50000 };

// A manager with one array of its own.
typedef struct sticker_manager {
    ct_instance_table table;
    uint32_t *color;
} sticker_manager;

static const ct_soa_array arrays[] = {
    CT_NUMBERED_INSTANCE_TABLE_ARRAYS(sticker_manager, table),
    CT_SOA_ARRAY(sticker_manager, color),
};

static const ct_instance_lookup lookups[] = {CT_INSTANCE_LOOKUP_HASH, CT_INSTANCE_LOOKUP_SPARSE};

// An entity and the colours of its instances, in order. When it is dead and has none left, another
// takes its place.
typedef struct owner {
    ct_entity e;
    bool is_dead;
    uint32_t count;
    uint32_t colors[MOST];
} owner;

typedef struct fixture {
    sticker_manager m;
    ct_entity_manager *entities;
    owner owners[NUM_OWNERS];
    uint32_t total, next_color, random;
} fixture;

static fixture f;

static void start(ct_instance_lookup lookup, uint32_t seed) {
    f = (fixture){.entities = ct_entity_manager_create(test_heap()), .random = seed};
    ct_instance_table_init(&f.m.table, test_heap(), &f.m, arrays, CT_COUNT_OF(arrays), lookup);
    for (uint32_t k = 0; k < NUM_OWNERS; ++k)
        ct_entity_create(f.entities, &f.owners[k].e, 1);
}

static void stop(void) {
    ct_instance_table_free(&f.m.table);
    ct_entity_manager_destroy(f.entities);
}

static uint32_t below(uint32_t limit) {
    return test_random(&f.random) % limit;
}

static owner *owner_of(ct_entity e) {
    for (uint32_t k = 0; k < NUM_OWNERS; ++k) {
        if (ct_entity_equal(f.owners[k].e, e))
            return &f.owners[k];
    }
    fail_msg("an instance of the entity %u, which has none", e.id);
    return NULL;
}

// --- Against plain lists -------------------------------------------------------------------------

static void compare(void) {
    const ct_instance_table *const t = &f.m.table;
    assert_int_equal(ct_instance_table_count(t), f.total);
    for (uint32_t k = 0; k < NUM_OWNERS; ++k) {
        const owner *const o = &f.owners[k];
        uint32_t i = ct_instance_table_first(t, o->e), before = 0;
        for (uint32_t n = 0; n < o->count; ++n) {
            assert_true(i != 0 && ct_entity_equal(t->entity[i], o->e));
            assert_int_equal(f.m.color[i], o->colors[n]);
            assert_int_equal(t->id[i], o->colors[n]);
            if (before)
                assert_true(t->previous[i] == before && t->number[i] > t->number[before]);
            before = i;
            i = t->next[i];
        }
        assert_int_equal(i, 0);
        if (before)
            assert_int_equal(t->previous[ct_instance_table_first(t, o->e)], before);
    }
}

// Notes a new instance; returns its colour, which is its id, too.
static uint32_t note_new(owner *o) {
    ++f.total;
    return o->colors[o->count++] = ++f.next_color;
}

// Notes that an instance ends.
static void note_end(ct_entity e, uint32_t color) {
    owner *const o = owner_of(e);
    uint32_t k = 0;
    while (k < o->count && o->colors[k] != color)
        ++k;
    assert_true(k < o->count);
    memmove(&o->colors[k], &o->colors[k + 1], sizeof(*o->colors) * (o->count - k - 1));
    --o->count;
    --f.total;
    if (o->count == 0 && o->is_dead) {
        o->is_dead = false;
        ct_entity_create(f.entities, &o->e, 1);
    }
}

static void add_one(owner *o) {
    if (o->is_dead || o->count == MOST)
        return;
    const uint32_t color = note_new(o);
    const uint32_t i = ct_instance_table_add(&f.m.table, o->e, color);
    f.m.color[i] = color;
}

// Some of one entity, or of all in turn.
static void add_many(owner *of, bool is_mixed) {
    enum { MOST_ADDED = 300 };
    ct_entity entities[MOST_ADDED];
    uint32_t ids[MOST_ADDED], count = 0;
    for (uint32_t n = below(MOST_ADDED); n > 0; --n) {
        owner *const o = is_mixed ? &f.owners[n % NUM_OWNERS] : of;
        if (o->is_dead || o->count == MOST)
            continue;
        entities[count] = o->e;
        ids[count++] = note_new(o);
    }
    if (count == 0)
        return;
    const uint32_t first = ct_instance_table_add_many(&f.m.table, entities, ids, count);
    memcpy(f.m.color + first, ids, sizeof(*ids) * count);
}

// Any instances, of the first, the middle and the last of chains.
static void erase_some(void) {
    for (uint32_t n = below(100); n > 0 && f.total > 0; --n) {
        const uint32_t i = 1 + below(f.total);
        note_end(f.m.table.entity[i], f.m.color[i]);
        if (ct_entity_is_alive(f.entities, f.m.table.entity[i]))
            ct_instance_table_end(&f.m.table, i);
        else
            ct_instance_table_erase(&f.m.table, i);
    }
}

// All instances of two.
static void erase_entities(owner *a, owner *b, bool by_index) {
    owner *const of[2] = {a, b};
    const ct_entity ended[2] = {a->e, b->e};
    if (by_index)
        ct_instance_table_erase_indices(&f.m.table, ended, 2);
    else
        ct_instance_table_erase_entities(&f.m.table, ended, 2);
    for (uint32_t k = 0; k < 2; ++k) {
        while (ct_entity_equal(of[k]->e, ended[k]) && of[k]->count > 0)
            note_end(ended[k], of[k]->colors[0]);
    }
}

static void let_die(owner *o) {
    if (o->count == 0 || o->is_dead)
        return;
    o->is_dead = true;
    ct_entity_destroy(f.entities, &o->e, 1);
}

static void collect(void) {
    uint32_t i;
    for (uint32_t n = 0; n < 64 && (i = ct_instance_table_dead(&f.m.table, f.entities)); ++n) {
        assert_false(ct_entity_is_alive(f.entities, f.m.table.entity[i]));
        const ct_entity e = f.m.table.entity[i];
        const uint32_t color = f.m.color[i];
        ct_instance_table_erase(&f.m.table, i);
        note_end(e, color);
    }
}

static void do_something(void) {
    owner *const o = &f.owners[below(NUM_OWNERS)];
    const uint32_t what = below(100);
    if (what < 30)
        add_one(o);
    else if (what < 50)
        add_many(o, what < 40);
    else if (what < 80)
        erase_some();
    else if (what < 82)
        erase_entities(o, &f.owners[below(NUM_OWNERS)], what < 81);
    else if (what < 86)
        let_die(o);
    else
        collect();
}

static void behave_like_lists(void **state) {
    (void)state;
    const uint32_t runs = test_rounds(2, 400);
    for (uint32_t run = 0; run < runs; ++run) {
        start(lookups[run % 2], 29 + run);
        for (uint32_t round = 0; round < NUM_ROUNDS; ++round) {
            do_something();
            if (round % 16 == 0)
                compare();
        }
        compare();
        stop();
    }
}

// --- What it takes -------------------------------------------------------------------------------

static ct_entity owners[MANY], others[NUM_OTHERS];
static uint32_t ids[MANY];

// Adds an instance to each of `owners`: the first half in bulk.
static void add_all(void) {
    ct_instance_table_add_many(&f.m.table, owners, ids, MANY / 2);
    for (uint32_t k = MANY / 2; k < MANY; ++k)
        ct_instance_table_add(&f.m.table, owners[k], k);
    assert_true(ct_instance_table_count(&f.m.table) >= MANY);
}

static void assert_empty(void) {
    assert_int_equal(ct_instance_table_count(&f.m.table), 0);
}

// All that adds and ends instances, where `owners` are `num_owners` entities in turn.
static void add_and_end(ct_instance_lookup lookup, uint32_t num_owners) {
    start(lookup, 3);
    ct_entity_create(f.entities, others, NUM_OTHERS);
    ct_entity_create(f.entities, owners, num_owners);
    for (uint32_t k = num_owners; k < MANY; ++k)
        owners[k] = owners[k % num_owners];
    ct_instance_table_add_many(&f.m.table, others, ids, NUM_OTHERS);
    add_all();
    ct_instance_table_erase_entities(&f.m.table, others, NUM_OTHERS); // the last move to these
    for (uint32_t k = 0; k < NUM_OTHERS; ++k)
        ct_instance_table_end(&f.m.table, 1 + below(ct_instance_table_count(&f.m.table)));
    ct_instance_table_erase_entities(&f.m.table, owners, num_owners);
    assert_empty();
    add_all();
    ct_instance_table_erase_indices(&f.m.table, owners, 1);
    ct_instance_table_erase_entities(&f.m.table, owners, num_owners);
    assert_empty();
    add_all();
    ct_entity_destroy(f.entities, owners, num_owners);
    for (uint32_t i; (i = ct_instance_table_dead(&f.m.table, f.entities)) != 0;)
        ct_instance_table_erase(&f.m.table, i);
    assert_empty();
    add_all();
    if (lookup == CT_INSTANCE_LOOKUP_SPARSE) { // those who get the indices end who had them
        for (uint32_t k = 0; k < num_owners; ++k)
            owners[k].id ^= 1u << CT_ENTITY_INDEX_BITS;
        ct_instance_table_add_many(&f.m.table, owners, ids, num_owners);
        assert_int_equal(ct_instance_table_count(&f.m.table), num_owners);
    }
    stop();
}

// With a walk over the chain for each it would not end in the time that a test has.
static void take_no_walk_over_the_instances_of_an_entity(void **state) {
    (void)state;
    for (uint32_t k = 0; k < CT_COUNT_OF(lookups); ++k) {
        add_and_end(lookups[k], MANY);
        add_and_end(lookups[k], 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(behave_like_lists),
        cmocka_unit_test(take_no_walk_over_the_instances_of_an_entity),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
