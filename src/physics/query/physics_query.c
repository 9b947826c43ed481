#include "physics/query/physics_query.h"

#include <stdlib.h>

#include "foundation/error.h"

// --- Filters -------------------------------------------------------------------------------------

static bool accepts(void *user, uint32_t id) {
    const ct_physics_find_state *const state = user;
    const ct_actor a = {id};
    if (id == state->find->except.id)
        return false;
    return !state->find->accepts ||
           state->find->accepts(state->find->user, a, ct_actor_entity(state->world, a));
}

bool ct_physics_find_prepare(const ct_physics_world *p, const ct_physics_find *find,
                             ct_physics_find_state *state, ct_bullet_find *out) {
    *state = (ct_physics_find_state){p, find};
    *out = (ct_bullet_find){.kinds = find->kinds ? find->kinds : (uint32_t)CT_BULLET_FIND_SOLID,
                            .filters = UINT32_MAX,
                            .accepts = find->except.id || find->accepts ? accepts : NULL,
                            .user = state};
    if (!find->filter.value)
        return true;
    const ct_physics_resource *const r = ct_physics_world_resource(p);
    const uint32_t i = ct_physics_find_filter(r, find->filter);
    if (i == UINT32_MAX)
        return false;
    out->filters = ((const ct_physics_filter *)ct_blob_at(r, r->filters.offset))[i].collides;
    return true;
}

static const ct_bullet_world *prepare(const ct_physics_world *p, const ct_physics_find *find,
                                      ct_physics_find_state *state, ct_bullet_find *out) {
    const bool is_known = ct_physics_find_prepare(p, find, state, out);
    CT_ASSERT(is_known, "there is no filter %s", ct_string_id32_name(find->filter));
    return ct_physics_world_bullet((ct_physics_world *)(uintptr_t)p);
}

// --- Rays ----------------------------------------------------------------------------------------

static ct_vec3 end_of(const ct_physics_ray *ray) {
    return ct_vec3_add(ray->from, ct_vec3_scale(ray->direction, ray->length));
}

static ct_physics_hit hit_of(const ct_bullet_hit *hit, float length) {
    return (ct_physics_hit){.actor = {hit->id},
                            .part = hit->part,
                            .triangle = hit->triangle,
                            .distance = hit->fraction * length,
                            .position = hit->position,
                            .normal = hit->normal};
}

uint32_t ct_physics_rays(const ct_physics_world *p, const ct_physics_ray *rays, uint32_t count,
                         const ct_physics_find *find, ct_physics_hit *hits) {
    ct_physics_find_state state;
    ct_bullet_find of;
    const ct_bullet_world *const w = prepare(p, find, &state, &of);
    uint32_t num_hits = 0;
    for (uint32_t i = 0; i < count; ++i) {
        ct_bullet_hit hit;
        hits[i] = (ct_physics_hit){.triangle = UINT32_MAX};
        if (!ct_bullet_ray(w, rays[i].from, end_of(&rays[i]), &of, &hit))
            continue;
        hits[i] = hit_of(&hit, rays[i].length);
        ++num_hits;
    }
    return num_hits;
}

void ct_physics_rays_any(const ct_physics_world *p, const ct_physics_ray *rays, uint32_t count,
                         const ct_physics_find *find, bool *hits) {
    ct_physics_find_state state;
    ct_bullet_find of;
    const ct_bullet_world *const w = prepare(p, find, &state, &of);
    for (uint32_t i = 0; i < count; ++i)
        hits[i] = ct_bullet_ray_any(w, rays[i].from, end_of(&rays[i]), &of);
}

uint32_t ct_physics_ray_all(const ct_physics_world *p, const ct_physics_ray *ray,
                            const ct_physics_find *find, ct_physics_hit *hits, uint32_t most) {
    ct_physics_find_state state;
    ct_bullet_find of;
    const ct_bullet_world *const w = prepare(p, find, &state, &of);
    ct_bullet_hit *const found = calloc(most + 1u, sizeof(*found));
    const uint32_t count = ct_bullet_ray_all(w, ray->from, end_of(ray), &of, found, most);
    for (uint32_t i = 0; i < count; ++i)
        hits[i] = hit_of(&found[i], ray->length);
    free(found);
    return count;
}

