#include "compiler/strings/strings_source.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "foundation/container/sort.h"
#include "foundation/error.h"

#define DEFAULT_LANGUAGE "en"
#define EXPECTED_LANGUAGE                                                                          \
    "expected the tag of a language with known plural rules, such as \"fr\" or \"pt-br\""

typedef struct reading {
    const ct_strings_source_desc *desc;
    ct_strings_source *source;
    char key[CT_STRINGS_KEY_BYTES]; // of the group in hand, with a dot behind it
    uint32_t num_errors;
} reading;

static void report_text(reading *r, const ct_sjson *doc, ct_sjson_value at, const char *format,
                        va_list arguments) {
    char message[CT_ERROR_MESSAGE_BYTES];
    vsnprintf(message, sizeof(message), format, arguments);
    ++r->num_errors;
    r->desc->report(r->desc->user, doc, at, message);
}

CT_PRINTF(4, 5)
static void report_in(reading *r, const ct_sjson *doc, ct_sjson_value at, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    report_text(r, doc, at, format, arguments);
    va_end(arguments);
}

CT_PRINTF(3, 4)
static void report(reading *r, ct_sjson_value at, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    report_text(r, r->desc->doc, at, format, arguments);
    va_end(arguments);
}

// --- Language ------------------------------------------------------------------------------------

// The first property that is a language; false when there is none.
static bool find_property(const ct_strings_source_desc *d, ct_plural_language *language) {
    for (uint32_t i = 0; i < d->num_properties; ++i) {
        if (ct_plural_language_find(d->properties[i], language))
            return true;
    }
    return false;
}

// Notes the first property that may have been meant for the language.
static void find_mistake(reading *r) {
    char meant[CT_PLURAL_LANGUAGE_BYTES];
    for (uint32_t i = 0; i < r->desc->num_properties && !r->source->mistaken; ++i) {
        if (ct_plural_language_is_mistaken(r->desc->properties[i], meant))
            r->source->mistaken = r->desc->properties[i];
    }
}

static bool is_language_member(const ct_sjson *doc, ct_sjson_value member) {
    return strcmp(ct_sjson_key(doc, member), "language") == 0 &&
           ct_sjson_type_of(doc, member) == CT_SJSON_TYPE_STRING;
}

// The project's language, "en" where it says none.
static void read_default_language(reading *r) {
    const ct_strings_source_desc *const d = r->desc;
    ct_plural_language *const language = &r->source->language;
    const ct_sjson *settings = NULL;
    const ct_sjson_value value =
        d->default_language ? d->default_language(d->user, &settings) : (ct_sjson_value){0};
    const char *const tag = value.entry ? ct_sjson_string(settings, value, NULL) : DEFAULT_LANGUAGE;
    if (tag && ct_plural_language_find(tag, language))
        return;
    if (tag)
        report_in(r, settings, value, "language is \"%s\"; " EXPECTED_LANGUAGE, tag);
    else
        report_in(r, settings, value, "language is %s; " EXPECTED_LANGUAGE,
                  ct_sjson_type_name(ct_sjson_type_of(settings, value)));
    ct_plural_language_find(DEFAULT_LANGUAGE, language);
}

static void read_language(reading *r) {
    const ct_strings_source_desc *const d = r->desc;
    ct_plural_language *const language = &r->source->language;
    const ct_sjson_value member = ct_sjson_find(d->doc, ct_sjson_root(d->doc), "language");
    if (member.entry && is_language_member(d->doc, member)) {
        const char *const tag = ct_sjson_string(d->doc, member, "");
        if (ct_plural_language_find(tag, language))
            return;
        report(r, member,
               "language is \"%s\"; " EXPECTED_LANGUAGE " (put a text with this key into a group)",
               tag);
    }
    if (find_property(d, language))
        return;
    read_default_language(r);
    find_mistake(r);
}

