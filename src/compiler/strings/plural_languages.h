// plural_languages.h: the known languages and their plural rules.
//
// The rules are those of Unicode's CLDR (supplemental data "plurals", cardinals) for numbers
// without trailing zeros or exponents, by family of languages that share them (plural_table.h). The
// name of a language is its tag, in lower case: a primary word and parts behind `-` ("fr", "pt-br",
// "zh-hant"). Any thread.
#pragma once
#include "resource/types/plural_rules.h"

enum { CT_PLURAL_MAX_RELATIONS = 32, CT_PLURAL_LANGUAGE_BYTES = 36 };

typedef struct ct_plural_language {
    char tag[CT_PLURAL_LANGUAGE_BYTES];
    ct_plural_relation relations[CT_PLURAL_MAX_RELATIONS];
    uint32_t num_relations;
    uint32_t categories; // a bit for each ct_plural that the language has; `other` among them
    uint32_t common;     // those that whole numbers below 1,000 need
} ct_plural_language;

// Finds the language of a tag; upper case is allowed. Returns false when the text is not a tag or
// its primary word is not a language with known rules. `language` may be NULL.
bool ct_plural_language_find(const char *tag, ct_plural_language *language);

// Returns true for a word that looks like a language but is not a known one: two or three letters,
// maybe with two or four more behind `-` or `_` ("jp", "jpn", "pt_br"). Sets `meant` to the tag of
// the language that people mean by it, or to "".
bool ct_plural_language_is_mistaken(const char *word, char meant[CT_PLURAL_LANGUAGE_BYTES]);

enum { CT_PLURAL_CATEGORIES_BYTES = 64 }; // of the names of all categories

// Writes the names of the categories of a set (a bit for each ct_plural), "one, few and other", to
// `text`.
void ct_plural_categories_text(uint32_t categories, char text[CT_PLURAL_CATEGORIES_BYTES]);

// Returns the primary words of all languages of a family, separated by blanks; NULL after the last
// family. Start with position 0 and end there.
const char *ct_plural_language_family(uint32_t position);
