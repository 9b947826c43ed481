// Movers in closed rooms full of boxes that lie anyhow: whatever they do, they stay in the room, out
// of the boxes, and cheap.
#include <math.h>

#include "foundation/math/math.h"
#include "foundation/math/random.h"
#include "physics/mover/course_check.h"

enum { NUM_BOXES = 24, NUM_MOVING = 6 };

static const float ROOM = 5; // half its size

typedef struct room {
    ct_bullet_world *bullet;
    ct_bullet_shape *shapes[NUM_BOXES + 6];
    ct_bullet_body *bodies[NUM_BOXES + 6];
    uint32_t count;
    uint32_t first_moving; // boxes from there on swing
    ct_rigid_pose middles[NUM_BOXES + 6];
    ct_vec3 swings[NUM_BOXES + 6];
    ct_mover_tools *tools;
    ct_bullet_find find;
    ct_mover_bodies lookup;
    ct_mover_state mover;
} room;

// A box of half size 1 as triangles.
static const float corners[] = {-1, -1, -1, 1, -1, -1, -1, 1, -1, 1, 1, -1,
                                -1, -1, 1,  1, -1, 1,  -1, 1, 1,  1, 1, 1};
static const uint32_t indices[] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                   2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
static const ct_bullet_triangles box_triangles = {
    .points = corners, .num_points = 8, .indices = indices, .num_indices = 36};

static void add_box(room *r, ct_rigid_pose pose, ct_vec3 half, bool is_mesh, uint32_t kind) {
    const ct_bullet_shape_part part = {
        .kind = is_mesh ? CT_BULLET_SHAPE_MESH : CT_BULLET_SHAPE_BOX,
        .pose = {.rotation = ct_quat_identity()},
        .size = half,
        .triangles = &box_triangles,
    };
    r->shapes[r->count] = ct_bullet_shape_create(&part, 1);
    r->bodies[r->count] = ct_bullet_body_create(r->bullet, &(ct_bullet_body_desc){
                                                               .id = r->count,
                                                               .kind = kind,
                                                               .shape = r->shapes[r->count],
                                                               .pose = pose,
                                                               .linear_factor = {{1, 1, 1}},
                                                               .angular_factor = {{1, 1, 1}},
                                                               .collides = UINT32_MAX,
                                                           });
    ++r->count;
}

static ct_bullet_body *find_body(void *user, uint32_t id) {
    const room *const r = user;
    return r->bodies[id];
}

static ct_vec3 random_vector(ct_random *r, float size) {
    const float x = ct_random_float_range(r, -size, size);
    const float y = ct_random_float_range(r, -size, size);
    return ct_vec3_make(x, y, ct_random_float_range(r, -size, size));
}

static void open_room(room *r, ct_random *random, bool has_meshes, uint32_t num_moving) {
    *r = (room){.find = {.kinds = CT_BULLET_FIND_SOLID, .filters = UINT32_MAX}};
    r->lookup = (ct_mover_bodies){.body = find_body, .user = r};
    r->bullet = ct_bullet_world_create(
        &(ct_bullet_world_desc){.gravity = {{0, 0, -9.81f}}, .solver_iterations = 10});
    for (uint32_t axis = 0; axis < 3; ++axis) {
        for (int side = -1; side <= 1; side += 2) {
            ct_rigid_pose pose = {.rotation = ct_quat_identity()};
            pose.position.raw[axis] = (float)side * (ROOM + 0.1f);
            ct_vec3 half = ct_vec3_make(ROOM + 1, ROOM + 1, ROOM + 1);
            half.raw[axis] = 0.1f;
            add_box(r, pose, half, false, CT_BULLET_STATIC);
        }
    }
    for (uint32_t i = 0; i < NUM_BOXES; ++i) {
        const ct_vec3 turn = random_vector(random, 3);
        const bool is_upright = ct_random_below(random, 2);
        ct_rigid_pose pose = {random_vector(random, ROOM), ct_quat_from_euler_xyz(turn)};
        if (is_upright)
            pose.rotation = ct_quat_axis_angle(ct_vec3_make(0, 0, 1), turn.z);
        pose.position.z -= ROOM / 2;
        const float x = ct_random_float_range(random, 0.1f, 1.5f);
        const float y = ct_random_float_range(random, 0.1f, 1.5f);
        const float z = ct_random_float_range(random, 0.05f, 0.6f);
        const bool moves = i + num_moving >= NUM_BOXES;
        r->middles[r->count] = pose;
        r->swings[r->count] = random_vector(random, 2);
        add_box(r, pose, ct_vec3_make(x, y, z), has_meshes && ct_random_below(random, 2),
                moves ? CT_BULLET_KINEMATIC : CT_BULLET_STATIC);
    }
    r->first_moving = r->count - num_moving;
    const ct_mover_shape shape = course_mover_shape(ct_vec3_make(0, 0, 1));
    r->tools = ct_mover_tools_create(test_heap(), &shape);
}

