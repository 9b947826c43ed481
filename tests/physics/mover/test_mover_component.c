#include "physics/mover/mover_component.h"

#include <math.h>
#include <string.h>

#include "entity/entity_manager.h"
#include "foundation/log.h"
#include "foundation/math/math.h"
#include "physics/mover/mover_component_private.h"
#include "physics/physics_system_private.h"
#include "support/test_support.h"

static const float STEP = 1.0f / 60;

// A world with physics, and a floor at z = 0.
typedef struct scene {
    ct_resource_manager *resources;
    ct_entity_manager *entities;
    ct_transform_manager *transforms;
    ct_scene_graph_manager *graphs;
    ct_physics_system *system;
    ct_physics_world *physics;
    ct_mover_manager *movers;
    ct_actor floor;
} scene;

static ct_actor_data actor_data(uint32_t body) {
    return (ct_actor_data){
        .name = ct_string_id32_of("thing"),
        .body = body,
        .material = ct_string_id32_of("default"),
        .filter = ct_string_id32_of("default"),
        .has_gravity = true,
        .is_collision_enabled = true,
        .is_scene_query_enabled = true,
        .given = CT_ACTOR_GIVEN_MASK,
    };
}

static ct_actor add_box_on(scene *s, ct_entity e, uint32_t body, ct_vec3 at, ct_vec3 half) {
    const ct_actor_data data = actor_data(body);
    const ct_actor_shape_data shape = {
        .type = CT_ACTOR_SHAPE_BOX,
        .rotation = {0, 0, 0, 1},
        .half_size = {half.x, half.y, half.z},
        .radius = 0.5f,
        .height = 2,
    };
    ct_error error = {0};
    const ct_actor a = ct_actor_create(s->physics,
                                       &(ct_actor_desc){
                                           .entity = e,
                                           .pose = {at, ct_quat_identity()},
                                           .data = &data,
                                           .shapes = &shape,
                                           .num_shapes = 1,
                                       },
                                       &error);
    if (!a.id)
        fail_msg("%s", error.message);
    return a;
}

static ct_actor add_box(scene *s, uint32_t body, ct_vec3 at, ct_vec3 half) {
    return add_box_on(s, (ct_entity){0}, body, at, half);
}

static scene open_scene(void) {
    scene s = {.resources = ct_resource_manager_create(
                   &(ct_resource_manager_desc){test_heap(), test_scratch_folder()})};
    s.entities = ct_entity_manager_create(test_heap());
    s.transforms = ct_transform_manager_create(test_heap());
    s.graphs = ct_scene_graph_manager_create(test_heap(), s.transforms);
    s.system = ct_physics_system_create(test_heap(), s.resources);
    s.physics = ct_physics_world_create(test_heap(), s.system, s.transforms, s.graphs);
    s.movers = ct_mover_manager_create(test_heap(), s.system, s.physics, s.transforms);
    s.floor = add_box(&s, CT_ACTOR_STATIC, ct_vec3_make(0, 0, -0.5f), ct_vec3_make(20, 20, 0.5f));
    return s;
}

static void close_scene(scene *s) {
    ct_mover_manager_destroy(s->movers);
    ct_physics_world_destroy(s->physics);
    ct_physics_system_destroy(s->system);
    ct_scene_graph_manager_destroy(s->graphs);
    ct_transform_manager_destroy(s->transforms);
    ct_entity_manager_destroy(s->entities);
    ct_resource_manager_destroy(s->resources);
}

static ct_mover_data mover_data(const char *name, float height, bool is_active) {
    return (ct_mover_data){
        .name = ct_string_id32_of(name),
        .filter = ct_string_id32_of("default"),
        .radius = 0.4f,
        .height = height,
        .max_slope_angle = 0.785f,
        .step_height = 0.3f,
        .skin = 0.02f,
        .mass = 80,
        .push_force = 600,
        .is_active = is_active,
    };
}

static ct_entity add_entity(scene *s, ct_vec3 position) {
    ct_entity e;
    ct_entity_create(s->entities, &e, 1);
    ct_transform_create(s->transforms, e, position, ct_quat_identity(), ct_vec3_make(1, 1, 1));
    return e;
}

static ct_entity add_walker(scene *s, float x, float y) {
    const ct_entity e = add_entity(s, ct_vec3_make(x, y, 0.02f));
    const ct_mover_data stand = mover_data("stand", 1.8f, true);
    const ct_mover_data crouch = mover_data("crouch", 1, true);
    ct_mover_create(s->movers, e, 1, &stand);
    ct_mover_create(s->movers, e, 2, &crouch);
    return e;
}

static ct_vec3 position_of(const scene *s, ct_entity e) {
    const ct_transform t = ct_transform_lookup(s->transforms, e);
    return ct_mat4_position(*ct_transform_world(s->transforms, t));
}

static void walk(scene *s, ct_entity e, float x, float y, uint32_t frames) {
    for (uint32_t i = 0; i < frames; ++i) {
        ct_mover_component_move(s->movers, ct_mover_active(s->movers, e),
                                ct_vec3_make(x * STEP, y * STEP, -0.01f), STEP);
        ct_physics_world_update(s->physics, STEP);
    }
}

static void expect_at(const scene *s, ct_entity e, float x, float y, float z, float tolerance) {
    const ct_vec3 p = position_of(s, e);
    if (!(fabsf(p.x - x) <= tolerance && fabsf(p.y - y) <= tolerance &&
          fabsf(p.z - z) <= tolerance))
        fail_msg("the entity is at %g %g %g; expected %g %g %g", (double)p.x, (double)p.y,
                 (double)p.z, (double)x, (double)y, (double)z);
}

