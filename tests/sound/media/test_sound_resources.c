// Sounds that come from the resource manager: loaded, loaded again, streamed from files.
#include "foundation/log.h"
#include "foundation/memory/proxy_allocator.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "foundation/os/path.h"
#include "resource/catalog_fixture.h"
#include "sound/media/sound_streams.h"
#include "sound/media/vorbis_fixture.h"

enum { FRAMES = 60000, CHANNELS = 2, BLOCK = 480 };

static const char *folder;
static int16_t *samples;
static ct_allocator *media_memory; // of the table
static ct_resource_manager *manager;
static ct_sound_media_table *table;
static ct_sound_streams *streams;
static uint64_t frame;

static struct {
    uint32_t num_calls;
    const ct_sound_media *media;
    uint32_t open; // a stream of the old sound, which is closed; UINT32_MAX: none
} heard;

static void on_changed(void *user, const ct_sound_media *old, const ct_sound_media *media) {
    (void)user;
    ++heard.num_calls;
    heard.media = media;
    if (heard.open != UINT32_MAX)
        ct_sound_stream_close(streams, heard.open);
    heard.open = UINT32_MAX;
    ct_sound_streams_forget(streams, old->resource);
}

// --- A folder of sounds --------------------------------------------------------------------------

static media_spec spec_of(bool is_streamed) {
    return (media_spec){.samples = samples,
                        .num_frames = FRAMES,
                        .num_channels = CHANNELS,
                        .rate = 48000,
                        .chunk_frames = 24000,
                        .is_streamed = is_streamed};
}

static void write_file(const char *file_name, const void *bytes, uint64_t count) {
    char path[CT_PATH_BYTES];
    ct_path_join(path, folder, file_name);
    assert_true(ct_file_write(path, bytes, count, false, NULL));
}

static void write_sound(const char *name, ct_sound_resource *r) {
    char file_name[CT_RESOURCE_FILE_NAME_BYTES];
    const ct_resource_id id = ct_resource_id_of("sound", name);
    ct_resource_file_name(id, file_name);
    write_file(file_name, r, r->header.size_bytes);
    ct_resource_stream_name(id, file_name);
    if (r->stream.bytes > 0)
        write_file(file_name, ct_blob_at(r, r->data.offset), r->stream.bytes);
    ct_free(test_heap(), r);
}

static int start_manager(void **state) {
    (void)state;
    static const catalog_item items[] = {{"sound", "a", NULL, 0}, {"sound", "stream", NULL, 0}};
    folder = test_scratch_folder();
    frame = 0;
    memset(&heard, 0, sizeof(heard));
    heard.open = UINT32_MAX;
    samples = media_make_samples(FRAMES, CHANNELS);
    media_spec spec = spec_of(false);
    write_sound("a", vorbis_make(&spec));
    spec = spec_of(true);
    write_sound("stream", vorbis_make(&spec));
    write_catalog(folder, items, CT_COUNT_OF(items));
    manager = ct_resource_manager_create(&(ct_resource_manager_desc){test_heap(), folder});
    ct_resource_manager_set_streaming(manager, true, 0);
    media_memory = ct_proxy_allocator_create(test_heap(), "media");
    table = ct_sound_media_create(media_memory, manager, on_changed, NULL);
    streams = ct_sound_streams_create(test_heap(), true);
    return 0;
}

static int end_manager(void **state) {
    (void)state;
    ct_resource_manager_end_all(manager);
    ct_sound_streams_destroy(streams);
    ct_sound_media_destroy(table); // what it decoded is freed, though its blobs are not
    ct_proxy_allocator_destroy(media_memory);
    ct_resource_manager_destroy(manager);
    ct_free(test_heap(), samples);
    return 0;
}

static const ct_sound_media *load(const char *name) {
    ct_error error = {0};
    if (!ct_resource_manager_load_now(manager, "sound", name, &error))
        fail_msg("%s", error.message);
    const ct_sound_media *const m = ct_sound_media_get(table, ct_string_id64_of(name));
    assert_non_null(m);
    return m;
}

static void reload(const char *name) {
    const ct_resource_id id = ct_resource_id_of("sound", name);
    assert_int_equal(ct_resource_manager_reload(manager, &id, 1), 1);
}

// Reads a block when it is there, within a minute.
static bool wait_for_block(uint32_t stream, uint64_t at, float *block) {
    for (uint32_t i = 0; i < 60000; ++i) {
        if (ct_sound_stream_read(streams, stream, at, BLOCK, block))
            return true;
        ct_os_sleep_ns(1000000);
    }
    return false;
}

static void assert_block(const ct_sound_media *expected, uint64_t at, const float *block) {
    for (uint32_t i = 0; i < BLOCK * CHANNELS; ++i)
        assert_true(block[i] == (float)expected->samples[at * CHANNELS + i] / 32768);
}

// --- Tests ---------------------------------------------------------------------------------------

static void a_stream_of_a_file_is_as_in_memory(void **state) {
    (void)state;
    const ct_sound_media *const in_memory = load("a"), *const streamed = load("stream");
    float block[BLOCK * CHANNELS];
    assert_null(streamed->samples);
    assert_non_null(streamed->reader.store);
    const uint32_t stream = ct_sound_stream_open(streams, streamed, false, 0);
    for (uint64_t at = 0; at < FRAMES; at += BLOCK) {
        assert_true(wait_for_block(stream, at, block));
        assert_block(in_memory, at, block);
    }
    ct_sound_stream_close(streams, stream);
}

