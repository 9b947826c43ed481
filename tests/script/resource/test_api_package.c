// ResourcePackage, and which variants are loaded.
#include "script/api_fixture.h"

static void save_late(const char *package, const char *texture) {
    ct_blob_writer w;
    write_texture(&w);
    save_blob(&f, &w, "texture", texture);
    const ct_resource_id ids[1] = {ct_resource_id_of("texture", texture)};
    write_package(&w, ids, 1);
    save_blob(&f, &w, "package", package);
}

static int set_up_package(void **state) {
    set_up(state);
    save_late("packages/late", "textures/late");
    run_lua(&f, "P = Application.resource_package('packages/late')");
    return 0;
}

#define PACKAGE_TEST(test) cmocka_unit_test_setup_teardown(test, set_up_package, tear_down)

static bool has_texture(void) {
    return ct_resource_manager_get(f.world.resources, "texture",
                                   ct_string_id64_of("textures/late")) != NULL;
}

static void loads_and_unloads(void **state) {
    (void)state;
    assert_lua(&f, "ResourcePackage.has_loaded(P)", "false");
    run_lua(&f, "ResourcePackage.load(P) ResourcePackage.flush(P)");
    assert_lua(&f, "ResourcePackage.has_loaded(P)", "true");
    assert_true(has_texture());
    run_lua(&f, "ResourcePackage.unload(P)");
    assert_lua(&f, "ResourcePackage.has_loaded(P)", "false");
    assert_false(has_texture());
    run_lua(&f, "ResourcePackage.unload(P) ResourcePackage.load(P) ResourcePackage.flush(P)");
    assert_true(has_texture());
}

static void loads_in_the_background(void **state) {
    (void)state;
    run_lua(&f, "ResourcePackage.load(P)");
    for (uint32_t frame = 1; frame < 1000 && !has_texture(); ++frame) {
        ct_resource_manager_update(f.world.resources, frame);
        run_lua(&f, "Application.sleep(1)");
    }
    assert_lua(&f, "ResourcePackage.has_loaded(P)", "true");
}

static void tells_how_far_it_is(void **state) {
    (void)state;
    assert_lua(&f, "(ResourcePackage.progress(P))", "0");
    run_lua(&f, "ResourcePackage.load(P) ResourcePackage.flush(P)");
    assert_lua(&f, "(ResourcePackage.progress(P))", "1");
    assert_lua(&f, "(select(2, ResourcePackage.progress(P)))", "1");
    assert_lua(&f, "(select(3, ResourcePackage.progress(P)))", "1");
    run_lua(&f, "ResourcePackage.unload(P)");
    assert_lua(&f, "(select(3, ResourcePackage.progress(P)))", "0");
}

static void watches_packages(void **state) {
    (void)state;
    save_late("packages/never", "textures/rose");
    run_lua(&f, "T = PackageTransferWatcher T.init() "
                "w = T.watch_specific_chunks('packages/late', 'packages/never')");
    assert_lua(&f, "T.transfer_status()", "0");
    run_lua(&f, "late = T.watch_specific_chunks('packages/late')");
    assert_lua(&f, "T.completed(late)", "false");
    assert_lua(&f, "T.progress(late)", "0");
    assert_lua(&f, "#T.last_completed_chunks()", "0");
    run_lua(&f, "ResourcePackage.load(P)");
    assert_lua(&f, "T.transfer_status()", "1");
    assert_lua(&f, "T.completed()", "false");
    run_lua(&f, "ResourcePackage.flush(P)");
    assert_lua(&f, "T.transfer_status()", "0");
    assert_lua(&f, "T.completed(late)", "true");
    assert_lua(&f, "T.progress(late)", "100");
    assert_lua(&f, "T.completed(w)", "false");
    assert_lua(&f, "T.progress(w)", "50"); // half of what it watches was never asked for
    assert_lua(&f, "table.concat(T.last_completed_chunks(), ' ')", "packages/late");
    assert_lua(&f, "#T.last_completed_chunks()", "0");
    run_lua(&f, "T.stop_watching_chunks(late)");
    assert_lua_error(&f, "T.completed(late)", "PackageTransferWatcher.completed: unknown watch");
    assert_lua_error(&f, "T.progress(0/0)", "");
    assert_lua_error(&f, "T.watch_specific_chunks()", "");
    assert_lua_error(&f, "T.watch_specific_chunks('a', {})", "");
    assert_lua_error(&f, "T.watch_specific_chunks('packages/late', 'packages/lat')",
                     "argument 2 (packages): there is no package \"packages/lat\"");
    assert_lua_error(&f, "T.completed(late + 1)", "unknown watch"); // of what there is, neither
    run_lua(&f, "T.destroy()");
    assert_lua_error(&f, "T.completed(w)", "unknown watch");
    run_lua(&f, "T.watch_specific_chunks('packages/late') -- left to the end");
}

