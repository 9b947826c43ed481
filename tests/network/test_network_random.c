// Whole networks over a bad wire: players come, go in order or are lost, hosts among them, while
// objects change. In the end all are in one lobby and one session, and know the same.
#include "foundation/error.h"
#include "foundation/math/random.h"
#include "network/network.h"
#include "support/network_config.h"

enum { NODES = 4, PORT = 7000, STEP_MS = 20 };
#define MS UINT64_C(1000000)

static const ct_network_type_desc types[] = {
    {.name = "health", .kind = CT_NETWORK_INTEGER, .first = 0, .last = 100}};
static const ct_network_field_desc fields[] = {{.name = "health", .type = "health"}};
static const ct_network_record_desc objects[] = {
    {.name = "ball", .fields = fields, .num_fields = 1, .is_shared = true, .priority = 1},
    {.name = "box", .fields = fields, .num_fields = 1, .priority = 1}};

typedef struct node {
    ct_network_wire *wire;
    ct_network *network; // NULL: away
    uint64_t since_ns;   // when it began to join, or was in
} node;

static ct_network_config_resource *config;
static ct_network_wire_net *net;
static node nodes[NODES];
static ct_random dice;
static uint64_t now;
static ct_peer_id next_peer;
static uint32_t num_migrations; // that were seen

static const ct_network_conditions bad = {.loss_percent = 3,
                                          .delay_ns = 30 * MS,
                                          .jitter_ns = 20 * MS,
                                          .reorder_percent = 2,
                                          .duplicate_percent = 2};

static ct_datagram_address address_of(uint32_t i) {
    return (ct_datagram_address){i + 1, PORT};
}

static ct_network_lobby_state lobby_state(uint32_t i) {
    const ct_network_lobby *const l =
        nodes[i].network ? ct_network_lobby_of(nodes[i].network) : NULL;
    return l ? ct_network_lobby_state_of(l) : CT_NETWORK_LOBBY_IDLE;
}

static double seconds(void) {
    return (double)now * 1e-9;
}

// Leaves lobby and session, and joins those of the first one that is in, or hosts both.
static void join(uint32_t i) {
    ct_network *const n = nodes[i].network;
    ct_error error;
    nodes[i].since_ns = now;
    ct_network_destroy_session(n);
    ct_network_leave_lobby(n);
    assert_true(ct_network_create_session(n, &(ct_network_session_desc){0}, &error));
    for (uint32_t k = 0; k < NODES; ++k) {
        if (k == i || lobby_state(k) != CT_NETWORK_LOBBY_JOINED)
            continue;
        const ct_peer_id host = ct_network_lobby_host_peer(ct_network_lobby_of(nodes[k].network));
        for (uint32_t h = 0; h < NODES; ++h) {
            if (nodes[h].network && ct_network_self(nodes[h].network) == host) {
                assert_true(ct_network_join_lobby(n, address_of(h), &error));
                return;
            }
        }
    }
    assert_true(ct_network_host_lobby(n, 0, NODES, &error));
    assert_true(ct_network_session_host(ct_network_session_of(n), seconds(), &error));
    assert_true(
        ct_network_lobby_set_session_host(ct_network_lobby_of(n), ct_network_self(n), &error));
}

static void come(uint32_t i) {
    ct_error error;
    nodes[i].wire = ct_network_wire_in_net(net, address_of(i), &error);
    ct_network_wire_set_conditions(nodes[i].wire, &bad, next_peer);
    nodes[i].network = ct_network_create(
        &(ct_network_desc){
            .allocator = test_heap(), .config = config, .wire = nodes[i].wire, .self = next_peer++},
        &error);
    ct_network_update(nodes[i].network, now);
    join(i);
}

static void go(uint32_t i, bool is_lost) {
    const ct_network_conditions lost = {.loss_percent = 100};
    if (!nodes[i].network)
        return;
    if (is_lost)
        ct_network_wire_set_conditions(nodes[i].wire, &lost, 0);
    ct_network_destroy(nodes[i].network);
    ct_network_wire_destroy(nodes[i].wire);
    nodes[i] = (node){0};
}

static bool is_in(uint32_t i) {
    const ct_network_session *const s = ct_network_session_of(nodes[i].network);
    return lobby_state(i) == CT_NETWORK_LOBBY_JOINED && s &&
           ct_network_session_state_of(s) == CT_NETWORK_SESSION_IN;
}

// What a game does: joins the session that the lobby names; the lobby's host names that of the
// session; one that has lost its way begins again.
static void tend(uint32_t i) {
    ct_network *const n = nodes[i].network;
    ct_network_lobby *const l = ct_network_lobby_of(n);
    ct_network_session *const s = ct_network_session_of(n);
    ct_error error;
    const ct_peer_id named = ct_network_lobby_session_host(l);
    const bool is_joined = lobby_state(i) == CT_NETWORK_LOBBY_JOINED;
    uint32_t count;
    const ct_network_event *const events = ct_network_session_events(s, &count);
    for (uint32_t e = 0; e < count; ++e)
        num_migrations += events[e].type == CT_NETWORK_EVENT_HOST;
    if (is_in(i))
        nodes[i].since_ns = now;
    if (is_in(i) && ct_network_lobby_is_host(l) && named != ct_network_session_host_peer(s))
        ct_network_lobby_set_session_host(l, ct_network_session_host_peer(s), &error);
    if (is_joined && ct_network_session_state_of(s) == CT_NETWORK_SESSION_IDLE && named) {
        const char *const address = ct_network_lobby_address(l, named);
        ct_network_session_join(s, named, address && *address ? address : NULL, seconds(), &error);
    }
    if (now - nodes[i].since_ns > 25000 * MS || lobby_state(i) == CT_NETWORK_LOBBY_FAILED ||
        ct_network_session_state_of(s) == CT_NETWORK_SESSION_ENDED)
        join(i);
}

