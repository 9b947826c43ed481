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

// Reads 16 digits as written by write_hexadecimal; returns false at the first invalid one.
static bool read_hexadecimal(const char *text, uint64_t *value) {
    *value = 0;
    for (uint32_t i = 0; i < 16; ++i) {
        const char c = text[i];
        const bool is_letter = c >= 'a' && c <= 'f';
        if (!is_letter && !(c >= '0' && c <= '9'))
            return false;
        *value = *value << 4 | (uint64_t)(is_letter ? c - 'a' + 10 : c - '0');
    }
    return true;
}

bool ct_resource_file_name_read(const char *file_name, ct_resource_id *id, bool *is_stream) {
    if (!read_hexadecimal(file_name, &id->type.value) || file_name[16] != '-' ||
        !read_hexadecimal(file_name + 17, &id->name.value))
        return false;
    *is_stream = strcmp(file_name + 33, CT_RESOURCE_STREAM_SUFFIX) == 0;
    return *is_stream || file_name[33] == 0;
}

static bool is_canonical_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '/';
}

bool ct_resource_name_is_canonical(const char *name) {
    char last = '/'; // a slash at the start would make an empty part, too
    uint32_t length = 0;
    for (; name[length]; ++length) {
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

// Returns the length of `name` without an extension, which references do not have.
static size_t length_without_extension(const char *name) {
    const size_t length = strlen(name);
    size_t part = length;
    while (part > 0 && name[part - 1] != '/' && name[part - 1] != '\\')
        --part;
    const char *const dot = strchr(name + part, '.');
    return dot && dot > name + part ? (size_t)(dot - name) : length;
}

// Removes the last part of the suggestion; returns false when there is none.
static bool remove_part(const char *suggestion, uint32_t *count) {
    if (*count == 0)
        return false;
    while (*count > 0 && suggestion[--*count] != '/')
        ;
    return true;
}

// Adds a part, unless nothing is left of it when its characters are made canonical.
static void add_part(const char *part, size_t length, char *suggestion, uint32_t *count) {
    const uint32_t first = *count;
    uint32_t end = first > 0 ? first + 1 : 0;
    for (size_t i = 0; i < length && end + 1 < CT_RESOURCE_NAME_BYTES; ++i) {
        const char c = canonical_char((unsigned char)part[i]);
        if (c)
            suggestion[end++] = c;
    }
    if (end <= first + (first > 0))
        return;
    if (first > 0)
        suggestion[first] = '/';
    *count = end;
}

bool ct_resource_name_suggest(const char *name, char suggestion[CT_RESOURCE_NAME_BYTES]) {
    const char *const end = name + length_without_extension(name);
    uint32_t count = 0;
    bool is_inside = true;
    for (const char *part = name; part < end;) {
        const size_t left = (size_t)(end - part);
        size_t length = 0;
        while (length < left && part[length] != '/' && part[length] != '\\')
            ++length;
        if (length == 2 && memcmp(part, "..", 2) == 0)
            is_inside &= remove_part(suggestion, &count);
        else if (length != 1 || part[0] != '.')
            add_part(part, length, suggestion, &count);
        part += length < left ? length + 1 : length;
    }
    suggestion[count] = 0;
    if (count == 0)
        snprintf(suggestion, CT_RESOURCE_NAME_BYTES, "unnamed");
    return is_inside;
}

const char *ct_resource_name_inside(const char *path, const char *project) {
    const size_t length = project ? strlen(project) : 0;
    const bool is_inside = length > 0 && strncmp(path, project, length) == 0 && path[length] == '/';
    return is_inside ? path + length + 1 : path;
}

void ct_resource_name_advise(const char *name, const char *project,
                             char advice[CT_RESOURCE_ADVICE_BYTES]) {
    char suggestion[CT_RESOURCE_NAME_BYTES];
    if (name[0] == 0)
        snprintf(advice, CT_RESOURCE_ADVICE_BYTES, CT_RESOURCE_EMPTY);
    else if (ct_resource_name_suggest(ct_resource_name_inside(name, project), suggestion))
        snprintf(advice, CT_RESOURCE_ADVICE_BYTES, "write \"%s\"", suggestion);
    else
        snprintf(advice, CT_RESOURCE_ADVICE_BYTES, CT_RESOURCE_LEADS_OUT);
}
