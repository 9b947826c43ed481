// sjson_scan.h: skips runs of bytes of SJSON text, 16 at a time where the processor supports it.
//
// For the tokenizer and the number reader only. A run goes from `at` to the first byte that does
// not belong to it, at most to `end`; no byte at or after `end` is read. The byte loops are the
// definition and handle the last bytes of a text; the vector loops find the same places.
#pragma once
#include "foundation/types.h"

#ifdef __SSE4_1__
#define CT_SJSON_SCAN_SSE4 1
#include <smmintrin.h>
#endif

// What a byte can be part of, as a sum of these flags. Bytes of multi-byte characters are part of
// words.
enum {
    CT_SJSON_BYTE_BLANK = 1,       // between tokens
    CT_SJSON_BYTE_WORD = 2,        // in a key without quotes, a number, a literal
    CT_SJSON_BYTE_STRING_STOP = 4, // ends a run of plain string bytes: quote, backslash, control
};

extern const uint8_t ct_sjson_byte_classes[256];

// Returns the class of a byte, a sum of the flags above.
static inline uint8_t ct_sjson_byte_class(char c) {
    return ct_sjson_byte_classes[(uint8_t)c];
}

// Returns whether the byte is a blank or a line end.
static inline bool ct_sjson_is_blank(char c) {
    return ct_sjson_byte_class(c) & CT_SJSON_BYTE_BLANK;
}

#ifdef CT_SJSON_SCAN_SSE4

// Loads 16 bytes, aligned or not; all must be within the text.
static inline __m128i ct_sjson_load16(const char *s) {
    return _mm_loadu_si128((const __m128i *)(const void *)s);
}

// Returns a bit for each byte whose highest bit is set.
static inline uint32_t ct_sjson_bits(__m128i v) {
    return (uint32_t)_mm_movemask_epi8(v);
}

// Returns the position of the first byte whose bit is set in `stops`, which is not 0.
static inline uint32_t ct_sjson_first_bit(uint32_t stops) {
    return (uint32_t)__builtin_ctz(stops);
}

// Returns a bit for each byte that is not a blank. The table maps the low four bits of a byte to
// the blank with these bits.
static inline uint32_t ct_sjson_blank_stops(__m128i v) {
    const __m128i blanks = _mm_setr_epi8(' ', 0, 0, 0, 0, 0, 0, 0, 0, '\t', '\n', 0, 0, '\r', 0, 0);
    return 0xffffu ^ ct_sjson_bits(_mm_cmpeq_epi8(v, _mm_shuffle_epi8(blanks, v)));
}

// Returns a bit for each byte that is not part of a word, and for each "/". Two tables, indexed by
// the low and by the high four bits, share a bit for every such byte (a row of the second has one
// bit).
static inline uint32_t ct_sjson_word_stops(__m128i v) {
    const __m128i low = _mm_setr_epi8(3, 1, 3, 1, 1, 1, 1, 3, 1, 1, 5, 25, 3, 29, 1, 19);
    const __m128i high = _mm_setr_epi8(1, 1, 2, 4, 0, 8, 0, 16, 0, 0, 0, 0, 0, 0, 0, 0);
    const __m128i high_bits = _mm_and_si128(_mm_srli_epi16(v, 4), _mm_set1_epi8(0x0f));
    const __m128i both = _mm_and_si128(_mm_shuffle_epi8(low, v), _mm_shuffle_epi8(high, high_bits));
    return 0xffffu ^ ct_sjson_bits(_mm_cmpeq_epi8(both, _mm_setzero_si128()));
}

// Returns a bit for each quote, backslash and control character.
static inline uint32_t ct_sjson_string_stops(__m128i v) {
    const __m128i quotes = _mm_cmpeq_epi8(v, _mm_set1_epi8('"'));
    const __m128i backslashes = _mm_cmpeq_epi8(v, _mm_set1_epi8('\\'));
    const __m128i controls = _mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(0x1f)), v);
    return ct_sjson_bits(_mm_or_si128(_mm_or_si128(quotes, backslashes), controls));
}

#endif

// Skips blanks and line ends.
static inline uint32_t ct_sjson_scan_blanks(const char *text, uint32_t at, uint32_t end) {
#ifdef CT_SJSON_SCAN_SSE4
    for (; end - at >= 16; at += 16) {
        const uint32_t stops = ct_sjson_blank_stops(ct_sjson_load16(text + at));
        if (stops)
            return at + ct_sjson_first_bit(stops);
    }
#endif
    while (at < end && ct_sjson_is_blank(text[at]))
        ++at;
    return at;
}

// Skips the bytes of a word; also stops at a "/", which may start a comment.
static inline uint32_t ct_sjson_scan_word(const char *text, uint32_t at, uint32_t end) {
#ifdef CT_SJSON_SCAN_SSE4
    for (; end - at >= 16; at += 16) {
        const uint32_t stops = ct_sjson_word_stops(ct_sjson_load16(text + at));
        if (stops)
            return at + ct_sjson_first_bit(stops);
    }
#endif
    while (at < end && (ct_sjson_byte_class(text[at]) & CT_SJSON_BYTE_WORD) && text[at] != '/')
        ++at;
    return at;
}

// Skips the bytes that a string can hold without escapes.
static inline uint32_t ct_sjson_scan_string(const char *text, uint32_t at, uint32_t end) {
#ifdef CT_SJSON_SCAN_SSE4
    for (; end - at >= 16; at += 16) {
        const uint32_t stops = ct_sjson_string_stops(ct_sjson_load16(text + at));
        if (stops)
            return at + ct_sjson_first_bit(stops);
    }
#endif
    while (at < end && !(ct_sjson_byte_class(text[at]) & CT_SJSON_BYTE_STRING_STOP))
        ++at;
    return at;
}

typedef struct ct_sjson_block {
    uint64_t line_ends; // one bit for each line feed
    bool is_plain;      // all ASCII, no zero byte
} ct_sjson_block;

// Scans `bytes` bytes, at most 64.
static inline ct_sjson_block ct_sjson_scan_block(const char *text, uint32_t bytes) {
    ct_sjson_block block = {0, true};
#ifdef CT_SJSON_SCAN_SSE4
    if (bytes == 64) {
        const __m128i line_end = _mm_set1_epi8('\n');
        const __m128i a = ct_sjson_load16(text), b = ct_sjson_load16(text + 16);
        const __m128i c = ct_sjson_load16(text + 32), d = ct_sjson_load16(text + 48);
        // As signed numbers: what is below 1 is zero or not ASCII.
        const __m128i least = _mm_min_epi8(_mm_min_epi8(a, b), _mm_min_epi8(c, d));
        block.is_plain = !_mm_movemask_epi8(_mm_cmplt_epi8(least, _mm_set1_epi8(1)));
        block.line_ends = (uint64_t)ct_sjson_bits(_mm_cmpeq_epi8(a, line_end)) |
                          (uint64_t)ct_sjson_bits(_mm_cmpeq_epi8(b, line_end)) << 16 |
                          (uint64_t)ct_sjson_bits(_mm_cmpeq_epi8(c, line_end)) << 32 |
                          (uint64_t)ct_sjson_bits(_mm_cmpeq_epi8(d, line_end)) << 48;
        return block;
    }
#endif
    for (uint32_t at = 0; at < bytes; ++at) {
        block.line_ends |= (uint64_t)(text[at] == '\n') << at;
        block.is_plain = block.is_plain && text[at] != 0 && (uint8_t)text[at] < 0x80;
    }
    return block;
}
