#include "physics/actor/physics_world.h"

#include <math.h>
#include <string.h>

#include "foundation/log.h"
#include "foundation/math/math.h"
#include "foundation/memory/proxy_allocator.h"
#include "foundation/profiler/profiler.h"
#include "physics/actor/trigger_finder.h"

// --- Life cycle ----------------------------------------------------------------------------------

static ct_vec3 gravity_of(const ct_physics_resource *r) {
    return (ct_vec3){{r->gravity[0], r->gravity[1], r->gravity[2]}};
}

static void set_gravity(ct_physics_world *p, ct_vec3 gravity) {
    p->gravity = gravity;
    if (p->bullet)
        ct_bullet_world_set_gravity(p->bullet, gravity);
}

static void resources_changed(void *user, bool changed_physics, bool changed_shapes) {
    ct_physics_world *const p = user;
    if (changed_physics) {
        p->resource = ct_physics_system_resource(p->system);
        if (!p->has_own_gravity)
            set_gravity(p, gravity_of(p->resource));
        if (p->bullet) {
            ct_bullet_world_set_solver_iterations(p->bullet, p->resource->solver_iterations);
            ct_bullet_world_set_rest_distance(p->bullet, p->resource->rest_distance);
        }
        ct_actors_take_physics(p);
    }
    if (changed_shapes) {
        ct_actors_take_shapes(p);
        ct_trigger_finder_renew(p);
    }
}

ct_physics_world *ct_physics_world_create(ct_allocator *a, ct_physics_system *system,
                                          ct_transform_manager *transforms,
                                          ct_scene_graph_manager *graphs) {
    ct_physics_world *const p = CT_NEW(a, ct_physics_world);
    p->backing = a;
    p->allocator = ct_proxy_allocator_create(a, "physics_world");
    p->system = system;
    p->transforms = transforms;
    p->graphs = graphs;
    p->reader = ct_transform_add_reader(transforms);
    p->resource = ct_physics_system_resource(system);
    p->gravity = gravity_of(p->resource);
    ct_array_init(&p->slots, p->allocator);
    ct_array_init(&p->extras, p->allocator);
    ct_array_push(&p->slots, (ct_actor_slot){.generation = 0});
    ct_array_push(&p->extras, (ct_actor_extra){.parts = NULL});
    ct_hash_map_init(&p->first_of, p->allocator);
    ct_array_init(&p->active, p->allocator);
    ct_array_init(&p->following, p->allocator);
    ct_array_init(&p->node_actors, p->allocator);
    ct_array_init(&p->touching, p->allocator);
    ct_array_init(&p->next_touching, p->allocator);
    ct_array_init(&p->woken, p->allocator);
    ct_array_init(&p->sleeping, p->allocator);
    ct_array_push(&p->sleeping, (ct_sleeping_touch){.next = {0}});
    ct_array_init(&p->events, p->allocator);
    ct_array_init(&p->sorted_events, p->allocator);
    ct_array_init(&p->event_keys, p->allocator);
    ct_array_init(&p->written, p->allocator);
    ct_array_init(&p->written_positions, p->allocator);
    ct_array_init(&p->written_rotations, p->allocator);
    ct_array_init(&p->written_scales, p->allocator);
    ct_array_init(&p->written_late, p->allocator);
    ct_physics_system_watch(system, &(ct_physics_watcher){.user = p, .changed = resources_changed});
    return p;
}

void ct_physics_world_destroy(ct_physics_world *p) {
    if (!p)
        return;
    ct_physics_system_unwatch(p->system, p);
    for (uint32_t slot = 1; slot < p->slots.count; ++slot)
        ct_actor_destroy(p, ct_actor_at(p, slot));
    ct_trigger_finder_destroy(p);
    ct_bullet_world_destroy(p->bullet);
    ct_array_free(&p->slots);
    ct_array_free(&p->extras);
    ct_hash_map_free(&p->first_of);
    ct_array_free(&p->active);
    ct_array_free(&p->following);
    ct_array_free(&p->node_actors);
    ct_array_free(&p->touching);
    ct_array_free(&p->next_touching);
    ct_array_free(&p->woken);
    ct_array_free(&p->sleeping);
    ct_array_free(&p->events);
    ct_array_free(&p->sorted_events);
    ct_array_free(&p->event_keys);
    ct_array_free(&p->written);
    ct_array_free(&p->written_positions);
    ct_array_free(&p->written_rotations);
    ct_array_free(&p->written_scales);
    ct_array_free(&p->written_late);
    ct_allocator *const backing = p->backing;
    ct_proxy_allocator_destroy(p->allocator);
    ct_free(backing, p);
}

