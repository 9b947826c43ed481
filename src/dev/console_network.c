#include "dev/console_network.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "foundation/error.h"
#include "script/network/script_network.h"

enum { MOST_PEERS = 64 };

static void add_peer(ct_network *n, ct_peer_id peer, ct_string_builder *result) {
    ct_network_peer_stats s;
    char address[CT_DATAGRAM_ADDRESS_BYTES];
    if (!ct_network_transport_peer_stats(ct_network_transport_of(n), peer, &s))
        return;
    ct_string_builder_addf(
        result,
        "\n%016" PRIx64 " at %s: round trip %.0f ms, loss %.1f%% in, %.1f%% out, "
        "%" PRIu64 " bytes in, %" PRIu64 " out, %u waiting%s",
        peer, ct_datagram_address_print(&s.address, address), (double)s.round_trip * 1000,
        (double)s.loss_in * 100, (double)s.loss_out * 100, s.datagram_bytes_in,
        s.datagram_bytes_out, s.waiting_bytes, s.is_plain ? ", not sealed" : "");
}

static void add_stats(ct_network *n, ct_string_builder *result) {
    const ct_network_transport_stats t = ct_network_transport_stats_of(ct_network_transport_of(n));
    const ct_network_session *const s = ct_network_session_of(n);
    ct_peer_id peers[MOST_PEERS];
    const uint32_t count = ct_network_connections(n, peers, MOST_PEERS);
    ct_string_builder_addf(result,
                           "peer %016" PRIx64 ", %u connected; dropped: %" PRIu64
                           " malformed, %" PRIu64 " unknown, %" PRIu64 " replayed, %" PRIu64
                           " not opened, %" PRIu64 " guarded; timeouts are %s",
                           ct_network_self(n), count, t.malformed, t.unknown, t.replayed,
                           t.not_opened, t.guarded, ct_network_has_timeouts(n) ? "on" : "off");
    if (s) {
        const ct_network_session_counts c = ct_network_session_counts_of(s);
        ct_string_builder_addf(result,
                               "\nsession: %u peers, %u objects; sent %" PRIu64
                               " reliable bytes, %" PRIu64 " bytes of fields in %" PRIu64
                               " packets; %" PRIu64 " of %" PRIu64 " entries lost",
                               ct_network_session_peers(s, CT_NETWORK_PEERS_ALL, NULL, 0),
                               ct_network_session_objects(s, 0, NULL, 0), c.reliable_bytes,
                               c.state_bytes, c.state_packets, c.lost_entries, c.entries);
    }
    for (uint32_t i = 0; i < count && i < MOST_PEERS; ++i)
        add_peer(n, peers[i], result);
}

// Reads `seed=N`. Returns false with `error`.
static bool read_seed(const char *text, uint64_t *seed, ct_error *error) {
    const char *const digits = strncmp(text, "seed=", 5) == 0 ? text + 5 : "";
    const size_t count = strspn(digits, "0123456789");
    if (count < 1 || count > 18 || digits[count])
        return ct_error_set(error, "found \"%.64s\"; expected a seed such as seed=7", text);
    *seed = strtoull(digits, NULL, 10);
    return true;
}

static bool simulate(ct_console_target *target, const char *conditions_text, const char *seed_text,
                     ct_string_builder *result, ct_error *error) {
    ct_script *const script = ct_app_script(target->app);
    ct_network_conditions conditions;
    uint64_t seed = ct_script_network_seed(script);
    if (!ct_network_conditions_parse(conditions_text, &conditions, error) ||
        (seed_text && !read_seed(seed_text, &seed, error)))
        return false;
    char text[CT_NETWORK_CONDITIONS_BYTES];
    ct_network_simulate(ct_script_network(script), &conditions, seed);
    ct_string_builder_addf(result, "simulating %s, seed %" PRIu64,
                           ct_network_conditions_print(&conditions, text), seed);
    return true;
}

bool ct_console_run_network(ct_console_target *target, uint32_t num_arguments,
                            const char *const *arguments, ct_string_builder *result,
                            ct_error *error) {
    ct_network *const n = ct_script_network(ct_app_script(target->app));
    const char *const what = arguments[0], *const value = num_arguments > 1 ? arguments[1] : NULL;
    if (!n)
        return ct_error_set(error, "the game has no network; Network.init_lan_client makes it");
    if (strcmp(what, "stats") == 0 && !value) {
        add_stats(n, result);
        return true;
    }
    if (strcmp(what, "simulate") == 0 && value)
        return simulate(target, value, num_arguments > 2 ? arguments[2] : NULL, result, error);
    const bool is_on = value && strcmp(value, "on") == 0;
    if (strcmp(what, "timeouts") == 0 && num_arguments == 2 &&
        (is_on || strcmp(value, "off") == 0)) {
        ct_network_set_timeouts(n, is_on);
        ct_string_builder_addf(result, "timeouts are %s", value);
        return true;
    }
    return ct_error_set(
        error,
        "unknown \"%.64s%s%.64s\"; expected stats, simulate CONDITIONS [seed=N], or "
        "timeouts on or off",
        what, value ? " " : "", value ? value : "");
}
