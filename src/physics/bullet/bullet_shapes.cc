// Shapes: Bullet's own, with the margins and frames of ours.
#include "physics/bullet/bullet_private.hh"

#include <BulletCollision/CollisionShapes/btHeightfieldTerrainShape.h>
#include <BulletCollision/CollisionShapes/btScaledBvhTriangleMeshShape.h>
#include <LinearMath/btConvexHullComputer.h>

#include <new>

// The triangles of a mesh, which Bullet's trees call by the number of the part, too.
struct bullet_mesh final : public btTriangleIndexVertexArray {
    using btTriangleIndexVertexArray::btTriangleIndexVertexArray;
    void getLockedReadOnlyVertexIndexBase(const unsigned char **points, int &num_points,
                                          PHY_ScalarType &type, int &stride,
                                          const unsigned char **indices, int &index_stride,
                                          int &num_faces, PHY_ScalarType &index_type,
                                          int) const override {
        btTriangleIndexVertexArray::getLockedReadOnlyVertexIndexBase(
            points, num_points, type, stride, indices, index_stride, num_faces, index_type, 0);
    }
};

// Bullet's tree, filled with the numbers of ours. It is walked without stacks and subtrees.
struct bullet_tree final : public btOptimizedBvh {
    void fill(const ct_bullet_tree &from) {
        m_useQuantization = true;
        m_bvhAabbMin.setValue(from.least[0], from.least[1], from.least[2]);
        m_bvhAabbMax.setValue(from.most[0], from.most[1], from.most[2]);
        m_bvhQuantization.setValue(from.steps[0], from.steps[1], from.steps[2]);
        m_quantizedContiguousNodes.resize(static_cast<int>(from.num_nodes));
        for (uint32_t i = 0; i < from.num_nodes; ++i) {
            btQuantizedBvhNode &node = m_quantizedContiguousNodes[static_cast<int>(i)];
            for (int k = 0; k < 3; ++k) {
                node.m_quantizedAabbMin[k] = from.nodes[i].least[k];
                node.m_quantizedAabbMax[k] = from.nodes[i].most[k];
            }
            node.m_escapeIndexOrTriangleIndex = from.nodes[i].next;
        }
        m_curNodeIndex = static_cast<int>(from.num_nodes);
    }
    // Writes the number of the part into the leaves.
    void number(int part) {
        for (int i = 0; i < m_curNodeIndex; ++i) {
            int &next = m_quantizedContiguousNodes[i].m_escapeIndexOrTriangleIndex;
            if (next >= 0)
                next |= part << (31 - MAX_NUM_PARTS_IN_BITS);
        }
    }
};

static btScalar smallest(ct_vec3 v) {
    return btMin(v.x, btMin(v.y, v.z));
}

// Most metres by which hulls are rounded, and the share of their smallest half size.
static const btScalar HULL_MARGIN = btScalar(0.01), HULL_MARGIN_SHARE = btScalar(0.1);

// Moves the points inwards along the axes, which keeps the bounds. Slanted faces move less.
static void shrink_along_axes(btAlignedObjectArray<btVector3> *points, const btVector3 &least,
                              const btVector3 &most, btScalar margin) {
    const btVector3 half = (most - least) * btScalar(0.5), middle = (most + least) * btScalar(0.5);
    for (int i = 0; i < points->size(); ++i) {
        btVector3 inside = (*points)[i] - middle;
        for (int k = 0; k < 3; ++k)
            inside[k] *= half[k] > 0 ? (half[k] - margin) / half[k] : 0;
        (*points)[i] = middle + inside;
    }
}

// Moves the faces of the hull of the points inwards. Returns by how many metres: at most `margin`; or
// 0, and leaves the points, when there is no such hull, or it has far more corners: it is round then.
static btScalar shrink_faces(btAlignedObjectArray<btVector3> *points, btScalar margin) {
    btConvexHullComputer hull;
    const btScalar moved = hull.compute(&(*points)[0][0], static_cast<int>(sizeof(btVector3)),
                                        points->size(), margin, btScalar(0.5));
    if (!(moved > 0) || hull.vertices.size() < 4 || hull.vertices.size() > 2 * points->size())
        return 0;
    *points = hull.vertices;
    return moved;
}

