// Edits. Each first makes its new text, appends it to the document's text, and then changes spans
// and links; a failed edit leaves only unused text.
#include <math.h>
#include <string.h>

#include "foundation/sjson/sjson_document_data.h"
#include "foundation/sjson/sjson_number.h"
#include "foundation/sjson/sjson_writer.h"
#include "foundation/string/utf8.h"

enum { ROOM = 1024 }; // bytes reserved for gaps and indents, whose size is unknown
static const uint64_t MAX_TEXT_BYTES = 0xe0000000; // below 4 GiB by the amount that an edit may add

static const char new_value[] = "the new value"; // its file name in errors

// --- Text, values and links ----------------------------------------------------------------------

static uint32_t append_text(ct_sjson_document *doc, const ct_string_builder *text) {
    ct_sjson_document_own_text(doc);
    const uint32_t begin = doc->text.count;
    CT_REQUIRE((uint64_t)begin + text->length < UINT32_MAX, "%s grew past 4 GiB", doc->file);
    ct_array_push_many(&doc->text, text->text, text->length);
    return begin;
}

// Returns true when `bytes` more of text stay within the limit, or fills `error`.
static bool has_room(const ct_sjson_document *doc, uint64_t bytes, ct_error *error) {
    const uint64_t sum = doc->text.count + bytes;
    if (sum <= doc->limits.max_bytes && sum < MAX_TEXT_BYTES &&
        doc->strings_bytes + doc->added_strings.count + bytes < MAX_TEXT_BYTES)
        return true;
    return ct_error_set_at(
        error, doc->file, 0, 0,
        "source and inserted text would have %llu bytes; at most %llu are allowed",
        (unsigned long long)sum, (unsigned long long)doc->limits.max_bytes);
}

static uint32_t depth_of(const ct_sjson_document *doc, uint32_t node) {
    uint32_t depth = 0;
    for (; node; node = doc->links.items[node].parent)
        depth += ct_sjson_document_is_container(doc, node);
    return depth;
}

// Returns how deep containers are nested at and below `node`.
static uint32_t height_of(const ct_sjson_document *doc, uint32_t node) {
    const ct_sjson_links *const links = doc->links.items;
    uint32_t depth = 0, height = 0;
    for (uint32_t at = node;;) {
        if (ct_sjson_document_is_container(doc, at) && ++depth > height)
            height = depth;
        uint32_t child = links[at].first;
        while (!child) {
            depth -= ct_sjson_document_is_container(doc, at);
            if (at == node)
                return height;
            child = links[at].next;
            if (!child)
                at = links[at].parent;
        }
        at = child;
    }
}

// Returns true when the value of `from` is not too deep for `container`, or fills `error`.
static bool is_within_depth(const ct_sjson_document *doc, uint32_t container,
                            const ct_sjson_document *from, uint32_t node, ct_error *error) {
    if (depth_of(doc, container) + height_of(from, node) <= doc->limits.max_depth)
        return true;
    return ct_error_set_at(error, doc->file, 0, 0,
                           "objects and arrays are nested more than %u deep",
                           doc->limits.max_depth);
}

// `text` may be one of the document's own strings.
static uint32_t add_string(ct_sjson_document *doc, const char *text, uint32_t bytes) {
    const uint64_t own = (uint64_t)((uintptr_t)text - (uintptr_t)doc->added_strings.items);
    const bool is_own = own < doc->added_strings.count;
    ct_array_reserve(&doc->added_strings, doc->added_strings.count + (uint64_t)bytes);
    const uint32_t begin = doc->added_strings.count;
    ct_array_copy(doc->added_strings.items, begin, is_own ? doc->added_strings.items + own : text,
                  1, bytes);
    doc->added_strings.count += bytes;
    return (uint32_t)(doc->strings_bytes + begin);
}

