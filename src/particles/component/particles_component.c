#include "particles/component/particles_component.h"

#include <string.h>

#include "entity/instance_table.h"
#include "foundation/error.h"
#include "foundation/math/math.h"

typedef struct component_state {
    ct_particles_data data;
    ct_particles_data_variable *variables; // data.num_variables; NULL: none
    ct_particle_effect_id effect;          // that it played last
    uint32_t node;                         // of the entity's scene graph
} component_state;

struct ct_particles_components {
    ct_instance_table table;
    component_state *state;
    ct_particle_system *system;
    ct_particle_world *world;
    ct_particle_links *links;
    ct_scene_graph_manager *graphs;
    ct_allocator *allocator;
};

static const ct_soa_array arrays[] = {
    CT_NUMBERED_INSTANCE_TABLE_ARRAYS(ct_particles_components, table),
    CT_SOA_ARRAY_ALIGNED(ct_particles_components, state, 64),
};

ct_particles_components *ct_particles_components_create(const ct_particles_components_desc *desc) {
    ct_particles_components *const m = CT_NEW(desc->allocator, ct_particles_components);
    m->allocator = desc->allocator;
    m->system = desc->system;
    m->graphs = desc->graphs;
    m->world =
        ct_particle_world_create(&(ct_particle_world_desc){.allocator = desc->allocator,
                                                           .system = desc->system,
                                                           .render_world = desc->render_world,
                                                           .physics = desc->physics});
    m->links = ct_particle_links_create(desc->allocator, desc->system, m->world, desc->transforms,
                                        desc->graphs);
    ct_instance_table_init(&m->table, desc->allocator, m, arrays, CT_COUNT_OF(arrays),
                           CT_INSTANCE_LOOKUP_HASH);
    return m;
}

static void set_variables(ct_particles_components *m, component_state *s,
                          const ct_particles_data_variable *variables, uint32_t count) {
    ct_particles_data_variable *copy = NULL;
    if (count) {
        copy = ct_alloc(m->allocator, sizeof(*copy) * (uint64_t)count);
        memcpy(copy, variables, sizeof(*copy) * (size_t)count);
    }
    ct_free_sized(m->allocator, s->variables, sizeof(*copy) * (uint64_t)s->data.num_variables);
    s->variables = copy;
    s->data.num_variables = count;
}

void ct_particles_components_destroy(ct_particles_components *m) {
    if (!m)
        return;
    for (uint32_t i = 1; i < m->table.soa.count; ++i)
        set_variables(m, &m->state[i], NULL, 0);
    ct_particle_links_destroy(m->links);
    ct_particle_world_destroy(m->world);
    ct_instance_table_free(&m->table);
    ct_free_sized(m->allocator, m, sizeof(*m));
}

ct_particle_world *ct_particles_components_world(const ct_particles_components *m) {
    return m->world;
}

ct_particle_links *ct_particles_components_links(const ct_particles_components *m) {
    return m->links;
}

ct_particle_system *ct_particles_components_system(const ct_particles_components *m) {
    return m->system;
}

// --- Components ----------------------------------------------------------------------------------

// Returns the place of `c`, which must be a component.
static uint32_t checked(const ct_particles_components *m, ct_particles_component c) {
    ct_instance_table_check(&m->table, c.index);
    return c.index;
}

ct_particles_component ct_particles_component_add(ct_particles_components *m, ct_entity e,
                                                  uint32_t id, const ct_particles_data *data) {
    const uint32_t i = ct_instance_table_add(&m->table, e, id);
    component_state *const s = &m->state[i];
    *s = (component_state){.data = *data, .node = ct_scene_graph_node_of(m->graphs, e, data->node)};
    s->data.num_variables = 0;
    set_variables(m, s, ct_particles_data_variables(data), data->num_variables);
    if (data->plays_at_spawn)
        ct_particles_component_play(m, (ct_particles_component){i});
    return (ct_particles_component){i};
}

void ct_particles_component_remove(ct_particles_components *m, ct_particles_component c) {
    component_state *const s = &m->state[checked(m, c)];
    ct_particles_stop_spawning(m->world, s->effect);
    set_variables(m, s, NULL, 0);
    ct_instance_table_end(&m->table, c.index);
}

ct_particles_component ct_particles_component_first(const ct_particles_components *m, ct_entity e) {
    return (ct_particles_component){ct_instance_table_first(&m->table, e)};
}

ct_particles_component ct_particles_component_next(const ct_particles_components *m,
                                                   ct_particles_component c) {
    return (ct_particles_component){m->table.next[checked(m, c)]};
}

ct_particles_component ct_particles_component_with_id(const ct_particles_components *m, ct_entity e,
                                                      uint32_t id) {
    return (ct_particles_component){ct_instance_table_with_id(&m->table, e, id)};
}

ct_particles_component ct_particles_component_with_number(const ct_particles_components *m,
                                                          ct_entity e, uint32_t number,
                                                          uint32_t num_bits) {
    return (ct_particles_component){ct_instance_table_with_number(&m->table, e, number, num_bits)};
}

ct_entity ct_particles_component_entity(const ct_particles_components *m,
                                        ct_particles_component c) {
    return m->table.entity[checked(m, c)];
}

uint32_t ct_particles_component_id(const ct_particles_components *m, ct_particles_component c) {
    return m->table.id[checked(m, c)];
}

uint32_t ct_particles_component_number(const ct_particles_components *m, ct_particles_component c) {
    return m->table.number[checked(m, c)];
}

// --- Settings ------------------------------------------------------------------------------------

const ct_particles_data *ct_particles_component_data(const ct_particles_components *m,
                                                     ct_particles_component c) {
    return &m->state[checked(m, c)].data;
}

