#include <math.h>

#include "foundation/error.h"
#include "foundation/math/math.h"
#include "foundation/memory/temp_allocator.h"
#include "lua/lua_array.h"
#include "script/sound/api_sound.h"
#include "script/sound/api_sound_buses.h"
#include "script/world/api_pose.h"
#include "sound/event/sound_curves.h"
#include "world/world_sound.h"

extern const ct_lua_module ct_api_sound_world;

enum { MOST_RENDER_SECONDS = 600 };

// --- Instances -----------------------------------------------------------------------------------

static int stop(lua_State *L) {
    ct_sound_stop(ct_check_sound(L), ct_check_sound_instance(L, 1), ct_check_fade(L, 2, -1));
    return 0;
}

static int stop_all(lua_State *L) {
    const ct_sound_source_components *const m = ct_check_sounds(L, ct_check_world(L, 1));
    ct_sound_stop_all(ct_sound_source_components_world(m), ct_check_fade(L, 2, -1));
    return 0;
}

static int pause_instance(lua_State *L) {
    ct_sound_set_paused(ct_check_sound(L), ct_check_sound_instance(L, 1), true);
    return 0;
}

static int resume(lua_State *L) {
    ct_sound_set_paused(ct_check_sound(L), ct_check_sound_instance(L, 1), false);
    return 0;
}

static int seek(lua_State *L) {
    ct_sound_system *const s = ct_check_sound(L);
    const ct_sound_instance i = ct_check_sound_instance(L, 1);
    ct_sound_seek(s, i, ct_check_number_in(L, 2, 0, CT_SOUND_MAX_SECONDS));
    return 0;
}

static int instance_time(lua_State *L) {
    const ct_sound_system *const s = ct_check_sound(L);
    const ct_sound_instance i = ct_check_sound_instance(L, 1);
    if (ct_sound_is_playing(s, i))
        lua_pushnumber(L, ct_sound_position(s, i));
    else
        lua_pushnil(L);
    return 1;
}

static int is_playing(lua_State *L) {
    const ct_sound_system *const s = ct_check_sound(L);
    lua_pushboolean(L, ct_sound_is_playing(s, ct_check_sound_instance(L, 1)));
    return 1;
}

static int set_volume(lua_State *L) {
    ct_sound_system *const s = ct_check_sound(L);
    const ct_sound_instance i = ct_check_sound_instance(L, 1);
    ct_sound_set_volume(s, i, (float)ct_check_number_in(L, 2, 0, CT_SOUND_MOST_FACTOR));
    return 0;
}

static int set_pitch(lua_State *L) {
    ct_sound_system *const s = ct_check_sound(L);
    const ct_sound_instance i = ct_check_sound_instance(L, 1);
    ct_sound_set_pitch(s, i,
                       (float)ct_check_number_in(L, 2, CT_SOUND_LEAST_PITCH, CT_SOUND_MOST_PITCH));
    return 0;
}

// --- Parameters ----------------------------------------------------------------------------------

static int set_parameter(lua_State *L) {
    ct_sound_system *const s = ct_check_sound(L);
    const ct_sound_instance i = ct_check_sound_instance(L, 1);
    const ct_sound_event_resource *const event = ct_sound_system_event(s, ct_sound_event_of(s, i));
    const ct_sound_source_parameter p = ct_check_sound_parameter(L, 2, event);
    const ct_sound_parameter_value value = ct_sound_source_parameter_value(&p);
    if (p.is_text)
        ct_sound_set_text(s, i, p.name, value.text);
    else
        ct_sound_set_number(s, i, p.name, value.number);
    return 0;
}

static int set_global_parameter(lua_State *L) {
    ct_sound_system *const s = ct_check_sound(L);
    const ct_sound_source_parameter p = ct_check_sound_parameter(L, 1, NULL);
    if (ct_sound_is_built_in(p.name))
        ct_argument_error(L, 1, "the engine sets \"%.64s\": expected another name",
                          ct_string_id32_name(p.name));
    const ct_sound_parameter_value value = ct_sound_source_parameter_value(&p);
    if (p.is_text)
        ct_sound_system_set_text(s, p.name, value.text);
    else
        ct_sound_system_set_number(s, p.name, value.number);
    return 0;
}

