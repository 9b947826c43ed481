#include "compiler/types/mesh/worker_mesh_lods.h"

#include <math.h>

#include <meshoptimizer.h>

// Where the source says nothing: each level has half the triangles of the one before it, and may be
// off by twice as much.
static const float automatic_ratio = 0.5f, automatic_error = 0.01f, most_error = 0.2f;

// A level's own error should not be seen: less than a pixel of a picture of this many lines.
static const float lines_of_view = 1080.0f;

// No level is replaced while the mesh is larger than that, nor until it is this much smaller than
// where the level itself began.
static const float most_screen_size = 0.5f, least_screen_size = 1e-4f;

// Of the triangles of the level before: a level with more is not worth having.
static const float most_kept = 0.9f;

// --- The source ----------------------------------------------------------------------------------

static ct_mesh_lod_source automatic_lod(uint32_t i) {
    ct_mesh_lod_source lod = {.ratio = automatic_ratio, .max_error = automatic_error};
    for (uint32_t k = 0; k < i; ++k) {
        lod.ratio *= automatic_ratio;
        lod.max_error = fminf(lod.max_error * 2, most_error);
    }
    return lod;
}

static bool read_count(ct_compile *c, ct_sjson_value value, ct_worker_lods *lods) {
    const double number = ct_sjson_number(c->doc, value, -1);
    if (!(number >= 0 && number < CT_MESH_MAX_LODS) || number != floor(number))
        return ct_compile_error(c, c->doc, value, "lods: found %g, expected 0 to %d levels", number,
                                CT_MESH_MAX_LODS - 1);
    lods->count = (uint32_t)number;
    lods->is_automatic = true;
    for (uint32_t i = 0; i < lods->count; ++i)
        lods->items[i] = automatic_lod(i);
    return true;
}

// That `item` goes with those before it.
static bool check_item(ct_compile *c, ct_sjson_value value, const ct_worker_lods *lods,
                       const ct_mesh_lod_source *item) {
    for (uint32_t i = 0; i < lods->count; ++i) {
        const ct_mesh_lod_source *const before = &lods->items[i];
        if (item->ratio > 0 && before->ratio > 0 && item->ratio >= before->ratio)
            return ct_compile_error(c, c->doc, value,
                                    "lods: found a ratio of %g after %g, expected a smaller one",
                                    (double)item->ratio, (double)before->ratio);
        if (item->screen_size > 0 && before->screen_size > 0 &&
            item->screen_size >= before->screen_size)
            return ct_compile_error(
                c, c->doc, value,
                "lods: found a screen_size of %g after %g, expected a smaller one",
                (double)item->screen_size, (double)before->screen_size);
    }
    return true;
}

static bool read_items(ct_compile *c, ct_sjson_value value, ct_worker_lods *lods) {
    const ct_schema_listener listener = ct_compile_listener(c);
    if (ct_sjson_count(c->doc, value) >= CT_MESH_MAX_LODS)
        return ct_compile_error(c, c->doc, value, "lods: found %u levels, expected at most %d",
                                ct_sjson_count(c->doc, value), CT_MESH_MAX_LODS - 1);
    for (ct_sjson_value v = ct_sjson_first(c->doc, value); v.entry; v = ct_sjson_next(c->doc, v)) {
        ct_mesh_lod_source item;
        if (ct_sjson_type_of(c->doc, v) != CT_SJSON_TYPE_OBJECT)
            return ct_compile_error(c, c->doc, v, "lods: found %s, expected { ratio = 0.5 }",
                                    ct_sjson_type_name(ct_sjson_type_of(c->doc, v)));
        if (!ct_schema_read(&ct_mesh_lod_schema, c->doc, v, &item, &listener) ||
            !check_item(c, v, lods, &item))
            return false;
        lods->items[lods->count++] = item;
    }
    return true;
}

bool ct_worker_lods_read(ct_compile *c, ct_sjson_value value, ct_worker_lods *lods) {
    *lods = (ct_worker_lods){.at = value};
    if (!value.entry)
        return true;
    const ct_sjson_type type = ct_sjson_type_of(c->doc, value);
    if (type == CT_SJSON_TYPE_NUMBER)
        return read_count(c, value, lods);
    if (type == CT_SJSON_TYPE_ARRAY)
        return read_items(c, value, lods);
    return ct_compile_error(c, c->doc, value,
                            "lods: found %s, expected a number of levels, or an array of { ratio "
                            "max_error screen_size }",
                            ct_sjson_type_name(type));
}

