// Network and GameSession: two environments that play together.
#include "foundation/os/file.h"
#include "script/network/network_script.h"
#include "script/network/script_units.h"
#include "support/mutation.h"

static int set_up(void **state) {
    (void)state;
    start_peers(NULL);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    stop_peers();
    return 0;
}

static void joins_the_session_that_the_lobby_names(void **state) {
    (void)state;
    meet();
    for (uint32_t i = 0; i < 2; ++i) {
        assert_lua(&peers[i], "#GameSession.peers(G), #LanLobby.members(L), GameSession.state(G)",
                   "2\t2\tin\t");
        assert_lua(&peers[i],
                   "GameSession.other_peers(G)[1] == YOU, Network.connections()[1] == YOU",
                   "true\ttrue");
        assert_lua(&peers[i],
                   "Network.has_connection(YOU), Network.is_used(YOU), "
                   "Network.game_session() == G, LanLobby.state(L) == LanLobby.JOINED",
                   "1\ttrue\ttrue\ttrue");
    }
    assert_lua(&peers[0], "(heard():gsub(YOU, 'you'))",
               "peer_joined you, game_object_sync_done you");
}

static void shows_objects_with_all_kinds_of_fields(void **state) {
    (void)state;
    meet();
    run_lua(&peers[0],
            "heard() P = GameSession.create_game_object(G, 'player', {position = Vector3(1, 2, 3), "
            "place = Vector2(4, -5), rotation = Quaternion(Vector3(0, 0, 1), 1), health = 77, "
            "weight = 0.5, name = 'Ada', team = 'blue', scores = {3, 2, 1}, "
            "mesh = 'meshes/crate', friend = YOU, target = 0, alive = true})");
    hand_over(0, "P", "P");
    run_lua(&peers[1], "P = tonumber(P) heard()");
    play(10);
    assert_lua(&peers[1], "heard() == 'game_object_created ' .. P .. ' ' .. YOU", "true");
    run_lua(&peers[1], "function field(name) return GameSession.game_object_field(G, P, name) end");
    assert_lua(&peers[1],
               "at(field('position')), at(field('place')), field('health'), "
               "field('weight'), field('name'), field('team')",
               "1 2 3\t4 -5\t77\t0.5\tAda\tblue");
    assert_lua(&peers[1],
               "text(field('scores')), IdString64.equal(field('mesh'), 'meshes/crate'), "
               "field('friend') == ME, field('target'), field('alive')",
               "{3 2 1}\ttrue\ttrue\t0\ttrue");
    assert_lua(&peers[1], "string.format('%.2f', Quaternion.yaw and 1 or field('rotation').w)",
               run_lua(&peers[0], "string.format('%.2f', Quaternion.yaw and 1 or "
                                  "Quaternion(Vector3(0, 0, 1), 1).w)"));
    assert_lua(&peers[1],
               "GameSession.game_object_owned(G, P), GameSession.game_object_owner(G, P) "
               "== YOU, GameSession.game_object_is_type(G, P, 'player'), "
               "GameSession.game_object_exists(G, P), GameSession.game_object_exists(G, 5)",
               "false\ttrue\ttrue\ttrue\tfalse");
    run_lua(&peers[1], "HEARS_FIELDS = true");
    run_lua(&peers[0], "GameSession.set_game_object_field(G, P, 'health', 12)");
    play(20);
    assert_lua(&peers[1], "heard() == 'fields_updated ' .. P .. ' {health}', field('health')",
               "true\t12");
    assert_string_equal(run_lua(&peers[0], "GameSession.state_hash(G)"),
                        run_lua(&peers[1], "GameSession.state_hash(G)"));
    run_lua(&peers[0], "GameSession.destroy_game_object(G, P)");
    play(10);
    assert_lua(&peers[1],
               "heard() == 'game_object_destroyed ' .. P .. ' ' .. YOU, "
               "GameSession.game_object_exists(G, P)",
               "true\tfalse");
}

