#include "content/merge/merge_plan.h"

#include <string.h>

#include "foundation/container/sort.h"

// Values of up to this many entries are compared before they are walked; larger ones are walked
// anyway, so that what lies deep is not compared again on each level above it.
enum { SMALL_VALUE = 1024 };

static bool is_equal(ct_merge_plan *plan, const ct_merge_values *v, ct_merge_side a,
                     ct_merge_side b) {
    return ct_value_is_equal(plan->allocator, ct_merge_value(plan, v, a),
                             ct_merge_value(plan, v, b));
}

static ct_sjson_type type_of(const ct_merge_plan *plan, const ct_merge_values *v,
                             ct_merge_side side) {
    return ct_content_value_type(ct_merge_value(plan, v, side));
}

void ct_merge_decide(ct_merge_plan *plan, ct_merge_decision_kind kind, ct_merge_side taken,
                     const ct_merge_values *values) {
    ct_merge_decision decision = {.kind = kind, .taken = taken, .step = values->step};
    for (uint32_t i = 0; i < CT_MERGE_NUM_SIDES; ++i)
        decision.values[i] = values->at[i];
    ct_array_push(&plan->decisions, decision);
}

static bool is_within(const ct_sjson *doc, ct_sjson_value v, ct_sjson_value container) {
    const ct_sjson_entry *const e = ct_sjson_entry_of(doc, container);
    const uint32_t end = e->type >= CT_SJSON_TYPE_ARRAY ? e->as.container.end : container.entry + 1;
    return v.entry >= container.entry && v.entry < end;
}

// Whether theirs says what the other side says. The difference that was found in values around them
// is not looked for again.
static bool is_as_in(ct_merge_plan *plan, const ct_merge_values *v, ct_merge_side side) {
    const ct_value_difference known = plan->differences[side];
    if (is_within(plan->docs[CT_MERGE_THEIRS], known.a, v->at[CT_MERGE_THEIRS]) &&
        is_within(plan->docs[side], known.b, v->at[side]))
        return false;
    const ct_value_difference found = ct_value_find_difference(
        plan->allocator, ct_merge_value(plan, v, CT_MERGE_THEIRS), ct_merge_value(plan, v, side));
    if (found.a.entry)
        plan->differences[side] = found;
    return !found.a.entry;
}

static bool has_nothing_new(ct_merge_plan *plan, const ct_merge_values *v) {
    return is_as_in(plan, v, CT_MERGE_BASE) || is_as_in(plan, v, CT_MERGE_MINE);
}

// --- Single values -------------------------------------------------------------------------------

static void set_mine(ct_merge_plan *plan, const ct_merge_values *v) {
    ct_array_push(&plan->edits, (ct_merge_edit){.kind = CT_MERGE_EDIT_KIND_SET,
                                                .mine = v->at[CT_MERGE_MINE].entry,
                                                .theirs = v->at[CT_MERGE_THEIRS].entry});
}

// True when an object is another one than in base: its id is not the same.
static bool has_other_id(ct_merge_plan *plan, const ct_merge_values *v, ct_merge_side side) {
    static const char *const keys[] = {"id", "Id", "ID"};
    for (uint32_t i = 0; i < CT_COUNT_OF(keys); ++i) {
        const ct_content_value old =
            ct_array_element_id(ct_merge_value(plan, v, CT_MERGE_BASE), keys[i]);
        const ct_content_value id = ct_array_element_id(ct_merge_value(plan, v, side), keys[i]);
        if (ct_content_value_is(old) && ct_content_value_is(id) &&
            !ct_value_is_equal(plan->allocator, old, id))
            return true;
    }
    return false;
}

// True when a side has another value in place of base's container, or no longer that object.
static bool is_replaced(ct_merge_plan *plan, const ct_merge_values *v, ct_merge_side side) {
    const ct_sjson_type old = type_of(plan, v, CT_MERGE_BASE);
    return old >= CT_SJSON_TYPE_ARRAY &&
           (type_of(plan, v, side) != old || has_other_id(plan, v, side));
}

