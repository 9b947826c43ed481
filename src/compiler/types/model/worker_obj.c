#include "compiler/types/model/worker_obj.h"

#include <math.h>
#include <string.h>

#include "compiler/types/model/worker_mtl.h"
#include "compiler/types/model/worker_obj_mesh.h"
#include "foundation/error.h"

enum { MAX_LIBRARY_LINES = 256, MAX_NUMBERS = 8, NO_OBJECT = -1 };

// What a corner has an index of.
typedef enum index_kind {
    INDEX_VERTEX,
    INDEX_UV,
    INDEX_NORMAL,
    INDEX_COUNT,
} index_kind;

static const char *const index_names[INDEX_COUNT] = {"vertex", "texture coordinate", "normal"};

// The largest index of a kind that was not there yet when a face named it.
typedef struct forward_index {
    int64_t index;
    uint32_t line, column;
} forward_index;

typedef struct library_line {
    const char *names;
    uint32_t line;
} library_line;

typedef struct obj_reader {
    ct_compile *c;
    ct_worker_model_files *files;
    ct_worker_scene *scene;
    ct_obj_text text;
    ct_obj_span statement;
    ct_worker_obj_warnings warnings;
    ct_worker_obj_model model;
    forward_index forward[INDEX_COUNT];
    ct_worker_obj_names object_names;
    CT_ARRAY(uint32_t) named_objects; // by name: the first object that has it
    ct_worker_obj_names materials;    // by number in the parts
    ct_hash_map parts;                // of an object and a material
    int64_t object;                   // NO_OBJECT before the first
    uint32_t material, part;          // CT_WORKER_OBJ_NO_NAME: not known yet
    const char *group;
    ct_worker_obj_names library_names;
    CT_ARRAY(library_line) libraries;
    uint64_t num_triangles;
} obj_reader;

// Reports an error at `at`, which lies in the reader's line. Returns false.
#define FAIL_AT(r, at, ...)                                                                        \
    ct_compile_error_at((r)->c, (r)->scene->path, (r)->text.line,                                  \
                        ct_obj_text_column(&(r)->text, (at)), __VA_ARGS__)

#define WARN(r, kind, ...)                                                                         \
    ct_worker_obj_warn(&(r)->warnings, NULL, (r)->text.line, (kind), __VA_ARGS__)

// --- Numbers -------------------------------------------------------------------------------------

// Reads all numbers of the statement, of which `values` holds the first MAX_NUMBERS. False after
// reporting that there are less than `least`, or something else.
static bool read_numbers(obj_reader *r, uint32_t least, const char *what, float *values,
                         uint32_t *count) {
    const ct_obj_span statement = r->statement;
    const ct_obj_text start = r->text;
    float value = 0;
    ct_obj_number found;
    *count = 0;
    while ((found = ct_obj_text_number(&r->text, &value)) == CT_OBJ_NUMBER_FOUND) {
        if (*count < MAX_NUMBERS)
            values[*count] = value;
        ++*count;
    }
    ct_obj_text behind = r->text;
    ct_obj_span word = {r->text.at, r->text.at};
    ct_obj_text_word(&behind, &word);
    char quote[CT_WORKER_OBJ_QUOTE_BYTES];
    if (found == CT_OBJ_NUMBER_BAD)
        return FAIL_AT(r, word.begin, "found %s; expected a number",
                       ct_worker_obj_quote(word, quote));
    if (*count >= least)
        return true;
    r->text = start;
    return FAIL_AT(r, statement.begin, "found %u numbers; expected %s", *count, what);
}

static void add_color(obj_reader *r, const float *color, uint32_t count) {
    ct_worker_obj_model *const m = &r->model;
    const ct_worker_obj_color none = {{1, 1, 1, -1}};
    while (m->colors.count + 1 < m->positions.count)
        ct_array_push(&m->colors, none);
    const ct_worker_obj_color given = {{color[0], color[1], color[2], count > 3 ? color[3] : 1}};
    ct_array_push(&m->colors, given);
    for (uint32_t i = 0; i < count; ++i) {
        m->has_color_above_1 |= color[i] > 1;
        m->has_color_below_0 |= color[i] < 0;
        m->has_broken_color |= color[i] != floorf(color[i]) || color[i] > 255;
    }
}

