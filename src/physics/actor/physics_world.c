#include "physics/actor/physics_world.h"

#include "foundation/log.h"
#include "physics/actor/physics_world_private.h"
#include "resource/blob/content_hash.h"

static const ct_soa_array arrays[] = {
    CT_SOA_ARRAY_ALIGNED(ct_physics_world, body, 64),
    CT_SOA_ARRAY_ALIGNED(ct_physics_world, entity, 64),
    CT_SOA_ARRAY_ALIGNED(ct_physics_world, node, 64),
    CT_SOA_ARRAY_ALIGNED(ct_physics_world, before, 64),
    CT_SOA_ARRAY_ALIGNED(ct_physics_world, after, 64),
    CT_SOA_ARRAY_ALIGNED(ct_physics_world, lists, 64),
    CT_SOA_ARRAY_ALIGNED(ct_physics_world, material, 64),
    CT_SOA_ARRAY_ALIGNED(ct_physics_world, seen, 64),
    CT_SOA_ARRAY_ALIGNED(ct_physics_world, resting, 64),
    CT_SOA_ARRAY_ALIGNED(ct_physics_world, generation, 64),
    CT_SOA_ARRAY_ALIGNED(ct_physics_world, next, 64),
    CT_SOA_ARRAY_ALIGNED(ct_physics_world, previous, 64),
    CT_SOA_ARRAY_ALIGNED(ct_physics_world, target, 64),
    CT_SOA_ARRAY_ALIGNED(ct_physics_world, target_time, 64),
    CT_SOA_ARRAY_ALIGNED(ct_physics_world, record, 64),
};

// --- Life cycle ----------------------------------------------------------------------------------

static ct_vec3 gravity_of(const ct_physics_resource *r) {
    return ct_vec3_make(r->gravity[0], r->gravity[1], r->gravity[2]);
}

static void init_arrays(ct_physics_world *p) {
    ct_allocator *const a = p->allocator;
    ct_soa_block_init(&p->soa, a, p, arrays, CT_COUNT_OF(arrays));
    ct_soa_block_add(&p->soa, 1);
    ct_hash_map_init(&p->first, a);
    ct_array_init(&p->moved, a);
    ct_array_init(&p->targets, a);
    ct_hash_map_init(&p->is_listed, a);
    ct_array_init(&p->changed_nodes, a);
    ct_array_init(&p->waiting, a);
    ct_array_init(&p->steps, a);
    ct_array_init(&p->touches, a);
    ct_array_init(&p->next_touches, a);
    ct_array_init(&p->woken, a);
    ct_array_init(&p->resting_touches, a);
    ct_array_push(&p->resting_touches, (ct_resting_touch){.next = {0}});
    ct_array_init(&p->events, a);
    ct_array_init(&p->written, a);
    ct_array_init(&p->written_positions, a);
    ct_array_init(&p->written_scales, a);
    ct_array_init(&p->written_rotations, a);
    ct_array_init(&p->written_late, a);
}

ct_physics_world *ct_physics_world_create(ct_allocator *a, ct_physics_system *system,
                                          ct_transform_manager *transforms,
                                          ct_scene_graph_manager *graphs) {
    const ct_physics_resource *const r = ct_physics_system_resource(system);
    ct_physics_world *const p = CT_NEW(a, ct_physics_world);
    p->allocator = a;
    p->system = system;
    p->transforms = transforms;
    p->reader = ct_transform_add_reader(transforms);
    p->graphs = graphs;
    p->bullet =
        ct_bullet_world_create(&(ct_bullet_world_desc){gravity_of(r), r->solver_iterations});
    init_arrays(p);
    ct_physics_system_watch(system, &(ct_physics_watcher){p, ct_physics_changed});
    return p;
}

static void free_arrays(ct_physics_world *p) {
    ct_array_free(&p->written_late);
    ct_array_free(&p->written_rotations);
    ct_array_free(&p->written_scales);
    ct_array_free(&p->written_positions);
    ct_array_free(&p->written);
    ct_array_free(&p->events);
    ct_array_free(&p->resting_touches);
    ct_array_free(&p->woken);
    ct_array_free(&p->next_touches);
    ct_array_free(&p->touches);
    ct_array_free(&p->steps);
    ct_array_free(&p->waiting);
    ct_array_free(&p->changed_nodes);
    ct_hash_map_free(&p->is_listed);
    ct_array_free(&p->targets);
    ct_array_free(&p->moved);
    ct_hash_map_free(&p->first);
    ct_soa_block_free(&p->soa);
}

