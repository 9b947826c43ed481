// Saved kinds: transforms, nodes, tags, data, names.
#include <math.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/math/math_bulk.h"
#include "resource/blob/data_buffer.h"
#include "world/save/world_save_private.h"
#include "world/world_node.h"

#define FIELD(type, name, member, kind)                                                            \
    { name, kind, offsetof(type, member), sizeof(((type *)0)->member) }

// --- Transforms ----------------------------------------------------------------------------------

typedef struct transform_row {
    float position[3], rotation[4], scale[3];
    uint32_t parent;
    ct_string_id32 node; // of the parent's scene graph that it is attached to; {0}: none
} transform_row;

static const ct_save_field transform_fields[] = {
    FIELD(transform_row, "position", position, CT_SAVE_KIND_F32),
    FIELD(transform_row, "rotation", rotation, CT_SAVE_KIND_F32),
    FIELD(transform_row, "scale", scale, CT_SAVE_KIND_F32),
    FIELD(transform_row, "parent", parent, CT_SAVE_KIND_ENTITY),
    FIELD(transform_row, "node", node, CT_SAVE_KIND_ID32),
};

// Returns the node of its parent that an entity is attached to; {0}: none.
static ct_string_id32 attached_to(const ct_world *w, ct_entity e, ct_entity parent) {
    const ct_scene_graph_manager *const m = ct_world_scene_graphs(w);
    const uint32_t node = ct_scene_graph_attached_to(m, e);
    return node ? ct_scene_graph_name(m, ct_scene_graph_lookup(m, parent), node)
                : (ct_string_id32){0};
}

static uint32_t transform_count(const ct_world *w, void *user) {
    (void)user;
    return ct_transform_count(ct_world_transforms(w));
}

static uint32_t transform_first(const ct_world *w, void *user, ct_entity e) {
    (void)user;
    return ct_transform_lookup(ct_world_transforms(w), e).index;
}

static void transform_get(ct_world_saving *s, void *user, ct_entity e, uint32_t i, void *row) {
    ct_transform_manager *const m = ct_world_transforms(s->world);
    transform_row *const r = row;
    const ct_transform t = {i}, parent = ct_transform_parent(m, t);
    const ct_vec3 position = ct_transform_local_position(m, t);
    const ct_quat rotation = ct_transform_local_rotation(m, t);
    const ct_vec3 scale = ct_transform_local_scale(m, t);
    (void)user;
    memcpy(r->position, &position, sizeof(r->position));
    memcpy(r->rotation, &rotation, sizeof(r->rotation));
    memcpy(r->scale, &scale, sizeof(r->scale));
    if (!parent.index)
        return;
    r->parent = ct_world_save_entity(s, ct_transform_entity(m, parent));
    if (ct_transform_has_offset(m, t))
        r->node = attached_to(s->world, e, ct_transform_entity(m, parent));
}

static bool has_parent(const ct_world_loading *l, ct_transform t, const transform_row *r) {
    ct_transform_manager *const m = ct_world_transforms(l->world);
    const ct_transform parent = ct_transform_parent(m, t);
    const ct_entity of = parent.index ? ct_transform_entity(m, parent) : (ct_entity){0};
    const uint32_t number = parent.index ? ct_world_save_entity(&l->now, of) : 0;
    const ct_string_id32 node = parent.index && ct_transform_has_offset(m, t)
                                    ? attached_to(l->world, ct_transform_entity(m, t), of)
                                    : (ct_string_id32){0};
    return number == r->parent && node.value == r->node.value;
}

// Unlinks what will have other parents, so that no new parent is below its child for a moment.
static void transform_prepare(ct_world_loading *l, void *user, ct_entity e, uint32_t i,
                              const void *row) {
    (void)user, (void)e;
    if (!has_parent(l, (ct_transform){i}, row))
        ct_transform_unlink(ct_world_transforms(l->world), (ct_transform){i});
}

