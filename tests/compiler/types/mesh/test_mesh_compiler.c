#include "compiler/model_file.h"

#include <math.h>

#include "resource/types/mesh_resource.h"

// Assimp loses 24 bytes when a binary file is cut inside its JSON. A worker process ends that; here
// the leak checker is told.
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
    return "leak:libassimp.so\n";
}

// A unit square in the plane z = 0 of the file, seen from +z; uv (0, 0) at its top left.
static const float square_positions[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
static const float square_normals[] = {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1};
static const float square_uvs[] = {0, 1, 1, 1, 1, 0, 0, 0};
static const uint32_t square_indices[] = {0, 1, 2, 0, 2, 3};

static model_file square(void) {
    model_file m;
    model_file_init(&m);
    model_file_vectors(&m, square_positions, 4, 3);
    model_file_vectors(&m, square_normals, 4, 3);
    model_file_vectors(&m, square_uvs, 4, 2);
    model_file_indices(&m, square_indices, 6);
    return m;
}

static const char *const whole_square =
    "\"attributes\":{\"POSITION\":0,\"NORMAL\":1,\"TEXCOORD_0\":2},\"indices\":3";

// With full vertices, as the file has them.
static const ct_mesh_resource *compile(compile_case *t, model_file *m, const char *settings) {
    char source[256];
    model_file_write(m, t);
    snprintf(source, sizeof(source), "source = \"models/a.gltf\"\nquantize = false\n%s\n",
             settings);
    compile_case_text(t, "models/a.mesh", source);
    return compile_case_blob(t, "mesh", "models/a");
}

static void compile_badly(compile_case *t, model_file *m, const char *settings) {
    char source[256];
    model_file_write(m, t);
    snprintf(source, sizeof(source), "source = \"models/a.gltf\"\n%s\n", settings);
    compile_case_text(t, "models/a.mesh", source);
    compile_case_run(t, "mesh", "models/a");
}

static const ct_mesh_vertex *vertices_of(const ct_mesh_resource *r) {
    return ct_blob_at(r, r->vertices.offset);
}

static const ct_mesh_part *parts_of(const ct_mesh_resource *r) {
    return ct_blob_at(r, r->parts.offset);
}

static uint32_t index_at(const ct_mesh_resource *r, uint32_t i) {
    const uint16_t *const narrow = ct_blob_at(r, r->indices.offset);
    const uint32_t *const wide = ct_blob_at(r, r->indices.offset);
    return r->index_bytes == 2 ? narrow[i] : wide[i];
}

// The vertex at this position, or NULL.
static const ct_mesh_vertex *vertex_at(const ct_mesh_resource *r, float x, float y, float z) {
    const ct_mesh_vertex *const v = vertices_of(r);
    for (uint32_t i = 0; i < r->num_vertices; ++i) {
        if (fabsf(v[i].position[0] - x) + fabsf(v[i].position[1] - y) +
                fabsf(v[i].position[2] - z) <
            1e-5f)
            return &v[i];
    }
    return NULL;
}

static void assert_vector(const float *v, float x, float y, float z) {
    if (fabsf(v[0] - x) + fabsf(v[1] - y) + fabsf(v[2] - z) > 1e-5f)
        fail_msg("found (%g %g %g), expected (%g %g %g)", (double)v[0], (double)v[1], (double)v[2],
                 (double)x, (double)y, (double)z);
}

// Fails unless all triangles are counter-clockwise about their vertices' normals.
static void assert_faces_outwards(const ct_mesh_resource *r) {
    const ct_mesh_vertex *const v = vertices_of(r);
    for (uint32_t i = 0; i < r->num_indices; i += 3) {
        const ct_mesh_vertex *const a = &v[index_at(r, i)];
        const float *b = v[index_at(r, i + 1)].position, *c = v[index_at(r, i + 2)].position;
        float right[3], left[3];
        for (uint32_t k = 0; k < 3; ++k) {
            right[k] = b[k] - a->position[k];
            left[k] = c[k] - a->position[k];
        }
        const float dot = (right[1] * left[2] - right[2] * left[1]) * a->normal[0] +
                          (right[2] * left[0] - right[0] * left[2]) * a->normal[1] +
                          (right[0] * left[1] - right[1] * left[0]) * a->normal[2];
        assert_true(dot > 0);
    }
}

static void turns_y_up_to_z_up(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m;
    model_file_init(&m);
    const float positions[] = {1, 2, 3, 4, 2, 3, 1, 5, 3};
    model_file_vectors(&m, positions, 3, 3);
    model_file_primitive(&m, "\"attributes\":{\"POSITION\":0}");
    const ct_mesh_resource *const r = compile(&t, &m, "");
    assert_non_null(vertex_at(r, 1, -3, 2));
    assert_non_null(vertex_at(r, 4, -3, 2));
    assert_non_null(vertex_at(r, 1, -3, 5));
    assert_vector(r->bounds_min, 1, -3, 2);
    assert_vector(r->bounds_max, 4, -3, 5);
    assert_true(fabsf(r->bounds_radius - sqrtf(4.5f)) < 1e-5f);
    assert_true(compile_case_has_include(&t, "models/a.gltf"));
    assert_true(compile_case_has_include(&t, "models/a.bin"));
    compile_case_free(&t);
}

static void keeps_normals_and_puts_the_uv_origin_top_left(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m = square();
    model_file_primitive(&m, whole_square);
    const ct_mesh_resource *const r = compile(&t, &m, "");
    assert_int_equal(r->num_vertices, 4);
    assert_int_equal(r->num_indices, 6);
    assert_int_equal(r->index_bytes, 2);
    const ct_mesh_vertex *const top_left = vertex_at(r, 0, 0, 1);
    assert_non_null(top_left);
    assert_vector(top_left->normal, 0, -1, 0); // the file's +z
    assert_true(top_left->uv[0] == 0 && top_left->uv[1] == 0);
    assert_faces_outwards(r);
    compile_case_free(&t);
}

static void makes_tangents_along_u(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m = square();
    model_file_primitive(&m, whole_square);
    const ct_mesh_resource *const r = compile(&t, &m, "");
    for (uint32_t i = 0; i < r->num_vertices; ++i) {
        const ct_mesh_vertex *const v = &vertices_of(r)[i];
        assert_vector(v->tangent, 1, 0, 0);
        // normal x tangent = (0 -1 0) x (1 0 0) = (0 0 1), where the image's top is: sign 1.
        assert_true(v->tangent[3] == 1.0f);
    }
    compile_case_free(&t);
}

static void makes_mirrored_tangents_for_mirrored_uvs(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m = square();
    const float mirrored[] = {1, 1, 0, 1, 0, 0, 1, 0};
    model_file_vectors(&m, mirrored, 4, 2);
    model_file_primitive(&m, "\"attributes\":{\"POSITION\":0,\"NORMAL\":1,\"TEXCOORD_0\":4},"
                             "\"indices\":3");
    const ct_mesh_resource *const r = compile(&t, &m, "");
    assert_int_equal(r->num_vertices, 4);
    assert_vector(vertices_of(r)[0].tangent, -1, 0, 0);
    assert_true(vertices_of(r)[0].tangent[3] == -1.0f);
    compile_case_free(&t);
}

static void keeps_the_files_tangents(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m = square();
    const float tangents[] = {0, 1, 0, -1, 0, 1, 0, -1, 0, 1, 0, -1, 0, 1, 0, -1};
    model_file_vectors(&m, tangents, 4, 4);
    model_file_primitive(&m, "\"attributes\":{\"POSITION\":0,\"NORMAL\":1,\"TEXCOORD_0\":2,"
                             "\"TANGENT\":4},\"indices\":3");
    const ct_mesh_resource *const r = compile(&t, &m, "");
    assert_vector(vertices_of(r)[0].tangent, 0, 0, 1);
    assert_true(vertices_of(r)[0].tangent[3] == -1.0f);
    compile_case_free(&t);
}

static void makes_flat_normals_where_there_are_none(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m = square();
    // Folded along the diagonal, so that its two triangles face different ways.
    const float folded[] = {0, 0, 0, 1, 0, 1, 1, 1, 0, 0, 1, 0};
    model_file_vectors(&m, folded, 4, 3);
    model_file_primitive(&m, "\"attributes\":{\"POSITION\":4},\"indices\":3");
    const ct_mesh_resource *const r = compile(&t, &m, "");
    assert_int_equal(r->num_vertices, 6);
    assert_faces_outwards(r);
    for (uint32_t i = 0; i < 6; ++i) {
        const ct_mesh_vertex *const v = &vertices_of(r)[i];
        float dot = 0, length = 0;
        for (uint32_t k = 0; k < 3; ++k) {
            dot += v->normal[k] * v->tangent[k];
            length += v->tangent[k] * v->tangent[k];
        }
        assert_true(fabsf(dot) < 1e-5f && fabsf(length - 1) < 1e-5f);
    }
    compile_case_free(&t);
}

static void joins_equal_vertices(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m = square();
    float positions[18];
    for (uint32_t i = 0; i < 6; ++i)
        memcpy(positions + i * 3, square_positions + square_indices[i] * 3, 12);
    model_file_vectors(&m, positions, 6, 3);
    model_file_primitive(&m, "\"attributes\":{\"POSITION\":4}");
    const ct_mesh_resource *const r = compile(&t, &m, "");
    assert_int_equal(r->num_vertices, 4);
    assert_int_equal(r->num_indices, 6);
    compile_case_free(&t);
}

static void makes_one_part_per_material(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m = square();
    m.materials = "[{\"name\":\"wood\"},{\"name\":\"iron\"}]";
    m.nodes = "[{\"name\":\"n\",\"mesh\":0,\"children\":[1]},{\"mesh\":0,\"translation\":[5,0,0]}]";
    model_file_primitive(&m, "\"attributes\":{\"POSITION\":0},\"indices\":3,\"material\":1");
    model_file_primitive(&m, "\"attributes\":{\"POSITION\":0,\"NORMAL\":1},\"material\":0");
    const ct_mesh_resource *const r = compile(&t, &m, "");
    assert_int_equal(r->parts.count, 2);
    const ct_mesh_part *const parts = parts_of(r);
    // In the order of the file's materials, not in that of their use.
    assert_int_equal(parts[0].slot.value, ct_string_id32_of("wood").value);
    assert_int_equal(parts[0].num_indices, 2 * 3);
    assert_int_equal(parts[1].slot.value, ct_string_id32_of("iron").value);
    assert_int_equal(parts[1].first_index, 6);
    assert_int_equal(parts[1].num_indices, 2 * 6);
    compile_case_free(&t);
}

static void gives_parts_without_material_no_slot(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m = square();
    model_file_primitive(&m, whole_square);
    const ct_mesh_resource *const r = compile(&t, &m, "");
    assert_int_equal(r->parts.count, 1);
    assert_int_equal(parts_of(r)[0].slot.value, 0);
    compile_case_free(&t);
}

static const char *const tree =
    "[{\"name\":\"root\",\"translation\":[100,0,0],\"children\":[1,2]},"
    "{\"name\":\"crate\",\"translation\":[0,0,10],\"mesh\":0,\"children\":[3]},"
    "{\"name\":\"lamp\"},"
    "{\"name\":\"lid\",\"translation\":[0,2,0],\"scale\":[3,3,3],\"mesh\":0}]";

static void takes_a_node_in_its_own_space_with_its_children(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m = square();
    m.nodes = tree;
    model_file_primitive(&m, whole_square);
    const ct_mesh_resource *const r = compile(&t, &m, "node = \"crate\"");
    assert_int_equal(r->num_indices, 12);
    assert_non_null(vertex_at(r, 1, 0, 1));     // its own corner, not moved
    assert_non_null(vertex_at(r, 3, 0, 2 + 3)); // the lid's, moved and scaled
    assert_vector(r->bounds_min, 0, 0, 0);
    compile_case_free(&t);
}

static void takes_the_whole_scene_with_all_transforms(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m = square();
    m.nodes = tree;
    model_file_primitive(&m, whole_square);
    const ct_mesh_resource *const r = compile(&t, &m, "");
    assert_non_null(vertex_at(r, 101, -10, 1));
    assert_non_null(vertex_at(r, 103, -10, 5));
    compile_case_free(&t);
}

static void scales_the_model(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m = square();
    model_file_primitive(&m, whole_square);
    const ct_mesh_resource *const r = compile(&t, &m, "scale = 0.5");
    assert_vector(r->bounds_max, 0.5f, 0, 0.5f);
    assert_vector(vertices_of(r)[0].normal, 0, -1, 0);
    compile_case_free(&t);
}

static void turns_mirrored_nodes_right_side_out(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m = square();
    m.nodes = "[{\"name\":\"n\",\"mesh\":0,\"scale\":[-1,1,1]}]";
    model_file_primitive(&m, whole_square);
    const ct_mesh_resource *const r = compile(&t, &m, "");
    assert_vector(r->bounds_min, -1, 0, 0);
    assert_vector(vertices_of(r)[0].normal, 0, -1, 0);
    assert_faces_outwards(r);
    assert_vector(vertices_of(r)[0].tangent, -1, 0, 0);
    assert_true(vertices_of(r)[0].tangent[3] == -1.0f);
    compile_case_free(&t);
}

static void bends_normals_with_uneven_scale(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m;
    model_file_init(&m);
    // A slope of 45 degrees, stretched along y: its normal leans less.
    const float positions[] = {0, 0, 0, 0, 0, 1, 1, -1, 0}, normals[] = {1, 1, 0, 1, 1, 0, 1, 1, 0};
    model_file_vectors(&m, positions, 3, 3);
    model_file_vectors(&m, normals, 3, 3);
    m.nodes = "[{\"mesh\":0,\"scale\":[1,2,1]}]";
    model_file_primitive(&m, "\"attributes\":{\"POSITION\":0,\"NORMAL\":1}");
    const ct_mesh_resource *const r = compile(&t, &m, "");
    assert_vector(vertices_of(r)[0].normal, 2 / sqrtf(5), 0, 1 / sqrtf(5));
    assert_faces_outwards(r);
    compile_case_free(&t);
}

// A grid of `side` x `side` vertices.
static model_file grid(uint32_t side) {
    model_file m;
    model_file_init(&m);
    float *const positions = ct_alloc(test_heap(), (uint64_t)side * side * 12);
    ct_u32_array indices;
    ct_array_init(&indices, test_heap());
    for (uint32_t y = 0; y < side; ++y) {
        for (uint32_t x = 0; x < side; ++x) {
            float *const p = positions + (y * side + x) * 3;
            p[0] = (float)x, p[1] = (float)y, p[2] = 0;
            if (x + 1 == side || y + 1 == side)
                continue;
            const uint32_t i = y * side + x;
            const uint32_t two[] = {i, i + 1, i + side, i + 1, i + side + 1, i + side};
            ct_array_push_many(&indices, two, 6);
        }
    }
    model_file_vectors(&m, positions, side * side, 3);
    model_file_indices(&m, indices.items, indices.count);
    model_file_primitive(&m, "\"attributes\":{\"POSITION\":0},\"indices\":1");
    ct_free(test_heap(), positions);
    ct_array_free(&indices);
    return m;
}

static void uses_wide_indices_only_from_65536_vertices_on(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m = grid(255);
    const ct_mesh_resource *r = compile(&t, &m, "");
    assert_int_equal(r->num_vertices, 255 * 255);
    assert_int_equal(r->index_bytes, 2);
    m = grid(256);
    r = compile(&t, &m, "");
    assert_int_equal(r->num_vertices, 65536);
    assert_int_equal(r->index_bytes, 4);
    assert_int_equal(r->num_indices, 255 * 255 * 6);
    compile_case_free(&t);
}

static void orders_vertices_as_they_are_used(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m = grid(20);
    const ct_mesh_resource *const r = compile(&t, &m, "");
    uint32_t next = 0;
    for (uint32_t i = 0; i < r->num_indices; ++i) {
        assert_true(index_at(r, i) <= next);
        next += index_at(r, i) == next;
    }
    assert_int_equal(next, r->num_vertices);
    compile_case_free(&t);
}

static void gives_the_same_bytes_twice(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m = grid(20);
    compile(&t, &m, "");
    ct_byte_array first;
    ct_array_init(&first, test_heap());
    ct_array_push_many(&first, t.answer.blob.items, t.answer.blob.count);
    compile_case_blob(&t, "mesh", "models/a");
    assert_int_equal(first.count, t.answer.blob.count);
    assert_memory_equal(first.items, t.answer.blob.items, first.count);
    ct_array_free(&first);
    compile_case_free(&t);
}

static void passes_over_points_and_lines(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m = square();
    model_file_primitive(&m, "\"attributes\":{\"POSITION\":0},\"mode\":0");
    model_file_primitive(&m, whole_square);
    model_file_primitive(&m, "\"attributes\":{\"POSITION\":0},\"mode\":1");
    const ct_mesh_resource *const r = compile(&t, &m, "");
    assert_int_equal(r->num_indices, 6);
    m = square();
    model_file_primitive(&m, "\"attributes\":{\"POSITION\":0},\"mode\":1");
    compile_badly(&t, &m, "");
    compile_case_expect(&t, "models/a.mesh", 1, "models/a.gltf: found no triangles");
    compile_case_free(&t);
}

static void reads_strips_and_fans(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m = square();
    model_file_primitive(&m, "\"attributes\":{\"POSITION\":0,\"NORMAL\":1},\"mode\":6");
    const ct_mesh_resource *const r = compile(&t, &m, "");
    assert_int_equal(r->num_indices, 6);
    assert_faces_outwards(r);
    compile_case_free(&t);
}

static void refuses_indices_out_of_range(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m = square();
    const uint32_t indices[] = {0, 1, 2, 0, 2, 4};
    model_file_indices(&m, indices, 6);
    model_file_primitive(&m, whole_square);
    model_file_primitive(&m, "\"attributes\":{\"POSITION\":0},\"indices\":4");
    compile_badly(&t, &m, "");
    compile_case_expect(
        &t, "models/a.gltf", 1,
        "mesh \"m\", primitive 1: 1 of its 6 indices are out of range; found 4, but "
        "there are 4 vertices");
    compile_case_free(&t);
}

static void says_so_when_all_indices_are_out_of_range(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m = square();
    const uint32_t indices[] = {7, 8, 9};
    model_file_indices(&m, indices, 3);
    model_file_primitive(&m, "\"attributes\":{\"POSITION\":0},\"indices\":4");
    compile_badly(&t, &m, "");
    compile_case_expect(&t, "models/a.gltf", 1,
                        "3 of its 3 indices are out of range; found 7, but there are 4 vertices");
    compile_case_free(&t);
}

static void refuses_positions_that_are_no_numbers(void **state) {
    (void)state;
    const float wrong[] = {NAN, INFINITY, -INFINITY};
    for (uint32_t i = 0; i < 3; ++i) {
        compile_case t = compile_case_make();
        model_file m = square();
        float positions[12];
        memcpy(positions, square_positions, sizeof(positions));
        positions[7] = wrong[i];
        model_file_vectors(&m, positions, 4, 3);
        model_file_primitive(&m, "\"attributes\":{\"POSITION\":4},\"indices\":3");
        compile_badly(&t, &m, "");
        compile_case_expect(&t, "models/a.mesh", 1, "vertex 2 has a position that is not a number");
        compile_case_free(&t);
    }
}

static void refuses_meshes_without_area(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m = square();
    m.nodes = "[{\"mesh\":0,\"scale\":[0,0,0]}]";
    model_file_primitive(&m, "\"attributes\":{\"POSITION\":0},\"indices\":3");
    compile_badly(&t, &m, "");
    compile_case_expect(&t, "models/a.mesh", 1, "found no triangles with an area");
    compile_case_free(&t);
}

static void names_the_nodes_when_one_is_not_there(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m = square();
    m.nodes = tree;
    model_file_primitive(&m, whole_square);
    compile_badly(&t, &m, "\nnode = \"crane\"");
    compile_case_expect(&t, "models/a.mesh", 3,
                        "models/a.gltf has no node \"crane\"; its nodes are \"root\", \"crate\", "
                        "\"lid\", \"lamp\"");
    compile_case_free(&t);
}

static void refuses_a_name_that_two_nodes_have(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m = square();
    m.nodes = "[{\"name\":\"n\",\"mesh\":0,\"children\":[1]},{\"name\":\"n\",\"mesh\":0}]";
    model_file_primitive(&m, whole_square);
    compile_badly(&t, &m, "node = \"n\"");
    compile_case_expect(&t, "models/a.mesh", 2, "has 2 nodes named \"n\"; expected a unique name");
    compile_case_free(&t);
}

static void refuses_extensions_that_it_cannot_read(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m = square();
    m.more = "\n\"extensionsRequired\":[\"EXT_mesh_gpu_instancing\"],";
    model_file_primitive(&m, whole_square);
    compile_badly(&t, &m, "");
    compile_case_expect(&t, "models/a.gltf", 2,
                        "requires the extension \"EXT_mesh_gpu_instancing\"");
    compile_case_free(&t);
}

static void reports_a_missing_buffer_once(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m = square();
    ct_string_builder json;
    ct_string_builder_init(&json, test_heap());
    model_file_primitive(&m, whole_square);
    model_file_json(&m, "gone.bin", &json);
    compile_case_text(&t, "models/a.gltf", json.text);
    compile_case_text(&t, "models/a.mesh", "source = \"models/a.gltf\"");
    compile_case_run(&t, "mesh", "models/a");
    compile_case_expect(&t, "models/a.mesh", 1, "models/gone.bin");
    assert_int_equal(t.answer.errors.count, 1);
    assert_true(compile_case_has_include(&t, "models/gone.bin"));
    ct_string_builder_free(&json);
    model_file_free(&m);
    compile_case_free(&t);
}

static void refuse_buffer_outside(const char *uri) {
    compile_case t = compile_case_make();
    model_file m = square();
    ct_string_builder json;
    ct_string_builder_init(&json, test_heap());
    model_file_primitive(&m, whole_square);
    model_file_json(&m, uri, &json);
    compile_case_text(&t, "models/a.gltf", json.text);
    compile_case_text(&t, "models/a.mesh", "source = \"models/a.gltf\"");
    compile_case_run(&t, "mesh", "models/a");
    compile_case_expect(&t, "models/a.mesh", 1, "expected a file in the project");
    ct_string_builder_free(&json);
    model_file_free(&m);
    compile_case_free(&t);
}

static void reads_no_file_outside_the_project(void **state) {
    (void)state;
    refuse_buffer_outside("../../../etc/passwd");
    refuse_buffer_outside("%2e%2e/..%2F%2e./etc/passwd");
}

static void names_of_buffers_are_uris(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m = square();
    ct_string_builder json;
    ct_string_builder_init(&json, test_heap());
    model_file_primitive(&m, whole_square);
    model_file_json(&m, "My%20B%49n%zz%0a.bin", &json);
    compile_case_text(&t, "models/a.gltf", json.text);
    compile_case_file(&t, "models/my_bin_zz_0a.bin", m.data.items, m.data.count);
    compile_case_text(&t, "models/a.mesh", "source = \"models/a.gltf\"");
    compile_case_blob(&t, "mesh", "models/a");
    ct_string_builder_free(&json);
    model_file_free(&m);
    compile_case_free(&t);
}

static void reads_buffers_beside_and_above_the_model(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m = square();
    ct_string_builder json;
    ct_string_builder_init(&json, test_heap());
    model_file_primitive(&m, whole_square);
    model_file_json(&m, "../shared/./a.bin", &json);
    compile_case_text(&t, "models/a.gltf", json.text);
    compile_case_file(&t, "shared/a.bin", m.data.items, m.data.count);
    compile_case_text(&t, "models/a.mesh", "source = \"models/a.gltf\"");
    compile_case_blob(&t, "mesh", "models/a");
    assert_true(compile_case_has_include(&t, "shared/a.bin"));
    ct_string_builder_free(&json);
    model_file_free(&m);
    compile_case_free(&t);
}

static void reads_binary_files(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m = square();
    ct_byte_array binary;
    ct_array_init(&binary, test_heap());
    model_file_primitive(&m, whole_square);
    model_file_binary(&m, &binary);
    compile_case_file(&t, "models/a.glb", binary.items, binary.count);
    compile_case_text(&t, "models/a.mesh", "source = \"models/a.glb\"");
    const ct_mesh_resource *const r = compile_case_blob(&t, "mesh", "models/a");
    assert_int_equal(r->num_vertices, 4);
    ct_array_free(&binary);
    compile_case_free(&t);
}

static void refuses_files_cut_anywhere(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m = square();
    ct_byte_array binary;
    ct_array_init(&binary, test_heap());
    model_file_primitive(&m, whole_square);
    model_file_binary(&m, &binary);
    compile_case_text(&t, "models/a.mesh", "source = \"models/a.glb\"");
    for (uint32_t count = 0; count < binary.count; count += 7) {
        compile_case_file(&t, "models/a.glb", binary.items, count);
        compile_case_run(&t, "mesh", "models/a");
        assert_int_equal(t.answer.blob.count, 0);
        assert_true(t.answer.errors.count > 0);
    }
    ct_array_free(&binary);
    m = square();
    model_file_primitive(&m, whole_square);
    compile(&t, &m, "");
    compile_case_file(&t, "models/a.bin", square_positions, sizeof(square_positions));
    compile_case_run(&t, "mesh", "models/a");
    compile_case_expect(&t, "models/a.gltf", 1, "buffer 0 has 48 bytes; expected 152");
    compile_case_free(&t);
}

static void tells_where_broken_json_is(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile_case_text(&t, "models/a.gltf", "{\n  \"asset\": {]\n}");
    compile_case_text(&t, "models/a.mesh", "source = \"models/a.gltf\"");
    compile_case_run(&t, "mesh", "models/a");
    compile_case_expect(&t, "models/a.gltf", 2, "");
    compile_case_text(&t, "models/a.gltf", "{\"asset\":{\"version\":\"1.0\"}}");
    compile_case_run(&t, "mesh", "models/a");
    compile_case_expect(&t, "models/a.gltf", 1, "expected asset.version \"2.0\"");
    compile_case_free(&t);
}

static void has_one_stream_without_colors_and_second_uvs(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m = square();
    model_file_primitive(&m, whole_square);
    assert_int_equal(compile(&t, &m, "")->extras.count, 0);
    compile_case_free(&t);
}

static void keeps_linear_colors_and_second_uvs(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m = square();
    const float colors[] = {0.5f, 0, 0, 1, 0.5f, 0, 0, 1, 0.5f, 0, 2, 1, 0.5f, 0, 0, 0};
    const float uvs[] = {0.25f, 0.75f, 0.25f, 0.75f, 0.25f, 0.75f, 0.25f, 0.75f};
    model_file_vectors(&m, colors, 4, 4);
    model_file_vectors(&m, uvs, 4, 2);
    model_file_primitive(&m, "\"attributes\":{\"POSITION\":0,\"NORMAL\":1,\"TEXCOORD_0\":2,"
                             "\"COLOR_0\":4,\"TEXCOORD_1\":5},\"indices\":3");
    const ct_mesh_resource *const r = compile(&t, &m, "");
    assert_int_equal(r->extras.count, 4);
    const ct_mesh_vertex_extra *const e = ct_blob_at(r, r->extras.offset);
    for (uint32_t i = 0; i < 4; ++i) {
        assert_in_range(e[i].color[0], 32767, 32768);
        assert_int_equal(e[i].color[1], 0);
        assert_true(e[i].uv1[0] == 0.25f && e[i].uv1[1] == 0.75f);
    }
    // Corner 2 of the file (1, 0, 1) has more blue than there is; corner 3 (0, 0, 1) no alpha.
    assert_int_equal(e[vertex_at(r, 1, 0, 1) - vertices_of(r)].color[2], 65535);
    assert_int_equal(e[vertex_at(r, 0, 0, 1) - vertices_of(r)].color[3], 0);
    compile_case_free(&t);
}

static void gives_parts_without_colors_white(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m = square();
    m.nodes = "[{\"name\":\"n\",\"mesh\":0}]";
    const float red[] = {1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1};
    const float away[] = {5, 0, 0, 6, 0, 0, 6, 1, 0};
    model_file_vectors(&m, red, 4, 4);
    model_file_vectors(&m, away, 3, 3);
    model_file_primitive(&m, "\"attributes\":{\"POSITION\":0,\"COLOR_0\":4},\"indices\":3");
    model_file_primitive(&m, "\"attributes\":{\"POSITION\":5}");
    const ct_mesh_resource *const r = compile(&t, &m, "");
    const ct_mesh_vertex_extra *const e = ct_blob_at(r, r->extras.offset);
    assert_int_equal(e[vertex_at(r, 1, 0, 0) - vertices_of(r)].color[1], 0);
    assert_int_equal(e[vertex_at(r, 5, 0, 0) - vertices_of(r)].color[1], 65535);
    compile_case_free(&t);
}

static void takes_a_node_without_its_children(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m = square();
    m.nodes = tree;
    model_file_primitive(&m, whole_square);
    const ct_mesh_resource *const r = compile(&t, &m, "node = \"crate\"\nchildren = false");
    assert_int_equal(r->num_indices, 6);
    assert_vector(r->bounds_max, 1, 0, 1);
    compile_case_free(&t);
}

static void refuses_no_children_without_a_node(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m = square();
    model_file_primitive(&m, whole_square);
    compile_badly(&t, &m, "children = false");
    compile_case_expect(&t, "models/a.mesh", 2, "children = false needs a node");
    compile_case_free(&t);
}

static void finds_a_node_by_its_path(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m = square();
    m.nodes = "[{\"name\":\"n\",\"mesh\":0,\"children\":[1,2]},"
              "{\"name\":\"n\",\"mesh\":0,\"children\":[3]},{\"name\":\"n\"},"
              "{\"name\":\"x\",\"scale\":[3,3,3],\"mesh\":0}]";
    model_file_primitive(&m, whole_square);
    assert_int_equal(compile(&t, &m, "node = \"/n\"")->num_indices, 18);
    m = square();
    m.nodes = "[{\"name\":\"n\",\"children\":[1,2]},{\"name\":\"n\"},"
              "{\"name\":\"n\",\"mesh\":0}]";
    model_file_primitive(&m, whole_square);
    assert_int_equal(compile(&t, &m, "node = \"/n/n#2\"")->num_indices, 6);
    compile_case_free(&t);
}

static void takes_the_up_axis_from_the_source(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m;
    model_file_init(&m);
    const float positions[] = {1, 2, 3, 4, 2, 3, 1, 5, 3};
    model_file_vectors(&m, positions, 3, 3);
    model_file_primitive(&m, "\"attributes\":{\"POSITION\":0}");
    assert_non_null(vertex_at(compile(&t, &m, "up_axis = \"z\""), 1, 2, 3));
    compile_case_free(&t);
}

static void refuses_nodes_below_themselves_or_twice(void **state) {
    (void)state;
    const char *const cases[][2] = {
        {"[{\"children\":[1]},{\"mesh\":0,\"children\":[0]}]", "is its own ancestor"},
        {"[{\"children\":[1,1]},{\"mesh\":0}]", "expected one parent"},
        {"[{\"children\":[7]},{\"mesh\":0}]", "found node 7, but there are 2 nodes"},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        compile_case t = compile_case_make();
        model_file m = square();
        m.nodes = cases[i][0];
        model_file_primitive(&m, whole_square);
        compile_badly(&t, &m, "");
        compile_case_expect(&t, "models/a.gltf", 0, cases[i][1]);
        compile_case_free(&t);
    }
}

static void refuses_a_million_nodes_and_a_long_line_of_them(void **state) {
    (void)state;
    ct_string_builder nodes;
    ct_string_builder_init(&nodes, test_heap());
    for (uint32_t round = 0; round < 2; ++round) {
        compile_case t = compile_case_make();
        model_file m = square();
        ct_string_builder_clear(&nodes);
        ct_string_builder_add(&nodes, "[{\"mesh\":0}");
        for (uint32_t i = 1; i < (round ? 1000u : 1000000u); ++i)
            ct_string_builder_addf(&nodes, round ? ",{\"children\":[%u]}" : ",{}", i - 1);
        ct_string_builder_add(&nodes, "]");
        m.nodes = ct_string_builder_text(&nodes);
        m.roots = round ? "[999]" : "[0]";
        model_file_primitive(&m, whole_square);
        compile_badly(&t, &m, "");
        compile_case_expect(&t, "models/a.gltf", 0,
                            round ? "more than 256 deep" : "found 1000000 nodes, expected at most");
        compile_case_free(&t);
    }
    ct_string_builder_free(&nodes);
}

static void checks_the_primitive_that_has_the_bad_index(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    model_file m = square();
    const uint32_t indices[] = {0, 1, 2, 0, 2, 4};
    model_file_indices(&m, indices, 6);
    // The scene uses the second mesh before the first, and the third not at all.
    m.nodes = "[{\"mesh\":0,\"children\":[1]},{\"mesh\":1}]";
    model_file_primitive(&m, whole_square);
    ct_string_builder_add(&m.primitives, "]},{\"primitives\":[");
    ct_string_builder_add(&m.primitives, "{\"attributes\":{\"POSITION\":0}}");
    ct_string_builder_add(&m.primitives, "]},{\"primitives\":[");
    ct_string_builder_add(&m.primitives, "{\"attributes\":{\"POSITION\":0},\"indices\":4}");
    const ct_mesh_resource *const r = compile(&t, &m, "");
    assert_int_equal(r->num_indices, 9);
    compile_case_free(&t);
}

static void refuses_other_formats(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile_case_text(&t, "a.stl", "solid");
    compile_case_text(&t, "a.mesh", "source = \"a.stl\"");
    compile_case_run(&t, "mesh", "a");
    compile_case_expect(&t, "a.mesh", 1, "expected .gltf, .glb, .fbx, .obj or .bvh");
    compile_case_free(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turns_y_up_to_z_up),
        cmocka_unit_test(keeps_normals_and_puts_the_uv_origin_top_left),
        cmocka_unit_test(makes_tangents_along_u),
        cmocka_unit_test(makes_mirrored_tangents_for_mirrored_uvs),
        cmocka_unit_test(keeps_the_files_tangents),
        cmocka_unit_test(makes_flat_normals_where_there_are_none),
        cmocka_unit_test(joins_equal_vertices),
        cmocka_unit_test(makes_one_part_per_material),
        cmocka_unit_test(gives_parts_without_material_no_slot),
        cmocka_unit_test(takes_a_node_in_its_own_space_with_its_children),
        cmocka_unit_test(takes_the_whole_scene_with_all_transforms),
        cmocka_unit_test(scales_the_model),
        cmocka_unit_test(turns_mirrored_nodes_right_side_out),
        cmocka_unit_test(bends_normals_with_uneven_scale),
        cmocka_unit_test(uses_wide_indices_only_from_65536_vertices_on),
        cmocka_unit_test(orders_vertices_as_they_are_used),
        cmocka_unit_test(gives_the_same_bytes_twice),
        cmocka_unit_test(passes_over_points_and_lines),
        cmocka_unit_test(reads_strips_and_fans),
        cmocka_unit_test(refuses_indices_out_of_range),
        cmocka_unit_test(says_so_when_all_indices_are_out_of_range),
        cmocka_unit_test(refuses_positions_that_are_no_numbers),
        cmocka_unit_test(refuses_meshes_without_area),
        cmocka_unit_test(names_the_nodes_when_one_is_not_there),
        cmocka_unit_test(refuses_a_name_that_two_nodes_have),
        cmocka_unit_test(refuses_extensions_that_it_cannot_read),
        cmocka_unit_test(reports_a_missing_buffer_once),
        cmocka_unit_test(reads_no_file_outside_the_project),
        cmocka_unit_test(reads_buffers_beside_and_above_the_model),
        cmocka_unit_test(names_of_buffers_are_uris),
        cmocka_unit_test(reads_binary_files),
        cmocka_unit_test(refuses_files_cut_anywhere),
        cmocka_unit_test(tells_where_broken_json_is),
        cmocka_unit_test(has_one_stream_without_colors_and_second_uvs),
        cmocka_unit_test(keeps_linear_colors_and_second_uvs),
        cmocka_unit_test(gives_parts_without_colors_white),
        cmocka_unit_test(takes_a_node_without_its_children),
        cmocka_unit_test(refuses_no_children_without_a_node),
        cmocka_unit_test(finds_a_node_by_its_path),
        cmocka_unit_test(takes_the_up_axis_from_the_source),
        cmocka_unit_test(refuses_nodes_below_themselves_or_twice),
        cmocka_unit_test(refuses_a_million_nodes_and_a_long_line_of_them),
        cmocka_unit_test(checks_the_primitive_that_has_the_bad_index),
        cmocka_unit_test(refuses_other_formats),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
