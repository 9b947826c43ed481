// math_lanes.h: four floats at a time, for loops over structures of arrays.
//
// SSE on x86, plain vectors elsewhere, with the same results but for NaN: `min` and `max` then give
// the second. Any thread.
#pragma once
#include "foundation/math/math_bulk.h"

#ifdef __SSE__
#include <xmmintrin.h>
#endif

typedef int32_t ct_column_bits __attribute__((vector_size(16), may_alias));

// Loads four floats from a 16-byte aligned address.
static inline ct_column ct_column_of(const float *four) {
    return *(const ct_column *)four;
}

// Returns `value` in all four lanes.
static inline ct_column ct_column_all(float value) {
    return (ct_column){value, value, value, value};
}

#ifdef __SSE__
// The smaller or larger value of each lane.
static inline ct_column ct_column_min(ct_column a, ct_column b) {
    return (ct_column)_mm_min_ps((__m128)a, (__m128)b);
}
static inline ct_column ct_column_max(ct_column a, ct_column b) {
    return (ct_column)_mm_max_ps((__m128)a, (__m128)b);
}
// Returns the sign bits of the four lanes: bit i is set when lane i of `mask` is all ones.
static inline uint32_t ct_column_mask(ct_column_bits mask) {
    return (uint32_t)_mm_movemask_ps((__m128)mask);
}
#else
// The same without SSE.
static inline ct_column ct_column_min(ct_column a, ct_column b) {
    const ct_column_bits mask = a < b;
    return (ct_column)((mask & (ct_column_bits)a) | (~mask & (ct_column_bits)b));
}
static inline ct_column ct_column_max(ct_column a, ct_column b) {
    const ct_column_bits mask = a > b;
    return (ct_column)((mask & (ct_column_bits)a) | (~mask & (ct_column_bits)b));
}
static inline uint32_t ct_column_mask(ct_column_bits mask) {
    return (mask[0] & 1u) | (mask[1] & 2u) | (mask[2] & 4u) | (mask[3] & 8u);
}
#endif

// Returns `yes` in the lanes where `mask` is all ones, `no` where it is 0.
static inline ct_column ct_column_select(ct_column_bits mask, ct_column yes, ct_column no) {
    return (ct_column)((mask & (ct_column_bits)yes) | (~mask & (ct_column_bits)no));
}

// Swaps rows and columns of four by four numbers.
static inline void ct_columns_transpose(ct_column *a, ct_column *b, ct_column *c, ct_column *d) {
#ifdef __SSE__
    const __m128 low = _mm_unpacklo_ps((__m128)*a, (__m128)*b);
    const __m128 high = _mm_unpackhi_ps((__m128)*a, (__m128)*b);
    const __m128 low_2 = _mm_unpacklo_ps((__m128)*c, (__m128)*d);
    const __m128 high_2 = _mm_unpackhi_ps((__m128)*c, (__m128)*d);
    *a = (ct_column)_mm_movelh_ps(low, low_2);
    *b = (ct_column)_mm_movehl_ps(low_2, low);
    *c = (ct_column)_mm_movelh_ps(high, high_2);
    *d = (ct_column)_mm_movehl_ps(high_2, high);
#else
    const ct_column r0 = *a, r1 = *b, r2 = *c, r3 = *d;
    *a = (ct_column){r0[0], r1[0], r2[0], r3[0]};
    *b = (ct_column){r0[1], r1[1], r2[1], r3[1]};
    *c = (ct_column){r0[2], r1[2], r2[2], r3[2]};
    *d = (ct_column){r0[3], r1[3], r2[3], r3[3]};
#endif
}
