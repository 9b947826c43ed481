#include "foundation/sjson/sjson_writer.h"

#include <math.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/sjson/sjson.h"
#include "foundation/sjson/sjson_number.h"
#include "foundation/string/utf8.h"

enum { INDENT = 4, MAX_LINE_BYTES = 100 };

void ct_sjson_writer_init(ct_sjson_writer *w, ct_string_builder *out, ct_sjson_style style) {
    *w = (ct_sjson_writer){.out = out, .style = style};
}

// True for the object at the root of SJSON, which has no braces.
static bool is_bare(const ct_sjson_writer *w, uint32_t depth) {
    return depth == 0 && w->style == CT_SJSON_STYLE_SJSON && !w->is_array[0];
}

static void add_line_end(ct_sjson_writer *w, uint32_t depth) {
    static const char blanks[] = "                                ";
    ct_string_builder_add_char(w->out, '\n');
    uint32_t left = (is_bare(w, 0) && depth > 0 ? depth - 1 : depth) * INDENT;
    while (left > 0) {
        const uint32_t part = left < sizeof(blanks) - 1 ? left : (uint32_t)sizeof(blanks) - 1;
        ct_string_builder_add_bytes(w->out, blanks, part);
        left -= part;
    }
}

// Adds the text that comes before a child of the innermost container.
static void add_separator(ct_sjson_writer *w) {
    const uint32_t d = w->depth - 1;
    if (w->has_children[d] && w->style != CT_SJSON_STYLE_SJSON)
        ct_string_builder_add_char(w->out, ',');
    if (w->style != CT_SJSON_STYLE_JSON && (w->has_children[d] || !is_bare(w, d)))
        add_line_end(w, w->depth);
    w->has_children[d] = true;
}

static void before_value(ct_sjson_writer *w) {
    if (w->depth == 0)
        return;
    const bool is_member = !w->is_array[w->depth - 1];
    CT_ASSERT(w->has_key == is_member, "%s",
              is_member ? "a value without a key in an object" : "a key in an array");
    if (!is_member)
        add_separator(w);
    w->has_key = false;
}

// --- Strings -------------------------------------------------------------------------------------

static void add_escaped(ct_string_builder *out, uint8_t c) {
    static const char named[] = "\"\\\b\f\n\r\t", names[] = "\"\\bfnrt";
    const char *const found = c ? strchr(named, c) : NULL;
    if (found) {
        ct_string_builder_add_char(out, '\\');
        ct_string_builder_add_char(out, names[found - named]);
    } else {
        ct_string_builder_addf(out, "\\u%04x", c);
    }
}

static bool is_plain_ascii(char c) {
    return (int8_t)c >= 0x20 && c != '"' && c != '\\';
}

// Checks eight characters at once. No byte may have its highest bit set, neither as it is nor after
// a subtraction that goes below zero for a control character, a quote or a backslash. A subtraction
// that goes below zero borrows from the next byte, which no longer matters.
static bool are_plain_ascii(const char *text) {
    const uint64_t ones = 0x0101010101010101u, high = ones << 7;
    uint64_t c;
    memcpy(&c, text, sizeof(c));
    const uint64_t not_quote = (c ^ ones * '"') - ones, not_backslash = (c ^ ones * '\\') - ones;
    return ((c | (c - ones * ' ') | not_quote | not_backslash) & high) == 0;
}

// Returns the number of bytes from `at` that are written unchanged.
static uint32_t plain_bytes(const char *text, uint32_t at, uint32_t end) {
    const uint32_t begin = at;
    for (;;) {
        while (end - at >= 8 && are_plain_ascii(text + at))
            at += 8;
        while (at < end && is_plain_ascii(text[at]))
            ++at;
        if (at == end || (uint8_t)text[at] < 0x80)
            return at - begin;
        const uint32_t bytes = ct_utf8_length(text + at, end - at);
        if (bytes == 0)
            return at - begin;
        at += bytes;
    }
}

void ct_sjson_add_string(ct_string_builder *out, const char *text, uint32_t bytes) {
    ct_string_builder_add_char(out, '"');
    for (uint32_t at = 0; at < bytes;) {
        const uint32_t plain = plain_bytes(text, at, bytes);
        ct_string_builder_add_bytes(out, text + at, plain);
        at += plain;
        if (at == bytes)
            break;
        if ((uint8_t)text[at] < 0x80)
            add_escaped(out, (uint8_t)text[at]);
        else
            ct_string_builder_add(out, "\xef\xbf\xbd"); // U+FFFD
        ++at;
    }
    ct_string_builder_add_char(out, '"');
}