// --- Sizes ---------------------------------------------------------------------------------------

// The size below which level `i` is drawn: as the source says, or where its error is too small to
// be seen; half of where the level before it began at most.
static float screen_size(const ct_worker_mesh_data *m, float wanted, float error) {
    const float before = m->lods.count ? m->lods.items[m->lods.count - 1].screen_size : 0;
    if (wanted > 0)
        return before > 0 ? fminf(wanted, before) : wanted;
    const float most = before > 0 ? before / 2 : most_screen_size;
    const float unseen = 2 * m->bounds_radius / (error * lines_of_view);
    return fmaxf(error > 0 ? fminf(unseen, most) : most, fminf(least_screen_size, most));
}

bool ct_worker_lods_take_own(ct_compile *c, ct_worker_mesh_data *m, const ct_worker_lods *lods) {
    const uint32_t count = m->lods.count;
    bool says_more = lods->is_automatic || lods->count > count;
    for (uint32_t i = 0; i < lods->count; ++i)
        says_more |= lods->items[i].ratio > 0 || lods->items[i].max_error > 0;
    if (says_more)
        return ct_compile_error(c, c->doc, lods->at,
                                "lods: the model has %u levels of its own below the full one, "
                                "named _LOD1 and so on; expected only { screen_size } for them",
                                count);
    for (m->lods.count = 0; m->lods.count < count; ++m->lods.count) {
        const uint32_t i = m->lods.count;
        const float wanted = i < lods->count ? lods->items[i].screen_size : 0;
        m->lods.items[i] = (ct_mesh_lod){.screen_size = screen_size(m, wanted, 0)};
    }
    return true;
}

// --- Simplification ------------------------------------------------------------------------------

static uint32_t level_indices(const ct_worker_mesh_data *m, uint32_t level) {
    uint32_t count = 0;
    for (uint32_t p = 0; p < m->num_parts; ++p)
        count += m->parts.items[level * m->num_parts + p].num_indices;
    return count;
}

// Appends what is left of part `p` of the full level, and its part; without a ratio, as few
// triangles as the error allows. Returns by how much it is off, in sizes of the mesh.
static float simplify_part(ct_worker_mesh_data *m, uint32_t p, const ct_mesh_lod_source *wanted) {
    const ct_mesh_part full = m->parts.items[p];
    const uint32_t first = m->indices.count;
    const uint32_t target = (uint32_t)((float)(full.num_indices / 3) * wanted->ratio) * 3;
    const unsigned options = m->num_parts > 1 ? meshopt_SimplifyLockBorder : 0;
    const float most = wanted->max_error > 0 ? wanted->max_error : most_error;
    float error = 0;
    ct_array_resize(&m->indices, first + full.num_indices);
    const uint32_t count =
        full.num_indices == 0
            ? 0
            : (uint32_t)meshopt_simplify(m->indices.items + first,
                                         m->indices.items + full.first_index, full.num_indices,
                                         m->vertices.items[0].base.position, m->vertices.count,
                                         sizeof(ct_worker_vertex), target, most, options, &error);
    m->indices.count = first + count;
    const ct_mesh_part part = {.first_index = first, .num_indices = count, .slot = full.slot};
    ct_array_push(&m->parts, part);
    return error;
}

void ct_worker_lods_simplify(ct_worker_mesh_data *m, const ct_worker_lods *lods) {
    const float size = meshopt_simplifyScale(m->vertices.items[0].base.position, m->vertices.count,
                                             sizeof(ct_worker_vertex));
    uint32_t before = level_indices(m, 0);
    for (uint32_t i = 0; i < lods->count; ++i) {
        ct_mesh_lod_source wanted = lods->items[i];
        const uint32_t num_indices = m->indices.count, num_parts = m->parts.count;
        float error = 0;
        if (wanted.ratio == 0 && wanted.max_error == 0) {
            wanted = automatic_lod(i);
            wanted.screen_size = lods->items[i].screen_size;
        }
        for (uint32_t p = 0; p < m->num_parts; ++p)
            error = fmaxf(error, simplify_part(m, p, &wanted));
        const uint32_t count = m->indices.count - num_indices;
        if (count == 0 || (float)count > most_kept * (float)before) {
            m->indices.count = num_indices;
            m->parts.count = num_parts;
            continue;
        }
        before = count;
        const ct_mesh_lod lod = {.screen_size = screen_size(m, wanted.screen_size, error * size),
                                 .error = error * size};
        ct_array_push(&m->lods, lod);
    }
}
