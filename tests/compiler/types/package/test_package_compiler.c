#include "compiler/project_support.h"
#include "resource/types/package_resource.h"

// The project of these tests, in the order of the driver: by type, then name.
static const ct_compile_listed listing[] = {
    {"lua", "main"},           {"package", "boot"},        {"package", "other"},
    {"texture", "core/white"}, {"texture", "props/crate"}, {"texture", "sky"},
    {"unit", "props/crate"},   {"unit", "props/lamp"},
};

static ct_compile_answer compile_text(const char *text) {
    const char *const project = test_scratch_folder();
    write_text(project, "boot.package", text);
    ct_compile_answer answer;
    ct_worker_compile(test_heap(),
                      &(ct_compile_request){.type = "package",
                                            .name = "boot",
                                            .path = "boot.package",
                                            .project_folder = project,
                                            .platform = "linux",
                                            .listing = listing,
                                            .num_listed = CT_COUNT_OF(listing)},
                      &answer);
    return answer;
}

// Fails unless the package holds exactly these, in this order: type, name, type, name, …, NULL.
static void expect_resources(const ct_compile_answer *answer, const char *const *expected) {
    const ct_package_resource *const package = expect_blob(answer, "package");
    const ct_resource_id *const ids = ct_blob_at(package, package->resources.offset);
    uint32_t count = 0;
    for (; expected[2 * count]; ++count) {
        const ct_resource_id id = ct_resource_id_of(expected[2 * count], expected[2 * count + 1]);
        assert_true(count < package->resources.count);
        assert_true(ct_resource_id_equal(ids[count], id));
    }
    assert_int_equal(package->resources.count, count);
}

static void lists_what_others_need_first(void **state) {
    (void)state;
    ct_compile_answer answer = compile_text("unit = [\"props/lamp\"] texture = [\"sky\"] "
                                            "lua = [\"main\"]");
    expect_resources(&answer, (const char *const[]){"lua", "main", "texture", "sky", "unit",
                                                    "props/lamp", NULL});
    assert_true(has_reference(&answer, "texture", "sky"));
    ct_compile_answer_free(&answer);
}

static void resolves_wildcards_over_folders(void **state) {
    (void)state;
    ct_compile_answer answer = compile_text("texture = [\"*\"] unit = [\"*/c*te\"]");
    expect_resources(&answer,
                     (const char *const[]){"texture", "core/white", "texture", "props/crate",
                                           "texture", "sky", "unit", "props/crate", NULL});
    ct_compile_answer_free(&answer);
}

static void holds_each_resource_once(void **state) {
    (void)state;
    ct_compile_answer answer = compile_text("texture = [\"sky\" \"s*\" \"sky\"]");
    expect_resources(&answer, (const char *const[]){"texture", "sky", NULL});
    ct_compile_answer_free(&answer);
}

static void leaves_itself_out_of_wildcards(void **state) {
    (void)state;
    ct_compile_answer answer = compile_text("package = [\"*\"]");
    expect_resources(&answer, (const char *const[]){"package", "other", NULL});
    ct_compile_answer_free(&answer);
}

static void may_be_empty(void **state) {
    (void)state;
    ct_compile_answer answer = compile_text("{}");
    expect_resources(&answer, (const char *const[]){NULL});
    ct_compile_answer_free(&answer);
}

static void warns_of_wildcards_that_match_nothing(void **state) {
    (void)state;
    ct_compile_answer answer = compile_text("lua = [\"main\"]\nunit = [\"props/*\" \"prosp/*\"]");
    expect_warning(&answer, "boot.package", 2, 19, "no unit matches \"prosp/*\"");
    expect_resources(&answer, (const char *const[]){"lua", "main", "unit", "props/crate", "unit",
                                                    "props/lamp", NULL});
    ct_compile_answer_free(&answer);
    answer = compile_text("package = [\"boo*\"]"); // itself does not count
    expect_warning(&answer, "boot.package", 1, 12, "no package matches \"boo*\"");
    ct_compile_answer_free(&answer);
}

static void all_of_a_type_may_be_none(void **state) {
    (void)state;
    ct_compile_answer answer = compile_text("mesh = [\"*\"] strings = [\"**\"]");
    assert_int_equal(answer.warnings.count, 0);
    ct_compile_answer_free(&answer);
}

