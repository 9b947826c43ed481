#include <math.h>

#include "sound/mixer/mixer_bus.h"

static const float KNEE = 0.9f;

static float bend(float x) {
    const float high = fabsf(x);
    if (high < KNEE)
        return x;
    if (!(high <= 1e9f)) // also what is not a number
        return high > 1e9f ? copysignf(1, x) : 0;
    const float over = (high - KNEE) / (1 - KNEE);
    const float bent = KNEE + (1 - KNEE) * (over / (1 + over)); // slope 1 at the knee
    return copysignf(bent < 1 ? bent : 1, x);
}

void ct_mixer_limit(const float *left, const float *right, float *out) {
    for (uint32_t i = 0; i < CT_MIXER_BLOCK; ++i) {
        out[2 * i] = bend(left[i]);
        out[2 * i + 1] = bend(right[i]);
    }
}
