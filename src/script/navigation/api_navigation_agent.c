// NavigationAgent: the navigation agents of units.
#include <string.h>

#include "foundation/memory/temp_allocator.h"
#include "lua/lua_array.h"
#include "lua/lua_check.h"
#include "script/navigation/api_navigation.h"

extern const ct_lua_module ct_api_navigation_agent;

static const char *const state_names[CT_NAVIGATION_AGENT_STATE_COUNT] = {
    [CT_NAVIGATION_IDLE] = "idle",       [CT_NAVIGATION_SEARCHING] = "searching",
    [CT_NAVIGATION_WALKING] = "walking", [CT_NAVIGATION_ON_LINK] = "on_link",
    [CT_NAVIGATION_ARRIVED] = "arrived", [CT_NAVIGATION_FAILED] = "failed",
    [CT_NAVIGATION_OFF] = "off",
};

// A unit with an agent.
typedef struct agent {
    ct_world *world;
    ct_navigation_agent_manager *agents;
    ct_entity entity;
} agent;

static agent check_agent(lua_State *L) {
    agent a = {.world = NULL};
    a.entity = ct_check_unit(L, 1, &a.world);
    a.agents = ct_world_navigation_agents(a.world);
    if (!ct_navigation_agent_has(a.agents, a.entity))
        ct_argument_error(L, 1, "expected a Unit with a navigation agent, got one without");
    return a;
}

static ct_navigation_agent_status status_of(const agent *a) {
    ct_navigation_agent_status status = {.state = CT_NAVIGATION_OFF};
    ct_navigation_agent_status_of(a->agents, a->entity, &status);
    return status;
}

// --- Many units ----------------------------------------------------------------------------------

// Units of one world, those with an agent first; the others are left out.
typedef struct unit_list {
    ct_navigation_agent_manager *agents; // NULL: there are no units
    ct_entity *units;
    uint32_t *places; // of each in the array
    uint32_t count, num_given;
} unit_list;

static unit_list check_units(lua_State *L, ct_allocator *temp) {
    unit_list list = {.num_given = ct_check_entity_count(L, 1)};
    list.units = ct_alloc(temp, sizeof(ct_entity) * (list.num_given + 1ull));
    list.places = ct_alloc(temp, sizeof(uint32_t) * (list.num_given + 1ull));
    const ct_entity *const given = ct_check_entities(L, 1, list.units, list.num_given);
    const ct_world *world = NULL;
    for (uint32_t i = 0; i < list.num_given; ++i) {
        const ct_entity e = given[i];
        world = i ? world : ct_world_of(ct_script_of(L)->worlds, e);
        ct_check_unit_at(L, 1, e, i, world);
        if (!world)
            ct_argument_error(L, 1, "expected a Unit of a world at index %u", i + 1);
        list.agents = ct_world_navigation_agents(world);
        if (!ct_navigation_agent_has(list.agents, e))
            continue;
        list.places[list.count] = i;
        list.units[list.count++] = e; // at most as many as were read
    }
    return list;
}

static int move_many(lua_State *L) {
    CT_TEMP_ALLOCATOR(temp, ct_lua_of(L)->allocator);
    const unit_list list = check_units(L, temp);
    uint32_t num_goals;
    const ct_vec3 *const given = ct_check_positions(L, 2, temp, &num_goals);
    if (num_goals != list.num_given)
        ct_argument_error(L, 2, "expected a goal for each of %u units, got %u", list.num_given,
                          num_goals);
    ct_vec3 *const goals = ct_alloc(temp, sizeof(*goals) * (list.count + 1ull));
    for (uint32_t i = 0; i < list.count; ++i)
        goals[i] = given[list.places[i]];
    if (list.count)
        ct_navigation_agent_move_to(list.agents, list.units, goals, list.count);
    return 0;
}

static int stop_many(lua_State *L) {
    CT_TEMP_ALLOCATOR(temp, ct_lua_of(L)->allocator);
    const unit_list list = check_units(L, temp);
    if (list.count)
        ct_navigation_agent_stop(list.agents, list.units, list.count);
    return 0;
}

