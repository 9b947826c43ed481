// bench_entity.c: entities and components at scale, beside hand-written arrays that do only this.
//
// A million entities, "random order" is one shuffle with a fixed seed. Components are those of a
// game that nearly all entities have: position and velocity, in two tables with sparse look-up; the
// mover has both in one. Both sides take their memory, inside what is measured where they make
// something, from pages that are there already. What is made one by one grows by doubling, as
// nobody says how many will come. Entities end in batches of 1,000.
#include <string.h>

#include "bench.h"
#include "entity/component_table.h"
#include "foundation/error.h"
#include "foundation/math/math.h"
#include "foundation/memory/frame_allocator.h"

enum { NUM = 1000000, BATCH = 1000, LOOK_UPS = 10000, ROOM = NUM + 2 * BATCH };
_Static_assert(NUM % BATCH == 0 && NUM % LOOK_UPS == 0, "no rest");

// --- Components ----------------------------------------------------------------------------------

// What a game says of its components: one vector each, or two.
static const ct_field vector_fields[] = {
    {.name = "value", .type = CT_FIELD_TYPE_VECTOR3, .size_bytes = sizeof(ct_vec3)},
};
static const ct_schema vector_schema = {
    .name = "vector", .size_bytes = sizeof(ct_vec3), .num_fields = 1, .fields = vector_fields};

typedef struct mover_data {
    ct_vec3 position, velocity;
} mover_data;

static const ct_field mover_fields[] = {
    {.name = "position", .type = CT_FIELD_TYPE_VECTOR3, .size_bytes = sizeof(ct_vec3)},
    {.name = "velocity",
     .type = CT_FIELD_TYPE_VECTOR3,
     .offset = offsetof(mover_data, velocity),
     .size_bytes = sizeof(ct_vec3)},
};
static const ct_schema mover_schema = {
    .name = "mover", .size_bytes = sizeof(mover_data), .num_fields = 2, .fields = mover_fields};

static ct_frame_allocator *memory; // of both sides, given back after each run
static ct_component_table *position, *velocity, *mover;
static ct_entity_manager *entities;

static ct_component_table *make_table(const ct_schema *schema) {
    return ct_component_table_create(ct_frame_allocator_interface(memory),
                                     &(ct_component_table_desc){schema, CT_INSTANCE_LOOKUP_SPARSE,
                                                                CT_COMPONENT_END_AT_ONCE,
                                                                .is_single = true});
}

static void end_rows(void *table, const ct_entity *dying, uint32_t count) {
    ct_component_table_erase_entities(table, dying, count);
}

static void start(void) {
    entities = ct_entity_manager_create(ct_frame_allocator_interface(memory));
    position = make_table(&vector_schema);
    velocity = make_table(&vector_schema);
    ct_entity_manager_add_callback(entities, end_rows, position);
    ct_entity_manager_add_callback(entities, end_rows, velocity);
}

static void stop(void) {
    ct_component_table_destroy(velocity);
    ct_component_table_destroy(position);
    ct_entity_manager_destroy(entities);
    ct_frame_allocator_reset(memory, (ct_frame_mark){0});
}

// --- By hand -------------------------------------------------------------------------------------

// One component: values and their owners without holes, and where each entity's value is.
typedef struct plain_vectors {
    uint32_t *owner, *place;
    ct_vec3 *value;
    uint32_t count, capacity; // of places, too
} plain_vectors;

static struct {
    uint8_t *generation;
    uint32_t *waiting; // a queue with room for all
    uint32_t first_waiting, num_waiting, num_indices;
    plain_vectors position, velocity;
} plain;

static void *take(uint64_t size_bytes) {
    return ct_alloc(ct_frame_allocator_interface(memory), size_bytes);
}

static void *grown(void *old, uint64_t old_bytes, uint64_t new_bytes) {
    return memcpy(take(new_bytes), old, old_bytes);
}

static void plain_grow(plain_vectors *v) {
    const uint64_t count = v->capacity, more = count * 2;
    v->owner = grown(v->owner, count * sizeof(*v->owner), more * sizeof(*v->owner));
    v->place = grown(v->place, count * sizeof(*v->place), more * sizeof(*v->place));
    v->value = grown(v->value, count * sizeof(*v->value), more * sizeof(*v->value));
    v->capacity *= 2;
}

