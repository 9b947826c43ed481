// Sounds as they come out: samples, rates, loops, loudness, waveform.
#include <math.h>

#include "compiler/types/sound/sound_case.h"

static const wav_desc short_sine = {.rate = 48000,
                                    .channels = 1,
                                    .frames = 4800,
                                    .shape = WAV_SINE,
                                    .frequency = 440,
                                    .level = 0.5};

static void keeps_samples_of_16_bits(void **state) {
    (void)state;
    int16_t samples[2 * 30000];
    uint32_t random = 5;
    for (uint32_t i = 0; i < CT_COUNT_OF(samples); ++i)
        samples[i] = (int16_t)test_random(&random);
    samples[0] = 32767;
    samples[1] = -32768;
    ct_byte_array wav = wav_of_samples(samples, 30000, 2, 48000);
    compile_case t = compile_case_make();
    const ct_sound_resource *const r = compile_sound(&t, &wav, "");
    assert_int_equal(t.answer.warnings.count, 0);
    assert_int_equal(r->num_frames, 30000);
    assert_int_equal(r->rate, 48000);
    assert_int_equal(r->num_channels, 2);
    assert_int_equal(r->flags, 0);
    assert_int_equal(r->chunks.count, 2);
    assert_memory_equal(ct_blob_at(r, r->data.offset), samples, sizeof(samples));
    assert_true(r->gain == 1);
    assert_true(r->peak == 1);
    assert_string_equal(ct_blob_at(r, r->media_format.offset), "WAV, 16 bit samples");
    assert_true(compile_case_has_include(&t, "sounds/a.wav"));
    compile_case_free(&t);
    ct_array_free(&wav);
}

static void streams_the_same_samples_beside_the_blob(void **state) {
    (void)state;
    const wav_desc noise = {
        .rate = 44100, .channels = 2, .frames = 60000, .shape = WAV_NOISE, .level = 0.9};
    compile_case t = compile_case_make();
    const ct_sound_resource *r = compile_wav(&t, &noise, "");
    const uint32_t bytes = r->data.count;
    void *const memory = ct_alloc(test_heap(), bytes);
    memcpy(memory, ct_blob_at(r, r->data.offset), bytes);
    r = compile_wav(&t, &noise, "streamed = true");
    assert_int_equal(r->flags, CT_SOUND_STREAMED);
    assert_int_equal(r->stream.bytes, t.answer.stream.count);
    assert_int_equal(r->chunks.count, 3);
    for (uint32_t i = 0; i < r->chunks.count; ++i) {
        const ct_sound_chunk *const c = &chunks_of(r)[i];
        const ct_sound_chunk_head *const head =
            (const ct_sound_chunk_head *)(const void *)(t.answer.stream.items + c->offset);
        assert_true(head->stamp == r->stamp);
        assert_int_equal(head->index, i);
        assert_memory_equal(head + 1, (const char *)memory + c->first_frame * 4ull,
                            c->num_frames * 4ull);
    }
    ct_free(test_heap(), memory);
    compile_case_free(&t);
}

static void gives_the_same_bytes_each_time(void **state) {
    (void)state;
    static const char *const members[] = {"", "streamed = true", "store = \"vorbis\"",
                                          "store = \"vorbis\" streamed = true max_rate = 32000"};
    const wav_desc noise = {
        .rate = 44100, .channels = 2, .frames = 30000, .shape = WAV_NOISE, .level = 0.5};
    for (uint32_t i = 0; i < CT_COUNT_OF(members); ++i) {
        compile_case t = compile_case_make();
        compile_wav(&t, &noise, members[i]);
        ct_compile_answer first = t.answer;
        t.has_run = false;
        compile_wav(&t, &noise, members[i]);
        assert_int_equal(first.blob.count, t.answer.blob.count);
        assert_memory_equal(first.blob.items, t.answer.blob.items, first.blob.count);
        assert_int_equal(first.stream.count, t.answer.stream.count);
        if (first.stream.count > 0)
            assert_memory_equal(first.stream.items, t.answer.stream.items, first.stream.count);
        ct_compile_answer_free(&first);
        compile_case_free(&t);
    }
}

static void stamps_depend_on_media_and_settings(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    wav_desc d = short_sine;
    const uint64_t stamp = compile_wav(&t, &d, "")->stamp;
    assert_true(compile_wav(&t, &d, "")->stamp == stamp);
    assert_true(compile_wav(&t, &d, "store = \"vorbis\"")->stamp != stamp);
    d.level = 0.25;
    assert_true(compile_wav(&t, &d, "")->stamp != stamp);
    compile_case_free(&t);
}

