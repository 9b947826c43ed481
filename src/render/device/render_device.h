// render_device.h: the Vulkan instance, the device and its one queue.
//
// Filled by ct_render_device_init and constant until its end, but for the memory allocator inside,
// for what a lost device is replaced by, and for the surface. The device is chosen by kind
// (discrete, integrated, virtual, CPU) among those with Vulkan 1.3, dynamic rendering,
// synchronization2, timeline semaphores and textureCompressionBC, and one queue family that draws
// (and presents, when there is a surface).
#pragma once
#include "foundation/memory/library_memory.h"
#include "render/device/vulkan_api.h"
#include "render/renderer.h"

typedef struct ct_render_memory ct_render_memory;

// Of the directions in packed vertices: not every device reads it.
#define CT_RENDER_PACKED_DIRECTION VK_FORMAT_A2B10G10R10_SNORM_PACK32

typedef struct ct_render_device {
    ct_vulkan_api vk;
    ct_allocator *allocator;        // of the renderer
    ct_library_memory *host_memory; // what the driver allocates through the callbacks
    VkAllocationCallbacks callbacks;
    VkInstance instance;
    VkDebugUtilsMessengerEXT messenger; // with validation
    bool has_window;
    VkSurfaceKHR surface; // with a window; none while a lost one has no successor
    VkPhysicalDevice physical;
    VkPhysicalDeviceLimits limits;
    VkPhysicalDeviceMemoryProperties memory_types;
    bool is_cpu;                // a driver that draws on our own cores
    bool has_anisotropy;        // and it is fast
    bool has_independent_blend; // targets may be blended and masked each in its own way
    bool has_storage_formats;   // compute shaders may write all of our formats
    bool has_packed_vertices;   // it reads packed directions of vertices
    bool has_calibrated_clock;  // VK_EXT_calibrated_timestamps with our clock
    uint32_t queue_family;
    uint32_t timestamp_bits; // of the queue; 0: it has no time stamps
    VkDevice handle;
    VkQueue queue;
    ct_render_memory *memory;
    char name[1024]; // device and driver
} ct_render_device;

// Starts Vulkan. False with `error` that says what to install or what the driver lacks; nothing is
// left behind then.
bool ct_render_device_init(ct_render_device *d, ct_allocator *a, const ct_renderer_desc *desc,
                           ct_error *error);

// Ends the device, on which nothing may be left, but not Vulkan. Nothing happens when there is
// none.
void ct_render_device_drop(ct_render_device *d);

// Chooses a device and makes it, after a drop. False with `error`; there is none then.
bool ct_render_device_restore(ct_render_device *d, ct_error *error);

// True when the device was lost; what is done with it has no effect any more (vulkan_guard.h).
bool ct_render_device_is_lost(void);

// Takes a surface in place of a lost one (VkSurfaceKHR), 0: none. False when the device cannot show
// in it: it is destroyed.
bool ct_render_device_set_surface(ct_render_device *d, uint64_t surface);

// Ends the surface; its swapchain must be gone.
void ct_render_device_drop_surface(ct_render_device *d);

// Ends Vulkan; everything made on the device must be gone.
void ct_render_device_shutdown(ct_render_device *d);

// Ends the program when `result` is a failure that there is no way on from; `what` is the function
// that gave it. A lost device is none, nor is its memory that ran out (vulkan_guard.h).
void ct_render_check(VkResult result, const char *what);
