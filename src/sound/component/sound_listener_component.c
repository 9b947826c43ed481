#include "sound/component/sound_listener_component.h"

#include "entity/instance_table.h"
#include "foundation/error.h"
#include "foundation/math/math.h"

// What a listener follows.
typedef struct ears {
    ct_entity entity; // {0}: nothing
    uint32_t node;    // of its scene graph
    bool has_jumped;  // since it was last moved
} ears;

struct ct_sound_listener_components {
    ct_instance_table table;
    ct_sound_listener_data *data;
    uint32_t *node; // of the entity's scene graph
    ears ears[CT_SOUND_MAX_LISTENERS];
    uint32_t count; // of listeners
    ct_sound_world *world;
    ct_transform_manager *transforms;
    ct_scene_graph_manager *graphs;
    ct_allocator *allocator;
};

static const ct_soa_array arrays[] = {
    CT_INSTANCE_TABLE_ARRAYS(ct_sound_listener_components, table),
    CT_SOA_ARRAY_ALIGNED(ct_sound_listener_components, data, 64),
    CT_SOA_ARRAY_ALIGNED(ct_sound_listener_components, node, 64),
};

_Static_assert((int)CT_SOUND_LISTENER_MAX_INDEX == (int)CT_SOUND_MAX_LISTENERS,
               "components choose among all listeners");

ct_sound_listener_components *ct_sound_listener_components_create(ct_allocator *a,
                                                                  ct_sound_world *world,
                                                                  ct_transform_manager *transforms,
                                                                  ct_scene_graph_manager *graphs) {
    ct_sound_listener_components *const m = CT_NEW(a, ct_sound_listener_components);
    m->allocator = a;
    m->world = world;
    m->transforms = transforms;
    m->graphs = graphs;
    ct_instance_table_init(&m->table, a, m, arrays, CT_COUNT_OF(arrays), CT_INSTANCE_LOOKUP_HASH);
    return m;
}

void ct_sound_listener_components_destroy(ct_sound_listener_components *m) {
    if (!m)
        return;
    ct_instance_table_free(&m->table);
    ct_free_sized(m->allocator, m, sizeof(*m));
}

// --- Following -----------------------------------------------------------------------------------

void ct_sound_listeners_set_count(ct_sound_listener_components *m, uint32_t count) {
    CT_ASSERT(count <= CT_SOUND_MAX_LISTENERS, "%u listeners", count);
    m->count = count;
    ct_sound_set_listeners(m->world, count);
}

static void use(ct_sound_listener_components *m, uint32_t index) {
    CT_ASSERT(index < CT_SOUND_MAX_LISTENERS, "listener %u", index);
    if (index >= m->count)
        ct_sound_listeners_set_count(m, index + 1);
}

static void move(ct_sound_listener_components *m, uint32_t index) {
    ears *const e = &m->ears[index];
    const ct_mat4 pose = ct_scene_graph_world(m->graphs, e->entity, e->node);
    ct_vec3 position, scale;
    ct_quat rotation;
    ct_mat4_decompose(&pose, &position, &rotation, &scale);
    ct_sound_set_listener(m->world, index, position, rotation, e->has_jumped);
    e->has_jumped = false;
}

void ct_sound_listeners_follow(ct_sound_listener_components *m, uint32_t index, ct_entity e,
                               uint32_t node) {
    use(m, index);
    m->ears[index] = (ears){.entity = e, .node = node, .has_jumped = true};
    move(m, index);
}

void ct_sound_listeners_place(ct_sound_listener_components *m, uint32_t index, ct_vec3 position,
                              ct_quat rotation, bool is_jump) {
    use(m, index);
    const bool followed = m->ears[index].entity.id != 0;
    m->ears[index] = (ears){.entity = {0}};
    ct_sound_set_listener(m->world, index, position, rotation, is_jump || followed);
}

// Whether `e` is `root` or linked below it.
static bool is_below(const ct_transform_manager *m, ct_entity e, ct_entity root) {
    ct_transform t = ct_transform_lookup(m, e);
    while (t.index && ct_transform_entity(m, t).id != root.id)
        t = ct_transform_parent(m, t);
    return t.index != 0;
}

void ct_sound_listeners_jump(ct_sound_listener_components *m, ct_entity e) {
    for (uint32_t i = 0; i < m->count; ++i)
        if (m->ears[i].entity.id && is_below(m->transforms, m->ears[i].entity, e))
            m->ears[i].has_jumped = true;
}

void ct_sound_listeners_update(ct_sound_listener_components *m) {
    for (uint32_t i = 0; i < m->count; ++i)
        if (m->ears[i].entity.id)
            move(m, i);
}

// --- Components ----------------------------------------------------------------------------------

// Lets the component in row `i` listen.
static void listen(ct_sound_listener_components *m, uint32_t i) {
    ct_sound_listeners_follow(m, m->data[i].index - 1, m->table.entity[i], m->node[i]);
}

void ct_sound_listener_component_add(ct_sound_listener_components *m, ct_entity e, uint32_t id,
                                     const ct_sound_listener_data *data) {
    const uint32_t i = ct_instance_table_add(&m->table, e, id);
    m->data[i] = *data;
    m->node[i] = ct_scene_graph_node_of(m->graphs, e, data->node);
    if (data->is_active)
        listen(m, i);
}

// Listeners of entities that die hand over to the newest other component with their index.
static void hand_over(ct_sound_listener_components *m, uint32_t index) {
    m->ears[index] = (ears){.entity = {0}};
    for (uint32_t i = m->table.soa.count; i-- > 1;) {
        if (m->data[i].is_active && m->data[i].index == index + 1) {
            listen(m, i);
            return;
        }
    }
}

static void spawn_components(void *manager, const ct_component_spawn *spawn) {
    ct_sound_listener_components *const m = manager;
    const ct_sound_listener_data *const data = spawn->data;
    const uint32_t count = ct_component_spawn_count(spawn);
    ct_instance_table_reserve(&m->table, count);
    for (uint32_t k = 0; k < count; ++k)
        ct_sound_listener_component_add(m, spawn->owners[k], spawn->ids[k],
                                        &data[ct_component_spawn_data(spawn, k)]);
}

static void entities_destroyed(void *manager, const ct_entity *entities, uint32_t count) {
    ct_sound_listener_components *const m = manager;
    ct_instance_table_erase_entities(&m->table, entities, count);
    for (uint32_t i = 0; i < m->count; ++i) {
        const ct_entity e = m->ears[i].entity;
        for (uint32_t k = 0; k < count && e.id; ++k) {
            if (entities[k].id != e.id)
                continue;
            hand_over(m, i);
            break;
        }
    }
}

static void destroy_manager(void *manager) {
    ct_sound_listener_components_destroy(manager);
}

ct_component_manager ct_sound_listener_component_manager(ct_sound_listener_components *m) {
    return (ct_component_manager){.type_name = "sound_listener",
                                  .schema = &ct_sound_listener_data_schema,
                                  .manager = m,
                                  .instances = &m->table,
                                  .spawn = spawn_components,
                                  .entities_destroyed = entities_destroyed,
                                  .destroy = destroy_manager};
}
