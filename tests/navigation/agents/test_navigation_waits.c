// Narrow places with streams that never end: each agent that has arrived is put back to where it began, and walks
// again. However many come, all get on: no agent gets nowhere for longer than a bound.
#include <math.h>

#include "foundation/math/math.h"
#include "navigation/agents/navigation_scene.h"

enum { MAX_STREAMS = 4, SECONDS = 120 };

static const float MOVED_METRES = 0.5f; // is getting somewhere

// Agents that walk from one place to another, again and again.
typedef struct stream {
    float x, y, goal_x, goal_y;
    uint32_t count, row; // agents; agents in a row, at the start
} stream;

typedef struct wait_row {
    const char *name;
    void (*open)(scene *s);
    stream streams[MAX_STREAMS];
    float most_seconds; // in which an agent may get nowhere
} wait_row;

typedef struct watched {
    ct_vec3 at;
    float still;
} watched;

typedef struct waits {
    watched agents[SCENE_MAX_AGENTS];
    uint32_t streams[SCENE_MAX_AGENTS], arrived[MAX_STREAMS];
    float longest[MAX_STREAMS];
} waits;

static void door(scene *s) { // of 2 m between two rooms
    scene_open(s, 1, 1, 21, 21);
    scene_open(s, 23, 1, 43, 21);
    scene_open(s, 21, 11, 23, 11.5f);
    scene_build(s);
}

static void bend(scene *s) { // a way for one around two corners
    scene_open(s, 1, 1, 15, 21);
    scene_open(s, 23, 1, 43, 21);
    scene_open(s, 15, 6, 19, 6.5f);
    scene_open(s, 19, 6, 19.5f, 13);
    scene_open(s, 19, 12.5f, 23, 13);
    scene_build(s);
}

static void doors(scene *s) { // two doors, one after another, with 20 m between them
    scene_open(s, 1, 1, 11, 21);
    scene_open(s, 13, 1, 33, 21);
    scene_open(s, 35, 1, 45, 21);
    scene_open(s, 11, 11, 13, 11.5f);
    scene_open(s, 33, 11, 35, 11.5f);
    scene_build(s);
}

static void posts(scene *s) { // three doors beside each other, along a wall
    scene_open(s, 1, 1, 43, 11);
    scene_open(s, 1, 13, 43, 23);
    for (uint32_t i = 0; i < 3; ++i)
        scene_open(s, 20 + 1.5f * (float)i, 11, 20.5f + 1.5f * (float)i, 13);
    scene_build(s);
}

static void post(scene *s) { // a door for four, around whose one post all go
    scene_open(s, 1, 1, 40, 11);
    scene_open(s, 1, 12.5f, 30, 25);
    scene_open(s, 14, 11, 18, 12.5f);
    scene_build(s);
}

static void arcade(scene *s) { // a corner of a street for four
    scene_open(s, 1, 1, 30, 5);
    scene_open(s, 26, 1, 30, 40);
    scene_build(s);
}

static const wait_row ROWS[] = {
    {"around a post", post, {{3, 15, 3, 4, 20, 5}, {2, 3, 4, 22, 20, 5}}, 7},
    {"around a post on the other side", post, {{20, 15, 30, 4, 20, 5}, {30, 3, 25, 22, 20, 5}}, 7},
    {"around a corner", arcade, {{2, 2, 28, 38, 15, 5}, {26.5f, 30, 2, 3, 15, 3}}, 9},
    {"one against a stream", door, {{4, 4, 38, 12, 14, 3}, {36, 9, 6, 14, 1, 1}}, 9},
    {"three against a stream", door, {{4, 4, 38, 12, 14, 3}, {36, 9, 6, 14, 3, 3}}, 17},
    {"two streams", door, {{4, 4, 38, 12, 10, 3}, {32, 4, 6, 14, 10, 3}}, 16},
    {"around corners", bend, {{2, 8, 38, 12, 9, 3}, {28, 9, 6, 14, 3, 3}}, 20},
    {"two doors in a row", doors, {{2, 4, 43, 12, 6, 3}, {38, 6, 28, 16, 3, 3}}, 12},
    {"three doors", posts, {{3, 3, 8, 20, 12, 4}, {30, 20, 30, 4, 4, 4}, {16, 20, 12, 4, 4, 4}}, 9},
};

