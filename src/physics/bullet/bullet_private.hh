// bullet_private.hh: what the C++ files of this folder share.
#pragma once
#include <btBulletDynamicsCommon.h>

#include "physics/bullet/bullet.h"

#define _Noreturn [[noreturn]] // C's word in error.h
extern "C" {
#include "foundation/error.h"
}
#undef _Noreturn

// The engine's axes and lengths are Bullet's.
static inline btVector3 bt_vector(ct_vec3 v) {
    return btVector3(v.x, v.y, v.z);
}

static inline ct_vec3 ct_vector(const btVector3 &v) {
    ct_vec3 out;
    out.x = v.x(), out.y = v.y(), out.z = v.z();
    return out;
}

static inline btTransform bt_pose(const ct_rigid_pose &pose) {
    const ct_quat q = pose.rotation;
    return btTransform(btQuaternion(q.x, q.y, q.z, q.w), bt_vector(pose.position));
}

static inline ct_rigid_pose ct_pose(const btTransform &t) {
    const btQuaternion q = t.getRotation().normalized();
    ct_rigid_pose out = ct_rigid_pose(); // no chance bits between its members
    out.position = ct_vector(t.getOrigin());
    out.rotation.x = q.x(), out.rotation.y = q.y(), out.rotation.z = q.z();
    out.rotation.w = q.w();
    return out;
}

// Makes and ends objects that have no aligned operator new, in Bullet's memory.
template <typename type, typename... arguments> type *bullet_new(arguments &&...given) {
    return new (btAlignedAlloc(sizeof(type), 16)) type(static_cast<arguments &&>(given)...);
}

template <typename type> void bullet_delete(type *object) {
    if (!object)
        return;
    object->~type();
    btAlignedFree(object);
}

// --- Shapes --------------------------------------------------------------------------------------

// A part of a shape. `points` is between it and the triangles of a mesh.
struct bullet_part {
    btCollisionShape *shape;
    btCollisionShape *inner; // what `shape` scales; or NULL
    btTriangleIndexVertexArray *points;
    btOptimizedBvh *tree;
    uint32_t number;
    int cells_in_row; // of heights
};

struct ct_bullet_shape {
    btCollisionShape *shape; // of bodies: that of the only part, or `compound`
    btCompoundShape *compound;
    btAlignedObjectArray<bullet_part> parts;
    ct_bullet_mass mass;
    btTransform frame, to_frame; // of the shape's space: where bodies are; and back
    bool has_frame;              // it is not the identity
    int heights;                 // place in `parts` of one of kind HEIGHTS; -1: none is
    btScalar smallest_radius;    // of a sphere inside, for continuous motion
};

// Returns the inertia of a body's shape about its principal axes, with the bits of Bullet's own.
btVector3 bullet_inertia(const ct_bullet_shape *shape, btScalar mass);

// Returns the volume of the hull of points (x y z); 0 for flat ones.
double bullet_hull_volume(const btAlignedObjectArray<float> &points);

// --- Worlds and bodies ---------------------------------------------------------------------------

struct bullet_motion final : public btMotionState {
    ct_bullet_body *body;
    explicit bullet_motion(ct_bullet_body *of) : body(of) {}
    void getWorldTransform(btTransform &transform) const override;
    void setWorldTransform(const btTransform &transform) override;
};

// Whether a body that others keep awake rests.
struct bullet_rest {
    btTransform since; // where it was `time` seconds ago: it has moved little since
    btTransform last;  // where it was after the last step
    btScalar time;     // negative: it is fast, or was a short time ago
    btScalar radius;   // of a sphere around the body's origin
    explicit bullet_rest(const btCollisionShape *shape);
};

struct ct_bullet_body {
    btRigidBody rigid;
    bullet_motion motion;
    ct_bullet_world *world;
    ct_bullet_shape *shape;
    btTransform target; // of kinematic bodies: where they are at the end of the step
    uint32_t id, kind, flags, filter, collides;
    btScalar mass;
    int mover;       // place in world->movers; -1: it does not move
    bool was_moved;  // since the last step
    int awake;       // place in world->awake; -1: the last step did not move it
    int num_pairs;   // that the broadphase has of it
    bool is_crowded; // ct_bullet_body_is_crowded
    bullet_rest rest;
    ct_bullet_body(ct_bullet_world *w, const ct_bullet_body_desc &desc,
                   const btRigidBody::btRigidBodyConstructionInfo &info)
        : rigid(info), motion(this), world(w), shape(desc.shape),
          target(info.m_startWorldTransform), id(desc.id), kind(desc.kind), flags(desc.flags),
          filter(desc.filter), collides(desc.collides), mass(desc.mass), mover(-1),
          was_moved(false), awake(-1), num_pairs(0), is_crowded(false), rest(desc.shape->shape) {}
};

