// What Unit, Level and Application have of Flow.
#include "flow/nodes/flow_parts.h"
#include "script/api_check.h"
#include "script/flow/script_flow.h"

// --- Instances -----------------------------------------------------------------------------------

int ct_start_flow_event(lua_State *L, ct_world *w, ct_flow_instance i, int argument) {
    const char *const name = ct_check_string(L, argument);
    if (!ct_flow_start(ct_flow_world_of(ct_script_of(L)->flow, w), i,
                       ct_string_id32_of("external_in_event"), ct_string_id32_of(name), NULL, NULL))
        return ct_argument_error(L, argument, "the flow graph has no external in event \"%.64s\"",
                                 name);
    return 0;
}

static ct_flow_value *check_variable(lua_State *L, ct_flow_world *flow, ct_flow_instance i,
                                     int argument, ct_flow_type *type) {
    const char *const name = ct_check_string(L, argument);
    ct_flow_value *const value = ct_flow_find_variable(flow, i, ct_string_id32_of(name), type);
    if (!value)
        ct_argument_error(L, argument, "the flow graph has no variable \"%.64s\"", name);
    return value;
}

int ct_push_flow_variable(lua_State *L, ct_world *w, ct_flow_instance i, int argument) {
    ct_flow_world *const flow = ct_flow_world_of(ct_script_of(L)->flow, w);
    ct_flow_type type;
    const ct_flow_value *const value = check_variable(L, flow, i, argument, &type);
    ct_push_flow_value(L, w, type, value,
                       type == CT_FLOW_TYPE_STRING ? ct_flow_value_text(flow, i, value) : NULL);
    return 1;
}

int ct_take_flow_variable(lua_State *L, ct_world *w, ct_flow_instance i, int argument) {
    ct_flow_world *const flow = ct_flow_world_of(ct_script_of(L)->flow, w);
    ct_flow_type type;
    ct_flow_value *const value = check_variable(L, flow, i, argument, &type);
    const char *const text_name = ct_check_string(L, argument);
    const ct_string_id32 name = ct_string_id32_of(text_name);
    if (!ct_flow_can_set_variable(flow, i, name))
        ct_argument_error(L, argument, "\"%.64s\" is an output of the graph, which sets it",
                          text_name);
    const char *const text = ct_check_flow_value(L, argument + 1, w, type, value);
    if (text && !ct_flow_set_variable_text(flow, i, name, text))
        return ct_argument_error(L, argument + 1, "a text of Flow has at most %d bytes",
                                 CT_FLOW_STRING_BYTES - 1);
    return 0;
}

// --- Units and levels ----------------------------------------------------------------------------

// Returns the instance of the unit or level at argument 1, and its world.
static ct_flow_instance check_instance(lua_State *L, bool is_level, ct_world **w) {
    const ct_script *const s = ct_script_of(L);
    if (!s->flow)
        ct_function_error(L, "this program runs no flow graphs");
    ct_flow_instance i;
    if (is_level) {
        const ct_level level = ct_check_level(L, 1, w);
        i = ct_flow_of_level(ct_flow_world_of(s->flow, *w), level);
    } else {
        const ct_entity unit = ct_check_unit(L, 1, w);
        i = ct_flow_of_unit(ct_flow_world_of(s->flow, *w), unit);
    }
    if (!i.id)
        ct_argument_error(L, 1, "the %s has no flow graph", is_level ? "level" : "unit");
    return i;
}

static int start_event(lua_State *L, bool is_level) {
    ct_world *w;
    const ct_flow_instance i = check_instance(L, is_level, &w);
    return ct_start_flow_event(L, w, i, 2);
}

static int get_variable(lua_State *L, bool is_level) {
    ct_world *w;
    const ct_flow_instance i = check_instance(L, is_level, &w);
    return ct_push_flow_variable(L, w, i, 2);
}

static int set_variable(lua_State *L, bool is_level) {
    ct_world *w;
    const ct_flow_instance i = check_instance(L, is_level, &w);
    return ct_take_flow_variable(L, w, i, 2);
}

int ct_unit_flow_event(lua_State *L) {
    return start_event(L, false);
}

int ct_unit_flow_variable(lua_State *L) {
    return get_variable(L, false);
}

int ct_unit_set_flow_variable(lua_State *L) {
    return set_variable(L, false);
}

int ct_levels_flow_variable(lua_State *L) {
    return get_variable(L, true);
}

int ct_levels_set_flow_variable(lua_State *L) {
    return set_variable(L, true);
}

int ct_levels_trigger_event(lua_State *L) {
    return start_event(L, true);
}

// --- The graph that calls Lua --------------------------------------------------------------------

int ct_application_flow_entity(lua_State *L) {
    const ct_script *const s = ct_script_of(L);
    const ct_entity e = s->flow_call ? ct_flow_own_unit(s->flow_call) : (ct_entity){0};
    ct_push_entity(L, ct_entity_is_alive(s->lua.entities, e) ? e : (ct_entity){0});
    return 1;
}

int ct_application_flow_unit(lua_State *L) {
    return ct_application_flow_entity(L);
}

int ct_application_flow_level(lua_State *L) {
    const ct_script *const s = ct_script_of(L);
    const ct_level level = s->flow_call ? ct_flow_level_of(s->flow_call) : (ct_level){0};
    if (!level.id || !ct_level_is_alive(ct_flow_call_world(s->flow_call), level)) {
        lua_pushnil(L);
        return 1;
    }
    ct_check_object_room(L, &ct_type_level);
    ct_push_object(L, &ct_type_level, ct_flow_call_world(s->flow_call), level.id);
    return 1;
}

int ct_application_flow_world(lua_State *L) {
    const ct_script *const s = ct_script_of(L);
    if (s->flow_call)
        ct_push_object(L, &ct_type_world, ct_flow_call_world(s->flow_call), 0);
    else
        lua_pushnil(L);
    return 1;
}
