#include "compiler/types/model/worker_obj_mesh.h"

#include <math.h>
#include <string.h>

#include "compiler/types/model/worker_obj_polygon.h"
#include "resource/schema/schema.h"

typedef struct mesh_builder {
    ct_compile *c;
    ct_worker_obj_model *m;
    ct_worker_scene *scene;
    float color_factor;
} mesh_builder;

void ct_worker_obj_model_init(ct_worker_obj_model *m, ct_allocator *a) {
    *m = (ct_worker_obj_model){0};
    ct_array_init(&m->positions, a);
    ct_array_init(&m->normals, a);
    ct_array_init(&m->uvs, a);
    ct_array_init(&m->colors, a);
    ct_array_init(&m->objects, a);
    ct_array_init(&m->parts, a);
    ct_array_init(&m->large_faces, a);
}

void ct_worker_obj_add_part(ct_compile *c, ct_worker_obj_model *m, uint32_t object,
                            uint32_t material) {
    ct_worker_obj_object *const o = &m->objects.items[object];
    ct_worker_obj_part part = {.material = material};
    ct_array_init(&part.corners, c->allocator);
    ct_array_init(&part.sizes, c->allocator);
    ct_array_push(&m->parts, part);
    if (o->last_part)
        m->parts.items[o->last_part - 1].next = m->parts.count;
    else
        o->first_part = m->parts.count;
    o->last_part = m->parts.count;
}

void ct_worker_obj_end_face(ct_worker_obj_model *m, uint32_t part, uint32_t count, uint32_t line) {
    ct_worker_obj_part *const p = &m->parts.items[part];
    const ct_worker_obj_large_face large = {part, p->corners.count - count, line};
    ct_array_push(&p->sizes, count);
    if (count > CT_WORKER_OBJ_POLYGON_MAX)
        ct_array_push(&m->large_faces, large);
}

// --- Vertices ------------------------------------------------------------------------------------

static bool has_colors(const ct_worker_obj_model *m, const ct_worker_obj_part *part) {
    for (uint32_t i = 0; i < part->corners.count && m->colors.count > 0; ++i) {
        const uint32_t place = part->corners.items[i].position - 1;
        if (place < m->colors.count && m->colors.items[place].at[3] >= 0)
            return true;
    }
    return false;
}

// Linear. What is no number stays so: the model's reader reports it.
static void write_color(const mesh_builder *b, uint32_t place, float out[4]) {
    out[0] = out[1] = out[2] = out[3] = 1;
    if (place >= b->m->colors.count || b->m->colors.items[place].at[3] == -1)
        return;
    for (uint32_t i = 0; i < 4; ++i) {
        const float given = b->m->colors.items[place].at[i];
        // An opacity of 1 is that of a colour without.
        const float value = i == 3 && given <= 1 ? given : given * b->color_factor;
        const float cut = fminf(fmaxf(value, 0), 1);
        out[i] = !isfinite(value) ? value : i < 3 ? ct_srgb_to_linear(cut) : cut;
    }
}

static void write_vertices(const mesh_builder *b, const ct_worker_obj_part *part,
                           ct_worker_mesh *mesh) {
    ct_allocator *const a = b->c->allocator;
    const ct_worker_obj_model *const m = b->m;
    const uint64_t count = part->corners.count;
    const bool has_uvs = part->has_uvs && m->uvs.count > 0;
    const bool has_normals = part->has_normals && m->normals.count > 0;
    float(*const positions)[3] = ct_alloc(a, count * sizeof(*positions));
    float(*const normals)[3] = has_normals ? ct_alloc(a, count * sizeof(*normals)) : NULL;
    float(*const uvs)[2] = has_uvs ? ct_alloc(a, count * sizeof(*uvs)) : NULL;
    float(*const colors)[4] = has_colors(m, part) ? ct_alloc(a, count * sizeof(*colors)) : NULL;
    static const float no_normal[3] = {0}, no_uv[2] = {0, 1};
    for (uint64_t i = 0; i < count; ++i) {
        const ct_worker_obj_corner k = part->corners.items[i];
        memcpy(positions[i], m->positions.items[k.position - 1].at, sizeof(positions[i]));
        if (normals)
            memcpy(normals[i], k.normal ? m->normals.items[k.normal - 1].at : no_normal,
                   sizeof(normals[i]));
        if (uvs)
            memcpy(uvs[i], k.uv ? m->uvs.items[k.uv - 1].at : no_uv, sizeof(uvs[i]));
        if (colors)
            write_color(b, k.position - 1, colors[i]);
    }
    mesh->num_vertices = (uint32_t)count;
    mesh->positions = (const float(*)[3])positions;
    mesh->normals = (const float(*)[3])normals;
    mesh->uv[0] = (const float(*)[2])uvs;
    mesh->colors = (const float(*)[4])colors;
}

