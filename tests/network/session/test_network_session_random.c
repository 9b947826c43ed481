// Random games: 2 to 5 peers that create, change, give and destroy objects, join late, leave, crash,
// while packets are lost and late. When it is quiet, all agree, and what events said is what is.
#include <math.h>

#include "foundation/container/hash_map.h"
#include "network/session/session_fixture.h"

enum { MAX_OBJECTS = 12, MAX_PEERS = 5 };

// What the events of a node said.
typedef struct shadow {
    ct_hash_map owners; // by object
    uint32_t num_fields_events;
    bool is_in;
} shadow;

typedef struct game {
    test_network net;
    ct_random random;
    shadow shadows[TEST_NETWORK_MAX_NODES];
    ct_network_session_desc desc;
    bool is_quiet;
    uint32_t num_left, num_crashed, num_moved;
} game;

static bool chance(game *g, double p) {
    return ct_random_double(&g->random) < p;
}

static void follow_events(game *g, const test_node *node) {
    shadow *const w = &g->shadows[node->index];
    uint32_t count;
    const ct_network_event *const events = ct_network_session_events(node->session, &count);
    for (uint32_t i = 0; i < count; ++i) {
        const ct_network_event *const e = &events[i];
        switch (e->type) {
        case CT_NETWORK_EVENT_CREATED:
            if (!ct_hash_map_add(&w->owners, e->object, e->peer))
                fail_msg("node %u: object %x was created twice", node->index, e->object);
            break;
        case CT_NETWORK_EVENT_DESTROYED:
            if (!ct_hash_map_erase(&w->owners, e->object))
                fail_msg("node %u: unknown object %x was destroyed", node->index, e->object);
            break;
        case CT_NETWORK_EVENT_OWNER:
            if (!ct_hash_map_find(&w->owners, e->object))
                fail_msg("node %u: unknown object %x got an owner", node->index, e->object);
            ct_hash_map_set(&w->owners, e->object, e->peer);
            break;
        case CT_NETWORK_EVENT_FIELDS:
            ++w->num_fields_events;
            assert_true(e->fields != 0);
            break;
        case CT_NETWORK_EVENT_BROKEN:
            if (e->reason == CT_NETWORK_REASON_BROKEN)
                fail_msg("node %u: a peer was found broken", node->index);
            break;
        default:
            break;
        }
    }
}

static void change_object(game *g, test_node *node, ct_network_object_id id) {
    const uint32_t type = ct_network_session_object_type(node->session, id);
    const uint32_t value = ct_random_u32(&g->random);
    const float x = ct_random_float_range(&g->random, -400, 400);
    char text[481];
    const uint32_t length = value % 480;
    for (uint32_t i = 0; i < length; ++i)
        text[i] = (char)('a' + ct_random_below(&g->random, 26));
    text[length] = 0;
    if (type == session_object("body")) {
        // Half of them move evenly, which changes are written against.
        const float t = (float)g->net.now;
        session_set(node, id, "body", "position",
                    id & 1 ? session_vector(x, -x, 3) : session_vector(t, 300 - 2 * t, 3));
        const ct_network_value rotation = {.kind = CT_NETWORK_ROTATION,
                                           .parts = {0, sinf(t), 0, cosf(t)}};
        session_set(node, id, "body", "rotation", rotation);
        if (value & 1)
            session_set(node, id, "body", "health", session_integer((int32_t)(value % 101)));
    } else if (type == session_object("flag")) {
        session_set(node, id, "flag", "score", session_integer((int32_t)(value % 1000)));
        text[length % 20] = 0;
        if (value & 1)
            session_set(node, id, "flag", "name", session_string(text));
    } else if (type == session_object("page")) {
        session_set(node, id, "page", "text", session_string(text));
        const ct_network_value count = {.kind = CT_NETWORK_ARRAY, .count = value % 61};
        session_set(node, id, "page", "ids", count);
        for (uint32_t i = 0; i < value % 61; ++i) {
            const ct_network_value element = {.kind = CT_NETWORK_ID,
                                              .id = ct_random_u64(&g->random)};
            ct_network_session_set_field(node->session, id, session_field("page", "ids"), i,
                                         &element, NULL);
        }
    }
}

