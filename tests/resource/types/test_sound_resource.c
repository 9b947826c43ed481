#include "resource/types/sound_resource.h"

#include "resource/blob/blob_fixtures.h"
#include "resource/types/sound_fixture.h"

typedef ct_sound_resource resource;

// Makes the blob `b` of a sound with two chunks of samples, which the test then damages.
static resource *make(ct_blob_writer *w) {
    write_sound_blob(w);
    return (resource *)(void *)w->bytes.items;
}

static resource *make_streamed(ct_blob_writer *w) {
    write_streamed_sound_blob(w);
    return (resource *)(void *)w->bytes.items;
}

static ct_sound_chunk *chunk(resource *b, uint32_t i) {
    return ITEM(ct_sound_chunk, b, b->chunks, i);
}

static void accepts_samples_and_vorbis(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *b = make(&w);
    assert_accepted(ct_sound_validate, b);
    assert_int_equal(ct_sound_stream(b)->bytes, 0);
    b->flags |= CT_SOUND_LOOPS;
    b->loop_begin = 3;
    b->loop_end = b->num_frames;
    assert_accepted(ct_sound_validate, b);
    ct_blob_writer_free(&w);
    b = make_streamed(&w);
    assert_accepted(ct_sound_validate, b);
    assert_int_equal(ct_sound_stream(b)->bytes, 96);
    ct_blob_writer_free(&w);
}

static void refuses_numbers_out_of_range(void **state) {
    (void)state;
    static const struct {
        size_t offset;
        uint32_t value;
        const char *text;
    } cases[] = {
        {offsetof(resource, codec), 2, "unknown codec 2"},
        {offsetof(resource, flags), 4, "unknown flags 4"},
        {offsetof(resource, rate), 7999, "rate: found 7999, expected 8000 to 48000"},
        {offsetof(resource, rate), 48001, "rate: found 48001"},
        {offsetof(resource, num_channels), 0, "num_channels: found 0, expected 1 to 2"},
        {offsetof(resource, num_channels), 3, "num_channels: found 3"},
        {offsetof(resource, num_frames), 0, "num_frames: found 0, expected 1 to 960000"},
        {offsetof(resource, num_frames), 960001, "num_frames: found 960001"},
        {offsetof(resource, num_frames), 24011, "chunks: found 24010 frames in 2 chunks"},
        {offsetof(resource, gain), 0x7fc00000, "found gain nan"},
        {offsetof(resource, gain), 0, "found gain 0"},
        {offsetof(resource, loudness), 0x7f800000, "loudness inf"},
        {offsetof(resource, peak), 0xbf800000, "peak -1"},
        {offsetof(resource, loop_end), 5, "found a loop from frame 0 to 5 of 24010, flags 0"},
        {offsetof(resource, vorbis_header_bytes), 5, "vorbis_header_bytes[0]: found 5, codec 0"},
        {offsetof(resource, waveform) + 4, 1022, "waveform: found 1022 bytes, expected 1024"},
        {offsetof(resource, chunks) + 4, 1, "chunks: found 24000 frames in 1 chunks"},
        {offsetof(resource, stream) + 8, 16, "a stream of 16 bytes"},
        {offsetof(resource, flags), CT_SOUND_STREAMED, "data: found it at offset"},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        ct_blob_writer w;
        resource *const b = make(&w);
        memcpy((char *)b + cases[i].offset, &cases[i].value, 4);
        assert_refused(ct_sound_validate, b, cases[i].text);
        ct_blob_writer_free(&w);
    }
}

static void refuses_loops_that_do_not_fit(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    b->flags = CT_SOUND_LOOPS;
    assert_refused(ct_sound_validate, b, "found a loop from frame 0 to 0");
    b->loop_end = b->num_frames + 1;
    assert_refused(ct_sound_validate, b, "found a loop from frame 0 to 24011 of 24010");
    b->loop_begin = b->loop_end = 5;
    assert_refused(ct_sound_validate, b, "found a loop from frame 5 to 5");
    ct_blob_writer_free(&w);
}

static void refuses_chunks_that_do_not_follow_each_other(void **state) {
    (void)state;
    static const struct {
        size_t offset;
        uint32_t value;
        const char *text;
    } cases[] = {
        {offsetof(ct_sound_chunk, offset), 16, "chunks[1]: found 20 bytes at offset 16 of"},
        {offsetof(ct_sound_chunk, offset), 48016, "chunks[1]: found 20 bytes at offset 48016 of"},
        {offsetof(ct_sound_chunk, bytes), UINT32_MAX, "chunks[1]: found 4294967295 bytes"},
        {offsetof(ct_sound_chunk, bytes), 18, "chunks[1]: found 18 bytes, expected 20"},
        {offsetof(ct_sound_chunk, first_frame), 1, "chunks[1]: found 10 frames from frame 1 on"},
        {offsetof(ct_sound_chunk, num_frames), 0, "chunks[1]: found 0 frames"},
        {offsetof(ct_sound_chunk, num_frames), 48001, "chunks[1]: found 48001 frames"},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        ct_blob_writer w;
        resource *const b = make(&w);
        memcpy((char *)chunk(b, 1) + cases[i].offset, &cases[i].value, 4);
        assert_refused(ct_sound_validate, b, cases[i].text);
        ct_blob_writer_free(&w);
    }
}

static void refuses_streams_and_headers_that_do_not_fit(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *b = make_streamed(&w);
    b->vorbis_header_bytes[1] = 0;
    assert_refused(ct_sound_validate, b, "vorbis_header_bytes[1]: found 0, codec 1");
    b->vorbis_header_bytes[1] = 9;
    assert_refused(ct_sound_validate, b, "vorbis_headers: found 12 bytes, expected 17");
    ct_blob_writer_free(&w);
    b = make_streamed(&w);
    chunk(b, 0)->bytes = 16;
    assert_refused(ct_sound_validate, b, "chunks[0]: found 16 bytes, expected 20 at least");
    ct_blob_writer_free(&w);
    b = make_streamed(&w);
    b->data.count -= 16;
    assert_refused(ct_sound_validate, b, "expected the whole stream");
    ct_blob_writer_free(&w);
    b = make_streamed(&w);
    b->flags = 0;
    assert_refused(ct_sound_validate, b, "data: found it at offset");
    ct_blob_writer_free(&w);
}

static void refuses_a_waveform_upside_down(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    *ITEM(int8_t, b, b->waveform, 6) = 5;
    assert_refused(ct_sound_validate, b, "waveform: found 5 to 0 in column 3");
    ct_blob_writer_free(&w);
}

static void finds_the_chunk_of_a_frame(void **state) {
    (void)state;
    ct_blob_writer w;
    const resource *const b = make(&w);
    assert_int_equal(ct_sound_find_chunk(b, 0), 0);
    assert_int_equal(ct_sound_find_chunk(b, 23999), 0);
    assert_int_equal(ct_sound_find_chunk(b, 24000), 1);
    assert_int_equal(ct_sound_find_chunk(b, 24009), 1);
    ct_blob_writer_free(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepts_samples_and_vorbis),
        cmocka_unit_test(refuses_numbers_out_of_range),
        cmocka_unit_test(refuses_loops_that_do_not_fit),
        cmocka_unit_test(refuses_chunks_that_do_not_follow_each_other),
        cmocka_unit_test(refuses_streams_and_headers_that_do_not_fit),
        cmocka_unit_test(refuses_a_waveform_upside_down),
        cmocka_unit_test(finds_the_chunk_of_a_frame),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
