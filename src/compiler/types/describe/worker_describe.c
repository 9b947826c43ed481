#include "compiler/types/describe/worker_describe.h"

#include <math.h>
#include <string.h>

#include <assimp/camera.h>
#include <assimp/cfileio.h>
#include <assimp/light.h>
#include <assimp/scene.h>

#include "compiler/types/describe/worker_describe_material.h"
#include "compiler/types/describe/worker_describe_number.h"
#include "compiler/types/model/worker_node_uses.h"
#include "foundation/error.h"
#include "foundation/os/message.h"
#include "resource/schema/schema.h"

typedef struct describer {
    ct_compile *c;
    ct_worker_scene scene;
    ct_worker_model_files files;
    ct_worker_describe_images images;
    bool *has_colors;               // by material: meshes with vertex colours use it
    bool *is_used;                  // by material
    const ct_worker_node_use *uses; // by node
    // Nodes whose meshes are in that of another: by owner the first, and by node the next; + 1.
    uint32_t *first_owned, *next_owned;
    ct_sjson_writer w;
    ct_byte_array binary;
} describer;

static void write_numbers(ct_sjson_writer *w, const char *key, const float *values,
                          uint32_t count) {
    ct_sjson_write_key(w, key);
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < count; ++i)
        ct_sjson_write_number(w, ct_worker_describe_number(values[i]));
    ct_sjson_end_array(w);
}

// Writes a number that the component can have; what is none is left to its default.
static void write_positive(ct_sjson_writer *w, const char *key, float value) {
    if (isfinite(value) && value > 0)
        ct_sjson_member_number(w, key, ct_worker_describe_number(value));
}

// --- Nodes ---------------------------------------------------------------------------------------

static bool is_same_place(const struct aiMesh *mesh, uint32_t i, uint32_t k) {
    return i < mesh->mNumVertices && k < mesh->mNumVertices &&
           memcmp(&mesh->mVertices[i], &mesh->mVertices[k], sizeof(mesh->mVertices[i])) == 0;
}

// Whether the mesh has triangles, and (`has_area`) one with its corners in three places.
static bool has_triangles(const struct aiMesh *mesh, bool *has_area) {
    bool has_any = false;
    for (uint32_t i = 0; i < mesh->mNumFaces && !*has_area; ++i) {
        const unsigned *const t = mesh->mFaces[i].mIndices;
        if (mesh->mFaces[i].mNumIndices != 3)
            continue;
        has_any = true;
        *has_area = !is_same_place(mesh, t[0], t[1]) && !is_same_place(mesh, t[1], t[2]) &&
                    !is_same_place(mesh, t[2], t[0]);
    }
    return has_any || *has_area;
}

static bool node_has_area(const struct aiScene *file, const struct aiNode *node) {
    bool has_area = false;
    for (uint32_t i = 0; i < node->mNumMeshes && !has_area; ++i) {
        if (node->mMeshes[i] < file->mNumMeshes)
            has_triangles(file->mMeshes[node->mMeshes[i]], &has_area);
    }
    return has_area;
}

static void mark_materials(describer *d, const struct aiNode *node, bool *parts) {
    const struct aiScene *const file = d->scene.file;
    for (uint32_t i = 0; i < node->mNumMeshes; ++i) {
        const uint32_t index = node->mMeshes[i];
        const struct aiMesh *const mesh = index < file->mNumMeshes ? file->mMeshes[index] : NULL;
        if (!mesh || mesh->mMaterialIndex >= file->mNumMaterials ||
            !has_triangles(mesh, &(bool){false}))
            continue;
        parts[mesh->mMaterialIndex] = d->is_used[mesh->mMaterialIndex] = true;
        d->has_colors[mesh->mMaterialIndex] |= mesh->mColors[0] != NULL;
    }
}

