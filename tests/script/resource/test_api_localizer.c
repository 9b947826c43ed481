// Localizer.
#include "script/api_fixture.h"

static void load_strings(const char *title) {
    ct_blob_writer w;
    write_strings_titled(&w, title);
    load_blob(&f, &w, "strings", "strings/menu");
}

static int set_up_strings(void **state) {
    set_up(state);
    load_strings("{{Hello}}, {name}!");
    run_lua(&f, "T = Localizer('strings/menu')");
    logged[0] = '\0';
    return 0;
}

#define LOCALIZER_TEST(test) cmocka_unit_test_setup_teardown(test, set_up_strings, tear_down)

static uint32_t num_logged(const char *text) {
    uint32_t count = 0;
    for (const char *at = logged; (at = strstr(at, text)); ++at)
        ++count;
    return count;
}

static void looks_up_texts(void **state) {
    (void)state;
    assert_lua(&f, "Localizer.lookup(T, 'apples')", "apples");
    assert_lua(&f, "Localizer.language(T)", "pl");
    assert_lua(&f, "T == Localizer('strings/menu')", "true");
    assert_lua(&f, "Script.type_name(T)", "Localizer");
}

static void gives_nil_for_missing_keys_and_warns_once(void **state) {
    (void)state;
    assert_lua(&f, "Localizer.lookup(T, 'titel')", "nil");
    assert_lua(&f, "Localizer.lookup(T, 'titel')", "nil");
    assert_lua_error(&f, "Localizer.lookup(T, 'title\\0')", "without zero bytes");
    assert_int_equal(num_logged("(pl) have no text \"titel\", did you mean \"title\"?"), 1);
}

static void fills_placeholders(void **state) {
    (void)state;
    assert_lua(&f, "Localizer.lookup(T, 'title', { name = 'Ann' })", "{Hello}, Ann!");
    assert_lua(&f, "Localizer.lookup(T, 'title', { name = 7 })", "{Hello}, 7!");
    assert_lua(&f, "Localizer.lookup(T, 'title', { name = '{name}' })", "{Hello}, {name}!");
    assert_string_equal(logged, "");
}

static void leaves_placeholders_without_values(void **state) {
    (void)state;
    assert_lua(&f, "Localizer.lookup(T, 'title')", "{Hello}, {name}!");
    assert_string_equal(logged, "");
    assert_lua(&f, "Localizer.lookup(T, 'title', { other = 1 })", "{Hello}, {name}!");
    assert_lua(&f, "Localizer.lookup(T, 'title', {})", "{Hello}, {name}!");
    assert_int_equal(num_logged("has {name}, but no value is given for it"), 1);
}

static void picks_plural_forms_by_count(void **state) {
    (void)state;
    assert_lua(&f, "Localizer.lookup(T, 'apples', { count = 1 })", "1 apple");
    assert_lua(&f, "Localizer.lookup(T, 'apples', { count = 3 })", "3 apples");
    assert_lua(&f, "Localizer.lookup(T, 'apples', { count = '4' })", "4 apples");
    assert_lua(&f, "Localizer.lookup(T, 'apples', { count = 13 })", "apples");
    assert_lua(&f, "Localizer.lookup(T, 'apples', { count = 2.5 })", "apples");
    assert_lua(&f, "Localizer.lookup(T, 'apples', { count = 0/0 })", "apples");
    assert_lua(&f, "Localizer.lookup(T, 'apples', { count = 'many' })", "apples");
}

// Saved while the game runs, or another language's by now.
static void follows_reloads(void **state) {
    (void)state;
    ct_blob_writer w;
    const ct_resource_id id = ct_resource_id_of("strings", "strings/menu");
    write_strings_titled(&w, "Salut");
    save_blob(&f, &w, "strings", "strings/menu");
    assert_int_equal(ct_resource_manager_reload(f.world.resources, &id, 1), 1);
    assert_lua(&f, "Localizer.lookup(T, 'title')", "Salut");
}

static void refuses_strings_that_are_not_loaded(void **state) {
    (void)state;
    assert_lua_error(&f, "Localizer('strings/none')",
                     "Localizer: argument 1 (strings): there is no strings \"strings/none\"");
    ct_blob_writer w;
    write_strings(&w);
    save_blob(&f, &w, "strings", "strings/late");
    const ct_resource_id ids[1] = {ct_resource_id_of("strings", "strings/late")};
    write_package(&w, ids, 1);
    save_blob(&f, &w, "package", "packages/late");
    assert_lua_error(&f, "Localizer('strings/late')", "\"strings/late\" is not loaded; expected");
    run_lua(&f, "P = Application.resource_package('packages/late') "
                "ResourcePackage.load(P) ResourcePackage.flush(P) "
                "Late = Localizer('strings/late') ResourcePackage.unload(P)");
    assert_lua_error(
        &f, "Localizer.lookup(Late, 'title')",
        "Localizer.lookup: argument 1 (self): the strings \"strings/late\" are no longer loaded");
}

static void refuses_wrong_arguments(void **state) {
    (void)state;
    assert_lua_error(&f, "Localizer.lookup(W, 'title')", "expected Localizer, got World");
    assert_lua_error(&f, "Localizer.lookup(T, 5)", "argument 2 (key): expected string, got number");
    assert_lua_error(&f, "Localizer.lookup(T, 'title', 5)",
                     "argument 3 (values): expected table, got number");
    assert_lua_error(&f, "Localizer.lookup(T, 'title', { name = W })",
                     "argument 3 (values): expected a string or number for {name}, got World");
    assert_lua_error(&f, "Localizer.lookup(T, 'title', { name = true })",
                     "expected a string or number for {name}, got boolean");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        LOCALIZER_TEST(looks_up_texts),
        LOCALIZER_TEST(gives_nil_for_missing_keys_and_warns_once),
        LOCALIZER_TEST(fills_placeholders),
        LOCALIZER_TEST(leaves_placeholders_without_values),
        LOCALIZER_TEST(picks_plural_forms_by_count),
        LOCALIZER_TEST(follows_reloads),
        LOCALIZER_TEST(refuses_strings_that_are_not_loaded),
        LOCALIZER_TEST(refuses_wrong_arguments),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
