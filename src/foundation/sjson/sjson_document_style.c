// Determines how a document is written, and writes other values in that style.
#include <string.h>

#include "foundation/sjson/sjson_document_data.h"
#include "foundation/sjson/sjson_writer.h"

// --- Gaps of a document --------------------------------------------------------------------------

ct_sjson_gap ct_sjson_document_gap_before(const ct_sjson_document *doc, uint32_t node) {
    const ct_sjson_links *const links = &doc->links.items[node];
    const bool is_start = !links->previous && doc->links.items[links->parent].is_bare;
    const ct_sjson_spans *const s = &doc->spans.items[node];
    return ct_sjson_gap_read(doc->text.items, s->lead, s->lead_end,
                             is_start ? CT_SJSON_GAP_PLACE_START : CT_SJSON_GAP_PLACE_BETWEEN);
}

ct_sjson_gap ct_sjson_document_gap_at_end(const ct_sjson_document *doc, uint32_t container) {
    const bool is_start = doc->links.items[container].is_bare && !doc->links.items[container].last;
    return ct_sjson_gap_read(doc->text.items, doc->spans.items[container].tail,
                             ct_sjson_document_tail_end(doc, container),
                             is_start ? CT_SJSON_GAP_PLACE_START : CT_SJSON_GAP_PLACE_TAIL);
}

ct_sjson_gap ct_sjson_document_gap_at(const ct_sjson_document *doc, uint32_t container,
                                      uint32_t before) {
    return before ? ct_sjson_document_gap_before(doc, before)
                  : ct_sjson_document_gap_at_end(doc, container);
}

void ct_sjson_document_add_indent(const ct_sjson_document *doc, uint32_t node,
                                  ct_string_builder *out) {
    for (; node; node = doc->links.items[node].parent) {
        const ct_sjson_gap gap = ct_sjson_document_gap_before(doc, node);
        if (!gap.has_line_end)
            continue;
        uint32_t begin = gap.begin;
        for (ct_sjson_gap_item i = ct_sjson_gap_item_at(doc->text.items, begin, gap.end);
             i.kind != CT_SJSON_GAP_ITEM_KIND_END;
             i = ct_sjson_gap_item_at(doc->text.items, i.end, gap.end)) {
            if (i.kind == CT_SJSON_GAP_ITEM_KIND_LINE_END)
                begin = i.end;
        }
        const ct_sjson_gap_item blanks = ct_sjson_gap_item_at(doc->text.items, begin, gap.end);
        if (blanks.kind == CT_SJSON_GAP_ITEM_KIND_BLANKS)
            ct_string_builder_add_bytes(out, doc->text.items + begin, blanks.end - begin);
        return;
    }
}

// --- Finding the style ---------------------------------------------------------------------------

// The parts of a style known so far; each comes from the first place that shows it.
typedef struct finder {
    const ct_sjson_document *doc;
    ct_sjson_document_style *style;
    bool has_commas, has_quotes, has_indent, has_assign, has_in_object, has_in_array;
} finder;

static bool copy_short(char *out, uint32_t out_bytes, const char *text, uint32_t bytes) {
    if (bytes >= out_bytes)
        return false;
    memcpy(out, text, bytes);
    out[bytes] = 0;
    return true;
}

ct_sjson_token ct_sjson_document_key_token(const ct_sjson_document *doc, uint32_t member) {
    const ct_sjson_spans *const s = &doc->spans.items[member];
    ct_sjson_tokenizer t = {
        .text = doc->text.items + s->key, .file = doc->file, .size_bytes = s->head_end - s->key};
    ct_sjson_token token;
    const bool ok = ct_sjson_tokenizer_next(&t, &token, NULL);
    CT_ASSERT(ok, "a member of %s has no key", doc->file);
    return token;
}

