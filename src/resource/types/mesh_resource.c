#include "resource/types/mesh_resource.h"

#include <math.h>
#include <string.h>

#include "foundation/error.h"

#define AT(member)                                                                                 \
    .offset = offsetof(ct_mesh_source, member), .size_bytes = sizeof(((ct_mesh_source *)0)->member)

static const char *const up_axis_names[] = {"file", "y", "z", NULL};
static const char *const collision_names[] = {"none", "convex", "triangles", "hulls", NULL};

static const ct_field fields[] = {
    {.name = "source",
     .type = CT_FIELD_TYPE_MEDIA,
     AT(source),
     .flags = CT_FIELD_REQUIRED,
     .doc = "The model, a .gltf, .glb, .fbx or .obj file."},
    {.name = "node",
     .type = CT_FIELD_TYPE_STRING,
     AT(node),
     .doc = "The model's node to import. Without it, the whole scene is imported.",
     .default_text = NULL},
    {.name = "scale",
     .type = CT_FIELD_TYPE_FLOAT,
     AT(scale),
     .doc = "Factor that scales the model.",
     .least = 1e-6,
     .most = 1e6,
     .default_value = {1}},
    {.name = "children",
     .type = CT_FIELD_TYPE_BOOL,
     AT(children),
     .doc = "Whether the nodes below `node` belong to the mesh too.",
     .default_value = {1}},
    {.name = "up_axis",
     .type = CT_FIELD_TYPE_ENUM,
     AT(up_axis),
     .doc = "The model's up axis: y, z, or as the file says.",
     .enum_names = up_axis_names},
    {.name = "quantize",
     .type = CT_FIELD_TYPE_BOOL,
     AT(quantize),
     .doc = "Whether vertices are packed to less than half their size.",
     .default_value = {1}},
    {.name = "max_influences",
     .type = CT_FIELD_TYPE_INT,
     AT(max_influences),
     .doc = "How many joints may move one vertex of a skinned mesh: 4 or 8.",
     .least = 4,
     .most = 8,
     .default_value = {4}},
    {.name = "lods",
     .type = CT_FIELD_TYPE_VALUE,
     AT(lods),
     .doc = "Levels of detail below the full one: their number, or an array of { ratio max_error "
            "screen_size }."},
    {.name = "collision",
     .type = CT_FIELD_TYPE_ENUM,
     AT(collision),
     .doc =
         "The collision shape to make of the drawn triangles: none, convex (one hull), triangles, "
         "or hulls (several).",
     .enum_names = collision_names},
    {.name = "collision_hulls",
     .type = CT_FIELD_TYPE_INT,
     AT(collision_hulls),
     .doc = "Most hulls of a collision shape that is split into hulls.",
     .least = 1,
     .most = CT_MESH_MAX_HULLS,
     .default_value = {16}},
    {.name = "collision_concavity",
     .type = CT_FIELD_TYPE_FLOAT,
     AT(collision_concavity),
     .doc = "How far the hulls of a split collision shape may be from the surface.",
     .unit = "m",
     .least = 1e-4,
     .most = 1e4,
     .default_value = {0.05}},
};

const ct_schema ct_mesh_schema = {
    .name = "mesh",
    .doc = "Triangles from a model file.",
    .size_bytes = sizeof(ct_mesh_source),
    .num_fields = CT_COUNT_OF(fields),
    .fields = fields,
};

#define LOD_AT(member)                                                                             \
    .type = CT_FIELD_TYPE_FLOAT, .offset = offsetof(ct_mesh_lod_source, member),                   \
    .size_bytes = sizeof(float)

static const ct_field lod_fields[] = {
    {.name = "ratio",
     LOD_AT(ratio),
     .doc = "Share of the full level's triangles to aim for.",
     .least = 0,
     .most = 1},
    {.name = "max_error",
     LOD_AT(max_error),
     .doc = "Largest error of the surface, relative to the mesh's size.",
     .least = 0,
     .most = 1},
    {.name = "screen_size",
     LOD_AT(screen_size),
     .doc = "The level is drawn while the mesh is smaller than this share of the view's height.",
     .least = 0,
     .most = 100},
};

const ct_schema ct_mesh_lod_schema = {
    .name = "mesh_lod",
    .doc = "A level of detail.",
    .size_bytes = sizeof(ct_mesh_lod_source),
    .num_fields = CT_COUNT_OF(lod_fields),
    .fields = lod_fields,
};

// --- The blob ------------------------------------------------------------------------------------

