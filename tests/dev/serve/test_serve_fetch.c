// File server and engine talk without sockets: what is fetched, and what is refused.
#include "dev/serve/served_files.h"

typedef struct fixture {
    ct_serve_source source;
    const char *root;
    served_link link;
} fixture;

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

static void expect_all(const fixture *f) {
    assert_true(ct_serve_fetch_is_complete(&f->link.fetch));
    for (uint32_t i = 0; i < f->source.files.count; ++i)
        assert_true(ct_serve_cache_has(&f->link.cache, f->source.files.items[i].hash,
                                       f->source.files.items[i].size_bytes));
}

static void everything_is_fetched(void **state) {
    fixture *const f = *state;
    served_connect(&f->link, &f->source, f->root, NULL, NULL, "game");
    served_talk(&f->link);
    assert_false(f->link.is_fetch_over);
    expect_all(f);
    assert_int_equal(f->link.fetch.num_to_fetch, 3);
    served_disconnect(&f->link);
}

static void what_is_in_the_cache_is_not_fetched_again(void **state) {
    fixture *const f = *state;
    everything_is_fetched(state);
    served_connect(&f->link, &f->source, f->root, NULL, NULL, "game");
    served_talk(&f->link);
    expect_all(f);
    assert_int_equal(f->link.fetch.num_to_fetch, 0);
    // Of the next revision, the difference.
    served_put_text(&f->source, 5, "five");
    const ct_serve_file five = f->source.files.items[3];
    f->source.files.items[3] = f->source.files.items[2];
    f->source.files.items[2] = five;
    served_publish(&f->source);
    served_talk(&f->link);
    expect_all(f);
    assert_int_equal(f->link.fetch.num_to_fetch, 1);
    assert_int_equal(f->link.fetch.revision, 2);
    served_disconnect(&f->link);
}

// Whether the text is in what passes.
static bool has_seen_secret;

static void look_for_secret(uint8_t *bytes, uint32_t count) {
    for (uint32_t i = 0; i + 7 <= count; ++i)
        has_seen_secret |= memcmp(bytes + i, "catalog", 7) == 0;
}

static void with_a_token_what_is_sent_is_sealed(void **state) {
    fixture *const f = *state;
    has_seen_secret = false;
    served_connect(&f->link, &f->source, f->root, SERVED_TOKEN, SERVED_TOKEN, "game");
    f->link.tamper = look_for_secret;
    served_talk(&f->link);
    expect_all(f);
    assert_false(has_seen_secret);
    served_disconnect(&f->link);
    served_connect(&f->link, &f->source, test_scratch_folder(), NULL, NULL, "game");
    f->link.tamper = look_for_secret;
    served_talk(&f->link);
    assert_true(has_seen_secret); // the look finds it
    served_disconnect(&f->link);
}

static void expect_refusal(fixture *f, const char *server_token, const char *token,
                           const char *project, const char *reason) {
    served_connect(&f->link, &f->source, f->root, server_token, token, project);
    served_talk(&f->link);
    assert_true(f->link.is_fetch_over);
    assert_true(f->link.fetch.is_final);
    assert_non_null(strstr(f->link.fetch_error.message, reason));
    served_disconnect(&f->link);
}

static void wrong_tokens_and_projects_are_refused(void **state) {
    fixture *const f = *state;
    expect_refusal(f, SERVED_TOKEN, "another token, also long", "game", "the token is wrong");
    expect_refusal(f, SERVED_TOKEN, NULL, "game", "needs a token");
    expect_refusal(f, NULL, SERVED_TOKEN, "game", "has no token");
    expect_refusal(f, NULL, NULL, "gamma", "no project \"gamma\"; it has \"game\"");
    expect_refusal(f, NULL, NULL, "../game", "no project \"../game\"");
}

static void a_project_that_compiles_is_waited_for(void **state) {
    fixture *const f = *state;
    f->source.revision = 0;
    served_connect(&f->link, &f->source, f->root, NULL, NULL, "game");
    f->link.now_ns = 2000000000;
    served_talk(&f->link);
    assert_false(f->link.is_fetch_over);
    assert_true(f->link.fetch.is_compiling);
    assert_false(ct_serve_fetch_is_complete(&f->link.fetch));
    f->source.revision = 1;
    served_talk(&f->link);
    expect_all(f);
    assert_false(f->link.fetch.is_compiling);
    served_disconnect(&f->link);
}

