// script_network.c: the life of the network of an environment, and its frames.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/os/os.h"
#include "foundation/os/path.h"
#include "foundation/profiler/profiler.h"
#include "script/network/api_network.h"
#include "script/network/script_units.h"

enum { LOGGED_PEERS = 256 };
#define START_NS UINT64_C(1000000000)
#define LOG_STATS_NS UINT64_C(1000000000)

// --- The environment -----------------------------------------------------------------------------

static char *copy_text(ct_allocator *a, const char *text) {
    return text && text[0] ? ct_copy_string(a, text) : NULL;
}

void ct_script_network_start(ct_script *s, const ct_script_network_options *options) {
    ct_allocator *const a = s->lua.allocator;
    struct ct_script_network *const n = s->network = CT_NEW(a, struct ct_script_network);
    n->allocator = a;
    n->lua = &s->lua;
    if (options)
        n->options = *options;
    n->log_path = copy_text(a, n->options.log_path);
    n->replay_path = copy_text(a, n->options.replay_path);
    n->password = copy_text(a, n->options.password);
    n->options.log_path = n->options.replay_path = n->options.password = NULL;
    ct_array_init(&n->quality.left_out, a);
    ct_array_init(&n->channels, a);
    ct_array_init(&n->broken, a);
    ct_array_init(&n->leaving, a);
    ct_array_init(&n->gone, a);
    ct_array_init(&n->events, a);
    ct_array_init(&n->words, a);
    ct_array_init(&n->replay.found.lobbies, a);
    ct_string_builder_init(&n->found_text, a);
    ct_script_network_init_objects(n);
}

void ct_script_network_shutdown(ct_script *s) {
    struct ct_script_network *const n = s->network;
    if (!n)
        return;
    ct_script_network_end(n);
    ct_network_key_wipe(&n->key);
    ct_free(n->allocator, n->log_path);
    ct_free(n->allocator, n->replay_path);
    ct_free(n->allocator, n->password);
    ct_array_free(&n->quality.left_out);
    ct_array_free(&n->channels);
    ct_array_free(&n->broken);
    ct_array_free(&n->leaving);
    ct_array_free(&n->gone);
    ct_array_free(&n->events);
    ct_array_free(&n->words);
    ct_array_free(&n->replay.found.lobbies);
    ct_string_builder_free(&n->found_text);
    ct_script_network_free_objects(n);
    ct_free_sized(n->allocator, n, sizeof(*n));
    s->network = NULL;
}

void ct_script_network_set_listener(ct_script *s, const ct_script_network_listener *listener) {
    s->network->listener = *listener;
}

ct_network *ct_script_network(ct_script *s) {
    return s->network ? s->network->network : NULL;
}

uint64_t ct_script_network_count(const ct_script *s) {
    return s->network ? s->network->num_made : 0;
}

uint64_t ct_script_network_time(const ct_script *s) {
    return s->network ? s->network->now_ns : 0;
}

uint64_t ct_script_network_seed(const ct_script *s) {
    return s->network ? s->network->options.seed : 0;
}

// --- Making --------------------------------------------------------------------------------------

// The second network of a run has a log of its own, PATH.2, and so on.
static const char *numbered(const struct ct_script_network *n, const char *path,
                            char text[CT_PATH_BYTES]) {
    if (n->num_made == 0)
        snprintf(text, CT_PATH_BYTES, "%s", path);
    else
        snprintf(text, CT_PATH_BYTES, "%s.%llu", path, (unsigned long long)n->num_made + 1);
    return text;
}

static bool open_log(struct ct_script_network *n, const ct_network_log_head *head,
                     ct_error *error) {
    char path[CT_PATH_BYTES];
    if (!n->log_path || n->replay.is_on)
        return true;
    n->log =
        ct_network_log_create(n->allocator, numbered(n, n->log_path, path), head, n->config, error);
    if (n->log)
        ct_log_info("network", "writes the network log %s", path);
    return n->log != NULL;
}

static void close_logs(struct ct_script_network *n) {
    ct_error error = {0};
    if (!ct_network_log_end(n->log, &error))
        ct_log_report("network", &error);
    n->log = NULL;
    ct_network_log_close(&n->replay.reader);
    ct_array_free(&n->replay.found.lobbies);
    n->replay = (ct_script_network_replay){0};
    ct_array_init(&n->replay.found.lobbies, n->allocator);
}

