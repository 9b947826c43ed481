#include "script/network/script_units.h"

#include "script/api_check.h"
#include "script/render/api_line_object.h"

// A world's replay.
typedef struct world_replay {
    ct_world *world;
    ct_unit_replay *replay;
    ct_line_object *lines; // NULL: none drawn yet
} world_replay;

// What an environment keeps of units.
typedef struct ct_script_units {
    ct_network_session *session; // NULL: none
    ct_unit_synchronizer *synchronizer;
    CT_ARRAY(world_replay) replays;
    double delay; // of units of others; negative: as needed
} ct_script_units;

static ct_script_units *units_of(ct_script *s) {
    if (!s->units) {
        s->units = ct_alloc(s->lua.allocator, sizeof(*s->units));
        *s->units = (ct_script_units){.delay = -1};
        ct_array_init(&s->units->replays, s->lua.allocator);
    }
    return s->units;
}

// --- The synchronizer ----------------------------------------------------------------------------

const ct_lua_object_type ct_type_unit_synchronizer = {.name = "UnitSynchronizer"};

void ct_script_set_session(ct_script *s, ct_network_session *session) {
    if (!s->units && !session)
        return; // also when all of it has ended
    ct_script_units *const u = units_of(s);
    if (u->session == session)
        return;
    if (u->synchronizer) {
        ct_release_object(&s->lua, &ct_type_unit_synchronizer, u->synchronizer, 0);
        ct_unit_synchronizer_destroy(u->synchronizer);
    }
    u->synchronizer = NULL;
    u->session = session;
}

void ct_script_receive_units(ct_script *s, double now) {
    if (s->units && s->units->synchronizer)
        ct_unit_synchronizer_receive(s->units->synchronizer, now);
}

void ct_script_set_unit_delay(ct_script *s, double seconds) {
    if (!s->units && seconds < 0)
        return; // as at first
    ct_script_units *const u = units_of(s);
    u->delay = seconds;
    if (u->synchronizer)
        ct_unit_synchronizer_set_delay(u->synchronizer, seconds);
}

int ct_game_session_unit_synchronizer(lua_State *L) {
    ct_script *const s = ct_script_of(L);
    ct_script_units *const u = units_of(s);
    if (!u->session)
        return ct_function_error(L, "there is no game session");
    if (!u->synchronizer) {
        ct_check_object_room(L, &ct_type_unit_synchronizer);
        u->synchronizer = ct_unit_synchronizer_create(s->lua.allocator, u->session);
        ct_unit_synchronizer_set_delay(u->synchronizer, u->delay);
    }
    ct_push_object(L, &ct_type_unit_synchronizer, u->synchronizer, 0);
    return 1;
}

// --- Replays -------------------------------------------------------------------------------------

static world_replay *replay_of(const ct_script_units *u, const ct_world *world) {
    for (uint32_t i = 0; u && i < u->replays.count; ++i) {
        if (u->replays.items[i].world == world)
            return &u->replays.items[i];
    }
    return NULL;
}

// While a replay plays, units are where they were then, which is nothing to send.
void ct_script_send_units(ct_script *s) {
    ct_world *const world = s->units && s->units->synchronizer
                                ? ct_unit_synchronizer_world(s->units->synchronizer)
                                : NULL;
    if (!world)
        return;
    const world_replay *const r = replay_of(s->units, world);
    if (!r || !ct_unit_replay_is_playing(r->replay))
        ct_unit_synchronizer_send(s->units->synchronizer);
}

static void end_replay(lua_State *L, void *object, uint64_t data) {
    ct_script_units *const u = ct_script_of(L)->units;
    (void)data;
    for (uint32_t i = 0; i < u->replays.count; ++i) {
        if (u->replays.items[i].replay != object)
            continue;
        const world_replay replay = u->replays.items[i];
        ct_array_swap_erase(&u->replays, i);
        ct_unit_replay_destroy(replay.replay);
        if (replay.lines)
            ct_line_object_destroy(replay.lines);
        return;
    }
}

const ct_lua_object_type ct_type_replay = {
    .name = "Replay", .owner = CT_LUA_OWNER_DATA, .end = end_replay};

int ct_world_replay(lua_State *L) {
    ct_world *const world = ct_check_world(L, 1);
    ct_script *const s = ct_script_of(L);
    ct_script_units *const u = units_of(s);
    const world_replay *r = replay_of(u, world);
    if (!r) {
        ct_check_object_room(L, &ct_type_replay);
        const ct_unit_replay_desc desc = {.allocator = s->lua.allocator, .world = world};
        ct_array_push(&u->replays,
                      (world_replay){.world = world, .replay = ct_unit_replay_create(&desc)});
        r = &u->replays.items[u->replays.count - 1];
    }
    ct_push_object(L, &ct_type_replay, r->replay, (uint64_t)(uintptr_t)world);
    return 1;
}

static void draw(ct_script *s, world_replay *r) {
    uint32_t count;
    const ct_replay_line *const lines = ct_unit_replay_lines(r->replay, &count);
    if (!count)
        return;
    if (!r->lines)
        r->lines = ct_line_object_create(s->lua.allocator);
    ct_line_object_reset(r->lines);
    for (uint32_t i = 0; i < count; ++i)
        ct_line_object_add_line(r->lines, lines[i].color, lines[i].from, lines[i].to);
    ct_line_object_dispatch(r->lines, ct_world_system_renderer(s->worlds),
                            ct_world_render_world(r->world));
}

void ct_script_play_replay(lua_State *L, ct_world *world, double dt) {
    ct_script *const s = ct_script_of(L);
    world_replay *const r = replay_of(s->units, world);
    if (!r || !ct_unit_replay_is_playing(r->replay))
        return;
    ct_unit_replay_play(r->replay, dt); // what it spawns and destroys may call Lua
    world_replay *const still = replay_of(s->units, world);
    if (still)
        draw(s, still);
}

void ct_script_record_replay(lua_State *L, const ct_world *world, double dt) {
    const world_replay *const r = replay_of(ct_script_of(L)->units, world);
    if (r)
        ct_unit_replay_record(r->replay, dt);
}

// --- Ends ----------------------------------------------------------------------------------------

void ct_script_end_units(lua_State *L, ct_world *world) {
    ct_script_units *const u = ct_script_of(L)->units;
    if (!u)
        return;
    if (u->synchronizer && ct_unit_synchronizer_world(u->synchronizer) == world)
        ct_unit_synchronizer_set_world(u->synchronizer, NULL);
    const world_replay *const r = replay_of(u, world);
    if (r)
        ct_end_object(L, &ct_type_replay, r->replay, (uint64_t)(uintptr_t)world);
}

void ct_script_units_shutdown(ct_script *s) {
    if (!s->units)
        return;
    ct_script_set_session(s, NULL);
    ct_array_free(&s->units->replays);
    ct_free(s->lua.allocator, s->units);
    s->units = NULL;
}
