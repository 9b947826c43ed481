// Trees of triangle meshes (bullet_cook.h): the nodes that Bullet makes, as plain numbers.
#include "physics/bullet/bullet_cook.h"
#include "physics/bullet/bullet_private.hh"

#include <string.h>

uint32_t ct_bullet_cook_version(void) {
    return BT_BULLET_VERSION * 100;
}

// Opens what Bullet's tree keeps to itself.
struct tree_reader final : public btOptimizedBvh {
    void read(ct_allocator *a, ct_bullet_tree *tree) {
        for (int k = 0; k < 3; ++k) {
            tree->least[k] = m_bvhAabbMin[k];
            tree->most[k] = m_bvhAabbMax[k];
            tree->steps[k] = m_bvhQuantization[k];
        }
        const int count = m_curNodeIndex;
        ct_bullet_tree_node *const nodes = static_cast<ct_bullet_tree_node *>(
            ct_alloc(a, sizeof(*tree->nodes) * static_cast<uint64_t>(count)));
        for (int i = 0; i < count; ++i) {
            const btQuantizedBvhNode &from = m_quantizedContiguousNodes[i];
            memcpy(nodes[i].least, from.m_quantizedAabbMin, sizeof(nodes[i].least));
            memcpy(nodes[i].most, from.m_quantizedAabbMax, sizeof(nodes[i].most));
            nodes[i].next = from.m_escapeIndexOrTriangleIndex;
        }
        tree->nodes = nodes;
        tree->num_nodes = static_cast<uint32_t>(count);
    }
};

void ct_bullet_cook_tree(ct_allocator *a, const float *points, uint32_t num_points,
                         const uint32_t *indices, uint32_t num_indices, ct_bullet_tree *tree) {
    *tree = ct_bullet_tree();
    const uint32_t count = num_indices / 3;
    CT_ASSERT(count <= 1u << 21, "%u triangles", count);
    if (count == 0)
        return;
    btTriangleIndexVertexArray mesh(
        static_cast<int>(count), const_cast<int *>(reinterpret_cast<const int *>(indices)),
        static_cast<int>(3 * sizeof(uint32_t)), static_cast<int>(num_points),
        const_cast<btScalar *>(points), static_cast<int>(3 * sizeof(float)));
    // Bullet gives its trees the bounds of the shape.
    btBvhTriangleMeshShape shape(&mesh, true, false);
    tree_reader reader;
    reader.build(&mesh, true, shape.getLocalAabbMin(), shape.getLocalAabbMax());
    reader.read(a, tree);
}
