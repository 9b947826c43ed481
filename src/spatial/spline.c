#include "spatial/spline.h"

#include <float.h>
#include <math.h>

#include "foundation/error.h"
#include "foundation/math/math.h"

uint32_t ct_spline_num_pieces(uint32_t num_points, bool is_closed) {
    CT_ASSERT(num_points >= 2, "a spline of %u points", num_points);
    return num_points - 1 + is_closed;
}

uint32_t ct_spline_num_controls(uint32_t num_pieces) {
    return 3 * num_pieces + 1;
}

uint32_t ct_spline_num_lengths(uint32_t num_pieces) {
    return CT_SPLINE_STEPS * num_pieces + 1;
}

// --- One piece -----------------------------------------------------------------------------------

static ct_vec3 point_at(const ct_vec3 *c, float t) {
    const float u = 1 - t;
    ct_vec3 p = ct_vec3_scale(c[0], u * u * u);
    p = ct_vec3_add(p, ct_vec3_scale(c[1], 3 * u * u * t));
    p = ct_vec3_add(p, ct_vec3_scale(c[2], 3 * u * t * t));
    return ct_vec3_add(p, ct_vec3_scale(c[3], t * t * t));
}

static ct_vec3 velocity_at(const ct_vec3 *c, float t) {
    const float u = 1 - t;
    ct_vec3 v = ct_vec3_scale(ct_vec3_sub(c[1], c[0]), 3 * u * u);
    v = ct_vec3_add(v, ct_vec3_scale(ct_vec3_sub(c[2], c[1]), 6 * u * t));
    return ct_vec3_add(v, ct_vec3_scale(ct_vec3_sub(c[3], c[2]), 3 * t * t));
}

// The direction of a piece at `t`. Where a handle has no length, the curve starts or ends in the
// direction of the next control.
static ct_vec3 direction_at(const ct_vec3 *c, float t) {
    const ct_vec3 v = velocity_at(c, t);
    const float reach =
        ct_vec3_length(ct_vec3_sub(c[3], c[0])) + ct_vec3_length(ct_vec3_sub(c[2], c[1]));
    if (ct_vec3_length(v) > 1e-5f * reach)
        return ct_vec3_normalize(v);
    const float nearby = t < 0.5f ? t + 0.01f : t - 0.01f;
    return ct_vec3_normalize(velocity_at(c, nearby));
}

// The length of a piece from `from` to `to`.
static float length_between(const ct_vec3 *c, float from, float to) {
    static const float places[5] = {-0.9061798459f, -0.5384693101f, 0, 0.5384693101f,
                                    0.9061798459f};
    static const float weights[5] = {0.2369268851f, 0.4786286705f, 0.5688888889f, 0.4786286705f,
                                     0.2369268851f};
    const float half = 0.5f * (to - from), middle = 0.5f * (to + from);
    float sum = 0;
    for (uint32_t i = 0; i < 5; ++i)
        sum += weights[i] * ct_vec3_length(velocity_at(c, middle + half * places[i]));
    return half * sum;
}

// --- Making --------------------------------------------------------------------------------------

// The handles of the piece from b to c, whose neighbours are a and d. Knots are apart by the square
// root of the distance.
static void centripetal_piece(ct_vec3 a, ct_vec3 b, ct_vec3 c, ct_vec3 d, ct_vec3 *out) {
    const float ab = sqrtf(ct_vec3_length(ct_vec3_sub(b, a)));
    const float bc = sqrtf(ct_vec3_length(ct_vec3_sub(c, b)));
    const float cd = sqrtf(ct_vec3_length(ct_vec3_sub(d, c)));
    // The slopes at b and c by the knots (Barry and Goldman 1988), times bc / 3.
    const ct_vec3 slope_ab = ct_vec3_scale(ct_vec3_sub(b, a), 1 / ab);
    const ct_vec3 slope_bc = ct_vec3_scale(ct_vec3_sub(c, b), 1 / bc);
    const ct_vec3 slope_cd = ct_vec3_scale(ct_vec3_sub(d, c), 1 / cd);
    const ct_vec3 at_b = ct_vec3_lerp(slope_ab, slope_bc, ab / (ab + bc));
    const ct_vec3 at_c = ct_vec3_lerp(slope_bc, slope_cd, bc / (bc + cd));
    out[0] = b;
    out[1] = ct_vec3_add(b, ct_vec3_scale(at_b, bc / 3));
    out[2] = ct_vec3_sub(c, ct_vec3_scale(at_c, bc / 3));
}

