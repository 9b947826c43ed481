#include "render/object/render_textures.h"

#include <string.h>

static void barrier(ct_render_context *c, const ct_render_image *image, VkImageLayout from,
                    VkImageLayout to, VkPipelineStageFlags2 stage_from, VkAccessFlags2 access_from,
                    VkPipelineStageFlags2 stage_to, VkAccessFlags2 access_to) {
    const VkImageMemoryBarrier2 b = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
                                     .srcStageMask = stage_from,
                                     .srcAccessMask = access_from,
                                     .dstStageMask = stage_to,
                                     .dstAccessMask = access_to,
                                     .oldLayout = from,
                                     .newLayout = to,
                                     .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                     .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                     .image = image->handle,
                                     .subresourceRange = {.aspectMask = image->aspect,
                                                          .levelCount = image->num_mips,
                                                          .layerCount = image->num_layers}};
    const VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                   .imageMemoryBarrierCount = 1,
                                   .pImageMemoryBarriers = &b};
    c->device->vk.CmdPipelineBarrier2(c->commands, &info);
}

// The data to upload: the fields of a resource.
typedef struct pixels {
    VkFormat format;
    ct_texture_kind kind;
    uint32_t num_layers, num_mips;
    const ct_texture_mip *mips;
    const char *base;   // of what lies before `base_bytes`
    const char *stream; // of what lies behind
    uint64_t base_bytes;
} pixels;

static const VkImageViewType view_types[CT_TEXTURE_KIND_COUNT] = {
    [CT_TEXTURE_KIND_2D] = VK_IMAGE_VIEW_TYPE_2D,
    [CT_TEXTURE_KIND_ARRAY] = VK_IMAGE_VIEW_TYPE_2D_ARRAY,
    [CT_TEXTURE_KIND_CUBE] = VK_IMAGE_VIEW_TYPE_CUBE,
};

static const void *pixels_at(const pixels *p, uint32_t offset) {
    return offset < p->base_bytes ? p->base + offset : p->stream + (offset - p->base_bytes);
}

// Copies all mips to a staging buffer, which is retired, and says where each went.
static VkBuffer stage(ct_render_context *c, const pixels *p, VkBufferImageCopy *copies) {
    uint64_t total = 0;
    for (uint32_t i = 0; i < p->num_mips; ++i) {
        copies[i] = (VkBufferImageCopy){
            .bufferOffset = total,
            .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, i, 0, p->num_layers},
            .imageExtent = {p->mips[i].width, p->mips[i].height, 1}};
        total += ((uint64_t)p->mips[i].pixels.count + 15) & ~15ull;
    }
    ct_render_buffer staging = ct_render_buffer_create(
        c->device, total, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, CT_RENDER_MEMORY_USE_UPLOAD);
    for (uint32_t i = 0; i < p->num_mips; ++i)
        memcpy((char *)staging.allocation.mapped + copies[i].bufferOffset,
               pixels_at(p, p->mips[i].pixels.offset), p->mips[i].pixels.count);
    const VkBuffer handle = staging.handle;
    ct_render_retire_buffer(&c->retire, &staging);
    return handle;
}

static ct_render_image upload(ct_render_context *c, const pixels *p) {
    const ct_render_device *const d = c->device;
    const ct_render_image image =
        ct_render_image_create(d, &(ct_render_image_desc){.format = p->format,
                                                          .width = p->mips[0].width,
                                                          .height = p->mips[0].height,
                                                          .num_mips = p->num_mips,
                                                          .num_layers = p->num_layers,
                                                          .view_type = view_types[p->kind],
                                                          .usage = VK_IMAGE_USAGE_TRANSFER_DST_BIT |
                                                                   VK_IMAGE_USAGE_SAMPLED_BIT});
    VkBufferImageCopy copies[CT_TEXTURE_MAX_MIPS];
    const VkBuffer staging = stage(c, p, copies);
    barrier(c, &image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
            VK_PIPELINE_STAGE_2_NONE, 0, VK_PIPELINE_STAGE_2_COPY_BIT,
            VK_ACCESS_2_TRANSFER_WRITE_BIT);
    d->vk.CmdCopyBufferToImage(c->commands, staging, image.handle,
                               VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, p->num_mips, copies);
    barrier(c, &image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
            VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, VK_PIPELINE_STAGE_2_COPY_BIT,
            VK_ACCESS_2_TRANSFER_WRITE_BIT,
            VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT | VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT |
                VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
            VK_ACCESS_2_SHADER_SAMPLED_READ_BIT);
    return image;
}

