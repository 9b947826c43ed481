// What is wrong with sources and levels, and corrections that touch nothing any more: each with its
// place.
#include "compiler/types/navigation/navigation_case.h"

// The first line is that of the settings.
static void refuses_sources_that_are_wrong(void **state) {
    (void)state;
    static const struct {
        const char *source;
        uint32_t line;
        const char *message;
    } rows[] = {
        {"tile_size = 1", 2,
         "tile_size: found 1, which is 4 times the cell_size; expected 8 to 1024"},
        {"agents = [ { id = \"a\" } ]", 2, "name"},
        {"agents = [ { name = \"a\" } ]", 2,
         "this agent needs an `id`, a unique text such as a GUID"},
        {"agents = [ { id = \"a\" name = \"x\" }\n{ id = \"a\" name = \"y\" } ]", 3,
         "another agent has the id \"a\"; `cuttle ids` gives this one its own"},
        {"agents = [ { id = \"a\" name = \"x\" }\n{ id = \"b\" name = \"x\" } ]", 3,
         "there are two agents \"x\": rename one"},
        {"agents = [ { id = \"a\" name = \"\" } ]", 2, "the name of an agent is empty"},
        {"agents = [ { id = \"a\" name = \"x\"\nheight = 50 } ]", 3,
         "height: found 50, expected at most 255 times the cell_height, 31.875"},
        {"cell_height = 1\ncell_size = 0.02 tile_size = 8\nagents = [ { id = \"a\" name = "
         "\"x\" radius = 3 } ]",
         4, "radius: found 3, expected at most 120 times the cell_size, 2.4; raise `cell_size`"},
        {"agents = [ { id = \"a\" name = \"x\" radius = -1 } ]", 2, "radius"},
        {"areas = [ { id = \"a\" name = \"mud\" cost = 0 } ]", 2, "cost"},
        {"areas = [ { id = \"a\" name = \"mud\" }\n{ id = \"b\" name = \"mud\" } ]", 3,
         "there are two areas \"mud\": rename one"},
        {"volumes = [ { id = \"v\" volume = \"pond\" } ]", 2,
         "expected `area`, the name of what it paints, or `cuts = true`"},
        {"volumes = [ { id = \"v\" volume = \"pond\" area = \"mud\" cuts = true } ]", 2,
         "this volume cuts a hole, which has no area; remove `area` or `cuts`"},
        {"areas = [ { id = \"a\" name = \"water\" } ]\nvolumes = [ { id = \"v\" volume = \"pond\" "
         "area = \"watre\" } ]",
         3, "there is no area \"watre\"; did you mean \"water\"?"},
        {"volumes = [ { id = \"v\" volume = \"pond\" area = \"xyzzy\" } ]", 2,
         "there is no area \"xyzzy\"; add it to `areas`"},
        {"links = [ { id = \"l\" from = [0 0 0] to = [1 0 0] } ]", 2, "kind"},
        {"links = [ { id = \"l\" kind = \"\" from = [0 0 0] to = [1 0 0] } ]", 2,
         "kind: found \"\", expected what agents do there"},
        {"links = [ { id = \"l\" kind = \"jump\" from = [0 0 0]\nto = [1 0] } ]", 3, "to"},
        {"agents = [ { id = \"a\" name = \"human\" } ]\nlinks = [ { id = \"l\" kind = \"jump\" "
         "from "
         "= [0 0 0] to = [1 0 0]\nagents = [\"humna\"] } ]",
         4, "there is no agent \"humna\"; did you mean \"human\"?"},
        {"links = [ { id = \"l\" kind = \"jump\" from = [0 0 0] to = [1 0 0]\nagents = [7] } ]", 3,
         "agents: found a number, expected the name of one of `agents`"},
        {"rules = [ { id = \"r\" kind = \"jump\" find = \"fly\" } ]", 2, "find"},
        {"rules = [ { id = \"r\" kind = \"jump\" hight = 2 } ]", 2, "did you mean \"height\""},
        {"rules = [ 3 ]", 2, "rules"},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(rows); ++i) {
        compile_case t = compile_case_make();
        navigation_write(&t, NAVIGATION_FLOOR_UNIT, rows[i].source);
        if (strstr(rows[i].source, "_size")) { // settings of its own
            char text[1024];
            snprintf(text, sizeof(text), "level = \"town\"\n%s", rows[i].source);
            compile_case_text(&t, "town.navigation", text);
        }
        compile_case_run(&t, "navigation", "town");
        compile_case_expect(&t, "town.navigation", rows[i].line, rows[i].message);
        compile_case_free(&t);
    }
}

