#include "compiler/project_support.h"
#include "resource/types/lua_resource.h"

static void keeps_path_and_text(void **state) {
    (void)state;
    const char *const project = test_scratch_folder();
    write_text(project, "scripts/main.lua", "return 1 + 1\n");
    ct_compile_answer answer = compile_file(project, "lua", "scripts/main");
    const ct_lua_resource *const lua = expect_blob(&answer, "lua");
    assert_string_equal(ct_blob_at(lua, lua->path.offset), "scripts/main.lua");
    assert_string_equal(ct_blob_at(lua, lua->text.offset), "return 1 + 1\n");
    assert_int_equal(lua->text.bytes, 13);
    assert_true(has_include(&answer, "scripts/main.lua"));
    ct_compile_answer_free(&answer);
}

static void compiles_an_empty_script(void **state) {
    (void)state;
    const char *const project = test_scratch_folder();
    write_text(project, "empty.lua", "");
    ct_compile_answer answer = compile_file(project, "lua", "empty");
    const ct_lua_resource *const lua = expect_blob(&answer, "lua");
    assert_int_equal(lua->text.bytes, 0);
    ct_compile_answer_free(&answer);
}

static void tells_the_line_of_a_syntax_error(void **state) {
    (void)state;
    const char *const project = test_scratch_folder();
    write_text(project, "bad.lua", "local a = 1\nlocal b = = 2\n");
    ct_compile_answer answer = compile_file(project, "lua", "bad");
    expect_error(&answer, "bad.lua", 2, 0, "unexpected symbol near '='");
}

static void tells_the_line_in_a_file_with_a_long_path(void **state) {
    (void)state;
    const char *const project = test_scratch_folder();
    const char *const name = "a_folder_with_a_long_name/another_folder_with_a_long_name/and_a_file";
    char path[CT_PATH_BYTES];
    snprintf(path, sizeof(path), "%s.lua", name);
    write_text(project, path, "\n\n\nend\n");
    ct_compile_answer answer = compile_file(project, "lua", name);
    expect_error(&answer, path, 4, 0, "'end'");
}

static void refuses_bytecode(void **state) {
    (void)state;
    const char *const project = test_scratch_folder();
    write_bytes(project, "code.lua", "\x1bLJ\x02", 4);
    ct_compile_answer answer = compile_file(project, "lua", "code");
    expect_error(&answer, "code.lua", 1, 1, "bytecode");
}

static void tells_errors_that_quote_broken_text(void **state) {
    (void)state;
    const char *const project = test_scratch_folder();
    write_bytes(project, "bytes.lua", "return 1 \xff\xfe", 11);
    ct_compile_answer answer = compile_file(project, "lua", "bytes");
    assert_int_equal(answer.errors.count, 1);
    for (const char *s = answer.errors.items[0].message; *s; ++s)
        assert_true((unsigned char)*s < 0x80);
    expect_error(&answer, "bytes.lua", 1, 0, "?");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_path_and_text),
        cmocka_unit_test(compiles_an_empty_script),
        cmocka_unit_test(tells_the_line_of_a_syntax_error),
        cmocka_unit_test(tells_the_line_in_a_file_with_a_long_path),
        cmocka_unit_test(refuses_bytecode),
        cmocka_unit_test(tells_errors_that_quote_broken_text),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
