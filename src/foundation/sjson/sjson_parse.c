#include "foundation/sjson/sjson.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "foundation/container/hash_map.h"
#include "foundation/sjson/sjson_number.h"
#include "foundation/sjson/sjson_tokens.h"
#include "foundation/string/string_id.h"

enum {
    COPY_STEP = 16,
    FIRST_ENTRIES = 4096, // read before the density of the values is estimated
    DENSE_BYTES = 8,
    DEFAULT_MAX_DEPTH = 512,
    DEFAULT_MAX_BYTES = 1 << 30,
    // Objects with up to this many members are walked to find repeated keys; larger ones use a
    // map.
    SMALL_OBJECT = 16,
};

typedef ct_sjson_entry entry;

// A container that is being parsed.
typedef struct frame {
    uint32_t entry;
    uint32_t last_child; // 0 before the first one
    uint32_t count;
    uint8_t closing; // the kind of the token that ends it
    bool is_array;
    bool is_bare;      // the root without braces
    bool after_comma;  // a comma was read, and no value after it
    uint64_t key_tags; // a bit for the low part of each member's key_tag
} frame;

typedef struct parser {
    ct_sjson *doc;
    ct_sjson_tokenizer tokens;
    ct_sjson_entry_array entries; // become the document's
    CT_ARRAY(frame) frames;
    frame *top;       // the last of them
    ct_hash_map keys; // of large objects; from a hash of object and key to entry and object
    char *strings;    // the document's
    uint32_t strings_used;
    uint32_t max_depth;
    bool takes_array; // as the root
    ct_error *error;
} parser;

// --- Parsing -------------------------------------------------------------------------------------

// Fails at the token: `expected WHAT, found TOKEN`.
static bool unexpected(parser *p, ct_sjson_token token, const char *expected) {
    char found[128];
    ct_sjson_token_describe(&p->tokens, token, found, sizeof(found));
    return ct_sjson_tokenizer_error(&p->tokens, token.begin, p->error, "expected %s, found %s",
                                    expected, found);
}

// Makes room for as many entries as the text will have if it continues as it began, and some more.
// So the few first entries are moved once, and the many later ones mostly never. A text that is
// dense only at first takes at most the room of one value for every DENSE_BYTES.
__attribute__((noinline)) static void grow_entries(parser *p) {
    const uint64_t count = p->entries.count, size_bytes = p->tokens.size_bytes;
    const uint64_t expected = count * size_bytes / (p->tokens.at + 1),
                   most = size_bytes / DENSE_BYTES;
    const uint64_t wanted = (expected < most ? expected : most) * 17 / 16;
    if (wanted < count + count / 2) { // it continues differently
        ct_array_reserve(&p->entries, count + 1);
        return;
    }
    p->entries.items = ct_realloc(p->entries.allocator, p->entries.items,
                                  p->entries.capacity * sizeof(entry), wanted * sizeof(entry));
    p->entries.capacity = (uint32_t)wanted;
}

// Makes room for one more entry and returns its index; the caller fills all of it.
static inline uint32_t add_entry(parser *p) {
    if (__builtin_expect(p->entries.count == p->entries.capacity, 0))
        grow_entries(p);
    return p->entries.count++;
}

// Copies `bytes` in steps of COPY_STEP; up to that many more are read and written.
static inline void copy_in_steps(char *out, const char *from, uint32_t bytes) {
    const char *const end = from + bytes;
    for (; from < end; from += COPY_STEP, out += COPY_STEP)
        memcpy(out, from, COPY_STEP);
}

// Appends the token's content to the strings. There is always room: no string is longer than its
// source, and the closing quote or the key's "=" in the source makes room for its zero byte.
static inline bool add_string(parser *p, ct_sjson_token token, uint32_t *offset, uint32_t *bytes) {
    *offset = p->strings_used;
    char *const out = p->strings + p->strings_used;
    const uint32_t content_end = ct_sjson_token_content_end(token);
    const bool can_overrun = p->tokens.size_bytes - content_end >= COPY_STEP;
    if (__builtin_expect(!token.has_escapes && can_overrun, 1)) {
        *bytes = content_end - token.content;
        copy_in_steps(out, p->tokens.text + token.content, *bytes);
        out[*bytes] = 0;
    } else if (!ct_sjson_token_decode(&p->tokens, token, out, bytes, p->error)) {
        return false;
    }
    p->strings_used += *bytes + 1;
    return true;
}

