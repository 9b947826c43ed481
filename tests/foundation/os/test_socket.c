#include "foundation/error.h"
#include "foundation/os/os.h"
#include "support/test_support.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

static const uint64_t second_ns = 1000000000;

typedef struct connection {
    int listener, server, client;
    uint16_t port;
} connection;

static int accept_waiting(int listener) {
    bool readable = false;
    assert_int_equal(ct_socket_wait(&listener, 1, &readable, 5 * second_ns), 1);
    assert_true(readable);
    return ct_socket_accept(listener);
}

static connection connect_both(void) {
    connection c = {0};
    ct_error error = {0};
    c.listener = ct_socket_listen(0, 1, &c.port, &error);
    assert_true(c.listener >= 0);
    assert_int_not_equal(c.port, 0);
    assert_int_equal(ct_socket_accept(c.listener), -1); // nobody waits
    c.client = ct_socket_connect("127.0.0.1", c.port, second_ns, &error);
    assert_true(c.client >= 0);
    c.server = accept_waiting(c.listener);
    assert_true(c.server >= 0);
    return c;
}

static void disconnect(const connection *c) {
    ct_socket_close(c->listener);
    ct_socket_close(c->server);
    ct_socket_close(c->client);
}

static void expect_text(int socket, const char *text) {
    bool readable = false;
    char got[64] = {0};
    assert_int_equal(ct_socket_wait(&socket, 1, &readable, 5 * second_ns), 1);
    assert_int_equal(ct_socket_receive(socket, got, sizeof(got) - 1), strlen(text));
    assert_string_equal(got, text);
}

static void bytes_go_both_ways(void **state) {
    (void)state;
    const connection c = connect_both();
    assert_int_equal(ct_socket_send(c.client, "ping", 4), 4);
    expect_text(c.server, "ping");
    assert_int_equal(ct_socket_send(c.server, "pong", 4), 4);
    expect_text(c.client, "pong");
    disconnect(&c);
}

static void the_user_of_the_other_end_is_known(void **state) {
    (void)state;
    const connection c = connect_both();
    uint32_t user = ~0u;
    ct_error error = {0};
    assert_true(ct_socket_peer_user(c.server, &user, &error));
    assert_int_equal(user, ct_os_user());
    assert_true(ct_socket_peer_user(c.client, &user, &error));
    assert_int_equal(user, ct_os_user());
    disconnect(&c);
}

// Clients in other languages often use such sockets.
static void the_user_of_a_socket_for_both_protocols_is_known(void **state) {
    (void)state;
    connection c = {0};
    ct_error error = {0};
    c.listener = ct_socket_listen(0, 1, &c.port, &error);
    assert_true(c.listener >= 0);
    const int client = socket(AF_INET6, SOCK_STREAM, 0);
    if (client < 0)
        skip(); // a machine without IPv6
    struct sockaddr_in6 address = {.sin6_family = AF_INET6, .sin6_port = htons(c.port)};
    assert_int_equal(inet_pton(AF_INET6, "::ffff:127.0.0.1", &address.sin6_addr), 1);
    assert_int_equal(connect(client, (const struct sockaddr *)&address, sizeof(address)), 0);
    c.client = client;
    c.server = accept_waiting(c.listener);
    uint32_t user = ~0u;
    assert_true(ct_socket_peer_user(c.server, &user, &error));
    assert_int_equal(user, ct_os_user());
    disconnect(&c);
}

// What the system keeps of a closed one says that it is root's.
static void nobody_is_the_user_of_an_end_that_is_closed(void **state) {
    (void)state;
    const connection c = connect_both();
    ct_socket_close(c.client);
    uint32_t user = 7;
    ct_error error = {0};
    assert_false(ct_socket_peer_user(c.server, &user, &error));
    assert_int_equal(user, 7);
    assert_non_null(strstr(error.message, "is closed, or not on this machine"));
    ct_socket_close(c.listener);
    ct_socket_close(c.server);
}

static void host_names_are_found(void **state) {
    (void)state;
    uint16_t port = 0;
    const int listener = ct_socket_listen(0, 1, &port, NULL);
    const int client = ct_socket_connect("localhost", port, second_ns, NULL);
    assert_true(client >= 0);
    ct_socket_close(client);
    ct_socket_close(listener);
}

static void non_blocking_receive_returns_0(void **state) {
    (void)state;
    const connection c = connect_both();
    char byte = 0;
    assert_int_equal(ct_socket_receive(c.server, &byte, 1), 0);
    ct_socket_set_blocking(c.client, false);
    assert_int_equal(ct_socket_receive(c.client, &byte, 1), 0);
    disconnect(&c);
}

