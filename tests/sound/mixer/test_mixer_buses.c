// Buses of the mixer: the tree, sends, low-pass filters, ducking, reverb, other trees while it plays.
#include <math.h>

#include "sound/mixer/mixer_fixture.h"
#include "support/test_support.h"

static mixer_play begin(const mixer_tree *tree) {
    const mixer_play p = mixer_play_with(&(ct_mixer_desc){.allocator = test_heap()});
    ct_mixer_set_buses(p.m, &tree->head);
    return p;
}

static ct_voice_id start(const mixer_play *p, const ct_sound_media *media, uint32_t bus) {
    ct_voice_desc desc = mixer_loop(media);
    desc.bus = bus;
    return ct_mixer_start(p->m, &desc);
}

// A sound that is the same number all the time.
static ct_sound_media level(float value) {
    const ct_sound_media media = mixer_media(4800, CT_MIXER_RATE, 1);
    for (uint32_t i = 0; i < media.num_frames; ++i)
        mixer_samples(&media)[i] = (int16_t)(value * 32768);
    return media;
}

static float last(const mixer_play *p) {
    return mixer_left(p, p->num_frames - 1);
}

// The highest of the last second or less.
static double peak_of(const mixer_play *p, uint32_t first) {
    double most = 0;
    for (uint32_t i = first; i < p->num_frames; ++i)
        most = fmax(most, fabs((double)mixer_left(p, i)));
    return most;
}

static const float HALF_DB = -6.0206f, QUARTER_DB = -12.0412f;

static void multiplies_volumes_up_the_tree(void **state) {
    (void)state;
    const ct_sound_media media = level(0.5f);
    mixer_tree t;
    mixer_tree_begin(&t);
    mixer_tree_bus(&t, "master", CT_SOUND_NO_BUS, HALF_DB);
    const uint32_t a = mixer_tree_bus(&t, "a", 0, 0), b = mixer_tree_bus(&t, "b", a, HALF_DB);
    mixer_play p = begin(&t);
    start(&p, &media, b);
    mixer_play_run(&p, 5);
    assert_float_equal(last(&p), 0.125f, 1e-5);
    start(&p, &media, a);
    start(&p, &media, 17); // there is none: the root
    mixer_play_run(&p, 5);
    assert_float_equal(last(&p), 0.125f + 0.25f + 0.25f, 1e-5);
    ct_mixer_set_bus(p.m, a, &(ct_mixer_bus_params){.gain = 0, .low_pass = CT_SOUND_OPEN_HZ});
    ct_mixer_set_bus(p.m, 99, &(ct_mixer_bus_params){0});
    mixer_play_run(&p, 2);
    assert_float_equal(last(&p), 0.25f, 1e-5);
    mixer_play_end(&p);
    mixer_free(&media);
}

static void shows_peaks_since_the_last_call(void **state) {
    (void)state;
    const ct_sound_media media = level(0.5f);
    mixer_tree t;
    mixer_tree_begin(&t);
    mixer_tree_bus(&t, "master", CT_SOUND_NO_BUS, 0);
    const uint32_t a = mixer_tree_bus(&t, "a", 0, HALF_DB);
    mixer_play p = begin(&t);
    const ct_voice_id voice = start(&p, &media, a);
    mixer_play_run(&p, 3);
    assert_float_equal(ct_mixer_bus_peak(p.m, a), 0.25f, 1e-5);
    assert_true(ct_mixer_bus_peak(p.m, a) == 0);
    assert_float_equal(ct_mixer_bus_peak(p.m, 0), 0.25f, 1e-5);
    assert_true(ct_mixer_bus_peak(p.m, 2) == 0);
    ct_mixer_stop(p.m, voice, 0, 0);
    mixer_play_run(&p, 1);
    ct_mixer_bus_peak(p.m, a);
    mixer_play_run(&p, 1);
    assert_true(ct_mixer_bus_peak(p.m, a) == 0);
    mixer_play_end(&p);
    mixer_free(&media);
}

