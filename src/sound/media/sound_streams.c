#include "sound/media/sound_streams.h"

#include <stdatomic.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/os/os.h"
#include "foundation/profiler/profiler.h"
#include "sound/media/sound_vorbis.h"

enum {
    RING_MASK = CT_SOUND_STREAM_FRAMES - 1,
    // A ring is filled when it has room for so many: a chunk is decoded once, not in two parts.
    FILL_FRAMES = CT_SOUND_MAX_CHUNK_FRAMES,
    MAX_CHUNK_BYTES = 1 << 22,
    MAX_HELD_FRAMES = CT_SOUND_STREAM_FRAMES / 2, // a loop of so many is decoded once
    NUM_REPORTED = 64,
    CACHE_LINE = 64,
};

static const uint64_t fill_period_ns = 10000000;

typedef enum stream_state {
    STREAM_FREE,
    STREAM_OPEN,
    STREAM_CLOSING, // its decoder must be freed
} stream_state;

// A ring and what fills it.
//
// Frame n is in ring[n & RING_MASK]. Frames `first` to `end` are there, of which those before
// `position` may be overwritten. The service moves `first` and `end` on, the mixer `position`. When
// the mixer goes back, it counts `asked` up and reads nothing until the service has emptied the
// ring and made `answered` equal. `is_broken`: nothing comes any more.
typedef struct stream {
    // The mixer's.
    _Alignas(CACHE_LINE) _Atomic uint64_t position;
    _Atomic uint32_t asked;
    // The service's.
    _Alignas(CACHE_LINE) _Atomic uint64_t first;
    _Atomic uint64_t end;
    _Atomic uint32_t answered;
    _Atomic bool is_broken;
    // Set when it is opened.
    _Alignas(CACHE_LINE) int16_t *ring; // kept for later streams
    uint64_t length;                    // in frames; UINT64_MAX: it loops
    uint32_t num_frames, num_channels;
    uint32_t loop_begin, loop_end;
    uint64_t stamp;
    ct_string_id64 name;
    ct_resource_stream_reader reader;
    bool can_change; // its data are in a file, not in a bundle or in memory
    // Guarded by the mutex of states.
    stream_state state;
    const ct_sound_resource *resource; // NULL unless open, and when it was forgotten
    // Of the thread that fills.
    ct_sound_vorbis *decoder;
    bool has_failed;
} stream;

// Which chunk is in `frames` of the streams; `num_frames` 0: none.
typedef struct decoded_chunk {
    uint32_t stream, index;
    uint32_t first_frame, num_frames;
} decoded_chunk;

struct ct_sound_streams {
    stream streams[CT_SOUND_MAX_STREAMS];
    ct_allocator *allocator;
    bool has_thread;
    ct_thread thread;
    ct_mutex filling; // held while a stream is filled; guards what follows
    decoded_chunk chunk;
    int16_t *frames; // of the chunk; CT_SOUND_MAX_CHUNK_FRAMES
    uint8_t *bytes;  // of the chunk as it is read
    uint32_t bytes_capacity;
    uint64_t reported[NUM_REPORTED]; // stamps of sounds whose streams are broken, a ring
    uint32_t num_reported;
    ct_mutex using;  // held while something of a sound is used
    ct_mutex states; // held for moments; guards the streams' states and what follows
    ct_condition wake;
    uint32_t num_used; // open or closing
    bool should_look, should_stop;
};

// --- Frames --------------------------------------------------------------------------------------

// The frame of the sound that frame n of the stream is.
static uint32_t source_frame(const stream *st, uint64_t n) {
    return (uint32_t)(n < st->loop_end ? n
                                       : st->loop_begin + (n - st->loop_begin) %
                                                              (st->loop_end - st->loop_begin));
}

static uint64_t ring_room(const stream *st, uint64_t end) {
    const uint64_t limit =
        atomic_load_explicit(&st->position, memory_order_acquire) + CT_SOUND_STREAM_FRAMES;
    return limit > end ? limit - end : 0;
}

// Follows the mixer where it has gone back, or past all that is there. Returns the frame from which
// the ring is filled.
static uint64_t follow(stream *st) {
    const uint32_t asked = atomic_load_explicit(&st->asked, memory_order_acquire);
    const uint64_t position = atomic_load_explicit(&st->position, memory_order_acquire);
    const uint64_t end = atomic_load_explicit(&st->end, memory_order_relaxed);
    const bool has_asked = asked != atomic_load_explicit(&st->answered, memory_order_relaxed);
    if (!has_asked && position <= end)
        return end;
    atomic_store_explicit(&st->first, position, memory_order_relaxed);
    atomic_store_explicit(&st->end, position, memory_order_release);
    atomic_store_explicit(&st->answered, asked, memory_order_release);
    return position;
}

