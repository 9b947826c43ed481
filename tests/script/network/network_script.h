// network_script.h: two script environments that play together over 127.0.0.1, for tests of the
// network's Lua. Include once in a program.
//
// Both find the network_config "net" of network_script_config, the global H, a table of methods that
// note what they are called with in `heard()`, and `at(v)`, a vector as text. `play(frames)` updates
// both in turn, 1/60 s each time.
#pragma once
#include "script/fake_host.h"
#include "script/network/script_network.h"
#include "support/network_config.h"

#include "resource/blob/blob_fixtures.h"

static const ct_network_type_desc net_types[] = {
    {.name = "position",
     .kind = CT_NETWORK_VECTOR3,
     .bits = 16,
     .min = {-100, -100, -100},
     .max = {100, 100, 100}},
    {.name = "place", .kind = CT_NETWORK_VECTOR2, .bits = 16, .min = {-8, -8}, .max = {8, 8}},
    {.name = "rotation", .kind = CT_NETWORK_ROTATION, .bits = 12},
    {.name = "health", .kind = CT_NETWORK_INTEGER, .first = 0, .last = 100},
    {.name = "exact", .kind = CT_NETWORK_FLOAT, .bits = 32},
    {.name = "name", .kind = CT_NETWORK_STRING, .max_count = 20},
    {.name = "team",
     .kind = CT_NETWORK_LOOKUP,
     .lookups = (const char *[]){"red", "blue"},
     .num_lookups = 2},
    {.name = "scores", .kind = CT_NETWORK_ARRAY, .element = "health", .max_count = 4},
};
static const ct_network_field_desc net_player[] = {
    {.name = "position", .type = "position"}, {.name = "place", .type = "place"},
    {.name = "rotation", .type = "rotation"}, {.name = "health", .type = "health"},
    {.name = "weight", .type = "exact"},      {.name = "name", .type = "name"},
    {.name = "team", .type = "team"},         {.name = "scores", .type = "scores"},
    {.name = "mesh", .type = "id"},           {.name = "friend", .type = "peer"},
    {.name = "target", .type = "object"},     {.name = "alive", .type = "bool"}};
static const ct_network_field_desc net_ball[] = {{.name = "speed", .type = "exact"}};
static const ct_network_record_desc net_objects[] = {
    {.name = "player",
     .fields = net_player,
     .num_fields = 12,
     .position = "position",
     .distance = 50,
     .priority = 1},
    {.name = "ball", .fields = net_ball, .num_fields = 1, .is_shared = true, .priority = 1}};
static const ct_network_field_desc net_say[] = {{.name = "text", .type = "name"},
                                                {.name = "at", .type = "position"},
                                                {.name = "who", .type = "scores"}};
static const ct_network_record_desc net_messages[] = {
    {.name = "say", .fields = net_say, .num_fields = 3, .is_reliable = true},
    {.name = "ping", .num_fields = 0, .is_reliable = true}};

static script_fixture peers[2];

// Saves and loads the network_config `name`, or has it reloaded; `num_objects` 1 leaves the ball out.
static inline void load_net_config(script_fixture *f, const char *name, uint32_t num_objects,
                                   bool is_again) {
    char file_name[CT_RESOURCE_FILE_NAME_BYTES], path[2048];
    ct_error error = {0};
    ct_network_config_resource *const config =
        test_network_config(&(ct_network_config_desc){.types = net_types,
                                                      .num_types = CT_COUNT_OF(net_types),
                                                      .messages = net_messages,
                                                      .num_messages = CT_COUNT_OF(net_messages),
                                                      .objects = net_objects,
                                                      .num_objects = num_objects});
    ct_resource_file_name(ct_resource_id_of("network_config", name), file_name);
    snprintf(path, sizeof(path), "%s/%s", f->world.folder, file_name);
    if (!ct_file_write(path, config, config->header.size_bytes, false, &error))
        fail_msg("%s", error.message);
    const ct_resource_id id = ct_resource_id_of("network_config", name);
    if (is_again)
        assert_int_equal(ct_resource_manager_reload(f->world.resources, &id, 1), 1);
    else if (!ct_resource_manager_load_now(f->world.resources, "network_config", name, &error))
        fail_msg("%s", error.message);
    ct_free(test_heap(), config);
}

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
