// The graph of packages of small projects.
#include "compiler/bundle/package_graph.h"

#include "compiler/project_support.h"
#include "foundation/memory/temp_allocator.h"
#include "resource/types/package_resource.h"

typedef struct graph_case {
    ct_compiler *compiler;
    ct_resource_store *store;
    ct_package_graph graph;
} graph_case;

static void write_script(const char *folder, const char *path) {
    write_text(folder, path, "return 1");
}

// A project whose settings name `boot`, and a core with a package and a tool.
static const char *start_project(void) {
    const char *const project = test_scratch_folder();
    write_text(project, "settings.config", "boot_script = \"main\" boot_package = \"boot\"");
    write_text(project, "boot.package", "lua = [\"main\"]");
    write_script(project, "main.lua");
    return project;
}

static const char *start_core(void) {
    const char *const core = test_scratch_folder();
    write_text(core, "core.package", "lua = [\"core/always\"]");
    write_text(core, "tools/tool.package", "lua = [\"core/tools/tool\"]");
    write_script(core, "always.lua");
    write_script(core, "unused.lua");
    write_script(core, "tools/tool.lua");
    return core;
}

static bool try_graph(graph_case *t, const char *project, const char *core, ct_allocator *scratch,
                      ct_error *error) {
    t->compiler = ct_compiler_create(&(ct_compiler_desc){.allocator = test_heap(),
                                                         .project_folder = project,
                                                         .core_folder = core,
                                                         .worker_path = worker_path(),
                                                         .num_jobs = 1},
                                     error);
    assert_non_null(t->compiler);
    const ct_compile_report *const report = run_compiler(t->compiler);
    expect_counts(report, report->num_compiled, report->num_up_to_date, 0);
    t->store = ct_resource_store_open_folder(test_heap(), ct_compiler_data_folder(t->compiler));
    const ct_catalog *const catalog = ct_resource_store_read_catalog(t->store, scratch, error);
    assert_non_null(catalog);
    return ct_package_graph_make(&t->graph, scratch, t->store, catalog, error);
}

static void make_graph(graph_case *t, const char *project, const char *core,
                       ct_allocator *scratch) {
    ct_error error = {0};
    if (!try_graph(t, project, core, scratch, &error))
        fail_msg("%s", error.message);
}

static void end_graph(graph_case *t) {
    ct_resource_store_close(t->store);
    ct_compiler_destroy(t->compiler);
}

static const ct_package_node *package(const graph_case *t, const char *name) {
    for (uint32_t i = 0; i < t->graph.packages.count; ++i)
        if (strcmp(t->graph.packages.items[i].name, name) == 0)
            return &t->graph.packages.items[i];
    fail_msg("there is no package %s", name);
    return NULL;
}

// The names of entries, in the catalog's order, in one text that lasts until three more are asked.
static const char *names_of(const graph_case *t, const ct_bitset *entries) {
    static char texts[4][512];
    static uint32_t next;
    char *const text = texts[next++ % 4];
    text[0] = 0;
    for (uint32_t e = 0; e < t->graph.catalog->entries.count; ++e)
        if (ct_bitset_test(entries, e))
            snprintf(text + strlen(text), sizeof(texts[0]) - strlen(text), "%s%s",
                     text[0] ? " " : "", ct_catalog_name(t->graph.catalog, e));
    return text;
}

static const char *packages_of(const graph_case *t, const ct_bitset *packages) {
    static char text[512];
    text[0] = 0;
    for (uint32_t i = 0; i < t->graph.packages.count; ++i)
        if (ct_bitset_test(packages, i))
            snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s", text[0] ? " " : "",
                     t->graph.packages.items[i].name);
    return text;
}

static void depends_on_what_is_there_anyway(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(scratch, test_heap());
    const char *const project = start_project();
    write_text(project, "boot.package", "package = [\"menu\"] lua = [\"main\"]");
    write_text(project, "menu.package", "lua = [\"menu\"]");
    write_text(project, "level.package", "package = [\"props\"] lua = [\"level\" \"main\"]");
    write_text(project, "props.package", "lua = [\"prop\" \"core/always\" \"menu\"]");
    write_script(project, "menu.lua");
    write_script(project, "level.lua");
    write_script(project, "prop.lua");
    graph_case t;
    make_graph(&t, project, start_core(), scratch);
    assert_string_equal(packages_of(&t, &package(&t, CT_PACKAGE_CORE)->depends), "");
    assert_string_equal(packages_of(&t, &package(&t, "boot")->depends), "core/core menu");
    assert_string_equal(packages_of(&t, &package(&t, "props")->depends), "boot core/core menu");
    assert_string_equal(packages_of(&t, &package(&t, "level")->depends),
                        "boot core/core menu props");
    assert_string_equal(names_of(&t, &package(&t, "level")->holds), "level main");
    assert_string_equal(names_of(&t, &package(&t, "level")->reached),
                        "core/always level main menu prop");
    assert_string_equal(names_of(&t, &package(&t, "level")->archived), "level");
    assert_string_equal(names_of(&t, &package(&t, "props")->archived), "prop");
    end_graph(&t);
}

