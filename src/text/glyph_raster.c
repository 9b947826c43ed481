#include "text/glyph_raster.h"

#include <math.h>
#include <string.h>

#include "resource/types/font_resource.h"
#include "text/freetype_api.h"
#include "text/glyph_field.h"
#include "text/glyph_outline.h"

enum {
    MAX_FACES = 1 << 16,        // the bits above select something else
    MAX_FONT_BYTES = 1 << 30,   // FreeType has signed sizes
    MAX_BLOCK_BYTES = 64 << 20, // what FreeType may ask for at once: a damaged font asks for more
    MAX_GLYPH_SIZE = 10000,     // pixels of an em
    MAX_COMPONENTS = 100,       // glyphs that a glyph may be made of
    MAX_COMPOSITE_DEPTH = 10,
    MAX_LINES = 1 << 18, // of an outline
    LOAD_FLAGS = FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP,
};

struct ct_glyph_raster {
    ct_allocator *allocator;
    ct_freetype_api ft;
    struct FT_MemoryRec_ memory;
    FT_Library library;
    FT_Face face;
    float size; // that is set; 0: not set yet
    ct_glyph_raster_metrics metrics;
};

// --- Memory --------------------------------------------------------------------------------------

static void *font_alloc(FT_Memory memory, long bytes) {
    return bytes > 0 && bytes <= MAX_BLOCK_BYTES ? ct_alloc(memory->user, (uint64_t)bytes) : NULL;
}

static void font_free(FT_Memory memory, void *block) {
    ct_free(memory->user, block);
}

static void *font_realloc(FT_Memory memory, long old_bytes, long new_bytes, void *block) {
    if (new_bytes <= 0 || new_bytes > MAX_BLOCK_BYTES)
        return NULL;
    return ct_realloc(memory->user, block, (uint64_t)old_bytes, (uint64_t)new_bytes);
}

// --- Opening -------------------------------------------------------------------------------------

// FreeType also reads formats that shaping cannot use.
static bool check_signature(const void *data, uint64_t num_bytes, ct_error *error) {
    static const char signatures[][5] = {"\0\1\0\0", "OTTO", "true", "ttcf"};
    if (num_bytes > MAX_FONT_BYTES)
        return ct_error_set(error, "the font has %llu bytes; the limit is %d",
                            (unsigned long long)num_bytes, MAX_FONT_BYTES);
    for (uint32_t i = 0; num_bytes >= 4 && i < CT_COUNT_OF(signatures); ++i) {
        if (memcmp(data, signatures[i], 4) == 0)
            return true;
    }
    return ct_error_set(error, "this is not a TrueType or OpenType font");
}

static uint32_t u16_at(const uint8_t *at) {
    return (uint32_t)at[0] << 8 | at[1];
}

static uint32_t u32_at(const uint8_t *at) {
    return u16_at(at) << 16 | u16_at(at + 2);
}

// That all tables are in the file. FreeType would take what is missing for empty glyphs.
static bool check_tables(const uint8_t *data, uint64_t num_bytes, uint32_t face_index,
                         ct_error *error) {
    enum { HEADER_BYTES = 12, ROW_BYTES = 16 };
    const bool is_collection = memcmp(data, "ttcf", 4) == 0;
    const uint64_t offset_at = HEADER_BYTES + 4ull * face_index;
    if (is_collection && offset_at + 4 > num_bytes)
        return ct_error_set(error, "the font is damaged: it ends in its header");
    const uint64_t start = is_collection ? u32_at(data + offset_at) : 0;
    if (start + HEADER_BYTES > num_bytes)
        return ct_error_set(error, "the font is damaged: it ends in its header");
    const uint32_t count = u16_at(data + start + 4);
    for (uint32_t i = 0; i < count; ++i) {
        const uint64_t at = start + HEADER_BYTES + (uint64_t)ROW_BYTES * i;
        if (at + ROW_BYTES > num_bytes)
            return ct_error_set(error, "the font is damaged: it ends in its list of tables");
        const uint64_t end = (uint64_t)u32_at(data + at + 8) + u32_at(data + at + 12);
        if (end > num_bytes)
            return ct_error_set(error,
                                "the font is damaged: its table %u of %u ends at byte %llu, "
                                "but the file has %llu",
                                i + 1, count, (unsigned long long)end,
                                (unsigned long long)num_bytes);
    }
    return true;
}

