// dead_zone.h: what of a stick's travel counts as rest.
//
// Sticks come to rest near their middle, not at it. A dead zone takes the part around the middle
// away and stretches what is left, so that values leave zero without a jump and still reach one.
#pragma once
#include "foundation/math/math.h"

typedef enum ct_dead_zone_mode {
    CT_DEAD_ZONE_MODE_RAW,         // values as the device gives them
    CT_DEAD_ZONE_MODE_INDEPENDENT, // each component has its own: easy to move along one only
    CT_DEAD_ZONE_MODE_CIRCULAR,    // by the length of the vector: keeps its direction
    CT_NUM_DEAD_ZONE_MODES,
} ct_dead_zone_mode;

typedef struct ct_dead_zone {
    ct_dead_zone_mode mode;
    float size; // from 0 to less than 1, of the travel
} ct_dead_zone;

// Applies a dead zone to an axis whose components go from -1 to 1. Up to `size` gives 0; from there
// to 1 the result rises evenly to 1. With CIRCULAR a vector longer than 1 (the corners of square
// gates) gives length 1.
ct_vec3 ct_dead_zone_apply(ct_dead_zone zone, ct_vec3 value);