void ct_render_textures_init(ct_render_textures *t, ct_render_context *c) {
    *t = (ct_render_textures){.context = c};
    ct_hash_map_init(&t->index_of_name, c->allocator);
    ct_array_init(&t->items, c->allocator);
    ct_array_push(&t->items, (ct_render_texture){0});
    ct_array_init(&t->wanted, c->allocator);
}

void ct_render_textures_begin_frame(ct_render_textures *t) {
    static const uint32_t white[CT_TEXTURE_CUBE_LAYERS] = {UINT32_MAX, UINT32_MAX, UINT32_MAX,
                                                           UINT32_MAX, UINT32_MAX, UINT32_MAX};
    if (t->white[0].image.handle)
        return;
    for (uint32_t kind = 0; kind < CT_TEXTURE_KIND_COUNT; ++kind) {
        const uint32_t num_layers = kind == CT_TEXTURE_KIND_CUBE ? CT_TEXTURE_CUBE_LAYERS : 1;
        const ct_texture_mip mip = {
            .width = 1, .height = 1, .pixels = {.count = num_layers * sizeof(white[0])}};
        t->white[kind] =
            (ct_render_texture){.kind = kind, .sampler = CT_RENDER_SAMPLER_NEAREST_CLAMP};
        t->white[kind].image = upload(t->context, &(pixels){.format = VK_FORMAT_R8G8B8A8_UNORM,
                                                            .kind = kind,
                                                            .num_layers = num_layers,
                                                            .num_mips = 1,
                                                            .base = (const char *)white,
                                                            .base_bytes = sizeof(white),
                                                            .mips = &mip});
    }
}

void ct_render_textures_drop(ct_render_textures *t) {
    for (uint32_t i = 0; i < t->items.count; ++i)
        if (!t->items.items[i].is_reserved)
            ct_render_retire_image(&t->context->retire, &t->items.items[i].image);
    for (uint32_t kind = 0; kind < CT_TEXTURE_KIND_COUNT; ++kind)
        ct_render_retire_image(&t->context->retire, &t->white[kind].image);
}

void ct_render_textures_shutdown(ct_render_textures *t) {
    ct_render_textures_drop(t);
    ct_array_free(&t->items);
    ct_array_free(&t->wanted);
    ct_hash_map_free(&t->index_of_name);
}

uint32_t ct_render_textures_index(ct_render_textures *t, ct_string_id64 name) {
    if (!name.value)
        return 0;
    const uint32_t known = (uint32_t)ct_hash_map_get(&t->index_of_name, name.value, 0);
    if (known)
        return known;
    ct_array_push(&t->items, (ct_render_texture){.name = name});
    ct_hash_map_set(&t->index_of_name, name.value, t->items.count - 1);
    return t->items.count - 1;
}

