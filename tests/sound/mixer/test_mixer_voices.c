// Voices of the mixer: starts, ends, loops, chains, positions, panning.
#include <math.h>

#include "sound/mixer/mixer_fixture.h"
#include "sound/mixer/mixer_private.h"
#include "support/test_support.h"

static mixer_play begin(void) {
    return mixer_play_with(&(ct_mixer_desc){.allocator = test_heap()});
}

static float sample(const ct_sound_media *media, uint32_t index) {
    return (float)media->samples[index] / 32768;
}

static void copies_what_is_played_as_it_is(void **state) {
    (void)state;
    const ct_sound_media sine = mixer_sine(440, 2000, 1, 0.5);
    mixer_play p = begin();
    ct_voice_desc desc = mixer_voice(&sine);
    desc.params.gains[1] = 0.5f;
    ct_mixer_start(p.m, &desc);
    mixer_play_run(&p, 5);
    for (uint32_t i = CT_MIXER_START_FRAMES; i < 2400; ++i) {
        const float expected = i < 2000 ? sample(&sine, i) : 0;
        assert_true(mixer_left(&p, i) == expected);
        assert_true(mixer_right(&p, i) == 0.5f * expected);
    }
    for (uint32_t i = 0; i < CT_MIXER_START_FRAMES; ++i)
        assert_float_equal(mixer_left(&p, i), sample(&sine, i) * (float)(i + 1) / 32, 1e-6);
    assert_int_equal(p.num_ended, 1);
    assert_int_equal(ct_mixer_get_stats(p.m).num_voices, 0);
    mixer_play_end(&p);
    mixer_free(&sine);
}

static void plays_two_channels_each_to_its_side(void **state) {
    (void)state;
    const ct_sound_media sine = mixer_sine(440, 2000, 2, 0.5);
    mixer_play p = begin();
    ct_voice_desc desc = mixer_voice(&sine);
    desc.params.gains[0] = 0.25f;
    ct_mixer_start(p.m, &desc);
    mixer_play_run(&p, 4);
    for (uint32_t i = CT_MIXER_START_FRAMES; i < 1920; ++i) {
        assert_true(mixer_left(&p, i) == 0.25f * sample(&sine, 2 * i));
        assert_true(mixer_right(&p, i) == sample(&sine, 2 * i + 1));
    }
    mixer_play_end(&p);
    mixer_free(&sine);
}

static void starts_at_its_clock(void **state) {
    (void)state;
    static const uint32_t starts[] = {0, 1, 479, 480, 1234, 4799};
    const ct_sound_media sine = mixer_sine(440, 480, 1, 0.5);
    for (uint32_t s = 0; s < CT_COUNT_OF(starts); ++s) {
        mixer_play p = begin();
        ct_voice_desc desc = mixer_voice(&sine);
        desc.start = starts[s];
        ct_mixer_start(p.m, &desc);
        mixer_play_run(&p, 12);
        for (uint32_t i = 0; i < p.num_frames; ++i) {
            const uint32_t at = i - starts[s];
            const bool plays = i >= starts[s] && at < 480;
            if (!plays)
                assert_true(mixer_left(&p, i) == 0);
            else if (at >= CT_MIXER_START_FRAMES)
                assert_true(mixer_left(&p, i) == sample(&sine, at));
        }
        mixer_play_end(&p);
    }
    mixer_free(&sine);
}

static void stops_from_its_clock_on(void **state) {
    (void)state;
    const ct_sound_media sine = mixer_sine(480, 4800, 1, 0.5);
    mixer_play p = begin();
    const ct_voice_desc desc = mixer_loop(&sine);
    const ct_voice_id voice = ct_mixer_start(p.m, &desc);
    ct_mixer_stop(p.m, voice, 1000, 700);
    mixer_play_run(&p, 3);
    assert_int_equal(p.num_ended, 0);
    mixer_play_run(&p, 1);
    assert_int_equal(p.num_ended, 1);
    assert_int_equal(p.last_ended.value, voice.value);
    for (uint32_t i = CT_MIXER_START_FRAMES; i < 1920; ++i) {
        const float factor = i < 1000 ? 1 : i < 1700 ? 1 - (float)(i - 999) / 700 : 0;
        assert_float_equal(mixer_left(&p, i), factor * sample(&sine, i), 1e-6);
    }
    mixer_play_end(&p);
    mixer_free(&sine);
}

