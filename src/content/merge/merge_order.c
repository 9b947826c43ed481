// Where children stand in the result: those of mine in their order, and what theirs added where it
// stood relative to its neighbours, after what mine added at the same place. Where only theirs
// moved elements, theirs is the order, and mine's additions are put in.
#include "content/merge/merge_plan.h"

// A list of rows; 0 is its head, row i is i + 1.
typedef struct row_list {
    uint32_t *next, *previous;
} row_list;

typedef struct orderer {
    ct_merge_plan *plan;
    const ct_merge_values *containers;
    const ct_merge_rows *rows;
    ct_merge_side spine, other; // MINE and THEIRS, or the other way round
    row_list list;
} orderer;

static bool has(const ct_merge_rows *rows, uint32_t row, ct_merge_side side) {
    return rows->rows[row].elements[side].entry;
}

static bool is_in_result(const ct_merge_rows *rows, uint32_t row) {
    return rows->outcomes[row] != CT_MERGE_OUTCOME_GONE;
}

// --- Who moved what ------------------------------------------------------------------------------

// The rows that all three have, in a side's order; the next at or after *at, UINT32_MAX at the end.
static uint32_t next_common(const ct_merge_rows *rows, ct_merge_side side, uint32_t *at) {
    const ct_u32_array *const order = &rows->orders[side];
    while (*at < order->count) {
        const uint32_t row = order->items[(*at)++];
        if (has(rows, row, CT_MERGE_BASE) && has(rows, row, CT_MERGE_THEIRS) &&
            has(rows, row, CT_MERGE_MINE))
            return row;
    }
    return UINT32_MAX;
}

static bool is_same_order(const ct_merge_rows *rows, ct_merge_side a, ct_merge_side b) {
    uint32_t i = 0, k = 0, row;
    do {
        row = next_common(rows, a, &i);
        if (row != next_common(rows, b, &k))
            return false;
    } while (row != UINT32_MAX);
    return true;
}

// The row at a place of all three orders, from the start or (`is_from_end`) from the end on;
// UINT32_MAX where they differ or one has ended.
static uint32_t shared_row(const ct_merge_rows *rows, uint32_t at, bool is_from_end) {
    uint32_t found = UINT32_MAX;
    for (uint32_t side = 0; side < CT_MERGE_NUM_SIDES; ++side) {
        const ct_u32_array *const order = &rows->orders[side];
        if (at >= order->count)
            return UINT32_MAX;
        const uint32_t row = order->items[is_from_end ? order->count - 1 - at : at];
        if (side > 0 && row != found)
            return UINT32_MAX;
        found = row;
    }
    return found;
}

// Notes that both moved elements, with all between the first and the last place that differ.
static void decide_order(const orderer *o) {
    const ct_merge_rows *const rows = o->rows;
    uint32_t start = 0, end = 0;
    while (shared_row(rows, start, false) != UINT32_MAX)
        ++start;
    while (shared_row(rows, end, true) != UINT32_MAX)
        ++end;
    ct_merge_decide(o->plan, CT_MERGE_DECISION_KIND_ORDER, CT_MERGE_MINE, o->containers);
    ct_merge_decision *const d = &o->plan->decisions.items[o->plan->decisions.count - 1];
    d->id_key = rows->id_key;
    for (uint32_t side = 0; side < CT_MERGE_NUM_SIDES; ++side) {
        const ct_u32_array *const order = &rows->orders[side];
        d->counts[side] = order->count - start - end;
        d->values[side] = rows->rows[order->items[start]].elements[side];
    }
}

// Whose order the result has.
static ct_merge_side find_spine(orderer *o) {
    if (is_same_order(o->rows, CT_MERGE_THEIRS, CT_MERGE_BASE) ||
        is_same_order(o->rows, CT_MERGE_THEIRS, CT_MERGE_MINE))
        return CT_MERGE_MINE;
    if (is_same_order(o->rows, CT_MERGE_MINE, CT_MERGE_BASE))
        return CT_MERGE_THEIRS;
    decide_order(o);
    return CT_MERGE_MINE;
}

// --- The list ------------------------------------------------------------------------------------

static void insert_after(row_list *list, uint32_t place, uint32_t item) {
    const uint32_t next = list->next[place];
    list->next[place] = item;
    list->previous[item] = place;
    list->next[item] = next;
    list->previous[next] = item;
}

// True for an item that only the spine has.
static bool is_spine_only(const orderer *o, uint32_t item) {
    return item && !has(o->rows, item - 1, o->other);
}

// The place for what stands in the other's order before all that the spine has: before the first
// of those, and mine before theirs.
static uint32_t place_at_start(const orderer *o) {
    const ct_u32_array *const order = &o->rows->orders[o->other];
    uint32_t first = 0; // the head: nothing is in both
    for (uint32_t i = 0; i < order->count && !first; ++i) {
        const uint32_t row = order->items[i];
        if (is_in_result(o->rows, row) && has(o->rows, row, o->spine))
            first = row + 1;
    }
    uint32_t place = o->list.previous[first];
    while (o->other == CT_MERGE_MINE && is_spine_only(o, place))
        place = o->list.previous[place];
    return place;
}

