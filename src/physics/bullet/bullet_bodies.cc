// Bodies: making, moving and changing them.
#include "physics/bullet/bullet_private.hh"

#include <new>

// The pose of the body, from that of the shape's space; and back.
static btTransform to_body(const ct_bullet_shape *shape, const ct_rigid_pose &pose) {
    const btTransform t = bt_pose(pose);
    return shape->has_frame ? t * shape->frame : t;
}

static ct_rigid_pose from_body(const ct_bullet_shape *shape, const btTransform &t) {
    return ct_pose(shape->has_frame ? t * shape->to_frame : t);
}

// Sets what depends on the kind: Bullet's flags and the mass.
static void apply_kind(ct_bullet_body *b) {
    btRigidBody &rigid = b->rigid;
    int flags = rigid.getCollisionFlags();
    flags &= ~(btCollisionObject::CF_STATIC_OBJECT | btCollisionObject::CF_KINEMATIC_OBJECT |
               btCollisionObject::CF_NO_CONTACT_RESPONSE);
    if (b->kind == CT_BULLET_STATIC)
        flags |= btCollisionObject::CF_STATIC_OBJECT;
    if (bullet_is_moved(b))
        flags |= btCollisionObject::CF_KINEMATIC_OBJECT;
    if (b->kind == CT_BULLET_SENSOR)
        flags |= btCollisionObject::CF_NO_CONTACT_RESPONSE;
    rigid.setCollisionFlags(flags);
    const btScalar mass = bullet_is_dynamic(b) ? b->mass : 0;
    const btVector3 inertia = bullet_inertia(b->shape, mass);
    // setMassProps makes bodies without mass static; the flags above say which are kinematic.
    rigid.setMassProps(mass, inertia);
    rigid.setCollisionFlags(flags);
    rigid.updateInertiaTensor();
}

static void apply_flags(ct_bullet_body *b) {
    btRigidBody &rigid = b->rigid;
    const bool has_gravity = bullet_is_dynamic(b) && !(b->flags & CT_BULLET_NO_GRAVITY);
    rigid.setFlags(has_gravity ? rigid.getFlags() & ~BT_DISABLE_WORLD_GRAVITY
                               : rigid.getFlags() | BT_DISABLE_WORLD_GRAVITY);
    rigid.setGravity(has_gravity ? b->world->dynamics->getGravity() : btVector3(0, 0, 0));
    const bool is_continuous = b->flags & CT_BULLET_CONTINUOUS;
    const btScalar radius = b->shape->smallest_radius;
    rigid.setCcdMotionThreshold(is_continuous ? radius : 0);
    rigid.setCcdSweptSphereRadius(is_continuous ? radius * btScalar(0.9) : 0);
    if (!bullet_is_dynamic(b))
        return;
    if (b->flags & CT_BULLET_NO_SLEEP)
        rigid.forceActivationState(DISABLE_DEACTIVATION);
    else if (rigid.getActivationState() == DISABLE_DEACTIVATION)
        rigid.forceActivationState(ACTIVE_TAG);
}

static void wake_sensors(ct_bullet_body *b);

// Bullet's groups and masks are our filters, so that its own sweeps for continuous bodies obey them.
static void add_to_world(ct_bullet_body *b) {
    const bool collides = !(b->flags & CT_BULLET_NO_COLLISION);
    bullet_world_changes(b->world);
    b->world->dynamics->addRigidBody(&b->rigid, collides ? static_cast<int>(1u << b->filter) : 0,
                                     collides ? static_cast<int>(b->collides) : 0);
    apply_flags(b); // adding gives it the world's gravity
    if (bullet_is_moved(b))
        bullet_body_joins_step(b);
    else if (!b->rigid.isActive())
        wake_sensors(b);
}

static void take_out(ct_bullet_body *b) {
    bullet_world_changes(b->world);
    b->world->dynamics->removeRigidBody(&b->rigid);
}

// Forgets that the last step moved a body.
static void leave_awake(ct_bullet_body *b) {
    if (b->awake >= 0)
        b->world->awake[b->awake] = nullptr;
    b->awake = -1;
}

static void stop_mover(ct_bullet_body *b) {
    if (b->mover < 0)
        return;
    btAlignedObjectArray<ct_bullet_body *> &movers = b->world->movers;
    movers.swap(b->mover, movers.size() - 1);
    movers.pop_back();
    if (b->mover < movers.size())
        movers[b->mover]->mover = b->mover;
    b->mover = -1;
    b->was_moved = false;
}