const ct_blob_layout ct_mesh_vertex_layouts[CT_MESH_FORMAT_COUNT] = {
    [CT_MESH_FORMAT_FULL] = CT_BLOB_ALL_NUMBERS(ct_mesh_vertex, 4),
    [CT_MESH_FORMAT_PACKED] = CT_BLOB_STRUCT(
        ct_mesh_packed_vertex, CT_BLOB_NUMBERS(2, ct_mesh_packed_vertex, position, position),
        CT_BLOB_NUMBERS(4, ct_mesh_packed_vertex, normal, tangent),
        CT_BLOB_NUMBERS(2, ct_mesh_packed_vertex, uv, uv)),
    [CT_MESH_FORMAT_PACKED_WIDE_UV] = CT_BLOB_STRUCT(
        ct_mesh_wide_uv_vertex, CT_BLOB_NUMBERS(2, ct_mesh_wide_uv_vertex, position, position),
        CT_BLOB_NUMBERS(4, ct_mesh_wide_uv_vertex, normal, uv)),
};

const ct_blob_layout ct_mesh_extra_layouts[CT_MESH_FORMAT_COUNT] = {
    [CT_MESH_FORMAT_FULL] =
        CT_BLOB_STRUCT(ct_mesh_vertex_extra, CT_BLOB_NUMBERS(2, ct_mesh_vertex_extra, color, color),
                       CT_BLOB_NUMBERS(4, ct_mesh_vertex_extra, uv1, uv1)),
    [CT_MESH_FORMAT_PACKED] =
        CT_BLOB_STRUCT(ct_mesh_packed_extra, CT_BLOB_NUMBERS(1, ct_mesh_packed_extra, color, color),
                       CT_BLOB_NUMBERS(2, ct_mesh_packed_extra, uv1, uv1)),
    [CT_MESH_FORMAT_PACKED_WIDE_UV] = CT_BLOB_STRUCT(
        ct_mesh_wide_uv_extra, CT_BLOB_NUMBERS(1, ct_mesh_wide_uv_extra, color, color),
        CT_BLOB_NUMBERS(4, ct_mesh_wide_uv_extra, uv1, uv1)),
};

const ct_blob_layout ct_mesh_part_layout = CT_BLOB_ALL_NUMBERS(ct_mesh_part, 4);
const ct_blob_layout ct_mesh_lod_layout = CT_BLOB_ALL_NUMBERS(ct_mesh_lod, 4);
const ct_blob_layout ct_mesh_shape_layout = CT_BLOB_ALL_NUMBERS(ct_mesh_shape, 4);
const ct_blob_layout ct_mesh_hull_layout = CT_BLOB_ALL_NUMBERS(ct_mesh_hull, 4);
const ct_blob_layout ct_mesh_tree_node_layout =
    CT_BLOB_STRUCT(ct_mesh_tree_node, CT_BLOB_NUMBERS(2, ct_mesh_tree_node, least, most),
                   CT_BLOB_NUMBERS(4, ct_mesh_tree_node, next, next));
const ct_blob_layout ct_mesh_point_layout = CT_BLOB_ALL_NUMBERS(float[3], 4);
const ct_blob_layout ct_mesh_skin_joint_layout =
    CT_BLOB_STRUCT(ct_mesh_skin_joint, CT_BLOB_STRING(ct_mesh_skin_joint, name_text),
                   CT_BLOB_NUMBERS(4, ct_mesh_skin_joint, name, radius));
const ct_blob_layout ct_mesh_influences4_layout = CT_BLOB_ALL_NUMBERS(ct_mesh_influences4, 1);
const ct_blob_layout ct_mesh_influences8_layout = CT_BLOB_ALL_NUMBERS(ct_mesh_influences8, 1);

// One of the layouts, by the mesh's format; NULL with `error`.
static const ct_blob_layout *by_format(const ct_mesh_resource *m,
                                       const ct_blob_layout layouts[CT_MESH_FORMAT_COUNT],
                                       ct_error *error) {
    if (m->format < CT_MESH_FORMAT_COUNT)
        return &layouts[m->format];
    ct_error_set(error, "found vertex format %u, expected less than %d", m->format,
                 CT_MESH_FORMAT_COUNT);
    return NULL;
}

static const ct_blob_layout *choose_vertex(const void *blob, const void *owner, ct_blob_layout *own,
                                           ct_error *error) {
    (void)owner, (void)own;
    return by_format(blob, ct_mesh_vertex_layouts, error);
}

static const ct_blob_layout *choose_extra(const void *blob, const void *owner, ct_blob_layout *own,
                                          ct_error *error) {
    (void)owner, (void)own;
    return by_format(blob, ct_mesh_extra_layouts, error);
}

