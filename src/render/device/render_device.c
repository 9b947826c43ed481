#include "render/device/render_device.h"

#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/memory/temp_allocator.h"
#include "render/device/render_memory.h"
#include "render/device/vulkan_guard.h"

#define VALIDATION_LAYER "VK_LAYER_KHRONOS_validation"

enum { MAX_EXTENSIONS = 16 };

void ct_render_check(VkResult result, const char *what) {
    CT_REQUIRE(result >= VK_SUCCESS, "%s failed: %s", what, ct_vulkan_result_name(result));
}

// --- The driver's own memory ---------------------------------------------------------------------

static VKAPI_ATTR void *VKAPI_CALL host_allocate(void *user, size_t size, size_t align,
                                                 VkSystemAllocationScope scope) {
    (void)scope;
    return ct_library_alloc(user, size, align);
}

static VKAPI_ATTR void VKAPI_CALL host_free(void *user, void *p) {
    ct_library_free(user, p);
}

static VKAPI_ATTR void *VKAPI_CALL host_reallocate(void *user, void *p, size_t size, size_t align,
                                                   VkSystemAllocationScope scope) {
    (void)scope;
    return ct_library_realloc(user, p, size, align);
}

// --- Messages ------------------------------------------------------------------------------------

static VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                                 VkDebugUtilsMessageTypeFlagsEXT types,
                                                 const VkDebugUtilsMessengerCallbackDataEXT *data,
                                                 void *user) {
    (void)types, (void)user;
    // Loader messages about layers and drivers that it skips are not our errors.
    const bool is_error = severity >= VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT ||
                          (types & VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT);
    if (is_error)
        ct_log_error("vulkan", "vulkan_message", "%s", data->pMessage);
    else
        ct_log_debug("vulkan", "%s", data->pMessage);
    return VK_FALSE;
}

static VkDebugUtilsMessengerCreateInfoEXT messenger_info(void) {
    return (VkDebugUtilsMessengerCreateInfoEXT){
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                           VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
                       VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT,
        .pfnUserCallback = on_message,
    };
}

static bool has_validation_layer(const ct_render_device *d) {
    CT_TEMP_ALLOCATOR(temp, d->allocator);
    uint32_t count = 0;
    d->vk.EnumerateInstanceLayerProperties(&count, NULL);
    if (!count)
        return false;
    VkLayerProperties *const layers = CT_NEW_ARRAY(temp, VkLayerProperties, count);
    d->vk.EnumerateInstanceLayerProperties(&count, layers);
    for (uint32_t i = 0; i < count; ++i)
        if (strcmp(layers[i].layerName, VALIDATION_LAYER) == 0)
            return true;
    return false;
}

// --- Instance ------------------------------------------------------------------------------------

static bool create_instance(ct_render_device *d, const ct_renderer_desc *desc, ct_error *error) {
    const char *extensions[MAX_EXTENSIONS];
    uint32_t num_extensions = 0;
    for (uint32_t i = 0; desc->surface && i < desc->surface->num_extensions; ++i) {
        CT_REQUIRE(num_extensions + 2 < MAX_EXTENSIONS, "too many surface extensions");
        extensions[num_extensions++] = desc->surface->extensions[i];
    }
    bool validation = desc->validation;
    if (validation && !has_validation_layer(d)) {
        ct_log_warning("render", "no_validation_layer",
                       "Vulkan validation was requested, but the layer " VALIDATION_LAYER
                       " is not installed (package vulkan-validationlayers)");
        validation = false;
    }
    const VkDebugUtilsMessengerCreateInfoEXT messenger = messenger_info();
    const VkValidationFeatureEnableEXT enables[] = {
        VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT};
    VkValidationFeaturesEXT features = {.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
                                        .pNext = &messenger,
                                        .enabledValidationFeatureCount = CT_COUNT_OF(enables),
                                        .pEnabledValidationFeatures = enables};
    const char *const layer = VALIDATION_LAYER;
    if (validation) {
        extensions[num_extensions++] = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
        extensions[num_extensions++] = VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME;
    }
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .pEngineName = "cuttle",
                                           .apiVersion = VK_API_VERSION_1_3};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pNext = validation ? &features : NULL,
                                       .pApplicationInfo = &application,
                                       .enabledLayerCount = validation,
                                       .ppEnabledLayerNames = &layer,
                                       .enabledExtensionCount = num_extensions,
                                       .ppEnabledExtensionNames = extensions};
    const VkResult result = d->vk.CreateInstance(&info, &d->callbacks, &d->instance);
    if (result == VK_ERROR_INCOMPATIBLE_DRIVER)
        return ct_error_set(error, "there is no Vulkan driver; install the package "
                                   "mesa-vulkan-drivers, or your graphics card's driver");
    if (result != VK_SUCCESS)
        return ct_error_set(error, "vkCreateInstance failed: %s", ct_vulkan_result_name(result));
    if (!ct_vulkan_api_load_instance(&d->vk, d->instance, error))
        return false;
    if (validation)
        ct_render_check(d->vk.CreateDebugUtilsMessengerEXT(d->instance, &messenger, &d->callbacks,
                                                           &d->messenger),
                        "vkCreateDebugUtilsMessengerEXT");
    return true;
}

