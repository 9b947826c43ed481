#include "content/references/model_references.h"

#include <string.h>

#include "content/move/name_spelling.h"
#include "content/references/sjson_references.h"
#include "foundation/error.h"
#include "foundation/os/path.h"
#include "project/obj_text.h"

enum { GLB_MAGIC = 0x46546c67, GLB_JSON = 0x4e4f534a, GLB_HEADER_BYTES = 12, GLB_CHUNK_BYTES = 8 };

// --- Paths ---------------------------------------------------------------------------------------

// Drops the last part of `path`; false when there is none.
static bool go_up(char *path) {
    char *const slash = strrchr(path, '/');
    if (path[0] == 0)
        return false;
    *(slash ? slash : path) = 0;
    return true;
}

static bool append_part(char path[CT_PATH_BYTES], const char *part, size_t bytes) {
    const size_t length = strlen(path);
    if (length + bytes + 2 > CT_PATH_BYTES)
        return false;
    if (length > 0)
        strcat(path, "/");
    strncat(path, part, bytes);
    return true;
}

// Writes the project path that `relative` of `bytes` bytes leads to from the folder of `file`.
// False when it leads out of the project.
static bool resolve(const char *file, const char *relative, size_t bytes,
                    char path[CT_PATH_BYTES]) {
    ct_path_folder(path, file);
    if (strcmp(path, ".") == 0)
        path[0] = 0;
    const char *const end = relative + bytes;
    while (relative < end) {
        size_t length = 0;
        while (relative + length < end && relative[length] != '/' && relative[length] != '\\')
            ++length;
        const bool is_up = length == 2 && memcmp(relative, "..", 2) == 0;
        const bool is_here = length == 0 || (length == 1 && *relative == '.');
        if (is_up ? !go_up(path) : !is_here && !append_part(path, relative, length))
            return false;
        relative += length + (relative + length < end);
    }
    return path[0] != 0;
}

static void add_path(const char *file, const char *relative, size_t bytes, const ct_mention *m,
                     ct_mentions *mentions) {
    char path[CT_PATH_BYTES];
    if (bytes > 0 && bytes < CT_PATH_BYTES && !memchr(relative, ':', bytes) && *relative != '/' &&
        resolve(file, relative, bytes, path)) {
        if (m->flags & CT_MENTION_RENAMED)
            ct_model_file_name(path);
        ct_mentions_add(mentions, m, path, strlen(path));
    }
}

// --- glTF ----------------------------------------------------------------------------------------

typedef struct gltf_file {
    const char *path;
    const ct_sjson *doc;
    const char *text; // of the JSON
    uint64_t bytes;
    uint32_t shift; // of the JSON in the file
} gltf_file;

static void add_uris(const gltf_file *g, const char *array, uint32_t flags, ct_mentions *mentions) {
    const ct_sjson_value list = ct_sjson_find(g->doc, ct_sjson_root(g->doc), array);
    for (ct_sjson_value v = ct_sjson_first(g->doc, list); v.entry; v = ct_sjson_next(g->doc, v)) {
        const ct_sjson_value uri = ct_sjson_find(g->doc, v, "uri");
        const char *const text = ct_sjson_string(g->doc, uri, NULL);
        char plain[CT_PATH_BYTES];
        if (!text || strncmp(text, "data:", 5) == 0 ||
            strlen(text) != ct_sjson_string_bytes(g->doc, uri))
            continue;
        ct_mention m = {.kind = CT_MENTION_KIND_MEDIA, .flags = CT_MENTION_RELATIVE | flags};
        ct_sjson_position(g->doc, uri, &m.line, &m.column);
        ct_sjson_references_span(g->doc, g->text, g->bytes, uri, &m.begin, &m.end);
        m.begin += g->shift;
        m.end += g->shift;
        add_path(g->path, plain, ct_uri_decode(text, strlen(text), plain), &m, mentions);
    }
}

