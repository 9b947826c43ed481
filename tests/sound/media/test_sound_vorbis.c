#include "sound/media/sound_vorbis.h"

#include <math.h>

#include "foundation/error.h"
#include "sound/media/vorbis_fixture.h"

enum { FRAMES = 30000, CHUNK = 10000, CHANNELS = 2 };

static int16_t *source;
static ct_sound_resource *sound;

static int make_sound(void **state) {
    (void)state;
    source = media_make_samples(FRAMES, CHANNELS);
    sound = vorbis_make(&(media_spec){.samples = source,
                                      .num_frames = FRAMES,
                                      .num_channels = CHANNELS,
                                      .rate = 44100,
                                      .chunk_frames = CHUNK});
    return 0;
}

static int free_sound(void **state) {
    (void)state;
    ct_free(test_heap(), sound);
    ct_free(test_heap(), source);
    return 0;
}

static const ct_sound_chunk *chunk_at(uint32_t i) {
    return &((const ct_sound_chunk *)ct_blob_at(sound, sound->chunks.offset))[i];
}

static uint8_t *bytes_of(uint32_t i) {
    return (uint8_t *)ct_blob_at(sound, sound->data.offset) + chunk_at(i)->offset;
}

static ct_sound_vorbis *create(void) {
    ct_error error = {0};
    ct_sound_vorbis *const v = ct_sound_vorbis_create(test_heap(), sound, &error);
    if (!v)
        fail_msg("%s", error.message);
    return v;
}

static bool decode(ct_sound_vorbis *v, uint32_t i, int16_t *frames, ct_error *error) {
    return ct_sound_vorbis_decode(v, bytes_of(i), chunk_at(i)->bytes, chunk_at(i)->num_frames,
                                  frames, error);
}

static void gives_the_frames_of_the_media(void **state) {
    (void)state;
    ct_sound_vorbis *const v = create();
    static int16_t frames[FRAMES * CHANNELS];
    assert_true(sound->chunks.count >= 3);
    double signal = 0, noise = 0;
    for (uint32_t i = 0; i < sound->chunks.count; ++i)
        assert_true(decode(v, i, frames + chunk_at(i)->first_frame * CHANNELS, NULL));
    for (uint32_t i = 0; i < FRAMES * CHANNELS; ++i) {
        signal += pow(source[i], 2);
        noise += pow(source[i] - frames[i], 2);
    }
    assert_true(noise * 40 < signal); // a frame too late would be several times the signal's size
    ct_sound_vorbis_destroy(v);
}

// Chunks decoded from the first to the last give what one decoder gives that decodes all packets.
static void chunks_give_the_same_frames_in_any_order(void **state) {
    (void)state;
    ct_sound_vorbis *const v = create(), *const other = create();
    static int16_t first[CHUNK * 2 * CHANNELS], again[CHUNK * 2 * CHANNELS];
    for (uint32_t i = sound->chunks.count; i-- > 0;) {
        assert_true(decode(v, i, first, NULL));
        assert_true(decode(other, sound->chunks.count - 1 - i, again, NULL));
        assert_true(decode(other, i, again, NULL));
        assert_memory_equal(first, again, chunk_at(i)->num_frames * CHANNELS * sizeof(int16_t));
    }
    ct_sound_vorbis_destroy(other);
    ct_sound_vorbis_destroy(v);
}

// The first frames of a chunk are what they would be if the decoder had gone on from the one
// before: a decoder that got all packets of both in one chunk shows it.
static void chunks_join_without_a_seam(void **state) {
    (void)state;
    ct_sound_vorbis *const v = create();
    static int16_t parts[CHUNK * 4 * CHANNELS], whole[CHUNK * 4 * CHANNELS];
    uint32_t sizes[2 * CHUNK], num_packets = 0;
    ct_byte_array joined;
    ct_array_init(&joined, test_heap());
    ct_byte_array packets;
    ct_array_init(&packets, test_heap());
    for (uint32_t i = 0; i < 2; ++i) {
        const uint8_t *const bytes = bytes_of(i);
        uint32_t count, at;
        memcpy(&count, bytes, sizeof(count));
        at = (count + 1) * (uint32_t)sizeof(uint32_t);
        for (uint32_t p = 0; p < count; ++p) {
            memcpy(&sizes[num_packets], bytes + (p + 1) * sizeof(uint32_t), sizeof(uint32_t));
            if (i == 0 || p > 0)
                ct_array_push_many(&packets, bytes + at, sizes[num_packets]);
            at += sizes[num_packets];
            num_packets += i == 0 || p > 0;
        }
    }
    ct_array_push_many(&joined, (const uint8_t *)&num_packets, (uint32_t)sizeof(num_packets));
    ct_array_push_many(&joined, (const uint8_t *)sizes, num_packets * (uint32_t)sizeof(uint32_t));
    ct_array_push_many(&joined, packets.items, packets.count);
    const uint32_t num_frames = chunk_at(0)->num_frames + chunk_at(1)->num_frames;
    assert_true(ct_sound_vorbis_decode(v, joined.items, joined.count, num_frames, whole, NULL));
    assert_true(decode(v, 0, parts, NULL));
    assert_true(decode(v, 1, parts + chunk_at(0)->num_frames * CHANNELS, NULL));
    assert_memory_equal(parts, whole, num_frames * CHANNELS * sizeof(int16_t));
    ct_array_free(&packets);
    ct_array_free(&joined);
    ct_sound_vorbis_destroy(v);
}

