#include "script/resource/api_variants.h"

#include <stdio.h>
#include <string.h>

#include "foundation/log.h"
#include "resource/blob/platform.h"
#include "resource/types/config_resource.h"
#include "script/api_check.h"
#include "script/resource/api_package_transfer_watcher.h"

enum { PROPERTIES = 1 }; // the argument

// --- Platforms -----------------------------------------------------------------------------------

// True for a word of settings.config's `platforms`.
static bool is_in_settings(lua_State *L, const char *word) {
    const ct_config_resource *const settings = ct_resource_manager_get(
        ct_lua_of(L)->resources, "config", CT_ID64("settings", 0x6bb47b51ae4a21ff));
    const ct_config_node *const platforms = settings ? ct_config_find(settings, "platforms") : NULL;
    if (!platforms)
        return false;
    const ct_config_node *const nodes = ct_blob_at(settings, settings->nodes.offset);
    for (uint32_t i = 0; i < platforms->count; ++i) {
        const ct_config_node *const node = &nodes[platforms->first + i];
        if (node->text.bytes == strlen(word) &&
            memcmp(ct_blob_at(settings, node->text.offset), word, node->text.bytes) == 0)
            return true;
    }
    return false;
}

static bool is_platform(lua_State *L, const char *word) {
    return ct_platform_named(word) || is_in_settings(L, word);
}

// --- The order -----------------------------------------------------------------------------------

// Pushes the value at `index` as errors show it: the beginning of a string, a number, or the type.
static const char *push_found(lua_State *L, int index) {
    char text[80];
    if (lua_type(L, index) == LUA_TSTRING)
        snprintf(text, sizeof(text), "\"%.64s\"", lua_tostring(L, index));
    else if (lua_type(L, index) == LUA_TNUMBER)
        snprintf(text, sizeof(text), "%.14g", lua_tonumber(L, index));
    else
        return ct_push_value_description(L, index);
    return lua_pushfstring(L, "%s", text);
}

// The number of elements of the array, which has no holes and no other keys.
static int check_elements(lua_State *L) {
    int count = 0, highest = 0;
    if (!lua_istable(L, PROPERTIES))
        ct_argument_type_error(L, PROPERTIES, "table");
    for (lua_pushnil(L); lua_next(L, PROPERTIES); lua_pop(L, 1)) {
        const double key = lua_type(L, -2) == LUA_TNUMBER ? lua_tonumber(L, -2) : 0;
        if (!(key >= 1 && key <= INT32_MAX && key == (int)key)) {
            lua_pop(L, 1);
            ct_argument_error(L, PROPERTIES, "has the key %s; expected an array of strings",
                              push_found(L, lua_gettop(L)));
        }
        highest = (int)key > highest ? (int)key : highest;
        ++count;
    }
    for (int i = 1; count < highest && i <= highest; ++i) {
        lua_rawgeti(L, PROPERTIES, i);
        if (lua_isnil(L, -1))
            ct_argument_error(L, PROPERTIES, "element %d is nil; expected an array without holes",
                              i);
        lua_pop(L, 1);
    }
    if (count > CT_PREFERENCE_MAX_PROPERTIES)
        ct_argument_error(L, PROPERTIES, "has %d elements; expected %d at most", count,
                          (int)CT_PREFERENCE_MAX_PROPERTIES);
    return count;
}

// The word on top of the stack, the argument's element `i`.
static const char *check_word(lua_State *L, int i) {
    const char *const word = lua_type(L, -1) == LUA_TSTRING ? ct_lua_name_at(L, -1) : NULL;
    const size_t bytes = word ? strlen(word) : 0;
    if (bytes >= CT_RESOURCE_NAME_BYTES)
        ct_argument_error(L, PROPERTIES, "element %d has %d characters; expected fewer than %d", i,
                          (int)bytes, (int)CT_RESOURCE_NAME_BYTES);
    if (!word || !ct_property_is_canonical(word))
        ct_argument_error(
            L, PROPERTIES,
            "element %d, %s, is not a valid property; expected a string of a-z, 0-9, _, -", i,
            push_found(L, lua_gettop(L)));
    if (is_platform(L, word))
        ct_argument_error(L, PROPERTIES,
                          "element %d, \"%s\", is a platform, which the compiler chooses; expected "
                          "another property",
                          i, word);
    return word;
}

// Adds the word on top of the stack, the argument's element `i`, to the order.
static void add_preference(lua_State *L, ct_preference_order *order, int i) {
    const char *const word = check_word(L, i);
    const ct_string_id64 id = ct_string_id64_register(word);
    for (uint32_t k = 0; k < order->count; ++k) {
        if (order->properties[k].value == id.value)
            ct_argument_error(L, PROPERTIES, "element %d, \"%s\", is a duplicate", i, word);
    }
    order->properties[order->count++] = id;
}

static bool has_property(const ct_catalog *catalog, ct_string_id64 property) {
    const ct_string_id64 *const all = ct_blob_at(catalog, catalog->properties.offset);
    for (uint32_t i = 0; i < catalog->properties.count; ++i) {
        if (all[i].value == property.value)
            return true;
    }
    return false;
}

// Warns of words that no resource has: most likely they are misspelt.
static void warn_of_unknown(lua_State *L, const ct_preference_order *order) {
    const ct_catalog *const catalog = ct_resource_manager_catalog(ct_lua_of(L)->resources);
    for (uint32_t i = 0; catalog && i < order->count; ++i) {
        lua_rawgeti(L, PROPERTIES, (int)i + 1);
        if (!has_property(catalog, order->properties[i]))
            ct_log_warning("lua", "unknown_property",
                           "the preferred property \"%s\" is not used by any resource",
                           lua_tostring(L, -1));
        lua_pop(L, 1);
    }
}

int ct_api_set_property_preference_order(lua_State *L) {
    ct_script *const s = ct_script_of(L);
    ct_preference_order order = {.count = 0};
    const int count = check_elements(L);
    for (int i = 1; i <= count; ++i) {
        lua_rawgeti(L, PROPERTIES, i);
        add_preference(L, &order, i);
        lua_pop(L, 1);
    }
    warn_of_unknown(L, &order);
    ct_resource_manager_set_preference(s->lua.resources, &order);
    ct_script_expect_transfers_anew(s);
    return 0;
}

int ct_api_reload_variants(lua_State *L) {
    ct_resource_manager_request_variants(ct_lua_of(L)->resources);
    return 0;
}
