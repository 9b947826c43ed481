// Billboards: channels to instances, four particles at a time.
#include <float.h>
#include <math.h>
#include <string.h>

#include "foundation/math/math_lanes.h"
#include "particles/particle_draw.h"

#ifdef __SSE4_1__
#include <smmintrin.h>
#endif

#define INLINE __attribute__((always_inline)) static inline

_Static_assert(sizeof(ct_particle_instance) == 3 * sizeof(ct_column) &&
                   offsetof(ct_particle_instance, axis) == sizeof(ct_column) &&
                   offsetof(ct_particle_instance, size) == 2 * sizeof(ct_column),
               "an instance is three columns");

// --- Half floats ---------------------------------------------------------------------------------

// Four half floats, in the lanes of whole numbers; what is negative becomes 0.
INLINE ct_column_bits halves_of(ct_column x) {
    const ct_column limited =
        ct_column_min(ct_column_max(x, ct_column_all(0)), ct_column_all(65504));
    // The exponent's offset is 112 less. Adds half of what is cut off, so it rounds.
    return ((ct_column_bits)limited + (0x1000 - (112 << 23))) >> 13;
}

uint16_t ct_particle_half(float x) {
    const int32_t half = halves_of(ct_column_all(x))[0];
    return (uint16_t)(half > 0 ? half : 0);
}

// Converts red, green, blue and alpha of four particles: `pairs` are two half floats in each lane,
// red and green, blue and alpha.
INLINE void pack_halves(const ct_column color[4], ct_column pairs[2]) {
    const ct_column_bits red = halves_of(color[0]), green = halves_of(color[1]);
    const ct_column_bits blue = halves_of(color[2]), alpha = halves_of(color[3]);
#ifdef __SSE4_1__
    const __m128i red_blue = _mm_packus_epi32((__m128i)red, (__m128i)blue);
    const __m128i green_alpha = _mm_packus_epi32((__m128i)green, (__m128i)alpha);
    pairs[0] = (ct_column)_mm_unpacklo_epi16(red_blue, green_alpha);
    pairs[1] = (ct_column)_mm_unpackhi_epi16(red_blue, green_alpha);
#else
    pairs[0] = (ct_column)((red & (red > 0)) | (green & (green > 0)) << 16);
    pairs[1] = (ct_column)((blue & (blue > 0)) | (alpha & (alpha > 0)) << 16);
#endif
}

void ct_particle_color(const ct_particle_drawing *d, uint32_t i, uint16_t color[4]) {
    const float *const channel = ct_particle_drawn_channel(d, CT_PARTICLE_COLOR);
    for (uint32_t k = 0; k < 4; ++k)
        color[k] = ct_particle_half(channel ? channel[k * (size_t)d->state->capacity + i] : 1);
}

// --- Instances -----------------------------------------------------------------------------------

// What is found of billboards while they are written.
typedef struct extent {
    ct_column least, most; // x, y, z of positions
    ct_column size, axis;  // of four particles: the largest; of axes the square of the length
} extent;

// The channels of billboards; NULL: the emitter has none.
typedef struct billboards {
    const float *position, *rotation, *axis, *frame, *size, *color;
    const ct_mat4 *pose; // of the effect, for particles in its space; else NULL
    size_t stride;       // between channels
    float scale;
} billboards;

static const float *axis_channel(const ct_particle_drawing *d) {
    switch (d->emitter->look.facing) {
    case CT_PARTICLE_FACING_VELOCITY:
    case CT_PARTICLE_FACING_STRETCHED:
    case CT_PARTICLE_FACING_MOTION:
        return ct_particle_drawn_channel(d, CT_PARTICLE_VELOCITY);
    case CT_PARTICLE_FACING_NORMAL:
        return ct_particle_drawn_channel(d, CT_PARTICLE_AXIS);
    default:
        return NULL;
    }
}

