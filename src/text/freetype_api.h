// freetype_api.h: the functions of FreeType that we use, found at run time.
//
// FreeType is not linked: it and its own libraries would take most of the time in which `cuttle`
// starts, and most commands draw no glyph. Any thread.
#pragma once
#include <ft2build.h>

#include <freetype/freetype.h>
#include <freetype/ftmodapi.h>
#include <freetype/ftoutln.h>
#include <freetype/tttables.h>

#include "foundation/types.h"

#define CT_FREETYPE_FUNCTIONS(X)                                                                   \
    X(FT_Add_Default_Modules)                                                                      \
    X(FT_Done_Face)                                                                                \
    X(FT_Done_Library)                                                                             \
    X(FT_Get_Char_Index)                                                                           \
    X(FT_Get_Sfnt_Table)                                                                           \
    X(FT_Get_SubGlyph_Info)                                                                        \
    X(FT_Load_Glyph)                                                                               \
    X(FT_New_Library)                                                                              \
    X(FT_New_Memory_Face)                                                                          \
    X(FT_Outline_Decompose)                                                                        \
    X(FT_Outline_Get_CBox)                                                                         \
    X(FT_Render_Glyph)                                                                             \
    X(FT_Set_Char_Size)

// FreeType's functions.
typedef struct ct_freetype_api {
#define CT_FREETYPE_POINTER(name) __typeof__(&name) name;
    CT_FREETYPE_FUNCTIONS(CT_FREETYPE_POINTER)
#undef CT_FREETYPE_POINTER
} ct_freetype_api;

// Opens FreeType and fills `api`. The first call of a process loads it, which takes about a
// millisecond. Returns false with an `error` that says what to install.
bool ct_freetype_load(ct_freetype_api *api, ct_error *error);
