// glsl_directive.h: reads the lines of GLSL that begin with `#`, for the compiler and tools.
//
// `#include "path"` is not a part of GLSL: the compiler replaces it by the file at this project
// path. Comments are skipped; lines that `#if` leaves out are not. Any thread.
#pragma once
#include "foundation/types.h"

typedef struct ct_glsl_reader {
    const char *at, *end;
    uint32_t line; // of `at`
    bool is_in_comment;
} ct_glsl_reader;

// A line of the text; borrowed from it.
typedef struct ct_glsl_directive {
    const char *start; // of the line
    uint32_t bytes;    // of the line, without `\n`
    uint32_t line;     // its number
    const char *name;  // after `#` and blanks, in the line
} ct_glsl_directive;

// Returns a reader at the start of `text` of `bytes` bytes, whose first line has the number `line`.
static inline ct_glsl_reader ct_glsl_reader_of(const char *text, uint64_t bytes, uint32_t line) {
    return (ct_glsl_reader){.at = text, .end = text + bytes, .line = line};
}

// Reads the next directive that does not begin inside a comment. False at the end.
bool ct_glsl_next_directive(ct_glsl_reader *r, ct_glsl_directive *directive);

// Returns whether the directive is `#name …`.
bool ct_glsl_directive_is(const ct_glsl_directive *directive, const char *name);

// Returns the text after the name and blanks, up to the end of the line, without `\r`.
const char *ct_glsl_directive_rest(const ct_glsl_directive *directive, uint32_t *bytes);

// Returns the path between the quotes of `#include "path"`, and its length in `bytes`, at least 1;
// NULL when something else follows.
const char *ct_glsl_included_path(const ct_glsl_directive *directive, uint32_t *bytes);
