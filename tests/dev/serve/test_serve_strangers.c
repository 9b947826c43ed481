// What connects to the file server and is no engine, or a bad one: floods, wrong tokens, silence,
// slow reading and writing. And what an engine does when its server is something else.
#include "dev/serve/served_server.h"

enum { NUM_KEPT = 400, NUM_WRONG = 300 };

static const uint64_t short_ns = 400000000;

typedef served_server fixture;

static int set_up(void **state) {
    static fixture f;
    f = (fixture){.root = test_scratch_folder()};
    served_init(&f.source);
    *state = &f;
    return 0;
}

static int tear_down(void **state) {
    fixture *const f = *state;
    ct_serve_source_free(&f->source);
    return 0;
}

// --- Peers ---------------------------------------------------------------------------------------

// One end of a connection that does what a test wants.
typedef struct peer {
    int socket;
    ct_serve_channel channel;
    bool is_over; // the other end has closed it
} peer;

static void connect_peer(peer *p, uint16_t port) {
    ct_error error = {0};
    *p = (peer){.socket = ct_socket_connect("127.0.0.1", port, connect_limit_ns, &error)};
    assert_string_equal(error.message, "");
    ct_socket_set_blocking(p->socket, false);
    ct_serve_channel_init(&p->channel, test_heap(), CT_SERVE_MAX_ANSWER_BYTES);
}

static void close_peer(peer *p) {
    ct_socket_close(p->socket);
    ct_serve_channel_free(&p->channel);
}

// Receives once, at most what a call takes, and forgets it.
static uint64_t drain(peer *p) {
    static uint8_t bytes[64 << 10];
    const int64_t count = ct_socket_receive(p->socket, bytes, sizeof(bytes));
    p->is_over |= count < 0;
    return count > 0 ? (uint64_t)count : 0;
}

// Waits for the next message of this type, and copies its `message` to `text` (may be NULL).
static bool wait_for_message(peer *p, const char *wanted, char *text, uint32_t bytes) {
    const uint64_t end_ns = ct_os_time_ns() + patience_ns;
    bool is_found = false;
    while (!is_found && ct_os_time_ns() < end_ns) {
        ct_message message;
        ct_error error = {0};
        uint64_t num_bytes = 0;
        const char *type = NULL;
        p->is_over |= !ct_serve_channel_fill(&p->channel, p->socket, &num_bytes, &error);
        if (ct_serve_channel_next(&p->channel, &message, &error) != CT_MESSAGE_RESULT_MESSAGE) {
            if (p->is_over)
                return false;
            ct_os_sleep_ns(1000000);
            continue;
        }
        ct_sjson *const doc = ct_serve_parse(test_heap(), &message, &type, &error);
        assert_non_null(doc);
        is_found = strcmp(type, wanted) == 0;
        if (is_found && text)
            snprintf(text, bytes, "%s",
                     ct_sjson_string(doc, ct_sjson_find(doc, ct_sjson_root(doc), "message"), ""));
        ct_sjson_free(doc);
    }
    return is_found;
}

static void send_hello(peer *p, bool has_token) {
    const ct_serve_nonce nonce = ct_serve_nonce_make();
    ct_serve_send_hello(&p->channel, &nonce, has_token, NULL);
    assert_true(ct_serve_channel_flush(&p->channel, p->socket));
}

// Becomes known to a server without a token.
static void open_project(peer *p) {
    send_hello(p, false);
    ct_serve_send_text(&p->channel, "open", "project", "game");
    assert_true(ct_serve_channel_flush(&p->channel, p->socket));
    assert_true(wait_for_message(p, "files", NULL, 0));
}

