// bench_network_record.c: records of words: the time to write changes, and how many bits they are.
//
// `network_record_write`: 1,000 objects of 10 fields (20 words), of which every tenth has moved: its
// position, rotation and both velocities differ. The peer compares as many words with memcmp, which
// are equal, and copies them with memcpy. `network_record_read`: what was written is read, beside
// the same peer.
//
// `network_motion_bits`: 100 bodies that move and turn at random speeds, up to 10 m/s and 3 rad/s,
// with a position of 15 bits in ±100 m and a rotation of 10 bits, coded against the state 6 ticks of
// 60 Hz ago; average bits for a body. The peer is all bits of its words. `_predicted`: the base is
// the state 6 ticks ago, moved on by ct_network_record_extrapolate from that of 12 ticks ago.
#include <math.h>
#include <string.h>

#include "bench.h"
#include "foundation/error.h"
#include "foundation/math/math.h"
#include "network/fields/network_record.h"
#include "resource/types/network/network_config_write.h"

enum { NUM = 1000, WORDS = 20, BODIES = 100, BODY_WORDS = 7, TICKS = 6, SAMPLES = 50 };

static const ct_network_type_desc types[] = {
    {.name = "position",
     .kind = CT_NETWORK_VECTOR3,
     .min = {-100, -100, -100},
     .max = {100, 100, 100},
     .bits = 15},
    {.name = "velocity",
     .kind = CT_NETWORK_VECTOR3,
     .min = {-20, -20, -20},
     .max = {20, 20, 20},
     .bits = 12},
    {.name = "rotation", .kind = CT_NETWORK_ROTATION, .bits = 10},
    {.name = "health", .kind = CT_NETWORK_INTEGER, .last = 100},
};
static const ct_network_field_desc fields[] = {
    {.name = "position", .type = "position"}, {.name = "rotation", .type = "rotation"},
    {.name = "velocity", .type = "velocity"}, {.name = "turn", .type = "velocity"},
    {.name = "health", .type = "health"},     {.name = "armour", .type = "health"},
    {.name = "unit", .type = "id"},           {.name = "target", .type = "object"},
    {.name = "alive", .type = "bool"},        {.name = "visible", .type = "bool"},
};
static const ct_network_record_desc objects[] = {
    {.name = "player", .fields = fields, .num_fields = 10},
    {.name = "body", .fields = fields, .num_fields = 2},
};

static ct_network_config_resource *config;
static const ct_network_record_type *player, *body;
static uint32_t (*base)[WORDS], (*now)[WORDS], (*equal)[WORDS], (*copy)[WORDS]; // NUM
static uint8_t *packet;
enum { PACKET_BYTES = 1 << 17 };
static uint32_t packet_size;

static uint32_t random_state;

static float next_random(void) { // -1 to 1
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return (float)random_state / 2147483648.0f - 1;
}

static void set(const ct_network_record_type *r, uint32_t field, ct_network_value v,
                uint32_t *words) {
    v.kind = ct_network_config_types(config)[ct_network_record_fields(config, r)[field].type].kind;
    ct_network_record_set(config, r, field, UINT32_MAX, &v, words, NULL);
}

static void begin_config(void) {
    ct_blob_writer w;
    ct_network_config_place place;
    const ct_network_config_desc desc = {
        .types = types, .num_types = 4, .objects = objects, .num_objects = 2};
    ct_blob_writer_init(&w, ct_bench_heap(), CT_BYTE_ORDER_LITTLE, "network_config",
                        CT_NETWORK_CONFIG_VERSION);
    CT_REQUIRE(ct_network_config_write(&desc, ct_bench_heap(), &w, &place, NULL), "the config");
    config = (ct_network_config_resource *)(void *)w.bytes.items;
    const ct_network_record_type *const all = ct_network_config_objects(config);
    player = &all[ct_network_config_object(config, ct_string_id32_of("player"))];
    body = &all[ct_network_config_object(config, ct_string_id32_of("body"))];
    CT_REQUIRE(player->num_words == WORDS && body->num_words == BODY_WORDS, "the words");
    random_state = 7;
}

static void end_config(void) {
    ct_free(ct_bench_heap(), config);
}

// --- Time ----------------------------------------------------------------------------------------

static void move(uint32_t *words) {
    const ct_network_value position = ct_network_record_get(config, player, 0, UINT32_MAX, words);
    ct_network_value v = position;
    for (uint32_t i = 0; i < 3; ++i)
        v.parts[i] += next_random();
    set(player, 0, v, words);
    v = ct_network_record_get(config, player, 1, UINT32_MAX, words);
    for (uint32_t i = 0; i < 4; ++i)
        v.parts[i] += 0.1f * next_random();
    set(player, 1, v, words);
    for (uint32_t f = 2; f < 4; ++f) {
        v = ct_network_record_get(config, player, f, UINT32_MAX, words);
        for (uint32_t i = 0; i < 3; ++i)
            v.parts[i] += next_random();
        set(player, f, v, words);
    }
}

static double write_all(void) {
    const double start = ct_bench_now_ns();
    ct_bit_writer w = ct_bits_write_to(packet, PACKET_BYTES);
    for (uint32_t i = 0; i < NUM; ++i)
        ct_network_record_write(config, player, base[i], now[i], &w);
    packet_size = ct_bits_end(&w);
    return ct_bench_now_ns() - start;
}

