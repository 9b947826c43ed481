// reference_update.h: an index of references in the making; shared by reference_index.c and
// reference_lost.c only.
#pragma once
#include "content/references/reference_index.h"
#include "foundation/container/hash_map.h"
#include "project/source_scan.h"

// A file that the walk found, while the new index is made.
typedef struct ct_update_file {
    ct_reference_file file; // its texts and mentions are in the update; strings are unset
    const char *problem;    // NULL: none
    uint32_t old;           // its number in the old index + 1; 0: it is new
    bool is_done;
} ct_update_file;

// A file that is lost, while the new index is made; see ct_reference_lost.
typedef struct ct_update_lost {
    ct_reference_lost lost; // its path is unset
    const char *path;
} ct_update_lost;

typedef CT_ARRAY(ct_update_lost) ct_update_lost_array;

typedef struct ct_reference_update {
    ct_allocator *allocator; // temporary
    ct_allocator *heap;
    const ct_reference_index *old; // NULL: none
    ct_scan scan;
    ct_update_file *files; // of the scan
    ct_mentions mentions;  // of the files that are done
    ct_u32_array queue;    // files that turned out to be GLSL
    // From what the project's files name (ct_content_name_key) to the lowest `written` of a file
    // that does.
    ct_hash_map named;
    ct_hash_map old_inodes;    // to the number of the project's file in the old index + 1
    ct_update_lost_array lost; // sorted by path
    uint32_t revision;         // of the new index
    uint32_t num_unread;       // media that were put off
    uint64_t media_bytes;      // that were read
    int64_t now_ns;
    bool is_changed;
} ct_reference_update;

// The number in the scan of the file that the walk found at a project path; UINT32_MAX: none.
uint32_t ct_reference_update_find(const ct_reference_update *u, const char *path);

// The lowest `written` of a file that names the file at a project path; 0: nothing does.
uint32_t ct_reference_named_since(const ct_reference_update *u, const char *path);

// Fills `lost` once all files are looked at.
void ct_reference_lost_find(ct_reference_update *u);