static void refers_to_names_that_are_not_there(void **state) {
    (void)state;
    ct_compile_answer answer = compile_text("unit = [\n    \"props/tree\"\n]");
    expect_resources(&answer, (const char *const[]){NULL});
    assert_int_equal(answer.references.count, 1);
    assert_string_equal(answer.references.items[0].name, "props/tree");
    assert_int_equal(answer.references.items[0].line, 2);
    assert_int_equal(answer.references.items[0].column, 5);
    ct_compile_answer_free(&answer);
}

static void refuses_itself(void **state) {
    (void)state;
    ct_compile_answer answer = compile_text("package = [\"boot\"]");
    expect_error(&answer, "boot.package", 1, 12, "lists itself");
}

static void refuses_unknown_types(void **state) {
    (void)state;
    ct_compile_answer answer = compile_text("\ntextures = [\"sky\"]");
    expect_error(&answer, "boot.package", 2, 1,
                 "\"textures\" is not a resource type (did you mean \"texture\"?)");
    answer = compile_text("unti = [\"*\"]");
    expect_error(&answer, "boot.package", 1, 1, "(did you mean \"unit\"?); expected one of");
    answer = compile_text("sounds_of_all_kinds = [\"*\"]");
    expect_error(&answer, "boot.package", 1, 1, "is not a resource type; expected one of");
}

static void refuses_names_that_are_not_canonical(void **state) {
    (void)state;
    ct_compile_answer answer = compile_text("texture = [\"Sky\"]");
    expect_error(&answer, "boot.package", 1, 12, "write \"sky\"");
    answer = compile_text("texture = [\"../sky\"]");
    expect_error(&answer, "boot.package", 1, 12, "names must stay inside");
}

static void suggests_wildcards_for_wildcards(void **state) {
    (void)state;
    const char *const cases[][2] = {
        {"Units/*", "write \"units/*\""},
        {"*.fr", "write \"*\""},
        {"units\\\\a b/*", "write \"units/a_b/*\""},
        {"units//p*.unit", "write \"units/p*\""},
        {"../*", "names must stay inside"},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        char text[64];
        snprintf(text, sizeof(text), "unit = [\"%s\"]", cases[i][0]);
        ct_compile_answer answer = compile_text(text);
        expect_error(&answer, "boot.package", 1, 9, cases[i][1]);
    }
}

static void tools_of_core_must_be_named(void **state) {
    (void)state;
    static const ct_compile_listed with_tools[] = {
        {"lua", "core/a"}, {"lua", "core/tools/t"}, {"package", "boot"}};
    const char *const texts[] = {"lua = [\"*\"]", "lua = [\"core/*\"]", "lua = [\"core/tools/*\"]"};
    const char *const expected[] = {"core/a", "core/a", "core/tools/t"};
    for (uint32_t i = 0; i < CT_COUNT_OF(texts); ++i) {
        const char *const project = test_scratch_folder();
        write_text(project, "boot.package", texts[i]);
        const ct_compile_request request = {.type = "package",
                                            .name = "boot",
                                            .path = "boot.package",
                                            .project_folder = project,
                                            .platform = "linux",
                                            .listing = with_tools,
                                            .num_listed = CT_COUNT_OF(with_tools)};
        ct_compile_answer answer;
        ct_worker_compile(test_heap(), &request, &answer);
        expect_resources(&answer, (const char *const[]){"lua", expected[i], NULL});
        ct_compile_answer_free(&answer);
    }
}

static void refuses_what_is_no_list(void **state) {
    (void)state;
    ct_compile_answer answer = compile_text("texture = \"sky\"");
    expect_error(&answer, "boot.package", 1, 1, "found a string, expected an array");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_what_others_need_first),
        cmocka_unit_test(resolves_wildcards_over_folders),
        cmocka_unit_test(holds_each_resource_once),
        cmocka_unit_test(leaves_itself_out_of_wildcards),
        cmocka_unit_test(may_be_empty),
        cmocka_unit_test(warns_of_wildcards_that_match_nothing),
        cmocka_unit_test(all_of_a_type_may_be_none),
        cmocka_unit_test(refers_to_names_that_are_not_there),
        cmocka_unit_test(refuses_itself),
        cmocka_unit_test(refuses_unknown_types),
        cmocka_unit_test(refuses_names_that_are_not_canonical),
        cmocka_unit_test(suggests_wildcards_for_wildcards),
        cmocka_unit_test(tools_of_core_must_be_named),
        cmocka_unit_test(refuses_what_is_no_list),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
