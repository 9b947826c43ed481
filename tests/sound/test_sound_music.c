// Exact times: transitions on beats, chains, delays, layers, markers, pauses and seeks.
#include <math.h>

#include "sound/sound_play.h"

enum { LEAD = 2 * CT_MIXER_BLOCK, RAMP = CT_MIXER_START_FRAMES };

#define HALF 0.70710678f

// The first frame that is not silent.
static uint32_t first_sound(const sound_play *p, uint32_t from) {
    for (uint32_t i = from; i < p->out.count / 2; ++i)
        if (p->out.items[2 * (size_t)i] != 0)
            return i;
    fail_msg("all is silent from frame %u on", from);
    return 0;
}

// A sine of 441.3 Hz in the middle.
static float tone_at(uint32_t frame) {
    return HALF * 0.5f * (float)sin(2 * 3.14159265358979 * 441.3 * frame / CT_MIXER_RATE);
}

// Compares what was mixed with the tone that began at frame `start`.
static void expect_tone(const sound_play *p, uint32_t start, uint32_t from, uint32_t to) {
    for (uint32_t i = from; i < to; ++i)
        if (!(fabsf(sound_play_frame(p, i, 0) - tone_at(i - start)) < 5e-5f))
            fail_msg("frame %u: found %g; expected %g", i, (double)sound_play_frame(p, i, 0),
                     (double)tone_at(i - start));
}

// --- Transitions ---------------------------------------------------------------------------------

// Music of 120 beats a minute: a beat is 24,000 frames.
static void add_music(sound_play *p, const char *name, const char *sound, bool loops) {
    event_fixture *const f = event_fixture_begin(name);
    event_fixture_sound(f, CT_SOUND_NO_NODE, sound);
    event_fixture_node_at(f, 0)->flags = loops ? CT_SOUND_NODE_LOOPS : 0;
    f->data.tempo = 120;
    f->data.beats = 4;
    sound_play_event(p, event_fixture_end(f));
}

static void joins_two_halves_on_a_bar(void **state) {
    (void)state;
    sound_play p = sound_play_start(NULL);
    sound_play_sine(&p, "begin", 0.5, 2, 441.3, 0);
    sound_play_sine(&p, "end", 0.5, 1, 441.3, 441.3 * 2);
    add_music(&p, "a", "begin", false);
    add_music(&p, "b", "end", false);
    const ct_sound_instance a = sound_play_here(&p, "a");
    sound_play_run(&p, 0.5);
    const ct_sound_instance b = ct_sound_transition(p.world, a, ct_string_id64_of("b"), 4, 0);
    assert_int_not_equal(b.value, 0);
    sound_play_run(&p, 2.2);
    const uint32_t bar = LEAD + 2 * CT_MIXER_RATE;
    assert_int_equal(first_sound(&p, 0), LEAD + 1); // a sine begins with 0
    expect_tone(&p, LEAD, LEAD + RAMP, bar);
    expect_tone(&p, LEAD, bar + RAMP, bar + CT_MIXER_RATE / 2);
    assert_false(ct_sound_is_playing(p.system, a));
    assert_true(ct_sound_is_playing(p.system, b));
    sound_play_stop(&p);
}

// Returns the frame in which a transition to a level is heard.
static uint32_t transition_at(uint32_t num_blocks, uint32_t beats, float first_beat) {
    sound_play p = sound_play_start(NULL);
    sound_play_level(&p, "silence", 0, 1, 1);
    sound_play_level(&p, "steady", 0.25f, 1, 1);
    event_fixture *const f = sound_play_loop("a", "silence");
    f->data.tempo = 120;
    f->data.beats = 4;
    f->data.first_beat = first_beat;
    sound_play_event(&p, event_fixture_end(f));
    add_music(&p, "b", "steady", true);
    const ct_sound_instance a = sound_play_here(&p, "a");
    ct_sound_world_update(p.world, 0.01);
    uint64_t num_frames;
    for (uint32_t i = 0; i < num_blocks; ++i)
        ct_sound_system_render(p.system, 0.01, &num_frames);
    ct_sound_transition(p.world, a, ct_string_id64_of("b"), beats, 0);
    sound_play_run(&p, 3);
    const uint32_t frame = first_sound(&p, 0) + num_blocks * CT_MIXER_BLOCK;
    sound_play_stop(&p);
    return frame;
}