// Makes nodes of the value in the document's text from `begin` to `end`. Returns the first one,
// which is not linked to others yet.
static uint32_t adopt_value(ct_sjson_document *doc, uint32_t begin, uint32_t end) {
    ct_error error = {0};
    ct_sjson *const tape = ct_sjson_parse_value(doc->allocator, doc->text.items + begin,
                                                end - begin, new_value, &doc->limits, &error);
    CT_ASSERT(tape, "a value inserted into %s is invalid at %u:%u: %s", doc->file, error.line,
              error.column, error.message);
    const uint32_t strings = add_string(doc, tape->strings, tape->strings_used);
    const uint32_t first = doc->entries.count, count = tape->entries.count - 1;
    ct_array_push_many(&doc->entries, tape->entries.items + 1, count);
    for (ct_sjson_entry *e = doc->entries.items + first; e < doc->entries.items + first + count;
         ++e) {
        if (e->key)
            e->key += strings;
        if (e->type == CT_SJSON_TYPE_STRING)
            e->as.string.offset += strings;
        else if (e->type >= CT_SJSON_TYPE_ARRAY)
            e->as.container.end += first - 1;
    }
    ct_sjson_free(tape);
    ct_sjson_document_place_nodes(doc, first, count, begin, end);
    return first;
}

// From now on, the container's text is put together from its children.
static void mark_changed(ct_sjson_document *doc, uint32_t container) {
    for (; container && !doc->links.items[container].is_changed;
         container = doc->links.items[container].parent)
        doc->links.items[container].is_changed = true;
}

static void clear_node(ct_sjson_document *doc, uint32_t node) {
    doc->entries.items[node] = (ct_sjson_entry){.type = CT_SJSON_TYPE_NONE};
    doc->links.items[node] = (ct_sjson_links){0};
}

// Removes all below `node`, leaves first.
static void clear_children(ct_sjson_document *doc, uint32_t node) {
    ct_sjson_links *const links = doc->links.items;
    uint32_t at = links[node].first;
    links[node].first = links[node].last = 0;
    while (at) {
        const uint32_t child = links[at].first;
        if (child) {
            links[at].first = 0;
            at = child;
            continue;
        }
        const uint32_t next = links[at].next, parent = links[at].parent;
        clear_node(doc, at);
        at = next ? next : parent != node ? parent : 0;
    }
}

// Gives `node` the value of `other`, an unlinked node, which is then removed.
static void take_value(ct_sjson_document *doc, uint32_t node, uint32_t other) {
    clear_children(doc, node);
    ct_sjson_entry *const e = &doc->entries.items[node];
    e->type = doc->entries.items[other].type;
    e->as = doc->entries.items[other].as;
    ct_sjson_spans *const s = &doc->spans.items[node], *const t = &doc->spans.items[other];
    const bool has_key = e->key;
    if (!has_key)
        s->key = s->head_end = t->value;
    s->value = t->value;
    s->tail = t->tail;
    s->end = t->end;
    ct_sjson_links *const links = doc->links.items;
    links[node].first = links[other].first;
    links[node].last = links[other].last;
    links[node].is_changed = links[node].is_closed = false;
    for (uint32_t child = links[node].first; child; child = links[child].next)
        links[child].parent = node;
    links[other].first = 0;
    clear_node(doc, other);
}

static void unlink_node(ct_sjson_document *doc, uint32_t node) {
    ct_sjson_links *const links = doc->links.items;
    const ct_sjson_links l = links[node];
    *(l.previous ? &links[l.previous].next : &links[l.parent].first) = l.next;
    *(l.next ? &links[l.next].previous : &links[l.parent].last) = l.previous;
    --doc->entries.items[l.parent].as.container.count;
    links[node].parent = links[node].previous = links[node].next = 0;
}

static void link_node(ct_sjson_document *doc, uint32_t node, uint32_t container, uint32_t before) {
    ct_sjson_links *const links = doc->links.items;
    const uint32_t previous = before ? links[before].previous : links[container].last;
    links[node].parent = container;
    links[node].previous = previous;
    links[node].next = before;
    *(previous ? &links[previous].next : &links[container].first) = node;
    *(before ? &links[before].previous : &links[container].last) = node;
    ++doc->entries.items[container].as.container.count;
}

// --- Gaps ----------------------------------------------------------------------------------------

// Sets the gap before `before`, or at the container's end when that is 0, to a text.
static void set_gap(ct_sjson_document *doc, uint32_t container, uint32_t before,
                    ct_string_builder *text) {
    if (before) {
        ct_sjson_spans *const s = &doc->spans.items[before];
        s->lead = append_text(doc, text);
        s->lead_end = doc->text.count;
        return;
    }
    if (!doc->links.items[container].is_bare)
        ct_string_builder_add_char(
            text, doc->entries.items[container].type == CT_SJSON_TYPE_ARRAY ? ']' : '}');
    ct_sjson_spans *const s = &doc->spans.items[container];
    s->tail = append_text(doc, text);
    s->end = doc->text.count;
}

