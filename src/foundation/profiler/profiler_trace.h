// profiler_trace.h: recorded frames as a Chrome trace for Perfetto and chrome://tracing.
//
// JSON with an array `traceEvents`: scopes as events B and E on their thread, counters as C, ranges
// and frames as X on tracks of their own, names of threads and tracks as M. Times are in
// microseconds with three decimals, counted from the first frame. After the array follows what was
// lost. Format: docs/formats/profiler.md. One thread at a time.
#pragma once
#include "foundation/container/hash_map.h"
#include "foundation/profiler/profiler_store.h"
#include "foundation/string/string_builder.h"

enum { CT_PROFILER_FIRST_TRACK = 1000000 }; // the lowest `tid` of a track; threads have lower ones

// State for a thread whose events are written.
typedef struct ct_profiler_trace_thread {
    uint32_t thread;
    uint32_t depth;  // of open scopes
    int64_t last_ns; // of its last event
    char name[CT_PROFILER_THREAD_NAME_BYTES];
} ct_profiler_trace_thread;

typedef struct ct_profiler_trace {
    ct_string_builder text; // the written text; take it away between the calls below
    ct_string_builder names;
    ct_hash_map name_places;   // from a name to its quoted form in `names`, from 1
    ct_hash_map thread_places; // from a thread's number to its place in `threads`, from 1
    CT_ARRAY(ct_profiler_trace_thread) threads;
    ct_hash_map tracks; // from a track's name to its number, from 1
    int64_t first_ns, last_ns;
    uint64_t last_sequence; // of the frame written last; 0: no frame yet
    uint64_t num_frames, num_dropped;
} ct_profiler_trace;

// Begins the text of a trace.
void ct_profiler_trace_init(ct_profiler_trace *t, ct_allocator *a);
void ct_profiler_trace_free(ct_profiler_trace *t);

// Adds a frame. If frames are missing before it, open scopes end.
void ct_profiler_trace_add(ct_profiler_trace *t, const ct_profiler_frame *frame);

// Ends open scopes and the text, which includes `num_missed` as the number of missing frames.
void ct_profiler_trace_end(ct_profiler_trace *t, uint64_t num_missed);