void ct_spline_from_catmull_rom(const ct_vec3 *points, uint32_t num_points, bool is_closed,
                                ct_vec3 *controls) {
    const uint32_t pieces = ct_spline_num_pieces(num_points, is_closed);
    for (uint32_t i = 0; i < pieces; ++i) {
        const ct_vec3 b = points[i], c = points[(i + 1) % num_points];
        const bool is_first = i == 0 && !is_closed, is_last = i + 1 == pieces && !is_closed;
        const ct_vec3 a = is_first ? ct_vec3_sub(ct_vec3_scale(b, 2), c)
                                   : points[(i + num_points - 1) % num_points];
        const ct_vec3 d =
            is_last ? ct_vec3_sub(ct_vec3_scale(c, 2), b) : points[(i + 2) % num_points];
        centripetal_piece(a, b, c, d, &controls[3 * i]);
    }
    controls[3 * pieces] = points[pieces % num_points];
}

void ct_spline_measure(const ct_vec3 *controls, uint32_t num_pieces, float *lengths) {
    double sum = 0;
    lengths[0] = 0;
    for (uint32_t i = 0; i < CT_SPLINE_STEPS * num_pieces; ++i) {
        const uint32_t step = i % CT_SPLINE_STEPS;
        const ct_vec3 *const c = &controls[3 * (i / CT_SPLINE_STEPS)];
        sum += (double)length_between(c, (float)step / CT_SPLINE_STEPS,
                                      (float)(step + 1) / CT_SPLINE_STEPS);
        lengths[i + 1] = (float)sum;
    }
}

// --- Places --------------------------------------------------------------------------------------

