// Paths with a function: they wait for their answer, and are called in the order of asking.
#include "foundation/log.h"
#include "script/navigation/script_navigation_private.h"

enum { MOST_WAITING = 1 << 20 };

uint64_t ct_script_wait_for_path(lua_State *L, const ct_script_navigation_mesh *m,
                                 const ct_navigation_path_desc *desc, int callback) {
    struct ct_script_navigation *const n = ct_script_navigation_of(ct_script_of(L));
    if (n->queries.count - n->num_done >= MOST_WAITING)
        ct_function_error(L, "%d paths wait already; World.update answers them", MOST_WAITING);
    lua_pushvalue(L, callback);
    ct_script_path_query q = {.id = ++n->last_query,
                              .world = m->world,
                              .instance = m->instance,
                              .callback = luaL_ref(L, LUA_REGISTRYINDEX)};
    q.query = ct_navigation_paths_add(m->parts.paths, desc);
    ct_array_push(&n->queries, q);
    return q.id;
}

// Queries are sorted by their id.
static ct_script_path_query *find(struct ct_script_navigation *n, uint64_t id) {
    uint32_t first = 0, end = n->queries.count;
    while (first < end) {
        const uint32_t middle = first + (end - first) / 2;
        if (n->queries.items[middle].id < id)
            first = middle + 1;
        else
            end = middle;
    }
    ct_script_path_query *const q = &n->queries.items[first];
    return first < n->queries.count && q->id == id ? q : NULL;
}

// Marks a query whose function is not in the registry any more.
static void set_done(struct ct_script_navigation *n, ct_script_path_query *q) {
    q->callback = LUA_NOREF;
    ++n->num_done;
}

void ct_script_cancel_path(lua_State *L, const ct_script_navigation_mesh *m, uint64_t id) {
    struct ct_script_navigation *const n = ct_script_of(L)->navigation;
    ct_script_path_query *const q = n ? find(n, id) : NULL;
    if (!q || q->callback == LUA_NOREF || q->world != m->world || q->instance.id != m->instance.id)
        return;
    luaL_unref(L, LUA_REGISTRYINDEX, q->callback);
    ct_navigation_paths_cancel(m->parts.paths, q->query);
    set_done(n, q);
}

// --- Answers -------------------------------------------------------------------------------------

const char *ct_navigation_status_name(ct_navigation_status status) {
    static const char *const names[CT_NAVIGATION_STATUS_COUNT] = {
        [CT_NAVIGATION_WAITING] = "waiting",   [CT_NAVIGATION_FOUND] = "found",
        [CT_NAVIGATION_PARTIAL] = "partial",   [CT_NAVIGATION_UNREACHABLE] = "unreachable",
        [CT_NAVIGATION_OFF_MESH] = "off_mesh", [CT_NAVIGATION_OVER] = "over",
    };
    return names[status];
}

int ct_push_path(lua_State *L, const ct_script_navigation_mesh *m, const ct_navigation_path *path) {
    lua_pushstring(L, ct_navigation_status_name(path->status));
    if (path->status == CT_NAVIGATION_FOUND || path->status == CT_NAVIGATION_PARTIAL)
        ct_push_mesh_points(L, m, path->num_corners ? &path->corners->position : NULL,
                            path->num_corners, sizeof(*path->corners));
    else
        lua_pushnil(L);
    return 2;
}

// Pushes the answer of a query and takes it; returns false while there is no answer.
static bool push_answer(lua_State *L, ct_script_path_query *q) {
    ct_script_navigation_mesh m = {
        .world = q->world, .navigation = ct_world_navigation(q->world), .instance = q->instance};
    ct_navigation_path over = {.status = CT_NAVIGATION_OVER};
    const ct_navigation_path *path = &over;
    const bool has_mesh = ct_navigation_world_has(m.navigation, m.instance);
    if (has_mesh) {
        m.parts = ct_navigation_world_parts(m.navigation, m.instance);
        path = ct_navigation_paths_answer(m.parts.paths, q->query, NULL);
    }
    if (path->status == CT_NAVIGATION_WAITING)
        return false;
    ct_push_path(L, &m, path);
    if (has_mesh)
        ct_navigation_paths_take(m.parts.paths, q->query);
    return true;
}

// Calls the function of query `i` when it is answered.
static void answer(lua_State *L, struct ct_script_navigation *n, uint32_t i) {
    ct_script_path_query *const q = &n->queries.items[i];
    const int top = lua_gettop(L);
    luaL_checkstack(L, 10, "too many calls of paths");
    lua_rawgeti(L, LUA_REGISTRYINDEX, q->callback);
    if (push_answer(L, q)) {
        lua_pushnumber(L, (lua_Number)q->id);
        luaL_unref(L, LUA_REGISTRYINDEX, q->callback);
        set_done(n, q);
        if (ct_lua_call_in(L, 3, 0) != 0) // may ask for more, which moves the queries
            ct_lua_log_error(ct_lua_of(L));
    }
    lua_settop(L, top);
}

// Takes out what is done, unless a call further out still counts on the places.
static void leave(struct ct_script_navigation *const *n) {
    if (--(*n)->num_answering > 0 || (*n)->num_done == 0)
        return;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < (*n)->queries.count; ++i) {
        if ((*n)->queries.items[i].callback != LUA_NOREF)
            (*n)->queries.items[kept++] = (*n)->queries.items[i];
    }
    (*n)->queries.count = kept;
    (*n)->num_done = 0;
}

void ct_script_answer_paths(lua_State *L, ct_world *world) {
    struct ct_script_navigation *const n = ct_script_of(L)->navigation;
    if (!n)
        return;
    ct_script_end_gone_meshes(L, world);
    ++n->num_answering;
    CT_CLEANUP(leave) struct ct_script_navigation *const held = n;
    const uint32_t count = held->queries.count; // those that come now wait
    for (uint32_t i = 0; i < count; ++i) {
        const ct_script_path_query *const q = &n->queries.items[i];
        if (q->callback != LUA_NOREF && q->world == world)
            answer(L, n, i);
    }
}
