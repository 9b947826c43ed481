#include "dev/inspect/sound_rows.h"

#include <math.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) {
    const ct_sound_instance_info *const x = &((const ct_sound_row *)a)->info;
    const ct_sound_instance_info *const y = &((const ct_sound_row *)b)->info;
    if (x->volume != y->volume)
        return x->volume > y->volume ? -1 : 1;
    return x->instance.value < y->instance.value ? -1 : 1;
}

void ct_sound_rows_collect(ct_sound_rows *rows, ct_allocator *a, const ct_world_system *worlds) {
    ct_array_init(&rows->items, a);
    for (uint32_t k = 0; k < ct_world_system_num_worlds(worlds); ++k) {
        const ct_world *const world = ct_world_system_world(worlds, k);
        const ct_sound_world *const w = ct_world_sounds(world);
        const uint32_t count = w ? ct_sound_world_count(w) : 0;
        for (uint32_t i = 0; i < count; ++i)
            ct_array_push(&rows->items, ((ct_sound_row){world, k, ct_sound_world_info(w, i)}));
    }
    if (rows->items.count)
        qsort(rows->items.items, rows->items.count, sizeof(ct_sound_row), compare);
}

void ct_sound_rows_free(ct_sound_rows *rows) {
    ct_array_free(&rows->items);
}

const char *ct_sound_row_state(const ct_sound_row *row) {
    return row->info.is_paused ? "paused" : row->info.num_real ? "real" : "virtual";
}

double ct_sound_row_db(float gain) {
    return gain > 1e-5f ? 20 * log10((double)gain) : -100;
}