ct_bullet_body *ct_bullet_body_create(ct_bullet_world *w, const ct_bullet_body_desc *desc) {
    CT_ASSERT(desc->kind != CT_BULLET_DYNAMIC || desc->mass > 0, "body %u", desc->id);
    const btScalar mass = desc->kind == CT_BULLET_DYNAMIC ? desc->mass : 0;
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, desc->shape->shape,
                                                  bullet_inertia(desc->shape, mass));
    info.m_startWorldTransform = to_body(desc->shape, desc->pose);
    info.m_linearDamping = desc->linear_damping;
    info.m_angularDamping = desc->angular_damping;
    info.m_friction = desc->friction;
    info.m_restitution = desc->restitution;
    info.m_rollingFriction = desc->rolling_friction;
    info.m_spinningFriction = desc->spinning_friction;
    info.m_linearSleepingThreshold = desc->sleep_linear;
    info.m_angularSleepingThreshold = desc->sleep_angular;
    ct_bullet_body *const b = bullet_new<ct_bullet_body>(w, *desc, info);
    b->rigid.setUserPointer(b);
    apply_kind(b);
    b->rigid.setMotionState(&b->motion);
    b->rigid.setLinearFactor(bt_vector(desc->linear_factor));
    b->rigid.setAngularFactor(bt_vector(desc->angular_factor));
    if (bullet_is_dynamic(b)) {
        b->rigid.setLinearVelocity(bt_vector(desc->velocity));
        b->rigid.setAngularVelocity(bt_vector(desc->angular_velocity));
        b->rigid.setInterpolationLinearVelocity(bt_vector(desc->velocity));
        b->rigid.setInterpolationAngularVelocity(bt_vector(desc->angular_velocity));
    }
    if (bullet_is_dynamic(b) && (b->flags & CT_BULLET_STARTS_ASLEEP) &&
        !(b->flags & CT_BULLET_NO_SLEEP))
        b->rigid.forceActivationState(ISLAND_SLEEPING);
    w->num_refused = 0;
    add_to_world(b);
    b->is_crowded = w->num_refused >= CT_BULLET_MOST_IN_ONE_PLACE;
    return b;
}

bool ct_bullet_body_is_crowded(const ct_bullet_body *b) {
    return b->is_crowded;
}

void ct_bullet_body_destroy(ct_bullet_body *b) {
    if (!b)
        return;
    bullet_wake_around(b);
    stop_mover(b);
    leave_awake(b);
    take_out(b);
    bullet_delete(b);
}

// --- Waking --------------------------------------------------------------------------------------

struct wake_callback final : public btBroadphaseAabbCallback {
    const ct_bullet_body *except;
    bool wakes_bodies;
    wake_callback(const ct_bullet_body *b, bool bodies) : except(b), wakes_bodies(bodies) {}
    bool process(const btBroadphaseProxy *proxy) override {
        ct_bullet_body *const other = bullet_body_of(proxy);
        if (other == except)
            return true;
        if (other->kind == CT_BULLET_SENSOR)
            bullet_body_joins_step(other);
        else if (wakes_bodies && bullet_is_dynamic(other))
            other->rigid.activate();
        return true;
    }
};

static void wake_around(ct_bullet_body *b, bool wakes_bodies) {
    if (b->flags & CT_BULLET_NO_COLLISION)
        return;
    btVector3 least, most;
    b->rigid.getAabb(least, most);
    const btVector3 border(btScalar(0.05), btScalar(0.05), btScalar(0.05));
    wake_callback wake(b, wakes_bodies);
    b->world->broadphase->aabbTest(least - border, most + border, wake);
}

void bullet_wake_around(ct_bullet_body *b) {
    if (b->kind != CT_BULLET_SENSOR)
        wake_around(b, true);
}

static void wake_sensors(ct_bullet_body *b) {
    if (b->kind == CT_BULLET_DYNAMIC)
        wake_around(b, false);
}

void bullet_body_joins_step(ct_bullet_body *b) {
    b->was_moved = true;
    if (b->mover >= 0)
        return;
    b->mover = b->world->movers.size();
    b->world->movers.push_back(b);
    // Bullet puts slow ones to sleep, where they are.
    b->rigid.forceActivationState(DISABLE_DEACTIVATION);
}