// Two halves one after the other must be the same as the whole, at any pitch.
static void chains_without_a_gap(void **state) {
    (void)state;
    static const float pitches[] = {1, 0.73f, 1.31f, 2.5f};
    const ct_sound_media whole = mixer_sine(331, 20000, 1, 0.5);
    ct_sound_media first = whole, second = whole;
    first.num_frames = 7001;
    second.samples += 7001;
    second.num_frames -= 7001;
    for (uint32_t i = 0; i < CT_COUNT_OF(pitches); ++i) {
        mixer_play a = begin(), b = begin();
        ct_voice_desc desc = mixer_voice(&whole);
        desc.params.pitch = pitches[i];
        ct_mixer_start(a.m, &desc);
        desc.media = &first;
        desc.after = ct_mixer_start(b.m, &desc);
        desc.media = &second;
        ct_mixer_start(b.m, &desc);
        mixer_play_run(&a, 60);
        mixer_play_run(&b, 60);
        assert_int_equal(b.num_ended, 2);
        assert_true(mixer_same(&a, 0, &b, 0, a.num_frames));
        mixer_play_end(&a);
        mixer_play_end(&b);
    }
    mixer_free(&whole);
}

static void chains_many_short_sounds_in_a_block(void **state) {
    (void)state;
    const ct_sound_media whole = mixer_sine(331, 1000, 1, 0.5);
    ct_sound_media parts[100];
    mixer_play a = begin(), b = begin();
    ct_voice_desc desc = mixer_voice(&whole);
    ct_mixer_start(a.m, &desc);
    for (uint32_t i = 0; i < 100; ++i) {
        parts[i] = whole;
        parts[i].samples += 10 * i;
        parts[i].num_frames = 10;
        desc.media = &parts[i];
        desc.after = ct_mixer_start(b.m, &desc);
    }
    mixer_play_run(&a, 4);
    mixer_play_run(&b, 4);
    assert_int_equal(b.num_ended, 100);
    // The first of them ends while it fades in.
    assert_true(mixer_same(&a, 32, &b, 32, a.num_frames - 32));
    mixer_play_end(&a);
    mixer_play_end(&b);
    mixer_free(&whole);
}

// What waits for a voice that was stopped fades in: it cannot join.
static void follows_a_voice_that_was_stopped(void **state) {
    (void)state;
    const ct_sound_media sine = mixer_sine(480, 48000, 1, 0.5);
    mixer_play p = begin();
    ct_voice_desc desc = mixer_loop(&sine);
    const ct_voice_id first = ct_mixer_start(p.m, &desc);
    desc = mixer_voice(&sine);
    desc.after = first;
    ct_mixer_start(p.m, &desc);
    mixer_play_run(&p, 1);
    ct_mixer_stop(p.m, first, 0, 600);
    mixer_play_run(&p, 3);
    for (uint32_t i = 1080; i < 1920; ++i) {
        const float factor = i < 1112 ? (float)(i - 1079) / 32 : 1;
        assert_float_equal(mixer_left(&p, i), factor * sample(&sine, i - 1080), 1e-6);
    }
    mixer_play_end(&p);
    mixer_free(&sine);
}

// What follows after a delay starts so much after the real end of the one before: at any pitch, also
// one that changes, virtual or real, and while the filter of the one before still rings.
static void follows_after_a_delay(void **state) {
    (void)state;
    enum { FRAMES = 7001, DELAY = 1234 };
    static const float pitches[] = {1, 0.5f, 2, 1.31f};
    const ct_sound_media sine = mixer_sine(331, FRAMES, 1, 0.5);
    for (uint32_t i = 0; i < 4 * CT_COUNT_OF(pitches); ++i) {
        const float pitch = pitches[i / 4];
        mixer_play p = begin();
        ct_voice_desc desc = mixer_voice(&sine);
        desc.params = mixer_params(1, 0);
        desc.params.pitch = pitch;
        desc.params.low_pass = i & 2 ? 2000 : CT_SOUND_OPEN_HZ;
        desc.is_real = !(i & 1);
        const ct_voice_id before = ct_mixer_start(p.m, &desc);
        desc = mixer_voice(&sine);
        desc.params = mixer_params(0, 1);
        desc.after = before;
        desc.delay = DELAY;
        ct_mixer_start(p.m, &desc);
        mixer_play_run(&p, 45);
        const uint32_t start = (uint32_t)ceilf((float)FRAMES / pitch) + DELAY;
        assert_true(mixer_right(&p, start) == 0 && mixer_right(&p, start + 1) != 0);
        assert_true(mixer_right(&p, start + 100) == sample(&sine, 100));
        for (uint32_t k = 0; k < start; ++k)
            assert_true(mixer_right(&p, k) == 0);
        // The filter of the one before goes on for a block; without one, it is silent at once.
        const uint32_t end = start - DELAY;
        assert_true((mixer_left(&p, end + 20) != 0) == (i % 4 == 2));
        assert_true(mixer_left(&p, end + CT_MIXER_BLOCK) == 0);
        mixer_play_end(&p);
    }
    mixer_free(&sine);
}

