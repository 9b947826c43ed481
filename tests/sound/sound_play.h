// sound_play.h: a sound system without an output, with one world, for tests. Everything is deterministic:
// sound is mixed only by sound_play_run.
//
//     sound_play p = sound_play_start(NULL);
//     sound_play_level(&p, "steady", 0.25f, 1, true);      // a sound: the same number in each frame
//     sound_play_event(&p, event_fixture_single("hum", "steady"));
//     const ct_sound_instance i = sound_play_at(&p, "hum", 0, 2, 0);
//     sound_play_run(&p, 0.1);
//     sound_play_sample(&p, 0);                            // the last frame's left sample
//     sound_play_stop(&p);
#pragma once
#include <math.h>

#include "foundation/container/array.h"
#include "foundation/log.h"
#include "foundation/math/math.h"
#include "sound/event_fixture.h"
#include "sound/sound_system_private.h"
#include "support/test_support.h"

enum { SOUND_PLAY_MOST = 64, SOUND_PLAY_FRAMES = 960 }; // of a step: 0.02 s

typedef struct sound_play {
    ct_sound_system *system;
    ct_sound_world *world;
    void *blobs[SOUND_PLAY_MOST]; // freed by sound_play_stop
    uint32_t num_blobs;
    CT_ARRAY(float) out; // all that was mixed, left and right by turns
} sound_play;

static inline sound_play sound_play_start(const ct_sound_system_desc *desc) {
    sound_play p = {0};
    ct_sound_system_desc filled = desc ? *desc : (ct_sound_system_desc){0};
    filled.allocator = test_heap();
    p.system = ct_sound_system_create(&filled);
    p.world = ct_sound_world_create(
        &(ct_sound_world_desc){.allocator = test_heap(), .system = p.system, .seed = 1});
    ct_array_init(&p.out, test_heap());
    return p;
}

static inline void sound_play_stop(sound_play *p) {
    ct_sound_world_destroy(p->world);
    ct_sound_system_destroy(p->system);
    ct_array_free(&p->out);
    for (uint32_t i = 0; i < p->num_blobs; ++i)
        free(p->blobs[i]);
}

static inline void sound_play_keep(sound_play *p, void *blob) {
    assert_true(p->num_blobs < SOUND_PLAY_MOST);
    p->blobs[p->num_blobs++] = blob;
}

// --- Sounds --------------------------------------------------------------------------------------

// Makes a blob of a sound in memory, of 48,000 frames a second; its samples are zero. free() it.
static inline ct_sound_resource *sound_play_blob(uint32_t num_frames, uint32_t num_channels,
                                                 bool loops) {
    const size_t chunk_at = (sizeof(ct_sound_resource) + 15) & ~(size_t)15;
    const size_t data_at = (chunk_at + sizeof(ct_sound_chunk) + 15) & ~(size_t)15;
    const size_t data_bytes = sizeof(int16_t) * num_frames * num_channels;
    ct_sound_resource *const r = calloc(1, (data_at + data_bytes + 15) & ~(size_t)15);
    assert_non_null(r);
    *r = (ct_sound_resource){
        .header = {.magic = CT_BLOB_MAGIC,
                   .version = CT_SOUND_VERSION,
                   .type = ct_string_id64_of("sound"),
                   .size_bytes = (data_at + data_bytes + 15) & ~(size_t)15},
        .num_frames = num_frames,
        .rate = CT_MIXER_RATE,
        .num_channels = num_channels,
        .flags = loops ? CT_SOUND_LOOPS : 0,
        .loop_end = loops ? num_frames : 0,
        .gain = 1,
        .chunks = {(uint32_t)chunk_at, 1},
        .data = {(uint32_t)data_at, (uint32_t)data_bytes},
    };
    *(ct_sound_chunk *)(void *)((char *)r + chunk_at) =
        (ct_sound_chunk){.bytes = (uint32_t)data_bytes, .num_frames = num_frames};
    return r;
}

static inline int16_t *sound_play_samples(ct_sound_resource *r) {
    return (int16_t *)(void *)((char *)r + r->data.offset);
}

static inline int16_t sound_play_whole(double sample) {
    return (int16_t)lround(sample * 32768);
}

// Adds a sound; it owns the blob.
static inline void sound_play_add(sound_play *p, const char *name, ct_sound_resource *r) {
    sound_play_keep(p, r);
    ct_sound_system_set_sound(p->system, ct_string_id64_of(name), r);
}

