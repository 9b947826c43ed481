#include "compiler/types/mesh/mesh_case.h"

#include <math.h>

#include "compiler/types/mesh/worker_mesh_pack.h"
#include "foundation/math/random.h"

const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
    return "leak:libassimp.so\n";
}

static void packs_vertices_unless_told_not_to(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m = mesh_case_box(1, 2, 3);
    const ct_mesh_resource *r = mesh_case_blob(&t, &m, "");
    assert_int_equal(r->format, CT_MESH_FORMAT_PACKED);
    assert_int_equal(ct_mesh_vertex_bytes(r->format), 20);
    m = mesh_case_box(1, 2, 3);
    r = mesh_case_blob(&t, &m, "quantize = false");
    assert_int_equal(r->format, CT_MESH_FORMAT_FULL);
    assert_true(r->grid.point_scale == 1 && r->grid.uv_scale[1] == 1);
    compile_case_free(&t);
}

static void keeps_round_positions_exact(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    // In thousands of metres and in centimetres; moved, so that the box is not around the origin.
    static const float sizes[] = {0.5f, 1.25f, 1024, 0.0078125f, 3};
    for (uint32_t i = 0; i < CT_COUNT_OF(sizes); ++i) {
        const float s = sizes[i];
        model_file m = mesh_case_box(s, s / 2, 2 * s);
        char nodes[128];
        snprintf(nodes, sizeof(nodes), "[{\"mesh\":0,\"translation\":[%.8f,0,%.8f]}]", (double)s,
                 (double)(4 * s));
        m.nodes = nodes;
        const ct_mesh_resource *r = mesh_case_blob(&t, &m, "");
        // The file's y is our z, its z our -y.
        assert_true(r->bounds_min[0] == 0 && r->bounds_max[0] == 2 * s);
        assert_true(r->bounds_min[1] == -6 * s && r->bounds_max[1] == -2 * s);
        assert_true(r->bounds_min[2] == -s / 2 && r->bounds_max[2] == s / 2);
    }
    compile_case_free(&t);
}

// Random triangles anywhere in a box, with normals and coordinates.
static model_file random_triangles(ct_random *random, uint32_t count, float size, float from,
                                   float uv_size, float uv_from) {
    model_file m;
    model_file_init(&m);
    CT_ARRAY(float) positions, normals, uvs;
    ct_array_init(&positions, test_heap());
    ct_array_init(&normals, test_heap());
    ct_array_init(&uvs, test_heap());
    for (uint32_t i = 0; i < 3 * count; ++i) {
        float length = 0, n[3];
        for (uint32_t k = 0; k < 3; ++k) {
            ct_array_push(&positions, from + size * ct_random_float_range(random, 0, 1));
            n[k] = ct_random_float_range(random, -1, 1);
            length += n[k] * n[k];
        }
        for (uint32_t k = 0; k < 3; ++k)
            ct_array_push(&normals, n[k] / sqrtf(length));
        for (uint32_t k = 0; k < 2; ++k)
            ct_array_push(&uvs, uv_from + uv_size * ct_random_float_range(random, 0, 1));
    }
    model_file_vectors(&m, positions.items, 3 * count, 3);
    model_file_vectors(&m, normals.items, 3 * count, 3);
    model_file_vectors(&m, uvs.items, 3 * count, 2);
    model_file_primitive(&m, "\"attributes\":{\"POSITION\":0,\"NORMAL\":1,\"TEXCOORD_0\":2,"
                             "\"TEXCOORD_1\":2}");
    ct_array_free(&positions);
    ct_array_free(&normals);
    ct_array_free(&uvs);
    return m;
}

static float distance(const float *a, const float *b, uint32_t count) {
    float most = 0;
    for (uint32_t k = 0; k < count; ++k)
        most = fmaxf(most, fabsf(a[k] - b[k]));
    return most;
}

