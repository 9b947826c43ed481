#include "render/device/render_swapchain.h"

#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/profiler/profiler.h"

#define MOST_WAIT_NS 100000000ull

void ct_render_swapchain_init(ct_render_swapchain *s, ct_render_context *c) {
    *s = (ct_render_swapchain){.context = c, .is_stale = true};
}

static void destroy(ct_render_swapchain *s) {
    const ct_render_device *const d = s->context->device;
    for (uint32_t i = 0; i < s->num_images; ++i)
        d->vk.DestroySemaphore(d->handle, s->drawn[i], &d->callbacks);
    s->num_images = 0;
    if (s->handle)
        d->vk.DestroySwapchainKHR(d->handle, s->handle, &d->callbacks);
    s->handle = VK_NULL_HANDLE;
}

void ct_render_swapchain_drop(ct_render_swapchain *s) {
    const ct_render_device *const d = s->context->device;
    if (!d->handle)
        return;
    ct_render_check(d->vk.DeviceWaitIdle(d->handle), "vkDeviceWaitIdle");
    destroy(s);
    s->is_stale = true;
}

void ct_render_swapchain_resize(ct_render_swapchain *s) {
    s->is_stale = true;
}

// --- Making it -----------------------------------------------------------------------------------

// An sRGB format, so that the copy from the back buffer keeps colours; UNDEFINED when there is
// none.
static VkFormat choose_format(const ct_render_device *d) {
    VkSurfaceFormatKHR formats[64];
    uint32_t count = CT_COUNT_OF(formats);
    if (d->vk.GetPhysicalDeviceSurfaceFormatsKHR(d->physical, d->surface, &count, formats) <
        VK_SUCCESS)
        return VK_FORMAT_UNDEFINED;
    for (uint32_t i = 0; i < count; ++i)
        if (formats[i].colorSpace == VK_COLOR_SPACE_SRGB_NONLINEAR_KHR &&
            (formats[i].format == VK_FORMAT_B8G8R8A8_SRGB ||
             formats[i].format == VK_FORMAT_R8G8B8A8_SRGB))
            return formats[i].format;
    return VK_FORMAT_UNDEFINED;
}

static uint32_t clamp(uint32_t value, uint32_t least, uint32_t most) {
    return value < least ? least : value > most ? most : value;
}

static void take_images(ct_render_swapchain *s) {
    const ct_render_device *const d = s->context->device;
    s->num_images = CT_RENDER_SWAPCHAIN_MAX_IMAGES;
    const VkResult result =
        d->vk.GetSwapchainImagesKHR(d->handle, s->handle, &s->num_images, s->images);
    CT_REQUIRE(result == VK_SUCCESS, "vkGetSwapchainImagesKHR failed: %s",
               ct_vulkan_result_name(result));
    const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    for (uint32_t i = 0; i < s->num_images; ++i)
        ct_render_check(d->vk.CreateSemaphore(d->handle, &info, &d->callbacks, &s->drawn[i]),
                        "vkCreateSemaphore");
}

static void create(ct_render_swapchain *s, const VkSurfaceCapabilitiesKHR *caps) {
    const ct_render_device *const d = s->context->device;
    const uint32_t wanted = caps->minImageCount < 3 ? 3 : caps->minImageCount;
    const VkSwapchainCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
        .surface = d->surface,
        .minImageCount = caps->maxImageCount ? clamp(wanted, 1, caps->maxImageCount) : wanted,
        .imageFormat = s->format,
        .imageColorSpace = VK_COLOR_SPACE_SRGB_NONLINEAR_KHR,
        .imageExtent = {s->width, s->height},
        .imageArrayLayers = 1,
        .imageUsage = VK_IMAGE_USAGE_TRANSFER_DST_BIT,
        .imageSharingMode = VK_SHARING_MODE_EXCLUSIVE,
        .preTransform = caps->currentTransform,
        .compositeAlpha = caps->supportedCompositeAlpha & VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR
                              ? VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR
                              : VK_COMPOSITE_ALPHA_INHERIT_BIT_KHR,
        .presentMode = VK_PRESENT_MODE_FIFO_KHR,
        .clipped = VK_TRUE};
    const VkResult result = d->vk.CreateSwapchainKHR(d->handle, &info, &d->callbacks, &s->handle);
    if (result == VK_SUCCESS) {
        take_images(s);
        s->is_stale = false;
        return;
    }
    // The window may be on its way out or changing: the next frame tries again.
    s->is_surface_lost = result == VK_ERROR_SURFACE_LOST_KHR;
    if (!s->is_surface_lost)
        ct_log_warning("render", "no_swapchain", "vkCreateSwapchainKHR failed: %s",
                       ct_vulkan_result_name(result));
    s->handle = VK_NULL_HANDLE;
}

