#include "resource/resource_id.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

ct_resource_id ct_resource_id_of(const char *type, const char *name) {
    return (ct_resource_id){ct_string_id64_of(type), ct_string_id64_of(name)};
}

static void write_hexadecimal(uint64_t value, char text[16]) {
    for (int i = 15; i >= 0; --i, value >>= 4)
        text[i] = "0123456789abcdef"[value & 15];
}

void ct_resource_file_name(ct_resource_id id, char file_name[CT_RESOURCE_FILE_NAME_BYTES]) {
    write_hexadecimal(id.type.value, file_name);
    file_name[16] = '-';
    write_hexadecimal(id.name.value, file_name + 17);
    file_name[33] = 0;
}

void ct_resource_stream_name(ct_resource_id id, char file_name[CT_RESOURCE_FILE_NAME_BYTES]) {
    ct_resource_file_name(id, file_name);
    memcpy(file_name + 33, CT_RESOURCE_STREAM_SUFFIX, sizeof(CT_RESOURCE_STREAM_SUFFIX));
}

static bool is_canonical_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '/';
}

bool ct_resource_name_is_canonical(const char *name) {
    char last = '/'; // a slash at the start would make an empty part, too
    uint32_t length = 0;
    for (; name[length]; length++) {
        const char c = name[length];
        if (!is_canonical_char(c) || (c == '/' && last == '/') ||
            length + 1 >= CT_RESOURCE_NAME_BYTES)
            return false;
        last = c;
    }
    return last != '/';
}

// The character to write for byte `c`; 0 leaves it out.
static char canonical_char(unsigned char c) {
    if (c >= 'A' && c <= 'Z')
        return (char)(c - 'A' + 'a');
    if (c == '\\')
        return '/';
    if (c >= 0x80 && c < 0xc0)
        return 0; // a later byte of a UTF-8 character
    return is_canonical_char((char)c) ? (char)c : '_';
}

// The length of `name` without the extension that references do not have.
static size_t length_without_extension(const char *name) {
    const size_t length = strlen(name);
    size_t part = length;
    while (part > 0 && name[part - 1] != '/' && name[part - 1] != '\\')
        part--;
    const char *const dot = strchr(name + part, '.');
    return dot && dot > name + part ? (size_t)(dot - name) : length;
}

void ct_resource_name_suggest(const char *name, char suggestion[CT_RESOURCE_NAME_BYTES]) {
    const char *const start = strncmp(name, "./", 2) == 0 ? name + 2 : name;
    const size_t length = length_without_extension(start);
    uint32_t count = 0;
    for (size_t i = 0; i < length && count + 1 < CT_RESOURCE_NAME_BYTES; i++) {
        const char c = canonical_char((unsigned char)start[i]);
        const bool empty_part = c == '/' && (count == 0 || suggestion[count - 1] == '/');
        if (c && !empty_part)
            suggestion[count++] = c;
    }
    while (count > 0 && suggestion[count - 1] == '/')
        count--;
    suggestion[count] = 0;
    if (count == 0)
        snprintf(suggestion, CT_RESOURCE_NAME_BYTES, "unnamed");
}
