#include "foundation/log.h"
#include "script/physics/script_physics.h"
#include "script/physics/script_physics_private.h"

enum { MOST_PENDING = 1 << 16 };

void ct_script_wait(lua_State *L, const ct_script_pending *pending) {
    struct ct_script_physics *const physics = ct_script_physics_of(ct_script_of(L));
    if (physics->pending.count - physics->num_answered >= MOST_PENDING) {
        luaL_unref(L, LUA_REGISTRYINDEX, pending->callback);
        ct_function_error(L, "%d rays and overlaps wait already; World.update answers them",
                          MOST_PENDING);
    }
    ct_array_push(&physics->pending, *pending);
}

// Pushes what the query finds now; returns how many values, or -1 when it cannot be done.
static int push_results(lua_State *L, ct_script_pending *p) {
    if (!ct_script_find_is_valid(&p->find)) {
        ct_log_warning("physics", "lost_filter",
                       "a ray or overlap is left out, and its function is not called: its "
                       "collision filter \"%s\" is not in the physics resource any more",
                       ct_string_id32_name(p->find.find.filter));
        return -1;
    }
    if (!p->is_overlap)
        return ct_push_ray_results(L, &p->ray, &p->find);
    ct_push_overlap_results(L, &p->find);
    return 1;
}

static void answer(lua_State *L, ct_script_pending *p) {
    const int top = lua_gettop(L);
    luaL_checkstack(L, 10, "too many calls of queries");
    lua_rawgeti(L, LUA_REGISTRYINDEX, p->callback);
    luaL_unref(L, LUA_REGISTRYINDEX, p->callback);
    const int num_results = push_results(L, p);
    if (num_results >= 0 && ct_lua_call_in(L, num_results, 0) != 0)
        ct_lua_log_error(ct_lua_of(L));
    lua_settop(L, top);
}

// Takes out what is done, unless a call further out still counts on the places.
static void leave(struct ct_script_physics *const *physics) {
    if (--(*physics)->num_answering > 0)
        return;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < (*physics)->pending.count; ++i) {
        if ((*physics)->pending.items[i].callback != LUA_NOREF)
            (*physics)->pending.items[kept++] = (*physics)->pending.items[i];
    }
    (*physics)->pending.count = kept;
    (*physics)->num_answered = 0;
}

void ct_script_answer_pending(lua_State *L, const ct_world *world) {
    struct ct_script_physics *const physics = ct_script_of(L)->physics;
    if (!physics || physics->pending.count == 0)
        return;
    ++physics->num_answering;
    CT_CLEANUP(leave) struct ct_script_physics *const held = physics;
    const uint32_t count = held->pending.count; // those that come now wait
    for (uint32_t i = 0; i < count; ++i) {
        ct_script_pending next = physics->pending.items[i];
        if (next.callback == LUA_NOREF || next.find.world != world)
            continue;
        physics->pending.items[i].callback = LUA_NOREF;
        ++physics->num_answered;
        answer(L, &next);
    }
}
