// render_device.h: the Vulkan instance, the device and its one queue.
//
// ct_render_device_init fills the struct. Only three things change later: the memory allocator
// inside, the surface, and, after a loss, the device. The device is chosen by kind (discrete,
// integrated, virtual, CPU) among those with Vulkan 1.3, dynamic rendering, synchronization2,
// timeline semaphores and textureCompressionBC, and one queue family that draws (and presents, when
// there is a surface). The render thread owns it while it runs; the update thread starts and ends
// it.
#pragma once
#include "foundation/memory/library_memory.h"
#include "render/device/vulkan_api.h"
#include "render/renderer.h"

typedef struct ct_render_memory ct_render_memory;

// The format of directions in packed vertices. Not every device can read it.
#define CT_RENDER_PACKED_DIRECTION VK_FORMAT_A2B10G10R10_SNORM_PACK32

// The device and driver that a pipeline cache is for.
typedef struct ct_render_device_identity {
    uint32_t vendor, device, driver_version;
    uint8_t uuid[VK_UUID_SIZE]; // pipelineCacheUUID
} ct_render_device_identity;

typedef struct ct_render_device {
    ct_vulkan_api vk;
    ct_allocator *allocator;        // of the renderer
    ct_library_memory *host_memory; // what the driver allocates through the callbacks
    VkAllocationCallbacks callbacks;
    VkInstance instance;
    VkDebugUtilsMessengerEXT messenger; // with validation
    bool has_window;
    VkSurfaceKHR surface; // with a window; VK_NULL_HANDLE while a lost one has no successor
    VkPhysicalDevice physical;
    ct_render_device_identity identity;
    VkPhysicalDeviceLimits limits;
    VkPhysicalDeviceMemoryProperties memory_types;
    bool is_cpu;                // the driver draws on the processor
    bool has_anisotropy;        // and it is fast
    bool has_independent_blend; // each target may be blended and masked in its own way
    bool has_wireframe;         // triangles may be drawn as lines
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

// Starts Vulkan and makes a device. Returns false with an `error` that says what to install or what
// the driver does not support, and leaves nothing behind.
bool ct_render_device_init(ct_render_device *d, ct_allocator *a, const ct_renderer_desc *desc,
                           ct_error *error);

// Ends the device but not Vulkan. Everything made on the device must be gone. Does nothing when
// there is no device.
void ct_render_device_drop(ct_render_device *d);

// Chooses and makes a device, after a drop. On failure returns false with `error`, and there is no
// device.
bool ct_render_device_restore(ct_render_device *d, ct_error *error);

// Returns true when the device was lost. Calls on it have no effect any more (vulkan_guard.h).
bool ct_render_device_is_lost(void);

// Replaces a lost surface by `surface` (VkSurfaceKHR; 0: no surface). Returns false, after
// destroying the surface, when the device cannot present to it.
bool ct_render_device_set_surface(ct_render_device *d, uint64_t surface);

// Destroys the surface. Its swapchain must be gone.
void ct_render_device_drop_surface(ct_render_device *d);

// Ends Vulkan. Everything made on the device must be gone.
void ct_render_device_shutdown(ct_render_device *d);

// Ends the program when `result` is a fatal failure; `what` is the function that returned it. A
// lost device and a lack of device memory are not fatal (vulkan_guard.h).
void ct_render_check(VkResult result, const char *what);
