#include "support/test_support.h"

#include <string.h>

#include "foundation/string/utf8.h"

static void takes_every_code_point_there_and_back(void **state) {
    (void)state;
    for (uint32_t code = 0; code < 0x110000; ++code) {
        if (code >= 0xd800 && code < 0xe000)
            continue;
        char text[4];
        const uint32_t bytes = ct_utf8_encode(text, code);
        assert_int_equal(ct_utf8_length(text, bytes), bytes);
        assert_int_equal(ct_utf8_decode(text), code);
        if (bytes > 1)
            assert_int_equal(ct_utf8_length(text, bytes - 1), 0);
    }
}

static void refuses_what_is_no_utf8(void **state) {
    (void)state;
    const char *const bad[] = {
        "\x80",         "\xc0\x80",         "\xc1\xbf",         "\xe0\x80\x80",
        "\xed\xa0\x80", "\xf0\x80\x80\x80", "\xf4\x90\x80\x80", "\xff",
        "a\xc3",        "\xe2\x82"};
    for (uint32_t i = 0; i < CT_COUNT_OF(bad); ++i)
        assert_false(ct_utf8_is_valid(bad[i], strlen(bad[i])));
    assert_true(ct_utf8_is_valid("häß€😀", strlen("häß€😀")));
    assert_true(ct_utf8_is_valid("a\0b", 3));
    assert_true(ct_utf8_is_valid("", 0));
}

static void knows_a_byte_order_mark(void **state) {
    (void)state;
    assert_int_equal(ct_utf8_mark_bytes("\xef\xbb\xbf", 3), 3);
    assert_int_equal(ct_utf8_mark_bytes("\xef\xbb\xbfx", 4), 3);
    assert_int_equal(ct_utf8_mark_bytes("\xef\xbb\xbf", 2), 0);
    assert_int_equal(ct_utf8_mark_bytes("x\xef\xbb\xbf", 4), 0);
    assert_int_equal(ct_utf8_mark_bytes("", 0), 0);
}

static void tells_what_is_not_seen(void **state) {
    (void)state;
    static const uint32_t hidden[] = {0,      0x1b,   '\n',   '\t',   0x7f,  0x9b,
                                      0x200b, 0x202e, 0x2066, 0xfeff, 0x61c, 0x2028};
    static const uint32_t shown[] = {' ', 'a', 0xe9, 0xa0, 0x2026, 0x4e00, 0x1f600};
    for (uint32_t i = 0; i < CT_COUNT_OF(hidden); ++i)
        assert_true(ct_utf8_is_hidden(hidden[i]));
    for (uint32_t i = 0; i < CT_COUNT_OF(shown); ++i)
        assert_false(ct_utf8_is_hidden(shown[i]));
}

static void maps_letters_to_their_other_case(void **state) {
    (void)state;
    const uint32_t pairs[][2] = {{'a', 'A'},     {'z', 'Z'},        {0xe4, 0xc4},   {0x101, 0x100},
                                 {0x3b1, 0x391}, {0x3c9, 0x3a9},    {0x436, 0x416}, {0x44f, 0x42f},
                                 {0x561, 0x531}, {0x10428, 0x10400}};
    for (uint32_t i = 0; i < CT_COUNT_OF(pairs); ++i) {
        assert_int_equal(ct_utf8_upper(pairs[i][0]), pairs[i][1]);
        assert_int_equal(ct_utf8_lower(pairs[i][1]), pairs[i][0]);
    }
    assert_int_equal(ct_utf8_upper(0xdf), 0xdf);
    assert_int_equal(ct_utf8_lower('1'), '1');
    assert_int_equal(ct_utf8_lower(0x10ffff), 0x10ffff);
}

static void mapping_twice_is_mapping_once(void **state) {
    (void)state;
    for (uint32_t code = 0; code < 0x110000; ++code) {
        const uint32_t lower = ct_utf8_lower(code), upper = ct_utf8_upper(code);
        assert_int_equal(ct_utf8_lower(lower), lower);
        assert_int_equal(ct_utf8_upper(upper), upper);
    }
}

static void writes_what_a_terminal_shows(void **state) {
    (void)state;
    const char *const cases[][2] = {
        {"", ""},
        {"units/größe.unit", "units/größe.unit"},
        {"new\nline\tand\rmore", "new\\nline\\tand\\rmore"},
        {"\x1b[31mred\x7f", "\\x1b[31mred\\x7f"},
        {"\xff\xc3(\xc3", "\\xff\\xc3(\\xc3"},
        {"a\xc2\x9b"
         "31m",
         "a\\xc2\\x9b31m"}, // the control sequence introducer in one
    };
    char text[64];
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        ct_utf8_write_printable(text, sizeof(text), cases[i][0]);
        assert_string_equal(text, cases[i][1]);
    }
    ct_utf8_write_printable(text, 4, "aß\n"); // an escape is there whole or not at all
    assert_string_equal(text, "aß");
    ct_utf8_write_printable(text, 3, "aß");
    assert_string_equal(text, "a");
    ct_utf8_write_printable(text, 1, "a");
    assert_string_equal(text, "");
}

static void writes_lines_piece_by_piece(void **state) {
    (void)state;
    static const char text[] = "one\n\ttwo\r\x1b\xff\0!";
    char piece[8], all[64] = "";
    uint32_t pieces = 0;
    for (uint64_t done = 0; done < sizeof(text) - 1;) {
        done += ct_utf8_write_printable_lines(piece, sizeof(piece), text + done,
                                              sizeof(text) - 1 - done);
        assert_true(piece[0] != 0);
        strcat(all, piece);
        ++pieces;
    }
    assert_string_equal(all, "one\n\ttwo\\r\\x1b\\xff\\x00!");
    assert_int_equal(pieces, 4);
    assert_int_equal(ct_utf8_write_printable_lines(piece, sizeof(piece), "", 0), 0);
    assert_string_equal(piece, "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_every_code_point_there_and_back),
        cmocka_unit_test(refuses_what_is_no_utf8),
        cmocka_unit_test(knows_a_byte_order_mark),
        cmocka_unit_test(tells_what_is_not_seen),
        cmocka_unit_test(maps_letters_to_their_other_case),
        cmocka_unit_test(mapping_twice_is_mapping_once),
        cmocka_unit_test(writes_what_a_terminal_shows),
        cmocka_unit_test(writes_lines_piece_by_piece),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
