#include "compiler/types/font/angelcode_private.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "foundation/string/utf8.h"

const char *const ct_angelcode_format_names[] = {"text", "xml", "binary", NULL};

enum { MAX_CODE_POINT = 0x10ffff, MAX_CHARS = MAX_CODE_POINT + 2 };

// --- Fields --------------------------------------------------------------------------------------

#define NUMBER(type, member, key, least, most, otherwise)                                          \
    { key, offsetof(type, member), 1, 0, least, most, otherwise, false, false }
#define NEEDED(type, member, key, least, most)                                                     \
    { key, offsetof(type, member), 1, 0, least, most, 0, true, false }
#define NUMBERS(type, member, key, count, most)                                                    \
    { key, offsetof(type, member), count, 0, 0, most, 0, false, false }
#define TEXT(type, member, key, is_needed)                                                         \
    { key, offsetof(type, member), 0, sizeof(((type *)NULL)->member), 0, 0, 0, is_needed, false }

static const ct_angelcode_field info_fields[] = {
    TEXT(ct_angelcode_info, face, "face", false),
    NEEDED(ct_angelcode_info, size, "size", INT16_MIN, INT16_MAX),
    NUMBER(ct_angelcode_info, bold, "bold", 0, 1, 0),
    NUMBER(ct_angelcode_info, italic, "italic", 0, 1, 0),
    TEXT(ct_angelcode_info, charset, "charset", false),
    NUMBER(ct_angelcode_info, unicode, "unicode", 0, 1, 0),
    NUMBER(ct_angelcode_info, stretch_height, "stretchH", 0, UINT16_MAX, 100),
    NUMBER(ct_angelcode_info, smooth, "smooth", 0, 1, 0),
    NUMBER(ct_angelcode_info, anti_aliasing, "aa", 0, UINT8_MAX, 1),
    NUMBERS(ct_angelcode_info, padding, "padding", 4, UINT8_MAX),
    NUMBERS(ct_angelcode_info, spacing, "spacing", 2, UINT8_MAX),
    NUMBER(ct_angelcode_info, outline, "outline", 0, UINT8_MAX, 0),
    {"fixedHeight", offsetof(ct_angelcode_info, fixed_height), 1, 0, 0, 1, 0, false, true},
};

static const ct_angelcode_field common_fields[] = {
    NEEDED(ct_angelcode_common, line_height, "lineHeight", 0, UINT16_MAX),
    NEEDED(ct_angelcode_common, base, "base", 0, UINT16_MAX),
    NEEDED(ct_angelcode_common, scale_width, "scaleW", 1, UINT16_MAX),
    NEEDED(ct_angelcode_common, scale_height, "scaleH", 1, UINT16_MAX),
    NUMBER(ct_angelcode_common, num_pages, "pages", 1, CT_ANGELCODE_MAX_PAGES, 1),
    NUMBER(ct_angelcode_common, packed, "packed", 0, 1, 0),
    NUMBER(ct_angelcode_common, alpha_channel, "alphaChnl", 0, 4, 0),
    NUMBER(ct_angelcode_common, red_channel, "redChnl", 0, 4, 0),
    NUMBER(ct_angelcode_common, green_channel, "greenChnl", 0, 4, 0),
    NUMBER(ct_angelcode_common, blue_channel, "blueChnl", 0, 4, 0),
};

static const ct_angelcode_field page_fields[] = {
    NEEDED(ct_angelcode_page, id, "id", 0, CT_ANGELCODE_MAX_PAGES - 1),
    TEXT(ct_angelcode_page, file, "file", true),
};

static const ct_angelcode_field char_fields[] = {
    NEEDED(ct_angelcode_char, id, "id", CT_ANGELCODE_MISSING, MAX_CODE_POINT),
    NEEDED(ct_angelcode_char, x, "x", 0, UINT16_MAX),
    NEEDED(ct_angelcode_char, y, "y", 0, UINT16_MAX),
    NEEDED(ct_angelcode_char, width, "width", 0, UINT16_MAX),
    NEEDED(ct_angelcode_char, height, "height", 0, UINT16_MAX),
    NEEDED(ct_angelcode_char, x_offset, "xoffset", INT16_MIN, INT16_MAX),
    NEEDED(ct_angelcode_char, y_offset, "yoffset", INT16_MIN, INT16_MAX),
    NEEDED(ct_angelcode_char, x_advance, "xadvance", INT16_MIN, INT16_MAX),
    NUMBER(ct_angelcode_char, page, "page", 0, CT_ANGELCODE_MAX_PAGES - 1, 0),
    NUMBER(ct_angelcode_char, channel, "chnl", 0, 15, 15),
};

