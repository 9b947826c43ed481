// mixer_fixture.h: sounds made in memory, and a mixer whose output is kept, for tests and benchmarks.
//
//     mixer_play p = mixer_play_begin(0);
//     const ct_sound_media sine = mixer_sine(440, 48000, 1, 0.5f);
//     const ct_voice_id voice = mixer_play_start(&p, &sine);
//     mixer_play_run(&p, 10); // blocks; p.out has p.num_frames
//     mixer_play_end(&p);
//     mixer_free(&sine);
#pragma once
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "resource/types/sound_event_resource.h"
#include "sound/mixer/sound_mixer.h"

// --- Sounds --------------------------------------------------------------------------------------

static inline ct_sound_media mixer_media(uint32_t num_frames, uint32_t rate,
                                         uint32_t num_channels) {
    return (ct_sound_media){
        .samples = calloc((size_t)num_frames * num_channels + 1, sizeof(int16_t)),
        .num_frames = num_frames,
        .rate = rate,
        .num_channels = num_channels,
        .gain = 1,
    };
}

static inline int16_t *mixer_samples(const ct_sound_media *media) {
    return (int16_t *)(uintptr_t)media->samples;
}

static inline void mixer_free(const ct_sound_media *media) {
    free(mixer_samples(media));
}

// A sine at 48 kHz, full scale 1; the right channel of two is half as loud.
static inline ct_sound_media mixer_sine_at(double hz, uint32_t num_frames, uint32_t rate,
                                           uint32_t num_channels, double amplitude) {
    const ct_sound_media media = mixer_media(num_frames, rate, num_channels);
    for (uint32_t i = 0; i < num_frames; ++i)
        for (uint32_t c = 0; c < num_channels; ++c)
            mixer_samples(&media)[i * num_channels + c] = (int16_t)lround(
                32767 * amplitude / (1 + c) * sin(2 * 3.14159265358979 * hz * i / rate));
    return media;
}

static inline ct_sound_media mixer_sine(double hz, uint32_t num_frames, uint32_t num_channels,
                                        double amplitude) {
    return mixer_sine_at(hz, num_frames, CT_MIXER_RATE, num_channels, amplitude);
}

// --- Buses ---------------------------------------------------------------------------------------

enum { MIXER_TREE_BUSES = 8 };

// A resource of buses: a struct in place of a blob.
typedef struct mixer_tree {
    ct_sound_bus_resource head;
    ct_sound_bus buses[MIXER_TREE_BUSES];
    ct_sound_bus_send sends[MIXER_TREE_BUSES];
} mixer_tree;

static inline void mixer_tree_begin(mixer_tree *t) {
    memset(t, 0, sizeof(*t));
    t->head.buses.offset = offsetof(mixer_tree, buses);
    t->head.sends.offset = offsetof(mixer_tree, sends);
}

// Adds a bus and returns its position. Children are mixed in the reverse order in which they are added.
static inline uint32_t mixer_tree_bus(mixer_tree *t, const char *name, uint32_t parent,
                                      float volume) {
    const uint32_t position = t->head.buses.count++;
    assert(position < MIXER_TREE_BUSES);
    t->buses[position] = (ct_sound_bus){.name = ct_string_id32_of(name),
                                        .parent = parent,
                                        .volume = volume,
                                        .low_pass = CT_SOUND_OPEN_HZ,
                                        .duck_by = CT_SOUND_NO_BUS,
                                        .order = CT_SOUND_MAX_BUSES - position};
    return position;
}

static inline void mixer_tree_send(mixer_tree *t, uint32_t from, uint32_t to, float volume) {
    t->sends[t->head.sends.count++] = (ct_sound_bus_send){from, to, volume};
}

// --- A mixer -------------------------------------------------------------------------------------

typedef struct mixer_play {
    ct_mixer *m;
    float *out; // left and right by turns
    uint32_t num_frames, capacity;
    uint32_t num_ended; // in all
    ct_voice_id last_ended;
} mixer_play;

static inline mixer_play mixer_play_with(const ct_mixer_desc *desc) {
    return (mixer_play){.m = ct_mixer_create(desc)};
}

static inline void mixer_play_end(mixer_play *p) {
    ct_mixer_destroy(p->m);
    free(p->out);
    *p = (mixer_play){0};
}

static inline void mixer_play_update(mixer_play *p) {
    const ct_voice_id *ended;
    uint32_t count;
    ct_mixer_update(p->m, &ended, &count);
    p->num_ended += count;
    if (count)
        p->last_ended = ended[count - 1];
}

// Mixes blocks, with an update after each.
static inline void mixer_play_run(mixer_play *p, uint32_t num_blocks) {
    for (uint32_t i = 0; i < num_blocks; ++i) {
        if (p->num_frames == p->capacity) {
            p->capacity = p->capacity ? 2 * p->capacity : 64 * CT_MIXER_BLOCK;
            p->out = realloc(p->out, sizeof(float) * 2 * p->capacity);
            assert(p->out);
        }
        ct_mixer_mix(p->m, p->out + 2 * (size_t)p->num_frames);
        p->num_frames += CT_MIXER_BLOCK;
        mixer_play_update(p);
    }
}

static inline ct_voice_params mixer_params(float left, float right) {
    return (ct_voice_params){.gains = {left, right}, .pitch = 1, .low_pass = CT_SOUND_OPEN_HZ};
}

// A real voice that plays a sound once from its start, as loud as it is on both sides.
static inline ct_voice_desc mixer_voice(const ct_sound_media *media) {
    return (ct_voice_desc){
        .media = media, .repeats = 1, .is_real = true, .params = mixer_params(1, 1)};
}

// The same in a loop of all of it.
static inline ct_voice_desc mixer_loop(const ct_sound_media *media) {
    ct_voice_desc desc = mixer_voice(media);
    desc.repeats = 0;
    desc.loops = true;
    return desc;
}

static inline float mixer_left(const mixer_play *p, uint32_t frame) {
    return p->out[2 * (size_t)frame];
}

static inline float mixer_right(const mixer_play *p, uint32_t frame) {
    return p->out[2 * (size_t)frame + 1];
}

static inline bool mixer_same(const mixer_play *a, uint32_t a_frame, const mixer_play *b,
                              uint32_t b_frame, uint32_t count) {
    return memcmp(a->out + 2 * (size_t)a_frame, b->out + 2 * (size_t)b_frame,
                  sizeof(float) * 2 * count) == 0;
}

// The largest change of the change from frame to frame, on both sides, from frame `first` on.
static inline double mixer_roughness(const mixer_play *p, uint32_t first, uint32_t end) {
    double most = 0;
    for (uint32_t i = first > 2 ? first : 2; i < end; ++i)
        for (uint32_t c = 0; c < 2; ++c) {
            const float *const x = p->out + 2 * (size_t)i + c;
            const double bend = fabs((double)x[0] - 2 * (double)x[-2] + (double)x[-4]);
            most = bend > most ? bend : most;
        }
    return most;
}