static void act_on_objects(game *g, test_node *node) {
    shadow *const w = &g->shadows[node->index];
    ct_network_object_id ids[64];
    ct_peer_id peers[MAX_PEERS];
    const uint32_t num_own = ct_network_session_objects(node->session, node->peer, ids, 64);
    uint32_t num_peers =
        ct_network_session_peers(node->session, CT_NETWORK_PEERS_ALL, peers, MAX_PEERS);
    num_peers = num_peers < MAX_PEERS ? num_peers : MAX_PEERS; // some may be on their way out
    if (num_own < MAX_OBJECTS && chance(g, 0.03)) {
        const ct_network_object_id id = ct_network_session_create_object(
            node->session, ct_random_below(&g->random, 4), NULL, NULL);
        assert_int_not_equal(id, 0);
        ct_hash_map_set(&w->owners, id, node->peer);
    }
    for (uint32_t i = 0; i < num_own; ++i) {
        if (chance(g, 0.1))
            change_object(g, node, ids[i]);
        if (chance(g, 0.004) && ct_network_session_destroy_object(node->session, ids[i], NULL))
            ct_hash_map_erase(&w->owners, ids[i]);
        else if (chance(g, 0.01) && num_peers > 0)
            ct_network_session_give_object(node->session, ids[i],
                                           peers[ct_random_below(&g->random, num_peers)], NULL);
    }
    const uint32_t num_all = ct_network_session_objects(node->session, 0, ids, 64);
    if (ct_network_session_is_host(node->session) && num_all > 0 && chance(g, 0.01))
        ct_network_session_give_object(
            node->session, ids[ct_random_below(&g->random, num_all < 64 ? num_all : 64)],
            peers[ct_random_below(&g->random, num_peers)], NULL);
}

static void play(void *user, test_node *node) {
    game *const g = user;
    follow_events(g, node);
    shadow *const w = &g->shadows[node->index];
    const ct_network_session_state state = ct_network_session_state_of(node->session);
    w->is_in |= state == CT_NETWORK_SESSION_IN;
    if (g->is_quiet || !w->is_in || state == CT_NETWORK_SESSION_ENDED)
        return;
    act_on_objects(g, node);
    if (chance(g, 0.05)) {
        uint32_t words[CT_NETWORK_MAX_WORDS];
        const uint32_t type = ct_random_below(&g->random, CT_COUNT_OF(session_messages));
        const ct_network_record_type *const record =
            &ct_network_config_messages(session_config)[type];
        memcpy(words, ct_network_record_defaults(session_config, record),
               sizeof(uint32_t) * record->num_words);
        ct_network_session_send(node->session, 0, type, words, NULL);
    }
    if (chance(g, 0.0005))
        g->num_moved += ct_network_session_migrate(node->session, 0, g->net.now, NULL);
}

// Nodes come and go.
static void change_nodes(game *g) {
    test_network *const net = &g->net;
    uint32_t num_up = 0, num_in = 0; // those that join are lost with their host
    test_node *host = NULL, *other = NULL;
    for (uint32_t i = 0; i < net->num_nodes; ++i) {
        test_node *const node = &net->nodes[i];
        if (!node->is_up || ct_network_session_state_of(node->session) == CT_NETWORK_SESSION_ENDED)
            continue;
        ++num_up;
        num_in += ct_network_session_state_of(node->session) != CT_NETWORK_SESSION_JOINING;
        if (ct_network_session_is_host(node->session))
            host = node;
        if (!other || chance(g, 0.4))
            other = node;
    }
    if (num_in > 2 && chance(g, 0.1)) {
        ct_network_session_leave(other->session, net->now);
        ++g->num_left;
    } else if (num_in > 2 && chance(g, 0.1)) {
        test_network_crash(other);
        ++g->num_crashed;
    } else if (host && host->is_up && num_up < MAX_PEERS && chance(g, 0.4) &&
               net->num_nodes < TEST_NETWORK_MAX_NODES) {
        test_network_join(test_network_add(net, &g->desc), host);
    }
}

static void check_shadow(const game *g, const test_node *node) {
    const shadow *const w = &g->shadows[node->index];
    ct_network_object_id ids[256];
    const uint32_t count = ct_network_session_objects(node->session, 0, ids, 256);
    assert_true(count <= 256);
    if (count != w->owners.count)
        fail_msg("node %u has %u objects, its events made %u", node->index, count, w->owners.count);
    for (uint32_t i = 0; i < count; ++i)
        if (ct_hash_map_get(&w->owners, ids[i], 0) !=
            ct_network_session_object_owner(node->session, ids[i]))
            fail_msg("node %u: object %x has another owner than its events said", node->index,
                     ids[i]);
}