static void take_surface(ct_render_device *d, uint64_t surface) {
    // Handles are pointers or integers by platform; both have 64 bits here.
    _Static_assert(sizeof(d->surface) == sizeof(surface), "VkSurfaceKHR is 64 bits wide");
    memcpy(&d->surface, &surface, sizeof(surface));
}

static bool create_surface(ct_render_device *d, const ct_render_surface_api *api, ct_error *error) {
    const uint64_t surface = api->create_surface(api->user, d->instance);
    take_surface(d, surface);
    d->has_window = true;
    return surface || ct_error_set(error, "cannot create a Vulkan surface for the window");
}

// --- Choosing a device ---------------------------------------------------------------------------

// The family that draws (and presents), or UINT32_MAX.
static uint32_t find_queue_family(const ct_render_device *d, VkPhysicalDevice physical) {
    VkQueueFamilyProperties families[32];
    uint32_t count = CT_COUNT_OF(families);
    d->vk.GetPhysicalDeviceQueueFamilyProperties(physical, &count, families);
    for (uint32_t i = 0; i < count; ++i) {
        if (!(families[i].queueFlags & VK_QUEUE_GRAPHICS_BIT))
            continue;
        VkBool32 can_present = VK_TRUE;
        if (d->surface)
            d->vk.GetPhysicalDeviceSurfaceSupportKHR(physical, i, d->surface, &can_present);
        if (can_present)
            return i;
    }
    return UINT32_MAX;
}

static bool has_extension(const ct_render_device *d, VkPhysicalDevice physical, const char *name) {
    CT_TEMP_ALLOCATOR(temp, d->allocator);
    uint32_t count = 0;
    d->vk.EnumerateDeviceExtensionProperties(physical, NULL, &count, NULL);
    if (!count)
        return false;
    VkExtensionProperties *const extensions = CT_NEW_ARRAY(temp, VkExtensionProperties, count);
    d->vk.EnumerateDeviceExtensionProperties(physical, NULL, &count, extensions);
    for (uint32_t i = 0; i < count; ++i)
        if (strcmp(extensions[i].extensionName, name) == 0)
            return true;
    return false;
}

// True when the device's clock can be read beside ours.
static bool has_calibrated_clock(const ct_render_device *d, VkPhysicalDevice physical) {
    if (!has_extension(d, physical, VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME))
        return false;
    VkTimeDomainEXT domains[8];
    uint32_t count = CT_COUNT_OF(domains), num_wanted = 0;
    d->vk.GetPhysicalDeviceCalibrateableTimeDomainsEXT(physical, &count, domains);
    for (uint32_t i = 0; i < count; ++i)
        num_wanted += domains[i] == VK_TIME_DOMAIN_DEVICE_EXT ||
                      domains[i] == VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT;
    return num_wanted == 2;
}

static uint32_t timestamp_bits(const ct_render_device *d) {
    VkQueueFamilyProperties families[32];
    uint32_t count = CT_COUNT_OF(families);
    d->vk.GetPhysicalDeviceQueueFamilyProperties(d->physical, &count, families);
    return families[d->queue_family].timestampValidBits;
}

// Returns the first requirement that the device does not meet, or NULL.
static const char *missing_feature(const ct_render_device *d, VkPhysicalDevice physical,
                                   uint32_t api_version) {
    if (api_version < VK_API_VERSION_1_3)
        return "Vulkan 1.3";
    VkPhysicalDeviceVulkan13Features v13 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
    VkPhysicalDeviceVulkan12Features v12 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = &v13};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                          .pNext = &v12};
    d->vk.GetPhysicalDeviceFeatures2(physical, &features);
    if (!v13.dynamicRendering)
        return "dynamic rendering";
    if (!v13.synchronization2)
        return "synchronization2";
    if (!v12.timelineSemaphore)
        return "timeline semaphores";
    if (!features.features.textureCompressionBC)
        return "textureCompressionBC (textures in the formats BC1 to BC5)";
    if (d->has_window && !has_extension(d, physical, VK_KHR_SWAPCHAIN_EXTENSION_NAME))
        return "VK_KHR_swapchain";
    if (find_queue_family(d, physical) == UINT32_MAX)
        return d->surface ? "a queue that draws and presents to this window" : "a queue that draws";
    return NULL;
}

