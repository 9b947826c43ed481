// What TAB makes of the names that may follow.
#include "support/test_support.h"

#include "cli/prompt/prompt_complete.h"

typedef struct completion {
    ct_string_builder insert, list;
} completion;

static completion complete(const char *typed, const char *const *given, uint32_t count,
                           uint32_t columns) {
    ct_string_array names;
    completion c;
    ct_array_init(&names, test_heap());
    ct_string_builder_init(&c.insert, test_heap());
    ct_string_builder_init(&c.list, test_heap());
    for (uint32_t i = 0; i < count; ++i)
        ct_prompt_add_name(&names, given[i]);
    ct_prompt_complete(typed, &names, columns, &c.insert, &c.list);
    ct_prompt_free_names(&names);
    return c;
}

// Completes, and compares what is inserted and listed.
static void expect(const char *typed, const char *const *names, uint32_t count, uint32_t columns,
                   const char *insert, const char *list) {
    completion c = complete(typed, names, count, columns);
    assert_string_equal(ct_string_builder_text(&c.insert), insert);
    assert_string_equal(ct_string_builder_text(&c.list), list);
    ct_string_builder_free(&c.insert);
    ct_string_builder_free(&c.list);
}

static void inserts_the_rest_of_the_only_name(void **state) {
    (void)state;
    const char *const names[] = {"update", "spawn_unit", "update"};
    expect("up", names, 3, 80, "date", "");
    expect("update", names, 3, 80, "", "");
    expect("x", names, 3, 80, "", "");
}

static void inserts_what_names_share(void **state) {
    (void)state;
    const char *const names[] = {"spawn_units", "spawn_unit", "speed"};
    expect("spa", names, 3, 80, "wn_unit", "");
    expect("", names, 3, 80, "sp", "");
}

static void lists_names_when_they_share_nothing_more(void **state) {
    (void)state;
    const char *const names[] = {"c", "bb", "aaa"};
    expect("", names, 3, 80, "", "aaa  bb   c\n");
    expect("", names, 3, 10, "", "aaa  c\nbb\n");
    expect("", names, 3, 1, "", "aaa\nbb\nc\n");
}

static void does_not_cut_characters(void **state) {
    (void)state;
    const char *const names[] = {"a\xc3\xa4", "a\xc3\xb6"};
    expect("", names, 2, 80, "a", "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inserts_the_rest_of_the_only_name),
        cmocka_unit_test(inserts_what_names_share),
        cmocka_unit_test(lists_names_when_they_share_nothing_more),
        cmocka_unit_test(does_not_cut_characters),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
