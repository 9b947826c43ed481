// network_script.h: two script environments that play together over 127.0.0.1, for tests of the
// network's Lua. Include once in a program.
//
// Both find the network_config "net" of network_script_config, the global H, a table of methods that
// note what they are called with in `heard()`, and `at(v)`, a vector as text. `play(frames)` updates
// both in turn, 1/60 s each time.
#pragma once
#include "script/fake_host.h"
#include "script/network/network_config_script.h"
#include "script/network/script_network.h"

static script_fixture peers[2];

static const char net_start[] =
    "notes = {} "
    "function at(v) "
    "  local function n(x) return string.format('%g', math.floor(x * 10 + 0.5) / 10 + 0) end "
    "  return n(v.x) .. ' ' .. n(v.y) .. (Script.type_name(v) == 'Vector2' and '' or ' ' .. "
    "n(v.z)) "
    "end "
    "function text(v) "
    "  if type(v) == 'table' then return '{' .. table.concat(v, ' ') .. '}' end "
    "  return (Script.type_name(v):find('Vector') and at(v) or tostring(v)) "
    "end "
    "function heard() local t = table.concat(notes, ', ') notes = {} return t end "
    "H = setmetatable({}, {__index = function(t, name) "
    "  if name == 'fields_updated' and not HEARS_FIELDS then return nil end "
    "  if name == 'game_object_priority' then return nil end "
    "  return function(self, ...) "
    "    local parts = {name} "
    "    for i = 1, select('#', ...) do parts[#parts + 1] = text((select(i, ...))) end "
    "    notes[#notes + 1] = table.concat(parts, ' ') "
    "  end end}) ";

static inline void start_peers(const ct_script_network_options *options) {
    peers[0] = start_script_with((ct_script_desc){.network = options});
    load_net_config(&peers[0], "net", 2, false);
    load_net_config(&peers[0], "other", 1, false);
    peers[1] = peers[0];
    const ct_script_host host = make_fake_host();
    peers[1].script = ct_script_create(&(ct_script_desc){.allocator = peers[0].world.allocator,
                                                         .worlds = peers[0].world.system,
                                                         .input = peers[0].input,
                                                         .actions = peers[0].actions,
                                                         .gui = peers[0].gui,
                                                         .host = &host});
    ct_string_builder_init(&peers[1].result, peers[0].world.allocator);
    ct_string_builder_init(&peers[1].traceback, peers[0].world.allocator);
    for (uint32_t i = 0; i < 2; ++i) {
        run_lua(&peers[i], net_start);
        run_lua(&peers[i], "N = Network.init_lan_client('net') ME = Network.peer_id()");
    }
}

static inline void stop_peers(void) {
    ct_string_builder_free(&peers[1].result);
    ct_string_builder_free(&peers[1].traceback);
    ct_script_destroy(peers[1].script);
    stop_script(&peers[0]);
}

static inline void play(uint32_t frames) {
    for (uint32_t i = 0; i < frames; ++i)
        for (uint32_t p = 0; p < 2; ++p) {
            ct_script_begin_frame(peers[p].script);
            run_lua(&peers[p], "Network.update(1 / 60, H)");
        }
}

// Copies a global of one environment, a string, to the other.
static inline void hand_over(uint32_t from, const char *name, const char *as) {
    char lua[512];
    snprintf(lua, sizeof(lua), "%s", name);
    char value[256];
    snprintf(value, sizeof(value), "%s", run_lua(&peers[from], lua));
    snprintf(lua, sizeof(lua), "%s = '%s'", as, value);
    run_lua(&peers[1 - from], lua);
}

// Both are in a session whose host is the first, by a lobby.
static inline void meet(void) {
    hand_over(0, "ME", "YOU");
    hand_over(1, "ME", "YOU");
    run_lua(&peers[0], "L = Network.create_lan_lobby(0, 4) G = Network.create_game_session() "
                       "GameSession.make_game_session_host(G) "
                       "LanLobby.set_game_session_host(L, ME) A = Network.address()");
    hand_over(0, "A", "A");
    run_lua(&peers[1], "L = Network.join_lan_lobby(A) G = Network.create_game_session()");
    play(60);
    assert_lua(&peers[1], "GameSession.in_session(G), GameSession.game_session_host(G) == YOU",
               "true\ttrue");
}
