// lua_references.h: which resources a script names.
//
// A literal that is alone an argument which the function's signature calls the name of a
// resource (lua/lua_signature.h) is a reference: `World.spawn_unit(world, "units/box")`, the
// method `world:spawn_unit("units/box")` whatever `world` is, and calls by a local name that was
// given the function or the module: `local spawn = World.spawn_unit`. So is that of `require`.
// Other literals that could be names are likely ones; parts of a text joined by `..` are not.
// Scopes are not followed: a local name means what it was given last before the call.
#pragma once
#include "content/move/content_mentions.h"

// Appends the mentions of `bytes` bytes (less than 4 GiB) of Lua in the order of the text; text
// that is no Lua gives what can be made of it. Temporary memory comes from `a`. Any thread.
void ct_lua_references_find(ct_allocator *a, const char *lua, uint64_t bytes,
                            ct_mentions *mentions);
