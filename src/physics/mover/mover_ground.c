// What a mover can stand on, and how it stays there.
#include <math.h>

#include "foundation/math/math.h"
#include "physics/mover/mover_private.h"

// A flying mover lands on an edge only when the edge is under this share of its radius.
static const float LANDING = 0.75f;

// Shares of the skin: a rise by less is not made; a rise by less needs no sweep.
static const float NOISE = 0.005f;
static const float UNCHECKED = 0.25f;

// Bullet rounds edges by a margin: they are lower by up to this many metres than what is behind them.
static const float ROUNDED = 0.045f;

// Returns whether the surface behind an edge, as seen from the mover's axis, can be walked on.
static bool find_behind_edge(const ct_mover_run *run, ct_mover_hit *hit, ct_vec3 *surface) {
    const ct_vec3 away = ct_vec3_normalize(ct_mover_flatten(hit->normal, run->up));
    const float step = run->shape->skin / 2;
    const float rise = step * fminf(tanf(run->shape->max_slope_angle), 4) + ROUNDED;
    const ct_vec3 behind = ct_mover_along(hit->hit.position, away, -step);
    const ct_vec3 from = ct_mover_along(behind, run->up, rise);
    ct_bullet_hit found;
    if (!ct_bullet_ray(run->world, from, ct_mover_along(behind, run->up, -rise), &run->find,
                       &found))
        return false;
    *surface = found.normal;
    hit->support = found.position;
    return ct_vec3_dot(found.normal, run->up) >= run->tools->cos_slope;
}

bool ct_mover_is_walkable(const ct_mover_run *run, ct_mover_hit *hit, ct_vec3 *surface) {
    const float cosine = ct_vec3_dot(hit->normal, run->up);
    *surface = hit->normal;
    hit->support = hit->hit.position;
    if (cosine >= run->tools->cos_slope)
        return true;
    if (cosine < 0.02f)
        return false;
    const float sine = sqrtf(fmaxf(1 - cosine * cosine, 0));
    if (!run->was_grounded && sine > LANDING)
        return false;
    return find_behind_edge(run, hit, surface);
}

void ct_mover_land(ct_mover_run *run, const ct_mover_hit *hit, ct_vec3 surface) {
    const float cosine = fmaxf(ct_vec3_dot(hit->normal, run->up), 0.5f);
    const float gap = run->shape->skin / cosine;
    float rise = gap - hit->touch;
    // Far enough up to lead into something else: as far as there is room.
    if (rise > UNCHECKED * gap) {
        ct_mover_hit above;
        ct_mover_sweep(run, run->up, rise, &above);
        rise = above.safe;
    }
    // Less is noise: a mover that stands still keeps its bits, and costs nothing elsewhere.
    if (fabsf(rise) > NOISE * run->shape->skin)
        run->position = ct_mover_along(run->position, run->up, rise);
    ct_mover_note_ground(run, hit->hit.id, hit->support, surface);
}

void ct_mover_note_ground(ct_mover_run *run, uint32_t id, ct_vec3 position, ct_vec3 surface) {
    run->is_grounded = true;
    run->ground_normal = surface;
    run->contacts->ground = id;
    run->contacts->ground_normal = surface;
    run->contacts->ground_position = position;
}

static ct_vec3 down(const ct_mover_run *run) {
    return ct_vec3_scale(run->up, -1);
}

void ct_mover_follow_ground(ct_mover_run *run, float fall) {
    const float skin = run->shape->skin;
    const float reach = fmaxf(fall, run->shape->step_height) + skin;
    ct_mover_hit hit;
    ct_vec3 surface;
    const bool is_hit = ct_mover_sweep(run, down(run), reach, &hit);
    if (is_hit && ct_mover_is_walkable(run, &hit, &surface)) {
        ct_mover_land(run, &hit, surface);
        return;
    }
    run->is_grounded = false;
    if (is_hit) // enough of a fall to find out whether it slides
        fall = fmaxf(fall, run->shape->skin / 4);
    if (!is_hit || hit.safe >= fall)
        run->position = ct_mover_along(run->position, run->up, -fall);
    else
        ct_mover_fly(run, ct_vec3_make(0, 0, 0), -fall);
}

bool ct_mover_find_ground(ct_mover_run *run, float reach) {
    ct_mover_hit hit;
    ct_vec3 surface;
    if (!ct_mover_sweep(run, down(run), reach, &hit) || !ct_mover_is_walkable(run, &hit, &surface))
        return false;
    ct_mover_land(run, &hit, surface);
    return true;
}
