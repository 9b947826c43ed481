// Connections whose name takes long to look up. The function of the system is replaced for this program.
#include "web/web_server.h"

#include <netdb.h>
#include <netinet/in.h>
#include <stdlib.h>

#include "web/websocket/websocket_client.h"

static _Atomic uint32_t num_asked, num_answered;
static _Atomic bool is_released;

// Makes an entry of a list as one block, as freeaddrinfo frees it.
static struct addrinfo *make_address(in_addr_t address, struct addrinfo *next) {
    struct {
        struct addrinfo info;
        struct sockaddr_in address;
    } *const both = calloc(1, sizeof(*both));
    both->address.sin_family = AF_INET;
    both->address.sin_addr.s_addr = htonl(address);
    both->info.ai_family = AF_INET;
    both->info.ai_socktype = SOCK_STREAM;
    both->info.ai_addr = (struct sockaddr *)&both->address;
    both->info.ai_addrlen = sizeof(both->address);
    both->info.ai_next = next;
    return &both->info;
}

int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints,
                struct addrinfo **found) {
    (void)service, (void)hints;
    *found = NULL;
    if (strcmp(name, "slow.example") != 0) {
        *found = make_address(INADDR_LOOPBACK, NULL);
        if (strcmp(name, "two.example") == 0) // no socket connects to the first
            *found = make_address(INADDR_BROADCAST, *found);
        return 0;
    }
    ++num_asked;
    while (!is_released)
        ct_os_sleep_ns(1000000);
    ++num_answered;
    return EAI_NONAME;
}

static ct_websockets *start(const ct_web_rules *rules) {
    num_asked = num_answered = 0;
    is_released = false;
    return ct_websockets_create(&(ct_websockets_desc){.allocator = test_heap(), .rules = rules});
}

static ct_websocket_id connect_to(ct_websockets *w, double timeout_seconds) {
    const ct_websocket_request request = {.url = "ws://slow.example/",
                                          .timeout_seconds = timeout_seconds};
    ct_websocket_id forgotten;
    ct_error error;
    const ct_websocket_id id = ct_websocket_open(w, &request, &forgotten, &error);
    assert_true(id.value != 0);
    for (uint32_t i = 0; i < 10000 && num_asked == 0; ++i)
        ct_os_sleep_ns(1000000);
    assert_int_equal(num_asked, 1);
    return id;
}

static ct_websocket_info wait_until_closed(ct_websockets *w, ct_websocket_id id) {
    for (uint32_t i = 0; i < 1000; ++i) {
        ct_websockets_update(w);
        if (ct_websocket_info_of(w, id).state == CT_WEBSOCKET_STATE_CLOSED)
            break;
        ct_os_sleep_ns(5000000);
    }
    return ct_websocket_info_of(w, id);
}

// Lets the system answer: what is called then for a link that is gone, a sanitizer sees.
static void release(void) {
    is_released = true;
    for (uint32_t i = 0; i < 2000 && num_answered < num_asked; ++i)
        ct_os_sleep_ns(1000000);
    ct_os_sleep_ns(50000000);
}

static void the_answer_comes_after_the_time_is_over(void **state) {
    (void)state;
    ct_web_rules rules;
    ct_web_rules_init(&rules, &(const char *){"slow.example"}, 1, true);
    ct_websockets *const w = start(&rules);
    const ct_websocket_info info = wait_until_closed(w, connect_to(w, 1));
    assert_int_equal(info.state, CT_WEBSOCKET_STATE_CLOSED);
    assert_non_null(strstr(info.error, "no connection within 1 s"));
    ct_websockets_destroy(w);
    release();
}

static void the_answer_comes_after_the_game_has_closed(void **state) {
    (void)state;
    ct_web_rules rules;
    ct_web_rules_init(&rules, &(const char *){"slow.example"}, 1, true);
    ct_websockets *const w = start(&rules);
    const ct_websocket_id id = connect_to(w, 20);
    ct_websocket_close(w, id, 1000, "");
    const ct_websocket_info info = wait_until_closed(w, id);
    assert_int_equal(info.state, CT_WEBSOCKET_STATE_CLOSED);
    assert_null(info.error);
    ct_websockets_destroy(w);
    release();
}

