// Streamed sounds in the mixer, with streams of the test's own: it says what they have in time.
#include "sound/mixer/mixer_fixture.h"
#include "support/test_support.h"

// --- Streams -------------------------------------------------------------------------------------

typedef struct fake_stream {
    bool is_open;
    const ct_sound_media *media;
    bool loops;
    uint64_t opened_at;
    uint64_t num_reads, last_read;
} fake_stream;

struct ct_sound_streams {
    fake_stream streams[4];
    uint32_t num_streams;         // that may be open
    const ct_sound_media *source; // what all of them have
    uint64_t end;                 // frames from here on are not there yet
    uint32_t num_opened;
    uint32_t num_jumps; // back
    bool is_broken;     // nothing comes after `end`
};

uint32_t ct_sound_stream_open(ct_sound_streams *s, const ct_sound_media *media, bool loops,
                              uint64_t frame) {
    for (uint32_t i = 0; i < s->num_streams; ++i)
        if (!s->streams[i].is_open) {
            s->streams[i] =
                (fake_stream){.is_open = true, .media = media, .loops = loops, .opened_at = frame};
            ++s->num_opened;
            return i;
        }
    return UINT32_MAX;
}

void ct_sound_stream_close(ct_sound_streams *s, uint32_t stream) {
    assert_true(stream < s->num_streams && s->streams[stream].is_open);
    s->streams[stream].is_open = false;
}

bool ct_sound_stream_is_broken(const ct_sound_streams *s, uint32_t stream) {
    assert_true(stream < s->num_streams && s->streams[stream].is_open);
    return s->is_broken;
}

bool ct_sound_stream_read(ct_sound_streams *s, uint32_t stream, uint64_t frame, uint32_t count,
                          float *out) {
    assert_true(stream < s->num_streams && s->streams[stream].is_open);
    const fake_stream *const f = &s->streams[stream];
    ++s->streams[stream].num_reads;
    s->num_jumps += frame < f->last_read;
    s->streams[stream].last_read = frame;
    if (frame + count > s->end)
        return false;
    const uint32_t begin = f->media->loop_begin;
    const uint32_t end = f->media->loop_end ? f->media->loop_end : f->media->num_frames;
    const uint32_t num_channels = f->media->num_channels;
    for (uint32_t i = 0; i < count; ++i) {
        uint64_t n = frame + i;
        if (f->loops && n >= end)
            n = begin + (n - begin) % (end - begin);
        assert_true(n < f->media->num_frames);
        for (uint32_t c = 0; c < num_channels; ++c)
            out[i * num_channels + c] = (float)s->source->samples[n * num_channels + c] / 32768;
    }
    return true;
}

static uint32_t num_open(const ct_sound_streams *s) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < 4; ++i)
        count += s->streams[i].is_open;
    return count;
}

// --- Tests ---------------------------------------------------------------------------------------

typedef struct scene {
    ct_sound_streams streams;
    ct_sound_media source, streamed;
    mixer_play play;
} scene;

static void begin(scene *s, uint32_t num_channels) {
    memset(s, 0, sizeof(*s));
    s->source = mixer_sine(480, 30000, num_channels, 0.25);
    s->streamed = s->source;
    s->streamed.samples = NULL;
    s->streams.source = &s->source;
    s->streams.num_streams = 2;
    s->streams.end = UINT64_MAX;
    s->play = mixer_play_with(
        &(ct_mixer_desc){.allocator = test_heap(), .streams = &s->streams, .num_voices = 8});
}

static void end(scene *s) {
    mixer_play_end(&s->play);
    assert_int_equal(num_open(&s->streams), 0);
    mixer_free(&s->source);
}

