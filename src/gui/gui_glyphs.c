#include "gui/gui_glyphs.h"

#include <math.h>
#include <string.h>

#include "foundation/container/hash_map.h"
#include "foundation/error.h"
#include "foundation/log.h"
#include "gui/gui_glyph_cells.h"
#include "gui/gui_glyph_service.h"
#include "render/render_gui.h"

enum {
    PAGE_SIZE = CT_RENDER_GLYPH_PAGE_SIZE,
    WHITE_SIZE = 4,
    SAFE_FRAMES = 2,      // a glyph that was used so recently stays
    RETRY_FRAMES = 16,    // until glyphs that found no room are requested again
    GLYPHS_A_FRAME = 128, // are placed at most
};

static const uint32_t no_block = UINT32_MAX;

// What is known of a dynamic glyph: the place of its cell, or one of these.
static const uint64_t known_waiting = UINT64_MAX;       // it is being rasterised
static const uint64_t known_refused = UINT64_MAX - 1;   // it found no room
static const uint64_t known_not_drawn = UINT64_MAX - 2; // it is blank, too large, or failed

// A font that is online.
typedef struct font {
    ct_string_id64 name;
    const ct_font_resource *blob;
    uint32_t number;                    // never used again
    uint32_t num_blocks;                // of its pages; fewer when they did not fit
    uint32_t blocks[CT_FONT_MAX_PAGES]; // places
    bool has_failed;                    // a glyph could not be rasterised, which was logged
} font;

// Rows of a static page.
typedef struct block {
    uint32_t page, y, height;
    bool is_free;
} block;

typedef struct page {
    bool is_dynamic;
    uint32_t used_height; // of a static page
} page;

struct ct_gui_glyphs {
    ct_allocator *allocator;
    ct_renderer *renderer;
    ct_text *text;
    ct_gui_glyph_service *service;
    CT_ARRAY(font) fonts;
    CT_ARRAY(block) blocks;
    CT_ARRAY(page) pages;
    ct_gui_glyph_cells cells; // of dynamic pages
    ct_hash_map known;        // of dynamic glyphs, by the font's number and the glyph
    ct_u64_array refused;     // keys of glyphs that are requested again from retry_frame on
    ct_byte_array pixels;     // scratch
    uint32_t last_font;
    uint64_t version, frame, retry_frame;
    uint64_t touched_frame; // last; retained texts use no cell that was last used before it
    bool takes_all;         // finished glyphs at the end of this frame
    bool has_warned_of_full;
    void (*touch)(void *user);
    void *touch_user;
};

// --- Life cycle ----------------------------------------------------------------------------------

static uint32_t add_page(ct_gui_glyphs *g, bool is_dynamic) {
    ct_array_push(&g->pages, (page){.is_dynamic = is_dynamic});
    return g->pages.count - 1;
}

ct_gui_glyphs *ct_gui_glyphs_create(ct_allocator *a, ct_renderer *r, ct_text *text) {
    ct_gui_glyphs *const g = CT_NEW(a, ct_gui_glyphs);
    *g = (ct_gui_glyphs){
        .allocator = a, .renderer = r, .text = text, .version = 1, .frame = SAFE_FRAMES};
    g->service = ct_gui_glyph_service_create(a);
    ct_array_init(&g->fonts, a);
    ct_array_init(&g->blocks, a);
    ct_array_init(&g->pages, a);
    ct_gui_glyph_cells_init(&g->cells, a);
    ct_hash_map_init(&g->known, a);
    ct_array_init(&g->refused, a);
    ct_array_init(&g->pixels, a);
    uint8_t white[WHITE_SIZE * WHITE_SIZE];
    memset(white, 255, sizeof(white));
    add_page(g, false);
    g->pages.items[0].used_height = WHITE_SIZE + 1;
    ct_render_write_glyphs(r, &(ct_render_glyph_area){.width = WHITE_SIZE, .height = WHITE_SIZE},
                           white);
    return g;
}

void ct_gui_glyphs_white(float uv[2]) {
    uv[0] = uv[1] = 0.5f * (float)WHITE_SIZE / (float)PAGE_SIZE;
}

void ct_gui_glyphs_destroy(ct_gui_glyphs *g) {
    ct_gui_glyph_service_destroy(g->service);
    ct_array_free(&g->fonts);
    ct_array_free(&g->blocks);
    ct_array_free(&g->pages);
    ct_gui_glyph_cells_shutdown(&g->cells);
    ct_hash_map_free(&g->known);
    ct_array_free(&g->refused);
    ct_array_free(&g->pixels);
    ct_free_sized(g->allocator, g, sizeof(*g));
}

