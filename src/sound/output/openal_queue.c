#include "sound/output/openal_queue.h"

#include "foundation/error.h"
#include "sound/mixer/sound_mixer.h"

enum { BLOCK_SAMPLES = CT_MIXER_BLOCK * CT_MIXER_CHANNELS };

// Several outputs may be open in a process: each call selects its own, for its thread only.
static void select_context(const ct_openal_queue *q) {
    q->api->alcSetThreadContext(q->context);
}

static bool make_source(ct_openal_queue *q, ct_error *error) {
    const ct_openal_api *const al = q->api;
    select_context(q);
    if (!al->alIsExtensionPresent("AL_SOFT_direct_channels"))
        return ct_error_set(error, "the installed OpenAL cannot play channels as they are");
    q->has_float = al->alIsExtensionPresent("AL_EXT_FLOAT32");
    al->alGetError();
    al->alGenBuffers(CT_OPENAL_QUEUE_BLOCKS, q->free_buffers);
    al->alGenSources(1, &q->source);
    al->alSourcei(q->source, AL_DIRECT_CHANNELS_SOFT, AL_TRUE);
    q->num_free = CT_OPENAL_QUEUE_BLOCKS;
    return al->alGetError() == AL_NO_ERROR ||
           ct_error_set(error, "OpenAL cannot make a source for the stream");
}

bool ct_openal_queue_open(ct_openal_queue *q, const ct_openal_api *api, ALCdevice *device,
                          const ALCint *attributes, uint32_t start_blocks, ct_error *error) {
    *q = (ct_openal_queue){.api = api, .device = device, .start_blocks = start_blocks};
    q->context = api->alcCreateContext(device, attributes);
    if (q->context && make_source(q, error))
        return true;
    if (!q->context)
        ct_error_set(error, "OpenAL cannot make a context of %d Hz", CT_MIXER_RATE);
    ct_openal_queue_close(q);
    return false;
}

void ct_openal_queue_close(ct_openal_queue *q) {
    const ct_openal_api *const al = q->api;
    if (q->context) {
        select_context(q);
        al->alDeleteSources(q->source ? 1 : 0, &q->source); // gives its buffers back
        al->alcSetThreadContext(NULL);
        al->alcDestroyContext(q->context); // with its buffers
    }
    al->alcCloseDevice(q->device);
    *q = (ct_openal_queue){0};
}

static ALint get(const ct_openal_queue *q, ALenum what) {
    ALint value = 0;
    q->api->alGetSourcei(q->source, what, &value);
    return value;
}

// All buffers of a source that has stopped count as played, those that are queued later too: so it
// goes back to the state it had at first.
uint32_t ct_openal_queue_room(ct_openal_queue *q) {
    select_context(q);
    const bool has_stopped = get(q, AL_SOURCE_STATE) == AL_STOPPED;
    for (ALint left = get(q, AL_BUFFERS_PROCESSED); left > 0; --left)
        q->api->alSourceUnqueueBuffers(q->source, 1, &q->free_buffers[q->num_free++]);
    if (has_stopped)
        q->api->alSourceRewind(q->source);
    return q->num_free;
}

static void fill_buffer(const ct_openal_queue *q, ALuint buffer, const float *block) {
    if (q->has_float) {
        q->api->alBufferData(buffer, AL_FORMAT_STEREO_FLOAT32, block,
                             BLOCK_SAMPLES * (ALsizei)sizeof(float), CT_MIXER_RATE);
        return;
    }
    int16_t samples[BLOCK_SAMPLES];
    for (uint32_t i = 0; i < BLOCK_SAMPLES; ++i)
        samples[i] = ct_sound_to_sample(block[i]);
    q->api->alBufferData(buffer, AL_FORMAT_STEREO16, samples, (ALsizei)sizeof(samples),
                         CT_MIXER_RATE);
}

void ct_openal_queue_write(ct_openal_queue *q, const float *block) {
    if (ct_openal_queue_room(q) == 0)
        return;
    const ALuint buffer = q->free_buffers[--q->num_free];
    fill_buffer(q, buffer, block);
    q->api->alSourceQueueBuffers(q->source, 1, &buffer);
    const uint32_t num_queued = CT_OPENAL_QUEUE_BLOCKS - q->num_free;
    if (num_queued >= q->start_blocks && get(q, AL_SOURCE_STATE) == AL_INITIAL)
        q->api->alSourcePlay(q->source);
}
