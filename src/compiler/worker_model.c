#include "compiler/worker_model.h"

#include <math.h>
#include <string.h>

#include <assimp/cfileio.h>
#include <assimp/scene.h>

#include "compiler/worker_scene.h"
#include "foundation/error.h"

typedef struct model_reader {
    ct_compile *c;
    const ct_mesh_source *source;
    ct_sjson_value at; // of the media
    ct_worker_scene scene;
    ct_worker_model *model;
    uint64_t num_corners;
} model_reader;

// How the points of one mesh at one node come to the mesh that is made.
typedef struct placing {
    ct_worker_matrix points, normals;
    float sign; // of the determinant
} placing;

static bool fail(const model_reader *r, const char *what) {
    return ct_compile_error(r->c, r->c->doc, r->at, "%s: %s", r->source->source, what);
}

static void normalize(float v[3]) {
    const float length = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    const float factor = length > 0 ? 1.0f / length : 0.0f;
    for (uint32_t i = 0; i < 3; i++)
        v[i] *= factor;
}

static bool is_finite(const struct aiVector3D *v) {
    return isfinite(v->x) && isfinite(v->y) && isfinite(v->z);
}

static const char *broken_part(const struct aiMesh *mesh, uint32_t i) {
    if (!is_finite(&mesh->mVertices[i]))
        return "position";
    if (mesh->mNormals && !is_finite(&mesh->mNormals[i]))
        return "normal";
    for (uint32_t set = 0; set < 2; set++) {
        if (mesh->mTextureCoords[set] && !is_finite(&mesh->mTextureCoords[set][i]))
            return "texture coordinate";
    }
    if (mesh->mTangents && (!is_finite(&mesh->mTangents[i]) || !is_finite(&mesh->mBitangents[i])))
        return "tangent";
    const struct aiColor4D *color = mesh->mColors[0] ? &mesh->mColors[0][i] : NULL;
    if (color && !isfinite(color->r + color->g + color->b + color->a))
        return "colour";
    return NULL;
}

static bool check_vertices(const model_reader *r, const struct aiMesh *mesh) {
    for (uint32_t i = 0; i < mesh->mNumVertices; i++) {
        const char *broken = broken_part(mesh, i);
        if (broken)
            return fail(r, ct_compile_text(r->c, "%s: vertex %u has a %s that is not a number",
                                           mesh->mName.data, i, broken));
    }
    return true;
}

// The sign that makes cross(normal, tangent) the file's bitangent.
static float bitangent_sign(const struct aiVector3D *n, const struct aiVector3D *t,
                            const struct aiVector3D *b) {
    const float dot = (n->y * t->z - n->z * t->y) * b->x + (n->z * t->x - n->x * t->z) * b->y +
                      (n->x * t->y - n->y * t->x) * b->z;
    return dot < 0 ? -1.0f : 1.0f;
}

// A point (w 1) or direction (w 0) moved by `m`.
static void move(const ct_worker_matrix *m, const struct aiVector3D *v, float w, float out[3]) {
    const float from[3] = {v->x, v->y, v->z};
    ct_worker_matrix_apply(m, from, w, out);
}

static void move_direction(const ct_worker_matrix *m, const struct aiVector3D *v, float out[3]) {
    move(m, v, 0.0f, out);
    normalize(out);
    for (uint32_t i = 0; i < 3; i++)
        out[i] += 0.0f; // -0 to 0, so that equal vertices have equal bytes
}

static uint16_t color_part(const model_reader *r, float value, bool is_alpha) {
    const float cut = fminf(fmaxf(value, 0.0f), 1.0f);
    const float linear = r->scene.is_gltf || is_alpha ? cut : ct_srgb_to_linear(cut);
    return (uint16_t)lrintf(linear * 65535.0f);
}