static void sends_messages(void **state) {
    (void)state;
    meet();
    run_lua(&peers[0], "heard()");
    run_lua(&peers[1], "RPC.say(YOU, 'hello', Vector3(1, 0, 2), {5, 6}) "
                       "Network.send('say', nil, 'all', Vector3(0, 0, 0), {}) RPC.ping(YOU)");
    play(10);
    assert_lua(&peers[0], "(heard():gsub(YOU, 'you'))",
               "say you hello 1 0 2 {5 6}, say you all 0 0 0 {}, ping you");
    static const struct {
        const char *lua, *message;
    } wrong[] = {
        {"RPC.pinng(YOU)", "did you mean \"ping\"?"},
        {"RPC.say(YOU, 'a')", "the message \"say\" has 3 arguments, got 1"},
        {"RPC.say(YOU, 3, Vector3(0, 0, 0), {})", "field \"text\": expected a string, got number"},
        {"RPC.say(YOU, 'a', 3, {})", "field \"at\": expected a Vector3, got number"},
        {"RPC.say(YOU, 'a', Vector3(0, 0, 0), {1, 'x'})", "field \"who\", element 2: expected an"},
        {"RPC.say(YOU, 'a', Vector3(0, 0, 0), {1, 2, 3, 4, 5})", "\"who\""},
        {"RPC.say('x', 'a', Vector3(0, 0, 0), {})",
         "RPC.say: the first argument is the peer that gets the message, or nil for all others; "
         "got string \"x\""},
        {"RPC.ping({})", "got table"},
        {"Network.send('ping', 'x')", "expected a peer as Network.peer_id returns"},
        {"RPC.say(ME, 'a', Vector3(0, 0, 0), {})", "Network.send: "},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(wrong); ++i)
        assert_lua_error(&peers[0], wrong[i].lua, wrong[i].message);
    run_lua(&peers[0], "Network.send('ping') H = {}");
    run_lua(&peers[1], "H = {}");
    play(10);
    assert_true(is_logged("has no method of this name"));
}

static void refuses_wrong_objects_and_fields(void **state) {
    (void)state;
    meet();
    run_lua(&peers[0], "P = GameSession.create_game_object(G, 'player')");
    hand_over(0, "P", "P");
    run_lua(&peers[1], "P = tonumber(P)");
    play(10);
    assert_lua_error(&peers[0], "GameSession.create_game_object(G, 'plyer')",
                     "the network_config has no object \"plyer\"; did you mean \"player\"?");
    assert_lua_error(&peers[0], "GameSession.create_game_object(G, 'player', {helth = 3})",
                     "\"player\" has no field \"helth\"; did you mean \"health\"?");
    assert_lua_error(&peers[0], "GameSession.set_game_object_field(G, P, 'team', 'blu')",
                     "(such as \"blue\"), got string \"blu\"");
    assert_lua_error(&peers[0], "GameSession.set_game_object_field(G, P, 'alive', nil)",
                     "field \"alive\": expected a boolean, got nil");
    assert_lua_error(&peers[0], "GameSession.set_game_object_field(G, P + 9, 'health', 1)",
                     "the session has no game object");
    assert_lua_error(&peers[1], "GameSession.set_game_object_field(G, P, 'health', 1)",
                     "GameSession.set_game_object_field: argument 2");
    assert_lua_error(&peers[1], "GameSession.destroy_game_object(G, P)", "argument 2");
    assert_lua_error(&peers[0], "Network.create_game_session({max_peer = 3})",
                     "there is no option \"max_peer\"; did you mean \"max_peers\"?");
    assert_lua_error(&peers[0], "Network.create_game_session({3})", "there is no option \"\"");
    assert_lua_error(&peers[0], "Network.init_lan_client('net')", "there is a network already");
    assert_lua_error(&peers[0], "Network.type_info('positon')", "did you mean \"position\"?");
    run_lua(&peers[1], "Network.shutdown_game_session()");
    assert_lua_error(&peers[1], "GameSession.peers(G)", "argument 1");
    assert_lua_error(&peers[1], "Network.send('ping')", "there is no game session");
    run_lua(&peers[1], "G = Network.create_game_session({max_objects_of_peer = 1}) "
                       "GameSession.make_game_session_host(G) "
                       "GameSession.create_game_object(G, 'player')");
    assert_lua_error(&peers[1], "GameSession.create_game_object(G, 'player')",
                     "this peer owns 1 objects: destroy some, or raise max_objects_of_peer");
    run_lua(&peers[1], "Network.shutdown_lan_client(N)");
    assert_lua_error(&peers[1], "Network.update(0.1)", "there is no network");
    assert_lua_error(&peers[1], "Network.shutdown_lan_client(N)", "argument 1");
    assert_lua_error(&peers[1], "LanLobby.members(L)", "argument 1");
}

