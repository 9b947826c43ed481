#include <string.h>

#include "foundation/container/bitset.h"
#include "lua/lua_array.h"
#include "script/entity/api_data.h"
#include "script/flow/script_flow.h"
#include "script/navigation/api_navigation.h"
#include "script/world/api_level.h"

extern const ct_lua_module ct_api_level;

static void end(lua_State *L, void *world, uint64_t id) {
    const ct_level level = {(uint32_t)id};
    ct_world_destroy_level(world, level);
    ct_release_object(ct_lua_of(L), &ct_type_level, world,
                      id); // its graph may have given it to Lua again
    ct_script_drop_data(L, ct_data_key_of_level(level));
}

const ct_lua_object_type ct_type_level = {
    .name = "Level", .owner = CT_LUA_OWNER_OBJECT, .end = end};

void ct_script_end_level(ct_script *s, ct_world *world, ct_level level) {
    ct_end_object(s->lua.lua, &ct_type_level, world, level.id);
}

static uint64_t key_at_1(lua_State *L) {
    ct_world *world;
    return ct_data_key_of_level(ct_check_level(L, 1, &world));
}

static int get_data(lua_State *L) {
    return ct_script_get_data(L, key_at_1(L), 2);
}

static int has_data(lua_State *L) {
    return ct_script_has_data(L, key_at_1(L), 2);
}

static int set_data(lua_State *L) {
    return ct_script_set_data(L, key_at_1(L), 2);
}

static bool is_alive(lua_State *L, ct_entity e) {
    return ct_entity_is_alive(ct_lua_of(L)->entities, e);
}

static int is_spawned(lua_State *L) {
    ct_world *world;
    const ct_level level = ct_check_level(L, 1, &world);
    lua_pushboolean(L, ct_level_is_spawned(world, level));
    return 1;
}

static int units(lua_State *L) {
    ct_world *world;
    const ct_level level = ct_check_level(L, 1, &world);
    uint32_t count;
    const ct_entity *const all = ct_level_units(world, level, &count);
    ct_entity *const living = ct_lua_scratch(ct_lua_of(L), sizeof(ct_entity) * (count + 1ull));
    uint32_t num_living = 0;
    for (uint32_t i = 0; i < count; ++i) {
        living[num_living] = all[i];
        num_living += is_alive(L, all[i]);
    }
    return ct_push_entities(L, 2, living, num_living);
}

// Entities in the order they were met, and which of the transforms' were.
typedef struct entity_list {
    ct_entity *items;
    uint64_t *are_met; // a bit for each transform
    uint32_t count;
} entity_list;

static bool is_met(entity_list *list, ct_transform t) {
    if (ct_bits_test(list->are_met, t.index))
        return true;
    ct_bits_set(list->are_met, t.index);
    return false;
}

// The transform that comes behind `t` below `top`, with what hangs on `t` left out; {0} at the end.
static ct_transform next_beside(const ct_transform_manager *m, ct_transform t, ct_transform top) {
    while (t.index != top.index) {
        const ct_transform next = ct_transform_next_sibling(m, t);
        if (next.index)
            return next;
        t = ct_transform_parent(m, t);
    }
    return (ct_transform){0};
}

// Adds an entity and everything linked below it, each once: an entity that was added before was
// added together with everything linked below it.
static void add_tree(entity_list *list, const ct_transform_manager *m, ct_entity e) {
    const ct_transform top = ct_transform_lookup(m, e);
    if (!top.index)
        list->items[list->count++] = e;
    for (ct_transform t = top; t.index;) {
        ct_transform child = {0};
        if (!is_met(list, t)) {
            list->items[list->count++] = ct_transform_entity(m, t);
            child = ct_transform_first_child(m, t);
        }
        t = child.index ? child : next_beside(m, t, top);
    }
}

static int entities(lua_State *L) {
    ct_world *world;
    const ct_level level = ct_check_level(L, 1, &world);
    uint32_t num_units;
    const ct_entity *const all = ct_level_units(world, level, &num_units);
    const ct_transform_manager *const m = ct_world_transforms(world);
    const uint32_t num_transforms = ct_transform_count(m);
    const uint64_t num_words = ct_bits_num_words(num_transforms + 1);
    uint64_t *const are_met =
        ct_lua_scratch(ct_lua_of(L), sizeof(uint64_t) * num_words +
                                         sizeof(ct_entity) * (num_units + num_transforms));
    memset(are_met, 0, sizeof(uint64_t) * num_words);
    entity_list list = {.items = (ct_entity *)(are_met + num_words), .are_met = are_met};
    for (uint32_t i = 0; i < num_units; ++i) {
        if (is_alive(L, all[i]))
            add_tree(&list, m, all[i]);
    }
    return ct_push_entities(L, 2, list.items, list.count);
}

