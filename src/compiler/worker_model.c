#include "compiler/worker_model.h"

#include <math.h>
#include <string.h>

#include <assimp/cfileio.h>
#include <assimp/cimport.h>
#include <assimp/scene.h>

#include "compiler/worker_gltf.h"
#include "compiler/worker_model_files.h"
#include "foundation/error.h"
#include "foundation/path.h"
#include "foundation/string_builder.h"

enum { MAX_DEPTH = 256 };

typedef struct model_reader {
    ct_compile *c;
    const ct_mesh_source *source;
    ct_sjson_value at; // of the media
    const struct aiScene *scene;
    ct_worker_model *model;
    uint64_t num_corners;
} model_reader;

static struct aiMatrix4x4 identity(void) {
    return (struct aiMatrix4x4){.a1 = 1, .b2 = 1, .c3 = 1, .d4 = 1};
}

static bool fail(const model_reader *r, const char *what) {
    return ct_compile_error(r->c, r->c->doc, r->at, "%s: %s", r->source->source, what);
}

// A direction or point of the file in our axes. Adding 0 turns -0 to 0, so that equal vertices
// have equal bytes.
static void to_our_axes(const float in[3], float factor, float out[3]) {
    out[0] = in[0] * factor + 0.0f;
    out[1] = -in[2] * factor + 0.0f;
    out[2] = in[1] * factor + 0.0f;
}