static billboards billboards_of(const ct_particle_drawing *d) {
    return (billboards){.position = ct_particle_drawn_channel(d, CT_PARTICLE_POSITION),
                        .rotation = ct_particle_drawn_channel(d, CT_PARTICLE_ROTATION),
                        .axis = axis_channel(d),
                        .frame = ct_particle_drawn_channel(d, CT_PARTICLE_FRAME),
                        .size = ct_particle_drawn_channel(d, CT_PARTICLE_SIZE),
                        .color = ct_particle_drawn_channel(d, CT_PARTICLE_COLOR),
                        .pose = ct_particle_is_local(d) ? &d->effect->pose : NULL,
                        .stride = d->state->capacity,
                        .scale = d->scale};
}

// Brings four vectors from the effect's space to the world's; `w` 1 for points, 0 for directions.
INLINE void transform_four(const ct_mat4 *pose, ct_column v[3], float w) {
    const ct_column x = v[0], y = v[1], z = v[2];
    for (uint32_t axis = 0; axis < 3; ++axis)
        v[axis] = x * pose->raw[0][axis] + y * pose->raw[1][axis] + z * pose->raw[2][axis] +
                  pose->raw[3][axis] * w;
}

// The first parts of the instances of particles `i` to `i` + 3: positions and rotations.
INLINE void write_places(const billboards *b, uint32_t i, extent *e, ct_column parts[4]) {
    for (uint32_t axis = 0; axis < 3; ++axis)
        parts[axis] = ct_column_of(b->position + axis * b->stride + i);
    if (b->pose)
        transform_four(b->pose, parts, 1);
    parts[3] = b->rotation ? ct_column_of(b->rotation + i) : ct_column_all(0);
    ct_columns_transpose(&parts[0], &parts[1], &parts[2], &parts[3]);
    for (uint32_t lane = 0; lane < 4; lane += 2) {
        e->least = ct_column_min(ct_column_min(parts[lane], parts[lane + 1]), e->least);
        e->most = ct_column_max(ct_column_max(parts[lane], parts[lane + 1]), e->most);
    }
}

// The second parts: axes and frames.
INLINE void write_axes(const billboards *b, uint32_t i, extent *e, ct_column parts[4]) {
    for (uint32_t k = 0; k < 4; ++k)
        parts[k] = ct_column_all(k == 2);
    if (b->axis) {
        for (uint32_t axis = 0; axis < 3; ++axis)
            parts[axis] = ct_column_of(b->axis + axis * b->stride + i);
        if (b->pose)
            transform_four(b->pose, parts, 0);
        e->axis =
            ct_column_max(parts[0] * parts[0] + parts[1] * parts[1] + parts[2] * parts[2], e->axis);
    }
    if (b->frame)
        parts[3] = ct_column_of(b->frame + i);
    ct_columns_transpose(&parts[0], &parts[1], &parts[2], &parts[3]);
}

// Numbers without their signs.
INLINE ct_column size_of(ct_column x) {
    return (ct_column)((ct_column_bits)x & 0x7fffffff);
}

// The third parts: sizes and colours.
INLINE void write_looks(const billboards *b, uint32_t i, extent *e, ct_column parts[4]) {
    const ct_column one = ct_column_all(1);
    ct_column color[4] = {one, one, one, one};
    for (uint32_t k = 0; k < 2; ++k)
        parts[k] = b->size ? ct_column_of(b->size + k * b->stride + i) : one;
    e->size = ct_column_max(ct_column_max(size_of(parts[0]), size_of(parts[1])), e->size);
    parts[0] *= b->scale;
    parts[1] *= b->scale;
    for (uint32_t k = 0; b->color && k < 4; ++k)
        color[k] = ct_column_of(b->color + k * b->stride + i);
    pack_halves(color, parts + 2);
    ct_columns_transpose(&parts[0], &parts[1], &parts[2], &parts[3]);
}

