#include <math.h>

#include "compiler/protocol/compiler_types.h"
#include "compiler/types/mesh/mesh_case.h"
#include "physics/bullet/bullet_cook.h"

const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
    return "leak:libassimp.so\n";
}

// A box of 2 x 4 x 6 m (in our axes: x, -z, y) as mesh of all nodes.
static model_file scene(const char *nodes, const char *roots) {
    model_file m = mesh_case_box(1, 3, 2);
    m.nodes = nodes;
    m.roots = roots;
    return m;
}

// A crate and a second node of this name and scale.
static model_file crate_with(char *nodes, size_t bytes, const char *name, const char *scale) {
    snprintf(nodes, bytes,
             "[{\"name\":\"crate\",\"mesh\":0},{\"name\":\"%s\",\"mesh\":0,\"scale\":%s}]", name,
             scale);
    return scene(nodes, "[0,1]");
}

// The only shape of the mesh.
static const ct_mesh_shape *only_shape(const ct_mesh_resource *r) {
    uint32_t count;
    const ct_mesh_shape *const s = ct_mesh_shapes(r, &count);
    assert_int_equal(count, 1);
    return s;
}

static float volume_of(const ct_mesh_resource *r, const ct_mesh_shape *s, uint32_t *count) {
    const ct_mesh_hull *const hulls = ct_mesh_shape_hulls(r, s, count);
    float volume = 0;
    for (uint32_t i = 0; i < *count; ++i)
        volume += hulls[i].volume;
    return volume;
}

// --- Hulls ---------------------------------------------------------------------------------------

static void cooks_one_hull_of_convex_shapes(void **state) {
    (void)state;
    char nodes[256];
    compile_case t = compile_case_make();
    model_file m =
        scene("[{\"name\":\"crate\",\"mesh\":0},{\"name\":\"collision_convex\",\"mesh\":0,"
              "\"translation\":[10,0,0]}]",
              "[0,1]");
    const ct_mesh_resource *r = mesh_case_blob(&t, &m, "");
    const ct_mesh_shape *const s = only_shape(r);
    uint32_t count;
    const ct_mesh_hull *const hull = ct_mesh_shape_hulls(r, s, &count);
    const float *const points = ct_mesh_hull_points(r, hull);
    assert_int_equal(s->kind, CT_MESH_SHAPE_KIND_CONVEX);
    assert_int_equal(count, 1);
    assert_int_equal(hull->num_points, 8);
    assert_float_equal(hull->volume, 48, 1e-3f);
    assert_float_equal(hull->center[0], 10, 1e-4f);
    assert_float_equal(hull->center[1], 0, 1e-4f);
    for (uint32_t i = 0; i < 8; ++i) {
        assert_float_equal(fabsf(points[3 * i]), 1, 1e-3f);
        assert_float_equal(fabsf(points[3 * i + 1]), 2, 1e-3f);
        assert_float_equal(fabsf(points[3 * i + 2]), 3, 1e-3f);
    }
    assert_int_equal(s->num_nodes, 0);
    static const char *const others[] = {"collision_box", "collision_sphere", "occluder_convex",
                                         "occluder"};
    for (uint32_t i = 0; i < CT_COUNT_OF(others); ++i) {
        m = crate_with(nodes, sizeof(nodes), others[i], "[1,1,1]");
        r = mesh_case_blob(&t, &m, "");
        assert_int_equal(r->hulls.count + r->tree_nodes.count, 0);
    }
    compile_case_free(&t);
}

static void leaves_out_corners_of_round_hulls(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m = mesh_case_ball(64);
    const ct_mesh_resource *const r = mesh_case_blob(&t, &m, "collision = \"convex\"");
    uint32_t count;
    const ct_mesh_hull *const hull = ct_mesh_shape_hulls(r, only_shape(r), &count);
    assert_int_equal(count, 1);
    assert_true(hull->num_points > 30 && hull->num_points <= CT_MESH_MAX_HULL_POINTS);
    assert_true(hull->volume > 3.4f && hull->volume < 4.19f); // of the ball: 4.19
    compile_case_free(&t);
}

