// Targets that keep what the last frame drew.
#include "render/graph/render_graph.h"

// Makes an image black that nothing was drawn to, so that no shader reads noise.
static void clear_unused(ct_render_graph *g, ct_render_graph_target *t) {
    static const VkClearColorValue black = {.float32 = {0.0f, 0.0f, 0.0f, 0.0f}};
    if (!t->image.handle || t->uses[0] != CT_RENDER_USE_NONE)
        return;
    ct_render_graph_use(g, t, CT_RENDER_USE_COPY_TARGET);
    const VkImageSubresourceRange range = {
        .aspectMask = VK_IMAGE_ASPECT_COLOR_BIT, .levelCount = t->image.num_mips, .layerCount = 1};
    g->context->device->vk.CmdClearColorImage(g->context->commands, t->image.handle,
                                              VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &black, 1,
                                              &range);
}

void ct_render_graph_swap_history(ct_render_graph *g) {
    g->parity ^= 1;
    for (uint32_t i = 0; i < g->num_targets; ++i) {
        if (!g->targets[i].desc.has_history)
            continue;
        const ct_render_graph_target last = g->targets[i];
        g->targets[i] = g->previous[i];
        g->previous[i] = last;
        clear_unused(g, &g->targets[i]);
        clear_unused(g, &g->previous[i]);
    }
}

ct_render_graph_target *ct_render_graph_input(ct_render_graph *g, const ct_render_graph_step *step,
                                              uint32_t input) {
    const uint32_t target = step->inputs[input];
    return step->input_is_previous[input] ? &g->previous[target] : &g->targets[target];
}
