#include "foundation/error.h"
#include "foundation/os/message.h"
#include "support/test_support.h"

#include <stdio.h>
#include <string.h>

enum { MAX_BYTES = 1000 };

typedef struct fixture {
    ct_message_reader reader;
    ct_byte_array wire;
    ct_message message;
    ct_error error;
} fixture;

static fixture fix;

static int start_reader(void **state) {
    (void)state;
    memset(&fix, 0, sizeof(fix));
    ct_message_reader_init(&fix.reader, test_heap(), MAX_BYTES);
    ct_array_init(&fix.wire, test_heap());
    return 0;
}

static int end_reader(void **state) {
    (void)state;
    ct_message_reader_free(&fix.reader);
    ct_array_free(&fix.wire);
    return 0;
}

static ct_message_result next(void) {
    return ct_message_reader_next(&fix.reader, &fix.message, &fix.error);
}

static void write_message(const char *json, const void *binary, uint64_t binary_bytes) {
    ct_message_write(&fix.wire, json, (uint32_t)strlen(json), binary, binary_bytes);
}

static void add_wire(void) {
    ct_message_reader_add(&fix.reader, fix.wire.items, fix.wire.count);
}

static void add_header(uint32_t kind, uint32_t length) {
    const uint8_t header[8] = {
        (uint8_t)(kind >> 24),   (uint8_t)(kind >> 16),   (uint8_t)(kind >> 8),   (uint8_t)kind,
        (uint8_t)(length >> 24), (uint8_t)(length >> 16), (uint8_t)(length >> 8), (uint8_t)length};
    ct_message_reader_add(&fix.reader, header, sizeof(header));
}

static void expect_message(const char *json, const void *binary, uint64_t binary_bytes) {
    assert_int_equal(next(), CT_MESSAGE_RESULT_MESSAGE);
    assert_string_equal(fix.message.json, json);
    assert_int_equal(fix.message.json_bytes, strlen(json));
    assert_int_equal(fix.message.binary_bytes, binary_bytes);
    if (binary_bytes > 0)
        assert_memory_equal(fix.message.binary, binary, binary_bytes);
    else
        assert_null(fix.message.binary);
}

static void expect_error(const char *words) {
    assert_int_equal(next(), CT_MESSAGE_RESULT_ERROR);
    if (!strstr(fix.error.message, words))
        fail_msg("%s", fix.error.message);
    assert_int_equal(next(), CT_MESSAGE_RESULT_ERROR); // and stays one
}

static void wire_format_is_that_of_the_blog(void **state) {
    (void)state;
    write_message("{}", NULL, 0);
    write_message("{binary_size=3}", "\x01\x02\x03", 3);
    static const uint8_t expected[] = "\0\0\0\0\0\0\0\x02{}\0\0\0\x01\0\0\0\x0f{binary_size=3}"
                                      "\x01\x02\x03";
    assert_int_equal(fix.wire.count, sizeof(expected) - 1);
    assert_memory_equal(fix.wire.items, expected, fix.wire.count);
}

static void reads_what_was_written(void **state) {
    (void)state;
    write_message("{\"type\": \"ping\"}", NULL, 0);
    add_wire();
    expect_message("{\"type\": \"ping\"}", NULL, 0);
    assert_int_equal(next(), CT_MESSAGE_RESULT_NONE);
}

static void several_messages_in_one_piece(void **state) {
    (void)state;
    write_message("{a=1}", NULL, 0);
    write_message("{binary_size=4}", "\xff\0\xff\0", 4);
    write_message("", NULL, 0);
    write_message("{b=2}", NULL, 0);
    add_wire();
    expect_message("{a=1}", NULL, 0);
    expect_message("{binary_size=4}", "\xff\0\xff\0", 4);
    expect_message("", NULL, 0);
    expect_message("{b=2}", NULL, 0);
    assert_int_equal(next(), CT_MESSAGE_RESULT_NONE);
}

static void one_byte_at_a_time(void **state) {
    (void)state;
    write_message("{a=1}", NULL, 0);
    write_message("{binary_size=4}", "\xff\0\xff\0", 4);
    const uint32_t first_bytes = 8 + 5;
    for (uint32_t i = 0; i < fix.wire.count; ++i) {
        assert_int_equal(next(), CT_MESSAGE_RESULT_NONE);
        ct_message_reader_add(&fix.reader, fix.wire.items + i, 1);
        if (i + 1 == first_bytes)
            expect_message("{a=1}", NULL, 0);
    }
    expect_message("{binary_size=4}", "\xff\0\xff\0", 4);
    assert_int_equal(next(), CT_MESSAGE_RESULT_NONE);
}

