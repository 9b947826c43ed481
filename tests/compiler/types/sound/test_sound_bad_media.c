// What is refused, and with which message.
#include "compiler/types/sound/sound_case.h"

#include <math.h>
#include <sndfile.h>

// What libsndfile loses when a file is refused; a worker process ends that.
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
    return "leak:libsndfile\nleak:libvorbis\nleak:libogg\nleak:libFLAC\nleak:libopus\n"
           "leak:libmpg123\n";
}

static const wav_desc second = {.rate = 48000,
                                .channels = 1,
                                .frames = 48000,
                                .shape = WAV_SINE,
                                .frequency = 440,
                                .level = 0.5};

// Expects that media of these bytes are refused with an error that has `text`.
static void expect_bytes_error(const char *path, const void *bytes, uint64_t count,
                               const char *text) {
    compile_case t = compile_case_make();
    char source[128];
    snprintf(source, sizeof(source), "source = \"%s\"", path);
    compile_case_text(&t, "sounds/a.sound", source);
    compile_case_file(&t, path, bytes, count);
    compile_case_run(&t, "sound", "sounds/a");
    compile_case_expect(&t, "sounds/a.sound", 1, text);
    compile_case_free(&t);
}

// --- A file in memory that libsndfile writes -----------------------------------------------------

static sf_count_t memory_at;

static sf_count_t memory_bytes(void *user) {
    return ((ct_byte_array *)user)->count;
}

static sf_count_t memory_seek(sf_count_t offset, int whence, void *user) {
    memory_at = offset + (whence == SEEK_CUR   ? memory_at
                          : whence == SEEK_END ? memory_bytes(user)
                                               : 0);
    return memory_at;
}

static sf_count_t memory_read(void *to, sf_count_t bytes, void *user) {
    const sf_count_t left = memory_bytes(user) - memory_at;
    const sf_count_t count = bytes < left ? bytes : left;
    memcpy(to, ((ct_byte_array *)user)->items + memory_at, (size_t)count);
    memory_at += count;
    return count;
}

static sf_count_t memory_write(const void *from, sf_count_t bytes, void *user) {
    ct_byte_array *const out = user;
    if (memory_at + bytes > out->count)
        ct_array_resize(out, (uint32_t)(memory_at + bytes));
    memcpy(out->items + memory_at, from, (size_t)bytes);
    memory_at += bytes;
    return bytes;
}

static sf_count_t memory_tell(void *user) {
    (void)user;
    return memory_at;
}

// A second of a stereo sine at 48 kHz, as a file of this format.
static ct_byte_array media_of(int format) {
    static SF_VIRTUAL_IO memory = {memory_bytes, memory_seek, memory_read, memory_write,
                                   memory_tell};
    ct_byte_array out;
    ct_array_init(&out, test_heap());
    SF_INFO info = {.samplerate = 48000, .channels = 2, .format = format};
    memory_at = 0;
    SNDFILE *const file = sf_open_virtual(&memory, SFM_WRITE, &info, &out);
    assert_non_null(file);
    for (uint32_t i = 0; i < 48000; ++i) {
        const float x = (float)(0.5 * sin(2 * 3.14159265 * 440 * i / 48000));
        const float frame[2] = {x, x};
        assert_int_equal(sf_writef_float(file, frame, 1), 1);
    }
    sf_close(file);
    return out;
}

typedef struct kind {
    int format;
    const char *path, *name;
} kind;

static const kind kinds[] = {
    {SF_FORMAT_WAV | SF_FORMAT_PCM_16, "sounds/a.wav", "WAV, 16 bit samples"},
    {SF_FORMAT_WAV | SF_FORMAT_PCM_24, "sounds/a.wav", "WAV, 24 bit samples"},
    {SF_FORMAT_WAV | SF_FORMAT_PCM_U8, "sounds/a.wav", "WAV, 8 bit samples"},
    {SF_FORMAT_WAV | SF_FORMAT_IMA_ADPCM, "sounds/a.wav", "WAV, IMA ADPCM"},
    {SF_FORMAT_WAV | SF_FORMAT_ULAW, "sounds/a.wav", "WAV, u-law"},
    {SF_FORMAT_WAVEX | SF_FORMAT_PCM_16, "sounds/a.wav", "WAV, 16 bit samples"},
    {SF_FORMAT_FLAC | SF_FORMAT_PCM_16, "sounds/a.flac", "FLAC, 16 bit samples"},
    {SF_FORMAT_OGG | SF_FORMAT_VORBIS, "sounds/a.ogg", "Ogg Vorbis"},
    {SF_FORMAT_OGG | SF_FORMAT_OPUS, "sounds/a.opus", "Opus"},
    {SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III, "sounds/a.mp3", "MP3"},
};

