// units_fixture.h: nodes of a session, each with a world and a synchronizer. Include once in a program.
//
// Loaded are the units units/ball and units/door, and the level levels/hall with a door of the id
// "gate". Object types: "ball" (pose, velocities, data), "door" (of levels, shared), "odd" (its field
// "target" fits nothing), "plain" (not of a unit).
#pragma once
#include "world/world_fixture.h"

#include "foundation/math/math.h"
#include "support/network_config.h"
#include "support/network_link.h"
#include "world/network/unit_synchronizer.h"

static const ct_network_type_desc units_types[] = {
    {.name = "position",
     .kind = CT_NETWORK_VECTOR3,
     .bits = 20,
     .min = {-500, -500, -500},
     .max = {500, 500, 500}},
    {.name = "rotation", .kind = CT_NETWORK_ROTATION, .bits = 14},
    {.name = "velocity",
     .kind = CT_NETWORK_VECTOR3,
     .bits = 16,
     .min = {-50, -50, -50},
     .max = {50, 50, 50}},
    {.name = "health", .kind = CT_NETWORK_INTEGER, .first = 0, .last = 100},
    {.name = "share", .kind = CT_NETWORK_FLOAT, .bits = 32},
    {.name = "text", .kind = CT_NETWORK_STRING, .max_count = 20},
    {.name = "numbers", .kind = CT_NETWORK_ARRAY, .element = "share", .max_count = 4},
};
static const ct_network_field_desc units_ball[] = {
    {.name = "unit", .type = "id"},           {.name = "position", .type = "position"},
    {.name = "rotation", .type = "rotation"}, {.name = "velocity", .type = "velocity"},
    {.name = "health", .type = "health"},     {.name = "share", .type = "share"},
    {.name = "is_hot", .type = "bool"},       {.name = "label", .type = "text"},
    {.name = "list", .type = "numbers"},      {.name = "holder", .type = "peer"}};
static const ct_network_field_desc units_door[] = {{.name = "level", .type = "id"},
                                                   {.name = "level_unit", .type = "id"},
                                                   {.name = "rotation", .type = "rotation"},
                                                   {.name = "health", .type = "health"}};
static const ct_network_field_desc units_odd[] = {{.name = "unit", .type = "id"},
                                                  {.name = "target", .type = "object"}};
static const ct_network_field_desc units_plain[] = {{.name = "health", .type = "health"}};
static const ct_network_record_desc units_objects[] = {
    {.name = "ball", .fields = units_ball, .num_fields = CT_COUNT_OF(units_ball), .priority = 1},
    {.name = "door",
     .fields = units_door,
     .num_fields = CT_COUNT_OF(units_door),
     .is_shared = true,
     .priority = 1},
    {.name = "odd", .fields = units_odd, .num_fields = CT_COUNT_OF(units_odd), .priority = 1},
    {.name = "plain", .fields = units_plain, .num_fields = CT_COUNT_OF(units_plain), .priority = 1},
};

enum { UNITS_NODES = 3 };

typedef struct units_node {
    test_node *node;
    ct_world *world;
    ct_unit_synchronizer *s;
} units_node;

typedef struct units_fixture {
    world_fixture world;
    test_network net;
    ct_network_config_resource *config;
    units_node nodes[UNITS_NODES];                        // 0: the host
    void (*game)(struct units_fixture *f, units_node *n); // each frame, or NULL
} units_fixture;

static inline void load_units(units_fixture *f) {
    static const template_entity ball = {CT_NO_PARENT, {{0, 0, 0}}, "ball", 0,
                                         false,        false,       false,  0};
    static const template_entity door = {CT_NO_PARENT, {{5, 0, 0}}, "door", 0,
                                         false,        false,       false,  0};
    load_unit(&f->world, "units/ball", &ball, 1);
    load_unit(&f->world, "units/door", &door, 1);
    const ct_level_unit unit = {ct_string_id64_of("units/door"), ct_string_id32_of("gate"), 0};
    load_level(&f->world, "levels/hall", &door, 1, &unit, 1, (ct_string_id64){0});
}

