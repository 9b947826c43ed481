#include <math.h>

#include "app/app_private.h"
#include "app/plugin/app_interfaces.h"
#include "app/plugin/app_system_check.h"
#include "foundation/math/math.h"
#include "foundation/memory/temp_allocator.h"
#include "physics/query/physics_query.h"

enum { MOST_HITS = 4096, RAYS_AT_ONCE = 64 };

_Static_assert(CUTTLE_PHYSICS_STATIC == (int)CT_BULLET_FIND_STATIC &&
                   CUTTLE_PHYSICS_DYNAMIC == (int)CT_BULLET_FIND_DYNAMIC &&
                   CUTTLE_PHYSICS_KINEMATIC == (int)CT_BULLET_FIND_KINEMATIC &&
                   CUTTLE_PHYSICS_TRIGGERS == (int)CT_BULLET_FIND_SENSORS,
               "kinds are the engine's");

// --- What is looked for --------------------------------------------------------------------------

// A query of a plugin.
typedef struct looking {
    const ct_plugin *self;
    const char *function;
    const ct_world *world;
    ct_physics_world *physics;
    ct_physics_find find;
    ct_entity ignored;
} looking;

static ct_physics_world *check_physics(const ct_plugin *self, const cuttle_world *world,
                                       const char *function, const ct_world **own) {
    *own = ct_app_may_change(self, function) ? ct_app_check_world(self, world, function) : NULL;
    ct_physics_world *const p = *own ? ct_world_physics(*own) : NULL;
    if (*own && !p)
        ct_app_bad_argument(self, function, "worlds have no physics here");
    return p;
}

static bool accepts(void *user, ct_actor a, ct_entity e) {
    const looking *const l = user;
    (void)a;
    return !e.id || (e.id != l->ignored.id && ct_world_unit_of(l->world, e).id != l->ignored.id);
}

static bool check_filter_name(looking *l, const char *name) {
    enum { MOST_NAMES = CT_PHYSICS_MAX_FILTERS };
    const ct_physics_resource *const r = ct_physics_world_resource(l->physics);
    const ct_physics_filter *const filters = ct_blob_at(r, r->filters.offset);
    l->find.filter = ct_string_id32_of(name);
    if (ct_physics_find_filter(r, l->find.filter) != UINT32_MAX)
        return true;
    const char *names[MOST_NAMES];
    uint32_t count = 0;
    for (; count < r->filters.count && count < MOST_NAMES; ++count)
        names[count] = ct_blob_at(r, filters[count].name_text.offset);
    ct_error error = {0};
    ct_app_unknown_name("collision filter", name, names, count, &error);
    return ct_app_bad_argument(l->self, l->function, "%s", error.message);
}

// `l` must stay where it is.
static bool begin(looking *l, const ct_plugin *self, const cuttle_world *world,
                  const char *function, const cuttle_physics_filter *filter) {
    *l = (looking){.self = self, .function = function};
    l->physics = check_physics(self, world, function, &l->world);
    if (!l->physics)
        return false;
    if (!filter)
        return true;
    const uint32_t known = CT_BULLET_FIND_SOLID | CT_BULLET_FIND_SENSORS;
    if (filter->kinds & ~known)
        return ct_app_bad_argument(self, function, "expected kinds of cuttle_physics_kinds, got %u",
                                   filter->kinds);
    l->find.kinds = filter->kinds;
    l->ignored.id = filter->ignored.id;
    if (l->ignored.id) {
        l->find.accepts = accepts;
        l->find.user = l;
    }
    return !filter->collision_filter || check_filter_name(l, filter->collision_filter);
}

static bool check_ray(const looking *l, const cuttle_ray *given, ct_physics_ray *ray) {
    if (!given)
        return ct_app_bad_argument(l->self, l->function, "expected a ray, got NULL");
    const ct_vec3 direction = ct_app_vec3(given->direction);
    const float length = ct_vec3_length(direction);
    *ray = (ct_physics_ray){ct_app_vec3(given->from), ct_vec3_scale(direction, 1 / length),
                            given->length};
    if (!(length > 1e-12f && isfinite(length)))
        return ct_app_bad_argument(l->self, l->function,
                                   "expected a direction, got one of length %g", (double)length);
    return (ct_app_is_within(given->from, CT_PHYSICS_REACH) && given->length >= 0 &&
            (double)given->length <= CT_PHYSICS_REACH) ||
           ct_app_bad_argument(
               l->self, l->function,
               "expected a start within %g m of the origin, and a length up to that",
               CT_PHYSICS_REACH);
}

