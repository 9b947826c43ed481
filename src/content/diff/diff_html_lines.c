#include "content/diff/diff_html_lines.h"

#include <string.h>

#include "content/sequence_alignment.h"
#include "foundation/string/string_id.h"
#include "foundation/string/utf8.h"

enum {
    MOST_COMPARED_BYTES = 256, // of a line, for likeness
    MOST_PAIRS = 1 << 16,      // of lines that are compared each with each
    LIKE = 128,                // likeness from which lines pair up, of 256
};

typedef CT_ARRAY(ct_text_line) word_array;

void ct_text_lines(const char *text, uint64_t size_bytes, ct_text_line_array *lines) {
    const char *const end = text + size_bytes;
    text += ct_utf8_mark_bytes(text, size_bytes);
    while (text < end) {
        const char *const feed = memchr(text, '\n', (size_t)(end - text));
        const char *line_end = feed ? feed : end;
        const char *const next = feed ? feed + 1 : end;
        if (line_end > text && line_end[-1] == '\r')
            --line_end;
        ct_array_push(lines, (ct_text_line){text, (uint32_t)(line_end - text)});
        text = next;
    }
}

static uint64_t *hashes_of(const ct_text_line *parts, uint32_t count, ct_allocator *a) {
    uint64_t *const hashes = CT_NEW_ARRAY(a, uint64_t, count);
    for (uint32_t i = 0; i < count; ++i)
        hashes[i] = ct_string_id64_of_bytes(parts[i].text, parts[i].bytes).value;
    return hashes;
}

// What both have in common, and a run of nothing at the end.
static void align(const ct_text_line *from, uint32_t num_from, const ct_text_line *to,
                  uint32_t num_to, ct_allocator *scratch, ct_sequence_run_array *runs) {
    uint64_t *const a = hashes_of(from, num_from, scratch), *const b =
                                                                hashes_of(to, num_to, scratch);
    ct_array_init(runs, scratch);
    ct_sequence_align(a, num_from, b, num_to, NULL, scratch, runs);
    ct_array_push(runs, (ct_sequence_run){num_from, num_to, 0});
    ct_free(scratch, a);
    ct_free(scratch, b);
}

// --- Likeness ------------------------------------------------------------------------------------

static ct_text_line trimmed(ct_text_line line) {
    while (line.bytes > 0 && (line.text[0] == ' ' || line.text[0] == '\t')) {
        ++line.text;
        --line.bytes;
    }
    if (line.bytes > MOST_COMPARED_BYTES)
        line.bytes = MOST_COMPARED_BYTES;
    return line;
}

// 0 for lines that have nothing in common at start and end, 256 for equal ones.
static uint32_t likeness(ct_text_line x, ct_text_line y) {
    x = trimmed(x);
    y = trimmed(y);
    const uint32_t least = x.bytes < y.bytes ? x.bytes : y.bytes;
    uint32_t start = 0, end = 0;
    while (start < least && x.text[start] == y.text[start])
        ++start;
    while (end < least - start && x.text[x.bytes - 1 - end] == y.text[y.bytes - 1 - end])
        ++end;
    const uint32_t sum = x.bytes + y.bytes;
    return sum > 0 ? (start + end) * 512 / sum : 256;
}

// --- Rows ----------------------------------------------------------------------------------------

// Lines between two runs of equal ones.
typedef struct line_gap {
    uint32_t from, num_from, to, num_to;
} line_gap;

// Puts removed and added lines that are not alike beside each other, to save place.
static void push_unlike(ct_line_row_array *rows, line_gap g) {
    for (uint32_t i = 0; i < g.num_from || i < g.num_to; ++i)
        ct_array_push(rows, (ct_line_row){i < g.num_from ? g.from + i : CT_NO_LINE,
                                          i < g.num_to ? g.to + i : CT_NO_LINE, false, false});
}

// The table of the greatest sums of likeness of the lines from i and j on; those below LIKE do not
// count.
static uint32_t *likeness_table(const ct_text_line *from, const ct_text_line *to, line_gap g,
                                ct_allocator *scratch) {
    const uint32_t width = g.num_to + 1;
    uint32_t *const sums = CT_NEW_ARRAY(scratch, uint32_t, (uint64_t)(g.num_from + 1) * width);
    for (uint32_t i = g.num_from; i-- > 0;) {
        for (uint32_t j = g.num_to; j-- > 0;) {
            const uint32_t like = likeness(from[g.from + i], to[g.to + j]);
            const uint32_t below = sums[(i + 1) * width + j], right = sums[i * width + j + 1];
            const uint32_t both = like >= LIKE ? like + sums[(i + 1) * width + j + 1] : 0;
            const uint32_t apart = below > right ? below : right;
            sums[i * width + j] = both > apart ? both : apart;
        }
    }
    return sums;
}

