// The driver over sources with properties: which variants are compiled, and for which platform.
#include "compiler/project_support.h"
#include "resource/data_index.h"
#include "resource/load/resource_manager.h"
#include "resource/load/resource_store.h"

#define FULLSCREEN                                                                                 \
    "vertices = \"fullscreen\"\nvertex = \"\"\"void main() { gl_Position = vec4(1.0); }\"\"\"\n"   \
    "fragment = \"\"\"layout(location = 0) out vec4 c; void main() { c = vec4(1.0); }\"\"\"\n"

static ct_compiler *open_for(const char *project, const char *platform,
                             const char *source_platform) {
    ct_error error = {0};
    ct_compiler *const c =
        ct_compiler_create(&(ct_compiler_desc){.allocator = test_heap(),
                                               .project_folder = project,
                                               .worker_path = worker_path(),
                                               .platform = platform,
                                               .source_platform = source_platform,
                                               .num_jobs = 1},
                           &error);
    if (!c)
        fail_msg("%s", error.message);
    return c;
}

// Compiles for a source platform; the compiler is to be destroyed.
static ct_compiler *compile_for(const char *project, const char *source_platform, uint32_t compiled,
                                uint32_t failed) {
    ct_compiler *const c = open_for(project, NULL, source_platform);
    expect_counts(run_compiler(c), compiled, 0, failed);
    return c;
}

static const char *platform_project(void) {
    const char *const project = test_scratch_folder();
    write_settings(project, "platforms = [\"mobile\" \"tv\"]");
    write_boot(project);
    write_text(project, "a.lua", "return 'all'");
    write_text(project, "a.mobile.lua", "return 'mobile'");
    write_text(project, "a.fr.lua", "return 'french'");
    write_text(project, "a.fr.mobile.lua", "return 'french mobile'");
    write_text(project, "b.lua", "return 'all'");
    write_text(project, "c.tv.lua", "return 'tv'");
    return project;
}

// --- Platforms -----------------------------------------------------------------------------------

static void variants_for_other_platforms_are_left_out(void **state) {
    (void)state;
    ct_compiler *const c = compile_for(platform_project(), NULL, 6, 0);
    assert_true(data_contains(c, "lua", "a", "'all'"));
    assert_true(data_contains(c, "lua", "a.fr", "'french'"));
    assert_true(data_contains(c, "lua", "b", "'all'"));
    assert_false(has_data(c, "lua", "c"));
    ct_compiler_destroy(c);
}

static void variants_for_the_platform_are_the_only_ones(void **state) {
    (void)state;
    const char *const project = platform_project();
    ct_compiler *c = compile_for(project, "mobile", 6, 0);
    assert_true(data_contains(c, "lua", "a", "'mobile'"));
    assert_true(data_contains(c, "lua", "a.fr", "'french mobile'"));
    assert_true(data_contains(c, "lua", "b", "'all'"));
    assert_non_null(strstr(ct_compiler_data_folder(c), ".cuttle/data/mobile-linux"));
    ct_compiler_destroy(c);
    c = compile_for(project, "tv", 7, 0);
    assert_true(data_contains(c, "lua", "c", "'tv'"));
    ct_compiler_destroy(c);
    remove_file(project, "a.fr.mobile.lua"); // without it there is no French for mobile
    c = open_for(project, NULL, "mobile");
    run_compiler(c);
    assert_false(has_data(c, "lua", "a.fr"));
    ct_compiler_destroy(c);
}

static void a_variant_that_comes_or_goes_is_taken_or_left(void **state) {
    (void)state;
    const char *const project = platform_project();
    ct_compiler *const c = compile_for(project, NULL, 6, 0);
    const ct_resource_id b = ct_resource_id_of("lua", "b");
    write_text(project, "b.linux.lua", "return 'linux'");
    const ct_compile_report *report = run_compiler(c);
    assert_true(data_contains(c, "lua", "b", "'linux'"));
    assert_int_equal(report->changed.count, 1);
    assert_true(ct_resource_id_equal(report->changed.items[0], b));
    // The same content under another name: what is in the index must be right nevertheless.
    write_text(project, "b.lua", "return 'linux'");
    remove_file(project, "b.linux.lua");
    expect_counts(run_compiler(c), 1, 5, 0);
    const ct_data_index *const index =
        ct_data_index_read(test_heap(), ct_compiler_data_folder(c), NULL);
    const ct_data_index_entry *const entry = ct_data_index_find(index, b);
    assert_string_equal(ct_blob_at(index, entry->source.offset), "b.lua");
    ct_free(test_heap(), (void *)(uintptr_t)index);
    write_text(project, "b.fr.lua", "return 'french'");
    report = run_compiler(c);
    assert_true(has_data(c, "lua", "b.fr"));
    remove_file(project, "b.fr.lua");
    report = run_compiler(c);
    assert_false(has_data(c, "lua", "b.fr"));
    assert_int_equal(report->removed.count, 0); // there is b still
    assert_int_equal(report->changed.count, 1);
    assert_true(ct_resource_id_equal(report->changed.items[0], b));
    ct_compiler_destroy(c);
}

