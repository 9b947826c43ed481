// Writes the blob.
#include "compiler/types/navigation/worker_navigation.h"

#include <string.h>

static ct_blob_string write_text(ct_blob_writer *w, const char *text) {
    return ct_blob_write_string(w, text, strlen(text));
}

#define WRITE(w, layout, array) ct_blob_write_items((w), &(layout), (array).items, (array).count)

// The arrays of a tile lie together.
static ct_blob_array write_tiles(ct_blob_writer *w, ct_allocator *a,
                                 const ct_worker_navigation_tiles *tiles) {
    const ct_blob_array array = ct_blob_reserve_items(w, &ct_navigation_tile_layout, tiles->count);
    ct_navigation_tile_resource *const items =
        CT_NEW_ARRAY(a, ct_navigation_tile_resource, tiles->count + 1ull);
    for (uint32_t i = 0; i < tiles->count; ++i) {
        const ct_worker_navigation_tile *const t = &tiles->items[i];
        items[i] = t->data;
        items[i].polygons = WRITE(w, ct_navigation_polygon_layout, t->polygons);
        items[i].edges = WRITE(w, ct_navigation_edge_layout, t->edges);
        items[i].vertices = WRITE(w, ct_navigation_vertex_layout, t->vertices);
        items[i].surface_vertices = WRITE(w, ct_navigation_vertex_layout, t->surface_vertices);
        items[i].triangles = WRITE(w, ct_navigation_triangle_layout, t->triangles);
    }
    ct_blob_fill_items(w, &ct_navigation_tile_layout, array, items);
    return array;
}

static ct_blob_array write_classes(ct_worker_navigation *n) {
    ct_blob_writer *const w = &n->compile->blob;
    const uint32_t count = n->classes.count;
    const ct_blob_array array = ct_blob_reserve_items(w, &ct_navigation_class_layout, count);
    ct_navigation_class items[CT_NAVIGATION_MAX_CLASSES];
    for (uint32_t i = 0; i < count; ++i) {
        const ct_worker_navigation_class *const c = &n->classes.items[i];
        items[i] = (ct_navigation_class){.id = ct_string_id32_of(c->id),
                                         .name = ct_string_id32_of(c->source.name),
                                         .radius = c->source.radius,
                                         .height = c->source.height,
                                         .climb = c->source.climb,
                                         .slope = c->source.slope};
        items[i].name_text = write_text(w, c->source.name);
        items[i].tiles = write_tiles(w, n->compile->allocator, &n->tiles[i]);
    }
    ct_blob_fill_items(w, &ct_navigation_class_layout, array, items);
    return array;
}

static ct_blob_array write_areas(ct_worker_navigation *n) {
    ct_blob_writer *const w = &n->compile->blob;
    const uint32_t count = n->areas.count;
    const ct_blob_array array = ct_blob_reserve_items(w, &ct_navigation_area_layout, count);
    ct_navigation_area items[CT_NAVIGATION_MAX_AREAS];
    for (uint32_t i = 0; i < count; ++i) {
        const ct_worker_navigation_area *const a = &n->areas.items[i];
        items[i] =
            (ct_navigation_area){.id = ct_string_id32_of(a->id),
                                 .name = ct_string_id32_of(a->source.name),
                                 .cost = a->source.cost,
                                 .flags = a->source.is_closed ? CT_NAVIGATION_AREA_CLOSED : 0};
        items[i].name_text = write_text(w, a->source.name);
    }
    ct_blob_fill_items(w, &ct_navigation_area_layout, array, items);
    return array;
}

// Links of one kind after the other have its text once.
static ct_blob_array write_links(ct_worker_navigation *n) {
    ct_blob_writer *const w = &n->compile->blob;
    const uint32_t count = n->links.count;
    const ct_blob_array array = ct_blob_reserve_items(w, &ct_navigation_link_layout, count);
    ct_navigation_link *const items =
        CT_NEW_ARRAY(n->compile->allocator, ct_navigation_link, count + 1ull);
    for (uint32_t i = 0; i < count; ++i) {
        const ct_worker_navigation_link *const link = &n->links.items[i];
        items[i] = link->data;
        items[i].kind_text = i > 0 && items[i - 1].kind.value == link->data.kind.value
                                 ? items[i - 1].kind_text
                                 : write_text(w, link->kind);
    }
    ct_blob_fill_items(w, &ct_navigation_link_layout, array, items);
    return array;
}

void ct_worker_navigation_write(ct_worker_navigation *n) {
    ct_blob_writer *const w = &n->compile->blob;
    ct_navigation_resource r = {.tile_size = n->tile_size,
                                .cell_size = n->source.cell_size,
                                .cell_height = n->source.cell_height,
                                .level = n->source.level};
    ct_blob_begin(w, &ct_navigation_layout);
    r.areas = write_areas(n);
    r.links = write_links(n);
    r.classes = write_classes(n);
    ct_blob_end(w, &ct_navigation_layout, &r);
}
