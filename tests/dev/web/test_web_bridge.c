#include "support/test_support.h"

#include <string.h>

#include "dev/web/web_bridge.h"
#include "foundation/error.h"

// --- From a page ---------------------------------------------------------------------------------

static void a_text_message_becomes_json(void **state) {
    (void)state;
    ct_web_inbox in;
    ct_error reason = {0};
    ct_web_inbox_init(&in, test_heap());
    assert_int_equal(ct_web_inbox_add(&in, false, "{\"a\"", 4, false, &reason), CT_WEB_CLOSE_NONE);
    assert_false(in.is_whole);
    assert_int_equal(ct_web_inbox_add(&in, false, ":1}", 3, true, &reason), CT_WEB_CLOSE_NONE);
    assert_true(in.is_whole);
    assert_int_equal(in.framed.count, 15);
    assert_memory_equal(in.framed.items, "\0\0\0\0\0\0\0\x07{\"a\":1}", 15);
    ct_web_inbox_clear(&in);
    assert_int_equal(ct_web_inbox_add(&in, false, "", 0, true, &reason), CT_WEB_CLOSE_NONE);
    assert_int_equal(in.framed.count, 8);
    ct_web_inbox_free(&in);
}

static void a_binary_message_has_its_json_first(void **state) {
    (void)state;
    ct_web_inbox in;
    ct_error reason = {0};
    ct_web_inbox_init(&in, test_heap());
    static const char message[] = "\0\0\0\x0f{binary_size:3}\xff\0\x01";
    for (uint32_t i = 0; i + 1 < sizeof(message); ++i)
        assert_int_equal(
            ct_web_inbox_add(&in, true, message + i, 1, i + 2 == sizeof(message), &reason),
            CT_WEB_CLOSE_NONE);
    assert_true(in.is_whole);
    assert_memory_equal(in.framed.items, "\0\0\0\x01", 4);
    assert_memory_equal(in.framed.items + 4, message, sizeof(message) - 1);
    ct_web_inbox_free(&in);
}

static void a_binary_message_with_a_wrong_size_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *message;
        uint32_t bytes;
        const char *reason;
    } wrong[] = {
        {"", 0, "too few bytes"},
        {"\0\0", 2, "too few bytes"},
        {"\0\0\0\x0f{binary_size:3}ab", 21, "too few bytes"},
        {"\0\0\0\x0f{binary_size:3}abcd", 23, "too many bytes"},
        {"\0\0\0\x50{binary_size:3}abc", 22, "too few bytes"},
        {"\0\0\0\x02{}", 6, "binary_size"},
        {"\0\0\0\x02{]", 6, "expected"},
        {"\xff\xff\xff\xff{}", 6, "at most"},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(wrong); ++i) {
        ct_web_inbox in;
        ct_error reason = {0};
        ct_web_inbox_init(&in, test_heap());
        assert_int_equal(
            ct_web_inbox_add(&in, true, wrong[i].message, wrong[i].bytes, true, &reason),
            CT_WEB_CLOSE_INVALID);
        assert_non_null(strstr(reason.message, wrong[i].reason));
        ct_web_inbox_free(&in);
    }
}

static void a_message_that_is_too_long_is_refused_before_its_end(void **state) {
    (void)state;
    enum { PART_BYTES = 1 << 20 };
    ct_web_inbox in;
    ct_error reason = {0};
    uint8_t *const part = CT_NEW_ARRAY(test_heap(), uint8_t, PART_BYTES);
    ct_web_inbox_init(&in, test_heap());
    for (uint32_t i = 0; i < CT_WEB_MAX_MESSAGE_BYTES / PART_BYTES; ++i)
        assert_int_equal(ct_web_inbox_add(&in, false, part, PART_BYTES, false, &reason),
                         CT_WEB_CLOSE_NONE);
    assert_int_equal(ct_web_inbox_add(&in, false, part, 1, false, &reason), CT_WEB_CLOSE_TOO_LONG);
    assert_non_null(strstr(reason.message, "longer than 16 MiB"));
    ct_web_inbox_free(&in);
    ct_free_sized(test_heap(), part, PART_BYTES);
}

// --- To a page -----------------------------------------------------------------------------------

static void add_message(ct_web_outbox *out, const char *json, uint32_t json_bytes,
                        const char *binary, uint64_t binary_bytes) {
    ct_byte_array framed;
    ct_array_init(&framed, test_heap());
    ct_message_write(&framed, json, json_bytes, binary, binary_bytes);
    ct_web_outbox_add(out, framed.items, framed.count);
    ct_array_free(&framed);
}