static void put(scene *s, uint32_t i, const stream *from, uint32_t place) {
    const ct_vec3 at = ct_vec3_make(from->x + 1.4f * (float)(place % from->row),
                                    from->y + 1.4f * (float)(place / from->row), 0);
    ct_navigation_agents_set_positions(s->agents, &s->ids[i], &at, 1);
    scene_send(s, i, from->goal_x, from->goal_y);
}

static void add_streams(scene *s, waits *w, const wait_row *row) {
    for (uint32_t k = 0; k < MAX_STREAMS; ++k)
        for (uint32_t n = 0; n < row->streams[k].count; ++n) {
            ct_navigation_agent_desc desc = scene_walker(row->streams[k].x, row->streams[k].y);
            desc.speed = 1.2f + 0.07f * (float)(s->count * 7 % 10);
            const uint32_t i = scene_add(s, desc);
            w->streams[i] = k;
            put(s, i, &row->streams[k], n);
            w->agents[i].at = scene_at(s, i);
        }
}

static void watch(scene *s, waits *w, const wait_row *row) {
    uint32_t numbers[MAX_STREAMS] = {0};
    for (uint32_t i = 0; i < s->count; ++i) {
        const uint32_t k = w->streams[i], number = numbers[k]++;
        watched *const one = &w->agents[i];
        const ct_vec3 at = scene_at(s, i);
        const uint32_t state = scene_state(s, i);
        if (state == CT_NAVIGATION_ARRIVED) {
            ++w->arrived[k];
            put(s, i, &row->streams[k], number);
        }
        if (fabsf(at.x - one->at.x) + fabsf(at.y - one->at.y) > MOVED_METRES ||
            state == CT_NAVIGATION_ARRIVED)
            *one = (watched){.at = scene_at(s, i)};
        one->still += (float)SCENE_DT;
        w->longest[k] = fmaxf(w->longest[k], one->still);
    }
}

static void all_get_on(void **state) {
    const wait_row *const row = (const wait_row *)*state;
    scene *const s = scene_create();
    waits *const w = (waits *)calloc(1, sizeof(waits));
    row->open(s);
    add_streams(s, w, row);
    for (uint32_t step = 0; step < 60 * SECONDS; ++step) {
        scene_step(s);
        watch(s, w, row);
    }
    assert_int_equal(s->num_failed, 0);
    printf("%s: nowhere for at most", row->name);
    for (uint32_t k = 0; k < MAX_STREAMS && row->streams[k].count; ++k)
        printf(" %.1f s (%u arrived)", (double)w->longest[k], w->arrived[k]);
    printf(" of %.0f; stuck %u times, overlap %.3f\n", (double)row->most_seconds, s->num_stuck,
           (double)s->deepest);
    if (scene_picture_folder())
        scene_picture_write(&s->trail, row->name, s->cells[0], SCENE_WIDTH, SCENE_HEIGHT,
                            SCENE_WIDTH + 1, SCENE_CELL, s->radii, s->count);
    for (uint32_t k = 0; k < MAX_STREAMS && row->streams[k].count; ++k)
        assert_true(w->longest[k] < row->most_seconds);
    free(w);
    scene_destroy(s);
}

int main(int argc, char **argv) {
    struct CMUnitTest tests[CT_COUNT_OF(ROWS)];
    for (uint32_t i = 0; i < CT_COUNT_OF(ROWS); ++i)
        tests[i] = (struct CMUnitTest){.name = ROWS[i].name,
                                       .test_func = all_get_on,
                                       .initial_state = (void *)(uintptr_t)&ROWS[i]};
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