static const ct_blob_layout *choose_index(const void *blob, const void *owner, ct_blob_layout *own,
                                          ct_error *error) {
    const uint32_t index_bytes = ((const ct_mesh_resource *)blob)->index_bytes;
    (void)owner, (void)own;
    if (index_bytes == 2 || index_bytes == 4)
        return index_bytes == 2 ? &ct_blob_u16_layout : &ct_blob_u32_layout;
    ct_error_set(error, "found indices of %u bytes, expected 2 or 4", index_bytes);
    return NULL;
}

static const ct_blob_layout *choose_influences(const void *blob, const void *owner,
                                               ct_blob_layout *own, ct_error *error) {
    const uint32_t count = ((const ct_mesh_resource *)blob)->num_influences;
    (void)owner, (void)own;
    if (count == 0 || count == 4 || count == 8)
        return count == 8 ? &ct_mesh_influences8_layout : &ct_mesh_influences4_layout;
    ct_error_set(error, "found %u influences of a vertex, expected 0, 4 or 8", count);
    return NULL;
}

const ct_blob_layout ct_mesh_layout = CT_BLOB_ROOT(
    ct_mesh_resource, "a mesh", CT_BLOB_NUMBERS(4, ct_mesh_resource, bounds_min, num_indices),
    CT_BLOB_CHOICE(ct_mesh_resource, vertices, choose_vertex),
    CT_BLOB_CHOICE(ct_mesh_resource, extras, choose_extra),
    CT_BLOB_CHOICE(ct_mesh_resource, indices, choose_index),
    CT_BLOB_ARRAY(ct_mesh_resource, parts, ct_mesh_part_layout),
    CT_BLOB_ARRAY(ct_mesh_resource, lods, ct_mesh_lod_layout),
    CT_BLOB_ARRAY(ct_mesh_resource, lod_parts, ct_mesh_part_layout),
    CT_BLOB_ARRAY(ct_mesh_resource, shapes, ct_mesh_shape_layout),
    CT_BLOB_ARRAY(ct_mesh_resource, shape_points, ct_mesh_point_layout),
    CT_BLOB_ARRAY(ct_mesh_resource, shape_indices, ct_blob_u32_layout),
    CT_BLOB_ARRAY(ct_mesh_resource, hulls, ct_mesh_hull_layout),
    CT_BLOB_ARRAY(ct_mesh_resource, hull_points, ct_mesh_point_layout),
    CT_BLOB_ARRAY(ct_mesh_resource, tree_nodes, ct_mesh_tree_node_layout),
    CT_BLOB_NUMBERS(4, ct_mesh_resource, format, num_influences),
    CT_BLOB_ARRAY(ct_mesh_resource, skin_joints, ct_mesh_skin_joint_layout),
    CT_BLOB_CHOICE(ct_mesh_resource, influences, choose_influences));

// --- Vertices ------------------------------------------------------------------------------------

uint32_t ct_mesh_vertex_bytes(uint32_t format) {
    return ct_mesh_vertex_layouts[format].size_bytes;
}

uint32_t ct_mesh_extra_bytes(uint32_t format) {
    return ct_mesh_extra_layouts[format].size_bytes;
}

static const void *item_at(const ct_mesh_resource *m, ct_blob_array items, uint32_t item_bytes,
                           uint32_t i) {
    return (const char *)ct_blob_at(m, items.offset) + (uint64_t)i * item_bytes;
}

// Both packed formats begin alike.
static void unpack_position(const ct_mesh_grid *grid, const int16_t *q, float position[3]) {
    const float step = grid->point_scale / 32767.0f;
    for (uint32_t k = 0; k < 3; ++k)
        position[k] = (float)q[k] * step + grid->point_offset[k];
}

static void unpack_uv(const float offset[2], const float scale[2], const uint16_t *q, float uv[2]) {
    for (uint32_t k = 0; k < 2; ++k)
        uv[k] = (float)q[k] * (scale[k] / 65535.0f) + offset[k];
}

// The signed number of `bits` bits from bit `first` on; -1 has two.
static float unpack_signed(uint32_t word, uint32_t first, uint32_t bits) {
    const int32_t most = (1 << (bits - 1)) - 1;
    const int32_t raw = (int32_t)(word >> first & ((1u << bits) - 1));
    const int32_t value = raw > most ? raw - (1 << bits) : raw;
    return (float)(value < -most ? -most : value) / (float)most;
}

static void unpack_direction(uint32_t word, float direction[3]) {
    for (uint32_t k = 0; k < 3; ++k)
        direction[k] = unpack_signed(word, k * 10, 10);
}

