// animation_stream.h: reads the stream and the jump frames of a clip (animation_resource.h).
//
// Shared by the validation of blobs, the player of clips and tools. All functions trust the blob:
// it was validated, or is being simulated with places that were checked. Any thread. libc only.
#pragma once
#include <string.h>

#include "resource/types/animation_resource.h"

typedef int32_t ct_animation_int4 __attribute__((vector_size(16)));
typedef uint32_t ct_animation_uint4 __attribute__((vector_size(16)));
typedef float ct_animation_float4 __attribute__((vector_size(16)));

// A segment of a lane is an array of these: four numbers of 16 bits each, of which a lane uses 1, 3
// or 4. The others are 0.
typedef uint16_t ct_animation_numbers __attribute__((vector_size(8), may_alias));

// The lowest bits: as many as the index says.
static const uint32_t ct_animation_masks[33] = {
    0x0,       0x1,        0x3,        0x7,        0xf,       0x1f,      0x3f,
    0x7f,      0xff,       0x1ff,      0x3ff,      0x7ff,     0xfff,     0x1fff,
    0x3fff,    0x7fff,     0xffff,     0x1ffff,    0x3ffff,   0x7ffff,   0xfffff,
    0x1fffff,  0x3fffff,   0x7fffff,   0xffffff,   0x1ffffff, 0x3ffffff, 0x7ffffff,
    0xfffffff, 0x1fffffff, 0x3fffffff, 0x7fffffff, 0xffffffff};

// The rows of a segment. Only those of wide groups have upper bits of values.
enum {
    CT_ANIMATION_START, // values
    CT_ANIMATION_END,
    CT_ANIMATION_START_TANGENT, // int16
    CT_ANIMATION_END_TANGENT,
    CT_ANIMATION_START_UPPER,
    CT_ANIMATION_END_UPPER,
    CT_ANIMATION_SEGMENT_ROWS,
};

// Returns the numbers of a track of this group that have values and tangents: 1, 3 or 4.
static inline uint32_t ct_animation_num_numbers(const ct_animation_group *group) {
    if (group->kind == CT_ANIMATION_TRACK_CURVE)
        return 1;
    return group->flags & CT_ANIMATION_GROUP_QUATERNION ? 4 : 3;
}

// Returns the rows of each segment of a group.
static inline uint32_t ct_animation_num_segment_rows(const ct_animation_group *group) {
    return group->flags & CT_ANIMATION_GROUP_WIDE ? CT_ANIMATION_SEGMENT_ROWS
                                                  : CT_ANIMATION_START_UPPER;
}

// Returns the rows of a group in the array `rows`.
static inline uint32_t ct_animation_num_group_rows(const ct_animation_group *group, bool has_keys) {
    const uint32_t numbers = ct_animation_num_numbers(group);
    if (group->kind != CT_ANIMATION_TRACK_ROTATION)
        return has_keys ? numbers + 2 : numbers;
    return has_keys ? numbers + 2 + (numbers == 3 ? 4 : 0) : 4;
}

// Returns the bits of a lane with keys in a jump frame.
static inline uint32_t ct_animation_jump_lane_bits(const ct_animation_lane *lane) {
    uint32_t bits = (uint32_t)lane->duration_bits + lane->jump_place_bits;
    for (uint32_t i = 0; i < 4; ++i)
        bits += (uint32_t)lane->jump_value_bits[i] + lane->jump_tangent_bits[i];
    return bits;
}

// Returns the bytes of a jump frame.
static inline uint32_t ct_animation_jump_bytes(const ct_animation_group *groups,
                                               uint32_t num_keyed_groups) {
    uint32_t bits = 0;
    for (uint32_t i = 0; i < num_keyed_groups * CT_ANIMATION_LANES; ++i) {
        const ct_animation_lane *const lane =
            &groups[i / CT_ANIMATION_LANES].lanes[i % CT_ANIMATION_LANES];
        bits += lane->duration_bits ? ct_animation_jump_lane_bits(lane) : 0;
    }
    return (bits + 7) / 8;
}

// Returns the bits of one key of a lane.
static inline uint32_t ct_animation_key_bits(const ct_animation_lane *lane) {
    uint32_t bits = lane->duration_bits;
    for (uint32_t i = 0; i < 4; ++i)
        bits += (uint32_t)lane->value_bits[i] + lane->tangent_bits[i];
    return bits;
}

// Bits that are taken from a stream, from the lowest of each byte. After ct_animation_refill at
// least 57 can be taken.
typedef struct ct_animation_bits {
    const uint8_t *stream;
    uint32_t place;
    uint64_t word; // what follows at the place
} ct_animation_bits;

// Reads what follows at the place.
static inline void ct_animation_refill(ct_animation_bits *b) {
    uint64_t word;
    memcpy(&word, b->stream + (b->place >> 3), sizeof(word));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    b->word = word >> (b->place & 7);
}