static void refuses_flat_hulls(void **state) {
    (void)state;
    char nodes[256];
    compile_case t = compile_case_make();
    model_file m = crate_with(nodes, sizeof(nodes), "collision_convex_x", "[1,0,1]");
    mesh_case_expect(&t, &m, "", 1,
                     "models/a.gltf: node \"collision_convex_x\" is flat, but the hull of a convex "
                     "collision shape needs a volume; make it thicker, or call it "
                     "collision_mesh_… to use its triangles");
    m = crate_with(nodes, sizeof(nodes), "collision_hulls_x", "[1,0,1]");
    mesh_case_expect(&t, &m, "", 1, "node \"collision_hulls_x\" cannot be split into hulls");
    m = scene("[{\"name\":\"crate\",\"mesh\":0,\"scale\":[1,0,1]}]", "[0]");
    mesh_case_expect(&t, &m, "collision = \"convex\"", 1,
                     "models/a.gltf: the mesh is flat, but a hull needs a volume; make it thicker, "
                     "or write `collision = \"triangles\"`");
    // Flat occluders have no hulls, and flat triangles have a tree.
    m = crate_with(nodes, sizeof(nodes), "occluder_convex_x", "[1,0,1]");
    only_shape(mesh_case_blob(&t, &m, ""));
    m = crate_with(nodes, sizeof(nodes), "collision_x", "[1,0,1]");
    assert_true(only_shape(mesh_case_blob(&t, &m, ""))->num_nodes > 0);
    compile_case_free(&t);
}

// --- Splitting -----------------------------------------------------------------------------------

static void splits_shapes_by_their_name(void **state) {
    (void)state;
    char nodes[256];
    compile_case t = compile_case_make();
    model_file m = crate_with(nodes, sizeof(nodes), "collision_hulls_x", "[1,1,1]");
    const ct_mesh_resource *const r = mesh_case_blob(&t, &m, "collision_hulls = 8");
    uint32_t count;
    assert_int_equal(only_shape(r)->kind, CT_MESH_SHAPE_KIND_CONVEX);
    assert_float_equal(volume_of(r, only_shape(r), &count), 48, 0.5f);
    assert_int_equal(count, 1); // it is convex already
    compile_case_free(&t);
}

static void splits_what_is_drawn(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    // An angle of two boxes that cross at their ends: a hull would fill the inside.
    model_file m = scene("[{\"name\":\"a\",\"mesh\":0,\"scale\":[5,0.3333333,0.5]},"
                         "{\"name\":\"b\",\"mesh\":0,\"scale\":[1,0.3333333,2.5],"
                         "\"translation\":[4,0,6]}]",
                         "[0,1]");
    const ct_mesh_resource *r = mesh_case_blob(&t, &m, "collision = \"convex\"");
    uint32_t count;
    const float whole = volume_of(r, only_shape(r), &count);
    assert_int_equal(count, 1);
    m = scene("[{\"name\":\"a\",\"mesh\":0,\"scale\":[5,0.3333333,0.5]},"
              "{\"name\":\"b\",\"mesh\":0,\"scale\":[1,0.3333333,2.5],"
              "\"translation\":[4,0,6]}]",
              "[0,1]");
    r = mesh_case_blob(&t, &m, "collision = \"hulls\"\ncollision_concavity = 0.1");
    const float parts = volume_of(r, only_shape(r), &count);
    assert_true(count >= 2 && count <= 16);
    assert_true(parts < 0.75f * whole);
    assert_int_equal(only_shape(r)->name.value, 0);
    compile_case_free(&t);
}

// Three boxes apart from each other.
static const ct_mesh_resource *three_boxes(compile_case *t, const char *settings) {
    model_file m = scene("[{\"name\":\"a\",\"mesh\":0},{\"name\":\"b\",\"mesh\":0,\"translation\":"
                         "[20,0,0]},{\"name\":\"c\",\"mesh\":0,\"translation\":[0,20,0]}]",
                         "[0,1,2]");
    return mesh_case_blob(t, &m, settings);
}

static void makes_no_more_hulls_than_allowed(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    uint32_t count;
    const ct_mesh_resource *r = three_boxes(&t, "collision = \"hulls\"");
    assert_float_equal(volume_of(r, only_shape(r), &count), 3 * 48, 1);
    assert_int_equal(count, 3);
    r = three_boxes(&t, "collision = \"hulls\"\ncollision_hulls = 2");
    assert_true(volume_of(r, only_shape(r), &count) > 3 * 48);
    assert_int_equal(count, 2);
    r = three_boxes(&t, "collision = \"hulls\"\ncollision_hulls = 1");
    assert_true(volume_of(r, only_shape(r), &count) > 3 * 48);
    assert_int_equal(count, 1);
    compile_case_free(&t);
}

