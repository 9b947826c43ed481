#include "support/test_support.h"

#include "foundation/string/wildcard.h"

static void matches_any_characters_at_stars(void **state) {
    (void)state;
    static const struct {
        const char *pattern, *text;
        bool is_match;
    } cases[] = {
        {"*", "", true},
        {"*", "units/a", true},
        {"units/*", "units/a/b", true},
        {"units/*", "units/", true},
        {"units/*", "unit/a", false},
        {"units/*/lamp", "units/a/b/lamp", true},
        {"units/*/lamp", "units/lamp", false},
        {"*lamp*", "units/lamps", true},
        {"a*b*c", "abbc", true},
        {"a*b*c", "abbd", false},
        {"units/a", "units/a", true},
        {"units/a", "units/ab", false},
        {"units/ab", "units/a", false},
        {"", "", true},
        {"", "a", false},
    };
    for (uint32_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
        if (ct_wildcard_matches(cases[i].pattern, cases[i].text) != cases[i].is_match)
            fail_msg("%s against %s", cases[i].pattern, cases[i].text);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(matches_any_characters_at_stars)};
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
