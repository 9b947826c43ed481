#include "content/diff/diff.h"

#include "content/merge/array_kind.h"
#include "content/sequence_alignment.h"

// Two versions of one value.
typedef struct pair {
    ct_content_value from, to;
} pair;

static void diff_values(ct_diff *d, uint32_t step, ct_content_place place, pair p);

void ct_diff_init(ct_diff *diff, ct_allocator *a) {
    *diff = (ct_diff){.allocator = a};
    ct_array_init(&diff->steps, a);
    ct_array_init(&diff->operations, a);
    ct_array_push(&diff->steps, (ct_diff_step){0});
}

void ct_diff_free(ct_diff *diff) {
    ct_array_free(&diff->steps);
    ct_array_free(&diff->operations);
}

uint32_t ct_diff_add_step(ct_diff *diff, uint32_t parent, ct_diff_step step) {
    step.parent = parent;
    ct_array_push(&diff->steps, step);
    return diff->steps.count - 1;
}

// Compares what is at a new step, and drops the step when nothing came of it.
static void diff_at(ct_diff *d, uint32_t parent, ct_diff_step step, ct_content_place place,
                    pair p) {
    const uint32_t num_operations = d->operations.count;
    const uint32_t at = ct_diff_add_step(d, parent, step);
    diff_values(d, at, place, p);
    if (d->operations.count == num_operations)
        d->steps.count = at;
}

static void push_removed(ct_diff *d, uint32_t parent, ct_diff_step step, ct_content_value old) {
    const uint32_t at = ct_diff_add_step(d, parent, step);
    ct_array_push(&d->operations,
                  (ct_diff_operation){.kind = CT_DIFF_KIND_REMOVE, .step = at, .old_value = old});
}

static void push_set(ct_diff *d, uint32_t step, pair p) {
    ct_array_push(&d->operations, (ct_diff_operation){.kind = CT_DIFF_KIND_SET,
                                                      .step = step,
                                                      .old_value = p.from,
                                                      .new_value = p.to});
}

static ct_content_value first_of(ct_content_value container) {
    return (ct_content_value){container.doc, ct_sjson_first(container.doc, container.value)};
}

static ct_content_value next_of(ct_content_value v) {
    return (ct_content_value){v.doc, ct_sjson_next(v.doc, v.value)};
}

static const char *key_of(ct_content_value member) {
    return ct_sjson_key(member.doc, member.value);
}

// --- Objects -------------------------------------------------------------------------------------

// Gives the operations from `first` on, which add members of one object, the neighbour `key`.
static void put_before(ct_diff *d, uint32_t first, uint32_t parent, const char *key) {
    if (first == d->operations.count)
        return;
    const uint32_t before =
        ct_diff_add_step(d, parent, (ct_diff_step){.kind = CT_DIFF_STEP_KEY, .key = key});
    for (uint32_t i = first; i < d->operations.count; ++i)
        d->operations.items[i].before = before;
}

static void add_new_members(ct_diff *d, uint32_t step, pair p) {
    ct_member_finder finder;
    ct_member_finder_init(&finder, d->allocator, p.from);
    uint32_t first = d->operations.count; // of those whose neighbour is not yet known
    for (ct_content_value v = first_of(p.to); ct_content_value_is(v); v = next_of(v)) {
        if (ct_content_value_is(ct_member_finder_find(&finder, key_of(v)))) {
            put_before(d, first, step, key_of(v));
            first = d->operations.count;
            continue;
        }
        const uint32_t at =
            ct_diff_add_step(d, step, (ct_diff_step){.kind = CT_DIFF_STEP_KEY, .key = key_of(v)});
        ct_array_push(&d->operations,
                      (ct_diff_operation){.kind = CT_DIFF_KIND_ADD, .step = at, .new_value = v});
    }
    ct_member_finder_free(&finder);
}

static void diff_objects(ct_diff *d, uint32_t step, ct_content_place place, pair p) {
    ct_member_finder finder;
    ct_member_finder_init(&finder, d->allocator, p.to);
    for (ct_content_value v = first_of(p.from); ct_content_value_is(v); v = next_of(v)) {
        const ct_diff_step member = {.kind = CT_DIFF_STEP_KEY, .key = key_of(v)};
        const ct_content_value to = ct_member_finder_find(&finder, key_of(v));
        if (ct_content_value_is(to))
            diff_at(d, step, member, ct_content_place_of_member(place, key_of(v)), (pair){v, to});
        else
            push_removed(d, step, member, v);
    }
    ct_member_finder_free(&finder);
    add_new_members(d, step, p);
}

