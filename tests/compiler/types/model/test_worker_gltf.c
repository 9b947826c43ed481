// The glTF reader: accessors of all kinds, buffers and views, compressed data, bad files.
#include <math.h>

#include <meshoptimizer.h>

#include "compiler/model_file.h"
#include "resource/types/mesh_resource.h"

enum { BYTE = 5120, UNSIGNED_BYTE, SHORT, UNSIGNED_SHORT, UNSIGNED_INT = 5125, FLOAT };

static const float corners[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};

// A model whose accessor 0 is the three corners of a triangle.
static model_file triangle(void) {
    model_file m;
    model_file_init(&m);
    model_file_vectors(&m, corners[0], 3, 3);
    return m;
}

// Replaces the last accessor's JSON by a form of it with more members.
static void add_members(model_file *m, const char *members) {
    ct_string_builder *const b = &m->accessors;
    b->text[--b->length] = 0; // the brace
    ct_string_builder_addf(b, ",%s}", members);
}

static void write_model(compile_case *t, model_file *m) {
    model_file_write(m, t);
    compile_case_text(t, "models/a.mesh", "source = \"models/a.gltf\"\nquantize = false\n");
}

static const ct_mesh_resource *compile(compile_case *t, model_file *m) {
    write_model(t, m);
    return compile_case_blob(t, "mesh", "models/a");
}

static void expect_gltf_error(model_file *m, const char *text) {
    compile_case t = compile_case_make();
    write_model(&t, m);
    compile_case_run(&t, "mesh", "models/a");
    compile_case_expect(&t, "models/a.gltf", 0, text);
    compile_case_free(&t);
}

// The vertex at a position of the file.
static uint32_t vertex_at(const ct_mesh_resource *r, float x, float y, float z) {
    const ct_mesh_vertex *const v = ct_blob_at(r, r->vertices.offset);
    for (uint32_t i = 0; i < r->num_vertices; ++i) {
        const float *const p = v[i].position;
        if (fabsf(p[0] - x) + fabsf(p[1] + z) + fabsf(p[2] - y) < 1e-5f)
            return i;
    }
    fail_msg("no vertex at %g %g %g", (double)x, (double)y, (double)z);
    return 0;
}

static const float *uv_at(const ct_mesh_resource *r, uint32_t vertex) {
    const ct_mesh_vertex *const v = ct_blob_at(r, r->vertices.offset);
    return v[vertex].uv;
}

static void assert_near(float a, float b) {
    if (!(fabsf(a - b) < 1e-5f))
        fail_msg("%g is not %g", (double)a, (double)b);
}

// --- Component types -----------------------------------------------------------------------------

// Compiles a triangle whose second corner has texture coordinates of this type, and checks them.
static void expect_uv(const void *data, uint32_t bytes, uint32_t component, bool is_normalized,
                      float u, float v) {
    compile_case t = compile_case_make();
    model_file m = triangle();
    model_file_accessor(&m, data, bytes, component, "VEC2", 3);
    if (is_normalized)
        add_members(&m, "\"normalized\":true");
    model_file_primitive(&m, "\"attributes\":{\"POSITION\":0,\"TEXCOORD_0\":1}");
    const ct_mesh_resource *const r = compile(&t, &m);
    const float *const uv = uv_at(r, vertex_at(r, 1, 0, 0));
    assert_near(uv[0], u);
    assert_near(uv[1], v);
    compile_case_free(&t);
}

