// Events as Lua tables: { device = "keyboard", kind = "pressed", time = 12.5, name = "space", id =
// 40, value = 1 }.
#include <math.h>
#include <string.h>

#include "foundation/math/math.h"
#include "foundation/os/os.h"
#include "script/api_check.h"
#include "script/input/api_input.h"

static bool is_button_kind(ct_input_event_kind kind) {
    return kind == CT_INPUT_EVENT_KIND_PRESSED || kind == CT_INPUT_EVENT_KIND_RELEASED;
}

static bool is_touch_kind(ct_input_event_kind kind) {
    return kind == CT_INPUT_EVENT_KIND_TOUCH_BEGAN || kind == CT_INPUT_EVENT_KIND_TOUCH_MOVED ||
           kind == CT_INPUT_EVENT_KIND_TOUCH_ENDED;
}

int ct_api_input_last_device(lua_State *L) {
    lua_pushstring(L, ct_input_device_name(ct_input_last_used(ct_script_of(L)->input)));
    return 1;
}

// --- Giving --------------------------------------------------------------------------------------

static void set_string(lua_State *L, const char *key, const char *value) {
    lua_pushstring(L, value);
    lua_setfield(L, -2, key);
}

static void set_number(lua_State *L, const char *key, double value) {
    lua_pushnumber(L, value);
    lua_setfield(L, -2, key);
}

// What of an event depends on its kind, into the table on top.
static void set_details(lua_State *L, const ct_input_event *event) {
    const ct_input_event_kind kind = event->kind;
    if (is_button_kind(kind) || kind == CT_INPUT_EVENT_KIND_KEYSTROKE) {
        set_number(L, "id", event->number);
        set_string(L, "name", ct_input_button_name(event->device, event->number));
    }
    if (is_button_kind(kind))
        set_number(L, "value", (double)event->value.x);
    if (kind == CT_INPUT_EVENT_KIND_AXIS) {
        set_number(L, "id", event->number);
        set_string(L, "name", ct_input_axis_name(event->device, event->number));
    }
    if (is_touch_kind(kind))
        set_number(L, "id", event->number);
    if (is_touch_kind(kind) || kind == CT_INPUT_EVENT_KIND_AXIS) {
        ct_push_vector3(L, event->value);
        lua_setfield(L, -2, "value");
    }
    if (event->text)
        set_string(L, "text", event->text);
    if (kind == CT_INPUT_EVENT_KIND_EDITING) {
        set_number(L, "cursor", (double)event->value.x);
        set_number(L, "length", (double)event->value.y);
    }
}

int ct_api_input_event_queue(lua_State *L) {
    const ct_script *const s = ct_script_of(L);
    const ct_input_events *const events = ct_input_event_list(s->input);
    const double now = s->host.time_since_launch(s->host.user);
    const uint64_t now_ns = ct_os_time_ns();
    lua_createtable(L, (int)events->count, 0);
    for (uint32_t i = 0; i < events->count; ++i) {
        const ct_input_event *const event = &events->items[i];
        lua_createtable(L, 0, 6);
        set_string(L, "device", ct_input_device_name(event->device));
        set_string(L, "kind", ct_input_event_kind_name(event->kind));
        set_number(L, "time", now - (double)(int64_t)(now_ns - event->time_ns) * 1e-9);
        set_details(L, event);
        lua_rawseti(L, -2, (int)i + 1);
    }
    return 1;
}

// --- Taking --------------------------------------------------------------------------------------

// A member of the event on top of the stack, as a string; an error when it is none. Borrowed while
// the table has it.
static const char *member_string(lua_State *L, uint32_t place, const char *key) {
    lua_getfield(L, -1, key);
    if (lua_type(L, -1) != LUA_TSTRING)
        ct_argument_error(L, 1, "event %u: %s: expected a string, got %s", place, key,
                          ct_value_type_name(L, -1));
    const char *const text = ct_lua_name_at(L, -1);
    if (!text)
        ct_argument_error(L, 1, "event %u: %s: expected a string without zero bytes", place, key);
    lua_pop(L, 1);
    return text;
}

static double member_number(lua_State *L, uint32_t place, const char *key, double otherwise) {
    lua_getfield(L, -1, key);
    const int type = lua_type(L, -1);
    const double number = type == LUA_TNUMBER ? lua_tonumber(L, -1) : otherwise;
    if ((type != LUA_TNUMBER && type != LUA_TNIL) || !isfinite(number))
        ct_argument_error(L, 1, "event %u: %s: expected a number, got %s", place, key,
                          ct_value_type_name(L, -1));
    lua_pop(L, 1);
    return number;
}