static void random_messages_in_random_pieces_arrive_in_order(void **state) {
    (void)state;
    uint32_t random = 12345;
    const uint32_t count = test_rounds(2000, 200000);
    uint32_t seen = 0, written = 0;
    while (seen < count) {
        fix.wire.count = 0;
        for (uint32_t i = test_random(&random) % 20; i > 0 && written < count; --i, ++written) {
            char json[64];
            const uint32_t binary_bytes = written % 3 ? 0 : written % 50 + 1;
            uint8_t binary[64];
            memset(binary, (int)written, sizeof(binary));
            snprintf(json, sizeof(json), "number=%u binary_size=%u", written, binary_bytes);
            write_message(json, binary, binary_bytes);
        }
        for (uint32_t at = 0; at < fix.wire.count;) {
            uint32_t piece = test_random(&random) % 100;
            piece = piece < fix.wire.count - at ? piece : fix.wire.count - at;
            ct_message_reader_add(&fix.reader, fix.wire.items + at, piece);
            at += piece;
            while (next() == CT_MESSAGE_RESULT_MESSAGE) {
                uint32_t number = 0, binary_bytes = 0;
                assert_int_equal(
                    sscanf(fix.message.json, "number=%u binary_size=%u", &number, &binary_bytes),
                    2);
                assert_int_equal(number, seen++);
                assert_int_equal(fix.message.binary_bytes, binary_bytes);
                for (uint32_t i = 0; i < binary_bytes; ++i)
                    assert_int_equal(fix.message.binary[i], (uint8_t)number);
            }
        }
    }
    assert_true(fix.reader.bytes.capacity < 16384); // nothing piles up
}

static void length_of_4_gigabytes_is_refused_at_once(void **state) {
    (void)state;
    add_header(0, UINT32_MAX);
    expect_error("JSON has 4294967295 bytes; at most 1000 are allowed");
    assert_true(fix.reader.bytes.capacity < 1000);
}

static void greatest_length_is_taken_and_the_next_refused(void **state) {
    (void)state;
    char json[MAX_BYTES + 2];
    memset(json, ' ', sizeof(json));
    json[MAX_BYTES] = 0;
    write_message(json, NULL, 0);
    add_wire();
    expect_message(json, NULL, 0);
    add_header(0, MAX_BYTES + 1);
    expect_error("JSON has 1001 bytes; at most 1000 are allowed");
}

static void garbage_kind_is_refused_with_its_first_4_bytes(void **state) {
    (void)state;
    ct_message_reader_add(&fix.reader, "GET", 3);
    assert_int_equal(next(), CT_MESSAGE_RESULT_NONE);
    ct_message_reader_add(&fix.reader, " ", 1);
    expect_error("kind 1195725856; expected 0 (JSON) or 1 (with binary)");
}

static void kind_2_is_refused(void **state) {
    (void)state;
    add_header(2, 2);
    expect_error("kind 2; expected 0 (JSON) or 1 (with binary)");
}

// Feeds a message of kind 1 with this JSON and no binary.
static void add_binary_message(const char *json) {
    add_header(1, (uint32_t)strlen(json));
    ct_message_reader_add(&fix.reader, json, strlen(json));
}

static void binary_needs_its_size(void **state) {
    (void)state;
    add_binary_message("{type=\"x\"}");
    expect_error("needs `binary_size`");
}

static void binary_size_of_another_type_is_refused(void **state) {
    (void)state;
    add_binary_message("{binary_size=\"3\"}");
    expect_error("needs `binary_size`");
}

static void negative_binary_size_is_refused(void **state) {
    (void)state;
    add_binary_message("{binary_size=-3}");
    expect_error("needs `binary_size`");
}

static void broken_binary_size_is_refused(void **state) {
    (void)state;
    add_binary_message("{binary_size=2.5}");
    expect_error("not a whole number");
}

static void binary_over_the_limit_is_refused_before_it_comes(void **state) {
    (void)state;
    add_binary_message("{binary_size=1e300}");
    expect_error("at most 1000 are allowed");
}

static void binary_message_with_broken_json_is_refused(void **state) {
    (void)state;
    add_binary_message("{binary_size=[}");
    assert_int_equal(next(), CT_MESSAGE_RESULT_ERROR);
    assert_int_equal(fix.error.line, 1);
    assert_int_not_equal(fix.error.column, 0);
    assert_string_equal(fix.error.file, "message");
}

static void empty_binary_is_a_message(void **state) {
    (void)state;
    add_binary_message("{binary_size=0}");
    expect_message("{binary_size=0}", NULL, 0);
}

// As our own programs write it, which is read without the parser.
static void a_size_alone_is_taken_as_in_any_json(void **state) {
    (void)state;
    write_message("{\"binary_size\": 4}", "\x01\x02\x03\x04", 4);
    add_wire();
    expect_message("{\"binary_size\": 4}", "\x01\x02\x03\x04", 4);
    add_binary_message("{\"binary_size\": 0}");
    expect_message("{\"binary_size\": 0}", NULL, 0);
}

