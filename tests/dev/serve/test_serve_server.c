// File server and engines over sockets of this process.
#include "dev/serve/served_server.h"

typedef served_server fixture;

enum { NUM_AT_ONCE = 100 };

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

static void an_engine_gets_its_data(void **state) {
    fixture *const f = *state;
    ct_error error = {0};
    f->token = SERVED_TOKEN;
    served_start(f);
    ct_serve_client *const client = served_start_client(f, SERVED_TOKEN, 0, &error);
    assert_string_equal(error.message, "");
    assert_non_null(client);
    assert_true(served_wait_for_file(client, "one"));
    ct_serve_client_destroy(client);
    served_stop(f);
}

static void refusals_and_silence_end_the_start(void **state) {
    fixture *const f = *state;
    ct_error error = {0};
    f->token = SERVED_TOKEN;
    served_start(f);
    assert_null(served_start_client(f, "another token, also long", 0, &error));
    assert_non_null(strstr(error.message, "the token is wrong"));
    served_stop(f);
    assert_null(served_start_client(f, SERVED_TOKEN, 2000000000, &error));
    assert_non_null(strstr(error.message, "has not answered for 2 seconds"));
    assert_non_null(strstr(error.message, "start it there with `cuttle serve PROJECT`"));
}

static void a_server_that_comes_back_is_caught_up_with(void **state) {
    fixture *const f = *state;
    ct_error error = {0};
    served_start(f);
    ct_serve_client *const client = served_start_client(f, NULL, 0, &error);
    assert_string_equal(error.message, "");
    assert_non_null(client);
    served_stop(f);
    const uint64_t end_ns = ct_os_time_ns() + patience_ns;
    while (ct_log_warning_count("server_gone") == 0 && ct_os_time_ns() < end_ns)
        ct_os_sleep_ns(5000000);
    assert_int_equal(ct_log_warning_count("server_gone"), 1);
    f->source.files.count = 0;
    served_put_text(&f->source, 1, "one, later");
    served_put_text(&f->source, 0, "catalog, later");
    served_publish(&f->source);
    served_start(f);
    assert_true(served_wait_for_file(client, "one, later"));
    assert_int_equal(ct_log_warning_count("server_gone"), 1); // once, however often it tried
    ct_serve_client_destroy(client);
    served_stop(f);
}

// Fetches all once, and ends server and engine.
static void fill_cache(fixture *f) {
    ct_error error = {0};
    served_start(f);
    ct_serve_client *const client = served_start_client(f, NULL, 0, &error);
    assert_string_equal(error.message, "");
    ct_serve_client_destroy(client);
    served_stop(f);
}

static void without_its_server_an_engine_starts_with_the_last_data(void **state) {
    fixture *const f = *state;
    ct_error error = {0};
    char path[CT_PATH_BYTES];
    fill_cache(f);
    const uint64_t before = ct_log_warning_count("old_data"),
                   num_gone = ct_log_warning_count("server_gone");
    ct_serve_client *const first = served_start_client(f, NULL, 0, &error);
    assert_string_equal(error.message, "");
    // A second engine has a data folder of its own. One that was placed in part is completed.
    ct_serve_client *const second = served_start_client(f, NULL, 0, &error);
    assert_string_not_equal(ct_serve_client_data_folder(first),
                            ct_serve_client_data_folder(second));
    ct_path_join(path, ct_serve_client_data_folder(second), "0000000000000007-0000000000000001");
    ct_serve_client_destroy(second);
    assert_true(ct_file_write(path, "uno", 3, false, NULL));
    ct_serve_client *const third = served_start_client(f, NULL, 0, &error);
    assert_true(served_wait_for_file(first, "one"));
    assert_true(served_wait_for_file(third, "one"));
    assert_true(ct_log_warning_count("old_data") > before);
    f->source.files.count = 0;
    served_put_text(&f->source, 1, "one, later");
    served_put_text(&f->source, 0, "catalog, later");
    served_publish(&f->source);
    served_start(f);
    assert_true(served_wait_for_file(first, "one, later"));
    assert_true(served_wait_for_file(third, "one, later"));
    assert_int_equal(ct_log_warning_count("server_gone"), num_gone); // one warning is enough
    ct_serve_client_destroy(first);
    ct_serve_client_destroy(third);
    served_stop(f);
}

static void expect_no_start(const fixture *f, bool needs_server, const char *reason) {
    ct_error error = {0};
    const ct_serve_client_desc desc = {.allocator = test_heap(),
                                       .host = "127.0.0.1",
                                       .port = f->port,
                                       .project = "game",
                                       .cache_folder = f->root,
                                       .timeout_ns = 1000000000,
                                       .needs_server = needs_server};
    assert_null(ct_serve_client_start(&desc, &error));
    assert_non_null(strstr(error.message, "has not answered for 1 seconds"));
    if (reason)
        assert_non_null(strstr(error.message, reason));
    else
        assert_null(strstr(error.message, "fetched before"));
}