static const VkFormat formats[CT_TEXTURE_FORMAT_COUNT] = {
    [CT_TEXTURE_FORMAT_RGBA8_SRGB] = VK_FORMAT_R8G8B8A8_SRGB,
    [CT_TEXTURE_FORMAT_RGBA8] = VK_FORMAT_R8G8B8A8_UNORM,
    [CT_TEXTURE_FORMAT_R8] = VK_FORMAT_R8_UNORM,
    [CT_TEXTURE_FORMAT_RG8] = VK_FORMAT_R8G8_UNORM,
    [CT_TEXTURE_FORMAT_BC1_SRGB] = VK_FORMAT_BC1_RGB_SRGB_BLOCK,
    [CT_TEXTURE_FORMAT_BC1] = VK_FORMAT_BC1_RGB_UNORM_BLOCK,
    [CT_TEXTURE_FORMAT_BC3_SRGB] = VK_FORMAT_BC3_SRGB_BLOCK,
    [CT_TEXTURE_FORMAT_BC3] = VK_FORMAT_BC3_UNORM_BLOCK,
    [CT_TEXTURE_FORMAT_BC4] = VK_FORMAT_BC4_UNORM_BLOCK,
    [CT_TEXTURE_FORMAT_BC5] = VK_FORMAT_BC5_UNORM_BLOCK,
};

static ct_render_sampler sampler_of(const ct_texture_resource *blob) {
    const bool is_clamped = blob->wrap == CT_TEXTURE_WRAP_CLAMP;
    if (blob->filter == CT_TEXTURE_FILTER_NEAREST)
        return is_clamped ? CT_RENDER_SAMPLER_NEAREST_CLAMP : CT_RENDER_SAMPLER_NEAREST_REPEAT;
    return is_clamped ? CT_RENDER_SAMPLER_LINEAR_CLAMP : CT_RENDER_SAMPLER_LINEAR_REPEAT;
}

void ct_render_textures_set(ct_render_textures *t, ct_string_id64 name,
                            const ct_texture_resource *blob, const void *stream) {
    ct_render_context *const c = t->context;
    const uint32_t index = ct_render_textures_index(t, name); // may move the items
    ct_render_texture *const x = &t->items.items[index];
    if (x->is_reserved)
        return;
    ct_render_retire_image(&c->retire, &x->image);
    ++c->version;
    if (!blob)
        return;
    x->sampler = sampler_of(blob);
    x->kind = blob->kind;
    x->is_partial = blob->num_streamed > 0 && !stream;
    x->is_wanted = false;
    const uint32_t first = x->is_partial ? blob->num_streamed : 0;
    const ct_texture_mip *const mips = ct_blob_at(blob, blob->mips.offset);
    x->image = upload(c, &(pixels){.format = formats[blob->format],
                                   .kind = blob->kind,
                                   .num_layers = blob->num_layers,
                                   .num_mips = blob->mips.count - first,
                                   .mips = mips + first,
                                   .base = (const char *)blob,
                                   .stream = stream,
                                   .base_bytes = blob->header.size_bytes});
}

uint32_t ct_render_textures_reserve(ct_render_textures *t, ct_string_id64 name) {
    const uint32_t index = ct_render_textures_index(t, name);
    t->items.items[index].is_reserved = true;
    return index;
}

void ct_render_textures_set_image(ct_render_textures *t, uint32_t index,
                                  const ct_render_image *image) {
    ct_render_texture *const x = &t->items.items[index];
    x->image = image ? *image : (ct_render_image){0};
    x->kind = CT_TEXTURE_KIND_ARRAY;
    x->sampler = CT_RENDER_SAMPLER_LINEAR_CLAMP;
    ++t->context->version;
}

void ct_render_textures_use(ct_render_textures *t, uint32_t index) {
    ct_render_texture *const x = &t->items.items[index];
    if (!x->is_partial || x->is_wanted)
        return;
    x->is_wanted = true;
    ct_array_push(&t->wanted, x->name.value);
}

bool ct_render_textures_is_online(const ct_render_textures *t, uint32_t index) {
    return t->items.items[index].image.handle != VK_NULL_HANDLE;
}

const ct_render_texture *ct_render_textures_get(const ct_render_textures *t, uint32_t index,
                                                ct_texture_kind kind) {
    const ct_render_texture *const x = &t->items.items[index];
    return x->image.handle && x->kind == kind ? x : &t->white[kind];
}
