#include "foundation/error.h"
#include "foundation/os/datagram.h"
#include "foundation/os/os.h"
#include "support/test_support.h"

#include <stdio.h>
#include <string.h>

static const uint64_t second_ns = 1000000000;
static const ct_datagram_desc loopback = {.address = {.ip = CT_DATAGRAM_IP_LOOPBACK}};

static int open_at(const ct_datagram_desc *desc, ct_datagram_address *bound) {
    ct_error error = {0};
    const int opened = ct_datagram_open(desc, bound, &error);
    assert_true(opened >= 0);
    return opened;
}

static int64_t receive_within_a_second(int socket, ct_datagram_address *from, void *bytes,
                                       uint32_t capacity) {
    bool readable = false;
    ct_socket_wait(&socket, 1, &readable, second_ns);
    return ct_datagram_receive(socket, from, bytes, capacity);
}

static void datagrams_arrive_whole(void **state) {
    (void)state;
    ct_datagram_address at_a, at_b, from;
    const int a = open_at(&loopback, &at_a), b = open_at(&loopback, &at_b);
    assert_int_equal(at_a.ip, CT_DATAGRAM_IP_LOOPBACK);
    assert_int_not_equal(at_a.port, 0);
    assert_true(ct_datagram_address_equal(ct_datagram_bound(a), at_a));
    char bytes[32];
    assert_int_equal(ct_datagram_receive(b, &from, bytes, sizeof(bytes)), -1);
    assert_true(ct_datagram_send(a, &at_b, "one", 3));
    assert_true(ct_datagram_send(a, &at_b, "", 0));
    assert_true(ct_datagram_send(a, &at_b, "a longer one", 12));
    assert_int_equal(receive_within_a_second(b, &from, bytes, sizeof(bytes)), 3);
    assert_memory_equal(bytes, "one", 3);
    assert_true(ct_datagram_address_equal(from, at_a));
    assert_int_equal(receive_within_a_second(b, &from, bytes, sizeof(bytes)), 0);
    assert_int_equal(receive_within_a_second(b, &from, bytes, 4), 12); // its rest is lost
    assert_memory_equal(bytes, "a lo", 4);
    assert_int_equal(ct_datagram_receive(b, &from, bytes, sizeof(bytes)), -1);
    ct_socket_close(a);
    ct_socket_close(b);
}

static void what_nobody_receives_is_no_error(void **state) {
    (void)state;
    ct_datagram_address at_a, at_b, from;
    const int a = open_at(&loopback, &at_a);
    int b = open_at(&loopback, &at_b);
    ct_socket_close(b);
    ct_datagram_send(a, &at_b, "lost", 4);
    ct_datagram_send(a, &at_b, "lost", 4);
    b = open_at(&loopback, &at_b);
    assert_true(ct_datagram_send(b, &at_a, "here", 4));
    char bytes[8];
    assert_int_equal(receive_within_a_second(a, &from, bytes, sizeof(bytes)), 4);
    ct_socket_close(a);
    ct_socket_close(b);
}

static void taken_ports_are_errors(void **state) {
    (void)state;
    ct_datagram_desc desc = loopback;
    const int a = open_at(&desc, &desc.address);
    ct_error error = {0};
    char expected[128];
    assert_int_equal(ct_datagram_open(&desc, NULL, &error), -1);
    snprintf(expected, sizeof(expected),
             "cannot open a UDP socket at 127.0.0.1:%u: Address already in use", desc.address.port);
    assert_string_equal(error.message, expected);
    ct_socket_close(a);
    desc.is_shared = true;
    const int b = open_at(&desc, NULL), c = open_at(&desc, NULL);
    ct_socket_close(b);
    ct_socket_close(c);
}

static void broadcasts_must_be_asked_for(void **state) {
    (void)state;
    const ct_datagram_address everyone = {.ip = CT_DATAGRAM_IP_BROADCAST, .port = 4123};
    const int a = open_at(&loopback, NULL);
    assert_false(ct_datagram_send(a, &everyone, "x", 1)); // not allowed
    ct_socket_close(a);
    // The whole of 127/8 is this machine's; its broadcast address is heard by sockets at any address.
    ct_datagram_desc desc = {.can_broadcast = true};
    ct_datagram_address at, from;
    const int b = open_at(&desc, &at);
    const ct_datagram_address all_here = {.ip = 0x7fffffff, .port = at.port};
    assert_true(ct_datagram_send(b, &all_here, "who is there", 12));
    char bytes[32];
    assert_int_equal(receive_within_a_second(b, &from, bytes, sizeof(bytes)), 12);
    ct_socket_close(b);
}

static void addresses_are_read_and_printed(void **state) {
    (void)state;
    ct_datagram_address address = {0};
    ct_error error = {0};
    char text[CT_DATAGRAM_ADDRESS_BYTES];
    assert_true(ct_datagram_address_parse("10.0.0.2:4000", 0, &address, &error));
    assert_int_equal(address.ip, 0x0a000002);
    assert_int_equal(address.port, 4000);
    assert_true(ct_datagram_address_parse("255.255.255.255:65535", 1, &address, &error));
    assert_string_equal(ct_datagram_address_print(&address, text), "255.255.255.255:65535");
    assert_true(ct_datagram_address_parse("0.0.0.0", 7, &address, &error));
    assert_string_equal(ct_datagram_address_print(&address, text), "0.0.0.0:7");
}

static void expect_refused(const char *text, const char *message) {
    ct_datagram_address address = {.ip = 5, .port = 6};
    ct_error error = {0};
    assert_false(ct_datagram_address_parse(text, 0, &address, &error));
    assert_string_equal(error.message, message);
    assert_true(address.ip == 5 && address.port == 6);
}

static void other_texts_are_refused(void **state) {
    (void)state;
    expect_refused("10.0.0.2", "\"10.0.0.2\" has no port: write one after a colon, such as "
                               "10.0.0.2:4000");
    expect_refused("10.0.0.2:",
                   "\"10.0.0.2:\" has no valid port: write 1 to 65535 after the colon");
    const char *const ports[] = {"1.2.3.4:0",           "1.2.3.4:65536", "1.2.3.4:07",
                                 "1.2.3.4:99999999999", "1.2.3.4:5x",    "1.2.3.4:-5"};
    for (uint32_t i = 0; i < CT_COUNT_OF(ports); ++i) {
        char message[128];
        snprintf(message, sizeof(message),
                 "\"%s\" has no valid port: write 1 to 65535 after the colon", ports[i]);
        expect_refused(ports[i], message);
    }
    const char *const others[] = {
        "",           "host:4000",  "1.2.3:5",  "1.2.3.4.5:6", "256.1.1.1:5",
        " 1.2.3.4:5", "1.2.3.04:5", "1..3.4:5", "1.2.3.4 :5"};
    for (uint32_t i = 0; i < CT_COUNT_OF(others); ++i) {
        char message[160];
        snprintf(message, sizeof(message),
                 "\"%s\" is not an address: write four numbers and a port, such as 10.0.0.2:4000",
                 others[i]);
        expect_refused(others[i], message);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(datagrams_arrive_whole),
        cmocka_unit_test(what_nobody_receives_is_no_error),
        cmocka_unit_test(taken_ports_are_errors),
        cmocka_unit_test(broadcasts_must_be_asked_for),
        cmocka_unit_test(addresses_are_read_and_printed),
        cmocka_unit_test(other_texts_are_refused),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
