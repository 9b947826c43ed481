// navigation_scenes.h: the named scenes of avoidance. Each has goals that all reach within a bound.
#pragma once
#include "navigation/agents/navigation_scene.h"

#include <math.h>

#include "foundation/math/math.h"

static inline void scene_head_on(scene *s) { // 4 against 4 in a corridor where 2 can pass
    scene_open(s, 2, 10, 42, 12);
    scene_build(s);
    for (uint32_t i = 0; i < 4; ++i) {
        scene_walk(s, 4 + 1.5f * (float)i, 11, 40 - 1.5f * (float)i, 11);
        scene_walk(s, 40 - 1.5f * (float)i, 11, 4 + 1.5f * (float)i, 11);
    }
}

static inline void scene_circle(scene *s) {
    scene_open(s, 1, 1, 61, 61);
    scene_build(s);
    for (uint32_t i = 0; i < 100; ++i) {
        const float x = 24 * cosf((float)i * 6.2831853f / 100);
        const float y = 24 * sinf((float)i * 6.2831853f / 100);
        scene_walk(s, 31 + x, 31 + y, 31 - x, 31 - y);
    }
}

static inline void scene_crossing(scene *s) { // 24 to the right, 24 upwards
    scene_open(s, 1, 1, 51, 51);
    scene_build(s);
    for (uint32_t i = 0; i < 24; ++i) {
        const float across = 22 + 1.6f * (float)(i % 4), along = 3 + 1.6f * (float)(i / 4);
        scene_walk(s, along, across, along + 36, across);
        scene_walk(s, across, along, across, along + 36);
    }
}

static inline void scene_doorway(scene *s) { // 24 through a door for one
    scene_open(s, 1, 1, 21, 21);
    scene_open(s, 23, 1, 43, 21);
    scene_open(s, 21, 11, 23, 11.5f);
    scene_build(s);
    for (uint32_t i = 0; i < 24; ++i)
        scene_walk(s, 6 + 1.4f * (float)(i % 4), 7 + 1.4f * (float)(i / 4),
                   34 + 1.4f * (float)(i % 4), 7 + 1.4f * (float)(i / 4));
}

static inline void scene_both_ways(scene *s) { // 5 against 5 through a door for one
    scene_open(s, 1, 1, 21, 21);
    scene_open(s, 21.5f, 1, 43, 21);
    scene_open(s, 21, 11, 21.5f, 11.5f);
    scene_build(s);
    for (uint32_t i = 0; i < 5; ++i) {
        scene_walk(s, 12, 8 + 1.4f * (float)i, 30, 8 + 1.4f * (float)i);
        scene_walk(s, 30, 8 + 1.4f * (float)i, 12, 8 + 1.4f * (float)i);
    }
}

static inline void scene_standing(scene *s) { // 3 through 36 that stand close
    scene_open(s, 1, 1, 41, 31);
    scene_build(s);
    for (uint32_t i = 0; i < 36; ++i)
        scene_add(s, scene_walker(17 + 1.3f * (float)(i % 6), 11 + 1.3f * (float)(i / 6)));
    for (uint32_t i = 0; i < 3; ++i)
        scene_walk(s, 5, 12 + 2.3f * (float)i, 35, 12 + 2.3f * (float)i);
}

static inline void scene_mover(scene *s) { // 6 across the way of two cars
    scene_open(s, 1, 1, 41, 31);
    scene_build(s);
    for (uint32_t i = 0; i < 6; ++i)
        scene_walk(s, 4, 8 + 2 * (float)i, 36, 8 + 2 * (float)i);
    s->num_movers = 2;
    s->movers[0] = (ct_navigation_mover){.position = ct_vec3_make(18, -6, 0),
                                         .velocity = ct_vec3_make(0, 2, 0),
                                         .radius = 1.2f,
                                         .height = 2};
    s->movers[1] = (ct_navigation_mover){.position = ct_vec3_make(26, 40, 0),
                                         .velocity = ct_vec3_make(0, -2, 0),
                                         .radius = 1.2f,
                                         .height = 2};
}

static inline void scene_overtaking(scene *s) { // 4 fast ones behind a slow one
    scene_open(s, 1, 10, 51, 13);
    scene_build(s);
    ct_navigation_agent_desc slow = scene_walker(10, 11.5f);
    slow.speed = 0.4f;
    scene_send(s, scene_add(s, slow), 20, 11.5f);
    for (uint32_t i = 0; i < 4; ++i)
        scene_walk(s, 3 + 1.3f * (float)i, 11.5f, 42 + 1.3f * (float)i, 11.5f);
}

static inline void scene_corner(scene *s) { // 16 around a corner
    scene_open(s, 2, 2, 24, 5);
    scene_open(s, 21, 2, 24, 24);
    scene_build(s);
    for (uint32_t i = 0; i < 16; ++i) {
        const float along = 3 + 1.3f * (float)(i / 2), across = i % 2 ? 2.8f : 4.2f;
        scene_walk(s, along, across, across + 19, along + 10);
    }
}

static inline void scene_priorities(scene *s) { // 12 important ones against 12
    scene_open(s, 1, 1, 51, 31);
    scene_build(s);
    for (uint32_t i = 0; i < 12; ++i) {
        const float x = 4 + 1.6f * (float)(i / 4), y = 11 + 2.4f * (float)(i % 4);
        ct_navigation_agent_desc important = scene_walker(x, y);
        important.priority = 4;
        scene_send(s, scene_add(s, important), x + 36, y);
        scene_walk(s, 46 - x + 4, y, 10 - x + 4, y);
    }
}

