// course_check.h: what the tests of the course share: walks that check each frame, and positions.
#pragma once
#include <math.h>

#include "course_world.h"
#include "foundation/math/math.h"
#include "support/test_support.h"

// What a walk saw, from its first frame to its last.
typedef struct course_walk {
    uint32_t frames_down, frames_sides, frames_up, most_sweeps;
    float least_z, most_z;
    float least_step, most_step; // metres on a map between frames
    float most_change;           // metres between frames
} course_walk;

static const ct_quat course_upright = {{0, 0, 0, 1}};

static inline course_world *course_start(const char *name) {
    return course_open(test_heap(), name, course_upright);
}

static inline ct_vec3 course_position(const course_world *w) {
    return course_from_world(w, w->mover.position);
}

static inline void course_place(course_world *w, float x, float y, float z) {
    w->mover.position = course_to_world(w, ct_vec3_make(x, y, z));
}

// The capsule is never inside anything, to 5 mm.
static inline void course_check_free(const course_world *w) {
    ct_bullet_overlap overlaps[8];
    const uint32_t count = ct_bullet_overlaps(w->bullet, ct_mover_tools_capsule(w->tools),
                                              ct_mover_tools_pose(w->tools, w->mover.position), 0,
                                              &w->find, overlaps, CT_COUNT_OF(overlaps));
    for (uint32_t i = 0; i < count; ++i) {
        if (overlaps[i].distance < -0.005f) {
            const ct_vec3 p = course_position(w);
            fail_msg("%s: at %.3f %.3f %.3f it is %.3f m inside body %u", w->station->name,
                     (double)p.x, (double)p.y, (double)p.z, (double)-overlaps[i].distance,
                     overlaps[i].id);
        }
    }
}

// One frame, without the check.
static inline void course_frame(course_world *w, ct_vec3 velocity) {
    course_step(w);
    course_move(w, &w->mover, &w->fall, velocity);
}

// Walks at a velocity (of the course, m/s) for a number of steps.
static inline course_walk course_go(course_world *w, float x, float y, uint32_t frames) {
    course_walk walk = {.least_z = 1e9f, .most_z = -1e9f, .least_step = 1e9f};
    for (uint32_t i = 0; i < frames; ++i) {
        const ct_vec3 last = course_position(w);
        course_frame(w, ct_vec3_make(x, y, 0));
        course_check_free(w);
        const ct_vec3 now = course_position(w), change = ct_vec3_sub(now, last);
        const float on_map = sqrtf(change.x * change.x + change.y * change.y);
        const ct_mover_contacts *const c = &w->mover.contacts;
        if (getenv("COURSE_TRACE"))
            print_message("%4u  %8.4f %8.4f %8.4f  %c%c%c  %u\n", i, (double)now.x, (double)now.y,
                          (double)now.z, c->down ? 'd' : '-', c->sides ? 's' : '-',
                          c->up ? 'u' : '-', c->sweeps);
        walk.frames_down += c->down;
        walk.frames_sides += c->sides;
        walk.frames_up += c->up;
        walk.most_sweeps = c->sweeps > walk.most_sweeps ? c->sweeps : walk.most_sweeps;
        walk.least_z = fminf(walk.least_z, now.z);
        walk.most_z = fmaxf(walk.most_z, now.z);
        walk.least_step = fminf(walk.least_step, on_map);
        walk.most_step = fmaxf(walk.most_step, on_map);
        walk.most_change = fmaxf(walk.most_change, ct_vec3_length(change));
    }
    assert_true(walk.most_sweeps < 32);
    return walk;
}

static inline void course_expect(const course_world *w, float x, float y, float z,
                                 float tolerance) {
    const ct_vec3 p = course_position(w);
    const bool is_there =
        fabsf(p.x - x) <= tolerance && fabsf(p.y - y) <= tolerance && fabsf(p.z - z) <= tolerance;
    if (!is_there)
        fail_msg("%s: the mover is at %.4f %.4f %.4f; expected %.4f %.4f %.4f, to %g m",
                 w->station->name, (double)p.x, (double)p.y, (double)p.z, (double)x, (double)y,
                 (double)z, (double)tolerance);
}

static inline void course_expect_near(const char *what, float found, float expected,
                                      float tolerance) {
    if (!(fabsf(found - expected) <= tolerance))
        fail_msg("%s is %.4f; expected %.4f, to %g", what, (double)found, (double)expected,
                 (double)tolerance);
}

static inline int course_setup(void **state) {
    const int result = test_group_setup(state);
    ct_bullet_init(test_heap());
    return result;
}

static inline int course_teardown(void **state) {
    ct_bullet_quit();
    return test_group_teardown(state);
}
