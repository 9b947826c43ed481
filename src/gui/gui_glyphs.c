#include "gui/gui_glyphs.h"

#include <math.h>
#include <string.h>

#include "foundation/container/hash_map.h"
#include "foundation/error.h"
#include "foundation/log.h"
#include "gui/gui_glyph_service.h"
#include "render/render_gui.h"

enum {
    PAGE_SIZE = CT_RENDER_GLYPH_PAGE_SIZE,
    LEAST_CELL = 16,
    WHITE_SIZE = 4,
    STATIC_PAGE = 0, // in page.cell_size
    NO_CELL = UINT32_MAX,
    SAFE_FRAMES = 2, // a glyph that was used so recently stays
};

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
    uint32_t cell_size;   // of a dynamic page
    uint32_t used_height; // of a static page
} page;

// A dynamic glyph.
typedef struct entry {
    uint64_t key;        // font's number and glyph; 0: it is free
    uint64_t used_frame; // last
    uint32_t page, x, y; // of its cell
    uint32_t cell;       // its size; NO_CELL: it has none, or not yet
    ct_glyph_picture picture;
    bool is_pending;
} entry;

struct ct_gui_glyphs {
    ct_allocator *allocator;
    ct_renderer *renderer;
    ct_text *text;
    ct_gui_glyph_service *service;
    CT_ARRAY(font) fonts;
    CT_ARRAY(block) blocks;
    CT_ARRAY(page) pages;
    CT_ARRAY(entry) entries;
    ct_hash_map entry_of_key; // place + 1
    uint32_t last_font;
    uint32_t num_dynamic_pages;
    uint64_t version, frame;
    bool is_full_told;
    void (*touch)(void *user);
    void *touch_user;
};

// --- Life cycle ----------------------------------------------------------------------------------

static uint32_t add_page(ct_gui_glyphs *g, uint32_t cell_size) {
    ct_array_push(&g->pages, (page){.cell_size = cell_size});
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
    ct_array_init(&g->entries, a);
    ct_hash_map_init(&g->entry_of_key, a);
    uint8_t white[WHITE_SIZE * WHITE_SIZE];
    memset(white, 255, sizeof(white));
    add_page(g, STATIC_PAGE);
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
    ct_array_free(&g->entries);
    ct_hash_map_free(&g->entry_of_key);
    ct_free_sized(g->allocator, g, sizeof(*g));
}

// --- Compiled pages ------------------------------------------------------------------------------

