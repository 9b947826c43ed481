// Removes many rows at once, in one walk over the table. Erasing one by one would move other rows.
#include "entity/instance_table.h"
#include "foundation/memory/temp_allocator.h"

enum { FEWEST = 64, LEAST_PART = 8 }; // worth a walk over all: at least so many, for 8 rows one

bool ct_instance_table_sweeps_for(const ct_instance_table *t, uint32_t count) {
    return count >= FEWEST && (uint64_t)count * LEAST_PART >= ct_instance_table_count(t);
}

// Marks row `i` and the rows after it in its chain, all of the entity that has or had the index of
// `e`; returns their number.
static uint32_t mark_chain(ct_instance_table *t, uint32_t i, ct_entity e) {
    uint32_t num_marked = 0;
    CT_ASSERT(t->lookup == CT_INSTANCE_LOOKUP_SPARSE,
              "a table that finds rows by hash cannot mark rows");
    if (i)
        t->places.items[ct_entity_index(e)] = ct_instance_table_no_place(ct_entity_index(e));
    for (; i; i = t->next ? t->next[i] : 0, ++num_marked)
        t->entity[i] = (ct_entity){0};
    return num_marked;
}

uint32_t ct_instance_table_mark_formers(ct_instance_table *t, const ct_entity *entities,
                                        uint32_t count) {
    uint32_t num_marked = 0;
    for (uint32_t k = 0; k < count && num_marked < ct_instance_table_count(t); ++k)
        num_marked += mark_chain(t, ct_instance_table_former(t, entities[k]), entities[k]);
    return num_marked;
}

uint32_t ct_instance_table_mark(ct_instance_table *t, const ct_entity *entities, uint32_t count) {
    uint32_t num_marked = 0;
    for (uint32_t k = 0; k < count && num_marked < ct_instance_table_count(t); ++k)
        num_marked += mark_chain(t, ct_instance_table_first(t, entities[k]), entities[k]);
    return num_marked;
}

// Returns the new place of each row, 0 for rows that end; in `temp`.
static const uint32_t *number_rows(const ct_instance_table *t, ct_allocator *temp) {
    uint32_t *const rows = ct_alloc(temp, sizeof(*rows) * (uint64_t)t->soa.count);
    rows[0] = 0;
    for (uint32_t i = 1, n = 1; i < t->soa.count; ++i)
        rows[i] = ct_instance_table_is_marked(t, i) ? 0 : n++;
    return rows;
}

// Updates all references to rows to the new places.
static void redirect_all(ct_instance_table *t, const uint32_t *rows) {
    for (uint32_t i = 1; i < t->soa.count; ++i) {
        if (rows[i] == 0 || (rows[i] == i && !t->next))
            continue;
        const ct_entity e = t->entity[i];
        if (t->next) {
            t->next[i] = rows[t->next[i]];
            t->previous[i] = rows[t->previous[i]];
        }
        if (ct_instance_table_first(t, e) == i)
            t->places.items[ct_entity_index(e)] = ct_instance_table_place(e, rows[i]);
    }
}

void ct_instance_table_sweep(ct_instance_table *t) {
    CT_TEMP_ALLOCATOR(temp, t->soa.allocator);
    redirect_all(t, number_rows(t, temp));
    uint32_t to = 1;
    for (uint32_t begin = 1, end; begin < t->soa.count; begin = end) {
        end = begin + 1;
        if (ct_instance_table_is_marked(t, begin))
            continue;
        while (end < t->soa.count && !ct_instance_table_is_marked(t, end))
            ++end;
        ct_soa_block_move_down(&t->soa, to, begin, end - begin);
        to += end - begin;
    }
    t->soa.count = to;
}
