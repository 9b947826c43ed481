// Queries: rays, sweeps, overlaps, nearest points. The callbacks are Bullet's, with our choice of
// bodies and our order of results.
#include <BulletCollision/NarrowPhaseCollision/btRaycastCallback.h>

#include "physics/bullet/bullet_private.hh"

static uint32_t kind_bit(const ct_bullet_body *b) {
    switch (b->kind) {
    case CT_BULLET_STATIC:
        return CT_BULLET_FIND_STATIC;
    case CT_BULLET_DYNAMIC:
        return CT_BULLET_FIND_DYNAMIC;
    case CT_BULLET_KINEMATIC:
        return CT_BULLET_FIND_KINEMATIC;
    default:
        return CT_BULLET_FIND_SENSORS;
    }
}

bool bullet_finds(const ct_bullet_find &find, const ct_bullet_body *b) {
    const bool is_hidden =
        (b->flags & CT_BULLET_NO_QUERIES) && !(find.kinds & CT_BULLET_FIND_HIDDEN);
    if (!(find.kinds & kind_bit(b)) || is_hidden || !(find.filters >> b->filter & 1) ||
        ((find.kinds & CT_BULLET_FIND_COLLIDING) && (b->flags & CT_BULLET_NO_COLLISION)))
        return false;
    return !find.accepts || find.accepts(find.user, b->id);
}

static bool proxy_is_found(const ct_bullet_find &find, const btBroadphaseProxy *proxy) {
    return bullet_finds(find,
                        bullet_body_of(static_cast<btCollisionObject *>(proxy->m_clientObject)));
}

// Fills the parts of a hit that say what was hit. Bullet gives the number of a child of a compound
// as a triangle of the part -1; for meshes it gives the part that is in our trees. For heights it
// gives the row and the column; but if `has_halves`, each half of a column's squares counts.
template <typename hit_type>
static void name_hit(const btCollisionObject *object, int part, int triangle, bool has_halves,
                     hit_type *hit) {
    const ct_bullet_body *const b = bullet_body_of(object);
    const ct_bullet_shape &shape = *b->shape;
    const bool has_triangle = part >= 0, is_heights = has_triangle && shape.heights >= 0;
    int which = shape.compound && triangle >= 0 ? triangle : 0;
    if (has_triangle)
        which = is_heights ? shape.heights : part;
    const bullet_part &found = shape.parts[which < shape.parts.size() ? which : 0];
    hit->id = b->id;
    hit->part = found.number;
    hit->triangle = UINT32_MAX;
    if (is_heights)
        hit->triangle =
            static_cast<uint32_t>(triangle * found.cells_in_row + (has_halves ? part / 2 : part));
    else if (has_triangle)
        hit->triangle = static_cast<uint32_t>(triangle);
}

static void name_hit(const btCollisionObject *object, const btCollisionWorld::LocalShapeInfo *info,
                     bool has_halves, ct_bullet_hit *hit) {
    if (info)
        name_hit(object, info->m_shapePart, info->m_triangleIndex, has_halves, hit);
    else
        name_hit(object, -1, -1, false, hit);
}

struct hit_order {
    bool operator()(const ct_bullet_hit &x, const ct_bullet_hit &y) const {
        if (x.fraction != y.fraction)
            return x.fraction < y.fraction;
        if (x.id != y.id)
            return x.id < y.id;
        return x.part != y.part ? x.part < y.part : x.triangle < y.triangle;
    }
};

// Copies the nearest hits. A body is met once by each part.
static uint32_t take_hits(btAlignedObjectArray<ct_bullet_hit> &found, ct_bullet_hit *hits,
                          uint32_t most) {
    if (found.size() > 1)
        found.quickSort(hit_order());
    const uint32_t count = static_cast<uint32_t>(found.size());
    for (uint32_t i = 0; i < count && i < most; ++i)
        hits[i] = found[static_cast<int>(i)];
    return count < most ? count : most;
}

// --- Rays ----------------------------------------------------------------------------------------

