// Worlds: steps, and what moved in them.
#include "physics/bullet/bullet_private.hh"

#include <new>

extern "C" {
#include "foundation/log.h"
}

// A pair takes up to 4 KB, and bodies at one place have as many as their number squared. In a world
// with many pairs, bodies that both have enough of them get no further one with each other. A box among
// others like it in a stack has 26.
enum { MANY_PAIRS = 1 << 16, CROWDED = 32, TOO_MANY_PAIRS = 1 << 19, VERY_CROWDED = 8 };

static bool enters(const ct_bullet_body *body, const ct_bullet_body *sensor) {
    return body->kind == CT_BULLET_KINEMATIC && sensor->kind == CT_BULLET_SENSOR;
}

// Pairs of which neither can move do not touch, except for what enters sensors.
bool bullet_pairs::needBroadphaseCollision(btBroadphaseProxy *a, btBroadphaseProxy *b) const {
    if (!(a->m_collisionFilterGroup & b->m_collisionFilterMask) ||
        !(b->m_collisionFilterGroup & a->m_collisionFilterMask))
        return false;
    // The flags are where Bullet reads next; our own members are not.
    const btCollisionObject *const x = static_cast<btCollisionObject *>(a->m_clientObject);
    const btCollisionObject *const y = static_cast<btCollisionObject *>(b->m_clientObject);
    if (x->isStaticOrKinematicObject() && y->isStaticOrKinematicObject() &&
        !enters(bullet_body_of(x), bullet_body_of(y)) &&
        !enters(bullet_body_of(y), bullet_body_of(x)))
        return false;
    if (count < MANY_PAIRS)
        return true;
    const int most = count < TOO_MANY_PAIRS ? CROWDED : VERY_CROWDED;
    if (bullet_body_of(x)->num_pairs < most || bullet_body_of(y)->num_pairs < most)
        return true;
    world->is_crowded = true;
    ++world->num_refused;
    return false;
}

btBroadphasePair *bullet_pairs::addOverlappingPair(btBroadphaseProxy *a, btBroadphaseProxy *b) {
    ++bullet_body_of(a)->num_pairs;
    ++bullet_body_of(b)->num_pairs;
    ++count;
    return nullptr;
}

void *bullet_pairs::removeOverlappingPair(btBroadphaseProxy *a, btBroadphaseProxy *b,
                                          btDispatcher *) {
    --bullet_body_of(a)->num_pairs;
    --bullet_body_of(b)->num_pairs;
    --count;
    return nullptr;
}

ct_bullet_world *ct_bullet_world_create(const ct_bullet_world_desc *desc) {
    ct_bullet_world *const w = bullet_new<ct_bullet_world>();
    w->configuration = bullet_new<btDefaultCollisionConfiguration>();
    w->dispatcher = bullet_new<bullet_dispatcher>(w->configuration);
    bullet_find_flat_contacts(w->configuration, w->dispatcher);
    w->broadphase = bullet_new<btDbvtBroadphase>();
    w->solver = new btSequentialImpulseConstraintSolver();
    w->dynamics = new bullet_dynamics(w->dispatcher, w->broadphase, w->solver, w->configuration);
    w->dynamics->world = w;
    w->rest_distance = desc->rest_distance;
    w->pairs.world = w;
    w->pairs.count = 0;
    w->broadphase->getOverlappingPairCache()->setOverlapFilterCallback(&w->pairs);
    w->broadphase->getOverlappingPairCache()->setInternalGhostPairCallback(&w->pairs);
    // Sleeping bodies keep the bounds that they have.
    w->dynamics->setForceUpdateAllAabbs(false);
    w->dynamics->setGravity(bt_vector(desc->gravity));
    w->dynamics->getSolverInfo().m_numIterations = static_cast<int>(desc->solver_iterations);
    w->has_contacts = w->has_same_objects = w->is_crowded = false;
    w->num_refused = 0;
    return w;
}

void ct_bullet_world_destroy(ct_bullet_world *w) {
    if (!w)
        return;
    CT_ASSERT(w->dynamics->getNumCollisionObjects() == 0, "%d bodies are left",
              w->dynamics->getNumCollisionObjects());
    delete w->dynamics;
    delete w->solver;
    bullet_delete(w->broadphase);
    bullet_delete(w->dispatcher);
    bullet_delete(w->configuration);
    bullet_delete(w);
}