// --- Arrays with ids, and sets -------------------------------------------------------------------

static ct_content_value version_of(const ct_array_match *m, pair p, uint32_t row, uint32_t which) {
    return (ct_content_value){which == 0 ? p.from.doc : p.to.doc,
                              m->rows.items[row].elements[which]};
}

static ct_diff_step id_step(const ct_array_match *m, ct_content_value element) {
    return (ct_diff_step){.kind = CT_DIFF_STEP_ID,
                          .key = m->id_key,
                          .value = ct_array_element_id(element, m->id_key)};
}

// Marks the rows whose elements can stay where they are: most of those of both versions, in one
// order. Rows of the first version are numbered by their place in it.
static void find_staying(ct_diff *d, const ct_array_match *m, bool *stays) {
    const ct_u32_array *const from = &m->orders[0], *const to = &m->orders[1];
    uint64_t *const a = CT_NEW_ARRAY(d->allocator, uint64_t, from->count);
    uint64_t *const b = CT_NEW_ARRAY(d->allocator, uint64_t, to->count);
    for (uint32_t i = 0; i < from->count; ++i)
        a[i] = from->items[i];
    for (uint32_t i = 0; i < to->count; ++i)
        b[i] = to->items[i];
    ct_sequence_run_array runs;
    ct_array_init(&runs, d->allocator);
    ct_sequence_align(a, from->count, b, to->count, NULL, d->allocator, &runs);
    for (uint32_t r = 0; r < runs.count; ++r) {
        for (uint32_t i = 0; i < runs.items[r].count; ++i)
            stays[from->items[runs.items[r].a + i]] = true;
    }
    ct_array_free(&runs);
    ct_free(d->allocator, a);
    ct_free(d->allocator, b);
}

// Adds and moves what does not stay, in the order of the second version, each before the next one
// that stays.
static void place_elements(ct_diff *d, uint32_t step, const ct_array_match *m, pair p,
                           const bool *stays) {
    uint32_t first = d->operations.count; // of those whose neighbour is not yet known
    for (uint32_t i = 0; i < m->orders[1].count; ++i) {
        const uint32_t row = m->orders[1].items[i];
        const ct_content_value from = version_of(m, p, row, 0), to = version_of(m, p, row, 1);
        if (stays[row] && first == d->operations.count)
            continue;
        const uint32_t at = ct_diff_add_step(d, step, id_step(m, to));
        if (stays[row]) {
            for (; first < d->operations.count; ++first)
                d->operations.items[first].before = at;
        } else if (ct_content_value_is(from)) {
            ct_array_push(
                &d->operations,
                (ct_diff_operation){.kind = CT_DIFF_KIND_MOVE, .step = at, .new_value = to});
        } else {
            ct_array_push(
                &d->operations,
                (ct_diff_operation){.kind = CT_DIFF_KIND_ADD, .step = at, .new_value = to});
        }
    }
}

static void diff_by_id(ct_diff *d, uint32_t step, ct_content_place place, const ct_array_match *m,
                       pair p) {
    for (uint32_t row = 0; row < m->rows.count; ++row) {
        const ct_content_value from = version_of(m, p, row, 0), to = version_of(m, p, row, 1);
        if (ct_content_value_is(from) && ct_content_value_is(to))
            diff_at(d, step, id_step(m, from), ct_content_place_of_element(place, from),
                    (pair){from, to});
        else if (ct_content_value_is(from))
            push_removed(d, step, id_step(m, from), from);
    }
    bool *const stays = CT_NEW_ARRAY(d->allocator, bool, m->rows.count);
    find_staying(d, m, stays);
    place_elements(d, step, m, p, stays);
    ct_free(d->allocator, stays);
}

static void diff_sets(ct_diff *d, uint32_t step, const ct_array_match *m, pair p) {
    for (uint32_t row = 0; row < m->rows.count; ++row) {
        const ct_content_value from = version_of(m, p, row, 0), to = version_of(m, p, row, 1);
        if (!ct_content_value_is(to)) {
            push_removed(d, step, (ct_diff_step){.kind = CT_DIFF_STEP_VALUE, .value = from}, from);
        } else if (!ct_content_value_is(from)) {
            const uint32_t at =
                ct_diff_add_step(d, step, (ct_diff_step){.kind = CT_DIFF_STEP_VALUE, .value = to});
            ct_array_push(
                &d->operations,
                (ct_diff_operation){.kind = CT_DIFF_KIND_ADD, .step = at, .new_value = to});
        }
    }
}

