// network_discovery.h: lobbies that are open on the local network: announcing them, finding them.
//
// A browser broadcasts a question to a port; announcers there answer with what their lobby is. It is
// all in the clear and proves nothing: anyone on the network can read it and answer. Joining then
// proves the password (network_transport.h). A question has random bits that an answer must repeat,
// so that strangers that did not hear it cannot answer, and is at least as long as the answer, so
// that a forged sender is not sent more than was spent on it.
//
// Times are nanoseconds of one clock that does not go back. One thread.
#pragma once
#include "network/lobby/network_lobby.h"
#include "network/transport/network_wire.h"

enum {
    CT_NETWORK_DISCOVERY_BYTES = 1100,  // of a question, and the most of an answer
    CT_NETWORK_DISCOVERY_LOBBIES = 256, // that a browser lists
};

typedef struct ct_network_announcer ct_network_announcer;
typedef struct ct_network_browser ct_network_browser;

// --- Announcing ----------------------------------------------------------------------------------

// Makes an announcer that answers over `wire` (borrowed), which receives at the lobbies' port;
// several programs of a machine may share that port. `game_port` is where the host's transport is,
// `config_hash` that of its network_config. `is_local`: only this machine reaches it, and gets answers.
ct_network_announcer *ct_network_announcer_create(ct_allocator *a, ct_network_wire *wire,
                                                  uint16_t game_port, bool is_local,
                                                  uint64_t config_hash);
void ct_network_announcer_destroy(ct_network_announcer *announcer);

// Answers the questions that have come, for a lobby whose host this program is. Of more than 100 in
// a second, or 20 of one address, the rest is dropped. Call it each frame.
void ct_network_announcer_update(ct_network_announcer *announcer, const ct_network_lobby *lobby,
                                 uint64_t now_ns);

// --- Finding -------------------------------------------------------------------------------------

// A key and value of a lobby.
typedef struct ct_network_lobby_pair {
    char key[CT_NETWORK_LOBBY_KEY_BYTES];
    char value[CT_NETWORK_LOBBY_VALUE_BYTES];
} ct_network_lobby_pair;

// A lobby that answered.
typedef struct ct_network_lobby_info {
    ct_peer_id host;
    char address[CT_NETWORK_ADDRESS_BYTES]; // of its transport, to join it
    uint32_t num_members, max_members;
    bool has_same_config; // its network_config is that of the browser
    bool is_cut;          // it has more data than an answer holds
    uint32_t num_pairs;   // of `pairs`: what its host set, in the order of setting
    ct_network_lobby_pair pairs[CT_NETWORK_LOBBY_MAX_KEYS];
} ct_network_lobby_info;

// Makes a browser that asks over `wire` (borrowed), which may broadcast.
ct_network_browser *ct_network_browser_create(ct_allocator *a, ct_network_wire *wire,
                                              uint64_t config_hash);
void ct_network_browser_destroy(ct_network_browser *browser);

// Empties the list and asks all machines of the local network, and this one, at a port: three times
// in a second, as questions and answers get lost.
void ct_network_browser_refresh(ct_network_browser *browser, uint16_t port, uint64_t now_ns);

// Takes answers, and asks again. Call it each frame.
void ct_network_browser_update(ct_network_browser *browser, uint64_t now_ns);

// Returns whether answers to the last refresh are still waited for: for a second. Those that come
// within 10 seconds are taken, too: a host that loads something answers late.
bool ct_network_browser_is_refreshing(const ct_network_browser *browser);

// Return the lobbies that answered, in the order of their hosts' numbers, each once; one by its
// place, borrowed until the next update, NULL when there are not so many.
uint32_t ct_network_browser_count(const ct_network_browser *browser);
const ct_network_lobby_info *ct_network_browser_lobby(const ct_network_browser *browser,
                                                      uint32_t i);
