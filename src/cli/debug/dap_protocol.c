#include "cli/debug/dap_protocol.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "foundation/error.h"
#include "foundation/string/utf8.h"

#define LENGTH_NAME "Content-Length"

// --- Messages ------------------------------------------------------------------------------------

void ct_dap_reader_init(ct_dap_reader *r, ct_allocator *a) {
    memset(r, 0, sizeof(*r));
    ct_array_init(&r->bytes, a);
}

void ct_dap_reader_free(ct_dap_reader *r) {
    ct_array_free(&r->bytes);
    ct_dap_reader_init(r, r->bytes.allocator);
}

void ct_dap_reader_add(ct_dap_reader *r, const void *bytes, uint64_t count) {
    if (r->num_taken != 0) {
        ct_array_erase(&r->bytes, 0, r->num_taken);
        r->num_taken = 0;
    }
    ct_array_push_many(&r->bytes, (const uint8_t *)bytes, count);
}

bool ct_dap_reader_is_within(const ct_dap_reader *r) {
    return r->bytes.count != r->num_taken;
}

// --- Headers -------------------------------------------------------------------------------------

static bool refuse_line(const char *line, uint32_t length, const char *expected, ct_error *error) {
    char text[128], shown[256];
    snprintf(text, sizeof(text), "%.*s", (int)length, line);
    ct_utf8_write_printable(shown, sizeof(shown), text);
    return ct_error_set(error, "found \"%s\" in the headers of a message; expected %s", shown,
                        expected);
}

// The characters of names of headers.
static bool is_token(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
}

// Reads the number of bytes; `text` is the value of the header.
static bool read_length(ct_dap_reader *r, const char *line, uint32_t length, uint32_t value,
                        ct_error *error) {
    static const char expected[] = "`" LENGTH_NAME ": ` with the bytes of the message as a number";
    if (r->has_length)
        return refuse_line(line, length, "one " LENGTH_NAME " for each message", error);
    while (value < length && line[value] == ' ')
        ++value;
    uint32_t end = length;
    while (end > value && line[end - 1] == ' ')
        --end;
    uint64_t bytes = 0;
    for (uint32_t i = value; i < end; ++i) {
        if (line[i] < '0' || line[i] > '9' || end - value > 18)
            return refuse_line(line, length, expected, error);
        bytes = bytes * 10 + (uint64_t)(line[i] - '0');
    }
    if (value == end)
        return refuse_line(line, length, expected, error);
    if (bytes > CT_DAP_MAX_MESSAGE_BYTES)
        return ct_error_set(error, "a message of %llu bytes; expected at most %d",
                            (unsigned long long)bytes, CT_DAP_MAX_MESSAGE_BYTES);
    r->has_length = true;
    r->json_bytes = (uint32_t)bytes;
    return true;
}

static bool read_line(ct_dap_reader *r, const char *line, uint32_t length, ct_error *error) {
    if (length == 0) {
        r->is_in_json = true;
        return r->has_length ||
               ct_error_set(error, "the headers of a message have no " LENGTH_NAME);
    }
    uint32_t name = 0;
    while (name < length && is_token(line[name]))
        ++name;
    if (name == 0 || name == length || line[name] != ':')
        return refuse_line(line, length, "`NAME: VALUE`", error);
    const bool is_length = name == strlen(LENGTH_NAME) && strncasecmp(line, LENGTH_NAME, name) == 0;
    return !is_length || read_length(r, line, length, name + 1, error);
}

// Reads the header lines that are whole.
static bool read_headers(ct_dap_reader *r, ct_error *error) {
    while (!r->is_in_json) {
        const char *const line =
            r->bytes.count ? (const char *)r->bytes.items + r->num_taken + r->num_lines : "";
        const uint32_t left = r->bytes.count - r->num_taken - r->num_lines;
        const char *const end = left ? memchr(line, '\n', left) : NULL;
        const uint32_t length = end ? (uint32_t)(end - line) : left;
        if (r->num_lines + length > CT_DAP_MAX_HEADER_BYTES)
            return ct_error_set(error, "the headers of a message have more than %d bytes",
                                CT_DAP_MAX_HEADER_BYTES);
        if (!end)
            return true;
        if (length == 0 || line[length - 1] != '\r')
            return refuse_line(line, length, "lines that end with CR LF", error);
        r->num_lines += length + 1;
        if (!read_line(r, line, length - 1, error))
            return false;
    }
    return true;
}