static void waits_for_a_boundary_two_blocks_ahead(void **state) {
    (void)state;
    enum { BEAT = 24000 };
    assert_int_equal(transition_at(10, 1, 0), LEAD + BEAT);
    assert_int_equal(transition_at(10, 4, 0), LEAD + 4 * BEAT);
    assert_int_equal(transition_at(50, 1, 0), LEAD + BEAT); // just two blocks
    assert_int_equal(transition_at(51, 1, 0), LEAD + 2 * BEAT);
    assert_int_equal(transition_at(51, 0, 0), 51 * CT_MIXER_BLOCK + LEAD); // now
    assert_int_equal(transition_at(10, 1, 0.25f), LEAD + BEAT / 2);
    assert_int_equal(transition_at(0, 1, 0), LEAD); // beat 0
}

static void makes_transitions_from_music_only(void **state) {
    (void)state;
    sound_play p = sound_play_start(NULL);
    sound_play_level(&p, "steady", 0.25f, 1, 1);
    sound_play_event(&p, event_fixture_end(sound_play_loop("hum", "steady")));
    add_music(&p, "music", "steady", true);
    const ct_sound_instance hum = sound_play_here(&p, "hum");
    const uint64_t before = ct_log_warning_count("sound_no_music");
    assert_int_equal(ct_sound_transition(p.world, hum, ct_string_id64_of("music"), 4, 0).value, 0);
    assert_int_equal(ct_log_warning_count("sound_no_music") - before, 1);
    // What cannot start does not stop the other.
    const ct_sound_instance music = sound_play_here(&p, "music");
    assert_int_equal(ct_sound_transition(p.world, music, ct_string_id64_of("unknown"), 1, 0).value,
                     0);
    sound_play_run(&p, 1);
    assert_true(ct_sound_is_playing(p.system, music));
    sound_play_stop(&p);
}

// A limit of one instance does not forbid the change to the same music, nor end it too early.
static void changes_within_a_limit(void **state) {
    (void)state;
    static const ct_sound_steal steals[] = {CT_SOUND_STEAL_NONE, CT_SOUND_STEAL_OLDEST};
    for (uint32_t k = 0; k < CT_COUNT_OF(steals); ++k) {
        sound_play p = sound_play_start(NULL);
        sound_play_level(&p, "steady", 0.25f, 1, 2);
        event_fixture *const f = sound_play_loop("a", "steady");
        f->data.tempo = 120;
        f->data.beats = 4;
        f->data.limit = 1;
        f->data.steal = steals[k];
        sound_play_event(&p, event_fixture_end(f));
        const ct_sound_instance a = sound_play_here(&p, "a");
        sound_play_run(&p, 0.5);
        // What fails leaves it as it was.
        ct_sound_transition(p.world, a, ct_string_id64_of("unknown"), 4, 0);
        if (!k)
            assert_int_equal(sound_play_here(&p, "a").value, 0);
        const ct_sound_instance b = ct_sound_transition(p.world, a, ct_string_id64_of("a"), 4, 0);
        assert_int_not_equal(b.value, 0);
        sound_play_run(&p, 1.5); // to just before the bar at 2.02 s
        assert_true(ct_sound_is_playing(p.system, a));
        assert_true(sound_play_sample(&p, 0) == 0.25f);
        sound_play_run(&p, 0.1);
        assert_false(ct_sound_is_playing(p.system, a));
        assert_true(ct_sound_is_playing(p.system, b));
        assert_true(sound_play_sample(&p, 0) == 0.25f);
        sound_play_stop(&p);
    }
}

