// Nodes of Effects: particle effects. What a node has made is its output.
#include <math.h>

#include "flow/nodes/flow_functions.h"
#include "flow/nodes/flow_parts.h"
#include "foundation/error.h"
#include "foundation/math/math.h"
#include "particles/component/particles_component.h"
#include "world/world_level_members.h"

#define REACH 1e7 // the farthest that effects play, in metres

enum { CREATE, STOP, DESTROY }; // events in and out

// Returns the components of the world's particles; NULL, with an error, when the world has no such components.
static ct_particles_components *components_of(ct_flow_call *c) {
    ct_particles_components *const m = ct_world_particles_components(ct_flow_call_world(c));
    if (!m)
        ct_flow_error(c, "worlds have no particles here");
    return m;
}

static ct_particle_effect_id effect_of(double number) {
    const bool is_id = number > 0 && number <= UINT32_MAX;
    return (ct_particle_effect_id){is_id ? (uint32_t)number : 0};
}

// Starts an effect, and gives its number to output 0.
static ct_particle_effect_id create(ct_flow_call *c, const ct_particles_components *m,
                                    ct_string_id64 name, const ct_particle_place *place) {
    if (!ct_particle_system_effect(ct_particles_components_system(m), name)) {
        ct_flow_error(c, "the particle effect \"%s\" is not loaded", ct_string_id64_name(name));
        return (ct_particle_effect_id){0};
    }
    const float *const p = place->position.raw;
    for (uint32_t i = 0; i < 3; ++i) {
        if (fabs((double)p[i]) <= REACH)
            continue;
        ct_flow_error(c, "found the position (%g, %g, %g); expected numbers from -%g to %g",
                      (double)p[0], (double)p[1], (double)p[2], REACH, REACH);
        return (ct_particle_effect_id){0};
    }
    const ct_particle_effect_id effect =
        ct_particles_create(ct_particles_components_world(m), name, place, 0);
    ct_flow_set_number(c, 0, effect.value);
    return effect;
}

// Ends what was started last, or lets it end.
static uint32_t end(ct_flow_call *c, const ct_particles_components *m, uint32_t event) {
    const ct_particle_effect_id effect = effect_of(ct_flow_output(c, 0)->number);
    ct_particle_world *const w = ct_particles_components_world(m);
    if (event == STOP) {
        ct_particles_stop_spawning(w, effect);
    } else {
        ct_particles_destroy(w, effect);
        ct_flow_set_number(c, 0, 0);
    }
    return event;
}

// --- At a unit, or somewhere ---------------------------------------------------------------------

enum { EFFECT, OBJECT, LINKED, OFFSET, TURN, UNIT, POLICY }; // inputs of particle_effect

static uint32_t create_at_unit(ct_flow_call *c, const ct_particles_components *m, ct_vec3 offset,
                               ct_quat turn) {
    ct_world_node node;
    ct_particle_link_desc link = {.pose = ct_mat4_compose(offset, turn, ct_vec3_make(1, 1, 1))};
    if (!ct_flow_unit_node(c, UNIT, OBJECT, &node) ||
        !ct_flow_name_of(c, POLICY, ct_particles_orphaned_names, &link.orphaned))
        return CT_FLOW_STOP;
    link.entity = (ct_entity){(uint32_t)ct_flow_object_at(c, UNIT).entity};
    link.node = node.node;
    ct_particle_links *const links = ct_particles_components_links(m);
    const ct_particle_place place = ct_particle_links_place(links, &link);
    const ct_string_id64 name = {ct_flow_id(c, EFFECT)};
    const ct_particle_effect_id effect = create(c, m, name, &place);
    if (effect.value && ct_flow_bool(c, LINKED))
        ct_particle_links_add(links, effect, &link);
    return effect.value ? CREATE : CT_FLOW_STOP;
}

static uint32_t particle_effect(ct_flow_call *c, uint32_t event) {
    const ct_particles_components *const m = components_of(c);
    ct_vec3 offset;
    ct_quat turn;
    if (!m)
        return CT_FLOW_STOP;
    if (event != CREATE)
        return end(c, m, event);
    if (!ct_flow_finite_vector3(c, OFFSET, &offset) || !ct_flow_rotation(c, TURN, &turn))
        return CT_FLOW_STOP;
    if (ct_flow_object_at(c, UNIT).entity)
        return create_at_unit(c, m, offset, turn);
    const ct_particle_place place = {offset, turn, ct_vec3_make(1, 1, 1)};
    const ct_string_id64 name = {ct_flow_id(c, EFFECT)};
    return create(c, m, name, &place).value ? CREATE : CT_FLOW_STOP;
}

// --- At a marker ---------------------------------------------------------------------------------

static uint32_t level_effect(ct_flow_call *c, uint32_t event) {
    const ct_particles_components *const m = components_of(c);
    ct_particle_place place = {.scale = ct_vec3_make(1, 1, 1)};
    if (!m)
        return CT_FLOW_STOP;
    if (event != CREATE)
        return end(c, m, event);
    if (!ct_flow_marker(c, 1, &place.position, &place.rotation))
        return CT_FLOW_STOP;
    const ct_string_id64 name = ct_string_id64_of(ct_flow_text(c, EFFECT));
    return create(c, m, name, &place).value ? CREATE : CT_FLOW_STOP;
}

// --- Variables -----------------------------------------------------------------------------------

static uint32_t set_variable(ct_flow_call *c, uint32_t event) {
    const ct_particles_components *const m = components_of(c);
    ct_vec3 v;
    if (!m || !ct_flow_finite_vector3(c, 2, &v))
        return event;
    ct_particle_world *const w = ct_particles_components_world(m);
    const ct_particle_effect_id effect = effect_of(ct_flow_number(c, 0));
    if (!ct_particles_exists(w, effect)) // it may have ended by itself
        return event;
    const char *const name = ct_flow_text(c, 1);
    const uint32_t index =
        ct_particle_system_variable(ct_particles_components_system(m),
                                    ct_particles_resource_of(w, effect), ct_string_id32_of(name));
    if (index == UINT32_MAX)
        ct_flow_error(c, "the effect has no variable \"%.64s\"", name);
    else
        ct_particles_set_variable(w, effect, index, (ct_vec4){{v.x, v.y, v.z, 0}});
    return event;
}

static const ct_flow_function_row rows[] = {
    {"level_particle_effect", level_effect},
    {"particle_effect", particle_effect},
    {"set_particle_effect_variable", set_variable},
};

const ct_flow_functions ct_flow_run_effects = {rows, CT_COUNT_OF(rows)};
