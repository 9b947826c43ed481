// Components that scripts add to entities and remove; those of resources are in flow_world.c.
#include "flow/flow_private.h"

void ct_flow_start_spawned(ct_flow_world *w, ct_entity e) {
    ct_flow_start_of_unit(w, e, CT_ID32("entity_spawned", 0xf46f13ff), NULL, NULL);
    ct_flow_start_of_unit(w, e, CT_ID32("unit_spawned", 0x45959608), NULL, NULL);
}

void ct_flow_end_of_entity(ct_flow_world *w, ct_entity e) {
    for (ct_flow_instance of = ct_flow_of_unit(w, e); of.id; of = ct_flow_of_unit(w, e))
        ct_flow_destroy(w, &of, 1);
}

bool ct_flow_component_add(ct_flow_world *w, ct_entity e, uint32_t id, ct_string_id64 graph,
                           ct_error *error) {
    if (ct_instance_table_first(&w->components, e))
        return ct_error_set(error, "the entity already has a component of the type flow");
    if (!ct_instance_table_has_room(&w->components, 1, "flow", error) ||
        !ct_flow_create(w, graph, &e, (ct_level){0}, 1, NULL, error))
        return false;
    const uint32_t i = ct_instance_table_add_many(&w->components, &e, NULL, 1);
    w->component_graphs[i] = graph;
    w->component_ids[i] = id;
    w->num_parts += !ct_world_has_unit(w->world, e);
    return true;
}

void ct_flow_component_remove(ct_flow_world *w, ct_entity e) {
    ct_flow_end_of_entity(w, e);
    ct_instance_table_erase_entities(&w->components, &e, 1);
}

ct_string_id64 ct_flow_component_graph(const ct_flow_world *w, ct_entity e, uint32_t *id) {
    const uint32_t i = ct_instance_table_first(&w->components, e);
    *id = i ? w->component_ids[i] : 0;
    return i ? w->component_graphs[i] : (ct_string_id64){0};
}

void ct_flow_component_spawned(ct_flow_world *w, const ct_entity *entities, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i)
        ct_flow_start_spawned(w, entities[i]);
}