// The block in which a pause fades out still moves the music: the beats go on with it.
static void keeps_the_beat_over_pauses(void **state) {
    (void)state;
    enum { BEAT = 24000, PAUSES = 10 };
    for (uint32_t num_blocks = 0; num_blocks < 5; ++num_blocks) { // of a pause
        sound_play p = sound_play_start(NULL);
        sound_play_level(&p, "silence", 0, 10, 1);
        sound_play_level(&p, "steady", 0.25f, 1, 1);
        add_music(&p, "a", "silence", true);
        add_music(&p, "b", "steady", true);
        const ct_sound_instance a = sound_play_here(&p, "a");
        uint64_t num_frames;
        for (uint32_t k = 0; k < PAUSES; ++k) {
            ct_sound_system_render(p.system, 0.05, &num_frames);
            ct_sound_set_paused(p.system, a, true);
            ct_sound_system_render(p.system, num_blocks * 0.01, &num_frames);
            ct_sound_set_paused(p.system, a, false);
            if (k == 5) { // again, before it has moved
                ct_sound_set_paused(p.system, a, true);
                ct_sound_system_render(p.system, num_blocks * 0.01, &num_frames);
                ct_sound_set_paused(p.system, a, false);
            }
        }
        ct_sound_system_render(p.system, 0.01, &num_frames);
        const uint64_t place = (uint64_t)(ct_sound_position(p.system, a) * CT_MIXER_RATE + 0.5);
        assert_int_equal(llround(ct_sound_instance_time(p.system, ct_sound_slot_of(p.system, a)) *
                                 CT_MIXER_RATE),
                         place);
        ct_sound_transition(p.world, a, ct_string_id64_of("b"), 1, 0);
        sound_play_run(&p, 2);
        const uint64_t beats = (place + LEAD + BEAT - 1) / BEAT;
        assert_int_equal(first_sound(&p, 0), beats * BEAT - place);
        sound_play_stop(&p);
    }
}

// --- Starts --------------------------------------------------------------------------------------

static void starts_at_a_clock(void **state) {
    (void)state;
    sound_play p = sound_play_start(NULL);
    sound_play_level(&p, "steady", 0.25f, 1, 1);
    sound_play_event(&p, event_fixture_single("hit", "steady"));
    sound_play_start_event(&p, "hit", &(ct_sound_start){.start = 12345});
    sound_play_run(&p, 0.4);
    assert_int_equal(first_sound(&p, 0), 12345);
    sound_play_stop(&p);
}

static void delays_layers_exactly(void **state) {
    (void)state;
    sound_play p = sound_play_start(NULL);
    sound_play_level(&p, "steady", 0.25f, 1, 1);
    event_fixture *const f = event_fixture_begin("late");
    event_fixture_sound(f, CT_SOUND_NO_NODE, "steady");
    event_fixture_node_at(f, 0)->delay = 0.1f;
    sound_play_event(&p, event_fixture_end(f));
    sound_play_here(&p, "late");
    sound_play_run(&p, 0.2);
    assert_int_equal(first_sound(&p, 0), LEAD + 4800);
    // An offset eats the delay, then the sound.
    const uint32_t now = p.out.count / 2;
    sound_play_start_event(&p, "late", &(ct_sound_start){.offset = 0.06f});
    sound_play_start_event(&p, "late", &(ct_sound_start){.offset = 0.9f});
    sound_play_run(&p, 0.16);
    for (uint32_t i = now + LEAD + CT_MIXER_BLOCK; i < now + LEAD + 1920; ++i)
        assert_true(fabsf(sound_play_frame(&p, i, 0) - 2 * 0.25f * HALF) < 1e-5f);
    assert_true(sound_play_frame(&p, now + LEAD + 1920 + RAMP, 0) > 2.9f * 0.25f * HALF);
    sound_play_stop(&p);
}

static void plays_layers_from_the_same_frame_on(void **state) {
    (void)state;
    sound_play p = sound_play_start(NULL);
    sound_play_sine(&p, "a", 0.25, 1, 441.3, 0);
    sound_play_sine(&p, "b", -0.25, 1, 441.3, 0);
    event_fixture *const f = event_fixture_begin("both");
    const uint32_t root = event_fixture_node(f, CT_SOUND_NO_NODE, CT_SOUND_NODE_LAYERS);
    event_fixture_sound(f, root, "a");
    event_fixture_sound(f, root, "b");
    sound_play_event(&p, event_fixture_end(f));
    const ct_sound_instance i = sound_play_here(&p, "both");
    sound_play_run(&p, 0.5);
    assert_int_equal(sound_play_info(&p, i).num_voices, 2);
    assert_int_equal(sound_play_info(&p, i).num_real, 2);
    for (uint32_t frame = 0; frame < p.out.count / 2; ++frame)
        assert_true(fabsf(sound_play_frame(&p, frame, 0)) < 1e-4f);
    sound_play_stop(&p);
}