static void plain_start_vectors(plain_vectors *v, uint32_t capacity) {
    v->owner = take(sizeof(*v->owner) * capacity);
    v->place = take(sizeof(*v->place) * capacity);
    v->value = take(sizeof(*v->value) * capacity);
    v->count = 0;
    v->capacity = capacity;
}

// With room for so many in each array to begin with.
static void plain_start(uint32_t capacity) {
    memset(&plain, 0, sizeof(plain));
    plain.num_indices = 1;
    plain.generation = take(ROOM);
    plain.waiting = take(sizeof(uint32_t) * NUM);
    plain_start_vectors(&plain.position, capacity);
    plain_start_vectors(&plain.velocity, capacity);
}

static void plain_stop(void) {
    ct_frame_allocator_reset(memory, (ct_frame_mark){0});
}

static void plain_add(plain_vectors *v, uint32_t index, ct_vec3 value) {
    if (index >= v->capacity)
        plain_grow(v);
    v->owner[v->count] = index;
    v->place[index] = v->count;
    v->value[v->count++] = value;
}

static void plain_remove(plain_vectors *v, uint32_t index) {
    const uint32_t i = v->place[index], last = --v->count;
    v->owner[i] = v->owner[last];
    v->value[i] = v->value[last];
    v->place[v->owner[i]] = i;
}

static uint32_t plain_create(ct_vec3 at, ct_vec3 speed) {
    uint32_t index = plain.num_indices;
    if (plain.num_waiting > BATCH) {
        index = plain.waiting[plain.first_waiting];
        plain.first_waiting = plain.first_waiting + 1 < NUM ? plain.first_waiting + 1 : 0;
        --plain.num_waiting;
    } else {
        plain.generation[plain.num_indices++] = 1;
    }
    plain_add(&plain.position, index, at);
    plain_add(&plain.velocity, index, speed);
    return (uint32_t)plain.generation[index] << CT_ENTITY_INDEX_BITS | index;
}

static void plain_destroy(uint32_t id) {
    const uint32_t index = id & ((1u << CT_ENTITY_INDEX_BITS) - 1);
    plain_remove(&plain.position, index);
    plain_remove(&plain.velocity, index);
    ++plain.generation[index];
    const uint32_t end = plain.first_waiting + plain.num_waiting++;
    plain.waiting[end < NUM ? end : end - NUM] = index;
}

// --- What both sides work on ---------------------------------------------------------------------

static ct_entity *ids, *shuffled; // those that a manager makes first; both hand out the same
static ct_vec3 *places, *speeds;

static void shuffle(void) {
    uint32_t random = 2463534242u;
    memcpy(shuffled, ids, sizeof(*ids) * NUM);
    for (uint32_t i = NUM - 1; i > 0; --i) {
        random ^= random << 13, random ^= random >> 17, random ^= random << 5;
        const uint32_t k = random % (i + 1);
        const ct_entity e = shuffled[i];
        shuffled[i] = shuffled[k];
        shuffled[k] = e;
    }
}

static void begin(void) {
    memory = ct_frame_allocator_create(ct_bench_heap(), "entities", 512 << 20);
    ids = ct_alloc(ct_bench_heap(), sizeof(*ids) * NUM);
    shuffled = ct_alloc(ct_bench_heap(), sizeof(*shuffled) * NUM);
    places = ct_alloc(ct_bench_heap(), sizeof(*places) * NUM);
    speeds = ct_alloc(ct_bench_heap(), sizeof(*speeds) * NUM);
    for (uint32_t i = 0; i < NUM; ++i) {
        places[i] = ct_vec3_make((float)i, 1, 2);
        speeds[i] = ct_vec3_make(1, (float)i, 3);
    }
    entities = ct_entity_manager_create(ct_bench_heap());
    ct_entity_create(entities, ids, NUM);
    ct_entity_manager_destroy(entities);
    shuffle();
}

static void end(void) {
    ct_frame_allocator_destroy(memory);
    ct_free(ct_bench_heap(), ids);
    ct_free(ct_bench_heap(), shuffled);
    ct_free(ct_bench_heap(), places);
    ct_free(ct_bench_heap(), speeds);
}

static double ns_each(double start_ns) {
    return (ct_bench_now_ns() - start_ns) / NUM;
}

static void make_all(void) {
    ct_entity_create(entities, ids, NUM);
    ct_component_table_add(position, ids, NULL, places, NUM);
    ct_component_table_add(velocity, ids, NULL, speeds, NUM);
}

