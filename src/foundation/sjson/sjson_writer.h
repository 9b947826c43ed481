// sjson_writer.h: writes SJSON or JSON text, value by value.
//
// In SJSON, keys get quotes where they need them, multi-line text becomes a `"""` string, and a
// container is written on one line when it fits into 100 columns and holds no array of objects; in
// indented JSON, only arrays without objects are. JSON on one line has no line end after it.
//
// Begin and end must pair, and inside an object every value follows its key; anything else is a
// bug. Numbers are written in the shortest form that reads back to the same double.
#pragma once
#include "foundation/string/string_builder.h"

typedef enum ct_sjson_style {
    CT_SJSON_STYLE_JSON,        // strict JSON on one line
    CT_SJSON_STYLE_PRETTY_JSON, // strict JSON, indented by 4
    CT_SJSON_STYLE_SJSON,       // `key = value`, no commas, no braces at the root, indented by 4
} ct_sjson_style;

enum { CT_SJSON_WRITER_MAX_DEPTH = 600 };

typedef struct ct_sjson_writer {
    ct_string_builder *out;
    ct_sjson_style style;
    uint32_t depth;
    bool is_array[CT_SJSON_WRITER_MAX_DEPTH];
    bool has_children[CT_SJSON_WRITER_MAX_DEPTH];
    bool keeps_lines[CT_SJSON_WRITER_MAX_DEPTH]; // cannot be written on one line
    uint32_t begin[CT_SJSON_WRITER_MAX_DEPTH];   // the position of its bracket in `out`
    bool has_key;                                // a key was written; its value must follow
} ct_sjson_writer;

// Starts writing at the end of `out`, which is borrowed until the last end.
void ct_sjson_writer_init(ct_sjson_writer *w, ct_string_builder *out, ct_sjson_style style);

// Writes the key of the next value, within an object. Keys and strings are UTF-8; invalid bytes are
// written as U+FFFD.
void ct_sjson_write_key(ct_sjson_writer *w, const char *key);

// Begin and end an object or an array, as a value.
void ct_sjson_begin_object(ct_sjson_writer *w);
void ct_sjson_end_object(ct_sjson_writer *w);
void ct_sjson_begin_array(ct_sjson_writer *w);
void ct_sjson_end_array(ct_sjson_writer *w);

// Write a value. NaN and infinities are written as null.
void ct_sjson_write_null(ct_sjson_writer *w);
void ct_sjson_write_bool(ct_sjson_writer *w, bool value);
void ct_sjson_write_number(ct_sjson_writer *w, double value);

// Write a string value: zero-terminated, or of `bytes` bytes, zeros included.
void ct_sjson_write_string(ct_sjson_writer *w, const char *text);
void ct_sjson_write_string_bytes(ct_sjson_writer *w, const char *text, uint32_t bytes);

// Write a key and its value.
void ct_sjson_member_bool(ct_sjson_writer *w, const char *key, bool value);
void ct_sjson_member_number(ct_sjson_writer *w, const char *key, double value);
void ct_sjson_member_string(ct_sjson_writer *w, const char *key, const char *text);
void ct_sjson_member_bytes(ct_sjson_writer *w, const char *key, const char *text, uint32_t bytes);

// Appends `text` as a string in quotes, escaped as in JSON.
void ct_sjson_add_string(ct_string_builder *out, const char *text, uint32_t bytes);

// Returns whether SJSON needs quotes around `key`.
bool ct_sjson_key_needs_quotes(const char *key);

// Writes a value of a parsed document and everything in it. Together with the containers that are
// open, it must not be nested deeper than CT_SJSON_WRITER_MAX_DEPTH.
struct ct_sjson;
struct ct_sjson_value;
void ct_sjson_write_value(ct_sjson_writer *w, const struct ct_sjson *doc, struct ct_sjson_value v);
