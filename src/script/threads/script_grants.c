// Modules in a worker, under locks: LuaThreads.lock_api and unlock_api, and the checks of each call.
//
// What lock_api returns is a table whose functions are made when they are first asked for. Each has
// the grant as an upvalue behind those of every module function, checks, and calls the module's own
// function in the same frame. Tables of locks that were given back are used again.

#include <string.h>

#include "foundation/error.h"
#include "lua/lua_check.h"
#include "script/entity/api_managers.h"
#include "script/threads/script_threads_private.h"
#include "script/world/api_pose.h"

enum { UPVALUE_GRANT = CT_UPVALUE_ROOT + 1, UPVALUE_FUNCTION };

// --- Scopes --------------------------------------------------------------------------------------

// The unit at the top of what `e` is linked to: with the whole it moves.
static ct_entity root_of(const ct_script *s, ct_entity e) {
    const ct_world_transform t = ct_world_transform_of(s->worlds, e);
    if (!t.transform.index)
        return e;
    ct_transform top = t.transform;
    for (ct_transform above = ct_transform_parent(t.transforms, top); above.index;
         above = ct_transform_parent(t.transforms, top))
        top = above;
    return top.index == t.transform.index ? e : ct_transform_entity(t.transforms, top);
}

static uint64_t id_of_world(const ct_world *world) {
    return (uint64_t)(uintptr_t)world;
}

static void refuse_scope(lua_State *L, const ct_lockable_module *m) {
    static const char *const expected[] = {"nil: it is locked as a whole", "World or nil",
                                           "Unit, World or nil"};
    ct_argument_error(L, 2, "expected %s for the module %s, got %s", expected[m->grain],
                      m->module->name, ct_push_value_description(L, 2));
}

// The scope at argument 2; `unit` is the one there, or {0}.
static ct_api_scope check_scope(lua_State *L, const ct_lockable_module *m, ct_entity *unit) {
    ct_api_scope scope = {.domain = m->domain};
    *unit = (ct_entity){0};
    if (lua_isnoneornil(L, 2))
        return scope;
    const ct_script *const s = ct_script_of(L);
    const uint64_t value = ct_value_at(L, 2);
    if (ct_value_kind_of(value) == CT_VALUE_KIND_ENTITY && m->grain == CT_LOCKABLE_GRAIN_UNIT) {
        ct_world *world;
        *unit = ct_check_unit(L, 2, &world);
        scope.world = id_of_world(world);
        scope.unit = root_of(s, *unit).id;
        return scope;
    }
    const ct_lua_object *const object = ct_object_of(&s->lua, value);
    if (m->grain == CT_LOCKABLE_GRAIN_ALL || !object || object->type != &ct_type_world)
        refuse_scope(L, m);
    scope.world = id_of_world(object->object);
    return scope;
}

static ct_api_lock_mode check_mode(lua_State *L) {
    static const char *const names[] = {"read", "write", NULL};
    if (lua_isnoneornil(L, 3))
        return CT_API_LOCK_MODE_WRITE;
    if (lua_type(L, 3) == LUA_TNUMBER)
        return (ct_api_lock_mode)ct_check_integer(L, 3, CT_API_LOCK_MODE_READ,
                                                  CT_API_LOCK_MODE_WRITE);
    return ct_check_name_of(L, 3, names) ? CT_API_LOCK_MODE_WRITE : CT_API_LOCK_MODE_READ;
}

static uint32_t check_api(lua_State *L) {
    uint32_t count;
    ct_lockable_modules(&count);
    const char *const name = ct_check_string(L, 1);
    const char *const *const names = ct_lockable_names();
    for (uint32_t i = 0; i < count; ++i) {
        if (strcmp(names[i], name) == 0)
            return i;
    }
    luaL_Buffer all;
    luaL_buffinit(L, &all);
    for (uint32_t i = 0; i < count; ++i) {
        luaL_addstring(&all, i ? ", " : "");
        luaL_addstring(&all, names[i]);
    }
    luaL_pushresult(&all);
    return (uint32_t)ct_argument_error(L, 1,
                                       "expected a module that can be locked (%s), got \"%.64s\"",
                                       lua_tostring(L, -1), name);
}

