// Models in FBX and OBJ: axes, units, pivots, polygons, material libraries, bad files.
#include <math.h>

#include "compiler/compile_case.h"
#include "foundation/string/string_builder.h"
#include "resource/types/mesh_resource.h"

// What Assimp loses when a file is refused; a worker process ends that.
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
    return "leak:libassimp.so\n";
}

static const ct_mesh_resource *compile(compile_case *t, const char *file, const char *text,
                                       const char *settings) {
    char source[256];
    compile_case_text(t, file, text);
    snprintf(source, sizeof(source), "source = \"%s\"\nquantize = false\n%s\n", file, settings);
    compile_case_text(t, "a.mesh", source);
    return compile_case_blob(t, "mesh", "a");
}

static void compile_badly(compile_case *t, const char *file, const char *text) {
    char source[256];
    compile_case_text(t, file, text);
    snprintf(source, sizeof(source), "source = \"%s\"\n", file);
    compile_case_text(t, "a.mesh", source);
    compile_case_run(t, "mesh", "a");
}

static bool has_vertex(const ct_mesh_resource *r, float x, float y, float z) {
    const ct_mesh_vertex *const v = ct_blob_at(r, r->vertices.offset);
    for (uint32_t i = 0; i < r->num_vertices; ++i) {
        if (fabsf(v[i].position[0] - x) + fabsf(v[i].position[1] - y) +
                fabsf(v[i].position[2] - z) <
            1e-4f)
            return true;
    }
    return false;
}

// --- OBJ -----------------------------------------------------------------------------------------

static const char triangle[] = "v 1 2 3\nv 4 2 3\nv 1 5 3\nf 1 2 3\n";

static void reads_obj_with_y_up(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    const ct_mesh_resource *r = compile(&t, "a.obj", triangle, "");
    assert_int_equal(r->num_vertices, 3);
    assert_true(has_vertex(r, 1, -3, 2) && has_vertex(r, 1, -3, 5));
    r = compile(&t, "a.obj", triangle, "up_axis = \"z\"");
    assert_true(has_vertex(r, 1, 2, 3) && has_vertex(r, 1, 5, 3));
    compile_case_free(&t);
}

static void cuts_polygons_to_triangles(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    // An arrowhead: a fan from its first corner would cover what lies outside.
    const ct_mesh_resource *const r =
        compile(&t, "a.obj", "v 2 0 0\nv 0 2 0\nv -2 0 0\nv 0 1 0\nf 1 2 3 4\n", "up_axis = \"z\"");
    assert_int_equal(r->num_indices, 6);
    const ct_mesh_vertex *const v = ct_blob_at(r, r->vertices.offset);
    const uint16_t *const at = ct_blob_at(r, r->indices.offset);
    float area = 0;
    for (uint32_t i = 0; i < 6; i += 3) {
        const float *a = v[at[i]].position, *b = v[at[i + 1]].position, *c = v[at[i + 2]].position;
        const float twice = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        assert_true(twice > 0);
        area += twice / 2;
    }
    assert_true(fabsf(area - 2) < 1e-5f);
    compile_case_free(&t);
}

static void reads_obj_colors_as_srgb(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    const ct_mesh_resource *const r =
        compile(&t, "a.obj", "v 0 0 0 0.5 0 1\nv 1 0 0 0.5 0 1\nv 0 1 0 0.5 0 1\nf 1 2 3\n", "");
    assert_int_equal(r->extras.count, 3);
    const ct_mesh_vertex_extra *const e = ct_blob_at(r, r->extras.offset);
    assert_in_range(e->color[0], 14020, 14040); // 0.2140 linear
    assert_int_equal(e->color[1], 0);
    assert_int_equal(e->color[2], 65535);
    assert_int_equal(e->color[3], 65535);
    compile_case_free(&t);
}

static void makes_a_part_of_each_obj_material(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile_case_text(&t, "box_colors.mtl", "newmtl red\nKd 1 0 0\nnewmtl blue\nKd 0 0 1\n");
    const ct_mesh_resource *const r =
        compile(&t, "a.obj",
                "mtllib Box Colors.MTL\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl red\nf 1 2 3\n"
                "usemtl blue\nf 3 2 1\n",
                "");
    assert_int_equal(r->parts.count, 2);
    const ct_mesh_part *const parts = ct_blob_at(r, r->parts.offset);
    assert_int_equal(parts[0].slot.value, ct_string_id32_of("red").value);
    assert_int_equal(parts[1].slot.value, ct_string_id32_of("blue").value);
    assert_true(compile_case_has_include(&t, "box_colors.mtl"));
    compile_case_free(&t);
}

