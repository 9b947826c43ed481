// The thread of the web's connections without a game: pages that are held back, and a thread that cannot start.
#include "dev/web/web_server.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "foundation/error.h"
#include "foundation/os/local_socket.h"
#include "foundation/os/os.h"
#include "support/test_support.h"
#include "web/websocket/lws_api.h"

enum { NUM_MESSAGES = 400, MESSAGE_BYTES = 60000 };
static const uint64_t second_ns = 1000000000, limit_ns = 60000000000;

typedef struct connection {
    int listener, server, page;
    uint16_t port;
} connection;

static connection connect_page(void) {
    connection c = {0};
    ct_error error = {0};
    bool is_readable = false;
    c.listener = ct_socket_listen(0, 1, &c.port, &error);
    assert_true(c.listener >= 0);
    c.page = ct_socket_connect("127.0.0.1", c.port, second_ns, &error);
    assert_true(c.page >= 0);
    assert_int_equal(ct_socket_wait(&c.listener, 1, &is_readable, 5 * second_ns), 1);
    c.server = ct_socket_accept(c.listener);
    assert_true(c.server >= 0);
    return c;
}

static void disconnect(const connection *c) {
    ct_socket_close(c->page);
    ct_socket_close(c->listener);
}

// Asks for a WebSocket. Returns the console's end.
static int open_page(ct_web *web, const connection *c) {
    char text[512];
    ct_web_page_end end;
    bool is_readable = false;
    snprintf(text, sizeof(text),
             "GET /console HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nUpgrade: websocket\r\n"
             "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
             "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
             c->port);
    assert_int_equal(ct_socket_send(c->page, text, strlen(text)), strlen(text));
    assert_int_equal(ct_socket_wait(&c->page, 1, &is_readable, limit_ns), 1);
    const int64_t got = ct_socket_receive(c->page, text, sizeof(text) - 1);
    assert_true(got > 0);
    text[got] = '\0';
    assert_non_null(strstr(text, " 101 "));
    while (!ct_web_take_page(web, &end))
        ct_os_sleep_ns(1000000);
    assert_true(end.is_trusted);
    return end.socket;
}

// --- A page that is held back --------------------------------------------------------------------

// What a page sends, which does not read what comes.
static void send_messages(void *user) {
    static uint8_t frame[8 + MESSAGE_BYTES];
    const int page = *(const int *)user;
    frame[0] = 0x81; // a whole text
    frame[1] = 0x80 | 126;
    frame[2] = MESSAGE_BYTES >> 8;
    frame[3] = MESSAGE_BYTES & 0xff; // the mask is 0
    memset(frame + 8, 'a', MESSAGE_BYTES);
    for (uint32_t i = 0; i < NUM_MESSAGES; ++i) {
        for (uint32_t sent = 0; sent < sizeof(frame);) {
            const int64_t count = ct_socket_send(page, frame + sent, sizeof(frame) - sent);
            if (count < 0)
                return;
            sent += (uint32_t)count;
        }
    }
}

// Reads as a game does whose frames are slow, and stops for longer than a page may be silent. Returns the bytes.
static uint64_t read_slowly(int console, uint64_t stop_ns, uint64_t most) {
    static uint8_t bytes[65536];
    uint64_t all = 0;
    const uint64_t end_ns = ct_os_time_ns() + limit_ns;
    ct_os_sleep_ns(stop_ns);
    while (all < most && ct_os_time_ns() < end_ns) {
        const int64_t count = ct_socket_receive(console, bytes, sizeof(bytes));
        if (count < 0)
            break;
        if (count == 0)
            ct_os_sleep_ns(1000000);
        all += (uint64_t)count;
    }
    return all;
}

// Its answers to pings lie behind its messages.
static void a_page_that_is_held_back_is_not_silent(void **state) {
    (void)state;
    ct_error error = {0};
    connection c = connect_page();
    const ct_web_desc desc = {
        .allocator = test_heap(), .port = c.port, .ping_seconds = 1, .hang_up_seconds = 2};
    ct_web *const web = ct_web_create(&desc, &error);
    if (!web)
        skip(); // libwebsockets is not installed
    assert_true(ct_web_adopt(web, c.server, true, &error));
    const int console = open_page(web, &c);
    const ct_thread sender = ct_thread_start("page", send_messages, &c.page);
    const uint64_t all = (uint64_t)NUM_MESSAGES * (8 + MESSAGE_BYTES);
    assert_int_equal(read_slowly(console, 4 * second_ns, all), all);
    ct_thread_join(sender);
    ct_socket_close(console);
    ct_web_destroy(web);
    disconnect(&c);
}

// --- A thread that cannot start ------------------------------------------------------------------

// Lets the process open no more files until the limit is set again.
static struct rlimit forbid_files(void) {
    struct rlimit before, none;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    none = before;
    none.rlim_cur = 3;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    return before;
}

static void without_libwebsockets_connections_stay_the_callers(void **state) {
    (void)state;
    ct_error error = {0};
    if (!ct_lws_load(&error))
        skip(); // libwebsockets is not installed
    const connection c = connect_page();
    const ct_web_desc desc = {.allocator = test_heap(), .port = c.port};
    int sockets[40];
    uint32_t num_taken = 0;
    for (uint32_t i = 0; i < CT_COUNT_OF(sockets); ++i)
        sockets[i] = ct_socket_duplicate(c.server);
    const struct rlimit before = forbid_files();
    ct_web *const web = ct_web_create(&desc, &error);
    assert_non_null(web);
    // Those that come before it has failed are taken, and closed.
    while (num_taken < CT_COUNT_OF(sockets) &&
           ct_web_adopt(web, sockets[num_taken], true, &error)) {
        ct_os_sleep_ns(100000000);
        ++num_taken;
    }
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_non_null(strstr(error.message, "libwebsockets could not start"));
    ct_web_destroy(web);
    for (uint32_t i = num_taken; i < CT_COUNT_OF(sockets); ++i)
        ct_socket_close(sockets[i]); // still the caller's
    ct_socket_close(c.server);
    disconnect(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_page_that_is_held_back_is_not_silent),
        cmocka_unit_test(without_libwebsockets_connections_stay_the_callers),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
