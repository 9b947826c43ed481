// Sends particles to the renderer: which emitters, and billboards.
#include "particles/particle_draw.h"

#include <string.h>

#include "foundation/math/math_lanes.h"
#include "foundation/profiler/profiler.h"
#include "particles/particle_gpu.h"

enum {
    BLOCK = 64,      // particles whose instances are written together, in the nearest cache
    PARTS_BYTES = 16 // of an instance: its three parts are written one after the other
};

_Static_assert(sizeof(ct_particle_instance) == 3 * PARTS_BYTES &&
                   offsetof(ct_particle_instance, axis) == PARTS_BYTES &&
                   offsetof(ct_particle_instance, size) == 2 * PARTS_BYTES,
               "an instance is three columns");

// --- Half floats ---------------------------------------------------------------------------------

// Four half floats, in the upper bits of each lane from bit 13 on; the lower bits mean nothing.
static inline ct_column_bits halves_of(ct_column x) {
    const ct_column limited =
        ct_column_min(ct_column_max(x, ct_column_all(0)), ct_column_all(65504));
    const ct_column_bits bits = (ct_column_bits)limited;
    const ct_column_bits odd = (bits >> 13) & 1;
    // The exponent's offset is 112 less. Rounds ties to even.
    const ct_column_bits rounded = bits + odd + (0xfff - (112 << 23));
    return rounded & ~(rounded >> 31); // too small: 0
}

uint16_t ct_particle_half(float x) {
    return (uint16_t)(halves_of(ct_column_all(x))[0] >> 13);
}

void ct_particle_color(const ct_particle_drawing *d, uint32_t i, uint16_t color[4]) {
    const float *const channel = ct_particle_drawn_channel(d, CT_PARTICLE_COLOR);
    for (uint32_t k = 0; k < 4; ++k)
        color[k] = ct_particle_half(channel ? channel[k * (size_t)d->state->capacity + i] : 1);
}

// --- Clouds --------------------------------------------------------------------------------------

static ct_render_cloud_desc describe(const ct_particle_drawing *d) {
    const ct_particle_look *const look = &d->emitter->look;
    const ct_vec3 at = d->effect->now.position;
    ct_vec3 axis = ct_vec3_make(look->axis[0], look->axis[1], look->axis[2]);
    if (ct_particle_is_local(d))
        axis = ct_quat_rotate(d->effect->now.rotation, axis);
    axis = ct_vec3_normalize(axis);
    return (ct_render_cloud_desc){.material = look->material,
                                  .sort_position = {at.x, at.y, at.z},
                                  .order = d->index,
                                  .is_ribbon = look->renderer != CT_PARTICLE_RENDERER_BILLBOARD,
                                  .facing = (uint8_t)look->facing,
                                  .sort = look->sort == CT_PARTICLE_SORT_DISTANCE
                                              ? CT_PARTICLE_SORT_DISTANCE
                                              : CT_PARTICLE_SORT_NONE,
                                  .blends = (uint8_t)look->blends,
                                  .grid = {(uint8_t)look->grid[0], (uint8_t)look->grid[1]},
                                  .axis = {axis.x, axis.y, axis.z},
                                  .stretch = look->stretch,
                                  .pivot = {look->pivot[0], look->pivot[1]}};
}

static void begin_clouds(const ct_particle_drawing *d) {
    if (!*d->has_begun)
        ct_render_particles_begin(d->world->renderer, d->world->render_world);
    *d->has_begun = true;
}

ct_particle_instance *ct_particle_add_cloud(const ct_particle_drawing *d, uint32_t count) {
    const ct_render_cloud_desc desc = describe(d);
    begin_clouds(d);
    return ct_render_particles_add(d->world->renderer, d->world->render_world, &desc, count);
}

// The sphere around a box, or the one that the effect's resource names.
static void sphere_of(const ct_particle_drawing *d, const ct_particle_bounds *bounds,
                      float sphere[4]) {
    const ct_vec3 half = ct_vec3_scale(ct_vec3_sub(bounds->box.max, bounds->box.min), 0.5f);
    ct_vec3 center = ct_vec3_add(bounds->box.min, half);
    float radius = ct_vec3_length(half) + bounds->reach;
    const float fixed = d->effect->resource->bounds_radius;
    if (fixed > 0 || !ct_vec3_is_finite(center) || !isfinite(radius)) {
        center = d->effect->now.position;
        radius = fixed > 0 ? fixed * d->scale : 1e9f;
    }
    sphere[0] = center.x, sphere[1] = center.y, sphere[2] = center.z, sphere[3] = radius;
}

