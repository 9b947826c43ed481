// Bit equality with Bullet called directly: three scenes after those of Bullet's own benchmark demo,
// and rays against triangles whose tree was cooked.
#include <btBulletDynamicsCommon.h>

extern "C" {
#include "support/test_support.h"
}

#include "physics/bullet/bullet_cook.h"
#include "physics/bullet/bullet_private.hh"

#include <math.h>
#include <string.h>

static const float STEP = 1.0f / 60;

// A world of Bullet with the settings of ours: the default ones, but for the bounds of
// what sleeps and the contact points that are found at once.
struct direct_world {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher;
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world;
    btAlignedObjectArray<btRigidBody *> bodies;
    direct_world()
        : dispatcher(&configuration), world(&dispatcher, &broadphase, &solver, &configuration) {
        bullet_find_flat_contacts(&configuration, &dispatcher);
        world.setGravity(btVector3(0, 0, -10));
        world.setForceUpdateAllAabbs(false);
    }
    ~direct_world() {
        for (int i = bodies.size() - 1; i >= 0; --i) {
            world.removeRigidBody(bodies[i]);
            delete bodies[i];
        }
    }
    btRigidBody *add(btCollisionShape *shape, btScalar mass, const btTransform &at) {
        btVector3 inertia(0, 0, 0);
        if (mass > 0)
            shape->calculateLocalInertia(mass, inertia);
        return add(shape, mass, at, inertia);
    }
    btRigidBody *add(btCollisionShape *shape, btScalar mass, const btTransform &at,
                     const btVector3 &inertia) {
        btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape, inertia);
        info.m_startWorldTransform = at;
        btRigidBody *const body = new btRigidBody(info);
        world.addRigidBody(body);
        bodies.push_back(body);
        return body;
    }
};

// Ours, filled in the same order.
struct our_world {
    ct_bullet_world *world;
    btAlignedObjectArray<ct_bullet_body *> bodies;
    our_world() {
        ct_bullet_world_desc desc = ct_bullet_world_desc();
        desc.gravity.z = -10;
        desc.solver_iterations = 10;
        world = ct_bullet_world_create(&desc);
    }
    ~our_world() {
        for (int i = bodies.size() - 1; i >= 0; --i)
            ct_bullet_body_destroy(bodies[i]);
        ct_bullet_world_destroy(world);
    }
    void add(ct_bullet_shape *shape, float mass, float x, float y, float z) {
        ct_bullet_body_desc desc = ct_bullet_body_desc();
        desc.id = static_cast<uint32_t>(bodies.size());
        desc.kind = mass > 0 ? CT_BULLET_DYNAMIC : CT_BULLET_STATIC;
        desc.shape = shape;
        desc.pose.position.x = x, desc.pose.position.y = y, desc.pose.position.z = z;
        desc.pose.rotation.w = 1;
        desc.mass = mass;
        desc.friction = 0.5f;
        desc.linear_factor.x = desc.linear_factor.y = desc.linear_factor.z = 1;
        desc.angular_factor = desc.linear_factor;
        desc.sleep_linear = 0.8f;
        desc.sleep_angular = 1;
        desc.collides = UINT32_MAX;
        bodies.push_back(ct_bullet_body_create(world, &desc));
    }
};

static btTransform at(float x, float y, float z) {
    return btTransform(btQuaternion(0, 0, 0, 1), btVector3(x, y, z));
}

static ct_bullet_shape_part part(uint32_t kind, float x, float y, float z) {
    ct_bullet_shape_part out = ct_bullet_shape_part();
    out.kind = kind;
    out.pose.rotation.w = 1;
    out.size.x = x, out.size.y = y, out.size.z = z;
    return out;
}

static ct_bullet_shape *make_shape(uint32_t kind, float x, float y, float z) {
    const ct_bullet_shape_part one = part(kind, x, y, z);
    return ct_bullet_shape_create(&one, 1);
}