static void refuses_levels_without_ground(void **state) {
    (void)state;
    static const struct {
        const char *units, *source, *message;
    } rows[] = {
        {"", "",
         "the level \"town\" has nothing to walk on: expected units with static actors that "
         "have collision shapes, and not the tag \"no_navigation\"; or give units a tag and "
         "set `mesh_tag` to it"},
        {NAVIGATION_FLOOR_UNIT, "actors = false", "has nothing to walk on"},
        {"{ id = \"f\" unit = \"floor\" rotation = [0.5 0 0 0.8660254] }", "",
         "\"default\" finds no ground in the level: all surfaces are steeper than 0.8 radians, "
         "face "
         "down, are narrower than 0.8 m, or have less than 1.8 m above them"},
        {"{ id = \"f\" unit = \"floor\" scale = [0.05 0.05 1] }", "", "finds no ground"},
        {"{ id = \"f\" unit = \"floor\" scale = [0 1 1] }", "", "finds no ground"},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(rows); ++i) {
        compile_case t = compile_case_make();
        navigation_write(&t, rows[i].units, rows[i].source);
        compile_case_run(&t, "navigation", "town");
        compile_case_expect(&t, "town.navigation", 1, rows[i].message);
        assert_int_equal(t.answer.errors.count, 1);
        compile_case_free(&t);
    }
}

static void refuses_levels_that_are_too_large(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    navigation_write(
        &t, NAVIGATION_FLOOR_UNIT "{ id = \"g\" unit = \"floor\" scale = [9000 9000 1] }", "");
    compile_case_run(&t, "navigation", "town");
    compile_case_expect(&t, "town.navigation", 1,
                        "the level needs more than 65535 tiles; raise `tile_size`");
    navigation_write(
        &t, NAVIGATION_FLOOR_UNIT "{ id = \"g\" unit = \"crate\" position = [0 0 3000] }", "");
    compile_case_run(&t, "navigation", "town");
    compile_case_expect(&t, "town.navigation", 1, "m high, expected at most 1023.88; raise");
    compile_case_free(&t);
}

static void tells_what_is_wrong_with_the_level_where_it_is(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile_case_text(&t, "a.navigation", "level = \"twon\"");
    compile_case_run(&t, "navigation", "a");
    compile_case_expect(&t, "a.navigation", 1, "twon.level");
    navigation_write(&t, "{ id = \"f\" unit = \"floor\" }\n{ unit = \"floor\" }", "");
    compile_case_run(&t, "navigation", "town");
    compile_case_expect(&t, "town.level", 2, "this unit needs an `id`");
    compile_case_text(&t, "hill.mesh", "source = \"hill.obj\" up_axsi = \"z\"");
    compile_case_text(&t, "hill.unit",
                      "components = [ { id = \"t\" type = \"transform\" } { id = \"a\" type = "
                      "\"actor\" } { id = \"m\" type = \"mesh\" mesh = \"hill\" } ]");
    navigation_write(&t, "{ id = \"h\" unit = \"hill\" }", "");
    compile_case_run(&t, "navigation", "town");
    compile_case_expect(&t, "hill.mesh", 1, "up_axsi");
    compile_case_text(&t, "hill.mesh", "source = \"hill.obj\"");
    compile_case_run(&t, "navigation", "town");
    compile_case_expect(&t, "hill.mesh", 1, "hill.obj");
    compile_case_free(&t);
}

static void expect_one_warning(const char *members, const char *source, uint32_t line,
                               uint32_t column, const char *message) {
    compile_case t = compile_case_make();
    char text[1024];
    navigation_write(&t, "", source);
    snprintf(text, sizeof(text), "units = [ %s ]\n%s", NAVIGATION_FLOOR_UNIT, members);
    compile_case_text(&t, "town.level", text);
    compile_case_blob(&t, "navigation", "town");
    expect_warning(&t.answer, "town.navigation", line, column, message);
    compile_case_free(&t);
}

