// Nodes of navigation: agents, paths and places, switches. What starts the events of agents is in
// flow_navigation.c.
#include <math.h>
#include <string.h>

#include "flow/flow_private.h"
#include "flow/nodes/flow_functions.h"
#include "flow/nodes/flow_parts.h"
#include "foundation/error.h"
#include "foundation/math/math.h"
#include "resource/types/flow/flow_node_states.h"
#include "world/world_navigation.h"

_Static_assert(sizeof(ct_flow_navigation_state) == CT_FLOW_NAVIGATION_STATE_BYTES,
               "compiled graphs reserve it");

enum { REACH = 100000 }; // metres that points of nodes may be from the origin

// --- Agents --------------------------------------------------------------------------------------

// A unit with an agent.
typedef struct agent {
    ct_navigation_agent_manager *agents;
    ct_entity entity;
} agent;

static bool agent_of(ct_flow_call *c, agent *a) {
    ct_world *w;
    if (!ct_flow_unit_of(c, 0, &w, &a->entity))
        return false;
    a->agents = ct_world_navigation_agents(w);
    if (ct_navigation_agent_has(a->agents, a->entity))
        return true;
    ct_flow_error(c, "the unit has no navigation agent");
    return false;
}

static uint32_t move_agent(ct_flow_call *c, uint32_t event) {
    agent a;
    ct_vec3 goal;
    if (agent_of(c, &a) && ct_flow_vector3_in(c, 1, REACH, &goal))
        ct_navigation_agent_move_to(a.agents, &a.entity, &goal, 1);
    return event;
}

static uint32_t stop_agent(ct_flow_call *c, uint32_t event) {
    agent a;
    if (agent_of(c, &a))
        ct_navigation_agent_stop(a.agents, &a.entity, 1);
    return event;
}

static uint32_t set_speed(ct_flow_call *c, uint32_t event) {
    agent a;
    double speed;
    if (agent_of(c, &a) && ct_flow_number_in(c, 1, 0, 1000, &speed))
        ct_navigation_agent_set_speed(a.agents, a.entity, (float)speed);
    return event;
}

static uint32_t end_link(ct_flow_call *c, uint32_t event) {
    agent a;
    if (agent_of(c, &a))
        ct_navigation_agent_end_link(a.agents, a.entity);
    return event;
}

static uint32_t get_agent(ct_flow_call *c, uint32_t event) {
    static const char *const names[CT_NAVIGATION_AGENT_STATE_COUNT] = {
        [CT_NAVIGATION_IDLE] = "idle",       [CT_NAVIGATION_SEARCHING] = "searching",
        [CT_NAVIGATION_WALKING] = "walking", [CT_NAVIGATION_ON_LINK] = "on_link",
        [CT_NAVIGATION_ARRIVED] = "arrived", [CT_NAVIGATION_FAILED] = "failed",
        [CT_NAVIGATION_OFF] = "off",
    };
    (void)event;
    agent a;
    ct_navigation_agent_status status;
    if (!agent_of(c, &a) || !ct_navigation_agent_status_of(a.agents, a.entity, &status))
        return CT_FLOW_STOP;
    const char *const state = names[status.state];
    ct_flow_set_text(c, 0, state, (uint32_t)strlen(state));
    ct_flow_set_vector3(c, 1, status.velocity);
    ct_flow_set_bool(c, 2, status.has_goal);
    ct_flow_set_vector3(c, 3, status.has_goal ? status.goal : ct_vec3_make(0, 0, 0));
    return CT_FLOW_STOP;
}

// --- Paths and places ----------------------------------------------------------------------------

// The mesh of a node's class at a point.
typedef struct mesh {
    const ct_navigation_world *navigation;
    ct_navigation_instance instance;
    ct_navigation_parts parts;
    ct_navigation_filter filter; // what is open now
} mesh;

// Gives the mesh of the class of input 0 at a point; false: the world has no mesh of it.
static bool find_mesh(ct_flow_call *c, ct_vec3 point, mesh *m) {
    const char *const name = ct_flow_text(c, 0);
    const ct_string_id32 class_name = name[0] ? ct_string_id32_of(name) : (ct_string_id32){0};
    m->navigation = ct_world_navigation(ct_flow_call_world(c));
    m->instance = ct_navigation_world_find(m->navigation, class_name, point);
    if (!m->instance.id)
        return false;
    m->parts = ct_navigation_world_parts(m->navigation, m->instance);
    m->filter = ct_navigation_filter_of(m->parts.mesh);
    return true;
}

