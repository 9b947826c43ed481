// task_priority.c: the four levels and the classes that stand for one of them.
#include <string.h>

#include "foundation/memory/allocator.h"
#include "foundation/task/task_private.h"

// By ct_task_priority.
static const struct {
    const char *name;
    uint8_t level; // 0 runs first
} levels[CT_TASK_NUM_LEVELS] = {{"normal", 2}, {"low", 3}, {"high", 1}, {"critical", 0}};

void ct_task_priorities_init(ct_task_manager *m) {
    ct_mutex_init(&m->priority_mutex);
    for (uint32_t i = 0; i < CT_TASK_NUM_LEVELS; ++i)
        atomic_store(&m->levels[i], levels[i].level);
    atomic_store(&m->num_priorities, CT_TASK_NUM_LEVELS);
}

void ct_task_priorities_shutdown(ct_task_manager *m) {
    for (uint32_t i = CT_TASK_NUM_LEVELS; i < atomic_load(&m->num_priorities); ++i)
        ct_free(m->allocator, m->priority_names[i]);
    ct_mutex_shutdown(&m->priority_mutex);
}

// The class, or the number of classes when it is not there. Called with the lock.
static uint32_t find_class(const ct_task_manager *m, const char *name) {
    const uint32_t count = atomic_load(&m->num_priorities);
    uint32_t i = CT_TASK_NUM_LEVELS;
    while (i < count && strcmp(m->priority_names[i], name) != 0)
        ++i;
    return i;
}

static void set_class(ct_task_manager *m, uint32_t i, const char *name, ct_task_priority level) {
    atomic_store_explicit(&m->levels[i], levels[level].level, memory_order_relaxed);
    if (i < atomic_load(&m->num_priorities))
        return;
    m->priority_names[i] = ct_copy_string(m->allocator, name);
    atomic_store(&m->num_priorities, i + 1);
}

bool ct_task_level_named(const char *name, ct_task_priority *level) {
    for (uint32_t i = 0; i < CT_TASK_NUM_LEVELS; ++i) {
        if (strcmp(name, levels[i].name) == 0) {
            *level = (ct_task_priority)i;
            return true;
        }
    }
    return false;
}

static bool is_class_name(const char *name) {
    ct_task_priority level;
    return name[0] != 0 && !ct_task_level_named(name, &level);
}

ct_task_priority ct_task_priority_class(ct_task_manager *m, const char *name,
                                        ct_task_priority level) {
    CT_ASSERT((uint32_t)level < CT_TASK_NUM_LEVELS, "unknown priority level %d", (int)level);
    CT_ASSERT(is_class_name(name), "\"%s\" is not a valid name for a priority class", name);
    ct_mutex_lock(&m->priority_mutex);
    const uint32_t i = find_class(m, name);
    CT_REQUIRE(i < CT_TASK_MAX_PRIORITIES,
               "cannot add the priority class \"%s\": there are already %d priorities", name,
               CT_TASK_MAX_PRIORITIES);
    if (i == atomic_load(&m->num_priorities))
        set_class(m, i, name, level);
    m->are_used[i] = true;
    ct_mutex_unlock(&m->priority_mutex);
    return (ct_task_priority)i;
}

bool ct_task_set_priority(ct_task_manager *m, const char *name, ct_task_priority level) {
    CT_ASSERT((uint32_t)level < CT_TASK_NUM_LEVELS, "unknown priority level %d", (int)level);
    if (!is_class_name(name))
        return false;
    ct_mutex_lock(&m->priority_mutex);
    const uint32_t i = find_class(m, name);
    const bool has_room = i < CT_TASK_MAX_PRIORITIES;
    if (has_room)
        set_class(m, i, name, level);
    ct_mutex_unlock(&m->priority_mutex);
    return has_room;
}

const char *ct_task_unused_class(ct_task_manager *m, uint32_t index) {
    const char *name = NULL;
    ct_mutex_lock(&m->priority_mutex);
    const uint32_t count = atomic_load(&m->num_priorities);
    for (uint32_t i = CT_TASK_NUM_LEVELS; !name && i < count; ++i) {
        if (!m->are_used[i] && index-- == 0)
            name = m->priority_names[i];
    }
    ct_mutex_unlock(&m->priority_mutex);
    return name;
}
