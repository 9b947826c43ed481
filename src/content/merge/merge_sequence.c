// Arrays that go by best alignment. Base is aligned with theirs and with mine; so each side says of
// every element of base whether it is still there, has another in its place, or is gone, and what
// was put in before it. Then base is walked once, and what the sides say is put together.
#include "content/merge/merge_plan.h"
#include "content/sequence_alignment.h"

// What a side made of an array: `here` and `inserted` have a place for each element of base, and
// `inserted` one for the end.
typedef struct script {
    ct_merge_side side;
    ct_u32_array here; // of each element of base: position in the side + 1; 0: it is gone
    CT_ARRAY(uint8_t) is_changed; // it has another in its place
    ct_u32_array inserted;        // before each element of base: how many of the side
    ct_u32_array inserted_at;     // and from where on
    ct_u32_array replaced;        // of each element of base: hunk + 1, where something came in its
                                  // stead
} script;

// A run of elements of base with what came in its stead.
typedef struct hunk {
    uint32_t begin, end, side_begin, side_end;
} hunk;

// How many arrays may be hashed anew inside each other. Those that nest deeper are hashed once.
enum { ANEW_DEPTH = 4 };

typedef struct sequencer {
    ct_merge_plan *plan;
    const ct_merge_values *arrays;
    ct_u32_array entries[CT_MERGE_NUM_SIDES]; // of all elements
    ct_u64_array hashes[CT_MERGE_NUM_SIDES];
    script theirs, mine;
    CT_ARRAY(hunk) hunks[CT_MERGE_NUM_SIDES]; // those that replace something
    ct_u32_array waiting; // entries of theirs that are to be inserted before the next of mine
} sequencer;

// --- Reading the arrays --------------------------------------------------------------------------

static void read_elements(sequencer *s, ct_merge_side side) {
    ct_content_value e = ct_merge_value(s->plan, s->arrays, side);
    ct_array_init(&s->entries[side], s->plan->allocator);
    ct_array_init(&s->hashes[side], s->plan->allocator);
    e.value = ct_sjson_first(e.doc, e.value);
    for (; ct_content_value_is(e); e.value = ct_sjson_next(e.doc, e.value)) {
        ct_array_push(&s->entries[side], e.value.entry);
        ct_array_push(&s->hashes[side], ct_value_hashes_of(&s->plan->hashes[side], e));
    }
}

static void add_hunk(sequencer *s, script *to, hunk h) {
    const uint32_t count = h.end - h.begin, side_count = h.side_end - h.side_begin;
    if (count && side_count) {
        ct_array_push(&s->hunks[to->side], h);
        for (uint32_t i = h.begin; i < h.end; ++i)
            to->replaced.items[i] = s->hunks[to->side].count;
    }
    if (count != side_count) {
        to->inserted.items[h.begin] = side_count;
        to->inserted_at.items[h.begin] = h.side_begin;
        return;
    }
    for (uint32_t i = 0; i < count; ++i) { // they pair up in order
        to->here.items[h.begin + i] = h.side_begin + i + 1;
        to->is_changed.items[h.begin + i] = true;
    }
}

static void make_script(sequencer *s, script *to, ct_merge_side side) {
    ct_allocator *const a = s->plan->allocator;
    const uint32_t count = s->entries[CT_MERGE_BASE].count;
    to->side = side;
    ct_array_init(&to->here, a);
    ct_array_init(&to->is_changed, a);
    ct_array_init(&to->inserted, a);
    ct_array_init(&to->inserted_at, a);
    ct_array_init(&to->replaced, a);
    ct_array_init(&s->hunks[side], a);
    ct_array_resize(&to->here, count);
    ct_array_resize(&to->is_changed, count);
    ct_array_resize(&to->inserted, (uint64_t)count + 1);
    ct_array_resize(&to->inserted_at, (uint64_t)count + 1);
    ct_array_resize(&to->replaced, count);
    ct_sequence_run_array runs;
    ct_array_init(&runs, a);
    const uint32_t side_count = s->entries[side].count;
    ct_sequence_align(s->hashes[CT_MERGE_BASE].items, count, s->hashes[side].items, side_count,
                      NULL, a, &runs);
    hunk h = {0};
    for (uint32_t i = 0; i <= runs.count; ++i) {
        const bool is_end = i == runs.count;
        const ct_sequence_run run =
            is_end ? (ct_sequence_run){count, side_count, 0} : runs.items[i];
        h.end = run.a;
        h.side_end = run.b;
        add_hunk(s, to, h);
        for (uint32_t k = 0; k < run.count; ++k)
            to->here.items[run.a + k] = run.b + k + 1;
        h.begin = run.a + run.count;
        h.side_begin = run.b + run.count;
    }
    ct_array_free(&runs);
}

static void free_script(script *of) {
    ct_array_free(&of->here);
    ct_array_free(&of->is_changed);
    ct_array_free(&of->inserted);
    ct_array_free(&of->inserted_at);
    ct_array_free(&of->replaced);
}