static void ends_at_once_while_a_name_is_looked_up(void **state) {
    (void)state;
    ct_web_rules rules;
    ct_web_rules_init(&rules, &(const char *){"slow.example"}, 1, true);
    ct_websockets *const w = start(&rules);
    connect_to(w, 20);
    const uint64_t begin = ct_os_time_ns();
    ct_websockets_destroy(w);
    assert_true(ct_os_time_ns() - begin < UINT64_C(2000000000));
    release();
}

static ct_websocket_id open_path(ct_websockets *w, const char *host, uint32_t path_bytes,
                                 uint16_t port, ct_error *error) {
    char url[4096];
    const int start = snprintf(url, sizeof(url), "ws://%s:%u/", host, port);
    memset(url + start, 'a', path_bytes - 1);
    url[(uint32_t)start + path_bytes - 1] = '\0';
    const ct_websocket_request request = {.url = url, .timeout_seconds = 10};
    ct_websocket_id forgotten;
    return ct_websocket_open(w, &request, &forgotten, error);
}

// What is asked is whole, or refused.
static void long_paths_and_hosts_are_asked_whole(void **state) {
    (void)state;
    web_server server;
    ct_web_rules rules;
    ct_error error = {0};
    char host[256], line[300];
    start_server(&server, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", false);
    ct_web_rules_init(&rules, NULL, 0, false);
    ct_websockets *const w = start(&rules);
    memset(host, 'a', 80);
    host[40] = '.';
    snprintf(host + 80, sizeof(host) - 80, ".aaaaaaaaaaa.example");
    assert_int_equal(strlen(host), CT_WEBSOCKET_MAX_HOST_BYTES);
    const ct_websocket_id id = open_path(w, host, CT_WEBSOCKET_MAX_PATH_BYTES, server.port, &error);
    assert_true(id.value != 0);
    const ct_websocket_info info = wait_until_closed(w, id);
    assert_int_equal(info.state, CT_WEBSOCKET_STATE_CLOSED);
    if (!strstr(server.asked, "aaa HTTP/1.1\r\n"))
        fail_msg("%s: %s", info.error, server.asked);
    assert_int_equal(strcspn(server.asked, "\r"), 4 + CT_WEBSOCKET_MAX_PATH_BYTES + 9);
    snprintf(line, sizeof(line), "\r\nHost: %s:%u\r\n", host, server.port);
    assert_non_null(strstr(server.asked, line));
    assert_int_equal(open_path(w, "a", CT_WEBSOCKET_MAX_PATH_BYTES + 1, 80, &error).value, 0);
    assert_non_null(strstr(error.message, "the path has 2001 bytes; expected at most 2000"));
    snprintf(host + 80, sizeof(host) - 80, ".aaaaaaaaaaaa.example");
    assert_int_equal(open_path(w, host, 10, 80, &error).value, 0);
    assert_non_null(strstr(error.message, "the host has 101 bytes"));
    ct_websockets_destroy(w);
    stop_server(&server);
}

static void the_next_address_is_tried_when_a_connect_fails_at_once(void **state) {
    (void)state;
    web_server server;
    ct_web_rules rules;
    ct_error error = {0};
    start_server(&server, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", false);
    ct_web_rules_init(&rules, NULL, 0, false);
    ct_websockets *const w = start(&rules);
    wait_until_closed(w, open_path(w, "two.example", 1, server.port, &error));
    assert_int_equal(server.num_connections, 1);
    const ct_websocket_info info =
        wait_until_closed(w, open_path(w, "255.255.255.255", 1, 1, &error));
    assert_int_equal(info.state, CT_WEBSOCKET_STATE_CLOSED);
    assert_non_null(strstr(info.error, "cannot connect to 255.255.255.255"));
    ct_websockets_destroy(w);
    stop_server(&server);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        // First, for the libraries take their time to start.
        cmocka_unit_test(the_answer_comes_after_the_game_has_closed),
        cmocka_unit_test(the_answer_comes_after_the_time_is_over),
        cmocka_unit_test(long_paths_and_hosts_are_asked_whole),
        cmocka_unit_test(the_next_address_is_tried_when_a_connect_fails_at_once),
        cmocka_unit_test(ends_at_once_while_a_name_is_looked_up),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
