#include "compiler/types/model/worker_model.h"

#include <math.h>
#include <string.h>

#include "compiler/types/model/worker_node_uses.h"
#include "compiler/types/model/worker_scene.h"
#include "foundation/error.h"

typedef struct model_reader {
    ct_compile *c;
    const ct_mesh_source *source;
    ct_sjson_value at;      // of the media
    ct_worker_scene *scene; // the model's
    ct_worker_model *model;
    uint64_t num_corners;
    ct_worker_node_use *uses;          // by node
    uint32_t *levels_of;               // by owner: a bit for each level that it has
    CT_ARRAY(uint32_t) nodes;          // by batch
    CT_ARRAY(ct_worker_matrix) spaces; // by batch: from its node's space to the mesh that is made
} model_reader;

// How the points of one mesh at one node come to the mesh that is made.
typedef struct placing {
    ct_worker_matrix points, normals;
    float sign;                 // of the determinant
    const uint32_t *influences; // by vertex of a skinned mesh; else NULL
} placing;

static bool fail(const model_reader *r, const char *what) {
    return ct_compile_error(r->c, r->c->doc, r->at, "%s: %s", r->source->source, what);
}

static void normalize(float v[3]) {
    const float length = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    const float factor = length > 0 ? 1.0f / length : 0.0f;
    for (uint32_t i = 0; i < 3; ++i)
        v[i] *= factor;
}

static bool are_finite(const float *values, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        if (!isfinite(values[i]))
            return false;
    }
    return true;
}

static const char *broken_part(const ct_worker_mesh *mesh, uint32_t i) {
    if (!are_finite(mesh->positions[i], 3))
        return "position";
    if (mesh->normals && !are_finite(mesh->normals[i], 3))
        return "normal";
    for (uint32_t set = 0; set < 2; ++set) {
        if (mesh->uv[set] && !are_finite(mesh->uv[set][i], 2))
            return "texture coordinate";
    }
    if (mesh->tangents && !are_finite(mesh->tangents[i], 4))
        return "tangent";
    return mesh->colors && !are_finite(mesh->colors[i], 4) ? "colour" : NULL;
}

static bool check_vertices(const model_reader *r, const ct_worker_mesh *mesh) {
    for (uint32_t i = 0; i < mesh->num_vertices; ++i) {
        const char *const broken = broken_part(mesh, i);
        if (broken)
            return fail(r, ct_compile_text(r->c, "%s: vertex %u has a %s that is not a number",
                                           mesh->name, i, broken));
    }
    return true;
}

static void move_direction(const ct_worker_matrix *m, const float v[3], float out[3]) {
    ct_worker_matrix_apply(m, v, 0.0f, out);
    normalize(out);
    for (uint32_t i = 0; i < 3; ++i)
        out[i] += 0.0f; // -0 to 0, so that equal vertices have equal bytes
}

static ct_mesh_vertex_extra extra_of(const ct_worker_mesh *mesh, uint32_t i) {
    ct_mesh_vertex_extra e = {.color = {65535, 65535, 65535, 65535}};
    for (uint32_t k = 0; mesh->colors && k < 4; ++k)
        e.color[k] = (uint16_t)lrintf(fminf(fmaxf(mesh->colors[i][k], 0.0f), 1.0f) * 65535.0f);
    for (uint32_t k = 0; mesh->uv[1] && k < 2; ++k)
        e.uv1[k] = mesh->uv[1][i][k] + 0.0f;
    return e;
}

static ct_worker_vertex corner_of(const ct_worker_mesh *mesh, uint32_t i, const placing *p) {
    ct_worker_vertex v = {.extra = extra_of(mesh, i),
                          .influences = p->influences ? p->influences[i] : 0};
    ct_mesh_vertex *const base = &v.base;
    ct_worker_matrix_apply(&p->points, mesh->positions[i], 1.0f, base->position);
    if (mesh->normals)
        move_direction(&p->normals, mesh->normals[i], base->normal);
    for (uint32_t k = 0; mesh->uv[0] && k < 2; ++k)
        base->uv[k] = mesh->uv[0][i][k] + 0.0f;
    if (mesh->normals && mesh->tangents) {
        move_direction(&p->points, mesh->tangents[i], base->tangent);
        base->tangent[3] = p->sign * (mesh->tangents[i][3] < 0 ? -1.0f : 1.0f);
    }
    return v;
}

static bool corners_are_finite(const ct_worker_batch *batch) {
    for (uint32_t i = 0; i < batch->num_corners; ++i) {
        const float *const values = (const float *)&batch->corners[i].base;
        for (uint32_t k = 0; k < sizeof(ct_mesh_vertex) / sizeof(float); ++k) {
            if (!isfinite(values[k]))
                return false;
        }
    }
    return true;
}

