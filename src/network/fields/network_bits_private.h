// network_bits_private.h: the bit writer and reader as inline functions, for loops over words.
//
// A loop works on a copy of the writer or reader, which then is in registers, and copies it back
// behind the loop. Only src/network/fields includes this.
#pragma once
#include <string.h>

#include "network/fields/network_bits.h"

// Appends the lowest `count` (at most 4) bytes of `bits` as far as there is room.
void ct_bits_spill(ct_bit_writer *w, uint32_t bits, uint32_t count);
// Takes bytes one by one until 32 bits are held or there are no more.
void ct_bits_refill(ct_bit_reader *r);

// ct_bits_write without the last check of `is_full`; call ct_bits_note_end behind the last.
static inline void ct_bits_put(ct_bit_writer *w, uint32_t value, uint32_t width) {
    w->held |= (uint64_t)value << w->num_held;
    w->num_held += width;
    if (w->num_held < 32)
        return;
    const uint32_t low = (uint32_t)w->held;
    if (w->capacity - w->size >= 4) {
        const uint8_t bytes[4] = {(uint8_t)low, (uint8_t)(low >> 8), (uint8_t)(low >> 16),
                                  (uint8_t)(low >> 24)};
        memcpy(w->bytes + w->size, bytes, 4); // one store
        w->size += 4;
    } else {
        ct_bits_spill(w, low, 4);
    }
    w->held >>= 32;
    w->num_held -= 32;
}

// Sets `is_full` when the bits that are held do not fit.
static inline void ct_bits_note_end(ct_bit_writer *w) {
    if ((uint64_t)w->size * 8 + w->num_held > (uint64_t)w->capacity * 8)
        w->is_full = true;
}

// ct_bits_read.
static inline uint32_t ct_bits_take(ct_bit_reader *r, uint32_t width) {
    if (r->num_held < width) {
        if (r->size - r->at >= 4) {
            const uint8_t *const b = r->bytes + r->at;
            const uint32_t next =
                b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
            r->held |= (uint64_t)next << r->num_held;
            r->num_held += 32;
            r->at += 4;
        } else {
            ct_bits_refill(r);
        }
        if (r->num_held < width) {
            r->is_over = true;
            return 0;
        }
    }
    const uint32_t value = (uint32_t)(r->held & ((UINT64_C(1) << width) - 1));
    r->held >>= width;
    r->num_held -= width;
    return value;
}
