// animation_stream.h: reads the stream of a clip (animation_resource.h).
//
// Shared by the validation of blobs, the player of clips and tools. All functions trust the blob:
// it was validated, or is being simulated with places that were checked. Any thread. libc only.
#pragma once
#include <string.h>

#include "resource/types/animation_resource.h"

// Returns the numbers of a track of this group that have values and tangents: 1, 3 or 4.
static inline uint32_t ct_animation_num_numbers(const ct_animation_group *group) {
    if (group->kind == CT_ANIMATION_TRACK_CURVE)
        return 1;
    return group->flags & CT_ANIMATION_GROUP_QUATERNION ? 4 : 3;
}

// Returns the rows of a group's active keys. In this order: lower bits of the values at the start
// and at the end of segments, tangents at start and end, upper bits at start and end of wide ones.
static inline uint32_t ct_animation_num_active_rows(const ct_animation_group *group) {
    return ct_animation_num_numbers(group) * (group->flags & CT_ANIMATION_GROUP_WIDE ? 6 : 4);
}

// Returns the uint16s of a group with keys in a jump frame.
static inline uint32_t ct_animation_jump_words(const ct_animation_group *group) {
    return CT_ANIMATION_LANES * (1 + ct_animation_num_active_rows(group));
}

// Returns the rows of a group in the array `rows`.
static inline uint32_t ct_animation_num_group_rows(const ct_animation_group *group, bool has_keys) {
    const uint32_t numbers = ct_animation_num_numbers(group);
    if (group->kind != CT_ANIMATION_TRACK_ROTATION)
        return has_keys ? numbers + 2 : numbers;
    return has_keys ? numbers + 2 + (numbers == 3 ? 4 : 0) : 4;
}

// Returns the bits of one key of a lane.
static inline uint32_t ct_animation_key_bits(const ct_animation_lane *lane) {
    uint32_t bits = lane->duration_bits;
    for (uint32_t i = 0; i < 4; ++i)
        bits += (uint32_t)lane->value_bits[i] + lane->tangent_bits[i];
    return bits;
}

// Returns the stream from place `bit`; the lowest 57 bits are valid.
static inline uint64_t ct_animation_bits_at(const uint8_t *stream, uint32_t bit) {
    uint64_t bits;
    memcpy(&bits, stream + (bit >> 3), sizeof(bits));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    bits = __builtin_bswap64(bits);
#endif
    return bits >> (bit & 7);
}

// Returns the duration in frames of the key at place `bit`.
static inline uint32_t ct_animation_key_duration(const ct_animation_lane *lane,
                                                 const uint8_t *stream, uint32_t bit) {
    const uint64_t mask = ((uint64_t)1 << lane->duration_bits) - 1;
    return (uint32_t)(ct_animation_bits_at(stream, bit) & mask) + 1;
}

// Returns the tangent at the end of a segment whose lane has derived tangents: 1.5 times the slope
// less half the tangent at the start. `start` and `end` are less than 2^24 apart, or the result is
// not exact, but the same everywhere.
static inline int32_t ct_animation_derived_tangent(int32_t start, int32_t end, int32_t tangent,
                                                   uint32_t duration, uint32_t shift) {
    const float slope =
        (float)(int32_t)((uint32_t)end - (uint32_t)start) * ((float)(1 << shift) / (float)duration);
    const float derived = 1.5f * slope - 0.5f * (float)tangent;
    const float low = derived > -32767.0f ? derived : -32767.0f;
    return (int32_t)(low < 32767.0f ? low : 32767.0f);
}

// Returns where the tangent at a key leads after `duration` frames: what values are differences to.
static inline uint32_t ct_animation_predicted(uint32_t value, int32_t tangent, uint32_t duration,
                                              uint32_t shift) {
    return value + (uint32_t)((tangent * (int32_t)duration) >> shift);
}

// Takes a number of `bits` with its sign from `word`: 0 in the stream is the least one.
static inline uint32_t ct_animation_take_signed(uint64_t *word, uint32_t bits) {
    const uint64_t all = (uint64_t)1 << bits;
    const uint32_t value = (uint32_t)(*word & (all - 1)) - (uint32_t)(all >> 1);
    *word >>= bits;
    return value;
}

// A row of active keys as one number, so that players write rows as they read them later: whole.
static inline uint64_t ct_animation_row_at(const uint16_t *rows, uint32_t row) {
    uint64_t numbers;
    memcpy(&numbers, rows + CT_ANIMATION_LANES * row, sizeof(numbers));
    return numbers;
}

// Sets a row of active keys from such a number.
static inline void ct_animation_set_row(uint16_t *rows, uint32_t row, uint64_t numbers) {
    memcpy(rows + CT_ANIMATION_LANES * row, &numbers, sizeof(numbers));
}

