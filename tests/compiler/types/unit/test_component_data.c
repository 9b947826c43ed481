#include "compiler/types/unit/template_support.h"

#include "resource/blob/data_buffer.h"

#define CHEST                                                                                      \
    "components = [ { id = \"d\" type = \"data\"\n"                                                \
    "    values = { health = 100 name = \"Bob\" path = [1 2 3] lit = true\n"                       \
    "               stats = { armour = 3 deep = { luck = 0.5 } } } } ]\n"

static const char *project_with_chest(void) {
    const char *const project = test_scratch_folder();
    write_text(project, "chest.unit", CHEST);
    return project;
}

static ct_compile_answer compile_unit(const char *project, const char *text) {
    write_text(project, "x.unit", text);
    return compile_file(project, "unit", "x");
}

// Data component `i` of a blob.
static const ct_data_buffer *buffer_of(const ct_unit_resource *unit, uint32_t i) {
    return varying_data_of(unit, &unit->entities, "data", i);
}

// The value of "stats.deep.luck".
static ct_data_value value_of(const ct_data_buffer *b, const char *path) {
    char text[256];
    const char *sub_keys[8];
    uint32_t count = 0;
    snprintf(text, sizeof(text), "%s", path);
    for (char *at = strtok(text, "."); at; at = strtok(NULL, "."))
        sub_keys[count++] = at;
    return ct_data_buffer_get(b, ct_data_key_of(sub_keys, count));
}

static void expect_number(const ct_data_buffer *b, const char *path, float expected) {
    const ct_data_value v = value_of(b, path);
    if (v.type != CT_DATA_TYPE_FLOAT || v.number != expected)
        fail_msg("%s: expected %g, got type %d, %g", path, (double)expected, (int)v.type,
                 (double)v.number);
}

static void expect_none(const ct_data_buffer *b, const char *path) {
    assert_int_equal(value_of(b, path).type, CT_DATA_TYPE_NONE);
}

static void makes_a_buffer_without_free_room(void **state) {
    (void)state;
    ct_compile_answer answer = compile_unit(test_scratch_folder(), CHEST);
    const ct_data_buffer *const b = buffer_of(expect_blob(&answer, "unit"), 0);
    assert_int_equal(b->num_keys, 6);
    expect_number(b, "health", 100);
    expect_number(b, "stats.armour", 3);
    expect_number(b, "stats.deep.luck", 0.5f);
    assert_string_equal(value_of(b, "name").text, "Bob");
    assert_true(value_of(b, "lit").boolean);
    assert_int_equal(value_of(b, "path").count, 3);
    assert_true(value_of(b, "path").numbers[2] == 3);
    expect_none(b, "stats");
    assert_int_equal(b->hole_words, 0);
    assert_int_equal(ct_data_buffer_bytes(b), 8 + 6 * 4 + 8 + 6 * 4 + 4 + 12);
    ct_compile_answer_free(&answer);
}

static void merges_overrides_key_by_key(void **state) {
    (void)state;
    ct_compile_answer answer =
        compile_unit(project_with_chest(),
                     "inherit = \"chest\"\n"
                     "components = [ { id = \"d\" values = { health = null path = [9]\n"
                     "    stats = { armour = \"none\" more = 1 deep = { luck = 2 } } } } ]\n"
                     "children = [ { id = \"c\" unit = \"chest\"\n"
                     "    overrides = [ { id = \"d\" values = { lit = false } } ] } ]");
    const ct_unit_resource *const unit = expect_blob(&answer, "unit");
    const ct_data_buffer *const root = buffer_of(unit, 0), *const child = buffer_of(unit, 1);
    assert_int_equal(root->num_keys, 6);
    expect_none(root, "health");
    assert_int_equal(value_of(root, "path").count, 1);
    assert_string_equal(value_of(root, "name").text, "Bob");
    assert_string_equal(value_of(root, "stats.armour").text, "none");
    expect_number(root, "stats.more", 1);
    expect_number(root, "stats.deep.luck", 2);
    expect_number(child, "health", 100);
    assert_false(value_of(child, "lit").boolean);
    ct_compile_answer_free(&answer);
}

static void objects_and_others_replace_each_other(void **state) {
    (void)state;
    const char *const project = project_with_chest();
    ct_compile_answer answer = compile_unit(
        project, "inherit = \"chest\"\n"
                 "components = [ { id = \"d\" values = { stats = 5 name = { first = 1 } } } ]\n");
    const ct_data_buffer *const b = buffer_of(expect_blob(&answer, "unit"), 0);
    expect_number(b, "stats", 5);
    expect_none(b, "stats.armour");
    expect_none(b, "stats.deep.luck");
    expect_none(b, "name");
    expect_number(b, "name.first", 1);
    ct_compile_answer_free(&answer);
}

