// The history of prompts: bounded, shared by several, and never lost to a broken file.
#include "support/test_support.h"

#include <stdio.h>
#include <string.h>

#include "cli/prompt/prompt_history.h"
#include "foundation/error.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"

static char folder[CT_PATH_BYTES], path[CT_PATH_BYTES];
static ct_error error;

static int set_up(void **state) {
    (void)state;
    ct_path_join(folder, "", test_scratch_folder());
    ct_path_join(path, folder, "state/cuttle/console_history");
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    return ct_folder_remove(folder, &error) ? 0 : -1;
}

static void expect_file(const char *text) {
    uint64_t bytes = 0;
    char *const found = ct_file_read(test_heap(), path, &bytes, &error);
    assert_non_null(found);
    assert_string_equal(found, text);
    ct_free(test_heap(), found);
}

static void keeps_lines_in_order(void **state) {
    (void)state;
    ct_prompt_history h;
    ct_prompt_history_init(&h, test_heap(), path);
    assert_int_equal(h.lines.count, 0);
    ct_prompt_history_add(&h, "one");
    ct_prompt_history_add(&h, "two");
    assert_true(ct_prompt_history_save(&h, &error));
    ct_prompt_history_free(&h);
    ct_prompt_history_init(&h, test_heap(), path);
    assert_int_equal(h.lines.count, 2);
    assert_string_equal(h.lines.items[0], "one");
    assert_string_equal(h.lines.items[1], "two");
    ct_prompt_history_free(&h);
}

static void leaves_out_what_is_not_worth_keeping(void **state) {
    (void)state;
    static char long_line[CT_PROMPT_HISTORY_LINE_BYTES + 1];
    memset(long_line, 'x', sizeof(long_line) - 1);
    ct_prompt_history h;
    ct_prompt_history_init(&h, test_heap(), path);
    ct_prompt_history_add(&h, "same");
    ct_prompt_history_add(&h, "same");
    ct_prompt_history_add(&h, "");
    ct_prompt_history_add(&h, "two\nlines");
    ct_prompt_history_add(&h, long_line);
    assert_int_equal(h.lines.count, 1);
    ct_prompt_history_free(&h);
}

static void adds_to_what_others_saved(void **state) {
    (void)state;
    ct_prompt_history a, b;
    ct_prompt_history_init(&a, test_heap(), path);
    ct_prompt_history_init(&b, test_heap(), path);
    ct_prompt_history_add(&a, "of a");
    ct_prompt_history_add(&b, "of b");
    assert_true(ct_prompt_history_save(&b, &error));
    assert_true(ct_prompt_history_save(&a, &error));
    assert_true(ct_prompt_history_save(&a, &error)); // nothing new
    ct_prompt_history_free(&a);
    ct_prompt_history_free(&b);
    expect_file("of b\nof a\n");
}

static void keeps_the_newest_lines_only(void **state) {
    (void)state;
    ct_prompt_history h;
    ct_prompt_history_init(&h, test_heap(), path);
    for (int i = 0; i < CT_PROMPT_HISTORY_LINES + 10; ++i) {
        char line[24];
        snprintf(line, sizeof(line), "line %d", i);
        ct_prompt_history_add(&h, line);
    }
    assert_true(ct_prompt_history_save(&h, &error));
    ct_prompt_history_free(&h);
    ct_prompt_history_init(&h, test_heap(), path);
    assert_int_equal(h.lines.count, CT_PROMPT_HISTORY_LINES);
    assert_string_equal(h.lines.items[0], "line 10");
    ct_prompt_history_free(&h);
}

static void tells_that_it_cannot_be_saved(void **state) {
    (void)state;
    ct_prompt_history h;
    ct_prompt_history_init(&h, test_heap(), "/proc/nowhere/history");
    ct_prompt_history_add(&h, "line");
    assert_false(ct_prompt_history_save(&h, &error));
    assert_int_equal(h.added.count, 1);
    ct_prompt_history_free(&h);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(keeps_lines_in_order),          TEST(leaves_out_what_is_not_worth_keeping),
        TEST(adds_to_what_others_saved),     TEST(keeps_the_newest_lines_only),
        TEST(tells_that_it_cannot_be_saved),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