// Returns whether a session is left.
static bool check_end(game *g) {
    uint32_t num_in = 0;
    ct_peer_id host = 0;
    for (uint32_t i = 0; i < g->net.num_nodes; ++i) {
        const test_node *const node = &g->net.nodes[i];
        if (!node->is_up)
            continue;
        const ct_network_session_state state = ct_network_session_state_of(node->session);
        assert_true(state == CT_NETWORK_SESSION_IN || state == CT_NETWORK_SESSION_ENDED);
        if (state == CT_NETWORK_SESSION_ENDED)
            continue;
        ++num_in;
        if (host && host != ct_network_session_host_peer(node->session))
            fail_msg("node %u has another host", node->index);
        host = ct_network_session_host_peer(node->session);
        assert_int_equal(
            ct_network_session_peers(node->session, CT_NETWORK_PEERS_SYNCHRONIZING, NULL, 0), 0);
        check_shadow(g, node);
    }
    for (uint32_t i = 0; i < g->net.num_nodes; ++i) {
        const test_node *const node = &g->net.nodes[i];
        if (node->is_up && ct_network_session_state_of(node->session) == CT_NETWORK_SESSION_IN)
            assert_int_equal(ct_network_session_peers(node->session, CT_NETWORK_PEERS_ALL, NULL, 0),
                             num_in);
    }
    session_assert_equal(&g->net);
    return num_in > 0;
}

static bool run_game(uint32_t seed, bool has_changes) {
    game *const g = calloc(1, sizeof(*g));
    test_network_init(&g->net, seed);
    g->random = ct_random_seeded(seed, 1);
    g->net.frame = 1.0 / 30;
    g->net.loss = 0.3f * ct_random_float(&g->random);
    g->net.least_delay = 0.1f * ct_random_float(&g->random);
    g->net.most_delay = g->net.least_delay + 0.1f * ct_random_float(&g->random);
    g->net.bytes_per_second = chance(g, 0.5) ? 20000 : 0;
    g->desc = (ct_network_session_desc){.config = session_config};
    for (uint32_t i = 0; i < TEST_NETWORK_MAX_NODES; ++i)
        ct_hash_map_init(&g->shadows[i].owners, test_heap());
    const uint32_t num_first = 2 + ct_random_below(&g->random, MAX_PEERS - 1);
    session_start(&g->net, 0, &g->desc);
    for (uint32_t i = 1; i < num_first; ++i)
        test_network_join(test_network_add(&g->net, &g->desc), &g->net.nodes[0]);
    for (uint32_t i = 0; i < 40; ++i) {
        test_network_run(&g->net, 0.5, play, g);
        if (has_changes)
            change_nodes(g);
    }
    g->is_quiet = true;
    test_network_run(&g->net, 60, play, g);
    const bool is_left = check_end(g);
    for (uint32_t i = 0; i < TEST_NETWORK_MAX_NODES; ++i)
        ct_hash_map_free(&g->shadows[i].owners);
    test_network_free(&g->net);
    free(g);
    return is_left;
}

static void run_seeds(uint32_t first, uint32_t count, bool has_changes) {
    const char *const only = getenv("CUTTLE_TEST_SEED");
    if (only) {
        run_game((uint32_t)atoi(only), has_changes);
        return;
    }
    // A host that leaves before anyone is synchronized ends the session.
    uint32_t num_ended = 0;
    for (uint32_t seed = first; seed < first + count; ++seed) {
        print_message("seed %u\n", seed);
        num_ended += !run_game(seed, has_changes);
    }
    assert_true(num_ended <= 1 + count / 50);
}

static void all_agree_when_objects_change(void **state) {
    (void)state;
    run_seeds(1, test_rounds(4, 300), false);
}

static void all_agree_when_peers_come_and_go(void **state) {
    (void)state;
    run_seeds(1000, test_rounds(12, 2000), true);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(all_agree_when_objects_change, session_make_config,
                                        session_free_config),
        cmocka_unit_test_setup_teardown(all_agree_when_peers_come_and_go, session_make_config,
                                        session_free_config),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
