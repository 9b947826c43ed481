#include "resource/blob/id_table.h"

#include "foundation/error.h"

bool ct_id_table_check(const ct_blob_header *blob, ct_blob_array slots, uint32_t num_positions,
                       ct_error *error) {
    if (!ct_blob_check_array(blob, slots, sizeof(uint32_t), 4, "slots", error))
        return false;
    const uint32_t *const places = ct_blob_at(blob, slots.offset);
    uint32_t num_used = 0;
    if (slots.count < 2 || (slots.count & (slots.count - 1)) != 0)
        return ct_error_set(error, "slots: found %u, expected a power of two of at least 2",
                            slots.count);
    for (uint32_t i = 0; i < slots.count; ++i) {
        if (places[i] > num_positions)
            return ct_error_set(error, "slots[%u]: found %u, expected at most %u", i, places[i],
                                num_positions);
        num_used += places[i] != 0;
    }
    return num_used <= slots.count / 2 || ct_error_set(error, "slots: more than half are in use");
}
