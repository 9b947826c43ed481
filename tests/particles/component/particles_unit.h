// particles_unit.h: a world's particles and their components, with entities that have transforms and
// scene graphs. Lets effects by the name "effect" play.
#pragma once
#include "foundation/math/math.h"
#include "particles/component/particles_component.h"
#include "particles/particle_play.h"

typedef struct particles_unit {
    particle_play play; // its world is of the components
    ct_entity_manager *entities;
    ct_transform_manager *transforms;
    ct_scene_graph_manager *graphs;
    ct_particles_components *components;
    ct_particle_world *world;
    ct_particle_links *links;
} particles_unit;

// An effect that makes `rate` particles a second, which live a second and do not move, and
// `per_metre` of them for a metre of its way.
static inline particle_fixture *particles_unit_effect(float rate, float per_metre) {
    particle_fixture *const f = particle_fixture_begin();
    const uint32_t e = particle_play_emitter(f, "dust", 128);
    particle_fixture_at(f, e)->rate = particle_fixture_value(f, e, particle_fixture_number(rate));
    particle_fixture_at(f, e)->per_metre =
        particle_fixture_value(f, e, particle_fixture_number(per_metre));
    return f;
}

static inline particles_unit particles_unit_start(ct_particles_resource *effect) {
    particles_unit u = {.play = particle_play_start(effect, UINT32_MAX, 0)};
    ct_particle_world_destroy(u.play.world);
    u.entities = ct_entity_manager_create(test_heap());
    u.transforms = ct_transform_manager_create(test_heap());
    u.graphs = ct_scene_graph_manager_create(test_heap(), u.transforms);
    u.components =
        ct_particles_components_create(&(ct_particles_components_desc){.allocator = test_heap(),
                                                                       .system = u.play.system,
                                                                       .render_world = {1},
                                                                       .transforms = u.transforms,
                                                                       .graphs = u.graphs});
    u.play.world = u.world = ct_particles_components_world(u.components);
    u.links = ct_particles_components_links(u.components);
    return u;
}

static inline void particles_unit_stop(particles_unit *u) {
    ct_particles_components_destroy(u->components);
    u->play.world = NULL;
    ct_scene_graph_manager_destroy(u->graphs);
    ct_transform_manager_destroy(u->transforms);
    ct_entity_manager_destroy(u->entities);
    particle_play_stop(&u->play);
}

// Makes an entity at a place.
static inline ct_entity particles_unit_entity(const particles_unit *u, float x, float y, float z) {
    ct_entity e;
    ct_entity_create(u->entities, &e, 1);
    ct_transform_create(u->transforms, e, ct_vec3_make(x, y, z), ct_quat_identity(),
                        ct_vec3_make(1, 1, 1));
    return e;
}

// Gives it a scene graph: a chain of `count` nodes n1, n2, …, each a metre up.
static inline void particles_unit_graph(const particles_unit *u, ct_entity e, uint32_t count) {
    ct_scene_graph_node_data nodes[8];
    assert_in_range(count, 1, CT_COUNT_OF(nodes));
    for (uint32_t i = 0; i < count; ++i) {
        char name[8];
        snprintf(name, sizeof(name), "n%u", i + 1);
        nodes[i] = (ct_scene_graph_node_data){.name = ct_string_id32_of(name),
                                              .parent = i,
                                              .position = {0, 0, 1},
                                              .rotation = {0, 0, 0, 1},
                                              .scale = {1, 1, 1}};
    }
    ct_scene_graph_create(u->graphs, e, 1, nodes, count);
}

static inline void particles_unit_move(const particles_unit *u, ct_entity e, float x, float y,
                                       float z) {
    ct_transform_set_local_position(u->transforms, ct_transform_lookup(u->transforms, e),
                                    ct_vec3_make(x, y, z));
}

// Ends an entity, as a world does.
static inline void particles_unit_kill(const particles_unit *u, ct_entity e) {
    const ct_component_manager row = ct_particles_component_manager(u->components);
    row.entities_destroyed(row.manager, &e, 1);
    ct_scene_graph_destroy(u->graphs, &e, 1);
    ct_transform_destroy(u->transforms, &e, 1);
    ct_entity_destroy(u->entities, &e, 1);
}

// A step of a world.
static inline void particles_unit_step(const particles_unit *u, double dt) {
    ct_particle_links_clear_ended(u->links);
    ct_scene_graph_update(u->graphs);
    ct_particles_components_update(u->components, dt);
    ct_scene_graph_clear_changed(u->graphs);
}

static inline void particles_unit_assert_at(const particles_unit *u, ct_particle_effect_id effect,
                                            float x, float y, float z) {
    ct_particle_place place;
    assert_true(ct_particles_place(u->world, effect, &place));
    if (ct_vec3_length(ct_vec3_sub(place.position, ct_vec3_make(x, y, z))) > 1e-4f)
        fail_msg("the effect is at %g %g %g", (double)place.position.x, (double)place.position.y,
                 (double)place.position.z);
}

static inline ct_particles_data particles_unit_data(void) {
    ct_particles_data data;
    ct_schema_defaults(&ct_particles_data_head_schema, &data);
    data.effect = ct_string_id64_of("effect");
    return data;
}
