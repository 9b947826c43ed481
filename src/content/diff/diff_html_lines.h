// diff_html_lines.h: pairs the lines of two texts, and finds the words that differ.
//
// Equal lines go together as a longest common subsequence has them. Between them, lines that are
// alike (half of their text or more, from the start and the end) pair up in order so that the sum
// of likeness is the greatest, by a table as of edit distances; of large stretches, those of the
// same number. A carriage return before a line end does not count. Any thread.
#pragma once
#include "foundation/container/array.h"

// A line of a text, without its end.
typedef struct ct_text_line {
    const char *text;
    uint32_t bytes;
} ct_text_line;

typedef CT_ARRAY(ct_text_line) ct_text_line_array;

#define CT_NO_LINE UINT32_MAX

// Lines beside each other: numbers from 0, CT_NO_LINE where one side has none.
typedef struct ct_line_row {
    uint32_t from, to;
    bool is_equal; // both lines are the same
    bool is_alike; // both have most in common, but not all; else they only share the row
} ct_line_row;

typedef CT_ARRAY(ct_line_row) ct_line_row_array;

// A stretch of one line that is or is not in the other.
typedef struct ct_word_run {
    uint32_t begin, bytes;
    bool is_common;
} ct_word_run;

typedef CT_ARRAY(ct_word_run) ct_word_run_array;

// Appends the lines of a text, borrowed from it. A byte order mark is left out, and so is an empty
// line after the last line end.
void ct_text_lines(const char *text, uint64_t size_bytes, ct_text_line_array *lines);

// Appends the rows with all lines of both texts, in order. Temporary memory is from `scratch`.
void ct_line_rows(const ct_text_line_array *from, const ct_text_line_array *to,
                  ct_allocator *scratch, ct_line_row_array *rows);

// Appends the stretches of `line`, which cover it, as against `other`.
void ct_word_runs(ct_text_line line, ct_text_line other, ct_allocator *scratch,
                  ct_word_run_array *runs);
