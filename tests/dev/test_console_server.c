// The console's server with clients that are sockets of this process, without a game around it.
#include "support/test_support.h"

#include <string.h>
#include <sys/socket.h>

#include "dev/console_server.h"
#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/os/os.h"

enum {
    NUM_DEAF = 48,
    MAX_CLIENTS = 64, // as docs/formats/console_protocol.md has it
    LINE_BYTES = 60000,
    LINES_A_FRAME = 20,
    QUEUES_BYTES = 64 << 20, // so too
    RECEIVE_BYTES = 1 << 16,
};

static const uint64_t connect_limit_ns = 10000000000ull;

typedef struct fixture {
    ct_console_server *server;
    uint64_t bytes_before; // of the heap
    char *line;
    uint8_t *received;
} fixture;

static int set_up(void **state) {
    static fixture f;
    ct_allocator *const a = test_heap();
    f.line = CT_NEW_ARRAY(a, char, LINE_BYTES + 1);
    memset(f.line, 'x', LINE_BYTES);
    f.line[LINE_BYTES] = '\0';
    f.received = CT_NEW_ARRAY(a, uint8_t, RECEIVE_BYTES);
    f.bytes_before = ct_allocator_stats_of(a).live_bytes;
    const ct_console_entrance_desc desc = {.allocator = a, .port = 64300};
    f.server = ct_console_server_create(&desc, NULL);
    *state = &f;
    return f.server ? 0 : -1;
}

static int tear_down(void **state) {
    fixture *const f = *state;
    ct_console_server_destroy(f->server);
    ct_free_sized(test_heap(), f->received, RECEIVE_BYTES);
    ct_free_sized(test_heap(), f->line, LINE_BYTES + 1);
    return 0;
}

static void read_all(const fixture *f, int client) {
    while (ct_socket_receive(client, f->received, RECEIVE_BYTES) > 0) {
    }
}

// Connects one client and has the server take it: its id is its number, from 1. What it is sent waits.
static int open_client(fixture *f) {
    ct_error error = {0};
    const int client =
        ct_socket_connect("127.0.0.1", ct_console_server_port(f->server), connect_limit_ns, &error);
    assert_true(client >= 0);
    ct_socket_set_blocking(client, false);
    // The server waits for what says that this is a raw client.
    static const char ping[] = "\0\0\0\0\0\0\0\x0etype = \"ping\"\n";
    assert_int_equal(ct_socket_send(client, ping, sizeof(ping) - 1), sizeof(ping) - 1);
    ct_console_server_serve(f->server, NULL, NULL);
    return client;
}

// The same, and reads the answer to the first message.
static int connect_client(fixture *f) {
    const int client = open_client(f);
    read_all(f, client);
    return client;
}

static uint32_t num_connected(const fixture *f, uint32_t first, uint32_t last) {
    uint32_t count = 0;
    for (uint32_t id = first; id <= last; ++id)
        count += ct_console_server_has_client(f->server, (ct_console_client_id){id});
    return count;
}

// Logs, serves, and lets `reader` read.
static void run_frame(const fixture *f, int reader) {
    for (uint32_t i = 0; i < LINES_A_FRAME; ++i)
        ct_log_info("test", "%s", f->line);
    ct_console_server_serve(f->server, NULL, NULL);
    read_all(f, reader);
}

static void clients_that_do_not_read_are_closed_as_fast_as_their_queues_grow(void **state) {
    fixture *const f = *state;
    int deaf[NUM_DEAF];
    for (uint32_t i = 0; i < NUM_DEAF; ++i)
        deaf[i] = connect_client(f);
    const int reader = connect_client(f);
    assert_int_equal(num_connected(f, 1, NUM_DEAF + 1), NUM_DEAF + 1);
    for (uint32_t frame = 0; frame < 25; ++frame) {
        run_frame(f, reader);
        // Arrays grow by doubling.
        const uint64_t bytes = ct_allocator_stats_of(test_heap()).live_bytes - f->bytes_before;
        assert_in_range(bytes, 0, 2 * QUEUES_BYTES + (8 << 20));
    }
    assert_true(num_connected(f, 1, NUM_DEAF) < NUM_DEAF / 2);
    assert_int_equal(num_connected(f, NUM_DEAF + 1, NUM_DEAF + 1), 1);
    assert_true(ct_log_warning_count("console_closed") > NUM_DEAF / 2);
    ct_socket_close(reader);
    for (uint32_t i = 0; i < NUM_DEAF; ++i)
        ct_socket_close(deaf[i]);
}

// Has a client send half a message, which makes it busy.
static void send_half(const fixture *f, int client) {
    assert_int_equal(ct_socket_send(client, "\0\0", 2), 2);
    ct_console_server_serve(f->server, NULL, NULL);
}

static void expect_reason(const fixture *f, int client, const char *reason) {
    const int64_t bytes = ct_socket_receive(client, f->received, RECEIVE_BYTES - 1);
    assert_true(bytes > 8);
    f->received[bytes] = '\0';
    assert_non_null(strstr((const char *)f->received + 8, "\"error\""));
    assert_non_null(strstr((const char *)f->received + 8, reason));
    assert_true(ct_socket_receive(client, f->received, RECEIVE_BYTES) < 0);
}

