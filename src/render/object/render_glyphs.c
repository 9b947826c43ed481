#include "render/object/render_glyphs.h"

#include <string.h>

enum {
    PAGE_BYTES = CT_RENDER_GLYPH_PAGE_SIZE * CT_RENDER_GLYPH_PAGE_SIZE,
    FIRST_PAGES = 2,
    MAX_COPIES = 64, // more are recorded in several commands
};

void ct_render_glyphs_init(ct_render_glyphs *g, ct_render_context *c, ct_render_textures *t) {
    *g = (ct_render_glyphs){.context = c, .textures = t};
    ct_array_init(&g->pages, c->allocator);
    ct_array_init(&g->changes, c->allocator);
    g->texture = ct_render_textures_reserve(t, ct_string_id64_of("core/textures/glyphs"));
}

void ct_render_glyphs_shutdown(ct_render_glyphs *g) {
    ct_render_glyphs_drop(g);
    for (uint32_t i = 0; i < g->pages.count; ++i)
        ct_free_sized(g->context->allocator, g->pages.items[i], PAGE_BYTES);
    ct_array_free(&g->pages);
    ct_array_free(&g->changes);
}

void ct_render_glyphs_drop(ct_render_glyphs *g) {
    ct_render_retire_image(&g->context->retire, &g->image);
    ct_render_textures_set_image(g->textures, g->texture, NULL);
}

static ct_render_glyph_area whole_page(uint32_t page) {
    return (ct_render_glyph_area){
        .page = page, .width = CT_RENDER_GLYPH_PAGE_SIZE, .height = CT_RENDER_GLYPH_PAGE_SIZE};
}

// A new page is copied whole: it is black where nothing is written.
static void add_page(ct_render_glyphs *g) {
    ct_array_push(&g->changes, whole_page(g->pages.count));
    ct_array_push(&g->pages, ct_alloc_zero(g->context->allocator, PAGE_BYTES));
}

void ct_render_glyphs_write(ct_render_glyphs *g, const ct_render_glyph_area *area,
                            const uint8_t *pixels) {
    const bool is_new = g->pages.count <= area->page;
    while (g->pages.count <= area->page)
        add_page(g);
    uint8_t *const page = g->pages.items[area->page];
    for (uint32_t y = 0; y < area->height; ++y)
        memcpy(page + (uint64_t)(area->y + y) * CT_RENDER_GLYPH_PAGE_SIZE + area->x,
               pixels + (uint64_t)y * area->width, area->width);
    if (!is_new)
        ct_array_push(&g->changes, *area);
}

// --- The device's copy ---------------------------------------------------------------------------

static void barrier(const ct_render_glyphs *g, VkImageLayout from, VkImageLayout to,
                    VkPipelineStageFlags2 stage_from, VkAccessFlags2 access_from,
                    VkPipelineStageFlags2 stage_to, VkAccessFlags2 access_to) {
    const VkImageMemoryBarrier2 b = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
        .srcStageMask = stage_from,
        .srcAccessMask = access_from,
        .dstStageMask = stage_to,
        .dstAccessMask = access_to,
        .oldLayout = from,
        .newLayout = to,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = g->image.handle,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, g->image.num_layers}};
    const VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                   .imageMemoryBarrierCount = 1,
                                   .pImageMemoryBarriers = &b};
    g->context->device->vk.CmdPipelineBarrier2(g->context->commands, &info);
}

static void make_image(ct_render_glyphs *g) {
    uint32_t num_layers = g->image.num_layers ? g->image.num_layers : FIRST_PAGES;
    while (num_layers < g->pages.count)
        num_layers *= 2;
    ct_render_retire_image(&g->context->retire, &g->image);
    g->image = ct_render_image_create(
        g->context->device, &(ct_render_image_desc){.format = VK_FORMAT_R8_UNORM,
                                                    .width = CT_RENDER_GLYPH_PAGE_SIZE,
                                                    .height = CT_RENDER_GLYPH_PAGE_SIZE,
                                                    .num_mips = 1,
                                                    .num_layers = num_layers,
                                                    .view_type = VK_IMAGE_VIEW_TYPE_2D_ARRAY,
                                                    .usage = VK_IMAGE_USAGE_TRANSFER_DST_BIT |
                                                             VK_IMAGE_USAGE_SAMPLED_BIT});
    ct_render_textures_set_image(g->textures, g->texture, &g->image);
    g->changes.count = 0;
    for (uint32_t i = 0; i < g->pages.count; ++i)
        ct_array_push(&g->changes, whole_page(i));
}

static void copy_rows(const ct_render_glyphs *g, const ct_render_glyph_area *area, char *target) {
    const uint8_t *const page = g->pages.items[area->page];
    for (uint32_t y = 0; y < area->height; ++y)
        memcpy(target + (uint64_t)y * area->width,
               page + (uint64_t)(area->y + y) * CT_RENDER_GLYPH_PAGE_SIZE + area->x, area->width);
}

static uint64_t area_bytes(const ct_render_glyph_area *area) {
    return ((uint64_t)area->width * area->height + 3) & ~3ull;
}

// Records the copies of `count` changes from `staging`, where the first begins at `*at`.
static void record_copies(ct_render_glyphs *g, const ct_render_glyph_area *changes, uint32_t count,
                          const ct_render_buffer *staging, uint64_t *at) {
    VkBufferImageCopy copies[MAX_COPIES];
    for (uint32_t i = 0; i < count; ++i) {
        const ct_render_glyph_area *const area = &changes[i];
        copy_rows(g, area, (char *)staging->allocation.mapped + *at);
        copies[i] =
            (VkBufferImageCopy){.bufferOffset = *at,
                                .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, area->page, 1},
                                .imageOffset = {(int32_t)area->x, (int32_t)area->y, 0},
                                .imageExtent = {area->width, area->height, 1}};
        *at += area_bytes(area);
    }
    g->context->device->vk.CmdCopyBufferToImage(
        g->context->commands, staging->handle, g->image.handle,
        VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, count, copies);
}

void ct_render_glyphs_upload(ct_render_glyphs *g) {
    const bool is_new = g->pages.count && g->pages.count > g->image.num_layers;
    if (is_new)
        make_image(g);
    if (!g->changes.count)
        return;
    ct_render_context *const c = g->context;
    uint64_t total = 0, at = 0;
    for (uint32_t i = 0; i < g->changes.count; ++i)
        total += area_bytes(&g->changes.items[i]);
    ct_render_buffer staging = ct_render_buffer_create(
        c->device, total, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, CT_RENDER_MEMORY_USE_UPLOAD);
    barrier(g, is_new ? VK_IMAGE_LAYOUT_UNDEFINED : VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
            VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT, 0,
            VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT);
    for (uint32_t i = 0; i < g->changes.count; i += MAX_COPIES) {
        const uint32_t left = g->changes.count - i;
        record_copies(g, g->changes.items + i, left < MAX_COPIES ? left : MAX_COPIES, &staging,
                      &at);
    }
    barrier(g, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
            VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT,
            VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT, VK_ACCESS_2_SHADER_SAMPLED_READ_BIT);
    ct_render_retire_buffer(&c->retire, &staging);
    g->changes.count = 0;
}
