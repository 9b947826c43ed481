#include "foundation/sjson.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "foundation/array.h"
#include "foundation/error.h"
#include "foundation/file.h"
#include "foundation/hash_map.h"
#include "foundation/sjson_number.h"
#include "foundation/sjson_tokens.h"
#include "foundation/string_id.h"

enum {
    DEFAULT_MAX_DEPTH = 512,
    DEFAULT_MAX_BYTES = 1 << 30,
    // Objects up to this many members look for a doubled key by walking them; larger ones use a
    // map.
    SMALL_OBJECT = 16,
};

// One value. A container is followed by all below it.
typedef struct entry {
    uint8_t type;      // ct_sjson_type
    bool is_last;      // of its container
    bool is_next_line; // strings: the content starts on the line after the quotes
    uint8_t key_tag;   // from the key's length and end; differs for most keys that differ
    uint32_t key;      // offset in the strings; 0 for an array's element
    uint32_t key_source;
    uint32_t source;
    union {
        double number;
        bool boolean;
        struct {
            uint32_t offset, bytes;
        } string;
        struct {
            uint32_t count, end; // `end` is the entry after the last one below it
        } container;
    } as;
} entry;

struct ct_sjson {
    ct_allocator *allocator;
    char *file;
    CT_ARRAY(entry) entries;        // 0 is none, 1 the root
    CT_ARRAY(uint32_t) line_starts; // source offsets of the second line and on
    char *strings;                  // each followed by a zero byte; the first is ""
    uint64_t strings_bytes;
};

// A container that is being read.
typedef struct frame {
    uint32_t entry;
    uint32_t last_child; // 0 while there is none
    uint32_t count;
    bool is_array;
    bool is_bare;     // the root without braces
    bool after_comma; // a comma was read, and no value after it
} frame;

typedef struct parser {
    ct_sjson *doc;
    ct_sjson_tokenizer tokens;
    ct_sjson_token token; // the next one
    CT_ARRAY(frame) frames;
    ct_hash_map keys; // of large objects; from a hash of object and key to entry and object
    uint32_t strings_used;
    uint32_t max_depth;
    ct_error *error;
} parser;

// --- Parsing -------------------------------------------------------------------------------------

static bool advance(parser *p) {
    return ct_sjson_tokenizer_next(&p->tokens, &p->token, p->error);
}

static frame *top_frame(parser *p) {
    return &p->frames.items[p->frames.count - 1];
}

// Fails at the next token: `expected WHAT, found TOKEN`.
static bool unexpected(parser *p, const char *expected) {
    char found[128];
    ct_sjson_token_describe(&p->tokens, &p->token, found, sizeof(found));
    return ct_sjson_tokenizer_error(&p->tokens, p->token.begin, p->error, "expected %s, found %s",
                                    expected, found);
}

static uint32_t add_entry(parser *p, ct_sjson_type type, uint32_t source) {
    ct_sjson *const doc = p->doc;
    if (doc->entries.count == doc->entries.capacity)
        ct_array_reserve(&doc->entries, doc->entries.count + 1);
    doc->entries.items[doc->entries.count] = (entry){.type = (uint8_t)type, .source = source};
    return doc->entries.count++;
}

// Appends the token's content to the strings. There is always room: no string is longer than its
// source, and the end of a string or a key's "=" in the source pays for its zero byte.
static bool add_string(parser *p, uint32_t *offset, uint32_t *bytes) {
    *offset = p->strings_used;
    char *const out = p->doc->strings + p->strings_used;
    if (!ct_sjson_token_decode(&p->tokens, &p->token, out, bytes, p->error))
        return false;
    p->strings_used += *bytes + 1;
    return true;
}

static bool push_container(parser *p, uint32_t index, bool is_array) {
    if (p->frames.count == p->max_depth)
        return ct_sjson_tokenizer_error(&p->tokens, p->token.begin, p->error,
                                        "more than %u objects and arrays inside each other",
                                        p->max_depth);
    ct_array_push(&p->frames, (frame){.entry = index, .is_array = is_array});
    return true;
}

static void pop_container(parser *p) {
    const frame *const f = top_frame(p);
    entry *const entries = p->doc->entries.items;
    entries[f->entry].as.container.count = f->count;
    entries[f->entry].as.container.end = p->doc->entries.count;
    if (f->last_child)
        entries[f->last_child].is_last = true;
    --p->frames.count;
}

// --- Doubled keys --------------------------------------------------------------------------------

