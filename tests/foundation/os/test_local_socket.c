#include "support/test_support.h"

#include <string.h>

#include "foundation/error.h"
#include "foundation/os/local_socket.h"
#include "foundation/os/os.h"

static const uint64_t second_ns = 1000000000;

static void peeking_takes_nothing(void **state) {
    (void)state;
    int pair[2];
    char got[8] = {0};
    ct_error error = {0};
    assert_true(ct_socket_pair(pair, &error));
    assert_int_equal(ct_socket_peek(pair[1], got, sizeof(got)), 0);
    assert_int_equal(ct_socket_receive(pair[1], got, sizeof(got)), 0); // it does not block
    assert_int_equal(ct_socket_send(pair[0], "GET ", 4), 4);
    assert_int_equal(ct_socket_peek(pair[1], got, 2), 2);
    assert_int_equal(ct_socket_peek(pair[1], got, sizeof(got)), 4);
    assert_int_equal(ct_socket_receive(pair[1], got, sizeof(got)), 4);
    assert_string_equal(got, "GET ");
    ct_socket_close(pair[0]);
    assert_int_equal(ct_socket_peek(pair[1], got, sizeof(got)), -1);
    ct_socket_close(pair[1]);
}

static void a_duplicate_is_the_same_socket(void **state) {
    (void)state;
    int pair[2];
    char got[8] = {0};
    ct_error error = {0};
    assert_true(ct_socket_pair(pair, &error));
    const int second = ct_socket_duplicate(pair[0]);
    assert_true(second >= 0 && second != pair[0]);
    ct_socket_close(pair[0]);
    assert_int_equal(ct_socket_send(second, "ab", 2), 2);
    assert_int_equal(ct_socket_receive(pair[1], got, sizeof(got)), 2);
    ct_socket_close(second);
    ct_socket_close(pair[1]);
}

static void a_connection_knows_where_it_arrived(void **state) {
    (void)state;
    uint16_t port = 0;
    int pair[2];
    ct_address address;
    ct_error error = {0};
    char text[CT_ADDRESS_TEXT_BYTES];
    const int listener = ct_socket_listen(0, 1, &port, &error);
    assert_true(listener >= 0);
    const int client = ct_socket_connect("127.0.0.1", port, second_ns, &error);
    assert_true(client >= 0);
    assert_true(ct_socket_local_address(client, &address));
    assert_string_equal(ct_address_print(&address, text), "127.0.0.1");
    assert_true(ct_socket_pair(pair, &error));
    assert_false(ct_socket_local_address(pair[0], &address));
    ct_socket_close(pair[0]);
    ct_socket_close(pair[1]);
    ct_socket_close(client);
    ct_socket_close(listener);
}

static void listeners_belong_to_users(void **state) {
    (void)state;
    uint16_t port = 0;
    ct_error error = {0};
    const int listener = ct_socket_listen(0, 1, &port, &error);
    assert_true(listener >= 0);
    assert_true(ct_socket_is_listener_of(NULL, port, ct_os_user()));
    assert_false(ct_socket_is_listener_of(NULL, port, ct_os_user() + 1));
    ct_socket_close(listener);
    assert_false(ct_socket_is_listener_of(NULL, port, ct_os_user()));
}

static bool is_listened_at(const char *text, uint16_t port) {
    ct_address address;
    assert_true(ct_address_parse(text, &address));
    return ct_socket_is_listener_of(&address, port, ct_os_user());
}

static void listeners_hear_their_own_address(void **state) {
    (void)state;
    uint16_t port = 0;
    ct_error error = {0};
    const int one = ct_socket_listen(0, 1, &port, &error);
    assert_true(one >= 0);
    assert_true(is_listened_at("127.0.0.1", port));
    assert_false(is_listened_at("127.0.0.2", port));
    assert_false(is_listened_at("::1", port));
    ct_socket_close(one);
    const int all = ct_socket_listen_at("0.0.0.0", 0, &port, &error);
    assert_true(all >= 0);
    assert_true(is_listened_at("127.0.0.2", port));
    assert_false(is_listened_at("::1", port));
    ct_socket_close(all);
    const int both = ct_socket_listen_at("::", 0, &port, &error);
    if (both < 0)
        skip(); // a machine without IPv6
    assert_true(is_listened_at("127.0.0.1", port));
    assert_true(is_listened_at("::1", port));
    ct_socket_close(both);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(peeking_takes_nothing),
        cmocka_unit_test(a_duplicate_is_the_same_socket),
        cmocka_unit_test(a_connection_knows_where_it_arrived),
        cmocka_unit_test(listeners_belong_to_users),
        cmocka_unit_test(listeners_hear_their_own_address),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
