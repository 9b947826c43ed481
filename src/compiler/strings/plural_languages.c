#include "compiler/strings/plural_languages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "foundation/error.h"

// --- The table -----------------------------------------------------------------------------------

// Languages that share their rules. A rule is relations joined by `and` and groups of them joined
// by `or`: `operand % modulus = 1,3..5`. `i % 10` stands for `n % 10` of whole numbers.
typedef struct family {
    const char *languages; // tags, separated by blanks
    const char *rules[CT_PLURAL_COUNT];
} family;

#define ZERO .rules[CT_PLURAL_ZERO]
#define ONE .rules[CT_PLURAL_ONE]
#define TWO .rules[CT_PLURAL_TWO]
#define FEW .rules[CT_PLURAL_FEW]
#define MANY .rules[CT_PLURAL_MANY]

#define MILLIONS "i != 0 and i % 1000000 = 0 and v = 0"
#define SLAVIC_ONE "v = 0 and i % 10 = 1 and i % 100 != 11"
#define SLAVIC_FEW "v = 0 and i % 10 = 2..4 and i % 100 != 12..14"

static const family families[] = {
    {.languages = "bm bo dz hnj id ig ii ja jbo jv kde kea km ko lkt lo ms my nqo osa sah ses sg "
                  "su th to tpi vi wo yo yue zh"},
    {.languages = "am as bn doi fa gu hi kn pcm zu", ONE = "i = 0 or n = 1"},
    {.languages = "ff hy kab", ONE = "i = 0,1"},
    {.languages = "ast ca de en et fi fy gl ia io lij nl sc scn sv sw ur yi", ONE = "n = 1"},
    {.languages = "si", ONE = "n = 0,1 or i = 0 and f = 1"},
    {.languages = "ak bho guw ln mg nso pa ti wa", ONE = "n = 0..1"},
    {.languages = "tzm", ONE = "n = 0..1,11..99"},
    {.languages =
         "af an asa az bal bem bez bg brx ce cgg chr ckb dv ee el eo eu fo fur gsw ha haw "
         "hu jgo jmc ka kaj kcg kk kkj kl ks ksb ku ky lb lg mas mgo ml mn mr nah nb nd ne "
         "nn nnh no nr ny nyn om or os pap ps rm rof rwk saq sd sdh seh sn so sq ss ssy st "
         "syr ta te teo tig tk tn tr ts ug uz ve vo vun wae xh xog",
     ONE = "n = 1"},
    {.languages = "da", ONE = "n = 1 or v != 0 and i = 0,1"},
    {.languages = "is", ONE = "v = 0 and i % 10 = 1 and i % 100 != 11 or v != 0"},
    {.languages = "mk", ONE = SLAVIC_ONE " or f % 10 = 1 and f % 100 != 11"},
    {.languages = "ceb fil tl",
     ONE = "v = 0 and i = 1..3 or v = 0 and i % 10 != 4,6,9 or v != 0 and f % 10 != 4,6,9"},
    {.languages = "lv prg",
     ZERO = "n % 10 = 0 or n % 100 = 11..19 or v = 2 and f % 100 = 11..19",
     ONE = "n % 10 = 1 and n % 100 != 11 or v = 2 and f % 10 = 1 and f % 100 != 11 or v != 2 and "
           "f % 10 = 1"},
    {.languages = "lag", ZERO = "n = 0", ONE = "i = 0,1 and n != 0"},
    {.languages = "ksh", ZERO = "n = 0", ONE = "n = 1"},
    {.languages = "iu naq sat se sma smi smj smn sms", ONE = "n = 1", TWO = "n = 2"},
    {.languages = "shi", ONE = "i = 0 or n = 1", FEW = "n = 2..10"},
    {.languages = "ro", ONE = "n = 1", FEW = "v != 0 or n = 0 or n % 100 = 2..19"},
    {.languages = "bs hr sh sr",
     ONE = SLAVIC_ONE " or f % 10 = 1 and f % 100 != 11",
     FEW = SLAVIC_FEW " or f % 10 = 2..4 and f % 100 != 12..14"},
    {.languages = "fr", ONE = "i = 0,1", MANY = MILLIONS},
    {.languages = "pt", ONE = "i = 0..1", MANY = MILLIONS},
    {.languages = "it pt-pt", ONE = "n = 1", MANY = MILLIONS},
    {.languages = "es", ONE = "n = 1", MANY = MILLIONS},
    {.languages = "gd", ONE = "n = 1,11", TWO = "n = 2,12", FEW = "n = 3..10,13..19"},
    {.languages = "sl",
     ONE = "v = 0 and i % 100 = 1",
     TWO = "v = 0 and i % 100 = 2",
     FEW = "v = 0 and i % 100 = 3..4 or v != 0"},
    {.languages = "dsb hsb",
     ONE = "v = 0 and i % 100 = 1 or f % 100 = 1",
     TWO = "v = 0 and i % 100 = 2 or f % 100 = 2",
     FEW = "v = 0 and i % 100 = 3..4 or f % 100 = 3..4"},
    {.languages = "he", ONE = "n = 1", TWO = "n = 2", MANY = "n != 0..10 and n % 10 = 0"},
    {.languages = "cs sk", ONE = "n = 1", FEW = "n = 2..4", MANY = "v != 0"},
    {.languages = "pl",
     ONE = "n = 1",
     FEW = SLAVIC_FEW,
     MANY = "v = 0 and i != 1 and i % 10 = 0..1 or v = 0 and i % 10 = 5..9 or v = 0 and i % 100 = "
            "12..14"},
    {.languages = "be",
     ONE = "n % 10 = 1 and n % 100 != 11",
     FEW = "n % 10 = 2..4 and n % 100 != 12..14",
     MANY = "n % 10 = 0,5..9 or n % 100 = 11..14"},
    {.languages = "lt",
     ONE = "n % 10 = 1 and n % 100 != 11..19",
     FEW = "n % 10 = 2..9 and n % 100 != 11..19",
     MANY = "f != 0"},
    {.languages = "mt", ONE = "n = 1", FEW = "n = 0 or n % 100 = 2..10", MANY = "n % 100 = 11..19"},
    {.languages = "ru uk",
     ONE = SLAVIC_ONE,
     FEW = SLAVIC_FEW,
     MANY = "v = 0 and i % 10 = 0,5..9 or v = 0 and i % 100 = 11..14"},
    {.languages = "br",
     ONE = "n % 10 = 1 and n % 100 != 11,71,91",
     TWO = "n % 10 = 2 and n % 100 != 12,72,92",
     FEW = "n % 10 = 3..4,9 and n % 100 != 10..19,70..79,90..99",
     MANY = "n != 0 and n % 1000000 = 0"},
    {.languages = "ga", ONE = "n = 1", TWO = "n = 2", FEW = "n = 3..6", MANY = "n = 7..10"},
    {.languages = "gv",
     ONE = "v = 0 and i % 10 = 1",
     TWO = "v = 0 and i % 10 = 2",
     FEW = "v = 0 and i % 100 = 0,20,40,60,80",
     MANY = "v != 0"},
    {.languages = "kw",
     ZERO = "n = 0",
     ONE = "n = 1",
     TWO = "n % 100 = 2,22,42,62,82 or n % 1000 = 0 and n % 100000 = "
           "1000..20000,40000,60000,80000 or n != 0 and n % 1000000 = 100000",
     FEW = "n % 100 = 3,23,43,63,83",
     MANY = "n != 1 and n % 100 = 1,21,41,61,81"},
    {.languages = "ar ars",
     ZERO = "n = 0",
     ONE = "n = 1",
     TWO = "n = 2",
     FEW = "n % 100 = 3..10",
     MANY = "n % 100 = 11..99"},
    {.languages = "cy",
     ZERO = "n = 0",
     ONE = "n = 1",
     TWO = "n = 2",
     FEW = "n = 3",
     MANY = "n = 6"},
};

