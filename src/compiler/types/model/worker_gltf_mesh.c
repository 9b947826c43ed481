#include "compiler/types/model/worker_gltf_mesh.h"

#include <string.h>

#include "compiler/types/model/worker_draco.h"
#include "compiler/types/model/worker_gltf_accessor.h"
#include "compiler/types/model/worker_gltf_buffer.h"
#include "foundation/error.h"

#define DRACO "KHR_draco_mesh_compression"

enum { MAX_INFLUENCE_SETS = 2 }; // of four
static const char *const joint_names[MAX_INFLUENCE_SETS] = {"JOINTS_0", "JOINTS_1"};
static const char *const weight_names[MAX_INFLUENCE_SETS] = {"WEIGHTS_0", "WEIGHTS_1"};

typedef enum primitive_mode {
    PRIMITIVE_MODE_TRIANGLES = 4,
    PRIMITIVE_MODE_STRIP,
    PRIMITIVE_MODE_FAN,
} primitive_mode;

typedef struct primitive_reader {
    ct_gltf_file *g;
    ct_sjson_value value, attributes;
    ct_sjson_value draco_attributes; // {0}: it is not compressed
    ct_worker_draco *draco;          // NULL: likewise
    const char *name;                // of the primitive, for messages
    ct_worker_mesh mesh;
} primitive_reader;

// The attributes that a mesh takes.
typedef struct attribute_desc {
    const char *name;
    uint32_t least_components, most_components;
} attribute_desc;

// --- Attributes ----------------------------------------------------------------------------------

static bool read_draco(const primitive_reader *r, ct_sjson_value id, ct_gltf_floats *floats) {
    const double number = ct_sjson_number(r->g->doc, id, -1);
    const uint32_t unique = number >= 0 && number < 4294967295.0 ? (uint32_t)number : UINT32_MAX;
    const uint32_t num_components = ct_worker_draco_components(r->draco, unique);
    float *const values =
        CT_NEW_ARRAY(r->g->c->allocator, float, (uint64_t)r->mesh.num_vertices *num_components + 1);
    *floats = (ct_gltf_floats){.values = values, .num_components = num_components};
    return (num_components > 0 && ct_worker_draco_floats(r->draco, unique, values)) ||
           ct_gltf_error(r->g, id, "%s: its compressed data has no attribute %.10g", r->name,
                         number);
}

// Integers that are not normalized stand for 0 to 255 where 0 to 1 is meant, unless the file says
// that it is so.
static void warn_of_integers(const primitive_reader *r, const char *attribute, uint32_t accessor) {
    const ct_sjson_value value = ct_gltf_item(r->g, CT_GLTF_LIST_ACCESSORS, accessor);
    const bool is_float =
        ct_sjson_number(r->g->doc, ct_sjson_find(r->g->doc, value, "componentType"), 0) == 5126;
    const bool is_normalized =
        ct_sjson_bool(r->g->doc, ct_sjson_find(r->g->doc, value, "normalized"), false);
    if (!is_float && !is_normalized && !r->g->is_quantized)
        ct_gltf_warn(r->g, "%s: %s has integers that are not normalized; they are used as they are",
                     r->name, attribute);
}

// Sets `floats` to an attribute, or to nothing when the primitive has none of this name.
static bool read_attribute(const primitive_reader *r, const attribute_desc *desc,
                           ct_gltf_floats *floats) {
    ct_gltf_file *const g = r->g;
    *floats = (ct_gltf_floats){0};
    uint32_t accessor, count = 0;
    if (!ct_gltf_index(g, r->attributes, desc->name, CT_GLTF_LIST_ACCESSORS, &accessor))
        return false;
    if (accessor == CT_GLTF_NONE)
        return true;
    const ct_sjson_value at = ct_sjson_find(g->doc, r->attributes, desc->name);
    const ct_sjson_value id = ct_sjson_find(g->doc, r->draco_attributes, desc->name);
    if (id.entry) {
        if (!read_draco(r, id, floats))
            return false;
    } else if (!ct_gltf_accessor_count(g, accessor, &count) ||
               !ct_gltf_read_floats(g, accessor, floats)) {
        return false;
    } else if (count != r->mesh.num_vertices) {
        return ct_gltf_error(g, at, "%s has %u elements of %s, but %u positions", r->name, count,
                             desc->name, r->mesh.num_vertices);
    }
    if (floats->num_components < desc->least_components ||
        floats->num_components > desc->most_components)
        return ct_gltf_error(g, at, "%s: %s has %u components; expected %u", r->name, desc->name,
                             floats->num_components, desc->least_components);
    if (!id.entry && strncmp(desc->name, "JOINTS_", 7) != 0)
        warn_of_integers(r, desc->name, accessor);
    return true;
}