static const ct_angelcode_field kerning_fields[] = {
    NEEDED(ct_angelcode_kerning, first, "first", CT_ANGELCODE_MISSING, MAX_CODE_POINT),
    NEEDED(ct_angelcode_kerning, second, "second", CT_ANGELCODE_MISSING, MAX_CODE_POINT),
    NEEDED(ct_angelcode_kerning, amount, "amount", INT16_MIN, INT16_MAX),
};

const ct_angelcode_table ct_angelcode_info_table = {"info", info_fields, CT_COUNT_OF(info_fields)};
const ct_angelcode_table ct_angelcode_common_table = {"common", common_fields,
                                                      CT_COUNT_OF(common_fields)};
const ct_angelcode_table ct_angelcode_page_table = {"page", page_fields, CT_COUNT_OF(page_fields)};
const ct_angelcode_table ct_angelcode_char_table = {"char", char_fields, CT_COUNT_OF(char_fields)};
const ct_angelcode_table ct_angelcode_kerning_table = {"kerning", kerning_fields,
                                                       CT_COUNT_OF(kerning_fields)};

// --- Errors and warnings -------------------------------------------------------------------------

static void set_place(ct_angelcode_format format, const char *file, uint32_t place,
                      const char *message, ct_error *error) {
    if (format == CT_ANGELCODE_FORMAT_BINARY && place > 0)
        ct_error_set_at(error, file, 0, 0, "at byte %u: %s", place, message);
    else
        ct_error_set_at(error, file, format == CT_ANGELCODE_FORMAT_BINARY ? 0 : place, 0, "%s",
                        message);
}

bool ct_angelcode_fail(ct_angelcode_format format, const char *file, uint32_t place,
                       ct_error *error, const char *message, ...) {
    char text[CT_ERROR_MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, message);
    vsnprintf(text, sizeof(text), message, arguments);
    va_end(arguments);
    set_place(format, file, place, text, error);
    return false;
}

void ct_angelcode_warn(ct_angelcode *font, const char *file, uint32_t place, const char *message,
                       ...) {
    char text[CT_ERROR_MESSAGE_BYTES];
    ct_error warning = {0};
    va_list arguments;
    va_start(arguments, message);
    vsnprintf(text, sizeof(text), message, arguments);
    va_end(arguments);
    set_place(font->format, file, place, text, &warning);
    if (font->warnings.count < CT_ANGELCODE_MAX_WARNINGS)
        ct_array_push(&font->warnings, warning);
}

// As a warning, unless one with this text is there already, from another line.
static void warn_once(ct_angelcode_reader *r, uint32_t place, const char *what, const char *tag,
                      const char *key) {
    char text[160];
    snprintf(text, sizeof(text), "%s \"%.60s%s%.60s\" is unknown and is left out", what, tag,
             *key ? " " : "", key);
    for (uint32_t i = 0; i < r->font->warnings.count; ++i) {
        if (strcmp(r->font->warnings.items[i].message, text) == 0)
            return;
    }
    ct_angelcode_warn(r->font, r->file, place, "%s", text);
}

#define FAIL(r, place, ...)                                                                        \
    ct_angelcode_fail((r)->font->format, (r)->file, (place), (r)->error, __VA_ARGS__)

// --- Values of records ---------------------------------------------------------------------------

// Reads one number of a list and steps over it and a comma. Returns false when the text does not
// start with a number.
static bool read_number(const char **text, bool is_last, int64_t *number) {
    char *end = NULL;
    *number = strtoll(*text, &end, 10);
    if (end == *text)
        return false;
    while (*end == ' ')
        ++end;
    if (*end != (is_last ? '\0' : ','))
        return false;
    *text = is_last ? end : end + 1;
    return true;
}