static bool same_key(const ct_sjson *doc, uint32_t a, uint32_t b) {
    const entry *const x = &doc->entries.items[a], *const y = &doc->entries.items[b];
    return x->key_tag == y->key_tag && strcmp(doc->strings + x->key, doc->strings + y->key) == 0;
}

// Enters a member of the object `owner` into the map of keys. Returns the member of the same key
// that is there already, or 0.
static uint32_t enter_key(parser *p, uint32_t owner, uint32_t member) {
    const char *const key = p->doc->strings + p->doc->entries.items[member].key;
    uint64_t hash = ct_string_id64_of(key).value ^ (owner * 0x9e3779b97f4a7c15u);
    for (;; ++hash) {
        const uint64_t there = ct_hash_map_get(&p->keys, hash, 0);
        if (!there) {
            ct_hash_map_set(&p->keys, hash, (uint64_t)owner << 32 | member);
            return 0;
        }
        if (there >> 32 == owner && same_key(p->doc, (uint32_t)there, member))
            return (uint32_t)there;
    }
}

static uint32_t next_entry(const ct_sjson *doc, uint32_t index) {
    const entry *const e = &doc->entries.items[index];
    const bool is_container = e->type >= CT_SJSON_TYPE_ARRAY;
    return e->is_last ? 0 : is_container ? e->as.container.end : index + 1;
}

// The earlier member of the object with the key of `member`, which is not counted in `f` yet; 0
// when there is none.
static uint32_t earlier_member(parser *p, const frame *f, uint32_t member) {
    if (f->count > SMALL_OBJECT)
        return enter_key(p, f->entry, member);
    uint32_t earlier = f->entry + 1;
    for (uint32_t i = 0; i < f->count; ++i, earlier = next_entry(p->doc, earlier)) {
        if (same_key(p->doc, earlier, member))
            return earlier;
    }
    if (f->count < SMALL_OBJECT)
        return 0;
    earlier = f->entry + 1;
    for (uint32_t i = 0; i < f->count; ++i, earlier = next_entry(p->doc, earlier))
        enter_key(p, f->entry, earlier);
    return enter_key(p, f->entry, member);
}

// --- Values --------------------------------------------------------------------------------------

static bool not_a_number(parser *p, const char *wrong) {
    char found[128];
    ct_sjson_token_describe(&p->tokens, &p->token, found, sizeof(found));
    return ct_sjson_tokenizer_error(&p->tokens, p->token.begin, p->error, "%s is not a number: %s",
                                    found, wrong);
}

// True for the words by which C and Python name what is not finite.
static bool is_infinite_word(const char *text, uint32_t bytes) {
    static const char *const words[] = {"nan", "inf", "infinity"};
    for (uint32_t i = 0; i < CT_COUNT_OF(words); ++i) {
        if (strlen(words[i]) == bytes && strncasecmp(text, words[i], bytes) == 0)
            return true;
    }
    return false;
}

static bool parse_word(parser *p, uint32_t index) {
    const char *const text = p->tokens.text + p->token.begin;
    const uint32_t bytes = p->token.end - p->token.begin;
    entry *const e = &p->doc->entries.items[index];
    if ((bytes == 4 && memcmp(text, "true", 4) == 0) ||
        (bytes == 5 && memcmp(text, "false", 5) == 0)) {
        e->type = CT_SJSON_TYPE_BOOL;
        e->as.boolean = bytes == 4;
    } else if (bytes == 4 && memcmp(text, "null", 4) == 0) {
        e->type = CT_SJSON_TYPE_NULL;
    } else if (strchr("+-.0123456789", *text)) {
        e->type = CT_SJSON_TYPE_NUMBER;
        char *const scratch = p->doc->strings + p->strings_used;
        const char *const wrong = ct_sjson_number_parse(text, bytes, scratch, &e->as.number);
        if (wrong)
            return not_a_number(p, wrong);
    } else if (is_infinite_word(text, bytes)) {
        return not_a_number(p, "numbers are finite");
    } else {
        return unexpected(p, "a value (strings need quotes)");
    }
    return advance(p);
}

static bool parse_string(parser *p, uint32_t index) {
    entry *const e = &p->doc->entries.items[index];
    e->type = CT_SJSON_TYPE_STRING;
    e->is_next_line = p->token.kind == CT_SJSON_TOKEN_KIND_RAW_STRING &&
                      p->token.content_begin > p->token.begin + 3;
    return add_string(p, &e->as.string.offset, &e->as.string.bytes) && advance(p);
}

