// Streams give the frames of the sound, bit for bit, with and without loops, after jumps, and by a
// thread; what cannot be read is silence.
#include "sound/media/sound_streams.h"

#include <stdatomic.h>

#include "foundation/log.h"
#include "foundation/os/os.h"
#include "sound/media/vorbis_fixture.h"

enum { FRAMES = 300000, CHUNK = 24000, BLOCK = 480, CHANNELS = 2 };

static int16_t *samples;
static ct_sound_media_table *table;
static ct_sound_streams *streams;

static int start_streams(void **state) {
    (void)state;
    table = ct_sound_media_create(test_heap(), NULL, NULL, NULL);
    streams = ct_sound_streams_create(test_heap(), false);
    return 0;
}

static int end_streams(void **state) {
    (void)state;
    ct_sound_streams_destroy(streams);
    ct_sound_media_destroy(table);
    return 0;
}

static int make_samples(void **state) {
    const int result = test_group_setup(state);
    samples = media_make_samples(FRAMES, CHANNELS);
    return result;
}

static int free_samples(void **state) {
    ct_free(test_heap(), samples);
    return test_group_teardown(state);
}

// --- A sound twice -------------------------------------------------------------------------------

// The same sound streamed and in memory, whose samples are what the stream must give.
typedef struct pair {
    ct_sound_resource *resources[2];
    const ct_sound_media *streamed, *in_memory;
} pair;

static pair make_pair(media_spec spec, bool is_vorbis) {
    pair p;
    spec.rate = 48000;
    spec.samples = samples;
    if (spec.num_channels == 0)
        spec.num_channels = CHANNELS;
    for (uint32_t i = 0; i < 2; ++i) {
        static const char *const names[] = {"memory", "stream"};
        spec.is_streamed = i == 1;
        p.resources[i] = is_vorbis ? vorbis_make(&spec) : media_make(&spec);
        ct_sound_media_set(table, ct_string_id64_of(names[i]), p.resources[i]);
    }
    p.in_memory = ct_sound_media_get(table, ct_string_id64_of("memory"));
    p.streamed = ct_sound_media_get(table, ct_string_id64_of("stream"));
    return p;
}

static void free_pair(pair *p) {
    ct_sound_media_set(table, ct_string_id64_of("memory"), NULL);
    ct_sound_media_set(table, ct_string_id64_of("stream"), NULL);
    for (uint32_t i = 0; i < 2; ++i)
        ct_free(test_heap(), p->resources[i]);
}

// The frame of the sound that frame n is, by counting on.
static float expected(const pair *p, bool loops, uint64_t n, uint32_t channel) {
    const ct_sound_media *const m = p->in_memory;
    const uint32_t begin = m->loop_end ? m->loop_begin : 0,
                   end = m->loop_end ? m->loop_end : m->num_frames;
    if (loops && n >= end)
        n = begin + (n - begin) % (end - begin);
    return n < m->num_frames ? (float)m->samples[n * m->num_channels + channel] / 32768 : 0;
}

static void assert_frames(const pair *p, bool loops, uint64_t frame, uint32_t count,
                          const float *found) {
    const uint32_t channels = p->in_memory->num_channels;
    for (uint32_t i = 0; i < count * channels; ++i) {
        const float wanted = expected(p, loops, frame + i / channels, i % channels);
        if (found[i] != wanted)
            fail_msg("frame %u, channel %u: found %g, expected %g",
                     (uint32_t)(frame + i / channels), i % channels, (double)found[i],
                     (double)wanted);
    }
}

// Reads blocks from `frame` to `end`, which are filled between them.
static void assert_plays(const pair *p, bool loops, uint32_t stream, uint64_t frame, uint64_t end) {
    float block[BLOCK * CHANNELS];
    for (; frame < end; frame += BLOCK) {
        ct_sound_streams_fill(streams);
        assert_true(ct_sound_stream_read(streams, stream, frame, BLOCK, block));
        assert_frames(p, loops, frame, BLOCK, block);
    }
}

static void check(media_spec spec, bool is_vorbis, bool loops, uint64_t frame, uint64_t end) {
    pair p = make_pair(spec, is_vorbis);
    const uint32_t stream = ct_sound_stream_open(streams, p.streamed, loops, frame);
    assert_int_not_equal(stream, UINT32_MAX);
    assert_plays(&p, loops, stream, frame, end);
    ct_sound_stream_close(streams, stream);
    free_pair(&p);
}

static void samples_are_as_in_memory(void **state) {
    (void)state;
    check((media_spec){.num_frames = FRAMES, .chunk_frames = CHUNK}, false, false, 0, FRAMES);
    check((media_spec){.num_frames = 30001, .num_channels = 1, .chunk_frames = 776}, false, false,
          0, 30001);
}

