// From sources of levels to ground: what counts, what is in the way, what is painted.
#include <math.h>

#include "compiler/types/navigation/navigation_case.h"
#include "compiler/types/texture/texture_case.h"

// A floor of 16 m, from which 0.5 m are kept on all sides.
#define AGENTS "agents = [ { id = \"h\" name = \"human\" radius = 0.5 height = 2 climb = 0.25 } ]\n"
static const double whole = 15.0 * 15.0;

static void a_floor_is_ground_but_for_its_rim(void **state) {
    (void)state;
    compile_case t;
    const ct_navigation_resource *const r = navigation_make(&t, NAVIGATION_FLOOR_UNIT, AGENTS);
    const ct_navigation_class *const c = navigation_class(r, 0);
    assert_int_equal(r->classes.count, 1);
    assert_string_equal(ct_blob_at(r, c->name_text.offset), "human");
    assert_int_equal(c->id.value, ct_string_id32_of("h").value);
    assert_int_equal(c->tiles.count, 4);
    assert_about(navigation_whole_area(r), whole, 8);
    // Flat ground has its own height, not that of voxels.
    assert_about(navigation_area(r, 0, UINT32_MAX, -1e-4f, 1e-4f), navigation_whole_area(r), 0);
    assert_int_equal(r->areas.count, 1);
    assert_int_equal(r->level.value, ct_string_id64_of("town").value);
    assert_true(compile_case_has_include(&t, "town.level"));
    assert_true(compile_case_has_include(&t, "floor.unit"));
    assert_int_equal(t.answer.references.count, 1); // the level; its units are the level's affair
    assert_true(has_reference(&t.answer, "level", "town"));
    compile_case_free(&t);
}

static void a_crate_is_in_the_way_and_too_high_to_climb(void **state) {
    (void)state;
    compile_case t;
    const ct_navigation_resource *const r = navigation_make(
        &t, NAVIGATION_FLOOR_UNIT "{ id = \"c\" unit = \"crate\" scale = [4 4 1] }", AGENTS);
    assert_about(navigation_area(r, 0, UINT32_MAX, -0.1f, 0.1f), whole - 5 * 5, 10);
    assert_about(navigation_area(r, 0, UINT32_MAX, 0.9f, 1.1f), 3 * 3, 3);
    compile_case_free(&t);
}

// Each unit text is placed beside the floor; the area is that of the ground at z = 0.
static void what_counts_as_ground_and_walls(void **state) {
    (void)state;
    static const char wall[] =
        "components = [ { id = \"t\" type = \"transform\" } { id = \"a\" type = \"actor\" %s "
        "shapes = [ { id = \"s\" type = \"box\" half_size = [2 2 2] } ] } %s ]";
    static const struct {
        const char *actor, *components, *place, *source;
        bool is_in_the_way;
    } rows[] = {
        {"", "", "", "", true},
        {"body = \"dynamic\"", "", "", "", false},
        {"body = \"keyframed\"", "", "", "", false},
        {"is_collision_enabled = false", "", "", "", false},
        {"", "", "", "actors = true", true},
        {"", "{ id = \"g\" type = \"tag\" tags = [\"red\" \"no_navigation\"] }", "", "", false},
        {"", "{ id = \"g\" type = \"tag\" tags = [\"red\"] }", "", "", true},
        {"", "{ id = \"g\" type = \"tag\" tags = [\"red\"] }", "", "excluded_tag = \"red\"", false},
        {"template = \"moves\"", "", "", "", false},
        {"template = \"stays\"", "", "", "", true},
        {"template = \"moves\" body = \"static\"", "", "", "", true},
        {"", "", "overrides = [ { id = \"a\" body = \"dynamic\" } ]", "", false},
        {"body = \"dynamic\"", "", "overrides = [ { id = \"a\" body = \"static\" } ]", "", true},
        {"", "", "overrides = [ { id = \"a\" removed = true } ]", "", false},
        {"", "", "position = [0 0 20]", "", false},
        {"", "", "rotation = [0 0 0.7071068 0.7071068] scale = [-1 1 1]", "", true},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(rows); ++i) {
        compile_case t = compile_case_make();
        char unit[1024], units[1024], source[512];
        snprintf(unit, sizeof(unit), wall, rows[i].actor, rows[i].components);
        snprintf(units, sizeof(units), NAVIGATION_FLOOR_UNIT "{ id = \"w\" unit = \"wall\" %s }",
                 rows[i].place);
        snprintf(source, sizeof(source), AGENTS "%s", rows[i].source);
        compile_case_text(&t, "wall.unit", unit);
        compile_case_text(&t, "settings.config", "physics = \"game\"");
        compile_case_text(&t, "game.physics",
                          "templates = [ { id = \"1\" name = \"moves\" actor = { body = "
                          "\"dynamic\" } } { id = \"2\" name = \"stays\" actor = { mass = 2 } } ]");
        navigation_write(&t, units, source);
        const ct_navigation_resource *const r = compile_case_blob(&t, "navigation", "town");
        const double found = navigation_area(r, 0, UINT32_MAX, -0.1f, 0.1f);
        if (fabs(found - (rows[i].is_in_the_way ? whole - 25 : whole)) > 10)
            fail_msg("row %u: found %g m²", i, found);
        compile_case_free(&t);
    }
}

