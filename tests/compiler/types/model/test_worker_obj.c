// The reader of OBJ models takes what programs write: numbers, line ends, comments, objects and
// groups in all their forms. What it leaves out it says.
#include "compiler/types/model/obj_case.h"

#define THREE "v 0 0 0\nv 1 0 0\nv 0 1 0\n"
#define TRIANGLE THREE "f 1 2 3\n"
#define POSITIONS " positions 0,0,0 1,0,0 0,1,0\n"

static void expect(const char *obj, const char *part) {
    expect_in(read_obj(obj), part);
}

static void expect_silent(const char *obj, const char *part) {
    const char *const text = read_obj(obj);
    expect_in(text, part);
    expect_not_in(text, "warning");
    expect_not_in(text, "error");
}

static void reads_numbers_of_all_forms(void **state) {
    (void)state;
    expect_silent("v .5 5. +1\nv 1e3 1.5E+3 -2.5e-1\nv -.5 +.25 007\nf 1 2 3",
                  " positions 0.5,5,1 1000,1500,-0.25 -0.5,0.25,7\n");
    expect_silent("v 0.1 0.30000001192092896 123456789012345678901234567890\n"
                  "v 1e-60 0.00000000000000000000000000000000000000000000005e46 16777217\n"
                  "v 1e-45 3.4e38 -0\nf 1 2 3",
                  " positions 0.1,0.3,1.23457e+29 0,0.5,1.67772e+07 1.4013e-45,3.4e+38,0\n");
    // They are errors of the mesh, which names the vertex.
    expect_silent("v nan -inf 1e400\nv -1.#IND00 1.#INF 1.#QNAN\nv -nan(ind) Infinity 1\nf 1 2 3",
                  " positions nan,-inf,inf");
    expect("v 1,5 0 0\n", "error: a.obj:1:3: found \"1,5\"; expected a number");
    expect("v 1 0x2 0\n", "error: a.obj:1:5: found \"0x2\"; expected a number");
    expect("v 1 2 \\\n 3e\n", "error: a.obj:2:2: found \"3e\"; expected a number");
    expect("\nv 1 2\n", "error: a.obj:2:1: found 2 numbers; expected x, y and z");
    expect("vn 1 2\n", "error: a.obj:1:1: found 2 numbers; expected x, y and z");
    expect("vt\n", "error: a.obj:1:1: found 0 numbers; expected u and v");
}

static void reads_blanks_line_ends_and_comments(void **state) {
    (void)state;
    expect_silent("\tv\t0  0\t 0 \r\nv 1 0 0# x\r\nv 0 1 0 # y\r\n\r\nf\t1 2 3", POSITIONS);
    expect_silent("v 0 0 0\rv 1 0 0\rv 0 1 0\rf 1 2 3\r", POSITIONS);
    expect_silent("v 0 0 \\\n0\nv 1 \\\r\n0 \\ \n 0\nv 0 1 0\nf 1 2\\\n3\\\n", POSITIONS);
    // A comment is not continued.
    expect_silent("# C:\\art\\\nv 0 0 0\nv 1 0 0 # x\\\nv 0 1 0\nf 1 2 3", POSITIONS);
}

static void reads_marks_and_zero_bytes(void **state) {
    (void)state;
    static const char zeros[] = TRIANGLE "\0\0";
    static const char inside[] = "v 0 0 0\nv 1 \0 0\n";
    static const char utf16[] = "\xff\xfev\0 \0001\0\n\0";
    static const char bare_utf16[] = "\0v\0 \0001\0\n";
    compile_case t = compile_case_make();
    expect_silent("\xef\xbb\xbf" TRIANGLE, POSITIONS);
    t = compile_case_make();
    expect_in(read_obj_bytes(&t, zeros, sizeof(zeros)), POSITIONS);
    expect_in(read_obj_bytes(&t, inside, sizeof(inside)),
              "error: a.obj:2:5: found a zero byte; expected text");
    expect_in(read_obj_bytes(&t, utf16, sizeof(utf16) - 1),
              "error: a.obj:1:1: the text is UTF-16; save it as UTF-8");
    expect_in(read_obj_bytes(&t, bare_utf16, sizeof(bare_utf16) - 1), "UTF-16");
    read_obj_bytes(&t, "\0", 1); // harms nothing
    expect_not_in(read_obj_bytes(&t, "", 0), "error");
    compile_case_free(&t);
}