const char *ct_plural_language_family(uint32_t position) {
    return position < CT_COUNT_OF(families) ? families[position].languages : NULL;
}

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

static void read_family(const family *f, ct_plural_language *l) {
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
static const family *family_of(const char *tag, size_t bytes) {
    for (uint32_t i = 0; i < CT_COUNT_OF(families); ++i) {
        const char *at = families[i].languages;
        while (*at) {
            const size_t length = strcspn(at, " ");
            if (length == bytes && memcmp(at, tag, bytes) == 0)
                return &families[i];
            at += length;
            at += strspn(at, " ");
        }
    }
    return NULL;
}

bool ct_plural_language_find(const char *tag, ct_plural_language *language) {
    char text[CT_PLURAL_LANGUAGE_BYTES];
    if (!read_tag(tag, text))
        return false;
    const family *f = family_of(text, strlen(text));
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
    {"in", "id"},  {"iw", "he"},  {"jp", "ja"},  {"kr", "ko"},  {"mx", "es"},  {"sp", "es"},
    {"tw", "zh"},  {"us", "en"},  {"vn", "vi"},  {"ara", "ar"}, {"ces", "cs"}, {"chi", "zh"},
    {"cze", "cs"}, {"dan", "da"}, {"deu", "de"}, {"dut", "nl"}, {"ell", "el"}, {"eng", "en"},
    {"fin", "fi"}, {"fra", "fr"}, {"fre", "fr"}, {"ger", "de"}, {"gre", "el"}, {"heb", "he"},
    {"hin", "hi"}, {"hun", "hu"}, {"ind", "id"}, {"ita", "it"}, {"jap", "ja"}, {"jpn", "ja"},
    {"kor", "ko"}, {"nld", "nl"}, {"nor", "no"}, {"pol", "pl"}, {"por", "pt"}, {"ron", "ro"},
    {"rum", "ro"}, {"rus", "ru"}, {"spa", "es"}, {"swe", "sv"}, {"tha", "th"}, {"tur", "tr"},
    {"ukr", "uk"}, {"vie", "vi"}, {"zho", "zh"},
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