ct_mesh_vertex ct_mesh_vertex_at(const ct_mesh_resource *mesh, uint32_t i) {
    const void *const item = item_at(mesh, mesh->vertices, ct_mesh_vertex_bytes(mesh->format), i);
    if (mesh->format == CT_MESH_FORMAT_FULL)
        return *(const ct_mesh_vertex *)item;
    const ct_mesh_packed_vertex *const packed = item;
    const ct_mesh_wide_uv_vertex *const wide = item;
    ct_mesh_vertex v;
    unpack_position(&mesh->grid, packed->position, v.position);
    unpack_direction(packed->normal, v.normal);
    unpack_direction(packed->tangent, v.tangent);
    v.tangent[3] = unpack_signed(packed->tangent, 30, 2);
    if (mesh->format == CT_MESH_FORMAT_PACKED)
        unpack_uv(mesh->grid.uv_offset, mesh->grid.uv_scale, packed->uv, v.uv);
    for (uint32_t k = 0; mesh->format == CT_MESH_FORMAT_PACKED_WIDE_UV && k < 2; ++k)
        v.uv[k] = wide->uv[k];
    return v;
}

void ct_mesh_position_at(const ct_mesh_resource *mesh, uint32_t i, float position[3]) {
    const void *const item = item_at(mesh, mesh->vertices, ct_mesh_vertex_bytes(mesh->format), i);
    if (mesh->format != CT_MESH_FORMAT_FULL)
        unpack_position(&mesh->grid, ((const ct_mesh_packed_vertex *)item)->position, position);
    for (uint32_t k = 0; mesh->format == CT_MESH_FORMAT_FULL && k < 3; ++k)
        position[k] = ((const ct_mesh_vertex *)item)->position[k];
}

ct_mesh_vertex_extra ct_mesh_extra_at(const ct_mesh_resource *mesh, uint32_t i) {
    if (mesh->extras.count == 0)
        return (ct_mesh_vertex_extra){{65535, 65535, 65535, 65535}, {0, 0}};
    const void *const item = item_at(mesh, mesh->extras, ct_mesh_extra_bytes(mesh->format), i);
    if (mesh->format == CT_MESH_FORMAT_FULL)
        return *(const ct_mesh_vertex_extra *)item;
    const ct_mesh_packed_extra *const packed = item;
    const ct_mesh_wide_uv_extra *const wide = item;
    ct_mesh_vertex_extra e;
    for (uint32_t k = 0; k < 4; ++k)
        e.color[k] = (uint16_t)(packed->color[k] * 257);
    if (mesh->format == CT_MESH_FORMAT_PACKED)
        unpack_uv(mesh->grid.uv1_offset, mesh->grid.uv1_scale, packed->uv1, e.uv1);
    for (uint32_t k = 0; mesh->format == CT_MESH_FORMAT_PACKED_WIDE_UV && k < 2; ++k)
        e.uv1[k] = wide->uv1[k];
    return e;
}

uint32_t ct_mesh_num_triangles(const ct_mesh_resource *mesh) {
    const ct_mesh_part *const parts = ct_blob_at(mesh, mesh->parts.offset);
    uint32_t end = 0;
    for (uint32_t i = 0; i < mesh->parts.count; ++i) {
        const uint32_t part_end = parts[i].first_index + parts[i].num_indices;
        end = part_end > end ? part_end : end;
    }
    return end / 3;
}

// --- Shapes --------------------------------------------------------------------------------------

const ct_mesh_shape *ct_mesh_shapes(const ct_mesh_resource *mesh, uint32_t *count) {
    *count = mesh->shapes.count;
    return ct_blob_at(mesh, mesh->shapes.offset);
}

const float *ct_mesh_shape_points(const ct_mesh_resource *mesh, const ct_mesh_shape *shape) {
    const float *const points = ct_blob_at(mesh, mesh->shape_points.offset);
    return points + (uint64_t)shape->first_point * 3;
}

const uint32_t *ct_mesh_shape_indices(const ct_mesh_resource *mesh, const ct_mesh_shape *shape) {
    const uint32_t *const indices = ct_blob_at(mesh, mesh->shape_indices.offset);
    return indices + shape->first_index;
}

const ct_mesh_hull *ct_mesh_shape_hulls(const ct_mesh_resource *mesh, const ct_mesh_shape *shape,
                                        uint32_t *count) {
    const ct_mesh_hull *const hulls = ct_blob_at(mesh, mesh->hulls.offset);
    *count = shape->num_hulls;
    return hulls + shape->first_hull;
}