static void sends_after_the_volume(void **state) {
    (void)state;
    const ct_sound_media media = level(0.5f);
    mixer_tree t;
    mixer_tree_begin(&t);
    mixer_tree_bus(&t, "master", CT_SOUND_NO_BUS, 0);
    const uint32_t to = mixer_tree_bus(&t, "to", 0, HALF_DB);
    const uint32_t from = mixer_tree_bus(&t, "from", 0, HALF_DB); // mixed before `to`
    mixer_tree_send(&t, from, to, QUARTER_DB);
    mixer_play p = begin(&t);
    start(&p, &media, from);
    mixer_play_run(&p, 5);
    assert_float_equal(last(&p), 0.25f + 0.25f * 0.25f * 0.5f, 1e-5);
    ct_mixer_set_send(p.m, 0, 1);
    ct_mixer_set_send(p.m, 1, 1); // there is none
    mixer_play_run(&p, 2);
    assert_float_equal(last(&p), 0.25f + 0.25f * 0.5f, 1e-5);
    mixer_play_end(&p);
    mixer_free(&media);
}

static void sends_voices_to_the_place(void **state) {
    (void)state;
    const ct_sound_media media = level(0.5f);
    mixer_tree t;
    mixer_tree_begin(&t);
    mixer_tree_bus(&t, "master", CT_SOUND_NO_BUS, 0);
    t.buses[mixer_tree_bus(&t, "place", 0, HALF_DB)].is_place = true;
    mixer_play p = begin(&t);
    ct_voice_desc desc = mixer_loop(&media);
    desc.params.gains[0] = 0.5f;
    desc.params.send = 0.5f;
    const ct_voice_id voice = ct_mixer_start(p.m, &desc);
    mixer_play_run(&p, 3);
    assert_float_equal(last(&p), 0.25f + 0.25f * 0.5f * 0.5f, 1e-5);
    desc.params.send = 0;
    ct_mixer_set_params(p.m, voice, &desc.params);
    mixer_play_run(&p, 2);
    assert_float_equal(last(&p), 0.25f, 1e-6);
    mixer_play_end(&p);
    mixer_free(&media);
}

// A Butterworth filter of two poles: 3 dB down at its frequency, 12 dB an octave from there.
static void filters_low(void **state) {
    (void)state;
    mixer_tree t;
    mixer_tree_begin(&t);
    mixer_tree_bus(&t, "master", CT_SOUND_NO_BUS, 0);
    const uint32_t bus = mixer_tree_bus(&t, "a", 0, 0);
    t.buses[bus].low_pass = 1000;
    for (uint32_t of_bus = 0; of_bus < 2; ++of_bus)
        for (double hz = 125; hz < 10000; hz *= 2) {
            const ct_sound_media media = mixer_sine(hz, 48000, 1, 0.5);
            mixer_play p = begin(&t);
            ct_voice_desc desc = mixer_loop(&media);
            desc.bus = of_bus ? bus : 0;
            desc.params.low_pass = of_bus ? CT_SOUND_OPEN_HZ : 1000;
            ct_mixer_start(p.m, &desc);
            mixer_play_run(&p, 40);
            // The trapezoidal rule bends frequencies: those of tan(pi f / rate).
            const double x = tan(3.14159265 * hz / 48000) / tan(3.14159265 * 1000 / 48000);
            const double expected = 0.5 / sqrt(1 + x * x * x * x);
            assert_float_equal(peak_of(&p, p.num_frames - 9600), expected, 0.004);
            mixer_play_end(&p);
            mixer_free(&media);
        }
}

