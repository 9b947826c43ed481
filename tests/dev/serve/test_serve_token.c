// Proofs that both ends know a token, and sealed records.
#include "support/test_support.h"

#include <string.h>

#include "dev/serve/serve_token.h"
#include "foundation/error.h"

static const char token[] = "a token of many characters";

static void both_ends_compute_the_same_keys_all_different(void **state) {
    (void)state;
    const ct_serve_nonce client = ct_serve_nonce_make(), server = ct_serve_nonce_make();
    const ct_serve_keys a = ct_serve_keys_make(token, &client, &server);
    const ct_serve_keys b = ct_serve_keys_make(token, &client, &server);
    assert_memory_equal(&a, &b, sizeof(a));
    const ct_serve_key *const keys[] = {&a.client_proof, &a.server_proof, &a.from_client,
                                        &a.from_server};
    for (uint32_t i = 0; i < 4; ++i) {
        for (uint32_t j = 0; j < 4; ++j)
            assert_int_equal(ct_serve_key_equal(keys[i], keys[j]), i == j);
    }
}

static void another_token_or_nonce_gives_other_proofs(void **state) {
    (void)state;
    const ct_serve_nonce client = ct_serve_nonce_make(), server = ct_serve_nonce_make();
    const ct_serve_nonce later = ct_serve_nonce_make();
    const ct_serve_keys right = ct_serve_keys_make(token, &client, &server);
    const ct_serve_keys others[] = {
        ct_serve_keys_make("a token of many characterz", &client, &server),
        ct_serve_keys_make(token, &later, &server),
        ct_serve_keys_make(token, &client, &later),
        ct_serve_keys_make(token, &server, &client),
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(others); ++i) {
        assert_false(ct_serve_key_equal(&right.client_proof, &others[i].client_proof));
        assert_false(ct_serve_key_equal(&right.server_proof, &others[i].server_proof));
    }
}

static void sealed_records_open_once_in_order_and_unchanged(void **state) {
    (void)state;
    const ct_serve_nonce nonce = ct_serve_nonce_make();
    const ct_serve_keys keys = ct_serve_keys_make(token, &nonce, &nonce);
    uint8_t sealed[5 + CT_SERVE_SEAL_BYTES], plain[5];
    ct_serve_seal(&keys.from_client, 3, "hello", 5, sealed);
    assert_true(ct_serve_unseal(&keys.from_client, 3, sealed, sizeof(sealed), plain));
    assert_memory_equal(plain, "hello", 5);
    assert_false(ct_serve_unseal(&keys.from_client, 4, sealed, sizeof(sealed), plain));
    assert_false(ct_serve_unseal(&keys.from_server, 3, sealed, sizeof(sealed), plain));
    for (uint32_t i = 0; i < sizeof(sealed); ++i) {
        sealed[i] ^= 1;
        assert_false(ct_serve_unseal(&keys.from_client, 3, sealed, sizeof(sealed), plain));
        sealed[i] ^= 1;
    }
}

static void short_tokens_are_refused(void **state) {
    (void)state;
    ct_error error = {0};
    char suggested[CT_SERVE_TOKEN_TEXT_BYTES];
    assert_false(ct_serve_token_check("0123456789abcde", &error));
    assert_string_equal(error.message,
                        "the token has 15 characters; expected at least 16, all of them random");
    ct_serve_token_suggest(suggested);
    assert_int_equal(strlen(suggested), 32);
    assert_true(ct_serve_token_check(suggested, &error));
}

static void hexadecimal_reads_what_it_wrote_and_nothing_else(void **state) {
    (void)state;
    const uint8_t bytes[3] = {0x00, 0xab, 0xff};
    uint8_t read[3];
    char text[7];
    ct_serve_hexadecimal_write(bytes, 3, text);
    assert_string_equal(text, "00abff");
    assert_true(ct_serve_hexadecimal_read(text, read, 3));
    assert_memory_equal(bytes, read, 3);
    assert_false(ct_serve_hexadecimal_read("00abf", read, 3));
    assert_false(ct_serve_hexadecimal_read("00abfff", read, 3));
    assert_false(ct_serve_hexadecimal_read("00ABFF", read, 3));
    assert_false(ct_serve_hexadecimal_read("", read, 3));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_ends_compute_the_same_keys_all_different),
        cmocka_unit_test(another_token_or_nonce_gives_other_proofs),
        cmocka_unit_test(sealed_records_open_once_in_order_and_unchanged),
        cmocka_unit_test(short_tokens_are_refused),
        cmocka_unit_test(hexadecimal_reads_what_it_wrote_and_nothing_else),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