static bool value_missing(parser *p, uint32_t index) {
    const uint32_t key = p->doc->entries.items[index].key;
    if (!key)
        return unexpected(p, "a value or \"]\"");
    char expected[256];
    snprintf(expected, sizeof(expected), "a value for the key \"%.200s\"", p->doc->strings + key);
    return unexpected(p, expected);
}

// Reads the value at the next token into the entry `index`; of a container only its start.
static bool parse_value(parser *p, uint32_t index) {
    p->doc->entries.items[index].source = p->token.begin;
    switch (p->token.kind) {
    case CT_SJSON_TOKEN_KIND_WORD:
        return parse_word(p, index);
    case CT_SJSON_TOKEN_KIND_STRING:
    case CT_SJSON_TOKEN_KIND_RAW_STRING:
        return parse_string(p, index);
    case CT_SJSON_TOKEN_KIND_OPEN_OBJECT:
        p->doc->entries.items[index].type = CT_SJSON_TYPE_OBJECT;
        return push_container(p, index, false) && advance(p);
    case CT_SJSON_TOKEN_KIND_OPEN_ARRAY:
        p->doc->entries.items[index].type = CT_SJSON_TYPE_ARRAY;
        return push_container(p, index, true) && advance(p);
    default:
        return value_missing(p, index);
    }
}

static bool doubled_key_error(parser *p, uint32_t earlier, const char *key) {
    uint32_t line, column;
    const uint32_t source = p->doc->entries.items[earlier].key_source;
    ct_sjson_tokenizer_place(&p->tokens, source, &line, &column);
    return ct_sjson_tokenizer_error(&p->tokens, p->token.begin, p->error,
                                    "the key \"%.200s\" stands twice in one object (first in line "
                                    "%u, column %u)",
                                    key, line, column);
}

// Reads the key at the next token into the new entry `member`.
static bool parse_key(parser *p, uint32_t member) {
    uint32_t offset, bytes;
    if (!add_string(p, &offset, &bytes))
        return false;
    const char *const key = p->doc->strings + offset;
    if (memchr(key, 0, bytes))
        return ct_sjson_tokenizer_error(&p->tokens, p->token.begin, p->error,
                                        "a key must not hold \\u0000");
    entry *const e = &p->doc->entries.items[member];
    e->key = offset;
    e->key_source = p->token.begin;
    e->key_tag = (uint8_t)(bytes * 31 + (bytes ? (uint8_t)key[bytes - 1] : 0));
    const uint32_t earlier = earlier_member(p, top_frame(p), member);
    return earlier ? doubled_key_error(p, earlier, key) : true;
}

static void count_child(frame *f, uint32_t child) {
    f->last_child = child;
    ++f->count;
    f->after_comma = false;
}

static bool assign_missing(parser *p, uint32_t member) {
    const char *const key = p->doc->strings + p->doc->entries.items[member].key;
    char expected[256];
    snprintf(expected, sizeof(expected), "\"=\" or \":\" after the key \"%.200s\"", key);
    return unexpected(p, expected);
}

static bool parse_member(parser *p) {
    if (p->token.kind != CT_SJSON_TOKEN_KIND_STRING && p->token.kind != CT_SJSON_TOKEN_KIND_WORD) {
        const bool is_bare = top_frame(p)->is_bare;
        return unexpected(p, is_bare ? "a key or the end of the file" : "a key or \"}\"");
    }
    const uint32_t member = add_entry(p, CT_SJSON_TYPE_NONE, p->token.begin);
    if (!parse_key(p, member) || !advance(p))
        return false;
    if (p->token.kind != CT_SJSON_TOKEN_KIND_ASSIGN)
        return assign_missing(p, member);
    count_child(top_frame(p), member);
    return advance(p) && parse_value(p, member);
}

static bool parse_element(parser *p) {
    const uint32_t element = add_entry(p, CT_SJSON_TYPE_NONE, p->token.begin);
    count_child(top_frame(p), element);
    return parse_value(p, element);
}

// --- Documents -----------------------------------------------------------------------------------

static bool parse_comma(parser *p) {
    frame *const f = top_frame(p);
    if (f->count == 0 || f->after_comma)
        return unexpected(p, f->is_array ? "a value" : "a key");
    f->after_comma = true;
    return advance(p);
}