// A chain that fades as a whole: the fade goes on in the second part.
static void fades_over_a_chain(void **state) {
    (void)state;
    const ct_sound_media whole = mixer_sine(331, 4000, 1, 0.5);
    ct_sound_media first = whole, second = whole;
    first.num_frames = 1500;
    second.samples += 1500;
    second.num_frames -= 1500;
    mixer_play a = begin(), b = begin();
    ct_voice_desc desc = mixer_voice(&whole);
    const ct_voice_id voice = ct_mixer_start(a.m, &desc);
    desc.media = &first;
    const ct_voice_id one = desc.after = ct_mixer_start(b.m, &desc);
    desc.media = &second;
    const ct_voice_id two = ct_mixer_start(b.m, &desc);
    ct_mixer_stop(a.m, voice, 1000, 1800);
    ct_mixer_stop(b.m, one, 1000, 1800);
    ct_mixer_stop(b.m, two, 1000, 1800);
    mixer_play_run(&a, 6);
    mixer_play_run(&b, 6);
    assert_true(fabsf(mixer_left(&a, 2000)) > 0.05f);
    assert_true(mixer_same(&a, 0, &b, 0, a.num_frames));
    assert_int_equal(a.num_ended, 1);
    assert_int_equal(b.num_ended, 2);
    mixer_play_end(&a);
    mixer_play_end(&b);
    mixer_free(&whole);
}

// A loop of whole waves must be the same as a long sine, at any pitch, over the place where it wraps.
static void loops_without_a_seam(void **state) {
    (void)state;
    static const float pitches[] = {1, 0.73f, 1.31f, 7.9f};
    const ct_sound_media tall = mixer_sine(480, 60000, 1, 0.5);
    ct_sound_media loop = tall;
    loop.num_frames = 1300; // the rest after its loop must not be heard
    loop.loop_begin = 200;
    loop.loop_end = 1200;
    for (uint32_t i = 0; i < CT_COUNT_OF(pitches); ++i) {
        mixer_play a = begin(), b = begin();
        ct_voice_desc desc = mixer_voice(&tall);
        desc.params.pitch = pitches[i];
        ct_mixer_start(a.m, &desc);
        desc = mixer_loop(&loop);
        desc.params.pitch = pitches[i];
        ct_mixer_start(b.m, &desc);
        mixer_play_run(&a, 15);
        mixer_play_run(&b, 15);
        for (uint32_t k = 0; k < a.num_frames; ++k)
            assert_float_equal(mixer_left(&a, k), mixer_left(&b, k), 2e-4);
        mixer_play_end(&a);
        mixer_play_end(&b);
    }
    mixer_free(&tall);
}

static void repeats_as_often_as_it_says(void **state) {
    (void)state;
    const ct_sound_media sine = mixer_sine(480, 100, 1, 0.5);
    ct_sound_media with_loop = sine;
    with_loop.loop_begin = 50;
    with_loop.loop_end = 90;
    const struct {
        const ct_sound_media *media;
        bool loops;
        uint32_t repeats, length;
    } cases[] = {
        {&sine, false, 1, 100},      {&sine, false, 7, 700},     {&sine, true, 3, 300},
        {&with_loop, false, 2, 200}, {&with_loop, true, 4, 210}, {&with_loop, true, 1, 90},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        mixer_play p = begin();
        ct_voice_desc desc = mixer_voice(cases[i].media);
        desc.loops = cases[i].loops;
        desc.repeats = cases[i].repeats;
        desc.after = ct_mixer_start(p.m, &desc);
        desc.media = &sine;
        desc.repeats = 1;
        desc.params = mixer_params(1, 0);
        ct_mixer_start(p.m, &desc);
        mixer_play_run(&p, 4);
        const uint32_t length = cases[i].length;
        assert_true(mixer_right(&p, length - 1) != 0);
        for (uint32_t k = length; k < p.num_frames; ++k)
            assert_true(mixer_right(&p, k) == 0);
        assert_true(mixer_left(&p, length + 13) == sample(&sine, 13)); // the one that follows
        mixer_play_end(&p);
    }
    mixer_free(&sine);
}

static void ends_sounds_that_are_over_before_they_start(void **state) {
    (void)state;
    const ct_sound_media sine = mixer_sine(480, 100, 1, 0.5);
    ct_sound_media empty = sine;
    empty.num_frames = 0;
    mixer_play p = begin();
    ct_voice_desc desc = mixer_voice(&sine);
    desc.position = 100;
    ct_mixer_start(p.m, &desc);
    desc.position = UINT32_MAX;
    ct_mixer_start(p.m, &desc);
    desc = mixer_voice(&empty);
    ct_mixer_start(p.m, &desc);
    desc = mixer_loop(&empty);
    ct_mixer_start(p.m, &desc);
    mixer_play_run(&p, 1);
    assert_int_equal(p.num_ended, 4);
    mixer_play_end(&p);
    mixer_free(&sine);
}

