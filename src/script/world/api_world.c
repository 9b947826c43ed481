#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/math/math.h"
#include "foundation/memory/temp_allocator.h"
#include "lua/lua_array.h"
#include "script/animation/script_animation_events.h"
#include "script/api_lifetime.h"
#include "script/behaviour/script_behaviour.h"
#include "script/entity/api_data.h"
#include "script/flow/script_flow.h"
#include "script/gui/api_gui.h"
#include "script/navigation/script_navigation.h"
#include "script/network/script_units.h"
#include "script/particles/api_particles.h"
#include "script/particles/script_particle_events.h"
#include "script/physics/api_physics.h"
#include "script/physics/script_physics.h"
#include "script/render/api_line_object.h"
#include "script/render/api_shading_environment.h"
#include "script/sound/script_sound_events.h"
#include "script/world/api_pose.h"

extern const ct_lua_module ct_api_world;

const ct_lua_object_type ct_type_world = {.name = "World"};

enum { MAX_SPAWNED_AT_ONCE = 1 << 20, MOST_BUDGET_SECONDS = 3600 };

// --- Units ---------------------------------------------------------------------------------------

static int spawn_unit(lua_State *L) {
    ct_world *const world = ct_check_world(L, 1);
    const char *const name = ct_check_resource(L, 2, "unit", NULL);
    ct_vec3 position = ct_vec3_make(0, 0, 0);
    ct_quat rotation = ct_quat_identity();
    const bool has_position = !lua_isnoneornil(L, 3), has_rotation = !lua_isnoneornil(L, 4);
    if (has_position)
        position = ct_check_finite_vector3(L, 3);
    if (has_rotation)
        rotation = ct_check_finite_quaternion(L, 4);
    ct_entity root;
    ct_error error;
    ct_lua_ask_memory(L, CT_LUA_UNIT_BYTES);
    if (!ct_world_spawn_units(world, name, has_position ? &position : NULL,
                              has_rotation ? &rotation : NULL, NULL, 1, &root, &error))
        return ct_function_error(L, "%s", error.message);
    ct_push_entity(L, root);
    return 1;
}

// The rotation of each of `count` units at argument 4, or NULL when that is nil.
static const ct_quat *check_rotations(lua_State *L, ct_allocator *a, uint32_t count) {
    if (lua_isnoneornil(L, 4))
        return NULL;
    const float *const floats = ct_check_floats_of(L, 4, 4, count);
    ct_quat *const rotations = ct_alloc(a, sizeof(*rotations) * (uint64_t)count);
    for (uint32_t i = 0; i < count; ++i)
        rotations[i] = ct_check_rotation_of(L, 4, floats, i);
    return rotations;
}

// Spawns and pushes an array of units; on an error pushes nothing.
static bool push_spawned(lua_State *L, ct_world *world, const char *name, ct_error *error) {
    CT_TEMP_ALLOCATOR(temp, ct_lua_of(L)->allocator);
    uint32_t count;
    const ct_vec3 *const positions = ct_check_positions(L, 3, temp, &count);
    if (count > MAX_SPAWNED_AT_ONCE)
        return ct_error_set(error, "%u units are too many for one call; the most is %d", count,
                            MAX_SPAWNED_AT_ONCE);
    const ct_quat *const rotations = check_rotations(L, temp, count);
    if (!lua_isnoneornil(L, 5))
        ct_check_array_of(L, 5, CT_LUA_ARRAY_KIND_ENTITIES); // before anything is spawned
    ct_lua_ask_memory(L, (uint64_t)count * CT_LUA_UNIT_BYTES);
    ct_entity *const roots = ct_alloc(temp, sizeof(ct_entity) * (uint64_t)count);
    if (!ct_world_spawn_units(world, name, positions, rotations, NULL, count, roots, error))
        return false;
    ct_push_entities(L, 5, roots, count);
    return true;
}

static int spawn_units(lua_State *L) {
    ct_world *const world = ct_check_world(L, 1);
    const char *const name = ct_check_resource(L, 2, "unit", NULL);
    ct_error error;
    if (!push_spawned(L, world, name, &error))
        return ct_function_error(L, "%s", error.message);
    return 1;
}