static void reads_integers_as_they_are_meant(void **state) {
    (void)state;
    static const uint8_t bytes[6] = {0, 0, 255, 51, 0, 0};
    static const int8_t signed_bytes[6] = {0, 0, -128, 127, 0, 0};
    static const uint16_t words[6] = {0, 0, 65535, 13107, 0, 0};
    static const int16_t signed_words[6] = {0, 0, -32768, 32767, 0, 0};
    static const uint32_t longs[6] = {0, 0, 3, 70000, 0, 0};
    expect_uv(bytes, sizeof(bytes), UNSIGNED_BYTE, true, 1, 0.2f);
    expect_uv(bytes, sizeof(bytes), UNSIGNED_BYTE, false, 255, 51);
    expect_uv(signed_bytes, sizeof(signed_bytes), BYTE, true, -1, 1);
    expect_uv(signed_bytes, sizeof(signed_bytes), BYTE, false, -128, 127);
    expect_uv(words, sizeof(words), UNSIGNED_SHORT, true, 1, 0.2f);
    expect_uv(words, sizeof(words), UNSIGNED_SHORT, false, 65535, 13107);
    expect_uv(signed_words, sizeof(signed_words), SHORT, true, -1, 1);
    expect_uv(signed_words, sizeof(signed_words), SHORT, false, -32768, 32767);
    expect_uv(longs, sizeof(longs), UNSIGNED_INT, false, 3, 70000);
}

static void reads_colors_of_three_and_four_components(void **state) {
    (void)state;
    static const uint8_t rgb[9] = {255, 0, 51, 255, 0, 51, 255, 0, 51};
    static const uint16_t rgba[12] = {65535, 0,    13107, 6554, 65535, 0,
                                      13107, 6554, 65535, 0,    13107, 6554};
    for (uint32_t i = 0; i < 2; ++i) {
        compile_case t = compile_case_make();
        model_file m = triangle();
        if (i == 0)
            model_file_accessor(&m, rgb, sizeof(rgb), UNSIGNED_BYTE, "VEC3", 3);
        else
            model_file_accessor(&m, rgba, sizeof(rgba), UNSIGNED_SHORT, "VEC4", 3);
        add_members(&m, "\"normalized\":true");
        model_file_primitive(&m, "\"attributes\":{\"POSITION\":0,\"COLOR_0\":1}");
        const ct_mesh_resource *const r = compile(&t, &m);
        const ct_mesh_vertex_extra *const e = ct_blob_at(r, r->extras.offset);
        assert_int_equal(e->color[0], 65535);
        assert_int_equal(e->color[1], 0);
        assert_int_equal(e->color[2], 13107);
        assert_int_equal(e->color[3], i == 0 ? 65535 : 6554);
        compile_case_free(&t);
    }
}

static void reads_quantized_positions(void **state) {
    (void)state;
    static const int16_t positions[9] = {0, 0, 0, 100, 0, 0, 0, -100, 0};
    compile_case t = compile_case_make();
    model_file m = triangle();
    m.more = "\"extensionsUsed\":[\"KHR_mesh_quantization\"],"
             "\"extensionsRequired\":[\"KHR_mesh_quantization\"],";
    m.nodes = "[{\"name\":\"n\",\"mesh\":0,\"scale\":[0.01,0.01,0.01]}]";
    model_file_accessor(&m, positions, sizeof(positions), SHORT, "VEC3", 3);
    model_file_primitive(&m, "\"attributes\":{\"POSITION\":1}");
    const ct_mesh_resource *const r = compile(&t, &m);
    vertex_at(r, 1, 0, 0);
    vertex_at(r, 0, -1, 0);
    compile_case_free(&t);
}

// --- Layouts -------------------------------------------------------------------------------------

// Elements that lie apart, in views that begin at odd places, as both offsets say.
static void reads_interleaved_elements(void **state) {
    (void)state;
    struct {
        float position[3];
        uint16_t uv[2];
    } vertices[4] = {
        {{9, 9, 9}, {1, 1}}, {{0, 0, 0}, {0, 0}}, {{1, 0, 0}, {65535, 13107}}, {{0, 1, 0}, {0, 0}}};
    compile_case t = compile_case_make();
    model_file m;
    model_file_init(&m);
    ct_array_push_many(&m.data, (const uint8_t *)vertices, (uint32_t)sizeof(vertices));
    ct_string_builder_add(&m.views, "{\"buffer\":0,\"byteOffset\":16,\"byteLength\":48,"
                                    "\"byteStride\":16}");
    ct_string_builder_add(
        &m.accessors, "{\"bufferView\":0,\"componentType\":5126,\"type\":\"VEC3\",\"count\":3.0},"
                      "{\"bufferView\":0,\"byteOffset\":12.0,\"componentType\":5123,"
                      "\"normalized\":true,\"type\":\"VEC2\",\"count\":3}");
    model_file_primitive(&m, "\"attributes\":{\"POSITION\":0,\"TEXCOORD_0\":1}");
    const ct_mesh_resource *const r = compile(&t, &m);
    const float *const uv = uv_at(r, vertex_at(r, 1, 0, 0));
    assert_near(uv[0], 1);
    assert_near(uv[1], 0.2f);
    compile_case_free(&t);
}

