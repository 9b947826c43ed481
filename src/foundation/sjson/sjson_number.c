#include "foundation/sjson/sjson_number.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/sjson/sjson_scan.h"

enum { MAX_EXPONENT = 100000 }; // far beyond a double; keeps the sums from overflowing

// A number as written: mantissa * 10^exponent.
typedef struct decimal {
    uint64_t mantissa;   // its first 19 digits
    uint32_t num_digits; // without leading zeros
    int32_t exponent;    // as long as num_digits <= 19
    bool is_negative;
} decimal;

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static const char *read_digits(const char *s, const char *end, decimal *d) {
    for (; s < end && is_digit(*s); ++s) {
        if (d->num_digits > 0 || *s != '0')
            ++d->num_digits;
        if (d->num_digits <= 19)
            d->mantissa = d->mantissa * 10 + (uint64_t)(*s - '0');
    }
    return s;
}

static const char *read_exponent(const char *s, const char *end, decimal *d) {
    const bool is_negative = s < end && *s == '-';
    if (s < end && (*s == '-' || *s == '+'))
        ++s;
    int32_t exponent = 0;
    for (; s < end && is_digit(*s); ++s) {
        if (exponent < MAX_EXPONENT)
            exponent = exponent * 10 + (*s - '0');
    }
    d->exponent += is_negative ? -exponent : exponent;
    return s;
}

// Checks the grammar and fills `d`; returns what is wrong, or NULL.
static const char *read_decimal(const char *s, const char *end, decimal *d) {
    if (*s == '+')
        return "a number must not start with \"+\"";
    if (*s == '-') {
        d->is_negative = true;
        if (++s == end || (!is_digit(*s) && *s != '.'))
            return "a digit must follow the \"-\"";
    }
    if (*s == '.')
        return "a digit must come before the \".\"";
    if (*s == '0' && s + 1 < end && is_digit(s[1]))
        return "a number must not have leading zeros";
    s = read_digits(s, end, d);
    if (s < end && *s == '.') {
        const char *const fraction = ++s;
        s = read_digits(s, end, d);
        if (s == fraction)
            return "a digit must follow the \".\"";
        const ptrdiff_t fraction_digits = s - fraction;
        d->exponent = fraction_digits < MAX_EXPONENT ? -(int32_t)fraction_digits : -MAX_EXPONENT;
    }
    if (s < end && (*s == 'e' || *s == 'E')) {
        s = read_exponent(s + 1, end, d);
        if (!is_digit(s[-1]))
            return "a digit must follow the exponent's \"e\"";
    }
    return s == end ? NULL : "a number has only digits, one \".\" and one exponent";
}

// Parses with the C library, in the C locale; for text that read_decimal has checked.
static double parse_slowly(const char *text, uint32_t bytes, char *scratch) {
    memcpy(scratch, text, bytes);
    scratch[bytes] = 0;
    const locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    CT_ASSERT(c_locale, "cannot load the C locale");
    const double value = strtod_l(scratch, NULL, c_locale);
    freelocale(c_locale);
    return value;
}

static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
static const uint64_t max_exact = 1ull << 53; // up to here every integer is a double

#ifdef CT_SJSON_SCAN_SSE4

// Returns the number of 16 digits (0 to 9, not their characters).
static uint64_t sum_digits(__m128i digits) {
    const __m128i pairs = _mm_maddubs_epi16(digits, _mm_set1_epi16(0x010a)); // 10, 1
    const __m128i fours = _mm_madd_epi16(pairs, _mm_set1_epi32(0x00010064)); // 100, 1
    const __m128i packed = _mm_packs_epi32(fours, fours);
    const __m128i eights = _mm_madd_epi16(packed, _mm_set1_epi32(0x00012710)); // 10000, 1
    const uint64_t both = (uint64_t)_mm_cvtsi128_si64(eights);
    return (both & 0xffffffff) * 100000000 + (both >> 32);
}

// Reads an ordinary number of at most 15 bytes, [-] digits [. digits], without looking at one byte
// after the other: branches on where digits end would be mispredicted. Returns false for anything
// else. `text` has 16 readable bytes.
static bool parse_short(const char *text, uint32_t bytes, double *value) {
    static const double signs[2] = {1, -1};
    static const char to_the_end[32] = "\xff\xff\xff\xff\xff\xff\xff\xff"
                                       "\xff\xff\xff\xff\xff\xff\xff\xff"
                                       "\x00\x01\x02\x03\x04\x05\x06\x07"
                                       "\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f";
    const __m128i v = _mm_sub_epi8(ct_sjson_load16(text), _mm_set1_epi8('0'));
    const __m128i is_digit = _mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(9)), v);
    const uint32_t sign = text[0] == '-';
    const uint32_t others = ~(uint32_t)_mm_movemask_epi8(is_digit) & ((1u << bytes) - 1) & ~sign;
    const uint32_t point = ct_sjson_first_bit(others | 1u << bytes); // or the end
    const uint32_t has_point = others != 0;
    const bool is_other = (others & (others - 1)) | (has_point & (text[point] != '.')) |
                          (point == sign) | (point + 1 == bytes) |
                          ((text[sign] == '0') & (point > sign + 1));
    if (is_other)
        return false;
    // All digits, the sign as a zero, move to the vector's end; those before the point one more.
    const __m128i order = ct_sjson_load16(to_the_end + bytes);
    const __m128i limit = _mm_set1_epi8((char)((point + 1) & -has_point));
    const __m128i closed = _mm_add_epi8(order, _mm_cmpgt_epi8(limit, order));
    const uint64_t mantissa = sum_digits(_mm_shuffle_epi8(_mm_and_si128(v, is_digit), closed));
    *value = (double)(int64_t)mantissa / powers[bytes - point - has_point] * signs[sign];
    return true;
}
#endif

