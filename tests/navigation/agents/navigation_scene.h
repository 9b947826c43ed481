// navigation_scene.h: small places with agents in them, for tests and for pictures.
//
// A place is a grid of cells of half a metre, closed at first. What is open is where the middles of agents
// may be. The game's part of links is done here: an agent is moved along them in a second.
#pragma once
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "foundation/math/math.h"
#include "navigation/agents/scene_picture.h"
#include "navigation/navigation_agents.h"
#include "navigation/navigation_fixture.h"
#include "support/test_support.h"

enum {
    SCENE_WIDTH = 128,
    SCENE_HEIGHT = 128,
    SCENE_MAX_AGENTS = 1024,
    SCENE_MAX_LINKS = 4,
    SCENE_MAX_MOVERS = 4,
};

#define SCENE_CELL 0.5f
#define SCENE_DT (1.0 / 60)

typedef struct scene {
    char cells[SCENE_HEIGHT][SCENE_WIDTH + 1];
    ct_navigation_link links[SCENE_MAX_LINKS];
    uint32_t num_links;
    ct_navigation_resource *resource;
    ct_navigation_mesh *mesh;
    ct_navigation_paths *paths;
    ct_navigation_agents *agents;
    ct_task_manager *tasks;  // or NULL; the caller's
    ct_allocator *allocator; // of agents; NULL: the test heap
    ct_navigation_mover movers[SCENE_MAX_MOVERS];
    uint32_t num_movers;
    ct_navigation_agent ids[SCENE_MAX_AGENTS];
    float radii[SCENE_MAX_AGENTS];
    float arrived[SCENE_MAX_AGENTS]; // seconds; 0: not yet
    float on_link[SCENE_MAX_AGENTS]; // seconds
    ct_vec3 link_from[SCENE_MAX_AGENTS];
    bool has_goal[SCENE_MAX_AGENTS];
    uint32_t count, num_arrived, num_failed, num_stuck, num_links_taken, step;
    float deepest; // overlap, as a part of the smaller radius
    float last;    // seconds until the last arrived
    float sum;     // of the seconds of all that arrived
    scene_trail trail;
} scene;

static inline scene *scene_create(void) {
    scene *s = (scene *)calloc(1, sizeof(scene));
    for (uint32_t y = 0; y < SCENE_HEIGHT; ++y)
        memset(s->cells[y], '@', SCENE_WIDTH);
    return s;
}

// Opens (or closes) a rectangle; metres.
static inline void scene_fill(scene *s, char c, float x0, float y0, float x1, float y1) {
    for (uint32_t y = (uint32_t)(y0 / SCENE_CELL); (float)y < y1 / SCENE_CELL; ++y)
        for (uint32_t x = (uint32_t)(x0 / SCENE_CELL); (float)x < x1 / SCENE_CELL; ++x)
            s->cells[y][x] = c;
}

static inline void scene_open(scene *s, float x0, float y0, float x1, float y1) {
    scene_fill(s, '.', x0, y0, x1, y1);
}

// Makes mesh, paths and agents of what was opened.
static inline void scene_build(scene *s) {
    const char *rows[SCENE_HEIGHT];
    for (uint32_t y = 0; y < SCENE_HEIGHT; ++y)
        rows[y] = s->cells[y];
    s->resource = navigation_fixture_make(&(navigation_fixture_desc){.rows = rows,
                                                                     .width = SCENE_WIDTH,
                                                                     .height = SCENE_HEIGHT,
                                                                     .cell = SCENE_CELL,
                                                                     .tile_cells = 32,
                                                                     .links = s->links,
                                                                     .num_links = s->num_links});
    s->mesh = ct_navigation_mesh_create(
        &(ct_navigation_mesh_desc){.allocator = test_heap(), .resource = s->resource});
    ct_navigation_mesh_update(s->mesh, UINT32_MAX);
    s->paths = ct_navigation_paths_create(
        &(ct_navigation_paths_desc){.allocator = test_heap(), .mesh = s->mesh, .tasks = s->tasks});
    s->agents = ct_navigation_agents_create(&(ct_navigation_agents_desc){
        .allocator = test_heap(), .mesh = s->mesh, .paths = s->paths, .tasks = s->tasks});
}

static inline void scene_destroy(scene *s) {
    free(s->trail.points);
    ct_navigation_agents_destroy(s->agents);
    ct_navigation_paths_destroy(s->paths);
    ct_navigation_mesh_destroy(s->mesh);
    free(s->resource);
    free(s);
}

static inline ct_navigation_agent_desc scene_walker(float x, float y) {
    return (ct_navigation_agent_desc){.position = ct_vec3_make(x, y, 0), .speed = 1.4f};
}

// Adds an agent that stands.
static inline uint32_t scene_add(scene *s, ct_navigation_agent_desc desc) {
    const uint32_t i = s->count++;
    desc.user = i;
    ct_error error = {.line = 0};
    s->ids[i] = ct_navigation_agents_add(s->agents, &desc, &error);
    if (!s->ids[i].id)
        fprintf(stderr, "%s\n", error.message);
    assert_true(s->ids[i].id);
    s->radii[i] = desc.radius > 0 ? desc.radius : 0.5f;
    return i;
}