static void learn_from_key(finder *f, uint32_t member) {
    if (f->has_assign && f->has_quotes)
        return;
    const ct_sjson_document *const doc = f->doc;
    const ct_sjson_token token = ct_sjson_document_key_token(doc, member);
    const ct_sjson_spans *const s = &doc->spans.items[member];
    const char *const assign = doc->text.items + s->key + token.end;
    const uint32_t bytes = s->head_end - s->key - token.end;
    const bool is_plain = !memchr(assign, '/', bytes) && !memchr(assign, '\n', bytes);
    if (!f->has_assign && is_plain)
        f->has_assign = copy_short(f->style->assign, sizeof(f->style->assign), assign, bytes);
    const char *const key = ct_sjson_document_key(doc, (ct_sjson_node){member});
    if (!f->has_quotes && !ct_sjson_key_needs_quotes(key)) {
        f->has_quotes = true;
        f->style->has_quoted_keys = token.kind == CT_SJSON_TOKEN_KIND_STRING;
    }
}

// Learns the blanks between two values on one line.
static void learn_from_line(finder *f, uint32_t node, const ct_sjson_gap *gap) {
    const bool is_member = f->doc->entries.items[node].key;
    bool *const is_known = is_member ? &f->has_in_object : &f->has_in_array;
    if (*is_known || gap->has_comment || gap->has_line_end)
        return;
    char blanks[20];
    uint32_t bytes = 0;
    for (uint32_t at = gap->begin; at < gap->end; ++at) {
        if (f->doc->text.items[at] == ',')
            continue;
        if (bytes == sizeof(blanks))
            return;
        blanks[bytes++] = f->doc->text.items[at];
    }
    char *const out = is_member ? f->style->in_object : f->style->in_array;
    *is_known = copy_short(out, sizeof(f->style->in_array), blanks, bytes);
}

static void learn_indent(finder *f, uint32_t node) {
    const uint32_t parent = f->doc->links.items[node].parent;
    if (f->has_indent || f->doc->links.items[parent].is_bare)
        return;
    ct_string_builder inner, outer;
    ct_string_builder_init(&inner, f->doc->allocator);
    ct_string_builder_init(&outer, f->doc->allocator);
    ct_sjson_document_add_indent(f->doc, node, &inner);
    ct_sjson_document_add_indent(f->doc, parent, &outer);
    if (inner.length > outer.length)
        f->has_indent = copy_short(f->style->indent, sizeof(f->style->indent),
                                   inner.text + outer.length, inner.length - outer.length);
    ct_string_builder_free(&inner);
    ct_string_builder_free(&outer);
}

static void learn_from_node(finder *f, uint32_t node) {
    if (f->doc->entries.items[node].type == CT_SJSON_TYPE_NONE)
        return;
    if (f->doc->entries.items[node].key)
        learn_from_key(f, node);
    const bool is_first = !f->doc->links.items[node].previous;
    if (is_first && f->has_indent)
        return;
    const ct_sjson_gap gap = ct_sjson_document_gap_before(f->doc, node);
    if (gap.has_line_end)
        learn_indent(f, node);
    if (is_first)
        return;
    if (!f->has_commas) {
        f->has_commas = true;
        f->style->has_commas = gap.has_comma;
    }
    learn_from_line(f, node, &gap);
}

static void learn_line_end(ct_sjson_document *doc) {
    const char *const found = memchr(doc->text.items, '\n', doc->source_bytes);
    const bool is_crlf = found && found > doc->text.items && found[-1] == '\r';
    memcpy(doc->style.line_end, is_crlf ? "\r\n" : "\n", is_crlf ? 3 : 2);
}

void ct_sjson_document_prefer_json(ct_sjson_document *doc) {
    CT_ASSERT(!doc->style.is_known, "%s was edited already", doc->file);
    doc->prefers_json = true;
}