// Returns the preference for a kind of device; higher is better.
static uint32_t device_rank(VkPhysicalDeviceType type) {
    switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
        return 4;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
        return 3;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
        return 2;
    default:
        return 1;
    }
}

static void take_device(ct_render_device *d, VkPhysicalDevice physical) {
    VkPhysicalDeviceDriverProperties driver = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &driver};
    d->vk.GetPhysicalDeviceProperties2(physical, &properties);
    d->physical = physical;
    d->limits = properties.properties.limits;
    d->identity =
        (ct_render_device_identity){.vendor = properties.properties.vendorID,
                                    .device = properties.properties.deviceID,
                                    .driver_version = properties.properties.driverVersion};
    memcpy(d->identity.uuid, properties.properties.pipelineCacheUUID, VK_UUID_SIZE);
    d->is_cpu = properties.properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    d->queue_family = find_queue_family(d, physical);
    d->timestamp_bits = timestamp_bits(d);
    d->has_calibrated_clock = has_calibrated_clock(d, physical);
    snprintf(d->name, sizeof(d->name), "%s, %s %s", properties.properties.deviceName,
             driver.driverName, driver.driverInfo);
    d->vk.GetPhysicalDeviceMemoryProperties(physical, &d->memory_types);
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    d->vk.GetPhysicalDeviceFeatures2(physical, &features);
    d->has_independent_blend = features.features.independentBlend;
    // The CPU driver walks every texel of a pixel's footprint: one triangle seen edge on can take
    // minutes (Mesa 22.3).
    d->has_anisotropy = features.features.samplerAnisotropy && !d->is_cpu;
    d->has_wireframe = features.features.fillModeNonSolid;
    d->has_storage_formats = features.features.shaderStorageImageExtendedFormats;
    VkFormatProperties directions;
    d->vk.GetPhysicalDeviceFormatProperties(physical, CT_RENDER_PACKED_DIRECTION, &directions);
    d->has_packed_vertices = directions.bufferFeatures & VK_FORMAT_FEATURE_VERTEX_BUFFER_BIT;
}

static bool choose_device(ct_render_device *d, ct_error *error) {
    VkPhysicalDevice devices[16];
    uint32_t count = CT_COUNT_OF(devices);
    const VkResult result = d->vk.EnumeratePhysicalDevices(d->instance, &count, devices);
    if (result < VK_SUCCESS || count == 0)
        return ct_error_set(error, "there is no Vulkan device; install the package "
                                   "mesa-vulkan-drivers, or your graphics card's driver");
    VkPhysicalDevice best = VK_NULL_HANDLE;
    uint32_t best_rank = 0;
    char refused[512] = "";
    for (uint32_t i = 0; i < count; ++i) {
        VkPhysicalDeviceProperties2 p = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
        d->vk.GetPhysicalDeviceProperties2(devices[i], &p);
        const char *const lack = missing_feature(d, devices[i], p.properties.apiVersion);
        const uint32_t rank = device_rank(p.properties.deviceType);
        if (lack) {
            const size_t length = strlen(refused);
            snprintf(refused + length, sizeof(refused) - length, "%s%s does not support %s",
                     length ? "; " : "", p.properties.deviceName, lack);
        } else if (rank > best_rank) {
            best = devices[i];
            best_rank = rank;
        }
    }
    if (!best)
        return ct_error_set(error,
                            "no Vulkan device is suitable: %s; install a newer driver (package "
                            "mesa-vulkan-drivers)",
                            refused);
    take_device(d, best);
    return true;
}

