#include "content/diff/diff_text.h"

#include <string.h>

#include "foundation/sjson/sjson_number.h"
#include "foundation/sjson/sjson_writer.h"
#include "foundation/string/utf8.h"

enum { MOST_VALUE_BYTES = 240 }; // of a value in a line

// --- Paths ---------------------------------------------------------------------------------------

static bool is_word(const char *text) {
    const size_t plain = strspn(text, "abcdefghijklmnopqrstuvwxyz"
                                      "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");
    return plain > 0 && text[plain] == '\0';
}

static bool is_number(const char *text) {
    char scratch[64];
    double value;
    const size_t bytes = strlen(text);
    return bytes < sizeof(scratch) &&
           !ct_sjson_number_parse(text, (uint32_t)bytes, (uint32_t)bytes, scratch, &value);
}

// A text in quotes, with what would not be seen by its number.
static void write_string(const char *text, uint32_t bytes, ct_string_builder *out) {
    ct_string_builder quoted;
    ct_string_builder_init(&quoted, out->allocator);
    ct_sjson_add_string(&quoted, text, bytes);
    for (uint32_t i = 0; i < quoted.length;) {
        const uint32_t length = ct_utf8_length(quoted.text + i, quoted.length - i);
        const uint32_t c = ct_utf8_decode(quoted.text + i);
        if (ct_utf8_is_hidden(c))
            ct_string_builder_addf(out, "\\u%04x", c);
        else
            ct_string_builder_add_bytes(out, quoted.text + i, length);
        i += length;
    }
    ct_string_builder_free(&quoted);
}

static void write_quoted(const char *text, ct_string_builder *out) {
    write_string(text, (uint32_t)strlen(text), out);
}

// A text without quotes where nobody could take it for something else.
static void write_scalar(ct_content_value v, ct_string_builder *out) {
    const char *const text = ct_sjson_string(v.doc, v.value, NULL);
    if (text && is_word(text) && !is_number(text))
        ct_string_builder_add(out, text);
    else
        ct_diff_write_brief(v, MOST_VALUE_BYTES, out);
}

static void write_step(const ct_diff_step *step, ct_string_builder *out) {
    switch (step->kind) {
    case CT_DIFF_STEP_NONE:
        break;
    case CT_DIFF_STEP_KEY:
        if (is_word(step->key)) {
            ct_string_builder_add(out, step->parent != 0 ? "." : "");
            ct_string_builder_add(out, step->key);
        } else {
            ct_string_builder_add_char(out, '[');
            write_quoted(step->key, out);
            ct_string_builder_add_char(out, ']');
        }
        break;
    case CT_DIFF_STEP_INDEX:
        ct_string_builder_addf(out, "[%u]", step->index);
        break;
    case CT_DIFF_STEP_ID:
        ct_string_builder_addf(out, "[%s=", step->key);
        write_scalar(step->value, out);
        ct_string_builder_add_char(out, ']');
        break;
    case CT_DIFF_STEP_VALUE:
        ct_string_builder_add(out, "[=");
        write_scalar(step->value, out);
        ct_string_builder_add_char(out, ']');
        break;
    }
}

static void write_steps(const ct_diff *diff, uint32_t step, ct_string_builder *out) {
    if (step == 0)
        return;
    write_steps(diff, diff->steps.items[step].parent, out);
    write_step(&diff->steps.items[step], out);
}

void ct_diff_write_path(const ct_diff *diff, uint32_t step, ct_string_builder *out) {
    if (step == 0)
        ct_string_builder_add(out, "the root");
    write_steps(diff, step, out);
}

// --- Values --------------------------------------------------------------------------------------

// A value that is being written until it is too long.
typedef struct brief {
    ct_string_builder *out;
    uint32_t end; // where it may be no longer
} brief;

static void write_value(brief *b, ct_content_value v);

static bool is_full(const brief *b) {
    return b->out->length > b->end;
}

static void write_members(brief *b, ct_content_value object) {
    ct_string_builder_add_char(b->out, '{');
    ct_content_value v = {object.doc, ct_sjson_first(object.doc, object.value)};
    for (; ct_content_value_is(v) && !is_full(b); v.value = ct_sjson_next(v.doc, v.value)) {
        const char *const key = ct_sjson_key(v.doc, v.value);
        ct_string_builder_add_char(b->out, ' ');
        if (ct_sjson_key_needs_quotes(key))
            write_quoted(key, b->out);
        else
            ct_string_builder_add(b->out, key);
        ct_string_builder_add(b->out, " = ");
        write_value(b, v);
    }
    ct_string_builder_add(b->out, " }");
}