// --- Poses ---------------------------------------------------------------------------------------

ct_rigid_pose ct_bullet_body_pose(const ct_bullet_body *b) {
    return from_body(b->shape, b->rigid.getWorldTransform());
}

static void place(ct_bullet_body *b, const btTransform &t) {
    bullet_wake_around(b);
    bullet_world_changes(b->world);
    b->rigid.setWorldTransform(t);
    b->rigid.setInterpolationWorldTransform(t);
    b->target = t;
    b->rigid.updateInertiaTensor();
    b->world->dynamics->updateSingleAabb(&b->rigid);
    bullet_wake_around(b);
}

void ct_bullet_body_set_pose(ct_bullet_body *b, ct_rigid_pose pose) {
    place(b, to_body(b->shape, pose));
    if (bullet_is_dynamic(b))
        b->rigid.activate(true);
    if (bullet_is_moved(b))
        bullet_body_joins_step(b);
}

void ct_bullet_body_transform(const ct_bullet_body *b, float transform[12]) {
    const btTransform &t = b->rigid.getWorldTransform();
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k)
            transform[3 * i + k] = t.getBasis()[i][k];
        transform[9 + i] = t.getOrigin()[i];
    }
}

void ct_bullet_body_set_transform(ct_bullet_body *b, const float transform[12]) {
    const float *const f = transform;
    const btMatrix3x3 basis(f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7], f[8]);
    place(b, btTransform(basis, btVector3(f[9], f[10], f[11])));
    if (bullet_is_dynamic(b))
        b->rigid.activate(true);
}

void ct_bullet_body_move_to(ct_bullet_body *b, ct_rigid_pose pose) {
    CT_ASSERT(bullet_is_moved(b), "body %u", b->id);
    b->target = to_body(b->shape, pose);
    const bool was_still = b->mover < 0;
    bullet_body_joins_step(b);
    if (was_still)
        bullet_wake_around(b);
}

bool ct_bullet_body_is_moved(const ct_bullet_body *b) {
    return bullet_is_moved(b);
}

uint32_t ct_bullet_body_id(const ct_bullet_body *b) {
    return b->id;
}

ct_aabb ct_bullet_body_bounds(const ct_bullet_body *b) {
    btVector3 least, most;
    b->rigid.getAabb(least, most);
    ct_aabb bounds;
    bounds.min = ct_vector(least);
    bounds.max = ct_vector(most);
    return bounds;
}

// --- What it is like -----------------------------------------------------------------------------

// Takes a body out and puts it back, so that everything about its pairs is decided again.
static void add_again(ct_bullet_body *b) {
    bullet_wake_around(b);
    take_out(b);
    add_to_world(b);
}

void ct_bullet_body_set_kind(ct_bullet_body *b, uint32_t kind) {
    CT_ASSERT(kind != CT_BULLET_DYNAMIC || b->mass > 0, "body %u", b->id);
    if (b->kind == kind)
        return;
    stop_mover(b);
    bullet_wake_around(b);
    take_out(b);
    leave_awake(b);
    b->kind = kind;
    b->target = b->rigid.getWorldTransform();
    apply_kind(b);
    if (!bullet_is_dynamic(b)) {
        b->rigid.setLinearVelocity(btVector3(0, 0, 0));
        b->rigid.setAngularVelocity(btVector3(0, 0, 0));
    }
    b->rigid.setInterpolationWorldTransform(b->target);
    b->rigid.forceActivationState(bullet_is_dynamic(b) ? ACTIVE_TAG : ISLAND_SLEEPING);
    add_to_world(b);
}

void ct_bullet_body_set_flags(ct_bullet_body *b, uint32_t flags) {
    const uint32_t changed = b->flags ^ flags;
    b->flags = flags;
    if (changed & CT_BULLET_NO_COLLISION)
        add_again(b);
    else
        apply_flags(b);
    if (changed && bullet_is_dynamic(b))
        b->rigid.activate(true);
}

void ct_bullet_body_set_filter(ct_bullet_body *b, uint32_t filter, uint32_t collides) {
    if (b->filter == filter && b->collides == collides)
        return;
    b->filter = filter;
    b->collides = collides;
    add_again(b);
    if (bullet_is_dynamic(b))
        b->rigid.activate(true);
}

