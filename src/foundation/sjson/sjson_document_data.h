// sjson_document_data.h: data shared by the files of the document; no other file includes it.
//
// Node i is entry i of the tape (type, key, value), spans[i] and links[i]. Node 0 means no node,
// node 1 is the root. Offsets point into `text`: the source, followed by the text that edits have
// inserted.
//
//     lead        key        value            children of a container   tail
//     \n    //c   a     =    [                 1 2 3                     ]
//     ^lead       ^key       ^value                                      ^tail ^end
//              lead_end^  head_end^
//
// In nodes as parsed, lead_end == key and head_end == value, and the text of a container from
// `value` to `end` holds everything in it unchanged. is_changed marks a container for which this no
// longer holds: it must be put together from its children (and so must its parent).
#pragma once
#include "foundation/sjson/sjson_document.h"
#include "foundation/sjson/sjson_gap.h"
#include "foundation/sjson/sjson_tokens.h"

typedef struct ct_sjson_spans {
    uint32_t lead, lead_end; // from the end of what comes before it
    uint32_t key, head_end;  // the key and its assignment; in arrays, both equal `value`
    uint32_t value;
    uint32_t tail; // containers: from the end of the last child to `end`, with the bracket
    uint32_t end;
} ct_sjson_spans;

typedef struct ct_sjson_links {
    uint32_t parent, next, previous, first, last;
    bool is_changed; // containers
    bool is_closed;  // containers whose children an outline left out
    bool is_bare;    // the root without braces
} ct_sjson_links;

// How the document is written, determined when it is first edited.
typedef struct ct_sjson_document_style {
    bool is_known;
    bool has_commas, has_quoted_keys;
    char line_end[4];
    char indent[20];    // of one level
    char assign[20];    // between a key and its value
    char in_object[20]; // between members on one line, without the comma
    char in_array[20];
} ct_sjson_document_style;

struct ct_sjson_document {
    ct_allocator *allocator;
    char *file;
    ct_sjson_limits limits; // max_depth and max_bytes are not 0
    CT_ARRAY(char) text;    // borrowed while its capacity is 0
    uint32_t source_bytes;
    uint32_t source_begin;     // after a byte order mark
    uint32_t trailer;          // where the source after the root starts
    uint32_t num_source_nodes; // including node 0; later nodes were inserted
    ct_sjson_entry_array entries;
    CT_ARRAY(ct_sjson_spans) spans;
    CT_ARRAY(ct_sjson_links) links;
    ct_u32_array outlined; // for an outline: the entry of the tape that each node comes from
    ct_u32_array line_starts;
    // Keys and strings: the tape's, then those of inserted values, with continuing offsets.
    char *strings;
    uint64_t strings_bytes;
    CT_ARRAY(char) added_strings;
    ct_sjson_document_style style;
    bool prefers_json;
};

// Makes a document of a text, which is borrowed, with node 0 only.
ct_sjson_document *ct_sjson_document_create(ct_allocator *a, const char *text, uint64_t size_bytes,
                                            const char *file, const ct_sjson_limits *limits);

// Takes over the contents of the tape (its entries, unless they were freed) and frees the rest of
// it.
void ct_sjson_document_take_tape(ct_sjson_document *doc, ct_sjson *tape);

// Parses a document, or (if not `is_document`) one value of any type.
ct_sjson_document *ct_sjson_document_parse_any(ct_allocator *a, const char *text,
                                               uint64_t size_bytes, const char *file,
                                               const ct_sjson_limits *limits, bool is_document,
                                               ct_error *error);

// Sets the spans and links of the `count` nodes from `first` on, which are the entries of one parse
// (the first is the root), for the parsed text from `begin` to `end`.
void ct_sjson_document_place_nodes(ct_sjson_document *doc, uint32_t first, uint32_t count,
                                   uint32_t begin, uint32_t end);