// Steps both worlds and compares all transforms bit by bit. Returns how many bodies slept at the end.
static int step_and_compare(direct_world *direct, our_world *ours, int steps) {
    int num_asleep = 0;
    assert_int_equal(direct->bodies.size(), ours->bodies.size());
    for (int s = 0; s < steps; ++s) {
        direct->world.stepSimulation(STEP, 0);
        ct_bullet_world_step(ours->world, STEP);
        num_asleep = 0;
        for (int i = 0; i < ours->bodies.size(); ++i) {
            float mine[12], theirs[12];
            const btTransform &t = direct->bodies[i]->getWorldTransform();
            ct_bullet_body_transform(ours->bodies[i], mine);
            for (int k = 0; k < 9; ++k)
                theirs[k] = t.getBasis()[k / 3][k % 3];
            for (int k = 0; k < 3; ++k)
                theirs[9 + k] = t.getOrigin()[k];
            if (memcmp(mine, theirs, sizeof(mine)) != 0)
                fail_msg("body %d differs in step %d", i, s);
            assert_int_equal(direct->bodies[i]->isActive(),
                             !ct_bullet_body_is_asleep(ours->bodies[i]));
            num_asleep += !direct->bodies[i]->isStaticObject() && !direct->bodies[i]->isActive();
        }
    }
    return num_asleep;
}

// The benchmark's first: layers of boxes that fall, each row a little aside.
static void falling_boxes_have_the_bits_of_bullet(void **) {
    ct_bullet_init(test_heap());
    {
        direct_world direct;
        our_world ours;
        btBoxShape ground(btVector3(250, 250, 50)), box(btVector3(1, 1, 1));
        ct_bullet_shape *const our_ground = make_shape(CT_BULLET_SHAPE_BOX, 250, 250, 50);
        ct_bullet_shape *const our_box = make_shape(CT_BULLET_SHAPE_BOX, 1, 1, 1);
        direct.add(&ground, 0, at(0, 0, -50));
        ours.add(our_ground, 0, 0, 0, -50);
        for (int i = 0; i < 3000; ++i) {
            const float aside = 0.3f * static_cast<float>(i / 64 % 5);
            const float x = 2.4f * static_cast<float>(i % 8) + aside;
            const float y = 2.4f * static_cast<float>(i / 8 % 8) - aside;
            const float z = 1.5f + 2.6f * static_cast<float>(i / 64);
            direct.add(&box, 3, at(x, y, z));
            ours.add(our_box, 3, x, y, z);
        }
        step_and_compare(&direct, &ours, 200);
        // The pile spread out and lies on the ground.
        assert_true(direct.bodies[3000]->getWorldTransform().getOrigin().z() < 100);
        for (int i = ours.bodies.size() - 1; i >= 0; --i)
            ct_bullet_body_destroy(ours.bodies[i]);
        ours.bodies.clear();
        ct_bullet_shape_destroy(our_box);
        ct_bullet_shape_destroy(our_ground);
    }
    ct_bullet_quit();
}

// Two boxes that cross: the frame of the compound is not where the parts are.
static btCompoundShape *direct_compound(btBoxShape *a, btBoxShape *b, btScalar mass,
                                        btVector3 *inertia, btTransform *frame) {
    btCompoundShape *const shape = new btCompoundShape(true, 2);
    const btTransform first = at(0, 0, 0.2f), second = at(0.3f, 0, 0.9f);
    shape->addChildShape(first, a);
    shape->addChildShape(second, b);
    const ct_vec3 p = {{0.8f, 0.3f, 0.3f}}, q = {{0.2f, 0.9f, 0.4f}};
    const btScalar volumes[2] = {8 * p.x * p.y * p.z, 8 * q.x * q.y * q.z};
    shape->calculatePrincipalAxisTransform(volumes, *frame, *inertia);
    *inertia /= volumes[0] + volumes[1];
    *inertia *= mass;
    shape->updateChildTransform(0, frame->inverse() * first, false);
    shape->updateChildTransform(1, frame->inverse() * second, false);
    shape->recalculateLocalAabb();
    return shape;
}

