#include "foundation/sjson/sjson_document.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "foundation/os/file.h"
#include "foundation/sjson/sjson_document_data.h"
#include "foundation/string/utf8.h"

// --- Parsing -------------------------------------------------------------------------------------

// Reads the tokens of a parsed text again; they cannot be invalid.
typedef struct placer {
    ct_sjson_document *doc;
    ct_sjson_tokenizer tokens;
    uint32_t begin; // offset of the tokens' text in the document's text
    uint32_t at;    // the end of the last token, in the document's text
} placer;

static ct_sjson_token take_token(placer *p) {
    ct_sjson_token token;
    const bool ok = ct_sjson_tokenizer_next(&p->tokens, &token, NULL);
    CT_ASSERT(ok, "the text of %s changed", p->doc->file);
    token.begin += p->begin;
    token.end += p->begin;
    p->at = token.end;
    return token;
}

static ct_sjson_token take_token_but_comma(placer *p) {
    const ct_sjson_token token = take_token(p);
    return token.kind == CT_SJSON_TOKEN_KIND_COMMA ? take_token(p) : token;
}

static void place_root(placer *p, uint32_t root) {
    const ct_sjson_token token = take_token(p);
    const bool is_bare = p->doc->entries.items[root].type == CT_SJSON_TYPE_OBJECT &&
                         token.kind != CT_SJSON_TOKEN_KIND_OPEN_OBJECT;
    const uint32_t begin = is_bare ? p->begin : token.begin;
    p->doc->links.items[root] = (ct_sjson_links){.is_bare = is_bare};
    p->doc->spans.items[root] = (ct_sjson_spans){
        .lead = p->begin, .lead_end = begin, .key = begin, .head_end = begin, .value = begin};
    p->doc->spans.items[root].end = token.end;
    if (is_bare) {
        p->tokens.at = 0;
        p->at = p->begin;
    }
}

// The next token is the first of a child, or its key.
static void place_child(placer *p, uint32_t node, uint32_t parent) {
    ct_sjson_links *const links = p->doc->links.items;
    const uint32_t previous = links[parent].last;
    links[node] = (ct_sjson_links){.parent = parent, .previous = previous};
    *(previous ? &links[previous].next : &links[parent].first) = node;
    links[parent].last = node;
    const uint32_t lead = p->at;
    ct_sjson_token token = take_token_but_comma(p);
    const uint32_t key = token.begin;
    if (p->doc->entries.items[node].key) {
        take_token(p); // the assignment
        token = take_token(p);
    }
    p->doc->spans.items[node] = (ct_sjson_spans){.lead = lead,
                                                 .lead_end = key,
                                                 .key = key,
                                                 .head_end = token.begin,
                                                 .value = token.begin,
                                                 .end = token.end};
}

void ct_sjson_document_place_nodes(ct_sjson_document *doc, uint32_t first, uint32_t count,
                                   uint32_t begin, uint32_t end) {
    ct_array_reserve(&doc->spans, doc->entries.count);
    ct_array_reserve(&doc->links, doc->entries.count);
    doc->spans.count = doc->links.count = doc->entries.count;
    placer p = {.doc = doc, .begin = begin, .at = begin};
    p.tokens = (ct_sjson_tokenizer){
        .text = doc->text.items + begin, .file = doc->file, .size_bytes = end - begin};
    place_root(&p, first);
    uint32_t parent = first;
    for (uint32_t node = first + 1; parent && ct_sjson_document_is_container(doc, parent);) {
        if (node == doc->entries.items[parent].as.container.end) {
            doc->spans.items[parent].tail = p.at;
            doc->spans.items[parent].end = take_token_but_comma(&p).end;
            parent = doc->links.items[parent].parent;
            continue;
        }
        CT_ASSERT(node < first + count, "a container of %s has no end", doc->file);
        place_child(&p, node, parent);
        if (ct_sjson_document_is_container(doc, node))
            parent = node;
        ++node;
    }
}