static void what_null_removes_does_not_come_back(void **state) {
    (void)state;
    const char *const project = project_with_chest();
    write_text(project, "back.unit",
               "inherit = \"x\"\n"
               "components = [ { id = \"d\" values = { stats = { deep = { more = 7 } } } } ]\n");
    write_text(project, "x.unit",
               "inherit = \"chest\"\n"
               "components = [ { id = \"d\" values = { stats = null } } ]\n");
    ct_compile_answer answer = compile_file(project, "unit", "back");
    const ct_data_buffer *const b = buffer_of(expect_blob(&answer, "unit"), 0);
    expect_none(b, "stats.armour");
    expect_none(b, "stats.deep.luck");
    expect_number(b, "stats.deep.more", 7);
    ct_compile_answer_free(&answer);
}

static void takes_components_without_values(void **state) {
    (void)state;
    ct_compile_answer answer = compile_unit(
        test_scratch_folder(), "components = [ { id = \"a\" type = \"data\" }\n"
                               "  { id = \"b\" type = \"data\" values = {} }\n"
                               "  { id = \"c\" type = \"data\" values = { a = {} } } ]");
    const ct_unit_resource *const unit = expect_blob(&answer, "unit");
    for (uint32_t i = 0; i < 3; ++i) {
        assert_int_equal(buffer_of(unit, i)->num_keys, 0);
        assert_int_equal(ct_data_buffer_bytes(buffer_of(unit, i)), 8);
    }
    ct_compile_answer_free(&answer);
}

static void refuse_values(const char *values, uint32_t line, uint32_t column,
                          const char *expected) {
    char text[1024];
    snprintf(text, sizeof(text), "components = [ { id = \"d\" type = \"data\" values =\n%s } ]",
             values);
    ct_compile_answer answer = compile_unit(test_scratch_folder(), text);
    expect_error(&answer, "x.unit", line, column, expected);
}

static void refuses_what_is_no_value(void **state) {
    (void)state;
    refuse_values("5", 1, 41, "data.values: found a number, expected an object");
    refuse_values("{ a = [1 \"b\"] }", 2, 10,
                  "found a string, expected a number: arrays of `values` hold only numbers");
    refuse_values("{ a = { b = [[1]] } }", 2, 14, "found an array, expected a number");
    refuse_values("{ a = 1e300 }", 2, 3, "found 1e+300, expected a number that fits into a float");
    refuse_values("{ a = [1e39] }", 2, 8, "found 1e+39, expected a number that fits into a float");
    refuse_values("{ a = null }", 2, 3, "null cannot remove the value \"a\": it does not exist");
    refuse_values("{ \"\" = 1 }", 2, 3, "a key of `values` needs a name");
}

static void refuses_to_remove_what_is_not_there(void **state) {
    (void)state;
    const char *const project = project_with_chest();
    write_text(project, "x.unit",
               "inherit = \"chest\"\n"
               "components = [ { id = \"d\" values = {\n  stats = { armor = null } } } ]\n");
    ct_compile_answer answer = compile_file(project, "unit", "x");
    expect_error(&answer, "x.unit", 3, 13,
                 "null cannot remove the value \"armor\": it does not exist");
}

static void refuses_keys_of_one_hash(void **state) {
    (void)state;
    refuse_values("{ key59736 = 1\n  key114227 = 2 }", 3, 3,
                  "the keys key114227 and key59736 have the same 32-bit hash; rename one");
}

static void refuses_more_than_a_buffer_holds(void **state) {
    (void)state;
    static char text[80000];
    int at = snprintf(text, sizeof(text),
                      "components = [ { id = \"d\" type = \"data\" values = { a = \"");
    memset(text + at, 'x', 60000);
    at += 60000;
    snprintf(text + at, sizeof(text) - (size_t)at, "\"\n  b = \"%06000d\" } } ]", 1);
    ct_compile_answer answer = compile_unit(test_scratch_folder(), text);
    expect_error(&answer, "x.unit", 2, 3,
                 "with b these values take more than the 65536 bytes of a data component");
}

// --- References ----------------------------------------------------------------------------------

static void references_are_names_that_the_compiler_follows(void **state) {
    (void)state;
    const char *const project = test_scratch_folder();
    write_text(project, "coin.unit",
               "components = [ { id = \"d\" type = \"data\" values = {\n"
               "    resource = \"plain\" type = \"text\"\n"
               "    drop = { resource = \"gem\" type = \"unit\" }\n"
               "    deep = { sound = { resource = \"a/b\" type = \"config\" } } } } ]");
    ct_compile_answer answer = compile_unit(
        project, "children = [ { id = \"c\" unit = \"coin\" overrides = [ { id = \"d\"\n"
                 "  values = { drop = { resource = \"ore\" type = \"unit\" } } } ] } ]");
    const ct_data_buffer *const b = buffer_of(expect_blob(&answer, "unit"), 0);
    assert_string_equal(value_of(b, "drop").text, "ore");
    assert_string_equal(value_of(b, "deep.sound").text, "a/b");
    assert_string_equal(value_of(b, "resource").text, "plain");
    expect_none(b, "drop.resource");
    assert_true(has_reference(&answer, "unit", "ore"));
    assert_true(has_reference(&answer, "config", "a/b"));
    assert_false(has_reference(&answer, "unit", "gem"));
    assert_int_equal(answer.warnings.count, 0);
    ct_compile_answer_free(&answer);
}

