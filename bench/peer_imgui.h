// peer_imgui.h: Dear ImGui: its draw lists, peer of the vertices of GUIs, and frames of its widgets.
#pragma once
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct peer_imgui peer_imgui;

// Makes a draw list with ImGui's own font.
peer_imgui *peer_imgui_create(void);

// Frees the draw list.
void peer_imgui_destroy(peer_imgui *p);

// Empties the list and draws `count` rectangles: x, y, width, height. Returns the number of
// vertices.
uint32_t peer_imgui_rects(peer_imgui *p, const float (*rects)[4], const uint32_t *colors,
                          uint32_t count);

// Empties the list and draws `count` texts, one below the other. Returns the number of vertices.
uint32_t peer_imgui_texts(peer_imgui *p, const char *const *texts, uint32_t count);

// A frame of a list of 100,000 rows, of which 50 show, that scrolls by 77 units. Returns the number of
// vertices.
uint32_t peer_imgui_list(peer_imgui *p);

// A frame of 500 widgets that all show: labels, buttons, check boxes, sliders and progress bars. Returns
// the number of vertices.
uint32_t peer_imgui_form(peer_imgui *p);

#ifdef __cplusplus
}
#endif
