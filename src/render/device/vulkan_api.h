// vulkan_api.h: Vulkan's functions, loaded when first needed; nothing links libvulkan.
//
// The one place that includes vulkan.h. A table of function pointers, filled in three steps as the
// loader, an instance and a device become known. Read-only afterwards.
#pragma once
#define VK_NO_PROTOTYPES
#include <vulkan/vulkan.h>

#include "foundation/types.h"

#define CT_VULKAN_GLOBAL_FUNCTIONS(X)                                                              \
    X(CreateInstance)                                                                              \
    X(EnumerateInstanceExtensionProperties)                                                        \
    X(EnumerateInstanceLayerProperties)                                                            \
    X(EnumerateInstanceVersion)

#define CT_VULKAN_INSTANCE_FUNCTIONS(X)                                                            \
    X(DestroyInstance)                                                                             \
    X(EnumeratePhysicalDevices)                                                                    \
    X(EnumerateDeviceExtensionProperties)                                                          \
    X(GetPhysicalDeviceFeatures2)                                                                  \
    X(GetPhysicalDeviceFormatProperties)                                                           \
    X(GetPhysicalDeviceMemoryProperties)                                                           \
    X(GetPhysicalDeviceProperties2)                                                                \
    X(GetPhysicalDeviceQueueFamilyProperties)                                                      \
    X(CreateDevice)                                                                                \
    X(GetDeviceProcAddr)

// Present only with their extensions.
#define CT_VULKAN_OPTIONAL_INSTANCE_FUNCTIONS(X)                                                   \
    X(CreateDebugUtilsMessengerEXT)                                                                \
    X(DestroyDebugUtilsMessengerEXT)                                                               \
    X(DestroySurfaceKHR)                                                                           \
    X(GetPhysicalDeviceCalibrateableTimeDomainsEXT)                                                \
    X(GetPhysicalDeviceSurfaceCapabilitiesKHR)                                                     \
    X(GetPhysicalDeviceSurfaceFormatsKHR)                                                          \
    X(GetPhysicalDeviceSurfaceSupportKHR)

// Each of these has a row in vulkan_guard.c, too: what it does when the device is lost.
#define CT_VULKAN_DEVICE_FUNCTIONS(X)                                                              \
    X(AllocateCommandBuffers)                                                                      \
    X(AllocateDescriptorSets)                                                                      \
    X(AllocateMemory)                                                                              \
    X(BeginCommandBuffer)                                                                          \
    X(BindBufferMemory)                                                                            \
    X(BindImageMemory)                                                                             \
    X(CmdBeginRendering)                                                                           \
    X(CmdBindDescriptorSets)                                                                       \
    X(CmdBindIndexBuffer)                                                                          \
    X(CmdBindPipeline)                                                                             \
    X(CmdBindVertexBuffers)                                                                        \
    X(CmdBindVertexBuffers2)                                                                       \
    X(CmdBlitImage)                                                                                \
    X(CmdClearColorImage)                                                                          \
    X(CmdCopyBuffer)                                                                               \
    X(CmdCopyBufferToImage)                                                                        \
    X(CmdCopyImage)                                                                                \
    X(CmdCopyImageToBuffer)                                                                        \
    X(CmdDraw)                                                                                     \
    X(CmdDispatch)                                                                                 \
    X(CmdDrawIndexed)                                                                              \
    X(CmdEndRendering)                                                                             \
    X(CmdFillBuffer)                                                                               \
    X(CmdPipelineBarrier2)                                                                         \
    X(CmdPushConstants)                                                                            \
    X(CmdResetQueryPool)                                                                           \
    X(CmdSetDepthTestEnable)                                                                       \
    X(CmdSetFrontFace)                                                                             \
    X(CmdSetScissor)                                                                               \
    X(CmdSetViewport)                                                                              \
    X(CmdWriteTimestamp2)                                                                          \
    X(CreateBuffer)                                                                                \
    X(CreateCommandPool)                                                                           \
    X(CreateComputePipelines)                                                                      \
    X(CreateDescriptorPool)                                                                        \
    X(CreateDescriptorSetLayout)                                                                   \
    X(CreateGraphicsPipelines)                                                                     \
    X(CreateImage)                                                                                 \
    X(CreateImageView)                                                                             \
    X(CreatePipelineCache)                                                                         \
    X(CreatePipelineLayout)                                                                        \
    X(CreateQueryPool)                                                                             \
    X(CreateSampler)                                                                               \
    X(CreateSemaphore)                                                                             \
    X(CreateShaderModule)                                                                          \
    X(DestroyBuffer)                                                                               \
    X(DestroyCommandPool)                                                                          \
    X(DestroyDescriptorPool)                                                                       \
    X(DestroyDescriptorSetLayout)                                                                  \
    X(DestroyDevice)                                                                               \
    X(DestroyImage)                                                                                \
    X(DestroyImageView)                                                                            \
    X(DestroyPipeline)                                                                             \
    X(DestroyPipelineCache)                                                                        \
    X(DestroyPipelineLayout)                                                                       \
    X(DestroyQueryPool)                                                                            \
    X(DestroySampler)                                                                              \
    X(DestroySemaphore)                                                                            \
    X(DestroyShaderModule)                                                                         \
    X(DeviceWaitIdle)                                                                              \
    X(EndCommandBuffer)                                                                            \
    X(FreeDescriptorSets)                                                                          \
    X(FreeMemory)                                                                                  \
    X(GetBufferDeviceAddress)                                                                      \
    X(GetBufferMemoryRequirements)                                                                 \
    X(GetDeviceQueue)                                                                              \
    X(GetImageMemoryRequirements)                                                                  \
    X(GetPipelineCacheData)                                                                        \
    X(GetQueryPoolResults)                                                                         \
    X(GetSemaphoreCounterValue)                                                                    \
    X(MapMemory)                                                                                   \
    X(QueueSubmit2)                                                                                \
    X(ResetCommandPool)                                                                            \
    X(UpdateDescriptorSets)                                                                        \
    X(WaitSemaphores)