static bool is_size(float size) {
    return size > 0 && (double)size <= CT_PHYSICS_REACH;
}

static bool check_shape(const looking *l, const cuttle_physics_shape *shape,
                        ct_physics_volume *volume) {
    *volume = (ct_physics_volume){0};
    bool is_fine = false;
    if (shape && shape->type == CUTTLE_PHYSICS_BOX) {
        *volume = (ct_physics_volume){.type = CT_ACTOR_SHAPE_BOX,
                                      .half_size = ct_app_vec3(shape->half_size)};
        is_fine = is_size(shape->half_size.x) && is_size(shape->half_size.y) &&
                  is_size(shape->half_size.z);
    } else if (shape && shape->type == CUTTLE_PHYSICS_SPHERE) {
        *volume = (ct_physics_volume){.type = CT_ACTOR_SHAPE_SPHERE, .radius = shape->radius};
        is_fine = is_size(shape->radius);
    } else if (shape && shape->type == CUTTLE_PHYSICS_CAPSULE) {
        *volume = (ct_physics_volume){.type = CT_ACTOR_SHAPE_CAPSULE,
                                      .radius = shape->radius,
                                      .height = 2 * (shape->radius + shape->half_height)};
        is_fine = is_size(shape->radius) && is_size(shape->half_height);
    }
    return is_fine || ct_app_bad_argument(l->self, l->function,
                                          "expected a shape with sizes above 0 and up to %g m",
                                          CT_PHYSICS_REACH);
}

static bool check_pose(const looking *l, cuttle_vector3 position, cuttle_quaternion rotation,
                       ct_rigid_pose *pose) {
    *pose = (ct_rigid_pose){ct_app_vec3(position), ct_app_quat(rotation)};
    if (!ct_app_is_within(position, CT_PHYSICS_REACH) || !ct_quat_is_rotation(pose->rotation))
        return ct_app_bad_argument(l->self, l->function,
                                   "expected a rotation of length 1, and a position within %g m of "
                                   "the origin",
                                   CT_PHYSICS_REACH);
    pose->rotation = ct_quat_normalize(pose->rotation);
    return true;
}

// --- Queries -------------------------------------------------------------------------------------

static cuttle_physics_hit hit_of(const looking *l, const ct_physics_hit *hit) {
    if (!hit->actor.id)
        return (cuttle_physics_hit){.actor = {0}};
    const ct_entity e = ct_actor_entity(l->physics, hit->actor);
    const ct_entity unit = e.id ? ct_world_unit_of(l->world, e) : e;
    return (cuttle_physics_hit){.actor = {hit->actor.id},
                                .unit = {unit.id},
                                .entity = {e.id},
                                .position = ct_app_vector3(hit->position),
                                .normal = ct_app_vector3(hit->normal),
                                .distance = hit->distance};
}

static uint32_t raycast(cuttle_plugin *self, cuttle_world *world, const cuttle_ray *rays,
                        uint32_t count, const cuttle_physics_filter *filter,
                        cuttle_physics_hit *hits) {
    looking l;
    ct_physics_ray own[RAYS_AT_ONCE];
    ct_physics_hit found[RAYS_AT_ONCE];
    uint32_t num_hits = 0;
    bool is_fine = begin(&l, self, world, "physics.raycast", filter);
    for (uint32_t i = 0; is_fine && i < count; ++i)
        is_fine = check_ray(&l, &rays[i], &own[0]);
    for (uint32_t i = 0; !is_fine && i < count; ++i)
        hits[i] = (cuttle_physics_hit){.actor = {0}};
    for (uint32_t first = 0; is_fine && first < count; first += RAYS_AT_ONCE) {
        const uint32_t num = count - first < RAYS_AT_ONCE ? count - first : RAYS_AT_ONCE;
        for (uint32_t i = 0; i < num; ++i)
            check_ray(&l, &rays[first + i], &own[i]);
        num_hits += ct_physics_rays(l.physics, own, num, &l.find, found);
        for (uint32_t i = 0; i < num; ++i)
            hits[first + i] = hit_of(&l, &found[i]);
    }
    return num_hits;
}

