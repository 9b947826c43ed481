#include <string.h>

#include "foundation/log.h"
#include "foundation/string/utf8.h"
#include "text/text_private.h"

static const char replacement[] = "\xef\xbf\xbd"; // U+FFFD

// Returns where a text longer than the limit is cut: between characters.
static uint32_t cut_of(const char *text, uint32_t num_bytes) {
    if (num_bytes <= CT_TEXT_MAX_BYTES)
        return num_bytes;
    ct_log_warning("text", "text_too_long", "a text has %u bytes; the first %u are laid out",
                   num_bytes, (uint32_t)CT_TEXT_MAX_BYTES);
    uint32_t cut = CT_TEXT_MAX_BYTES;
    while (cut > CT_TEXT_MAX_BYTES - 4 && ((uint8_t)text[cut] & 0xc0) == 0x80)
        --cut;
    return cut;
}

static void warn_of_invalid(const char *text, uint32_t at) {
    char start[64];
    char shown[128];
    const uint32_t from = at > 16 ? at - 16 : 0;
    memcpy(start, text + from, at - from);
    start[at - from] = '\0';
    ct_utf8_write_printable(shown, sizeof(shown), start);
    ct_log_warning("text", "invalid_utf8",
                   "a text is not UTF-8: byte 0x%02x at position %u, behind \"%s\"; it is shown as "
                   "U+FFFD",
                   (uint8_t)text[at], at, shown);
}

void ct_text_make_valid(const char *text, uint32_t num_bytes, ct_byte_array *out) {
    num_bytes = cut_of(text, num_bytes);
    out->count = 0;
    if (ct_utf8_is_valid(text, num_bytes)) {
        ct_array_push_many(out, (const uint8_t *)text, num_bytes);
        return;
    }
    bool has_warned = false;
    for (uint32_t i = 0; i < num_bytes;) {
        const uint32_t length = ct_utf8_length(text + i, num_bytes - i);
        if (length == 0 && !has_warned)
            warn_of_invalid(text, i);
        has_warned |= length == 0;
        ct_array_push_many(out, (const uint8_t *)(length == 0 ? replacement : text + i),
                           length == 0 ? 3 : length);
        i += length == 0 ? 1 : length;
    }
}

// Unicode's Default_Ignorable_Code_Point, as HarfBuzz has it.
static bool is_ignorable(uint32_t c) {
    switch (c >> 8) {
    case 0x00:
        return c == 0xad;
    case 0x03:
        return c == 0x34f;
    case 0x06:
        return c == 0x61c;
    case 0x11:
        return c == 0x115f || c == 0x1160;
    case 0x17:
        return c == 0x17b4 || c == 0x17b5;
    case 0x18:
        return c >= 0x180b && c <= 0x180f;
    case 0x20:
        return (c >= 0x200b && c <= 0x200f) || (c >= 0x202a && c <= 0x202e) ||
               (c >= 0x2060 && c <= 0x206f);
    case 0x31:
        return c == 0x3164;
    case 0xfe:
        return (c >= 0xfe00 && c <= 0xfe0f) || c == 0xfeff;
    case 0xff:
        return c == 0xffa0 || (c >= 0xfff0 && c <= 0xfff8);
    case 0x1bc:
        return c >= 0x1bca0 && c <= 0x1bca3;
    case 0x1d1:
        return c >= 0x1d173 && c <= 0x1d17a;
    default:
        return c >= 0xe0000 && c <= 0xe0fff;
    }
}

bool ct_text_needs_no_glyph(uint32_t c) {
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029 || is_ignorable(c);
}

bool ct_text_is_blank(uint32_t c) {
    return c == ' ' || c == '\t' || c == 0x1680 || (c >= 0x2000 && c <= 0x200b && c != 0x2007) ||
           c == 0x205f || c == 0x3000;
}
