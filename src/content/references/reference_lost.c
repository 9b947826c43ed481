// reference_lost.c: which files went since the last index while others still name them.
//
// A file is lost when nothing lies at its path any more, or displaced when another file of before
// does. Of a displaced file that is all the evidence: whether its new path can be
// told is found out by who asks (moved_files.h).
#include <stdlib.h>
#include <string.h>

#include "content/references/reference_update.h"
#include "foundation/string/string_id.h"

// --- What is named -------------------------------------------------------------------------------

uint32_t ct_reference_named_since(const ct_reference_update *u, const char *path) {
    return (uint32_t)ct_hash_map_get(&u->named, ct_content_file_key(path), 0);
}

// --- Lost files ----------------------------------------------------------------------------------

typedef struct lost_search {
    ct_reference_update *update;
    ct_hash_map contents; // hashes of what was lost or changed; to 1
    ct_hash_map paths;    // of those that are in `lost`, by their hash; to 1
    bool is_glsl_lost;    // by the old index, and still
} lost_search;

static void add_lost(lost_search *s, const char *path, const ct_reference_lost *lost) {
    if (s->update->lost.count >= CT_REFERENCE_MOST_LOST)
        return;
    ct_array_push(&s->update->lost, (ct_update_lost){.lost = *lost, .path = path});
    ct_hash_map_set(&s->paths, ct_string_id64_of(path).value, 1);
}

static bool is_in_lost(const lost_search *s, const char *path) {
    return ct_hash_map_get(&s->paths, ct_string_id64_of(path).value, 0) > 0;
}

static void add_content(lost_search *s, uint64_t hash) {
    if (hash != 0)
        ct_hash_map_set(&s->contents, hash, 1);
}

// True for a file that is another one of before, by the disk: of media that nothing named no
// content is known.
static bool was_elsewhere(const lost_search *s, uint32_t at) {
    const ct_reference_update *const u = s->update;
    const ct_file_stamp *const now = &u->files[at].file.stamp;
    const uint64_t old = ct_hash_map_get(&u->old_inodes, now->inode, 0);
    const ct_file_stamp *const before = old ? &ct_reference_files(u->old)[old - 1].stamp : NULL;
    return before && u->files[at].old != old && before->size_bytes == now->size_bytes &&
           before->modified_ns == now->modified_ns;
}

// True for a file whose content is that of another that went from its path or changed.
static bool came_from_elsewhere(const lost_search *s, uint32_t at) {
    const uint64_t hash = s->update->files[at].file.hash;
    return (hash != 0 && ct_hash_map_get(&s->contents, hash, 0) > 0) || was_elsewhere(s, at);
}

static bool is_same(const ct_reference_lost *lost, const ct_reference_file *now) {
    return (lost->hash != 0 && lost->hash == now->hash) ||
           (lost->stamp.inode == now->stamp.inode &&
            lost->stamp.size_bytes == now->stamp.size_bytes &&
            lost->stamp.modified_ns == now->stamp.modified_ns);
}

// What the old index had lost, and still is.
static void keep_lost(lost_search *s, const ct_reference_lost *old) {
    const ct_reference_update *const u = s->update;
    const char *const path = ct_reference_text(u->old, old->path);
    const uint32_t at = ct_reference_update_find(u, path),
                   since = ct_reference_named_since(u, path);
    ct_reference_lost lost = *old;
    lost.is_displaced = at != UINT32_MAX;
    if (since == 0 && (lost.is_displaced || !s->is_glsl_lost))
        return;
    if (lost.is_displaced) {
        const ct_reference_file *const now = &u->files[at].file;
        const bool is_still = old->is_displaced || came_from_elsewhere(s, at);
        if (is_same(old, now) || !is_still || since >= old->revision)
            return;
    }
    add_lost(s, path, &lost);
}

