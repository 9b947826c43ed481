// Actors and triggers as components: spawning, ending, and waiting for resources.
#include <string.h>

#include "foundation/error.h"
#include "foundation/log.h"
#include "physics/actor/physics_world_private.h"

// --- Waiting for resources -----------------------------------------------------------------------

static bool has_resource(const ct_actor_shape_data *shapes, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        if (shapes[i].resource.value)
            return true;
    }
    return false;
}

void ct_physics_wait(ct_physics_world *p, const ct_actor_desc *desc) {
    const ct_actor_shape_data *const shapes =
        desc->shapes ? desc->shapes : ct_actor_shapes(desc->data);
    const uint32_t count = desc->shapes ? desc->num_shapes : desc->data->num_shapes;
    if (!has_resource(shapes, count))
        return;
    ct_waiting_actor w = {.entity = desc->entity,
                          .component_id = desc->component_id,
                          .data = *desc->data,
                          .num_shapes = count,
                          .is_trigger = desc->is_trigger};
    w.shapes = CT_NEW_ARRAY(p->allocator, ct_actor_shape_data, count);
    memcpy(w.shapes, shapes, sizeof(*shapes) * count);
    ct_array_push(&p->waiting, w);
}

static void free_waiting(ct_physics_world *p, const ct_waiting_actor *w) {
    ct_free_sized(p->allocator, w->shapes, sizeof(*w->shapes) * (uint64_t)w->num_shapes);
}

void ct_physics_free_waiting(ct_physics_world *p) {
    for (uint32_t i = 0; i < p->waiting.count; ++i)
        free_waiting(p, &p->waiting.items[i]);
    p->waiting.count = 0;
}

void ct_physics_retry_waiting(ct_physics_world *p) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < p->waiting.count; ++i) {
        const ct_waiting_actor w = p->waiting.items[i];
        const ct_actor_desc desc = {.entity = w.entity,
                                    .component_id = w.component_id,
                                    .data = &w.data,
                                    .shapes = w.shapes,
                                    .num_shapes = w.num_shapes,
                                    .is_trigger = w.is_trigger};
        ct_error error = {0};
        if (ct_actor_create(p, &desc, &error).id)
            free_waiting(p, &w);
        else
            p->waiting.items[kept++] = w;
    }
    p->waiting.count = kept;
}

static bool is_among(const ct_entity *entities, uint32_t count, ct_entity e) {
    for (uint32_t i = 0; i < count; ++i) {
        if (entities[i].id == e.id)
            return true;
    }
    return false;
}

// Few wait, if any.
static void forget_waiting(ct_physics_world *p, const ct_entity *entities, uint32_t count) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < p->waiting.count; ++i) {
        if (is_among(entities, count, p->waiting.items[i].entity))
            free_waiting(p, &p->waiting.items[i]);
        else
            p->waiting.items[kept++] = p->waiting.items[i];
    }
    p->waiting.count = kept;
}

// --- Spawning ------------------------------------------------------------------------------------

// Makes an actor of a component, or logs why not: the unit is there without it.
static void spawn(ct_physics_world *p, const ct_actor_desc *desc) {
    ct_error error = {0};
    if (ct_actor_create(p, desc, &error).id)
        return;
    ct_log_warning("physics", "actor_left_out", "%s; the unit is without it", error.message);
    ct_physics_wait(p, desc);
}

static const void *bytes_of(const ct_component_spawn *spawn, uint32_t i) {
    return (const char *)spawn->data + spawn->offsets[ct_component_spawn_data(spawn, i)];
}

static void spawn_actors(void *manager, const ct_component_spawn *s) {
    const uint32_t count = ct_component_spawn_count(s);
    for (uint32_t i = 0; i < count; ++i)
        spawn(manager, &(ct_actor_desc){.entity = s->owners[i],
                                        .component_id = s->ids[i],
                                        .data = bytes_of(s, i)});
}

// A trigger is a keyframed actor that touches without force.
static void spawn_triggers(void *manager, const ct_component_spawn *s) {
    const uint32_t count = ct_component_spawn_count(s);
    for (uint32_t i = 0; i < count; ++i) {
        const ct_trigger_data *const trigger = bytes_of(s, i);
        ct_actor_data data;
        ct_schema_defaults(&ct_actor_head_schema, &data);
        data.name = trigger->name;
        data.node = trigger->node;
        data.body = CT_ACTOR_KEYFRAMED;
        data.filter = trigger->filter;
        data.is_collision_enabled = trigger->is_enabled;
        data.given = CT_ACTOR_GIVEN_MASK;
        spawn(manager, &(ct_actor_desc){.entity = s->owners[i],
                                        .component_id = s->ids[i],
                                        .data = &data,
                                        .shapes = ct_trigger_shapes(trigger),
                                        .num_shapes = trigger->num_shapes,
                                        .is_trigger = true});
    }
}

static void entities_destroyed(void *manager, const ct_entity *entities, uint32_t count) {
    ct_physics_world *const p = manager;
    for (uint32_t i = 0; i < count && p->first.count; ++i) {
        ct_actor a;
        while ((a = ct_actor_first(p, entities[i])).id)
            ct_actor_destroy(p, a);
    }
    if (p->waiting.count)
        forget_waiting(p, entities, count);
}

static void destroy_physics(void *manager) {
    ct_physics_world_destroy(manager);
}

ct_component_manager ct_actor_component_manager(ct_physics_world *p) {
    return (ct_component_manager){.type_name = "actor",
                                  .manager = p,
                                  .spawn = spawn_actors,
                                  .entities_destroyed = entities_destroyed,
                                  .destroy = destroy_physics};
}

// Ends with the actors, which are of the same physics.
ct_component_manager ct_trigger_component_manager(ct_physics_world *p) {
    return (ct_component_manager){.type_name = "trigger", .manager = p, .spawn = spawn_triggers};
}
