// string_builder.h: builds zero-terminated text piece by piece.
//
// A full buffer doubles in size. Pieces and format arguments must not point into it.
#pragma once
#include "foundation/memory/allocator.h"

typedef struct ct_string_builder {
    char *text; // zero-terminated once text was added; NULL before
    uint32_t length;
    uint32_t capacity;
    ct_allocator *allocator;
} ct_string_builder;

// Makes an empty builder; allocates nothing before the first piece.
void ct_string_builder_init(ct_string_builder *b, ct_allocator *a);

// Frees the text; the builder is then empty and usable.
void ct_string_builder_free(ct_string_builder *b);

// Empties the builder but keeps its memory.
void ct_string_builder_clear(ct_string_builder *b);

// Makes room for `length` more bytes, so that adding them does not move the text.
void ct_string_builder_reserve(ct_string_builder *b, uint32_t length);

// Appends a zero-terminated text.
void ct_string_builder_add(ct_string_builder *b, const char *text);

// Appends `length` bytes.
void ct_string_builder_add_bytes(ct_string_builder *b, const char *bytes, uint32_t length);

// Appends one byte.
void ct_string_builder_add_char(ct_string_builder *b, char c);

// Appends formatted text.
void ct_string_builder_addf(ct_string_builder *b, const char *format, ...) CT_PRINTF(2, 3);

// Returns the text so far; "" when empty. Borrowed until the builder next changes.
const char *ct_string_builder_text(const ct_string_builder *b);