static void chains_sounds_without_gaps(void **state) {
    (void)state;
    sound_play p = sound_play_start(NULL);
    sound_play_sine(&p, "a", 0.5, 0.31, 441.3, 0);
    sound_play_sine(&p, "b", 0.5, 0.17, 441.3, 441.3 * 0.31);
    sound_play_sine(&p, "c", 0.5, 0.5, 441.3, 441.3 * 0.48);
    event_fixture *const f = event_fixture_begin("chain");
    const uint32_t root = event_fixture_node(f, CT_SOUND_NO_NODE, CT_SOUND_NODE_CHAIN);
    event_fixture_sound(f, root, "a");
    event_fixture_sound(f, root, "b");
    event_fixture_sound(f, root, "c");
    sound_play_event(&p, event_fixture_end(f));
    const ct_sound_instance i = sound_play_here(&p, "chain");
    sound_play_run(&p, 0.9);
    expect_tone(&p, LEAD, LEAD + RAMP, LEAD + 40000);
    // The place in the sound that plays now.
    assert_true(fabs(ct_sound_position(p.system, i) - (0.9 - 0.02 - 0.48)) < 1e-4);
    const uint32_t now = p.out.count / 2;
    ct_sound_stop(p.system, i, 0);
    sound_play_run(&p, 0.1);
    sound_play_start_event(&p, "chain", &(ct_sound_start){.offset = 0.4f}); // in the second
    sound_play_run(&p, 0.5);
    expect_tone(&p, now + 4800 + LEAD - 19200, now + 4800 + LEAD + CT_MIXER_BLOCK,
                now + 4800 + 20000);
    sound_play_stop(&p);
}

// The delay of a part counts from the end of the one before, as it really was.
static void delays_parts_of_chains_at_any_pitch(void **state) {
    (void)state;
    enum { LENGTH = 9600, DELAY = 4800 };
    static const float pitches[] = {0.5f, 1, 2};
    for (uint32_t i = 0; i < CT_COUNT_OF(pitches); ++i) {
        sound_play p = sound_play_start(NULL);
        sound_play_level(&p, "a", 0.25f, 0.2f, 1);
        sound_play_level(&p, "b", 0.125f, 0.2f, 1);
        event_fixture *const f = event_fixture_begin("chain");
        const uint32_t root = event_fixture_node(f, CT_SOUND_NO_NODE, CT_SOUND_NODE_CHAIN);
        event_fixture_sound(f, root, "a");
        const uint32_t b = event_fixture_sound(f, root, "b");
        event_fixture_node_at(f, b)->delay = (float)DELAY / CT_MIXER_RATE;
        sound_play_event(&p, event_fixture_end(f));
        const ct_sound_instance chain = sound_play_here(&p, "chain");
        ct_sound_set_pitch(p.system, chain, pitches[i]);
        sound_play_run(&p, 1);
        const uint32_t end = LEAD + (uint32_t)((float)LENGTH / pitches[i]);
        for (uint32_t k = LEAD + RAMP; k < end - 8; ++k)
            assert_true(fabsf(sound_play_frame(&p, k, 0) - 0.25f * HALF) < 1e-5f);
        assert_int_equal(first_sound(&p, end + 8), end + DELAY);
        assert_true(fabsf(sound_play_frame(&p, end + DELAY + RAMP, 0) - 0.125f * HALF) < 1e-5f);
        sound_play_stop(&p);
    }
}