static void does_without_a_material_library(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    const ct_mesh_resource *const r = compile(
        &t, "a.obj", "mtllib gone.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl red\nf 1 2 3\n", "");
    assert_int_equal(r->num_indices, 3);
    // When it comes, the mesh is compiled anew.
    assert_true(compile_case_has_include(&t, "gone.mtl"));
    compile_case_free(&t);
}

// However thin a triangle is, it stays; with its corners on a line it does not.
static void drops_triangles_without_area(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    const ct_mesh_resource *const r = compile(&t, "a.obj",
                                              "v 0 0 0\nv 1 2 3\nv 3 6 9\nv 1 0 0\nv 1000 1e-7 0\n"
                                              "v 1e-30 0 0\nv 0 1e-30 0\n"
                                              "f 1 2 3\nf 1 4 5\nf 1 6 7\n",
                                              "");
    assert_int_equal(r->num_indices, 6);
    assert_int_equal(r->num_vertices, 6); // those of the dropped one are gone
    compile_case_free(&t);
}

// An OBJ with a triangle of each of `count` materials.
static void write_materials(ct_string_builder *text, uint32_t count) {
    ct_string_builder_add(text, "v 0 0 0\nv 1 0 0\nv 0 1 0\n");
    for (uint32_t i = 0; i < count; ++i)
        ct_string_builder_addf(text, "usemtl m%u\nf 1 2 3\n", i);
}

static void a_mesh_has_up_to_64_parts(void **state) {
    (void)state;
    ct_string_builder text;
    ct_string_builder_init(&text, test_heap());
    write_materials(&text, 64);
    compile_case t = compile_case_make();
    const ct_mesh_resource *const r = compile(&t, "a.obj", ct_string_builder_text(&text), "");
    assert_int_equal(r->parts.count, 64);
    compile_case_free(&t);
    ct_string_builder_free(&text);
    ct_string_builder_init(&text, test_heap());
    write_materials(&text, 65);
    t = compile_case_make();
    compile_badly(&t, "a.obj", ct_string_builder_text(&text));
    compile_case_expect(&t, "a.mesh", 1, "a.obj: found 65 materials; a mesh can have at most 64");
    compile_case_free(&t);
    ct_string_builder_free(&text);
}

static void refuses_bad_obj_files(void **state) {
    (void)state;
    const char *const cases[][3] = {
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n", "a.obj", "found vertex 9, but there are only 3"},
        {"v 0 0 0\nv 1 0 nan\nv 0 1 0\nf 1 2 3\n", "a.mesh", "is not a number"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nl 1 2\nf 1 2\n", "a.mesh", "found no triangles"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 1 1\n", "a.mesh", "found no triangles with an area"},
        {"v 0 0 0\nv 1 2 3\nv 3 6 9\nf 1 2 3\n", "a.mesh", "found no triangles with an area"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf a b c\n", "a.obj", "found \"a\"; expected a corner as v"},
        {"hello, this is not a model", "a.mesh", "found no triangles"},
        {"", "a.mesh", "found no triangles"},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        compile_case t = compile_case_make();
        compile_badly(&t, "a.obj", cases[i][0]);
        compile_case_expect(&t, cases[i][1], 0, cases[i][2]);
        compile_case_free(&t);
    }
}

static void refuses_a_million_objects(void **state) {
    (void)state;
    ct_string_builder text;
    ct_string_builder_init(&text, test_heap());
    ct_string_builder_add(&text, triangle);
    for (uint32_t i = 0; i < 1000000; ++i)
        ct_string_builder_addf(&text, "o n%u\nf 1 2 3\n", i);
    compile_case t = compile_case_make();
    compile_badly(&t, "a.obj", ct_string_builder_text(&text));
    compile_case_expect(&t, "a.obj", 0, "found too many objects and groups");
    compile_case_free(&t);
    ct_string_builder_free(&text);
}

// --- FBX -----------------------------------------------------------------------------------------

typedef struct fbx_file {
    ct_string_builder objects, connections;
    const char *settings; // of the axes and the unit
} fbx_file;

static fbx_file fbx_make(void) {
    fbx_file f = {.settings = ""};
    ct_string_builder_init(&f.objects, test_heap());
    ct_string_builder_init(&f.connections, test_heap());
    return f;
}

static void fbx_node(fbx_file *f, uint32_t id, uint32_t parent, const char *properties) {
    ct_string_builder_addf(&f->objects,
                           "Model: %u, \"Model::n%u\", \"Mesh\" {\n Version: 232\n "
                           "Properties70: {\n%s }\n}\n",
                           id, id, properties);
    ct_string_builder_addf(&f->connections, " C: \"OO\",%u,%u\n", id, parent);
}

