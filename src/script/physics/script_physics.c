// Actors as Lua values: worlds have numbers in their handles.
#include "script/physics/script_physics.h"

#include <string.h>

#include "script/physics/script_physics_private.h"

// --- Numbers of worlds ---------------------------------------------------------------------------

static bool is_actor_alive(const ct_lua *m, uint64_t value) {
    const struct ct_script_physics *const physics = ((const ct_script *)(const void *)m)->physics;
    const ct_world *const world = physics ? physics->worlds[ct_actor_world_of_value(value)] : NULL;
    return world &&
           ct_actor_is_alive(ct_world_physics(world), (ct_actor){ct_actor_of_value(value)});
}

struct ct_script_physics *ct_script_physics_of(ct_script *s) {
    if (!s->physics) {
        s->physics = CT_NEW(s->lua.allocator, struct ct_script_physics);
        ct_array_init(&s->physics->pending, s->lua.allocator);
        for (uint32_t i = 0; i < CT_SCRIPT_MOST_PHYSICS; ++i)
            ct_hash_map_init(&s->physics->disabled[i], s->lua.allocator);
        s->lua.is_actor_alive = is_actor_alive;
    }
    return s->physics;
}

// Gives a world the next number that is free.
static uint32_t give_number(lua_State *L, struct ct_script_physics *physics,
                            const ct_world *world) {
    for (uint32_t i = 1; i < CT_SCRIPT_MOST_PHYSICS; ++i) {
        const uint32_t number = (physics->last + i - 1) % (CT_SCRIPT_MOST_PHYSICS - 1) + 1;
        if (!physics->worlds[number]) {
            physics->worlds[number] = (ct_world *)(uintptr_t)world; // handles give it back
            physics->last = number;
            return number;
        }
    }
    return (uint32_t)ct_function_error(L, "scripts can use the actors of at most %d worlds",
                                       CT_SCRIPT_MOST_PHYSICS - 1);
}

static uint32_t number_of(lua_State *L, const ct_world *world) {
    struct ct_script_physics *const physics = ct_script_physics_of(ct_script_of(L));
    if (physics->worlds[physics->recent] == world)
        return physics->recent;
    uint32_t number = 1;
    while (number < CT_SCRIPT_MOST_PHYSICS && physics->worlds[number] != world)
        ++number;
    physics->recent = number < CT_SCRIPT_MOST_PHYSICS ? number : give_number(L, physics, world);
    return physics->recent;
}

void ct_script_copy_physics(ct_script *to, ct_script *from) {
    struct ct_script_physics *const source = ct_script_physics_of(from);
    const uint32_t num_worlds = ct_world_system_num_worlds(from->worlds);
    for (uint32_t i = 0; i < num_worlds && i < CT_SCRIPT_MOST_PHYSICS - 1; ++i) {
        const ct_world *const world = ct_world_system_world(from->worlds, i);
        if (ct_world_physics(world))
            number_of(from->lua.lua, world);
    }
    struct ct_script_physics *const copy = ct_script_physics_of(to);
    memcpy(copy->worlds, source->worlds, sizeof(copy->worlds));
    copy->last = source->last;
    copy->recent = source->recent;
}

ct_hash_map *ct_script_disabled_actors(lua_State *L, const ct_world *world) {
    return &ct_script_physics_of(ct_script_of(L))->disabled[number_of(L, world)];
}

void ct_script_end_physics(lua_State *L, const ct_world *world) {
    struct ct_script_physics *const physics = ct_script_of(L)->physics;
    if (!physics)
        return;
    for (uint32_t i = 1; i < CT_SCRIPT_MOST_PHYSICS; ++i) {
        if (physics->worlds[i] != world)
            continue;
        physics->worlds[i] = NULL;
        ct_hash_map_free(&physics->disabled[i]);
    }
    for (uint32_t i = 0; i < physics->pending.count; ++i) {
        ct_script_pending *const p = &physics->pending.items[i];
        if (p->find.world != world)
            continue;
        luaL_unref(L, LUA_REGISTRYINDEX, p->callback);
        p->callback = LUA_NOREF;
        ++physics->num_answered;
    }
}

void ct_script_physics_shutdown(ct_script *s) {
    if (!s->physics)
        return;
    ct_array_free(&s->physics->pending);
    for (uint32_t i = 0; i < CT_SCRIPT_MOST_PHYSICS; ++i)
        ct_hash_map_free(&s->physics->disabled[i]);
    ct_free_sized(s->lua.allocator, s->physics, sizeof(*s->physics));
    s->physics = NULL;
}

// --- Worlds --------------------------------------------------------------------------------------

ct_physics_world *ct_check_physics(lua_State *L, const ct_world *world) {
    ct_physics_world *const p = ct_world_physics(world);
    if (!p)
        ct_function_error(L, "the worlds of this program have no physics");
    return p;
}

ct_world *ct_check_physics_world(lua_State *L) {
    return ct_check_object(L, 1, &ct_type_physics_world, NULL);
}

// --- Actors --------------------------------------------------------------------------------------

void ct_push_actor(lua_State *L, const ct_world *world, ct_actor a) {
    if (ct_actor_is_alive(ct_world_physics(world), a))
        ct_push_actor_value(L, number_of(L, world), a.id);
    else
        lua_pushnil(L);
}

ct_script_actor ct_check_actor(lua_State *L, int argument) {
    const ct_script *const s = ct_script_of(L);
    const uint64_t value = ct_value_at(L, argument);
    if (ct_value_kind_of(value) != CT_VALUE_KIND_ACTOR || !is_actor_alive(&s->lua, value))
        ct_argument_type_error(L, argument, "Actor");
    ct_world *const world = s->physics->worlds[ct_actor_world_of_value(value)];
    ct_script_actor a = {
        .world = world, .physics = ct_world_physics(world), .actor = {ct_actor_of_value(value)}};
    a.body = ct_actor_bullet(a.physics, a.actor);
    return a;
}

ct_script_actor ct_check_actor_of(lua_State *L, int argument, const ct_world *world) {
    const ct_script_actor a = ct_check_actor(L, argument);
    if (a.world != world)
        ct_argument_error(L, argument, "expected an Actor of this world, got one of another world");
    return a;
}

// --- Instances -----------------------------------------------------------------------------------

int ct_push_actor_instance(lua_State *L, const ct_world *world, ct_actor a) {
    lua_pushnumber(L, (lua_Number)((uint64_t)number_of(L, world) << 32 | a.id));
    return 1;
}

ct_actor ct_check_actor_instance(lua_State *L, int argument, const ct_world *world) {
    const uint64_t instance = (uint64_t)ct_check_integer(L, argument, 1, CT_MOST_INSTANCE);
    const ct_actor a = {(uint32_t)instance};
    if (instance >> 32 != number_of(L, world) || !ct_actor_is_alive(ct_world_physics(world), a))
        ct_instance_error(L, argument, "component of the type actor");
    return a;
}