void ct_sjson_document_take_tape(ct_sjson_document *doc, ct_sjson *tape) {
    if (tape->entries.count) {
        ct_array_free(&doc->entries);
        doc->entries = tape->entries;
    }
    doc->line_starts = tape->line_starts;
    doc->strings = tape->strings;
    doc->strings_bytes = tape->strings_bytes;
    ct_array_init(&tape->entries, doc->allocator);
    ct_array_init(&tape->line_starts, doc->allocator);
    tape->strings = NULL;
    ct_sjson_free(tape);
}

ct_sjson_document *ct_sjson_document_create(ct_allocator *a, const char *text, uint64_t size_bytes,
                                            const char *file, const ct_sjson_limits *limits) {
    ct_sjson_document *const doc = CT_NEW(a, ct_sjson_document);
    doc->allocator = a;
    doc->file = ct_copy_string(a, file ? file : "");
    doc->limits = ct_sjson_limits_in_force(limits);
    ct_array_init(&doc->text, a);
    ct_array_init(&doc->entries, a);
    ct_array_init(&doc->spans, a);
    ct_array_init(&doc->links, a);
    ct_array_init(&doc->outlined, a);
    ct_array_init(&doc->added_strings, a);
    doc->source_begin = ct_utf8_mark_bytes(text, size_bytes);
    doc->source_bytes = (uint32_t)size_bytes;
    doc->text.items = (char *)(uintptr_t)(size_bytes ? text : "");
    doc->text.count = doc->source_bytes;
    ct_array_resize(&doc->spans, 1); // node 0
    ct_array_resize(&doc->links, 1);
    return doc;
}

void ct_sjson_document_own_text(ct_sjson_document *doc) {
    if (doc->text.capacity)
        return;
    const char *const borrowed = doc->text.items;
    ct_array_init(&doc->text, doc->allocator);
    ct_array_reserve(&doc->text, 1); // so that pointers into the text are valid
    ct_array_push_many(&doc->text, borrowed, doc->source_bytes);
}

ct_sjson_document *ct_sjson_document_parse_any(ct_allocator *a, const char *text,
                                               uint64_t size_bytes, const char *file,
                                               const ct_sjson_limits *limits, bool is_document,
                                               ct_error *error) {
    ct_sjson *const tape = is_document
                               ? ct_sjson_parse(a, text, size_bytes, file, limits, error)
                               : ct_sjson_parse_value(a, text, size_bytes, file, limits, error);
    if (!tape)
        return NULL;
    ct_sjson_document *const doc = ct_sjson_document_create(a, text, size_bytes, file, limits);
    ct_sjson_document_own_text(doc);
    ct_sjson_document_take_tape(doc, tape);
    ct_sjson_document_place_nodes(doc, 1, doc->entries.count - 1, doc->source_begin,
                                  doc->source_bytes);
    doc->num_source_nodes = doc->entries.count;
    doc->trailer = doc->spans.items[1].end;
    return doc;
}

ct_sjson_document *ct_sjson_document_parse(ct_allocator *a, const char *text, uint64_t size_bytes,
                                           const char *file, const ct_sjson_limits *limits,
                                           ct_error *error) {
    return ct_sjson_document_parse_any(a, text, size_bytes, file, limits, true, error);
}

ct_sjson_document *ct_sjson_document_read(ct_allocator *a, const char *path, const char *file,
                                          const ct_sjson_limits *limits, ct_error *error) {
    uint64_t size_bytes;
    char *const text = ct_file_read(a, path, &size_bytes, error);
    if (!text)
        return NULL;
    ct_sjson_document *const doc =
        ct_sjson_document_parse(a, text, size_bytes, file, limits, error);
    ct_free(a, text);
    return doc;
}

void ct_sjson_document_free(ct_sjson_document *doc) {
    if (!doc)
        return;
    ct_allocator *const a = doc->allocator;
    if (doc->text.capacity) // otherwise it is borrowed
        ct_array_free(&doc->text);
    ct_array_free(&doc->entries);
    ct_array_free(&doc->spans);
    ct_array_free(&doc->links);
    ct_array_free(&doc->outlined);
    ct_array_free(&doc->line_starts);
    ct_array_free(&doc->added_strings);
    ct_free_sized(a, doc->strings, doc->strings_bytes);
    ct_free(a, doc->file);
    ct_free_sized(a, doc, sizeof(*doc));
}

// --- Writing -------------------------------------------------------------------------------------