// --- One unit ------------------------------------------------------------------------------------

static int move_to(lua_State *L) {
    const agent a = check_agent(L);
    const ct_vec3 goal = ct_check_finite_vector3(L, 2);
    ct_navigation_agent_move_to(a.agents, &a.entity, &goal, 1);
    return 0;
}

static int stop(lua_State *L) {
    const agent a = check_agent(L);
    ct_navigation_agent_stop(a.agents, &a.entity, 1);
    return 0;
}

static int has(lua_State *L) {
    ct_world *world;
    const ct_entity e = ct_check_unit(L, 1, &world);
    lua_pushboolean(L, ct_navigation_agent_has(ct_world_navigation_agents(world), e));
    return 1;
}

static int state(lua_State *L) {
    const agent a = check_agent(L);
    lua_pushstring(L, state_names[status_of(&a).state]);
    return 1;
}

static int velocity(lua_State *L) {
    const agent a = check_agent(L);
    ct_push_vector3(L, status_of(&a).velocity);
    return 1;
}

static int wanted_velocity(lua_State *L) {
    const agent a = check_agent(L);
    ct_push_vector3(L, status_of(&a).wanted);
    return 1;
}

static int goal(lua_State *L) {
    const agent a = check_agent(L);
    const ct_navigation_agent_status status = status_of(&a);
    if (status.has_goal)
        ct_push_vector3(L, status.goal);
    else
        lua_pushnil(L);
    return 1;
}

static int set_speed(lua_State *L) {
    const agent a = check_agent(L);
    ct_navigation_agent_set_speed(a.agents, a.entity, (float)ct_check_number_in(L, 2, 0, 1000));
    return 0;
}

static int speed(lua_State *L) {
    const agent a = check_agent(L);
    lua_pushnumber(L, (lua_Number)ct_navigation_agent_data_of(a.agents, a.entity)->speed);
    return 1;
}

static int end_link(lua_State *L) {
    const agent a = check_agent(L);
    ct_navigation_agent_end_link(a.agents, a.entity);
    return 0;
}

static int mesh(lua_State *L) {
    const agent a = check_agent(L);
    return ct_push_navigation_mesh(L, a.world, status_of(&a).instance);
}

static int corners(lua_State *L) {
    const agent a = check_agent(L);
    const ct_navigation_agent_status status = status_of(&a);
    ct_script_navigation_mesh m = {
        .world = a.world, .navigation = ct_world_navigation(a.world), .instance = status.instance};
    ct_vec3 found[CT_NAVIGATION_MAX_AGENT_CORNERS];
    uint32_t count = 0;
    if (status.instance.id && status.agent.id) {
        m.parts = ct_navigation_world_parts(m.navigation, m.instance);
        count = ct_navigation_agents_corners(m.parts.agents, status.agent, found,
                                             CT_NAVIGATION_MAX_AGENT_CORNERS);
    }
    ct_push_mesh_points(L, &m, found, count, sizeof(*found));
    return 1;
}

// --- All -----------------------------------------------------------------------------------------

static int count_agents(lua_State *L) {
    lua_pushnumber(L, ct_navigation_agent_count(ct_world_navigation_agents(ct_check_world(L, 1))));
    return 1;
}

static int velocities(lua_State *L) {
    const ct_world *const world = ct_check_world(L, 1);
    if (!lua_isnoneornil(L, 2))
        ct_check_array_of(L, 2, CT_LUA_ARRAY_KIND_ENTITIES);
    if (!lua_isnoneornil(L, 3))
        ct_check_array_of(L, 3, CT_LUA_ARRAY_KIND_FLOATS);
    lua_settop(L, 3);
    const ct_navigation_agent_view v = ct_navigation_agent_all(ct_world_navigation_agents(world));
    ct_lua_array *const units = ct_push_result_array(L, 2, CT_LUA_ARRAY_KIND_ENTITIES, v.count);
    if (v.count)
        memcpy(units->entities, v.entities, sizeof(ct_entity) * (size_t)v.count);
    ct_lua_array *const floats =
        ct_push_result_array(L, 3, CT_LUA_ARRAY_KIND_FLOATS, 3 * (uint64_t)v.count);
    if (v.count)
        memcpy(floats->floats, v.velocities, sizeof(ct_vec3) * (size_t)v.count);
    return 2;
}

