// obj_text.h: the text of Wavefront OBJ models and MTL material libraries, statement by statement.
//
// A statement is a line: its name, and words between blanks and tabs. A `\` at the end of a line
// continues it, but for a comment's. A `#` in front of a word starts a comment. Lines end with LF,
// CR or CR LF. A byte order mark at the start and zero bytes at the end are passed over. The
// compiler reads models through this, and tools the files that models name: they must agree.
#pragma once
#include "foundation/types.h"

typedef struct ct_error ct_error;

// A place in a text. Copy one to come back to it.
typedef struct ct_obj_text {
    const char *at, *end;
    const char *line_begin; // of the line of `at`
    uint32_t line;          // from 1
} ct_obj_text;

// Bytes of the text.
typedef struct ct_obj_span {
    const char *begin, *end;
} ct_obj_span;

// What ct_obj_text_number found.
typedef enum ct_obj_number {
    CT_OBJ_NUMBER_NONE, // the statement has ended
    CT_OBJ_NUMBER_FOUND,
    CT_OBJ_NUMBER_BAD, // a word that is no number, where the text still is
} ct_obj_number;

// The options that stand before the file of a map.
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

// One option and what follows it: numbers, or a word.
typedef struct ct_obj_option {
    ct_obj_option_kind kind;
    const char *name; // "-bm"
    uint32_t num_numbers;
    float numbers[3];
    ct_obj_span word; // empty when it is not there
} ct_obj_option;

// Starts at the first line.
ct_obj_text ct_obj_text_open(const char *bytes, uint64_t size_bytes);

// Returns false with the line when this is no such text: UTF-16, or a zero byte before the end.
bool ct_obj_text_check(const char *bytes, uint64_t size_bytes, ct_error *error);

// Passes over the rest of a statement, and goes behind the name of the next. False at the end.
bool ct_obj_text_next(ct_obj_text *t, ct_obj_span *name);

// Goes to the next word of the statement. Returns true when there is none.
bool ct_obj_text_is_at_end(ct_obj_text *t);

// Goes behind the next word of the statement. False when there is none.
bool ct_obj_text_word(ct_obj_text *t, ct_obj_span *word);

// Goes behind the next number. Those that no float holds are infinite; `nan` and `inf` are taken,
// too, in whatever way programs write them.
ct_obj_number ct_obj_text_number(ct_obj_text *t, float *value);

// The rest of the statement as a name, which may have blanks inside: `#` starts a comment when a
// blank follows it ("Material #25" is a name).
ct_obj_span ct_obj_text_rest(ct_obj_text *t);

// Goes behind the next option of a map. False, at the same place, when there is none.
bool ct_obj_text_option(ct_obj_text *t, ct_obj_option *option);

// As ct_obj_text_rest, the name of a file: behind one with an extension, any word that starts with
// `#` starts a comment, and options end it too.
ct_obj_span ct_obj_text_file(ct_obj_text *t);

// Takes the name of a material library off the front of `names`, the rest of `mtllib`: up to a word
// that ends with ".mtl", or all when none does. False when nothing is left.
bool ct_obj_text_library(ct_obj_span *names, ct_obj_span *name);

// Returns true when a statement of an MTL file names an image.
bool ct_obj_is_map(ct_obj_span statement);

// Returns true when `span` is `word`, whatever the case of its letters.
bool ct_obj_is_word(ct_obj_span span, const char *word);

// Writes `span` and a zero byte to `out`, which holds `out_bytes` (at least 1), with a blank for
// where a line was continued. Returns the length; what does not fit is cut.
uint32_t ct_obj_span_copy(ct_obj_span span, char *out, uint64_t out_bytes);

// The column of `at`, which lies in the line of `t`, from 1.
uint32_t ct_obj_text_column(const ct_obj_text *t, const char *at);
