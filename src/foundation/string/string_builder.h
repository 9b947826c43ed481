// string_builder.h: builds zero-terminated text piece by piece.
//
// The buffer doubles when it is full. Pieces, and what is formatted, must not lie in it.
#pragma once
#include "foundation/memory/allocator.h"

typedef struct ct_string_builder {
    char *text; // zero-terminated once something was added; NULL before
    uint32_t length;
    uint32_t capacity;
    ct_allocator *allocator;
} ct_string_builder;

// Makes an empty builder; nothing is allocated before the first piece.
void ct_string_builder_init(ct_string_builder *b, ct_allocator *a);

// Frees the text; the builder is empty and usable afterwards.
void ct_string_builder_free(ct_string_builder *b);

// Empties the builder, keeps its memory.
void ct_string_builder_clear(ct_string_builder *b);

// Makes room for `length` more bytes, so that adding them moves nothing.
void ct_string_builder_reserve(ct_string_builder *b, uint32_t length);

// Appends a zero-terminated text.
void ct_string_builder_add(ct_string_builder *b, const char *text);

// Appends `length` bytes.
void ct_string_builder_add_bytes(ct_string_builder *b, const char *bytes, uint32_t length);

// Appends one byte.
void ct_string_builder_add_char(ct_string_builder *b, char c);

// Appends formatted text.
void ct_string_builder_addf(ct_string_builder *b, const char *format, ...) CT_PRINTF(2, 3);

// The text so far; "" when empty. Borrowed until the builder next changes.
const char *ct_string_builder_text(const ct_string_builder *b);
