#include "support/test_support.h"

#include "foundation/string/url.h"

#include <string.h>

static const ct_url_scheme schemes[] = {{"http", 80}, {"https", 443}};

static bool parse(const char *text, ct_url *url, ct_error *error) {
    return ct_url_parse(text, schemes, 2, url, error);
}

static void reads_the_parts_of_a_url(void **state) {
    (void)state;
    static const struct {
        const char *text, *scheme, *host, *path;
        uint16_t port;
        bool is_ipv6;
    } cases[] = {
        {"http://example.com", "http", "example.com", "", 80, false},
        {"HTTPS://Example.COM/A?b#c", "https", "example.com", "/A?b", 443, false},
        {"http://a-b_c.d:8080?x=1", "http", "a-b_c.d", "?x=1", 8080, false},
        {"http://[::1]:1/", "http", "::1", "/", 1, true},
        {"http://[2001:DB8::1]#f", "http", "2001:db8::1", "", 80, true},
        {"http://127.0.0.1:65535/a@b", "http", "127.0.0.1", "/a@b", 65535, false},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        ct_url url;
        ct_error error = {0};
        if (!parse(cases[i].text, &url, &error))
            fail_msg("%s: %s", cases[i].text, error.message);
        assert_string_equal(url.scheme, cases[i].scheme);
        assert_string_equal(url.host.name, cases[i].host);
        assert_int_equal(url.host.port, cases[i].port);
        assert_int_equal(url.host.is_ipv6, cases[i].is_ipv6);
        assert_int_equal(url.path_bytes, strlen(cases[i].path));
        assert_memory_equal(url.path, cases[i].path, url.path_bytes);
    }
}

static void refuses_what_libraries_may_read_differently(void **state) {
    (void)state;
    static const struct {
        const char *text, *part;
    } cases[] = {
        {"", "does not begin with http:// or https://"},
        {"ftp://a/", "does not begin with"},
        {"http:/a", "does not begin with"},
        {"//a", "does not begin with"},
        {"http://", "there is no host"},
        {"http:///path", "there is no host"},
        {"http://user@a/", "user name"},
        {"http://user:pw@a/", "user name"},
        {"http://a\\@b/", "0x5c at place 9"},
        {"http://a/b c", "0x20 at place 11; write %20"},
        {"http://a/\r\nHost: b", "0x0d"},
        {"http://a/\x7f", "0x7f"},
        {"http://caf\xc3\xa9/", "begins with \"xn--\""},
        {"http://a/caf\xc3\xa9", "0xc3 at place 13; write %C3"},
        {"http://a..b/", "a part between dots"},
        {"http://.a/", "a part between dots"},
        {"http://a./", "ends with a dot"},
        {"http://a%2e/", "0x25"},
        {"http://a:/", "the port is \"\""},
        {"http://a:0/", "the port is \"0\""},
        {"http://a:65536/", "the port is \"65536\""},
        {"http://a:8x/", "the port is \"8x\""},
        {"http://a:99999999999999999999/", "the port is"},
        {"http://[::1/", "in brackets"},
        {"http://[::1]x/", "in brackets"},
        {"http://[fe80::1%25eth0]/", "an IPv6 address"},
        {"http://[1]/", "an IPv6 address"},
        {"http://[1:2]/", "an IPv6 address"},
        {"http://[::1::2]/", "an IPv6 address"},
        {"http://[::1.2.3]/", "an IPv6 address"},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        ct_url url;
        ct_error error = {0};
        if (parse(cases[i].text, &url, &error))
            fail_msg("%s was read", cases[i].text);
        if (!strstr(error.message, cases[i].part))
            fail_msg("%s: %s, not %s", cases[i].text, error.message, cases[i].part);
    }
}

static void refuses_long_names_and_urls(void **state) {
    (void)state;
    char text[CT_URL_MAX_BYTES + 64];
    ct_url url;
    ct_error error = {0};
    memset(text, 'a', sizeof(text));
    memcpy(text, "http://", 7);
    text[sizeof(text) - 1] = '\0';
    assert_false(parse(text, &url, &error));
    assert_non_null(strstr(error.message, "expected at most 8192"));
    text[7 + 300] = '\0';
    assert_false(parse(text, &url, &error));
    assert_non_null(strstr(error.message, "expected at most 253"));
    text[7 + 64] = '\0';
    assert_false(parse(text, &url, &error));
    assert_non_null(strstr(error.message, "longer than 63"));
    text[7 + 63] = '\0';
    assert_true(parse(text, &url, &error));
}

static void patterns_allow_hosts(void **state) {
    (void)state;
    static const struct {
        const char *pattern, *host;
        uint16_t default_port;
        bool is_allowed;
    } cases[] = {
        {"example.com", "example.com:80", 80, true},
        {"Example.com", "eXample.com:443", 443, true},
        {"example.com", "example.com:8080", 80, false},
        {"example.com:8080", "example.com:8080", 80, true},
        {"example.com:8080", "example.com:80", 80, false},
        {"example.com:*", "example.com:9", 80, true},
        {"example.com", "a.example.com:80", 80, false},
        {"example.com", "badexample.com:80", 80, false},
        {"*.example.com", "a.example.com:80", 80, true},
        {"*.example.com", "a.b.example.com:80", 80, true},
        {"*.example.com", "example.com:80", 80, false},
        {"*.example.com", "badexample.com:80", 80, false},
        {"*.example.com:8443", "a.example.com:8443", 443, true},
        {"*.example.com:8443", "a.example.com:443", 443, false},
        {"*.example.com", "a.example.com.evil.org:80", 80, false},
        {"[::1]:80", "[::1]:80", 80, true},
        {"[::1]", "[::2]:80", 80, false},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        ct_host_pattern pattern;
        ct_host host;
        ct_error error = {0};
        if (!ct_host_pattern_parse(cases[i].pattern, &pattern, &error) ||
            !ct_host_parse(cases[i].host, &host, &error))
            fail_msg("%s, %s: %s", cases[i].pattern, cases[i].host, error.message);
        if (ct_host_pattern_allows(&pattern, &host, cases[i].default_port) != cases[i].is_allowed)
            fail_msg("%s for %s", cases[i].pattern, cases[i].host);
    }
}

static void refuses_patterns_that_allow_too_much(void **state) {
    (void)state;
    static const char *const texts[] = {
        "",        "*",    "*.com",   "*.*.a.com", "a.*",          "http://a", "a/b",
        "*.[::1]", "a:**", "*.0.0.1", "a b",       "*example.com", "a@b.com",  ":80"};
    for (uint32_t i = 0; i < CT_COUNT_OF(texts); ++i) {
        ct_host_pattern pattern;
        ct_error error = {0};
        if (ct_host_pattern_parse(texts[i], &pattern, &error))
            fail_msg("%s was read", texts[i]);
        assert_true(error.message[0] != '\0');
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_the_parts_of_a_url),
        cmocka_unit_test(refuses_what_libraries_may_read_differently),
        cmocka_unit_test(refuses_long_names_and_urls),
        cmocka_unit_test(patterns_allow_hosts),
        cmocka_unit_test(refuses_patterns_that_allow_too_much),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
