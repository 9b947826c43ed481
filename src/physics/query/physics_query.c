#include "physics/query/physics_query.h"

#include <math.h>
#include <string.h>

#include "foundation/math/math.h"
#include "foundation/memory/temp_allocator.h"
#include "physics/actor/physics_world_private.h"

// Hits of Bullet are written to the caller's array and then changed in place.
_Static_assert(sizeof(ct_physics_hit) == sizeof(ct_bullet_hit), "hits are of one size");
_Static_assert(offsetof(ct_physics_hit, normal) == offsetof(ct_bullet_hit, normal) &&
                   offsetof(ct_physics_hit, distance) == offsetof(ct_bullet_hit, fraction),
               "hits have one layout");

// --- What is found -------------------------------------------------------------------------------

static bool accepts(void *user, uint32_t id) {
    const ct_physics_find_state *const s = user;
    const ct_physics_find *const find = s->find;
    const ct_actor a = {id};
    if (find->except.id && id == find->except.id)
        return false;
    return !find->accepts || find->accepts(find->user, a, ct_actor_entity(s->world, a));
}

bool ct_physics_find_prepare(const ct_physics_world *p, const ct_physics_find *find,
                             ct_physics_find_state *state, ct_bullet_find *out) {
    *state = (ct_physics_find_state){p, find};
    *out = (ct_bullet_find){.kinds = find->kinds ? find->kinds : CT_BULLET_FIND_SOLID,
                            .filters = UINT32_MAX};
    if (find->except.id || find->accepts) {
        out->accepts = accepts;
        out->user = state;
    }
    if (find->filter.value == 0)
        return true;
    const uint32_t i = ct_physics_find_filter(p->resource, find->filter);
    if (i == UINT32_MAX)
        return false;
    const ct_physics_filter *const filters = ct_blob_at(p->resource, p->resource->filters.offset);
    out->filters = filters[i].collides;
    return true;
}

static void prepare(const ct_physics_world *p, const ct_physics_find *find,
                    ct_physics_find_state *state, ct_bullet_find *out) {
    const bool is_known = ct_physics_find_prepare(p, find, state, out);
    CT_ASSERT(is_known, "the physics resource has no filter \"%s\"",
              ct_string_id32_name(find->filter));
}

static ct_physics_hit hit_of(const ct_bullet_hit *h, float length) {
    return (ct_physics_hit){.actor = {h->id},
                            .part = h->part,
                            .triangle = h->triangle,
                            .distance = h->fraction * length,
                            .position = h->position,
                            .normal = h->normal};
}

// Changes hits of Bullet, which lie in `hits`, to ours.
static void change_hits(ct_physics_hit *hits, uint32_t count, float length) {
    for (uint32_t i = 0; i < count; ++i) {
        ct_bullet_hit h;
        memcpy(&h, &hits[i], sizeof(h));
        hits[i] = hit_of(&h, length);
    }
}

// --- Rays ----------------------------------------------------------------------------------------

static ct_vec3 end_of(const ct_physics_ray *ray) {
    CT_ASSERT(ct_vec3_is_finite(ray->from) && ct_vec3_is_finite(ray->direction) &&
                  isfinite(ray->length),
              "a ray is not finite");
    return ct_vec3_add(ray->from, ct_vec3_scale(ray->direction, ray->length));
}

uint32_t ct_physics_rays(const ct_physics_world *p, const ct_physics_ray *rays, uint32_t count,
                         const ct_physics_find *find, ct_physics_hit *hits) {
    ct_physics_find_state state;
    ct_bullet_find bullet;
    uint32_t num_hits = 0;
    prepare(p, find, &state, &bullet);
    for (uint32_t i = 0; i < count; ++i) {
        ct_bullet_hit hit;
        const bool is_hit = p->bullet && rays[i].length > 0 &&
                            ct_bullet_ray(p->bullet, rays[i].from, end_of(&rays[i]), &bullet, &hit);
        hits[i] = is_hit ? hit_of(&hit, rays[i].length) : (ct_physics_hit){.actor = {0}};
        num_hits += is_hit;
    }
    return num_hits;
}

void ct_physics_rays_any(const ct_physics_world *p, const ct_physics_ray *rays, uint32_t count,
                         const ct_physics_find *find, bool *hits) {
    ct_physics_find_state state;
    ct_bullet_find bullet;
    prepare(p, find, &state, &bullet);
    for (uint32_t i = 0; i < count; ++i)
        hits[i] = p->bullet && rays[i].length > 0 &&
                  ct_bullet_ray_any(p->bullet, rays[i].from, end_of(&rays[i]), &bullet);
}

uint32_t ct_physics_ray_all(const ct_physics_world *p, const ct_physics_ray *ray,
                            const ct_physics_find *find, ct_physics_hit *hits, uint32_t most) {
    ct_physics_find_state state;
    ct_bullet_find bullet;
    prepare(p, find, &state, &bullet);
    if (!p->bullet || !(ray->length > 0) || most == 0)
        return 0;
    const uint32_t count = ct_bullet_ray_all(p->bullet, ray->from, end_of(ray), &bullet,
                                             (ct_bullet_hit *)(void *)hits, most);
    change_hits(hits, count, ray->length);
    return count;
}