// --- Trees ---------------------------------------------------------------------------------------

// The number of times that each triangle is a leaf; fails when a leaf's bounds leave a corner out.
static void count_leaves(const ct_mesh_resource *r, const ct_mesh_shape *s, uint32_t *times) {
    const ct_mesh_tree_node *const nodes = ct_mesh_shape_nodes(r, s);
    const float *const points = ct_mesh_shape_points(r, s);
    const uint32_t *const indices = ct_mesh_shape_indices(r, s);
    for (uint32_t i = 0; i < s->num_nodes; ++i) {
        if (nodes[i].next < 0)
            continue;
        ++times[nodes[i].next];
        for (uint32_t k = 0; k < 9; ++k) {
            const uint32_t axis = k % 3;
            const float p = points[3 * indices[3 * (uint32_t)nodes[i].next + k / 3] + axis];
            const float step = (p - s->tree_least[axis]) * s->tree_steps[axis];
            assert_true((float)nodes[i].least[axis] <= step + 1);
            assert_true((float)nodes[i].most[axis] >= step - 1);
        }
    }
}

static void cooks_trees_of_triangles(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    char nodes[256];
    model_file m = crate_with(nodes, sizeof(nodes), "collision", "[1,1,1]");
    const ct_mesh_resource *r = mesh_case_blob(&t, &m, "");
    const ct_mesh_shape *s = only_shape(r);
    uint32_t times[2 * 32 * 32] = {0};
    assert_int_equal(s->num_nodes, 2 * 12 - 1);
    assert_int_equal(s->num_hulls, 0);
    count_leaves(r, s, times);
    for (uint32_t i = 0; i < 12; ++i)
        assert_int_equal(times[i], 1);
    m = mesh_case_ball(32);
    r = mesh_case_blob(&t, &m, "collision = \"triangles\"");
    s = only_shape(r);
    assert_int_equal(s->kind, CT_MESH_SHAPE_KIND_MESH);
    assert_int_equal(s->num_indices / 3, mesh_case_triangles(r, 0));
    memset(times, 0, sizeof(times));
    count_leaves(r, s, times);
    for (uint32_t i = 0; i < s->num_indices / 3; ++i)
        assert_int_equal(times[i], 1);
    compile_case_free(&t);
}

static void keeps_the_shapes_of_several_nodes_apart(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m =
        scene("[{\"name\":\"crate\",\"mesh\":0},{\"name\":\"collision_convex_a\",\"mesh\":0},"
              "{\"name\":\"collision_b\",\"mesh\":0},{\"name\":\"collision_c\",\"mesh\":0},"
              "{\"name\":\"col_convex_d\",\"mesh\":0,\"scale\":[2,2,2]}]",
              "[0,1,2,3,4]");
    const ct_mesh_resource *const r = mesh_case_blob(&t, &m, "");
    uint32_t count;
    const ct_mesh_shape *const s = ct_mesh_shapes(r, &count);
    assert_int_equal(count, 4);
    assert_float_equal(volume_of(r, &s[0], &count), 48, 0.01f);
    assert_float_equal(volume_of(r, &s[3], &count), 8 * 48, 0.1f);
    assert_int_equal(s[3].first_hull, 1);
    assert_int_equal(s[2].first_node, s[1].num_nodes);
    uint32_t times[12] = {0};
    count_leaves(r, &s[2], times);
    for (uint32_t i = 0; i < 12; ++i)
        assert_int_equal(times[i], 1);
    compile_case_free(&t);
}

