// What Unit, Level and Application have of Flow.
#include "flow/nodes/flow_parts.h"
#include "script/api_check.h"
#include "script/flow/script_flow.h"

// The instance of the unit or level at argument 1, in its world.
typedef struct instance_at {
    ct_world *scene;
    ct_flow_world *world;
    ct_flow_instance instance;
} instance_at;

static instance_at check_instance(lua_State *L, bool is_level) {
    const ct_script *const s = ct_script_of(L);
    ct_world *w = NULL;
    instance_at at = {0};
    if (!s->flow)
        ct_function_error(L, "this program runs no flow graphs");
    if (is_level) {
        const ct_level level = ct_check_level(L, 1, &w);
        at.world = ct_flow_world_of(s->flow, w);
        at.instance = ct_flow_of_level(at.world, level);
    } else {
        const ct_entity unit = ct_check_unit(L, 1, &w);
        at.world = ct_flow_world_of(s->flow, w);
        at.instance = ct_flow_of_unit(at.world, unit);
    }
    if (!at.instance.id)
        ct_argument_error(L, 1, "the %s has no flow graph", is_level ? "level" : "unit");
    at.scene = w;
    return at;
}

static int start_event(lua_State *L, bool is_level) {
    const instance_at at = check_instance(L, is_level);
    const char *const name = ct_check_string(L, 2);
    if (!ct_flow_start(at.world, at.instance, ct_string_id32_of("external_in_event"),
                       ct_string_id32_of(name), NULL, NULL))
        return ct_argument_error(L, 2, "the flow graph has no external in event \"%.64s\"", name);
    return 0;
}

static ct_flow_value *check_variable(lua_State *L, instance_at at, ct_flow_type *type) {
    const char *const name = ct_check_string(L, 2);
    ct_flow_value *const value =
        ct_flow_find_variable(at.world, at.instance, ct_string_id32_of(name), type);
    if (!value)
        ct_argument_error(L, 2, "the flow graph has no variable \"%.64s\"", name);
    return value;
}

static int get_variable(lua_State *L, bool is_level) {
    const instance_at at = check_instance(L, is_level);
    ct_flow_type type;
    const ct_flow_value *const value = check_variable(L, at, &type);
    ct_push_flow_value(
        L, at.scene, type, value,
        type == CT_FLOW_TYPE_STRING ? ct_flow_value_text(at.world, at.instance, value) : NULL);
    return 1;
}

static int set_variable(lua_State *L, bool is_level) {
    const instance_at at = check_instance(L, is_level);
    ct_flow_type type;
    ct_flow_value *const value = check_variable(L, at, &type);
    const char *const text = ct_check_flow_value(L, 3, at.scene, type, value);
    if (text && !ct_flow_set_variable_text(at.world, at.instance,
                                           ct_string_id32_of(ct_check_string(L, 2)), text))
        return ct_argument_error(L, 3, "a text of Flow has at most %d bytes",
                                 CT_FLOW_STRING_BYTES - 1);
    return 0;
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
