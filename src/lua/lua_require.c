#include "foundation/container/sort.h"
#include "lua/debugger/lua_debugger_events.h"
#include "lua/lua_check.h"
#include "lua/lua_chunks.h"
#include "lua/lua_guards.h"
#include "lua/lua_machine.h"
#include "resource/resource_id.h"
#include "resource/types/lua_resource.h"

#include <ctype.h>
#include <string.h>

// Scripts that ran are remembered by name, so that a changed one runs again. The results of
// `require` are in the registry's _LOADED, as in Lua itself.

static const ct_lua_resource *find_script(const ct_lua *s, const char *name) {
    return ct_resource_manager_get(s->resources, "lua", ct_string_id64_of(name));
}

static void remember(ct_lua *s, const char *name) {
    const ct_string_id64 id = ct_string_id64_of(name);
    if (ct_hash_map_find(&s->script_places, id.value))
        return;
    ct_array_push(&s->script_names, ct_copy_string(s->allocator, name));
    ct_array_push(&s->script_ends, UINT32_MAX);
    ct_array_push(&s->are_behaviours, false);
    ct_hash_map_set(&s->script_places, id.value, s->script_names.count);
}

// Pushes the compiled text, or an error message. The chunk's name is what errors show.
static bool push_text(lua_State *L, const ct_lua_resource *script) {
    const char *const path = ct_blob_at(script, script->path.offset);
    const char *const text = ct_blob_at(script, script->text.offset);
    const char *const chunk_name = lua_pushfstring(L, "@%s", path);
    const int status = luaL_loadbufferx(L, text, script->text.bytes, chunk_name, "t");
    lua_remove(L, -2);
    return status == 0;
}

// Pushes the compiled text, or raises its error. Keeps the function, for a debugger to find the script's
// functions and their lines.
static void push_kept_text(lua_State *L, const ct_lua_resource *script) {
    const char *const path = ct_blob_at(script, script->path.offset);
    if (!push_text(L, script))
        lua_error(L);
    const bool is_new = ct_lua_keep_chunk(L, path);
    ct_lua_debugger_on_chunk(ct_lua_of(L)->debugger, path, is_new);
}

// Raises an error that says why there is no such script.
static void missing_script(lua_State *L, const ct_lua *s, const char *name) {
    char nearest[CT_RESOURCE_NAME_BYTES];
    if (s->is_confined)
        luaL_error(
            L,
            "the script \"%s\" is not loaded, and jobs cannot load it; require it at the top "
            "of the job's script",
            name);
    if (!ct_resource_name_is_canonical(name)) {
        ct_resource_name_suggest(name, nearest);
        luaL_error(L, "\"%s\" is not a script name; expected a name like \"%s\"", name, nearest);
    }
    if (ct_resource_manager_can_get(s->resources, "lua", name))
        luaL_error(L, "the script \"%s\" is not loaded; expected it in a loaded package", name);
    luaL_error(L, "there is no script \"%s\"%s", name, ct_push_resource_guess(L, "lua", name));
}

// Loads a script that no loaded package holds; NULL when there is none. Raises an error when it is
// refused.
static const ct_lua_resource *load_script(lua_State *L, const ct_lua *s, const char *name) {
    ct_error error = {0};
    if (!ct_resource_name_is_canonical(name) ||
        !ct_resource_manager_can_get(s->resources, "lua", name))
        return NULL;
    if (!ct_resource_manager_load_now(s->resources, "lua", name, &error))
        luaL_error(L, "%s", error.message);
    return find_script(s, name);
}

void ct_lua_push_chunk(lua_State *L, const char *name) {
    ct_lua *s = ct_lua_of(L);
    const ct_lua_resource *script = find_script(s, name);
    remember(s, name);
    if (!script && s->loads_scripts && !s->is_confined)
        script = load_script(L, s, name);
    if (!script)
        missing_script(L, s, name);
    push_kept_text(L, script);
}

// --- require -------------------------------------------------------------------------------------

typedef struct running_scope {
    ct_u64_array *running;
    uint32_t count;
} running_scope;

static void leave_running(const running_scope *scope) {
    scope->running->count = scope->count;
}

const char *ct_lua_known_script(const ct_lua *s, ct_string_id64 script) {
    const uint64_t place = ct_hash_map_get(&s->script_places, script.value, 0);
    return place ? s->script_names.items[place - 1] : NULL;
}

