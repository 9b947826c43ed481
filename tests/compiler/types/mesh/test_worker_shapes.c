#include <math.h>

#include "compiler/types/mesh/mesh_case.h"

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

// The only shape of the mesh.
static const ct_mesh_shape *only_shape(const ct_mesh_resource *r) {
    uint32_t count;
    const ct_mesh_shape *const s = ct_mesh_shapes(r, &count);
    assert_int_equal(count, 1);
    return s;
}

static void assert_vector(const float *v, float x, float y, float z) {
    if (fabsf(v[0] - x) + fabsf(v[1] - y) + fabsf(v[2] - z) > 1e-4f)
        fail_msg("found (%g %g %g), expected (%g %g %g)", (double)v[0], (double)v[1], (double)v[2],
                 (double)x, (double)y, (double)z);
}

static void keeps_shapes_apart_from_what_is_drawn(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m = scene("[{\"name\":\"crate\",\"mesh\":0},"
                         "{\"name\":\"Collision_Box_crate\",\"mesh\":0,\"scale\":[2,2,2]}]",
                         "[0,1]");
    const ct_mesh_resource *const r = mesh_case_blob(&t, &m, "");
    assert_int_equal(mesh_case_triangles(r, 0), 12);
    assert_vector(r->bounds_max, 1, 2, 3);
    const ct_mesh_shape *const s = only_shape(r);
    assert_int_equal(s->use, CT_MESH_SHAPE_USE_COLLISION);
    assert_int_equal(s->kind, CT_MESH_SHAPE_KIND_BOX);
    assert_int_equal(s->name.value, ct_string_id32_of("Collision_Box_crate").value);
    assert_int_equal(s->num_points, 8);
    assert_int_equal(s->num_indices, 36);
    assert_vector(s->center, 0, 0, 0);
    assert_vector(s->half_size, 2, 4, 6);
    assert_true(fabsf(s->radius - sqrtf(4 + 16 + 36)) < 1e-4f);
    compile_case_free(&t);
}

static void understands_names(void **state) {
    (void)state;
    static const struct {
        const char *name;
        uint32_t use, kind;
    } cases[] = {
        {"collision", 0, CT_MESH_SHAPE_KIND_MESH},
        {"COLLISION_x", 0, CT_MESH_SHAPE_KIND_MESH},
        {"col_sphere", 0, CT_MESH_SHAPE_KIND_SPHERE},
        {"col_sphere_head.004", 0, CT_MESH_SHAPE_KIND_SPHERE},
        {"collision_mesh_hull", 0, CT_MESH_SHAPE_KIND_MESH},
        {"collision_boxes", 0, CT_MESH_SHAPE_KIND_MESH},
        {"rock_collision", 0, CT_MESH_SHAPE_KIND_MESH},
        {"rock_Convex_Collision.012", 0, CT_MESH_SHAPE_KIND_CONVEX},
        {"occluder_box_wall", 1, CT_MESH_SHAPE_KIND_BOX},
        {"wall_Occluder", 1, CT_MESH_SHAPE_KIND_MESH},
        {"collision_hulls_x", 0, CT_MESH_SHAPE_KIND_CONVEX},
        {"chair_hulls_collision", 0, CT_MESH_SHAPE_KIND_CONVEX},
        {"occluder_hulls_x", 1, CT_MESH_SHAPE_KIND_MESH},
    };
    static const char *const drawn[] = {"collisions", "col",     "column", "colander_1",
                                        "rock_col",   "box",     "LOD1",   "rock_lod10",
                                        "_LOD",       "occlude", "",       "precollision"};
    compile_case t = compile_case_make();
    char nodes[256];
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        snprintf(nodes, sizeof(nodes),
                 "[{\"name\":\"rock\",\"mesh\":0},{\"name\":\"%s\",\"mesh\":0}]", cases[i].name);
        model_file m = scene(nodes, "[0,1]");
        const ct_mesh_shape *const s = only_shape(mesh_case_blob(&t, &m, ""));
        assert_int_equal(s->use, cases[i].use);
        assert_int_equal(s->kind, cases[i].kind);
    }
    for (uint32_t i = 0; i < CT_COUNT_OF(drawn); ++i) {
        snprintf(nodes, sizeof(nodes), "[{\"name\":\"%s\",\"mesh\":0}]", drawn[i]);
        model_file m = scene(nodes, "[0]");
        const ct_mesh_resource *const r = mesh_case_blob(&t, &m, "");
        assert_int_equal(r->shapes.count, 0);
        assert_int_equal(r->lods.count, 0);
    }
    compile_case_free(&t);
}

