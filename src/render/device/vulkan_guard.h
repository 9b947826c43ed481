// vulkan_guard.h: handles Vulkan calls that report a lost device.
//
// A device can be lost in almost any call, in the middle of a frame. Code that records a frame
// should not need to handle that. So from the first VK_ERROR_DEVICE_LOST on, the function table is
// that of a device that does nothing: calls that make something succeed and return VK_NULL_HANDLE,
// commands and waits return at once, destroying works as before. The frame runs to its end as
// usual. The code that drives it checks once whether the device was lost and recreates everything
// (render_recovery.h). VK_ERROR_OUT_OF_DEVICE_MEMORY also counts as a loss: everything may fit when
// memory is filled from the start.
//
// Every call that can fail goes through a small wrapper; commands have no extra cost. Vulkan
// functions have no argument that could identify the guard, so a process has one guarded device at
// a time. Render thread, or the thread that acts for it; other threads call the functions of
// ct_vulkan_guard_unguarded, and the render thread hears of what failed there.
#pragma once
#include "render/device/vulkan_api.h"

// The calls that will fail, counted from the injection on.
typedef struct ct_vulkan_fault {
    VkResult result;    // VK_ERROR_SURFACE_LOST_KHR counts calls that concern the surface only
    uint32_t call;      // the first to fail; 0: the next
    uint32_t period;    // then each so many calls; 0 and 1: each
    uint32_t num_times; // how often; UINT32_MAX: always; 0: never
} ct_vulkan_fault;

// Begins to guard the device whose functions `vk` holds. `vk` must not move.
void ct_vulkan_guard_start(ct_vulkan_api *vk);

// Returns the guarded device's own functions, for other threads: a lost device stays what it is to
// them. Valid until the next start.
const ct_vulkan_api *ct_vulkan_guard_unguarded(void);

// Takes the device for lost because `function`, called by another thread, returned `result`.
void ct_vulkan_guard_lose(const char *function, VkResult result);

// Returns true when the device was lost since the last start.
bool ct_vulkan_guard_is_lost(void);

// Returns the cause of the loss: "vkQueueSubmit2 failed: VK_ERROR_DEVICE_LOST". Valid until the
// next loss.
const char *ct_vulkan_guard_reason(void);

// Makes calls fail from now on; replaces the previous injection. The driver does not see these
// calls.
void ct_vulkan_guard_inject(const ct_vulkan_fault *fault);

// Returns how many calls could have failed since the last injection.
uint32_t ct_vulkan_guard_num_calls(void);

// Returns how many calls failed by injection since then.
uint32_t ct_vulkan_guard_num_failed(void);

// Returns the failure that is due, or VK_SUCCESS; for calls that the guard does not wrap.
VkResult ct_vulkan_guard_fault(void);
