#include "web/web_server.h"

#include <stdlib.h>

#include "web/http/http_client.h"

static const char hello[] = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-B: 1\r\nX-A: 2\r\n"
                            "X-B: 3\r\nConnection: close\r\n\r\nhello";

typedef struct fixture {
    ct_web_rules rules;
    ct_http *http;
    ct_error error;
} fixture;

// A client of the player's that may ask `hosts`.
static void start(fixture *f, const char *first, const char *second, ct_http_limits limits) {
    const char *const hosts[] = {first, second};
    ct_web_rules_init(&f->rules, hosts, second ? 2 : first ? 1 : 0, true);
    f->http = ct_http_create(
        &(ct_http_desc){.allocator = test_heap(), .rules = &f->rules, .limits = limits});
    f->error = (ct_error){0};
}

static ct_http_id ask_for(fixture *f, const char *url, uint64_t max_bytes) {
    const ct_http_request request = {
        .url = url, .timeout_seconds = 10, .max_response_bytes = max_bytes};
    const ct_http_id id = ct_http_start(f->http, &request, &f->error);
    assert_true(id.value != 0);
    return id;
}

static ct_http_id ask(fixture *f, const char *url) {
    return ask_for(f, url, 0);
}

static ct_http_state wait_for(fixture *f, ct_http_id id) {
    for (uint32_t i = 0; i < 4000; ++i) {
        ct_http_update(f->http);
        if (ct_http_state_of(f->http, id) != CT_HTTP_STATE_RUNNING)
            break;
        ct_os_sleep_ns(5000000);
    }
    return ct_http_state_of(f->http, id);
}

static void expect_failure(fixture *f, const char *url, const char *part) {
    const ct_http_id id = ask(f, url);
    assert_int_equal(wait_for(f, id), CT_HTTP_STATE_FAILED);
    const char *const why = ct_http_error_of(f->http, id);
    assert_null(ct_http_response_of(f->http, id));
    if (!strstr(why, part))
        fail_msg("%s: %s, not %s", url, why, part);
    assert_true(ct_http_close(f->http, id));
}

static void answers_have_sorted_headers_and_a_body(void **state) {
    (void)state;
    web_server server;
    fixture f;
    char url[256], host[256];
    start_server(&server, hello, false);
    start(&f, web_text(host, "127.0.0.1:%u", server.port), NULL, (ct_http_limits){0});
    const ct_http_id id = ask(&f, web_text(url, "http://127.0.0.1:%u/a?b#c", server.port));
    assert_int_equal(wait_for(&f, id), CT_HTTP_STATE_DONE);
    const ct_http_response *const r = ct_http_response_of(f.http, id);
    assert_int_equal(r->status, 200);
    assert_int_equal(r->body_bytes, 5);
    assert_memory_equal(r->body, "hello", 5);
    assert_int_equal(r->num_headers, 4);
    assert_string_equal(r->headers[0].name, "connection");
    assert_string_equal(r->headers[2].name, "x-a");
    assert_string_equal(r->headers[3].name, "x-b");
    assert_string_equal(r->headers[3].value, "1, 3");
    assert_non_null(strstr(server.asked, "GET /a?b HTTP/1.1\r\n"));
    assert_int_equal(ct_http_progress_of(f.http, id).received_bytes, 5);
    assert_true(ct_http_close(f.http, id));
    assert_false(ct_http_close(f.http, id));
    assert_int_equal(ct_http_state_of(f.http, id), CT_HTTP_STATE_NONE);
    assert_null(ct_http_error_of(f.http, id));
    assert_int_equal(ct_http_count(f.http), 0);
    ct_http_destroy(f.http);
    stop_server(&server);
}

static void the_player_refuses_hosts_and_addresses(void **state) {
    (void)state;
    web_server server;
    fixture f;
    char url[256], host[256];
    start_server(&server, hello, false);
    // A name that leads to this machine, which is not itself listed.
    start(&f, web_text(host, "*.my.localhost:%u", server.port), NULL, (ct_http_limits){0});
    expect_failure(&f, web_text(url, "http://127.0.0.1:%u/", server.port), "not in web.hosts");
    expect_failure(&f, web_text(url, "http://a.my.localhost:%u/", server.port), "leads to ");
    expect_failure(&f, "https://example.com/", "not in web.hosts");
    assert_int_equal(server.num_connections, 0);
    ct_http_destroy(f.http);
    stop_server(&server);
}

