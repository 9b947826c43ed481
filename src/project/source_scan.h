// source_scan.h: the files of a project and of core, and their content hashes.
//
// Hashes are computed on the first request, or come from the stat cache if it has them. Paths are
// project paths. Strings are from the scan's allocator, which frees them all together.
#pragma once
#include "project/project_setting.h"
#include "project/source_file.h"
#include "project/stat_cache.h"
#include "resource/types/resource_types.h"

typedef struct ct_scan_file {
    const char *path;
    const ct_resource_type *type; // of the resource whose source it is; NULL: of no resource
    ct_file_stamp stamp;
    bool is_there;
    bool is_hashed;
    uint64_t hash; // 0: missing or not readable
} ct_scan_file;

// A component type of a plugin.
typedef struct ct_scan_component {
    const char *name;
    uint64_t hash; // of its schema
} ct_scan_component;

typedef struct ct_scan {
    ct_allocator *allocator; // a temp allocator
    ct_allocator *heap;      // for file contents, which are freed right after use
    ct_source_roots roots;
    ct_stat_cache *cache;
    CT_ARRAY(ct_scan_file) files;    // first those that the walk found, then those requested
    uint32_t num_found, num_project; // first the project's, then core's; both sorted by path
    ct_hash_map by_path;             // hash of the path to index + 1
    ct_string_array folder_links;    // symbolic links to folders; the walk does not follow them
    ct_string_array outside_links;   // the project's links that lead out of it
    ct_string_array broken_links;    // the project's links without a target
    ct_string_array long_paths;      // the project's folders and sources with too long paths
    ct_string_array odd_sources;     // pipes, sockets and devices with names of sources
    ct_string_array capital_types;   // the project's files with capitals in a source's type
    ct_string_array unlisted;        // folders that cannot be listed
    bool has_core_folder;            // the project has files under `core/`, which no path reaches
    ct_sjson *settings;              // of settings.config; NULL when it is missing or broken
    bool are_settings_bad;           // the file exists but is broken
    bool are_settings_read;
    const ct_scan_component *components; // of plugins; set by the caller
    uint32_t num_components;
} ct_scan;

// Prepares a scan. Its memory comes from `a`, a temp allocator; `heap` is for memory that is freed
// right after use. `cache` belongs to the caller and may be empty.
void ct_scan_init(ct_scan *scan, ct_allocator *a, ct_allocator *heap, ct_source_roots roots,
                  ct_stat_cache *cache);

// Reads the settings, before the folders: plugins that they name add types of sources.
void ct_scan_read_settings(ct_scan *scan);

// Walks both folders, and reads the settings unless that was done. False with `error` when the project cannot be read.
bool ct_scan_folders(ct_scan *scan, ct_error *error);

// Adds a file that the scan cannot see, because its folder cannot be listed, with its last known
// hash. Does nothing when the scan already has the file. ct_scan_end_taking_unlisted sorts the
// added files into the files found; until then call only these two functions.
void ct_scan_take_unlisted(ct_scan *scan, const char *path, uint64_t hash);
void ct_scan_end_taking_unlisted(ct_scan *scan);

// Returns whether `path` is in a folder that cannot be listed.
bool ct_scan_is_unlisted(const ct_scan *scan, const char *path);

// Takes the hashes of the files found from the stat cache. Returns the number of sources that it
// does not have: about as many must be compiled.
uint32_t ct_scan_take_known(ct_scan *scan);

// Returns the content hash of a file, of a value of the settings, of a component type of a plugin
// (source_component.h), or of a list of variants (source_variants.h), which is read from the disk; 0
// when it does not exist.
// Looks on the disk for files that the walk skips (hidden ones, and those behind links to folders).
// Other files that the walk did not find do not exist, and need no access to the disk.
uint64_t ct_scan_hash(ct_scan *scan, const char *path);

// Returns the content hash of file number `i`.
uint64_t ct_scan_file_hash(ct_scan *scan, uint32_t i);

// Takes the hash of a file that another process read after `read_ns` (wall clock), unless the hash
// is already known or `stamp`, the file's stamp just before that, is not the scanned one. Returns
// the file with the hash that is valid for the run; a missing file is added too, for later
// look-ups. Valid until the scan next changes. NULL for what is no file.
const ct_scan_file *ct_scan_take_hash(ct_scan *scan, const char *path, ct_file_stamp stamp,
                                      uint64_t hash, int64_t read_ns);

// Returns whether `path` is a value of settings that are broken at the moment: it counts as
// unchanged.
bool ct_scan_is_unknown(const ct_scan *scan, const char *path);

// Reads the state of a file again, which may have changed since it was scanned.
void ct_scan_refresh(ct_scan *scan, const char *path);

// Returns whether there is a file with this path.
bool ct_scan_has(const ct_scan *scan, const char *path);

// Returns whether the walk found a file with this path, even if it no longer exists or cannot be
// read.
bool ct_scan_was_found(const ct_scan *scan, const char *path);