// --- Moving --------------------------------------------------------------------------------------

static void moves_its_entity(void **state) {
    (void)state;
    scene s = open_scene();
    const ct_entity e = add_walker(&s, 0, 0);
    const ct_mover_instance m = ct_mover_active(s.movers, e);
    walk(&s, e, 0, 2, 60);
    expect_at(&s, e, 0, 2, 0.02f, 0.002f);
    assert_true(ct_mover_contacts_of(s.movers, m)->down);
    assert_int_equal(ct_mover_ground(s.movers, m).id, s.floor.id);
    assert_int_equal(ct_mover_standing_frames(s.movers, m), 60);
    assert_int_equal(ct_mover_flying_frames(s.movers, m), 0);
    close_scene(&s);
}

static void starts_from_where_its_entity_was_put(void **state) {
    (void)state;
    scene s = open_scene();
    const ct_entity e = add_walker(&s, 0, 0);
    walk(&s, e, 0, 0, 5);
    ct_transform_set_local_position(s.transforms, ct_transform_lookup(s.transforms, e),
                                    ct_vec3_make(5, 5, 0.02f));
    walk(&s, e, 1, 0, 60);
    expect_at(&s, e, 6, 5, 0.02f, 0.002f);
    ct_mover_set_position(s.movers, ct_mover_active(s.movers, e), ct_vec3_make(-3, 0, 2));
    expect_at(&s, e, -3, 0, 2, 0);
    assert_false(ct_mover_contacts_of(s.movers, ct_mover_active(s.movers, e))->down);
    walk(&s, e, 1, 0, 1);
    expect_at(&s, e, -3 + STEP, 0, 1.99f, 0.001f);
    assert_int_equal(ct_mover_flying_frames(s.movers, ct_mover_active(s.movers, e)), 1);
    close_scene(&s);
}

static void moves_the_entity_of_a_parent_in_world_space(void **state) {
    (void)state;
    scene s = open_scene();
    const ct_entity parent = add_entity(&s, ct_vec3_make(3, 4, 0)), e = add_walker(&s, 0, 0);
    const ct_transform t = ct_transform_lookup(s.transforms, parent);
    ct_transform_set_local_rotation(s.transforms, t,
                                    ct_quat_axis_angle(ct_vec3_make(0, 0, 1), 1.5707963f));
    ct_transform_link(s.transforms, ct_transform_lookup(s.transforms, e), t);
    expect_at(&s, e, 3, 4, 0.02f, 0.001f);
    walk(&s, e, 2, 0, 60);
    expect_at(&s, e, 5, 4, 0.02f, 0.003f);
    close_scene(&s);
}

static void turns_with_a_platform(void **state) {
    (void)state;
    scene s = open_scene();
    const ct_entity platform = add_entity(&s, ct_vec3_make(0, 0, 0.1f));
    const ct_actor actor = add_box_on(&s, platform, CT_ACTOR_KEYFRAMED, ct_vec3_make(0, 0, 0),
                                      ct_vec3_make(3, 3, 0.1f));
    const ct_entity e = add_entity(&s, ct_vec3_make(2, 0, 0.22f));
    const ct_mover_data data = mover_data("stand", 1.8f, true);
    ct_mover_create(s.movers, e, 1, &data);
    walk(&s, e, 0, 0, 2);
    assert_int_equal(ct_mover_ground(s.movers, ct_mover_active(s.movers, e)).id, actor.id);
    for (uint32_t i = 1; i <= 90; ++i) {
        ct_transform_set_local_rotation(
            s.transforms, ct_transform_lookup(s.transforms, platform),
            ct_quat_axis_angle(ct_vec3_make(0, 0, 1), (float)i * 0.017453293f));
        ct_physics_world_update(s.physics, STEP);
        ct_mover_component_move(s.movers, ct_mover_active(s.movers, e), ct_vec3_make(0, 0, -0.01f),
                                STEP);
    }
    expect_at(&s, e, 0, 2, 0.22f, 0.02f);
    const ct_transform t = ct_transform_lookup(s.transforms, e);
    const ct_vec3 x =
        ct_mat4_transform_direction(*ct_transform_world(s.transforms, t), ct_vec3_make(1, 0, 0));
    assert_true(ct_vec3_length(ct_vec3_sub(x, ct_vec3_make(0, 1, 0))) < 0.02f);
    close_scene(&s);
}

// Far away, the parent's space rounds positions by more than a mover moves.
static void a_linked_mover_far_away_is_carried(void **state) {
    (void)state;
    scene s = open_scene();
    const ct_entity parent = add_entity(&s, ct_vec3_make(3, 4, 0));
    const ct_transform t = ct_transform_lookup(s.transforms, parent);
    ct_transform_set_local_rotation(s.transforms, t,
                                    ct_quat_axis_angle(ct_vec3_make(0, 0, 1), 0.7f));
    const ct_entity platform = add_entity(&s, ct_vec3_make(6000, 0, 0));
    add_box_on(&s, platform, CT_ACTOR_KEYFRAMED, ct_vec3_make(0, 0, 0), ct_vec3_make(3, 3, 0.1f));
    const ct_entity e = add_entity(&s, ct_vec3_make(0, 0, 0));
    const ct_transform own = ct_transform_lookup(s.transforms, e);
    ct_transform_link(s.transforms, own, t);
    const ct_mat4 start =
        ct_mat4_compose(ct_vec3_make(6000, 0, 0.12f), ct_quat_identity(), ct_vec3_make(1, 1, 1));
    ct_transform_set_world_pose(s.transforms, own, &start);
    const ct_mover_data data = mover_data("stand", 1.8f, true);
    ct_mover_create(s.movers, e, 1, &data);
    walk(&s, e, 0, 0, 2);
    for (uint32_t i = 1; i <= 100; ++i) {
        ct_transform_set_local_position(s.transforms, ct_transform_lookup(s.transforms, platform),
                                        ct_vec3_make(6000 + 0.02f * (float)i, 0, 0));
        ct_physics_world_update(s.physics, STEP);
        ct_mover_component_move(s.movers, ct_mover_active(s.movers, e), ct_vec3_make(0, 0, -0.01f),
                                STEP);
    }
    expect_at(&s, e, 6002, 0, 0.12f, 0.05f);
    close_scene(&s);
}

