#include "dev/inspect/entity_outline.h"

#include "foundation/container/sort.h"
#include "foundation/error.h"

void ct_entity_outline_init(ct_entity_outline *o, ct_allocator *a, uint64_t last_change) {
    *o = (ct_entity_outline){.first = last_change, .last = last_change};
    ct_array_init(&o->rows, a);
    ct_array_init(&o->next, a);
    ct_array_init(&o->gone, a);
    ct_array_init(&o->found, a);
    ct_array_init(&o->came, a);
    ct_array_init(&o->went, a);
}

void ct_entity_outline_free(ct_entity_outline *o) {
    ct_array_free(&o->rows);
    ct_array_free(&o->next);
    ct_array_free(&o->gone);
    ct_array_free(&o->found);
    ct_array_free(&o->came);
    ct_array_free(&o->went);
}

// --- Updates -------------------------------------------------------------------------------------

// Forgets half of what went when that is too much: whoever has not heard of it gets all entities.
static void limit_gone(ct_entity_outline *o) {
    if (o->gone.count <= CT_ENTITY_OUTLINE_MAX_GONE)
        return;
    const uint32_t num_dropped = o->gone.count - CT_ENTITY_OUTLINE_MAX_GONE / 2;
    o->first = o->gone.items[num_dropped - 1].change;
    ct_array_erase(&o->gone, 0, num_dropped);
}

static void note_gone(ct_entity_outline *o, uint32_t entity) {
    const ct_entity_outline_gone gone = {.change = ++o->last, .entity = entity};
    ct_array_push(&o->gone, gone);
}

// Whether nothing came or went; then hashes are compared in place.
static bool has_same_entities(const ct_entity_outline *o, const uint32_t *entities,
                              uint32_t count) {
    if (count != o->rows.count)
        return false;
    for (uint32_t i = 0; i < count; ++i) {
        if (o->rows.items[i].entity != entities[i])
            return false;
    }
    return true;
}

static void update_hashes(ct_entity_outline *o, const uint32_t *hashes) {
    for (uint32_t i = 0; i < o->rows.count; ++i) {
        ct_entity_outline_row *const row = &o->rows.items[i];
        if (row->hash == hashes[i])
            continue;
        row->hash = hashes[i];
        row->change = ++o->last;
    }
}

void ct_entity_outline_update(ct_entity_outline *o, const uint32_t *entities,
                              const uint32_t *hashes, uint32_t count) {
    if (has_same_entities(o, entities, count)) {
        update_hashes(o, hashes);
        return;
    }
    uint32_t at = 0;
    o->next.count = 0;
    for (uint32_t i = 0; i < count; ++i) {
        CT_ASSERT(i == 0 || entities[i - 1] < entities[i], "entities are not in order");
        while (at < o->rows.count && o->rows.items[at].entity < entities[i])
            note_gone(o, o->rows.items[at++].entity);
        ct_entity_outline_row row = {.entity = entities[i], .hash = hashes[i]};
        const bool is_known = at < o->rows.count && o->rows.items[at].entity == entities[i];
        const bool is_same = is_known && o->rows.items[at].hash == hashes[i];
        row.change = is_same ? o->rows.items[at].change : ++o->last;
        at += is_known;
        ct_array_push(&o->next, row);
    }
    while (at < o->rows.count)
        note_gone(o, o->rows.items[at++].entity);
    const ct_entity_outline_rows before = o->rows;
    o->rows = o->next;
    o->next = before;
    limit_gone(o);
}

// --- Answers -------------------------------------------------------------------------------------

// Finds the rows behind `since`, in the order of their changes: the change in the upper half, the row in the lower.
static void find_changed(ct_entity_outline *o, uint64_t since) {
    o->found.count = 0;
    for (uint32_t i = 0; i < o->rows.count; ++i) {
        const uint64_t change = o->rows.items[i].change;
        const uint64_t after = change - since < UINT32_MAX ? change - since : UINT32_MAX;
        if (change > since)
            ct_array_push(&o->found, after << 32 | i);
    }
    const uint32_t count = o->found.count;
    if (count < 2)
        return;
    ct_array_resize(&o->found, 2 * count); // room to sort in
    ct_sort_u64(o->found.items, o->found.items + count, count);
    o->found.count = count;
}

ct_entity_outline_answer ct_entity_outline_since(ct_entity_outline *o, uint64_t since,
                                                 uint32_t most) {
    ct_entity_outline_answer answer = {.is_whole =
                                           since == 0 || since < o->first || since > o->last};
    const uint64_t from = answer.is_whole ? 0 : since;
    find_changed(o, from);
    o->came.count = o->went.count = 0;
    answer.version = o->last;
    answer.has_more = o->found.count > most;
    for (uint32_t i = 0; i < o->found.count && i < most; ++i) {
        const ct_entity_outline_row *const row = &o->rows.items[(uint32_t)o->found.items[i]];
        ct_array_push(&o->came, row->entity);
        if (answer.has_more)
            answer.version = row->change;
    }
    for (uint32_t i = 0; i < o->gone.count && !answer.is_whole; ++i) {
        const ct_entity_outline_gone *const gone = &o->gone.items[i];
        if (gone->change > from && gone->change <= answer.version)
            ct_array_push(&o->went, gone->entity);
    }
    answer.came = o->came.items;
    answer.num_came = o->came.count;
    answer.went = o->went.items;
    answer.num_went = o->went.count;
    return answer;
}