static ct_vec3 member_vector(lua_State *L, uint32_t place, const char *key) {
    lua_getfield(L, -1, key);
    if (ct_value_kind_at(L, -1) != CT_VALUE_KIND_VECTOR3)
        ct_argument_error(L, 1, "event %u: %s: expected Vector3, got %s", place, key,
                          ct_value_type_name(L, -1));
    const ct_vec3 value = ct_check_vector3(L, lua_gettop(L));
    lua_pop(L, 1);
    return value;
}

static ct_input_device member_device(lua_State *L, uint32_t place) {
    const char *const name = member_string(L, place, "device");
    for (ct_input_device d = 0; d < CT_INPUT_NUM_DEVICES; ++d) {
        if (strcmp(ct_input_device_name(d), name) == 0)
            return d;
    }
    ct_argument_error(L, 1, "event %u: there is no device \"%.64s\"", place, name);
    return CT_INPUT_NUM_DEVICES;
}

// The button or axis that the event names.
static uint32_t member_id(lua_State *L, uint32_t place, ct_input_device device, bool is_axis) {
    const char *const name = member_string(L, place, "name");
    const int32_t id = is_axis ? ct_input_axis_id(device, name) : ct_input_button_id(device, name);
    if (id < 0)
        ct_argument_error(L, 1, "event %u: %s has no %s \"%.64s\"", place,
                          ct_input_device_name(device), is_axis ? "axis" : "button", name);
    return (uint32_t)id;
}

// A number of a member, no greater than `most`.
static double member_count(lua_State *L, uint32_t place, const char *key, double most) {
    return fmin(fmax(member_number(L, place, key, 0), -most), most);
}

// Returns the event on top of the stack. Its text is borrowed while the table has it.
static ct_input_event event_of(lua_State *L, uint32_t place) {
    const ct_input_device device = member_device(L, place);
    const char *const name = member_string(L, place, "kind");
    ct_input_event e = {
        .time_ns = ct_os_time_ns(), .kind = ct_input_event_kind_named(name), .device = device};
    switch (e.kind) {
    case CT_INPUT_EVENT_KIND_PRESSED:
    case CT_INPUT_EVENT_KIND_RELEASED: {
        const double value = e.kind == CT_INPUT_EVENT_KIND_PRESSED ? 1.0 : 0.0;
        e.number = member_id(L, place, device, false);
        e.value.x = (float)member_number(L, place, "value", value);
        break;
    }
    case CT_INPUT_EVENT_KIND_AXIS:
        e.number = member_id(L, place, device, true);
        e.value = member_vector(L, place, "value");
        break;
    case CT_INPUT_EVENT_KIND_KEYSTROKE:
        e.number = member_id(L, place, CT_INPUT_DEVICE_KEYBOARD, false);
        break;
    case CT_INPUT_EVENT_KIND_EDITING:
        e.value = ct_vec3_make((float)member_count(L, place, "cursor", 1e6),
                               (float)member_count(L, place, "length", 1e6), 0);
        e.text = member_string(L, place, "text");
        break;
    case CT_INPUT_EVENT_KIND_TEXT:
    case CT_INPUT_EVENT_KIND_CONNECTED:
        e.text = member_string(L, place, "text");
        break;
    case CT_INPUT_EVENT_KIND_TOUCH_BEGAN:
    case CT_INPUT_EVENT_KIND_TOUCH_MOVED:
    case CT_INPUT_EVENT_KIND_TOUCH_ENDED:
        e.value = member_vector(L, place, "value");
        e.number = (uint32_t)fmax(member_count(L, place, "id", UINT32_MAX), 0);
        break;
    case CT_INPUT_EVENT_KIND_DISCONNECTED:
        break;
    default:
        ct_argument_error(L, 1, "event %u: there is no kind \"%.64s\"", place, name);
    }
    return e;
}

// Events before a wrong one have already been added.
int ct_api_input_add_remote_events(lua_State *L) {
    ct_input *const in = ct_script_of(L)->input;
    const uint32_t count = ct_check_array(L, 1);
    for (uint32_t i = 1; i <= count; ++i) {
        lua_rawgeti(L, 1, (int)i);
        if (!lua_istable(L, -1))
            ct_argument_error(L, 1, "event %u: expected table, got %s", i,
                              ct_value_type_name(L, -1));
        const ct_input_event event = event_of(L, i);
        ct_input_add_remote(in, &event);
        lua_pop(L, 1);
    }
    return 0;
}
