#include "cli/debug/dap_text.h"

#include <string.h>

#include "foundation/error.h"
#include "foundation/string/utf8.h"

// --- Columns -------------------------------------------------------------------------------------

// The length of the character at a place, and how many code units it has in UTF-16.
static uint32_t step(const char *text, uint32_t left, uint32_t *units) {
    const uint32_t length = ct_utf8_length(text, left);
    *units = length == 4 ? 2 : 1;
    return length != 0 ? length : 1;
}

uint32_t ct_dap_byte_at(const char *text, uint32_t bytes, uint64_t units) {
    uint32_t at = 0, width = 0;
    uint64_t passed = 0;
    while (at < bytes) {
        const uint32_t length = step(text + at, bytes - at, &width);
        if (passed + width > units)
            break;
        passed += width;
        at += length;
    }
    return at;
}

uint32_t ct_dap_units_of(const char *text, uint32_t bytes) {
    uint32_t units = 0, width = 0;
    for (uint32_t at = 0; at < bytes; units += width)
        at += step(text + at, bytes - at, &width);
    return units;
}

// --- URIs ----------------------------------------------------------------------------------------

static int digit_of(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool ct_dap_path_of_uri(const char *uri, char path[CT_PATH_BYTES], ct_error *error) {
    static const char *const starts[] = {"file://localhost/", "file:///"};
    const char *rest = NULL;
    for (uint32_t i = 0; i < CT_COUNT_OF(starts) && !rest; ++i) {
        if (strncmp(uri, starts[i], strlen(starts[i])) == 0)
            rest = uri + strlen(starts[i]) - 1;
    }
    if (!rest)
        return ct_error_set(error,
                            "\"%.200s\" is not a file of this machine; expected a URI "
                            "file:///PATH",
                            uri);
    uint32_t length = 0;
    for (; *rest != '\0' && *rest != '?' && *rest != '#'; ++length) {
        if (length + 1 >= CT_PATH_BYTES)
            return ct_error_set(error, "a path of more than %d bytes", CT_PATH_BYTES - 1);
        const int high = *rest == '%' ? digit_of(rest[1]) : 0;
        const int low = *rest == '%' && high >= 0 ? digit_of(rest[2]) : 0;
        if (high < 0 || low < 0 || (*rest == '%' && high == 0 && low == 0))
            return ct_error_set(error, "\"%.200s\" has a bad escape; expected %%XX", uri);
        path[length] = *rest == '%' ? (char)(high * 16 + low) : *rest;
        rest += *rest == '%' ? 3 : 1;
    }
    path[length] = '\0';
    return true;
}

void ct_dap_add_uri(ct_string_builder *out, const char *path) {
    static const char digits[] = "0123456789ABCDEF";
    ct_string_builder_add(out, "file://");
    for (const char *c = path; *c != '\0'; ++c) {
        const uint8_t byte = (uint8_t)*c;
        const bool is_letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
        if (is_letter || (byte >= '0' && byte <= '9') || strchr("/-._~", *c)) {
            ct_string_builder_add_char(out, *c);
        } else {
            ct_string_builder_add_char(out, '%');
            ct_string_builder_add_char(out, digits[byte >> 4]);
            ct_string_builder_add_char(out, digits[byte & 15]);
        }
    }
}

// --- Paths ---------------------------------------------------------------------------------------

bool ct_dap_tidy_path(const char *path, char out[CT_PATH_BYTES]) {
    if (path[0] != '/')
        return false;
    uint32_t length = 0;
    for (const char *part = path; *part != '\0';) {
        part += strspn(part, "/");
        const uint32_t bytes = (uint32_t)strcspn(part, "/");
        if (bytes == 2 && part[0] == '.' && part[1] == '.') {
            while (length > 0 && out[--length] != '/') {
            }
        } else if (bytes != 0 && !(bytes == 1 && part[0] == '.')) {
            if (length + 1 + bytes >= CT_PATH_BYTES)
                return false;
            out[length] = '/';
            memcpy(out + length + 1, part, bytes);
            length += 1 + bytes;
        }
        part += bytes;
    }
    if (length == 0)
        out[length++] = '/';
    out[length] = '\0';
    return true;
}