static void close_room(room *r) {
    for (uint32_t i = 0; i < r->count; ++i) {
        ct_bullet_body_destroy(r->bodies[i]);
        ct_bullet_shape_destroy(r->shapes[i]);
    }
    ct_mover_tools_destroy(r->tools);
    ct_bullet_world_destroy(r->bullet);
}

// Moves the boxes that swing, at up to 4 m/s.
static void swing(room *r, uint32_t frame) {
    for (uint32_t i = r->first_moving; i < r->count; ++i) {
        const float phase = sinf((float)frame / 60 + (float)i);
        const ct_vec3 position =
            ct_vec3_add(r->middles[i].position, ct_vec3_scale(r->swings[i], phase));
        ct_bullet_body_move_to(r->bodies[i], (ct_rigid_pose){position, r->middles[i].rotation});
    }
    if (r->first_moving < r->count)
        ct_bullet_world_step(r->bullet, 1.0f / 60);
}

static void check_mover(const room *r, uint32_t round, uint32_t frame) {
    const ct_vec3 p = r->mover.position;
    const bool is_inside = fabsf(p.x) < ROOM && fabsf(p.y) < ROOM && p.z > -ROOM - 0.01f;
    if (!is_inside || !(p.z < ROOM))
        fail_msg("round %u, frame %u: it left the room for %g %g %g", round, frame, (double)p.x,
                 (double)p.y, (double)p.z);
    ct_bullet_overlap overlaps[8];
    const uint32_t count =
        ct_bullet_overlaps(r->bullet, ct_mover_tools_capsule(r->tools),
                           ct_mover_tools_pose(r->tools, p), 0, &r->find, overlaps, 8);
    for (uint32_t i = 0; i < count; ++i)
        if (overlaps[i].distance < -0.01f && overlaps[i].id < r->first_moving)
            fail_msg("round %u, frame %u: it is %g m inside body %u, at %g %g %g", round, frame,
                     (double)-overlaps[i].distance, overlaps[i].id, (double)p.x, (double)p.y,
                     (double)p.z);
    if (r->mover.contacts.sweeps > 40)
        fail_msg("round %u, frame %u: %u sweeps", round, frame, r->mover.contacts.sweeps);
}

static void walk_about(room *r, ct_random *random, uint32_t round) {
    ct_vec3 velocity = {{0, 0, 0}};
    float fall = 0;
    for (uint32_t frame = 0; frame < 300; ++frame) {
        if (ct_random_below(random, 20) == 0)
            velocity = random_vector(random, ct_random_below(random, 4) ? 4 : 100);
        fall = r->mover.contacts.down ? 0 : fminf(fall + 9.81f / 60, 100);
        if (ct_random_below(random, 40) == 0)
            fall = -6;
        const ct_vec3 offset =
            ct_vec3_scale(ct_vec3_make(velocity.x, velocity.y, -fall), 1.0f / 60);
        const ct_vec3 before = r->mover.position;
        swing(r, frame);
        ct_mover_move(r->bullet, r->tools, &r->find, &r->lookup, &r->mover, offset, 1.0f / 60);
        check_mover(r, round, frame);
        // No farther than asked, but for steps and skins.
        const ct_vec3 way = ct_vec3_sub(r->mover.position, before);
        const float on_map = sqrtf(way.x * way.x + way.y * way.y);
        const float asked = ct_vec3_length(offset) + 0.1f;
        if (on_map > asked && r->first_moving == r->count)
            fail_msg("round %u, frame %u: it went %g m of %g", round, frame, (double)on_map,
                     (double)asked);
    }
}

static void walk_in_rooms(bool has_meshes, uint32_t num_moving) {
    const uint32_t num_rounds = test_rounds(20, 2000);
    uint32_t num_walks = 0;
    for (uint32_t round = 0; round < num_rounds; ++round) {
        ct_random random = ct_random_seeded(round + 1, 1);
        room r;
        open_room(&r, &random, has_meshes, num_moving);
        ct_vec3 found;
        for (uint32_t i = 0; i < 50; ++i) {
            ct_vec3 start = random_vector(&random, ROOM - 1);
            start.z = 2;
            if (ct_mover_fits_at(r.bullet, r.tools, &r.find, start, 0, &found)) {
                r.mover = (ct_mover_state){.position = found, .contacts.ground = UINT32_MAX};
                walk_about(&r, &random, round);
                ++num_walks;
                break;
            }
        }
        close_room(&r);
    }
    assert_true(num_walks > num_rounds / 2);
}

static void stays_in_rooms_full_of_boxes(void **state) {
    (void)state;
    walk_in_rooms(false, 0);
}

static void stays_in_rooms_full_of_triangles(void **state) {
    (void)state;
    walk_in_rooms(true, 0);
}

static void is_not_pushed_out_of_rooms(void **state) {
    (void)state;
    walk_in_rooms(false, NUM_MOVING);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stays_in_rooms_full_of_boxes),
        cmocka_unit_test(stays_in_rooms_full_of_triangles),
        cmocka_unit_test(is_not_pushed_out_of_rooms),
    };
    return cmocka_run_group_tests(tests, course_setup, course_teardown);
}
