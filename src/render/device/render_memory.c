#include "render/device/render_memory.h"

#include "foundation/container/array.h"
#include "foundation/error.h"

#define BLOCK_BYTES (16ull << 20)

typedef struct free_range {
    uint64_t offset, size_bytes;
} free_range;

// A zeroed slot of the list is free for the next block.
typedef struct memory_block {
    VkDeviceMemory memory;
    uint64_t size_bytes;
    void *mapped;
    bool is_host; // mapped is ours: the device was lost, and what is written goes nowhere
    uint32_t type;
    uint32_t num_live;
    bool is_image;
    CT_ARRAY(free_range) free; // sorted by offset, no two touch
} memory_block;

struct ct_render_memory {
    const ct_render_device *device;
    CT_ARRAY(memory_block) blocks;
    uint64_t live_bytes;
    uint32_t live_count;
};

ct_render_memory *ct_render_memory_create(const ct_render_device *d) {
    ct_render_memory *m = CT_NEW(d->allocator, ct_render_memory);
    m->device = d;
    ct_array_init(&m->blocks, d->allocator);
    return m;
}

static void end_block(ct_render_memory *m, memory_block *b) {
    m->device->vk.FreeMemory(m->device->handle, b->memory, &m->device->callbacks);
    if (b->is_host)
        ct_free(m->device->allocator, b->mapped);
    ct_array_free(&b->free);
    *b = (memory_block){0};
}

void ct_render_memory_destroy(ct_render_memory *m) {
    if (!m)
        return;
    CT_ASSERT(m->live_count == 0, "device memory: %u ranges with %llu bytes were not freed",
              m->live_count, (unsigned long long)m->live_bytes);
    for (uint32_t i = 0; i < m->blocks.count; ++i)
        if (m->blocks.items[i].size_bytes)
            end_block(m, &m->blocks.items[i]);
    ct_array_free(&m->blocks);
    ct_free_sized(m->device->allocator, m, sizeof(*m));
}

// The first allowed type that has all of `flags`, or UINT32_MAX.
static uint32_t find_type(const ct_render_memory *m, uint32_t allowed,
                          VkMemoryPropertyFlags flags) {
    const VkPhysicalDeviceMemoryProperties *const types = &m->device->memory_types;
    for (uint32_t i = 0; i < types->memoryTypeCount; ++i)
        if ((allowed & (1u << i)) && (types->memoryTypes[i].propertyFlags & flags) == flags)
            return i;
    return UINT32_MAX;
}

