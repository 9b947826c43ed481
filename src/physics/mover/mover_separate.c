// Getting out of what the capsule overlaps.
#include <math.h>

#include "foundation/math/math.h"
#include "physics/mover/mover_private.h"

enum { MAX_ROUNDS = 8 };

// Overlaps up to so many metres are none: contacts are not more exact.
static const float TOLERANCE = 1e-3f;

ct_vec3 ct_mover_way_out(const ct_bullet_overlap *overlaps, uint32_t count, float distance) {
    ct_vec3 way = {{0, 0, 0}};
    // Gauss-Seidel: each contact adds what the ones before it left.
    for (uint32_t round = 0; round < 2 * MAX_ROUNDS; ++round) {
        float worst = 0;
        for (uint32_t i = 0; i < count; ++i) {
            const ct_bullet_overlap *const o = &overlaps[i];
            const float missing = distance - o->distance - ct_vec3_dot(way, o->normal);
            if (missing <= 0)
                continue;
            way = ct_mover_along(way, o->normal, missing);
            worst = fmaxf(worst, missing);
        }
        if (worst < TOLERANCE / 4)
            break;
    }
    return way;
}

// Returns the deepest contact, or NULL when none is deeper than the tolerance.
static const ct_bullet_overlap *find_deepest(const ct_bullet_overlap *overlaps, uint32_t count) {
    const ct_bullet_overlap *deepest = NULL;
    for (uint32_t i = 0; i < count; ++i) {
        const ct_bullet_overlap *const o = &overlaps[i];
        if (o->distance < -TOLERANCE && (!deepest || o->distance < deepest->distance))
            deepest = o;
    }
    return deepest;
}

static uint32_t find_overlaps(ct_mover_run *run, ct_vec3 position, ct_bullet_overlap *overlaps) {
    return ct_bullet_overlaps(run->world, run->tools->capsule,
                              ct_mover_tools_pose(run->tools, position), 0, &run->find, overlaps,
                              CT_MOVER_MAX_OVERLAPS);
}

typedef struct escape {
    bool was_inside;
    uint32_t id;      // of what it is still inside of, or UINT32_MAX
    ct_vec3 position; // nearest to being free
} escape;

// Returns whether nothing but what it is inside of lies between two positions.
static bool is_way_free(ct_mover_run *run, ct_vec3 from, ct_vec3 to) {
    const ct_vec3 a = ct_mover_tools_pose(run->tools, from).position;
    const ct_vec3 b = ct_mover_tools_pose(run->tools, to).position;
    return !ct_bullet_ray_any(run->world, a, b, &run->find);
}

static escape find_way(ct_mover_run *run, float allow_move) {
    escape e = {.id = UINT32_MAX, .position = run->position};
    float least = 1e30f;
    ct_vec3 position = run->position;
    for (uint32_t i = 0; i < MAX_ROUNDS; ++i) {
        ct_bullet_overlap overlaps[CT_MOVER_MAX_OVERLAPS];
        const uint32_t count = find_overlaps(run, position, overlaps);
        const ct_bullet_overlap *const deepest = find_deepest(overlaps, count);
        if (!deepest) {
            e.id = UINT32_MAX;
            e.position = position;
            return e;
        }
        e.was_inside = true;
        if (-deepest->distance < least) {
            least = -deepest->distance;
            e.id = deepest->id;
            e.position = position;
        }
        const ct_vec3 way = ct_mover_way_out(overlaps, count, TOLERANCE);
        const ct_vec3 next = ct_vec3_add(position, way);
        const float far = ct_vec3_length(ct_vec3_sub(next, run->position));
        if (far > allow_move || ct_vec3_length(way) < TOLERANCE / 8 ||
            !is_way_free(run, run->position, next))
            return e;
        position = next;
    }
    return e;
}

void ct_mover_recover(ct_mover_run *run) {
    const escape e = find_way(run, run->shape->radius + run->shape->height / 2);
    if (e.id == UINT32_MAX)
        run->position = e.position;
}

bool ct_mover_fits_at(ct_bullet_world *w, const ct_mover_tools *tools, const ct_bullet_find *find,
                      ct_vec3 position, float allow_move, ct_vec3 *found) {
    ct_mover_contacts contacts = {0};
    ct_mover_run run;
    ct_mover_run_init(&run, w, tools, find, &contacts, position);
    const escape e = find_way(&run, allow_move);
    if (e.id != UINT32_MAX)
        return false;
    *found = e.position;
    return true;
}

bool ct_mover_separate(ct_bullet_world *w, const ct_mover_tools *tools, const ct_bullet_find *find,
                       ct_mover_state *state, float allow_move, uint32_t *id, ct_vec3 *moved) {
    ct_mover_contacts contacts = {0};
    ct_mover_run run;
    ct_mover_run_init(&run, w, tools, find, &contacts, state->position);
    const escape e = find_way(&run, allow_move);
    *id = e.id;
    *moved = ct_vec3_sub(e.position, state->position);
    state->position = e.position;
    return e.was_inside;
}
