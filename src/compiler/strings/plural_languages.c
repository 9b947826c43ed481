#include "compiler/strings/plural_languages.h"
#include "compiler/strings/plural_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "foundation/error.h"

// --- Rules as relations --------------------------------------------------------------------------

enum { MAX_RANGES = 8, MAX_GROUP = 8 };

// `operand % modulus = ranges`.
typedef struct comparison {
    ct_plural_relation relation; // without a range
    uint32_t first[MAX_RANGES], last[MAX_RANGES];
    uint32_t num_ranges;
} comparison;

static uint32_t read_number(const char **at) {
    char *end = NULL;
    const unsigned long number = strtoul(*at, &end, 10);
    CT_ASSERT(end != *at, "the plural rule has no number at \"%s\"", *at);
    *at = end;
    return (uint32_t)number;
}

static bool take(const char **at, const char *word) {
    const size_t bytes = strlen(word);
    if (strncmp(*at, word, bytes) != 0)
        return false;
    *at += bytes;
    return true;
}

static comparison read_comparison(const char **at, ct_plural category) {
    static const char operands[] = "nivf";
    const char *const operand = strchr(operands, **at);
    comparison c = {.relation = {.category = (uint8_t)category}};
    CT_ASSERT(operand && **at, "the plural rule has no operand at \"%s\"", *at);
    c.relation.operand = (uint8_t)(operand - operands);
    ++*at;
    if (take(at, " % "))
        c.relation.modulus = read_number(at);
    c.relation.is_outside = take(at, " != ");
    const bool is_inside = !c.relation.is_outside && take(at, " = ");
    CT_ASSERT(c.relation.is_outside || is_inside, "the plural rule is wrong at \"%s\"", *at);
    do {
        CT_ASSERT(c.num_ranges < MAX_RANGES, "too many ranges before \"%s\"", *at);
        const uint32_t first = read_number(at);
        c.first[c.num_ranges] = first;
        c.last[c.num_ranges++] = take(at, "..") ? read_number(at) : first;
    } while (take(at, ","));
    return c;
}

static void add(ct_plural_language *l, const comparison *c, uint32_t range) {
    CT_ASSERT(l->num_relations < CT_PLURAL_MAX_RELATIONS, "the rules of %s are too long", l->tag);
    ct_plural_relation *const r = &l->relations[l->num_relations++];
    *r = c->relation;
    r->first = c->first[range];
    r->last = c->last[range];
}

// Adds a group once for each range of the first comparison that has several and is no exclusion:
// the others of a group have one range, or exclude all of theirs.
static void add_group(ct_plural_language *l, const comparison *group, uint32_t count) {
    uint32_t listed = 0;
    while (listed < count && (group[listed].relation.is_outside || group[listed].num_ranges == 1))
        ++listed;
    const uint32_t times = listed < count ? group[listed].num_ranges : 1;
    for (uint32_t t = 0; t < times; ++t) {
        for (uint32_t i = 0; i < count; ++i) {
            CT_ASSERT(i == listed || group[i].relation.is_outside || group[i].num_ranges == 1,
                      "two lists are joined in the rules of %s", l->tag);
            const uint32_t first = i == listed ? t : 0;
            const uint32_t end = i == listed ? t + 1 : group[i].num_ranges;
            for (uint32_t k = first; k < end; ++k)
                add(l, &group[i], k);
        }
        l->relations[l->num_relations - 1].is_last = 1;
    }
}

static void add_rule(ct_plural_language *l, ct_plural category, const char *at) {
    do {
        comparison group[MAX_GROUP];
        uint32_t count = 0;
        do {
            CT_ASSERT(count < MAX_GROUP, "too much is joined before \"%s\"", at);
            group[count++] = read_comparison(&at, category);
        } while (take(&at, " and "));
        add_group(l, group, count);
    } while (take(&at, " or "));
    CT_ASSERT(*at == '\0', "the plural rule is wrong at \"%s\"", at);
}

static void read_family(const ct_plural_family *f, ct_plural_language *l) {
    l->categories = l->common = 1u << CT_PLURAL_OTHER;
    for (uint32_t i = 0; i < CT_PLURAL_COUNT; ++i) {
        if (!f->rules[i])
            continue;
        l->categories |= 1u << i;
        add_rule(l, (ct_plural)i, f->rules[i]);
    }
    for (uint32_t n = 0; n < 1000; ++n)
        l->common |= 1u << ct_plural_of(l->relations, l->num_relations, n);
}

// --- Tags ----------------------------------------------------------------------------------------

// Copies a tag in lower case; false for what is none.
static bool read_tag(const char *text, char tag[CT_PLURAL_LANGUAGE_BYTES]) {
    uint32_t part = 0, i = 0;
    for (; text[i] && i < CT_PLURAL_LANGUAGE_BYTES - 1; ++i) {
        const char c = text[i];
        const bool is_upper = c >= 'A' && c <= 'Z';
        const bool is_letter = is_upper || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        if (c == '-' ? part == 0 : !is_letter || part == 8)
            return false;
        part = c == '-' ? 0 : part + 1;
        tag[i] = is_upper ? (char)(c - 'A' + 'a') : c;
    }
    tag[i] = '\0';
    return text[i] == '\0' && part > 0;
}

