#include "compiler/types/mesh/worker_mesh_pack.h"

#include <math.h>
#include <string.h>

// How far a packed texture coordinate may be off.
static const double most_uv_error = 1.0 / 16384;

// Beyond it steps and scales would not be floats.
static const double most_position = 1e30;

enum { MOST_POINT = 32767, MOST_UV = 65535, LEAST_EXPONENT = -90 };

typedef struct range {
    double least, most;
} range;

static const range no_range = {HUGE_VAL, -HUGE_VAL};

static void widen(range *r, double value) {
    r->least = fmin(r->least, value);
    r->most = fmax(r->most, value);
}

// The multiple of `step` next to `value` if it is a float; `value` itself otherwise.
static double on_grid(double value, double step, double (*rounded)(double)) {
    const double aligned = rounded(value / step) * step;
    return (double)(float)aligned == aligned ? aligned : (double)(float)value;
}

// The exponent to try first for steps of which `places` cover `length`.
static int first_exponent(double length, double places) {
    if (!(length > 0))
        return LEAST_EXPONENT;
    const int exponent = ilogb(length / places);
    return exponent > LEAST_EXPONENT ? exponent : LEAST_EXPONENT;
}

// --- Positions -----------------------------------------------------------------------------------

// The grid's step, and its origin amid `ranges`.
static double fit_points(const range ranges[3], float origin[3]) {
    double length = 0;
    for (uint32_t k = 0; k < 3; ++k)
        length = fmax(length, ranges[k].most - ranges[k].least);
    for (int exponent = first_exponent(length, 2 * MOST_POINT);; ++exponent) {
        const double step = ldexp(1, exponent);
        bool fits = true;
        for (uint32_t k = 0; k < 3; ++k) {
            const double middle = ranges[k].least + (ranges[k].most - ranges[k].least) / 2;
            const double o = on_grid(middle, step, rint);
            origin[k] = (float)o;
            fits &= fmax(ranges[k].most - o, o - ranges[k].least) <= MOST_POINT * step;
        }
        if (fits)
            return step;
    }
}

// Cut, because floats far from zero may lie coarser than the grid.
static int16_t pack_point(double value, double origin, double step) {
    const double most = MOST_POINT;
    return (int16_t)lrint(fmin(fmax((value - origin) / step, -most), most));
}

static double point_step(const ct_mesh_grid *grid) {
    return (double)grid->point_scale / MOST_POINT;
}

// Sets the grid of positions and moves them to it. False when they are too far apart for one.
static bool fit_positions(ct_worker_mesh_data *m) {
    range ranges[3] = {no_range, no_range, no_range};
    for (uint32_t i = 0; i < m->vertices.count; ++i) {
        for (uint32_t k = 0; k < 3; ++k)
            widen(&ranges[k], (double)m->vertices.items[i].base.position[k]);
    }
    for (uint32_t k = 0; k < 3; ++k) {
        if (fmax(fabs(ranges[k].least), fabs(ranges[k].most)) > most_position)
            return false;
    }
    float *const origin = m->grid.point_offset;
    const double step = fit_points(ranges, origin);
    m->grid.point_scale = (float)(MOST_POINT * step);
    for (uint32_t i = 0; i < m->vertices.count; ++i) {
        float *const p = m->vertices.items[i].base.position;
        for (uint32_t k = 0; k < 3; ++k) {
            const int16_t q = pack_point((double)p[k], (double)origin[k], step);
            p[k] = (float)q * (float)step + origin[k];
        }
    }
    return true;
}

// --- Texture coordinates -------------------------------------------------------------------------

static double fit_uv(range r, float *origin) {
    for (int exponent = first_exponent(r.most - r.least, MOST_UV);; ++exponent) {
        const double step = ldexp(1, exponent);
        *origin = (float)on_grid(r.least, step, floor);
        // A least value that is no whole number of steps starts the grid itself.
        if (r.most - (double)*origin <= MOST_UV * step && (double)*origin <= r.least)
            return step;
    }
}

static const float *uv_of(const ct_worker_vertex *v, uint32_t set) {
    return set == 0 ? v->base.uv : v->extra.uv1;
}

// Sets the grid of one set of coordinates. False when it is too coarse.
static bool fit_uvs(const ct_worker_mesh_data *m, uint32_t set, float offset[2], float scale[2]) {
    for (uint32_t k = 0; k < 2; ++k) {
        range r = no_range;
        for (uint32_t i = 0; i < m->vertices.count; ++i)
            widen(&r, (double)uv_of(&m->vertices.items[i], set)[k]);
        if (fmax(fabs(r.least), fabs(r.most)) > most_position)
            return false;
        const double step = fit_uv(r, &offset[k]);
        scale[k] = (float)(MOST_UV * step);
        for (uint32_t i = 0; i < m->vertices.count && step / 2 > most_uv_error; ++i) {
            const double at = ((double)uv_of(&m->vertices.items[i], set)[k] - (double)offset[k]);
            if (fabs(rint(at / step) * step - at) > most_uv_error)
                return false;
        }
    }
    return true;
}

// --- The format ----------------------------------------------------------------------------------

static const ct_mesh_grid identity = {.point_scale = 1, .uv_scale = {1, 1}, .uv1_scale = {1, 1}};