static bool set_numbers(ct_angelcode_reader *r, const ct_angelcode_table *table,
                        const ct_angelcode_field *field, const char *value, int32_t *numbers,
                        uint32_t place) {
    const char *text = value;
    for (uint32_t i = 0; i < field->count; ++i) {
        int64_t number = 0;
        if (!read_number(&text, i + 1 == field->count, &number)) {
            if (field->count == 1)
                return FAIL(r, place, "%s %s is \"%.60s\"; expected a whole number", table->tag,
                            field->key, value);
            return FAIL(r, place, "%s %s is \"%.60s\"; expected %u whole numbers with commas",
                        table->tag, field->key, value, field->count);
        }
        // The id of the missing character, where it is written without a sign.
        if (number == UINT32_MAX && field->least == CT_ANGELCODE_MISSING)
            number = CT_ANGELCODE_MISSING;
        if (number < field->least || number > field->most)
            return FAIL(r, place, "%s %s is %.60s; expected a number from %d to %d", table->tag,
                        field->key, value, field->least, field->most);
        numbers[i] = (int32_t)number;
    }
    return true;
}

static bool has_control_character(const char *text) {
    for (; *text; ++text) {
        if ((uint8_t)*text < 32 || *text == 127)
            return true;
    }
    return false;
}

static bool set_text(ct_angelcode_reader *r, const ct_angelcode_table *table,
                     const ct_angelcode_field *field, const char *value, char *text,
                     uint32_t place) {
    const size_t length = strlen(value);
    if (length >= field->text_bytes)
        return FAIL(r, place, "%s %s has %zu bytes; expected at most %u", table->tag, field->key,
                    length, field->text_bytes - 1);
    if (!ct_utf8_is_valid(value, length) || has_control_character(value))
        return FAIL(r, place, "%s %s is not printable text in UTF-8", table->tag, field->key);
    memcpy(text, value, length + 1);
    return true;
}

static const ct_angelcode_field *field_named(const ct_angelcode_table *table, const char *key) {
    for (uint32_t i = 0; i < table->num_fields; ++i) {
        if (strcmp(table->fields[i].key, key) == 0)
            return &table->fields[i];
    }
    return NULL;
}

// Sets a field of a record, once.
static bool set_field(ct_angelcode_reader *r, const ct_angelcode_table *table,
                      const ct_angelcode_attribute *attribute, void *record, uint32_t *given,
                      uint32_t place) {
    const ct_angelcode_field *const field = field_named(table, attribute->key);
    if (!field) {
        warn_once(r, place, "the value", table->tag, attribute->key);
        return true;
    }
    const uint32_t bit = 1u << (field - table->fields);
    if (*given & bit)
        return FAIL(r, place, "%s has %s twice; expected it once", table->tag, field->key);
    *given |= bit;
    void *const member = (char *)record + field->offset;
    return field->count > 0 ? set_numbers(r, table, field, attribute->value, member, place)
                            : set_text(r, table, field, attribute->value, member, place);
}

// Fills a zeroed record from its attributes.
static bool fill_record(ct_angelcode_reader *r, const ct_angelcode_table *table,
                        const ct_angelcode_attribute *attributes, uint32_t count, void *record,
                        uint32_t place) {
    uint32_t given = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (!set_field(r, table, &attributes[i], record, &given, place))
            return false;
    }
    for (uint32_t i = 0; i < table->num_fields; ++i) {
        const ct_angelcode_field *const field = &table->fields[i];
        if (given >> i & 1)
            continue;
        if (field->is_required)
            return FAIL(r, place, "%s does not have \"%s\"; expected %s=%s", table->tag, field->key,
                        field->key, field->count > 0 ? "NUMBER" : "\"TEXT\"");
        if (field->count == 1)
            *(int32_t *)(void *)((char *)record + field->offset) = field->otherwise;
    }
    return true;
}

bool ct_angelcode_check_record(ct_angelcode_reader *r, const ct_angelcode_table *table,
                               const void *record, uint32_t place) {
    for (uint32_t i = 0; i < table->num_fields; ++i) {
        const ct_angelcode_field *const field = &table->fields[i];
        const int32_t *const numbers =
            (const int32_t *)(const void *)((const char *)record + field->offset);
        for (uint32_t k = 0; k < field->count; ++k) {
            if (numbers[k] < field->least || numbers[k] > field->most)
                return FAIL(r, place, "%s %s is %d; expected a number from %d to %d", table->tag,
                            field->key, numbers[k], field->least, field->most);
        }
    }
    return true;
}

