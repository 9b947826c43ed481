// Bundles of small projects: what goes where, and what comes out again.
#include "compiler/bundle/bundle.h"

#include "compiler/project_support.h"
#include "foundation/memory/temp_allocator.h"
#include "resource/archive/archive.h"
#include "resource/load/resource_manager.h"
#include "resource/load/resource_store.h"
#include "resource/types/lua_resource.h"

// Boot holds main, which needs common; two packages share a script and a third lists the first.
static const char *sample_project(void) {
    const char *const project = test_scratch_folder();
    write_text(project, "settings.config", "boot_script = \"main\" boot_package = \"boot\"");
    write_text(project, "boot.package", "lua = [\"main\"]");
    write_text(project, "forest.package", "lua = [\"forest\" \"shared\" \"common\"]");
    write_text(project, "castle.package", "lua = [\"castle\" \"shared\"]");
    write_text(project, "cellar.package", "package = [\"castle\"] lua = [\"cellar\" \"shared\"]");
    write_text(project, "main.lua", "require \"common\"");
    write_text(project, "common.lua", "return 'common'");
    write_text(project, "forest.lua", "return 'forest'");
    write_text(project, "castle.lua", "return 'castle'");
    write_text(project, "castle.fr.lua", "return 'chateau'");
    write_text(project, "cellar.lua", "return 'cellar'");
    write_text(project, "shared.lua", "return 'shared'");
    write_text(project, "alone.lua", "return 'alone'");
    return project;
}

// Compiles, and writes a bundle's data to a new folder, which is returned.
static const char *bundle(const char *project, const char *against, ct_allocator *scratch,
                          ct_bundle_report *report) {
    ct_compiler *const c = open_compiler(project, NULL, 1);
    const ct_compile_report *const compiled = run_compiler(c);
    assert_int_equal(compiled->errors.count, 0);
    const char *const target = test_scratch_folder();
    const ct_bundle_desc desc = {.allocator = test_heap(),
                                 .data_folder = ct_compiler_data_folder(c),
                                 .platform = "linux",
                                 .target_folder = target,
                                 .against = against};
    ct_error error = {0};
    if (!ct_bundle_write(&desc, scratch, report, &error))
        fail_msg("%s", error.message);
    ct_compiler_destroy(c);
    return target;
}

// The archives that have a resource, by their packages, in one text.
static const char *packages_of(const ct_bundle_report *report, const char *type, const char *name) {
    static char text[256];
    text[0] = 0;
    uint32_t last = UINT32_MAX;
    for (uint32_t i = 0; i < report->items.count; ++i) {
        const ct_bundle_item *const item = &report->items.items[i];
        if (strcmp(item->name, name) != 0 || strcmp(ct_bundle_item_type(report, item), type) != 0 ||
            item->archive == last)
            continue;
        const char *const package = report->archives.items[item->archive].package;
        snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s", text[0] ? " " : "",
                 package[0] ? package : "-");
        last = item->archive;
    }
    return text;
}

static void nothing_is_twice_along_a_dependency(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(scratch, test_heap());
    ct_bundle_report report;
    bundle(sample_project(), NULL, scratch, &report);
    assert_string_equal(packages_of(&report, "lua", "main"), "boot");
    assert_string_equal(packages_of(&report, "lua", "common"), "boot"); // not in forest again
    assert_string_equal(packages_of(&report, "lua", "cellar"), "cellar");
    assert_string_equal(packages_of(&report, "lua", "shared"), "castle forest"); // not in cellar
    assert_string_equal(packages_of(&report, "config", "settings"), "-");
    assert_string_equal(packages_of(&report, "package", "forest"), "-");
    assert_string_equal(packages_of(&report, "lua", "alone"), "");
    assert_string_equal(packages_of(&report, "lua", "castle.fr"), "castle"); // by its properties
    assert_int_equal(report.num_left_out, 1);
}

static void counts_resources_not_variants(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(scratch, test_heap());
    ct_bundle_report report;
    bundle(sample_project(), NULL, scratch, &report);
    for (uint32_t i = 0; i < report.archives.count; ++i)
        if (strcmp(report.archives.items[i].package, "castle") == 0)
            assert_int_equal(report.archives.items[i].num_resources, 2); // castle, shared
}