// Both meshes have the same triangles in the same order.
static void assert_close(const ct_mesh_resource *packed, const ct_mesh_resource *full,
                         float most_position, float most_uv) {
    assert_int_equal(packed->num_indices, full->num_indices);
    for (uint32_t i = 0; i < packed->num_indices; ++i) {
        const uint32_t at = mesh_case_index(packed, i), full_at = mesh_case_index(full, i);
        const ct_mesh_vertex a = ct_mesh_vertex_at(packed, at);
        const ct_mesh_vertex b = ct_mesh_vertex_at(full, full_at);
        float position[3];
        ct_mesh_position_at(packed, at, position);
        assert_memory_equal(position, a.position, sizeof(position));
        assert_true(distance(a.position, b.position, 3) <= most_position);
        assert_true(distance(a.normal, b.normal, 3) <= 0.5f / 511 + 1e-6f);
        assert_true(distance(a.tangent, b.tangent, 3) <= 0.5f / 511 + 1e-6f);
        assert_true(a.tangent[3] == b.tangent[3]);
        assert_true(distance(a.uv, b.uv, 2) <= most_uv);
        assert_true(distance(ct_mesh_extra_at(packed, at).uv1, b.uv, 2) <= most_uv);
        for (uint32_t k = 0; k < 3; ++k)
            assert_true(position[k] >= packed->bounds_min[k] &&
                        position[k] <= packed->bounds_max[k]);
    }
}

static void stays_within_the_promised_errors(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    static const struct {
        float size, from, uv_size, uv_from;
        uint32_t format;
    } cases[] = {
        {1, 0, 1, 0, CT_MESH_FORMAT_PACKED},
        {0.01f, -0.5f, 2, -1, CT_MESH_FORMAT_PACKED},
        {5000, 20, 3.9f, 7, CT_MESH_FORMAT_PACKED},
        {1e-20f, 0, 1e-3f, 0.5f, CT_MESH_FORMAT_PACKED},
        {3, -1e5f, 50, -20, CT_MESH_FORMAT_PACKED_WIDE_UV},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        ct_random random = ct_random_seeded(7 + i, 0);
        model_file m = random_triangles(&random, 60, cases[i].size, cases[i].from, cases[i].uv_size,
                                        cases[i].uv_from);
        const ct_mesh_resource *r = mesh_case_blob(&t, &m, "quantize = false");
        ct_mesh_resource *const full = ct_alloc(test_heap(), r->header.size_bytes);
        memcpy(full, r, r->header.size_bytes);
        random = ct_random_seeded(7 + i, 0);
        m = random_triangles(&random, 60, cases[i].size, cases[i].from, cases[i].uv_size,
                             cases[i].uv_from);
        r = mesh_case_blob(&t, &m, "");
        assert_int_equal(r->format, cases[i].format);
        // Rounding of floats at that distance from zero comes on top.
        const float rounding = (fabsf(cases[i].from) + cases[i].size) * 1.2e-7f;
        const float most_uv = cases[i].format == CT_MESH_FORMAT_PACKED ? 1.0f / 16384 : 0;
        assert_close(r, full, cases[i].size / 65534 + rounding, most_uv + 1e-6f);
        ct_free(test_heap(), full);
    }
    compile_case_free(&t);
}

