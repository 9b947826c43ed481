// bench_tag.c: tags of a million entities, beside hand-written arrays that do only this.
//
// Each entity has 4 of 50 tags, given in shuffled order (a fixed seed), so that the index does not
// hold entities in their order. `tag_query`: the entities that have both of two tags, for 50 pairs of
// them; the peer keeps a sorted array of entities for each tag and merges two without a branch
// that depends on the data (a merge with branches takes nearly twice as long). `tag_query_fresh` is
// the same with tags given in the order of entities. `tag_query_rare`: one of the two tags is on
// one entity of 1,000; the peer merges still.
#include <string.h>

#include "bench.h"
#include "entity/tag_component.h"

enum { NUM = 1000000, NUM_TAGS = 50, TAGS_EACH = 4, RARE = NUM_TAGS };

static ct_entity_manager *entities;
static ct_tag_manager *tags;
static ct_entity *entity, *found; // NUM
static uint32_t *order;           // of entities, shuffled

// By tag: its entities, sorted.
static struct {
    ct_entity *of[NUM_TAGS + 1];
    uint32_t num[NUM_TAGS + 1];
} plain;

static uint32_t random_state;

static uint32_t next_random(void) { // Marsaglia 2003
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

static ct_string_id32 tag_of(uint32_t number) {
    return (ct_string_id32){0x1000 + number * 0x9e3779b9u};
}

// --- Making --------------------------------------------------------------------------------------

static void make_order(void) {
    for (uint32_t i = 0; i < NUM; ++i)
        order[i] = i;
    for (uint32_t i = NUM; i-- > 1;) {
        const uint32_t k = next_random() % (i + 1), other = order[k];
        order[k] = order[i];
        order[i] = other;
    }
}

// TAGS_EACH bits of NUM_TAGS.
static uint64_t choose_tags(void) {
    uint64_t chosen = 0;
    while (__builtin_popcountll(chosen) < TAGS_EACH)
        chosen |= UINT64_C(1) << next_random() % NUM_TAGS;
    return chosen;
}

static void give(const uint64_t *chosen, uint32_t i) {
    for (uint64_t left = chosen[i]; left; left &= left - 1)
        ct_tag_add(tags, &entity[i], 1, tag_of((uint32_t)__builtin_ctzll(left)));
    if (i % 1000 == 0)
        ct_tag_add(tags, &entity[i], 1, tag_of(RARE));
}

static void plain_give(const uint64_t *chosen, uint32_t i) {
    for (uint64_t left = chosen[i]; left; left &= left - 1) {
        const uint32_t tag = (uint32_t)__builtin_ctzll(left);
        plain.of[tag][plain.num[tag]++] = entity[i];
    }
    if (i % 1000 == 0)
        plain.of[RARE][plain.num[RARE]++] = entity[i];
}

static void begin(bool is_shuffled) {
    ct_allocator *const a = ct_bench_heap();
    entities = ct_entity_manager_create(a);
    tags = ct_tag_manager_create(a);
    entity = CT_NEW_ARRAY(a, ct_entity, NUM);
    found = CT_NEW_ARRAY(a, ct_entity, NUM);
    order = CT_NEW_ARRAY(a, uint32_t, NUM);
    uint64_t *const chosen = CT_NEW_ARRAY(a, uint64_t, NUM);
    memset(&plain, 0, sizeof(plain));
    for (uint32_t i = 0; i <= RARE; ++i)
        plain.of[i] = CT_NEW_ARRAY(a, ct_entity, NUM);
    random_state = 2463534242u;
    make_order();
    ct_entity_create(entities, entity, NUM);
    for (uint32_t i = 0; i < NUM; ++i)
        chosen[i] = choose_tags();
    for (uint32_t i = 0; i < NUM; ++i) {
        give(chosen, is_shuffled ? order[i] : i);
        plain_give(chosen, i);
    }
    ct_free(a, chosen);
}

static void begin_shuffled(void) {
    begin(true);
}

static void begin_fresh(void) {
    begin(false);
}

static void end(void) {
    ct_allocator *const a = ct_bench_heap();
    for (uint32_t i = 0; i <= RARE; ++i)
        ct_free(a, plain.of[i]);
    ct_free(a, order);
    ct_free(a, found);
    ct_free(a, entity);
    ct_tag_manager_destroy(tags);
    ct_entity_manager_destroy(entities);
}

// --- Asking --------------------------------------------------------------------------------------

// Microseconds for each pair of a tag and the one that `other` gives.
static double run_pairs(uint32_t (*find)(uint32_t i, uint32_t other),
                        uint32_t (*other)(uint32_t i)) {
    uint64_t sum = 0;
    const double start_ns = ct_bench_now_ns();
    for (uint32_t i = 0; i < NUM_TAGS; ++i)
        sum += find(i, other(i));
    const double ns = ct_bench_now_ns() - start_ns;
    ct_bench_use(sum);
    return ns / 1e3 / NUM_TAGS;
}

static uint32_t another(uint32_t i) {
    return (7 * i + 1) % NUM_TAGS; // never i itself
}

static uint32_t rare(uint32_t i) {
    (void)i;
    return RARE;
}

static uint32_t find_both(uint32_t i, uint32_t other) {
    const ct_string_id32 both[] = {tag_of(i), tag_of(other)};
    return ct_tag_find(tags, entities, &(ct_tag_query){.all = both, .num_all = 2}, found);
}

static uint32_t plain_find_both(uint32_t i, uint32_t other) {
    const ct_entity *const a = plain.of[i], *const b = plain.of[other];
    uint32_t n = 0;
    for (uint32_t k = 0, l = 0; k < plain.num[i] && l < plain.num[other];) {
        const uint32_t from_a = a[k].id, from_b = b[l].id;
        found[n].id = from_a;
        n += from_a == from_b;
        k += from_a <= from_b;
        l += from_b <= from_a;
    }
    return n;
}

static double run_query(void) {
    return run_pairs(find_both, another);
}

static double plain_run_query(void) {
    return run_pairs(plain_find_both, another);
}

static double run_rare(void) {
    return run_pairs(find_both, rare);
}

static double plain_run_rare(void) {
    return run_pairs(plain_find_both, rare);
}

static const ct_bench_case cases[] = {
    {"tag_query", "2 of 50 tags, random order", "merge of sorted arrays", "us", 1.5, 0,
     begin_shuffled, end, run_query, plain_run_query},
    {"tag_query_fresh", "2 of 50 tags, in order", "merge of sorted arrays", "us", 1.5, 0,
     begin_fresh, end, run_query, plain_run_query},
    {"tag_query_rare", "one of two is rare", "merge of sorted arrays", "us", 1.5, 0, begin_shuffled,
     end, run_rare, plain_run_rare},
};

const ct_bench_group ct_bench_tag = {"tag", cases, CT_COUNT_OF(cases)};