static void fades_in_and_out(void **state) {
    (void)state;
    sound_play p = sound_play_start(NULL);
    sound_play_level(&p, "steady", 0.25f, 2, 2);
    event_fixture *const f = sound_play_loop("hum", "steady");
    f->data.fade_in = 0.2f;
    f->data.fade_out = 0.4f;
    sound_play_event(&p, event_fixture_end(f));
    const ct_sound_instance i = sound_play_here(&p, "hum");
    sound_play_run(&p, 0.1);
    assert_true(fabsf(sound_play_sample(&p, 0) - 0.125f) < 0.005f);
    sound_play_run(&p, 0.2);
    assert_true(sound_play_sample(&p, 0) == 0.25f);
    ct_sound_stop(p.system, i, -1);
    for (uint32_t step = 0; step < 10; ++step) {
        ct_sound_stop(p.system, i, -1); // does not begin again
        sound_play_step(&p);
    }
    assert_true(fabsf(sound_play_sample(&p, 0) - 0.125f) < 0.005f);
    sound_play_run(&p, 0.24);
    assert_false(ct_sound_is_playing(p.system, i));
    assert_true(sound_play_sample(&p, 0) == 0);
    sound_play_stop(&p);
}

// --- Time ----------------------------------------------------------------------------------------

static void pauses_and_seeks(void **state) {
    (void)state;
    sound_play p = sound_play_start(NULL);
    sound_play_sine(&p, "tone", 0.5, 2, 441.3, 0);
    sound_play_event(&p, event_fixture_single("hit", "tone"));
    const ct_sound_instance i = sound_play_here(&p, "hit");
    sound_play_run(&p, 0.5);
    assert_true(ct_sound_position(p.system, i) == 0.5);
    ct_sound_set_paused(p.system, i, true);
    sound_play_run(&p, 0.5);
    const double paused = ct_sound_position(p.system, i);
    assert_true(paused >= 0.5 && paused <= 0.51);
    assert_true(sound_play_sample(&p, 0) == 0);
    ct_sound_set_paused(p.system, i, false);
    sound_play_run(&p, 0.2);
    assert_true(fabs(ct_sound_position(p.system, i) - paused - 0.2) < 1e-4);
    ct_sound_seek(p.system, i, 1.5);
    sound_play_run(&p, 0.2);
    assert_true(fabs(ct_sound_position(p.system, i) - 1.7) < 1e-4);
    ct_sound_seek(p.system, i, 1e9); // after the end
    sound_play_run(&p, 0.1);
    assert_false(ct_sound_is_playing(p.system, i));
    sound_play_stop(&p);
}

// What `parts` plays at a time: two repeats, a pause, another sound; and a layer that starts late.
static float parts_at(double seconds) {
    const float chain = seconds < 0.4 ? 0.1f : seconds < 0.5 || seconds >= 0.7 ? 0 : 0.2f;
    return HALF * (chain + (seconds < 0.5 || seconds >= 0.9 ? 0 : 0.05f));
}

static void add_parts(sound_play *p) {
    sound_play_level(p, "a", 0.1f, 0.2f, 1);
    sound_play_level(p, "b", 0.2f, 0.2f, 1);
    sound_play_level(p, "c", 0.05f, 0.4f, 1);
    event_fixture *const f = event_fixture_begin("parts");
    const uint32_t root = event_fixture_node(f, CT_SOUND_NO_NODE, CT_SOUND_NODE_LAYERS);
    const uint32_t chain = event_fixture_node(f, root, CT_SOUND_NODE_CHAIN);
    event_fixture_node_at(f, event_fixture_sound(f, chain, "a"))->repeats = 2;
    event_fixture_node_at(f, event_fixture_sound(f, chain, "b"))->delay = 0.1f;
    event_fixture_node_at(f, event_fixture_sound(f, root, "c"))->delay = 0.5f;
    sound_play_event(p, event_fixture_end(f));
}

