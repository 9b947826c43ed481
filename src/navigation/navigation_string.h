// navigation_string.h: the taut path up to a place, kept with the place, so that going on measures its
// length without pulling it again.
//
// A string goes through openings, one after the other. What is kept of it is its last bend (root), how long it
// is up to there, and the ends of later openings that limit what is in sight of the root. That is the funnel of
// "Efficient Triangulation-Based Pathfinding" (Demyen and Buro, 2006), but without the openings between the root
// and the place: a string that bends twice between two openings bends once here, and is a little too short.
// Geometry as seen from above, in floats: lengths are for estimates, and paths are pulled at the end.
//
// Searches make millions of these, so nothing is passed or returned by value: vectors are unions, which compilers
// keep in memory, and a copy right after its parts were written waits for them.
#pragma once
#include <math.h>

#include "foundation/math/math_types.h"

// A string. Limits at the root limit nothing.
typedef struct ct_navigation_string {
    ct_vec3 root, left, right;
    float length; // metres up to the root
} ct_navigation_string;

// A string that goes on through an opening: where its root and limits are (borrowed), its length up to the root,
// and the ends of what is in sight of the opening, from the root.
typedef struct ct_navigation_sight {
    const ct_vec3 *root, *left, *right;
    float length;
    float left_x, left_y, left_z, right_x, right_y, right_z;
} ct_navigation_sight;

// Metres from `a` to `b`.
static inline float ct_navigation_string_between(const ct_vec3 *a, const ct_vec3 *b) {
    const float x = b->x - a->x, y = b->y - a->y, z = b->z - a->z;
    return sqrtf(x * x + y * y + z * z);
}

// Twice the area of root, a, b: above 0 where b is to the left of a.
static inline float ct_navigation_string_turn(const ct_vec3 *root, const ct_vec3 *a,
                                              const ct_vec3 *b) {
    return (a->x - root->x) * (b->y - root->y) - (a->y - root->y) * (b->x - root->x);
}

// Returns what is `t` of the way from `a` to `b` (0 to 1).
static inline float ct_navigation_string_mix(float a, float b, float t) {
    return a + (b - a) * t;
}

// Goes on through an opening, whose ends are seen from the side of the string. Borrows all that it is given. O(1).
static inline void ct_navigation_string_through(const ct_navigation_string *s, const ct_vec3 *left,
                                                const ct_vec3 *right, ct_navigation_sight *v) {
    const ct_vec3 *const root = &s->root;
    const float left_right = ct_navigation_string_turn(root, &s->left, right);
    const float right_left = ct_navigation_string_turn(root, &s->right, left);
    v->root = root;
    v->left = left;
    v->right = right;
    v->length = s->length;
    v->left_x = left->x, v->left_y = left->y, v->left_z = left->z;
    v->right_x = right->x, v->right_y = right->y, v->right_z = right->z;
    if (left_right > 0 || right_left < 0) { // the string bends before the opening
        v->root = left_right > 0 ? &s->left : &s->right;
        v->length += ct_navigation_string_between(root, v->root);
        return;
    }
    const float left_left = ct_navigation_string_turn(root, &s->left, left);
    const float right_right = ct_navigation_string_turn(root, &s->right, right);
    if (left_left > 0) {
        const float t = left_right / (left_right - left_left);
        v->left = &s->left;
        v->left_x = ct_navigation_string_mix(right->x, left->x, t);
        v->left_y = ct_navigation_string_mix(right->y, left->y, t);
        v->left_z = ct_navigation_string_mix(right->z, left->z, t);
    }
    if (right_right < 0) {
        const float t = right_right / (right_right - right_left);
        v->right = &s->right;
        v->right_x = ct_navigation_string_mix(right->x, left->x, t);
        v->right_y = ct_navigation_string_mix(right->y, left->y, t);
        v->right_z = ct_navigation_string_mix(right->z, left->z, t);
    }
}

// Makes the string of what was found.
static inline void ct_navigation_string_set(ct_navigation_string *s, const ct_navigation_sight *v) {
    s->root = *v->root;
    s->left = *v->left;
    s->right = *v->right;
    s->length = v->length;
}

// Returns the length of the string to a point beyond its last opening. O(1).
static inline float ct_navigation_string_length(const ct_navigation_string *s, const ct_vec3 *to) {
    const ct_vec3 *bend = &s->root;
    if (ct_navigation_string_turn(&s->root, &s->left, to) > 0)
        bend = &s->left;
    else if (ct_navigation_string_turn(&s->root, &s->right, to) < 0)
        bend = &s->right;
    else
        return s->length + ct_navigation_string_between(bend, to);
    return s->length + ct_navigation_string_between(&s->root, bend) +
           ct_navigation_string_between(bend, to);
}
