// Unicode's own tests of levels, order, line breaks and grapheme clusters (package unicode-data).
#include "foundation/error.h"
#include "foundation/os/file.h"
#include "foundation/string/utf8.h"
#include "support/test_support.h"
#include "text/text_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNICODE "/usr/share/unicode/"

enum { MAX_CHARACTERS = 512 };

static ct_text *engine;
static uint32_t num_lines, num_known; // lines of a test; those that are answered in another way

// A text of a test, character by character.
typedef struct sample {
    uint8_t text[4 * MAX_CHARACTERS];
    uint32_t num_bytes, num_characters;
    uint32_t byte_of[MAX_CHARACTERS + 1];
} sample;

static int set_up(void **state) {
    (void)state;
    engine = ct_text_create(test_heap());
    num_lines = num_known = 0;
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    ct_text_destroy(engine);
    return 0;
}

// Calls `check` with each line of a file that is not a comment.
static void for_each_line(const char *path, void (*check)(char *line, uint32_t number)) {
    FILE *const file = fopen(path, "r");
    assert_non_null(file);
    char line[8192];
    for (uint32_t number = 1; fgets(line, sizeof(line), file); ++number) {
        line[strcspn(line, "#\n")] = '\0';
        if (line[0] == '\0')
            continue;
        check(line, number);
        ++num_lines;
    }
    fclose(file);
}

static void add_character(sample *s, uint32_t codepoint) {
    assert_true(s->num_characters < MAX_CHARACTERS);
    s->byte_of[s->num_characters++] = s->num_bytes;
    s->num_bytes += ct_utf8_encode((char *)s->text + s->num_bytes, codepoint);
    s->byte_of[s->num_characters] = s->num_bytes;
}

// --- Levels and order ----------------------------------------------------------------------------

// Lines of a test that ICU answers in another way, with the reason.
typedef struct known {
    uint32_t first, last;
    const char *reason;
} known;

// Lines of BidiCharacterTest.txt.
static const known bidi_lines[] = {
    {59, 62, "ICU gives an isolate right behind a PDF the level of the embedding that ended"},
    {65, 80,
     "ICU pairs brackets by the levels of their embeddings where an override is around one"},
    {83, 88,
     "ICU leaves a mark behind a paired bracket at the level that it has without the bracket"},
    {102, 102, "as 83; a zero-width character is between them"},
    {108, 108, "as 102"},
    {113, 113, "as 102"},
    {120, 120, "ICU pairs more than the 63 nested brackets that the algorithm has room for"},
    {164, 164, "ICU lets a number behind a PDF keep the level of numbers"},
};

// Lines of LineBreakTest.txt.
static const known break_lines[] = {
    {2265, 2267, "ICU keeps a hyphen at the start of a word with the word (-#)"},
    {2421, 2431, "as 2265"},
    {2873, 2875, "ICU keeps a comma before a number with the number (,5)"},
    {7477, 7477, "ICU keeps a full stop before a number with the number (.35)"},
    {7576, 7581, "as 7477"},
    {7583, 7587, "as 7477"},
};

static bool is_line_right; // so far

static bool is_known(const known *lines, uint32_t count, uint32_t line) {
    for (uint32_t i = 0; i < count; ++i)
        if (line >= lines[i].first && line <= lines[i].last)
            return true;
    return false;
}

// Compares the levels; `x` is a character that the algorithm removes. Fills those that are left.
static uint32_t check_levels(const sample *s, char *fields, uint8_t base,
                             const ct_byte_array *levels, uint8_t *left, uint32_t *index_of) {
    uint32_t count = 0, i = 0;
    for (char *next, *at = strtok_r(fields, " ", &next); at; at = strtok_r(NULL, " ", &next), ++i) {
        const uint8_t level = levels->count > 0 ? levels->items[s->byte_of[i]] : base;
        if (at[0] == 'x')
            continue;
        if (level != (uint8_t)atoi(at))
            is_line_right = false;
        left[count] = level;
        index_of[count++] = i;
    }
    assert_int_equal(i, s->num_characters);
    return count;
}