static void fbx_geometry(fbx_file *f, uint32_t id, uint32_t node, const char *indices) {
    ct_string_builder_addf(&f->objects,
                           "Geometry: %u, \"Geometry::g\", \"Mesh\" {\n"
                           " Vertices: *9 { a: 1,2,3,4,2,3,1,5,3 }\n"
                           " PolygonVertexIndex: *3 { a: %s }\n GeometryVersion: 124\n}\n",
                           id, indices);
    ct_string_builder_addf(&f->connections, " C: \"OO\",%u,%u\n", id, node);
}

// Frees `f`; the text is the caller's.
static ct_string_builder fbx_text(fbx_file *f) {
    ct_string_builder b;
    ct_string_builder_init(&b, test_heap());
    ct_string_builder_addf(&b,
                           "; FBX 7.3.0 project file\nFBXHeaderExtension:  {\n"
                           " FBXHeaderVersion: 1003\n FBXVersion: 7300\n}\n"
                           "GlobalSettings:  {\n Version: 1000\n Properties70:  {\n%s }\n}\n"
                           "Definitions:  {\n Version: 100\n Count: 3\n}\nObjects:  {\n",
                           f->settings);
    ct_string_builder_add(&b, ct_string_builder_text(&f->objects));
    ct_string_builder_add(&b, "}\nConnections:  {\n");
    ct_string_builder_add(&b, ct_string_builder_text(&f->connections));
    ct_string_builder_add(&b, "}\n");
    ct_string_builder_free(&f->objects);
    ct_string_builder_free(&f->connections);
    return b;
}

static const ct_mesh_resource *compile_fbx(compile_case *t, fbx_file *f, const char *settings) {
    ct_string_builder text = fbx_text(f);
    const ct_mesh_resource *const r = compile(t, "a.fbx", ct_string_builder_text(&text), settings);
    ct_string_builder_free(&text);
    return r;
}

static void expect_fbx_error(fbx_file *f, const char *file, const char *message) {
    compile_case t = compile_case_make();
    ct_string_builder text = fbx_text(f);
    compile_badly(&t, "a.fbx", ct_string_builder_text(&text));
    ct_string_builder_free(&text);
    compile_case_expect(&t, file, 0, message);
    compile_case_free(&t);
}

static void reads_fbx_in_centimetres_with_y_up(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    fbx_file f = fbx_make();
    fbx_node(&f, 1, 0, "");
    fbx_geometry(&f, 10, 1, "0,1,-3");
    const ct_mesh_resource *const r = compile_fbx(&t, &f, "");
    assert_true(has_vertex(r, 0.01f, -0.03f, 0.02f) && has_vertex(r, 0.04f, -0.03f, 0.02f));
    compile_case_free(&t);
}

#define AXIS(name, value) "  P: \"" name "\", \"int\", \"Integer\", \"\"," #value "\n"
#define METRES "  P: \"UnitScaleFactor\", \"double\", \"Number\", \"\",100\n"

static void takes_axes_and_unit_from_the_file(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    fbx_file f = fbx_make();
    // As 3D programs with z up write it: the front looks against y.
    f.settings = AXIS("UpAxis", 2) AXIS("FrontAxis", 1) AXIS("FrontAxisSign", -1)
        AXIS("CoordAxis", 0) METRES;
    fbx_node(&f, 1, 0, "");
    fbx_geometry(&f, 10, 1, "0,1,-3");
    assert_true(has_vertex(compile_fbx(&t, &f, ""), 1, 2, 3));
    f = fbx_make();
    f.settings = AXIS("UpAxis", 1) AXIS("UpAxis", 1) AXIS("UpAxisSign", -1) AXIS("CoordAxis", 0)
        AXIS("CoordAxisSign", -1) METRES;
    fbx_node(&f, 1, 0, "");
    fbx_geometry(&f, 10, 1, "0,1,-3");
    assert_true(has_vertex(compile_fbx(&t, &f, ""), -1, -3, -2));
    compile_case_free(&t);
}

static void turns_left_handed_axes_right_side_out(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    fbx_file f = fbx_make();
    f.settings = AXIS("CoordAxis", 0) AXIS("CoordAxisSign", -1) METRES;
    fbx_node(&f, 1, 0, "");
    fbx_geometry(&f, 10, 1, "0,1,-3");
    const ct_mesh_resource *const r = compile_fbx(&t, &f, "");
    assert_true(has_vertex(r, -1, -3, 2));
    // Mirrored, the triangle still faces the viewer, who stands where our y comes from.
    const ct_mesh_vertex *const v = ct_blob_at(r, r->vertices.offset);
    const uint16_t *const at = ct_blob_at(r, r->indices.offset);
    const float *a = v[at[0]].position, *b = v[at[1]].position, *c = v[at[2]].position;
    assert_true((b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2]) < 0);
    assert_true(v[0].normal[1] < -0.99f);
    compile_case_free(&t);
}

