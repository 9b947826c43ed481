// project_journal.h: a set of changes to the files of a project that happens wholly or not at all.
//
// Everything that is needed to finish, new contents included, is written to one file,
// `.cuttle/cache/journal` of the project, which comes into being by a rename: before that nothing
// has been changed, from then on the changes will be made, by whoever takes the project's lock next
// when this process does not live to do it (project_lock.h). What is left to do by then needs no
// room on the disk, so that a full one is met before anything is changed: small files that have the
// room are written over in place (source_overwrite.h; the journal has their old contents, too), all
// other new contents are staged in a folder beside the journal, to be renamed. The journal is
// removed when all is on the disk. The file's format: docs/formats/journal.md; why so:
// docs/decisions/0019.
//
// No path is named twice in a set, so that changes can be made in any order and again. What a
// person edits between a crash and the next command stays, and is told.
// Who calls holds the project's lock. Paths are project paths; the project's folder is absolute and
// without links.
#pragma once
#include "foundation/container/array.h"
#include "foundation/os/path.h"

enum { CT_JOURNAL_VERSION = 2 };

// What happens to one file. `from` alone: it is removed; `to` alone: it is made; both and the same:
// its content is replaced; both and different: it is renamed.
typedef struct ct_journal_change {
    const char *from, *to;
    const char *content;    // that `to` gets; NULL: that of `from`, as it is (a rename)
    uint64_t content_bytes; // in all less than 4 GB
    // What `from` holds, when the content is written over it; NULL: it is renamed to its place.
    // ct_journal_run finds out; who makes a set leaves it.
    const char *old_content;
    uint64_t old_bytes;
    uint64_t old_hash;      // ct_source_hash of `from`, where it must be known: where there is
                            // content, or `to` is NULL; else 0
    uint32_t git_mode;      // of the entry that `from` has in git's index and `to` is to have;
                            // 0: it has none
    const char *git_object; // of that entry, in hexadecimal; NULL: none
} ct_journal_change;

// Owns nothing: strings live as long as whoever made them says.
typedef struct ct_journal {
    CT_ARRAY(ct_journal_change) changes;
} ct_journal;

// Makes an empty set; `a` is a temp allocator.
void ct_journal_init(ct_journal *journal, ct_allocator *a);

// The journal as a file holds it, from `a`. NULL with `error` when it would be too large.
uint8_t *ct_journal_write(ct_allocator *a, const ct_journal *journal, uint64_t *size_bytes,
                          ct_error *error);

// Reads what a file holds (aligned to 16) into an empty `journal`; texts point into `bytes`. False
// with `error` when that is no journal, or damaged, or leads out of the project.
bool ct_journal_read(const void *bytes, uint64_t size_bytes, ct_journal *journal, ct_error *error);

// False with `error` when a set cannot be one: what ct_journal_read refuses.
bool ct_journal_check(const ct_journal *journal, ct_error *error);

// True when `path` can be one of a journal: a relative path without empty or hidden parts (those
// that start with `.`) or control characters, that fits.
bool ct_journal_path_is_good(const char *path);

// Makes the changes. False with `error`: nothing was changed, or, when `*is_begun` is set, the
// journal stays and the next to take the lock goes on. Refused, with nothing changed, is what no
// longer is as the set says (contents, files that are in the way, folders behind links that lead
// out of the project), and what may not be written. `report` is as in ct_journal_finish.
bool ct_journal_run(ct_allocator *a, const char *project, const ct_journal *journal, bool *is_begun,
                    ct_string_array *report, ct_error *error);

// True when a journal waits to be finished.
bool ct_journal_is_there(const char *project);

// Finishes what the journal of a project says; nothing happens when there is none. A journal that
// is damaged is renamed, and nothing else is changed. `report` gets lines that say what was done
// and what a person should look at, empty when there was no journal; strings from `a`. False with
// `error` when it cannot be finished now; the journal stays.
bool ct_journal_finish(ct_allocator *a, const char *project, ct_string_array *report,
                       ct_error *error);
