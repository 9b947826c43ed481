// Compiles meshes: one part per material of the model, in an order that is good for the GPU.
#include <math.h>
#include <string.h>

#include <meshoptimizer.h>

#include "compiler/protocol/compiler_types.h"
#include "compiler/types/mesh/worker_mesh_lods.h"
#include "compiler/types/mesh/worker_mesh_pack.h"
#include "compiler/types/mesh/worker_mesh_skin.h"
#include "compiler/types/model/worker_model.h"
#include "foundation/string/string_id.h"
#include "resource/types/component_resource.h"
#include "resource/types/mesh_resource.h"

static ct_string_id32 slot_of(const ct_worker_model *model, uint32_t material) {
    const char *const name = model->materials[material];
    return *name ? ct_string_id32_of(name) : (ct_string_id32){0};
}

// `is_last`: its corners are not needed again.
static void add_batch(ct_worker_mesh_data *m, ct_worker_batch *batch, bool is_last) {
    m->has_extras |= batch->has_extras;
    ct_worker_flat_normals(batch->corners, batch->num_corners, batch->has_normals);
    if (batch->has_tangents)
        ct_worker_join_corners(m->allocator, batch->corners, batch->num_corners, &m->vertices,
                               &m->indices);
    else
        ct_worker_join_with_tangents(m->allocator, batch->corners, batch->num_corners, &m->vertices,
                                     &m->indices);
    if (is_last)
        ct_free(m->allocator, batch->corners);
}

// Adds the parts of the level of this number: the batches that are drawn at it by material, in the
// order of the file's materials.
static void add_level(ct_worker_mesh_data *m, const ct_worker_model *model, const bool *is_used,
                      uint32_t level) {
    const uint32_t later = level == 31 ? 0 : model->levels & ~((2u << level) - 1);
    for (uint32_t material = 0; material < model->num_materials; ++material) {
        if (!is_used[material])
            continue;
        ct_mesh_part part = {.slot = slot_of(model, material), .first_index = m->indices.count};
        for (uint32_t i = 0; i < model->batches.count; ++i) {
            ct_worker_batch *const batch = &model->batches.items[i];
            if (batch->material == material && (batch->levels & 1u << level))
                add_batch(m, batch, (batch->levels & later) == 0);
        }
        part.num_indices = m->indices.count - part.first_index;
        ct_array_push(&m->parts, part);
    }
}

// All levels of the model have the same parts, some of which may be empty.
static void add_parts(ct_worker_mesh_data *m, const ct_worker_model *model) {
    bool *const is_used = CT_NEW_ARRAY(m->allocator, bool, (uint64_t)model->num_materials + 1);
    for (uint32_t i = 0; i < model->batches.count; ++i) {
        m->num_parts += !is_used[model->batches.items[i].material];
        is_used[model->batches.items[i].material] = true;
    }
    uint32_t levels = model->levels ? model->levels : 1;
    for (bool is_first = true; levels; levels &= levels - 1, is_first = false) {
        add_level(m, model, is_used, (uint32_t)__builtin_ctz(levels));
        if (!is_first)
            ct_array_push(&m->lods, (ct_mesh_lod){0});
    }
}

// Joins vertices that are equal across batches.
static void join_vertices(ct_worker_mesh_data *m) {
    unsigned *const remap = ct_alloc(m->allocator, m->vertices.count * sizeof(unsigned));
    const uint32_t num_vertices = (uint32_t)meshopt_generateVertexRemap(
        remap, m->indices.items, m->indices.count, m->vertices.items, m->vertices.count,
        sizeof(ct_worker_vertex));
    meshopt_remapVertexBuffer(m->vertices.items, m->vertices.items, m->vertices.count,
                              sizeof(ct_worker_vertex), remap);
    meshopt_remapIndexBuffer(m->indices.items, m->indices.items, m->indices.count, remap);
    m->vertices.count = num_vertices;
    ct_free(m->allocator, remap);
}