// Casts a ray at what the broadphase finds, as btCollisionWorld::rayTest does; but that has one stack
// for all rays of a world, and so one ray at a time. This one has its own.
struct ray_targets final : public btDbvt::ICollide {
    btTransform start, end;
    btCollisionWorld::RayResultCallback &result;
    ray_targets(const btVector3 &from, const btVector3 &to, btCollisionWorld::RayResultCallback &r)
        : start(btTransform::getIdentity()), end(btTransform::getIdentity()), result(r) {
        start.setOrigin(from);
        end.setOrigin(to);
    }
    void Process(const btDbvtNode *leaf) override {
        btBroadphaseProxy *const proxy = static_cast<btBroadphaseProxy *>(leaf->data);
        if (result.m_closestHitFraction == 0 || !result.needsCollision(proxy))
            return;
        btCollisionObject *const object = static_cast<btCollisionObject *>(proxy->m_clientObject);
        btCollisionWorld::rayTestSingle(start, end, object, object->getCollisionShape(),
                                        object->getWorldTransform(), result);
    }
};

static void cast_ray(const ct_bullet_world *w, const btVector3 &from, const btVector3 &to,
                     btCollisionWorld::RayResultCallback &result) {
    ray_targets targets(from, to, result);
    const btVector3 direction = (to - from).normalized(), none(0, 0, 0);
    btVector3 inverse;
    unsigned signs[3];
    for (int i = 0; i < 3; ++i) {
        inverse[i] = direction[i] == 0 ? BT_LARGE_FLOAT : 1 / direction[i];
        signs[i] = inverse[i] < 0;
    }
    const btDbvtNode *nodes[btDbvt::DOUBLE_STACKSIZE];
    btAlignedObjectArray<const btDbvtNode *> stack; // takes Bullet's memory for more
    stack.initializeFromBuffer(nodes, btDbvt::DOUBLE_STACKSIZE, btDbvt::DOUBLE_STACKSIZE);
    for (const btDbvt &set : w->broadphase->m_sets)
        set.rayTestInternal(set.m_root, from, to, inverse, signs, direction.dot(to - from), none,
                            none, stack, targets);
}

struct nearest_ray final : public btCollisionWorld::RayResultCallback {
    const ct_bullet_find &find;
    btVector3 normal;
    ct_bullet_hit hit;
    explicit nearest_ray(const ct_bullet_find &f) : find(f), normal(0, 0, 0), hit() {
        // By default, what is nearer to the start than a centimetre counts as overlapping it.
        if (f.kinds & CT_BULLET_FIND_NEAR)
            m_flags |= btTriangleRaycastCallback::kF_UseGjkConvexCastRaytest;
    }
    bool needsCollision(btBroadphaseProxy *proxy) const override {
        return proxy_is_found(find, proxy);
    }
    btScalar addSingleResult(btCollisionWorld::LocalRayResult &result,
                             bool is_world_space) override {
        m_closestHitFraction = result.m_hitFraction;
        m_collisionObject = result.m_collisionObject;
        normal = is_world_space
                     ? result.m_hitNormalLocal
                     : m_collisionObject->getWorldTransform().getBasis() * result.m_hitNormalLocal;
        name_hit(m_collisionObject, result.m_localShapeInfo, false, &hit);
        return result.m_hitFraction;
    }
};

bool ct_bullet_ray(const ct_bullet_world *w, ct_vec3 from, ct_vec3 to, const ct_bullet_find *find,
                   ct_bullet_hit *hit) {
    const btVector3 start = bt_vector(from), end = bt_vector(to);
    nearest_ray result(*find);
    cast_ray(w, start, end, result);
    if (!result.hasHit())
        return false;
    *hit = result.hit;
    hit->fraction = result.m_closestHitFraction;
    hit->position = ct_vector(start + (end - start) * result.m_closestHitFraction);
    hit->normal = ct_vector(result.normal.safeNormalize());
    return true;
}

// Ends at the first hit: nothing is nearer than fraction 0.
struct any_ray final : public btCollisionWorld::RayResultCallback {
    const ct_bullet_find &find;
    explicit any_ray(const ct_bullet_find &f) : find(f) {}
    bool needsCollision(btBroadphaseProxy *proxy) const override {
        return m_closestHitFraction > 0 && proxy_is_found(find, proxy);
    }
    btScalar addSingleResult(btCollisionWorld::LocalRayResult &result, bool) override {
        m_collisionObject = result.m_collisionObject;
        m_closestHitFraction = 0;
        return 0;
    }
};

bool ct_bullet_ray_any(const ct_bullet_world *w, ct_vec3 from, ct_vec3 to,
                       const ct_bullet_find *find) {
    any_ray result(*find);
    cast_ray(w, bt_vector(from), bt_vector(to), result);
    return result.hasHit();
}

