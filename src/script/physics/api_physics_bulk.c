#include <math.h>
#include <string.h>

#include "foundation/math/math.h"
#include "lua/lua_array.h"
#include "script/physics/api_physics_find.h"
#include "script/physics/api_physics_world.h"

enum { RAY_FLOATS = 7, HIT_FLOATS = 7, MOST_RAYS = 1 << 20 };

// The number of rays in the array at argument 2.
static uint32_t check_count(lua_State *L) {
    const ct_lua_array *const array = ct_lua_array_at(L, 2, CT_LUA_ARRAY_KIND_FLOATS);
    if (!array && !lua_istable(L, 2))
        ct_argument_type_error(L, 2, "Float32Array or table");
    const uint32_t length = array ? array->count : ct_check_array(L, 2);
    if (length % RAY_FLOATS || length / RAY_FLOATS > MOST_RAYS)
        ct_argument_error(L, 2,
                          "expected %d numbers for each of up to %d rays: the start, the "
                          "direction and the length; got %u numbers",
                          RAY_FLOATS, MOST_RAYS, length);
    return length / RAY_FLOATS;
}

// Copies the numbers of the rays to `floats`.
static void read_numbers(lua_State *L, uint32_t count, float *floats) {
    const ct_lua_array *const array = ct_lua_array_at(L, 2, CT_LUA_ARRAY_KIND_FLOATS);
    if (array) {
        memcpy(floats, array->floats, sizeof(float) * (size_t)count);
        return;
    }
    for (uint32_t i = 0; i < count; ++i) {
        lua_rawgeti(L, 2, (int)i + 1);
        if (lua_type(L, -1) != LUA_TNUMBER)
            ct_argument_error(L, 2, "expected a number at index %u, got %s", i + 1,
                              ct_push_value_description(L, lua_gettop(L)));
        floats[i] = (float)lua_tonumber(L, -1);
        lua_pop(L, 1);
    }
}

static ct_physics_ray check_ray(lua_State *L, const float *v, uint32_t i) {
    ct_physics_ray ray = {.from = ct_vec3_make(v[0], v[1], v[2]),
                          .direction = ct_vec3_make(v[3], v[4], v[5]),
                          .length = v[6]};
    const float length = ct_vec3_length(ray.direction);
    bool is_fine = length > 1e-12f && isfinite(length) && ray.length >= 0 &&
                   (double)ray.length <= CT_PHYSICS_REACH;
    for (uint32_t k = 0; k < 3; ++k)
        is_fine &= fabs((double)v[k]) <= CT_PHYSICS_REACH; // false for NaN
    if (!is_fine)
        ct_argument_error(L, 2,
                          "expected a start within %g m, a direction and a length from 0 to %g m "
                          "for ray %u, got (%g, %g, %g), (%g, %g, %g) and %g",
                          CT_PHYSICS_REACH, CT_PHYSICS_REACH, i + 1, (double)v[0], (double)v[1],
                          (double)v[2], (double)v[3], (double)v[4], (double)v[5], (double)v[6]);
    ray.direction = ct_vec3_scale(ray.direction, 1 / length);
    return ray;
}

// Puts the actors of hits into the table at argument 4; false where there is none.
static void give_actors(lua_State *L, const ct_world *world, const ct_physics_hit *hits,
                        uint32_t count) {
    const uint32_t num_old = ct_check_array(L, 4);
    for (uint32_t i = 0; i < count; ++i) {
        if (hits[i].actor.id)
            ct_push_actor(L, world, hits[i].actor);
        else
            lua_pushboolean(L, false);
        lua_rawseti(L, 4, (int)i + 1);
    }
    for (uint32_t i = num_old; i > count; --i) {
        lua_pushnil(L);
        lua_rawseti(L, 4, (int)i);
    }
}

static void write_hit(float *out, const ct_physics_hit *hit) {
    const bool is_hit = hit->actor.id != 0;
    out[0] = is_hit ? hit->distance : -1;
    for (uint32_t k = 0; k < 3; ++k) {
        out[1 + k] = is_hit ? hit->position.raw[k] : 0;
        out[4 + k] = is_hit ? hit->normal.raw[k] : 0;
    }
}

// One block for the numbers, the rays and the hits; the numbers lie where hits come later.
int ct_physics_raycast_many(lua_State *L) {
    if (lua_gettop(L) < 4)
        lua_settop(L, 4); // results are pushed above
    const ct_world *const world = ct_check_physics_world(L);
    const uint32_t count = check_count(L);
    if (!lua_isnoneornil(L, 3))
        ct_check_array_of(L, 3, CT_LUA_ARRAY_KIND_FLOATS);
    if (!lua_isnoneornil(L, 4) && !lua_istable(L, 4))
        ct_argument_type_error(L, 4, "table or nil");
    ct_script_find find;
    ct_read_find(L, 5, world, CT_SCRIPT_QUERY_FILTER, &find);
    _Static_assert(sizeof(ct_physics_hit) >= sizeof(float) * RAY_FLOATS, "numbers fit into hits");
    const uint64_t hit_bytes = sizeof(ct_physics_hit) * (uint64_t)(count + 1);
    char *const block =
        ct_lua_scratch(ct_lua_of(L), hit_bytes + sizeof(ct_physics_ray) * (uint64_t)(count + 1));
    ct_physics_hit *const hits = (ct_physics_hit *)(void *)block;
    ct_physics_ray *const rays = (ct_physics_ray *)(void *)(block + hit_bytes);
    float *const numbers = (float *)(void *)block;
    read_numbers(L, count * RAY_FLOATS, numbers);
    for (uint32_t i = 0; i < count; ++i)
        rays[i] = check_ray(L, numbers + (size_t)i * RAY_FLOATS, i);
    const ct_physics_find of = ct_physics_find_of(&find);
    const uint32_t num_hits = ct_physics_rays(ct_world_physics(world), rays, count, &of, hits);
    if (lua_istable(L, 4))
        give_actors(L, world, hits, count);
    lua_pushnumber(L, num_hits);
    ct_lua_array *const result =
        ct_push_result_array(L, 3, CT_LUA_ARRAY_KIND_FLOATS, (uint64_t)count * HIT_FLOATS);
    for (uint32_t i = 0; i < count; ++i)
        write_hit(result->floats + (size_t)i * HIT_FLOATS, &hits[i]);
    return 2;
}