static int destroy_unit(lua_State *L) {
    ct_world *const world = ct_check_world(L, 1);
    const ct_entity unit = ct_check_unit_of(L, 2, world);
    ct_world_destroy_units(world, &unit, 1);
    return 0;
}

static int destroy_units(lua_State *L) {
    ct_world *const world = ct_check_world(L, 1);
    const uint32_t count = ct_check_entity_count(L, 2);
    ct_entity *const copies = ct_lua_scratch(ct_lua_of(L), sizeof(ct_entity) * (count + 1ull));
    const ct_entity *const dying = ct_check_entities(L, 2, copies, count);
    for (uint32_t i = 0; i < count; ++i)
        ct_check_unit_at(L, 2, dying[i], i, world);
    ct_world_destroy_units(world, dying, count);
    return 0;
}

// What lives in the world is found by its index: worlds keep no list of entities.
static int entities(lua_State *L) {
    const ct_world *const world = ct_check_world(L, 1);
    ct_script *const s = ct_script_of(L);
    ct_entity *const found =
        ct_lua_scratch(&s->lua, sizeof(ct_entity) * (uint64_t)s->lua.entities->num_indices);
    uint32_t count = 0;
    for (uint32_t i = 1; i < s->lua.entities->num_indices; ++i) {
        const ct_entity e = ct_entity_with_index(s->lua.entities, i);
        if (ct_world_of(s->worlds, e) == world)
            found[count++] = e;
    }
    return ct_push_entities(L, 2, found, count);
}

static int units(lua_State *L) {
    uint32_t count;
    const ct_entity *const all = ct_world_units(ct_check_world(L, 1), &count);
    return ct_push_entities(L, 2, all, count);
}

static int units_by_resource(lua_State *L) {
    const ct_world *const world = ct_check_world(L, 1);
    const uint64_t resource = ct_check_id64(L, 2).value;
    uint32_t num_units, count = 0;
    const ct_entity *const all = ct_world_units(world, &num_units);
    ct_entity *const found = ct_lua_scratch(ct_lua_of(L), sizeof(ct_entity) * (num_units + 1ull));
    for (uint32_t i = 0; i < num_units; ++i) {
        if (ct_world_unit_resource(world, all[i]).value == resource)
            found[count++] = all[i];
    }
    return ct_push_entities(L, 3, found, count);
}

static int num_units(lua_State *L) {
    uint32_t count;
    ct_world_units(ct_check_world(L, 1), &count);
    lua_pushnumber(L, count);
    return 1;
}

static int state_hash(lua_State *L) {
    char digits[17];
    snprintf(digits, sizeof(digits), "%016" PRIx64, ct_world_state_hash(ct_check_world(L, 1)));
    lua_pushstring(L, digits);
    return 1;
}

static int unit_by_name(lua_State *L) {
    const ct_world *const world = ct_check_world(L, 1);
    const char *const name = ct_check_string(L, 2);
    const ct_debug_name_manager *const names = ct_world_system_debug_names(ct_script_of(L)->worlds);
    uint32_t count;
    const ct_entity *const all = ct_world_units(world, &count);
    for (uint32_t i = 0; i < count; ++i) {
        const char *const own = ct_debug_name(names, all[i]);
        if (own && strcmp(own, name) == 0) {
            ct_push_entity(L, all[i]);
            return 1;
        }
    }
    lua_pushnil(L);
    return 1;
}

static int unit_by_id(lua_State *L) {
    ct_world *const world = ct_check_world(L, 1);
    const ct_entity unit = ct_world_unit_with_id(world, ct_check_id32(L, 2).value);
    ct_push_entity(L, unit); // nil for none
    return 1;
}

// --- Links ---------------------------------------------------------------------------------------

static int link_unit(lua_State *L) {
    const ct_world *const world = ct_check_world(L, 1);
    const ct_entity child = ct_check_unit_of(L, 2, world);
    if (ct_check_node(L, 3, world, child) != 0)
        return ct_argument_error(L, 3, "expected node 1; only a whole unit can be linked");
    const ct_entity parent = ct_check_unit_of(L, 4, world);
    const uint32_t node = lua_isnoneornil(L, 5) ? 0 : ct_check_node(L, 5, world, parent);
    ct_check_transform(L, 2, world, child);
    if (!ct_script_link(L, 4, world, child, parent, node))
        return ct_argument_error(L, 4, "a unit cannot be linked to itself or below itself");
    return 0;
}

