// Movers: 1,000 that walk for a step, on flat ground and on the obstacle course of the tests.
//
// mover_flat     25 x 40 movers on a floor of boxes, 3 m apart, each with a direction of its own.
// mover_course   25 on each of the course's stations, each some steps farther on its way.
// Peer: the same sweeps, recorded before, called directly. Nothing but movers moves: each run starts
// from the same states. The rows `…_sweeps` have the number of sweeps of one mover in a step.
#include <math.h>
#include <stdio.h>

#include "../tests/physics/mover/course_world.h"
#include "bench.h"
#include "foundation/math/math.h"

enum { NUM_STATIONS = sizeof(course_stations) / sizeof(course_stations[0]), PER_STATION = 25 };

typedef struct recorded {
    ct_rigid_pose from;
    ct_vec3 to;
} recorded;

// The movers of one world, with their states before the step and during it.
typedef struct troop {
    course_world *world;
    ct_mover_state starts[1000], states[1000];
    ct_vec3 velocities[1000];
    uint32_t count;
    recorded sweeps[64 * 1000];
    uint32_t num_sweeps;
} troop;

static troop *troops[NUM_STATIONS];
static uint32_t num_troops, num_movers;

static void record(void *user, ct_rigid_pose from, ct_vec3 to) {
    troop *const t = user;
    if (t->num_sweeps < CT_COUNT_OF(t->sweeps))
        t->sweeps[t->num_sweeps++] = (recorded){from, to};
}

static void step(troop *t) {
    memcpy(t->states, t->starts, t->count * sizeof(ct_mover_state));
    course_world *const w = t->world;
    for (uint32_t i = 0; i < t->count; ++i) {
        ct_vec3 velocity = t->velocities[i];
        velocity.z = -9.81f * COURSE_STEP;
        ct_mover_move(w->bullet, w->tools, &w->find, &w->lookup, &t->states[i],
                      ct_vec3_scale(velocity, COURSE_STEP), COURSE_STEP);
    }
}

static troop *add_troop(const char *station) {
    troop *const t = calloc(1, sizeof(troop));
    t->world = course_open(ct_bench_heap(), station, ct_quat_identity());
    return troops[num_troops++] = t;
}

// The sweeps of the step, from the states as they are.
static void record_troops(void) {
    num_movers = 0;
    for (uint32_t i = 0; i < num_troops; ++i) {
        troop *const t = troops[i];
        num_movers += t->count;
        ct_mover_tools_set_trace(t->world->tools, record, t);
        step(t);
        ct_mover_tools_set_trace(t->world->tools, NULL, NULL);
    }
}

static void begin_flat(void) {
    ct_bullet_init(ct_bench_heap());
    troop *const t = add_troop("wide floor");
    for (uint32_t i = 0; i < 1000; ++i) {
        const float angle = (float)i;
        t->velocities[i] = ct_vec3_make(3 * cosf(angle), 3 * sinf(angle), 0);
        t->states[i] = t->world->mover;
        t->states[i].position =
            ct_vec3_make(3 * (float)(i % 40) - 60, 3 * (float)(i / 40) - 37.5f, 0.02f);
    }
    t->count = 1000;
    for (uint32_t k = 0; k < 3; ++k) {
        memcpy(t->starts, t->states, sizeof(t->states));
        step(t);
    }
    record_troops();
}

static void begin_course(void) {
    ct_bullet_init(ct_bench_heap());
    for (uint32_t i = 0; i < NUM_STATIONS; ++i) {
        troop *const t = add_troop(course_stations[i].name);
        const uint32_t count = PER_STATION;
        for (uint32_t k = 0; k < count; ++k) {
            ct_mover_state state = t->world->mover;
            float fall = 0;
            const ct_vec3 velocity = ct_vec3_make(0.02f * (float)k, 2, 0);
            for (uint32_t n = 0; n < 8 * k; ++n)
                course_move(t->world, &state, &fall, velocity);
            t->starts[k] = state;
            t->velocities[k] = velocity;
        }
        t->count = count;
    }
    record_troops();
}

static void end(void) {
    for (uint32_t i = 0; i < num_troops; ++i) {
        course_close(troops[i]->world);
        free(troops[i]);
    }
    num_troops = 0;
    ct_bullet_quit();
}

static double run_movers(void) {
    const double start = ct_bench_now_ns();
    for (uint32_t i = 0; i < num_troops; ++i)
        step(troops[i]);
    return (ct_bench_now_ns() - start) / 1e6 * 1000 / num_movers;
}

static double run_sweeps(void) {
    const double start = ct_bench_now_ns();
    uint64_t sum = 0;
    for (uint32_t i = 0; i < num_troops; ++i) {
        const troop *const t = troops[i];
        const ct_bullet_shape *const capsule = ct_mover_tools_capsule(t->world->tools);
        for (uint32_t k = 0; k < t->num_sweeps; ++k) {
            ct_bullet_hit hit;
            sum += ct_bullet_sweep(t->world->bullet, capsule, t->sweeps[k].from, t->sweeps[k].to,
                                   &t->world->find, &hit);
        }
    }
    ct_bench_use(sum);
    return (ct_bench_now_ns() - start) / 1e6 * 1000 / num_movers;
}

static double count_sweeps(void) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < num_troops; ++i)
        count += troops[i]->num_sweeps;
    return (double)count / num_movers;
}

static double goal_of_sweeps(void) {
    return 4;
}

static const ct_bench_case cases[] = {
    {"mover_flat", "1,000 movers, a step", "their sweeps", "ms", 1.3, 0, begin_flat, end,
     run_movers, run_sweeps},
    {"mover_flat_sweeps", "sweeps of a mover, a step", "the goal", "sweeps", 1, 1, begin_flat, end,
     count_sweeps, goal_of_sweeps},
    {"mover_course", "1,000 movers, a step", "their sweeps", "ms", 1.3, 0, begin_course, end,
     run_movers, run_sweeps},
    {"mover_course_sweeps", "sweeps of a mover, a step", "the goal on flat", "sweeps", 0, 1,
     begin_course, end, count_sweeps, goal_of_sweeps},
};

const ct_bench_group ct_bench_mover = {"physics", cases, CT_COUNT_OF(cases)};