static void plain_make_all(void) {
    for (uint32_t i = 0; i < NUM; ++i)
        ids[i].id = plain_create(places[i], speeds[i]);
}

static void begin_made(void) {
    begin();
    start();
    make_all();
    plain_start(ROOM);
    plain_make_all();
    for (uint32_t i = 0; i < NUM; ++i) {
        CT_ASSERT(ct_entity_is_alive(entities, shuffled[i]), "entity %u of %u is dead", i, NUM);
        CT_ASSERT(plain.generation[ct_entity_index(shuffled[i])] ==
                      ct_entity_generation(shuffled[i]),
                  "entity %u of %u is dead in the plain arrays", i, NUM);
    }
}

static void end_made(void) {
    stop();
    end();
}

// --- Making --------------------------------------------------------------------------------------

static double run_create(void) {
    start();
    const double start_ns = ct_bench_now_ns();
    ct_entity_create(entities, ids, NUM);
    const double ns = ns_each(start_ns);
    stop();
    return ns;
}

static double plain_run_create(void) {
    const double start_ns = ct_bench_now_ns();
    uint8_t *const generations = take(NUM + 1);
    for (uint32_t i = 0; i < NUM; ++i) {
        generations[i + 1] = 1;
        ids[i] = ct_entity_make(i + 1, 1);
    }
    const double ns = ns_each(start_ns);
    ct_bench_use(generations[NUM]);
    plain_stop();
    return ns;
}

static double run_create_moving(void) {
    start();
    const double start_ns = ct_bench_now_ns();
    make_all();
    const double ns = ns_each(start_ns);
    stop();
    return ns;
}

static double plain_run_create_moving(void) {
    const double start_ns = ct_bench_now_ns();
    plain_start(16);
    plain_make_all();
    const double ns = ns_each(start_ns);
    plain_stop();
    return ns;
}

// --- Asking --------------------------------------------------------------------------------------

static double run_alive(void) {
    const double start_ns = ct_bench_now_ns();
    uint32_t count = 0;
    for (uint32_t i = 0; i < NUM; ++i)
        count += ct_entity_is_alive(entities, shuffled[i]);
    ct_bench_use(count);
    return ns_each(start_ns);
}

static double plain_run_alive(void) {
    const double start_ns = ct_bench_now_ns();
    const uint8_t *const generations = plain.generation;
    uint32_t count = 0;
    for (uint32_t i = 0; i < NUM; ++i)
        count += generations[ct_entity_index(shuffled[i])] == ct_entity_generation(shuffled[i]);
    ct_bench_use(count);
    return ns_each(start_ns);
}

static double run_lookup(void) {
    const double start_ns = ct_bench_now_ns();
    float sum = 0;
    const ct_instance_table *const table = ct_component_table_instances(position);
    const ct_vec3 *const values = ct_component_table_column(position, "value");
    for (uint32_t i = 0; i < NUM; ++i)
        sum += values[ct_instance_table_first(table, shuffled[i])].x;
    ct_bench_use((uint64_t)sum);
    return ns_each(start_ns);
}

static double run_lookup_many(void) {
    const double start_ns = ct_bench_now_ns();
    float sum = 0;
    uint32_t instances[LOOK_UPS];
    const ct_instance_table *const table = ct_component_table_instances(position);
    const ct_vec3 *const values = ct_component_table_column(position, "value");
    for (uint32_t i = 0; i < NUM; i += LOOK_UPS) {
        ct_instance_table_first_many(table, shuffled + i, LOOK_UPS, instances);
        for (uint32_t k = 0; k < LOOK_UPS; ++k)
            sum += values[instances[k]].x;
    }
    ct_bench_use((uint64_t)sum);
    return ns_each(start_ns);
}

static double plain_run_lookup(void) {
    const double start_ns = ct_bench_now_ns();
    float sum = 0;
    for (uint32_t i = 0; i < NUM; ++i)
        sum += plain.position.value[plain.position.place[ct_entity_index(shuffled[i])]].x;
    ct_bench_use((uint64_t)sum);
    return ns_each(start_ns);
}

// --- Ending --------------------------------------------------------------------------------------