// --- Places --------------------------------------------------------------------------------------

// Changes the link of an instance, whichever world it is of: there are few.
static void each_links(lua_State *L, ct_sound_instance i,
                       void (*change)(ct_sound_links *links, ct_sound_instance i)) {
    const ct_world_system *const worlds = ct_script_of(L)->worlds;
    for (uint32_t k = 0; k < ct_world_system_num_worlds(worlds); ++k) {
        const ct_world *const w = ct_world_system_world(worlds, k);
        change(ct_sound_source_components_links(ct_world_sound_sources(w)), i);
    }
}

static int move(lua_State *L, bool is_jump) {
    ct_sound_system *const s = ct_check_sound(L);
    const ct_sound_instance i = ct_check_sound_instance(L, 1);
    const ct_vec3 place = ct_check_sound_position(L, 2);
    each_links(L, i, ct_sound_links_remove); // it follows no more
    ct_sound_move(s, &i, &place, 1, is_jump);
    return 0;
}

static int set_position(lua_State *L) {
    return move(L, false);
}

static int teleport(lua_State *L) {
    return move(L, true);
}

static int set_rotation(lua_State *L) {
    ct_sound_system *const s = ct_check_sound(L);
    const ct_sound_instance i = ct_check_sound_instance(L, 1);
    const ct_quat rotation = ct_check_finite_quaternion(L, 2);
    each_links(L, i, ct_sound_links_keep_rotation);
    ct_sound_turn(s, i, rotation);
    return 0;
}

// Returns the instances of the world of `m` in the Lua array at argument 2, in the environment's scratch.
static ct_sound_instance *check_instances(lua_State *L, const ct_sound_source_components *m,
                                          uint32_t *count) {
    const ct_sound_system *const s = ct_sound_source_components_system(m);
    if (!lua_istable(L, 2))
        ct_argument_type_error(L, 2, "table");
    *count = ct_check_array(L, 2);
    ct_sound_instance *const all =
        ct_lua_scratch(ct_lua_of(L), sizeof(ct_sound_instance) * (*count + 1ull));
    for (uint32_t i = 0; i < *count; ++i) {
        lua_rawgeti(L, 2, (int)i + 1);
        const double number = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : -1;
        if (!(number >= 0 && number <= UINT32_MAX && number == floor(number)))
            ct_argument_error(L, 2, "expected an instance at index %u, got %s", i + 1,
                              ct_push_value_description(L, lua_gettop(L)));
        all[i].value = (uint32_t)number;
        const ct_sound_world *const world = ct_sound_world_of(s, all[i]);
        if (world && world != ct_sound_source_components_world(m))
            ct_argument_error(L, 2,
                              "expected instances of this world, got one of another world at "
                              "index %u",
                              i + 1);
        lua_pop(L, 1);
    }
    return all;
}

static int set_positions(lua_State *L) {
    const ct_world *const world = ct_check_world(L, 1);
    const ct_sound_source_components *const m = ct_check_sounds(L, world);
    uint32_t count, num_positions;
    const ct_sound_instance *const all = check_instances(L, m, &count);
    CT_TEMP_ALLOCATOR(temp, ct_lua_of(L)->allocator);
    const ct_vec3 *const positions = ct_check_positions(L, 3, temp, &num_positions);
    if (num_positions != count)
        ct_argument_error(L, 3, "expected one position for each of %u instances, got %u", count,
                          num_positions);
    for (uint32_t i = 0; i < count; ++i)
        for (uint32_t k = 0; k < 3; ++k)
            if (!(fabs((double)positions[i].raw[k]) <= CT_SOUND_REACH))
                ct_argument_error(L, 3, "expected numbers from -%g to %g for position %u, got %g",
                                  CT_SOUND_REACH, CT_SOUND_REACH, i + 1,
                                  (double)positions[i].raw[k]);
    ct_sound_links *const links = ct_sound_source_components_links(m);
    for (uint32_t i = 0; i < count && ct_sound_links_count(links); ++i)
        ct_sound_links_remove(links, all[i]);
    if (count)
        ct_sound_move(ct_sound_source_components_system(m), all, positions, count, false);
    return 0;
}

