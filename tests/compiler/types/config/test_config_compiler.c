#include "compiler/project_support.h"
#include "resource/types/config_resource.h"

static ct_compile_answer compile_text(const char *text) {
    const char *const project = test_scratch_folder();
    write_text(project, "values.config", text);
    return compile_file(project, "config", "values");
}

static void keeps_values_of_every_type_by_path(void **state) {
    (void)state;
    ct_compile_answer answer = compile_text("boot = \"main\"\n"
                                            "window = { width = 1280 full = true off = false }\n"
                                            "list = [ 1 \"two\" { three = 3 } ]\n"
                                            "nothing = null\n");
    const ct_config_resource *const config = expect_blob(&answer, "config");
    assert_string_equal(ct_config_string(config, "boot", ""), "main");
    assert_float_equal(ct_config_number(config, "window.width", 0), 1280, 0);
    assert_true(ct_config_bool(config, "window.full", false));
    assert_false(ct_config_bool(config, "window.off", true));
    const ct_config_node *const nodes = ct_blob_at(config, config->nodes.offset);
    const ct_config_node *const list = ct_config_find(config, "list");
    assert_int_equal(list->count, 3);
    assert_int_equal(nodes[list->first].type, CT_SJSON_TYPE_NUMBER);
    assert_string_equal(ct_blob_at(config, nodes[list->first + 1].text.offset), "two");
    assert_int_equal(nodes[list->first + 2].type, CT_SJSON_TYPE_OBJECT);
    assert_int_equal(ct_config_find(config, "nothing")->type, CT_SJSON_TYPE_NULL);
    assert_null(ct_config_find(config, "window.height"));
    ct_compile_answer_free(&answer);
}

static void compiles_an_empty_document(void **state) {
    (void)state;
    ct_compile_answer answer = compile_text("// nothing here\n");
    const ct_config_resource *const config = expect_blob(&answer, "config");
    assert_int_equal(config->nodes.count, 1);
    ct_compile_answer_free(&answer);
}

static void tells_where_the_document_is_broken(void **state) {
    (void)state;
    ct_compile_answer answer = compile_text("a = 1\nb = [ 1 2\n");
    assert_int_equal(answer.errors.count, 1);
    assert_string_equal(answer.errors.items[0].file, "values.config");
    assert_in_range(answer.errors.items[0].line, 2, 3);
    ct_compile_answer_free(&answer);
}

static void refuses_a_key_that_stands_twice(void **state) {
    (void)state;
    ct_compile_answer answer = compile_text("a = 1\na = 2\n");
    expect_error(&answer, "values.config", 2, 1, "\"a\"");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_values_of_every_type_by_path),
        cmocka_unit_test(compiles_an_empty_document),
        cmocka_unit_test(tells_where_the_document_is_broken),
        cmocka_unit_test(refuses_a_key_that_stands_twice),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