// --- Triangles -----------------------------------------------------------------------------------

static bool fail_face(const mesh_builder *b, uint32_t part, uint32_t first, uint32_t size) {
    uint32_t line = 0;
    for (uint32_t i = 0; i < b->m->large_faces.count; ++i) {
        const ct_worker_obj_large_face *const face = &b->m->large_faces.items[i];
        line = face->part == part && face->first_corner == first ? face->line : line;
    }
    return ct_compile_error_at(b->c, b->scene->path, line, 1,
                               "found a polygon of %u corners that is not convex; expected at most "
                               "%u",
                               size, CT_WORKER_OBJ_POLYGON_MAX);
}

static bool write_triangles(const mesh_builder *b, uint32_t index, ct_worker_mesh *mesh) {
    const ct_worker_obj_part *const part = &b->m->parts.items[index];
    ct_u32_array indices;
    ct_array_init(&indices, b->c->allocator);
    ct_array_reserve(&indices, ((uint64_t)part->corners.count - 2 * part->sizes.count) * 3);
    uint32_t first = 0;
    for (uint32_t i = 0; i < part->sizes.count; ++i) {
        const uint32_t size = part->sizes.items[i], before = indices.count;
        if (!ct_worker_obj_polygon_cut(b->c->allocator, mesh->positions + first, size, &indices))
            return fail_face(b, index, first, size);
        for (uint32_t k = before; k < indices.count; ++k)
            indices.items[k] += first;
        first += size;
    }
    mesh->indices = indices.items;
    mesh->num_indices = indices.count;
    return true;
}

static bool add_mesh(const mesh_builder *b, const char *name, uint32_t index) {
    ct_worker_obj_part *const part = &b->m->parts.items[index];
    ct_worker_mesh mesh = {
        .name = name, .material = part->material, .has_points_or_lines = part->has_points_or_lines};
    if (part->corners.count > 0) {
        write_vertices(b, part, &mesh);
        if (!write_triangles(b, index, &mesh))
            return false;
    }
    ct_array_free(&part->corners);
    ct_array_free(&part->sizes);
    ct_array_push(&b->scene->node_meshes, b->scene->meshes.count);
    ct_array_push(&b->scene->meshes, mesh);
    return true;
}

// Some programs write colours from 0 to 255.
static float color_factor(const ct_worker_obj_model *m, ct_worker_obj_warnings *warnings) {
    const bool are_bytes = m->has_color_above_1 && !m->has_color_below_0 && !m->has_broken_color;
    if (are_bytes)
        ct_worker_obj_warn(warnings, NULL, 1, "colors",
                           "its vertex colours are read as 0 to 255, because some are above 1");
    else if (m->has_color_above_1 || m->has_color_below_0)
        ct_worker_obj_warn(warnings, NULL, 1, "colors", "its vertex colours are clamped to 0 to 1");
    return are_bytes ? 1.0f / 255 : 1;
}

bool ct_worker_obj_build(ct_compile *c, ct_worker_obj_model *m, ct_worker_obj_warnings *warnings,
                         ct_worker_scene *scene) {
    const mesh_builder b = {c, m, scene, color_factor(m, warnings)};
    for (uint32_t i = 0; i < m->objects.count; ++i) {
        const ct_worker_obj_object *const object = &m->objects.items[i];
        ct_worker_scene_node node = {.name = object->name,
                                     .parent = CT_WORKER_SCENE_NO_NODE,
                                     .local = ct_worker_matrix_identity(),
                                     .geometry = ct_worker_matrix_identity(),
                                     .first_mesh = scene->node_meshes.count};
        for (uint32_t part = object->first_part; part; part = m->parts.items[part - 1].next) {
            if (!add_mesh(&b, object->name, part - 1))
                return false;
            ++node.num_meshes;
        }
        ct_array_push(&scene->nodes, node);
    }
    return true;
}