static int link_to_unit(lua_State *L) {
    const ct_world *const world = ct_check_world(L, 1);
    const ct_sound_source_components *const m = ct_check_sounds(L, world);
    const ct_sound_instance i = ct_check_sound_instance_of(L, 2, m);
    ct_sound_link_desc desc = {.entity = ct_check_unit_of(L, 3, world)};
    if (!lua_isnoneornil(L, 4))
        desc.node = ct_check_node(L, 4, world, desc.entity);
    if (!lua_isnoneornil(L, 5))
        desc.position = ct_check_sound_position(L, 5);
    if (!lua_isnoneornil(L, 6))
        desc.orphaned = ct_check_name_of(L, 6, ct_sound_orphaned_names);
    ct_sound_links_add(ct_sound_source_components_links(m), i, &desc);
    return 0;
}

static int end_link(lua_State *L) {
    ct_check_sound(L);
    each_links(L, ct_check_sound_instance(L, 1), ct_sound_links_remove);
    return 0;
}

// --- Listeners -----------------------------------------------------------------------------------

static void place_listener(lua_State *L, ct_sound_listener_components *listeners, uint32_t index) {
    ct_vec3 place, scale;
    ct_quat rotation = ct_quat_identity();
    if (ct_value_kind_at(L, 3) == CT_VALUE_KIND_MATRIX4X4) {
        ct_check_pose(L, 3, &place, &rotation, &scale);
    } else {
        place = ct_check_sound_position(L, 3);
        if (!lua_isnoneornil(L, 4))
            rotation = ct_check_finite_quaternion(L, 4);
    }
    ct_sound_listeners_place(listeners, index, place, rotation, false);
}

static int set_listener(lua_State *L) {
    const ct_world *const world = ct_check_world(L, 1);
    ct_check_sound(L);
    ct_sound_listener_components *const listeners = ct_world_sound_listeners(world);
    const uint32_t index = (uint32_t)ct_check_integer(L, 2, 1, CT_SOUND_MAX_LISTENERS) - 1;
    switch (ct_value_kind_at(L, 3)) {
    case CT_VALUE_KIND_ENTITY: {
        const ct_entity e = ct_check_unit_of(L, 3, world);
        const uint32_t node = lua_isnoneornil(L, 4) ? 0 : ct_check_node(L, 4, world, e);
        ct_sound_listeners_follow(listeners, index, e, node);
        return 0;
    }
    case CT_VALUE_KIND_VECTOR3:
    case CT_VALUE_KIND_MATRIX4X4:
        place_listener(L, listeners, index);
        return 0;
    default:
        return ct_argument_type_error(L, 3, "Unit, Vector3 or Matrix4x4");
    }
}

static int set_num_listeners(lua_State *L) {
    const ct_world *const world = ct_check_world(L, 1);
    ct_check_sound(L);
    ct_sound_listeners_set_count(ct_world_sound_listeners(world),
                                 (uint32_t)ct_check_integer(L, 2, 0, CT_SOUND_MAX_LISTENERS));
    return 0;
}

static int num_listeners(lua_State *L) {
    const ct_sound_source_components *const m = ct_check_sounds(L, ct_check_world(L, 1));
    ct_sound_listener all[CT_SOUND_MAX_LISTENERS];
    lua_pushnumber(L, ct_sound_listeners(ct_sound_source_components_world(m), all));
    return 1;
}

static int set_place_reverb(lua_State *L) {
    ct_world *const world = ct_check_world(L, 1);
    ct_check_sound(L);
    const bool has_own = !lua_isnoneornil(L, 2);
    const float volume = has_own ? (float)ct_check_number_in(L, 2, (double)CT_SOUND_SILENCE_DB,
                                                             (double)CT_SOUND_MAX_DB)
                                 : CT_SOUND_SILENCE_DB;
    ct_world_set_reverb(world, has_own, ct_sound_gain_of_db(volume));
    return 0;
}

