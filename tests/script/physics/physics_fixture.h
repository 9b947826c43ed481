// physics_fixture.h: worlds with physics for tests of its Lua. After script/api_fixture.h; include
// once in a program.
//
// The physics resource tests/physics has the materials default and ice, the filters default, player
// (collides with default) and ghost (collides with nothing), and the actor template heavy (1000 kg).
// Lua finds the globals of api_fixture.h, and what physics_lua.h has; A, the actors of W;
// `ground()`, which makes a box with its top at z = 0; `ball(x, y, z, radius)`.
#pragma once
#include "script/api_fixture.h"
#include "script/physics/physics_lua.h"

static inline void load_physics(script_fixture *s) {
    static const char *const filter_names[] = {"default", "player", "ghost"};
    static const char *const material_names[] = {"default", "ice"};
    static const uint32_t collides[] = {3, 1, 0};
    ct_physics_resource p = {.gravity = {0, 0, -10},
                             .step = 1.0f / 60,
                             .max_steps = 4,
                             .solver_iterations = 10,
                             .sleep_linear = 0.8f,
                             .sleep_angular = 1};
    ct_physics_material materials[2];
    ct_physics_filter filters[3];
    ct_physics_template heavy = {.name = ct_string_id32_of("heavy")};
    memset(materials, 0, sizeof(materials));
    memset(filters, 0, sizeof(filters));
    ct_schema_defaults(&ct_actor_head_schema, &heavy.actor);
    heavy.actor.body = CT_ACTOR_DYNAMIC;
    heavy.actor.mass = 1000;
    heavy.actor.given = CT_ACTOR_GIVEN_MASK & ~(uint32_t)7; // not name, node and template
    ct_blob_writer w;
    ct_blob_writer_init(&w, test_heap(), CT_BYTE_ORDER_LITTLE, "physics", CT_PHYSICS_VERSION);
    ct_blob_begin(&w, &ct_physics_layout);
    for (uint32_t i = 0; i < 2; ++i)
        materials[i] = (ct_physics_material){
            .name_text = ct_blob_write_string(&w, material_names[i], strlen(material_names[i])),
            .name = ct_string_id32_of(material_names[i]),
            .friction = 0.5f,
            .density = 1000};
    for (uint32_t i = 0; i < 3; ++i)
        filters[i] = (ct_physics_filter){
            .name_text = ct_blob_write_string(&w, filter_names[i], strlen(filter_names[i])),
            .name = ct_string_id32_of(filter_names[i]),
            .collides = collides[i]};
    heavy.name_text = ct_blob_write_string(&w, "heavy", 5);
    p.materials = ct_blob_write_items(&w, &ct_physics_material_layout, materials, 2);
    p.filters = ct_blob_write_items(&w, &ct_physics_filter_layout, filters, 3);
    p.templates = ct_blob_write_items(&w, &ct_physics_template_layout, &heavy, 1);
    ct_blob_end(&w, &ct_physics_layout, &p);
    ct_blob_writer_finish(&w);
    load_blob(s, &w, "physics", "tests/physics");
    ct_physics_system_use(s->world.physics, ct_string_id64_of("tests/physics"));
}

static inline int set_up_physics(void **state) {
    set_up(state);
    load_physics(&f);
    run_lua(&f, PHYSICS_LUA
            "A = EntityManager.actor_component(W) "
            "function ball(x, y, z, radius, ...) "
            "  return PhysicsWorld.spawn_sphere(P, Vector3(x, y, z), radius or 0.5, ...) end "
            "function ground() "
            "  local a = PhysicsWorld.spawn_box(P, Vector3(0, 0, -1), Vector3(50, 50, 1)) "
            "  Actor.set_kinematic(a, true) return a end");
    return 0;
}

#define PHYSICS_TEST(test) cmocka_unit_test_setup_teardown(test, set_up_physics, tear_down)
