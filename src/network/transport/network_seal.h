// network_seal.h: keys of connections, and datagrams that only their two ends can read or make.
//
// The arithmetic of the handshake (network_transport.h describes it), apart from what is sent when:
// libsodium's X25519, BLAKE2b, ChaCha20-Poly1305 (RFC 8439) and Argon2id. Secrets are wiped where
// they end. Any thread; a window belongs to one.
#pragma once
#include "foundation/os/datagram.h"

enum {
    CT_NETWORK_KEY_BYTES = 32,
    CT_NETWORK_TAG_BYTES = 16,    // how much longer sealed bytes are
    CT_NETWORK_COOKIE_BYTES = 16, // proves that an address receives what is sent to it
    CT_NETWORK_WINDOW = 1024,     // how far behind the newest a datagram may come
};

// A key, or the public half of a pair.
typedef struct ct_network_key {
    uint8_t bytes[CT_NETWORK_KEY_BYTES];
} ct_network_key;

// Makes the key of a password that people pick: Argon2id with 16 MiB and three passes, so that
// trying many passwords against a recorded handshake is dear. Tens of milliseconds: do it once, not
// for each connection. An empty password gives the key {0}, which is no secret.
ct_network_key ct_network_key_of_password(const char *password);
// Makes the key of a random token of at least 128 bits, at once.
ct_network_key ct_network_key_of_token(const void *bytes, uint32_t size);

// Makes a new pair of an X25519 key, at random.
void ct_network_key_pair(ct_network_key *secret, ct_network_key *shown);
// Makes a random key.
ct_network_key ct_network_key_random(void);
// Overwrites a secret.
void ct_network_key_wipe(ct_network_key *key);

// Makes the cookie of an address and a public key, by a secret of this program and the number of a
// span of time.
void ct_network_cookie(const ct_network_key *secret, uint64_t span, ct_datagram_address address,
                       const ct_network_key *shown, uint8_t cookie[CT_NETWORK_COOKIE_BYTES]);
// Returns true when both are the same; takes the same time where they are not.
bool ct_network_cookie_equal(const uint8_t *a, const uint8_t *b);

// Makes the key of the connecting end's first sealed bytes, which prove the password's key.
ct_network_key ct_network_begin_key(const ct_network_key *password, const ct_network_key *shown,
                                    const uint8_t cookie[CT_NETWORK_COOKIE_BYTES]);

// The keys of a connection.
typedef struct ct_network_session_keys {
    ct_network_key accept;      // of the accepting end's answer
    ct_network_key to_acceptor; // of datagrams, by direction
    ct_network_key to_connector;
} ct_network_session_keys;

// Makes the keys from one end's secret, the other's public key, the password's key and both public
// keys. Returns false when the other's key is of those that give no secret.
bool ct_network_session_keys_make(const ct_network_key *password, const ct_network_key *secret,
                                  const ct_network_key *other, const ct_network_key *connector,
                                  const ct_network_key *acceptor, ct_network_session_keys *keys);

// Seals `size` bytes into `sealed`, which gets size + CT_NETWORK_TAG_BYTES. `number` is used once
// with a key; `head` (not sealed, but protected from change) comes before them.
void ct_network_seal(const ct_network_key *key, uint64_t number, const void *head,
                     uint32_t head_bytes, const void *bytes, uint32_t size, uint8_t *sealed);
// Opens `size` sealed bytes into `bytes`, which gets size - CT_NETWORK_TAG_BYTES (both may be the
// same place). Returns false, with nothing of use in `bytes`, when they or `head` were not sealed so.
bool ct_network_open(const ct_network_key *key, uint64_t number, const void *head,
                     uint32_t head_bytes, const uint8_t *sealed, uint32_t size, void *bytes);

// Which numbers of datagrams have come: {0} at first; numbers start at 1.
typedef struct ct_network_window {
    uint64_t newest;
    uint64_t bits[CT_NETWORK_WINDOW / 64]; // of the last ones, by number
    uint64_t num_received;
} ct_network_window;

// Returns true when `number` has not come, and is not too old to be known.
bool ct_network_window_is_new(const ct_network_window *window, uint64_t number);
// Notes that it has come; only of datagrams that have opened.
void ct_network_window_add(ct_network_window *window, uint64_t number);
