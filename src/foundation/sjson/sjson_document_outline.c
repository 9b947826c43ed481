// Documents of which only parts will be edited. Facts in the tape are not read again: only the ends
// of values must be looked up in the text, one token for each node.
#include <string.h>

#include "foundation/sjson/sjson_document_data.h"

// Walks the tape and the text beside it.
typedef struct outliner {
    ct_sjson_document *doc;
    const ct_sjson *tape;
    ct_sjson_tokenizer tokens; // of the text after a byte order mark, like the tape's offsets
    bool (*is_open)(void *user, ct_sjson_value container);
    void *user;
} outliner;

// --- Where values end ----------------------------------------------------------------------------

static ct_sjson_token token_at(outliner *o, uint32_t at) {
    ct_sjson_token token;
    o->tokens.at = at;
    const bool ok = ct_sjson_tokenizer_next(&o->tokens, &token, NULL);
    CT_ASSERT(ok, "the text of %s does not match the tape", o->doc->file);
    return token;
}

// Returns the end of the closing bracket (or of the text, for a root without braces) after `at`;
// only a comma may come before it.
static uint32_t closing_end(outliner *o, uint32_t at) {
    const ct_sjson_token token = token_at(o, at);
    return token.kind == CT_SJSON_TOKEN_KIND_COMMA ? token_at(o, token.end).end : token.end;
}

// Returns the end of a value: of a container, the end of its last leaf plus that of all brackets
// that end there.
static uint32_t value_end(outliner *o, uint32_t index) {
    const ct_sjson_entry *const entries = o->tape->entries.items;
    if (entries[index].type < CT_SJSON_TYPE_ARRAY)
        return token_at(o, entries[index].source).end;
    const uint32_t stop = entries[index].as.container.end;
    uint32_t at =
        token_at(o, entries[stop - 1].source).end; // for an empty container: the end of its bracket
    for (uint32_t i = index; i < stop; ++i) {
        if (entries[i].type >= CT_SJSON_TYPE_ARRAY && entries[i].as.container.end == stop)
            at = closing_end(o, at);
    }
    return at;
}

// --- Nodes ---------------------------------------------------------------------------------------

// Adds the node of an entry below `parent`; the gap before it begins at `lead`. All offsets are
// those of the tape until everything is shifted.
static uint32_t add_node(outliner *o, uint32_t index, uint32_t parent, uint32_t lead) {
    ct_sjson_document *const doc = o->doc;
    const ct_sjson_entry *const e = &o->tape->entries.items[index];
    const uint32_t node = doc->entries.count, key = e->key ? e->key_source : e->source;
    ct_array_push(&doc->entries, *e);
    ct_array_push(&doc->outlined, index);
    ct_array_push(
        &doc->spans,
        (ct_sjson_spans){
            .lead = lead, .lead_end = key, .key = key, .head_end = e->source, .value = e->source});
    const uint32_t previous = parent ? doc->links.items[parent].last : 0;
    ct_array_push(&doc->links, (ct_sjson_links){.parent = parent, .previous = previous});
    if (parent) {
        *(previous ? &doc->links.items[previous].next : &doc->links.items[parent].first) = node;
        doc->links.items[parent].last = node;
    }
    return node;
}

static uint32_t add_root(outliner *o) {
    const uint32_t root = add_node(o, 1, 0, 0);
    const uint32_t source = o->tape->entries.items[1].source;
    const bool is_array = o->tape->entries.items[1].type == CT_SJSON_TYPE_ARRAY;
    if (is_array || (source < o->tokens.size_bytes && o->tokens.text[source] == '{'))
        return root;
    o->doc->links.items[root].is_bare = true;
    o->doc->spans.items[root] = (ct_sjson_spans){0};
    return root;
}

// Makes room for the children of a container, so that most containers grow the arrays at most once.
static void reserve_children(outliner *o, uint32_t index) {
    ct_sjson_document *const doc = o->doc;
    const uint64_t wanted =
        (uint64_t)doc->entries.count + o->tape->entries.items[index].as.container.count;
    ct_array_reserve(&doc->entries, wanted);
    ct_array_reserve(&doc->outlined, wanted);
    ct_array_reserve(&doc->spans, wanted);
    ct_array_reserve(&doc->links, wanted);
}

// Adds the children of open containers, and ends those containers.
static void add_nodes(outliner *o) {
    ct_sjson_document *const doc = o->doc;
    uint32_t parent = add_root(o);
    uint32_t at = doc->spans.items[parent].value + (doc->links.items[parent].is_bare ? 0 : 1);
    for (uint32_t index = 2; parent;) {
        const uint32_t owner = doc->outlined.items[parent];
        if (index == o->tape->entries.items[owner].as.container.end) {
            doc->spans.items[parent].tail = at;
            doc->spans.items[parent].end = at = closing_end(o, at);
            parent = doc->links.items[parent].parent;
            continue;
        }
        const ct_sjson_entry *const e = &o->tape->entries.items[index];
        const bool is_container = e->type >= CT_SJSON_TYPE_ARRAY;
        const uint32_t node = add_node(o, index, parent, at);
        if (is_container && o->is_open(o->user, (ct_sjson_value){index})) {
            reserve_children(o, index);
            parent = node;
            at = e->source + 1;
            ++index;
            continue;
        }
        doc->links.items[node].is_closed = is_container;
        doc->spans.items[node].end = at = value_end(o, index);
        index = is_container ? e->as.container.end : index + 1;
    }
}

// Changes offsets in the text after a byte order mark to offsets in the whole text.
static void move_spans(ct_sjson_document *doc) {
    const uint32_t begin = doc->source_begin;
    for (uint32_t i = 1; begin && i < doc->spans.count; ++i) {
        ct_sjson_spans *const s = &doc->spans.items[i];
        s->lead += begin, s->lead_end += begin, s->key += begin, s->head_end += begin;
        s->value += begin, s->tail += begin, s->end += begin;
    }
}

ct_sjson_document *ct_sjson_document_outline(ct_sjson *tape, const char *text, uint64_t size_bytes,
                                             const ct_sjson_limits *limits,
                                             bool (*is_open)(void *user, ct_sjson_value container),
                                             void *user) {
    ct_sjson_document *const doc =
        ct_sjson_document_create(tape->allocator, text, size_bytes, tape->file, limits);
    const uint32_t begin = doc->source_begin;
    outliner o = {.doc = doc, .tape = tape, .is_open = is_open, .user = user};
    o.tokens = (ct_sjson_tokenizer){.text = doc->text.items + begin,
                                    .file = doc->file,
                                    .size_bytes = doc->source_bytes - begin};
    CT_ASSERT(tape->entries.items[1].type >= CT_SJSON_TYPE_ARRAY,
              "the root of %s is not an object or an array", doc->file);
    ct_array_resize(&doc->entries, 1); // node 0
    ct_array_resize(&doc->outlined, 1);
    add_nodes(&o);
    move_spans(doc);
    doc->num_source_nodes = doc->entries.count;
    doc->trailer = doc->spans.items[1].end;
    ct_array_free(&tape->entries);
    ct_sjson_document_take_tape(doc, tape);
    return doc;
}

ct_sjson_node ct_sjson_document_outlined(const ct_sjson_document *doc, ct_sjson_value value) {
    uint32_t low = 1, high = doc->outlined.count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (doc->outlined.items[middle] < value.entry)
            low = middle + 1;
        else
            high = middle;
    }
    const bool is_found = low < doc->outlined.count && doc->outlined.items[low] == value.entry;
    return (ct_sjson_node){is_found ? low : 0};
}