static void check_bidi(char *line, uint32_t number) {
    char *next_field, *fields[5];
    for (uint32_t i = 0; i < 5; ++i) {
        fields[i] = strtok_r(i == 0 ? line : NULL, ";", &next_field);
        fields[i] = fields[i] ? fields[i] : line + strlen(line);
    }
    sample s = {0};
    for (char *next, *at = strtok_r(fields[0], " ", &next); at; at = strtok_r(NULL, " ", &next))
        add_character(&s, (uint32_t)strtoul(at, NULL, 16));
    static const ct_text_direction directions[] = {
        CT_TEXT_DIRECTION_LEFT_TO_RIGHT, CT_TEXT_DIRECTION_RIGHT_TO_LEFT, CT_TEXT_DIRECTION_AUTO};
    ct_byte_array *const levels = &engine->work.levels;
    const uint8_t base =
        ct_text_find_levels(engine, s.text, s.num_bytes, directions[atoi(fields[1])], levels);
    if (base != (uint8_t)atoi(fields[2]))
        fail_msg("line %u: the base level is %u, expected %s", number, base, fields[2]);
    is_line_right = true;
    uint8_t left[MAX_CHARACTERS];
    uint32_t index_of[MAX_CHARACTERS], order[MAX_CHARACTERS], i = 0;
    const uint32_t count = check_levels(&s, fields[3], base, levels, left, index_of);
    ct_text_visual_order(left, count, order);
    for (char *next, *at = strtok_r(fields[4], " ", &next); at;
         at = strtok_r(NULL, " ", &next), ++i)
        if (i >= count || index_of[order[i]] != (uint32_t)atoi(at))
            is_line_right = false;
    assert_int_equal(i, count);
    if (is_line_right)
        return;
    if (!is_known(bidi_lines, CT_COUNT_OF(bidi_lines), number))
        fail_msg("BidiCharacterTest.txt:%u has other levels, or another order", number);
    ++num_known;
}

static void finds_levels_and_order(void **state) {
    (void)state;
    for_each_line(UNICODE "BidiCharacterTest.txt", check_bidi);
    assert_true(num_lines > 90000);
    assert_int_equal(num_known, 31);
}

// --- Breaks --------------------------------------------------------------------------------------

// Checks a line of characters between signs for breaks and others. Returns whether all are right.
static bool has_breaks(const char *line, bool has_lines, uint8_t mark) {
    static const char broken[] = "\xc3\xb7"; // the sign for a break
    sample s = {0};
    bool is_break[MAX_CHARACTERS + 1];
    uint32_t num_signs = 0;
    for (const char *at = line; *at != '\0';) {
        if (*at == ' ' || *at == '\t') {
            ++at;
        } else if ((uint8_t)*at == 0xc3) {
            is_break[num_signs++] = memcmp(at, broken, 2) == 0;
            at += 2;
        } else {
            add_character(&s, (uint32_t)strtoul(at, (char **)(uintptr_t)&at, 16));
        }
    }
    assert_int_equal(num_signs, s.num_characters + 1);
    uint8_t marks[sizeof(s.text) + 1] = {0};
    ct_text_find_breaks(engine, s.text, s.num_bytes, has_lines, marks);
    bool result = true;
    for (uint32_t i = 1; i < s.num_characters; ++i)
        result &= ((marks[s.byte_of[i]] & mark) != 0) == is_break[i];
    return result;
}

static void check_clusters(char *line, uint32_t number) {
    if (!has_breaks(line, false, CT_TEXT_MARK_CLUSTER))
        fail_msg("GraphemeBreakTest.txt:%u: %s", number, line);
}

static void check_lines(char *line, uint32_t number) {
    if (has_breaks(line, true, CT_TEXT_MARK_BREAK))
        return;
    if (!is_known(break_lines, CT_COUNT_OF(break_lines), number))
        fail_msg("LineBreakTest.txt:%u: %s", number, line);
    ++num_known;
}

static void finds_grapheme_clusters(void **state) {
    (void)state;
    for_each_line(UNICODE "auxiliary/GraphemeBreakTest.txt", check_clusters);
    assert_true(num_lines > 600);
}

static void finds_line_breaks(void **state) {
    (void)state;
    for_each_line(UNICODE "auxiliary/LineBreakTest.txt", check_lines);
    assert_true(num_lines > 7000);
    assert_int_equal(num_known, 22);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(finds_levels_and_order, set_up, tear_down),
        cmocka_unit_test_setup_teardown(finds_grapheme_clusters, set_up, tear_down),
        cmocka_unit_test_setup_teardown(finds_line_breaks, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