// Decides which pairs of the broadphase touch, and counts them.
struct bullet_pairs final : public btOverlapFilterCallback, public btOverlappingPairCallback {
    ct_bullet_world *world;
    int count;
    bool needBroadphaseCollision(btBroadphaseProxy *a, btBroadphaseProxy *b) const override;
    btBroadphasePair *addOverlappingPair(btBroadphaseProxy *a, btBroadphaseProxy *b) override;
    void *removeOverlappingPair(btBroadphaseProxy *a, btBroadphaseProxy *b,
                                btDispatcher *dispatcher) override;
    void removeOverlappingPairsContainingProxy(btBroadphaseProxy *, btDispatcher *) override {}
};

// Marks the pairs that a step looks at: those of which a body is awake.
struct bullet_dispatcher final : public btCollisionDispatcher {
    btAlignedObjectArray<btBroadphasePair *> seen; // in this step
    int step;                                      // its number, which the pairs have, too
    explicit bullet_dispatcher(btCollisionConfiguration *c);
};

// Shows what Bullet's world keeps to itself, and holds bodies that rest.
struct bullet_dynamics final : public btDiscreteDynamicsWorld {
    ct_bullet_world *world = nullptr;
    using btDiscreteDynamicsWorld::btDiscreteDynamicsWorld;
    void integrateTransforms(btScalar dt) override;
    const btAlignedObjectArray<btPersistentManifold *> &predicted() const {
        return m_predictiveManifolds;
    }
};

// The order of a contact: its pair, then the place in which it was found.
struct bullet_contact_key {
    uint64_t pair;
    int place;
    bool operator<(const bullet_contact_key &o) const {
        return pair != o.pair ? pair < o.pair : place < o.place;
    }
};

struct ct_bullet_world {
    btDefaultCollisionConfiguration *configuration;
    bullet_dispatcher *dispatcher;
    btDbvtBroadphase *broadphase;
    btSequentialImpulseConstraintSolver *solver;
    bullet_dynamics *dynamics;
    bullet_pairs pairs;
    btAlignedObjectArray<ct_bullet_moved> moved;
    btAlignedObjectArray<ct_bullet_body *> awake;            // those in `moved`; NULL: ended since
    btAlignedObjectArray<ct_bullet_body *> were_awake;       // in the step before
    btAlignedObjectArray<ct_bullet_body *> movers;           // kinematic bodies that move
    btAlignedObjectArray<ct_bullet_contact> contacts, found; // `found`: not sorted
    btAlignedObjectArray<bullet_contact_key> contact_keys;
    btManifoldArray manifolds;
    btAlignedObjectArray<int> driven; // by island: the step in which a kinematic body last moved it
    btScalar rest_distance;           // 0: none is held
    bool has_contacts;                // of the last step
    bool has_same_objects;            // as in the last step: nothing was added, taken out or placed
    bool is_crowded;                  // too many bodies are in one place
    int num_refused;                  // pairs, for that reason, since a body was last made
};

static inline ct_bullet_body *bullet_body_of(const btCollisionObject *object) {
    return static_cast<ct_bullet_body *>(object->getUserPointer());
}

static inline ct_bullet_body *bullet_body_of(const btBroadphaseProxy *proxy) {
    return bullet_body_of(static_cast<btCollisionObject *>(proxy->m_clientObject));
}

static inline bool bullet_is_dynamic(const ct_bullet_body *b) {
    return b->kind == CT_BULLET_DYNAMIC;
}

// Kinematic bodies and sensors: their owner moves them.
static inline bool bullet_is_moved(const ct_bullet_body *b) {
    return b->kind == CT_BULLET_KINEMATIC || b->kind == CT_BULLET_SENSOR;
}

// Forgets what the last step said of touches: the objects change.
static inline void bullet_world_changes(ct_bullet_world *w) {
    w->has_contacts = w->has_same_objects = false;
    w->contacts.resizeNoInitialize(0);
}

// Has a kinematic body or sensor take part in the next step, where it is or will be.
void bullet_body_joins_step(ct_bullet_body *b);

// Returns whether a query sees a body.
bool bullet_finds(const ct_bullet_find &find, const ct_bullet_body *body);

// Has up to four points of a flat contact found in one step (bullet_plane.cc). One a step, as by default,
// lets what falls flat onto a plane sink and spin.
void bullet_find_flat_contacts(btDefaultCollisionConfiguration *configuration,
                               btCollisionDispatcher *dispatcher);

// Holds bodies that rest where they were before the step (bullet_rest.cc).
void bullet_hold_resting(ct_bullet_world *w, btScalar dt);

// Wakes the bodies whose bounds meet those of `b`.
void bullet_wake_around(ct_bullet_body *b);
