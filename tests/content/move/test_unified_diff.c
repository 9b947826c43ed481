#include "support/test_support.h"

#include <string.h>

#include "content/move/unified_diff.h"

static void expect(const ct_diff_file *file, const char *expected) {
    ct_string_builder out;
    ct_string_builder_init(&out, test_heap());
    ct_unified_diff_write(&out, file);
    const bool is_same = strcmp(ct_string_builder_text(&out), expected) == 0;
    if (!is_same)
        print_error("%s", ct_string_builder_text(&out));
    ct_string_builder_free(&out);
    assert_true(is_same);
}

static ct_diff_file change(const char *from, const char *to, const char *old, const char *new) {
    return (ct_diff_file){.from = from,
                          .to = to,
                          .old_text = old,
                          .new_text = new,
                          .old_bytes = old ? strlen(old) : 0,
                          .new_bytes = new ? strlen(new) : 0};
}

static void hunks_have_three_lines_around_and_join_when_these_meet(void **state) {
    (void)state;
    const ct_diff_file near = change("a", "a", "1\n2\n3\n4\nx\n6\n7\n8\n9\n10\n11\nx\n13\n",
                                     "1\n2\n3\n4\ny\n6\n7\n8\n9\n10\n11\ny\n13\n");
    expect(&near,
           "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -2,12 +2,12 @@\n 2\n 3\n 4\n-x\n+y\n 6\n"
           " 7\n 8\n 9\n 10\n 11\n-x\n+y\n 13\n");
    const ct_diff_file far =
        change("a", "a", "x\n2\n3\n4\n5\n6\n7\n8\nx\n", "y\n2\n3\n4\n5\n6\n7\n8\ny\n");
    expect(&far, "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,4 +1,4 @@\n-x\n+y\n 2\n 3\n 4\n"
                 "@@ -6,4 +6,4 @@\n 6\n 7\n 8\n-x\n+y\n");
}

static void lines_that_change_together_stand_together(void **state) {
    (void)state;
    const ct_diff_file file = change("a", "a", "x\nx\n", "y\ny\n");
    expect(&file, "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n-x\n-x\n+y\n+y\n");
}

static void renames_with_and_without_changes(void **state) {
    (void)state;
    const ct_diff_file moved = change("a", "b", NULL, NULL);
    expect(&moved, "diff --git a/a b/b\nsimilarity index 100%\nrename from a\nrename to b\n");
    const ct_diff_file changed = change("a", "b", "one\nx", "one\ny");
    expect(&changed, "diff --git a/a b/b\nsimilarity index 80%\nrename from a\nrename to b\n"
                     "--- a/a\n+++ b/b\n@@ -1,2 +1,2 @@\n one\n-x\n\\ No newline at end of file\n"
                     "+y\n\\ No newline at end of file\n");
}

static void files_that_come_and_go(void **state) {
    (void)state;
    const ct_diff_file made = change(NULL, "a", NULL, "1\r\n2\r\n");
    expect(&made, "diff --git a/a b/a\nnew file mode 100644\n--- /dev/null\n+++ b/a\n"
                  "@@ -0,0 +1,2 @@\n+1\r\n+2\r\n");
    const ct_diff_file removed = change("a", NULL, "1\n", NULL);
    expect(&removed, "diff --git a/a b/a\ndeleted file mode 100644\n--- a/a\n+++ /dev/null\n"
                     "@@ -1,1 +0,0 @@\n-1\n");
    const ct_diff_file empty = change("a", NULL, "", NULL);
    expect(&empty, "diff --git a/a b/a\ndeleted file mode 100644\n");
}

static void what_is_no_text_is_told_apart(void **state) {
    (void)state;
    const ct_diff_file file = {.to = "a.png", .new_text = "\x89PNG\0x", .new_bytes = 6};
    expect(&file, "diff --git a/a.png b/a.png\nnew file mode 100644\n"
                  "Binary files /dev/null and b/a.png differ\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hunks_have_three_lines_around_and_join_when_these_meet),
        cmocka_unit_test(lines_that_change_together_stand_together),
        cmocka_unit_test(renames_with_and_without_changes),
        cmocka_unit_test(files_that_come_and_go),
        cmocka_unit_test(what_is_no_text_is_told_apart),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