static void all_shapes_are_walked_on(void **state) {
    (void)state;
    static const struct {
        const char *shape;
        double area; // of ground above 0.5 m
    } rows[] = {
        {"type = \"box\" half_size = [3 2 1]", 5 * 3},
        {"type = \"cylinder\" radius = 3 height = 2", 3.14 * 2.5 * 2.5},
        {"type = \"plane\" position = [0 0 1]", 16 * 16}, // and around it
        {"type = \"sphere\" radius = 4", 3.14 * 2.6 * 2.6},
        {"type = \"capsule\" radius = 4 height = 9", 3.14 * 2.6 * 2.6},
        {"type = \"box\" half_size = [3 2 1] rotation = [0 0 0.3826834 0.9238795]", 5 * 3},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(rows); ++i) {
        compile_case t = compile_case_make();
        char unit[512];
        snprintf(unit, sizeof(unit),
                 "components = [ { id = \"t\" type = \"transform\" } { id = \"a\" type = "
                 "\"actor\" shapes = [ { id = \"s\" %s } ] } ]",
                 rows[i].shape);
        compile_case_text(&t, "shape.unit", unit);
        navigation_write(&t, NAVIGATION_FLOOR_UNIT "{ id = \"s\" unit = \"shape\" }", AGENTS);
        const ct_navigation_resource *const r = compile_case_blob(&t, "navigation", "town");
        const double found = navigation_area(r, 0, UINT32_MAX, 0.5f, 10);
        if (fabs(found - rows[i].area) > 0.25 * rows[i].area + 1 &&
            strncmp(rows[i].shape, "type = \"plane", 13) != 0)
            fail_msg("row %u: found %g m², expected about %g", i, found, rows[i].area);
        assert_true(found > 0.6 * rows[i].area);
        compile_case_free(&t);
    }
}

static void children_and_nodes_have_their_poses(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile_case_text(
        &t, "house.unit",
        "inherit = \"crate\" children = [ { id = \"k\" unit = \"roof\" position = [3 0 0] } ]");
    compile_case_text(
        &t, "roof.unit",
        "components = [ { id = \"t\" type = \"transform\" } { id = \"g\" type = \"scene_graph\" "
        "nodes = [ { id = \"1\" name = \"high\" position = [0 0 3] } { id = \"2\" name = \"top\" "
        "parent = \"high\" position = [0 0 2] } ] } { id = \"a\" type = \"actor\" node = \"top\" "
        "shapes = [ { id = \"s\" type = \"box\" half_size = [3 3 0.5] } ] } ]");
    navigation_write(&t,
                     NAVIGATION_FLOOR_UNIT "{ id = \"h\" unit = \"house\" position = [0 0 1] "
                                           "scale = [1 1 2] }",
                     AGENTS);
    const ct_navigation_resource *const r = compile_case_blob(&t, "navigation", "town");
    // The roof: 1 + 2 * (3 + 2 + 0.5).
    assert_about(navigation_area(r, 0, UINT32_MAX, 11.9f, 12.1f), 25, 4);
    compile_case_free(&t);
}