// Returns whether `node` would start the text with bytes that look like a byte order mark.
static bool has_mark_first(const ct_sjson_document *doc, uint32_t node) {
    const ct_sjson_spans *const s = &doc->spans.items[node];
    return doc->source_begin == 0 && doc->links.items[doc->links.items[node].parent].is_bare &&
           ct_utf8_mark_bytes(doc->text.items + s->key, s->head_end - s->key) > 0;
}

// Puts a blank before a value that touches the previous one, as they could merge into one token.
static void separate(ct_sjson_document *doc, uint32_t node) {
    if (!node || doc->spans.items[node].lead != doc->spans.items[node].lead_end)
        return;
    if (!doc->links.items[node].previous && !has_mark_first(doc, node))
        return;
    ct_string_builder blank;
    ct_string_builder_init(&blank, doc->allocator);
    ct_string_builder_add_char(&blank, ' ');
    set_gap(doc, doc->links.items[node].parent, node, &blank);
    ct_string_builder_free(&blank);
}

// --- Taking out and putting in -------------------------------------------------------------------

// Takes the node out of its container.
static void take_out(ct_sjson_document *doc, uint32_t node) {
    const ct_sjson_links links = doc->links.items[node];
    ct_string_builder gap;
    ct_string_builder_init(&gap, doc->allocator);
    ct_sjson_document_make_joined_gap(doc, node, &gap);
    mark_changed(doc, links.parent);
    unlink_node(doc, node);
    set_gap(doc, links.parent, links.next, &gap);
    separate(doc, links.next);
    ct_string_builder_free(&gap);
}

// The value to insert.
typedef struct insertion {
    const ct_sjson_document *from; // not NULL when the value must be written again
    uint32_t value;                // in `from`, or the node to link again
    const char *key;               // NULL for an element; borrowed until the insertion
    ct_sjson_document_companions comments;
} insertion;

// Appends key, assignment and value at a place.
static void add_member(const ct_sjson_document_place *p, const insertion *in,
                       ct_string_builder *out, uint32_t *head_bytes) {
    if (in->key) {
        ct_sjson_document_add_key(&p->style, in->key, out);
        ct_string_builder_add(out, p->style.assign);
    }
    *head_bytes = out->length;
    ct_sjson_document_restyle(in->from, in->value, &p->style, ct_string_builder_text(&p->indent),
                              out);
}

// Sets the gaps around a node that has its text already, and links it there.
static void put_in(ct_sjson_document *doc, const ct_sjson_document_place *p, uint32_t node,
                   const ct_string_builder *lead, ct_string_builder *rest) {
    ct_sjson_spans *const s = &doc->spans.items[node];
    s->lead = append_text(doc, lead);
    s->lead_end = doc->text.count;
    set_gap(doc, p->container, p->before, rest);
    link_node(doc, node, p->container, p->before);
    mark_changed(doc, p->container);
    separate(doc, node);
}

// Returns whether a value gets its own lines in an empty container.
static bool is_block(const insertion *in) {
    if (!in->key && in->from->entries.items[in->value].type == CT_SJSON_TYPE_OBJECT)
        return true;
    ct_string_builder text;
    ct_string_builder_init(&text, in->from->allocator);
    ct_sjson_document_write_value(in->from, (ct_sjson_node){in->value}, &text);
    const bool has_lines = memchr(text.text, '\n', text.length) != NULL;
    ct_string_builder_free(&text);
    return has_lines;
}

// Inserts a new node at a place, or (if `node` is given) that unlinked node with a new text.
static uint32_t insert_at(ct_sjson_document *doc, ct_sjson_document_place *p, uint32_t node,
                          const insertion *in, ct_error *error) {
    ct_string_builder lead, rest, member;
    ct_string_builder_init(&lead, doc->allocator);
    ct_string_builder_init(&rest, doc->allocator);
    ct_string_builder_init(&member, doc->allocator);
    uint32_t head_bytes;
    ct_sjson_document_make_gaps(doc, p, &in->comments, &lead, &rest);
    add_member(p, in, &member, &head_bytes);
    const uint64_t bytes = (uint64_t)lead.length + rest.length + member.length + ROOM;
    if (node || has_room(doc, bytes, error)) {
        const uint32_t key =
            in->key && !node ? add_string(doc, in->key, (uint32_t)strlen(in->key) + 1) : 0;
        const uint32_t begin = append_text(doc, &member);
        const uint32_t value = adopt_value(doc, begin + head_bytes, doc->text.count);
        if (node) {
            take_value(doc, node, value);
        } else {
            node = value;
            doc->entries.items[node].key = key;
        }
        doc->spans.items[node].key = begin;
        doc->spans.items[node].head_end = begin + head_bytes;
        put_in(doc, p, node, &lead, &rest);
    }
    ct_string_builder_free(&lead);
    ct_string_builder_free(&rest);
    ct_string_builder_free(&member);
    return node;
}

