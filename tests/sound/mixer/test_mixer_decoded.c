// Streamed sounds in the mixer, read and decoded by the engine's own streams: the same bits as from
// memory.
#include "sound/media/media_fixture.h"
#include "sound/mixer/mixer_fixture.h"

enum { NUM_FRAMES = 300000 };

static void changed(void *user, const ct_sound_media *old, const ct_sound_media *media) {
    (void)user;
    (void)old;
    (void)media;
}

typedef struct scene {
    int16_t *samples;
    ct_sound_resource *blobs[2];
    ct_sound_media_table *table;
    ct_sound_streams *streams;
    mixer_play plays[2]; // from memory, streamed
    ct_voice_id voices[2];
} scene;

static void begin(scene *s, uint32_t num_channels, bool loops, float pitch) {
    static const char *const names[] = {"memory", "streamed"};
    *s = (scene){.samples = media_make_samples(NUM_FRAMES, num_channels)};
    s->table = ct_sound_media_create(test_heap(), NULL, changed, NULL);
    s->streams = ct_sound_streams_create(test_heap(), false);
    for (uint32_t i = 0; i < 2; ++i) {
        const media_spec spec = {.samples = s->samples,
                                 .num_frames = NUM_FRAMES,
                                 .num_channels = num_channels,
                                 .rate = 44100,
                                 .chunk_frames = 24000,
                                 .loop_begin = 70001,
                                 .loop_end = 170003,
                                 .is_streamed = i == 1};
        s->blobs[i] = media_make(&spec);
        ct_sound_media_set(s->table, ct_string_id64_of(names[i]), s->blobs[i]);
        s->plays[i] = mixer_play_with(
            &(ct_mixer_desc){.allocator = test_heap(), .streams = s->streams, .num_voices = 4});
        const ct_sound_media *const media =
            ct_sound_media_get(s->table, ct_string_id64_of(names[i]));
        assert_int_equal(media->samples != NULL, i == 0);
        ct_voice_desc desc = loops ? mixer_loop(media) : mixer_voice(media);
        desc.params.pitch = pitch;
        s->voices[i] = ct_mixer_start(s->plays[i].m, &desc);
    }
}

static void end(scene *s) {
    for (uint32_t i = 0; i < 2; ++i)
        mixer_play_end(&s->plays[i]);
    ct_sound_streams_destroy(s->streams);
    ct_sound_media_destroy(s->table);
    for (uint32_t i = 0; i < 2; ++i)
        ct_free(test_heap(), s->blobs[i]);
    ct_free(test_heap(), s->samples);
}

static void run(scene *s, uint32_t num_blocks) {
    for (uint32_t i = 0; i < num_blocks; ++i) {
        ct_sound_streams_fill(s->streams);
        mixer_play_run(&s->plays[0], 1);
        mixer_play_run(&s->plays[1], 1);
    }
}

static bool is_same(const scene *s, uint32_t from) {
    return mixer_same(&s->plays[0], from, &s->plays[1], from, s->plays[0].num_frames - from);
}

static void sounds_as_in_memory(void **state) {
    (void)state;
    static const float pitches[] = {1, 48000.0f / 44100, 2.7f};
    for (uint32_t num_channels = 1; num_channels <= 2; ++num_channels)
        for (uint32_t loops = 0; loops < 2; ++loops)
            for (uint32_t i = 0; i < CT_COUNT_OF(pitches); ++i) {
                scene s;
                begin(&s, num_channels, loops, pitches[i]);
                run(&s, 800);
                assert_true(is_same(&s, 0));
                assert_int_equal(s.plays[1].num_ended, !loops);
                assert_int_equal(ct_mixer_get_stats(s.plays[1].m).num_starved, 0);
                end(&s);
            }
}

// After a block in which the stream has nothing yet, and a block of fading in.
static void sounds_as_in_memory_after_virtual_times(void **state) {
    (void)state;
    scene s;
    begin(&s, 2, true, 1.1f);
    for (uint32_t i = 0; i < 60; ++i) {
        run(&s, 5);
        for (uint32_t k = 0; k < 2; ++k)
            ct_mixer_set_real(s.plays[k].m, s.voices[k], i % 2);
        run(&s, 3);
        const uint32_t now = s.plays[0].num_frames;
        run(&s, 5);
        assert_true(is_same(&s, now));
        assert_int_equal(ct_mixer_position(s.plays[0].m, s.voices[0]),
                         ct_mixer_position(s.plays[1].m, s.voices[1]));
    }
    assert_int_equal(ct_mixer_get_stats(s.plays[1].m).num_starved, 0);
    end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sounds_as_in_memory),
        cmocka_unit_test(sounds_as_in_memory_after_virtual_times),
    };
    return cmocka_run_group_tests_name("mixer decoded", tests, test_group_setup,
                                       test_group_teardown);
}
