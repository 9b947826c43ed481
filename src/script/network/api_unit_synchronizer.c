#include "foundation/error.h"
#include "foundation/math/math.h"
#include "script/api_check.h"
#include "script/network/script_units.h"

extern const ct_lua_module ct_api_unit_synchronizer;

static ct_unit_synchronizer *check_synchronizer(lua_State *L) {
    return ct_check_object(L, 1, &ct_type_unit_synchronizer, NULL);
}

// The index of an object type by its name.
static uint32_t check_type(lua_State *L, int argument, const ct_unit_synchronizer *s) {
    const char *const name = ct_check_string(L, argument);
    const ct_network_config_resource *const config =
        ct_network_session_config(ct_unit_synchronizer_session(s));
    const uint32_t type = ct_network_config_object(config, ct_string_id32_of(name));
    if (type != UINT32_MAX)
        return type;
    const ct_network_record_type *const types = ct_network_config_objects(config);
    lua_pushliteral(L, "");
    for (uint32_t i = 0; i < config->objects.count && i < 16; ++i) {
        lua_pushfstring(L, "%s\"%s\"", i ? ", " : "",
                        (const char *)ct_blob_at(config, types[i].name.offset));
        lua_concat(L, 2);
    }
    ct_argument_error(L, argument, "there is no object type \"%s\"; expected %s", name,
                      config->objects.count ? lua_tostring(L, -1) : "one of the network config");
    return 0;
}

static ct_world *check_has_world(lua_State *L, const ct_unit_synchronizer *s) {
    ct_world *const world = ct_unit_synchronizer_world(s);
    if (!world)
        ct_function_error(L,
                          "the synchronizer has no world; call UnitSynchronizer.set_world first");
    return world;
}

static int destroy_unit(lua_State *L) {
    ct_unit_synchronizer *const s = check_synchronizer(L);
    const ct_entity unit = ct_check_unit_of(L, 2, check_has_world(L, s));
    ct_error error = {0};
    if (!ct_unit_synchronizer_destroy_unit(s, unit, &error))
        return ct_argument_error(L, 2, "%s", error.message);
    return 0;
}

static int game_object_id_to_unit(lua_State *L) {
    const ct_unit_synchronizer *const s = check_synchronizer(L);
    const ct_network_object_id id = (uint32_t)ct_check_integer(L, 2, 1, UINT32_MAX);
    const ct_world *const world = ct_unit_synchronizer_world(s);
    ct_push_entity(L, world ? ct_unit_synchronizer_unit(s, id) : (ct_entity){0});
    return 1;
}

static int link_unit(lua_State *L) {
    ct_unit_synchronizer *const s = check_synchronizer(L);
    const ct_entity unit = ct_check_unit_of(L, 2, check_has_world(L, s));
    const uint32_t type = check_type(L, 3, s);
    ct_error error = {0};
    const ct_network_object_id id = ct_unit_synchronizer_link_unit(s, unit, type, &error);
    if (!id)
        return ct_argument_error(L, 2, "%s", error.message);
    lua_pushnumber(L, id);
    return 1;
}

static int set_world(lua_State *L) {
    ct_unit_synchronizer *const s = check_synchronizer(L);
    ct_unit_synchronizer_set_world(s, lua_isnil(L, 2) ? NULL : ct_check_world(L, 2));
    return 0;
}

static int spawn_unit(lua_State *L) {
    ct_unit_synchronizer *const s = check_synchronizer(L);
    const uint32_t type = check_type(L, 2, s);
    const char *const name = ct_check_resource(L, 3, "unit", NULL);
    check_has_world(L, s);
    ct_vec3 position = ct_vec3_make(0, 0, 0);
    ct_quat rotation = ct_quat_identity();
    if (!lua_isnoneornil(L, 4))
        position = ct_check_finite_vector3(L, 4);
    if (!lua_isnoneornil(L, 5))
        rotation = ct_check_finite_quaternion(L, 5);
    ct_error error = {0};
    const ct_entity unit =
        ct_unit_synchronizer_spawn_unit(s, type, name, &position, &rotation, &error);
    if (!unit.id)
        return ct_function_error(L, "%s", error.message);
    ct_push_entity(L, unit);
    return 1;
}

static int unit_to_game_object_id(lua_State *L) {
    const ct_unit_synchronizer *const s = check_synchronizer(L);
    ct_world *world;
    const ct_entity unit = ct_check_unit(L, 2, &world);
    const ct_network_object_id id =
        world == ct_unit_synchronizer_world(s) ? ct_unit_synchronizer_object(s, unit) : 0;
    if (id)
        lua_pushnumber(L, id);
    else
        lua_pushnil(L);
    return 1;
}

static const ct_lua_function functions[] = {
    {"destroy_unit", destroy_unit, "(self: UnitSynchronizer, unit: Unit) -> nil",
     "Destroys a unit of an own game object, and the object, at all peers."},
    {"game_object_id_to_unit", game_object_id_to_unit,
     "(self: UnitSynchronizer, id: integer) -> Unit?",
     "Returns the unit of a game object; nil when it has none here."},
    {"link_unit", link_unit, "(self: UnitSynchronizer, unit: Unit, type: string) -> integer",
     "Creates a game object for a unit that a level spawned, in the worlds of all peers. Its type "
     "has fields level and level_unit of type id."},
    {"set_world", set_world, "(self: UnitSynchronizer, world: World?) -> nil",
     "Sets the world whose units are synchronized; nil: none. Units of others come in the new "
     "one."},
    {"spawn_unit", spawn_unit,
     "(self: UnitSynchronizer, type: string, unit_name: string(unit), position: Vector3?, "
     "rotation: Quaternion?) -> Unit",
     "Spawns a unit and creates a game object for it, by which other peers spawn it. Its type has "
     "a "
     "field unit of type id; fields position, rotation, scale, velocity and angular_velocity "
     "follow "
     "the unit, others its data."},
    {"unit_to_game_object_id", unit_to_game_object_id,
     "(self: UnitSynchronizer, unit: Unit) -> integer?",
     "Returns the game object of a unit; nil when it has none."},
};

const ct_lua_module ct_api_unit_synchronizer = {
    .name = "UnitSynchronizer",
    .doc = "Units that are game objects: other peers see what own units do, and own units end with "
           "their objects. Get it with GameSession.unit_synchronizer.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
};
