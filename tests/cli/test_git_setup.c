#include "cli/git_setup.h"

#include <string.h>

#include "cli/shell_word.h"
#include "support/test_support.h"

static void expect(void (*add)(const char *program, ct_string_builder *out), const char *program,
                   const char *expected) {
    ct_string_builder out;
    ct_string_builder_init(&out, test_heap());
    add(program, &out);
    assert_string_equal(ct_string_builder_text(&out), expected);
    ct_string_builder_free(&out);
}

static void add_word(const char *word, ct_string_builder *out) {
    ct_shell_word_add(out, word);
}

static void words_are_one_for_the_shell(void **state) {
    (void)state;
    expect(add_word, "/usr/bin/cuttle-1.0", "/usr/bin/cuttle-1.0");
    expect(add_word, "", "''");
    expect(add_word, "a b", "'a b'");
    expect(add_word, "it's $HOME", "'it'\\''s $HOME'");
    expect(add_word, "~/a", "'~/a'");
}

static void drivers_take_any_path(void **state) {
    (void)state;
    expect(ct_git_setup_add_merge_driver, "/bin/cuttle",
           "/bin/cuttle merge %O %B %A -o %A --path %P");
    // git puts something in the place of a single %.
    expect(ct_git_setup_add_merge_driver, "/my games/100%/cuttle",
           "'/my games/100%%/cuttle' merge %O %B %A -o %A --path %P");
    expect(ct_git_setup_add_diff_command, "/my games/100%/cuttle",
           "'/my games/100%/cuttle' diff --git --");
}

static void attributes_name_types_that_are_sjson(void **state) {
    (void)state;
    ct_string_builder out;
    ct_string_builder_init(&out, test_heap());
    ct_git_setup_add_attributes(&out);
    assert_non_null(strstr(out.text, "\n*.level merge=cuttle diff=cuttle\n"));
    assert_non_null(strstr(out.text, "\n*.import merge=cuttle diff=cuttle\n"));
    assert_null(strstr(out.text, "*.lua"));
    ct_string_builder_free(&out);
}

static void expect_updated(const char *hook, const char *expected) {
    ct_string_builder out;
    ct_string_builder_init(&out, test_heap());
    assert_int_equal(ct_git_setup_update_hook(hook, "/new/cuttle", &out), expected != NULL);
    assert_string_equal(ct_string_builder_text(&out), expected ? expected : "");
    ct_string_builder_free(&out);
}

static void only_its_own_hooks_get_another_program(void **state) {
    (void)state;
    ct_string_builder was, is;
    ct_string_builder_init(&was, test_heap());
    ct_string_builder_init(&is, test_heap());
    ct_git_setup_add_hook("/my games'\n/cuttle", &was);
    ct_git_setup_add_hook("/new/cuttle", &is);
    ct_string_builder_add(&was, "echo mine\n");
    ct_string_builder_add(&is, "echo mine\n");
    expect_updated(was.text, is.text);
    expect_updated(is.text, is.text);
    expect_updated(strchr(was.text, '\n') + 1, strchr(is.text, '\n') + 1);
    expect_updated(strstr(was.text, "git ls-files"), NULL);
    expect_updated("#!/bin/sh\n/old/cuttle deps . --missing\n", NULL);
    expect_updated("", NULL);
    ct_string_builder_free(&was);
    ct_string_builder_free(&is);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_one_for_the_shell),
        cmocka_unit_test(drivers_take_any_path),
        cmocka_unit_test(only_its_own_hooks_get_another_program),
        cmocka_unit_test(attributes_name_types_that_are_sjson),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