static bool link_transform(ct_world_loading *l, ct_entity e, const transform_row *r,
                           ct_error *error) {
    ct_transform_manager *const m = ct_world_transforms(l->world);
    ct_scene_graph_manager *const graphs = ct_world_scene_graphs(l->world);
    const ct_entity parent = ct_world_load_entity(l, r->parent);
    const ct_transform p = parent.id ? ct_transform_lookup(m, parent) : (ct_transform){0};
    const bool has_node = r->node.value != 0;
    const uint32_t node = parent.id ? ct_scene_graph_node_of(graphs, parent, r->node) : 0;
    bool is_linked;
    if (!p.index)
        return ct_error_set(error, "what it was linked to is not there");
    if (has_node && !node)
        return ct_error_set(error, "the node that it was linked to is not there");
    if (has_node)
        is_linked = ct_scene_graph_attach(graphs, e, ct_scene_graph_lookup(graphs, parent), node);
    else
        is_linked = ct_transform_link(m, ct_transform_lookup(m, e), p);
    return is_linked || ct_error_set(error, "it would be linked to what is below it");
}

static bool transform_set(ct_world_loading *l, void *user, ct_entity e, uint32_t i, const void *row,
                          ct_error *error) {
    ct_transform_manager *const m = ct_world_transforms(l->world);
    const transform_row *const r = row;
    const ct_transform t = {i};
    ct_quat rotation;
    (void)user;
    memcpy(&rotation, r->rotation, sizeof(rotation));
    if (!ct_quat_is_rotation(rotation))
        return ct_error_set(error, "its rotation is not of length 1");
    if (!has_parent(l, t, r) && r->parent && !link_transform(l, e, r, error))
        return false;
    ct_transform_set_local_pose(m, t, ct_vec3_make(r->position[0], r->position[1], r->position[2]),
                                rotation, ct_vec3_make(r->scale[0], r->scale[1], r->scale[2]));
    ct_world_jump(l->world, e);
    return true;
}

static bool transform_set_many(ct_world_loading *l, void *user, const ct_entity *entities,
                               const uint32_t *instances, const void *const *rows, uint32_t count) {
    ct_transform transforms[CT_SAVE_MANY];
    ct_vec3 positions[CT_SAVE_MANY], scales[CT_SAVE_MANY];
    ct_quat rotations[CT_SAVE_MANY];
    (void)user;
    for (uint32_t k = 0; k < count; ++k) {
        const transform_row *const r = rows[k];
        transforms[k].index = instances[k];
        memcpy(&positions[k], r->position, sizeof(r->position));
        memcpy(&rotations[k], r->rotation, sizeof(r->rotation));
        memcpy(&scales[k], r->scale, sizeof(r->scale));
        if (!ct_quat_is_rotation(rotations[k]))
            return false;
    }
    if (!ct_floats_are_finite(&positions->x, 3 * count) ||
        !ct_floats_are_finite(&scales->x, 3 * count))
        return false;
    ct_transform_set_local_poses(ct_world_transforms(l->world), transforms, positions, rotations,
                                 scales, count);
    for (uint32_t k = 0; k < count; ++k)
        ct_world_jump(l->world, entities[k]);
    return true;
}

// --- Scene graphs --------------------------------------------------------------------------------

typedef struct node_state {
    uint32_t name;
    uint32_t parent, parent_name; // from 1, 0: none; its name, when the unit has other nodes by now
    float position[3], rotation[4], scale[3];
} node_state;

typedef struct bytes_row {
    ct_saved_bytes state;
} bytes_row;

static const ct_save_field node_fields[] = {
    FIELD(bytes_row, "nodes", state, CT_SAVE_KIND_BYTES),
};

static uint32_t graph_count(const ct_world *w, void *user) {
    (void)user;
    return ct_scene_graph_count(ct_world_scene_graphs(w));
}

static uint32_t graph_first(const ct_world *w, void *user, ct_entity e) {
    (void)user;
    return ct_scene_graph_lookup(ct_world_scene_graphs(w), e).index;
}

