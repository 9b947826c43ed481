#include "resource/types/mesh/mesh_write.h"

#include <math.h>
#include <string.h>

#include "foundation/error.h"

#define MOST 1e15f // of positions and coordinates: their products are finite

// --- Checks --------------------------------------------------------------------------------------

static bool are_fine(const float *numbers, uint32_t count) {
    bool is_fine = true;
    for (uint32_t i = 0; i < count; ++i)
        is_fine &= fabsf(numbers[i]) <= MOST; // false for NaN
    return is_fine;
}

static bool check_vertices(const ct_mesh_own *mesh, ct_error *error) {
    for (uint32_t i = 0; i < mesh->num_vertices; ++i) {
        const ct_mesh_own_vertex *const v = &mesh->vertices[i];
        const char *const what = !are_fine(v->position, 3) ? "position"
                                 : !are_fine(v->normal, 3) ? "normal"
                                 : !are_fine(v->uv, 2)     ? "uv"
                                 : !are_fine(v->color, 4)  ? "color"
                                                           : NULL;
        if (what)
            return ct_error_set(error, "vertices[%u].%s: expected numbers from -%g to %g", i, what,
                                (double)MOST, (double)MOST);
    }
    return true;
}

static bool check_indices(const ct_mesh_own *mesh, ct_error *error) {
    for (uint32_t i = 0; i < mesh->num_indices; ++i)
        if (mesh->indices[i] >= mesh->num_vertices)
            return ct_error_set(error, "indices[%u]: found %u, but there are %u vertices", i,
                                mesh->indices[i], mesh->num_vertices);
    return true;
}

static bool check_parts(const ct_mesh_own *mesh, ct_error *error) {
    for (uint32_t i = 0; mesh->parts && i < mesh->num_parts; ++i) {
        const ct_mesh_own_part *const p = &mesh->parts[i];
        if (p->num_indices % 3 != 0 || p->first_index > mesh->num_indices ||
            p->num_indices > mesh->num_indices - p->first_index)
            return ct_error_set(error,
                                "parts[%u]: found indices %u + %u, expected whole triangles within "
                                "%u",
                                i, p->first_index, p->num_indices, mesh->num_indices);
    }
    return true;
}

static bool check(const ct_mesh_own *mesh, ct_error *error) {
    if (!mesh->vertices || mesh->num_vertices < 3 || mesh->num_vertices > CT_MESH_MOST_VERTICES)
        return ct_error_set(error, "found %u vertices, expected 3 to %d",
                            mesh->vertices ? mesh->num_vertices : 0, CT_MESH_MOST_VERTICES);
    if (!mesh->indices || mesh->num_indices == 0 || mesh->num_indices % 3 != 0 ||
        mesh->num_indices > CT_MESH_MOST_INDICES)
        return ct_error_set(error, "found %u indices, expected three for each triangle, up to %d",
                            mesh->indices ? mesh->num_indices : 0, CT_MESH_MOST_INDICES);
    if (mesh->parts && (mesh->num_parts == 0 || mesh->num_parts > CT_MESH_MOST_PARTS))
        return ct_error_set(error, "found %u parts, expected 1 to %d", mesh->num_parts,
                            CT_MESH_MOST_PARTS);
    return check_vertices(mesh, error) && check_indices(mesh, error) && check_parts(mesh, error);
}

// --- Normals and tangents ------------------------------------------------------------------------

static void subtract(const float *a, const float *b, float out[3]) {
    for (uint32_t k = 0; k < 3; ++k)
        out[k] = a[k] - b[k];
}