const ct_sjson_document_style *ct_sjson_document_style_of(ct_sjson_document *doc) {
    if (doc->style.is_known)
        return &doc->style;
    doc->style = (ct_sjson_document_style){.indent = "    ", .assign = " = ", .is_known = true};
    if (doc->prefers_json) {
        doc->style.has_commas = doc->style.has_quoted_keys = true;
        memcpy(doc->style.assign, ": ", 3);
    }
    finder f = {.doc = doc, .style = &doc->style};
    for (uint32_t node = 2; node < doc->num_source_nodes; ++node) {
        const bool is_done = f.has_commas && f.has_quotes && f.has_indent && f.has_assign &&
                             f.has_in_object && f.has_in_array;
        if (is_done)
            break;
        learn_from_node(&f, node);
    }
    learn_line_end(doc);
    if (!f.has_in_object)
        memcpy(doc->style.in_object, doc->style.has_commas ? " \0" : "  ", 3);
    if (!f.has_in_array)
        memcpy(doc->style.in_array, " ", 2);
    return &doc->style;
}

ct_sjson_document_style ct_sjson_document_style_in(ct_sjson_document *doc, uint32_t container) {
    ct_sjson_document_style style = *ct_sjson_document_style_of(doc);
    const uint32_t first = doc->links.items[container].first;
    if (!first)
        return style;
    finder f = {.doc = doc, .style = &style, .has_indent = true};
    learn_from_node(&f, first);
    const uint32_t second = doc->links.items[first].next;
    if (second)
        learn_from_node(&f, second);
    else if (ct_sjson_document_gap_at_end(doc, container).has_comma)
        style.has_commas = true;
    return style;
}

// --- Writing in a style --------------------------------------------------------------------------

bool ct_sjson_document_style_is_json(const ct_sjson_document_style *style) {
    return style->has_commas && style->has_quoted_keys && strchr(style->assign, ':');
}

void ct_sjson_document_add_key(const ct_sjson_document_style *style, const char *key,
                               ct_string_builder *out) {
    if (style->has_quoted_keys || ct_sjson_key_needs_quotes(key))
        ct_sjson_add_string(out, key, (uint32_t)strlen(key));
    else
        ct_string_builder_add(out, key);
}

// Writes a value of `from`; its first line has the indent `indent`, which is level 0.
typedef struct restyler {
    const ct_sjson_document *from;
    const ct_sjson_document_style *style;
    const char *indent;
    ct_string_builder *out;
    uint32_t line_level; // of the line that is being written
    ct_u32_array levels; // of the lines on which the open containers begin
} restyler;

static void add_indents(restyler *r, uint32_t level) {
    ct_string_builder_add(r->out, r->indent);
    for (uint32_t i = 0; i < level; ++i)
        ct_string_builder_add(r->out, r->style->indent);
    r->line_level = level;
}

// Writes a gap without its comma; lines that begin in it get the indent of the level.
static void add_items(restyler *r, const ct_sjson_gap *gap, uint32_t level) {
    const char *const text = r->from->text.items;
    bool is_line_begin = false;
    ct_sjson_gap_item next;
    for (ct_sjson_gap_item i = ct_sjson_gap_item_at(text, gap->begin, gap->end);
         i.kind != CT_SJSON_GAP_ITEM_KIND_END; i = next) {
        next = ct_sjson_gap_item_at(text, i.end, gap->end);
        const bool is_comment = i.kind == CT_SJSON_GAP_ITEM_KIND_COMMENT;
        if (i.kind == CT_SJSON_GAP_ITEM_KIND_LINE_END) {
            ct_string_builder_add(r->out, r->style->line_end);
            is_line_begin = true;
        } else if (is_comment && is_line_begin) {
            add_indents(r, level);
            is_line_begin = false;
        }
        const bool is_blanks = i.kind == CT_SJSON_GAP_ITEM_KIND_BLANKS && !is_line_begin &&
                               next.kind != CT_SJSON_GAP_ITEM_KIND_LINE_END;
        if (is_comment || is_blanks)
            ct_string_builder_add_bytes(r->out, text + i.begin, i.end - i.begin);
    }
    if (is_line_begin)
        add_indents(r, level);
}

