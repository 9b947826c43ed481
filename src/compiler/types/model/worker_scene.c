#include "compiler/types/model/worker_scene.h"

#include <string.h>
#include <strings.h>

#include "compiler/types/model/worker_bvh.h"
#include "compiler/types/model/worker_fbx.h"
#include "compiler/types/model/worker_gltf.h"
#include "compiler/types/model/worker_obj.h"
#include "compiler/types/model/worker_scene_nodes.h"
#include "foundation/error.h"
#include "foundation/os/path.h"

const ct_worker_matrix ct_worker_scene_y_up = {{{1, 0, 0, 0}, {0, 0, -1, 0}, {0, 1, 0, 0}}};

typedef bool (*read_function)(ct_compile *c, ct_worker_model_files *files,
                              const ct_worker_model_file *file, ct_sjson_value at,
                              ct_worker_scene *scene);

// A format of models, by the ending of its files.
typedef struct scene_format {
    const char *extension;
    read_function read;
    bool has_uris;        // it names its other files by URIs
    bool may_lack_others; // it is whole without its other files
} scene_format;

static const scene_format formats[] = {
    {.extension = "gltf", .read = ct_worker_gltf_read, .has_uris = true},
    {.extension = "glb", .read = ct_worker_gltf_read, .has_uris = true},
    {.extension = "fbx", .read = ct_worker_fbx_read},
    {.extension = "obj", .read = ct_worker_obj_read, .may_lack_others = true},
    {.extension = "bvh", .read = ct_worker_bvh_read},
};

static const scene_format *format_of(const char *path) {
    const char *const extension = ct_path_extension(path);
    for (uint32_t i = 0; i < CT_COUNT_OF(formats); ++i) {
        if (strcasecmp(extension, formats[i].extension) == 0)
            return &formats[i];
    }
    return NULL;
}

// An import has no document: its errors stand at the model itself.
bool ct_worker_scene_fail(ct_compile *c, const ct_worker_scene *scene, ct_sjson_value at,
                          const char *what) {
    if (!c->doc)
        return ct_compile_error_at(c, scene->path, 0, 0, "%s", what);
    return ct_compile_error(c, c->doc, at, "%s: %s", scene->path, what);
}

static bool refuse_format(ct_compile *c, const ct_worker_scene *scene, ct_sjson_value at) {
    const char *const extension = ct_path_extension(scene->path);
    const char *const what =
        *extension ? ct_compile_text(c, "a \".%s\"", extension) : "a file without an extension";
    return ct_worker_scene_fail(
        c, scene, at,
        ct_compile_text(c, "cannot import %s; expected .gltf, .glb, .fbx, .obj or .bvh%s", what,
                        strcasecmp(extension, "blend") == 0 ? " (from Blender: export glTF)" : ""));
}

static void init_arrays(ct_compile *c, ct_worker_scene *scene) {
    ct_array_init(&scene->nodes, c->allocator);
    ct_array_init(&scene->node_meshes, c->allocator);
    ct_array_init(&scene->meshes, c->allocator);
    ct_array_init(&scene->materials, c->allocator);
    ct_array_init(&scene->images, c->allocator);
    ct_array_init(&scene->cameras, c->allocator);
    ct_array_init(&scene->lights, c->allocator);
    ct_array_init(&scene->skins, c->allocator);
    ct_array_init(&scene->clips, c->allocator);
    ct_array_init(&scene->channels, c->allocator);
    ct_array_init(&scene->warnings, c->allocator);
}

static void set_axes(ct_worker_scene *scene, ct_mesh_up_axis up_axis) {
    scene->axes = up_axis == CT_MESH_UP_AXIS_FILE ? scene->turn
                  : up_axis == CT_MESH_UP_AXIS_Z  ? ct_worker_matrix_identity()
                                                  : ct_worker_scene_y_up;
    for (uint32_t i = 0; i < 12; ++i)
        scene->axes.rows[i / 4][i % 4] *= scene->metres;
}

bool ct_worker_scene_open(ct_compile *c, ct_worker_model_files *files, const char *path,
                          ct_mesh_up_axis up_axis, ct_sjson_value at, ct_worker_scene *scene) {
    *scene = (ct_worker_scene){.path = path};
    init_arrays(c, scene);
    const scene_format *const format = format_of(path);
    if (!format)
        return refuse_format(c, scene, at);
    const ct_worker_model_file *const file = ct_worker_model_file_at(files, path);
    if (!file)
        return false;
    const ct_worker_model_file copy = *file; // the table of files may move
    const uint32_t errors = ct_compile_error_count(c);
    files->gltf_path = format->has_uris ? path : NULL;
    files->may_lack_others = format->may_lack_others;
    if (!format->read(c, files, &copy, at, scene) || ct_compile_error_count(c) > errors)
        return false;
    set_axes(scene, up_axis);
    return ct_worker_scene_finish_nodes(c, scene, at);
}

void ct_worker_scene_warn(ct_compile *c, ct_worker_scene *scene, const char *text) {
    for (uint32_t i = 0; i < scene->warnings.count; ++i) {
        if (strcmp(scene->warnings.items[i], text) == 0)
            return;
    }
    if (scene->warnings.count < CT_WORKER_SCENE_MAX_WARNINGS)
        ct_array_push(&scene->warnings, ct_copy_string(c->allocator, text));
}

ct_worker_material ct_worker_scene_material(ct_compile *c, const char *name) {
    ct_worker_material material = {.name = name,
                                   .base_color = {1, 1, 1, 1},
                                   .alpha_cutoff = 0.5f,
                                   .roughness = 1,
                                   .emissive_intensity = 1,
                                   .normal_strength = 1};
    ct_array_init(&material.warnings, c->allocator);
    return material;
}

ct_worker_map ct_worker_scene_map(const char *image) {
    return (ct_worker_map){.image = image, .uv_scale = {1, 1}};
}