// The hull of points. Bullet adds the margin around it, so its faces move inwards by as much: they are
// where they were given, and edges and corners are round.
static btCollisionShape *make_hull(const ct_bullet_shape_part &part, btScalar *volume) {
    btVector3 least(BT_LARGE_FLOAT, BT_LARGE_FLOAT, BT_LARGE_FLOAT), most = -least;
    btAlignedObjectArray<btVector3> points;
    for (uint32_t i = 0; i < part.num_points; ++i) {
        const float *const p = part.points + 3 * i;
        const btVector3 at(p[0] * part.size.x, p[1] * part.size.y, p[2] * part.size.z);
        least.setMin(at);
        most.setMax(at);
        points.push_back(at);
    }
    const btVector3 half = (most - least) * btScalar(0.5);
    const btScalar most_margin = btMin(HULL_MARGIN, half[half.minAxis()] * HULL_MARGIN_SHARE);
    btScalar margin = shrink_faces(&points, most_margin);
    if (margin == 0) {
        margin = most_margin;
        shrink_along_axes(&points, least, most, margin);
    }
    btConvexHullShape *const hull = new btConvexHullShape();
    for (int i = 0; i < points.size(); ++i)
        hull->addPoint(points[i], false);
    hull->setMargin(margin);
    hull->recalcLocalAabb();
    *volume = part.volume * btFabs(part.size.x * part.size.y * part.size.z);
    return hull;
}

static btCollisionShape *make_mesh(const ct_bullet_shape_part &part, int place, bullet_part *out) {
    const ct_bullet_triangles &t = *part.triangles;
    bullet_mesh *const points = bullet_new<bullet_mesh>(
        static_cast<int>(t.num_indices / 3),
        const_cast<int *>(reinterpret_cast<const int *>(t.indices)),
        static_cast<int>(3 * sizeof(uint32_t)), static_cast<int>(t.num_points),
        const_cast<btScalar *>(t.points), static_cast<int>(3 * sizeof(float)));
    out->points = points;
    btBvhTriangleMeshShape *const mesh = new btBvhTriangleMeshShape(points, true, false);
    bullet_tree *const tree = bullet_new<bullet_tree>();
    out->tree = tree;
    if (t.tree.num_nodes > 0)
        tree->fill(t.tree);
    else
        tree->build(points, true, mesh->getLocalAabbMin(), mesh->getLocalAabbMax());
    if (place > 0)
        tree->number(place);
    mesh->setOptimizedBvh(tree);
    if (part.size.x == 1 && part.size.y == 1 && part.size.z == 1)
        return mesh;
    out->inner = mesh;
    return new btScaledBvhTriangleMeshShape(mesh, bt_vector(part.size));
}

static btCollisionShape *make_heights(const ct_bullet_shape_part &part, btTransform *pose) {
    const ct_bullet_heights &h = *part.heights;
    btHeightfieldTerrainShape *const shape =
        new btHeightfieldTerrainShape(static_cast<int>(h.columns), static_cast<int>(h.rows),
                                      h.heights, h.least, h.most, 2, false);
    shape->setLocalScaling(
        btVector3(h.spacing[0] * part.size.x, h.spacing[1] * part.size.y, part.size.z));
    // Bullet's heights lie around their middle.
    const btScalar middle = (h.least + h.most) * btScalar(0.5) * part.size.z;
    pose->setOrigin(*pose * btVector3(0, 0, middle));
    return shape;
}

// Makes the shape of a part; `pose` is where its origin is. Returns its volume.
static btScalar make_part(const ct_bullet_shape_part &part, int place, bullet_part *out,
                          btTransform *pose) {
    const ct_vec3 size = part.size;
    btScalar volume = 0;
    switch (part.kind) {
    case CT_BULLET_SHAPE_BOX:
        out->shape = new btBoxShape(bt_vector(size));
        return 8 * size.x * size.y * size.z;
    case CT_BULLET_SHAPE_SPHERE:
        out->shape = new btSphereShape(size.x);
        return 4 * SIMD_PI / 3 * size.x * size.x * size.x;
    case CT_BULLET_SHAPE_CAPSULE:
        out->shape = new btCapsuleShapeZ(size.x, 2 * size.y);
        return SIMD_PI * size.x * size.x * (2 * size.y + 4 * size.x / 3);
    case CT_BULLET_SHAPE_CYLINDER:
        out->shape = new btCylinderShapeZ(btVector3(size.x, size.x, size.y));
        return 2 * SIMD_PI * size.x * size.x * size.y;
    case CT_BULLET_SHAPE_CONVEX:
        out->shape = make_hull(part, &volume);
        return volume;
    case CT_BULLET_SHAPE_PLANE:
        out->shape = new btStaticPlaneShape(btVector3(0, 0, 1), 0);
        return 0;
    case CT_BULLET_SHAPE_MESH:
        out->shape = make_mesh(part, place, out);
        return 0;
    default:
        out->shape = make_heights(part, pose);
        out->cells_in_row = static_cast<int>(part.heights->columns) - 1;
        return 0;
    }
}