static void warns_of_corrections_that_touch_nothing(void **state) {
    (void)state;
    static const char ponds[] =
        "volumes = [ { id = \"v\" name = \"pond\" position = [0 0 0] } { id = "
        "\"h\" name = \"high\" position = [0 0 30] } { id = \"f\" name = "
        "\"far\" position = [100 0 0] } ]";
    static const char water[] = "areas = [ { id = \"a\" name = \"water\" } ]\n";
    char source[1024];
    expect_one_warning(ponds, "volumes = [ { id = \"v\"\n   volume = \"pnod\" cuts = true } ]", 3,
                       4,
                       "the level has no volume \"pnod\" (did you mean \"pond\"?), so this has no "
                       "effect");
    snprintf(source, sizeof(source),
             "%svolumes = [ { id = \"v\" volume = \"high\" area = \"water\" } ]", water);
    expect_one_warning(
        ponds, source, 3, 24,
        "the volume \"high\" touches no ground any more, so it paints nothing; move it "
        "in the level, or remove this");
    expect_one_warning(ponds, "volumes = [ { id = \"v\" volume = \"far\" cuts = true } ]", 2, 24,
                       "the volume \"far\" touches no ground any more, so it cuts nothing");
    // Painted over.
    snprintf(
        source, sizeof(source),
        "%svolumes = [ { id = \"v\" volume = \"pond\" area = \"water\" }\n{ id = \"w\" volume = "
        "\"pond\" area = \"ground\" } ]",
        water);
    expect_one_warning(ponds, source, 3, 24, "the volume \"pond\" touches no ground any more");
    expect_one_warning(
        "", "links = [ { id = \"l\" kind = \"jump\" from = [2 2 0]\nto = [2 2 3] } ]", 3, 1,
        "to: \"default\" has no ground within 0.5 m of this point any more, so it "
        "cannot use the link; move the point, or raise `radius`");
    expect_one_warning("", "links = [ { id = \"l\" kind = \"jump\" from = [9 2 0] to = [2 2 0] } ]",
                       2, 36, "from: \"default\" has no ground within 0.5 m of this point");
}

static void keeps_corrections_that_touch_nothing(void **state) {
    (void)state;
    compile_case t;
    const ct_navigation_resource *const r =
        navigation_make(&t, NAVIGATION_FLOOR_UNIT,
                        "links = [ { id = \"l\" kind = \"jump\" from = [2 2 50] to = [2 2 0] } ]");
    assert_int_equal(r->links.count, 1);
    compile_case_free(&t);
}

static void warns_of_a_class_without_ground(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    navigation_write(
        &t, NAVIGATION_FLOOR_UNIT,
        "agents = [ { id = \"a\" name = \"human\" }\n{ id = \"b\" name = \"whale\" radius = "
        "10 } ]");
    const ct_navigation_resource *const r = compile_case_blob(&t, "navigation", "town");
    expect_warning(&t.answer, "town.navigation", 3, 1, "\"whale\" finds no ground in the level");
    assert_int_equal(navigation_class(r, 1)->tiles.count, 0);
    compile_case_free(&t);
}

static void warnings_of_the_level_are_not_repeated(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    navigation_write(&t, "", "");
    // A fade without an environment is warned of by the level.
    compile_case_text(&t, "town.level",
                      "units = [ " NAVIGATION_FLOOR_UNIT
                      " ]\nvolumes = [ { id = \"v\" name = \"pond\" "
                      "environment_fade = 2 } ]");
    compile_case_run(&t, "level", "town");
    assert_int_equal(t.answer.warnings.count, 1);
    compile_case_blob(&t, "navigation", "town");
    assert_int_equal(t.answer.warnings.count, 0);
    compile_case_free(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_sources_that_are_wrong),
        cmocka_unit_test(refuses_levels_without_ground),
        cmocka_unit_test(refuses_levels_that_are_too_large),
        cmocka_unit_test(tells_what_is_wrong_with_the_level_where_it_is),
        cmocka_unit_test(warns_of_corrections_that_touch_nothing),
        cmocka_unit_test(keeps_corrections_that_touch_nothing),
        cmocka_unit_test(warns_of_a_class_without_ground),
        cmocka_unit_test(warnings_of_the_level_are_not_repeated),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