static void tells_what_two_packages_share(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(scratch, test_heap());
    ct_bundle_report report;
    bundle(sample_project(), NULL, scratch, &report);
    assert_int_equal(report.overlaps.count, 1);
    const ct_bundle_overlap *const o = &report.overlaps.items[0];
    assert_string_equal(report.archives.items[o->archives[0]].package, "castle");
    assert_string_equal(report.archives.items[o->archives[1]].package, "forest");
    assert_int_equal(o->num_resources, 1);
    assert_true(o->size_bytes > 0);
}

static void packages_that_list_each_other_lose_nothing(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(scratch, test_heap());
    const char *const project = sample_project();
    write_text(project, "castle.package", "package = [\"cellar\"] lua = [\"castle\" \"shared\"]");
    write_text(project, "boot.package", "package = [\"boot2\"] lua = [\"main\"]");
    write_text(project, "boot2.package", "package = [\"boot\"] lua = [\"common\"]");
    ct_bundle_report report;
    bundle(project, NULL, scratch, &report);
    assert_string_equal(packages_of(&report, "lua", "shared"), "castle forest");
    assert_string_equal(packages_of(&report, "lua", "common"), "boot");
    assert_string_equal(packages_of(&report, "lua", "cellar"), "cellar");
}

static const char *text_of(ct_resource_manager *m, const char *name) {
    const ct_lua_resource *const lua = ct_resource_manager_get(m, "lua", ct_string_id64_of(name));
    return lua ? ct_blob_at(lua, lua->text.offset) : "";
}

static ct_resource_manager *open_manager(const char *folder) {
    return ct_resource_manager_create(&(ct_resource_manager_desc){test_heap(), folder});
}

static void load(ct_resource_manager *m, const char *name) {
    ct_error error = {0};
    ct_resource_package *const p = ct_resource_package_create(m, name, &error);
    if (!p)
        fail_msg("%s", error.message);
    ct_resource_package_load(m, p);
    ct_resource_package_flush(m, p);
}

static void what_is_packed_comes_out_again(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(scratch, test_heap());
    ct_bundle_report report;
    ct_resource_manager *const m = open_manager(bundle(sample_project(), NULL, scratch, &report));
    ct_error error = {0};
    load(m, "cellar");
    assert_string_equal(text_of(m, "cellar"), "return 'cellar'");
    assert_string_equal(text_of(m, "castle"), "return 'castle'");
    assert_string_equal(text_of(m, "shared"), "return 'shared'");
    assert_true(ct_resource_manager_load_now(m, "config", "settings", &error));
    assert_false(ct_resource_manager_load_now(m, "lua", "alone", &error));
    assert_non_null(strstr(error.message, "the bundle does not contain this resource"));
    const ct_preference_order order = {{ct_string_id64_of("fr")}, 1};
    ct_resource_manager_set_preference(m, &order);
    ct_resource_manager_request_variants(m);
    ct_resource_manager_update(m, 1);
    assert_string_equal(text_of(m, "castle"), "return 'chateau'");
    ct_resource_manager_destroy(m);
}

static void has_no_names(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(scratch, test_heap());
    ct_bundle_report report;
    const char *const folder = bundle(sample_project(), NULL, scratch, &report);
    ct_error error = {0};
    ct_catalog *const catalog = ct_catalog_read(test_heap(), folder, &error);
    assert_non_null(catalog);
    assert_int_equal(catalog->names.count, 0);
    assert_int_not_equal(ct_catalog_find(catalog, ct_resource_id_of("lua", "castle")),
                         CT_CATALOG_NONE);
    assert_null(memmem(catalog, catalog->header.size_bytes, "castle", 6));
    ct_free(test_heap(), catalog);
}

static void copy_over(const char *from, const char *to) {
    ct_error error = {0};
    if (!ct_folder_copy(from, to, &error))
        fail_msg("%s", error.message);
}