static bool too_deep(parser *p, uint32_t source) {
    return ct_sjson_tokenizer_error(&p->tokens, source, p->error,
                                    "objects and arrays are nested more than %u deep",
                                    p->max_depth);
}

static inline bool push_container(parser *p, uint32_t source, uint32_t index, bool is_array) {
    if (p->frames.count == p->max_depth)
        return too_deep(p, source);
    if (__builtin_expect(p->frames.count == p->frames.capacity, 0))
        ct_array_reserve(&p->frames, p->frames.count + 1);
    p->top = &p->frames.items[p->frames.count++];
    *p->top = (frame){
        .entry = index,
        .is_array = is_array,
        .closing = is_array ? CT_SJSON_TOKEN_KIND_CLOSE_ARRAY : CT_SJSON_TOKEN_KIND_CLOSE_OBJECT,
    };
    return true;
}

static inline void pop_container(parser *p) {
    const frame *const f = p->top;
    entry *const e = &p->entries.items[f->entry];
    e->as.container.count = f->count;
    e->as.container.end = p->entries.count;
    if (f->last_child)
        p->entries.items[f->last_child].is_last = true;
    if (--p->frames.count)
        --p->top;
}

// --- Doubled keys --------------------------------------------------------------------------------

static bool same_key(const parser *p, uint32_t a, uint32_t b) {
    const entry *const x = &p->entries.items[a], *const y = &p->entries.items[b];
    return x->key_tag == y->key_tag && strcmp(p->strings + x->key, p->strings + y->key) == 0;
}

// Adds a member of the object `owner` to the map of keys. Returns an existing member with the same
// key, or 0.
static uint32_t enter_key(parser *p, uint32_t owner, uint32_t member) {
    const char *const key = p->strings + p->entries.items[member].key;
    uint64_t hash = ct_string_id64_of(key).value ^ (owner * 0x9e3779b97f4a7c15u);
    for (;; ++hash) {
        const uint64_t there = ct_hash_map_get(&p->keys, hash, 0);
        if (!there) {
            ct_hash_map_set(&p->keys, hash, (uint64_t)owner << 32 | member);
            return 0;
        }
        if (there >> 32 == owner && same_key(p, (uint32_t)there, member))
            return (uint32_t)there;
    }
}

// The member after `index`, which is not the last one.
static uint32_t next_member(const parser *p, uint32_t index) {
    const entry *const e = &p->entries.items[index];
    return e->type >= CT_SJSON_TYPE_ARRAY ? e->as.container.end : index + 1;
}

// Returns the earlier member of the object with the key of `member`, which is not yet counted in
// `f`; 0 when there is none.
static uint32_t earlier_member(parser *p, const frame *f, uint32_t member) {
    if (f->count > SMALL_OBJECT)
        return enter_key(p, f->entry, member);
    uint32_t earlier = f->entry + 1;
    for (uint32_t i = 0; i < f->count; ++i, earlier = next_member(p, earlier)) {
        if (same_key(p, earlier, member))
            return earlier;
    }
    if (f->count < SMALL_OBJECT)
        return 0;
    earlier = f->entry + 1;
    for (uint32_t i = 0; i < f->count; ++i, earlier = next_member(p, earlier))
        enter_key(p, f->entry, earlier);
    return enter_key(p, f->entry, member);
}

// --- Values --------------------------------------------------------------------------------------

static bool not_a_number(parser *p, ct_sjson_token token, const char *wrong) {
    char found[128];
    ct_sjson_token_describe(&p->tokens, token, found, sizeof(found));
    return ct_sjson_tokenizer_error(&p->tokens, token.begin, p->error, "%s is not a number: %s",
                                    found, wrong);
}

// Returns true for the words that C and Python use for numbers that are not finite.
static bool is_infinite_word(const char *text, uint32_t bytes) {
    static const char *const words[] = {"nan", "inf", "infinity"};
    for (uint32_t i = 0; i < CT_COUNT_OF(words); ++i) {
        if (strlen(words[i]) == bytes && strncasecmp(text, words[i], bytes) == 0)
            return true;
    }
    return false;
}

static inline bool is_number_start(char c) {
    return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.';
}

