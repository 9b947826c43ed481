#include "resource/types/plural_rules.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "foundation/error.h"

static const char *const names[CT_PLURAL_COUNT] = {
    [CT_PLURAL_OTHER] = "other", [CT_PLURAL_ZERO] = "zero", [CT_PLURAL_ONE] = "one",
    [CT_PLURAL_TWO] = "two",     [CT_PLURAL_FEW] = "few",   [CT_PLURAL_MANY] = "many",
};

const char *ct_plural_name(ct_plural category) {
    return names[category];
}

bool ct_plural_named(const char *name, ct_plural *category) {
    for (uint32_t i = 0; i < CT_PLURAL_COUNT; ++i) {
        if (strcmp(names[i], name) == 0) {
            *category = (ct_plural)i;
            return true;
        }
    }
    return false;
}

// Reads the digits behind the point of "%.14g", whatever the point looks like.
static void read_fraction(const char *text, ct_plural_number *number) {
    text += strspn(text, "0123456789");
    if (*text == '\0')
        return;
    for (++text; *text >= '0' && *text <= '9'; ++text) {
        number->fraction = number->fraction * 10 + (uint64_t)(*text - '0');
        ++number->fraction_digits;
    }
}

bool ct_plural_number_of(double value, ct_plural_number *number) {
    const double size = fabs(value);
    *number = (ct_plural_number){0};
    if (!(size < 9007199254740992.0))
        return false;
    number->whole = (uint64_t)size;
    if (size == (double)number->whole)
        return true;
    // Below this "%.14g" has an exponent; and it rounds, so that 0.99999999999999999 is 1.
    char text[48];
    snprintf(text, sizeof(text), "%.14g", size);
    if (strchr(text, 'e'))
        return false;
    number->whole = 0;
    for (const char *c = text; *c >= '0' && *c <= '9'; ++c)
        number->whole = number->whole * 10 + (uint64_t)(*c - '0');
    read_fraction(text, number);
    return true;
}

static bool holds(const ct_plural_relation *r, const ct_plural_number *number) {
    const bool is_no_whole = r->operand == CT_PLURAL_OPERAND_N && number->fraction_digits > 0;
    uint64_t value = number->whole;
    if (r->operand == CT_PLURAL_OPERAND_V)
        value = number->fraction_digits;
    else if (r->operand == CT_PLURAL_OPERAND_F)
        value = number->fraction;
    if (r->modulus > 0)
        value %= r->modulus;
    const bool is_inside = !is_no_whole && value >= r->first && value <= r->last;
    return is_inside != (r->is_outside != 0);
}

ct_plural ct_plural_of(const ct_plural_relation *relations, uint32_t count, double value) {
    ct_plural_number number;
    if (!ct_plural_number_of(value, &number))
        return CT_PLURAL_OTHER;
    bool all_hold = true;
    for (uint32_t i = 0; i < count; ++i) {
        all_hold = all_hold && holds(&relations[i], &number);
        if (!relations[i].is_last)
            continue;
        if (all_hold)
            return (ct_plural)relations[i].category;
        all_hold = true;
    }
    return CT_PLURAL_OTHER;
}

bool ct_plural_check(const ct_plural_relation *relations, uint32_t count, ct_error *error) {
    for (uint32_t i = 0; i < count; ++i) {
        const ct_plural_relation *const r = &relations[i];
        if (r->category >= CT_PLURAL_COUNT || r->operand >= CT_PLURAL_OPERAND_COUNT)
            return ct_error_set(error, "rules[%u]: unknown category %u or operand %u", i,
                                r->category, r->operand);
        if (r->is_outside > 1 || r->is_last > 1 || r->first > r->last)
            return ct_error_set(error, "rules[%u]: invalid flags %u and %u, or range from %u to %u",
                                i, r->is_outside, r->is_last, r->first, r->last);
    }
    return count == 0 || relations[count - 1].is_last ||
           ct_error_set(error, "rules[%u]: the last group does not end", count - 1);
}