// A sparse accessor of one element, number 1, over the triangle (`base`) or over zeros.
static void add_sparse(model_file *m, const char *base) {
    static const uint16_t index = 1;
    static const float value[3] = {4, 5, 6};
    const uint32_t at = model_file_accessor(m, &index, sizeof(index), UNSIGNED_SHORT, "SCALAR", 1);
    ct_array_push_many(&m->data, (const uint8_t *)"\0", 2);
    model_file_vectors(m, value, 1, 3);
    ct_string_builder_addf(&m->accessors,
                           ",{%s\"componentType\":5126,\"type\":\"VEC3\",\"count\":3,\"sparse\":{"
                           "\"count\":1,\"indices\":{\"bufferView\":%u,\"componentType\":5123},"
                           "\"values\":{\"bufferView\":%u}}}",
                           base, at, at + 1);
}

static void reads_sparse_elements(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m = triangle();
    add_sparse(&m, "\"bufferView\":0,");
    model_file_primitive(&m, "\"attributes\":{\"POSITION\":3}");
    const ct_mesh_resource *r = compile(&t, &m);
    vertex_at(r, 0, 0, 0);
    vertex_at(r, 4, 5, 6);
    vertex_at(r, 0, 1, 0);
    m = triangle();
    add_sparse(&m, ""); // over zeros
    model_file_primitive(&m, "\"attributes\":{\"POSITION\":0,\"NORMAL\":3}");
    r = compile(&t, &m);
    const ct_mesh_vertex *const v = ct_blob_at(r, r->vertices.offset);
    assert_near(v[vertex_at(r, 1, 0, 0)].normal[0], 4 / sqrtf(77));
    compile_case_free(&t);
}

static void reads_accessors_without_a_view_as_zeros(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m = triangle();
    ct_string_builder_add(&m.accessors, ",{\"componentType\":5126,\"type\":\"VEC2\",\"count\":3}");
    model_file_primitive(&m, "\"attributes\":{\"POSITION\":0,\"TEXCOORD_0\":1}");
    const ct_mesh_resource *const r = compile(&t, &m);
    assert_near(uv_at(r, vertex_at(r, 1, 0, 0))[0], 0);
    compile_case_free(&t);
}

