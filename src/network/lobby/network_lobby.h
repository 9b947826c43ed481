// network_lobby.h: where players meet before a game: members, what they say of themselves, the host.
//
// All members are connected to the lobby's host, which decides and forwards. A lobby and each member
// have data: keys with values, short texts. The host sets the lobby's, a member its own. The host
// also names the host of the game session; members connect to that peer to join it.
//
// When the host leaves or is lost, the member that came first is the next host: the others connect to
// it, at the address where the old host saw it, and join with what they had. While they do, the state
// is JOINING. A candidate that does not answer is out, and the next one is the host.
//
// What comes from other peers is checked: a peer that sends what is not of the protocol, or more than
// CT_NETWORK_LOBBY_PACKETS_PER_SECOND over ten seconds (each key that is set is one), is disconnected
// with CT_NETWORK_REASON_BROKEN and a line in the log. Times are in seconds of one
// clock of the caller, which never goes back. One thread.
#pragma once
#include "network/network_link.h"

typedef struct ct_network_lobby ct_network_lobby;

enum {
    CT_NETWORK_LOBBY_MAX_MEMBERS = 64,
    CT_NETWORK_LOBBY_MAX_KEYS = 32,            // of the lobby, and of each member
    CT_NETWORK_LOBBY_KEY_BYTES = 32,           // of a key, with its terminator
    CT_NETWORK_LOBBY_VALUE_BYTES = 256,        // of a value, with its terminator
    CT_NETWORK_LOBBY_PACKETS_PER_SECOND = 200, // of a member to the host
};

// What a lobby needs.
typedef struct ct_network_lobby_desc {
    ct_allocator *allocator; // borrowed, outlives the lobby
    ct_network_link link;    // its `data` outlives the lobby
    uint32_t max_members;    // with the host; 0: 8
    float wait_seconds;      // for an answer to joining; 0: 10
    float migration_seconds; // for each member that may be the next host, and for the others; 0: 5
    bool has_no_migration;   // the lobby ends with its host
    uint16_t port; // of a host: where the lobby is announced, for the next host; 0: nowhere
} ct_network_lobby_desc;

typedef enum ct_network_lobby_state {
    CT_NETWORK_LOBBY_IDLE,    // neither hosts nor joins
    CT_NETWORK_LOBBY_JOINING, // waits for the host's answer, or that of the next one
    CT_NETWORK_LOBBY_JOINED,  // a member, or the host
    CT_NETWORK_LOBBY_FAILED,  // not let in, kicked, left, or all others are gone; see the reason
} ct_network_lobby_state;

// Makes an idle lobby. More members than CT_NETWORK_LOBBY_MAX_MEMBERS are a bug.
ct_network_lobby *ct_network_lobby_create(const ct_network_lobby_desc *desc);
// Frees it (NULL is fine) without a word to the others: leave first.
void ct_network_lobby_destroy(ct_network_lobby *l);

// Makes this program the host of a new lobby, with itself as its only member. It must be idle.
void ct_network_lobby_host(ct_network_lobby *l);
// Begins to join the lobby of a host at an address; the host may be 0 when it is not known. It must
// be idle. The state becomes JOINED or FAILED.
void ct_network_lobby_join(ct_network_lobby *l, ct_peer_id host, const char *address, double now);
// Leaves in order; another member of a host's lobby is the next host. The state becomes FAILED with
// CT_NETWORK_REASON_LEFT.
void ct_network_lobby_leave(ct_network_lobby *l);
// Turns the wait for an answer off, or on.
void ct_network_lobby_set_timeouts(ct_network_lobby *l, bool are_on);

// --- What the owner of the link calls ------------------------------------------------------------

// A peer is connected, whichever end began it. Of a lobby that joins an unknown host: `address` is where
// the peer is, as link.address writes it; the peer there is taken for the host.
void ct_network_lobby_connected(ct_network_lobby *l, ct_peer_id peer, double now);
// A connection ended, or could not be made (then of the wanted address, the peer may be 0).
void ct_network_lobby_disconnected(ct_network_lobby *l, ct_peer_id peer, ct_network_reason reason);
// Takes a packet of CT_NETWORK_LOBBY; any bytes are allowed.
void ct_network_lobby_receive(ct_network_lobby *l, ct_peer_id peer, const void *bytes,
                              uint32_t size);
// Ends waits that took too long. Once a frame.
void ct_network_lobby_update(ct_network_lobby *l, double now);

// --- What it is ----------------------------------------------------------------------------------

// Return the state; why it failed; the host's peer (0: none yet).
ct_network_lobby_state ct_network_lobby_state_of(const ct_network_lobby *l);
ct_network_reason ct_network_lobby_reason(const ct_network_lobby *l);
ct_peer_id ct_network_lobby_host_peer(const ct_network_lobby *l);
bool ct_network_lobby_is_host(const ct_network_lobby *l);

// Returns a number that is another one whenever members, data or the state have changed.
uint32_t ct_network_lobby_version(const ct_network_lobby *l);

// Returns where the lobby is announced, as its first host has said; 0: nowhere.
uint16_t ct_network_lobby_port(const ct_network_lobby *l);

// Returns the most members that the lobby has room for, as its host says.
uint32_t ct_network_lobby_max_members(const ct_network_lobby *l);

// Return the members in the order in which they came, the host first; one by its place, 0 when
// there are not so many.
uint32_t ct_network_lobby_num_members(const ct_network_lobby *l);
ct_peer_id ct_network_lobby_member(const ct_network_lobby *l, uint32_t i);

// Returns where the host sees a member ("" for the host itself): to connect to it. Borrowed until
// the lobby changes; NULL: no member.
const char *ct_network_lobby_address(const ct_network_lobby *l, ct_peer_id member);

// Returns the peer that hosts the game session; 0: there is no session yet.
ct_peer_id ct_network_lobby_session_host(const ct_network_lobby *l);
// As the host: sets it, 0 takes it back. Returns false with `error` when this program is not the
// host, or the peer no member.
bool ct_network_lobby_set_session_host(ct_network_lobby *l, ct_peer_id peer, ct_error *error);

// As the host: ends a member's part. Returns false with `error` when this program is not the host,
// or the peer no other member.
bool ct_network_lobby_kick(ct_network_lobby *l, ct_peer_id peer, ct_error *error);

// --- Data ----------------------------------------------------------------------------------------

// Returns a value of a member, or of the lobby (member 0); "" when it is not set. Borrowed until the
// lobby changes.
const char *ct_network_lobby_data(const ct_network_lobby *l, ct_peer_id member, const char *key);

// Sets a value of this member, or of the lobby (`member` 0, as the host only); "" takes it away.
// Returns false with `error` when it is another's, key or value are too long, not UTF-8 or have
// control characters, or there are too many keys. A member sees its own at once.
bool ct_network_lobby_set_data(ct_network_lobby *l, ct_peer_id member, const char *key,
                               const char *value, ct_error *error);

// Calls `visit` with each key and value of a member, or of the lobby (0), in the order of setting.
void ct_network_lobby_each_data(const ct_network_lobby *l, ct_peer_id member,
                                void (*visit)(void *data, const char *key, const char *value),
                                void *data);
