#include "compiler/types/model/worker_geometry.h"

#include <math.h>

#include <meshoptimizer.h>

static void subtract(const float a[3], const float b[3], float out[3]) {
    for (uint32_t i = 0; i < 3; ++i)
        out[i] = a[i] - b[i];
}

static float dot(const float a[3], const float b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const float a[3], const float b[3], float out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

// False, and `v` as it was, when `v` has no direction.
static bool normalize(float v[3]) {
    const float length = sqrtf(dot(v, v));
    if (!(length > 0) || !isfinite(length))
        return false;
    for (uint32_t i = 0; i < 3; ++i)
        v[i] = v[i] / length + 0.0f;
    return true;
}

// In doubles the differences of floats are as good as exact, and so is what is made of them.
bool ct_worker_has_no_area(const float a[3], const float b[3], const float c[3]) {
    double u[3], v[3];
    for (uint32_t axis = 0; axis < 3; ++axis) {
        u[axis] = (double)b[axis] - (double)a[axis];
        v[axis] = (double)c[axis] - (double)a[axis];
    }
    return u[1] * v[2] == u[2] * v[1] && u[2] * v[0] == u[0] * v[2] && u[0] * v[1] == u[1] * v[0];
}

void ct_worker_flat_normals(ct_worker_vertex *corners, uint32_t num_corners, bool only_missing) {
    for (uint32_t i = 0; i < num_corners; i += 3) {
        float right[3], left[3], normal[3];
        subtract(corners[i + 1].base.position, corners[i].base.position, right);
        subtract(corners[i + 2].base.position, corners[i].base.position, left);
        // Unit edges, so that the area of small triangles does not vanish in rounding.
        const bool has_edges = normalize(right) && normalize(left);
        cross(right, left, normal);
        if (!has_edges || !normalize(normal)) {
            normal[0] = normal[1] = 0;
            normal[2] = 1;
        }
        for (uint32_t k = i; k < i + 3; ++k) {
            if (only_missing && dot(corners[k].base.normal, corners[k].base.normal) > 0)
                continue;
            for (uint32_t axis = 0; axis < 3; ++axis)
                corners[k].base.normal[axis] = normal[axis];
        }
    }
}

void ct_worker_join_corners(ct_allocator *a, const ct_worker_vertex *corners, uint32_t num_corners,
                            ct_worker_vertex_array *vertices, ct_u32_array *indices) {
    unsigned *const remap = ct_alloc(a, num_corners * sizeof(unsigned));
    const uint32_t num_vertices = (uint32_t)meshopt_generateVertexRemap(
        remap, NULL, num_corners, corners, num_corners, sizeof(ct_worker_vertex));
    const uint32_t first_vertex = vertices->count, first_index = indices->count;
    ct_array_resize(vertices, first_vertex + num_vertices);
    meshopt_remapVertexBuffer(vertices->items + first_vertex, corners, num_corners,
                              sizeof(ct_worker_vertex), remap);
    ct_array_resize(indices, first_index + num_corners);
    for (uint32_t i = 0; i < num_corners; ++i)
        indices->items[first_index + i] = first_vertex + remap[i];
    ct_free(a, remap);
}

// The direction in which u grows over a triangle, and the sign of its bitangent. False when the
// texture coordinates have no area.
static bool triangle_tangent(const ct_mesh_vertex *a, const ct_mesh_vertex *b,
                             const ct_mesh_vertex *c, float tangent[3], float *sign) {
    float right[3], left[3];
    subtract(b->position, a->position, right);
    subtract(c->position, a->position, left);
    const float u1 = b->uv[0] - a->uv[0], v1 = b->uv[1] - a->uv[1];
    const float u2 = c->uv[0] - a->uv[0], v2 = c->uv[1] - a->uv[1];
    const float area = u1 * v2 - u2 * v1;
    const float direction = area < 0 ? -1.0f : 1.0f;
    float bitangent[3], plane_normal[3], across[3];
    for (uint32_t i = 0; i < 3; ++i) {
        tangent[i] = direction * (right[i] * v2 - left[i] * v1);
        // v grows downwards in the image; the bitangent of normal maps points upwards.
        bitangent[i] = direction * (right[i] * u2 - left[i] * u1);
    }
    cross(right, left, plane_normal);
    cross(plane_normal, tangent, across);
    *sign = dot(across, bitangent) < 0 ? -1.0f : 1.0f;
    return area != 0 && normalize(tangent);
}

// Makes `v`'s tangent a unit vector at a right angle to its normal.
static void finish_tangent(ct_mesh_vertex *v) {
    const float along = dot(v->normal, v->tangent);
    float tangent[3];
    for (uint32_t i = 0; i < 3; ++i)
        tangent[i] = v->tangent[i] - along * v->normal[i];
    if (dot(tangent, tangent) < 1e-12f || !normalize(tangent)) {
        const float up[3] = {0, 0, 1}, right[3] = {1, 0, 0};
        cross(fabsf(v->normal[2]) < 0.9f ? up : right, v->normal, tangent);
        normalize(tangent);
    }
    for (uint32_t i = 0; i < 3; ++i)
        v->tangent[i] = tangent[i];
}

void ct_worker_join_with_tangents(ct_allocator *a, ct_worker_vertex *corners, uint32_t num_corners,
                                  ct_worker_vertex_array *vertices, ct_u32_array *indices) {
    for (uint32_t i = 0; i < num_corners; i += 3) {
        float tangent[3], sign = 1.0f;
        triangle_tangent(&corners[i].base, &corners[i + 1].base, &corners[i + 2].base, tangent,
                         &sign);
        for (uint32_t k = i; k < i + 3; ++k) {
            float *const t = corners[k].base.tangent;
            t[0] = t[1] = t[2] = 0;
            t[3] = sign; // keeps mirrored sides apart
        }
    }
    const uint32_t first_vertex = vertices->count, first_index = indices->count;
    ct_worker_join_corners(a, corners, num_corners, vertices, indices);
    for (uint32_t i = 0; i < num_corners; i += 3) {
        float tangent[3], sign;
        if (!triangle_tangent(&corners[i].base, &corners[i + 1].base, &corners[i + 2].base, tangent,
                              &sign))
            continue;
        for (uint32_t k = 0; k < 3; ++k) {
            ct_mesh_vertex *const v = &vertices->items[indices->items[first_index + i + k]].base;
            for (uint32_t axis = 0; axis < 3; ++axis)
                v->tangent[axis] += tangent[axis];
        }
    }
    for (uint32_t i = first_vertex; i < vertices->count; ++i)
        finish_tangent(&vertices->items[i].base);
}