static void graph_get(ct_world_saving *s, void *user, ct_entity e, uint32_t i, void *row) {
    const ct_scene_graph_manager *const m = ct_world_scene_graphs(s->world);
    const ct_scene_graph g = {i};
    ct_byte_array *const bytes = ct_world_saving_scratch(s);
    const uint32_t count = ct_scene_graph_num_nodes(m, g);
    (void)user, (void)e;
    ct_array_resize(bytes, (uint32_t)sizeof(node_state) * count);
    for (uint32_t n = 1; n <= count; ++n) {
        const uint32_t parent = ct_scene_graph_parent(m, g, n);
        node_state state = {.name = ct_scene_graph_name(m, g, n).value, .parent = parent};
        state.parent_name = parent ? ct_scene_graph_name(m, g, parent).value : 0;
        const ct_vec3 position = ct_scene_graph_local_position(m, g, n);
        const ct_quat rotation = ct_scene_graph_local_rotation(m, g, n);
        const ct_vec3 scale = ct_scene_graph_local_scale(m, g, n);
        memcpy(state.position, &position, sizeof(state.position));
        memcpy(state.rotation, &rotation, sizeof(state.rotation));
        memcpy(state.scale, &scale, sizeof(state.scale));
        memcpy(bytes->items + sizeof(state) * (n - 1), &state, sizeof(state));
    }
    ((bytes_row *)row)->state = ct_world_save_bytes(s, bytes->items, bytes->count);
}

static bool are_finite(const float *numbers, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        if (!isfinite(numbers[i]))
            return false;
    }
    return true;
}

// The saved nodes of a graph, and what they are now.
typedef struct node_load {
    ct_scene_graph_manager *graphs;
    ct_scene_graph graph;
    const uint8_t *bytes;
    uint32_t count;
    bool is_same; // the graph has these nodes, in this order
} node_load;

static node_state node_at(const node_load *x, uint32_t i) {
    node_state s;
    memcpy(&s, x->bytes + sizeof(s) * i, sizeof(s));
    return s;
}

static bool has_same_nodes(const node_load *x) {
    bool is_same = x->count == ct_scene_graph_num_nodes(x->graphs, x->graph);
    for (uint32_t i = 0; is_same && i < x->count; ++i)
        is_same = node_at(x, i).name == ct_scene_graph_name(x->graphs, x->graph, i + 1).value;
    return is_same;
}

// Returns what a saved node is now; 0: it is not there, or its pose cannot be.
static uint32_t find_node(const node_load *x, uint32_t i, const node_state *s) {
    ct_quat rotation;
    memcpy(&rotation, s->rotation, sizeof(rotation));
    if (!are_finite(s->position, 3) || !are_finite(s->scale, 3) || !ct_quat_is_rotation(rotation))
        return 0;
    return x->is_same ? i + 1 : ct_scene_graph_find(x->graphs, x->graph, (ct_string_id32){s->name});
}

// Gives the parent of a saved node, 0: none. Returns false when it is not there.
static bool find_parent(const node_load *x, const node_state *s, uint32_t *parent) {
    const bool by_number = x->is_same && s->parent <= x->count;
    *parent = by_number || s->parent == 0
                  ? s->parent
                  : ct_scene_graph_find(x->graphs, x->graph, (ct_string_id32){s->parent_name});
    return *parent || s->parent == 0;
}

// Unlinks the nodes that will have other parents, so that no new parent is below its child for a moment.
static void unlink_nodes(const node_load *x) {
    for (uint32_t i = 0; i < x->count; ++i) {
        const node_state s = node_at(x, i);
        const uint32_t n = find_node(x, i, &s);
        uint32_t parent;
        if (n && find_parent(x, &s, &parent) &&
            ct_scene_graph_parent(x->graphs, x->graph, n) != parent)
            ct_scene_graph_link(x->graphs, x->graph, n, 0);
    }
}