// Returns true for multi-line text that a `"""` string can hold unchanged.
static bool suits_raw_string(const char *text, uint32_t bytes) {
    if (bytes == 0 || !memchr(text, '\n', bytes) || text[bytes - 1] == '"' ||
        memmem(text, bytes, "\"\"\"", 3))
        return false;
    for (uint32_t at = 0; at < bytes;) {
        const uint8_t c = (uint8_t)text[at];
        const uint32_t length = ct_utf8_length(text + at, bytes - at);
        if (length == 0 || (c < 0x20 && c != '\n' && c != '\t'))
            return false;
        at += length;
    }
    return true;
}

bool ct_sjson_key_needs_quotes(const char *key) {
    const size_t plain = strspn(key, "abcdefghijklmnopqrstuvwxyz"
                                     "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.");
    return plain == 0 || key[plain] != 0;
}

// --- Containers ----------------------------------------------------------------------------------

static void begin_container(ct_sjson_writer *w, bool is_array) {
    CT_REQUIRE(w->depth < CT_SJSON_WRITER_MAX_DEPTH,
               "objects and arrays are nested more than %d deep", CT_SJSON_WRITER_MAX_DEPTH);
    before_value(w);
    const uint32_t d = w->depth++;
    w->is_array[d] = is_array;
    w->has_children[d] = w->keeps_lines[d] = false;
    w->begin[d] = w->out->length;
    if (!is_bare(w, d))
        ct_string_builder_add_char(w->out, is_array ? '[' : '{');
}

// Returns the bytes on the line before `at`, at most MAX_LINE_BYTES.
static uint32_t bytes_before(const ct_string_builder *out, uint32_t at) {
    uint32_t bytes = 0;
    while (bytes < MAX_LINE_BYTES && bytes < at && out->text[at - bytes - 1] != '\n')
        ++bytes;
    return bytes;
}

// Puts the container at depth `d`, which ends the text, on one line if it fits.
static bool bring_to_one_line(ct_sjson_writer *w, uint32_t d) {
    if (w->keeps_lines[d] || (!w->is_array[d] && w->style != CT_SJSON_STYLE_SJSON))
        return false;
    const char *const inner = !w->is_array[d] ? "  " : " "; // between children
    const char *const outer = !w->is_array[d] ? " " : "";   // inside of the brackets
    const char *const text = w->out->text;
    const uint32_t begin = w->begin[d], end = w->out->length;
    const uint32_t room = MAX_LINE_BYTES - bytes_before(w->out, begin);
    char line[MAX_LINE_BYTES + 4];
    uint32_t bytes = 0;
    for (uint32_t at = begin; at < end; ++at) {
        if (bytes >= room)
            return false;
        if (text[at] != '\n') {
            line[bytes++] = text[at];
            continue;
        }
        const bool is_first = at == begin + 1;
        at += (uint32_t)strspn(text + at + 1, " ");
        const char *const blanks = is_first || at + 2 == end ? outer : inner;
        memcpy(line + bytes, blanks, strlen(blanks));
        bytes += (uint32_t)strlen(blanks);
    }
    if (bytes > room)
        return false;
    w->out->length = begin;
    ct_string_builder_add_bytes(w->out, line, bytes);
    return true;
}

static void end_container(ct_sjson_writer *w, bool is_array) {
    CT_ASSERT(w->depth > 0 && w->is_array[w->depth - 1] == is_array,
              "an end without a matching begin");
    CT_ASSERT(!w->has_key, "a key without a value");
    const uint32_t d = --w->depth;
    const bool has_children = w->has_children[d];
    if (is_bare(w, d)) {
        if (has_children)
            ct_string_builder_add_char(w->out, '\n');
        return;
    }
    if (has_children && w->style != CT_SJSON_STYLE_JSON)
        add_line_end(w, d);
    ct_string_builder_add_char(w->out, is_array ? ']' : '}');
    if (w->style == CT_SJSON_STYLE_JSON)
        return;
    const bool is_one_line = !has_children || bring_to_one_line(w, d);
    if (d > 0 && (!is_one_line || (!is_array && w->is_array[d - 1])))
        w->keeps_lines[d - 1] = true;
    if (d == 0)
        ct_string_builder_add_char(w->out, '\n');
}

void ct_sjson_begin_object(ct_sjson_writer *w) {
    begin_container(w, false);
}

void ct_sjson_end_object(ct_sjson_writer *w) {
    end_container(w, false);
}

void ct_sjson_begin_array(ct_sjson_writer *w) {
    begin_container(w, true);
}

void ct_sjson_end_array(ct_sjson_writer *w) {
    end_container(w, true);
}

