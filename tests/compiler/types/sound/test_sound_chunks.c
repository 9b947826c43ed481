// Vorbis as it is stored: every chunk decodes alone, to what decoding everything gives.
#include "compiler/types/sound/sound_case.h"

#include <math.h>
#include <vorbis/codec.h>

typedef CT_ARRAY(float) samples;

typedef struct decoder {
    vorbis_info info;
    vorbis_comment comment;
    vorbis_dsp_state state;
    vorbis_block block;
    uint32_t num_packets; // so far, the headers too
} decoder;

static ogg_packet packet_of(decoder *d, const uint8_t *bytes, uint32_t count) {
    return (ogg_packet){.packet = (unsigned char *)(uintptr_t)bytes,
                        .bytes = count,
                        .b_o_s = d->num_packets == 0,
                        .packetno = d->num_packets++};
}

static void start_decoder(decoder *d, const ct_sound_resource *r) {
    const uint8_t *bytes = ct_blob_at(r, r->vorbis_headers.offset);
    *d = (decoder){0};
    vorbis_info_init(&d->info);
    vorbis_comment_init(&d->comment);
    for (uint32_t i = 0; i < CT_SOUND_VORBIS_HEADERS; ++i) {
        ogg_packet p = packet_of(d, bytes, r->vorbis_header_bytes[i]);
        assert_int_equal(vorbis_synthesis_headerin(&d->info, &d->comment, &p), 0);
        bytes += r->vorbis_header_bytes[i];
    }
    assert_int_equal(d->info.channels, r->num_channels);
    assert_int_equal(d->info.rate, r->rate);
    vorbis_synthesis_init(&d->state, &d->info);
    vorbis_block_init(&d->state, &d->block);
}

static void end_decoder(decoder *d) {
    vorbis_block_clear(&d->block);
    vorbis_dsp_clear(&d->state);
    vorbis_comment_clear(&d->comment);
    vorbis_info_clear(&d->info);
}

static void decode_packet(decoder *d, const uint8_t *bytes, uint32_t count, samples *out) {
    ogg_packet p = packet_of(d, bytes, count);
    float **channels;
    assert_int_equal(vorbis_synthesis(&d->block, &p), 0);
    vorbis_synthesis_blockin(&d->state, &d->block);
    for (int frames; (frames = vorbis_synthesis_pcmout(&d->state, &channels)) > 0;) {
        for (int i = 0; i < frames; ++i)
            for (int k = 0; k < d->info.channels; ++k)
                ct_array_push(out, channels[k][i]);
        vorbis_synthesis_read(&d->state, frames);
    }
}

// Decodes the packets of a chunk from number `first` on.
static void decode_chunk(decoder *d, const compile_case *t, const ct_sound_resource *r, uint32_t i,
                         uint32_t first, samples *out) {
    const uint8_t *const chunk = chunk_of(t, r, i);
    const uint32_t *const sizes = (const uint32_t *)(const void *)chunk;
    const uint8_t *packet = chunk + 4 * (sizes[0] + 1ull);
    for (uint32_t k = 1; k <= sizes[0]; ++k) {
        if (k > first)
            decode_packet(d, packet, sizes[k], out);
        packet += sizes[k];
    }
    const uint32_t head = (r->flags & CT_SOUND_STREAMED) != 0 ? sizeof(ct_sound_chunk_head) : 0;
    assert_int_equal(packet - chunk + head, chunks_of(r)[i].bytes);
}

// Decodes everything in one go, and each chunk alone, and compares. Returns the samples.
static samples decode_both(const compile_case *t, const ct_sound_resource *r) {
    samples all, one;
    decoder d;
    ct_array_init(&all, test_heap());
    ct_array_init(&one, test_heap());
    start_decoder(&d, r);
    for (uint32_t i = 0; i < r->chunks.count; ++i)
        decode_chunk(&d, t, r, i, i > 0 ? 1 : 0, &all);
    end_decoder(&d);
    assert_true(all.count >= r->num_frames * r->num_channels);
    for (uint32_t i = 0; i < r->chunks.count; ++i) {
        const ct_sound_chunk *const c = &chunks_of(r)[i];
        one.count = 0;
        start_decoder(&d, r);
        decode_chunk(&d, t, r, i, 0, &one);
        end_decoder(&d);
        if (i + 1 < r->chunks.count)
            assert_int_equal(one.count, c->num_frames * r->num_channels);
        else
            assert_true(one.count >= c->num_frames * r->num_channels);
        assert_memory_equal(one.items, all.items + c->first_frame * r->num_channels,
                            sizeof(float) * c->num_frames * r->num_channels);
    }
    ct_array_free(&one);
    return all;
}

