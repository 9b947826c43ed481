// Which boxes a shape meets, without a world.
#include "physics/bullet/bullet_private.hh"

#include <BulletCollision/CollisionShapes/btConcaveShape.h>

extern "C" {
#include "foundation/math/math_shapes.h"
#include "spatial/convex_distance.h"
}

// --- Poses ---------------------------------------------------------------------------------------

static btTransform body_pose(const ct_bullet_shape *shape, const ct_rigid_pose &pose) {
    return shape->has_frame ? bt_pose(pose) * shape->frame : bt_pose(pose);
}

static btTransform part_pose(const ct_bullet_shape *shape, int part, const btTransform &body) {
    return shape->compound ? body * shape->compound->getChildTransform(part) : body;
}

static ct_obb in_space_of(const btTransform &space, const ct_obb &box) {
    ct_obb out = box;
    out.center = ct_vector(space.invXform(bt_vector(box.center)));
    for (int i = 0; i < 3; ++i)
        out.axes[i] = ct_vector(bt_vector(box.axes[i]) * space.getBasis());
    return out;
}

// --- Parts ---------------------------------------------------------------------------------------

// What Bullet calls the shape without its margin, which lies around it.
static ct_vec3 farthest_of_core(const void *user, ct_vec3 direction) {
    const auto *const shape = static_cast<const btConvexShape *>(user);
    const btVector3 along = bt_vector(direction);
    return ct_vector(shape->localGetSupportingVertexWithoutMargin(along));
}

static ct_vec3 farthest_of_triangle(const void *user, ct_vec3 direction) {
    const auto *const corners = static_cast<const btVector3 *>(user);
    const btVector3 along = bt_vector(direction);
    int best = 0;
    for (int i = 1; i < 3; ++i)
        if (corners[i].dot(along) > corners[best].dot(along))
            best = i;
    return ct_vector(corners[best]);
}

static bool sphere_meets(btScalar radius, const ct_obb &box) {
    btScalar sum = 0;
    for (int i = 0; i < 3; ++i) {
        const btScalar along = btFabs(bt_vector(box.axes[i]).dot(bt_vector(box.center)));
        const btScalar outside = btMax(along - (&box.half.x)[i], btScalar(0));
        sum += outside * outside;
    }
    return sum <= radius * radius;
}

static bool box_meets(const btBoxShape *shape, const ct_obb &box) {
    ct_obb own = ct_obb();
    own.half = ct_vector(shape->getHalfExtentsWithMargin());
    own.axes[0].x = own.axes[1].y = own.axes[2].z = 1;
    return ct_obb_intersects_obb(&own, &box);
}

static bool convex_meets(const btConvexShape *shape, const ct_obb &box) {
    const ct_convex core = {farthest_of_core, shape}, other = {ct_obb_farthest, &box};
    return ct_convex_is_within(&core, &other, shape->getMargin());
}

struct triangles_meet final : public btTriangleCallback {
    ct_convex other;
    btScalar margin;
    bool is_met;
    void processTriangle(btVector3 *corners, int, int) override {
        const ct_convex triangle = {farthest_of_triangle, corners};
        is_met = is_met || ct_convex_is_within(&triangle, &other, margin);
    }
};

static bool surface_meets(const btConcaveShape *shape, const ct_obb &box) {
    triangles_meet meet;
    meet.other = {ct_obb_farthest, &box};
    meet.margin = shape->getMargin();
    meet.is_met = false;
    const ct_aabb bounds = ct_aabb_around_obb(&box);
    const btVector3 border(meet.margin, meet.margin, meet.margin);
    shape->processAllTriangles(&meet, bt_vector(bounds.min) - border,
                               bt_vector(bounds.max) + border);
    return meet.is_met;
}

static bool part_meets(const btCollisionShape *shape, const ct_obb &box) {
    switch (shape->getShapeType()) {
    case BOX_SHAPE_PROXYTYPE:
        return box_meets(static_cast<const btBoxShape *>(shape), box);
    case SPHERE_SHAPE_PROXYTYPE:
        return sphere_meets(static_cast<const btSphereShape *>(shape)->getRadius(), box);
    case STATIC_PLANE_PROXYTYPE:
        return ct_aabb_around_obb(&box).min.z <= 0;
    default:
        return shape->isConvex() ? convex_meets(static_cast<const btConvexShape *>(shape), box)
                                 : surface_meets(static_cast<const btConcaveShape *>(shape), box);
    }
}

// --- The interface -------------------------------------------------------------------------------

ct_aabb ct_bullet_shape_bounds(const ct_bullet_shape *shape, ct_rigid_pose pose) {
    btVector3 least, most;
    shape->shape->getAabb(body_pose(shape, pose), least, most);
    ct_aabb out;
    out.min = ct_vector(least), out.max = ct_vector(most);
    return out;
}

bool ct_bullet_shape_meets_box(const ct_bullet_shape *shape, ct_rigid_pose pose,
                               const ct_obb *box) {
    const btTransform body = body_pose(shape, pose);
    for (int i = 0; i < shape->parts.size(); ++i)
        if (part_meets(shape->parts[i].shape, in_space_of(part_pose(shape, i, body), *box)))
            return true;
    return false;
}