static void a_project_that_does_not_compile_is_refused(void **state) {
    fixture *const f = *state;
    f->source.revision = 0;
    f->source.is_broken = true;
    ct_error_set(&f->source.problem, "no index");
    expect_refusal(f, NULL, NULL, "game", "the project does not compile: no index");
}

// Changes a byte of file 2, which is a run of other bytes than JSON has, the first times.
static uint32_t num_to_damage;

static void damage(uint8_t *bytes, uint32_t count) {
    if (count > CT_SERVE_PART_BYTES && num_to_damage > 0) {
        --num_to_damage;
        bytes[count / 2] ^= 0x80;
    }
}

static void a_damaged_content_is_fetched_again(void **state) {
    fixture *const f = *state;
    num_to_damage = 3;
    served_connect(&f->link, &f->source, f->root, NULL, NULL, "game");
    f->link.tamper = damage;
    served_talk(&f->link);
    assert_int_equal(num_to_damage, 0);
    assert_false(f->link.is_fetch_over);
    expect_all(f);
    served_disconnect(&f->link);
}

static void a_content_that_stays_damaged_is_given_up_and_not_stored(void **state) {
    fixture *const f = *state;
    num_to_damage = UINT32_MAX;
    served_connect(&f->link, &f->source, f->root, NULL, NULL, "game");
    f->link.tamper = damage;
    served_talk(&f->link);
    assert_true(f->link.is_fetch_over);
    assert_non_null(strstr(f->link.fetch_error.message, "came with another content, 8 times"));
    assert_false(ct_serve_cache_has(&f->link.cache, f->source.files.items[1].hash,
                                    f->source.files.items[1].size_bytes));
    served_disconnect(&f->link);
}

static void what_is_changed_on_its_way_is_found_with_a_token(void **state) {
    fixture *const f = *state;
    num_to_damage = 1;
    served_connect(&f->link, &f->source, f->root, SERVED_TOKEN, SERVED_TOKEN, "game");
    f->link.tamper = damage;
    served_talk(&f->link);
    assert_true(f->link.is_fetch_over);
    assert_false(f->link.fetch.is_final);
    assert_string_equal(f->link.fetch_error.message, "a message was forged or changed on its way");
    served_disconnect(&f->link);
}

static void a_file_that_the_compiler_replaced_meanwhile_comes_with_the_next_list(void **state) {
    fixture *const f = *state;
    char name[CT_RESOURCE_FILE_NAME_BYTES], path[CT_PATH_BYTES];
    ct_serve_file_name(&f->source.files.items[0], name);
    ct_path_join(path, f->source.folder, name);
    assert_true(ct_file_write(path, "new", 3, false, NULL)); // the list does not have it yet
    served_connect(&f->link, &f->source, f->root, NULL, NULL, "game");
    f->link.now_ns = 0;
    for (uint32_t i = 0; i < 4; ++i) { // not long enough to give up
        ct_serve_fetch_send(&f->link.fetch, 0);
        served_carry(&f->link.fetch.channel, &f->link.session.channel, NULL, NULL);
        ct_serve_session_handle(&f->link.session, &f->link.session_error);
        ct_serve_session_send(&f->link.session, 0);
        served_carry(&f->link.session.channel, &f->link.fetch.channel, NULL, NULL);
        assert_true(ct_serve_fetch_handle(&f->link.fetch, 0, &f->link.fetch_error));
    }
    assert_false(ct_serve_fetch_is_complete(&f->link.fetch));
    f->source.files.items[0].hash = ct_content_hash("new", 3);
    served_publish(&f->source);
    served_talk(&f->link);
    expect_all(f);
    served_disconnect(&f->link);
}