// Writes particles `begin` to `end` (multiples of 4), `step` parts apart. Memory is written from one
// end to the other: that costs least. `b` and `e` are copies, of which the compiler knows that the
// instances do not overlap them, and `b` may hold constants.
INLINE extent write_all(billboards b, uint32_t begin, uint32_t end, ct_column *to, ptrdiff_t step,
                        extent e) {
    for (uint32_t i = begin; i < end; i += 4) {
        ct_column places[4], axes[4], looks[4];
        write_places(&b, i, &e, places);
        write_axes(&b, i, &e, axes);
        write_looks(&b, i, &e, looks);
        for (uint32_t lane = 0; lane < 4; ++lane, to += step) {
            to[0] = places[lane];
            to[1] = axes[lane];
            to[2] = looks[lane];
        }
    }
    return e;
}

// As write_all; most billboards look at the camera, and get a loop without what they do not need.
static void write_instances(const billboards *from, uint32_t begin, uint32_t end,
                            ct_particle_instance *instances, ptrdiff_t step, extent *e) {
    ct_column *const to = (ct_column *)(void *)instances;
    billboards b = *from;
    if (b.pose || b.axis || b.frame || !b.size || !b.color || step != 1) {
        *e = write_all(b, begin, end, to, 3 * step, *e);
        return;
    }
    b.pose = NULL;
    b.axis = b.frame = NULL;
    *e = b.rotation ? write_all(b, begin, end, to, 3, *e) : write_all(b, begin, end, to, 3, *e);
}

static float largest(ct_column x) {
    return fmaxf(fmaxf(x[0], x[1]), fmaxf(x[2], x[3]));
}

static extent no_extent(void) {
    return (extent){.least = ct_column_all(FLT_MAX),
                    .most = ct_column_all(-FLT_MAX),
                    .size = ct_column_all(0),
                    .axis = ct_column_all(0)};
}

static ct_particle_bounds bounds_of(const ct_particle_drawing *d, const extent *e) {
    const ct_particle_look *const look = &d->emitter->look;
    ct_particle_bounds bounds = {
        .box = {{{e->least[0], e->least[1], e->least[2]}}, {{e->most[0], e->most[1], e->most[2]}}}};
    // From the pivot to the farthest corner.
    const float right = fmaxf(fabsf(look->pivot[0]), fabsf(1 - look->pivot[0]));
    const float top = fmaxf(fabsf(look->pivot[1]), fabsf(1 - look->pivot[1]));
    bounds.reach = largest(e->size) * d->scale * sqrtf(right * right + top * top);
    if (look->facing == CT_PARTICLE_FACING_STRETCHED)
        bounds.reach += sqrtf(largest(e->axis)) * fabsf(look->stretch);
    return bounds;
}

// Writes the particles behind the last group of four, from `begin` on, to where `first` is that of
// particle 0. The lanes behind the last particle mean nothing.
static void write_rest(const billboards *b, uint32_t begin, uint32_t end,
                       ct_particle_instance *first, ptrdiff_t step, extent *e) {
    _Alignas(16) ct_particle_instance rest[4];
    extent group = no_extent();
    write_instances(b, begin, begin + 4, rest, 1, &group);
    for (uint32_t lane = 0; lane < end - begin; ++lane) {
        const ct_column place = ct_column_of(rest[lane].position);
        e->least = ct_column_min(place, e->least);
        e->most = ct_column_max(place, e->most);
        e->size = ct_column_max(ct_column_all(group.size[lane]), e->size);
        e->axis = ct_column_max(ct_column_all(group.axis[lane]), e->axis);
        first[(ptrdiff_t)(begin + lane) * step] = rest[lane];
    }
}

void ct_particle_draw_billboards(const ct_particle_drawing *d) {
    const uint32_t count = d->state->count, whole = count & ~3u;
    const billboards b = billboards_of(d);
    const bool is_backwards = d->emitter->look.sort == CT_PARTICLE_SORT_YOUNGEST;
    const ptrdiff_t step = is_backwards ? -1 : 1;
    ct_particle_instance *const instances = ct_particle_add_cloud(d, count);
    ct_particle_instance *const first = is_backwards ? instances + count - 1 : instances;
    extent e = no_extent();
    write_instances(&b, 0, whole, first, step, &e);
    if (whole < count)
        write_rest(&b, whole, count, first, step, &e);
    const ct_particle_bounds bounds = bounds_of(d, &e);
    ct_particle_set_bounds(d, &bounds);
}