const char *ct_lua_name_of(const ct_lua *s, ct_string_id64 script,
                           char name[CT_RESOURCE_NAME_BYTES]) {
    const ct_lua_resource *const lua = ct_resource_manager_get(s->resources, "lua", script);
    if (!lua)
        return ct_string_id64_name(script);
    const char *const path = ct_blob_at(lua, lua->path.offset);
    const char *const slash = strrchr(path, '/');
    const size_t length = (size_t)(slash ? slash - path : 0) + strcspn(slash ? slash : path, ".");
    if (length >= CT_RESOURCE_NAME_BYTES)
        return ct_string_id64_name(script);
    memcpy(name, path, length);
    name[length] = 0;
    return ct_string_id64_of(name).value == script.value ? name : ct_string_id64_name(script);
}

// Raises an error with the chain of requires, from the script at `first` to `name` again.
static void refuse_loop(lua_State *L, const ct_lua *s, uint32_t first, const char *name) {
    luaL_Buffer chain;
    luaL_buffinit(L, &chain);
    for (uint32_t i = first; i < s->running_scripts.count; ++i) {
        const char *const known =
            ct_lua_known_script(s, (ct_string_id64){s->running_scripts.items[i]});
        luaL_addstring(&chain, known ? known : "?");
        luaL_addstring(&chain, " -> ");
    }
    luaL_addstring(&chain, name);
    luaL_pushresult(&chain);
    luaL_error(L, "the script \"%s\" requires itself: %s", name, lua_tostring(L, -1));
}

static void refuse_loops(lua_State *L, const ct_lua *s, const char *name) {
    for (uint32_t i = 0; i < s->running_scripts.count; ++i) {
        if (s->running_scripts.items[i] == ct_string_id64_of(name).value)
            refuse_loop(L, s, i, name);
    }
}

// Scripts end after those that they require.
static void note_end(ct_lua *s, const char *name) {
    const uint64_t place = ct_hash_map_get(&s->script_places, ct_string_id64_of(name).value, 0);
    if (place && s->script_ends.items[place - 1] == UINT32_MAX)
        s->script_ends.items[place - 1] = s->num_script_ends++;
}

// Runs the chunk on top with its name; one result takes their place. An error leaves the script not
// required, so that the next try runs it again.
static void run_required(lua_State *L, const char *name) {
    ct_u64_array *const running = &ct_lua_of(L)->running_scripts;
    CT_CLEANUP(leave_running) const running_scope scope = {running, running->count};
    ct_array_push(running, ct_string_id64_of(name).value);
    lua_pushstring(L, name);
    lua_call(L, 1, 1);
    note_end(ct_lua_of(L), name);
    (void)scope;
}

// Libraries that unsafe environments hold ready, `jit.util` say.
static bool push_preloaded(lua_State *L, const char *name) {
    lua_getfield(L, LUA_REGISTRYINDEX, "_PRELOAD");
    if (!lua_istable(L, -1)) {
        lua_pop(L, 1);
        return false;
    }
    lua_getfield(L, -1, name);
    lua_remove(L, -2);
    if (lua_isfunction(L, -1))
        return true;
    lua_pop(L, 1);
    return false;
}

int ct_lua_require(lua_State *L) {
    luaL_checkstring(L, 1); // makes a string of a number
    const char *const name = ct_check_string(L, 1);
    ct_lua_check_c_stack(L);
    lua_settop(L, 1);
    lua_getfield(L, LUA_REGISTRYINDEX, "_LOADED");
    lua_getfield(L, 2, name);
    if (lua_toboolean(L, -1))
        return 1;
    lua_settop(L, 2);
    refuse_loops(L, ct_lua_of(L), name);
    if (!push_preloaded(L, name))
        ct_lua_push_chunk(L, name);
    run_required(L, name);
    if (lua_isnil(L, -1)) {
        lua_pop(L, 1);
        lua_pushboolean(L, 1);
    }
    lua_pushvalue(L, -1);
    lua_setfield(L, 2, name);
    return 1;
}

// --- Reload --------------------------------------------------------------------------------------

// Copies every pair of the table at `from` to the one at `to`.
static void copy_pairs(lua_State *L, int from, int to) {
    lua_pushnil(L);
    while (lua_next(L, from)) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, to);
    }
}

// The length of the name at `text`: letters, digits and _.
static size_t name_length(const char *text) {
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_')
        ++length;
    return length;
}

