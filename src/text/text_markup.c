#include "text/text_markup.h"

#include <string.h>

#include "foundation/log.h"
#include "foundation/string/hex.h"
#include "foundation/string/utf8.h"

static const char possible[] =
    "<color=#rrggbb>, <size=24>, <size=150%>, <font=name>, <outline=2 #rrggbb>, "
    "<shadow=2,-2 #rrggbb>, <glow=3 #rrggbb>, <u> and <s>, each ended by </name> or </>; write "
    "&lt; for <";

// What is left of a tag's value.
typedef struct value {
    const uint8_t *at, *end;
} value;

typedef struct reader {
    const uint8_t *text;
    uint32_t num_bytes, at;
    ct_byte_array *plain;
    ct_text_styles *styles;
    ct_text_spans *spans;
    struct {
        uint32_t tag;   // in the table
        uint16_t style; // around it
    } open[CT_TEXT_MAX_TAGS];
    uint32_t num_open;
    uint16_t style;
    bool has_warned;
} reader;

// --- Values --------------------------------------------------------------------------------------

static bool take(value *v, uint8_t c) {
    if (v->at == v->end || *v->at != c)
        return false;
    ++v->at;
    return true;
}

static void skip_spaces(value *v) {
    while (take(v, ' '))
        ;
}

static bool is_digit(const value *v) {
    return v->at < v->end && *v->at >= '0' && *v->at <= '9';
}

// Reads a decimal number, such as -1.5.
static bool read_number(value *v, float *number) {
    const bool is_negative = take(v, '-');
    double result = 0, place = 1;
    const uint8_t *const start = v->at;
    for (; is_digit(v); ++v->at)
        result = result * 10 + (*v->at - '0');
    bool has_digits = v->at > start;
    if (take(v, '.')) {
        for (; is_digit(v); ++v->at, has_digits = true)
            result += (*v->at - '0') * (place /= 10);
    }
    *number = (float)(is_negative ? -result : result);
    return has_digits && result <= CT_TEXT_MAX_SIZE;
}

// Reads #rrggbb or #rrggbbaa; `alpha` is that of the former.
static bool read_color(value *v, uint32_t alpha, uint32_t *color) {
    if (!take(v, '#'))
        return false;
    uint32_t digits[8];
    uint32_t count = 0;
    for (; count < 8 && v->at < v->end && ct_hex_digit((char)*v->at) >= 0; ++v->at)
        digits[count++] = (uint32_t)ct_hex_digit((char)*v->at);
    if (count != 6 && count != 8)
        return false;
    *color = count == 6 ? alpha << 24 : 0;
    for (uint32_t i = 0; i < count; i += 2)
        *color |= (digits[i] << 4 | digits[i + 1]) << (4 * i);
    return true;
}

// Reads a colour behind a space. Without one `color` stays, or is black of this alpha if it is
// transparent.
static bool read_second_color(value *v, uint32_t alpha, uint32_t *color) {
    skip_spaces(v);
    if (v->at < v->end)
        return read_color(v, 255, color);
    if (*color >> 24 == 0)
        *color = alpha << 24;
    return true;
}

// --- Tags ----------------------------------------------------------------------------------------

static bool set_color(value *v, ct_text_style *s) {
    return read_color(v, s->color >> 24, &s->color);
}

static bool set_size(value *v, ct_text_style *s) {
    float number;
    if (!read_number(v, &number))
        return false;
    const float size = take(v, '%') ? s->size * number / 100 : number;
    s->size = size;
    return size > 0 && size <= CT_TEXT_MAX_SIZE;
}

static bool set_font(value *v, ct_text_style *s) {
    const uint64_t length = (uint64_t)(v->end - v->at);
    s->font = ct_string_id64_register_bytes((const char *)v->at, length);
    v->at = v->end;
    return length > 0;
}

static bool set_outline(value *v, ct_text_style *s) {
    return read_number(v, &s->outline) && s->outline >= 0 &&
           read_second_color(v, 255, &s->outline_color);
}

static bool set_shadow(value *v, ct_text_style *s) {
    return read_number(v, &s->shadow_x) && take(v, ',') && read_number(v, &s->shadow_y) &&
           (!take(v, ',') || (read_number(v, &s->shadow_blur) && s->shadow_blur >= 0)) &&
           read_second_color(v, 128, &s->shadow_color);
}

static bool set_glow(value *v, ct_text_style *s) {
    return read_number(v, &s->glow) && s->glow >= 0 && read_second_color(v, 255, &s->glow_color);
}

static bool set_underlined(value *v, ct_text_style *s) {
    (void)v;
    return s->is_underlined = true;
}

static bool set_struck(value *v, ct_text_style *s) {
    (void)v;
    return s->is_struck = true;
}

static const struct {
    const char *name;
    bool has_value;
    bool (*set)(value *v, ct_text_style *s);
} tags[] = {
    {"color", true, set_color},     {"size", true, set_size},     {"font", true, set_font},
    {"outline", true, set_outline}, {"shadow", true, set_shadow}, {"glow", true, set_glow},
    {"u", false, set_underlined},   {"s", false, set_struck},
};