// The family whose list has these `bytes` of a tag, or NULL.
static const ct_plural_family *family_of(const char *tag, size_t bytes) {
    for (uint32_t i = 0; ct_plural_families[i].languages; ++i) {
        const char *at = ct_plural_families[i].languages;
        while (*at) {
            const size_t length = strcspn(at, " ");
            if (length == bytes && memcmp(at, tag, bytes) == 0)
                return &ct_plural_families[i];
            at += length;
            at += strspn(at, " ");
        }
    }
    return NULL;
}

const char *ct_plural_language_family(uint32_t position) {
    return ct_plural_families[position].languages;
}

bool ct_plural_language_find(const char *tag, ct_plural_language *language) {
    char text[CT_PLURAL_LANGUAGE_BYTES];
    if (!read_tag(tag, text))
        return false;
    const ct_plural_family *f = family_of(text, strlen(text));
    if (!f)
        f = family_of(text, strcspn(text, "-"));
    if (!f || !language)
        return f != NULL;
    memset(language, 0, sizeof(*language));
    snprintf(language->tag, sizeof(language->tag), "%s", text);
    read_family(f, language);
    return true;
}

// What people write for a language: the code of a country, of three letters, or one of the past.
static const struct {
    const char *word, *language;
} mistakes[] = {
    {"at", "de"},  {"cn", "zh"},  {"cz", "cs"},  {"dk", "da"},  {"gb", "en"},  {"gr", "el"},
    {"in", "id"},  {"iw", "he"},  {"ji", "yi"},  {"jw", "jv"},  {"mo", "ro"},  {"jp", "ja"},
    {"kr", "ko"},  {"mx", "es"},  {"sp", "es"},  {"tw", "zh"},  {"us", "en"},  {"vn", "vi"},
    {"ara", "ar"}, {"ces", "cs"}, {"chi", "zh"}, {"cze", "cs"}, {"dan", "da"}, {"deu", "de"},
    {"dut", "nl"}, {"ell", "el"}, {"eng", "en"}, {"fin", "fi"}, {"fra", "fr"}, {"fre", "fr"},
    {"ger", "de"}, {"gre", "el"}, {"heb", "he"}, {"hin", "hi"}, {"hun", "hu"}, {"ind", "id"},
    {"ita", "it"}, {"jap", "ja"}, {"jpn", "ja"}, {"kor", "ko"}, {"nld", "nl"}, {"nor", "no"},
    {"pol", "pl"}, {"por", "pt"}, {"ron", "ro"}, {"rum", "ro"}, {"rus", "ru"}, {"spa", "es"},
    {"swe", "sv"}, {"tha", "th"}, {"tur", "tr"}, {"ukr", "uk"}, {"vie", "vi"}, {"zho", "zh"},
};

static size_t letters_at(const char *text) {
    return strspn(text, "abcdefghijklmnopqrstuvwxyz");
}

// Writes `language` and what follows the primary word, if that is a tag then.
static void write_meant(const char *language, const char *rest, char *meant) {
    snprintf(meant, CT_PLURAL_LANGUAGE_BYTES, "%s%s%s", language, *rest ? "-" : "",
             *rest ? rest + 1 : "");
    if (!ct_plural_language_find(meant, NULL))
        meant[0] = '\0';
}

bool ct_plural_language_is_mistaken(const char *word, char meant[CT_PLURAL_LANGUAGE_BYTES]) {
    char primary[4];
    const size_t bytes = letters_at(word);
    const char *const rest = word + bytes;
    const size_t more = *rest == '-' || *rest == '_' ? letters_at(rest + 1) : 0;
    const bool has_end = *rest == '\0' || ((more == 2 || more == 4) && rest[1 + more] == '\0');
    meant[0] = '\0';
    if (bytes < 2 || bytes > 3 || !has_end || ct_plural_language_find(word, NULL))
        return false;
    snprintf(primary, sizeof(primary), "%.*s", (int)bytes, word);
    if (ct_plural_language_find(primary, NULL))
        write_meant(primary, rest, meant);
    for (uint32_t i = 0; i < CT_COUNT_OF(mistakes); ++i) {
        if (strcmp(mistakes[i].word, primary) == 0)
            write_meant(mistakes[i].language, rest, meant);
    }
    return true;
}

void ct_plural_categories_text(uint32_t categories, char text[CT_PLURAL_CATEGORIES_BYTES]) {
    // `other` stands last.
    uint32_t listed[CT_PLURAL_COUNT], count = 0;
    for (uint32_t i = 1; i <= CT_PLURAL_COUNT; ++i) {
        if (categories & 1u << i % CT_PLURAL_COUNT)
            listed[count++] = i % CT_PLURAL_COUNT;
    }
    uint32_t length = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < count; ++i) {
        const char *const joint = i == 0 ? "" : i + 1 == count ? " and " : ", ";
        length += (uint32_t)snprintf(text + length, CT_PLURAL_CATEGORIES_BYTES - length, "%s%s",
                                     joint, ct_plural_name((ct_plural)listed[i]));
    }
}
