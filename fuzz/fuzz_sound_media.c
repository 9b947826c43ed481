// Recordings that sounds are made of, as the worker reads them: WAV, FLAC, Ogg Vorbis, Opus and MP3,
// whatever the bytes begin with.
//
// The first byte: bit 0 mixes to one channel, bit 1 streams.
#include <math.h>
#include <string.h>

#include "compiler/types/sound/worker_sound_media.h"
#include "compiler/types/sound/worker_sound_mp3.h"
#include "compiler/types/sound/worker_sound_wav.h"
#include "foundation/error.h"
#include "foundation/memory/allocator.h"
#include "foundation/memory/memory.h"
#include "resource/types/sound_resource.h"

// Decoding further finds nothing new.
enum { BLOCK_FRAMES = 1024, MAX_BLOCKS = 64 };

const char *__lsan_default_suppressions(void);
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Of files that it refuses, libsndfile forgets what the decoders have.
const char *__lsan_default_suppressions(void) {
    return "leak:libsndfile\nleak:libvorbis\nleak:libogg\nleak:libFLAC\nleak:libopus\n"
           "leak:libmpg123\n";
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    ct_memory_init();
    return 0;
}

static void check(const ct_worker_sound_media *m, const ct_worker_sound_limits *limits) {
    const uint32_t channels =
        limits->is_mono ? CT_WORKER_SOUND_MAX_MIXED_CHANNELS : CT_SOUND_MAX_CHANNELS;
    CT_ASSERT(m->num_channels >= 1 && m->num_channels <= channels, "%u channels", m->num_channels);
    CT_ASSERT(m->rate >= CT_SOUND_LEAST_RATE && m->rate <= CT_SOUND_MAX_MEDIA_RATE, "rate %u",
              m->rate);
    const uint64_t seconds =
        limits->is_streamed ? CT_SOUND_MAX_SECONDS : CT_SOUND_MAX_MEMORY_SECONDS;
    CT_ASSERT(m->num_frames >= 1 && m->num_frames <= seconds * m->rate, "%llu frames",
              (unsigned long long)m->num_frames);
    CT_ASSERT(m->format && m->format_text[0], "no format%s", "");
}

static void read_all(ct_worker_sound_media *m) {
    static float frames[BLOCK_FRAMES * CT_WORKER_SOUND_MAX_MIXED_CHANNELS];
    ct_error error = {0};
    uint32_t count = 1;
    for (uint32_t i = 0; i < MAX_BLOCKS && count > 0; ++i) {
        if (!ct_worker_sound_read(m, frames, BLOCK_FRAMES, &count, &error)) {
            CT_ASSERT(error.message[0], "an error without a message%s", "");
            return;
        }
        CT_ASSERT(count <= BLOCK_FRAMES && m->num_read <= m->num_frames, "%u frames", count);
        for (uint32_t k = 0; k < count * m->num_channels; ++k)
            CT_ASSERT(fabsf(frames[k]) <= CT_WORKER_SOUND_MAX_SAMPLE, "%g", (double)frames[k]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 1)
        return 0;
    const ct_worker_sound_limits limits = {data[0] & 1, data[0] >> 1 & 1};
    ct_worker_sound_media m;
    ct_error error = {0};
    ct_worker_wav_scan(data + 1, size - 1);
    ct_worker_mp3_count_frames(data + 1, size - 1);
    if (!ct_worker_sound_open(&m, "fuzz.wav", data + 1, size - 1, &limits, &error)) {
        CT_ASSERT(strncmp(error.message, "fuzz.wav", 8) == 0, "the error \"%s\"", error.message);
        return 0;
    }
    check(&m, &limits);
    read_all(&m);
    ct_worker_sound_close(&m);
    return 0;
}
