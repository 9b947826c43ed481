#include <math.h>

#include "compiler/types/mesh/mesh_case.h"

const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
    return "leak:libassimp.so\n";
}

static void has_the_full_level_alone_unless_asked(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m = mesh_case_ball(24);
    const ct_mesh_resource *const r = mesh_case_blob(&t, &m, "");
    assert_int_equal(r->lods.count, 0);
    m = mesh_case_ball(24);
    assert_int_equal(mesh_case_blob(&t, &m, "lods = 0")->lods.count, 0);
    m = mesh_case_ball(24);
    assert_int_equal(mesh_case_blob(&t, &m, "lods = []")->lods.count, 0);
    compile_case_free(&t);
}

static void makes_a_chain_of_levels(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m = mesh_case_ball(32);
    const ct_mesh_resource *const r = mesh_case_blob(&t, &m, "lods = 3");
    assert_int_equal(r->lods.count, 3);
    const ct_mesh_lod *lods = mesh_case_lods(r);
    for (uint32_t i = 0; i < 3; ++i) {
        assert_true(mesh_case_triangles(r, i + 1) < 0.6 * mesh_case_triangles(r, i));
        assert_true(lods[i].error > 0 && lods[i].error < 0.2f);
        assert_true(lods[i].screen_size > 0 && lods[i].screen_size <= 0.5f);
        // Where it begins, its error is less than a pixel of 1080: the ball is 2 m high.
        assert_true(lods[i].error / 2 * lods[i].screen_size * 1080 < 1.001f);
        assert_true(i == 0 || lods[i].screen_size <= lods[i - 1].screen_size / 2);
    }
    assert_int_equal(ct_mesh_num_triangles(r), mesh_case_triangles(r, 0));
    compile_case_free(&t);
}

static void takes_ratios_errors_and_sizes(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m = mesh_case_ball(32);
    const ct_mesh_resource *const r =
        mesh_case_blob(&t, &m,
                       "lods = [ { ratio = 0.25  screen_size = 0.4 } { max_error = 0.1 "
                       "screen_size = 0.05 } ]");
    assert_int_equal(r->lods.count, 2);
    const ct_mesh_lod *lods = mesh_case_lods(r);
    assert_true(lods[0].screen_size == 0.4f && lods[1].screen_size == 0.05f);
    const uint32_t full = mesh_case_triangles(r, 0);
    assert_true(mesh_case_triangles(r, 1) <= full / 4 && mesh_case_triangles(r, 1) > full / 5);
    assert_true(lods[1].error <= 0.1f * 2.001f);
    assert_true(mesh_case_triangles(r, 2) < full / 16);
    compile_case_free(&t);
}

static void leaves_out_levels_that_would_not_be_smaller(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m = mesh_case_box(1, 1, 1);
    const ct_mesh_resource *r =
        mesh_case_blob(&t, &m, "lods = [ { ratio = 0.5 max_error = 0.001 } ]");
    assert_int_equal(r->lods.count, 0);
    assert_int_equal(mesh_case_triangles(r, 0), 12);
    // A ball cannot be off by so little.
    m = mesh_case_ball(8);
    r = mesh_case_blob(&t, &m, "lods = [ { ratio = 0.5 max_error = 0.000001 } { ratio = 0.2 } ]");
    assert_int_equal(r->lods.count, 1);
    compile_case_free(&t);
}

static void keeps_the_borders_of_parts(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m = mesh_case_ball(32);
    m.materials = "[{\"name\":\"a\"},{\"name\":\"b\"}]";
    ct_string_builder_clear(&m.primitives);
    // The upper half, then the lower one: both have the vertices of the equator.
    m.more = NULL;
    ct_string_builder_addf(
        &m.accessors,
        ",{\"bufferView\":2,\"componentType\":5125,\"type\":\"SCALAR\",\"count\":"
        "%u},{\"bufferView\":2,\"byteOffset\":%u,\"componentType\":5125,\"type\":"
        "\"SCALAR\",\"count\":%u}",
        32 * 16 * 6, 32 * 16 * 6 * 4, 32 * 16 * 6);
    model_file_primitive(&m, "\"attributes\":{\"POSITION\":0,\"NORMAL\":1},\"indices\":3,"
                             "\"material\":0");
    model_file_primitive(&m, "\"attributes\":{\"POSITION\":0,\"NORMAL\":1},\"indices\":4,"
                             "\"material\":1");
    const ct_mesh_resource *const r = mesh_case_blob(&t, &m, "lods = [ { ratio = 0.1 } ]");
    assert_int_equal(r->parts.count, 2);
    assert_int_equal(r->lods.count, 1);
    const ct_mesh_part *parts = ct_blob_at(r, r->lod_parts.offset);
    for (uint32_t p = 0; p < 2; ++p) {
        bool is_used[4096] = {false};
        uint32_t on_equator = 0;
        for (uint32_t i = 0; i < parts[p].num_indices; ++i)
            is_used[mesh_case_index(r, parts[p].first_index + i)] = true;
        for (uint32_t i = 0; i < r->num_vertices; ++i)
            on_equator += is_used[i] && fabsf(ct_mesh_vertex_at(r, i).position[1]) < 1e-3f;
        assert_int_equal(on_equator, 32);
    }
    compile_case_free(&t);
}

