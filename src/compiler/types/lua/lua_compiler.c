// Compiles Lua scripts: checks the syntax; the blob holds the text, so that errors at run time show
// the line in the source.
#include "compiler/protocol/compiler_types.h"
#include "compiler/types/lua/worker_lua_requires.h"
#include "foundation/error.h"
#include "resource/types/lua_resource.h"

#include <lauxlib.h>
#include <lua.h>
#include <stdlib.h>
#include <string.h>

// A short chunk name: Lua cuts long ones, and only the line of its message is of use here.
#define CHUNK_NAME "=lua"
#define MESSAGE_START "lua:"

// Tells Lua's message `lua:LINE: text` with the line as its place. Returns false.
static bool report_lua_error(ct_compile *c, const char *message) {
    if (!message)
        return ct_compile_error_at(c, NULL, 0, 0,
                                   "the Lua compiler failed without an error message");
    if (strncmp(message, MESSAGE_START, strlen(MESSAGE_START)) != 0)
        return ct_compile_error_at(c, NULL, 0, 0, "%s", message);
    char *end = NULL;
    const unsigned long line = strtoul(message + strlen(MESSAGE_START), &end, 10);
    if (strncmp(end, ": ", 2) == 0)
        end += 2;
    return ct_compile_error_at(c, NULL, (uint32_t)line, 0, "%s", end);
}

static void *allocate(void *user, void *p, size_t old_bytes, size_t new_bytes) {
    // Without a block, Lua tells a kind of object in place of the size.
    return ct_realloc(user, p, p ? old_bytes : 0, new_bytes);
}

static bool check_syntax(ct_compile *c) {
    lua_State *const lua = lua_newstate(allocate, c->allocator);
    CT_ASSERT(lua, "no Lua state could be made%s", "");
    bool result = true;
    if (luaL_loadbuffer(lua, c->text, (size_t)c->text_bytes, CHUNK_NAME) != 0)
        result = report_lua_error(c, lua_tostring(lua, -1));
    lua_close(lua);
    return result;
}

bool ct_compile_lua(ct_compile *c) {
    // Lua would take its own bytecode for a script, unchecked.
    if (c->text_bytes > 0 && c->text[0] == 0x1b)
        return ct_compile_error_at(c, NULL, 1, 1, "found Lua bytecode, expected Lua source text");
    if (c->text_bytes >= UINT32_MAX / 2)
        return ct_compile_error_at(c, NULL, 0, 0,
                                   "the script has %llu bytes; expected at most 2 GiB",
                                   (unsigned long long)c->text_bytes);
    if (!check_syntax(c))
        return false;
    ct_worker_lua_requires(c, c->text);
    ct_lua_resource r = {.path = {0}};
    ct_blob_begin(&c->blob, &ct_lua_layout);
    r.path = ct_blob_write_string(&c->blob, c->path, strlen(c->path));
    r.text = ct_blob_write_string(&c->blob, c->text, c->text_bytes);
    ct_blob_end(&c->blob, &ct_lua_layout, &r);
    return true;
}
