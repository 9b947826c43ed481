#include "compiler/import/import_unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "foundation/container/hash_map.h"
#include "foundation/os/path.h"
#include "foundation/string/guid.h"
#include "foundation/string/string_id.h"

enum { MAX_NAME_BYTES = 60 };

typedef struct unit_writer {
    ct_import_sources *s;
    ct_sjson_writer *w;
    ct_guid space;      // of the model: ids of nodes come from names in it
    ct_guid components; // another one: no node of whatever name has the id of a component
    ct_guid *ids;       // by node
    const char **names; // by node, unique in the unit
    ct_hash_map used;   // from the hash of a name to the number to try next
} unit_writer;

// --- Names and ids -------------------------------------------------------------------------------

// `name` with a number that no other node has taken; "root_point" is the unit itself.
static const char *unique_name(unit_writer *u, const char *name) {
    char plain[MAX_NAME_BYTES + 1], numbered[MAX_NAME_BYTES + 32];
    snprintf(plain, sizeof(plain), "%s", *name ? name : "node");
    // No cut through a character of several bytes.
    size_t length = strlen(plain);
    while (length == MAX_NAME_BYTES && length > 1 && ((unsigned char)name[length] & 0xc0) == 0x80)
        plain[--length] = 0;
    snprintf(numbered, sizeof(numbered), "%s", plain);
    const uint64_t plain_id = ct_string_id64_of(plain).value;
    for (uint64_t number = ct_hash_map_get(&u->used, plain_id, 1);; ++number) {
        if (number > 1)
            snprintf(numbered, sizeof(numbered), "%s_%llu", plain, (unsigned long long)number);
        const uint64_t id = ct_string_id64_of(numbered).value;
        if ((number > 1 && ct_hash_map_find(&u->used, id)) || strcmp(numbered, "root_point") == 0)
            continue;
        ct_hash_map_set(&u->used, id, 2);
        ct_hash_map_set(&u->used, plain_id, number + 1);
        return ct_copy_string(u->s->allocator, numbered);
    }
}

// An id from the names on the way to the node; from the second of equal ones on with a number.
static void make_ids(unit_writer *u) {
    const ct_import_model *const m = u->s->model;
    ct_hash_map known = {.allocator = u->s->allocator};
    u->ids = CT_NEW_ARRAY(u->s->allocator, ct_guid, m->num_nodes + 1);
    for (uint32_t i = 0; i < m->num_nodes; ++i) {
        const ct_import_node *const n = &m->nodes[i];
        const ct_guid parent = n->parent == CT_IMPORT_NONE ? u->space : u->ids[n->parent];
        const ct_guid id = ct_guid_make_named(parent, n->name);
        const uint64_t hash = ct_guid_hash(id);
        const uint64_t count = ct_hash_map_get(&known, hash, 0) + 1;
        ct_hash_map_set(&known, hash, count);
        char number[24];
        snprintf(number, sizeof(number), "#%llu", (unsigned long long)count);
        u->ids[i] = count > 1 ? ct_guid_make_named(id, number) : id;
    }
}

static void write_id(unit_writer *u, ct_guid id) {
    char text[CT_GUID_TEXT_BYTES];
    ct_guid_format(id, text);
    ct_sjson_member_string(u->w, "id", text);
}

// Of the component `kind` of a node, the `number`-th of the kind there; NULL: of the unit itself.
static void write_component_id(unit_writer *u, const ct_guid *node, const char *kind,
                               uint32_t number) {
    char text[CT_GUID_TEXT_BYTES] = "", name[CT_GUID_TEXT_BYTES + 48];
    if (node)
        ct_guid_format(*node, text);
    snprintf(name, sizeof(name), "%s %s %u", text, kind, number);
    write_id(u, ct_guid_make_named(u->components, name));
}

// --- Nodes ---------------------------------------------------------------------------------------

// Writes a pose's member unless it is the one that does nothing.
static void write_vector(const ct_sjson *doc, ct_sjson_value pose, const char *key, double last,
                         double others, ct_sjson_writer *w) {
    const ct_sjson_value list = ct_sjson_find(doc, pose, key);
    bool is_default = true;
    const uint32_t count = ct_sjson_count(doc, list);
    uint32_t i = 0;
    for (ct_sjson_value v = ct_sjson_first(doc, list); v.entry; v = ct_sjson_next(doc, v)) {
        const double number = ct_sjson_number(doc, v, 0);
        is_default = is_default && number == (++i == count ? last : others);
    }
    if (is_default)
        return;
    ct_sjson_write_key(w, key);
    ct_sjson_write_value(w, doc, list);
}

