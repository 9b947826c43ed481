#include "sound/output/sound_clock.h"

#include "sound/mixer/sound_mixer.h"

static const uint64_t block_ns = UINT64_C(1000000000) * CT_MIXER_BLOCK / CT_MIXER_RATE;

void ct_sound_clock_start(ct_sound_clock *c, uint64_t now_ns) {
    *c = (ct_sound_clock){.start_ns = now_ns};
}

uint32_t ct_sound_clock_due(ct_sound_clock *c, uint64_t now_ns) {
    const uint64_t due = (now_ns - c->start_ns) / block_ns + CT_SOUND_CLOCK_LEAD;
    if (due <= c->num_written)
        return 0;
    if (due - c->num_written > CT_SOUND_CLOCK_MAX_BEHIND)
        c->num_written = due - CT_SOUND_CLOCK_MAX_BEHIND;
    return (uint32_t)(due - c->num_written);
}

void ct_sound_clock_write(ct_sound_clock *c) {
    ++c->num_written;
}