// Copies what the decoded chunk has of the frames that come next, as long as it fits and over
// loops.
static void copy_frames(ct_sound_streams *s, stream *st, uint64_t n) {
    const decoded_chunk *const c = &s->chunk;
    for (;;) {
        const uint32_t from = source_frame(st, n), end = c->first_frame + c->num_frames;
        uint64_t count = ring_room(st, n);
        if (n >= st->length || from < c->first_frame || from >= end || count == 0)
            return;
        const uint32_t last = end < st->loop_end ? end : st->loop_end, at = (uint32_t)n & RING_MASK;
        count = count < last - from ? count : last - from;
        count = count < CT_SOUND_STREAM_FRAMES - at ? count : CT_SOUND_STREAM_FRAMES - at;
        memcpy(st->ring + (uint64_t)at * st->num_channels,
               s->frames + (uint64_t)(from - c->first_frame) * st->num_channels,
               count * st->num_channels * sizeof(int16_t));
        n += count;
        atomic_store_explicit(&st->end, n, memory_order_release);
    }
}

// Copies frames of a short loop from the ring, which has them from the last times. Returns false when
// they are not there.
static bool copy_loop(stream *st, uint64_t n) {
    const uint32_t length = st->loop_end - st->loop_begin;
    const uint64_t first = atomic_load_explicit(&st->first, memory_order_relaxed);
    const uint64_t from = first > st->loop_begin ? first : st->loop_begin;
    if (length > MAX_HELD_FRAMES || n < st->loop_end || n < from + length)
        return false;
    for (uint64_t room; (room = ring_room(st, n)) > 0;) {
        const uint64_t held = n - from < MAX_HELD_FRAMES ? n - from : MAX_HELD_FRAMES;
        const uint64_t back = held / length * length; // whole loops
        const uint32_t at = (uint32_t)n & RING_MASK, source = (uint32_t)(n - back) & RING_MASK;
        const uint32_t last = at > source ? at : source;
        uint64_t count = room < back ? room : back;
        count = count < CT_SOUND_STREAM_FRAMES - last ? count : CT_SOUND_STREAM_FRAMES - last;
        memcpy(st->ring + (uint64_t)at * st->num_channels,
               st->ring + (uint64_t)source * st->num_channels,
               count * st->num_channels * sizeof(int16_t));
        n += count;
        atomic_store_explicit(&st->end, n, memory_order_release);
    }
    return true;
}

// --- Chunks --------------------------------------------------------------------------------------

// Whether this sound is reported for the first time, of the last ones.
static bool is_news(ct_sound_streams *s, uint64_t stamp) {
    for (uint32_t i = 0; i < s->num_reported && i < NUM_REPORTED; ++i)
        if (s->reported[i] == stamp)
            return false;
    s->reported[s->num_reported++ % NUM_REPORTED] = stamp;
    return true;
}

// Ends the reading of a stream for good. Data that may have been compiled again is not an error of its
// own: other media come.
static void fail(ct_sound_streams *s, stream *st, const ct_error *error, bool may_be_old) {
    st->has_failed = true;
    if (error->message[0] && is_news(s, st->stamp))
        ct_log_error("sound", "stream_unreadable",
                     "sound \"%s\" is silent: its stream cannot be played: %s%s%s",
                     ct_string_id64_name(st->name), error->file, error->file[0] ? ": " : "",
                     error->message);
    atomic_store_explicit(&st->is_broken, !may_be_old, memory_order_release);
}

static void reserve_bytes(ct_sound_streams *s, uint32_t bytes) {
    if (bytes <= s->bytes_capacity)
        return;
    ct_free(s->allocator, s->bytes);
    s->bytes = ct_alloc(s->allocator, bytes);
    s->bytes_capacity = bytes;
}

// What is read while the sound may be unloaded.
typedef struct chunk_read {
    ct_sound_chunk chunk;
    uint32_t index;
    bool is_read;    // from memory
    bool may_be_old; // the file is not of this sound, or not whole: it may have been compiled again
} chunk_read;

