// course.h: the obstacle course of movers, as data: stations made of pieces.
//
// A mover starts a station at its origin, at the skin's distance above z = 0 (unless the station says
// otherwise), and walks along y. Z is up. Metres, degrees, kilograms. Tests, benchmarks and samples
// build it; expected positions are in the tests.
#pragma once
#include "foundation/types.h"

typedef enum course_shape {
    COURSE_BOX,      // `position`: its middle; `size`: half of it
    COURSE_CYLINDER, // `position`: its middle; `size`: radius, half height
    COURSE_PROFILE,  // triangles: a line in the y z plane, as wide as `size[0]` to both sides
    COURSE_BUMPS,    // a height field of 65 x 65. `size`: spacing, height of the bumps
} course_shape;

typedef enum course_body { COURSE_STATIC, COURSE_KINEMATIC, COURSE_DYNAMIC } course_body;

// A line from (0, 0) on, in the y z plane, that is stretched along x to a strip of triangles.
typedef struct course_profile {
    float points[24][2]; // y, z
    uint32_t count;
    uint32_t columns; // of cells across
    uint32_t rows;    // of cells along each part of the line
} course_profile;

typedef struct course_piece {
    uint32_t shape, body;
    float position[3], size[3];
    float turned[3];         // degrees about x, then y, then z
    float mass, friction;    // of dynamic pieces; friction 0: 0.5
    float velocity[3], spin; // of kinematic pieces: m/s, degrees/s about z
    const course_profile *profile;
} course_piece;

typedef struct course_station {
    const char *name;
    const course_piece *pieces;
    uint32_t count;
} course_station;

#define COURSE_FLOOR                                                                               \
    {                                                                                              \
        .position = {0, 8, -0.5f}, .size = { 6, 12, 0.5f }                                         \
    }
#define COURSE_STATION(text, array)                                                                \
    { text, array, sizeof(array) / sizeof((array)[0]) }

static const course_piece course_flat[] = {COURSE_FLOOR};

// For many movers at once.
static const course_piece course_wide_floor[] = {
    {.position = {-50, -50, -0.5f}, .size = {50, 50, 0.5f}},
    {.position = {50, -50, -0.5f}, .size = {50, 50, 0.5f}},
    {.position = {-50, 50, -0.5f}, .size = {50, 50, 0.5f}},
    {.position = {50, 50, -0.5f}, .size = {50, 50, 0.5f}},
};

// Steps 0.2 high and 0.3 deep from y = 2 on; at the top a landing up to y = 8.
static const course_piece course_stairs[] = {
    COURSE_FLOOR,
    {.position = {0, 5, 0.1f}, .size = {1, 3, 0.1f}},
    {.position = {0, 5.15f, 0.3f}, .size = {1, 2.85f, 0.1f}},
    {.position = {0, 5.3f, 0.5f}, .size = {1, 2.7f, 0.1f}},
    {.position = {0, 5.45f, 0.7f}, .size = {1, 2.55f, 0.1f}},
    {.position = {0, 5.6f, 0.9f}, .size = {1, 2.4f, 0.1f}},
    {.position = {0, 5.75f, 1.1f}, .size = {1, 2.25f, 0.1f}},
    {.position = {0, 5.9f, 1.3f}, .size = {1, 2.1f, 0.1f}},
    {.position = {0, 6.05f, 1.5f}, .size = {1, 1.95f, 0.1f}},
};
static const course_piece course_step_too_high[] = {
    COURSE_FLOOR,
    {.position = {0, 5, 0.17f}, .size = {2, 2, 0.17f}},
};
static const course_piece course_step_just_fits[] = {
    COURSE_FLOOR,
    {.position = {0, 5, 0.145f}, .size = {2, 2, 0.145f}},
};
// Ramps are boxes whose upper faces meet the ground at y = 2.
static const course_piece course_ramp_below_limit[] = {
    COURSE_FLOOR,
    {.position = {0, 3.776956f, 1.045193f}, .size = {2, 3, 0.5f}, .turned = {44.5f, 0, 0}},
};
static const course_piece course_ramp_above_limit[] = {
    COURSE_FLOOR,
    {.position = {0, 3.758444f, 1.076046f}, .size = {2, 3, 0.5f}, .turned = {45.5f, 0, 0}},
};
static const course_piece course_ramp_steep[] = {
    COURSE_FLOOR,
    {.position = {0, 3.933013f, 2.348076f}, .size = {2, 4, 0.5f}, .turned = {60, 0, 0}},
};
static const course_piece course_ramp_easy[] = {
    COURSE_FLOOR,
    {.position = {0, 3.808846f, 0.4669873f}, .size = {2, 2.8188f, 0.5f}, .turned = {30, 0, 0}},
    {.position = {0, 8, 1.3094011f}, .size = {2, 2, 1}}, // a landing at z = 2.31, from y = 6 on
};
// The easy ramp, under a ceiling at z = 2.5.
static const course_piece course_ramp_under_ceiling[] = {
    COURSE_FLOOR,
    {.position = {0, 3.8088457f, 0.4669873f}, .size = {4, 2.8188f, 0.5f}, .turned = {30, 0, 0}},
    {.position = {0, 5, 2.75f}, .size = {4, 4, 0.25f}},
};
static const course_piece course_inner_corner[] = {
    COURSE_FLOOR,
    {.position = {0, 3.5f, 1.5f}, .size = {5, 0.5f, 1.5f}}, // wall at y = 3
    {.position = {2.5f, 0, 1.5f}, .size = {0.5f, 5, 1.5f}}, // wall at x = 2
};
static const course_piece course_outer_corner[] = {
    COURSE_FLOOR, {.position = {1.2f, 4, 1.5f}, .size = {1, 1, 1.5f}}, // corner at 0.2, 3
};
// Walls that meet at y = 4 in an angle of 60 degrees.
static const course_piece course_acute_corner[] = {
    COURSE_FLOOR,
    {.position = {2.4330127f, 0.7858984f, 1.5f}, .size = {0.5f, 4, 1.5f}, .turned = {0, 0, 30}},
    {.position = {-2.4330127f, 0.7858984f, 1.5f}, .size = {0.5f, 4, 1.5f}, .turned = {0, 0, -30}},
};
// A valley along y between two slopes of 60 degrees that meet at z = 0.
static const course_profile course_valley_profile = {
    .points = {{-2, 3.4641016f}, {0, 0}, {2, 3.4641016f}}, .count = 3, .columns = 4, .rows = 3};
