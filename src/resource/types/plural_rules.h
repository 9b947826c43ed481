// plural_rules.h: which plural form a language uses for a number.
//
// Languages have up to six forms; every language has `other`. A rule is a sum of products: groups
// of relations that must all hold, and any group that holds gives its category; when none does it
// is `other`. The relations lie in one array in the order in which they are tried, as data of a
// blob, so that run time knows no language. The categories and operands are those of Unicode's
// LDML, part 3, "Language Plural Rules". libc only. Any thread.
#pragma once
#include "foundation/types.h"

// The plural categories of Unicode's CLDR.
typedef enum ct_plural {
    CT_PLURAL_OTHER,
    CT_PLURAL_ZERO,
    CT_PLURAL_ONE,
    CT_PLURAL_TWO,
    CT_PLURAL_FEW,
    CT_PLURAL_MANY,
    CT_PLURAL_COUNT,
} ct_plural;

// What of a number a relation looks at.
typedef enum ct_plural_operand {
    CT_PLURAL_OPERAND_N, // the number itself: what has a fraction lies in no range
    CT_PLURAL_OPERAND_I, // its whole part
    CT_PLURAL_OPERAND_V, // how many digits its fraction has
    CT_PLURAL_OPERAND_F, // the digits of its fraction, as a whole number
    CT_PLURAL_OPERAND_COUNT,
} ct_plural_operand;

// One relation: operand % modulus lies in first to last. 16 bytes.
typedef struct ct_plural_relation {
    uint8_t category;     // ct_plural: what a group gives
    uint8_t operand;      // ct_plural_operand
    uint8_t is_outside;   // 1: must lie outside of the range
    uint8_t is_last;      // 1: the last of its group
    uint32_t modulus;     // 0: none
    uint32_t first, last; // both belong to the range
} ct_plural_relation;

// A number as people read it: without sign, trailing zeros of the fraction dropped.
typedef struct ct_plural_number {
    uint64_t whole, fraction;
    uint32_t fraction_digits;
} ct_plural_number;

// Takes `value` apart as "%.14g" shows it. False for what is not finite or 1e14 and more with a
// fraction, or 2^53 and more: no rule speaks of those.
bool ct_plural_number_of(double value, ct_plural_number *number);

// The category of `value` by `count` relations; `other` when there are none.
ct_plural ct_plural_of(const ct_plural_relation *relations, uint32_t count, double value);

// "other", "zero", "one", …, and the category of a name; false when it is none.
const char *ct_plural_name(ct_plural category);
bool ct_plural_named(const char *name, ct_plural *category);

// Checks relations that come from outside. False with `error` that names the one that is wrong.
bool ct_plural_check(const ct_plural_relation *relations, uint32_t count, ct_error *error);