static bool set_node(const node_load *x, uint32_t i) {
    const node_state s = node_at(x, i);
    const uint32_t n = find_node(x, i, &s);
    uint32_t parent;
    ct_quat rotation;
    if (!n)
        return false;
    bool is_linked = find_parent(x, &s, &parent);
    if (is_linked && ct_scene_graph_parent(x->graphs, x->graph, n) != parent)
        is_linked = ct_scene_graph_link(x->graphs, x->graph, n, parent);
    memcpy(&rotation, s.rotation, sizeof(rotation));
    ct_scene_graph_set_local_pose(x->graphs, x->graph, n,
                                  ct_vec3_make(s.position[0], s.position[1], s.position[2]),
                                  rotation, ct_vec3_make(s.scale[0], s.scale[1], s.scale[2]));
    return is_linked;
}

static bool graph_set(ct_world_loading *l, void *user, ct_entity e, uint32_t i, const void *row,
                      ct_error *error) {
    const bytes_row *const r = row;
    uint32_t num_missing = 0;
    (void)user, (void)e;
    if (r->state.size_bytes == UINT32_MAX)
        return true;
    node_load x = {.graphs = ct_world_scene_graphs(l->world),
                   .graph = {i},
                   .bytes = ct_world_load_bytes(l, r->state),
                   .count = r->state.size_bytes / (uint32_t)sizeof(node_state)};
    x.is_same = has_same_nodes(&x);
    unlink_nodes(&x);
    for (uint32_t k = 0; k < x.count; ++k)
        num_missing += !set_node(&x, k);
    return num_missing == 0 ||
           ct_error_set(error, "%u of its saved nodes, or their parents, are not there",
                        num_missing);
}

// --- Data ----------------------------------------------------------------------------------------

static const ct_save_field data_fields[] = {
    FIELD(bytes_row, "values", state, CT_SAVE_KIND_BYTES),
};

static uint32_t data_count(const ct_world *w, void *user) {
    (void)user;
    return ct_data_count(w->system->data);
}

// The live instance in a slot.
static ct_data_instance data_at(const ct_world *w, uint32_t slot) {
    const ct_data_slots *const s = (const ct_data_slots *)(const void *)w->system->data;
    return (ct_data_instance){slot, s->heads[slot] >> CT_DATA_GENERATION_BITS};
}

static uint32_t data_first(const ct_world *w, void *user, ct_entity e) {
    (void)user;
    return ct_data_first(w->system->data, e).slot;
}

static uint32_t data_next(const ct_world *w, void *user, ct_entity e, uint32_t i) {
    (void)user, (void)e;
    return ct_data_next(w->system->data, data_at(w, i)).slot;
}

static uint32_t data_id(const ct_world *w, void *user, uint32_t i) {
    (void)user;
    return ct_data_id(w->system->data, data_at(w, i));
}

static void data_get(ct_world_saving *s, void *user, ct_entity e, uint32_t i, void *row) {
    ct_byte_array *const bytes = ct_world_saving_scratch(s);
    (void)user, (void)e;
    ct_data_copy_values(s->world->system->data, data_at(s->world, i), bytes);
    ((bytes_row *)row)->state = ct_world_save_bytes(s, bytes->items, bytes->count);
}

// Sets all values of a buffer, and removes all other keys.
static bool replace_values(ct_world_loading *l, ct_data_instance i, const ct_data_buffer *buffer,
                           ct_error *error) {
    ct_data_manager *const m = l->world->system->data;
    ct_byte_array *const old = ct_world_saving_scratch(&l->now);
    ct_data_copy_values(m, i, old);
    const ct_data_buffer *const before = (const ct_data_buffer *)(const void *)old->items;
    for (uint32_t k = 0; k < before->num_keys; ++k) {
        const ct_data_key key = {before->words[k]};
        if (ct_data_buffer_get(buffer, key).type == CT_DATA_TYPE_NONE)
            ct_data_set(m, i, key, (ct_data_value){0}, NULL);
    }
    for (uint32_t k = 0; k < buffer->num_keys; ++k) {
        if (!ct_data_set(m, i, (ct_data_key){buffer->words[k]}, ct_data_buffer_value(buffer, k),
                         error))
            return false;
    }
    return true;
}