// Present only with VK_KHR_swapchain, and with VK_EXT_calibrated_timestamps.
#define CT_VULKAN_OPTIONAL_DEVICE_FUNCTIONS(X)                                                     \
    X(AcquireNextImageKHR)                                                                         \
    X(CreateSwapchainKHR)                                                                          \
    X(DestroySwapchainKHR)                                                                         \
    X(GetCalibratedTimestampsEXT)                                                                  \
    X(GetSwapchainImagesKHR)                                                                       \
    X(QueuePresentKHR)

// Without their prefix `vk`.
typedef struct ct_vulkan_api {
    PFN_vkGetInstanceProcAddr GetInstanceProcAddr;
#define CT_VULKAN_MEMBER(name) PFN_vk##name name;
    CT_VULKAN_GLOBAL_FUNCTIONS(CT_VULKAN_MEMBER)
    CT_VULKAN_INSTANCE_FUNCTIONS(CT_VULKAN_MEMBER)
    CT_VULKAN_OPTIONAL_INSTANCE_FUNCTIONS(CT_VULKAN_MEMBER)
    CT_VULKAN_DEVICE_FUNCTIONS(CT_VULKAN_MEMBER)
    CT_VULKAN_OPTIONAL_DEVICE_FUNCTIONS(CT_VULKAN_MEMBER)
#undef CT_VULKAN_MEMBER
} ct_vulkan_api;

// Opens the loader for the life of the process and fills the global functions. Returns false with
// an `error` that says what to install.
bool ct_vulkan_api_load(ct_vulkan_api *vk, ct_error *error);

// Fills the functions of an instance; missing optional functions are NULL. Returns false with an
// `error` that names the first missing required function.
bool ct_vulkan_api_load_instance(ct_vulkan_api *vk, VkInstance instance, ct_error *error);

// Fills the functions of a device; missing optional functions are NULL. Returns false with an
// `error` that names the first missing required function.
bool ct_vulkan_api_load_device(ct_vulkan_api *vk, VkDevice device, ct_error *error);

// Returns "VK_ERROR_DEVICE_LOST" and so on, for messages.
const char *ct_vulkan_result_name(VkResult result);