// Compares what is mixed from now on, 0.1 s, with the parts from a time on.
static void expect_parts(sound_play *p, double seconds) {
    static const double edges[] = {0.4, 0.5, 0.7, 0.9};
    const uint32_t first = p->out.count / 2;
    sound_play_run(p, 0.1);
    for (uint32_t i = CT_MIXER_BLOCK; i < 4800; ++i) {
        const double time = seconds + (double)i / CT_MIXER_RATE;
        bool is_edge = false;
        for (uint32_t k = 0; k < CT_COUNT_OF(edges); ++k)
            is_edge |= fabs(time - edges[k]) < 0.001;
        if (!is_edge && !(fabsf(sound_play_frame(p, first + i, 0) - parts_at(time)) < 2e-5f))
            fail_msg("at %g: found %g; expected %g", time,
                     (double)sound_play_frame(p, first + i, 0), (double)parts_at(time));
    }
}

// Forwards and back, into repeats, pauses between parts, parts that are over and layers that have not
// started; paused or not; also when all voices are in use.
// What played fades out over a block, what plays then fades in over one. A sine of amplitude A and w
// radians a frame has second differences up to A w w; each end of a ramp adds A / 480.
static void seeks_without_clicks(void **state) {
    (void)state;
    enum { HERTZ = 200, NUM_SEEKS = 50 };
    const double level = 0.5, w = 2 * 3.14159265358979 * HERTZ / CT_MIXER_RATE;
    sound_play p = sound_play_start(NULL);
    sound_play_sine(&p, "tone", level, 4, HERTZ, 0);
    sound_play_event(&p, event_fixture_single("hum", "tone"));
    const ct_sound_instance i = sound_play_here(&p, "hum");
    for (uint32_t k = 0; k < NUM_SEEKS; ++k) {
        sound_play_run(&p, 0.03f + 0.0007f * (float)k); // at another phase each time
        ct_sound_seek(p.system, i, 0.5 + 0.0113 * k);
    }
    sound_play_run(&p, 0.1f);
    float roughest = 0;
    for (uint64_t k = 2 * CT_MIXER_BLOCK; k < p.out.count; k += 2)
        roughest =
            fmaxf(roughest, fabsf(p.out.items[k] - 2 * p.out.items[k - 2] + p.out.items[k - 4]));
    assert_true(roughest > 0.5f * (float)(level * w * w)); // it was heard
    assert_true(roughest <
                2 * (float)(level * (w * w + 2 * w / CT_MIXER_BLOCK + 1.0 / CT_MIXER_BLOCK)));
    sound_play_stop(&p);
}

static void seeks_in_chains_and_layers(void **state) {
    (void)state;
    static const double times[] = {0.3, 0.42, 0.65, 0, 0.52, 0.35, 0.76, 0.1, 0.1};
    for (uint32_t i = 0; i < 2; ++i) {
        sound_play p = sound_play_start(&(ct_sound_system_desc){.num_real = 3});
        add_parts(&p);
        const ct_sound_instance parts = sound_play_here(&p, "parts");
        for (uint32_t k = 0; k < CT_COUNT_OF(times); ++k) {
            ct_sound_set_paused(p.system, parts, i);
            if (i)
                sound_play_run(&p, 0.06);
            ct_sound_seek(p.system, parts, 0.6);
            ct_sound_seek(p.system, parts, times[k]);
            if (i)
                sound_play_run(&p, 0.06);
            ct_sound_set_paused(p.system, parts, false);
            expect_parts(&p, times[k]);
        }
        ct_sound_seek(p.system, parts, 5);
        sound_play_run(&p, 0.06);
        assert_false(ct_sound_is_playing(p.system, parts));
        sound_play_stop(&p);
    }
}

static void ends_chains_whose_parts_wait(void **state) {
    (void)state;
    sound_play p = sound_play_start(NULL);
    sound_play_level(&p, "a", 0.1f, 0.2f, 1);
    event_fixture *const f = event_fixture_begin("chain");
    const uint32_t root = event_fixture_node(f, CT_SOUND_NO_NODE, CT_SOUND_NODE_CHAIN);
    event_fixture_sound(f, root, "a");
    event_fixture_node_at(f, event_fixture_sound(f, root, "a"))->delay = 10;
    sound_play_event(&p, event_fixture_end(f));
    for (uint32_t i = 0; i < 2; ++i) { // while the first plays, and between them
        const ct_sound_instance chain = sound_play_here(&p, "chain");
        sound_play_run(&p, i ? 0.5 : 0.1);
        assert_true(ct_sound_is_playing(p.system, chain));
        ct_sound_stop(p.system, chain, 0);
        sound_play_run(&p, 0.06);
        assert_false(ct_sound_is_playing(p.system, chain));
    }
    sound_play_stop(&p);
}

