// PackageTransferWatcher: how far packages are, by their names. A chunk is a package that some
// handle was made of; a watch is a list of chunks. Watches live until they are ended.
#include <string.h>

#include "script/api_check.h"
#include "script/resource/api_package_transfer_watcher.h"

extern const ct_lua_module ct_api_package_transfer_watcher;

enum { MAX_CHUNKS = 4096, PERCENT = 100 };

// --- Watches -------------------------------------------------------------------------------------

static void end_chunks(ct_script *s, uint32_t watch) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->chunks.count; ++i) {
        const ct_script_chunk c = s->chunks.items[i];
        if (watch == 0 || c.watch == watch)
            ct_free(s->lua.allocator, c.name);
        else
            s->chunks.items[kept++] = c;
    }
    s->chunks.count = kept;
}

void ct_script_end_transfer_watches(ct_script *s) {
    end_chunks(s, 0);
    ct_array_free(&s->chunks);
}

void ct_script_expect_transfers_anew(ct_script *s) {
    for (uint32_t i = 0; i < s->chunks.count; ++i) {
        ct_script_chunk *const c = &s->chunks.items[i];
        ct_error ignored = {0}; // loading it reports this
        ct_resource_progress expected;
        if (ct_resource_package_expect(s->lua.resources, c->name, &expected, &ignored))
            c->expected = expected;
    }
}

static bool has_watch(const ct_script *s, uint32_t watch) {
    for (uint32_t i = 0; i < s->chunks.count; ++i)
        if (s->chunks.items[i].watch == watch)
            return true;
    return false;
}

// The watch at argument 1, or 0 when there is none: all packages.
static uint32_t check_watch(lua_State *L) {
    if (lua_isnoneornil(L, 1))
        return 0;
    const uint32_t number = (uint32_t)ct_check_integer(L, 1, 1, UINT32_MAX);
    if (!has_watch(ct_script_of(L), number))
        ct_function_error(L, "unknown watch %u", number);
    return number;
}

// Returns the progress of a chunk. If loading it was not requested yet, everything it would load
// counts.
static ct_resource_progress progress_of_chunk(const ct_script *s, const ct_script_chunk *c,
                                              bool *is_loaded) {
    const ct_resource_progress p =
        ct_resource_manager_progress(s->lua.resources, ct_string_id64_of(c->name), is_loaded);
    return *is_loaded || p.num_resources > 0 ? p : c->expected;
}

// How far the chunks of a watch are; `is_complete` when all have loaded.
static ct_resource_progress progress_of(const ct_script *s, uint32_t watch, bool *is_complete) {
    if (watch == 0)
        return ct_resource_manager_progress(s->lua.resources, (ct_string_id64){0}, is_complete);
    ct_resource_progress sum = {0};
    *is_complete = true;
    for (uint32_t i = 0; i < s->chunks.count; ++i) {
        bool is_loaded = false;
        if (s->chunks.items[i].watch != watch)
            continue;
        const ct_resource_progress p = progress_of_chunk(s, &s->chunks.items[i], &is_loaded);
        sum.num_loaded += p.num_loaded;
        sum.num_resources += p.num_resources;
        sum.loaded_bytes += p.loaded_bytes;
        sum.bytes += p.bytes;
        *is_complete &= is_loaded;
    }
    return sum;
}

// --- Functions -----------------------------------------------------------------------------------

static int init(lua_State *L) {
    end_chunks(ct_script_of(L), 0);
    return 0;
}

static int completed(lua_State *L) {
    bool is_complete = false;
    progress_of(ct_script_of(L), check_watch(L), &is_complete);
    lua_pushboolean(L, is_complete);
    return 1;
}

static int progress(lua_State *L) {
    bool is_complete = false;
    const ct_resource_progress p = progress_of(ct_script_of(L), check_watch(L), &is_complete);
    const int percent = (int)(ct_resource_progress_share(&p) * PERCENT);
    lua_pushinteger(L, is_complete ? PERCENT : percent < PERCENT ? percent : PERCENT - 1);
    return 1;
}