// Decodes the first chunk by libvorbis, rounded to whole numbers.
static void decode_plainly(int16_t *frames) {
    vorbis_info info;
    vorbis_comment comment;
    vorbis_dsp_state dsp;
    vorbis_block block;
    vorbis_info_init(&info);
    vorbis_comment_init(&comment);
    const uint8_t *header = ct_blob_at(sound, sound->vorbis_headers.offset);
    for (uint32_t i = 0; i < CT_SOUND_VORBIS_HEADERS; ++i) {
        ogg_packet packet = {.packet = (unsigned char *)header,
                             .bytes = (long)sound->vorbis_header_bytes[i],
                             .b_o_s = i == 0};
        assert_int_equal(vorbis_synthesis_headerin(&info, &comment, &packet), 0);
        header += sound->vorbis_header_bytes[i];
    }
    vorbis_synthesis_init(&dsp, &info);
    vorbis_block_init(&dsp, &block);
    const uint32_t *const table = (const uint32_t *)(const void *)bytes_of(0);
    uint8_t *bytes = bytes_of(0) + (table[0] + 1) * sizeof(uint32_t);
    uint32_t at = 0;
    for (uint32_t i = 0; i < table[0]; bytes += table[++i]) {
        float **channels;
        ogg_packet packet = {
            .packet = bytes, .bytes = (long)table[i + 1], .granulepos = -1, .packetno = i};
        assert_int_equal(vorbis_synthesis(&block, &packet), 0);
        vorbis_synthesis_blockin(&dsp, &block);
        const int count = vorbis_synthesis_pcmout(&dsp, &channels);
        for (int k = 0; k < count; ++k) {
            for (uint32_t c = 0; c < CHANNELS; ++c)
                frames[at++] = (int16_t)fmaxf(fminf(rintf(channels[c][k] * 32768), 32767), -32768);
        }
        vorbis_synthesis_read(&dsp, count);
    }
    assert_int_equal(at, chunk_at(0)->num_frames * CHANNELS);
    vorbis_block_clear(&block);
    vorbis_dsp_clear(&dsp);
    vorbis_comment_clear(&comment);
    vorbis_info_clear(&info);
}

static void rounds_samples(void **state) {
    (void)state;
    static int16_t expected[CHUNK * 2 * CHANNELS], found[CHUNK * 2 * CHANNELS];
    ct_sound_vorbis *const v = create();
    decode_plainly(expected);
    assert_true(decode(v, 0, found, NULL));
    assert_memory_equal(found, expected, chunk_at(0)->num_frames * CHANNELS * sizeof(int16_t));
    ct_sound_vorbis_destroy(v);
}

static void assert_refused(ct_sound_vorbis *v, uint64_t bytes, uint32_t num_frames,
                           const char *message) {
    static int16_t frames[CHUNK * 4 * CHANNELS];
    ct_error error = {0};
    assert_false(ct_sound_vorbis_decode(v, bytes_of(0), bytes, num_frames, frames, &error));
    if (!strstr(error.message, message))
        fail_msg("found \"%s\", expected \"%s\"", error.message, message);
}

static void refuses_damaged_chunks(void **state) {
    (void)state;
    ct_sound_vorbis *const v = create();
    const uint32_t bytes = chunk_at(0)->bytes, num_frames = chunk_at(0)->num_frames;
    uint32_t *const table = (uint32_t *)(void *)bytes_of(0);
    const uint32_t num_packets = table[0];
    assert_refused(v, 3, num_frames, "found 0 packets in a chunk; expected a table");
    assert_refused(v, bytes - 1, num_frames, "bytes; expected at most");
    assert_refused(v, bytes, num_frames + 5000, "frames in a chunk; expected");
    table[0] = bytes / 4;
    assert_refused(v, bytes, num_frames, "packets in a chunk; expected a table of their sizes");
    table[0] = 0;
    assert_refused(v, bytes, num_frames, "found 0 packets");
    table[0] = num_packets;
    bytes_of(0)[(num_packets + 1) * 4] |= 1; // of a header
    assert_refused(v, bytes, num_frames, "packets[0]: found a packet that is not Vorbis audio");
    ct_sound_vorbis_destroy(v);
}

static void assert_no_decoder(const char *message) {
    ct_error error = {0};
    assert_null(ct_sound_vorbis_create(test_heap(), sound, &error));
    if (!strstr(error.message, message))
        fail_msg("found \"%s\", expected \"%s\"", error.message, message);
}

static void refuses_headers_of_another_sound(void **state) {
    (void)state;
    sound->num_channels = 1;
    assert_no_decoder("found Vorbis of 2 channels at 44100 Hz; expected 1 channels at 44100 Hz");
    sound->num_channels = 2;
    sound->rate = 22050;
    assert_no_decoder("expected 2 channels at 22050 Hz");
}

static void refuses_damaged_headers(void **state) {
    (void)state;
    uint8_t *const headers = (uint8_t *)ct_blob_at(sound, sound->vorbis_headers.offset);
    const uint32_t setup = sound->vorbis_header_bytes[0] + sound->vorbis_header_bytes[1];
    headers[setup + 200] ^= 0x55;
    headers[setup + 201] ^= 0x55;
    assert_no_decoder("found Vorbis headers that libvorbis cannot decode with");
    headers[setup + 1] ^= 1;
    assert_no_decoder("found an invalid Vorbis header; expected setup");
    headers[1] ^= 1;
    assert_no_decoder("found an invalid Vorbis header; expected identification");
}

#define SOUND_TEST(f) cmocka_unit_test_setup_teardown(f, make_sound, free_sound)

int main(void) {
    const struct CMUnitTest tests[] = {
        SOUND_TEST(gives_the_frames_of_the_media),
        SOUND_TEST(chunks_give_the_same_frames_in_any_order),
        SOUND_TEST(chunks_join_without_a_seam),
        SOUND_TEST(rounds_samples),
        SOUND_TEST(refuses_damaged_chunks),
        SOUND_TEST(refuses_headers_of_another_sound),
        SOUND_TEST(refuses_damaged_headers),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