// --- Compiled pages ------------------------------------------------------------------------------

// Returns a place for rows: a free one of at least this height, or the end of a static page.
// no_block: there is no room.
static uint32_t take_block(ct_gui_glyphs *g, uint32_t height) {
    for (uint32_t i = 0; i < g->blocks.count; ++i)
        if (g->blocks.items[i].is_free && g->blocks.items[i].height >= height) {
            g->blocks.items[i].is_free = false;
            return i;
        }
    uint32_t at = 0;
    while (at < g->pages.count &&
           (g->pages.items[at].is_dynamic || g->pages.items[at].used_height + height > PAGE_SIZE))
        ++at;
    if (at == CT_RENDER_MAX_GLYPH_PAGES)
        return no_block;
    if (at == g->pages.count)
        add_page(g, false);
    page *const p = &g->pages.items[at];
    ct_array_push(&g->blocks, (block){.page = at, .y = p->used_height, .height = height});
    p->used_height += height;
    return g->blocks.count - 1;
}

static void free_blocks(ct_gui_glyphs *g, const font *f) {
    for (uint32_t i = 0; i < f->num_blocks; ++i)
        g->blocks.items[f->blocks[i]].is_free = true;
}

// Copies the pages of a font. False when there is no room.
static bool place_pages(ct_gui_glyphs *g, font *f) {
    const ct_font_page *const pages = ct_blob_at(f->blob, f->blob->pages.offset);
    for (uint32_t i = 0; i < f->blob->pages.count; ++i) {
        const uint32_t place = take_block(g, pages[i].height);
        if (place == no_block)
            return false;
        f->blocks[f->num_blocks++] = place;
        const ct_render_glyph_area area = {.page = g->blocks.items[place].page,
                                           .y = g->blocks.items[place].y,
                                           .width = pages[i].width,
                                           .height = pages[i].height};
        ct_render_write_glyphs(g->renderer, &area, ct_blob_at(f->blob, pages[i].pixels.offset));
    }
    return true;
}

static bool has_cell(uint64_t known) {
    return known < known_not_drawn;
}

// Forgets a dynamic glyph, and frees its cell.
static void forget_glyph(ct_gui_glyphs *g, uint64_t key) {
    const uint64_t known = ct_hash_map_get(&g->known, key, known_waiting);
    if (has_cell(known))
        ct_gui_glyph_cells_clear(&g->cells, (uint32_t)known);
    ct_hash_map_erase(&g->known, key);
}

// Forgets all dynamic glyphs of a font.
static void forget_glyphs(ct_gui_glyphs *g, uint32_t number) {
    ct_u64_array keys;
    ct_array_init(&keys, g->allocator);
    uint32_t cursor = 0;
    const ct_hash_map_entry *e;
    while ((e = ct_hash_map_next(&g->known, &cursor)))
        if (e->key >> 32 == number)
            ct_array_push(&keys, e->key);
    for (uint32_t i = 0; i < keys.count; ++i)
        forget_glyph(g, keys.items[i]);
    ct_array_free(&keys);
}

static void remove_font(ct_gui_glyphs *g, uint32_t place) {
    font *const f = &g->fonts.items[place];
    ct_gui_glyph_service_forget(g->service, f->number);
    forget_glyphs(g, f->number);
    free_blocks(g, f);
    ct_array_swap_erase(&g->fonts, place);
}

static font *find_font(ct_gui_glyphs *g, ct_string_id64 name) {
    for (uint32_t i = 0; i < g->fonts.count; ++i)
        if (g->fonts.items[i].name.value == name.value)
            return &g->fonts.items[i];
    return NULL;
}

void ct_gui_glyphs_set_font(ct_gui_glyphs *g, ct_string_id64 name, const ct_font_resource *blob) {
    font *const old = find_font(g, name);
    if (old)
        remove_font(g, (uint32_t)(old - g->fonts.items));
    ++g->version;
    if (!blob)
        return;
    font f = {.name = name, .blob = blob, .number = ++g->last_font};
    if (!place_pages(g, &f))
        ct_log_error("gui", "no_glyph_pages",
                     "the font \"%s\" is shown in part: its pages do not fit beside those of the "
                     "other fonts (%d pages in all); load fewer fonts, or with fewer characters",
                     ct_string_id64_name(name), CT_RENDER_MAX_GLYPH_PAGES);
    ct_array_push(&g->fonts, f);
}

