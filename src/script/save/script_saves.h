// script_saves.h: saved games in a script environment.
//
// The environment has one service for its files (save/save_service.h), made on first use, the version of
// the game's data with the migrations between versions, and what is being written. Update thread.
#pragma once
#include "save/save_service.h"
#include "save/save_value.h"
#include "script/script_private.h"

enum { CT_SAVE_MAX_VERSION = 1000000 };

// What a request gave, which is made once: migrations run only then.
typedef struct ct_script_save_result {
    int table;      // its reference; LUA_NOREF: not made yet
    bool is_making; // migrations run just now, and may ask for it
    bool has_failed;
} ct_script_save_result;

// A request that a Lua script numbers (SaveSystem.save); tokens have theirs in their userdata.
typedef struct ct_script_save_id {
    uint32_t id;
    ct_save_request *request;
    ct_script_save_result result;
} ct_script_save_id;

typedef struct ct_script_saves {
    ct_save_service *service;
    uint32_t version; // of the game's data
    int migrations;   // reference of the table; LUA_NOREF: none
    uint32_t last_id;
    CT_ARRAY(ct_script_save_id) ids;
    // What is being written: here, so that an error in between loses nothing.
    ct_byte_array info, data;
    CT_ARRAY(ct_save_bytes *) worlds; // borrowed from values on the stack
    struct ct_save_picture *picture;  // that was taken last; NULL: none was asked for
} ct_script_saves;

// Returns the environment's saves; makes them on the first call. Raises an error when the user has no
// folder.
ct_script_saves *ct_script_saves_of(lua_State *L);

// Waits for all that is being written, and frees everything.
void ct_script_saves_shutdown(ct_script *s);

// --- Values (script_save_value.c) ----------------------------------------------------------------

// Appends the value at `index` to `out`, which is inside `depth` tables there. Worlds in it are added to
// the `worlds` of `saves`. Raises an error that names the path of what cannot be saved, beginning with
// `name`. Without `saves` worlds are errors, too.
void ct_save_write_lua(lua_State *L, int index, const char *name, uint32_t depth,
                       ct_script_saves *saves, ct_byte_array *out);

// Pushes the next value. Worlds are those of `file`, each made once; NULL: there are none.
void ct_save_push_lua(lua_State *L, ct_save_reader *r, const ct_save_file *file);

// --- Results (script_save_result.c) --------------------------------------------------------------

// Pushes the info of a file, a table.
void ct_save_push_info(lua_State *L, const ct_save_file *file);

// Sets a field of the table on top, unless the text is empty.
void ct_save_set_text(lua_State *L, const char *key, const char *text);

// Returns whether a request that is done has read data of another version than the game's.
bool ct_save_needs_migration(const ct_script_saves *saves, const ct_save_request *r);

// Pushes a table with what a request that is done gave: done, progress, error, warning, replaced, info,
// data. Runs the migrations of the data, which may free the request. Raises no errors; returns false when
// the table has one.
bool ct_save_push_result(lua_State *L, const ct_save_request *r);

// --- Saved worlds (script_saved_world.c) ---------------------------------------------------------

// A saved world in Lua: a full userdata.
typedef struct ct_saved_world_value {
    uint32_t mark;
    uint32_t num_units;
    ct_save_bytes *bytes; // aligned to 8
    ct_entity *units;     // by number; {0}: not there
    ct_allocator *allocator;
} ct_saved_world_value;

// Pushes a saved world; takes over the holder of `bytes`, which were checked.
ct_saved_world_value *ct_push_saved_world(lua_State *L, ct_save_bytes *bytes);

// Returns the saved world at `index`, or NULL; or raises an error.
ct_saved_world_value *ct_saved_world_at(lua_State *L, int index);
ct_saved_world_value *ct_check_saved_world(lua_State *L, int argument);

// Functions of SaveSystem.
int ct_save_save_world(lua_State *L);
int ct_save_load_world(lua_State *L);
int ct_save_unit_number(lua_State *L);
int ct_save_unit(lua_State *L);
int ct_save_hash(lua_State *L);

// --- Behaviours (script_save_behaviours.c) -------------------------------------------------------

// Fills in the kind of behaviours of a world.
struct ct_save_component;
void ct_script_save_behaviours(lua_State *L, ct_world *world, struct ct_save_component *kind);