// --- Where both replaced -------------------------------------------------------------------------

static ct_sjson_value element(const sequencer *s, ct_merge_side side, uint32_t at) {
    return (ct_sjson_value){at < s->entries[side].count ? s->entries[side].items[at] : 0};
}

static bool is_same_hunk(const sequencer *s, const hunk *theirs, const hunk *mine) {
    const uint32_t count = theirs->side_end - theirs->side_begin;
    if (theirs->begin != mine->begin || theirs->end != mine->end ||
        count != mine->side_end - mine->side_begin)
        return false;
    for (uint32_t i = 0; i < count; ++i) {
        if (s->hashes[CT_MERGE_THEIRS].items[theirs->side_begin + i] !=
            s->hashes[CT_MERGE_MINE].items[mine->side_begin + i])
            return false;
    }
    return true;
}

// A step to the element of base.
static uint32_t add_index(const sequencer *s, uint32_t index) {
    return ct_diff_add_step(&s->plan->paths, s->arrays->step,
                            (ct_diff_step){.kind = CT_DIFF_STEP_INDEX, .index = index});
}

static void decide_hunk(sequencer *s, const hunk *theirs, const hunk *mine) {
    ct_merge_decision d = {.kind = CT_MERGE_DECISION_KIND_ELEMENTS,
                           .taken = CT_MERGE_MINE,
                           .step = add_index(s, theirs->begin)};
    d.values[CT_MERGE_BASE] = element(s, CT_MERGE_BASE, theirs->begin);
    d.values[CT_MERGE_THEIRS] = element(s, CT_MERGE_THEIRS, theirs->side_begin);
    d.values[CT_MERGE_MINE] = element(s, CT_MERGE_MINE, mine->side_begin);
    d.counts[CT_MERGE_BASE] = theirs->end - theirs->begin;
    d.counts[CT_MERGE_THEIRS] = theirs->side_end - theirs->side_begin;
    d.counts[CT_MERGE_MINE] = mine->side_end - mine->side_begin;
    ct_array_push(&s->plan->decisions, d);
}

// Takes out of theirs' script what it put in the place of other elements, as many as it took or
// not, when mine put something in the place of one of them, too: unless both pair up with base.
static void drop_doubled_hunks(sequencer *s) {
    script *const t = &s->theirs;
    for (uint32_t i = 0; i < s->hunks[CT_MERGE_THEIRS].count; ++i) {
        const hunk h = s->hunks[CT_MERGE_THEIRS].items[i];
        uint32_t mine = 0;
        for (uint32_t k = h.begin; k < h.end && !mine; ++k)
            mine = s->mine.replaced.items[k];
        if (!mine || t->here.items[h.begin])
            continue;
        const hunk *const other = &s->hunks[CT_MERGE_MINE].items[mine - 1];
        if (!is_same_hunk(s, &h, other))
            decide_hunk(s, &h, other);
        t->inserted.items[h.begin] = 0;
        for (uint32_t k = h.begin; k < h.end; ++k) {
            t->here.items[k] = UINT32_MAX; // as base has it
            t->is_changed.items[k] = false;
        }
    }
}

// --- Walking base --------------------------------------------------------------------------------

// An element of mine stays: theirs that wait go before it.
static void put_waiting(sequencer *s, uint32_t before) {
    for (uint32_t i = 0; i < s->waiting.count; ++i)
        ct_array_push(&s->plan->edits,
                      (ct_merge_edit){.kind = CT_MERGE_EDIT_KIND_INSERT,
                                      .container = s->arrays->at[CT_MERGE_MINE].entry,
                                      .theirs = s->waiting.items[i],
                                      .before = before});
    s->waiting.count = 0;
}

static void keep(sequencer *s, uint32_t mine) {
    put_waiting(s, s->entries[CT_MERGE_MINE].items[mine]);
}

// What both put in at one place: equal elements once, else theirs after mine.
static void merge_insertions(sequencer *s, uint32_t at) {
    const uint32_t theirs = s->theirs.inserted_at.items[at];
    const uint32_t num_theirs = s->theirs.inserted.items[at];
    const uint32_t mine = s->mine.inserted_at.items[at], num_mine = s->mine.inserted.items[at];
    ct_sequence_run_array runs;
    ct_array_init(&runs, s->plan->allocator);
    if (num_theirs && num_mine)
        ct_sequence_align(s->hashes[CT_MERGE_THEIRS].items + theirs, num_theirs,
                          s->hashes[CT_MERGE_MINE].items + mine, num_mine, NULL, s->plan->allocator,
                          &runs);
    uint32_t t = 0, m = 0;
    for (uint32_t i = 0; i <= runs.count; ++i) {
        const bool is_end = i == runs.count;
        const ct_sequence_run run =
            is_end ? (ct_sequence_run){num_theirs, num_mine, 0} : runs.items[i];
        while (m < run.b)
            keep(s, mine + m++);
        while (t < run.a)
            ct_array_push(&s->waiting, s->entries[CT_MERGE_THEIRS].items[theirs + t++]);
        for (; m < run.b + run.count; ++m, ++t)
            keep(s, mine + m);
    }
    ct_array_free(&runs);
}

