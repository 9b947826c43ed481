#include "network/fields/network_bits.h"

#include "foundation/error.h"
#include "network/fields/network_bits_private.h"

// --- Writing -------------------------------------------------------------------------------------

ct_bit_writer ct_bits_write_to(void *bytes, uint32_t capacity) {
    return (ct_bit_writer){.bytes = bytes, .capacity = capacity};
}

void ct_bits_spill(ct_bit_writer *w, uint32_t bits, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        if (w->size == w->capacity) {
            w->is_full = true;
            return;
        }
        w->bytes[w->size++] = (uint8_t)(bits >> 8 * i);
    }
}

void ct_bits_write(ct_bit_writer *w, uint32_t value, uint32_t width) {
    CT_ASSERT(width <= 32 && (uint64_t)value >> width == 0, "%u in %u bits", value, width);
    ct_bits_put(w, value, width);
    ct_bits_note_end(w);
}

void ct_bits_write_groups(ct_bit_writer *w, uint32_t value, uint32_t group) {
    CT_ASSERT(group >= 1 && group <= 31, "groups of %u bits", group);
    const uint32_t mask = (UINT32_C(1) << group) - 1;
    do {
        const uint32_t low = value & mask;
        value >>= group;
        ct_bits_put(w, low | (uint32_t)(value != 0) << group, group + 1);
    } while (value != 0);
    ct_bits_note_end(w);
}

uint32_t ct_bits_end(ct_bit_writer *w) {
    ct_bits_spill(w, (uint32_t)w->held, (w->num_held + 7) / 8);
    w->held = 0;
    w->num_held = 0;
    return w->size;
}

uint64_t ct_bits_written(const ct_bit_writer *w) {
    return (uint64_t)w->size * 8 + w->num_held;
}

// --- Reading -------------------------------------------------------------------------------------

ct_bit_reader ct_bits_read_from(const void *bytes, uint32_t size) {
    return (ct_bit_reader){.bytes = bytes, .size = size};
}

void ct_bits_refill(ct_bit_reader *r) {
    while (r->num_held < 32 && r->at < r->size) {
        r->held |= (uint64_t)r->bytes[r->at++] << r->num_held;
        r->num_held += 8;
    }
}

uint32_t ct_bits_read(ct_bit_reader *r, uint32_t width) {
    CT_ASSERT(width <= 32, "%u bits", width);
    return ct_bits_take(r, width);
}

uint32_t ct_bits_read_groups(ct_bit_reader *r, uint32_t group) {
    CT_ASSERT(group >= 1 && group <= 31, "groups of %u bits", group);
    const uint32_t mask = (UINT32_C(1) << group) - 1;
    uint64_t value = 0;
    for (uint32_t shift = 0; shift < 32; shift += group) {
        const uint32_t read = ct_bits_take(r, group + 1);
        value |= (uint64_t)(read & mask) << shift;
        if (value > UINT32_MAX)
            break;
        if (read >> group == 0)
            return (uint32_t)value;
    }
    r->is_over = true;
    return 0;
}

uint64_t ct_bits_left(const ct_bit_reader *r) {
    return (uint64_t)(r->size - r->at) * 8 + r->num_held;
}

bool ct_bits_is_done(const ct_bit_reader *r) {
    return !r->is_over && ct_bits_left(r) < 8 && r->held == 0;
}
