#include "sound/media/sound_media.h"

#include "foundation/log.h"
#include "sound/media/vorbis_fixture.h"

enum { FRAMES = 5000, CHANNELS = 2 };

static int16_t *samples;
static ct_sound_media_table *table;

// What `changed` was called with last.
static struct {
    uint32_t num_calls;
    const ct_sound_media *media;
    const int16_t *old_samples;
    ct_string_id64 old_name;
} heard;

static void on_changed(void *user, const ct_sound_media *old, const ct_sound_media *media) {
    assert_ptr_equal(user, &heard);
    ++heard.num_calls;
    heard.media = media;
    heard.old_name = old->name;
    heard.old_samples = old->samples;
    assert_int_equal(old->samples[0], old->samples[0]); // still there
}

static int start_table(void **state) {
    (void)state;
    memset(&heard, 0, sizeof(heard));
    samples = media_make_samples(FRAMES, CHANNELS);
    table = ct_sound_media_create(test_heap(), NULL, on_changed, &heard);
    return 0;
}

static int end_table(void **state) {
    (void)state;
    ct_sound_media_destroy(table);
    ct_free(test_heap(), samples);
    return 0;
}

static media_spec spec_of(void) {
    return (media_spec){.samples = samples,
                        .num_frames = FRAMES,
                        .num_channels = CHANNELS,
                        .rate = 48000,
                        .chunk_frames = 2000};
}

static ct_string_id64 name(void) {
    return ct_string_id64_of("sounds/a");
}

static void plays_samples_where_they_are(void **state) {
    (void)state;
    media_spec spec = spec_of();
    spec.loop_begin = 10;
    spec.loop_end = 4000;
    ct_sound_resource *const r = media_make(&spec);
    assert_null(ct_sound_media_get(table, name()));
    ct_sound_media_set(table, name(), r);
    const ct_sound_media *const m = ct_sound_media_get(table, name());
    assert_non_null(m);
    assert_ptr_equal(m->samples, ct_blob_at(r, r->data.offset));
    assert_ptr_equal(m->resource, r);
    assert_int_equal(m->name.value, name().value);
    assert_int_equal(m->num_frames, FRAMES);
    assert_int_equal(m->num_channels, CHANNELS);
    assert_int_equal(m->rate, 48000);
    assert_int_equal(m->loop_begin, 10);
    assert_int_equal(m->loop_end, 4000);
    assert_true(m->gain == 0.5f);
    ct_sound_media_set(table, name(), NULL);
    ct_free(test_heap(), r);
}

static void decodes_vorbis_when_it_loads(void **state) {
    (void)state;
    const media_spec spec = spec_of();
    ct_sound_resource *const r = vorbis_make(&spec);
    ct_sound_media_set(table, name(), r);
    const int16_t *const decoded = ct_sound_media_get(table, name())->samples;
    int32_t most = 0;
    for (uint32_t i = 0; i < FRAMES * CHANNELS; ++i) {
        const int32_t difference = decoded[i] - samples[i];
        most = difference > most ? difference : most;
    }
    assert_true(most < 2000); // of 7000
    ct_sound_media_set(table, name(), NULL);
    ct_free(test_heap(), r);
}

static void damaged_vorbis_is_silence_from_there_on(void **state) {
    (void)state;
    const media_spec spec = spec_of();
    ct_sound_resource *const r = vorbis_make(&spec);
    const ct_sound_chunk *const chunk = (const ct_sound_chunk *)ct_blob_at(r, r->chunks.offset) + 1;
    const uint64_t before = ct_log_error_count_of("sound_not_decoded");
    memset((uint8_t *)ct_blob_at(r, r->data.offset) + chunk->offset, 0, 4);
    ct_sound_media_set(table, name(), r);
    assert_int_equal(ct_log_error_count_of("sound_not_decoded"), before + 1);
    const int16_t *const decoded = ct_sound_media_get(table, name())->samples;
    uint32_t num_heard = 0;
    for (uint32_t i = 0; i < chunk->first_frame * CHANNELS; ++i)
        num_heard += decoded[i] != 0;
    assert_true(num_heard > chunk->first_frame);
    for (uint32_t i = chunk->first_frame * CHANNELS; i < FRAMES * CHANNELS; ++i)
        assert_int_equal(decoded[i], 0);
    ct_sound_media_set(table, name(), NULL);
    ct_free(test_heap(), r);
}

static void a_streamed_sound_reads_what_follows_its_blob(void **state) {
    (void)state;
    media_spec spec = spec_of();
    spec.is_streamed = true;
    ct_sound_resource *const r = media_make(&spec);
    ct_sound_media_set(table, name(), r);
    const ct_sound_media *const m = ct_sound_media_get(table, name());
    assert_null(m->samples);
    ct_sound_chunk_head head;
    assert_true(ct_resource_stream_read(&m->reader, 0, sizeof(head), &head, NULL));
    assert_int_equal(head.stamp, MEDIA_STAMP);
    ct_free(test_heap(), r);
}

static void lets_everyone_know_before_a_sound_is_replaced_or_removed(void **state) {
    (void)state;
    const media_spec spec = spec_of();
    ct_sound_resource *const first = media_make(&spec), *const second = vorbis_make(&spec);
    ct_sound_media_set(table, name(), first);
    assert_int_equal(heard.num_calls, 0);
    ct_sound_media_set(table, name(), second);
    assert_int_equal(heard.num_calls, 1);
    assert_ptr_equal(heard.media, ct_sound_media_get(table, name()));
    assert_ptr_equal(heard.media->resource, second);
    assert_ptr_equal(heard.old_samples, ct_blob_at(first, first->data.offset));
    ct_sound_media_set(table, name(), NULL);
    assert_int_equal(heard.num_calls, 2);
    assert_null(heard.media);
    assert_int_equal(heard.old_name.value, name().value);
    assert_null(ct_sound_media_get(table, name()));
    ct_sound_media_set(table, name(), NULL); // nothing to remove
    assert_int_equal(heard.num_calls, 2);
    ct_free(test_heap(), first);
    ct_free(test_heap(), second);
}

#define TABLE_TEST(f) cmocka_unit_test_setup_teardown(f, start_table, end_table)

int main(void) {
    const struct CMUnitTest tests[] = {
        TABLE_TEST(plays_samples_where_they_are),
        TABLE_TEST(decodes_vorbis_when_it_loads),
        TABLE_TEST(damaged_vorbis_is_silence_from_there_on),
        TABLE_TEST(a_streamed_sound_reads_what_follows_its_blob),
        TABLE_TEST(lets_everyone_know_before_a_sound_is_replaced_or_removed),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