static bool create_network(struct ct_script_network *n, const ct_script_network_desc *desc,
                           ct_error *error) {
    const ct_script_network_options *const options = &n->options;
    ct_peer_id self = n->replay.is_on ? n->replay.reader.head.self : desc->self;
    while (!self)
        ct_os_random_bytes(&self, sizeof(self));
    const ct_network_log_head head = {.self = self, .config_hash = desc->config->hash};
    if (!open_log(n, &head, error))
        return false;
    if (n->password && !n->has_key) {
        n->key = ct_network_key_of_password(n->password);
        n->has_key = true;
    }
    ct_datagram_address address = options->address;
    if (!address.ip)
        address.ip = CT_DATAGRAM_IP_LOOPBACK;
    if (options->is_on_all_networks)
        address.ip = CT_DATAGRAM_IP_ANY;
    if (!address.port)
        address.port = desc->port;
    n->network = ct_network_create(
        &(ct_network_desc){
            .allocator = n->allocator,
            .config = n->config,
            .address = address,
            .is_replay = n->replay.is_on,
            .self = self,
            .key = n->key,
            .is_plain = options->is_plain,
            .bandwidth = options->bandwidth,
            .tap = n->log ? ct_network_log_tap : NULL,
            .tap_data = n->log,
            .observer = {n->log ? ct_network_log_seen : NULL, n->log},
        },
        error);
    return n->network != NULL;
}

// Settings that hold for one network.
static void reset(struct ct_script_network *n) {
    n->now_ns = START_NS;
    n->transmit_step = n->counter_step = 0;
    n->transmitted_ns = n->counted_ns = n->logged_ns = 0;
    n->has_explicit_connections = n->has_said_lobby = false;
    n->quality.is_on = false;
    n->quality.left_out.count = n->channels.count = 0;
    n->has_browser = false;
    ct_string_builder_clear(&n->found_text);
    n->level = CT_SCRIPT_NETWORK_WARNINGS;
    ct_script_network_set_delay(n, -1);
    ct_script_set_unit_delay(ct_script_network_owner(n), -1);
}

bool ct_script_network_make(struct ct_script_network *n, const ct_script_network_desc *desc,
                            ct_error *error) {
    char path[CT_PATH_BYTES];
    const char *replay = desc->replay_path;
    if (!replay && n->replay_path)
        replay = numbered(n, n->replay_path, path);
    if (replay && !ct_script_network_open_replay(n, replay, desc->config, error))
        return false;
    const uint64_t size = desc->config->header.size_bytes;
    n->config = ct_alloc(n->allocator, size);
    memcpy(n->config, desc->config, size);
    reset(n);
    if (!create_network(n, desc, error)) {
        ct_free(n->allocator, n->config);
        n->config = NULL;
        close_logs(n);
        return false;
    }
    ++n->num_made;
    n->config_name = ct_copy_string(n->allocator, desc->config_name);
    n->config_seen = desc->config;
    const ct_network_conditions *const c = &n->options.conditions;
    if (memcmp(c, &(ct_network_conditions){0}, sizeof(*c)) != 0)
        ct_network_simulate(n->network, c, n->options.seed);
    if (n->options.has_no_timeouts)
        ct_network_set_timeouts(n->network, false);
    if (n->replay.is_on)
        ct_script_network_begin_replay(n);
    return true;
}

bool ct_script_network_make_session(struct ct_script_network *n,
                                    const ct_network_session_desc *desc, ct_error *error) {
    if (!ct_network_create_session(n->network, desc, error))
        return false;
    ct_script_set_session(ct_script_network_owner(n), ct_network_session_of(n->network));
    return true;
}

// --- Ending --------------------------------------------------------------------------------------

void ct_script_network_end_session(struct ct_script_network *n) {
    if (!n->network || !ct_network_session_of(n->network))
        return;
    ct_release_object(n->lua, &ct_type_game_session, n, n->num_sessions);
    ct_script_set_session(ct_script_network_owner(n), NULL);
    ct_network_destroy_session(n->network);
    ct_script_network_clear_objects(n);
    n->broken.count = n->leaving.count = n->gone.count = 0;
    n->host = 0;
}

void ct_script_network_leave_lobby(struct ct_script_network *n) {
    if (!n->network || !ct_network_lobby_of(n->network))
        return;
    ct_release_object(n->lua, &ct_type_lan_lobby, n, n->num_lobbies);
    ct_network_leave_lobby(n->network);
    n->named = 0;
}

