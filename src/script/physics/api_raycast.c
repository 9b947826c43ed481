#include "script/physics/api_physics_world.h"
#include "script/physics/script_physics_private.h"

extern const ct_lua_module ct_api_raycast;

// What a Raycast has: parameters that are read once, and a function or none.
typedef struct ct_script_raycast {
    ct_script_find find;
    int callback; // reference in Lua's registry; LUA_NOREF: none
} ct_script_raycast;

static void end(lua_State *L, void *object, uint64_t data) {
    (void)data;
    ct_script_raycast *const r = object;
    luaL_unref(L, LUA_REGISTRYINDEX, r->callback);
    ct_free_sized(ct_lua_of(L)->allocator, r, sizeof(*r));
}

static const ct_lua_object_type ct_type_raycast = {
    .name = "Raycast", .owner = CT_LUA_OWNER_DATA, .end = end};

int ct_physics_make_raycast(lua_State *L) {
    ct_world *const world = ct_check_physics_world(L);
    ct_script_find find;
    if (!lua_isnoneornil(L, 2) && !lua_isfunction(L, 2))
        ct_argument_type_error(L, 2, "function or nil");
    ct_read_find(L, 3, world, CT_SCRIPT_QUERY_RAY, &find);
    ct_check_object_room(L, &ct_type_raycast);
    int callback = LUA_NOREF;
    if (lua_isfunction(L, 2)) {
        lua_pushvalue(L, 2);
        callback = luaL_ref(L, LUA_REGISTRYINDEX);
    }
    ct_script_raycast *const r = CT_NEW(ct_lua_of(L)->allocator, ct_script_raycast);
    *r = (ct_script_raycast){find, callback};
    ct_push_object(L, &ct_type_raycast, r, (uint64_t)(uintptr_t)world);
    return 1;
}

static int cast(lua_State *L) {
    ct_script_raycast *const r = ct_check_object(L, 1, &ct_type_raycast, NULL);
    const ct_physics_ray ray = ct_check_physics_ray(L, 2, true);
    if (!ct_script_find_is_valid(&r->find))
        ct_argument_error(L, 1,
                          "its collision filter \"%s\" is not in the physics resource any more",
                          ct_string_id32_name(r->find.find.filter));
    if (r->callback == LUA_NOREF)
        return ct_push_ray_results(L, &ray, &r->find);
    lua_rawgeti(L, LUA_REGISTRYINDEX, r->callback);
    ct_script_wait(L, &(ct_script_pending){
                          .find = r->find, .ray = ray, .callback = luaL_ref(L, LUA_REGISTRYINDEX)});
    return 0;
}

static const ct_lua_function functions[] = {
    {"cast", cast,
     "(self: Raycast, start: Vector3, dir: Vector3, length: number?) -> "
     "any(boolean,table[])?, Vector3?, number?, Vector3?, Actor?",
     "Casts the ray. With a function, that is called with the results in the next World.update, "
     "after physics, in the order of the casts; without, they are returned like those of "
     "PhysicsWorld.raycast."},
};

const ct_lua_module ct_api_raycast = {
    .name = "Raycast",
    .doc = "A ray whose parameters are read once. Make one with PhysicsWorld.make_raycast, and use "
           "it again: it ends with its world.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
};