const char *ct_lua_push_return_guess(lua_State *L, const void *blob) {
    static const char start[] = "function ";
    const ct_lua_resource *const script = blob;
    const char *text = script ? ct_blob_at(script, script->text.offset) : "";
    while ((text = strstr(text, start))) {
        text += sizeof(start) - 1;
        const size_t length = name_length(text);
        if (length == 0 || (text[length] != '.' && text[length] != ':'))
            continue;
        lua_pushlstring(L, text, length);
        lua_pushfstring(L, "; does it end in \"return %s\"?", lua_tostring(L, -1));
        lua_remove(L, -2);
        return lua_tostring(L, -1);
    }
    return lua_pushfstring(L, "; does it end in \"return\" and the table?");
}

// A script that runs again.
typedef struct changed_script {
    const char *name;
    bool is_behaviour;
    const ct_lua_resource *blob;
    int globals; // reference of a copy of the globals before
} changed_script;

static int copy_globals(lua_State *L) {
    changed_script *const changed = ct_lua_run_data(L);
    lua_newtable(L);
    lua_pushvalue(L, LUA_GLOBALSINDEX);
    copy_pairs(L, 2, 1);
    lua_settop(L, 1);
    changed->globals = luaL_ref(L, LUA_REGISTRYINDEX);
    return 0;
}

static int forget_globals(lua_State *L) {
    const changed_script *const changed = ct_lua_run_data(L);
    luaL_unref(L, LUA_REGISTRYINDEX, changed->globals);
    return 0;
}

// Makes the globals what they were.
static int restore_globals(lua_State *L) {
    const changed_script *const changed = ct_lua_run_data(L);
    lua_rawgeti(L, LUA_REGISTRYINDEX, changed->globals);
    lua_pushvalue(L, LUA_GLOBALSINDEX);
    lua_pushnil(L);
    while (lua_next(L, 2)) { // clearing fields while walking is allowed
        lua_pop(L, 1);
        lua_pushvalue(L, -1);
        lua_pushnil(L);
        lua_rawset(L, 2);
    }
    copy_pairs(L, 1, 2);
    return 0;
}

// Lets the old result at `old` take over the members and the metatable of the new one on top, or
// puts that in its place when they are no tables.
static void take_over(lua_State *L, int loaded, int old, const char *name) {
    const int result = lua_gettop(L);
    if (!lua_istable(L, old) || !lua_istable(L, result)) {
        if (!lua_isnil(L, result))
            lua_setfield(L, loaded, name);
        return;
    }
    copy_pairs(L, result, old);
    if (lua_getmetatable(L, result))
        lua_setmetatable(L, old);
}

static int run_again(lua_State *L) {
    const changed_script *const changed = ct_lua_run_data(L);
    lua_getfield(L, LUA_REGISTRYINDEX, "_LOADED");
    lua_getfield(L, 1, changed->name);
    push_kept_text(L, changed->blob);
    run_required(L, changed->name);
    if (changed->is_behaviour && lua_isnil(L, -1))
        luaL_error(L, CT_LUA_NO_BEHAVIOUR, changed->name, "nothing",
                   ct_lua_push_return_guess(L, changed->blob));
    if (!lua_isnil(L, 2))
        take_over(L, 1, 2, changed->name);
    return 0;
}

static bool run_and_log(ct_lua *s, lua_CFunction function, changed_script *changed) {
    const bool has_run = ct_lua_run(s, function, changed);
    if (!has_run)
        ct_lua_log_error(s);
    return has_run;
}

// Runs a script again. When that fails returns false with its error in `error`, and the globals as
// they were before.
static bool run_changed(ct_lua *s, uint32_t place, ct_lua_error *error) {
    const char *const name = s->script_names.items[place];
    changed_script changed = {
        .name = name, .is_behaviour = s->are_behaviours.items[place], .blob = find_script(s, name)};
    bool has_run = ct_lua_run(s, copy_globals, &changed);
    if (!has_run) {
        ct_lua_exchange_error(s, error);
        return false;
    }
    has_run = ct_lua_run(s, run_again, &changed);
    if (!has_run) {
        ct_lua_exchange_error(s, error);
        run_and_log(s, restore_globals, &changed);
    }
    run_and_log(s, forget_globals, &changed);
    return has_run;
}

