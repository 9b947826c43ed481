// navigation_crowding.c: polygons that cost more as long as agents crowd there.
#include <string.h>

#include "navigation/mesh/navigation_mesh_private.h"
#include "resource/blob/content_hash.h"

void ct_navigation_set_crowded(ct_navigation_mesh *m, const ct_navigation_crowded *crowded,
                               uint32_t count) {
    ct_array_resize(&m->crowded, count);
    if (count)
        memcpy(m->crowded.items, crowded, sizeof(*crowded) * count);
    m->crowd_hash = count ? ct_content_hash(crowded, sizeof(*crowded) * count) : 0;
}

uint64_t ct_navigation_crowd_hash(const ct_navigation_mesh *m) {
    return m->crowd_hash;
}

float ct_navigation_crowding(const ct_navigation_mesh *m, ct_navigation_place place) {
    uint32_t first = 0, count = m->crowded.count;
    while (count) {
        const uint32_t half = count / 2;
        const ct_navigation_crowded *const c = &m->crowded.items[first + half];
        if (c->place == place)
            return c->factor;
        if (c->place < place) {
            first += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return 1;
}
