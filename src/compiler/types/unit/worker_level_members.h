// worker_level_members.h: reads the volumes, splines and markers of a level and writes them.
#pragma once
#include "compiler/types/unit/worker_template.h"
#include "resource/types/level/level_members.h"
#include "spatial/convex_hull.h"

// A volume as it is read. `data` of all members gets its texts and arrays when it is written.
typedef struct ct_worker_volume {
    ct_level_volume data;
    ct_level_member_source source;
    ct_convex_hull hull; // of convex volumes
} ct_worker_volume;

// A spline as it is read; its points are in the level's space.
typedef struct ct_worker_spline {
    ct_level_spline data;
    ct_level_member_source source;
    CT_ARRAY(ct_vec3) points, controls;
    CT_ARRAY(float) lengths;
} ct_worker_spline;

// A marker as it is read.
typedef struct ct_worker_marker {
    ct_level_marker data;
    ct_level_member_source source;
} ct_worker_marker;

// The members of a level, in source order.
typedef struct ct_worker_level_members {
    CT_ARRAY(ct_worker_volume) volumes;
    CT_ARRAY(ct_worker_spline) splines;
    CT_ARRAY(ct_worker_marker) markers;
} ct_worker_level_members;

// Reads all members; reports errors and references. Everything comes from the job's allocator.
void ct_worker_level_members_read(ct_template *t, const ct_level_source *source,
                                  ct_worker_level_members *members);

// Appends them and sets their arrays in `level`.
void ct_worker_level_members_write(ct_compile *c, const ct_worker_level_members *members,
                                   ct_level_resource *level);