// Plans a value that is taken as a whole.
static void plan_whole(ct_merge_plan *plan, const ct_merge_values *v) {
    if (is_equal(plan, v, CT_MERGE_THEIRS, CT_MERGE_BASE) ||
        is_equal(plan, v, CT_MERGE_THEIRS, CT_MERGE_MINE))
        return;
    if (is_equal(plan, v, CT_MERGE_MINE, CT_MERGE_BASE)) {
        set_mine(plan, v);
        return;
    }
    const bool by_theirs = is_replaced(plan, v, CT_MERGE_THEIRS);
    const bool by_mine = is_replaced(plan, v, CT_MERGE_MINE);
    const ct_merge_decision_kind kind =
        by_theirs != by_mine ? CT_MERGE_DECISION_KIND_REPLACED : CT_MERGE_DECISION_KIND_CHANGED;
    const bool takes_theirs = by_theirs && !by_mine;
    ct_merge_decide(plan, kind, takes_theirs ? CT_MERGE_THEIRS : CT_MERGE_MINE, v);
    if (takes_theirs)
        set_mine(plan, v);
}

static bool is_small(const ct_merge_plan *plan, const ct_merge_values *v) {
    for (uint32_t i = 0; i < CT_MERGE_NUM_SIDES; ++i) {
        const uint32_t entry = v->at[i].entry;
        if (plan->docs[i]->entries.items[entry].as.container.end - entry > SMALL_VALUE)
            return false;
    }
    return true;
}

static void plan_object(ct_merge_plan *plan, const ct_merge_values *v);
static void plan_array(ct_merge_plan *plan, const ct_merge_values *v);

void ct_merge_plan_value(ct_merge_plan *plan, const ct_merge_values *v) {
    const ct_sjson_type type = type_of(plan, v, CT_MERGE_BASE);
    const bool is_walked = type >= CT_SJSON_TYPE_ARRAY && !is_replaced(plan, v, CT_MERGE_THEIRS) &&
                           !is_replaced(plan, v, CT_MERGE_MINE);
    if (!is_walked)
        plan_whole(plan, v);
    else if (is_small(plan, v) && has_nothing_new(plan, v))
        return;
    else if (type == CT_SJSON_TYPE_OBJECT)
        plan_object(plan, v);
    else
        plan_array(plan, v);
}

// --- Children by key, id or value ----------------------------------------------------------------

// The children of one container, matched.
typedef struct rows_planner {
    ct_merge_plan *plan;
    const ct_merge_values *containers;
    const char *id_key; // NULL in objects and sets
    bool is_object;
} rows_planner;

static uint32_t add_step(const rows_planner *r, ct_content_value child) {
    ct_diff_step step = {.kind = CT_DIFF_STEP_VALUE, .value = child};
    if (r->is_object) {
        step.kind = CT_DIFF_STEP_KEY;
        step.key = ct_sjson_key(child.doc, child.value);
    } else if (r->id_key) {
        step.kind = CT_DIFF_STEP_ID;
        step.key = r->id_key;
        step.value = ct_array_element_id(child, r->id_key);
    }
    return ct_diff_add_step(&r->plan->paths, r->containers->step, step);
}

// The child in all versions with its place; `side` has it.
static ct_merge_values values_of(const rows_planner *r, const ct_array_row *row,
                                 ct_merge_side side) {
    ct_merge_values v = {0};
    for (uint32_t i = 0; i < CT_MERGE_NUM_SIDES; ++i)
        v.at[i] = row->elements[i];
    const ct_content_value child = ct_merge_value(r->plan, &v, side);
    const ct_content_place place = r->containers->place;
    v.place = r->is_object ? ct_content_place_of_member(place, ct_sjson_key(child.doc, child.value))
                           : ct_content_place_of_element(place, child);
    v.step = add_step(r, child);
    return v;
}