// Moves a keyframed platform from `from` by 2 m along x, with a walker whose entity has a parent that
// is turned. Expects that the walker came along.
static void carry_with_parent(float from) {
    scene s = open_scene();
    const ct_entity platform = add_entity(&s, ct_vec3_make(from, 0, 0.1f));
    const ct_actor actor = add_box_on(&s, platform, CT_ACTOR_KEYFRAMED, ct_vec3_make(0, 0, 0),
                                      ct_vec3_make(3, 3, 0.1f));
    const ct_entity parent = add_entity(&s, ct_vec3_make(0.3f, 0.7f, 0));
    const ct_transform up = ct_transform_lookup(s.transforms, parent);
    ct_transform_set_local_rotation(
        s.transforms, up, ct_quat_axis_angle(ct_vec3_normalize(ct_vec3_make(0.1f, 0.2f, 1)), 0.7f));
    const ct_entity e = add_entity(&s, ct_vec3_make(from, 0, 0.22f));
    ct_transform_link(s.transforms, ct_transform_lookup(s.transforms, e), up);
    const ct_mover_data data = mover_data("stand", 1.8f, true);
    const ct_mover_instance m = ct_mover_create(s.movers, e, 1, &data);
    ct_mover_set_position(s.movers, m, ct_vec3_make(from, 0, 0.22f));
    walk(&s, e, 0, 0, 2);
    assert_int_equal(ct_mover_ground(s.movers, m).id, actor.id);
    for (uint32_t i = 1; i <= 120; ++i) {
        ct_transform_set_local_position(s.transforms, ct_transform_lookup(s.transforms, platform),
                                        ct_vec3_make(from + (float)i / 60, 0, 0.1f));
        walk(&s, e, 0, 0, 1);
    }
    walk(&s, e, 0, 0, 1);
    expect_at(&s, e, from + 2, 0, 0.22f, 0.01f);
    close_scene(&s);
}

static void is_carried_far_from_the_origin_with_a_parent(void **state) {
    (void)state;
    carry_with_parent(0);
    carry_with_parent(200);
    carry_with_parent(1500);
    carry_with_parent(8000);
}

// Returns a walker that stands on `ground`, whose top is at z = 0.2, above the floor.
static ct_entity add_rider(scene *s, ct_actor ground) {
    const ct_entity e = add_entity(s, ct_vec3_make(0, 0, 0.22f));
    const ct_mover_data data = mover_data("stand", 1.8f, true);
    ct_mover_create(s->movers, e, 1, &data);
    walk(s, e, 0, 0, 3);
    assert_int_equal(ct_mover_ground(s->movers, ct_mover_active(s->movers, e)).id, ground.id);
    return e;
}

static void is_not_taken_along_by_a_teleport(void **state) {
    (void)state;
    for (uint32_t body = CT_ACTOR_STATIC; body <= CT_ACTOR_KEYFRAMED; ++body) {
        scene s = open_scene();
        if (body == CT_ACTOR_DYNAMIC)
            ct_physics_world_set_gravity(s.physics, ct_vec3_make(0, 0, -1e-5f));
        const ct_actor a = add_box(&s, body, ct_vec3_make(0, 0, 0.1f), ct_vec3_make(1, 1, 0.1f));
        const ct_entity e = add_rider(&s, a);
        ct_actor_teleport(s.physics, a,
                          (ct_rigid_pose){ct_vec3_make(10, 0, 0.1f), ct_quat_identity()});
        walk(&s, e, 0, 0, 30);
        expect_at(&s, e, 0, 0, 0.02f, 0.01f);
        assert_int_equal(ct_mover_ground(s.movers, ct_mover_active(s.movers, e)).id, s.floor.id);
        close_scene(&s);
    }
}

static void is_not_taken_along_by_a_node_that_teleports(void **state) {
    (void)state;
    scene s = open_scene();
    const ct_entity block = add_entity(&s, ct_vec3_make(0, 0, 0.1f));
    const ct_actor a =
        add_box_on(&s, block, CT_ACTOR_STATIC, ct_vec3_make(0, 0, 0), ct_vec3_make(1, 1, 0.1f));
    const ct_entity e = add_rider(&s, a);
    ct_transform_set_local_position(s.transforms, ct_transform_lookup(s.transforms, block),
                                    ct_vec3_make(10, 0, 0.1f));
    walk(&s, e, 0, 0, 30);
    expect_at(&s, e, 0, 0, 0.02f, 0.01f);
    close_scene(&s);
}

// Carries another on its head, and is then put elsewhere.
static void is_not_taken_along_by_a_mover_that_is_put_elsewhere(void **state) {
    (void)state;
    scene s = open_scene();
    const ct_entity lower = add_walker(&s, 0, 0), upper = add_entity(&s, ct_vec3_make(0, 0, 1.84f));
    const ct_mover_data data = mover_data("stand", 1.8f, true);
    const ct_mover_instance m = ct_mover_create(s.movers, upper, 1, &data);
    walk(&s, upper, 0, 0, 3);
    const ct_mover_instance l = ct_mover_active(s.movers, lower);
    assert_int_equal(ct_mover_ground(s.movers, m).id, ct_mover_actor(s.movers, l).id);
    ct_mover_set_position(s.movers, l, ct_vec3_make(10, 0, 0.02f));
    walk(&s, upper, 0, 0, 1);
    assert_true(fabsf(position_of(&s, upper).x) < 0.01f);
    close_scene(&s);
}