static void reads_every_format(void **state) {
    (void)state;
    for (uint32_t i = 0; i < CT_COUNT_OF(kinds); ++i) {
        compile_case t = compile_case_make();
        ct_byte_array media = media_of(kinds[i].format);
        run_sound(&t, kinds[i].path, &media, "");
        const ct_sound_resource *const r = expect_blob(&t.answer, "sound");
        assert_int_equal(t.answer.warnings.count, 0);
        assert_string_equal(ct_blob_at(r, r->media_format.offset), kinds[i].name);
        assert_in_range(r->num_frames, 48000, 48000 + 2000); // blocks of ADPCM
        assert_int_equal(r->num_channels, 2);
        assert_true(fabs((double)r->peak - 0.5) < 0.05);
        compile_case_free(&t);
        ct_array_free(&media);
    }
}

static void refuses_truncated_files_of_every_format(void **state) {
    (void)state;
    for (uint32_t i = 0; i < CT_COUNT_OF(kinds); ++i) {
        ct_byte_array media = media_of(kinds[i].format);
        expect_bytes_error(kinds[i].path, media.items, media.count / 2, "is truncated");
        ct_array_free(&media);
    }
}

static void counts_the_frames_of_truncated_files(void **state) {
    (void)state;
    ct_byte_array wav = wav_of(&second);
    expect_bytes_error("sounds/a.wav", wav.items, 44 + 2 * 1000,
                       "sounds/a.wav is truncated: 1000 of 48000 frames are there");
    expect_bytes_error("sounds/a.wav", wav.items, 43,
                       "is truncated: it ends after 43 bytes, before its samples");
    expect_bytes_error("sounds/a.wav", wav.items, 20,
                       "is truncated: it ends after 20 bytes, before its samples");
    ct_array_free(&wav);
    ct_byte_array flac = media_of(SF_FORMAT_FLAC | SF_FORMAT_PCM_16);
    expect_bytes_error("sounds/a.flac", flac.items, flac.count / 2, " of 48000 frames are there");
    ct_array_free(&flac);
    ct_byte_array ogg = media_of(SF_FORMAT_OGG | SF_FORMAT_VORBIS);
    expect_bytes_error("sounds/a.ogg", ogg.items, ogg.count - 1, "without a last page");
    ct_array_free(&ogg);
}

static void reads_files_of_unknown_length(void **state) {
    (void)state;
    // FLAC whose head says nothing, and WAV as it comes out of a pipe.
    ct_byte_array flac = media_of(SF_FORMAT_FLAC | SF_FORMAT_PCM_16);
    flac.items[21] &= 0xf0;
    memset(flac.items + 22, 0, 4);
    compile_case t = compile_case_make();
    run_sound(&t, "sounds/a.flac", &flac, "");
    assert_int_equal(((const ct_sound_resource *)expect_blob(&t.answer, "sound"))->num_frames,
                     48000);
    ct_array_free(&flac);
    ct_byte_array wav = wav_of(&second);
    memset(wav.items + 4, 0xff, 4);
    memset(wav.items + 40, 0xff, 4);
    assert_int_equal(compile_sound(&t, &wav, "")->num_frames, 48000);
    ct_array_free(&wav);
    compile_case_free(&t);
}

static void refuses_mp3_files_whose_length_nobody_says(void **state) {
    (void)state;
    ct_byte_array media = media_of(SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III);
    uint32_t second_part = 4; // the first one has the length
    while (media.items[second_part] != 0xff || media.items[second_part + 1] != 0xfb)
        ++second_part;
    expect_bytes_error("sounds/a.mp3", media.items + second_part, media.count - second_part,
                       "does not say how long it is, and its bit rate changes");
    ct_array_free(&media);
}

