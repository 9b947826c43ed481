// gui_glyph_service.h: rasterises glyphs on a service thread.
//
// The update thread asks for glyphs and takes the pictures some frames later; it never waits for
// one. The thread starts with the first request and sleeps while there is nothing to do. It keeps a
// rasteriser for each font. All functions are for the update thread.
#pragma once
#include "text/glyph_raster.h"

typedef struct ct_gui_glyph_service ct_gui_glyph_service;

// A glyph to rasterise. `outlines` are borrowed until ct_gui_glyph_service_forget.
typedef struct ct_gui_glyph_request {
    uint32_t font; // a number that the caller gives a font
    uint32_t glyph;
    const void *outlines;
    uint64_t num_bytes;
    uint32_t face_index;
    float size;      // pixels of an em
    uint32_t spread; // 0: coverage
} ct_gui_glyph_request;

// A rasterised glyph.
typedef struct ct_gui_glyph_result {
    uint32_t font, glyph;
    ct_glyph_picture picture; // 0 x 0 pixels when there is nothing to draw, or it failed
    uint8_t *pixels;          // owned; NULL when the picture is empty
    uint64_t num_bytes;
    bool has_failed;
    char reason[200]; // when it failed
} ct_gui_glyph_result;

// Makes a service without a thread.
ct_gui_glyph_service *ct_gui_glyph_service_create(ct_allocator *a);

// Ends the thread and frees everything that was not taken.
void ct_gui_glyph_service_destroy(ct_gui_glyph_service *s);

// Asks for a glyph. Copied.
void ct_gui_glyph_service_request(ct_gui_glyph_service *s, const ct_gui_glyph_request *request);

// Takes the next finished glyph; the caller frees it with ct_gui_glyph_service_free. Returns false
// when none is finished.
bool ct_gui_glyph_service_take(ct_gui_glyph_service *s, ct_gui_glyph_result *result);

// Frees the pixels of a result.
void ct_gui_glyph_service_free(ct_gui_glyph_service *s, ct_gui_glyph_result *result);

// Drops all requests and results of a font, and waits while one of it is being rasterised: after
// this its outlines are not used.
void ct_gui_glyph_service_forget(ct_gui_glyph_service *s, uint32_t font);

// Waits until everything that was asked for is finished. For tests and pictures.
void ct_gui_glyph_service_wait(ct_gui_glyph_service *s);