static void vorbis_is_as_in_memory(void **state) {
    (void)state;
    check((media_spec){.num_frames = 200000, .chunk_frames = CHUNK}, true, false, 0, 200000);
}

static void begins_anywhere(void **state) {
    (void)state;
    check((media_spec){.num_frames = 60000, .chunk_frames = CHUNK}, true, false, 33333, 60000);
    check((media_spec){.num_frames = 60000, .chunk_frames = CHUNK}, false, false, 59999, 60500);
}

static void loops_are_as_in_memory(void **state) {
    (void)state;
    const media_spec spec = {
        .num_frames = 60000, .chunk_frames = CHUNK, .loop_begin = 20000, .loop_end = 50001};
    check(spec, false, true, 0, 400000);
    check(spec, true, true, 0, 400000);
    check(spec, true, true, 123456, 400000);
}

static void a_sound_without_a_loop_repeats_all_of_it(void **state) {
    (void)state;
    check((media_spec){.num_frames = 30000, .chunk_frames = CHUNK}, false, true, 0, 200000);
}

static void a_sound_with_a_loop_plays_to_its_end_when_it_does_not_loop(void **state) {
    (void)state;
    check(
        (media_spec){
            .num_frames = 60000, .chunk_frames = CHUNK, .loop_begin = 20000, .loop_end = 50000},
        false, false, 0, 61000);
}

static void very_short_loops_work(void **state) {
    (void)state;
    const media_spec spec = {
        .num_frames = 30000, .chunk_frames = CHUNK, .loop_begin = 24000, .loop_end = 24001};
    check(spec, false, true, 0, 200000);
    check((media_spec){.num_frames = 1, .chunk_frames = CHUNK}, false, true, 0, 5000);
}

static void what_is_past_the_end_is_silence(void **state) {
    (void)state;
    pair p = make_pair((media_spec){.num_frames = 1000, .chunk_frames = CHUNK}, false);
    const uint32_t stream = ct_sound_stream_open(streams, p.streamed, false, 0);
    float block[BLOCK * CHANNELS];
    assert_false(ct_sound_stream_read(streams, stream, 0, BLOCK, block));
    assert_true(ct_sound_stream_read(streams, stream, 1000, BLOCK, block)); // needs no data
    assert_frames(&p, false, 1000, BLOCK, block);
    ct_sound_stream_close(streams, stream);
    free_pair(&p);
}

// --- Jumps ---------------------------------------------------------------------------------------

static void follows_the_voice_where_it_jumps(void **state) {
    (void)state;
    pair p = make_pair((media_spec){.num_frames = FRAMES, .chunk_frames = CHUNK}, false);
    const uint32_t stream = ct_sound_stream_open(streams, p.streamed, false, 0);
    static const uint64_t jumps[] = {100, 50, 250000, 249999, 30000, 160000, 0, 299500, 1};
    float block[BLOCK * CHANNELS];
    for (uint32_t i = 0; i < CT_COUNT_OF(jumps); ++i) {
        ct_sound_stream_read(streams, stream, jumps[i], BLOCK, block);
        assert_plays(&p, false, stream, jumps[i], jumps[i] + 5000);
    }
    ct_sound_stream_close(streams, stream);
    free_pair(&p);
}

static void gives_nothing_before_it_is_filled(void **state) {
    (void)state;
    pair p = make_pair((media_spec){.num_frames = FRAMES, .chunk_frames = CHUNK}, false);
    const uint32_t stream = ct_sound_stream_open(streams, p.streamed, false, 0);
    float block[BLOCK * CHANNELS] = {7};
    assert_false(ct_sound_stream_read(streams, stream, 0, BLOCK, block));
    ct_sound_streams_fill(streams);
    assert_true(ct_sound_stream_read(streams, stream, 5000, BLOCK, block));
    block[0] = 7;
    assert_false(ct_sound_stream_read(streams, stream, 4999, BLOCK, block)); // a jump
    assert_true(block[0] == 7);
    assert_false(ct_sound_stream_read(streams, stream, 5000, BLOCK, block)); // it is on its way
    ct_sound_streams_fill(streams);
    assert_true(ct_sound_stream_read(streams, stream, 5000, BLOCK, block)); // where it was last
    ct_sound_stream_close(streams, stream);
    free_pair(&p);
}