void ct_worker_mesh_choose_format(ct_worker_mesh_data *m, bool quantize) {
    m->grid = identity;
    m->format = CT_MESH_FORMAT_FULL;
    if (!quantize || !fit_positions(m))
        return;
    m->format = CT_MESH_FORMAT_PACKED;
    ct_mesh_grid *const g = &m->grid;
    if (fit_uvs(m, 0, g->uv_offset, g->uv_scale) &&
        (!m->has_extras || fit_uvs(m, 1, g->uv1_offset, g->uv1_scale)))
        return;
    m->format = CT_MESH_FORMAT_PACKED_WIDE_UV;
    for (uint32_t k = 0; k < 2; ++k) {
        g->uv_offset[k] = g->uv1_offset[k] = 0;
        g->uv_scale[k] = g->uv1_scale[k] = 1;
    }
}

// --- The bytes -----------------------------------------------------------------------------------

static uint32_t pack_direction(const float *v, float w) {
    uint32_t word = (uint32_t)(int32_t)w << 30;
    for (uint32_t k = 0; k < 3; ++k) {
        const float cut = fminf(fmaxf(v[k], -1.0f), 1.0f);
        word |= ((uint32_t)(int32_t)lrintf(cut * 511.0f) & 0x3ff) << (10 * k);
    }
    return word;
}

static void pack_uv(const float uv[2], const float offset[2], const float scale[2],
                    uint16_t packed[2]) {
    for (uint32_t k = 0; k < 2; ++k) {
        const double step = (double)scale[k] / MOST_UV;
        const double place = ((double)uv[k] - (double)offset[k]) / step;
        packed[k] = (uint16_t)lrint(fmin(fmax(place, 0), MOST_UV));
    }
}

static ct_mesh_packed_vertex pack_vertex(const ct_mesh_grid *g, const ct_mesh_vertex *v) {
    ct_mesh_packed_vertex packed = {
        .position[3] = MOST_POINT,
        .normal = pack_direction(v->normal, 0),
        .tangent = pack_direction(v->tangent, v->tangent[3] < 0 ? -1.0f : 1.0f)};
    for (uint32_t k = 0; k < 3; ++k)
        packed.position[k] =
            pack_point((double)v->position[k], (double)g->point_offset[k], point_step(g));
    pack_uv(v->uv, g->uv_offset, g->uv_scale, packed.uv);
    return packed;
}

static ct_mesh_packed_extra pack_extra(const ct_mesh_grid *g, const ct_mesh_vertex_extra *e) {
    ct_mesh_packed_extra packed;
    for (uint32_t k = 0; k < 4; ++k)
        packed.color[k] = (uint8_t)((e->color[k] + 128) / 257);
    pack_uv(e->uv1, g->uv1_offset, g->uv1_scale, packed.uv1);
    return packed;
}

// Both packed formats begin alike.
static ct_mesh_wide_uv_vertex widen_vertex(const ct_mesh_packed_vertex *p, const float uv[2]) {
    ct_mesh_wide_uv_vertex wide = {
        .normal = p->normal, .tangent = p->tangent, .uv = {uv[0], uv[1]}};
    memcpy(wide.position, p->position, sizeof(wide.position));
    return wide;
}

static ct_mesh_wide_uv_extra widen_extra(const ct_mesh_packed_extra *p, const float uv1[2]) {
    ct_mesh_wide_uv_extra wide = {.uv1 = {uv1[0], uv1[1]}};
    memcpy(wide.color, p->color, sizeof(wide.color));
    return wide;
}

static void put_vertex(const ct_worker_mesh_data *m, uint32_t i, void *vertices) {
    const ct_mesh_vertex *const v = &m->vertices.items[i].base;
    if (m->format == CT_MESH_FORMAT_FULL) {
        ((ct_mesh_vertex *)vertices)[i] = *v;
        return;
    }
    const ct_mesh_packed_vertex packed = pack_vertex(&m->grid, v);
    if (m->format == CT_MESH_FORMAT_PACKED)
        ((ct_mesh_packed_vertex *)vertices)[i] = packed;
    else
        ((ct_mesh_wide_uv_vertex *)vertices)[i] = widen_vertex(&packed, v->uv);
}

static void put_extra(const ct_worker_mesh_data *m, uint32_t i, void *extras) {
    const ct_mesh_vertex_extra *const e = &m->vertices.items[i].extra;
    if (m->format == CT_MESH_FORMAT_FULL) {
        ((ct_mesh_vertex_extra *)extras)[i] = *e;
        return;
    }
    const ct_mesh_packed_extra packed = pack_extra(&m->grid, e);
    if (m->format == CT_MESH_FORMAT_PACKED)
        ((ct_mesh_packed_extra *)extras)[i] = packed;
    else
        ((ct_mesh_wide_uv_extra *)extras)[i] = widen_extra(&packed, e->uv1);
}

// Appends what `put` makes of each vertex.
static ct_blob_array
write_each(const ct_worker_mesh_data *m, ct_blob_writer *w, const ct_blob_layout *layout,
           void (*put)(const ct_worker_mesh_data *m, uint32_t i, void *items)) {
    const uint32_t count = m->vertices.count;
    void *const items = ct_alloc(m->allocator, layout->size_bytes * (uint64_t)count);
    for (uint32_t i = 0; i < count; ++i)
        put(m, i, items);
    ct_blob_writer_align(w, CT_BLOB_ALIGN);
    const ct_blob_array array = ct_blob_write_items(w, layout, items, count);
    ct_free(m->allocator, items);
    return array;
}

void ct_worker_mesh_write_vertices(const ct_worker_mesh_data *m, ct_blob_writer *w,
                                   ct_mesh_resource *blob) {
    blob->vertices = write_each(m, w, &ct_mesh_vertex_layouts[m->format], put_vertex);
    if (m->has_extras)
        blob->extras = write_each(m, w, &ct_mesh_extra_layouts[m->format], put_extra);
}
