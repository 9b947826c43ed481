// The resource manager over a catalog: which variants are loaded, and what packages reach.
#include "resource/load/resource_manager.h"

#include "foundation/log.h"
#include "foundation/os/os.h"
#include "resource/catalog_fixture.h"
#include "resource/types/lua_resource.h"

static const char *folder;
static ct_resource_manager *manager;
static char logged[1024]; // the last

static void write_blob(const char *type, const char *data_name, ct_blob_writer *w) {
    char file_name[CT_RESOURCE_FILE_NAME_BYTES], path[CT_PATH_BYTES];
    ct_error error = {0};
    ct_resource_file_name(ct_resource_id_of(type, data_name), file_name);
    ct_path_join(path, folder, file_name);
    assert_true(ct_file_write(path, w->bytes.items, w->bytes.count, false, &error));
    ct_blob_writer_free(w);
}

// A script whose text is its data name.
static void write_script(const char *data_name) {
    ct_blob_writer w;
    write_lua_text(&w, data_name);
    write_blob("lua", data_name, &w);
}

static void write_list(const char *name, const char *type, const char *listed) {
    ct_blob_writer w;
    const ct_resource_id id = ct_resource_id_of(type, listed);
    write_package(&w, &id, 1);
    write_blob("package", name, &w);
}

// `main` lists script a, which needs b, which has variants; b.fr needs c. `outer` lists `main`.
// `list` lists a, `list.fr` c; `french` has only that variant.
static const catalog_item items[] = {
    {"lua", "a", NULL, 2},          {"lua", "b", NULL, 0},        {"lua", "b", "fr", 4},
    {"lua", "c", NULL, 0},          {"lua", "d", "fr", 0},        {"package", "main", NULL, 1},
    {"package", "outer", NULL, 6},  {"package", "list", NULL, 0}, {"package", "list", "fr", 0},
    {"package", "french", "fr", 0},
};

static void on_log(void *user, ct_log_level level, const char *system, const char *message) {
    (void)user, (void)level, (void)system;
    snprintf(logged, sizeof(logged), "%s", message);
}

static int start_manager(void **state) {
    (void)state;
    folder = test_scratch_folder();
    static const char *const scripts[] = {"a", "b", "b.fr", "c", "d.fr"};
    for (uint32_t i = 0; i < CT_COUNT_OF(scripts); ++i)
        write_script(scripts[i]);
    write_list("main", "lua", "a");
    write_list("outer", "package", "main");
    write_list("list", "lua", "a");
    write_list("list.fr", "lua", "c");
    write_list("french.fr", "lua", "c");
    write_catalog(folder, items, CT_COUNT_OF(items));
    manager = ct_resource_manager_create(&(ct_resource_manager_desc){test_heap(), folder});
    ct_log_add_sink(&(ct_log_sink){on_log, NULL, CT_LOG_LEVEL_INFO});
    return 0;
}

static int end_manager(void **state) {
    (void)state;
    ct_log_remove_sink(on_log, NULL);
    ct_resource_manager_destroy(manager);
    return 0;
}

static ct_resource_package *load(const char *name) {
    ct_error error = {0};
    ct_resource_package *const p = ct_resource_package_create(manager, name, &error);
    if (!p)
        fail_msg("%s", error.message);
    ct_resource_package_load(manager, p);
    ct_resource_package_flush(manager, p);
    return p;
}

// The text of a script; "" when it is not online.
static const char *text_of(const char *name) {
    const ct_lua_resource *const lua =
        ct_resource_manager_get(manager, "lua", ct_string_id64_of(name));
    return lua ? ct_blob_at(lua, lua->text.offset) : "";
}

static void prefer(const char *property) {
    ct_preference_order order = {.count = 0};
    if (property)
        order = (ct_preference_order){{ct_string_id64_of(property)}, 1};
    ct_resource_manager_set_preference(manager, &order);
}

static void packages_hold_what_they_reach(void **state) {
    (void)state;
    ct_resource_package *const p = load("main");
    assert_string_equal(text_of("a"), "a");
    assert_string_equal(text_of("b"), "b");
    assert_string_equal(text_of("c"), "");
    ct_resource_package_unload(manager, p);
    assert_string_equal(text_of("b"), "");
}

