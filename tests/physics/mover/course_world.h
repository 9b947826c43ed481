// course_world.h: builds stations of the course in a Bullet world and moves movers through them.
//
// For the programs of tests and benchmarks; each includes it once.
#pragma once
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "course.h"
#include "foundation/error.h"
#include "foundation/math/math.h"
#include "foundation/memory/allocator.h"
#include "physics/mover/mover.h"

enum { COURSE_MAX_BODIES = 32, COURSE_BUMP_SIDE = 65 };

static const float COURSE_STEP = 1.0f / 60;

typedef struct course_world {
    ct_allocator *allocator;
    ct_bullet_world *bullet;
    const course_station *station;
    ct_quat rotation; // of the whole course: z to up
    ct_vec3 up;
    ct_bullet_body *bodies[COURSE_MAX_BODIES];
    ct_bullet_shape *shapes[COURSE_MAX_BODIES];
    void *blocks[COURSE_MAX_BODIES][2]; // points and indices, or heights
    ct_bullet_triangles triangles[COURSE_MAX_BODIES];
    ct_bullet_heights heights[COURSE_MAX_BODIES];
    uint32_t num_bodies;
    float time;
    ct_mover_tools *tools;
    ct_bullet_find find;
    ct_mover_bodies lookup;
    ct_mover_state mover;
    float fall; // m/s, downwards
} course_world;

static inline ct_mover_shape course_mover_shape(ct_vec3 up) {
    return (ct_mover_shape){
        .radius = 0.4f,
        .height = 1.8f,
        .skin = 0.02f,
        .step_height = 0.3f,
        .max_slope_angle = 0.78539816f,
        .mass = 80,
        .push_force = 600,
        .up = up,
    };
}

// --- Building ------------------------------------------------------------------------------------

// A number from 0 to 1 for a point of a grid.
static inline float course_noise(uint32_t x, uint32_t y) {
    uint32_t n = x * 374761393u + y * 668265263u;
    n = (n ^ (n >> 13)) * 1274126177u;
    return (float)((n ^ (n >> 16)) & 0xffff) / 65535.0f;
}

static inline void course_make_profile(course_world *w, uint32_t body, const course_piece *piece,
                                       ct_bullet_shape_part *part) {
    const course_profile *const p = piece->profile;
    const uint32_t lines = (p->count - 1) * p->rows + 1, across = p->columns + 1;
    float *const points = malloc(sizeof(float) * 3 * lines * across);
    uint32_t *const indices = malloc(sizeof(uint32_t) * 6 * (lines - 1) * p->columns);
    for (uint32_t line = 0; line < lines; ++line) {
        const uint32_t k = line == lines - 1 ? p->count - 2 : line / p->rows;
        const float t = (float)(line - k * p->rows) / (float)p->rows;
        for (uint32_t i = 0; i < across; ++i) {
            float *const point = points + 3 * (line * across + i);
            point[0] = piece->size[0] * (2 * (float)i / (float)p->columns - 1);
            point[1] = p->points[k][0] + t * (p->points[k + 1][0] - p->points[k][0]);
            point[2] = p->points[k][1] + t * (p->points[k + 1][1] - p->points[k][1]);
        }
    }
    uint32_t count = 0;
    for (uint32_t line = 0; line + 1 < lines; ++line) {
        for (uint32_t i = 0; i < p->columns; ++i) {
            const uint32_t a = line * across + i, b = a + 1, c = a + across, d = c + 1;
            // Both ways to split a square.
            const uint32_t one[6] = {a, b, d, a, d, c}, two[6] = {a, b, c, b, d, c};
            memcpy(indices + count, (line + i) % 2 ? one : two, sizeof(one));
            count += 6;
        }
    }
    w->blocks[body][0] = points;
    w->blocks[body][1] = indices;
    w->triangles[body] = (ct_bullet_triangles){
        .points = points,
        .num_points = lines * across,
        .indices = indices,
        .num_indices = count,
    };
    part->kind = CT_BULLET_SHAPE_MESH;
    part->size = ct_vec3_make(1, 1, 1);
    part->triangles = &w->triangles[body];
}