void ct_strings_source_mistake(const ct_strings_source *source,
                               char message[CT_ERROR_MESSAGE_BYTES]) {
    char meant[CT_PLURAL_LANGUAGE_BYTES];
    ct_plural_language_is_mistaken(source->mistaken, meant);
    snprintf(message, CT_ERROR_MESSAGE_BYTES,
             "unknown language \"%s\"%s%s%s: the texts are read as %s; rename the file, or set the "
             "language in it: language = \"%s\"",
             source->mistaken, *meant ? " (did you mean \"" : "", meant, *meant ? "\"?)" : "",
             source->language.tag, source->language.tag);
}

// --- Texts ---------------------------------------------------------------------------------------

// At most 16 bytes of the characters at `text`.
static int start_bytes(const char *text) {
    size_t bytes = strnlen(text, 17);
    for (bytes = bytes > 16 ? 16 : bytes; bytes > 0 && (text[bytes] & 0xc0) == 0x80;)
        --bytes;
    return (int)bytes;
}

// Looks for braces that are no placeholder.
static void check_braces(reading *r, ct_sjson_value value) {
    const char *const text = ct_sjson_string(r->desc->doc, value, "");
    const char *const end = text + ct_sjson_string_bytes(r->desc->doc, value);
    const char *at = text;
    ct_strings_piece piece;
    while (ct_strings_next_piece(&at, end, &piece)) {
        if (piece.kind != CT_STRINGS_PIECE_WRONG)
            continue;
        report(r, value,
               "found \"%.*s\", expected a placeholder such as {count} (letters, digits and _), or "
               "{{ or }} for a brace",
               start_bytes(piece.text), piece.text);
        return;
    }
}

// A text; false after reporting what it is instead.
static bool check_text(reading *r, ct_sjson_value value) {
    const ct_sjson *const doc = r->desc->doc;
    if (ct_sjson_type_of(doc, value) != CT_SJSON_TYPE_STRING) {
        report(r, value, "found %s, expected a text",
               ct_sjson_type_name(ct_sjson_type_of(doc, value)));
        return false;
    }
    if (ct_sjson_string_bytes(doc, value) == 0) {
        report(r, value, "the text is empty; leave the key out until it has one");
        return false;
    }
    check_braces(r, value);
    return true;
}

static bool has_plural_forms(const ct_sjson *doc, ct_sjson_value object) {
    ct_plural category;
    for (ct_sjson_value v = ct_sjson_first(doc, object); v.entry; v = ct_sjson_next(doc, v)) {
        if (ct_plural_named(ct_sjson_key(doc, v), &category))
            return true;
    }
    return false;
}

static void read_forms(reading *r, ct_sjson_value object, ct_strings_source_text *text) {
    const ct_sjson *const doc = r->desc->doc;
    const ct_plural_language *const language = &r->source->language;
    char categories[CT_PLURAL_CATEGORIES_BYTES];
    ct_plural_categories_text(language->categories, categories);
    for (ct_sjson_value v = ct_sjson_first(doc, object); v.entry; v = ct_sjson_next(doc, v)) {
        ct_plural category;
        if (!ct_plural_named(ct_sjson_key(doc, v), &category))
            report(r, v, "\"%s\" is not a plural form, but other keys beside it are; %s has %s",
                   ct_sjson_key(doc, v), language->tag, categories);
        else if (!(language->categories & 1u << category))
            report(r, v, "%s has no plural form \"%s\"; it has %s", language->tag,
                   ct_plural_name(category), categories);
        else if (check_text(r, v))
            text->forms[category] = v;
    }
    if (!ct_sjson_find(doc, object, "other").entry)
        report(r, object, "the plural form \"other\" is missing; every language has it");
}

static void add_text(reading *r, ct_sjson_value value, const char *key) {
    const ct_sjson *const doc = r->desc->doc;
    ct_strings_source_text text = {
        .key = ct_copy_string(r->desc->allocator, key), .id = ct_string_id32_of(key), .at = value};
    if (ct_sjson_type_of(doc, value) == CT_SJSON_TYPE_OBJECT) {
        text.is_plural = true;
        read_forms(r, value, &text);
    } else if (check_text(r, value)) {
        text.forms[CT_PLURAL_OTHER] = value;
    }
    if (text.forms[CT_PLURAL_OTHER].entry)
        ct_array_push(&r->source->texts, text);
}