static void refuses_accessors_that_lead_out(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"{\"bufferView\":0,\"componentType\":5126,\"type\":\"VEC3\",\"count\":4}",
         "accessor 1 ends at byte 48 of buffer view 0, which has 36"},
        {"{\"bufferView\":0,\"byteOffset\":4,\"componentType\":5126,\"type\":\"VEC3\",\"count\":3}",
         "accessor 1 ends at byte 40 of buffer view 0, which has 36"},
        {"{\"bufferView\":0,\"byteOffset\":4e9,\"componentType\":5126,\"type\":\"VEC3\","
         "\"count\":3}",
         "accessor 1 ends at byte 4000000036 of buffer view 0"},
        {"{\"bufferView\":7,\"componentType\":5126,\"type\":\"VEC3\",\"count\":3}",
         "found buffer view 7, but there are 1 bufferViews"},
        {"{\"bufferView\":0,\"componentType\":5126,\"type\":\"VEC3\",\"count\":-1}",
         "\"count\" is -1; expected a whole number"},
        {"{\"bufferView\":0,\"componentType\":5126,\"type\":\"VEC3\",\"count\":2.5}",
         "\"count\" is 2.5; expected a whole number"},
        {"{\"componentType\":5126,\"type\":\"VEC3\",\"count\":4000000000}",
         "\"count\" is 4000000000; expected a whole number from 0 to"},
        {"{\"bufferView\":0,\"componentType\":5124,\"type\":\"VEC3\",\"count\":3}",
         "accessor 1 has type \"VEC3\" of component type 5124"},
        {"{\"bufferView\":0,\"componentType\":5126,\"type\":\"MAT3\",\"count\":3}",
         "accessor 1 has type \"MAT3\""},
        {"{\"bufferView\":0,\"componentType\":\"5126\",\"type\":\"VEC3\",\"count\":3}",
         "\"componentType\" is a string; expected a number"},
        {"{\"componentType\":5126,\"type\":\"VEC3\",\"count\":3,\"sparse\":{\"count\":1,"
         "\"indices\":{\"bufferView\":0,\"componentType\":5125},\"values\":{\"bufferView\":0,"
         "\"byteOffset\":30}}}",
         "the sparse part of accessor 1 ends at byte 42"},
        {"{\"componentType\":5126,\"type\":\"VEC3\",\"count\":3,\"sparse\":{\"count\":1,"
         "\"indices\":{\"bufferView\":0,\"byteOffset\":12,\"componentType\":5125},"
         "\"values\":{\"bufferView\":0}}}",
         "the sparse part of accessor 1 replaces element 1065353216, but the accessor has only 3"},
        {"{\"componentType\":5126,\"type\":\"VEC3\",\"count\":3,\"sparse\":{\"count\":1}}",
         "the sparse part of accessor 1 has indices of component type 0"},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        model_file m = triangle();
        ct_string_builder_addf(&m.accessors, ",%s", cases[i][0]);
        model_file_primitive(&m, "\"attributes\":{\"POSITION\":1}");
        expect_gltf_error(&m, cases[i][1]);
    }
    model_file m = triangle();
    model_file_vectors(&m, corners[0], 2, 3);
    model_file_primitive(&m, "\"attributes\":{\"POSITION\":0,\"NORMAL\":1}");
    expect_gltf_error(&m, "mesh \"m\", primitive 0 has 2 elements of NORMAL, but 3 positions");
    m = triangle();
    model_file_vectors(&m, corners[0], 3, 2);
    model_file_primitive(&m, "\"attributes\":{\"POSITION\":1}");
    expect_gltf_error(&m, "POSITION has 2 components; expected 3");
    m = triangle();
    model_file_primitive(&m, "\"attributes\":{\"POSITION\":0},\"indices\":0");
    expect_gltf_error(&m, "accessor 0 holds indices; expected SCALAR of component type 5121");
}

// Many accessors of the same bytes would need more memory than there is.
static void refuses_files_that_ask_for_too_much_memory(void **state) {
    (void)state;
    model_file m = triangle();
    for (uint32_t i = 0; i < 3; ++i) {
        ct_string_builder_addf(
            &m.accessors, ",{\"componentType\":5126,\"type\":\"VEC3\",\"count\":%u}", 3u << 24);
        ct_string_builder_addf(&m.primitives, "%s{\"attributes\":{\"POSITION\":%u}}", i ? "," : "",
                               i + 1);
    }
    expect_gltf_error(&m, "its accessors have too many elements");
}

// --- Buffers -------------------------------------------------------------------------------------

static void append_base64(ct_string_builder *out, const uint8_t *bytes, uint32_t count) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (uint32_t i = 0; i < count; i += 3) {
        const uint32_t left = count - i;
        const uint32_t bits = (uint32_t)bytes[i] << 16 |
                              (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
                              (left > 2 ? bytes[i + 2] : 0);
        ct_string_builder_add_char(out, digits[bits >> 18]);
        ct_string_builder_add_char(out, digits[bits >> 12 & 63]);
        ct_string_builder_add_char(out, left > 1 ? digits[bits >> 6 & 63] : '=');
        ct_string_builder_add_char(out, left > 2 ? digits[bits & 63] : '=');
    }
}