// --- Conversion ----------------------------------------------------------------------------------

// The part of a sine's energy that a sine of this frequency does not explain, in dB below it.
static double noise_below_sine(const compile_case *t, const ct_sound_resource *r,
                               double frequency) {
    const uint32_t first = 1000, end = r->num_frames - 1000;
    double ss = 0, cc = 0, sc = 0, xs = 0, xc = 0, xx = 0;
    for (uint32_t i = first; i < end; ++i) {
        const double at = 2 * 3.14159265358979323846 * frequency * i / r->rate;
        const double s = sin(at), c = cos(at), x = sample_at(t, r, i, 0) / 32768.0;
        ss += s * s, cc += c * c, sc += s * c, xs += x * s, xc += x * c, xx += x * x;
    }
    const double det = ss * cc - sc * sc;
    const double a = (xs * cc - xc * sc) / det, b = (xc * ss - xs * sc) / det;
    const double explained = a * xs + b * xc;
    return 10 * log10(explained / (xx - explained));
}

static void resamples_to_the_rate_with_exact_lengths(void **state) {
    (void)state;
    static const uint32_t rates[][3] = {{384000, 48000, 48000}, {96000, 48000, 48000},
                                        {44100, 48000, 44100},  {48000, 22050, 22050},
                                        {8000, 48000, 8000},    {44100, 44099, 44099}};
    for (uint32_t i = 0; i < CT_COUNT_OF(rates); ++i) {
        wav_desc d = short_sine;
        d.rate = rates[i][0];
        d.frames = 20011;
        d.frequency = 1000;
        char members[64];
        snprintf(members, sizeof(members), "max_rate = %u", rates[i][1]);
        compile_case t = compile_case_make();
        const ct_sound_resource *const r = compile_wav(&t, &d, members);
        assert_int_equal(r->rate, rates[i][2]);
        assert_int_equal(r->media_rate, d.rate);
        assert_int_equal(r->num_frames, (20011.0 * r->rate / d.rate) + 0.5);
        if (r->num_frames > 3000)
            assert_true(noise_below_sine(&t, r, 1000) > 80);
        compile_case_free(&t);
    }
}

static void mixes_channels_to_one(void **state) {
    (void)state;
    int16_t samples[8 * 100];
    for (uint32_t i = 0; i < 100; ++i)
        for (uint32_t k = 0; k < 8; ++k)
            samples[i * 8 + k] = (int16_t)(k == 2 ? 8000 : 16);
    ct_byte_array wav = wav_of_samples(samples, 100, 8, 48000);
    compile_case t = compile_case_make();
    const ct_sound_resource *const r = compile_sound(&t, &wav, "mono = true");
    assert_int_equal(r->num_channels, 1);
    assert_int_equal(r->media_channels, 8);
    assert_int_equal(sample_at(&t, r, 50, 0), (8000 + 7 * 16) / 8);
    compile_case_free(&t);
    ct_array_free(&wav);
}

static void cuts_off_samples_beyond_full_scale(void **state) {
    (void)state;
    wav_desc d = short_sine;
    d.is_float = true;
    d.level = 2;
    compile_case t = compile_case_make();
    const ct_sound_resource *const r = compile_wav(&t, &d, "");
    expect_warning(&t.answer, "sounds/a.sound", 1, 1, "samples are beyond full scale, the largest");
    assert_non_null(strstr(t.answer.warnings.items[0].message, "by 6.0 dB"));
    assert_true(r->peak == 1);
    assert_string_equal(ct_blob_at(r, r->media_format.offset), "WAV, 32 bit float samples");
    assert_int_equal(sample_at(&t, r, 27, 0), 32767);
    assert_int_equal(sample_at(&t, r, 82, 0), -32768);
    d.level = 1;
    compile_wav(&t, &d, "");
    assert_int_equal(t.answer.warnings.count, 0); // full scale itself
    compile_case_free(&t);
}

static void takes_sounds_of_one_frame(void **state) {
    (void)state;
    static const char *const members[] = {"", "streamed = true loop = true", "store = \"vorbis\"",
                                          "store = \"vorbis\" streamed = true"};
    for (uint32_t i = 0; i < CT_COUNT_OF(members); ++i) {
        compile_case t = compile_case_make();
        const ct_sound_resource *const r = compile_wav(
            &t,
            &(wav_desc){.rate = 44100, .channels = 2, .frames = 1, .shape = WAV_NOISE, .level = 1},
            members[i]);
        assert_int_equal(r->num_frames, 1);
        assert_int_equal(r->chunks.count, 1);
        compile_case_free(&t);
    }
}

// --- Loops ---------------------------------------------------------------------------------------