// --- The whole -----------------------------------------------------------------------------------

static int num_instances(lua_State *L) {
    const ct_sound_source_components *const m = ct_check_sounds(L, ct_check_world(L, 1));
    lua_pushnumber(L, ct_sound_world_count(ct_sound_source_components_world(m)));
    return 1;
}

static int mixer_clock(lua_State *L) {
    const uint64_t frames = ct_mixer_clock(ct_sound_system_mixer(ct_check_sound(L)));
    lua_pushnumber(L, (double)frames / CT_MIXER_RATE);
    return 1;
}

static int output(lua_State *L) {
    lua_pushstring(L, ct_sound_system_output(ct_check_sound(L)));
    return 1;
}

static int render(lua_State *L) {
    ct_sound_system *const s = ct_check_sound(L);
    const double seconds = ct_check_number_in(L, 1, 0, MOST_RENDER_SECONDS);
    uint64_t num_frames = 0;
    const float *const samples =
        seconds > 0 ? ct_sound_system_render(s, seconds, &num_frames) : NULL;
    const uint64_t count = num_frames * CT_MIXER_CHANNELS;
    ct_lua_array *const array = ct_push_result_array(L, 2, CT_LUA_ARRAY_KIND_FLOATS, count);
    for (uint64_t i = 0; i < count; ++i)
        array->floats[i] = samples[i];
    return 1;
}