static inline units_fixture *start_units(void) {
    units_fixture *const f = ct_alloc(test_heap(), sizeof(*f));
    memset(f, 0, sizeof(*f));
    f->world = start_world();
    load_units(f);
    f->config =
        test_network_config(&(ct_network_config_desc){.types = units_types,
                                                      .num_types = CT_COUNT_OF(units_types),
                                                      .objects = units_objects,
                                                      .num_objects = CT_COUNT_OF(units_objects)});
    test_network_init(&f->net, 7);
    for (uint32_t i = 0; i < UNITS_NODES; ++i) {
        units_node *const n = &f->nodes[i];
        n->node = test_network_add(&f->net, &(ct_network_session_desc){.config = f->config});
        n->world = i ? ct_world_create(f->world.system) : f->world.world;
        if (i)
            test_network_join(n->node, f->nodes[0].node);
        else
            assert_true(ct_network_session_host(n->node->session, f->net.now, NULL));
        n->s = ct_unit_synchronizer_create(f->world.allocator, n->node->session);
        ct_unit_synchronizer_set_world(n->s, n->world);
    }
    return f;
}

static inline void stop_units(units_fixture *f) {
    for (uint32_t i = 0; i < UNITS_NODES; ++i)
        ct_unit_synchronizer_destroy(f->nodes[i].s);
    test_network_free(&f->net);
    ct_free(test_heap(), f->config);
    stop_world(&f->world);
    ct_free(test_heap(), f);
}

static inline void units_frame(void *user, test_node *node) {
    units_fixture *const f = user;
    units_node *const n = &f->nodes[node->index];
    if (n->s)
        ct_unit_synchronizer_receive(n->s, f->net.now);
    if (f->game)
        f->game(f, n);
    if (n->world)
        ct_world_advance(n->world, f->net.frame);
    if (n->s)
        ct_unit_synchronizer_send(n->s);
}

static inline void run_units(units_fixture *f, double seconds) {
    test_network_run(&f->net, seconds, units_frame, f);
}

static inline uint32_t units_type(const units_fixture *f, const char *name) {
    return ct_network_config_object(f->config, ct_string_id32_of(name));
}

static inline ct_entity spawn_ball(units_fixture *f, uint32_t node, float x, float y, float z) {
    ct_error error = {0};
    const ct_vec3 position = ct_vec3_make(x, y, z);
    const ct_entity unit = ct_unit_synchronizer_spawn_unit(f->nodes[node].s, units_type(f, "ball"),
                                                           "units/ball", &position, NULL, &error);
    if (!unit.id)
        fail_msg("%s", error.message);
    return unit;
}

static inline ct_network_object_id object_at(units_fixture *f, uint32_t node, ct_entity unit) {
    return ct_unit_synchronizer_object(f->nodes[node].s, unit);
}

static inline ct_entity unit_at(units_fixture *f, uint32_t node, ct_network_object_id object) {
    return ct_unit_synchronizer_unit(f->nodes[node].s, object);
}

static inline ct_vec3 place_at(units_fixture *f, uint32_t node, ct_entity unit) {
    return ct_mat4_position(*ct_transform_world(ct_world_transforms(f->nodes[node].world),
                                                transform_of(f->nodes[node].world, unit)));
}

static inline void assert_near(units_fixture *f, uint32_t node, ct_entity unit, float x, float y,
                               float z) {
    const ct_vec3 p = place_at(f, node, unit);
    if (!(ct_vec3_length(ct_vec3_sub(p, ct_vec3_make(x, y, z))) < 0.01f))
        fail_msg("(%g %g %g) is not (%g %g %g)", (double)p.x, (double)p.y, (double)p.z, (double)x,
                 (double)y, (double)z);
}

static inline void move_to(units_fixture *f, uint32_t node, ct_entity unit, float x, float y,
                           float z) {
    ct_transform_set_local_position(ct_world_transforms(f->nodes[node].world),
                                    transform_of(f->nodes[node].world, unit),
                                    ct_vec3_make(x, y, z));
}
