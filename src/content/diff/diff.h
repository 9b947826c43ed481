// diff.h: the operations that turn one SJSON document into another.
//
// Objects are compared by key, arrays as array_kind.h says: those with ids by id, those that the
// schema calls sets by value, vectors as one value, all others by best alignment, in which as many
// elements that were replaced as came in their stead pair up in order. These are the rules of
// `cuttle merge`. The operations set, add or remove a value, or move it within its array: an
// element with an id, or a container that is removed in one place and added in another.
//
// All paths are of the first document, before any operation; only added values have their path in
// the second. Code that applies operations looks up all paths first, then makes the changes
// (diff_apply.h).
//
// Steps of paths are a tree: each knows the one before it, and an operation its last. Values are
// borrowed from the documents that were compared, or from the one that the operations were read
// from (diff_json.h), and must not outlive them. One thread.
#pragma once
#include "content/references/content_place.h"

typedef enum ct_diff_step_kind {
    CT_DIFF_STEP_NONE,
    CT_DIFF_STEP_KEY,   // a member, by `key`
    CT_DIFF_STEP_INDEX, // an element, by `index` from 0
    CT_DIFF_STEP_ID,    // an element, by the `value` of its member `key`
    CT_DIFF_STEP_VALUE, // an element of a set, by what it is
} ct_diff_step_kind;

typedef struct ct_diff_step {
    uint32_t parent; // the step before; 0: the root
    ct_diff_step_kind kind;
    uint32_t index;
    const char *key; // of the documents, or constant
    ct_content_value value;
} ct_diff_step;

typedef enum ct_diff_kind {
    CT_DIFF_KIND_NONE,
    CT_DIFF_KIND_SET,    // the value at `step` becomes `new_value`
    CT_DIFF_KIND_ADD,    // `new_value` is put into the container above `step`
    CT_DIFF_KIND_REMOVE, // the value at `step` is removed
    CT_DIFF_KIND_MOVE,   // what is at `step` gets another place in its array; of an INDEX it is
    // `old_value`; ct_diff_make says as `new_value` what it becomes; `old_value` is given
    // where it is known by its index
} ct_diff_kind;

// Those that put something before the same neighbour put it there in their order.
typedef struct ct_diff_operation {
    ct_diff_kind kind;
    uint32_t step;
    uint32_t before; // ADD and MOVE: step to the neighbour that it is put before; 0: it is put last
    uint32_t count;  // ADD of an INDEX: of the elements that the array has in the first document
    ct_content_value old_value, new_value; // {0} where there is none
} ct_diff_operation;

typedef struct ct_diff {
    ct_allocator *allocator;
    CT_ARRAY(ct_diff_step) steps; // the first is of no path
    CT_ARRAY(ct_diff_operation) operations;
    // While it is made, so that what nests deep is not hashed again on each level:
    uint32_t num_sequences;    // arrays by alignment, each in an element of the last
    ct_value_hashes hashes[2]; // of the outermost that is deep in others, of both documents
} ct_diff;

// Makes an empty list of operations.
void ct_diff_init(ct_diff *diff, ct_allocator *a);

// Makes the list that turns `from` into `to`. `path` names the file for its type (its extension:
// what schemas say of its arrays); NULL: no schema speaks. Linear in the documents, but for the
// alignment of arrays (sequence_alignment.h).
void ct_diff_make(ct_diff *diff, ct_allocator *a, const ct_sjson *from, const ct_sjson *to,
                  const char *path);

// Frees the steps and operations.
void ct_diff_free(ct_diff *diff);

// Adds a step below `parent` and returns it.
uint32_t ct_diff_add_step(ct_diff *diff, uint32_t parent, ct_diff_step step);
