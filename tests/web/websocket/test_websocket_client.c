// The protocol itself is tested with servers in tests/test_websocket.py.
#include "web/web_server.h"

#include <stdlib.h>

#include "web/websocket/websocket_client.h"

typedef struct fixture {
    ct_web_rules rules;
    ct_websockets *sockets;
    ct_websocket_id forgotten;
    ct_error error;
} fixture;

static void start(fixture *f, const char *host) {
    ct_web_rules_init(&f->rules, &host, host ? 1 : 0, true);
    f->sockets =
        ct_websockets_create(&(ct_websockets_desc){.allocator = test_heap(), .rules = &f->rules});
    f->error = (ct_error){0};
}

static ct_websocket_id connect_to(fixture *f, const char *url) {
    const ct_websocket_request request = {.url = url, .timeout_seconds = 10};
    const ct_websocket_id id = ct_websocket_open(f->sockets, &request, &f->forgotten, &f->error);
    assert_true(id.value != 0);
    return id;
}

static ct_websocket_info wait_until_closed(fixture *f, ct_websocket_id id) {
    for (uint32_t i = 0; i < 4000; ++i) {
        ct_websockets_update(f->sockets);
        if (ct_websocket_info_of(f->sockets, id).state == CT_WEBSOCKET_STATE_CLOSED)
            break;
        ct_os_sleep_ns(5000000);
    }
    return ct_websocket_info_of(f->sockets, id);
}

static void expect_failure(fixture *f, const char *url, const char *part) {
    const ct_websocket_info info = wait_until_closed(f, connect_to(f, url));
    assert_int_equal(info.state, CT_WEBSOCKET_STATE_CLOSED);
    assert_int_equal(info.close_code, 1006);
    if (!info.error || !strstr(info.error, part))
        fail_msg("%s: %s, not %s", url, info.error ? info.error : "no error", part);
}

static void the_player_refuses_hosts_and_addresses(void **state) {
    (void)state;
    web_server server;
    fixture f;
    char url[256], host[256];
    start_server(&server, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", false);
    // A host that leads to this machine, which is not itself listed.
    start(&f, web_text(host, "127.1:%u", server.port));
    expect_failure(&f, web_text(url, "ws://127.0.0.1:%u/", server.port), "not in web.hosts");
    expect_failure(&f, web_text(url, "ws://127.1:%u/", server.port), "leads to 127.0.0.1");
    assert_int_equal(server.num_connections, 0);
    ct_websockets_destroy(f.sockets);
    // And proxies are not asked.
    setenv("http_proxy", "127.0.0.1:1", 1);
    start(&f, web_text(host, "127.0.0.1:%u", server.port));
    expect_failure(&f, web_text(url, "ws://127.0.0.1:%u/x", server.port), "upgrade response");
    assert_int_equal(server.num_connections, 1);
    assert_non_null(strstr(server.asked, "GET /x HTTP/1.1\r\n"));
    unsetenv("http_proxy");
    ct_websockets_destroy(f.sockets);
    stop_server(&server);
}

static void malformed_requests_are_refused(void **state) {
    (void)state;
    fixture f;
    const ct_websocket_header split[] = {{"a", "b\r\nc: d"}}, own[] = {{"Sec-WebSocket-Key", "x"}};
    const struct {
        ct_websocket_request request;
        const char *part;
    } cases[] = {
        {{.url = "http://a/"}, "does not begin with ws:// or wss://"},
        {{.url = "ws://a/", .protocols = "a b"}, "the protocols are"},
        {{.url = "ws://a/", .protocols = "a,"}, "the protocols are"},
        {{.url = "ws://a/", .protocols = ""}, "the protocols are"},
        {{.url = "ws://a/", .headers = split, .num_headers = 1}, "in its value"},
        {{.url = "ws://a/", .headers = own, .num_headers = 1}, "set by the engine"},
    };
    start(&f, "a");
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        assert_int_equal(
            ct_websocket_open(f.sockets, &cases[i].request, &f.forgotten, &f.error).value, 0);
        if (!strstr(f.error.message, cases[i].part))
            fail_msg("%u: %s", i, f.error.message);
    }
    ct_websockets_destroy(f.sockets);
    ct_websockets_destroy(NULL);
}

