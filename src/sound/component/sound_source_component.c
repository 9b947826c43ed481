#include "sound/component/sound_source_component.h"

#include <string.h>

#include "entity/instance_table.h"
#include "foundation/error.h"
#include "foundation/math/math.h"
#include "sound/event/sound_curves.h"

typedef struct component_state {
    ct_sound_source_data data;
    ct_sound_source_parameter *parameters; // data.num_parameters; NULL: none
    ct_sound_instance instance;            // that it played last
    uint32_t node;                         // of the entity's scene graph
} component_state;

struct ct_sound_source_components {
    ct_instance_table table;
    component_state *state;
    ct_sound_system *system;
    ct_sound_world *world;
    ct_sound_links *links;
    ct_scene_graph_manager *graphs;
    ct_allocator *allocator;
};

static const ct_soa_array arrays[] = {
    CT_NUMBERED_INSTANCE_TABLE_ARRAYS(ct_sound_source_components, table),
    CT_SOA_ARRAY_ALIGNED(ct_sound_source_components, state, 64),
};

ct_sound_source_components *
ct_sound_source_components_create(const ct_sound_source_components_desc *desc) {
    ct_allocator *const a = desc->allocator;
    ct_sound_source_components *const m = CT_NEW(a, ct_sound_source_components);
    m->allocator = a;
    m->system = desc->system;
    m->graphs = desc->graphs;
    m->world = ct_sound_world_create(&(ct_sound_world_desc){.allocator = a,
                                                            .system = desc->system,
                                                            .occlude = desc->occlude,
                                                            .user = desc->user,
                                                            .seed = desc->seed});
    m->links = ct_sound_links_create(&(ct_sound_links_desc){.allocator = a,
                                                            .system = desc->system,
                                                            .world = m->world,
                                                            .transforms = desc->transforms,
                                                            .graphs = desc->graphs});
    ct_instance_table_init(&m->table, a, m, arrays, CT_COUNT_OF(arrays), CT_INSTANCE_LOOKUP_HASH);
    return m;
}

static void set_parameters(ct_sound_source_components *m, component_state *s,
                           const ct_sound_source_parameter *parameters, uint32_t count) {
    ct_sound_source_parameter *copy = NULL;
    if (count) {
        copy = ct_alloc(m->allocator, sizeof(*copy) * (uint64_t)count);
        memcpy(copy, parameters, sizeof(*copy) * (size_t)count);
    }
    ct_free_sized(m->allocator, s->parameters, sizeof(*copy) * (uint64_t)s->data.num_parameters);
    s->parameters = copy;
    s->data.num_parameters = count;
}

void ct_sound_source_components_destroy(ct_sound_source_components *m) {
    if (!m)
        return;
    for (uint32_t i = 1; i < m->table.soa.count; ++i)
        set_parameters(m, &m->state[i], NULL, 0);
    ct_sound_links_destroy(m->links);
    ct_sound_world_destroy(m->world);
    ct_instance_table_free(&m->table);
    ct_free_sized(m->allocator, m, sizeof(*m));
}

ct_sound_world *ct_sound_source_components_world(const ct_sound_source_components *m) {
    return m->world;
}

ct_sound_links *ct_sound_source_components_links(const ct_sound_source_components *m) {
    return m->links;
}

ct_sound_system *ct_sound_source_components_system(const ct_sound_source_components *m) {
    return m->system;
}

// --- Components ----------------------------------------------------------------------------------

// Returns the place of `c`, which must be a component.
static uint32_t checked(const ct_sound_source_components *m, ct_sound_source_component c) {
    ct_instance_table_check(&m->table, c.index);
    return c.index;
}

ct_sound_source_component ct_sound_source_component_add(ct_sound_source_components *m, ct_entity e,
                                                        uint32_t id,
                                                        const ct_sound_source_data *data) {
    const uint32_t i = ct_instance_table_add(&m->table, e, id);
    component_state *const s = &m->state[i];
    *s = (component_state){.data = *data, .node = ct_scene_graph_node_of(m->graphs, e, data->node)};
    s->data.num_parameters = 0;
    set_parameters(m, s, ct_sound_source_data_parameters(data), data->num_parameters);
    if (data->plays_at_spawn)
        ct_sound_source_component_play(m, (ct_sound_source_component){i});
    return (ct_sound_source_component){i};
}

