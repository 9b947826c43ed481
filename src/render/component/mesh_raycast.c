#include "render/component/mesh_raycast.h"

#include "foundation/math/math_shapes.h"

static ct_vec3 corner(const ct_mesh_resource *m, uint32_t i) {
    const uint16_t *const narrow = ct_blob_at(m, m->indices.offset);
    const uint32_t *const wide = ct_blob_at(m, m->indices.offset);
    ct_vec3 p;
    ct_mesh_position_at(m, m->index_bytes == sizeof(uint16_t) ? narrow[i] : wide[i], p.raw);
    return p;
}

// The front side's normal in the space from which `to_mesh` leads to the mesh: normals go the other
// way through its transpose.
static ct_vec3 normal_of(const ct_mesh_resource *m, uint32_t triangle, const ct_mat4 *to_mesh) {
    const ct_vec3 a = corner(m, 3 * triangle);
    const ct_vec3 n = ct_vec3_cross(ct_vec3_sub(corner(m, 3 * triangle + 1), a),
                                    ct_vec3_sub(corner(m, 3 * triangle + 2), a));
    ct_vec3 out;
    for (uint32_t i = 0; i < 3; ++i)
        out.raw[i] = to_mesh->raw[i][0] * n.x + to_mesh->raw[i][1] * n.y + to_mesh->raw[i][2] * n.z;
    return ct_vec3_normalize(out);
}

bool ct_mesh_raycast(const ct_mesh_resource *mesh, const ct_mat4 *pose, ct_ray ray, float longest,
                     ct_mesh_hit *hit) {
    const ct_mat4 to_mesh = ct_mat4_inverse_affine(pose);
    if (!ct_mat4_is_finite(&to_mesh))
        return false;
    // The direction is scaled with the mesh, so distances stay what they are in the world.
    const ct_ray own = {ct_mat4_transform_point(to_mesh, ray.origin),
                        ct_mat4_transform_direction(to_mesh, ray.direction)};
    const float *const low = mesh->bounds_min, *const high = mesh->bounds_max;
    const ct_aabb box = {ct_vec3_make(low[0], low[1], low[2]),
                         ct_vec3_make(high[0], high[1], high[2])};
    const float enter = ct_ray_to_aabb(own, box);
    if (enter < 0 || enter > longest)
        return false;
    const uint32_t num_triangles = ct_mesh_num_triangles(mesh);
    uint32_t best = num_triangles;
    float nearest = longest;
    for (uint32_t i = 0; i < num_triangles; ++i) {
        const float t = ct_ray_to_triangle(own, corner(mesh, 3 * i), corner(mesh, 3 * i + 1),
                                           corner(mesh, 3 * i + 2));
        if (t < 0 || t > nearest || (t == nearest && best < num_triangles))
            continue;
        nearest = t;
        best = i;
    }
    if (best == num_triangles)
        return false;
    *hit = (ct_mesh_hit){nearest, best, normal_of(mesh, best, &to_mesh)};
    return true;
}
