#include "compiler/types/describe/worker_describe.h"

#include <math.h>
#include <string.h>

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

static bool is_same_place(const ct_worker_mesh *mesh, uint32_t i, uint32_t k) {
    return memcmp(mesh->positions[i], mesh->positions[k], sizeof(mesh->positions[i])) == 0;
}

// Whether the mesh has a triangle with its corners in three places.
static bool has_area(const ct_worker_mesh *mesh) {
    for (uint32_t i = 0; i < mesh->num_indices; i += 3) {
        const uint32_t *const t = &mesh->indices[i];
        if (!is_same_place(mesh, t[0], t[1]) && !is_same_place(mesh, t[1], t[2]) &&
            !is_same_place(mesh, t[2], t[0]))
            return true;
    }
    return false;
}

static const ct_worker_mesh *mesh_of(const describer *d, const ct_worker_scene_node *node,
                                     uint32_t i) {
    return &d->scene.meshes.items[d->scene.node_meshes.items[node->first_mesh + i]];
}

static bool node_has_area(const describer *d, const ct_worker_scene_node *node) {
    for (uint32_t i = 0; i < node->num_meshes; ++i) {
        if (has_area(mesh_of(d, node, i)))
            return true;
    }
    return false;
}

static void mark_materials(describer *d, const ct_worker_scene_node *node, bool *parts) {
    for (uint32_t i = 0; i < node->num_meshes; ++i) {
        const ct_worker_mesh *const mesh = mesh_of(d, node, i);
        if (mesh->num_indices == 0)
            continue;
        parts[mesh->material] = d->is_used[mesh->material] = true;
        d->has_colors[mesh->material] |= mesh->colors != NULL;
    }
}

// Marks the materials of the meshes of node `index` and of the further levels of detail that it
// owns, which are the parts of its mesh. None when there is nothing to draw: such a mesh would not
// compile.
static void mark_parts(describer *d, uint32_t index, bool *parts) {
    const ct_worker_scene_node_array *const nodes = &d->scene.nodes;
    if (d->uses[index].role != CT_WORKER_NODE_ROLE_DRAWN || d->uses[index].owner != index ||
        !node_has_area(d, &nodes->items[index]))
        return;
    mark_materials(d, &nodes->items[index], parts);
    for (uint32_t i = d->first_owned[index]; i; i = d->next_owned[i - 1]) {
        if (d->uses[i - 1].role == CT_WORKER_NODE_ROLE_DRAWN)
            mark_materials(d, &nodes->items[i - 1], parts);
    }
}

static void write_node(describer *d, uint32_t index, bool *parts) {
    ct_sjson_writer *const w = &d->w;
    const ct_worker_scene_node *const node = &d->scene.nodes.items[index];
    float position[3], rotation[4], scale[3];
    if (!ct_worker_matrix_pose(&node->local, position, rotation, scale))
        ct_worker_describe_warn(
            &d->images,
            ct_compile_text(
                d->c, "node \"%s\" is sheared, which a position, rotation and scale cannot express",
                node->key));
    ct_sjson_begin_object(w);
    ct_sjson_member_string(w, "name", node->name);
    ct_sjson_member_string(w, "key", node->key);
    if (node->parent != CT_WORKER_SCENE_NO_NODE)
        ct_sjson_member_number(w, "parent", node->parent);
    write_numbers(w, "position", position, 3);
    write_numbers(w, "rotation", rotation, 4);
    write_numbers(w, "scale", scale, 3);
    memset(parts, 0, d->scene.materials.count);
    mark_parts(d, index, parts);
    ct_sjson_write_key(w, "parts");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < d->scene.materials.count; ++i) {
        if (parts[i])
            ct_sjson_write_number(w, i);
    }
    ct_sjson_end_array(w);
    ct_sjson_end_object(w);
}

static void write_nodes(describer *d) {
    bool *const parts = CT_NEW_ARRAY(d->c->allocator, bool, d->scene.materials.count + 1);
    ct_sjson_write_key(&d->w, "nodes");
    ct_sjson_begin_array(&d->w);
    for (uint32_t i = 0; i < d->scene.nodes.count; ++i)
        write_node(d, i, parts);
    ct_sjson_end_array(&d->w);
}