// --- Calls ---------------------------------------------------------------------------------------

static const ct_lockable_function *called_function(lua_State *L, const ct_script_grant *g) {
    return &g->lockable->functions[(uint32_t)lua_tonumber(L, lua_upvalueindex(UPVALUE_FUNCTION))];
}

static void refuse_argument(lua_State *L, const ct_script_grant *g, int argument,
                            const char *owner) {
    ct_argument_error(L, argument,
                      "expected what was locked at %s, got %s, which belongs to %s; lock it too",
                      g->lock->place, ct_push_value_description(L, argument), owner);
}

// Objects of the modules here belong to the world that they point to.
static void check_world_of_object(lua_State *L, const ct_script_grant *g) {
    const ct_lua_object *const object = ct_object_of(ct_lua_of(L), ct_value_at(L, 1));
    if (object && id_of_world(object->object) != g->scope.world)
        refuse_argument(L, g, 1, "another world");
}

// Whether the unit belongs to what is locked.
static bool covers_unit(const ct_script *s, const ct_script_grant *g, ct_entity e) {
    if (e.id == g->unit.id)
        return true;
    ct_world *const world = ct_world_of(s->worlds, e);
    if (!world || id_of_world(world) != g->scope.world)
        return false;
    return !g->scope.unit || root_of(s, e).id == g->scope.unit;
}

static void check_unit_argument(lua_State *L, const ct_script_grant *g, int argument) {
    const uint64_t value = ct_value_at(L, argument);
    if (ct_value_kind_of(value) != CT_VALUE_KIND_ENTITY)
        return; // the function refuses it itself
    const ct_script *const s = ct_script_of(L);
    const ct_entity e = ct_entity_of_bits(value >> CT_VALUE_KIND_BITS);
    if (!covers_unit(s, g, e) && ct_entity_is_alive(s->lua.entities, e))
        refuse_argument(L, g, argument, g->unit.id ? "another unit" : "another world");
}

static void check_world_argument(lua_State *L, const ct_script_grant *g) {
    if (g->scope.unit)
        ct_function_error(L, "works on more than a unit; lock %s of the world for it",
                          g->lockable->module->name);
    check_world_of_object(L, g);
}

static void check_call(lua_State *L, const ct_script_grant *g, const ct_lockable_function *f) {
    if (!g->lock)
        ct_function_error(L, "the lock of %s was given back; call LuaThreads.lock_api again",
                          g->lockable->module->name);
    if (g->job != g->worker->running)
        ct_function_error(L,
                          "the lock of %s belongs to the job \"%s\"; call LuaThreads.lock_api for "
                          "one of its own",
                          g->lockable->module->name, g->job->owner.name);
    if (f->writes && g->mode != CT_API_LOCK_MODE_WRITE)
        ct_function_error(L, "needs a lock for \"write\"; %s was locked for \"read\" at %s",
                          g->lockable->module->name, g->lock->place);
    if (!g->scope.world)
        return;
    if (f->rule == CT_LOCKABLE_RULE_WORLD_1)
        check_world_argument(L, g);
    else if (f->rule == CT_LOCKABLE_RULE_UNIT_1)
        check_unit_argument(L, g, 1);
    else if (f->rule == CT_LOCKABLE_RULE_UNIT_2) {
        check_world_of_object(L, g); // the manager
        check_unit_argument(L, g, 2);
    }
}

static void unlock_shared(ct_mutex **mutex) {
    ct_mutex_unlock(*mutex);
}

// Readers of a node must find its pose up to date: they would change it otherwise.
static void refresh_nodes(lua_State *L) {
    const ct_script *const s = ct_script_of(L);
    const ct_entity e = ct_entity_of_bits(ct_value_at(L, 1) >> CT_VALUE_KIND_BITS);
    const ct_world *const world = ct_world_of(s->worlds, e);
    ct_scene_graph_manager *const graphs = world ? ct_world_scene_graphs(world) : NULL;
    const ct_scene_graph g = graphs ? ct_scene_graph_lookup(graphs, e) : (ct_scene_graph){0};
    if (g.index)
        ct_scene_graph_pose(graphs, g, 1);
}