void ct_sound_source_component_remove(ct_sound_source_components *m, ct_sound_source_component c) {
    component_state *const s = &m->state[checked(m, c)];
    ct_sound_stop(m->system, s->instance, -1);
    set_parameters(m, s, NULL, 0);
    ct_instance_table_end(&m->table, c.index);
}

ct_sound_source_component ct_sound_source_component_first(const ct_sound_source_components *m,
                                                          ct_entity e) {
    return (ct_sound_source_component){ct_instance_table_first(&m->table, e)};
}

ct_sound_source_component ct_sound_source_component_next(const ct_sound_source_components *m,
                                                         ct_sound_source_component c) {
    return (ct_sound_source_component){m->table.next[checked(m, c)]};
}

ct_sound_source_component ct_sound_source_component_with_id(const ct_sound_source_components *m,
                                                            ct_entity e, uint32_t id) {
    return (ct_sound_source_component){ct_instance_table_with_id(&m->table, e, id)};
}

ct_sound_source_component ct_sound_source_component_with_number(const ct_sound_source_components *m,
                                                                ct_entity e, uint32_t number,
                                                                uint32_t num_bits) {
    return (ct_sound_source_component){
        ct_instance_table_with_number(&m->table, e, number, num_bits)};
}

ct_entity ct_sound_source_component_entity(const ct_sound_source_components *m,
                                           ct_sound_source_component c) {
    return m->table.entity[checked(m, c)];
}

uint32_t ct_sound_source_component_id(const ct_sound_source_components *m,
                                      ct_sound_source_component c) {
    return m->table.id[checked(m, c)];
}

uint32_t ct_sound_source_component_number(const ct_sound_source_components *m,
                                          ct_sound_source_component c) {
    return m->table.number[checked(m, c)];
}

// --- Settings ------------------------------------------------------------------------------------

const ct_sound_source_data *ct_sound_source_component_data(const ct_sound_source_components *m,
                                                           ct_sound_source_component c) {
    return &m->state[checked(m, c)].data;
}

static ct_sound_link_desc link_of(const ct_sound_source_components *m, uint32_t i) {
    const component_state *const s = &m->state[i];
    return (ct_sound_link_desc){
        .entity = m->table.entity[i],
        .node = s->node,
        .position = ct_vec3_make(s->data.position[0], s->data.position[1], s->data.position[2]),
        .orphaned = s->data.orphaned,
    };
}

// Whether two settings have other links.
static bool has_other_link(const ct_sound_source_data *a, const ct_sound_source_data *b) {
    return a->position[0] != b->position[0] || a->position[1] != b->position[1] ||
           a->position[2] != b->position[2] || a->orphaned != b->orphaned;
}

void ct_sound_source_component_set_data(ct_sound_source_components *m, ct_sound_source_component c,
                                        const ct_sound_source_data *data) {
    component_state *const s = &m->state[checked(m, c)];
    const ct_sound_source_data old = s->data;
    s->data = *data;
    s->data.num_parameters = old.num_parameters;
    s->data.node = old.node;
    // What scripts did to the sound itself stays.
    if (s->data.volume != old.volume)
        ct_sound_set_volume(m->system, s->instance, ct_sound_gain_of_db(s->data.volume));
    ct_sound_link_desc before, link = link_of(m, c.index);
    if (!has_other_link(&s->data, &old) || !ct_sound_links_find(m->links, s->instance, &before) ||
        before.entity.id != link.entity.id)
        return;
    link.keeps_rotation = before.keeps_rotation;
    ct_sound_links_add(m->links, s->instance, &link);
}

ct_sound_parameter_value
ct_sound_source_parameter_value(const ct_sound_source_parameter *parameter) {
    ct_sound_parameter_value value;
    _Static_assert(sizeof(value) == sizeof(parameter->bits), "a value has 4 bytes");
    memcpy(&value, &parameter->bits, sizeof(value));
    return value;
}