// --- Volumes -------------------------------------------------------------------------------------

// Makes the shape of a volume. A capsule that is not higher than wide is a sphere.
static ct_bullet_shape *make_shape(const ct_physics_volume *v) {
    ct_bullet_shape_part part = {.kind = CT_BULLET_SHAPE_BOX,
                                 .pose = {.rotation = ct_quat_identity()},
                                 .size = v->half_size};
    if (v->type != CT_ACTOR_SHAPE_BOX) {
        const float half = v->height / 2 - v->radius;
        const bool is_capsule = v->type == CT_ACTOR_SHAPE_CAPSULE && half > 1e-4f;
        part.kind = is_capsule ? CT_BULLET_SHAPE_CAPSULE : CT_BULLET_SHAPE_SPHERE;
        part.size = ct_vec3_make(v->radius, is_capsule ? half : 0, 0);
    }
    CT_ASSERT(v->type <= CT_ACTOR_SHAPE_CAPSULE && part.size.x > 0 && ct_vec3_is_finite(part.size),
              "a volume of type %u has no size", v->type);
    return ct_bullet_shape_create(&part, 1);
}

uint32_t ct_physics_sweep(ct_physics_world *p, const ct_physics_volume *volume, ct_rigid_pose from,
                          ct_vec3 to, const ct_physics_find *find, ct_physics_hit *hits,
                          uint32_t most) {
    ct_physics_find_state state;
    ct_bullet_find bullet;
    prepare(p, find, &state, &bullet);
    CT_ASSERT(ct_vec3_is_finite(from.position) && ct_vec3_is_finite(to), "a sweep is not finite");
    if (!p->bullet || most == 0)
        return 0;
    ct_bullet_shape *const shape = make_shape(volume);
    ct_bullet_hit *const found = (ct_bullet_hit *)(void *)hits;
    const uint32_t count =
        most == 1 ? ct_bullet_sweep(p->bullet, shape, from, to, &bullet, found)
                  : ct_bullet_sweep_all(p->bullet, shape, from, to, &bullet, found, most);
    ct_bullet_shape_destroy(shape);
    change_hits(hits, count, ct_vec3_length(ct_vec3_sub(to, from.position)));
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

// Keeps the deepest point of each actor; they are sorted by id.
static uint32_t keep_deepest(const ct_bullet_overlap *overlaps, uint32_t count,
                             ct_physics_hit *hits, uint32_t most) {
    uint32_t num_hits = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const bool is_same = num_hits > 0 && hits[num_hits - 1].actor.id == overlaps[i].id;
        if (is_same && overlaps[i].distance < hits[num_hits - 1].distance)
            hits[num_hits - 1] = hit_of_overlap(&overlaps[i]);
        if (is_same)
            continue;
        if (num_hits == most)
            break;
        hits[num_hits++] = hit_of_overlap(&overlaps[i]);
    }
    return num_hits;
}

uint32_t ct_physics_overlap(ct_physics_world *p, const ct_physics_volume *volume,
                            ct_rigid_pose pose, const ct_physics_find *find, ct_physics_hit *hits,
                            uint32_t most) {
    ct_physics_find_state state;
    ct_bullet_find bullet;
    prepare(p, find, &state, &bullet);
    CT_ASSERT(ct_vec3_is_finite(pose.position), "an overlap is not finite");
    if (!p->bullet)
        return 0;
    CT_TEMP_ALLOCATOR(temp, p->allocator);
    ct_bullet_shape *const shape = make_shape(volume);
    ct_bullet_overlap *overlaps = NULL;
    uint32_t count = 0, capacity = 128;
    do { // an actor may have many points
        capacity *= 2;
        overlaps = CT_NEW_ARRAY(temp, ct_bullet_overlap, capacity);
        count = ct_bullet_overlaps(p->bullet, shape, pose, 0, &bullet, overlaps, capacity);
    } while (count == capacity);
    ct_bullet_shape_destroy(shape);
    return keep_deepest(overlaps, count, hits, most);
}

bool ct_physics_closest_point(ct_physics_world *p, ct_vec3 position, float reach,
                              const ct_physics_find *find, ct_physics_hit *hit) {
    ct_physics_find_state state;
    ct_bullet_find bullet;
    ct_bullet_overlap nearest;
    prepare(p, find, &state, &bullet);
    CT_ASSERT(ct_vec3_is_finite(position) && reach >= 0 && isfinite(reach),
              "a position is not finite");
    if (!p->bullet || !ct_bullet_closest_point(p->bullet, position, reach, &bullet, &nearest))
        return false;
    *hit = hit_of_overlap(&nearest);
    return true;
}