static void gives_objects_to_another_peer(void **state) {
    (void)state;
    meet();
    run_lua(&peers[0], "B = GameSession.create_game_object(G, 'ball', {speed = 4})");
    hand_over(0, "B", "B");
    run_lua(&peers[1], "B = tonumber(B)");
    play(10);
    run_lua(&peers[0], "heard() GameSession.migrate_game_object(G, B, YOU)");
    run_lua(&peers[1], "heard()");
    play(10);
    assert_lua(&peers[0], "heard() == 'game_object_migrated_away ' .. B .. ' ' .. YOU", "true");
    assert_lua(&peers[1],
               "heard() == 'game_object_migrated_to_me ' .. B .. ' ' .. YOU, "
               "GameSession.objects_owned_by(G, ME)[1] == B",
               "true\ttrue");
    run_lua(&peers[1], "for i = 1, 20 do RPC.say(YOU, 'hi', Vector3(1, 0, 2), {5, 6}) end "
                       "GameSession.set_game_object_field(G, B, 'speed', 9)");
    run_lua(&peers[0], "heard() BALLS = {} for i = 1, 40 do BALLS[i] = "
                       "GameSession.create_game_object(G, 'ball') end");
    play(20);
    assert_lua(&peers[0], "select(2, heard():gsub('hi 1 0 2 {5 6}', ''))", "20");
    run_lua(&peers[1], "heard() for _, id in ipairs(GameSession.objects_owned_by(G, YOU)) do "
                       "ball = id end");
    run_lua(&peers[0], "for i = 1, 40 do RPC.say(YOU, 'hi', Vector3(1, 0, 2), {5, 6}) "
                       "GameSession.migrate_game_object(G, BALLS[i], YOU) end");
    play(20); // messages and new owners in one update
    assert_lua(&peers[1], "select(2, heard():gsub('hi 1 0 2 {5 6}', ''))", "40");
    assert_lua(&peers[0], "GameSession.game_object_field(G, B, 'speed')", "9");
    run_lua(&peers[1], "heard() GameSession.leave(G)");
    play(20); // a shared object stays
    assert_lua(&peers[0],
               "GameSession.game_object_owned(G, B), GameSession.wants_to_leave(G) == YOU, "
               "GameSession.wants_to_leave(G)",
               "true\ttrue\tnil");
}

static void interpolates_objects_of_others(void **state) {
    (void)state;
    meet();
    run_lua(&peers[0], "P = GameSession.create_game_object(G, 'player') X = 0");
    hand_over(0, "P", "P");
    run_lua(&peers[1],
            "P = tonumber(P) S = {} GameSession.set_interpolation_lag_compensation(G, 0.2)");
    for (uint32_t i = 0; i < 60; ++i) { // 6 m/s
        run_lua(&peers[0], "X = X + 0.1 "
                           "GameSession.set_game_object_field(G, P, 'position', Vector3(X, 0, 0))");
        play(1);
        run_lua(&peers[1], "if GameSession.game_object_exists(G, P) then "
                           "S[#S + 1] = GameSession.game_object_field(G, P, 'position').x end");
    }
    // 0.2 s behind, and even steps.
    const double last = atof(run_lua(&peers[1], "S[#S]"));
    assert_true(last > 4.3 && last < 5.1);
    assert_lua(&peers[1],
               "(function() for i = #S - 20, #S do local d = S[i] - S[i - 1] "
               "if d < 0.05 or d > 0.15 then return i .. ' ' .. d end end return 'even' end)()",
               "even");
}

// A program that hangs for a moment has a clock that is late for a while: its updates seem to be older than the
// creation of their object.
static void shows_the_last_fields_of_what_rests(void **state) {
    (void)state;
    meet();
    for (uint32_t i = 0; i < 30; ++i) {
        for (uint32_t p = 0; p < 2; ++p) {
            ct_script_begin_frame(peers[p].script);
            run_lua(&peers[p],
                    p == 0 ? "Network.update(1 / 60, H)" : "Network.update(1 / 6000, H)");
        }
    }
    run_lua(&peers[1], "P = GameSession.create_game_object(G, 'player', {health = 1})");
    play(1);
    run_lua(&peers[1], "GameSession.set_game_object_field(G, P, 'health', 7)");
    play(120);
    hand_over(1, "P", "P");
    assert_lua(&peers[0], "GameSession.game_object_field(G, tonumber(P), 'health')", "7");
}

