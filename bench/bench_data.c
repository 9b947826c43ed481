// bench_data.c: 100,000 instances of eight floats each, asked in random order, against an array of
// structs with the same eight; and setting them, making them from a template, ending them. Also
// instances of eight kinds, which have seven keys in common and one of their own, and instances
// that have a text in place of the last float.
#include <string.h>

#include "bench.h"
#include "entity/data_component.h"
#include "foundation/math/random.h"

enum { NUM = 100000, NUM_KEYS = 8, NUM_KINDS = 8, TEMPLATE_BYTES = 96, BATCH = 1000 };

typedef struct plain_data {
    float values[NUM_KEYS];
} plain_data;

static const char *const names[NUM_KEYS] = {"health", "mana",  "armour", "speed",
                                            "luck",   "level", "weight", "age"};

static ct_entity_manager *entities;
static ct_data_manager *data;
static ct_entity ids[NUM];
static ct_data_instance instances[NUM], shuffled[NUM];
static ct_data_key keys[NUM_KEYS];
static uint32_t order[NUM], zeroes[NUM], key_order[NUM];
static plain_data *plain;
static float values[NUM];
static uint32_t templates[NUM_KINDS][TEMPLATE_BYTES / 4];
static uint32_t offsets[NUM_KINDS + 1];

static double ns_each(double start_ns) {
    return (ct_bench_now_ns() - start_ns) / NUM;
}

static void shuffle(void) {
    ct_random random = ct_random_seeded(1, 1);
    ct_random_permutation(&random, order, NUM);
    for (uint32_t i = 0; i < NUM; ++i)
        key_order[i] = ct_random_below(&random, NUM_KEYS);
}

// The buffer that a unit of a kind is compiled to: the eight values, or seven and another.
static void make_template(uint32_t kind, ct_data_key last_key, ct_data_value last) {
    ct_data_buffer *const b = (ct_data_buffer *)templates[kind];
    ct_data_buffer_rebuild(&ct_data_buffer_empty, (ct_data_key){0}, (ct_data_value){0}, b,
                           TEMPLATE_BYTES);
    for (uint32_t k = 0; k < NUM_KEYS - 1; ++k)
        ct_data_buffer_set(b, keys[k], ct_data_float((float)k));
    ct_data_buffer_set(b, last_key, last);
    offsets[kind + 1] = (kind + 1) * TEMPLATE_BYTES;
}

static void spawn(uint32_t num_kinds) {
    const ct_component_manager manager = ct_data_component_manager(data);
    const ct_component_spawn all = {.owners = ids,
                                    .ids = zeroes,
                                    .data = templates,
                                    .offsets = offsets,
                                    .num_instances = num_kinds,
                                    .num_copies = NUM / num_kinds};
    manager.spawn(data, &all);
}

static void begin(void) {
    shuffle();
    for (uint32_t k = 0; k < NUM_KEYS; ++k)
        keys[k] = ct_data_key_of(&names[k], 1);
    make_template(0, keys[NUM_KEYS - 1], ct_data_float(NUM_KEYS - 1));
    entities = ct_entity_manager_create(ct_bench_heap());
    data = ct_data_manager_create(ct_bench_heap());
    ct_entity_create(entities, ids, NUM);
    plain = CT_NEW_ARRAY(ct_bench_heap(), plain_data, NUM);
}

static void make(uint32_t num_kinds) {
    spawn(num_kinds);
    ct_data_first_many(data, ids, NUM, instances);
    for (uint32_t i = 0; i < NUM; ++i)
        shuffled[i] = instances[order[i]];
}

static void begin_made(void) {
    begin();
    make(1);
}

static void begin_kinds(void) {
    begin();
    for (uint32_t kind = 0; kind < NUM_KINDS; ++kind)
        make_template(kind, (ct_data_key){kind << 28 | 1}, ct_data_float(0));
    make(NUM_KINDS);
}

static void begin_texts(void) {
    begin();
    make_template(0, keys[NUM_KEYS - 1], ct_data_string("a name", 6));
    make(1);
}

static void end(void) {
    ct_free(ct_bench_heap(), plain);
    ct_data_manager_destroy(data);
    ct_entity_manager_destroy(entities);
}

// --- Getting and setting -------------------------------------------------------------------------