// --- Dynamic glyphs ------------------------------------------------------------------------------

// Adds a page of cells of this size. False when there are as many as may be.
static bool add_cells(ct_gui_glyphs *g, uint32_t size) {
    if (g->cells.pages.count == CT_GUI_MAX_DYNAMIC_PAGES ||
        g->pages.count == CT_RENDER_MAX_GLYPH_PAGES)
        return false;
    ct_gui_glyph_cells_add_page(&g->cells, add_page(g, true), size);
    return true;
}

// Whether what was last used in this frame may go: it is not drawn, and no retained text uses it.
static bool may_go(const ct_gui_glyphs *g, uint64_t used_frame) {
    return used_frame < g->touched_frame && used_frame + SAFE_FRAMES <= g->frame;
}

// Marks the cells of retained texts as used, once a frame: all others may go sooner or later.
// Returns false when that was done before.
static bool touch_texts(ct_gui_glyphs *g) {
    if (g->touched_frame == g->frame)
        return false;
    g->touched_frame = g->frame;
    if (g->touch)
        g->touch(g->touch_user);
    return true;
}

// Frees the cell of this size that was not used for longest. 0: all are in use.
static uint32_t evict_cell(ct_gui_glyphs *g, uint32_t size) {
    const uint32_t place = ct_gui_glyph_cells_oldest(&g->cells, size);
    if (!place || !may_go(g, ct_gui_glyph_cells_at(&g->cells, place)->used_frame))
        return 0;
    forget_glyph(g, ct_gui_glyph_cells_at(&g->cells, place)->key);
    return place;
}

static void blacken(ct_gui_glyphs *g, uint32_t at) {
    ct_array_resize(&g->pixels, PAGE_SIZE * PAGE_SIZE);
    memset(g->pixels.items, 0, g->pixels.count);
    ct_render_write_glyphs(
        g->renderer, &(ct_render_glyph_area){.page = at, .width = PAGE_SIZE, .height = PAGE_SIZE},
        g->pixels.items);
}

// Cuts the page that was not used for longest into cells of this size. False: all are in use.
static bool cut_page(ct_gui_glyphs *g, uint32_t size) {
    const uint32_t index = ct_gui_glyph_cells_oldest_page(&g->cells);
    if (index == UINT32_MAX || !may_go(g, g->cells.pages.items[index].used_frame))
        return false;
    const ct_gui_glyph_cell_page *const p = &g->cells.pages.items[index];
    for (uint32_t i = 0; i < p->count; ++i)
        if (p->cells[i].key)
            forget_glyph(g, p->cells[i].key);
    ct_gui_glyph_cells_cut(&g->cells, index, size);
    blacken(g, p->page);
    return true;
}

// Returns the place of a free cell. 0: all are in use.
static uint32_t take_cell(ct_gui_glyphs *g, uint32_t size) {
    uint32_t place = ct_gui_glyph_cells_oldest(&g->cells, size);
    if (place && !ct_gui_glyph_cells_at(&g->cells, place)->key)
        return place;
    if (add_cells(g, size))
        return ct_gui_glyph_cells_oldest(&g->cells, size);
    place = evict_cell(g, size);
    if (!place && touch_texts(g))
        place = evict_cell(g, size);
    if (!place && cut_page(g, size))
        place = ct_gui_glyph_cells_oldest(&g->cells, size);
    return place;
}

static uint64_t key_of(const font *f, uint32_t glyph) {
    return (uint64_t)f->number << 32 | glyph;
}

static void request(ct_gui_glyphs *g, const font *f, uint32_t glyph) {
    const ct_font_resource *const blob = f->blob;
    ct_hash_map_set(&g->known, key_of(f, glyph), known_waiting);
    ct_gui_glyph_service_request(
        g->service, &(ct_gui_glyph_request){.font = f->number,
                                            .glyph = glyph,
                                            .outlines = ct_blob_at(blob, blob->outlines.offset),
                                            .num_bytes = blob->outlines.count,
                                            .face_index = blob->face_index,
                                            .size = blob->size,
                                            .spread = blob->flags & CT_FONT_DISTANCE_FIELD
                                                          ? (uint32_t)blob->spread
                                                          : 0});
}

