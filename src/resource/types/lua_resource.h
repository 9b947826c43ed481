// lua_resource.h: the blob of a Lua script: its text, after a syntax check, and its file name.
#pragma once
#include "resource/types/resource_types.h"

enum { CT_LUA_VERSION = 1 };

typedef struct ct_lua_resource {
    ct_blob_header header;
    ct_blob_string path; // of the source, as in errors: "scripts/main.lua"
    ct_blob_string text;
} ct_lua_resource;

extern const ct_blob_layout ct_lua_layout;

// Validates a blob of this type after its header was checked: every offset is inside the blob, and
// values are in range. Returns false with `error`, which names the invalid member. libc only.
bool ct_lua_validate(const void *blob, ct_error *error);

// Returns whether `require` finds this name in LuaJIT itself; all other names are scripts.
bool ct_lua_is_module(const char *name);
