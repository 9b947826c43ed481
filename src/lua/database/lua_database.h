// lua_database.h: scripts over the objects of a database.
//
// A plain Lua without the engine: the standard library, and the module Database (docs/database.md). Values are as in
// the text format (database_text.h): a reference is {reference = GUID}, a set {set = {GUID, …}}, a blob {blob = hash,
// bytes = n}; GUIDs are text.
#pragma once
#include "database/database.h"

// Runs a script of Lua. Returns false with `error`, which has the traceback, when it does not compile or raises an
// error. What it changed and did not commit is among the local changes of `db` then and afterwards.
bool ct_lua_database_run(ct_allocator *a, ct_database *db, const char *path, ct_error *error);