static bool read_json(ct_allocator *a, const char *path, const char *text, uint64_t bytes,
                      uint32_t shift, ct_mentions *mentions, ct_error *error) {
    ct_sjson *const doc = ct_sjson_parse(a, text, bytes, path, NULL, error);
    if (!doc)
        return false;
    const gltf_file g = {path, doc, text, bytes, shift};
    add_uris(&g, "buffers", CT_MENTION_RENAMED, mentions);
    add_uris(&g, "images", CT_MENTION_OPTIONAL, mentions);
    ct_sjson_free(doc);
    return true;
}

bool ct_gltf_references_find(ct_allocator *a, const char *path, const char *text, uint64_t bytes,
                             ct_mentions *mentions, ct_error *error) {
    return read_json(a, path, text, bytes, 0, mentions, error);
}

static uint32_t u32_at(const char *bytes) {
    const uint8_t *const b = (const uint8_t *)bytes;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

bool ct_glb_references_find(ct_allocator *a, const char *path, const char *text, uint64_t bytes,
                            ct_mentions *mentions, ct_error *error) {
    const uint32_t start = GLB_HEADER_BYTES + GLB_CHUNK_BYTES;
    const bool is_glb = bytes >= start && u32_at(text) == GLB_MAGIC &&
                        u32_at(text + GLB_HEADER_BYTES + 4) == GLB_JSON &&
                        u32_at(text + GLB_HEADER_BYTES) <= bytes - start;
    if (!is_glb)
        return ct_error_set_at(error, path, 0, 0,
                               "expected binary glTF, found a file that is damaged or another");
    return read_json(a, path, text + start, u32_at(text + GLB_HEADER_BYTES), start, mentions,
                     error);
}

// --- OBJ -----------------------------------------------------------------------------------------

// Adds the file that `name` says, which is at or behind `start` in its statement.
static void add_file(const char *path, const char *text, ct_obj_text start, ct_obj_span name,
                     uint32_t flags, ct_mentions *mentions) {
    char plain[CT_PATH_BYTES];
    if (name.end == name.begin || name.end - name.begin >= CT_PATH_BYTES)
        return;
    for (const char *p = start.at; p < name.begin; ++p) { // over lines that are continued
        if (*p == '\n' || (*p == '\r' && p[1] != '\n')) {
            ++start.line;
            start.line_begin = p + 1;
        }
    }
    const ct_mention m = {.kind = CT_MENTION_KIND_MEDIA,
                          .line = start.line,
                          .column = ct_obj_text_column(&start, name.begin),
                          .begin = (uint32_t)(name.begin - text),
                          .end = (uint32_t)(name.end - text),
                          .flags = CT_MENTION_RELATIVE | CT_MENTION_OPTIONAL | flags};
    add_path(path, plain, ct_obj_span_copy(name, plain, sizeof(plain)), &m, mentions);
}

void ct_obj_references_find(const char *path, const char *text, uint64_t bytes,
                            ct_mentions *mentions) {
    const bool is_text = ct_obj_text_check(text, bytes, NULL);
    ct_obj_text t = ct_obj_text_open(text, bytes);
    ct_obj_span statement, name;
    while (is_text && ct_obj_text_next(&t, &statement)) {
        if (!ct_obj_is_word(statement, "mtllib"))
            continue;
        const ct_obj_text start = t;
        ct_obj_span names = ct_obj_text_file(&t);
        while (ct_obj_text_library(&names, &name))
            add_file(path, text, start, name, CT_MENTION_RENAMED, mentions);
    }
}

void ct_mtl_references_find(const char *path, const char *text, uint64_t bytes,
                            ct_mentions *mentions) {
    const bool is_text = ct_obj_text_check(text, bytes, NULL);
    ct_obj_text t = ct_obj_text_open(text, bytes);
    ct_obj_span statement;
    ct_obj_option option;
    while (is_text && ct_obj_text_next(&t, &statement)) {
        if (!ct_obj_is_map(statement))
            continue;
        const ct_obj_text start = t;
        while (ct_obj_text_option(&t, &option))
            ;
        add_file(path, text, start, ct_obj_text_file(&t), 0, mentions);
    }
}