static void asks_the_game_for_priorities(void **state) {
    (void)state;
    meet();
    run_lua(&peers[0], "P = GameSession.create_game_object(G, 'player', {health = 5}) "
                       "Q = GameSession.create_game_object(G, 'player', {health = 5}) "
                       "asked = {} "
                       "H.game_object_priority = function(self, id, peer) "
                       "  asked[#asked + 1] = id .. peer "
                       "  return id == P and 0 or nil end");
    hand_over(0, "P", "P");
    hand_over(0, "Q", "Q");
    play(5);
    run_lua(&peers[0], "GameSession.set_game_object_field(G, P, 'health', 9) "
                       "GameSession.set_game_object_field(G, Q, 'health', 9)");
    play(30);
    assert_lua(&peers[1],
               "GameSession.game_object_field(G, tonumber(P), 'health'), "
               "GameSession.game_object_field(G, tonumber(Q), 'health')",
               "5\t9");
    // Both objects in each update, for the other peer.
    assert_lua(&peers[0],
               "#asked, asked[#asked]:sub(-16) == YOU, asked[#asked] ~= asked[#asked - 1]",
               "70\ttrue\ttrue");
    // The client is not asked about objects of others.
    run_lua(&peers[1], "H.game_object_priority = function(self, id) asked = id end");
    run_lua(&peers[0], "H.game_object_priority = function(self, id) return 1 end");
    play(30);
    assert_lua(&peers[1], "asked, GameSession.game_object_field(G, tonumber(P), 'health')",
               "nil\t9");
    run_lua(&peers[1], "R = GameSession.create_game_object(G, 'player')");
    play(2);
    assert_lua(&peers[1], "asked == R", "true");
    // Nonsense is logged, and changes nothing; so are errors.
    run_lua(&peers[0], "H.game_object_priority = function() return 'much' end");
    play(1);
    assert_true(is_logged("game_object_priority returned string"));
    run_lua(&peers[0], "H.game_object_priority = function() return -1 end");
    play(1);
    assert_true(is_logged("a number out of range"));
    run_lua(&peers[0], "H.game_object_priority = function() error('not urgent') end");
    play(1);
    assert_true(is_logged("not urgent"));
    // It may destroy what it is asked about, and end the network.
    run_lua(&peers[0], "H.game_object_priority = function(self, id) "
                       "GameSession.destroy_game_object(G, id) return 1 end");
    play(2);
    run_lua(&peers[1], "H.game_object_priority = function(self, id) "
                       "Network.shutdown_lan_client(N) end");
    run_lua(&peers[1], "Network.update(1 / 60, H)");
    run_lua(&peers[1], "N = Network.init_lan_client('net')");
}

// Keeps the synchronizer that it is called with.
static const ct_unit_synchronizer *synchronizer;

static int keep_synchronizer(lua_State *L) {
    synchronizer = ct_check_object(L, 1, &ct_type_unit_synchronizer, NULL);
    return 0;
}

static void sets_delays_of_one_network(void **state) {
    (void)state;
    lua_State *const L = ct_script_lua(peers[0].script)->lua;
    lua_pushcfunction(L, keep_synchronizer);
    lua_setglobal(L, "keep");
    run_lua(&peers[0], "G = Network.create_game_session() "
                       "GameSession.set_interpolation_lag_compensation(G, 0.2) "
                       "keep(GameSession.unit_synchronizer(G))");
    assert_true(ct_unit_synchronizer_delay(synchronizer) == 0.2);
    run_lua(&peers[0], "Network.shutdown_lan_client(N) N = Network.init_lan_client('net') "
                       "G = Network.create_game_session() keep(GameSession.unit_synchronizer(G))");
    assert_true(ct_unit_synchronizer_delay(synchronizer) < 0);
}

static void may_end_the_network_in_a_method(void **state) {
    (void)state;
    meet();
    run_lua(&peers[0], "RPC.ping(YOU) RPC.ping(YOU) RPC.say(YOU, 'a', Vector3(0, 0, 0), {})");
    run_lua(&peers[1], "calls = 0 H = {ping = function() calls = calls + 1 "
                       "Network.shutdown_lan_client(N) end, say = function() error('late') end} "
                       "function try() Network.update(1 / 60, H) end");
    run_lua(&peers[0], "Network.update(1 / 60, H)");
    for (uint32_t i = 0; i < 5; ++i)
        run_lua(&peers[1], "if Network.peer_id and calls == 0 then try() end");
    assert_lua(&peers[1], "calls", "1");
    assert_false(is_logged("late"));
    run_lua(&peers[1], "N = Network.init_lan_client('net') H = {} "
                       "Network.update(1 / 60, H)");
}

static void goes_on_after_an_error_in_a_method(void **state) {
    (void)state;
    meet();
    run_lua(&peers[0],
            "RPC.say(YOU, 'a', Vector3(0, 0, 0), {}) RPC.say(YOU, 'b', Vector3(0, 0, 0), {})");
    run_lua(&peers[1], "said = '' H = {say = function(self, from, text) said = said .. text "
                       "if text == 'a' then error('ouch') end Network.update(0.1) end}");
    play(10);
    assert_lua(&peers[1], "said", "ab");
    assert_true(is_logged("ouch"));
    assert_true(is_logged("a method that Network.update calls cannot update the network"));
}

