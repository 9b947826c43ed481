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

// Reads the numbers of the key at place `bit` into the rows of the end of a segment. `rows` is the
// lane's number of the group's first row. Moves nothing to the start.
static inline void ct_animation_read_numbers(const ct_animation_lane *lane, uint32_t num_numbers,
                                             bool is_wide, const uint8_t *stream, uint32_t bit,
                                             uint16_t *rows) {
    uint16_t *const values = rows + CT_ANIMATION_LANES * num_numbers;
    uint16_t *const tangents = rows + CT_ANIMATION_LANES * 3 * num_numbers;
    uint16_t *const upper = rows + CT_ANIMATION_LANES * 5 * num_numbers;
    bit += lane->duration_bits;
    for (uint32_t i = 0; i < num_numbers; ++i) {
        const uint32_t bits = lane->value_bits[i];
        const uint64_t value = ct_animation_bits_at(stream, bit) & (((uint64_t)1 << bits) - 1);
        values[CT_ANIMATION_LANES * i] = (uint16_t)value;
        if (is_wide)
            upper[CT_ANIMATION_LANES * i] = (uint16_t)(value >> 16);
        bit += bits;
    }
    for (uint32_t i = 0; i < num_numbers; ++i) {
        const uint32_t bits = lane->tangent_bits[i];
        const uint64_t value = ct_animation_bits_at(stream, bit) & (((uint64_t)1 << bits) - 1);
        // Stored from the lowest: 0 is -2^(bits - 1).
        tangents[CT_ANIMATION_LANES * i] = (uint16_t)(value - ((1u << bits) >> 1));
        bit += bits;
    }
}
