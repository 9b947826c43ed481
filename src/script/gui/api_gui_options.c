#include <math.h>
#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "lua/lua_check.h"
#include "resource/schema/schema.h"
#include "script/gui/api_gui.h"

enum { MAX_OPTIONS = 32, EXPECTED_BYTES = 256 };

// A value at `value` on the stack for an option, and the argument that errors name.
typedef struct reader {
    lua_State *L;
    const ct_gui_option *option;
    int value, argument;
} reader;

static void write_choices(char text[EXPECTED_BYTES], const char *const *choices) {
    size_t length = 0;
    for (uint32_t i = 0; choices[i] && length < EXPECTED_BYTES; ++i)
        length += (size_t)snprintf(text + length, EXPECTED_BYTES - length, "%s\"%s\"",
                                   i ? " or " : "", choices[i]);
}

static void write_expected(char text[EXPECTED_BYTES], const ct_gui_option *o) {
    const double least = (double)o->least, most = (double)o->most;
    switch (o->kind) {
    case CT_GUI_OPTION_KIND_FLAG:
        snprintf(text, EXPECTED_BYTES, "true or false");
        break;
    case CT_GUI_OPTION_KIND_NUMBER:
        snprintf(text, EXPECTED_BYTES, "a number from %g to %g", least, most);
        break;
    case CT_GUI_OPTION_KIND_WHOLE:
        snprintf(text, EXPECTED_BYTES, "a whole number from %g to %g", least, most);
        break;
    case CT_GUI_OPTION_KIND_CHOICE:
        write_choices(text, o->choices);
        break;
    case CT_GUI_OPTION_KIND_COLOR:
        snprintf(text, EXPECTED_BYTES, "a Vector4 of finite numbers, such as Color(255, 0, 0)");
        break;
    case CT_GUI_OPTION_KIND_VECTOR2:
        snprintf(text, EXPECTED_BYTES, "a Vector2 of numbers from %g to %g", least, most);
        break;
    case CT_GUI_OPTION_KIND_SIDES:
        snprintf(text, EXPECTED_BYTES,
                 "a number or four, {left, bottom, right, top}, from %g to "
                 "%g",
                 least, most);
        break;
    default:
        snprintf(text, EXPECTED_BYTES, "a string");
    }
}

static void push_got(const reader *r) {
    lua_State *const L = r->L;
    if (lua_type(L, r->value) == LUA_TNUMBER)
        lua_pushfstring(L, "%f", lua_tonumber(L, r->value));
    else if (lua_type(L, r->value) == LUA_TSTRING)
        lua_pushfstring(L, "\"%s\"", lua_tostring(L, r->value));
    else
        ct_push_value_description(L, r->value);
}

// Raises the error that the value does not fit.
static void fail(const reader *r) {
    char expected[EXPECTED_BYTES];
    write_expected(expected, r->option);
    push_got(r);
    ct_argument_error(r->L, r->argument, "%s: expected %s, got %s", r->option->name, expected,
                      lua_tostring(r->L, -1));
}

static float read_number_at(const reader *r, int index) {
    const double number = lua_type(r->L, index) == LUA_TNUMBER ? lua_tonumber(r->L, index) : NAN;
    if (!(number >= (double)r->option->least && number <= (double)r->option->most))
        fail(r);
    return (float)number;
}

// The data of a temporary of this kind.
static const float *read_temporary(const reader *r, ct_value_kind kind) {
    const uint64_t value = ct_value_at(r->L, r->value);
    const float *const data =
        ct_value_kind_of(value) == kind ? ct_temporary_data(ct_lua_of(r->L), value) : NULL;
    if (!data)
        fail(r);
    return data;
}

static uint32_t read_color(const reader *r) {
    const float *const v = read_temporary(r, CT_VALUE_KIND_VECTOR4);
    for (uint32_t i = 0; i < 4; ++i) {
        if (!isfinite(v[i]))
            fail(r);
    }
    return ct_gui_color_of(v);
}

static ct_vec2 read_vector2(const reader *r) {
    const float *const v = read_temporary(r, CT_VALUE_KIND_VECTOR2);
    for (uint32_t i = 0; i < 2; ++i) {
        if (!(v[i] >= r->option->least && v[i] <= r->option->most))
            fail(r);
    }
    return (ct_vec2){{v[0], v[1]}};
}

static void read_sides(const reader *r, float sides[4]) {
    if (lua_type(r->L, r->value) == LUA_TNUMBER) {
        sides[0] = sides[1] = sides[2] = sides[3] = read_number_at(r, r->value);
        return;
    }
    if (!lua_istable(r->L, r->value) || lua_objlen(r->L, r->value) != 4)
        fail(r);
    for (int i = 0; i < 4; ++i) {
        lua_rawgeti(r->L, r->value, i + 1);
        sides[i] = read_number_at(r, lua_gettop(r->L));
        lua_pop(r->L, 1);
    }
}

static const char *read_name(const reader *r) {
    const char *const name =
        lua_type(r->L, r->value) == LUA_TSTRING ? ct_lua_name_at(r->L, r->value) : NULL;
    if (!name)
        fail(r);
    return name;
}

