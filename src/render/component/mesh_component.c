#include "render/component/mesh_component.h"

#include <string.h>

#include "entity/instance_table.h"
#include "foundation/container/array.h"
#include "foundation/container/hash_map.h"
#include "foundation/error.h"
#include "foundation/math/math.h"

enum { NEAR_MATERIALS = 5, MESHES_AHEAD = 8 };

// As ct_mesh_data, but for the materials of later parts, which few meshes have: a cache line.
typedef struct mesh_state {
    ct_string_id64 mesh;
    ct_string_id64 materials[NEAR_MATERIALS];
    uint32_t more; // position in `more_materials` of those of later parts; 0: there are none
    ct_string_id32 node;
    bool is_visible, casts_shadows;
} mesh_state;

_Static_assert(sizeof(mesh_state) == 64, "a mesh's state is more than a cache line");

typedef struct more_materials {
    // The first one of a free place: the next free; 0: none.
    ct_string_id64 materials[CT_MESH_MAX_MATERIALS - NEAR_MATERIALS];
} more_materials;

struct ct_mesh_manager {
    ct_instance_table table;
    mesh_state *state;
    ct_render_object_id *object;
    uint32_t *node; // of the entity's scene graph; 0: the entity
    ct_renderer *renderer;
    ct_render_world_id world;
    ct_transform_manager *transforms;
    ct_transform_reader reader; // of what moved
    ct_scene_graph_manager *graphs;
    CT_ARRAY(more_materials) more_materials; // the first is none
    uint32_t first_free_more;
    // What is collected for one call to the renderer; kept, so that a frame allocates nothing.
    CT_ARRAY(ct_render_object_id) sent_objects;
    CT_ARRAY(ct_mat4) sent_poses;
    ct_hash_map skeleton_of; // by entity, of those that have one
    ct_allocator *allocator;
};

static const ct_soa_array arrays[] = {
    CT_NUMBERED_INSTANCE_TABLE_ARRAYS(ct_mesh_manager, table),
    CT_SOA_ARRAY_ALIGNED(ct_mesh_manager, state, 64),
    CT_SOA_ARRAY_ALIGNED(ct_mesh_manager, object, 64),
    CT_SOA_ARRAY_ALIGNED(ct_mesh_manager, node, 64),
};

ct_mesh_manager *ct_mesh_manager_create(ct_allocator *a, ct_renderer *r, ct_render_world_id world,
                                        ct_transform_manager *transforms,
                                        ct_scene_graph_manager *graphs) {
    ct_mesh_manager *const m = CT_NEW(a, ct_mesh_manager);
    m->allocator = a;
    m->renderer = r;
    m->world = world;
    m->transforms = transforms;
    m->reader = ct_transform_add_reader(transforms);
    m->graphs = graphs;
    ct_instance_table_init(&m->table, a, m, arrays, CT_COUNT_OF(arrays), CT_INSTANCE_LOOKUP_SPARSE);
    ct_array_init(&m->more_materials, a);
    ct_array_push(&m->more_materials, (more_materials){0});
    ct_array_init(&m->sent_objects, a);
    ct_array_init(&m->sent_poses, a);
    ct_hash_map_init(&m->skeleton_of, a);
    return m;
}

void ct_mesh_manager_destroy(ct_mesh_manager *m) {
    if (!m)
        return;
    if (ct_mesh_count(m))
        ct_render_objects_destroy(m->renderer, m->world, m->object + 1, ct_mesh_count(m));
    ct_array_free(&m->more_materials);
    ct_array_free(&m->sent_poses);
    ct_hash_map_free(&m->skeleton_of);
    ct_array_free(&m->sent_objects);
    ct_instance_table_free(&m->table);
    ct_free_sized(m->allocator, m, sizeof(*m));
}

// Returns the place of `i`, which must be an instance.
static uint32_t checked(const ct_mesh_manager *m, ct_mesh_instance i) {
    ct_instance_table_check(&m->table, i.index);
    return i.index;
}

// --- Materials -----------------------------------------------------------------------------------

// Makes room for the instance's materials beyond the near ones, all none.
static void add_more_materials(ct_mesh_manager *m, uint32_t i) {
    uint32_t at = m->first_free_more;
    if (at) {
        m->first_free_more = (uint32_t)m->more_materials.items[at].materials[0].value;
        m->more_materials.items[at] = (more_materials){0};
    } else {
        at = m->more_materials.count;
        ct_array_push(&m->more_materials, (more_materials){0});
    }
    m->state[i].more = at;
}

