// Finds the units of levels by entity and by id. A level is indexed on the first look-up, not when
// it spawns, because most games never look up.
#include "world/world_private.h"

static void index_units(ct_level_record *record) {
    ct_hash_map_reserve(&record->entity_places, record->num_units);
    ct_hash_map_reserve(&record->id_places, record->num_units);
    for (; record->num_indexed < record->num_units; ++record->num_indexed) {
        const uint32_t place = record->num_indexed;
        if (record->units[place].id == 0)
            continue;
        ct_hash_map_add(&record->entity_places, record->units[place].id, place);
        ct_hash_map_add(&record->id_places, record->ids[place], place); // the first of each
    }
}

// The level's record, in which all units that are spawned can be found.
static const ct_level_record *indexed_record(ct_world *w, uint32_t i) {
    ct_level_record *const record = &w->level_records.items[i];
    if (record->num_indexed < record->num_units)
        index_units(record);
    return record;
}

ct_level ct_world_find_level_unit(ct_world *w, ct_entity unit, uint32_t *place) {
    for (uint32_t i = 0; i < w->levels.count; ++i) {
        const uint64_t *const found =
            ct_hash_map_find(&indexed_record(w, i)->entity_places, unit.id);
        if (!found)
            continue;
        *place = (uint32_t)*found;
        return w->levels.items[i];
    }
    return (ct_level){0};
}

ct_entity ct_world_unit_with_id(ct_world *w, uint32_t id) {
    for (uint32_t i = 0; i < w->levels.count; ++i) {
        const ct_level_record *const record = indexed_record(w, i);
        const uint64_t *const place = ct_hash_map_find(&record->id_places, id);
        if (place && ct_entity_is_alive(w->system->entities, record->units[*place]))
            return record->units[*place];
    }
    return (ct_entity){0};
}

void ct_world_set_level_unit(ct_world *w, ct_level level, uint32_t place, ct_entity root) {
    for (uint32_t i = 0; i < w->levels.count; ++i) {
        ct_level_record *const record = &w->level_records.items[i];
        if (w->levels.items[i].id != level.id)
            continue;
        if (record->units[place].id)
            ct_hash_map_erase(&record->entity_places, record->units[place].id);
        record->units[place] = root;
        if (place >= record->num_indexed)
            return;
        ct_hash_map_set(&record->entity_places, root.id, place);
        ct_hash_map_add(&record->id_places, record->ids[place], place);
        return;
    }
}

void ct_world_forget_dead_units(ct_world *w) {
    for (uint32_t i = 0; i < w->level_records.count; ++i) {
        ct_level_record *const record = &w->level_records.items[i];
        for (uint32_t place = 0; place < record->num_units; ++place) {
            const ct_entity unit = record->units[place];
            if (unit.id == 0 || ct_entity_is_alive(w->system->entities, unit))
                continue;
            ct_hash_map_erase(&record->entity_places, unit.id);
            record->units[place] = (ct_entity){0};
        }
    }
}