static inline void course_make_bumps(course_world *w, uint32_t body, const course_piece *piece,
                                     ct_bullet_shape_part *part) {
    float *const heights = malloc(sizeof(float) * COURSE_BUMP_SIDE * COURSE_BUMP_SIDE);
    float least = 1e9f, most = -1e9f;
    for (uint32_t y = 0; y < COURSE_BUMP_SIDE; ++y) {
        for (uint32_t x = 0; x < COURSE_BUMP_SIDE; ++x) {
            const float h = piece->size[1] * course_noise(x, y);
            heights[y * COURSE_BUMP_SIDE + x] = h;
            least = fminf(least, h);
            most = fmaxf(most, h);
        }
    }
    w->blocks[body][0] = heights;
    w->heights[body] = (ct_bullet_heights){
        .heights = heights,
        .columns = COURSE_BUMP_SIDE,
        .rows = COURSE_BUMP_SIDE,
        .spacing = {piece->size[0], piece->size[0]},
        .least = least,
        .most = most,
    };
    part->kind = CT_BULLET_SHAPE_HEIGHTS;
    part->size = ct_vec3_make(1, 1, 1);
    part->heights = &w->heights[body];
}

static inline ct_bullet_shape *course_make_shape(course_world *w, uint32_t body,
                                                 const course_piece *piece) {
    const float *const s = piece->size;
    ct_bullet_shape_part part = {
        .kind = CT_BULLET_SHAPE_BOX,
        .pose = {.rotation = ct_quat_identity()},
        .size = {{s[0], s[1], s[2]}},
    };
    if (piece->shape == COURSE_CYLINDER) {
        part.kind = CT_BULLET_SHAPE_CYLINDER;
    } else if (piece->shape == COURSE_PROFILE) {
        course_make_profile(w, body, piece, &part);
    } else if (piece->shape == COURSE_BUMPS) {
        course_make_bumps(w, body, piece, &part);
    }
    return ct_bullet_shape_create(&part, 1);
}

// Where a piece is at a time.
static inline ct_rigid_pose course_pose(const course_world *w, const course_piece *p, float time) {
    const float radians = 0.017453293f;
    const ct_quat turned = ct_quat_from_euler_xyz(
        ct_vec3_make(radians * p->turned[0], radians * p->turned[1], radians * p->turned[2]));
    const ct_quat spun = ct_quat_axis_angle(ct_vec3_make(0, 0, 1), radians * p->spin * time);
    const ct_vec3 position =
        ct_vec3_make(p->position[0] + p->velocity[0] * time, p->position[1] + p->velocity[1] * time,
                     p->position[2] + p->velocity[2] * time);
    return (ct_rigid_pose){
        ct_quat_rotate(w->rotation, position),
        ct_quat_normalize(ct_quat_mul(w->rotation, ct_quat_mul(spun, turned))),
    };
}

static inline void course_add_piece(course_world *w, const course_piece *piece) {
    static const uint32_t kinds[] = {CT_BULLET_STATIC, CT_BULLET_KINEMATIC, CT_BULLET_DYNAMIC};
    const uint32_t id = w->num_bodies++;
    w->shapes[id] = course_make_shape(w, id, piece);
    w->bodies[id] = ct_bullet_body_create(
        w->bullet, &(ct_bullet_body_desc){
                       .id = id,
                       .kind = kinds[piece->body],
                       .shape = w->shapes[id],
                       .pose = course_pose(w, piece, 0),
                       .mass = piece->mass,
                       .friction = piece->friction > 0 ? piece->friction : 0.5f,
                       .linear_factor = {{1, 1, 1}},
                       .angular_factor = {{1, 1, 1}},
                       .sleep_linear = 0.8f,
                       .sleep_angular = 1,
                       .collides = UINT32_MAX,
                   });
}