static int states(lua_State *L) {
    const ct_world *const world = ct_check_world(L, 1);
    const ct_navigation_agent_view v = ct_navigation_agent_all(ct_world_navigation_agents(world));
    uint32_t numbers[CT_NAVIGATION_AGENT_STATE_COUNT] = {0};
    for (uint32_t i = 0; i < v.count; ++i)
        ++numbers[v.states[i]];
    lua_createtable(L, 0, CT_NAVIGATION_AGENT_STATE_COUNT);
    for (uint32_t i = 0; i < CT_NAVIGATION_AGENT_STATE_COUNT; ++i) {
        lua_pushnumber(L, numbers[i]);
        lua_setfield(L, -2, state_names[i]);
    }
    return 1;
}

static const ct_lua_function functions[] = {
    {"corners", corners, "(self: Unit) -> Vector3[]",
     "Returns the next corners of the path ahead of the agent, at most 4."},
    {"count", count_agents, "(world: World) -> integer",
     "Returns the number of units with an agent."},
    {"end_link", end_link, "(self: Unit) -> nil",
     "Ends the link that the agent is on, which the game has played: it walks on from where its "
     "unit "
     "is. Does nothing otherwise."},
    {"goal", goal, "(self: Unit) -> Vector3?", "Returns where the agent goes, or nil."},
    {"has", has, "(self: Unit) -> boolean", "Returns whether a unit has an agent."},
    {"mesh", mesh, "(self: Unit) -> NavigationMesh?",
     "Returns the mesh that the agent is on; nil while it waits for one."},
    {"move_many", move_many,
     "(units: any(EntityArray,Unit[]), goals: any(Float32Array,number[],Vector3[])) -> nil",
     "Sends each unit to the goal with the same index; faster than one by one. Units without an "
     "agent are left out."},
    {"move_to", move_to, "(self: Unit, goal: Vector3) -> nil",
     "Sends the agent to a goal: it searches a path and walks. Its behaviours get "
     "navigation_arrived, or navigation_failed."},
    {"set_speed", set_speed, "(self: Unit, speed: number) -> nil",
     "Sets the highest speed, in metres a second, up to 1000."},
    {"speed", speed, "(self: Unit) -> number", "Returns the highest speed, in metres a second."},
    {"state", state, "(self: Unit) -> string",
     "Returns what the agent does: \"idle\", \"searching\" (waits for its path), \"walking\", "
     "\"on_link\", \"arrived\", \"failed\", or \"off\" (it is on no mesh)."},
    {"states", states, "(world: World) -> table",
     "Returns how many agents of the world are in each state, by its name."},
    {"stop", stop, "(self: Unit) -> nil", "Ends the walk. On a link it stops at its end."},
    {"stop_many", stop_many, "(units: any(EntityArray,Unit[])) -> nil",
     "Ends the walks of many units. Those without an agent are left out."},
    {"velocities", velocities,
     "(world: World, units: EntityArray?, velocities: Float32Array?) -> EntityArray, Float32Array",
     "Returns all units with an agent and their velocities (x, y and z each), in metres a second, "
     "in "
     "new arrays or in these."},
    {"velocity", velocity, "(self: Unit) -> Vector3",
     "Returns the velocity of the agent, in metres a second."},
    {"wanted_velocity", wanted_velocity, "(self: Unit) -> Vector3",
     "Returns the velocity that the agent would have without others to avoid."},
};

const ct_lua_module ct_api_navigation_agent = {
    .name = "NavigationAgent",
    .doc =
        "Units with the component navigation_agent: they walk to goals over a NavigationMesh and "
        "avoid each other.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
};