static void free_more_materials(ct_mesh_manager *m, uint32_t i) {
    const uint32_t at = m->state[i].more;
    if (!at)
        return;
    m->more_materials.items[at].materials[0].value = m->first_free_more;
    m->first_free_more = at;
    m->state[i].more = 0;
}

static ct_string_id64 material_of(const ct_mesh_manager *m, uint32_t i, uint32_t part) {
    const mesh_state *const state = &m->state[i];
    if (part < NEAR_MATERIALS)
        return state->materials[part];
    return m->more_materials.items[state->more].materials[part - NEAR_MATERIALS]; // 0 holds none
}

static void set_material(ct_mesh_manager *m, uint32_t i, uint32_t part, ct_string_id64 material) {
    mesh_state *const state = &m->state[i];
    if (part < NEAR_MATERIALS) {
        state->materials[part] = material;
        return;
    }
    if (!state->more && material.value)
        add_more_materials(m, i);
    if (state->more)
        m->more_materials.items[state->more].materials[part - NEAR_MATERIALS] = material;
}

// --- Skeletons -----------------------------------------------------------------------------------

static ct_render_skeleton_id skeleton_of(const ct_mesh_manager *m, ct_entity e) {
    if (!m->skeleton_of.count)
        return (ct_render_skeleton_id){0};
    return (ct_render_skeleton_id){(uint32_t)ct_hash_map_get(&m->skeleton_of, e.id, 0)};
}

// The node whose pose instance `i` of an entity has.
static uint32_t posing_node(const ct_mesh_manager *m, ct_entity e, uint32_t i) {
    const bool is_skinned = m->node[i] && skeleton_of(m, e).value &&
                            ct_render_mesh_is_skinned(m->renderer, m->state[i].mesh);
    return is_skinned ? 0 : m->node[i];
}

static void give_skeleton(ct_mesh_manager *m, ct_entity e, uint32_t i) {
    const ct_render_skeleton_id skeleton = skeleton_of(m, e);
    if (skeleton.value)
        ct_render_object_set_skeleton(m->renderer, m->world, m->object[i], skeleton);
}

// --- Instances -----------------------------------------------------------------------------------

// Fills instance `i` and tells the renderer. Of the data's materials the first `num_materials` are
// looked at.
static void fill(ct_mesh_manager *m, uint32_t i, const ct_mesh_data *data, uint32_t num_materials,
                 const ct_mat4 *pose) {
    mesh_state *const state = &m->state[i];
    *state = (mesh_state){.mesh = data->mesh,
                          .node = data->node,
                          .is_visible = data->is_visible != 0,
                          .casts_shadows = data->casts_shadows != 0};
    const uint32_t num_near = num_materials < NEAR_MATERIALS ? num_materials : NEAR_MATERIALS;
    memcpy(state->materials, data->materials, sizeof(*state->materials) * num_near);
    for (uint32_t part = num_near; part < num_materials; ++part)
        set_material(m, i, part, data->materials[part]);
    const ct_render_object_desc desc = {.mesh = data->mesh,
                                        .materials = data->materials,
                                        .num_materials = num_materials,
                                        .is_hidden = !data->is_visible,
                                        .is_shadowless = !data->casts_shadows};
    m->object[i] = ct_render_object_create(m->renderer, m->world, &desc, pose);
}

ct_mesh_instance ct_mesh_create(ct_mesh_manager *m, ct_entity e, uint32_t id,
                                const ct_mesh_data *data) {
    const uint32_t i = ct_instance_table_add(&m->table, e, id);
    m->node[i] = ct_scene_graph_node_of(m->graphs, e, data->node);
    m->state[i].mesh = data->mesh;
    const ct_mat4 pose = ct_scene_graph_world(m->graphs, e, posing_node(m, e, i));
    uint32_t num_materials = CT_MESH_MAX_MATERIALS;
    while (num_materials && !data->materials[num_materials - 1].value)
        --num_materials;
    fill(m, i, data, num_materials, &pose);
    give_skeleton(m, e, i);
    return (ct_mesh_instance){i};
}

void ct_mesh_destroy(ct_mesh_manager *m, ct_mesh_instance i) {
    ct_render_objects_destroy(m->renderer, m->world, &m->object[checked(m, i)], 1);
    free_more_materials(m, i.index);
    ct_instance_table_end(&m->table, i.index);
}

ct_mesh_instance ct_mesh_first(const ct_mesh_manager *m, ct_entity e) {
    return (ct_mesh_instance){ct_instance_table_first(&m->table, e)};
}

