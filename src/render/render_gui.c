#include "render/render_gui.h"

#include <string.h>

#include "foundation/error.h"
#include "render/renderer_private.h"

enum { QUAD_BYTES = 4 * sizeof(ct_batch_vertex) };

_Static_assert(QUAD_BYTES % 16 == 0, "quads fill payloads without gaps");
_Static_assert(sizeof(ct_render_command_gui_quads) % 16 == 0, "vertices are aligned to 16");

static void push_gui(ct_renderer *r, ct_render_command_type type, ct_render_world_id world,
                     ct_render_gui_id gui, const ct_render_gui_desc *desc) {
    ct_render_command_gui *const x =
        ct_render_stream_push(ct_renderer_recording(r), type, sizeof(*x));
    *x = (ct_render_command_gui){.world = world, .gui = gui};
    if (desc)
        x->desc = *desc;
}

ct_render_gui_id ct_render_gui_create(ct_renderer *r, ct_render_world_id world,
                                      const ct_render_gui_desc *desc) {
    const ct_render_gui_id gui = {ct_renderer_issue_id(r)};
    push_gui(r, CT_RENDER_COMMAND_TYPE_GUI_CREATE, world, gui, desc);
    return gui;
}

void ct_render_gui_set(ct_renderer *r, ct_render_world_id world, ct_render_gui_id gui,
                       const ct_render_gui_desc *desc) {
    push_gui(r, CT_RENDER_COMMAND_TYPE_GUI_SET, world, gui, desc);
}

void ct_render_gui_destroy(ct_renderer *r, ct_render_world_id world, ct_render_gui_id gui) {
    push_gui(r, CT_RENDER_COMMAND_TYPE_GUI_DESTROY, world, gui, NULL);
}

void ct_render_gui_clear(ct_renderer *r, ct_render_world_id world, ct_render_gui_id gui) {
    push_gui(r, CT_RENDER_COMMAND_TYPE_GUI_CLEAR, world, gui, NULL);
}

// The last command, when quads of this key can be added to it.
static ct_render_command_gui_quads *open_append(const ct_render_stream *s,
                                                const ct_render_gui_key *key) {
    if (!s->bytes.count)
        return NULL;
    const ct_render_command_header *const header = (const void *)(s->bytes.items + s->last);
    ct_render_command_gui_quads *const x = (void *)(header + 1);
    if (header->type != CT_RENDER_COMMAND_TYPE_GUI_APPEND)
        return NULL;
    const bool is_same = x->key.gui.value == key->gui.value && x->key.layer == key->layer &&
                         x->key.material.value == key->material.value &&
                         x->key.world.value == key->world.value;
    return is_same ? x : NULL;
}

ct_batch_vertex *ct_render_gui_append(ct_renderer *r, const ct_render_gui_key *key,
                                      uint32_t num_quads) {
    ct_render_stream *const s = ct_renderer_recording(r);
    ct_render_command_gui_quads *x = open_append(s, key);
    if (x) {
        x->num_quads += num_quads;
        return ct_render_stream_extend(s, (uint64_t)num_quads * QUAD_BYTES);
    }
    x = ct_render_stream_push(s, CT_RENDER_COMMAND_TYPE_GUI_APPEND,
                              sizeof(*x) + (uint64_t)num_quads * QUAD_BYTES);
    *x = (ct_render_command_gui_quads){.key = *key, .num_quads = num_quads};
    return (ct_batch_vertex *)(x + 1);
}

ct_batch_vertex *ct_render_gui_set_object(ct_renderer *r, const ct_render_gui_key *key,
                                          uint32_t slot, uint32_t num_quads) {
    ct_render_command_gui_quads *const x =
        ct_render_stream_push(ct_renderer_recording(r), CT_RENDER_COMMAND_TYPE_GUI_OBJECT,
                              sizeof(*x) + (uint64_t)num_quads * QUAD_BYTES);
    *x = (ct_render_command_gui_quads){.key = *key, .slot = slot, .num_quads = num_quads};
    return (ct_batch_vertex *)(x + 1);
}

void ct_render_gui_remove_objects(ct_renderer *r, ct_render_world_id world, ct_render_gui_id gui,
                                  const uint32_t *slots, uint32_t count) {
    if (!count)
        return;
    ct_render_command_gui_remove *const x =
        ct_render_stream_push(ct_renderer_recording(r), CT_RENDER_COMMAND_TYPE_GUI_REMOVE,
                              sizeof(*x) + sizeof(*slots) * (uint64_t)count);
    *x = (ct_render_command_gui_remove){.world = world, .gui = gui, .count = count};
    memcpy(x + 1, slots, sizeof(*slots) * (uint64_t)count);
}

void ct_render_write_glyphs(ct_renderer *r, const ct_render_glyph_area *area,
                            const uint8_t *pixels) {
    CT_ASSERT(area->page < CT_RENDER_MAX_GLYPH_PAGES &&
                  area->x + area->width <= CT_RENDER_GLYPH_PAGE_SIZE &&
                  area->y + area->height <= CT_RENDER_GLYPH_PAGE_SIZE,
              "%u x %u glyph pixels at %u, %u of page %u", area->width, area->height, area->x,
              area->y, area->page);
    const uint64_t bytes = (uint64_t)area->width * area->height;
    if (!bytes)
        return;
    ct_render_command_glyphs *const x = ct_render_stream_push(
        ct_renderer_recording(r), CT_RENDER_COMMAND_TYPE_GLYPHS, sizeof(*x) + bytes);
    *x = (ct_render_command_glyphs){.area = *area};
    memcpy(x + 1, pixels, bytes);
}