static void solids_have_no_ground_inside(void **state) {
    (void)state;
    compile_case t;
    const ct_navigation_resource *const r = navigation_make(
        &t, NAVIGATION_FLOOR_UNIT "{ id = \"c\" unit = \"crate\" scale = [10 10 10] }", AGENTS);
    assert_about(navigation_area(r, 0, UINT32_MAX, -0.1f, 0.1f), whole - 11 * 11, 12);
    compile_case_free(&t);
}

static void drawn_meshes_count_where_a_tag_says_so(void **state) {
    (void)state;
    static const char hill[] = "v -6 -6 0\nv 6 -6 0\nv 6 6 2\nv -6 6 2\nf 1 2 3 4\n";
    compile_case t = compile_case_make();
    compile_case_text(&t, "hill.obj", hill);
    compile_case_text(&t, "hill.mesh", "source = \"hill.obj\" up_axis = \"z\"");
    compile_case_text(
        &t, "hill.unit",
        "components = [ { id = \"t\" type = \"transform\" } { id = \"g\" type = "
        "\"tag\" tags = [\"ground\"] } { id = \"m\" type = \"mesh\" mesh = \"hill\" } ]");
    navigation_write(&t, "{ id = \"h\" unit = \"hill\" }", AGENTS);
    compile_case_run(&t, "navigation", "town");
    compile_case_expect(&t, "town.navigation", 1, "has nothing to walk on");
    navigation_write(&t, "{ id = \"h\" unit = \"hill\" }", AGENTS "mesh_tag = \"ground\"");
    const ct_navigation_resource *r = compile_case_blob(&t, "navigation", "town");
    assert_about(navigation_whole_area(r), 11 * 11, 12);
    assert_true(compile_case_has_include(&t, "hill.obj"));
    // The collision shape of the same triangles, which an actor without shapes has.
    compile_case_text(&t, "hill.mesh",
                      "source = \"hill.obj\" up_axis = \"z\" collision = \"triangles\"");
    compile_case_text(&t, "hill.unit",
                      "components = [ { id = \"t\" type = \"transform\" } { id = \"a\" type = "
                      "\"actor\" } { id = \"m\" type = \"mesh\" mesh = \"hill\" } ]");
    navigation_write(&t, "{ id = \"h\" unit = \"hill\" }", AGENTS);
    r = compile_case_blob(&t, "navigation", "town");
    assert_about(navigation_whole_area(r), 11 * 11, 12);
    compile_case_free(&t);
}

static void each_class_has_its_own_mesh(void **state) {
    (void)state;
    compile_case t;
    const ct_navigation_resource *const r =
        navigation_make(&t, NAVIGATION_FLOOR_UNIT "{ id = \"c\" unit = \"crate\" scale = [4 4 1] }",
                        "agents = [\n{ id = \"a\" name = \"small\" radius = 0.25 climb = 0.25 }\n"
                        "{ id = \"b\" name = \"large\" radius = 2 climb = 1.25 } ]");
    assert_int_equal(r->classes.count, 2);
    assert_about(navigation_area(r, 0, UINT32_MAX, -0.1f, 0.1f), 15.5 * 15.5 - 4.5 * 4.5, 12);
    assert_about(navigation_area(r, 1, UINT32_MAX, -0.1f, 1.1f), 12 * 12, 8); // over the crate
    compile_case_free(&t);
}

#define VOLUME                                                                                     \
    "volumes = [ { id = \"v\" name = \"pond\" position = [2 0 0] half_size = [3 8 1] } ]\n"