void ct_bullet_body_set_material(ct_bullet_body *b, float friction, float restitution,
                                 float rolling_friction, float spinning_friction) {
    b->rigid.setFriction(friction);
    b->rigid.setRestitution(restitution);
    b->rigid.setRollingFriction(rolling_friction);
    b->rigid.setSpinningFriction(spinning_friction);
}

void ct_bullet_body_set_mass(ct_bullet_body *b, float mass) {
    CT_ASSERT(mass > 0, "body %u", b->id);
    if (b->mass == mass)
        return;
    b->mass = mass;
    apply_kind(b);
}

void ct_bullet_body_set_sleep(ct_bullet_body *b, float linear, float angular) {
    b->rigid.setSleepingThresholds(linear, angular);
}

void ct_bullet_body_set_shape(ct_bullet_body *b, ct_bullet_shape *shape) {
    const ct_rigid_pose pose = ct_bullet_body_pose(b);
    bullet_wake_around(b);
    take_out(b);
    b->shape = shape;
    b->rigid.setCollisionShape(shape->shape);
    b->rest = bullet_rest(shape->shape);
    const btTransform t = to_body(shape, pose);
    b->rigid.setWorldTransform(t);
    b->rigid.setInterpolationWorldTransform(t);
    b->target = t;
    apply_kind(b);
    add_to_world(b);
    if (bullet_is_dynamic(b))
        b->rigid.activate(true);
}

void ct_bullet_body_set_damping(ct_bullet_body *b, float linear, float angular) {
    b->rigid.setDamping(linear, angular);
}

float ct_bullet_body_mass(const ct_bullet_body *b) {
    return bullet_is_dynamic(b) ? b->mass : 0;
}

ct_vec3 ct_bullet_body_center(const ct_bullet_body *b) {
    return ct_vector(b->rigid.getWorldTransform().getOrigin());
}

// --- Motion --------------------------------------------------------------------------------------

ct_vec3 ct_bullet_body_velocity(const ct_bullet_body *b) {
    return ct_vector(b->rigid.getLinearVelocity());
}

ct_vec3 ct_bullet_body_angular_velocity(const ct_bullet_body *b) {
    return ct_vector(b->rigid.getAngularVelocity());
}

ct_vec3 ct_bullet_body_velocity_at(const ct_bullet_body *b, ct_vec3 position) {
    return ct_vector(b->rigid.getVelocityInLocalPoint(bt_vector(position) -
                                                      b->rigid.getWorldTransform().getOrigin()));
}

void ct_bullet_body_set_velocity(ct_bullet_body *b, ct_vec3 velocity) {
    if (!bullet_is_dynamic(b))
        return;
    b->rigid.setLinearVelocity(bt_vector(velocity));
    b->rigid.activate(true);
}

void ct_bullet_body_set_angular_velocity(ct_bullet_body *b, ct_vec3 velocity) {
    if (!bullet_is_dynamic(b))
        return;
    b->rigid.setAngularVelocity(bt_vector(velocity));
    b->rigid.activate(true);
}

void ct_bullet_body_add_impulse(ct_bullet_body *b, ct_vec3 impulse, ct_vec3 at) {
    if (!bullet_is_dynamic(b))
        return;
    b->rigid.applyImpulse(bt_vector(impulse),
                          bt_vector(at) - b->rigid.getWorldTransform().getOrigin());
    b->rigid.activate(true);
}

void ct_bullet_body_add_torque_impulse(ct_bullet_body *b, ct_vec3 impulse) {
    if (!bullet_is_dynamic(b))
        return;
    b->rigid.applyTorqueImpulse(bt_vector(impulse));
    b->rigid.activate(true);
}

void ct_bullet_body_wake(ct_bullet_body *b) {
    if (bullet_is_dynamic(b))
        b->rigid.activate(true);
}

void ct_bullet_body_sleep(ct_bullet_body *b) {
    if (!bullet_is_dynamic(b) || (b->flags & CT_BULLET_NO_SLEEP))
        return;
    b->rigid.setLinearVelocity(btVector3(0, 0, 0));
    b->rigid.setAngularVelocity(btVector3(0, 0, 0));
    b->rigid.forceActivationState(ISLAND_SLEEPING);
}

bool ct_bullet_body_is_asleep(const ct_bullet_body *b) {
    return !b->rigid.isActive();
}