static void of_a_circle_the_first_has_what_all_hold(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(scratch, test_heap());
    const char *const project = start_project();
    write_text(project, "a.package", "package = [\"b\"] lua = [\"x\" \"only_a\"]");
    write_text(project, "b.package", "package = [\"c\"] lua = [\"x\" \"y\"]");
    write_text(project, "c.package", "package = [\"a\"] lua = [\"x\" \"y\"]");
    write_script(project, "x.lua");
    write_script(project, "y.lua");
    write_script(project, "only_a.lua");
    graph_case t;
    make_graph(&t, project, NULL, scratch);
    assert_string_equal(packages_of(&t, &package(&t, "c")->depends), "a b boot");
    assert_string_equal(names_of(&t, &package(&t, "a")->archived), "only_a x");
    assert_string_equal(names_of(&t, &package(&t, "b")->archived), "y");
    assert_string_equal(names_of(&t, &package(&t, "c")->archived), "");
    assert_string_equal(names_of(&t, &package(&t, "c")->reached), "only_a x y");
    end_graph(&t);
}

static void tools_of_core_do_not_ship(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(scratch, test_heap());
    graph_case t;
    make_graph(&t, start_project(), start_core(), scratch);
    const ct_package_node *const tool = package(&t, "core/tools/tool");
    assert_int_equal(tool->archive, 0);
    assert_int_equal(package(&t, "boot")->archive, 1);
    assert_int_equal(package(&t, CT_PACKAGE_CORE)->archive, 2);
    assert_int_equal(t.graph.num_archives, 3);
    assert_string_equal(names_of(&t, &tool->holds), "core/tools/tool");
    assert_string_equal(names_of(&t, &tool->archived), "");
    assert_string_equal(names_of(&t, &t.graph.base), "settings boot core/core");
    end_graph(&t);
}

static void a_boot_package_ships_whatever_it_is(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(scratch, test_heap());
    ct_error error = {0};
    const char *const project = start_project();
    write_text(project, "settings.config",
               "boot_script = \"core/tools/tool\" boot_package = \"core/tools/tool\"");
    graph_case t;
    make_graph(&t, project, start_core(), scratch);
    assert_int_not_equal(package(&t, "core/tools/tool")->archive, 0);
    assert_true(ct_package_graph_check_start(&t.graph, &error));
    end_graph(&t);
}

// In no package, and in one that is not there at the start.
static void what_settings_name_is_in_the_base(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(scratch, test_heap());
    const char *const project = start_project();
    write_text(project, "settings.config",
               "boot_script = \"main\" boot_package = \"boot\" input = \"keys\"");
    write_text(project, "keys.input", "actions = {}");
    write_text(project, "keys.fr.input", "actions = {}");
    graph_case t;
    make_graph(&t, project, NULL, scratch);
    assert_string_equal(names_of(&t, &t.graph.base), "settings keys boot");
    ct_u32_array unreached;
    ct_array_init(&unreached, scratch);
    ct_package_graph_unreached(&t.graph, &unreached);
    assert_int_equal(unreached.count, 0);
    end_graph(&t);
    write_text(project, "level.package", "config = [\"*\"] input = [\"*\"]");
    make_graph(&t, project, NULL, scratch);
    assert_string_equal(names_of(&t, &t.graph.base), "settings keys boot level");
    assert_string_equal(names_of(&t, &package(&t, "level")->holds), "settings keys");
    assert_string_equal(names_of(&t, &package(&t, "level")->archived), "");
    end_graph(&t);
}

// As anything else that a package has which is always there: it is not in the base too.
static void what_settings_name_stays_with_the_boot_package(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(scratch, test_heap());
    const char *const project = start_project();
    write_text(project, "settings.config",
               "boot_script = \"main\" boot_package = \"boot\" input = \"keys\"");
    write_text(project, "keys.input", "actions = {}");
    write_text(project, "boot.package", "lua = [\"*\"] package = [\"menu\"]");
    write_text(project, "menu.package", "input = [\"keys\"]");
    graph_case t;
    make_graph(&t, project, NULL, scratch);
    assert_string_equal(names_of(&t, &t.graph.base), "settings boot menu");
    assert_string_equal(names_of(&t, &package(&t, "menu")->archived), "keys");
    end_graph(&t);
}