ct_mesh_instance ct_mesh_next(const ct_mesh_manager *m, ct_mesh_instance i) {
    return (ct_mesh_instance){m->table.next[checked(m, i)]};
}

ct_mesh_instance ct_mesh_with_id(const ct_mesh_manager *m, ct_entity e, uint32_t id) {
    return (ct_mesh_instance){ct_instance_table_with_id(&m->table, e, id)};
}

ct_mesh_instance ct_mesh_with_number(const ct_mesh_manager *m, ct_entity e, uint32_t number,
                                     uint32_t num_bits) {
    return (ct_mesh_instance){ct_instance_table_with_number(&m->table, e, number, num_bits)};
}

uint32_t ct_mesh_number(const ct_mesh_manager *m, ct_mesh_instance i) {
    return m->table.number[checked(m, i)];
}

uint32_t ct_mesh_id(const ct_mesh_manager *m, ct_mesh_instance i) {
    return m->table.id[checked(m, i)];
}

uint32_t ct_mesh_node(const ct_mesh_manager *m, ct_mesh_instance i) {
    const uint32_t place = checked(m, i);
    return ct_scene_graph_node_still(m->graphs, m->table.entity[place], m->node[place]);
}

ct_mesh_data ct_mesh_data_of(const ct_mesh_manager *m, ct_mesh_instance i) {
    const mesh_state *const state = &m->state[checked(m, i)];
    ct_mesh_data data = {.mesh = state->mesh,
                         .is_visible = state->is_visible,
                         .casts_shadows = state->casts_shadows,
                         .node = state->node};
    for (uint32_t part = 0; part < CT_MESH_MAX_MATERIALS; ++part)
        data.materials[part] = material_of(m, i.index, part);
    return data;
}

uint32_t ct_mesh_read(const ct_mesh_manager *m, ct_mesh_instance i, ct_mesh_data *out) {
    const mesh_state *const state = &m->state[checked(m, i)];
    const uint32_t most = state->more ? CT_MESH_MAX_MATERIALS : NEAR_MATERIALS;
    uint32_t count = 0;
    out->mesh = state->mesh;
    out->is_visible = state->is_visible;
    out->casts_shadows = state->casts_shadows;
    out->node = state->node;
    for (uint32_t part = 0; part < most; ++part) {
        out->materials[part] = material_of(m, i.index, part);
        count = out->materials[part].value ? part + 1 : count;
    }
    return count;
}

ct_string_id64 ct_mesh_name(const ct_mesh_manager *m, ct_mesh_instance i) {
    return m->state[checked(m, i)].mesh;
}

ct_string_id64 ct_mesh_material(const ct_mesh_manager *m, ct_mesh_instance i, uint32_t part) {
    CT_ASSERT(part < CT_MESH_MAX_MATERIALS, "a mesh has no part %u", part);
    return material_of(m, checked(m, i), part);
}

bool ct_mesh_is_visible(const ct_mesh_manager *m, ct_mesh_instance i) {
    return m->state[checked(m, i)].is_visible;
}

void ct_mesh_set_visible(ct_mesh_manager *m, ct_mesh_instance i, bool is_visible) {
    mesh_state *const state = &m->state[checked(m, i)];
    if (state->is_visible == is_visible)
        return;
    state->is_visible = is_visible;
    ct_render_object_set_visible(m->renderer, m->world, m->object[i.index], is_visible);
}

void ct_mesh_jump(ct_mesh_manager *m, ct_entity e) {
    for (uint32_t i = ct_instance_table_first(&m->table, e); i; i = m->table.next[i])
        ct_render_object_jump(m->renderer, m->world, m->object[i]);
}

void ct_mesh_set_casts_shadows(ct_mesh_manager *m, ct_mesh_instance i, bool casts_shadows) {
    mesh_state *const state = &m->state[checked(m, i)];
    if (state->casts_shadows == casts_shadows)
        return;
    state->casts_shadows = casts_shadows;
    ct_render_object_set_casts_shadows(m->renderer, m->world, m->object[i.index], casts_shadows);
}

static ct_render_outline outline_of(const ct_mesh_manager *m, ct_mesh_instance i,
                                    const float *color) {
    ct_render_outline outline = {.id = m->table.entity[checked(m, i)].id};
    if (color)
        memcpy(outline.color, color, sizeof(outline.color));
    return outline;
}