static bool create_device(ct_render_device *d, ct_error *error) {
    VkPhysicalDeviceVulkan13Features v13 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
        .dynamicRendering = VK_TRUE,
        .synchronization2 = VK_TRUE,
        .maintenance4 = VK_TRUE}; // every device with 1.3 has it; sizes of compute groups need it
    VkPhysicalDeviceVulkan12Features v12 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
        .pNext = &v13,
        .bufferDeviceAddress = VK_TRUE, // every device with 1.3 has it
        .timelineSemaphore = VK_TRUE};
    const VkPhysicalDeviceFeatures2 features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
        .pNext = &v12,
        .features = {.independentBlend = d->has_independent_blend,
                     .fillModeNonSolid = d->has_wireframe,
                     .samplerAnisotropy = d->has_anisotropy,
                     .textureCompressionBC = VK_TRUE,
                     .shaderStorageImageExtendedFormats = d->has_storage_formats}};
    const float priority = 1.0f;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueFamilyIndex = d->queue_family,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const char *extensions[2];
    uint32_t num_extensions = 0;
    if (d->has_window)
        extensions[num_extensions++] = VK_KHR_SWAPCHAIN_EXTENSION_NAME;
    if (d->has_calibrated_clock)
        extensions[num_extensions++] = VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME;
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &features,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue,
                                     .enabledExtensionCount = num_extensions,
                                     .ppEnabledExtensionNames = extensions};
    VkResult result = ct_vulkan_guard_fault();
    if (result == VK_SUCCESS)
        result = d->vk.CreateDevice(d->physical, &info, &d->callbacks, &d->handle);
    if (result != VK_SUCCESS)
        return ct_error_set(error, "cannot create the graphics device %s: %s", d->name,
                            ct_vulkan_result_name(result));
    if (!ct_vulkan_api_load_device(&d->vk, d->handle, error))
        return false;
    d->vk.GetDeviceQueue(d->handle, d->queue_family, 0, &d->queue);
    return true;
}

// --- Life cycle ----------------------------------------------------------------------------------

static bool start(ct_render_device *d, const ct_renderer_desc *desc, ct_error *error) {
    return ct_vulkan_api_load(&d->vk, error) && create_instance(d, desc, error) &&
           (!desc->surface || create_surface(d, desc->surface, error)) &&
           ct_render_device_restore(d, error);
}

bool ct_render_device_init(ct_render_device *d, ct_allocator *a, const ct_renderer_desc *desc,
                           ct_error *error) {
    *d = (ct_render_device){.allocator = a};
    d->host_memory = ct_library_memory_create(a, "vulkan");
    d->callbacks = (VkAllocationCallbacks){.pUserData = d->host_memory,
                                           .pfnAllocation = host_allocate,
                                           .pfnReallocation = host_reallocate,
                                           .pfnFree = host_free};
    if (start(d, desc, error))
        return true;
    ct_render_device_shutdown(d);
    return false;
}

bool ct_render_device_restore(ct_render_device *d, ct_error *error) {
    if (!choose_device(d, error) || !create_device(d, error)) {
        ct_render_device_drop(d);
        return false;
    }
    ct_vulkan_guard_start(&d->vk);
    d->memory = ct_render_memory_create(d);
    return true;
}

void ct_render_device_drop(ct_render_device *d) {
    ct_render_memory_destroy(d->memory);
    d->memory = NULL;
    if (d->handle && d->vk.DestroyDevice)
        d->vk.DestroyDevice(d->handle, &d->callbacks);
    d->handle = VK_NULL_HANDLE;
    d->queue = VK_NULL_HANDLE;
}

bool ct_render_device_is_lost(void) {
    return ct_vulkan_guard_is_lost();
}

bool ct_render_device_set_surface(ct_render_device *d, uint64_t surface) {
    take_surface(d, surface);
    VkBool32 can_present = VK_FALSE;
    if (surface && d->handle)
        d->vk.GetPhysicalDeviceSurfaceSupportKHR(d->physical, d->queue_family, d->surface,
                                                 &can_present);
    if (!can_present)
        ct_render_device_drop_surface(d);
    return can_present;
}

void ct_render_device_drop_surface(ct_render_device *d) {
    // The window system made it, without our callbacks.
    if (d->surface)
        d->vk.DestroySurfaceKHR(d->instance, d->surface, NULL);
    d->surface = VK_NULL_HANDLE;
}

void ct_render_device_shutdown(ct_render_device *d) {
    ct_vulkan_guard_inject(&(ct_vulkan_fault){0});
    ct_render_device_drop(d);
    ct_render_device_drop_surface(d);
    if (d->messenger)
        d->vk.DestroyDebugUtilsMessengerEXT(d->instance, d->messenger, &d->callbacks);
    if (d->instance && d->vk.DestroyInstance)
        d->vk.DestroyInstance(d->instance, &d->callbacks);
    ct_library_memory_destroy(d->host_memory);
    *d = (ct_render_device){0};
}