static int unlink_unit(lua_State *L) {
    const ct_world *const world = ct_check_world(L, 1);
    const ct_entity child = ct_check_unit_of(L, 2, world);
    const ct_script_pose p = ct_check_transform(L, 2, world, child);
    ct_transform_unlink(p.transforms, p.transform);
    return 0;
}

// --- Levels --------------------------------------------------------------------------------------

typedef struct ct_level_place {
    ct_vec3 position, scale;
    ct_quat rotation;
} ct_level_place;

// The position, rotation and scale from `argument` on; what is left out is the world's own.
static ct_level_place check_level_place(lua_State *L, int argument) {
    ct_level_place place = {.scale = ct_vec3_make(1, 1, 1), .rotation = ct_quat_identity()};
    if (!lua_isnoneornil(L, argument))
        place.position = ct_check_finite_vector3(L, argument);
    if (!lua_isnoneornil(L, argument + 1))
        place.rotation = ct_check_finite_quaternion(L, argument + 1);
    if (!lua_isnoneornil(L, argument + 2))
        place.scale = ct_check_finite_vector3(L, argument + 2);
    return place;
}

static int push_level(lua_State *L, ct_world *world, ct_level level, const ct_error *error) {
    if (!level.id)
        return ct_function_error(L, "%s", error->message);
    ct_push_object(L, &ct_type_level, world, level.id);
    return 1;
}

static int load_level(lua_State *L) {
    ct_world *const world = ct_check_world(L, 1);
    const char *const name = ct_check_resource(L, 2, "level", NULL);
    const ct_level_place at = check_level_place(L, 3);
    ct_check_object_room(L, &ct_type_level);
    ct_lua_ask_memory(L, CT_LUA_WORLD_BYTES);
    ct_error error;
    return push_level(L, world,
                      ct_world_spawn_level(world, name, at.position, at.rotation, at.scale, &error),
                      &error);
}

static int load_level_gradually(lua_State *L) {
    ct_world *const world = ct_check_world(L, 1);
    const char *const name = ct_check_resource(L, 2, "level", NULL);
    const double budget_seconds = ct_check_number_in(L, 3, 0, MOST_BUDGET_SECONDS);
    const ct_level_place at = check_level_place(L, 4);
    ct_check_object_room(L, &ct_type_level);
    ct_lua_ask_memory(L, CT_LUA_WORLD_BYTES);
    ct_error error;
    return push_level(L, world,
                      ct_world_spawn_level_gradually(world, name, at.position, at.rotation,
                                                     at.scale, budget_seconds, &error),
                      &error);
}

static int destroy_level(lua_State *L) {
    ct_world *const world = ct_check_world(L, 1);
    ct_world *own;
    const ct_level level = ct_check_level(L, 2, &own);
    if (own != world)
        return ct_argument_error(L, 2, "expected a Level of this world, got one of another world");
    ct_end_object(L, &ct_type_level, world, level.id);
    return 0;
}

static int levels(lua_State *L) {
    ct_world *const world = ct_check_world(L, 1);
    uint32_t count;
    const ct_level *const all = ct_world_levels(world, &count);
    lua_createtable(L, (int)count, 0);
    for (uint32_t i = 0; i < count; ++i) {
        ct_check_object_room(L, &ct_type_level);
        ct_push_object(L, &ct_type_level, world, all[i].id);
        lua_rawseti(L, -2, (int)i + 1);
    }
    return 1;
}

static int num_level(lua_State *L) {
    uint32_t count;
    ct_world_levels(ct_check_world(L, 1), &count);
    lua_pushnumber(L, count);
    return 1;
}

// --- Debug lines ---------------------------------------------------------------------------------