static void recreate(ct_render_swapchain *s, uint32_t width, uint32_t height) {
    const ct_render_device *const d = s->context->device;
    ct_render_swapchain_drop(s);
    VkSurfaceCapabilitiesKHR caps;
    const VkResult result =
        d->vk.GetPhysicalDeviceSurfaceCapabilitiesKHR(d->physical, d->surface, &caps);
    s->is_surface_lost = result == VK_ERROR_SURFACE_LOST_KHR;
    if (result < VK_SUCCESS)
        return;
    const bool is_ours = caps.currentExtent.width == UINT32_MAX;
    s->width = is_ours ? clamp(width, caps.minImageExtent.width, caps.maxImageExtent.width)
                       : caps.currentExtent.width;
    s->height = is_ours ? clamp(height, caps.minImageExtent.height, caps.maxImageExtent.height)
                        : caps.currentExtent.height;
    s->format = choose_format(d);
    if (s->format == VK_FORMAT_UNDEFINED ||
        !(caps.supportedUsageFlags & VK_IMAGE_USAGE_TRANSFER_DST_BIT)) {
        ct_log_warning("render", "unfit_window",
                       "cannot draw into the window: it does not support sRGB images, or copies to "
                       "its images");
        return;
    }
    if (s->width && s->height)
        create(s, &caps);
}

// --- Frames --------------------------------------------------------------------------------------

static bool try_acquire(ct_render_swapchain *s, const ct_render_frames *f) {
    const ct_render_device *const d = s->context->device;
    const VkResult result = d->vk.AcquireNextImageKHR(d->handle, s->handle, MOST_WAIT_NS,
                                                      f->slot->acquired, VK_NULL_HANDLE, &s->image);
    if (result == VK_TIMEOUT || result == VK_NOT_READY)
        return false;
    s->is_surface_lost = result == VK_ERROR_SURFACE_LOST_KHR;
    if (result == VK_ERROR_OUT_OF_DATE_KHR || s->is_surface_lost) {
        s->is_stale = true;
        return false;
    }
    ct_render_check(result, "vkAcquireNextImageKHR");
    // This image still shows; the next frame gets a swapchain that fits.
    s->is_stale |= result == VK_SUBOPTIMAL_KHR;
    return true;
}

bool ct_render_swapchain_acquire(ct_render_swapchain *s, ct_render_frames *f, uint32_t width,
                                 uint32_t height) {
    CT_PROFILER_SCOPE("acquire image");
    if (!s->context->device->surface)
        return false;
    for (uint32_t attempt = 0; attempt < 2; ++attempt) {
        if (s->is_stale)
            recreate(s, width, height);
        if (!s->handle || ct_render_device_is_lost())
            return false;
        if (try_acquire(s, f))
            return true;
        if (!s->is_stale || s->is_surface_lost)
            return false;
    }
    return false;
}

static void barrier(ct_render_swapchain *s, VkImageLayout from, VkImageLayout to,
                    VkPipelineStageFlags2 stage_to, VkAccessFlags2 access_from,
                    VkAccessFlags2 access_to) {
    const VkImageMemoryBarrier2 b = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
                                     .srcStageMask = VK_PIPELINE_STAGE_2_BLIT_BIT,
                                     .srcAccessMask = access_from,
                                     .dstStageMask = stage_to,
                                     .dstAccessMask = access_to,
                                     .oldLayout = from,
                                     .newLayout = to,
                                     .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                     .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                     .image = s->images[s->image],
                                     .subresourceRange = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT,
                                                          .levelCount = 1,
                                                          .layerCount = 1}};
    const VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                   .imageMemoryBarrierCount = 1,
                                   .pImageMemoryBarriers = &b};
    s->context->device->vk.CmdPipelineBarrier2(s->context->commands, &info);
}

void ct_render_swapchain_copy(ct_render_swapchain *s, const ct_render_image *back_buffer) {
    barrier(s, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
            VK_PIPELINE_STAGE_2_BLIT_BIT, 0, VK_ACCESS_2_TRANSFER_WRITE_BIT);
    const VkImageSubresourceLayers layers = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT,
                                             .layerCount = 1};
    const VkImageBlit blit = {
        .srcSubresource = layers,
        .srcOffsets = {{0}, {(int32_t)back_buffer->width, (int32_t)back_buffer->height, 1}},
        .dstSubresource = layers,
        .dstOffsets = {{0}, {(int32_t)s->width, (int32_t)s->height, 1}}};
    const bool is_same = back_buffer->width == s->width && back_buffer->height == s->height;
    s->context->device->vk.CmdBlitImage(s->context->commands, back_buffer->handle,
                                        VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, s->images[s->image],
                                        VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &blit,
                                        is_same ? VK_FILTER_NEAREST : VK_FILTER_LINEAR);
    barrier(s, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_PRESENT_SRC_KHR,
            VK_PIPELINE_STAGE_2_NONE, VK_ACCESS_2_TRANSFER_WRITE_BIT, 0);
}

VkSemaphore ct_render_swapchain_drawn(const ct_render_swapchain *s) {
    return s->drawn[s->image];
}

void ct_render_swapchain_present(ct_render_swapchain *s) {
    CT_PROFILER_SCOPE("present");
    const ct_render_device *const d = s->context->device;
    const VkPresentInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
                                   .waitSemaphoreCount = 1,
                                   .pWaitSemaphores = &s->drawn[s->image],
                                   .swapchainCount = 1,
                                   .pSwapchains = &s->handle,
                                   .pImageIndices = &s->image};
    const VkResult result = d->vk.QueuePresentKHR(d->queue, &info);
    s->is_surface_lost = result == VK_ERROR_SURFACE_LOST_KHR;
    if (result == VK_ERROR_OUT_OF_DATE_KHR || s->is_surface_lost)
        s->is_stale = true;
    else
        ct_render_check(result, "vkQueuePresentKHR");
}