// Attack and release are the seconds in which the volume goes all the way.
static void ducks(void **state) {
    (void)state;
    const ct_sound_media media = level(0.5f), quiet = level(0.01f);
    mixer_tree t;
    mixer_tree_begin(&t);
    mixer_tree_bus(&t, "master", CT_SOUND_NO_BUS, 0);
    const uint32_t music = mixer_tree_bus(&t, "music", 0, 0);
    const uint32_t voice = mixer_tree_bus(&t, "voice", 0, 0);
    ct_sound_bus *const b = &t.buses[music];
    b->duck_by = voice;
    b->duck_threshold = -30; // 0.0316
    b->duck_volume = QUARTER_DB;
    b->duck_attack = 0.1f;
    b->duck_release = 0.4f;
    mixer_play p = begin(&t);
    ct_voice_desc desc = mixer_loop(&media);
    desc.bus = music;
    desc.params = mixer_params(1, 0);
    ct_mixer_start(p.m, &desc);
    desc = mixer_loop(&quiet);
    desc.bus = voice;
    desc.params = mixer_params(0, 1);
    const ct_voice_id speaker = ct_mixer_start(p.m, &desc);
    mixer_play_run(&p, 10);
    assert_float_equal(last(&p), 0.5f, 1e-6); // too quiet to duck anything
    desc.params = mixer_params(0, 10);
    ct_mixer_set_params(p.m, speaker, &desc.params);
    mixer_play_run(&p, 5);
    assert_float_equal(last(&p), 0.5f * (1 - 0.75f / 2), 1e-4); // half of the attack
    mixer_play_run(&p, 5);
    assert_float_equal(last(&p), 0.125f, 1e-4);
    mixer_play_run(&p, 30);
    assert_float_equal(last(&p), 0.125f, 1e-4);
    desc.params = mixer_params(0, 1);
    ct_mixer_set_params(p.m, speaker, &desc.params);
    // It falls below in the block after the next; then 4 blocks of hold, and half of the release.
    mixer_play_run(&p, 1 + 4 + 20);
    assert_float_equal(last(&p), 0.5f * (0.25f + 0.75f / 2), 0.5f * 0.75f / 40 + 1e-4);
    mixer_play_run(&p, 21);
    assert_float_equal(last(&p), 0.5f, 1e-6);
    mixer_play_end(&p);
    mixer_free(&media);
    mixer_free(&quiet);
}

// --- Reverb --------------------------------------------------------------------------------------

static void add_reverb(mixer_tree *t, float seconds, float size) {
    mixer_tree_begin(t);
    mixer_tree_bus(t, "master", CT_SOUND_NO_BUS, 0);
    t->buses[mixer_tree_bus(t, "hall", 0, 0)].reverb =
        (ct_sound_reverb){.seconds = seconds, .size = size, .width = 1};
}

// The energy of what comes after each frame (Schroeder), of an impulse: num_frames + 1 of them. Of high
// notes alone: of the changes of the changes.
static double *energies_of(const mixer_play *p, bool is_high) {
    double *const energies = calloc(p->num_frames + 1, sizeof(double));
    for (uint32_t i = p->num_frames; i-- > 2;) {
        const double bend = mixer_left(p, i) - 2 * mixer_left(p, i - 1) + mixer_left(p, i - 2);
        const double x = is_high ? bend : (double)mixer_left(p, i);
        energies[i] = energies[i + 1] + x * x;
    }
    energies[0] = energies[1] = energies[2];
    return energies;
}

static uint32_t frame_at_db(const double *energies, double db) {
    uint32_t i = 0;
    while (10 * log10(energies[i] / energies[0]) > db)
        ++i;
    return i;
}

// Returns the seconds of 60 dB, by the fall from -5 to -35 dB.
static double measured_seconds(float seconds, float size, float damping, double *energy) {
    const ct_sound_media click = mixer_media(200, CT_MIXER_RATE, 1);
    mixer_samples(&click)[100] = 32767;
    mixer_tree t;
    add_reverb(&t, seconds, size);
    t.buses[1].reverb.damping = damping;
    mixer_play p = begin(&t);
    ct_voice_desc desc = mixer_voice(&click);
    desc.bus = 1;
    desc.params = mixer_params(0.8f, 0.8f);
    ct_mixer_start(p.m, &desc);
    mixer_play_run(&p, (uint32_t)(seconds * 100) + 20);
    double *const energies = energies_of(&p, damping > 0);
    *energy = energies[0];
    const uint32_t frames = frame_at_db(energies, -35) - frame_at_db(energies, -5);
    free(energies);
    mixer_play_end(&p);
    mixer_free(&click);
    return 2.0 * frames / CT_MIXER_RATE;
}