static void refuses_to_load_twice(void **state) {
    (void)state;
    run_lua(&f, "ResourcePackage.load(P)");
    assert_lua_error(&f, "ResourcePackage.load(P)",
                     "ResourcePackage.load: the package is already loaded or loading");
}

static void refuses_to_wait_for_what_is_not_loading(void **state) {
    (void)state;
    assert_lua_error(&f, "ResourcePackage.flush(P)",
                     "ResourcePackage.flush: the package is not loading");
}

static void refuses_packages_that_are_not_there(void **state) {
    (void)state;
    assert_lua_error(&f, "Application.resource_package('packages/none')",
                     "Application.resource_package: argument 1 (name): cannot read package "
                     "\"packages/none\"");
    assert_lua_error(&f, "ResourcePackage.load(W)", "expected ResourcePackage, got World");
}

static void is_refused_once_released(void **state) {
    (void)state;
    run_lua(&f, "ResourcePackage.load(P) ResourcePackage.flush(P) "
                "Application.release_resource_package(P)");
    assert_false(has_texture());
    static const char *const calls[] = {"ResourcePackage.load(P)", "ResourcePackage.unload(P)",
                                        "ResourcePackage.flush(P)", "ResourcePackage.has_loaded(P)",
                                        "Application.release_resource_package(P)"};
    for (uint32_t i = 0; i < CT_COUNT_OF(calls); ++i)
        assert_lua_error(&f, calls[i], "expected ResourcePackage, got a destroyed ResourcePackage");
}

static void ends_with_the_environment_while_it_loads(void **state) {
    (void)state;
    run_lua(&f, "ResourcePackage.load(P) ResourcePackage.load("
                "Application.resource_package('packages/late'))");
}

static void refuses_orders_of_preference_that_are_none(void **state) {
    (void)state;
    run_lua(&f, "Application.set_property_preference_order{'fr', 'no-blood', 'x_1'}");
    run_lua(&f, "Application.set_property_preference_order{}");
    static const char *const calls[][2] = {
        {"{'fr', 'Fr'}", "element 2, \"Fr\", is not a valid property; expected a string of a-z"},
        {"{'fr', 2}", "element 2, 2, is not a valid property"},
        {"{'fr\\0'}", "is not a valid property"},
        {"{''}", "element 1, \"\", is not a valid property"},
        {"{'fr', 'fr'}", "element 2, \"fr\", is a duplicate"},
        {"'fr'", "expected table, got string"},
        {"{fr = 1}", "has the key \"fr\"; expected an array of strings"},
        {"{'fr', [2.5] = 'de'}", "has the key 2.5; expected an array"},
        {"{'fr', nil, 'de'}", "element 2 is nil; expected an array without holes"},
        {"{[1000000000] = 'de'}", "element 1 is nil"},
        {"{('x'):rep(5000)}", "element 1 has 5000 characters; expected fewer than 256"},
        {"{'fr', 'linux'}", "element 2, \"linux\", is a platform, which the compiler chooses"},
        {"(function() local t = {} for i = 1, 33 do t[i] = 'p' .. i end return t end)()",
         "has 33 elements; expected 32 at most"},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(calls); ++i) {
        char call[256];
        snprintf(call, sizeof(call), "Application.set_property_preference_order(%s)", calls[i][0]);
        assert_lua_error(&f, call, calls[i][1]);
    }
    run_lua(&f, "Application.reload_variants()");
    ct_resource_manager_update(f.world.resources, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        PACKAGE_TEST(loads_and_unloads),
        PACKAGE_TEST(loads_in_the_background),
        PACKAGE_TEST(tells_how_far_it_is),
        PACKAGE_TEST(watches_packages),
        PACKAGE_TEST(refuses_to_load_twice),
        PACKAGE_TEST(refuses_to_wait_for_what_is_not_loading),
        PACKAGE_TEST(refuses_packages_that_are_not_there),
        PACKAGE_TEST(is_refused_once_released),
        PACKAGE_TEST(refuses_orders_of_preference_that_are_none),
        PACKAGE_TEST(ends_with_the_environment_while_it_loads),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