static void moves_only_a_nodes_own_mesh_by_its_geometric_transform(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    fbx_file f = fbx_make();
    f.settings = METRES;
    fbx_node(&f, 1, 0,
             "  P: \"GeometricTranslation\", \"Vector3D\", \"Vector\", \"\",0,0,5\n"
             "  P: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",10,0,0\n");
    fbx_node(&f, 2, 1, "  P: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",0,3,0\n");
    fbx_geometry(&f, 10, 1, "0,1,-3");
    fbx_geometry(&f, 11, 2, "0,1,-3");
    const ct_mesh_resource *const r = compile_fbx(&t, &f, "");
    assert_true(has_vertex(r, 11, -8, 2)); // (1, 2, 3) + (10, 0, 5)
    assert_true(has_vertex(r, 11, -3, 5)); // (1, 2, 3) + (10, 3, 0)
    compile_case_free(&t);
}

static void turns_about_pivots(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    fbx_file f = fbx_make();
    f.settings = METRES;
    fbx_node(&f, 1, 0,
             "  P: \"RotationPivot\", \"Vector3D\", \"Vector\", \"\",1,2,3\n"
             "  P: \"Lcl Rotation\", \"Lcl Rotation\", \"\", \"A\",0,0,90\n");
    fbx_geometry(&f, 10, 1, "0,1,-3");
    const ct_mesh_resource *const r = compile_fbx(&t, &f, "");
    assert_true(has_vertex(r, 1, -3, 2));  // the pivot itself
    assert_true(has_vertex(r, 1, -3, 5));  // (4, 2, 3) turned about it
    assert_true(has_vertex(r, -2, -3, 2)); // (1, 5, 3)
    compile_case_free(&t);
}

static void refuses_bad_fbx_files(void **state) {
    (void)state;
    fbx_file f = fbx_make();
    fbx_node(&f, 1, 0, "");
    fbx_geometry(&f, 10, 1, "0,7,-3");
    expect_fbx_error(&f, "a.mesh", "polygon vertex index out of range");
    f = fbx_make();
    fbx_node(&f, 1, 0, "");
    expect_fbx_error(&f, "a.mesh", "found no triangles");
    f = fbx_make();
    fbx_node(&f, 1, 0, "  P: \"Lcl Scaling\", \"Lcl Scaling\", \"\", \"A\",1e60,1,1\n");
    fbx_geometry(&f, 10, 1, "0,1,-3");
    expect_fbx_error(&f, "a.mesh",
                     "the transform of node \"n1\" has values that are not finite numbers");
    f = fbx_make();
    f.settings = AXIS("UpAxis", 2);
    fbx_node(&f, 1, 0, "");
    fbx_geometry(&f, 10, 1, "0,1,-3");
    expect_fbx_error(&f, "a.mesh", "its GlobalSettings do not name three different axes");
}

static void refuses_fbx_objects_in_a_circle(void **state) {
    (void)state;
    fbx_file f = fbx_make();
    fbx_node(&f, 1, 0, "");
    fbx_node(&f, 2, 1, "");
    fbx_geometry(&f, 10, 1, "0,1,-3");
    ct_string_builder_add(&f.connections, " C: \"OO\",1,2\n");
    expect_fbx_error(&f, "a.fbx", "its objects are connected in a circle");
}

static void refuses_a_long_line_of_fbx_objects(void **state) {
    (void)state;
    fbx_file f = fbx_make();
    for (uint32_t i = 1; i < 5000; ++i)
        fbx_node(&f, i, i - 1, "");
    fbx_geometry(&f, 9999, 1, "0,1,-3");
    expect_fbx_error(&f, "a.fbx", "its objects are connected 4999 deep");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_obj_with_y_up),
        cmocka_unit_test(cuts_polygons_to_triangles),
        cmocka_unit_test(reads_obj_colors_as_srgb),
        cmocka_unit_test(makes_a_part_of_each_obj_material),
        cmocka_unit_test(does_without_a_material_library),
        cmocka_unit_test(drops_triangles_without_area),
        cmocka_unit_test(a_mesh_has_up_to_64_parts),
        cmocka_unit_test(refuses_bad_obj_files),
        cmocka_unit_test(refuses_a_million_objects),
        cmocka_unit_test(reads_fbx_in_centimetres_with_y_up),
        cmocka_unit_test(takes_axes_and_unit_from_the_file),
        cmocka_unit_test(turns_left_handed_axes_right_side_out),
        cmocka_unit_test(moves_only_a_nodes_own_mesh_by_its_geometric_transform),
        cmocka_unit_test(turns_about_pivots),
        cmocka_unit_test(refuses_bad_fbx_files),
        cmocka_unit_test(refuses_fbx_objects_in_a_circle),
        cmocka_unit_test(refuses_a_long_line_of_fbx_objects),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
