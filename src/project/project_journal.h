// project_journal.h: makes a set of changes to the files of a project completely or not at all.
//
// All data needed to finish, with the new contents, is written to one file, `.cuttle/cache/journal`
// in the project, which a rename puts in place. Before the rename nothing has been changed. After
// it the changes will be made: if this process dies, by the next process that takes the project's
// lock (project_lock.h). The remaining work then needs no disk space, so a full disk is noticed
// before anything is changed: small files whose space is large enough are overwritten in place
// (source_overwrite.h; the journal also has their old contents), and all other new contents are
// staged in a folder beside the journal and renamed later. The journal is removed when everything
// is on the disk. For the file's format see docs/formats/journal.md; for the reasons,
// docs/decisions/0019.
//
// A path occurs only once in a set, so that changes can be made in any order and repeated. Edits
// that a person makes between a crash and the next command are kept and reported. The caller must
// hold the project's lock. Paths are project paths; the project's folder is an absolute path
// without links.
#pragma once
#include "foundation/container/array.h"
#include "foundation/os/path.h"

enum { CT_JOURNAL_VERSION = 2 };

// A change to one file. Only `from`: remove the file. Only `to`: create it. Both, and the same:
// replace its content. Both, and different: rename it.
typedef struct ct_journal_change {
    const char *from, *to;
    const char *content;    // new content of `to`; NULL: the unchanged content of `from` (a rename)
    uint64_t content_bytes; // in all less than 4 GB
    // The content of `from`, if the new content overwrites it in place; NULL: the new content is
    // staged and renamed. ct_journal_run sets it; leave it NULL when you make a set.
    const char *old_content;
    uint64_t old_bytes;
    uint64_t old_hash;      // ct_source_hash of `from`, needed if there is content or `to` is
                            // NULL; else 0
    uint32_t git_mode;      // of the entry in git's index to move from `from` to `to`; 0: no
                            // entry
    const char *git_object; // of that entry, in hexadecimal; NULL: no entry
} ct_journal_change;

// A set of changes. Does not own the strings and contents in it.
typedef struct ct_journal {
    CT_ARRAY(ct_journal_change) changes;
} ct_journal;

// Makes an empty set; `a` is a temp allocator.
void ct_journal_init(ct_journal *journal, ct_allocator *a);

// Returns the bytes of the journal's file, from `a`. NULL with `error` when it would be too large.
uint8_t *ct_journal_write(ct_allocator *a, const ct_journal *journal, uint64_t *size_bytes,
                          ct_error *error);

// Reads the bytes of a file (aligned to 16) into an empty `journal`; texts point into `bytes`.
// False with `error` when they are not a journal, are damaged, or have paths outside the project.
bool ct_journal_read(const void *bytes, uint64_t size_bytes, ct_journal *journal, ct_error *error);

// Returns whether a set is valid. False with `error` for a set that ct_journal_read would refuse.
bool ct_journal_check(const ct_journal *journal, ct_error *error);

// Returns whether a journal may have `path`: a relative path that is not too long, without empty or
// hidden parts (those that start with `.`) and without control characters.
bool ct_journal_path_is_good(const char *path);

// Makes the changes. False with `error`: nothing was changed or, when `*is_begun` is set, the
// journal stays and the next process that takes the lock continues. Refuses a set, and changes
// nothing, when the files are not as the set expects (other contents, files in the way, folders
// behind links that lead out of the project) or must not be written. `report` is as in
// ct_journal_finish.
bool ct_journal_run(ct_allocator *a, const char *project, const ct_journal *journal, bool *is_begun,
                    ct_string_array *report, ct_error *error);

// Returns whether there is a journal to finish.
bool ct_journal_is_there(const char *project);

// Finishes the changes in the journal of a project; does nothing when there is no journal. A
// damaged journal is renamed, and nothing else is changed. `report` gets lines that describe what
// was done and what a person should check, no lines when there was no journal; strings from `a`.
// Returns false with `error`, and keeps the journal, when it cannot be finished now.
bool ct_journal_finish(ct_allocator *a, const char *project, ct_string_array *report,
                       ct_error *error);
