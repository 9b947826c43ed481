// Nodes of Unit: links, meshes and events.
#include <math.h>

#include "flow/flow_private.h"
#include "flow/nodes/flow_functions.h"
#include "flow/nodes/flow_meshes.h"
#include "foundation/math/math.h"
#include "render/component/mesh_raycast.h"
#include "resource/load/resource_manager.h"

static uint32_t get_resource(ct_flow_call *c, uint32_t event) {
    (void)event;
    ct_world *w;
    ct_entity unit;
    if (ct_flow_unit_of(c, 0, &w, &unit))
        ct_flow_set_id(c, 0, ct_world_unit_resource(w, unit).value);
    return CT_FLOW_STOP;
}

static uint32_t relay(ct_flow_call *c, uint32_t event) {
    (void)event;
    ct_flow_set_object(c, 0, ct_flow_object_at(c, 0));
    return CT_FLOW_STOP;
}

static uint32_t start_event(ct_flow_call *c, uint32_t event) {
    (void)event;
    ct_world *w;
    ct_entity unit;
    const char *const name = ct_flow_text(c, 1);
    if (!ct_flow_unit_of(c, 0, &w, &unit))
        return CT_FLOW_STOP;
    const ct_flow_instance i = ct_flow_of_unit(c->world, unit);
    if (!i.id)
        ct_flow_error(c, "the unit has no graph");
    else if (!ct_flow_start(c->world, i, ct_string_id32_of("external_in_event"),
                            ct_string_id32_of(name), NULL, NULL))
        ct_flow_error(c, "the unit's graph has no external in event \"%.64s\"", name);
    return CT_FLOW_STOP;
}

// --- Links ---------------------------------------------------------------------------------------

enum { CHILD, PARENT, PARENT_NODE }; // inputs
enum { LINK, UNLINK };               // events in and out

static bool attach(const ct_world *w, ct_entity child, ct_entity parent, uint32_t node) {
    ct_transform_manager *const m = ct_world_transforms(w);
    ct_scene_graph_manager *const graphs = ct_world_scene_graphs(w);
    if (node)
        return ct_scene_graph_attach(graphs, child, ct_scene_graph_lookup(graphs, parent), node);
    return ct_transform_link(m, ct_transform_lookup(m, child), ct_transform_lookup(m, parent));
}

static uint32_t link_unit(ct_flow_call *c, uint32_t event) {
    ct_world *w;
    ct_entity child;
    ct_world_node node;
    if (!ct_flow_unit_of(c, CHILD, &w, &child))
        return CT_FLOW_STOP;
    ct_transform_manager *const m = ct_world_transforms(w);
    if (event == UNLINK) {
        ct_transform_unlink(m, ct_transform_lookup(m, child));
        return UNLINK;
    }
    if (!ct_flow_unit_node(c, PARENT, PARENT_NODE, &node))
        return CT_FLOW_STOP;
    const ct_entity parent = {(uint32_t)ct_flow_object_at(c, PARENT).entity};
    if (attach(w, child, parent, node.node))
        return LINK;
    ct_flow_error(c, "the parent is the child, or follows it");
    return CT_FLOW_STOP;
}

// --- Meshes --------------------------------------------------------------------------------------

static uint32_t get_mesh(ct_flow_call *c, uint32_t event) {
    (void)event;
    ct_world *w;
    ct_entity unit;
    if (!ct_flow_unit_of(c, 0, &w, &unit))
        return CT_FLOW_STOP;
    const ct_mesh_manager *const m = ct_world_meshes(w);
    const char *const name = ct_flow_text(c, 1);
    const ct_mesh_instance i =
        name[0] ? ct_mesh_with_id(m, unit, ct_string_id32_of(name).value) : ct_mesh_first(m, unit);
    if (i.index)
        ct_flow_set_object(c, 0, ct_flow_object_of(unit, ct_mesh_number(m, i)));
    else
        ct_flow_error(c, "the unit has no mesh \"%.64s\"", name);
    return CT_FLOW_STOP;
}

// Finds the first hit of a unit's meshes, and its mesh; {0} when nothing is hit.
static ct_mesh_instance first_hit(const ct_world *w, ct_entity unit, ct_ray ray, bool with_hidden,
                                  ct_mesh_hit *hit) {
    const ct_mesh_manager *const m = ct_world_meshes(w);
    ct_mesh_instance found = {0};
    for (ct_mesh_instance i = ct_mesh_first(m, unit); i.index; i = ct_mesh_next(m, i)) {
        const ct_mesh_resource *const r = ct_flow_mesh_resource(w, i);
        if (!r || (!with_hidden && !ct_mesh_is_visible(m, i)))
            continue;
        const ct_mat4 pose =
            ct_scene_graph_world(ct_world_scene_graphs(w), unit, ct_mesh_node(m, i));
        ct_mesh_hit own;
        if (!ct_mesh_raycast(r, &pose, ray, hit->distance, &own) ||
            (found.index && own.distance == hit->distance))
            continue;
        *hit = own;
        found = i;
    }
    return found;
}

// Returns the material slot of a triangle.
static uint32_t slot_of(const ct_mesh_resource *r, uint32_t triangle) {
    const ct_mesh_part *const parts = ct_blob_at(r, r->parts.offset);
    for (uint32_t i = 0; i < r->parts.count; ++i)
        if (3 * triangle >= parts[i].first_index &&
            3 * triangle - parts[i].first_index < parts[i].num_indices)
            return i;
    return 0;
}

static uint32_t pick(ct_flow_call *c, uint32_t event) {
    ct_world *w;
    ct_entity unit;
    ct_vec3 from, direction;
    double longest;
    if (!ct_flow_unit_of(c, 0, &w, &unit) || !ct_flow_finite_vector3(c, 1, &from) ||
        !ct_flow_finite_vector3(c, 2, &direction) || !ct_flow_number_in(c, 3, 0, 1e7, &longest))
        return event;
    const float length = ct_vec3_length(direction);
    if (!(length > 0 && isfinite(length))) {
        ct_flow_error(c, "expected a direction, found a vector of length %g", (double)length);
        return event;
    }
    ct_mesh_hit hit = {.distance = (float)longest};
    const ct_ray ray = {from, ct_vec3_scale(direction, 1 / length)};
    const ct_mesh_instance i = first_hit(w, unit, ray, ct_flow_bool(c, 4), &hit);
    ct_flow_set_bool(c, 0, i.index != 0);
    if (!i.index)
        return event;
    ct_flow_object object = ct_flow_object_of(unit, ct_mesh_number(ct_world_meshes(w), i));
    ct_flow_set_number(c, 1, (double)hit.distance);
    ct_flow_set_vector3(c, 2, hit.normal);
    ct_flow_set_object(c, 3, object);
    object.extra = slot_of(ct_flow_mesh_resource(w, i), hit.triangle);
    ct_flow_set_object(c, 4, object);
    return event;
}

static const ct_flow_function_row rows[] = {
    {"get_unit_mesh", get_mesh}, {"get_unit_resource_type", get_resource},
    {"link_unit", link_unit},    {"mesh_pick_raycast", pick},
    {"relay_unit", relay},       {"unit_flow_event", start_event},
};

const ct_flow_functions ct_flow_run_unit_parts = {rows, CT_COUNT_OF(rows)};
