#include "foundation/math/random.h"
#include "network/transport/network_seal.h"
#include "support/test_support.h"

#include <string.h>

static void both_ends_make_the_same_keys(void **state) {
    (void)state;
    ct_network_key a, a_shown, b, b_shown;
    ct_network_key_pair(&a, &a_shown);
    ct_network_key_pair(&b, &b_shown);
    const ct_network_key password = ct_network_key_of_token("x", 1), other = {{0}};
    ct_network_session_keys at_a, at_b, wrong;
    assert_true(ct_network_session_keys_make(&password, &a, &b_shown, &a_shown, &b_shown, &at_a));
    assert_true(ct_network_session_keys_make(&password, &b, &a_shown, &a_shown, &b_shown, &at_b));
    assert_memory_equal(&at_a, &at_b, sizeof(at_a));
    assert_true(ct_network_session_keys_make(&other, &b, &a_shown, &a_shown, &b_shown, &wrong));
    assert_memory_not_equal(&at_a.accept, &wrong.accept, CT_NETWORK_KEY_BYTES);
    assert_memory_not_equal(&at_a.to_acceptor, &wrong.to_acceptor, CT_NETWORK_KEY_BYTES);
    assert_memory_not_equal(&at_a.to_acceptor, &at_a.to_connector, CT_NETWORK_KEY_BYTES);
    assert_memory_not_equal(&at_a.to_acceptor, &at_a.accept, CT_NETWORK_KEY_BYTES);
}

static void keys_without_a_secret_are_refused(void **state) {
    (void)state;
    ct_network_key a, a_shown;
    ct_network_session_keys keys;
    ct_network_key_pair(&a, &a_shown);
    const ct_network_key zero = {{0}}, one = {{1}};
    assert_false(ct_network_session_keys_make(&zero, &a, &zero, &a_shown, &zero, &keys));
    assert_false(ct_network_session_keys_make(&zero, &a, &one, &a_shown, &one, &keys));
}

static void passwords_give_their_keys(void **state) {
    (void)state;
    const ct_network_key zero = {{0}};
    const ct_network_key a = ct_network_key_of_password("swordfish"),
                         b = ct_network_key_of_password("swordfish"),
                         c = ct_network_key_of_password("sword"),
                         none = ct_network_key_of_password("");
    assert_memory_equal(&a, &b, sizeof(a));
    assert_memory_not_equal(&a, &c, sizeof(a));
    assert_memory_equal(&none, &zero, sizeof(none));
    // The same in all builds and versions: ends with other keys could not meet.
    const uint8_t known[8] = {0x2c, 0xa9, 0xad, 0x27, 0x13, 0xe8, 0xb5, 0x4d};
    assert_memory_equal(a.bytes, known, sizeof(known));
}