static const ct_lua_function functions[] = {
    {"bus_peak", ct_sound_world_bus_peak, "(bus: string) -> number",
     "Returns what a meter of a bus shows: the highest sample of late, 1 is full scale. It falls "
     "by 24 dB in a second."},
    {"bus_volume", ct_sound_world_bus_volume, "(bus: string) -> number",
     "Returns the player's volume of a bus."},
    {"clock", mixer_clock, "() -> number",
     "Returns the clock of the mixer in seconds, for the option start of play."},
    {"is_playing", is_playing, "(instance: integer?) -> boolean",
     "Returns whether an instance has not ended. A paused one has not."},
    {"link", link_to_unit,
     "(world: World, instance: integer?, unit: Unit, node: integer?, position: Vector3?, orphaned: "
     "string?) -> nil",
     "Lets an instance follow a node of a unit, at a position in its space. When the unit is "
     "destroyed, the sound goes on as `orphaned` says: \"stop\" (the default) or \"detach\"."},
    {"num_instances", num_instances, "(world: World) -> integer",
     "Returns how many instances of events play in a world."},
    {"num_listeners", num_listeners, "(world: World) -> integer",
     "Returns how many listeners a world has."},
    {"output", output, "() -> string",
     "Returns where the sound goes: \"openal\", or \"null\" and \"none\" where nothing is heard."},
    {"pause", pause_instance, "(instance: integer?) -> nil",
     "Pauses an instance, with a short fade. resume lets it go on."},
    {"play", ct_sound_world_play,
     "(world: World, event: string(sound_event), source: any(Vector3,Unit)?, parameters: table?, "
     "options: table?) -> integer?",
     "Plays a loaded event and returns the instance; nil when its limit or cooldown does not allow "
     "one, or none of its sounds can play. It plays at a position, or follows a unit; with nil it "
     "plays at the listeners. "
     "`parameters` has their values by name. Options: start (clock), fade_in and offset (seconds), "
     "volume and pitch (factors), rotation (it does not turn with the unit then); of a unit node "
     "and orphaned, as in link."},
    {"render", render, "(seconds: number, samples: Float32Array?) -> Float32Array",
     "Mixes so many seconds at once, whatever the clock says, and returns the samples at 48,000 "
     "frames a second, left and right by turns: for tests and for tools. What the output would "
     "have played meanwhile waits."},
    {"resume", resume, "(instance: integer?) -> nil", "Lets a paused instance go on."},
    {"seek", seek, "(instance: integer?, seconds: number) -> nil",
     "Plays on from this time of the event, counted at pitch 1 with the delays of its parts. One "
     "that fades out stays as it is."},
    {"set_bus_volume", ct_sound_world_set_bus_volume, "(bus: string, volume: number) -> nil",
     "Sets the player's volume of a bus, a factor from 0 to 1, on top of everything. It is in the "
     "user setting sound_volumes from then on, and is applied at the next start when the game "
     "saves these."},
    {"set_global_parameter", set_global_parameter,
     "(name: string, value: any(number,string)) -> nil",
     "Sets a parameter for all instances that have none of this name."},
    {"set_listener", set_listener,
     "(world: World, index: integer, source: any(Unit,Vector3,Matrix4x4), node_or_rotation: "
     "any(integer,Quaternion)?) -> nil",
     "Puts a listener, from 1 to 4, on a node of a unit, which it follows, or at a pose. It looks "
     "along the y axis."},
    {"set_num_listeners", set_num_listeners, "(world: World, count: integer) -> nil",
     "Sets how many listeners a world has. With none, sounds are heard as at their source."},
    {"set_parameter", set_parameter,
     "(instance: integer?, name: string, value: any(number,string)) -> nil",
     "Sets a parameter of an instance, which its event declares."},
    {"set_pitch", set_pitch, "(instance: integer?, pitch: number) -> nil",
     "Sets a factor of the pitch, on top of what the event says."},
    {"set_place_reverb", set_place_reverb, "(world: World, volume: number?) -> nil",
     "Sets how much of the world's sounds goes to the reverb of the place, in dB, in place of what "
     "volumes in levels say; nil: as they say. Fades there."},
    {"set_position", set_position, "(instance: integer?, position: Vector3) -> nil",
     "Moves an instance, which follows nothing from then on."},
    {"set_positions", set_positions,
     "(world: World, instances: integer[], positions: any(Float32Array,Vector3[],number[])) -> nil",
     "Moves many instances of a world, each to its position."},
    {"set_rotation", set_rotation, "(instance: integer?, rotation: Quaternion) -> nil",
     "Turns an instance: its cone is around its y axis. One that follows a unit turns with it no "
     "more."},
    {"set_snapshot", ct_sound_world_set_snapshot,
     "(name: string, weight: number?, seconds: number?) -> nil",
     "Fades a snapshot of the buses in (weight 1, the default) or out (0), in so many seconds, or "
     "as the snapshot says."},
    {"set_volume", set_volume, "(instance: integer?, volume: number) -> nil",
     "Sets a factor of the volume, on top of what the event says."},
    {"snapshot", ct_sound_world_snapshot, "(name: string) -> number",
     "Returns the weight that a snapshot has reached."},
    {"stop", stop, "(instance: integer?, fade: number?) -> nil",
     "Stops an instance in so many seconds, or as its event says."},
    {"stop_all", stop_all, "(world: World, fade: number?) -> nil",
     "Stops all instances of a world."},
    {"teleport", teleport, "(instance: integer?, position: Vector3) -> nil",
     "Moves an instance like set_position, but as a jump, which is not heard as speed."},
    {"time", instance_time, "(instance: integer?) -> number?",
     "Returns the time of an instance in seconds of its sound, as seek sets it; nil when it has "
     "ended."},
    {"transition", ct_sound_world_transition,
     "(world: World, instance: integer?, event: string(sound_event), at: any(string,integer)?, "
     "fade: "
     "number?) -> integer?",
     "Starts an event at the next \"beat\" (the default), \"bar\" or so many beats of a playing "
     "instance of music, which stops there in so many seconds (0, the default: at once). The new "
     "one plays at the same place, or follows the same unit. Returns the new instance; nil when "
     "the one before has ended."},
    {"unlink", end_link, "(instance: integer?) -> nil",
     "Ends the link of an instance. The sound stays where it is."},
};

const ct_lua_module ct_api_sound_world = {
    .name = "SoundWorld",
    .doc = "The sounds of worlds. An instance of an event is a whole number. Functions do nothing "
           "with "
           "one that has ended, and with nil, which play returns when the event may not start.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
};