static void write_elements(brief *b, ct_content_value array) {
    const char *between = "";
    ct_string_builder_add_char(b->out, '[');
    ct_content_value v = {array.doc, ct_sjson_first(array.doc, array.value)};
    for (; ct_content_value_is(v) && !is_full(b); v.value = ct_sjson_next(v.doc, v.value)) {
        ct_string_builder_add(b->out, between);
        write_value(b, v);
        between = " ";
    }
    ct_string_builder_add_char(b->out, ']');
}

static void write_value(brief *b, ct_content_value v) {
    char number[CT_SJSON_NUMBER_BYTES];
    switch (ct_content_value_type(v)) {
    case CT_SJSON_TYPE_NONE:
        break;
    case CT_SJSON_TYPE_NULL:
        ct_string_builder_add(b->out, "null");
        break;
    case CT_SJSON_TYPE_BOOL:
        ct_string_builder_add(b->out, ct_sjson_bool(v.doc, v.value, false) ? "true" : "false");
        break;
    case CT_SJSON_TYPE_NUMBER:
        ct_string_builder_add_bytes(
            b->out, number, ct_sjson_number_format(ct_sjson_number(v.doc, v.value, 0), number));
        break;
    case CT_SJSON_TYPE_STRING:
        write_string(ct_sjson_string(v.doc, v.value, ""), ct_sjson_string_bytes(v.doc, v.value),
                     b->out);
        break;
    case CT_SJSON_TYPE_ARRAY:
        write_elements(b, v);
        break;
    case CT_SJSON_TYPE_OBJECT:
        write_members(b, v);
        break;
    }
}

void ct_diff_write_brief(ct_content_value value, uint32_t most_bytes, ct_string_builder *out) {
    const uint32_t begin = out->length;
    brief b = {out, begin + most_bytes};
    write_value(&b, value);
    if (!is_full(&b))
        return;
    uint32_t end = b.end;
    while (end > begin && ((uint8_t)out->text[end] & 0xc0) == 0x80)
        --end; // not within a character
    out->length = end;
    ct_string_builder_add(out, "…");
}

// --- Operations ----------------------------------------------------------------------------------

static const char *const colors[] = {
    [CT_DIFF_KIND_SET] = "",
    [CT_DIFF_KIND_ADD] = "\x1b[32m",
    [CT_DIFF_KIND_REMOVE] = "\x1b[31m",
    [CT_DIFF_KIND_MOVE] = "\x1b[36m",
};
static const char *const marks[] = {
    [CT_DIFF_KIND_SET] = "",
    [CT_DIFF_KIND_ADD] = "+ ",
    [CT_DIFF_KIND_REMOVE] = "- ",
    [CT_DIFF_KIND_MOVE] = "~ ",
};
static const char color_end[] = "\x1b[0m";

static void write_colored(ct_content_value v, const char *color, bool is_colored,
                          ct_string_builder *out) {
    ct_string_builder_add(out, is_colored ? color : "");
    ct_diff_write_brief(v, MOST_VALUE_BYTES, out);
    ct_string_builder_add(out, is_colored ? color_end : "");
}

void ct_diff_write_operation(const ct_diff *diff, const ct_diff_operation *operation,
                             bool is_colored, ct_string_builder *out) {
    const ct_diff_kind kind = operation->kind;
    ct_string_builder_add(out, is_colored ? colors[kind] : "");
    ct_string_builder_add(out, marks[kind]);
    ct_diff_write_path(diff, operation->step, out);
    if (kind == CT_DIFF_KIND_SET) {
        ct_string_builder_add(out, " = ");
        write_colored(operation->old_value, colors[CT_DIFF_KIND_REMOVE], is_colored, out);
        ct_string_builder_add(out, " → ");
        write_colored(operation->new_value, colors[CT_DIFF_KIND_ADD], is_colored, out);
        return;
    }
    if (kind != CT_DIFF_KIND_MOVE) {
        ct_string_builder_add(out, " = ");
        ct_diff_write_brief(kind == CT_DIFF_KIND_ADD ? operation->new_value : operation->old_value,
                            MOST_VALUE_BYTES, out);
    } else if (operation->before != 0) {
        ct_string_builder_add(out, " moved before ");
        ct_diff_write_path(diff, operation->before, out);
    } else {
        ct_string_builder_add(out, " moved to the end");
    }
    ct_string_builder_add(out, is_colored ? color_end : "");
}
