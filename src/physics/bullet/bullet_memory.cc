// Where Bullet's memory comes from: a proxy for the process, counted and traced as `bullet`.
#include "physics/bullet/bullet.h"

#include <LinearMath/btAlignedAllocator.h>

#include <mutex>

extern "C" {
#include "foundation/memory/library_memory.h"
}

static std::mutex lock;
static uint32_t num_users;
static ct_library_memory *memory; // changes only while nothing of Bullet is in use

static void *allocate(size_t size_bytes, int align) {
    return ct_library_alloc(memory, size_bytes, static_cast<uint64_t>(align));
}

static void release(void *block) {
    ct_library_free(memory, block);
}

void ct_bullet_init(ct_allocator *a) {
    const std::lock_guard<std::mutex> guard(lock);
    if (num_users++ > 0)
        return;
    memory = ct_library_memory_create(a, "bullet");
    btAlignedAllocSetCustomAligned(allocate, release);
}

void ct_bullet_quit(void) {
    const std::lock_guard<std::mutex> guard(lock);
    if (--num_users > 0)
        return;
    btAlignedAllocSetCustomAligned(nullptr, nullptr);
    ct_library_memory_destroy(memory);
    memory = nullptr;
}

ct_allocator *ct_bullet_allocator(void) {
    const std::lock_guard<std::mutex> guard(lock);
    return memory ? ct_library_memory_allocator(memory) : nullptr;
}