// --- Values --------------------------------------------------------------------------------------

void ct_sjson_write_key(ct_sjson_writer *w, const char *key) {
    CT_ASSERT(w->depth > 0 && !w->is_array[w->depth - 1], "the key \"%s\" outside of an object",
              key);
    CT_ASSERT(!w->has_key, "expected a value, found the key \"%s\"", key);
    add_separator(w);
    w->has_key = true;
    if (w->style == CT_SJSON_STYLE_SJSON && !ct_sjson_key_needs_quotes(key))
        ct_string_builder_add(w->out, key);
    else
        ct_sjson_add_string(w->out, key, (uint32_t)strlen(key));
    ct_string_builder_add(w->out, w->style == CT_SJSON_STYLE_SJSON  ? " = "
                                  : w->style == CT_SJSON_STYLE_JSON ? ":"
                                                                    : ": ");
}

void ct_sjson_write_null(ct_sjson_writer *w) {
    before_value(w);
    ct_string_builder_add(w->out, "null");
}

void ct_sjson_write_bool(ct_sjson_writer *w, bool value) {
    before_value(w);
    ct_string_builder_add(w->out, value ? "true" : "false");
}

void ct_sjson_write_number(ct_sjson_writer *w, double value) {
    if (!isfinite(value)) {
        ct_sjson_write_null(w);
        return;
    }
    before_value(w);
    char text[CT_SJSON_NUMBER_BYTES];
    ct_string_builder_add_bytes(w->out, text, ct_sjson_number_format(value, text));
}

void ct_sjson_write_string_bytes(ct_sjson_writer *w, const char *text, uint32_t bytes) {
    before_value(w);
    if (w->style != CT_SJSON_STYLE_SJSON || !suits_raw_string(text, bytes)) {
        ct_sjson_add_string(w->out, text, bytes);
        return;
    }
    ct_string_builder_add(w->out, "\"\"\"\n");
    ct_string_builder_add_bytes(w->out, text, bytes);
    ct_string_builder_add(w->out, "\"\"\"");
    if (w->depth > 0)
        w->keeps_lines[w->depth - 1] = true;
}

void ct_sjson_write_string(ct_sjson_writer *w, const char *text) {
    ct_sjson_write_string_bytes(w, text, (uint32_t)strlen(text));
}

void ct_sjson_member_bool(ct_sjson_writer *w, const char *key, bool value) {
    ct_sjson_write_key(w, key);
    ct_sjson_write_bool(w, value);
}

void ct_sjson_member_number(ct_sjson_writer *w, const char *key, double value) {
    ct_sjson_write_key(w, key);
    ct_sjson_write_number(w, value);
}

void ct_sjson_member_string(ct_sjson_writer *w, const char *key, const char *text) {
    ct_sjson_write_key(w, key);
    ct_sjson_write_string(w, text);
}

void ct_sjson_member_bytes(ct_sjson_writer *w, const char *key, const char *text, uint32_t bytes) {
    ct_sjson_write_key(w, key);
    ct_sjson_write_string_bytes(w, text, bytes);
}

static void write_container(ct_sjson_writer *w, const ct_sjson *doc, ct_sjson_value v,
                            bool is_array) {
    begin_container(w, is_array);
    for (ct_sjson_value c = ct_sjson_first(doc, v); c.entry; c = ct_sjson_next(doc, c)) {
        if (!is_array)
            ct_sjson_write_key(w, ct_sjson_key(doc, c));
        ct_sjson_write_value(w, doc, c);
    }
    end_container(w, is_array);
}

void ct_sjson_write_value(ct_sjson_writer *w, const ct_sjson *doc, ct_sjson_value v) {
    const ct_sjson_type type = ct_sjson_type_of(doc, v);
    switch (type) {
    case CT_SJSON_TYPE_NONE:
    case CT_SJSON_TYPE_NULL:
        ct_sjson_write_null(w);
        return;
    case CT_SJSON_TYPE_BOOL:
        ct_sjson_write_bool(w, ct_sjson_bool(doc, v, false));
        return;
    case CT_SJSON_TYPE_NUMBER:
        ct_sjson_write_number(w, ct_sjson_number(doc, v, 0));
        return;
    case CT_SJSON_TYPE_STRING:
        ct_sjson_write_string_bytes(w, ct_sjson_string(doc, v, ""), ct_sjson_string_bytes(doc, v));
        return;
    case CT_SJSON_TYPE_ARRAY:
    case CT_SJSON_TYPE_OBJECT:
        write_container(w, doc, v, type == CT_SJSON_TYPE_ARRAY);
        return;
    }
}