static bool data_set(ct_world_loading *l, void *user, ct_entity e, uint32_t i, const void *row,
                     ct_error *error) {
    const bytes_row *const r = row;
    (void)user, (void)e;
    if (r->state.size_bytes == UINT32_MAX)
        return true;
    const void *const buffer = ct_world_load_bytes(l, r->state);
    if (!ct_data_buffer_check(buffer, r->state.size_bytes, error))
        return false;
    return replace_values(l, data_at(l->world, i), buffer, error);
}

static uint32_t data_add(ct_world_loading *l, void *user, ct_entity e, uint32_t id, const void *row,
                         ct_error *error) {
    ct_data_manager *const m = l->world->system->data;
    const ct_component_manager *const manager =
        ct_component_registry_find(&l->world->system->shared, ct_string_id32_of("data"));
    (void)user, (void)row;
    if (manager && !ct_component_manager_has_room(manager, 1, error))
        return 0;
    return ct_data_create(m, e, id).slot;
}

static void data_remove(const ct_world *w, void *user, ct_entity e, uint32_t i) {
    (void)user, (void)e;
    ct_data_destroy(w->system->data, data_at(w, i));
}

// --- Tags ----------------------------------------------------------------------------------------

static const ct_save_field tag_fields[] = {
    FIELD(bytes_row, "tags", state, CT_SAVE_KIND_BYTES),
};

static uint32_t tag_count(const ct_world *w, void *user) {
    (void)user;
    return ct_instance_table_count(ct_tag_instances(w->system->tags));
}

static uint32_t tag_first(const ct_world *w, void *user, ct_entity e) {
    (void)user;
    return ct_instance_table_first(ct_tag_instances(w->system->tags), e);
}

// By insertion: entities have few tags.
static void sort_tags(ct_string_id32 *tags, uint32_t count) {
    for (uint32_t k = 1; k < count; ++k) {
        const ct_string_id32 tag = tags[k];
        uint32_t at = k;
        for (; at > 0 && tags[at - 1].value > tag.value; --at)
            tags[at] = tags[at - 1];
        tags[at] = tag;
    }
}

static void tag_get(ct_world_saving *s, void *user, ct_entity e, uint32_t i, void *row) {
    const ct_tag_manager *const m = s->world->system->tags;
    ct_byte_array *const bytes = ct_world_saving_scratch(s);
    const uint32_t count = ct_tag_count(m, e);
    (void)user, (void)i;
    ct_array_reserve(bytes, sizeof(ct_string_id32) * count);
    ct_string_id32 *const tags = (ct_string_id32 *)(void *)bytes->items;
    ct_tag_copy(m, e, tags);
    sort_tags(tags, count);
    ((bytes_row *)row)->state =
        ct_world_save_bytes(s, tags, (uint32_t)sizeof(ct_string_id32) * count);
}

static bool tag_set(ct_world_loading *l, void *user, ct_entity e, uint32_t i, const void *row,
                    ct_error *error) {
    ct_tag_manager *const m = l->world->system->tags;
    const bytes_row *const r = row;
    (void)user, (void)i, (void)error;
    if (r->state.size_bytes == UINT32_MAX)
        return true;
    const uint8_t *const bytes = ct_world_load_bytes(l, r->state);
    ct_tag_remove_all(m, &e, 1);
    for (uint32_t at = 0; at + sizeof(uint32_t) <= r->state.size_bytes; at += sizeof(uint32_t)) {
        ct_string_id32 tag;
        memcpy(&tag, bytes + at, sizeof(tag));
        if (tag.value)
            ct_tag_add(m, &e, 1, tag);
    }
    return true;
}

