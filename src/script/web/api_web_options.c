// Headers among options.
#include "script/web/api_web.h"

uint32_t ct_web_option_headers(const ct_option *o, ct_http_header *headers, uint32_t most) {
    lua_State *const L = o->L;
    uint32_t count = 0;
    if (!lua_istable(L, -1))
        ct_option_error(o, "table");
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