static void redirects_lead_to_listed_hosts_only(void **state) {
    (void)state;
    web_server server, other;
    fixture f;
    char url[256], host[256], answer[256];
    start_server(&other, hello, false);
    web_text(answer,
             "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:%u/\r\nContent-Length: 0\r\n"
             "Connection: close\r\n\r\n",
             other.port);
    start_server(&server, answer, false);
    start(&f, web_text(host, "127.0.0.1:%u", server.port), NULL, (ct_http_limits){0});
    expect_failure(&f, web_text(url, "http://127.0.0.1:%u/", server.port),
                   "redirects to another address: the host");
    assert_int_equal(other.num_connections, 0);
    ct_http_destroy(f.http);
    stop_server(&server);
    stop_server(&other);
}

static void redirects_with_odd_addresses_are_not_followed(void **state) {
    (void)state;
    static const struct {
        const char *location, *part;
    } cases[] = {
        {"http://user:pw@127.0.0.1:%u/", "user name"},
        {"http://localhost.:%u/", "ends with a dot"},
        {"http://[::1]:%u/", "the host \"[::1]:"},
        {"http://[::ffff:127.0.0.1]:%u/", "not in web.hosts"},
        {"ftp://127.0.0.1:%u/", "does not begin with http"},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        web_server server, other;
        fixture f;
        char url[256], host[256], location[256], answer[512];
        start_server(&other, hello, false);
        snprintf(answer, sizeof(answer),
                 "HTTP/1.1 302 Found\r\nLocation: %s\r\nContent-Length: 0\r\n"
                 "Connection: close\r\n\r\n",
                 web_text(location, cases[i].location, other.port));
        start_server(&server, answer, false);
        start(&f, web_text(host, "127.0.0.1:%u", server.port), NULL, (ct_http_limits){0});
        expect_failure(&f, web_text(url, "http://127.0.0.1:%u/", server.port), cases[i].part);
        assert_int_equal(other.num_connections, 0);
        ct_http_destroy(f.http);
        stop_server(&server);
        stop_server(&other);
    }
}

static void proxies_of_the_environment_are_not_asked(void **state) {
    (void)state;
    web_server server;
    fixture f;
    char url[256], host[256];
    start_server(&server, hello, false);
    char proxy[256];
    setenv("http_proxy", "http://127.0.0.1:1", 1);
    setenv("ALL_PROXY", "http://127.0.0.1:1", 1);
    setenv("https_proxy", web_text(proxy, "http://127.0.0.1:%u", server.port), 1);
    start(&f, web_text(host, "127.0.0.1:%u", server.port), NULL, (ct_http_limits){0});
    const ct_http_id id = ask(&f, web_text(url, "http://127.0.0.1:%u/", server.port));
    assert_int_equal(wait_for(&f, id), CT_HTTP_STATE_DONE);
    ct_http_destroy(f.http);
    start(&f, "127.0.0.1:1", NULL, (ct_http_limits){0});
    expect_failure(&f, "https://127.0.0.1:1/", "connect");
    assert_int_equal(server.num_connections, 1);
    unsetenv("http_proxy");
    unsetenv("ALL_PROXY");
    unsetenv("https_proxy");
    ct_http_destroy(f.http);
    stop_server(&server);
}

static void limits_end_requests(void **state) {
    (void)state;
    web_server server;
    fixture f;
    char url[256], host[256];
    start_server(&server, hello, false);
    web_text(host, "127.0.0.1:%u", server.port);
    web_text(url, "http://127.0.0.1:%u/", server.port);
    start(&f, host, NULL, (ct_http_limits){.max_response_bytes = 4});
    expect_failure(&f, url, "more than 4 bytes");
    ct_http_destroy(f.http);
    start(&f, host, NULL, (ct_http_limits){.max_header_bytes = 30});
    expect_failure(&f, url, "more than 30 bytes");
    ct_http_destroy(f.http);
    start(&f, host, NULL, (ct_http_limits){.max_response_headers = 3});
    expect_failure(&f, url, "more than 3 headers");
    ct_http_destroy(f.http);
    // Answers that are not closed count, with their headers; what is closed or fails makes room again.
    start(&f, host, NULL, (ct_http_limits){.max_held_bytes = 100});
    const ct_http_id first = ask(&f, url);
    assert_int_equal(wait_for(&f, first), CT_HTTP_STATE_DONE);
    expect_failure(&f, url, "all answers together");
    ct_http_close(f.http, first);
    assert_int_equal(wait_for(&f, ask(&f, url)), CT_HTTP_STATE_DONE);
    ct_http_destroy(f.http);
    start(&f, host, NULL, (ct_http_limits){.max_held_bytes = 100});
    const ct_http_id failed = ask_for(&f, url, 4);
    assert_int_equal(wait_for(&f, failed), CT_HTTP_STATE_FAILED);
    assert_non_null(strstr(ct_http_error_of(f.http, failed), "which is max_bytes"));
    assert_int_equal(wait_for(&f, ask(&f, url)), CT_HTTP_STATE_DONE);
    ct_http_destroy(f.http);
    stop_server(&server);
}