static int transfer_status(lua_State *L) {
    bool is_complete = false;
    progress_of(ct_script_of(L), 0, &is_complete);
    lua_pushinteger(L, is_complete ? 0 : 1);
    return 1;
}

// Adds the package at `argument` to a watch; an error ends the watch.
static void watch_chunk(lua_State *L, int argument, uint32_t watch) {
    ct_script *const s = ct_script_of(L);
    const char *const name = ct_check_string(L, argument);
    ct_script_chunk chunk = {.watch = watch};
    ct_error error = {0};
    if (!ct_resource_package_expect(s->lua.resources, name, &chunk.expected, &error)) {
        end_chunks(s, watch);
        if (ct_resource_manager_can_get(s->lua.resources, "package", name))
            ct_argument_error(L, argument, "%s", error.message);
        ct_argument_error(L, argument, "there is no package \"%s\"%s", name,
                          ct_push_resource_guess(L, "package", name));
    }
    chunk.name = ct_copy_string(s->lua.allocator, name);
    ct_array_push(&s->chunks, chunk);
}

static int watch_specific_chunks(lua_State *L) {
    ct_script *const s = ct_script_of(L);
    const int count = lua_gettop(L);
    ct_check_string(L, 1);
    for (int i = 2; i <= count; ++i)
        ct_check_string(L, i);
    if (s->chunks.count + (uint32_t)count > MAX_CHUNKS)
        return ct_function_error(L, "expected at most %d watched packages", (int)MAX_CHUNKS);
    const uint32_t watch = ++s->last_watch;
    for (int i = 1; i <= count; ++i)
        watch_chunk(L, i, watch);
    lua_pushnumber(L, watch);
    return 1;
}

static int stop_watching_chunks(lua_State *L) {
    ct_check_integer(L, 1, 1, UINT32_MAX); // it cannot be left out here
    end_chunks(ct_script_of(L), check_watch(L));
    return 0;
}

// Once for each name, also when several watches have it.
static int last_completed_chunks(lua_State *L) {
    ct_script *const s = ct_script_of(L);
    int count = 0;
    lua_newtable(L);
    for (uint32_t i = 0; i < s->chunks.count; ++i) {
        ct_script_chunk *const c = &s->chunks.items[i];
        bool is_loaded = false, is_told = false;
        ct_resource_manager_progress(s->lua.resources, ct_string_id64_of(c->name), &is_loaded);
        for (uint32_t k = 0; k < i && !is_told; ++k)
            is_told = strcmp(s->chunks.items[k].name, c->name) == 0;
        if (is_loaded && !c->was_loaded && !is_told) {
            lua_pushstring(L, c->name);
            lua_rawseti(L, -2, ++count);
        }
        c->was_loaded = is_loaded;
    }
    return 1;
}

static const ct_lua_function functions[] = {
    {"completed", completed, "(watch: integer?) -> boolean",
     "Returns whether all packages of the watch have loaded; without a watch, whether no package "
     "is loading."},
    {"destroy", init, "() -> nil", "Ends all watches."},
    {"init", init, "() -> nil", "Ends all watches. Call it at the start."},
    {"last_completed_chunks", last_completed_chunks, "() -> string[]",
     "Returns the names of watched packages that have loaded since the last call."},
    {"progress", progress, "(watch: integer?) -> integer",
     "Returns how much of the watch's packages has loaded, in percent; without a watch, of all "
     "packages that are loaded or loading. 100 only when completed."},
    {"stop_watching_chunks", stop_watching_chunks, "(watch: integer) -> nil", "Ends a watch."},
    {"transfer_status", transfer_status, "() -> integer",
     "Returns 1 while a package is loading, else 0."},
    {"watch_specific_chunks", watch_specific_chunks, "(packages: string(package)+) -> integer",
     "Watches packages by their names, loaded or not; returns the number of the watch. A package "
     "whose loading has not been requested counts with everything that it would load."},
};

const ct_lua_module ct_api_package_transfer_watcher = {
    .name = "PackageTransferWatcher",
    .doc =
        "The loading progress of several packages. A chunk is a package, identified by its name.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
};
