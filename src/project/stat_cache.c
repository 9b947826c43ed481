#include "project/stat_cache.h"
#include "foundation/error.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "resource/blob/blob_writer.h"
#include "resource/blob/content_hash.h"

#include <string.h>

#define CACHE_TYPE "stat_cache"
enum {
    CACHE_VERSION = 2,
    // File times come from a clock that steps; a change within one step leaves the time as it is.
    CLOCK_STEP_NS = 20 * 1000 * 1000,
};

// One entry in the form of the file.
typedef struct stored_entry {
    ct_blob_string name;
    uint64_t size_bytes;
    int64_t modified_ns, changed_ns;
    uint64_t inode;
    uint64_t hash;
    int64_t hashed_ns;
} stored_entry;

typedef struct stored_cache {
    ct_blob_header header;
    ct_blob_array entries; // stored_entry
} stored_cache;

bool ct_file_stamp_is_settled(ct_file_stamp stamp, int64_t read_ns, int64_t now_ns) {
    return stamp.modified_ns < read_ns - CLOCK_STEP_NS &&
           stamp.changed_ns < read_ns - CLOCK_STEP_NS && read_ns <= now_ns;
}

static uint64_t key_of(const char *name) {
    return ct_content_hash(name, strlen(name));
}

static bool is_at(const ct_stat_cache *cache, uint64_t at, const char *name) {
    return at < cache->entries.count && strcmp(cache->entries.items[at].name, name) == 0;
}

// The position of an entry, or the number of entries.
static uint32_t find_entry(ct_stat_cache *cache, const char *name) {
    if (is_at(cache, cache->next, name))
        return cache->next;
    ct_hash_map_reserve(&cache->by_name, cache->entries.count);
    for (; cache->num_mapped < cache->entries.count; ++cache->num_mapped)
        ct_hash_map_set(&cache->by_name, key_of(cache->entries.items[cache->num_mapped].name),
                        cache->num_mapped + 1);
    const uint64_t at = ct_hash_map_get(&cache->by_name, key_of(name), 0);
    return at > 0 && is_at(cache, at - 1, name) ? (uint32_t)at - 1 : cache->entries.count;
}

// Returns the entry of a name, which may be new, and marks it as used in this run.
static ct_stat_cache_entry *use_entry(ct_stat_cache *cache, const char *name) {
    const uint32_t at = find_entry(cache, name);
    if (at == cache->entries.count)
        ct_array_push(&cache->entries,
                      (ct_stat_cache_entry){.name = ct_copy_string(cache->allocator, name),
                                            .owns_name = true});
    ct_stat_cache_entry *const entry = &cache->entries.items[at];
    if (entry->use == 0)
        entry->use = ++cache->num_uses;
    cache->next = at + 1;
    return entry;
}

// Takes the entries of a cache file; stops reading at the first invalid one.
static void take_stored(ct_stat_cache *cache, const stored_cache *stored) {
    ct_error ignored;
    if (stored->header.size_bytes < sizeof(*stored) ||
        !ct_blob_check_array(&stored->header, stored->entries, sizeof(stored_entry), 8, "entries",
                             &ignored))
        return;
    const stored_entry *const entries = ct_blob_at(stored, stored->entries.offset);
    ct_array_reserve(&cache->entries, stored->entries.count);
    for (uint32_t i = 0; i < stored->entries.count; ++i) {
        const stored_entry *const e = &entries[i];
        if (!ct_blob_check_string(&stored->header, e->name, "name", &ignored))
            return;
        ct_array_push(&cache->entries,
                      (ct_stat_cache_entry){
                          .name = ct_blob_at(stored, e->name.offset),
                          .stamp = {e->size_bytes, e->modified_ns, e->changed_ns, e->inode},
                          .hash = e->hash,
                          .hashed_ns = e->hashed_ns,
                      });
    }
}

void ct_stat_cache_init(ct_stat_cache *cache, ct_allocator *a, const char *path) {
    *cache = (ct_stat_cache){.allocator = a, .by_name.allocator = a};
    ct_array_init(&cache->entries, a);
    uint64_t size_bytes = 0;
    cache->blob = ct_file_read(a, path, &size_bytes, NULL);
    if (cache->blob && ct_blob_check_header(cache->blob, size_bytes, ct_string_id64_of(CACHE_TYPE),
                                            CACHE_VERSION, NULL))
        take_stored(cache, (const stored_cache *)(const void *)cache->blob);
}

static void free_name(ct_stat_cache *cache, const ct_stat_cache_entry *entry) {
    if (entry->owns_name)
        ct_free(cache->allocator, (char *)(uintptr_t)entry->name);
}