// Reads true, false or null.
static bool parse_literal(parser *p, ct_sjson_token token, entry *e) {
    const char *const text = p->tokens.text + token.begin;
    const uint32_t bytes = token.end - token.begin;
    if ((bytes == 4 && memcmp(text, "true", 4) == 0) ||
        (bytes == 5 && memcmp(text, "false", 5) == 0)) {
        e->type = CT_SJSON_TYPE_BOOL;
        e->as.boolean = bytes == 4;
    } else if (bytes == 4 && memcmp(text, "null", 4) == 0) {
        e->type = CT_SJSON_TYPE_NULL;
    } else if (is_infinite_word(text, bytes)) {
        return not_a_number(p, token, "numbers must be finite");
    } else {
        return unexpected(p, token, "a value (strings need quotes)");
    }
    return true;
}

static inline bool parse_word(parser *p, ct_sjson_token token, entry *e) {
    const char *const text = p->tokens.text + token.begin;
    if (!is_number_start(*text))
        return parse_literal(p, token, e);
    e->type = CT_SJSON_TYPE_NUMBER;
    const char *const wrong =
        ct_sjson_number_parse(text, token.end - token.begin, p->tokens.size_bytes - token.begin,
                              p->strings + p->strings_used, &e->as.number);
    return !wrong || not_a_number(p, token, wrong);
}

static inline bool parse_string(parser *p, ct_sjson_token token, entry *e) {
    e->type = CT_SJSON_TYPE_STRING;
    e->is_next_line =
        token.kind == CT_SJSON_TOKEN_KIND_RAW_STRING && token.content > token.begin + 3;
    return add_string(p, token, &e->as.string.offset, &e->as.string.bytes);
}

static bool value_missing(parser *p, ct_sjson_token token, const entry *e) {
    if (!e->key)
        return unexpected(p, token, p->frames.count ? "a value or \"]\"" : "a value");
    char expected[256];
    snprintf(expected, sizeof(expected), "a value for the key \"%.200s\"", p->strings + e->key);
    return unexpected(p, token, expected);
}

// Reads the value at the token into its entry; for a container, only its start.
__attribute__((always_inline)) static inline bool parse_value(parser *p, ct_sjson_token token,
                                                              uint32_t index) {
    entry *const e = &p->entries.items[index];
    e->source = token.begin;
    e->is_last = e->is_next_line = false;
    switch (token.kind) {
    case CT_SJSON_TOKEN_KIND_WORD:
        return parse_word(p, token, e);
    case CT_SJSON_TOKEN_KIND_STRING:
    case CT_SJSON_TOKEN_KIND_RAW_STRING:
        return parse_string(p, token, e);
    case CT_SJSON_TOKEN_KIND_OPEN_OBJECT:
        e->type = CT_SJSON_TYPE_OBJECT;
        return push_container(p, token.begin, index, false);
    case CT_SJSON_TOKEN_KIND_OPEN_ARRAY:
        e->type = CT_SJSON_TYPE_ARRAY;
        return push_container(p, token.begin, index, true);
    default:
        return value_missing(p, token, e);
    }
}

static bool doubled_key_error(parser *p, uint32_t at, uint32_t earlier) {
    uint32_t line, column;
    const entry *const e = &p->entries.items[earlier];
    ct_sjson_tokenizer_place(&p->tokens, e->key_source, &line, &column);
    return ct_sjson_tokenizer_error(&p->tokens, at, p->error,
                                    "the key \"%.200s\" appears twice in one object (first in line "
                                    "%u, column %u)",
                                    p->strings + e->key, line, column);
}

// Reads the key at the token into the new entry `member` of the innermost object.
static inline bool parse_key(parser *p, ct_sjson_token token, uint32_t member) {
    entry *const e = &p->entries.items[member];
    uint32_t bytes;
    if (!add_string(p, token, &e->key, &bytes))
        return false;
    const char *const key = p->strings + e->key;
    if (token.has_escapes && memchr(key, 0, bytes))
        return ct_sjson_tokenizer_error(&p->tokens, token.begin, p->error,
                                        "a key must not hold \\u0000");
    e->key_source = token.begin;
    e->key_tag = (uint8_t)(bytes * 31 + (bytes ? (uint8_t)key[bytes - 1] : 0));
    frame *const f = p->top;
    const uint64_t tag = 1ull << (e->key_tag & 63);
    const bool may_be_doubled = (f->key_tags & tag) || f->count >= SMALL_OBJECT;
    f->key_tags |= tag;
    const uint32_t earlier = may_be_doubled ? earlier_member(p, f, member) : 0;
    return !earlier || doubled_key_error(p, token.begin, earlier);
}