// An offset within half a frame of the end must not count as no repeats: these are endless.
static void ends_repeats_that_start_at_their_end(void **state) {
    (void)state;
    sound_play p = sound_play_start(NULL);
    sound_play_add(&p, "slow", sound_play_blob(1000, 1, false));
    event_fixture *const f = event_fixture_begin("hit");
    event_fixture_sound(f, CT_SOUND_NO_NODE, "slow");
    event_fixture_node_at(f, 0)->repeats = 3;
    sound_play_event(&p, event_fixture_end(f));
    const ct_sound_start start = {.offset = 2999.7f / CT_MIXER_RATE, .fade_in = -1};
    const ct_sound_instance i = sound_play_start_event(&p, "hit", &start);
    assert_true(ct_sound_is_playing(p.system, i));
    sound_play_run(&p, 0.1);
    assert_false(ct_sound_is_playing(p.system, i));
    sound_play_stop(&p);
}

static void ends_what_is_paused_and_stopped(void **state) {
    (void)state;
    sound_play p = sound_play_start(NULL);
    sound_play_level(&p, "steady", 0.25f, 1, 1);
    sound_play_event(&p, event_fixture_end(sound_play_loop("hum", "steady")));
    for (uint32_t order = 0; order < 4; ++order) {
        const ct_sound_instance i = sound_play_here(&p, "hum");
        sound_play_run(&p, 0.1);
        if (order < 2)
            ct_sound_set_paused(p.system, i, true);
        else
            ct_sound_stop(p.system, i, 0.2f);
        if (order % 2) // with a frame between, or in the same block
            sound_play_step(&p);
        if (order < 2)
            ct_sound_stop(p.system, i, 0.2f);
        else
            ct_sound_set_paused(p.system, i, true);
        sound_play_run(&p, 0.06);
        assert_false(ct_sound_is_playing(p.system, i));
    }
    sound_play_stop(&p);
}

// --- Markers -------------------------------------------------------------------------------------

static uint32_t count_markers(const sound_play *p, ct_sound_instance i, const char *name) {
    uint32_t count, found = 0;
    const ct_sound_happening *const happenings = ct_sound_happenings(p->world, &count);
    for (uint32_t k = 0; k < count; ++k)
        found += happenings[k].instance.value == i.value &&
                 happenings[k].marker.value == ct_string_id32_of(name).value;
    return found;
}

static sound_play start_marked(void) {
    sound_play p = sound_play_start(NULL);
    sound_play_level(&p, "steady", 0.1f, 1, 1);
    sound_play_event(&p, event_fixture_single("thunder", "steady"));
    event_fixture *const f = event_fixture_begin("lightning");
    event_fixture_sound(f, CT_SOUND_NO_NODE, "steady");
    event_fixture_marker(f, 0.1f, "flash", NULL);
    event_fixture_marker(f, 0.3f, "", "thunder");
    event_fixture_marker(f, 0.5f, "end", NULL);
    sound_play_event(&p, event_fixture_end(f));
    return p;
}

static void passes_markers(void **state) {
    (void)state;
    sound_play p = start_marked();
    const ct_sound_instance i = sound_play_at(&p, "lightning", 3, 4, 5);
    for (uint32_t step = 0; step < 40; ++step) { // at the update of step n, n * 0.02 s were mixed
        sound_play_step(&p);
        assert_int_equal(count_markers(&p, i, "flash"), step == 5);
        assert_int_equal(count_markers(&p, i, "end"), step == 25);
        assert_int_equal(ct_sound_world_count(p.world), step < 15 ? 1 : 2);
    }
    const ct_sound_instance_info info = ct_sound_world_info(p.world, 1);
    assert_true(info.event.value == ct_string_id64_of("thunder").value && info.is_placed);
    assert_true(info.position.x == 3 && info.position.y == 4 && info.position.z == 5);
    sound_play_stop(&p);
}