// Text to write; adjacent pieces of the document's text are joined.
typedef struct piece_writer {
    const char *text;
    ct_string_builder *out;
    uint32_t begin, end;
} piece_writer;

static void flush_pieces(piece_writer *w) {
    ct_string_builder_add_bytes(w->out, w->text + w->begin, w->end - w->begin);
}

static void add_piece(piece_writer *w, uint32_t begin, uint32_t end) {
    if (begin == end)
        return;
    if (w->end != begin) {
        flush_pieces(w);
        w->begin = begin;
    }
    w->end = end;
}

// Writes the value of `node`; for a changed container, only its opening bracket.
static void begin_value(const ct_sjson_document *doc, piece_writer *w, uint32_t node) {
    const ct_sjson_spans *const s = &doc->spans.items[node];
    const ct_sjson_links *const links = &doc->links.items[node];
    add_piece(w, s->value, !links->is_changed ? s->end : s->value + (links->is_bare ? 0 : 1));
}

static void write_node(const ct_sjson_document *doc, piece_writer *w, uint32_t node) {
    begin_value(doc, w, node);
    for (uint32_t at = node; doc->links.items[node].is_changed;) {
        const ct_sjson_links *const links = &doc->links.items[at];
        uint32_t child = links->is_changed ? links->first : 0;
        if (!child) {
            // Go up to a container that has another child; end the containers that have none.
            for (;; at = doc->links.items[at].parent) {
                if (doc->links.items[at].is_changed)
                    add_piece(w, doc->spans.items[at].tail, doc->spans.items[at].end);
                if (at == node)
                    return;
                child = doc->links.items[at].next;
                if (child)
                    break;
            }
        }
        add_piece(w, doc->spans.items[child].lead, doc->spans.items[child].lead_end);
        add_piece(w, doc->spans.items[child].key, doc->spans.items[child].head_end);
        begin_value(doc, w, child);
        at = child;
    }
}

void ct_sjson_document_write_value(const ct_sjson_document *doc, ct_sjson_node node,
                                   ct_string_builder *out) {
    CT_ASSERT(ct_sjson_document_type(doc, node) != CT_SJSON_TYPE_NONE,
              "node %u does not exist in %s", node.index, doc->file);
    piece_writer w = {.text = doc->text.items, .out = out};
    write_node(doc, &w, node.index);
    flush_pieces(&w);
}

void ct_sjson_document_write(const ct_sjson_document *doc, ct_string_builder *out) {
    const uint32_t root = 1;
    piece_writer w = {.text = doc->text.items, .out = out};
    ct_string_builder_reserve(out,
                              doc->text.count); // an upper limit, as removed text is not written
    add_piece(&w, 0, doc->spans.items[root].lead_end);
    write_node(doc, &w, root);
    add_piece(&w, doc->trailer, doc->source_bytes);
    flush_pieces(&w);
}

// --- Looking -------------------------------------------------------------------------------------

static const ct_sjson_entry *entry_of(const ct_sjson_document *doc, ct_sjson_node node) {
    CT_ASSERT(node.index < doc->entries.count, "node %u is not a node of the document %s",
              node.index, doc->file);
    return &doc->entries.items[node.index];
}

static const ct_sjson_links *links_of(const ct_sjson_document *doc, ct_sjson_node node) {
    entry_of(doc, node); // checks the node
    return &doc->links.items[node.index];
}

static const char *string_at(const ct_sjson_document *doc, uint32_t offset) {
    return offset < doc->strings_bytes ? doc->strings + offset
                                       : doc->added_strings.items + (offset - doc->strings_bytes);
}

const char *ct_sjson_document_file(const ct_sjson_document *doc) {
    return doc->file;
}

ct_sjson_node ct_sjson_document_root(const ct_sjson_document *doc) {
    (void)doc;
    return (ct_sjson_node){1};
}

ct_sjson_type ct_sjson_document_type(const ct_sjson_document *doc, ct_sjson_node node) {
    return (ct_sjson_type)entry_of(doc, node)->type;
}

ct_sjson_node ct_sjson_document_parent(const ct_sjson_document *doc, ct_sjson_node node) {
    return (ct_sjson_node){links_of(doc, node)->parent};
}