// Drops triangles without area. A part that has no others stays, empty: units give materials to
// parts by their position.
static void drop_degenerate(ct_worker_mesh_data *m) {
    const ct_worker_vertex *const vertices = m->vertices.items;
    uint32_t num_indices = 0;
    for (uint32_t p = 0; p < m->parts.count; ++p) {
        ct_mesh_part *const part = &m->parts.items[p];
        const uint32_t end = part->first_index + part->num_indices, first = num_indices;
        for (uint32_t i = part->first_index; i < end; i += 3) {
            const uint32_t *const t = &m->indices.items[i];
            const uint32_t x = t[0], y = t[1], z = t[2];
            if (ct_worker_has_no_area(vertices[x].base.position, vertices[y].base.position,
                                      vertices[z].base.position))
                continue;
            m->indices.items[num_indices++] = x;
            m->indices.items[num_indices++] = y;
            m->indices.items[num_indices++] = z;
        }
        part->first_index = first;
        part->num_indices = num_indices - first;
    }
    m->indices.count = num_indices;
}

static void optimize(ct_worker_mesh_data *m) {
    uint32_t *const reordered = ct_alloc(m->allocator, m->indices.count * sizeof(uint32_t));
    for (uint32_t p = 0; p < m->parts.count; ++p) {
        const ct_mesh_part *const part = &m->parts.items[p];
        if (part->num_indices == 0)
            continue;
        uint32_t *const indices = m->indices.items + part->first_index;
        meshopt_optimizeVertexCache(reordered, indices, part->num_indices, m->vertices.count);
        meshopt_optimizeOverdraw(indices, reordered, part->num_indices,
                                 m->vertices.items[0].base.position, m->vertices.count,
                                 sizeof(ct_worker_vertex), 1.05f);
    }
    ct_free(m->allocator, reordered);
    ct_worker_vertex *const vertices =
        CT_NEW_ARRAY(m->allocator, ct_worker_vertex, m->vertices.count);
    const uint32_t used = (uint32_t)meshopt_optimizeVertexFetch(
        vertices, m->indices.items, m->indices.count, m->vertices.items, m->vertices.count,
        sizeof(ct_worker_vertex));
    m->vertices.count = 0;
    ct_array_push_many(&m->vertices, vertices, used);
    ct_free(m->allocator, vertices);
}

static void set_bounds(ct_worker_mesh_data *m) {
    const ct_worker_vertex_array *const vertices = &m->vertices;
    float center[3], *min = m->bounds_min, *max = m->bounds_max;
    for (uint32_t axis = 0; axis < 3; ++axis) {
        min[axis] = max[axis] = vertices->items[0].base.position[axis];
        for (uint32_t i = 1; i < vertices->count; ++i) {
            min[axis] = fminf(min[axis], vertices->items[i].base.position[axis]);
            max[axis] = fmaxf(max[axis], vertices->items[i].base.position[axis]);
        }
        center[axis] = 0.5f * min[axis] + 0.5f * max[axis];
    }
    m->bounds_radius = 0;
    for (uint32_t i = 0; i < vertices->count; ++i) {
        const float *const p = vertices->items[i].base.position;
        m->bounds_radius = fmaxf(
            m->bounds_radius, hypotf(hypotf(p[0] - center[0], p[1] - center[1]), p[2] - center[2]));
    }
}

// --- The blob ------------------------------------------------------------------------------------

static ct_blob_array write_indices(const ct_worker_mesh_data *m, ct_blob_writer *w,
                                   uint32_t index_bytes) {
    const uint32_t count = m->indices.count;
    ct_blob_writer_align(w, CT_BLOB_ALIGN);
    if (index_bytes == 4)
        return ct_blob_write_items(w, &ct_blob_u32_layout, m->indices.items, count);
    uint16_t *const narrow = ct_alloc(m->allocator, count * sizeof(uint16_t));
    for (uint32_t i = 0; i < count; ++i)
        narrow[i] = (uint16_t)m->indices.items[i];
    const ct_blob_array array = ct_blob_write_items(w, &ct_blob_u16_layout, narrow, count);
    ct_free(m->allocator, narrow);
    return array;
}

