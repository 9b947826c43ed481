// render_memory.h: device memory in few large blocks.
//
// Drivers allow few allocations, and each is slow. So blocks of 16 MiB are taken per memory type,
// and ranges are cut from them, first fit, from a sorted list of free ranges that merge when they
// are given back. Buffers and images never share a block, so bufferImageGranularity does not
// matter. Memory that the processor writes or reads stays mapped. Render thread.
#pragma once
#include "render/device/render_device.h"

typedef enum ct_render_memory_use {
    CT_RENDER_MEMORY_USE_DEVICE,   // for the device alone
    CT_RENDER_MEMORY_USE_UPLOAD,   // written by the processor, mapped and coherent
    CT_RENDER_MEMORY_USE_READBACK, // read by the processor, mapped and coherent
} ct_render_memory_use;

// A range of a block.
typedef struct ct_render_allocation {
    VkDeviceMemory memory;
    uint64_t offset, size_bytes;
    void *mapped;   // UPLOAD and READBACK
    uint32_t block; // position + 1; 0: none
} ct_render_allocation;

// Makes an allocator without blocks for the memory of `d`, which must outlive it. The bookkeeping
// comes from the device's allocator.
ct_render_memory *ct_render_memory_create(const ct_render_device *d);

// Frees the blocks; NULL is fine. Asserts that nothing is allocated.
void ct_render_memory_destroy(ct_render_memory *m);

// Returns memory for these requirements. `is_image` keeps images and buffers in different blocks.
// Ends the program when no memory type of the device fits.
ct_render_allocation ct_render_memory_allocate(ct_render_memory *m,
                                               const VkMemoryRequirements *requirements,
                                               ct_render_memory_use use, bool is_image);

// Gives a range back. The device must be done with it; a zeroed one is fine.
void ct_render_memory_free(ct_render_memory *m, const ct_render_allocation *allocation);

// Returns the number of bytes handed out and not given back.
uint64_t ct_render_memory_live_bytes(const ct_render_memory *m);

// Returns the number of ranges handed out and not given back.
uint32_t ct_render_memory_live_count(const ct_render_memory *m);