// --- What a file says of itself ------------------------------------------------------------------

static void refuses_sounds_without_samples(void **state) {
    (void)state;
    wav_desc d = second;
    d.frames = 0;
    expect_wav_error(&d, "", 1, "sounds/a.wav has no samples");
}

static void refuses_many_channels(void **state) {
    (void)state;
    wav_desc d = second;
    d.channels = 8;
    d.frames = 100;
    expect_wav_error(&d, "", 1,
                     "sounds/a.wav has 8 channels; expected 1 or 2 (`mono = true` mixes them");
    d.channels = 0;
    expect_wav_error(&d, "", 1, "has 0 channels; expected 1 to 2");
    d.channels = 33;
    expect_wav_error(&d, "mono = true", 1, "has 33 channels; expected 1 to 32");
}

static void refuses_rates_that_nobody_records_with(void **state) {
    (void)state;
    wav_desc d = second;
    d.frames = 100;
    d.rate = 7999;
    expect_wav_error(&d, "", 1, "has 7999 samples a second; expected 8000 to 384000");
    d.rate = 384001;
    expect_wav_error(&d, "", 1, "has 384001 samples a second");
    d.rate = 0;
    expect_wav_error(&d, "", 1, "has 0 samples a second");
}

static void refuses_ten_hours_by_their_header(void **state) {
    (void)state;
    wav_desc d = second;
    d.frames = 100;
    d.rate = 8000;
    d.claimed_frames = 8000 * 36000;
    expect_wav_error(&d, "streamed = true", 1,
                     "sounds/a.wav is 36000 s long; expected at most 3600 s");
    expect_wav_error(&d, "", 1, "is 36000 s long; expected at most 3600 s");
    ct_byte_array flac = media_of(SF_FORMAT_FLAC | SF_FORMAT_PCM_16);
    const uint64_t frames = 36000ull * 48000;
    for (uint32_t i = 0; i < 4; ++i)
        flac.items[22 + i] = (uint8_t)(frames >> 8 * (3 - i));
    expect_bytes_error("sounds/a.flac", flac.items, flac.count, "is 36000 s long");
    ct_array_free(&flac);
}

static void refuses_long_sounds_in_memory(void **state) {
    (void)state;
    wav_desc d = second;
    d.rate = 8000;
    d.frames = 8000 * 121;
    expect_wav_error(
        &d, "", 1, "is 121 s long; expected at most 120 s of a sound in memory (`streamed = true`");
    compile_case t = compile_case_make();
    compile_wav(&t, &d, "streamed = true");
    compile_case_free(&t);
}

static void refuses_samples_that_are_no_numbers(void **state) {
    (void)state;
    static const float values[] = {NAN, INFINITY, -INFINITY, 1e20f};
    for (uint32_t i = 0; i < CT_COUNT_OF(values); ++i) {
        wav_desc d = second;
        d.is_float = true;
        ct_byte_array wav = wav_of(&d);
        memcpy(wav.items + 44 + 4 * 12345, &values[i], 4);
        compile_case t = compile_case_make();
        run_sound(&t, "sounds/a.wav", &wav, "");
        compile_case_expect(&t, "sounds/a.sound", 1,
                            "at frame 12345; expected numbers from -1 to 1");
        compile_case_free(&t);
        ct_array_free(&wav);
    }
}

// --- What is no sound ----------------------------------------------------------------------------

static void refuses_what_is_no_sound(void **state) {
    (void)state;
    static const char text[] = "These are the notes of the recording.\n";
    expect_bytes_error("sounds/a.wav", text, sizeof(text),
                       "sounds/a.wav is no sound (39 bytes); expected a WAV, FLAC, Ogg Vorbis");
    expect_bytes_error("sounds/a.wav", "", 0, "sounds/a.wav is empty; expected a WAV");
    expect_bytes_error("sounds/a.aiff", "FORM\0\0\0\0AIFFCOMM", 16,
                       "sounds/a.aiff is AIFF, which is not supported; save it as WAV");
    expect_bytes_error("sounds/a.wav", "\x89PNG\r\n\x1a\n", 8, "is no sound (8 bytes)");
    compile_case t = compile_case_make();
    compile_case_text(&t, "sounds/a.sound", "source = \"sounds/b.wav\"");
    compile_case_text(&t, "sounds/c.wav", "");
    compile_case_run(&t, "sound", "sounds/a");
    compile_case_expect(&t, "sounds/a.sound", 1, "sounds/b.wav");
    compile_case_free(&t);
}

