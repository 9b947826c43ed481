#include <float.h>

#include "lua/lua_array.h"
#include "resource/types/state_machine_resource.h"
#include "script/animation/api_animation.h"
#include "script/animation/script_animation_events.h"
#include "script/entity/api_managers.h"

extern const ct_lua_module ct_api_animation_blender_component,
    ct_api_animation_state_machine_component;

// --- Characters ----------------------------------------------------------------------------------

ct_animation_manager *ct_check_animations(lua_State *L, const ct_world *world) {
    ct_animation_manager *const m = ct_world_animations(world);
    if (!m)
        ct_function_error(L, "this program runs without animation");
    return m;
}

static ct_script_character find(lua_State *L, int argument, ct_world *world, ct_entity e) {
    ct_script_character c = {.world = world, .entity = e, .argument = argument};
    c.manager = ct_check_animations(L, world);
    c.instance = ct_animation_lookup(c.manager, e);
    if (!c.instance.index)
        ct_argument_error(
            L, argument, "expected a unit with a component of the type animation, got one without");
    return c;
}

ct_script_character ct_check_character(lua_State *L, int argument) {
    ct_world *world;
    const ct_entity e = ct_check_unit(L, argument, &world);
    return find(L, argument, world, e);
}

// The type of the component that has the function that was called; NULL: it is one of Unit.
static const ct_lua_object_type *called_type(lua_State *L) {
    const ct_lua_module *const module = ct_lua_called_module(L);
    if (module == &ct_api_animation_blender_component)
        return &ct_type_animation_blender_component;
    return module == &ct_api_animation_state_machine_component
               ? &ct_type_animation_state_machine_component
               : NULL;
}

ct_world *ct_called_component(lua_State *L) {
    return ct_check_object(L, 1, called_type(L), NULL);
}

ct_script_character ct_called_character(lua_State *L) {
    if (!called_type(L))
        return ct_check_character(L, 1);
    ct_world *const world = ct_called_component(L);
    return find(L, 2, world, ct_check_unit_of(L, 2, world));
}

static const ct_state_machine_resource *resource_of(lua_State *L, ct_script_character c) {
    const ct_animation_data data = ct_animation_data_of(c.manager, c.instance);
    return ct_resource_manager_get(ct_lua_of(L)->resources, "state_machine", data.state_machine);
}

// The state machine of a character, which is loaded and enabled.
static ct_state_machine *check_machine(lua_State *L, ct_script_character c) {
    ct_state_machine *const m = ct_animation_machine(c.manager, c.instance);
    if (m)
        return m;
    const ct_animation_data data = ct_animation_data_of(c.manager, c.instance);
    if (!data.state_machine.value)
        ct_argument_error(L, c.argument,
                          "the unit has no state machine; set state_machine of its component "
                          "animation, or call Unit.set_animation_state_machine");
    if (!ct_animation_is_machine_enabled(c.manager, c.instance))
        ct_argument_error(L, c.argument,
                          "the unit's state machine is disabled; call "
                          "Unit.enable_animation_state_machine first");
    ct_argument_error(
        L, c.argument,
        "the unit's state machine \"%s\" cannot run: it or its skeleton is not loaded",
        ct_string_id64_name(data.state_machine));
    return NULL;
}

static const char *name_of_machine(ct_script_character c) {
    return ct_string_id64_name(ct_animation_data_of(c.manager, c.instance).state_machine);
}

// --- Events --------------------------------------------------------------------------------------

int ct_character_send_event(lua_State *L) {
    const ct_script_character c = ct_called_character(L);
    const int argument = c.argument + 1;
    const ct_string_id32 event = ct_check_id32(L, argument);
    ct_state_machine *const m = check_machine(L, c);
    if (!ct_state_machine_send(m, event))
        return ct_argument_error(L, argument,
                                 "no transition of the state machine \"%s\" waits for the event "
                                 "\"%s\"; ask with Unit.has_animation_event",
                                 name_of_machine(c), ct_string_id32_name(event));
    ct_script_log_animation_event(L, c.entity, event);
    return 0;
}