static int call_shared(lua_State *L, const ct_script_grant *g, const ct_lockable_function *f,
                       lua_CFunction function) {
    CT_CLEANUP(unlock_shared) ct_mutex *mutex = &g->worker->threads->shared_mutex;
    ct_mutex_lock(mutex);
    const bool is_of_node =
        f->writes && f->rule == CT_LOCKABLE_RULE_UNIT_1 && lua_tonumber(L, 2) > 1;
    const int num_results = function(L);
    if (is_of_node)
        refresh_nodes(L);
    return num_results;
}

static int call_granted(lua_State *L) {
    const ct_script_grant *const g = lua_touserdata(L, lua_upvalueindex(UPVALUE_GRANT));
    const ct_lockable_function *const f = called_function(L, g);
    const uint32_t place = (uint32_t)lua_tonumber(L, lua_upvalueindex(CT_UPVALUE_PLACE)) & 0xffff;
    const lua_CFunction function = g->lockable->module->functions[place].function;
    check_call(L, g, f);
    return f->is_shared ? call_shared(L, g, f, function) : function(L);
}

// --- Tables --------------------------------------------------------------------------------------

static uint32_t number_of_module(const ct_lua *m, const ct_lua_module *module) {
    uint32_t number = 0;
    while (m->modules[number] != module)
        ++number;
    return number;
}

static void push_granted(lua_State *L, ct_script_grant *g, uint32_t function, uint32_t place) {
    lua_pushnumber(L,
                   (lua_Number)(number_of_module(ct_lua_of(L), g->lockable->module) << 16 | place));
    lua_pushnumber(L, 1);
    lua_pushlightuserdata(L, g);
    lua_pushnumber(L, function);
    lua_pushcclosure(L, call_granted, UPVALUE_FUNCTION);
}

// The locked unit's position in its parent's space: `Unit.set_position(0, position)`, with nodes from
// 0, in "Multithreaded Gameplay" (Bitsquid blog, 2015-03-10).
static int set_position(lua_State *L) {
    const ct_script_grant *const g = lua_touserdata(L, lua_upvalueindex(1));
    const double node = luaL_checknumber(L, 1);
    if (!g->lock || !g->unit.id)
        return luaL_error(L, "Unit.set_position: expected the module under the lock of a unit");
    lua_rawgeti(L, LUA_REGISTRYINDEX, g->table);
    lua_getfield(L, -1, "set_local_position");
    ct_push_entity(L, g->unit);
    lua_pushnumber(L, node + 1);
    lua_pushvalue(L, 2);
    lua_call(L, 3, 0);
    return 0;
}

static bool push_set_position(lua_State *L, ct_script_grant *g, const char *key) {
    if (g->lockable->grain != CT_LOCKABLE_GRAIN_UNIT || strcmp(key, "set_position") != 0)
        return false;
    lua_pushlightuserdata(L, g);
    lua_pushcclosure(L, set_position, 1);
    return true;
}

// Makes the function at the key, argument 2, of the table at 1.
static int find_member(lua_State *L) {
    ct_script_grant *const g = lua_touserdata(L, lua_upvalueindex(1));
    const ct_lua_module *const module = g->lockable->module;
    const char *const key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
    uint32_t place = 0, function = 0;
    while (place < module->num_functions && strcmp(module->functions[place].name, key) != 0)
        ++place;
    if (place == module->num_functions)
        return push_set_position(L, g, key);
    while (function < g->lockable->num_functions &&
           strcmp(g->lockable->functions[function].name, key) != 0)
        ++function;
    if (function == g->lockable->num_functions)
        return luaL_error(L, "%s.%s: jobs cannot call it; docs/threads.md lists what they can",
                          module->name, key);
    push_granted(L, g, function, place);
    lua_pushvalue(L, 2);
    lua_pushvalue(L, -2);
    lua_rawset(L, 1);
    return 1;
}