// --- Records -------------------------------------------------------------------------------------

bool ct_angelcode_add_page(ct_angelcode_reader *r, const ct_angelcode_page *page) {
    if (r->font->pages.count == CT_ANGELCODE_MAX_PAGES)
        return FAIL(r, page->place, "the font has too many pages; expected at most %d",
                    CT_ANGELCODE_MAX_PAGES);
    if (page->file[0] == '\0')
        return FAIL(r, page->place, "page %d has an empty file name; expected the name of an image",
                    page->id);
    ct_array_push(&r->font->pages, *page);
    return true;
}

bool ct_angelcode_add_char(ct_angelcode_reader *r, const ct_angelcode_char *added) {
    if (r->font->chars.count == MAX_CHARS)
        return FAIL(r, added->place, "the font has too many characters; expected at most %d",
                    MAX_CHARS);
    ct_array_push(&r->font->chars, *added);
    return true;
}

bool ct_angelcode_add_kerning(ct_angelcode_reader *r, const ct_angelcode_kerning *kerning) {
    if (r->font->kernings.count == CT_ANGELCODE_MAX_KERNINGS)
        return FAIL(r, kerning->place, "the font has too many kerning pairs; expected at most %d",
                    CT_ANGELCODE_MAX_KERNINGS);
    ct_array_push(&r->font->kernings, *kerning);
    return true;
}

// Reads how many characters or kernings follow; some programs write -1 for an unknown number.
static bool take_count(ct_angelcode_reader *r, const char *tag,
                       const ct_angelcode_attribute *attributes, uint32_t count, uint32_t place,
                       int64_t *announced) {
    for (uint32_t i = 0; i < count; ++i) {
        const char *text = attributes[i].value;
        if (strcmp(attributes[i].key, "count") != 0)
            warn_once(r, place, "the value", tag, attributes[i].key);
        else if (!read_number(&text, true, announced) || *announced < -1 || *announced > INT32_MAX)
            return FAIL(r, place, "%s count is \"%.60s\"; expected a whole number", tag,
                        attributes[i].value);
    }
    return true;
}

static bool take_once(ct_angelcode_reader *r, const char *tag, bool *has, uint32_t place) {
    if (*has)
        return FAIL(r, place, "%s is there twice; expected it once", tag);
    *has = true;
    return true;
}

bool ct_angelcode_take_record(ct_angelcode_reader *r, const char *tag,
                              const ct_angelcode_attribute *attributes, uint32_t count,
                              uint32_t place) {
    ct_angelcode *const font = r->font;
    if (strcmp(tag, "char") == 0) {
        ct_angelcode_char added = {.place = place};
        return fill_record(r, &ct_angelcode_char_table, attributes, count, &added, place) &&
               ct_angelcode_add_char(r, &added);
    }
    if (strcmp(tag, "kerning") == 0) {
        ct_angelcode_kerning added = {.place = place};
        return fill_record(r, &ct_angelcode_kerning_table, attributes, count, &added, place) &&
               ct_angelcode_add_kerning(r, &added);
    }
    if (strcmp(tag, "page") == 0) {
        ct_angelcode_page added = {.place = place};
        return fill_record(r, &ct_angelcode_page_table, attributes, count, &added, place) &&
               ct_angelcode_add_page(r, &added);
    }
    if (strcmp(tag, "info") == 0)
        return take_once(r, tag, &r->has_info, place) &&
               fill_record(r, &ct_angelcode_info_table, attributes, count, &font->info, place);
    if (strcmp(tag, "common") == 0)
        return take_once(r, tag, &r->has_common, place) &&
               fill_record(r, &ct_angelcode_common_table, attributes, count, &font->common, place);
    if (strcmp(tag, "chars") == 0) {
        r->chars_place = place;
        return take_count(r, tag, attributes, count, place, &r->num_chars);
    }
    if (strcmp(tag, "kernings") == 0) {
        r->kernings_place = place;
        return take_count(r, tag, attributes, count, place, &r->num_kernings);
    }
    warn_once(r, place, "the record", tag, "");
    return true;
}

// --- Checks of the whole font --------------------------------------------------------------------

