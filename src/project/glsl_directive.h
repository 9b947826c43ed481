// glsl_directive.h: the lines of GLSL that begin with `#`, as the compiler and tools see them.
//
// `#include "path"` is not GLSL's own: the compiler puts the file of this project path in its
// place. Comments are passed over; what `#if` leaves out is not. Any thread.
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
    const char *name;  // behind `#` and blanks, in the line
} ct_glsl_directive;

// Starts at `text` of `bytes` bytes, whose first line is number `line`.
static inline ct_glsl_reader ct_glsl_reader_of(const char *text, uint64_t bytes, uint32_t line) {
    return (ct_glsl_reader){.at = text, .end = text + bytes, .line = line};
}

// The next directive that does not begin inside of a comment. False at the end.
bool ct_glsl_next_directive(ct_glsl_reader *r, ct_glsl_directive *directive);

// True for `#name …`.
bool ct_glsl_directive_is(const ct_glsl_directive *directive, const char *name);

// What stands behind the name, and blanks, up to the line's end without `\r`.
const char *ct_glsl_directive_rest(const ct_glsl_directive *directive, uint32_t *bytes);

// The path between the quotes of `#include "path"`, of `bytes` bytes and at least one; NULL when
// something else follows.
const char *ct_glsl_included_path(const ct_glsl_directive *directive, uint32_t *bytes);