static void a_disk_that_is_full_ends_the_connection_and_keeps_the_rest(void **state) {
    fixture *const f = *state;
    char path[CT_PATH_BYTES];
    ct_path_join(path, f->root, "objects"); // a file in the way of all that is stored
    assert_true(ct_file_write(path, "x", 1, false, NULL));
    served_connect(&f->link, &f->source, f->root, NULL, NULL, "game");
    served_talk(&f->link);
    assert_true(f->link.is_fetch_over);
    assert_false(f->link.fetch.is_final);
    assert_non_null(strstr(f->link.fetch_error.message, "objects"));
    served_disconnect(&f->link);
}

// --- Forged messages -----------------------------------------------------------------------------

static void send_raw(ct_serve_channel *to, const char *json, const void *binary, uint32_t bytes) {
    ct_byte_array framed;
    ct_array_init(&framed, test_heap());
    ct_message_write(&framed, json, (uint32_t)strlen(json), binary, bytes);
    assert_true(ct_serve_channel_receive(to, framed.items, framed.count, NULL));
    ct_array_free(&framed);
}

static void expect_server_refuses(fixture *f, const char *json, const void *binary, uint32_t bytes,
                                  const char *reason) {
    served_connect(&f->link, &f->source, f->root, NULL, NULL, "game");
    served_talk(&f->link);
    send_raw(&f->link.session.channel, json, binary, bytes);
    assert_false(ct_serve_session_handle(&f->link.session, &f->link.session_error));
    assert_non_null(strstr(f->link.session_error.message, reason));
    served_talk(&f->link);
    assert_non_null(strstr(f->link.fetch_error.message, reason)); // the engine hears why
    served_disconnect(&f->link);
}

static void the_server_refuses_bad_messages(void **state) {
    fixture *const f = *state;
    static uint8_t many[(CT_SERVE_MAX_GETS + 1) * CT_SERVE_GET_BYTES];
    expect_server_refuses(f, "{\"type\": \"format\"}", NULL, 0, "unexpected message \"format\"");
    expect_server_refuses(f, "{\"type\": \"hello\"}", NULL, 0, "unexpected message \"hello\"");
    expect_server_refuses(f, "{}", NULL, 0, "a message has no type");
    expect_server_refuses(f, "{\"type\": 3}", NULL, 0, "a message has no type");
    expect_server_refuses(f, "no = JSON = at all", NULL, 0, "expected");
    expect_server_refuses(f, "{\"type\": \"get\", \"binary_size\": 5}", "12345", 5,
                          "5 bytes of wanted files");
    expect_server_refuses(f, "{\"type\": \"get\", \"binary_size\": 12300}", many, sizeof(many),
                          "at most 1024 files");
    expect_server_refuses(f, "{\"type\": \"get\", \"binary_size\": 99999999}", "x", 1,
                          "at most 65536 are allowed");
}

static void contents_that_the_list_does_not_have_are_gone(void **state) {
    fixture *const f = *state;
    const uint8_t unknown[CT_SERVE_GET_BYTES] = {1, 2, 3, [11] = 9};
    served_connect(&f->link, &f->source, f->root, NULL, NULL, "game");
    served_talk(&f->link);
    send_raw(&f->link.session.channel, "{\"type\": \"get\", \"binary_size\": 12}", unknown,
             sizeof(unknown));
    assert_true(ct_serve_session_handle(&f->link.session, &f->link.session_error));
    served_talk(&f->link);
    assert_false(f->link.is_fetch_over);
    served_disconnect(&f->link);
}

static void expect_engine_refuses(fixture *f, const char *json, const void *binary, uint32_t bytes,
                                  const char *reason) {
    served_connect(&f->link, &f->source, f->root, NULL, NULL, "game");
    served_talk(&f->link);
    send_raw(&f->link.fetch.channel, json, binary, bytes);
    assert_false(ct_serve_fetch_handle(&f->link.fetch, 0, &f->link.fetch_error));
    assert_non_null(strstr(f->link.fetch_error.message, reason));
    served_disconnect(&f->link);
}