// Colours of three components are opaque.
static const float (*colors_of(const primitive_reader *r, const ct_gltf_floats *floats))[4] {
    if (floats->num_components == 4)
        return (const float(*)[4])floats->values;
    float(*const colors)[4] =
        ct_alloc(r->g->c->allocator, sizeof(float[4]) * ((uint64_t)r->mesh.num_vertices + 1));
    for (uint32_t i = 0; i < r->mesh.num_vertices; ++i) {
        memcpy(colors[i], floats->values + (uint64_t)i * 3, sizeof(float[3]));
        colors[i][3] = 1;
    }
    return (const float(*)[4])colors;
}

// --- Influences ----------------------------------------------------------------------------------

// Reads a set of four influences. Both parts must be there; {0} when none is.
static bool read_influence_set(const primitive_reader *r, uint32_t set, ct_gltf_floats *joints,
                               ct_gltf_floats *weights) {
    const attribute_desc joint = {joint_names[set], 4, 4}, weight = {weight_names[set], 4, 4};
    if (!read_attribute(r, &joint, joints) || !read_attribute(r, &weight, weights))
        return false;
    return !joints->values == !weights->values ||
           ct_gltf_error(r->g, r->attributes, "%s has %s, but no %s; expected both or none",
                         r->name, joints->values ? joint_names[set] : weight_names[set],
                         joints->values ? weight_names[set] : joint_names[set]);
}

// Whether the skin has these joints is known when their weights are: unused ones may be anything.
static bool take_joints(const primitive_reader *r, uint32_t set, const float *from, uint16_t *to) {
    const uint32_t count = r->mesh.num_influences;
    for (uint32_t i = 0; i < r->mesh.num_vertices * 4; ++i) {
        if (!(from[i] >= 0 && from[i] <= UINT16_MAX) || from[i] != (float)(uint16_t)from[i])
            return ct_gltf_error(r->g, ct_sjson_find(r->g->doc, r->attributes, joint_names[set]),
                                 "%s: vertex %u names joint %g; expected a whole number from 0 to "
                                 "%u",
                                 r->name, i / 4, (double)from[i], UINT16_MAX);
        to[(uint64_t)(i / 4) * count + set * 4 + i % 4] = (uint16_t)from[i];
    }
    return true;
}

static bool read_influences(primitive_reader *r) {
    ct_gltf_floats joints[MAX_INFLUENCE_SETS], weights[MAX_INFLUENCE_SETS];
    uint32_t num_sets = 0;
    for (uint32_t i = 0; i < MAX_INFLUENCE_SETS; ++i) {
        if (!read_influence_set(r, i, &joints[i], &weights[i]))
            return false;
        num_sets += num_sets == i && joints[i].values;
    }
    if (num_sets == 0)
        return true;
    const uint32_t count = r->mesh.num_influences = num_sets * 4;
    const uint64_t total = (uint64_t)r->mesh.num_vertices * count;
    uint16_t *const to_joints = CT_NEW_ARRAY(r->g->c->allocator, uint16_t, total + 1);
    float *const to_weights = CT_NEW_ARRAY(r->g->c->allocator, float, total + 1);
    for (uint32_t set = 0; set < num_sets; ++set) {
        if (!take_joints(r, set, joints[set].values, to_joints))
            return false;
        for (uint32_t i = 0; i < r->mesh.num_vertices; ++i)
            memcpy(to_weights + (uint64_t)i * count + set * 4, weights[set].values + i * 4ull,
                   sizeof(float[4]));
    }
    r->mesh.joints = to_joints;
    r->mesh.weights = to_weights;
    return true;
}

static bool read_attributes(primitive_reader *r) {
    static const attribute_desc position = {"POSITION", 3, 3}, normal = {"NORMAL", 3, 3},
                                tangent = {"TANGENT", 4, 4}, color = {"COLOR_0", 3, 4};
    static const attribute_desc uv[2] = {{"TEXCOORD_0", 2, 2}, {"TEXCOORD_1", 2, 2}};
    ct_gltf_floats positions, normals, tangents, colors, coordinates;
    if (!read_attribute(r, &position, &positions) || !read_attribute(r, &normal, &normals) ||
        !read_attribute(r, &tangent, &tangents) || !read_attribute(r, &color, &colors))
        return false;
    r->mesh.positions = (const float(*)[3])positions.values;
    r->mesh.normals = (const float(*)[3])normals.values;
    if (normals.values)
        r->mesh.tangents = (const float(*)[4])tangents.values;
    if (colors.values)
        r->mesh.colors = colors_of(r, &colors);
    for (uint32_t i = 0; i < CT_COUNT_OF(uv); ++i) {
        if (!read_attribute(r, &uv[i], &coordinates))
            return false;
        r->mesh.uv[i] = (const float(*)[2])coordinates.values;
    }
    return read_influences(r);
}