// Marks the materials of the meshes of node `index` and of the further levels of detail that it
// owns, which are the parts of its mesh. None when there is nothing to draw: such a mesh would not
// compile.
static void mark_parts(describer *d, uint32_t index, bool *parts) {
    const struct aiScene *file = d->scene.file;
    const ct_worker_scene_node_array *const nodes = &d->scene.nodes;
    if (d->uses[index].role != CT_WORKER_NODE_ROLE_DRAWN || d->uses[index].owner != index ||
        !node_has_area(file, nodes->items[index].file_node))
        return;
    mark_materials(d, nodes->items[index].file_node, parts);
    for (uint32_t i = d->first_owned[index]; i; i = d->next_owned[i - 1]) {
        if (d->uses[i - 1].role == CT_WORKER_NODE_ROLE_DRAWN)
            mark_materials(d, nodes->items[i - 1].file_node, parts);
    }
}

static void write_node(describer *d, uint32_t index, bool *parts) {
    ct_sjson_writer *const w = &d->w;
    const ct_worker_scene_node *const node = &d->scene.nodes.items[index];
    float position[3], rotation[4], scale[3];
    if (!ct_worker_matrix_pose(&node->local, position, rotation, scale))
        ct_worker_describe_warn(&d->images,
                                ct_compile_text(d->c,
                                                "node \"%s\" is sheared, which a pose of position, "
                                                "rotation and scale cannot be",
                                                node->key));
    ct_sjson_begin_object(w);
    ct_sjson_member_string(w, "name", node->name);
    ct_sjson_member_string(w, "key", node->key);
    if (node->parent != CT_WORKER_SCENE_NO_NODE)
        ct_sjson_member_number(w, "parent", node->parent);
    write_numbers(w, "position", position, 3);
    write_numbers(w, "rotation", rotation, 4);
    write_numbers(w, "scale", scale, 3);
    memset(parts, 0, d->scene.file->mNumMaterials);
    mark_parts(d, index, parts);
    ct_sjson_write_key(w, "parts");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < d->scene.file->mNumMaterials; ++i) {
        if (parts[i])
            ct_sjson_write_number(w, i);
    }
    ct_sjson_end_array(w);
    ct_sjson_end_object(w);
}

static void write_nodes(describer *d) {
    bool *const parts = CT_NEW_ARRAY(d->c->allocator, bool, d->scene.file->mNumMaterials + 1);
    ct_sjson_write_key(&d->w, "nodes");
    ct_sjson_begin_array(&d->w);
    for (uint32_t i = 0; i < d->scene.nodes.count; ++i)
        write_node(d, i, parts);
    ct_sjson_end_array(&d->w);
}

static void write_materials(describer *d) {
    ct_sjson_write_key(&d->w, "materials");
    ct_sjson_begin_array(&d->w);
    for (uint32_t i = 0; i < d->scene.file->mNumMaterials; ++i) {
        if (d->is_used[i])
            ct_worker_describe_material(&d->images, i, d->has_colors[i], &d->w);
        else
            ct_sjson_write_null(&d->w);
    }
    ct_sjson_end_array(&d->w);
}

// --- Shapes and levels of detail -----------------------------------------------------------------

static void find_uses(describer *d) {
    const uint64_t count = d->scene.nodes.count;
    d->uses = ct_worker_node_uses(d->c, &d->scene, CT_WORKER_SCENE_NO_NODE);
    d->first_owned = CT_NEW_ARRAY(d->c->allocator, uint32_t, count + 1);
    d->next_owned = CT_NEW_ARRAY(d->c->allocator, uint32_t, count + 1);
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t owner = d->uses[i].owner;
        if (owner == i || owner == CT_WORKER_SCENE_NO_NODE)
            continue;
        d->next_owned[i] = d->first_owned[owner];
        d->first_owned[owner] = i + 1;
    }
}