// The radius of a sphere that is surely inside a part, about.
static btScalar inner_radius(const ct_bullet_shape_part &part, const btCollisionShape *shape) {
    if (part.kind == CT_BULLET_SHAPE_BOX)
        return smallest(part.size);
    if (part.kind == CT_BULLET_SHAPE_CYLINDER)
        return btMin(part.size.x, part.size.y);
    if (part.kind != CT_BULLET_SHAPE_CONVEX)
        return part.size.x;
    btVector3 least, most;
    shape->getAabb(btTransform::getIdentity(), least, most);
    const btVector3 half = (most - least) * btScalar(0.5);
    return half[half.minAxis()];
}

static bool is_identity(const btTransform &t) {
    return t.getOrigin().isZero() && t.getBasis() == btMatrix3x3::getIdentity();
}

static void set_frame(ct_bullet_shape *shape, const btTransform &frame) {
    shape->has_frame = !is_identity(frame);
    shape->frame = frame;
    shape->to_frame = frame.inverse();
    shape->mass.frame = ct_pose(frame);
}

// One part: the body is where the part is.
static void finish_single(ct_bullet_shape *shape, const btTransform &pose) {
    shape->shape = shape->parts[0].shape;
    set_frame(shape, pose);
    btVector3 inertia(0, 0, 0);
    if (shape->mass.volume > 0)
        shape->shape->calculateLocalInertia(1, inertia);
    shape->mass.inertia = ct_vector(inertia);
}

// Several parts: a compound around the centre of mass, along the principal axes.
static void finish_compound(ct_bullet_shape *shape, const btTransform *poses,
                            const btScalar *volumes) {
    btCompoundShape *const compound = new btCompoundShape(true, shape->parts.size());
    for (int i = 0; i < shape->parts.size(); ++i)
        compound->addChildShape(poses[i], shape->parts[i].shape);
    btTransform frame = btTransform::getIdentity();
    btVector3 inertia(0, 0, 0);
    if (shape->mass.volume > 0) {
        compound->calculatePrincipalAxisTransform(volumes, frame, inertia);
        inertia /= shape->mass.volume;
        const btTransform to_frame = frame.inverse();
        for (int i = 0; i < compound->getNumChildShapes(); ++i)
            compound->updateChildTransform(i, to_frame * poses[i], false);
        compound->recalculateLocalAabb();
    }
    shape->compound = compound;
    shape->shape = compound;
    set_frame(shape, frame);
    shape->mass.inertia = ct_vector(inertia);
}

ct_bullet_shape *ct_bullet_shape_create(const ct_bullet_shape_part *parts, uint32_t count) {
    CT_ASSERT(count > 0 && count <= 1u << MAX_NUM_PARTS_IN_BITS, "%u parts", count);
    ct_bullet_shape *const shape = bullet_new<ct_bullet_shape>();
    shape->compound = nullptr;
    shape->heights = -1;
    shape->mass = ct_bullet_mass();
    shape->smallest_radius = BT_LARGE_FLOAT;
    btAlignedObjectArray<btTransform> poses;
    btAlignedObjectArray<btScalar> volumes;
    for (uint32_t i = 0; i < count; ++i) {
        bullet_part part = {nullptr, nullptr, nullptr, nullptr, parts[i].number, 0};
        const int place = static_cast<int>(i);
        btTransform pose = bt_pose(parts[i].pose);
        const btScalar volume = make_part(parts[i], place, &part, &pose);
        if (parts[i].kind == CT_BULLET_SHAPE_HEIGHTS)
            shape->heights = place;
        shape->mass.volume += volume;
        shape->smallest_radius = btMin(shape->smallest_radius, inner_radius(parts[i], part.shape));
        shape->parts.push_back(part);
        poses.push_back(pose);
        volumes.push_back(volume);
    }
    if (count == 1)
        finish_single(shape, poses[0]);
    else
        finish_compound(shape, &poses[0], &volumes[0]);
    return shape;
}

void ct_bullet_shape_destroy(ct_bullet_shape *shape) {
    if (!shape)
        return;
    delete shape->compound;
    for (int i = 0; i < shape->parts.size(); ++i) {
        delete shape->parts[i].shape;
        delete shape->parts[i].inner;
        bullet_delete(static_cast<bullet_tree *>(shape->parts[i].tree));
        bullet_delete(static_cast<bullet_mesh *>(shape->parts[i].points));
    }
    bullet_delete(shape);
}

ct_bullet_mass ct_bullet_shape_mass(const ct_bullet_shape *shape) {
    return shape->mass;
}

btVector3 bullet_inertia(const ct_bullet_shape *shape, btScalar mass) {
    btVector3 inertia(0, 0, 0);
    if (mass == 0 || shape->mass.volume <= 0)
        return inertia;
    if (shape->compound)
        return bt_vector(shape->mass.inertia) * mass;
    shape->shape->calculateLocalInertia(mass, inertia);
    return inertia;
}