static void the_engine_refuses_bad_messages(void **state) {
    fixture *const f = *state;
    expect_engine_refuses(f, "{\"type\": \"proof\"}", NULL, 0, "unexpected message, \"proof\"");
    expect_engine_refuses(f, "{\"type\": \"files\", \"revision\": 1, \"binary_size\": 4}", "abcd",
                          4, "a list of files has 4 bytes");
    expect_engine_refuses(f, "{\"type\": \"files\", \"binary_size\": 4}", "abcd", 4, "no revision");
    expect_engine_refuses(f,
                          "{\"type\": \"part\", \"hash\": \"0000000000000001\", \"size\": 4, "
                          "\"offset\": 0, \"binary_size\": 4}",
                          "abcd", 4, "was not asked for");
    expect_engine_refuses(f, "{\"type\": \"part\", \"hash\": \"../../etc\", \"size\": 4}", NULL, 0,
                          "does not say which");
    expect_engine_refuses(f, "{\"type\": \"gone\", \"size\": -1}", NULL, 0, "does not say which");
    expect_engine_refuses(f, "{\"type\": \"refused\", \"message\": \"go away\"}", NULL, 0,
                          "go away");
}

static void other_protocols_and_data_are_named_with_both_versions(void **state) {
    fixture *const f = *state;
    served_connect(&f->link, &f->source, f->root, NULL, NULL, "game");
    send_raw(&f->link.fetch.channel, "{\"type\": \"hello\", \"protocol\": 77}", NULL, 0);
    assert_false(ct_serve_fetch_handle(&f->link.fetch, 0, &f->link.fetch_error));
    assert_non_null(strstr(f->link.fetch_error.message, "the server speaks version 77"));
    assert_non_null(strstr(f->link.fetch_error.message, "this program version 2"));
    assert_true(f->link.fetch.is_final);
    served_disconnect(&f->link);

    served_connect(&f->link, &f->source, f->root, NULL, NULL, "game");
    f->link.fetch.state = CT_SERVE_FETCH_STATE_OPENING;
    send_raw(&f->link.fetch.channel,
             "{\"type\": \"opened\", \"platform\": \"linux\", \"catalog\": 9000}", NULL, 0);
    assert_false(ct_serve_fetch_handle(&f->link.fetch, 0, &f->link.fetch_error));
    assert_non_null(strstr(f->link.fetch_error.message, "\"catalog\" has version 9000, and this "
                                                        "engine reads version"));
    assert_true(f->link.fetch.is_final);
    served_disconnect(&f->link);
}

static void an_engine_that_reads_nothing_does_not_fill_the_memory(void **state) {
    fixture *const f = *state;
    const ct_serve_file *const large = &f->source.files.items[1];
    uint8_t get[CT_SERVE_GET_BYTES];
    served_connect(&f->link, &f->source, f->root, NULL, NULL, "game");
    served_talk(&f->link);
    ct_serve_write_u64(large->hash, get);
    ct_serve_write_u32(large->size_bytes, get + 8);
    for (uint32_t i = 0; i < 500; ++i) {
        send_raw(&f->link.session.channel, "{\"type\": \"get\", \"binary_size\": 12}", get,
                 sizeof(get));
        send_raw(&f->link.session.channel, "{\"type\": \"ping\"}", NULL, 0);
        assert_true(ct_serve_session_handle(&f->link.session, &f->link.session_error));
        ct_serve_session_send(&f->link.session, 0);
    }
    assert_in_range(ct_serve_channel_unsent(&f->link.session.channel), 1 << 20, 2 << 20);
    served_disconnect(&f->link);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(everything_is_fetched, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_in_the_cache_is_not_fetched_again, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(with_a_token_what_is_sent_is_sealed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(wrong_tokens_and_projects_are_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_project_that_compiles_is_waited_for, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_project_that_does_not_compile_is_refused, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_damaged_content_is_fetched_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_content_that_stays_damaged_is_given_up_and_not_stored,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_changed_on_its_way_is_found_with_a_token, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(
            a_file_that_the_compiler_replaced_meanwhile_comes_with_the_next_list, set_up,
            tear_down),
        cmocka_unit_test_setup_teardown(a_disk_that_is_full_ends_the_connection_and_keeps_the_rest,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_server_refuses_bad_messages, set_up, tear_down),
        cmocka_unit_test_setup_teardown(contents_that_the_list_does_not_have_are_gone, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(the_engine_refuses_bad_messages, set_up, tear_down),
        cmocka_unit_test_setup_teardown(other_protocols_and_data_are_named_with_both_versions,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_engine_that_reads_nothing_does_not_fill_the_memory,
                                        set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