static void patches_go_over_their_bundle(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(scratch, test_heap());
    const char *const project = sample_project();
    ct_bundle_report report;
    const char *const base = bundle(project, NULL, scratch, &report);
    write_text(project, "castle.lua", "return 'ruin'");
    write_text(project, "cellar.package", "lua = [\"cellar\" \"new\"]");
    write_text(project, "new.lua", "return 'new'");
    const char *const first = bundle(project, base, scratch, &report);
    assert_int_equal(report.archives.count, 1);
    assert_int_equal(report.items.count, 3); // castle, new, the list
    copy_over(first, base);
    write_text(project, "castle.lua", "return 'dust'");
    const char *const second = bundle(project, base, scratch, &report);
    assert_int_equal(report.items.count, 1);
    copy_over(second, base);
    ct_resource_manager *const m = open_manager(base);
    load(m, "castle");
    load(m, "cellar");
    assert_string_equal(text_of(m, "castle"), "return 'dust'");
    assert_string_equal(text_of(m, "new"), "return 'new'");
    assert_string_equal(text_of(m, "shared"), "return 'shared'");
    ct_resource_manager_destroy(m);
    // Nothing has changed: no archive, and what is there goes on working.
    bundle(project, base, scratch, &report);
    assert_int_equal(report.archives.count, 0);
}

// Contents are compared by the hashes of the old archives: what they hold is not looked at.
static void patches_are_made_without_reading_the_old_data(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(scratch, test_heap());
    const char *const project = sample_project();
    ct_bundle_report report;
    const char *const base = bundle(project, NULL, scratch, &report);
    for (uint32_t i = 0; i < report.archives.count; ++i) {
        char path[CT_PATH_BYTES];
        uint64_t bytes = 0;
        ct_path_join(path, base, report.archives.items[i].file);
        char *const archive = ct_file_read(test_heap(), path, &bytes, NULL);
        const uint64_t first = sizeof(ct_archive_header);
        memset(archive + first, 0, ((ct_archive_header *)(void *)archive)->index_offset - first);
        write_bytes(base, report.archives.items[i].file, archive, bytes);
        ct_free(test_heap(), archive);
    }
    bundle(project, base, scratch, &report);
    assert_int_equal(report.archives.count, 0);
    write_text(project, "castle.lua", "return 'cattle'"); // as long as it was
    bundle(project, base, scratch, &report);
    assert_int_equal(report.items.count, 1);
    assert_string_equal(packages_of(&report, "lua", "castle"), "-");
}

static void a_patch_over_another_bundle_is_refused(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(scratch, test_heap());
    const char *const project = sample_project();
    ct_bundle_report report;
    const char *const base = bundle(project, NULL, scratch, &report);
    write_text(project, "castle.lua", "return 'ruin'");
    const char *const patch = bundle(project, base, scratch, &report);
    write_text(project, "castle.lua", "return 'another, and longer'");
    const char *const other = bundle(project, NULL, scratch, &report);
    copy_over(patch, other);
    ct_resource_manager *const m = open_manager(other);
    ct_error error = {0};
    assert_false(ct_resource_manager_load_now(m, "lua", "castle", &error));
    assert_non_null(strstr(error.message, "from another bundle"));
    ct_resource_manager_destroy(m);
}

// Nothing of the bundle can be read; whatever is tried, the message says why.
static void expect_refused(const char *folder, const char *message) {
    ct_error error = {0};
    assert_null(ct_resource_store_open_bundle(test_heap(), folder, "linux", &error));
    assert_non_null(strstr(error.message, message));
    ct_resource_manager *const m = open_manager(folder);
    memset(&error, 0, sizeof(error));
    assert_false(ct_resource_manager_check_data(m, &error));
    assert_non_null(strstr(error.message, message));
    memset(&error, 0, sizeof(error));
    assert_false(ct_resource_manager_load_now(m, "lua", "castle", &error));
    assert_non_null(strstr(error.message, message));
    ct_resource_manager_destroy(m);
}

