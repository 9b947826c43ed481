#include "render/object/render_guis.h"

void ct_render_guis_add(ct_render_gui_array *guis, ct_render_gui_id id,
                        const ct_render_gui_desc *desc) {
    ct_render_gui gui = {.id = id, .desc = *desc};
    ct_render_batches_init(&gui.batches, guis->allocator, desc->is_immediate);
    ct_array_push(guis, gui);
}

ct_render_gui *ct_render_guis_find(ct_render_gui_array *guis, ct_render_gui_id id) {
    uint32_t low = 0, high = guis->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (guis->items[middle].id.value < id.value)
            low = middle + 1;
        else
            high = middle;
    }
    return low < guis->count && guis->items[low].id.value == id.value ? &guis->items[low] : NULL;
}

void ct_render_guis_remove(ct_render_gui_array *guis, ct_render_gui_id id, ct_render_context *c) {
    ct_render_gui *const gui = ct_render_guis_find(guis, id);
    if (!gui)
        return;
    ct_render_batches_shutdown(&gui->batches, c);
    ct_array_erase(guis, (uint32_t)(gui - guis->items), 1);
}

void ct_render_guis_free(ct_render_gui_array *guis, ct_render_context *c) {
    for (uint32_t i = 0; i < guis->count; ++i)
        ct_render_batches_shutdown(&guis->items[i].batches, c);
    ct_array_free(guis);
}

void ct_render_guis_drop(ct_render_gui_array *guis, ct_render_context *c) {
    for (uint32_t i = 0; i < guis->count; ++i)
        ct_render_batches_drop(&guis->items[i].batches, c);
}

void ct_render_guis_clear_frame(ct_render_gui_array *guis) {
    for (uint32_t i = 0; i < guis->count; ++i)
        if (guis->items[i].desc.is_immediate)
            ct_render_batches_clear(&guis->items[i].batches);
}
