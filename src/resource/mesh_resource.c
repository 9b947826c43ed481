#include "resource/mesh_resource.h"

#include <math.h>

#include "foundation/error.h"

#define AT(member)                                                                                 \
    .offset = offsetof(ct_mesh_source, member), .size_bytes = sizeof(((ct_mesh_source *)0)->member)

static const char *const up_axis_names[] = {"file", "y", "z", NULL};

static const ct_field fields[] = {
    {.name = "source",
     .type = CT_FIELD_TYPE_MEDIA,
     AT(source),
     .flags = CT_FIELD_REQUIRED,
     .doc = "The model, a .gltf, .glb, .fbx or .obj file."},
    {.name = "node",
     .type = CT_FIELD_TYPE_STRING,
     AT(node),
     .doc = "The node of the model that becomes the mesh; without it, the whole scene.",
     .default_text = NULL},
    {.name = "scale",
     .type = CT_FIELD_TYPE_FLOAT,
     AT(scale),
     .doc = "By which the model is scaled.",
     .least = 1e-6,
     .most = 1e6,
     .default_value = {1}},
    {.name = "children",
     .type = CT_FIELD_TYPE_BOOL,
     AT(children),
     .doc = "Whether the nodes below it belong to the mesh too.",
     .default_value = {1}},
    {.name = "up_axis",
     .type = CT_FIELD_TYPE_ENUM,
     AT(up_axis),
     .doc = "The model file's axis that points up: as the file says, y or z.",
     .enum_names = up_axis_names},
};

const ct_schema ct_mesh_schema = {
    .name = "mesh",
    .doc = "Triangles from a model file.",
    .size_bytes = sizeof(ct_mesh_source),
    .num_fields = CT_COUNT_OF(fields),
    .fields = fields,
};

static bool check_bounds(const ct_mesh_resource *m, ct_error *error) {
    for (uint32_t i = 0; i < 3; i++) {
        if (!isfinite(m->bounds_min[i]) || !isfinite(m->bounds_max[i]) ||
            m->bounds_min[i] > m->bounds_max[i])
            return ct_error_set(error, "bounds: found %g to %g along axis %u",
                                (double)m->bounds_min[i], (double)m->bounds_max[i], i);
    }
    return (isfinite(m->bounds_radius) && m->bounds_radius >= 0) ||
           ct_error_set(error, "bounds: found a radius of %g", (double)m->bounds_radius);
}

static bool check_vertices(const ct_mesh_resource *m, ct_error *error) {
    const uint32_t floats_each = sizeof(ct_mesh_vertex) / sizeof(float);
    const float *const values = ct_blob_at(m, m->vertices.offset);
    for (uint64_t i = 0; i < m->num_vertices * (uint64_t)floats_each; i++) {
        if (!isfinite(values[i]))
            return ct_error_set(error, "vertices[%u]: number %u is not finite",
                                (uint32_t)(i / floats_each), (uint32_t)(i % floats_each));
    }
    return true;
}

static bool check_extras(const ct_mesh_resource *m, ct_error *error) {
    const ct_mesh_vertex_extra *const extras = ct_blob_at(m, m->extras.offset);
    if (m->extras.count != 0 && m->extras.count != m->num_vertices)
        return ct_error_set(error, "an array of %u extras, expected none or %u", m->extras.count,
                            m->num_vertices);
    for (uint32_t i = 0; i < m->extras.count; i++) {
        if (!isfinite(extras[i].uv1[0]) || !isfinite(extras[i].uv1[1]))
            return ct_error_set(error, "extras[%u]: uv1 is not finite", i);
    }
    return true;
}

static bool check_indices(const ct_mesh_resource *m, ct_error *error) {
    const uint16_t *const small = ct_blob_at(m, m->indices.offset);
    const uint32_t *const large = ct_blob_at(m, m->indices.offset);
    for (uint32_t i = 0; i < m->num_indices; i++) {
        const uint32_t index = m->index_bytes == 2 ? small[i] : large[i];
        if (index >= m->num_vertices)
            return ct_error_set(error, "indices[%u]: found %u, but there are %u vertices", i, index,
                                m->num_vertices);
    }
    return true;
}

static bool check_parts(const ct_mesh_resource *m, ct_error *error) {
    const ct_mesh_part *const parts = ct_blob_at(m, m->parts.offset);
    for (uint32_t i = 0; i < m->parts.count; i++) {
        const ct_mesh_part *const part = &parts[i];
        if (part->num_indices % 3 != 0 || part->first_index > m->num_indices ||
            part->num_indices > m->num_indices - part->first_index)
            return ct_error_set(error, "parts[%u]: found indices %u + %u, but there are %u", i,
                                part->first_index, part->num_indices, m->num_indices);
    }
    return true;
}

bool ct_mesh_validate(const void *blob, ct_error *error) {
    const ct_mesh_resource *const m = blob;
    const ct_blob_header *const h = &m->header;
    if (h->size_bytes < sizeof(*m))
        return ct_error_set(error, "too small for a mesh");
    if (m->index_bytes != 2 && m->index_bytes != 4)
        return ct_error_set(error, "found indices of %u bytes, expected 2 or 4", m->index_bytes);
    if (m->num_vertices == 0 || m->num_indices == 0 || m->num_indices % 3 != 0)
        return ct_error_set(error, "found %u vertices and %u indices, expected triangles",
                            m->num_vertices, m->num_indices);
    if (m->vertices.count != m->num_vertices || m->indices.count != m->num_indices)
        return ct_error_set(error, "arrays of %u vertices and %u indices, expected %u and %u",
                            m->vertices.count, m->indices.count, m->num_vertices, m->num_indices);
    if (m->parts.count == 0)
        return ct_error_set(error, "parts: there is none");
    return check_bounds(m, error) &&
           ct_blob_check_array(h, m->vertices, sizeof(ct_mesh_vertex), 4, "vertices", error) &&
           ct_blob_check_array(h, m->extras, sizeof(ct_mesh_vertex_extra), 4, "extras", error) &&
           ct_blob_check_array(h, m->indices, m->index_bytes, m->index_bytes, "indices", error) &&
           ct_blob_check_array(h, m->parts, sizeof(ct_mesh_part), 4, "parts", error) &&
           check_vertices(m, error) && check_extras(m, error) && check_indices(m, error) &&
           check_parts(m, error);
}
