#include "content/identity.h"

#include "foundation/memory/temp_allocator.h"
#include "resource/types/resource_types.h"
#include "support/test_support.h"

#include <stdio.h>
#include <string.h>

static ct_sjson *parse(const char *text, const char *file) {
    ct_error error = {0};
    ct_sjson *const doc = ct_sjson_parse(test_heap(), text, strlen(text), file, NULL, &error);
    if (!doc)
        fail_msg("%s:%u:%u: %s", error.file, error.line, error.column, error.message);
    return doc;
}

// What is found, as `path fault` lines; `*` where a new id was made.
static void expect(const char *file, const char *text, const char *expected) {
    CT_TEMP_ALLOCATOR(scratch, test_heap());
    ct_sjson *const tape = parse(text, file);
    ct_identity_finding_array findings;
    ct_array_init(&findings, scratch);
    ct_identity_find(&findings, scratch, tape, file);
    ct_string_builder found;
    ct_string_builder_init(&found, scratch);
    for (uint32_t i = 0; i < findings.count; ++i)
        ct_string_builder_addf(&found, "%s %d%s\n", findings.items[i].path,
                               (int)findings.items[i].fault,
                               ct_guid_is_none(findings.items[i].new_id) ? "" : "*");
    assert_string_equal(ct_string_builder_text(&found), expected);
    ct_sjson_free(tape);
}

static void finds_elements_without_ids_of_their_own(void **state) {
    (void)state;
    expect("a.level", "units = [{ unit = \"x\" } { id = \"a\" } { id = \"a\" } { id = \"\" }]",
           "units[0] 1*\nunits[2] 2*\nunits[3] 1*\n");
    expect("a.level", "units = [{ id = 1 } { id = \"1\" } 5 []]", "units[0] 3\n");
    expect(
        "a.unit",
        "components = [{ type = \"light\" } { id = \"a\" type = \"scene_graph\" nodes = [{} {}] }]"
        " children = [{ unit = \"x\" }]",
        "components[0] 1*\ncomponents[1].nodes[0] 1*\ncomponents[1].nodes[1] 1*\n"
        "children[0] 1*\n");
    expect("a.unit", "components = [{ id = \"a\" type = \"actor\" shapes = [{} { id = \"s\" }] }]",
           "components[0].shapes[0] 1*\n");
    // The same id may stand in different arrays, and so may any key in what has none.
    expect(
        "a.unit",
        "components = [{ id = \"a\" type = \"light\" }] children = [{ id = \"a\" unit = \"x\" }]",
        "");
    expect("a.config", "units = [{ unit = \"x\" }]", "");
    expect("a.level", "others = [{ unit = \"x\" }] units = 1", "");
}

static void makes_up_no_ids_for_overrides(void **state) {
    (void)state;
    expect(
        "a.level",
        "units = [{ id = \"a\" overrides = [{} { type = \"scene_graph\" id = \"b\" nodes = [{}] }]"
        " children = [{ overrides = [{}] }] }]",
        "units[0].overrides[0] 4\nunits[0].overrides[1].nodes[0] 4\nunits[0].children[0] 4\n"
        "units[0].children[0].overrides[0] 4\n");
    expect("a.unit", "components = [{ x = 1 } { type = \"light\" removed = true }]",
           "components[0] 4\ncomponents[1] 4\n");
}

static void knows_the_types_that_have_ids(void **state) {
    (void)state;
    uint32_t count;
    const ct_resource_type *const types = ct_resource_types(&count);
    char names[256] = "";
    for (uint32_t i = 0; i < count; ++i) {
        if (ct_identity_is_in(types[i].schema))
            snprintf(names + strlen(names), sizeof(names) - strlen(names), "%s ", types[i].name);
    }
    assert_string_equal(names, "physics skeleton animation state_machine particles sound_event "
                               "sound_bus flow_nodes flow unit level navigation ");
    assert_false(ct_identity_is_in(NULL));
}

static void repairs_nothing_but_ids(void **state) {
    (void)state;
    static const char text[] =
        "units = [ // all\r\n\t{\r\n\t\t// one\r\n\t\tunit = \"x\"\r\n\t}\r\n"
        "\t{ id = \"a\" } { id=\"a\" /* two */ }\r\n]";
    CT_TEMP_ALLOCATOR(scratch, test_heap());
    ct_error error = {0};
    ct_sjson *const tape = parse(text, "a.level");
    ct_sjson_document *const doc =
        ct_sjson_document_parse(test_heap(), text, strlen(text), "a.level", NULL, &error);
    ct_identity_finding_array findings;
    ct_array_init(&findings, scratch);
    ct_identity_find(&findings, scratch, tape, "a.level");
    assert_int_equal(ct_identity_repair(&findings, test_heap(), tape, doc, &error), 2);
    char ids[2][CT_GUID_TEXT_BYTES], expected[512];
    ct_guid_format(findings.items[0].new_id, ids[0]);
    ct_guid_format(findings.items[1].new_id, ids[1]);
    snprintf(
        expected, sizeof(expected),
        "units = [ // all\r\n\t{\r\n\t\tid = \"%s\"\r\n\t\t// one\r\n\t\tunit = \"x\"\r\n\t}\r\n"
        "\t{ id = \"a\" } { id=\"%s\" /* two */ }\r\n]",
        ids[0], ids[1]);
    ct_string_builder out;
    ct_string_builder_init(&out, test_heap());
    ct_sjson_document_write(doc, &out);
    assert_string_equal(out.text, expected);
    ct_string_builder_free(&out);
    ct_sjson_document_free(doc);
    ct_sjson_free(tape);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_elements_without_ids_of_their_own),
        cmocka_unit_test(makes_up_no_ids_for_overrides),
        cmocka_unit_test(knows_the_types_that_have_ids),
        cmocka_unit_test(repairs_nothing_but_ids),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