const float *ct_mesh_hull_points(const ct_mesh_resource *mesh, const ct_mesh_hull *hull) {
    const float *const points = ct_blob_at(mesh, mesh->hull_points.offset);
    return points + (uint64_t)hull->first_point * 3;
}

const ct_mesh_tree_node *ct_mesh_shape_nodes(const ct_mesh_resource *mesh,
                                             const ct_mesh_shape *shape) {
    const ct_mesh_tree_node *const nodes = ct_blob_at(mesh, mesh->tree_nodes.offset);
    return nodes + shape->first_node;
}

// --- Skins ---------------------------------------------------------------------------------------

const ct_mesh_skin_joint *ct_mesh_skin_joints(const ct_mesh_resource *mesh, uint32_t *count) {
    *count = mesh->skin_joints.count;
    return ct_blob_at(mesh, mesh->skin_joints.offset);
}

ct_mesh_influences8 ct_mesh_influences_at(const ct_mesh_resource *mesh, uint32_t i) {
    ct_mesh_influences8 all = {{0}, {0}};
    if (mesh->num_influences == 8)
        return *(const ct_mesh_influences8 *)item_at(mesh, mesh->influences, sizeof(all), i);
    const ct_mesh_influences4 *const four =
        item_at(mesh, mesh->influences, sizeof(ct_mesh_influences4), i);
    memcpy(all.joints, four->joints, sizeof(four->joints));
    memcpy(all.weights, four->weights, sizeof(four->weights));
    return all;
}

// --- Checks --------------------------------------------------------------------------------------

static bool check_bounds(const ct_mesh_resource *m, ct_error *error) {
    for (uint32_t i = 0; i < 3; ++i) {
        if (!isfinite(m->bounds_min[i]) || !isfinite(m->bounds_max[i]) ||
            m->bounds_min[i] > m->bounds_max[i])
            return ct_error_set(error,
                                "bounds: found %g to %g along axis %u, expected a finite range",
                                (double)m->bounds_min[i], (double)m->bounds_max[i], i);
    }
    return (isfinite(m->bounds_radius) && m->bounds_radius >= 0) ||
           ct_error_set(error,
                        "bounds: found a radius of %g, expected a finite number of at least 0",
                        (double)m->bounds_radius);
}

static bool are_finite(const float *values, uint64_t count) {
    bool is_finite = true;
    for (uint64_t i = 0; i < count; ++i)
        is_finite &= isfinite(values[i]) != 0;
    return is_finite;
}

// Numbers from -1 to 1 become finite ones.
static bool check_grid(const ct_mesh_resource *m, ct_error *error) {
    const ct_mesh_grid *const g = &m->grid;
    const float values[] = {g->point_offset[0], g->point_offset[1], g->point_offset[2],
                            g->point_scale,     g->uv_offset[0],    g->uv_offset[1],
                            g->uv_scale[0],     g->uv_scale[1],     g->uv1_offset[0],
                            g->uv1_offset[1],   g->uv1_scale[0],    g->uv1_scale[1]};
    for (uint32_t i = 0; i < CT_COUNT_OF(values); ++i) {
        if (!(fabsf(values[i]) <= 1e38f))
            return ct_error_set(error, "grid: number %u is %g, which is out of range", i,
                                (double)values[i]);
    }
    return true;
}

static bool check_full_vertices(const ct_mesh_resource *m, ct_error *error) {
    const uint32_t floats_each = sizeof(ct_mesh_vertex) / sizeof(float);
    const float *const values = ct_blob_at(m, m->vertices.offset);
    for (uint64_t i = 0; i < m->num_vertices * (uint64_t)floats_each; ++i) {
        if (!isfinite(values[i]))
            return ct_error_set(error, "vertices[%u]: number %u is not finite",
                                (uint32_t)(i / floats_each), (uint32_t)(i % floats_each));
    }
    return true;
}

static bool check_wide_uvs(const ct_mesh_resource *m, ct_error *error) {
    const ct_mesh_wide_uv_vertex *const vertices = ct_blob_at(m, m->vertices.offset);
    for (uint32_t i = 0; i < m->num_vertices; ++i) {
        if (!are_finite(vertices[i].uv, 2))
            return ct_error_set(error, "vertices[%u]: uv is not finite", i);
    }
    return true;
}

static bool check_vertices(const ct_mesh_resource *m, ct_error *error) {
    if (m->format == CT_MESH_FORMAT_FULL)
        return check_full_vertices(m, error);
    return m->format == CT_MESH_FORMAT_PACKED || check_wide_uvs(m, error);
}

