#include "compiler/protocol/compiler_circle.h"

#include <string.h>

#include "support/test_support.h"

static void expect_way(const char *const *names, uint32_t count, const char *way,
                       const char *closing_name) {
    uint32_t closing = count;
    char *const found = ct_circle_way(test_heap(), names, count, &closing);
    assert_string_equal(found, way);
    assert_true(closing < count);
    assert_string_equal(names[closing], closing_name);
    ct_free(test_heap(), found);
}

static void tells_the_same_wherever_it_is_entered(void **state) {
    (void)state;
    const char *const names[] = {"b", "c", "a", "d", "b", "c", "a"};
    for (uint32_t i = 0; i < 4; ++i)
        expect_way(names + i, 4, "a: d: b: c: a", "c");
}

static void tells_one_that_leads_to_itself(void **state) {
    (void)state;
    const char *const names[] = {"units/a"};
    expect_way(names, 1, "units/a: units/a", "units/a");
}

static void names_sources_with_their_properties(void **state) {
    (void)state;
    char *const name = ct_circle_name(test_heap(), "units/a.fr.unit");
    assert_string_equal(name, "units/a.fr");
    ct_free(test_heap(), name);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_the_same_wherever_it_is_entered),
        cmocka_unit_test(tells_one_that_leads_to_itself),
        cmocka_unit_test(names_sources_with_their_properties),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