// Asks for file 2, of 393 KB, as often as it may.
static void want_much(const fixture *f, peer *p) {
    static uint8_t gets[CT_SERVE_MAX_GETS * CT_SERVE_GET_BYTES];
    const ct_serve_file *const large = &f->source.files.items[1];
    for (uint32_t i = 0; i < CT_SERVE_MAX_GETS; ++i) {
        ct_serve_write_u64(large->hash, gets + (uint64_t)i * CT_SERVE_GET_BYTES);
        ct_serve_write_u32(large->size_bytes, gets + (uint64_t)i * CT_SERVE_GET_BYTES + 8);
    }
    ct_serve_channel_send(&p->channel, "{\"type\": \"get\", \"binary_size\": 12288}", gets,
                          sizeof(gets));
    assert_true(ct_serve_channel_flush(&p->channel, p->socket));
}

// --- The server ----------------------------------------------------------------------------------

// Connects about a thousand times a second until it is to end, in all ways that are not right.
typedef struct flood {
    uint16_t port;
    atomic_bool is_stopping;
    atomic_uint num_attempts;
} flood;

static void send_bad(int socket, uint32_t kind) {
    static const char *const texts[] = {"", "GET / HTTP/1.1\r\n\r\n",
                                        "\xff\xff\xff\xff\xff\xff\xff\xff", "\0\0\0\0\0\0",
                                        "{\"type\": \"hello\"}"};
    const char *const text = texts[kind % CT_COUNT_OF(texts)];
    ct_socket_send(socket, text, kind % CT_COUNT_OF(texts) == 3 ? 6 : strlen(text));
}

static void run_flood(void *data) {
    flood *const f = data;
    int kept[NUM_KEPT];
    for (uint32_t i = 0; i < NUM_KEPT; ++i)
        kept[i] = -1;
    const uint64_t start_ns = ct_os_time_ns();
    for (uint32_t i = 0; !atomic_load(&f->is_stopping); ++i) {
        const int socket = ct_socket_connect("127.0.0.1", f->port, connect_limit_ns, NULL);
        if (kept[i % NUM_KEPT] >= 0)
            ct_socket_close(kept[i % NUM_KEPT]);
        kept[i % NUM_KEPT] = socket;
        if (socket >= 0)
            send_bad(socket, i);
        atomic_store(&f->num_attempts, i + 1);
        while (ct_os_time_ns() - start_ns < i * UINT64_C(1000000) && !atomic_load(&f->is_stopping))
            ct_os_sleep_ns(500000);
    }
    for (uint32_t i = 0; i < NUM_KEPT; ++i) {
        if (kept[i] >= 0)
            ct_socket_close(kept[i]);
    }
}

static void a_thousand_connections_a_second_do_not_keep_engines_out(void **state) {
    fixture *const f = *state;
    ct_error error = {0};
    f->token = SERVED_TOKEN;
    served_start(f);
    ct_serve_client *const first = served_start_client(f, SERVED_TOKEN, 0, &error);
    assert_string_equal(error.message, "");
    flood bad = {.port = f->port};
    const ct_thread thread = ct_thread_start("flood", run_flood, &bad);
    const uint64_t end_ns = ct_os_time_ns() + patience_ns;
    while (atomic_load(&bad.num_attempts) < 1000 && ct_os_time_ns() < end_ns)
        ct_os_sleep_ns(5000000);
    ct_serve_client *clients[5];
    for (uint32_t i = 0; i < CT_COUNT_OF(clients); ++i) {
        clients[i] = served_start_client(f, SERVED_TOKEN, 0, &error);
        assert_string_equal(error.message, "");
    }
    f->source.files.count = 0; // what is served changes in the meantime
    served_put_text(&f->source, 1, "one, later");
    served_put_text(&f->source, 0, "catalog, later");
    served_publish(&f->source);
    assert_true(served_wait_for_file(first, "one, later"));
    for (uint32_t i = 0; i < CT_COUNT_OF(clients); ++i)
        assert_true(served_wait_for_file(clients[i], "one, later"));
    while (atomic_load(&bad.num_attempts) < 3000 && ct_os_time_ns() < end_ns)
        ct_os_sleep_ns(5000000);
    assert_true(atomic_load(&bad.num_attempts) >= 3000);
    atomic_store(&bad.is_stopping, true);
    ct_thread_join(thread);
    served_wait_for_connections(f, 1 + CT_COUNT_OF(clients)); // of the others none is left
    for (uint32_t i = 0; i < CT_COUNT_OF(clients); ++i)
        ct_serve_client_destroy(clients[i]);
    ct_serve_client_destroy(first);
    served_stop(f);
}

