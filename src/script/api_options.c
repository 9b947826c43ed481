#include "script/api_options.h"

#include <string.h>

#include "foundation/error.h"
#include "lua/lua_check.h"

static const ct_option_row *find_row(const ct_option *o, const ct_option_row *rows,
                                     uint32_t num_rows) {
    const char *names[CT_OPTIONS_MAX_ROWS];
    for (uint32_t i = 0; i < num_rows; ++i) {
        if (strcmp(rows[i].name, o->member) == 0)
            return &rows[i];
        names[i] = rows[i].name;
    }
    const char *const nearest = ct_nearest_name(o->member, names, num_rows);
    ct_argument_error(o->L, o->argument, "there is no member \"%.64s\"%s%s%s", o->member,
                      nearest ? ", did you mean \"" : "", nearest ? nearest : "",
                      nearest ? "\"?" : "");
    return NULL;
}

void ct_read_options(lua_State *L, int argument, const ct_option_row *rows, uint32_t num_rows,
                     const void *context, void *out) {
    CT_ASSERT(num_rows <= CT_OPTIONS_MAX_ROWS, "%u rows", num_rows);
    if (!lua_istable(L, argument))
        ct_argument_type_error(L, argument, "table");
    luaL_checkstack(L, 10, NULL);
    for (lua_pushnil(L); lua_next(L, argument); lua_pop(L, 1)) {
        ct_option o = {.L = L, .argument = argument, .context = context, .out = out};
        o.member = lua_type(L, -2) == LUA_TSTRING ? ct_lua_name_at(L, -2) : NULL;
        if (!o.member)
            ct_argument_error(L, argument, "expected a table of values by name");
        const int top = lua_gettop(L);
        find_row(&o, rows, num_rows)->take(&o);
        lua_settop(L, top);
    }
}

void ct_option_error(const ct_option *o, const char *expected) {
    const char *const found = ct_push_value_description(o->L, lua_gettop(o->L));
    ct_argument_error(o->L, o->argument, "%s: expected %s, got %s", o->member, expected, found);
}

const char *ct_option_string(const ct_option *o) {
    const char *const text = lua_type(o->L, -1) == LUA_TSTRING ? ct_lua_name_at(o->L, -1) : NULL;
    if (!text)
        ct_option_error(o, "string");
    return text;
}

double ct_option_number(const ct_option *o, double least, double most) {
    if (lua_type(o->L, -1) != LUA_TNUMBER)
        ct_option_error(o, "number");
    const double number = lua_tonumber(o->L, -1);
    if (!(number >= least && number <= most))
        ct_argument_error(o->L, o->argument, "%s: expected a number from %g to %g, got %.9g",
                          o->member, least, most, number);
    return number;
}

bool ct_option_boolean(const ct_option *o) {
    if (!lua_isboolean(o->L, -1))
        ct_option_error(o, "boolean");
    return lua_toboolean(o->L, -1) != 0;
}