static void the_most_silent_client_makes_room_for_one_too_many(void **state) {
    fixture *const f = *state;
    int clients[MAX_CLIENTS];
    for (uint32_t i = 0; i < MAX_CLIENTS; ++i)
        clients[i] = connect_client(f);
    send_half(f, clients[0]);
    const int late = connect_client(f);
    assert_int_equal(num_connected(f, 1, MAX_CLIENTS + 1), MAX_CLIENTS);
    assert_int_equal(num_connected(f, 1, 1), 1);
    assert_int_equal(num_connected(f, 2, 2), 0);
    assert_int_equal(num_connected(f, MAX_CLIENTS + 1, MAX_CLIENTS + 1), 1);
    expect_reason(f, clients[1], "more than 64 console clients; this one was silent");
    ct_socket_close(late);
    for (uint32_t i = 0; i < MAX_CLIENTS; ++i)
        ct_socket_close(clients[i]);
}

static void one_client_too_many_hears_why_it_is_closed(void **state) {
    fixture *const f = *state;
    int clients[MAX_CLIENTS];
    for (uint32_t i = 0; i < MAX_CLIENTS; ++i) {
        clients[i] = connect_client(f);
        send_half(f, clients[i]);
    }
    const uint64_t before = ct_log_warning_count("console_closed");
    const int late = open_client(f);
    assert_int_equal(ct_log_warning_count("console_closed"), before + 1);
    assert_int_equal(num_connected(f, 1, MAX_CLIENTS), MAX_CLIENTS);
    expect_reason(f, late, "more than 64 console clients");
    ct_socket_close(late);
    // The place of one that leaves is free again.
    ct_socket_close(clients[0]);
    ct_console_server_serve(f->server, NULL, NULL);
    clients[0] = connect_client(f);
    assert_int_equal(num_connected(f, 1, MAX_CLIENTS + 1), MAX_CLIENTS);
    for (uint32_t i = 0; i < MAX_CLIENTS; ++i)
        ct_socket_close(clients[i]);
}

static void a_client_that_is_gone_before_it_is_taken_is_refused(void **state) {
    fixture *const f = *state;
    const int client =
        ct_socket_connect("127.0.0.1", ct_console_server_port(f->server), connect_limit_ns, NULL);
    assert_true(client >= 0);
    const uint64_t before = ct_log_warning_count("console_closed");
    ct_socket_close(client);
    ct_console_server_serve(f->server, NULL, NULL);
    assert_int_equal(num_connected(f, 1, 1), 0);
    assert_int_equal(ct_log_warning_count("console_closed"), before); // it wanted nothing
    const int hasty =
        ct_socket_connect("127.0.0.1", ct_console_server_port(f->server), connect_limit_ns, NULL);
    assert_true(hasty >= 0);
    assert_int_equal(ct_socket_send(hasty, "\0\0", 2), 2);
    ct_socket_close(hasty);
    ct_console_server_serve(f->server, NULL, NULL);
    assert_int_equal(num_connected(f, 1, 1), 0);
    assert_int_equal(ct_log_warning_count("console_closed"), before + 1);
}

static void count_message(void *user, const char *json, uint32_t bytes) {
    assert_int_equal(bytes, 16);
    assert_memory_equal(json, "{\"type\": \"ping\"}", 16);
    ++*(uint32_t *)user;
}

static void messages_are_seen_before_they_are_handled(void **state) {
    static const char ping[] = "\0\0\0\0\0\0\0\x10{\"type\": \"ping\"}";
    fixture *const f = *state;
    const int client = connect_client(f);
    const ct_console_client_id id = {1};
    uint32_t count = 0;
    ct_console_server_peek(f->server, id, count_message, &count);
    assert_int_equal(count, 0);
    for (uint32_t i = 0; i < 2; ++i)
        assert_int_equal(ct_socket_send(client, ping, sizeof(ping) - 1), sizeof(ping) - 1);
    for (uint32_t i = 0; i < 1000 && count < 2; ++i) {
        count = 0;
        ct_console_server_peek(f->server, id, count_message, &count);
        ct_os_sleep_ns(1000000);
    }
    assert_int_equal(count, 2);
    ct_console_server_peek(f->server, (ct_console_client_id){2}, count_message, &count);
    assert_int_equal(count, 2);
    // Answers both; where the machine is slow, the first is all that a frame has time for.
    for (uint32_t i = 0; i < 1000 && count; ++i) {
        ct_console_server_serve(f->server, NULL, NULL);
        count = 0;
        ct_console_server_peek(f->server, id, count_message, &count);
    }
    assert_int_equal(count, 0);
    const int64_t bytes = ct_socket_receive(client, f->received, RECEIVE_BYTES - 1);
    assert_true(bytes > 16);
    ct_socket_close(client);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            clients_that_do_not_read_are_closed_as_fast_as_their_queues_grow, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_most_silent_client_makes_room_for_one_too_many, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_client_that_is_gone_before_it_is_taken_is_refused, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(one_client_too_many_hears_why_it_is_closed, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(messages_are_seen_before_they_are_handled, set_up,
                                        tear_down),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
