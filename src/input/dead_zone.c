#include "input/dead_zone.h"

#include <math.h>

#include "foundation/math/math.h"

// What is left of `amount` (not negative), from 0 to 1.
static float stretch(float amount, float size) {
    return amount <= size ? 0.0f : fminf((amount - size) / (1.0f - size), 1.0f);
}

ct_vec3 ct_dead_zone_apply(ct_dead_zone zone, ct_vec3 v) {
    if (zone.mode == CT_DEAD_ZONE_MODE_INDEPENDENT)
        return ct_vec3_make(copysignf(stretch(fabsf(v.x), zone.size), v.x),
                            copysignf(stretch(fabsf(v.y), zone.size), v.y),
                            copysignf(stretch(fabsf(v.z), zone.size), v.z));
    if (zone.mode == CT_DEAD_ZONE_MODE_CIRCULAR) {
        const float length = sqrtf(v.x * v.x + v.y * v.y + v.z * v.z);
        const float scale = length > 0.0f ? stretch(length, zone.size) / length : 0.0f;
        return ct_vec3_make(v.x * scale, v.y * scale, v.z * scale);
    }
    return v;
}
