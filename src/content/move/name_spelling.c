#include "content/move/name_spelling.h"

#include <string.h>

#include "foundation/os/path.h"
#include "foundation/string/hex.h"
#include "foundation/string/string_builder.h"

size_t ct_uri_decode(const char *uri, size_t bytes, char text[CT_PATH_BYTES]) {
    size_t length = 0;
    if (bytes >= CT_PATH_BYTES)
        bytes = 0;
    for (size_t i = 0; i < bytes; ++i) {
        const bool is_escape = uri[i] == '%' && bytes - i > 2 && ct_hex_digit(uri[i + 1]) >= 0 &&
                               ct_hex_digit(uri[i + 2]) >= 0;
        const int value = is_escape ? ct_hex_digit(uri[i + 1]) << 4 | ct_hex_digit(uri[i + 2]) : 0;
        text[length++] = value >= ' ' ? (char)value : uri[i];
        i += value >= ' ' ? 2 : 0;
    }
    text[length] = 0;
    return length;
}

void ct_model_file_name(char *path) {
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyz0123456789_.-/";
    for (char *c = path; *c; ++c) {
        *c = *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c;
        *c = strchr(allowed, *c) ? *c : '_';
    }
}

// --- Names ---------------------------------------------------------------------------------------

static void add_escaped(ct_string_builder *out, const char *text, char quote) {
    for (; *text; ++text) {
        const unsigned char c = (unsigned char)*text;
        if (c < ' ')
            ct_string_builder_addf(out, "\\u%04x", c);
        else if (c == '\\' || c == '"' || c == (unsigned char)quote)
            ct_string_builder_addf(out, "\\%c", c);
        else
            ct_string_builder_add_char(out, *text);
    }
}

const char *ct_name_spell(ct_allocator *a, ct_content_kind kind, char quote, const char *name) {
    ct_string_builder out;
    ct_string_builder_init(&out, a);
    if (kind == CT_CONTENT_KIND_SOURCE && (quote == '"' || quote == '\''))
        add_escaped(&out, name, quote);
    else
        ct_string_builder_add(&out, name);
    return ct_string_builder_text(&out);
}

// --- Paths ---------------------------------------------------------------------------------------

// How paths were written.
typedef struct spelling {
    const char *old;
    size_t old_bytes;
    bool is_uri, is_renamed;
    char separator;
} spelling;

static bool is_in_uri(char c) {
    return (unsigned char)c >= 0x80 || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || strchr("-._~!$&'()*+,;=@", c);
}

static void add_uri(ct_string_builder *out, const char *part, size_t bytes) {
    for (size_t i = 0; i < bytes; ++i) {
        if (is_in_uri(part[i]))
            ct_string_builder_add_char(out, part[i]);
        else
            ct_string_builder_addf(out, "%%%02x", (unsigned char)part[i]);
    }
}

static bool is_same(const spelling *s, const char *old, size_t old_bytes, const char *part,
                    size_t bytes) {
    char plain[CT_PATH_BYTES];
    size_t length = ct_uri_decode(old, old_bytes, plain);
    if (!s->is_uri) {
        length = old_bytes < CT_PATH_BYTES ? old_bytes : 0;
        memcpy(plain, old, length);
        plain[length] = 0;
    }
    if (length == bytes && memcmp(plain, part, bytes) == 0)
        return true;
    ct_model_file_name(plain);
    return s->is_renamed && length == bytes && memcmp(plain, part, bytes) == 0;
}

// Appends a part as it was written, or else as the format has it.
static void add_part(const spelling *s, ct_string_builder *out, const char *part, size_t bytes) {
    const char *const end = s->old + s->old_bytes;
    for (const char *at = s->old; at < end;) {
        const char *const separator = memchr(at, s->separator, (size_t)(end - at));
        const char *const stop = separator ? separator : end;
        if (is_same(s, at, (size_t)(stop - at), part, bytes)) {
            ct_string_builder_add_bytes(out, at, (uint32_t)(stop - at));
            return;
        }
        at = stop + 1;
    }
    if (s->is_uri)
        add_uri(out, part, bytes);
    else
        ct_string_builder_add_bytes(out, part, (uint32_t)bytes);
}

const char *ct_path_spell(ct_allocator *a, ct_content_kind kind, uint32_t flags, const char *old,
                          size_t old_bytes, const char *path) {
    ct_string_builder out;
    ct_string_builder_init(&out, a);
    spelling s = {.old = old,
                  .old_bytes = old_bytes,
                  .is_uri = kind == CT_CONTENT_KIND_GLTF,
                  .is_renamed = (flags & CT_MENTION_RENAMED) != 0,
                  .separator = '/'};
    if (s.is_uri && memchr(old, '\\', old_bytes))
        s.old_bytes = 0; // escapes of JSON
    else if (!s.is_uri && !memchr(old, '/', old_bytes) && memchr(old, '\\', old_bytes))
        s.separator = '\\';
    if (s.old_bytes >= 2 && old[0] == '.' && old[1] == s.separator)
        ct_string_builder_add_bytes(&out, old, 2);
    for (const char *part = path;; ++part) {
        const size_t bytes = strcspn(part, "/");
        add_part(&s, &out, part, bytes);
        part += bytes;
        if (!*part)
            break;
        ct_string_builder_add_char(&out, s.separator);
    }
    return ct_string_builder_text(&out);
}