static const course_piece course_crease[] = {
    {.shape = COURSE_PROFILE, .size = {8}, .turned = {0, 0, 90}, .profile = &course_valley_profile},
};
static const course_piece course_low_ceiling[] = {
    COURSE_FLOOR,
    {.position = {0, 5, 2.2f}, .size = {3, 2, 0.5f}}, // 1.7 m above ground from y = 3 to 7
};
static const course_piece course_high_enough_ceiling[] = {
    COURSE_FLOOR, {.position = {0, 5, 2.35f}, .size = {3, 2, 0.5f}}, // 1.85 m above ground
};
// A ceiling that sinks along y by 30 degrees: 1.9 m high at y = 2.
static const course_piece course_sloped_ceiling[] = {
    COURSE_FLOOR,
    {.position = {0, 2.25f, 2.3330127f}, .size = {3, 4, 0.5f}, .turned = {-30, 0, 0}},
};
static const course_piece course_platform_sideways[] = {
    {.body = COURSE_KINEMATIC,
     .position = {0, 0, -0.25f},
     .size = {2, 2, 0.25f},
     .velocity = {1.5f, 0.5f, 0}},
};
static const course_piece course_platform_rising[] = {
    {.body = COURSE_KINEMATIC,
     .position = {0, 0, -0.25f},
     .size = {2, 2, 0.25f},
     .velocity = {0, 0, 2}},
};
static const course_piece course_platform_with_step[] = {
    {.body = COURSE_KINEMATIC,
     .position = {0, 0, -0.25f},
     .size = {2, 4, 0.25f},
     .velocity = {0, 0, 2}},
    {.body = COURSE_KINEMATIC,
     .position = {0, 2.2f, 0.145f},
     .size = {2, 1, 0.145f},
     .velocity = {0, 0, 2}},
};
static const course_piece course_platform_sinking[] = {
    {.body = COURSE_KINEMATIC,
     .position = {0, 0, -0.25f},
     .size = {2, 2, 0.25f},
     .velocity = {0, 0, -4}},
};
// A disc that turns about a point 2 m beside the mover.
static const course_piece course_platform_turning[] = {
    {.shape = COURSE_CYLINDER,
     .body = COURSE_KINEMATIC,
     .position = {-2, 0, -0.25f},
     .size = {4, 0.25f},
     .spin = 45},
};
static const course_piece course_platform_crushing[] = {
    {.body = COURSE_KINEMATIC,
     .position = {0, 0, -0.25f},
     .size = {2, 2, 0.25f},
     .velocity = {0, 0, 1}},
    {.position = {0, 0, 3}, .size = {2, 2, 0.5f}}, // a ceiling at 2.5 m
};
static const course_piece course_thin_wall[] = {
    COURSE_FLOOR,
    {.position = {0, 4, 1.5f}, .size = {4, 0.005f, 1.5f}},
};
static const course_profile course_floor_profile = {
    .points = {{-2, 0}, {18, 0}}, .count = 2, .columns = 24, .rows = 40};