static bool check_extras(const ct_mesh_resource *m, ct_error *error) {
    const ct_mesh_vertex_extra *const full = ct_blob_at(m, m->extras.offset);
    const ct_mesh_wide_uv_extra *const wide = ct_blob_at(m, m->extras.offset);
    if (m->extras.count != 0 && m->extras.count != m->num_vertices)
        return ct_error_set(error, "found %u extras, expected 0 or %u", m->extras.count,
                            m->num_vertices);
    for (uint32_t i = 0; i < m->extras.count && m->format != CT_MESH_FORMAT_PACKED; ++i) {
        if (!are_finite(m->format == CT_MESH_FORMAT_FULL ? full[i].uv1 : wide[i].uv1, 2))
            return ct_error_set(error, "extras[%u]: uv1 is not finite", i);
    }
    return true;
}

static bool check_indices(const ct_mesh_resource *m, ct_error *error) {
    const uint16_t *const small = ct_blob_at(m, m->indices.offset);
    const uint32_t *const large = ct_blob_at(m, m->indices.offset);
    for (uint32_t i = 0; i < m->num_indices; ++i) {
        const uint32_t index = m->index_bytes == 2 ? small[i] : large[i];
        if (index >= m->num_vertices)
            return ct_error_set(error, "indices[%u]: found %u, but there are %u vertices", i, index,
                                m->num_vertices);
    }
    return true;
}

static bool check_part_array(const ct_mesh_resource *m, ct_blob_array array, const char *what,
                             ct_error *error) {
    const ct_mesh_part *const parts = ct_blob_at(m, array.offset);
    for (uint32_t i = 0; i < array.count; ++i) {
        const ct_mesh_part *const part = &parts[i];
        if (part->num_indices % 3 != 0 || part->first_index > m->num_indices ||
            part->num_indices > m->num_indices - part->first_index)
            return ct_error_set(error,
                                "%s[%u]: found indices %u + %u, expected whole triangles within %u",
                                what, i, part->first_index, part->num_indices, m->num_indices);
    }
    return true;
}

static bool check_lods(const ct_mesh_resource *m, ct_error *error) {
    const ct_mesh_lod *const lods = ct_blob_at(m, m->lods.offset);
    if (m->lods.count >= CT_MESH_MAX_LODS)
        return ct_error_set(error, "lods: found %u, expected less than %d", m->lods.count,
                            CT_MESH_MAX_LODS);
    if (m->lod_parts.count != m->lods.count * (uint64_t)m->parts.count)
        return ct_error_set(error, "lod_parts: found %u, expected %u times %u", m->lod_parts.count,
                            m->lods.count, m->parts.count);
    for (uint32_t i = 0; i < m->lods.count; ++i) {
        if (!(lods[i].screen_size > 0) || !isfinite(lods[i].screen_size) || !(lods[i].error >= 0) ||
            !isfinite(lods[i].error))
            return ct_error_set(error,
                                "lods[%u]: found a screen size of %g and an error of %g, expected "
                                "finite numbers, above 0 and at least 0",
                                i, (double)lods[i].screen_size, (double)lods[i].error);
        if (i > 0 && lods[i].screen_size > lods[i - 1].screen_size)
            return ct_error_set(
                error, "lods[%u]: found a screen size of %g after %g; sizes must not increase", i,
                (double)lods[i].screen_size, (double)lods[i - 1].screen_size);
    }
    return true;
}

// That the run `first` + `count` lies within `all`.
static bool is_within(uint32_t first, uint32_t count, uint32_t all) {
    return first <= all && count <= all - first;
}

static bool check_hulls(const ct_mesh_resource *m, uint32_t i, ct_error *error) {
    uint32_t num_shapes, count;
    const ct_mesh_shape *const s = &ct_mesh_shapes(m, &num_shapes)[i];
    const bool has_hulls =
        s->use == CT_MESH_SHAPE_USE_COLLISION && s->kind == CT_MESH_SHAPE_KIND_CONVEX;
    if ((s->num_hulls > 0) != has_hulls || s->num_hulls > CT_MESH_MAX_HULLS ||
        !is_within(s->first_hull, s->num_hulls, m->hulls.count))
        return ct_error_set(error, "shapes[%u]: found hulls %u + %u, expected %s within %u", i,
                            s->first_hull, s->num_hulls, has_hulls ? "1 to 64" : "none",
                            m->hulls.count);
    const ct_mesh_hull *const hulls = ct_mesh_shape_hulls(m, s, &count);
    for (uint32_t k = 0; k < count; ++k) {
        const ct_mesh_hull *const hull = &hulls[k];
        if (hull->num_points < 4 || hull->num_points > CT_MESH_MAX_HULL_POINTS ||
            !is_within(hull->first_point, hull->num_points, m->hull_points.count))
            return ct_error_set(error,
                                "hulls[%u]: found points %u + %u, expected 4 to %d within %u",
                                s->first_hull + k, hull->first_point, hull->num_points,
                                CT_MESH_MAX_HULL_POINTS, m->hull_points.count);
        if (!are_finite(hull->center, 3) || !isfinite(hull->volume) || !(hull->volume > 0) ||
            !are_finite(ct_mesh_hull_points(m, hull), hull->num_points * (uint64_t)3))
            return ct_error_set(error, "hulls[%u]: a number is not finite, or its volume is %g",
                                s->first_hull + k, (double)hull->volume);
    }
    return true;
}

