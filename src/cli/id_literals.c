#include "cli/id_literals.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "foundation/os/path.h"
#include "foundation/string/string_builder.h"
#include "foundation/string/string_id.h"

// A file being looked at.
typedef struct scan {
    ct_id_literals *literals;
    const char *path, *text;
    const char *line_start; // of the line that `line` counts
    uint32_t line;
    ct_string_builder string; // the text of the literal in hand
    ct_string_builder fixed;  // what is behind `copied` is not in it yet
    const char *copied;
} scan;

// --- C's strings and spaces ----------------------------------------------------------------------

static const char *skip_space(const char *at) {
    while (isspace((unsigned char)*at))
        ++at;
    return at;
}

// Reads the escape behind a backslash to `string`; returns what follows, or NULL when C has no
// such.
static const char *read_escape(const char *at, ct_string_builder *string) {
    static const char names[] = "abfnrtv\\\"'?", values[] = "\a\b\f\n\r\t\v\\\"'?";
    const char *const found = *at != '\0' ? strchr(names, *at) : NULL;
    char *end = NULL;
    if (found) {
        ct_string_builder_add_char(string, values[found - names]);
        return at + 1;
    }
    if (*at == 'x' && isxdigit((unsigned char)at[1])) {
        ct_string_builder_add_char(string, (char)strtoul(at + 1, &end, 16));
        return end;
    }
    const size_t num_digits = strspn(at, "01234567");
    if (num_digits == 0)
        return NULL;
    uint32_t value = 0;
    for (size_t i = 0; i < num_digits && i < 3; ++i)
        value = value * 8 + (uint32_t)(*at++ - '0');
    ct_string_builder_add_char(string, (char)value);
    return at;
}

// Reads one or more adjacent string literals. Returns NULL when one does not end.
static const char *read_string(const char *at, ct_string_builder *string) {
    while (*at == '"') {
        for (++at; *at != '"';) {
            if (*at == '\0' || *at == '\n')
                return NULL;
            if (*at != '\\')
                ct_string_builder_add_char(string, *at++);
            else if (!(at = read_escape(at + 1, string)))
                return NULL;
        }
        at = skip_space(at + 1);
    }
    return at;
}

// --- Literals ------------------------------------------------------------------------------------

static void report(scan *s, const char *at, const char *found, const char *expected) {
    while (true) {
        const char *const end = strchr(s->line_start, '\n');
        if (!end || end >= at)
            break;
        s->line_start = end + 1;
        ++s->line;
    }
    ct_error error = {0};
    ct_error_set_at(&error, s->path, s->line, (uint32_t)(at - s->line_start) + 1,
                    "found %s, expected %s", found, expected);
    s->literals->report(s->literals->user, &error);
}

// Puts the right number in the place of `length` bytes.
static void fix(scan *s, const char *at, size_t length, const char *right) {
    ct_string_builder_add_bytes(&s->fixed, s->copied, (uint32_t)(at - s->copied));
    ct_string_builder_add(&s->fixed, right);
    s->copied = at + length;
    ++s->literals->num_fixed;
}

static uint64_t id_of(const ct_string_builder *string, bool is_wide) {
    const char *const text = ct_string_builder_text(string);
    return is_wide ? ct_string_id64_of_bytes(text, string->length).value
                   : ct_string_id32_of_bytes(text, string->length).value;
}