static void sounds_as_in_memory(void **state) {
    (void)state;
    static const float pitches[] = {1, 0.7f, 1.9f};
    for (uint32_t num_channels = 1; num_channels <= 2; ++num_channels)
        for (uint32_t i = 0; i < CT_COUNT_OF(pitches); ++i)
            for (uint32_t loops = 0; loops < 2; ++loops) {
                scene s;
                begin(&s, num_channels);
                s.source.loop_begin = s.streamed.loop_begin = 5000;
                s.source.loop_end = s.streamed.loop_end = 9000;
                mixer_play p = mixer_play_with(&(ct_mixer_desc){.allocator = test_heap()});
                ct_voice_desc desc = loops ? mixer_loop(&s.source) : mixer_voice(&s.source);
                desc.params.pitch = pitches[i];
                ct_mixer_start(p.m, &desc);
                desc.media = &s.streamed;
                ct_mixer_start(s.play.m, &desc);
                mixer_play_run(&p, 100);
                mixer_play_run(&s.play, 100);
                assert_true(mixer_same(&p, 0, &s.play, 0, p.num_frames));
                assert_int_equal(s.play.num_ended, loops ? 0 : 1);
                assert_int_equal(num_open(&s.streams), loops);
                assert_int_equal(ct_mixer_get_stats(s.play.m).num_starved, 0);
                mixer_play_end(&p);
                end(&s);
            }
}

// A voice whose stream is damaged plays what there is, fades and ends; a chain goes on. One that is not
// heard moves on. One whose stream is only late waits.
static void ends_where_its_stream_is_damaged(void **state) {
    (void)state;
    for (uint32_t is_broken = 0; is_broken < 2; ++is_broken) {
        scene s;
        begin(&s, 1);
        s.streams.end = 5000;
        s.streams.is_broken = is_broken;
        ct_voice_desc desc = mixer_loop(&s.streamed);
        desc.params = mixer_params(1, 0);
        const ct_voice_id voice = desc.after = ct_mixer_start(s.play.m, &desc);
        desc = mixer_loop(&s.source);
        desc.params = mixer_params(0, 1);
        desc.after = voice;
        ct_mixer_start(s.play.m, &desc);
        mixer_play_run(&s.play, 20);
        assert_int_equal(s.play.num_ended, is_broken);
        for (uint32_t i = CT_MIXER_START_FRAMES; i < 4320; ++i)
            assert_true(mixer_left(&s.play, i) == (float)s.source.samples[i] / 32768);
        for (uint32_t i = 4800; i < s.play.num_frames; ++i)
            assert_true(mixer_left(&s.play, i) == 0);
        assert_true((mixer_right(&s.play, 4800 + 113) != 0) == is_broken);
        assert_true(mixer_right(&s.play, 4799) == 0);
        assert_true(mixer_roughness(&s.play, 0, s.play.num_frames) < 0.01);
        mixer_play_end(&s.play);
        assert_int_equal(num_open(&s.streams), 0);
        mixer_free(&s.source);
    }
}

// A loop that has played for hours goes on without a jump when its position starts to count again.
static void plays_on_for_ever(void **state) {
    (void)state;
    static const float pitches[] = {1, 1.3f};
    for (uint32_t i = 0; i < 2 * CT_COUNT_OF(pitches); ++i) {
        scene s;
        begin(&s, 1);
        s.source.loop_end = s.streamed.loop_end =
            i < 2 ? 4800 : 512; // it ends where it counts again
        mixer_play p = mixer_play_with(&(ct_mixer_desc){.allocator = test_heap()}),
                   low = mixer_play_with(&(ct_mixer_desc){.allocator = test_heap()});
        ct_voice_desc desc = mixer_loop(&s.source);
        desc.params.pitch = pitches[i % 2];
        desc.position = (1u << 30) - 4800;
        ct_mixer_start(p.m, &desc);
        desc.position %= s.source.loop_end;
        desc.position += s.source.loop_end;
        ct_mixer_start(low.m, &desc);
        desc.media = &s.streamed;
        desc.position = (1u << 30) - 4800;
        const ct_voice_id voice = ct_mixer_start(s.play.m, &desc);
        mixer_play_run(&p, 40);
        mixer_play_run(&low, 40);
        mixer_play_run(&s.play, 40);
        assert_true(ct_mixer_position(s.play.m, voice) < s.source.loop_end);
        assert_true(mixer_same(&p, 0, &s.play, 0, p.num_frames));
        assert_true(mixer_same(&p, 0, &low, 0, p.num_frames));
        assert_int_equal(s.streams.num_jumps, 0);
        mixer_play_end(&p);
        mixer_play_end(&low);
        end(&s);
    }
}