static void resamples_rates(void **state) {
    (void)state;
    const ct_sound_media sine = mixer_sine_at(1000, 44100, 44100, 1, 0.5);
    mixer_play p = begin();
    const ct_voice_desc desc = mixer_voice(&sine);
    const ct_voice_id voice = ct_mixer_start(p.m, &desc);
    mixer_play_run(&p, 50);
    assert_int_equal(ct_mixer_position(p.m, voice), 22050 - 1); // a step is a little below
    for (uint32_t i = 100; i < 24000; ++i)
        assert_float_equal(mixer_left(&p, i), 0.5 * sin(2 * 3.14159265358979 * 1000 * i / 48000),
                           2e-3);
    mixer_play_end(&p);
    mixer_free(&sine);
}

// The signal to noise of a sine that is played a tenth higher.
static double signal_to_noise(double hz) {
    const ct_sound_media sine = mixer_sine(hz, 48000, 1, 0.5);
    mixer_play p = begin();
    ct_voice_desc desc = mixer_voice(&sine);
    desc.params.pitch = 1.1f;
    ct_mixer_start(p.m, &desc);
    mixer_play_run(&p, 50);
    double signal = 0, noise = 0;
    for (uint32_t i = 480; i < p.num_frames; ++i) {
        const double ideal =
            0.5 * 32767 / 32768 * sin(2 * 3.14159265358979 * hz * (double)1.1f * i / 48000);
        signal += ideal * ideal;
        noise += (mixer_left(&p, i) - ideal) * (mixer_left(&p, i) - ideal);
    }
    mixer_play_end(&p);
    mixer_free(&sine);
    return 10 * log10(signal / noise);
}

static void resamples_well(void **state) {
    (void)state;
    print_message("signal to noise at pitch 1.1: %.1f dB at 1 kHz, %.1f dB at 5 kHz\n",
                  signal_to_noise(1000), signal_to_noise(5000));
    assert_true(signal_to_noise(1000) > 60);
    assert_true(signal_to_noise(5000) > 24);
}

// How loud a sine is that is played at a pitch, in dB of how loud it is.
static double level_at(double hz, float pitch) {
    const ct_sound_media sine = mixer_sine(hz, 480000, 1, 0.5);
    mixer_play p = begin();
    ct_voice_desc desc = mixer_voice(&sine);
    desc.params.pitch = pitch;
    ct_mixer_start(p.m, &desc);
    mixer_play_run(&p, 40);
    double power = 0;
    for (uint32_t i = 480; i < p.num_frames; ++i)
        power += mixer_left(&p, i) * mixer_left(&p, i);
    mixer_play_end(&p);
    mixer_free(&sine);
    return 10 * log10(power / (40 * CT_MIXER_BLOCK - 480) / (0.5 * 0.5 / 2));
}

// Notes that a pitch brings beyond 24 kHz would be heard as others.
static void takes_out_what_would_be_too_high(void **state) {
    (void)state;
    static const struct {
        double hz, least, most;
        float pitch;
    } cases[] = {{1000, -0.1, 0.1, 1.2f},  {15000, -2, 0.1, 1.2f},  {1000, -0.5, 0, 2},
                 {21000, -100, -12, 2},    {1000, -0.5, 0, 4},      {11000, -100, -30, 4},
                 {20000, -100, -12, 4},    {500, -0.5, 0, 7.9f},    {6000, -100, -30, 7.9f},
                 {11900, -100, -30, 7.9f}, {18000, -100, -30, 7.9f}};
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        const double level = level_at(cases[i].hz, cases[i].pitch);
        if (level < cases[i].least || level > cases[i].most)
            fail_msg("%g Hz at pitch %g: found %g dB; expected %g to %g", cases[i].hz,
                     (double)cases[i].pitch, level, cases[i].least, cases[i].most);
    }
}