static inline void scene_link(scene *s) { // 6 over a gap, 3 the other way
    scene_open(s, 1, 1, 15, 15);
    scene_open(s, 19, 1, 33, 15);
    s->links[0] = (ct_navigation_link){.id = {1},
                                       .kind = {2},
                                       .from = {14.5f, 8, 0},
                                       .to = {19.5f, 8, 0},
                                       .radius = 0.5f,
                                       .cost = 1,
                                       .classes = 1,
                                       .flags = CT_NAVIGATION_LINK_BOTH_WAYS};
    s->num_links = 1;
    scene_build(s);
    for (uint32_t i = 0; i < 6; ++i)
        scene_walk(s, 4 + 1.5f * (float)(i % 2), 5 + 2 * (float)(i / 2), 28 + 1.5f * (float)(i % 2),
                   5 + 2 * (float)(i / 2));
    for (uint32_t i = 0; i < 3; ++i)
        scene_walk(s, 28, 4 + 4 * (float)i, 4, 4 + 4 * (float)i);
}

static inline void scene_long_corridor(scene *s) { // 4 against 4 through 30 m for one
    scene_open(s, 1, 5, 11, 15);
    scene_open(s, 41, 5, 51, 15);
    scene_open(s, 11, 10, 41, 10.5f);
    scene_build(s);
    for (uint32_t i = 0; i < 4; ++i) {
        scene_walk(s, 8, 7 + 1.4f * (float)i, 44 + 1.4f * (float)i, 8);
        scene_walk(s, 44, 7 + 1.4f * (float)i, 8 - 1.4f * (float)i, 8);
    }
}

static inline void scene_winding_corridor(scene *s) { // 3 against 3 through 16 bends for one
    scene_open(s, 1, 1, 9, 11);
    scene_open(s, 41, 1, 49, 11);
    for (uint32_t i = 0; i < 16; ++i) {
        const float x = 9 + 2 * (float)i, y = i % 2 ? 8.5f : 3;
        scene_open(s, x, y, x + 2.5f, y + 0.5f);
        scene_open(s, x + 2, 3, x + 2.5f, 9);
    }
    scene_build(s);
    for (uint32_t i = 0; i < 3; ++i) {
        scene_walk(s, 6, 3 + 1.4f * (float)i, 44 + 1.4f * (float)i, 9);
        scene_walk(s, 44, 3 + 1.4f * (float)i, 6 - 1.4f * (float)i, 9);
    }
}

static inline void scene_tee(scene *s) { // 5 from each side into one narrow way
    scene_open(s, 1, 10, 41, 12);
    scene_open(s, 20.5f, 12, 21, 22);
    scene_open(s, 11, 22, 31, 32);
    scene_build(s);
    for (uint32_t i = 0; i < 5; ++i) {
        scene_walk(s, 3 + 1.4f * (float)i, 11, 14 + 1.4f * (float)i, 27);
        scene_walk(s, 39 - 1.4f * (float)i, 11, 28 - 1.4f * (float)i, 29);
    }
}

static inline void scene_four_ways(scene *s) { // 6 from each of four corridors over a crossing
    scene_open(s, 1, 20, 41, 23);
    scene_open(s, 20, 1, 23, 41);
    scene_build(s);
    for (uint32_t i = 0; i < 6; ++i) {
        const float along = 3 + 1.5f * (float)(i / 2), across = i % 2 ? 20.8f : 22.2f;
        scene_walk(s, along, across, 40 - along, across);
        scene_walk(s, 42 - along - 1, across, along, across);
        scene_walk(s, across, along, across, 40 - along);
        scene_walk(s, across, 42 - along - 1, across, along);
    }
}

// 8 where three that never move close one of two doors; they learn it when they are stuck.
static inline void scene_closed_door(scene *s) {
    scene_open(s, 1, 1, 21, 21);
    scene_open(s, 23, 1, 43, 21);
    scene_open(s, 21, 9, 23, 11);
    scene_open(s, 21, 16, 23, 18);
    scene_build(s);
    for (uint32_t i = 0; i < 3; ++i) {
        ct_navigation_agent_desc post = scene_walker(22, 9 + (float)i);
        post.speed = 0;
        scene_add(s, post);
    }
    for (uint32_t i = 0; i < 8; ++i)
        scene_walk(s, 12 + 1.4f * (float)(i % 4), 9 + 1.4f * (float)(i / 4),
                   30 + 1.4f * (float)(i % 4), 9 + 1.4f * (float)(i / 4));
}

typedef struct scene_row {
    const char *name;
    void (*make)(scene *s);
    float seconds;  // until the last has arrived, at most
    uint32_t stuck; // events, at most
} scene_row;

static const scene_row SCENES[] = {
    {"head-on in a corridor", scene_head_on, 28, 0},
    {"circle swap of 100", scene_circle, 58, 45},
    {"crossing streams", scene_crossing, 32, 0},
    {"doorway", scene_doorway, 48, 0},
    {"doorway both ways", scene_both_ways, 42, 2},
    {"standing crowd", scene_standing, 24, 0},
    {"moving obstacle", scene_mover, 31, 0},
    {"overtaking a slow one", scene_overtaking, 30, 0},
    {"corner", scene_corner, 24, 0},
    {"two classes of priority", scene_priorities, 33, 0},
    {"links", scene_link, 27, 0},
    {"long corridor both ways", scene_long_corridor, 65, 8},
    {"winding corridor both ways", scene_winding_corridor, 205, 20},
    {"two streams into one", scene_tee, 41, 0},
    {"crossing of four corridors", scene_four_ways, 48, 24},
    {"closed door", scene_closed_door, 42, 20},
};