static void what_is_changed_does_not_open(void **state) {
    (void)state;
    const ct_network_key key = ct_network_key_of_token("k", 1),
                         other = ct_network_key_of_token("l", 1);
    const uint8_t head[5] = "head", bytes[20] = "twenty bytes of text";
    uint8_t sealed[36], opened[20];
    ct_network_seal(&key, 7, head, 5, bytes, 20, sealed);
    assert_true(ct_network_open(&key, 7, head, 5, sealed, 36, opened));
    assert_memory_equal(opened, bytes, 20);
    assert_false(ct_network_open(&other, 7, head, 5, sealed, 36, opened));
    assert_false(ct_network_open(&key, 8, head, 5, sealed, 36, opened));
    assert_false(ct_network_open(&key, UINT64_C(7) << 32, head, 5, sealed, 36, opened));
    assert_false(ct_network_open(&key, 7, head, 4, sealed, 36, opened));
    for (uint32_t size = 0; size < 36; ++size)
        assert_false(ct_network_open(&key, 7, head, 5, sealed, size, opened));
    for (uint32_t bit = 0; bit < 36 * 8; ++bit) {
        sealed[bit / 8] ^= (uint8_t)(1 << bit % 8);
        assert_false(ct_network_open(&key, 7, head, 5, sealed, 36, opened));
        sealed[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    assert_true(ct_network_open(&key, 7, head, 5, sealed, 36, opened));
}

static void cookies_are_of_one_address_key_and_span(void **state) {
    (void)state;
    const ct_network_key secret = ct_network_key_random(), other = ct_network_key_random();
    const ct_network_key shown = ct_network_key_random();
    const ct_datagram_address a = {1, 2}, b = {2, 2}, c = {1, 3};
    uint8_t cookie[6][CT_NETWORK_COOKIE_BYTES];
    ct_network_cookie(&secret, 5, a, &shown, cookie[0]);
    ct_network_cookie(&secret, 5, b, &shown, cookie[1]);
    ct_network_cookie(&secret, 5, c, &shown, cookie[2]);
    ct_network_cookie(&secret, 6, a, &shown, cookie[3]);
    ct_network_cookie(&secret, 5, a, &other, cookie[4]);
    ct_network_cookie(&other, 5, a, &shown, cookie[5]);
    for (uint32_t i = 1; i < 6; ++i)
        assert_false(ct_network_cookie_equal(cookie[0], cookie[i]));
    ct_network_cookie(&secret, 5, a, &shown, cookie[1]);
    assert_true(ct_network_cookie_equal(cookie[0], cookie[1]));
}

// Against a set of all numbers that have come.
static void windows_take_each_number_once(void **state) {
    (void)state;
    enum { NUMBERS = 20000 };
    for (uint32_t seed = 1; seed <= test_rounds(20, 500); ++seed) {
        ct_random random = ct_random_seeded(seed, 0);
        ct_network_window window = {0};
        bool *const came = CT_NEW_ARRAY(test_heap(), bool, NUMBERS);
        uint64_t newest = 0, count = 0;
        for (uint32_t i = 0; i < 5000; ++i) {
            const uint64_t jump = ct_random_below(&random, seed % 3 ? 4 : 40);
            const uint64_t back = ct_random_below(&random, 3) ? 0 : ct_random_below(&random, 1500);
            uint64_t number = newest + jump;
            number = number > back ? number - back : number;
            if (number >= NUMBERS)
                break;
            const bool is_new = ct_network_window_is_new(&window, number);
            if (number == 0 || came[number])
                assert_false(is_new);
            else if (number + CT_NETWORK_WINDOW - 64 > newest)
                assert_true(is_new);
            else if (number + CT_NETWORK_WINDOW <= newest)
                assert_false(is_new);
            if (!is_new)
                continue;
            ct_network_window_add(&window, number);
            came[number] = true;
            newest = number > newest ? number : newest;
            assert_int_equal(window.num_received, ++count);
        }
        ct_free(test_heap(), came);
    }
}

static void windows_hold_the_largest_numbers(void **state) {
    (void)state;
    ct_network_window window = {0};
    ct_network_window_add(&window, UINT64_MAX - 1);
    assert_false(ct_network_window_is_new(&window, UINT64_MAX - 1));
    assert_false(ct_network_window_is_new(&window, 5));
    assert_true(ct_network_window_is_new(&window, UINT64_MAX));
    ct_network_window_add(&window, UINT64_MAX);
    assert_false(ct_network_window_is_new(&window, UINT64_MAX));
    assert_true(ct_network_window_is_new(&window, UINT64_MAX - 500));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_ends_make_the_same_keys),
        cmocka_unit_test(keys_without_a_secret_are_refused),
        cmocka_unit_test(passwords_give_their_keys),
        cmocka_unit_test(what_is_changed_does_not_open),
        cmocka_unit_test(cookies_are_of_one_address_key_and_span),
        cmocka_unit_test(windows_take_each_number_once),
        cmocka_unit_test(windows_hold_the_largest_numbers),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