static void loops_where_the_source_says(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    const ct_sound_resource *r = compile_wav(&t, &short_sine, "loop = true");
    assert_int_equal(r->flags, CT_SOUND_LOOPS);
    assert_int_equal(r->loop_begin, 0);
    assert_int_equal(r->loop_end, 4800);
    r = compile_wav(&t, &short_sine, "loop = true loop_begin = 0.01 loop_end = 0.05");
    assert_int_equal(r->loop_begin, 480);
    assert_int_equal(r->loop_end, 2400);
    // A length that was rounded up.
    r = compile_wav(&t, &short_sine, "loop = true loop_end = 0.1005");
    assert_int_equal(r->loop_end, 4800);
    compile_case_free(&t);
}

static void loops_where_the_file_says(void **state) {
    (void)state;
    wav_desc d = short_sine;
    d.loop_begin = 1000;
    d.loop_end = 3000;
    compile_case t = compile_case_make();
    const ct_sound_resource *r = compile_wav(&t, &d, "loop = true");
    assert_int_equal(r->loop_begin, 1000);
    assert_int_equal(r->loop_end, 3000);
    r = compile_wav(&t, &d, "loop = true max_rate = 24000");
    assert_int_equal(r->loop_begin, 500);
    assert_int_equal(r->loop_end, 1500);
    r = compile_wav(&t, &d, "loop = true loop_begin = 0"); // the source's own
    assert_int_equal(r->loop_begin, 0);
    assert_int_equal(r->loop_end, 4800);
    r = compile_wav(&t, &d, "");
    assert_int_equal(r->flags, 0);
    assert_int_equal(r->loop_end, 0);
    compile_case_free(&t);
}

static void warns_of_loops_that_cannot_be(void **state) {
    (void)state;
    wav_desc d = short_sine;
    d.loop_end = 5000;
    compile_case t = compile_case_make();
    const ct_sound_resource *r = compile_wav(&t, &d, "loop = true");
    expect_warning(&t.answer, "sounds/a.sound", 2, 1,
                   "a loop from frame 0 to 5000, which is not inside its 4800 frames");
    assert_int_equal(r->loop_end, 4800);
    d.loop_end = 3000;
    d.loop_type = 1;
    r = compile_wav(&t, &d, "loop = true");
    expect_warning(&t.answer, "sounds/a.sound", 2, 1, "a loop that runs backward");
    assert_int_equal(r->loop_end, 4800);
    compile_wav(&t, &short_sine, "loop_begin = 0.01");
    expect_warning(&t.answer, "sounds/a.sound", 2, 1, "loop_begin has no effect without loop");
    compile_case_free(&t);
}

// A ramp up to the loop, then a plain level: faded, the end goes on into the start.
static void fades_the_end_into_what_is_before_the_loop(void **state) {
    (void)state;
    enum { FRAMES = 20000, BEGIN = 9600, FADE = 4800 };
    static int16_t samples[FRAMES];
    for (uint32_t i = 0; i < FRAMES; ++i)
        samples[i] = i < BEGIN ? 4000 : 8000;
    ct_byte_array wav = wav_of_samples(samples, FRAMES, 1, 48000);
    compile_case t = compile_case_make();
    const ct_sound_resource *const r =
        compile_sound(&t, &wav, "loop = true loop_begin = 0.2 loop_crossfade = 0.1");
    assert_int_equal(r->loop_begin, BEGIN);
    assert_int_equal(r->loop_end, FRAMES);
    for (uint32_t i = 0; i < FRAMES - FADE; ++i)
        assert_int_equal(sample_at(&t, r, i, 0), samples[i]);
    // Both are alike: straight weights.
    for (uint32_t i = 0; i < FADE; ++i) {
        const double expected = 8000 - 4000 * (i + 1.0) / (FADE + 1.0);
        assert_true(fabs(sample_at(&t, r, FRAMES - FADE + i, 0) - expected) <= 1);
    }
    compile_case_free(&t);
    ct_array_free(&wav);
}

static void keeps_the_level_of_noise_in_a_crossfade(void **state) {
    (void)state;
    const wav_desc noise = {
        .rate = 48000, .channels = 2, .frames = 96000, .shape = WAV_NOISE, .level = 0.5};
    compile_case t = compile_case_make();
    const ct_sound_resource *const r =
        compile_wav(&t, &noise, "loop = true loop_begin = 0.5 loop_crossfade = 0.5");
    double faded = 0, plain = 0;
    for (uint32_t i = 0; i < 8000; ++i) { // around the middle of the fade
        faded += pow(sample_at(&t, r, 96000 - 12000 - 4000 + i, 0), 2);
        plain += pow(sample_at(&t, r, 40000 + i, 0), 2);
    }
    assert_true(fabs(10 * log10(faded / plain)) < 0.3);
    compile_case_free(&t);
}