static const course_piece course_mesh_floor[] = {
    {.shape = COURSE_PROFILE, .size = {6}, .profile = &course_floor_profile},
};
// Flat, up by 20 degrees, flat, and down again.
static const course_profile course_hill_profile = {
    .points = {{-2, 0}, {2, 0}, {5, 1.0919107f}, {7, 1.0919107f}, {10, 0}, {14, 0}},
    .count = 6,
    .columns = 12,
    .rows = 6};
static const course_piece course_mesh_hill[] = {
    {.shape = COURSE_PROFILE, .size = {3}, .profile = &course_hill_profile},
};
// A roof: up by 30 degrees and down again.
static const course_profile course_ridge_profile = {
    .points = {{-2, 0}, {2, 0}, {5, 1.7320508f}, {8, 0}, {14, 0}},
    .count = 5,
    .columns = 8,
    .rows = 4};
static const course_piece course_mesh_ridge[] = {
    {.shape = COURSE_PROFILE, .size = {3}, .profile = &course_ridge_profile},
};
// Stairs as triangles: five steps of 0.25.
static const course_profile course_mesh_stairs_profile = {.points = {{-2, 0},
                                                                     {2, 0},
                                                                     {2, 0.25f},
                                                                     {2.4f, 0.25f},
                                                                     {2.4f, 0.5f},
                                                                     {2.8f, 0.5f},
                                                                     {2.8f, 0.75f},
                                                                     {3.2f, 0.75f},
                                                                     {3.2f, 1},
                                                                     {3.6f, 1},
                                                                     {3.6f, 1.25f},
                                                                     {10, 1.25f}},
                                                          .count = 12,
                                                          .columns = 10,
                                                          .rows = 3};
static const course_piece course_mesh_stairs[] = {
    {.shape = COURSE_PROFILE, .size = {3}, .profile = &course_mesh_stairs_profile},
};
// A floor and a wall of triangles at y = 3.
static const course_profile course_mesh_wall_profile = {
    .points = {{-2, 0}, {3, 0}, {3, 3}}, .count = 3, .columns = 30, .rows = 7};
static const course_piece course_mesh_wall[] = {
    {.shape = COURSE_PROFILE, .size = {8}, .profile = &course_mesh_wall_profile},
};
static const course_piece course_bumps[] = {
    {.shape = COURSE_BUMPS, .position = {0, 8, 0}, .size = {0.5f, 0.3f}},
};
static const course_piece course_gap_in_floor[] = {
    {.position = {0, -0.5f, -0.5f}, .size = {3, 2.5f, 0.5f}}, // up to y = 2
    {.position = {0, 7.3f, -0.5f}, .size = {3, 5, 0.5f}},     // from y = 2.3
};
static const course_piece course_gap_in_wall[] = {
    COURSE_FLOOR,
    {.position = {-2.35f, 3.5f, 1.5f}, .size = {2, 0.5f, 1.5f}}, // up to x = -0.35
    {.position = {2.35f, 3.5f, 1.5f}, .size = {2, 0.5f, 1.5f}},
};
static const course_piece course_ledge[] = {
    {.position = {0, 0, -0.5f}, .size = {3, 2, 0.5f}},
    {.position = {0, 8, -2.5f}, .size = {3, 8, 0.5f}}, // 2 m below
};
static const course_piece course_overhang[] = {
    COURSE_FLOOR, {.position = {0, 0, 2.75f}, .size = {2, 2, 0.25f}}, // 2.5 m above ground
};
static const course_piece course_crate[] = {
    COURSE_FLOOR,
    {.body = COURSE_DYNAMIC,
     .position = {0, 2, 0.5f},
     .size = {0.5f, 0.5f, 0.5f},
     .mass = 30,
     .friction = 0.3f},
};
static const course_piece course_crate_too_heavy[] = {
    COURSE_FLOOR,
    {.body = COURSE_DYNAMIC,
     .position = {0, 2, 0.5f},
     .size = {0.5f, 0.5f, 0.5f},
     .mass = 800,
     .friction = 0.8f},
};
static const course_piece course_kinematic_wall[] = {
    COURSE_FLOOR,
    {.body = COURSE_KINEMATIC,
     .position = {0, -1, 1.5f},
     .size = {2, 0.25f, 1.4f},
     .velocity = {0, 1, 0}},
};
static const course_piece course_crushing_wall[] = {
    COURSE_FLOOR,
    {.position = {0, 2.5f, 1.5f}, .size = {4, 0.5f, 1.5f}}, // wall at y = 2
    {.body = COURSE_KINEMATIC,
     .position = {0, -1, 1.5f},
     .size = {2, 0.25f, 1.4f},
     .velocity = {0, 1, 0}},
};
static const course_piece course_crawl[] = {
    COURSE_FLOOR,
    {.position = {0, 5, 1.7f}, .size = {3, 2, 0.5f}}, // 1.2 m above ground from y = 3 to 7
};
static const course_piece course_block[] = {
    COURSE_FLOOR, {.position = {0, 0.7f, 1}, .size = {0.5f, 0.5f, 1}}, // its face at y = 0.2
};
// 0.84 m wide: a radius of 0.4 and a skin of 0.02 fit twice.
static const course_piece course_doorway[] = {
    COURSE_FLOOR,
    {.position = {-2.42f, 3, 1.5f}, .size = {2, 0.3f, 1.5f}},
    {.position = {2.42f, 3, 1.5f}, .size = {2, 0.3f, 1.5f}},
};
// Steps around a point 2 m to the left, 20 degrees and 0.2 m each.
#define COURSE_TREAD(degrees, x, y, z)                                                             \
    {                                                                                              \
        .position = {x, y, z}, .size = {1, 0.45f, 0.1f}, .turned = { 0, 0, degrees }               \
    }
