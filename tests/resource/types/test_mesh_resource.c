#include "resource/types/mesh_resource.h"

#include <math.h>

#include "resource/blob/blob_fixtures.h"

typedef ct_mesh_resource resource;

// Makes the blob `b` of a sound resource, which the test then damages.
static resource *make(ct_blob_writer *w) {
    write_mesh(w);
    return (resource *)(void *)w->bytes.items;
}

// The full level of detail alone.
static void drop_lods(resource *b) {
    b->lods = b->lod_parts = (ct_blob_array){0};
    b->num_indices = b->indices.count = 6;
}

static void accepts_indices_of_both_sizes(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    assert_accepted(ct_mesh_validate, b);
    drop_lods(b);
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
    drop_lods(b);
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
    b->num_indices = 0;
    b->indices = (ct_blob_array){0, 0};
    assert_refused(ct_mesh_validate, b, "and 0 indices");
    ct_blob_writer_free(&w);
}

static void refuses_counts_that_differ_from_the_arrays(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    b->num_vertices = 5;
    assert_refused(ct_mesh_validate, b,
                   "found arrays of 4 vertices and 9 indices, expected 5 and 9");
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
    part->first_index = 9;
    assert_refused(ct_mesh_validate, b,
                   "parts[1]: found indices 9 + 3, expected whole triangles within 9");
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
    assert_refused(ct_mesh_validate, b, "parts: the mesh has no parts");
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
    assert_refused(ct_mesh_validate, b, "found 3 extras, expected 0 or 4");
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

// --- Skins ---------------------------------------------------------------------------------------

static void reads_influences_of_both_sizes(void **state) {
    (void)state;
    for (uint32_t count = 4; count <= 8; count += 4) {
        ct_blob_writer w;
        write_skinned_mesh(&w, count);
        resource *const b = (resource *)(void *)w.bytes.items;
        uint32_t num_joints;
        assert_accepted(ct_mesh_validate, b);
        assert_int_equal(ct_mesh_skin_joints(b, &num_joints)[1].name.value, 0x22);
        assert_int_equal(num_joints, 2);
        const ct_mesh_influences8 all = ct_mesh_influences_at(b, 1);
        assert_int_equal(all.joints[0], 1);
        assert_int_equal(all.weights[0], 200);
        assert_int_equal(all.weights[1], 55);
        assert_int_equal(all.weights[7], 0);
        ct_blob_writer_free(&w);
    }
}

static void refuses_influences_that_do_not_add_up(void **state) {
    (void)state;
    ct_blob_writer w;
    write_skinned_mesh(&w, 4);
    resource *const b = (resource *)(void *)w.bytes.items;
    ITEM(ct_mesh_influences4, b, b->influences, 3)->weights[1] = 126;
    assert_refused(ct_mesh_validate, b, "influences[3]: the weights add up to 254, expected 255");
    ITEM(ct_mesh_influences4, b, b->influences, 2)->joints[3] = 2;
    assert_refused(ct_mesh_validate, b, "influences[2]: found joint 2, but there are only 2");
    ct_blob_writer_free(&w);
}

static void refuses_skins_that_are_not_whole(void **state) {
    (void)state;
    ct_blob_writer w;
    write_skinned_mesh(&w, 8);
    resource *const b = (resource *)(void *)w.bytes.items;
    const resource whole = *b;
    ITEM(ct_mesh_skin_joint, b, b->skin_joints, 1)->inverse_bind[2][3] = NAN;
    assert_refused(ct_mesh_validate, b, "skin_joints[1]: its matrix or sphere is not finite");
    b->skin_joints = (ct_blob_array){0};
    assert_refused(ct_mesh_validate, b, "skin_joints: found 0, expected 1 to 256");
    *b = whole;
    b->influences.count = 3;
    assert_refused(ct_mesh_validate, b, "influences: found 3, expected 4");
    *b = whole;
    b->num_influences = 5;
    assert_refused(ct_mesh_validate, b, "found 5 influences of a vertex, expected 0, 4 or 8");
    *b = whole;
    b->num_influences = 0;
    assert_refused(ct_mesh_validate, b,
                   "found 2 skin joints and 4 influences in a mesh without a skin");
    ct_blob_writer_free(&w);
}

// --- Packed vertices -----------------------------------------------------------------------------

static resource *make_packed(ct_blob_writer *w) {
    write_packed_mesh(w);
    return (resource *)(void *)w->bytes.items;
}

static void reads_packed_vertices(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make_packed(&w);
    assert_accepted(ct_mesh_validate, b);
    const ct_mesh_vertex v = ct_mesh_vertex_at(b, 1);
    const float expected[] = {1, 0, 0, 0, 0, 1, 1, 0, 0, -1, 2, 0};
    assert_memory_equal(&v, expected, sizeof(v));
    float position[3];
    ct_mesh_position_at(b, 2, position);
    assert_true(position[0] == 1 && position[1] == 1 && position[2] == 0);
    const ct_mesh_vertex_extra e = ct_mesh_extra_at(b, 0);
    assert_int_equal(e.color[0], 65535);
    assert_int_equal(e.color[2], 128 * 257);
    assert_true(e.uv1[0] == 1 && e.uv1[1] == -1);
    ct_blob_writer_free(&w);
}

static void reads_negative_directions(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make_packed(&w);
    // -511 is -1, and so is -512, which packing never makes.
    ITEM(ct_mesh_packed_vertex, b, b->vertices, 0)->normal = 0x201u | 0x200u << 10 | 0x3ffu << 20;
    const ct_mesh_vertex v = ct_mesh_vertex_at(b, 0);
    assert_true(v.normal[0] == -1 && v.normal[1] == -1 && v.normal[2] == -1 / 511.0f);
    ct_blob_writer_free(&w);
}

static void reads_wide_texture_coordinates(void **state) {
    (void)state;
    ct_blob_writer w;
    write_wide_uv_mesh(&w);
    resource *const b = (resource *)(void *)w.bytes.items;
    assert_accepted(ct_mesh_validate, b);
    assert_true(ct_mesh_vertex_at(b, 0).uv[0] == 300.25f);
    assert_true(ct_mesh_extra_at(b, 0).uv1[0] == 100.5f);
    ITEM(ct_mesh_wide_uv_extra, b, b->extras, 3)->uv1[1] = NAN;
    assert_refused(ct_mesh_validate, b, "extras[3]: uv1 is not finite");
    ITEM(ct_mesh_wide_uv_vertex, b, b->vertices, 1)->uv[0] = INFINITY;
    assert_refused(ct_mesh_validate, b, "vertices[1]: uv is not finite");
    ct_blob_writer_free(&w);
}

static void reads_full_vertices_and_white_without_extras(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    assert_true(ct_mesh_vertex_at(b, 2).position[0] == 1);
    assert_true(ct_mesh_extra_at(b, 0).uv1[1] == 1);
    b->extras = (ct_blob_array){0};
    assert_int_equal(ct_mesh_extra_at(b, 0).color[3], 65535);
    assert_true(ct_mesh_extra_at(b, 0).uv1[1] == 0);
    ct_blob_writer_free(&w);
}

static void refuses_unknown_formats_and_grids_without_end(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make_packed(&w);
    b->grid.uv_scale[1] = INFINITY;
    assert_refused(ct_mesh_validate, b, "grid: number 7 is inf");
    b->format = CT_MESH_FORMAT_COUNT;
    assert_refused(ct_mesh_validate, b, "found vertex format 3, expected less than 3");
    ct_blob_writer_free(&w);
}

static void refuses_packed_arrays_outside_the_blob(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make_packed(&w);
    b->num_vertices = b->vertices.count = b->extras.count = 400;
    assert_refused(ct_mesh_validate, b, "vertices: 400 of 20 bytes");
    ct_blob_writer_free(&w);
}

// --- Levels of detail ----------------------------------------------------------------------------

static void counts_the_triangles_of_the_full_level(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    assert_int_equal(b->num_indices, 9);
    assert_int_equal(ct_mesh_num_triangles(b), 2);
    ct_blob_writer_free(&w);
}

static void refuses_broken_levels_of_detail(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    ITEM(ct_mesh_part, b, b->lod_parts, 0)->num_indices = 6;
    assert_refused(ct_mesh_validate, b,
                   "lod_parts[0]: found indices 6 + 6, expected whole triangles within 9");
    ct_mesh_lod *const lod = ITEM(ct_mesh_lod, b, b->lods, 0);
    lod->error = NAN;
    assert_refused(ct_mesh_validate, b, "lods[0]: found a screen size of 0.25 and an error of nan");
    lod->screen_size = 0;
    assert_refused(ct_mesh_validate, b, "lods[0]: found a screen size of 0");
    b->lod_parts.count = 1;
    assert_refused(ct_mesh_validate, b, "lod_parts: found 1, expected 1 times 2");
    b->lods.count = CT_MESH_MAX_LODS;
    assert_refused(ct_mesh_validate, b, "lods: found 8, expected less than 8");
    ct_blob_writer_free(&w);
}

// --- Shapes --------------------------------------------------------------------------------------

static void reads_shapes(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    uint32_t count;
    const ct_mesh_shape *const s = ct_mesh_shapes(b, &count);
    assert_int_equal(count, 1);
    assert_int_equal(s->kind, CT_MESH_SHAPE_KIND_BOX);
    assert_int_equal(ct_mesh_shape_indices(b, s)[2], 2);
    assert_true(ct_mesh_shape_points(b, s)[7] == 2);
    b->shapes = b->shape_points = b->shape_indices = (ct_blob_array){0};
    ct_mesh_shapes(b, &count);
    assert_int_equal(count, 0);
    assert_accepted(ct_mesh_validate, b);
    ct_blob_writer_free(&w);
}

static void refuses_broken_shapes(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    ct_mesh_shape *const s = ITEM(ct_mesh_shape, b, b->shapes, 0);
    *ITEM(float, b, b->shape_points, 4) = NAN;
    assert_refused(ct_mesh_validate, b, "shapes[0]: a point is not finite");
    *ITEM(uint32_t, b, b->shape_indices, 1) = 3;
    assert_refused(ct_mesh_validate, b, "shapes[0]: found index 3, but there are only 3 points");
    s->rotation[3] = 0;
    assert_refused(ct_mesh_validate, b, "shapes[0]: found a rotation of length 0, expected 1");
    s->radius = INFINITY;
    assert_refused(ct_mesh_validate, b, "shapes[0]: its box or sphere is not finite");
    s->first_point = UINT32_MAX;
    assert_refused(ct_mesh_validate, b, "shapes[0]: found points 4294967295 + 3");
    s->kind = CT_MESH_SHAPE_KIND_COUNT;
    assert_refused(ct_mesh_validate, b, "shapes[0]: unknown use 0 or kind 4");
    ct_blob_writer_free(&w);
}

static resource *make_with_collision(ct_blob_writer *w) {
    write_mesh_with_collision(w);
    assert_accepted(ct_mesh_validate, w->bytes.items);
    return (resource *)(void *)w->bytes.items;
}

static void reads_hulls_and_trees(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make_with_collision(&w);
    uint32_t count;
    const ct_mesh_shape *const s = ct_mesh_shapes(b, &count);
    assert_int_equal(count, 2);
    const ct_mesh_hull *const hulls = ct_mesh_shape_hulls(b, &s[0], &count);
    assert_int_equal(count, 1);
    assert_float_equal(hulls->volume, 4.0f / 3, 0);
    assert_float_equal(ct_mesh_hull_points(b, hulls)[3], 1.5f, 0);
    ct_mesh_shape_hulls(b, &s[1], &count);
    assert_int_equal(count, 0);
    assert_int_equal(ct_mesh_shape_nodes(b, &s[1])[2].next, 1);
    ct_blob_writer_free(&w);
}

static void refuses_broken_hulls(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make_with_collision(&w);
    ct_mesh_shape *const s = ITEM(ct_mesh_shape, b, b->shapes, 0);
    ct_mesh_hull *const hull = ITEM(ct_mesh_hull, b, b->hulls, 0);
    *ITEM(float, b, b->hull_points, 11) = NAN;
    assert_refused(ct_mesh_validate, b, "hulls[0]: a number is not finite, or its volume is 1.33");
    *ITEM(float, b, b->hull_points, 11) = 1;
    hull->volume = 0;
    assert_refused(ct_mesh_validate, b, "hulls[0]: a number is not finite, or its volume is 0");
    hull->num_points = 5;
    assert_refused(ct_mesh_validate, b, "hulls[0]: found points 0 + 5, expected 4 to 64 within 4");
    hull->first_point = 1, hull->num_points = 3;
    assert_refused(ct_mesh_validate, b, "hulls[0]: found points 1 + 3, expected 4 to 64 within 4");
    hull->first_point = UINT32_MAX, hull->num_points = 4;
    assert_refused(ct_mesh_validate, b, "hulls[0]: found points 4294967295 + 4");
    s->num_hulls = 2;
    assert_refused(ct_mesh_validate, b, "shapes[0]: found hulls 0 + 2, expected 1 to 64 within 1");
    s->num_hulls = 0;
    assert_refused(ct_mesh_validate, b, "shapes[0]: found hulls 0 + 0, expected 1 to 64 within 1");
    s->num_hulls = 1;
    s->kind = CT_MESH_SHAPE_KIND_SPHERE;
    assert_refused(ct_mesh_validate, b, "shapes[0]: found hulls 0 + 1, expected none within 1");
    s->kind = CT_MESH_SHAPE_KIND_CONVEX;
    s->use = CT_MESH_SHAPE_USE_OCCLUDER;
    assert_refused(ct_mesh_validate, b, "shapes[0]: found hulls 0 + 1, expected none within 1");
    ct_blob_writer_free(&w);
}

static void refuses_trees_that_lead_nowhere(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make_with_collision(&w);
    ct_mesh_shape *const s = ITEM(ct_mesh_shape, b, b->shapes, 1);
    ct_mesh_tree_node *const nodes = ITEM(ct_mesh_tree_node, b, b->tree_nodes, 0);
    nodes[0].next = INT32_MIN;
    assert_refused(ct_mesh_validate, b,
                   "shapes[1]: node 0 of its tree has 2147483648 nodes, but there are only 3");
    nodes[0].next = -3;
    nodes[2].next = -2;
    assert_refused(ct_mesh_validate, b, "node 2 of its tree has 2 nodes, but there are only 1");
    nodes[2].next = 2;
    assert_refused(ct_mesh_validate, b,
                   "node 2 of its tree is of triangle 2, but there are only 2");
    nodes[2].next = 1;
    s->tree_steps[1] = 0;
    assert_refused(ct_mesh_validate, b,
                   "shapes[1]: found a tree from 0 to 2 with 0 steps in a metre along axis 1");
    s->tree_steps[1] = 1;
    s->tree_most[2] = -1;
    assert_refused(ct_mesh_validate, b, "found a tree from 0 to -1 with 32767 steps in a metre");
    s->num_nodes = 4;
    assert_refused(ct_mesh_validate, b, "shapes[1]: found nodes 0 + 4, expected a tree within 3");
    s->num_nodes = 0;
    assert_refused(ct_mesh_validate, b, "shapes[1]: found nodes 0 + 0, expected a tree within 3");
    s->num_nodes = 3;
    s->kind = CT_MESH_SHAPE_KIND_BOX;
    assert_refused(ct_mesh_validate, b, "shapes[1]: found nodes 0 + 3, expected none within 3");
    ct_blob_writer_free(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_influences_of_both_sizes),
        cmocka_unit_test(refuses_influences_that_do_not_add_up),
        cmocka_unit_test(refuses_skins_that_are_not_whole),
        cmocka_unit_test(reads_packed_vertices),
        cmocka_unit_test(reads_negative_directions),
        cmocka_unit_test(reads_wide_texture_coordinates),
        cmocka_unit_test(reads_full_vertices_and_white_without_extras),
        cmocka_unit_test(refuses_unknown_formats_and_grids_without_end),
        cmocka_unit_test(refuses_packed_arrays_outside_the_blob),
        cmocka_unit_test(counts_the_triangles_of_the_full_level),
        cmocka_unit_test(refuses_broken_levels_of_detail),
        cmocka_unit_test(reads_shapes),
        cmocka_unit_test(refuses_broken_shapes),
        cmocka_unit_test(reads_hulls_and_trees),
        cmocka_unit_test(refuses_broken_hulls),
        cmocka_unit_test(refuses_trees_that_lead_nowhere),
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