static void transform(const struct aiMatrix4x4 *m, const struct aiVector3D *v, float w,
                      float out[3]) {
    out[0] = m->a1 * v->x + m->a2 * v->y + m->a3 * v->z + m->a4 * w;
    out[1] = m->b1 * v->x + m->b2 * v->y + m->b3 * v->z + m->b4 * w;
    out[2] = m->c1 * v->x + m->c2 * v->y + m->c3 * v->z + m->c4 * w;
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

// The inverse transpose of the upper 3x3 part but for a positive factor: what moves normals.
// `sign` is that of the determinant.
static struct aiMatrix4x4 normal_matrix(const struct aiMatrix4x4 *m, float *sign) {
    struct aiMatrix4x4 n = {
        .a1 = m->b2 * m->c3 - m->b3 * m->c2,
        .a2 = m->b3 * m->c1 - m->b1 * m->c3,
        .a3 = m->b1 * m->c2 - m->b2 * m->c1,
        .b1 = m->a3 * m->c2 - m->a2 * m->c3,
        .b2 = m->a1 * m->c3 - m->a3 * m->c1,
        .b3 = m->a2 * m->c1 - m->a1 * m->c2,
        .c1 = m->a2 * m->b3 - m->a3 * m->b2,
        .c2 = m->a3 * m->b1 - m->a1 * m->b3,
        .c3 = m->a1 * m->b2 - m->a2 * m->b1,
    };
    *sign = m->a1 * n.a1 + m->a2 * n.a2 + m->a3 * n.a3 < 0 ? -1.0f : 1.0f;
    float *values = &n.a1;
    for (uint32_t i = 0; i < 12; i++)
        values[i] *= *sign;
    return n;
}

static bool check_vertices(const model_reader *r, const struct aiMesh *mesh) {
    for (uint32_t i = 0; i < mesh->mNumVertices; i++) {
        const char *broken = NULL;
        if (!is_finite(&mesh->mVertices[i]))
            broken = "position";
        else if (mesh->mNormals && !is_finite(&mesh->mNormals[i]))
            broken = "normal";
        else if (mesh->mTextureCoords[0] && !is_finite(&mesh->mTextureCoords[0][i]))
            broken = "texture coordinate";
        else if (mesh->mTangents &&
                 (!is_finite(&mesh->mTangents[i]) || !is_finite(&mesh->mBitangents[i])))
            broken = "tangent";
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

static ct_mesh_vertex corner_of(const model_reader *r, const struct aiMesh *mesh, uint32_t i,
                                const struct aiMatrix4x4 *m, const struct aiMatrix4x4 *normals,
                                float sign) {
    ct_mesh_vertex v = {0};
    float moved[3];
    transform(m, &mesh->mVertices[i], 1.0f, moved);
    to_our_axes(moved, r->source->scale, v.position);
    if (mesh->mNormals) {
        transform(normals, &mesh->mNormals[i], 0.0f, moved);
        normalize(moved);
        to_our_axes(moved, 1.0f, v.normal);
    }
    if (mesh->mTextureCoords[0]) {
        v.uv[0] = mesh->mTextureCoords[0][i].x + 0.0f;
        v.uv[1] = 1.0f - mesh->mTextureCoords[0][i].y; // Assimp's origin is bottom left
    }
    if (mesh->mNormals && mesh->mTangents) {
        transform(m, &mesh->mTangents[i], 0.0f, moved);
        normalize(moved);
        to_our_axes(moved, 1.0f, v.tangent);
        v.tangent[3] =
            sign * bitangent_sign(&mesh->mNormals[i], &mesh->mTangents[i], &mesh->mBitangents[i]);
    }
    return v;
}

static bool corners_are_finite(const ct_worker_batch *batch) {
    const float *values = (const float *)batch->corners;
    const uint64_t count = (uint64_t)batch->num_corners * (sizeof(ct_mesh_vertex) / sizeof(float));
    for (uint64_t i = 0; i < count; i++) {
        if (!isfinite(values[i]))
            return false;
    }
    return true;
}

static uint32_t count_triangles(const struct aiMesh *mesh) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < mesh->mNumFaces; i++)
        count += mesh->mFaces[i].mNumIndices == 3;
    return count;
}

static bool add_mesh(model_reader *r, const struct aiMesh *mesh, const struct aiMatrix4x4 *m) {
    const uint32_t num_triangles = count_triangles(mesh);
    if (num_triangles == 0)
        return true;
    r->num_corners += (uint64_t)num_triangles * 3;
    if (r->num_corners > CT_WORKER_MODEL_MAX_CORNERS)
        return fail(r, ct_compile_text(r->c, "has too many triangles; expected at most %u",
                                       CT_WORKER_MODEL_MAX_CORNERS / 3));
    if (mesh->mMaterialIndex >= r->scene->mNumMaterials)
        return fail(r, "a primitive's material is out of range");
    if (!check_vertices(r, mesh))
        return false;
    float sign = 1.0f;
    const struct aiMatrix4x4 normals = normal_matrix(m, &sign);
    ct_worker_batch batch = {
        .corners = CT_NEW_ARRAY(r->c->allocator, ct_mesh_vertex, (uint64_t)num_triangles * 3),
        .material = mesh->mMaterialIndex,
        .has_normals = mesh->mNormals != NULL,
        .has_tangents = mesh->mNormals && mesh->mTangents && mesh->mBitangents,
    };
    for (uint32_t i = 0; i < mesh->mNumFaces; i++) {
        const struct aiFace *face = &mesh->mFaces[i];
        for (uint32_t k = 0; face->mNumIndices == 3 && k < 3; k++) {
            // A mirrored node turns triangles inside out; the other order turns them back.
            const uint32_t index = face->mIndices[sign < 0 ? 2 - k : k];
            if (index >= mesh->mNumVertices)
                return fail(r, "a primitive's index is out of range");
            batch.corners[batch.num_corners++] = corner_of(r, mesh, index, m, &normals, sign);
        }
    }
    if (!corners_are_finite(&batch))
        return fail(r, "its nodes scale or move it beyond what numbers can hold");
    ct_array_push(&r->model->batches, batch);
    return true;
}

static bool add_node(model_reader *r, const struct aiNode *node, const struct aiMatrix4x4 *m,
                     uint32_t depth) {
    if (depth > MAX_DEPTH)
        return fail(r, ct_compile_text(r->c, "nodes are nested more than %u deep", MAX_DEPTH));
    for (uint32_t i = 0; i < node->mNumMeshes; i++) {
        if (node->mMeshes[i] >= r->scene->mNumMeshes)
            return fail(r, "a node's mesh is out of range");
        if (!add_mesh(r, r->scene->mMeshes[node->mMeshes[i]], m))
            return false;
    }
    for (uint32_t i = 0; i < node->mNumChildren; i++) {
        struct aiMatrix4x4 child = *m;
        aiMultiplyMatrix4(&child, &node->mChildren[i]->mTransformation);
        if (!add_node(r, node->mChildren[i], &child, depth + 1))
            return false;
    }
    return true;
}

// Collects the nodes called `name` (the last in `found`) and the names of all nodes.
static uint32_t find_nodes(const struct aiNode *node, const char *name, uint32_t depth,
                           const struct aiNode **found, ct_string_builder *names) {
    if (depth > MAX_DEPTH)
        return 0;
    uint32_t count = strcmp(node->mName.data, name) == 0;
    if (count)
        *found = node;
    if (names->length < 400)
        ct_string_builder_addf(names, "%s\"%s\"", names->length ? ", " : "", node->mName.data);
    else if (names->text[names->length - 1] != '.')
        ct_string_builder_add(names, ", ...");
    for (uint32_t i = 0; i < node->mNumChildren; i++)
        count += find_nodes(node->mChildren[i], name, depth + 1, found, names);
    return count;
}

static bool add_selected(model_reader *r) {
    const char *name = r->source->node;
    const struct aiNode *root = r->scene->mRootNode;
    if (!name || !*name)
        return add_node(r, root, &root->mTransformation, 0);
    const ct_sjson *doc = r->c->doc;
    const ct_sjson_value at = ct_sjson_find(doc, ct_sjson_root(doc), "node");
    const struct aiNode *node = NULL;
    ct_string_builder names;
    ct_string_builder_init(&names, r->c->allocator);
    const uint32_t count = find_nodes(root, name, 0, &node, &names);
    if (count == 0)
        return ct_compile_error(r->c, doc, at, "%s has no node \"%s\"; its nodes are %s",
                                r->source->source, name, ct_string_builder_text(&names));
    if (count > 1)
        return ct_compile_error(r->c, doc, at, "%s has %u nodes called \"%s\"; expected one",
                                r->source->source, count, name);
    const struct aiMatrix4x4 m = identity();
    return add_node(r, node, &m, 0);
}

// Assimp drops triangles with indices out of range without a word.
static bool check_triangle_counts(const model_reader *r, const ct_worker_gltf *gltf) {
    if (gltf->num_primitives != r->scene->mNumMeshes)
        return fail(r, ct_compile_text(r->c, "%u of its %u primitives could be read",
                                       r->scene->mNumMeshes, gltf->num_primitives));
    for (uint32_t i = 0; i < gltf->num_primitives; i++) {
        const ct_worker_gltf_primitive *p = &gltf->primitives[i];
        const uint32_t num_read = count_triangles(r->scene->mMeshes[i]);
        if (p->num_triangles > num_read)
            return fail(r, ct_compile_text(r->c,
                                           "mesh %u, primitive %u: %llu of its %llu triangles have "
                                           "an index that is out of range",
                                           p->mesh, p->primitive,
                                           (unsigned long long)p->num_triangles - num_read,
                                           (unsigned long long)p->num_triangles));
    }
    return true;
}

static void read_materials(model_reader *r) {
    r->model->num_materials = r->scene->mNumMaterials;
    r->model->materials = CT_NEW_ARRAY(r->c->allocator, const char *, r->scene->mNumMaterials + 1);
    for (uint32_t i = 0; i < r->scene->mNumMaterials; i++) {
        struct aiString name = {0};
        aiGetMaterialString(r->scene->mMaterials[i], "?mat.name", 0, 0, &name);
        r->model->materials[i] = ct_compile_text(r->c, "%s", name.data);
    }
}

// Why Assimp took nothing. It drops triangles whose indices are out of range, and then says only
// that a mesh has none.
static const char *import_error(ct_compile *c, const ct_worker_gltf *gltf) {
    const char *message = aiGetErrorString();
    uint64_t num_triangles = 0;
    for (uint32_t i = 0; i < gltf->num_primitives; i++)
        num_triangles += gltf->primitives[i].num_triangles;
    if (num_triangles > 0 && strstr(message, "has no faces"))
        return ct_compile_text(c, "%s: all its indices are out of range", message);
    return message;
}

static bool read_scene(model_reader *r, const ct_worker_gltf *gltf) {
    if (!r->scene->mRootNode)
        return fail(r, "has no scene");
    if (!check_triangle_counts(r, gltf))
        return false;
    read_materials(r);
    if (!add_selected(r))
        return false;
    return r->num_corners > 0 || fail(r, "holds no triangles there");
}

bool ct_worker_model_read(ct_compile *c, const ct_mesh_source *source, ct_worker_model *model) {
    const ct_sjson_value at = ct_sjson_find(c->doc, ct_sjson_root(c->doc), "source");
    model_reader r = {.c = c, .source = source, .at = at, .model = model};
    ct_array_init(&model->batches, c->allocator);
    const char *extension = ct_path_extension(source->source);
    if (strcmp(extension, "gltf") != 0 && strcmp(extension, "glb") != 0)
        return fail(&r, "models are read from .gltf and .glb files");
    struct aiFileIO io;
    ct_worker_model_files files;
    ct_worker_model_files_init(&files, c, at, &io);
    const ct_worker_model_file *file = ct_worker_model_file_at(&files, source->source);
    ct_worker_gltf gltf = {0};
    if (!file || !ct_worker_gltf_read(c, source->source, file->bytes, file->size_bytes, at, &gltf))
        return false;
    const uint32_t errors = ct_compile_error_count(c);
    r.scene = aiImportFileEx(source->source, 0, &io);
    if (!r.scene) // a buffer that cannot be read is reported already
        return ct_compile_error_count(c) == errors && fail(&r, import_error(c, &gltf));
    const bool is_read = read_scene(&r, &gltf);
    aiReleaseImport(r.scene);
    return is_read;
}
