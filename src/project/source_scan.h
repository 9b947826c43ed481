// source_scan.h: the files of a project and of core, and their content hashes.
//
// Hashes are worked out when first asked for, from the stat cache where it knows them. Paths are
// project paths; strings are from the scan's allocator, which frees them as a whole.
#pragma once
#include "project/project_setting.h"
#include "project/source_file.h"
#include "project/stat_cache.h"
#include "resource/types/resource_types.h"

typedef struct ct_scan_file {
    const char *path;
    const ct_resource_type *type; // of the resource that it is the source of; NULL: of none
    ct_file_stamp stamp;
    bool is_there;
    bool is_hashed;
    uint64_t hash; // 0: not there or not readable
} ct_scan_file;

typedef struct ct_scan {
    ct_allocator *allocator; // a temp allocator
    ct_allocator *heap;      // for file contents, freed at once
    ct_source_roots roots;
    ct_stat_cache *cache;
    CT_ARRAY(ct_scan_file) files;    // those found first, then those asked for
    uint32_t num_found, num_project; // the project's first, then core's; each sorted by path
    ct_hash_map by_path;             // path's hash to position + 1
    ct_string_array folder_links;    // symbolic links to folders, which the walk does not follow
    ct_string_array outside_links;   // those of the project that lead out of it
    ct_string_array broken_links;    // its links to nothing
    ct_string_array long_paths;      // its folders and sources whose paths are too long to be read
    ct_string_array odd_sources;     // pipes, sockets and devices named like sources
    ct_string_array capital_types; // its files whose types are those of sources but for their case
    ct_string_array unlisted;      // folders that cannot be listed
    bool has_core_folder;          // the project has files under `core/`, which cannot be reached
    ct_sjson *settings;            // of settings.config; NULL when it is missing or broken
    bool are_settings_bad;         // there, but broken
} ct_scan;

// Prepares a scan. Its memory comes from `a`, a temp allocator; `heap` is for what is freed at once.
// `cache` belongs to the caller, and may be empty.
void ct_scan_init(ct_scan *scan, ct_allocator *a, ct_allocator *heap, ct_source_roots roots,
                  ct_stat_cache *cache);

// Walks both folders and reads the settings. False with `error` when the project cannot be read.
bool ct_scan_folders(ct_scan *scan, ct_error *error);

// Adds a file, with the hash that it had, that nobody could look at: it lies in a folder that
// cannot be listed. Nothing happens when it is known. ct_scan_end_taking_unlisted puts those that
// were added to their places among the files found; until then no other function may be called.
void ct_scan_take_unlisted(ct_scan *scan, const char *path, uint64_t hash);
void ct_scan_end_taking_unlisted(ct_scan *scan);

// True for what lies in a folder that cannot be listed.
bool ct_scan_is_unlisted(const ct_scan *scan, const char *path);

// Takes over what the stat cache knows of the files found. Returns how many sources it does not
// know: about as many will have to be compiled.
uint32_t ct_scan_take_known(ct_scan *scan);

// The content hash of a file, or of a value of the settings; 0 when it is not
// there. Files that the walk passes over (hidden ones, those behind links to folders) are looked
// for; what else it did not find is not there, and costs no look at the disk.
uint64_t ct_scan_hash(ct_scan *scan, const char *path);

// The same of file number `i`.
uint64_t ct_scan_file_hash(ct_scan *scan, uint32_t i);

// Takes over the hash of a file that somebody else read after `read_ns` (wall clock), unless it is
// known already or `stamp`, the file's right before that, is not the one that was scanned. Returns
// the file with the hash that holds for the run, which also one that is not there gets for those
// who look for it next; valid until the scan next changes. NULL for a value of the settings.
const ct_scan_file *ct_scan_take_hash(ct_scan *scan, const char *path, ct_file_stamp stamp,
                                      uint64_t hash, int64_t read_ns);

// True for a value of settings that are broken just now: it counts as unchanged.
bool ct_scan_is_unknown(const ct_scan *scan, const char *path);

// Looks again at a file that may have changed since it was scanned.
void ct_scan_refresh(ct_scan *scan, const char *path);

// True when there is a file of this path.
bool ct_scan_has(const ct_scan *scan, const char *path);

// True when the walk found one, also when it is gone since, or cannot be read.
bool ct_scan_was_found(const ct_scan *scan, const char *path);
