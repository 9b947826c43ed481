#include "content/move/content_files.h"

#include <string.h>

#include "foundation/error.h"
#include "foundation/os/file.h"

bool ct_content_files_open(ct_content_files *files, ct_allocator *a, ct_allocator *heap,
                           const ct_source_roots *roots, bool is_locked, ct_error *error) {
    *files = (ct_content_files){.allocator = a, .heap = heap, .roots = *roots};
    ct_array_init(&files->items, a);
    ct_mentions_init(&files->mentions, heap);
    const ct_reference_index_desc desc = {
        .allocator = heap, .project = roots->project, .core = roots->core, .is_locked = is_locked};
    files->index = ct_reference_index_update(&desc, error);
    if (!files->index)
        return false;
    ct_array_resize(&files->items, files->index->num_project);
    for (uint32_t i = 0; i < files->items.count; ++i) {
        const char *const path = ct_content_files_path(files, i);
        files->items.items[i] = (ct_content_file){
            .path = path,
            .kind = (ct_content_kind)ct_reference_files(files->index)[i].kind,
            .is_import_record = strcmp(ct_path_extension(path), "import") == 0,
        };
    }
    return true;
}

void ct_content_files_free(ct_content_files *files) {
    for (uint32_t i = 0; i < files->items.count; ++i)
        ct_free(files->heap, files->items.items[i].text);
    ct_mentions_free(&files->mentions);
    ct_free(files->heap, (void *)(uintptr_t)files->index);
}

const char *ct_content_files_path(const ct_content_files *files, uint32_t i) {
    return ct_reference_text(files->index, ct_reference_files(files->index)[i].path);
}

bool ct_content_files_have(const ct_content_files *files, const char *path) {
    return ct_reference_index_find(files->index, path) != UINT32_MAX;
}

ct_content_file *ct_content_files_find(const ct_content_files *files, const char *path) {
    const uint32_t i = ct_reference_index_find(files->index, path);
    return i < files->items.count ? &files->items.items[i] : NULL;
}

// --- Reading -------------------------------------------------------------------------------------

bool ct_content_files_read_text(ct_content_files *files, ct_content_file *file, ct_error *error) {
    ct_source_content content;
    if (file->text)
        return true;
    file->text = ct_source_read(files->heap, &files->roots, file->path, &content, error);
    file->bytes = content.size_bytes;
    file->hash = content.hash;
    return file->text != NULL;
}

static void keep_problem(ct_content_files *files, ct_content_file *file, const ct_error *error) {
    ct_error *const kept = CT_NEW(files->allocator, ct_error);
    *kept = *error;
    file->problem = kept;
}

void ct_content_files_parse(ct_content_files *files, ct_content_file *file) {
    ct_error error = {0};
    if (file->is_parsed || file->kind == CT_CONTENT_KIND_NONE)
        return;
    file->is_parsed = true;
    file->first_mention = files->mentions.items.count;
    if (!ct_content_files_read_text(files, file, &error) ||
        !ct_content_references_read(files->heap, file->kind, file->path, file->text, file->bytes,
                                    &files->mentions, &error))
        keep_problem(files, file, &error);
    file->num_mentions = files->mentions.items.count - file->first_mention;
}

static bool mentions_word(const ct_content_files *files, const ct_reference_file *file,
                          const char *word) {
    const ct_reference_mention *const mentions =
        ct_reference_mentions(files->index) + file->first_mention;
    for (uint32_t i = 0; i < file->num_mentions; ++i)
        if (mentions[i].kind == CT_MENTION_KIND_PATTERN ||
            strstr(ct_reference_text(files->index, mentions[i].name), word))
            return true;
    return false;
}

// What cannot be read may say what it said last, or anything when nobody ever read it.
static bool may_have_said(ct_content_files *files, ct_content_file *file,
                          const ct_reference_file *known, const char *word, const ct_error *error) {
    keep_problem(files, file, error);
    return known->num_mentions == 0 || mentions_word(files, known, word);
}

// Reads a file by its text, where that holds what is looked for.
static void read_by_text(ct_content_files *files, ct_content_file *file,
                         const ct_reference_file *known, const char *word, const char *name) {
    ct_error error = {0};
    const char *const wanted = ct_content_kind_is_relative(file->kind) ? word : name;
    if (!ct_content_files_read_text(files, file, &error)) {
        file->may_mention = may_have_said(files, file, known, word, &error);
    } else if (memmem(file->text, file->bytes, wanted, strlen(wanted))) {
        ct_content_files_parse(files, file);
        file->may_mention = file->problem != NULL;
    } else {
        ct_free(files->heap, file->text);
        file->text = NULL;
    }
}

void ct_content_files_read(ct_content_files *files, const char *word, const char *name) {
    for (uint32_t i = 0; i < files->items.count; ++i) {
        ct_content_file *const file = &files->items.items[i];
        const ct_reference_file *const known = &ct_reference_files(files->index)[i];
        if (file->is_import_record || known->problem.bytes > 0)
            read_by_text(files, file, known, word, name);
        else if (mentions_word(files, known, word))
            ct_content_files_parse(files, file);
    }
}

void ct_content_files_read_if(ct_content_files *files,
                              bool (*is_wanted)(const void *user, const ct_reference_mention *m,
                                                const char *name),
                              const void *user) {
    for (uint32_t i = 0; i < files->items.count; ++i) {
        const ct_reference_file *const known = &ct_reference_files(files->index)[i];
        const ct_reference_mention *const mentions =
            ct_reference_mentions(files->index) + known->first_mention;
        uint32_t k = 0;
        while (k < known->num_mentions &&
               !is_wanted(user, &mentions[k], ct_reference_text(files->index, mentions[k].name)))
            ++k;
        if (k < known->num_mentions)
            ct_content_files_parse(files, &files->items.items[i]);
        else if (files->items.items[i].is_import_record)
            ct_content_files_read_text(files, &files->items.items[i], NULL);
    }
}
