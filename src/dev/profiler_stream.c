#include "dev/profiler_stream.h"

#include "foundation/sjson/sjson_writer.h"

void ct_profiler_stream_init(ct_profiler_stream *s, ct_allocator *a) {
    *s = (ct_profiler_stream){.has_begun = false};
    ct_hash_map_init(&s->strings, a);
    ct_string_builder_init(&s->json, a);
    ct_array_init(&s->binary, a);
}

void ct_profiler_stream_free(ct_profiler_stream *s) {
    ct_hash_map_free(&s->strings);
    ct_string_builder_free(&s->json);
    ct_array_free(&s->binary);
}

// --- Binary --------------------------------------------------------------------------------------

static void put(uint8_t *to, uint64_t value, uint32_t num_bytes) {
    for (uint32_t i = 0; i < num_bytes; ++i)
        to[i] = (uint8_t)(value >> 8 * i);
}

// The number of a name; a new one goes into the array that the writer has open.
static uint32_t string_number(ct_profiler_stream *s, ct_sjson_writer *w, const char *name) {
    const uint64_t key = (uint64_t)(uintptr_t)name;
    const uint64_t known = ct_hash_map_get(&s->strings, key, 0);
    if (known != 0)
        return (uint32_t)known - 1;
    const uint32_t number = s->strings.count;
    ct_hash_map_set(&s->strings, key, (uint64_t)number + 1);
    ct_sjson_write_string(w, name);
    return number;
}

static void add_event(ct_profiler_stream *s, ct_sjson_writer *w, const ct_profiler_event *e) {
    const ct_profiler_kind kind = ct_profiler_event_kind(e);
    const char *const name = ct_profiler_event_name(e);
    uint64_t time = (uint64_t)(ct_profiler_ns_of_ticks(e->ticks) - s->first_ns);
    uint64_t what = 0;
    switch (kind) {
    case CT_PROFILER_KIND_LEAVE:
        what = ct_profiler_event_leaves(e);
        break;
    case CT_PROFILER_KIND_VALUE:
        time = e->ticks;
        break;
    default:
        what = string_number(s, w, name ? name : "");
        break;
    }
    uint8_t bytes[CT_PROFILER_STREAM_EVENT_BYTES];
    put(bytes, time, 8);
    put(bytes + 8, what, 4);
    put(bytes + 12, (uint64_t)kind, 4);
    ct_array_push_many(&s->binary, bytes, sizeof(bytes));
}

// Returns how many events it has.
static uint32_t add_block(ct_profiler_stream *s, ct_sjson_writer *w,
                          const ct_profiler_block *block) {
    const uint32_t before = s->binary.count;
    for (uint32_t i = 0; i < block->num_events; ++i) {
        const ct_profiler_event *const e = &ct_profiler_block_events(block)[i];
        if (ct_profiler_event_kind(e) != CT_PROFILER_KIND_NONE)
            add_event(s, w, e);
    }
    return (s->binary.count - before) / CT_PROFILER_STREAM_EVENT_BYTES;
}

// --- JSON ----------------------------------------------------------------------------------------

static void write_frame(ct_profiler_stream *s, ct_sjson_writer *w, const ct_profiler_frame *frame,
                        uint64_t num_missed) {
    ct_sjson_member_string(w, "type", "profiler");
    ct_sjson_member_number(w, "frame", (double)frame->number);
    ct_sjson_member_number(w, "begin",
                           (double)(ct_profiler_ns_of_ticks(frame->begin_ticks) - s->first_ns));
    ct_sjson_member_number(w, "end",
                           (double)(ct_profiler_ns_of_ticks(frame->end_ticks) - s->first_ns));
    ct_sjson_member_number(w, "dropped_frames", (double)num_missed);
    ct_sjson_member_number(w, "dropped_scopes", (double)frame->num_dropped);
}

static void write_threads(ct_sjson_writer *w, const ct_profiler_frame *frame,
                          const ct_u32_array *counts) {
    ct_sjson_write_key(w, "threads");
    ct_sjson_begin_array(w);
    const ct_profiler_block *block = NULL;
    for (uint32_t i = 0; (block = ct_profiler_frame_next_block(frame, block)); ++i) {
        ct_sjson_begin_object(w);
        ct_sjson_member_number(w, "id", block->thread);
        ct_sjson_member_string(w, "name", block->thread_name);
        ct_sjson_member_number(w, "events", counts->items[i]);
        ct_sjson_end_object(w);
    }
    ct_sjson_end_array(w);
}

void ct_profiler_stream_encode(ct_profiler_stream *s, const ct_profiler_frame *frame,
                               uint64_t num_missed) {
    ct_string_builder_clear(&s->json);
    s->binary.count = 0;
    if (!s->has_begun)
        s->first_ns = ct_profiler_ns_of_ticks(frame->begin_ticks);
    s->has_begun = true;
    ct_sjson_writer w;
    ct_sjson_writer_init(&w, &s->json, CT_SJSON_STYLE_JSON);
    ct_sjson_begin_object(&w);
    write_frame(s, &w, frame, num_missed);
    ct_sjson_member_number(&w, "first_string", s->strings.count);
    ct_u32_array counts;
    ct_array_init(&counts, s->binary.allocator);
    ct_sjson_write_key(&w, "strings");
    ct_sjson_begin_array(&w);
    const ct_profiler_block *block = NULL;
    while ((block = ct_profiler_frame_next_block(frame, block)))
        ct_array_push(&counts, add_block(s, &w, block));
    ct_sjson_end_array(&w);
    write_threads(&w, frame, &counts);
    ct_array_free(&counts);
    ct_sjson_member_number(&w, "binary_size", s->binary.count);
    ct_sjson_end_object(&w);
}
