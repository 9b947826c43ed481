// stat_cache.h: the stat cache: content hashes of files that have not changed since they were
// hashed, judged by size, times of modification and change, and inode.
//
// An entry is not trusted when its file was changed so shortly before it was hashed that a later
// change could have the same time: the file is hashed again next time. Entries hashed at a time in
// the future are not trusted either, because the clock was set back. Runs look up nearly the same
// files in the same order, so most entries follow the previous one and need no hash table. The
// cache only saves time: a damaged or missing one is empty. It is a separate blob beside the data
// folder (docs/formats/data_folder.md).
#pragma once
#include "foundation/container/array.h"
#include "foundation/container/hash_map.h"
#include "project/source_file.h"

typedef struct ct_stat_cache_entry {
    const char *name; // in the cache's blob, unless the entry is new
    ct_file_stamp stamp;
    uint64_t hash;
    int64_t hashed_ns; // when the content was known to have this hash; 0: never
    uint32_t use;      // position among the look-ups of this run, from 1; 0: not used
    bool owns_name;
} ct_stat_cache_entry;

typedef CT_ARRAY(ct_stat_cache_entry) ct_stat_cache_entries;

typedef struct ct_stat_cache {
    ct_allocator *allocator;
    char *blob;                    // the file's content, into which names point; NULL: no file
    ct_stat_cache_entries entries; // in the order of the last run's look-ups
    uint32_t next;                 // index of the entry that is probably looked up next
    uint32_t num_uses;
    ct_hash_map by_name; // hash of the name to index + 1, for the first `num_mapped` entries
    uint32_t num_mapped; // grows on look-ups out of order
    int64_t now_ns;      // wall clock at the start of the run
    bool is_changed;
} ct_stat_cache;

// Returns whether an equal stamp proves that a file read at `read_ns` has not changed since: it was
// not changed so shortly before that a later change could have the same time, and was not read at a
// time in the future. All times are of the wall clock.
bool ct_file_stamp_is_settled(ct_file_stamp stamp, int64_t read_ns, int64_t now_ns);

// Makes a cache from the file `path`; an empty one when the file is missing or damaged.
void ct_stat_cache_init(ct_stat_cache *cache, ct_allocator *a, const char *path);
void ct_stat_cache_free(ct_stat_cache *cache);

// Starts a run. The next save drops entries that were not looked up or set in it.
void ct_stat_cache_begin(ct_stat_cache *cache);

// Finds the content hash of the file `name` in the state `stamp`; false when it is not known.
bool ct_stat_cache_find(ct_stat_cache *cache, const char *name, ct_file_stamp stamp,
                        uint64_t *hash);

// Records that at `hashed_ns` (wall clock) the content of `name` had the hash `hash`.
void ct_stat_cache_set(ct_stat_cache *cache, const char *name, ct_file_stamp stamp, uint64_t hash,
                       int64_t hashed_ns);

// Writes the cache to `path` if anything changed. False with `error` when it cannot be written.
bool ct_stat_cache_save(ct_stat_cache *cache, const char *path, ct_error *error);
