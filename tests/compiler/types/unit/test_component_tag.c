// Tag components: from lists of words in units to what is spawned.
#include "compiler/types/unit/template_support.h"

#include "resource/types/component/tag_data.h"

#define CRATE "components = [ { id = \"g\" type = \"tag\" tags = [\"crate\" \"fragile\"] } ]"

static const char *project_with_crate(void) {
    const char *const project = test_scratch_folder();
    write_text(project, "crate.unit", CRATE);
    return project;
}

static ct_compile_answer compile_unit(const char *project, const char *text) {
    write_text(project, "x.unit", text);
    return compile_file(project, "unit", "x");
}

// Fails unless instance `i` has the tags of `texts`, which ends with NULL.
static void expect_tags(const ct_unit_resource *unit, uint32_t i, const char *const *texts) {
    const ct_tag_data *const data = varying_data_of(unit, &unit->entities, "tag", i);
    uint32_t count = 0;
    for (; texts[count]; ++count) {
        assert_true(count < data->num_tags);
        assert_int_equal(data->tags[count].value, ct_string_id32_of(texts[count]).value);
        assert_string_equal(ct_tag_data_text(data, count), texts[count]);
    }
    assert_int_equal(data->num_tags, count);
}

static void keeps_ids_and_texts(void **state) {
    (void)state;
    ct_compile_answer answer = compile_unit(test_scratch_folder(), CRATE);
    expect_tags(expect_blob(&answer, "unit"), 0, (const char *[]){"crate", "fragile", NULL});
    ct_compile_answer_free(&answer);
}

static void may_have_no_tags(void **state) {
    (void)state;
    ct_compile_answer answer = compile_unit(
        test_scratch_folder(), "components = [ { id = \"g\" type = \"tag\" tags = [] } ]");
    expect_tags(expect_blob(&answer, "unit"), 0, (const char *[]){NULL});
    ct_compile_answer_free(&answer);
    answer = compile_unit(test_scratch_folder(), "components = [ { id = \"g\" type = \"tag\" } ]");
    expect_tags(expect_blob(&answer, "unit"), 0, (const char *[]){NULL});
    ct_compile_answer_free(&answer);
}

static void what_inherits_replaces_the_list(void **state) {
    (void)state;
    ct_compile_answer answer =
        compile_unit(project_with_crate(), "inherit = \"crate\"\n"
                                           "components = [ { id = \"g\" tags = [\"box\"] } ]");
    expect_tags(expect_blob(&answer, "unit"), 0, (const char *[]){"box", NULL});
    ct_compile_answer_free(&answer);
}

static void an_override_replaces_the_list_of_one_child(void **state) {
    (void)state;
    ct_compile_answer answer = compile_unit(
        project_with_crate(), "components = [ { id = \"x\" type = \"tag\" tags = [\"pile\"] } ]\n"
                              "children = [ { id = \"a\" unit = \"crate\" }\n"
                              "  { id = \"b\" unit = \"crate\" overrides = [ { id = \"g\" tags = "
                              "[\"box\" \"crate\"] } ] }\n"
                              "  { id = \"c\" unit = \"crate\" overrides = [ { id = \"g\" } ] } ]");
    const ct_unit_resource *const unit = expect_blob(&answer, "unit");
    expect_tags(unit, 0, (const char *[]){"pile", NULL});
    expect_tags(unit, 1, (const char *[]){"crate", "fragile", NULL});
    expect_tags(unit, 2, (const char *[]){"box", "crate", NULL});
    expect_tags(unit, 3, (const char *[]){"crate", "fragile", NULL});
    assert_int_equal(owner_of(unit, &unit->entities, "tag", 2), 2);
    ct_compile_answer_free(&answer);
}

static void refuses_a_tag_that_stands_twice(void **state) {
    (void)state;
    ct_compile_answer answer =
        compile_unit(test_scratch_folder(), "components = [ { id = \"g\" type = \"tag\"\n"
                                            "  tags = [\"crate\" \"box\" \"crate\"] } ]");
    expect_error(&answer, "x.unit", 2, 25, "tag.tags: \"crate\" is listed twice");
}

static void refuses_what_is_no_word(void **state) {
    (void)state;
    ct_compile_answer answer = compile_unit(
        test_scratch_folder(), "components = [ { id = \"g\" type = \"tag\"\n  tags = [7] } ]");
    expect_error(&answer, "x.unit", 2, 11, "tag.tags: found a number, expected a string");
    answer = compile_unit(test_scratch_folder(),
                          "components = [ { id = \"g\" type = \"tag\"\n  tags = [\"\"] } ]");
    expect_error(&answer, "x.unit", 2, 11, "\"\" cannot be a tag");
    answer = compile_unit(test_scratch_folder(),
                          "components = [ { id = \"g\" type = \"tag\"\n  tags = \"crate\" } ]");
    expect_error(&answer, "x.unit", 2, 3, "tag.tags: found a string, expected an array");
}

static void refuses_two_words_of_one_id(void **state) {
    (void)state;
    // Both are 0x0fa687e6.
    ct_compile_answer answer =
        compile_unit(test_scratch_folder(), "components = [ { id = \"g\" type = \"tag\"\n"
                                            "  tags = [\"nibegofo\" \"feragubo\"] } ]");
    expect_error(&answer, "x.unit", 2, 22, "\"feragubo\" has the id of \"nibegofo\"");
}

static void tells_errors_of_an_override_at_its_place(void **state) {
    (void)state;
    ct_compile_answer answer = compile_unit(
        project_with_crate(), "children = [ { id = \"a\" unit = \"crate\"\n"
                              "  overrides = [ { id = \"g\" tags = [\"a\" \"a\"] } ] } ]");
    expect_error(&answer, "x.unit", 2, 40, "tag.tags: \"a\" is listed twice");
}

static void an_entity_has_one_list(void **state) {
    (void)state;
    ct_compile_answer answer =
        compile_unit(test_scratch_folder(), "components = [ { id = \"g\" type = \"tag\" }\n"
                                            "  { id = \"h\" type = \"tag\" } ]");
    expect_error(&answer, "x.unit", 2, 3, "a unit has at most one tag");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_ids_and_texts),
        cmocka_unit_test(may_have_no_tags),
        cmocka_unit_test(what_inherits_replaces_the_list),
        cmocka_unit_test(an_override_replaces_the_list_of_one_child),
        cmocka_unit_test(refuses_a_tag_that_stands_twice),
        cmocka_unit_test(refuses_what_is_no_word),
        cmocka_unit_test(refuses_two_words_of_one_id),
        cmocka_unit_test(tells_errors_of_an_override_at_its_place),
        cmocka_unit_test(an_entity_has_one_list),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