static void change_objects(uint32_t i) {
    ct_network_session *const s = ct_network_session_of(nodes[i].network);
    ct_network_object_id ids[16];
    const uint32_t all = ct_network_session_objects(s, ct_network_self(nodes[i].network), ids, 16);
    const uint32_t count = all < 16 ? all : 16;
    if (count < 4)
        ct_network_session_create_object(s, ct_random_below(&dice, 2), NULL, NULL);
    for (uint32_t k = 0; k < count; ++k)
        ct_network_session_set_field(
            s, ids[k], 0, UINT32_MAX,
            &(ct_network_value){.kind = CT_NETWORK_INTEGER,
                                .integer = (int32_t)ct_random_below(&dice, 101)},
            NULL);
    if (count && ct_random_below(&dice, 50) == 0)
        ct_network_session_destroy_object(s, ids[0], NULL);
}

static void run(uint32_t ms, bool changes) {
    for (uint32_t at = 0; at < ms; at += STEP_MS) {
        now += STEP_MS * MS;
        for (uint32_t i = 0; i < NODES; ++i) {
            if (!nodes[i].network)
                continue;
            ct_network_update(nodes[i].network, now);
            tend(i);
            if (changes && is_in(i))
                change_objects(i);
            ct_network_transmit(nodes[i].network, now);
        }
    }
}

// Two that have lost all others at the same time both begin again as hosts: players would pick one.
static void bring_together(void) {
    const ct_network_lobby *const first = ct_network_lobby_of(nodes[0].network);
    for (uint32_t i = 1; i < NODES; ++i)
        if (ct_network_lobby_host_peer(ct_network_lobby_of(nodes[i].network)) !=
            ct_network_lobby_host_peer(first))
            join(i);
}

static void expect_all_alike(uint32_t seed) {
    const ct_network_lobby *const first = ct_network_lobby_of(nodes[0].network);
    const uint64_t hash = ct_network_session_state_hash(ct_network_session_of(nodes[0].network));
    for (uint32_t i = 0; i < NODES; ++i) {
        const ct_network_lobby *const l = ct_network_lobby_of(nodes[i].network);
        const ct_network_session *const s = ct_network_session_of(nodes[i].network);
        if (!is_in(i) || ct_network_lobby_num_members(l) != NODES ||
            ct_network_lobby_host_peer(l) != ct_network_lobby_host_peer(first) ||
            ct_network_session_peers(s, CT_NETWORK_PEERS_SYNCHRONIZED, NULL, 0) != NODES ||
            ct_network_session_state_hash(s) != hash)
            fail_msg("seed %u, node %u: lobby %d of %u, host %llu; session %d of %u, host %llu, "
                     "hash %llx and %llx",
                     seed, i, (int)lobby_state(i), ct_network_lobby_num_members(l),
                     (unsigned long long)ct_network_lobby_host_peer(l),
                     (int)ct_network_session_state_of(s),
                     ct_network_session_peers(s, CT_NETWORK_PEERS_ALL, NULL, 0),
                     (unsigned long long)ct_network_session_host_peer(s),
                     (unsigned long long)ct_network_session_state_hash(s),
                     (unsigned long long)hash);
    }
}

static void all_find_each_other_and_agree(void **state) {
    (void)state;
    const uint32_t rounds = test_rounds(4, 200);
    num_migrations = 0;
    for (uint32_t seed = 1; seed <= rounds; ++seed) {
        dice = ct_random_seeded(seed, 77);
        now = 1000 * MS;
        next_peer = 100;
        config = test_network_config(&(ct_network_config_desc){
            .types = types, .num_types = 1, .objects = objects, .num_objects = 2});
        net = ct_network_wire_net_create(test_heap());
        for (uint32_t i = 0; i < NODES; ++i) {
            come(i);
            run(1000, true);
        }
        for (uint32_t act = 0; act < 8; ++act) {
            const uint32_t i = ct_random_below(&dice, NODES);
            if (nodes[i].network)
                go(i, ct_random_below(&dice, 3) == 0);
            else
                come(i);
            run(500 + ct_random_below(&dice, 6000), true);
        }
        for (uint32_t i = 0; i < NODES; ++i)
            if (!nodes[i].network)
                come(i);
        run(60000, true);
        bring_together();
        run(20000, true);
        run(3000, false);
        expect_all_alike(seed);
        for (uint32_t i = 0; i < NODES; ++i)
            go(i, false);
        ct_network_wire_net_destroy(net);
        ct_free(test_heap(), config);
    }
    assert_true(num_migrations >= rounds);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_find_each_other_and_agree),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
