#include "resource/types/mesh/mesh_write.h"

#include <math.h>
#include <string.h>

#include "foundation/error.h"
#include "support/test_support.h"

// A square of 2 m in the plane y = 0, which faces -Y, without normals; u to the right, v down.
static const ct_mesh_own_vertex square[4] = {
    {{-1, 0, 0}, {0}, {0, 1}, {1, 1, 1, 1}},
    {{1, 0, 0}, {0}, {1, 1}, {1, 1, 1, 1}},
    {{1, 0, 2}, {0}, {1, 0}, {1, 1, 1, 1}},
    {{-1, 0, 2}, {0}, {0, 0}, {1, 1, 1, 1}},
};
static const uint32_t indices[6] = {0, 1, 2, 0, 2, 3};

static ct_mesh_own square_of(const ct_mesh_own_vertex *vertices) {
    return (ct_mesh_own){
        .vertices = vertices, .num_vertices = 4, .indices = indices, .num_indices = 6};
}

static const ct_mesh_resource *write(ct_blob_writer *w, const ct_mesh_own *mesh) {
    ct_error error = {0};
    if (!ct_mesh_write(w, test_heap(), mesh, &error))
        fail_msg("%s", error.message);
    const void *const blob = w->bytes.items;
    assert_true(ct_blob_check_header(blob, w->bytes.count, ct_string_id64_of("mesh"),
                                     CT_MESH_VERSION, &error));
    if (!ct_mesh_validate(blob, &error))
        fail_msg("%s", error.message);
    return blob;
}

static void assert_near(const float *found, const float *expected, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i)
        assert_true(fabsf(found[i] - expected[i]) < 1e-5f);
}

static void writes_a_valid_blob(void **state) {
    (void)state;
    ct_blob_writer w;
    const ct_mesh_own mesh = square_of(square);
    const ct_mesh_resource *const r = write(&w, &mesh);
    assert_int_equal(ct_mesh_num_triangles(r), 2);
    assert_int_equal(r->parts.count, 1);
    assert_int_equal(r->extras.count, 0); // all white
    assert_near(r->bounds_min, (const float[]){-1, 0, 0}, 3);
    assert_near(r->bounds_max, (const float[]){1, 0, 2}, 3);
    assert_near(&r->bounds_radius, (const float[]){sqrtf(2)}, 1);
    for (uint32_t i = 0; i < 4; ++i) {
        const ct_mesh_vertex v = ct_mesh_vertex_at(r, i);
        assert_near(v.position, square[i].position, 3);
        assert_near(v.uv, square[i].uv, 2);
        assert_near(v.normal, (const float[]){0, -1, 0}, 3);
        // cross(normal, tangent) * w is upwards.
        assert_near(v.tangent, (const float[]){1, 0, 0, 1}, 4);
    }
    ct_blob_writer_free(&w);
}

static void keeps_normals_and_colors(void **state) {
    (void)state;
    ct_mesh_own_vertex own[4];
    memcpy(own, square, sizeof(own));
    own[1].normal[0] = 3;
    own[1].color[1] = 0.5f;
    own[2].color[0] = 7;
    own[2].color[2] = -7;
    ct_blob_writer w;
    const ct_mesh_own mesh = square_of(own);
    const ct_mesh_resource *const r = write(&w, &mesh);
    assert_near(ct_mesh_vertex_at(r, 1).normal, (const float[]){1, 0, 0}, 3);
    assert_int_equal(r->extras.count, 4);
    assert_int_equal(ct_mesh_extra_at(r, 1).color[1], 32768);
    assert_int_equal(ct_mesh_extra_at(r, 2).color[0], 65535);
    assert_int_equal(ct_mesh_extra_at(r, 2).color[2], 0);
    ct_blob_writer_free(&w);
}

static void mirrored_coordinates_turn_the_sign(void **state) {
    (void)state;
    ct_mesh_own_vertex own[4];
    memcpy(own, square, sizeof(own));
    for (uint32_t i = 0; i < 4; ++i)
        own[i].uv[0] = 1 - own[i].uv[0];
    ct_blob_writer w;
    const ct_mesh_own mesh = square_of(own);
    assert_near(ct_mesh_vertex_at(write(&w, &mesh), 0).tangent, (const float[]){-1, 0, 0, -1}, 4);
    ct_blob_writer_free(&w);
}

static void survives_triangles_without_area(void **state) {
    (void)state;
    const ct_mesh_own_vertex points[4] = {{.position = {1, 1, 1}}};
    ct_blob_writer w;
    const ct_mesh_own mesh = square_of(points);
    const ct_mesh_vertex v = ct_mesh_vertex_at(write(&w, &mesh), 1);
    assert_near(v.normal, (const float[]){0, 0, 1}, 3);
    assert_near(v.tangent, (const float[]){1, 0, 0}, 3);
    ct_blob_writer_free(&w);
}

static void names_parts(void **state) {
    (void)state;
    const ct_mesh_own_part parts[] = {{0, 3, "left"}, {3, 3, "right"}};
    ct_mesh_own mesh = square_of(square);
    mesh.parts = parts;
    mesh.num_parts = 2;
    ct_blob_writer w;
    const ct_mesh_resource *const r = write(&w, &mesh);
    const ct_mesh_part *const found = ct_blob_at(r, r->parts.offset);
    assert_int_equal(r->parts.count, 2);
    assert_int_equal(found[1].first_index, 3);
    assert_int_equal(found[1].slot.value, ct_string_id32_of("right").value);
    ct_blob_writer_free(&w);
}

static void refuse(const ct_mesh_own *mesh, const char *message) {
    ct_blob_writer w;
    ct_error error = {0};
    assert_false(ct_mesh_write(&w, test_heap(), mesh, &error));
    if (!strstr(error.message, message))
        fail_msg("found \"%s\", expected \"%s\"", error.message, message);
}

static void refuses_wrong_numbers(void **state) {
    (void)state;
    ct_mesh_own_vertex own[4];
    memcpy(own, square, sizeof(own));
    own[2].position[1] = NAN;
    ct_mesh_own mesh = square_of(own);
    refuse(&mesh, "vertices[2].position");
    memcpy(own, square, sizeof(own));
    own[3].uv[1] = INFINITY;
    refuse(&mesh, "vertices[3].uv");
    mesh = square_of(square);
    mesh.num_vertices = 3;
    refuse(&mesh, "indices[5]: found 3, but there are 3 vertices");
    mesh.num_vertices = 2;
    refuse(&mesh, "found 2 vertices");
    mesh = square_of(square);
    mesh.num_indices = 5;
    refuse(&mesh, "found 5 indices");
    mesh.indices = NULL;
    refuse(&mesh, "found 0 indices");
    mesh = square_of(square);
    mesh.parts = (const ct_mesh_own_part[]){{3, 6, NULL}};
    mesh.num_parts = 1;
    refuse(&mesh, "parts[0]: found indices 3 + 6");
    mesh.num_parts = 0;
    refuse(&mesh, "found 0 parts");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_a_valid_blob),
        cmocka_unit_test(keeps_normals_and_colors),
        cmocka_unit_test(mirrored_coordinates_turn_the_sign),
        cmocka_unit_test(survives_triangles_without_area),
        cmocka_unit_test(names_parts),
        cmocka_unit_test(refuses_wrong_numbers),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