void ct_mesh_set_outline(ct_mesh_manager *m, ct_mesh_instance i, const float *color) {
    const ct_render_outline outline = outline_of(m, i, color);
    ct_render_object_set_outline(m->renderer, m->world, m->object[i.index],
                                 color ? &outline : NULL);
}

void ct_mesh_mark(ct_mesh_manager *m, ct_mesh_instance i, const float *color) {
    const ct_render_outline outline = outline_of(m, i, color);
    ct_render_object_mark(m->renderer, m->world, m->object[i.index], color ? &outline : NULL);
}

void ct_mesh_set_material(ct_mesh_manager *m, ct_mesh_instance i, uint32_t part,
                          ct_string_id64 material) {
    CT_ASSERT(part < CT_MESH_MAX_MATERIALS, "a mesh has no part %u", part);
    set_material(m, checked(m, i), part, material);
    ct_render_object_set_material(m->renderer, m->world, m->object[i.index], part, material);
}

bool ct_mesh_set_value(ct_mesh_manager *m, ct_mesh_instance i, ct_string_id32 name,
                       const float *values, uint32_t num_values) {
    const uint32_t num_parts =
        m->state[checked(m, i)].more ? CT_MESH_MAX_MATERIALS : NEAR_MATERIALS;
    bool is_there = false;
    for (uint32_t part = 0; part < num_parts; ++part) {
        const ct_string_id64 material = material_of(m, i.index, part);
        is_there |= material.value && ct_render_material_is_instanced(m->renderer, material, name);
    }
    if (is_there)
        ct_render_object_set_value(m->renderer, m->world, m->object[i.index], name, values,
                                   num_values);
    return is_there;
}

void ct_mesh_give_value(ct_mesh_manager *m, ct_entity e, ct_string_id32 name, const float *values,
                        uint32_t num_values) {
    for (uint32_t i = ct_instance_table_first(&m->table, e); i; i = m->table.next[i])
        ct_render_object_set_value(m->renderer, m->world, m->object[i], name, values, num_values);
}

void ct_mesh_set_skeleton(ct_mesh_manager *m, ct_entity e, ct_render_skeleton_id skeleton) {
    if (skeleton.value)
        ct_hash_map_set(&m->skeleton_of, e.id, skeleton.value);
    else if (m->skeleton_of.count)
        ct_hash_map_erase(&m->skeleton_of, e.id);
    for (uint32_t i = ct_instance_table_first(&m->table, e); i; i = m->table.next[i]) {
        ct_render_object_set_skeleton(m->renderer, m->world, m->object[i], skeleton);
        if (!m->node[i])
            continue;
        const ct_mat4 pose = ct_scene_graph_world(m->graphs, e, posing_node(m, e, i));
        ct_render_objects_set_poses(m->renderer, m->world, &m->object[i], &pose, 1);
    }
}

uint32_t ct_mesh_count(const ct_mesh_manager *m) {
    return ct_instance_table_count(&m->table);
}

static void add_sent(ct_mesh_manager *m, uint32_t i, const ct_mat4 *pose) {
    ct_array_push(&m->sent_objects, m->object[i]);
    ct_array_push(&m->sent_poses, *pose);
}

// The meshes of entities that moved.
static void add_moved(ct_mesh_manager *m) {
    uint32_t count;
    const uint32_t *const moved = ct_transform_changed(m->transforms, m->reader, &count);
    for (uint32_t k = 0; k < count; ++k) {
        const ct_transform t = {moved[k]};
        if (t.index == 0)
            continue;
        const ct_entity e = ct_transform_entity(m->transforms, t);
        uint32_t i = ct_instance_table_first(&m->table, e);
        const ct_mat4 *const pose = ct_transform_world(m->transforms, t);
        for (; i; i = m->table.next[i]) {
            if (m->node[i] == 0) {
                add_sent(m, i, pose);
                continue;
            }
            const ct_mat4 at_node = ct_scene_graph_world(m->graphs, e, posing_node(m, e, i));
            add_sent(m, i, &at_node);
        }
    }
}

// The meshes on nodes of scene graphs that changed, of entities that did not move.
static void add_changed(ct_mesh_manager *m) {
    uint32_t count;
    const ct_entity *const changed = ct_scene_graph_changed(m->graphs, &count);
    for (uint32_t k = 0; k < count; ++k) {
        const ct_transform t = ct_transform_lookup(m->transforms, changed[k]);
        if (t.index && ct_transform_is_changed(m->transforms, m->reader, t))
            continue;
        for (uint32_t i = ct_instance_table_first(&m->table, changed[k]); i; i = m->table.next[i]) {
            if (m->node[i] == 0)
                continue;
            const ct_mat4 pose =
                ct_scene_graph_world(m->graphs, changed[k], posing_node(m, changed[k], i));
            add_sent(m, i, &pose);
        }
    }
}

