// Moving until something stops it, and on along that.
#include <math.h>

#include "foundation/math/math.h"
#include "physics/mover/mover_private.h"

// Metres that are not worth a sweep.
static const float LEAST = 1e-5f;
// A mover that slides along nearer than this share of its skin moves away from there, by that share
// of its way: so little that it is not seen.
static const float TOO_NEAR = 0.5f;
static const float RECOVERY = 0.02f;
// The part along up of a normal from which on what is hit is a ceiling.
static const float CEILING = -0.1f;

static bool is_clear(ct_vec3 motion, const ct_vec3 *planes, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i)
        if (ct_vec3_dot(motion, planes[i]) < -1e-5f)
            return false;
    return true;
}

ct_vec3 ct_mover_clip(ct_vec3 motion, const ct_vec3 *planes, uint32_t count) {
    if (is_clear(motion, planes, count))
        return motion;
    for (uint32_t i = 0; i < count; ++i) {
        const ct_vec3 along = ct_mover_flatten(motion, planes[i]);
        if (ct_vec3_dot(motion, planes[i]) < 0 && is_clear(along, planes, count))
            return along;
    }
    for (uint32_t i = 0; i < count; ++i) {
        for (uint32_t k = i + 1; k < count; ++k) {
            const ct_vec3 cross = ct_vec3_cross(planes[i], planes[k]);
            if (ct_vec3_length(cross) < 1e-3f)
                continue;
            const ct_vec3 crease = ct_vec3_normalize(cross);
            const ct_vec3 along = ct_vec3_scale(crease, ct_vec3_dot(crease, motion));
            if (is_clear(along, planes, count))
                return along;
        }
    }
    return ct_vec3_make(0, 0, 0);
}

// Leans what is left of a motion along a surface away from it, where it is too near. Only as far as
// the same sweep sees the surface: else it would come back in the next move, and tremble.
static ct_vec3 lean(const ct_mover_run *run, ct_vec3 motion, const ct_mover_hit *hit,
                    ct_vec3 direction) {
    const float cosine = -ct_vec3_dot(direction, hit->normal);
    const float wanted = fminf(TOO_NEAR * run->shape->skin, 0.9f * hit->seen);
    const float missing = wanted - (hit->touch - hit->safe) * cosine;
    const float most = RECOVERY * ct_vec3_length(motion);
    return ct_mover_along(motion, hit->normal, fminf(fmaxf(missing, 0), most));
}

// Adds a plane, unless it is there already.
static void add_plane(ct_vec3 *planes, uint32_t *count, ct_vec3 plane) {
    for (uint32_t i = 0; i < *count; ++i)
        if (ct_vec3_dot(planes[i], plane) > 0.9999f)
            return;
    if (*count < CT_MOVER_MAX_PLANES)
        planes[(*count)++] = plane;
}

void ct_mover_slide_plain(ct_mover_run *run, ct_vec3 motion) {
    const ct_vec3 wanted = motion;
    ct_vec3 planes[CT_MOVER_MAX_PLANES];
    uint32_t num_planes = 0;
    for (uint32_t i = 0; i < CT_MOVER_MAX_SLIDES; ++i) {
        const float length = ct_vec3_length(motion);
        if (length < LEAST || ct_vec3_dot(motion, wanted) <= 0)
            return;
        const ct_vec3 direction = ct_vec3_scale(motion, 1 / length);
        ct_mover_hit hit;
        const bool is_hit = ct_mover_sweep(run, direction, length, &hit);
        run->position = ct_mover_along(run->position, direction, hit.safe);
        if (!is_hit)
            return;
        add_plane(planes, &num_planes, hit.normal);
        motion = ct_vec3_scale(direction, length - hit.safe);
        motion = ct_mover_clip(motion, planes, num_planes);
    }
}

static void note_side(ct_mover_run *run, ct_vec3 normal) {
    if (ct_vec3_dot(normal, run->up) < CEILING)
        run->contacts->up = true;
    else
        run->contacts->sides = true;
}

// --- Walking -------------------------------------------------------------------------------------

// Returns the direction at right angles to up that a wall keeps a walker from: across the line where
// the wall meets the ground that it walks on.
static ct_vec3 wall_normal(const ct_mover_run *run, ct_vec3 normal, ct_vec3 motion) {
    const ct_vec3 line = ct_vec3_cross(run->ground_normal, normal);
    ct_vec3 wall = ct_vec3_cross(run->up, line);
    if (ct_vec3_length(wall) < 0.05f)
        wall = ct_mover_flatten(normal, run->up);
    if (ct_vec3_length(wall) < 1e-3f)
        wall = ct_vec3_scale(motion, -1);
    wall = ct_vec3_normalize(wall);
    return ct_vec3_dot(wall, motion) > 0 ? ct_vec3_scale(wall, -1) : wall;
}

// Returns `motion`, at right angles to up, along the ground: as long on a map.
static ct_vec3 on_ground(const ct_mover_run *run, ct_vec3 motion) {
    const float cosine = fmaxf(ct_vec3_dot(run->ground_normal, run->up), 0.05f);
    return ct_mover_along(motion, run->up, -ct_vec3_dot(motion, run->ground_normal) / cosine);
}