// Writes "a" of so many frames, and loads it again.
static void change(uint32_t num_frames) {
    media_spec spec = spec_of(false);
    spec.num_frames = num_frames;
    write_sound("a", vorbis_make(&spec));
    reload("a");
}

static uint64_t num_media_blocks(void) {
    return ct_allocator_stats_of(media_memory).live_blocks;
}

static void a_sound_that_is_loaded_again_is_decoded_again(void **state) {
    (void)state;
    const int16_t *const before = load("a")->samples;
    const uint64_t num_blocks = num_media_blocks();
    change(30000);
    assert_int_equal(heard.num_calls, 1);
    assert_ptr_equal(heard.media, ct_sound_media_get(table, ct_string_id64_of("a")));
    assert_int_equal(heard.media->num_frames, 30000);
    assert_memory_equal(heard.media->samples, before, 1000); // the same start; not freed yet
    change(20000);
    assert_int_equal(num_media_blocks(), num_blocks + 2);
    ct_resource_manager_update(manager, ++frame);
    ct_resource_manager_retire(manager, frame + 1);
    for (uint32_t i = 0; i < 60000 && num_media_blocks() > num_blocks; ++i)
        ct_os_sleep_ns(1000000); // the service thread frees it
    assert_int_equal(num_media_blocks(), num_blocks);
}

static void a_stream_goes_on_with_what_was_compiled_again(void **state) {
    (void)state;
    const ct_sound_media *m = load("stream");
    float block[BLOCK * CHANNELS];
    heard.open = ct_sound_stream_open(streams, m, false, 0);
    assert_true(wait_for_block(heard.open, 0, block));
    const media_spec spec = spec_of(true);
    write_sound("stream", media_make(&spec)); // another codec
    reload("stream");
    assert_int_equal(heard.num_calls, 1);
    m = ct_sound_media_get(table, ct_string_id64_of("stream"));
    const uint32_t stream = ct_sound_stream_open(streams, m, false, 0);
    assert_true(wait_for_block(stream, 0, block));
    for (uint32_t i = 0; i < BLOCK * CHANNELS; ++i)
        assert_true(block[i] == (float)samples[i] / 32768);
    ct_sound_stream_close(streams, stream);
}

// In a folder, data of another stamp was compiled again: new media come, and nothing is wrong.
static void data_that_was_compiled_again_ends_the_stream_silently(void **state) {
    (void)state;
    const ct_sound_media *const m = load("stream");
    const uint64_t before = ct_log_error_count_of("stream_unreadable");
    float block[BLOCK * CHANNELS];
    const media_spec spec = spec_of(true);
    ct_sound_resource *const other = media_make(&spec);
    uint8_t *const data = (uint8_t *)other + other->header.size_bytes;
    const ct_sound_chunk *const chunks = ct_blob_at(other, other->chunks.offset);
    for (uint32_t i = 0; i < other->chunks.count; ++i)
        memset(data + chunks[i].offset, 1, sizeof(uint64_t)); // the stamp
    write_sound("stream", other);
    const uint32_t stream = ct_sound_stream_open(streams, m, false, 0);
    ct_sound_streams_fill(streams);
    assert_false(ct_sound_stream_read(streams, stream, 0, BLOCK, block));
    assert_false(ct_sound_stream_is_broken(streams, stream));
    assert_int_equal(ct_log_error_count_of("stream_unreadable"), before);
    ct_sound_stream_close(streams, stream);
}

static void a_file_that_is_gone_is_one_error_and_silence(void **state) {
    (void)state;
    char file_name[CT_RESOURCE_FILE_NAME_BYTES], path[CT_PATH_BYTES];
    const ct_sound_media *const m = load("stream");
    float block[BLOCK * CHANNELS];
    ct_resource_stream_name(ct_resource_id_of("sound", "stream"), file_name);
    ct_path_join(path, folder, file_name);
    assert_true(ct_os_file_remove(path, NULL));
    const uint64_t before = ct_log_error_count_of("stream_unreadable");
    const uint32_t stream = ct_sound_stream_open(streams, m, false, 0);
    for (uint32_t i = 0; i < 60000 && ct_log_error_count_of("stream_unreadable") == before; ++i) {
        assert_false(ct_sound_stream_read(streams, stream, 0, BLOCK, block));
        ct_os_sleep_ns(1000000);
    }
    ct_os_sleep_ns(50000000);
    assert_int_equal(ct_log_error_count_of("stream_unreadable"), before + 1);
    assert_false(ct_sound_stream_read(streams, stream, BLOCK, BLOCK, block));
    ct_sound_stream_close(streams, stream);
}

#define SOUND_TEST(f) cmocka_unit_test_setup_teardown(f, start_manager, end_manager)

int main(void) {
    const struct CMUnitTest tests[] = {
        SOUND_TEST(a_stream_of_a_file_is_as_in_memory),
        SOUND_TEST(a_sound_that_is_loaded_again_is_decoded_again),
        SOUND_TEST(a_stream_goes_on_with_what_was_compiled_again),
        SOUND_TEST(data_that_was_compiled_again_ends_the_stream_silently),
        SOUND_TEST(a_file_that_is_gone_is_one_error_and_silence),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
