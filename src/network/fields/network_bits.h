// network_bits.h: numbers of any width, one behind the other, in an array of bytes.
//
// Bits fill bytes from the lowest up. A writer that is full and a reader at the end set a flag and
// go on harmlessly: a packet is checked once, behind its last read. `is_full` and `is_over` are right
// after each call. A copy of the struct is a place to go back to: assign it to undo what was written
// or read since. Pure; any thread.
#pragma once
#include "foundation/types.h"

typedef struct ct_bit_writer {
    uint8_t *bytes;
    uint64_t held;           // bits that are not in `bytes` yet, the first is the lowest
    uint32_t num_held;       // less than 32 between calls
    uint32_t size, capacity; // bytes
    bool is_full;            // something did not fit; what `bytes` holds is not to be used
} ct_bit_writer;

typedef struct ct_bit_reader {
    const uint8_t *bytes;
    uint64_t held;
    uint32_t num_held;
    uint32_t at, size; // bytes
    bool is_over;      // more was read than there is; what was read is 0
} ct_bit_reader;

// Begins to write to `bytes`, which holds `capacity` and is borrowed.
ct_bit_writer ct_bits_write_to(void *bytes, uint32_t capacity);
// Writes the lowest `width` (0 to 32) bits of `value`; higher ones must be 0.
void ct_bits_write(ct_bit_writer *w, uint32_t value, uint32_t width);
// Writes an unsigned number in groups of `group` (1 to 31) bits with a bit behind each group that
// says whether another follows: small numbers are short.
void ct_bits_write_groups(ct_bit_writer *w, uint32_t value, uint32_t group);
// Fills the last byte with 0 and returns the size in bytes. Nothing may be written after it.
uint32_t ct_bits_end(ct_bit_writer *w);
// Returns how many bits have been written.
uint64_t ct_bits_written(const ct_bit_writer *w);

// Begins to read `size` bytes, which are borrowed.
ct_bit_reader ct_bits_read_from(const void *bytes, uint32_t size);
// Reads `width` (0 to 32) bits.
uint32_t ct_bits_read(ct_bit_reader *r, uint32_t width);
// Reads what ct_bits_write_groups wrote; a number that needs more than 32 bits sets `is_over`.
uint32_t ct_bits_read_groups(ct_bit_reader *r, uint32_t group);
// Returns how many bits are left to be read.
uint64_t ct_bits_left(const ct_bit_reader *r);
// Returns true when all was read and nothing but bits of 0, less than a byte, is left.
bool ct_bits_is_done(const ct_bit_reader *r);
