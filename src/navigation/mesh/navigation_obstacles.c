// navigation_obstacles.c: obstacles, their footprints, and which tiles they touch.
#include <math.h>

#include "foundation/math/math.h"
#include "navigation/mesh/navigation_mesh_private.h"

enum { CYLINDER_SIDES = 12, INDEX_BITS = CT_NAVIGATION_OBSTACLE_BITS };

// --- Footprints ----------------------------------------------------------------------------------

// The direction outwards of the side from a to b of a counter-clockwise polygon.
static ct_vec2 outwards(ct_vec2 a, ct_vec2 b) {
    const float dx = b.x - a.x, dy = b.y - a.y, length = sqrtf(dx * dx + dy * dy);
    return ct_vec2_make(dy / length, -dx / length);
}

static void push_point(ct_navigation_footprint *f, float x, float y) {
    f->points[f->num_points++] = ct_vec2_make(x, y);
}

// Adds the corner at `at` between sides with the normals n and m, moved out by `radius`. Sharp corners get
// two points: their tip is cut off where the circle around the corner ends.
static void grow_corner(ct_navigation_footprint *f, ct_vec2 at, ct_vec2 n, ct_vec2 m,
                        float radius) {
    const float cosine = n.x * m.x + n.y * m.y;
    if (radius <= 0) {
        push_point(f, at.x, at.y);
        return;
    }
    if (cosine >= -1e-3f) {
        const float scale = radius / (1 + cosine);
        push_point(f, at.x + (n.x + m.x) * scale, at.y + (n.y + m.y) * scale);
        return;
    }
    // The cut is at a right angle to the direction halfway from n to m.
    const float along = radius * tanf(acosf(fmaxf(cosine, -1)) * 0.25f);
    push_point(f, at.x + n.x * radius - n.y * along, at.y + n.y * radius + n.x * along);
    push_point(f, at.x + m.x * radius + m.y * along, at.y + m.y * radius - m.x * along);
}

static void grow(ct_navigation_footprint *f, const ct_vec2 *points, uint32_t count, float radius) {
    for (uint32_t i = 0; i < count; ++i) {
        const ct_vec2 last = points[i ? i - 1 : count - 1], at = points[i];
        const ct_vec2 next = points[i + 1 < count ? i + 1 : 0];
        grow_corner(f, at, outwards(last, at), outwards(at, next), radius);
    }
}

static void grow_box(ct_navigation_footprint *f, const ct_navigation_obstacle_desc *d,
                     float radius) {
    const float c = cosf(d->angle), s = sinf(d->angle);
    const float w = d->half_size.x + radius, h = d->half_size.y + radius;
    const float corners[4][2] = {{-w, -h}, {w, -h}, {w, h}, {-w, h}};
    for (uint32_t i = 0; i < 4; ++i)
        push_point(f, d->position.x + corners[i][0] * c - corners[i][1] * s,
                   d->position.y + corners[i][0] * s + corners[i][1] * c);
}

static void grow_cylinder(ct_navigation_footprint *f, const ct_navigation_obstacle_desc *d,
                          float radius) {
    const float step = 2 * GLM_PIf / CYLINDER_SIDES;
    const float r = (d->half_size.x + radius) / cosf(step * 0.5f); // the circle is inside
    for (uint32_t i = 0; i < CYLINDER_SIDES; ++i)
        push_point(f, d->position.x + cosf(step * (float)i) * r,
                   d->position.y + sinf(step * (float)i) * r);
}

static void grow_convex(ct_navigation_footprint *f, const ct_navigation_obstacle_desc *d,
                        float radius) {
    const float c = cosf(d->angle), s = sinf(d->angle);
    ct_vec2 points[CT_NAVIGATION_MAX_OBSTACLE_POINTS];
    for (uint32_t i = 0; i < d->num_points; ++i)
        points[i] = ct_vec2_make(d->position.x + d->points[i].x * c - d->points[i].y * s,
                                 d->position.y + d->points[i].x * s + d->points[i].y * c);
    grow(f, points, d->num_points, radius);
}

