// navigation_campaign.h: random changes of a mesh, and of a twin that was restored from a save of it.
#pragma once
#include <math.h>

#include "foundation/math/math.h"
#include "navigation/mesh/navigation_mesh_checks.h"

enum { CAMPAIGN_SIDE = 40, CAMPAIGN_MOST = 24, CAMPAIGN_LINKS = 8 };

static inline float campaign_number(uint32_t *seed, float least, float most) {
    return least + (most - least) * (float)(test_random(seed) % 10001) / 10000;
}

static inline ct_navigation_obstacle_desc campaign_obstacle(uint32_t *seed) {
    ct_navigation_obstacle_desc d = {.shape = test_random(seed) % CT_NAVIGATION_SHAPE_COUNT,
                                     .position =
                                         ct_vec3_make(campaign_number(seed, -2, CAMPAIGN_SIDE + 2),
                                                      campaign_number(seed, -2, CAMPAIGN_SIDE + 2),
                                                      campaign_number(seed, -1, 1)),
                                     .height = campaign_number(seed, 0.5f, 3),
                                     .area = -1};
    d.angle = test_random(seed) % 3 ? campaign_number(seed, -4, 4) : 0;
    d.half_size = ct_vec2_make(campaign_number(seed, 0.1f, 4), campaign_number(seed, 0.1f, 4));
    if (test_random(seed) % 4 == 0) { // on whole cells
        d.position.x = roundf(d.position.x);
        d.position.y = roundf(d.position.y);
        d.half_size = ct_vec2_make(1.5f, 2.5f);
    }
    if (test_random(seed) % 4 == 0)
        d.area = (int32_t)(test_random(seed) % 4);
    d.num_points = 3 + test_random(seed) % 6;
    for (uint32_t i = 0; i < d.num_points; ++i) {
        const float turn =
            6.2831853f * ((float)i + campaign_number(seed, 0, 0.5f)) / (float)d.num_points;
        d.points[i] = ct_vec2_make(cosf(turn) * d.half_size.x, sinf(turn) * d.half_size.x);
    }
    return d;
}

static inline void campaign_rows(uint32_t *seed, uint32_t walls, char *text, const char **rows) {
    for (uint32_t y = 0; y < CAMPAIGN_SIDE; ++y) {
        rows[y] = text + y * CAMPAIGN_SIDE;
        for (uint32_t x = 0; x < CAMPAIGN_SIDE; ++x)
            text[y * CAMPAIGN_SIDE + x] =
                test_random(seed) % 100 < walls ? '@' : ".........1"[test_random(seed) % 10];
    }
}

typedef struct campaign {
    ct_navigation_resource *resource;
    ct_navigation_mesh *mesh,
        *twin; // restored from the mesh, or NULL; all that changes it changes both
    ct_navigation_obstacle obstacles[CAMPAIGN_MOST];
    ct_navigation_obstacle_desc descs[CAMPAIGN_MOST];
    uint32_t count;
} campaign;

static inline void campaign_start(campaign *c, uint32_t *seed, uint32_t walls) {
    char text[CAMPAIGN_SIDE * CAMPAIGN_SIDE];
    const char *rows[CAMPAIGN_SIDE];
    float heights[CAMPAIGN_SIDE * CAMPAIGN_SIDE];
    campaign_rows(seed, walls, text, rows);
    for (uint32_t i = 0; i < CAMPAIGN_SIDE * CAMPAIGN_SIDE; ++i)
        heights[i] = (float)(test_random(seed) % 40 / 37) * 0.4f;
    ct_navigation_link links[CAMPAIGN_LINKS];
    for (uint32_t i = 0; i < CAMPAIGN_LINKS; ++i)
        links[i] = (ct_navigation_link){
            .id = {i + 1},
            .from = {campaign_number(seed, 0, CAMPAIGN_SIDE),
                     campaign_number(seed, 0, CAMPAIGN_SIDE), 0},
            .to = {campaign_number(seed, 0, CAMPAIGN_SIDE), campaign_number(seed, 0, CAMPAIGN_SIDE),
                   0},
            .radius = campaign_number(seed, 0.1f, 2),
            .classes = 1 + test_random(seed) % 2,
            .flags = test_random(seed) % 4 // closed, both ways
        };
    c->resource = navigation_fixture_make(&(navigation_fixture_desc){
        .rows = rows,
        .width = CAMPAIGN_SIDE,
        .height = CAMPAIGN_SIDE,
        .tile_cells = 9 + test_random(seed) % 10,
        .heights = test_random(seed) % 2 ? heights : NULL,
        .radius = 0.3f,
        .links = links,
        .num_links = CAMPAIGN_LINKS,
    });
    c->mesh = navigation_checks_mesh(c->resource);
    c->twin = NULL;
    c->count = 0;
}

static inline void campaign_stop(campaign *c) {
    ct_navigation_mesh_destroy(c->mesh);
    ct_navigation_mesh_destroy(c->twin);
    free(c->resource);
}