// Requests that wait, run and are closed, in any order, end with the client.
static void ends_with_requests_on_their_way(void **state) {
    (void)state;
    web_server server;
    fixture f;
    char url[256], host[256];
    uint32_t random = 7;
    start_server(&server, NULL, true);
    web_text(host, "127.0.0.1:%u", server.port);
    web_text(url, "http://127.0.0.1:%u/", server.port);
    for (uint32_t round = 0; round < 20; ++round) {
        ct_http_id ids[100];
        start(&f, host, "unknown.invalid", (ct_http_limits){.max_running = 4});
        for (uint32_t i = 0; i < CT_COUNT_OF(ids); ++i)
            ids[i] = ask(&f, i % 7 ? url : "http://unknown.invalid/");
        if (round % 2)
            ct_os_sleep_ns(2000000);
        for (uint32_t i = 0; i < 50; ++i)
            ct_http_close(f.http, ids[test_random(&random) % CT_COUNT_OF(ids)]);
        ct_http_update(f.http);
        ct_http_destroy(f.http);
    }
    stop_server(&server);
}

static void waiting_requests_time_out_too(void **state) {
    (void)state;
    web_server server;
    fixture f;
    char url[256], host[256];
    start_server(&server, NULL, true);
    start(&f, web_text(host, "127.0.0.1:%u", server.port), NULL,
          (ct_http_limits){.max_running = 1});
    web_text(url, "http://127.0.0.1:%u/", server.port);
    const ct_http_id first = ask(&f, url);
    const ct_http_request request = {.url = url, .timeout_seconds = 0.3};
    const ct_http_id second = ct_http_start(f.http, &request, &f.error);
    assert_int_equal(wait_for(&f, second), CT_HTTP_STATE_FAILED);
    assert_non_null(strstr(ct_http_error_of(f.http, second), "had to wait for others"));
    assert_int_equal(ct_http_state_of(f.http, first), CT_HTTP_STATE_RUNNING);
    ct_http_destroy(f.http);
    stop_server(&server);
}

static void malformed_requests_are_refused(void **state) {
    (void)state;
    fixture f;
    const ct_http_header bad[] = {{"a b", "c"}}, split[] = {{"a", "b\r\nc: d"}};
    ct_http_header many[CT_HTTP_MAX_HEADERS + 1];
    for (uint32_t i = 0; i < CT_COUNT_OF(many); ++i)
        many[i] = (ct_http_header){"a", "b"};
    const struct {
        ct_http_request request;
        const char *part;
    } cases[] = {
        {{.url = "gopher://a/"}, "does not begin with"},
        {{.url = "http://a/", .method = "TRACE"}, "the method is \"TRACE\""},
        {{.url = "http://a/", .body = "x", .body_bytes = 1}, "has no body"},
        {{.url = "http://a/",
          .method = "PUT",
          .body = "x",
          .body_bytes = UINT64_C(1) + CT_HTTP_MAX_BODY_BYTES},
         "the body has 67108865 bytes"},
        {{.url = "http://a/", .timeout_seconds = -1}, "the timeout is -1"},
        {{.url = "http://a/", .timeout_seconds = 4000}, "the timeout is 4000"},
        {{.url = "http://a/", .headers = bad, .num_headers = 1}, "in its name"},
        {{.url = "http://a/", .headers = split, .num_headers = 1}, "in its value"},
        {{.url = "http://a/", .headers = many, .num_headers = CT_COUNT_OF(many)}, "65 headers"},
    };
    start(&f, "a", NULL, (ct_http_limits){0});
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        assert_int_equal(ct_http_start(f.http, &cases[i].request, &f.error).value, 0);
        if (!strstr(f.error.message, cases[i].part))
            fail_msg("%u: %s", i, f.error.message);
    }
    assert_int_equal(ct_http_count(f.http), 0);
    ct_http_destroy(f.http);
    ct_http_destroy(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_have_sorted_headers_and_a_body),
        cmocka_unit_test(the_player_refuses_hosts_and_addresses),
        cmocka_unit_test(redirects_lead_to_listed_hosts_only),
        cmocka_unit_test(redirects_with_odd_addresses_are_not_followed),
        cmocka_unit_test(proxies_of_the_environment_are_not_asked),
        cmocka_unit_test(limits_end_requests),
        cmocka_unit_test(ends_with_requests_on_their_way),
        cmocka_unit_test(waiting_requests_time_out_too),
        cmocka_unit_test(malformed_requests_are_refused),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
