#include "support/test_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "content/move/unified_diff.h"
#include "foundation/memory/allocator.h"
#include "foundation/os/file.h"

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

static void hunks_count_lines_that_come_and_go(void **state) {
    (void)state;
    const ct_diff_file longer = change("a", "a", "1\n2\n3\n4\n5\n", "1\n2\n3\n4\nx\ny\n5\n");
    expect(&longer, "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -2,4 +2,6 @@\n 2\n 3\n 4\n+x\n+y\n"
                    " 5\n");
    // The second hunk begins two lines later in the new text.
    const ct_diff_file both =
        change("a", "a", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "x\ny\n1\n2\n3\n4\n5\n6\n7\n8\n");
    expect(&both, "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,3 +1,5 @@\n+x\n+y\n 1\n 2\n 3\n"
                  "@@ -6,4 +8,3 @@\n 6\n 7\n 8\n-9\n");
}

// Lines of few words, so that many are the same; the last may have no line end.
static void random_text(ct_string_builder *out, uint32_t *seed) {
    const uint32_t lines = test_random(seed) % 30;
    ct_string_builder_clear(out);
    for (uint32_t i = 0; i < lines; ++i)
        ct_string_builder_addf(out, "%u\n", test_random(seed) % 12);
    if (test_random(seed) % 4 == 0)
        ct_string_builder_add(out, "end");
}

// Copies a text with lines dropped, doubled, changed and added.
static void edit(ct_string_builder *out, const char *text, uint32_t *seed) {
    const uint32_t rarity = 2 + test_random(seed) % 12;
    ct_string_builder_clear(out);
    while (*text) {
        const uint32_t what = test_random(seed) % (4 * rarity);
        const size_t bytes = strcspn(text, "\n") + (strchr(text, '\n') ? 1 : 0);
        if (what == 0)
            ct_string_builder_addf(out, "%u\n", test_random(seed) % 12);
        if (what > 1)
            ct_string_builder_add_bytes(out, text, bytes);
        if (what == 2 && text[bytes - 1] == '\n')
            ct_string_builder_add_bytes(out, text, bytes);
        text += bytes;
    }
    if (test_random(seed) % rarity == 0)
        ct_string_builder_add(out, "tail");
}

static void patch_makes_the_new_text_of_the_old(void **state) {
    (void)state;
    const char *const folder = test_scratch_folder();
    char command[4096], paths[3][1024];
    if (system("patch --version > /dev/null 2>&1") != 0)
        skip();
    static const char *const names[] = {"a", "diff", "made"};
    for (uint32_t i = 0; i < 3; ++i)
        snprintf(paths[i], sizeof(paths[i]), "%s/%s", folder, names[i]);
    snprintf(command, sizeof(command), "patch -s --binary --fuzz=0 -o '%s' '%s' '%s'", paths[2],
             paths[0], paths[1]);
    ct_string_builder old, new, diff;
    ct_string_builder_init(&old, test_heap());
    ct_string_builder_init(&new, test_heap());
    ct_string_builder_init(&diff, test_heap());
    uint32_t seed = 11;
    for (uint32_t round = 0; round < test_rounds(200, 3000); ++round) {
        random_text(&old, &seed);
        edit(&new, ct_string_builder_text(&old), &seed);
        if (strcmp(ct_string_builder_text(&old), ct_string_builder_text(&new)) == 0)
            continue;
        const ct_diff_file file =
            change("a", "a", ct_string_builder_text(&old), ct_string_builder_text(&new));
        ct_string_builder_clear(&diff);
        ct_unified_diff_write(&diff, &file);
        assert_true(ct_file_write(paths[0], file.old_text, old.length, false, NULL));
        assert_true(
            ct_file_write(paths[1], ct_string_builder_text(&diff), diff.length, false, NULL));
        if (system(command) != 0)
            fail_msg("patch refuses\n%s", ct_string_builder_text(&diff));
        uint64_t bytes = 0;
        char *const made = ct_file_read(test_heap(), paths[2], &bytes, NULL);
        assert_non_null(made);
        assert_int_equal(bytes, new.length);
        assert_memory_equal(made, ct_string_builder_text(&new), bytes);
        ct_free(test_heap(), made);
    }
    ct_string_builder_free(&old);
    ct_string_builder_free(&new);
    ct_string_builder_free(&diff);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hunks_have_three_lines_around_and_join_when_these_meet),
        cmocka_unit_test(lines_that_change_together_stand_together),
        cmocka_unit_test(hunks_count_lines_that_come_and_go),
        cmocka_unit_test(patch_makes_the_new_text_of_the_old),
        cmocka_unit_test(renames_with_and_without_changes),
        cmocka_unit_test(files_that_come_and_go),
        cmocka_unit_test(what_is_no_text_is_told_apart),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
