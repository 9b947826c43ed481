// hb_api.h: the functions of HarfBuzz that the text engine uses, found at run time.
//
// libharfbuzz brings eleven other libraries with it. A program that links it starts several
// milliseconds later, whether it shows text or not (docs/decisions/0033-unicode-data.md).
#pragma once
#include <harfbuzz/hb-ot.h>
#include <harfbuzz/hb.h>

#include "foundation/types.h"

#define CT_HB_FUNCTIONS(X)                                                                         \
    X(hb_blob_create)                                                                              \
    X(hb_blob_destroy)                                                                             \
    X(hb_blob_get_empty)                                                                           \
    X(hb_buffer_add_utf8)                                                                          \
    X(hb_buffer_allocation_successful)                                                             \
    X(hb_buffer_clear_contents)                                                                    \
    X(hb_buffer_create)                                                                            \
    X(hb_buffer_destroy)                                                                           \
    X(hb_buffer_get_glyph_infos)                                                                   \
    X(hb_buffer_get_glyph_positions)                                                               \
    X(hb_buffer_set_segment_properties)                                                            \
    X(hb_face_create)                                                                              \
    X(hb_face_destroy)                                                                             \
    X(hb_face_get_glyph_count)                                                                     \
    X(hb_face_get_upem)                                                                            \
    X(hb_face_make_immutable)                                                                      \
    X(hb_face_set_upem)                                                                            \
    X(hb_font_create)                                                                              \
    X(hb_font_destroy)                                                                             \
    X(hb_font_funcs_create)                                                                        \
    X(hb_font_funcs_destroy)                                                                       \
    X(hb_font_funcs_set_glyph_h_advance_func)                                                      \
    X(hb_font_funcs_set_glyph_h_kerning_func)                                                      \
    X(hb_font_funcs_set_nominal_glyph_func)                                                        \
    X(hb_font_get_glyph_h_advance)                                                                 \
    X(hb_font_get_nominal_glyph)                                                                   \
    X(hb_font_make_immutable)                                                                      \
    X(hb_font_set_funcs)                                                                           \
    X(hb_font_set_scale)                                                                           \
    X(hb_language_from_string)                                                                     \
    X(hb_ot_font_set_funcs)                                                                        \
    X(hb_ot_layout_collect_lookups)                                                                \
    X(hb_ot_layout_lookups_substitute_closure)                                                     \
    X(hb_set_add)                                                                                  \
    X(hb_set_create)                                                                               \
    X(hb_set_destroy)                                                                              \
    X(hb_set_next)                                                                                 \
    X(hb_shape)                                                                                    \
    X(hb_unicode_funcs_get_default)                                                                \
    X(hb_unicode_script)

// HarfBuzz's functions, loaded with the first font.
typedef struct ct_hb_api {
#define CT_HB_POINTER(name) __typeof__(&name) name;
    CT_HB_FUNCTIONS(CT_HB_POINTER)
#undef CT_HB_POINTER
} ct_hb_api;

// Loads HarfBuzz once for the life of the process. Returns NULL with an `error` that says what to
// install.
const ct_hb_api *ct_hb_load(ct_error *error);