bool ct_lua_note_changed(ct_lua *s, ct_string_id64 script, bool is_behaviour) {
    const uint64_t place = ct_hash_map_get(&s->script_places, script.value, 0);
    if (place) {
        ct_array_push(&s->changed_scripts, (uint32_t)place - 1);
        s->are_behaviours.items[place - 1] = is_behaviour;
    }
    return place != 0;
}

// Sorts scripts by when they first ended, each once, without those that are gone.
static void sort_changed(const ct_lua *s, ct_u32_array *places) {
    ct_u64_array keys, scratch;
    ct_array_init(&keys, s->allocator);
    ct_array_init(&scratch, s->allocator);
    for (uint32_t i = 0; i < places->count; ++i) {
        const uint32_t place = places->items[i];
        if (find_script(s, s->script_names.items[place]))
            ct_array_push(&keys, (uint64_t)s->script_ends.items[place] << 32 | place);
    }
    ct_array_resize(&scratch, keys.count);
    ct_sort_u64(keys.items, scratch.items, keys.count);
    places->count = 0;
    for (uint32_t i = 0; i < keys.count; ++i) {
        if (i == 0 || keys.items[i] != keys.items[i - 1])
            ct_array_push(places, (uint32_t)keys.items[i]);
    }
    ct_array_free(&keys);
    ct_array_free(&scratch);
}

// Runs `places`, of which those that fail are left, with their errors. Appends the rest to `ran`.
static void run_each(ct_lua *s, ct_u32_array *places, ct_lua_error *errors, ct_u32_array *ran) {
    uint32_t num_failed = 0;
    for (uint32_t i = 0; i < places->count; ++i) {
        const uint32_t place = places->items[i];
        if (run_changed(s, place, &errors[num_failed]))
            ct_array_push(ran, place);
        else
            places->items[num_failed++] = place;
    }
    places->count = num_failed;
}

// Nothing that a script does may change the lists meanwhile: what it does to them is kept.
void ct_lua_run_changed(ct_lua *s, ct_string_array *ran) {
    ct_u32_array places = s->changed_scripts, done;
    ct_array_push_many(&places, s->failed_scripts.items, s->failed_scripts.count);
    ct_array_init(&s->changed_scripts, s->allocator);
    s->failed_scripts.count = 0;
    ct_array_init(&done, s->allocator);
    sort_changed(s, &places);
    const uint32_t num_errors = places.count;
    ct_lua_error *const errors = CT_NEW_ARRAY(s->allocator, ct_lua_error, num_errors);
    for (uint32_t i = 0; i < num_errors; ++i)
        ct_lua_error_init(&errors[i], s->allocator);
    // Those that fail may need what others of them gained.
    uint32_t before = 0;
    do {
        before = places.count;
        run_each(s, &places, errors, &done);
    } while (places.count > 0 && places.count < before);
    for (uint32_t i = 0; i < places.count; ++i) {
        ct_lua_exchange_error(s, &errors[i]);
        ct_lua_log_error(s);
    }
    ct_array_push_many(&s->failed_scripts, places.items, places.count);
    for (uint32_t i = 0; i < done.count; ++i)
        ct_array_push(ran, s->script_names.items[done.items[i]]);
    for (uint32_t i = 0; i < num_errors; ++i)
        ct_lua_error_free(&errors[i]);
    ct_free_sized(s->allocator, errors, sizeof(*errors) * (uint64_t)num_errors);
    ct_array_free(&places);
    ct_array_free(&done);
}

void ct_lua_scripts_init(ct_lua *s) {
    ct_array_init(&s->script_names, s->allocator);
    ct_array_init(&s->script_ends, s->allocator);
    ct_array_init(&s->are_behaviours, s->allocator);
    ct_array_init(&s->changed_scripts, s->allocator);
    ct_array_init(&s->failed_scripts, s->allocator);
    ct_array_init(&s->running_scripts, s->allocator);
    ct_hash_map_init(&s->script_places, s->allocator);
}

void ct_lua_scripts_free(ct_lua *s) {
    for (uint32_t i = 0; i < s->script_names.count; ++i)
        ct_free(s->allocator, s->script_names.items[i]);
    ct_array_free(&s->script_names);
    ct_array_free(&s->script_ends);
    ct_array_free(&s->are_behaviours);
    ct_array_free(&s->changed_scripts);
    ct_array_free(&s->failed_scripts);
    ct_array_free(&s->running_scripts);
    ct_hash_map_free(&s->script_places);
}