static void reverberates_as_long_as_it_says(void **state) {
    (void)state;
    static const float seconds[] = {0.4f, 1, 1.8f, 4}, sizes[] = {3, 12, 40};
    for (uint32_t i = 0; i < CT_COUNT_OF(seconds); ++i)
        for (uint32_t k = 0; k < CT_COUNT_OF(sizes); ++k) {
            if (sizes[k] == 40 && seconds[i] < 1)
                continue; // the first echoes are most of it
            double energy;
            const double found = measured_seconds(seconds[i], sizes[k], 0, &energy);
            print_message("%.1f s, %.0f m: %.3f s, energy %.2f\n", (double)seconds[i],
                          (double)sizes[k], found, energy);
            assert_in_range((int)(1000 * found / (double)seconds[i]), 900, 1100);
            assert_in_range((int)(100 * energy), 32, 128); // of 0.64 that went in: half to double
        }
}

static void damps_high_notes(void **state) {
    (void)state;
    double energy;
    assert_true(measured_seconds(2, 12, 0.8f, &energy) < 0.8 * measured_seconds(2, 12, 0, &energy));
}

static void delays_the_reverb_and_mixes_it_by_width_and_dry(void **state) {
    (void)state;
    const ct_sound_media click = mixer_media(200, CT_MIXER_RATE, 1);
    mixer_samples(&click)[100] = 32767;
    mixer_tree t;
    add_reverb(&t, 1, 12);
    t.buses[1].reverb.pre_delay = 0.05f;
    t.buses[1].reverb.width = 0;
    t.buses[1].reverb.dry = 0.25f;
    mixer_play p = begin(&t);
    ct_voice_desc desc = mixer_voice(&click);
    desc.bus = 1;
    desc.params = mixer_params(0.8f, 0);
    ct_mixer_start(p.m, &desc);
    mixer_play_run(&p, 30);
    assert_float_equal(mixer_left(&p, 100), 0.2f, 1e-4);
    uint32_t first = 101;
    while (mixer_left(&p, first) == 0)
        ++first;
    const uint32_t shortest = (uint32_t)(12 / 343.3 * 48000 * 0.61);
    assert_in_range(first, 100 + 2400 + shortest - 20, 100 + 2400 + shortest + 40);
    for (uint32_t i = 101; i < p.num_frames; ++i)
        assert_true(mixer_left(&p, i) == mixer_right(&p, i));
    mixer_play_end(&p);
    mixer_free(&click);
}

// A time that jumps while it sounds must not click, and 0 seconds is no reverb.
static void changes_the_time_of_a_reverb(void **state) {
    (void)state;
    const ct_sound_media sine = mixer_sine(440, 48000, 1, 0.25);
    mixer_tree t;
    add_reverb(&t, 2, 12);
    mixer_play p = begin(&t), dry = begin(&t);
    start(&p, &sine, 1);
    start(&dry, &sine, 0);
    static const float seconds[] = {2, 0.3f, 3, 0, 1, 0};
    double roughest = 0;
    for (uint32_t i = 0; i < 36; ++i) {
        ct_mixer_set_bus(p.m, 1,
                         &(ct_mixer_bus_params){.gain = 1,
                                                .low_pass = CT_SOUND_OPEN_HZ,
                                                .reverb_seconds = seconds[i / 6],
                                                .reverb_damping = i / 6 % 2 ? 0.9f : 0});
        mixer_play_run(&p, 1);
        mixer_play_run(&dry, 1);
        roughest = fmax(roughest, mixer_roughness(&p, 0, p.num_frames));
    }
    // Twice a wave of that size, and a ramp over a block.
    const double w = 2 * 3.14159265 * 440 / 48000;
    print_message("roughness %.5f\n", roughest);
    assert_true(roughest < 2 * 0.25 * w * w + 2 * 0.25 * (2 * w + 1) / 480 + 0.25 / 32 + 1e-4);
    assert_true(mixer_same(&p, 35 * 480, &dry, 35 * 480, 480));
    mixer_play_end(&p);
    mixer_play_end(&dry);
    mixer_free(&sine);
}

static void falls_silent(void **state) {
    (void)state;
    const ct_sound_media click = mixer_media(200, CT_MIXER_RATE, 1);
    mixer_samples(&click)[100] = 32767;
    mixer_tree t;
    add_reverb(&t, 0.3f, 5);
    t.buses[1].low_pass = 300;
    mixer_play p = begin(&t);
    ct_voice_desc desc = mixer_voice(&click);
    desc.bus = 1;
    ct_mixer_start(p.m, &desc);
    mixer_play_run(&p, 20);
    assert_true(peak_of(&p, p.num_frames - 480) > 1e-5);
    mixer_play_run(&p, 100);
    assert_true(peak_of(&p, p.num_frames - 480) == 0);
    mixer_play_end(&p);
    mixer_free(&click);
}