static inline ct_bullet_body *course_body_of(void *user, uint32_t id) {
    course_world *const w = user;
    return id < w->num_bodies ? w->bodies[id] : NULL;
}

static inline const course_station *course_find(const char *name) {
    for (uint32_t i = 0; i < CT_COUNT_OF(course_stations); ++i)
        if (strcmp(course_stations[i].name, name) == 0)
            return &course_stations[i];
    CT_ASSERT(false, "no station \"%s\"", name);
    return NULL;
}

// Returns a point of the course in the world, and back.
static inline ct_vec3 course_to_world(const course_world *w, ct_vec3 p) {
    return ct_quat_rotate(w->rotation, p);
}
static inline ct_vec3 course_from_world(const course_world *w, ct_vec3 p) {
    return ct_quat_rotate(ct_quat_conjugate(w->rotation), p);
}

// Builds a station, turned so that z becomes `rotation` of it. ct_bullet_init was called.
static inline course_world *course_open(ct_allocator *a, const char *name, ct_quat rotation) {
    course_world *const w = CT_NEW(a, course_world);
    memset(w, 0, sizeof(*w));
    w->allocator = a;
    w->station = course_find(name);
    w->rotation = rotation;
    w->up = ct_vec3_normalize(ct_quat_rotate(rotation, ct_vec3_make(0, 0, 1)));
    w->bullet = ct_bullet_world_create(&(ct_bullet_world_desc){
        .gravity = ct_vec3_scale(w->up, -9.81f),
        .solver_iterations = 10,
    });
    for (uint32_t i = 0; i < w->station->count; ++i)
        course_add_piece(w, &w->station->pieces[i]);
    const ct_mover_shape shape = course_mover_shape(w->up);
    w->tools = ct_mover_tools_create(a, &shape);
    w->find = (ct_bullet_find){.kinds = CT_BULLET_FIND_SOLID, .filters = UINT32_MAX};
    w->lookup = (ct_mover_bodies){.body = course_body_of, .user = w};
    w->mover.position = course_to_world(w, ct_vec3_make(0, 0, shape.skin));
    w->mover.contacts.ground = UINT32_MAX;
    return w;
}

static inline void course_close(course_world *w) {
    for (uint32_t i = 0; i < w->num_bodies; ++i) {
        ct_bullet_body_destroy(w->bodies[i]);
        ct_bullet_shape_destroy(w->shapes[i]);
        free(w->blocks[i][0]);
        free(w->blocks[i][1]);
    }
    ct_mover_tools_destroy(w->tools);
    ct_bullet_world_destroy(w->bullet);
    ct_free_sized(w->allocator, w, sizeof(*w));
}

// --- Moving --------------------------------------------------------------------------------------

// One step of the world: pieces that move, and what they push.
static inline void course_step(course_world *w) {
    w->time += COURSE_STEP;
    for (uint32_t i = 0; i < w->num_bodies; ++i) {
        const course_piece *const piece = &w->station->pieces[i];
        if (piece->body == COURSE_KINEMATIC)
            ct_bullet_body_move_to(w->bodies[i], course_pose(w, piece, w->time));
    }
    ct_bullet_world_step(w->bullet, COURSE_STEP);
}

static inline void course_move(course_world *w, ct_mover_state *mover, float *fall,
                               ct_vec3 velocity) {
    *fall = mover->contacts.down && *fall > 0 ? 0 : *fall + 9.81f * COURSE_STEP;
    velocity.z -= *fall;
    const ct_vec3 offset = ct_vec3_scale(course_to_world(w, velocity), COURSE_STEP);
    ct_mover_move(w->bullet, w->tools, &w->find, &w->lookup, mover, offset, COURSE_STEP);
    if (mover->contacts.up && *fall < 0)
        *fall = 0;
}
