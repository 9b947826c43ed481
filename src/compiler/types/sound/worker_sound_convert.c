#include <math.h>
#include <soxr.h>
#include <string.h>

#include "compiler/types/sound/worker_sound.h"
#include "foundation/error.h"
#include "foundation/memory/allocator.h"

void ct_worker_sound_plan(ct_worker_sound *s) {
    const ct_worker_sound_media *const m = &s->media;
    const uint32_t most = (uint32_t)s->source.max_rate;
    ct_sound_resource *const out = &s->out;
    out->media_rate = m->rate;
    out->media_channels = m->num_channels;
    out->rate = m->rate < most ? m->rate : most;
    out->num_channels = s->source.mono ? 1 : m->num_channels;
    const uint64_t num_frames = (m->num_frames * out->rate + m->rate / 2) / m->rate;
    out->num_frames = num_frames ? (uint32_t)num_frames : 1;
}

// Frames of the sound, no more than it has: a resampler may give one more.
static void push(ct_worker_sound *s, const float *frames, uint32_t count) {
    const uint32_t left = s->out.num_frames - s->num_resampled;
    const uint32_t used = count < left ? count : left;
    s->num_resampled += used;
    if (used > 0)
        ct_worker_sound_loop_push(s, frames, used);
}

// Mixes to one channel if the source says so. All channels count the same.
static const float *mix(ct_worker_sound *s, const float *frames, uint32_t count) {
    const uint32_t num_channels = s->media.num_channels;
    if (s->out.num_channels == num_channels)
        return frames;
    for (uint32_t i = 0; i < count; ++i) {
        double sum = 0;
        for (uint32_t k = 0; k < num_channels; ++k)
            sum += (double)frames[i * num_channels + k];
        s->mixed[i] = (float)(sum / num_channels);
    }
    return s->mixed;
}

// `frames` NULL: gets the last ones out of the resampler.
static void resample(ct_worker_sound *s, const float *frames, uint32_t count) {
    size_t used = 0, got = 0;
    do {
        size_t taken = 0;
        const float *const from = frames ? frames + used * s->out.num_channels : NULL;
        const soxr_error_t problem =
            soxr_process(s->resampler, from, from ? count - used : 0, &taken, s->resampled,
                         CT_WORKER_SOUND_BLOCK_FRAMES, &got);
        CT_ASSERT(!problem, "soxr: %s", problem);
        used += taken;
        push(s, s->resampled, (uint32_t)got);
    } while (got == CT_WORKER_SOUND_BLOCK_FRAMES || used < count);
}

static void pad(ct_worker_sound *s) {
    memset(s->resampled, 0, sizeof(float) * CT_WORKER_SOUND_BLOCK_FRAMES * CT_SOUND_MAX_CHANNELS);
    while (s->num_resampled < s->out.num_frames)
        push(s, s->resampled, CT_WORKER_SOUND_BLOCK_FRAMES);
}

// One thread, 20 bits, linear phase: the same everywhere.
static void make_resampler(ct_worker_sound *s) {
    const soxr_io_spec_t io = soxr_io_spec(SOXR_FLOAT32_I, SOXR_FLOAT32_I);
    const soxr_quality_spec_t quality = soxr_quality_spec(SOXR_HQ, 0);
    const soxr_runtime_spec_t run = soxr_runtime_spec(1);
    soxr_error_t problem = NULL;
    s->resampler =
        soxr_create(s->media.rate, s->out.rate, s->out.num_channels, &problem, &io, &quality, &run);
    CT_REQUIRE(s->resampler && !problem, "soxr: %s", problem);
}

static bool convert(ct_worker_sound *s, float *block) {
    ct_error error = {0};
    for (uint32_t count = 1; count > 0;) {
        if (!ct_worker_sound_read(&s->media, block, CT_WORKER_SOUND_BLOCK_FRAMES, &count, &error))
            return ct_compile_error(s->c, s->c->doc, s->source_at, "%s", error.message);
        if (count == 0)
            continue;
        const float *const mixed = mix(s, block, count);
        if (s->resampler)
            resample(s, mixed, count);
        else
            push(s, mixed, count);
    }
    if (s->resampler)
        resample(s, NULL, 0);
    pad(s);
    return true;
}

bool ct_worker_sound_convert(ct_worker_sound *s) {
    ct_allocator *const a = s->c->allocator;
    const uint64_t frame_bytes = sizeof(float) * CT_WORKER_SOUND_BLOCK_FRAMES;
    float *const block = ct_alloc(a, frame_bytes * s->media.num_channels);
    s->mixed = ct_alloc(a, frame_bytes);
    s->resampled = ct_alloc(a, frame_bytes * CT_SOUND_MAX_CHANNELS);
    if (s->out.rate != s->media.rate)
        make_resampler(s);
    const bool is_done = convert(s, block);
    soxr_delete(s->resampler);
    s->resampler = NULL;
    return is_done;
}