static void wrong_tokens_are_refused_each_time(void **state) {
    fixture *const f = *state;
    ct_error error = {0};
    f->token = SERVED_TOKEN;
    served_start(f);
    for (uint32_t i = 0; i < NUM_WRONG; ++i) {
        char text[256] = "";
        peer p;
        ct_serve_key proof;
        ct_os_random_bytes(&proof, sizeof(proof));
        connect_peer(&p, f->port);
        send_hello(&p, true);
        assert_true(wait_for_message(&p, "hello", NULL, 0));
        ct_serve_send_proof(&p.channel, &proof);
        ct_serve_send_text(&p.channel, "open", "project", "game"); // as if it were right
        assert_true(ct_serve_channel_flush(&p.channel, p.socket));
        assert_true(wait_for_message(&p, "refused", text, sizeof(text)));
        assert_non_null(strstr(text, "the token is wrong"));
        close_peer(&p);
    }
    ct_serve_client *const client = served_start_client(f, SERVED_TOKEN, 0, &error);
    assert_string_equal(error.message, "");
    served_wait_for_connections(f, 1);
    ct_serve_client_destroy(client);
    served_stop(f);
}

static void one_that_writes_a_byte_at_a_time_is_closed(void **state) {
    fixture *const f = *state;
    f->limits.hello_ns = short_ns;
    served_start(f);
    peer p;
    connect_peer(&p, f->port);
    const uint64_t start_ns = ct_os_time_ns();
    while (!p.is_over && ct_os_time_ns() - start_ns < patience_ns) {
        ct_socket_send(p.socket, "\0", 1);
        drain(&p);
        ct_os_sleep_ns(20000000);
    }
    assert_true(p.is_over);
    assert_true(ct_os_time_ns() - start_ns >= short_ns / 2);
    close_peer(&p);
    served_wait_for_connections(f, 0);
    served_stop(f);
}

static void an_engine_that_is_gone_without_a_word_is_closed(void **state) {
    fixture *const f = *state;
    f->limits.silence_ns = short_ns;
    served_start(f);
    peer p;
    connect_peer(&p, f->port);
    open_project(&p);
    served_wait_for_connections(f, 1);
    served_wait_for_connections(f, 0);
    close_peer(&p);
    served_stop(f);
}

static void one_that_reads_slowly_stays_and_one_that_stops_is_closed(void **state) {
    fixture *const f = *state;
    ct_error error = {0};
    f->limits.silence_ns = f->limits.reading_ns = short_ns;
    served_start(f);
    peer p;
    connect_peer(&p, f->port);
    open_project(&p);
    want_much(f, &p);
    uint64_t num_read = 0;
    const uint64_t start_ns = ct_os_time_ns();
    while (ct_os_time_ns() - start_ns < 4 * short_ns) { // says nothing all the while
        num_read += drain(&p);
        ct_os_sleep_ns(2000000);
    }
    assert_false(p.is_over);
    assert_in_range(num_read, 1 << 20, 300 << 20); // it is not done
    assert_int_equal(atomic_load(&f->num_connections), 1);
    // Others do not wait for it, while it still reads or not.
    ct_serve_client *const client = served_start_client(f, NULL, 0, &error);
    assert_string_equal(error.message, "");
    ct_serve_client_destroy(client);
    served_wait_for_connections(f, 0);
    close_peer(&p);
    served_stop(f);
}

static void the_oldest_stranger_makes_room(void **state) {
    fixture *const f = *state;
    static int silent[NUM_KEPT];
    ct_error error = {0};
    f->token = SERVED_TOKEN;
    f->limits.hello_ns = patience_ns; // so that time does not make room
    served_start(f);
    for (uint32_t i = 0; i < NUM_KEPT; ++i) {
        silent[i] = ct_socket_connect("127.0.0.1", f->port, connect_limit_ns, &error);
        assert_true(silent[i] >= 0);
    }
    served_wait_for_connections(f, 128);
    ct_serve_client *const client = served_start_client(f, SERVED_TOKEN, 0, &error);
    assert_string_equal(error.message, "");
    ct_serve_client_destroy(client);
    for (uint32_t i = 0; i < NUM_KEPT; ++i)
        ct_socket_close(silent[i]);
    served_wait_for_connections(f, 0);
    served_stop(f);
}