void ct_bullet_world_set_gravity(ct_bullet_world *w, ct_vec3 gravity) {
    const btCollisionObjectArray &objects = w->dynamics->getCollisionObjectArray();
    for (int i = 0; i < objects.size(); ++i) { // Bullet gives it to bodies that are awake
        if (bullet_is_dynamic(bullet_body_of(objects[i])))
            objects[i]->activate(true);
    }
    w->dynamics->setGravity(bt_vector(gravity));
}

ct_vec3 ct_bullet_world_gravity(const ct_bullet_world *w) {
    return ct_vector(w->dynamics->getGravity());
}

void ct_bullet_world_set_solver_iterations(ct_bullet_world *w, uint32_t count) {
    CT_ASSERT(count >= 1 && count <= 1000, "%u iterations of the solver", count);
    w->dynamics->getSolverInfo().m_numIterations = static_cast<int>(count);
}

void bullet_motion::getWorldTransform(btTransform &transform) const {
    transform = body->target;
}

static void add_moved(ct_bullet_body *b) {
    ct_bullet_world *const w = b->world;
    ct_bullet_moved moved;
    moved.id = b->id;
    moved.pose = ct_bullet_body_pose(b);
    w->moved.push_back(moved);
}

// Called for dynamic bodies that are awake. The given transform is extrapolated; the body's is not.
void bullet_motion::setWorldTransform(const btTransform &) {
    add_moved(body);
    body->awake = body->world->awake.size();
    body->world->awake.push_back(body);
}

// A kinematic body that was not moved since the last step stands still in this one, and then sleeps.
static void settle_movers(ct_bullet_world *w) {
    for (int i = 0; i < w->movers.size();) {
        ct_bullet_body *const b = w->movers[i];
        if (b->was_moved) {
            b->was_moved = false;
            ++i;
            continue;
        }
        w->movers.swap(i, w->movers.size() - 1);
        w->movers.pop_back();
        if (i < w->movers.size())
            w->movers[i]->mover = i;
        b->mover = -1;
        b->rigid.setLinearVelocity(btVector3(0, 0, 0));
        b->rigid.setAngularVelocity(btVector3(0, 0, 0));
        b->rigid.forceActivationState(ISLAND_SLEEPING);
    }
}

// Begins the list of moved bodies. Those of the step before are kept, to see which fell asleep.
static void begin_moved(ct_bullet_world *w) {
    w->moved.resizeNoInitialize(0);
    w->were_awake.resizeNoInitialize(0);
    for (int i = 0; i < w->awake.size(); ++i) {
        ct_bullet_body *const b = w->awake[i];
        if (!b)
            continue;
        b->awake = -1;
        w->were_awake.push_back(b);
    }
    w->awake.resizeNoInitialize(0);
}

// Adds the bodies that fell asleep.
static void end_moved(ct_bullet_world *w) {
    for (int i = 0; i < w->were_awake.size(); ++i) {
        if (w->were_awake[i]->awake >= 0)
            continue;
        w->were_awake[i]->rest.time = -1;
        add_moved(w->were_awake[i]);
    }
}

void ct_bullet_world_step(ct_bullet_world *w, float dt) {
    w->has_contacts = false;
    w->has_same_objects = true;
    w->dispatcher->seen.resizeNoInitialize(0);
    ++w->dispatcher->step;
    settle_movers(w);
    begin_moved(w);
    w->dynamics->stepSimulation(dt, 0);
    end_moved(w);
    if (w->is_crowded)
        ct_log_warning("physics", "crowded_bodies",
                       "More than %d bodies are in one place, and some of them pass through each "
                       "other; spread them out",
                       CROWDED);
    w->is_crowded = false;
}

const ct_bullet_moved *ct_bullet_world_moved(const ct_bullet_world *w, uint32_t *count) {
    *count = static_cast<uint32_t>(w->moved.size());
    return w->moved.size() > 0 ? &w->moved[0] : nullptr;
}