static bool raycast_any(cuttle_plugin *self, cuttle_world *world, const cuttle_ray *ray,
                        const cuttle_physics_filter *filter) {
    looking l;
    ct_physics_ray own;
    bool is_hit = false;
    if (begin(&l, self, world, "physics.raycast_any", filter) && check_ray(&l, ray, &own))
        ct_physics_rays_any(l.physics, &own, 1, &l.find, &is_hit);
    return is_hit;
}

static uint32_t clamp_most(uint32_t most) {
    return most < MOST_HITS ? most : MOST_HITS;
}

static uint32_t take_hits(const looking *l, const ct_physics_hit *found, uint32_t count,
                          cuttle_physics_hit *hits) {
    for (uint32_t i = 0; i < count; ++i)
        hits[i] = hit_of(l, &found[i]);
    return count;
}

// Keeps the nearest hit of each shape: a ray through the edge of two triangles meets both.
static uint32_t keep_nearest(ct_physics_hit *hits, uint32_t count) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t k = 0;
        while (k < kept && (hits[k].actor.id != hits[i].actor.id || hits[k].part != hits[i].part))
            ++k;
        if (k == kept)
            hits[kept++] = hits[i];
    }
    return kept;
}

static uint32_t raycast_all(cuttle_plugin *self, cuttle_world *world, const cuttle_ray *ray,
                            const cuttle_physics_filter *filter, cuttle_physics_hit *hits,
                            uint32_t most) {
    looking l;
    ct_physics_ray own;
    if (!begin(&l, self, world, "physics.raycast_all", filter) || !check_ray(&l, ray, &own) ||
        most == 0)
        return 0;
    CT_TEMP_ALLOCATOR(temp, ct_app_of_plugin(self)->allocator);
    most = clamp_most(most);
    ct_physics_hit *const found = ct_alloc(temp, sizeof(*found) * (uint64_t)most);
    const uint32_t count = ct_physics_ray_all(l.physics, &own, &l.find, found, most);
    return take_hits(&l, found, keep_nearest(found, count), hits);
}

static uint32_t sweep(cuttle_plugin *self, cuttle_world *world, const cuttle_physics_shape *shape,
                      cuttle_quaternion rotation, cuttle_vector3 from, cuttle_vector3 to,
                      const cuttle_physics_filter *filter, cuttle_physics_hit *hits,
                      uint32_t most) {
    looking l;
    ct_physics_volume volume;
    ct_rigid_pose pose, end;
    if (!begin(&l, self, world, "physics.sweep", filter) || !check_shape(&l, shape, &volume) ||
        !check_pose(&l, from, rotation, &pose) || !check_pose(&l, to, rotation, &end) || most == 0)
        return 0;
    CT_TEMP_ALLOCATOR(temp, ct_app_of_plugin(self)->allocator);
    most = clamp_most(most);
    ct_physics_hit *const found = ct_alloc(temp, sizeof(*found) * (uint64_t)most);
    const uint32_t count =
        ct_physics_sweep(l.physics, &volume, pose, end.position, &l.find, found, most);
    return take_hits(&l, found, count, hits);
}

static uint32_t overlap(cuttle_plugin *self, cuttle_world *world, const cuttle_physics_shape *shape,
                        cuttle_quaternion rotation, cuttle_vector3 position,
                        const cuttle_physics_filter *filter, cuttle_physics_hit *hits,
                        uint32_t most) {
    looking l;
    ct_physics_volume volume;
    ct_rigid_pose pose;
    if (!begin(&l, self, world, "physics.overlap", filter) || !check_shape(&l, shape, &volume) ||
        !check_pose(&l, position, rotation, &pose) || most == 0)
        return 0;
    CT_TEMP_ALLOCATOR(temp, ct_app_of_plugin(self)->allocator);
    most = clamp_most(most);
    ct_physics_hit *const found = ct_alloc(temp, sizeof(*found) * (uint64_t)most);
    const uint32_t count = ct_physics_overlap(l.physics, &volume, pose, &l.find, found, most);
    return take_hits(&l, found, count, hits);
}

// --- Actors --------------------------------------------------------------------------------------