static void write_materials(describer *d) {
    ct_sjson_write_key(&d->w, "materials");
    ct_sjson_begin_array(&d->w);
    for (uint32_t i = 0; i < d->scene.materials.count; ++i) {
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
        if (use->owner == i || !node_has_area(d, &nodes->items[i]))
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

static void warn_of_mesh(describer *d, const ct_worker_mesh *mesh) {
    static const char *const texts[] = {
        "it has points or lines, which are left out",
        "it has blend shapes, which are left out",
    };
    const bool is_true[] = {mesh->has_points_or_lines, mesh->has_blend_shapes};
    for (uint32_t i = 0; i < CT_COUNT_OF(texts); ++i) {
        if (is_true[i])
            ct_worker_describe_warn(&d->images,
                                    ct_compile_text(d->c, "mesh \"%s\": %s", mesh->name, texts[i]));
    }
}

static void warn_of_scene(describer *d) {
    const ct_worker_scene *const s = &d->scene;
    bool is_drawn = false;
    for (uint32_t i = 0; i < s->meshes.count; ++i) {
        warn_of_mesh(d, &s->meshes.items[i]);
        is_drawn = is_drawn || has_area(&s->meshes.items[i]);
    }
    if (!is_drawn)
        ct_worker_describe_warn(&d->images, "the model has no triangles: the unit has no meshes");
    for (uint32_t i = 0; i < s->warnings.count; ++i)
        ct_worker_describe_warn(&d->images, s->warnings.items[i]);
}

// --- Cameras and lights --------------------------------------------------------------------------

// Writes the pose at which our y is the view's forward and our z its up, in the node's space.
static void write_pose(describer *d, const ct_worker_view *view) {
    float y[3], z[3], place[3], position[3], rotation[4], scale[3];
    ct_worker_matrix_apply(&d->scene.axes, view->place, 1.0f, place);
    ct_worker_matrix_apply(&d->scene.axes, view->forward, 0.0f, y);
    ct_worker_matrix_apply(&d->scene.axes, view->up, 0.0f, z);
    const ct_worker_matrix m = {{{y[1] * z[2] - y[2] * z[1], y[0], z[0], place[0]},
                                 {y[2] * z[0] - y[0] * z[2], y[1], z[1], place[1]},
                                 {y[0] * z[1] - y[1] * z[0], y[2], z[2], place[2]}}};
    ct_worker_matrix_pose(&m, position, rotation, scale);
    write_numbers(&d->w, "position", position, 3);
    write_numbers(&d->w, "rotation", rotation, 4);
}

// How long one unit of the file is, in metres.
static float unit_of(const describer *d) {
    const float *const row = d->scene.axes.rows[0];
    return fabsf(row[0]) + fabsf(row[1]) + fabsf(row[2]);
}

static void write_camera(describer *d, const ct_worker_camera *camera) {
    ct_sjson_writer *const w = &d->w;
    ct_sjson_begin_object(w);
    ct_sjson_member_number(w, "node", camera->view.node);
    write_pose(d, &camera->view);
    if (camera->orthographic_height > 0)
        write_positive(w, "orthographic_height", camera->orthographic_height * unit_of(d));
    else
        write_positive(w, "vertical_fov", camera->vertical_fov);
    write_positive(w, "near_range", camera->near_range * unit_of(d));
    write_positive(w, "far_range", camera->far_range * unit_of(d));
    ct_sjson_end_object(w);
    if (!(camera->far_range > 0))
        ct_worker_describe_warn(
            &d->images,
            ct_compile_text(d->c, "%s has no far limit; its far_range is the default of cameras",
                            camera->name));
}

// Angles from the axis; of more than a half space there is none.
static void write_cone(ct_sjson_writer *w, float inner, float outer) {
    const float most = 1.57f;
    ct_sjson_member_number(w, "spot_angle_start",
                           ct_worker_describe_number(fminf(fmaxf(inner, 0), most)));
    ct_sjson_member_number(w, "spot_angle_end",
                           ct_worker_describe_number(fminf(fmaxf(outer, 0), most)));
}

static void write_light(describer *d, const ct_worker_light *light) {
    const float most_intensity = 1e6f, most_range = 1000; // of a light component
    ct_sjson_writer *const w = &d->w;
    ct_sjson_begin_object(w);
    ct_sjson_member_number(w, "node", light->view.node);
    ct_sjson_member_string(w, "light_type", light->type);
    write_pose(d, &light->view);
    write_numbers(w, "color", light->color, 3);
    ct_sjson_member_number(
        w, "intensity",
        ct_worker_describe_number(fminf(fmaxf(light->intensity, 0), most_intensity)));
    if (light->range > 0)
        write_positive(w, "falloff_end", fminf(light->range * unit_of(d), most_range));
    if (strcmp(light->type, "spot") == 0)
        write_cone(w, light->inner_cone_radians, light->outer_cone_radians);
    ct_sjson_end_object(w);
}

static void write_cameras_and_lights(describer *d) {
    ct_sjson_write_key(&d->w, "cameras");
    ct_sjson_begin_array(&d->w);
    for (uint32_t i = 0; i < d->scene.cameras.count; ++i)
        write_camera(d, &d->scene.cameras.items[i]);
    ct_sjson_end_array(&d->w);
    ct_sjson_write_key(&d->w, "lights");
    ct_sjson_begin_array(&d->w);
    for (uint32_t i = 0; i < d->scene.lights.count; ++i)
        write_light(d, &d->scene.lights.items[i]);
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
        const ct_worker_model_file *const file = &d->files.files.items[i];
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
        if (image->wrap == CT_WORKER_MAP_WRAP_CLAMP)
            ct_sjson_member_string(w, "wrap", "clamp");
        if (image->is_nearest)
            ct_sjson_member_string(w, "filter", "nearest");
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
    ct_worker_model_files_init(&d.files, c, (ct_sjson_value){0}, true);
    if (!ct_worker_scene_open(c, &d.files, c->path, desc->up_axis, (ct_sjson_value){0}, &d.scene))
        return false;
    scale_scene(&d.scene, desc->scale);
    find_uses(&d);
    ct_worker_describe_images_init(&d.images, c, &d.scene, &d.files);
    d.images.known = desc->images;
    d.images.num_known = desc->num_images;
    d.has_colors = CT_NEW_ARRAY(c->allocator, bool, d.scene.materials.count + 1);
    d.is_used = CT_NEW_ARRAY(c->allocator, bool, d.scene.materials.count + 1);
    write_all(&d, out);
    return true;
}