static void is_not_held_to_the_ground_that_it_is_lifted_from(void **state) {
    (void)state;
    scene s = open_scene();
    const ct_entity e = add_walker(&s, 0, 0);
    const ct_transform t = ct_transform_lookup(s.transforms, e);
    const ct_mover_instance m = ct_mover_active(s.movers, e);
    walk(&s, e, 0, 0, 5);
    ct_transform_set_local_position(s.transforms, t, ct_vec3_make(0, 0, 0.3f));
    walk(&s, e, 0, 0, 1);
    expect_at(&s, e, 0, 0, 0.29f, 0.001f);
    assert_false(ct_mover_contacts_of(s.movers, m)->down);
    assert_int_equal(ct_mover_flying_frames(s.movers, m), 1);
    walk(&s, e, 0, 0, 60);
    expect_at(&s, e, 0, 0, 0.02f, 0.001f);
    // Nudged, it goes on standing.
    const uint32_t frames = ct_mover_standing_frames(s.movers, m);
    ct_transform_set_local_position(s.transforms, t, ct_vec3_make(0.1f, 0, 0.03f));
    walk(&s, e, 0, 0, 1);
    expect_at(&s, e, 0.1f, 0, 0.02f, 0.001f);
    assert_int_equal(ct_mover_standing_frames(s.movers, m), frames + 1);
    close_scene(&s);
}

static void never_stands_on_a_wall(void **state) {
    (void)state;
    scene s = open_scene();
    add_box(&s, CT_ACTOR_STATIC, ct_vec3_make(0, 2, 5), ct_vec3_make(2, 0.5f, 5));
    const ct_entity e = add_entity(&s, ct_vec3_make(0, 0.9f, 5));
    ct_mover_data data = mover_data("stand", 1.8f, true);
    data.max_slope_angle = 1;
    const ct_mover_instance m = ct_mover_create(s.movers, e, 1, &data);
    const float angles[] = {1.5707f, 1.57079633f, CT_MOVER_MOST_SLOPE};
    for (uint32_t i = 0; i < CT_COUNT_OF(angles); ++i) {
        ct_mover_set_max_slope_angle(s.movers, m, angles[i]);
        ct_mover_set_position(s.movers, m, ct_vec3_make(0, 0.9f, 5));
        for (uint32_t k = 0; k < 30; ++k) {
            walk(&s, e, 0, 2, 1);
            assert_false(ct_mover_contacts_of(s.movers, m)->down);
        }
        assert_true(ct_mover_contacts_of(s.movers, m)->sides);
        assert_true(position_of(&s, e).z < 4.8f);
    }
    close_scene(&s);
}

static void keeps_up_while_there_is_no_gravity(void **state) {
    (void)state;
    scene s = open_scene();
    const ct_entity e = add_walker(&s, 0, 0);
    ct_physics_world_set_gravity(s.physics, ct_vec3_make(0, -9.81f, 0));
    walk(&s, e, 0, 0, 1);
    ct_physics_world_set_gravity(s.physics, ct_vec3_make(0, 0, 0));
    walk(&s, e, 0, 0, 1);
    const ct_vec3 normal =
        ct_mover_contacts_of(s.movers, ct_mover_active(s.movers, e))->ground_normal;
    assert_true(normal.y == 1 && normal.z == 0);
    close_scene(&s);
}

static void what_others_collide_with_follows_gravity(void **state) {
    (void)state;
    scene s = open_scene();
    const ct_entity e = add_walker(&s, 0, 0);
    ct_physics_world_set_gravity(s.physics, ct_vec3_make(0, -9.81f, 0));
    walk(&s, e, 0, 0, 1);
    const ct_aabb box = ct_bullet_body_bounds(
        ct_actor_bullet(s.physics, ct_mover_actor(s.movers, ct_mover_active(s.movers, e))));
    assert_true(box.max.y - box.min.y > 1.7f && box.max.z - box.min.z < 1);
    close_scene(&s);
}

static void takes_up_from_gravity(void **state) {
    (void)state;
    scene s = open_scene();
    add_box(&s, CT_ACTOR_STATIC, ct_vec3_make(0, -5.5f, 10), ct_vec3_make(20, 0.5f, 8));
    const ct_entity e = add_entity(&s, ct_vec3_make(0, -4.98f, 10));
    const ct_mover_data data = mover_data("stand", 1.8f, true);
    ct_physics_world_set_gravity(s.physics, ct_vec3_make(0, -9.81f, 0));
    const ct_mover_instance m = ct_mover_create(s.movers, e, 1, &data);
    for (uint32_t i = 0; i < 60; ++i)
        ct_mover_component_move(s.movers, m, ct_vec3_make(2 * STEP, -0.01f, 0), STEP);
    expect_at(&s, e, 2, -4.98f, 10, 0.003f);
    // Its capsule is 1.8 m along y.
    const ct_aabb bounds =
        ct_bullet_body_bounds(ct_actor_bullet(s.physics, ct_mover_actor(s.movers, m)));
    assert_true(fabsf(bounds.max.y - (-4.98f + 1.8f)) < 0.1f && bounds.max.z < 10.6f);
    close_scene(&s);
}