static int pose(lua_State *L) {
    ct_world *world;
    const ct_level level = ct_check_level(L, 1, &world);
    const ct_mat4 m = ct_level_world_pose(world, level);
    ct_push_matrix4x4(L, &m);
    return 1;
}

static int unit_by_index(lua_State *L) {
    ct_world *world;
    const ct_level level = ct_check_level(L, 1, &world);
    const uint32_t count = ct_level_num_units(world, level);
    if (count == 0)
        ct_function_error(L, "the level has no units");
    const uint32_t place = (uint32_t)ct_check_integer(L, 2, 1, count) - 1;
    uint32_t num_spawned;
    const ct_entity *const all = ct_level_units(world, level, &num_spawned);
    const ct_entity e = place < num_spawned ? all[place] : (ct_entity){0};
    ct_push_entity(L, is_alive(L, e) ? e : (ct_entity){0});
    return 1;
}

static int unit_index(lua_State *L) {
    ct_world *world;
    const ct_level level = ct_check_level(L, 1, &world);
    const ct_entity unit = ct_check_unit_of(L, 2, world);
    uint32_t place;
    if (ct_world_find_level_unit(world, unit, &place).id == level.id)
        lua_pushnumber(L, place + 1);
    else
        lua_pushnil(L);
    return 1;
}

static int script(lua_State *L) {
    ct_world *world;
    const ct_level level = ct_check_level(L, 1, &world);
    const ct_string_id64 id = ct_level_script(world, level);
    char name[CT_RESOURCE_NAME_BYTES];
    if (id.value)
        lua_pushstring(L, ct_lua_name_of(ct_lua_of(L), id, name));
    else
        lua_pushnil(L);
    return 1;
}

static int world_of_level(lua_State *L) {
    ct_world *world;
    ct_check_level(L, 1, &world);
    ct_push_object(L, &ct_type_world, world, 0);
    return 1;
}