void ct_script_network_end(struct ct_script_network *n) {
    if (!n->network)
        return;
    ct_script_network_end_session(n);
    ct_script_network_leave_lobby(n);
    ct_release_object(n->lua, &ct_type_lan_lobby_browser, n, n->num_made);
    ct_release_object(n->lua, &ct_type_lan_client, n, n->num_made);
    ct_network_destroy(n->network);
    n->network = NULL;
    n->events.count = n->words.count = 0;
    close_logs(n);
    ct_free(n->allocator, n->config);
    ct_free(n->allocator, n->config_name);
    n->config = NULL;
    n->config_name = NULL;
}

// --- Frames --------------------------------------------------------------------------------------

// A config that was saved while the game runs holds from the next network on: its peers have the old
// one.
static void look_at_config(struct ct_script_network *n) {
    const void *const now = ct_resource_manager_get(n->lua->resources, "network_config",
                                                    ct_string_id64_of(n->config_name));
    if (now == n->config_seen)
        return;
    n->config_seen = now;
    if (now)
        ct_log_info("network",
                    "the network_config %s was reloaded; the network goes on with the old one "
                    "until the next Network.init_lan_client",
                    n->config_name);
}

// Joins the session that the lobby names, once.
static void join_session(struct ct_script_network *n) {
    ct_network_session *const s = ct_network_session_of(n->network);
    const ct_network_lobby *const lobby = ct_network_lobby_of(n->network);
    if (!s || !lobby || n->has_explicit_connections ||
        ct_network_session_state_of(s) != CT_NETWORK_SESSION_IDLE ||
        ct_network_lobby_state_of(lobby) != CT_NETWORK_LOBBY_JOINED)
        return;
    const ct_peer_id host = ct_network_lobby_session_host(lobby);
    if (!host || host == ct_network_self(n->network))
        return;
    const char *const address = ct_network_lobby_address(lobby, host);
    ct_error error = {0};
    if (!ct_network_session_join(s, host, address && address[0] ? address : NULL,
                                 ct_script_network_seconds(n), &error))
        ct_log_report("network", &error);
}

// Logs, once, why a lobby could not be joined or is lost.
static void look_at_lobby(struct ct_script_network *n) {
    static const char *const meanings[CT_NETWORK_REASONS] = {
        [CT_NETWORK_REASON_LEFT] = "its host has left",
        [CT_NETWORK_REASON_TIMEOUT] = "nothing has come from its host for too long",
        [CT_NETWORK_REASON_KICKED] = "its host has removed this program",
        [CT_NETWORK_REASON_FULL] = "it has no room",
        [CT_NETWORK_REASON_VERSION] = "its host has another version of the engine",
        [CT_NETWORK_REASON_CONFIG] = "its host has another network_config",
        [CT_NETWORK_REASON_PASSWORD] =
            "its host has another password (network.password in settings.config)",
        [CT_NETWORK_REASON_UNREACHED] = "nothing answers at its address",
        [CT_NETWORK_REASON_BROKEN] = "its host has sent what is not of the protocol",
        [CT_NETWORK_REASON_OVERFLOW] = "its host does not take what is sent to it",
    };
    const ct_network_lobby *const lobby = ct_network_lobby_of(n->network);
    const bool has_failed = lobby && ct_network_lobby_state_of(lobby) == CT_NETWORK_LOBBY_FAILED;
    if (has_failed && !n->has_said_lobby) {
        const ct_network_reason reason = ct_network_lobby_reason(lobby);
        const char *const meaning = meanings[reason] ? meanings[reason] : "it has ended";
        if (reason == CT_NETWORK_REASON_LEFT)
            ct_log_info("network", "the lobby has ended: %s", meaning);
        else
            ct_log_warning("network", "network_lobby", "not in the lobby: %s", meaning);
    }
    n->has_said_lobby = has_failed;
}

// As the lobby's host: the session has another host than the one that was named, which is gone: names
// the new one, so that others find the session.
static void name_session(struct ct_script_network *n) {
    const ct_network_session *const s = ct_network_session_of(n->network);
    ct_network_lobby *const lobby = ct_network_lobby_of(n->network);
    const ct_peer_id named = lobby ? ct_network_lobby_session_host(lobby) : 0;
    if (named)
        n->named = named;
    if (!s || !lobby || named || !n->named || !ct_network_lobby_is_host(lobby) ||
        ct_network_lobby_state_of(lobby) != CT_NETWORK_LOBBY_JOINED ||
        ct_network_session_state_of(s) != CT_NETWORK_SESSION_IN ||
        ct_network_session_host_peer(s) == n->named)
        return;
    ct_error error = {0}; // of a host that is no member of the lobby
    ct_network_lobby_set_session_host(lobby, ct_network_session_host_peer(s), &error);
}