static void cross(const float *a, const float *b, float out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static float dot(const float *a, const float *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Returns false, and leaves it alone, when it has no direction.
static bool normalize(float v[3]) {
    const double length = sqrt((double)v[0] * (double)v[0] + (double)v[1] * (double)v[1] +
                               (double)v[2] * (double)v[2]);
    if (!(length > 1e-30) || !isfinite(length))
        return false;
    for (uint32_t k = 0; k < 3; ++k)
        v[k] = (float)((double)v[k] / length);
    return true;
}

// Sums of vertices over their triangles.
typedef struct sums {
    float normal[3], tangent[3], bitangent[3];
} sums;

static void add_scaled(float to[3], const float *v, float scale) {
    for (uint32_t k = 0; k < 3; ++k)
        to[k] += v[k] * scale;
}

static void add_triangle(const ct_mesh_own *mesh, const uint32_t *corners, sums *all) {
    const ct_mesh_own_vertex *const v[3] = {
        &mesh->vertices[corners[0]], &mesh->vertices[corners[1]], &mesh->vertices[corners[2]]};
    float a[3], b[3], normal[3];
    subtract(v[1]->position, v[0]->position, a);
    subtract(v[2]->position, v[0]->position, b);
    cross(a, b, normal);
    const float au = v[1]->uv[0] - v[0]->uv[0], av = v[1]->uv[1] - v[0]->uv[1];
    const float bu = v[2]->uv[0] - v[0]->uv[0], bv = v[2]->uv[1] - v[0]->uv[1];
    const float sign = au * bv - av * bu < 0 ? -1.0f : 1.0f;
    for (uint32_t i = 0; i < 3; ++i) {
        sums *const s = &all[corners[i]];
        add_scaled(s->normal, normal, 1);
        add_scaled(s->tangent, a, bv * sign);
        add_scaled(s->tangent, b, -av * sign);
        add_scaled(s->bitangent, b, au * sign);
        add_scaled(s->bitangent, a, -bu * sign);
    }
}

// Sets normal and tangent, which are of length 1 and perpendicular. Texture coordinates begin at the top:
// v grows against the bitangent.
static void finish_vertex(const ct_mesh_own_vertex *v, const sums *s, ct_mesh_vertex *out) {
    memcpy(out->position, v->position, sizeof(out->position));
    memcpy(out->uv, v->uv, sizeof(out->uv));
    memcpy(out->normal, v->normal, sizeof(out->normal));
    if (!normalize(out->normal)) {
        memcpy(out->normal, s->normal, sizeof(out->normal));
        if (!normalize(out->normal))
            memcpy(out->normal, (const float[3]){0, 0, 1}, sizeof(out->normal));
    }
    float tangent[3], side[3];
    memcpy(tangent, s->tangent, sizeof(tangent));
    add_scaled(tangent, out->normal, -dot(out->normal, s->tangent));
    if (!normalize(tangent)) {
        const float other[3] = {fabsf(out->normal[0]) < 0.9f, fabsf(out->normal[0]) >= 0.9f, 0};
        memcpy(tangent, other, sizeof(tangent));
        add_scaled(tangent, out->normal, -dot(out->normal, other));
        normalize(tangent);
    }
    memcpy(out->tangent, tangent, sizeof(tangent));
    cross(out->normal, tangent, side);
    out->tangent[3] = dot(side, s->bitangent) > 0 ? -1.0f : 1.0f;
}

static ct_mesh_vertex *make_vertices(ct_allocator *a, const ct_mesh_own *mesh) {
    sums *const all = ct_alloc(a, sizeof(*all) * (uint64_t)mesh->num_vertices);
    memset(all, 0, sizeof(*all) * (size_t)mesh->num_vertices);
    for (uint32_t i = 0; i < mesh->num_indices; i += 3)
        add_triangle(mesh, &mesh->indices[i], all);
    ct_mesh_vertex *const out = ct_alloc(a, sizeof(*out) * (uint64_t)mesh->num_vertices);
    for (uint32_t i = 0; i < mesh->num_vertices; ++i)
        finish_vertex(&mesh->vertices[i], &all[i], &out[i]);
    ct_free(a, all);
    return out;
}

// --- The blob ------------------------------------------------------------------------------------

static void set_bounds(const ct_mesh_own *mesh, ct_mesh_resource *r) {
    for (uint32_t k = 0; k < 3; ++k) {
        r->bounds_min[k] = r->bounds_max[k] = mesh->vertices[0].position[k];
        for (uint32_t i = 1; i < mesh->num_vertices; ++i) {
            r->bounds_min[k] = fminf(r->bounds_min[k], mesh->vertices[i].position[k]);
            r->bounds_max[k] = fmaxf(r->bounds_max[k], mesh->vertices[i].position[k]);
        }
    }
    double farthest = 0;
    for (uint32_t i = 0; i < mesh->num_vertices; ++i) {
        double square = 0;
        for (uint32_t k = 0; k < 3; ++k) {
            const double from_center = (double)mesh->vertices[i].position[k] -
                                       ((double)r->bounds_min[k] + (double)r->bounds_max[k]) * 0.5;
            square += from_center * from_center;
        }
        farthest = fmax(farthest, square);
    }
    r->bounds_radius = (float)sqrt(farthest);
}

static bool is_white(const ct_mesh_own *mesh) {
    for (uint32_t i = 0; i < mesh->num_vertices; ++i)
        for (uint32_t k = 0; k < 4; ++k)
            if (mesh->vertices[i].color[k] < 1)
                return false;
    return true;
}

// Meshes without colours have no extras.
static ct_blob_array write_colors(ct_blob_writer *w, ct_allocator *a, const ct_mesh_own *mesh) {
    if (is_white(mesh))
        return (ct_blob_array){0, 0};
    ct_mesh_vertex_extra *const extras =
        ct_alloc(a, sizeof(*extras) * (uint64_t)mesh->num_vertices);
    for (uint32_t i = 0; i < mesh->num_vertices; ++i) {
        extras[i] = (ct_mesh_vertex_extra){{0}, {0}};
        for (uint32_t k = 0; k < 4; ++k) {
            const float c = fmaxf(0, fminf(1, mesh->vertices[i].color[k]));
            extras[i].color[k] = (uint16_t)(c * 65535.0f + 0.5f);
        }
    }
    const ct_blob_array array = ct_blob_write_items(w, &ct_mesh_extra_layouts[CT_MESH_FORMAT_FULL],
                                                    extras, mesh->num_vertices);
    ct_free(a, extras);
    return array;
}

static ct_blob_array write_parts(ct_blob_writer *w, const ct_mesh_own *mesh) {
    const ct_mesh_own_part all = {0, mesh->num_indices, NULL};
    const ct_mesh_own_part *const given = mesh->parts ? mesh->parts : &all;
    const uint32_t count = mesh->parts ? mesh->num_parts : 1;
    ct_mesh_part parts[CT_MESH_MOST_PARTS];
    for (uint32_t i = 0; i < count; ++i)
        parts[i] = (ct_mesh_part){.first_index = given[i].first_index,
                                  .num_indices = given[i].num_indices,
                                  .slot = ct_string_id32_of(given[i].slot ? given[i].slot : "")};
    return ct_blob_write_items(w, &ct_mesh_part_layout, parts, count);
}

bool ct_mesh_write(ct_blob_writer *w, ct_allocator *a, const ct_mesh_own *mesh, ct_error *error) {
    if (!check(mesh, error))
        return false;
    ct_mesh_resource r = {.index_bytes = 4,
                          .num_vertices = mesh->num_vertices,
                          .num_indices = mesh->num_indices,
                          .format = CT_MESH_FORMAT_FULL,
                          .grid = {.point_scale = 1, .uv_scale = {1, 1}, .uv1_scale = {1, 1}}};
    set_bounds(mesh, &r);
    const ct_byte_order order =
        __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? CT_BYTE_ORDER_BIG : CT_BYTE_ORDER_LITTLE;
    ct_blob_writer_init(w, a, order, "mesh", CT_MESH_VERSION);
    ct_blob_begin(w, &ct_mesh_layout);
    ct_mesh_vertex *const vertices = make_vertices(a, mesh);
    r.vertices = ct_blob_write_items(w, &ct_mesh_vertex_layouts[CT_MESH_FORMAT_FULL], vertices,
                                     mesh->num_vertices);
    ct_free(a, vertices);
    r.extras = write_colors(w, a, mesh);
    r.indices = ct_blob_write_items(w, &ct_blob_u32_layout, mesh->indices, mesh->num_indices);
    r.parts = write_parts(w, mesh);
    ct_blob_end(w, &ct_mesh_layout, &r);
    ct_blob_writer_finish(w);
    return true;
}