static uint32_t actors(cuttle_plugin *self, cuttle_entity entity, cuttle_actor *out,
                       uint32_t most) {
    const ct_world *const world = ct_app_world_of(self, entity);
    const ct_physics_world *const p = world ? ct_world_physics(world) : NULL;
    uint32_t count = 0;
    if (!p)
        return 0;
    for (ct_actor a = ct_actor_first(p, (ct_entity){entity.id}); a.id; a = ct_actor_next(p, a)) {
        if (count < most)
            out[count].id = a.id;
        ++count;
    }
    return count;
}

// Returns the body of an actor; NULL when it has ended, or something is wrong.
static ct_bullet_body *body_of(const ct_plugin *self, const cuttle_world *world, cuttle_actor actor,
                               const char *function) {
    const ct_world *own;
    const ct_physics_world *const p = check_physics(self, world, function, &own);
    const ct_actor a = {actor.id};
    return p && ct_actor_is_alive(p, a) ? ct_actor_bullet(p, a) : NULL;
}

static bool velocity(cuttle_plugin *self, cuttle_world *world, cuttle_actor actor,
                     cuttle_vector3 *linear, cuttle_vector3 *angular) {
    const ct_bullet_body *const body = body_of(self, world, actor, "physics.velocity");
    if (body && linear)
        *linear = ct_app_vector3(ct_bullet_body_velocity(body));
    if (body && angular)
        *angular = ct_app_vector3(ct_bullet_body_angular_velocity(body));
    return body != NULL;
}

static bool check_motion(const ct_plugin *self, cuttle_vector3 v, double most,
                         const char *function) {
    return ct_app_is_within(v, most) ||
           ct_app_bad_argument(self, function, "expected numbers from -%g to %g, got (%g, %g, %g)",
                               most, most, (double)v.x, (double)v.y, (double)v.z);
}

static void set_velocity(cuttle_plugin *self, cuttle_world *world, cuttle_actor actor,
                         cuttle_vector3 v) {
    ct_bullet_body *const body = body_of(self, world, actor, "physics.set_velocity");
    if (check_motion(self, v, CT_PHYSICS_MOST_SPEED, "physics.set_velocity") && body)
        ct_bullet_body_set_velocity(body, ct_app_vec3(v));
}

static void set_angular_velocity(cuttle_plugin *self, cuttle_world *world, cuttle_actor actor,
                                 cuttle_vector3 v) {
    ct_bullet_body *const body = body_of(self, world, actor, "physics.set_angular_velocity");
    if (check_motion(self, v, CT_PHYSICS_MOST_SPEED, "physics.set_angular_velocity") && body)
        ct_bullet_body_set_angular_velocity(body, ct_app_vec3(v));
}

static void add_impulse(cuttle_plugin *self, cuttle_world *world, cuttle_actor actor,
                        cuttle_vector3 impulse, const cuttle_vector3 *at) {
    static const char function[] = "physics.add_impulse";
    ct_bullet_body *const body = body_of(self, world, actor, function);
    if (!check_motion(self, impulse, CT_PHYSICS_MOST, function) ||
        (at && !check_motion(self, *at, CT_PHYSICS_REACH, function)) || !body ||
        !(ct_bullet_body_mass(body) > 0))
        return;
    const ct_vec3 linear = ct_bullet_body_velocity(body);
    const ct_vec3 angular = ct_bullet_body_angular_velocity(body);
    ct_bullet_body_add_impulse(body, ct_app_vec3(impulse),
                               at ? ct_app_vec3(*at) : ct_bullet_body_center(body));
    if (ct_app_is_within(ct_app_vector3(ct_bullet_body_velocity(body)), CT_PHYSICS_MOST_SPEED) &&
        ct_app_is_within(ct_app_vector3(ct_bullet_body_angular_velocity(body)),
                         CT_PHYSICS_MOST_SPEED))
        return;
    ct_bullet_body_set_velocity(body, linear);
    ct_bullet_body_set_angular_velocity(body, angular);
    ct_app_bad_argument(self, function, "the actor would be faster than %g; push it less",
                        CT_PHYSICS_MOST_SPEED);
}

const cuttle_physics_api_1 ct_app_physics_api_1 = {
    .raycast = raycast,
    .raycast_any = raycast_any,
    .raycast_all = raycast_all,
    .sweep = sweep,
    .overlap = overlap,
    .actors = actors,
    .velocity = velocity,
    .set_velocity = set_velocity,
    .set_angular_velocity = set_angular_velocity,
    .add_impulse = add_impulse,
};