static void volumes_paint_areas_and_cut_holes(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    navigation_write(&t, NAVIGATION_FLOOR_UNIT,
                     AGENTS "areas = [ { id = \"w\" name = \"water\" cost = 4 closed = true } ]\n"
                            "volumes = [ { id = \"p\" volume = \"pond\" area = \"water\" } ]");
    compile_case_text(&t, "town.level", "units = [ " NAVIGATION_FLOOR_UNIT " ]\n" VOLUME);
    const ct_navigation_resource *r = compile_case_blob(&t, "navigation", "town");
    const ct_navigation_area *const areas = ct_blob_at(r, r->areas.offset);
    assert_int_equal(r->areas.count, 2);
    assert_float_equal(areas[1].cost, 4, 0);
    assert_int_equal(areas[1].flags, CT_NAVIGATION_AREA_CLOSED);
    assert_about(navigation_area(r, 0, 1, -1, 1), 6 * 15, 5);
    assert_about(navigation_area(r, 0, 0, -1, 1), 9 * 15, 8);
    assert_int_equal(t.answer.warnings.count, 0);
    navigation_write(&t, NAVIGATION_FLOOR_UNIT,
                     AGENTS "volumes = [ { id = \"p\" volume = \"pond\" cuts = true } ]");
    compile_case_text(&t, "town.level", "units = [ " NAVIGATION_FLOOR_UNIT " ]\n" VOLUME);
    r = compile_case_blob(&t, "navigation", "town");
    assert_about(navigation_whole_area(r), 8 * 15, 8); // a radius on both sides
    assert_int_equal(t.answer.warnings.count, 0);
    compile_case_free(&t);
}

static void links_keep_what_the_source_says(void **state) {
    (void)state;
    compile_case t;
    const ct_navigation_resource *const r = navigation_make(
        &t, NAVIGATION_FLOOR_UNIT,
        "agents = [ { id = \"a\" name = \"human\" } { id = \"b\" name = \"dog\" } ]\n"
        "areas = [ { id = \"w\" name = \"water\" } ]\n"
        "links = [ { id = \"1\" kind = \"jump\" from = [1 2 0] to = [-3 2 0] both_ways = true cost "
        "= 3 area = \"water\" agents = [\"dog\"] radius = 0.75 closed = true }\n"
        "{ id = \"2\" kind = \"ladder\" from = [1 2 0] to = [-3 2 0] } ]");
    const ct_navigation_link *const links = ct_blob_at(r, r->links.offset);
    assert_int_equal(r->links.count, 2);
    assert_int_equal(links[0].id.value, ct_string_id32_of("1").value);
    assert_int_equal(links[0].kind.value, ct_string_id32_of("jump").value);
    assert_string_equal(ct_blob_at(r, links[0].kind_text.offset), "jump");
    assert_float_equal(links[0].to[0], -3, 0);
    assert_float_equal(links[0].cost, 3, 0);
    assert_float_equal(links[0].radius, 0.75f, 0);
    assert_int_equal(links[0].area, 1);
    assert_int_equal(links[0].classes, 2);
    assert_int_equal(links[0].flags, CT_NAVIGATION_LINK_BOTH_WAYS | CT_NAVIGATION_LINK_CLOSED);
    assert_int_equal(links[1].classes, 3);
    assert_int_equal(links[1].area, 0);
    assert_int_equal(links[1].flags, 0);
    assert_int_equal(t.answer.warnings.count, 0);
    compile_case_free(&t);
}