static uint32_t tag_add(ct_world_loading *l, void *user, ct_entity e, uint32_t id, const void *row,
                        ct_error *error) {
    (void)user, (void)id, (void)row, (void)error;
    return ct_tag_create(l->world->system->tags, e);
}

static void tag_remove(const ct_world *w, void *user, ct_entity e, uint32_t i) {
    (void)user, (void)i;
    ct_tag_destroy(w->system->tags, &e, 1);
}

// --- Names ---------------------------------------------------------------------------------------

static const ct_save_field name_fields[] = {
    FIELD(ct_debug_name_data, "name", name, CT_SAVE_KIND_TEXT),
};

static uint32_t name_count(const ct_world *w, void *user) {
    (void)user;
    return ct_debug_name_count(w->system->debug_names);
}

static uint32_t name_first(const ct_world *w, void *user, ct_entity e) {
    (void)user;
    return ct_debug_name(w->system->debug_names, e) != NULL;
}

static void name_get(ct_world_saving *s, void *user, ct_entity e, uint32_t i, void *row) {
    ct_debug_name_data *const r = row;
    const char *const name = ct_debug_name(s->world->system->debug_names, e);
    (void)user, (void)i;
    memcpy(r->name, name, strnlen(name, sizeof(r->name) - 1));
}

static bool name_set(ct_world_loading *l, void *user, ct_entity e, uint32_t i, const void *row,
                     ct_error *error) {
    (void)user, (void)i, (void)error;
    ct_debug_name_set(l->world->system->debug_names, e, ((const ct_debug_name_data *)row)->name);
    return true;
}

static uint32_t name_add(ct_world_loading *l, void *user, ct_entity e, uint32_t id, const void *row,
                         ct_error *error) {
    (void)id;
    return name_set(l, user, e, 1, row, error);
}

static void name_remove(const ct_world *w, void *user, ct_entity e, uint32_t i) {
    (void)user, (void)i;
    ct_debug_name_remove(w->system->debug_names, e);
}

// --- The table -----------------------------------------------------------------------------------

const ct_save_component ct_save_entity_kinds[] = {
    {.name = "scene_graph",
     .fields = node_fields,
     .num_fields = CT_COUNT_OF(node_fields),
     .row_bytes = sizeof(bytes_row),
     .count = graph_count,
     .first = graph_first,
     .get = graph_get,
     .set = graph_set},
    {.name = "transform",
     .fields = transform_fields,
     .num_fields = CT_COUNT_OF(transform_fields),
     .row_bytes = sizeof(transform_row),
     .count = transform_count,
     .first = transform_first,
     .get = transform_get,
     .set = transform_set,
     .set_many = transform_set_many,
     .many_bytes = offsetof(transform_row, parent),
     .prepare = transform_prepare},
    {.name = "data",
     .fields = data_fields,
     .num_fields = CT_COUNT_OF(data_fields),
     .row_bytes = sizeof(bytes_row),
     .count = data_count,
     .first = data_first,
     .next = data_next,
     .id = data_id,
     .get = data_get,
     .set = data_set,
     .add = data_add,
     .remove = data_remove},
    {.name = "tag",
     .fields = tag_fields,
     .num_fields = CT_COUNT_OF(tag_fields),
     .row_bytes = sizeof(bytes_row),
     .count = tag_count,
     .first = tag_first,
     .get = tag_get,
     .set = tag_set,
     .add = tag_add,
     .remove = tag_remove},
    {.name = "debug_name",
     .fields = name_fields,
     .num_fields = CT_COUNT_OF(name_fields),
     .row_bytes = sizeof(ct_debug_name_data),
     .count = name_count,
     .first = name_first,
     .get = name_get,
     .set = name_set,
     .add = name_add,
     .remove = name_remove},
};
const uint32_t ct_save_num_entity_kinds = CT_COUNT_OF(ct_save_entity_kinds);
