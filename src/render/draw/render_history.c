#include "render/draw/render_history.h"

#include <string.h>

void ct_render_history_init(ct_render_history *h, ct_allocator *a) {
    *h = (ct_render_history){.frame = 0};
    ct_array_init(&h->items, a);
}

void ct_render_history_free(ct_render_history *h) {
    ct_array_free(&h->items);
}

void ct_render_history_clear(ct_render_history *h) {
    h->items.count = 0;
}

// The radical inverse: the digits of `number` in this base, behind the point in reverse.
static float halton(uint32_t number, uint32_t base) {
    float result = 0.0f, digit = 1.0f;
    for (; number; number /= base) {
        digit /= (float)base;
        result += digit * (float)(number % base);
    }
    return result;
}

void ct_render_jitter_offset(uint32_t number, float offset[2]) {
    const uint32_t i = number % CT_RENDER_JITTER_COUNT + 1; // number 0 would be a corner
    offset[0] = halton(i, 2) - 0.5f;
    offset[1] = halton(i, 3) - 0.5f;
}

// Views that were not drawn in the frame before are of no use.
static void drop_old(ct_render_history *h, uint64_t frame) {
    if (h->frame == frame)
        return;
    h->frame = frame;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < h->items.count; ++i)
        if (h->items.items[i].view.frame + 1 == frame)
            h->items.items[kept++] = h->items.items[i];
    h->items.count = kept;
}

static bool is_same_view(const ct_render_history_view *a, const ct_render_history_view *b) {
    return a->world.value == b->world.value && a->viewport.value == b->viewport.value &&
           memcmp(a->rectangle, b->rectangle, sizeof(a->rectangle)) == 0;
}

// The view in the frame before, which a new view of this frame has not taken yet; or NULL.
static ct_render_history_item *find(const ct_render_history *h,
                                    const ct_render_history_view *view) {
    for (uint32_t i = 0; i < h->items.count; ++i) {
        ct_render_history_item *const item = &h->items.items[i];
        if (item->view.frame + 1 == view->frame && is_same_view(&item->view, view))
            return item;
    }
    return NULL;
}

ct_render_history_last ct_render_history_none(const ct_render_history_view *view) {
    ct_render_history_last result = {.view_projection = view->view_projection};
    memcpy(result.camera_position, view->camera_position, sizeof(result.camera_position));
    return result;
}

ct_render_history_last ct_render_history_take(ct_render_history *h,
                                              const ct_render_history_view *view) {
    drop_old(h, view->frame);
    ct_render_history_item *item = find(h, view);
    const bool is_continuous = item && item->view.shot == view->shot;
    if (!item) {
        ct_array_push(&h->items, (ct_render_history_item){.number = 0});
        item = &h->items.items[h->items.count - 1];
    }
    const ct_render_history_view last = is_continuous ? item->view : *view;
    ct_render_history_last result = {.view_projection = last.view_projection,
                                     .seconds = (float)(view->seconds - last.seconds),
                                     .number = is_continuous ? item->number + 1 : 0,
                                     .has_pictures = is_continuous &&
                                                     last.version == view->version &&
                                                     last.steps == view->steps};
    memcpy(result.camera_position, last.camera_position, sizeof(result.camera_position));
    if (view->is_jittered) {
        ct_render_jitter_offset(result.number, result.jitter);
        result.jitter[0] /= view->pixels[0];
        result.jitter[1] /= view->pixels[1];
    }
    memcpy(result.jitter + 2, is_continuous ? item->jitter : result.jitter, 2 * sizeof(float));
    memcpy(item->jitter, result.jitter, sizeof(item->jitter));
    item->view = *view;
    item->number = result.number;
    return result;
}