// Starts to read at bit `place`.
static inline ct_animation_bits ct_animation_bits_at(const uint8_t *stream, uint32_t place) {
    ct_animation_bits b = {stream, place, 0};
    ct_animation_refill(&b);
    return b;
}

// Takes a number of `count` bits, 32 at most.
static inline uint32_t ct_animation_take(ct_animation_bits *b, uint32_t count) {
    const uint32_t number = (uint32_t)b->word & ct_animation_masks[count];
    b->word >>= count;
    b->place += count;
    return number;
}

// Takes a number with its sign: 0 in the stream is the least one.
static inline uint32_t ct_animation_take_signed(ct_animation_bits *b, uint32_t count) {
    return ct_animation_take(b, count) - ((ct_animation_masks[count] + 1) >> 1);
}

// Takes the numbers of a lane, three or (`has_fourth`) four; each has CT_ANIMATION_MAX_VALUE_BITS at
// most. As many bits again fit in the refill before them, and in the last one.
static inline ct_animation_uint4 ct_animation_take4(ct_animation_bits *b, const uint8_t counts[4],
                                                    bool has_fourth) {
    const uint32_t x = ct_animation_take(b, counts[0]);
    ct_animation_refill(b);
    const uint32_t y = ct_animation_take(b, counts[1]);
    const uint32_t z = ct_animation_take(b, counts[2]);
    ct_animation_refill(b);
    const uint32_t w = has_fourth ? ct_animation_take(b, counts[3]) : 0;
    return (ct_animation_uint4){x, y, z, w};
}

// As ct_animation_take4, for numbers with signs.
static inline ct_animation_uint4
ct_animation_take_signed4(ct_animation_bits *b, const uint8_t counts[4], bool has_fourth) {
    const uint32_t x = ct_animation_take_signed(b, counts[0]);
    ct_animation_refill(b);
    const uint32_t y = ct_animation_take_signed(b, counts[1]);
    const uint32_t z = ct_animation_take_signed(b, counts[2]);
    ct_animation_refill(b);
    const uint32_t w = has_fourth ? ct_animation_take_signed(b, counts[3]) : 0;
    return (ct_animation_uint4){x, y, z, w};
}

// Returns the duration in frames of the key at place `bit`.
static inline uint32_t ct_animation_key_duration(const ct_animation_lane *lane,
                                                 const uint8_t *stream, uint32_t bit) {
    ct_animation_bits b = ct_animation_bits_at(stream, bit);
    return ct_animation_take(&b, lane->duration_bits) + 1;
}

// Returns the numbers of `yes` where the mask is set, else those of `no`.
static inline ct_animation_float4
ct_animation_chosen(ct_animation_int4 mask, ct_animation_float4 yes, ct_animation_float4 no) {
    return (ct_animation_float4)((mask & (ct_animation_int4)yes) | (~mask & (ct_animation_int4)no));
}

// Returns the tangents at the end of a segment whose lane has derived tangents: 1.5 times the slope
// less half the tangent at the start. `start` and `end` are less than 2^24 apart, or the result is
// not exact, but the same everywhere: vectors have no extra bits on any machine.
static inline ct_animation_int4 ct_animation_derived_tangents(ct_animation_uint4 start,
                                                              ct_animation_uint4 end,
                                                              ct_animation_int4 tangents,
                                                              uint32_t duration, uint32_t shift) {
    const ct_animation_int4 none = {0, 0, 0, 0};
    const ct_animation_float4 steps =
        __builtin_convertvector(none + (1 << shift), ct_animation_float4) /
        __builtin_convertvector(none + (int32_t)duration, ct_animation_float4);
    const ct_animation_float4 most = {32767, 32767, 32767, 32767};
    const ct_animation_float4 slopes =
        __builtin_convertvector((ct_animation_int4)(end - start), ct_animation_float4) * steps;
    ct_animation_float4 derived =
        slopes * 1.5f - __builtin_convertvector(tangents, ct_animation_float4) * 0.5f;
    derived = ct_animation_chosen(derived > -most, derived, -most);
    derived = ct_animation_chosen(derived < most, derived, most);
    return __builtin_convertvector(derived, ct_animation_int4);
}

// Returns where the tangents at a key lead after `duration` frames: what values are differences to.
static inline ct_animation_uint4 ct_animation_predicted(ct_animation_uint4 values,
                                                        ct_animation_int4 tangents,
                                                        uint32_t duration, uint32_t shift) {
    return values + (ct_animation_uint4)((tangents * (int32_t)duration) >> (int32_t)shift);
}