static const ct_lua_function functions[] = {
    {"draw_members", ct_levels_draw_members, "(self: Level, line_object: LineObject) -> nil",
     "Adds lines that show the volumes (yellow), splines (blue) and markers (their axes) of the "
     "level, for debugging."},
    {"entities", entities, "(self: Level, result: EntityArray?) -> any(Entity[],EntityArray)",
     "Returns the living units of the level in the order of its source, each followed by "
     "everything linked below it; each entity occurs once. In a new table, or in `result`."},
    {"flow_variable", ct_levels_flow_variable, "(self: Level, name: string) -> any",
     "Returns a variable, external input or external output of the level's flow graph."},
    {"get_data", get_data, "(self: Level, indices: any(integer,string)+) -> any",
     "Returns the value stored with the level under these indices, or nil."},
    {"has_data", has_data, "(self: Level, indices: any(integer,string)+) -> boolean",
     "Returns whether a value is stored with the level under these indices."},
    {"has_marker", ct_levels_has_marker, "(self: Level, marker_name: string) -> boolean",
     "Returns whether the level has a marker with this name."},
    {"has_spline", ct_levels_has_spline, "(self: Level, spline_name: string) -> boolean",
     "Returns whether the level has a spline with this name."},
    {"has_volume", ct_levels_has_volume, "(self: Level, volume_name: string) -> boolean",
     "Returns whether the level has a volume with this name."},
    {"is_point_inside_volume", ct_levels_is_point_inside_volume,
     "(self: Level, volume_name: string, point: Vector3) -> boolean",
     "Returns whether a point of the world is inside a volume."},
    {"is_spawned", is_spawned, "(self: Level) -> boolean",
     "Returns whether all units of the level have been spawned. True at once, except after "
     "World.load_level_gradually."},
    {"marker_pose", ct_levels_marker_pose, "(self: Level, marker_name: string) -> Matrix4x4",
     "Returns the pose of a marker in the world, without scale."},
    {"markers", ct_levels_markers, "(self: Level, purpose: string?) -> string[]",
     "Returns the names of the level's markers in the order of its source: of all, or of those "
     "with this purpose."},
    {"navigation_mesh", ct_levels_navigation_mesh,
     "(self: Level, class: string?) -> NavigationMesh?",
     "Returns the mesh of a class of agents (the first without a name), or nil when the level "
     "names "
     "no navigation with it."},
    {"next_random_point_inside_volume", ct_levels_next_random_point_inside_volume,
     "(self: Level, volume_name: string, seed: integer) -> integer, Vector3?",
     "Returns the next seed and a random point inside a volume, all equally likely. The same seed "
     "always gives the same point. The point is nil when the volume contains nothing, such as a "
     "mesh volume whose mesh is not closed."},
    {"num_splines", ct_levels_num_splines, "(self: Level) -> integer",
     "Returns the number of splines of the level."},
    {"pose", pose, "(self: Level) -> Matrix4x4", "Returns the pose at which the level was loaded."},
    {"random_point_inside_volume", ct_levels_random_point_inside_volume,
     "(self: Level, volume_name: string) -> Vector3?",
     "Works like next_random_point_inside_volume with the random numbers of Math.random."},
    {"script", script, "(self: Level) -> string?",
     "Returns the script that the level names, or nil. The engine does not run it; the game passes "
     "it to `require`."},
    {"set_data", set_data, "(self: Level, indices: any(integer,string)+, value: any) -> nil",
     "Stores a value with the level under one or more indices."},
    {"set_flow_variable", ct_levels_set_flow_variable,
     "(self: Level, name: string, value: any) -> nil",
     "Sets a variable or external input of the level's flow graph."},
    {"spline", ct_levels_spline, "(self: Level, spline_name: string) -> Vector3[]",
     "Returns the points in the world that the spline was made of."},
    {"spline_by_index", ct_levels_spline_by_index, "(self: Level, index: integer) -> Vector3[]",
     "Returns the points of the spline at an index, from 1, in the level's source."},
    {"spline_length", ct_levels_spline_length, "(self: Level, spline_name: string) -> number",
     "Returns the length of a spline in metres."},
    {"spline_nearest", ct_levels_spline_nearest,
     "(self: Level, spline_name: string, point: Vector3) -> Vector3, number",
     "Returns the point of a spline that is nearest to a point of the world, and its distance "
     "along the spline from the start."},
    {"spline_point", ct_levels_spline_point,
     "(self: Level, spline_name: string, distance: number) -> Vector3, Vector3",
     "Returns the point of a spline at a distance along it from the start, and its direction "
     "there, of length 1. A closed spline goes round; before the start and behind the end of "
     "another are its ends."},
    {"splines", ct_levels_splines, "(self: Level, purpose: string?) -> string[]",
     "Returns the names of the level's splines in the order of its source: of all, or of those "
     "with this purpose."},
    {"trigger_event", ct_levels_trigger_event, "(self: Level, event: string) -> nil",
     "Starts an external in event of the level's flow graph. All that follows runs at once."},
    {"unit_by_index", unit_by_index, "(self: Level, index: integer) -> Unit?",
     "Returns the unit at an index, from 1, in the level's source, or nil when it is dead or not "
     "spawned yet."},
    {"unit_index", unit_index, "(self: Level, unit: Unit) -> integer?",
     "Returns the index, from 1, of a unit in the level's source, or nil when the level did not "
     "spawn it."},
    {"units", units, "(self: Level, result: EntityArray?) -> any(Unit[],EntityArray)",
     "Returns the living units that the level spawned, in a new table or in `result`."},
    {"volume_box", ct_levels_volume_box, "(self: Level, volume_name: string) -> Matrix4x4, Vector3",
     "Returns the smallest box along the axes of the world that contains a volume: its pose and "
     "half its sizes, as Math.point_in_box takes them."},
    {"volumes", ct_levels_volumes, "(self: Level, purpose: string?) -> string[]",
     "Returns the names of the level's volumes in the order of its source: of all, or of those "
     "with this purpose."},
    {"world", world_of_level, "(self: Level) -> World",
     "Returns the world in which the level was loaded."},
};

const ct_lua_module ct_api_level = {
    .name = "Level",
    .doc = "Units placed together in an editor, and named places: volumes, splines and markers. "
           "Get one "
           "with World.load_level.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
};