// Returns true when a member may get the key, or fills `error`.
static bool is_free_key(const ct_sjson_document *doc, uint32_t object, const char *key,
                        ct_error *error) {
    if (!ct_utf8_is_valid(key, strlen(key)))
        return ct_error_set_at(error, doc->file, 0, 0, "the new key is not UTF-8");
    const ct_sjson_node there = ct_sjson_document_find(doc, (ct_sjson_node){object}, key);
    return !there.index || ct_sjson_document_error(doc, there, error,
                                                   "the object has a key \"%.200s\" already", key);
}

static void assert_fits(const ct_sjson_document *doc, ct_sjson_node container, ct_sjson_node before,
                        bool is_member) {
    const ct_sjson_type type = is_member ? CT_SJSON_TYPE_OBJECT : CT_SJSON_TYPE_ARRAY;
    CT_ASSERT(ct_sjson_document_type(doc, container) == type, "node %u of %s is not an %s",
              container.index, doc->file, is_member ? "object" : "array");
    CT_ASSERT(!before.index || ct_sjson_document_parent(doc, before).index == container.index,
              "node %u of %s is not in the container %u", before.index, doc->file, container.index);
}

// `is_new`: the object is known not to have the key.
static ct_sjson_node insert(ct_sjson_document *doc, ct_sjson_node container, ct_sjson_node before,
                            const insertion *in, bool is_new, ct_error *error) {
    if ((in->key && !is_new && !is_free_key(doc, container.index, in->key, error)) ||
        !is_within_depth(doc, container.index, in->from, in->value, error))
        return (ct_sjson_node){0};
    ct_sjson_document_place p = ct_sjson_document_find_place(doc, container.index, before.index,
                                                             is_block(in), &in->comments);
    const uint32_t node = insert_at(doc, &p, 0, in, error);
    ct_sjson_document_free_place(&p);
    return (ct_sjson_node){node};
}

static ct_sjson_node insert_text(ct_sjson_document *doc, ct_sjson_node container,
                                 ct_sjson_node before, const char *key, const char *value,
                                 uint64_t value_bytes, ct_error *error) {
    assert_fits(doc, container, before, key);
    ct_sjson_document *const from = ct_sjson_document_parse_any(
        doc->allocator, value, value_bytes, new_value, &doc->limits, false, error);
    if (!from)
        return (ct_sjson_node){0};
    const insertion in = {.from = from, .value = 1, .key = key, .comments = {.doc = from}};
    const ct_sjson_node node = insert(doc, container, before, &in, false, error);
    ct_sjson_document_free(from);
    return node;
}

// --- The edits -----------------------------------------------------------------------------------

// Replaces a node's value by the text of a value that follows the document's style.
static void set_text(ct_sjson_document *doc, uint32_t node, const ct_string_builder *text) {
    const uint32_t parent = doc->links.items[node].parent;
    const uint32_t begin = append_text(doc, text);
    take_value(doc, node, adopt_value(doc, begin, doc->text.count));
    doc->links.items[node].is_bare = false;
    if (!parent)
        return;
    mark_changed(doc, parent);
    if (!doc->entries.items[node].key)
        separate(doc, node);
    separate(doc, doc->links.items[node].next);
}

