#include "foundation/container/array.h"
#include "foundation/error.h"
#include "foundation/os/os.h"
#include "sound/mixer/sound_mixer.h"
#include "sound/output/openal_queue.h"
#include "sound/output/sound_clock.h"
#include "sound/output/sound_output.h"

typedef struct loopback_output {
    ct_sound_output base;
    ct_allocator *allocator;
    ct_openal_api api;
    ct_openal_queue queue;
    ct_sound_clock clock;
    CT_ARRAY(float) samples; // since it was opened
} loopback_output;

static bool loopback_open(ct_sound_output *base, ct_error *error) {
    loopback_output *const o = (loopback_output *)base;
    static const ALCint attributes[] = {
        ALC_FORMAT_CHANNELS_SOFT, ALC_STEREO_SOFT, ALC_FORMAT_TYPE_SOFT,
        ALC_FLOAT_SOFT,           ALC_FREQUENCY,   CT_MIXER_RATE,
        ALC_OUTPUT_LIMITER_SOFT,  ALC_FALSE,       0};
    if (!ct_openal_load(&o->api, error))
        return false;
    ALCdevice *const device = o->api.alcLoopbackOpenDeviceSOFT(NULL);
    if (!device)
        return ct_error_set(error, "OpenAL cannot open its loopback device");
    o->samples.count = 0;
    ct_sound_clock_start(&o->clock, ct_os_time_ns());
    return ct_openal_queue_open(&o->queue, &o->api, device, attributes, 1, error);
}

static void loopback_close(ct_sound_output *base) {
    ct_openal_queue_close(&((loopback_output *)base)->queue);
}

// A thread writes at the pace of a device, others as fast as they like.
static bool loopback_poll(ct_sound_output *base, uint32_t *num_blocks, ct_error *error) {
    (void)error;
    *num_blocks = ct_sound_clock_due(&((loopback_output *)base)->clock, ct_os_time_ns());
    return true;
}

static void loopback_write(ct_sound_output *base, const float *block) {
    loopback_output *const o = (loopback_output *)base;
    const uint32_t at = o->samples.count;
    ct_sound_clock_write(&o->clock);
    ct_openal_queue_write(&o->queue, block);
    ct_array_resize(&o->samples, at + CT_MIXER_BLOCK * CT_MIXER_CHANNELS);
    o->api.alcRenderSamplesSOFT(o->queue.device, o->samples.items + at, CT_MIXER_BLOCK);
}

static void loopback_destroy(ct_sound_output *base) {
    loopback_output *const o = (loopback_output *)base;
    ct_array_free(&o->samples);
    ct_free(o->allocator, o);
}

ct_sound_output *ct_sound_output_loopback(ct_allocator *a) {
    loopback_output *const o = CT_NEW(a, loopback_output);
    o->allocator = a;
    ct_array_init(&o->samples, a);
    o->base = (ct_sound_output){.name = "loopback",
                                .open = loopback_open,
                                .close = loopback_close,
                                .poll = loopback_poll,
                                .write = loopback_write,
                                .destroy = loopback_destroy};
    return &o->base;
}

const float *ct_sound_loopback_frames(const ct_sound_output *base, uint64_t *num_frames) {
    const loopback_output *const o = (const loopback_output *)base;
    *num_frames = o->samples.count / CT_MIXER_CHANNELS;
    return o->samples.items;
}
