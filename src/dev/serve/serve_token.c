#include "dev/serve/serve_token.h"

#include <sodium.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/os/os.h"

_Static_assert(CT_SERVE_SEAL_BYTES == crypto_aead_chacha20poly1305_ietf_ABYTES, "of libsodium");
_Static_assert(CT_SERVE_KEY_BYTES == crypto_aead_chacha20poly1305_ietf_KEYBYTES, "of libsodium");
_Static_assert(CT_SERVE_KEY_BYTES == crypto_generichash_BYTES, "of libsodium");

static void start(void) {
    CT_REQUIRE(sodium_init() >= 0, "libsodium does not start%s", "");
}

bool ct_serve_token_check(const char *token, ct_error *error) {
    return strlen(token) >= CT_SERVE_LEAST_TOKEN_BYTES ||
           ct_error_set(error,
                        "the token has %zu characters; expected at least %d, all of them random",
                        strlen(token), CT_SERVE_LEAST_TOKEN_BYTES);
}

void ct_serve_token_suggest(char text[CT_SERVE_TOKEN_TEXT_BYTES]) {
    uint8_t bytes[(CT_SERVE_TOKEN_TEXT_BYTES - 1) / 2];
    ct_os_random_bytes(bytes, sizeof(bytes));
    ct_serve_hexadecimal_write(bytes, sizeof(bytes), text);
}

ct_serve_nonce ct_serve_nonce_make(void) {
    ct_serve_nonce nonce;
    ct_os_random_bytes(nonce.bytes, sizeof(nonce.bytes));
    return nonce;
}

// The hash of both nonces for one purpose, keyed by the token's.
static ct_serve_key hash_of(const ct_serve_key *secret, const char *purpose,
                            const ct_serve_nonce *client, const ct_serve_nonce *server) {
    ct_serve_key key;
    crypto_generichash_state state;
    crypto_generichash_init(&state, secret->bytes, sizeof(secret->bytes), sizeof(key.bytes));
    crypto_generichash_update(&state, (const uint8_t *)purpose, strlen(purpose) + 1);
    crypto_generichash_update(&state, client->bytes, sizeof(client->bytes));
    crypto_generichash_update(&state, server->bytes, sizeof(server->bytes));
    crypto_generichash_final(&state, key.bytes, sizeof(key.bytes));
    return key;
}

ct_serve_keys ct_serve_keys_make(const char *token, const ct_serve_nonce *client,
                                 const ct_serve_nonce *server) {
    start();
    ct_serve_key secret;
    crypto_generichash(secret.bytes, sizeof(secret.bytes), (const uint8_t *)token, strlen(token),
                       NULL, 0);
    const ct_serve_keys keys = {
        .client_proof = hash_of(&secret, "cuttle serve 1: client proof", client, server),
        .server_proof = hash_of(&secret, "cuttle serve 1: server proof", client, server),
        .from_client = hash_of(&secret, "cuttle serve 1: from client", client, server),
        .from_server = hash_of(&secret, "cuttle serve 1: from server", client, server),
    };
    sodium_memzero(&secret, sizeof(secret));
    return keys;
}

bool ct_serve_key_equal(const ct_serve_key *a, const ct_serve_key *b) {
    return sodium_memcmp(a->bytes, b->bytes, sizeof(a->bytes)) == 0;
}

// The nonce of a record is its number: each direction has a key of its own.
static void write_number(uint64_t number,
                         uint8_t nonce[crypto_aead_chacha20poly1305_ietf_NPUBBYTES]) {
    memset(nonce, 0, crypto_aead_chacha20poly1305_ietf_NPUBBYTES);
    for (uint32_t i = 0; i < 8; ++i)
        nonce[i] = (uint8_t)(number >> 8 * i);
}

void ct_serve_seal(const ct_serve_key *key, uint64_t number, const void *plain, uint32_t bytes,
                   uint8_t *sealed) {
    uint8_t nonce[crypto_aead_chacha20poly1305_ietf_NPUBBYTES];
    write_number(number, nonce);
    crypto_aead_chacha20poly1305_ietf_encrypt(sealed, NULL, plain, bytes, NULL, 0, NULL, nonce,
                                              key->bytes);
}

bool ct_serve_unseal(const ct_serve_key *key, uint64_t number, const uint8_t *sealed,
                     uint32_t bytes, uint8_t *plain) {
    uint8_t nonce[crypto_aead_chacha20poly1305_ietf_NPUBBYTES];
    write_number(number, nonce);
    return crypto_aead_chacha20poly1305_ietf_decrypt(plain, NULL, NULL, sealed, bytes, NULL, 0,
                                                     nonce, key->bytes) == 0;
}

void ct_serve_hexadecimal_write(const uint8_t *bytes, uint32_t count, char *text) {
    for (uint32_t i = 0; i < count; ++i) {
        text[2 * i] = "0123456789abcdef"[bytes[i] >> 4];
        text[2 * i + 1] = "0123456789abcdef"[bytes[i] & 15];
    }
    text[2 * count] = '\0';
}

bool ct_serve_hexadecimal_read(const char *text, uint8_t *bytes, uint32_t count) {
    if (strlen(text) != 2 * (size_t)count)
        return false;
    memset(bytes, 0, count);
    for (uint32_t i = 0; i < 2 * count; ++i) {
        const char *const digit = strchr("0123456789abcdef", text[i]);
        if (!digit)
            return false;
        bytes[i / 2] = (uint8_t)(bytes[i / 2] << 4 | (digit - "0123456789abcdef"));
    }
    return true;
}