static bool read_position(obj_reader *r) {
    float v[MAX_NUMBERS] = {0};
    uint32_t count;
    if (!read_numbers(r, 3, "x, y and z", v, &count))
        return false;
    const ct_worker_obj_vector position = {{v[0], v[1], v[2]}};
    ct_array_push(&r->model.positions, position);
    if (count == 6 || count == 7)
        add_color(r, v + 3, count - 3);
    else if (count == 4 && v[3] != 1)
        WARN(r, "w", "the weight (w) of \"v\" is left out");
    else if (count > 4)
        WARN(r, "v", "\"v\" has %u numbers; the first 3 are read", count);
    return true;
}

// The origin of MTL's coordinates is at the bottom.
static bool read_uv(obj_reader *r) {
    float v[MAX_NUMBERS] = {0};
    uint32_t count;
    if (!read_numbers(r, 1, "u and v", v, &count))
        return false;
    const ct_worker_obj_uv uv = {{v[0], 1 - v[1]}};
    ct_array_push(&r->model.uvs, uv);
    if (count > 3 || (count == 3 && v[2] != 0))
        WARN(r, "vt", "\"vt\" has more than u and v; the rest is left out");
    return true;
}

static bool read_normal(obj_reader *r) {
    float v[MAX_NUMBERS] = {0};
    uint32_t count;
    if (!read_numbers(r, 3, "x, y and z", v, &count))
        return false;
    const ct_worker_obj_vector normal = {{v[0], v[1], v[2]}};
    ct_array_push(&r->model.normals, normal);
    if (count > 3)
        WARN(r, "vn", "\"vn\" has %u numbers; the first 3 are read", count);
    return true;
}

// --- Objects and groups --------------------------------------------------------------------------

// The rest of the statement, of any length.
static const char *rest_of_line(obj_reader *r, ct_obj_span rest) {
    const uint64_t bytes = (uint64_t)(rest.end - rest.begin) + 1;
    char *const text = ct_alloc(r->c->allocator, bytes);
    ct_obj_span_copy(rest, text, bytes);
    return text;
}

static bool add_object(obj_reader *r, const char *name) {
    const uint32_t index = r->model.objects.count;
    if (index >= CT_WORKER_SCENE_MAX_NODES)
        return FAIL_AT(r, r->statement.begin,
                       "found too many objects and groups, expected at most %u",
                       CT_WORKER_SCENE_MAX_NODES);
    const ct_worker_obj_object object = {.name = name};
    ct_array_push(&r->model.objects, object);
    if (ct_worker_obj_names_find(&r->object_names, name) == CT_WORKER_OBJ_NO_NAME) {
        ct_worker_obj_names_add(&r->object_names, name);
        ct_array_push(&r->named_objects, index);
    }
    r->object = index;
    r->part = CT_WORKER_OBJ_NO_NAME;
    return true;
}

// An object that comes again goes on.
static bool read_object(obj_reader *r) {
    const char *const name = rest_of_line(r, ct_obj_text_rest(&r->text));
    if (!*name)
        return true;
    const uint32_t known = ct_worker_obj_names_find(&r->object_names, name);
    if (known == CT_WORKER_OBJ_NO_NAME)
        return add_object(r, name);
    r->object = r->named_objects.items[known];
    r->part = CT_WORKER_OBJ_NO_NAME;
    return true;
}

// Another group than before is a node of its own.
static bool read_group(obj_reader *r) {
    const char *const name = rest_of_line(r, ct_obj_text_rest(&r->text));
    if (strcmp(name, r->group) == 0)
        return true;
    r->group = name;
    return add_object(r, name);
}

static uint32_t material_of(obj_reader *r, const char *name) {
    const uint32_t known = ct_worker_obj_names_find(&r->materials, name);
    return known != CT_WORKER_OBJ_NO_NAME ? known : ct_worker_obj_names_add(&r->materials, name);
}

static bool read_material(obj_reader *r) {
    const char *const name = rest_of_line(r, ct_obj_text_rest(&r->text));
    r->material = material_of(r, *name ? name : CT_WORKER_MTL_DEFAULT_NAME);
    r->part = CT_WORKER_OBJ_NO_NAME;
    return r->materials.items.count <= CT_WORKER_MTL_MAX_MATERIALS ||
           FAIL_AT(r, r->statement.begin, "found too many materials, expected at most %u",
                   CT_WORKER_MTL_MAX_MATERIALS);
}

// The part that faces go to now. NULL after reporting.
static ct_worker_obj_part *current_part(obj_reader *r) {
    if (r->object == NO_OBJECT && !add_object(r, "defaultobject"))
        return NULL;
    if (r->material == CT_WORKER_OBJ_NO_NAME)
        r->material = material_of(r, CT_WORKER_MTL_DEFAULT_NAME);
    if (r->part == CT_WORKER_OBJ_NO_NAME) {
        const uint64_t key = (uint64_t)r->object << 32 | r->material;
        r->part = (uint32_t)ct_hash_map_get(&r->parts, key, r->model.parts.count);
        if (r->part == r->model.parts.count) {
            ct_hash_map_set(&r->parts, key, r->part);
            ct_worker_obj_add_part(r->c, &r->model, (uint32_t)r->object, r->material);
        }
    }
    return &r->model.parts.items[r->part];
}