void ct_import_pose_write(const ct_sjson *doc, ct_sjson_value pose, ct_sjson_writer *w) {
    write_vector(doc, pose, "position", 0, 0, w);
    write_vector(doc, pose, "rotation", 1, 0, w);
    write_vector(doc, pose, "scale", 1, 1, w);
}

static void write_node(unit_writer *u, uint32_t i) {
    const ct_import_node *const n = &u->s->model->nodes[i];
    ct_sjson_begin_object(u->w);
    write_id(u, u->ids[i]);
    ct_sjson_member_string(u->w, "name", u->names[i]);
    if (n->parent != CT_IMPORT_NONE)
        ct_sjson_member_string(u->w, "parent", u->names[n->parent]);
    ct_import_pose_write(u->s->model->doc, n->pose, u->w);
    ct_sjson_end_object(u->w);
}

// True when a camera or light does not look as its node does, and so needs a node of its own.
static bool is_turned(const ct_sjson *doc, ct_sjson_value pose) {
    double sum = 0, w = 1;
    ct_sjson_value list = ct_sjson_find(doc, pose, "position");
    for (ct_sjson_value v = ct_sjson_first(doc, list); v.entry; v = ct_sjson_next(doc, v))
        sum += fabs(ct_sjson_number(doc, v, 0));
    list = ct_sjson_find(doc, pose, "rotation");
    for (ct_sjson_value v = ct_sjson_first(doc, list); v.entry; v = ct_sjson_next(doc, v))
        w = ct_sjson_number(doc, v, 0);
    return sum > 1e-6 || fabs(w) < 1 - 1e-9;
}

// Writes the node that turns an extra; sets `name` to that of the node it is on.
static void write_extra_node(unit_writer *u, const ct_import_extra *extra, const char *kind,
                             uint32_t number, const char **name) {
    const ct_sjson *const doc = u->s->model->doc;
    *name = u->names[extra->node];
    if (!is_turned(doc, extra->value))
        return;
    char wanted[MAX_NAME_BYTES + 32], id_kind[16];
    snprintf(wanted, sizeof(wanted), "%.40s_%s", *name, kind);
    snprintf(id_kind, sizeof(id_kind), "%s node", kind);
    const char *const own = unique_name(u, wanted);
    ct_sjson_begin_object(u->w);
    write_component_id(u, &u->ids[extra->node], id_kind, number);
    ct_sjson_member_string(u->w, "name", own);
    ct_sjson_member_string(u->w, "parent", *name);
    write_vector(doc, extra->value, "position", 0, 0, u->w);
    write_vector(doc, extra->value, "rotation", 1, 0, u->w);
    ct_sjson_end_object(u->w);
    *name = own;
}

// --- Components ----------------------------------------------------------------------------------

static void write_mesh(unit_writer *u, uint32_t i) {
    ct_import_sources *s = u->s;
    const ct_import_node *const n = &s->model->nodes[i];
    const char *const mesh = ct_import_sources_name(s, s->mesh_of_node[i]);
    ct_sjson_begin_object(u->w);
    write_component_id(u, &u->ids[i], "mesh", 0);
    ct_sjson_member_string(u->w, "type", "mesh");
    ct_sjson_member_string(u->w, "mesh", mesh);
    ct_sjson_write_key(u->w, "materials");
    ct_sjson_begin_array(u->w);
    for (uint32_t k = 0; k < n->num_parts; ++k)
        ct_sjson_write_string(u->w, ct_import_sources_name(s, s->material_of[n->parts[k]]));
    ct_sjson_end_array(u->w);
    ct_sjson_member_string(u->w, "node", u->names[i]);
    ct_sjson_end_object(u->w);
}

static void write_animation(unit_writer *u) {
    const ct_import_sources *const s = u->s;
    ct_sjson_begin_object(u->w);
    write_component_id(u, NULL, "animation", 0);
    ct_sjson_member_string(u->w, "type", "animation");
    ct_sjson_member_string(u->w, "skeleton", ct_import_sources_name(s, s->own_skeleton));
    if (s->machine != CT_IMPORT_NONE)
        ct_sjson_member_string(u->w, "state_machine", ct_import_sources_name(s, s->machine));
    ct_sjson_end_object(u->w);
}

// Copies the members of a description that the component has too.
static void write_members(unit_writer *u, ct_sjson_value from, const char *const *keys) {
    const ct_sjson *const doc = u->s->model->doc;
    for (; *keys; ++keys) {
        const ct_sjson_value v = ct_sjson_find(doc, from, *keys);
        if (!v.entry)
            continue;
        ct_sjson_write_key(u->w, *keys);
        ct_sjson_write_value(u->w, doc, v);
    }
}

