// actor_fixture.h: a physics world with transforms and scene graphs, and without resources.
#pragma once
#include "entity/entity_manager.h"
#include "physics/actor/physics_world.h"
#include "support/test_support.h"

#define STEP (1.0 / 60)

typedef struct actor_fixture {
    ct_resource_manager *resources;
    ct_physics_system *system;
    ct_entity_manager *entities;
    ct_transform_manager *transforms;
    ct_scene_graph_manager *graphs;
    ct_physics_world *world;
} actor_fixture;

static inline actor_fixture start_actors(void) {
    actor_fixture f;
    f.resources = ct_resource_manager_create(&(ct_resource_manager_desc){
        .allocator = test_heap(), .data_folder = test_scratch_folder()});
    f.system = ct_physics_system_create(test_heap(), f.resources);
    f.entities = ct_entity_manager_create(test_heap());
    f.transforms = ct_transform_manager_create(test_heap());
    f.graphs = ct_scene_graph_manager_create(test_heap(), f.transforms);
    f.world = ct_physics_world_create(test_heap(), f.system, f.transforms, f.graphs);
    return f;
}

static inline void stop_actors(actor_fixture *f) {
    ct_physics_world_destroy(f->world);
    ct_scene_graph_manager_destroy(f->graphs);
    ct_transform_manager_destroy(f->transforms);
    ct_entity_manager_destroy(f->entities);
    ct_resource_manager_end_all(f->resources);
    ct_physics_system_destroy(f->system);
    ct_resource_manager_destroy(f->resources);
}

static inline ct_entity make_entity(actor_fixture *f, float x, float y, float z) {
    ct_entity e;
    ct_entity_create(f->entities, &e, 1);
    ct_transform_create(f->transforms, e, (ct_vec3){{x, y, z}}, (ct_quat){{0, 0, 0, 1}},
                        (ct_vec3){{1, 1, 1}});
    return e;
}

// A box of this half size in the middle of the node.
static inline ct_actor_shape_data box_shape(float x, float y, float z) {
    return (ct_actor_shape_data){
        .type = CT_ACTOR_SHAPE_BOX, .rotation = {0, 0, 0, 1}, .half_size = {x, y, z}};
}

static inline ct_actor_data actor_data(uint32_t body) {
    const ct_actor_data none = {.given = 0};
    ct_actor_data data;
    ct_actor_data_combine(NULL, &none, &data);
    data.body = body;
    data.given = CT_ACTOR_GIVEN_MASK;
    return data;
}

// An actor of one shape on an entity.
static inline ct_actor make_actor(actor_fixture *f, ct_entity e, uint32_t body,
                                  ct_actor_shape_data shape) {
    const ct_actor_data data = actor_data(body);
    ct_error error = {0};
    const ct_actor a = ct_actor_create(
        f->world, &(ct_actor_desc){.entity = e, .data = &data, .shapes = &shape, .num_shapes = 1},
        &error);
    if (!a.id)
        fail_msg("%s", error.message);
    return a;
}

static inline ct_vec3 position_of(const actor_fixture *f, ct_entity e) {
    return ct_transform_local_position(f->transforms, ct_transform_lookup(f->transforms, e));
}

static inline void place(actor_fixture *f, ct_entity e, float x, float y, float z) {
    ct_transform_set_local_position(f->transforms, ct_transform_lookup(f->transforms, e),
                                    (ct_vec3){{x, y, z}});
}

static inline void run(actor_fixture *f, uint32_t frames) {
    for (uint32_t i = 0; i < frames; ++i)
        ct_physics_world_update(f->world, STEP);
}