// Checks the text after the name of a macro; returns where to go on.
static const char *check_literal(scan *s, const char *at, bool is_wide) {
    const char *const open = skip_space(at);
    const char *const quote = *open == '(' ? skip_space(open + 1) : open;
    if (*open != '(' || *quote != '"')
        return at; // the macro's definition, or its name in a text
    ++s->literals->num_literals;
    ct_string_builder_clear(&s->string);
    const char *const comma = read_string(quote, &s->string);
    const char *const number = comma && *comma == ',' ? skip_space(comma + 1) : NULL;
    const size_t length = number ? strspn(number, "0123456789abcdefABCDEFxXuUlL") : 0;
    if (length == 0 || !isdigit((unsigned char)*number) || *skip_space(number + length) != ')') {
        ++s->literals->num_wrong;
        report(s, number ? number : quote, "something else",
               "a text in quotes, a comma, a number and a bracket");
        return quote;
    }
    const uint64_t right_id = id_of(&s->string, is_wide);
    char right[24], found[64];
    snprintf(right, sizeof(right), "0x%0*" PRIx64, is_wide ? 16 : 8, right_id);
    snprintf(found, sizeof(found), "%.*s", (int)(length < 60 ? length : 60), number);
    char *end = NULL;
    const uint64_t id = strtoull(found, &end, 0);
    if (id == right_id && end == found + strcspn(found, "uUlL"))
        return number + length;
    ++s->literals->num_wrong;
    if (s->literals->fixes)
        fix(s, number, length, right);
    else
        report(s, number, found, right);
    return number + length;
}

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

static void scan_text(scan *s) {
    for (const char *at = s->text; (at = strstr(at, "CT_ID"));) {
        const bool is_wide = strncmp(at + 5, "64", 2) == 0;
        const bool is_name = is_wide || strncmp(at + 5, "32", 2) == 0;
        if (!is_name || is_word(at[7]) || (at > s->text && is_word(at[-1])))
            at += 5;
        else
            at = check_literal(s, at + 7, is_wide);
    }
}

static bool scan_file(ct_id_literals *l, const char *path, ct_error *error) {
    uint64_t size_bytes = 0;
    char *const text = ct_file_read(l->allocator, path, &size_bytes, error);
    if (!text)
        return false;
    ++l->num_files;
    const uint32_t num_fixed = l->num_fixed;
    scan s = {.literals = l, .path = path, .text = text, .line_start = text, .line = 1};
    s.copied = text;
    ct_string_builder_init(&s.string, l->allocator);
    ct_string_builder_init(&s.fixed, l->allocator);
    scan_text(&s);
    bool is_done = true;
    if (l->num_fixed != num_fixed) {
        const uint64_t rest = size_bytes - (uint64_t)(s.copied - text);
        ct_string_builder_add_bytes(&s.fixed, s.copied, (uint32_t)rest);
        is_done = ct_file_write(path, s.fixed.text, s.fixed.length, false, error);
    }
    ct_string_builder_free(&s.fixed);
    ct_string_builder_free(&s.string);
    ct_free(l->allocator, text);
    return is_done;
}

// --- Folders -------------------------------------------------------------------------------------

typedef struct walk {
    ct_id_literals *literals;
    const char *folder;
    ct_error *error;
    bool has_failed;
} walk;

static bool is_source(const char *path) {
    static const char *const endings[] = {".c", ".h", ".cpp", ".hpp", ".inl"};
    const char *const dot = strrchr(path, '.');
    for (uint32_t i = 0; dot && i < CT_COUNT_OF(endings); ++i) {
        if (strcmp(dot, endings[i]) == 0)
            return true;
    }
    return false;
}

static bool visit_file(void *user, const ct_found_file *file) {
    walk *const w = user;
    char path[CT_PATH_BYTES];
    if (!is_source(file->path))
        return true;
    if (!ct_path_try_join(path, w->folder, file->path))
        w->has_failed =
            !ct_error_set(w->error, "%s/%s: the path is too long", w->folder, file->path);
    else
        w->has_failed = !scan_file(w->literals, path, w->error);
    return !w->has_failed;
}

bool ct_id_literals_scan(ct_id_literals *l, const char *path, ct_error *error) {
    const ct_file_kind kind = ct_os_file_info(path).kind;
    if (kind == CT_FILE_KIND_NONE)
        return ct_error_set_at(error, path, 0, 0, "this file or folder does not exist");
    if (kind != CT_FILE_KIND_FOLDER)
        return scan_file(l, path, error);
    walk w = {.literals = l, .folder = path, .error = error};
    return ct_folder_walk(path, visit_file, &w, error) && !w.has_failed;
}