static void an_engine_that_needs_its_server_or_whole_data_does_not_start_without(void **state) {
    fixture *const f = *state;
    char path[CT_PATH_BYTES];
    fill_cache(f);
    expect_no_start(f, true, NULL);
    const ct_serve_file *const one = &f->source.files.items[0];
    snprintf(path, sizeof(path), "%s/objects/%02x/%016llx-%x", f->root, (unsigned)(one->hash >> 56),
             (unsigned long long)one->hash, one->size_bytes);
    assert_true(ct_file_write(path, "two", 3, false, NULL));
    expect_no_start(f, false,
                    "; what was fetched before cannot be used: 1 of its 3 files are "
                    "missing or damaged");
}

static void a_server_that_takes_connections_and_says_nothing_is_away_too(void **state) {
    fixture *const f = *state;
    ct_error error = {0};
    uint16_t port = 0;
    fill_cache(f);
    const int listener = ct_socket_listen_at("127.0.0.1", f->port, &port, &error);
    assert_true(listener >= 0);
    const uint64_t start_ns = ct_os_time_ns();
    ct_serve_client *const client = served_start_client(f, NULL, 4000000000, &error);
    assert_non_null(client);
    assert_true(ct_os_time_ns() - start_ns >= 4000000000); // it may be busy: the whole time
    assert_true(served_wait_for_file(client, "one"));
    ct_serve_client_destroy(client);
    ct_socket_close(listener);
}

static void
a_hundred_connections_at_once_that_say_nothing_do_not_hold_up_one_that_does(void **state) {
    fixture *const f = *state;
    ct_error error = {0};
    int silent[NUM_AT_ONCE];
    served_start(f);
    for (uint32_t i = 0; i < NUM_AT_ONCE; ++i) {
        silent[i] = ct_socket_connect("127.0.0.1", f->port, connect_limit_ns, &error);
        assert_true(silent[i] >= 0);
        ct_socket_send(silent[i], "\0\0\0\0\0\0", 6); // most of a message
    }
    served_wait_for_connections(f, NUM_AT_ONCE);
    ct_serve_client *const client = served_start_client(f, NULL, 0, &error);
    assert_string_equal(error.message, "");
    assert_non_null(client);
    // They are closed for their silence, the engine is not.
    served_wait_for_connections(f, 1);
    for (uint32_t i = 0; i < NUM_AT_ONCE; ++i)
        ct_socket_close(silent[i]);
    ct_serve_client_destroy(client);
    served_stop(f);
}

static void junk_is_refused_with_a_reason(void **state) {
    fixture *const f = *state;
    ct_error error = {0};
    char answer[512] = "";
    served_start(f);
    const int socket = ct_socket_connect("127.0.0.1", f->port, connect_limit_ns, &error);
    assert_true(ct_socket_send(socket, "GET / HTTP/1.1\r\n\r\n", 18) == 18);
    assert_true(ct_socket_receive(socket, answer, sizeof(answer) - 1) > 8);
    assert_non_null(strstr(answer + 8, "unknown message kind"));
    ct_socket_close(socket);
    served_wait_for_connections(f, 0);
    served_stop(f);
}

static void an_address_that_others_reach_needs_a_token(void **state) {
    fixture *const f = *state;
    const char *const addresses[] = {"0.0.0.0", "::", "::1", "192.0.2.7"};
    ct_serve_server_desc desc = {.allocator = test_heap(),
                                 .host = {.user = &f->source, .open = served_open}};
    for (uint32_t i = 0; i < CT_COUNT_OF(addresses); ++i) {
        ct_error error = {0};
        desc.address = addresses[i];
        assert_null(ct_serve_server_create(&desc, &error));
        assert_non_null(strstr(error.message, "so a token is needed"));
        assert_non_null(strstr(error.message, "--token "));
    }
    ct_error error = {0};
    desc.address = "0.0.0.0";
    desc.host.token = "short";
    assert_null(ct_serve_server_create(&desc, &error));
    assert_non_null(strstr(error.message, "the token has 5 characters"));
    desc.host.token = SERVED_TOKEN;
    ct_serve_server *const server = ct_serve_server_create(&desc, &error);
    assert_non_null(server);
    ct_serve_server_destroy(server);
    desc.address = "192.0.2.7"; // of no machine
    assert_null(ct_serve_server_create(&desc, &error));
    assert_non_null(strstr(error.message, "cannot listen at 192.0.2.7"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(an_engine_gets_its_data, set_up, tear_down),
        cmocka_unit_test_setup_teardown(refusals_and_silence_end_the_start, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_server_that_comes_back_is_caught_up_with, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(without_its_server_an_engine_starts_with_the_last_data,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            an_engine_that_needs_its_server_or_whole_data_does_not_start_without, set_up,
            tear_down),
        cmocka_unit_test_setup_teardown(
            a_server_that_takes_connections_and_says_nothing_is_away_too, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            a_hundred_connections_at_once_that_say_nothing_do_not_hold_up_one_that_does, set_up,
            tear_down),
        cmocka_unit_test_setup_teardown(junk_is_refused_with_a_reason, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_address_that_others_reach_needs_a_token, set_up,
                                        tear_down),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
