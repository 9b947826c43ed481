// mover.h: a capsule that walks: slopes, steps, walls, ceilings, platforms, pushing.
//
// Collide and slide over sweeps of Bullet's shapes ("Improved Collision detection and Response",
// Fauerby 2003; the planes are handled as in Quake's movement), with a skin: the capsule keeps a
// small distance from everything, so that contacts do not flicker. Up is against gravity. On
// triangle meshes a hit on an edge inside a surface takes the normal of the triangle, so that movers
// do not snag.
//
// Walking keeps the horizontal speed: on a slope the mover covers the same distance on a map as on flat
// ground, so it is faster along the slope. On ground it stays on the ground down slopes and steps up to
// `step_height`. Ground steeper than `max_slope_angle` is a wall for walking, and is slid down. The edge
// of a step counts as ground when what lies behind the edge is walkable.
//
// This file knows a Bullet world only; mover_component.h has the movers of entities. Update thread.
#pragma once
#include "physics/bullet/bullet.h"

// The most of `max_slope_angle`: on it, too, walls are no ground.
#define CT_MOVER_MOST_SLOPE 1.5708f

typedef struct ct_mover_shape {
    float radius, height;  // of the capsule with both ends, metres; height >= 2 * radius
    float skin;            // metres, at most half the radius
    float step_height;     // metres
    float max_slope_angle; // radians, 0 to CT_MOVER_MOST_SLOPE
    float mass;            // kg
    float push_force;      // newtons
    ct_vec3 up;            // length 1
} ct_mover_shape;

// What a mover touches after a move.
typedef struct ct_mover_contacts {
    bool down, sides, up;
    uint32_t ground; // id of the body it stands on; UINT32_MAX: none
    ct_vec3 ground_normal, ground_position;
    float ground_slope; // radians
    float turned;       // radians about `up` that the ground turned it by in the move
    uint32_t sweeps;    // how many sweeps the move took
} ct_mover_contacts;

// One mover. `position` is the lowest point of the capsule.
typedef struct ct_mover_state {
    ct_vec3 position;
    ct_mover_contacts contacts;
    uint32_t standing_frames, flying_frames; // moves since it last flew, or was on ground
    // Where it stands on a body that moves, in the body's space: it is carried along.
    ct_rigid_pose ground_pose; // of that body at the end of the last move
    bool has_ground_pose;
    float ahead; // metres that it got ahead by stepping up; later moves are shorter by them
} ct_mover_state;

typedef struct ct_mover_tools ct_mover_tools;

// Makes the capsule shape of a kind of mover, and frees it. Movers of one kind share it. Values of
// `shape` must be in range (asserted); ct_mover_shape_is_valid checks values from outside.
ct_mover_tools *ct_mover_tools_create(ct_allocator *a, const ct_mover_shape *shape);
void ct_mover_tools_destroy(ct_mover_tools *tools);                      // NULL is fine
const ct_mover_shape *ct_mover_tools_shape(const ct_mover_tools *tools); // borrowed
void ct_mover_tools_set(ct_mover_tools *tools, const ct_mover_shape *shape);
bool ct_mover_shape_is_valid(const ct_mover_shape *shape);
// The capsule, along z, for bodies that others collide with; and its pose for a mover at `position`.
ct_bullet_shape *ct_mover_tools_capsule(const ct_mover_tools *tools);
ct_rigid_pose ct_mover_tools_pose(const ct_mover_tools *tools, ct_vec3 position);

// Calls `trace` for each sweep of movers with these tools, for debug drawing and benchmarks: `from`
// and `to` are poses of the capsule. NULL ends it.
void ct_mover_tools_set_trace(ct_mover_tools *tools,
                              void (*trace)(void *user, ct_rigid_pose from, ct_vec3 to),
                              void *user);

// Bodies by id, for platforms and pushing.
typedef struct ct_mover_bodies {
    // Returns NULL for an id that has ended.
    ct_bullet_body *(*body)(void *user, uint32_t id);
    void *user;
    // Called for each body that it runs into or stands on, also several times in a move; NULL: not.
    // `normal` leads from the body to the mover, length 1.
    void (*touched)(void *user, uint32_t id, ct_vec3 position, ct_vec3 normal);
} ct_mover_bodies;

// Moves by `offset` metres in `dt` seconds (positive): carries it with the ground, slides, steps,
// pushes, and finds what it touches. Changes `state`, and velocities of bodies it pushes. The part of
// `offset` along `up` is the fall or jump; a mover that jumps leaves the ground. Kinematic and dynamic
// bodies that came too near since the last move push it away first, but never through others: then
// it stays inside the body, and ct_mover_separate reports that. Without `bodies` nothing carries it
// and nothing is pushed.
void ct_mover_move(ct_bullet_world *w, const ct_mover_tools *tools, const ct_bullet_find *find,
                   const ct_mover_bodies *bodies, ct_mover_state *state, ct_vec3 offset, float dt);

// Returns whether the capsule fits at `position`, or not farther than `allow_move` metres from it:
// then `found` is where.
bool ct_mover_fits_at(ct_bullet_world *w, const ct_mover_tools *tools, const ct_bullet_find *find,
                      ct_vec3 position, float allow_move, ct_vec3 *found);

// Moves the capsule out of what it overlaps, by at most `allow_move` metres. Returns whether it was
// inside something; then `id` is the body it was deepest in (UINT32_MAX when it is free now), and
// `moved` by how much it moved.
bool ct_mover_separate(ct_bullet_world *w, const ct_mover_tools *tools, const ct_bullet_find *find,
                       ct_mover_state *state, float allow_move, uint32_t *id, ct_vec3 *moved);