static void kicks_and_ends(void **state) {
    (void)state;
    meet();
    run_lua(&peers[1], "heard()");
    run_lua(&peers[0], "heard() GameSession.remove_peer(G, YOU, {})");
    play(20);
    assert_lua(&peers[1],
               "heard():match('game_session_disconnect %x+ kicked') ~= nil, "
               "GameSession.host_error(G), GameSession.state(G)",
               "true\ttrue\tended\tkicked");
    run_lua(&peers[0], "GameSession.remove_peer(G, YOU, {})"); // has left already
    assert_lua_error(&peers[0], "GameSession.remove_peer(G, '00000000000000ab', {})",
                     "expected another peer of the session");
    assert_lua(&peers[0], "#GameSession.peers(G)", "1");
}

static void compares_states(void **state) {
    (void)state;
    meet();
    run_lua(&peers[0], "P = GameSession.create_game_object(G, 'player', {health = 5}) "
                       "A = GameSession.write_state(G) "
                       "GameSession.set_game_object_field(G, P, 'health', 6) "
                       "B = GameSession.write_state(G) "
                       "GameSession.set_interest(G, YOU, Vector3(1, 2, 3)) "
                       "GameSession.set_interest(G, YOU) "
                       "GameSession.set_game_object_priority(G, P, YOU, 2)");
    assert_lua(&peers[0],
               "GameSession.compare_states(G, A, A), "
               "GameSession.compare_states(G, A, B):match('health') ~= nil, "
               "#GameSession.compare_states(G, A, 'x') > 0",
               "nil\ttrue\ttrue");
    assert_lua_error(&peers[1], "GameSession.set_interest(G, YOU)", "only the host");
}

static void says_that_a_config_was_reloaded(void **state) {
    (void)state;
    run_lua(&peers[0], "hash = Network.config_hash('net')");
    load_net_config(&peers[0], "net", 1, true);
    run_lua(&peers[0], "Network.update(1 / 60)");
    assert_true(is_logged("the network_config net was reloaded; the network goes on with the old"));
    run_lua(&peers[0], "Network.object_info('ball')"); // of the old one
    run_lua(&peers[0], "Network.shutdown_lan_client(N) Network.init_lan_client('net')");
    assert_lua_error(&peers[0], "Network.object_info('ball')",
                     "the network_config has no object \"ball\"");
}

static void replays_a_log(void **state) {
    (void)state;
    char path[512], lua[1024];
    snprintf(path, sizeof(path), "%s/a.log", test_scratch_folder());
    start_peers(&(ct_script_network_options){.log_path = path});
    run_lua(&peers[0],
            "hashes = {} function note() hashes[#hashes + 1] = GameSession.in_session(G) "
            "and GameSession.state_hash(G) or '-' end");
    meet();
    run_lua(&peers[1], "P = GameSession.create_game_object(G, 'player', {health = 5})");
    for (uint32_t i = 0; i < 60; ++i) {
        run_lua(&peers[1], "GameSession.set_game_object_field(G, P, 'health', "
                           "GameSession.game_object_field(G, P, 'health') + 1)");
        play(1);
        run_lua(&peers[0], "note()");
    }
    assert_lua_error(&peers[0], "Network.create_replay_session('/no.log')", "/no.log");
    assert_lua(&peers[0], "#GameSession.peers(G)", "2");
    run_lua(&peers[0], "old = hashes hashes = {} Network.shutdown_lan_client(N) "
                       "N = Network.init_lan_client('net')");
    snprintf(lua, sizeof(lua), "G = Network.create_replay_session('%s')", path);
    run_lua(&peers[0], lua);
    run_lua(&peers[0], "L = Network.create_lan_lobby(0, 4) GameSession.make_game_session_host(G) "
                       "LanLobby.set_game_session_host(L, ME)");
    assert_lua(&peers[0], "Network.peer_id() == ME", "true");
    for (uint32_t i = 0; i < 120; ++i) {
        ct_script_begin_frame(peers[0].script);
        run_lua(&peers[0], "Network.update(1 / 60, {})");
        if (i >= 60)
            run_lua(&peers[0], "note()");
    }
    assert_lua(&peers[0],
               "#hashes, table.concat(old, ' ') == table.concat(hashes, ' '), "
               "Network.statistics().divergences, Network.fatal_error()",
               "60\ttrue\t0\tfalse");
    run_lua(&peers[0], "Network.update(1 / 60) Network.update(1 / 60)");
    assert_true(is_logged("the network log has ended; the game goes on without packets"));
    assert_lua(&peers[0], "Network.fatal_error()", "true");
    run_lua(&peers[0], "Network.shutdown_replay_session()");
    stop_peers();
}

