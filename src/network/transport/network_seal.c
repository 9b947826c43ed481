#include "network/transport/network_seal.h"

#include "foundation/error.h"

#include <sodium.h>
#include <string.h>

_Static_assert(CT_NETWORK_KEY_BYTES == crypto_aead_chacha20poly1305_ietf_KEYBYTES, "a key");
_Static_assert(CT_NETWORK_KEY_BYTES == crypto_scalarmult_BYTES, "a key");
_Static_assert(CT_NETWORK_TAG_BYTES == crypto_aead_chacha20poly1305_ietf_ABYTES, "a tag");

// Any thread may be the first: sodium_init has a lock of its own and does its work once.
static void start(void) {
    CT_REQUIRE(sodium_init() >= 0, "libsodium does not start%s", "");
}

// --- Keys ----------------------------------------------------------------------------------------

ct_network_key ct_network_key_of_password(const char *password) {
    ct_network_key key = {{0}};
    if (password[0] == 0)
        return key;
    start();
    static const uint8_t salt[crypto_pwhash_SALTBYTES] = "cuttle network 1";
    const int result = crypto_pwhash(key.bytes, sizeof(key.bytes), password, strlen(password), salt,
                                     3, 16 << 20, crypto_pwhash_ALG_ARGON2ID13);
    CT_REQUIRE(result == 0, "no memory for the key of a password%s", "");
    return key;
}

// Hashes a name and up to four pieces of bytes, with a key or NULL.
typedef struct piece {
    const void *bytes;
    size_t size;
} piece;

static ct_network_key hash_of(const ct_network_key *key, const char *name, const piece *pieces,
                              uint32_t count) {
    ct_network_key out;
    crypto_generichash_state state;
    crypto_generichash_init(&state, key ? key->bytes : NULL, key ? sizeof(key->bytes) : 0,
                            sizeof(out.bytes));
    crypto_generichash_update(&state, (const uint8_t *)name, strlen(name) + 1);
    for (uint32_t i = 0; i < count; ++i)
        crypto_generichash_update(&state, pieces[i].bytes, pieces[i].size);
    crypto_generichash_final(&state, out.bytes, sizeof(out.bytes));
    sodium_memzero(&state, sizeof(state));
    return out;
}

ct_network_key ct_network_key_of_token(const void *bytes, uint32_t size) {
    start();
    return hash_of(NULL, "cuttle network 1 token", &(piece){bytes, size}, 1);
}

void ct_network_key_pair(ct_network_key *secret, ct_network_key *shown) {
    start();
    randombytes_buf(secret->bytes, sizeof(secret->bytes));
    crypto_scalarmult_base(shown->bytes, secret->bytes);
}

ct_network_key ct_network_key_random(void) {
    start();
    ct_network_key key;
    randombytes_buf(key.bytes, sizeof(key.bytes));
    return key;
}

void ct_network_key_wipe(ct_network_key *key) {
    sodium_memzero(key, sizeof(*key));
}

void ct_network_cookie(const ct_network_key *secret, uint64_t span, ct_datagram_address address,
                       const ct_network_key *shown, uint8_t cookie[CT_NETWORK_COOKIE_BYTES]) {
    const piece pieces[] = {{&span, sizeof(span)},
                            {&address.ip, sizeof(address.ip)},
                            {&address.port, sizeof(address.port)},
                            {shown->bytes, sizeof(shown->bytes)}};
    const ct_network_key hash =
        hash_of(secret, "cuttle network 1 cookie", pieces, CT_COUNT_OF(pieces));
    memcpy(cookie, hash.bytes, CT_NETWORK_COOKIE_BYTES);
}

bool ct_network_cookie_equal(const uint8_t *a, const uint8_t *b) {
    return sodium_memcmp(a, b, CT_NETWORK_COOKIE_BYTES) == 0;
}

