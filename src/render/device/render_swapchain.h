// render_swapchain.h: shows the back buffer in a window.
//
// The frame is drawn to the offscreen back buffer and copied to the window's image, so that
// windowed and headless runs are the same up to the last command. Images are shown first-in
// first-out (FIFO). The swapchain is made again after a resize and when the system reports that it
// no longer fits. When the window's surface is lost, frames are drawn but not shown until there is
// another surface, which the window makes on its own thread. Render thread.
#pragma once
#include "render/render_frame.h"

enum { CT_RENDER_SWAPCHAIN_MAX_IMAGES = 16 };

typedef struct ct_render_swapchain {
    ct_render_context *context;
    VkSwapchainKHR handle; // VK_NULL_HANDLE without a window, and while the window has no area
    VkFormat format;
    uint32_t width, height;
    uint32_t num_images;
    VkImage images[CT_RENDER_SWAPCHAIN_MAX_IMAGES];
    VkSemaphore drawn[CT_RENDER_SWAPCHAIN_MAX_IMAGES]; // the image may be shown
    bool is_stale;                                     // make it again before the next frame
    bool is_surface_lost;                              // another surface is needed first
    uint32_t image;                                    // the one of this frame
} ct_render_swapchain;

// Starts without a swapchain; the first ct_render_swapchain_acquire makes one. `c` must outlive it.
void ct_render_swapchain_init(ct_render_swapchain *s, ct_render_context *c);

// Waits for the device and destroys everything made on it. The next frame makes it again.
void ct_render_swapchain_drop(ct_render_swapchain *s);

// Marks the swapchain as stale: the next frame recreates it.
void ct_render_swapchain_resize(ct_render_swapchain *s);

// Gets the image for this frame; the slot's semaphore `acquired` is signalled when the image is
// there. `width` and `height` are those of the back buffer, for windows that leave the size to the
// program. Returns false when nothing can be shown: there is no window, it has no area, or the
// surface or the device is lost. Waits a moment for the system, which gives no images while a
// window is hidden.
bool ct_render_swapchain_acquire(ct_render_swapchain *s, ct_render_frames *f, uint32_t width,
                                 uint32_t height);

// Records the copy of `back_buffer` to the frame's image. `back_buffer` must be in the layout of a
// transfer source.
void ct_render_swapchain_copy(ct_render_swapchain *s, const ct_render_image *back_buffer);

// Returns the semaphore that the frame's submission must signal for ct_render_swapchain_present.
VkSemaphore ct_render_swapchain_drawn(const ct_render_swapchain *s);

// Shows the frame's image, after the frame was submitted.
void ct_render_swapchain_present(ct_render_swapchain *s);