static void reads_vertices_of_all_lengths(void **state) {
    (void)state;
    expect_silent("v 0 0 0 1\nv 1 0 0 1.0\nv 0 1 0\nf 1 2 3", POSITIONS);
    const char *const weighted = read_obj("v 0 0 0 1\nv 1 0 0 2\nv 0 1 0 2\nf 1 2 3");
    expect_in(weighted, POSITIONS);
    expect_in(weighted, "warning: line 2: the weight (w) of \"v\" is left out\n");
    expect_silent("v 0 0 0 1 .5 0\nv 1 0 0 1 1 1\nv 0 1 0\nf 1 2 3",
                  " colors 1,0.214041,0,1 1,1,1,1 1,1,1,1\n");
    expect_silent("v 0 0 0 1 0 0 0.5\nv 1 0 0 1 0 0 1\nv 0 1 0 1 0 0 0\nf 1 2 3",
                  " colors 1,0,0,0.5 1,0,0,1 1,0,0,0\n");
    expect("v 0 0 0 9 9\nv 1 0 0\nv 0 1 0\nf 1 2 3",
           "warning: line 1: \"v\" has 5 numbers; the first 3 are read");
}

static void takes_colors_up_to_255(void **state) {
    (void)state;
    const char *text = read_obj("v 0 0 0 255 0 0\nv 1 0 0 0 128 0\nv 0 1 0 1 0 0\nf 1 2 3");
    expect_in(text, " colors 1,0,0,1 0,0.215861,0,1 0.000303527,0,0,1\n");
    expect_in(text, "vertex colours are read as 0 to 255");
    text = read_obj("v 0 0 0 1.5 0 0\nv 1 0 0 0 0.5 0\nv 0 1 0 1 0 0\nf 1 2 3");
    expect_in(text, " colors 1,0,0,1 0,0.214041,0,1 1,0,0,1\n");
    expect_in(text, "vertex colours are clamped");
}

static void reads_corners_of_all_forms(void **state) {
    (void)state;
    expect_silent(THREE "vt .5 .25\nvn 0 0 1\nf 1/1/1 2/1/1 3/1/1",
                  " normals 0,0,1 0,0,1 0,0,1\n uvs 0.5,0.75 0.5,0.75 0.5,0.75\n");
    expect_silent(THREE "vn 0 0 1\nf 1//1 2//1 3//1", " normals 0,0,1 0,0,1 0,0,1\n indices");
    expect_silent(THREE "vt 1\nf 1/1 2/ 3//", " uvs 1,1 0,1 0,1\n");
    expect_silent(THREE "vt 0 1 0\nvn 0 0 1\nf -3/-1/-1 -2/-1/-1 -1/-1/-1\nv 9 9 9", POSITIONS);
    expect_silent("f 1 2 3\n" THREE, POSITIONS); // what comes later is there, too
    expect("vt 1 1 2\n" TRIANGLE, "warning: line 1: \"vt\" has more than u and v");
}

static void refuses_corners_that_are_not_there(void **state) {
    (void)state;
    expect(THREE "f 1 2 9\n", "error: a.obj:4:7: found vertex 9, but there are only 3\n");
    expect(THREE "f 1 0 3\n", "error: a.obj:4:5: found vertex 0; indices start at 1\n");
    expect(THREE "f 1 2 -4\n",
           "error: a.obj:4:7: found vertex -4, but there are only 3 before it\n");
    expect("f -1 -2 -3\n" THREE,
           "error: a.obj:1:3: found vertex -1, but there are only 0 before it\n");
    expect(THREE "vt 0 0\nf 1/1 2/2 3/1\n",
           "5:9: found texture coordinate 2, but there are only 1\n");
    expect(THREE "vn 0 0 1\nf 1//1 2//1 3//5\n", "5:16: found normal 5, but there are only 1\n");
    expect(THREE "f 1 2 99999999999999999999\n", "found vertex 9");
    expect(THREE "f a b c\n", "error: a.obj:4:3: found \"a\"; expected a corner as v, v/vt");
    expect(THREE "f 1 2/x 3\n", "error: a.obj:4:5: found \"2/x\"; expected a corner");
    expect(THREE "f 1 2.5 3\n", "found \"2.5\"; expected a corner");
    expect(THREE "f 1/1/1/1 2 3\n", "found \"1/1/1/1\"; expected a corner");
    // Exporters name normals that they have not written.
    const char *const text = read_obj(THREE "f 1//1 2//2 3//3\n");
    expect_in(text, POSITIONS " indices 0,1,2\n");
    expect_in(text, "warning: line 4: faces refer to a normal, but the file has none");
}