static void rules_find_drops_and_jumps(void **state) {
    (void)state;
    compile_case t;
    // A platform of 8 m, 2 m above the floor; another beside it behind a gap of 1 m.
    static const char units[] = NAVIGATION_FLOOR_UNIT
        "{ id = \"c\" unit = \"crate\" scale = [6 4 2] position = [0 -2.5 0] }\n"
        "{ id = \"d\" unit = \"crate\" scale = [6 4 2] position = [0 2.5 0] }";
    const ct_navigation_resource *r = navigation_make(
        &t, units,
        AGENTS
        "rules = [ { id = \"r\" find = \"drop\" kind = \"drop\" height = 3 distance = 2 } ]");
    const ct_navigation_link *links = ct_blob_at(r, r->links.offset);
    assert_true(r->links.count >= 6);
    for (uint32_t i = 0; i < r->links.count; ++i) {
        assert_about((double)links[i].from[2], 2, 0.15);
        assert_about((double)links[i].to[2], 0, 0.15);
        assert_int_equal(links[i].flags, CT_NAVIGATION_LINK_FOUND);
        assert_int_equal(links[i].classes, 1);
    }
    compile_case_free(&t);
    r = navigation_make(&t, units,
                        AGENTS
                        "rules = [ { id = \"r\" find = \"jump\" kind = \"jump\" height = 0.5 "
                        "distance = 3 cost = 1 } ]");
    links = ct_blob_at(r, r->links.offset);
    assert_true(r->links.count >= 2);
    for (uint32_t i = 0; i < r->links.count; ++i) {
        assert_about((double)links[i].from[2], 2, 0.15);
        assert_about((double)links[i].to[2], 2, 0.15);
        assert_about(fabs((double)links[i].from[1] - (double)links[i].to[1]), 2, 0.8);
        assert_int_equal(links[i].flags, CT_NAVIGATION_LINK_FOUND | CT_NAVIGATION_LINK_BOTH_WAYS);
    }
    compile_case_free(&t);
}

static void rules_do_not_lead_through_walls(void **state) {
    (void)state;
    compile_case t;
    // A wall on the rim of the platform, all around.
    const ct_navigation_resource *const r = navigation_make(
        &t,
        NAVIGATION_FLOOR_UNIT
        "{ id = \"c\" unit = \"crate\" scale = [6 6 2] }\n"
        "{ id = \"e\" unit = \"crate\" scale = [0.2 6 5] position = [3 0 0] }\n"
        "{ id = \"f\" unit = \"crate\" scale = [0.2 6 5] position = [-3 0 0] }\n"
        "{ id = \"g\" unit = \"crate\" scale = [6.2 0.2 5] position = [0 3 0] }\n"
        "{ id = \"h\" unit = \"crate\" scale = [6.2 0.2 5] position = [0 -3 0] }",
        AGENTS
        "rules = [ { id = \"r\" find = \"drop\" kind = \"drop\" height = 3 distance = 3 } ]");
    assert_int_equal(r->links.count, 0);
    compile_case_free(&t);
}

// A plane without end at one side of a platform: no drops there, but at the other sides.
static void rules_do_not_lead_through_planes(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile_case_text(
        &t, "wall.unit",
        "components = [ { id = \"t\" type = \"transform\" } { id = \"a\" type = "
        "\"actor\" shapes = [ { id = \"s\" type = \"plane\" rotation = [0 0.7071068 0 "
        "0.7071068] } ] } ]");
    navigation_write(&t,
                     NAVIGATION_FLOOR_UNIT "{ id = \"c\" unit = \"crate\" scale = [6 6 2] }\n"
                                           "{ id = \"w\" unit = \"wall\" position = [-3.05 0 0] }",
                     AGENTS "rules = [ { id = \"r\" find = \"drop\" kind = \"drop\" height = 3 "
                            "distance = 3 } ]");
    const ct_navigation_resource *const r = compile_case_blob(&t, "navigation", "town");
    const ct_navigation_link *const links = ct_blob_at(r, r->links.offset);
    assert_true(r->links.count >= 4);
    for (uint32_t i = 0; i < r->links.count; ++i)
        assert_true(links[i].to[0] > -3.05f);
    compile_case_free(&t);
}

