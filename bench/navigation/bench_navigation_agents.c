// bench_navigation_agents.c: what agents cost a step, beside the crowd of Detour; and what obstacles cost.
//
// - `navigation_agents`: a step of agents that walk through a town from point to point, at least 40 m each:
//   queries, following, avoiding, moving. 1,000 with a worker beside the 2 ms that they may take; 10,000
//   beside a frame; 200 without tasks beside dtCrowd on the same polygons, with the same starts, goals,
//   radius, speed and acceleration. Those that arrive are sent on between the measured steps.
// - `navigation_carve`: a box of 3 by 1.5 m that touches a tile of 32 m of the maps (`--maps DIR`): adding it
//   and building the tile again, beside the 2 ms that it may take. In the second row 50 boxes move over the map
//   at once, and the figure is the most that one update of two tiles takes: processor time.
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "bench.h"
#include "bench_project.h"
#include "foundation/error.h"
#include "foundation/math/math.h"
#include "foundation/math/random.h"
#include "navigation/navigation_agents.h"
#include "navigation_map.h"

enum {
    MOST_AGENTS = 10000,
    THOUSAND = 1000,
    FEW = 200,
    WARM_UP = 180,
    STEPS = 10, // of a run
    RUNS = 31,
    TOWN_SIZE = 224,
    LARGE_TOWN_SIZE = 640,
    TOWN_BLOCK = 14,
    TOWN_STREET = 7,
    BOXES = 50,
    CARVED = 60, // of a run
    UPDATES = 300,
};

static const float RADIUS = 0.4f, HEIGHT = 1.8f, SPEED = 1.8f, ACCELERATION = 8, LEAST_WAY = 40;
static const float dt = 1.0f / 60;

static struct {
    navigation_map map;
    ct_navigation_mesh *mesh;
    ct_navigation_paths *paths;
    ct_navigation_agents *agents;
    ct_task_manager *tasks;
    peer_detour *detour;
    ct_navigation_agent ids[MOST_AGENTS];
    ct_vec3 starts[MOST_AGENTS], goals[MOST_AGENTS], peer_goals[MOST_AGENTS];
    uint32_t count;
    ct_random random, peer_random;
} b;

// --- Agents --------------------------------------------------------------------------------------

static ct_vec3 random_point(ct_random *random) {
    for (;;) {
        const uint32_t x = ct_random_below(random, b.map.width),
                       y = ct_random_below(random, b.map.height);
        if (navigation_map_is_ground(&b.map, x, y))
            return navigation_map_point(x, y);
    }
}

static ct_vec3 random_goal(ct_random *random, ct_vec3 from) {
    for (;;) {
        const ct_vec3 to = random_point(random);
        if (ct_vec3_length(ct_vec3_sub(to, from)) >= LEAST_WAY)
            return to;
    }
}

static void send_on(void) {
    const ct_navigation_agents_view all = ct_navigation_agents_all(b.agents);
    for (uint32_t i = 0; i < all.count; ++i) {
        const uint32_t number = (uint32_t)all.users[i];
        if (all.states[i] != CT_NAVIGATION_ARRIVED && all.states[i] != CT_NAVIGATION_FAILED)
            continue;
        b.goals[number] = random_goal(&b.random, all.positions[i]);
        ct_navigation_agents_move_to(b.agents, &b.ids[number], &b.goals[number], 1);
    }
}

static void peer_send_on(void) {
    for (uint32_t i = 0; i < b.count; ++i) {
        const ct_vec3 at = peer_detour_crowd_position(b.detour, i);
        if (ct_vec3_length(ct_vec3_sub(at, b.peer_goals[i])) > 0.5f)
            continue;
        b.peer_goals[i] = random_goal(&b.peer_random, at);
        peer_detour_crowd_send(b.detour, i, b.peer_goals[i]);
    }
}

static void step(void) {
    ct_navigation_mesh_update(b.mesh, 2);
    ct_navigation_paths_update(b.paths);
    ct_navigation_agents_update(b.agents, (double)dt);
}

static double run_agents(void) {
    double ns = 0;
    for (uint32_t i = 0; i < STEPS; ++i) {
        send_on();
        const double start_ns = ct_bench_now_ns();
        step();
        ns += ct_bench_now_ns() - start_ns;
    }
    return ns / 1e6 / STEPS;
}

static double run_crowd(void) {
    double ns = 0;
    for (uint32_t i = 0; i < STEPS; ++i) {
        peer_send_on();
        const double start_ns = ct_bench_now_ns();
        peer_detour_crowd_step(b.detour, dt);
        ns += ct_bench_now_ns() - start_ns;
    }
    return ns / 1e6 / STEPS;
}

