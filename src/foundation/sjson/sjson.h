// sjson.h: reads SJSON (and thus JSON) into a flat, read-only tape.
//
// A document is one array of entries in the order of the text. The entry of a container stores how
// many children it has and where it ends, so skipping a value is O(1) and values need no
// allocations of their own. Strings are zero-terminated UTF-8 in one buffer of the document, with
// escapes resolved (a string value may hold \u0000, a key may not). Every value knows its byte
// offset in the source; line and column are computed from it on demand (for errors). The text
// itself is not kept. Threads may share a document as long as none frees it. Syntax:
// docs/formats/sjson.md.
#pragma once
#include "foundation/container/array.h"
#include "foundation/error.h"

typedef struct ct_sjson ct_sjson;

// A value of one document; {0} means no value. The root is an object (or an array, if the limits
// allow one; for ct_sjson_parse_value, any value).
typedef struct ct_sjson_value {
    uint32_t entry;
} ct_sjson_value;

typedef enum ct_sjson_type {
    CT_SJSON_TYPE_NONE, // no such value
    CT_SJSON_TYPE_NULL,
    CT_SJSON_TYPE_BOOL,
    CT_SJSON_TYPE_NUMBER,
    CT_SJSON_TYPE_STRING,
    CT_SJSON_TYPE_ARRAY,
    CT_SJSON_TYPE_OBJECT,
} ct_sjson_type;

typedef struct ct_sjson_limits {
    uint32_t max_depth; // of nested containers, with the root; 0 means 512
    uint64_t max_bytes; // of the text; 0 means 1 GiB; 4 GiB or more are never read
    bool takes_array;   // the root may be an array in brackets, as in JSON
} ct_sjson_limits;

// Returns the limits that apply when a reader is given `limits` (NULL is fine), with every 0
// replaced.
ct_sjson_limits ct_sjson_limits_in_force(const ct_sjson_limits *limits);

// Parses `size_bytes` of text (not necessarily zero-terminated). `file` names the text in errors
// and is copied; `limits` may be NULL. Returns NULL with `error` (file, line, column, what was
// found and what was expected) for anything that is not SJSON, including a repeated key in one
// object, invalid UTF-8 and a zero byte.
ct_sjson *ct_sjson_parse(ct_allocator *a, const char *text, uint64_t size_bytes, const char *file,
                         const ct_sjson_limits *limits, ct_error *error);

// Parses a text that is one value of any type: `[1 2 3]`, `"wood"`, `{ a = 1 }`. Otherwise as
// ct_sjson_parse.
ct_sjson *ct_sjson_parse_value(ct_allocator *a, const char *text, uint64_t size_bytes,
                               const char *file, const ct_sjson_limits *limits, ct_error *error);

// Reads and parses the file `path`, which errors call `file`.
ct_sjson *ct_sjson_read(ct_allocator *a, const char *path, const char *file, ct_error *error);

// Frees the document with all its strings; NULL is fine.
void ct_sjson_free(ct_sjson *doc);

// Returns the name given to ct_sjson_parse.
const char *ct_sjson_file(const ct_sjson *doc);

// Returns the root of the document.
static inline ct_sjson_value ct_sjson_root(const ct_sjson *doc);
// Returns the type of a value; NONE for {0}.
static inline ct_sjson_type ct_sjson_type_of(const ct_sjson *doc, ct_sjson_value v);

// Returns the name of a type for errors: "an object", "a string", …; "nothing" for NONE.
const char *ct_sjson_type_name(ct_sjson_type type);

// Sets the line and column (starting at 1) where the value (for a member: its key) starts in the
// source.
void ct_sjson_position(const ct_sjson *doc, ct_sjson_value v, uint32_t *line, uint32_t *column);

// Returns the source line on which the content of a string starts: in a `"""` string whose quotes
// end their line, the next line. For errors inside embedded sources (shaders).
uint32_t ct_sjson_content_line(const ct_sjson *doc, ct_sjson_value string);

// Returns the number of elements of an array or members of an object; 0 for other types.
static inline uint32_t ct_sjson_count(const ct_sjson *doc, ct_sjson_value container);

// Return the first child, and the one after `v` in the same container; {0} at the end. O(1).
static inline ct_sjson_value ct_sjson_first(const ct_sjson *doc, ct_sjson_value container);
static inline ct_sjson_value ct_sjson_next(const ct_sjson *doc, ct_sjson_value v);

// Returns the key of a member of an object; NULL for an element of an array. Borrowed from the
// document.
static inline const char *ct_sjson_key(const ct_sjson *doc, ct_sjson_value member);

// Returns the member of `object` named `key`, or {0} (also when `object` is not an object). Linear.
ct_sjson_value ct_sjson_find(const ct_sjson *doc, ct_sjson_value object, const char *key);

