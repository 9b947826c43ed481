#include "resource/mesh_resource.h"

#include <math.h>

#include "blob_fixtures.h"

typedef ct_mesh_resource resource;

// Makes the blob `b` of a sound resource, which the test then damages.
static resource *make(ct_blob_writer *w) {
    write_mesh(w);
    return (resource *)(void *)w->bytes.items;
}

static void accepts_indices_of_both_sizes(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    assert_accepted(ct_mesh_validate, b);
    b->index_bytes = 4;
    b->num_indices = b->indices.count = 3;
    b->parts.count = 1;
    const uint32_t indices[3] = {0, 1, 3};
    memcpy(ITEM(char, b, b->indices, 0), indices, sizeof(indices));
    assert_accepted(ct_mesh_validate, b);
    ct_blob_writer_free(&w);
}

static void refuses_indices_past_the_vertices(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    *ITEM(uint16_t, b, b->indices, 4) = 4;
    assert_refused(ct_mesh_validate, b, "indices[4]: found 4, but there are 4 vertices");
    ct_blob_writer_free(&w);
}

static void refuses_large_indices_past_the_vertices(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    b->index_bytes = 4;
    b->num_indices = b->indices.count = 3;
    b->parts.count = 1;
    const uint32_t indices[3] = {0, 1, 0x10000};
    memcpy(ITEM(char, b, b->indices, 0), indices, sizeof(indices));
    assert_refused(ct_mesh_validate, b, "indices[2]: found 65536");
    ct_blob_writer_free(&w);
}

static void refuses_other_index_sizes(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    b->index_bytes = 3;
    assert_refused(ct_mesh_validate, b, "found indices of 3 bytes, expected 2 or 4");
    ct_blob_writer_free(&w);
}

static void refuses_what_is_no_triangles(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    b->num_indices = b->indices.count = 5;
    assert_refused(ct_mesh_validate, b, "4 vertices and 5 indices, expected triangles");
    b->num_indices = b->indices.count = 0;
    assert_refused(ct_mesh_validate, b, "and 0 indices");
    ct_blob_writer_free(&w);
}

static void refuses_counts_that_differ_from_the_arrays(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    b->num_vertices = 5;
    assert_refused(ct_mesh_validate, b, "arrays of 4 vertices and 6 indices, expected 5 and 6");
    ct_blob_writer_free(&w);
}

static void refuses_arrays_outside_the_blob(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    b->num_vertices = b->vertices.count = 400;
    assert_refused(ct_mesh_validate, b, "vertices: 400 of 48 bytes");
    ct_blob_writer_free(&w);
}

static void refuses_parts_outside_the_indices(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    ct_mesh_part *const part = ITEM(ct_mesh_part, b, b->parts, 1);
    part->first_index = 6;
    assert_refused(ct_mesh_validate, b, "parts[1]: found indices 6 + 3, but there are 6");
    part->first_index = 0xfffffffd;
    part->num_indices = 6;
    assert_refused(ct_mesh_validate, b, "parts[1]");
    part->first_index = 0;
    part->num_indices = 4;
    assert_refused(ct_mesh_validate, b, "parts[1]: found indices 0 + 4");
    ct_blob_writer_free(&w);
}

static void refuses_a_mesh_without_parts(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    b->parts.count = b->parts.offset = 0;
    assert_refused(ct_mesh_validate, b, "parts: there is none");
    ct_blob_writer_free(&w);
}

static void refuses_numbers_that_are_not_finite(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    ITEM(ct_mesh_vertex, b, b->vertices, 2)->normal[1] = NAN;
    assert_refused(ct_mesh_validate, b, "vertices[2]: number 4 is not finite");
    b->bounds_radius = INFINITY;
    assert_refused(ct_mesh_validate, b, "bounds: found a radius of inf");
    b->bounds_max[2] = NAN;
    assert_refused(ct_mesh_validate, b, "along axis 2");
    b->bounds_max[2] = -1;
    assert_refused(ct_mesh_validate, b, "bounds: found 0 to -1 along axis 2");
    ct_blob_writer_free(&w);
}

static void accepts_vertices_without_extras(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    b->extras = (ct_blob_array){0};
    assert_accepted(ct_mesh_validate, b);
    ct_blob_writer_free(&w);
}

static void refuses_extras_of_some_vertices(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    b->extras.count = 3;
    assert_refused(ct_mesh_validate, b, "an array of 3 extras, expected none or 4");
    ct_blob_writer_free(&w);
}

static void refuses_extras_that_are_no_numbers(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    ITEM(ct_mesh_vertex_extra, b, b->extras, 2)->uv1[1] = NAN;
    assert_refused(ct_mesh_validate, b, "extras[2]: uv1 is not finite");
    ct_blob_writer_free(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepts_vertices_without_extras),
        cmocka_unit_test(refuses_extras_of_some_vertices),
        cmocka_unit_test(refuses_extras_that_are_no_numbers),
        cmocka_unit_test(accepts_indices_of_both_sizes),
        cmocka_unit_test(refuses_indices_past_the_vertices),
        cmocka_unit_test(refuses_large_indices_past_the_vertices),
        cmocka_unit_test(refuses_other_index_sizes),
        cmocka_unit_test(refuses_what_is_no_triangles),
        cmocka_unit_test(refuses_counts_that_differ_from_the_arrays),
        cmocka_unit_test(refuses_arrays_outside_the_blob),
        cmocka_unit_test(refuses_parts_outside_the_indices),
        cmocka_unit_test(refuses_a_mesh_without_parts),
        cmocka_unit_test(refuses_numbers_that_are_not_finite),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