int ct_character_has_event(lua_State *L) {
    const ct_script_character c = ct_called_character(L);
    const ct_string_id32 event = ct_check_id32(L, c.argument + 1);
    const ct_state_machine *const m = ct_animation_machine(c.manager, c.instance);
    lua_pushboolean(L, m && ct_state_machine_has_event(m, event));
    return 1;
}

int ct_character_set_logging(lua_State *L) {
    const ct_script_character c = ct_called_character(L);
    const bool is_on = ct_check_boolean(L, c.argument + 1);
    ct_script_set_animation_logging(L, c.entity, is_on);
    return 0;
}

// The events of the last step that this unit had.
int ct_unit_animation_events(lua_State *L) {
    const ct_script_character c = ct_check_character(L, 1);
    uint32_t count;
    const ct_animation_out_event *const events = ct_animation_events(c.manager, &count);
    lua_newtable(L);
    for (uint32_t i = 0, num_found = 0; i < count; ++i) {
        if (events[i].entity.id != c.entity.id)
            continue;
        lua_createtable(L, 0, 2);
        ct_push_animation_name(L, events[i].name);
        lua_setfield(L, -2, "name");
        lua_pushnumber(L, (lua_Number)events[i].time);
        lua_setfield(L, -2, "time");
        lua_rawseti(L, -2, (int)++num_found);
    }
    return 1;
}

// --- Variables -----------------------------------------------------------------------------------

// Pushes `, did you mean "…"?`, or nothing when no variable is like it. Borrowed from Lua.
static const char *push_variable_guess(lua_State *L, ct_script_character c, int argument) {
    const ct_state_machine_resource *const r = resource_of(L, c);
    if (!r || lua_type(L, argument) != LUA_TSTRING)
        return lua_pushfstring(L, "");
    const ct_state_machine_variable_data *const variables = ct_blob_at(r, r->variables.offset);
    const char *names[CT_STATE_MACHINE_MAX_VARIABLES];
    for (uint32_t i = 0; i < r->variables.count; ++i)
        names[i] = ct_blob_at(r, variables[i].name_text.offset);
    const char *const nearest =
        ct_nearest_name(lua_tostring(L, argument), names, r->variables.count);
    return nearest ? lua_pushfstring(L, ", did you mean \"%s\"?", nearest)
                   : lua_pushfstring(L, "; ask with Unit.animation_has_variable");
}

int ct_character_find_variable(lua_State *L) {
    const ct_script_character c = ct_called_character(L);
    const int argument = c.argument + 1;
    const ct_string_id32 name = ct_check_id32(L, argument);
    const uint32_t variable = ct_state_machine_find_variable(check_machine(L, c), name);
    if (variable == UINT32_MAX)
        return ct_argument_error(L, argument, "the state machine \"%s\" has no variable \"%s\"%s",
                                 name_of_machine(c), ct_string_id32_name(name),
                                 push_variable_guess(L, c, argument));
    lua_pushnumber(L, variable + 1);
    return 1;
}

int ct_unit_animation_has_variable(lua_State *L) {
    const ct_script_character c = ct_check_character(L, 1);
    const ct_string_id32 name = ct_check_id32(L, 2);
    const ct_state_machine *const m = ct_animation_machine(c.manager, c.instance);
    lua_pushboolean(L, m && ct_state_machine_find_variable(m, name) != UINT32_MAX);
    return 1;
}

// The variable, from 0, whose number from 1 is the first argument after the unit.
static uint32_t check_variable(lua_State *L, ct_script_character c) {
    const int argument = c.argument + 1;
    const int64_t number = ct_check_integer(L, argument, 1, UINT32_MAX);
    check_machine(L, c);
    const uint32_t count = resource_of(L, c)->variables.count;
    if (count == 0)
        ct_argument_error(L, argument, "the state machine \"%s\" has no variables",
                          name_of_machine(c));
    if (number > count)
        ct_argument_error(L, argument, "expected a variable from 1 to %u, got %u", count,
                          (uint32_t)number);
    return (uint32_t)number - 1;
}