// Balls and a box as levels of one thing, under names of a modelling program.
static model_file levelled(const char *nodes) {
    model_file m = mesh_case_ball(16);
    m.nodes = nodes;
    m.roots = "[0,1,2]";
    return m;
}

static void takes_levels_of_the_model(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m = levelled("[{\"name\":\"rock_LOD0\",\"mesh\":0},"
                            "{\"name\":\"Rock_lod1.001\",\"mesh\":0,\"scale\":[0.5,0.5,0.5]},"
                            "{\"name\":\"moss\",\"mesh\":0,\"translation\":[9,0,0]}]");
    const ct_mesh_resource *const r = mesh_case_blob(&t, &m, "");
    assert_int_equal(r->lods.count, 1);
    assert_true(mesh_case_lods(r)[0].screen_size == 0.5f);
    assert_true(mesh_case_lods(r)[0].error == 0);
    // What has no level is in both.
    const uint32_t one = 2 * 16 * 16 - 2 * 16;
    assert_int_equal(mesh_case_triangles(r, 0), 2 * one);
    assert_int_equal(mesh_case_triangles(r, 1), 2 * one);
    assert_true(r->bounds_max[0] == 10);
    compile_case_free(&t);
}

static void says_where_levels_of_the_model_begin(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    static const char *const nodes =
        "[{\"name\":\"rock_LOD0\",\"mesh\":0},{\"name\":\"rock_LOD1\",\"mesh\":0},"
        "{\"name\":\"rock_LOD2\",\"mesh\":0}]";
    model_file m = levelled(nodes);
    const ct_mesh_resource *const r =
        mesh_case_blob(&t, &m, "lods = [ { screen_size = 0.2 } { screen_size = 0.01 } ]");
    assert_int_equal(r->lods.count, 2);
    assert_true(mesh_case_lods(r)[0].screen_size == 0.2f);
    assert_true(mesh_case_lods(r)[1].screen_size == 0.01f);
    m = levelled(nodes);
    mesh_case_expect(&t, &m, "lods = 2", 2, "the model has 2 levels of its own below the full one");
    m = levelled(nodes);
    mesh_case_expect(&t, &m, "lods = [ { ratio = 0.5 } ]", 2, "the model has 2 levels of its own");
    compile_case_free(&t);
}

static void gives_things_with_fewer_levels_their_last(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m =
        levelled("[{\"children\":[3,4,5]},{\"children\":[6,7]},{\"name\":\"bush_LOD1\","
                 "\"mesh\":0},{\"name\":\"rock_LOD0\",\"mesh\":0},"
                 "{\"name\":\"rock_LOD1\",\"mesh\":0},{\"name\":\"rock_LOD2\",\"mesh\":0},"
                 "{\"name\":\"tree_LOD0\",\"mesh\":0},{\"name\":\"tree_LOD1\",\"mesh\":0}]");
    const ct_mesh_resource *const r = mesh_case_blob(&t, &m, "");
    const uint32_t one = 2 * 16 * 16 - 2 * 16;
    assert_int_equal(r->lods.count, 2); // of the numbers 0, 1 and 2
    for (uint32_t lod = 0; lod < 3; ++lod)
        assert_int_equal(mesh_case_triangles(r, lod), 3 * one);
    compile_case_free(&t);
}

static void refuses_levels_that_are_missing_or_there_twice(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m = levelled("[{\"name\":\"r_LOD0\",\"mesh\":0},{\"name\":\"r_LOD3\",\"mesh\":0},"
                            "{\"name\":\"r_LOD2\",\"mesh\":0}]");
    mesh_case_expect(&t, &m, "", 1,
                     "node \"r_LOD2\" is level of detail 2 and \"r_LOD0\" is level 0 of the same "
                     "mesh, but level 1 is missing");
    m = levelled("[{\"name\":\"r_LOD0\",\"mesh\":0},{\"name\":\"r_LOD1\",\"mesh\":0},"
                 "{\"name\":\"r_lod1\",\"mesh\":0}]");
    mesh_case_expect(
        &t, &m, "", 1,
        "nodes \"r_LOD1\" and \"r_lod1\" beside each other are both level of detail 1");
    // One level of two parts.
    m = levelled("[{\"name\":\"r_LOD0\",\"mesh\":0},{\"name\":\"r_LOD1\",\"mesh\":0},"
                 "{\"name\":\"r_LOD1.001\",\"mesh\":0}]");
    assert_int_equal(mesh_case_blob(&t, &m, "")->lods.count, 1);
    // What is not taken is not looked at.
    m = levelled("[{\"name\":\"r_LOD0\",\"mesh\":0},{\"name\":\"r_LOD2\",\"mesh\":0},"
                 "{\"name\":\"tree\",\"mesh\":0}]");
    assert_int_equal(mesh_case_blob(&t, &m, "node = \"tree\"")->lods.count, 0);
    compile_case_free(&t);
}

