// render_glyphs.h: the pages of glyphs on the device: one array texture of 8 bits.
//
// Shaders read it as the texture "core/textures/glyphs": its place in the table of textures belongs
// to this part, whatever the resource of that name holds. A page comes to be when it is first
// written; the texture is made again, with twice the pages, when they do not fit. A copy in memory
// of the processor is what it is made from, then and on another device. Render thread.
#pragma once
#include "render/object/render_textures.h"
#include "render/render_gui.h"

typedef struct ct_render_glyphs {
    ct_render_context *context;
    ct_render_textures *textures;
    uint32_t texture;                       // index in the textures
    CT_ARRAY(uint8_t *) pages;              // each CT_RENDER_GLYPH_PAGE_SIZE squared
    CT_ARRAY(ct_render_glyph_area) changes; // that the device does not have yet
    ct_render_image image;
} ct_render_glyphs;

// Makes a table without pages. It borrows the context and the textures, which must outlive it.
void ct_render_glyphs_init(ct_render_glyphs *g, ct_render_context *c, ct_render_textures *t);

// Retires the texture and frees the pages.
void ct_render_glyphs_shutdown(ct_render_glyphs *g);

// Takes the texture from the device; the next upload makes it again.
void ct_render_glyphs_drop(ct_render_glyphs *g);

// Writes the pixels of a rectangle. Copied.
void ct_render_glyphs_write(ct_render_glyphs *g, const ct_render_glyph_area *area,
                            const uint8_t *pixels);

// Brings the device's copy up to date: records copies to the frame's command buffer. Raises the
// context's version when the texture is made again.
void ct_render_glyphs_upload(ct_render_glyphs *g);
