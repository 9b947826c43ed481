// physics.h: the interface "physics": rays, sweeps and overlaps, velocities and impulses.
//
// World space, metres, seconds, kilograms, radians. Positions are within 1e7 m of the origin, lengths and
// sizes above 0 and up to that, velocities up to 1e6, impulses up to 1e9 for each axis. The same state gives
// the same results.
//
// What is wrong (a world that has ended, numbers out of range, a filter that the physics resource does not
// have) is logged as the error "plugin_bad_argument"; nothing is found or changed then.
#ifndef CUTTLE_PHYSICS_H
#define CUTTLE_PHYSICS_H
#include <cuttle/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CUTTLE_PHYSICS_API "physics"

// A rigid body, of one world; {0} is no body. Stale once it has ended.
typedef struct cuttle_actor {
    uint32_t id;
} cuttle_actor;

// What queries find, as bits.
typedef enum cuttle_physics_kinds {
    CUTTLE_PHYSICS_STATIC = 1,
    CUTTLE_PHYSICS_DYNAMIC = 2,
    CUTTLE_PHYSICS_KINEMATIC = 4, // also keyframed ones
    CUTTLE_PHYSICS_TRIGGERS = 8,
} cuttle_physics_kinds;

// What a query may find; NULL for a filter: all but triggers.
typedef struct cuttle_physics_filter {
    uint32_t kinds;               // bits of cuttle_physics_kinds; 0: all but triggers
    const char *collision_filter; // finds what an actor with this filter collides with; NULL: all
    cuttle_entity ignored;        // a unit whose actors are not found; {0}: none
} cuttle_physics_filter;

// A ray: `direction` has any length but 0.
typedef struct cuttle_ray {
    cuttle_vector3 from, direction;
    float length;
} cuttle_ray;

// What a query has found.
typedef struct cuttle_physics_hit {
    cuttle_actor actor;   // {0}: nothing was hit
    cuttle_entity unit;   // to which the actor belongs; {0}: to none
    cuttle_entity entity; // that has the actor: the unit, or a part of it
    cuttle_vector3 position, normal;
    float distance; // from the start; of overlaps: negative, how deep
} cuttle_physics_hit;

// The shapes of sweeps and overlaps.
typedef enum cuttle_physics_shape_type {
    CUTTLE_PHYSICS_SPHERE,
    CUTTLE_PHYSICS_BOX,
    CUTTLE_PHYSICS_CAPSULE, // along z
} cuttle_physics_shape_type;

// A shape, around its middle.
typedef struct cuttle_physics_shape {
    uint32_t type;            // cuttle_physics_shape_type
    float radius;             // of spheres and capsules
    float half_height;        // of capsules: of the straight part
    cuttle_vector3 half_size; // of boxes
} cuttle_physics_shape;

// Update thread. Filters are read during the call.
typedef struct cuttle_physics_api_1 {
    // --- Queries ---

    // Finds the nearest hit of each of `count` rays. Returns how many rays hit something; hits[i].actor is
    // {0} where there is nothing. When something is wrong, all are.
    uint32_t (*raycast)(cuttle_plugin *self, cuttle_world *world, const cuttle_ray *rays,
                        uint32_t count, const cuttle_physics_filter *filter,
                        cuttle_physics_hit *hits);
    // Returns whether a ray meets anything. Faster than raycast.
    bool (*raycast_any)(cuttle_plugin *self, cuttle_world *world, const cuttle_ray *ray,
                        const cuttle_physics_filter *filter);
    // Finds up to `most` (4,096) hits of a ray, the nearest first. Returns how many.
    uint32_t (*raycast_all)(cuttle_plugin *self, cuttle_world *world, const cuttle_ray *ray,
                            const cuttle_physics_filter *filter, cuttle_physics_hit *hits,
                            uint32_t most);
    // Moves a shape from a position to another one, and finds up to `most` (4,096) hits, the nearest
    // first; with `most` 1, the first. Returns how many.
    uint32_t (*sweep)(cuttle_plugin *self, cuttle_world *world, const cuttle_physics_shape *shape,
                      cuttle_quaternion rotation, cuttle_vector3 from, cuttle_vector3 to,
                      const cuttle_physics_filter *filter, cuttle_physics_hit *hits, uint32_t most);
    // Finds up to `most` (4,096) actors that a shape overlaps, each once, with the deepest point. Returns
    // how many.
    uint32_t (*overlap)(cuttle_plugin *self, cuttle_world *world, const cuttle_physics_shape *shape,
                        cuttle_quaternion rotation, cuttle_vector3 position,
                        const cuttle_physics_filter *filter, cuttle_physics_hit *hits,
                        uint32_t most);

    // --- Actors ---

    // Writes up to `most` actors of an entity, in order. Returns how many it has; 0 for a dead one.
    uint32_t (*actors)(cuttle_plugin *self, cuttle_entity entity, cuttle_actor *actors,
                       uint32_t most);
    // Gives the velocity of the centre of mass, and around it (radians a second); either may be NULL.
    // Returns false, and leaves both, when the actor has ended.
    bool (*velocity)(cuttle_plugin *self, cuttle_world *world, cuttle_actor actor,
                     cuttle_vector3 *velocity, cuttle_vector3 *angular_velocity);
    // Set them; they wake the actor. Nothing for an actor that has ended, or that physics does not move.
    void (*set_velocity)(cuttle_plugin *self, cuttle_world *world, cuttle_actor actor,
                         cuttle_vector3 velocity);
    void (*set_angular_velocity)(cuttle_plugin *self, cuttle_world *world, cuttle_actor actor,
                                 cuttle_vector3 velocity);
    // Pushes an actor that physics moves by an impulse (newton seconds) at a point in the world; NULL: at
    // its centre of mass. One that would make it faster than 1e6 is logged and left out.
    void (*add_impulse)(cuttle_plugin *self, cuttle_world *world, cuttle_actor actor,
                        cuttle_vector3 impulse, const cuttle_vector3 *at);
} cuttle_physics_api_1;

#ifdef __cplusplus
}
#endif
#endif