static bool end_in_container(parser *p) {
    const frame *const f = top_frame(p);
    uint32_t line, column;
    const uint32_t source = p->doc->entries.items[f->entry].source;
    ct_sjson_tokenizer_place(&p->tokens, source, &line, &column);
    char expected[128];
    snprintf(expected, sizeof(expected), "%s for the %s in line %u, column %u",
             f->is_array ? "\"]\"" : "\"}\"", f->is_array ? "\"[\"" : "\"{\"", line, column);
    return unexpected(p, expected);
}

// Takes the next comma, closing bracket, or child of the innermost container.
static bool parse_step(parser *p) {
    const frame *const f = top_frame(p);
    if (p->token.kind == CT_SJSON_TOKEN_KIND_COMMA)
        return parse_comma(p);
    if (p->token.kind == CT_SJSON_TOKEN_KIND_END && !f->is_bare)
        return end_in_container(p);
    const ct_sjson_token_kind closing = f->is_bare    ? CT_SJSON_TOKEN_KIND_END
                                        : f->is_array ? CT_SJSON_TOKEN_KIND_CLOSE_ARRAY
                                                      : CT_SJSON_TOKEN_KIND_CLOSE_OBJECT;
    if (p->token.kind == closing) {
        pop_container(p);
        return advance(p);
    }
    return f->is_array ? parse_element(p) : parse_member(p);
}

static bool parse_document(parser *p) {
    if (!advance(p))
        return false;
    add_entry(p, CT_SJSON_TYPE_NONE, 0);
    const uint32_t root = add_entry(p, CT_SJSON_TYPE_OBJECT, p->token.begin);
    if (p->token.kind == CT_SJSON_TOKEN_KIND_OPEN_ARRAY)
        return unexpected(p, "an object or a key");
    if (!push_container(p, root, false))
        return false;
    p->doc->entries.items[root].is_last = true;
    if (p->token.kind != CT_SJSON_TOKEN_KIND_OPEN_OBJECT)
        top_frame(p)->is_bare = true;
    else if (!advance(p))
        return false;
    while (p->frames.count) {
        if (!parse_step(p))
            return false;
    }
    return p->token.kind == CT_SJSON_TOKEN_KIND_END || unexpected(p, "the end of the file");
}

static void find_lines(ct_sjson *doc, const char *text, uint32_t size_bytes) {
    const char *at = text;
    const char *const end = text + size_bytes;
    while (at < end && (at = memchr(at, '\n', (size_t)(end - at)))) {
        ++at;
        ct_array_push(&doc->line_starts, (uint32_t)(at - text));
    }
}

static ct_sjson *create_document(ct_allocator *a, const char *file, uint32_t size_bytes) {
    ct_sjson *const doc = CT_NEW(a, ct_sjson);
    doc->allocator = a;
    doc->file = ct_copy_string(a, file);
    ct_array_init(&doc->entries, a);
    ct_array_init(&doc->line_starts, a);
    // One byte for "" and one for the zero byte after a key or number at the text's end.
    doc->strings_bytes = (uint64_t)size_bytes + 2;
    doc->strings = ct_alloc(a, doc->strings_bytes);
    doc->strings[0] = 0;
    return doc;
}

ct_sjson *ct_sjson_parse(ct_allocator *a, const char *text, uint64_t size_bytes, const char *file,
                         const ct_sjson_limits *limits, ct_error *error) {
    const uint64_t asked = limits && limits->max_bytes ? limits->max_bytes : DEFAULT_MAX_BYTES;
    const uint64_t most = asked < UINT32_MAX - 16 ? asked : UINT32_MAX - 16;
    if (size_bytes > most) {
        ct_error_set_at(error, file, 0, 0, "the text has %llu bytes; at most %llu are read",
                        (unsigned long long)size_bytes, (unsigned long long)most);
        return NULL;
    }
    parser p = {.strings_used = 1, .error = error};
    p.max_depth = limits && limits->max_depth ? limits->max_depth : DEFAULT_MAX_DEPTH;
    if (!ct_sjson_tokenizer_init(&p.tokens, text, (uint32_t)size_bytes, file, error))
        return NULL;
    p.doc = create_document(a, file ? file : "", p.tokens.size_bytes);
    ct_array_init(&p.frames, a);
    ct_hash_map_init(&p.keys, a);
    const bool ok = parse_document(&p);
    ct_array_free(&p.frames);
    ct_hash_map_free(&p.keys);
    if (!ok) {
        ct_sjson_free(p.doc);
        return NULL;
    }
    find_lines(p.doc, p.tokens.text, p.tokens.size_bytes);
    return p.doc;
}

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