// Replays logs with damage, cut ones and such of nonsense: they are refused, or end early.
static void survives_damaged_logs(void **state) {
    (void)state;
    char path[512], damaged[520], lua[1200];
    ct_error error;
    uint64_t size;
    snprintf(path, sizeof(path), "%s/whole.log", test_scratch_folder());
    snprintf(damaged, sizeof(damaged), "%s/damaged.log", test_scratch_folder());
    start_peers(&(ct_script_network_options){.log_path = path});
    meet();
    run_lua(&peers[1], "P = GameSession.create_game_object(G, 'player', {health = 5}) "
                       "RPC.ping(YOU)");
    play(30);
    run_lua(&peers[0], "Network.shutdown_lan_client(N) N = Network.init_lan_client('net')");
    char *const bytes = ct_file_read(test_heap(), path, &size, &error);
    assert_non_null(bytes);
    uint8_t *const copy = ct_alloc(test_heap(), size + 64);
    ct_random random = ct_random_seeded(9, 9);
    uint32_t num_played = 0;
    for (uint32_t round = 0; round < test_rounds(30, 1000); ++round) {
        memcpy(copy, bytes, size);
        uint64_t length = size;
        for (uint32_t i = ct_random_below(&random, 3) + 1; i > 0 && length > 0; --i)
            length = test_mutate(&random, copy, length, size + 64, NULL);
        if (round % 5 == 0)
            length = ct_random_below(&random, (uint32_t)size);
        assert_true(ct_file_write(damaged, copy, length, false, &error));
        snprintf(lua, sizeof(lua),
                 "OK = pcall(function() G = Network.create_replay_session('%s') end) "
                 "if OK then L = Network.create_lan_lobby(0, 4) "
                 "GameSession.make_game_session_host(G) "
                 "for i = 1, 120 do Network.update(1 / 60, H) "
                 "GameSession.state_hash(G) end end",
                 damaged);
        run_lua(&peers[0], lua);
        num_played += strcmp(run_lua(&peers[0], "tostring(OK)"), "true") == 0;
        run_lua(&peers[0], "if OK then Network.shutdown_replay_session() "
                           "N = Network.init_lan_client('net') end");
    }
    assert_true(num_played > 5);
    ct_free(test_heap(), copy);
    ct_free(test_heap(), bytes);
    stop_peers();
}

static void describes_its_config(void **state) {
    (void)state;
    assert_lua(&peers[0],
               "#Network.config_hash('net'), Network.config_hash('net') == "
               "Network.config_hash('other')",
               "16\tfalse");
    assert_lua(&peers[0],
               "Network.type_info('health').type, Network.type_info('health').max, "
               "Network.type_info('team').values[2], Network.type_info('scores').element, "
               "Network.type_info('position').max.y",
               "integer\t100\tblue\thealth\t100");
    assert_lua(&peers[0],
               "Network.message_info('say').reliable, Network.message_info('say').args[2]."
               "name, Network.object_info('player').fields[4].type, "
               "Network.object_info('ball').shared, Network.message_info('puff').priority",
               "true\tat\thealth\ttrue\t0.5");
}

static void keeps_the_data_of_a_lobby(void **state) {
    (void)state;
    meet();
    run_lua(&peers[0],
            "LanLobby.set_data(L, 'map', 'yard') LanLobby.set_member_data(L, 'team', 'red')");
    play(10);
    assert_lua(&peers[1],
               "LanLobby.data(L, 'map'), LanLobby.member_data(L, YOU, 'team'), "
               "LanLobby.own_data(L, 'team'), LanLobby.lobby_host(L) == YOU, "
               "LanLobby.game_session_host(L) == YOU",
               "yard\tred\t\ttrue\ttrue");
    assert_lua_error(&peers[1], "LanLobby.set_data(L, 'map', 'x')", "LanLobby.set_data: ");
    run_lua(&peers[0], "LanLobby.kick(L, YOU)");
    play(10);
    assert_lua(&peers[1], "LanLobby.state(L) == LanLobby.FAILED, select(2, LanLobby.state(L))",
               "true\tkicked");
    assert_true(is_logged("not in the lobby: its host has removed this program"));
    run_lua(&peers[1], "Network.leave_lan_lobby(L)");
    assert_lua_error(&peers[1], "LanLobby.state(L)", "argument 1");
}

static void finds_lobbies_of_this_machine(void **state) {
    (void)state;
    run_lua(&peers[0],
            "L = Network.create_lan_lobby(47391, 4) LanLobby.set_data(L, 'map', 'yard')");
    run_lua(&peers[1], "B = LanClient.lobby_browser(N) LanLobbyBrowser.refresh(B, 47391)");
    assert_lua(&peers[1], "LanLobbyBrowser.is_refreshing(B), LanLobbyBrowser.num_lobbies(B)",
               "true\t0");
    assert_lua_error(&peers[1], "LanLobbyBrowser.lobby(B, 1)", "the browser has found no lobby");
    hand_over(0, "Network.address()", "A");
    hand_over(0, "ME", "YOU");
    play(90);
    run_lua(&peers[1], "for i = 1, LanLobbyBrowser.num_lobbies(B) do "
                       "if LanLobbyBrowser.lobby(B, i).peer == YOU then I = "
                       "LanLobbyBrowser.lobby(B, i) end end");
    assert_lua(&peers[1],
               "I.address == A, I.port == tonumber(A:match(':(%d+)')), I.members, "
               "I.max_members, I.same_config, I.data.map, LanLobbyBrowser.is_refreshing(B)",
               "true\ttrue\t1\t4\ttrue\tyard\tfalse");
}

