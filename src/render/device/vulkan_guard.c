#include "render/device/vulkan_guard.h"

#include <stdio.h>
#include <string.h>

// Replacement functions do not use most of their arguments.
#pragma GCC diagnostic ignored "-Wunused-parameter"

static ct_vulkan_api real;   // the device's functions
static ct_vulkan_api *table; // those that the renderer calls
static bool is_lost;
static char reason[128];

static struct {
    ct_vulkan_fault fault;
    uint32_t num_calls, num_surface_calls, num_failed; // since the injection
} injected;

static void put_in(ct_vulkan_api *vk);

// --- Losing the device ---------------------------------------------------------------------------

static void lose(const char *function, VkResult result) {
    snprintf(reason, sizeof(reason), "%s failed: %s", function, ct_vulkan_result_name(result));
    is_lost = true;
    put_in(table);
}

// The failure that is due for a call, or VK_SUCCESS.
static VkResult due(bool concerns_surface) {
    const ct_vulkan_fault *const f = &injected.fault;
    const uint32_t call =
        f->result == VK_ERROR_SURFACE_LOST_KHR ? injected.num_surface_calls : injected.num_calls;
    const uint32_t period = f->period != 0 ? f->period : 1;
    const bool is_meant = concerns_surface || f->result != VK_ERROR_SURFACE_LOST_KHR;
    ++injected.num_calls;
    injected.num_surface_calls += concerns_surface;
    if (!is_meant || call < f->call || (call - f->call) % period != 0 ||
        injected.num_failed >= f->num_times)
        return VK_SUCCESS;
    ++injected.num_failed;
    return f->result;
}

// Returns the result of a call: the failure that is due, or else the device's result. Notes a lost
// device and returns success to the caller.
#define CT_GUARDED(name, concerns_surface, ...)                                                    \
    VkResult result = due(concerns_surface);                                                       \
    if (result == VK_SUCCESS)                                                                      \
        result = real.name(__VA_ARGS__);                                                           \
    if (result != VK_ERROR_DEVICE_LOST && result != VK_ERROR_OUT_OF_DEVICE_MEMORY)                 \
        return result;                                                                             \
    lose("vk" #name, result)

// --- What each function does ---------------------------------------------------------------------
//
// Each device function of vulkan_api.h has a row, from which put_name puts it into the table.

// Stays as it is: ends what the device had.
#define CT_KEPT(name)                                                                              \
    static void put_##name(ct_vulkan_api *vk) {                                                    \
        (void)vk;                                                                                  \
    }

// Does nothing when the device is lost.
#define CT_SILENCED(name, ...)                                                                     \
    static VKAPI_ATTR void VKAPI_CALL silent_##name(__VA_ARGS__) {}                                \
    static void put_##name(ct_vulkan_api *vk) {                                                    \
        vk->name = is_lost ? silent_##name : real.name;                                            \
    }

// May fail: calls `name` with `arguments` and ends with `lost` when the device is lost.
#define CT_MAY_FAIL_AS(name, concerns_surface, parameters, arguments, lost)                        \
    static VKAPI_ATTR VkResult VKAPI_CALL lost_##name parameters {                                 \
        lost;                                                                                      \
    }                                                                                              \
    static VKAPI_ATTR VkResult VKAPI_CALL guarded_##name parameters {                              \
        CT_GUARDED(name, concerns_surface, CT_UNPACKED arguments);                                 \
        lost;                                                                                      \
    }                                                                                              \
    static void put_##name(ct_vulkan_api *vk) {                                                    \
        vk->name = is_lost ? lost_##name : guarded_##name;                                         \
    }
#define CT_UNPACKED(...) __VA_ARGS__

#define CT_MAY_FAIL(name, parameters, arguments, lost)                                             \
    CT_MAY_FAIL_AS(name, false, parameters, arguments, lost)