ct_dap_result ct_dap_reader_next(ct_dap_reader *r, const char **json, uint32_t *json_bytes,
                                 ct_error *error) {
    if (!read_headers(r, error))
        return CT_DAP_RESULT_ERROR;
    if (!r->is_in_json || r->bytes.count - r->num_taken - r->num_lines < r->json_bytes)
        return CT_DAP_RESULT_NONE;
    *json = (const char *)r->bytes.items + r->num_taken + r->num_lines;
    *json_bytes = r->json_bytes;
    r->num_taken += r->num_lines + r->json_bytes;
    r->num_lines = r->json_bytes = 0;
    r->has_length = r->is_in_json = false;
    return CT_DAP_RESULT_MESSAGE;
}

void ct_dap_frame_write(ct_byte_array *out, const char *json, uint32_t json_bytes) {
    char header[64];
    const int length = snprintf(header, sizeof(header), LENGTH_NAME ": %u\r\n\r\n", json_bytes);
    ct_array_push_many(out, (const uint8_t *)header, (uint32_t)length);
    ct_array_push_many(out, (const uint8_t *)json, json_bytes);
}

// --- Members -------------------------------------------------------------------------------------

// Finds a member; null counts as none.
static ct_sjson_value find(ct_dap_object o, const char *name) {
    const ct_sjson_value v = ct_sjson_find(o.doc, o.value, name);
    return ct_sjson_type_of(o.doc, v) == CT_SJSON_TYPE_NULL ? (ct_sjson_value){0} : v;
}

static bool refuse(ct_dap_object o, const char *name, ct_sjson_value v, const char *expected,
                   ct_error *error) {
    if (v.entry == 0)
        return ct_error_set(error, "`%s` is missing; expected %s", name, expected);
    return ct_error_set(error, "`%s` is %s; expected %s", name,
                        ct_sjson_type_name(ct_sjson_type_of(o.doc, v)), expected);
}

static bool read_number(ct_dap_object o, const char *name, ct_sjson_value v, uint32_t *number,
                        ct_error *error) {
    static const char expected[] = "a whole number from 0 to 2147483647";
    if (ct_sjson_type_of(o.doc, v) != CT_SJSON_TYPE_NUMBER)
        return refuse(o, name, v, expected, error);
    const double found = ct_sjson_number(o.doc, v, 0);
    if (!(found >= 0 && found <= INT32_MAX) || found != (double)(uint32_t)found)
        return ct_error_set(error, "`%s` is %g; expected %s", name, found, expected);
    *number = (uint32_t)found;
    return true;
}

bool ct_dap_number(ct_dap_object o, const char *name, uint32_t *number, ct_error *error) {
    return read_number(o, name, find(o, name), number, error);
}

bool ct_dap_optional_number(ct_dap_object o, const char *name, uint32_t *number, ct_error *error) {
    const ct_sjson_value v = find(o, name);
    return v.entry == 0 || read_number(o, name, v, number, error);
}

bool ct_dap_optional_bool(ct_dap_object o, const char *name, bool *value, ct_error *error) {
    const ct_sjson_value v = find(o, name);
    if (v.entry != 0 && ct_sjson_type_of(o.doc, v) != CT_SJSON_TYPE_BOOL)
        return refuse(o, name, v, "true or false", error);
    *value = ct_sjson_bool(o.doc, v, *value);
    return true;
}

static bool read_string(ct_dap_object o, const char *name, ct_sjson_value v, const char **text,
                        ct_error *error) {
    if (ct_sjson_type_of(o.doc, v) != CT_SJSON_TYPE_STRING)
        return refuse(o, name, v, "a string", error);
    const char *const found = ct_sjson_string(o.doc, v, "");
    if (strlen(found) != ct_sjson_string_bytes(o.doc, v))
        return ct_error_set(error, "`%s` has a zero byte; expected text", name);
    *text = found;
    return true;
}

bool ct_dap_string(ct_dap_object o, const char *name, const char **text, ct_error *error) {
    return read_string(o, name, find(o, name), text, error);
}

bool ct_dap_optional_string(ct_dap_object o, const char *name, const char **text, ct_error *error) {
    const ct_sjson_value v = find(o, name);
    return v.entry == 0 || read_string(o, name, v, text, error);
}

static bool find_typed(ct_dap_object o, const char *name, ct_sjson_type type, ct_sjson_value *found,
                       ct_error *error) {
    *found = find(o, name);
    return found->entry == 0 || ct_sjson_type_of(o.doc, *found) == type ||
           refuse(o, name, *found, ct_sjson_type_name(type), error);
}

bool ct_dap_optional_array(ct_dap_object o, const char *name, ct_sjson_value *found,
                           ct_error *error) {
    return find_typed(o, name, CT_SJSON_TYPE_ARRAY, found, error);
}

bool ct_dap_optional_object(ct_dap_object o, const char *name, ct_sjson_value *found,
                            ct_error *error) {
    return find_typed(o, name, CT_SJSON_TYPE_OBJECT, found, error);
}

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