static int compare_pages(const void *p, const void *q) {
    const ct_angelcode_page *const a = p, *const b = q;
    return a->id != b->id ? (a->id > b->id) - (a->id < b->id)
                          : (a->place > b->place) - (a->place < b->place);
}

static int compare_chars(const void *p, const void *q) {
    const ct_angelcode_char *const a = p, *const b = q;
    return a->id != b->id ? (a->id > b->id) - (a->id < b->id)
                          : (a->place > b->place) - (a->place < b->place);
}

static int compare_kernings(const void *p, const void *q) {
    const ct_angelcode_kerning *const a = p, *const b = q;
    if (a->first != b->first)
        return (a->first > b->first) - (a->first < b->first);
    if (a->second != b->second)
        return (a->second > b->second) - (a->second < b->second);
    return (a->place > b->place) - (a->place < b->place);
}

static bool check_pages(ct_angelcode_reader *r) {
    ct_angelcode *const font = r->font;
    if (font->pages.count == 0)
        return FAIL(r, 0, "the font has no pages; expected at least one page with id and file");
    qsort(font->pages.items, font->pages.count, sizeof(font->pages.items[0]), compare_pages);
    for (uint32_t i = 0; i < font->pages.count; ++i) {
        const ct_angelcode_page *const page = &font->pages.items[i];
        if (i > 0 && page->id == page[-1].id)
            return FAIL(r, page->place, "page %d is there twice; expected it once", page->id);
        if (page->id != (int32_t)i)
            return FAIL(r, page->place, "found page %d, but no page %u; expected ids from 0 on",
                        page->id, i);
    }
    return font->common.num_pages == (int32_t)font->pages.count ||
           FAIL(r, 0, "common says that there are %d pages, but the file has %u",
                font->common.num_pages, font->pages.count);
}

static bool check_char(ct_angelcode_reader *r, const ct_angelcode_char *c) {
    const ct_angelcode_common *const common = &r->font->common;
    if (c->page >= common->num_pages)
        return FAIL(r, c->place, "character %d is on page %d; expected 0 to %d", c->id, c->page,
                    common->num_pages - 1);
    if (c->width == 0 || c->height == 0)
        return true;
    return (c->x + c->width <= common->scale_width && c->y + c->height <= common->scale_height) ||
           FAIL(r, c->place,
                "the rectangle of character %d (x %d, y %d, width %d, height %d) is not inside of "
                "its page of %d x %d pixels",
                c->id, c->x, c->y, c->width, c->height, common->scale_width, common->scale_height);
}

static bool check_chars(ct_angelcode_reader *r) {
    ct_angelcode *const font = r->font;
    if (r->num_chars >= 0 && r->num_chars != font->chars.count)
        return FAIL(r, r->chars_place,
                    "chars count is %lld, but the file has %u characters; is it cut short?",
                    (long long)r->num_chars, font->chars.count);
    if (font->chars.count == 0)
        return FAIL(r, 0, "the font has no characters; is the file cut short?");
    qsort(font->chars.items, font->chars.count, sizeof(font->chars.items[0]), compare_chars);
    for (uint32_t i = 0; i < font->chars.count; ++i) {
        const ct_angelcode_char *const c = &font->chars.items[i];
        if (i > 0 && c->id == c[-1].id)
            return FAIL(r, c->place, "character %d is there twice; expected it once", c->id);
        if (!check_char(r, c))
            return false;
    }
    return true;
}

static bool check_kernings(ct_angelcode_reader *r) {
    ct_angelcode *const font = r->font;
    if (r->num_kernings >= 0 && r->num_kernings != font->kernings.count)
        return FAIL(r, r->kernings_place,
                    "kernings count is %lld, but the file has %u pairs; is it cut short?",
                    (long long)r->num_kernings, font->kernings.count);
    if (font->kernings.count > 0)
        qsort(font->kernings.items, font->kernings.count, sizeof(font->kernings.items[0]),
              compare_kernings);
    for (uint32_t i = 1; i < font->kernings.count; ++i) {
        const ct_angelcode_kerning *const k = &font->kernings.items[i];
        if (k->first == k[-1].first && k->second == k[-1].second)
            return FAIL(r, k->place, "the kerning of characters %d and %d is there twice", k->first,
                        k->second);
    }
    return true;
}