// A voice that was virtual meanwhile must be where it would be, to the last bit.
static void returns_in_phase(void **state) {
    (void)state;
    const ct_sound_media sine = mixer_sine(441, 30000, 1, 0.5);
    mixer_play a = begin(), b = begin();
    ct_voice_desc desc = mixer_loop(&sine);
    const ct_voice_id first = ct_mixer_start(a.m, &desc);
    desc.is_real = false;
    const ct_voice_id second = ct_mixer_start(b.m, &desc);
    for (uint32_t i = 0; i < 400; ++i) {
        ct_voice_params params = mixer_params(1, 1);
        params.pitch = 1 + 0.5f * sinf((float)i);
        ct_mixer_set_params(a.m, first, &params);
        ct_mixer_set_params(b.m, second, &params);
        if (i % 20 == 10)
            ct_mixer_set_real(b.m, second, i % 40 == 10);
        mixer_play_run(&a, 1);
        mixer_play_run(&b, 1);
        assert_int_equal(ct_mixer_position(a.m, first), ct_mixer_position(b.m, second));
        const uint32_t at = i * CT_MIXER_BLOCK;
        if (i % 40 > 10 && i % 40 < 30)
            assert_true(mixer_same(&a, at, &b, at, CT_MIXER_BLOCK));
        else if (i % 40 < 10 || i % 40 > 30)
            assert_true(mixer_left(&b, at + 200) == 0);
    }
    mixer_play_end(&a);
    mixer_play_end(&b);
    mixer_free(&sine);
}

static void freezes_paused_voices(void **state) {
    (void)state;
    const ct_sound_media sine = mixer_sine(441, 30000, 1, 0.5);
    mixer_play p = begin(), steady = begin();
    const ct_voice_desc desc = mixer_loop(&sine);
    const ct_voice_id voice = ct_mixer_start(p.m, &desc);
    ct_mixer_start(steady.m, &desc);
    mixer_play_run(&p, 3);
    ct_mixer_set_paused(p.m, voice, true);
    mixer_play_run(&p, 1);
    const uint32_t position = ct_mixer_position(p.m, voice);
    assert_int_equal(position, 4 * CT_MIXER_BLOCK); // after the fade
    mixer_play_run(&p, 5);
    assert_int_equal(ct_mixer_position(p.m, voice), position);
    assert_true(mixer_left(&p, 6 * CT_MIXER_BLOCK + 100) == 0);
    ct_mixer_set_paused(p.m, voice, false);
    mixer_play_run(&p, 3);
    mixer_play_run(&steady, 12);
    assert_true(
        mixer_same(&p, 10 * CT_MIXER_BLOCK, &steady, 5 * CT_MIXER_BLOCK, 2 * CT_MIXER_BLOCK));
    mixer_play_end(&p);
    mixer_play_end(&steady);
    mixer_free(&sine);
}

// A pause takes its time from what waits for its start as from what plays: all but its first block.
static void moves_the_starts_of_paused_voices(void **state) {
    (void)state;
    enum { BLOCK = CT_MIXER_BLOCK, PAUSE = 50, START = 10 * BLOCK + 77 };
    const ct_sound_media sine = mixer_sine(441, 30000, 1, 0.5),
                         silence = mixer_media(480, 48000, 1);
    for (uint32_t is_chained = 0; is_chained < 2; ++is_chained) {
        mixer_play p = begin();
        ct_voice_desc desc = mixer_voice(&silence);
        const ct_voice_id before = ct_mixer_start(p.m, &desc);
        desc = mixer_voice(&sine);
        desc.start = START;
        if (is_chained) {
            desc.after = before;
            desc.delay = START - 480;
        }
        const ct_voice_id voice = ct_mixer_start(p.m, &desc);
        for (uint32_t i = 0; i < 2; ++i) { // the second before it is due
            mixer_play_run(&p, 3);
            ct_mixer_set_paused(p.m, voice, true);
            mixer_play_run(&p, PAUSE);
            ct_mixer_set_paused(p.m, voice, false);
        }
        mixer_play_run(&p, 10);
        const uint32_t start = START + 2 * (PAUSE - 1) * BLOCK;
        assert_true(mixer_left(&p, start) == 0 && mixer_left(&p, start + 1) != 0);
        for (uint32_t i = 0; i < start; ++i)
            assert_true(mixer_left(&p, i) == 0);
        mixer_play_end(&p);
    }
    mixer_free(&silence);
    mixer_free(&sine);
}

// What was due waits for the end of the pause, and what is paused from its start on waits for all of it.
static void starts_late_what_is_due_in_a_pause(void **state) {
    (void)state;
    enum { BLOCK = CT_MIXER_BLOCK };
    const ct_sound_media sine = mixer_sine(441, 30000, 1, 0.5);
    mixer_play p = begin();
    ct_voice_desc desc = mixer_voice(&sine);
    desc.start = 3 * BLOCK + 77;
    ct_voice_id voice = ct_mixer_start(p.m, &desc);
    mixer_play_run(&p, 3);
    ct_mixer_set_paused(p.m, voice, true);
    mixer_play_run(&p, 4);
    ct_mixer_set_paused(p.m, voice, false);
    mixer_play_run(&p, 1);
    assert_true(mixer_left(&p, 7 * BLOCK - 1) == 0 && mixer_left(&p, 7 * BLOCK + 1) != 0);
    ct_mixer_stop(p.m, voice, 0, 0);
    mixer_play_run(&p, 2); // to block 10
    desc.start = 12 * BLOCK + 77;
    desc.is_paused = true;
    voice = ct_mixer_start(p.m, &desc);
    mixer_play_run(&p, 5);
    ct_mixer_set_paused(p.m, voice, false);
    mixer_play_run(&p, 3);
    assert_true(mixer_left(&p, 17 * BLOCK + 77) == 0 && mixer_left(&p, 17 * BLOCK + 78) != 0);
    assert_true(mixer_left(&p, 16 * BLOCK) == 0 && mixer_left(&p, 17 * BLOCK) == 0);
    mixer_play_end(&p);
    mixer_free(&sine);
}