// The same frames may be asked for again, and a few at a time: a voice that plays slowly does that.
static void reads_the_same_frames_again(void **state) {
    (void)state;
    pair p = make_pair((media_spec){.num_frames = 60000, .chunk_frames = CHUNK}, false);
    const uint32_t stream = ct_sound_stream_open(streams, p.streamed, false, 0);
    float block[BLOCK * CHANNELS];
    ct_sound_streams_fill(streams);
    for (uint64_t frame = 0; frame < 3000; frame += 3) {
        for (uint32_t i = 0; i < 2; ++i) {
            assert_true(ct_sound_stream_read(streams, stream, frame, 11, block));
            assert_frames(&p, false, frame, 11, block);
        }
    }
    ct_sound_stream_close(streams, stream);
    free_pair(&p);
}

// --- Many ----------------------------------------------------------------------------------------

static void all_streams_play_at_once(void **state) {
    (void)state;
    pair p = make_pair(
        (media_spec){
            .num_frames = 60000, .chunk_frames = CHUNK, .loop_begin = 100, .loop_end = 59000},
        false);
    uint32_t open[CT_SOUND_MAX_STREAMS];
    for (uint32_t i = 0; i < CT_SOUND_MAX_STREAMS; ++i)
        open[i] = ct_sound_stream_open(streams, p.streamed, true, 1000 * i);
    assert_int_equal(ct_sound_stream_open(streams, p.streamed, true, 0), UINT32_MAX);
    for (uint32_t i = 0; i < CT_SOUND_MAX_STREAMS; ++i)
        assert_plays(&p, true, open[i], 1000 * i, 1000 * i + 70000);
    for (uint32_t i = 0; i < CT_SOUND_MAX_STREAMS; ++i)
        ct_sound_stream_close(streams, open[i]);
    const uint32_t again = ct_sound_stream_open(streams, p.streamed, false, 0);
    assert_plays(&p, false, again, 0, 60000);
    ct_sound_stream_close(streams, again);
    free_pair(&p);
}

static void allocates_nothing_once_streams_are_open(void **state) {
    (void)state;
    pair p = make_pair((media_spec){.num_frames = 200000, .chunk_frames = CHUNK}, true);
    const uint32_t stream = ct_sound_stream_open(streams, p.streamed, true, 0);
    assert_plays(&p, true, stream, 0, 60000);
    const uint64_t before = ct_allocator_stats_of(test_heap()).total_blocks;
    assert_plays(&p, true, stream, 60000, 700000);
    assert_plays(&p, true, stream, 700000, 710000);
    assert_int_equal(ct_allocator_stats_of(test_heap()).total_blocks, before);
    ct_sound_stream_close(streams, stream);
    free_pair(&p);
}

// --- Locks ---------------------------------------------------------------------------------------

// An allocator that opens a stream when it is used, or forgets one: it would wait for ever for a lock of
// states.
static struct {
    ct_allocator base;
    const ct_sound_media *media;
    ct_sound_streams *streams;
    bool is_armed, forgets;
} opener;

static void open_from_allocator(void) {
    if (!opener.is_armed)
        return;
    opener.is_armed = false;
    if (opener.forgets)
        ct_sound_streams_forget(opener.streams, NULL);
    else
        ct_sound_stream_open(opener.streams, opener.media, false, 0);
}

static void *allocate_and_open(ct_allocator *a, uint64_t size_bytes, uint64_t align) {
    (void)a;
    open_from_allocator();
    return test_heap()->allocate(test_heap(), size_bytes, align);
}

static void free_and_open(ct_allocator *a, void *p, uint64_t size_bytes) {
    (void)a;
    open_from_allocator();
    test_heap()->free(test_heap(), p, size_bytes);
}

// Streams may be opened while a decoder, a ring or what is read is allocated, or a decoder is freed: the
// mixer may wait for the one who opens.
static void allocates_nothing_with_the_lock_of_states(void **state) {
    (void)state;
    pair p = make_pair((media_spec){.num_frames = 100000, .chunk_frames = CHUNK}, true);
    opener.base = *test_heap();
    opener.base.allocate = allocate_and_open;
    opener.base.free = free_and_open;
    opener.media = p.streamed;
    opener.streams = ct_sound_streams_create(&opener.base, false);
    opener.is_armed = opener.forgets = true; // for the ring of the first
    const uint32_t first = ct_sound_stream_open(opener.streams, p.streamed, false, 0);
    assert_false(opener.is_armed);
    opener.forgets = false;
    opener.is_armed = true; // for its decoder
    ct_sound_streams_fill(opener.streams);
    assert_false(opener.is_armed);
    opener.is_armed = true; // for the end of that
    ct_sound_stream_close(opener.streams, first);
    assert_false(opener.is_armed);
    ct_sound_streams_destroy(opener.streams);
    free_pair(&p);
}

