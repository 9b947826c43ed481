// Actions: their state, and what players change of them.
#include <string.h>

#include "foundation/error.h"
#include "foundation/log.h"
#include "input/actions.h"
#include "lua/lua_json.h"
#include "script/api_check.h"
#include "script/input/api_input.h"

// The actions; an error when the environment has none.
static ct_actions *actions_of(lua_State *L) {
    ct_actions *const actions = ct_script_of(L)->actions;
    if (!actions)
        ct_function_error(L, "the project has no actions");
    return actions;
}

// The error for a name that is none of `count`.
static int unknown_name(lua_State *L, const ct_actions *actions, const char *what, uint32_t count,
                        const char *(*name_of)(const ct_actions *a, uint32_t i)) {
    const char *names[CT_INPUT_MAX_ACTIONS];
    for (uint32_t i = 0; i < count; ++i)
        names[i] = name_of(actions, i);
    const char *const got = lua_tostring(L, 1);
    const char *const nearest = ct_nearest_name(got, names, count);
    return ct_argument_error(L, 1, "there is no %s \"%.64s\"%s%s%s", what, got,
                             nearest ? ", did you mean \"" : "", nearest ? nearest : "",
                             nearest ? "\"?" : "");
}

static uint32_t check_action(lua_State *L, const ct_actions *actions) {
    const int32_t action = ct_actions_find(actions, ct_check_string(L, 1));
    if (action < 0)
        unknown_name(L, actions, "action", ct_actions_count(actions), ct_actions_name);
    return (uint32_t)action;
}

// An action that is pressed.
static uint32_t check_button(lua_State *L, const ct_actions *actions) {
    static const char *const kinds[] = {"a button", "an axis", "a vector"};
    const uint32_t action = check_action(L, actions);
    const ct_input_action_kind kind = ct_actions_kind(actions, action);
    if (kind != CT_INPUT_ACTION_KIND_BUTTON)
        ct_argument_error(L, 1, "\"%s\" is %s and cannot be pressed; use Input.value",
                          ct_actions_name(actions, action), kinds[kind]);
    return action;
}

static uint32_t check_set(lua_State *L, const ct_actions *actions) {
    const int32_t set = ct_actions_find_set(actions, ct_check_string(L, 1));
    if (set < 0)
        unknown_name(L, actions, "set", ct_actions_num_sets(actions), ct_actions_set_name);
    return (uint32_t)set;
}

// --- State ---------------------------------------------------------------------------------------

int ct_api_input_held(lua_State *L) {
    const ct_actions *const actions = actions_of(L);
    lua_pushboolean(L, ct_actions_held(actions, check_button(L, actions)));
    return 1;
}

int ct_api_input_pressed(lua_State *L) {
    const ct_actions *const actions = actions_of(L);
    lua_pushboolean(L, ct_actions_pressed(actions, check_button(L, actions)));
    return 1;
}

int ct_api_input_released(lua_State *L) {
    const ct_actions *const actions = actions_of(L);
    lua_pushboolean(L, ct_actions_released(actions, check_button(L, actions)));
    return 1;
}

int ct_api_input_value(lua_State *L) {
    const ct_actions *const actions = actions_of(L);
    const uint32_t action = check_action(L, actions);
    const ct_vec3 value = ct_actions_value(actions, action);
    if (ct_actions_kind(actions, action) == CT_INPUT_ACTION_KIND_VECTOR)
        ct_push_vector3(L, value);
    else
        lua_pushnumber(L, (double)value.x);
    return 1;
}

static int push_names(lua_State *L, const ct_actions *actions, uint32_t count,
                      const char *(*name_of)(const ct_actions *a, uint32_t i)) {
    lua_createtable(L, (int)count, 0);
    for (uint32_t i = 0; i < count; ++i) {
        lua_pushstring(L, name_of(actions, i));
        lua_rawseti(L, -2, (int)i + 1);
    }
    return 1;
}

int ct_api_input_actions(lua_State *L) {
    const ct_actions *const actions = actions_of(L);
    return push_names(L, actions, ct_actions_count(actions), ct_actions_name);
}

int ct_api_input_sets(lua_State *L) {
    const ct_actions *const actions = actions_of(L);
    return push_names(L, actions, ct_actions_num_sets(actions), ct_actions_set_name);
}

int ct_api_input_is_active(lua_State *L) {
    const ct_actions *const actions = actions_of(L);
    lua_pushboolean(L, ct_actions_is_active(actions, check_set(L, actions)));
    return 1;
}

int ct_api_input_set_active(lua_State *L) {
    ct_actions *const actions = actions_of(L);
    ct_actions_set_active(actions, check_set(L, actions), ct_check_boolean(L, 2));
    return 0;
}

// --- Bindings ------------------------------------------------------------------------------------

// A binding as its source has it: a string or a table.
static void push_binding(lua_State *L, const ct_input_binding *binding) {
    ct_allocator *const a = ct_lua_of(L)->allocator;
    ct_string_builder text CT_CLEANUP(ct_string_builder_free);
    ct_sjson_writer w;
    ct_error error = {0};
    ct_string_builder_init(&text, a);
    ct_sjson_writer_init(&w, &text, CT_SJSON_STYLE_JSON);
    ct_input_binding_write(&w, binding);
    ct_sjson *const doc = ct_sjson_parse_value(a, text.text, text.length, "binding", NULL, &error);
    CT_ASSERT(doc, "%s", error.message);
    ct_lua_push_json(L, doc, ct_sjson_root(doc));
    ct_sjson_free(doc);
}

static void keep_first_error(void *user, const ct_error *error) {
    ct_error *const first = user;
    if (first->message[0] == '\0')
        *first = *error;
}