// A footprint whose numbers left what floats can tell apart is empty.
static bool is_sound(const ct_navigation_footprint *f) {
    double twice = 0;
    for (uint32_t i = 0; i < f->num_points; ++i) {
        const ct_vec2 a = f->points[i], b = f->points[i + 1 < f->num_points ? i + 1 : 0];
        if (!isfinite(a.x) || !isfinite(a.y) || (a.x == b.x && a.y == b.y))
            return false;
        twice += ((double)a.x - f->points[0].x) * ((double)b.y - f->points[0].y) -
                 ((double)a.y - f->points[0].y) * ((double)b.x - f->points[0].x);
    }
    return twice > 1e-7;
}

void ct_navigation_footprint_of(const ct_navigation_class *class,
                                const ct_navigation_obstacle_desc *desc,
                                ct_navigation_footprint *footprint) {
    ct_navigation_footprint *const f = footprint;
    memset(f, 0, sizeof(*f));
    const bool cuts = desc->area < 0;
    const float radius = cuts ? class->radius : 0;
    f->area = desc->area;
    f->bottom = desc->position.z - (cuts ? class->height : class->climb);
    f->top = desc->position.z + desc->height;
    if (desc->shape == CT_NAVIGATION_BOX)
        grow_box(f, desc, radius);
    else if (desc->shape == CT_NAVIGATION_CYLINDER)
        grow_cylinder(f, desc, radius);
    else
        grow_convex(f, desc, radius);
    if (!is_sound(f))
        f->num_points = 0;
    f->min = ct_vec2_make(INFINITY, INFINITY);
    f->max = ct_vec2_make(-INFINITY, -INFINITY);
    for (uint32_t i = 0; i < f->num_points; ++i) {
        f->min = ct_vec2_make(fminf(f->min.x, f->points[i].x), fminf(f->min.y, f->points[i].y));
        f->max = ct_vec2_make(fmaxf(f->max.x, f->points[i].x), fmaxf(f->max.y, f->points[i].y));
    }
}

bool ct_navigation_footprint_touches(const ct_navigation_mesh *m, const ct_navigation_footprint *f,
                                     const ct_navigation_tile_resource *tile) {
    const double size = m->resource->tile_size, margin = 1e-3 * size;
    return f->num_points && f->max.x > tile->x * size - margin &&
           f->min.x < (tile->x + 1.0) * size + margin && f->max.y > tile->y * size - margin &&
           f->min.y < (tile->y + 1.0) * size + margin && f->bottom <= tile->max_z &&
           f->top >= tile->min_z;
}

// Cuts come first, then areas upwards: the highest wins. The rest of the order is that of the numbers, so
// that it does not depend on when obstacles were added.
static int compare(const ct_navigation_footprint *a, const ct_navigation_footprint *b) {
    return a->area != b->area ? (a->area < b->area ? -1 : 1) : memcmp(a, b, sizeof(*a));
}

static void sift(ct_navigation_footprint *f, uint32_t i, uint32_t count) {
    for (uint32_t child = i * 2 + 1; child < count; i = child, child = i * 2 + 1) {
        child += child + 1 < count && compare(&f[child + 1], &f[child]) > 0;
        if (compare(&f[child], &f[i]) <= 0)
            return;
        const ct_navigation_footprint last = f[i];
        f[i] = f[child];
        f[child] = last;
    }
}

static void sort_footprints(ct_navigation_footprint *f, uint32_t count) {
    for (uint32_t i = count / 2; i-- > 0;)
        sift(f, i, count);
    for (uint32_t i = count; i-- > 1;) {
        const ct_navigation_footprint last = f[i];
        f[i] = f[0];
        f[0] = last;
        sift(f, 0, i);
    }
}

void ct_navigation_gather_footprints(const ct_navigation_mesh *m,
                                     const ct_navigation_tile_resource *tile,
                                     ct_navigation_scratch *s) {
    s->footprints.count = 0;
    for (uint32_t i = 0; i < m->obstacles.count; ++i) {
        const ct_navigation_footprint *const f = &m->obstacle_footprints.items[i];
        if (ct_navigation_footprint_touches(m, f, tile)) // those of dead ones are empty
            ct_array_push(&s->footprints, *f);
    }
    sort_footprints(s->footprints.items, s->footprints.count);
}

void ct_navigation_use_footprints(ct_navigation_mesh *m, uint32_t slot) {
    const ct_navigation_slot *const s = &m->slots[slot];
    m->scratch.footprints.count = 0;
    if (s->counts.footprints)
        ct_array_push_many(&m->scratch.footprints, s->arrays.footprints, s->counts.footprints);
}

