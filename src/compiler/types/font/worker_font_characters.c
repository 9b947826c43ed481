#include "compiler/types/font/worker_font_characters.h"

#include <stdlib.h>
#include <string.h>

#include "foundation/string/utf8.h"
#include "resource/types/strings_resource.h"

enum { MAX_CODEPOINT = 0x10ffff };

typedef struct range {
    uint32_t first, last;
} range;

// --- Named sets ----------------------------------------------------------------------------------

static const range latin[] = {
    {0x20, 0x7e},     {0xa0, 0x17f},  {0x192, 0x192}, {0x1a0, 0x1a1},   {0x1af, 0x1b0},
    {0x1cd, 0x1dc},   {0x1e6, 0x1e7}, {0x1fa, 0x1ff}, {0x218, 0x21b},   {0x237, 0x237},
    {0x2bb, 0x2bc},   {0x2c6, 0x2c7}, {0x2d8, 0x2dd}, {0x300, 0x304},   {0x306, 0x30c},
    {0x31b, 0x31b},   {0x323, 0x323}, {0x326, 0x328}, {0x1e80, 0x1e85}, {0x1e9e, 0x1e9e},
    {0x1ea0, 0x1ef9},
};
static const range latin_1[] = {{0x20, 0x7e}, {0xa0, 0xff}};
static const range greek[] = {{0x370, 0x3ff}};
static const range cyrillic[] = {{0x400, 0x52f}};
static const range hebrew[] = {{0x590, 0x5ff}, {0xfb1d, 0xfb4f}};
// With signs of currencies and arrows.
static const range punctuation[] = {
    {0x2010, 0x2027}, {0x2030, 0x205e}, {0x20a0, 0x20bf}, {0x2116, 0x2116},
    {0x2122, 0x2122}, {0x2190, 0x2199}, {0x2212, 0x2212}, {0x221e, 0x221e},
    {0x2248, 0x2248}, {0x2260, 0x2265}, {0xfffd, 0xfffd},
};

#define SET(name)                                                                                  \
    { #name, name, CT_COUNT_OF(name) }
static const struct {
    const char *name;
    const range *ranges;
    uint32_t count;
} sets[] = {SET(latin), SET(latin_1), SET(greek), SET(cyrillic), SET(hebrew), SET(punctuation)};

static void add_ranges(ct_worker_font_characters *out, const range *ranges, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i)
        ct_bits_set_range(out->codepoints.words, ranges[i].first, ranges[i].last + 1);
}

// --- `characters` --------------------------------------------------------------------------------

// Parses "0x20" or "U+20" and moves `at` behind it. Returns false when it is neither.
static bool parse_codepoint(const char **at, uint32_t *codepoint) {
    const char *const s = *at;
    const bool has_prefix = (s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) ||
                            ((s[0] == 'U' || s[0] == 'u') && s[1] == '+');
    const size_t num_digits = has_prefix ? strspn(s + 2, "0123456789abcdefABCDEF") : 0;
    if (num_digits == 0 || num_digits > 8)
        return false;
    *codepoint = (uint32_t)strtoul(s + 2, NULL, 16);
    *at = s + 2 + num_digits;
    return true;
}

// Whether a text is meant as a range, right or wrong.
static bool is_range(const char *text) {
    return strncmp(text, "0x", 2) == 0 || strncmp(text, "0X", 2) == 0 ||
           strncmp(text, "U+", 2) == 0 || strncmp(text, "u+", 2) == 0;
}

static bool add_range(ct_compile *c, ct_worker_font_characters *out, const char *text,
                      ct_sjson_value at) {
    const char *s = text;
    range r = {0, 0};
    bool is_right = parse_codepoint(&s, &r.first);
    r.last = r.first;
    if (is_right && *s == '-')
        is_right = parse_codepoint((++s, &s), &r.last);
    if (!is_right || *s)
        return ct_compile_error(c, c->doc, at,
                                "\"%.64s\" is not a range of characters; write \"U+20-U+7E\" or "
                                "\"0x20-0x7e\", or one character as \"U+20\"",
                                text);
    if (r.first > r.last || r.last > MAX_CODEPOINT)
        return ct_compile_error(c, c->doc, at, "the range \"%.64s\" %s", text,
                                r.first > r.last ? "ends before it starts"
                                                 : "goes beyond U+10FFFF, the last character");
    add_ranges(out, &r, 1);
    return true;
}

// A name of a set that was misspelled is a list of letters.
static void warn_of_names(ct_compile *c, const char *text, ct_sjson_value at) {
    const char *names[CT_COUNT_OF(sets)];
    for (uint32_t i = 0; i < CT_COUNT_OF(sets); ++i)
        names[i] = sets[i].name;
    const bool is_word =
        strlen(text) > 3 &&
        text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_1-")] == 0;
    const char *const nearest = is_word ? ct_nearest_name(text, names, CT_COUNT_OF(sets)) : NULL;
    if (nearest)
        ct_compile_warning(c, c->doc, at,
                           "\"%.64s\" adds its letters; did you mean the set \"%s\"?", text,
                           nearest);
}