// Grows the sphere `a` around `b`.
static void merge_sphere(float a[4], const float b[4]) {
    const ct_vec3 way = ct_vec3_make(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
    const float distance = ct_vec3_length(way);
    if (distance + b[3] <= a[3])
        return;
    if (distance + a[3] <= b[3]) {
        memcpy(a, b, 4 * sizeof(float));
        return;
    }
    const float radius = (distance + a[3] + b[3]) * 0.5f;
    for (uint32_t i = 0; i < 3; ++i)
        a[i] += way.raw[i] * ((radius - a[3]) / distance);
    a[3] = radius;
}

static void grow_effect(const ct_particle_drawing *d, const float sphere[4]) {
    if (*d->has_cloud)
        merge_sphere(d->effect->sphere, sphere);
    else
        memcpy(d->effect->sphere, sphere, sizeof(d->effect->sphere));
    *d->has_cloud = true;
}

void ct_particle_set_bounds(const ct_particle_drawing *d, const ct_particle_bounds *bounds) {
    float sphere[4];
    sphere_of(d, bounds, sphere);
    ct_render_particles_set_sphere(d->world->renderer, sphere);
    grow_effect(d, sphere);
}

// A cloud of what the GPU has of an emitter.
static void draw_from_gpu(const ct_particle_drawing *d) {
    ct_render_cloud_desc desc = describe(d);
    if (!ct_particle_gpu_count(d->state))
        return;
    ct_particle_gpu_sphere(d->effect, d->index, desc.sphere);
    begin_clouds(d);
    ct_render_particles_add_emitter(d->world->renderer, d->world->render_world, &desc,
                                    d->state->gpu->id);
    grow_effect(d, desc.sphere);
}

// --- Billboards ----------------------------------------------------------------------------------

// What is found of billboards while they are written.
typedef struct extent {
    ct_column least[3], most[3];   // positions
    ct_column width, height, axis; // the largest; of axes the square of the length
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

// Stores the columns of four particles as one part of their instances, `step` columns apart.
static inline void store_four(ct_column *to, ptrdiff_t step, ct_column a, ct_column b, ct_column c,
                              ct_column d) {
    ct_columns_transpose(&a, &b, &c, &d);
    to[0] = a;
    to[step] = b;
    to[2 * step] = c;
    to[3 * step] = d;
}

// Brings four vectors from the effect's space to the world's; `w` 1 for points, 0 for directions.
static inline void transform_four(const ct_mat4 *pose, ct_column v[3], float w) {
    const ct_column x = v[0], y = v[1], z = v[2];
    for (uint32_t axis = 0; axis < 3; ++axis)
        v[axis] = x * pose->raw[0][axis] + y * pose->raw[1][axis] + z * pose->raw[2][axis] +
                  pose->raw[3][axis] * w;
}

// The first part of the instances of particles `begin` to `end` (multiples of 4): positions and
// rotations.
static void write_places(const billboards *b, uint32_t begin, uint32_t end, ct_column *to,
                         ptrdiff_t step, extent *e) {
    const float *const x = b->position, *const y = x + b->stride, *const z = y + b->stride;
    ct_column least[3] = {e->least[0], e->least[1], e->least[2]};
    ct_column most[3] = {e->most[0], e->most[1], e->most[2]};
    for (uint32_t i = begin; i < end; i += 4, to += 4 * step) {
        ct_column p[3] = {ct_column_of(x + i), ct_column_of(y + i), ct_column_of(z + i)};
        if (b->pose)
            transform_four(b->pose, p, 1);
        for (uint32_t axis = 0; axis < 3; ++axis) {
            least[axis] = ct_column_min(p[axis], least[axis]);
            most[axis] = ct_column_max(p[axis], most[axis]);
        }
        const ct_column turn = b->rotation ? ct_column_of(b->rotation + i) : ct_column_all(0);
        store_four(to, step, p[0], p[1], p[2], turn);
    }
    memcpy(e->least, least, sizeof(least));
    memcpy(e->most, most, sizeof(most));
}

// The second part: axes and frames.
static void write_axes(const billboards *b, uint32_t begin, uint32_t end, ct_column *to,
                       ptrdiff_t step, extent *e) {
    if (!b->axis && !b->frame) {
        for (uint32_t i = begin; i < end; ++i, to += step)
            *to = (ct_column){0, 0, 1, 0};
        return;
    }
    for (uint32_t i = begin; i < end; i += 4, to += 4 * step) {
        ct_column v[3] = {ct_column_all(0), ct_column_all(0), ct_column_all(1)};
        if (b->axis) {
            for (uint32_t axis = 0; axis < 3; ++axis)
                v[axis] = ct_column_of(b->axis + axis * b->stride + i);
            if (b->pose)
                transform_four(b->pose, v, 0);
            e->axis = ct_column_max(v[0] * v[0] + v[1] * v[1] + v[2] * v[2], e->axis);
        }
        const ct_column frame = b->frame ? ct_column_of(b->frame + i) : ct_column_all(0);
        store_four(to, step, v[0], v[1], v[2], frame);
    }
}

// Two half floats in each lane.
static inline ct_column pair_of_halves(ct_column low, ct_column high) {
    const ct_column_bits upper =
        (halves_of(high) << 3) & (ct_column_bits){-65536, -65536, -65536, -65536};
    return (ct_column)((halves_of(low) >> 13) | upper);
}

// The third part: sizes and colours.
static void write_looks(const billboards *b, uint32_t begin, uint32_t end, ct_column *to,
                        ptrdiff_t step, extent *e) {
    static const ct_column_bits white = {0x3c003c00, 0x3c003c00, 0x3c003c00, 0x3c003c00};
    const ct_column none = ct_column_all(0);
    ct_column red_green = (ct_column)white, blue_alpha = (ct_column)white;
    ct_column width = ct_column_all(b->scale), height = width;
    ct_column most_width = e->width, most_height = e->height;
    for (uint32_t i = begin; i < end; i += 4, to += 4 * step) {
        if (b->size) {
            width = ct_column_of(b->size + i) * b->scale;
            height = ct_column_of(b->size + b->stride + i) * b->scale;
        }
        most_width = ct_column_max(ct_column_max(width, none - width), most_width);
        most_height = ct_column_max(ct_column_max(height, none - height), most_height);
        if (b->color) {
            const float *const color = b->color + i;
            red_green = pair_of_halves(ct_column_of(color), ct_column_of(color + b->stride));
            blue_alpha = pair_of_halves(ct_column_of(color + 2 * b->stride),
                                        ct_column_of(color + 3 * b->stride));
        }
        store_four(to, step, width, height, red_green, blue_alpha);
    }
    e->width = most_width;
    e->height = most_height;
}

static void write_block(const billboards *b, uint32_t begin, uint32_t end, ct_particle_instance *to,
                        ptrdiff_t step, extent *e) {
    ct_column *const columns = (ct_column *)(void *)to;
    write_places(b, begin, end, columns, step, e);
    write_axes(b, begin, end, columns + 1, step, e);
    write_looks(b, begin, end, columns + 2, step, e);
}

static float largest(ct_column x) {
    return fmaxf(fmaxf(x[0], x[1]), fmaxf(x[2], x[3]));
}

static extent no_extent(void) {
    const ct_column none = ct_column_all(0);
    extent e = {.width = none, .height = none, .axis = none};
    for (uint32_t axis = 0; axis < 3; ++axis) {
        e.least[axis] = ct_column_all(FLT_MAX);
        e.most[axis] = ct_column_all(-FLT_MAX);
    }
    return e;
}

// Adds lane `lane` of the extent of a group.
static void add_lane(extent *e, const extent *group, uint32_t lane) {
    for (uint32_t axis = 0; axis < 3; ++axis) {
        e->least[axis] = ct_column_min(ct_column_all(group->least[axis][lane]), e->least[axis]);
        e->most[axis] = ct_column_max(ct_column_all(group->most[axis][lane]), e->most[axis]);
    }
    e->width = ct_column_max(ct_column_all(group->width[lane]), e->width);
    e->height = ct_column_max(ct_column_all(group->height[lane]), e->height);
    e->axis = ct_column_max(ct_column_all(group->axis[lane]), e->axis);
}

static ct_particle_bounds bounds_of(const ct_particle_drawing *d, const extent *e) {
    const ct_particle_look *const look = &d->emitter->look;
    ct_particle_bounds bounds;
    for (uint32_t axis = 0; axis < 3; ++axis) {
        bounds.box.min.raw[axis] = -largest(-e->least[axis]);
        bounds.box.max.raw[axis] = largest(e->most[axis]);
    }
    // From the pivot to the farther edge.
    const float right = fmaxf(fabsf(look->pivot[0]), fabsf(1 - look->pivot[0]));
    const float top = fmaxf(fabsf(look->pivot[1]), fabsf(1 - look->pivot[1]));
    const bool is_stretched = look->facing == CT_PARTICLE_FACING_STRETCHED;
    const float stretch = is_stretched ? sqrtf(largest(e->axis)) * fabsf(look->stretch) : 0;
    const float width = largest(e->width) * right, height = (largest(e->height) + stretch) * top;
    bounds.reach = sqrtf(width * width + height * height);
    return bounds;
}

static void draw_billboards(const ct_particle_drawing *d) {
    const uint32_t count = d->state->count, whole = count & ~3u;
    const billboards b = billboards_of(d);
    const bool is_backwards = d->emitter->look.sort == CT_PARTICLE_SORT_YOUNGEST;
    const ptrdiff_t step = is_backwards ? -1 : 1;
    ct_particle_instance *const instances = ct_particle_add_cloud(d, count);
    ct_particle_instance *const first = is_backwards ? instances + count - 1 : instances;
    extent e = no_extent();
    for (uint32_t begin = 0; begin < whole; begin += BLOCK)
        write_block(&b, begin, begin + BLOCK < whole ? begin + BLOCK : whole,
                    first + (ptrdiff_t)begin * step, 3 * step, &e);
    if (whole < count) { // lanes behind the last particle mean nothing
        _Alignas(16) ct_particle_instance rest[4];
        extent group = no_extent();
        write_block(&b, whole, whole + 4, rest, 3, &group);
        for (uint32_t i = whole; i < count; ++i) {
            first[(ptrdiff_t)i * step] = rest[i - whole];
            add_lane(&e, &group, i - whole);
        }
    }
    const ct_particle_bounds bounds = bounds_of(d, &e);
    ct_particle_set_bounds(d, &bounds);
}

// --- All -----------------------------------------------------------------------------------------

static void draw_emitter(const ct_particle_drawing *d) {
    switch (d->emitter->look.renderer) {
    case CT_PARTICLE_RENDERER_BILLBOARD:
        if (d->state->gpu)
            draw_from_gpu(d);
        else if (d->state->count)
            draw_billboards(d);
        return;
    case CT_PARTICLE_RENDERER_RIBBON:
        if (d->state->count)
            ct_particle_draw_ribbon(d);
        return;
    case CT_PARTICLE_RENDERER_TRAIL:
        if (d->state->count)
            ct_particle_draw_trails(d);
        return;
    case CT_PARTICLE_RENDERER_MESH:
        ct_particle_draw_objects(d);
        return;
    case CT_PARTICLE_RENDERER_LIGHT:
        ct_particle_draw_lights(d);
        return;
    default:
        return;
    }
}

static void draw_effect(ct_particle_world *w, ct_particle_effect *fx, bool *has_begun) {
    bool has_cloud = false;
    memset(fx->sphere, 0, sizeof(fx->sphere));
    for (uint32_t i = 0; i < fx->num_emitters; ++i) {
        const ct_particle_drawing d = {.world = w,
                                       .effect = fx,
                                       .emitter = ct_particle_emitter_at(fx->resource, i),
                                       .state = &fx->emitters[i],
                                       .index = i,
                                       .scale = ct_particle_size_scale(fx),
                                       .has_begun = has_begun,
                                       .has_cloud = &has_cloud};
        draw_emitter(&d);
    }
}

void ct_particles_send(ct_particle_world *w) {
    CT_PROFILER_SCOPE("send particles");
    ct_particle_gpu_flush(w);
    if (!w->is_changed)
        return;
    w->is_changed = false;
    ++w->num_sends;
    bool has_begun = false;
    for (uint32_t i = 0; i < w->effects.count; ++i) {
        ct_particle_effect *const fx = w->effects.items[i];
        if (fx->resource)
            draw_effect(w, fx, &has_begun);
        else
            ct_particle_effect_hide(w, fx);
    }
    if (w->had_clouds && !has_begun)
        ct_render_particles_begin(w->renderer, w->render_world);
    w->had_clouds = has_begun;
}

void ct_particle_effect_hide(ct_particle_world *w, ct_particle_effect *fx) {
    if (!fx->is_drawn)
        return;
    for (uint32_t i = 0; i < fx->num_emitters; ++i) {
        ct_particle_hide_objects(w, &fx->emitters[i]);
        ct_particle_hide_lights(w, &fx->emitters[i]);
    }
    fx->is_drawn = false;
}