// Finds the chunk of a frame, and makes what decodes it; in memory, reads it as well: now the sound
// cannot be unloaded. Returns false with `error`.
static bool prepare_read(ct_sound_streams *s, stream *st, const ct_sound_resource *r,
                         uint32_t frame, chunk_read *read, ct_error *error) {
    const ct_sound_chunk *const chunks = ct_blob_at(r, r->chunks.offset);
    read->index = ct_sound_find_chunk(r, frame);
    read->chunk = chunks[read->index];
    if (read->chunk.bytes > MAX_CHUNK_BYTES)
        return ct_error_set(error, "chunks[%u]: found %u bytes; expected at most %d", read->index,
                            read->chunk.bytes, MAX_CHUNK_BYTES);
    if (r->codec == CT_SOUND_CODEC_VORBIS && !st->decoder) {
        st->decoder = ct_sound_vorbis_create(s->allocator, r, error);
        if (!st->decoder)
            return false;
    }
    reserve_bytes(s, read->chunk.bytes);
    read->is_read = !st->reader.store;
    return !read->is_read || ct_resource_stream_read(&st->reader, read->chunk.offset,
                                                     read->chunk.bytes, s->bytes, error);
}

// Does that when the sound is still there.
static bool prepare(ct_sound_streams *s, stream *st, uint32_t frame, chunk_read *read,
                    ct_error *error) {
    ct_mutex_lock(&s->using);
    ct_mutex_lock(&s->states);
    const ct_sound_resource *const r = st->resource;
    ct_mutex_unlock(&s->states);
    read->may_be_old = !r;
    const bool is_prepared = r && prepare_read(s, st, r, frame, read, error);
    ct_mutex_unlock(&s->using);
    return is_prepared;
}

// Decodes the bytes to `frames`. Returns false with `error`, or without when they may have been
// compiled again.
static bool decode(ct_sound_streams *s, stream *st, chunk_read *read, ct_error *error) {
    ct_sound_chunk_head head;
    memcpy(&head, s->bytes, sizeof(head));
    read->may_be_old = st->can_change && head.stamp != st->stamp;
    if (read->may_be_old)
        return false;
    if (head.stamp != st->stamp || head.index != read->index)
        return ct_error_set(error, "chunks[%u]: found a damaged head; expected that of this sound",
                            read->index);
    const uint8_t *const contents = s->bytes + sizeof(head);
    if (st->decoder)
        return ct_sound_vorbis_decode(st->decoder, contents, read->chunk.bytes - sizeof(head),
                                      read->chunk.num_frames, s->frames, error);
    memcpy(s->frames, contents, read->chunk.bytes - sizeof(head));
    return true;
}

// Reads and decodes the chunk with this frame of the sound, unless it is there. Returns false after
// `fail`.
static bool load_chunk(ct_sound_streams *s, stream *st, uint32_t frame) {
    const uint32_t position = (uint32_t)(st - s->streams);
    if (s->chunk.stream == position && frame >= s->chunk.first_frame &&
        frame - s->chunk.first_frame < s->chunk.num_frames)
        return true;
    chunk_read read = {0};
    ct_error error = {0};
    s->chunk.num_frames = 0;
    bool is_fine = prepare(s, st, frame, &read, &error);
    if (is_fine && !read.is_read) {
        is_fine = ct_resource_stream_read(&st->reader, read.chunk.offset, read.chunk.bytes,
                                          s->bytes, &error);
        read.may_be_old = !is_fine && st->can_change;
    }
    is_fine = is_fine && decode(s, st, &read, &error);
    if (is_fine)
        s->chunk =
            (decoded_chunk){position, read.index, read.chunk.first_frame, read.chunk.num_frames};
    else
        fail(s, st, &error, read.may_be_old);
    return is_fine;
}

// --- Filling -------------------------------------------------------------------------------------

// Frees what closed streams leave. With `filling`.
static void end_closed(ct_sound_streams *s) {
    ct_sound_vorbis *decoders[CT_SOUND_MAX_STREAMS];
    uint32_t count = 0;
    ct_mutex_lock(&s->states);
    for (uint32_t i = 0; i < CT_SOUND_MAX_STREAMS; ++i) {
        stream *const st = &s->streams[i];
        if (st->state != STREAM_CLOSING)
            continue;
        decoders[count++] = st->decoder;
        st->decoder = NULL;
        st->state = STREAM_FREE;
        if (s->chunk.stream == i)
            s->chunk.num_frames = 0;
        --s->num_used;
    }
    ct_mutex_unlock(&s->states);
    while (count > 0)
        ct_sound_vorbis_destroy(decoders[--count]);
}