static void known_engines_are_not_closed_for_strangers(void **state) {
    fixture *const f = *state;
    static peer known[3];
    static int silent[200];
    served_start(f);
    for (uint32_t i = 0; i < CT_COUNT_OF(known); ++i) {
        connect_peer(&known[i], f->port);
        open_project(&known[i]);
    }
    for (uint32_t i = 0; i < CT_COUNT_OF(silent); ++i) {
        silent[i] = ct_socket_connect("127.0.0.1", f->port, connect_limit_ns, NULL);
        assert_true(silent[i] >= 0);
    }
    served_wait_for_connections(f, 128);
    for (uint32_t i = 0; i < CT_COUNT_OF(known); ++i) {
        ct_serve_send_text(&known[i].channel, "ping", NULL, NULL);
        assert_true(ct_serve_channel_flush(&known[i].channel, known[i].socket));
        assert_true(wait_for_message(&known[i], "pong", NULL, 0));
        close_peer(&known[i]);
    }
    for (uint32_t i = 0; i < CT_COUNT_OF(silent); ++i)
        ct_socket_close(silent[i]);
    served_wait_for_connections(f, 0);
    served_stop(f);
}

// --- The engine ----------------------------------------------------------------------------------

// Something that listens and is no file server: answers each connection by a text, and closes it.
typedef struct other_server {
    int listener;
    const char *text;
    uint32_t bytes;
    atomic_bool is_stopping;
} other_server;

static void run_other(void *data) {
    other_server *const o = data;
    while (!atomic_load(&o->is_stopping)) {
        const int socket = ct_socket_accept(o->listener);
        if (socket < 0) {
            ct_os_sleep_ns(2000000);
            continue;
        }
        if (o->bytes > 0)
            ct_socket_send(socket, o->text, o->bytes);
        ct_os_sleep_ns(50000000);
        ct_socket_close(socket);
    }
}

static void something_else_at_the_port_ends_the_start(void **state) {
    fixture *const f = *state;
    static const struct {
        const char *text;
        uint32_t bytes;
        const char *reason;
    } others[] = {
        {"SSH-2.0-OpenSSH_9.6\r\n", 21, "unknown message kind"},
        {"\0\0\0\0\x7f\xff\xff\xff", 8, "at most 4096 are allowed"},
        {"\0\0\0\0\0\0\0\2{}", 10, "a message has no type"},
        {"", 0, "closed the connection"},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(others); ++i) {
        ct_error error = {0};
        other_server other = {.text = others[i].text, .bytes = others[i].bytes};
        other.listener = ct_socket_listen_at("127.0.0.1", 0, &f->port, &error);
        assert_true(other.listener >= 0);
        const ct_thread thread = ct_thread_start("other", run_other, &other);
        assert_null(served_start_client(f, NULL, 0, &error));
        if (!strstr(error.message, others[i].reason))
            fail_msg("%s", error.message);
        atomic_store(&other.is_stopping, true);
        ct_thread_join(thread);
        ct_socket_close(other.listener);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_thousand_connections_a_second_do_not_keep_engines_out,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(wrong_tokens_are_refused_each_time, set_up, tear_down),
        cmocka_unit_test_setup_teardown(one_that_writes_a_byte_at_a_time_is_closed, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(an_engine_that_is_gone_without_a_word_is_closed, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(one_that_reads_slowly_stays_and_one_that_stops_is_closed,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_oldest_stranger_makes_room, set_up, tear_down),
        cmocka_unit_test_setup_teardown(known_engines_are_not_closed_for_strangers, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(something_else_at_the_port_ends_the_start, set_up,
                                        tear_down),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
