// Loudness by EBU R 128, the largest sample, and the waveform that tools show.
#include <ebur128.h>
#include <math.h>
#include <string.h>

#include "compiler/types/sound/worker_sound.h"
#include "foundation/error.h"
#include "foundation/memory/allocator.h"

struct ct_worker_sound_measure {
    ebur128_state *loudness;
    float peak;
    float lowest[CT_SOUND_WAVEFORM_COLUMNS], highest[CT_SOUND_WAVEFORM_COLUMNS];
    bool has_column[CT_SOUND_WAVEFORM_COLUMNS];
};

void ct_worker_sound_measure_begin(ct_worker_sound *s) {
    s->measure = CT_NEW(s->c->allocator, ct_worker_sound_measure);
    s->measure->loudness = ebur128_init(s->out.num_channels, s->out.rate, EBUR128_MODE_I);
    CT_REQUIRE(s->measure->loudness, "libebur128 has no memory%s", "");
}

void ct_worker_sound_measure_free(ct_worker_sound *s) {
    if (s->measure && s->measure->loudness)
        ebur128_destroy(&s->measure->loudness);
}

void ct_worker_sound_measure_push(ct_worker_sound *s, const float *frames, uint32_t count) {
    ct_worker_sound_measure *const m = s->measure;
    ebur128_add_frames_float(m->loudness, frames, count);
    for (uint32_t i = 0; i < count; ++i) {
        const uint64_t frame = (uint64_t)s->num_stored + i;
        const uint32_t column = (uint32_t)(frame * CT_SOUND_WAVEFORM_COLUMNS / s->out.num_frames);
        for (uint32_t k = 0; k < s->out.num_channels; ++k) {
            const float x = frames[i * s->out.num_channels + k];
            m->peak = fmaxf(m->peak, fabsf(x));
            m->lowest[column] = m->has_column[column] ? fminf(m->lowest[column], x) : x;
            m->highest[column] = m->has_column[column] ? fmaxf(m->highest[column], x) : x;
            m->has_column[column] = true;
        }
    }
}

static int8_t column_height(float x) {
    const float height = roundf(x * 127);
    return (int8_t)(height < -127 ? -127 : height > 127 ? 127 : height);
}

// Sounds shorter than a block of 0.4 s are measured with the silence behind them.
static float end_loudness(ct_worker_sound *s) {
    ct_worker_sound_measure *const m = s->measure;
    const uint32_t block_frames = (s->out.rate * 2 + 4) / 5;
    if (s->out.num_frames < block_frames) {
        const uint64_t missing = block_frames - s->out.num_frames;
        const float *const silence =
            ct_alloc_array_zero(s->c->allocator, sizeof(float), missing * s->out.num_channels);
        ebur128_add_frames_float(m->loudness, silence, missing);
    }
    double lufs = -HUGE_VAL;
    const int problem = ebur128_loudness_global(m->loudness, &lufs);
    CT_ASSERT(problem == EBUR128_SUCCESS, "libebur128 reports %d", problem);
    return lufs > CT_WORKER_SOUND_SILENCE ? (float)lufs : CT_WORKER_SOUND_SILENCE;
}

ct_blob_array ct_worker_sound_measure_end(ct_worker_sound *s) {
    ct_worker_sound_measure *const m = s->measure;
    int8_t columns[CT_SOUND_WAVEFORM_COLUMNS * 2];
    s->out.peak = m->peak;
    s->out.loudness = end_loudness(s);
    for (uint32_t i = 0, from = 0; i < CT_SOUND_WAVEFORM_COLUMNS; ++i) {
        from = m->has_column[i] ? i : from; // a short sound has fewer frames
        columns[i * 2] = column_height(m->lowest[from]);
        columns[i * 2 + 1] = column_height(m->highest[from]);
    }
    return ct_blob_write_items(&s->c->blob, &ct_blob_u8_layout, columns, sizeof(columns));
}

void ct_worker_sound_normalise(ct_worker_sound *s) {
    s->out.gain = 1;
    if (isnan(s->target))
        return;
    if (s->out.loudness <= CT_WORKER_SOUND_SILENCE) {
        ct_compile_warning(s->c, s->c->doc, s->source.loudness,
                           "loudness has no effect: %s is silent", s->media.path);
        return;
    }
    const double gain = pow(10, (s->target - (double)s->out.loudness) / 20);
    s->out.gain = (float)gain;
    if (gain * (double)s->out.peak > 1.0001)
        ct_compile_warning(s->c, s->c->doc, s->source.loudness,
                           "at %g LUFS the largest sample is %.1f dB above full scale; use a lower "
                           "loudness, or the limiter of a bus is heard",
                           s->target, 20 * log10(gain * (double)s->out.peak));
}