// Return the content of a value, or `otherwise` for another type and for {0}. Strings are borrowed
// from the document.
static inline bool ct_sjson_bool(const ct_sjson *doc, ct_sjson_value v, bool otherwise);
static inline double ct_sjson_number(const ct_sjson *doc, ct_sjson_value v, double otherwise);
static inline const char *ct_sjson_string(const ct_sjson *doc, ct_sjson_value v,
                                          const char *otherwise);

// Returns the length in bytes of a string value; 0 for other types.
static inline uint32_t ct_sjson_string_bytes(const ct_sjson *doc, ct_sjson_value v);

// Fills `error` with the position of `v` and a message. Returns false.
bool ct_sjson_error(const ct_sjson *doc, ct_sjson_value v, ct_error *error, const char *format, ...)
    CT_PRINTF(4, 5);

// --- The tape, for the inline functions only -----------------------------------------------------

// One value. The entries of a container's contents follow it.
typedef struct ct_sjson_entry {
    uint8_t type;                // ct_sjson_type
    bool is_last;                // the last one in its container
    bool is_next_line;           // strings: the content starts on the line after the quotes
    uint8_t key_tag;             // from the key's length and end; different for most different keys
    uint32_t key;                // offset in the strings; 0 for an element of an array
    uint32_t key_source, source; // offsets in the text
    union {
        double number;
        bool boolean;
        struct {
            uint32_t offset, bytes;
        } string;
        struct {
            uint32_t count, end; // `end` is the entry after the last one inside it
        } container;
    } as;
} ct_sjson_entry;

typedef CT_ARRAY(ct_sjson_entry) ct_sjson_entry_array;

struct ct_sjson {
    ct_allocator *allocator;
    char *file;
    ct_sjson_entry_array entries; // entry 0 means no value, 1 is the root
    ct_u32_array line_starts;     // offsets in the text of the second and later lines
    char *strings;                // each followed by a zero byte; the first is ""
    uint64_t strings_bytes;
    uint32_t strings_used;
};

// Returns the entry of a value. A value of another document is a bug, detected when it is out of
// range.
static inline const ct_sjson_entry *ct_sjson_entry_of(const ct_sjson *doc, ct_sjson_value v) {
    CT_ASSERT(v.entry < doc->entries.count, "value %u is not a value of the document %s", v.entry,
              doc->file);
    return &doc->entries.items[v.entry];
}

static inline ct_sjson_value ct_sjson_root(const ct_sjson *doc) {
    (void)doc;
    return (ct_sjson_value){1};
}

static inline ct_sjson_type ct_sjson_type_of(const ct_sjson *doc, ct_sjson_value v) {
    return (ct_sjson_type)ct_sjson_entry_of(doc, v)->type;
}

static inline uint32_t ct_sjson_count(const ct_sjson *doc, ct_sjson_value container) {
    const ct_sjson_entry *const e = ct_sjson_entry_of(doc, container);
    return e->type >= CT_SJSON_TYPE_ARRAY ? e->as.container.count : 0;
}

static inline ct_sjson_value ct_sjson_first(const ct_sjson *doc, ct_sjson_value container) {
    return (ct_sjson_value){ct_sjson_count(doc, container) ? container.entry + 1 : 0};
}

static inline ct_sjson_value ct_sjson_next(const ct_sjson *doc, ct_sjson_value v) {
    const ct_sjson_entry *const e = ct_sjson_entry_of(doc, v);
    if (e->is_last)
        return (ct_sjson_value){0};
    return (ct_sjson_value){e->type >= CT_SJSON_TYPE_ARRAY ? e->as.container.end : v.entry + 1};
}

static inline const char *ct_sjson_key(const ct_sjson *doc, ct_sjson_value member) {
    const ct_sjson_entry *const e = ct_sjson_entry_of(doc, member);
    return e->key ? doc->strings + e->key : NULL;
}

static inline bool ct_sjson_bool(const ct_sjson *doc, ct_sjson_value v, bool otherwise) {
    const ct_sjson_entry *const e = ct_sjson_entry_of(doc, v);
    return e->type == CT_SJSON_TYPE_BOOL ? e->as.boolean : otherwise;
}

static inline double ct_sjson_number(const ct_sjson *doc, ct_sjson_value v, double otherwise) {
    const ct_sjson_entry *const e = ct_sjson_entry_of(doc, v);
    return e->type == CT_SJSON_TYPE_NUMBER ? e->as.number : otherwise;
}

static inline const char *ct_sjson_string(const ct_sjson *doc, ct_sjson_value v,
                                          const char *otherwise) {
    const ct_sjson_entry *const e = ct_sjson_entry_of(doc, v);
    return e->type == CT_SJSON_TYPE_STRING ? doc->strings + e->as.string.offset : otherwise;
}

static inline uint32_t ct_sjson_string_bytes(const ct_sjson *doc, ct_sjson_value v) {
    const ct_sjson_entry *const e = ct_sjson_entry_of(doc, v);
    return e->type == CT_SJSON_TYPE_STRING ? e->as.string.bytes : 0;
}
