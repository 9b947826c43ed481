#include "content/move/content_move_import.h"

#include <stdio.h>
#include <string.h>

#include "content/move/name_spelling.h"
#include "content/references/sjson_references.h"
#include "foundation/sjson/sjson_tokens.h"
#include "foundation/string/utf8.h"

// A record that is being read. Offsets in the document count from behind a byte order mark.
typedef struct record {
    ct_allocator *allocator;
    const ct_move_set *set;
    const ct_content_file *file;
    const ct_sjson *doc;
    ct_patch_array *patches;
} record;

static const char *spelled(const record *r, const char *name) {
    return ct_name_spell(r->allocator, CT_CONTENT_KIND_SOURCE, '"', name);
}

static void patch_path(const record *r, ct_sjson_value v) {
    const char *const path = ct_sjson_string(r->doc, v, "");
    const ct_move_file *const file = ct_move_set_file(r->set, path);
    if (!file || !file->to)
        return;
    ct_patch patch = {.text = spelled(r, file->to)};
    ct_sjson_references_span(r->doc, r->file->text, r->file->bytes, v, &patch.begin, &patch.end);
    ct_array_push(r->patches, patch);
}

// The skeleton that clips are for: the name of a resource.
static void patch_skeleton(const record *r, ct_sjson_value v) {
    const ct_resource_type *const type = ct_resource_type_named("skeleton");
    const ct_move_name *const name = ct_move_set_name(r->set, type, ct_sjson_string(r->doc, v, ""));
    if (!name || !name->to)
        return;
    ct_patch patch = {.text = spelled(r, name->to)};
    ct_sjson_references_span(r->doc, r->file->text, r->file->bytes, v, &patch.begin, &patch.end);
    ct_array_push(r->patches, patch);
}

// The bytes of a container with its braces.
static uint32_t container_end(const char *text, uint32_t bytes, uint32_t begin) {
    ct_sjson_tokenizer tokens = {.text = text, .size_bytes = bytes, .at = begin};
    ct_sjson_token token = {0};
    ct_error error;
    uint32_t depth = 0;
    do {
        if (!ct_sjson_tokenizer_next(&tokens, &token, &error))
            return begin;
        depth += token.kind == CT_SJSON_TOKEN_KIND_OPEN_OBJECT ||
                 token.kind == CT_SJSON_TOKEN_KIND_OPEN_ARRAY;
        depth -= token.kind == CT_SJSON_TOKEN_KIND_CLOSE_OBJECT ||
                 token.kind == CT_SJSON_TOKEN_KIND_CLOSE_ARRAY;
    } while (depth > 0 && token.kind != CT_SJSON_TOKEN_KIND_END);
    return token.end;
}

// `wrote` is the text of a source of the type that `path` says.
static void patch_wrote(const record *r, const char *path, ct_sjson_value wrote) {
    const uint32_t shift = ct_utf8_mark_bytes(r->file->text, r->file->bytes);
    const char *const text = r->file->text + shift;
    if (ct_sjson_type_of(r->doc, wrote) != CT_SJSON_TYPE_OBJECT || !ct_content_type_of(path))
        return;
    const uint32_t begin = ct_sjson_entry_of(r->doc, wrote)->source;
    const uint32_t end = container_end(text, (uint32_t)r->file->bytes - shift, begin);
    ct_mentions mentions;
    ct_error error;
    ct_mentions_init(&mentions, r->allocator);
    if (!ct_content_references_read(r->allocator, CT_CONTENT_KIND_SOURCE, path, text + begin,
                                    end - begin, &mentions, &error))
        return;
    for (uint32_t i = 0; i < mentions.items.count; ++i) {
        const ct_mention *const m = &mentions.items.items[i];
        const ct_move_name *const name =
            ct_move_set_name(r->set, m->type, ct_mention_name(&mentions, m));
        if (m->kind <= CT_MENTION_KIND_MEDIA && m->kind != CT_MENTION_KIND_PATTERN && name &&
            name->to)
            ct_array_push(r->patches, (ct_patch){.begin = m->begin + begin + shift,
                                                 .end = m->end + begin + shift,
                                                 .text = spelled(r, name->to)});
    }
}

bool ct_move_import_patches(ct_allocator *a, const ct_move_set *set, const ct_content_file *file,
                            ct_patch_array *patches, ct_error *error) {
    const ct_sjson *const doc = ct_sjson_parse(a, file->text, file->bytes, file->path, NULL, error);
    const record r = {a, set, file, doc, patches};
    if (!doc)
        return false;
    const ct_sjson_value root = ct_sjson_root(doc), files = ct_sjson_find(doc, root, "files");
    patch_path(&r, ct_sjson_find(doc, root, "model"));
    patch_skeleton(&r, ct_sjson_find(doc, root, "skeleton"));
    for (ct_sjson_value v = ct_sjson_first(doc, files); v.entry; v = ct_sjson_next(doc, v)) {
        const ct_sjson_value path = ct_sjson_find(doc, v, "path");
        patch_path(&r, path);
        patch_wrote(&r, ct_sjson_string(doc, path, ""), ct_sjson_find(doc, v, "wrote"));
    }
    return true;
}

// The length of a path without its extension.
static int stem_length(const char *path) {
    const char *const extension = ct_path_extension(path);
    return (int)(strlen(path) - strlen(extension)) - (extension[0] != 0);
}

bool ct_move_import_rename(ct_allocator *a, const ct_move_set *set, const ct_content_file *file,
                           char renamed[CT_PATH_BYTES]) {
    const ct_sjson *const doc = ct_sjson_parse(a, file->text, file->bytes, file->path, NULL, NULL);
    const char *const model =
        doc ? ct_sjson_string(doc, ct_sjson_find(doc, ct_sjson_root(doc), "model"), "") : "";
    const ct_move_file *const moved = ct_move_set_file(set, model);
    if (!moved || !moved->to || ct_move_set_file(set, file->path))
        return false;
    const char *const name = ct_path_file_name(file->path);
    const char *const old_name = ct_path_file_name(model);
    const char *const new_name = ct_path_file_name(moved->to);
    const int length = stem_length(old_name), new_length = stem_length(new_name);
    const bool is_own = stem_length(name) == length && strncmp(name, old_name, (size_t)length) == 0;
    const bool is_same = length == new_length && strncmp(old_name, new_name, (size_t)length) == 0;
    if (!is_own || is_same)
        return false;
    snprintf(renamed, CT_PATH_BYTES, "%.*s%.*s.import", (int)(name - file->path), file->path,
             new_length, new_name);
    return true;
}
