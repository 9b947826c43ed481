// UnitSynchronizer in Lua, over a session of the test's own.
#include "script/api_fixture.h"
#include "script/network/script_units.h"

#include "support/network_config.h"
#include "support/network_link.h"

static const ct_network_type_desc types[] = {
    {.name = "position",
     .kind = CT_NETWORK_VECTOR3,
     .bits = 20,
     .min = {-500, -500, -500},
     .max = {500, 500, 500}},
};
static const ct_network_field_desc crate[] = {{.name = "unit", .type = "id"},
                                              {.name = "position", .type = "position"}};
static const ct_network_field_desc gate[] = {{.name = "level", .type = "id"},
                                             {.name = "level_unit", .type = "id"}};
static const ct_network_record_desc objects[] = {
    {.name = "crate", .fields = crate, .num_fields = 2, .priority = 1},
    {.name = "gate", .fields = gate, .num_fields = 2, .is_shared = true, .priority = 1}};

static ct_script *script;
static test_network net;
static ct_network_config_resource *config;

static int get_synchronizer(lua_State *L) {
    return ct_game_session_unit_synchronizer(L);
}

static void game(void *user, test_node *node) {
    (void)user;
    if (node->index == 0) {
        ct_script_receive_units(script, net.now);
        ct_script_send_units(script);
    }
}

static int set_up_session(void **state) {
    set_up(state);
    script = f.script;
    config = test_network_config(&(ct_network_config_desc){
        .types = types, .num_types = 1, .objects = objects, .num_objects = 2});
    test_network_init(&net, 3);
    for (uint32_t i = 0; i < 2; ++i)
        test_network_add(&net, &(ct_network_session_desc){.config = config});
    assert_true(ct_network_session_host(net.nodes[0].session, net.now, NULL));
    test_network_join(&net.nodes[1], &net.nodes[0]);
    test_network_run(&net, 2, game, NULL);
    ct_script_set_session(script, net.nodes[0].session);
    lua_State *const L = ct_script_lua(script)->lua;
    lua_pushcfunction(L, get_synchronizer);
    lua_setglobal(L, "synchronizer");
    run_lua(&f, "S = synchronizer() UnitSynchronizer.set_world(S, W)");
    return 0;
}

static int tear_down_session(void **state) {
    ct_script_set_session(script, NULL);
    tear_down(state);
    test_network_free(&net);
    ct_free(test_heap(), config);
    return 0;
}

static void units_are_objects(void **state) {
    (void)state;
    run_lua(&f, "U = UnitSynchronizer.spawn_unit(S, 'crate', 'units/crate', Vector3(1, 2, 3)) "
                "I = UnitSynchronizer.unit_to_game_object_id(S, U)");
    assert_lua(&f,
               "synchronizer() == S, I > 0, UnitSynchronizer.game_object_id_to_unit(S, I) == U, "
               "UnitSynchronizer.game_object_id_to_unit(S, I + 1), "
               "UnitSynchronizer.unit_to_game_object_id(S, C)",
               "true\ttrue\ttrue\tnil\tnil");
    test_network_run(&net, 0.5, game, NULL);
    ct_network_object_id id;
    assert_int_equal(ct_network_session_objects(net.nodes[1].session, 0, &id, 1), 1);
    run_lua(&f, "UnitSynchronizer.destroy_unit(S, U)");
    test_network_run(&net, 0.5, game, NULL);
    assert_int_equal(ct_network_session_objects(net.nodes[1].session, 0, &id, 1), 0);
    run_lua(&f, "Y = World.load_level(W, 'levels/yard') "
                "G = UnitSynchronizer.link_unit(S, Level.unit_by_index(Y, 1), 'gate')");
    assert_lua(&f, "UnitSynchronizer.game_object_id_to_unit(S, G) == Level.unit_by_index(Y, 1)",
               "true");
}

