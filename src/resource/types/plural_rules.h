// plural_rules.h: which plural form a language uses for a number.
//
// Languages have up to six forms; every language has `other`. A rule is a list of groups of
// relations: the first group whose relations all hold gives its category; if none does, it is
// `other`. The relations are in one array in the order in which they are tried, as data of a blob,
// so that the engine needs no code for any language. The categories and operands are those of
// Unicode's LDML, part 3, "Language Plural Rules". libc only. Any thread.
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

// The property of a number that a relation tests.
typedef enum ct_plural_operand {
    CT_PLURAL_OPERAND_N, // the number itself; a fraction is in no range
    CT_PLURAL_OPERAND_I, // its whole part
    CT_PLURAL_OPERAND_V, // how many digits its fraction has
    CT_PLURAL_OPERAND_F, // the digits of its fraction, as a whole number
    CT_PLURAL_OPERAND_COUNT,
} ct_plural_operand;

// One relation: operand % modulus is in first to last. 16 bytes.
typedef struct ct_plural_relation {
    uint8_t category;     // ct_plural: the category of the group
    uint8_t operand;      // ct_plural_operand
    uint8_t is_outside;   // 1: must be outside the range
    uint8_t is_last;      // 1: the last of its group
    uint32_t modulus;     // 0: no modulus
    uint32_t first, last; // both are in the range
} ct_plural_relation;

// A number in its written form: without sign, without trailing zeros of the fraction.
typedef struct ct_plural_number {
    uint64_t whole, fraction;
    uint32_t fraction_digits;
} ct_plural_number;

// Splits `value` as "%.14g" shows it. Returns false for numbers that are not finite, for 1e14 and
// more with a fraction, or for 2^53 and more: no rule covers those.
bool ct_plural_number_of(double value, ct_plural_number *number);

// Returns the category of `value` by `count` relations; `other` when there are none.
ct_plural ct_plural_of(const ct_plural_relation *relations, uint32_t count, double value);

// Returns "other", "zero", "one", …; and finds the category of a name, false when it is unknown.
const char *ct_plural_name(ct_plural category);
bool ct_plural_named(const char *name, ct_plural *category);

// Validates relations from outside. Returns false with `error`, which names the invalid one.
bool ct_plural_check(const ct_plural_relation *relations, uint32_t count, ct_error *error);