// --- Volumes -------------------------------------------------------------------------------------

static ct_bullet_shape *shape_of(const ct_physics_volume *v) {
    ct_bullet_shape_part part = {.kind = CT_BULLET_SHAPE_BOX,
                                 .pose = {.rotation = ct_quat_identity()},
                                 .size = v->half_size};
    if (v->type == CT_ACTOR_SHAPE_SPHERE) {
        part.kind = CT_BULLET_SHAPE_SPHERE;
        part.size = ct_vec3_make(v->radius, 0, 0);
    } else if (v->type == CT_ACTOR_SHAPE_CAPSULE) {
        part.kind = CT_BULLET_SHAPE_CAPSULE;
        part.size = ct_vec3_make(v->radius, fmaxf(v->height / 2 - v->radius, 0), 0);
    }
    return ct_bullet_shape_create(&part, 1);
}

uint32_t ct_physics_sweep(ct_physics_world *p, const ct_physics_volume *volume, ct_rigid_pose from,
                          ct_vec3 to, const ct_physics_find *find, ct_physics_hit *hits,
                          uint32_t most) {
    ct_physics_find_state state;
    ct_bullet_find of;
    const ct_bullet_world *const w = prepare(p, find, &state, &of);
    ct_bullet_shape *const shape = shape_of(volume);
    ct_bullet_hit *const found = calloc(most + 1u, sizeof(*found));
    const uint32_t count = ct_bullet_sweep_all(w, shape, from, to, &of, found, most);
    const float length = ct_vec3_length(ct_vec3_sub(to, from.position));
    for (uint32_t i = 0; i < count; ++i)
        hits[i] = hit_of(&found[i], length);
    free(found);
    ct_bullet_shape_destroy(shape);
    return count;
}

static ct_physics_hit hit_of_overlap(const ct_bullet_overlap *o) {
    return (ct_physics_hit){.actor = {o->id},
                            .part = o->part,
                            .triangle = o->triangle,
                            .distance = o->distance,
                            .position = o->position,
                            .normal = o->normal};
}

uint32_t ct_physics_overlap(ct_physics_world *p, const ct_physics_volume *volume,
                            ct_rigid_pose pose, const ct_physics_find *find, ct_physics_hit *hits,
                            uint32_t most) {
    ct_physics_find_state state;
    ct_bullet_find of;
    prepare(p, find, &state, &of);
    ct_bullet_shape *const shape = shape_of(volume);
    const uint32_t room = 16 * most + 256;
    ct_bullet_overlap *const found = calloc(room, sizeof(*found));
    const uint32_t count =
        ct_bullet_overlaps(ct_physics_world_bullet(p), shape, pose, 0, &of, found, room);
    uint32_t num_hits = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const bool is_same = num_hits && hits[num_hits - 1].actor.id == found[i].id;
        if (is_same && found[i].distance < hits[num_hits - 1].distance)
            hits[num_hits - 1] = hit_of_overlap(&found[i]);
        else if (!is_same && num_hits < most)
            hits[num_hits++] = hit_of_overlap(&found[i]);
    }
    free(found);
    ct_bullet_shape_destroy(shape);
    return num_hits;
}

bool ct_physics_closest_point(ct_physics_world *p, ct_vec3 position, float reach,
                              const ct_physics_find *find, ct_physics_hit *hit) {
    ct_physics_find_state state;
    ct_bullet_find of;
    ct_bullet_overlap nearest;
    prepare(p, find, &state, &of);
    if (!ct_bullet_closest_point(ct_physics_world_bullet(p), position, reach, &of, &nearest))
        return false;
    *hit = hit_of_overlap(&nearest);
    return true;
}