static inline void campaign_change(campaign *c, uint32_t *seed) {
    ct_error error = {.message = ""};
    const uint32_t what = test_random(seed) % 4, i = c->count ? test_random(seed) % c->count : 0;
    if (c->count == 0 || (what < 2 && c->count < CAMPAIGN_MOST)) {
        c->descs[c->count] = campaign_obstacle(seed);
        c->obstacles[c->count] = ct_navigation_add_obstacle(c->mesh, &c->descs[c->count], &error);
        assert_int_not_equal(c->obstacles[c->count].id, 0);
        if (c->twin)
            assert_int_equal(ct_navigation_add_obstacle(c->twin, &c->descs[c->count], &error).id,
                             c->obstacles[c->count].id);
        ++c->count;
    } else if (what == 2) {
        c->descs[i].position.x = campaign_number(seed, 0, CAMPAIGN_SIDE);
        c->descs[i].position.y = campaign_number(seed, 0, CAMPAIGN_SIDE);
        c->descs[i].angle = campaign_number(seed, 0, 6);
        assert_true(ct_navigation_move_obstacle(c->mesh, c->obstacles[i], c->descs[i].position,
                                                c->descs[i].angle, &error));
        if (c->twin)
            ct_navigation_move_obstacle(c->twin, c->obstacles[i], c->descs[i].position,
                                        c->descs[i].angle, &error);
    } else {
        if (c->twin)
            ct_navigation_remove_obstacle(c->twin, c->obstacles[i]);
        ct_navigation_remove_obstacle(c->mesh, c->obstacles[i]);
        assert_false(ct_navigation_obstacle_is_live(c->mesh, c->obstacles[i]));
        c->obstacles[i] = c->obstacles[--c->count];
        c->descs[i] = c->descs[c->count];
    }
}

static inline void campaign_toggle_tile(campaign *c, uint32_t *seed) {
    const uint32_t tile = test_random(seed) % ct_navigation_mesh_class(c->mesh)->tiles.count;
    ct_navigation_mesh *const both[2] = {c->mesh, c->twin};
    const bool removes = test_random(seed) % 2;
    for (uint32_t i = 0; i < 2 && both[i]; ++i)
        if (removes)
            ct_navigation_mesh_remove_tile(both[i], tile);
        else
            ct_navigation_mesh_add_tile(both[i], tile);
}

static inline void campaign_toggle_link(campaign *c, uint32_t *seed) {
    const uint32_t link = test_random(seed) % CAMPAIGN_LINKS;
    const bool closes = test_random(seed) % 2;
    ct_navigation_set_link(c->mesh, link, closes);
    if (c->twin)
        ct_navigation_set_link(c->twin, link, closes);
}

static inline void campaign_obstruct(campaign *c, uint32_t *seed) {
    uint32_t count;
    const ct_navigation_tile *const tiles = ct_navigation_tiles(c->mesh, &count);
    const uint32_t slot = 1 + test_random(seed) % (count - 1);
    if (tiles[slot].num_faces == 0)
        return;
    const ct_navigation_place p =
        CT_NAVIGATION_PLACE(slot, test_random(seed) % tiles[slot].num_faces);
    ct_navigation_set_obstructed(c->mesh, p, true);
    if (c->twin)
        ct_navigation_set_obstructed(c->twin, p, true);
}

// From here on there is a twin, from a save.
static inline void campaign_make_twin(campaign *c) {
    const uint64_t bytes = ct_navigation_mesh_save(c->mesh, NULL);
    void *const saved = malloc(bytes);
    assert_int_equal(ct_navigation_mesh_save(c->mesh, saved), bytes);
    ct_navigation_mesh_destroy(c->twin);
    c->twin = navigation_checks_mesh(c->resource);
    ct_error error = {.message = ""};
    assert_true(ct_navigation_mesh_restore(c->twin, saved, bytes, &error));
    free(saved);
}

static inline void campaign_update(campaign *c, uint32_t tiles) {
    const uint32_t left = ct_navigation_mesh_update(c->mesh, tiles);
    navigation_checks_all(c->mesh);
    if (!c->twin)
        return;
    assert_int_equal(ct_navigation_mesh_update(c->twin, tiles), left);
    navigation_checks_all(c->twin);
    navigation_checks_same(c->mesh, c->twin);
}

// Adds what is not there, and rebuilds all that was obstructed.
static inline void campaign_finish(campaign *c) {
    ct_error error = {.message = ""};
    for (uint32_t i = 0; i < ct_navigation_mesh_class(c->mesh)->tiles.count; ++i) {
        ct_navigation_mesh_add_tile(c->mesh, i);
        if (c->twin)
            ct_navigation_mesh_add_tile(c->twin, i);
    }
    const ct_navigation_obstacle_desc all = {
        .half_size = {{2 * CAMPAIGN_SIDE, 2 * CAMPAIGN_SIDE}}, .height = 9, .area = -1};
    ct_navigation_mesh *const both[2] = {c->mesh, c->twin};
    for (uint32_t i = 0; i < 2 && both[i]; ++i) {
        const ct_navigation_obstacle o = ct_navigation_add_obstacle(both[i], &all, &error);
        ct_navigation_mesh_update(both[i], UINT32_MAX);
        ct_navigation_remove_obstacle(both[i], o);
    }
    campaign_update(c, 3);
    while (ct_navigation_mesh_update(c->mesh, 3))
        if (c->twin)
            ct_navigation_mesh_update(c->twin, 3);
    campaign_update(c, UINT32_MAX);
}

static inline void campaign_compare(campaign *c) {
    ct_navigation_mesh *const fresh = navigation_checks_mesh(c->resource);
    ct_error error = {.message = ""};
    for (uint32_t i = 0; i < CAMPAIGN_LINKS; ++i)
        ct_navigation_set_link(fresh, i, ct_navigation_link_is_closed(c->mesh, i));
    for (uint32_t i = c->count; i-- > 0;) // in another order
        ct_navigation_add_obstacle(fresh, &c->descs[i], &error);
    assert_int_equal(ct_navigation_mesh_update(fresh, UINT32_MAX), 0);
    navigation_checks_same(c->mesh, fresh);
    ct_navigation_mesh_destroy(fresh);
}