static ct_vec3 vec3_of(const float v[3]) {
    return ct_vec3_make(v[0], v[1], v[2]);
}

static ct_particle_link_desc link_of(const ct_particles_components *m, uint32_t i) {
    const component_state *const s = &m->state[i];
    const ct_quat rotation = {
        {s->data.rotation[0], s->data.rotation[1], s->data.rotation[2], s->data.rotation[3]}};
    return (ct_particle_link_desc){
        .entity = m->table.entity[i],
        .node = s->node,
        .pose = ct_mat4_compose(vec3_of(s->data.position), ct_quat_normalize(rotation),
                                ct_vec3_make(1, 1, 1)),
        .orphaned = s->data.orphaned,
    };
}

// Whether two settings have other links.
static bool has_other_link(const ct_particles_data *a, const ct_particles_data *b) {
    return memcmp(a->position, b->position, sizeof(a->position)) != 0 ||
           memcmp(a->rotation, b->rotation, sizeof(a->rotation)) != 0 || a->orphaned != b->orphaned;
}

void ct_particles_component_set_data(ct_particles_components *m, ct_particles_component c,
                                     const ct_particles_data *data) {
    component_state *const s = &m->state[checked(m, c)];
    const ct_particles_data old = s->data;
    s->data = *data;
    s->data.num_variables = old.num_variables;
    s->data.node = old.node;
    const ct_particle_link_desc link = link_of(m, c.index);
    // What scripts did to the effect itself stays.
    if (has_other_link(&s->data, &old) &&
        ct_particle_links_entity(m->links, s->effect).id == link.entity.id)
        ct_particle_links_add(m->links, s->effect, &link);
}

static void give_variable(ct_particles_components *m, const component_state *s, ct_string_id32 name,
                          ct_vec4 value) {
    const ct_string_id64 effect = ct_particles_resource_of(m->world, s->effect);
    const uint32_t index = ct_particle_system_variable(m->system, effect, name);
    if (index != UINT32_MAX)
        ct_particles_set_variable(m->world, s->effect, index, value);
}

bool ct_particles_component_set_variable(ct_particles_components *m, ct_particles_component c,
                                         ct_string_id32 name, ct_vec4 value) {
    component_state *const s = &m->state[checked(m, c)];
    ct_particles_data_variable all[CT_PARTICLES_DATA_MAX_VARIABLES];
    uint32_t count = s->data.num_variables, at = 0;
    if (count)
        memcpy(all, s->variables, sizeof(*all) * count);
    while (at < count && all[at].name.value != name.value)
        ++at;
    if (at == CT_PARTICLES_DATA_MAX_VARIABLES)
        return false;
    all[at].name = name;
    memcpy(all[at].value, value.raw, sizeof(all[at].value));
    if (at == count)
        set_variables(m, s, all, count + 1);
    else
        s->variables[at] = all[at];
    give_variable(m, s, name, value);
    return true;
}

// --- Playing -------------------------------------------------------------------------------------

ct_particle_effect_id ct_particles_component_play(ct_particles_components *m,
                                                  ct_particles_component c) {
    component_state *const s = &m->state[checked(m, c)];
    const ct_particle_link_desc link = link_of(m, c.index);
    const ct_particle_place place = ct_particle_links_place(m->links, &link);
    ct_particles_stop_spawning(m->world, s->effect);
    s->effect = ct_particles_create(m->world, s->data.effect, &place, 0);
    for (uint32_t k = 0; k < s->data.num_variables; ++k) {
        ct_vec4 value;
        memcpy(value.raw, s->variables[k].value, sizeof(value.raw));
        give_variable(m, s, s->variables[k].name, value);
    }
    ct_particle_links_add(m->links, s->effect, &link);
    return s->effect;
}

ct_particle_effect_id ct_particles_component_effect(const ct_particles_components *m,
                                                    ct_particles_component c) {
    return m->state[checked(m, c)].effect;
}

// --- Frames --------------------------------------------------------------------------------------

void ct_particles_components_update(ct_particles_components *m, double dt) {
    ct_particle_links_follow(m->links);
    if (dt <= 0)
        return;
    ct_particles_update(m->world, dt);
    ct_particle_links_collect_ended(m->links);
}

// --- Registry ------------------------------------------------------------------------------------

static void spawn_components(void *manager, const ct_component_spawn *spawn) {
    ct_particles_components *const m = manager;
    const char *const bytes = spawn->data;
    const uint32_t count = ct_component_spawn_count(spawn);
    ct_instance_table_reserve(&m->table, count);
    for (uint32_t k = 0; k < count; ++k) {
        const uint32_t offset = spawn->offsets[ct_component_spawn_data(spawn, k)];
        ct_particles_component_add(m, spawn->owners[k], spawn->ids[k],
                                   (const void *)(bytes + offset));
    }
}

static void entities_destroyed(void *manager, const ct_entity *entities, uint32_t count) {
    ct_particles_components *const m = manager;
    ct_particle_links_entities_destroyed(m->links, entities, count);
    for (uint32_t k = 0; k < count; ++k)
        for (uint32_t i = ct_instance_table_first(&m->table, entities[k]); i; i = m->table.next[i])
            set_variables(m, &m->state[i], NULL, 0);
    ct_instance_table_erase_entities(&m->table, entities, count);
}

static void destroy_manager(void *manager) {
    ct_particles_components_destroy(manager);
}

ct_component_manager ct_particles_component_manager(ct_particles_components *m) {
    return (ct_component_manager){.type_name = "particles",
                                  .manager = m,
                                  .instances = &m->table,
                                  .spawn = spawn_components,
                                  .entities_destroyed = entities_destroyed,
                                  .destroy = destroy_manager};
}