static void wait_for_update(ct_navigation_mesh *m, uint32_t slot,
                            const ct_navigation_footprint *f) {
    ct_navigation_slot *const s = &m->slots[slot];
    if (slot == 0 || m->tiles[slot].version == 0 || s->is_waiting ||
        !ct_navigation_footprint_touches(m, f, m->tiles[slot].resource))
        return;
    s->is_waiting = true;
    ct_array_push(&m->waiting, slot);
}

static int32_t tile_at(double at, double size, int32_t min, int32_t max) {
    return (int32_t)fmin(fmax(floor(at / size), min), max);
}

void ct_navigation_touch(ct_navigation_mesh *m, const ct_navigation_footprint *footprint) {
    const ct_navigation_footprint *const f = footprint;
    if (f->num_points == 0 || m->class->tiles.count == 0)
        return;
    const double size = m->resource->tile_size, margin = 1e-3 * size;
    const int32_t x0 = tile_at(f->min.x - margin, size, m->min_x, m->max_x);
    const int32_t x1 = tile_at(f->max.x + margin, size, m->min_x, m->max_x);
    const int32_t y0 = tile_at(f->min.y - margin, size, m->min_y, m->max_y);
    const int32_t y1 = tile_at(f->max.y + margin, size, m->min_y, m->max_y);
    if (((int64_t)x1 - x0 + 1) * ((int64_t)y1 - y0 + 1) > (int64_t)m->num_slots) {
        for (uint32_t i = 1; i < m->num_slots; ++i)
            wait_for_update(m, i, f);
        return;
    }
    for (int32_t y = y0; y <= y1; ++y)
        for (int32_t x = x0; x <= x1; ++x)
            wait_for_update(m, ct_navigation_slot_at(m, x, y), f);
}

// --- The check -----------------------------------------------------------------------------------

static bool check_points(const ct_navigation_obstacle_desc *d, ct_error *error) {
    if (d->num_points < 3 || d->num_points > CT_NAVIGATION_MAX_OBSTACLE_POINTS)
        return ct_error_set(error, "found %u points; expected 3 to %d", d->num_points,
                            CT_NAVIGATION_MAX_OBSTACLE_POINTS);
    float turned = 0;
    for (uint32_t i = 0; i < d->num_points; ++i) {
        const ct_vec2 a = d->points[i], b = d->points[(i + 1) % d->num_points];
        const ct_vec2 c = d->points[(i + 2) % d->num_points];
        if (!isfinite(a.x) || !isfinite(a.y))
            return ct_error_set(error, "points[%u] is not finite", i);
        const float ux = b.x - a.x, uy = b.y - a.y, vx = c.x - b.x, vy = c.y - b.y;
        const float cross = ux * vy - uy * vx;
        if (!(cross > 0))
            return ct_error_set(error,
                                "points[%u] is no corner of a convex, counter-clockwise polygon",
                                (i + 1) % d->num_points);
        turned += atan2f(cross, ux * vx + uy * vy);
    }
    if (turned > 2 * GLM_PIf + 0.1f)
        return ct_error_set(error,
                            "the points go around more than once; expected a convex polygon");
    return true;
}

bool ct_navigation_check_obstacle(const ct_navigation_mesh *m, const ct_navigation_obstacle_desc *d,
                                  ct_error *error) {
    if (d->shape >= CT_NAVIGATION_SHAPE_COUNT)
        return ct_error_set(error, "found the shape %u; expected 0 to %d", d->shape,
                            CT_NAVIGATION_SHAPE_COUNT - 1);
    if (!isfinite(d->position.x) || !isfinite(d->position.y) || !isfinite(d->position.z))
        return ct_error_set(error, "the position is not finite");
    if (!isfinite(d->angle))
        return ct_error_set(error, "the angle is not finite");
    if (!(d->height >= 0) || !isfinite(d->height))
        return ct_error_set(error, "found the height %g; expected a number from 0", d->height);
    if (d->area < -1 || d->area >= (int32_t)m->resource->areas.count)
        return ct_error_set(error, "found the area %d; expected -1 to %d", d->area,
                            (int)m->resource->areas.count - 1);
    if (d->shape == CT_NAVIGATION_CONVEX)
        return check_points(d, error);
    const float least =
        d->shape == CT_NAVIGATION_BOX ? fminf(d->half_size.x, d->half_size.y) : d->half_size.x;
    const bool is_finite = isfinite(d->half_size.x) &&
                           (d->shape == CT_NAVIGATION_CYLINDER || isfinite(d->half_size.y));
    if (!(least >= 0) || !is_finite)
        return ct_error_set(error, "found the half size %g, %g; expected numbers from 0",
                            d->half_size.x, d->half_size.y);
    return true;
}