static bool assign_missing(parser *p, ct_sjson_token token, uint32_t member) {
    const char *const key = p->strings + p->entries.items[member].key;
    char expected[256];
    snprintf(expected, sizeof(expected), "\"=\" or \":\" after the key \"%.200s\"", key);
    return unexpected(p, token, expected);
}

// Reads a member up to its value, whose first token is left in `token`.
static inline bool parse_member(parser *p, ct_sjson_token *token, uint32_t member) {
    if (token->kind != CT_SJSON_TOKEN_KIND_STRING && token->kind != CT_SJSON_TOKEN_KIND_WORD)
        return unexpected(p, *token,
                          p->top->is_bare ? "a key or the end of the file" : "a key or \"}\"");
    if (!parse_key(p, *token, member) || !ct_sjson_tokenizer_next(&p->tokens, token, p->error))
        return false;
    if (token->kind != CT_SJSON_TOKEN_KIND_ASSIGN)
        return assign_missing(p, *token, member);
    return ct_sjson_tokenizer_next(&p->tokens, token, p->error);
}

// Reads a child of the innermost container.
static inline bool parse_child(parser *p, ct_sjson_token token) {
    frame *const f = p->top;
    const uint32_t child = add_entry(p);
    if (f->is_array)
        p->entries.items[child].key = 0;
    else if (!parse_member(p, &token, child))
        return false;
    f->last_child = child;
    ++f->count;
    f->after_comma = false;
    return parse_value(p, token, child);
}

// --- Documents -----------------------------------------------------------------------------------

static bool parse_comma(parser *p, ct_sjson_token token) {
    frame *const f = p->top;
    if (f->count == 0 || f->after_comma)
        return unexpected(p, token, f->is_array ? "a value" : "a key");
    f->after_comma = true;
    return true;
}

static bool end_in_container(parser *p, ct_sjson_token token) {
    const frame *const f = p->top;
    uint32_t line, column;
    ct_sjson_tokenizer_place(&p->tokens, p->entries.items[f->entry].source, &line, &column);
    char expected[128];
    snprintf(expected, sizeof(expected), "%s for the %s in line %u, column %u",
             f->is_array ? "\"]\"" : "\"}\"", f->is_array ? "\"[\"" : "\"{\"", line, column);
    return unexpected(p, token, expected);
}

// Takes a comma, closing bracket, or child of the innermost container.
static inline bool parse_step(parser *p, ct_sjson_token token) {
    if (token.kind == p->top->closing) {
        pop_container(p);
        return true;
    }
    if (token.kind == CT_SJSON_TOKEN_KIND_COMMA)
        return parse_comma(p, token);
    if (token.kind == CT_SJSON_TOKEN_KIND_END)
        return end_in_container(p, token);
    return parse_child(p, token);
}

// Reads to the end of the outermost container, when there is one, and of the text.
static bool parse_rest(parser *p) {
    ct_sjson_token token;
    while (p->frames.count) {
        if (!ct_sjson_tokenizer_next(&p->tokens, &token, p->error) || !parse_step(p, token))
            return false;
    }
    if (!ct_sjson_tokenizer_next(&p->tokens, &token, p->error))
        return false;
    return token.kind == CT_SJSON_TOKEN_KIND_END || unexpected(p, token, "the end of the file");
}

// Adds entry 0, which means no value and has nothing after it, and the root. Returns the index of
// the root.
static uint32_t add_root(parser *p, ct_sjson_token token) {
    p->entries.items[add_entry(p)] = (entry){.is_last = true};
    const uint32_t root = add_entry(p);
    p->entries.items[root] = (entry){.type = CT_SJSON_TYPE_OBJECT, .source = token.begin};
    return root;
}

static bool parse_document(parser *p) {
    ct_sjson_token token;
    if (!ct_sjson_tokenizer_next(&p->tokens, &token, p->error))
        return false;
    if (token.kind == CT_SJSON_TOKEN_KIND_OPEN_ARRAY)
        return p->takes_array ? parse_value(p, token, add_root(p, token)) && parse_rest(p)
                              : unexpected(p, token, "an object or a key");
    if (!push_container(p, token.begin, add_root(p, token), false))
        return false;
    if (token.kind != CT_SJSON_TOKEN_KIND_OPEN_OBJECT) {
        p->top->is_bare = true;
        p->top->closing = CT_SJSON_TOKEN_KIND_END;
        p->tokens.at = token.begin; // it belongs to the first child
    }
    return parse_rest(p);
}