static void add_literals(ct_worker_font_characters *out, const char *text, uint32_t bytes,
                         ct_sjson_value at) {
    for (uint32_t i = 0; i < bytes; i += ct_utf8_length(text + i, bytes - i)) {
        const uint32_t codepoint = ct_utf8_decode(text + i);
        if (codepoint < 0x20)
            continue;
        ct_bitset_set(&out->codepoints, codepoint);
        const ct_worker_font_literal literal = {codepoint, at};
        ct_array_push(&out->literals, literal);
    }
}

static bool add_element(ct_compile *c, ct_worker_font_characters *out, ct_sjson_value at) {
    const char *const text = ct_sjson_string(c->doc, at, NULL);
    if (!text)
        return ct_compile_error(c, c->doc, at,
                                "found %s, expected a string: characters, a range "
                                "or the name of a set",
                                ct_sjson_type_name(ct_sjson_type_of(c->doc, at)));
    if (is_range(text))
        return add_range(c, out, text, at);
    for (uint32_t i = 0; i < CT_COUNT_OF(sets); ++i) {
        if (strcmp(text, sets[i].name) == 0) {
            add_ranges(out, sets[i].ranges, sets[i].count);
            return true;
        }
    }
    warn_of_names(c, text, at);
    add_literals(out, text, ct_sjson_string_bytes(c->doc, at), at);
    return true;
}

static bool read_elements(ct_compile *c, ct_sjson_value list, ct_worker_font_characters *out) {
    bool is_right = true;
    if (list.entry == 0) {
        add_ranges(out, latin_1, CT_COUNT_OF(latin_1));
        return true;
    }
    for (ct_sjson_value v = ct_sjson_first(c->doc, list); v.entry; v = ct_sjson_next(c->doc, v))
        is_right &= add_element(c, out, v);
    return is_right;
}

// --- `strings` -----------------------------------------------------------------------------------

static void add_text(ct_worker_font_characters *out, const char *text, uint32_t bytes) {
    // What numbers are written with, in place of a placeholder.
    static const char number[] = "0123456789.,-";
    const char *at = text;
    ct_strings_piece piece;
    while (ct_strings_next_piece(&at, text + bytes, &piece)) {
        const bool is_placeholder = piece.kind == CT_STRINGS_PIECE_PLACEHOLDER;
        const char *const s = is_placeholder ? number : piece.text;
        const uint32_t count = is_placeholder ? (uint32_t)strlen(number) : piece.bytes;
        for (uint32_t i = 0; i < count; i += ct_utf8_length(s + i, count - i)) {
            const uint32_t codepoint = ct_utf8_decode(s + i);
            if (codepoint >= 0x20)
                ct_bitset_set(&out->codepoints, codepoint);
        }
    }
}

// Adds all texts below a value; whether they are forms or groups does not matter here.
static void add_texts(ct_worker_font_characters *out, const ct_sjson *doc, ct_sjson_value parent,
                      bool is_root) {
    for (ct_sjson_value v = ct_sjson_first(doc, parent); v.entry; v = ct_sjson_next(doc, v)) {
        const char *const text = ct_sjson_string(doc, v, NULL);
        const char *const key = ct_sjson_key(doc, v);
        if (!text)
            add_texts(out, doc, v, false);
        else if (!is_root || !key || strcmp(key, "language") != 0)
            add_text(out, text, ct_sjson_string_bytes(doc, v));
    }
}

static bool read_strings(ct_compile *c, const char *name, ct_sjson_value at,
                         ct_worker_font_characters *out) {
    uint32_t count;
    const char *const *const paths = ct_compile_list_variants(c, "strings", name, &count);
    bool is_right = true;
    for (uint32_t i = 0; i < count; ++i) {
        const ct_sjson *const doc = ct_compile_read_sjson(c, paths[i], c->doc, at);
        is_right &= doc != NULL;
        if (doc)
            add_texts(out, doc, ct_sjson_root(doc), true);
    }
    return is_right; // that there is one at all is checked of every reference
}

bool ct_worker_font_characters_read(ct_compile *c, const ct_font_source *source,
                                    ct_worker_font_characters *characters) {
    ct_bitset_init(&characters->codepoints, c->allocator);
    ct_bitset_resize(&characters->codepoints, MAX_CODEPOINT + 1);
    ct_array_init(&characters->literals, c->allocator);
    bool is_right = read_elements(c, source->characters, characters);
    const ct_sjson_value list = source->strings_value;
    for (ct_sjson_value v = list.entry ? ct_sjson_first(c->doc, list) : list; v.entry;
         v = ct_sjson_next(c->doc, v)) {
        const char *const name = ct_sjson_string(c->doc, v, "");
        is_right &= read_strings(c, name, v, characters);
    }
    return is_right;
}