static void reads_data_uris_of_any_length(void **state) {
    (void)state;
    for (uint32_t more = 0; more < 3; ++more) {
        compile_case t = compile_case_make();
        model_file m = triangle();
        ct_string_builder uri, json;
        ct_string_builder_init(&uri, test_heap());
        ct_string_builder_init(&json, test_heap());
        ct_array_push_many(&m.data, (const uint8_t *)"xyz", more);
        ct_string_builder_add(&uri, "data:application/octet-stream;base64,");
        append_base64(&uri, m.data.items, m.data.count);
        model_file_primitive(&m, "\"attributes\":{\"POSITION\":0}");
        model_file_json(&m, uri.text, &json);
        compile_case_text(&t, "models/a.gltf", json.text);
        compile_case_text(&t, "models/a.mesh", "source = \"models/a.gltf\"\nquantize = false\n");
        vertex_at(compile_case_blob(&t, "mesh", "models/a"), 0, 1, 0);
        model_file_free(&m);
        ct_string_builder_free(&uri);
        ct_string_builder_free(&json);
        compile_case_free(&t);
    }
}

static void refuses_buffers_without_data(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"[{\"byteLength\":36}]", "buffer 0 has no data; expected a uri"},
        {"[{\"byteLength\":36,\"uri\":\"data:,abc\"}]",
         "the data of buffer 0 is damaged; expected base64"},
        {"[{\"byteLength\":36,\"uri\":\"data:;base64,####\"}]",
         "the data of buffer 0 is damaged; expected base64"},
        {"[{\"byteLength\":36,\"uri\":\"data:;base64,AAAA\"}]",
         "buffer 0 has 3 bytes; expected 36"},
        {"[{\"byteLength\":36,\"uri\":5}]", "\"uri\" is a number; expected a string"},
        {"{}", "\"buffers\" is an object; expected an array"},
        {"[7]", "\"item\" is a number; expected an object"},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        compile_case t = compile_case_make();
        ct_string_builder json;
        ct_string_builder_init(&json, test_heap());
        ct_string_builder_addf(
            &json,
            "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":"
            "["
            "{\"attributes\":{\"POSITION\":0}}]}],\"accessors\":[{\"bufferView\":0,"
            "\"componentType\":5126,\"type\":\"VEC3\",\"count\":3}],\"bufferViews\":[{\"buffer\":0,"
            "\"byteLength\":36}],\"buffers\":%s}",
            cases[i][0]);
        compile_case_text(&t, "models/a.gltf", json.text);
        compile_case_text(&t, "models/a.mesh", "source = \"models/a.gltf\"");
        compile_case_run(&t, "mesh", "models/a");
        compile_case_expect(&t, "models/a.gltf", 1, cases[i][1]);
        ct_string_builder_free(&json);
        compile_case_free(&t);
    }
}

// --- Compressed views ----------------------------------------------------------------------------

// A model whose positions and indices are compressed by meshoptimizer; `cut` bytes are missing.
static model_file compressed(uint32_t cut) {
    static const uint32_t indices[3] = {0, 1, 2};
    unsigned char vertices[512], triangles[512];
    const uint32_t num_vertex_bytes = (uint32_t)meshopt_encodeVertexBuffer(
        vertices, sizeof(vertices), corners, 3, sizeof(corners[0]));
    const uint32_t num_index_bytes =
        (uint32_t)meshopt_encodeIndexBuffer(triangles, sizeof(triangles), indices, 3);
    model_file m;
    model_file_init(&m);
    m.more = "\"extensionsUsed\":[\"EXT_meshopt_compression\"],"
             "\"extensionsRequired\":[\"EXT_meshopt_compression\"],";
    ct_array_push_many(&m.data, vertices, num_vertex_bytes);
    ct_array_push_many(&m.data, triangles, num_index_bytes);
    ct_string_builder_addf(
        &m.views,
        "{\"buffer\":0,\"byteLength\":36,\"extensions\":{\"EXT_meshopt_compression\":{\"buffer\":0,"
        "\"byteLength\":%u,\"byteStride\":12,\"count\":3,\"mode\":\"ATTRIBUTES\"}}},"
        "{\"buffer\":0,\"byteLength\":6,\"extensions\":{\"EXT_meshopt_compression\":{\"buffer\":0,"
        "\"byteOffset\":%u,\"byteLength\":%u,\"byteStride\":2,\"count\":3,\"mode\":\"TRIANGLES\"}}"
        "}",
        num_vertex_bytes - cut, num_vertex_bytes, num_index_bytes);
    ct_string_builder_add(
        &m.accessors, "{\"bufferView\":0,\"componentType\":5126,\"type\":\"VEC3\",\"count\":3},"
                      "{\"bufferView\":1,\"componentType\":5123,\"type\":\"SCALAR\",\"count\":3}");
    model_file_primitive(&m, "\"attributes\":{\"POSITION\":0},\"indices\":1");
    return m;
}

