// mover_private.h: what the files of the mover share: one move in progress.
#pragma once
#include "physics/mover/mover.h"

#include "foundation/math/math.h"

enum {
    CT_MOVER_MAX_PLANES = 6,  // that one slide is held by
    CT_MOVER_MAX_SLIDES = 6,  // sweeps of one slide
    CT_MOVER_MAX_IGNORED = 8, // bodies that sweeps pass through
    CT_MOVER_MAX_OVERLAPS = 32,
};

struct ct_mover_tools {
    ct_allocator *allocator;
    ct_mover_shape shape;
    ct_bullet_shape *capsule; // along z
    ct_quat rotation;         // from z to up
    float cos_slope;
    void (*trace)(void *user, ct_rigid_pose from, ct_vec3 to);
    void *trace_user;
};

// A move in progress.
typedef struct ct_mover_run {
    ct_bullet_world *world;
    const ct_mover_tools *tools;
    const ct_mover_shape *shape;
    const ct_mover_bodies *bodies; // or NULL
    const ct_bullet_find *asked;   // by the caller
    ct_bullet_find find;           // without `ignored`
    uint32_t ignored[CT_MOVER_MAX_IGNORED];
    uint32_t num_ignored;
    ct_mover_contacts *contacts; // what is found
    ct_vec3 position;            // lowest point, now
    ct_vec3 up;
    float dt;
    ct_vec3 lateral; // of the offset that it was called with: at right angles to up
    float ahead;     // metres that it got ahead by steps
    // The ground that it walks on now.
    bool is_grounded;
    bool was_grounded;     // before the move
    ct_vec3 ground_normal; // of the surface, which differs from the contact's at edges
    float support_height;  // along up, of what it stood on before the move
    bool has_recovered;    // from an overlap, or tried to
    uint32_t pushed;       // id of the body that was pushed in this move
} ct_mover_run;

// What a sweep met.
typedef struct ct_mover_hit {
    ct_bullet_hit hit;
    ct_vec3 support; // where it stands on it (ct_mover_is_walkable): behind an edge
    ct_vec3 normal;  // corrected at edges inside meshes
    float touch;     // metres along the way where the capsule touches
    float seen;      // metres from the surface up to which the sweep saw it
    float safe;      // metres along the way up to which it keeps its skin, 0 to the length
} ct_mover_hit;

// --- Vectors -------------------------------------------------------------------------------------

// Returns the point `distance` from `p` along `direction`.
static inline ct_vec3 ct_mover_along(ct_vec3 p, ct_vec3 direction, float distance) {
    return ct_vec3_add(p, ct_vec3_scale(direction, distance));
}
// Returns `v` without its part along `n`.
static inline ct_vec3 ct_mover_flatten(ct_vec3 v, ct_vec3 n) {
    return ct_mover_along(v, n, -ct_vec3_dot(v, n));
}

// --- mover.c -------------------------------------------------------------------------------------

// Starts a move at `position`.
void ct_mover_run_init(ct_mover_run *run, ct_bullet_world *w, const ct_mover_tools *tools,
                       const ct_bullet_find *find, ct_mover_contacts *contacts, ct_vec3 position);
// Has sweeps pass through a body. Returns false when there are too many.
bool ct_mover_ignore(ct_mover_run *run, uint32_t id);
ct_bullet_body *ct_mover_body(const ct_mover_run *run, uint32_t id); // or NULL
// Reports a body that the mover touches to the caller.
void ct_mover_note_touch(const ct_mover_run *run, uint32_t id, ct_vec3 position, ct_vec3 normal);

// --- mover_sweep.c -------------------------------------------------------------------------------

// Sweeps the capsule from where it is along `direction` (length 1) by `length` metres. Returns whether
// something stops it; else hit->safe is the length. Recovers from an overlap once a move.
bool ct_mover_sweep(ct_mover_run *run, ct_vec3 direction, float length, ct_mover_hit *hit);

// --- mover_edge.c --------------------------------------------------------------------------------

// Returns the normal of a hit, corrected where it is on an edge inside the surface of a mesh.
// `direction` is that of the sweep.
ct_vec3 ct_mover_edge_normal(const ct_mover_run *run, const ct_bullet_hit *hit, ct_vec3 direction);

// --- mover_ground.c ------------------------------------------------------------------------------

// Returns whether the mover can stand on what it hit; then `surface` is the normal to walk along.
bool ct_mover_is_walkable(const ct_mover_run *run, ct_mover_hit *hit, ct_vec3 *surface);
// Puts the mover on what a sweep down met: at its skin's distance.
void ct_mover_land(ct_mover_run *run, const ct_mover_hit *hit, ct_vec3 surface);
// Keeps a mover that walked on the ground, at most `fall` metres down or one step height; else falls.
void ct_mover_follow_ground(ct_mover_run *run, float fall);
// Notes what it stands on, and where.
void ct_mover_note_ground(ct_mover_run *run, uint32_t id, ct_vec3 position, ct_vec3 surface);
// Lands on ground at most `reach` metres under it. Returns whether there is some.
bool ct_mover_find_ground(ct_mover_run *run, float reach);

// --- mover_slide.c -------------------------------------------------------------------------------

// Removes from `motion` what leads into `count` planes.
ct_vec3 ct_mover_clip(ct_vec3 motion, const ct_vec3 *planes, uint32_t count);
// Moves by `motion`, sliding along everything alike.
void ct_mover_slide_plain(ct_mover_run *run, ct_vec3 motion);
// Walks by `motion`, which is at right angles to up, over ground.
void ct_mover_walk(ct_mover_run *run, ct_vec3 motion);
// Flies by `lateral`, at right angles to up, and `rise` along up; walks on when it lands.
void ct_mover_fly(ct_mover_run *run, ct_vec3 lateral, float rise);

// --- mover_step.c --------------------------------------------------------------------------------

// Tries to step onto what stopped a walk of `motion`, which is left of it. Returns false and changes
// nothing when it is no step; else how much of `motion` was used is in `used` (metres).
bool ct_mover_step_up(ct_mover_run *run, ct_vec3 motion, ct_vec3 wall, float *used);

// --- mover_push.c --------------------------------------------------------------------------------

// Pushes a dynamic body that stopped it, up to its own speed.
void ct_mover_push(ct_mover_run *run, const ct_mover_hit *hit);
// Presses a dynamic body that it stands on, by its weight; that keeps the body awake.
void ct_mover_press_ground(ct_mover_run *run);
// Moves it away from bodies that moved into it.
void ct_mover_yield(ct_mover_run *run);

// --- mover_platform.c ----------------------------------------------------------------------------

// Carries it with the body that it stood on.
void ct_mover_carry(ct_mover_run *run, const ct_mover_state *state);
// Remembers where the ground is now.
void ct_mover_hold_ground(const ct_mover_run *run, ct_mover_state *state);

// --- mover_separate.c ----------------------------------------------------------------------------

// Returns the shortest way found that parts the capsule at `position` from `overlaps`, up to
// `distance` metres from each.
ct_vec3 ct_mover_way_out(const ct_bullet_overlap *overlaps, uint32_t count, float distance);
// Moves it out of what it overlaps by more than a millimetre.
void ct_mover_recover(ct_mover_run *run);
