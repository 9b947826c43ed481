// worker_font_characters.h: which characters the source of a font asks for.
#pragma once
#include "compiler/protocol/compile.h"
#include "foundation/container/bitset.h"
#include "resource/types/font_resource.h"

// A character that a source writes as it is.
typedef struct ct_worker_font_literal {
    uint32_t codepoint;
    ct_sjson_value at;
} ct_worker_font_literal;

typedef struct ct_worker_font_characters {
    ct_bitset codepoints; // of everything that is asked for
    CT_ARRAY(ct_worker_font_literal) literals;
} ct_worker_font_characters;

// Collects the characters of `characters` and of all variants of `strings`. Nothing in it needs to
// be freed. Returns false after reporting an error.
bool ct_worker_font_characters_read(ct_compile *c, const ct_font_source *source,
                                    ct_worker_font_characters *characters);