// Adds a sound whose samples are all `level`.
static inline void sound_play_level(sound_play *p, const char *name, float level, float seconds,
                                    uint32_t num_channels) {
    const uint32_t num_frames = (uint32_t)(seconds * CT_MIXER_RATE + 0.5f);
    ct_sound_resource *const r = sound_play_blob(num_frames, num_channels, false);
    for (uint32_t i = 0; i < num_frames * num_channels; ++i)
        sound_play_samples(r)[i] = sound_play_whole(level);
    sound_play_add(p, name, r);
}

// Adds a mono sine of amplitude `level` that begins `phase` periods in.
static inline void sound_play_sine(sound_play *p, const char *name, double level, double seconds,
                                   double hertz, double phase) {
    const uint32_t num_frames = (uint32_t)(seconds * CT_MIXER_RATE + 0.5);
    ct_sound_resource *const r = sound_play_blob(num_frames, 1, false);
    for (uint32_t i = 0; i < num_frames; ++i)
        sound_play_samples(r)[i] = sound_play_whole(
            level * sin(2 * 3.14159265358979 * (hertz * i / CT_MIXER_RATE + phase)));
    sound_play_add(p, name, r);
}

// --- Events --------------------------------------------------------------------------------------

// Adds an event under its own name; it owns the blob.
static inline const ct_sound_event_resource *sound_play_event(sound_play *p,
                                                              ct_sound_event_resource *e) {
    sound_play_keep(p, e);
    ct_sound_system_set_event(p->system, e->name, e);
    return e;
}

// An event that loops one sound.
static inline event_fixture *sound_play_loop(const char *name, const char *sound) {
    event_fixture *const f = event_fixture_begin(name);
    event_fixture_sound(f, CT_SOUND_NO_NODE, sound);
    event_fixture_node_at(f, 0)->flags = CT_SOUND_NODE_LOOPS;
    return f;
}

static inline ct_sound_instance sound_play_start_event(const sound_play *p, const char *event,
                                                       const ct_sound_start *start) {
    return ct_sound_play(p->world, ct_string_id64_of(event), start, NULL, 0);
}

// Plays an event at the listeners.
static inline ct_sound_instance sound_play_here(const sound_play *p, const char *event) {
    return sound_play_start_event(p, event, &(ct_sound_start){.fade_in = -1});
}

// Plays an event at a place.
static inline ct_sound_instance sound_play_at(const sound_play *p, const char *event, float x,
                                              float y, float z) {
    return sound_play_start_event(p, event,
                                  &(ct_sound_start){.position = ct_vec3_make(x, y, z),
                                                    .rotation = ct_quat_identity(),
                                                    .is_placed = true,
                                                    .fade_in = -1});
}

static inline void sound_play_listen(const sound_play *p, float x, float y, float z) {
    ct_sound_set_listeners(p->world, 1);
    ct_sound_set_listener(p->world, 0, ct_vec3_make(x, y, z), ct_quat_identity(), false);
}

// --- Frames --------------------------------------------------------------------------------------

// Updates all and mixes 0.02 s.
static inline void sound_play_step(sound_play *p) {
    ct_sound_system_update(p->system, 0.02);
    ct_sound_world_update(p->world, 0.02);
    uint64_t num_frames;
    const float *const frames = ct_sound_system_render(p->system, 0.02, &num_frames);
    assert_int_equal(num_frames, SOUND_PLAY_FRAMES);
    ct_array_push_many(&p->out, frames, SOUND_PLAY_FRAMES * 2);
}

static inline void sound_play_run(sound_play *p, double seconds) {
    const uint32_t count = (uint32_t)(seconds / 0.02 + 0.5);
    for (uint32_t i = 0; i < count; ++i)
        sound_play_step(p);
}

// The sample of the last frame, left (0) or right (1).
static inline float sound_play_sample(const sound_play *p, uint32_t channel) {
    return p->out.items[p->out.count - 2 + channel];
}

// The sample of a frame, counted from the first that was mixed.
static inline float sound_play_frame(const sound_play *p, uint32_t frame, uint32_t channel) {
    assert_true(frame < p->out.count / 2);
    return p->out.items[2 * (size_t)frame + channel];
}

static inline ct_sound_instance_info sound_play_info(const sound_play *p, ct_sound_instance i) {
    for (uint32_t k = 0; k < ct_sound_world_count(p->world); ++k) {
        const ct_sound_instance_info info = ct_sound_world_info(p->world, k);
        if (info.instance.value == i.value)
            return info;
    }
    fail_msg("instance %u does not play", i.value);
    return (ct_sound_instance_info){0};
}