static const course_piece course_spiral[] = {
    COURSE_FLOOR,
    COURSE_TREAD(20, -0.1206148f, 0.6840403f, 0.1f),
    COURSE_TREAD(40, -0.4679111f, 1.2855752f, 0.3f),
    COURSE_TREAD(60, -1, 1.7320508f, 0.5f),
    COURSE_TREAD(80, -1.6527036f, 1.9696155f, 0.7f),
    COURSE_TREAD(100, -2.3472964f, 1.9696155f, 0.9f),
    COURSE_TREAD(120, -3, 1.7320508f, 1.1f),
    COURSE_TREAD(140, -3.5320889f, 1.2855752f, 1.3f),
    COURSE_TREAD(160, -3.8793852f, 0.6840403f, 1.5f),
    COURSE_TREAD(180, -4, 0, 1.7f),
};
static const course_piece course_raft[] = {
    COURSE_FLOOR,
    {.body = COURSE_DYNAMIC, .position = {0, 3, 0.1f}, .size = {1, 1, 0.1f}, .mass = 200},
};

static const course_station course_stations[] = {
    COURSE_STATION("flat", course_flat),
    COURSE_STATION("wide floor", course_wide_floor),
    COURSE_STATION("stairs", course_stairs),
    COURSE_STATION("step too high", course_step_too_high),
    COURSE_STATION("step just fits", course_step_just_fits),
    COURSE_STATION("ramp below limit", course_ramp_below_limit),
    COURSE_STATION("ramp above limit", course_ramp_above_limit),
    COURSE_STATION("ramp steep", course_ramp_steep),
    COURSE_STATION("ramp easy", course_ramp_easy),
    COURSE_STATION("ramp under ceiling", course_ramp_under_ceiling),
    COURSE_STATION("inner corner", course_inner_corner),
    COURSE_STATION("outer corner", course_outer_corner),
    COURSE_STATION("acute corner", course_acute_corner),
    COURSE_STATION("crease", course_crease),
    COURSE_STATION("low ceiling", course_low_ceiling),
    COURSE_STATION("high enough ceiling", course_high_enough_ceiling),
    COURSE_STATION("sloped ceiling", course_sloped_ceiling),
    COURSE_STATION("platform sideways", course_platform_sideways),
    COURSE_STATION("platform rising", course_platform_rising),
    COURSE_STATION("platform with step", course_platform_with_step),
    COURSE_STATION("platform sinking", course_platform_sinking),
    COURSE_STATION("platform turning", course_platform_turning),
    COURSE_STATION("platform crushing", course_platform_crushing),
    COURSE_STATION("thin wall", course_thin_wall),
    COURSE_STATION("mesh floor", course_mesh_floor),
    COURSE_STATION("mesh hill", course_mesh_hill),
    COURSE_STATION("mesh ridge", course_mesh_ridge),
    COURSE_STATION("mesh stairs", course_mesh_stairs),
    COURSE_STATION("mesh wall", course_mesh_wall),
    COURSE_STATION("bumps", course_bumps),
    COURSE_STATION("gap in floor", course_gap_in_floor),
    COURSE_STATION("gap in wall", course_gap_in_wall),
    COURSE_STATION("ledge", course_ledge),
    COURSE_STATION("overhang", course_overhang),
    COURSE_STATION("crate", course_crate),
    COURSE_STATION("crate too heavy", course_crate_too_heavy),
    COURSE_STATION("kinematic wall", course_kinematic_wall),
    COURSE_STATION("crushing wall", course_crushing_wall),
    COURSE_STATION("crawl", course_crawl),
    COURSE_STATION("block", course_block),
    COURSE_STATION("doorway", course_doorway),
    COURSE_STATION("spiral", course_spiral),
    COURSE_STATION("raft", course_raft),
};
