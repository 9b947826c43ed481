#include "compiler/types/model/worker_scene.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include <assimp/cfileio.h>
#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include "compiler/types/model/worker_fbx.h"
#include "compiler/types/model/worker_gltf.h"
#include "compiler/types/model/worker_obj.h"
#include "compiler/types/model/worker_scene_nodes.h"
#include "foundation/error.h"
#include "foundation/os/path.h"

typedef enum scene_format {
    SCENE_FORMAT_NONE,
    SCENE_FORMAT_GLTF,
    SCENE_FORMAT_FBX,
    SCENE_FORMAT_OBJ,
} scene_format;

typedef struct scene_reader {
    ct_compile *c;
    ct_sjson_value at;
    const ct_worker_model_file *file;
    scene_format format;
    ct_worker_gltf gltf;
    ct_worker_scene *scene;
    char problem[CT_ERROR_MESSAGE_BYTES]; // the first of Assimp's that makes it drop an object
} scene_reader;

// An import has no document: its errors stand at the model itself.
static bool fail(const scene_reader *r, const char *what) {
    if (!r->c->doc)
        return ct_compile_error_at(r->c, r->scene->path, 0, 0, "%s", what);
    return ct_compile_error(r->c, r->c->doc, r->at, "%s: %s", r->scene->path, what);
}

static scene_format format_of(const char *path) {
    const char *const extension = ct_path_extension(path);
    if (strcasecmp(extension, "gltf") == 0 || strcasecmp(extension, "glb") == 0)
        return SCENE_FORMAT_GLTF;
    if (strcasecmp(extension, "fbx") == 0)
        return SCENE_FORMAT_FBX;
    return strcasecmp(extension, "obj") == 0 ? SCENE_FORMAT_OBJ : SCENE_FORMAT_NONE;
}

static bool refuse_format(const scene_reader *r) {
    const char *const extension = ct_path_extension(r->scene->path);
    const char *const what =
        *extension ? ct_compile_text(r->c, "a \".%s\"", extension) : "a file without an ending";
    return fail(r, ct_compile_text(
                       r->c, "cannot import %s; expected .gltf, .glb, .fbx or .obj%s", what,
                       strcasecmp(extension, "blend") == 0 ? " (from Blender: export glTF)" : ""));
}

// --- Axes ----------------------------------------------------------------------------------------

static const ct_worker_matrix y_up = {{{1, 0, 0, 0}, {0, 0, -1, 0}, {0, 1, 0, 0}}};

static int metadata_int(const struct aiScene *s, const char *key, int otherwise) {
    for (uint32_t i = 0; s->mMetaData && i < s->mMetaData->mNumProperties; ++i) {
        if (strcmp(s->mMetaData->mKeys[i].data, key) == 0 &&
            s->mMetaData->mValues[i].mType == AI_INT32) {
            int value;
            memcpy(&value, s->mMetaData->mValues[i].mData, sizeof(value));
            return value;
        }
    }
    return otherwise;
}

static float metadata_float(const struct aiScene *s, const char *key, float otherwise) {
    for (uint32_t i = 0; s->mMetaData && i < s->mMetaData->mNumProperties; ++i) {
        if (strcmp(s->mMetaData->mKeys[i].data, key) == 0 &&
            s->mMetaData->mValues[i].mType == AI_FLOAT) {
            float value;
            memcpy(&value, s->mMetaData->mValues[i].mData, sizeof(value));
            return value;
        }
    }
    return otherwise;
}

// What FBX calls coordinate axis is our x, its front axis points to the viewer, against our y.
static bool fbx_axes(const scene_reader *r, const struct aiScene *s, ct_worker_matrix *axes) {
    static const char *const names[3][2] = {
        {"CoordAxis", "CoordAxisSign"}, {"FrontAxis", "FrontAxisSign"}, {"UpAxis", "UpAxisSign"}};
    static const int defaults[3] = {0, 2, 1};
    uint32_t used = 0;
    *axes = (ct_worker_matrix){{{0}}};
    for (uint32_t i = 0; i < 3; ++i) {
        const int axis = metadata_int(s, names[i][0], defaults[i]);
        const bool is_negative = (metadata_int(s, names[i][1], 1) < 0) != (i == 1);
        if (axis < 0 || axis > 2 || (used & 1u << axis))
            return fail(r, "its GlobalSettings name no three axes");
        used |= 1u << axis;
        axes->rows[i][axis] = is_negative ? -1.0f : 1.0f;
    }
    return true;
}

static void scale_axes(ct_worker_matrix *axes, float factor) {
    for (uint32_t i = 0; i < 12; ++i)
        axes->rows[i / 4][i % 4] *= factor;
}

static bool set_axes(const scene_reader *r, const struct aiScene *s, ct_mesh_up_axis up_axis) {
    ct_worker_matrix *const axes = &r->scene->axes;
    *axes = up_axis == CT_MESH_UP_AXIS_Z ? ct_worker_matrix_identity() : y_up;
    if (r->format != SCENE_FORMAT_FBX)
        return true;
    if (up_axis == CT_MESH_UP_AXIS_FILE && !fbx_axes(r, s, axes))
        return false;
    const float centimetres = metadata_float(s, "UnitScaleFactor", 1);
    if (!(centimetres > 0) || !isfinite(centimetres))
        return fail(r, "its UnitScaleFactor is no positive number");
    scale_axes(axes, centimetres / 100);
    return true;
}

// --- Checks --------------------------------------------------------------------------------------