struct all_rays final : public btCollisionWorld::RayResultCallback {
    const ct_bullet_find &find;
    const btVector3 start, end;
    btAlignedObjectArray<ct_bullet_hit> found;
    all_rays(const ct_bullet_find &f, const btVector3 &from, const btVector3 &to)
        : find(f), start(from), end(to) {}
    bool needsCollision(btBroadphaseProxy *proxy) const override {
        return proxy_is_found(find, proxy);
    }
    btScalar addSingleResult(btCollisionWorld::LocalRayResult &result,
                             bool is_world_space) override {
        m_collisionObject = result.m_collisionObject;
        const btVector3 normal =
            is_world_space
                ? result.m_hitNormalLocal
                : m_collisionObject->getWorldTransform().getBasis() * result.m_hitNormalLocal;
        ct_bullet_hit hit = ct_bullet_hit();
        name_hit(m_collisionObject, result.m_localShapeInfo, false, &hit);
        hit.fraction = result.m_hitFraction;
        hit.position = ct_vector(start + (end - start) * result.m_hitFraction);
        hit.normal = ct_vector(btVector3(normal).safeNormalize());
        found.push_back(hit);
        return m_closestHitFraction;
    }
};

uint32_t ct_bullet_ray_all(const ct_bullet_world *w, ct_vec3 from, ct_vec3 to,
                           const ct_bullet_find *find, ct_bullet_hit *hits, uint32_t most) {
    all_rays result(*find, bt_vector(from), bt_vector(to));
    cast_ray(w, result.start, result.end, result);
    return take_hits(result.found, hits, most);
}

// --- Sweeps --------------------------------------------------------------------------------------

struct sweep_result final : public btCollisionWorld::ConvexResultCallback {
    const ct_bullet_find &find;
    ct_bullet_hit *nearest; // or NULL: all in `found`
    btAlignedObjectArray<ct_bullet_hit> found;
    btVector3 way;
    bool has_nearest;
    sweep_result(const ct_bullet_find &f, ct_bullet_hit *hit)
        : find(f), nearest(hit), way(0, 0, 0), has_nearest(false) {}
    bool needsCollision(btBroadphaseProxy *proxy) const override {
        return proxy_is_found(find, proxy);
    }
    btScalar addSingleResult(btCollisionWorld::LocalConvexResult &result,
                             bool is_world_space) override {
        const btCollisionObject *const object = result.m_hitCollisionObject;
        btVector3 normal = is_world_space
                               ? result.m_hitNormalLocal
                               : object->getWorldTransform().getBasis() * result.m_hitNormalLocal;
        ct_bullet_hit hit = ct_bullet_hit();
        name_hit(object, result.m_localShapeInfo, true, &hit);
        // Of triangles and tiny shapes, Bullet may give the normal of the far side.
        if (hit.triangle != UINT32_MAX && normal.dot(way) > 0)
            normal = -normal;
        hit.fraction = result.m_hitFraction;
        hit.position = ct_vector(result.m_hitPointLocal);
        hit.normal = ct_vector(btVector3(normal).safeNormalize());
        if (!nearest) {
            found.push_back(hit);
            return m_closestHitFraction;
        }
        *nearest = hit;
        has_nearest = true;
        m_closestHitFraction = result.m_hitFraction;
        return m_closestHitFraction;
    }
};

static void sweep(const ct_bullet_world *w, const ct_bullet_shape *shape, const ct_rigid_pose &from,
                  ct_vec3 to, sweep_result *result) {
    CT_ASSERT(shape->shape->isConvex(), "only convex shapes of one part sweep");
    btTransform start = bt_pose(from), end = start;
    end.setOrigin(bt_vector(to));
    if (shape->has_frame) {
        start = start * shape->frame;
        end = end * shape->frame;
    }
    result->way = end.getOrigin() - start.getOrigin();
    w->dynamics->convexSweepTest(static_cast<const btConvexShape *>(shape->shape), start, end,
                                 *result);
}

bool ct_bullet_sweep(const ct_bullet_world *w, const ct_bullet_shape *shape, ct_rigid_pose from,
                     ct_vec3 to, const ct_bullet_find *find, ct_bullet_hit *hit) {
    sweep_result result(*find, hit);
    sweep(w, shape, from, to, &result);
    return result.has_nearest;
}