bool ct_sjson_document_set(ct_sjson_document *doc, ct_sjson_node node, const char *value,
                           uint64_t value_bytes, ct_error *error) {
    CT_ASSERT(ct_sjson_document_type(doc, node) != CT_SJSON_TYPE_NONE,
              "node %u does not exist in %s", node.index, doc->file);
    const uint32_t parent = ct_sjson_document_parent(doc, node).index;
    ct_sjson_document *const from = ct_sjson_document_parse_any(
        doc->allocator, value, value_bytes, new_value, &doc->limits, false, error);
    if (!from)
        return false;
    CT_ASSERT(parent || ct_sjson_document_is_container(from, 1),
              "the root of %s cannot be a scalar", doc->file);
    const ct_sjson_document_style style =
        ct_sjson_document_style_in(doc, parent ? parent : node.index);
    ct_string_builder text, indent;
    ct_string_builder_init(&text, doc->allocator);
    ct_string_builder_init(&indent, doc->allocator);
    ct_sjson_document_add_indent(doc, node.index, &indent);
    ct_sjson_document_restyle(from, 1, &style, ct_string_builder_text(&indent), &text);
    const bool ok = is_within_depth(doc, parent, from, 1, error) &&
                    has_room(doc, (uint64_t)text.length + ROOM, error);
    if (ok)
        set_text(doc, node.index, &text);
    ct_string_builder_free(&text);
    ct_string_builder_free(&indent);
    ct_sjson_document_free(from);
    return ok;
}

bool ct_sjson_document_set_number(ct_sjson_document *doc, ct_sjson_node node, double value,
                                  ct_error *error) {
    CT_ASSERT(isfinite(value), "cannot write a number that is not finite");
    char text[CT_SJSON_NUMBER_BYTES];
    return ct_sjson_document_set(doc, node, text, ct_sjson_number_format(value, text), error);
}

bool ct_sjson_document_set_string(ct_sjson_document *doc, ct_sjson_node node, const char *text,
                                  uint32_t bytes, ct_error *error) {
    ct_string_builder written;
    ct_string_builder_init(&written, doc->allocator);
    ct_sjson_writer w;
    ct_sjson_writer_init(&w, &written, CT_SJSON_STYLE_SJSON);
    ct_sjson_write_string_bytes(&w, text, bytes);
    const bool ok = ct_sjson_document_set(doc, node, written.text, written.length, error);
    ct_string_builder_free(&written);
    return ok;
}

ct_sjson_node ct_sjson_document_insert_member(ct_sjson_document *doc, ct_sjson_node object,
                                              ct_sjson_node before, const char *key,
                                              const char *value, uint64_t value_bytes,
                                              ct_error *error) {
    CT_ASSERT(key, "a member needs a key");
    return insert_text(doc, object, before, key, value, value_bytes, error);
}

ct_sjson_node ct_sjson_document_insert_element(ct_sjson_document *doc, ct_sjson_node array,
                                               ct_sjson_node before, const char *value,
                                               uint64_t value_bytes, ct_error *error) {
    return insert_text(doc, array, before, NULL, value, value_bytes, error);
}

static ct_sjson_node copy(ct_sjson_document *doc, ct_sjson_node container, ct_sjson_node before,
                          const ct_sjson_document *from, ct_sjson_node source, bool is_new,
                          ct_error *error) {
    const char *const key = ct_sjson_document_key(from, source);
    CT_ASSERT(ct_sjson_document_parent(from, source).index, "cannot copy the root of %s",
              from->file);
    assert_fits(doc, container, before, key);
    // A key of the same document would move when the copy's strings are added.
    char *const own_key = key ? ct_copy_string(doc->allocator, key) : NULL;
    const insertion in = {.from = from,
                          .value = source.index,
                          .key = own_key,
                          .comments = ct_sjson_document_companions_of(from, source.index)};
    const ct_sjson_node node = insert(doc, container, before, &in, is_new, error);
    ct_free(doc->allocator, own_key);
    return node;
}

ct_sjson_node ct_sjson_document_copy(ct_sjson_document *doc, ct_sjson_node container,
                                     ct_sjson_node before, const ct_sjson_document *from,
                                     ct_sjson_node source, ct_error *error) {
    return copy(doc, container, before, from, source, false, error);
}

ct_sjson_node ct_sjson_document_copy_new(ct_sjson_document *doc, ct_sjson_node container,
                                         ct_sjson_node before, const ct_sjson_document *from,
                                         ct_sjson_node source, ct_error *error) {
    return copy(doc, container, before, from, source, true, error);
}

static bool is_below(const ct_sjson_document *doc, uint32_t node, uint32_t ancestor) {
    while (node && node != ancestor)
        node = doc->links.items[node].parent;
    return node;
}