// Plans a child that base has, and not both others.
static ct_merge_outcome plan_removed(const rows_planner *r, const ct_array_row *row) {
    const bool by_theirs = !row->elements[CT_MERGE_THEIRS].entry;
    const ct_merge_side rest = by_theirs ? CT_MERGE_MINE : CT_MERGE_THEIRS;
    if (!row->elements[rest].entry)
        return CT_MERGE_OUTCOME_GONE;
    const ct_content_value old = {r->plan->docs[CT_MERGE_BASE], row->elements[CT_MERGE_BASE]};
    const ct_content_value left = {r->plan->docs[rest], row->elements[rest]};
    if (!ct_value_is_equal(r->plan->allocator, old, left)) {
        const ct_merge_values v = values_of(r, row, CT_MERGE_BASE);
        ct_merge_decide(r->plan, CT_MERGE_DECISION_KIND_REMOVED,
                        by_theirs ? CT_MERGE_THEIRS : CT_MERGE_MINE, &v);
    }
    return CT_MERGE_OUTCOME_GONE;
}

// True for a value of theirs that is walked without being compared first.
static bool is_large(const ct_merge_plan *plan, ct_sjson_value theirs) {
    const ct_sjson_entry *const e = ct_sjson_entry_of(plan->docs[CT_MERGE_THEIRS], theirs);
    return e->type >= CT_SJSON_TYPE_ARRAY && e->as.container.end - theirs.entry > SMALL_VALUE;
}

// Plans a child that both others have.
static void plan_kept(const rows_planner *r, const ct_array_row *row) {
    ct_merge_plan *const plan = r->plan;
    ct_merge_values bare = {0}; // most are as they were; those need no path
    memcpy(bare.at, row->elements, sizeof(bare.at));
    if (!bare.at[CT_MERGE_BASE].entry) {
        if (is_equal(plan, &bare, CT_MERGE_THEIRS, CT_MERGE_MINE))
            return;
        const ct_merge_values v = values_of(r, row, CT_MERGE_MINE);
        ct_merge_decide(plan, CT_MERGE_DECISION_KIND_ADDED, CT_MERGE_MINE, &v);
        return;
    }
    if (!is_large(plan, bare.at[CT_MERGE_THEIRS]) && is_as_in(plan, &bare, CT_MERGE_BASE))
        return;
    const ct_merge_values v = values_of(r, row, CT_MERGE_BASE);
    ct_merge_plan_value(plan, &v);
}

// Returns true when theirs adds what mine added under another key of the same field, such as
// `rotation` and `rotation_degrees`, of which an object may have one: mine stays.
static bool is_added_otherwise(const rows_planner *r, const ct_array_row *row) {
    const ct_sjson_value theirs = row->elements[CT_MERGE_THEIRS];
    if (!r->is_object)
        return false;
    const char *const key = ct_sjson_key(r->plan->docs[CT_MERGE_THEIRS], theirs);
    const ct_field *const field = ct_content_place_of_member(r->containers->place, key).field;
    const char *const other = field ? ct_field_other_key(field, key) : NULL;
    ct_array_row added = *row;
    for (uint32_t i = 0; other && i < CT_MERGE_NUM_SIDES; ++i) {
        if (i != CT_MERGE_THEIRS)
            added.elements[i] = ct_sjson_find(r->plan->docs[i], r->containers->at[i], other);
    }
    if (!other || added.elements[CT_MERGE_BASE].entry || !added.elements[CT_MERGE_MINE].entry)
        return false;
    const ct_merge_values v = values_of(r, &added, CT_MERGE_MINE);
    ct_merge_decide(r->plan, CT_MERGE_DECISION_KIND_ADDED, CT_MERGE_MINE, &v);
    return true;
}

static ct_merge_outcome plan_row(const rows_planner *r, const ct_array_row *row) {
    const bool in_base = row->elements[CT_MERGE_BASE].entry;
    const bool in_theirs = row->elements[CT_MERGE_THEIRS].entry;
    const bool in_mine = row->elements[CT_MERGE_MINE].entry;
    if (in_theirs && in_mine) {
        plan_kept(r, row);
        return CT_MERGE_OUTCOME_MINE;
    }
    if (in_base)
        return plan_removed(r, row);
    if (in_mine)
        return CT_MERGE_OUTCOME_MINE;
    return is_added_otherwise(r, row) ? CT_MERGE_OUTCOME_GONE : CT_MERGE_OUTCOME_THEIRS;
}