static int create_line_object(lua_State *L) {
    ct_world *const world = ct_check_world(L, 1);
    ct_check_object_room(L, &ct_type_line_object);
    ct_line_object *const lines = ct_line_object_create(ct_lua_of(L)->allocator);
    ct_push_object(L, &ct_type_line_object, lines, (uint64_t)(uintptr_t)world);
    return 1;
}

static int destroy_line_object(lua_State *L) {
    const ct_world *const world = ct_check_world(L, 1);
    uint64_t own;
    ct_line_object *const lines = ct_check_object(L, 2, &ct_type_line_object, &own);
    if (own != (uint64_t)(uintptr_t)world)
        return ct_argument_error(L, 2,
                                 "expected a LineObject of this world, got one of another world");
    ct_end_object(L, &ct_type_line_object, lines, (uint64_t)(uintptr_t)world);
    return 0;
}

// --- Time and data -------------------------------------------------------------------------------

// Tells scripts what happened while the world was advanced; may end the world.
static void send_events(lua_State *L, ct_world *world) {
    ct_script_send_animation_events(L, world);
    ct_script_send_physics_events(L, world);
    ct_script_send_particle_events(L, world);
    ct_script_send_sound_events(L, world);
    ct_script_send_navigation_events(L, world);
    ct_script_answer_paths(L, world);
    ct_script_answer_pending(L, world); // takes a world that has ended
}

static int update(lua_State *L) {
    ct_world *const world = ct_check_world(L, 1);
    ct_check_no_flow_event(L, 1, world);
    const double dt =
        lua_isnoneornil(L, 2) ? ct_world_delta_time(world) : ct_check_number_in(L, 2, 0, 1e6);
    ct_behaviours_update(L, world, dt);
    ct_script_play_replay(L, world, dt);
    ct_world_advance(world, dt);
    ct_script_record_replay(L, world, dt);
    send_events(L, world);
    ct_script_collect_data(L);
    return 0;
}

// A world that is updated with others. Scripts of any of them may end it.
typedef struct updated_world {
    uint64_t handle;
    ct_world *world;
} updated_world;

// Copies the worlds of the array at `argument`, which must be different ones, to memory of Lua.
static updated_world *check_worlds(lua_State *L, int argument, uint32_t count) {
    updated_world *const worlds = lua_newuserdata(L, sizeof(*worlds) * (count + 1ull));
    for (uint32_t i = 0; i < count; ++i) {
        lua_rawgeti(L, argument, (int)i + 1);
        worlds[i] = (updated_world){.handle = ct_value_at(L, -1)};
        const ct_lua_object *const object = ct_object_of(ct_lua_of(L), worlds[i].handle);
        if (!object || object->type != &ct_type_world) {
            const char *const found = ct_push_value_description(L, -1);
            ct_argument_error(L, argument, "expected World at index %u, got %s", i + 1, found);
        }
        worlds[i].world = object->object;
        ct_check_no_flow_event(L, argument, worlds[i].world);
        for (uint32_t k = 0; k < i; ++k) {
            if (worlds[k].world == worlds[i].world)
                ct_argument_error(L, argument, "the worlds at index %u and %u are the same", k + 1,
                                  i + 1);
        }
        lua_pop(L, 1);
    }
    return worlds;
}

static bool is_alive(lua_State *L, const updated_world *w) {
    return ct_object_of(ct_lua_of(L), w->handle) != NULL;
}

static int update_several(lua_State *L) {
    const uint32_t count = ct_check_array(L, 1);
    const double dt = ct_check_number_in(L, 2, 0, 1e6);
    updated_world *const worlds = check_worlds(L, 1, count);
    for (uint32_t i = 0; i < count; ++i) {
        if (is_alive(L, &worlds[i]))
            ct_behaviours_update(L, worlds[i].world, dt);
    }
    ct_world **const advanced = lua_newuserdata(L, sizeof(*advanced) * (count + 1ull));
    uint32_t num_advanced = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (is_alive(L, &worlds[i]))
            advanced[num_advanced++] = worlds[i].world;
    }
    for (uint32_t i = 0; i < num_advanced; ++i)
        ct_script_play_replay(L, advanced[i], dt);
    ct_worlds_advance(advanced, num_advanced, dt);
    for (uint32_t i = 0; i < num_advanced; ++i)
        ct_script_record_replay(L, advanced[i], dt);
    for (uint32_t i = 0; i < count; ++i) {
        if (is_alive(L, &worlds[i]))
            send_events(L, worlds[i].world);
    }
    ct_script_collect_data(L);
    return 0;
}