static void warns_of_a_wrong_extension(void **state) {
    (void)state;
    ct_byte_array flac = media_of(SF_FORMAT_FLAC | SF_FORMAT_PCM_16);
    compile_case t = compile_case_make();
    run_sound(&t, "sounds/a.wav", &flac, "");
    expect_warning(&t.answer, "sounds/a.sound", 1, 1,
                   "sounds/a.wav is FLAC; expected its name to end in .flac");
    compile_case_free(&t);
    ct_array_free(&flac);
}

static void refuses_members_that_make_no_sense(void **state) {
    (void)state;
    expect_wav_error(&second, "loop = true loop_begin = 1.5", 2,
                     "sound.loop_begin: found 1.5 s; the sound is 1.000 s long");
    expect_wav_error(&second, "loop = true loop_begin = 0.5 loop_end = 0.25", 2,
                     "found a loop from 0.5 s to 0.25 s; expected it to end after it begins");
    expect_wav_error(&second, "loop = true loop_begin = 1", 2, "expected it to end after");
    expect_wav_error(&second, "loop = true loop_crossfade = 0.1", 2,
                     "but the loop begins at 0.000 s; expected as much sound before loop_begin");
    expect_wav_error(&second, "loop = true loop_begin = 0.9 loop_crossfade = 0.2", 2,
                     "sound.loop_crossfade: found 0.2 s; the loop is 0.100 s long");
    expect_wav_error(&second, "loudness = 3", 2, "sound.loudness: expected LUFS from -70 to 0");
    expect_wav_error(&second, "loudness = \"loud\"", 2, "sound.loudness: expected LUFS");
    expect_wav_error(&second, "quality = 2", 2, "quality");
    expect_wav_error(&second, "max_rate = 96000", 2, "max_rate");
    expect_wav_error(&second, "store = \"mp3\"", 2, "store");
}

// Every length of every format, and every byte changed: an answer, and no crash.
static void survives_damage(void **state) {
    (void)state;
    const uint32_t rounds = test_rounds(4, 100);
    uint32_t random = 7;
    for (uint32_t i = 0; i < CT_COUNT_OF(kinds); ++i) {
        ct_byte_array media = media_of(kinds[i].format);
        for (uint32_t k = 0; k < rounds; ++k) {
            compile_case t = compile_case_make();
            const uint32_t at = test_random(&random) % (k % 2 ? 64 : media.count);
            const uint8_t kept = media.items[at];
            media.items[at] = (uint8_t)test_random(&random);
            run_sound(&t, kinds[i].path, &media, "");
            assert_true((t.answer.errors.count > 0) != (t.answer.blob.count > 0));
            media.items[at] = kept;
            compile_case_free(&t);
        }
        ct_array_free(&media);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_every_format),
        cmocka_unit_test(refuses_truncated_files_of_every_format),
        cmocka_unit_test(counts_the_frames_of_truncated_files),
        cmocka_unit_test(reads_files_of_unknown_length),
        cmocka_unit_test(refuses_mp3_files_whose_length_nobody_says),
        cmocka_unit_test(refuses_sounds_without_samples),
        cmocka_unit_test(refuses_many_channels),
        cmocka_unit_test(refuses_rates_that_nobody_records_with),
        cmocka_unit_test(refuses_ten_hours_by_their_header),
        cmocka_unit_test(refuses_long_sounds_in_memory),
        cmocka_unit_test(refuses_samples_that_are_no_numbers),
        cmocka_unit_test(refuses_what_is_no_sound),
        cmocka_unit_test(warns_of_a_wrong_extension),
        cmocka_unit_test(refuses_members_that_make_no_sense),
        cmocka_unit_test(survives_damage),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