static void closing_while_connecting_ends_at_once(void **state) {
    (void)state;
    web_server server;
    fixture f;
    char url[256], host[256];
    start_server(&server, NULL, true);
    start(&f, web_text(host, "127.0.0.1:%u", server.port));
    const ct_websocket_id id = connect_to(&f, web_text(url, "ws://127.0.0.1:%u/", server.port));
    assert_true(ct_websocket_send(f.sockets, id, CT_WEBSOCKET_TYPE_TEXT, "a", 1));
    ct_os_sleep_ns(30000000);
    ct_websocket_close(f.sockets, id, 1000, "");
    assert_int_equal(ct_websocket_info_of(f.sockets, id).state, CT_WEBSOCKET_STATE_CLOSING);
    assert_false(ct_websocket_send(f.sockets, id, CT_WEBSOCKET_TYPE_TEXT, "a", 1));
    const uint64_t begin = ct_os_time_ns();
    const ct_websocket_info info = wait_until_closed(&f, id);
    assert_int_equal(info.state, CT_WEBSOCKET_STATE_CLOSED);
    assert_null(info.error);
    assert_true(ct_os_time_ns() - begin < UINT64_C(3000000000));
    assert_null(ct_websocket_poll(f.sockets, id));
    ct_websockets_destroy(f.sockets);
    stop_server(&server);
}

static void what_waits_on_all_connections_has_a_limit(void **state) {
    (void)state;
    web_server server;
    fixture f;
    char url[256], host[256];
    start_server(&server, NULL, true);
    start(&f, web_text(host, "127.0.0.1:%u", server.port));
    ct_websockets_destroy(f.sockets);
    f.sockets = ct_websockets_create(&(ct_websockets_desc){
        .allocator = test_heap(), .rules = &f.rules, .limits = {.max_all_unsent_bytes = 10}});
    web_text(url, "ws://127.0.0.1:%u/", server.port);
    const ct_websocket_id first = connect_to(&f, url), second = connect_to(&f, url);
    assert_true(ct_websocket_send(f.sockets, first, CT_WEBSOCKET_TYPE_TEXT, "123456", 6));
    assert_false(ct_websocket_send(f.sockets, second, CT_WEBSOCKET_TYPE_TEXT, "12345", 5));
    assert_true(ct_websocket_send(f.sockets, second, CT_WEBSOCKET_TYPE_TEXT, "1234", 4));
    ct_websocket_close(f.sockets, first, 1000, "");
    wait_until_closed(&f, first);
    assert_true(ct_websocket_send(f.sockets, second, CT_WEBSOCKET_TYPE_TEXT, "123456", 6));
    assert_false(ct_websocket_send(f.sockets, second, CT_WEBSOCKET_TYPE_TEXT, "1", 1));
    ct_websockets_destroy(f.sockets);
    stop_server(&server);
}

static void ends_with_connections_on_their_way(void **state) {
    (void)state;
    web_server server;
    fixture f;
    char url[256], host[256];
    start_server(&server, NULL, true);
    web_text(url, "ws://127.0.0.1:%u/", server.port);
    web_text(host, "127.0.0.1:%u", server.port);
    for (uint32_t round = 0; round < 10; ++round) {
        start(&f, host);
        for (uint32_t i = 0; i < 20; ++i) {
            const ct_websocket_id id = connect_to(&f, url);
            ct_websocket_send(f.sockets, id, CT_WEBSOCKET_TYPE_BINARY, "abc", 3);
            if (i % 3 == 0)
                ct_websocket_close(f.sockets, id, 1000, "bye");
        }
        ct_os_sleep_ns(round * 3000000);
        ct_websockets_update(f.sockets);
        ct_websockets_destroy(f.sockets);
    }
    stop_server(&server);
}

static void stale_ids_are_unknown(void **state) {
    (void)state;
    fixture f;
    start(&f, NULL);
    const ct_websocket_id first = connect_to(&f, "ws://a/");
    ct_websocket_id last = first;
    for (uint32_t i = 1; i < CT_WEBSOCKET_MAX_CONNECTIONS; ++i)
        last = connect_to(&f, "ws://a/");
    assert_int_equal(f.forgotten.value, 0);
    connect_to(&f, "ws://a/");
    assert_true(f.forgotten.value == first.value);
    assert_int_equal(ct_websocket_info_of(f.sockets, first).state, CT_WEBSOCKET_STATE_NONE);
    assert_int_equal(ct_websocket_info_of(f.sockets, last).state, CT_WEBSOCKET_STATE_CLOSED);
    assert_false(ct_websocket_send(f.sockets, first, CT_WEBSOCKET_TYPE_TEXT, "a", 1));
    assert_null(ct_websocket_poll(f.sockets, first));
    ct_websocket_close(f.sockets, first, 1000, "");
    ct_websockets_destroy(f.sockets);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_player_refuses_hosts_and_addresses),
        cmocka_unit_test(malformed_requests_are_refused),
        cmocka_unit_test(closing_while_connecting_ends_at_once),
        cmocka_unit_test(what_waits_on_all_connections_has_a_limit),
        cmocka_unit_test(ends_with_connections_on_their_way),
        cmocka_unit_test(stale_ids_are_unknown),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