// Puts a removed node back into the container that it was in.
static void put_back(ct_sjson_document *doc, uint32_t node, uint32_t container, uint32_t before,
                     const ct_sjson_document_companions *comments) {
    ct_sjson_document_place p =
        ct_sjson_document_find_place(doc, container, before, false, comments);
    ct_string_builder lead, rest;
    ct_string_builder_init(&lead, doc->allocator);
    ct_string_builder_init(&rest, doc->allocator);
    ct_sjson_document_make_gaps(doc, &p, comments, &lead, &rest);
    put_in(doc, &p, node, &lead, &rest);
    ct_string_builder_free(&lead);
    ct_string_builder_free(&rest);
    ct_sjson_document_free_place(&p);
}

static void put_elsewhere(ct_sjson_document *doc, uint32_t node, uint32_t container,
                          uint32_t before, const ct_sjson_document_companions *comments) {
    const char *const key = ct_sjson_document_key(doc, (ct_sjson_node){node});
    const insertion in = {.from = doc, .value = node, .key = key, .comments = *comments};
    ct_sjson_document_place p =
        ct_sjson_document_find_place(doc, container, before, is_block(&in), comments);
    insert_at(doc, &p, node, &in, NULL);
    ct_sjson_document_free_place(&p);
}

bool ct_sjson_document_move(ct_sjson_document *doc, ct_sjson_node node, ct_sjson_node container,
                            ct_sjson_node before, ct_error *error) {
    const uint32_t parent = ct_sjson_document_parent(doc, node).index;
    const char *const key = ct_sjson_document_key(doc, node);
    CT_ASSERT(parent, "node %u of %s is the root or does not exist", node.index, doc->file);
    assert_fits(doc, container, before, key);
    CT_ASSERT(!is_below(doc, container.index, node.index), "node %u of %s would move into itself",
              node.index, doc->file);
    const bool is_same = container.index == parent;
    if (is_same &&
        (before.index == node.index || before.index == ct_sjson_document_next(doc, node).index))
        return true;
    ct_string_builder text;
    ct_string_builder_init(&text, doc->allocator);
    ct_sjson_document_write_value(doc, node, &text);
    const ct_sjson_document_companions comments = ct_sjson_document_companions_of(doc, node.index);
    // Twice the text, as the value may get deeper indents.
    const uint64_t bytes = 2ull * text.length + (comments.before.end - comments.before.begin) +
                           (comments.after.end - comments.after.begin) + ROOM;
    ct_string_builder_free(&text);
    if (!has_room(doc, bytes, error) ||
        (!is_same && ((key && !is_free_key(doc, container.index, key, error)) ||
                      !is_within_depth(doc, container.index, doc, node.index, error))))
        return false;
    take_out(doc, node.index);
    (is_same ? put_back : put_elsewhere)(doc, node.index, container.index, before.index, &comments);
    return true;
}

bool ct_sjson_document_rename(ct_sjson_document *doc, ct_sjson_node member, const char *key,
                              ct_error *error) {
    const char *const old = ct_sjson_document_key(doc, member);
    CT_ASSERT(old, "node %u of %s is not a member of an object", member.index, doc->file);
    if (strcmp(old, key) == 0)
        return true;
    const uint32_t parent = ct_sjson_document_parent(doc, member).index;
    const uint32_t key_bytes = (uint32_t)strlen(key);
    if (!is_free_key(doc, parent, key, error) || !has_room(doc, 6ull * key_bytes + ROOM, error))
        return false;
    const ct_sjson_token token = ct_sjson_document_key_token(doc, member.index);
    ct_sjson_spans *const s = &doc->spans.items[member.index];
    ct_string_builder head;
    ct_string_builder_init(&head, doc->allocator);
    if (token.kind == CT_SJSON_TOKEN_KIND_STRING || ct_sjson_key_needs_quotes(key))
        ct_sjson_add_string(&head, key, key_bytes);
    else
        ct_string_builder_add(&head, key);
    ct_string_builder_add_bytes(&head, doc->text.items + s->key + token.end,
                                s->head_end - s->key - token.end);
    s->key = append_text(doc, &head);
    s->head_end = doc->text.count;
    doc->entries.items[member.index].key = add_string(doc, key, key_bytes + 1);
    mark_changed(doc, parent);
    separate(doc, member.index); // a quote may come before it
    ct_string_builder_free(&head);
    return true;
}

void ct_sjson_document_remove(ct_sjson_document *doc, ct_sjson_node node) {
    CT_ASSERT(ct_sjson_document_parent(doc, node).index,
              "node %u of %s is the root or does not exist", node.index, doc->file);
    take_out(doc, node.index);
    clear_children(doc, node.index);
    clear_node(doc, node.index);
}
