// physics_query.h: rays, sweeps and overlaps in the physics of a world.
//
// Filters combine: kinds of actors, a collision filter (what an actor with that filter collides with),
// an actor to leave out, and a test of the caller's, such as one for tags. Results are the same for
// the same state. Values must be finite (asserted). Several threads may query at once while no
// thread changes the physics, except for overlaps and closest points.
#pragma once
#include "physics/actor/physics_world.h"

typedef struct ct_physics_find {
    uint32_t kinds;        // CT_BULLET_FIND_…; 0: CT_BULLET_FIND_SOLID
    ct_string_id32 filter; // 0: all
    ct_actor except;       // {0}: none
    bool (*accepts)(void *user, ct_actor a, ct_entity e); // NULL: all
    void *user;
} ct_physics_find;

typedef struct ct_physics_hit {
    ct_actor actor;
    uint32_t part;     // number of the shape in the actor
    uint32_t triangle; // UINT32_MAX: none
    float distance;    // metres from the start; of overlaps: negative, how deep
    ct_vec3 position, normal;
} ct_physics_hit;

// Fills `find` for Bullet; false when the filter's name is unknown. `out` is used while `find` lives.
typedef struct ct_physics_find_state {
    const ct_physics_world *world;
    const ct_physics_find *find;
} ct_physics_find_state;
bool ct_physics_find_prepare(const ct_physics_world *p, const ct_physics_find *find,
                             ct_physics_find_state *state, ct_bullet_find *out);

// A ray from `from` along `direction` (length 1) up to `length` metres.
typedef struct ct_physics_ray {
    ct_vec3 from, direction;
    float length;
} ct_physics_ray;

// What a caller wants to know of a ray: the nearest hit, whether it meets anything, or all hits.
typedef enum ct_ray_wish { CT_RAY_CLOSEST, CT_RAY_ANY, CT_RAY_ALL } ct_ray_wish;

// Find the nearest hit of each of `count` rays; hits[i].actor is {0} where there is none. Return the
// number of hits. The filter's name must exist (asserted).
uint32_t ct_physics_rays(const ct_physics_world *p, const ct_physics_ray *rays, uint32_t count,
                         const ct_physics_find *find, ct_physics_hit *hits);
// Sets hits[i] to whether ray i meets anything.
void ct_physics_rays_any(const ct_physics_world *p, const ct_physics_ray *rays, uint32_t count,
                         const ct_physics_find *find, bool *hits);
// Finds up to `most` hits of one ray, the nearest, sorted by distance. Returns how many.
uint32_t ct_physics_ray_all(const ct_physics_world *p, const ct_physics_ray *ray,
                            const ct_physics_find *find, ct_physics_hit *hits, uint32_t most);

// A box, sphere or capsule for sweeps and overlaps.
typedef struct ct_physics_volume {
    uint32_t type; // CT_ACTOR_SHAPE_BOX, SPHERE or CAPSULE
    ct_vec3 half_size;
    float radius, height; // as in ct_actor_shape_data
} ct_physics_volume;

// Finds up to `most` hits of a volume that moves from `from` to `to`, sorted by distance; with `most`
// 1 the first. Returns how many.
uint32_t ct_physics_sweep(ct_physics_world *p, const ct_physics_volume *volume, ct_rigid_pose from,
                          ct_vec3 to, const ct_physics_find *find, ct_physics_hit *hits,
                          uint32_t most);

// Finds the actors that a volume overlaps: each once, sorted by id, with the deepest point. Returns
// how many it wrote, up to `most`.
uint32_t ct_physics_overlap(ct_physics_world *p, const ct_physics_volume *volume,
                            ct_rigid_pose pose, const ct_physics_find *find, ct_physics_hit *hits,
                            uint32_t most);

// Finds the point of an actor nearest to `position`, up to `reach` metres away.
bool ct_physics_closest_point(ct_physics_world *p, ct_vec3 position, float reach,
                              const ct_physics_find *find, ct_physics_hit *hit);