// A walk goes to the next node, or over the nodes in this one: never back, and not past the end.
static bool check_nodes(const ct_mesh_resource *m, uint32_t i, ct_error *error) {
    uint32_t num_shapes;
    const ct_mesh_shape *const s = &ct_mesh_shapes(m, &num_shapes)[i];
    const ct_mesh_tree_node *const nodes = ct_mesh_shape_nodes(m, s);
    for (uint32_t k = 0; k < s->num_nodes; ++k) {
        const int64_t next = nodes[k].next;
        const bool is_leaf = next >= 0;
        if (is_leaf && next >= s->num_indices / 3)
            return ct_error_set(error,
                                "shapes[%u]: node %u of its tree is of triangle %u, but there are "
                                "only %u",
                                i, k, (uint32_t)next, s->num_indices / 3);
        if (!is_leaf && -next > (int64_t)(s->num_nodes - k))
            return ct_error_set(error,
                                "shapes[%u]: node %u of its tree has %u nodes, but there are only "
                                "%u",
                                i, k, (uint32_t)-next, s->num_nodes - k);
    }
    return true;
}

static bool check_tree(const ct_mesh_resource *m, uint32_t i, ct_error *error) {
    uint32_t num_shapes;
    const ct_mesh_shape *const s = &ct_mesh_shapes(m, &num_shapes)[i];
    const bool has_tree =
        s->use == CT_MESH_SHAPE_USE_COLLISION && s->kind == CT_MESH_SHAPE_KIND_MESH;
    if ((s->num_nodes > 0) != has_tree ||
        !is_within(s->first_node, s->num_nodes, m->tree_nodes.count))
        return ct_error_set(error, "shapes[%u]: found nodes %u + %u, expected %s within %u", i,
                            s->first_node, s->num_nodes, has_tree ? "a tree" : "none",
                            m->tree_nodes.count);
    if (!has_tree)
        return true;
    if (s->num_indices / 3 > CT_MESH_MAX_SHAPE_TRIANGLES)
        return ct_error_set(error, "shapes[%u]: found %u triangles, expected at most %d", i,
                            s->num_indices / 3, CT_MESH_MAX_SHAPE_TRIANGLES);
    for (uint32_t k = 0; k < 3; ++k) {
        if (!isfinite(s->tree_least[k]) || !isfinite(s->tree_most[k]) ||
            !isfinite(s->tree_steps[k]) || s->tree_least[k] > s->tree_most[k] ||
            !(s->tree_steps[k] > 0))
            return ct_error_set(error,
                                "shapes[%u]: found a tree from %g to %g with %g steps in a metre "
                                "along axis %u, expected a finite range",
                                i, (double)s->tree_least[k], (double)s->tree_most[k],
                                (double)s->tree_steps[k], k);
    }
    return check_nodes(m, i, error);
}