static void packages_hold_what_listed_packages_hold(void **state) {
    (void)state;
    load("outer");
    assert_string_equal(text_of("a"), "a");
    assert_string_equal(text_of("b"), "b");
}

static void loads_the_variant_that_is_preferred(void **state) {
    (void)state;
    prefer("fr");
    load("main");
    assert_string_equal(text_of("a"), "a");
    assert_string_equal(text_of("b"), "b.fr");
    assert_string_equal(text_of("c"), "c"); // only that variant needs it
}

static void what_is_loaded_changes_when_asked_to(void **state) {
    (void)state;
    ct_resource_package *const p = load("main");
    const void *const a = ct_resource_manager_get(manager, "lua", ct_string_id64_of("a"));
    prefer("fr");
    ct_resource_manager_update(manager, 1);
    assert_string_equal(text_of("b"), "b");
    ct_resource_manager_request_variants(manager);
    assert_string_equal(text_of("b"), "b");
    ct_resource_manager_update(manager, 2);
    assert_string_equal(text_of("b"), "b.fr");
    assert_string_equal(text_of("c"), "c");
    assert_ptr_equal(ct_resource_manager_get(manager, "lua", ct_string_id64_of("a")), a);
    prefer(NULL);
    ct_resource_manager_request_variants(manager);
    ct_resource_manager_update(manager, 3);
    assert_string_equal(text_of("b"), "b");
    assert_string_equal(text_of("c"), "");
    ct_resource_package_unload(manager, p);
}

static void a_variant_that_is_not_preferred_is_refused(void **state) {
    (void)state;
    ct_error error = {0};
    assert_false(ct_resource_manager_can_get(manager, "lua", "d"));
    assert_false(ct_resource_manager_load_now(manager, "lua", "d", &error));
    assert_message(&error, "properties that are not preferred");
    prefer("fr");
    assert_true(ct_resource_manager_can_get(manager, "lua", "d"));
    assert_true(ct_resource_manager_load_now(manager, "lua", "d", &error));
    assert_string_equal(text_of("d"), "d.fr");
    // What is there stays when nothing is wanted any more.
    prefer(NULL);
    ct_resource_manager_request_variants(manager);
    ct_resource_manager_update(manager, 1);
    assert_string_equal(text_of("d"), "d.fr");
}

static void packages_leave_out_what_is_not_preferred(void **state) {
    (void)state;
    logged[0] = 0;
    write_list("main", "lua", "d");
    ct_resource_package *const p = load("main");
    assert_string_equal(text_of("d"), "");
    assert_true(ct_resource_manager_is_unwanted(manager, "lua", "d"));
    assert_false(ct_resource_manager_can_get(manager, "lua", "d.fr")); // data, but no resource
    assert_false(ct_resource_manager_is_unwanted(manager, "lua", "b"));
    assert_false(ct_resource_manager_is_unwanted(manager, "lua", "no"));
    assert_non_null(strstr(logged, "package \"main\" leaves out lua \"d\": it has variants only "));
    prefer("fr");
    ct_resource_manager_request_variants(manager);
    ct_resource_manager_update(manager, 1);
    assert_string_equal(text_of("d"), "d.fr");
    ct_resource_package_unload(manager, p);
}

static void packages_are_loaded_in_the_variant_that_is_preferred_then(void **state) {
    (void)state;
    ct_resource_package *const p = load("list");
    ct_resource_package_unload(manager, p);
    prefer("fr");
    ct_resource_package_load_now(manager, p);
    assert_string_equal(text_of("a"), "");
    assert_string_equal(text_of("c"), "c");
    ct_resource_package_unload(manager, p);
    prefer(NULL);
    ct_resource_package_load_now(manager, p);
    assert_string_equal(text_of("a"), "a");
    assert_string_equal(text_of("c"), "");
}

