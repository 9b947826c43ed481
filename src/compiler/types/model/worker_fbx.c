#include "compiler/types/model/worker_fbx.h"

#include <math.h>
#include <string.h>

#include <assimp/cfileio.h>
#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include "compiler/types/model/worker_fbx_check.h"
#include "compiler/types/model/worker_fbx_clips.h"
#include "compiler/types/model/worker_fbx_files.h"
#include "compiler/types/model/worker_fbx_materials.h"
#include "compiler/types/model/worker_fbx_nodes.h"
#include "compiler/types/model/worker_fbx_skins.h"
#include "compiler/types/model/worker_fbx_views.h"
#include "foundation/error.h"
#include "resource/schema/schema.h"

typedef struct fbx_reader {
    ct_compile *c;
    ct_sjson_value at;
    const ct_worker_model_file *file;
    ct_worker_scene *scene;
    const struct aiScene *from;
    ct_worker_fbx_records records;
    ct_worker_fbx_objects objects;
    ct_u32_array models;                  // by node
    char problem[CT_ERROR_MESSAGE_BYTES]; // the first of Assimp's that makes it drop an object
} fbx_reader;

static bool fail(const fbx_reader *r, const char *what) {
    return ct_worker_scene_fail(r->c, r->scene, r->at, what);
}

// --- The file's own records ----------------------------------------------------------------------

static bool read_records(fbx_reader *r) {
    ct_error error = {0};
    if (ct_worker_fbx_records_read(r->c->allocator, r->file->bytes, r->file->size_bytes,
                                   &r->records, &error) &&
        ct_worker_fbx_check(r->c->allocator, &r->records, &error)) {
        ct_worker_fbx_objects_read(r->c->allocator, &r->records, &r->objects);
        return true;
    }
    return ct_compile_error_at(r->c, r->scene->path, error.line, error.column, "%s", error.message);
}

static bool add_nodes(fbx_reader *r) {
    ct_error error = {0};
    return ct_worker_fbx_add_nodes(r->c, &r->objects, r->scene, &r->models, &error) ||
           fail(r, error.message);
}

enum { COORD_AXIS, FRONT_AXIS, UP_AXIS, COORD_SIGN, FRONT_SIGN, UP_SIGN, UNIT, NUM_SETTINGS };

static const ct_worker_fbx_property settings[NUM_SETTINGS] = {
    [COORD_AXIS] = {"CoordAxis", 1},     [FRONT_AXIS] = {"FrontAxis", 1},
    [UP_AXIS] = {"UpAxis", 1},           [COORD_SIGN] = {"CoordAxisSign", 1},
    [FRONT_SIGN] = {"FrontAxisSign", 1}, [UP_SIGN] = {"UpAxisSign", 1},
    [UNIT] = {"UnitScaleFactor", 1},
};

// What FBX calls coordinate axis is our x, its front axis points to the viewer, against our y.
static bool read_settings(const fbx_reader *r) {
    const uint32_t count = r->records.items.count;
    const uint32_t record = ct_worker_fbx_find_record(&r->records, 0, count, "GlobalSettings");
    float v[NUM_SETTINGS][3] = {
        [COORD_AXIS] = {0}, [FRONT_AXIS] = {2}, [UP_AXIS] = {1}, [COORD_SIGN] = {1},
        [FRONT_SIGN] = {1}, [UP_SIGN] = {1},    [UNIT] = {1}};
    uint32_t used = 0;
    if (record < count)
        ct_worker_fbx_read_properties(&r->records, record, settings, NUM_SETTINGS, v);
    r->scene->turn = (ct_worker_matrix){{{0}}};
    for (uint32_t i = 0; i < 3; ++i) {
        const float axis = v[COORD_AXIS + i][0];
        const bool is_negative = (v[COORD_SIGN + i][0] < 0) != (i == 1);
        if (!(axis >= 0 && axis < 3) || (used & 1u << (uint32_t)axis))
            return fail(r, "its GlobalSettings do not name three different axes");
        used |= 1u << (uint32_t)axis;
        r->scene->turn.rows[i][(uint32_t)axis] = is_negative ? -1.0f : 1.0f;
    }
    r->scene->metres = v[UNIT][0] / 100;
    return (r->scene->metres > 0 && isfinite(r->scene->metres)) ||
           fail(r, "its UnitScaleFactor is not a positive number");
}

// --- Assimp --------------------------------------------------------------------------------------

