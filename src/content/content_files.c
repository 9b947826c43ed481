#include "content/content_files.h"

#include <string.h>

#include "foundation/error.h"
#include "foundation/file.h"

bool ct_content_files_scan(ct_content_files *files, ct_allocator *a, ct_allocator *heap,
                           const ct_source_roots *roots, ct_error *error) {
    *files = (ct_content_files){
        .allocator = a, .heap = heap, .roots = *roots, .by_path = {.allocator = a}};
    ct_stat_cache_init(&files->cache, heap, "");
    ct_stat_cache_begin(&files->cache);
    ct_array_init(&files->items, a);
    ct_mentions_init(&files->mentions, heap);
    ct_scan *const scan = &files->scan;
    *scan = (ct_scan){.allocator = a,
                      .heap = heap,
                      .roots = *roots,
                      .cache = &files->cache,
                      .by_path = {.allocator = a}};
    ct_array_init(&scan->files, a);
    ct_string_array *const lists[] = {
        &scan->folder_links, &scan->outside_links, &scan->broken_links, &scan->long_paths,
        &scan->odd_sources,  &scan->capital_types, &scan->unlisted};
    for (uint32_t i = 0; i < CT_COUNT_OF(lists); ++i)
        ct_array_init(lists[i], a);
    if (!ct_scan_folders(scan, error))
        return false;
    ct_array_resize(&files->items, scan->num_project);
    for (uint32_t i = 0; i < scan->num_project; ++i) {
        const char *const path = scan->files.items[i].path;
        ct_hash_map_set(&files->by_path, ct_string_id64_of(path).value, i + 1);
        files->items.items[i] = (ct_content_file){
            .path = path,
            .kind = ct_content_kind_of(path),
            .is_import_record = strcmp(ct_path_extension(path), "import") == 0,
        };
    }
    return true;
}

void ct_content_files_free(ct_content_files *files) {
    for (uint32_t i = 0; i < files->items.count; ++i)
        ct_free(files->heap, files->items.items[i].text);
    ct_mentions_free(&files->mentions);
    ct_stat_cache_free(&files->cache);
}

ct_content_file *ct_content_files_find(const ct_content_files *files, const char *path) {
    const uint64_t at = ct_hash_map_get(&files->by_path, ct_string_id64_of(path).value, 0);
    const bool is_file = at > 0 && strcmp(files->items.items[at - 1].path, path) == 0;
    return is_file ? &files->items.items[at - 1] : NULL;
}

bool ct_content_files_read_text(ct_content_files *files, ct_content_file *file, ct_error *error) {
    ct_source_content content;
    char place[CT_PATH_BYTES];
    if (file->text)
        return true;
    // The walk follows no links to folders: what is no link itself lies where it seems to.
    ct_path_join(place, files->roots.project, file->path);
    const ct_file_info info = ct_os_file_info(place);
    if (info.kind == CT_FILE_KIND_FILE && !info.is_link) {
        file->text = ct_file_read(files->heap, place, &file->bytes, error);
        file->hash = file->text ? ct_source_hash(file->text, file->bytes) : 0;
        return file->text != NULL;
    }
    file->text = ct_source_read(files->heap, &files->roots, file->path, &content, error);
    file->bytes = content.size_bytes;
    file->hash = content.hash;
    return file->text != NULL;
}

// --- Reading -------------------------------------------------------------------------------------

static bool holds_any(const ct_content_file *file, const char *const *words, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i)
        if (memmem(file->text, file->bytes, words[i], strlen(words[i])))
            return true;
    return false;
}

static bool is_shader(const ct_content_file *file) {
    return strcmp(ct_path_extension(file->path), "shader") == 0;
}

// Patterns have no word in common with what they match; shaders say which other files are GLSL.
static bool is_always_parsed(const ct_content_file *file) {
    return strcmp(ct_path_extension(file->path), "package") == 0 || is_shader(file) ||
           file->kind == CT_CONTENT_KIND_GLSL;
}

static void parse(ct_content_files *files, ct_content_file *file) {
    ct_error error = {0};
    file->is_parsed = true;
    file->first_mention = files->mentions.items.count;
    if (!ct_content_references_read(files->heap, file->kind, file->path, file->text, file->bytes,
                                    &files->mentions, &error)) {
        ct_error *const kept = CT_NEW(files->allocator, ct_error);
        *kept = error;
        file->problem = kept;
    }
    file->num_mentions = files->mentions.items.count - file->first_mention;
}

void ct_content_files_parse(ct_content_files *files, ct_content_file *file) {
    if (!file->is_parsed && file->kind != CT_CONTENT_KIND_NONE &&
        ct_content_files_read_text(files, file, NULL))
        parse(files, file);
}

static void forget_text(ct_content_files *files, ct_content_file *file) {
    ct_free(files->heap, file->text);
    file->text = NULL;
    file->bytes = file->hash = 0;
    file->is_parsed = false;
}

// Text that cannot be parsed matters when it holds a word, all else also when it has escapes.
static void read_file(ct_content_files *files, ct_content_file *file, const char *const *words,
                      uint32_t count) {
    if (file->text || !ct_content_files_read_text(files, file, NULL))
        return;
    const bool is_held = holds_any(file, words, count);
    if (!is_held && !is_always_parsed(file) && !memchr(file->text, '\\', file->bytes)) {
        forget_text(files, file);
        return;
    }
    parse(files, file);
    if (file->problem && !is_held)
        file->problem = NULL;
    if (file->num_mentions == 0 && !is_held)
        forget_text(files, file);
}

// What shaders and files that they include name is GLSL, whatever it is called.
static void read_included(ct_content_files *files, const ct_content_file *file,
                          const char *const *words, uint32_t count) {
    for (uint32_t i = 0; i < file->num_mentions; ++i) {
        const ct_mention *const m = ct_content_file_mention(files, file, i);
        ct_content_file *const included =
            m->kind == CT_MENTION_KIND_MEDIA
                ? ct_content_files_find(files, ct_mention_name(&files->mentions, m))
                : NULL;
        if (!included || included->kind != CT_CONTENT_KIND_NONE)
            continue; // or it was read already
        included->kind = CT_CONTENT_KIND_GLSL;
        read_file(files, included, words, count);
        read_included(files, included, words, count);
    }
}

void ct_content_files_read(ct_content_files *files, const char *const *words, uint32_t count) {
    for (uint32_t i = 0; i < files->items.count; ++i) {
        ct_content_file *const file = &files->items.items[i];
        if (file->kind != CT_CONTENT_KIND_NONE || file->is_import_record)
            read_file(files, file, words, count);
    }
    for (uint32_t i = 0; i < files->items.count; ++i)
        if (is_shader(&files->items.items[i]))
            read_included(files, &files->items.items[i], words, count);
}
