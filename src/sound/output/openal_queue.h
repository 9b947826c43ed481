// openal_queue.h: a source of OpenAL that plays blocks one after the other, as they are.
//
// The source plays a stereo stream at the rate of its device with AL_DIRECT_CHANNELS_SOFT: OpenAL
// does not pan, resample or filter it, and its limiter is off. Samples are float where the device
// takes them, else of 16 bits. When the queue runs dry, the source stops, and starts again when as
// many blocks as at first are queued.
#pragma once
#include "sound/output/openal_api.h"

enum { CT_OPENAL_QUEUE_BLOCKS = 6 };

typedef struct ct_openal_queue {
    const ct_openal_api *api;
    ALCdevice *device;
    ALCcontext *context;
    ALuint source;
    ALuint free_buffers[CT_OPENAL_QUEUE_BLOCKS];
    uint32_t num_free;
    uint32_t start_blocks; // are queued before the source plays
    bool has_float;
} ct_openal_queue;

// Makes a context of `device` with these attributes, and the source. Takes `device`, which is
// closed when this fails or by ct_openal_queue_close. Returns false with `error`.
bool ct_openal_queue_open(ct_openal_queue *q, const ct_openal_api *api, ALCdevice *device,
                          const ALCint *attributes, uint32_t start_blocks, ct_error *error);
void ct_openal_queue_close(ct_openal_queue *q);

// Takes back buffers that have been played. Returns how many blocks there is room for.
uint32_t ct_openal_queue_room(ct_openal_queue *q);

// Queues a block of CT_MIXER_BLOCK stereo frames. Drops it when there is no room.
void ct_openal_queue_write(ct_openal_queue *q, const float *block);
