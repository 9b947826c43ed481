// serve_token.h: how two ends prove that they know the same token, and seal what they send.
//
// Each end sends 32 random bytes (a nonce). Both compute four keys: keyed hashes (BLAKE2b) of the
// two nonces, by a hash of the token. Two of them are the proofs that the ends send; the other two
// seal what follows (ChaCha20-Poly1305), one for each direction. So the token is never sent, an old
// recording proves nothing, and what is changed on the way is found out, and unreadable there. A
// recording of a connection can be read with the token, later too. Any thread.
#pragma once
#include "foundation/types.h"

enum {
    CT_SERVE_NONCE_BYTES = 32,
    CT_SERVE_KEY_BYTES = 32,
    CT_SERVE_SEAL_BYTES = 16,        // what sealing adds
    CT_SERVE_LEAST_TOKEN_BYTES = 16, // shorter ones can be guessed from a recording
    CT_SERVE_TOKEN_TEXT_BYTES = 33,  // of a suggested token, with its zero
};

// A key, or a proof.
typedef struct ct_serve_key {
    uint8_t bytes[CT_SERVE_KEY_BYTES];
} ct_serve_key;

// Random bytes that one end makes for one connection.
typedef struct ct_serve_nonce {
    uint8_t bytes[CT_SERVE_NONCE_BYTES];
} ct_serve_nonce;

// What both ends of one connection compute.
typedef struct ct_serve_keys {
    ct_serve_key client_proof, server_proof;
    ct_serve_key from_client, from_server; // seal messages
} ct_serve_keys;

// Returns whether a token is long enough (16 bytes or more), else false with `error`.
bool ct_serve_token_check(const char *token, ct_error *error);

// Writes a random token of 32 characters.
void ct_serve_token_suggest(char text[CT_SERVE_TOKEN_TEXT_BYTES]);

// Makes a nonce of random bytes.
ct_serve_nonce ct_serve_nonce_make(void);

// Computes the keys of a connection.
ct_serve_keys ct_serve_keys_make(const char *token, const ct_serve_nonce *client,
                                 const ct_serve_nonce *server);

// Compares two proofs in a time that does not depend on where they differ.
bool ct_serve_key_equal(const ct_serve_key *a, const ct_serve_key *b);

// Seals `bytes` at `plain` as record `number` of its direction: writes CT_SERVE_SEAL_BYTES more to
// `sealed`. A number must be used once for a key.
void ct_serve_seal(const ct_serve_key *key, uint64_t number, const void *plain, uint32_t bytes,
                   uint8_t *sealed);

// Opens record `number`, of `bytes` (at least CT_SERVE_SEAL_BYTES), to `plain`, which is that much
// shorter. Returns false when it was not sealed so: forged, changed, repeated or out of order.
bool ct_serve_unseal(const ct_serve_key *key, uint64_t number, const uint8_t *sealed,
                     uint32_t bytes, uint8_t *plain);

// Write and read bytes as text in hexadecimal; the text of a write has 2 * bytes + 1 characters.
// Reading returns false for any other length or character.
void ct_serve_hexadecimal_write(const uint8_t *bytes, uint32_t count, char *text);
bool ct_serve_hexadecimal_read(const char *text, uint8_t *bytes, uint32_t count);