// Returns a place for rows: a free one of at least this height, or the end of a static page.
// NO_CELL: there is none.
static uint32_t take_block(ct_gui_glyphs *g, uint32_t height) {
    for (uint32_t i = 0; i < g->blocks.count; ++i)
        if (g->blocks.items[i].is_free && g->blocks.items[i].height >= height) {
            g->blocks.items[i].is_free = false;
            return i;
        }
    uint32_t at = 0;
    while (at < g->pages.count && (g->pages.items[at].cell_size != STATIC_PAGE ||
                                   g->pages.items[at].used_height + height > PAGE_SIZE))
        ++at;
    if (at == CT_RENDER_MAX_GLYPH_PAGES)
        return NO_CELL;
    if (at == g->pages.count)
        add_page(g, STATIC_PAGE);
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
        if (place == NO_CELL)
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

static void free_entry(ct_gui_glyphs *g, entry *e) {
    ct_hash_map_erase(&g->entry_of_key, e->key);
    e->key = 0;
    e->is_pending = false;
    ++g->version;
}

static void remove_font(ct_gui_glyphs *g, uint32_t place) {
    font *const f = &g->fonts.items[place];
    ct_gui_glyph_service_forget(g->service, f->number);
    for (uint32_t i = 0; i < g->entries.count; ++i)
        if (g->entries.items[i].key >> 32 == f->number)
            free_entry(g, &g->entries.items[i]);
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

static uint32_t cell_for(const ct_glyph_picture *picture) {
    const uint32_t side = (picture->width > picture->height ? picture->width : picture->height) + 1;
    uint32_t cell = LEAST_CELL;
    while (cell < side)
        cell *= 2;
    return cell;
}

// Adds a page of cells of this size. False when there are as many as may be.
static bool add_cells(ct_gui_glyphs *g, uint32_t cell) {
    if (g->num_dynamic_pages == CT_GUI_MAX_DYNAMIC_PAGES ||
        g->pages.count == CT_RENDER_MAX_GLYPH_PAGES)
        return false;
    const uint32_t at = add_page(g, cell);
    ++g->num_dynamic_pages;
    for (uint32_t y = 0; y + cell <= PAGE_SIZE; y += cell)
        for (uint32_t x = 0; x + cell <= PAGE_SIZE; x += cell)
            ct_array_push(&g->entries, (entry){.page = at, .x = x, .y = y, .cell = cell});
    return true;
}

// The free cell of this size; else the one that was not used for longest, if that is long enough
// ago. NO_CELL: there is none.
static uint32_t find_cell(const ct_gui_glyphs *g, uint32_t cell) {
    uint32_t best = NO_CELL;
    for (uint32_t i = 0; i < g->entries.count; ++i) {
        const entry *const e = &g->entries.items[i];
        if (e->cell != cell)
            continue;
        if (!e->key)
            return i;
        if (e->used_frame + SAFE_FRAMES <= g->frame &&
            (best == NO_CELL || e->used_frame < g->entries.items[best].used_frame))
            best = i;
    }
    return best;
}

static uint32_t take_cell(ct_gui_glyphs *g, uint32_t cell) {
    uint32_t place = find_cell(g, cell);
    if (place != NO_CELL && !g->entries.items[place].key)
        return place;
    if (add_cells(g, cell))
        return find_cell(g, cell);
    // Something must go: but nothing that is still shown.
    if (g->touch)
        g->touch(g->touch_user);
    place = find_cell(g, cell);
    if (place != NO_CELL && g->entries.items[place].key)
        free_entry(g, &g->entries.items[place]);
    return place;
}

// Returns an entry without a cell.
static uint32_t bare_entry(ct_gui_glyphs *g) {
    for (uint32_t i = 0; i < g->entries.count; ++i)
        if (!g->entries.items[i].key && g->entries.items[i].cell == NO_CELL)
            return i;
    ct_array_push(&g->entries, (entry){.cell = NO_CELL});
    return g->entries.count - 1;
}

static uint64_t key_of(const font *f, uint32_t glyph) {
    return (uint64_t)f->number << 32 | glyph;
}

static entry *request(ct_gui_glyphs *g, const font *f, uint32_t glyph) {
    const ct_font_resource *const blob = f->blob;
    const uint32_t place = bare_entry(g);
    entry *const e = &g->entries.items[place];
    *e = (entry){.key = key_of(f, glyph), .cell = NO_CELL, .is_pending = true};
    ct_hash_map_set(&g->entry_of_key, e->key, place + 1);
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
    return e;
}

static void warn_of_full(ct_gui_glyphs *g) {
    if (!g->is_full_told)
        ct_log_warning("gui", "glyph_pages_full",
                       "some glyphs are not drawn: all %d pages for glyphs that are rasterised "
                       "while the game runs are in use; name more characters in the .font file",
                       CT_GUI_MAX_DYNAMIC_PAGES);
    g->is_full_told = true;
}

// Puts a finished glyph into a cell.
static void place_glyph(ct_gui_glyphs *g, const ct_gui_glyph_result *result) {
    const uint64_t key = (uint64_t)result->font << 32 | result->glyph;
    const uint32_t known = (uint32_t)ct_hash_map_get(&g->entry_of_key, key, 0);
    if (!known)
        return;
    entry *e = &g->entries.items[known - 1];
    e->is_pending = false;
    ++g->version;
    if (!result->pixels)
        return;
    const uint32_t cell = cell_for(&result->picture);
    const uint32_t place = cell <= PAGE_SIZE ? take_cell(g, cell) : NO_CELL;
    if (place == NO_CELL) {
        warn_of_full(g);
        return;
    }
    g->entries.items[known - 1] = (entry){.cell = NO_CELL};
    e = &g->entries.items[place];
    e->key = key;
    e->picture = result->picture;
    e->used_frame = g->frame;
    ct_hash_map_set(&g->entry_of_key, key, place + 1);
    const ct_render_glyph_area area = {.page = e->page,
                                       .x = e->x,
                                       .y = e->y,
                                       .width = result->picture.width,
                                       .height = result->picture.height};
    ct_render_write_glyphs(g->renderer, &area, result->pixels);
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

void ct_gui_glyphs_end_frame(ct_gui_glyphs *g) {
    ct_gui_glyph_result result;
    while (ct_gui_glyph_service_take(g->service, &result)) {
        if (result.has_failed)
            report_failure(g, &result);
        place_glyph(g, &result);
        ct_gui_glyph_service_free(g->service, &result);
    }
    ++g->frame;
}

void ct_gui_glyphs_on_evict(ct_gui_glyphs *g, void (*touch)(void *user), void *user) {
    g->touch = touch;
    g->touch_user = user;
}

void ct_gui_glyphs_wait(ct_gui_glyphs *g) {
    ct_gui_glyph_service_wait(g->service);
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

// Finds a glyph's picture. `is_dynamic` is set when that may change.
static bool find_spot(ct_gui_glyphs *g, const font *f, uint32_t glyph, spot *at, bool *is_dynamic) {
    const ct_font_glyph *const compiled = ct_font_find_glyph(f->blob, glyph);
    if (compiled) {
        if (!compiled->width || compiled->page >= f->num_blocks)
            return false;
        const block *const b = &g->blocks.items[f->blocks[compiled->page]];
        *at = (spot){b->page,          compiled->x,    b->y + compiled->y, compiled->width,
                     compiled->height, compiled->left, compiled->top,      f->blob->size};
        return true;
    }
    if (!f->blob->outlines.count)
        return false;
    *is_dynamic = true;
    const uint32_t known = (uint32_t)ct_hash_map_get(&g->entry_of_key, key_of(f, glyph), 0);
    entry *const e = known ? &g->entries.items[known - 1] : request(g, f, glyph);
    e->used_frame = g->frame;
    if (e->cell == NO_CELL)
        return false;
    const ct_glyph_picture *const p = &e->picture;
    *at = (spot){e->page, e->x, e->y, p->width, p->height, p->left, p->top, f->blob->size};
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

bool ct_gui_glyphs_resolve(ct_gui_glyphs *g, ct_text_layout *layout) {
    enum { SETTLED = 1 }; // as a quads_version; dynamic ones are resolved each time
    if (layout->quads_version == SETTLED)
        return false;
    bool is_dynamic = false;
    layout->num_quads = 0;
    const font *f = NULL;
    uint32_t last_font = UINT32_MAX;
    for (uint32_t i = 0; i < layout->num_glyphs; ++i) {
        const ct_text_glyph *const glyph = &layout->glyphs[i];
        if (glyph->font != last_font)
            f = find_font(g, ct_text_font_name(g->text, glyph->font));
        last_font = glyph->font;
        spot at;
        if (f && find_spot(g, f, glyph->glyph, &at, &is_dynamic))
            layout->quads[layout->num_quads++] =
                quad_of(glyph, f->blob, layout->styles[glyph->style].size, &at);
    }
    layout->quads_version = is_dynamic ? SETTLED + 1 : SETTLED;
    return is_dynamic;
}