static uint32_t num_faces(ct_glyph_raster *r, const void *data, uint64_t num_bytes) {
    FT_Face any = NULL;
    if (r->ft.FT_New_Memory_Face(r->library, data, (FT_Long)num_bytes, -1, &any) != 0)
        return 0;
    const uint32_t count = any->num_faces > 0 ? (uint32_t)any->num_faces : 0;
    r->ft.FT_Done_Face(any);
    return count;
}

static bool open_face(ct_glyph_raster *r, const void *data, uint64_t num_bytes, uint32_t face_index,
                      ct_error *error) {
    const uint32_t count = num_faces(r, data, num_bytes);
    if (count > 0 && (face_index >= count || face_index >= MAX_FACES))
        return ct_error_set(error, "found face %u, but the file has %u: 0 to %u", face_index, count,
                            count - 1);
    if (!check_tables(data, num_bytes, face_index, error))
        return false;
    const FT_Error code = r->ft.FT_New_Memory_Face(r->library, data, (FT_Long)num_bytes,
                                                   (FT_Long)face_index, &r->face);
    if (code != 0)
        return ct_error_set(error, "the font is damaged (FreeType's error 0x%02x)", (unsigned)code);
    if (!FT_IS_SCALABLE(r->face) || r->face->units_per_EM == 0 || r->face->num_glyphs <= 0)
        return ct_error_set(error, "the font has no outlines");
    return true;
}

// --- Metrics -------------------------------------------------------------------------------------

static float in_ems(const ct_glyph_raster *r, double units) {
    return (float)(units / r->face->units_per_EM);
}

// The top of a letter, in units of the font; 0 without it.
static long top_of(ct_glyph_raster *r, uint32_t codepoint) {
    const uint32_t glyph = ct_glyph_raster_glyph_of(r, codepoint);
    if (glyph == 0 || r->ft.FT_Load_Glyph(r->face, glyph, FT_LOAD_NO_SCALE) != 0)
        return 0;
    return r->face->glyph->metrics.horiBearingY;
}

static void read_metrics(ct_glyph_raster *r) {
    const FT_Face face = r->face;
    const TT_OS2 *const os2 = r->ft.FT_Get_Sfnt_Table(face, FT_SFNT_OS2);
    const bool has_heights = os2 && os2->version != 0xffff && os2->version >= 2;
    const long x = has_heights && os2->sxHeight > 0 ? os2->sxHeight : top_of(r, 'x');
    const long cap = has_heights && os2->sCapHeight > 0 ? os2->sCapHeight : top_of(r, 'H');
    const int gap = face->height - (face->ascender - face->descender);
    r->metrics = (ct_glyph_raster_metrics){
        .ascent = in_ems(r, face->ascender),
        .descent = in_ems(r, -face->descender),
        .line_gap = gap > 0 ? in_ems(r, gap) : 0,
        .underline_position = in_ems(r, face->underline_position),
        .underline_thickness = in_ems(r, face->underline_thickness),
        .x_height = in_ems(r, (double)x),
        .cap_height = in_ems(r, (double)cap),
        .num_glyphs = (uint32_t)face->num_glyphs,
    };
}

ct_glyph_raster_metrics ct_glyph_raster_get_metrics(const ct_glyph_raster *r) {
    return r->metrics;
}

// --- Life cycle ----------------------------------------------------------------------------------

static bool start(ct_glyph_raster *r, ct_error *error) {
    if (!ct_freetype_load(&r->ft, error))
        return false;
    r->memory = (struct FT_MemoryRec_){
        .user = r->allocator, .alloc = font_alloc, .free = font_free, .realloc = font_realloc};
    const FT_Error code = r->ft.FT_New_Library(&r->memory, &r->library);
    if (code != 0)
        return ct_error_set(error, "FreeType does not start (error 0x%02x)", (unsigned)code);
    r->ft.FT_Add_Default_Modules(r->library);
    return true;
}