// Silence, and then a fade over a block, at the place where it would be.
static void comes_in_when_it_is_filled(void **state) {
    (void)state;
    scene s;
    begin(&s, 1);
    s.streams.end = 0;
    const ct_voice_desc desc = mixer_voice(&s.streamed);
    ct_mixer_start(s.play.m, &desc);
    mixer_play_run(&s.play, 4);
    s.streams.end = UINT64_MAX;
    mixer_play_run(&s.play, 4);
    for (uint32_t i = 0; i < s.play.num_frames; ++i) {
        const float factor = i < 1920 ? 0 : i < 2400 ? (float)(i - 1919) / 480 : 1;
        assert_float_equal(mixer_left(&s.play, i), factor * (float)s.source.samples[i] / 32768,
                           1e-6);
    }
    assert_int_equal(ct_mixer_get_stats(s.play.m).num_starved, 0); // it was not heard before
    end(&s);
}

static void fades_when_it_starves(void **state) {
    (void)state;
    scene s;
    begin(&s, 1);
    const ct_voice_desc desc = mixer_voice(&s.streamed);
    ct_mixer_start(s.play.m, &desc);
    mixer_play_run(&s.play, 4);
    s.streams.end = 6 * CT_MIXER_BLOCK; // the next block, but not the one after that is whole
    mixer_play_run(&s.play, 5);
    assert_true(mixer_left(&s.play, 8 * CT_MIXER_BLOCK - 1) == 0);
    const uint64_t num_starved = ct_mixer_get_stats(s.play.m).num_starved;
    assert_in_range(num_starved, 3, 5);
    s.streams.end = UINT64_MAX;
    mixer_play_run(&s.play, 5);
    assert_int_equal(ct_mixer_get_stats(s.play.m).num_starved, num_starved);
    for (uint32_t i = 10 * CT_MIXER_BLOCK; i < s.play.num_frames; ++i)
        assert_true(mixer_left(&s.play, i) == (float)s.source.samples[i] / 32768);
    const double w = 2 * 3.14159265 * 480 / 48000;
    assert_true(mixer_roughness(&s.play, 40, s.play.num_frames) <
                0.25 * w * w + 0.25 * (2 * w + 1) / 480 + 1e-4);
    end(&s);
}

static void waits_for_a_free_stream(void **state) {
    (void)state;
    scene s;
    begin(&s, 1);
    const ct_voice_desc desc = mixer_loop(&s.streamed);
    ct_voice_id voices[3];
    for (uint32_t i = 0; i < 3; ++i)
        voices[i] = ct_mixer_start(s.play.m, &desc);
    mixer_play_run(&s.play, 10);
    assert_int_equal(num_open(&s.streams), 2);
    assert_int_equal(ct_mixer_get_stats(s.play.m).num_real, 2);
    ct_mixer_set_real(s.play.m, voices[0], false);
    assert_int_equal(num_open(&s.streams), 2); // the mixer still reads it
    mixer_play_run(&s.play, 4);
    assert_int_equal(s.streams.num_opened, 3);
    assert_int_equal(ct_mixer_get_stats(s.play.m).num_real, 2);
    assert_in_range(s.streams.streams[0].opened_at, 10 * 480, 13 * 480); // where the third is
    assert_true(s.streams.streams[0].num_reads > 0);
    ct_mixer_stop(s.play.m, voices[1], 0, 0);
    ct_mixer_set_real(s.play.m, voices[0], true);
    mixer_play_run(&s.play, 4);
    assert_int_equal(s.streams.num_opened, 4);
    assert_int_equal(num_open(&s.streams), 2);
    end(&s);
}