// Returns the polygon near a point of the world, and the point on it, in the space of the mesh; 0: off it.
static ct_navigation_place find_place(const mesh *m, const ct_navigation_filter *filter,
                                      ct_vec3 point, ct_vec3 *on_mesh) {
    const ct_navigation_class *const class = ct_navigation_mesh_class(m->parts.mesh);
    return ct_navigation_nearest(
        m->parts.mesh, filter, ct_navigation_to_mesh(m->navigation, m->instance, point),
        ct_vec3_make(class->radius, class->radius, class->height), on_mesh);
}

static uint32_t find_path(ct_flow_call *c, uint32_t event) {
    enum { FOUND, NOT_FOUND };
    (void)event;
    ct_vec3 from, to;
    mesh m;
    if (!ct_flow_vector3_in(c, 1, REACH, &from) || !ct_flow_vector3_in(c, 2, REACH, &to) ||
        !find_mesh(c, from, &m))
        return NOT_FOUND;
    ct_navigation_path path;
    ct_navigation_find_path(
        m.parts.search, m.parts.mesh,
        &(ct_navigation_path_desc){.from = ct_navigation_to_mesh(m.navigation, m.instance, from),
                                   .to = ct_navigation_to_mesh(m.navigation, m.instance, to)},
        &path);
    if (path.status != CT_NAVIGATION_FOUND)
        return NOT_FOUND;
    ct_flow_set_number(c, 0, (double)path.length);
    return FOUND;
}

static uint32_t get_nearest(ct_flow_call *c, uint32_t event) {
    (void)event;
    ct_vec3 point;
    double reach;
    mesh m;
    if (!ct_flow_vector3_in(c, 1, REACH, &point) || !ct_flow_number_in(c, 2, 0, 1e4, &reach))
        return CT_FLOW_STOP;
    const float r = (float)reach;
    ct_vec3 at;
    const bool is_found =
        find_mesh(c, point, &m) &&
        ct_navigation_nearest(m.parts.mesh, NULL,
                              ct_navigation_to_mesh(m.navigation, m.instance, point),
                              ct_vec3_make(r, r, r), &at);
    ct_flow_set_bool(c, 0, is_found);
    ct_flow_set_vector3(c, 1,
                        is_found ? ct_navigation_to_world(m.navigation, m.instance, at) : point);
    return CT_FLOW_STOP;
}

static uint32_t get_random(ct_flow_call *c, uint32_t event) {
    (void)event;
    ct_vec3 from, at;
    double radius;
    mesh m;
    if (!ct_flow_vector3_in(c, 1, REACH, &from) || !ct_flow_number_in(c, 2, 0, 1e6, &radius))
        return CT_FLOW_STOP;
    uint64_t random = (uint64_t)(ct_flow_random(c) * 0x1p53);
    ct_navigation_place p = find_mesh(c, from, &m) ? find_place(&m, &m.filter, from, &at) : 0;
    if (p)
        p = ct_navigation_random(m.parts.search, m.parts.mesh, &m.filter, p, at, (float)radius,
                                 &random, &at);
    ct_flow_set_bool(c, 0, p != 0);
    ct_flow_set_vector3(c, 1, p ? ct_navigation_to_world(m.navigation, m.instance, at) : from);
    return CT_FLOW_STOP;
}

static uint32_t is_connected(ct_flow_call *c, uint32_t event) {
    (void)event;
    ct_vec3 from, to, at;
    mesh m;
    if (!ct_flow_vector3_in(c, 1, REACH, &from) || !ct_flow_vector3_in(c, 2, REACH, &to))
        return CT_FLOW_STOP;
    const bool has_mesh = find_mesh(c, from, &m);
    const ct_navigation_place a = has_mesh ? find_place(&m, NULL, from, &at) : 0;
    const ct_navigation_place b = has_mesh ? find_place(&m, NULL, to, &at) : 0;
    ct_flow_set_bool(c, 0, a && b && ct_navigation_is_connected(m.parts.mesh, a, b));
    return CT_FLOW_STOP;
}