// What the packages are in that variant which a game has before it prefers any property.
static void the_start_is_without_properties(void **state) {
    (void)state;
    static const struct {
        const char *boot, *boot_fr, *all, *all_fr;
        const char *message; // NULL: it starts
    } cases[] = {
        {"// nothing", "lua = [\"main\"]", "// nothing", "// nothing",
         "the boot package \"boot\" does not load the boot script \"main\" when no property is "
         "preferred, as at the start of a game; expected a package that lists it"},
        {"package = [\"all\"]", "// nothing", "// nothing", "lua = [\"main\"]",
         "when no property is preferred"},
        {"// nothing", "package = [\"all\"]", "lua = [\"main\"]", "// nothing",
         "when no property is preferred"},
        {"package = [\"all\"]", "// nothing", "lua = [\"other\"]", "// nothing", NULL},
        {"// nothing", "// nothing", "lua = [\"main\"]", "// nothing",
         "does not load the boot script \"main\"; expected"},
    };
    const char *const project = start_project();
    write_text(project, "other.lua", "require 'main'");
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        CT_TEMP_ALLOCATOR(scratch, test_heap());
        ct_error error = {0};
        write_text(project, "boot.package", cases[i].boot);
        write_text(project, "boot.fr.package", cases[i].boot_fr);
        write_text(project, "all.package", cases[i].all);
        write_text(project, "all.fr.package", cases[i].all_fr);
        graph_case t;
        make_graph(&t, project, start_core(), scratch);
        const bool starts = ct_package_graph_check_start(&t.graph, &error);
        assert_int_equal(starts, !cases[i].message);
        if (!starts && !strstr(error.message, cases[i].message))
            fail_msg("case %u: %s", i, error.message);
        end_graph(&t);
    }
}

static void overlaps_are_what_two_archives_have(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(scratch, test_heap());
    const char *const project = start_project();
    write_text(project, "forest.package", "lua = [\"tree\" \"main\"]");
    write_text(project, "castle.package", "lua = [\"tree\" \"main\" \"wall\"]");
    write_text(project, "cellar.package", "package = [\"castle\"] lua = [\"tree\"]");
    write_text(project, "ruin.package", "lua = [\"tree\" \"wall\"]");
    write_script(project, "tree.lua");
    write_text(project, "wall.lua", "return 'a wall is longer than a tree'");
    graph_case t;
    make_graph(&t, project, NULL, scratch);
    ct_package_overlap_array overlaps;
    ct_array_init(&overlaps, scratch);
    ct_package_graph_overlaps(&t.graph, &overlaps);
    const char *const expected[][2] = {
        {"castle", "ruin"}, {"castle", "forest"}, {"forest", "ruin"}};
    assert_int_equal(overlaps.count, CT_COUNT_OF(expected));
    for (uint32_t i = 0; i < overlaps.count; ++i)
        for (uint32_t k = 0; k < 2; ++k)
            assert_string_equal(t.graph.packages.items[overlaps.items[i].packages[k]].name,
                                expected[i][k]);
    assert_int_equal(overlaps.items[0].num_resources, 2);
    assert_int_equal(overlaps.items[1].num_resources, 1);
    assert_int_equal(
        overlaps.items[1].size_bytes,
        ct_package_graph_entry_size(
            &t.graph, ct_catalog_find(t.graph.catalog, ct_resource_id_of("lua", "tree")))
            .data_bytes);
    end_graph(&t);
}

static void unreached_is_of_the_project_alone(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(scratch, test_heap());
    const char *const project = start_project();
    write_script(project, "alone.lua");
    write_script(project, "alone.fr.lua");
    graph_case t;
    make_graph(&t, project, start_core(), scratch);
    ct_u32_array unreached;
    ct_array_init(&unreached, scratch);
    ct_package_graph_unreached(&t.graph, &unreached);
    assert_int_equal(unreached.count, 1);
    assert_string_equal(ct_catalog_name(t.graph.catalog, unreached.items[0]), "alone");
    end_graph(&t);
}

static void settings_and_boot_package_may_lack(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(scratch, test_heap());
    const char *const project = test_scratch_folder();
    write_text(project, "a.package", "lua = [\"x\"]");
    write_script(project, "x.lua");
    graph_case t;
    make_graph(&t, project, NULL, scratch);
    assert_int_equal(t.graph.settings, CT_CATALOG_NONE);
    assert_int_equal(t.graph.boot, CT_PACKAGE_NONE);
    assert_int_equal(t.graph.core, CT_PACKAGE_NONE);
    assert_string_equal(t.graph.boot_name, "");
    assert_string_equal(names_of(&t, &package(&t, "a")->archived), "x");
    end_graph(&t);
}

static void a_list_that_cannot_be_read_is_an_error(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(scratch, test_heap());
    graph_case t;
    make_graph(&t, start_project(), NULL, scratch);
    char path[CT_PATH_BYTES];
    data_path(t.compiler, "package", "boot", path);
    ct_error error = {0};
    assert_true(ct_file_write(path, "damaged", 7, false, &error));
    ct_package_graph again;
    assert_false(ct_package_graph_make(&again, scratch, t.store, t.graph.catalog, &error));
    assert_non_null(strstr(error.message, "truncated"));
    end_graph(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(depends_on_what_is_there_anyway),
        cmocka_unit_test(of_a_circle_the_first_has_what_all_hold),
        cmocka_unit_test(tools_of_core_do_not_ship),
        cmocka_unit_test(a_boot_package_ships_whatever_it_is),
        cmocka_unit_test(what_settings_name_is_in_the_base),
        cmocka_unit_test(what_settings_name_stays_with_the_boot_package),
        cmocka_unit_test(the_start_is_without_properties),
        cmocka_unit_test(overlaps_are_what_two_archives_have),
        cmocka_unit_test(unreached_is_of_the_project_alone),
        cmocka_unit_test(settings_and_boot_package_may_lack),
        cmocka_unit_test(a_list_that_cannot_be_read_is_an_error),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
