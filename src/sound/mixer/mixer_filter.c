#include "sound/mixer/mixer_filter.h"

#include <math.h>
#include <string.h>

#include "resource/types/sound_event_resource.h"

static const float LEAST_HZ = 10;
static const float DAMPING = 1.41421356f; // 1 / Q
static const float STEP = 1.0f / CT_MIXER_BLOCK;

static float slope_of(float hz) {
    const float low = hz > LEAST_HZ ? hz : LEAST_HZ;
    const float in = low < CT_SOUND_OPEN_HZ ? low : CT_SOUND_OPEN_HZ;
    return tanf(3.14159265f / CT_MIXER_RATE * in);
}

void ct_mixer_low_pass_reset(ct_mixer_low_pass *f, float hz) {
    memset(f, 0, sizeof(*f));
    f->hz = hz;
    f->is_open = hz >= CT_SOUND_OPEN_HZ;
    f->slope = f->is_open ? 0 : slope_of(hz);
}

static inline float filter(ct_mixer_filter *s, float g, float a1, float x) {
    const float a2 = g * a1, a3 = g * a2;
    const float v3 = x - s->low;
    const float band = a1 * s->band + a2 * v3;
    const float low = s->low + a2 * s->band + a3 * v3;
    s->band = 2 * band - s->band;
    s->low = 2 * low - s->low;
    return low;
}

static inline float divisor(float g) {
    return 1 / (1 + g * (g + DAMPING));
}

static void filter_steady(ct_mixer_filter *s, float g, float *x, uint32_t count) {
    const float a1 = divisor(g);
    ct_mixer_filter state = *s;
    for (uint32_t i = 0; i < count; ++i)
        x[i] = filter(&state, g, a1, x[i]);
    *s = state;
}

// How a filter moves over a block. Its slope by the same factor with each frame: what one hears is the
// logarithm of the frequency. The share of what is filtered in a line.
typedef struct ct_mixer_sweep {
    float slope, to;
    float wet, wet_step;
} ct_mixer_sweep;

static void filter_moving(ct_mixer_filter *s, const ct_mixer_sweep *sweep, float *x, uint32_t first,
                          uint32_t count) {
    ct_mixer_filter state = *s;
    const float ratio = powf(sweep->to / sweep->slope, STEP);
    float g = sweep->slope * powf(ratio, (float)first);
    for (uint32_t i = 0; i < count; ++i) {
        g *= ratio;
        const float wet = sweep->wet + sweep->wet_step * (float)(first + i + 1);
        const float low = filter(&state, g, divisor(g), x[i]);
        x[i] += wet * (low - x[i]);
    }
    *s = state;
}

void ct_mixer_low_pass_block(ct_mixer_low_pass *f, float hz, float *const *channels,
                             uint32_t num_channels, uint32_t first, uint32_t count) {
    const bool opens = hz >= CT_SOUND_OPEN_HZ;
    if (f->is_open && opens)
        return;
    const float from = f->is_open ? slope_of(CT_SOUND_OPEN_HZ) : f->slope;
    const float to = !opens && hz == f->hz ? f->slope : slope_of(hz);
    const float wet_from = f->is_open ? 0 : 1, wet_to = opens ? 0 : 1;
    const ct_mixer_sweep sweep = {from, to, wet_from, (wet_to - wet_from) * STEP};
    for (uint32_t c = 0; c < num_channels && count; ++c) {
        ct_mixer_filter *const s = &f->filters[c];
        if (f->is_open)
            *s = (ct_mixer_filter){.low = channels[c][0]}; // as after a long time of the first
        if (f->is_open || opens || hz != f->hz)
            filter_moving(s, &sweep, channels[c], first, count);
        else
            filter_steady(s, to, channels[c], count);
    }
    f->hz = hz;
    f->slope = to;
    f->is_open = opens;
}
