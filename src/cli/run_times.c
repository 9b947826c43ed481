#include "cli/run_times.h"

#include <inttypes.h>
#include <stdio.h>

#include "foundation/memory/proxy_allocator.h"

// What does not count: this itself, the graphics driver, and the tables that trace blocks.
static const char *const not_counted[] = {"run times", "vulkan", "trace"};

// --- Recording -----------------------------------------------------------------------------------

// On the follower's thread.
static void see_frame(void *user, const ct_profiler_frame *frame) {
    ct_run_times *const t = user;
    if (frame->number < atomic_load(&t->end_number))
        ct_profiler_times_add(&t->times, frame);
}

static void booting(void *user, ct_app *app) {
    const ct_run_times *const t = user;
    if (t->inner.booting)
        t->inner.booting(t->inner.user, app);
}

static void started(void *user, ct_app *app) {
    const ct_run_times *const t = user;
    if (t->inner.started)
        t->inner.started(t->inner.user, app);
}

// Looks at what the frame before allocated, on whatever thread. While the driver allocates, parents
// are counted before it, so that a sum may be too small for once, and never too large.
static void frame_begin(void *user, ct_app *app) {
    ct_run_times *const t = user;
    const uint64_t frame = t->num_frames++;
    ct_allocation_counts_take(&t->last, not_counted, CT_COUNT_OF(not_counted));
    const uint64_t blocks = t->last.num_blocks, most = t->most_blocks;
    if (frame <= t->num_warm_up)
        t->first = t->last;
    else if (blocks > most)
        t->allocating[t->num_allocating++ % CT_RUN_TIMES_KEPT_FRAMES] =
            (ct_run_times_frame){frame, blocks - most};
    if (blocks > most)
        t->most_blocks = blocks;
    if (t->inner.frame_begin)
        t->inner.frame_begin(t->inner.user, app);
}

static void frame_drawn(void *user, ct_app *app) {
    const ct_run_times *const t = user;
    if (t->inner.frame_drawn)
        t->inner.frame_drawn(t->inner.user, app);
}

static void idle_drawn(void *user, ct_app *app) {
    const ct_run_times *const t = user;
    if (t->inner.idle_drawn)
        t->inner.idle_drawn(t->inner.user, app);
}

static void stopping(void *user, ct_app *app) {
    ct_run_times *const t = user;
    atomic_store(&t->end_number, t->num_frames + 1);
    if (t->inner.stopping)
        t->inner.stopping(t->inner.user, app);
}

static uint16_t console_port(void *user) {
    const ct_run_times *const t = user;
    return t->inner.console_port ? t->inner.console_port(t->inner.user) : 0;
}

static void console_send(void *user, const char *json) {
    const ct_run_times *const t = user;
    if (t->inner.console_send)
        t->inner.console_send(t->inner.user, json);
}

static void print_to_screen(void *user, ct_vec3 color, const char *text) {
    const ct_run_times *const t = user;
    if (t->inner.print_to_screen)
        t->inner.print_to_screen(t->inner.user, color, text);
}

void ct_run_times_start(ct_run_times *t, ct_allocator *a, uint32_t num_warm_up,
                        const ct_app_hooks *inner) {
    t->allocator = ct_proxy_allocator_create(a, not_counted[0]);
    t->num_warm_up = num_warm_up;
    t->inner = *inner;
    t->num_frames = t->num_allocating = t->most_blocks = 0;
    atomic_init(&t->end_number, UINT64_MAX);
    ct_allocation_counts_take(&t->last, not_counted, CT_COUNT_OF(not_counted));
    t->first = t->last;
    ct_profiler_times_init(&t->times, t->allocator, (uint64_t)num_warm_up + 1);
    ct_profiler_follower_start(&t->follower, t->allocator, "run times", see_frame, t);
}

ct_app_hooks ct_run_times_hooks(ct_run_times *t) {
    return (ct_app_hooks){.user = t,
                          .booting = booting,
                          .started = started,
                          .frame_begin = frame_begin,
                          .frame_drawn = frame_drawn,
                          .idle_drawn = idle_drawn,
                          .stopping = stopping,
                          .console_port = console_port,
                          .console_send = console_send,
                          .print_to_screen = print_to_screen};
}

void ct_run_times_stop(ct_run_times *t) {
    ct_profiler_follower_stop(&t->follower);
}

void ct_run_times_free(ct_run_times *t) {
    if (!t->allocator)
        return;
    ct_profiler_times_free(&t->times);
    ct_proxy_allocator_destroy(t->allocator);
}

// --- Printing ------------------------------------------------------------------------------------

static double calls_a_frame(const ct_run_times *t, uint32_t scope) {
    const uint64_t frames = t->times.num_frames;
    return frames ? (double)t->times.scopes.items[scope].num_calls / (double)frames : 0;
}