// Returns where a lane is in such a number.
static inline uint32_t ct_animation_lane_shift(uint32_t lane) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return 16 * (CT_ANIMATION_LANES - 1 - lane);
#else
    return 16 * lane;
#endif
}

// Makes a lane's number of row `end` that of row `start`, and sets that of row `end`.
static inline void ct_animation_push_number(uint16_t *rows, uint32_t start, uint32_t end,
                                            uint32_t lane_shift, uint32_t number) {
    const uint64_t mask = (uint64_t)0xffff << lane_shift, old = ct_animation_row_at(rows, end);
    ct_animation_set_row(rows, start, (ct_animation_row_at(rows, start) & ~mask) | (old & mask));
    ct_animation_set_row(rows, end, (old & ~mask) | (uint64_t)(number & 0xffff) << lane_shift);
}

// ct_animation_read_key for constant `n` and `is_wide`.
static inline __attribute__((always_inline)) uint32_t
ct_animation_read_numbers(const ct_animation_lane *lane, uint32_t n, bool is_wide,
                          const uint8_t *stream, uint32_t *bit, uint32_t lane_shift,
                          uint16_t *rows) {
    const uint32_t shift = lane->tangent_shift;
    uint64_t word = ct_animation_bits_at(stream, *bit);
    const uint32_t duration = (uint32_t)(word & (((uint64_t)1 << lane->duration_bits) - 1)) + 1;
    word >>= lane->duration_bits;
    uint32_t at = *bit + lane->duration_bits, left = 57u - lane->duration_bits;
    for (uint32_t i = 0; i < n; ++i) {
        const uint32_t bits = lane->value_bits[i];
        if (bits > left) {
            word = ct_animation_bits_at(stream, at);
            left = 57;
        }
        const uint32_t difference = ct_animation_take_signed(&word, bits);
        left -= bits;
        at += bits;
        const int32_t tangent =
            (int16_t)(uint16_t)(ct_animation_row_at(rows, 3 * n + i) >> lane_shift);
        uint32_t start = (uint16_t)(ct_animation_row_at(rows, n + i) >> lane_shift);
        if (is_wide)
            start |= (uint32_t)(uint16_t)(ct_animation_row_at(rows, 5 * n + i) >> lane_shift) << 16;
        uint32_t end = ct_animation_predicted(start, tangent, duration, shift) + difference;
        ct_animation_push_number(rows, i, n + i, lane_shift, end);
        if (is_wide)
            ct_animation_push_number(rows, 4 * n + i, 5 * n + i, lane_shift, end >> 16);
        else
            end &= 0xffff;
        if (lane->has_derived_tangents)
            ct_animation_push_number(rows, 2 * n + i, 3 * n + i, lane_shift,
                                     (uint32_t)ct_animation_derived_tangent(
                                         (int32_t)start, (int32_t)end, tangent, duration, shift));
    }
    if (!lane->has_derived_tangents) {
        word = ct_animation_bits_at(stream, at);
        left = 57;
        for (uint32_t i = 0; i < n; ++i) {
            const uint32_t bits = lane->tangent_bits[i];
            if (bits > left) {
                word = ct_animation_bits_at(stream, at);
                left = 57;
            }
            ct_animation_push_number(rows, 2 * n + i, 3 * n + i, lane_shift,
                                     ct_animation_take_signed(&word, bits));
            left -= bits;
            at += bits;
        }
    }
    *bit = at;
    return duration;
}

// Makes the end of a lane's segment the start of the next, and reads its end: the key at place
// `bit`, which becomes the place behind it. `rows` are the group's active rows. Returns the
// duration.
static inline uint32_t ct_animation_read_key(const ct_animation_group *group, uint32_t lane,
                                             const uint8_t *stream, uint32_t *bit, uint16_t *rows) {
    const ct_animation_lane *const l = &group->lanes[lane];
    const uint32_t n = ct_animation_num_numbers(group), shift = ct_animation_lane_shift(lane);
    if (group->flags & CT_ANIMATION_GROUP_WIDE)
        return n == 3   ? ct_animation_read_numbers(l, 3, true, stream, bit, shift, rows)
               : n == 4 ? ct_animation_read_numbers(l, 4, true, stream, bit, shift, rows)
                        : ct_animation_read_numbers(l, 1, true, stream, bit, shift, rows);
    return n == 3   ? ct_animation_read_numbers(l, 3, false, stream, bit, shift, rows)
           : n == 4 ? ct_animation_read_numbers(l, 4, false, stream, bit, shift, rows)
                    : ct_animation_read_numbers(l, 1, false, stream, bit, shift, rows);
}
