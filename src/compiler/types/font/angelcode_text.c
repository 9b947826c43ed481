// The text format: a record is a line, `tag key=value key="text"`.
#include <string.h>

#include "compiler/types/font/angelcode_private.h"
#include "foundation/string/utf8.h"

#define FAIL(r, place, ...)                                                                        \
    ct_angelcode_fail((r)->font->format, (r)->file, (place), (r)->error, __VA_ARGS__)

// --- Reading -------------------------------------------------------------------------------------

static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

static char *skip_spaces(char *at) {
    while (is_space(*at))
        ++at;
    return at;
}

// Ends the word at `at` by a zero byte. Returns what is behind it.
static char *end_word(char *at) {
    while (*at && !is_space(*at))
        ++at;
    if (*at)
        *at++ = '\0';
    return at;
}

// Reads `key=value` at `*at` and steps over it.
static bool read_attribute(ct_angelcode_reader *r, char **at, uint32_t line,
                           ct_angelcode_attribute *attribute) {
    char *const key = *at;
    char *equals = key;
    while (*equals && !is_space(*equals) && *equals != '=')
        ++equals;
    if (*equals != '=')
        return FAIL(r, line, "found \"%.60s\"; expected key=value", key);
    *equals = '\0';
    attribute->key = key;
    char *value = equals + 1;
    if (*value != '"') {
        attribute->value = value;
        *at = end_word(value);
        return true;
    }
    attribute->value = ++value;
    char *const quote = strchr(value, '"');
    if (!quote)
        return FAIL(r, line, "the text of \"%.60s\" has no closing quote", key);
    *quote = '\0';
    *at = quote + 1;
    return true;
}

// Takes a line, which is changed.
static bool take_line(ct_angelcode_reader *r, char *text, uint32_t line) {
    ct_angelcode_attribute attributes[CT_ANGELCODE_MAX_ATTRIBUTES];
    uint32_t count = 0;
    char *const tag = skip_spaces(text);
    if (*tag == '\0')
        return true;
    char *at = skip_spaces(end_word(tag));
    if (line == 1 && strcmp(tag, "info") != 0)
        return FAIL(r, line,
                    "found \"%.60s\"; expected an AngelCode font: \"info face=...\", XML, or the "
                    "binary format",
                    tag);
    for (; *at; at = skip_spaces(at)) {
        if (count == CT_ANGELCODE_MAX_ATTRIBUTES)
            return FAIL(r, line, "the line has too many values; expected at most %d",
                        CT_ANGELCODE_MAX_ATTRIBUTES);
        if (!read_attribute(r, &at, line, &attributes[count++]))
            return false;
    }
    return ct_angelcode_take_record(r, tag, attributes, count, line);
}

bool ct_angelcode_read_text(ct_angelcode_reader *r, ct_allocator *a, const char *text,
                            uint64_t num_bytes) {
    const uint32_t mark = ct_utf8_mark_bytes(text, num_bytes);
    const char *at = text + mark, *const end = text + num_bytes;
    ct_string_builder line;
    ct_string_builder_init(&line, a);
    bool is_good = at < end || FAIL(r, 0, "the file is empty; expected an AngelCode font");
    for (uint32_t number = 1; is_good && at < end; ++number) {
        const char *const next = memchr(at, '\n', (size_t)(end - at));
        const char *const line_end = next ? next : end;
        ct_string_builder_clear(&line);
        ct_string_builder_add_bytes(&line, at, (uint32_t)(line_end - at));
        is_good = !memchr(at, 0, (size_t)(line_end - at)) ||
                  FAIL(r, number, "the line has a zero byte; expected text");
        is_good = is_good && (line.length == 0 || take_line(r, line.text, number));
        at = line_end + 1;
    }
    ct_string_builder_free(&line);
    return is_good;
}

// --- Writing -------------------------------------------------------------------------------------

static bool write_record(const ct_angelcode_table *table, const void *record,
                         ct_string_builder *out, ct_error *error) {
    ct_string_builder_add(out, table->tag);
    for (uint32_t i = 0; i < table->num_fields; ++i) {
        const ct_angelcode_field *const field = &table->fields[i];
        const char *const text = (const char *)record + field->offset;
        if (!ct_angelcode_is_written(field, record))
            continue;
        ct_string_builder_addf(out, " %s=", field->key);
        if (field->count > 0) {
            ct_angelcode_write_numbers(field, record, out);
            continue;
        }
        if (strchr(text, '"'))
            return ct_error_set(error,
                                "the text format cannot hold the quote in %s %s: %s; write "
                                "XML, or rename it",
                                table->tag, field->key, text);
        ct_string_builder_addf(out, "\"%s\"", text);
    }
    ct_string_builder_add_char(out, '\n');
    return true;
}

bool ct_angelcode_write_text(const ct_angelcode *font, ct_string_builder *out, ct_error *error) {
    if (!write_record(&ct_angelcode_info_table, &font->info, out, error) ||
        !write_record(&ct_angelcode_common_table, &font->common, out, error))
        return false;
    for (uint32_t i = 0; i < font->pages.count; ++i) {
        if (!write_record(&ct_angelcode_page_table, &font->pages.items[i], out, error))
            return false;
    }
    ct_string_builder_addf(out, "chars count=%u\n", font->chars.count);
    for (uint32_t i = 0; i < font->chars.count; ++i)
        write_record(&ct_angelcode_char_table, &font->chars.items[i], out, error);
    if (font->kernings.count > 0)
        ct_string_builder_addf(out, "kernings count=%u\n", font->kernings.count);
    for (uint32_t i = 0; i < font->kernings.count; ++i)
        write_record(&ct_angelcode_kerning_table, &font->kernings.items[i], out, error);
    return true;
}