// Returns the stream that runs dry first, of those with room; NULL when there is none. Under both
// locks.
static stream *choose(ct_sound_streams *s) {
    stream *chosen = NULL;
    uint64_t most_room = FILL_FRAMES - 1;
    for (uint32_t i = 0; i < CT_SOUND_MAX_STREAMS; ++i) {
        stream *const st = &s->streams[i];
        if (st->state != STREAM_OPEN || st->has_failed)
            continue;
        const uint64_t end = follow(st), room = ring_room(st, end);
        if (end < st->length && room > most_room) {
            chosen = st;
            most_room = room;
        }
    }
    return chosen;
}

// Fills one stream with the rest of a chunk. Returns false when all are full.
static bool fill_one(ct_sound_streams *s) {
    ct_mutex_lock(&s->filling);
    end_closed(s);
    ct_mutex_lock(&s->states);
    stream *const st = choose(s);
    ct_mutex_unlock(&s->states);
    if (st) {
        const uint64_t n = atomic_load_explicit(&st->end, memory_order_relaxed);
        if (!copy_loop(st, n) && load_chunk(s, st, source_frame(st, n)))
            copy_frames(s, st, n);
    }
    ct_mutex_unlock(&s->filling);
    return st != NULL;
}

void ct_sound_streams_fill(ct_sound_streams *s) {
    CT_PROFILER_SCOPE("fill sound streams");
    while (fill_one(s))
        ;
}

static void run(void *data) {
    ct_sound_streams *const s = data;
    ct_mutex_lock(&s->states);
    while (!s->should_stop) {
        s->should_look = false;
        ct_mutex_unlock(&s->states);
        ct_sound_streams_fill(s);
        ct_mutex_lock(&s->states);
        while (s->num_used == 0 && !s->should_stop)
            ct_condition_wait(&s->wake, &s->states);
        if (!s->should_look && !s->should_stop)
            ct_condition_wait_for(&s->wake, &s->states, fill_period_ns);
    }
    ct_mutex_unlock(&s->states);
}

// --- The update thread ---------------------------------------------------------------------------

static void begin(stream *st, const ct_sound_media *media, bool loops, uint64_t frame) {
    const bool has_loop = loops && media->loop_end > 0;
    st->num_frames = media->num_frames;
    st->num_channels = media->num_channels;
    st->loop_begin = has_loop ? media->loop_begin : 0;
    st->loop_end = has_loop ? media->loop_end : media->num_frames;
    st->length = loops ? UINT64_MAX : media->num_frames;
    st->stamp = media->resource->stamp;
    st->name = media->name;
    st->reader = media->reader;
    st->resource = media->resource;
    st->has_failed = false;
    st->can_change = media->reader.store && !ct_resource_store_manifest(media->reader.store);
    atomic_store_explicit(&st->is_broken, false, memory_order_relaxed);
    atomic_store_explicit(&st->position, frame, memory_order_relaxed);
    atomic_store_explicit(&st->first, frame, memory_order_relaxed);
    atomic_store_explicit(&st->end, frame, memory_order_relaxed);
    atomic_store_explicit(&st->answered, atomic_load_explicit(&st->asked, memory_order_relaxed),
                          memory_order_relaxed);
    st->state = STREAM_OPEN;
}

uint32_t ct_sound_stream_open(ct_sound_streams *s, const ct_sound_media *media, bool loops,
                              uint64_t frame) {
    CT_ASSERT(!media->samples, "a sound in memory needs no stream");
    uint32_t i = 0;
    ct_mutex_lock(&s->states);
    while (i < CT_SOUND_MAX_STREAMS && s->streams[i].state != STREAM_FREE)
        ++i;
    ct_mutex_unlock(&s->states);
    if (i == CT_SOUND_MAX_STREAMS)
        return UINT32_MAX;
    stream *const st = &s->streams[i]; // free until this thread takes it
    if (!st->ring)
        st->ring = ct_alloc(s->allocator, (uint64_t)CT_SOUND_STREAM_FRAMES * CT_SOUND_MAX_CHANNELS *
                                              sizeof(int16_t));
    ct_mutex_lock(&s->states);
    begin(st, media, loops, frame);
    ++s->num_used;
    s->should_look = true;
    ct_condition_signal(&s->wake);
    ct_mutex_unlock(&s->states);
    return i;
}

void ct_sound_stream_close(ct_sound_streams *s, uint32_t stream_index) {
    stream *const st = &s->streams[stream_index];
    if (!s->has_thread)
        ct_mutex_lock(&s->filling);
    ct_mutex_lock(&s->states);
    CT_ASSERT(st->state == STREAM_OPEN, "a stream is closed that is not open");
    st->state = STREAM_CLOSING;
    st->resource = NULL;
    ct_mutex_unlock(&s->states);
    if (s->has_thread)
        return;
    end_closed(s);
    ct_mutex_unlock(&s->filling);
}

