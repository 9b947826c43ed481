#include "render/device/vulkan_api.h"

#include <string.h>

#include "foundation/error.h"
#include "foundation/os/os.h"

// The loader closes driver and layers with the instance. A leak checker then knows neither their
// names nor what their memory still reaches: sanitizer builds keep them open.
static void keep_drivers_open(void) {
#ifdef CT_SANITIZE
    ct_library_open("libvulkan_lvp.so");
    ct_library_open("libVkLayer_khronos_validation.so");
#endif
}

bool ct_vulkan_api_load(ct_vulkan_api *vk, ct_error *error) {
    keep_drivers_open();
    void *const library = ct_library_open("libvulkan.so.1");
    if (!library)
        return ct_error_set(error, "the Vulkan loader libvulkan.so.1 is not installed; install the "
                                   "packages libvulkan1 and mesa-vulkan-drivers");
    void *const symbol = ct_library_symbol(library, "vkGetInstanceProcAddr");
    if (!symbol)
        return ct_error_set(error, "libvulkan.so.1 has no vkGetInstanceProcAddr; reinstall the "
                                   "package libvulkan1");
    // ISO C knows no cast from data to function pointers; POSIX promises that it works.
    memcpy(&vk->GetInstanceProcAddr, &symbol, sizeof(symbol));
#define LOAD(name) vk->name = (PFN_vk##name)vk->GetInstanceProcAddr(NULL, "vk" #name);
    CT_VULKAN_GLOBAL_FUNCTIONS(LOAD)
#undef LOAD
    if (!vk->EnumerateInstanceVersion)
        return ct_error_set(error,
                            "the Vulkan loader supports only Vulkan 1.0; Vulkan 1.3 is needed: "
                            "install a newer libvulkan1");
    return true;
}

bool ct_vulkan_api_load_instance(ct_vulkan_api *vk, VkInstance instance, ct_error *error) {
#define LOAD(name)                                                                                 \
    vk->name = (PFN_vk##name)vk->GetInstanceProcAddr(instance, "vk" #name);                        \
    if (!vk->name)                                                                                 \
        return ct_error_set(error, "the Vulkan loader has no function vk" #name                    \
                                   "; Vulkan 1.3 is needed");
    CT_VULKAN_INSTANCE_FUNCTIONS(LOAD)
#undef LOAD
#define LOAD(name) vk->name = (PFN_vk##name)vk->GetInstanceProcAddr(instance, "vk" #name);
    CT_VULKAN_OPTIONAL_INSTANCE_FUNCTIONS(LOAD)
#undef LOAD
    return true;
}

bool ct_vulkan_api_load_device(ct_vulkan_api *vk, VkDevice device, ct_error *error) {
#define LOAD(name)                                                                                 \
    vk->name = (PFN_vk##name)vk->GetDeviceProcAddr(device, "vk" #name);                            \
    if (!vk->name)                                                                                 \
        return ct_error_set(error, "the Vulkan driver has no function vk" #name                    \
                                   "; Vulkan 1.3 is needed");
    CT_VULKAN_DEVICE_FUNCTIONS(LOAD)
#undef LOAD
#define LOAD(name) vk->name = (PFN_vk##name)vk->GetDeviceProcAddr(device, "vk" #name);
    CT_VULKAN_OPTIONAL_DEVICE_FUNCTIONS(LOAD)
#undef LOAD
    return true;
}

const char *ct_vulkan_result_name(VkResult result) {
    switch (result) {
#define NAME(value)                                                                                \
    case value:                                                                                    \
        return #value;
        NAME(VK_SUCCESS)
        NAME(VK_NOT_READY)
        NAME(VK_TIMEOUT)
        NAME(VK_INCOMPLETE)
        NAME(VK_ERROR_OUT_OF_HOST_MEMORY)
        NAME(VK_ERROR_OUT_OF_DEVICE_MEMORY)
        NAME(VK_ERROR_INITIALIZATION_FAILED)
        NAME(VK_ERROR_DEVICE_LOST)
        NAME(VK_ERROR_MEMORY_MAP_FAILED)
        NAME(VK_ERROR_LAYER_NOT_PRESENT)
        NAME(VK_ERROR_EXTENSION_NOT_PRESENT)
        NAME(VK_ERROR_FEATURE_NOT_PRESENT)
        NAME(VK_ERROR_INCOMPATIBLE_DRIVER)
        NAME(VK_ERROR_TOO_MANY_OBJECTS)
        NAME(VK_ERROR_FORMAT_NOT_SUPPORTED)
        NAME(VK_ERROR_FRAGMENTED_POOL)
        NAME(VK_ERROR_OUT_OF_POOL_MEMORY)
        NAME(VK_ERROR_SURFACE_LOST_KHR)
        NAME(VK_ERROR_NATIVE_WINDOW_IN_USE_KHR)
        NAME(VK_ERROR_OUT_OF_DATE_KHR)
        NAME(VK_SUBOPTIMAL_KHR)
        NAME(VK_ERROR_INVALID_SHADER_NV)
#undef NAME
    default:
        return "an unknown VkResult";
    }
}