static const char *text_of_use(describer *d, uint32_t index) {
    static const char *const kinds[CT_MESH_SHAPE_KIND_COUNT] = {"mesh", "convex", "box", "sphere"};
    const ct_worker_node_use *const use = &d->uses[index];
    if (use->role == CT_WORKER_NODE_ROLE_DRAWN)
        return ct_compile_text(d->c, "level of detail %u", use->lod);
    return ct_compile_text(
        d->c, use->role == CT_WORKER_NODE_ROLE_COLLISION ? "collision (%s)" : "occluder (%s)",
        kinds[use->kind]);
}

// Says of the nodes whose triangles are in the mesh of another node what they are.
static void write_uses(describer *d) {
    const ct_worker_scene_node_array *const nodes = &d->scene.nodes;
    ct_sjson_write_key(&d->w, "uses");
    ct_sjson_begin_array(&d->w);
    for (uint32_t i = 0; i < nodes->count; ++i) {
        const ct_worker_node_use *const use = &d->uses[i];
        if (use->owner == i || !node_has_area(d->scene.file, nodes->items[i].file_node))
            continue;
        const char *what = text_of_use(d, i), *key = nodes->items[i].key;
        if (use->owner == CT_WORKER_SCENE_NO_NODE)
            ct_worker_describe_warn(&d->images,
                                    ct_compile_text(d->c,
                                                    "node \"%s\" is named as %s, but there is no "
                                                    "mesh beside or above it; it is left out",
                                                    key, what));
        else
            ct_sjson_write_string(&d->w,
                                  ct_compile_text(d->c, "node \"%s\" is in the mesh of \"%s\": %s",
                                                  key, nodes->items[use->owner].key, what));
    }
    ct_sjson_end_array(&d->w);
}

// --- What is left out ----------------------------------------------------------------------------

// Curves of FBX, which Assimp is told not to read.
static bool has_curves(const ct_worker_model_file *file) {
    static const char name[] = "AnimationCurve";
    const uint64_t name_bytes = strlen(name);
    const char *at = file->bytes, *const end = file->bytes + file->size_bytes;
    while (at && (uint64_t)(end - at) >= name_bytes && memcmp(at, name, name_bytes) != 0)
        at = memchr(at + 1, name[0], (size_t)(end - at) - 1);
    return at && (uint64_t)(end - at) >= name_bytes;
}

static void warn_of_mesh(describer *d, const struct aiMesh *mesh) {
    static const char *const texts[] = {
        "it has points or lines, which are left out",
        "it has a skin, which is left out: it stands in the pose it was made in",
        "it has shapes to blend to, which are left out",
    };
    const bool is_true[] = {
        (mesh->mPrimitiveTypes & (aiPrimitiveType_POINT | aiPrimitiveType_LINE)) != 0,
        mesh->mNumBones > 0,
        mesh->mNumAnimMeshes > 0,
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(texts); ++i) {
        if (is_true[i])
            ct_worker_describe_warn(
                &d->images, ct_compile_text(d->c, "mesh \"%s\": %s", mesh->mName.data, texts[i]));
    }
}

static void warn_of_scene(describer *d) {
    const struct aiScene *file = d->scene.file;
    bool has_area = false;
    for (uint32_t i = 0; i < file->mNumMeshes; ++i) {
        warn_of_mesh(d, file->mMeshes[i]);
        has_triangles(file->mMeshes[i], &has_area);
    }
    if (!has_area)
        ct_worker_describe_warn(&d->images, "the model has no triangles: the unit has no meshes");
    if (file->mNumAnimations > 0 || (d->scene.has_pivots && has_curves(&d->files.files.items[0])))
        ct_worker_describe_warn(&d->images, "the model has animations, which are left out");
}

// --- Cameras and lights --------------------------------------------------------------------------

// The node that a camera or light of this name is on; CT_WORKER_SCENE_NO_NODE when there is none.
static uint32_t node_named(const describer *d, const char *name) {
    for (uint32_t i = 0; i < d->scene.nodes.count; ++i) {
        if (strcmp(d->scene.nodes.items[i].name, name) == 0)
            return i;
    }
    return CT_WORKER_SCENE_NO_NODE;
}