// Assimp leaves out an object that it cannot parse, and says so only in its log.
static void hear_log(const char *message, char *user) {
    char *const problem = user;
    const char *text = strstr(message, "FBX-DOM (");
    if (*problem || !text || strncmp(message, "Error", 5) != 0)
        return;
    const char *const end = strchr(text, ')');
    text = end && end[1] == ' ' ? end + 2 : text;
    const size_t length = strcspn(text, "\n");
    const size_t kept = length < CT_ERROR_MESSAGE_BYTES - 1 ? length : CT_ERROR_MESSAGE_BYTES - 1;
    memcpy(problem, text, kept);
    problem[kept] = 0;
}

static bool fail_import(const fbx_reader *r) {
    const char *const message = aiGetErrorString();
    return fail(r, *message ? message : "nothing in it could be read");
}

static bool import(fbx_reader *r, ct_worker_model_files *files) {
    struct aiFileIO io;
    ct_worker_fbx_files_init(&io, files);
    struct aiPropertyStore *const properties = aiCreatePropertyStore();
    // With 0, transforms that FBX means for a node's own mesh would move its children too.
    aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS, 1);
    const struct aiLogStream log = {.callback = hear_log, .user = r->problem};
    aiAttachLogStream(&log);
    const uint32_t errors = ct_compile_error_count(r->c);
    r->from = aiImportFileExWithProperties(r->scene->path, 0, &io, properties);
    aiDetachLogStream(&log);
    aiReleasePropertyStore(properties);
    if (ct_compile_error_count(r->c) > errors)
        return false;
    if (!r->from)
        return fail_import(r);
    if (r->problem[0])
        return fail(r, r->problem);
    return r->from->mRootNode || fail(r, "has no scene");
}

static bool positions_are_finite(const fbx_reader *r) {
    for (uint32_t i = 0; i < r->from->mNumMeshes; ++i) {
        const struct aiMesh *const mesh = r->from->mMeshes[i];
        for (uint32_t v = 0; v < mesh->mNumVertices; ++v) {
            const struct aiVector3D *const p = &mesh->mVertices[v];
            if (!isfinite(p->x) || !isfinite(p->y) || !isfinite(p->z))
                return fail(r, ct_compile_text(r->c,
                                               "%s: vertex %u has a position that is not a number",
                                               mesh->mName.data, v));
        }
    }
    return true;
}

// Polygons become triangles only after their corners are known to be numbers.
static bool make_triangles(fbx_reader *r) {
    if (!positions_are_finite(r))
        return false;
    r->from = aiApplyPostProcessing(r->from, aiProcess_Triangulate); // NULL: it has released it
    return r->from || fail_import(r);
}

// --- Meshes --------------------------------------------------------------------------------------

typedef float pair[2];
typedef float triple[3];
typedef float quadruple[4];

static const triple *copy_triples(const fbx_reader *r, const struct aiVector3D *from,
                                  uint32_t count) {
    triple *const to = from ? CT_NEW_ARRAY(r->c->allocator, triple, count) : NULL;
    for (uint32_t i = 0; to && i < count; ++i) {
        to[i][0] = from[i].x;
        to[i][1] = from[i].y;
        to[i][2] = from[i].z;
    }
    return (const triple *)to;
}

// Assimp's origin is bottom left.
static const pair *copy_uv(const fbx_reader *r, const struct aiVector3D *from, uint32_t count) {
    pair *const to = from ? CT_NEW_ARRAY(r->c->allocator, pair, count) : NULL;
    for (uint32_t i = 0; to && i < count; ++i) {
        to[i][0] = from[i].x;
        to[i][1] = 1.0f - from[i].y;
    }
    return (const pair *)to;
}

// The sign that makes cross(normal, tangent) the file's bitangent; none where one is no number.
static float bitangent_sign(const struct aiVector3D *n, const struct aiVector3D *t,
                            const struct aiVector3D *b) {
    const float dot = (n->y * t->z - n->z * t->y) * b->x + (n->z * t->x - n->x * t->z) * b->y +
                      (n->x * t->y - n->y * t->x) * b->z;
    return !isfinite(b->x + b->y + b->z) ? NAN : dot < 0 ? -1.0f : 1.0f;
}

static const quadruple *copy_tangents(const fbx_reader *r, const struct aiMesh *from) {
    if (!from->mNormals || !from->mTangents || !from->mBitangents)
        return NULL;
    quadruple *const to = CT_NEW_ARRAY(r->c->allocator, quadruple, from->mNumVertices);
    for (uint32_t i = 0; i < from->mNumVertices; ++i) {
        const struct aiVector3D *const t = &from->mTangents[i];
        const quadruple tangent = {t->x, t->y, t->z,
                                   bitangent_sign(&from->mNormals[i], t, &from->mBitangents[i])};
        memcpy(to[i], tangent, sizeof(tangent));
    }
    return (const quadruple *)to;
}