// --- Faces ---------------------------------------------------------------------------------------

// Reads digits with a sign at `*at`, goes behind them. False when there are none.
static bool read_index(const char **at, const char *end, int64_t *index) {
    const char *p = *at;
    const bool is_negative = p < end && *p == '-';
    p += p < end && (*p == '-' || *p == '+');
    const char *const digits = p;
    int64_t value = 0;
    for (; p < end && *p >= '0' && *p <= '9'; ++p)
        value = value < INT64_MAX / 100 ? value * 10 + (*p - '0') : value;
    *index = is_negative ? -value : value;
    *at = p;
    return p > digits;
}

// The position of an index from 1, of `count` that there are so far. False after reporting.
static bool resolve(obj_reader *r, index_kind kind, int64_t index, uint32_t count, const char *at,
                    uint32_t *place) {
    if (index == 0)
        return FAIL_AT(r, at, "found %s 0; indices start at 1", index_names[kind]);
    if (index < 0 && -index > (int64_t)count)
        return FAIL_AT(r, at, "found %s %lld, but there are only %u before it", index_names[kind],
                       (long long)index, count);
    const int64_t from_start = index < 0 ? count + 1 + index : index;
    forward_index *const forward = &r->forward[kind];
    if (from_start > (int64_t)count && from_start > forward->index)
        *forward = (forward_index){from_start, r->text.line, ct_obj_text_column(&r->text, at)};
    *place = from_start > (int64_t)UINT32_MAX ? UINT32_MAX : (uint32_t)from_start;
    return true;
}

static bool fail_corner(obj_reader *r) {
    char quote[CT_WORKER_OBJ_QUOTE_BYTES];
    ct_obj_text behind = r->text;
    ct_obj_span word = {r->text.at, r->text.at};
    ct_obj_text_word(&behind, &word);
    return FAIL_AT(r, r->text.at, "found %s; expected a corner as v, v/vt, v//vn or v/vt/vn",
                   ct_worker_obj_quote(word, quote));
}

// Reads the corner at the reader's place, where a word is.
static bool read_corner(obj_reader *r, ct_worker_obj_corner *corner) {
    const ct_worker_obj_model *const m = &r->model;
    const uint32_t counts[INDEX_COUNT] = {m->positions.count, m->uvs.count, m->normals.count};
    uint32_t *const places[INDEX_COUNT] = {&corner->position, &corner->uv, &corner->normal};
    const char *const end = r->text.end;
    const char *at = r->text.at, *starts[INDEX_COUNT];
    int64_t indices[INDEX_COUNT];
    bool has[INDEX_COUNT] = {false};
    for (uint32_t kind = 0; kind < INDEX_COUNT; ++kind) {
        if (kind > 0 && (at == end || *at != '/'))
            break;
        at += kind > 0;
        starts[kind] = at;
        has[kind] = read_index(&at, end, &indices[kind]);
        if (!has[kind] && (kind == INDEX_VERTEX || at > starts[kind]))
            return fail_corner(r);
    }
    const char ends[] = " \t\v\f\r\n#\\";
    if (at < end && !memchr(ends, *at, sizeof(ends) - 1))
        return fail_corner(r);
    for (uint32_t kind = 0; kind < INDEX_COUNT; ++kind) {
        if (has[kind] &&
            !resolve(r, (index_kind)kind, indices[kind], counts[kind], starts[kind], places[kind]))
            return false;
    }
    r->text.at = at;
    return true;
}

static bool read_face(obj_reader *r) {
    ct_worker_obj_part *const part = current_part(r);
    if (!part)
        return false;
    const uint32_t first = part->corners.count, line = r->text.line;
    while (!ct_obj_text_is_at_end(&r->text)) {
        ct_worker_obj_corner corner = {0};
        if (!read_corner(r, &corner))
            return false;
        part->has_uvs |= corner.uv > 0;
        part->has_normals |= corner.normal > 0;
        ct_array_push(&part->corners, corner);
    }
    const uint32_t count = part->corners.count - first;
    if (count < 3) {
        part->corners.count = first;
        part->has_points_or_lines = true;
        return true;
    }
    ct_worker_obj_end_face(&r->model, r->part, count, line);
    r->num_triangles += count - 2;
    return r->num_triangles <= CT_WORKER_OBJ_MAX_TRIANGLES ||
           FAIL_AT(r, r->text.at, "found too many triangles, expected at most %u",
                   CT_WORKER_OBJ_MAX_TRIANGLES);
}