static bool check_file(scene_reader *r) {
    const ct_worker_model_file *f = r->file;
    const char *path = r->scene->path;
    if (r->format == SCENE_FORMAT_GLTF)
        return ct_worker_gltf_read(r->c, path, f->bytes, f->size_bytes, r->at, &r->gltf);
    ct_error error = {0};
    const bool is_sound =
        r->format == SCENE_FORMAT_FBX
            ? ct_worker_fbx_check(r->c->allocator, f->bytes, f->size_bytes, &error)
            : ct_worker_obj_check(f->bytes, f->size_bytes, &error);
    return is_sound ||
           ct_compile_error_at(r->c, path, error.line, error.column, "%s", error.message);
}

static uint32_t count_triangles(const struct aiMesh *mesh) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < mesh->mNumFaces; ++i)
        count += mesh->mFaces[i].mNumIndices == 3;
    return count;
}

// Assimp drops triangles of glTF with indices out of range without a word.
static bool check_triangle_counts(const scene_reader *r, const struct aiScene *s) {
    if (r->format != SCENE_FORMAT_GLTF)
        return true;
    if (r->gltf.num_primitives != s->mNumMeshes)
        return fail(r, ct_compile_text(r->c, "%u of its %u primitives could be read", s->mNumMeshes,
                                       r->gltf.num_primitives));
    for (uint32_t i = 0; i < r->gltf.num_primitives; ++i) {
        const ct_worker_gltf_primitive *const p = &r->gltf.primitives[i];
        const uint32_t num_read = count_triangles(s->mMeshes[i]);
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

// Why Assimp took nothing. It drops triangles whose indices are out of range, and then says only
// that a mesh has none.
static const char *import_error(const scene_reader *r) {
    const char *const message = aiGetErrorString();
    uint64_t num_triangles = 0;
    for (uint32_t i = 0; i < r->gltf.num_primitives; ++i)
        num_triangles += r->gltf.primitives[i].num_triangles;
    if (num_triangles > 0 && strstr(message, "has no faces"))
        return ct_compile_text(r->c, "%s: all its indices are out of range", message);
    return *message ? message : "nothing in it could be read";
}

// --- Assimp --------------------------------------------------------------------------------------

// Assimp leaves out an object of an FBX file that it cannot parse, and says so only in its log.
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

static const struct aiScene *import(scene_reader *r, struct aiFileIO *io) {
    struct aiPropertyStore *const properties = aiCreatePropertyStore();
    aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_FBX_READ_ANIMATIONS, 0);
    // With 0, transforms that FBX means for a node's own mesh would move its children too.
    aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS, 1);
    const struct aiLogStream log = {.callback = hear_log, .user = r->problem};
    aiAttachLogStream(&log);
    const struct aiScene *const s = aiImportFileExWithProperties(r->scene->path, 0, io, properties);
    aiDetachLogStream(&log);
    aiReleasePropertyStore(properties);
    return s;
}

static bool positions_are_finite(const scene_reader *r, const struct aiScene *s) {
    for (uint32_t i = 0; i < s->mNumMeshes; ++i) {
        const struct aiMesh *const mesh = s->mMeshes[i];
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

// Polygons of FBX and OBJ become triangles only after their corners are known to be numbers.
static bool make_triangles(const scene_reader *r) {
    return positions_are_finite(r, r->scene->file) &&
           (r->format == SCENE_FORMAT_GLTF ||
            aiApplyPostProcessing(r->scene->file, aiProcess_Triangulate) ||
            fail(r, import_error(r)));
}

static bool read_scene(scene_reader *r, ct_mesh_up_axis up_axis) {
    const struct aiScene *const s = r->scene->file;
    if (r->problem[0])
        return fail(r, r->problem);
    if (!s->mRootNode)
        return fail(r, "has no scene");
    const bool has_own_root = r->format == SCENE_FORMAT_GLTF && r->gltf.num_roots == 1;
    r->scene->is_gltf = r->format == SCENE_FORMAT_GLTF;
    r->scene->lights = r->gltf.lights;
    r->scene->gltf_materials = r->gltf.materials;
    r->scene->has_pivots = r->format == SCENE_FORMAT_FBX;
    return make_triangles(r) && check_triangle_counts(r, s) && set_axes(r, s, up_axis) &&
           ct_worker_scene_add_nodes(r->c, r->scene, has_own_root, r->at);
}

bool ct_worker_scene_open(ct_compile *c, ct_worker_model_files *files, const char *path,
                          ct_mesh_up_axis up_axis, ct_sjson_value at, ct_worker_scene *scene) {
    *scene = (ct_worker_scene){.path = path};
    ct_array_init(&scene->nodes, c->allocator);
    scene_reader r = {.c = c, .at = at, .format = format_of(path), .scene = scene};
    if (r.format == SCENE_FORMAT_NONE)
        return refuse_format(&r);
    r.file = ct_worker_model_file_at(files, path);
    if (!r.file || !check_file(&r))
        return false;
    files->gltf_path = r.format == SCENE_FORMAT_GLTF ? path : NULL;
    files->may_lack_others = r.format == SCENE_FORMAT_OBJ;
    files->check_other = r.format == SCENE_FORMAT_OBJ ? ct_worker_obj_check_library : NULL;
    const uint32_t errors = ct_compile_error_count(c);
    scene->file = import(&r, files->io);
    if (!scene->file) // a buffer that cannot be read is reported already
        return ct_compile_error_count(c) == errors && fail(&r, import_error(&r));
    if (ct_compile_error_count(c) == errors && read_scene(&r, up_axis))
        return true;
    ct_worker_scene_close(scene);
    return false;
}

void ct_worker_scene_close(ct_worker_scene *scene) {
    aiReleaseImport(scene->file);
    scene->file = NULL;
}

const char *ct_worker_scene_material_name(ct_compile *c, const ct_worker_scene *scene, uint32_t i) {
    struct aiString name = {0};
    aiGetMaterialString(scene->file->mMaterials[i], AI_MATKEY_NAME, &name);
    return ct_compile_text(c, "%s", name.data);
}