// Remembers a glyph that found no room until it is requested again.
static void refuse(ct_gui_glyphs *g, uint64_t key) {
    if (!g->has_warned_of_full)
        ct_log_warning("gui", "glyph_pages_full",
                       "some glyphs are not drawn: all %u pages for glyphs that are rasterised "
                       "while the game runs are in use; name more characters in the .font file",
                       g->cells.pages.count);
    g->has_warned_of_full = true;
    if (!g->refused.count)
        g->retry_frame = g->frame + RETRY_FRAMES;
    ct_array_push(&g->refused, key);
    ct_hash_map_set(&g->known, key, known_refused);
}

// Forgets the glyphs that found no room some frames ago: texts request them again.
static void retry_refused(ct_gui_glyphs *g) {
    if (!g->refused.count || g->frame < g->retry_frame)
        return;
    for (uint32_t i = 0; i < g->refused.count; ++i)
        ct_hash_map_erase(&g->known, g->refused.items[i]);
    g->refused.count = 0;
    ++g->version;
}

// Writes a picture, and the black gutter to its right and below it: what was in the cell before may
// have been larger.
static void write_picture(ct_gui_glyphs *g, uint32_t place, const ct_gui_glyph_result *result) {
    const uint32_t width = result->picture.width, height = result->picture.height;
    ct_array_resize(&g->pixels, (width + 1) * (height + 1));
    memset(g->pixels.items, 0, g->pixels.count);
    for (uint32_t y = 0; y < height; ++y)
        memcpy(g->pixels.items + (uint64_t)y * (width + 1), result->pixels + (uint64_t)y * width,
               width);
    ct_render_glyph_area area = ct_gui_glyph_cells_area(&g->cells, place);
    area.width = width + 1;
    area.height = height + 1;
    ct_render_write_glyphs(g->renderer, &area, g->pixels.items);
}

static const char *name_of(const ct_gui_glyphs *g, uint32_t number) {
    for (uint32_t i = 0; i < g->fonts.count; ++i)
        if (g->fonts.items[i].number == number)
            return ct_string_id64_name(g->fonts.items[i].name);
    return "";
}

static void warn_of_large(const ct_gui_glyphs *g, const ct_gui_glyph_result *result) {
    ct_log_warning(
        "gui", "glyph_too_large",
        "glyph %u of the font \"%s\" is not drawn: its picture of %u x %u pixels does not "
        "fit a page, which holds at most %d; give the .font file a smaller size",
        result->glyph, name_of(g, result->font), result->picture.width, result->picture.height,
        PAGE_SIZE - 1);
}

// Puts a finished glyph into a cell.
static void place_glyph(ct_gui_glyphs *g, const ct_gui_glyph_result *result) {
    const uint64_t key = (uint64_t)result->font << 32 | result->glyph;
    const uint32_t size = ct_gui_glyph_cells_size_for(&result->picture);
    ++g->version;
    if (!result->pixels || !size) {
        if (!size)
            warn_of_large(g, result);
        ct_hash_map_set(&g->known, key, known_not_drawn);
        return;
    }
    const uint32_t place = take_cell(g, size);
    if (!place) {
        refuse(g, key);
        return;
    }
    ct_gui_glyph_cell *const cell = ct_gui_glyph_cells_at(&g->cells, place);
    cell->key = key;
    cell->picture = result->picture;
    ct_gui_glyph_cells_use(&g->cells, place, g->frame);
    ct_hash_map_set(&g->known, key, place);
    write_picture(g, place, result);
}

static void report_failure(ct_gui_glyphs *g, const ct_gui_glyph_result *result) {
    for (uint32_t i = 0; i < g->fonts.count; ++i) {
        font *const f = &g->fonts.items[i];
        if (f->number != result->font || f->has_failed)
            continue;
        f->has_failed = true;
        ct_log_warning("gui", "glyph_failed", "cannot draw glyph %u of the font \"%s\": %s",
                       result->glyph, ct_string_id64_name(f->name), result->reason);
    }
}

void ct_gui_glyphs_take(ct_gui_glyphs *g) {
    ct_gui_glyph_result result;
    for (uint32_t i = 0;
         (g->takes_all || i < GLYPHS_A_FRAME) && ct_gui_glyph_service_take(g->service, &result);
         ++i) {
        if (result.has_failed)
            report_failure(g, &result);
        place_glyph(g, &result);
        ct_gui_glyph_service_free(g->service, &result);
    }
    g->takes_all = false;
}

void ct_gui_glyphs_end_frame(ct_gui_glyphs *g) {
    ct_gui_glyphs_take(g);
    retry_refused(g);
    ++g->frame;
}