static bool check(ct_angelcode_reader *r) {
    if (!r->has_info || !r->has_common)
        return FAIL(r, 0, "the file has no \"%s\"; expected an AngelCode font",
                    r->has_info ? "common" : "info");
    return check_pages(r) && check_chars(r) && check_kernings(r);
}

// --- Reading -------------------------------------------------------------------------------------

// UTF-16 begins with a mark; other XML with `<`, after what may stand before it.
static ct_angelcode_format format_of(const uint8_t *bytes, uint64_t num_bytes) {
    if (num_bytes >= 3 && memcmp(bytes, "BMF", 3) == 0)
        return CT_ANGELCODE_FORMAT_BINARY;
    if (num_bytes >= 2 &&
        ((bytes[0] == 0xff && bytes[1] == 0xfe) || (bytes[0] == 0xfe && bytes[1] == 0xff)))
        return CT_ANGELCODE_FORMAT_XML;
    uint64_t at = ct_utf8_mark_bytes((const char *)bytes, num_bytes);
    while (at < num_bytes && strchr(" \t\r\n", bytes[at]) && bytes[at] != 0)
        ++at;
    return at < num_bytes && bytes[at] == '<' ? CT_ANGELCODE_FORMAT_XML : CT_ANGELCODE_FORMAT_TEXT;
}

bool ct_angelcode_read(ct_allocator *a, const char *file, const void *bytes, uint64_t num_bytes,
                       ct_angelcode *font, ct_error *error) {
    ct_angelcode_reader r = {
        .font = font, .file = file, .error = error, .num_chars = -1, .num_kernings = -1};
    *font = (ct_angelcode){.format = format_of(bytes, num_bytes)};
    ct_array_init(&font->pages, a);
    ct_array_init(&font->chars, a);
    ct_array_init(&font->kernings, a);
    ct_array_init(&font->warnings, a);
    bool is_good = num_bytes < INT32_MAX || FAIL(&r, 0,
                                                 "the file has %llu bytes; expected less "
                                                 "than 2 GiB",
                                                 (unsigned long long)num_bytes);
    if (is_good && font->format == CT_ANGELCODE_FORMAT_BINARY)
        is_good = ct_angelcode_read_binary(&r, bytes, num_bytes);
    else if (is_good && font->format == CT_ANGELCODE_FORMAT_XML)
        is_good = ct_angelcode_read_xml(&r, a, bytes, num_bytes);
    else if (is_good)
        is_good = ct_angelcode_read_text(&r, a, bytes, num_bytes);
    if (is_good && check(&r))
        return true;
    ct_angelcode_free(font);
    return false;
}

void ct_angelcode_free(ct_angelcode *font) {
    if (font->pages.allocator) {
        ct_array_free(&font->pages);
        ct_array_free(&font->chars);
        ct_array_free(&font->kernings);
        ct_array_free(&font->warnings);
    }
    *font = (ct_angelcode){0};
}

// --- Writing -------------------------------------------------------------------------------------

bool ct_angelcode_is_written(const ct_angelcode_field *field, const void *record) {
    return !field->is_rare ||
           *(const int32_t *)(const void *)((const char *)record + field->offset) != 0;
}

void ct_angelcode_write_numbers(const ct_angelcode_field *field, const void *record,
                                ct_string_builder *out) {
    const int32_t *const numbers =
        (const int32_t *)(const void *)((const char *)record + field->offset);
    for (uint32_t i = 0; i < field->count; ++i)
        ct_string_builder_addf(out, i > 0 ? ",%d" : "%d", numbers[i]);
}

bool ct_angelcode_write(const ct_angelcode *font, ct_angelcode_format format, ct_byte_array *out,
                        ct_error *error) {
    if (format == CT_ANGELCODE_FORMAT_BINARY)
        return ct_angelcode_write_binary(font, out, error);
    ct_string_builder text;
    ct_string_builder_init(&text, out->allocator);
    const bool is_xml = format == CT_ANGELCODE_FORMAT_XML;
    const bool is_good = is_xml || ct_angelcode_write_text(font, &text, error);
    if (is_xml)
        ct_angelcode_write_xml(font, &text);
    if (is_good)
        ct_array_push_many(out, (const uint8_t *)text.text, text.length);
    ct_string_builder_free(&text);
    return is_good;
}
