// profiler_stream.h: recorded frames as messages of the console protocol.
//
// The format is in docs/formats/profiler.md. A name is sent only with its first use, so each client
// needs its own stream. One thread at a time.
#pragma once
#include "foundation/container/hash_map.h"
#include "foundation/profiler/profiler_store.h"
#include "foundation/string/string_builder.h"

enum { CT_PROFILER_STREAM_EVENT_BYTES = 16 };

typedef struct ct_profiler_stream {
    ct_hash_map strings; // from a name to its number, from 1
    bool has_begun;
    int64_t first_ns; // of the first frame: the beginning of the stream's time
    // The message made last:
    ct_string_builder json;
    ct_byte_array binary;
} ct_profiler_stream;

// Starts a stream for one client, with memory from `a`.
void ct_profiler_stream_init(ct_profiler_stream *s, ct_allocator *a);

// Frees the stream's names and its last message.
void ct_profiler_stream_free(ct_profiler_stream *s);

// Makes the message of a frame in `json` and `binary`; `num_missed` frames were lost before it
// since the stream began. The message must reach the client: later messages use its names.
void ct_profiler_stream_encode(ct_profiler_stream *s, const ct_profiler_frame *frame,
                               uint64_t num_missed);