void ct_mover_walk(ct_mover_run *run, ct_vec3 motion) {
    const ct_vec3 wanted = motion;
    ct_vec3 planes[CT_MOVER_MAX_PLANES];
    uint32_t num_planes = 0;
    for (uint32_t i = 0; i < CT_MOVER_MAX_SLIDES; ++i) {
        if (ct_vec3_length(motion) < LEAST || ct_vec3_dot(motion, wanted) <= 0)
            return;
        const ct_vec3 path = on_ground(run, motion);
        const float length = ct_vec3_length(path);
        const ct_vec3 direction = ct_vec3_scale(path, 1 / length);
        ct_mover_hit hit;
        const bool is_hit = ct_mover_sweep(run, direction, length, &hit);
        run->position = ct_mover_along(run->position, direction, hit.safe);
        if (!is_hit)
            return;
        ct_mover_note_touch(run, hit.hit.id, hit.hit.position, hit.normal);
        motion = ct_vec3_scale(motion, 1 - hit.safe / length);
        if (ct_vec3_dot(hit.normal, run->up) >= run->tools->cos_slope) {
            run->ground_normal = hit.normal;
            continue;
        }
        const ct_vec3 wall = wall_normal(run, hit.normal, motion);
        float used;
        if (ct_mover_step_up(run, motion, wall, &used)) {
            const float left = ct_vec3_length(motion);
            run->ahead += fmaxf(used - left, 0);
            motion = ct_vec3_scale(motion, fmaxf(left - used, 0) / fmaxf(left, LEAST));
            continue;
        }
        note_side(run, hit.normal);
        ct_mover_push(run, &hit);
        add_plane(planes, &num_planes, wall);
        motion = ct_mover_clip(motion, planes, num_planes);
        motion = ct_mover_flatten(lean(run, motion, &hit, direction), run->up);
    }
}

// --- Flying --------------------------------------------------------------------------------------

// What holds a flight. A slope that is too steep is a wall for the motion to the sides, so that nobody
// climbs it, and a slide for the fall.
typedef struct flight {
    ct_vec3 lateral, rise; // what is left of it
    ct_vec3 walls[CT_MOVER_MAX_PLANES], slides[CT_MOVER_MAX_PLANES];
    uint32_t num_walls, num_slides;
    ct_vec3 steep; // sum of the slopes that it slid down
    ct_bullet_hit steep_hit;
} flight;

static void hold_flight(const ct_mover_run *run, flight *f, const ct_mover_hit *hit) {
    const ct_vec3 n = hit->normal;
    const float cosine = ct_vec3_dot(n, run->up);
    const ct_vec3 flat = ct_mover_flatten(n, run->up);
    add_plane(f->slides, &f->num_slides, n);
    if (cosine > 0.02f && ct_vec3_length(flat) > 1e-3f) {
        add_plane(f->walls, &f->num_walls, ct_vec3_normalize(flat));
        f->steep = ct_vec3_add(f->steep, n);
        f->steep_hit = hit->hit;
    } else {
        add_plane(f->walls, &f->num_walls, n);
    }
    // What would lead back ends: that is a corner.
    const ct_vec3 lateral = ct_mover_clip(f->lateral, f->walls, f->num_walls);
    const ct_vec3 rise = ct_mover_clip(f->rise, f->slides, f->num_slides);
    const ct_vec3 none = {{0, 0, 0}};
    f->lateral = ct_vec3_dot(lateral, f->lateral) > 0 ? lateral : none;
    f->rise = ct_vec3_dot(rise, f->rise) > 0 ? rise : none;
}

// A mover that cannot fall, between slopes that are too steep, stands there.
static void wedge(ct_mover_run *run, const flight *f, float wanted, float fallen) {
    if (wanted <= LEAST || fallen > wanted / 10 || ct_vec3_length(f->steep) < 0.1f ||
        ct_vec3_length(f->rise) > wanted / 10)
        return;
    ct_mover_note_ground(run, f->steep_hit.id, f->steep_hit.position, ct_vec3_normalize(f->steep));
}

void ct_mover_fly(ct_mover_run *run, ct_vec3 lateral, float rise) {
    flight f = {.lateral = lateral, .rise = ct_vec3_scale(run->up, rise)};
    const ct_vec3 start = run->position;
    for (uint32_t i = 0; i < CT_MOVER_MAX_SLIDES; ++i) {
        const ct_vec3 motion = ct_vec3_add(f.lateral, f.rise);
        const float length = ct_vec3_length(motion);
        if (length < LEAST)
            break;
        const ct_vec3 direction = ct_vec3_scale(motion, 1 / length);
        ct_mover_hit hit;
        ct_vec3 surface;
        const bool is_hit = ct_mover_sweep(run, direction, length, &hit);
        run->position = ct_mover_along(run->position, direction, hit.safe);
        if (!is_hit)
            return;
        ct_mover_note_touch(run, hit.hit.id, hit.hit.position, hit.normal);
        const float left = 1 - hit.safe / length;
        f.lateral = ct_vec3_scale(f.lateral, left);
        f.rise = ct_vec3_scale(f.rise, left);
        if (rise <= 0 && ct_mover_is_walkable(run, &hit, &surface)) {
            ct_mover_note_ground(run, hit.hit.id, hit.support, surface);
            const ct_vec3 landed = run->position;
            ct_mover_walk(run, ct_mover_flatten(f.lateral, run->up));
            const bool is_there = ct_vec3_length(ct_vec3_sub(landed, run->position)) < LEAST;
            const float reach = run->shape->step_height + run->shape->skin;
            run->is_grounded = ct_mover_find_ground(run, reach) || is_there;
            return;
        }
        note_side(run, hit.normal);
        ct_mover_push(run, &hit);
        hold_flight(run, &f, &hit);
        f.lateral = lean(run, f.lateral, &hit, direction);
    }
    wedge(run, &f, -rise, ct_vec3_dot(ct_vec3_sub(start, run->position), run->up));
}
