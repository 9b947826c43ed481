// Bodies that rest in an island that others keep awake.
//
// Bullet puts an island to sleep when all of its bodies are slow for two seconds. In a large pile, some
// body slides or topples at any time, because contacts give way a little in each step: the pile creeps
// for minutes. So a body that wants to sleep, and has moved less than the world's `rest_distance` in
// half a second, is held: it does not move in the step, and gets no velocity by it. What would move it
// ends that: a velocity of half of what gravity gives in a step, or a kinematic body in its island.
#include "physics/bullet/bullet_private.hh"

static const btScalar REST_SECONDS = btScalar(0.5);

bullet_rest::bullet_rest(const btCollisionShape *shape) : time(-1) {
    btVector3 center;
    shape->getBoundingSphere(center, radius);
    radius += center.length();
    since.setIdentity();
    last.setIdentity();
}

void ct_bullet_world_set_rest_distance(ct_bullet_world *w, float distance) {
    w->rest_distance = distance;
}

static bool drives(const ct_bullet_body *b) {
    return b->kind == CT_BULLET_KINEMATIC && b->mover >= 0;
}

// Notes the islands in which a moving kinematic body is near a body.
static void find_driven(ct_bullet_world *w) {
    for (int i = 0; w->movers.size() > 0 && i < w->dispatcher->seen.size(); ++i) {
        const ct_bullet_body *const a = bullet_body_of(w->dispatcher->seen[i]->m_pProxy0);
        const ct_bullet_body *const b = bullet_body_of(w->dispatcher->seen[i]->m_pProxy1);
        if (!drives(a) && !drives(b))
            continue;
        const int island = (drives(a) ? b : a)->rigid.getIslandTag();
        if (island >= w->driven.size())
            w->driven.resize(island + 1, -1);
        if (island >= 0) // none, when neither can be moved
            w->driven[island] = w->dispatcher->step;
    }
}

static bool is_driven(const ct_bullet_world *w, const ct_bullet_body *b) {
    const int island = b->rigid.getIslandTag();
    return island >= 0 && island < w->driven.size() && w->driven[island] == w->dispatcher->step;
}

// How far a point of the body has moved at most, about.
static btScalar distance_from(const ct_bullet_body *b, const btTransform &pose) {
    const btTransform &now = b->rigid.getWorldTransform();
    btScalar turned = 0;
    for (int k = 0; k < 3; ++k)
        turned = btMax(turned, now.getBasis().getColumn(k).distance(pose.getBasis().getColumn(k)));
    return now.getOrigin().distance(pose.getOrigin()) + turned * b->rest.radius;
}

// Returns whether a body that wants to sleep has moved so little that it is held.
static bool rests(ct_bullet_body *b, btScalar distance, btScalar speed, btScalar dt) {
    bullet_rest &rest = b->rest;
    const bool is_slow = b->rigid.getLinearVelocity().length() < speed &&
                         b->rigid.getAngularVelocity().length() * rest.radius < speed;
    if (rest.time < 0 || !is_slow || distance_from(b, rest.since) > distance) {
        rest.since = b->rigid.getWorldTransform();
        rest.time = 0;
        return false;
    }
    rest.time += dt;
    return rest.time > REST_SECONDS;
}

static void hold(ct_bullet_body *b) {
    b->rigid.setWorldTransform(b->rest.last);
    b->rigid.setInterpolationWorldTransform(b->rest.last);
    b->rigid.updateInertiaTensor();
    b->rigid.setLinearVelocity(btVector3(0, 0, 0));
    b->rigid.setAngularVelocity(btVector3(0, 0, 0));
}

void bullet_hold_resting(ct_bullet_world *w, btScalar dt) {
    find_driven(w);
    for (int i = 0; i < w->were_awake.size(); ++i) {
        ct_bullet_body *const b = w->were_awake[i];
        if (b->rigid.getActivationState() != WANTS_DEACTIVATION) {
            b->rest.time = -1;
            continue;
        }
        const btScalar speed = b->rigid.getGravity().length() * dt * btScalar(0.5);
        if (rests(b, w->rest_distance, speed, dt) && !is_driven(w, b))
            hold(b);
        b->rest.last = b->rigid.getWorldTransform();
    }
}

void bullet_dynamics::integrateTransforms(btScalar dt) {
    btDiscreteDynamicsWorld::integrateTransforms(dt);
    if (world->rest_distance > 0)
        bullet_hold_resting(world, dt);
}
