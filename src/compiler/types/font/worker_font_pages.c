#include "compiler/types/font/worker_font_pages.h"

#include <string.h>

#include "foundation/container/sort.h"
#include "foundation/error.h"

enum { GAP = 1, HEIGHT_UNIT = 4 };

// Where the next picture goes.
typedef struct shelf {
    uint32_t page, x, y, height;
} shelf;

// Tallest first, then widest, then in their own order.
static uint32_t *order_of(ct_allocator *a, const ct_worker_font_pictures *pictures) {
    const uint32_t count = pictures->count;
    uint32_t *const keys = CT_NEW_ARRAY(a, uint32_t, count + 1);
    uint32_t *const order = CT_NEW_ARRAY(a, uint32_t, count + 1);
    for (uint32_t i = 0; i < count; ++i) {
        const ct_font_glyph *const g = &pictures->items[i].glyph;
        keys[i] = ~((uint32_t)g->height << 16 | g->width);
    }
    ct_sort_order32(keys, order, count, a);
    ct_free(a, keys);
    return order;
}

static void place(shelf *s, ct_font_glyph *g) {
    if (s->x + g->width > CT_FONT_PAGE_SIZE)
        *s = (shelf){.page = s->page, .y = s->y + s->height + GAP};
    if (s->y + g->height > CT_FONT_PAGE_SIZE)
        *s = (shelf){.page = s->page + 1};
    g->page = (uint16_t)s->page;
    g->x = (uint16_t)s->x;
    g->y = (uint16_t)s->y;
    s->x += g->width + (uint32_t)GAP;
    s->height = g->height > s->height ? g->height : s->height;
}

static void draw(ct_allocator *a, const ct_worker_font_pictures *pictures,
                 ct_worker_font_page *pages, uint32_t num_pages) {
    for (uint32_t i = 0; i < num_pages; ++i)
        pages[i].pixels = ct_alloc_zero(a, (uint64_t)pages[i].width * pages[i].height);
    for (uint32_t i = 0; i < pictures->count; ++i) {
        const ct_worker_font_picture *const p = &pictures->items[i];
        const ct_font_glyph *const g = &p->glyph;
        for (uint32_t y = 0; p->pixels && y < g->height; ++y)
            memcpy(pages[g->page].pixels + (uint64_t)(g->y + y) * pages[g->page].width + g->x,
                   p->pixels + (uint64_t)y * g->width, g->width);
    }
}

bool ct_worker_font_pack(ct_allocator *a, ct_worker_font_pictures *pictures,
                         ct_worker_font_page pages[CT_FONT_MAX_PAGES], uint32_t *num_pages,
                         ct_error *error) {
    uint32_t *const order = order_of(a, pictures);
    shelf s = {0};
    *num_pages = 0;
    for (uint32_t i = 0; i < pictures->count; ++i) {
        ct_worker_font_picture *const p = &pictures->items[order[i]];
        if (!p->pixels)
            continue;
        place(&s, &p->glyph);
        if (s.page >= CT_FONT_MAX_PAGES) {
            ct_free(a, order);
            return ct_error_set(error,
                                "the %u glyphs take more than %d pages of %d x %d pixels; "
                                "ask for fewer characters or a smaller `size`",
                                pictures->count, CT_FONT_MAX_PAGES, CT_FONT_PAGE_SIZE,
                                CT_FONT_PAGE_SIZE);
        }
        if (s.page == *num_pages)
            pages[(*num_pages)++] = (ct_worker_font_page){.width = CT_FONT_PAGE_SIZE};
        const uint32_t bottom = p->glyph.y + (uint32_t)p->glyph.height;
        const uint32_t height = (bottom + HEIGHT_UNIT - 1) / HEIGHT_UNIT * HEIGHT_UNIT;
        if (height > pages[s.page].height)
            pages[s.page].height = height;
    }
    ct_free(a, order);
    draw(a, pictures, pages, *num_pages);
    return true;
}