static void a_pile_of_all_shapes_has_the_bits_of_bullet(void **) {
    ct_bullet_init(test_heap());
    {
        direct_world direct;
        our_world ours;
        btBoxShape ground(btVector3(50, 50, 5)), box(btVector3(0.4f, 0.5f, 0.6f));
        btBoxShape part_a(btVector3(0.8f, 0.3f, 0.3f)), part_b(btVector3(0.2f, 0.9f, 0.4f));
        btSphereShape ball(0.5f);
        btCapsuleShapeZ capsule(0.3f, 1);
        btCylinderShapeZ cylinder(btVector3(0.5f, 0.5f, 0.4f));
        btVector3 inertia;
        btTransform frame;
        btCompoundShape *const compound = direct_compound(&part_a, &part_b, 1.7f, &inertia, &frame);
        ct_bullet_shape_part parts[2] = {part(CT_BULLET_SHAPE_BOX, 0.8f, 0.3f, 0.3f),
                                         part(CT_BULLET_SHAPE_BOX, 0.2f, 0.9f, 0.4f)};
        parts[0].pose.position.z = 0.2f;
        parts[1].pose.position.x = 0.3f, parts[1].pose.position.z = 0.9f;
        btCollisionShape *const shapes[5] = {&box, &ball, &capsule, &cylinder, compound};
        ct_bullet_shape *const our_shapes[6] = {
            make_shape(CT_BULLET_SHAPE_BOX, 0.4f, 0.5f, 0.6f),
            make_shape(CT_BULLET_SHAPE_SPHERE, 0.5f, 0, 0),
            make_shape(CT_BULLET_SHAPE_CAPSULE, 0.3f, 0.5f, 0),
            make_shape(CT_BULLET_SHAPE_CYLINDER, 0.5f, 0.4f, 0),
            ct_bullet_shape_create(parts, 2),
            make_shape(CT_BULLET_SHAPE_BOX, 50, 50, 5),
        };
        direct.add(&ground, 0, at(0, 0, -5));
        ours.add(our_shapes[5], 0, 0, 0, -5);
        for (int i = 0; i < 300; ++i) {
            const float x =
                1.6f * static_cast<float>(i % 5) + 0.1f * static_cast<float>(i / 25 % 3);
            const float y = 1.6f * static_cast<float>(i / 5 % 5);
            const float z = 2 + 2.1f * static_cast<float>(i / 25);
            const int kind = i * 7 % 5;
            if (kind == 4)
                direct.add(compound, 1.7f, at(x, y, z) * frame, inertia);
            else
                direct.add(shapes[kind], 1.7f, at(x, y, z));
            ours.add(our_shapes[kind], 1.7f, x, y, z);
        }
        step_and_compare(&direct, &ours, 300);
        for (int i = ours.bodies.size() - 1; i >= 0; --i)
            ct_bullet_body_destroy(ours.bodies[i]);
        ours.bodies.clear();
        for (int i = 0; i < 6; ++i)
            ct_bullet_shape_destroy(our_shapes[i]);
        direct.~direct_world();
        new (&direct) direct_world();
        delete compound;
    }
    ct_bullet_quit();
}

// --- Triangles -----------------------------------------------------------------------------------

enum { CELLS = 64, NUM_POINTS = (CELLS + 1) * (CELLS + 1), NUM_INDICES = 6 * CELLS * CELLS };

struct hills {
    float points[3 * NUM_POINTS];
    uint32_t indices[NUM_INDICES];
};

static void make_hills(hills *h) {
    for (int i = 0; i < NUM_POINTS; ++i) {
        const float x = static_cast<float>(i % (CELLS + 1)),
                    y = static_cast<float>(i / (CELLS + 1));
        h->points[3 * i] = x - 32, h->points[3 * i + 1] = y - 32;
        h->points[3 * i + 2] = 1.5f * sinf(0.4f * x) * cosf(0.3f * y);
    }
    for (uint32_t i = 0; i < CELLS * CELLS; ++i) {
        const uint32_t p = i / CELLS * (CELLS + 1) + i % CELLS;
        const uint32_t two[6] = {p, p + 1, p + CELLS + 2, p, p + CELLS + 2, p + CELLS + 1};
        memcpy(h->indices + 6 * i, two, sizeof(two));
    }
}

struct hills_shapes {
    btTriangleIndexVertexArray mesh;
    btBvhTriangleMeshShape direct;
    ct_bullet_triangles triangles;
    ct_bullet_shape *ours;
    explicit hills_shapes(hills *h)
        : mesh(NUM_INDICES / 3, reinterpret_cast<int *>(h->indices), 12, NUM_POINTS, h->points, 12),
          direct(&mesh, true), triangles() {
        triangles.points = h->points;
        triangles.num_points = NUM_POINTS;
        triangles.indices = h->indices;
        triangles.num_indices = NUM_INDICES;
        ct_bullet_cook_tree(test_heap(), h->points, NUM_POINTS, h->indices, NUM_INDICES,
                            &triangles.tree);
        ct_bullet_shape_part one = part(CT_BULLET_SHAPE_MESH, 1, 1, 1);
        one.triangles = &triangles;
        ours = ct_bullet_shape_create(&one, 1);
        ct_free(test_heap(), const_cast<ct_bullet_tree_node *>(triangles.tree.nodes));
    }
    ~hills_shapes() { ct_bullet_shape_destroy(ours); }
};