// Returns the values at a segment's CT_ANIMATION_START or CT_ANIMATION_END.
static inline ct_animation_uint4 ct_animation_values(const ct_animation_numbers *segment,
                                                     uint32_t row, bool is_wide) {
    ct_animation_uint4 values = __builtin_convertvector(segment[row], ct_animation_uint4);
    if (is_wide)
        values |=
            __builtin_convertvector(segment[CT_ANIMATION_START_UPPER + row], ct_animation_uint4)
            << 16;
    return values;
}

// Returns the tangents of a segment's row.
static inline ct_animation_int4 ct_animation_tangents(const ct_animation_numbers *segment,
                                                      uint32_t row) {
    typedef int16_t signed_numbers __attribute__((vector_size(8)));
    return __builtin_convertvector((signed_numbers)segment[row], ct_animation_int4);
}

// Sets the values and tangents at the end of a segment. Without `is_wide`, only the lower 16 bits
// of values.
static inline void ct_animation_set_end(ct_animation_numbers *segment, ct_animation_uint4 values,
                                        ct_animation_uint4 tangents, bool is_wide) {
    segment[CT_ANIMATION_END] = __builtin_convertvector(values, ct_animation_numbers);
    segment[CT_ANIMATION_END_TANGENT] = __builtin_convertvector(tangents, ct_animation_numbers);
    if (is_wide)
        segment[CT_ANIMATION_END_UPPER] =
            __builtin_convertvector(values >> 16, ct_animation_numbers);
}

// Makes the end of a segment the start of the next, and reads its end: the lane's key at place
// `bit`, which becomes the place behind it. Returns the duration.
static inline uint32_t ct_animation_read_key(const ct_animation_group *group, uint32_t lane,
                                             const uint8_t *stream, uint32_t *bit,
                                             ct_animation_numbers *segment) {
    const ct_animation_lane *const l = &group->lanes[lane];
    const bool is_wide = group->flags & CT_ANIMATION_GROUP_WIDE;
    const bool has_fourth = group->flags & CT_ANIMATION_GROUP_QUATERNION;
    const uint32_t shift = l->tangent_shift;
    ct_animation_bits b = ct_animation_bits_at(stream, *bit);
    const uint32_t duration = ct_animation_take(&b, l->duration_bits) + 1;
    const ct_animation_uint4 differences = ct_animation_take_signed4(&b, l->value_bits, has_fourth);
    const ct_animation_uint4 start = ct_animation_values(segment, CT_ANIMATION_END, is_wide);
    const ct_animation_int4 tangents = ct_animation_tangents(segment, CT_ANIMATION_END_TANGENT);
    ct_animation_uint4 end = ct_animation_predicted(start, tangents, duration, shift) + differences;
    if (!is_wide)
        end &= 0xffff;
    const ct_animation_uint4 end_tangents =
        l->has_derived_tangents ? (ct_animation_uint4)ct_animation_derived_tangents(
                                      start, end, tangents, duration, shift)
                                : ct_animation_take_signed4(&b, l->tangent_bits, has_fourth);
    *bit = b.place;
    segment[CT_ANIMATION_START] = segment[CT_ANIMATION_END];
    segment[CT_ANIMATION_START_TANGENT] = segment[CT_ANIMATION_END_TANGENT];
    if (is_wide)
        segment[CT_ANIMATION_START_UPPER] = segment[CT_ANIMATION_END_UPPER];
    ct_animation_set_end(segment, end, end_tangents, is_wide);
    return duration;
}

// What a jump frame says of a lane: where its active segment starts.
typedef struct ct_animation_jump_lane {
    uint32_t age;   // frames since the start
    uint32_t place; // of the key at the segment's end: bits before the jump frame's place
} ct_animation_jump_lane;

// Reads a lane of a jump frame from place `bit` of the jump frames, which becomes the place behind
// it. Sets the end of `segment` to the start of the active segment, so that the key at its place,
// which is to be read next, makes it the active one.
static inline ct_animation_jump_lane ct_animation_read_jump(const ct_animation_group *group,
                                                            uint32_t lane, const uint8_t *jumps,
                                                            uint32_t *bit,
                                                            ct_animation_numbers *segment) {
    const ct_animation_lane *const l = &group->lanes[lane];
    const bool has_fourth = group->flags & CT_ANIMATION_GROUP_QUATERNION;
    ct_animation_bits b = ct_animation_bits_at(jumps, *bit);
    const uint32_t age = ct_animation_take(&b, l->duration_bits);
    const uint32_t place = ct_animation_take(&b, l->jump_place_bits);
    ct_animation_refill(&b);
    const ct_animation_uint4 values = ct_animation_take4(&b, l->jump_value_bits, has_fourth);
    const ct_animation_uint4 tangents =
        ct_animation_take_signed4(&b, l->jump_tangent_bits, has_fourth);
    *bit = b.place;
    ct_animation_set_end(segment, values, tangents, group->flags & CT_ANIMATION_GROUP_WIDE);
    return (ct_animation_jump_lane){age, place};
}
