#include "peer_bullet.h"

#include <btBulletDynamicsCommon.h>

#include <new>

struct peer_world {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher;
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world;
    btBoxShape box;
    btStaticPlaneShape ground;
    btTriangleIndexVertexArray *triangles;
    btBvhTriangleMeshShape *mesh;
    btAlignedObjectArray<btRigidBody *> bodies;
    peer_world()
        : dispatcher(&configuration), world(&dispatcher, &broadphase, &solver, &configuration),
          box(btVector3(0.5f, 0.5f, 0.5f)), ground(btVector3(0, 0, 1), 0), triangles(nullptr),
          mesh(nullptr) {
        configuration.setPlaneConvexMultipointIterations();
        configuration.setConvexConvexMultipointIterations();
        world.setGravity(btVector3(0, 0, -10));
        world.setForceUpdateAllAabbs(false);
    }
};

static peer_world *peer;

static void add(btCollisionShape *shape, btScalar mass, const btVector3 &at) {
    btVector3 inertia(0, 0, 0);
    if (mass > 0)
        shape->calculateLocalInertia(mass, inertia);
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape, inertia);
    info.m_startWorldTransform.setOrigin(at);
    peer->bodies.push_back(new btRigidBody(info));
    peer->world.addRigidBody(peer->bodies[peer->bodies.size() - 1]);
}

static void begin() {
    peer = new (btAlignedAlloc(sizeof(peer_world), 16)) peer_world;
}

void peer_bullet_begin_boxes(const ct_vec3 *places, uint32_t count) {
    begin();
    add(&peer->ground, 0, btVector3(0, 0, 0));
    for (uint32_t i = 0; i < count; ++i)
        add(&peer->box, 1, btVector3(places[i].x, places[i].y, places[i].z));
}

void peer_bullet_begin_triangles(float *points, uint32_t num_points, uint32_t *indices,
                                 uint32_t num_indices) {
    begin();
    peer->triangles = new (btAlignedAlloc(sizeof(btTriangleIndexVertexArray), 16))
        btTriangleIndexVertexArray(static_cast<int>(num_indices / 3),
                                   reinterpret_cast<int *>(indices), 12,
                                   static_cast<int>(num_points), points, 12);
    peer->mesh = new btBvhTriangleMeshShape(peer->triangles, true);
    add(peer->mesh, 0, btVector3(0, 0, 0));
}

void peer_bullet_end(void) {
    for (int i = peer->bodies.size() - 1; i >= 0; --i) {
        peer->world.removeRigidBody(peer->bodies[i]);
        delete peer->bodies[i];
    }
    delete peer->mesh;
    if (peer->triangles)
        peer->triangles->~btTriangleIndexVertexArray();
    btAlignedFree(peer->triangles);
    peer->~peer_world();
    btAlignedFree(peer);
}

void peer_bullet_step(float dt) {
    peer->world.stepSimulation(dt, 0);
}

uint32_t peer_bullet_rays(const ct_vec3 *ends, uint32_t count) {
    uint32_t num_hits = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const ct_vec3 a = ends[2 * i], b = ends[2 * i + 1];
        const btVector3 from(a.x, a.y, a.z), to(b.x, b.y, b.z);
        btCollisionWorld::ClosestRayResultCallback result(from, to);
        peer->world.rayTest(from, to, result);
        num_hits += result.hasHit();
    }
    return num_hits;
}