static void the_catalog_of_another_bundle_is_refused(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(scratch, test_heap());
    const char *const project = sample_project();
    ct_bundle_report report;
    const char *const base = bundle(project, NULL, scratch, &report);
    write_text(project, "cellar.de.lua", "return 'Keller'");
    const char *const other = bundle(project, NULL, scratch, &report);
    remove_file(base, CT_CATALOG_FILE);
    char from[CT_PATH_BYTES];
    uint64_t bytes = 0;
    ct_path_join(from, other, CT_CATALOG_FILE);
    char *const catalog = ct_file_read(test_heap(), from, &bytes, NULL);
    write_bytes(base, CT_CATALOG_FILE, catalog, bytes);
    ct_free(test_heap(), catalog);
    expect_refused(base, "from another bundle");
}

static void a_bundle_without_its_catalog_is_refused(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(scratch, test_heap());
    ct_bundle_report report;
    const char *const base = bundle(sample_project(), NULL, scratch, &report);
    uint64_t bytes = 0;
    char path[CT_PATH_BYTES];
    ct_path_join(path, base, CT_CATALOG_FILE);
    char *const catalog = ct_file_read(test_heap(), path, &bytes, NULL);
    write_bytes(base, CT_CATALOG_FILE, catalog, bytes - 1);
    expect_refused(base, "the catalog is damaged or from another bundle");
    write_bytes(base, CT_CATALOG_FILE, "none", 4);
    expect_refused(base, "the catalog is damaged or from another bundle");
    remove_file(base, CT_CATALOG_FILE);
    expect_refused(base, "/" CT_CATALOG_FILE ": No such file");
    write_bytes(base, CT_CATALOG_FILE, catalog, bytes);
    ct_free(test_heap(), catalog);
    ct_resource_manager *const m = open_manager(base);
    ct_error error = {0};
    assert_true(ct_resource_manager_check_data(m, &error));
    ct_resource_manager_destroy(m);
}

static void damaged_bundles_are_refused(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(scratch, test_heap());
    ct_bundle_report report;
    const char *const base = bundle(sample_project(), NULL, scratch, &report);
    ct_error error = {0};
    remove_file(base, "base.archive");
    assert_null(ct_resource_store_open_bundle(test_heap(), base, "linux", &error));
    assert_non_null(strstr(error.file, "base.archive"));
    assert_non_null(strstr(error.message, "this archive of the bundle is missing"));
    assert_null(ct_resource_store_open_bundle(test_heap(), base, "windows", &error));
    assert_non_null(strstr(error.message, "for the platform \"linux\", expected \"windows\""));
    write_text(base, CT_BUNDLE_FILE, "damaged");
    assert_null(ct_resource_store_open_bundle(test_heap(), base, "linux", &error));
    assert_non_null(strstr(error.message, "the bundle is refused: truncated"));
}

static void a_bundle_without_its_manifest_is_refused(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(scratch, test_heap());
    ct_bundle_report report;
    const char *const base = bundle(sample_project(), NULL, scratch, &report);
    remove_file(base, CT_BUNDLE_FILE);
    ct_resource_manager *const m = open_manager(base);
    ct_error error = {0};
    assert_false(ct_resource_manager_check_data(m, &error));
    assert_non_null(strstr(error.message, "the manifest \"bundle\" is missing"));
    ct_resource_manager_destroy(m);
}

static void the_same_project_gives_the_same_bytes(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(scratch, test_heap());
    ct_bundle_report report;
    const char *const first = bundle(sample_project(), NULL, scratch, &report);
    expect_same_folder(first, bundle(sample_project(), NULL, scratch, &report));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_twice_along_a_dependency),
        cmocka_unit_test(counts_resources_not_variants),
        cmocka_unit_test(tells_what_two_packages_share),
        cmocka_unit_test(packages_that_list_each_other_lose_nothing),
        cmocka_unit_test(what_is_packed_comes_out_again),
        cmocka_unit_test(has_no_names),
        cmocka_unit_test(patches_go_over_their_bundle),
        cmocka_unit_test(patches_are_made_without_reading_the_old_data),
        cmocka_unit_test(a_patch_over_another_bundle_is_refused),
        cmocka_unit_test(the_catalog_of_another_bundle_is_refused),
        cmocka_unit_test(a_bundle_without_its_catalog_is_refused),
        cmocka_unit_test(damaged_bundles_are_refused),
        cmocka_unit_test(a_bundle_without_its_manifest_is_refused),
        cmocka_unit_test(the_same_project_gives_the_same_bytes),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