// Fills the batch's corners. False after reporting what cannot be one.
static bool take_corners(model_reader *r, const ct_worker_mesh *mesh, const placing *p,
                         ct_worker_batch *batch) {
    for (uint32_t i = 0; i < mesh->num_indices; i += 3) {
        // A mirrored node turns triangles inside out; the other order turns them back.
        for (uint32_t k = 0; k < 3; ++k)
            batch->corners[batch->num_corners++] =
                corner_of(mesh, mesh->indices[i + (p->sign < 0 ? 2 - k : k)], p);
    }
    return corners_are_finite(batch) ||
           fail(r, "its nodes scale or move it beyond the range of numbers");
}

// Whether the triangles of a mesh can be taken as well.
static bool check_mesh(model_reader *r, const ct_worker_mesh *mesh) {
    r->num_corners += mesh->num_indices;
    if (r->num_corners > CT_WORKER_MODEL_MAX_CORNERS)
        return fail(r, ct_compile_text(r->c, "has too many triangles; expected at most %u",
                                       CT_WORKER_MODEL_MAX_CORNERS / 3));
    return check_vertices(r, mesh);
}

static bool add_mesh(model_reader *r, const ct_worker_mesh *mesh, const placing *p) {
    if (mesh->num_indices == 0)
        return true;
    if (!check_mesh(r, mesh))
        return false;
    ct_worker_batch batch = {
        .corners = CT_NEW_ARRAY(r->c->allocator, ct_worker_vertex, mesh->num_indices),
        .material = mesh->material,
        .has_normals = mesh->normals != NULL,
        .has_tangents = mesh->normals && mesh->tangents,
        .has_extras = mesh->colors || mesh->uv[1],
        .is_skinned = p->influences != NULL,
    };
    if (!take_corners(r, mesh, p, &batch))
        return false;
    ct_array_push(&r->model->batches, batch);
    return true;
}

static const ct_worker_mesh *mesh_of(const model_reader *r, const ct_worker_scene_node *node,
                                     uint32_t i) {
    return &r->scene->meshes.items[r->scene->node_meshes.items[node->first_mesh + i]];
}

// As add_mesh for a skinned mesh, whose points ignore its node.
static bool add_skinned_mesh(model_reader *r, const ct_worker_mesh *mesh) {
    placing p = {.points = r->model->skinning.to_mesh,
                 .influences = ct_worker_skinning_read(&r->model->skinning, mesh)};
    p.normals = ct_worker_matrix_normals(&p.points, &p.sign);
    return p.influences && add_mesh(r, mesh, &p);
}

static bool add_drawn_node(model_reader *r, uint32_t index, const placing *p,
                           const ct_worker_matrix *space) {
    const ct_worker_node_use *const use = &r->uses[index];
    const ct_worker_scene_node *const node = &r->scene->nodes.items[index];
    if (use->lod != CT_WORKER_EVERY_LOD)
        r->levels_of[use->owner] |= 1u << use->lod;
    for (uint32_t i = 0; i < node->num_meshes; ++i) {
        const ct_worker_mesh *const mesh = mesh_of(r, node, i);
        const bool is_skinned = ct_worker_skinning_has(r->scene, mesh);
        if (!(is_skinned ? add_skinned_mesh(r, mesh) : add_mesh(r, mesh, p)))
            return false;
        while (r->nodes.count < r->model->batches.count) {
            ct_array_push(&r->nodes, index);
            ct_array_push(&r->spaces, *space);
        }
    }
    return true;
}

// --- Shapes --------------------------------------------------------------------------------------

static bool add_shape_mesh(model_reader *r, const ct_worker_mesh *mesh, const placing *p,
                           ct_worker_shape *shape) {
    if (!check_mesh(r, mesh))
        return false;
    for (uint32_t i = 0; i < mesh->num_indices; i += 3) {
        for (uint32_t k = 0; k < 3; ++k) {
            const uint32_t index = mesh->indices[i + (p->sign < 0 ? 2 - k : k)];
            ct_worker_point point;
            ct_worker_matrix_apply(&p->points, mesh->positions[index], 1.0f, point.at);
            if (!are_finite(point.at, 3))
                return fail(r, "its nodes scale or move it beyond the range of numbers");
            ct_array_push(&shape->corners, point);
        }
    }
    return true;
}

