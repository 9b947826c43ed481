// reference_index.h: everything that the files of a project and of core mention, kept on disk.
//
// One blob, `PROJECT/.cuttle/cache/references`: files, sorted by path, the project's before core's;
// the mentions of all of them, those of a file together; files that are lost, sorted by path;
// texts, each once. It is used without conversion. A file whose size, times and inode are as before
// is not read again, one whose content hash is as before not looked through again; so an idle
// update costs a walk over the folders. Of media, only those that something names are hashed, and
// of these not more in one update than takes a moment. The blob is a cache: damaged, of another
// version, or of a program whose schemas or signatures differ, it is as if it were not there. Files
// are those of source_scan.h. Format: docs/formats/references.md.
//
// Every update that finds a change counts the revision up. The revisions in which files
// came, changed and were lost later show what was renamed without the tools (moved_files.h).
#pragma once
#include "content/references/content_references.h"
#include "project/source_file.h"
#include "resource/blob/blob.h"

enum {
    CT_REFERENCE_INDEX_VERSION = 2,
    CT_REFERENCE_MOST_LOST = 16384,                   // lost files that are kept
    CT_REFERENCE_MOST_MEDIA_BYTES = 64 * 1024 * 1024, // larger media are not read
};
#define CT_REFERENCE_INDEX_TYPE "reference_index"
#define CT_REFERENCE_INDEX_FILE ".cuttle/cache/references"

// A place where a file names something: ct_mention as it is stored.
typedef struct ct_reference_mention {
    uint8_t kind, flags;   // of ct_mention
    uint16_t type;         // number of the resource type + 1; 0: none
    ct_blob_string name;   // in the texts
    uint32_t line, column; // for people, from 1
    uint32_t begin, end;   // bytes of the file that say the name
} ct_reference_mention;

typedef struct ct_reference_file {
    ct_blob_string path; // project path
    uint32_t kind;       // ct_content_kind; NONE: it was never read
    uint32_t first_mention, num_mentions;
    // What is wrong with its text, or that it cannot be read; empty: nothing. The mentions are then
    // those of the last content that was good, if there was one, and not of the bytes there are.
    uint32_t problem_line, problem_column;
    ct_blob_string problem;
    uint32_t appeared;   // revision of the index that first had it
    ct_file_stamp stamp; // of what was read
    uint64_t hash;       // content hash (ct_source_content); 0: it was not read
    int64_t read_ns;     // wall clock
    uint32_t changed;    // revision of the index that first had its content; `appeared` or later
    // Revision of the index that first had its content in this file of the disk, whatever it was
    // called then: before `changed` when it was renamed since, else that.
    uint32_t written;
} ct_reference_file;

// A file of the project that went from its path while others name it by that, as it was last seen.
// It stays in the index until it comes back, another takes its place, or nothing names it; what
// only GLSL named that is lost itself, as long as that is: nothing identifies that text as GLSL
// meanwhile.
typedef struct ct_reference_lost {
    ct_blob_string path;
    uint32_t revision; // of the index that first lacked it
    // 1: there is a file at the path, which is another one of before, by the content of one that
    // was lost or changed, or by the disk: they were renamed in a chain or a circle. Only what was
    // written before `revision` still means this one by the path. 0: there is none.
    uint16_t is_displaced;
    uint16_t kind; // ct_content_kind
    ct_file_stamp stamp;
    uint64_t hash;   // content hash; 0: not known
    int64_t seen_ns; // wall clock: it was at its path then; 0: not known
} ct_reference_lost;

typedef struct ct_reference_index {
    ct_blob_header header;
    uint64_t environment;   // hash of what defines where references are
    ct_blob_array files;    // ct_reference_file
    ct_blob_array mentions; // ct_reference_mention
    ct_blob_array lost;     // ct_reference_lost
    uint32_t num_project;   // files that are the project's; then come core's
    uint32_t revision;      // from 1
    uint32_t num_unread;    // media that are still to be hashed: this time there were too many
    uint32_t padding;
} ct_reference_index;

// --- Looking at it -------------------------------------------------------------------------------

// The arrays of an index, and the text of a string in it; borrowed from the index.
static inline const ct_reference_file *ct_reference_files(const ct_reference_index *index) {
    return (const ct_reference_file *)ct_blob_at(index, index->files.offset);
}
static inline const ct_reference_mention *ct_reference_mentions(const ct_reference_index *index) {
    return (const ct_reference_mention *)ct_blob_at(index, index->mentions.offset);
}
static inline const ct_reference_lost *ct_reference_lost_files(const ct_reference_index *index) {
    return (const ct_reference_lost *)ct_blob_at(index, index->lost.offset);
}
static inline const char *ct_reference_text(const ct_reference_index *index, ct_blob_string text) {
    return (const char *)ct_blob_at(index, text.offset);
}

// The resource type of a mention, or NULL.
const ct_resource_type *ct_reference_type(const ct_reference_mention *mention);

// The number of the file at a project path; UINT32_MAX when there is none. Logarithmic.
uint32_t ct_reference_index_find(const ct_reference_index *index, const char *path);

// The order of the files: the project's before core's, both by strcmp.
int ct_reference_compare_paths(const char *a, const char *b);

// Checks `size_bytes` (aligned to 16) that should be an index of this program: header, every offset
// and number. NULL with `error`.
const ct_reference_index *ct_reference_index_check(const void *bytes, uint64_t size_bytes,
                                                   ct_error *error);

// --- Bringing it up to date ----------------------------------------------------------------------

typedef struct ct_reference_index_desc {
    ct_allocator *allocator;
    const char *project; // the folder, absolute and without links
    const char *core;    // likewise; NULL: nothing lies under `core/`
    // As of ct_project_lock_desc, for the project's lock, which is held meanwhile. Where the lock
    // cannot be had, since the project cannot be written, the index is made and not saved.
    void (*waiting)(void *user, int64_t process);
    bool (*is_cancelled)(void *user);
    void *user;
    bool is_locked; // the caller holds the lock already
} ct_reference_index_desc;

// Reads the project's index, looks at what changed since, and saves it if anything did. From
// `allocator` (freed with ct_free). NULL with `error` when the project cannot be read, or waiting
// was cancelled. One thread at a time.
const ct_reference_index *ct_reference_index_update(const ct_reference_index_desc *desc,
                                                    ct_error *error);