static void announces_a_lobby_that_it_got_from_its_host(void **state) {
    (void)state;
    hand_over(0, "ME", "YOU");
    hand_over(1, "ME", "YOU");
    run_lua(&peers[0],
            "L = Network.create_lan_lobby(47392, 4) LanLobby.set_data(L, 'map', 'yard')");
    hand_over(0, "Network.address()", "A");
    run_lua(&peers[1], "L = Network.join_lan_lobby(A)");
    play(30);
    run_lua(&peers[0], "Network.leave_lan_lobby(L)");
    play(30);
    assert_lua(&peers[1],
               "LanLobby.state(L) == LanLobby.JOINED, LanLobby.lobby_host(L) == ME, "
               "#LanLobby.members(L)",
               "true\ttrue\t1");
    run_lua(&peers[0], "B = LanClient.lobby_browser(N) LanLobbyBrowser.refresh(B, 47392)");
    play(90);
    assert_lua(&peers[0],
               "(function() for i = 1, LanLobbyBrowser.num_lobbies(B) do "
               "local l = LanLobbyBrowser.lobby(B, i) "
               "if l.peer == YOU then return l.data.map end end end)()",
               "yard");
}

static void names_the_next_host_of_the_session(void **state) {
    (void)state;
    meet();
    run_lua(&peers[0], "LanLobby.set_game_session_host(L, nil)"); // the game takes it back
    play(30);
    assert_lua(&peers[0], "LanLobby.game_session_host(L)", "nil");
    run_lua(&peers[0], "LanLobby.set_game_session_host(L, ME)");
    play(30);
    assert_lua(&peers[1], "LanLobby.game_session_host(L) == YOU", "true");
    run_lua(&peers[0], "Network.shutdown_lan_client(N) N = Network.init_lan_client('net')");
    play(30);
    assert_lua(&peers[1],
               "GameSession.game_session_host(G) == ME, LanLobby.lobby_host(L) == ME, "
               "LanLobby.game_session_host(L) == ME",
               "true\ttrue\ttrue");
    // The old host finds its way back by the lobby.
    hand_over(1, "Network.address()", "A");
    run_lua(&peers[0], "L = Network.join_lan_lobby(A) G = Network.create_game_session()");
    play(60);
    assert_lua(&peers[0], "GameSession.in_session(G), #GameSession.peers(G)", "true\t2");
}

static void sets_the_transport(void **state) {
    (void)state;
    meet();
    run_lua(&peers[0], "Network.set_ping_send_time(0.5) Network.set_ping_resend_time(0.5) "
                       "Network.set_pong_timeout(3) Network.set_resend_time(1) "
                       "Network.enable_qos(64, 256, 1024) Network.disable_qos_peer(YOU) "
                       "Network.enable_qos_peer(YOU) Network.set_max_transmit_rate(0.05) "
                       "Network.log(Network.SPEW) Network.write_dump_tag('here')");
    assert_lua(&peers[0], "Network.statistics(YOU).bandwidth", "32000");
    run_lua(&peers[0], "Network.disable_qos_peer(YOU)");
    play(1);
    assert_lua(&peers[0], "Network.statistics(YOU).bandwidth", "0");
    run_lua(&peers[0], "Network.enable_qos_peer(YOU)");
    play(1);
    assert_lua(&peers[0], "Network.statistics(YOU).bandwidth", "32000");
    assert_lua_error(&peers[0], "Network.enable_qos(64, 32, 1024)", "argument 2");
    assert_lua_error(&peers[0], "Network.enable_qos(64, 256, 128)", "argument 3");
    run_lua(&peers[1], "RPC.ping(YOU)");
    play(30);
    assert_true(is_logged("has sent a message: ping"));
    assert_lua(&peers[0],
               "Network.ping(YOU) >= 0, Network.reliable_send_buffer_left(YOU) > 4000000, "
               "Network.statistics(YOU).bytes_in > 100, Network.statistics().peers",
               "true\ttrue\ttrue\t1");
    assert_lua_error(&peers[0], "Network.simulate('lots=3')", "argument 1 (conditions)");
    run_lua(&peers[0], "Network.simulate('loss=100%')");
    for (uint32_t i = 0; i < 2; ++i)
        play(360);
    assert_lua(&peers[0], "Network.is_broken(YOU)", "true\ttimeout");
    assert_lua(&peers[0],
               "GameSession.broken_connection(G) == YOU, GameSession.broken_connection(G)",
               "true\tnil");
}