static void remove_mine(ct_merge_plan *plan, const ct_merge_values *containers,
                        ct_sjson_value mine) {
    ct_array_push(&plan->edits, (ct_merge_edit){.kind = CT_MERGE_EDIT_KIND_REMOVE,
                                                .container = containers->at[CT_MERGE_MINE].entry,
                                                .mine = mine.entry});
}

static void plan_rows(const rows_planner *r, const ct_array_row *rows, uint32_t count,
                      const ct_u32_array *orders) {
    ct_allocator *const a = r->plan->allocator;
    uint8_t *const outcomes = ct_alloc(a, count);
    for (uint32_t i = 0; i < count; ++i) {
        outcomes[i] = (uint8_t)plan_row(r, &rows[i]);
        if (outcomes[i] == CT_MERGE_OUTCOME_GONE && rows[i].elements[CT_MERGE_MINE].entry)
            remove_mine(r->plan, r->containers, rows[i].elements[CT_MERGE_MINE]);
    }
    const ct_merge_rows all = {
        .rows = rows, .count = count, .orders = orders, .outcomes = outcomes, .id_key = r->id_key};
    ct_merge_plan_order(r->plan, r->containers, &all);
    ct_free_sized(a, outcomes, count);
}

// --- Objects -------------------------------------------------------------------------------------

typedef CT_ARRAY(ct_array_row) row_array;

// Adds a row for each member of `side` that none of the sides before it has.
static void add_members(ct_merge_plan *plan, const ct_merge_values *v, ct_merge_side side,
                        row_array *rows) {
    ct_member_finder finders[CT_MERGE_NUM_SIDES];
    for (uint32_t i = 0; i < CT_MERGE_NUM_SIDES; ++i)
        ct_member_finder_init(&finders[i], plan->allocator,
                              ct_merge_value(plan, v, (ct_merge_side)i));
    const ct_sjson *const doc = plan->docs[side];
    ct_sjson_value member = ct_sjson_first(doc, v->at[side]);
    for (; member.entry; member = ct_sjson_next(doc, member)) {
        ct_array_row row = {0};
        row.elements[side] = member;
        bool is_known = false;
        for (uint32_t i = 0; i < CT_MERGE_NUM_SIDES && !is_known; ++i) {
            if (i == side)
                continue;
            row.elements[i] = ct_member_finder_find(&finders[i], ct_sjson_key(doc, member)).value;
            is_known = i < side && row.elements[i].entry;
        }
        if (!is_known)
            ct_array_push(rows, row);
    }
    for (uint32_t i = 0; i < CT_MERGE_NUM_SIDES; ++i)
        ct_member_finder_free(&finders[i]);
}

// The rows that a side has, in the order of its members.
static void add_order(const row_array *rows, ct_merge_side side, ct_u32_array *order,
                      ct_allocator *scratch) {
    ct_u32_array entries, positions;
    ct_array_init(&entries, scratch);
    ct_array_init(&positions, scratch);
    for (uint32_t i = 0; i < rows->count; ++i) {
        if (rows->items[i].elements[side].entry) {
            ct_array_push(&entries, rows->items[i].elements[side].entry);
            ct_array_push(&positions, i);
        }
    }
    ct_array_resize(order, entries.count);
    ct_sort_order32(entries.items, order->items, entries.count, scratch);
    for (uint32_t i = 0; i < order->count; ++i)
        order->items[i] = positions.items[order->items[i]];
    ct_array_free(&entries);
    ct_array_free(&positions);
}