static float linear(float value) {
    return isfinite(value) ? ct_srgb_to_linear(fminf(fmaxf(value, 0), 1)) : value;
}

static const quadruple *copy_colors(const fbx_reader *r, const struct aiColor4D *from,
                                    uint32_t count) {
    quadruple *const to = from ? CT_NEW_ARRAY(r->c->allocator, quadruple, count) : NULL;
    for (uint32_t i = 0; to && i < count; ++i) {
        const quadruple color = {linear(from[i].r), linear(from[i].g), linear(from[i].b),
                                 from[i].a};
        memcpy(to[i], color, sizeof(color));
    }
    return (const quadruple *)to;
}

// Sets the mesh's triangles. False after reporting an index that is out of range.
static bool copy_indices(const fbx_reader *r, const struct aiMesh *from, ct_worker_mesh *to) {
    uint64_t count = 0;
    for (uint32_t i = 0; i < from->mNumFaces; ++i)
        count += from->mFaces[i].mNumIndices == 3 ? 3 : 0;
    if (count > UINT32_MAX)
        return fail(r, "has too many triangles");
    uint32_t *const indices = CT_NEW_ARRAY(r->c->allocator, uint32_t, count);
    for (uint32_t i = 0; i < from->mNumFaces; ++i) {
        const struct aiFace *const face = &from->mFaces[i];
        for (uint32_t k = 0; face->mNumIndices == 3 && k < 3; ++k) {
            if (face->mIndices[k] >= from->mNumVertices)
                return fail(r, "a primitive's index is out of range");
            indices[to->num_indices++] = face->mIndices[k];
        }
    }
    to->indices = indices;
    return true;
}

static bool add_mesh(const fbx_reader *r, const struct aiMesh *from) {
    const uint32_t count = from->mNumVertices;
    const uint32_t points_or_lines = aiPrimitiveType_POINT | aiPrimitiveType_LINE;
    ct_worker_mesh mesh = {
        .name = ct_compile_text(r->c, "%s", from->mName.data),
        .material = from->mMaterialIndex,
        .num_vertices = count,
        .positions = copy_triples(r, from->mVertices, count),
        .normals = copy_triples(r, from->mNormals, count),
        .tangents = copy_tangents(r, from),
        .uv = {copy_uv(r, from->mTextureCoords[0], count),
               copy_uv(r, from->mTextureCoords[1], count)},
        .colors = copy_colors(r, from->mColors[0], count),
        .has_points_or_lines = (from->mPrimitiveTypes & points_or_lines) != 0,
        .has_blend_shapes = from->mNumAnimMeshes > 0,
    };
    if (from->mMaterialIndex >= r->from->mNumMaterials)
        return fail(r, "a primitive's material is out of range");
    if (!copy_indices(r, from, &mesh))
        return false;
    ct_array_push(&r->scene->meshes, mesh);
    return true;
}

static bool take_scene(fbx_reader *r) {
    ct_worker_fbx_chain *const chains =
        CT_NEW_ARRAY(r->c->allocator, ct_worker_fbx_chain, (uint64_t)r->scene->nodes.count + 1);
    if (!make_triangles(r) ||
        !ct_worker_fbx_take_node_meshes(r->c, r->from, r->at, r->scene, chains))
        return false;
    ct_worker_fbx_add_materials(r->c, r->from, &r->objects, r->scene);
    for (uint32_t i = 0; i < r->from->mNumMeshes; ++i) {
        if (!add_mesh(r, r->from->mMeshes[i]))
            return false;
    }
    ct_worker_fbx_add_skins(r->c, r->from, chains, r->scene);
    if (!ct_worker_fbx_add_clips(r->c, r->from, chains, r->at, r->scene))
        return false;
    ct_worker_fbx_add_views(r->c, &r->objects, &r->models, r->scene);
    ct_worker_fbx_warn_of_objects(r->c, &r->objects, r->scene);
    return true;
}

bool ct_worker_fbx_read(ct_compile *c, ct_worker_model_files *files,
                        const ct_worker_model_file *file, ct_sjson_value at,
                        ct_worker_scene *scene) {
    fbx_reader r = {.c = c, .at = at, .file = file, .scene = scene};
    ct_array_init(&r.models, c->allocator);
    // Before Assimp goes through the nodes, which are known not to be too many then.
    const bool is_read = read_records(&r) && add_nodes(&r) && import(&r, files) &&
                         read_settings(&r) && take_scene(&r);
    if (r.from)
        aiReleaseImport(r.from);
    return is_read;
}
