// obj_text.h: reads Wavefront OBJ models and MTL material libraries, statement by statement.
//
// A statement is a line: its name, and words between blanks and tabs. A `\` at the end of a line
// continues it, except in a comment. A `#` in front of a word starts a comment. Lines end with LF,
// CR or CR LF. A byte order mark at the start and zero bytes at the end are skipped. The compiler
// uses this to read models, and tools use it to find the files that models name: both must agree.
#pragma once
#include "foundation/types.h"

typedef struct ct_error ct_error;

// A place in a text. Copy it to return to it later.
typedef struct ct_obj_text {
    const char *at, *end;
    const char *line_begin; // of the line of `at`
    uint32_t line;          // from 1
} ct_obj_text;

// A range of bytes in the text.
typedef struct ct_obj_span {
    const char *begin, *end;
} ct_obj_span;

// The result of ct_obj_text_number.
typedef enum ct_obj_number {
    CT_OBJ_NUMBER_NONE, // the statement has ended
    CT_OBJ_NUMBER_FOUND,
    CT_OBJ_NUMBER_BAD, // a word that is not a number; the text stays in front of it
} ct_obj_number;

// The options that may come before the file of a map.
typedef enum ct_obj_option_kind {
    CT_OBJ_OPTION_BLENDU,
    CT_OBJ_OPTION_BLENDV,
    CT_OBJ_OPTION_BOOST,
    CT_OBJ_OPTION_BM,
    CT_OBJ_OPTION_CC,
    CT_OBJ_OPTION_CLAMP,
    CT_OBJ_OPTION_MM,
    CT_OBJ_OPTION_IMFCHAN,
    CT_OBJ_OPTION_TEXRES,
    CT_OBJ_OPTION_TYPE,
    CT_OBJ_OPTION_O,
    CT_OBJ_OPTION_S,
    CT_OBJ_OPTION_T,
    CT_OBJ_OPTION_COUNT,
} ct_obj_option_kind;

// One option, and the numbers or the word after it.
typedef struct ct_obj_option {
    ct_obj_option_kind kind;
    const char *name; // "-bm"
    uint32_t num_numbers;
    float numbers[3];
    ct_obj_span word; // empty when there is none
} ct_obj_option;

// Returns the start of a text.
ct_obj_text ct_obj_text_open(const char *bytes, uint64_t size_bytes);

// Returns whether the bytes are such a text. False with `error`, which has the line, for UTF-16 and
// for a zero byte before the end.
bool ct_obj_text_check(const char *bytes, uint64_t size_bytes, ct_error *error);

// Skips the rest of a statement and moves past the name of the next one. False at the end.
bool ct_obj_text_next(ct_obj_text *t, ct_obj_span *name);

// Moves to the next word of the statement. Returns true when there is none.
bool ct_obj_text_is_at_end(ct_obj_text *t);

// Moves past the next word of the statement. False when there is none.
bool ct_obj_text_word(ct_obj_text *t, ct_obj_span *word);

// Moves past the next number. Numbers too large for a float become infinite. `nan` and `inf` are
// accepted too, in the spellings that programs use.
ct_obj_number ct_obj_text_number(ct_obj_text *t, float *value);

// Returns the rest of the statement as a name, which may have blanks inside. `#` starts a comment
// when a blank follows it ("Material #25" is a name).
ct_obj_span ct_obj_text_rest(ct_obj_text *t);

// Moves past the next option of a map. Returns false, and does not move, when there is none.
bool ct_obj_text_option(ct_obj_text *t, ct_obj_option *option);

// Returns the rest of the statement as a file name, like ct_obj_text_rest. But after a name with an
// extension any word that starts with `#` starts a comment, and options end the name too.
ct_obj_span ct_obj_text_file(ct_obj_text *t);

// Removes the name of a material library from the start of `names`, the rest of `mtllib`: up to a
// word that ends with ".mtl", or all of it when no word does. False when nothing is left.
bool ct_obj_text_library(ct_obj_span *names, ct_obj_span *name);

// Returns whether a statement of an MTL file names an image.
bool ct_obj_is_map(ct_obj_span statement);

// Returns whether `span` is `word`, ignoring case.
bool ct_obj_is_word(ct_obj_span span, const char *word);

// Writes `span` and a zero byte to `out` of `out_bytes` bytes (at least 1), with a blank where a
// line was continued. Returns the length; text that does not fit is cut off.
uint32_t ct_obj_span_copy(ct_obj_span span, char *out, uint64_t out_bytes);

// Returns the column, from 1, of `at`, which must be in the line of `t`.
uint32_t ct_obj_text_column(const ct_obj_text *t, const char *at);