// --- Sequences -----------------------------------------------------------------------------------

// The elements of one version, with their hashes.
typedef struct sequence {
    ct_content_value *elements;
    uint64_t *hashes;
    uint32_t count;
} sequence;

// How many arrays may be hashed anew inside each other. Those that nest deeper are hashed once.
enum { ANEW_DEPTH = 4 };

static sequence sequence_of(ct_diff *d, ct_content_value array, const ct_value_hashes *hashes) {
    sequence s = {.count = ct_sjson_count(array.doc, array.value)};
    s.elements = CT_NEW_ARRAY(d->allocator, ct_content_value, s.count);
    s.hashes = CT_NEW_ARRAY(d->allocator, uint64_t, s.count);
    uint32_t i = 0;
    for (ct_content_value v = first_of(array); ct_content_value_is(v); v = next_of(v), ++i) {
        s.elements[i] = v;
        s.hashes[i] = ct_value_hashes_of(hashes, v);
    }
    return s;
}

static void free_sequence(ct_diff *d, sequence *s) {
    ct_free(d->allocator, s->elements);
    ct_free(d->allocator, s->hashes);
}

static ct_diff_step index_step(uint32_t index) {
    return (ct_diff_step){.kind = CT_DIFF_STEP_INDEX, .index = index};
}

// What lies between two runs: `num_from` elements from `at_from` on became `num_to`.
typedef struct gap {
    uint32_t at_from, num_from, at_to, num_to;
} gap;

static void diff_gap(ct_diff *d, uint32_t step, ct_content_place place, const sequence *from,
                     const sequence *to, gap g) {
    const bool is_paired = g.num_from == g.num_to;
    for (uint32_t i = g.at_from; i < g.at_from + g.num_from; ++i) {
        const ct_content_value old = from->elements[i];
        if (is_paired)
            diff_at(d, step, index_step(i), ct_content_place_of_element(place, old),
                    (pair){old, to->elements[g.at_to + (i - g.at_from)]});
        else
            push_removed(d, step, index_step(i), old);
    }
    if (is_paired || g.num_to == 0)
        return;
    const uint32_t next = g.at_from + g.num_from;
    const uint32_t before = next < from->count ? ct_diff_add_step(d, step, index_step(next)) : 0;
    for (uint32_t i = g.at_to; i < g.at_to + g.num_to; ++i) {
        const uint32_t at = ct_diff_add_step(d, step, index_step(i));
        ct_array_push(&d->operations, (ct_diff_operation){.kind = CT_DIFF_KIND_ADD,
                                                          .step = at,
                                                          .before = before,
                                                          .count = from->count,
                                                          .new_value = to->elements[i]});
    }
}

// True for an operation of that kind on a container in the array at `step`.
static bool is_of(const ct_diff *d, const ct_diff_operation *o, uint32_t step, ct_diff_kind kind) {
    const ct_content_value value = kind == CT_DIFF_KIND_ADD ? o->new_value : o->old_value;
    return o->kind == kind && d->steps.items[o->step].parent == step &&
           ct_content_value_type(value) >= CT_SJSON_TYPE_ARRAY;
}

// Notes which containers were removed from the array, by operations from `first` on.
static void note_removed(const ct_diff *d, uint32_t step, const sequence *from, uint32_t first,
                         ct_hash_map *removed) {
    for (uint32_t i = first; i < d->operations.count; ++i) {
        const ct_diff_operation *const o = &d->operations.items[i];
        if (is_of(d, o, step, CT_DIFF_KIND_REMOVE))
            ct_hash_map_set(removed, from->hashes[d->steps.items[o->step].index], i);
    }
}

// Drops the operations from `first` on that have become none.
static void drop_none(ct_diff *d, uint32_t first) {
    uint32_t count = first;
    for (uint32_t i = first; i < d->operations.count; ++i) {
        if (d->operations.items[i].kind != CT_DIFF_KIND_NONE)
            d->operations.items[count++] = d->operations.items[i];
    }
    d->operations.count = count;
}

