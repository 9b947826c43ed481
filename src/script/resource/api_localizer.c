#include "foundation/log.h"
#include "resource/schema/schema.h"
#include "resource/types/strings_resource.h"
#include "script/api_check.h"

#include <string.h>

// A localizer's handle bears the name of its strings, which are looked for in each call: what was
// reloaded meanwhile, or is another language's by now, is what it finds.

extern const ct_lua_module ct_api_localizer;

static const ct_lua_object_type ct_type_localizer = {.name = "Localizer"};

// A localizer whose strings are loaded.
static const ct_strings_resource *check_localizer(lua_State *L, ct_string_id64 *name) {
    ct_check_object(L, 1, &ct_type_localizer, &name->value);
    const void *const blob = ct_resource_manager_get(ct_lua_of(L)->resources, "strings", *name);
    if (!blob)
        ct_argument_error(L, 1, "the strings \"%s\" are no longer loaded",
                          ct_string_id64_name(*name));
    return blob;
}

enum { MAX_MISSING_TEXTS = 4096 }; // reported only once

static int make_localizer(lua_State *L) {
    ct_script *const s = ct_script_of(L);
    const char *const name = ct_check_resource(L, 2, "strings", NULL);
    ct_push_object(L, &ct_type_localizer, s->lua.resources, ct_string_id64_register(name).value);
    return 1;
}

// --- Placeholders --------------------------------------------------------------------------------

enum { VALUES = 3 }; // where the table is

// Adds the value of a placeholder, or `{name}` when there is none.
static void add_value(lua_State *L, luaL_Buffer *out, const ct_strings_piece *piece,
                      ct_string_id64 strings) {
    const bool has_values = lua_istable(L, VALUES);
    if (has_values) {
        lua_pushlstring(L, piece->text, piece->bytes);
        lua_rawget(L, VALUES);
        const int type = lua_type(L, -1);
        if (type == LUA_TSTRING || type == LUA_TNUMBER) {
            luaL_addvalue(out);
            return;
        }
        if (type != LUA_TNIL)
            ct_argument_error(L, VALUES, "expected a string or number for {%.*s}, got %s",
                              (int)piece->bytes, piece->text, ct_value_type_name(L, -1));
        lua_pop(L, 1);
        ct_log_warning("lua", "missing_placeholder",
                       "a text of the strings \"%s\" has {%.*s}, but no value is given for it",
                       ct_string_id64_name(strings), (int)piece->bytes, piece->text);
    }
    luaL_addlstring(out, piece->text - 1, piece->bytes + 2);
}

// Pushes a text with the values of its placeholders.
static void push_text(lua_State *L, const char *text, uint32_t bytes, ct_string_id64 strings) {
    if (!memchr(text, '{', bytes) && !memchr(text, '}', bytes)) {
        lua_pushlstring(L, text, bytes);
        return;
    }
    const char *const end = text + bytes;
    luaL_Buffer out;
    luaL_buffinit(L, &out);
    ct_strings_piece piece;
    while (ct_strings_next_piece(&text, end, &piece)) {
        if (piece.kind == CT_STRINGS_PIECE_PLACEHOLDER)
            add_value(L, &out, &piece, strings);
        else
            luaL_addlstring(&out, piece.text, piece.bytes);
    }
    luaL_pushresult(&out);
}

// --- Functions -----------------------------------------------------------------------------------

// The number that picks the plural form: `count` among the values.
static bool read_count(lua_State *L, double *count) {
    if (lua_type(L, VALUES) != LUA_TTABLE)
        return false;
    lua_pushliteral(L, "count");
    lua_rawget(L, VALUES);
    const bool is_number = lua_isnumber(L, -1);
    *count = is_number ? lua_tonumber(L, -1) : 0;
    lua_pop(L, 1);
    return is_number;
}

// Pushes `, did you mean "…"?`, or nothing when no key is like it. Borrowed from Lua.
static const char *push_guess(lua_State *L, const ct_strings_resource *strings, const char *key) {
    const ct_strings_entry *const entries = ct_blob_at(strings, strings->entries.offset);
    const uint32_t count = strings->entries.count;
    ct_allocator *const a = ct_lua_of(L)->allocator;
    const char **const keys = CT_NEW_ARRAY(a, const char *, count + 1);
    for (uint32_t i = 0; i < count; ++i)
        keys[i] = ct_blob_at(strings, entries[i].key.offset);
    const char *const nearest = ct_nearest_name(key, keys, count);
    ct_free(a, keys);
    return nearest ? lua_pushfstring(L, ", did you mean \"%s\"?", nearest) : lua_pushfstring(L, "");
}

// Once for each key: frames ask again, and guessing looks at all keys.
static void warn_of_missing(lua_State *L, const ct_strings_resource *strings, ct_string_id64 name,
                            const char *key) {
    ct_script *const s = ct_script_of(L);
    const char *const language = ct_blob_at(strings, strings->language.offset);
    const uint64_t told =
        name.value + ct_string_id64_of(key).value * 3 + ct_string_id64_of(language).value * 5;
    if (ct_hash_map_find(&s->missing_texts, told))
        return;
    if (s->missing_texts.count < MAX_MISSING_TEXTS)
        ct_hash_map_set(&s->missing_texts, told, 1);
    ct_log_warning("lua", "missing_string", "the strings \"%s\" (%s) have no text \"%s\"%s",
                   ct_string_id64_name(name), language, key, push_guess(L, strings, key));
    lua_pop(L, 1);
}

// Text of GUIs is laid out in the language of the texts that the game looks up.
static void use_language(lua_State *L, const ct_strings_resource *strings) {
    ct_gui_system *const guis = ct_script_of(L)->gui;
    if (guis)
        ct_gui_system_follow_language(guis, ct_blob_at(strings, strings->language.offset));
}

static int lookup(lua_State *L) {
    ct_string_id64 name;
    const ct_strings_resource *const strings = check_localizer(L, &name);
    use_language(L, strings);
    const char *const key = ct_check_string(L, 2);
    if (!lua_isnoneornil(L, VALUES) && !lua_istable(L, VALUES))
        ct_argument_type_error(L, VALUES, "table");
    lua_settop(L, VALUES);
    const ct_strings_entry *const entry = ct_strings_find(strings, key, strlen(key));
    if (!entry) {
        warn_of_missing(L, strings, name, key);
        lua_pushnil(L);
        return 1;
    }
    double count;
    const bool has_count = read_count(L, &count);
    const ct_blob_string text = ct_strings_text(strings, entry, has_count ? &count : NULL);
    push_text(L, ct_blob_at(strings, text.offset), text.bytes, name);
    return 1;
}

static int language(lua_State *L) {
    ct_string_id64 name;
    const ct_strings_resource *const strings = check_localizer(L, &name);
    lua_pushlstring(L, ct_blob_at(strings, strings->language.offset), strings->language.bytes);
    return 1;
}

static const ct_lua_function functions[] = {
    {"language", language, "(self: Localizer) -> string",
     "Returns the language of the loaded strings, as \"fr\" or \"pt-br\"."},
    {"lookup", lookup, "(self: Localizer, key: string, values: table?) -> string?",
     "Returns the text of a key, in the plural form for `values.count`, with each `{name}` "
     "replaced by `values.name`. Returns nil and logs a warning when the text is missing."},
};

const ct_lua_module ct_api_localizer = {
    .name = "Localizer",
    .doc = "The texts of a strings resource in the loaded language.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
    .call = make_localizer,
    .call_signature = "(strings: string(strings)) -> Localizer",
};
