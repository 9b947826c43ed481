#include "lua/lua_machine.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// What may follow at the end of a text that somebody types: names of globals, or of the members of
// `a.b` or `a:b`. Tables are read raw, and only tables that metatables name by `__index` are
// followed: completing runs nothing of the game.

enum { MAX_NAMES = 512, MAX_INHERITED = 8 };

// The names found: their texts in one builder, one behind the other, each with its zero byte.
typedef struct names {
    const char *chain;    // what is completed, from its first name on
    uint32_t owner_bytes; // of `chain`, without the name that is completed and what is before it
    const char *prefix;
    uint32_t prefix_bytes;
    bool are_methods; // behind a colon: functions only
    int globals;      // the index of the table that the chain starts from
    ct_string_builder texts;
    ct_u32_array starts;
} names;

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

static bool is_name(const char *text, size_t bytes) {
    if (bytes == 0 || isdigit((unsigned char)text[0]))
        return false;
    for (size_t i = 0; i < bytes; ++i) {
        if (!is_word(text[i]))
            return false;
    }
    return true;
}

// The start of the chain of names (`World.sp`, `a.b:c`) that ends at `end`.
static uint32_t chain_start(const char *text, uint32_t end) {
    while (end > 0 && (is_word(text[end - 1]) || text[end - 1] == '.' || text[end - 1] == ':'))
        --end;
    return end;
}

// Replaces the table on top by its member, or by nil.
static void push_member(lua_State *L, const char *name, uint32_t bytes) {
    for (int i = 0; i < MAX_INHERITED && lua_istable(L, -1); ++i) {
        lua_pushlstring(L, name, bytes);
        lua_rawget(L, -2);
        if (!lua_isnil(L, -1)) {
            lua_replace(L, -2);
            return;
        }
        lua_pop(L, 1);
        if (!luaL_getmetafield(L, -1, "__index"))
            break;
        lua_replace(L, -2);
    }
    lua_pop(L, 1);
    lua_pushnil(L);
}

// Pushes the table whose members `chain` (up to its last name) asks for; nil when there is none.
static void push_owner(lua_State *L, const names *n) {
    const char *const chain = n->chain;
    const uint32_t bytes = n->owner_bytes;
    lua_pushvalue(L, n->globals);
    uint32_t i = 0;
    while (i < bytes) {
        uint32_t end = i;
        while (end < bytes && is_word(chain[end]))
            ++end;
        push_member(L, chain + i, end - i);
        i = end + 1;
    }
}

static void add_name(names *n, const char *text, size_t bytes) {
    if (n->starts.count == MAX_NAMES || bytes < n->prefix_bytes ||
        memcmp(text, n->prefix, n->prefix_bytes) != 0 || !is_name(text, bytes))
        return;
    ct_array_push(&n->starts, n->texts.length);
    ct_string_builder_add_bytes(&n->texts, text, (uint32_t)bytes);
    ct_string_builder_add_char(&n->texts, '\0');
}

// Adds the keys of the table on top, and of those it inherits from.
static void add_keys(lua_State *L, names *n) {
    for (int i = 0; i < MAX_INHERITED && lua_istable(L, -1); ++i) {
        lua_pushnil(L);
        while (lua_next(L, -2)) {
            size_t bytes;
            const bool fits = !n->are_methods || lua_isfunction(L, -1);
            if (lua_type(L, -2) == LUA_TSTRING && fits) {
                const char *const key = lua_tolstring(L, -2, &bytes);
                add_name(n, key, bytes);
            }
            lua_pop(L, 1);
        }
        if (!luaL_getmetafield(L, -1, "__index"))
            break;
        lua_replace(L, -2);
    }
    lua_pop(L, 1);
}

static int by_text(const void *a, const void *b, void *texts) {
    return strcmp((const char *)texts + *(const uint32_t *)a,
                  (const char *)texts + *(const uint32_t *)b);
}

// Appends the names in order, each once, separated by line ends.
static void write_names(names *n, ct_string_builder *out) {
    if (n->starts.count != 0)
        qsort_r(n->starts.items, n->starts.count, sizeof(uint32_t), by_text, n->texts.text);
    const char *last = NULL;
    for (uint32_t i = 0; i < n->starts.count; ++i) {
        const char *const name = n->texts.text + n->starts.items[i];
        if (last && strcmp(last, name) == 0)
            continue;
        ct_string_builder_addf(out, "%s%s", last ? "\n" : "", name);
        last = name;
    }
}

static void free_names(names *n) {
    ct_string_builder_free(&n->texts);
    ct_array_free(&n->starts);
}

uint32_t ct_lua_complete_in(lua_State *L, const char *text, ct_string_builder *found) {
    ct_allocator *const a = ct_lua_of(L)->allocator;
    const uint32_t end = (uint32_t)strlen(text);
    const uint32_t first = chain_start(text, end);
    uint32_t start = end;
    while (start > first && is_word(text[start - 1]))
        --start;
    if (start == first + 1)
        return start; // of what a call or an index gave, which only running it could tell
    luaL_checkstack(L, 8, NULL);
    CT_CLEANUP(free_names)
    names n = {
        .chain = text + first,
        .owner_bytes = start > first ? start - first - 1 : 0,
        .prefix = text + start,
        .prefix_bytes = end - start,
        .are_methods = start > first && text[start - 1] == ':',
        .globals = lua_gettop(L),
    };
    ct_string_builder_init(&n.texts, a);
    ct_array_init(&n.starts, a);
    push_owner(L, &n);
    add_keys(L, &n);
    write_names(&n, found);
    return start;
}

typedef struct completion {
    const char *text;
    ct_string_builder *found;
    uint32_t start;
} completion;

static int complete(lua_State *L) {
    completion *const c = ct_lua_run_data(L);
    lua_pushvalue(L, LUA_GLOBALSINDEX);
    c->start = ct_lua_complete_in(L, c->text, c->found);
    return 0;
}

uint32_t ct_lua_complete(ct_lua *s, const char *text, ct_string_builder *found) {
    completion c = {text, found, (uint32_t)strlen(text)};
    ct_lua_run(s, complete, &c);
    return c.start;
}