static bool read_line(obj_reader *r) {
    ct_worker_obj_part *const part = current_part(r);
    if (part)
        part->has_points_or_lines = true;
    return part != NULL;
}

// Faces may come before what they are made of, but it must come. What no line of the file gives at
// all is left out; positions must be there.
static bool check_indices(obj_reader *r) {
    const ct_worker_obj_model *const m = &r->model;
    const uint32_t counts[INDEX_COUNT] = {m->positions.count, m->uvs.count, m->normals.count};
    for (uint32_t kind = 0; kind < INDEX_COUNT; ++kind) {
        const forward_index *const f = &r->forward[kind];
        if (f->index <= (int64_t)counts[kind])
            continue;
        if (kind == INDEX_VERTEX || counts[kind] > 0)
            return ct_compile_error_at(r->c, r->scene->path, f->line, f->column,
                                       "found %s %lld, but there are only %u", index_names[kind],
                                       (long long)f->index, counts[kind]);
        ct_worker_obj_warn(&r->warnings, NULL, f->line, index_names[kind],
                           "faces refer to a %s, but the file has none; it is left out",
                           index_names[kind]);
    }
    return true;
}

// --- Material libraries --------------------------------------------------------------------------

static bool read_libraries(obj_reader *r) {
    const char *const names = rest_of_line(r, ct_obj_text_file(&r->text));
    if (!*names || ct_worker_obj_names_find(&r->library_names, names) != CT_WORKER_OBJ_NO_NAME)
        return true;
    if (r->libraries.count == MAX_LIBRARY_LINES) {
        WARN(r, "mtllib", "found more than %u \"mtllib\" lines; the others are not read",
             MAX_LIBRARY_LINES);
        return true;
    }
    ct_worker_obj_names_add(&r->library_names, names);
    const library_line line = {names, r->text.line};
    ct_array_push(&r->libraries, line);
    return true;
}

typedef struct library_reader {
    obj_reader *r;
    ct_worker_mtl mtl;
    ct_worker_obj_names paths; // of files that were read
    uint32_t num_looked_for;
    uint32_t line;
} library_reader;

// Reads the file at `path` unless that was done. False when it is not there.
static bool read_library_at(library_reader *l, const char *path) {
    const ct_worker_model_file *const file = ct_worker_model_file_at(l->r->files, path);
    if (!file)
        return false;
    if (ct_worker_obj_names_find(&l->paths, file->path) == CT_WORKER_OBJ_NO_NAME) {
        ct_worker_obj_names_add(&l->paths, file->path);
        ct_worker_mtl_read(&l->mtl, file->path, file->bytes, file->size_bytes);
    }
    return true;
}

static bool read_library(library_reader *l, ct_obj_span name) {
    char text[CT_PATH_BYTES];
    ct_compile *const c = l->r->c;
    const char *const model = l->r->scene->path;
    if (name.end - name.begin >= CT_PATH_BYTES || ++l->num_looked_for > MAX_LIBRARY_LINES)
        return false;
    ct_obj_span_copy(name, text, sizeof(text));
    const int folder = (int)(ct_path_file_name(model) - model);
    return read_library_at(l, ct_compile_text(c, "%.*s%s", folder, model, text));
}

// Exporters call the library as the model, whatever the model says after someone renamed it.
static void do_without(library_reader *l, ct_obj_span name) {
    char quote[CT_WORKER_OBJ_QUOTE_BYTES];
    ct_compile *const c = l->r->c;
    const char *const model = l->r->scene->path;
    const char *const extension = ct_path_extension(model);
    const int length = (int)(extension - model);
    const char *const path = ct_compile_text(c, "%.*smtl", length, model);
    const bool has_other = *extension && read_library_at(l, path);
    ct_worker_obj_quote(name, quote);
    ct_worker_obj_warn(
        &l->r->warnings, NULL, l->line, quote, "the material library %s was not found%s%s", quote,
        has_other ? "; read instead: " : "", has_other ? ct_path_file_name(path) : "");
}