static void gives_boxes_the_axes_of_their_nodes(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    // Turned by 90 degrees about the file's y, which is our z, and moved.
    static const char *const nodes = "[{\"name\":\"crate\",\"mesh\":0},{\"name\":\"%s\",\"mesh\":0,"
                                     "\"rotation\":[0,0.38268343,0,0.92387953],\"translation\":"
                                     "[5,0,0]}]";
    char text[256];
    snprintf(text, sizeof(text), nodes, "collision_box");
    model_file m = scene(text, "[0,1]");
    const ct_mesh_shape *s = only_shape(mesh_case_blob(&t, &m, ""));
    assert_vector(s->half_size, 1, 2, 3);
    assert_vector(s->center, 5, 0, 0);
    assert_vector(s->rotation, 0, 0, 0.38268343f);
    snprintf(text, sizeof(text), nodes, "collision_convex");
    m = scene(text, "[0,1]");
    s = only_shape(mesh_case_blob(&t, &m, ""));
    const float across = 3 * sqrtf(0.5f);
    assert_vector(s->half_size, across, across, 3);
    assert_vector(s->rotation, 0, 0, 0);
    compile_case_free(&t);
}

static void keeps_the_triangles_facing_outwards(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m = scene("[{\"name\":\"crate\",\"mesh\":0},{\"name\":\"collision_mesh\",\"mesh\":0,"
                         "\"scale\":[-1,1,1]}]",
                         "[0,1]");
    const ct_mesh_resource *const r = mesh_case_blob(&t, &m, "");
    const ct_mesh_shape *const s = only_shape(r);
    const float *const points = ct_mesh_shape_points(r, s);
    const uint32_t *const indices = ct_mesh_shape_indices(r, s);
    for (uint32_t i = 0; i < s->num_indices; i += 3) {
        const float *a = points + 3 * indices[i], *b = points + 3 * indices[i + 1],
                    *c = points + 3 * indices[i + 2];
        float volume = 0; // with the origin, which is inside
        for (uint32_t k = 0; k < 3; ++k)
            volume += a[k] * (b[(k + 1) % 3] * c[(k + 2) % 3] - b[(k + 2) % 3] * c[(k + 1) % 3]);
        assert_true(volume > 0);
    }
    compile_case_free(&t);
}

// The number of shapes that the mesh of a node alone has.
static uint32_t count_shapes(compile_case *t, const char *nodes, const char *roots,
                             const char *node) {
    char settings[128];
    uint32_t count;
    model_file m = scene(nodes, roots);
    snprintf(settings, sizeof(settings), "node = \"%s\" children = false", node);
    ct_mesh_shapes(mesh_case_blob(t, &m, settings), &count);
    return count;
}

static void gives_each_shape_to_one_node(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    // By name, among siblings.
    static const char *const named =
        "[{\"name\":\"a\",\"mesh\":0},{\"name\":\"b\",\"mesh\":0},"
        "{\"name\":\"collision_box_B\",\"mesh\":0},{\"name\":\"b_occluder\",\"mesh\":0}]";
    assert_int_equal(count_shapes(&t, named, "[0,1,2,3]", "a"), 0);
    assert_int_equal(count_shapes(&t, named, "[0,1,2,3]", "b"), 2);
    // Without such a sibling, what is above, then the first beside.
    static const char *const above =
        "[{\"name\":\"a\",\"mesh\":0,\"children\":[1,2]},{\"name\":\"b\",\"mesh\":0},"
        "{\"children\":[3],\"name\":\"collision\"},{\"name\":\"x\",\"mesh\":0}]";
    assert_int_equal(count_shapes(&t, above, "[0]", "a"), 1);
    assert_int_equal(count_shapes(&t, above, "[0]", "b"), 0);
    static const char *const beside =
        "[{\"name\":\"group\",\"children\":[1,2,3]},{\"name\":\"collision_1\",\"mesh\":0},"
        "{\"name\":\"a\",\"mesh\":0},{\"name\":\"b\",\"mesh\":0}]";
    assert_int_equal(count_shapes(&t, beside, "[0]", "a"), 1);
    assert_int_equal(count_shapes(&t, beside, "[0]", "b"), 0);
    // Below a level of detail it is still a shape, of the finest.
    static const char *const below =
        "[{\"name\":\"a_LOD0\",\"mesh\":0},{\"name\":\"a_LOD1\",\"mesh\":0,\"children\":[2]},"
        "{\"name\":\"col_box\",\"mesh\":0}]";
    assert_int_equal(count_shapes(&t, below, "[0,1]", "a_LOD0"), 1);
    compile_case_free(&t);
}