static double read_all(void) {
    const double start = ct_bench_now_ns();
    ct_bit_reader r = ct_bits_read_from(packet, packet_size);
    for (uint32_t i = 0; i < NUM; ++i)
        ct_network_record_read(config, player, base[i], copy[i], &r);
    return ct_bench_now_ns() - start;
}

static double compare_and_copy(void) {
    const double start = ct_bench_now_ns();
    ct_bench_use((uint64_t)memcmp(base, equal, sizeof(*base) * NUM));
    memcpy(copy, now, sizeof(*now) * NUM);
    ct_bench_use((uintptr_t)copy);
    return ct_bench_now_ns() - start;
}

static void begin_records(void) {
    ct_allocator *const a = ct_bench_heap();
    begin_config();
    base = ct_alloc(a, sizeof(*base) * NUM);
    now = ct_alloc(a, sizeof(*now) * NUM);
    equal = ct_alloc(a, sizeof(*equal) * NUM);
    copy = ct_alloc(a, sizeof(*copy) * NUM);
    packet = ct_alloc(a, PACKET_BYTES);
    for (uint32_t i = 0; i < NUM; ++i) {
        memcpy(base[i], ct_network_record_defaults(config, player), sizeof(*base));
        for (uint32_t k = 0; k < 20; ++k)
            move(base[i]);
        memcpy(now[i], base[i], sizeof(*base));
        if (i % 10 == 3)
            move(now[i]);
    }
    memcpy(equal, base, sizeof(*base) * NUM);
    write_all();
    read_all();
    CT_REQUIRE(memcmp(copy, now, sizeof(*now) * NUM) == 0, "what was read is what was written");
}

static void end_records(void) {
    ct_allocator *const a = ct_bench_heap();
    ct_free(a, base);
    ct_free(a, now);
    ct_free(a, equal);
    ct_free(a, copy);
    ct_free(a, packet);
    end_config();
}

// --- Bits ----------------------------------------------------------------------------------------

typedef struct motion {
    ct_vec3 position, velocity, axis;
    ct_quat rotation;
    float turn;
} motion;

static motion bodies[BODIES];

static ct_vec3 random_direction(void) {
    const ct_vec3 v = ct_vec3_make(next_random(), next_random(), next_random());
    return ct_vec3_length(v) < 0.01f ? ct_vec3_make(0, 0, 1) : ct_vec3_normalize(v);
}

static void begin_motion(void) {
    begin_config();
    for (uint32_t i = 0; i < BODIES; ++i) {
        bodies[i].position = ct_vec3_scale(random_direction(), 30);
        bodies[i].velocity = ct_vec3_scale(random_direction(), 10 * fabsf(next_random()));
        bodies[i].axis = random_direction();
        bodies[i].turn = 3 * next_random();
        bodies[i].rotation = ct_quat_axis_angle(random_direction(), 3 * next_random());
    }
}

static void body_at(const motion *m, uint32_t tick, uint32_t words[BODY_WORDS]) {
    const float t = (float)tick / 60;
    const ct_vec3 p = ct_vec3_add(m->position, ct_vec3_scale(m->velocity, t));
    const ct_vec3 fall = ct_vec3_make(0, 0, -0.05f * t * t); // a little: speeds change
    const ct_vec3 at = ct_vec3_add(p, fall);
    const ct_quat q = ct_quat_mul(ct_quat_axis_angle(m->axis, m->turn * t), m->rotation);
    set(body, 0, (ct_network_value){.parts = {at.x, at.y, at.z}}, words);
    set(body, 1, (ct_network_value){.parts = {q.x, q.y, q.z, q.w}}, words);
}

static double motion_bits(bool is_predicted) {
    uint8_t bytes[64];
    uint64_t bits = 0;
    for (uint32_t i = 0; i < BODIES; ++i) {
        for (uint32_t k = 0; k < SAMPLES; ++k) {
            uint32_t older[BODY_WORDS], old[BODY_WORDS], words[BODY_WORDS];
            body_at(&bodies[i], k * TICKS, older);
            body_at(&bodies[i], (k + 1) * TICKS, old);
            body_at(&bodies[i], (k + 2) * TICKS, words);
            if (is_predicted)
                ct_network_record_extrapolate(config, body, older, TICKS, old, TICKS, old);
            ct_bit_writer w = ct_bits_write_to(bytes, sizeof(bytes));
            ct_network_record_write(config, body, old, words, &w);
            bits += ct_bits_written(&w);
        }
    }
    return (double)bits / (BODIES * SAMPLES);
}

static double bits_of_changes(void) {
    return motion_bits(false);
}

static double bits_of_predicted(void) {
    return motion_bits(true);
}

static double bits_of_all(void) {
    uint32_t bits = 0;
    for (uint32_t i = 0; i < body->num_words; ++i)
        bits += ct_network_record_widths(config, body)[i];
    return bits;
}

static const ct_bench_case cases[] = {
    {"network_record_write", "ct_network_record_write", "memcmp and memcpy", "ns", 3, 101,
     begin_records, end_records, write_all, compare_and_copy},
    {"network_record_read", "ct_network_record_read", "memcmp and memcpy", "ns", 0, 101,
     begin_records, end_records, read_all, compare_and_copy},
    {"network_motion_bits", "changes", "all bits", "bits", 0.71, 1, begin_motion, end_config,
     bits_of_changes, bits_of_all},
    {"network_motion_bits_predicted", "changes from a prediction", "all bits", "bits", 0.55, 1,
     begin_motion, end_config, bits_of_predicted, bits_of_all},
};

const ct_bench_group ct_bench_network_record = {"network_record", cases, CT_COUNT_OF(cases)};