static void write_extra(unit_writer *u, const ct_import_extra *extra, const char *type,
                        uint32_t number, const char *node, const char *const *keys) {
    ct_sjson_begin_object(u->w);
    write_component_id(u, &u->ids[extra->node], type, number);
    ct_sjson_member_string(u->w, "type", type);
    ct_sjson_member_string(u->w, "name", u->names[extra->node]);
    if (ct_sjson_find(u->s->model->doc, extra->value, "orthographic_height").entry)
        ct_sjson_member_string(u->w, "projection", "orthographic");
    write_members(u, extra->value, keys);
    ct_sjson_member_string(u->w, "node", node);
    ct_sjson_end_object(u->w);
}

// Which of its node's each one is, from 0.
static uint32_t *numbers_at_node(const unit_writer *u, const ct_import_extra *extras,
                                 uint32_t count) {
    uint32_t *const known = CT_NEW_ARRAY(u->s->allocator, uint32_t, u->s->model->num_nodes + 1);
    uint32_t *const numbers = CT_NEW_ARRAY(u->s->allocator, uint32_t, count + 1);
    for (uint32_t i = 0; i < count; ++i)
        numbers[i] = known[extras[i].node]++;
    return numbers;
}

// Writes the scene graph; sets the names of the nodes that cameras and lights are on.
static void write_graph(unit_writer *u, const uint32_t *cameras, const char **camera_nodes,
                        const uint32_t *lights, const char **light_nodes) {
    const ct_import_model *const m = u->s->model;
    ct_sjson_begin_object(u->w);
    write_component_id(u, NULL, "scene_graph", 0);
    ct_sjson_member_string(u->w, "type", "scene_graph");
    ct_sjson_write_key(u->w, "nodes");
    ct_sjson_begin_array(u->w);
    for (uint32_t i = 0; i < m->num_nodes; ++i)
        write_node(u, i);
    for (uint32_t i = 0; i < m->num_cameras; ++i)
        write_extra_node(u, &m->cameras[i], "camera", cameras[i], &camera_nodes[i]);
    for (uint32_t i = 0; i < m->num_lights; ++i)
        write_extra_node(u, &m->lights[i], "light", lights[i], &light_nodes[i]);
    ct_sjson_end_array(u->w);
    ct_sjson_end_object(u->w);
}

static void write_components(unit_writer *u) {
    static const char *const camera_keys[] = {"vertical_fov", "near_range", "far_range",
                                              "orthographic_height", NULL};
    static const char *const light_keys[] = {
        "light_type",       "color",          "intensity", "falloff_end",
        "spot_angle_start", "spot_angle_end", NULL};
    const ct_import_model *m = u->s->model;
    const char **const camera_nodes =
        CT_NEW_ARRAY(u->s->allocator, const char *, m->num_cameras + 1);
    const char **const light_nodes = CT_NEW_ARRAY(u->s->allocator, const char *, m->num_lights + 1);
    const uint32_t *const cameras = numbers_at_node(u, m->cameras, m->num_cameras);
    const uint32_t *const lights = numbers_at_node(u, m->lights, m->num_lights);
    ct_sjson_begin_object(u->w);
    write_component_id(u, NULL, "transform", 0);
    ct_sjson_member_string(u->w, "type", "transform");
    ct_sjson_end_object(u->w);
    if (m->num_nodes > 0)
        write_graph(u, cameras, camera_nodes, lights, light_nodes);
    if (u->s->own_skeleton != CT_IMPORT_NONE)
        write_animation(u);
    for (uint32_t i = 0; i < m->num_nodes; ++i) {
        if (m->nodes[i].num_parts > 0)
            write_mesh(u, i);
    }
    for (uint32_t i = 0; i < m->num_cameras; ++i)
        write_extra(u, &m->cameras[i], "camera", cameras[i], camera_nodes[i], camera_keys);
    for (uint32_t i = 0; i < m->num_lights; ++i)
        write_extra(u, &m->lights[i], "light", lights[i], light_nodes[i], light_keys);
}

void ct_import_unit_write(ct_import_sources *s, ct_sjson_writer *w) {
    const ct_import_model *const m = s->model;
    unit_writer u = {.s = s, .w = w, .used = {.allocator = s->allocator}};
    u.space = ct_guid_make_named((ct_guid){{0}}, s->id_space);
    u.components = ct_guid_make_named((ct_guid){{0xc0}}, s->id_space);
    u.names = CT_NEW_ARRAY(s->allocator, const char *, m->num_nodes + 1);
    for (uint32_t i = 0; i < m->num_nodes; ++i)
        u.names[i] = unique_name(&u, m->nodes[i].name);
    make_ids(&u);
    ct_sjson_write_key(w, "components");
    ct_sjson_begin_array(w);
    write_components(&u);
    ct_sjson_end_array(w);
}
