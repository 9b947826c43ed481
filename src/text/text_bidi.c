#include <unicode/ubidi.h>
#include <unicode/ustring.h>

#include "text/text_private.h"

// Returns whether a character can make levels other than 0 in a paragraph from left to right: a
// letter from right to left, an Arabic number, a control.
static bool is_bidi(uint32_t c) {
    return (c >= 0x590 && c < 0x900) || (c >= 0x200e && c < 0x2010) ||
           (c >= 0x202a && c < 0x202f) || (c >= 0x2066 && c < 0x206a) ||
           (c >= 0xfb1d && c < 0xfe00) || (c >= 0xfe70 && c < 0xff00) ||
           (c >= 0x10800 && c < 0x11000) || (c >= 0x1e800 && c < 0x1f000);
}

static bool has_bidi(const uint8_t *text, uint32_t num_bytes) {
    for (uint32_t i = 0; i < num_bytes;) {
        if (text[i] < 0xd6) { // below U+0580
            ++i;
            continue;
        }
        if (is_bidi(ct_text_next(text, &i)))
            return true;
    }
    return false;
}

// Replaces `utf16` by the text.
static void make_utf16(ct_text_work *w, const uint8_t *text, uint32_t num_bytes) {
    w->utf16.count = 0;
    ct_array_reserve(&w->utf16, num_bytes);
    for (uint32_t i = 0; i < num_bytes;) {
        const uint32_t c = ct_text_next(text, &i);
        if (c >= 0x10000) {
            ct_array_push(&w->utf16, (uint16_t)(0xd7c0 + (c >> 10)));
            ct_array_push(&w->utf16, (uint16_t)(0xdc00 | (c & 0x3ff)));
        } else {
            ct_array_push(&w->utf16, (uint16_t)c);
        }
    }
}

// Writes each character's level to all of its bytes.
static void spread_levels(const UBiDiLevel *of_utf16, const uint8_t *text, uint32_t num_bytes,
                          ct_byte_array *levels) {
    ct_array_resize(levels, num_bytes);
    for (uint32_t i = 0, unit = 0; i < num_bytes;) {
        const uint32_t begin = i;
        const bool is_pair = ct_text_next(text, &i) >= 0x10000;
        for (uint32_t byte = begin; byte < i; ++byte)
            levels->items[byte] = of_utf16[unit];
        unit += is_pair ? 2 : 1;
    }
}

uint8_t ct_text_find_levels(ct_text *t, const uint8_t *text, uint32_t num_bytes,
                            ct_text_direction direction, ct_byte_array *levels) {
    levels->count = 0;
    const uint8_t otherwise = direction == CT_TEXT_DIRECTION_RIGHT_TO_LEFT ? 1 : 0;
    if (num_bytes == 0 || (otherwise == 0 && !has_bidi(text, num_bytes)))
        return otherwise;
    make_utf16(&t->work, text, num_bytes);
    UErrorCode status = U_ZERO_ERROR;
    UBiDi *const bidi = ubidi_openSized((int32_t)t->work.utf16.count, 0, &status);
    const UBiDiLevel base = direction == CT_TEXT_DIRECTION_AUTO ? UBIDI_DEFAULT_LTR : otherwise;
    ubidi_setPara(bidi, t->work.utf16.items, (int32_t)t->work.utf16.count, base, NULL, &status);
    const UBiDiLevel *const found = ubidi_getLevels(bidi, &status);
    uint8_t result = otherwise;
    if (U_SUCCESS(status)) {
        result = ubidi_getParaLevel(bidi);
        spread_levels(found, text, num_bytes, levels);
    }
    ubidi_close(bidi);
    return result;
}

static void reverse(uint32_t *order, uint32_t first, uint32_t end) {
    for (; first + 1 < end; ++first, --end) {
        const uint32_t swapped = order[first];
        order[first] = order[end - 1];
        order[end - 1] = swapped;
    }
}

// From the highest level down, all that has at least this level is reversed.
void ct_text_visual_order(const uint8_t *levels, uint32_t count, uint32_t *order) {
    uint8_t highest = 0, lowest = UINT8_MAX;
    for (uint32_t i = 0; i < count; ++i) {
        order[i] = i;
        highest = levels[i] > highest ? levels[i] : highest;
        lowest = levels[i] < lowest ? levels[i] : lowest;
    }
    const uint32_t lowest_odd = lowest | 1u;
    for (uint32_t level = highest; count > 0 && level >= lowest_odd; --level) {
        for (uint32_t i = 0; i < count;) {
            uint32_t end = i;
            while (end < count && levels[order[end]] >= level)
                ++end;
            reverse(order, i, end);
            i = end + 1;
        }
    }
}