static void a_reference_across_platforms_says_so(void **state) {
    (void)state;
    const char *const project = test_scratch_folder();
    write_text(project, "boot.package", "lua = [\"only\"]");
    write_text(project, "only.windows.lua", "return 1");
    ct_compiler *const c = open_for(project, NULL, NULL);
    expect_report_error(run_compiler(c), "boot.package", 1, 8,
                        "lua \"only\" is missing for the platform linux (there is "
                        "\"only.windows.lua\")");
    ct_compiler_destroy(c);
}

static void unknown_platforms_are_refused(void **state) {
    (void)state;
    const char *const project = platform_project();
    ct_compiler *const c = open_for(project, NULL, "toaster");
    const ct_compile_report *report = NULL;
    ct_error error = {0};
    assert_false(ct_compiler_run(c, &report, &error));
    assert_non_null(strstr(error.message, "\"toaster\" is unknown; expected one of \"linux\""));
    assert_non_null(strstr(error.message, "\"tv\""));
    ct_compiler_destroy(c);
    assert_null(ct_compiler_create(&(ct_compiler_desc){.allocator = test_heap(),
                                                       .project_folder = project,
                                                       .source_platform = "../x"},
                                   &error));
    assert_non_null(strstr(error.message, "is not a platform name"));
}

static void bad_platform_settings_are_told_in_place(void **state) {
    (void)state;
    const char *const project = test_scratch_folder();
    write_boot(project);
    write_settings(project, "title = \"x\"\nplatforms = [\"a b\"]");
    ct_compiler *const c = open_for(project, NULL, NULL);
    expect_report_error(run_compiler(c), "settings.config", 2, 14, "not a platform name");
    ct_compiler_destroy(c);
}

// A half-saved settings file must not turn the platforms' variants to others.
static void broken_settings_leave_the_platforms_as_they_were(void **state) {
    (void)state;
    const char *const project = platform_project();
    ct_compiler *const c = compile_for(project, "mobile", 6, 0);
    write_text(project, "settings.config", "platforms = [");
    const ct_compile_report *const report = run_compiler(c);
    assert_int_equal(report->num_failed, 1);
    assert_int_equal(report->num_compiled, 0);
    assert_true(data_contains(c, "lua", "a", "'mobile'"));
    ct_compiler_destroy(c);
}

static void one_name_has_one_form(void **state) {
    (void)state;
    const char *const project = test_scratch_folder();
    write_text(project, "a.linux.windows.lua", "return 1");
    write_text(project, "b.z.a.lua", "return 1");
    write_text(project, "c.fr.fr.lua", "return 1");
    ct_compiler *const c = open_for(project, NULL, NULL);
    const ct_compile_report *const report = run_compiler(c);
    assert_int_equal(report->errors.count, 3);
    assert_non_null(strstr(report->errors.items[0].message, "two platforms"));
    assert_non_null(
        strstr(report->errors.items[1].message, "rename \"b.z.a.lua\" to \"b.a.z.lua\""));
    assert_non_null(
        strstr(report->errors.items[2].message, "rename \"c.fr.fr.lua\" to \"c.fr.lua\""));
    ct_compiler_destroy(c);
}

// --- What is read at compile time ----------------------------------------------------------------

static void inherits_the_variant_that_fits(void **state) {
    (void)state;
    const char *const project = test_scratch_folder();
    const char *const lamp =
        "components = [ { id = \"t\" type = \"transform\" } { id = \"l\" type = "
        "\"light\" intensity = %s } ]";
    char text[256];
    snprintf(text, sizeof(text), lamp, "1");
    write_text(project, "lamp.unit", text);
    write_text(project, "room.unit", "inherit = \"lamp\"");
    write_text(project, "room.fr.unit", "inherit = \"lamp\"");
    ct_compiler *const c = open_for(project, NULL, NULL);
    expect_counts(run_compiler(c), 3, 0, 0);
    // A variant for the platform appears: all who read the other read this one now.
    snprintf(text, sizeof(text), lamp, "2");
    write_text(project, "lamp.linux.unit", text);
    expect_counts(run_compiler(c), 3, 0, 0);
    // One with the properties of the reader.
    snprintf(text, sizeof(text), lamp, "3");
    write_text(project, "lamp.fr.linux.unit", text);
    expect_counts(run_compiler(c), 2, 2, 0);
    remove_file(project, "lamp.fr.linux.unit");
    remove_file(project, "lamp.linux.unit");
    expect_counts(run_compiler(c), 3, 0, 0);
    ct_compiler_destroy(c);
}