// A file of the old index that is not at its path any more, or changed.
static void consider_file(lost_search *s, const ct_reference_file *old, uint32_t at) {
    const ct_reference_update *const u = s->update;
    const char *const path = ct_reference_text(u->old, old->path);
    const uint32_t since = ct_reference_named_since(u, path);
    const bool is_displaced = at != UINT32_MAX;
    const ct_reference_lost lost = {.revision = u->revision,
                                    .is_displaced = is_displaced,
                                    .kind = (uint16_t)old->kind,
                                    .stamp = old->stamp,
                                    .hash = old->hash,
                                    .seen_ns = old->read_ns};
    const bool is_lost =
        !is_displaced || (old->hash != 0 && since < u->revision && came_from_elsewhere(s, at));
    if (since > 0 && is_lost && !is_in_lost(s, path))
        add_lost(s, path, &lost);
}

typedef struct old_file {
    uint32_t old, at; // numbers in the old index and in the scan; `at` UINT32_MAX: it went
} old_file;

typedef CT_ARRAY(old_file) old_file_array;

// Text that shaders included is not known for GLSL where it was renamed to: what it named counts.
static void note_named_by_glsl(const lost_search *s, const ct_reference_file *file) {
    ct_reference_update *const u = s->update;
    for (uint32_t i = 0; i < file->num_mentions; ++i) {
        const char *const path =
            ct_reference_text(u->old, ct_reference_mentions(u->old)[file->first_mention + i].name);
        if (ct_hash_map_get(&u->named, ct_content_name_key(NULL, path), 0) == 0)
            ct_hash_map_set(&u->named, ct_content_name_key(NULL, path), file->written);
    }
}

static bool is_still_lost_glsl(const ct_reference_update *u, const ct_reference_lost *lost) {
    const char *const path = ct_reference_text(u->old, lost->path);
    return lost->kind == CT_CONTENT_KIND_GLSL && ct_reference_named_since(u, path) > 0 &&
           ct_reference_update_find(u, path) == UINT32_MAX;
}

// The project's files that went from their paths, or whose content changed.
static void find_changed(lost_search *s, old_file_array *changed) {
    const ct_reference_update *const u = s->update;
    uint32_t *const places = CT_NEW_ARRAY(u->allocator, uint32_t, u->old->files.count + 1);
    for (uint32_t i = 0; i < u->scan.num_found; ++i)
        places[u->files[i].old] = i + 1; // 0 is that of the new ones
    for (uint32_t k = 0; k < u->old->num_project; ++k) {
        const uint32_t place = places[k + 1];
        if (place > 0 && u->files[place - 1].file.changed < u->revision)
            continue;
        ct_array_push(changed, (old_file){k, place > 0 ? place - 1 : UINT32_MAX});
        const ct_reference_file *const file = &ct_reference_files(u->old)[k];
        add_content(s, file->hash);
        if (place == 0 && file->kind == CT_CONTENT_KIND_GLSL)
            note_named_by_glsl(s, file);
    }
}

static int compare_lost(const void *a, const void *b) {
    return strcmp(((const ct_update_lost *)a)->path, ((const ct_update_lost *)b)->path);
}

void ct_reference_lost_find(ct_reference_update *u) {
    lost_search s = {u, {.allocator = u->allocator}, {.allocator = u->allocator}, false};
    old_file_array changed;
    ct_array_init(&changed, u->allocator);
    if (!u->old)
        return;
    const ct_reference_lost *const lost = ct_reference_lost_files(u->old);
    for (uint32_t i = 0; i < u->old->lost.count; ++i) {
        add_content(&s, lost[i].hash);
        s.is_glsl_lost = s.is_glsl_lost || is_still_lost_glsl(u, &lost[i]);
    }
    find_changed(&s, &changed);
    for (uint32_t i = 0; i < u->old->lost.count; ++i)
        keep_lost(&s, &lost[i]);
    for (uint32_t i = 0; i < changed.count; ++i)
        consider_file(&s, &ct_reference_files(u->old)[changed.items[i].old], changed.items[i].at);
    if (u->lost.count > 1)
        qsort(u->lost.items, u->lost.count, sizeof(u->lost.items[0]), compare_lost);
}