static void objects_of_others_are_units(void **state) {
    (void)state;
    uint32_t words[CT_NETWORK_MAX_WORDS] = {0};
    const uint32_t type = ct_network_config_object(config, ct_string_id32_of("crate"));
    const ct_network_record_type *const record = &ct_network_config_objects(config)[type];
    memcpy(words, ct_network_record_defaults(config, record), sizeof(*words) * record->num_words);
    assert_true(ct_network_record_set(
        config, record, 0, UINT32_MAX,
        &(ct_network_value){.kind = CT_NETWORK_ID, .id = ct_string_id64_of("units/crate").value},
        words, NULL));
    const ct_network_object_id id =
        ct_network_session_create_object(net.nodes[1].session, type, words, NULL);
    assert_int_not_equal(id, 0);
    test_network_run(&net, 0.5, game, NULL);
    char text[256];
    snprintf(text, sizeof(text), "U = UnitSynchronizer.game_object_id_to_unit(S, %u)", id);
    run_lua(&f, text);
    assert_lua(&f, "Unit.alive(U), World.num_units(W)", "true\t2");
    assert_lua_error(&f, "UnitSynchronizer.destroy_unit(S, U)", "belongs to peer");
}

// What is shown of the past is no news for other peers.
static void own_units_rest_while_a_replay_plays(void **state) {
    (void)state;
    run_lua(&f, "U = UnitSynchronizer.spawn_unit(S, 'crate', 'units/crate', Vector3(1, 0, 0)) "
                "R = World.replay(W) Replay.start_recording(R) World.update(W, 0.1) "
                "Unit.set_local_position(U, 1, Vector3(5, 0, 0)) World.update(W, 0.1)");
    test_network_run(&net, 0.5, game, NULL);
    ct_network_object_id id;
    assert_int_equal(ct_network_session_objects(net.nodes[1].session, 0, &id, 1), 1);
    const uint64_t before = ct_network_session_state_hash(net.nodes[1].session);
    run_lua(&f, "Replay.start_playback(R)");
    assert_lua(&f, "Unit.local_position(U, 1).x", "1");
    test_network_run(&net, 0.5, game, NULL);
    assert_int_equal(ct_network_session_state_hash(net.nodes[1].session), before);
    run_lua(&f, "Replay.stop_playback(R) Unit.set_local_position(U, 1, Vector3(7, 0, 0))");
    test_network_run(&net, 0.5, game, NULL);
    assert_int_not_equal(ct_network_session_state_hash(net.nodes[1].session), before);
}

static void refuses_what_is_wrong(void **state) {
    (void)state;
    assert_lua_error(&f, "UnitSynchronizer.spawn_unit(S, 'crat', 'units/crate')",
                     "there is no object type \"crat\"; expected ");
    assert_lua_error(&f, "UnitSynchronizer.spawn_unit(S, 'gate', 'units/crate')",
                     "object type \"gate\" has no field \"unit\"");
    assert_lua_error(&f, "UnitSynchronizer.spawn_unit(S, 'crate', 'units/crat')",
                     "there is no unit \"units/crat\"");
    assert_lua_error(&f, "UnitSynchronizer.link_unit(S, C, 'gate')", "not spawned by a level");
    assert_lua_error(&f, "UnitSynchronizer.destroy_unit(S, C)", "the unit has no game object");
    run_lua(&f, "UnitSynchronizer.set_world(S, nil)");
    assert_lua_error(&f, "UnitSynchronizer.spawn_unit(S, 'crate', 'units/crate')",
                     "call UnitSynchronizer.set_world first");
    run_lua(&f, "V = Application.new_world() UnitSynchronizer.set_world(S, V) "
                "UnitSynchronizer.spawn_unit(S, 'crate', 'units/crate') "
                "Application.release_world(V)");
    assert_lua_error(&f, "UnitSynchronizer.spawn_unit(S, 'crate', 'units/crate')",
                     "call UnitSynchronizer.set_world first");
    ct_script_set_session(script, NULL);
    assert_lua_error(&f, "UnitSynchronizer.set_world(S, W)", "got a destroyed UnitSynchronizer");
}

#define SESSION_TEST(test) cmocka_unit_test_setup_teardown(test, set_up_session, tear_down_session)

int main(void) {
    const struct CMUnitTest tests[] = {
        SESSION_TEST(units_are_objects),
        SESSION_TEST(objects_of_others_are_units),
        SESSION_TEST(own_units_rest_while_a_replay_plays),
        SESSION_TEST(refuses_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