static void a_variant_may_inherit_the_one_before_it(void **state) {
    (void)state;
    const char *const project = test_scratch_folder();
    write_text(project, "lamp.unit", "components = [ { id = \"t\" type = \"transform\" } ]");
    write_text(project, "lamp.fr.unit", "inherit = \"lamp\"");
    write_text(project, "lamp.fr.tall.unit", "inherit = \"lamp\"");
    write_text(project, "s.shader", "parameters = { a = { type = \"scalar\" } }\n" FULLSCREEN);
    write_text(project, "m.material", "shader = \"s\"\nparameters = { a = 1 }");
    write_text(project, "m.fr.material", "parent = \"m\"\nparameters = { a = 2 }");
    ct_compiler *const c = open_for(project, NULL, NULL);
    expect_counts(run_compiler(c), 6, 0, 0);
    // By way of a further one that appears: lamp.fr.tall, lamp.fr, lamp.tall, lamp.
    write_text(project, "lamp.tall.unit", "inherit = \"lamp\"");
    expect_counts(run_compiler(c), 2, 5, 0);
    // The last in the line has nobody to inherit.
    write_text(project, "lamp.unit", "inherit = \"lamp\"");
    expect_counts(run_compiler(c), 0, 3, 4);
    ct_compiler_destroy(c);
}

// --- The catalog ---------------------------------------------------------------------------------

static ct_catalog *read_catalog(const ct_compiler *c) {
    ct_error error = {0};
    ct_catalog *const catalog = ct_catalog_read(test_heap(), ct_compiler_data_folder(c), &error);
    if (!catalog)
        fail_msg("%s", error.message);
    return catalog;
}

static void the_catalog_knows_variants_and_references(void **state) {
    (void)state;
    const char *const project = platform_project();
    write_text(project, "boot.package", "lua = [\"a\" \"b\"]");
    ct_compiler *const c = compile_for(project, NULL, 6, 0);
    ct_catalog *const catalog = read_catalog(c);
    assert_int_equal(catalog->entries.count, 5); // a, b, main, settings, boot
    const uint32_t a = ct_catalog_find(catalog, ct_resource_id_of("lua", "a"));
    const uint32_t boot = ct_catalog_find(catalog, ct_resource_id_of("package", "boot"));
    assert_string_equal(ct_catalog_name(catalog, a), "a");
    assert_int_equal(ct_catalog_entries(catalog)[a].num_variants, 2);
    const ct_preference_order order = {{ct_string_id64_of("fr")}, 1};
    const ct_catalog_variant *const v = ct_catalog_choose(catalog, a, &order);
    assert_true(v->data_name.value == ct_string_id64_of("a.fr").value);
    assert_int_equal(ct_catalog_choose(catalog, boot, &order)->num_references, 2);
    ct_free(test_heap(), catalog);
    ct_compiler_destroy(c);
}

static void a_lost_or_damaged_catalog_is_written_again(void **state) {
    (void)state;
    const char *const project = platform_project();
    ct_compiler *const c = compile_for(project, NULL, 6, 0);
    const folder_digest before = digest_folder(ct_compiler_data_folder(c));
    remove_file(ct_compiler_data_folder(c), CT_CATALOG_FILE);
    expect_counts(run_compiler(c), 0, 6, 0);
    assert_true(digest_folder(ct_compiler_data_folder(c)).hash == before.hash);
    write_text(ct_compiler_data_folder(c), CT_CATALOG_FILE, "damaged");
    expect_counts(run_compiler(c), 0, 6, 0);
    assert_true(digest_folder(ct_compiler_data_folder(c)).hash == before.hash);
    ct_compiler_destroy(c);
}

// --- Destinations --------------------------------------------------------------------------------

static void another_byte_order_is_another_folder(void **state) {
    (void)state;
    const char *const project = platform_project();
    ct_compiler *const c = open_for(project, "be64", NULL);
    expect_counts(run_compiler(c), 6, 0, 0);
    assert_non_null(strstr(ct_compiler_data_folder(c), ".cuttle/data/be64"));
    char path[CT_PATH_BYTES];
    uint64_t size_bytes = 0;
    data_path(c, "lua", "a", path);
    char *const data = ct_file_read(test_heap(), path, &size_bytes, NULL);
    assert_memory_equal(data, "LBTC", 4); // "CTBL" from the other end
    ct_free(test_heap(), data);
    expect_counts(run_compiler(c), 0, 6, 0);
    ct_compiler_destroy(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(variants_for_other_platforms_are_left_out),
        cmocka_unit_test(variants_for_the_platform_are_the_only_ones),
        cmocka_unit_test(a_variant_that_comes_or_goes_is_taken_or_left),
        cmocka_unit_test(a_reference_across_platforms_says_so),
        cmocka_unit_test(unknown_platforms_are_refused),
        cmocka_unit_test(bad_platform_settings_are_told_in_place),
        cmocka_unit_test(broken_settings_leave_the_platforms_as_they_were),
        cmocka_unit_test(one_name_has_one_form),
        cmocka_unit_test(inherits_the_variant_that_fits),
        cmocka_unit_test(a_variant_may_inherit_the_one_before_it),
        cmocka_unit_test(the_catalog_knows_variants_and_references),
        cmocka_unit_test(a_lost_or_damaged_catalog_is_written_again),
        cmocka_unit_test(another_byte_order_is_another_folder),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
