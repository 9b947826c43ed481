// moved_files.h: finds files that were renamed without the tools.
//
// The index of references keeps what it knew of files that are lost (ct_reference_lost): content
// hash, inode, and when they were seen last. A file that came to its path since and has the same
// content is the lost one under another name; so is one that is the same file of the disk, whatever
// is in it by now. An inode alone proves nothing, as file systems give them again: but a file that
// had been made before the lost one was last seen with that inode is that one. Of what the index
// never saw, git may know: contents by the last commit, renames by the history.
//
// A file that is still there under the old name was copied, not moved, and a file of another type
// or extension is another thing.
#pragma once
#include "content/references/reference_graph.h"

// What speaks for a file to be the lost one; the more the later.
typedef enum ct_moved_evidence {
    CT_MOVED_EVIDENCE_NONE,
    // The same content, which proves nothing: it is empty, or other files have or had it, too.
    CT_MOVED_EVIDENCE_LIKE,
    CT_MOVED_EVIDENCE_GIT,     // git found that it was renamed
    CT_MOVED_EVIDENCE_EDITED,  // the same file of the disk, with another content
    CT_MOVED_EVIDENCE_CONTENT, // the same content, as no file had that was there before
    CT_MOVED_EVIDENCE_NAME,    // the same content and file name
    CT_MOVED_EVIDENCE_SAME,    // the same file of the disk with the same content
} ct_moved_evidence;

typedef struct ct_moved_file {
    const char *path; // that it went from
    // The best candidates, all of them equally good, sorted by path; none: it is nowhere.
    uint32_t first_candidate, num_candidates;
    ct_moved_evidence evidence; // that speaks for them
    // Not 0: it is displaced (ct_reference_lost). Only what has not changed since this revision of
    // the index means it by `path`.
    uint32_t displaced_in;
    ct_content_kind kind; // that it had; NONE where only git knows of it
} ct_moved_file;

// {0} is none. Strings are borrowed from the index or from the allocator.
typedef struct ct_moved_files {
    ct_allocator *allocator; // a temp allocator
    CT_ARRAY(ct_moved_file) files;
    CT_ARRAY(const char *) candidates; // paths
} ct_moved_files;

// Finds the files that the index lost, and of which something is still named, and asks git about
// references of `graph` that are missing beside them. Reads media that came since and are as large
// as lost ones. Memory comes from `a`, a temp allocator, texts are read to `heap`.
void ct_moved_files_find(ct_moved_files *moved, ct_allocator *a, ct_allocator *heap,
                         const ct_reference_graph *graph);

// Whether a file could have got the other path: type or extension stay.
bool ct_moved_is_same_kind(const char *a, const char *b);