// Puts the key of `member` behind the first `length` bytes of r->key. Returns the length of both; 0
// after reporting that it is no key.
static uint32_t append_key(reading *r, uint32_t length, ct_sjson_value member) {
    const char *const key = ct_sjson_key(r->desc->doc, member);
    const size_t bytes = strlen(key);
    for (size_t i = 0; i < bytes; ++i) {
        if ((unsigned char)key[i] >= 0x20 && key[i] != 0x7f)
            continue;
        report(r, member, "the key contains a control character");
        return 0;
    }
    // Room for a dot behind it.
    if (bytes == 0 || length + bytes + 2 > sizeof(r->key)) {
        report(r, member, "the key has %zu bytes; expected 1 to %zu, groups and dots included",
               length + bytes, sizeof(r->key) - 2);
        return 0;
    }
    memcpy(r->key + length, key, bytes + 1);
    return length + (uint32_t)bytes;
}

// Reads the members of the group whose key, with its dot, is the first `length` bytes of r->key.
// Groups in groups end with the length of keys.
static void read_group(reading *r, ct_sjson_value group, uint32_t length) {
    const ct_sjson *const doc = r->desc->doc;
    for (ct_sjson_value v = ct_sjson_first(doc, group); v.entry; v = ct_sjson_next(doc, v)) {
        if (length == 0 && is_language_member(doc, v))
            continue;
        const uint32_t key_length = append_key(r, length, v);
        if (key_length == 0)
            continue;
        if (ct_sjson_type_of(doc, v) != CT_SJSON_TYPE_OBJECT || has_plural_forms(doc, v)) {
            add_text(r, v, r->key);
        } else if (ct_sjson_count(doc, v) == 0) {
            report(r, v, "the group is empty; expected texts, or plural forms");
        } else {
            r->key[key_length] = '.';
            read_group(r, v, key_length + 1);
        }
    }
}

// --- Order ---------------------------------------------------------------------------------------

static void report_same(reading *r, const ct_strings_source_text *a,
                        const ct_strings_source_text *b) {
    uint32_t line, column;
    ct_sjson_position(r->desc->doc, a->at, &line, &column);
    if (strcmp(a->key, b->key) == 0)
        report(r, b->at, "the key \"%s\" is used twice; it is also in line %u", b->key, line);
    else
        report(r, b->at, "the keys \"%s\" and \"%s\" (line %u) have the same id; rename one",
               b->key, a->key, line);
}

// Sorts by id; of those that have the same, the first stays.
static void sort_texts(reading *r) {
    ct_strings_source *const s = r->source;
    ct_allocator *const a = r->desc->allocator;
    const uint32_t count = s->texts.count;
    uint32_t *const ids = CT_NEW_ARRAY(a, uint32_t, count + 1);
    uint32_t *const order = CT_NEW_ARRAY(a, uint32_t, count + 1);
    for (uint32_t i = 0; i < count; ++i)
        ids[i] = s->texts.items[i].id.value;
    ct_sort_order32(ids, order, count, a);
    ct_strings_source sorted = {0};
    ct_array_init(&sorted.texts, a);
    for (uint32_t i = 0; i < count; ++i) {
        const ct_strings_source_text *const text = &s->texts.items[order[i]];
        const uint32_t end = sorted.texts.count;
        if (end > 0 && sorted.texts.items[end - 1].id.value == text->id.value)
            report_same(r, &sorted.texts.items[end - 1], text);
        else
            ct_array_push(&sorted.texts, *text);
    }
    memcpy(&s->texts, &sorted.texts, sizeof(s->texts));
}

bool ct_strings_source_read(const ct_strings_source_desc *desc, ct_strings_source *source) {
    reading r = {.desc = desc, .source = source};
    memset(source, 0, sizeof(*source));
    ct_array_init(&source->texts, desc->allocator);
    read_language(&r);
    read_group(&r, ct_sjson_root(desc->doc), 0);
    sort_texts(&r);
    return r.num_errors == 0;
}