static void copy_events(struct ct_script_network *n) {
    n->events.count = n->words.count = 0;
    ct_network_session *const s = ct_network_session_of(n->network);
    if (!s)
        return;
    uint32_t count;
    const ct_network_event *const events = ct_network_session_events(s, &count);
    ct_array_push_many(&n->events, events, count);
    uint32_t num_words = 2 * count; // of the old owners, which ct_script_network_take_objects adds
    for (uint32_t i = 0; i < count; ++i)
        num_words += events[i].num_words;
    ct_array_reserve(&n->words, num_words); // events point to them
    for (uint32_t i = 0; i < count; ++i)
        if (events[i].num_words)
            ct_array_push_many(&n->words, events[i].words, events[i].num_words);
    uint32_t at = 0;
    for (uint32_t i = 0; i < count; ++i) {
        n->events.items[i].words = n->words.items + at;
        at += n->events.items[i].num_words;
    }
    if (ct_network_session_host_peer(s))
        n->host = ct_network_session_host_peer(s);
}

// Has the log say what the browser has found, when that has changed.
static void log_browser(struct ct_script_network *n) {
    if (!n->log || !n->has_browser)
        return;
    ct_error error = {0};
    const ct_network_browser *const browser = ct_network_browser_of(n->network, &error);
    ct_string_builder text;
    ct_string_builder_init(&text, n->allocator);
    ct_network_lobby_list_print(browser, &text);
    if (strcmp(ct_string_builder_text(&text), ct_string_builder_text(&n->found_text)) == 0) {
        ct_string_builder_free(&text);
        return;
    }
    ct_string_builder_free(&n->found_text);
    n->found_text = text;
    ct_network_log_note(n->log, n->now_ns, ct_string_builder_text(&text));
}

// Has the log say once a second how good each connection is.
static void log_connections(struct ct_script_network *n) {
    if (!n->log || n->now_ns - n->logged_ns < LOG_STATS_NS)
        return;
    n->logged_ns = n->now_ns;
    ct_peer_id peers[LOGGED_PEERS];
    const uint32_t count = ct_network_connections(n->network, peers, LOGGED_PEERS);
    for (uint32_t i = 0; i < count && i < LOGGED_PEERS; ++i) {
        ct_network_peer_stats stats;
        if (!ct_network_transport_peer_stats(ct_network_transport_of(n->network), peers[i], &stats))
            continue;
        const ct_network_log_stats logged = {
            .round_trip = stats.round_trip,
            .loss_in = stats.loss_in,
            .loss_out = stats.loss_out,
            .waiting_bytes = stats.waiting_bytes,
            .held_back = (uint32_t)stats.held_back,
        };
        ct_network_log_add_stats(n->log, n->now_ns, peers[i], &logged);
    }
}

static void count_for_profiler(struct ct_script_network *n) {
    const ct_network_session *const s = ct_network_session_of(n->network);
    if (!s || (double)(n->now_ns - n->counted_ns) * 1e-9 < n->counter_step)
        return;
    n->counted_ns = n->now_ns;
    const ct_network_session_counts counts = ct_network_session_counts_of(s);
    ct_profiler_counter("network reliable bytes", (double)counts.reliable_bytes);
    ct_profiler_counter("network state bytes", (double)counts.state_bytes);
}

void ct_script_network_receive(struct ct_script_network *n, double step) {
    CT_PROFILER_SCOPE("network receive");
    if (n->replay.is_on) {
        ct_script_network_replay_frame(n, step);
    } else {
        n->now_ns += (uint64_t)llround(step * 1e9);
        if (n->log)
            ct_network_log_frame(n->log, n->now_ns, step);
    }
    look_at_config(n);
    ct_networks_apply_qos(n);
    ct_network_update(n->network, n->now_ns);
    log_browser(n);
    log_connections(n);
    look_at_lobby(n);
    join_session(n);
    name_session(n);
    copy_events(n);
    ct_script_network_take_objects(n);
    ct_script_receive_units(ct_script_network_owner(n), ct_script_network_seconds(n));
    count_for_profiler(n);
}

void ct_script_network_transmit(struct ct_script_network *n) {
    CT_PROFILER_SCOPE("network transmit");
    if (n->transmitted_ns && (double)(n->now_ns - n->transmitted_ns) * 1e-9 < n->transmit_step)
        return;
    n->transmitted_ns = n->now_ns;
    ct_script_send_units(ct_script_network_owner(n));
    ct_network_transmit(n->network, n->now_ns);
}
