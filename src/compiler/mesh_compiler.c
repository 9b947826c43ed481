// Compiles meshes: one part per material of the model, in an order that is good for the GPU.
#include <math.h>

#include <meshoptimizer.h>

#include "compiler/compiler_types.h"
#include "compiler/worker_geometry.h"
#include "compiler/worker_model.h"
#include "foundation/string_id.h"
#include "resource/component_resource.h"
#include "resource/mesh_resource.h"

// The triangles of one material.
typedef struct mesh_part {
    ct_string_id32 slot;
    uint32_t first_index, num_indices;
} mesh_part;

typedef struct mesh_builder {
    ct_allocator *allocator;
    ct_worker_vertex_array vertices;
    ct_u32_array indices;
    CT_ARRAY(mesh_part) parts;
    bool has_extras;
} mesh_builder;

static ct_string_id32 slot_of(const ct_worker_model *model, uint32_t material) {
    const char *name = model->materials[material];
    return *name ? ct_string_id32_of(name) : (ct_string_id32){0};
}

static void add_batch(mesh_builder *b, ct_worker_batch *batch) {
    b->has_extras |= batch->has_extras;
    ct_worker_flat_normals(batch->corners, batch->num_corners, batch->has_normals);
    if (batch->has_tangents)
        ct_worker_join_corners(b->allocator, batch->corners, batch->num_corners, &b->vertices,
                               &b->indices);
    else
        ct_worker_join_with_tangents(b->allocator, batch->corners, batch->num_corners, &b->vertices,
                                     &b->indices);
    ct_free(b->allocator, batch->corners);
}

// Gathers the batches by material, in the order of the file's materials.
static void add_parts(mesh_builder *b, const ct_worker_model *model) {
    for (uint32_t material = 0; material < model->num_materials; material++) {
        mesh_part part = {.slot = slot_of(model, material), .first_index = b->indices.count};
        for (uint32_t i = 0; i < model->batches.count; i++) {
            if (model->batches.items[i].material == material)
                add_batch(b, &model->batches.items[i]);
        }
        part.num_indices = b->indices.count - part.first_index;
        if (part.num_indices > 0)
            ct_array_push(&b->parts, part);
    }
}

// Joins vertices that are equal across batches.
static void join_vertices(mesh_builder *b) {
    unsigned *remap = ct_alloc(b->allocator, b->vertices.count * sizeof(unsigned));
    const uint32_t num_vertices = (uint32_t)meshopt_generateVertexRemap(
        remap, b->indices.items, b->indices.count, b->vertices.items, b->vertices.count,
        sizeof(ct_worker_vertex));
    meshopt_remapVertexBuffer(b->vertices.items, b->vertices.items, b->vertices.count,
                              sizeof(ct_worker_vertex), remap);
    meshopt_remapIndexBuffer(b->indices.items, b->indices.items, b->indices.count, remap);
    b->vertices.count = num_vertices;
    ct_free(b->allocator, remap);
}

// True when the corners lie on a line. In doubles the differences of floats are as good as exact,
// and so is what is made of them: thin triangles are not mistaken for those.
static bool has_no_area(const float *a, const float *b, const float *c) {
    double u[3], v[3];
    for (uint32_t axis = 0; axis < 3; axis++) {
        u[axis] = (double)b[axis] - (double)a[axis];
        v[axis] = (double)c[axis] - (double)a[axis];
    }
    return u[1] * v[2] == u[2] * v[1] && u[2] * v[0] == u[0] * v[2] && u[0] * v[1] == u[1] * v[0];
}

// Drops triangles without area. A part that has no others stays, empty: units give materials to
// parts by their position.
static void drop_degenerate(mesh_builder *b) {
    const ct_worker_vertex *vertices = b->vertices.items;
    uint32_t num_indices = 0;
    for (uint32_t p = 0; p < b->parts.count; p++) {
        mesh_part *part = &b->parts.items[p];
        const uint32_t end = part->first_index + part->num_indices, first = num_indices;
        for (uint32_t i = part->first_index; i < end; i += 3) {
            const uint32_t *t = &b->indices.items[i];
            const uint32_t x = t[0], y = t[1], z = t[2];
            if (has_no_area(vertices[x].base.position, vertices[y].base.position,
                            vertices[z].base.position))
                continue;
            b->indices.items[num_indices++] = x;
            b->indices.items[num_indices++] = y;
            b->indices.items[num_indices++] = z;
        }
        part->first_index = first;
        part->num_indices = num_indices - first;
    }
    b->indices.count = num_indices;
}

static void optimize(mesh_builder *b) {
    uint32_t *reordered = ct_alloc(b->allocator, b->indices.count * sizeof(uint32_t));
    for (uint32_t p = 0; p < b->parts.count; p++) {
        const mesh_part *part = &b->parts.items[p];
        if (part->num_indices == 0)
            continue;
        uint32_t *indices = b->indices.items + part->first_index;
        meshopt_optimizeVertexCache(reordered, indices, part->num_indices, b->vertices.count);
        meshopt_optimizeOverdraw(indices, reordered, part->num_indices,
                                 b->vertices.items[0].base.position, b->vertices.count,
                                 sizeof(ct_worker_vertex), 1.05f);
    }
    ct_free(b->allocator, reordered);
    ct_worker_vertex *vertices = CT_NEW_ARRAY(b->allocator, ct_worker_vertex, b->vertices.count);
    const uint32_t used = (uint32_t)meshopt_optimizeVertexFetch(
        vertices, b->indices.items, b->indices.count, b->vertices.items, b->vertices.count,
        sizeof(ct_worker_vertex));
    b->vertices.count = 0;
    ct_array_push_many(&b->vertices, vertices, used);
    ct_free(b->allocator, vertices);
}