// A square whose coordinates are `u` and `v` at the far corner.
static model_file tiled_square(float u, float v) {
    model_file m;
    model_file_init(&m);
    const float positions[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
    const float uvs[] = {0, 1, u, 1, u, 1 - v, 0, 1 - v};
    const uint32_t indices[] = {0, 1, 2, 0, 2, 3};
    model_file_vectors(&m, positions, 4, 3);
    model_file_vectors(&m, uvs, 4, 2);
    model_file_indices(&m, indices, 6);
    model_file_primitive(&m, "\"attributes\":{\"POSITION\":0,\"TEXCOORD_0\":1},\"indices\":2");
    return m;
}

static float largest_u(const ct_mesh_resource *r) {
    float most = 0;
    for (uint32_t i = 0; i < r->num_vertices; ++i)
        most = fmaxf(most, ct_mesh_vertex_at(r, i).uv[0]);
    return most;
}

static void keeps_tiling_coordinates(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    // Whole numbers stay exact however many there are.
    model_file m = tiled_square(1000, 3);
    const ct_mesh_resource *r = mesh_case_blob(&t, &m, "");
    assert_int_equal(r->format, CT_MESH_FORMAT_PACKED);
    assert_true(largest_u(r) == 1000);
    // What is off the grid by too much makes coordinates wide.
    m = tiled_square(1000.3f, 3);
    r = mesh_case_blob(&t, &m, "");
    assert_int_equal(r->format, CT_MESH_FORMAT_PACKED_WIDE_UV);
    assert_int_equal(ct_mesh_vertex_bytes(r->format), 24);
    assert_true(largest_u(r) == 1000.3f);
    compile_case_free(&t);
}

static void keeps_positions_beyond_the_grid_as_they_are(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m = mesh_case_box(1e32f, 1, 1);
    const ct_mesh_resource *const r = mesh_case_blob(&t, &m, "");
    assert_int_equal(r->format, CT_MESH_FORMAT_FULL);
    assert_true(r->bounds_max[0] == 1e32f);
    compile_case_free(&t);
}

static void gives_colors_eight_bits(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m = mesh_case_box(1, 1, 1);
    float colors[24][4];
    for (uint32_t i = 0; i < 24; ++i) {
        for (uint32_t k = 0; k < 4; ++k)
            colors[i][k] = 0.25f * (float)k;
    }
    model_file_vectors(&m, colors[0], 24, 4);
    model_file_primitive(&m, "\"attributes\":{\"POSITION\":0,\"COLOR_0\":4},\"indices\":3");
    const ct_mesh_resource *const r = mesh_case_blob(&t, &m, "");
    const uint32_t last = mesh_case_index(r, r->num_indices - 1);
    const ct_mesh_vertex_extra e = ct_mesh_extra_at(r, last);
    bool has_color = false;
    for (uint32_t i = 0; i < r->num_vertices; ++i)
        has_color |= ct_mesh_extra_at(r, i).color[1] == 64 * 257;
    assert_true(has_color);
    assert_true(e.uv1[0] == 0);
    compile_case_free(&t);
}

// The vertex at `bytes` of a machine of the other byte order.
static ct_mesh_packed_vertex swapped(const uint8_t *bytes) {
    ct_mesh_packed_vertex v;
    memcpy(&v, bytes, sizeof(v));
    for (uint32_t k = 0; k < 4; ++k)
        v.position[k] = (int16_t)__builtin_bswap16((uint16_t)v.position[k]);
    v.normal = __builtin_bswap32(v.normal);
    v.tangent = __builtin_bswap32(v.tangent);
    for (uint32_t k = 0; k < 2; ++k)
        v.uv[k] = __builtin_bswap16(v.uv[k]);
    return v;
}

static void writes_the_byte_order_asked_for(void **state) {
    (void)state;
    ct_worker_mesh_data m = {.allocator = test_heap()};
    ct_array_init(&m.vertices, test_heap());
    for (uint32_t i = 0; i < 3; ++i) {
        const float f = (float)i;
        const ct_mesh_vertex v = {{f, 3 - f, f * f}, {0.6f, 0, 0.8f}, {0, 1, 0, -1}, {f, 0.3f * f}};
        ct_array_push(&m.vertices, (ct_worker_vertex){.base = v});
    }
    ct_worker_mesh_choose_format(&m, true);
    ct_blob_writer writers[2];
    ct_mesh_resource r = {.vertices = {0}};
    for (uint32_t order = 0; order < 2; ++order) {
        ct_blob_writer *const w = &writers[order];
        ct_blob_writer_init(w, test_heap(), (ct_byte_order)order, "mesh", CT_MESH_VERSION);
        ct_worker_mesh_write_vertices(&m, w, &r);
        assert_int_equal(r.vertices.count, 3);
        assert_int_equal(w->bytes.count - r.vertices.offset, 3 * sizeof(ct_mesh_packed_vertex));
    }
    for (uint32_t i = 0; i < 3; ++i) {
        const uint64_t at = r.vertices.offset + i * sizeof(ct_mesh_packed_vertex);
        const ct_mesh_packed_vertex v = swapped(writers[CT_BYTE_ORDER_BIG].bytes.items + at);
        assert_memory_equal(&v, writers[CT_BYTE_ORDER_LITTLE].bytes.items + at, sizeof(v));
    }
    ct_blob_writer_free(&writers[0]);
    ct_blob_writer_free(&writers[1]);
    ct_array_free(&m.vertices);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packs_vertices_unless_told_not_to),
        cmocka_unit_test(keeps_round_positions_exact),
        cmocka_unit_test(stays_within_the_promised_errors),
        cmocka_unit_test(keeps_tiling_coordinates),
        cmocka_unit_test(keeps_positions_beyond_the_grid_as_they_are),
        cmocka_unit_test(gives_colors_eight_bits),
        cmocka_unit_test(writes_the_byte_order_asked_for),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
