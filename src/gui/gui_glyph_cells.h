// gui_glyph_cells.h: the cells of dynamic glyph pages, each size in the order of last use.
//
// A page has cells of one size, a power of two. The cells of all pages of a size are one list: free
// cells first, then the one that was not used for longest, so the best cell to take is always the
// first. A page can be cut again into cells of another size. A cell is named by its place, from 1
// on; places of a page end when it is cut again. Nothing here knows what the glyphs look like. One
// thread.
#pragma once
#include "foundation/container/array.h"
#include "render/render_gui.h"
#include "text/glyph_raster.h"

enum {
    CT_GUI_GLYPH_CELL_LEAST = 16,   // pixels
    CT_GUI_GLYPH_CELL_NUM_SIZES = 7 // 16 to 1024
};

// A cell, and the glyph in it.
typedef struct ct_gui_glyph_cell {
    uint64_t key;          // of the glyph; 0: the cell is free
    uint64_t used_frame;   // last; 0: never, or it is free
    uint32_t older, newer; // places of its neighbours in the list; 0 at the ends
    ct_glyph_picture picture;
} ct_gui_glyph_cell;

// A page, and its cells in rows from the top left corner.
typedef struct ct_gui_glyph_cell_page {
    uint32_t page;        // of the renderer
    uint32_t size, count; // of the cells
    uint64_t used_frame;  // when any of its cells was last used
    ct_gui_glyph_cell *cells;
} ct_gui_glyph_cell_page;

// The two ends of a list.
typedef struct ct_gui_glyph_cell_list {
    uint32_t oldest, newest;
} ct_gui_glyph_cell_list;

// The cells of all pages. Read the pages; change them with the functions below.
typedef struct ct_gui_glyph_cells {
    CT_ARRAY(ct_gui_glyph_cell_page) pages;
    ct_gui_glyph_cell_list lists[CT_GUI_GLYPH_CELL_NUM_SIZES];
} ct_gui_glyph_cells;

// Makes a table without pages.
void ct_gui_glyph_cells_init(ct_gui_glyph_cells *c, ct_allocator *a);

// Frees the memory.
void ct_gui_glyph_cells_shutdown(ct_gui_glyph_cells *c);

// Returns the size of the cells for a picture with its gutter: a pixel to the right and below. 0:
// the picture is too large.
uint32_t ct_gui_glyph_cells_size_for(const ct_glyph_picture *picture);

// Adds a page of free cells; `page` is the renderer's number. At most 2^19 pages.
void ct_gui_glyph_cells_add_page(ct_gui_glyph_cells *c, uint32_t page, uint32_t size);

// Cuts the page at this index into free cells of another size. All its cells must be free.
void ct_gui_glyph_cells_cut(ct_gui_glyph_cells *c, uint32_t index, uint32_t size);

// Returns the index of the page that was not used for longest; UINT32_MAX: there is no page.
uint32_t ct_gui_glyph_cells_oldest_page(const ct_gui_glyph_cells *c);

// Returns the place of a free cell of this size, else of the one that was not used for longest; 0:
// there is no cell of this size.
uint32_t ct_gui_glyph_cells_oldest(const ct_gui_glyph_cells *c, uint32_t size);

// Returns the cell at a place. Borrowed until a page is added or cut.
ct_gui_glyph_cell *ct_gui_glyph_cells_at(const ct_gui_glyph_cells *c, uint32_t place);

// Returns the pixels of a cell.
ct_render_glyph_area ct_gui_glyph_cells_area(const ct_gui_glyph_cells *c, uint32_t place);

// Marks a cell as used in this frame: it becomes the newest of its size.
void ct_gui_glyph_cells_use(ct_gui_glyph_cells *c, uint32_t place, uint64_t frame);

// Frees a cell: it becomes the oldest of its size.
void ct_gui_glyph_cells_clear(ct_gui_glyph_cells *c, uint32_t place);
