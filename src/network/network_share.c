// network_share.c: lobby and session share connections: one that the session gives up stays when the
// lobby uses it.
//
// Where the session would disconnect a member of the lobby, it sends END instead, as the last packet
// of its own on the session's channel. The other end's session then sees the connection end, and
// answers ENDED. What it had sent before that is dropped here: it belongs to what has ended. Where both
// ends send END at once, each is also the answer to the other. The next packet of the channel begins
// another part in a session.
#include <string.h>

#include "network/network_private.h"

// Returns whether the lobby needs the connection to a peer.
static bool is_of_lobby(const ct_network *n, ct_peer_id peer) {
    if (!n->lobby || ct_network_lobby_state_of(n->lobby) != CT_NETWORK_LOBBY_JOINED)
        return false;
    return ct_network_lobby_is_host(n->lobby) ? ct_network_lobby_address(n->lobby, peer) != NULL
                                              : ct_network_lobby_host_peer(n->lobby) == peer;
}

static bool share_send(void *data, ct_peer_id peer, ct_network_channel channel, bool reliable,
                       const void *bytes, uint32_t size) {
    const ct_network *const n = data;
    return n->link.send(n->link.data, peer, channel, reliable, bytes, size);
}

static uint32_t share_room(void *data, ct_peer_id peer) {
    const ct_network *const n = data;
    return n->link.room(n->link.data, peer);
}

static void share_connect(void *data, ct_peer_id peer, const char *address) {
    ct_network *const n = data;
    network_peer *const p = ct_network_find_peer(n, peer);
    if (p && p->has_greeted)
        p->is_session_due = !p->is_in_session; // the session expects it later than now
    else
        n->link.connect(n->link.data, peer, address);
}

static void share_disconnect(void *data, ct_peer_id peer, ct_network_reason reason) {
    ct_network *const n = data;
    network_peer *const p = ct_network_find_peer(n, peer);
    const bool is_fault = reason == CT_NETWORK_REASON_BROKEN ||
                          reason == CT_NETWORK_REASON_OVERFLOW ||
                          reason == CT_NETWORK_REASON_TIMEOUT;
    if (!p || is_fault || !is_of_lobby(n, peer)) {
        n->link.disconnect(n->link.data, peer, reason);
        return;
    }
    const uint8_t end[3] = {SHARE_END, (uint8_t)reason, ++p->num_ends};
    p->is_in_session = p->is_session_due = false;
    p->is_ending = true;
    n->link.send(n->link.data, peer, CT_NETWORK_SESSION, true, end, sizeof(end));
}

static bool share_address(void *data, ct_peer_id peer, char text[CT_NETWORK_ADDRESS_BYTES]) {
    const ct_network *const n = data;
    return n->link.address(n->link.data, peer, text);
}

static float share_round_trip(void *data, ct_peer_id peer) {
    const ct_network *const n = data;
    return n->link.round_trip(n->link.data, peer);
}

ct_network_link ct_network_session_link(ct_network *n) {
    return (ct_network_link){
        .data = n,
        .self = n->desc.self,
        .send = share_send,
        .room = share_room,
        .connect = share_connect,
        .disconnect = share_disconnect,
        .address = share_address,
        .round_trip = share_round_trip,
    };
}

void ct_network_join_session(ct_network *n, network_peer *p) {
    p->is_session_due = false;
    if (!n->session || p->is_in_session)
        return;
    p->is_in_session = true;
    ct_network_session_connected(n->session, p->peer, ct_network_seconds(n));
}

void ct_network_tend_session(ct_network *n) {
    for (uint32_t i = 0; i < n->peers.count; ++i)
        if (n->peers.items[i].is_session_due)
            ct_network_join_session(n, &n->peers.items[i]);
}

// Takes the end of the peer's part in a session.
static void take_end(ct_network *n, network_peer *p, ct_network_reason reason, uint8_t number) {
    const uint8_t ended[2] = {SHARE_ENDED, number};
    const ct_peer_id peer = p->peer;
    const bool is_of_this = p->is_in_session && !p->is_ending;
    n->link.send(n->link.data, peer, CT_NETWORK_SESSION, true, ended, sizeof(ended));
    p->is_ending = false; // the peer sends nothing more of what we have ended, either
    if (!is_of_this)
        return;
    p->is_in_session = p->is_session_due = false;
    ct_network_session_disconnected(n->session, peer, reason, ct_network_seconds(n));
}

void ct_network_take_session_packet(ct_network *n, ct_peer_id peer, ct_network_channel channel,
                                    const uint8_t *bytes, uint32_t size) {
    network_peer *const p = ct_network_find_peer(n, peer);
    if (!p)
        return; // a packet before this one has ended it
    const bool is_ordered = channel == CT_NETWORK_SESSION;
    if (is_ordered && size == 2 && bytes[0] == SHARE_ENDED) {
        p->is_ending &= bytes[1] != p->num_ends;
    } else if (is_ordered && size == 3 && bytes[0] == SHARE_END && bytes[1] < CT_NETWORK_REASONS) {
        take_end(n, p, (ct_network_reason)bytes[1], bytes[2]);
    } else if (n->session && !p->is_ending && (is_ordered || p->is_in_session)) {
        ct_network_join_session(n, p);
        ct_network_session_receive(n->session, peer, channel, bytes, size, ct_network_seconds(n));
    }
}