static void boxes_on_triangles_have_the_bits_of_bullet(void **) {
    static hills h;
    make_hills(&h);
    int num_asleep = 0;
    ct_bullet_init(test_heap());
    {
        hills_shapes ground(&h);
        btBoxShape box(btVector3(0.5f, 0.4f, 0.3f));
        ct_bullet_shape *const our_box = make_shape(CT_BULLET_SHAPE_BOX, 0.5f, 0.4f, 0.3f);
        {
            direct_world direct;
            our_world ours;
            direct.add(&ground.direct, 0, at(0, 0, 0));
            ours.add(ground.ours, 0, 0, 0, 0);
            for (int i = 0; i < 300; ++i) {
                const float x = 1.7f * static_cast<float>(i % 10 - 5);
                const float y = 1.7f * static_cast<float>(i / 10 % 10 - 5);
                const float z = 3 + 1.5f * static_cast<float>(i / 100);
                direct.add(&box, 5, at(x, y, z));
                ours.add(our_box, 5, x, y, z);
            }
            num_asleep = step_and_compare(&direct, &ours, 300);
        }
        ct_bullet_shape_destroy(our_box);
    }
    ct_bullet_quit();
    assert_true(num_asleep > 0);
}

static float uniform(uint32_t *seed) {
    return static_cast<float>(test_random(seed) >> 8) / (1 << 24);
}

static void a_cooked_tree_has_the_rays_of_bullet(void **) {
    static hills h;
    make_hills(&h);
    ct_bullet_init(test_heap());
    {
        hills_shapes ground(&h);
        direct_world direct;
        our_world ours;
        direct.add(&ground.direct, 0, at(0.3f, 0, 0));
        ours.add(ground.ours, 0, 0.3f, 0, 0);
        const ct_bullet_find find = {CT_BULLET_FIND_SOLID, UINT32_MAX, nullptr, nullptr};
        uint32_t seed = 7, num_hits = 0;
        for (int i = 0; i < 5000; ++i) {
            btVector3 ends[2];
            for (int k = 0; k < 2; ++k)
                ends[k].setValue(80 * (uniform(&seed) - 0.5f), 80 * (uniform(&seed) - 0.5f),
                                 i % 2 ? 4 * (uniform(&seed) - 0.5f) : (k ? -20.0f : 20.0f));
            btCollisionWorld::ClosestRayResultCallback result(ends[0], ends[1]);
            direct.world.rayTest(ends[0], ends[1], result);
            ct_bullet_hit hit;
            const ct_vec3 from = {{ends[0].x(), ends[0].y(), ends[0].z()}};
            const ct_vec3 to = {{ends[1].x(), ends[1].y(), ends[1].z()}};
            const bool is_hit = ct_bullet_ray(ours.world, from, to, &find, &hit);
            assert_int_equal(is_hit, result.hasHit());
            assert_int_equal(is_hit, ct_bullet_ray_any(ours.world, from, to, &find));
            if (!is_hit)
                continue;
            ++num_hits;
            assert_memory_equal(&hit.fraction, &result.m_closestHitFraction, sizeof(float));
            // The triangle is there.
            assert_true(hit.triangle < NUM_INDICES / 3);
            const float *const p = h.points + 3 * h.indices[3 * hit.triangle];
            assert_true(fabsf(p[0] + 0.3f - hit.position.x) < 1.01f &&
                        fabsf(p[1] - hit.position.y) < 1.01f);
        }
        assert_in_range(num_hits, 1500, 4999);
    }
    ct_bullet_quit();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(falling_boxes_have_the_bits_of_bullet),
        cmocka_unit_test(a_pile_of_all_shapes_has_the_bits_of_bullet),
        cmocka_unit_test(boxes_on_triangles_have_the_bits_of_bullet),
        cmocka_unit_test(a_cooked_tree_has_the_rays_of_bullet),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
