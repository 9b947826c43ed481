// merge_plan.h: plans the edits of a merge to MINE, from the tapes of the three versions.
//
// The plan walks base, theirs and mine together, down to where they differ, and lists edits of mine
// and the decisions that someone may want to look at. Nothing is changed yet (merge_apply.h).
// Values are named by their entries on the tapes, which the plan borrows. One thread.
//
// The rules: objects go by key, arrays by what array_kind.h says of them. What one side changed is
// taken. Where both changed the same: mine; a value replaced as a whole wins over changes inside
// it; what both added is mine; what one removed is gone. All these are decisions.
#pragma once
#include "content/diff/diff.h"
#include "content/merge/array_kind.h"

// The three versions of a merge.
typedef enum ct_merge_side {
    CT_MERGE_BASE,
    CT_MERGE_THEIRS,
    CT_MERGE_MINE,
    CT_MERGE_NUM_SIDES,
} ct_merge_side;

typedef enum ct_merge_edit_kind {
    CT_MERGE_EDIT_KIND_NONE,
    CT_MERGE_EDIT_KIND_SET,    // `mine` gets the value of `theirs`
    CT_MERGE_EDIT_KIND_REMOVE, // `mine` goes
    CT_MERGE_EDIT_KIND_INSERT, // `theirs` is put into `container` before `before`
    CT_MERGE_EDIT_KIND_MOVE,   // `mine` is put before `before`
} ct_merge_edit_kind;

// Entries of the tapes of mine and theirs; 0: no entry, for `before` the container's end. `before`
// is neither removed nor moved. Values put before the same value are in the order of the edits.
typedef struct ct_merge_edit {
    ct_merge_edit_kind kind;
    uint32_t container, mine, before;
    uint32_t theirs;
} ct_merge_edit;

typedef enum ct_merge_decision_kind {
    CT_MERGE_DECISION_KIND_NONE,
    CT_MERGE_DECISION_KIND_CHANGED,  // both changed one value
    CT_MERGE_DECISION_KIND_REPLACED, // one replaced as a whole what the other changed inside
    CT_MERGE_DECISION_KIND_ADDED,    // both added different values under one key or id
    CT_MERGE_DECISION_KIND_REMOVED,  // one removed what the other changed
    CT_MERGE_DECISION_KIND_ELEMENTS, // both replaced the same elements of an array
    CT_MERGE_DECISION_KIND_ORDER,    // both moved elements of one array
    CT_MERGE_DECISION_KIND_BY_ORDER, // an array goes by order, although there are ids
} ct_merge_decision_kind;

typedef struct ct_merge_decision {
    ct_merge_decision_kind kind;
    ct_merge_side taken;  // the side whose value is in the result; of a removal, the side that
                          // removed; of BY_ORDER, the side with the fault
    uint32_t step;        // of the plan's paths
    ct_array_fault fault; // BY_ORDER
    ct_sjson_value values[CT_MERGE_NUM_SIDES]; // {0} where there is none
    uint32_t counts[CT_MERGE_NUM_SIDES];       // ELEMENTS, ORDER: how many, from each value on; of
                                               // ORDER, what is between the start and the end
                                               // that all three have in common
    const char *id_key;                        // ORDER: what names the elements; constant
} ct_merge_decision;

typedef struct ct_merge_plan {
    ct_allocator *allocator;
    const ct_sjson *docs[CT_MERGE_NUM_SIDES];
    ct_diff paths; // only its steps
    CT_ARRAY(ct_merge_edit) edits;
    CT_ARRAY(ct_merge_decision) decisions;
    // While it is made, so that what nests deep is not looked through again on each level:
    ct_value_difference differences[CT_MERGE_NUM_SIDES]; // of theirs and the side, found last
    uint32_t num_sequences; // arrays by alignment, each in an element of the last
    ct_value_hashes hashes[CT_MERGE_NUM_SIDES]; // of the outermost that is deep in others
} ct_merge_plan;

// Makes the plan. `path` names the file for its type; NULL: no schema speaks. Linear, but for the
// alignment of arrays. Free it in any case.
void ct_merge_plan_make(ct_merge_plan *plan, ct_allocator *a,
                        const ct_sjson *const docs[CT_MERGE_NUM_SIDES], const char *path);
void ct_merge_plan_free(ct_merge_plan *plan);

// --- What its files share ------------------------------------------------------------------------

// One value in all three versions, and its place.
typedef struct ct_merge_values {
    ct_sjson_value at[CT_MERGE_NUM_SIDES];
    ct_content_place place;
    uint32_t step;
} ct_merge_values;

// Returns the value on one side, with its document.
static inline ct_content_value ct_merge_value(const ct_merge_plan *plan,
                                              const ct_merge_values *values, ct_merge_side side) {
    return (ct_content_value){plan->docs[side], values->at[side]};
}

// Plans a value that all three have.
void ct_merge_plan_value(ct_merge_plan *plan, const ct_merge_values *values);

// Plans arrays that go by best alignment (merge_sequence.c).
void ct_merge_plan_sequence(ct_merge_plan *plan, const ct_merge_values *arrays);

// Adds a decision on the values.
void ct_merge_decide(ct_merge_plan *plan, ct_merge_decision_kind kind, ct_merge_side taken,
                     const ct_merge_values *values);

// What becomes of the elements of a container: of each row, mine stays, theirs is put in, or
// neither.
typedef enum ct_merge_outcome {
    CT_MERGE_OUTCOME_GONE,
    CT_MERGE_OUTCOME_MINE,
    CT_MERGE_OUTCOME_THEIRS,
} ct_merge_outcome;

typedef struct ct_merge_rows {
    const ct_array_row *rows; // in the order of base, then others
    uint32_t count;
    const ct_u32_array *orders; // of base, theirs and mine: the row of each child
    const uint8_t *outcomes;    // ct_merge_outcome of each row
    const char *id_key;         // what names the rows of an array that has an order; else NULL
} ct_merge_rows;

// Puts values from theirs into their places. Where the rows have an order, also moves elements that
// only theirs has moved to their places there (merge_order.c). Does not handle removals.
void ct_merge_plan_order(ct_merge_plan *plan, const ct_merge_values *containers,
                         const ct_merge_rows *rows);