static void full_buffers_make_send_return_0(void **state) {
    (void)state;
    const connection c = connect_both();
    static char bytes[1 << 20];
    int64_t sent = 1;
    for (uint32_t i = 0; i < 1000 && sent > 0; ++i)
        sent = ct_socket_send(c.server, bytes, sizeof(bytes));
    assert_int_equal(sent, 0);
    disconnect(&c);
}

static void closed_connection_ends_both_directions(void **state) {
    (void)state;
    connection c = connect_both();
    ct_socket_close(c.client);
    bool readable = false;
    assert_int_equal(ct_socket_wait(&c.server, 1, &readable, 5 * second_ns), 1);
    char byte = 0;
    assert_int_equal(ct_socket_receive(c.server, &byte, 1), -1);
    // The first send after the end may still go; none raises SIGPIPE.
    int64_t sent = 0;
    for (uint32_t i = 0; i < 100 && sent >= 0; ++i) {
        sent = ct_socket_send(c.server, "x", 1);
        ct_os_sleep_ns(1000000);
    }
    assert_int_equal(sent, -1);
    ct_socket_close(c.server);
    ct_socket_close(c.listener);
}

static void wait_tells_which_socket_is_readable(void **state) {
    (void)state;
    const connection a = connect_both(), b = connect_both();
    const int sockets[] = {a.server, -1, b.server};
    bool readable[3] = {true, true, true};
    const uint64_t start = ct_os_time_ns();
    assert_int_equal(ct_socket_wait(sockets, 3, readable, second_ns / 50), 0);
    assert_true(ct_os_time_ns() - start >= second_ns / 50);
    assert_false(readable[0] || readable[1] || readable[2]);
    ct_socket_send(b.client, "x", 1);
    assert_int_equal(ct_socket_wait(sockets, 3, readable, 5 * second_ns), 1);
    assert_false(readable[0] || readable[1]);
    assert_true(readable[2]);
    disconnect(&a);
    disconnect(&b);
}

static void refused_connection_is_an_error(void **state) {
    (void)state;
    uint16_t port = 0;
    ct_socket_close(ct_socket_listen(0, 1, &port, NULL)); // a port that nobody listens at
    ct_error error = {0};
    assert_int_equal(ct_socket_connect("127.0.0.1", port, second_ns, &error), -1);
    char expected[128];
    snprintf(expected, sizeof(expected), "cannot connect to 127.0.0.1:%u: Connection refused",
             port);
    assert_string_equal(error.message, expected);
}

static void unknown_host_is_an_error(void **state) {
    (void)state;
    ct_error error = {0};
    assert_int_equal(ct_socket_connect("no host has spaces", 1, second_ns, &error), -1);
    assert_non_null(strstr(error.message, "cannot connect to no host has spaces:1: "));
}

static void listens_at_the_next_free_port(void **state) {
    (void)state;
    uint16_t first = 0, next = 0;
    ct_error error = {0};
    const int listener = ct_socket_listen(0, 1, &first, &error);
    const int other = ct_socket_listen(first, 20, &next, &error);
    assert_true(other >= 0);
    assert_in_range(next, first + 1, first + 19);
    assert_int_equal(ct_socket_listen(first, 1, &next, &error), -1);
    char expected[128];
    snprintf(expected, sizeof(expected),
             "cannot listen at 127.0.0.1, ports %u to %u: Address already in use", first, first);
    assert_string_equal(error.message, expected);
    ct_socket_close(other);
    ct_socket_close(listener);
}

static void last_port_is_not_passed(void **state) {
    (void)state;
    uint16_t port = 0;
    const int listener = ct_socket_listen(65535, 1, &port, NULL);
    ct_error error = {0};
    assert_int_equal(ct_socket_listen(65535, 10, &port, &error), -1);
    assert_non_null(strstr(error.message, "Address already in use"));
    if (listener >= 0) // else another program has it
        ct_socket_close(listener);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_go_both_ways),
        cmocka_unit_test(the_user_of_the_other_end_is_known),
        cmocka_unit_test(the_user_of_a_socket_for_both_protocols_is_known),
        cmocka_unit_test(nobody_is_the_user_of_an_end_that_is_closed),
        cmocka_unit_test(host_names_are_found),
        cmocka_unit_test(non_blocking_receive_returns_0),
        cmocka_unit_test(full_buffers_make_send_return_0),
        cmocka_unit_test(closed_connection_ends_both_directions),
        cmocka_unit_test(wait_tells_which_socket_is_readable),
        cmocka_unit_test(refused_connection_is_an_error),
        cmocka_unit_test(unknown_host_is_an_error),
        cmocka_unit_test(listens_at_the_next_free_port),
        cmocka_unit_test(last_port_is_not_passed),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
