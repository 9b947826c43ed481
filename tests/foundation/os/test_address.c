#include "support/test_support.h"

#include "foundation/os/address.h"
#include "foundation/os/os.h"

#include <string.h>

static void knows_which_addresses_are_public(void **state) {
    (void)state;
    static const char *const others[] = {
        "0.0.0.0",
        "10.1.2.3",
        "100.64.0.1",
        "127.0.0.1",
        "127.255.0.1",
        "169.254.169.254",
        "172.16.0.1",
        "172.31.255.255",
        "192.168.0.1",
        "198.18.0.1",
        "224.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "fe80::1",
        "fc00::1",
        "fd12::1",
        "ff02::1",
        "2002:7f00:1::",
        "2002:0a00:0001::1",
        "64:ff9b::127.0.0.1",
        "64:ff9b::10.0.0.1",
        "2001:db8::1",
        "2001::1",
        "::127.0.0.1",
    };
    static const char *const public[] = {
        "1.1.1.1",          "8.8.8.8",        "172.15.0.1",           "172.32.0.1",
        "100.128.0.1",      "192.169.0.1",    "2606:4700:4700::1111", "2002:0808:0808::1",
        "64:ff9b::8.8.8.8", "::ffff:8.8.8.8",
    };
    ct_address address;
    for (uint32_t i = 0; i < CT_COUNT_OF(others); ++i) {
        assert_true(ct_address_parse(others[i], &address));
        if (ct_address_is_public(&address))
            fail_msg("%s is not public", others[i]);
    }
    for (uint32_t i = 0; i < CT_COUNT_OF(public); ++i) {
        assert_true(ct_address_parse(public[i], &address));
        if (!ct_address_is_public(&address))
            fail_msg("%s is public", public[i]);
    }
}

static void reads_and_prints_addresses(void **state) {
    (void)state;
    char text[CT_ADDRESS_TEXT_BYTES];
    ct_address address = {{0}};
    assert_true(ct_address_parse("10.0.0.2", &address));
    assert_string_equal(ct_address_print(&address, text), "10.0.0.2");
    assert_true(ct_address_parse("fe80::1", &address));
    assert_string_equal(ct_address_print(&address, text), "fe80::1");
    assert_false(ct_address_is_loopback(&address));
    assert_true(ct_address_parse("127.3.4.5", &address));
    assert_true(ct_address_is_loopback(&address));
    assert_false(ct_address_parse("127.1", &address));
    assert_false(ct_address_parse("localhost", &address));
    assert_false(ct_address_parse("[::1]", &address));
    uint8_t unknown[32] = {0xff, 0xff};
    assert_false(ct_address_of_system(unknown, sizeof(unknown), &address));
    assert_false(ct_address_of_system(unknown, 1, &address));
}

static void note(void *user) {
    _Atomic uint32_t *const count = user;
    ++*count;
}

static ct_lookup_result wait_for(ct_lookup *lookup) {
    for (uint32_t i = 0; i < 2000 && !ct_lookup_result_of(lookup).is_done; ++i)
        ct_os_sleep_ns(5000000);
    return ct_lookup_result_of(lookup);
}

static void looks_names_up(void **state) {
    (void)state;
    _Atomic uint32_t num_woken = 0;
    ct_lookup *const lookup = ct_lookup_start("127.1", note, &num_woken);
    const ct_lookup_result result = wait_for(lookup);
    assert_true(result.is_done);
    assert_int_equal(result.count, 1);
    assert_true(ct_address_is_loopback(&result.addresses[0]));
    for (uint32_t i = 0; i < 2000 && num_woken == 0; ++i)
        ct_os_sleep_ns(5000000);
    assert_int_equal(num_woken, 1);
    ct_lookup_drop(lookup);
    ct_lookup_drop(NULL);
}

static void unknown_names_have_no_addresses(void **state) {
    (void)state;
    ct_lookup *const lookup = ct_lookup_start("a name with spaces", NULL, NULL);
    assert_int_equal(wait_for(lookup).count, 0);
    ct_lookup_drop(lookup);
}

// What was dropped ends by itself; a sanitizer would see what is used too late.
static void lookups_can_be_dropped_at_once(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 50; ++i) {
        _Atomic uint32_t num_woken = 0;
        ct_lookup_drop(ct_lookup_start("127.1", note, &num_woken));
    }
    ct_os_sleep_ns(50000000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knows_which_addresses_are_public),
        cmocka_unit_test(reads_and_prints_addresses),
        cmocka_unit_test(looks_names_up),
        cmocka_unit_test(unknown_names_have_no_addresses),
        cmocka_unit_test(lookups_can_be_dropped_at_once),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