// Returns the tag with this name; CT_COUNT_OF(tags) when there is none.
static uint32_t find_tag(const uint8_t *name, uint64_t length) {
    uint32_t i = 0;
    while (i < CT_COUNT_OF(tags) &&
           (strlen(tags[i].name) != length || memcmp(tags[i].name, name, length) != 0))
        ++i;
    return i;
}

// Ends the span of the style so far.
static void change_style(reader *r, uint16_t style) {
    ct_array_push(r->spans, (ct_text_span){.end = r->plain->count, .style = r->style});
    r->style = style;
}

// Opens the tag between `begin` and `end`.
static bool open_tag(reader *r, const uint8_t *begin, const uint8_t *end) {
    const uint8_t *const equals = memchr(begin, '=', (size_t)(end - begin));
    const uint32_t tag = find_tag(begin, (uint64_t)((equals ? equals : end) - begin));
    if (tag == CT_COUNT_OF(tags) || tags[tag].has_value != (equals != NULL) ||
        r->num_open == CT_TEXT_MAX_TAGS || r->styles->count == CT_TEXT_MAX_STYLES)
        return false;
    ct_text_style style = r->styles->items[r->style];
    value v = {equals ? equals + 1 : end, end};
    if (!tags[tag].set(&v, &style) || v.at != v.end)
        return false;
    r->open[r->num_open].tag = tag;
    r->open[r->num_open++].style = r->style;
    ct_array_push(r->styles, style);
    change_style(r, (uint16_t)(r->styles->count - 1));
    return true;
}

// Ends the last tag, which must have this name unless that is empty.
static bool close_tag(reader *r, const uint8_t *name, const uint8_t *end) {
    if (r->num_open == 0 ||
        (name < end && find_tag(name, (uint64_t)(end - name)) != r->open[r->num_open - 1].tag))
        return false;
    change_style(r, r->open[--r->num_open].style);
    return true;
}

static void warn_of_tag(reader *r, uint32_t length) {
    if (r->has_warned)
        return;
    r->has_warned = true;
    char tag[64], shown[128];
    const uint32_t bytes = length < sizeof(tag) ? length : (uint32_t)sizeof(tag) - 1;
    memcpy(tag, r->text + r->at, bytes);
    tag[bytes] = '\0';
    ct_utf8_write_printable(shown, sizeof(shown), tag);
    ct_log_warning("text", "wrong_markup", "\"%s\" %s and is shown as it is; possible are %s",
                   shown,
                   length > 1 && tag[1] == '/' ? "does not end the last tag that is open"
                                               : "is no tag of a text",
                   possible);
}

// Reads the tag at a `<`. Returns false when it is text.
static bool read_tag(reader *r) {
    const uint8_t *const begin = r->text + r->at + 1, *const limit = r->text + r->num_bytes;
    if (begin == limit || !(*begin == '/' || ((*begin | 0x20) >= 'a' && (*begin | 0x20) <= 'z')))
        return false;
    const uint8_t *end = begin;
    while (end < limit && *end != '>' && *end != '<' && *end != '\n')
        ++end;
    if (end == limit || *end != '>') {
        warn_of_tag(r, (uint32_t)(end - begin) + 1);
        return false;
    }
    const bool is_read = *begin == '/' ? close_tag(r, begin + 1, end) : open_tag(r, begin, end);
    if (!is_read)
        warn_of_tag(r, (uint32_t)(end - begin) + 2);
    else
        r->at += (uint32_t)(end - begin) + 2;
    return is_read;
}

// --- Text ----------------------------------------------------------------------------------------

static const struct {
    const char *text;
    uint8_t character;
} escapes[] = {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}};

// Reads an escape at a `&`. Returns false when it is text.
static bool read_escape(reader *r) {
    for (uint32_t i = 0; i < CT_COUNT_OF(escapes); ++i) {
        const uint32_t length = (uint32_t)strlen(escapes[i].text);
        if (r->num_bytes - r->at < length || memcmp(r->text + r->at, escapes[i].text, length) != 0)
            continue;
        ct_array_push(r->plain, escapes[i].character);
        r->at += length;
        return true;
    }
    return false;
}

void ct_text_read_markup(const uint8_t *text, uint32_t num_bytes, ct_byte_array *plain,
                         ct_text_styles *styles, ct_text_spans *spans) {
    reader r = {
        .text = text, .num_bytes = num_bytes, .plain = plain, .styles = styles, .spans = spans};
    while (r.at < num_bytes) {
        const uint32_t from = r.at;
        while (r.at < num_bytes && text[r.at] != '<' && text[r.at] != '&')
            ++r.at;
        ct_array_push_many(plain, text + from, r.at - from);
        if (r.at == num_bytes || (text[r.at] == '<' ? read_tag(&r) : read_escape(&r)))
            continue;
        ct_array_push(plain, text[r.at++]);
    }
    ct_array_push(spans, (ct_text_span){.end = UINT32_MAX, .style = r.style});
}

void ct_text_escape(const char *text, uint32_t num_bytes, ct_string_builder *out) {
    for (uint32_t i = 0; i < num_bytes; ++i) {
        uint32_t escape = 0;
        while (escape < CT_COUNT_OF(escapes) && escapes[escape].character != (uint8_t)text[i])
            ++escape;
        if (escape < CT_COUNT_OF(escapes))
            ct_string_builder_add(out, escapes[escape].text);
        else
            ct_string_builder_add_char(out, text[i]);
    }
}
