#include "foundation/profiler/profiler_times.h"

#include <string.h>

static uint32_t add_scope(ct_profiler_times *t, uint32_t parent, const char *name) {
    const uint32_t place = t->scopes.count;
    ct_array_push(&t->scopes, ((ct_profiler_times_scope){.name = name, .parent = parent}));
    ct_profiler_times_scope *const p = &t->scopes.items[parent];
    if (p->last_child != 0)
        t->scopes.items[p->last_child].next = place;
    else
        p->first_child = place;
    p->last_child = place;
    return place;
}

// Texts are compared too: the same literal in two files may have two addresses.
static uint32_t child_named(ct_profiler_times *t, uint32_t parent, const char *name) {
    uint32_t child = t->scopes.items[parent].first_child;
    for (; child != 0; child = t->scopes.items[child].next) {
        const char *const known = t->scopes.items[child].name;
        if (known == name || strcmp(known, name) == 0)
            return child;
    }
    return add_scope(t, parent, name);
}

void ct_profiler_times_init(ct_profiler_times *t, ct_allocator *a, uint64_t first_frame_number) {
    *t = (ct_profiler_times){.allocator = a, .first_frame_number = first_frame_number};
    ct_array_init(&t->scopes, a);
    ct_array_init(&t->threads, a);
    ct_hash_map_init(&t->thread_places, a);
    ct_array_push(&t->scopes, ((ct_profiler_times_scope){.name = ""}));
}

void ct_profiler_times_free(ct_profiler_times *t) {
    for (uint32_t i = 0; i < t->threads.count; ++i)
        ct_array_free(&t->threads.items[i].open);
    ct_hash_map_free(&t->thread_places);
    ct_array_free(&t->threads);
    ct_array_free(&t->scopes);
}

static ct_profiler_times_thread *thread_of(ct_profiler_times *t, const ct_profiler_block *block) {
    uint64_t place = ct_hash_map_get(&t->thread_places, block->thread, 0);
    if (place == 0) {
        ct_profiler_times_thread thread = {
            .scope = child_named(t, 0, ct_profiler_name(block->thread_name))};
        ct_array_init(&thread.open, t->allocator);
        ct_array_push(&t->threads, thread);
        place = t->threads.count;
        ct_hash_map_set(&t->thread_places, block->thread, place);
    }
    return &t->threads.items[place - 1];
}

static void leave(ct_profiler_times *t, ct_profiler_times_thread *thread, uint64_t ticks) {
    if (thread->open.count == 0) // the scope was entered in a missed frame
        return;
    const ct_profiler_times_open open = thread->open.items[--thread->open.count];
    ct_profiler_times_scope *const scope = &t->scopes.items[open.scope];
    scope->frame_ticks += ticks - open.enter_ticks;
    ++scope->num_calls;
}

static void add_block(ct_profiler_times *t, const ct_profiler_block *block) {
    ct_profiler_times_thread *const thread = thread_of(t, block);
    for (uint32_t i = 0; i < block->num_events; ++i) {
        const ct_profiler_event *const e = &ct_profiler_block_events(block)[i];
        const ct_profiler_kind kind = ct_profiler_event_kind(e);
        if (kind == CT_PROFILER_KIND_ENTER) {
            const uint32_t count = thread->open.count;
            const uint32_t in = count ? thread->open.items[count - 1].scope : thread->scope;
            const ct_profiler_times_open open = {child_named(t, in, ct_profiler_event_name(e)),
                                                 e->ticks};
            ct_array_push(&thread->open, open);
        } else if (kind == CT_PROFILER_KIND_LEAVE) {
            for (uint64_t n = ct_profiler_event_leaves(e); n > 0; --n)
                leave(t, thread, e->ticks);
        }
    }
}

static void end_frame(ct_profiler_times *t, bool counts) {
    for (uint32_t i = 0; i < t->scopes.count; ++i) {
        ct_profiler_times_scope *const scope = &t->scopes.items[i];
        if (counts) {
            scope->ticks += scope->frame_ticks;
            if (scope->worst_ticks < scope->frame_ticks)
                scope->worst_ticks = scope->frame_ticks;
        } else {
            scope->num_calls = 0;
        }
        scope->frame_ticks = 0;
    }
    t->num_frames += counts;
}

void ct_profiler_times_add(ct_profiler_times *t, const ct_profiler_frame *frame) {
    if (t->last_sequence != 0 && frame->sequence != t->last_sequence + 1) {
        for (uint32_t i = 0; i < t->threads.count; ++i)
            t->threads.items[i].open.count = 0;
    }
    t->last_sequence = frame->sequence;
    const ct_profiler_block *block = NULL;
    while ((block = ct_profiler_frame_next_block(frame, block)))
        add_block(t, block);
    end_frame(t, frame->number >= t->first_frame_number);
}

static double ms_of(uint64_t ticks) {
    return (double)ticks / ct_profiler_ticks_per_second() * 1e3;
}

double ct_profiler_times_mean_ms(const ct_profiler_times *t, uint32_t scope) {
    return t->num_frames ? ms_of(t->scopes.items[scope].ticks) / (double)t->num_frames : 0;
}

double ct_profiler_times_worst_ms(const ct_profiler_times *t, uint32_t scope) {
    return ms_of(t->scopes.items[scope].worst_ticks);
}

uint32_t ct_profiler_times_next(const ct_profiler_times *t, uint32_t scope, uint32_t *depth) {
    const ct_profiler_times_scope *const scopes = t->scopes.items;
    if (scopes[scope].first_child != 0) {
        *depth = scope == 0 ? 0 : *depth + 1;
        return scopes[scope].first_child;
    }
    while (scope != 0 && scopes[scope].next == 0) {
        scope = scopes[scope].parent;
        *depth -= *depth > 0;
    }
    return scopes[scope].next;
}
