#include "compiler/strings/plural_languages.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/memory/allocator.h"
#include "foundation/os/file.h"
#include "support/test_support.h"

static ct_plural_language language_of(const char *tag) {
    ct_plural_language language;
    if (!ct_plural_language_find(tag, &language))
        fail_msg("%s is not known", tag);
    return language;
}

static const char *form_of(const char *tag, double count) {
    const ct_plural_language l = language_of(tag);
    return ct_plural_name(ct_plural_of(l.relations, l.num_relations, count));
}

// Of the samples that CLDR gives with its rules.
static void gives_the_form_that_cldr_gives(void **state) {
    (void)state;
    static const struct {
        const char *tag;
        double count;
        const char *form;
    } cases[] = {
        {"ja", 1, "other"},    {"en", 1, "one"},     {"en", 0, "other"},    {"en", 1.5, "other"},
        {"fr", 0, "one"},      {"fr", 1.5, "one"},   {"fr", 2, "other"},    {"fr", 1000000, "many"},
        {"de", 21, "other"},   {"hi", 0, "one"},     {"hi", 0.5, "one"},    {"hi", 1.5, "other"},
        {"da", 0.1, "one"},    {"da", 2.5, "other"}, {"is", 21, "one"},     {"is", 11, "other"},
        {"is", 1.5, "one"},    {"fil", 3, "one"},    {"fil", 4, "other"},   {"lv", 0, "zero"},
        {"lv", 21, "one"},     {"lv", 11, "zero"},   {"lv", 2, "other"},    {"ro", 0, "few"},
        {"ro", 20, "other"},   {"ro", 101, "other"}, {"ro", 119, "few"},    {"hr", 21, "one"},
        {"hr", 22, "few"},     {"hr", 12, "other"},  {"hr", 1.1, "one"},    {"pt", 0, "one"},
        {"pt-pt", 0, "other"}, {"pt-br", 0, "one"},  {"es", 1, "one"},      {"gd", 11, "one"},
        {"gd", 12, "two"},     {"gd", 13, "few"},    {"sl", 101, "one"},    {"sl", 102, "two"},
        {"sl", 104, "few"},    {"sl", 105, "other"}, {"sl", 1.5, "few"},    {"he", 2, "two"},
        {"he", 20, "many"},    {"he", 10, "other"},  {"cs", 3, "few"},      {"cs", 5, "other"},
        {"cs", 1.5, "many"},   {"pl", 1, "one"},     {"pl", 2, "few"},      {"pl", 12, "many"},
        {"pl", 22, "few"},     {"pl", 5, "many"},    {"pl", 1.5, "other"},  {"be", 11, "many"},
        {"be", 21, "one"},     {"lt", 1, "one"},     {"lt", 11, "other"},   {"lt", 22, "few"},
        {"lt", 0.1, "many"},   {"mt", 0, "few"},     {"mt", 11, "many"},    {"ru", 1, "one"},
        {"ru", 11, "many"},    {"ru", 21, "one"},    {"ru", 3, "few"},      {"ru", 14, "many"},
        {"ru", 1.5, "other"},  {"br", 71, "other"},  {"br", 23, "few"},     {"br", 1000000, "many"},
        {"ga", 7, "many"},     {"ga", 11, "other"},  {"gv", 20, "few"},     {"kw", 1000, "two"},
        {"kw", 3, "few"},      {"kw", 21, "many"},   {"kw", 100000, "two"}, {"kw", 4, "other"},
        {"ar", 0, "zero"},     {"ar", 2, "two"},     {"ar", 103, "few"},    {"ar", 111, "many"},
        {"ar", 100, "other"},  {"ar", 0.1, "other"}, {"cy", 6, "many"},     {"cy", 4, "other"},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        if (strcmp(form_of(cases[i].tag, cases[i].count), cases[i].form) != 0)
            fail_msg("%s %g: found %s, expected %s", cases[i].tag, cases[i].count,
                     form_of(cases[i].tag, cases[i].count), cases[i].form);
    }
}

// Checks the samples of a rule, "@integer 0, 5~7, … @decimal 0.5, …", but for numbers with trailing
// zeros or exponents, which Lua does not show.
static uint32_t check_samples(const char *tag, const char *form, const char *at, const char *end) {
    uint32_t count = 0;
    for (at += strcspn(at, "@"); at < end; at += strcspn(at, " ") + 1) {
        char *stop = NULL;
        const double first = strtod(at, &stop);
        const bool is_range = *stop == '~';
        const double last = is_range ? strtod(stop + 1, &stop) : first;
        const char *const point = memchr(at, '.', (size_t)(stop - at));
        if (stop == at || *stop == 'c' || (point && !is_range && stop[-1] == '0'))
            continue;
        const double parts = point ? 10 : 1;
        for (long n = lround(first * parts); n <= lround(last * parts); ++n, ++count) {
            const double value = is_range ? (double)n / parts : first;
            if (point && n % 10 == 0 && is_range)
                continue;
            if (strcmp(form_of(tag, value), form) != 0)
                fail_msg("%s %g: found %s, expected %s", tag, value, form_of(tag, value), form);
        }
    }
    return count;
}