// --- Other trees ---------------------------------------------------------------------------------

static void keeps_buses_by_name(void **state) {
    (void)state;
    const ct_sound_media media = level(0.5f);
    mixer_tree t, other;
    mixer_tree_begin(&t);
    mixer_tree_bus(&t, "master", CT_SOUND_NO_BUS, 0);
    const uint32_t gone = mixer_tree_bus(&t, "gone", 0, HALF_DB);
    const uint32_t kept = mixer_tree_bus(&t, "kept", 0, HALF_DB);
    mixer_tree_begin(&other);
    mixer_tree_bus(&other, "master", CT_SOUND_NO_BUS, 0);
    const uint32_t moved = mixer_tree_bus(&other, "kept", 0, QUARTER_DB);
    mixer_play p = begin(&t);
    start(&p, &media, kept);
    start(&p, &media, gone);
    mixer_play_run(&p, 3);
    assert_float_equal(last(&p), 0.5f, 1e-5);
    ct_mixer_set_buses(p.m, &other.head);
    mixer_play_run(&p, 2);
    assert_float_equal(last(&p), 0.125f + 0.5f, 1e-5);
    ct_mixer_set_bus(p.m, moved, &(ct_mixer_bus_params){1, CT_SOUND_OPEN_HZ, 0, 0});
    mixer_play_run(&p, 2);
    assert_float_equal(mixer_left(&p, p.num_frames - 1), 0.9f + 0.1f * (1 / (1 + 1.f)), 1e-4);
    mixer_play_end(&p);
    mixer_free(&media);
}

static void moves_voices_to_other_buses(void **state) {
    (void)state;
    const ct_sound_media sine = mixer_sine(100, 4800, 1, 0.5);
    mixer_tree t;
    mixer_tree_begin(&t);
    mixer_tree_bus(&t, "master", CT_SOUND_NO_BUS, 0);
    const uint32_t half = mixer_tree_bus(&t, "half", 0, HALF_DB);
    const uint32_t quarter = mixer_tree_bus(&t, "quarter", 0, QUARTER_DB);
    mixer_play p = begin(&t);
    const ct_voice_id voice = start(&p, &sine, half);
    mixer_play_run(&p, 20);
    assert_float_equal(peak_of(&p, p.num_frames - 4800), 0.25, 1e-4);
    const uint32_t before = p.num_frames;
    ct_mixer_set_voice_bus(p.m, voice, quarter);
    mixer_play_run(&p, 20);
    assert_float_equal(peak_of(&p, p.num_frames - 4800), 0.125, 1e-4);
    assert_true(mixer_roughness(&p, before - 4, before + 1000) < 3e-3); // no click
    ct_mixer_set_voice_bus(p.m, voice, 17);                             // there is none: the root
    mixer_play_run(&p, 20);
    assert_float_equal(peak_of(&p, p.num_frames - 4800), 0.5, 1e-4);
    const uint32_t steady = p.num_frames;
    ct_mixer_set_voice_bus(p.m, voice, 0); // as it is
    mixer_play_run(&p, 10);
    assert_true(mixer_same(&p, steady - 4800, &p, steady, 4800)); // in step with the sine
    mixer_play_end(&p);
    mixer_free(&sine);
}