int ct_character_variable(lua_State *L) {
    const ct_script_character c = ct_called_character(L);
    const uint32_t variable = check_variable(L, c);
    lua_pushnumber(L, (lua_Number)ct_state_machine_variable(check_machine(L, c), variable));
    return 1;
}

int ct_character_set_variable(lua_State *L) {
    const ct_script_character c = ct_called_character(L);
    const float value = (float)ct_check_number_in(L, c.argument + 2, -FLT_MAX, FLT_MAX);
    const uint32_t variable = check_variable(L, c);
    ct_state_machine_set_variable(check_machine(L, c), variable, value);
    return 0;
}

// --- State ---------------------------------------------------------------------------------------

int ct_unit_animation_get_state(lua_State *L) {
    const ct_state_machine *const m = check_machine(L, ct_check_character(L, 1));
    const uint32_t count = ct_state_machine_get_state(m, NULL, 0);
    uint32_t *const state = ct_lua_scratch(ct_lua_of(L), sizeof(*state) * (count + 1ull));
    ct_state_machine_get_state(m, state, count);
    luaL_checkstack(L, (int)count, "too many numbers of a state");
    for (uint32_t i = 0; i < count; ++i)
        lua_pushnumber(L, state[i]);
    return (int)count;
}

int ct_unit_animation_set_state(lua_State *L) {
    const ct_script_character c = ct_check_character(L, 1);
    const int top = lua_gettop(L) < 2 ? 2 : lua_gettop(L); // at least one
    const uint32_t count = (uint32_t)top - 1;
    uint32_t *const state = ct_lua_scratch(ct_lua_of(L), sizeof(*state) * (uint64_t)count);
    for (uint32_t i = 0; i < count; ++i)
        state[i] = (uint32_t)ct_check_integer(L, (int)i + 2, 0, UINT32_MAX);
    ct_error error;
    if (!ct_state_machine_set_state(check_machine(L, c), state, count, &error))
        return ct_argument_error(L, 2, "the state is not of the state machine \"%s\": %s",
                                 name_of_machine(c), error.message);
    return 0;
}

int ct_unit_animation_layer_info(lua_State *L) {
    const ct_script_character c = ct_check_character(L, 1);
    const int64_t layer = ct_check_integer(L, 2, 1, CT_STATE_MACHINE_MAX_LAYERS);
    const ct_state_machine *const m = check_machine(L, c);
    const uint32_t count = resource_of(L, c)->layers.count;
    if (layer > count)
        return ct_argument_error(L, 2, "expected a layer from 1 to %u, got %u", count,
                                 (uint32_t)layer);
    float time, length;
    const ct_string_id32 state =
        ct_state_machine_layer_state(m, (uint32_t)layer - 1, &time, &length);
    lua_pushnumber(L, (lua_Number)time);
    lua_pushnumber(L, (lua_Number)length);
    ct_push_animation_name(L, state);
    return 3;
}

// --- The machine itself --------------------------------------------------------------------------

int ct_unit_has_animation_state_machine(lua_State *L) {
    ct_world *world;
    const ct_entity e = ct_check_unit(L, 1, &world);
    const ct_animation_manager *const m = ct_world_animations(world);
    const ct_animation_instance i = ct_find_character(world, e);
    lua_pushboolean(L, i.index && ct_animation_data_of(m, i).state_machine.value);
    return 1;
}

int ct_unit_set_animation_state_machine(lua_State *L) {
    const ct_script_character c = ct_check_character(L, 1);
    ct_string_id64 machine = {0};
    if (!lua_isnil(L, 2))
        machine = ct_string_id64_register(ct_check_resource(L, 2, "state_machine", NULL));
    ct_animation_set_machine(c.manager, c.instance, machine);
    return 0;
}

static int set_enabled(lua_State *L, bool is_enabled) {
    const ct_script_character c = ct_check_character(L, 1);
    ct_animation_set_machine_enabled(c.manager, c.instance, is_enabled);
    return 0;
}

int ct_unit_enable_animation_state_machine(lua_State *L) {
    return set_enabled(L, true);
}

int ct_unit_disable_animation_state_machine(lua_State *L) {
    return set_enabled(L, false);
}
