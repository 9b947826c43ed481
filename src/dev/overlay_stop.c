#include "dev/overlay_stop.h"

#include <string.h>

#include "dev/overlay_paint.h"
#include "foundation/string/utf8.h"

void ct_overlay_stop_end(ct_overlay_stop *s) {
    if (!s->bar)
        return;
    ct_gui_destroy(s->bar);
    ct_render_world_destroy(s->renderer, s->world);
    s->bar = NULL;
    s->width = s->height = 0;
}

// Copies whole characters that can be shown.
static void copy_printable(char out[CT_OVERLAY_STOP_BYTES], const char *text) {
    const size_t bytes = strlen(text);
    size_t used = 0;
    for (size_t at = 0; at < bytes;) {
        const uint32_t length = ct_utf8_length(text + at, bytes - at);
        const bool is_shown = length > 1 || (length == 1 && text[at] >= ' ' && text[at] != 0x7f);
        const uint32_t num_out = is_shown ? length : 1;
        if (used + num_out >= CT_OVERLAY_STOP_BYTES)
            break;
        memcpy(out + used, is_shown ? text + at : " ", num_out);
        used += num_out;
        at += length ? length : 1;
    }
    out[used] = '\0';
}

void ct_overlay_stop_set(ct_overlay_stop *s, const char *text) {
    char copy[CT_OVERLAY_STOP_BYTES] = "";
    if (text)
        copy_printable(copy, text);
    if (strcmp(copy, s->text) == 0)
        return;
    ct_overlay_stop_end(s);
    memcpy(s->text, copy, sizeof(copy));
}

static void begin(ct_overlay_stop *s, ct_renderer *r, ct_gui_system *gui) {
    ct_overlay_layout layout = ct_overlay_layout_of(s->width, s->height);
    if (layout.pixels_of_a_unit < 1.0f) { // it alone can be read in small pictures, too
        layout.width = (float)s->width;
        layout.height = (float)s->height;
    }
    s->renderer = r;
    s->world = ct_render_world_create(r);
    s->bar = ct_gui_create(gui, &(ct_gui_desc){.world = s->world,
                                               .reference_width = layout.width,
                                               .reference_height = layout.height});
    ct_overlay_paint_stop(s->bar, &layout, s->text);
}

void ct_overlay_stop_draw(ct_overlay_stop *s, ct_renderer *r, ct_gui_system *gui) {
    const ct_string_id32 viewport = ct_string_id32_of("overlay");
    if (!s->text[0] || !ct_renderer_has_viewport(r, viewport))
        return;
    uint32_t width, height;
    ct_renderer_size(r, &width, &height);
    if (s->width != width || s->height != height)
        ct_overlay_stop_end(s);
    if (!s->bar) {
        s->width = width > 0 ? width : 1;
        s->height = height > 0 ? height : 1;
        begin(s, r, gui);
    }
    // Nothing in the view depends on a camera.
    const ct_render_view view = {.pose = ct_mat4_identity(),
                                 .projection = ct_mat4_perspective(1.0f, 1.0f, 0.1f, 1.0f)};
    const float whole[4] = {0.0f, 0.0f, 1.0f, 1.0f};
    ct_renderer_render_world(r, s->world, &view, viewport, whole, NULL, 0);
}
