#include "foundation/profiler/profiler_trace.h"

#include <math.h>
#include <string.h>

#include "foundation/sjson/sjson_number.h"
#include "foundation/sjson/sjson_writer.h"

// --- Pieces of text ------------------------------------------------------------------------------

static void add_count(ct_string_builder *b, uint64_t value) {
    char digits[20];
    uint32_t from = sizeof(digits);
    do {
        digits[--from] = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    ct_string_builder_add_bytes(b, digits + from, (uint32_t)sizeof(digits) - from);
}

// Nanoseconds as microseconds with three decimals.
static void add_time(ct_string_builder *b, int64_t ns) {
    if (ns < 0)
        ct_string_builder_add_char(b, '-');
    const uint64_t size = (uint64_t)(ns < 0 ? -ns : ns);
    add_count(b, size / 1000);
    const uint32_t rest = (uint32_t)(size % 1000);
    const char decimals[] = {'.', (char)('0' + rest / 100), (char)('0' + rest / 10 % 10),
                             (char)('0' + rest % 10)};
    ct_string_builder_add_bytes(b, decimals, sizeof(decimals));
}

// The name as a JSON string; quoted once and kept. Names live as long as the process.
static const char *quoted(ct_profiler_trace *t, const char *name) {
    uint64_t *const known = ct_hash_map_find(&t->name_places, (uint64_t)(uintptr_t)name);
    if (known)
        return t->names.text + *known - 1;
    const uint32_t place = t->names.length;
    ct_sjson_writer w;
    ct_sjson_writer_init(&w, &t->names, CT_SJSON_STYLE_JSON);
    ct_sjson_write_string(&w, name);
    ct_string_builder_add_char(&t->names, '\0');
    ct_hash_map_set(&t->name_places, (uint64_t)(uintptr_t)name, (uint64_t)place + 1);
    return t->names.text + place;
}

static void begin_event(ct_profiler_trace *t, const char *phase, uint32_t tid) {
    ct_string_builder *const b = &t->text;
    ct_string_builder_add(b, ",\n{\"ph\":\"");
    ct_string_builder_add(b, phase);
    ct_string_builder_add(b, "\",\"pid\":1,\"tid\":");
    add_count(b, tid);
}

static void add_timestamp(ct_profiler_trace *t, int64_t ns) {
    ct_string_builder_add(&t->text, ",\"ts\":");
    add_time(&t->text, ns - t->first_ns);
}

static void add_name(ct_profiler_trace *t, const char *name) {
    ct_string_builder_add(&t->text, ",\"name\":");
    ct_string_builder_add(&t->text, quoted(t, name));
}

// Writes the name of a thread or track, and its position among the others.
static void write_tid_name(ct_profiler_trace *t, uint32_t tid, const char *name) {
    begin_event(t, "M", tid);
    ct_string_builder_add(&t->text, ",\"name\":\"thread_name\",\"args\":{\"name\":");
    ct_sjson_writer w;
    ct_sjson_writer_init(&w, &t->text, CT_SJSON_STYLE_JSON);
    ct_sjson_write_string(&w, name);
    ct_string_builder_add(&t->text, "}}");
    begin_event(t, "M", tid);
    ct_string_builder_add(&t->text, ",\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":");
    // Tracks first, frames before all.
    add_count(&t->text, tid < CT_PROFILER_FIRST_TRACK ? tid + CT_PROFILER_FIRST_TRACK
                                                      : tid - CT_PROFILER_FIRST_TRACK);
    ct_string_builder_add(&t->text, "}}");
}

// --- Life cycle ----------------------------------------------------------------------------------

void ct_profiler_trace_init(ct_profiler_trace *t, ct_allocator *a) {
    *t = (ct_profiler_trace){.num_frames = 0};
    ct_string_builder_init(&t->text, a);
    ct_string_builder_init(&t->names, a);
    ct_hash_map_init(&t->name_places, a);
    ct_hash_map_init(&t->thread_places, a);
    ct_hash_map_init(&t->tracks, a);
    ct_array_init(&t->threads, a);
    ct_string_builder_add(&t->text, "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n"
                                    "{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\","
                                    "\"args\":{\"name\":\"cuttle\"}}");
    write_tid_name(t, CT_PROFILER_FIRST_TRACK, "frames");
}

void ct_profiler_trace_free(ct_profiler_trace *t) {
    ct_string_builder_free(&t->text);
    ct_string_builder_free(&t->names);
    ct_hash_map_free(&t->name_places);
    ct_hash_map_free(&t->thread_places);
    ct_hash_map_free(&t->tracks);
    ct_array_free(&t->threads);
}

// --- Events --------------------------------------------------------------------------------------

static void write_enter(ct_profiler_trace *t, ct_profiler_trace_thread *thread, const char *name,
                        int64_t ns) {
    begin_event(t, "B", thread->thread);
    add_timestamp(t, ns);
    add_name(t, name);
    ct_string_builder_add_char(&t->text, '}');
    ++thread->depth;
}

// Scopes that were entered before recording began cannot be left.
static void write_leaves(ct_profiler_trace *t, ct_profiler_trace_thread *thread, uint64_t count,
                         int64_t ns) {
    for (; count > 0 && thread->depth > 0; --count, --thread->depth) {
        begin_event(t, "E", thread->thread);
        add_timestamp(t, ns);
        ct_string_builder_add_char(&t->text, '}');
    }
}

static void write_counter(ct_profiler_trace *t, uint32_t thread, const char *name, double value,
                          int64_t ns) {
    if (!isfinite(value)) // JSON has no such number
        return;
    begin_event(t, "C", thread);
    add_timestamp(t, ns);
    add_name(t, name);
    ct_string_builder_add(&t->text, ",\"args\":{\"value\":");
    char number[CT_SJSON_NUMBER_BYTES];
    ct_string_builder_add_bytes(&t->text, number, ct_sjson_number_format(value, number));
    ct_string_builder_add(&t->text, "}}");
}

static uint32_t track_named(ct_profiler_trace *t, const char *name) {
    const uint64_t known = ct_hash_map_get(&t->tracks, (uint64_t)(uintptr_t)name, 0);
    if (known != 0)
        return CT_PROFILER_FIRST_TRACK + (uint32_t)known;
    const uint32_t tid = CT_PROFILER_FIRST_TRACK + t->tracks.count + 1;
    ct_hash_map_set(&t->tracks, (uint64_t)(uintptr_t)name, t->tracks.count + 1);
    write_tid_name(t, tid, name);
    return tid;
}

// Leaves the object open for more members.
static void begin_range(ct_profiler_trace *t, uint32_t tid, const char *name, int64_t begin_ns,
                        int64_t end_ns) {
    begin_event(t, "X", tid);
    add_timestamp(t, begin_ns);
    ct_string_builder_add(&t->text, ",\"dur\":");
    add_time(&t->text, end_ns > begin_ns ? end_ns - begin_ns : 0);
    add_name(t, name);
}

static void write_range(ct_profiler_trace *t, const ct_profiler_event *range) {
    const char *const track = ct_profiler_event_name(&range[1]);
    const uint32_t tid = track_named(t, track ? track : "");
    begin_range(t, tid, ct_profiler_event_name(range), ct_profiler_ns_of_ticks(range[0].ticks),
                ct_profiler_ns_of_ticks(range[1].ticks));
    ct_string_builder_add_char(&t->text, '}');
}

static ct_profiler_trace_thread *thread_of(ct_profiler_trace *t, const ct_profiler_block *block) {
    uint64_t place = ct_hash_map_get(&t->thread_places, block->thread, 0);
    if (place == 0) {
        ct_array_push(&t->threads, (ct_profiler_trace_thread){.thread = block->thread});
        place = t->threads.count;
        ct_hash_map_set(&t->thread_places, block->thread, place);
    }
    ct_profiler_trace_thread *const thread = &t->threads.items[place - 1];
    if (memcmp(thread->name, block->thread_name, sizeof(thread->name)) != 0) {
        memcpy(thread->name, block->thread_name, sizeof(thread->name));
        write_tid_name(t, block->thread, thread->name);
    }
    return thread;
}

static void add_block(ct_profiler_trace *t, const ct_profiler_block *block) {
    ct_profiler_trace_thread *const thread = thread_of(t, block);
    const ct_profiler_event *const events = ct_profiler_block_events(block);
    for (uint32_t i = 0; i < block->num_events; ++i) {
        const ct_profiler_event *const e = &events[i];
        const int64_t ns = ct_profiler_ns_of_ticks(e->ticks);
        switch (ct_profiler_event_kind(e)) {
        case CT_PROFILER_KIND_ENTER:
            write_enter(t, thread, ct_profiler_event_name(e), ns);
            thread->last_ns = ns;
            break;
        case CT_PROFILER_KIND_LEAVE:
            write_leaves(t, thread, ct_profiler_event_leaves(e), ns);
            thread->last_ns = ns;
            break;
        case CT_PROFILER_KIND_COUNTER:
            write_counter(t, thread->thread, ct_profiler_event_name(e),
                          ct_profiler_event_value(e + 1), ns);
            ++i;
            break;
        case CT_PROFILER_KIND_RANGE:
            write_range(t, e);
            ++i;
            break;
        default: // an empty event that fills a chunk
            break;
        }
    }
}

// --- Frames --------------------------------------------------------------------------------------

static void end_scopes(ct_profiler_trace *t) {
    for (uint32_t i = 0; i < t->threads.count; ++i) {
        ct_profiler_trace_thread *const thread = &t->threads.items[i];
        const int64_t ns = thread->last_ns > t->last_ns ? thread->last_ns : t->last_ns;
        write_leaves(t, thread, thread->depth, ns);
    }
}

void ct_profiler_trace_add(ct_profiler_trace *t, const ct_profiler_frame *frame) {
    const int64_t begin_ns = ct_profiler_ns_of_ticks(frame->begin_ticks);
    if (t->last_sequence == 0)
        t->first_ns = begin_ns;
    else if (frame->sequence != t->last_sequence + 1)
        end_scopes(t);
    t->last_sequence = frame->sequence;
    t->last_ns = ct_profiler_ns_of_ticks(frame->end_ticks);
    t->num_dropped = frame->num_dropped;
    ++t->num_frames;
    begin_range(t, CT_PROFILER_FIRST_TRACK, "frame", begin_ns, t->last_ns);
    ct_string_builder_add(&t->text, ",\"args\":{\"number\":");
    add_count(&t->text, frame->number);
    ct_string_builder_add(&t->text, "}}");
    const ct_profiler_block *block = NULL;
    while ((block = ct_profiler_frame_next_block(frame, block)))
        add_block(t, block);
}

void ct_profiler_trace_end(ct_profiler_trace *t, uint64_t num_missed) {
    end_scopes(t);
    ct_string_builder *const b = &t->text;
    ct_string_builder_add(b, "\n],\"otherData\":{\"frames\":");
    add_count(b, t->num_frames);
    ct_string_builder_add(b, ",\"dropped_frames\":");
    add_count(b, num_missed);
    ct_string_builder_add(b, ",\"dropped_scopes\":");
    add_count(b, t->num_dropped);
    ct_string_builder_add(b, ",\"ticks_per_second\":");
    add_count(b, (uint64_t)ct_profiler_ticks_per_second());
    ct_string_builder_add(b, "}}\n");
}