static void moves_many(void **state) {
    (void)state;
    scene s = open_scene();
    ct_entity e[8];
    ct_mover_instance movers[10] = {{0}};
    ct_vec3 offsets[10] = {{{0, 0, 0}}};
    for (uint32_t i = 0; i < 8; ++i)
        e[i] = add_walker(&s, 2 * (float)i - 7, 0);
    for (uint32_t i = 0; i < 8; ++i) {
        movers[i] = ct_mover_active(s.movers, e[i]);
        offsets[i] = ct_vec3_make(0, 0.05f * (float)i, -0.01f);
    }
    movers[8] = ct_mover_named(s.movers, e[0], ct_string_id32_of("crouch")); // not in use
    offsets[8] = ct_vec3_make(0, 5, 0);
    ct_mover_component_move_many(s.movers, movers, offsets, 10, STEP);
    for (uint32_t i = 0; i < 8; ++i)
        expect_at(&s, e[i], 2 * (float)i - 7, 0.05f * (float)i, 0.02f, 1e-4f);
    close_scene(&s);
}

static void keeps_what_it_touches_until_it_is_taken(void **state) {
    (void)state;
    scene s = open_scene();
    uint32_t count;
    const ct_entity e = add_walker(&s, 0, 0);
    const ct_actor wall =
        add_box(&s, CT_ACTOR_STATIC, ct_vec3_make(0, 1.5f, 1), ct_vec3_make(2, 0.5f, 1));
    walk(&s, e, 0, 2, 60);
    ct_mover_take_touches(s.movers, &count);
    assert_int_equal(count, 0); // it is not asked for
    ct_mover_keep_touches(s.movers, true);
    walk(&s, e, 0, 2, 2);
    const ct_mover_touch *const touches = ct_mover_take_touches(s.movers, &count);
    assert_int_equal(count, 4); // wall and floor, in each of two moves
    uint32_t num_walls = 0, num_floors = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const ct_mover_touch *const t = &touches[i];
        num_walls +=
            t->actor.id == wall.id && t->normal.y < -0.999f && fabsf(t->position.y - 1) < 0.05f;
        num_floors += t->actor.id == s.floor.id && t->normal.z > 0.999f;
        assert_int_equal(t->entity.id, e.id);
        assert_int_equal(t->number, ct_mover_number(s.movers, ct_mover_active(s.movers, e)));
        assert_true(fabsf(t->offset.y - 2 * STEP) < 1e-6f);
    }
    assert_int_equal(num_walls, 2);
    assert_int_equal(num_floors, 2);
    ct_mover_take_touches(s.movers, &count);
    assert_int_equal(count, 0);
    walk(&s, e, 0, 2, 1);
    ct_mover_keep_touches(s.movers, false);
    ct_mover_take_touches(s.movers, &count);
    assert_int_equal(count, 0);
    close_scene(&s);
}

// --- Others --------------------------------------------------------------------------------------

static void is_met_by_rays_and_other_movers(void **state) {
    (void)state;
    scene s = open_scene();
    const ct_entity a = add_walker(&s, 0, 0), b = add_walker(&s, 0, 3);
    const ct_mover_instance ma = ct_mover_active(s.movers, a);
    walk(&s, a, 0, 2, 120);
    expect_at(&s, a, 0, 3 - 0.82f, 0.02f, 0.01f);
    assert_true(ct_mover_contacts_of(s.movers, ma)->sides);
    const ct_bullet_find find = {.kinds = CT_BULLET_FIND_SOLID, .filters = UINT32_MAX};
    ct_bullet_hit hit;
    assert_true(ct_bullet_ray(ct_physics_world_bullet(s.physics), ct_vec3_make(0, -5, 1),
                              ct_vec3_make(0, 10, 1), &find, &hit));
    assert_int_equal(hit.id, ct_mover_actor(s.movers, ma).id);
    assert_int_equal(ct_actor_entity(s.physics, (ct_actor){hit.id}).id, a.id);
    assert_true(fabsf(hit.position.y - (3 - 0.82f - 0.4f)) < 0.02f);
    // At once, without a step.
    ct_mover_set_position(s.movers, ct_mover_active(s.movers, b), ct_vec3_make(0, -3, 0.02f));
    assert_true(ct_bullet_ray(ct_physics_world_bullet(s.physics), ct_vec3_make(0, -5, 1),
                              ct_vec3_make(0, 10, 1), &find, &hit));
    assert_int_equal(ct_actor_entity(s.physics, (ct_actor){hit.id}).id, b.id);
    close_scene(&s);
}

static void passes_through_actors_of_its_own(void **state) {
    (void)state;
    scene s = open_scene();
    const ct_entity e = add_walker(&s, 0, 0);
    add_box_on(&s, e, CT_ACTOR_KEYFRAMED, ct_vec3_make(0, 0, 0), ct_vec3_make(0.5f, 0.5f, 0.5f));
    walk(&s, e, 0, 2, 60);
    expect_at(&s, e, 0, 2, 0.02f, 0.002f);
    close_scene(&s);
}

static void passes_through_what_does_not_collide(void **state) {
    (void)state;
    scene s = open_scene();
    const ct_actor wall =
        add_box(&s, CT_ACTOR_STATIC, ct_vec3_make(0, 2, 1), ct_vec3_make(2, 0.5f, 1));
    const ct_entity e = add_walker(&s, 0, 0);
    walk(&s, e, 0, 2, 60);
    expect_at(&s, e, 0, 1.08f, 0.02f, 0.005f);
    ct_actor_set_collision_enabled(s.physics, wall, false);
    walk(&s, e, 0, 2, 60);
    expect_at(&s, e, 0, 3.08f, 0.02f, 0.005f);
    close_scene(&s);
}

