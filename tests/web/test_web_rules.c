#include "support/test_support.h"

#include <string.h>

#include "foundation/log.h"
#include "web/web_rules.h"

static ct_host host_of(const char *text) {
    ct_host host;
    assert_true(ct_host_parse(text, &host, NULL));
    return host;
}

static bool allows(const ct_web_rules *rules, const char *text, const char *address,
                   ct_error *error) {
    ct_host host = host_of(text);
    ct_address at;
    assert_true(ct_address_parse(address, &at));
    return ct_web_rules_check_host(rules, &host, 80, error) &&
           ct_web_rules_check_address(rules, &host, 80, &at, error);
}

static void the_player_asks_listed_hosts_only(void **state) {
    (void)state;
    static const char *const hosts[] = {"api.example.com", "*.example.com:8443", "bad host"};
    ct_web_rules rules;
    ct_error error = {0};
    ct_web_rules_init(&rules, hosts, 3, true);
    assert_int_equal(rules.num_hosts, 2);
    assert_true(allows(&rules, "api.example.com:80", "8.8.8.8", &error));
    assert_true(allows(&rules, "b.example.com:8443", "8.8.8.8", &error));
    assert_false(allows(&rules, "example.com:80", "8.8.8.8", &error));
    assert_non_null(strstr(error.message, "hosts = [\"example.com\"]"));
    assert_false(allows(&rules, "api.example.com:81", "8.8.8.8", &error));
    assert_non_null(strstr(error.message, "\"api.example.com:81\""));
}

static void private_addresses_must_be_listed_themselves(void **state) {
    (void)state;
    static const char *const hosts[] = {"api.example.com", "10.0.0.5", "localhost:8080", "[::1]:9"};
    ct_web_rules rules;
    ct_error error = {0};
    ct_web_rules_init(&rules, hosts, 4, true);
    assert_false(allows(&rules, "api.example.com:80", "127.0.0.1", &error));
    assert_non_null(strstr(error.message, "leads to 127.0.0.1"));
    assert_false(allows(&rules, "api.example.com:80", "169.254.169.254", &error));
    assert_false(allows(&rules, "api.example.com:80", "10.0.0.6", &error));
    assert_true(allows(&rules, "api.example.com:80", "10.0.0.5", &error));
    assert_true(allows(&rules, "10.0.0.5:80", "10.0.0.5", &error));
    assert_true(allows(&rules, "localhost:8080", "127.0.0.1", &error));
    assert_true(allows(&rules, "localhost:8080", "::1", &error));
    assert_false(allows(&rules, "localhost:8080", "10.0.0.6", &error));
    assert_true(allows(&rules, "[::1]:9", "::1", &error));
}

static void a_developer_is_warned_only(void **state) {
    (void)state;
    ct_web_rules rules;
    ct_error error = {0};
    ct_web_rules_init(&rules, NULL, 0, false);
    assert_true(allows(&rules, "example.org:80", "8.8.8.8", &error));
    assert_int_equal(ct_log_warning_count("web_host"), 1);
    assert_true(allows(&rules, "127.0.0.1:80", "127.0.0.1", &error));
    assert_int_equal(ct_log_warning_count("web_address"), 0);
    assert_true(allows(&rules, "example.org:80", "10.0.0.1", &error));
    assert_int_equal(ct_log_warning_count("web_address"), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_player_asks_listed_hosts_only),
        cmocka_unit_test(private_addresses_must_be_listed_themselves),
        cmocka_unit_test(a_developer_is_warned_only),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