static void passes_markers_at_the_end(void **state) {
    (void)state;
    sound_play p = sound_play_start(NULL);
    sound_play_level(&p, "short", 0.1f, 0.15f, 1);
    event_fixture *const f = event_fixture_begin("hit");
    event_fixture_sound(f, CT_SOUND_NO_NODE, "short");
    event_fixture_marker(f, 0.149f, "end", NULL);
    sound_play_event(&p, event_fixture_end(f));
    const ct_sound_instance i = sound_play_here(&p, "hit");
    uint32_t num_ends = 0;
    for (uint32_t step = 0; step < 12; ++step) {
        sound_play_step(&p);
        num_ends += count_markers(&p, i, "end");
    }
    assert_int_equal(num_ends, 1);
    assert_int_equal(ct_sound_world_count(p.world), 0);
    sound_play_stop(&p);
}

static void passes_markers_by_the_time_of_the_instance(void **state) {
    (void)state;
    sound_play p = start_marked();
    const ct_sound_instance i = sound_play_here(&p, "lightning");
    ct_sound_set_paused(p.system, i, true);
    for (uint32_t step = 0; step < 20; ++step) {
        sound_play_step(&p);
        assert_int_equal(count_markers(&p, i, "flash"), 0);
    }
    ct_sound_set_paused(p.system, i, false);
    ct_sound_seek(p.system, i, 0.4); // past two of them
    uint32_t num_flashes = 0, num_ends = 0;
    for (uint32_t step = 0; step < 20; ++step) {
        sound_play_step(&p);
        num_flashes += count_markers(&p, i, "flash");
        num_ends += count_markers(&p, i, "end");
    }
    assert_int_equal(num_flashes, 0);
    assert_int_equal(num_ends, 1);
    assert_int_equal(ct_sound_world_count(p.world), 1);
    sound_play_stop(&p);
}

static void ends_chains_of_markers(void **state) {
    (void)state;
    sound_play p = sound_play_start(NULL);
    sound_play_level(&p, "short", 0.1f, 0.1f, 1);
    const char *const names[] = {"ping", "pong"};
    for (uint32_t i = 0; i < 2; ++i) {
        event_fixture *const f = event_fixture_begin(names[i]);
        event_fixture_sound(f, CT_SOUND_NO_NODE, "short");
        event_fixture_marker(f, 0, "", names[1 - i]);
        event_fixture_marker(f, 0, "", names[1 - i]);
        sound_play_event(&p, event_fixture_end(f));
    }
    sound_play_here(&p, "ping");
    const uint64_t before = ct_log_warning_count("sound_marker_chain");
    sound_play_run(&p, 1);
    assert_true(ct_log_warning_count("sound_marker_chain") - before > 0);
    assert_int_equal(ct_sound_world_count(p.world), 0);
    sound_play_stop(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joins_two_halves_on_a_bar),
        cmocka_unit_test(waits_for_a_boundary_two_blocks_ahead),
        cmocka_unit_test(makes_transitions_from_music_only),
        cmocka_unit_test(starts_at_a_clock),
        cmocka_unit_test(delays_layers_exactly),
        cmocka_unit_test(plays_layers_from_the_same_frame_on),
        cmocka_unit_test(chains_sounds_without_gaps),
        cmocka_unit_test(delays_parts_of_chains_at_any_pitch),
        cmocka_unit_test(fades_in_and_out),
        cmocka_unit_test(pauses_and_seeks),
        cmocka_unit_test(seeks_without_clicks),
        cmocka_unit_test(seeks_in_chains_and_layers),
        cmocka_unit_test(ends_chains_whose_parts_wait),
        cmocka_unit_test(changes_within_a_limit),
        cmocka_unit_test(keeps_the_beat_over_pauses),
        cmocka_unit_test(ends_repeats_that_start_at_their_end),
        cmocka_unit_test(ends_what_is_paused_and_stopped),
        cmocka_unit_test(passes_markers),
        cmocka_unit_test(passes_markers_at_the_end),
        cmocka_unit_test(passes_markers_by_the_time_of_the_instance),
        cmocka_unit_test(ends_chains_of_markers),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