// Writes the pose at which our y is the file's `forward` and our z its `up`, in the node's space.
static void write_pose(describer *d, const struct aiVector3D *place,
                       const struct aiVector3D *forward, const struct aiVector3D *up) {
    const ct_worker_matrix *const axes = &d->scene.axes;
    // Of glTF, Assimp puts the node's own position there.
    const float there = d->scene.is_gltf ? 0.0f : 1.0f;
    const float in[3][3] = {{place->x * there, place->y * there, place->z * there},
                            {forward->x, forward->y, forward->z},
                            {up->x, up->y, up->z}};
    float out[3][3], position[3], rotation[4], scale[3];
    for (uint32_t i = 0; i < 3; ++i)
        ct_worker_matrix_apply(axes, in[i], i == 0 ? 1.0f : 0.0f, out[i]);
    const float *y = out[1], *z = out[2];
    const ct_worker_matrix m = {{{y[1] * z[2] - y[2] * z[1], y[0], z[0], out[0][0]},
                                 {y[2] * z[0] - y[0] * z[2], y[1], z[1], out[0][1]},
                                 {y[0] * z[1] - y[1] * z[0], y[2], z[2], out[0][2]}}};
    ct_worker_matrix_pose(&m, position, rotation, scale);
    write_numbers(&d->w, "position", position, 3);
    write_numbers(&d->w, "rotation", rotation, 4);
}

// How long one unit of the file is, in metres.
static float unit_of(const describer *d) {
    const float *const row = d->scene.axes.rows[0];
    return fabsf(row[0]) + fabsf(row[1]) + fabsf(row[2]);
}

// Assimp multiplies the vertical angle of glTF by the aspect.
static float vertical_fov(const describer *d, const struct aiCamera *camera, float aspect) {
    if (d->scene.is_gltf)
        return camera->mHorizontalFOV / aspect;
    return 2 * atanf(tanf(camera->mHorizontalFOV / 2) / aspect);
}

static void write_camera(describer *d, const struct aiCamera *camera) {
    const uint32_t node = node_named(d, camera->mName.data);
    if (node == CT_WORKER_SCENE_NO_NODE)
        return;
    ct_sjson_writer *const w = &d->w;
    const float aspect = camera->mAspect > 0 ? camera->mAspect : 1;
    ct_sjson_begin_object(w);
    ct_sjson_member_number(w, "node", node);
    write_pose(d, &camera->mPosition, &camera->mLookAt, &camera->mUp);
    if (camera->mOrthographicWidth > 0)
        write_positive(w, "orthographic_height",
                       2 * camera->mOrthographicWidth / aspect * unit_of(d));
    else
        write_positive(w, "vertical_fov", vertical_fov(d, camera, aspect));
    write_positive(w, "near_range", camera->mClipPlaneNear * unit_of(d));
    write_positive(w, "far_range", camera->mClipPlaneFar * unit_of(d));
    ct_sjson_end_object(w);
}

// Angles from the axis; of more than a half space there is none.
static void write_cone(ct_sjson_writer *w, float inner, float outer) {
    const float most = 1.57f;
    ct_sjson_member_number(w, "spot_angle_start",
                           ct_worker_describe_number(fminf(fmaxf(inner, 0), most)));
    ct_sjson_member_number(w, "spot_angle_end",
                           ct_worker_describe_number(fminf(fmaxf(outer, 0), most)));
}

// As much as a light component may have.
static void write_intensity(ct_sjson_writer *w, float value) {
    ct_sjson_member_number(w, "intensity", ct_worker_describe_number(fminf(fmaxf(value, 0), 1e6f)));
}