static void pushes_dynamic_actors(void **state) {
    (void)state;
    scene s = open_scene();
    const ct_actor_shape_data shape = {
        .type = CT_ACTOR_SHAPE_BOX, .rotation = {0, 0, 0, 1}, .half_size = {0.4f, 0.4f, 0.4f}};
    ct_actor_data data = actor_data(CT_ACTOR_DYNAMIC);
    data.mass = 20;
    const ct_actor crate =
        ct_actor_create(s.physics,
                        &(ct_actor_desc){.pose = {ct_vec3_make(0, 2, 0.4f), ct_quat_identity()},
                                         .data = &data,
                                         .shapes = &shape,
                                         .num_shapes = 1},
                        NULL);
    const ct_entity e = add_walker(&s, 0, 0);
    walk(&s, e, 0, 2, 120);
    const float y = ct_actor_pose(s.physics, crate).position.y;
    assert_true(y > 4);
    assert_true(fabsf(position_of(&s, e).y - (y - 0.82f)) < 0.15f);
    close_scene(&s);
}

static void uses_its_filter(void **state) {
    (void)state;
    scene s = open_scene();
    const ct_entity e = add_walker(&s, 0, 0);
    const ct_mover_instance m = ct_mover_active(s.movers, e);
    assert_false(ct_mover_set_filter(s.movers, m, ct_string_id32_of("ghost")));
    assert_true(ct_mover_set_filter(s.movers, m, ct_string_id32_of("default")));
    walk(&s, e, 0, 0, 10);
    expect_at(&s, e, 0, 0, 0.02f, 0.002f);
    // A resource in which nothing collides.
    ct_physics_filter *const filter =
        (ct_physics_filter *)ct_blob_at(s.system->defaults, s.system->defaults->filters.offset);
    filter->collides = 0;
    walk(&s, e, 0, 0, 10);
    expect_at(&s, e, 0, 0, 0.02f - 0.1f, 0.002f);
    close_scene(&s);
}

// --- Several -------------------------------------------------------------------------------------

static void crouches_and_stands_up_only_where_there_is_room(void **state) {
    (void)state;
    scene s = open_scene();
    add_box(&s, CT_ACTOR_STATIC, ct_vec3_make(0, 5, 1.7f), ct_vec3_make(3, 2, 0.5f));
    const ct_entity e = add_walker(&s, 0, 0);
    const ct_mover_instance stand = ct_mover_named(s.movers, e, ct_string_id32_of("stand"));
    const ct_mover_instance crouch = ct_mover_named(s.movers, e, ct_string_id32_of("crouch"));
    assert_int_equal(ct_mover_count_of(s.movers, e), 2);
    assert_int_equal(ct_mover_first(s.movers, e).index, stand.index);
    assert_int_equal(ct_mover_next(s.movers, stand).index, crouch.index);
    assert_true(ct_mover_is_active(s.movers, stand) && !ct_mover_is_active(s.movers, crouch));
    walk(&s, e, 0, 2, 30);
    assert_true(ct_mover_set_active(s.movers, e, crouch));
    assert_int_equal(ct_mover_standing_frames(s.movers, crouch), 30);
    assert_int_equal(ct_actor_count(s.physics), 3);
    walk(&s, e, 0, 2, 120);
    expect_at(&s, e, 0, 5, 0.02f, 0.005f);
    assert_false(ct_mover_set_active(s.movers, e, stand));
    assert_int_equal(ct_mover_active(s.movers, e).index, crouch.index);
    ct_vec3 found;
    assert_false(ct_mover_component_fits_at(s.movers, stand, position_of(&s, e), 0.3f, &found));
    walk(&s, e, 0, 2, 90);
    assert_true(ct_mover_set_active(s.movers, e, stand));
    assert_true(ct_mover_set_active(s.movers, e, (ct_mover_instance){0}));
    assert_int_equal(ct_mover_active(s.movers, e).index, 0);
    assert_int_equal(ct_actor_count(s.physics), 2);
    // Not in use, it does nothing.
    const ct_vec3 before = position_of(&s, e);
    ct_mover_component_move(s.movers, stand, ct_vec3_make(1, 0, 0), STEP);
    ct_mover_set_position(s.movers, stand, ct_vec3_make(1, 0, 0));
    const ct_vec3 after = position_of(&s, e);
    assert_memory_equal(&before, &after, sizeof(after));
    close_scene(&s);
}

static void separates(void **state) {
    (void)state;
    scene s = open_scene();
    const ct_entity e = add_walker(&s, 0, 0);
    const ct_mover_instance m = ct_mover_active(s.movers, e);
    const ct_actor block =
        add_box(&s, CT_ACTOR_STATIC, ct_vec3_make(0, 0.7f, 1), ct_vec3_make(0.5f, 0.5f, 1));
    ct_actor actor;
    ct_vec3 moved;
    assert_true(ct_mover_component_separate(s.movers, m, 0.1f, &actor, &moved));
    assert_int_equal(actor.id, block.id);
    assert_true(ct_mover_component_separate(s.movers, m, 1, &actor, &moved));
    assert_int_equal(actor.id, 0);
    expect_at(&s, e, 0, -0.2f, 0.02f, 0.005f);
    assert_false(ct_mover_component_separate(s.movers, m, 1, &actor, &moved));
    close_scene(&s);
}