// --- Loudness and waveform -----------------------------------------------------------------------

// EBU Tech 3341, cases 1 and 2: a stereo sine of 1 kHz.
static void measures_loudness_as_the_ebu_demands(void **state) {
    (void)state;
    static const double levels[] = {-23, -33};
    for (uint32_t i = 0; i < CT_COUNT_OF(levels); ++i) {
        const wav_desc d = {.rate = 48000,
                            .channels = 2,
                            .frames = 20 * 48000,
                            .shape = WAV_SINE,
                            .frequency = 1000,
                            .level = pow(10, levels[i] / 20)};
        compile_case t = compile_case_make();
        const ct_sound_resource *const r = compile_wav(&t, &d, "loudness = -18");
        assert_true(fabs((double)r->loudness - levels[i]) < 0.1);
        assert_true(fabs((double)r->peak - d.level) < 1e-4);
        assert_true(fabs(20 * log10((double)r->gain) - (-18 - (double)r->loudness)) < 1e-3);
        assert_int_equal(t.answer.warnings.count, 0);
        compile_case_free(&t);
    }
}

static void warns_of_peaks_that_loudness_lifts_too_high(void **state) {
    (void)state;
    wav_desc d = short_sine;
    d.level = 0.25;
    compile_case t = compile_case_make();
    const ct_sound_resource *const r = compile_wav(&t, &d, "loudness = -1");
    expect_warning(&t.answer, "sounds/a.sound", 2, 1, "dB above full scale; use a lower loudness");
    assert_true(r->gain > 4);
    compile_case_free(&t);
}

static void measures_short_sounds_and_silence(void **state) {
    (void)state;
    wav_desc d = short_sine; // a quarter of a block of 0.4 s: 6 dB less
    compile_case t = compile_case_make();
    const double loudness = (double)compile_wav(&t, &d, "")->loudness;
    d.frames *= 4;
    assert_true(fabs((double)compile_wav(&t, &d, "")->loudness - loudness - 6.02) < 0.3);
    d.shape = WAV_SILENCE;
    const ct_sound_resource *const r = compile_wav(&t, &d, "loudness = -20");
    expect_warning(&t.answer, "sounds/a.sound", 2, 1, "loudness has no effect");
    assert_true(r->loudness == -100);
    assert_true(r->gain == 1);
    assert_true(r->peak == 0);
    compile_case_free(&t);
}

static void draws_the_waveform(void **state) {
    (void)state;
    enum { FRAMES = 51200 };
    static int16_t samples[FRAMES];
    for (uint32_t i = 0; i < FRAMES; ++i)
        samples[i] = (int16_t)(i < FRAMES / 2 ? 0 : i % 2 ? 16384 : -8192);
    ct_byte_array wav = wav_of_samples(samples, FRAMES, 1, 48000);
    compile_case t = compile_case_make();
    const ct_sound_resource *const r = compile_sound(&t, &wav, "");
    const int8_t *const columns = ct_blob_at(r, r->waveform.offset);
    assert_int_equal(columns[255 * 2], 0);
    assert_int_equal(columns[255 * 2 + 1], 0);
    assert_int_equal(columns[256 * 2], -32);
    assert_int_equal(columns[256 * 2 + 1], 64);
    compile_case_free(&t);
    ct_array_free(&wav);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_samples_of_16_bits),
        cmocka_unit_test(streams_the_same_samples_beside_the_blob),
        cmocka_unit_test(gives_the_same_bytes_each_time),
        cmocka_unit_test(stamps_depend_on_media_and_settings),
        cmocka_unit_test(resamples_to_the_rate_with_exact_lengths),
        cmocka_unit_test(mixes_channels_to_one),
        cmocka_unit_test(cuts_off_samples_beyond_full_scale),
        cmocka_unit_test(takes_sounds_of_one_frame),
        cmocka_unit_test(loops_where_the_source_says),
        cmocka_unit_test(loops_where_the_file_says),
        cmocka_unit_test(warns_of_loops_that_cannot_be),
        cmocka_unit_test(fades_the_end_into_what_is_before_the_loop),
        cmocka_unit_test(keeps_the_level_of_noise_in_a_crossfade),
        cmocka_unit_test(measures_loudness_as_the_ebu_demands),
        cmocka_unit_test(warns_of_peaks_that_loudness_lifts_too_high),
        cmocka_unit_test(measures_short_sounds_and_silence),
        cmocka_unit_test(draws_the_waveform),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
