// render_device.h: the Vulkan instance, the device and its one queue.
//
// Filled by ct_render_device_init and constant until its end, but for the memory allocator inside.
// The device is chosen by kind (discrete, integrated, virtual, CPU) among those with Vulkan 1.3,
// dynamic rendering, synchronization2 and timeline semaphores, and one queue family that draws
// (and presents, when there is a surface).
#pragma once
#include "foundation/library_memory.h"
#include "render/renderer.h"
#include "render/vulkan_api.h"

typedef struct ct_render_memory ct_render_memory;

typedef struct ct_render_device {
    ct_vulkan_api vk;
    ct_allocator *allocator;        // of the renderer
    ct_library_memory *host_memory; // what the driver allocates through the callbacks
    VkAllocationCallbacks callbacks;
    VkInstance instance;
    VkDebugUtilsMessengerEXT messenger; // with validation
    VkSurfaceKHR surface;               // with a window
    VkPhysicalDevice physical;
    VkPhysicalDeviceLimits limits;
    VkPhysicalDeviceMemoryProperties memory_types;
    bool is_cpu;               // a driver that draws on our own cores
    bool has_anisotropy;       // and it is fast
    bool has_calibrated_clock; // VK_EXT_calibrated_timestamps with our clock
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

// Ends Vulkan; everything made on the device must be gone.
void ct_render_device_shutdown(ct_render_device *d);

// Ends the program when `result` is a failure that there is no way on from (out of memory, the
// device was lost); `what` is the function that gave it.
void ct_render_check(VkResult result, const char *what);
