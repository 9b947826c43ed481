// Saves all instances, and restores them: all of them, or none.
#include <string.h>

#include "foundation/error.h"
#include "navigation/world/navigation_world_private.h"
#include "resource/blob/content_hash.h"

enum { MAGIC = 0x4e57524c, VERSION = 1 };

// --- Saving --------------------------------------------------------------------------------------

typedef struct saved_head {
    uint32_t magic, version;
    uint64_t num_bytes, hash; // of all; of what follows the head
    uint64_t step;
    uint32_t num_instances, padding;
} saved_head;

typedef struct saved_instance {
    ct_string_id64 name;
    ct_string_id32 class_name;
    uint32_t padding;
    uint64_t mesh_bytes, paths_bytes, agents_bytes;
} saved_instance;

static saved_instance describe(const ct_navigation_placed *p) {
    saved_instance s;
    memset(&s, 0, sizeof(s));
    s.name = p->name;
    s.class_name = p->class_name;
    s.mesh_bytes = ct_navigation_mesh_save(p->mesh, NULL);
    s.paths_bytes = ct_navigation_paths_save(p->paths, NULL);
    s.agents_bytes = ct_navigation_agents_save(p->agents, NULL);
    return s;
}

static uint64_t bytes_of(const saved_instance *s) {
    return s->mesh_bytes + s->paths_bytes + s->agents_bytes;
}

uint64_t ct_navigation_world_save(const ct_navigation_world *w, void *bytes) {
    char *const to = bytes;
    uint64_t at = sizeof(saved_head);
    for (uint32_t i = 0; i < w->placed.count; ++i) {
        const ct_navigation_placed *const p = &w->placed.items[i];
        const saved_instance s = describe(p);
        if (to) {
            char *next = to + at;
            memcpy(next, &s, sizeof(s));
            next += sizeof(s);
            ct_navigation_mesh_save(p->mesh, next);
            ct_navigation_paths_save(p->paths, next + s.mesh_bytes);
            ct_navigation_agents_save(p->agents, next + s.mesh_bytes + s.paths_bytes);
        }
        at += sizeof(s) + bytes_of(&s);
    }
    if (!to)
        return at;
    const saved_head head = {.magic = MAGIC,
                             .version = VERSION,
                             .num_bytes = at,
                             .hash = ct_content_hash(to + sizeof(head), at - sizeof(head)),
                             .step = w->step,
                             .num_instances = w->placed.count};
    memcpy(to, &head, sizeof(head));
    return at;
}

// --- Restoring -----------------------------------------------------------------------------------

static bool check_head(const ct_navigation_world *w, const void *bytes, uint64_t num_bytes,
                       saved_head *head, ct_error *error) {
    if (num_bytes < sizeof(*head))
        return ct_error_set(error, "found %llu bytes; expected saved navigation",
                            (unsigned long long)num_bytes);
    memcpy(head, bytes, sizeof(*head));
    if (head->magic != MAGIC)
        return ct_error_set(error, "found 0x%08x; expected saved navigation", head->magic);
    if (head->version != VERSION)
        return ct_error_set(error, "found version %u of saved navigation; expected %u",
                            head->version, VERSION);
    if (head->num_bytes != num_bytes)
        return ct_error_set(error, "found %llu bytes of saved navigation; expected %llu",
                            (unsigned long long)num_bytes, (unsigned long long)head->num_bytes);
    if (head->hash !=
        ct_content_hash((const char *)bytes + sizeof(*head), num_bytes - sizeof(*head)))
        return ct_error_set(error, "saved navigation is damaged: its hash is another one");
    if (head->num_instances != w->placed.count)
        return ct_error_set(error, "found %u saved navigation meshes; expected the world's %u",
                            head->num_instances, w->placed.count);
    return true;
}

// Reads what describes the instance at `at`; false with `error` when it is not that of `p`.
static bool read_instance(const ct_navigation_placed *p, const char *bytes, uint64_t num_bytes,
                          uint64_t at, uint32_t number, saved_instance *s, ct_error *error) {
    if (sizeof(*s) > num_bytes - at)
        return ct_error_set(error, "saved navigation is damaged: it is too short");
    memcpy(s, bytes + at, sizeof(*s));
    const uint64_t left = num_bytes - at - sizeof(*s);
    if (s->mesh_bytes > left || s->paths_bytes > left - s->mesh_bytes ||
        s->agents_bytes > left - s->mesh_bytes - s->paths_bytes)
        return ct_error_set(error, "saved navigation is damaged: it is too short");
    if (s->name.value != p->name.value || s->class_name.value != p->class_name.value)
        return ct_error_set(error,
                            "found a saved mesh of the class \"%s\" of \"%s\" as number %u; "
                            "expected \"%s\" of \"%s\"",
                            ct_string_id32_name(s->class_name), ct_string_id64_name(s->name),
                            number, ct_string_id32_name(p->class_name),
                            ct_string_id64_name(p->name));
    return true;
}

static bool restore_parts(ct_navigation_placed *p, const saved_instance *s, const char *bytes,
                          ct_error *error) {
    p->counted_version = 0;
    return ct_navigation_mesh_restore(p->mesh, bytes, s->mesh_bytes, error) &&
           ct_navigation_paths_restore(p->paths, bytes + s->mesh_bytes, s->paths_bytes, error) &&
           ct_navigation_agents_restore(p->agents, bytes + s->mesh_bytes + s->paths_bytes,
                                        s->agents_bytes, error);
}

// Restores all instances, or those before the first that is damaged.
static bool restore_all(ct_navigation_world *w, const char *bytes, uint64_t num_bytes,
                        ct_error *error) {
    uint64_t at = sizeof(saved_head);
    for (uint32_t i = 0; i < w->placed.count; ++i) {
        ct_navigation_placed *const p = &w->placed.items[i];
        saved_instance s;
        if (!read_instance(p, bytes, num_bytes, at, i, &s, error) ||
            !restore_parts(p, &s, bytes + at + sizeof(s), error))
            return false;
        at += sizeof(s) + bytes_of(&s);
    }
    return at == num_bytes ||
           ct_error_set(error, "saved navigation is damaged: found %llu bytes behind its end",
                        (unsigned long long)(num_bytes - at));
}

bool ct_navigation_world_restore(ct_navigation_world *w, const void *bytes, uint64_t num_bytes,
                                 ct_error *error) {
    saved_head head;
    if (!check_head(w, bytes, num_bytes, &head, error))
        return false;
    // What was there before comes back when a part turns out to be damaged.
    const uint64_t before_bytes = ct_navigation_world_save(w, NULL);
    char *const before = ct_alloc(w->allocator, before_bytes);
    ct_navigation_world_save(w, before);
    const bool is_right = restore_all(w, bytes, num_bytes, error);
    if (is_right) {
        w->step = head.step;
    } else {
        const bool is_back = restore_all(w, before, before_bytes, NULL);
        CT_ASSERT(is_back, "saved navigation could not be restored");
    }
    ct_free_sized(w->allocator, before, before_bytes);
    ++w->changes;
    return is_right;
}