static void write_light(describer *d, const struct aiLight *light) {
    static const char *const types[] = {[aiLightSource_DIRECTIONAL] = "directional",
                                        [aiLightSource_POINT] = "point",
                                        [aiLightSource_SPOT] = "spot"};
    const uint32_t node = node_named(d, light->mName.data);
    const char *const type =
        (uint32_t)light->mType < CT_COUNT_OF(types) ? types[light->mType] : NULL;
    if (!type || node == CT_WORKER_SCENE_NO_NODE) {
        ct_worker_describe_warn(
            &d->images,
            ct_compile_text(d->c, "light \"%s\" is of a type that is not read", light->mName.data));
        return;
    }
    ct_sjson_writer *const w = &d->w;
    const struct aiColor3D *c = &light->mColorDiffuse;
    const float brightest = fmaxf(c->r, fmaxf(c->g, c->b));
    const float factor = brightest > 0 ? 1 / brightest : 0;
    const float color[3] = {c->r * factor, c->g * factor, c->b * factor};
    // A light along -y of the file has its up across.
    const struct aiVector3D up = fabsf(light->mDirection.y) > 0.9f ? (struct aiVector3D){0, 0, 1}
                                                                   : (struct aiVector3D){0, 1, 0};
    ct_sjson_begin_object(w);
    ct_sjson_member_number(w, "node", node);
    ct_sjson_member_string(w, "light_type", type);
    write_pose(d, &light->mPosition, &light->mDirection, &up);
    write_numbers(w, "color", color, 3);
    write_intensity(w, brightest);
    if (light->mType == aiLightSource_SPOT)
        write_cone(w, light->mAngleInnerCone / 2, light->mAngleOuterCone / 2);
    ct_sjson_end_object(w);
}

// Of glTF, whose lights shine along -z of their node.
static void write_gltf_light(describer *d, const ct_worker_gltf_light *light) {
    static const struct aiVector3D place = {0, 0, 0}, forward = {0, 0, -1}, up = {0, 1, 0};
    if (light->node >= d->scene.nodes.count)
        return;
    ct_sjson_writer *const w = &d->w;
    const bool is_directional = strcmp(light->type, "directional") == 0;
    // A light without an end goes as far as it is a hundredth of a lux.
    const float range =
        light->range > 0 ? light->range * unit_of(d) : fmaxf(10 * sqrtf(light->intensity), 1);
    float color[3];
    for (uint32_t i = 0; i < 3; ++i)
        color[i] = ct_linear_to_srgb(light->color[i]);
    ct_sjson_begin_object(w);
    ct_sjson_member_number(w, "node", light->node);
    ct_sjson_member_string(w, "light_type", light->type);
    write_pose(d, &place, &forward, &up);
    write_numbers(w, "color", color, 3);
    // Our unit of directional light is lux divided by pi.
    write_intensity(w, light->intensity * (is_directional ? 0.318309886f : 1.0f));
    if (!is_directional)
        write_positive(w, "falloff_end", fminf(range, 1000));
    if (strcmp(light->type, "spot") == 0)
        write_cone(w, light->inner_cone_radians, light->outer_cone_radians);
    ct_sjson_end_object(w);
}

static void write_cameras_and_lights(describer *d) {
    ct_sjson_write_key(&d->w, "cameras");
    ct_sjson_begin_array(&d->w);
    for (uint32_t i = 0; i < d->scene.file->mNumCameras; ++i)
        write_camera(d, d->scene.file->mCameras[i]);
    ct_sjson_end_array(&d->w);
    ct_sjson_write_key(&d->w, "lights");
    ct_sjson_begin_array(&d->w);
    for (uint32_t i = 0; i < d->scene.file->mNumLights && !d->scene.is_gltf; ++i)
        write_light(d, d->scene.file->mLights[i]);
    for (uint32_t i = 0; i < d->scene.lights.count; ++i)
        write_gltf_light(d, &d->scene.lights.items[i]);
    ct_sjson_end_array(&d->w);
}

// --- Files ---------------------------------------------------------------------------------------