// Real and virtual again, before the mixer has heard of it, and between blocks.
static void changes_its_mind(void **state) {
    (void)state;
    scene s;
    begin(&s, 1);
    s.streams.num_streams = 4;
    const ct_voice_desc desc = mixer_loop(&s.streamed);
    const ct_voice_id voice = ct_mixer_start(s.play.m, &desc);
    uint32_t random = 5;
    bool is_real = true;
    for (uint32_t i = 0; i < 3000; ++i) {
        for (uint32_t k = test_random(&random) % 4; k > 0; --k) {
            is_real = !is_real;
            ct_mixer_set_real(s.play.m, voice, is_real);
        }
        if (test_random(&random) % 2)
            mixer_play_run(&s.play, test_random(&random) % 4);
    }
    ct_mixer_set_real(s.play.m, voice, true);
    mixer_play_run(&s.play, 3);
    assert_int_equal(num_open(&s.streams), 1);
    // Bends of two changes in the same block.
    const double w = 2 * 3.14159265 * 480 / 48000;
    print_message("roughness %.5f\n", mixer_roughness(&s.play, 40, s.play.num_frames));
    assert_true(mixer_roughness(&s.play, 40, s.play.num_frames) <
                3 * (0.25 * w * w + 0.25 * (2 * w + 1) / 480) + 1e-4);
    end(&s);
}

static void closes_streams_of_voices_that_end(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 6; ++i) {
        scene s;
        begin(&s, 1);
        const ct_voice_desc desc = mixer_loop(&s.streamed);
        const ct_voice_id voice = ct_mixer_start(s.play.m, &desc);
        if (i >= 1)
            mixer_play_run(&s.play, 2);
        if (i >= 2)
            ct_mixer_set_real(s.play.m, voice, false);
        if (i >= 3)
            ct_mixer_set_real(s.play.m, voice, true);
        if (i >= 4)
            ct_mixer_stop(s.play.m, voice, 0, 0);
        float out[2 * CT_MIXER_BLOCK];
        if (i >= 5)
            ct_mixer_mix(s.play.m, out); // its end was not heard of
        end(&s);
    }
}

static void replaces_streamed_sounds(void **state) {
    (void)state;
    scene s;
    begin(&s, 1);
    ct_sound_media other = s.streamed, in_memory = s.source;
    const ct_voice_desc desc = mixer_loop(&s.streamed);
    ct_mixer_start(s.play.m, &desc);
    mixer_play_run(&s.play, 3);
    const ct_sound_media *const turns[] = {&s.streamed, &other, &in_memory, &s.streamed, NULL};
    for (uint32_t i = 0; i + 1 < CT_COUNT_OF(turns); ++i) {
        ct_mixer_lock(s.play.m);
        ct_mixer_replace_media(s.play.m, turns[i], turns[i + 1]);
        ct_mixer_unlock(s.play.m);
        assert_int_equal(num_open(&s.streams), turns[i + 1] && !turns[i + 1]->samples);
        mixer_play_run(&s.play, 3);
    }
    assert_int_equal(s.play.num_ended, 1);
    // It is the same sound all the time: the fades add up to it.
    for (uint32_t i = CT_MIXER_START_FRAMES; i < 12 * CT_MIXER_BLOCK; ++i)
        assert_float_equal(mixer_left(&s.play, i), (float)s.source.samples[i] / 32768, 1e-5);
    end(&s);
}

static void stays_silent_without_streams(void **state) {
    (void)state;
    scene s;
    begin(&s, 1);
    mixer_play p = mixer_play_with(&(ct_mixer_desc){.allocator = test_heap(), .num_voices = 8});
    const ct_voice_desc desc = mixer_voice(&s.streamed);
    const ct_voice_id voice = ct_mixer_start(p.m, &desc);
    mixer_play_run(&p, 10);
    assert_int_equal(ct_mixer_position(p.m, voice), 4800);
    assert_true(mixer_left(&p, 4000) == 0);
    mixer_play_run(&p, 60);
    assert_int_equal(p.num_ended, 1);
    mixer_play_end(&p);
    end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sounds_as_in_memory),
        cmocka_unit_test(ends_where_its_stream_is_damaged),
        cmocka_unit_test(plays_on_for_ever),
        cmocka_unit_test(comes_in_when_it_is_filled),
        cmocka_unit_test(fades_when_it_starves),
        cmocka_unit_test(waits_for_a_free_stream),
        cmocka_unit_test(changes_its_mind),
        cmocka_unit_test(closes_streams_of_voices_that_end),
        cmocka_unit_test(replaces_streamed_sounds),
        cmocka_unit_test(stays_silent_without_streams),
    };
    return cmocka_run_group_tests_name("mixer streams", tests, test_group_setup,
                                       test_group_teardown);
}
