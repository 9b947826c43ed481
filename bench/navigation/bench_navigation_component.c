// bench_navigation_component.c: what agents cost beside their own step when entities have them.
//
// `navigation_component`: 10,000 entities with transforms in a town, which walk from point to point; the time
// before and after the step of the navigation: reading where entities are, then setting their positions and
// rotations, and taking events. Beside it the same 10,000 poses set in one call. Between runs a step of all.
#include "bench.h"
#include "bench_project.h"
#include "foundation/math/math.h"
#include "foundation/math/random.h"
#include "navigation/component/navigation_agent_component.h"
#include "navigation_map.h"

enum { COUNT = 10000, WARM_UP = 60, RUNS = 31, TOWN_SIZE = 640, TOWN_BLOCK = 14, TOWN_STREET = 7 };

static const double DT = 1.0 / 60;

static struct {
    navigation_map map;
    ct_entity_manager *entities;
    ct_transform_manager *transforms;
    ct_navigation_world *world;
    ct_navigation_agent_manager *agents;
    ct_entity ids[COUNT];
    ct_transform handles[COUNT];
    ct_vec3 positions[COUNT], scales[COUNT];
    ct_quat rotations[COUNT];
    ct_random random;
} b;

static ct_vec3 random_point(void) {
    for (;;) {
        const uint32_t x = ct_random_below(&b.random, b.map.width),
                       y = ct_random_below(&b.random, b.map.height);
        if (navigation_map_is_ground(&b.map, x, y))
            return navigation_map_point(x, y);
    }
}

static void send_on(void) {
    uint32_t count;
    const ct_navigation_agent_event *const events =
        ct_navigation_agent_take_events(b.agents, &count);
    for (uint32_t i = 0; i < count; ++i) {
        const ct_vec3 goal = random_point();
        if (events[i].type <= CT_NAVIGATION_EVENT_FAILED)
            ct_navigation_agent_move_to(b.agents, &events[i].entity, &goal, 1);
    }
}

// Returns the milliseconds that are not of the navigation itself.
static double step(void) {
    const double start_ns = ct_bench_now_ns();
    ct_navigation_agent_before_step(b.agents, DT);
    const double before_ns = ct_bench_now_ns();
    ct_navigation_world_step(b.world, DT);
    const double after_ns = ct_bench_now_ns();
    ct_navigation_agent_after_step(b.agents, DT);
    const double end_ns = ct_bench_now_ns();
    send_on();
    return (before_ns - start_ns + end_ns - after_ns) / 1e6;
}

static void add_entities(void) {
    ct_navigation_agent_data data;
    ct_schema_defaults(&ct_navigation_agent_schema, &data);
    ct_entity_create(b.entities, b.ids, COUNT);
    for (uint32_t i = 0; i < COUNT; ++i) {
        const ct_vec3 goal = random_point();
        b.positions[i] = random_point();
        b.rotations[i] = ct_quat_identity();
        b.scales[i] = ct_vec3_make(1, 1, 1);
        b.handles[i] = ct_transform_create(b.transforms, b.ids[i], b.positions[i], b.rotations[i],
                                           b.scales[i]);
        ct_navigation_agent_create(b.agents, b.ids[i], &data);
        ct_navigation_agent_move_to(b.agents, &b.ids[i], &goal, 1);
    }
}

static void begin(void) {
    ct_allocator *const heap = ct_bench_heap();
    b.random = ct_random_seeded(33, 6);
    b.map = navigation_map_town(TOWN_SIZE, TOWN_BLOCK, TOWN_STREET);
    b.entities = ct_entity_manager_create(heap);
    b.transforms = ct_transform_manager_create(heap);
    b.world = ct_navigation_world_create(
        &(ct_navigation_world_desc){.allocator = heap, .settings = {.path_polygons = 1000000}});
    b.agents = ct_navigation_agent_manager_create(heap, b.world, b.transforms);
    ct_error error = {0};
    const ct_navigation_instance_desc town = {
        .resource = b.map.resource, .name = {1}, .pose = ct_mat4_identity()};
    if (!ct_navigation_world_add(b.world, &town, &error).id)
        ct_bench_fail("a mesh", error.message);
    add_entities();
    for (uint32_t i = 0; i < WARM_UP; ++i)
        step();
}

static void end(void) {
    ct_navigation_agent_manager_destroy(b.agents);
    ct_navigation_world_destroy(b.world);
    ct_transform_manager_destroy(b.transforms);
    ct_entity_manager_destroy(b.entities);
    navigation_map_free(&b.map);
}

static double run_poses(void) {
    for (uint32_t i = 0; i < COUNT; ++i) {
        b.handles[i] = ct_transform_lookup(b.transforms, b.ids[i]);
        b.positions[i] = ct_transform_local_position(b.transforms, b.handles[i]);
        b.rotations[i] = ct_transform_local_rotation(b.transforms, b.handles[i]);
    }
    const double start_ns = ct_bench_now_ns();
    ct_transform_set_local_poses(b.transforms, b.handles, b.positions, b.rotations, b.scales,
                                 COUNT);
    return (ct_bench_now_ns() - start_ns) / 1e6;
}

static const ct_bench_case cases[] = {
    {.workload = "navigation_component",
     .subject = "before and after a step",
     .peer = "10,000 poses set",
     .unit = "ms",
     .num_runs = RUNS,
     .begin = begin,
     .end = end,
     .run_subject = step,
     .run_peer = run_poses},
};

const ct_bench_group ct_bench_navigation_component = {"navigation", cases, CT_COUNT_OF(cases)};