// Returns whether a node is an array or an object.
static inline bool ct_sjson_document_is_container(const ct_sjson_document *doc, uint32_t node) {
    return doc->entries.items[node].type >= CT_SJSON_TYPE_ARRAY;
}

// Returns where the gap after the last child of a container ends: at the closing bracket.
static inline uint32_t ct_sjson_document_tail_end(const ct_sjson_document *doc, uint32_t node) {
    return doc->spans.items[node].end - (doc->links.items[node].is_bare ? 0 : 1);
}

// Return the gap before a node, and the gap before the end of a container.
ct_sjson_gap ct_sjson_document_gap_before(const ct_sjson_document *doc, uint32_t node);
ct_sjson_gap ct_sjson_document_gap_at_end(const ct_sjson_document *doc, uint32_t container);

// Returns the gap before the node `before`, or at the end of the container when `before` is 0.
ct_sjson_gap ct_sjson_document_gap_at(const ct_sjson_document *doc, uint32_t container,
                                      uint32_t before);

// Appends the blanks at the start of the line on which the node starts.
void ct_sjson_document_add_indent(const ct_sjson_document *doc, uint32_t node,
                                  ct_string_builder *out);

// Returns the token of a member's key; its offsets count from spans[member].key.
ct_sjson_token ct_sjson_document_key_token(const ct_sjson_document *doc, uint32_t member);

// Return the style of the whole document, and the style inside one of its containers.
const ct_sjson_document_style *ct_sjson_document_style_of(ct_sjson_document *doc);
ct_sjson_document_style ct_sjson_document_style_in(ct_sjson_document *doc, uint32_t container);

// Returns whether comments and raw strings would be out of place in this style.
bool ct_sjson_document_style_is_json(const ct_sjson_document_style *style);

// Appends a key as the style requires.
void ct_sjson_document_add_key(const ct_sjson_document_style *style, const char *key,
                               ct_string_builder *out);

// Appends the value of `node` of `from` in a style. The lines after the first are indented from
// `indent` on. Line breaks and comments stay.
void ct_sjson_document_restyle(const ct_sjson_document *from, uint32_t node,
                               const ct_sjson_document_style *style, const char *indent,
                               ct_string_builder *out);

// The comments that belong to a value: those before it, and those after it on its line.
typedef struct ct_sjson_document_companions {
    const ct_sjson_document *doc;
    ct_sjson_gap before, after;
} ct_sjson_document_companions;

// Returns the companions of a node; a root has none.
ct_sjson_document_companions ct_sjson_document_companions_of(const ct_sjson_document *doc,
                                                             uint32_t node);

// Where a value is inserted, and how the text looks there.
typedef struct ct_sjson_document_place {
    uint32_t container, previous, before;
    ct_sjson_gap gap; // the existing one
    ct_sjson_document_style style;
    ct_string_builder indent, end_indent; // of the new value's line; of the container's
    bool is_broken;                       // the value gets its own line
} ct_sjson_document_place;

// Determines the place before `before` of a container, or at its end, for a value with these
// companions. A value with comments before it gets its own lines, even in a container on one line,
// as the comments would otherwise belong to the value before. `is_block` also gives the value its
// own line where no other value shows the layout.
ct_sjson_document_place ct_sjson_document_find_place(ct_sjson_document *doc, uint32_t container,
                                                     uint32_t before, bool is_block,
                                                     const ct_sjson_document_companions *c);
void ct_sjson_document_free_place(ct_sjson_document_place *p);

// Appends the gaps before and after a value that is inserted there.
void ct_sjson_document_make_gaps(const ct_sjson_document *doc, const ct_sjson_document_place *p,
                                 const ct_sjson_document_companions *c, ct_string_builder *lead_out,
                                 ct_string_builder *rest_out);

// Appends the gap that replaces a node and the gaps on both sides of it.
void ct_sjson_document_make_joined_gap(ct_sjson_document *doc, uint32_t node,
                                       ct_string_builder *out);
