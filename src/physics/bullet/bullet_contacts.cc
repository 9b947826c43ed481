// Contacts: which pairs touch after a step. Bullet's dispatcher sees all pairs in each step; those with
// a body that is awake are noted, so that sleeping ones cost nothing more.
#include "physics/bullet/bullet_private.hh"

static void look_at_pair(btBroadphasePair &pair, btCollisionDispatcher &of,
                         const btDispatcherInfo &info) {
    const btCollisionObject *const a =
        static_cast<btCollisionObject *>(pair.m_pProxy0->m_clientObject);
    const btCollisionObject *const b =
        static_cast<btCollisionObject *>(pair.m_pProxy1->m_clientObject);
    if (!a->isActive() && !b->isActive())
        return; // as Bullet would, with less to do
    btCollisionDispatcher::defaultNearCallback(pair, of, info);
    if (!pair.m_algorithm)
        return;
    bullet_dispatcher &dispatcher = static_cast<bullet_dispatcher &>(of);
    pair.m_internalTmpValue = dispatcher.step;
    dispatcher.seen.push_back(&pair);
}

bullet_dispatcher::bullet_dispatcher(btCollisionConfiguration *c)
    : btCollisionDispatcher(c), step(0) {
    setNearCallback(look_at_pair);
}

bool ct_bullet_pair_is_asleep(const ct_bullet_body *a, const ct_bullet_body *b) {
    CT_ASSERT(a->world == b->world, "bodies %u and %u are in two worlds", a->id, b->id);
    btOverlappingPairCache *const cache = a->world->broadphase->getOverlappingPairCache();
    const btBroadphasePair *const pair =
        cache->findPair(const_cast<btBroadphaseProxy *>(a->rigid.getBroadphaseProxy()),
                        const_cast<btBroadphaseProxy *>(b->rigid.getBroadphaseProxy()));
    return pair && pair->m_algorithm && pair->m_internalTmpValue != a->world->dispatcher->step;
}

struct contact_order {
    bool operator()(const bullet_contact_key &x, const bullet_contact_key &y) const {
        return x < y;
    }
};

static void add_contact(ct_bullet_world *w, const btPersistentManifold *manifold) {
    if (manifold->getNumContacts() == 0)
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
    const ct_bullet_body *const a = bullet_body_of(manifold->getBody0()), *const b = bullet_body_of(
                                                                              manifold->getBody1());
    const bool is_swapped = a->id > b->id;
    ct_bullet_contact contact;
    contact.a = is_swapped ? b->id : a->id;
    contact.b = is_swapped ? a->id : b->id;
    contact.position =
        ct_vector((point.getPositionWorldOnA() + point.getPositionWorldOnB()) * btScalar(0.5));
    contact.normal = ct_vector(is_swapped ? -point.m_normalWorldOnB : point.m_normalWorldOnB);
    contact.distance = point.getDistance();
    contact.impulse = impulse;
    w->found.push_back(contact);
}

static void add_pair(ct_bullet_world *w, const btBroadphasePair &pair) {
    if (pair.m_algorithm && pair.m_internalTmpValue == w->dispatcher->step)
        pair.m_algorithm->getAllContactManifolds(w->manifolds);
}

// Adds what the last step saw. The notes hold while no object was added or taken out since; else
// all pairs are searched for its number.
static void add_seen(ct_bullet_world *w) {
    w->manifolds.resizeNoInitialize(0);
    if (w->has_same_objects) {
        for (int i = 0; i < w->dispatcher->seen.size(); ++i)
            add_pair(w, *w->dispatcher->seen[i]);
        const btAlignedObjectArray<btPersistentManifold *> &predicted = w->dynamics->predicted();
        for (int i = 0; i < predicted.size(); ++i)
            w->manifolds.push_back(predicted[i]);
    } else {
        const btBroadphasePairArray &all =
            w->broadphase->getOverlappingPairCache()->getOverlappingPairArray();
        for (int i = 0; i < all.size(); ++i)
            add_pair(w, all[i]);
    }
    for (int i = 0; i < w->manifolds.size(); ++i)
        add_contact(w, w->manifolds[i]);
}

// Sorts what was found into `contacts`, and joins contacts of the same pair: compounds have a manifold
// for each child. The deepest one says where.
static void sort_contacts(ct_bullet_world *w) {
    btAlignedObjectArray<bullet_contact_key> &keys = w->contact_keys;
    keys.resizeNoInitialize(w->found.size());
    for (int i = 0; i < keys.size(); ++i) {
        keys[i].pair = static_cast<uint64_t>(w->found[i].a) << 32 | w->found[i].b;
        keys[i].place = i;
    }
    if (keys.size() > 1)
        keys.quickSort(contact_order());
    for (int i = 0; i < keys.size(); ++i) {
        const ct_bullet_contact &next = w->found[keys[i].place];
        if (i == 0 || keys[i].pair != keys[i - 1].pair) {
            w->contacts.push_back(next);
            continue;
        }
        ct_bullet_contact &same = w->contacts[w->contacts.size() - 1];
        const float impulse = same.impulse + next.impulse;
        if (next.distance < same.distance)
            same = next;
        same.impulse = impulse;
    }
}

const ct_bullet_contact *ct_bullet_world_contacts(ct_bullet_world *w, uint32_t *count) {
    if (!w->has_contacts) {
        w->found.resizeNoInitialize(0);
        w->contacts.resizeNoInitialize(0);
        add_seen(w);
        sort_contacts(w);
        w->has_contacts = true;
    }
    *count = static_cast<uint32_t>(w->contacts.size());
    return w->contacts.size() > 0 ? &w->contacts[0] : nullptr;
}