static void add_agents(uint32_t count) {
    ct_error error = {0};
    b.count = count;
    for (uint32_t i = 0; i < count; ++i) {
        b.starts[i] = random_point(&b.random);
        b.goals[i] = b.peer_goals[i] = random_goal(&b.random, b.starts[i]);
        b.ids[i] =
            ct_navigation_agents_add(b.agents,
                                     &(ct_navigation_agent_desc){.position = b.starts[i],
                                                                 .radius = RADIUS,
                                                                 .height = HEIGHT,
                                                                 .speed = SPEED,
                                                                 .acceleration = ACCELERATION,
                                                                 .user = i},
                                     &error);
        if (b.ids[i].id == 0)
            ct_bench_fail("an agent", error.message);
    }
    ct_navigation_agents_move_to(b.agents, b.ids, b.goals, count);
}

static void begin_agents(uint32_t town, uint32_t count, bool has_worker) {
    ct_allocator *const heap = ct_bench_heap();
    b.random = ct_random_seeded(33, 3);
    b.peer_random = ct_random_seeded(33, 4);
    b.map = navigation_map_town(town, TOWN_BLOCK, TOWN_STREET);
    if (has_worker)
        b.tasks =
            ct_task_manager_create(&(ct_task_manager_desc){.allocator = heap, .num_workers = 1});
    b.mesh = ct_navigation_mesh_create(
        &(ct_navigation_mesh_desc){.allocator = heap, .resource = b.map.resource});
    b.paths = ct_navigation_paths_create(
        &(ct_navigation_paths_desc){.allocator = heap, .mesh = b.mesh, .tasks = b.tasks});
    b.agents = ct_navigation_agents_create(&(ct_navigation_agents_desc){
        .allocator = heap, .mesh = b.mesh, .paths = b.paths, .tasks = b.tasks});
    add_agents(count);
    for (uint32_t i = 0; i < WARM_UP; ++i) {
        send_on();
        step();
    }
}

static void end_agents(void) {
    ct_navigation_agents_destroy(b.agents);
    ct_navigation_paths_destroy(b.paths);
    ct_navigation_mesh_destroy(b.mesh);
    if (b.tasks)
        ct_task_manager_destroy(b.tasks);
    b.tasks = NULL;
    navigation_map_free(&b.map);
}

static void begin_thousand(void) {
    begin_agents(TOWN_SIZE, THOUSAND, true);
}

static void begin_many(void) {
    begin_agents(LARGE_TOWN_SIZE, MOST_AGENTS, true);
}

static void begin_few(void) {
    begin_agents(TOWN_SIZE / 2, FEW, false);
    b.detour = navigation_map_detour(&b.map);
    peer_detour_crowd_begin(b.detour, &(peer_detour_crowd_desc){.positions = b.starts,
                                                                .goals = b.peer_goals,
                                                                .count = FEW,
                                                                .radius = RADIUS,
                                                                .height = HEIGHT,
                                                                .speed = SPEED,
                                                                .acceleration = ACCELERATION});
    for (uint32_t i = 0; i < WARM_UP; ++i) {
        peer_send_on();
        peer_detour_crowd_step(b.detour, dt);
    }
}

static void end_few(void) {
    peer_detour_crowd_end(b.detour);
    peer_detour_destroy(b.detour);
    end_agents();
}

static double run_frame(void) {
    return 1000.0 / 60;
}

static double run_two(void) {
    return 2;
}

static double run_four(void) {
    return 4;
}

// --- Obstacles -----------------------------------------------------------------------------------

static struct {
    ct_navigation_mesh *mesh;
    const navigation_map *map;
    ct_random random;
} c;

static double processor_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static void begin_map(const navigation_map *map) {
    c.map = map;
    c.mesh = ct_navigation_mesh_create(
        &(ct_navigation_mesh_desc){.allocator = ct_bench_heap(), .resource = map->resource});
}

static void begin_carve(void) {
    navigation_maps_begin(ct_bench_maps_folder());
    c.random = ct_random_seeded(33, 5);
}