static bool parse_one_value(parser *p) {
    ct_sjson_token token;
    if (!ct_sjson_tokenizer_next(&p->tokens, &token, p->error))
        return false;
    if (token.kind == CT_SJSON_TOKEN_KIND_END || token.kind == CT_SJSON_TOKEN_KIND_COMMA)
        return unexpected(p, token, "a value");
    return parse_value(p, token, add_root(p, token)) && parse_rest(p);
}

ct_sjson_limits ct_sjson_limits_in_force(const ct_sjson_limits *limits) {
    // Offsets are 32 bits, and some bytes more than the text are allocated.
    const uint64_t most = UINT32_MAX - 64;
    ct_sjson_limits held = {
        .max_depth = DEFAULT_MAX_DEPTH,
        .max_bytes = DEFAULT_MAX_BYTES,
        .takes_array = limits && limits->takes_array,
    };
    if (limits && limits->max_depth)
        held.max_depth = limits->max_depth;
    if (limits && limits->max_bytes)
        held.max_bytes = limits->max_bytes < most ? limits->max_bytes : most;
    return held;
}

static ct_sjson *create_document(ct_allocator *a, const char *file) {
    ct_sjson *const doc = CT_NEW(a, ct_sjson);
    doc->allocator = a;
    doc->file = ct_copy_string(a, file);
    ct_array_init(&doc->entries, a);
    ct_array_init(&doc->line_starts, a);
    return doc;
}

// Reads the text of `p->tokens` into `p->doc`.
static bool parse_text(parser *p, bool is_document) {
    ct_sjson *const doc = p->doc;
    const uint32_t size_bytes = p->tokens.size_bytes;
    // One byte for "" and one for the zero byte after a key or number at the text's end.
    doc->strings_bytes = (uint64_t)size_bytes + 2 + COPY_STEP;
    doc->strings = p->strings = ct_alloc(doc->allocator, doc->strings_bytes);
    doc->strings[0] = 0;
    p->strings_used = 1;
    ct_array_init(&p->entries, doc->allocator);
    ct_array_init(&p->frames, doc->allocator);
    ct_hash_map_init(&p->keys, doc->allocator);
    ct_array_reserve(&p->entries,
                     size_bytes / 16 < FIRST_ENTRIES ? size_bytes / 16 + 8 : FIRST_ENTRIES);
    const bool ok = is_document ? parse_document(p) : parse_one_value(p);
    if (ok)
        p->entries.items[1].is_last = true;
    doc->entries = p->entries;
    doc->strings_used = p->strings_used;
    ct_array_free(&p->frames);
    ct_hash_map_free(&p->keys);
    return ok;
}

static ct_sjson *parse_any(ct_allocator *a, const char *text, uint64_t size_bytes, const char *file,
                           const ct_sjson_limits *limits, bool is_document, ct_error *error) {
    const ct_sjson_limits held = ct_sjson_limits_in_force(limits);
    if (size_bytes > held.max_bytes) {
        ct_error_set_at(error, file, 0, 0, "the text has %llu bytes; at most %llu are allowed",
                        (unsigned long long)size_bytes, (unsigned long long)held.max_bytes);
        return NULL;
    }
    parser p = {.error = error, .doc = create_document(a, file ? file : "")};
    p.max_depth = held.max_depth;
    p.takes_array = held.takes_array;
    if (ct_sjson_tokenizer_init(&p.tokens, text, (uint32_t)size_bytes, file, &p.doc->line_starts,
                                error) &&
        parse_text(&p, is_document))
        return p.doc;
    ct_sjson_free(p.doc);
    return NULL;
}

ct_sjson *ct_sjson_parse(ct_allocator *a, const char *text, uint64_t size_bytes, const char *file,
                         const ct_sjson_limits *limits, ct_error *error) {
    return parse_any(a, text, size_bytes, file, limits, true, error);
}

ct_sjson *ct_sjson_parse_value(ct_allocator *a, const char *text, uint64_t size_bytes,
                               const char *file, const ct_sjson_limits *limits, ct_error *error) {
    return parse_any(a, text, size_bytes, file, limits, false, error);
}
