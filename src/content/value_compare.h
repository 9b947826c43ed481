// value_compare.h: whether two SJSON values say the same.
//
// Values are equal when they are of one type and: numbers read to the same double (0 and -0
// differ); strings have the same bytes; arrays have equal elements in the same order; objects have
// the same keys with equal values, in any order. Formatting and comments mean nothing. Time is
// linear in the smaller of the two. Reads no state but the documents: any thread.
#pragma once
#include "foundation/container/hash_map.h"
#include "foundation/sjson/sjson.h"

// A value of a document, borrowed; {0} is none.
typedef struct ct_content_value {
    const ct_sjson *doc;
    ct_sjson_value value;
} ct_content_value;

// True for a value that is there. (An entry of a document is never 0.)
static inline bool ct_content_value_is(ct_content_value v) {
    return v.value.entry != 0;
}

// The type; NONE for {0}.
static inline ct_sjson_type ct_content_value_type(ct_content_value v) {
    return v.value.entry ? ct_sjson_type_of(v.doc, v.value) : CT_SJSON_TYPE_NONE;
}

// True when both say the same; {0} equals only {0}. `scratch` is for the keys of large objects
// whose members stand in another order, and is as before when it returns.
bool ct_value_is_equal(ct_allocator *scratch, ct_content_value a, ct_content_value b);

// Where two values differ: in the one `a`, in the other `b`; what one of the two lacks is told by
// the object that lacks it. {0} when they are equal.
typedef struct ct_value_difference {
    ct_sjson_value a, b;
} ct_value_difference;

// Finds a difference of two values that are there. Of parts of them that it lies in, it need not be
// found again.
ct_value_difference ct_value_find_difference(ct_allocator *scratch, ct_content_value a,
                                             ct_content_value b);

// A number that is the same for equal values; different ones have the same by chance only (once in
// 2^64 pairs). For ct_sequence_align and hash maps.
uint64_t ct_value_hash(ct_content_value v);

// The hashes of a container and of all that is in it, each made once of those below it: for those who
// ask on many levels, where finding each anew would take the depth times as long. 8 bytes a value.
typedef struct ct_value_hashes {
    ct_allocator *allocator;
    uint64_t *hashes;      // owned
    uint32_t begin, count; // the entries that they are of
} ct_value_hashes;

// Finds the hashes of `container`. {0} is a valid empty one. Linear.
void ct_value_hashes_make(ct_value_hashes *h, ct_allocator *a, ct_content_value container);
void ct_value_hashes_free(ct_value_hashes *h);

// ct_value_hash of a value of the same document: the one that is there, or found now. O(1) for a
// value in the container.
uint64_t ct_value_hashes_of(const ct_value_hashes *h, ct_content_value v);

// Finds members of one object by key: at once where they are asked for in the order in which they
// stand, else by a walk over a small object or by a map of a large one.
typedef struct ct_member_finder {
    ct_content_value object;
    ct_sjson_value next; // the member that is looked at first
    ct_hash_map keys;    // of a large object, made when first needed
} ct_member_finder;

// Starts on `object` (of another type: it has no members), borrowed. `a` is for the map.
void ct_member_finder_init(ct_member_finder *f, ct_allocator *a, ct_content_value object);
void ct_member_finder_free(ct_member_finder *f);

// The member of that key, or {0}.
ct_content_value ct_member_finder_find(ct_member_finder *f, const char *key);