static void drops_levels_without_an_area(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m = levelled("[{\"name\":\"rock_LOD0\",\"mesh\":0},{\"name\":\"rock_LOD1\",\"mesh\":"
                            "0,\"scale\":[0,0,0]},{\"name\":\"rock_LOD2\",\"mesh\":0}]");
    const ct_mesh_resource *const r = mesh_case_blob(&t, &m, "");
    assert_int_equal(r->lods.count, 1);
    assert_true(mesh_case_triangles(r, 1) > 0);
    compile_case_free(&t);
}

static void takes_the_levels_of_a_node_that_is_asked_for(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    static const char *const nodes =
        "[{\"name\":\"rock_LOD0\",\"mesh\":0,\"translation\":[5,0,0],\"scale\":[2,2,2]},"
        "{\"name\":\"rock_LOD1\",\"mesh\":0,\"translation\":[5,0,0]},"
        "{\"name\":\"tree_LOD1\",\"mesh\":0}]";
    model_file m = levelled(nodes);
    const ct_mesh_resource *r = mesh_case_blob(&t, &m, "node = \"rock_LOD0\" children = false");
    assert_int_equal(r->lods.count, 1);
    assert_true(fabsf(r->bounds_max[0] - 1) < 1e-4f); // in the space of the finest
    m = levelled(nodes);
    r = mesh_case_blob(&t, &m, "node = \"rock_LOD1\" children = false");
    assert_int_equal(r->lods.count, 0);
    compile_case_free(&t);
}

static void refuses_what_no_levels_can_be(void **state) {
    (void)state;
    static const struct {
        const char *text, *error;
    } cases[] = {
        {"lods = 8", "lods: found 8, expected 0 to 7 levels"},
        {"lods = 1.5", "lods: found 1.5, expected 0 to 7 levels"},
        {"lods = -1", "lods: found -1"},
        {"lods = \"many\"", "lods: found a string, expected a number of levels"},
        {"lods = [ 0.5 ]", "lods: found a number, expected { ratio = 0.5 }"},
        {"lods = [ { ratio = 2 } ]", "ratio"},
        {"lods = [ { rato = 0.5 } ]", "did you mean \"ratio\"?"},
        {"lods = [ { ratio = 0.2 } { ratio = 0.5 } ]", "found a ratio of 0.5 after 0.2"},
        {"lods = [ { screen_size = 0.2 } { screen_size = 0.2 } ]",
         "found a screen_size of 0.2 after 0.2"},
        {"lods = [ {} {} {} {} {} {} {} {} ]", "lods: found 8 levels, expected at most 7"},
    };
    compile_case t = compile_case_make();
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        model_file m = mesh_case_ball(8);
        mesh_case_expect(&t, &m, cases[i].text, 2, cases[i].error);
    }
    compile_case_free(&t);
}

static void gives_the_same_bytes_twice(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m = mesh_case_ball(32);
    const ct_mesh_resource *r = mesh_case_blob(&t, &m, "lods = 4");
    const uint64_t bytes = r->header.size_bytes;
    void *const first = ct_alloc(test_heap(), bytes);
    memcpy(first, r, bytes);
    m = mesh_case_ball(32);
    r = mesh_case_blob(&t, &m, "lods = 4");
    assert_int_equal(r->header.size_bytes, bytes);
    assert_memory_equal(first, r, bytes);
    ct_free(test_heap(), first);
    compile_case_free(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_the_full_level_alone_unless_asked),
        cmocka_unit_test(makes_a_chain_of_levels),
        cmocka_unit_test(takes_ratios_errors_and_sizes),
        cmocka_unit_test(leaves_out_levels_that_would_not_be_smaller),
        cmocka_unit_test(keeps_the_borders_of_parts),
        cmocka_unit_test(takes_levels_of_the_model),
        cmocka_unit_test(says_where_levels_of_the_model_begin),
        cmocka_unit_test(gives_things_with_fewer_levels_their_last),
        cmocka_unit_test(refuses_levels_that_are_missing_or_there_twice),
        cmocka_unit_test(drops_levels_without_an_area),
        cmocka_unit_test(takes_the_levels_of_a_node_that_is_asked_for),
        cmocka_unit_test(refuses_what_no_levels_can_be),
        cmocka_unit_test(gives_the_same_bytes_twice),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