void ct_gui_glyphs_on_evict(ct_gui_glyphs *g, void (*touch)(void *user), void *user) {
    g->touch = touch;
    g->touch_user = user;
}

void ct_gui_glyphs_wait(ct_gui_glyphs *g) {
    ct_gui_glyph_service_wait(g->service);
    g->takes_all = true;
}

uint64_t ct_gui_glyphs_version(const ct_gui_glyphs *g) {
    return g->version;
}

// --- Quads of layouts ----------------------------------------------------------------------------

// Where a glyph's picture is.
typedef struct spot {
    uint32_t page, x, y, width, height; // pixels
    float left, top;
    float pixels_per_em;
} spot;

// What the quads of a layout depend on.
typedef struct needs {
    bool cells;   // glyphs in dynamic pages, which may be evicted
    bool missing; // glyphs that are not there yet
} needs;

// Finds the picture of a glyph that no compiled page holds.
static bool find_dynamic(ct_gui_glyphs *g, const font *f, uint32_t glyph, spot *at, needs *n) {
    const uint64_t known = ct_hash_map_get(&g->known, key_of(f, glyph), 0);
    if (!known)
        request(g, f, glyph);
    if (!known || !has_cell(known)) {
        n->missing |= known != known_not_drawn;
        return false;
    }
    const uint32_t place = (uint32_t)known;
    ct_gui_glyph_cells_use(&g->cells, place, g->frame);
    const ct_glyph_picture *const p = &ct_gui_glyph_cells_at(&g->cells, place)->picture;
    const ct_render_glyph_area area = ct_gui_glyph_cells_area(&g->cells, place);
    *at = (spot){area.page, area.x, area.y, p->width, p->height, p->left, p->top, f->blob->size};
    n->cells = true;
    return true;
}

// Finds a glyph's picture, or requests it.
static bool find_spot(ct_gui_glyphs *g, const font *f, uint32_t glyph, spot *at, needs *n) {
    const ct_font_glyph *const compiled = ct_font_find_glyph(f->blob, glyph);
    if (!compiled)
        return f->blob->outlines.count && find_dynamic(g, f, glyph, at, n);
    if (!compiled->width || compiled->page >= f->num_blocks)
        return false;
    const block *const b = &g->blocks.items[f->blocks[compiled->page]];
    *at = (spot){b->page,          compiled->x,    b->y + compiled->y, compiled->width,
                 compiled->height, compiled->left, compiled->top,      f->blob->size};
    return true;
}

static ct_text_quad quad_of(const ct_text_glyph *glyph, const ct_font_resource *blob, float size,
                            const spot *at) {
    const float scale = size / at->pixels_per_em, uv = 1.0f / (float)PAGE_SIZE;
    const float x0 = glyph->x + at->left * scale, y1 = glyph->y + at->top * scale;
    return (ct_text_quad){.x0 = x0,
                          .y0 = y1 - (float)at->height * scale,
                          .x1 = x0 + (float)at->width * scale,
                          .y1 = y1,
                          .u0 = (float)at->x * uv,
                          .v0 = (float)(at->y + at->height) * uv,
                          .u1 = (float)(at->x + at->width) * uv,
                          .v1 = (float)at->y * uv,
                          .effect = ct_gui_fill_effect(blob) | at->page,
                          .font = glyph->font,
                          .style = glyph->style};
}

enum { IS_FIXED = 1, IS_DYNAMIC }; // quads_version of a layout

bool ct_gui_glyphs_is_fixed(const ct_text_layout *layout) {
    return layout->quads_version == IS_FIXED;
}

bool ct_gui_glyphs_resolve(ct_gui_glyphs *g, ct_text_layout *layout) {
    if (ct_gui_glyphs_is_fixed(layout))
        return false;
    needs n = {0};
    layout->num_quads = 0;
    const font *f = NULL;
    uint32_t last_font = UINT32_MAX;
    for (uint32_t i = 0; i < layout->num_glyphs; ++i) {
        const ct_text_glyph *const glyph = &layout->glyphs[i];
        if (glyph->font != last_font)
            f = find_font(g, ct_text_font_name(g->text, glyph->font));
        last_font = glyph->font;
        spot at;
        if (f && find_spot(g, f, glyph->glyph, &at, &n))
            layout->quads[layout->num_quads++] =
                quad_of(glyph, f->blob, layout->styles[glyph->style].size, &at);
    }
    layout->quads_version = n.cells || n.missing ? IS_DYNAMIC : IS_FIXED;
    return n.missing;
}
