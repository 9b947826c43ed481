#include "foundation/string/string_builder.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "foundation/container/array.h"
#include "foundation/error.h"

void ct_string_builder_init(ct_string_builder *b, ct_allocator *a) {
    *b = (ct_string_builder){.allocator = a};
}

void ct_string_builder_free(ct_string_builder *b) {
    ct_free_sized(b->allocator, b->text, b->capacity);
    ct_string_builder_init(b, b->allocator);
}

void ct_string_builder_clear(ct_string_builder *b) {
    b->length = 0;
    if (b->text)
        b->text[0] = 0;
}

// Makes room for `length` more bytes and the zero after them.
static void reserve(ct_string_builder *b, uint64_t length) {
    b->text = ct_array_grown(b->allocator, b->text, 1, &b->capacity, b->length + length + 1);
}

void ct_string_builder_reserve(ct_string_builder *b, uint32_t length) {
    reserve(b, length);
    b->text[b->length] = 0;
}

void ct_string_builder_add(ct_string_builder *b, const char *text) {
    const uint64_t length = strlen(text);
    CT_REQUIRE(length <= UINT32_MAX, "a piece of text has %llu bytes, more than 4 GiB",
               (unsigned long long)length);
    ct_string_builder_add_bytes(b, text, (uint32_t)length);
}

void ct_string_builder_add_bytes(ct_string_builder *b, const char *bytes, uint32_t length) {
    reserve(b, length);
    ct_array_copy(b->text, b->length, bytes, 1, length);
    b->length += length;
    b->text[b->length] = 0;
}

void ct_string_builder_add_char(ct_string_builder *b, char c) {
    reserve(b, 1);
    b->text[b->length++] = c;
    b->text[b->length] = 0;
}

void ct_string_builder_addf(ct_string_builder *b, const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    CT_ASSERT(length >= 0, "vsnprintf failed on the format \"%s\"", format);
    reserve(b, (uint64_t)length);
    vsnprintf(b->text + b->length, (size_t)length + 1, format, again);
    va_end(again);
    b->length += (uint32_t)length;
}

const char *ct_string_builder_text(const ct_string_builder *b) {
    return b->text ? b->text : "";
}