void ct_sound_streams_forget(ct_sound_streams *s, const ct_sound_resource *resource) {
    ct_mutex_lock(&s->states);
    for (uint32_t i = 0; i < CT_SOUND_MAX_STREAMS; ++i)
        if (s->streams[i].resource == resource)
            s->streams[i].resource = NULL;
    ct_mutex_unlock(&s->states);
    ct_mutex_lock(&s->using); // until it is not used any more
    ct_mutex_unlock(&s->using);
}

// --- The mixer -----------------------------------------------------------------------------------

// Moves to `frame`. Returns whether the ring has all frames from there to before `end`.
static bool move(stream *st, uint64_t frame, uint64_t end) {
    const uint32_t asked = atomic_load_explicit(&st->asked, memory_order_relaxed);
    const uint64_t before = atomic_load_explicit(&st->position, memory_order_relaxed);
    const bool is_there = atomic_load_explicit(&st->answered, memory_order_acquire) == asked;
    const uint64_t ring_end = atomic_load_explicit(&st->end, memory_order_acquire);
    const uint64_t ring_first = atomic_load_explicit(&st->first, memory_order_relaxed);
    atomic_store_explicit(&st->position, frame, memory_order_release);
    if (is_there && (frame < before || frame < ring_first)) {
        atomic_store_explicit(&st->asked, asked + 1, memory_order_release);
        return false;
    }
    return is_there && end <= ring_end;
}

static void convert(const int16_t *samples, uint64_t count, float *out) {
    for (uint64_t i = 0; i < count; ++i)
        out[i] = ct_sound_of_sample(samples[i]);
}

bool ct_sound_stream_read(ct_sound_streams *s, uint32_t stream_index, uint64_t frame,
                          uint32_t count, float *out) {
    stream *const st = &s->streams[stream_index];
    const uint64_t left = frame < st->length ? st->length - frame : 0;
    const uint32_t num_real = left < count ? (uint32_t)left : count, channels = st->num_channels;
    if (num_real > 0 && !move(st, frame, frame + num_real))
        return false;
    const uint32_t at = (uint32_t)frame & RING_MASK, to_wrap = CT_SOUND_STREAM_FRAMES - at;
    const uint32_t num_first = num_real < to_wrap ? num_real : to_wrap;
    convert(st->ring + (uint64_t)at * channels, (uint64_t)num_first * channels, out);
    convert(st->ring, (uint64_t)(num_real - num_first) * channels, out + num_first * channels);
    memset(out + num_real * channels, 0, (uint64_t)(count - num_real) * channels * sizeof(float));
    return true;
}

bool ct_sound_stream_is_broken(const ct_sound_streams *s, uint32_t stream_index) {
    return atomic_load_explicit(&s->streams[stream_index].is_broken, memory_order_acquire);
}

// --- Life cycle ----------------------------------------------------------------------------------

ct_sound_streams *ct_sound_streams_create(ct_allocator *a, bool has_thread) {
    ct_sound_streams *const s = ct_alloc_aligned(a, sizeof(*s), CACHE_LINE);
    memset(s, 0, sizeof(*s));
    s->allocator = a;
    s->frames = CT_NEW_ARRAY(a, int16_t, CT_SOUND_MAX_CHUNK_FRAMES * CT_SOUND_MAX_CHANNELS);
    ct_mutex_init(&s->filling);
    ct_mutex_init(&s->using);
    ct_mutex_init(&s->states);
    ct_condition_init(&s->wake);
    s->has_thread = has_thread;
    if (has_thread)
        s->thread = ct_thread_start("sound streams", run, s);
    return s;
}

void ct_sound_streams_destroy(ct_sound_streams *s) {
    if (!s)
        return;
    ct_mutex_lock(&s->states);
    s->should_stop = true;
    ct_condition_signal(&s->wake);
    ct_mutex_unlock(&s->states);
    if (s->has_thread)
        ct_thread_join(s->thread);
    for (uint32_t i = 0; i < CT_SOUND_MAX_STREAMS; ++i) {
        ct_sound_vorbis_destroy(s->streams[i].decoder);
        ct_free(s->allocator, s->streams[i].ring);
    }
    ct_condition_shutdown(&s->wake);
    ct_mutex_shutdown(&s->states);
    ct_mutex_shutdown(&s->using);
    ct_mutex_shutdown(&s->filling);
    ct_free(s->allocator, s->bytes);
    ct_free(s->allocator, s->frames);
    ct_free(s->allocator, s);
}
