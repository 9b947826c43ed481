// shown_views.h: the views of the picture that the game drew last, for tools that ask what is at a point of
// it. Update thread.
#pragma once
#include "render/renderer.h"

enum { CT_MAX_SHOWN_VIEWS = 16 }; // of a frame; later ones are left out

typedef struct ct_shown_view {
    ct_render_world_id world; // which may have ended since
    ct_render_view view;
    float rectangle[4]; // of the picture: x, y, width, height, as fractions, y from the top
} ct_shown_view;

// Notes that the game draws a view in the frame that is being recorded. The first of a frame takes the place
// of those of the frame before. Costs a copy of the struct.
void ct_renderer_note_view(ct_renderer *r, const ct_shown_view *view);

// Returns the views that were noted last, in the order in which they were drawn. Borrowed until the next is
// noted.
const ct_shown_view *ct_renderer_shown_views(const ct_renderer *r, uint32_t *count);
