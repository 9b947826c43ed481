// Random triangles, some of them flipped, thin, without an area or far away: what comes is a blob that
// its check accepts, or an error.
#include <math.h>

#include "compiler/types/navigation/navigation_case.h"
#include "foundation/math/random.h"

// Numbers of a coarse grid meet often: corners on edges, and triangles in one plane.
static float number(ct_random *r, bool is_coarse, float most) {
    const float x = ct_random_float_range(r, -most, most);
    return is_coarse ? roundf(x) : x;
}

static void write_soup(compile_case *t, ct_random *r) {
    enum { MOST = 400 };
    static char text[MOST * 3 * 64 + MOST * 32];
    const uint32_t count = 1 + ct_random_below(r, MOST);
    const bool is_coarse = ct_random_below(r, 2);
    const float height = ct_random_below(r, 3) ? 1 : 8;
    int length = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const float x = number(r, is_coarse, 20), y = number(r, is_coarse, 20);
        const float size = ct_random_below(r, 8) ? 5 : 40, z = number(r, is_coarse, height);
        for (uint32_t k = 0; k < 3; ++k)
            length += snprintf(text + length, sizeof(text) - (size_t)length, "v %.4f %.4f %.4f\n",
                               (double)(x + number(r, is_coarse, size)),
                               (double)(y + number(r, is_coarse, size)),
                               (double)(z + number(r, is_coarse, height)));
        length += snprintf(text + length, sizeof(text) - (size_t)length, "f -3 -2 -1\n");
    }
    compile_case_text(t, "soup.obj", text);
}

static void a_soup_of_triangles_is_a_mesh_or_an_error(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    ct_random r = ct_random_seeded(33, 0);
    const uint32_t rounds = test_rounds(25, 300);
    uint32_t num_meshes = 0;
    navigation_write(
        &t, "{ id = \"s\" unit = \"soup\" }",
        "mesh_tag = \"ground\" actors = false least_area = 0\n"
        "agents = [ { id = \"a\" name = \"human\" } { id = \"b\" name = \"mouse\" radius = "
        "0.05 height = 0.3 climb = 0.3 slope = 1.4 } ]");
    compile_case_text(&t, "soup.mesh", "source = \"soup.obj\" up_axis = \"z\"");
    compile_case_text(
        &t, "soup.unit",
        "components = [ { id = \"t\" type = \"transform\" } { id = \"g\" type = \"tag\" "
        "tags = [\"ground\"] } { id = \"m\" type = \"mesh\" mesh = \"soup\" } ]");
    for (uint32_t i = 0; i < rounds; ++i) {
        write_soup(&t, &r);
        compile_case_run(&t, "navigation", "town");
        if (t.answer.errors.count > 0) {
            compile_case_expect(&t, "town.navigation", 0, "finds no ground");
            continue;
        }
        expect_blob(&t.answer, "navigation");
        ++num_meshes;
    }
    assert_true(num_meshes > rounds / 2);
    compile_case_free(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_soup_of_triangles_is_a_mesh_or_an_error),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