void ct_physics_world_destroy(ct_physics_world *p) {
    if (!p)
        return;
    ct_physics_system_unwatch(p->system, p);
    for (uint32_t slot = 1; slot < p->soa.count; ++slot) {
        if (!p->body[slot])
            continue;
        ct_bullet_body_destroy(p->body[slot]);
        ct_physics_shape_give(p->system, p->record[slot].shape);
    }
    ct_physics_free_waiting(p);
    ct_bullet_world_destroy(p->bullet);
    free_arrays(p);
    ct_free_sized(p->allocator, p, sizeof(*p));
}

ct_bullet_world *ct_physics_world_bullet(ct_physics_world *p) {
    return p->bullet;
}

void ct_physics_world_set_gravity(ct_physics_world *p, ct_vec3 gravity) {
    CT_ASSERT(ct_vec3_is_finite(gravity), "gravity is not finite");
    p->has_gravity = true;
    ct_bullet_world_set_gravity(p->bullet, gravity);
}

void ct_physics_world_set_unit_names(ct_physics_world *p,
                                     ct_string_id64 (*name)(void *user, ct_entity e), void *user) {
    p->unit_name = name;
    p->unit_name_user = user;
}

// --- Steps ---------------------------------------------------------------------------------------

void ct_physics_world_add_step(ct_physics_world *p, void (*run)(void *user, float dt), void *user) {
    ct_array_push(&p->steps, (ct_physics_step){run, user});
}

// Returns how many steps of `h` seconds fit in the time; keeps the rest.
static uint32_t count_steps(ct_physics_world *p, const ct_physics_resource *r, double dt) {
    const double h = (double)r->step;
    // Sums of steps are a little more or less than their number: this much of a step is none.
    const double num = floor((p->rest + dt) / h + 1e-6);
    if (num <= (double)r->max_steps) {
        p->rest = fmax(p->rest + dt - num * h, 0);
        return (uint32_t)num;
    }
    ct_log_warning("physics", "too_slow",
                   "a step of the world is longer than `max_steps` = %u steps of the physics; the "
                   "rest of the time is left out, so things move slower",
                   r->max_steps);
    p->rest = 0;
    return r->max_steps;
}

static void step(ct_physics_world *p, float h, double since_start) {
    for (uint32_t i = 0; i < p->steps.count; ++i)
        p->steps.items[i].run(p->steps.items[i].user, h);
    p->time += (double)h;
    ct_physics_move_targets(p, p->time);
    ct_bullet_world_step(p->bullet, h);
    ct_physics_take_moved(p);
    ct_physics_find_events(p, (float)since_start);
}

void ct_physics_world_update(ct_physics_world *p, double dt) {
    CT_ASSERT(dt >= 0 && isfinite(dt), "a step of %g seconds", dt);
    const ct_physics_resource *const r = ct_physics_system_resource(p->system);
    const float h = r->step;
    const double old_rest = p->rest;
    p->events.count = 0;
    const uint32_t num_steps = count_steps(p, r, dt);
    ct_physics_follow_nodes(p, p->time + num_steps * (double)h + p->rest);
    for (uint32_t i = 0; i < num_steps; ++i)
        step(p, h, fmax((i + 1) * (double)h - old_rest, 0));
    ct_physics_write_poses(p, (float)fmin(p->rest / (double)h, 1));
}

const ct_physics_event *ct_physics_world_events(const ct_physics_world *p, uint32_t *count) {
    *count = p->events.count;
    return p->events.items;
}

// --- Hash ----------------------------------------------------------------------------------------

typedef struct hashed_actor {
    uint64_t before;
    uint32_t id, body;
    float transform[12];
    ct_vec3 velocity, angular_velocity;
} hashed_actor;

uint64_t ct_physics_world_hash(const ct_physics_world *p, uint64_t hash) {
    for (uint32_t slot = 1; slot < p->soa.count; ++slot) {
        const ct_bullet_body *const body = p->body[slot];
        if (!body)
            continue;
        hashed_actor h = {.before = hash,
                          .id = ct_bullet_body_id(body),
                          .body = p->record[slot].data.body,
                          .velocity = ct_bullet_body_velocity(body),
                          .angular_velocity = ct_bullet_body_angular_velocity(body)};
        ct_bullet_body_transform(body, h.transform);
        hash = ct_content_hash(&h, sizeof(h));
    }
    return hash;
}
