// words.cc: a plugin in C++: Words.count(text) in Lua.
#include <cuttle/lua.h>
#include <cuttle/plugin.h>

#include <cstring>
#include <sstream>
#include <string>

namespace {

const cuttle_lua_api_1 *lua;

int count(lua_State *L) {
    size_t bytes = 0;
    const char *const text = lua->check_string(L, 1, &bytes); // leaves here when it is no string
    std::istringstream words(std::string(text, bytes));
    int number = 0;
    for (std::string word; words >> word;)
        ++number;
    lua->push_number(L, number);
    return 1;
}

bool init(cuttle_plugin *self, cuttle_get_api get_api, cuttle_error *error) {
    static const cuttle_lua_function functions[] = {
        {"count", count, "(text: string) -> integer", "How many words a text has."}};
    static const cuttle_lua_module module = {"Words", "Words of texts, counted in C++.", functions,
                                             1};
    lua = static_cast<const cuttle_lua_api_1 *>(get_api(CUTTLE_LUA_API, 1));
    return !lua || lua->add_module(self, &module, error);
}

cuttle_plugin_api_1 make_plugin() {
    cuttle_plugin_api_1 plugin = {};
    plugin.name = "words";
    plugin.init = init;
    return plugin;
}

const cuttle_plugin_api_1 plugin = make_plugin();

} // namespace

CUTTLE_EXPORT const void *cuttle_plugin_get_api(const char *name, uint32_t version) {
    return std::strcmp(name, CUTTLE_PLUGIN_API) == 0 && version == 1 ? &plugin : nullptr;
}