// Names what is left out.
static void warn_of_other_attributes(primitive_reader *r) {
    static const char *const taken[] = {"POSITION", "NORMAL",     "TANGENT",
                                        "COLOR_0",  "TEXCOORD_0", "TEXCOORD_1"};
    const ct_sjson *const doc = r->g->doc;
    for (ct_sjson_value v = ct_sjson_first(doc, r->attributes); v.entry;
         v = ct_sjson_next(doc, v)) {
        const char *const name = ct_sjson_key(doc, v);
        bool is_taken = false;
        for (uint32_t i = 0; i < CT_COUNT_OF(taken); ++i)
            is_taken |= strcmp(name, taken[i]) == 0;
        for (uint32_t i = 0; i < MAX_INFLUENCE_SETS; ++i)
            is_taken |= strcmp(name, joint_names[i]) == 0 || strcmp(name, weight_names[i]) == 0;
        if (!is_taken)
            ct_gltf_warn(r->g, "%s: its attribute %s is left out", r->name, name);
    }
}

// --- Triangles -----------------------------------------------------------------------------------

static bool check_indices(const primitive_reader *r, const uint32_t *indices, uint32_t count,
                          ct_sjson_value at) {
    uint32_t num_wrong = 0, wrong = 0;
    for (uint32_t i = 0; i < count; ++i) {
        wrong = indices[i] >= r->mesh.num_vertices && num_wrong == 0 ? indices[i] : wrong;
        num_wrong += indices[i] >= r->mesh.num_vertices;
    }
    return num_wrong == 0 ||
           ct_gltf_error(r->g, at,
                         "%s: %u of its %u indices are out of range; found %u, but there are %u "
                         "vertices",
                         r->name, num_wrong, count, wrong, r->mesh.num_vertices);
}

// The triangles of a strip or fan; those of a strip turn every other time.
static void take_triangles(primitive_reader *r, const uint32_t *indices, uint32_t count,
                           primitive_mode mode) {
    r->mesh.indices = indices;
    r->mesh.num_indices = count - count % 3;
    if (mode == PRIMITIVE_MODE_TRIANGLES) {
        if (count % 3 != 0)
            ct_gltf_warn(r->g, "%s: the last %u of its %u corners do not form a triangle", r->name,
                         count % 3, count);
        return;
    }
    const uint32_t num_triangles = count >= 3 ? count - 2 : 0;
    uint32_t *const out =
        CT_NEW_ARRAY(r->g->c->allocator, uint32_t, (uint64_t)num_triangles * 3 + 1);
    for (uint32_t i = 0; i < num_triangles; ++i) {
        const bool is_odd = mode == PRIMITIVE_MODE_STRIP && i % 2 == 1;
        out[i * 3] = indices[mode == PRIMITIVE_MODE_FAN ? 0 : i];
        out[i * 3 + 1] = indices[is_odd ? i + 2 : i + 1];
        out[i * 3 + 2] = indices[is_odd ? i + 1 : i + 2];
    }
    r->mesh.indices = out;
    r->mesh.num_indices = num_triangles * 3;
}

static bool read_triangles(primitive_reader *r, uint64_t mode) {
    ct_gltf_file *const g = r->g;
    uint32_t accessor, count = r->mesh.num_vertices;
    const uint32_t *indices = NULL;
    if (!ct_gltf_index(g, r->value, "indices", CT_GLTF_LIST_ACCESSORS, &accessor))
        return false;
    const ct_sjson_value at = ct_sjson_find(g->doc, r->value, "indices");
    if (r->draco) {
        count = ct_worker_draco_num_triangles(r->draco) * 3;
        uint32_t *const decoded = CT_NEW_ARRAY(g->c->allocator, uint32_t, (uint64_t)count + 1);
        ct_worker_draco_indices(r->draco, decoded);
        indices = decoded;
    } else if (accessor != CT_GLTF_NONE) {
        if (!ct_gltf_read_indices(g, accessor, &indices, &count) ||
            !check_indices(r, indices, count, at))
            return false;
    } else {
        uint32_t *const all = CT_NEW_ARRAY(g->c->allocator, uint32_t, (uint64_t)count + 1);
        for (uint32_t i = 0; i < count; ++i)
            all[i] = i;
        indices = all;
    }
    take_triangles(r, indices, count, (primitive_mode)mode);
    return true;
}

// --- Primitives ----------------------------------------------------------------------------------