static void cuts_polygons(void **state) {
    (void)state;
    expect_silent("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\nf 4 3 2",
                  " indices 0,1,2 0,2,3 4,5,6\n");
    // Concave: the fan from the first corner would cover what is outside.
    expect_silent("v 2 0 0\nv 0 2 0\nv -2 0 0\nv 0 1 0\nf 1 2 3 4", " indices 3,0,1 3,1,2\n");
    ct_string_builder b;
    ct_string_builder_init(&b, test_heap());
    for (uint32_t i = 0; i < 5000; ++i)
        ct_string_builder_addf(&b, "v %u %u 0\n", i, i % 2);
    ct_string_builder_add(&b, "v 2500 9 0\nf");
    for (uint32_t i = 0; i < 5001; ++i)
        ct_string_builder_addf(&b, " %u", i + 1);
    expect(ct_string_builder_text(&b), "error: a.obj:5002:1: found a polygon of 5001 corners that "
                                       "is not convex; expected at most 4096");
    ct_string_builder_free(&b);
}

static void objects_and_groups_are_nodes(void **state) {
    (void)state;
    expect_silent(TRIANGLE, "node \"defaultobject\"\nmesh \"defaultobject\" of "
                            "\"DefaultMaterial\"\n");
    const char *text = read_obj(THREE "o My car # x\nf 1 2 3\ng a  b \nf 1 2 3\ng\nf 1 2 3\n");
    expect_in(text, "node \"My car\"\nmesh");
    expect_in(text, "node \"a  b\"\nmesh");
    expect_in(text, "node \"\"\nmesh");
    // A group that goes on in another object is not a node of its own.
    text = read_obj(THREE "o x\ng a\nf 1 2 3\no y\ng a\nf 3 2 1\n");
    expect_in(text, "node \"x\"\nnode \"a\"\nmesh \"a\"");
    expect_in(text, "node \"y\"\nmesh \"y\"");
}

static void an_object_that_comes_again_goes_on(void **state) {
    (void)state;
    const char *const text =
        read_obj(THREE "v 9 0 0\no a\nf 1 2 3\no b\nf 2 3 1\no a\nf 3 2 4\ng b\nf 1 2 4\n");
    expect_in(text, "node \"a\"\nmesh \"a\" of \"DefaultMaterial\"\n"
                    " positions 0,0,0 1,0,0 0,1,0 0,1,0 1,0,0 9,0,0\n indices 0,1,2 3,4,5\n"
                    "node \"b\"\nmesh \"b\" of \"DefaultMaterial\"\n"
                    " positions 1,0,0 0,1,0 0,0,0\n indices 0,1,2\n"
                    "node \"b\"\nmesh \"b\" of \"DefaultMaterial\"\n"
                    " positions 0,0,0 1,0,0 9,0,0\n");
}

static void limits_objects(void **state) {
    (void)state;
    ct_string_builder b;
    ct_string_builder_init(&b, test_heap());
    for (uint32_t i = 0; i <= CT_WORKER_SCENE_MAX_NODES; ++i)
        ct_string_builder_addf(&b, "o n%u\n", i);
    expect(ct_string_builder_text(&b), "error: a.obj:65537:1: found too many objects and groups, "
                                       "expected at most 65536");
    ct_string_builder_free(&b);
}

static void makes_a_mesh_of_each_material(void **state) {
    (void)state;
    const char *const text =
        read_obj(THREE "f 1 2 3\nusemtl a b\nf 1 2 3\nusemtl c\nf 2 3 1\nusemtl a b\nf 3 2 1\n"
                       "usemtl\nf 2 1 3\n");
    expect_in(text, "of \"DefaultMaterial\"\n positions 0,0,0 1,0,0 0,1,0 1,0,0 0,0,0 0,1,0\n");
    expect_in(text, "of \"a b\"\n positions 0,0,0 1,0,0 0,1,0 0,1,0 1,0,0 0,0,0\n");
    expect_in(text, "of \"c\"\n positions 1,0,0 0,1,0 0,0,0\n");
    expect_in(text, "material \"c\" opaque color 1,1,1,1 metal 0 rough 1 ");
}

static void notes_points_and_lines(void **state) {
    (void)state;
    expect(THREE "l 1 2\nf 1 2 3\n", "with points or lines\n" POSITIONS);
    expect(THREE "p 1\nf 1 2 3\n", "with points or lines\n" POSITIONS);
    expect(THREE "f 1 2\nf 1 2 3\n", "with points or lines\n" POSITIONS " indices 0,1,2\n");
    expect(THREE "l 1 2\n", "with points or lines\n positions\n indices\n");
}