// A name with blanks may be several.
static void read_library_or_words(library_reader *l, ct_obj_span name) {
    if (read_library(l, name))
        return;
    ct_obj_text words = {.at = name.begin, .end = name.end, .line_begin = name.begin};
    ct_obj_span word;
    CT_ARRAY(ct_obj_span) missing;
    ct_array_init(&missing, l->r->c->allocator);
    bool has_one = false;
    while (ct_obj_text_word(&words, &word) && missing.count < MAX_LIBRARY_LINES) {
        if (word.begin == name.begin && word.end == name.end)
            break; // only one
        if (read_library(l, word))
            has_one = true;
        else
            ct_array_push(&missing, word);
    }
    for (uint32_t i = 0; i < missing.count && has_one; ++i)
        do_without(l, missing.items[i]);
    if (!has_one)
        do_without(l, name);
    ct_array_free(&missing);
}

// Reads all libraries, and gives each part its material of the scene.
static void read_materials(obj_reader *r) {
    library_reader l = {.r = r};
    ct_worker_mtl_init(&l.mtl, &r->warnings, &r->scene->materials);
    ct_worker_obj_names_init(&l.paths, r->c->allocator);
    for (uint32_t i = 0; i < r->libraries.count; ++i) {
        const char *const text = r->libraries.items[i].names;
        ct_obj_span names = {text, text + strlen(text)}, name;
        l.line = r->libraries.items[i].line;
        while (ct_obj_text_library(&names, &name))
            read_library_or_words(&l, name);
    }
    for (uint32_t i = 0; i < r->model.parts.count; ++i) {
        ct_worker_obj_part *const part = &r->model.parts.items[i];
        part->material = ct_worker_mtl_find(&l.mtl, r->materials.items.items[part->material].text);
    }
}

// --- The file ------------------------------------------------------------------------------------

static bool pass_over(obj_reader *r) {
    (void)r;
    return true;
}

static const struct {
    const char *name;
    bool (*read)(obj_reader *r);
} statements[] = {
    {"v", read_position},
    {"f", read_face},
    {"vt", read_uv},
    {"vn", read_normal},
    {"usemtl", read_material},
    {"o", read_object},
    {"g", read_group},
    {"fo", read_face},
    {"l", read_line},
    {"p", read_line},
    {"mtllib", read_libraries},
    // How to draw curves, lines and shadows; groups of smoothing.
    {"s", pass_over},
    {"mg", pass_over},
    {"bevel", pass_over},
    {"c_interp", pass_over},
    {"d_interp", pass_over},
    {"lod", pass_over},
    {"shadow_obj", pass_over},
    {"trace_obj", pass_over},
    {"ctech", pass_over},
    {"stech", pass_over},
};

static bool read_statement(obj_reader *r) {
    for (uint32_t i = 0; i < CT_COUNT_OF(statements); ++i) {
        if (ct_obj_is_word(r->statement, statements[i].name))
            return statements[i].read(r);
    }
    char quote[CT_WORKER_OBJ_QUOTE_BYTES];
    ct_worker_obj_quote(r->statement, quote);
    WARN(r, quote, "%s is not read", quote);
    return true;
}

static void init_reader(obj_reader *r) {
    ct_allocator *const a = r->c->allocator;
    ct_worker_obj_warnings_init(&r->warnings, r->c, &r->scene->warnings);
    ct_worker_obj_model_init(&r->model, a);
    ct_worker_obj_names_init(&r->object_names, a);
    ct_array_init(&r->named_objects, a);
    ct_worker_obj_names_init(&r->materials, a);
    ct_hash_map_init(&r->parts, a);
    ct_worker_obj_names_init(&r->library_names, a);
    ct_array_init(&r->libraries, a);
}

bool ct_worker_obj_read(ct_compile *c, ct_worker_model_files *files,
                        const ct_worker_model_file *file, ct_sjson_value at,
                        ct_worker_scene *scene) {
    obj_reader r = {.c = c,
                    .files = files,
                    .scene = scene,
                    .text = ct_obj_text_open(file->bytes, file->size_bytes),
                    .object = NO_OBJECT,
                    .material = CT_WORKER_OBJ_NO_NAME,
                    .part = CT_WORKER_OBJ_NO_NAME,
                    .group = ""};
    (void)at; // all errors have their place
    ct_error error = {0};
    if (!ct_obj_text_check(file->bytes, file->size_bytes, &error))
        return ct_compile_error_at(c, scene->path, error.line, error.column, "%s", error.message);
    init_reader(&r);
    scene->turn = ct_worker_scene_y_up;
    scene->metres = 1;
    while (ct_obj_text_next(&r.text, &r.statement)) {
        if (!read_statement(&r))
            return false;
    }
    if (!check_indices(&r))
        return false;
    read_materials(&r);
    return ct_worker_obj_build(c, &r.model, &r.warnings, scene);
}