static void plan_object(ct_merge_plan *plan, const ct_merge_values *v) {
    row_array rows;
    ct_u32_array orders[CT_MERGE_NUM_SIDES];
    ct_array_init(&rows, plan->allocator);
    for (uint32_t i = 0; i < CT_MERGE_NUM_SIDES; ++i)
        add_members(plan, v, (ct_merge_side)i, &rows);
    for (uint32_t i = 0; i < CT_MERGE_NUM_SIDES; ++i) {
        ct_array_init(&orders[i], plan->allocator);
        add_order(&rows, (ct_merge_side)i, &orders[i], plan->allocator);
    }
    const rows_planner r = {.plan = plan, .containers = v, .is_object = true};
    plan_rows(&r, rows.items, rows.count, orders);
    for (uint32_t i = 0; i < CT_MERGE_NUM_SIDES; ++i)
        ct_array_free(&orders[i]);
    ct_array_free(&rows);
}

// --- Arrays --------------------------------------------------------------------------------------

static void tell_of_fault(ct_merge_plan *plan, const ct_merge_values *v,
                          const ct_array_match *match) {
    const ct_merge_side side = (ct_merge_side)match->fault_version;
    uint32_t index = 0;
    ct_sjson_value at = ct_sjson_first(plan->docs[side], v->at[side]);
    for (; at.entry != match->fault_at.entry; at = ct_sjson_next(plan->docs[side], at))
        ++index;
    ct_merge_values element = {0};
    element.at[side] = at;
    element.step = ct_diff_add_step(&plan->paths, v->step,
                                    (ct_diff_step){.kind = CT_DIFF_STEP_INDEX, .index = index});
    ct_merge_decide(plan, CT_MERGE_DECISION_KIND_BY_ORDER, side, &element);
    plan->decisions.items[plan->decisions.count - 1].fault = match->fault;
}

static void plan_array(ct_merge_plan *plan, const ct_merge_values *v) {
    ct_content_value versions[CT_MERGE_NUM_SIDES];
    for (uint32_t i = 0; i < CT_MERGE_NUM_SIDES; ++i)
        versions[i] = ct_merge_value(plan, v, (ct_merge_side)i);
    ct_array_match match;
    ct_array_match_make(&match, plan->allocator, v->place, versions, CT_MERGE_NUM_SIDES);
    const bool has_fault = match.fault != CT_ARRAY_FAULT_NONE;
    if (has_fault && has_nothing_new(plan, v)) {
        ct_array_match_free(&match);
        return;
    }
    if (has_fault)
        tell_of_fault(plan, v, &match);
    const rows_planner r = {
        .plan = plan,
        .containers = v,
        .id_key = match.kind == CT_ARRAY_KIND_IDENTITY ? match.id_key : NULL,
    };
    if (match.kind == CT_ARRAY_KIND_VALUE)
        plan_whole(plan, v);
    else if (match.kind == CT_ARRAY_KIND_SEQUENCE)
        ct_merge_plan_sequence(plan, v);
    else
        plan_rows(&r, match.rows.items, match.rows.count, match.orders);
    ct_array_match_free(&match);
}

// --- The plan ------------------------------------------------------------------------------------

void ct_merge_plan_make(ct_merge_plan *plan, ct_allocator *a,
                        const ct_sjson *const docs[CT_MERGE_NUM_SIDES], const char *path) {
    *plan = (ct_merge_plan){.allocator = a};
    ct_diff_init(&plan->paths, a);
    ct_array_init(&plan->edits, a);
    ct_array_init(&plan->decisions, a);
    ct_merge_values roots = {.place =
                                 path ? ct_content_place_of_file(path) : (ct_content_place){0}};
    for (uint32_t i = 0; i < CT_MERGE_NUM_SIDES; ++i) {
        plan->docs[i] = docs[i];
        roots.at[i] = ct_sjson_root(docs[i]);
    }
    bool are_objects = true;
    for (uint32_t i = 0; i < CT_MERGE_NUM_SIDES; ++i)
        are_objects =
            are_objects && type_of(plan, &roots, (ct_merge_side)i) == CT_SJSON_TYPE_OBJECT;
    if (are_objects) // also when they have an `id`, and not the same
        plan_object(plan, &roots);
    else
        ct_merge_plan_value(plan, &roots);
}

void ct_merge_plan_free(ct_merge_plan *plan) {
    ct_diff_free(&plan->paths);
    ct_array_free(&plan->edits);
    ct_array_free(&plan->decisions);
}