void ct_mesh_send_poses(ct_mesh_manager *m) {
    m->sent_objects.count = m->sent_poses.count = 0;
    if (ct_mesh_count(m) > 0) {
        add_moved(m);
        add_changed(m);
    }
    ct_transform_clear_changed(m->transforms, m->reader);
    if (m->sent_objects.count)
        ct_render_objects_set_poses(m->renderer, m->world, m->sent_objects.items,
                                    m->sent_poses.items, m->sent_objects.count);
}

// --- Registry ------------------------------------------------------------------------------------

// The world pose of a mesh on the entity itself or, below, on a node.
static const ct_mat4 *pose_of(const ct_mesh_manager *m, ct_entity e, const ct_mat4 *none) {
    const ct_transform t = ct_transform_lookup(m->transforms, e);
    return t.index ? ct_transform_world(m->transforms, t) : none;
}

// Of the data of a mesh only the beginning is read, so the processor does not see what comes.
static void prefetch(const ct_mesh_data *data, uint32_t num_left) {
    if (num_left <= MESHES_AHEAD)
        return;
    __builtin_prefetch(&data[MESHES_AHEAD]);
    __builtin_prefetch(&data[MESHES_AHEAD].materials[1]);
}

static void spawn_meshes(void *manager, const ct_component_spawn *spawn) {
    ct_mesh_manager *const m = manager;
    const ct_mesh_data *const all = spawn->data;
    const ct_mat4 none = ct_mat4_identity();
    const uint32_t count = ct_component_spawn_count(spawn);
    const uint32_t first = ct_instance_table_add_many(&m->table, spawn->owners, spawn->ids, count);
    for (uint32_t k = 0; k < count; ++k) {
        const uint32_t number = ct_component_spawn_data(spawn, k);
        const ct_mesh_data *const data = &all[number];
        if (!spawn->data_index)
            prefetch(data, spawn->num_instances - number);
        const ct_entity e = spawn->owners[k];
        const uint32_t node =
            data->node.value ? ct_scene_graph_node_of(m->graphs, e, data->node) : 0;
        const uint32_t num_materials = data->num_materials < CT_MESH_MAX_MATERIALS
                                           ? data->num_materials
                                           : CT_MESH_MAX_MATERIALS;
        m->node[first + k] = node;
        m->state[first + k].mesh = data->mesh;
        if (node == 0) {
            fill(m, first + k, data, num_materials, pose_of(m, e, &none));
        } else {
            const ct_mat4 pose = ct_scene_graph_world(m->graphs, e, posing_node(m, e, first + k));
            fill(m, first + k, data, num_materials, &pose);
        }
        give_skeleton(m, e, first + k);
    }
}

// Backwards: what was made together, last, is ended without moving others into the places.
static void entities_destroyed(void *manager, const ct_entity *entities, uint32_t count) {
    ct_mesh_manager *const m = manager;
    const bool has_more =
        m->more_materials.count > 1; // unless there never were any, rows need a look
    m->sent_objects.count = 0;
    for (uint32_t k = count; k-- > 0;) {
        uint32_t i;
        while ((i = ct_instance_table_first(&m->table, entities[k]))) {
            ct_array_push(&m->sent_objects, m->object[i]);
            if (has_more)
                free_more_materials(m, i);
            ct_instance_table_erase(&m->table, i);
        }
    }
    for (uint32_t k = 0; k < count && m->skeleton_of.count; ++k)
        ct_hash_map_erase(&m->skeleton_of, entities[k].id);
    ct_instance_table_forget(&m->table, entities, count);
    if (m->sent_objects.count)
        ct_render_objects_destroy(m->renderer, m->world, m->sent_objects.items,
                                  m->sent_objects.count);
}

static void destroy_manager(void *manager) {
    ct_mesh_manager_destroy(manager);
}

ct_component_manager ct_mesh_component_manager(ct_mesh_manager *m) {
    return (ct_component_manager){.type_name = "mesh",
                                  .schema = ct_component_type_named("mesh")->schema,
                                  .manager = m,
                                  .instances = &m->table,
                                  .spawn = spawn_meshes,
                                  .entities_destroyed = entities_destroyed,
                                  .destroy = destroy_manager};
}