static void reads_views_compressed_by_meshoptimizer(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m = compressed(0);
    const ct_mesh_resource *const r = compile(&t, &m);
    vertex_at(r, 1, 0, 0);
    vertex_at(r, 0, 1, 0);
    compile_case_free(&t);
    m = compressed(5);
    expect_gltf_error(&m, "the compressed data of buffer view 0 is damaged");
}

// --- Nodes ---------------------------------------------------------------------------------------

static void takes_all_nodes_of_a_file_without_scenes(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile_case_file(&t, "models/a.bin", corners, sizeof(corners));
    compile_case_text(&t, "models/a.gltf",
                      "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"mesh\":0,\"children\":[2]},"
                      "{\"mesh\":0,\"translation\":[10,0,0]},{\"mesh\":0,\"translation\":[0,0,5]}],"
                      "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
                      "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"type\":\"VEC3\","
                      "\"count\":3}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],"
                      "\"buffers\":[{\"byteLength\":36,\"uri\":\"a.bin\"}]}");
    compile_case_text(&t, "models/a.mesh", "source = \"models/a.gltf\"\nquantize = false\n");
    const ct_mesh_resource *const r = compile_case_blob(&t, "mesh", "models/a");
    assert_int_equal(r->num_indices, 9);
    vertex_at(r, 11, 0, 0);
    vertex_at(r, 1, 0, 5);
    compile_case_free(&t);
}

static void takes_rotations_of_any_length_and_matrices(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m = triangle();
    m.nodes = "[{\"mesh\":0,\"rotation\":[0,0,2,2],\"children\":[1]},"
              "{\"mesh\":0,\"matrix\":[2,0,0,0,0,3,0,0,0,0,4,0,10,20,30,1]}]";
    model_file_primitive(&m, "\"attributes\":{\"POSITION\":0}");
    const ct_mesh_resource *const r = compile(&t, &m);
    vertex_at(r, 0, 1, 0);     // (1, 0, 0) turned about z by a quarter
    vertex_at(r, -1, 0, 0);    // (0, 1, 0) likewise
    vertex_at(r, -20, 12, 30); // (1, 0, 0) to (12, 20, 30), turned
    compile_case_free(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_integers_as_they_are_meant),
        cmocka_unit_test(reads_colors_of_three_and_four_components),
        cmocka_unit_test(reads_quantized_positions),
        cmocka_unit_test(reads_interleaved_elements),
        cmocka_unit_test(reads_sparse_elements),
        cmocka_unit_test(reads_accessors_without_a_view_as_zeros),
        cmocka_unit_test(refuses_accessors_that_lead_out),
        cmocka_unit_test(refuses_files_that_ask_for_too_much_memory),
        cmocka_unit_test(reads_data_uris_of_any_length),
        cmocka_unit_test(refuses_buffers_without_data),
        cmocka_unit_test(reads_views_compressed_by_meshoptimizer),
        cmocka_unit_test(takes_all_nodes_of_a_file_without_scenes),
        cmocka_unit_test(takes_rotations_of_any_length_and_matrices),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