// Makes one operation of a container that goes in one place and comes in another.
static void join_moves(ct_diff *d, uint32_t step, const sequence *from, const sequence *to,
                       uint32_t first) {
    ct_hash_map removed;
    ct_hash_map_init(&removed, d->allocator);
    note_removed(d, step, from, first, &removed);
    for (uint32_t i = first; removed.count > 0 && i < d->operations.count; ++i) {
        ct_diff_operation *const o = &d->operations.items[i];
        if (!is_of(d, o, step, CT_DIFF_KIND_ADD))
            continue;
        const uint64_t hash = to->hashes[d->steps.items[o->step].index];
        const uint64_t *const found = ct_hash_map_find(&removed, hash);
        if (!found)
            continue;
        ct_diff_operation *const gone = &d->operations.items[*found];
        o->kind = CT_DIFF_KIND_MOVE;
        o->step = gone->step;
        o->old_value = gone->old_value;
        o->count = 0;
        gone->kind = CT_DIFF_KIND_NONE;
        ct_hash_map_erase(&removed, hash);
    }
    drop_none(d, first);
    ct_hash_map_free(&removed);
}

static void diff_elements(ct_diff *d, uint32_t step, ct_content_place place, const sequence *from,
                          const sequence *to) {
    ct_sequence_run_array runs;
    ct_array_init(&runs, d->allocator);
    ct_sequence_align(from->hashes, from->count, to->hashes, to->count, NULL, d->allocator, &runs);
    ct_array_push(&runs, (ct_sequence_run){from->count, to->count, 0});
    const uint32_t first = d->operations.count;
    uint32_t at_from = 0, at_to = 0;
    for (uint32_t r = 0; r < runs.count; ++r) {
        const ct_sequence_run run = runs.items[r];
        diff_gap(d, step, place, from, to, (gap){at_from, run.a - at_from, at_to, run.b - at_to});
        at_from = run.a + run.count;
        at_to = run.b + run.count;
    }
    join_moves(d, step, from, to, first);
    ct_array_free(&runs);
}

static void diff_sequences(ct_diff *d, uint32_t step, ct_content_place place, pair p) {
    const bool is_deep = ++d->num_sequences == ANEW_DEPTH;
    if (is_deep) {
        ct_value_hashes_make(&d->hashes[0], d->allocator, p.from);
        ct_value_hashes_make(&d->hashes[1], d->allocator, p.to);
    }
    sequence from = sequence_of(d, p.from, &d->hashes[0]);
    sequence to = sequence_of(d, p.to, &d->hashes[1]);
    diff_elements(d, step, place, &from, &to);
    free_sequence(d, &from);
    free_sequence(d, &to);
    if (is_deep) {
        ct_value_hashes_free(&d->hashes[0]);
        ct_value_hashes_free(&d->hashes[1]);
    }
    --d->num_sequences;
}

// --- Values --------------------------------------------------------------------------------------

static void diff_arrays(ct_diff *d, uint32_t step, ct_content_place place, pair p) {
    const ct_content_value versions[] = {p.from, p.to};
    ct_array_match match;
    ct_array_match_make(&match, d->allocator, place, versions, CT_COUNT_OF(versions));
    switch (match.kind) {
    case CT_ARRAY_KIND_IDENTITY:
        diff_by_id(d, step, place, &match, p);
        break;
    case CT_ARRAY_KIND_SET:
        diff_sets(d, step, &match, p);
        break;
    case CT_ARRAY_KIND_SEQUENCE:
        diff_sequences(d, step, place, p);
        break;
    case CT_ARRAY_KIND_VALUE:
        if (!ct_value_is_equal(d->allocator, p.from, p.to))
            push_set(d, step, p);
        break;
    }
    ct_array_match_free(&match);
}

static void diff_values(ct_diff *d, uint32_t step, ct_content_place place, pair p) {
    const ct_sjson_type type = ct_content_value_type(p.from);
    if (type != ct_content_value_type(p.to))
        push_set(d, step, p);
    else if (type == CT_SJSON_TYPE_OBJECT)
        diff_objects(d, step, place, p);
    else if (type == CT_SJSON_TYPE_ARRAY)
        diff_arrays(d, step, place, p);
    else if (!ct_value_is_equal(d->allocator, p.from, p.to))
        push_set(d, step, p);
}

void ct_diff_make(ct_diff *diff, ct_allocator *a, const ct_sjson *from, const ct_sjson *to,
                  const char *path) {
    ct_diff_init(diff, a);
    const ct_content_place place = path ? ct_content_place_of_file(path) : (ct_content_place){0};
    diff_values(diff, 0, place, (pair){{from, ct_sjson_root(from)}, {to, ct_sjson_root(to)}});
}