static void write_mesh(const ct_worker_mesh_data *m, const ct_worker_shape_data *shapes,
                       const ct_worker_mesh_skin *skin, ct_blob_writer *w) {
    ct_mesh_resource r = {.bounds_radius = m->bounds_radius,
                          // 0xffff would be a primitive restart.
                          .index_bytes = m->vertices.count < 65536 ? 2 : 4,
                          .num_vertices = m->vertices.count,
                          .num_indices = m->indices.count,
                          .format = m->format,
                          .grid = m->grid};
    memcpy(r.bounds_min, m->bounds_min, sizeof(r.bounds_min));
    memcpy(r.bounds_max, m->bounds_max, sizeof(r.bounds_max));
    ct_blob_begin(w, &ct_mesh_layout);
    r.parts = ct_blob_write_items(w, &ct_mesh_part_layout, m->parts.items, m->num_parts);
    r.lods = ct_blob_write_items(w, &ct_mesh_lod_layout, m->lods.items, m->lods.count);
    r.lod_parts = ct_blob_write_items(w, &ct_mesh_part_layout, m->parts.items + m->num_parts,
                                      m->parts.count - m->num_parts);
    ct_worker_mesh_write_vertices(m, w, &r);
    ct_worker_mesh_skin_write(skin, w, &r);
    r.indices = write_indices(m, w, r.index_bytes);
    ct_worker_shapes_write(shapes, w, &r);
    ct_blob_end(w, &ct_mesh_layout, &r);
}

// --- The whole -----------------------------------------------------------------------------------

// Drops levels of the model's own that have no triangles; the others keep their order.
static void drop_empty_levels(ct_worker_mesh_data *m) {
    uint32_t kept = 1;
    for (uint32_t level = 1; level <= m->lods.count; ++level) {
        const ct_mesh_part *const parts = m->parts.items + level * m->num_parts;
        bool is_empty = true;
        for (uint32_t p = 0; p < m->num_parts; ++p)
            is_empty &= parts[p].num_indices == 0;
        if (is_empty)
            continue;
        memmove(m->parts.items + kept * m->num_parts, parts, m->num_parts * sizeof(*parts));
        ++kept;
    }
    m->lods.count = kept - 1;
    m->parts.count = kept * m->num_parts;
}

// That there are no more materials and levels than a mesh takes.
static bool check_counts(ct_compile *c, const ct_worker_mesh_data *m, const ct_worker_model *model,
                         const char *source, ct_sjson_value at) {
    const uint32_t num_levels = (uint32_t)__builtin_popcount(model->levels);
    if (m->num_parts > CT_MESH_MAX_MATERIALS)
        return ct_compile_error(c, c->doc, at, "%s: found %u materials; a mesh can have at most %d",
                                source, m->num_parts, CT_MESH_MAX_MATERIALS);
    return num_levels <= CT_MESH_MAX_LODS ||
           ct_compile_error(c, c->doc, at, "%s: found %u levels of detail, expected at most %d",
                            source, num_levels, CT_MESH_MAX_LODS);
}

static bool has_triangles(const ct_worker_mesh_data *m) {
    uint32_t num_indices = 0;
    for (uint32_t p = 0; p < m->num_parts; ++p)
        num_indices += m->parts.items[p].num_indices;
    return num_indices > 0;
}

static bool check_influence_limit(ct_compile *c, const ct_mesh_source *source) {
    return source->max_influences == 4 || source->max_influences == 8 ||
           ct_compile_error(c, c->doc,
                            ct_sjson_find(c->doc, ct_sjson_root(c->doc), "max_influences"),
                            "max_influences: found %d, expected 4 or 8", source->max_influences);
}

static bool build(ct_compile *c, const ct_mesh_source *source, const ct_worker_lods *lods,
                  const ct_worker_model *model, ct_worker_mesh_data *m) {
    const ct_sjson_value at = ct_sjson_find(c->doc, ct_sjson_root(c->doc), "source");
    ct_array_init(&m->vertices, c->allocator);
    ct_array_init(&m->indices, c->allocator);
    ct_array_init(&m->parts, c->allocator);
    ct_array_init(&m->lods, c->allocator);
    add_parts(m, model);
    if (!check_counts(c, m, model, source->source, at))
        return false;
    join_vertices(m);
    drop_degenerate(m);
    if (!has_triangles(m))
        return ct_compile_error(c, c->doc, at, "%s: found no triangles with an area",
                                source->source);
    drop_empty_levels(m);
    set_bounds(m);
    if (m->lods.count > 0 && !ct_worker_lods_take_own(c, m, lods))
        return false;
    if (m->lods.count == 0)
        ct_worker_lods_simplify(m, lods);
    optimize(m);
    ct_worker_mesh_choose_format(m, source->quantize);
    set_bounds(m);
    return true;
}

// --- Collision -----------------------------------------------------------------------------------

