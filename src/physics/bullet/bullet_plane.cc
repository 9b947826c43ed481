// Cylinders and capsules on planes: all points of a flat contact at once.
//
// Bullet looks for further points by tilting a shape a little, but only for shapes with faces. One point
// a step lets a cylinder that falls flat onto a plane sink and tip over. So we do the same for round
// shapes: four tilts, about axes in the plane, after Bullet's own point.
#include "physics/bullet/bullet_private.hh"

#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletCollision/CollisionDispatch/btConvexConvexAlgorithm.h>
#include <BulletCollision/CollisionDispatch/btConvexPlaneCollisionAlgorithm.h>

#include <new>

namespace {

enum { NUM_TILTS = 4 };

struct round_on_plane final : public btConvexPlaneCollisionAlgorithm {
    bool is_swapped; // the plane comes first
    round_on_plane(const btCollisionAlgorithmConstructionInfo &info,
                   const btCollisionObjectWrapper *a, const btCollisionObjectWrapper *b,
                   bool swapped)
        : btConvexPlaneCollisionAlgorithm(nullptr, info, a, b, swapped, 1, 0), is_swapped(swapped) {
    }
    void processCollision(const btCollisionObjectWrapper *a, const btCollisionObjectWrapper *b,
                          const btDispatcherInfo &info, btManifoldResult *result) override;
};

// What Bullet's pool has room for.
static_assert(sizeof(round_on_plane) <= sizeof(btConvexConvexAlgorithm), "too large for the pool");

void round_on_plane::processCollision(const btCollisionObjectWrapper *a,
                                      const btCollisionObjectWrapper *b,
                                      const btDispatcherInfo &info, btManifoldResult *result) {
    btConvexPlaneCollisionAlgorithm::processCollision(a, b, info, result);
    const btPersistentManifold *const manifold = result->getPersistentManifold();
    if (!manifold || manifold->getNumContacts() == 0 || manifold->getNumContacts() >= NUM_TILTS)
        return;
    const btCollisionObjectWrapper *const round = is_swapped ? b : a, *const flat =
                                                                          is_swapped ? a : b;
    const auto *const plane = static_cast<const btStaticPlaneShape *>(flat->getCollisionShape());
    const btVector3 normal = flat->getWorldTransform().getBasis() * plane->getPlaneNormal();
    btVector3 x, y;
    btPlaneSpace1(normal, x, y);
    // The rim of the shape moves by as much as contacts may be apart.
    const btScalar angle = btMin(manifold->getContactBreakingThreshold() /
                                     round->getCollisionShape()->getAngularMotionDisc(),
                                 btScalar(0.4));
    const btQuaternion own = round->getWorldTransform().getRotation();
    const btVector3 axes[NUM_TILTS] = {x, y, -x, -y};
    for (const btVector3 &axis : axes)
        collideSingleContact(own.inverse() * btQuaternion(axis, angle) * own, a, b, info, result);
}

struct create_round_on_plane final : public btCollisionAlgorithmCreateFunc {
    explicit create_round_on_plane(bool swapped) { m_swapped = swapped; }
    btCollisionAlgorithm *CreateCollisionAlgorithm(btCollisionAlgorithmConstructionInfo &info,
                                                   const btCollisionObjectWrapper *a,
                                                   const btCollisionObjectWrapper *b) override {
        void *const memory = info.m_dispatcher1->allocateCollisionAlgorithm(sizeof(round_on_plane));
        return new (memory) round_on_plane(info, a, b, m_swapped);
    }
};

create_round_on_plane create(false), create_swapped(true); // without state that changes

} // namespace

void bullet_find_flat_contacts(btDefaultCollisionConfiguration *configuration,
                               btCollisionDispatcher *dispatcher) {
    configuration->setPlaneConvexMultipointIterations();
    configuration->setConvexConvexMultipointIterations();
    for (const int round : {CYLINDER_SHAPE_PROXYTYPE, CAPSULE_SHAPE_PROXYTYPE}) {
        dispatcher->registerCollisionCreateFunc(round, STATIC_PLANE_PROXYTYPE, &create);
        dispatcher->registerCollisionCreateFunc(STATIC_PLANE_PROXYTYPE, round, &create_swapped);
    }
}