static void stays_connected_without_timeouts(void **state) {
    (void)state;
    meet();
    run_lua(&peers[0], "Network.set_timeouts(false) Network.simulate('loss=100%')");
    run_lua(&peers[1], "Network.set_timeouts(false)");
    play(900);
    assert_lua(&peers[0], "Network.is_broken(YOU)", "false\t");
    run_lua(&peers[0], "Network.simulate('none') RPC.ping(YOU)");
}

static void connects_those_with_the_same_key(void **state) {
    (void)state;
    static const char *const keys[][3] = {
        {"set_password('open')", "set_password('opem')", "password"},
        {"set_password('open')", "set_password('')", "password"},
        {"set_token('0123456789abcdef')", "set_password('0123456789abcdef')", "password"},
        {"set_password('open')", "set_password('open')", ""},
        {"set_token('0123456789abcde\\0f')", "set_token('0123456789abcde\\0f')", ""},
        {"set_password('')", "set_password('')", ""},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(keys); ++i) {
        for (uint32_t p = 0; p < 2; ++p) {
            char lua[128];
            snprintf(lua, sizeof(lua),
                     "Network.shutdown_lan_client(N) Network.%s "
                     "N = Network.init_lan_client('net')",
                     keys[i][p]);
            run_lua(&peers[p], lua);
        }
        run_lua(&peers[0], "L = Network.create_lan_lobby(0, 4)");
        hand_over(0, "Network.address()", "A");
        run_lua(&peers[1], "L = Network.join_lan_lobby(A)");
        play(30);
        assert_lua(&peers[1], "select(2, LanLobby.state(L))", keys[i][2]);
        assert_lua(&peers[1], "LanLobby.state(L) == LanLobby.JOINED",
                   keys[i][2][0] ? "false" : "true");
    }
    assert_lua_error(&peers[0], "Network.set_token('short')",
                     "expected a token of 16 to 4096 bytes");
}

static void refuses_another_config(void **state) {
    (void)state;
    hand_over(0, "ME", "YOU");
    run_lua(&peers[1],
            "Network.shutdown_lan_client(N) N = Network.init_lan_client('other', 0, 77)");
    assert_lua(&peers[1], "Network.peer_id()", "000000000000004d");
    run_lua(&peers[0], "L = Network.create_lan_lobby(0, 4)");
    hand_over(0, "Network.address()", "A");
    run_lua(&peers[1], "L = Network.join_lan_lobby(A)");
    play(30);
    assert_lua(&peers[1], "LanLobby.state(L) == LanLobby.FAILED, select(2, LanLobby.state(L))",
               "true\tconfig");
    assert_true(is_logged("not in the lobby: its host has another network_config"));
}

#define NETWORK_TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        NETWORK_TEST(joins_the_session_that_the_lobby_names),
        NETWORK_TEST(shows_objects_with_all_kinds_of_fields),
        NETWORK_TEST(sends_messages),
        NETWORK_TEST(refuses_wrong_objects_and_fields),
        NETWORK_TEST(gives_objects_to_another_peer),
        NETWORK_TEST(interpolates_objects_of_others),
        NETWORK_TEST(shows_the_last_fields_of_what_rests),
        NETWORK_TEST(asks_the_game_for_priorities),
        NETWORK_TEST(sets_delays_of_one_network),
        NETWORK_TEST(may_end_the_network_in_a_method),
        NETWORK_TEST(goes_on_after_an_error_in_a_method),
        NETWORK_TEST(kicks_and_ends),
        cmocka_unit_test(replays_a_log),
        cmocka_unit_test(survives_damaged_logs),
        NETWORK_TEST(compares_states),
        NETWORK_TEST(says_that_a_config_was_reloaded),
        NETWORK_TEST(describes_its_config),
        NETWORK_TEST(keeps_the_data_of_a_lobby),
        NETWORK_TEST(finds_lobbies_of_this_machine),
        NETWORK_TEST(announces_a_lobby_that_it_got_from_its_host),
        NETWORK_TEST(names_the_next_host_of_the_session),
        NETWORK_TEST(sets_the_transport),
        NETWORK_TEST(stays_connected_without_timeouts),
        NETWORK_TEST(connects_those_with_the_same_key),
        NETWORK_TEST(refuses_another_config),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