static bool check_shape(const ct_mesh_resource *m, uint32_t i, ct_error *error) {
    uint32_t num_shapes;
    const ct_mesh_shape *const s = &ct_mesh_shapes(m, &num_shapes)[i];
    if (s->use >= CT_MESH_SHAPE_USE_COUNT || s->kind >= CT_MESH_SHAPE_KIND_COUNT)
        return ct_error_set(error, "shapes[%u]: unknown use %u or kind %u", i, s->use, s->kind);
    if (s->num_points == 0 || s->num_indices == 0 || s->num_indices % 3 != 0 ||
        !is_within(s->first_point, s->num_points, m->shape_points.count) ||
        !is_within(s->first_index, s->num_indices, m->shape_indices.count))
        return ct_error_set(error,
                            "shapes[%u]: found points %u + %u and indices %u + %u, expected whole "
                            "triangles within %u and %u",
                            i, s->first_point, s->num_points, s->first_index, s->num_indices,
                            m->shape_points.count, m->shape_indices.count);
    if (!are_finite(s->center, 3) || !are_finite(s->rotation, 4) || !are_finite(s->half_size, 3) ||
        !isfinite(s->radius))
        return ct_error_set(error, "shapes[%u]: its box or sphere is not finite", i);
    const float *const q = s->rotation;
    const float squared = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    if (!(fabsf(squared - 1) < 1e-3f))
        return ct_error_set(error, "shapes[%u]: found a rotation of length %g, expected 1", i,
                            (double)sqrtf(squared));
    const uint32_t *const indices = ct_mesh_shape_indices(m, s);
    for (uint32_t k = 0; k < s->num_indices; ++k) {
        if (indices[k] >= s->num_points)
            return ct_error_set(error, "shapes[%u]: found index %u, but there are only %u points",
                                i, indices[k], s->num_points);
    }
    if (!are_finite(ct_mesh_shape_points(m, s), s->num_points * (uint64_t)3))
        return ct_error_set(error, "shapes[%u]: a point is not finite", i);
    return check_hulls(m, i, error) && check_tree(m, i, error);
}

static bool check_shapes(const ct_mesh_resource *m, ct_error *error) {
    for (uint32_t i = 0; i < m->shapes.count; ++i) {
        if (!check_shape(m, i, error))
            return false;
    }
    return true;
}

static bool check_skin_joints(const ct_mesh_resource *m, ct_error *error) {
    uint32_t count;
    const ct_mesh_skin_joint *const joints = ct_mesh_skin_joints(m, &count);
    if (count == 0 || count > CT_MESH_MAX_SKIN_JOINTS)
        return ct_error_set(error, "skin_joints: found %u, expected 1 to %d", count,
                            CT_MESH_MAX_SKIN_JOINTS);
    for (uint32_t i = 0; i < count; ++i) {
        if (!are_finite(joints[i].inverse_bind[0], 12) || !are_finite(joints[i].center, 3) ||
            !isfinite(joints[i].radius))
            return ct_error_set(error, "skin_joints[%u]: its matrix or sphere is not finite", i);
    }
    return true;
}

static bool check_skin(const ct_mesh_resource *m, ct_error *error) {
    if (m->num_influences == 0)
        return (m->skin_joints.count == 0 && m->influences.count == 0) ||
               ct_error_set(error,
                            "found %u skin joints and %u influences in a mesh without a skin",
                            m->skin_joints.count, m->influences.count);
    if (m->influences.count != m->num_vertices)
        return ct_error_set(error, "influences: found %u, expected %u", m->influences.count,
                            m->num_vertices);
    if (!check_skin_joints(m, error))
        return false;
    for (uint32_t i = 0; i < m->num_vertices; ++i) {
        const ct_mesh_influences8 all = ct_mesh_influences_at(m, i);
        uint32_t sum = 0;
        for (uint32_t k = 0; k < CT_MESH_MAX_INFLUENCES; ++k) {
            sum += all.weights[k];
            if (all.joints[k] >= m->skin_joints.count)
                return ct_error_set(error, "influences[%u]: found joint %u, but there are only %u",
                                    i, all.joints[k], m->skin_joints.count);
        }
        if (sum != 255)
            return ct_error_set(error, "influences[%u]: the weights add up to %u, expected 255", i,
                                sum);
    }
    return true;
}

bool ct_mesh_validate(const void *blob, ct_error *error) {
    const ct_mesh_resource *const m = blob;
    if (!ct_blob_check_layout(&ct_mesh_layout, m, error))
        return false;
    if (m->num_vertices == 0 || m->num_indices == 0 || m->num_indices % 3 != 0)
        return ct_error_set(error, "found %u vertices and %u indices, expected triangles",
                            m->num_vertices, m->num_indices);
    if (m->vertices.count != m->num_vertices || m->indices.count != m->num_indices)
        return ct_error_set(error, "found arrays of %u vertices and %u indices, expected %u and %u",
                            m->vertices.count, m->indices.count, m->num_vertices, m->num_indices);
    if (m->parts.count == 0)
        return ct_error_set(error, "parts: the mesh has no parts");
    return check_bounds(m, error) && check_grid(m, error) && check_vertices(m, error) &&
           check_extras(m, error) && check_indices(m, error) &&
           check_part_array(m, m->parts, "parts", error) && check_lods(m, error) &&
           check_part_array(m, m->lod_parts, "lod_parts", error) && check_shapes(m, error) &&
           check_skin(m, error);
}