static int refuse_member(lua_State *L) {
    return luaL_error(L, "the tables of LuaThreads.lock_api cannot be changed");
}

// A table for a grant, as Lua keeps it.
static void make_table(lua_State *L, ct_script_grant *g) {
    lua_newtable(L);
    lua_createtable(L, 1, 3);
    lua_pushnumber(L, g->place);
    lua_rawseti(L, -2, 1);
    lua_pushlightuserdata(L, g);
    lua_pushcclosure(L, find_member, 1);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, refuse_member);
    lua_setfield(L, -2, "__newindex");
    lua_pushliteral(L, "api"); // what getmetatable gives
    lua_setfield(L, -2, "__metatable");
    lua_setmetatable(L, -2);
    g->table_pointer = lua_topointer(L, -1);
    g->table = luaL_ref(L, LUA_REGISTRYINDEX);
}

// Adds a grant without a table to the free ones.
static ct_script_grant *add_grant(ct_script_worker *w, uint32_t api) {
    uint32_t count;
    ct_script_grant *const g = CT_NEW(w->script.lua.allocator, ct_script_grant);
    *g = (ct_script_grant){.worker = w,
                           .lockable = &ct_lockable_modules(&count)[api],
                           .api = api,
                           .place = w->grants.count,
                           .table = LUA_NOREF};
    ct_array_push(&w->grants, g);
    g->next = w->free_grants[api];
    w->free_grants[api] = g;
    return g;
}

static ct_script_grant *take_grant(lua_State *L, ct_script_worker *w, uint32_t api) {
    ct_script_grant *g = w->free_grants[api];
    if (!g)
        g = add_grant(w, api);
    if (g->table == LUA_NOREF) // new, or there was no memory for it
        make_table(L, g);
    w->free_grants[api] = g->next;
    return g;
}

static void free_grant(ct_script_worker *w, ct_script_grant *g) {
    g->lock = NULL;
    g->job = NULL;
    g->next = w->free_grants[g->api];
    w->free_grants[g->api] = g;
}

void ct_script_free_grants(ct_script_worker *w) {
    for (uint32_t i = 0; i < w->grants.count; ++i)
        ct_free_sized(w->script.lua.allocator, w->grants.items[i], sizeof(ct_script_grant));
    ct_array_free(&w->grants);
    memset(w->free_grants, 0, sizeof(w->free_grants));
}

// --- LuaThreads ----------------------------------------------------------------------------------

static ct_script_job *check_job(lua_State *L) {
    ct_script_job *const job = ct_script_worker_of(L)->running;
    if (!job)
        ct_function_error(L, "only jobs can lock, not a script while it loads");
    if (job->coroutine != L)
        ct_function_error(L, "call it in the job's own function, not in a coroutine that it made");
    return job;
}

_Static_assert(LUA_IDSIZE + 12 <= CT_API_LOCK_PLACE_BYTES, "a script and a line have room");

// "script:line" of the caller. snprintf would take as long as all the rest of lock_api.
static void find_place(lua_State *L, char place[CT_API_LOCK_PLACE_BYTES]) {
    lua_Debug at;
    place[0] = '?', place[1] = 0;
    if (!lua_getstack(L, 1, &at) || !lua_getinfo(L, "Sl", &at))
        return;
    size_t length = strlen(at.short_src);
    memcpy(place, at.short_src, length);
    place[length++] = ':';
    char digits[12];
    uint32_t count = 0, line = at.currentline > 0 ? (uint32_t)at.currentline : 0;
    do {
        digits[count++] = (char)('0' + line % 10);
        line /= 10;
    } while (line > 0);
    while (count > 0)
        place[length++] = digits[--count];
    place[length] = 0;
}

static void hold(ct_script_job *job, ct_script_grant *g, ct_api_lock *lock) {
    g->lock = lock;
    g->job = job;
    g->next = job->first_grant;
    job->first_grant = g;
}

