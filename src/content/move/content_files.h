// content_files.h: the files of a project, with the mentions of those that matter to a change.
//
// The index of references (reference_index.h) says which files there are and which of them mention
// some names; only these are read, with the bytes that are to be changed. The project's lock is
// held, so that they are still the same when it is done.
#pragma once
#include "content/references/reference_index.h"

typedef struct ct_content_file {
    const char *path; // borrowed from the index
    ct_content_kind kind;
    bool is_import_record; // `<model>.import`: what an import wrote (docs/importing.md)
    char *text;            // of those that were read, followed by a zero byte; else NULL
    uint64_t bytes, hash;  // of the text; ct_source_hash
    uint32_t first_mention, num_mentions;
    const ct_error *problem; // why it cannot be read or parsed; NULL: it can
    bool is_parsed;
    bool may_mention; // there is a problem, and the file may mention what is searched for
} ct_content_file;

typedef struct ct_content_files {
    ct_allocator *allocator; // a temp allocator, of all but the index and the texts
    ct_allocator *heap;      // of these
    ct_source_roots roots;
    const ct_reference_index *index;
    CT_ARRAY(ct_content_file) items; // the project's files, sorted by path
    ct_mentions mentions;
} ct_content_files;

// Lists the files by the index, which is brought up to date. With `is_locked` the caller holds the
// project's lock. False with `error`. Free it in both cases.
bool ct_content_files_open(ct_content_files *files, ct_allocator *a, ct_allocator *heap,
                           const ct_source_roots *roots, bool is_locked, ct_error *error);
void ct_content_files_free(ct_content_files *files);

// Reads text and mentions of those files that mention a name which holds `word`, or wildcards; and
// of records of imports and of what cannot be parsed, where the text holds `name`, or that of a
// model, which names files by paths from its own folder, `word`. Those that cannot be parsed, or
// not even be read, `may_mention` it.
void ct_content_files_read(ct_content_files *files, const char *word, const char *name);

// The same of those that mention what is wanted, whether they can be parsed or not; and the text of
// all records of imports.
void ct_content_files_read_if(ct_content_files *files,
                              bool (*is_wanted)(const void *user, const ct_reference_mention *m,
                                                const char *name),
                              const void *user);

// Reads text and mentions of a file, whatever it holds, unless they are there already. What cannot
// be read or parsed has no mentions, but a problem.
void ct_content_files_parse(ct_content_files *files, ct_content_file *file);

// Reads the text of a file that has none yet. False with `error` when it cannot be read.
bool ct_content_files_read_text(ct_content_files *files, ct_content_file *file, ct_error *error);

// The file at a project path, or NULL.
ct_content_file *ct_content_files_find(const ct_content_files *files, const char *path);

// True when there is a file at this path, in the project or in core.
bool ct_content_files_have(const ct_content_files *files, const char *path);

// The path of file number `i` of the index, core's included, of which there are so many.
const char *ct_content_files_path(const ct_content_files *files, uint32_t i);
static inline uint32_t ct_content_files_count(const ct_content_files *files) {
    return files->index->files.count;
}

// Mention number `i` of a file.
static inline const ct_mention *ct_content_file_mention(const ct_content_files *files,
                                                        const ct_content_file *file, uint32_t i) {
    return &files->mentions.items.items[file->first_mention + i];
}
