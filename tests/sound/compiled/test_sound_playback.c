// Sounds as the compiler makes them, played by what plays them: in memory and streamed, samples and
// Vorbis, give what was recorded.
#include <math.h>

#include "compiler/types/sound/sound_case.h"
#include "sound/media/sound_streams.h"

enum { BLOCK = 480, FRAMES = 130000, CHANNELS = 2 };

static const wav_desc sine = {.rate = 48000,
                              .channels = CHANNELS,
                              .frames = FRAMES,
                              .shape = WAV_SINE,
                              .frequency = 440,
                              .level = 0.5};

// A sound in the table of media, with its stream behind its blob.
typedef struct played {
    compile_case t;
    ct_sound_media_table *table;
    const ct_sound_media *media;
    void *memory;
} played;

static const ct_string_id64 name = {5};

static played play(const char *members) {
    played p = {.t = compile_case_make()};
    compile_wav(&p.t, &sine, members);
    const ct_compile_answer *const a = &p.t.answer;
    p.memory = ct_alloc_aligned(test_heap(), a->blob.count + a->stream.count, 64);
    memcpy(p.memory, a->blob.items, a->blob.count);
    if (a->stream.count > 0)
        memcpy((char *)p.memory + a->blob.count, a->stream.items, a->stream.count);
    p.table = ct_sound_media_create(test_heap(), NULL, NULL, NULL);
    ct_sound_media_set(p.table, name, p.memory);
    p.media = ct_sound_media_get(p.table, name);
    assert_non_null(p.media);
    assert_int_equal(p.media->num_frames, FRAMES);
    return p;
}

static void end(played *p) {
    ct_sound_media_destroy(p->table);
    ct_free(test_heap(), p->memory);
    compile_case_free(&p->t);
}

static double expected_at(uint32_t frame) {
    return 0.5 * sin(2 * 3.14159265358979323846 * 440 * frame / 48000);
}

static void plays_from_memory(void **state) {
    (void)state;
    static const char *const members[] = {"", "store = \"vorbis\" quality = 0.6"};
    for (uint32_t i = 0; i < CT_COUNT_OF(members); ++i) {
        played p = play(members[i]);
        assert_non_null(p.media->samples);
        const double margin = i == 0 ? 1.0 / 32768 : 0.02;
        for (uint32_t f = 0; f < FRAMES * CHANNELS; ++f)
            assert_true(fabs(p.media->samples[f] / 32768.0 - expected_at(f / CHANNELS)) < margin);
        end(&p);
    }
}

// From the start over the end of the loop, and after a jump.
static void streams_what_memory_has(void **state) {
    (void)state;
    static const char *const members[][2] = {
        {"loop = true loop_begin = 0.6", "streamed = true loop = true loop_begin = 0.6"},
        {"store = \"vorbis\" loop = true loop_begin = 0.6",
         "store = \"vorbis\" streamed = true loop = true loop_begin = 0.6"},
    };
    ct_sound_streams *const streams = ct_sound_streams_create(test_heap(), false);
    for (uint32_t i = 0; i < CT_COUNT_OF(members); ++i) {
        played memory = play(members[i][0]), stream = play(members[i][1]);
        const uint32_t begin = memory.media->loop_begin, loop_end = memory.media->loop_end;
        const uint32_t s = ct_sound_stream_open(streams, stream.media, true, 0);
        assert_int_not_equal(s, UINT32_MAX);
        for (uint64_t frame = 0; frame < 2 * FRAMES; frame += BLOCK) {
            float block[BLOCK * CHANNELS];
            if (frame == 24000)
                frame = 100000 / BLOCK * BLOCK; // a jump
            if (!ct_sound_stream_read(streams, s, frame, BLOCK, block)) {
                ct_sound_streams_fill(streams);
                assert_true(ct_sound_stream_read(streams, s, frame, BLOCK, block));
            }
            for (uint32_t k = 0; k < BLOCK * CHANNELS; ++k) {
                const uint64_t on = frame + k / CHANNELS;
                const uint64_t at = on < loop_end ? on : begin + (on - begin) % (loop_end - begin);
                const double x = memory.media->samples[at * CHANNELS + k % CHANNELS] / 32768.0;
                assert_true(fabs((double)block[k] - x) < 1.01 / 32768);
            }
        }
        ct_sound_stream_close(streams, s);
        end(&memory);
        end(&stream);
    }
    ct_sound_streams_destroy(streams);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plays_from_memory),
        cmocka_unit_test(streams_what_memory_has),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
