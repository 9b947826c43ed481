// plural_table.h: the plural rules of all languages of Unicode's CLDR, as text. plural_languages.c
// reads them.
#pragma once
#include "resource/types/plural_rules.h"

// Languages that share their rules. A rule is relations joined by `and`, and groups of them joined
// by `or`: `operand % modulus = 1,3..5`.
typedef struct ct_plural_family {
    const char *languages; // tags in lower case, separated by blanks
    const char
        *rules[CT_PLURAL_COUNT]; // NULL: the languages do not have the form, or it is `other`
} ct_plural_family;

// All families; the last has no languages.
extern const ct_plural_family ct_plural_families[];
