#include "project/glsl_directive.h"

#include <string.h>

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

static const char *skip_blanks(const char *at, const char *end) {
    while (at < end && is_blank(*at))
        ++at;
    return at;
}

// Follows where block comments begin and end in a line.
static bool ends_in_comment(const char *line, size_t length, bool is_in_comment) {
    for (size_t i = 0; i + 1 < length; ++i) {
        if (is_in_comment ? line[i] == '*' && line[i + 1] == '/'
                          : line[i] == '/' && line[i + 1] == '*') {
            is_in_comment = !is_in_comment;
            ++i;
        } else if (!is_in_comment && line[i] == '/' && line[i + 1] == '/') {
            break;
        }
    }
    return is_in_comment;
}

bool ct_glsl_next_directive(ct_glsl_reader *r, ct_glsl_directive *directive) {
    while (r->at < r->end) {
        const char *const start = r->at;
        const char *const feed = memchr(start, '\n', (size_t)(r->end - start));
        const char *const stop = feed ? feed : r->end;
        const char *const word = skip_blanks(start, stop);
        const bool is_directive = !r->is_in_comment && word < stop && *word == '#';
        r->is_in_comment = ends_in_comment(start, (size_t)(stop - start), r->is_in_comment);
        r->at = feed ? feed + 1 : stop;
        const uint32_t line = r->line++;
        if (!is_directive)
            continue;
        *directive = (ct_glsl_directive){.start = start,
                                         .bytes = (uint32_t)(stop - start),
                                         .line = line,
                                         .name = skip_blanks(word + 1, stop)};
        return true;
    }
    return false;
}

bool ct_glsl_directive_is(const ct_glsl_directive *directive, const char *name) {
    const size_t length = strlen(name);
    const size_t left = (size_t)(directive->start + directive->bytes - directive->name);
    if (left < length || memcmp(directive->name, name, length) != 0)
        return false;
    const char next = left > length ? directive->name[length] : '\0';
    return strchr(" \t\"<\r", next) != NULL; // or the end
}

const char *ct_glsl_directive_rest(const ct_glsl_directive *directive, uint32_t *bytes) {
    const char *const end = directive->start + directive->bytes;
    const char *at = directive->name;
    while (at < end && ((*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z')))
        ++at;
    at = skip_blanks(at, end);
    const char *const feed = memchr(at, '\r', (size_t)(end - at));
    *bytes = (uint32_t)((feed ? feed : end) - at);
    return at;
}

const char *ct_glsl_included_path(const ct_glsl_directive *directive, uint32_t *bytes) {
    const char *const rest = ct_glsl_directive_rest(directive, bytes);
    if (*bytes < 3 || *rest != '"')
        return NULL;
    const char *const quote = memchr(rest + 1, '"', *bytes - 1);
    if (!quote || quote == rest + 1)
        return NULL;
    *bytes = (uint32_t)(quote - rest - 1);
    return rest + 1;
}