static void slides_on_ground_that_became_too_steep(void **state) {
    (void)state;
    scene s = open_scene();
    const ct_entity ramp = add_entity(&s, ct_vec3_make(0, 0, 0));
    ct_transform_set_local_rotation(s.transforms, ct_transform_lookup(s.transforms, ramp),
                                    ct_quat_axis_angle(ct_vec3_make(1, 0, 0), 0.52359878f));
    add_box_on(&s, ramp, CT_ACTOR_STATIC, ct_vec3_make(0, 0, 0), ct_vec3_make(3, 8, 0.1f));
    const ct_entity e = add_entity(&s, ct_vec3_make(0, 3, 2));
    const ct_mover_data data = mover_data("stand", 1.8f, true);
    const ct_mover_instance m = ct_mover_create(s.movers, e, 1, &data);
    walk(&s, e, 0, 0, 60);
    const float y = position_of(&s, e).y;
    assert_true(fabsf(y - 3) < 0.01f);
    ct_mover_set_max_slope_angle(s.movers, m, 0.3f);
    walk(&s, e, 0, 0, 60);
    assert_true(position_of(&s, e).y < y - 0.1f);
    assert_true(ct_mover_data_of(s.movers, m)->max_slope_angle == 0.3f);
    close_scene(&s);
}

// --- Life cycle ----------------------------------------------------------------------------------

static void takes_sizes_into_their_range(void **state) {
    (void)state;
    scene s = open_scene();
    const struct {
        float radius, height, skin, step;
    } bad[] = {{0, 0, 0, 0}, {-1, 5, 1, -1}, {NAN, NAN, NAN, NAN}, {1e30f, 1e30f, 1e30f, 1e30f}};
    for (uint32_t i = 0; i < CT_COUNT_OF(bad); ++i) {
        const ct_entity e = add_entity(&s, ct_vec3_make(5 * (float)i, 0, 2));
        ct_mover_data data = mover_data("bad", bad[i].height, true);
        data.radius = bad[i].radius;
        data.skin = bad[i].skin;
        data.step_height = bad[i].step;
        const ct_mover_instance m = ct_mover_create(s.movers, e, 1, &data);
        ct_mover_component_move(s.movers, m, ct_vec3_make(0.1f, 0, -0.1f), STEP);
        assert_true(ct_vec3_is_finite(position_of(&s, e)));
        ct_mover_destroy(s.movers, m);
    }
    assert_int_equal(ct_actor_count(s.physics), 1);
    close_scene(&s);
}

static void describe(void *user, ct_entity e, char *text, uint32_t size_bytes) {
    (void)user, (void)e;
    snprintf(text, size_bytes, "unit \"units/hero\"");
}

static void keep_warning(void *user, ct_log_level level, const char *system, const char *message) {
    char *const text = user;
    (void)level, (void)system;
    snprintf(text + strlen(text), 1024 - strlen(text), "%s\n", message);
}

static void names_the_sizes_that_are_out_of_range(void **state) {
    (void)state;
    scene s = open_scene();
    ct_physics_world_set_entities(s.physics, &(ct_physics_entities){.describe = describe});
    char text[1024] = "";
    ct_log_add_sink(
        &(ct_log_sink){.write = keep_warning, .user = text, .least = CT_LOG_LEVEL_WARNING});
    ct_mover_data data = mover_data("legs", 2, true);
    data.name = ct_string_id32_register("legs");
    data.radius = 0.5f;
    data.skin = 0.25f; // just in range
    ct_mover_create(s.movers, add_entity(&s, ct_vec3_make(0, 0, 1)), 1, &data);
    assert_string_equal(text, "");
    data.skin = 0.4f;
    data.step_height = -1;
    ct_mover_create(s.movers, add_entity(&s, ct_vec3_make(3, 0, 1)), 1, &data);
    ct_log_remove_sink(keep_warning, text);
    assert_string_equal(text,
                        "the mover \"legs\" of unit \"units/hero\": skin: found 0.4, expected "
                        "0.001 to 0.25; it is 0.25 [mover_size]\n"
                        "the mover \"legs\" of unit \"units/hero\": step_height: found -1, "
                        "expected 0 to 1000; it is 0 [mover_size]\n");
    close_scene(&s);
}

static void spawns_and_ends_with_entities(void **state) {
    (void)state;
    scene s = open_scene();
    const ct_component_manager row = ct_mover_component_manager(s.movers);
    assert_string_equal(row.type_name, "mover");
    const ct_mover_data data[2] = {mover_data("stand", 1.8f, true), mover_data("crouch", 1, false)};
    ct_entity owners[4];
    uint32_t ids[4];
    for (uint32_t i = 0; i < 4; ++i) {
        owners[i] = i % 2 ? owners[i - 1] : add_entity(&s, ct_vec3_make(2 * (float)i, 0, 0.02f));
        ids[i] = 10 + i;
    }
    row.spawn(row.manager,
              &(ct_component_spawn){
                  .owners = owners, .ids = ids, .data = data, .num_instances = 2, .num_copies = 2});
    assert_int_equal(ct_mover_count(s.movers), 4);
    assert_int_equal(ct_actor_count(s.physics), 3);
    const ct_mover_instance second = ct_mover_next(s.movers, ct_mover_first(s.movers, owners[2]));
    const uint32_t number = ct_mover_number(s.movers, second);
    assert_int_equal(ct_mover_with_number(s.movers, owners[2], number, 8).index, second.index);
    row.entities_destroyed(row.manager, owners, 1);
    assert_int_equal(ct_mover_count(s.movers), 2);
    assert_int_equal(ct_mover_count_of(s.movers, owners[0]), 0);
    assert_int_equal(ct_actor_count(s.physics), 2);
    close_scene(&s);
}

