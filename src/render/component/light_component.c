#include "render/component/light_component.h"

#include "entity/instance_table.h"
#include "foundation/error.h"

struct ct_light_manager {
    ct_instance_table table;
    ct_light_data *data;
    ct_render_light_id *light;
    uint32_t *node;      // of the entity's scene graph; 0: the entity
    uint8_t *is_changed; // since its data was last sent
    ct_renderer *renderer;
    ct_render_world_id world;
    ct_transform_manager *transforms;
    ct_transform_reader reader; // of what moved
    ct_scene_graph_manager *graphs;
    ct_allocator *allocator;
};

static const ct_soa_array arrays[] = {
    CT_NUMBERED_INSTANCE_TABLE_ARRAYS(ct_light_manager, table),
    CT_SOA_ARRAY_ALIGNED(ct_light_manager, data, 64),
    CT_SOA_ARRAY_ALIGNED(ct_light_manager, light, 64),
    CT_SOA_ARRAY_ALIGNED(ct_light_manager, node, 64),
    CT_SOA_ARRAY_ALIGNED(ct_light_manager, is_changed, 64),
};

ct_light_manager *ct_light_manager_create(ct_allocator *a, ct_renderer *r, ct_render_world_id world,
                                          ct_transform_manager *transforms,
                                          ct_scene_graph_manager *graphs) {
    ct_light_manager *const m = CT_NEW(a, ct_light_manager);
    m->allocator = a;
    m->renderer = r;
    m->world = world;
    m->transforms = transforms;
    m->reader = ct_transform_add_reader(transforms);
    m->graphs = graphs;
    ct_instance_table_init(&m->table, a, m, arrays, CT_COUNT_OF(arrays), CT_INSTANCE_LOOKUP_HASH);
    return m;
}

void ct_light_manager_destroy(ct_light_manager *m) {
    if (!m)
        return;
    for (uint32_t i = 1; i < m->table.soa.count; ++i)
        ct_render_light_destroy(m->renderer, m->world, m->light[i]);
    ct_instance_table_free(&m->table);
    ct_free_sized(m->allocator, m, sizeof(*m));
}

// Returns the place of `i`, which must be an instance.
static uint32_t checked(const ct_light_manager *m, ct_light_instance i) {
    ct_instance_table_check(&m->table, i.index);
    return i.index;
}

static ct_mat4 pose_of(const ct_light_manager *m, uint32_t i) {
    return ct_scene_graph_world(m->graphs, m->table.entity[i], m->node[i]);
}

ct_light_instance ct_light_create(ct_light_manager *m, ct_entity e, uint32_t id,
                                  const ct_light_data *data) {
    const ct_light_data copy = *data; // it may be that of another instance, which is about to move
    const uint32_t i = ct_instance_table_add(&m->table, e, id);
    m->node[i] = ct_scene_graph_node_of(m->graphs, e, copy.node);
    const ct_mat4 pose = pose_of(m, i);
    m->data[i] = copy;
    m->light[i] = ct_render_light_create(m->renderer, m->world, &copy, &pose);
    return (ct_light_instance){i};
}

ct_light_instance ct_light_first(const ct_light_manager *m, ct_entity e) {
    return (ct_light_instance){ct_instance_table_first(&m->table, e)};
}

ct_light_instance ct_light_next(const ct_light_manager *m, ct_light_instance i) {
    return (ct_light_instance){m->table.next[checked(m, i)]};
}

ct_light_instance ct_light_with_number(const ct_light_manager *m, ct_entity e, uint32_t number,
                                       uint32_t num_bits) {
    return (ct_light_instance){ct_instance_table_with_number(&m->table, e, number, num_bits)};
}

uint32_t ct_light_number(const ct_light_manager *m, ct_light_instance i) {
    return m->table.number[checked(m, i)];
}

uint32_t ct_light_node(const ct_light_manager *m, ct_light_instance i) {
    const uint32_t place = checked(m, i);
    return ct_scene_graph_node_still(m->graphs, m->table.entity[place], m->node[place]);
}

const ct_light_data *ct_light_data_of(const ct_light_manager *m, ct_light_instance i) {
    return &m->data[checked(m, i)];
}

void ct_light_set_data(ct_light_manager *m, ct_light_instance i, const ct_light_data *data) {
    m->data[checked(m, i)] = *data;
    m->is_changed[i.index] = true;
}

uint32_t ct_light_count(const ct_light_manager *m) {
    return ct_instance_table_count(&m->table);
}

static bool has_moved(const ct_light_manager *m, uint32_t i) {
    const ct_entity e = m->table.entity[i];
    const ct_transform t = ct_transform_lookup(m->transforms, e);
    if (t.index && ct_transform_is_changed(m->transforms, m->reader, t))
        return true;
    const ct_scene_graph g = m->node[i] ? ct_scene_graph_lookup(m->graphs, e) : (ct_scene_graph){0};
    return g.index && ct_scene_graph_is_changed(m->graphs, g);
}

// Lights are far fewer than what moves, so they ask, and do not walk the changed list.
void ct_light_send_changes(ct_light_manager *m) {
    for (uint32_t i = 1; i < m->table.soa.count; ++i) {
        if (!m->is_changed[i] && !has_moved(m, i))
            continue;
        const ct_mat4 pose = pose_of(m, i);
        ct_render_light_set(m->renderer, m->world, m->light[i], &m->data[i], &pose);
        m->is_changed[i] = false;
    }
    ct_transform_clear_changed(m->transforms, m->reader);
}

// --- Registry ------------------------------------------------------------------------------------

static void spawn_lights(void *manager, const ct_component_spawn *spawn) {
    ct_light_manager *const m = manager;
    const ct_light_data *const data = spawn->data;
    const uint32_t count = ct_component_spawn_count(spawn);
    ct_instance_table_reserve(&m->table, count);
    for (uint32_t k = 0; k < count; ++k)
        ct_light_create(m, spawn->owners[k], spawn->ids[k],
                        &data[ct_component_spawn_data(spawn, k)]);
}

static void entities_destroyed(void *manager, const ct_entity *entities, uint32_t count) {
    ct_light_manager *const m = manager;
    for (uint32_t k = 0; k < count && ct_light_count(m); ++k) {
        uint32_t i;
        while ((i = ct_instance_table_first(&m->table, entities[k]))) {
            ct_render_light_destroy(m->renderer, m->world, m->light[i]);
            ct_instance_table_erase(&m->table, i);
        }
    }
}

static void destroy_manager(void *manager) {
    ct_light_manager_destroy(manager);
}

ct_component_manager ct_light_component_manager(ct_light_manager *m) {
    return (ct_component_manager){.type_name = "light",
                                  .schema = ct_component_type_named("light")->schema,
                                  .manager = m,
                                  .spawn = spawn_lights,
                                  .entities_destroyed = entities_destroyed,
                                  .destroy = destroy_manager};
}