// --- Switches ------------------------------------------------------------------------------------

// What a node switches in meshes.
typedef struct mesh_change {
    const char *name;
    bool is_on;
    float cost;
    const char *nearest; // the most similar name of those that a mesh has
} mesh_change;

static bool set_area_of(ct_navigation_mesh *m, mesh_change *change) {
    const ct_navigation_resource *const r = ct_navigation_mesh_resource(m);
    const ct_navigation_area *const areas = ct_blob_at(r, r->areas.offset);
    const char *names[CT_NAVIGATION_MAX_AREAS];
    const ct_string_id32 name = ct_string_id32_of(change->name);
    for (uint32_t i = 0; i < r->areas.count; ++i) {
        names[i] = ct_blob_at(r, areas[i].name_text.offset);
        if (areas[i].name.value != name.value)
            continue;
        ct_navigation_set_area(m, i, change->is_on, change->cost);
        return true;
    }
    change->nearest = ct_nearest_name(change->name, names, r->areas.count);
    return false;
}

static bool set_link_of(ct_navigation_mesh *m, mesh_change *change) {
    const ct_navigation_resource *const r = ct_navigation_mesh_resource(m);
    const ct_navigation_link *const links = ct_blob_at(r, r->links.offset);
    const ct_string_id32 id = ct_string_id32_of(change->name);
    for (uint32_t i = 0; i < r->links.count; ++i) {
        if (links[i].id.value != id.value)
            continue;
        ct_navigation_set_link(m, i, !change->is_on);
        return true;
    }
    return false;
}

// Changes the meshes of the graph's level, or all of the world. An error when none has the name.
static void change_meshes(ct_flow_call *c, mesh_change *change, const char *what,
                          bool (*set)(ct_navigation_mesh *m, mesh_change *change)) {
    const ct_navigation_world *const n = ct_world_navigation(ct_flow_call_world(c));
    const ct_level level = ct_flow_level_of(c);
    uint32_t count, num_changed = 0;
    const ct_navigation_instance *const all = ct_navigation_world_instances(n, &count);
    for (uint32_t i = 0; i < count; ++i) {
        const ct_navigation_parts parts = ct_navigation_world_parts(n, all[i]);
        if (!level.id || parts.user == level.id)
            num_changed += set(parts.mesh, change);
    }
    if (!num_changed)
        ct_flow_error(c, "no navigation mesh %s has the %s \"%.64s\"%s%s%s",
                      level.id ? "of the level" : "of the world", what, change->name,
                      change->nearest ? "; did you mean \"" : "",
                      change->nearest ? change->nearest : "", change->nearest ? "\"?" : "");
}

static uint32_t set_area(ct_flow_call *c, uint32_t event) {
    double cost;
    if (!ct_flow_number_in(c, 2, 0, 1e6, &cost))
        return event;
    mesh_change change = {
        .name = ct_flow_text(c, 0), .is_on = ct_flow_bool(c, 1), .cost = (float)cost};
    change_meshes(c, &change, "area", set_area_of);
    return event;
}

static uint32_t set_link(ct_flow_call *c, uint32_t event) {
    mesh_change change = {.name = ct_flow_text(c, 0), .is_on = ct_flow_bool(c, 1)};
    change_meshes(c, &change, "link", set_link_of);
    return event;
}

// --- Events --------------------------------------------------------------------------------------

static uint32_t agent_event(ct_flow_call *c, uint32_t event) {
    (void)event;
    const ct_flow_navigation_state *const state = ct_flow_state(c);
    return state->event_out;
}

static const ct_flow_function_row rows[] = {
    {"end_navigation_link", end_link},           {"find_navigation_path", find_path},
    {"get_navigation_agent", get_agent},         {"get_nearest_navigation_point", get_nearest},
    {"get_random_navigation_point", get_random}, {"is_navigation_connected", is_connected},
    {"move_navigation_agent", move_agent},       {"navigation_agent_event", agent_event},
    {"set_navigation_agent_speed", set_speed},   {"set_navigation_area", set_area},
    {"set_navigation_link", set_link},           {"stop_navigation_agent", stop_agent},
};

const ct_flow_functions ct_flow_run_navigation = {rows, CT_COUNT_OF(rows)};