// A node without meshes is a group of shapes.
static bool add_shape_node(model_reader *r, uint32_t index, const placing *p,
                           const ct_worker_matrix *space) {
    const ct_worker_scene_node *const node = &r->scene->nodes.items[index];
    const ct_worker_node_use *const use = &r->uses[index];
    ct_worker_shape shape = {.node = node->name,
                             .use = use->role == CT_WORKER_NODE_ROLE_OCCLUDER
                                        ? CT_MESH_SHAPE_USE_OCCLUDER
                                        : CT_MESH_SHAPE_USE_COLLISION,
                             .kind = use->kind,
                             .most_hulls = use->is_split ? (uint32_t)r->source->collision_hulls : 0,
                             .concavity = r->source->collision_concavity,
                             .space = *space};
    ct_array_init(&shape.corners, r->c->allocator);
    for (uint32_t i = 0; i < node->num_meshes; ++i) {
        if (!add_shape_mesh(r, mesh_of(r, node, i), p, &shape))
            return false;
    }
    if (node->num_meshes > 0)
        ct_array_push(&r->model->shapes, shape);
    return true;
}

static bool add_node(model_reader *r, uint32_t index, const ct_worker_matrix *space) {
    const ct_worker_scene_node *const node = &r->scene->nodes.items[index];
    placing p = {.points = ct_worker_matrix_multiply(space, &node->geometry)};
    p.normals = ct_worker_matrix_normals(&p.points, &p.sign);
    return r->uses[index].role == CT_WORKER_NODE_ROLE_DRAWN ? add_drawn_node(r, index, &p, space)
                                                            : add_shape_node(r, index, &p, space);
}

// --- The nodes -----------------------------------------------------------------------------------

// The nodes that the source asks for: first and behind the last. False after reporting.
static bool select_nodes(const model_reader *r, uint32_t *first, uint32_t *end) {
    const char *const name = r->source->node;
    const ct_sjson *const doc = r->c->doc;
    *first = 0;
    *end = r->scene->nodes.count;
    if (!name || !*name)
        return r->source->children ||
               ct_compile_error(r->c, doc, ct_sjson_find(doc, ct_sjson_root(doc), "children"),
                                "children = false needs a node; expected node = \"...\"");
    *first =
        ct_worker_scene_find(r->c, r->scene, name, ct_sjson_find(doc, ct_sjson_root(doc), "node"));
    if (*first == CT_WORKER_SCENE_NO_NODE)
        return false;
    *end = r->source->children ? r->scene->nodes.items[*first].end : *first + 1;
    return true;
}

// From the space of node `i` to that of the scene.
static ct_worker_matrix world_of(const model_reader *r, uint32_t i) {
    const ct_worker_scene_node *nodes = r->scene->nodes.items;
    ct_worker_matrix m = nodes[i].local;
    for (uint32_t n = nodes[i].parent; n != CT_WORKER_SCENE_NO_NODE; n = nodes[n].parent)
        m = ct_worker_matrix_multiply(&nodes[n].local, &m);
    return m;
}

// Adds shapes and levels that stand elsewhere but belong to nodes from `first` to `end`.
static bool add_owned(model_reader *r, uint32_t first, uint32_t end,
                      const ct_worker_matrix *scale) {
    const ct_worker_matrix world = world_of(r, first);
    ct_worker_matrix to_first = {{{0}}};
    const bool has_inverse = ct_worker_matrix_inverse(&world, &to_first);
    to_first = ct_worker_matrix_multiply(scale, &to_first);
    for (uint32_t i = 0; i < r->scene->nodes.count; ++i) {
        const uint32_t owner = r->uses[i].owner;
        if ((i >= first && i < end) || owner < first || owner >= end)
            continue;
        if (!has_inverse)
            return fail(r, ct_compile_text(r->c,
                                           "node \"%s\" is flat, so node \"%s\" has no pose "
                                           "relative to it; give it a size in all directions",
                                           r->scene->nodes.items[first].name,
                                           r->scene->nodes.items[i].name));
        const ct_worker_matrix from = world_of(r, i);
        const ct_worker_matrix space = ct_worker_matrix_multiply(&to_first, &from);
        if (!add_node(r, i, &space))
            return false;
    }
    return true;
}

static bool add_selected(model_reader *r) {
    uint32_t first, end;
    if (!select_nodes(r, &first, &end))
        return false;
    const float f = r->source->scale;
    const ct_worker_matrix scale = {{{f, 0, 0, 0}, {0, f, 0, 0}, {0, 0, f, 0}}};
    const uint32_t count = r->scene->nodes.count;
    const bool is_whole = !r->source->node || !*r->source->node;
    ct_worker_matrix *const spaces =
        CT_NEW_ARRAY(r->c->allocator, ct_worker_matrix, (uint64_t)count + 1);
    r->uses = ct_worker_node_uses(r->c, r->scene, is_whole ? CT_WORKER_SCENE_NO_NODE : first);
    r->levels_of = CT_NEW_ARRAY(r->c->allocator, uint32_t, (uint64_t)count + 1);
    for (uint32_t i = first; i < end; ++i) {
        const ct_worker_scene_node *const node = &r->scene->nodes.items[i];
        const bool has_parent = node->parent != CT_WORKER_SCENE_NO_NODE && i != first;
        const ct_worker_matrix *const parent = has_parent ? &spaces[node->parent] : &scale;
        // The transform of a node that was asked for is left out.
        spaces[i] =
            i == first && !is_whole ? scale : ct_worker_matrix_multiply(parent, &node->local);
        if (!add_node(r, i, &spaces[i]))
            return false;
    }
    return is_whole || add_owned(r, first, end, &scale);
}