// Inside of a tile, so that the box touches no other.
static ct_navigation_obstacle_desc random_box(bool is_inside) {
    for (;;) {
        const uint32_t x = ct_random_below(&c.random, c.map->width),
                       y = ct_random_below(&c.random, c.map->height);
        const bool is_in = x % 32 >= 4 && x % 32 < 28 && y % 32 >= 4 && y % 32 < 28;
        if (navigation_map_is_ground(c.map, x, y) && (is_in || !is_inside))
            return (ct_navigation_obstacle_desc){.shape = CT_NAVIGATION_BOX,
                                                 .position = navigation_map_point(x, y),
                                                 .angle = ct_random_float(&c.random) * 3,
                                                 .half_size = {{1.5f, 0.75f}},
                                                 .height = 2,
                                                 .area = -1};
    }
}

static ct_navigation_obstacle add_box(const ct_navigation_obstacle_desc *desc) {
    ct_error error = {0};
    const ct_navigation_obstacle o = ct_navigation_add_obstacle(c.mesh, desc, &error);
    if (o.id == 0)
        ct_bench_fail("an obstacle", error.message);
    return o;
}

static double carve_one(void) {
    const ct_navigation_obstacle_desc desc = random_box(true);
    const double start_ns = ct_bench_now_ns();
    const ct_navigation_obstacle o = add_box(&desc);
    ct_navigation_mesh_update(c.mesh, 1);
    const double ns = ct_bench_now_ns() - start_ns;
    ct_navigation_remove_obstacle(c.mesh, o);
    ct_navigation_mesh_update(c.mesh, UINT32_MAX);
    return ns / 1e6;
}

// The mean of the map where it takes longest.
static double run_carve(void) {
    const navigation_map_array *const maps = navigation_maps();
    double most = 0;
    for (uint32_t m = 0; m < maps->count; ++m) {
        begin_map(&maps->items[m]);
        double sum = 0;
        for (uint32_t i = 0; i < CARVED; ++i)
            sum += carve_one();
        most = fmax(most, sum / CARVED);
        ct_navigation_mesh_destroy(c.mesh);
    }
    return most;
}

static double run_most(void) {
    const navigation_map_array *const maps = navigation_maps();
    double most = 0;
    for (uint32_t m = 0; m < maps->count; ++m) {
        ct_navigation_obstacle boxes[BOXES];
        begin_map(&maps->items[m]);
        for (uint32_t i = 0; i < BOXES; ++i) {
            const ct_navigation_obstacle_desc desc = random_box(false);
            boxes[i] = add_box(&desc);
        }
        for (uint32_t i = 0; i < UPDATES; ++i) {
            const ct_navigation_obstacle_desc desc = random_box(false);
            ct_error error = {0};
            if (!ct_navigation_move_obstacle(c.mesh, boxes[i % BOXES], desc.position, desc.angle,
                                             &error))
                ct_bench_fail("an obstacle", error.message);
            const double start = processor_ms();
            ct_navigation_mesh_update(c.mesh, 2);
            most = fmax(most, processor_ms() - start);
        }
        ct_navigation_mesh_destroy(c.mesh);
    }
    return most;
}

// --- The cases -----------------------------------------------------------------------------------

static const ct_bench_case cases[] = {
    {.workload = "navigation_agents",
     .subject = "1,000, a worker",
     .peer = "the most it may take",
     .unit = "ms",
     .goal = 1,
     .num_runs = RUNS,
     .begin = begin_thousand,
     .end = end_agents,
     .run_subject = run_agents,
     .run_peer = run_two},
    {.workload = "navigation_agents",
     .subject = "200, no tasks",
     .peer = "dtCrowd",
     .unit = "ms",
     .goal = 1,
     .num_runs = RUNS,
     .begin = begin_few,
     .end = end_few,
     .run_subject = run_agents,
     .run_peer = run_crowd},
    {.workload = "navigation_agents",
     .subject = "10,000, a worker",
     .peer = "a frame",
     .unit = "ms",
     .begin = begin_many,
     .end = end_agents,
     .run_subject = run_agents,
     .run_peer = run_frame},
    {.workload = "navigation_carve",
     .subject = "a box in a tile",
     .peer = "the most it may take",
     .unit = "ms",
     .goal = 1,
     .begin = begin_carve,
     .end = navigation_maps_end,
     .run_subject = run_carve,
     .run_peer = run_two},
    {.workload = "navigation_carve",
     .subject = "most of an update, 2 tiles",
     .peer = "the most it may take",
     .unit = "ms",
     .goal = 1,
     .num_runs = 3,
     .begin = begin_carve,
     .end = navigation_maps_end,
     .run_subject = run_most,
     .run_peer = run_four},
};
const ct_bench_group ct_bench_navigation_agents = {"navigation", cases, CT_COUNT_OF(cases)};
