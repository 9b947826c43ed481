// render_swapchain.h: shows the back buffer in a window.
//
// The frame is drawn to the offscreen back buffer and copied to the window's image, so that
// windowed and headless are the same up to the last command. Images come and go first-in first-out
// (FIFO). A swapchain is made anew after a resize and when the system says that it no longer fits.
// When the window's surface is lost, frames are drawn but not shown until there is another one,
// which the window makes on its own thread. Render thread.
#pragma once
#include "render/render_frame.h"

enum { CT_RENDER_SWAPCHAIN_MAX_IMAGES = 16 };

typedef struct ct_render_swapchain {
    ct_render_context *context;
    VkSwapchainKHR handle; // none without a window, and while it has no area
    VkFormat format;
    uint32_t width, height;
    uint32_t num_images;
    VkImage images[CT_RENDER_SWAPCHAIN_MAX_IMAGES];
    VkSemaphore drawn[CT_RENDER_SWAPCHAIN_MAX_IMAGES]; // the image may be shown
    bool is_stale;                                     // make it anew before the next frame
    bool is_surface_lost;                              // another surface is needed first
    uint32_t image;                                    // the one of this frame
} ct_render_swapchain;

void ct_render_swapchain_init(ct_render_swapchain *s, ct_render_context *c);

// Waits for the device and destroys what lies on it; the next frame makes it anew.
void ct_render_swapchain_drop(ct_render_swapchain *s);

// Makes the next frame make it anew.
void ct_render_swapchain_resize(ct_render_swapchain *s);

// Gets the image for this frame, whose coming signals the slot's `acquired`. `width` and `height`
// are those of the back buffer, for windows that leave the size to us. False when there is none (no
// window, no area, the surface or the device is lost): nothing is shown. Waits a moment for the
// system, which gives no images while a window is hidden.
bool ct_render_swapchain_acquire(ct_render_swapchain *s, ct_render_frames *f, uint32_t width,
                                 uint32_t height);

// Records the copy of `back_buffer`, ready to be copied from, to the image.
void ct_render_swapchain_copy(ct_render_swapchain *s, const ct_render_image *back_buffer);

// The semaphore that the frame's submission signals for ct_render_swapchain_present.
VkSemaphore ct_render_swapchain_drawn(const ct_render_swapchain *s);

// Shows the image.
void ct_render_swapchain_present(ct_render_swapchain *s);
