// sound_media.h: sounds that are loaded, as the mixer reads them.
//
// Samples in memory are used where they lie in the blob. Vorbis in memory is decoded when it loads,
// on the loading thread; what cannot be decoded is logged, and is silence. Streamed sounds are
// decoded while they play (sound_streams.h). The table watches resources of the type sound.
#pragma once
#include "foundation/memory/allocator.h"
#include "resource/load/resource_manager.h"
#include "resource/load/resource_stream.h"
#include "resource/types/sound_resource.h"

// A sound. Read only, any thread, while it is loaded.
typedef struct ct_sound_media {
    ct_string_id64 name;
    const ct_sound_resource *resource; // borrowed
    const int16_t *samples; // num_frames * num_channels, 32768 is full scale; NULL: streamed
    ct_resource_stream_reader reader; // of the stream
    uint32_t num_frames, rate, num_channels;
    uint32_t loop_begin, loop_end; // loop_end 0: it has no loop of its own
    float gain;
} ct_sound_media;

// Whether the samples of a sound come from a stream; false for NULL.
static inline bool ct_sound_is_streamed(const ct_sound_media *media) {
    return media && !media->samples;
}

typedef struct ct_sound_media_table ct_sound_media_table;

// A sound was loaded again (`old` and `media`), or goes offline (`media` NULL): nothing may use
// `old` after the call. Update thread.
typedef void ct_sound_media_changed(void *user, const ct_sound_media *old,
                                    const ct_sound_media *media);

// Makes a table, and registers for the type sound, before any sound is loaded (`resources` NULL:
// sounds come by ct_sound_media_set). `a` must be safe on any thread.
ct_sound_media_table *ct_sound_media_create(ct_allocator *a, ct_resource_manager *resources,
                                            ct_sound_media_changed *changed, void *user);

// Frees the table (NULL is fine), before the manager. Does not call `changed`: nothing may use its
// sounds any more.
void ct_sound_media_destroy(ct_sound_media_table *t);

// Returns the sound of this name; NULL while it is not loaded. Update thread.
const ct_sound_media *ct_sound_media_get(const ct_sound_media_table *t, ct_string_id64 name);

// Adds a sound, replaces it, or (`resource` NULL) removes it. The blob, another one each time, is
// borrowed until then; the data of a streamed one follows it in memory. Update thread.
void ct_sound_media_set(ct_sound_media_table *t, ct_string_id64 name,
                        const ct_sound_resource *resource);
