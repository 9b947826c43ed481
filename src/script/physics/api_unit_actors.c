#include "script/physics/api_physics_spawn.h"
#include "script/physics/api_unit_physics.h"
#include "script/physics/script_physics_private.h"
#include "world/world_actors.h"

// --- Actors of the template ----------------------------------------------------------------------

// The actor of a unit's root that has the name at `argument`, or is there by its number from 1.
static ct_described_actor find_described(lua_State *L, int argument, const ct_world *world,
                                         ct_entity e) {
    const uint32_t wanted = lua_type(L, argument) == LUA_TNUMBER
                                ? (uint32_t)ct_check_integer(L, argument, 1, CT_MAX_ACTORS)
                                : 0;
    const ct_string_id32 name = wanted ? (ct_string_id32){0} : ct_check_id32(L, argument);
    return ct_world_described_actor(world, e, name, wanted);
}

// --- Finding -------------------------------------------------------------------------------------

int ct_unit_num_actors(lua_State *L) {
    ct_world *world;
    const ct_entity e = ct_check_unit(L, 1, &world);
    const ct_physics_world *const p = ct_check_physics(L, world);
    lua_pushnumber(L, ct_actor_count_of(p, e));
    return 1;
}

int ct_unit_actor(lua_State *L) {
    ct_world *world;
    const ct_entity e = ct_check_unit(L, 1, &world);
    const ct_actor a = ct_find_actor(L, 2, world, e, NULL);
    if (!a.id && !find_described(L, 2, world, e).data)
        return ct_no_such_component(L, "actor");
    ct_push_actor(L, world, a); // nil while it is not made
    return 1;
}

int ct_unit_find_actor(lua_State *L) {
    ct_world *world;
    const ct_entity e = ct_check_unit(L, 1, &world);
    ct_check_id32(L, 2);
    uint32_t number;
    if (ct_find_actor(L, 2, world, e, &number).id)
        lua_pushnumber(L, number);
    else
        lua_pushnil(L);
    return 1;
}

// --- Making and ending ---------------------------------------------------------------------------

int ct_unit_create_actor(lua_State *L) {
    ct_world *world;
    const ct_entity e = ct_check_unit(L, 1, &world);
    ct_check_physics(L, world);
    const ct_described_actor described = find_described(L, 2, world, e);
    const double share = lua_isnoneornil(L, 3) ? 0 : ct_check_number_in(L, 3, 0, 1e3);
    if (!described.data)
        return ct_argument_error(L, 2, "the resource of the unit has no such actor at its root");
    if (ct_world_has_described_actor(world, e, &described))
        return ct_argument_error(L, 2, "the unit already has this actor; destroy it first");
    const ct_actor_desc desc = {
        .entity = e, .component_id = described.component_id, .data = described.data};
    const ct_actor a = ct_make_actor(L, world, &desc);
    ct_world_inherit_velocity(world, e, a, (float)share);
    ct_push_actor(L, world, a);
    return 1;
}

int ct_unit_destroy_actor(lua_State *L) {
    ct_world *world;
    const ct_entity e = ct_check_unit(L, 1, &world);
    const ct_actor a = ct_find_actor(L, 2, world, e, NULL);
    if (!a.id && !find_described(L, 2, world, e).data)
        return ct_no_such_component(L, "actor");
    ct_actor_destroy(ct_world_physics(world), a); // does nothing while it is not made
    return 0;
}

// --- Out of physics and back ---------------------------------------------------------------------

// What an actor was like before its unit's physics was disabled: with the actor's id above, the value
// under the actor's slot in ct_script_disabled_actors.
enum { WAS_COLLIDING = 1, WAS_FOUND = 2, WAS_DYNAMIC = 4, ID_PLACE = 32 };

static uint32_t slot_of(ct_actor a) {
    return a.id & CT_MAX_ACTORS;
}

static void disable(ct_physics_world *p, ct_hash_map *disabled, ct_actor a) {
    if (ct_hash_map_get(disabled, slot_of(a), 0) >> ID_PLACE == a.id)
        return;
    const ct_actor_data data = ct_actor_data_of(p, a);
    const bool is_dynamic = data.body == CT_ACTOR_DYNAMIC && !ct_actor_is_trigger(p, a);
    const uint32_t was = (data.is_collision_enabled ? WAS_COLLIDING : 0) |
                         (data.is_scene_query_enabled ? WAS_FOUND : 0) |
                         (is_dynamic ? WAS_DYNAMIC : 0);
    ct_hash_map_set(disabled, slot_of(a), (uint64_t)a.id << ID_PLACE | was);
    ct_actor_set_collision_enabled(p, a, false);
    ct_actor_set_scene_query_enabled(p, a, false);
    if (is_dynamic)
        ct_actor_set_body(p, a, CT_ACTOR_KINEMATIC, NULL); // it has a volume
}

static void enable(ct_physics_world *p, ct_hash_map *disabled, ct_actor a) {
    const uint64_t was = ct_hash_map_get(disabled, slot_of(a), 0);
    if (was >> ID_PLACE != a.id)
        return;
    ct_hash_map_erase(disabled, slot_of(a));
    ct_actor_set_collision_enabled(p, a, (was & WAS_COLLIDING) != 0);
    ct_actor_set_scene_query_enabled(p, a, (was & WAS_FOUND) != 0);
    if (was & WAS_DYNAMIC)
        ct_actor_set_body(p, a, CT_ACTOR_DYNAMIC, NULL);
}

// Calls one of these for all actors of the unit at argument 1.
static int for_all(lua_State *L, void (*set)(ct_physics_world *p, ct_hash_map *, ct_actor)) {
    ct_world *world;
    const ct_entity e = ct_check_unit(L, 1, &world);
    ct_physics_world *const p = ct_check_physics(L, world);
    ct_hash_map *const disabled = ct_script_disabled_actors(L, world);
    for (ct_actor a = ct_actor_first(p, e); a.id; a = ct_actor_next(p, a))
        set(p, disabled, a);
    return 0;
}

int ct_unit_disable_physics(lua_State *L) {
    return for_all(L, disable);
}

int ct_unit_enable_physics(lua_State *L) {
    return for_all(L, enable);
}