static double run_destroy(void) {
    start();
    make_all();
    const double start_ns = ct_bench_now_ns();
    for (uint32_t i = 0; i < NUM; i += BATCH)
        ct_entity_destroy(entities, shuffled + i, BATCH);
    const double ns = ns_each(start_ns);
    stop();
    return ns;
}

static double plain_run_destroy(void) {
    plain_start(ROOM);
    plain_make_all();
    const double start_ns = ct_bench_now_ns();
    for (uint32_t i = 0; i < NUM; ++i)
        plain_destroy(shuffled[i].id);
    const double ns = ns_each(start_ns);
    plain_stop();
    return ns;
}

static double run_churn(void) {
    start();
    make_all();
    ct_entity made[BATCH];
    const double start_ns = ct_bench_now_ns();
    for (uint32_t i = 0; i < NUM; i += BATCH) {
        ct_entity_destroy(entities, shuffled + i, BATCH);
        ct_entity_create(entities, made, BATCH);
        ct_component_table_add(position, made, NULL, places + i, BATCH);
        ct_component_table_add(velocity, made, NULL, speeds + i, BATCH);
    }
    const double ns = ns_each(start_ns);
    stop();
    return ns;
}

static double plain_run_churn(void) {
    plain_start(ROOM);
    plain_make_all();
    uint32_t sum = 0;
    const double start_ns = ct_bench_now_ns();
    for (uint32_t i = 0; i < NUM; ++i) {
        plain_destroy(shuffled[i].id);
        sum += plain_create(places[i], speeds[i]);
    }
    const double ns = ns_each(start_ns);
    ct_bench_use(sum);
    plain_stop();
    return ns;
}

// --- Moving --------------------------------------------------------------------------------------

static void begin_movers(void) {
    begin();
    mover = make_table(&mover_schema);
    mover_data data[BATCH];
    for (uint32_t i = 0; i < NUM; i += BATCH) {
        for (uint32_t k = 0; k < BATCH; ++k)
            data[k] = (mover_data){places[i + k], speeds[i + k]};
        ct_component_table_add(mover, ids + i, NULL, data, BATCH);
    }
}

static void end_movers(void) {
    ct_component_table_destroy(mover);
    end();
}

static double run_move(void) {
    const double start_ns = ct_bench_now_ns();
    ct_vec3 *const positions = ct_component_table_column(mover, "position");
    const ct_vec3 *const velocities = ct_component_table_column(mover, "velocity");
    const uint32_t end = 1 + ct_instance_table_count(ct_component_table_instances(mover));
    for (uint32_t i = 1; i < end; ++i)
        positions[i] = ct_vec3_add(positions[i], ct_vec3_scale(velocities[i], 1.0f / 60));
    return ns_each(start_ns);
}

static double plain_run_move(void) {
    const double start_ns = ct_bench_now_ns();
    for (uint32_t i = 0; i < NUM; ++i)
        places[i] = ct_vec3_add(places[i], ct_vec3_scale(speeds[i], 1.0f / 60));
    ct_bench_use((uint64_t)places[NUM / 2].x);
    return ns_each(start_ns);
}

static const ct_bench_case cases[] = {
    {"entity_create", "entities, bulk", "arrays", "ns", 1.2, 0, begin, end, run_create,
     plain_run_create},
    {"entity_alive", "random order", "arrays", "ns", 1.1, 0, begin_made, end_made, run_alive,
     plain_run_alive},
    {"entity_create_moving", "with two components, bulk", "arrays, one by one", "ns", 0.7, 0, begin,
     end, run_create_moving, plain_run_create_moving},
    {"entity_move", "position += velocity", "arrays", "ns", 1.1, 0, begin_movers, end_movers,
     run_move, plain_run_move},
    {"entity_lookup", "a component, random order", "arrays", "ns", 1.3, 0, begin_made, end_made,
     run_lookup, plain_run_lookup},
    {"entity_lookup_many", "the same, 10,000 at a time", "arrays", "ns", 1.3, 0, begin_made,
     end_made, run_lookup_many, plain_run_lookup},
    {"entity_destroy", "with two components, random order", "arrays", "ns", 2, 0, begin, end,
     run_destroy, plain_run_destroy},
    {"entity_churn", "destroy and create, random order", "arrays", "ns", 2, 0, begin, end,
     run_churn, plain_run_churn},
};

const ct_bench_group ct_bench_entity = {"entity", cases, CT_COUNT_OF(cases)};