// --- Reading the tape ----------------------------------------------------------------------------

static const entry *entry_of(const ct_sjson *doc, ct_sjson_value v) {
    CT_ASSERT(v.entry < doc->entries.count, "value %u is of another document than %s", v.entry,
              doc->file);
    return &doc->entries.items[v.entry];
}

const char *ct_sjson_file(const ct_sjson *doc) {
    return doc->file;
}

ct_sjson_value ct_sjson_root(const ct_sjson *doc) {
    (void)doc;
    return (ct_sjson_value){1};
}

ct_sjson_type ct_sjson_type_of(const ct_sjson *doc, ct_sjson_value v) {
    return (ct_sjson_type)entry_of(doc, v)->type;
}

const char *ct_sjson_type_name(ct_sjson_type type) {
    static const char *const names[] = {"nothing",  "null",     "a boolean", "a number",
                                        "a string", "an array", "an object"};
    CT_ASSERT((uint32_t)type < CT_COUNT_OF(names), "%d is no type", (int)type);
    return names[type];
}

static void place_of(const ct_sjson *doc, uint32_t source, uint32_t *line, uint32_t *column) {
    uint32_t low = 0, high = doc->line_starts.count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (doc->line_starts.items[middle] <= source)
            low = middle + 1;
        else
            high = middle;
    }
    *line = low + 1;
    *column = source - (low ? doc->line_starts.items[low - 1] : 0) + 1;
}

void ct_sjson_position(const ct_sjson *doc, ct_sjson_value v, uint32_t *line, uint32_t *column) {
    const entry *const e = entry_of(doc, v);
    *line = *column = 0;
    if (v.entry)
        place_of(doc, e->key ? e->key_source : e->source, line, column);
}

uint32_t ct_sjson_content_line(const ct_sjson *doc, ct_sjson_value string) {
    const entry *const e = entry_of(doc, string);
    uint32_t line = 0, column;
    if (string.entry)
        place_of(doc, e->source, &line, &column);
    return line + (e->is_next_line ? 1 : 0);
}

uint32_t ct_sjson_count(const ct_sjson *doc, ct_sjson_value container) {
    const entry *const e = entry_of(doc, container);
    return e->type >= CT_SJSON_TYPE_ARRAY ? e->as.container.count : 0;
}

ct_sjson_value ct_sjson_first(const ct_sjson *doc, ct_sjson_value container) {
    return (ct_sjson_value){ct_sjson_count(doc, container) ? container.entry + 1 : 0};
}

ct_sjson_value ct_sjson_next(const ct_sjson *doc, ct_sjson_value v) {
    entry_of(doc, v); // checks v
    return (ct_sjson_value){v.entry ? next_entry(doc, v.entry) : 0};
}

const char *ct_sjson_key(const ct_sjson *doc, ct_sjson_value member) {
    const entry *const e = entry_of(doc, member);
    return e->key ? doc->strings + e->key : NULL;
}

ct_sjson_value ct_sjson_find(const ct_sjson *doc, ct_sjson_value object, const char *key) {
    if (ct_sjson_type_of(doc, object) != CT_SJSON_TYPE_OBJECT)
        return (ct_sjson_value){0};
    ct_sjson_value v = ct_sjson_first(doc, object);
    while (v.entry && strcmp(ct_sjson_key(doc, v), key) != 0)
        v = ct_sjson_next(doc, v);
    return v;
}

bool ct_sjson_bool(const ct_sjson *doc, ct_sjson_value v, bool otherwise) {
    const entry *const e = entry_of(doc, v);
    return e->type == CT_SJSON_TYPE_BOOL ? e->as.boolean : otherwise;
}

double ct_sjson_number(const ct_sjson *doc, ct_sjson_value v, double otherwise) {
    const entry *const e = entry_of(doc, v);
    return e->type == CT_SJSON_TYPE_NUMBER ? e->as.number : otherwise;
}

const char *ct_sjson_string(const ct_sjson *doc, ct_sjson_value v, const char *otherwise) {
    const entry *const e = entry_of(doc, v);
    return e->type == CT_SJSON_TYPE_STRING ? doc->strings + e->as.string.offset : otherwise;
}

uint32_t ct_sjson_string_bytes(const ct_sjson *doc, ct_sjson_value v) {
    const entry *const e = entry_of(doc, v);
    return e->type == CT_SJSON_TYPE_STRING ? e->as.string.bytes : 0;
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