static void push_gap(const ct_text_line *from, const ct_text_line *to, line_gap g,
                     ct_allocator *scratch, ct_line_row_array *rows) {
    if (g.num_from == 0 || g.num_to == 0 || (uint64_t)g.num_from * g.num_to > MOST_PAIRS) {
        push_unlike(rows, g);
        return;
    }
    uint32_t *const sums = likeness_table(from, to, g, scratch);
    const uint32_t width = g.num_to + 1;
    line_gap unlike = {g.from, 0, g.to, 0};
    uint32_t i = 0, j = 0;
    while (i < g.num_from && j < g.num_to && sums[i * width + j] > 0) {
        if (sums[i * width + j] == sums[(i + 1) * width + j]) {
            ++i;
        } else if (sums[i * width + j] == sums[i * width + j + 1]) {
            ++j;
        } else {
            unlike.num_from = g.from + i - unlike.from;
            unlike.num_to = g.to + j - unlike.to;
            push_unlike(rows, unlike);
            ct_array_push(rows, (ct_line_row){g.from + i, g.to + j, false, true});
            unlike = (line_gap){g.from + ++i, 0, g.to + ++j, 0};
        }
    }
    unlike.num_from = g.from + g.num_from - unlike.from;
    unlike.num_to = g.to + g.num_to - unlike.to;
    push_unlike(rows, unlike);
    ct_free(scratch, sums);
}

void ct_line_rows(const ct_text_line_array *from, const ct_text_line_array *to,
                  ct_allocator *scratch, ct_line_row_array *rows) {
    ct_sequence_run_array runs;
    align(from->items, from->count, to->items, to->count, scratch, &runs);
    uint32_t i = 0, j = 0;
    for (uint32_t r = 0; r < runs.count; ++r) {
        const ct_sequence_run run = runs.items[r];
        push_gap(from->items, to->items, (line_gap){i, run.a - i, j, run.b - j}, scratch, rows);
        for (uint32_t k = 0; k < run.count; ++k)
            ct_array_push(rows, (ct_line_row){run.a + k, run.b + k, true, false});
        i = run.a + run.count;
        j = run.b + run.count;
    }
    ct_array_free(&runs);
}

// --- Words ---------------------------------------------------------------------------------------

// Words and numbers, stretches of blanks, and all else one by one.
static int kind_of(char c) {
    if (c == ' ' || c == '\t')
        return 1;
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
                   c == '.' || c == '-' || (uint8_t)c >= 0x80
               ? 2
               : 0;
}

static void split_words(ct_text_line line, word_array *words) {
    for (uint32_t begin = 0, end; begin < line.bytes; begin = end) {
        const int kind = kind_of(line.text[begin]);
        end = begin + 1;
        while (kind > 0 && end < line.bytes && kind_of(line.text[end]) == kind)
            ++end;
        ct_array_push(words, (ct_text_line){line.text + begin, end - begin});
    }
}

static void push_words(ct_text_line line, const word_array *words, uint32_t begin, uint32_t end,
                       bool is_common, ct_word_run_array *runs) {
    if (begin == end)
        return;
    const uint32_t at = (uint32_t)(words->items[begin].text - line.text);
    const ct_text_line last = words->items[end - 1];
    ct_array_push(
        runs, (ct_word_run){at, (uint32_t)(last.text + last.bytes - line.text) - at, is_common});
}

void ct_word_runs(ct_text_line line, ct_text_line other, ct_allocator *scratch,
                  ct_word_run_array *runs) {
    word_array words, others;
    ct_sequence_run_array common;
    ct_array_init(&words, scratch);
    ct_array_init(&others, scratch);
    split_words(line, &words);
    split_words(other, &others);
    align(words.items, words.count, others.items, others.count, scratch, &common);
    uint32_t done = 0;
    for (uint32_t r = 0; r < common.count; ++r) {
        const ct_sequence_run run = common.items[r];
        push_words(line, &words, done, run.a, false, runs);
        push_words(line, &words, run.a, run.a + run.count, true, runs);
        done = run.a + run.count;
    }
    ct_array_free(&words);
    ct_array_free(&others);
    ct_array_free(&common);
}