static void counts_in_the_hash(void **state) {
    (void)state;
    uint64_t hashes[3];
    for (uint32_t run = 0; run < 3; ++run) {
        scene s = open_scene();
        const ct_entity e = add_walker(&s, 0, 0);
        walk(&s, e, 0.3f, 2, run == 2 ? 31 : 30);
        ct_state_hash hash = {0};
        const ct_component_manager row = ct_mover_component_manager(s.movers);
        row.hash(row.manager, &hash);
        hashes[run] = hash.value;
        close_scene(&s);
    }
    assert_true(hashes[0] != 0);
    assert_true(hashes[0] == hashes[1]);
    assert_true(hashes[0] != hashes[2]);
}

static uint64_t hash_of(const scene *s) {
    ct_state_hash hash = {0};
    const ct_component_manager row = ct_mover_component_manager(s->movers);
    row.hash(row.manager, &hash);
    return hash.value;
}

// Expects that `value`, which is `size_bytes` long, is part of the hash.
static void expect_hashed(const scene *s, void *value, uint32_t size_bytes) {
    const uint64_t before = hash_of(s);
    *(char *)value ^= 1;
    assert_true(hash_of(s) != before);
    *(char *)value ^= 1;
    ((char *)value)[size_bytes - 1] ^= 1;
    assert_true(hash_of(s) != before);
    ((char *)value)[size_bytes - 1] ^= 1;
    assert_true(hash_of(s) == before);
}

static void what_decides_the_next_move_counts_in_the_hash(void **state) {
    (void)state;
    scene s = open_scene();
    const ct_actor a =
        add_box(&s, CT_ACTOR_KEYFRAMED, ct_vec3_make(0, 0, 0.1f), ct_vec3_make(3, 3, 0.1f));
    const ct_entity e = add_rider(&s, a);
    ct_mover_state *const of = &s.movers->state[ct_mover_active(s.movers, e).index];
    expect_hashed(&s, &of->position, sizeof(of->position));
    expect_hashed(&s, &of->ahead, sizeof(of->ahead));
    expect_hashed(&s, &of->ground_pose.position, sizeof(of->ground_pose.position));
    expect_hashed(&s, &of->ground_pose.rotation, sizeof(of->ground_pose.rotation));
    expect_hashed(&s, &of->contacts.ground_normal, sizeof(of->contacts.ground_normal));
    expect_hashed(&s, &of->contacts.ground_position, sizeof(of->contacts.ground_position));
    const uint64_t before = hash_of(&s);
    const ct_entity other = add_entity(&s, ct_vec3_make(9, 9, 0));
    of->contacts.ground =
        add_box_on(&s, other, CT_ACTOR_STATIC, ct_vec3_make(0, 0, 0), ct_vec3_make(1, 1, 1)).id;
    assert_true(hash_of(&s) != before);
    of->contacts.ground = a.id;
    assert_true(hash_of(&s) == before);
    ct_actor_teleport(s.physics, a, (ct_rigid_pose){ct_vec3_make(0, 0, 0.1f), ct_quat_identity()});
    assert_true(hash_of(&s) != before);
    close_scene(&s);
}

static uint32_t num_lines;

static void count_line(void *user, ct_vec3 from, ct_vec3 to) {
    const ct_vec3 *const center = user;
    ++num_lines;
    assert_true(ct_vec3_length(ct_vec3_sub(from, *center)) < 1.01f);
    assert_true(ct_vec3_length(ct_vec3_sub(to, *center)) < 1.01f);
}

static void draws_movers_in_use(void **state) {
    (void)state;
    scene s = open_scene();
    add_walker(&s, 0, 0);
    ct_vec3 center = {{0, 0, 0.92f}};
    ct_mover_draw(s.movers, center, 5, count_line, &center);
    assert_int_equal(num_lines, 64);
    ct_mover_draw(s.movers, ct_vec3_make(50, 0, 0), 5, count_line, &center);
    assert_int_equal(num_lines, 64);
    close_scene(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_its_entity),
        cmocka_unit_test(starts_from_where_its_entity_was_put),
        cmocka_unit_test(moves_the_entity_of_a_parent_in_world_space),
        cmocka_unit_test(turns_with_a_platform),
        cmocka_unit_test(a_linked_mover_far_away_is_carried),
        cmocka_unit_test(is_carried_far_from_the_origin_with_a_parent),
        cmocka_unit_test(is_not_taken_along_by_a_teleport),
        cmocka_unit_test(is_not_taken_along_by_a_node_that_teleports),
        cmocka_unit_test(is_not_taken_along_by_a_mover_that_is_put_elsewhere),
        cmocka_unit_test(is_not_held_to_the_ground_that_it_is_lifted_from),
        cmocka_unit_test(never_stands_on_a_wall),
        cmocka_unit_test(keeps_up_while_there_is_no_gravity),
        cmocka_unit_test(what_others_collide_with_follows_gravity),
        cmocka_unit_test(takes_up_from_gravity),
        cmocka_unit_test(moves_many),
        cmocka_unit_test(keeps_what_it_touches_until_it_is_taken),
        cmocka_unit_test(is_met_by_rays_and_other_movers),
        cmocka_unit_test(passes_through_actors_of_its_own),
        cmocka_unit_test(passes_through_what_does_not_collide),
        cmocka_unit_test(pushes_dynamic_actors),
        cmocka_unit_test(uses_its_filter),
        cmocka_unit_test(crouches_and_stands_up_only_where_there_is_room),
        cmocka_unit_test(separates),
        cmocka_unit_test(slides_on_ground_that_became_too_steep),
        cmocka_unit_test(takes_sizes_into_their_range),
        cmocka_unit_test(names_the_sizes_that_are_out_of_range),
        cmocka_unit_test(spawns_and_ends_with_entities),
        cmocka_unit_test(counts_in_the_hash),
        cmocka_unit_test(what_decides_the_next_move_counts_in_the_hash),
        cmocka_unit_test(draws_movers_in_use),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