// --- What cannot be read -------------------------------------------------------------------------

// The start of a chunk in the data that follows a blob.
static uint8_t *streamed_chunk(const pair *p, uint32_t i) {
    uint8_t *const blob = (uint8_t *)p->resources[1];
    const ct_sound_chunk *const chunks = ct_blob_at(blob, p->resources[1]->chunks.offset);
    return blob + p->resources[1]->data.offset + chunks[i].offset;
}

// Plays 90,000 frames, of which those from `end` on cannot be played. Returns how many errors are logged.
static uint64_t play_broken(const pair *p, uint64_t end) {
    const uint64_t before = ct_log_error_count_of("stream_unreadable");
    const uint32_t stream = ct_sound_stream_open(streams, p->streamed, false, 0);
    float block[BLOCK * CHANNELS];
    assert_false(ct_sound_stream_is_broken(streams, stream));
    for (uint64_t frame = 0; frame < 90000; frame += BLOCK) {
        ct_sound_streams_fill(streams);
        const bool is_there = ct_sound_stream_read(streams, stream, frame, BLOCK, block);
        assert_int_equal(is_there, frame + BLOCK <= end);
        if (is_there)
            assert_frames(p, false, frame, BLOCK, block);
    }
    assert_true(ct_sound_stream_is_broken(streams, stream));
    ct_sound_stream_close(streams, stream);
    return ct_log_error_count_of("stream_unreadable") - before;
}

// Whatever is damaged of a chunk: its head, the start of its contents.
static void a_damaged_chunk_ends_the_stream_with_one_error(void **state) {
    (void)state;
    static const size_t damaged[] = {offsetof(ct_sound_chunk_head, stamp),
                                     offsetof(ct_sound_chunk_head, index),
                                     sizeof(ct_sound_chunk_head)};
    for (uint32_t i = 0; i < CT_COUNT_OF(damaged); ++i) {
        ct_sound_streams_destroy(streams);
        streams = ct_sound_streams_create(test_heap(), false);
        pair p = make_pair((media_spec){.num_frames = 100000, .chunk_frames = CHUNK}, true);
        const uint32_t end =
            ((const ct_sound_chunk *)ct_blob_at(p.resources[1], p.resources[1]->chunks.offset))[2]
                .first_frame;
        memset(streamed_chunk(&p, 2) + damaged[i], 0, 4);
        assert_int_equal(play_broken(&p, end), 1);
        assert_int_equal(play_broken(&p, end), 0); // it is known
        free_pair(&p);
    }
}

// Once it was heard, a loop that is not much longer than a ring holds is not decoded again: also one of
// few frames at the end of one chunk and the start of the next.
static void short_loops_are_decoded_once(void **state) {
    (void)state;
    static const uint32_t loops[][2] = {{23990, 24011}, {23999, 24001}, {20000, 28001}, {0, 60000}};
    for (uint32_t i = 0; i < CT_COUNT_OF(loops); ++i) {
        pair p = make_pair((media_spec){.num_frames = 60000,
                                        .chunk_frames = CHUNK,
                                        .loop_begin = loops[i][0],
                                        .loop_end = loops[i][1]},
                           false);
        const uint32_t stream = ct_sound_stream_open(streams, p.streamed, true, 0);
        assert_plays(&p, true, stream, 0, BLOCK);
        for (uint32_t chunk = 0; chunk < p.resources[1]->chunks.count; ++chunk)
            memset(streamed_chunk(&p, chunk), 0xff, 1000); // it would end
        assert_plays(&p, true, stream, BLOCK, 500000);
        ct_sound_stream_close(streams, stream);
        free_pair(&p);
    }
}

static void forgets_what_is_unloaded(void **state) {
    (void)state;
    enum { LAST = 8 }; // chunk, behind what a ring has room for
    pair p = make_pair((media_spec){.num_frames = FRAMES, .chunk_frames = CHUNK}, false);
    const uint64_t before = ct_log_error_count_of("stream_unreadable");
    const uint32_t stream = ct_sound_stream_open(streams, p.streamed, false, 0);
    float block[BLOCK * CHANNELS];
    assert_plays(&p, false, stream, 0, BLOCK);
    ct_sound_streams_forget(streams, p.in_memory->resource); // another one
    assert_plays(&p, false, stream, BLOCK, 2 * BLOCK);
    ct_sound_streams_forget(streams, p.streamed->resource);
    ct_sound_chunk *const chunks = (ct_sound_chunk *)(uintptr_t)ct_blob_at(
        p.streamed->resource, p.streamed->resource->chunks.offset);
    const ct_sound_chunk kept = chunks[LAST];
    chunks[LAST].bytes = UINT32_MAX; // would be warned of
    assert_false(ct_sound_stream_read(streams, stream, LAST * CHUNK, BLOCK, block));
    ct_sound_streams_fill(streams);
    assert_false(ct_sound_stream_read(streams, stream, LAST * CHUNK, BLOCK, block));
    assert_int_equal(ct_log_error_count_of("stream_unreadable"), before);
    chunks[LAST] = kept;
    ct_sound_stream_close(streams, stream);
    free_pair(&p);
}