static void loaded_packages_are_swapped_for_other_variants(void **state) {
    (void)state;
    ct_resource_package *const p = load("list");
    prefer("fr");
    ct_resource_manager_update(manager, 1);
    assert_string_equal(text_of("a"), "a");
    ct_resource_manager_request_variants(manager);
    ct_resource_manager_update(manager, 2);
    assert_string_equal(text_of("a"), "");
    assert_string_equal(text_of("c"), "c");
    assert_string_equal(logged, "swapped 2 resources for other variants"); // c, b.fr
    assert_true(ct_resource_package_has_loaded(p));
    ct_resource_manager_request_variants(manager);
    ct_resource_manager_update(manager, 3);
    assert_string_equal(logged, "swapped 0 resources for other variants");
    prefer(NULL);
    ct_resource_manager_request_variants(manager);
    ct_resource_manager_update(manager, 4);
    assert_string_equal(logged, "swapped 2 resources for other variants");
    assert_string_equal(text_of("a"), "a");
    assert_string_equal(text_of("b"), "b");
    assert_string_equal(text_of("c"), "");
}

static void packages_that_load_are_swapped_too(void **state) {
    (void)state;
    ct_error error = {0};
    ct_resource_package *const p = ct_resource_package_create(manager, "list", &error);
    ct_resource_package_load(manager, p);
    prefer("fr");
    ct_resource_manager_request_variants(manager);
    ct_resource_manager_update(manager, 1);
    ct_resource_package_flush(manager, p);
    assert_string_equal(text_of("a"), "");
    assert_string_equal(text_of("c"), "c");
}

static void a_package_none_of_whose_variants_is_preferred_keeps_its_list(void **state) {
    (void)state;
    prefer("fr");
    ct_resource_package *const p = load("french");
    prefer(NULL);
    ct_resource_manager_request_variants(manager);
    ct_resource_manager_update(manager, 1);
    assert_string_equal(text_of("c"), "c");
    ct_resource_package_unload(manager, p);
    logged[0] = 0;
    ct_resource_package_load_now(manager, p);
    assert_string_equal(text_of("c"), "c");
    assert_non_null(strstr(logged, "refused package \"french\": it has variants only "));
}

static void loads_one_resource_with_what_it_needs(void **state) {
    (void)state;
    ct_error error = {0};
    assert_true(ct_resource_manager_load_needed_now(manager, "lua", "a", &error));
    assert_string_equal(text_of("b"), "b");
    assert_false(ct_resource_manager_load_needed_now(manager, "lua", "no", &error));
    // Its caller tells it, and nobody else.
    prefer("de");
    logged[0] = 0;
    assert_false(ct_resource_manager_load_needed_now(manager, "package", "french", &error));
    assert_non_null(strstr(error.message, "it has variants only"));
    assert_string_equal(logged, "");
}

static void a_reload_takes_a_variant_that_is_new(void **state) {
    (void)state;
    prefer("fr");
    load("main");
    const catalog_item fewer[] = {
        {"lua", "a", NULL, 2}, {"lua", "b", NULL, 0}, {"package", "main", NULL, 1}};
    const ct_resource_id b = ct_resource_id_of("lua", "b");
    write_catalog(folder, fewer, CT_COUNT_OF(fewer));
    assert_int_equal(ct_resource_manager_reload(manager, &b, 1), 1);
    assert_string_equal(text_of("b"), "b");
    assert_string_equal(text_of("c"), "");
    write_catalog(folder, items, CT_COUNT_OF(items));
    assert_int_equal(ct_resource_manager_reload(manager, &b, 1), 1);
    assert_string_equal(text_of("b"), "b.fr");
    assert_string_equal(text_of("c"), "c");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start_manager, end_manager)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(packages_hold_what_they_reach),
        TEST(packages_hold_what_listed_packages_hold),
        TEST(loads_the_variant_that_is_preferred),
        TEST(what_is_loaded_changes_when_asked_to),
        TEST(a_variant_that_is_not_preferred_is_refused),
        TEST(packages_leave_out_what_is_not_preferred),
        TEST(packages_are_loaded_in_the_variant_that_is_preferred_then),
        TEST(loaded_packages_are_swapped_for_other_variants),
        TEST(packages_that_load_are_swapped_too),
        TEST(a_package_none_of_whose_variants_is_preferred_keeps_its_list),
        TEST(loads_one_resource_with_what_it_needs),
        TEST(a_reload_takes_a_variant_that_is_new),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
