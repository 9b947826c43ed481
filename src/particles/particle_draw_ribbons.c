// Ribbons through particles, and trails behind them.
#include <math.h>
#include <string.h>

#include "foundation/math/math.h"
#include "particles/particle_draw.h"

// --- Strips --------------------------------------------------------------------------------------

static ct_vec3 position_of(const ct_particle_instance *point) {
    return ct_vec3_make(point->position[0], point->position[1], point->position[2]);
}

// Sets what a point has but for its place in the strip.
static void write_point(const ct_particle_drawing *d, ct_particle_instance *to, ct_vec3 position,
                        uint32_t i, ct_particle_bounds *bounds) {
    const float *const size = ct_particle_drawn_channel(d, CT_PARTICLE_SIZE);
    if (ct_particle_is_local(d))
        position = ct_mat4_transform_point(d->effect->pose, position);
    memcpy(to->position, position.raw, sizeof(to->position));
    to->frame = 0;
    to->size[0] = d->scale * (size ? size[i] : 1);
    to->size[1] = d->scale * (size ? size[d->state->capacity + i] : 1);
    ct_particle_color(d, i, to->color);
    bounds->box = ct_aabb_add_point(bounds->box, position);
    bounds->reach = fmaxf(bounds->reach, fabsf(to->size[0]));
}

// Sets the direction of the way at point `i`: from the one before to the one after. Where they are
// at one place it is that of the point before.
static void set_direction(ct_particle_instance *points, uint32_t count, uint32_t i) {
    const ct_vec3 from = position_of(&points[i ? i - 1 : 0]);
    const ct_vec3 to = position_of(&points[i + 1 < count ? i + 1 : i]);
    const ct_vec3 way = ct_vec3_sub(to, from);
    const float length = ct_vec3_length(way);
    static const float up[3] = {0, 0, 1};
    if (length > 1e-6f) {
        const ct_vec3 direction = ct_vec3_scale(way, 1 / length);
        memcpy(points[i].axis, direction.raw, sizeof(points[i].axis));
    } else {
        memcpy(points[i].axis, i ? points[i - 1].axis : up, sizeof(points[i].axis));
    }
}

// Makes a strip of at least two points that have positions: directions, the texture along it, and
// its end. `uv_length` 0: the texture is as long as the strip.
static void finish_strip(ct_particle_instance *points, uint32_t count, float uv_length) {
    float way = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (i)
            way +=
                ct_vec3_length(ct_vec3_sub(position_of(&points[i]), position_of(&points[i - 1])));
        points[i].rotation = way;
        set_direction(points, count, i);
    }
    const float length = uv_length > 0 ? uv_length : way;
    const float share = length > 0 ? 1 / length : 0;
    for (uint32_t i = 0; i < count; ++i)
        points[i].rotation *= share;
    points[count - 1].frame = 1;
}

// --- Ribbons -------------------------------------------------------------------------------------

void ct_particle_draw_ribbon(const ct_particle_drawing *d) {
    const uint32_t count = d->state->count;
    const float *const positions = ct_particle_drawn_channel(d, CT_PARTICLE_POSITION);
    ct_particle_bounds bounds = {.box = ct_aabb_empty()};
    if (count < 2)
        return;
    ct_particle_instance *const points = ct_particle_add_cloud(d, count);
    for (uint32_t i = 0; i < count; ++i)
        write_point(d, &points[i], ct_particle_vector(d, positions, i), i, &bounds);
    finish_strip(points, count, d->emitter->look.uv_length);
    ct_particle_set_bounds(d, &bounds);
}

// --- Trails --------------------------------------------------------------------------------------

// The trails of an emitter.
typedef struct trails {
    const float *positions, *points, *since;
    const uint32_t *num_points; // that each particle has passed
    uint32_t most;              // that are kept
    float interval;             // seconds between them
} trails;

// The seconds between points: value 0 of the TRAIL step; 0 without one.
static float interval_of(const ct_particle_drawing *d) {
    const ct_particle_emitter *const e = d->emitter;
    const ct_particle_step *const steps = ct_blob_at(d->effect->resource, e->update.offset);
    for (uint32_t i = 0; i < e->update.count; ++i)
        if (steps[i].op == CT_PARTICLE_OP_TRAIL)
            return ct_particle_emitter_value(d->effect, e, steps[i].first_value,
                                             ct_particle_emitter_clock(e, d->state->time))
                .x;
    return 0;
}

// Returns false when the emitter has no trails.
static bool find_trails(const ct_particle_drawing *d, trails *t) {
    const float *const state = ct_particle_drawn_channel(d, CT_PARTICLE_TRAIL_STATE);
    *t = (trails){.positions = ct_particle_drawn_channel(d, CT_PARTICLE_POSITION),
                  .points = ct_particle_drawn_channel(d, CT_PARTICLE_TRAIL),
                  .num_points = (const uint32_t *)state,
                  .most = d->emitter->look.num_trail_points,
                  .interval = interval_of(d)};
    if (!state || !t->points || !t->most)
        return false;
    t->since = state + d->state->capacity;
    return true;
}

static uint32_t points_kept(const trails *t, uint32_t i) {
    return t->num_points[i] < t->most ? t->num_points[i] : t->most;
}

static ct_vec3 trail_point(const ct_particle_drawing *d, const trails *t, uint32_t i,
                           uint32_t number) {
    const float *const channels =
        t->points + (size_t)(number % t->most) * 3 * (size_t)d->state->capacity;
    return ct_particle_vector(d, channels, i);
}

// The oldest point goes to the next one until it is overwritten, so that the end does not jump.
static ct_vec3 end_of_trail(const ct_particle_drawing *d, const trails *t, uint32_t i,
                            uint32_t number) {
    const ct_vec3 oldest = trail_point(d, t, i, number);
    if (t->num_points[i] < t->most || t->most < 2 || !(t->interval > 0))
        return oldest;
    return ct_vec3_lerp(oldest, trail_point(d, t, i, number + 1),
                        fminf(fmaxf(t->since[i] / t->interval, 0), 1));
}

// Writes the trail of particle `i`, from its end to the particle. Returns the number of points.
static uint32_t write_trail(const ct_particle_drawing *d, const trails *t, uint32_t i,
                            ct_particle_instance *to, ct_particle_bounds *bounds) {
    const uint32_t kept = points_kept(t, i), first = t->num_points[i] - kept;
    if (!kept)
        return 0;
    write_point(d, to, end_of_trail(d, t, i, first), i, bounds);
    for (uint32_t k = 1; k < kept; ++k)
        write_point(d, to + k, trail_point(d, t, i, first + k), i, bounds);
    write_point(d, to + kept, ct_particle_vector(d, t->positions, i), i, bounds);
    finish_strip(to, kept + 1, d->emitter->look.uv_length);
    return kept + 1;
}

void ct_particle_draw_trails(const ct_particle_drawing *d) {
    trails t;
    uint32_t count = 0;
    ct_particle_bounds bounds = {.box = ct_aabb_empty()};
    if (!find_trails(d, &t))
        return;
    for (uint32_t i = 0; i < d->state->count; ++i)
        count += points_kept(&t, i) ? points_kept(&t, i) + 1 : 0;
    if (!count)
        return;
    ct_particle_instance *to = ct_particle_add_cloud(d, count);
    for (uint32_t i = 0; i < d->state->count; ++i)
        to += write_trail(d, &t, i, to, &bounds);
    ct_particle_set_bounds(d, &bounds);
}
