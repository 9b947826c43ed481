// dead_zone.h: the part of a stick's travel that counts as zero.
//
// Sticks come to rest near their middle, not at it. A dead zone cuts out the part around the middle
// and stretches the rest, so that values leave zero without a jump and still reach one.
#pragma once
#include "foundation/math/math_types.h"

typedef enum ct_dead_zone_mode {
    CT_DEAD_ZONE_MODE_RAW,         // values as the device gives them
    CT_DEAD_ZONE_MODE_INDEPENDENT, // for each component: easy to move along one axis only
    CT_DEAD_ZONE_MODE_CIRCULAR,    // for the length of the vector: keeps its direction
    CT_NUM_DEAD_ZONE_MODES,
} ct_dead_zone_mode;

typedef struct ct_dead_zone {
    ct_dead_zone_mode mode;
    float size; // as part of the travel, from 0 to less than 1
} ct_dead_zone;

// Applies a dead zone to an axis whose components go from -1 to 1. Values up to `size` give 0; from
// there to 1 the result rises evenly to 1. With CIRCULAR a vector longer than 1 (the corners of
// square gates) gives length 1.
ct_vec3 ct_dead_zone_apply(ct_dead_zone zone, ct_vec3 value);