// --- The thread ----------------------------------------------------------------------------------

// Reads as the mixer does, on a thread of its own, with jumps back and forth.
typedef struct reading {
    const pair *pair;
    ct_sound_streams *streams;
    uint32_t stream;
    uint64_t num_read, num_missed;
    uint32_t num_wrong;
} reading;

static void read_blocks(void *data) {
    reading *const r = data;
    uint32_t random = r->stream + 1;
    uint64_t frame = 0;
    float block[BLOCK * CHANNELS];
    while (r->num_read < 3000) {
        if (!ct_sound_stream_read(r->streams, r->stream, frame, BLOCK, block)) {
            ++r->num_missed;
            ct_os_sleep_ns(200000);
            continue;
        }
        for (uint32_t i = 0; i < BLOCK * CHANNELS; ++i)
            r->num_wrong += block[i] != expected(r->pair, true, frame + i / CHANNELS, i % CHANNELS);
        ++r->num_read;
        frame += BLOCK;
        if (test_random(&random) % 100 == 0)
            frame = test_random(&random) % 1000000;
    }
}

static void a_thread_fills_while_others_read(void **state) {
    (void)state;
    enum { READERS = 3 };
    pair p = make_pair(
        (media_spec){
            .num_frames = 100000, .chunk_frames = CHUNK, .loop_begin = 5000, .loop_end = 95000},
        false);
    ct_sound_streams *const s = ct_sound_streams_create(test_heap(), true);
    reading readings[READERS];
    ct_thread threads[READERS];
    for (uint32_t i = 0; i < READERS; ++i) {
        readings[i] = (reading){.pair = &p, .streams = s};
        readings[i].stream = ct_sound_stream_open(s, p.streamed, true, 0);
        threads[i] = ct_thread_start("reader", read_blocks, &readings[i]);
    }
    // Others come and go meanwhile, also while they are being filled.
    for (uint32_t i = 0; i < 200; ++i) {
        const uint32_t other = ct_sound_stream_open(s, p.streamed, true, 1000 * i);
        ct_os_sleep_ns(i % 7 * 100000);
        if (other != UINT32_MAX)
            ct_sound_stream_close(s, other);
    }
    for (uint32_t i = 0; i < READERS; ++i) {
        ct_thread_join(threads[i]);
        assert_int_equal(readings[i].num_wrong, 0);
        ct_sound_stream_close(s, readings[i].stream);
    }
    ct_sound_streams_forget(s, p.streamed->resource);
    free_pair(&p);
    ct_sound_streams_destroy(s);
}

#define STREAM_TEST(f) cmocka_unit_test_setup_teardown(f, start_streams, end_streams)

int main(void) {
    const struct CMUnitTest tests[] = {
        STREAM_TEST(samples_are_as_in_memory),
        STREAM_TEST(vorbis_is_as_in_memory),
        STREAM_TEST(begins_anywhere),
        STREAM_TEST(loops_are_as_in_memory),
        STREAM_TEST(a_sound_without_a_loop_repeats_all_of_it),
        STREAM_TEST(a_sound_with_a_loop_plays_to_its_end_when_it_does_not_loop),
        STREAM_TEST(very_short_loops_work),
        STREAM_TEST(what_is_past_the_end_is_silence),
        STREAM_TEST(follows_the_voice_where_it_jumps),
        STREAM_TEST(gives_nothing_before_it_is_filled),
        STREAM_TEST(reads_the_same_frames_again),
        STREAM_TEST(all_streams_play_at_once),
        STREAM_TEST(allocates_nothing_once_streams_are_open),
        STREAM_TEST(allocates_nothing_with_the_lock_of_states),
        STREAM_TEST(a_damaged_chunk_ends_the_stream_with_one_error),
        STREAM_TEST(short_loops_are_decoded_once),
        STREAM_TEST(forgets_what_is_unloaded),
        STREAM_TEST(a_thread_fills_while_others_read),
    };
    return cmocka_run_group_tests(tests, make_samples, free_samples);
}