static void refuses_shapes_out_of_range(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    char nodes[256];
    static const char *const names[] = {"collision", "collision_convex", "collision_box"};
    for (uint32_t i = 0; i < CT_COUNT_OF(names); ++i) {
        model_file m = crate_with(nodes, sizeof(nodes), names[i], "[1,1e6,1]");
        char text[128];
        snprintf(
            text, sizeof(text),
            "models/a.gltf: node \"%s\" reaches 3e+06 m from the origin; a collision shape can "
            "reach 1e+06 m",
            names[i]);
        mesh_case_expect(&t, &m, "", 1, text);
    }
    model_file m = crate_with(nodes, sizeof(nodes), "occluder", "[1,1e6,1]");
    only_shape(mesh_case_blob(&t, &m, ""));
    m = scene(NULL, NULL);
    mesh_case_expect(&t, &m, "collision = \"triangles\"\nscale = 1e6", 1, "the mesh reaches 3");
    // Tiny ones are still right, or flat.
    m = scene(NULL, NULL);
    assert_int_equal(
        only_shape(mesh_case_blob(&t, &m, "collision = \"triangles\"\nscale = 1e-6"))->num_nodes,
        23);
    compile_case_free(&t);
}

// --- The whole -----------------------------------------------------------------------------------

static void gives_the_same_bytes_each_time(void **state) {
    (void)state;
    static const char *const kinds[] = {"convex", "triangles", "hulls"};
    compile_case t = compile_case_make();
    for (uint32_t i = 0; i < CT_COUNT_OF(kinds); ++i) {
        char settings[64];
        snprintf(settings, sizeof(settings), "collision = \"%s\"", kinds[i]);
        model_file m = mesh_case_ball(12);
        const void *const first = mesh_case_blob(&t, &m, settings);
        const uint32_t bytes = t.answer.blob.count;
        void *const copy = memcpy(ct_alloc(test_heap(), bytes), first, bytes);
        compile_case_run(&t, "mesh", "models/a");
        assert_int_equal(t.answer.blob.count, bytes);
        assert_memory_equal(t.answer.blob.items, copy, bytes);
        ct_free(test_heap(), copy);
    }
    compile_case_free(&t);
}

static void leaves_models_with_shapes_alone(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    char nodes[256];
    model_file m = crate_with(nodes, sizeof(nodes), "collision_box", "[1,1,1]");
    mesh_case_expect(&t, &m, "collision = \"triangles\"", 2,
                     "models/a.gltf: node \"collision_box\" is a collision shape already; leave "
                     "`collision` out, or rename the node");
    m = crate_with(nodes, sizeof(nodes), "occluder", "[1,1,1]");
    uint32_t count;
    ct_mesh_shapes(mesh_case_blob(&t, &m, "collision = \"triangles\""), &count);
    assert_int_equal(count, 2);
    m = scene(NULL, NULL);
    assert_int_equal(mesh_case_blob(&t, &m, "collision = \"none\"")->shapes.count, 0);
    m = scene(NULL, NULL);
    mesh_case_expect(&t, &m, "collision = \"box\"", 2, "collision");
    m = scene(NULL, NULL);
    mesh_case_expect(&t, &m, "collision_hulls = 65", 2, "collision_hulls");
    compile_case_free(&t);
}

static void warns_of_options_without_effect(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m = scene(NULL, NULL);
    mesh_case_write(&t, &m, "collision = \"convex\"\ncollision_hulls = 3");
    compile_case_run(&t, "mesh", "models/a");
    expect_warning(&t.answer, "models/a.mesh", 3, 1,
                   "`collision_hulls` has no effect: no collision shape is split");
    compile_case_free(&t);
}

// The driver, which does not have Bullet, knows its version.
static void the_version_of_bullet_is_that_of_the_type(void **state) {
    (void)state;
    assert_int_equal(ct_compiler_type_named("mesh")->version % 100000, ct_bullet_cook_version());
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cooks_one_hull_of_convex_shapes),
        cmocka_unit_test(leaves_out_corners_of_round_hulls),
        cmocka_unit_test(refuses_flat_hulls),
        cmocka_unit_test(splits_shapes_by_their_name),
        cmocka_unit_test(splits_what_is_drawn),
        cmocka_unit_test(makes_no_more_hulls_than_allowed),
        cmocka_unit_test(cooks_trees_of_triangles),
        cmocka_unit_test(keeps_the_shapes_of_several_nodes_apart),
        cmocka_unit_test(refuses_shapes_out_of_range),
        cmocka_unit_test(gives_the_same_bytes_each_time),
        cmocka_unit_test(leaves_models_with_shapes_alone),
        cmocka_unit_test(warns_of_options_without_effect),
        cmocka_unit_test(the_version_of_bullet_is_that_of_the_type),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