static ct_mesh_vertex_extra extra_of(const model_reader *r, const struct aiMesh *mesh, uint32_t i) {
    ct_mesh_vertex_extra e = {.color = {65535, 65535, 65535, 65535}};
    if (mesh->mColors[0]) {
        const struct aiColor4D *c = &mesh->mColors[0][i];
        const float color[4] = {c->r, c->g, c->b, c->a};
        for (uint32_t k = 0; k < 4; k++)
            e.color[k] = color_part(r, color[k], k == 3);
    }
    if (mesh->mTextureCoords[1]) {
        e.uv1[0] = mesh->mTextureCoords[1][i].x + 0.0f;
        e.uv1[1] = 1.0f - mesh->mTextureCoords[1][i].y;
    }
    return e;
}

static ct_worker_vertex corner_of(const model_reader *r, const struct aiMesh *mesh, uint32_t i,
                                  const placing *p) {
    ct_worker_vertex v = {.extra = extra_of(r, mesh, i)};
    ct_mesh_vertex *base = &v.base;
    move(&p->points, &mesh->mVertices[i], 1.0f, base->position);
    if (mesh->mNormals)
        move_direction(&p->normals, &mesh->mNormals[i], base->normal);
    if (mesh->mTextureCoords[0]) {
        base->uv[0] = mesh->mTextureCoords[0][i].x + 0.0f;
        base->uv[1] = 1.0f - mesh->mTextureCoords[0][i].y; // Assimp's origin is bottom left
    }
    if (mesh->mNormals && mesh->mTangents) {
        move_direction(&p->points, &mesh->mTangents[i], base->tangent);
        base->tangent[3] = p->sign * bitangent_sign(&mesh->mNormals[i], &mesh->mTangents[i],
                                                    &mesh->mBitangents[i]);
    }
    return v;
}

static bool corners_are_finite(const ct_worker_batch *batch) {
    for (uint32_t i = 0; i < batch->num_corners; i++) {
        const float *values = (const float *)&batch->corners[i].base;
        for (uint32_t k = 0; k < sizeof(ct_mesh_vertex) / sizeof(float); k++) {
            if (!isfinite(values[k]))
                return false;
        }
    }
    return true;
}

static uint32_t count_triangles(const struct aiMesh *mesh) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < mesh->mNumFaces; i++)
        count += mesh->mFaces[i].mNumIndices == 3;
    return count;
}

// Fills the batch's corners. False after reporting an index that is out of range.
static bool take_corners(model_reader *r, const struct aiMesh *mesh, const placing *p,
                         ct_worker_batch *batch) {
    for (uint32_t i = 0; i < mesh->mNumFaces; i++) {
        const struct aiFace *face = &mesh->mFaces[i];
        for (uint32_t k = 0; face->mNumIndices == 3 && k < 3; k++) {
            // A mirrored node turns triangles inside out; the other order turns them back.
            const uint32_t index = face->mIndices[p->sign < 0 ? 2 - k : k];
            if (index >= mesh->mNumVertices)
                return fail(r, "a primitive's index is out of range");
            batch->corners[batch->num_corners++] = corner_of(r, mesh, index, p);
        }
    }
    return corners_are_finite(batch) ||
           fail(r, "its nodes scale or move it beyond what numbers can hold");
}

static bool add_mesh(model_reader *r, const struct aiMesh *mesh, const placing *p) {
    const uint32_t num_triangles = count_triangles(mesh);
    if (num_triangles == 0)
        return true;
    r->num_corners += (uint64_t)num_triangles * 3;
    if (r->num_corners > CT_WORKER_MODEL_MAX_CORNERS)
        return fail(r, ct_compile_text(r->c, "has too many triangles; expected at most %u",
                                       CT_WORKER_MODEL_MAX_CORNERS / 3));
    if (mesh->mMaterialIndex >= r->scene.file->mNumMaterials)
        return fail(r, "a primitive's material is out of range");
    if (!check_vertices(r, mesh))
        return false;
    ct_worker_batch batch = {
        .corners = CT_NEW_ARRAY(r->c->allocator, ct_worker_vertex, (uint64_t)num_triangles * 3),
        .material = mesh->mMaterialIndex,
        .has_normals = mesh->mNormals != NULL,
        .has_tangents = mesh->mNormals && mesh->mTangents && mesh->mBitangents,
        .has_extras = mesh->mColors[0] || mesh->mTextureCoords[1],
    };
    if (!take_corners(r, mesh, p, &batch))
        return false;
    ct_array_push(&r->model->batches, batch);
    return true;
}

