// sjson_gap.h: the text between two values of SJSON: blanks, line ends, comments, a comma.
//
// For the lossless document. A gap has three parts, each of which may be empty:
//
//     a = 1, // of a      [begin, trailing_end): belongs to what comes before it
//     // of no one
//                         [trailing_end, own_begin): up to the last blank line
//     // of b             [own_begin, end): belongs to the value that follows
//     b = 2
//
// The second and third part start with a line end, or are on the line of the first.
#pragma once
#include "foundation/string/string_builder.h"

typedef enum ct_sjson_gap_item_kind {
    CT_SJSON_GAP_ITEM_KIND_END,
    CT_SJSON_GAP_ITEM_KIND_BLANKS,
    CT_SJSON_GAP_ITEM_KIND_LINE_END, // "\n" or "\r\n"
    CT_SJSON_GAP_ITEM_KIND_COMMENT,  // without the line end
    CT_SJSON_GAP_ITEM_KIND_COMMA,
} ct_sjson_gap_item_kind;

// A piece of a gap: the bytes from `begin` up to, not including, `end`.
typedef struct ct_sjson_gap_item {
    ct_sjson_gap_item_kind kind;
    uint32_t begin, end;
    bool is_line_comment;
} ct_sjson_gap_item;

// Returns the item of the gap's text that starts at `at`; END at `end`.
ct_sjson_gap_item ct_sjson_gap_item_at(const char *text, uint32_t at, uint32_t end);

// A gap and the positions of its three parts; offsets in the text.
typedef struct ct_sjson_gap {
    uint32_t begin, trailing_end, own_begin, end;
    bool has_comma, has_line_end, has_comment;
} ct_sjson_gap;

typedef enum ct_sjson_gap_place {
    CT_SJSON_GAP_PLACE_BETWEEN, // before a value
    CT_SJSON_GAP_PLACE_START,   // before the first value of a text without braces
    CT_SJSON_GAP_PLACE_TAIL,    // before a container's end
} ct_sjson_gap_place;

// Finds the parts of the gap from `begin` to `end`.
ct_sjson_gap ct_sjson_gap_read(const char *text, uint32_t begin, uint32_t end,
                               ct_sjson_gap_place place);

// A gap built from pieces, between two values, or between a value and a bracket.
typedef struct ct_sjson_gap_builder {
    ct_string_builder *text;
    const char *line_end, *indent; // added after a comment that ends its line; borrowed
} ct_sjson_gap_builder;

// Appends a piece. After a comment that reaches to the line end, the piece starts a new line.
void ct_sjson_gap_add(ct_sjson_gap_builder *b, const char *piece, uint32_t bytes);

// Appends the finished gap to `out` so that the text stays SJSON: with one comma or none, not ended
// by a comment that would hide what follows, and (with `is_between`, between two values) not empty.
// A missing comma comes first; extra commas are left out.
void ct_sjson_gap_finish(ct_sjson_gap_builder *b, bool needs_comma, bool is_between,
                         ct_string_builder *out);