// The last step that starts at or before `distance`.
static uint32_t find_step(const ct_spline *s, float distance) {
    uint32_t low = 0, high = CT_SPLINE_STEPS * s->num_pieces;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (s->lengths[middle] <= distance)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// The parameter in step `step` (0 to 1 within its piece) that is `rest` metres behind its start.
static float find_parameter(const ct_vec3 *c, float start, float rest, float step_length) {
    const float width = 1.0f / CT_SPLINE_STEPS;
    float low = start, high = start + width;
    float t = step_length > 0 ? start + width * fminf(rest / step_length, 1) : start;
    for (uint32_t i = 0; i < 12; ++i) {
        const float excess = length_between(c, start, t) - rest;
        if (fabsf(excess) <= 1e-6f * step_length)
            break;
        low = excess < 0 ? t : low;
        high = excess < 0 ? high : t;
        const float speed = ct_vec3_length(velocity_at(c, t));
        const float next = t - excess / speed;
        t = next > low && next < high ? next : 0.5f * (low + high); // nor what is not finite
    }
    return t;
}

static float within(const ct_spline *s, float distance) {
    const float all = ct_spline_length(s);
    if (!s->is_closed || all == 0)
        return fmaxf(0, fminf(distance, all));
    const float rest = fmodf(distance, all);
    return rest < 0 ? rest + all : rest;
}

ct_spline_place ct_spline_at(const ct_spline *s, float distance) {
    const float d = within(s, distance);
    const uint32_t step = find_step(s, d), place = step % CT_SPLINE_STEPS;
    const ct_vec3 *const c = &s->controls[3 * (step / CT_SPLINE_STEPS)];
    const float start = s->lengths[step], step_length = s->lengths[step + 1] - start;
    const float from = (float)place / CT_SPLINE_STEPS;
    float t = from; // the ends of steps are exact
    if (d >= s->lengths[step + 1])
        t = (float)(place + 1) / CT_SPLINE_STEPS;
    else if (d > start)
        t = find_parameter(c, from, d - start, step_length);
    return (ct_spline_place){
        .distance = d, .position = point_at(c, t), .tangent = direction_at(c, t)};
}

ct_vec3 ct_spline_step_position(const ct_spline *s, uint32_t i) {
    const uint32_t piece = i / CT_SPLINE_STEPS;
    if (piece >= s->num_pieces)
        return s->controls[3 * s->num_pieces];
    return point_at(&s->controls[3 * piece], (float)(i % CT_SPLINE_STEPS) / CT_SPLINE_STEPS);
}

static float distance2(ct_vec3 a, ct_vec3 b) {
    const ct_vec3 d = ct_vec3_sub(a, b);
    return ct_vec3_dot(d, d);
}

// The square of the distance from `p` to a box around a piece's controls.
static float distance2_to_box(const ct_vec3 *c, ct_vec3 p) {
    float sum = 0;
    for (uint32_t k = 0; k < 3; ++k) {
        const float low = fminf(fminf(c[0].raw[k], c[1].raw[k]), fminf(c[2].raw[k], c[3].raw[k]));
        const float high = fmaxf(fmaxf(c[0].raw[k], c[1].raw[k]), fmaxf(c[2].raw[k], c[3].raw[k]));
        const float outside = fmaxf(0, fmaxf(low - p.raw[k], p.raw[k] - high));
        sum += outside * outside;
    }
    return sum;
}

// The best place found so far.
typedef struct nearest {
    float distance2, t;
    uint32_t piece;
} nearest;

// Narrows the valley between `low` and `high` by thirds.
static float find_lowest(const ct_vec3 *c, ct_vec3 p, float low, float high) {
    for (uint32_t i = 0; i < 32; ++i) {
        const float third = (high - low) / 3, a = low + third, b = high - third;
        const bool is_left = distance2(point_at(c, a), p) <= distance2(point_at(c, b), p);
        low = is_left ? low : a;
        high = is_left ? b : high;
    }
    return 0.5f * (low + high);
}

static void consider(nearest *best, const ct_vec3 *c, uint32_t piece, ct_vec3 p, float t) {
    const float d2 = distance2(point_at(c, t), p);
    if (d2 < best->distance2)
        *best = (nearest){d2, t, piece};
}

static void search_piece(nearest *best, const ct_vec3 *c, uint32_t piece, ct_vec3 p) {
    enum { PLACES = 2 * CT_SPLINE_STEPS };
    float d2[PLACES + 1];
    for (uint32_t i = 0; i <= PLACES; ++i)
        d2[i] = distance2(point_at(c, (float)i / PLACES), p);
    for (uint32_t i = 0; i <= PLACES; ++i) {
        const float before = i > 0 ? d2[i - 1] : FLT_MAX, after = i < PLACES ? d2[i + 1] : FLT_MAX;
        if (d2[i] > before || d2[i] > after)
            continue;
        const float low = (float)(i > 0 ? i - 1 : 0) / PLACES;
        const float high = (float)(i < PLACES ? i + 1 : PLACES) / PLACES;
        consider(best, c, piece, p, (float)i / PLACES);
        consider(best, c, piece, p, find_lowest(c, p, low, high));
    }
}

ct_spline_place ct_spline_nearest(const ct_spline *s, ct_vec3 point) {
    nearest best = {FLT_MAX, 0, 0};
    uint32_t first = 0; // the piece that is likely the nearest, so that few others are searched
    float least = FLT_MAX;
    for (uint32_t i = 0; i < s->num_pieces; ++i) {
        const float d2 = distance2_to_box(&s->controls[3 * i], point);
        first = d2 < least ? i : first;
        least = fminf(least, d2);
    }
    search_piece(&best, &s->controls[3 * first], first, point);
    for (uint32_t i = 0; i < s->num_pieces; ++i) {
        const ct_vec3 *const c = &s->controls[3 * i];
        if (i != first && distance2_to_box(c, point) < best.distance2)
            search_piece(&best, c, i, point);
    }
    const ct_vec3 *const c = &s->controls[3 * best.piece];
    const uint32_t place = (uint32_t)fminf(best.t * CT_SPLINE_STEPS, CT_SPLINE_STEPS - 1);
    const float start = (float)place / CT_SPLINE_STEPS;
    const float before = s->lengths[best.piece * CT_SPLINE_STEPS + place];
    return (ct_spline_place){.distance = before + length_between(c, start, best.t),
                             .position = point_at(c, best.t),
                             .tangent = direction_at(c, best.t)};
}

ct_aabb ct_spline_bounds(const ct_spline *s) {
    ct_aabb box = ct_aabb_empty();
    for (uint32_t i = 0; i < ct_spline_num_controls(s->num_pieces); ++i)
        box = ct_aabb_add_point(box, s->controls[i]);
    return box;
}
