// sequence_alignment.h: what two sequences have in common, in order.
//
// Elements are 64-bit hashes of what they stand for; equal hashes are equal elements. The answer is
// a longest common subsequence, as runs of equal elements: what lies between two runs was inserted,
// removed or replaced. Of the many longest ones it is one of few runs: runs that can slide over an
// insertion or removal to join their neighbour do so.
//
// Elements that the other side does not have cannot be in it and are left out first. Of the rest,
// the common start and end are taken; then the table of lengths is worked out 64 columns at a time,
// each column a bit that says whether the length grows there (Crochemore et al., "A fast and
// practical bit-vector algorithm for the longest common subsequence problem", 2001; Hyyrö,
// "Bit-parallel LCS-length computation revisited", 2004), and walked backwards. Where its rows
// would take more than `rows_bytes`, the sequences are first cut where a longest subsequence can be
// (Hirschberg 1975).
//
// Past `exact_pairs` pairs of elements the subsequence is common, but perhaps not the longest: the
// sequences are cut at elements that both have once (Cohen's patience diff), of these at a longest
// subsequence; and where there are none, into as many equal parts as keep the time linear.
//
// Reads no state: any thread.
#pragma once
#include "foundation/container/array.h"

// `count` equal elements: from `a` on in one sequence, from `b` on in the other.
typedef struct ct_sequence_run {
    uint32_t a, b, count;
} ct_sequence_run;

typedef CT_ARRAY(ct_sequence_run) ct_sequence_run_array;

// What the search may cost. 0 means the default.
typedef struct ct_sequence_limits {
    uint64_t rows_bytes;  // memory for the table; 64 MiB, enough for 23,000 by 23,000 elements
    uint64_t exact_pairs; // 2^33 pairs of elements, as of 92,000 by 92,000
} ct_sequence_limits;

// Appends to `runs` what `a` and `b` have in common: runs of at least one element, in order, no two
// touching on both sides. `limits` may be NULL. `scratch` is for the memory that it takes
// meanwhile: at most limits->rows_bytes, and some 100 bytes an element. 10,000 by 10,000 elements
// take some milliseconds, a million by a million some seconds whatever they are; an equal start and
// end cost nothing to speak of.
void ct_sequence_align(const uint64_t *a, uint32_t num_a, const uint64_t *b, uint32_t num_b,
                       const ct_sequence_limits *limits, ct_allocator *scratch,
                       ct_sequence_run_array *runs);
