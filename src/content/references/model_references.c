#include "content/references/model_references.h"

#include <string.h>
#include <strings.h>

#include "content/move/name_spelling.h"
#include "content/references/sjson_references.h"
#include "foundation/error.h"
#include "foundation/os/path.h"

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

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

static const char *skip_blanks(const char *at, const char *end) {
    while (at < end && is_blank(*at))
        ++at;
    return at;
}

static const char *skip_word(const char *at, const char *end) {
    while (at < end && !is_blank(*at))
        ++at;
    return at;
}

static bool is_word(const char *at, const char *end, const char *word) {
    const size_t length = strlen(word);
    return (size_t)(end - at) == length && strncasecmp(at, word, length) == 0;
}

// Where the name of a file begins in a line without blanks at its ends; NULL: it names none.
typedef const char *find_name(const char *line, const char *end);

static const char *library_name(const char *line, const char *end) {
    const char *const word = skip_word(line, end);
    return is_word(line, word, "mtllib") ? skip_blanks(word, end) : NULL;
}

// The most words that follow an option of a map. Of numbers the last ones may be left out.
static uint32_t option_words(const char *option, const char *end, bool *are_numbers) {
    static const struct {
        const char *name;
        uint32_t num_words;
        bool are_numbers;
    } options[] = {{"-blendu", 1, false}, {"-blendv", 1, false},  {"-boost", 1, true},
                   {"-bm", 1, true},      {"-cc", 1, false},      {"-clamp", 1, false},
                   {"-mm", 2, true},      {"-imfchan", 1, false}, {"-texres", 1, true},
                   {"-type", 1, false},   {"-o", 3, true},        {"-s", 3, true},
                   {"-t", 3, true}};
    for (uint32_t i = 0; i < CT_COUNT_OF(options); ++i) {
        *are_numbers = options[i].are_numbers;
        if (is_word(option, end, options[i].name))
            return options[i].num_words;
    }
    return 0;
}

static bool is_number(const char *at, const char *end) {
    while (at < end && strchr("+-.0123456789eE", *at))
        ++at;
    return at == end;
}

static const char *map_name(const char *line, const char *end) {
    static const char *const others[] = {"bump", "norm", "disp", "decal", "refl"};
    const char *const word = skip_word(line, end);
    bool is_map = word - line > 4 && strncasecmp(line, "map_", 4) == 0;
    for (uint32_t i = 0; i < CT_COUNT_OF(others); ++i)
        is_map |= is_word(line, word, others[i]);
    const char *at = skip_blanks(word, end);
    while (is_map && at < end && *at == '-') {
        const char *const option_end = skip_word(at, end);
        bool are_numbers = false;
        const uint32_t num_words = option_words(at, option_end, &are_numbers);
        if (num_words == 0)
            break; // a name, then
        at = skip_blanks(option_end, end);
        for (uint32_t i = 0; i < num_words; ++i) {
            const char *const value_end = skip_word(at, end);
            if (are_numbers && !is_number(at, value_end))
                break;
            at = skip_blanks(value_end, end);
        }
    }
    return is_map ? at : NULL;
}

static void find_in_lines(const char *path, const char *text, uint64_t bytes, find_name *find,
                          uint32_t flags, ct_mentions *mentions) {
    const char *const end = text + bytes;
    uint32_t line = 1;
    for (const char *at = text; at < end; ++line) {
        const char *const feed = memchr(at, '\n', (size_t)(end - at));
        const char *stop = feed ? feed : end;
        const char *const start = skip_blanks(at, stop);
        while (stop > start && is_blank(stop[-1]))
            --stop;
        const char *const name = find(start, stop);
        const ct_mention m = {.kind = CT_MENTION_KIND_MEDIA,
                              .line = line,
                              .column = name ? (uint32_t)(name - at) + 1 : 0,
                              .begin = name ? (uint32_t)(name - text) : 0,
                              .end = (uint32_t)(stop - text),
                              .flags = CT_MENTION_RELATIVE | CT_MENTION_OPTIONAL | flags};
        if (name && stop > name)
            add_path(path, name, (size_t)(stop - name), &m, mentions);
        at = feed ? feed + 1 : end;
    }
}

void ct_obj_references_find(const char *path, const char *text, uint64_t bytes,
                            ct_mentions *mentions) {
    find_in_lines(path, text, bytes, library_name, CT_MENTION_RENAMED, mentions);
}

void ct_mtl_references_find(const char *path, const char *text, uint64_t bytes,
                            ct_mentions *mentions) {
    find_in_lines(path, text, bytes, map_name, 0, mentions);
}