void ct_physics_world_set_entities(ct_physics_world *p, const ct_physics_entities *entities) {
    p->entities = *entities;
}

void ct_physics_world_describe(const ct_physics_world *p, ct_entity e, char *text,
                               uint32_t size_bytes) {
    if (p->entities.describe)
        p->entities.describe(p->entities.user, e, text, size_bytes);
    else
        snprintf(text, size_bytes, "entity %u", e.id);
}

ct_bullet_world *ct_physics_world_bullet(ct_physics_world *p) {
    if (!p->bullet) {
        const ct_bullet_world_desc desc = {.gravity = p->gravity,
                                           .solver_iterations = p->resource->solver_iterations,
                                           .rest_distance = p->resource->rest_distance};
        p->bullet = ct_bullet_world_create(&desc);
    }
    return p->bullet;
}

const ct_physics_resource *ct_physics_world_resource(const ct_physics_world *p) {
    return p->resource;
}

ct_vec3 ct_physics_world_gravity(const ct_physics_world *p) {
    return p->gravity;
}

void ct_physics_world_set_gravity(ct_physics_world *p, ct_vec3 gravity) {
    p->has_own_gravity = true;
    set_gravity(p, gravity);
}

// --- Actors --------------------------------------------------------------------------------------

bool ct_actor_is_alive(const ct_physics_world *p, ct_actor a) {
    return ct_actor_find(p, a) != NULL;
}

ct_actor ct_actor_first(const ct_physics_world *p, ct_entity e) {
    const uint32_t slot = (uint32_t)ct_hash_map_get(&p->first_of, e.id, 0);
    return slot ? ct_actor_at(p, slot) : (ct_actor){0};
}

ct_actor ct_actor_next(const ct_physics_world *p, ct_actor a) {
    const ct_actor_slot *const s = ct_actor_find(p, a);
    return s && s->next ? ct_actor_at(p, s->next) : (ct_actor){0};
}

uint32_t ct_actor_count_of(const ct_physics_world *p, ct_entity e) {
    uint32_t count = 0;
    for (ct_actor a = ct_actor_first(p, e); a.id; a = ct_actor_next(p, a))
        ++count;
    return count;
}

uint32_t ct_actor_count(const ct_physics_world *p) {
    return p->num_actors;
}

ct_entity ct_actor_entity(const ct_physics_world *p, ct_actor a) {
    const ct_actor_slot *const s = ct_actor_find(p, a);
    return s ? s->entity : (ct_entity){0};
}

uint32_t ct_actor_component_id(const ct_physics_world *p, ct_actor a) {
    const ct_actor_slot *const s = ct_actor_find(p, a);
    return s ? ct_actor_extra_of(p, s)->component_id : 0;
}

ct_string_id32 ct_actor_name(const ct_physics_world *p, ct_actor a) {
    const ct_actor_slot *const s = ct_actor_find(p, a);
    return s ? ct_actor_extra_of(p, s)->data.name : (ct_string_id32){0};
}

uint32_t ct_actor_node(const ct_physics_world *p, ct_actor a) {
    const ct_actor_slot *const s = ct_actor_find(p, a);
    return s ? s->node : 0;
}

ct_actor_data ct_actor_data_of(const ct_physics_world *p, ct_actor a) {
    const ct_actor_slot *const s = ct_actor_find(p, a);
    return s ? ct_actor_extra_of(p, s)->data : (ct_actor_data){.given = 0};
}

bool ct_actor_is_trigger(const ct_physics_world *p, ct_actor a) {
    const ct_actor_slot *const s = ct_actor_find(p, a);
    return s && (s->flags & CT_ACTOR_TRIGGER);
}