static void passes_over_other_statements(void **state) {
    (void)state;
    expect_silent("s 1\ns off\nlod 3\nbevel on\nmg 1 2\n" TRIANGLE, POSITIONS);
    const char *const text =
        read_obj("vp 1 2\nvp 3 4\ncurv 0 1 \\\n 1 2\n" TRIANGLE "foo#bar\nfoo\n");
    expect_in(text, POSITIONS);
    expect_in(text, "warning: line 1: \"vp\" is not read\nwarning: line 3: \"curv\" is not read\n"
                    "warning: line 9: \"foo\" is not read\n");
    expect_not_in(text, "line 10");
    ct_string_builder b;
    ct_string_builder_init(&b, test_heap());
    for (uint32_t i = 0; i < 10000; ++i)
        ct_string_builder_addf(&b, "what%u\n", i);
    expect(ct_string_builder_text(&b), "is not read; further warnings are not listed\n");
    assert_true(strlen(ct_string_builder_text(&obj_text)) < 10000);
    ct_string_builder_free(&b);
}

static void reads_several_libraries(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile_case_text(&t, "b.mtl", "newmtl b\nKd 0 1 0\nnewmtl both\nKd 1 0 0\n");
    compile_case_text(&t, "my_own.mtl", "newmtl own\nKd 0 0 1\nnewmtl both\nKd 0 0 0\n");
    compile_case_text(&t, "plain", "newmtl plain\nKd 0 0 0.5\n");
    static const char *const lines[] = {"mtllib b.mtl My Own.mtl\nmtllib plain\n",
                                        "mtllib My Own.mtl\tb.mtl # all\nmtllib\tplain \r\n",
                                        "mtllib b.mtl \\\n ./My Own.mtl plain\n",
                                        "mtllib My Own.mtl\nmtllib b.mtl plain #x\n"};
    for (uint32_t i = 0; i < CT_COUNT_OF(lines); ++i) {
        char text[256];
        // Before or after use.
        snprintf(text, sizeof(text), "%s" TRIANGLE "%s", i % 2 ? lines[i] : "",
                 i % 2 ? "" : lines[i]);
        const char *const scene = read_obj_bytes(&t, text, strlen(text));
        expect_in(scene, "material \"b\" opaque color 0,1,0,1");
        expect_in(scene, "material \"own\" opaque color 0,0,1,1");
        expect_in(scene, "material \"plain\" opaque color 0,0,0.5,1");
        expect_in(scene, "the material \"both\" is defined twice; the first one is used");
        expect_not_in(scene, "was not found");
    }
    compile_case_free(&t);
}

static void does_without_a_library(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    static const char text[] = "mtllib gone.mtl\n" THREE "usemtl red\nf 1 2 3\n";
    const char *scene = read_obj_bytes(&t, text, strlen(text));
    expect_in(scene, "warning: line 1: the material library \"gone.mtl\" was not found\n");
    expect_in(scene, "of \"red\"");
    assert_true(compile_case_has_include(&t, "gone.mtl"));
    compile_case_text(&t, "a.mtl", "newmtl red\nKd 1 0 0\n");
    scene = read_obj_bytes(&t, text, strlen(text));
    expect_in(scene, "\"gone.mtl\" was not found; read instead: a.mtl\n");
    expect_in(scene, "material \"red\" opaque color 1,0,0,1");
    compile_case_free(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_numbers_of_all_forms),
        cmocka_unit_test(reads_blanks_line_ends_and_comments),
        cmocka_unit_test(reads_marks_and_zero_bytes),
        cmocka_unit_test(reads_vertices_of_all_lengths),
        cmocka_unit_test(takes_colors_up_to_255),
        cmocka_unit_test(reads_corners_of_all_forms),
        cmocka_unit_test(refuses_corners_that_are_not_there),
        cmocka_unit_test(cuts_polygons),
        cmocka_unit_test(objects_and_groups_are_nodes),
        cmocka_unit_test(an_object_that_comes_again_goes_on),
        cmocka_unit_test(limits_objects),
        cmocka_unit_test(makes_a_mesh_of_each_material),
        cmocka_unit_test(notes_points_and_lines),
        cmocka_unit_test(passes_over_other_statements),
        cmocka_unit_test(reads_several_libraries),
        cmocka_unit_test(does_without_a_library),
    };
    return cmocka_run_group_tests(tests, test_group_setup, free_obj_text);
}
