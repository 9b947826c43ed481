// value_compare.h: compares SJSON values.
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

// Returns whether `v` is a value, not {0}. (An entry of a document is never 0.)
static inline bool ct_content_value_is(ct_content_value v) {
    return v.value.entry != 0;
}

// Returns the type; NONE for {0}.
static inline ct_sjson_type ct_content_value_type(ct_content_value v) {
    return v.value.entry ? ct_sjson_type_of(v.doc, v.value) : CT_SJSON_TYPE_NONE;
}

// Returns whether both are equal; {0} equals only {0}. `scratch` is for the keys of large objects
// whose members are in another order; everything is freed before it returns.
bool ct_value_is_equal(ct_allocator *scratch, ct_content_value a, ct_content_value b);

// Where two values differ: `a` in the first, `b` in the second. For a member that only one of them
// has, the other's place is the object without it. {0} when they are equal.
typedef struct ct_value_difference {
    ct_sjson_value a, b;
} ct_value_difference;

// Finds a difference of two values that are not {0}. The result also holds for the parts of the
// values that contain it, so it need not be found again for them.
ct_value_difference ct_value_find_difference(ct_allocator *scratch, ct_content_value a,
                                             ct_content_value b);

// Returns a number that is the same for equal values. Different values have the same number only by
// chance (once in 2^64 pairs). For ct_sequence_align and hash maps.
uint64_t ct_value_hash(ct_content_value v);

// The hashes of a container and of everything in it, each computed once from those below it. For
// code that needs hashes on many levels: computing each again would take depth times as long. 8
// bytes a value.
typedef struct ct_value_hashes {
    ct_allocator *allocator;
    uint64_t *hashes;      // owned
    uint32_t begin, count; // the entries that they are of
} ct_value_hashes;

// Finds the hashes of `container`. {0} is a valid empty one. Linear.
void ct_value_hashes_make(ct_value_hashes *h, ct_allocator *a, ct_content_value container);
void ct_value_hashes_free(ct_value_hashes *h);

// Returns ct_value_hash of a value of the same document: the stored hash, or one computed now. O(1)
// for a value in the container.
uint64_t ct_value_hashes_of(const ct_value_hashes *h, ct_content_value v);

// Finds members of one object by key: at once when they are requested in their order, else by a
// walk over a small object or by a map of a large one.
typedef struct ct_member_finder {
    ct_content_value object;
    ct_sjson_value next; // the member that is looked at first
    ct_hash_map keys;    // of a large object, made when first needed
} ct_member_finder;

// Starts on `object` (of another type: it has no members), borrowed. `a` is for the map.
void ct_member_finder_init(ct_member_finder *f, ct_allocator *a, ct_content_value object);
void ct_member_finder_free(ct_member_finder *f);

// Returns the member with this key, or {0}.
ct_content_value ct_member_finder_find(ct_member_finder *f, const char *key);