// A shape of the triangles of the full level.
static void add_drawn_shape(ct_compile *c, const ct_mesh_source *source,
                            const ct_worker_mesh_data *m, ct_worker_shape_array *shapes) {
    const bool is_split = source->collision == CT_MESH_COLLISION_HULLS;
    ct_worker_shape shape = {.kind = source->collision == CT_MESH_COLLISION_TRIANGLES
                                         ? CT_MESH_SHAPE_KIND_MESH
                                         : CT_MESH_SHAPE_KIND_CONVEX,
                             .most_hulls = is_split ? (uint32_t)source->collision_hulls : 0,
                             .concavity = source->collision_concavity,
                             .space = ct_worker_matrix_identity()};
    ct_array_init(&shape.corners, c->allocator);
    for (uint32_t p = 0; p < m->num_parts; ++p) {
        const ct_mesh_part *const part = &m->parts.items[p];
        for (uint32_t i = 0; i < part->num_indices; ++i) {
            const uint32_t vertex = m->indices.items[part->first_index + i];
            ct_worker_point point;
            memcpy(point.at, m->vertices.items[vertex].base.position, sizeof(point.at));
            ct_array_push(&shape.corners, point);
        }
    }
    ct_array_push(shapes, shape);
}

// `collision` is for models without shapes of their own.
static bool check_own_collision(ct_compile *c, const ct_mesh_source *source,
                                const ct_worker_shape_array *shapes) {
    for (uint32_t i = 0; i < shapes->count; ++i) {
        if (shapes->items[i].use == CT_MESH_SHAPE_USE_COLLISION)
            return ct_compile_error(
                c, c->doc, ct_sjson_find(c->doc, ct_sjson_root(c->doc), "collision"),
                "%s: node \"%s\" is a collision shape already; leave `collision` out, or rename "
                "the node",
                source->source, shapes->items[i].node);
    }
    return true;
}

static void warn_of_unused_options(ct_compile *c, const ct_mesh_source *source,
                                   const ct_worker_shape_array *shapes) {
    static const char *const names[] = {"collision_hulls", "collision_concavity"};
    bool is_split = source->collision == CT_MESH_COLLISION_HULLS;
    for (uint32_t i = 0; i < shapes->count; ++i)
        is_split |= shapes->items[i].most_hulls > 0;
    for (uint32_t i = 0; i < CT_COUNT_OF(names) && !is_split; ++i) {
        const ct_sjson_value at = ct_sjson_find(c->doc, ct_sjson_root(c->doc), names[i]);
        if (at.entry)
            ct_compile_warning(c, c->doc, at,
                               "`%s` has no effect: no collision shape is split; write `collision "
                               "= \"hulls\"`, or call a node collision_hulls_…",
                               names[i]);
    }
}

// Adds what `collision` asks for, and builds all shapes. `m` is NULL when it could not be built.
static bool build_shapes(ct_compile *c, const ct_mesh_source *source, const ct_worker_mesh_data *m,
                         ct_worker_shape_array *shapes, ct_worker_shape_data *data) {
    if (source->collision != CT_MESH_COLLISION_NONE) {
        if (!check_own_collision(c, source, shapes))
            return false;
        if (m)
            add_drawn_shape(c, source, m, shapes);
    }
    warn_of_unused_options(c, source, shapes);
    return ct_worker_shapes_build(c, shapes, source->source,
                                  ct_sjson_find(c->doc, ct_sjson_root(c->doc), "source"), data);
}

// --- The compile function ------------------------------------------------------------------------

bool ct_compile_mesh(ct_compile *c) {
    const ct_sjson_value root = ct_sjson_root(c->doc);
    const ct_schema_listener listener = ct_compile_listener(c);
    ct_mesh_source source;
    ct_worker_lods lods;
    if (!ct_schema_read(&ct_mesh_schema, c->doc, root, &source, &listener) ||
        !check_influence_limit(c, &source) || !ct_worker_lods_read(c, source.lods, &lods))
        return false;
    ct_worker_model model = {0};
    if (!ct_worker_model_read(c, &source, &model))
        return false;
    ct_worker_mesh_data m = {.allocator = c->allocator};
    ct_worker_shape_data shapes = {0};
    ct_worker_mesh_skin skin = {0};
    const bool is_built = build(c, &source, &lods, &model, &m);
    const bool has_shapes = build_shapes(c, &source, is_built ? &m : NULL, &model.shapes, &shapes);
    if (!is_built || !has_shapes || !ct_worker_mesh_skin_build(&model.skinning, &m, &skin))
        return false;
    write_mesh(&m, &shapes, &skin, &c->blob);
    return true;
}
