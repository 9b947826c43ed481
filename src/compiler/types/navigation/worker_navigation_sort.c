// Which tiles the shapes of the level touch.
#include "compiler/types/navigation/worker_navigation.h"
#include "foundation/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Tiles from least to most along both axes.
typedef struct tile_range {
    int32_t least[2], most[2];
} tile_range;

typedef struct sorter {
    ct_worker_navigation *n;
    float reach;      // metres around a tile that are looked at
    ct_hash_map keys; // of x and y to position + 1
    bool is_full;
} sorter;

// Recast's advice: the radius and a little, so that regions at the side of a tile are as they would be
// without a side.
uint32_t ct_worker_navigation_border(const ct_worker_navigation *n, uint32_t class) {
    return (uint32_t)ceilf(n->classes.items[class].source.radius / n->source.cell_size) + 3;
}

static int32_t tile_of(const sorter *s, float at) {
    const float most = 1 << 22;
    return (int32_t)fmaxf(fminf(floorf(at / s->n->tile_size), most), -most);
}

static tile_range range_of(const sorter *s, const float least[2], const float most[2]) {
    tile_range range;
    for (uint32_t i = 0; i < 2; ++i) {
        range.least[i] = tile_of(s, least[i] - s->reach);
        range.most[i] = tile_of(s, most[i] + s->reach);
    }
    return range;
}

static uint64_t num_tiles(const tile_range *range) {
    return (uint64_t)(range->most[0] - range->least[0] + 1) *
           (uint64_t)(range->most[1] - range->least[1] + 1);
}

static void add_to_tile(sorter *s, int32_t x, int32_t y, ct_worker_navigation_item item) {
    ct_worker_navigation *const n = s->n;
    const uint64_t key = (uint64_t)(uint32_t)x << 32 | (uint32_t)y;
    uint32_t at = (uint32_t)ct_hash_map_get(&s->keys, key, 0);
    if (at == 0) {
        if (n->places.count == CT_NAVIGATION_MAX_TILES) {
            s->is_full = true;
            return;
        }
        ct_worker_navigation_place place = {.x = x, .y = y};
        ct_array_init(&place.items, n->compile->allocator);
        ct_array_push(&n->places, place);
        at = n->places.count;
        ct_hash_map_set(&s->keys, key, at);
    }
    ct_array_push(&n->places.items[at - 1].items, item);
}

static void add_to_range(sorter *s, const tile_range *range, ct_worker_navigation_item item) {
    s->is_full |= num_tiles(range) > CT_NAVIGATION_MAX_TILES;
    for (int32_t y = range->least[1]; y <= range->most[1] && !s->is_full; ++y) {
        for (int32_t x = range->least[0]; x <= range->most[0] && !s->is_full; ++x)
            add_to_tile(s, x, y, item);
    }
}

static void sort_surface(sorter *s, uint32_t number) {
    const ct_worker_navigation_piece *const piece = &s->n->pieces.items[number];
    for (uint32_t i = 0; i < piece->num_triangles && !s->is_full; ++i) {
        const ct_worker_navigation_triangle *const t =
            &s->n->triangles.items[piece->first_triangle + i];
        float least[2], most[2];
        for (uint32_t k = 0; k < 2; ++k) {
            least[k] = fminf(fminf(t->at[0][k], t->at[1][k]), t->at[2][k]);
            most[k] = fmaxf(fmaxf(t->at[0][k], t->at[1][k]), t->at[2][k]);
        }
        const tile_range range = range_of(s, least, most);
        add_to_range(s, &range, (ct_worker_navigation_item){number, piece->first_triangle + i});
    }
}

static void sort_piece(sorter *s, uint32_t number) {
    const ct_worker_navigation_piece *const piece = &s->n->pieces.items[number];
    const float least[2] = {piece->bounds.min.x, piece->bounds.min.y};
    const float most[2] = {piece->bounds.max.x, piece->bounds.max.y};
    if (piece->kind == CT_WORKER_NAVIGATION_SURFACE) {
        sort_surface(s, number);
    } else if (piece->kind != CT_WORKER_NAVIGATION_PLANE) {
        const tile_range range = range_of(s, least, most);
        add_to_range(s, &range, (ct_worker_navigation_item){.piece = number});
    }
}

// The tiles of a level that only has a plane: a few around the origin.
static tile_range whole_range(const ct_worker_navigation *n) {
    tile_range range = {{-2, -2}, {1, 1}};
    for (uint32_t i = 0; i < n->places.count; ++i) {
        const int32_t at[2] = {n->places.items[i].x, n->places.items[i].y};
        for (uint32_t k = 0; k < 2; ++k) {
            range.least[k] = i == 0 || at[k] < range.least[k] ? at[k] : range.least[k];
            range.most[k] = i == 0 || at[k] > range.most[k] ? at[k] : range.most[k];
        }
    }
    return range;
}

static int compare_places(const void *a, const void *b) {
    const ct_worker_navigation_place *const p = a, *const q = b;
    if (p->y != q->y)
        return p->y < q->y ? -1 : 1;
    return p->x < q->x ? -1 : p->x > q->x;
}

// A plane has no end: it is where anything else is. Its items come last in each place.
static void sort_planes(sorter *s) {
    const tile_range range = whole_range(s->n);
    for (uint32_t i = 0; i < s->n->pieces.count; ++i) {
        if (s->n->pieces.items[i].kind == CT_WORKER_NAVIGATION_PLANE)
            add_to_range(s, &range, (ct_worker_navigation_item){.piece = i});
    }
}

bool ct_worker_navigation_sort(ct_worker_navigation *n) {
    ct_compile *const c = n->compile;
    sorter s = {.n = n, .keys.allocator = c->allocator};
    for (uint32_t i = 0; i < n->classes.count; ++i)
        s.reach = fmaxf(s.reach, (float)ct_worker_navigation_border(n, i) * n->source.cell_size);
    for (uint32_t i = 0; i < n->pieces.count && !s.is_full; ++i)
        sort_piece(&s, i);
    if (!s.is_full)
        sort_planes(&s);
    if (s.is_full)
        return ct_compile_error(c, c->doc, n->source.level_value,
                                "the level needs more than %d tiles; raise `tile_size`, or give "
                                "units that are not walked on the tag \"%.64s\"",
                                CT_NAVIGATION_MAX_TILES,
                                n->source.excluded_tag ? n->source.excluded_tag : "");
    if (n->places.count > 0)
        qsort(n->places.items, n->places.count, sizeof(*n->places.items), compare_places);
    return true;
}