const char *ct_sjson_number_parse(const char *text, uint32_t bytes, uint32_t readable,
                                  char *scratch, double *value) {
#ifdef CT_SJSON_SCAN_SSE4
    if (bytes < 16 && readable >= 16 && parse_short(text, bytes, value))
        return NULL;
#else
    (void)readable;
#endif
    decimal d = {0};
    const char *const wrong = read_decimal(text, text + bytes, &d);
    if (wrong)
        return wrong;
    const int32_t size = d.exponent < 0 ? -d.exponent : d.exponent;
    // Both factors are exact doubles, so one operation rounds once (Clinger 1990).
    if (d.num_digits <= 19 && d.mantissa <= max_exact && size < (int32_t)CT_COUNT_OF(powers)) {
        const double mantissa = (double)d.mantissa;
        const double v = d.exponent < 0 ? mantissa / powers[size] : mantissa * powers[size];
        *value = d.is_negative ? -v : v;
        return NULL;
    }
    *value = parse_slowly(text, bytes, scratch);
    return isinf(*value) ? "it is larger than a double can hold" : NULL;
}

// The C library writes the locale's decimal point, which may be several bytes, and exponents with a
// sign and at least two digits. Changes 1,5e-05 to 1.5e-5. Returns the length.
static uint32_t make_plain_and_short(char *text) {
    char *out = text;
    const char *s = text;
    for (; *s && *s != 'e'; ++s) {
        if (is_digit(*s) || *s == '-')
            *out++ = *s;
        else if (out == text || out[-1] != '.')
            *out++ = '.';
    }
    if (*s == 'e') {
        *out++ = *s++;
        if (*s == '-')
            *out++ = '-';
        for (s += strspn(s, "+-0"); *s; ++s)
            *out++ = *s;
    }
    *out = 0;
    return (uint32_t)(out - text);
}

// Writes the decimal of `digits` digits after the one that printf writes for `value`, which has a
// magnitude for which printf writes an exponent.
static void format_above(double value, int digits, char *out) {
    snprintf(out, CT_SJSON_NUMBER_BYTES, "%.*e", digits - 1, value);
    char *exponent = strchr(out, 'e');
    char *at = exponent - 1;
    while (at > out && (*at == '9' || !is_digit(*at))) {
        if (*at == '9')
            *at = '0';
        --at;
    }
    if (!is_digit(*at) || *at == '9')
        return; // all nines: one digit less would have been enough
    ++*at;
    // Like %g of printf, without zeros at the end.
    const char *const rest = exponent;
    while (exponent[-1] == '0')
        --exponent;
    if (!is_digit(exponent[-1]))
        --exponent;
    memmove(exponent, rest, strlen(rest) + 1);
}

// Tries `digits` digits; true when they read back to `value`.
static bool format_with(double value, int digits, char *out) {
    snprintf(out, CT_SJSON_NUMBER_BYTES, "%.*g", digits, value);
    if (strtod(out, NULL) == value)
        return true;
    // Below a power of two, doubles are closer than above it: the nearest decimal may be below and
    // read as another double, while one further away, above, reads as this one.
    int exponent;
    if (fabs(frexp(value, &exponent)) != 0.5)
        return false;
    format_above(value, digits, out);
    return strtod(out, NULL) == value;
}

uint32_t ct_sjson_number_format(double value, char *out) {
    CT_ASSERT(isfinite(value), "cannot write a number that is not finite");
    if (fabs(value) <= 9007199254740992.0 && value == floor(value)) {
        const char *const sign = signbit(value) ? "-" : "";
        return (uint32_t)snprintf(out, CT_SJSON_NUMBER_BYTES, "%s%llu", sign,
                                  (unsigned long long)fabs(value));
    }
    // 15 digits of a normal double always read back; for a denormal, fewer may be enough.
    int digits = fabs(value) < DBL_MIN ? 1 : 15;
    while (!format_with(value, digits, out))
        ++digits;
    return make_plain_and_short(out);
}
