// Changes of world poses, in one list that each reader follows with its own cursor.
#include "entity/transform_private.h"

#include "foundation/error.h"

enum { LEAST_CHANGES = 1024 };

// --- Entering ------------------------------------------------------------------------------------

// Removes the zeros from the changes, which add up when a reader rarely reads.
static void compact(ct_transform_manager *m) {
    uint32_t kept = 0, cursors[CT_TRANSFORM_MAX_READERS] = {0};
    for (uint32_t k = 0; k < m->changes.count; ++k) {
        for (uint32_t r = 0; r < m->num_readers; ++r)
            cursors[r] = m->cursors[r] == k ? kept : cursors[r];
        const uint32_t i = m->changes.items[k];
        if (i == 0)
            continue;
        m->changes.items[kept++] = i;
        m->change[i] = kept;
    }
    m->newest_cursor = 0;
    for (uint32_t r = 0; r < m->num_readers; ++r) {
        m->cursors[r] = m->cursors[r] == m->changes.count ? kept : cursors[r];
        m->newest_cursor = m->cursors[r] > m->newest_cursor ? m->cursors[r] : m->newest_cursor;
    }
    m->changes.count = kept;
}

void ct_transform_add_change(ct_transform_manager *m, uint32_t i) {
    if (m->change[i])
        m->changes.items[m->change[i] - 1] = 0;
    if (m->changes.count >= LEAST_CHANGES && m->changes.count / 2 >= m->table.soa.count)
        compact(m);
    ct_array_push(&m->changes, i);
    m->change[i] = m->changes.count;
}

void ct_transform_drop_change(ct_transform_manager *m, uint32_t i) {
    if (m->change[i])
        m->changes.items[m->change[i] - 1] = 0;
    m->change[i] = 0;
}

void ct_transform_mark_changed(ct_transform_manager *m, ct_transform t) {
    ct_transform_note_change(m, ct_transform_checked(m, t));
}

// --- Reading -------------------------------------------------------------------------------------

ct_transform_reader ct_transform_add_reader(ct_transform_manager *m) {
    CT_REQUIRE(m->num_readers < CT_TRANSFORM_MAX_READERS, "%u readers of changes are too many",
               m->num_readers);
    m->cursors[m->num_readers] = 0;
    return (ct_transform_reader){m->num_readers++};
}

const uint32_t *ct_transform_changed(const ct_transform_manager *m, ct_transform_reader reader,
                                     uint32_t *count) {
    CT_ASSERT(reader.number < m->num_readers, "there is no reader %u", reader.number);
    *count = m->changes.count - m->cursors[reader.number];
    return *count > 0 ? m->changes.items + m->cursors[reader.number] : NULL;
}

bool ct_transform_is_changed(const ct_transform_manager *m, ct_transform_reader reader,
                             ct_transform t) {
    return m->change[ct_transform_checked(m, t)] > m->cursors[reader.number];
}

void ct_transform_clear_changed(ct_transform_manager *m, ct_transform_reader reader) {
    const uint32_t count = m->changes.count;
    m->cursors[reader.number] = m->newest_cursor = count;
    for (uint32_t r = 0; r < m->num_readers; ++r) {
        if (m->cursors[r] != count)
            return;
    }
    for (uint32_t k = 0; k < count; ++k) // all have read all; entry 0 is the none's
        m->change[m->changes.items[k]] = 0;
    for (uint32_t r = 0; r < m->num_readers; ++r)
        m->cursors[r] = 0;
    m->changes.count = m->newest_cursor = 0;
}
