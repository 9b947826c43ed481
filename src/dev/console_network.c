#include "dev/console_network.h"

#include <inttypes.h>
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
    if (strcmp(what, "simulate") == 0 && value) {
        ct_network_conditions conditions;
        char text[CT_NETWORK_CONDITIONS_BYTES];
        if (!ct_network_conditions_parse(value, &conditions, error))
            return false;
        ct_network_simulate(n, &conditions, 0);
        ct_string_builder_addf(result, "simulating %s",
                               ct_network_conditions_print(&conditions, text));
        return true;
    }
    const bool is_on = value && strcmp(value, "on") == 0;
    if (strcmp(what, "timeouts") == 0 && value && (is_on || strcmp(value, "off") == 0)) {
        ct_network_set_timeouts(n, is_on);
        ct_string_builder_addf(result, "timeouts are %s", value);
        return true;
    }
    return ct_error_set(
        error,
        "unknown \"%.64s%s%.64s\"; expected stats, simulate CONDITIONS, or timeouts "
        "on or off",
        what, value ? " " : "", value ? value : "");
}