static bool add_node(model_reader *r, const ct_worker_scene_node *node,
                     const ct_worker_matrix *space) {
    placing p = {.points = ct_worker_matrix_multiply(space, &node->geometry)};
    p.normals = ct_worker_matrix_normals(&p.points, &p.sign);
    const struct aiScene *file = r->scene.file;
    for (uint32_t i = 0; i < node->file_node->mNumMeshes; i++) {
        const uint32_t mesh = node->file_node->mMeshes[i];
        if (mesh >= file->mNumMeshes)
            return fail(r, "a node's mesh is out of range");
        if (!add_mesh(r, file->mMeshes[mesh], &p))
            return false;
    }
    return true;
}

// The nodes that the source asks for: first and behind the last. False after reporting.
static bool select_nodes(const model_reader *r, uint32_t *first, uint32_t *end) {
    const char *name = r->source->node;
    const ct_sjson *doc = r->c->doc;
    *first = 0;
    *end = r->scene.nodes.count;
    if (!name || !*name)
        return r->source->children ||
               ct_compile_error(r->c, doc, ct_sjson_find(doc, ct_sjson_root(doc), "children"),
                                "children = false goes with a node; expected node = \"...\"");
    *first =
        ct_worker_scene_find(r->c, &r->scene, name, ct_sjson_find(doc, ct_sjson_root(doc), "node"));
    if (*first == CT_WORKER_SCENE_NO_NODE)
        return false;
    *end = r->source->children ? r->scene.nodes.items[*first].end : *first + 1;
    return true;
}

static bool add_selected(model_reader *r) {
    uint32_t first, end;
    if (!select_nodes(r, &first, &end))
        return false;
    const float f = r->source->scale;
    const ct_worker_matrix scale = {{{f, 0, 0, 0}, {0, f, 0, 0}, {0, 0, f, 0}}};
    const bool is_whole = !r->source->node || !*r->source->node;
    ct_worker_matrix *spaces =
        CT_NEW_ARRAY(r->c->allocator, ct_worker_matrix, r->scene.nodes.count + 1);
    for (uint32_t i = first; i < end; i++) {
        const ct_worker_scene_node *node = &r->scene.nodes.items[i];
        const bool has_parent = node->parent != CT_WORKER_SCENE_NO_NODE && i != first;
        const ct_worker_matrix *parent = has_parent ? &spaces[node->parent] : &scale;
        // The transform of a node that was asked for is left out.
        spaces[i] =
            i == first && !is_whole ? scale : ct_worker_matrix_multiply(parent, &node->local);
        if (!add_node(r, node, &spaces[i]))
            return false;
    }
    return true;
}

static void read_materials(model_reader *r) {
    const struct aiScene *file = r->scene.file;
    r->model->num_materials = file->mNumMaterials;
    r->model->materials = CT_NEW_ARRAY(r->c->allocator, const char *, file->mNumMaterials + 1);
    for (uint32_t i = 0; i < file->mNumMaterials; i++)
        r->model->materials[i] = ct_worker_scene_material_name(r->c, &r->scene, i);
}

static bool read_model(model_reader *r) {
    read_materials(r);
    if (!add_selected(r))
        return false;
    return r->num_corners > 0 || fail(r, "holds no triangles there");
}

bool ct_worker_model_read(ct_compile *c, const ct_mesh_source *source, ct_worker_model *model) {
    const ct_sjson_value at = ct_sjson_find(c->doc, ct_sjson_root(c->doc), "source");
    model_reader r = {.c = c, .source = source, .at = at, .model = model};
    ct_array_init(&model->batches, c->allocator);
    struct aiFileIO io;
    ct_worker_model_files files;
    ct_worker_model_files_init(&files, c, at, &io, false);
    if (!ct_worker_scene_open(c, &files, source->source, source->up_axis, at, &r.scene))
        return false;
    const bool is_read = read_model(&r);
    ct_worker_scene_close(&r.scene);
    return is_read;
}
