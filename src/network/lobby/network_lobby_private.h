// network_lobby_private.h: what the files of the lobby share; no other file includes it.
#pragma once
#include "foundation/container/array.h"
#include "network/fields/network_bits.h"
#include "network/lobby/network_lobby.h"

// Kinds of packets, the first byte. In brackets: what follows.
typedef enum lobby_packet {
    LOBBY_JOIN = 1, // to the host: [] first word of a member
    LOBBY_WELCOME,  // from the host: [port, most members] then MEMBER, DATA and SESSION_HOST follow
    LOBBY_MEMBER,   // from the host: [peer, address] a member, in order
    LOBBY_READY,    // from the host: [] all that there is has been sent
    LOBBY_MEMBER_LEFT,  // from the host: [peer, reason]
    LOBBY_DATA,         // [peer (0: the lobby), key, value] from the host; of its own from a member
    LOBBY_SESSION_HOST, // from the host: [peer]
} lobby_packet;

enum { LOBBY_MAX_PACKET = 512 };

// A member, and where the host sees it.
typedef struct lobby_member {
    ct_peer_id peer;
    char address[CT_NETWORK_ADDRESS_BYTES];
    bool is_awaited; // at a host that is new: it has not joined yet
} lobby_member;

// A peer that has sent to this host, and how many packets more it may send now.
typedef struct lobby_sender {
    ct_peer_id peer;
    double left;
} lobby_sender;

// A value; `owner` is 0 for the lobby's own.
typedef struct lobby_pair {
    ct_peer_id owner;
    char key[CT_NETWORK_LOBBY_KEY_BYTES];
    char value[CT_NETWORK_LOBBY_VALUE_BYTES];
} lobby_pair;

struct ct_network_lobby {
    ct_network_lobby_desc desc;
    ct_network_lobby_state state;
    ct_network_reason reason;
    ct_peer_id host; // 0 while it joins one that is not known
    char host_address[CT_NETWORK_ADDRESS_BYTES];
    double asked; // when joining began; negative: with the next update
    double asked_again;
    bool is_migrating;      // the host was lost, and the next has not answered; or it waits itself
    ct_network_reason lost; // why
    uint16_t port;
    bool has_no_timeouts, is_welcome;
    uint32_t version, max_members;
    ct_peer_id session_host;
    CT_ARRAY(lobby_member) members;
    CT_ARRAY(lobby_sender) senders; // at a host; until they are disconnected
    double refilled;                // when they got more
    CT_ARRAY(lobby_pair) pairs;
};

// What a packet holds beside its kind.
typedef struct lobby_message {
    lobby_packet kind;
    ct_peer_id peer;
    uint32_t number; // most members, reason
    uint16_t port;
    char key[CT_NETWORK_LOBBY_KEY_BYTES];
    char value[CT_NETWORK_LOBBY_VALUE_BYTES]; // or the address
} lobby_message;

// Writes a packet into `bytes` and returns its size.
uint32_t ct_lobby_write(const lobby_message *m, uint8_t bytes[LOBBY_MAX_PACKET]);
// Reads a packet. Returns NULL, or what is wrong with it.
const char *ct_lobby_read(const void *bytes, uint32_t size, lobby_message *m);
// Parts of packets: 64 bits; a length of 8 bits and so many bytes of text.
void ct_lobby_write_u64(ct_bit_writer *w, uint64_t value);
uint64_t ct_lobby_read_u64(ct_bit_reader *r);
void ct_lobby_write_text(ct_bit_writer *w, const char *text);
// Reads a text into `text` of `most` bytes. Returns NULL, or what is wrong with it.
const char *ct_lobby_read_text(ct_bit_reader *r, char *text, uint32_t most);
// Returns NULL when a text may be a key or value, or what is wrong with it: "is too long" and the
// like. `most` is with the terminator.
const char *ct_lobby_text_fault(const char *text, uint32_t most);

// --- network_lobby_migration.c -------------------------------------------------------------------

// As a member: the host is gone. Finds the next one, or ends the lobby.
void ct_lobby_lose_host(ct_network_lobby *l, ct_network_reason reason);
// As a member that waits for the next host: it does not answer.
void ct_lobby_try_next(ct_network_lobby *l);
// Goes on with a migration.
void ct_lobby_migrate(ct_network_lobby *l, double now);

// --- network_lobby.c -----------------------------------------------------------------------------

// Sets the state, and why.
void ct_lobby_set_state(ct_network_lobby *l, ct_network_lobby_state state,
                        ct_network_reason reason);
// Returns the place of a member, or UINT32_MAX.
uint32_t ct_lobby_find_member(const ct_network_lobby *l, ct_peer_id peer);
// Removes a member with its data; as the host, all others get word of it.
void ct_lobby_remove_member(ct_network_lobby *l, uint32_t place);
void ct_lobby_drop_member(ct_network_lobby *l, ct_peer_id peer, ct_network_reason reason);
// Ends the part that this program has in the lobby.
void ct_lobby_fail(ct_network_lobby *l, ct_network_reason reason);
// Asks the host to join, or connects to it first.
void ct_lobby_ask_to_join(ct_network_lobby *l);
void ct_lobby_reach_host(ct_network_lobby *l);