uint32_t ct_bullet_sweep_all(const ct_bullet_world *w, const ct_bullet_shape *shape,
                             ct_rigid_pose from, ct_vec3 to, const ct_bullet_find *find,
                             ct_bullet_hit *hits, uint32_t most) {
    sweep_result result(*find, nullptr);
    sweep(w, shape, from, to, &result);
    return take_hits(result.found, hits, most);
}

// --- Overlaps ------------------------------------------------------------------------------------

struct overlap_result final : public btCollisionWorld::ContactResultCallback {
    const btCollisionObject *self;
    btAlignedObjectArray<ct_bullet_overlap> found;
    explicit overlap_result(const btCollisionObject *object) : self(object) {}
    btScalar addSingleResult(btManifoldPoint &point, const btCollisionObjectWrapper *wrap0,
                             int part0, int index0, const btCollisionObjectWrapper *wrap1,
                             int part1, int index1) override {
        if (point.getDistance() > m_closestDistanceThreshold)
            return 0;
        const bool is_first = wrap0->getCollisionObject() == self;
        const btCollisionObjectWrapper *const other = is_first ? wrap1 : wrap0;
        const int part = is_first ? part1 : part0, index = is_first ? index1 : index0;
        ct_bullet_overlap overlap = ct_bullet_overlap();
        const bool is_triangle =
            other->getCollisionShape()->getShapeType() == TRIANGLE_SHAPE_PROXYTYPE;
        name_hit(other->getCollisionObject(), is_triangle ? part : -1, index, true, &overlap);
        overlap.distance = point.getDistance();
        overlap.position =
            ct_vector(is_first ? point.getPositionWorldOnB() : point.getPositionWorldOnA());
        overlap.normal = ct_vector(is_first ? point.m_normalWorldOnB : -point.m_normalWorldOnB);
        found.push_back(overlap);
        return 0;
    }
};

struct overlap_candidates final : public btBroadphaseAabbCallback {
    const ct_bullet_find &find;
    btAlignedObjectArray<btCollisionObject *> objects;
    explicit overlap_candidates(const ct_bullet_find &f) : find(f) {}
    bool process(const btBroadphaseProxy *proxy) override {
        btCollisionObject *const object = static_cast<btCollisionObject *>(proxy->m_clientObject);
        if (bullet_finds(find, bullet_body_of(object)))
            objects.push_back(object);
        return true;
    }
};

struct overlap_order {
    bool operator()(const ct_bullet_overlap &x, const ct_bullet_overlap &y) const {
        if (x.id != y.id)
            return x.id < y.id;
        if (x.part != y.part)
            return x.part < y.part;
        return x.triangle != y.triangle ? x.triangle < y.triangle : x.distance < y.distance;
    }
};

static void find_overlaps(ct_bullet_world *w, const ct_bullet_shape *shape,
                          const ct_rigid_pose &pose, float reach, const ct_bullet_find *find,
                          overlap_result *result, btCollisionObject *self) {
    btTransform t = bt_pose(pose);
    if (shape->has_frame)
        t = t * shape->frame;
    self->setCollisionShape(shape->shape);
    self->setWorldTransform(t);
    btVector3 least, most;
    shape->shape->getAabb(t, least, most);
    const btVector3 border(reach, reach, reach);
    overlap_candidates candidates(*find);
    w->broadphase->aabbTest(least - border, most + border, candidates);
    result->m_closestDistanceThreshold = reach;
    for (int i = 0; i < candidates.objects.size(); ++i)
        w->dynamics->contactPairTest(self, candidates.objects[i], *result);
}

uint32_t ct_bullet_overlaps(ct_bullet_world *w, const ct_bullet_shape *shape, ct_rigid_pose pose,
                            float reach, const ct_bullet_find *find, ct_bullet_overlap *overlaps,
                            uint32_t most) {
    btCollisionObject self;
    overlap_result result(&self);
    find_overlaps(w, shape, pose, reach, find, &result, &self);
    if (result.found.size() > 1)
        result.found.quickSort(overlap_order());
    const uint32_t count = static_cast<uint32_t>(result.found.size());
    for (uint32_t i = 0; i < count && i < most; ++i)
        overlaps[i] = result.found[static_cast<int>(i)];
    return count < most ? count : most;
}