// Buses that keep their name but not their way to the root fade from the old way to the new one.
static void fades_to_other_parents_and_sends(void **state) {
    (void)state;
    const ct_sound_media media = level(0.25f);
    static const float expected[] = {0.25f, 0.25f, 0.0625f, 0.125f, 0.125f, 0.125f};
    for (uint32_t change = 0; change < CT_COUNT_OF(expected); ++change) {
        mixer_tree t, other;
        mixer_tree_begin(&t);
        mixer_tree_bus(&t, "master", CT_SOUND_NO_BUS, 0);
        const uint32_t half = mixer_tree_bus(&t, "half", 0, HALF_DB);
        const uint32_t quarter = mixer_tree_bus(&t, "quarter", 0, QUARTER_DB);
        const uint32_t bus = mixer_tree_bus(&t, "bus", half, 0);
        mixer_tree_send(&t, bus, quarter, 0); // 0.125 and 0.0625
        t.buses[bus].duck_by = bus;
        t.buses[bus].duck_threshold = change == 4 ? -96 : 24;
        t.buses[bus].duck_volume = HALF_DB;
        other = t;
        if (change != 3)
            other.head.sends.count = 0;
        mixer_play p = begin(&t);
        start(&p, &media, bus);
        mixer_play_run(&p, 100);
        const float before = last(&p), all = 0.125f + 0.0625f;
        assert_float_equal(before, change == 4 ? all / 2 : all, 1e-5);
        if (change == 0) // another parent
            other.buses[bus].parent = 0;
        if (change == 1) { // its parent is gone
            other.buses[half] = other.buses[bus];
            other.buses[half].parent = 0;
            other.buses[half].duck_by = CT_SOUND_NO_BUS;
            other.head.buses.count = 3;
        }
        if (change == 2) // another one, which had a send
            other.buses[bus].parent = quarter;
        if (change == 3) // the way of the send is another
            other.sends[0].to = 0, other.sends[0].volume = -96;
        if (change == 4) // nothing makes it quieter any more
            other.buses[bus].duck_by = CT_SOUND_NO_BUS;
        if (change == 5) { // twice before the next block
            mixer_tree between = other;
            between.buses[bus].parent = quarter;
            ct_mixer_set_buses(p.m, &between.head);
        }
        const uint32_t first = p.num_frames;
        ct_mixer_set_buses(p.m, &other.head);
        mixer_play_run(&p, 10);
        assert_float_equal(last(&p), expected[change], 1e-5);
        assert_true(mixer_roughness(&p, first, p.num_frames) < 2e-3);
        mixer_play_end(&p);
    }
    mixer_free(&media);
}

// A reverb goes on when its room is the same, and fades when not.
static void keeps_reverbs(void **state) {
    (void)state;
    const ct_sound_media sine = mixer_sine(440, 48000, 1, 0.25);
    for (uint32_t change = 0; change < 4; ++change) {
        mixer_tree t;
        add_reverb(&t, 2, 12);
        mixer_play p = begin(&t), steady = begin(&t);
        start(&p, &sine, 1);
        start(&steady, &sine, 1);
        mixer_play_run(&p, 20);
        mixer_play_run(&steady, 60);
        const double before = mixer_roughness(&p, 0, p.num_frames);
        if (change == 1)
            t.buses[1].reverb.size = 20;
        if (change == 2)
            t.buses[1].reverb.seconds = 0;
        ct_mixer_set_buses(p.m, change == 3 ? NULL : &t.head);
        mixer_play_run(&p, 40);
        assert_int_equal(mixer_same(&p, 0, &steady, 0, p.num_frames), change == 0);
        assert_true(mixer_roughness(&p, 0, p.num_frames) < 2 * before + 0.002);
        mixer_play_end(&p);
        mixer_play_end(&steady);
    }
    mixer_free(&sine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(multiplies_volumes_up_the_tree),
        cmocka_unit_test(shows_peaks_since_the_last_call),
        cmocka_unit_test(sends_after_the_volume),
        cmocka_unit_test(sends_voices_to_the_place),
        cmocka_unit_test(filters_low),
        cmocka_unit_test(ducks),
        cmocka_unit_test(reverberates_as_long_as_it_says),
        cmocka_unit_test(damps_high_notes),
        cmocka_unit_test(delays_the_reverb_and_mixes_it_by_width_and_dry),
        cmocka_unit_test(changes_the_time_of_a_reverb),
        cmocka_unit_test(falls_silent),
        cmocka_unit_test(keeps_buses_by_name),
        cmocka_unit_test(moves_voices_to_other_buses),
        cmocka_unit_test(fades_to_other_parents_and_sends),
        cmocka_unit_test(keeps_reverbs),
    };
    return cmocka_run_group_tests_name("mixer buses", tests, test_group_setup, test_group_teardown);
}