ct_network_key ct_network_begin_key(const ct_network_key *password, const ct_network_key *shown,
                                    const uint8_t cookie[CT_NETWORK_COOKIE_BYTES]) {
    // The cookie is in the key, as each sealing needs a key or a number of its own, and the public
    // key may be sent with several cookies.
    const piece pieces[] = {{shown->bytes, sizeof(shown->bytes)},
                            {cookie, CT_NETWORK_COOKIE_BYTES}};
    return hash_of(password, "cuttle network 1 begin", pieces, CT_COUNT_OF(pieces));
}

bool ct_network_session_keys_make(const ct_network_key *password, const ct_network_key *secret,
                                  const ct_network_key *other, const ct_network_key *connector,
                                  const ct_network_key *acceptor, ct_network_session_keys *keys) {
    ct_network_key shared;
    if (crypto_scalarmult(shared.bytes, secret->bytes, other->bytes) != 0)
        return false;
    const piece pieces[] = {{shared.bytes, sizeof(shared.bytes)},
                            {connector->bytes, sizeof(connector->bytes)},
                            {acceptor->bytes, sizeof(acceptor->bytes)}};
    const uint32_t count = CT_COUNT_OF(pieces);
    keys->accept = hash_of(password, "cuttle network 1 accept", pieces, count);
    keys->to_acceptor = hash_of(password, "cuttle network 1 to acceptor", pieces, count);
    keys->to_connector = hash_of(password, "cuttle network 1 to connector", pieces, count);
    ct_network_key_wipe(&shared);
    return true;
}

// --- Sealing -------------------------------------------------------------------------------------

// The number with its lowest byte first, behind four zeros.
static void make_nonce(uint64_t number,
                       uint8_t nonce[crypto_aead_chacha20poly1305_ietf_NPUBBYTES]) {
    memset(nonce, 0, 4);
    for (int i = 0; i < 8; ++i)
        nonce[4 + i] = (uint8_t)(number >> 8 * i);
}

void ct_network_seal(const ct_network_key *key, uint64_t number, const void *head,
                     uint32_t head_bytes, const void *bytes, uint32_t size, uint8_t *sealed) {
    uint8_t nonce[crypto_aead_chacha20poly1305_ietf_NPUBBYTES];
    make_nonce(number, nonce);
    crypto_aead_chacha20poly1305_ietf_encrypt(sealed, NULL, bytes, size, head, head_bytes, NULL,
                                              nonce, key->bytes);
}

bool ct_network_open(const ct_network_key *key, uint64_t number, const void *head,
                     uint32_t head_bytes, const uint8_t *sealed, uint32_t size, void *bytes) {
    uint8_t nonce[crypto_aead_chacha20poly1305_ietf_NPUBBYTES];
    make_nonce(number, nonce);
    return size >= CT_NETWORK_TAG_BYTES &&
           crypto_aead_chacha20poly1305_ietf_decrypt(bytes, NULL, NULL, sealed, size, head,
                                                     head_bytes, nonce, key->bytes) == 0;
}

// --- Which have come -----------------------------------------------------------------------------

// The word of `bits` that has the bit of a number.
static uint32_t word_of(uint64_t number) {
    return (uint32_t)(number / 64 % (CT_NETWORK_WINDOW / 64));
}

bool ct_network_window_is_new(const ct_network_window *window, uint64_t number) {
    if (number > window->newest)
        return true;
    // Words are cleared as a whole when the newest enters one: the window is what is left of it.
    const uint64_t oldest_word = window->newest / 64 >= CT_COUNT_OF(window->bits) - 1
                                     ? window->newest / 64 - (CT_COUNT_OF(window->bits) - 1)
                                     : 0;
    return number > 0 && number / 64 >= oldest_word &&
           (window->bits[word_of(number)] & UINT64_C(1) << number % 64) == 0;
}

void ct_network_window_add(ct_network_window *window, uint64_t number) {
    if (number > window->newest) {
        const uint64_t entered = number / 64 - window->newest / 64;
        for (uint64_t i = 1; i <= entered && i <= CT_COUNT_OF(window->bits); ++i)
            window->bits[word_of((window->newest / 64 + i) * 64)] = 0;
        window->newest = number;
    }
    window->bits[word_of(number)] |= UINT64_C(1) << number % 64;
    ++window->num_received;
}
