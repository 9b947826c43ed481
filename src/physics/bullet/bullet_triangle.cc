// The triangles that queries hit.
#include "physics/bullet/bullet_private.hh"

#include <BulletCollision/CollisionShapes/btConcaveShape.h>

// Returns the square of the distance from `p` to a triangle ("Real-Time Collision Detection",
// Ericson 2005, 5.1.5).
static btScalar distance2(const btVector3 &p, const btVector3 *t) {
    const btVector3 ab = t[1] - t[0], ac = t[2] - t[0], ap = p - t[0];
    const btScalar d1 = ab.dot(ap), d2 = ac.dot(ap);
    if (d1 <= 0 && d2 <= 0)
        return ap.length2();
    const btVector3 bp = p - t[1];
    const btScalar d3 = ab.dot(bp), d4 = ac.dot(bp);
    if (d3 >= 0 && d4 <= d3)
        return bp.length2();
    const btScalar vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0)
        return (ap - ab * (d1 / (d1 - d3))).length2();
    const btVector3 cp = p - t[2];
    const btScalar d5 = ab.dot(cp), d6 = ac.dot(cp);
    if (d6 >= 0 && d5 <= d6)
        return cp.length2();
    const btScalar vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0)
        return (ap - ac * (d2 / (d2 - d6))).length2();
    const btScalar va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 >= d3 && d5 >= d6)
        return (bp - (t[2] - t[1]) * ((d4 - d3) / ((d4 - d3) + (d5 - d6)))).length2();
    const btScalar sum = va + vb + vc;
    if (sum <= 0) // no area
        return ap.length2();
    return (ap - ab * (vb / sum) - ac * (vc / sum)).length2();
}

// Keeps the triangle nearest to a point; of a mesh, the one with the number that was hit.
struct nearest_triangle final : public btTriangleCallback {
    btVector3 position; // in the space of the part
    int wanted;         // number; -1: any
    btScalar best;      // square of the distance
    btVector3 corners[3];
    void processTriangle(btVector3 *triangle, int, int index) override {
        if (wanted >= 0 && index != wanted)
            return;
        const btScalar d = distance2(position, triangle);
        if (d >= best)
            return;
        best = d;
        for (int i = 0; i < 3; ++i)
            corners[i] = triangle[i];
    }
};

bool ct_bullet_hit_triangle(const ct_bullet_body *b, const ct_bullet_hit *hit, ct_vec3 corners[3]) {
    if (hit->triangle == UINT32_MAX)
        return false;
    nearest_triangle nearest;
    nearest.best = BT_LARGE_FLOAT;
    bool is_found = false;
    for (int i = 0; i < b->shape->parts.size(); ++i) {
        const btCollisionShape *const shape = b->shape->parts[i].shape;
        if (!shape->isConcave() || shape->isInfinite())
            continue;
        btTransform pose = b->rigid.getWorldTransform();
        if (b->shape->compound)
            pose = pose * b->shape->compound->getChildTransform(i);
        nearest.position = pose.invXform(bt_vector(hit->position));
        // Of heights, Bullet's number is only that of a row.
        const bool is_grid = shape->getShapeType() == TERRAIN_SHAPE_PROXYTYPE;
        nearest.wanted = is_grid ? -1 : static_cast<int>(hit->triangle);
        const btScalar before = nearest.best, reach = shape->getMargin() + btScalar(0.05);
        const btVector3 border(reach, reach, reach);
        static_cast<const btConcaveShape *>(shape)->processAllTriangles(
            &nearest, nearest.position - border, nearest.position + border);
        if (nearest.best >= before)
            continue;
        is_found = true;
        for (int k = 0; k < 3; ++k)
            corners[k] = ct_vector(pose * nearest.corners[k]);
    }
    return is_found;
}