// At which of the levels of its owner (bits) the one of number `lod` is drawn: at its own, at those
// above that the owner has not, and when it is the first, at those below.
static uint32_t levels_drawn(uint32_t levels, uint32_t lod) {
    const uint32_t below = levels & ((1u << lod) - 1), above = levels >> lod >> 1;
    uint32_t drawn = UINT32_MAX;
    if (below)
        drawn &= ~((1u << lod) - 1);
    if (above)
        drawn &= (2u << (lod + (uint32_t)__builtin_ctz(above))) - 1;
    return drawn;
}

static void set_levels(model_reader *r) {
    for (uint32_t i = 0; i < r->model->batches.count; ++i) {
        const ct_worker_node_use *const use = &r->uses[r->nodes.items[i]];
        uint32_t *const levels = &r->model->batches.items[i].levels;
        *levels = UINT32_MAX;
        if (use->lod == CT_WORKER_EVERY_LOD)
            continue;
        *levels = levels_drawn(r->levels_of[use->owner], use->lod);
        r->model->levels |= r->levels_of[use->owner];
    }
}

// Gives what is not skinned influences too, when something is: it follows its node.
static bool add_rigid_influences(model_reader *r) {
    ct_worker_model *const model = r->model;
    const float f = r->source->scale;
    const ct_worker_matrix scale = {{{f, 0, 0, 0}, {0, f, 0, 0}, {0, 0, f, 0}}};
    for (uint32_t i = 0; i < model->batches.count && model->skinning.joints.count > 0; ++i) {
        ct_worker_batch *const batch = &model->batches.items[i];
        ct_worker_matrix bind;
        if (batch->is_skinned)
            continue;
        if (!ct_worker_matrix_inverse(&r->spaces.items[i], &bind))
            return fail(r, ct_compile_text(r->c,
                                           "node \"%s\" is flat, so it cannot move with the "
                                           "skeleton; give it a size in all directions",
                                           r->scene->nodes.items[r->nodes.items[i]].name));
        bind = ct_worker_matrix_multiply(&scale, &bind);
        const uint32_t set = ct_worker_skinning_rigid(&model->skinning, r->nodes.items[i], &bind);
        for (uint32_t k = 0; k < batch->num_corners; ++k)
            batch->corners[k].influences = set;
    }
    return true;
}

static void read_materials(model_reader *r) {
    const ct_worker_material_array *const materials = &r->scene->materials;
    r->model->num_materials = materials->count;
    r->model->materials =
        CT_NEW_ARRAY(r->c->allocator, const char *, (uint64_t)materials->count + 1);
    for (uint32_t i = 0; i < materials->count; ++i)
        r->model->materials[i] = materials->items[i].name;
}

static bool read_model(model_reader *r) {
    read_materials(r);
    ct_worker_skinning_init(&r->model->skinning, r->c, r->scene, r->source->source, r->at,
                            r->source->scale, (uint32_t)r->source->max_influences);
    if (!add_selected(r) || !add_rigid_influences(r))
        return false;
    const char *const problem = ct_worker_node_uses_problem(r->c, r->scene, r->uses, r->levels_of);
    if (problem)
        return fail(r, problem);
    set_levels(r);
    return r->model->batches.count > 0 ||
           fail(r, r->model->shapes.count > 0 ? "found no triangles to draw, only shapes"
                                              : "found no triangles");
}

bool ct_worker_model_read(ct_compile *c, const ct_mesh_source *source, ct_worker_model *model) {
    const ct_sjson_value at = ct_sjson_find(c->doc, ct_sjson_root(c->doc), "source");
    model->scene = CT_NEW(c->allocator, ct_worker_scene);
    model_reader r = {.c = c, .source = source, .at = at, .scene = model->scene, .model = model};
    ct_array_init(&model->batches, c->allocator);
    ct_array_init(&model->shapes, c->allocator);
    ct_array_init(&r.nodes, c->allocator);
    ct_array_init(&r.spaces, c->allocator);
    ct_worker_model_files files;
    ct_worker_model_files_init(&files, c, at, false);
    return ct_worker_scene_open(c, &files, source->source, source->up_axis, at, r.scene) &&
           read_model(&r);
}