// Returns whether two bodies would be pushed apart, as bullet_pairs decides without a crowd.
static bool is_pushed_by(const ct_bullet_body *b, const ct_bullet_body *other) {
    return b != other && other->kind != CT_BULLET_SENSOR &&
           !((b->flags | other->flags) & CT_BULLET_NO_COLLISION) &&
           (b->collides >> other->filter & 1) && (other->collides >> b->filter & 1);
}

struct touching_candidates final : public btBroadphaseAabbCallback {
    const ct_bullet_body *body;
    btAlignedObjectArray<btCollisionObject *> objects;
    explicit touching_candidates(const ct_bullet_body *b) : body(b) {}
    bool process(const btBroadphaseProxy *proxy) override {
        if (is_pushed_by(body, bullet_body_of(proxy)))
            objects.push_back(static_cast<btCollisionObject *>(proxy->m_clientObject));
        return true;
    }
};

uint32_t ct_bullet_body_overlaps(ct_bullet_world *w, ct_bullet_body *b, float depth,
                                 ct_bullet_overlap *overlaps, uint32_t most) {
    overlap_result result(&b->rigid);
    touching_candidates candidates(b);
    btVector3 least, greatest;
    b->rigid.getAabb(least, greatest);
    w->broadphase->aabbTest(least, greatest, candidates);
    for (int i = 0; i < candidates.objects.size(); ++i)
        w->dynamics->contactPairTest(&b->rigid, candidates.objects[i], result);
    if (result.found.size() > 1)
        result.found.quickSort(overlap_order());
    uint32_t count = 0;
    for (int i = 0; i < result.found.size();) {
        ct_bullet_overlap deepest = result.found[i];
        for (; i < result.found.size() && result.found[i].id == deepest.id; ++i)
            deepest = result.found[i].distance < deepest.distance ? result.found[i] : deepest;
        if (deepest.distance < -depth && count < most)
            overlaps[count++] = deepest;
    }
    return count;
}

bool ct_bullet_closest_point(ct_bullet_world *w, ct_vec3 position, float reach,
                             const ct_bullet_find *find, ct_bullet_overlap *nearest) {
    const float radius = 0.001f; // of the sphere that stands for the point
    btSphereShape sphere(radius);
    ct_bullet_shape shape = ct_bullet_shape();
    shape.shape = &sphere;
    ct_rigid_pose pose = ct_rigid_pose();
    pose.position = position;
    pose.rotation.w = 1;
    btCollisionObject self;
    overlap_result result(&self);
    find_overlaps(w, &shape, pose, reach, find, &result, &self);
    int best = -1;
    const overlap_order order = overlap_order();
    for (int i = 0; i < result.found.size(); ++i) {
        const ct_bullet_overlap &next = result.found[i];
        const bool is_nearer =
            best < 0 || next.distance < result.found[best].distance ||
            (next.distance == result.found[best].distance && order(next, result.found[best]));
        if (is_nearer)
            best = i;
    }
    if (best < 0)
        return false;
    *nearest = result.found[best];
    nearest->distance += radius;
    return nearest->distance < reach;
}

// --- Drawing -------------------------------------------------------------------------------------

struct line_drawer final : public btIDebugDraw {
    void (*line)(void *user, ct_vec3 from, ct_vec3 to);
    void *user;
    void drawLine(const btVector3 &from, const btVector3 &to, const btVector3 &) override {
        line(user, ct_vector(from), ct_vector(to));
    }
    void drawContactPoint(const btVector3 &, const btVector3 &, btScalar, int,
                          const btVector3 &) override {}
    void reportErrorWarning(const char *) override {}
    void draw3dText(const btVector3 &, const char *) override {}
    void setDebugMode(int) override {}
    int getDebugMode() const override { return DBG_DrawWireframe; }
};

void ct_bullet_body_draw(ct_bullet_world *w, const ct_bullet_body *b,
                         void (*line)(void *user, ct_vec3 from, ct_vec3 to), void *user) {
    line_drawer drawer;
    drawer.line = line;
    drawer.user = user;
    w->dynamics->setDebugDrawer(&drawer);
    w->dynamics->debugDrawObject(b->rigid.getWorldTransform(), b->rigid.getCollisionShape(),
                                 btVector3(1, 1, 1));
    w->dynamics->setDebugDrawer(nullptr);
}
