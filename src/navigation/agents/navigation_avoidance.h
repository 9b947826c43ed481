// navigation_avoidance.h: velocities with which discs do not meet: optimal reciprocal collision
// avoidance (van den Berg, Guy, Lin and Manocha, "Reciprocal n-Body Collision Avoidance", 2011).
//
// Each other disc that may be met within the horizon forbids velocities on one side of a line. Of those
// that are left, a linear program in two dimensions picks the one nearest to the wanted velocity; where
// all are forbidden, one in three dimensions picks the velocity that breaks the lines least. Walls are
// lines that are never broken.
//
// One thing differs from the paper: two discs that want to pass each other turn, even where they could
// as well slow down until they stop. Both know what the other wants, so both choose the same side; where
// they meet head-on, that is the right one.
//
// Everything is seen from above. Pure functions over arrays: any thread.
#pragma once
#include "foundation/math/math_types.h"

enum {
    CT_NAVIGATION_MAX_WALLS = 8,
    CT_NAVIGATION_MAX_AVOIDED = 12,
    CT_NAVIGATION_BODY_GIVES_WAY = 1,
    CT_NAVIGATION_BODY_PASSES = 2, // goes through a narrow place, for which others wait
};

// A disc that is avoided, with the height that it takes: an agent, or something else that moves.
typedef struct ct_navigation_body {
    ct_vec3 position; // of its lower end
    ct_vec2 velocity, wanted;
    float radius, height;
    uint32_t index;  // of the agent; of others, from the number of agents on
    uint32_t key;    // that it keeps as long as it lives: decides where two are alike
    uint32_t groups; // bits
    uint32_t flags;  // CT_NAVIGATION_BODY_…
    uint32_t priority;
    uint32_t narrow;     // the narrow place that it is on its way through; 0: none
    float narrow_metres; // to there
    float held;          // seconds that it has been held up: the longer, the less it gives way
} ct_navigation_body;

// What is left of a line is allowed: points p with cross(direction, p - point) >= 0.
typedef struct ct_navigation_half_plane {
    ct_vec2 point, direction; // of length 1
} ct_navigation_half_plane;

// What one agent avoids.
typedef struct ct_navigation_avoidance {
    ct_vec2 wanted;
    float max_speed;
    float horizon; // seconds
    float dt;      // seconds in which discs that overlap are to be apart
    uint32_t num_walls, num_others;
    const ct_navigation_half_plane *walls; // of velocities; zero must be allowed
    const ct_navigation_body *const *others;
} ct_navigation_avoidance;

// Returns the velocity for `self`, at most max_speed long.
ct_vec2 ct_navigation_avoid(const ct_navigation_body *self, const ct_navigation_avoidance *a);

// The part of a change of course that `self` makes, 0 to 1; that of `other` is the rest.
float ct_navigation_share(const ct_navigation_body *self, const ct_navigation_body *other);

// Finds the velocity nearest to `wanted`, at most `max_speed` long, that half planes allow. The first
// `num_walls` are never broken, others as little as possible. At most CT_NAVIGATION_MAX_WALLS +
// CT_NAVIGATION_MAX_AVOIDED half planes.
ct_vec2 ct_navigation_solve(const ct_navigation_half_plane *planes, uint32_t num_walls,
                            uint32_t count, ct_vec2 wanted, float max_speed);