static void ends_paused_voices_at_once(void **state) {
    (void)state;
    const ct_sound_media sine = mixer_sine(441, 30000, 1, 0.5);
    mixer_play p = begin();
    ct_voice_desc desc = mixer_loop(&sine);
    desc.is_paused = true;
    const ct_voice_id voice = ct_mixer_start(p.m, &desc);
    mixer_play_run(&p, 2);
    assert_int_equal(ct_mixer_position(p.m, voice), 0);
    ct_mixer_stop(p.m, voice, 0, 48000);
    mixer_play_run(&p, 1);
    assert_int_equal(p.num_ended, 1);
    mixer_play_end(&p);
    mixer_free(&sine);
}

// A pause hides what is left of a fade: the voice ends, it does not wait for ever.
static void ends_voices_that_are_paused_while_they_stop(void **state) {
    (void)state;
    const ct_sound_media sine = mixer_sine(441, 30000, 1, 0.5);
    mixer_play p = begin();
    const ct_voice_desc desc = mixer_loop(&sine);
    const ct_voice_id voice = ct_mixer_start(p.m, &desc);
    mixer_play_run(&p, 2);
    ct_mixer_stop(p.m, voice, 0, 2 * CT_MIXER_BLOCK + 100);
    mixer_play_run(&p, 1);
    ct_mixer_set_paused(p.m, voice, true);
    mixer_play_run(&p, 3);
    assert_int_equal(p.num_ended, 1);
    mixer_play_end(&p);
    mixer_free(&sine);
}

// What a filter holds at the end of a sound dies away.
static void lets_filters_ring_at_the_end(void **state) {
    (void)state;
    const ct_sound_media sine = mixer_sine(1000, 48 * 48, 1, 0.5);
    mixer_play p = begin();
    ct_voice_desc desc = mixer_voice(&sine);
    desc.params.low_pass = 500;
    ct_mixer_start(p.m, &desc);
    mixer_play_run(&p, 8);
    assert_int_equal(p.num_ended, 1);
    assert_true(mixer_roughness(&p, 480, 8 * CT_MIXER_BLOCK) < 0.006);
    mixer_play_end(&p);
    mixer_free(&sine);
}

// A second stop wins when it is over sooner.
static void stops_sooner(void **state) {
    (void)state;
    const ct_sound_media sine = mixer_sine(441, 30000, 1, 0.5);
    mixer_play p = begin();
    const ct_voice_desc desc = mixer_loop(&sine);
    const ct_voice_id voice = ct_mixer_start(p.m, &desc);
    mixer_play_run(&p, 1);
    ct_mixer_stop(p.m, voice, 4800, 480000);
    ct_mixer_stop(p.m, voice, 9600, 480000);
    mixer_play_run(&p, 4);
    ct_mixer_stop(p.m, voice, 0, 480000);
    mixer_play_run(&p, 4);
    ct_mixer_stop(p.m, voice, 0, 960000);
    mixer_play_run(&p, 4);
    assert_int_equal(p.num_ended, 0);
    ct_mixer_stop(p.m, voice, 0, 0);
    mixer_play_run(&p, 1);
    assert_int_equal(p.num_ended, 1);
    mixer_play_end(&p);
    mixer_free(&sine);
}

