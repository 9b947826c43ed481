// lua_resource.h: the blob of a Lua script: its text, whose syntax was checked, and its file name.
#pragma once
#include "resource/types/resource_types.h"

enum { CT_LUA_VERSION = 1 };

typedef struct ct_lua_resource {
    ct_blob_header header;
    ct_blob_string path; // of the source, as errors name it: "scripts/main.lua"
    ct_blob_string text;
} ct_lua_resource;

extern const ct_blob_layout ct_lua_layout;

// Checks a blob of this type, whose header was checked: that every offset lies inside, and that values
// are in range. Returns false with `error`, which names what differs. libc only.
bool ct_lua_validate(const void *blob, ct_error *error);

// True for the names that `require` finds in LuaJIT itself; all others are scripts.
bool ct_lua_is_module(const char *name);