static void write_bounds(ct_blob_writer *w, const ct_worker_vertex_array *vertices) {
    float min[3], max[3], center[3], radius = 0;
    for (uint32_t axis = 0; axis < 3; axis++) {
        min[axis] = max[axis] = vertices->items[0].base.position[axis];
        for (uint32_t i = 1; i < vertices->count; i++) {
            min[axis] = fminf(min[axis], vertices->items[i].base.position[axis]);
            max[axis] = fmaxf(max[axis], vertices->items[i].base.position[axis]);
        }
        center[axis] = 0.5f * min[axis] + 0.5f * max[axis];
    }
    for (uint32_t i = 0; i < vertices->count; i++) {
        const float *p = vertices->items[i].base.position;
        radius =
            fmaxf(radius, hypotf(hypotf(p[0] - center[0], p[1] - center[1]), p[2] - center[2]));
    }
    ct_blob_write_float_array(w, min, 3);
    ct_blob_write_float_array(w, max, 3);
    ct_blob_write_float(w, radius);
}

// Both streams, each after its field at `base_at` and `extras_at`.
static void write_vertices(mesh_builder *b, ct_blob_writer *w, uint32_t base_at,
                           uint32_t extras_at) {
    const uint32_t count = b->vertices.count, floats = sizeof(ct_mesh_vertex) / sizeof(float);
    ct_blob_writer_align(w, CT_BLOB_ALIGN);
    ct_blob_patch_array(w, base_at, ct_blob_writer_offset(w), count);
    for (uint32_t i = 0; i < count; i++)
        ct_blob_write_float_array(w, (const float *)&b->vertices.items[i].base, floats);
    if (!b->has_extras)
        return;
    ct_blob_writer_align(w, CT_BLOB_ALIGN);
    ct_blob_patch_array(w, extras_at, ct_blob_writer_offset(w), count);
    for (uint32_t i = 0; i < count; i++) {
        ct_blob_write_u16_array(w, b->vertices.items[i].extra.color, 4);
        ct_blob_write_float_array(w, b->vertices.items[i].extra.uv1, 2);
    }
}

static void write_indices(mesh_builder *b, ct_blob_writer *w, uint32_t at, uint32_t index_bytes) {
    const uint32_t count = b->indices.count;
    ct_blob_writer_align(w, CT_BLOB_ALIGN);
    if (index_bytes == 4) {
        ct_blob_patch_array(w, at, ct_blob_write_u32_array(w, b->indices.items, count), count);
        return;
    }
    uint16_t *narrow = ct_alloc(b->allocator, count * sizeof(uint16_t));
    for (uint32_t i = 0; i < count; i++)
        narrow[i] = (uint16_t)b->indices.items[i];
    ct_blob_patch_array(w, at, ct_blob_write_u16_array(w, narrow, count), count);
    ct_free(b->allocator, narrow);
}

static void write_mesh(mesh_builder *b, ct_blob_writer *w) {
    // 0xffff would be a primitive restart.
    const uint32_t index_bytes = b->vertices.count < 65536 ? 2 : 4;
    write_bounds(w, &b->vertices);
    ct_blob_write_u32(w, index_bytes);
    ct_blob_write_u32(w, b->vertices.count);
    ct_blob_write_u32(w, b->indices.count);
    const uint32_t vertices_at = ct_blob_write_array_field(w);
    const uint32_t extras_at = ct_blob_write_array_field(w);
    const uint32_t indices_at = ct_blob_write_array_field(w);
    const uint32_t parts_at = ct_blob_write_array_field(w);

    ct_blob_patch_array(w, parts_at, ct_blob_writer_offset(w), b->parts.count);
    for (uint32_t i = 0; i < b->parts.count; i++) {
        ct_blob_write_u32(w, b->parts.items[i].first_index);
        ct_blob_write_u32(w, b->parts.items[i].num_indices);
        ct_blob_write_u32(w, b->parts.items[i].slot.value);
        ct_blob_write_u32(w, 0);
    }
    write_vertices(b, w, vertices_at, extras_at);
    write_indices(b, w, indices_at, index_bytes);
}

bool ct_compile_mesh(ct_compile *c) {
    const ct_sjson_value root = ct_sjson_root(c->doc);
    const ct_schema_listener listener = ct_compile_listener(c);
    ct_mesh_source source;
    if (!ct_schema_read(&ct_mesh_schema, c->doc, root, &source, &listener))
        return false;
    ct_worker_model model = {0};
    if (!ct_worker_model_read(c, &source, &model))
        return false;
    mesh_builder b = {.allocator = c->allocator};
    ct_array_init(&b.vertices, c->allocator);
    ct_array_init(&b.indices, c->allocator);
    ct_array_init(&b.parts, c->allocator);
    add_parts(&b, &model);
    const ct_sjson_value at = ct_sjson_find(c->doc, root, "source");
    if (b.parts.count > CT_MESH_MAX_MATERIALS)
        return ct_compile_error(c, c->doc, at,
                                "%s: %u materials are used there; a mesh takes %d at most",
                                source.source, b.parts.count, CT_MESH_MAX_MATERIALS);
    join_vertices(&b);
    drop_degenerate(&b);
    if (b.indices.count == 0)
        return ct_compile_error(c, c->doc, at, "%s: holds no triangles there that have an area",
                                source.source);
    optimize(&b);
    write_mesh(&b, &c->blob);
    return true;
}