ct_sjson_node ct_sjson_document_next(const ct_sjson_document *doc, ct_sjson_node node) {
    return (ct_sjson_node){links_of(doc, node)->next};
}

ct_sjson_node ct_sjson_document_previous(const ct_sjson_document *doc, ct_sjson_node node) {
    return (ct_sjson_node){links_of(doc, node)->previous};
}

ct_sjson_node ct_sjson_document_first(const ct_sjson_document *doc, ct_sjson_node container) {
    return (ct_sjson_node){links_of(doc, container)->first};
}

ct_sjson_node ct_sjson_document_last(const ct_sjson_document *doc, ct_sjson_node container) {
    return (ct_sjson_node){links_of(doc, container)->last};
}

uint32_t ct_sjson_document_count(const ct_sjson_document *doc, ct_sjson_node container) {
    const ct_sjson_entry *const e = entry_of(doc, container);
    return e->type >= CT_SJSON_TYPE_ARRAY ? e->as.container.count : 0;
}

ct_sjson_node ct_sjson_document_element(const ct_sjson_document *doc, ct_sjson_node array,
                                        uint32_t i) {
    if (ct_sjson_document_type(doc, array) != CT_SJSON_TYPE_ARRAY ||
        i >= ct_sjson_document_count(doc, array))
        return (ct_sjson_node){0};
    ct_sjson_node node = ct_sjson_document_first(doc, array);
    for (; i > 0; --i)
        node = ct_sjson_document_next(doc, node);
    return node;
}

ct_sjson_node ct_sjson_document_find(const ct_sjson_document *doc, ct_sjson_node object,
                                     const char *key) {
    if (ct_sjson_document_type(doc, object) != CT_SJSON_TYPE_OBJECT)
        return (ct_sjson_node){0};
    ct_sjson_node node = ct_sjson_document_first(doc, object);
    while (node.index && strcmp(ct_sjson_document_key(doc, node), key) != 0)
        node = ct_sjson_document_next(doc, node);
    return node;
}

const char *ct_sjson_document_key(const ct_sjson_document *doc, ct_sjson_node member) {
    const ct_sjson_entry *const e = entry_of(doc, member);
    return e->key ? string_at(doc, e->key) : NULL;
}

bool ct_sjson_document_bool(const ct_sjson_document *doc, ct_sjson_node node, bool otherwise) {
    const ct_sjson_entry *const e = entry_of(doc, node);
    return e->type == CT_SJSON_TYPE_BOOL ? e->as.boolean : otherwise;
}

double ct_sjson_document_number(const ct_sjson_document *doc, ct_sjson_node node,
                                double otherwise) {
    const ct_sjson_entry *const e = entry_of(doc, node);
    return e->type == CT_SJSON_TYPE_NUMBER ? e->as.number : otherwise;
}

const char *ct_sjson_document_string(const ct_sjson_document *doc, ct_sjson_node node,
                                     const char *otherwise) {
    const ct_sjson_entry *const e = entry_of(doc, node);
    return e->type == CT_SJSON_TYPE_STRING ? string_at(doc, e->as.string.offset) : otherwise;
}

uint32_t ct_sjson_document_string_bytes(const ct_sjson_document *doc, ct_sjson_node node) {
    const ct_sjson_entry *const e = entry_of(doc, node);
    return e->type == CT_SJSON_TYPE_STRING ? e->as.string.bytes : 0;
}

void ct_sjson_document_position(const ct_sjson_document *doc, ct_sjson_node node, uint32_t *line,
                                uint32_t *column) {
    const ct_sjson_entry *const e = entry_of(doc, node);
    *line = *column = 0;
    if (e->type == CT_SJSON_TYPE_NONE || node.index >= doc->num_source_nodes)
        return;
    ct_sjson_place_in_lines(&doc->line_starts, e->key ? e->key_source : e->source, line, column);
}

bool ct_sjson_document_error(const ct_sjson_document *doc, ct_sjson_node node, ct_error *error,
                             const char *format, ...) {
    char message[CT_ERROR_MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof(message), format, arguments);
    va_end(arguments);
    uint32_t line, column;
    ct_sjson_document_position(doc, node, &line, &column);
    return ct_error_set_at(error, doc->file, line, column, "%s", message);
}