static uint32_t choose_type(const ct_render_memory *m, uint32_t allowed, ct_render_memory_use use) {
    const VkMemoryPropertyFlags mapped =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    uint32_t type = UINT32_MAX;
    if (use == CT_RENDER_MEMORY_USE_DEVICE)
        type = find_type(m, allowed, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    if (use == CT_RENDER_MEMORY_USE_READBACK)
        type = find_type(m, allowed, mapped | VK_MEMORY_PROPERTY_HOST_CACHED_BIT);
    if (type == UINT32_MAX)
        type = find_type(m, allowed, use == CT_RENDER_MEMORY_USE_DEVICE ? 0 : mapped);
    CT_REQUIRE(type != UINT32_MAX, "the device has no memory type for use %d", use);
    return type;
}

static uint32_t add_block(ct_render_memory *m, uint64_t size_bytes, uint32_t type, bool is_mapped,
                          bool is_image) {
    const ct_render_device *d = m->device;
    const VkMemoryAllocateFlagsInfo addressed = {.sType =
                                                     VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                                 .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    const VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                       .pNext = is_image ? NULL : &addressed,
                                       .allocationSize = size_bytes,
                                       .memoryTypeIndex = type};
    memory_block b = {.size_bytes = size_bytes, .type = type, .is_image = is_image};
    ct_render_check(d->vk.AllocateMemory(d->handle, &info, &d->callbacks, &b.memory),
                    "vkAllocateMemory");
    if (is_mapped)
        ct_render_check(d->vk.MapMemory(d->handle, b.memory, 0, VK_WHOLE_SIZE, 0, &b.mapped),
                        "vkMapMemory");
    if (is_mapped && !b.mapped) {
        b.is_host = true;
        b.mapped = ct_alloc(d->allocator, size_bytes);
    }
    ct_array_init(&b.free, d->allocator);
    ct_array_push(&b.free, (free_range){.offset = 0, .size_bytes = size_bytes});
    for (uint32_t i = 0; i < m->blocks.count; ++i)
        if (!m->blocks.items[i].size_bytes) {
            m->blocks.items[i] = b;
            return i;
        }
    ct_array_push(&m->blocks, b);
    return m->blocks.count - 1;
}

// Cuts `size_bytes` at a multiple of `align` from free range `i`; false when it does not fit.
static bool cut_range(memory_block *b, uint32_t i, uint64_t size_bytes, uint64_t align,
                      uint64_t *offset) {
    const free_range r = b->free.items[i];
    const uint64_t begin = (r.offset + align - 1) / align * align;
    const uint64_t end = r.offset + r.size_bytes;
    if (begin + size_bytes > end)
        return false;
    const free_range before = {.offset = r.offset, .size_bytes = begin - r.offset};
    const free_range after = {.offset = begin + size_bytes, .size_bytes = end - begin - size_bytes};
    if (before.size_bytes && after.size_bytes) {
        b->free.items[i] = before;
        ct_array_push(&b->free, after);
        for (uint32_t j = b->free.count - 1; j > i + 1; --j) {
            b->free.items[j] = b->free.items[j - 1];
            b->free.items[j - 1] = after;
        }
    } else if (before.size_bytes || after.size_bytes) {
        b->free.items[i] = before.size_bytes ? before : after;
    } else {
        for (uint32_t j = i + 1; j < b->free.count; ++j)
            b->free.items[j - 1] = b->free.items[j];
        --b->free.count;
    }
    *offset = begin;
    return true;
}

static bool cut_from_block(memory_block *b, uint64_t size_bytes, uint64_t align, uint64_t *offset) {
    for (uint32_t i = 0; i < b->free.count; ++i)
        if (cut_range(b, i, size_bytes, align, offset))
            return true;
    return false;
}

ct_render_allocation ct_render_memory_allocate(ct_render_memory *m,
                                               const VkMemoryRequirements *requirements,
                                               ct_render_memory_use use, bool is_image) {
    const uint32_t type = choose_type(m, requirements->memoryTypeBits, use);
    const uint64_t size_bytes = requirements->size;
    const bool is_mapped = use != CT_RENDER_MEMORY_USE_DEVICE;
    uint64_t offset = 0;
    uint32_t i = 0;
    for (; i < m->blocks.count; ++i) {
        memory_block *b = &m->blocks.items[i];
        if (b->size_bytes && b->type == type && b->is_image == is_image &&
            !b->mapped == !is_mapped &&
            cut_from_block(b, size_bytes, requirements->alignment, &offset))
            break;
    }
    if (i == m->blocks.count) {
        const uint64_t block_bytes = size_bytes > BLOCK_BYTES / 2 ? size_bytes : BLOCK_BYTES;
        i = add_block(m, block_bytes, type, is_mapped, is_image);
        cut_from_block(&m->blocks.items[i], size_bytes, requirements->alignment, &offset);
    }
    memory_block *const b = &m->blocks.items[i];
    ++b->num_live;
    ++m->live_count;
    m->live_bytes += size_bytes;
    return (ct_render_allocation){.memory = b->memory,
                                  .offset = offset,
                                  .size_bytes = size_bytes,
                                  .mapped = b->mapped ? (char *)b->mapped + offset : NULL,
                                  .block = i + 1};
}

// Puts a range back into the sorted list and merges it with what it touches.
static void give_back(memory_block *b, uint64_t offset, uint64_t size_bytes) {
    uint32_t i = 0;
    while (i < b->free.count && b->free.items[i].offset < offset)
        ++i;
    ct_array_push(&b->free, (free_range){0});
    for (uint32_t j = b->free.count - 1; j > i; --j)
        b->free.items[j] = b->free.items[j - 1];
    b->free.items[i] = (free_range){.offset = offset, .size_bytes = size_bytes};
    for (uint32_t left = i ? i - 1 : 0; left + 1 < b->free.count && left <= i;) {
        free_range *const r = &b->free.items[left];
        if (r->offset + r->size_bytes != r[1].offset) {
            ++left;
            continue;
        }
        r->size_bytes += r[1].size_bytes;
        for (uint32_t j = left + 2; j < b->free.count; ++j)
            b->free.items[j - 1] = b->free.items[j];
        --b->free.count;
    }
}

void ct_render_memory_free(ct_render_memory *m, const ct_render_allocation *allocation) {
    if (!allocation->block)
        return;
    memory_block *const b = &m->blocks.items[allocation->block - 1];
    CT_ASSERT(b->memory == allocation->memory && b->num_live > 0, "device memory was freed twice");
    give_back(b, allocation->offset, allocation->size_bytes);
    --b->num_live;
    --m->live_count;
    m->live_bytes -= allocation->size_bytes;
    // Blocks of one large resource go at once; common ones are kept for what comes next.
    if (b->num_live == 0 && b->size_bytes != BLOCK_BYTES)
        end_block(m, b);
}

uint64_t ct_render_memory_live_bytes(const ct_render_memory *m) {
    return m->live_bytes;
}

uint32_t ct_render_memory_live_count(const ct_render_memory *m) {
    return m->live_count;
}
