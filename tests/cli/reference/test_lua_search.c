#include "support/test_support.h"

#include <string.h>

#include "cli/reference/lua_search.h"

static const ct_lua_function rose_functions[] = {
    {"color", NULL, "(rose: Unit) -> Vector4", "Returns the petals' color."},
    {"petals", NULL, "(rose: Unit) -> integer", "Returns how many there are."},
};

static const ct_lua_function tulip_functions[] = {
    {"grow", NULL, "(tulip: Unit) -> nil", "Adds petals."},
};

static const ct_lua_module rose = {
    .name = "Rose", .doc = "Roses in a world.", .functions = rose_functions, .num_functions = 2};
static const ct_lua_module tulip = {.name = "Tulip",
                                    .doc = "Tulips, without petals.",
                                    .functions = tulip_functions,
                                    .num_functions = 1};
static const ct_lua_module *const modules[] = {&rose, &tulip};

static void matches_in_names_come_before_those_in_docs(void **state) {
    (void)state;
    const char *words[] = {"PETALS"};
    ct_lua_match found[8];
    assert_int_equal(ct_lua_search(modules, 2, words, 1, found, 8), 4);
    assert_ptr_equal(found[0].function, &rose_functions[1]);
    assert_ptr_equal(found[1].function, &rose_functions[0]);
    assert_ptr_equal(found[2].module, &tulip);
    assert_null(found[2].function);
    assert_ptr_equal(found[3].function, &tulip_functions[0]);
}

static void every_word_must_be_there(void **state) {
    (void)state;
    const char *words[] = {"petals", "tulip"};
    ct_lua_match found[8];
    assert_int_equal(ct_lua_search(modules, 2, words, 2, found, 8), 2);
    assert_null(found[0].function);
    assert_ptr_equal(found[1].function, &tulip_functions[0]);
    words[1] = "daisy";
    assert_int_equal(ct_lua_search(modules, 2, words, 2, found, 8), 0);
}

static void counts_more_than_there_is_room_for(void **state) {
    (void)state;
    ct_lua_match found[1];
    assert_int_equal(ct_lua_search(modules, 2, NULL, 0, found, 1), 5);
    assert_ptr_equal(found[0].module, &rose);
    assert_null(found[0].function);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matches_in_names_come_before_those_in_docs),
        cmocka_unit_test(every_word_must_be_there),
        cmocka_unit_test(counts_more_than_there_is_room_for),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
