// bench_network.c: the bodies of bench_network.h.
#include "bench_network.h"

#include <math.h>

#include "bench.h"
#include "foundation/error.h"
#include "foundation/math/math.h"
#include "resource/types/network/network_config_write.h"

static const ct_network_type_desc types[] = {
    {.name = "position",
     .kind = CT_NETWORK_VECTOR3,
     .min = {-100, -100, -100},
     .max = {100, 100, 100},
     .bits = 15},
    {.name = "rotation", .kind = CT_NETWORK_ROTATION, .bits = 10},
    {.name = "text", .kind = CT_NETWORK_STRING, .max_count = 40},
};
static const ct_network_field_desc body_fields[] = {{.name = "position", .type = "position"},
                                                    {.name = "rotation", .type = "rotation"}};
static const ct_network_field_desc word_fields[] = {{.name = "text", .type = "text"}};
static const ct_network_record_desc objects[] = {
    {.name = "body", .fields = body_fields, .num_fields = 2, .priority = 1}};
static const ct_network_record_desc messages[] = {
    {.name = "word", .fields = word_fields, .num_fields = 1, .is_reliable = true}};

static ct_network_config_resource *config;

void ct_bench_network_begin(void) {
    ct_blob_writer w;
    ct_network_config_place place;
    const ct_network_config_desc desc = {.types = types,
                                         .num_types = CT_COUNT_OF(types),
                                         .objects = objects,
                                         .num_objects = 1,
                                         .messages = messages,
                                         .num_messages = 1};
    ct_blob_writer_init(&w, ct_bench_heap(), CT_BYTE_ORDER_LITTLE, "network_config",
                        CT_NETWORK_CONFIG_VERSION);
    CT_REQUIRE(ct_network_config_write(&desc, ct_bench_heap(), &w, &place, NULL), "the config");
    config = (ct_network_config_resource *)(void *)w.bytes.items;
}

void ct_bench_network_end(void) {
    ct_free(ct_bench_heap(), config);
}

const ct_network_config_resource *ct_bench_network_config(void) {
    return config;
}

// --- Motion --------------------------------------------------------------------------------------

static const float wall = 25, radius = 0.5f, gravity = 9.81f, fastest_turn = 8;

static float noise(ct_bench_bodies *b, float size) { // about -2 to 2 times `size`
    return size * (ct_random_float(&b->random) + ct_random_float(&b->random) +
                   ct_random_float(&b->random) + ct_random_float(&b->random) - 2);
}

static ct_vec3 noise3(ct_bench_bodies *b, float size) {
    const float x = noise(b, size), y = noise(b, size);
    return ct_vec3_make(x, y, noise(b, size));
}

void ct_bench_bodies_init(ct_bench_bodies *b, uint64_t seed) {
    b->random = ct_random_seeded(seed, 1);
    b->time = 0;
    for (uint32_t i = 0; i < CT_BENCH_BODIES; ++i) {
        ct_bench_body *const body = &b->items[i];
        body->position = ct_vec3_add(noise3(b, 10), ct_vec3_make(0, 0, 5));
        body->velocity = noise3(b, 7);
        body->turn = noise3(b, 3);
        body->rotation = ct_quat_axis_angle(ct_vec3_make(0, 0, 1), noise(b, 1));
    }
}

static void fly(ct_bench_bodies *b, ct_bench_body *body, float dt, bool bounces) {
    ct_vec3 *const p = &body->position, *const v = &body->velocity, *const w = &body->turn;
    v->z -= gravity * dt;
    *p = ct_vec3_add(*p, ct_vec3_scale(*v, dt));
    if (p->z < radius) {
        p->z = radius;
        v->z = bounces && v->z < -0.5f ? -0.7f * v->z : 0;
        v->x *= 1 - 0.3f * dt;
        v->y *= 1 - 0.3f * dt;
        w->x += 0.3f * (-v->y / radius - w->x);
        w->y += 0.3f * (v->x / radius - w->y);
    }
    if (fabsf(p->x) > wall || fabsf(p->y) > wall) {
        v->x = fabsf(p->x) > wall ? -0.8f * copysignf(v->x, p->x) : v->x;
        v->y = fabsf(p->y) > wall ? -0.8f * copysignf(v->y, p->y) : v->y;
        p->x = fminf(fmaxf(p->x, -wall), wall);
        p->y = fminf(fmaxf(p->y, -wall), wall);
        *w = noise3(b, 3);
    }
}

static void drive(ct_bench_body *body, float dt, float phase) {
    ct_vec3 *const p = &body->position, *const v = &body->velocity;
    const float steering = 0.8f * sinf(0.7f * phase);
    float speed = sqrtf(v->x * v->x + v->y * v->y) + 2 * sinf(0.5f * phase) * dt;
    float angle = atan2f(v->y, v->x) + steering * dt;
    if (fabsf(p->x) > wall || fabsf(p->y) > wall)
        angle = atan2f(-p->y, -p->x);
    speed = fminf(fmaxf(speed, 2), 10);
    *v = ct_vec3_make(speed * cosf(angle), speed * sinf(angle), 0);
    *p = ct_vec3_add(*p, ct_vec3_scale(*v, dt));
    p->z = radius;
    body->turn = ct_vec3_make(0, 0, steering);
}

void ct_bench_bodies_step(ct_bench_bodies *b, float dt) {
    b->time += dt;
    for (uint32_t i = 0; i < CT_BENCH_BODIES; ++i) {
        ct_bench_body *const body = &b->items[i];
        if (i % 3 == 1)
            drive(body, dt, b->time + (float)i);
        else
            fly(b, body, dt, i % 3 == 0);
        if (ct_random_float(&b->random) < 0.5f * dt) {
            body->velocity = ct_vec3_add(body->velocity, noise3(b, 5));
            body->turn = ct_vec3_add(body->turn, noise3(b, 2.5f));
        }
        const float turn = ct_vec3_length(body->turn);
        if (turn > fastest_turn)
            body->turn = ct_vec3_scale(body->turn, fastest_turn / turn);
        if (turn > 0.001f) {
            const ct_quat moved = ct_quat_axis_angle(ct_vec3_scale(body->turn, 1 / turn),
                                                     fminf(turn, fastest_turn) * dt);
            body->rotation = ct_quat_normalize(ct_quat_mul(moved, body->rotation));
        }
    }
}

// --- Objects -------------------------------------------------------------------------------------

void ct_bench_bodies_send(const ct_bench_bodies *b, ct_network_session *s,
                          const ct_network_object_id ids[CT_BENCH_BODIES]) {
    for (uint32_t i = 0; i < CT_BENCH_BODIES && ids[i]; ++i) {
        const ct_vec3 p = b->items[i].position;
        const ct_quat q = b->items[i].rotation;
        const ct_network_value values[2] = {
            {.kind = CT_NETWORK_VECTOR3, .parts = {p.x, p.y, p.z}},
            {.kind = CT_NETWORK_ROTATION, .parts = {q.x, q.y, q.z, q.w}}};
        for (uint32_t f = 0; f < 2; ++f)
            ct_network_session_set_field(s, ids[i], f, UINT32_MAX, &values[f], NULL);
    }
}

ct_vec3 ct_bench_body_position(const uint32_t *words) {
    const ct_network_value v =
        ct_network_record_get(config, ct_network_config_objects(config), 0, UINT32_MAX, words);
    return ct_vec3_make(v.parts[0], v.parts[1], v.parts[2]);
}