static double decibels_below(const samples *s, const wav_desc *d, double level) {
    double signal = 0, noise = 0;
    for (uint32_t i = 0; i < d->frames; ++i) {
        const double x = level * sin(2 * 3.14159265358979323846 * d->frequency * i / d->rate);
        for (uint32_t k = 0; k < d->channels; ++k) {
            signal += x * x;
            noise += pow((double)s->items[i * d->channels + k] - x, 2);
        }
    }
    return 10 * log10(signal / noise);
}

static void decodes_to_what_was_recorded(void **state) {
    (void)state;
    static const char *const members[] = {"store = \"vorbis\"",
                                          "store = \"vorbis\" streamed = true quality = 0.8",
                                          "store = \"vorbis\" quality = 0"};
    for (uint32_t i = 0; i < CT_COUNT_OF(members); ++i) {
        const wav_desc d = {.rate = 44100,
                            .channels = 1 + i % 2,
                            .frames = 123457,
                            .shape = WAV_SINE,
                            .frequency = 440,
                            .level = 0.5};
        compile_case t = compile_case_make();
        const ct_sound_resource *const r = compile_wav(&t, &d, members[i]);
        assert_int_equal(r->codec, CT_SOUND_CODEC_VORBIS);
        assert_int_equal(r->num_frames, d.frames);
        assert_in_range(r->chunks.count, 4, 6);
        samples s = decode_both(&t, r);
        assert_true(decibels_below(&s, &d, d.level) > 30);
        assert_true(r->data.count < d.frames * d.channels * 2 / 4);
        ct_array_free(&s);
        compile_case_free(&t);
    }
}

// Noise with steps has blocks of both sizes.
static void cuts_at_blocks_of_any_size(void **state) {
    (void)state;
    static int16_t sound[2 * 100000];
    uint32_t random = 3;
    for (uint32_t i = 0; i < 100000; ++i)
        sound[2 * i] = sound[2 * i + 1] =
            (int16_t)((i / 3000 % 2 ? 12000 : 30) * ((int)(test_random(&random) % 3) - 1));
    ct_byte_array wav = wav_of_samples(sound, 100000, 2, 44100);
    for (uint32_t rate = 8000; rate <= 48000; rate += 8000) {
        char members[64];
        snprintf(members, sizeof(members), "store = \"vorbis\" max_rate = %u", rate);
        compile_case t = compile_case_make();
        const ct_sound_resource *const r = compile_sound(&t, &wav, members);
        samples s = decode_both(&t, r);
        ct_array_free(&s);
        compile_case_free(&t);
    }
    ct_array_free(&wav);
}

static void stores_sounds_of_every_short_length(void **state) {
    (void)state;
    const uint32_t rounds = test_rounds(12, 200);
    uint32_t random = 9;
    for (uint32_t i = 0; i < rounds; ++i) {
        const wav_desc d = {.rate = 48000,
                            .channels = 1,
                            .frames = 1 + test_random(&random) % (i % 2 ? 3000 : 26000),
                            .shape = WAV_NOISE,
                            .level = 0.5};
        compile_case t = compile_case_make();
        const ct_sound_resource *const r = compile_wav(&t, &d, "store = \"vorbis\"");
        samples s = decode_both(&t, r);
        ct_array_free(&s);
        compile_case_free(&t);
    }
}

static void encodes_every_rate_and_quality(void **state) {
    (void)state;
    for (uint32_t rate = 8000; rate <= 48000; rate += 1250) {
        for (uint32_t channels = 1; channels <= 2; ++channels) {
            for (uint32_t quality = 0; quality <= 10; quality += 5) {
                char members[64];
                snprintf(members, sizeof(members), "store = \"vorbis\" quality = %g",
                         quality / 10.0);
                compile_case t = compile_case_make();
                const wav_desc d = {.rate = rate, .channels = channels, .frames = 500};
                compile_wav(&t, &d, members);
                compile_case_free(&t);
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decodes_to_what_was_recorded),
        cmocka_unit_test(cuts_at_blocks_of_any_size),
        cmocka_unit_test(stores_sounds_of_every_short_length),
        cmocka_unit_test(encodes_every_rate_and_quality),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