// --- Changes -------------------------------------------------------------------------------------

// The place of a live obstacle; UINT32_MAX: it is not live.
static uint32_t index_of(const ct_navigation_mesh *m, ct_navigation_obstacle o) {
    const uint32_t index = (o.id & ((1u << INDEX_BITS) - 1)) - 1;
    if (index >= m->obstacles.count || !m->obstacles.items[index].is_live ||
        m->obstacles.items[index].generation != o.id >> INDEX_BITS)
        return UINT32_MAX;
    return index;
}

ct_navigation_obstacle ct_navigation_add_obstacle(ct_navigation_mesh *m,
                                                  const ct_navigation_obstacle_desc *desc,
                                                  ct_error *error) {
    const ct_navigation_obstacle none = {0};
    if (!ct_navigation_check_obstacle(m, desc, error))
        return none;
    if (m->free_obstacles.count == 0 && m->obstacles.count >= CT_NAVIGATION_MAX_OBSTACLES) {
        ct_error_set(error, "there are %d obstacles; no more are possible",
                     CT_NAVIGATION_MAX_OBSTACLES);
        return none;
    }
    if (m->free_obstacles.count == 0) {
        ct_array_push(&m->free_obstacles, m->obstacles.count);
        ct_array_resize(&m->obstacles, m->obstacles.count + 1);
        ct_array_resize(&m->obstacle_footprints, m->obstacles.count);
    }
    const uint32_t index = m->free_obstacles.items[--m->free_obstacles.count];
    ct_navigation_obstacle_slot *const slot = &m->obstacles.items[index];
    slot->desc = *desc;
    slot->is_live = true;
    ct_navigation_footprint *const f = &m->obstacle_footprints.items[index];
    ct_navigation_footprint_of(m->class, desc, f);
    ct_navigation_touch(m, f);
    return (ct_navigation_obstacle){slot->generation << INDEX_BITS | (index + 1)};
}

bool ct_navigation_move_obstacle(ct_navigation_mesh *m, ct_navigation_obstacle o, ct_vec3 position,
                                 float angle, ct_error *error) {
    const uint32_t index = index_of(m, o);
    if (index == UINT32_MAX)
        return ct_error_set(error, "the obstacle was removed");
    ct_navigation_obstacle_desc desc = m->obstacles.items[index].desc;
    desc.position = position;
    desc.angle = angle;
    if (!ct_navigation_check_obstacle(m, &desc, error))
        return false;
    ct_navigation_footprint footprint;
    ct_navigation_footprint_of(m->class, &desc, &footprint);
    m->obstacles.items[index].desc = desc;
    if (memcmp(&footprint, &m->obstacle_footprints.items[index], sizeof(footprint)) == 0)
        return true;
    ct_navigation_touch(m, &m->obstacle_footprints.items[index]);
    ct_navigation_touch(m, &footprint);
    m->obstacle_footprints.items[index] = footprint;
    return true;
}

void ct_navigation_remove_obstacle(ct_navigation_mesh *m, ct_navigation_obstacle o) {
    const uint32_t index = index_of(m, o);
    if (index == UINT32_MAX)
        return;
    ct_navigation_obstacle_slot *const slot = &m->obstacles.items[index];
    ct_navigation_footprint *const f = &m->obstacle_footprints.items[index];
    ct_navigation_touch(m, f);
    f->num_points = 0;
    slot->is_live = false;
    slot->generation = (slot->generation + 1) & ((1u << (32 - INDEX_BITS)) - 1);
    ct_array_push(&m->free_obstacles, index);
}

bool ct_navigation_obstacle_is_live(const ct_navigation_mesh *m, ct_navigation_obstacle o) {
    return index_of(m, o) != UINT32_MAX;
}