// Reads the chunks of one message, each of up to `capacity` bytes.
static uint32_t read_message(ct_web_outbox *out, uint32_t capacity, uint8_t *data,
                             bool *is_binary) {
    uint32_t bytes = 0;
    ct_web_chunk chunk = {0};
    ct_error error = {0};
    do {
        const bool is_first = bytes == 0;
        assert_true(ct_web_outbox_next(out, data + bytes, capacity, &chunk, &error));
        assert_int_equal(chunk.is_first, is_first);
        bytes += chunk.bytes;
        *is_binary = chunk.is_binary;
    } while (!chunk.is_last);
    return bytes;
}

static void messages_come_out_in_parts(void **state) {
    (void)state;
    static const char json[] = "{\"type\": \"x\", \"binary_size\": 10}";
    ct_web_outbox out;
    uint8_t data[256];
    bool is_binary = false;
    ct_web_outbox_init(&out, test_heap());
    for (uint32_t capacity = 8; capacity < 64; ++capacity) {
        assert_true(ct_web_outbox_wants_more(&out));
        add_message(&out, json, sizeof(json) - 1, "0123456789", 10);
        assert_false(ct_web_outbox_wants_more(&out));
        assert_int_equal(read_message(&out, capacity, data, &is_binary), 4 + sizeof(json) - 1 + 10);
        assert_true(is_binary);
        assert_memory_equal(data, "\0\0\0\x20", 4);
        assert_memory_equal(data + 4, json, sizeof(json) - 1);
        assert_memory_equal(data + 4 + sizeof(json) - 1, "0123456789", 10);
        add_message(&out, "{}", 2, NULL, 0);
        assert_int_equal(read_message(&out, capacity, data, &is_binary), 2);
        assert_false(is_binary);
    }
    ct_web_outbox_free(&out);
}

static void text_that_is_not_valid_is_repaired(void **state) {
    (void)state;
    ct_web_outbox out;
    uint8_t data[64];
    bool is_binary = false;
    ct_web_outbox_init(&out, test_heap());
    add_message(&out, "{a=\"\xc3\xa4\xff\xc3\"}", 10, NULL, 0);
    const uint32_t bytes = read_message(&out, 64, data, &is_binary);
    assert_int_equal(bytes, 14);
    assert_memory_equal(data, "{a=\"\xc3\xa4\xef\xbf\xbd\xef\xbf\xbd\"}", 14);
    ct_web_outbox_free(&out);
}

static void the_last_error_is_the_reason_of_a_close(void **state) {
    (void)state;
    static const char error[] = "{\"type\": \"error\", \"message\": \"too bad\"}";
    static const char answer[] = "{\"type\": \"error\", \"id\": 1, \"message\": \"too bad\"}";
    ct_web_outbox out;
    uint8_t data[128];
    bool is_binary = false;
    ct_web_outbox_init(&out, test_heap());
    add_message(&out, error, sizeof(error) - 1, NULL, 0);
    read_message(&out, 128, data, &is_binary);
    assert_string_equal(out.last_error, "too bad");
    add_message(&out, answer, sizeof(answer) - 1, NULL, 0);
    read_message(&out, 128, data, &is_binary);
    assert_string_equal(out.last_error, "");
    ct_web_outbox_free(&out);
}

static void a_broken_framing_is_an_error(void **state) {
    (void)state;
    ct_web_outbox out;
    uint8_t data[16];
    ct_web_chunk chunk;
    ct_error error = {0};
    ct_web_outbox_init(&out, test_heap());
    ct_web_outbox_add(&out, "\0\0\0\x07nonsense", 12);
    assert_false(ct_web_outbox_next(&out, data, sizeof(data), &chunk, &error));
    assert_non_null(strstr(error.message, "kind 7"));
    ct_web_outbox_free(&out);
}

static void a_reason_is_cut_between_characters(void **state) {
    (void)state;
    char text[CT_WEB_REASON_BYTES], reason[256];
    ct_web_write_reason("short", text);
    assert_string_equal(text, "short");
    memset(reason, 'x', 122);
    strcpy(reason + 122, "\xc3\xa4 and more");
    ct_web_write_reason(reason, text);
    assert_int_equal(strlen(text), 122);
    ct_web_write_reason("bad \xff byte", text);
    assert_string_equal(text, "bad ");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_message_becomes_json),
        cmocka_unit_test(a_binary_message_has_its_json_first),
        cmocka_unit_test(a_binary_message_with_a_wrong_size_is_refused),
        cmocka_unit_test(a_message_that_is_too_long_is_refused_before_its_end),
        cmocka_unit_test(messages_come_out_in_parts),
        cmocka_unit_test(text_that_is_not_valid_is_repaired),
        cmocka_unit_test(the_last_error_is_the_reason_of_a_close),
        cmocka_unit_test(a_broken_framing_is_an_error),
        cmocka_unit_test(a_reason_is_cut_between_characters),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