ct_glyph_raster *ct_glyph_raster_create(ct_allocator *a, const void *data, uint64_t num_bytes,
                                        uint32_t face_index, ct_error *error) {
    if (!check_signature(data, num_bytes, error))
        return NULL;
    ct_glyph_raster *const r = CT_NEW(a, ct_glyph_raster);
    r->allocator = a;
    if (!start(r, error) || !open_face(r, data, num_bytes, face_index, error)) {
        ct_glyph_raster_destroy(r);
        return NULL;
    }
    read_metrics(r);
    return r;
}

void ct_glyph_raster_destroy(ct_glyph_raster *r) {
    if (!r)
        return;
    if (r->face)
        r->ft.FT_Done_Face(r->face);
    if (r->library)
        r->ft.FT_Done_Library(r->library);
    ct_free_sized(r->allocator, r, sizeof(*r));
}

uint32_t ct_glyph_raster_glyph_of(const ct_glyph_raster *r, uint32_t codepoint) {
    return r->ft.FT_Get_Char_Index(r->face, codepoint);
}

// --- Drawing -------------------------------------------------------------------------------------

static bool set_size(ct_glyph_raster *r, float size, ct_error *error) {
    if (!(size >= 1 && size <= MAX_GLYPH_SIZE))
        return ct_error_set(error, "found the size %g, expected 1 to %d pixels", (double)size,
                            MAX_GLYPH_SIZE);
    if (r->size == size)
        return true;
    const FT_F26Dot6 units = (FT_F26Dot6)lroundf(size * 64);
    const FT_Error code = r->ft.FT_Set_Char_Size(r->face, units, units, 72, 72);
    r->size = code == 0 ? size : 0;
    return code == 0 ||
           ct_error_set(error, "the font cannot have %g pixels (FreeType's error 0x%02x)",
                        (double)size, (unsigned)code);
}

// Takes one of `budget` for each glyph that a glyph is made of, at any depth: crafted fonts have
// some that double 40 times. FreeType refuses those that contain themselves.
static FT_Error count_components(ct_glyph_raster *r, uint32_t glyph, uint32_t depth,
                                 uint32_t *budget) {
    uint32_t components[MAX_COMPONENTS];
    const FT_GlyphSlot slot = r->face->glyph;
    if (*budget == 0 || depth == MAX_COMPOSITE_DEPTH)
        return FT_Err_Invalid_Composite;
    --*budget;
    FT_Error code = r->ft.FT_Load_Glyph(r->face, glyph, LOAD_FLAGS | FT_LOAD_NO_RECURSE);
    if (code != 0 || slot->format != FT_GLYPH_FORMAT_COMPOSITE)
        return code;
    const uint32_t count = slot->num_subglyphs;
    if (count > MAX_COMPONENTS)
        return FT_Err_Invalid_Composite;
    for (uint32_t i = 0; i < count && code == 0; ++i) {
        FT_Int index, x, y;
        FT_UInt flags;
        FT_Matrix matrix;
        code = r->ft.FT_Get_SubGlyph_Info(slot, i, &index, &flags, &x, &y, &matrix);
        components[i] = (uint32_t)index;
    }
    for (uint32_t i = 0; i < count && code == 0; ++i)
        code = count_components(r, components[i], depth + 1, budget);
    return code;
}

static bool load_glyph(ct_glyph_raster *r, uint32_t glyph, ct_error *error) {
    if (glyph >= r->metrics.num_glyphs)
        return ct_error_set(error, "there is no glyph %u; the font has %u", glyph,
                            r->metrics.num_glyphs);
    uint32_t budget = MAX_COMPONENTS;
    const FT_Error first = count_components(r, glyph, 0, &budget);
    const FT_Error code = first == 0 ? r->ft.FT_Load_Glyph(r->face, glyph, LOAD_FLAGS) : first;
    return code == 0 ||
           ct_error_set(error, "glyph %u: its outline is damaged (FreeType's error 0x%02x)", glyph,
                        (unsigned)code);
}

