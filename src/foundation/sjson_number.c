#include "foundation/sjson_number.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "foundation/error.h"

enum { MAX_EXPONENT = 100000 }; // far past what a double holds; keeps the sums from overflowing

// A number as it is written: mantissa * 10^exponent.
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
        return "a number does not start with \"+\"";
    if (*s == '-') {
        d->is_negative = true;
        if (++s == end || (!is_digit(*s) && *s != '.'))
            return "a digit must follow the \"-\"";
    }
    if (*s == '.')
        return "a digit must stand before the \".\"";
    if (*s == '0' && s + 1 < end && is_digit(s[1]))
        return "a number does not start with \"0\" and more digits";
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
    return s == end ? NULL : "only digits, one \".\" and one exponent make a number";
}

// By the C library, in the C locale; for what read_decimal has checked.
static double parse_slowly(const char *text, uint32_t bytes, char *scratch) {
    memcpy(scratch, text, bytes);
    scratch[bytes] = 0;
    const locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    CT_ASSERT(c_locale, "there is no C locale");
    const double value = strtod_l(scratch, NULL, c_locale);
    freelocale(c_locale);
    return value;
}

const char *ct_sjson_number_parse(const char *text, uint32_t bytes, char *scratch, double *value) {
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    decimal d = {0};
    const char *const wrong = read_decimal(text, text + bytes, &d);
    if (wrong)
        return wrong;
    const int32_t size = d.exponent < 0 ? -d.exponent : d.exponent;
    // Both factors are exact doubles, so one operation rounds once (Clinger 1990).
    if (d.num_digits <= 19 && d.mantissa <= (1ull << 53) && size < (int32_t)CT_COUNT_OF(powers)) {
        const double mantissa = (double)d.mantissa;
        const double v = d.exponent < 0 ? mantissa / powers[size] : mantissa * powers[size];
        *value = d.is_negative ? -v : v;
        return NULL;
    }
    *value = parse_slowly(text, bytes, scratch);
    return isinf(*value) ? "it is larger than a double can hold" : NULL;
}

// The C library writes the locale's decimal point, which may be several bytes.
static uint32_t use_plain_point(char *text) {
    char *out = text;
    for (const char *s = text; *s; ++s) {
        const bool is_plain = is_digit(*s) || *s == '-' || *s == '+' || *s == 'e';
        if (is_plain)
            *out++ = *s;
        else if (out == text || out[-1] != '.')
            *out++ = '.';
    }
    *out = 0;
    return (uint32_t)(out - text);
}

uint32_t ct_sjson_number_format(double value, char *out) {
    CT_ASSERT(isfinite(value), "only finite numbers have a text");
    if (fabs(value) <= 9007199254740992.0 && value == floor(value)) {
        const char *const sign = signbit(value) ? "-" : "";
        return (uint32_t)snprintf(out, CT_SJSON_NUMBER_BYTES, "%s%llu", sign,
                                  (unsigned long long)fabs(value));
    }
    // 15 digits of a normal double are always its own; below, fewer may do.
    int digits = fabs(value) < DBL_MIN ? 1 : 15;
    for (; digits < 17; ++digits) {
        snprintf(out, CT_SJSON_NUMBER_BYTES, "%.*g", digits, value);
        if (strtod(out, NULL) == value)
            break;
    }
    if (digits == 17)
        snprintf(out, CT_SJSON_NUMBER_BYTES, "%.17g", value);
    return use_plain_point(out);
}