static void add_binary(describer *d, const char *bytes, uint64_t size_bytes) {
    ct_array_push_many(&d->binary, (const uint8_t *)bytes, size_bytes);
    ct_sjson_member_number(&d->w, "size", (double)size_bytes);
}

static void write_files(describer *d) {
    ct_sjson_writer *const w = &d->w;
    ct_sjson_write_key(w, "files");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < d->files.files.count; ++i) {
        const ct_worker_model_file *file = &d->files.files.items[i];
        ct_sjson_begin_object(w);
        ct_sjson_member_string(w, "path", file->needed);
        add_binary(d, file->bytes, file->size_bytes);
        ct_sjson_end_object(w);
    }
    ct_sjson_end_array(w);
    ct_sjson_write_key(w, "images");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < d->images.items.count; ++i) {
        const ct_worker_described_image *const image = &d->images.items.items[i];
        ct_sjson_begin_object(w);
        ct_sjson_member_string(w, "key", image->key);
        ct_sjson_member_string(w, "name", image->name);
        ct_sjson_member_string(w, "extension", image->extension);
        if (image->path)
            ct_sjson_member_string(w, "path", image->path);
        add_binary(d, image->bytes, image->size_bytes);
        ct_sjson_end_object(w);
    }
    ct_sjson_end_array(w);
}

static void write_warnings(describer *d) {
    ct_sjson_write_key(&d->w, "warnings");
    ct_sjson_begin_array(&d->w);
    for (uint32_t i = 0; i < d->images.warnings.count; ++i)
        ct_sjson_write_string(&d->w, d->images.warnings.items[i]);
    ct_sjson_end_array(&d->w);
}

static void write_all(describer *d, ct_byte_array *out) {
    ct_string_builder text;
    ct_string_builder_init(&text, d->c->allocator);
    ct_array_init(&d->binary, d->c->allocator);
    ct_sjson_writer_init(&d->w, &text, CT_SJSON_STYLE_JSON);
    ct_sjson_begin_object(&d->w);
    write_nodes(d);
    write_materials(d);
    write_cameras_and_lights(d);
    write_uses(d);
    warn_of_scene(d);
    write_files(d);
    write_warnings(d);
    ct_sjson_member_number(&d->w, "binary_size", d->binary.count);
    ct_sjson_end_object(&d->w);
    ct_message_write(out, ct_string_builder_text(&text), text.length, d->binary.items,
                     d->binary.count);
}

// Everything larger: what stands in metres.
static void scale_scene(ct_worker_scene *s, float scale) {
    for (uint32_t row = 0; row < 3; ++row) {
        for (uint32_t column = 0; column < 4; ++column)
            s->axes.rows[row][column] *= scale;
    }
    for (uint32_t i = 0; i < s->nodes.count; ++i) {
        for (uint32_t row = 0; row < 3; ++row)
            s->nodes.items[i].local.rows[row][3] *= scale;
    }
}

bool ct_worker_describe(ct_compile *c, const ct_worker_describe_desc *desc, ct_byte_array *out) {
    describer d = {.c = c};
    struct aiFileIO io;
    ct_worker_model_files_init(&d.files, c, (ct_sjson_value){0}, &io, true);
    if (!ct_worker_scene_open(c, &d.files, c->path, desc->up_axis, (ct_sjson_value){0}, &d.scene))
        return false;
    scale_scene(&d.scene, desc->scale);
    find_uses(&d);
    ct_worker_describe_images_init(&d.images, c, &d.scene, &d.files);
    d.images.known = desc->images;
    d.images.num_known = desc->num_images;
    d.has_colors = CT_NEW_ARRAY(c->allocator, bool, d.scene.file->mNumMaterials + 1);
    d.is_used = CT_NEW_ARRAY(c->allocator, bool, d.scene.file->mNumMaterials + 1);
    write_all(&d, out);
    ct_worker_scene_close(&d.scene);
    return true;
}