static uint32_t place_after(const orderer *o, uint32_t previous) {
    while (o->other == CT_MERGE_THEIRS && is_spine_only(o, o->list.next[previous]))
        previous = o->list.next[previous];
    return previous;
}

static void fill_list(orderer *o) {
    const ct_u32_array *const spine = &o->rows->orders[o->spine];
    const ct_u32_array *const other = &o->rows->orders[o->other];
    o->list.next[0] = o->list.previous[0] = 0;
    for (uint32_t i = 0; i < spine->count; ++i) {
        if (is_in_result(o->rows, spine->items[i]))
            insert_after(&o->list, o->list.previous[0], spine->items[i] + 1);
    }
    uint32_t previous = 0;
    for (uint32_t i = 0; i < other->count; ++i) {
        const uint32_t row = other->items[i];
        if (!is_in_result(o->rows, row))
            continue;
        if (!has(o->rows, row, o->spine))
            insert_after(&o->list, previous ? place_after(o, previous) : place_at_start(o),
                         row + 1);
        previous = row + 1;
    }
}

// --- Edits ---------------------------------------------------------------------------------------

// Marks the rows of mine that can stay where they are: as many as possible, those of a longest
// subsequence of the list in which mine's entries rise (Fredman 1975).
static void mark_staying(const orderer *o, bool *is_staying) {
    ct_allocator *const a = o->plan->allocator;
    ct_u32_array tails, before; // the last item of the best of each length; the one before each
    ct_array_init(&tails, a);
    ct_array_init(&before, a);
    ct_array_resize(&before, o->rows->count + 1);
    for (uint32_t item = o->list.next[0]; item; item = o->list.next[item]) {
        const uint32_t entry = o->rows->rows[item - 1].elements[CT_MERGE_MINE].entry;
        if (!entry)
            continue;
        uint32_t low = 0, high = tails.count;
        while (low < high) {
            const uint32_t middle = low + (high - low) / 2;
            const uint32_t tail = tails.items[middle];
            if (o->rows->rows[tail - 1].elements[CT_MERGE_MINE].entry < entry)
                low = middle + 1;
            else
                high = middle;
        }
        before.items[item] = low ? tails.items[low - 1] : 0;
        if (low == tails.count)
            ct_array_push(&tails, item);
        else
            tails.items[low] = item;
    }
    uint32_t item = tails.count ? tails.items[tails.count - 1] : 0;
    for (; item; item = before.items[item])
        is_staying[item - 1] = true;
    ct_array_free(&tails);
    ct_array_free(&before);
}

static void add_edits(const orderer *o, const bool *is_staying) {
    ct_merge_plan *const plan = o->plan;
    uint32_t staying = 0; // the next item that stays, from `item` on
    for (uint32_t item = o->list.next[0]; item; item = o->list.next[item]) {
        const ct_array_row *const row = &o->rows->rows[item - 1];
        if (is_staying[item - 1]) {
            staying = 0;
            continue;
        }
        if (!staying) {
            staying = o->list.next[item];
            while (staying && !is_staying[staying - 1])
                staying = o->list.next[staying];
        }
        const bool is_mine = o->rows->outcomes[item - 1] == CT_MERGE_OUTCOME_MINE;
        const uint32_t before =
            staying ? o->rows->rows[staying - 1].elements[CT_MERGE_MINE].entry : 0;
        ct_array_push(&plan->edits,
                      (ct_merge_edit){
                          .kind = is_mine ? CT_MERGE_EDIT_KIND_MOVE : CT_MERGE_EDIT_KIND_INSERT,
                          .container = o->containers->at[CT_MERGE_MINE].entry,
                          .mine = is_mine ? row->elements[CT_MERGE_MINE].entry : 0,
                          .before = before,
                          .theirs = is_mine ? 0 : row->elements[CT_MERGE_THEIRS].entry,
                      });
    }
}

void ct_merge_plan_order(ct_merge_plan *plan, const ct_merge_values *containers,
                         const ct_merge_rows *rows) {
    orderer o = {.plan = plan, .containers = containers, .rows = rows};
    o.spine = rows->id_key ? find_spine(&o) : CT_MERGE_MINE;
    o.other = o.spine == CT_MERGE_MINE ? CT_MERGE_THEIRS : CT_MERGE_MINE;
    bool has_news = o.spine == CT_MERGE_THEIRS;
    for (uint32_t i = 0; i < rows->count && !has_news; ++i)
        has_news = rows->outcomes[i] == CT_MERGE_OUTCOME_THEIRS;
    if (!has_news)
        return;
    ct_allocator *const a = plan->allocator;
    const uint64_t count = (uint64_t)rows->count + 1;
    o.list.next = CT_NEW_ARRAY(a, uint32_t, count);
    o.list.previous = CT_NEW_ARRAY(a, uint32_t, count);
    bool *const is_staying = CT_NEW_ARRAY(a, bool, count);
    fill_list(&o);
    mark_staying(&o, is_staying);
    add_edits(&o, is_staying);
    ct_free(a, o.list.next);
    ct_free(a, o.list.previous);
    ct_free(a, is_staying);
}