void ct_run_times_print(const ct_run_times *t) {
    printf("a frame, over %" PRIu64 " frames after %u:\n%10s %10s %10s\n", t->times.num_frames,
           t->num_warm_up, "ms", "worst ms", "calls");
    uint32_t depth = 0;
    for (uint32_t i = 0; (i = ct_profiler_times_next(&t->times, i, &depth)) != 0;) {
        const char *const name = t->times.scopes.items[i].name;
        if (depth == 0)
            printf("%34s%s\n", "", name);
        else if (t->times.scopes.items[i].num_calls > 0)
            printf("%10.3f %10.3f %10.4g  %*s%s\n", ct_profiler_times_mean_ms(&t->times, i),
                   ct_profiler_times_worst_ms(&t->times, i), calls_a_frame(t, i), (int)(2 * depth),
                   "", name);
    }
    if (t->num_allocating == 0) {
        printf("no frame after the first %u allocated, except in the graphics driver\n",
               t->num_warm_up);
        return;
    }
    printf("%" PRIu64 " frames allocated, the last was frame %" PRIu64 ":\n", t->num_allocating,
           t->allocating[(t->num_allocating - 1) % CT_RUN_TIMES_KEPT_FRAMES].number);
    for (uint32_t i = 0; i < t->last.count; ++i) {
        const uint64_t blocks = ct_allocation_counts_since(&t->last, i, &t->first);
        if (blocks)
            printf("%10" PRIu64 " blocks  %s\n", blocks, t->last.items[i].name);
    }
}

// The scopes that one is in, from the outermost, without the thread; and itself.
static void write_path(const ct_profiler_times *times, ct_sjson_writer *w, uint32_t scope) {
    const ct_profiler_times_scope *const s = &times->scopes.items[scope];
    if (s->parent == 0)
        return;
    write_path(times, w, s->parent);
    ct_sjson_write_string(w, s->name);
}

static const char *thread_of(const ct_profiler_times *times, uint32_t scope) {
    while (times->scopes.items[scope].parent != 0)
        scope = times->scopes.items[scope].parent;
    return times->scopes.items[scope].name;
}

static void write_scope(const ct_run_times *t, ct_sjson_writer *w, uint32_t scope) {
    ct_sjson_begin_object(w);
    ct_sjson_member_string(w, "thread", thread_of(&t->times, scope));
    ct_sjson_write_key(w, "scope");
    ct_sjson_begin_array(w);
    write_path(&t->times, w, scope);
    ct_sjson_end_array(w);
    ct_sjson_member_number(w, "ms", ct_profiler_times_mean_ms(&t->times, scope));
    ct_sjson_member_number(w, "worst_ms", ct_profiler_times_worst_ms(&t->times, scope));
    ct_sjson_member_number(w, "calls", calls_a_frame(t, scope));
    ct_sjson_end_object(w);
}

static void write_allocations(const ct_run_times *t, ct_sjson_writer *w) {
    ct_sjson_begin_object(w);
    ct_sjson_member_number(w, "frames", (double)t->num_allocating);
    ct_sjson_write_key(w, "last_frames");
    ct_sjson_begin_array(w);
    const uint64_t num_kept =
        t->num_allocating < CT_RUN_TIMES_KEPT_FRAMES ? t->num_allocating : CT_RUN_TIMES_KEPT_FRAMES;
    for (uint64_t k = t->num_allocating - num_kept; k < t->num_allocating; ++k) {
        const ct_run_times_frame frame = t->allocating[k % CT_RUN_TIMES_KEPT_FRAMES];
        ct_sjson_begin_object(w);
        ct_sjson_member_number(w, "frame", (double)frame.number);
        ct_sjson_member_number(w, "blocks", (double)frame.num_blocks);
        ct_sjson_end_object(w);
    }
    ct_sjson_end_array(w);
    ct_sjson_write_key(w, "blocks");
    ct_sjson_begin_object(w);
    for (uint32_t i = 0; i < t->last.count; ++i) {
        const uint64_t blocks = ct_allocation_counts_since(&t->last, i, &t->first);
        if (blocks)
            ct_sjson_member_number(w, t->last.items[i].name, (double)blocks);
    }
    ct_sjson_end_object(w);
    ct_sjson_end_object(w);
}

void ct_run_times_write(const ct_run_times *t, ct_sjson_writer *w) {
    ct_sjson_member_number(w, "warm_up", t->num_warm_up);
    ct_sjson_write_key(w, "times");
    ct_sjson_begin_array(w);
    uint32_t depth = 0;
    for (uint32_t i = 0; (i = ct_profiler_times_next(&t->times, i, &depth)) != 0;) {
        if (depth > 0 && t->times.scopes.items[i].num_calls > 0)
            write_scope(t, w, i);
    }
    ct_sjson_end_array(w);
    ct_sjson_write_key(w, "allocations");
    write_allocations(t, w);
}