static void ignores_stale_voices(void **state) {
    (void)state;
    const ct_sound_media sine = mixer_sine(441, 100, 1, 0.5);
    mixer_play p = mixer_play_with(&(ct_mixer_desc){.allocator = test_heap(), .num_voices = 1});
    const ct_voice_desc desc = mixer_voice(&sine);
    const ct_voice_id old = ct_mixer_start(p.m, &desc);
    assert_int_equal(ct_mixer_start(p.m, &desc).value, 0); // no more than one
    mixer_play_run(&p, 1);
    const ct_voice_desc loop = mixer_loop(&sine);
    const ct_voice_id voice = ct_mixer_start(p.m, &loop);
    assert_true(voice.value && voice.value != old.value);
    const ct_voice_params silent = mixer_params(0, 0);
    const ct_voice_id stale[] = {old, {0}, {UINT32_MAX}};
    for (uint32_t i = 0; i < CT_COUNT_OF(stale); ++i) {
        ct_mixer_set_params(p.m, stale[i], &silent);
        ct_mixer_stop(p.m, stale[i], 0, 0);
        ct_mixer_set_paused(p.m, stale[i], true);
        ct_mixer_set_real(p.m, stale[i], false);
        assert_int_equal(ct_mixer_position(p.m, stale[i]), 0);
    }
    mixer_play_run(&p, 2);
    assert_int_equal(ct_mixer_position(p.m, voice), 960 % 100);
    assert_true(mixer_left(&p, 1000) == sample(&sine, 520 % 100));
    mixer_play_end(&p);
    mixer_free(&sine);
}

// The queue has room for fewer; none may be lost.
static void starts_ten_thousand_in_a_block(void **state) {
    (void)state;
    const ct_sound_media sine = mixer_sine(441, 300, 1, 0.01);
    mixer_play p = mixer_play_with(
        &(ct_mixer_desc){.allocator = test_heap(), .num_voices = CT_MIXER_MAX_VOICES});
    const ct_voice_desc desc = mixer_voice(&sine);
    uint32_t num_started = 0;
    for (uint32_t i = 0; i < 10000; ++i)
        num_started += ct_mixer_start(p.m, &desc).value != 0;
    assert_int_equal(num_started, CT_MIXER_MAX_VOICES);
    mixer_play_run(&p, 1);
    assert_int_equal(p.num_ended, num_started);
    for (uint32_t i = 0; i < p.num_frames * 2; ++i)
        assert_true(p.out[i] >= -1 && p.out[i] <= 1);
    mixer_play_end(&p);
    mixer_free(&sine);
}

static void loses_no_command(void **state) {
    (void)state;
    const ct_sound_media sine = mixer_sine(480, 4800, 1, 0.01);
    mixer_play p = mixer_play_with(&(ct_mixer_desc){.allocator = test_heap(), .num_voices = 60});
    ct_voice_id voices[60];
    ct_voice_desc desc = mixer_voice(&sine);
    desc.position = 4790;
    desc.start = 10 * CT_MIXER_BLOCK;   // until when all are sent
    for (uint32_t i = 0; i < 60; ++i) { // each waits for the one before: their order counts
        voices[i] = desc.after = ct_mixer_start(p.m, &desc);
        for (uint32_t k = 0; k < 5; ++k) {
            const ct_voice_params params = mixer_params((float)k, (float)i);
            ct_mixer_set_params(p.m, voices[i], &params);
        }
    }
    assert_true(ct_mixer_get_stats(p.m).num_dropped > 0);
    mixer_play_run(&p, 12);
    const uint32_t first = 10 * CT_MIXER_BLOCK + 5;
    for (uint32_t i = 1; i < 60; ++i) {
        assert_float_equal(mixer_left(&p, first + 10 * i), 4 * sample(&sine, 4795), 1e-6);
        assert_float_equal(mixer_right(&p, first + 10 * i), (float)i * sample(&sine, 4795), 1e-5);
    }
    assert_int_equal(p.num_ended, 60);
    mixer_play_end(&p);
    mixer_free(&sine);
}

static void survives_params_that_are_no_numbers(void **state) {
    (void)state;
    const ct_sound_media sine = mixer_sine(480, 30000, 1, 0.5);
    const float bad[] = {NAN, INFINITY, -INFINITY, 1e30f, -1, 0};
    for (uint32_t i = 0; i < CT_COUNT_OF(bad); ++i) {
        mixer_play p = begin();
        ct_voice_desc desc = mixer_loop(&sine);
        desc.params = (ct_voice_params){{bad[i], bad[i]}, bad[i], bad[i], bad[i]};
        const ct_voice_id voice = ct_mixer_start(p.m, &desc);
        mixer_play_run(&p, 3);
        for (uint32_t k = 0; k < 2 * p.num_frames; ++k)
            assert_true(p.out[k] >= -1 && p.out[k] <= 1);
        const ct_voice_params good = mixer_params(1, 1);
        ct_mixer_set_params(p.m, voice, &good);
        mixer_play_run(&p, 20);
        assert_true(mixer_roughness(&p, 22 * 480, 23 * 480) < 0.5 * 0.066 * 0.066);
        assert_true(mixer_roughness(&p, 22 * 480, 23 * 480) > 0.5 * 0.06 * 0.06);
        mixer_play_end(&p);
    }
    mixer_free(&sine);
}