static void expect_value_error(const char *value, uint32_t column, const char *text) {
    char unit[256];
    snprintf(unit, sizeof(unit),
             "components = [ { id = \"d\" type = \"data\" values = { a =\n%s } } ]", value);
    ct_compile_answer answer = compile_unit(test_scratch_folder(), unit);
    expect_error(&answer, "x.unit", 2, column, text);
}

static void refuses_wrong_references(void **state) {
    (void)state;
    expect_value_error("{ resource = \"a\" type = \"unt\" }", 18,
                       "unknown resource type \"unt\"; did you mean \"unit\"?");
    expect_value_error("{ resource = \"A b\" type = \"unit\" }", 3,
                       "reference.resource: \"A b\" is not the name of a resource");
    expect_value_error("{ resource = \"\" type = \"unit\" }", 3, "reference.resource: ");
    expect_value_error("{ resource = 1 type = \"unit\" }", 3,
                       "found a number, expected a string with the name of a unit");
    expect_value_error("{ resource = \"a\" type = 1 }", 18,
                       "reference.type: found a number, expected a string");
    expect_value_error("{ resource = \"a\" type = \"unit\" more = 1 }", 32,
                       "reference.more: unknown member");
}

// --- Overrides that are hardly meant -------------------------------------------------------------

// The one warning of a unit that places a chest with these values in line 2, from column 3 on.
static void expect_override_warning(const char *values, uint32_t column, const char *text) {
    char unit[512];
    snprintf(unit, sizeof(unit),
             "children = [ { id = \"c\" unit = \"chest\" overrides = [ { id = \"d\" values = {\n"
             "  %s } } ] } ]",
             values);
    ct_compile_answer answer = compile_unit(project_with_chest(), unit);
    if (text)
        expect_warning(&answer, "x.unit", 2, column, text);
    else
        assert_int_equal(answer.warnings.count, 0);
    ct_compile_answer_free(&answer);
}

static void warns_of_misspelt_keys_in_overrides(void **state) {
    (void)state;
    expect_override_warning(
        "helth = 5", 3, "the overridden object has no value \"helth\"; did you mean \"health\"?");
    expect_override_warning("stats = { deep = { lack = 1 } }", 22, "did you mean \"luck\"?");
    expect_override_warning(
        "colour = { r = 1 g = 2 }", 3,
        "the overridden object has no value \"colour\"; add it there, or remove");
    expect_override_warning("health = 5 stats = { deep = { luck = 1 } }", 0, NULL);
    // Units may add to what they inherit.
    ct_compile_answer answer =
        compile_unit(project_with_chest(), "inherit = \"chest\"\n"
                                           "components = [ { id = \"d\" values = { more = 1 } } ]");
    assert_int_equal(answer.warnings.count, 0);
    ct_compile_answer_free(&answer);
}

static void warns_of_changed_types_in_overrides(void **state) {
    (void)state;
    expect_override_warning("health = \"5\"", 3,
                            "found a string, but the \"health\" that this overrides is a number");
    expect_override_warning("path = 1", 3,
                            "found a number, but the \"path\" that this overrides is an array");
    expect_override_warning("stats = { deep = true }", 13,
                            "found a boolean, but the \"deep\" that this overrides is an object");
    expect_override_warning("name = { resource = \"a\" type = \"unit\" }", 0, NULL);
    ct_compile_answer answer =
        compile_unit(project_with_chest(), "inherit = \"chest\"\n"
                                           "components = [ { id = \"d\" values = { lit = 1 } } ]");
    expect_warning(&answer, "x.unit", 2, 38, "but the \"lit\" that this overrides is a boolean");
    ct_compile_answer_free(&answer);
}

static void an_empty_object_is_open_to_any_key(void **state) {
    (void)state;
    const char *const project = test_scratch_folder();
    write_text(project, "bag.unit",
               "components = [ { id = \"d\" type = \"data\" values = { items = {} } } ]");
    ct_compile_answer answer =
        compile_unit(project, "children = [ { id = \"c\" unit = \"bag\" overrides = [ { id = \"d\" "
                              "values = { items = { key = 1 } } } ] } ]");
    assert_int_equal(answer.errors.count, 0);
    assert_int_equal(answer.warnings.count, 0);
    ct_compile_answer_free(&answer);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(makes_a_buffer_without_free_room),
        cmocka_unit_test(merges_overrides_key_by_key),
        cmocka_unit_test(objects_and_others_replace_each_other),
        cmocka_unit_test(what_null_removes_does_not_come_back),
        cmocka_unit_test(takes_components_without_values),
        cmocka_unit_test(refuses_what_is_no_value),
        cmocka_unit_test(refuses_to_remove_what_is_not_there),
        cmocka_unit_test(refuses_keys_of_one_hash),
        cmocka_unit_test(refuses_more_than_a_buffer_holds),
        cmocka_unit_test(references_are_names_that_the_compiler_follows),
        cmocka_unit_test(refuses_wrong_references),
        cmocka_unit_test(warns_of_misspelt_keys_in_overrides),
        cmocka_unit_test(warns_of_changed_types_in_overrides),
        cmocka_unit_test(an_empty_object_is_open_to_any_key),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