bool ct_sound_source_component_set_parameter(ct_sound_source_components *m,
                                             ct_sound_source_component c,
                                             const ct_sound_source_parameter *parameter) {
    component_state *const s = &m->state[checked(m, c)];
    ct_sound_source_parameter all[CT_SOUND_SOURCE_MAX_PARAMETERS];
    const uint32_t count = s->data.num_parameters;
    uint32_t at = 0;
    if (count)
        memcpy(all, s->parameters, sizeof(*all) * count);
    while (at < count && all[at].name.value != parameter->name.value)
        ++at;
    if (at == CT_SOUND_SOURCE_MAX_PARAMETERS)
        return false;
    all[at] = *parameter;
    if (at == count)
        set_parameters(m, s, all, count + 1);
    else
        s->parameters[at] = *parameter;
    const ct_sound_parameter_value value = ct_sound_source_parameter_value(parameter);
    if (parameter->is_text)
        ct_sound_set_text(m->system, s->instance, parameter->name, value.text);
    else
        ct_sound_set_number(m->system, s->instance, parameter->name, value.number);
    return true;
}

// --- Playing -------------------------------------------------------------------------------------

ct_sound_instance ct_sound_source_component_play(ct_sound_source_components *m,
                                                 ct_sound_source_component c) {
    component_state *const s = &m->state[checked(m, c)];
    const ct_sound_link_desc link = link_of(m, c.index);
    const ct_sound_link_place place = ct_sound_links_place(m->links, &link);
    const ct_sound_start start = {
        .position = place.position, .rotation = place.rotation, .is_placed = true, .fade_in = -1};
    ct_sound_parameter parameters[CT_SOUND_SOURCE_MAX_PARAMETERS];
    for (uint32_t k = 0; k < s->data.num_parameters; ++k)
        parameters[k] =
            (ct_sound_parameter){.key = s->parameters[k].name,
                                 .value = ct_sound_source_parameter_value(&s->parameters[k])};
    ct_sound_stop(m->system, s->instance, -1);
    s->instance =
        ct_sound_play(m->world, s->data.event, &start, parameters, s->data.num_parameters);
    ct_sound_set_volume(m->system, s->instance, ct_sound_gain_of_db(s->data.volume));
    ct_sound_links_add(m->links, s->instance, &link);
    return s->instance;
}

void ct_sound_source_component_stop(ct_sound_source_components *m, ct_sound_source_component c,
                                    float fade) {
    ct_sound_stop(m->system, m->state[checked(m, c)].instance, fade);
}

ct_sound_instance ct_sound_source_component_instance(const ct_sound_source_components *m,
                                                     ct_sound_source_component c) {
    return m->state[checked(m, c)].instance;
}

// --- Frames --------------------------------------------------------------------------------------

void ct_sound_source_components_update(ct_sound_source_components *m, double dt) {
    ct_sound_links_follow(m->links);
    // Also while the world stands still: what plays goes on, and ends.
    ct_sound_world_update(m->world, dt);
    ct_sound_links_collect_events(m->links);
}

// --- Registry ------------------------------------------------------------------------------------

static void spawn_components(void *manager, const ct_component_spawn *spawn) {
    ct_sound_source_components *const m = manager;
    const char *const bytes = spawn->data;
    const uint32_t count = ct_component_spawn_count(spawn);
    ct_instance_table_reserve(&m->table, count);
    for (uint32_t k = 0; k < count; ++k) {
        const uint32_t offset = spawn->offsets[ct_component_spawn_data(spawn, k)];
        ct_sound_source_component_add(m, spawn->owners[k], spawn->ids[k],
                                      (const void *)(bytes + offset));
    }
}

static void entities_destroyed(void *manager, const ct_entity *entities, uint32_t count) {
    ct_sound_source_components *const m = manager;
    ct_sound_links_entities_destroyed(m->links, entities, count);
    for (uint32_t k = 0; k < count; ++k)
        for (uint32_t i = ct_instance_table_first(&m->table, entities[k]); i; i = m->table.next[i])
            set_parameters(m, &m->state[i], NULL, 0);
    ct_instance_table_erase_entities(&m->table, entities, count);
}

static void destroy_manager(void *manager) {
    ct_sound_source_components_destroy(manager);
}

ct_component_manager ct_sound_source_component_manager(ct_sound_source_components *m) {
    return (ct_component_manager){.type_name = "sound_source",
                                  .manager = m,
                                  .instances = &m->table,
                                  .spawn = spawn_components,
                                  .entities_destroyed = entities_destroyed,
                                  .destroy = destroy_manager};
}