static void gives_the_forms_of_all_samples_of_cldr(void **state) {
    (void)state;
    const char *const path = "/usr/share/unicode/cldr/common/supplemental/plurals.xml";
    uint64_t bytes = 0;
    char *const text = ct_file_read(test_heap(), path, &bytes, NULL);
    if (!text)
        skip(); // the package unicode-cldr-core is not installed
    char tag[16] = "", form[16];
    uint32_t count = 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        const char *const rule = strstr(line, "<pluralRule count=");
        const char *const family = strstr(line, "<pluralRules locales=");
        if (family)
            sscanf(family, "<pluralRules locales=\"%15[a-z]", tag);
        if (family && !ct_plural_language_find(tag, NULL)) // "mo ro": the first is of the past
            sscanf(family, "<pluralRules locales=\"%*[a-z] %15[a-z]", tag);
        if (rule && sscanf(rule, "<pluralRule count=\"%15[a-z]", form) == 1)
            count += check_samples(tag, form, rule, strstr(rule, "</pluralRule>"));
    }
    assert_in_range(count, 1000, 100000);
    ct_free(test_heap(), text);
}

static void every_language_has_sound_rules(void **state) {
    (void)state;
    uint32_t count = 0;
    for (uint32_t i = 0; ct_plural_language_family(i); ++i) {
        char tags[1024];
        snprintf(tags, sizeof(tags), "%s", ct_plural_language_family(i));
        for (char *tag = strtok(tags, " "); tag; tag = strtok(NULL, " ")) {
            const ct_plural_language l = language_of(tag);
            ct_error error = {0};
            if (!ct_plural_check(l.relations, l.num_relations, &error))
                fail_msg("%s: %s", tag, error.message);
            assert_string_equal(l.tag, tag);
            assert_true(l.categories & 1u << CT_PLURAL_OTHER);
            assert_true((l.common & ~l.categories) == 0);
            ++count;
        }
    }
    assert_in_range(count, 200, 1000);
}

static void tells_which_forms_small_numbers_need(void **state) {
    (void)state;
    char text[CT_PLURAL_CATEGORIES_BYTES];
    const ct_plural_language fr = language_of("fr");
    ct_plural_categories_text(fr.categories, text);
    assert_string_equal(text, "one, many and other");
    ct_plural_categories_text(fr.common, text);
    assert_string_equal(text, "one and other");
    ct_plural_categories_text(language_of("kw").common, text);
    assert_string_equal(text, "zero, one, two, few, many and other");
    ct_plural_categories_text(language_of("ja").categories, text);
    assert_string_equal(text, "other");
}

static void takes_tags_with_regions(void **state) {
    (void)state;
    assert_string_equal(language_of("pt-BR").tag, "pt-br");
    assert_string_equal(language_of("zh-Hant-TW").tag, "zh-hant-tw");
    assert_true(ct_plural_language_find("sr-latn", NULL));
}

static void refuses_what_is_no_tag(void **state) {
    (void)state;
    static const char *const tags[] = {"",
                                       "-",
                                       "xx",
                                       "english",
                                       "pt_br",
                                       "fr-",
                                       "fr--ca",
                                       "-fr",
                                       "fr ca",
                                       "kitten",
                                       "bm bo",
                                       "fr-verylongpart",
                                       "fr-aaaaaaaa-aaaaaaaa-aaaaaaaa-aaaaaaaa"};
    for (uint32_t i = 0; i < CT_COUNT_OF(tags); ++i)
        assert_false(ct_plural_language_find(tags[i], NULL));
}

static void knows_what_was_meant_for_a_language(void **state) {
    (void)state;
    static const struct {
        const char *word, *meant; // NULL: no mistake
    } cases[] = {
        {"jp", "ja"},  {"jpn", "ja"},     {"cn-hant", "zh-hant"}, {"pt_br", "pt-br"},
        {"us", "en"},  {"ji", "yi"},      {"mo", "ro"},           {"xx", ""},
        {"xx-yy", ""}, {"ja", NULL},      {"pt-br", NULL},        {"kids", NULL},
        {"hd2", NULL}, {"4k", NULL},      {"no_blood", NULL},     {"j", NULL},
        {"", NULL},    {"classic", NULL}, {"fr_", NULL},          {"en-us-x", NULL},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        char meant[CT_PLURAL_LANGUAGE_BYTES];
        if (ct_plural_language_is_mistaken(cases[i].word, meant) != (cases[i].meant != NULL))
            fail_msg("%s: found \"%s\"", cases[i].word, meant);
        assert_string_equal(meant, cases[i].meant ? cases[i].meant : "");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_the_form_that_cldr_gives),
        cmocka_unit_test(gives_the_forms_of_all_samples_of_cldr),
        cmocka_unit_test(every_language_has_sound_rules),
        cmocka_unit_test(tells_which_forms_small_numbers_need),
        cmocka_unit_test(takes_tags_with_regions),
        cmocka_unit_test(refuses_what_is_no_tag),
        cmocka_unit_test(knows_what_was_meant_for_a_language),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
