// stat_cache.h: the stat cache: content hashes of files that have not changed since they were
// hashed, told by size, times of modification and change, and inode.
//
// A file that was changed so shortly before it was hashed that a later change could bear the same
// time is not trusted: it is hashed again next time. Nor is what was hashed at a time that is still
// to come: the clock was set back. Runs ask for much the same files in the same order, so that most
// are found where the one before them was found, and no hash table is needed. The cache is a
// convenience: damaged or missing it is empty. It is a blob of its own beside the data folder
// (docs/formats/data_folder.md).
#pragma once
#include "foundation/container/array.h"
#include "foundation/container/hash_map.h"
#include "project/source_file.h"

typedef struct ct_stat_cache_entry {
    const char *name; // in the cache's blob, unless it is new
    ct_file_stamp stamp;
    uint64_t hash;
    int64_t hashed_ns; // when the content was known to be what it is; 0: it is not known
    uint32_t use;      // place among those asked for in this run, from 1; 0: nobody did
    bool owns_name;
} ct_stat_cache_entry;

typedef CT_ARRAY(ct_stat_cache_entry) ct_stat_cache_entries;

typedef struct ct_stat_cache {
    ct_allocator *allocator;
    char *blob;                    // what was read, which names point into; NULL: nothing
    ct_stat_cache_entries entries; // in the order in which the last run asked for them
    uint32_t next;                 // what is likely to be asked for next
    uint32_t num_uses;
    ct_hash_map by_name; // name's hash to position + 1, of the first `num_mapped` entries
    uint32_t num_mapped; // grows when something is asked for out of order
    int64_t now_ns;      // by the wall clock, when the run began
    bool is_changed;
} ct_stat_cache;

// True when a file of this stamp that was read at `read_ns` has not changed since, as long as its
// stamp is the same: it was not changed so shortly before that a later change could bear the same
// time, nor read at a time that is still to come. Times by the wall clock.
bool ct_file_stamp_is_settled(ct_file_stamp stamp, int64_t read_ns, int64_t now_ns);

// Makes a cache of what the file `path` holds; empty when it is missing or damaged.
void ct_stat_cache_init(ct_stat_cache *cache, ct_allocator *a, const char *path);
void ct_stat_cache_free(ct_stat_cache *cache);

// Starts a run: entries that nobody asks for or sets are dropped by the next save.
void ct_stat_cache_begin(ct_stat_cache *cache);

// The content hash of the file called `name` in the state `stamp`; false when it is not known.
bool ct_stat_cache_find(ct_stat_cache *cache, const char *name, ct_file_stamp stamp,
                        uint64_t *hash);

// Notes that the content of `name` was known at `hashed_ns` (wall clock) to hash to `hash`.
void ct_stat_cache_set(ct_stat_cache *cache, const char *name, ct_file_stamp stamp, uint64_t hash,
                       int64_t hashed_ns);

// Writes the cache to `path` if anything changed. False with `error` when it cannot be written.
bool ct_stat_cache_save(ct_stat_cache *cache, const char *path, ct_error *error);