// Sets the rectangle of a picture: all pixels that the outline touches, and `spread` around them.
// Pages hold no larger ones; checked before anything is drawn.
static bool set_rectangle(ct_glyph_raster *r, uint32_t glyph, uint32_t spread,
                          ct_glyph_picture *picture, ct_error *error) {
    FT_BBox box;
    r->ft.FT_Outline_Get_CBox(&r->face->glyph->outline, &box);
    const double left = floor((double)box.xMin / 64) - spread;
    const double top = ceil((double)box.yMax / 64) + spread;
    const double width = ceil((double)box.xMax / 64) + spread - left;
    const double height = top - (floor((double)box.yMin / 64) - spread);
    if (width > CT_FONT_PAGE_SIZE || height > CT_FONT_PAGE_SIZE)
        return ct_error_set(error,
                            "glyph %u takes %.0f x %.0f pixels at the size %g; the limit "
                            "is %d",
                            glyph, width, height, (double)r->size, CT_FONT_PAGE_SIZE);
    picture->left = (float)left;
    picture->top = (float)top;
    picture->width = (uint32_t)width;
    picture->height = (uint32_t)height;
    return true;
}

static bool draw_field(ct_glyph_raster *r, uint32_t glyph, uint32_t spread, ct_byte_array *pixels,
                       ct_glyph_picture *picture, ct_error *error) {
    if (!set_rectangle(r, glyph, spread, picture, error))
        return false;
    FT_Outline *const outline = &r->face->glyph->outline;
    ct_outline_lines lines;
    ct_array_init(&lines, r->allocator);
    ct_array_resize(pixels, picture->width * picture->height);
    const bool is_done =
        ct_glyph_outline_lines(&r->ft, outline, picture->left, picture->top, MAX_LINES, &lines) &&
        ct_glyph_field(r->allocator, &lines, picture->width, picture->height, spread,
                       pixels->items);
    ct_array_free(&lines);
    return is_done || ct_error_set(error,
                                   "glyph %u: its outline of %d points is invalid, or too "
                                   "complex for the size %g",
                                   glyph, outline->n_points, (double)r->size);
}

static bool draw_coverage(ct_glyph_raster *r, uint32_t glyph, ct_byte_array *pixels,
                          ct_glyph_picture *picture, ct_error *error) {
    const FT_GlyphSlot slot = r->face->glyph;
    if (!set_rectangle(r, glyph, 0, picture, error))
        return false;
    const FT_Error code = r->ft.FT_Render_Glyph(slot, FT_RENDER_MODE_NORMAL);
    if (code != 0)
        return ct_error_set(error,
                            "glyph %u: its outline cannot be drawn (FreeType's error 0x%02x)",
                            glyph, (unsigned)code);
    const FT_Bitmap *const bitmap = &slot->bitmap;
    picture->width = bitmap->width;
    picture->height = bitmap->rows;
    picture->left = (float)slot->bitmap_left;
    picture->top = (float)slot->bitmap_top;
    ct_array_reserve(pixels, (uint64_t)bitmap->width * bitmap->rows);
    for (uint32_t y = 0; y < bitmap->rows; ++y)
        ct_array_push_many(pixels, bitmap->buffer + (int64_t)y * bitmap->pitch, bitmap->width);
    return true;
}

bool ct_glyph_raster_draw(ct_glyph_raster *r, uint32_t glyph, float size, uint32_t spread,
                          ct_byte_array *pixels, ct_glyph_picture *picture, ct_error *error) {
    CT_ASSERT(spread <= CT_FONT_MAX_SPREAD, "a spread of %u pixels", spread);
    pixels->count = 0;
    *picture = (ct_glyph_picture){0};
    if (!set_size(r, size, error) || !load_glyph(r, glyph, error))
        return false;
    const FT_GlyphSlot slot = r->face->glyph;
    const float advance = (float)slot->linearHoriAdvance / 65536.0f;
    const bool has_outline = slot->format == FT_GLYPH_FORMAT_OUTLINE && slot->outline.n_points > 0;
    const bool is_drawn =
        !has_outline || (spread > 0 ? draw_field(r, glyph, spread, pixels, picture, error)
                                    : draw_coverage(r, glyph, pixels, picture, error));
    if (!is_drawn || pixels->count == 0) {
        pixels->count = 0;
        *picture = (ct_glyph_picture){0};
    }
    picture->advance = is_drawn ? advance : 0;
    return is_drawn;
}
