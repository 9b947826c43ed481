// mesh_case.h: meshes compiled from small models, as tests of what the compiler makes of them look
// at them.
#pragma once
#include "compiler/model_file.h"

#include <math.h>

#include "resource/types/mesh_resource.h"

static inline void mesh_case_write(compile_case *t, model_file *m, const char *settings) {
    char source[512];
    model_file_write(m, t);
    snprintf(source, sizeof(source), "source = \"models/a.gltf\"\n%s\n", settings);
    compile_case_text(t, "models/a.mesh", source);
}

static inline const ct_mesh_resource *mesh_case_blob(compile_case *t, model_file *m,
                                                     const char *settings) {
    mesh_case_write(t, m, settings);
    return compile_case_blob(t, "mesh", "models/a");
}

// Fails unless compiling it reports an error that contains `text` at a line of the source.
static inline void mesh_case_expect(compile_case *t, model_file *m, const char *settings,
                                    uint32_t line, const char *text) {
    mesh_case_write(t, m, settings);
    compile_case_run(t, "mesh", "models/a");
    compile_case_expect(t, "models/a.mesh", line, text);
    assert_int_equal(t->answer.blob.count, 0);
}

// A box from (-x -y -z) to (x y z): accessors 0 to 2 are positions, normals and coordinates, 3 the
// indices.
static inline model_file mesh_case_box(float x, float y, float z) {
    model_file m;
    model_file_init(&m);
    float positions[24][3], normals[24][3] = {{0}}, uvs[24][2];
    uint32_t indices[36];
    const float size[3] = {x, y, z};
    static const uint32_t two[6] = {0, 1, 3, 0, 3, 2};
    for (uint32_t side = 0; side < 6; ++side) {
        const uint32_t axis = side / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
        const float sign = side % 2 ? -1.0f : 1.0f;
        for (uint32_t i = 0; i < 4; ++i) {
            const float along = i & 1 ? 1.0f : -1.0f, across = i & 2 ? 1.0f : -1.0f;
            float *p = positions[side * 4 + i];
            p[axis] = sign * size[axis];
            p[u] = sign * along * size[u];
            p[v] = across * size[v];
            normals[side * 4 + i][axis] = sign;
            uvs[side * 4 + i][0] = i & 1 ? 1.0f : 0.0f;
            uvs[side * 4 + i][1] = i & 2 ? 0.0f : 1.0f;
        }
        for (uint32_t i = 0; i < 6; ++i)
            indices[side * 6 + i] = side * 4 + two[i];
    }
    model_file_vectors(&m, positions[0], 24, 3);
    model_file_vectors(&m, normals[0], 24, 3);
    model_file_vectors(&m, uvs[0], 24, 2);
    model_file_indices(&m, indices, 36);
    model_file_primitive(&m, "\"attributes\":{\"POSITION\":0,\"NORMAL\":1,\"TEXCOORD_0\":2},"
                             "\"indices\":3");
    return m;
}

// A ball of radius 1 of 2 * side * side triangles, without coordinates.
static inline model_file mesh_case_ball(uint32_t side) {
    model_file m;
    model_file_init(&m);
    const uint32_t row = side + 1;
    CT_ARRAY(float) positions;
    ct_u32_array indices;
    ct_array_init(&positions, test_heap());
    ct_array_init(&indices, test_heap());
    for (uint32_t y = 0; y <= side; ++y) {
        for (uint32_t x = 0; x <= side; ++x) {
            const float around = (float)(x % side) * 6.2831853f / (float)side;
            const float down = (float)y * 3.14159265f / (float)side;
            const float width = y == 0 || y == side ? 0.0f : sinf(down);
            const float p[] = {width * cosf(around), width * sinf(around), cosf(down)};
            ct_array_push_many(&positions, p, 3);
            if (x == side || y == side)
                continue;
            const uint32_t i = y * row + x;
            const uint32_t two[] = {i, i + row, i + 1, i + 1, i + row, i + row + 1};
            ct_array_push_many(&indices, two, 6);
        }
    }
    model_file_vectors(&m, positions.items, row * row, 3);
    model_file_vectors(&m, positions.items, row * row, 3);
    model_file_indices(&m, indices.items, indices.count);
    model_file_primitive(&m, "\"attributes\":{\"POSITION\":0,\"NORMAL\":1},\"indices\":2");
    ct_array_free(&positions);
    ct_array_free(&indices);
    return m;
}

static inline uint32_t mesh_case_index(const ct_mesh_resource *r, uint32_t i) {
    const uint16_t *narrow = ct_blob_at(r, r->indices.offset);
    const uint32_t *wide = ct_blob_at(r, r->indices.offset);
    return r->index_bytes == 2 ? narrow[i] : wide[i];
}

static inline const ct_mesh_lod *mesh_case_lods(const ct_mesh_resource *r) {
    return ct_blob_at(r, r->lods.offset);
}

// The triangles of level `lod`, 0 for the full one.
static inline uint32_t mesh_case_triangles(const ct_mesh_resource *r, uint32_t lod) {
    const ct_mesh_part *parts = ct_blob_at(r, (lod ? r->lod_parts : r->parts).offset);
    uint32_t count = 0;
    for (uint32_t p = 0; p < r->parts.count; ++p)
        count += parts[(lod ? lod - 1 : 0) * r->parts.count + p].num_indices / 3;
    return count;
}