static inline void scene_send(scene *s, uint32_t i, float x, float y) {
    const ct_vec3 goal = ct_vec3_make(x, y, 0);
    ct_navigation_agents_move_to(s->agents, &s->ids[i], &goal, 1);
    s->has_goal[i] = true;
    s->arrived[i] = 0;
}

// Adds an agent that walks from a point to another.
static inline uint32_t scene_walk(scene *s, float x, float y, float goal_x, float goal_y) {
    const uint32_t i = scene_add(s, scene_walker(x, y));
    scene_send(s, i, goal_x, goal_y);
    return i;
}

static inline ct_vec3 scene_at(const scene *s, uint32_t i) {
    const ct_navigation_agents_view all = ct_navigation_agents_all(s->agents);
    return all.positions[ct_navigation_agents_index(s->agents, s->ids[i])];
}

static inline uint32_t scene_state(const scene *s, uint32_t i) {
    const ct_navigation_agents_view all = ct_navigation_agents_all(s->agents);
    return all.states[ct_navigation_agents_index(s->agents, s->ids[i])];
}

static inline void scene_events(scene *s) {
    uint32_t count;
    const ct_navigation_event *const events = ct_navigation_agents_events(s->agents, &count);
    for (uint32_t k = 0; k < count; ++k) {
        const uint32_t i = (uint32_t)events[k].user;
        if (events[k].type == CT_NAVIGATION_EVENT_ARRIVED) {
            s->arrived[i] = s->last = (float)(s->step * SCENE_DT);
            s->sum += s->last;
            ++s->num_arrived;
        } else if (events[k].type == CT_NAVIGATION_EVENT_FAILED) {
            ++s->num_failed;
        } else if (events[k].type == CT_NAVIGATION_EVENT_STUCK) {
            ++s->num_stuck;
        } else {
            ++s->num_links_taken;
            s->on_link[i] = 1e-6f;
            s->link_from[i] = scene_at(s, i);
        }
    }
}

static inline void scene_links(scene *s) {
    for (uint32_t i = 0; i < s->count; ++i) {
        if (scene_state(s, i) != CT_NAVIGATION_ON_LINK)
            continue;
        s->on_link[i] += (float)SCENE_DT;
        if (s->on_link[i] > 1) {
            ct_navigation_agents_end_link(s->agents, s->ids[i]);
            continue;
        }
        const ct_navigation_link *const link = &s->links[0];
        const ct_vec3 ends[2] = {ct_vec3_make(link->from[0], link->from[1], link->from[2]),
                                 ct_vec3_make(link->to[0], link->to[1], link->to[2])};
        const bool is_back = ct_vec3_length(ct_vec3_sub(ends[0], s->link_from[i])) >
                             ct_vec3_length(ct_vec3_sub(ends[1], s->link_from[i]));
        const ct_vec3 at = ct_vec3_lerp(s->link_from[i], ends[!is_back], s->on_link[i]);
        ct_navigation_agents_set_positions(s->agents, &s->ids[i], &at, 1);
    }
}

static inline void scene_measure(scene *s) {
    const ct_navigation_agents_view all = ct_navigation_agents_all(s->agents);
    for (uint32_t i = 0; i < all.count; ++i)
        for (uint32_t k = 0; k < i; ++k) {
            if (all.states[i] == CT_NAVIGATION_ON_LINK || all.states[k] == CT_NAVIGATION_ON_LINK)
                continue;
            const ct_vec3 a = all.positions[i], b = all.positions[k];
            const float x = a.x - b.x, y = a.y - b.y;
            const float radius_a = s->radii[all.users[i]], radius_b = s->radii[all.users[k]];
            const float gap = sqrtf(x * x + y * y) - radius_a - radius_b;
            s->deepest = fmaxf(s->deepest, -gap / fminf(radius_a, radius_b));
        }
}

static inline void scene_step(scene *s) {
    for (uint32_t i = 0; i < s->num_movers; ++i)
        s->movers[i].position = ct_vec3_add(s->movers[i].position,
                                            ct_vec3_scale(s->movers[i].velocity, (float)SCENE_DT));
    ct_navigation_agents_set_movers(s->agents, s->movers, s->num_movers);
    ct_navigation_mesh_update(s->mesh, 4);
    ct_navigation_paths_update(s->paths);
    ct_navigation_agents_update(s->agents, SCENE_DT);
    ++s->step;
    scene_events(s);
    scene_links(s);
    scene_measure(s);
    const ct_navigation_agents_view all = ct_navigation_agents_all(s->agents);
    s->trail.width = SCENE_MAX_AGENTS;
    if (s->step % SCENE_TRAIL_STEPS == 1)
        scene_trail_add(&s->trail, all.positions, all.users, all.count);
}

static inline bool scene_is_done(const scene *s) {
    for (uint32_t i = 0; i < s->count; ++i)
        if (s->has_goal[i] && s->arrived[i] == 0)
            return false;
    return true;
}

// Steps until all have arrived, or for so many seconds. Returns whether all have.
static inline bool scene_run(scene *s, float seconds) {
    const uint32_t last = s->step + (uint32_t)(seconds / (float)SCENE_DT);
    while (s->step < last && !scene_is_done(s))
        scene_step(s);
    return scene_is_done(s);
}