static void limits_softly(void **state) {
    (void)state;
    const ct_sound_media sine = mixer_sine(100, 48000, 1, 0.99);
    mixer_play p = begin();
    ct_voice_desc desc = mixer_loop(&sine);
    desc.params = mixer_params(1, 10);
    ct_mixer_start(p.m, &desc);
    mixer_play_run(&p, 10);
    float most = 0;
    for (uint32_t i = CT_MIXER_START_FRAMES; i < p.num_frames; ++i) {
        const float in = sample(&sine, i), left = mixer_left(&p, i), right = mixer_right(&p, i);
        if (fabsf(in) < 0.9f)
            assert_true(left == in);
        else
            assert_true(fabsf(left) <= fabsf(in) && fabsf(left) > 0.899f);
        if (fabsf(10 * in) < 0.9f)
            assert_true(right == 10 * in);
        most = fmaxf(most, fabsf(right));
    }
    assert_true(most > 0.99f && most <= 1);
    mixer_play_end(&p);
    mixer_free(&sine);
}

// Of stops that wait for room in the queue, the one counts that is over sooner, as of others.
static void keeps_the_sooner_of_stops_that_wait(void **state) {
    (void)state;
    static const ct_mixer_stop_command stops[] = {{0, 480}, {0, 48000}, {2400, 480}, {0, 4800}};
    const ct_sound_media sine = mixer_sine(480, 48000, 1, 0.5);
    for (uint32_t i = 0; i < CT_COUNT_OF(stops) * CT_COUNT_OF(stops); ++i) {
        const ct_mixer_stop_command first = stops[i % 4], second = stops[i / 4];
        mixer_play p = mixer_play_with(&(ct_mixer_desc){.allocator = test_heap(), .num_voices = 2});
        const ct_voice_desc desc = mixer_loop(&sine);
        const ct_voice_id voice = ct_mixer_start(p.m, &desc), other = ct_mixer_start(p.m, &desc);
        const ct_voice_params params = mixer_params(0, 0);
        for (uint32_t k = 0; k < 1000; ++k)
            ct_mixer_set_params(p.m, other, &params);
        ct_mixer_stop(p.m, voice, first.when, first.fade_frames);
        ct_mixer_stop(p.m, voice, second.when, second.fade_frames);
        assert_true(ct_mixer_get_stats(p.m).num_dropped > 0);
        // All are sent after the first block.
        const uint64_t ends[] = {(first.when ? first.when : 480) + first.fade_frames,
                                 (second.when ? second.when : 480) + second.fade_frames};
        const uint64_t end = ends[0] < ends[1] ? ends[0] : ends[1];
        mixer_play_run(&p, (uint32_t)(end / CT_MIXER_BLOCK) - 1);
        assert_int_equal(p.num_ended, 0);
        mixer_play_run(&p, 1);
        assert_int_equal(p.num_ended, 1);
        mixer_play_end(&p);
    }
    mixer_free(&sine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_what_is_played_as_it_is),
        cmocka_unit_test(plays_two_channels_each_to_its_side),
        cmocka_unit_test(starts_at_its_clock),
        cmocka_unit_test(stops_from_its_clock_on),
        cmocka_unit_test(keeps_the_sooner_of_stops_that_wait),
        cmocka_unit_test(chains_without_a_gap),
        cmocka_unit_test(chains_many_short_sounds_in_a_block),
        cmocka_unit_test(follows_a_voice_that_was_stopped),
        cmocka_unit_test(follows_after_a_delay),
        cmocka_unit_test(fades_over_a_chain),
        cmocka_unit_test(loops_without_a_seam),
        cmocka_unit_test(repeats_as_often_as_it_says),
        cmocka_unit_test(ends_sounds_that_are_over_before_they_start),
        cmocka_unit_test(resamples_rates),
        cmocka_unit_test(resamples_well),
        cmocka_unit_test(takes_out_what_would_be_too_high),
        cmocka_unit_test(returns_in_phase),
        cmocka_unit_test(freezes_paused_voices),
        cmocka_unit_test(moves_the_starts_of_paused_voices),
        cmocka_unit_test(starts_late_what_is_due_in_a_pause),
        cmocka_unit_test(ends_paused_voices_at_once),
        cmocka_unit_test(ends_voices_that_are_paused_while_they_stop),
        cmocka_unit_test(lets_filters_ring_at_the_end),
        cmocka_unit_test(stops_sooner),
        cmocka_unit_test(ignores_stale_voices),
        cmocka_unit_test(starts_ten_thousand_in_a_block),
        cmocka_unit_test(loses_no_command),
        cmocka_unit_test(survives_params_that_are_no_numbers),
        cmocka_unit_test(limits_softly),
    };
    return cmocka_run_group_tests_name("mixer voices", tests, test_group_setup,
                                       test_group_teardown);
}