static uint32_t read_choice(const reader *r) {
    const char *const name = read_name(r);
    uint32_t count = 0;
    for (; r->option->choices[count]; ++count) {
        if (strcmp(r->option->choices[count], name) == 0)
            return count;
    }
    char expected[EXPECTED_BYTES];
    const char *const nearest = ct_nearest_name(name, r->option->choices, count);
    write_choices(expected, r->option->choices);
    ct_argument_error(r->L, r->argument, "%s: expected %s, got \"%.64s\"%s%s%s", r->option->name,
                      expected, name, nearest ? "; did you mean \"" : "", nearest ? nearest : "",
                      nearest ? "\"?" : "");
    return 0;
}

static ct_string_id64 read_material(const reader *r) {
    const char *const name = read_name(r);
    const ct_string_id64 id = ct_string_id64_of(name);
    if (!ct_resource_manager_get(ct_lua_of(r->L)->resources, "material", id))
        ct_argument_error(r->L, r->argument, "%s: the material \"%s\" is not loaded%s",
                          r->option->name, name, ct_push_resource_guess(r->L, "material", name));
    return id;
}

// Reads one value into the struct at `out`.
static void read_value(const reader *r, void *out) {
    void *const place = (char *)out + r->option->offset;
    switch (r->option->kind) {
    case CT_GUI_OPTION_KIND_FLAG:
        if (!lua_isboolean(r->L, r->value))
            fail(r);
        *(bool *)place = lua_toboolean(r->L, r->value);
        break;
    case CT_GUI_OPTION_KIND_NUMBER:
        *(float *)place = read_number_at(r, r->value);
        break;
    case CT_GUI_OPTION_KIND_WHOLE: {
        const float number = read_number_at(r, r->value);
        if (number != floorf(number))
            fail(r);
        *(uint32_t *)place = (uint32_t)number;
        break;
    }
    case CT_GUI_OPTION_KIND_CHOICE:
        *(uint32_t *)place = read_choice(r);
        break;
    case CT_GUI_OPTION_KIND_COLOR:
        *(uint32_t *)place = read_color(r);
        break;
    case CT_GUI_OPTION_KIND_VECTOR2:
        *(ct_vec2 *)place = read_vector2(r);
        break;
    case CT_GUI_OPTION_KIND_SIDES:
        read_sides(r, place);
        break;
    case CT_GUI_OPTION_KIND_NAME:
        *(ct_string_id32 *)place = ct_string_id32_register(read_name(r));
        break;
    case CT_GUI_OPTION_KIND_MATERIAL:
        *(ct_string_id64 *)place = read_material(r);
        break;
    default:
        CT_ASSERT(false, "%s has no kind", r->option->name);
    }
}

// The option whose name is the string at `index`.
static const ct_gui_option *find_option(lua_State *L, int index, int argument,
                                        const ct_gui_option *options, uint32_t count) {
    const char *const name = lua_tostring(L, index);
    const char *names[MAX_OPTIONS];
    CT_ASSERT(count <= MAX_OPTIONS, "there are %u options", count);
    for (uint32_t i = 0; i < count; ++i) {
        if (strcmp(options[i].name, name) == 0)
            return &options[i];
        names[i] = options[i].name;
    }
    const char *const nearest = ct_nearest_name(name, names, count);
    ct_argument_error(L, argument, "there is no option \"%.64s\"%s%s%s", name,
                      nearest ? "; did you mean \"" : "", nearest ? nearest : "",
                      nearest ? "\"?" : "");
    return NULL;
}

static void read_table(lua_State *L, int argument, const ct_gui_option *options, uint32_t count,
                       void *out) {
    lua_pushnil(L);
    while (lua_next(L, argument)) {
        const int value = lua_gettop(L);
        if (lua_type(L, value - 1) != LUA_TSTRING)
            ct_argument_error(L, argument, "expected names of options as keys, got a %s",
                              ct_value_type_name(L, value - 1));
        const reader r = {L, find_option(L, value - 1, argument, options, count), value, argument};
        read_value(&r, out);
        lua_pop(L, 1);
    }
}

// Reads the values behind the name of an option at `argument`; returns the argument behind them.
static int read_values(lua_State *L, int argument, const ct_gui_option *option, void *out) {
    const int value = argument + 1;
    if (option->kind == CT_GUI_OPTION_KIND_FLAG && !lua_isboolean(L, value)) {
        *(bool *)((char *)out + option->offset) = true;
        return value;
    }
    const bool is_pair =
        option->kind == CT_GUI_OPTION_KIND_VECTOR2 && lua_type(L, value) == LUA_TNUMBER;
    if (is_pair) {
        const reader first = {L, option, value, value}, second = {L, option, value + 1, value + 1};
        *(ct_vec2 *)(void *)((char *)out + option->offset) =
            (ct_vec2){{read_number_at(&first, value), read_number_at(&second, value + 1)}};
        return value + 2;
    }
    read_value(&(reader){L, option, value, value}, out);
    return value + 1;
}

void ct_gui_read_options(lua_State *L, int argument, const ct_gui_option *options, uint32_t count,
                         void *out) {
    const int top = lua_gettop(L);
    if (lua_istable(L, argument)) {
        luaL_checkstack(L, 4, "too many arguments");
        read_table(L, argument, options, count, out);
        return;
    }
    while (argument <= top && !lua_isnil(L, argument)) {
        if (lua_type(L, argument) != LUA_TSTRING)
            ct_argument_type_error(L, argument, "table or string");
        argument =
            read_values(L, argument, find_option(L, argument, argument, options, count), out);
    }
}
