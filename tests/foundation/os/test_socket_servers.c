// Servers at an address, many sockets at once, and second names of files.
#include "support/test_support.h"

#include <string.h>

#include "foundation/error.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "foundation/os/path.h"

static const uint64_t limit_ns = 10000000000ull;

static void addresses_of_this_machine_alone_are_known(void **state) {
    (void)state;
    const char *const alone[] = {"127.0.0.1", "127.9.8.7", "::1", "localhost", "::ffff:127.0.0.1"};
    const char *const others[] = {"0.0.0.0", "::",         "10.0.0.1", "128.0.0.1",
                                  "",        "localhosts", "127.0.0",  "::ffff:10.0.0.1"};
    for (uint32_t i = 0; i < CT_COUNT_OF(alone); ++i)
        assert_true(ct_socket_is_loopback(alone[i]));
    for (uint32_t i = 0; i < CT_COUNT_OF(others); ++i)
        assert_false(ct_socket_is_loopback(others[i]));
}

static void a_taken_port_and_a_foreign_address_are_errors(void **state) {
    (void)state;
    uint16_t port = 0, other = 0;
    ct_error error = {0};
    const int listener = ct_socket_listen_at("127.0.0.1", 0, &port, &error);
    assert_true(listener >= 0 && port != 0);
    assert_int_equal(ct_socket_listen_at("127.0.0.1", port, &other, &error), -1);
    assert_non_null(strstr(error.message, "cannot listen at 127.0.0.1, port"));
    assert_int_equal(ct_socket_listen_at("192.0.2.7", 0, &other, &error), -1);
    assert_int_equal(ct_socket_listen_at("not an address", 0, &other, &error), -1);
    assert_non_null(strstr(error.message, "not an address"));
    ct_socket_close(listener);
}

static void sockets_are_waited_for_as_asked(void **state) {
    (void)state;
    uint16_t port = 0;
    const int listener = ct_socket_listen_at("127.0.0.1", 0, &port, NULL);
    const int near = ct_socket_connect("127.0.0.1", port, limit_ns, NULL);
    ct_socket_poll polls[3] = {{.socket = listener, .wants_to_read = true},
                               {.socket = -1, .wants_to_read = true},
                               {.socket = near, .wants_to_read = true, .wants_to_send = true}};
    assert_int_equal(ct_socket_poll_many(polls, 3, limit_ns), 2);
    assert_true(polls[0].is_readable && !polls[0].can_send);
    assert_false(polls[1].is_readable || polls[1].can_send);
    assert_true(polls[2].can_send && !polls[2].is_readable);
    const int far = ct_socket_accept(listener);
    assert_true(far >= 0);
    assert_int_equal(ct_socket_send(far, "x", 1), 1);
    polls[2].wants_to_send = false;
    assert_int_equal(ct_socket_poll_many(polls + 2, 1, limit_ns), 1);
    assert_true(polls[2].is_readable && !polls[2].can_send);
    polls[2].wants_to_read = false;
    assert_int_equal(ct_socket_poll_many(polls + 2, 1, 1000000), 0);
    assert_false(polls[2].is_readable);
    ct_socket_close(far);
    ct_socket_close(near);
    ct_socket_close(listener);
}

static void a_linked_file_has_two_names(void **state) {
    (void)state;
    char first[CT_PATH_BYTES], second[CT_PATH_BYTES];
    const char *const folder = test_scratch_folder();
    ct_error error = {0};
    ct_path_join(first, folder, "first");
    ct_path_join(second, folder, "second");
    assert_false(ct_os_file_link(first, second, &error));
    assert_true(ct_file_write(first, "x", 1, false, NULL));
    assert_true(ct_os_file_link(first, second, &error));
    assert_true(ct_os_file_info(first).inode == ct_os_file_info(second).inode);
    assert_int_equal(ct_os_file_info(first).num_links, 2);
    assert_false(ct_os_file_link(first, second, &error));
    assert_non_null(strstr(error.message, "cannot link"));
}

static void a_program_that_is_missing_replaces_nothing(void **state) {
    (void)state;
    ct_error error = {0};
    const char *const arguments[] = {"/nowhere/program", NULL};
    assert_false(ct_os_process_replace(arguments, &error));
    assert_non_null(strstr(error.message, "cannot start /nowhere/program"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses_of_this_machine_alone_are_known),
        cmocka_unit_test(a_taken_port_and_a_foreign_address_are_errors),
        cmocka_unit_test(sockets_are_waited_for_as_asked),
        cmocka_unit_test(a_linked_file_has_two_names),
        cmocka_unit_test(a_program_that_is_missing_replaces_nothing),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
