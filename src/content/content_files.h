// content_files.h: the files of a project, and what those mention that matter to a change.
//
// Who renames wants to know who names a few things, and what exactly these files hold just then.
// So files are read anew rather than looked up: one that does not hold the names that are looked
// for is passed over before it is parsed, which nearly all are. The project's lock is held.
#pragma once
#include "content/content_references.h"
#include "project/source_scan.h"

typedef struct ct_content_file {
    const char *path;
    ct_content_kind kind;
    bool is_import_record; // `<model>.import`: what an import wrote (docs/importing.md)
    char *text;            // of those that were found, followed by a zero byte; else NULL
    uint64_t bytes, hash;  // of the text; ct_source_hash
    uint32_t first_mention, num_mentions;
    const ct_error *problem; // why it cannot be parsed; NULL: it can
    bool is_parsed;
} ct_content_file;

typedef struct ct_content_files {
    ct_allocator *allocator; // a temp allocator, of all but the texts
    ct_allocator *heap;      // of the texts
    ct_source_roots roots;
    ct_stat_cache cache; // an empty one: nothing is hashed by the scan
    ct_scan scan;
    CT_ARRAY(ct_content_file) items; // the project's files, as the scan has them: sorted by path
    ct_hash_map by_path;             // of a path's hash to position + 1
    ct_mentions mentions;
} ct_content_files;

// Scans the folders; nothing is read yet. False with `error`. Free it in both cases.
bool ct_content_files_scan(ct_content_files *files, ct_allocator *a, ct_allocator *heap,
                           const ct_source_roots *roots, ct_error *error);
void ct_content_files_free(ct_content_files *files);

// Reads the files, and fills text and mentions of those that may mention one of the `count` words:
// packages, shaders, and what holds one as it is, or behind an escape. Words are what every mention
// of the thing looked for begins with, or for a path from a file's folder ends with. Once.
void ct_content_files_read(ct_content_files *files, const char *const *words, uint32_t count);

// Fills text and mentions of a file, whatever it holds, unless they are there already. What cannot
// be read has no mentions.
void ct_content_files_parse(ct_content_files *files, ct_content_file *file);

// The file at a project path, or NULL.
ct_content_file *ct_content_files_find(const ct_content_files *files, const char *path);

// Reads the text of a file that has none yet. False with `error` when it cannot be read.
bool ct_content_files_read_text(ct_content_files *files, ct_content_file *file, ct_error *error);

// Mention number `i` of a file.
static inline const ct_mention *ct_content_file_mention(const ct_content_files *files,
                                                        const ct_content_file *file, uint32_t i) {
    return &files->mentions.items.items[file->first_mention + i];
}