static void remove_mine(sequencer *s, uint32_t mine) {
    ct_array_push(&s->plan->edits, (ct_merge_edit){.kind = CT_MERGE_EDIT_KIND_REMOVE,
                                                   .container = s->arrays->at[CT_MERGE_MINE].entry,
                                                   .mine = s->entries[CT_MERGE_MINE].items[mine]});
}

// An element of base that at least one side took out.
static void merge_removal(sequencer *s, uint32_t at) {
    const bool by_theirs = !s->theirs.here.items[at];
    script *const rest = by_theirs ? &s->mine : &s->theirs;
    const uint32_t here = rest->here.items[at];
    if (here && rest->is_changed.items[at]) {
        ct_merge_values v = {.step = add_index(s, at)};
        v.at[CT_MERGE_BASE] = element(s, CT_MERGE_BASE, at);
        v.at[rest->side] = element(s, rest->side, here - 1);
        ct_merge_decide(s->plan, CT_MERGE_DECISION_KIND_REMOVED,
                        by_theirs ? CT_MERGE_THEIRS : CT_MERGE_MINE, &v);
    }
    if (s->mine.here.items[at])
        remove_mine(s, s->mine.here.items[at] - 1);
}

static void merge_element(sequencer *s, uint32_t at) {
    const uint32_t theirs = s->theirs.here.items[at], mine = s->mine.here.items[at];
    if (!theirs || !mine) {
        merge_removal(s, at);
        return;
    }
    keep(s, mine - 1);
    if (!s->theirs.is_changed.items[at])
        return;
    ct_merge_values v = {.step = add_index(s, at)};
    v.at[CT_MERGE_BASE] = element(s, CT_MERGE_BASE, at);
    v.at[CT_MERGE_THEIRS] = element(s, CT_MERGE_THEIRS, theirs - 1);
    v.at[CT_MERGE_MINE] = element(s, CT_MERGE_MINE, mine - 1);
    v.place =
        ct_content_place_of_element(s->arrays->place, ct_merge_value(s->plan, &v, CT_MERGE_BASE));
    ct_merge_plan_value(s->plan, &v);
}

// Arrays of one element each: it pairs up with itself, whatever is in it.
static bool plan_single(ct_merge_plan *plan, const ct_merge_values *arrays) {
    ct_merge_values v = {0};
    for (uint32_t i = 0; i < CT_MERGE_NUM_SIDES; ++i) {
        if (ct_sjson_count(plan->docs[i], arrays->at[i]) != 1)
            return false;
        v.at[i] = ct_sjson_first(plan->docs[i], arrays->at[i]);
    }
    v.place = ct_content_place_of_element(arrays->place, ct_merge_value(plan, &v, CT_MERGE_BASE));
    v.step =
        ct_diff_add_step(&plan->paths, arrays->step, (ct_diff_step){.kind = CT_DIFF_STEP_INDEX});
    ct_merge_plan_value(plan, &v);
    return true;
}

// Plans the arrays of `s`, whose elements were read.
static void plan_elements(sequencer *s) {
    make_script(s, &s->theirs, CT_MERGE_THEIRS);
    make_script(s, &s->mine, CT_MERGE_MINE);
    drop_doubled_hunks(s);
    const uint32_t count = s->entries[CT_MERGE_BASE].count;
    for (uint32_t i = 0; i <= count; ++i) {
        merge_insertions(s, i);
        if (i < count)
            merge_element(s, i);
    }
    put_waiting(s, 0);
    free_script(&s->theirs);
    free_script(&s->mine);
}

void ct_merge_plan_sequence(ct_merge_plan *plan, const ct_merge_values *arrays) {
    if (plan_single(plan, arrays))
        return;
    sequencer s = {.plan = plan, .arrays = arrays};
    ct_array_init(&s.waiting, plan->allocator);
    ct_array_init(&s.hunks[CT_MERGE_BASE], plan->allocator);
    const bool is_deep = ++plan->num_sequences == ANEW_DEPTH;
    for (uint32_t i = 0; i < CT_MERGE_NUM_SIDES; ++i) {
        if (is_deep)
            ct_value_hashes_make(&plan->hashes[i], plan->allocator,
                                 ct_merge_value(plan, arrays, (ct_merge_side)i));
        read_elements(&s, (ct_merge_side)i);
    }
    plan_elements(&s);
    --plan->num_sequences;
    for (uint32_t i = 0; i < CT_MERGE_NUM_SIDES; ++i) {
        if (is_deep)
            ct_value_hashes_free(&plan->hashes[i]);
        ct_array_free(&s.entries[i]);
        ct_array_free(&s.hashes[i]);
        ct_array_free(&s.hunks[i]);
    }
    ct_array_free(&s.waiting);
}
