#include "support/test_support.h"

#include <stdio.h>
#include <string.h>

#include "dev/web/web_request.h"

static ct_web_place place_at(const char *address) {
    ct_web_place place = {.port = 64000};
    assert_true(ct_address_parse(address, &place.address));
    return place;
}

// --- The first bytes -----------------------------------------------------------------------------

static void methods_of_http_are_requests(void **state) {
    (void)state;
    static const char *const starts[] = {"GET / HTTP/1.1", "HEAD /",    "POST /",
                                         "OPTIONS *",      "DELETE /x", "PATCH /"};
    for (uint32_t i = 0; i < CT_COUNT_OF(starts); ++i)
        assert_int_equal(ct_web_start_of(starts[i], strlen(starts[i])), CT_WEB_START_REQUEST);
    for (uint32_t bytes = 0; bytes < 4; ++bytes)
        assert_int_equal(ct_web_start_of("GET ", bytes), CT_WEB_START_UNKNOWN);
    assert_int_equal(ct_web_start_of("OPTIONS", 7), CT_WEB_START_UNKNOWN);
}

static void all_else_is_raw(void **state) {
    (void)state;
    static const char frame[8] = {0, 0, 0, 0, 0, 0, 0, 5};
    assert_int_equal(ct_web_start_of(frame, 1), CT_WEB_START_OTHER);
    assert_int_equal(ct_web_start_of(frame, 8), CT_WEB_START_OTHER);
    static const char *const starts[] = {"get /",        "GETS",           "CONNECT a:1",
                                         "TRACE /",      "PRI * HTTP/2.0", "{\"type",
                                         "\x16\x03\x01", " GET /",         "GE T"};
    for (uint32_t i = 0; i < CT_COUNT_OF(starts); ++i)
        assert_int_equal(ct_web_start_of(starts[i], strlen(starts[i])), CT_WEB_START_OTHER);
}

// --- Host ----------------------------------------------------------------------------------------

static void loopback_names_and_the_own_address_are_hosts(void **state) {
    (void)state;
    static const char *const right[] = {"127.0.0.1:64000", "localhost:64000", "LOCALHOST:64000",
                                        "[::1]:64000", "192.168.1.5:64000"};
    const ct_web_place place = place_at("192.168.1.5");
    ct_host host;
    ct_error reason = {0};
    for (uint32_t i = 0; i < CT_COUNT_OF(right); ++i)
        assert_true(ct_web_check_host(&place, right[i], &host, &reason));
}

static void other_hosts_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *host, *reason;
    } wrong[] = {
        {NULL, "no header Host"},
        {"", "no host"},
        {"evil.example:64000", "\"evil.example\" is not a loopback name"},
        {"127.0.0.1.evil.example:64000", "is not a loopback name"},
        {"localhost.evil.example:64000", "is not a loopback name"},
        {"192.168.1.6:64000", "is not a loopback name"},
        {"0.0.0.0:64000", "is not a loopback name"},
        {"127.1:64000", "is not a loopback name"},
        {"2130706433:64000", "is not a loopback name"},
        {"127.0.0.1", "is 80; expected 64000"},
        {"127.0.0.1:64001", "is 64001; expected 64000"},
        {"127.0.0.1:64000,evil.example", "invalid"},
        {"127.0.0.1:64000 evil", "invalid"},
        {"user@127.0.0.1:64000", "invalid"},
        {"localhost.:64000", "invalid"},
    };
    const ct_web_place place = place_at("192.168.1.5");
    for (uint32_t i = 0; i < CT_COUNT_OF(wrong); ++i) {
        ct_host host;
        ct_error reason = {0};
        assert_false(ct_web_check_host(&place, wrong[i].host, &host, &reason));
        assert_non_null(strstr(reason.message, wrong[i].reason));
    }
}

// --- Origin --------------------------------------------------------------------------------------

static void an_origin_with_the_very_address_is_own(void **state) {
    (void)state;
    static const char *const addresses[] = {"127.0.0.1", "192.168.1.5", "::1"};
    for (uint32_t i = 0; i < CT_COUNT_OF(addresses); ++i) {
        const ct_web_place place = place_at(addresses[i]);
        const char *const text = i == 2 ? "http://[::1]:64000" : NULL;
        char origin[64];
        ct_web_listener at;
        ct_error reason = {0};
        snprintf(origin, sizeof(origin), "http://%s:64000", addresses[i]);
        assert_int_equal(ct_web_origin_of(&place, text ? text : origin, &at, &reason),
                         CT_WEB_ORIGIN_OWN);
    }
}

// Another user may listen there, at the very port of the game.
static void all_other_origins_of_this_machine_have_a_server(void **state) {
    (void)state;
    static const struct {
        const char *origin, *address; // NULL: a name
        uint16_t port;
    } right[] = {
        {"http://127.0.0.1:64001", "127.0.0.1", 64001}, {"http://127.0.0.1", "127.0.0.1", 80},
        {"http://127.0.0.2:64000", "127.0.0.2", 64000}, {"http://[::1]:64000", "::1", 64000},
        {"http://localhost:64000", NULL, 64000},        {"http://localhost", NULL, 80},
    };
    const ct_web_place place = place_at("127.0.0.1");
    for (uint32_t i = 0; i < CT_COUNT_OF(right); ++i) {
        char text[CT_ADDRESS_TEXT_BYTES];
        ct_web_listener at;
        ct_error reason = {0};
        assert_int_equal(ct_web_origin_of(&place, right[i].origin, &at, &reason),
                         CT_WEB_ORIGIN_OTHER);
        assert_int_equal(at.port, right[i].port);
        assert_int_equal(at.has_address, right[i].address != NULL);
        if (at.has_address)
            assert_string_equal(ct_address_print(&at.address, text), right[i].address);
    }
}

static void foreign_origins_are_refused(void **state) {
    (void)state;
    static const char *const wrong[] = {"http://evil.example",
                                        "http://evil.example:64000",
                                        "https://127.0.0.1:64000",
                                        "null",
                                        "file://",
                                        "",
                                        "http://127.0.0.1:64000/",
                                        "http://127.0.0.1:64000#",
                                        "http://127.0.0.1:64000, http://evil.example",
                                        "http://127.0.0.1.evil.example:64000",
                                        "http://evil.example@127.0.0.1:64000",
                                        "chrome-extension://abcdef"};
    const ct_web_place place = place_at("127.0.0.1");
    for (uint32_t i = 0; i < CT_COUNT_OF(wrong); ++i) {
        ct_web_listener at;
        ct_error reason = {0};
        assert_int_equal(ct_web_origin_of(&place, wrong[i], &at, &reason), CT_WEB_ORIGIN_FOREIGN);
        assert_non_null(strstr(reason.message, "may not use the console"));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(methods_of_http_are_requests),
        cmocka_unit_test(all_else_is_raw),
        cmocka_unit_test(loopback_names_and_the_own_address_are_hosts),
        cmocka_unit_test(other_hosts_are_refused),
        cmocka_unit_test(an_origin_with_the_very_address_is_own),
        cmocka_unit_test(all_other_origins_of_this_machine_have_a_server),
        cmocka_unit_test(foreign_origins_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
