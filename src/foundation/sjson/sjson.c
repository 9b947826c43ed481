#include "foundation/sjson/sjson.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "foundation/os/file.h"
#include "foundation/sjson/sjson_tokens.h"

ct_sjson *ct_sjson_read(ct_allocator *a, const char *path, const char *file, ct_error *error) {
    uint64_t size_bytes;
    char *const text = ct_file_read(a, path, &size_bytes, error);
    if (!text)
        return NULL;
    ct_sjson *const doc = ct_sjson_parse(a, text, size_bytes, file, NULL, error);
    ct_free(a, text);
    return doc;
}

void ct_sjson_free(ct_sjson *doc) {
    if (!doc)
        return;
    ct_allocator *const a = doc->allocator;
    ct_array_free(&doc->entries);
    ct_array_free(&doc->line_starts);
    ct_free_sized(a, doc->strings, doc->strings_bytes);
    ct_free(a, doc->file);
    ct_free_sized(a, doc, sizeof(*doc));
}

const char *ct_sjson_file(const ct_sjson *doc) {
    return doc->file;
}

const char *ct_sjson_type_name(ct_sjson_type type) {
    static const char *const names[] = {"nothing",  "null",     "a boolean", "a number",
                                        "a string", "an array", "an object"};
    CT_ASSERT((uint32_t)type < CT_COUNT_OF(names), "invalid type %d", (int)type);
    return names[type];
}

void ct_sjson_position(const ct_sjson *doc, ct_sjson_value v, uint32_t *line, uint32_t *column) {
    const ct_sjson_entry *const e = ct_sjson_entry_of(doc, v);
    *line = *column = 0;
    if (v.entry)
        ct_sjson_place_in_lines(&doc->line_starts, e->key ? e->key_source : e->source, line,
                                column);
}

uint32_t ct_sjson_content_line(const ct_sjson *doc, ct_sjson_value string) {
    const ct_sjson_entry *const e = ct_sjson_entry_of(doc, string);
    uint32_t line = 0, column;
    if (string.entry)
        ct_sjson_place_in_lines(&doc->line_starts, e->source, &line, &column);
    return line + (e->is_next_line ? 1 : 0);
}

ct_sjson_value ct_sjson_find(const ct_sjson *doc, ct_sjson_value object, const char *key) {
    if (ct_sjson_type_of(doc, object) != CT_SJSON_TYPE_OBJECT)
        return (ct_sjson_value){0};
    ct_sjson_value v = ct_sjson_first(doc, object);
    while (v.entry && strcmp(ct_sjson_key(doc, v), key) != 0)
        v = ct_sjson_next(doc, v);
    return v;
}

bool ct_sjson_error(const ct_sjson *doc, ct_sjson_value v, ct_error *error, const char *format,
                    ...) {
    char message[CT_ERROR_MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof(message), format, arguments);
    va_end(arguments);
    uint32_t line, column;
    ct_sjson_position(doc, v, &line, &column);
    return ct_error_set_at(error, doc->file, line, column, "%s", message);
}
