// overlay_texts.h: texts of the game that are shown over it for some seconds.
//
// Plain data without allocations; zeroed: no texts. The last CT_OVERLAY_TEXTS lines are kept. Update thread.
#pragma once
#include "foundation/math/math_types.h"

enum { CT_OVERLAY_TEXTS = 12, CT_OVERLAY_TEXT_BYTES = 256, CT_OVERLAY_TEXT_SECONDS = 5 };

typedef struct ct_overlay_text {
    char text[CT_OVERLAY_TEXT_BYTES]; // printable UTF-8; a longer line is cut
    uint32_t color;                   // of a GUI
    uint64_t end_ns;                  // when it is no longer shown
} ct_overlay_text;

typedef struct ct_overlay_texts {
    ct_overlay_text items[CT_OVERLAY_TEXTS]; // the oldest first
    uint32_t count;
} ct_overlay_texts;

// Adds the lines of a text in a colour (linear red, green and blue; what is not from 0 to 1 is moved there). When
// there are too many, the oldest go.
void ct_overlay_texts_add(ct_overlay_texts *texts, ct_vec3 color, const char *text,
                          uint64_t now_ns);

// Removes those whose time is over.
void ct_overlay_texts_expire(ct_overlay_texts *texts, uint64_t now_ns);