static double run_get(void) {
    float sum = 0;
    const double start_ns = ct_bench_now_ns();
    for (uint32_t i = 0; i < NUM; ++i)
        sum += ct_data_get(data, shuffled[i], keys[3]).number;
    ct_bench_use((uint64_t)sum);
    return ns_each(start_ns);
}

static double plain_run_get(void) {
    float sum = 0;
    const double start_ns = ct_bench_now_ns();
    for (uint32_t i = 0; i < NUM; ++i)
        sum += plain[order[i]].values[3];
    ct_bench_use((uint64_t)sum);
    return ns_each(start_ns);
}

static double run_get_any(void) {
    float sum = 0;
    const double start_ns = ct_bench_now_ns();
    for (uint32_t i = 0; i < NUM; ++i)
        sum += ct_data_get(data, shuffled[i], keys[key_order[i]]).number;
    ct_bench_use((uint64_t)sum);
    return ns_each(start_ns);
}

static double plain_run_get_any(void) {
    float sum = 0;
    const double start_ns = ct_bench_now_ns();
    for (uint32_t i = 0; i < NUM; ++i)
        sum += plain[order[i]].values[key_order[i]];
    ct_bench_use((uint64_t)sum);
    return ns_each(start_ns);
}

static double run_get_many(void) {
    float sum = 0;
    const double start_ns = ct_bench_now_ns();
    for (uint32_t i = 0; i < NUM; i += BATCH) {
        ct_data_get_floats(data, shuffled + i, BATCH, keys[3], 0, values);
        for (uint32_t k = 0; k < BATCH; ++k)
            sum += values[k];
    }
    ct_bench_use((uint64_t)sum);
    return ns_each(start_ns);
}

static double run_set_many(void) {
    const double start_ns = ct_bench_now_ns();
    for (uint32_t i = 0; i < NUM; i += BATCH)
        ct_data_set_floats(data, shuffled + i, BATCH, keys[3], values, NULL);
    return ns_each(start_ns);
}

static double plain_run_set_many(void) {
    const double start_ns = ct_bench_now_ns();
    for (uint32_t i = 0; i < NUM; i += BATCH) {
        for (uint32_t k = 0; k < BATCH; ++k)
            plain[order[i + k]].values[3] = values[k];
    }
    ct_bench_use((uint64_t)plain[1].values[3]);
    return ns_each(start_ns);
}

// --- Making and ending ---------------------------------------------------------------------------

static double run_spawn(void) {
    const double start_ns = ct_bench_now_ns();
    spawn(1);
    ct_data_destroy_all(data, ids, NUM);
    return ns_each(start_ns);
}

// The struct of each, and where it is by entity.
static double plain_run_spawn(void) {
    static uint32_t places[NUM + 1];
    const double start_ns = ct_bench_now_ns();
    for (uint32_t i = 0; i < NUM; ++i) {
        memcpy(&plain[i], templates[0] + 12, sizeof(*plain));
        places[ct_entity_index(ids[i])] = i;
    }
    for (uint32_t i = 0; i < NUM; ++i)
        places[ct_entity_index(ids[i])] = 0;
    ct_bench_use(places[1]);
    return ns_each(start_ns);
}

static const ct_bench_case cases[] = {
    {"data_get", "one of 8 keys, random order", "array of structs", "ns", 3, 0, begin_made, end,
     run_get, plain_run_get},
    {"data_get_any", "any of 8 keys, random order", "array of structs", "ns", 3, 0, begin_made, end,
     run_get_any, plain_run_get_any},
    {"data_get_many", "one of 8 keys, in bulk", "array of structs", "ns", 3, 0, begin_made, end,
     run_get_many, plain_run_get},
    {"data_set_many", "one of 8 keys, in bulk", "array of structs", "ns", 3, 0, begin_made, end,
     run_set_many, plain_run_set_many},
    {"data_get_kinds", "the same of 8 kinds", "array of structs", "ns", 0, 0, begin_kinds, end,
     run_get, plain_run_get},
    {"data_get_beside", "the same beside a text", "array of structs", "ns", 0, 0, begin_texts, end,
     run_get, plain_run_get},
    {"data_set_beside", "the same beside a text, in bulk", "array of structs", "ns", 0, 0,
     begin_texts, end, run_set_many, plain_run_set_many},
    {"data_spawn", "8 values, and end them", "array of structs", "ns", 0, 0, begin, end, run_spawn,
     plain_run_spawn},
};

const ct_bench_group ct_bench_data = {"data", cases, CT_COUNT_OF(cases)};
