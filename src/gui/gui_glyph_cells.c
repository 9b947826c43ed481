#include "gui/gui_glyph_cells.h"

enum {
    PAGE_SIZE = CT_RENDER_GLYPH_PAGE_SIZE,
    CELL_BITS = 12, // of a place: 64 x 64 cells
    CELL_MASK = (1 << CELL_BITS) - 1,
};

// --- Life cycle ----------------------------------------------------------------------------------

void ct_gui_glyph_cells_init(ct_gui_glyph_cells *c, ct_allocator *a) {
    *c = (ct_gui_glyph_cells){.pages = {.allocator = a}};
}

void ct_gui_glyph_cells_shutdown(ct_gui_glyph_cells *c) {
    for (uint32_t i = 0; i < c->pages.count; ++i)
        ct_free(c->pages.allocator, c->pages.items[i].cells);
    ct_array_free(&c->pages);
}

uint32_t ct_gui_glyph_cells_size_for(const ct_glyph_picture *picture) {
    const uint32_t side = (picture->width > picture->height ? picture->width : picture->height) + 1;
    uint32_t size = CT_GUI_GLYPH_CELL_LEAST;
    while (size < side && size <= PAGE_SIZE)
        size *= 2;
    return size <= PAGE_SIZE ? size : 0;
}

// --- Lists ---------------------------------------------------------------------------------------

static uint32_t place_of(uint32_t index, uint32_t cell) {
    return (index << CELL_BITS | cell) + 1;
}

static ct_gui_glyph_cell_page *page_of(const ct_gui_glyph_cells *c, uint32_t place) {
    return &c->pages.items[(place - 1) >> CELL_BITS];
}

static ct_gui_glyph_cell_list *list_of(ct_gui_glyph_cells *c, uint32_t size) {
    return &c->lists[__builtin_ctz(size / CT_GUI_GLYPH_CELL_LEAST)];
}

ct_gui_glyph_cell *ct_gui_glyph_cells_at(const ct_gui_glyph_cells *c, uint32_t place) {
    return &page_of(c, place)->cells[(place - 1) & CELL_MASK];
}

static void link_oldest(ct_gui_glyph_cells *c, uint32_t place) {
    ct_gui_glyph_cell_list *const list = list_of(c, page_of(c, place)->size);
    ct_gui_glyph_cell *const cell = ct_gui_glyph_cells_at(c, place);
    cell->older = 0;
    cell->newer = list->oldest;
    if (list->oldest)
        ct_gui_glyph_cells_at(c, list->oldest)->older = place;
    else
        list->newest = place;
    list->oldest = place;
}

static void link_newest(ct_gui_glyph_cells *c, uint32_t place) {
    ct_gui_glyph_cell_list *const list = list_of(c, page_of(c, place)->size);
    ct_gui_glyph_cell *const cell = ct_gui_glyph_cells_at(c, place);
    cell->older = list->newest;
    cell->newer = 0;
    if (list->newest)
        ct_gui_glyph_cells_at(c, list->newest)->newer = place;
    else
        list->oldest = place;
    list->newest = place;
}

static void unlink_cell(ct_gui_glyph_cells *c, uint32_t place) {
    ct_gui_glyph_cell_list *const list = list_of(c, page_of(c, place)->size);
    const ct_gui_glyph_cell *const cell = ct_gui_glyph_cells_at(c, place);
    if (cell->older)
        ct_gui_glyph_cells_at(c, cell->older)->newer = cell->newer;
    else
        list->oldest = cell->newer;
    if (cell->newer)
        ct_gui_glyph_cells_at(c, cell->newer)->older = cell->older;
    else
        list->newest = cell->older;
}

// --- Pages ---------------------------------------------------------------------------------------

// Cells are linked from the last to the first: the first is taken first.
static void fill(ct_gui_glyph_cells *c, uint32_t index, uint32_t size) {
    ct_gui_glyph_cell_page *const p = &c->pages.items[index];
    const uint32_t row = PAGE_SIZE / size;
    p->size = size;
    p->count = row * row;
    p->used_frame = 0;
    p->cells = CT_NEW_ARRAY(c->pages.allocator, ct_gui_glyph_cell, p->count);
    for (uint32_t i = p->count; i-- > 0;)
        link_oldest(c, place_of(index, i));
}

void ct_gui_glyph_cells_add_page(ct_gui_glyph_cells *c, uint32_t page, uint32_t size) {
    ct_array_push(&c->pages, (ct_gui_glyph_cell_page){.page = page});
    fill(c, c->pages.count - 1, size);
}

void ct_gui_glyph_cells_cut(ct_gui_glyph_cells *c, uint32_t index, uint32_t size) {
    const ct_gui_glyph_cell_page *const p = &c->pages.items[index];
    for (uint32_t i = 0; i < p->count; ++i)
        unlink_cell(c, place_of(index, i));
    ct_free(c->pages.allocator, p->cells);
    fill(c, index, size);
}

uint32_t ct_gui_glyph_cells_oldest_page(const ct_gui_glyph_cells *c) {
    uint32_t best = UINT32_MAX;
    for (uint32_t i = 0; i < c->pages.count; ++i)
        if (best == UINT32_MAX || c->pages.items[i].used_frame < c->pages.items[best].used_frame)
            best = i;
    return best;
}

// --- Cells ---------------------------------------------------------------------------------------

uint32_t ct_gui_glyph_cells_oldest(const ct_gui_glyph_cells *c, uint32_t size) {
    return c->lists[__builtin_ctz(size / CT_GUI_GLYPH_CELL_LEAST)].oldest;
}

ct_render_glyph_area ct_gui_glyph_cells_area(const ct_gui_glyph_cells *c, uint32_t place) {
    const ct_gui_glyph_cell_page *const p = page_of(c, place);
    const uint32_t cell = (place - 1) & CELL_MASK, row = PAGE_SIZE / p->size;
    return (ct_render_glyph_area){.page = p->page,
                                  .x = cell % row * p->size,
                                  .y = cell / row * p->size,
                                  .width = p->size,
                                  .height = p->size};
}

void ct_gui_glyph_cells_use(ct_gui_glyph_cells *c, uint32_t place, uint64_t frame) {
    ct_gui_glyph_cell *const cell = ct_gui_glyph_cells_at(c, place);
    if (cell->used_frame == frame)
        return;
    cell->used_frame = page_of(c, place)->used_frame = frame;
    unlink_cell(c, place);
    link_newest(c, place);
}

void ct_gui_glyph_cells_clear(ct_gui_glyph_cells *c, uint32_t place) {
    ct_gui_glyph_cell *const cell = ct_gui_glyph_cells_at(c, place);
    cell->key = cell->used_frame = 0;
    unlink_cell(c, place);
    link_oldest(c, place);
}