// vkCreateName.
#define CT_CREATES(name)                                                                           \
    CT_MAY_FAIL(Create##name,                                                                      \
                (VkDevice d, const Vk##name##CreateInfo *info, const VkAllocationCallbacks *c,     \
                 Vk##name *made),                                                                  \
                (d, info, c, made), *made = VK_NULL_HANDLE;                                        \
                return VK_SUCCESS)

CT_CREATES(Buffer)
CT_CREATES(CommandPool)
CT_CREATES(DescriptorPool)
CT_CREATES(DescriptorSetLayout)
CT_CREATES(Image)
CT_CREATES(ImageView)
CT_CREATES(PipelineCache)
CT_CREATES(PipelineLayout)
CT_CREATES(QueryPool)
CT_CREATES(Sampler)
CT_CREATES(Semaphore)
CT_CREATES(ShaderModule)

CT_MAY_FAIL(CreateGraphicsPipelines,
            (VkDevice d, VkPipelineCache cache, uint32_t count,
             const VkGraphicsPipelineCreateInfo *infos, const VkAllocationCallbacks *c,
             VkPipeline *made),
            (d, cache, count, infos, c, made), memset(made, 0, sizeof(*made) * count);
            return VK_SUCCESS)
CT_MAY_FAIL(CreateComputePipelines,
            (VkDevice d, VkPipelineCache cache, uint32_t count,
             const VkComputePipelineCreateInfo *infos, const VkAllocationCallbacks *c,
             VkPipeline *made),
            (d, cache, count, infos, c, made), memset(made, 0, sizeof(*made) * count);
            return VK_SUCCESS)
CT_MAY_FAIL(AllocateCommandBuffers,
            (VkDevice d, const VkCommandBufferAllocateInfo *info, VkCommandBuffer *made),
            (d, info, made), memset(made, 0, sizeof(*made) * info->commandBufferCount);
            return VK_SUCCESS)
CT_MAY_FAIL(AllocateDescriptorSets,
            (VkDevice d, const VkDescriptorSetAllocateInfo *info, VkDescriptorSet *made),
            (d, info, made), memset(made, 0, sizeof(*made) * info->descriptorSetCount);
            return VK_SUCCESS)
CT_MAY_FAIL(AllocateMemory,
            (VkDevice d, const VkMemoryAllocateInfo *info, const VkAllocationCallbacks *c,
             VkDeviceMemory *made),
            (d, info, c, made), *made = VK_NULL_HANDLE;
            return VK_SUCCESS)
CT_MAY_FAIL(BindBufferMemory, (VkDevice d, VkBuffer b, VkDeviceMemory m, VkDeviceSize offset),
            (d, b, m, offset), return VK_SUCCESS)
CT_MAY_FAIL(BindImageMemory, (VkDevice d, VkImage i, VkDeviceMemory m, VkDeviceSize offset),
            (d, i, m, offset), return VK_SUCCESS)
CT_MAY_FAIL(MapMemory,
            (VkDevice d, VkDeviceMemory m, VkDeviceSize offset, VkDeviceSize size,
             VkMemoryMapFlags flags, void **mapped),
            (d, m, offset, size, flags, mapped), *mapped = NULL;
            return VK_SUCCESS)

CT_MAY_FAIL(BeginCommandBuffer, (VkCommandBuffer b, const VkCommandBufferBeginInfo *info),
            (b, info), return VK_SUCCESS)
CT_MAY_FAIL(EndCommandBuffer, (VkCommandBuffer b), (b), return VK_SUCCESS)
CT_MAY_FAIL(ResetCommandPool, (VkDevice d, VkCommandPool pool, VkCommandPoolResetFlags flags),
            (d, pool, flags), return VK_SUCCESS)
CT_MAY_FAIL(QueueSubmit2, (VkQueue q, uint32_t count, const VkSubmitInfo2 *infos, VkFence fence),
            (q, count, infos, fence), return VK_SUCCESS)
// Destroyed objects must be idle, also on a lost device.
CT_MAY_FAIL(DeviceWaitIdle, (VkDevice d), (d), real.DeviceWaitIdle(d); return VK_SUCCESS)
CT_MAY_FAIL(WaitSemaphores, (VkDevice d, const VkSemaphoreWaitInfo *info, uint64_t timeout),
            (d, info, timeout), return VK_SUCCESS)
CT_MAY_FAIL(GetSemaphoreCounterValue, (VkDevice d, VkSemaphore s, uint64_t *value), (d, s, value),
            *value = 0;
            return VK_SUCCESS)
CT_MAY_FAIL(GetPipelineCacheData, (VkDevice d, VkPipelineCache cache, size_t *bytes, void *data),
            (d, cache, bytes, data), *bytes = 0;
            return VK_SUCCESS)
CT_MAY_FAIL(GetQueryPoolResults,
            (VkDevice d, VkQueryPool pool, uint32_t first, uint32_t count, size_t size, void *data,
             VkDeviceSize stride, VkQueryResultFlags flags),
            (d, pool, first, count, size, data, stride, flags), return VK_NOT_READY)
CT_MAY_FAIL(GetCalibratedTimestampsEXT,
            (VkDevice d, uint32_t count, const VkCalibratedTimestampInfoEXT *infos, uint64_t *times,
             uint64_t *deviation),
            (d, count, infos, times, deviation), return VK_NOT_READY)

CT_MAY_FAIL_AS(CreateSwapchainKHR, true,
               (VkDevice d, const VkSwapchainCreateInfoKHR *info, const VkAllocationCallbacks *c,
                VkSwapchainKHR *made),
               (d, info, c, made), *made = VK_NULL_HANDLE;
               return VK_SUCCESS)
CT_MAY_FAIL(GetSwapchainImagesKHR, (VkDevice d, VkSwapchainKHR s, uint32_t *count, VkImage *images),
            (d, s, count, images), *count = 0;
            return VK_SUCCESS)
CT_MAY_FAIL_AS(AcquireNextImageKHR, true,
               (VkDevice d, VkSwapchainKHR s, uint64_t timeout, VkSemaphore semaphore,
                VkFence fence, uint32_t *image),
               (d, s, timeout, semaphore, fence, image), return VK_NOT_READY)
CT_MAY_FAIL_AS(QueuePresentKHR, true, (VkQueue q, const VkPresentInfoKHR *info), (q, info),
               return VK_SUCCESS)

CT_SILENCED(CmdBeginRendering, VkCommandBuffer c, const VkRenderingInfo *info)
CT_SILENCED(CmdBindDescriptorSets, VkCommandBuffer c, VkPipelineBindPoint point,
            VkPipelineLayout layout, uint32_t first, uint32_t count, const VkDescriptorSet *sets,
            uint32_t num_offsets, const uint32_t *offsets)
CT_SILENCED(CmdBindIndexBuffer, VkCommandBuffer c, VkBuffer b, VkDeviceSize offset,
            VkIndexType type)
CT_SILENCED(CmdBindPipeline, VkCommandBuffer c, VkPipelineBindPoint point, VkPipeline p)
CT_SILENCED(CmdBindVertexBuffers, VkCommandBuffer c, uint32_t first, uint32_t count,
            const VkBuffer *buffers, const VkDeviceSize *offsets)
CT_SILENCED(CmdBindVertexBuffers2, VkCommandBuffer c, uint32_t first, uint32_t count,
            const VkBuffer *buffers, const VkDeviceSize *offsets, const VkDeviceSize *sizes,
            const VkDeviceSize *strides)
CT_SILENCED(CmdBlitImage, VkCommandBuffer c, VkImage source, VkImageLayout source_layout,
            VkImage target, VkImageLayout target_layout, uint32_t count, const VkImageBlit *regions,
            VkFilter filter)
CT_SILENCED(CmdClearColorImage, VkCommandBuffer c, VkImage image, VkImageLayout layout,
            const VkClearColorValue *color, uint32_t count, const VkImageSubresourceRange *ranges)
CT_SILENCED(CmdCopyBuffer, VkCommandBuffer c, VkBuffer source, VkBuffer target, uint32_t count,
            const VkBufferCopy *regions)
CT_SILENCED(CmdCopyBufferToImage, VkCommandBuffer c, VkBuffer source, VkImage target,
            VkImageLayout layout, uint32_t count, const VkBufferImageCopy *regions)
CT_SILENCED(CmdCopyImage, VkCommandBuffer c, VkImage source, VkImageLayout source_layout,
            VkImage target, VkImageLayout target_layout, uint32_t count, const VkImageCopy *regions)
CT_SILENCED(CmdCopyImageToBuffer, VkCommandBuffer c, VkImage source, VkImageLayout layout,
            VkBuffer target, uint32_t count, const VkBufferImageCopy *regions)
CT_SILENCED(CmdDispatch, VkCommandBuffer c, uint32_t x, uint32_t y, uint32_t z)
CT_SILENCED(CmdDraw, VkCommandBuffer c, uint32_t num_vertices, uint32_t num_instances,
            uint32_t first_vertex, uint32_t first_instance)
CT_SILENCED(CmdDrawIndexed, VkCommandBuffer c, uint32_t num_indices, uint32_t num_instances,
            uint32_t first_index, int32_t vertex_offset, uint32_t first_instance)
CT_SILENCED(CmdEndRendering, VkCommandBuffer c)
CT_SILENCED(CmdFillBuffer, VkCommandBuffer c, VkBuffer b, VkDeviceSize offset, VkDeviceSize size,
            uint32_t word)
CT_SILENCED(CmdPipelineBarrier2, VkCommandBuffer c, const VkDependencyInfo *info)
CT_SILENCED(CmdPushConstants, VkCommandBuffer c, VkPipelineLayout layout, VkShaderStageFlags stages,
            uint32_t offset, uint32_t size, const void *values)
CT_SILENCED(CmdResetQueryPool, VkCommandBuffer c, VkQueryPool pool, uint32_t first, uint32_t count)
CT_SILENCED(CmdSetDepthTestEnable, VkCommandBuffer c, VkBool32 is_on)
CT_SILENCED(CmdSetFrontFace, VkCommandBuffer c, VkFrontFace face)
CT_SILENCED(CmdSetScissor, VkCommandBuffer c, uint32_t first, uint32_t count,
            const VkRect2D *scissors)
CT_SILENCED(CmdSetViewport, VkCommandBuffer c, uint32_t first, uint32_t count,
            const VkViewport *viewports)
CT_SILENCED(CmdWriteTimestamp2, VkCommandBuffer c, VkPipelineStageFlags2 stage, VkQueryPool pool,
            uint32_t query)
// Leave what the caller expects.
CT_SILENCED(GetBufferMemoryRequirements, VkDevice d, VkBuffer b, VkMemoryRequirements *r)
CT_SILENCED(GetImageMemoryRequirements, VkDevice d, VkImage i, VkMemoryRequirements *r)
CT_SILENCED(UpdateDescriptorSets, VkDevice d, uint32_t num_writes,
            const VkWriteDescriptorSet *writes, uint32_t num_copies,
            const VkCopyDescriptorSet *copies)

// Returns no address when the device is lost.
static VKAPI_ATTR VkDeviceAddress VKAPI_CALL
lost_GetBufferDeviceAddress(VkDevice d, const VkBufferDeviceAddressInfo *info) {
    (void)d, (void)info;
    return 0;
}
static void put_GetBufferDeviceAddress(ct_vulkan_api *vk) {
    vk->GetBufferDeviceAddress =
        is_lost ? lost_GetBufferDeviceAddress : real.GetBufferDeviceAddress;
}

CT_KEPT(DestroyBuffer)
CT_KEPT(DestroyCommandPool)
CT_KEPT(DestroyDescriptorPool)
CT_KEPT(DestroyDescriptorSetLayout)
CT_KEPT(DestroyDevice)
CT_KEPT(DestroyImage)
CT_KEPT(DestroyImageView)
CT_KEPT(DestroyPipeline)
CT_KEPT(DestroyPipelineCache)
CT_KEPT(DestroyPipelineLayout)
CT_KEPT(DestroyQueryPool)
CT_KEPT(DestroySampler)
CT_KEPT(DestroySemaphore)
CT_KEPT(DestroyShaderModule)
CT_KEPT(DestroySwapchainKHR)
CT_KEPT(FreeDescriptorSets)
CT_KEPT(FreeMemory)
CT_KEPT(GetDeviceQueue)

static void put_in(ct_vulkan_api *vk) {
#define PUT(name) put_##name(vk);
    CT_VULKAN_DEVICE_FUNCTIONS(PUT)
    CT_VULKAN_OPTIONAL_DEVICE_FUNCTIONS(PUT)
#undef PUT
}

// --- Interface -----------------------------------------------------------------------------------

void ct_vulkan_guard_start(ct_vulkan_api *vk) {
    real = *vk;
    table = vk;
    is_lost = false;
    put_in(vk);
}

const ct_vulkan_api *ct_vulkan_guard_unguarded(void) {
    return &real;
}

void ct_vulkan_guard_lose(const char *function, VkResult result) {
    if (!is_lost)
        lose(function, result);
}

bool ct_vulkan_guard_is_lost(void) {
    return is_lost;
}

const char *ct_vulkan_guard_reason(void) {
    return reason;
}

void ct_vulkan_guard_inject(const ct_vulkan_fault *fault) {
    injected = (__typeof__(injected)){.fault = *fault};
}

uint32_t ct_vulkan_guard_num_calls(void) {
    return injected.num_calls;
}

uint32_t ct_vulkan_guard_num_failed(void) {
    return injected.num_failed;
}

VkResult ct_vulkan_guard_fault(void) {
    return due(false);
}