static bool read_table(lua_State *L, int argument, ct_input_binding *binding, ct_error *error) {
    ct_allocator *const a = ct_lua_of(L)->allocator;
    ct_string_builder text CT_CLEANUP(ct_string_builder_free);
    const ct_schema_listener listener = {.user = error, .error = keep_first_error};
    ct_string_builder_init(&text, a);
    ct_lua_append_json(L, argument, &text);
    ct_sjson *const doc = ct_sjson_parse(a, text.text, text.length, "binding", NULL, error);
    const bool is_read = doc && ct_input_binding_read(doc, ct_sjson_root(doc), binding, &listener);
    ct_sjson_free(doc);
    return is_read;
}

// A string or a table.
static ct_input_binding check_binding(lua_State *L, int argument) {
    ct_input_binding binding;
    ct_error error = {0};
    const bool is_read =
        lua_istable(L, argument)
            ? read_table(L, argument, &binding, &error)
            : ct_input_binding_parse(ct_check_string(L, argument), &binding, &error);
    if (!is_read)
        ct_argument_error(L, argument, "%s", error.message);
    return binding;
}

static uint32_t check_slot(lua_State *L) {
    return (uint32_t)ct_check_integer(L, 2, 1, CT_INPUT_MAX_SLOTS);
}

int ct_api_input_bindings(lua_State *L) {
    const ct_actions *const actions = actions_of(L);
    const uint32_t action = check_action(L, actions);
    const uint32_t count = ct_actions_num_slots(actions, action);
    lua_createtable(L, (int)count, 0);
    for (uint32_t slot = 1; slot <= count; ++slot) {
        push_binding(L, ct_actions_binding(actions, action, slot));
        lua_rawseti(L, -2, (int)slot);
    }
    return 1;
}

// The binding of a slot with one of its parts replaced by argument 3.
static ct_input_binding check_part(lua_State *L, const ct_input_binding *old) {
    const char *const part = ct_check_string(L, 4);
    const ct_input_binding control = check_binding(L, 3);
    ct_input_binding changed = *old;
    const int32_t place = ct_input_binding_part(old->kind, part);
    if (place < 0)
        ct_argument_error(L, 4, "the binding in this slot has no \"%.64s\"", part);
    changed.controls[place] = control.controls[0];
    if (old->kind == CT_INPUT_BINDING_KIND_CONTROL)
        changed.modifiers = control.modifiers;
    else if (control.modifiers != 0 || control.kind != CT_INPUT_BINDING_KIND_CONTROL)
        ct_argument_error(L, 3, "expected one control without modifiers");
    return changed;
}

int ct_api_input_bind(lua_State *L) {
    ct_actions *const actions = actions_of(L);
    const uint32_t action = check_action(L, actions), slot = check_slot(L);
    const ct_input_binding binding = lua_isnoneornil(L, 4)
                                         ? check_binding(L, 3)
                                         : check_part(L, ct_actions_binding(actions, action, slot));
    ct_error error = {0};
    if (!ct_actions_bind(actions, action, slot, &binding, &error))
        return ct_argument_error(L, 3, "%s", error.message);
    return 0;
}

int ct_api_input_unbind(lua_State *L) {
    ct_actions *const actions = actions_of(L);
    const uint32_t action = check_action(L, actions), slot = check_slot(L);
    ct_input_binding none;
    ct_input_binding_parse("none", &none, NULL);
    ct_actions_bind(actions, action, slot, &none, NULL);
    return 0;
}

int ct_api_input_reset(lua_State *L) {
    ct_actions *const actions = actions_of(L);
    if (lua_isnoneornil(L, 1))
        ct_actions_reset_all(actions);
    else
        ct_actions_reset(actions, check_action(L, actions));
    return 0;
}

int ct_api_input_save(lua_State *L) {
    ct_error error = {0};
    const bool is_saved = ct_actions_save_user(actions_of(L), &error);
    if (!is_saved)
        ct_log_warning("input", "save_bindings", "%s", error.message);
    lua_pushboolean(L, is_saved);
    return 1;
}

// --- Finding a control ---------------------------------------------------------------------------

int ct_api_input_start_capture(lua_State *L) {
    ct_actions_start_capture(actions_of(L));
    return 0;
}

int ct_api_input_stop_capture(lua_State *L) {
    ct_actions_stop_capture(actions_of(L));
    return 0;
}

int ct_api_input_captured(lua_State *L) {
    ct_input_binding binding;
    if (ct_actions_captured(actions_of(L), &binding))
        push_binding(L, &binding);
    else
        lua_pushnil(L);
    return 1;
}

int ct_api_input_control_name(lua_State *L) {
    ct_input_control control;
    uint32_t modifiers;
    ct_error error = {0};
    if (!ct_input_control_parse(ct_check_string(L, 1), &control, &modifiers, &error))
        return ct_argument_error(L, 1, "%s", error.message);
    const ct_input *const in = ct_script_of(L)->input;
    char text[CT_INPUT_CONTROL_TEXT_BYTES];
    ct_input_control_format(control, modifiers, text);
    if (control.part != CT_INPUT_PART_BUTTON || control.device != CT_INPUT_DEVICE_KEYBOARD) {
        lua_pushstring(L, text);
        return 1;
    }
    const char *const device = strstr(text, "keyboard.");
    lua_pushlstring(L, text, (size_t)(device - text)); // the modifiers
    lua_pushstring(L, ct_input_locale_name(in, CT_INPUT_DEVICE_KEYBOARD, control.number));
    lua_concat(L, 2);
    return 1;
}