// Writes the gap before a child.
static void restyle_gap_before(restyler *r, uint32_t node) {
    const ct_sjson_gap gap = ct_sjson_document_gap_before(r->from, node);
    const bool is_between = r->from->links.items[node].previous;
    if (is_between && r->style->has_commas)
        ct_string_builder_add_char(r->out, ',');
    if (is_between && !gap.has_line_end && !gap.has_comment) {
        const bool is_member = r->from->entries.items[node].key;
        const char *const blanks = is_member ? r->style->in_object : r->style->in_array;
        const bool may_be_empty = r->style->has_commas;
        ct_string_builder_add(r->out, *blanks || may_be_empty ? blanks : " ");
    } else {
        add_items(r, &gap, r->levels.items[r->levels.count - 1] + 1);
    }
}

static void restyle_key(restyler *r, uint32_t member) {
    const ct_sjson_spans *const s = &r->from->spans.items[member];
    const char *const key = ct_sjson_document_key(r->from, (ct_sjson_node){member});
    ct_sjson_document_add_key(r->style, key, r->out);
    const uint32_t key_end = s->key + ct_sjson_document_key_token(r->from, member).end;
    const char *const assign = r->from->text.items + key_end;
    const uint32_t bytes = s->head_end - key_end;
    if (memchr(assign, '/', bytes)) // a comment
        ct_string_builder_add_bytes(r->out, assign, bytes);
    else
        ct_string_builder_add(r->out, r->style->assign);
}

// Writes a scalar, or a container's opening bracket.
static void restyle_value_begin(restyler *r, uint32_t node) {
    const ct_sjson_document *const from = r->from;
    const ct_sjson_entry *const e = &from->entries.items[node];
    const ct_sjson_spans *const s = &from->spans.items[node];
    const char *const text = from->text.items + s->value;
    const uint32_t bytes = s->end - s->value;
    CT_ASSERT(!from->links.items[node].is_closed,
              "a container of %s is not open: the outline left out its children", from->file);
    const bool is_raw = bytes >= 6 && memcmp(text, "\"\"\"", 3) == 0;
    if (e->type >= CT_SJSON_TYPE_ARRAY)
        ct_string_builder_add_char(r->out, e->type == CT_SJSON_TYPE_ARRAY ? '[' : '{');
    else if (is_raw && ct_sjson_document_style_is_json(r->style))
        ct_sjson_add_string(r->out, ct_sjson_document_string(from, (ct_sjson_node){node}, ""),
                            e->as.string.bytes);
    else
        ct_string_builder_add_bytes(r->out, text, bytes);
}

static void restyle_container_end(restyler *r, uint32_t node) {
    const ct_sjson_gap gap = ct_sjson_document_gap_at_end(r->from, node);
    add_items(r, &gap, r->levels.items[--r->levels.count]);
    const bool is_array = r->from->entries.items[node].type == CT_SJSON_TYPE_ARRAY;
    ct_string_builder_add_char(r->out, is_array ? ']' : '}');
}

void ct_sjson_document_restyle(const ct_sjson_document *from, uint32_t node,
                               const ct_sjson_document_style *style, const char *indent,
                               ct_string_builder *out) {
    restyler r = {.from = from, .style = style, .indent = indent, .out = out};
    ct_array_init(&r.levels, from->allocator);
    const ct_sjson_links *const links = from->links.items;
    restyle_value_begin(&r, node);
    for (uint32_t at = node;;) {
        uint32_t child = links[at].first;
        if (ct_sjson_document_is_container(from, at))
            ct_array_push(&r.levels, r.line_level);
        while (!child) {
            if (ct_sjson_document_is_container(from, at))
                restyle_container_end(&r, at);
            if (at == node) {
                ct_array_free(&r.levels);
                return;
            }
            child = links[at].next;
            if (!child)
                at = links[at].parent;
        }
        restyle_gap_before(&r, child);
        if (from->entries.items[child].key)
            restyle_key(&r, child);
        restyle_value_begin(&r, child);
        at = child;
    }
}
