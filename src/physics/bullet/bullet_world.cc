// Worlds: steps, and what moved in them.
#include "physics/bullet/bullet_private.hh"

#include <new>

static bool is_dynamic(const ct_bullet_body *b) {
    return b->kind == CT_BULLET_DYNAMIC;
}

// Pairs of which neither can move do not touch, except for what enters sensors.
bool bullet_filter::needBroadphaseCollision(btBroadphaseProxy *a, btBroadphaseProxy *b) const {
    const ct_bullet_body *const x =
        bullet_body_of(static_cast<btCollisionObject *>(a->m_clientObject));
    const ct_bullet_body *const y =
        bullet_body_of(static_cast<btCollisionObject *>(b->m_clientObject));
    if ((x->flags | y->flags) & CT_BULLET_NO_COLLISION)
        return false;
    if (!(x->collides >> y->filter & 1) || !(y->collides >> x->filter & 1))
        return false;
    if (is_dynamic(x) || is_dynamic(y))
        return true;
    const bool has_sensor = x->kind == CT_BULLET_SENSOR || y->kind == CT_BULLET_SENSOR;
    const bool has_kinematic = x->kind == CT_BULLET_KINEMATIC || y->kind == CT_BULLET_KINEMATIC;
    return has_sensor && has_kinematic;
}

ct_bullet_world *ct_bullet_world_create(const ct_bullet_world_desc *desc) {
    ct_bullet_world *const w = bullet_new<ct_bullet_world>();
    w->configuration = bullet_new<btDefaultCollisionConfiguration>();
    w->dispatcher = bullet_new<btCollisionDispatcher>(w->configuration);
    w->broadphase = bullet_new<btDbvtBroadphase>();
    w->solver = new btSequentialImpulseConstraintSolver();
    w->dynamics =
        new btDiscreteDynamicsWorld(w->dispatcher, w->broadphase, w->solver, w->configuration);
    w->broadphase->getOverlappingPairCache()->setOverlapFilterCallback(&w->filter);
    // Sleeping bodies keep the bounds that they have.
    w->dynamics->setForceUpdateAllAabbs(false);
    w->dynamics->setGravity(bt_vector(desc->gravity));
    w->dynamics->getSolverInfo().m_numIterations = static_cast<int>(desc->solver_iterations);
    w->has_contacts = false;
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
    w->dynamics->setGravity(bt_vector(gravity));
    const btCollisionObjectArray &objects = w->dynamics->getCollisionObjectArray();
    for (int i = 0; i < objects.size(); ++i) {
        if (is_dynamic(bullet_body_of(objects[i])))
            objects[i]->activate(true);
    }
}

ct_vec3 ct_bullet_world_gravity(const ct_bullet_world *w) {
    return ct_vector(w->dynamics->getGravity());
}

void bullet_motion::getWorldTransform(btTransform &transform) const {
    transform = body->target;
}

// Called for dynamic bodies that are awake. The given transform is extrapolated; the body's is not.
void bullet_motion::setWorldTransform(const btTransform &) {
    ct_bullet_moved moved;
    moved.id = body->id;
    moved.pose = ct_bullet_body_pose(body);
    body->world->moved.push_back(moved);
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

void ct_bullet_world_step(ct_bullet_world *w, float dt) {
    w->moved.resizeNoInitialize(0);
    w->has_contacts = false;
    settle_movers(w);
    w->dynamics->stepSimulation(dt, 0);
}

const ct_bullet_moved *ct_bullet_world_moved(const ct_bullet_world *w, uint32_t *count) {
    *count = static_cast<uint32_t>(w->moved.size());
    return w->moved.size() > 0 ? &w->moved[0] : nullptr;
}

// --- Contacts ------------------------------------------------------------------------------------

struct contact_order {
    bool operator()(const ct_bullet_contact &x, const ct_bullet_contact &y) const {
        if (x.a != y.a)
            return x.a < y.a;
        if (x.b != y.b)
            return x.b < y.b;
        return x.distance < y.distance;
    }
};

static bool sleeps(const btCollisionObject *object) {
    return !object->isActive();
}

bool ct_bullet_pair_is_asleep(const ct_bullet_body *a, const ct_bullet_body *b) {
    return sleeps(&a->rigid) && sleeps(&b->rigid);
}

static void add_contact(ct_bullet_world *w, const btPersistentManifold *manifold) {
    const btCollisionObject *const first = manifold->getBody0(), *const second =
                                                                     manifold->getBody1();
    if (manifold->getNumContacts() == 0 || (sleeps(first) && sleeps(second)))
        return;
    int deepest = 0;
    btScalar impulse = 0;
    for (int i = 0; i < manifold->getNumContacts(); ++i) {
        const btManifoldPoint &point = manifold->getContactPoint(i);
        impulse += point.getAppliedImpulse();
        if (point.getDistance() < manifold->getContactPoint(deepest).getDistance())
            deepest = i;
    }
    const btManifoldPoint &point = manifold->getContactPoint(deepest);
    const ct_bullet_body *const a = bullet_body_of(first), *const b = bullet_body_of(second);
    const bool is_swapped = a->id > b->id;
    ct_bullet_contact contact;
    contact.a = is_swapped ? b->id : a->id;
    contact.b = is_swapped ? a->id : b->id;
    contact.position =
        ct_vector((point.getPositionWorldOnA() + point.getPositionWorldOnB()) * btScalar(0.5));
    contact.normal = ct_vector(is_swapped ? -point.m_normalWorldOnB : point.m_normalWorldOnB);
    contact.distance = point.getDistance();
    contact.impulse = impulse;
    w->contacts.push_back(contact);
}

// Joins contacts of the same pair: compounds have a manifold for each child. They are sorted, the
// deepest first.
static void join_contacts(ct_bullet_world *w) {
    int count = 0;
    for (int i = 0; i < w->contacts.size(); ++i) {
        ct_bullet_contact &next = w->contacts[i];
        if (count > 0 && w->contacts[count - 1].a == next.a && w->contacts[count - 1].b == next.b)
            w->contacts[count - 1].impulse += next.impulse;
        else
            w->contacts[count++] = next;
    }
    w->contacts.resizeNoInitialize(count);
}

const ct_bullet_contact *ct_bullet_world_contacts(ct_bullet_world *w, uint32_t *count) {
    if (!w->has_contacts) {
        w->contacts.resizeNoInitialize(0);
        for (int i = 0; i < w->dispatcher->getNumManifolds(); ++i)
            add_contact(w, w->dispatcher->getManifoldByIndexInternal(i));
        if (w->contacts.size() > 1)
            w->contacts.quickSort(contact_order());
        join_contacts(w);
        w->has_contacts = true;
    }
    *count = static_cast<uint32_t>(w->contacts.size());
    return w->contacts.size() > 0 ? &w->contacts[0] : nullptr;
}
