#include "compiler/types/shader/worker_shader_includes.h"
#include "compiler/protocol/compiler_circle.h"
#include "compiler/protocol/compiler_protocol.h"
#include "foundation/container/hash_map.h"
#include "foundation/os/path.h"
#include "foundation/string/string_id.h"
#include "project/glsl_directive.h"

#include <string.h>

enum { MAX_DEPTH = 32 };

// A line of GLSL.
typedef struct glsl_place {
    const char *file;
    uint32_t line;
} glsl_place;

typedef struct include_reader {
    ct_compile *c;
    ct_worker_shader *s;
    const char *steps[MAX_DEPTH];   // paths of the files that include the one in hand
    glsl_place step_ats[MAX_DEPTH]; // what includes each; {0}: the shader lists it
    uint32_t depth;
    ct_hash_map told_circles; // hashes of their ways
} include_reader;

static char *read_glsl(include_reader *r, const char *file, uint32_t line, const char *text);

static bool is_read(const include_reader *r, const char *path) {
    for (uint32_t i = 0; i < r->s->includes.count; ++i)
        if (strcmp(r->s->includes.items[i].path, path) == 0)
            return true;
    return false;
}

// --- Files ---------------------------------------------------------------------------------------

// Tells, once, the circle from step `first` to the last, which `at` leads back from.
static void report_circle(include_reader *r, uint32_t first, glsl_place at) {
    uint32_t closing = 0;
    const char *const way =
        ct_circle_way(r->c->allocator, r->steps + first, r->depth - first, &closing);
    const uint32_t behind = first + closing + 1;
    const glsl_place place = behind < r->depth ? r->step_ats[behind] : at;
    const uint64_t key = ct_string_id64_of(way).value;
    if (ct_hash_map_find(&r->told_circles, key))
        return;
    ct_hash_map_set(&r->told_circles, key, 1);
    ct_compile_error_at(r->c, place.file, place.line, 0, "files include each other in a circle: %s",
                        way);
}

static void report_missing(include_reader *r, const char *path, glsl_place at) {
    ct_compile_error_at(r->c, at.file, at.line, 0,
                        ct_path_is_canonical(path) ? CT_SOURCE_MISSING_START
                            "%.256s" CT_SOURCE_MISSING_END
                                                   : "\"%.256s\" is not a project path; expected "
                                                     "parts of a-z, 0-9, _, - and . separated by /",
                        path);
}

// Adds a file that was read and that `at` includes, behind what it includes itself.
static void add_file(include_reader *r, const char *path, const char *text, glsl_place at) {
    r->step_ats[r->depth] = at;
    r->steps[r->depth++] = path;
    ct_worker_shader_include include = {.path = path};
    include.text = read_glsl(r, path, 1, text);
    ct_array_push(&r->s->includes, include);
    --r->depth;
}

static void include_file(include_reader *r, const char *path, glsl_place at) {
    for (uint32_t i = 0; i < r->depth; ++i) {
        if (strcmp(r->steps[i], path) == 0) {
            report_circle(r, i, at);
            return;
        }
    }
    if (is_read(r, path))
        return;
    if (r->depth == MAX_DEPTH) {
        ct_compile_error_at(r->c, at.file, at.line, 0, "files include each other more than %d deep",
                            MAX_DEPTH);
        return;
    }
    uint64_t bytes = 0;
    const char *const text =
        ct_path_is_canonical(path) ? ct_compile_find(r->c, path, &bytes) : NULL;
    if (!text)
        report_missing(r, path, at);
    else if (strlen(text) != bytes)
        ct_compile_error_at(r->c, at.file, at.line, 0, "%s holds a zero byte; expected GLSL text",
                            path);
    else
        add_file(r, path, text, at);
}

// --- Lines ---------------------------------------------------------------------------------------

// Reads a line `#include …`.
static void read_include(include_reader *r, const ct_glsl_directive *directive, glsl_place at) {
    uint32_t bytes = 0;
    const char *const path = ct_glsl_included_path(directive, &bytes);
    if (path) {
        include_file(r, ct_compile_text(r->c, "%.*s", (int)bytes, path), at);
        return;
    }
    const char *const rest = ct_glsl_directive_rest(directive, &bytes);
    ct_compile_error_at(r->c, at.file, at.line, 0,
                        "#include: found %.*s, expected a project path: "
                        "#include \"shaders/noise.glsl\"",
                        bytes < 64 ? (int)bytes : 64, rest);
}

// Reads what `text`, whose first line is `line` of `file`, includes. A copy without these lines.
static char *read_glsl(include_reader *r, const char *file, uint32_t line, const char *text) {
    char *const copy = ct_copy_string(r->c->allocator, text);
    ct_glsl_reader lines = ct_glsl_reader_of(copy, strlen(copy), line);
    ct_glsl_directive directive;
    while (ct_glsl_next_directive(&lines, &directive)) {
        if (ct_glsl_directive_is(&directive, "version"))
            ct_compile_error_at(r->c, file, directive.line, 0,
                                "found #version; the compiler puts \"#version 450\" first");
        if (ct_glsl_directive_is(&directive, "include")) {
            read_include(r, &directive, (glsl_place){file, directive.line});
            memset(copy + (directive.start - copy), ' ', directive.bytes);
        }
    }
    return copy;
}

// --- The shader ----------------------------------------------------------------------------------

static void read_listed(include_reader *r, ct_sjson_value v) {
    ct_compile *const c = r->c;
    const char *const path = ct_sjson_string(c->doc, v, NULL);
    if (!path) {
        ct_compile_error(c, c->doc, v, "shader.includes: found %s, expected a project path",
                         ct_sjson_type_name(ct_sjson_type_of(c->doc, v)));
        return;
    }
    if (is_read(r, path))
        return;
    uint64_t bytes = 0;
    const char *const text = ct_compile_read(c, path, &bytes, c->doc, v);
    if (text && strlen(text) != bytes)
        ct_compile_error(c, c->doc, v, "%s holds a zero byte; expected GLSL text", path);
    else if (text)
        add_file(r, path, text, (glsl_place){0});
}

static void read_stage(include_reader *r, const char **text, ct_sjson_value value) {
    if (*text)
        *text = read_glsl(r, r->c->path, ct_sjson_content_line(r->c->doc, value), *text);
}

void ct_worker_shader_read_includes(ct_compile *c, ct_worker_shader *s) {
    include_reader r = {.c = c, .s = s};
    ct_hash_map_init(&r.told_circles, c->allocator);
    for (ct_sjson_value v = ct_sjson_first(c->doc, s->source.includes); v.entry;
         v = ct_sjson_next(c->doc, v))
        read_listed(&r, v);
    read_stage(&r, &s->source.vertex, s->source.vertex_value);
    read_stage(&r, &s->source.fragment, s->source.fragment_value);
    read_stage(&r, &s->source.compute, s->source.compute_value);
}
