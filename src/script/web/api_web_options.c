// Tables of options.
#include <string.h>

#include "script/web/api_web.h"

enum { MOST_ROWS = 16 };

static const ct_web_option_row *find_row(const ct_web_option *o, const ct_web_option_row *rows,
                                         uint32_t num_rows) {
    const char *names[MOST_ROWS];
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

void ct_web_read_options(lua_State *L, int argument, const ct_web_option_row *rows,
                         uint32_t num_rows, void *out) {
    CT_ASSERT(num_rows <= MOST_ROWS, "%u rows", num_rows);
    if (!lua_istable(L, argument))
        ct_argument_type_error(L, argument, "table");
    luaL_checkstack(L, 10, NULL);
    for (lua_pushnil(L); lua_next(L, argument); lua_pop(L, 1)) {
        ct_web_option o = {.L = L, .argument = argument, .out = out};
        o.member = lua_type(L, -2) == LUA_TSTRING ? ct_lua_name_at(L, -2) : NULL;
        if (!o.member)
            ct_argument_error(L, argument, "expected a table of values by name");
        const int top = lua_gettop(L);
        find_row(&o, rows, num_rows)->take(&o);
        lua_settop(L, top);
    }
}

void ct_web_option_error(const ct_web_option *o, const char *expected) {
    const char *const found = ct_push_value_description(o->L, lua_gettop(o->L));
    ct_argument_error(o->L, o->argument, "%s: expected %s, got %s", o->member, expected, found);
}

const char *ct_web_option_string(const ct_web_option *o) {
    const char *const text = lua_type(o->L, -1) == LUA_TSTRING ? ct_lua_name_at(o->L, -1) : NULL;
    if (!text)
        ct_web_option_error(o, "string");
    return text;
}

double ct_web_option_number(const ct_web_option *o, double least, double most) {
    if (lua_type(o->L, -1) != LUA_TNUMBER)
        ct_web_option_error(o, "number");
    const double number = lua_tonumber(o->L, -1);
    if (!(number >= least && number <= most))
        ct_argument_error(o->L, o->argument, "%s: expected a number from %g to %g, got %.9g",
                          o->member, least, most, number);
    return number;
}

uint32_t ct_web_option_headers(const ct_web_option *o, ct_http_header *headers, uint32_t most) {
    lua_State *const L = o->L;
    uint32_t count = 0;
    if (!lua_istable(L, -1))
        ct_web_option_error(o, "table");
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
        const char *const name = lua_type(L, -2) == LUA_TSTRING ? ct_lua_name_at(L, -2) : NULL;
        const char *const value = lua_type(L, -1) == LUA_TSTRING ? ct_lua_name_at(L, -1) : NULL;
        if (!name || !value)
            ct_argument_error(L, o->argument, "%s: expected texts by name, without zero bytes",
                              o->member);
        if (count == most)
            ct_argument_error(L, o->argument, "%s: expected at most %u headers", o->member, most);
        headers[count++] = (ct_http_header){name, value};
    }
    return count;
}