// A ridge of 5 m across a level field: jumps would find ground behind it.
static void rules_do_not_lead_through_height_fields(void **state) {
    (void)state;
    for (uint32_t ridge = 0; ridge < 2; ++ridge) {
        enum { COLUMNS = 33, ROWS = 3 };
        uint8_t rows[ROWS * (COLUMNS + 1)] = {0};
        for (uint32_t y = 0; y < ROWS; ++y)
            rows[y * (COLUMNS + 1) + 1 + COLUMNS / 2] = 255;
        compile_case t = compile_case_make();
        ct_byte_array png = raw_png(COLUMNS, ROWS, 8, 0, rows, sizeof(rows));
        compile_case_file(&t, "land.png", png.items, png.count);
        ct_array_free(&png);
        compile_case_text(&t, "land.height_field", "source = \"land.png\" size = [16 16 5.1]");
        compile_case_text(
            &t, "land.unit",
            "components = [ { id = \"t\" type = \"transform\" } { id = \"a\" type = "
            "\"actor\" shapes = [ { id = \"s\" type = \"height_field\" height_field = "
            "\"land\" } ] } ]");
        // Without the ridge: a gap of a metre between two floors.
        navigation_write(&t,
                         ridge ? "{ id = \"l\" unit = \"land\" }"
                               : "{ id = \"f\" unit = \"floor\" position = [-8.5 0 0] }\n"
                                 "{ id = \"g\" unit = \"floor\" position = [8.5 0 0] }",
                         AGENTS
                         "rules = [ { id = \"r\" find = \"jump\" kind = \"jump\" height = 0.5 "
                         "distance = 4 } ]");
        const ct_navigation_resource *const r = compile_case_blob(&t, "navigation", "town");
        assert_true(ridge ? r->links.count == 0 : r->links.count > 3);
        compile_case_free(&t);
    }
}

// A picture of 3 by 3 points that rises to the east, and stays level along the other way.
static void height_fields_are_ground(void **state) {
    (void)state;
    uint8_t rows[] = {0, 0, 50, 100, 0, 0, 50, 100, 0, 0, 50, 100};
    compile_case t = compile_case_make();
    ct_byte_array png = raw_png(3, 3, 8, 0, rows, sizeof(rows));
    compile_case_file(&t, "land.png", png.items, png.count);
    ct_array_free(&png);
    compile_case_text(&t, "land.height_field", "source = \"land.png\" size = [16 16 5.1]");
    compile_case_text(&t, "land.unit",
                      "components = [ { id = \"t\" type = \"transform\" } { id = \"a\" type = "
                      "\"actor\" shapes = [ { id = \"s\" type = \"height_field\" height_field = "
                      "\"land\" } ] } ]");
    navigation_write(&t, "{ id = \"l\" unit = \"land\" position = [0 0 1] }", AGENTS);
    const ct_navigation_resource *const r = compile_case_blob(&t, "navigation", "town");
    assert_about(navigation_whole_area(r), whole, 16);
    assert_about(navigation_area(r, 0, UINT32_MAX, 1, 3), navigation_whole_area(r), 0);
    assert_true(compile_case_has_include(&t, "land.png"));
    compile_case_free(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_floor_is_ground_but_for_its_rim),
        cmocka_unit_test(a_crate_is_in_the_way_and_too_high_to_climb),
        cmocka_unit_test(what_counts_as_ground_and_walls),
        cmocka_unit_test(all_shapes_are_walked_on),
        cmocka_unit_test(children_and_nodes_have_their_poses),
        cmocka_unit_test(solids_have_no_ground_inside),
        cmocka_unit_test(drawn_meshes_count_where_a_tag_says_so),
        cmocka_unit_test(each_class_has_its_own_mesh),
        cmocka_unit_test(volumes_paint_areas_and_cut_holes),
        cmocka_unit_test(links_keep_what_the_source_says),
        cmocka_unit_test(rules_find_drops_and_jumps),
        cmocka_unit_test(height_fields_are_ground),
        cmocka_unit_test(rules_do_not_lead_through_walls),
        cmocka_unit_test(rules_do_not_lead_through_planes),
        cmocka_unit_test(rules_do_not_lead_through_height_fields),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