static int physics_world(lua_State *L) {
    ct_world *const world = ct_check_world(L, 1);
    ct_check_physics(L, world);
    ct_push_object(L, &ct_type_physics_world, world, 0);
    return 1;
}

static int world_time(lua_State *L) {
    lua_pushnumber(L, ct_world_time(ct_check_world(L, 1)));
    return 1;
}

static int delta_time(lua_State *L) {
    lua_pushnumber(L, ct_world_delta_time(ct_check_world(L, 1)));
    return 1;
}

static int get_data(lua_State *L) {
    return ct_script_get_data(L, ct_data_key_of_object(ct_check_world(L, 1)), 2);
}

static int has_data(lua_State *L) {
    return ct_script_has_data(L, ct_data_key_of_object(ct_check_world(L, 1)), 2);
}

static int set_data(lua_State *L) {
    return ct_script_set_data(L, ct_data_key_of_object(ct_check_world(L, 1)), 2);
}

#define RESULT ", in a new table or in `result`."

static const ct_lua_function functions[] = {
    {"are_particles_playing", ct_world_are_particles_playing,
     "(self: World, effect_id: integer) -> boolean",
     "Returns whether a particle effect has not ended."},
    {"create_line_object", create_line_object, "(self: World) -> LineObject",
     "Makes an empty line object that draws in the world."},
    {"create_navigation_mesh", ct_world_create_navigation_mesh,
     "(self: World, name: string(navigation), class: string?, pose: Matrix4x4?) -> NavigationMesh",
     "Makes a mesh that belongs to no level, of a class of a loaded navigation (the first without "
     "one), at a pose that may be moved and turned around z."},
    {"create_particles", ct_world_create_particles,
     "(self: World, effect_name: string(particles), position: Vector3, rotation: Quaternion?, "
     "scale: Vector3?, seed: integer?) -> integer",
     "Starts a particle effect and returns its id, which is stale once the effect has ended. With "
     "the same seed, other than 0, two effects make the same particles."},
    {"create_screen_gui", ct_api_gui_create_screen,
     "(self: World, x: number?, y: number?, params: any(string,number,table)*) -> Gui",
     "Makes a Gui over the picture of the world, with its lower left corner at x, y. Params: "
     "\"immediate\"; \"scale\", width, height (the view has at least this size in units); "
     "\"layer\", \"material\" and \"text_material\" with a name."},
    {"create_shading_environment", ct_api_create_shading_environment,
     "(self: World, name: string(environment)) -> ShadingEnvironment",
     "Makes an environment of the world from a loaded resource."},
    {"create_world_gui", ct_api_gui_create_world,
     "(self: World, pose: Matrix4x4, width: number, height: number, params: "
     "any(string,number,table)*) -> Gui",
     "Makes a Gui on a plane in the world, in metres, with its lower left corner at the pose, x to "
     "the right and z up. Params: those of create_screen_gui, and \"on_top\"."},
    {"delta_time", delta_time, "(self: World) -> number",
     "Returns the duration of the last step, in seconds."},
    {"destroy_gui", ct_api_gui_destroy, "(self: World, gui: Gui) -> nil",
     "Destroys a Gui with its objects."},
    {"destroy_level", destroy_level, "(self: World, level: Level) -> nil",
     "Destroys a level with those of its units that are still alive."},
    {"destroy_line_object", destroy_line_object, "(self: World, line: LineObject) -> nil",
     "Destroys a line object."},
    {"destroy_particles", ct_world_destroy_particles, "(self: World, effect_id: integer) -> nil",
     "Ends a particle effect at once, with its particles."},
    {"destroy_shading_environment", ct_api_destroy_shading_environment,
     "(self: World, environment: ShadingEnvironment) -> nil", "Destroys an environment."},
    {"destroy_unit", destroy_unit, "(self: World, unit: Unit) -> nil",
     "Destroys a unit with everything that its template made. Units linked to it stay."},
    {"destroy_units", destroy_units, "(self: World, units: any(EntityArray,Unit[])) -> nil",
     "Destroys many units at once."},
    {"entities", entities, "(self: World, result: EntityArray?) -> any(Entity[],EntityArray)",
     "Returns all entities of the world, including parts of units, in no particular order" RESULT},
    {"find_particles_variable", ct_world_find_particles_variable,
     "(self: World, effect_name: string(particles), variable_name: string) -> integer",
     "Returns the number of a variable of a particle effect, for set_particles_variable."},
    {"get_data", get_data, "(self: World, indices: any(integer,string)+) -> any",
     "Returns the value stored with the world under these indices, or nil."},
    {"get_gui_by_id", ct_api_gui_by_id, "(self: World, id: integer) -> Gui?",
     "Returns the world's Gui with the number that Gui.get_id returns, or nil."},
    {"has_data", has_data, "(self: World, indices: any(integer,string)+) -> boolean",
     "Returns whether a value is stored with the world under these indices."},
    {"levels", levels, "(self: World) -> Level[]",
     "Returns the levels that are loaded in the world."},
    {"link_particles", ct_world_link_particles,
     "(self: World, effect_id: integer, unit: Unit, object: integer?, pose: Matrix4x4?, "
     "orphaned_policy: string?) -> nil",
     "Lets a particle effect follow a node of a unit, at a pose in the node's space. When the unit "
     "is destroyed: \"stop\" makes no more particles, \"destroy\" ends the effect, \"detach\" lets "
     "it go on."},
    {"link_unit", link_unit,
     "(self: World, child: Unit, child_node_index: integer, parent: Unit, "
     "parent_node_index: integer?) -> nil",
     "Links a whole unit (its node 1) to another unit or one of its nodes. Its local pose is then "
     "in that space."},
    {"load_level", load_level,
     "(self: World, name: string(level), position: Vector3?, rotation: Quaternion?, scale: "
     "Vector3?) -> "
     "Level",
     "Spawns the units of a level, moved, turned and scaled by the given pose. A level can be "
     "loaded several times."},
    {"load_level_gradually", load_level_gradually,
     "(self: World, name: string(level), seconds: number, position: Vector3?, rotation: "
     "Quaternion?, scale: Vector3?) -> Level",
     "Spawns the units of a level in order over the world's steps: at least 64 entities a step, "
     "and more while the step's spawning has taken less than `seconds`. Level.is_spawned returns "
     "whether all have been spawned. Destroying the level stops the spawning."},
    {"move_particles", ct_world_move_particles,
     "(self: World, effect_id: integer, position: Vector3, rotation: Quaternion?, scale: Vector3?) "
     "-> nil",
     "Moves a particle effect, which then follows no unit. Particles are born along the way. What "
     "is left out stays."},
    {"num_level", num_level, "(self: World) -> integer", "Returns the number of loaded levels."},
    {"num_particles", ct_world_num_particles,
     "(self: World, effect_id: integer?, cloud_index: integer?) -> integer",
     "Returns the number of living particles: of all effects, of one, or of one of its emitters, "
     "from 1."},
    {"num_units", num_units, "(self: World) -> integer", "Returns the number of units."},
    {"particles_position", ct_world_particles_position,
     "(self: World, effect_id: integer) -> Vector3?",
     "Returns where a particle effect is, or nil when it has ended."},
    {"physics_world", physics_world, "(self: World) -> PhysicsWorld",
     "Returns the physics of the world."},
    {"replay", ct_world_replay, "(self: World) -> Replay",
     "Returns what records and plays what the units of the world do; the same each time."},
    {"seek_particles", ct_world_seek_particles,
     "(self: World, effect_id: integer, seconds: number) -> nil",
     "Starts a particle effect again at its place and steps it to a time, up to 600 seconds."},
    {"set_data", set_data, "(self: World, indices: any(integer,string)+, value: any) -> nil",
     "Stores a value with the world under one or more indices."},
    {"set_particles_collision_filter", ct_world_set_particles_collision_filter,
     "(self: World, collision_filter: string) -> nil",
     "Sets the collision filter of the physics resource for particles whose effects name none."},
    {"set_particles_variable", ct_world_set_particles_variable,
     "(self: World, effect_id: integer, variable_index: integer, value: "
     "any(number,Vector2,Vector3,Vector4)) -> nil",
     "Sets a variable of a particle effect by its number. A number is in all components."},
    {"set_shading_environment", ct_api_set_shading_environment,
     "(self: World, environment: ShadingEnvironment, name: string(environment)) -> nil",
     "Replaces all values of an environment by those of a loaded resource, and applies them."},
    {"spawn_unit", spawn_unit,
     "(self: World, unit_name: string(unit), position: Vector3?, orientation: Quaternion?) -> Unit",
     "Spawns a unit at a position, in metres, and an orientation; those left out come from its "
     "template. A unit without a transform has no pose, and its children keep the poses of its "
     "template."},
    {"spawn_units", spawn_units,
     "(self: World, unit_name: string(unit), positions: any(Float32Array,number[],Vector3[]), "
     "rotations: Float32Array?, result: EntityArray?) -> any(Unit[],EntityArray)",
     "Spawns a unit at each position (x1, y1, z1, x2 and so on, or Vector3s), with the given "
     "rotations (x, y, z and w each) or the template's" RESULT},
    {"state_hash", state_hash, "(self: World) -> string",
     "Returns a hash of the state of the world's living entities (poses, nodes, tags, data and the "
     "game's own components) in 16 hexadecimal digits. Two runs that did the same have the same "
     "hash. It leaves out what scripts store in Lua."},
    {"stop_spawning_particles", ct_world_stop_spawning_particles,
     "(self: World, effect_id: integer) -> nil",
     "Makes no more particles of an effect, which ends when the last one is dead."},
    {"teleport_particles", ct_world_teleport_particles,
     "(self: World, effect_id: integer, position: Vector3, rotation: Quaternion?, scale: Vector3?) "
     "-> nil",
     "Moves a particle effect like move_particles, but no particles are born along the way."},
    {"time", world_time, "(self: World) -> number",
     "Returns the seconds of game time since the world was made."},
    {"unit_by_id", unit_by_id, "(self: World, id: string) -> Unit?",
     "Returns the unit with this id in a loaded level, or nil."},
    {"unit_by_name", unit_by_name, "(self: World, name: string) -> Unit?",
     "Returns a unit with this debug name, or nil. Searches the names of all units: store the "
     "result."},
    {"units", units, "(self: World, result: EntityArray?) -> any(Unit[],EntityArray)",
     "Returns the units of the world, in no particular order" RESULT},
    {"units_by_resource", units_by_resource,
     "(self: World, resource_name: string(unit), result: EntityArray?) -> "
     "any(Unit[],EntityArray)",
     "Returns the units that were spawned from a resource, in no particular order" RESULT},
    {"unlink_particles", ct_world_unlink_particles, "(self: World, effect_id: integer) -> nil",
     "Lets a particle effect stay where it is, instead of following a unit."},
    {"unlink_unit", unlink_unit, "(self: World, child: Unit) -> nil",
     "Unlinks a unit from its parent; it keeps its pose in the world."},
    {"update", update, "(self: World, delta_time: number?) -> nil",
     "Advances the world by a time in seconds, or by the last step's. Behaviours are updated "
     "first."},
    {"update_scene", update, "(self: World, delta_time: number?) -> nil", "Same as update."},
    {"update_several", update_several, "(worlds: World[], delta_time: number) -> nil",
     "Updates different worlds by the same time, each to the same state as by itself. Their "
     "physics "
     "runs on several threads at a time. The behaviours of all worlds are updated first, and "
     "events "
     "of all are sent last. A world that ends on the way is left out."},
    {"vector_field", ct_world_vector_field, "(self: World, name: string) -> VectorField",
     "Returns the vector field with this name, which particle effects refer to; it is made when it "
     "is new."},
};

const ct_lua_module ct_api_world = {
    .name = "World",
    .doc = "A space with units, lights and cameras. Make one with Application.new_world.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
};