ct_bullet_body *ct_actor_bullet(const ct_physics_world *p, ct_actor a) {
    const ct_actor_slot *const s = ct_actor_find(p, a);
    return s ? s->body : NULL;
}

ct_rigid_pose ct_actor_pose(const ct_physics_world *p, ct_actor a) {
    const ct_actor_slot *const s = ct_actor_find(p, a);
    if (!s)
        return (ct_rigid_pose){.rotation = {{0, 0, 0, 1}}};
    return s->body ? ct_bullet_body_pose(s->body) : s->after;
}

uint32_t ct_actor_teleports(const ct_physics_world *p, ct_actor a) {
    const ct_actor_slot *const s = ct_actor_find(p, a);
    return s ? ct_actor_extra_of(p, s)->teleports : 0;
}

void ct_actor_count_teleport(ct_physics_world *p, ct_actor a) {
    const ct_actor_slot *const s = ct_actor_find(p, a);
    if (s)
        ++ct_actor_extra_of(p, s)->teleports;
}

// The node is written here; the transform's change, which the next update sees, is then none.
void ct_actor_teleport(ct_physics_world *p, ct_actor a, ct_rigid_pose pose) {
    ct_actor_slot *const s = ct_actor_find(p, a);
    if (!s)
        return;
    CT_ASSERT(ct_vec3_is_finite(pose.position) && ct_quat_is_rotation(pose.rotation),
              "an actor's pose is not finite");
    ct_physics_wake_pairs(p, s);
    ++ct_actor_extra_of(p, s)->teleports;
    s->before = s->after = pose;
    s->target_time = 0;
    if (s->body) {
        ct_bullet_body_set_pose(s->body, pose);
        ct_actor_nudge(s);
    }
    if (s->entity.id)
        ct_actor_write_pose(p, s, &pose);
}

// --- Steps ---------------------------------------------------------------------------------------

// Returns how many steps to run for `dt` more seconds. A little less than a step counts as one, so
// that a world that is updated with the length of a step steps once in each update.
static uint32_t take_time(ct_physics_world *p, double dt) {
    const double step = (double)p->resource->step;
    p->rest += dt;
    const double wanted = floor(p->rest / step + 1e-3);
    const uint32_t most = p->resource->max_steps;
    const uint32_t count = wanted < most ? (uint32_t)wanted : most;
    if (wanted > most) {
        if (!p->has_warned_of_steps && p->num_actors > 0)
            ct_log_warning("physics", "too_slow",
                           "%g seconds in one update are more than %u steps of physics; the rest "
                           "is left out: update more often, or raise max_steps",
                           dt, most);
        p->has_warned_of_steps |= p->num_actors > 0;
        p->rest = (double)count * step;
    }
    p->rest -= (double)count * step;
    if (p->rest < 0)
        p->rest = 0;
    return count;
}

static void run_step(ct_physics_world *p, float time) {
    const float step = p->resource->step;
    p->time += (double)step;
    ct_actors_follow_step(p, p->time);
    if (!p->bullet) // nothing has needed it yet
        return;
    {
        CT_PROFILER_SCOPE("bullet");
        ct_bullet_world_step(p->bullet, step);
    }
    CT_PROFILER_SCOPE("physics events");
    ct_actors_take_moved(p);
    ct_physics_find_events(p, time);
}

void ct_physics_world_update(ct_physics_world *p, double dt) {
    CT_ASSERT(dt >= 0 && isfinite(dt), "an update of %g seconds", dt);
    p->events.count = 0;
    p->last_update = dt;
    const uint32_t count = take_time(p, dt);
    {
        CT_PROFILER_SCOPE("follow nodes");
        ct_actors_follow_nodes(p, p->time + count * (double)p->resource->step + p->rest);
    }
    for (uint32_t i = 0; i < count; ++i)
        run_step(p, (float)i * p->resource->step);
    CT_PROFILER_SCOPE("write poses");
    const float part = (float)(p->rest / (double)p->resource->step);
    ct_actors_write_poses(p, part < 1 ? part : 1, count > 0);
}

void ct_physics_world_find_tagged(ct_physics_world *p) {
    ct_trigger_finder_run(p, (float)p->last_update);
}