static void bad_sizes_alone_are_refused(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"{\"binary_size\": 1001}", "1001 bytes; at most 1000 are allowed"},
        {"{\"binary_size\": 4294967300}", "4294967300 bytes; at most 1000 are allowed"},
        {"{\"binary_size\": 18446744073709551620}", "at most 1000 are allowed"},
        {"{\"binary_size\": -4}", "needs `binary_size`"},
        {"{\"binary_size\": }", "expected"},
        {"{\"binary_size\": 4", "expected"},
        {"{\"binary_size\": 4]", "expected"},
        {"{\"binary_size\": 4:}", "expected"},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        add_binary_message(cases[i][0]);
        expect_error(cases[i][1]);
        ct_message_reader_free(&fix.reader);
    }
}

static void half_a_message_waits(void **state) {
    (void)state;
    write_message("{binary_size=4}", "\x01\x02\x03\x04", 4);
    ct_message_reader_add(&fix.reader, fix.wire.items, fix.wire.count - 1);
    for (uint32_t i = 0; i < 3; ++i)
        assert_int_equal(next(), CT_MESSAGE_RESULT_NONE);
}

// --- Messages that wait --------------------------------------------------------------------------

static void expect_peeked(uint32_t *offset, const char *json, uint64_t binary_bytes) {
    ct_message peeked;
    assert_true(ct_message_reader_peek(&fix.reader, offset, &peeked));
    assert_int_equal(peeked.json_bytes, strlen(json));
    assert_memory_equal(peeked.json, json, strlen(json));
    assert_int_equal(peeked.binary_bytes, binary_bytes);
    assert_int_equal(peeked.binary != NULL, binary_bytes > 0);
}

static void peeks_at_messages_that_wait(void **state) {
    static const char with_binary[] = "{\"a\": 1, \"binary_size\": 3}";
    ct_message peeked;
    uint32_t offset = 0;
    (void)state;
    assert_false(ct_message_reader_peek(&fix.reader, &offset, &peeked));
    write_message("{\"first\": 1}", NULL, 0);
    write_message(with_binary, "xyz", 3);
    write_message("{\"last\": 3}", NULL, 0);
    add_wire();
    add_header(0, 20); // half a message
    expect_message("{\"first\": 1}", NULL, 0);
    for (uint32_t i = 0; i < 2; ++i) {
        offset = 0;
        expect_peeked(&offset, with_binary, 3);
        expect_peeked(&offset, "{\"last\": 3}", 0);
        assert_false(ct_message_reader_peek(&fix.reader, &offset, &peeked));
    }
    expect_message(with_binary, "xyz", 3);
    offset = 0;
    expect_peeked(&offset, "{\"last\": 3}", 0);
    expect_message("{\"last\": 3}", NULL, 0);
    offset = 0;
    assert_false(ct_message_reader_peek(&fix.reader, &offset, &peeked));
    assert_int_equal(next(), CT_MESSAGE_RESULT_NONE);
}

static void peeks_at_nothing_malformed(void **state) {
    ct_message peeked;
    uint32_t offset = 0;
    (void)state;
    write_message("{}", NULL, 0);
    add_wire();
    add_header(7, 2);
    assert_true(ct_message_reader_peek(&fix.reader, &offset, &peeked));
    assert_false(ct_message_reader_peek(&fix.reader, &offset, &peeked));
    expect_message("{}", NULL, 0);
    expect_error("unknown message kind 7");
}

#define MESSAGE_TEST(f) cmocka_unit_test_setup_teardown(f, start_reader, end_reader)

int main(void) {
    const struct CMUnitTest tests[] = {
        MESSAGE_TEST(wire_format_is_that_of_the_blog),
        MESSAGE_TEST(reads_what_was_written),
        MESSAGE_TEST(several_messages_in_one_piece),
        MESSAGE_TEST(one_byte_at_a_time),
        MESSAGE_TEST(random_messages_in_random_pieces_arrive_in_order),
        MESSAGE_TEST(length_of_4_gigabytes_is_refused_at_once),
        MESSAGE_TEST(greatest_length_is_taken_and_the_next_refused),
        MESSAGE_TEST(garbage_kind_is_refused_with_its_first_4_bytes),
        MESSAGE_TEST(kind_2_is_refused),
        MESSAGE_TEST(binary_needs_its_size),
        MESSAGE_TEST(binary_size_of_another_type_is_refused),
        MESSAGE_TEST(negative_binary_size_is_refused),
        MESSAGE_TEST(broken_binary_size_is_refused),
        MESSAGE_TEST(binary_over_the_limit_is_refused_before_it_comes),
        MESSAGE_TEST(binary_message_with_broken_json_is_refused),
        MESSAGE_TEST(empty_binary_is_a_message),
        MESSAGE_TEST(half_a_message_waits),
        MESSAGE_TEST(a_size_alone_is_taken_as_in_any_json),
        MESSAGE_TEST(bad_sizes_alone_are_refused),
        MESSAGE_TEST(peeks_at_messages_that_wait),
        MESSAGE_TEST(peeks_at_nothing_malformed),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