void ct_stat_cache_free(ct_stat_cache *cache) {
    for (uint32_t i = 0; i < cache->entries.count; ++i)
        free_name(cache, &cache->entries.items[i]);
    ct_free(cache->allocator, cache->blob);
    ct_array_free(&cache->entries);
    ct_hash_map_free(&cache->by_name);
}

void ct_stat_cache_begin(ct_stat_cache *cache) {
    cache->now_ns = ct_os_wall_time_ns();
    cache->next = cache->num_uses = 0;
    for (uint32_t i = 0; i < cache->entries.count; ++i)
        cache->entries.items[i].use = 0;
}

bool ct_stat_cache_find(ct_stat_cache *cache, const char *name, ct_file_stamp stamp,
                        uint64_t *hash) {
    const ct_stat_cache_entry *const entry = use_entry(cache, name);
    if (!ct_file_stamp_equal(entry->stamp, stamp) ||
        !ct_file_stamp_is_settled(stamp, entry->hashed_ns, cache->now_ns))
        return false;
    *hash = entry->hash;
    return true;
}

void ct_stat_cache_set(ct_stat_cache *cache, const char *name, ct_file_stamp stamp, uint64_t hash,
                       int64_t hashed_ns) {
    cache->is_changed = true;
    ct_stat_cache_entry *const entry = use_entry(cache, name);
    entry->stamp = stamp;
    entry->hash = hash;
    entry->hashed_ns = hashed_ns;
}

static bool is_in_order(const ct_stat_cache *cache) {
    for (uint32_t i = 0; i < cache->entries.count; ++i)
        if (cache->entries.items[i].use != i + 1 || cache->entries.items[i].hashed_ns == 0)
            return false;
    return true;
}

// Sorts the entries by the run's look-ups. Drops those that it did not look up, and those whose
// content is not known.
static void put_in_order(ct_stat_cache *cache) {
    if (is_in_order(cache))
        return;
    ct_stat_cache_entries old = cache->entries;
    ct_array_init(&cache->entries, cache->allocator);
    ct_array_resize(&cache->entries, cache->num_uses);
    for (uint32_t i = 0; i < old.count; ++i) {
        const ct_stat_cache_entry *const entry = &old.items[i];
        cache->is_changed |= entry->use == 0;
        if (entry->use > 0 && entry->hashed_ns != 0)
            cache->entries.items[entry->use - 1] = *entry;
        else
            free_name(cache, entry);
    }
    ct_array_free(&old);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < cache->entries.count; ++i)
        if (cache->entries.items[i].use > 0)
            cache->entries.items[kept++] = cache->entries.items[i];
    cache->entries.count = kept;
    ct_hash_map_clear(&cache->by_name);
    cache->num_mapped = 0;
}

static void write_entries(const ct_stat_cache *cache, ct_blob_writer *w) {
    const uint32_t field = ct_blob_write_array_field(w);
    ct_blob_writer_align(w, 8);
    const uint32_t first = ct_blob_writer_offset(w);
    ct_blob_patch_array(w, field, first, cache->entries.count);
    for (uint32_t i = 0; i < cache->entries.count; ++i) {
        const ct_stat_cache_entry *const e = &cache->entries.items[i];
        ct_blob_write_array_field(w); // name
        ct_blob_write_u64(w, e->stamp.size_bytes);
        ct_blob_write_u64(w, (uint64_t)e->stamp.modified_ns);
        ct_blob_write_u64(w, (uint64_t)e->stamp.changed_ns);
        ct_blob_write_u64(w, e->stamp.inode);
        ct_blob_write_u64(w, e->hash);
        ct_blob_write_u64(w, (uint64_t)e->hashed_ns);
    }
    for (uint32_t i = 0; i < cache->entries.count; ++i) {
        const char *const name = cache->entries.items[i].name;
        ct_blob_patch_string(w, first + i * (uint32_t)sizeof(stored_entry), name,
                             (uint32_t)strlen(name));
    }
}

bool ct_stat_cache_save(ct_stat_cache *cache, const char *path, ct_error *error) {
    put_in_order(cache);
    if (!cache->is_changed)
        return true;
    ct_blob_writer w;
    ct_blob_writer_init(&w, cache->allocator, CT_BYTE_ORDER_LITTLE, CACHE_TYPE, CACHE_VERSION);
    write_entries(cache, &w);
    ct_blob_writer_finish(&w);
    const bool result = ct_file_write(path, w.bytes.items, w.bytes.count, false, error);
    ct_blob_writer_free(&w);
    cache->is_changed = !result;
    return result;
}