int ct_script_lock_api(lua_State *L) {
    ct_script_worker *const w = ct_script_worker_of(L);
    ct_script_job *const job = check_job(L);
    const uint32_t api = check_api(L);
    uint32_t count;
    const ct_lockable_module *const m = &ct_lockable_modules(&count)[api];
    ct_entity unit;
    const ct_api_scope scope = check_scope(L, m, &unit);
    const ct_api_lock_mode mode = check_mode(L);
    char place[CT_API_LOCK_PLACE_BYTES];
    find_place(L, place);
    ct_script_grant *const g = take_grant(L, w, api);
    g->mode = mode;
    g->scope = scope;
    g->unit = unit;
    ct_string_builder error;
    ct_string_builder_init(&error, w->script.lua.allocator);
    ct_api_lock *lock;
    const ct_api_lock_result result = ct_api_locks_take(
        w->threads->locks, &job->owner, api, scope, mode, place, lua_isyieldable(L), &lock, &error);
    if (result == CT_API_LOCK_RESULT_TAKEN) {
        hold(job, g, lock);
        lua_rawgeti(L, LUA_REGISTRYINDEX, g->table);
        return 1;
    }
    if (result != CT_API_LOCK_RESULT_WAITING) {
        free_grant(w, g);
        luaL_where(L, 1);
        lua_pushliteral(L, "LuaThreads.lock_api: "); // the text may be long: it names many jobs
        lua_pushstring(L, result == CT_API_LOCK_RESULT_REFUSED
                              ? "has to wait for another job, but cannot inside of a function that "
                                "C calls (table.sort, string.gsub); lock before"
                              : ct_string_builder_text(&error));
        ct_string_builder_free(&error);
        lua_concat(L, 3);
        return lua_error(L);
    }
    hold(job, g, lock);
    job->waits_for_lock = true;
    job->grant = g;
    return lua_yield(L, 0);
}

int ct_script_unlock_api(lua_State *L) {
    ct_script_worker *const w = ct_script_worker_of(L);
    const ct_script_job *const job = w->running;
    ct_script_grant *g = NULL;
    if (lua_istable(L, 1) && lua_getmetatable(L, 1)) {
        lua_rawgeti(L, -1, 1);
        const lua_Number place = lua_tonumber(L, -1);
        if (place >= 0 && place < w->grants.count)
            g = w->grants.items[(uint32_t)place];
        lua_pop(L, 2);
    }
    if (!g || g->table_pointer != lua_topointer(L, 1))
        return ct_argument_error(L, 1, "expected what LuaThreads.lock_api returned, got %s",
                                 ct_push_value_description(L, 1));
    if (!g->lock || !job)
        return ct_argument_error(L, 1, "the lock of %s was given back already",
                                 g->lockable->module->name);
    if (g->job != job)
        return ct_argument_error(L, 1,
                                 "the lock of %s belongs to the job \"%s\", which must give it "
                                 "back itself",
                                 g->lockable->module->name, g->job->owner.name);
    ct_script_grant **at = &g->job->first_grant;
    while (*at != g)
        at = &(*at)->next;
    *at = g->next;
    ct_api_locks_give(w->threads->locks, g->lock);
    free_grant(w, g);
    return 0;
}

void ct_script_end_grants(ct_script_job *job) {
    ct_script_worker *const w = job->worker;
    if (!job->first_grant)
        return;
    ct_api_locks_give_all(w->threads->locks, &job->owner);
    while (job->first_grant) {
        ct_script_grant *const g = job->first_grant;
        job->first_grant = g->next;
        free_grant(w, g);
    }
}

void ct_script_wake_job(void *threads, ct_api_lock *lock) {
    const struct ct_script_threads *const t = threads;
    ct_script_job *const job = lock->owner->user;
    ct_script_worker *const w = job->worker;
    job->next = NULL;
    ct_mutex_lock(&w->mutex);
    if (w->last_woken)
        w->last_woken->next = job;
    else
        w->first_woken = job;
    w->last_woken = job;
    ct_mutex_unlock(&w->mutex);
    if (t->tasks)
        ct_task_signal(t->tasks, &w->event);
}