// Decompresses what a primitive has as Draco.
static bool open_draco(primitive_reader *r) {
    ct_gltf_file *const g = r->g;
    const ct_sjson_value extension = ct_gltf_extension(g, r->value, DRACO);
    uint32_t view = 0;
    ct_gltf_bytes bytes;
    if (!extension.entry)
        return true;
    if (!ct_gltf_index(g, extension, "bufferView", CT_GLTF_LIST_BUFFER_VIEWS, &view) ||
        !ct_gltf_object(g, extension, "attributes", &r->draco_attributes))
        return false;
    if (view == CT_GLTF_NONE)
        return ct_gltf_error(g, extension, "%s: its compressed data has no buffer view", r->name);
    if (!ct_gltf_view(g, view, &bytes))
        return false;
    r->draco = ct_worker_draco_decode(bytes.bytes, bytes.size_bytes);
    if (!r->draco)
        return ct_gltf_error(g, extension, "%s: its compressed data is damaged", r->name);
    r->mesh.num_vertices = ct_worker_draco_num_vertices(r->draco);
    return true;
}

// The number of vertices is that of the positions; 0 without any.
static bool count_vertices(primitive_reader *r) {
    uint32_t accessor;
    if (!ct_gltf_object(r->g, r->value, "attributes", &r->attributes) ||
        !ct_gltf_index(r->g, r->attributes, "POSITION", CT_GLTF_LIST_ACCESSORS, &accessor))
        return false;
    if (accessor == CT_GLTF_NONE)
        ct_gltf_warn(r->g, "%s has no positions; it is left out", r->name);
    return accessor == CT_GLTF_NONE ||
           ct_gltf_accessor_count(r->g, accessor, &r->mesh.num_vertices);
}

static bool read_material(primitive_reader *r) {
    ct_gltf_file *const g = r->g;
    uint32_t material;
    if (!ct_gltf_index(g, r->value, "material", CT_GLTF_LIST_MATERIALS, &material))
        return false;
    if (material == CT_GLTF_NONE && g->default_material == CT_GLTF_NONE) {
        g->default_material = g->scene->materials.count;
        ct_array_push(&g->scene->materials, ct_worker_scene_material(g->c, ""));
    }
    r->mesh.material = material == CT_GLTF_NONE ? g->default_material : material;
    return true;
}

static bool read_primitive(primitive_reader *r) {
    ct_gltf_file *const g = r->g;
    uint64_t mode = PRIMITIVE_MODE_TRIANGLES;
    ct_sjson_value targets;
    if (!ct_gltf_whole(g, r->value, "mode", PRIMITIVE_MODE_FAN, &mode) ||
        !ct_gltf_array(g, r->value, "targets", &targets) || !read_material(r) || !count_vertices(r))
        return false;
    r->mesh.has_blend_shapes = ct_sjson_count(g->doc, targets) > 0;
    r->mesh.has_points_or_lines = mode < PRIMITIVE_MODE_TRIANGLES;
    if (r->mesh.num_vertices == 0 || r->mesh.has_points_or_lines)
        return true;
    warn_of_other_attributes(r);
    const bool is_read = open_draco(r) && read_attributes(r) && read_triangles(r, mode);
    ct_worker_draco_free(r->draco);
    return is_read;
}

bool ct_gltf_add_mesh(ct_gltf_file *g, uint32_t mesh) {
    if (g->is_mesh_read[mesh])
        return true;
    g->is_mesh_read[mesh] = true;
    g->first_primitive[mesh] = g->scene->meshes.count;
    const ct_sjson_value value = ct_gltf_item(g, CT_GLTF_LIST_MESHES, mesh);
    ct_sjson_value primitives;
    const char *name = "";
    if (!ct_gltf_string(g, value, "name", &name) ||
        !ct_gltf_array(g, value, "primitives", &primitives))
        return false;
    for (ct_sjson_value v = ct_sjson_first(g->doc, primitives); v.entry;
         v = ct_sjson_next(g->doc, v)) {
        const uint32_t i = g->num_primitives[mesh]++;
        primitive_reader r = {.g = g, .value = v};
        r.name = ct_compile_text(g->c, "%s, primitive %u",
                                 ct_gltf_name(g, CT_GLTF_LIST_MESHES, mesh), i);
        r.mesh.name = *name ? name : ct_compile_text(g->c, "mesh %u", mesh);
        if (ct_sjson_type_of(g->doc, v) != CT_SJSON_TYPE_OBJECT)
            return ct_gltf_error(g, v, "%s is not an object", r.name);
        if (!read_primitive(&r))
            return false;
        if (!r.mesh.positions) { // nothing to draw
            r.mesh.num_vertices = r.mesh.num_indices = 0;
            r.mesh.indices = NULL;
        }
        ct_array_push(&g->scene->meshes, r.mesh);
    }
    return true;
}