static void moves_shapes_of_siblings_to_the_space_of_the_node(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m =
        scene("[{\"name\":\"crate\",\"mesh\":0,\"translation\":[5,0,0],\"scale\":[2,2,2]},"
              "{\"name\":\"collision_crate\",\"mesh\":0,\"translation\":[7,0,0]}]",
              "[0,1]");
    const ct_mesh_resource *const r =
        mesh_case_blob(&t, &m, "node = \"crate\" children = false scale = 10");
    assert_vector(only_shape(r)->center, 10, 0, 0);
    assert_vector(only_shape(r)->half_size, 5, 10, 15);
    compile_case_free(&t);
}

static void draws_a_shape_that_is_asked_for(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    static const char *const nodes = "[{\"name\":\"collision_box\",\"mesh\":0}]";
    model_file m = scene(nodes, "[0]");
    const ct_mesh_resource *const r = mesh_case_blob(&t, &m, "node = \"collision_box\"");
    assert_int_equal(r->shapes.count, 0);
    assert_int_equal(mesh_case_triangles(r, 0), 12);
    m = scene(nodes, "[0]");
    mesh_case_expect(&t, &m, "", 1, "models/a.gltf: found no triangles to draw, only shapes");
    compile_case_free(&t);
}

static void keeps_flat_shapes_and_refuses_lines(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m = scene("[{\"name\":\"crate\",\"mesh\":0},{\"name\":\"collision_box\",\"mesh\":0,"
                         "\"scale\":[1,0,1]}]",
                         "[0,1]");
    const ct_mesh_shape *const s = only_shape(mesh_case_blob(&t, &m, ""));
    assert_vector(s->half_size, 1, 2, 0);
    m = scene("[{\"name\":\"crate\",\"mesh\":0},{\"name\":\"col_box_1\",\"mesh\":0,"
              "\"scale\":[1,0,0]}]",
              "[0,1]");
    mesh_case_expect(&t, &m, "", 1,
                     "models/a.gltf: node \"col_box_1\" is named as a collision shape, but has no "
                     "triangle with an area");
    m = scene("[{\"name\":\"crate\",\"mesh\":0},{\"name\":\"occluder\",\"mesh\":0,"
              "\"scale\":[0,0,0]}]",
              "[0,1]");
    mesh_case_expect(&t, &m, "", 1, "node \"occluder\" is named as an occluder");
    m = scene("[{\"name\":\"flat\",\"mesh\":0,\"scale\":[1,0,1]},"
              "{\"name\":\"collision_flat\",\"mesh\":0}]",
              "[0,1]");
    mesh_case_expect(&t, &m, "node = \"flat\" children = false", 1,
                     "node \"flat\" is flat, so node \"collision_flat\" has no pose");
    compile_case_free(&t);
}

static void refuses_shapes_with_broken_positions(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m = mesh_case_box(1, 1, 1);
    m.nodes = "[{\"name\":\"crate\",\"mesh\":0},{\"name\":\"collision\",\"mesh\":0,\"scale\":"
              "[1e30,1e30,1e30],\"children\":[2]},{\"mesh\":0,\"scale\":[1e30,1e30,1e30]}]";
    m.roots = "[0,1]";
    mesh_case_expect(&t, &m, "", 1, "models/a.gltf: ");
    compile_case_free(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_shapes_apart_from_what_is_drawn),
        cmocka_unit_test(understands_names),
        cmocka_unit_test(gives_boxes_the_axes_of_their_nodes),
        cmocka_unit_test(keeps_the_triangles_facing_outwards),
        cmocka_unit_test(gives_each_shape_to_one_node),
        cmocka_unit_test(moves_shapes_of_siblings_to_the_space_of_the_node),
        cmocka_unit_test(draws_a_shape_that_is_asked_for),
        cmocka_unit_test(keeps_flat_shapes_and_refuses_lines),
        cmocka_unit_test(refuses_shapes_with_broken_positions),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
