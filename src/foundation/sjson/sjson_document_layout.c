// The gaps that edits leave around an inserted value, and where a value was removed.
#include <string.h>

#include "foundation/sjson/sjson_document_data.h"

static void add_text(const ct_sjson_document *doc, ct_sjson_gap_builder *b, uint32_t begin,
                     uint32_t end) {
    ct_sjson_gap_add(b, doc->text.items + begin, end - begin);
}

static void add_new_line(ct_sjson_gap_builder *b) {
    ct_sjson_gap_add(b, b->line_end, (uint32_t)strlen(b->line_end));
    ct_sjson_gap_add(b, b->indent, (uint32_t)strlen(b->indent));
}

// --- Taking out ----------------------------------------------------------------------------------

// Makes the gap that replaces the gaps on both sides of a removed node: the parts of both gaps that
// do not belong to the node.
static void add_joined_gap(const ct_sjson_document *doc, const ct_sjson_gap *one,
                           const ct_sjson_gap *two, bool is_first, bool is_last, bool is_start,
                           ct_sjson_gap_builder *b) {
    const char *const text = doc->text.items;
    const bool is_on_line = !one->has_line_end && !two->has_line_end;
    if (is_first && !is_last && is_on_line && !one->has_comment && !two->has_comment) {
        add_text(doc, b, one->begin, one->end); // [ 1 2] to [ 2]
        return;
    }
    add_text(doc, b, one->begin, one->own_begin);
    ct_sjson_gap_item item = ct_sjson_gap_item_at(text, two->trailing_end, two->end);
    if (one->has_line_end && !two->has_line_end && !is_last) {
        add_new_line(b); // the text after it on the same line takes its place
        if (item.kind == CT_SJSON_GAP_ITEM_KIND_BLANKS)
            item = ct_sjson_gap_item_at(text, item.end, two->end);
    } else if (is_start && b->text->length == 0 && item.kind == CT_SJSON_GAP_ITEM_KIND_LINE_END) {
        item.begin = item.end; // no empty line at the start
    }
    add_text(doc, b, item.begin, two->end);
}

void ct_sjson_document_make_joined_gap(ct_sjson_document *doc, uint32_t node,
                                       ct_string_builder *out) {
    const ct_sjson_links links = doc->links.items[node];
    const ct_sjson_gap one = ct_sjson_document_gap_at(doc, links.parent, node);
    const ct_sjson_gap two = ct_sjson_document_gap_at(doc, links.parent, links.next);
    const bool needs_comma = links.previous && (two.has_comma || (links.next && one.has_comma));
    const bool is_start = !links.previous && doc->links.items[links.parent].is_bare;
    ct_string_builder text, indent;
    ct_string_builder_init(&text, doc->allocator);
    ct_string_builder_init(&indent, doc->allocator);
    ct_sjson_document_add_indent(doc, links.next ? node : links.parent, &indent);
    ct_sjson_gap_builder b = {.text = &text,
                              .line_end = ct_sjson_document_style_of(doc)->line_end,
                              .indent = ct_string_builder_text(&indent)};
    add_joined_gap(doc, &one, &two, !links.previous, !links.next, is_start, &b);
    ct_sjson_gap_finish(&b, needs_comma, links.previous && links.next, out);
    ct_string_builder_free(&text);
    ct_string_builder_free(&indent);
}

// --- Putting in ----------------------------------------------------------------------------------

ct_sjson_document_companions ct_sjson_document_companions_of(const ct_sjson_document *doc,
                                                             uint32_t node) {
    const ct_sjson_links *const links = &doc->links.items[node];
    ct_sjson_document_companions c = {.doc = doc};
    if (links->parent) {
        c.before = ct_sjson_document_gap_at(doc, links->parent, node);
        c.after = ct_sjson_document_gap_at(doc, links->parent, links->next);
    }
    return c;
}

static bool is_broken_at(const ct_sjson_document *doc, const ct_sjson_document_place *p,
                         bool is_block) {
    const ct_sjson_links *const links = &doc->links.items[p->container];
    const uint32_t second = links->first ? doc->links.items[links->first].next : 0;
    if (links->is_bare && !second)
        return true;
    if (links->is_bare && !p->previous)
        return ct_sjson_document_gap_before(doc, second).has_line_end;
    if (!links->first)
        return p->gap.has_line_end || is_block;
    return p->before ? p->gap.has_line_end
                     : ct_sjson_document_gap_before(doc, p->previous).has_line_end;
}

static bool has_comments_before(const ct_sjson_document_companions *c) {
    const char *const text = c->doc->text.items;
    ct_sjson_gap_item i = ct_sjson_gap_item_at(text, c->before.own_begin, c->before.end);
    while (i.kind != CT_SJSON_GAP_ITEM_KIND_END && i.kind != CT_SJSON_GAP_ITEM_KIND_COMMENT)
        i = ct_sjson_gap_item_at(text, i.end, c->before.end);
    return i.kind == CT_SJSON_GAP_ITEM_KIND_COMMENT;
}

// Finds the blanks at the start of the new value's line, and of the container's.
static void find_indents(const ct_sjson_document *doc, ct_sjson_document_place *p,
                         bool breaks_line) {
    ct_string_builder_init(&p->indent, doc->allocator);
    ct_string_builder_init(&p->end_indent, doc->allocator);
    ct_sjson_document_add_indent(doc, p->container, &p->end_indent);
    const char *const outer = ct_string_builder_text(&p->end_indent);
    const uint32_t sibling = p->before ? p->before : p->previous;
    const bool is_own = p->is_broken && !sibling;
    if (is_own)
        ct_string_builder_add(&p->indent, outer);
    else
        ct_sjson_document_add_indent(doc, sibling ? sibling : p->container, &p->indent);
    const bool is_outer = is_own || (breaks_line && p->indent.length == p->end_indent.length);
    if (is_outer && !doc->links.items[p->container].is_bare)
        ct_string_builder_add(&p->indent, p->style.indent);
}

ct_sjson_document_place ct_sjson_document_find_place(ct_sjson_document *doc, uint32_t container,
                                                     uint32_t before, bool is_block,
                                                     const ct_sjson_document_companions *c) {
    ct_sjson_document_place p = {.container = container,
                                 .before = before,
                                 .previous = before ? doc->links.items[before].previous
                                                    : doc->links.items[container].last,
                                 .gap = ct_sjson_document_gap_at(doc, container, before),
                                 .style = ct_sjson_document_style_in(doc, container)};
    const bool has_comments = has_comments_before(c);
    const bool was_broken = is_broken_at(doc, &p, is_block || has_comments);
    p.is_broken = was_broken || has_comments;
    find_indents(doc, &p, !was_broken && has_comments);
    return p;
}

void ct_sjson_document_free_place(ct_sjson_document_place *p) {
    ct_string_builder_free(&p->indent);
    ct_string_builder_free(&p->end_indent);
}

// Adds the blanks between values on one line; without commas, at least one.
static void add_line_separator(const ct_sjson_document *doc, const ct_sjson_document_place *p,
                               ct_sjson_gap_builder *b) {
    const bool is_array = doc->entries.items[p->container].type == CT_SJSON_TYPE_ARRAY;
    const char *const blanks = is_array ? p->style.in_array : p->style.in_object;
    const char *const used = *blanks || p->style.has_commas ? blanks : " ";
    ct_sjson_gap_add(b, used, (uint32_t)strlen(used));
}

// Returns the end of the blanks at the start of the gap, which stay before a new first value on the
// line of its bracket.
static uint32_t padding_end(const ct_sjson_document *doc, const ct_sjson_document_place *p) {
    const ct_sjson_gap_item item = ct_sjson_gap_item_at(doc->text.items, p->gap.begin, p->gap.end);
    return item.kind == CT_SJSON_GAP_ITEM_KIND_BLANKS ? item.end : p->gap.begin;
}

// Splits the gap before an existing value in two: `lead` before the new value, `rest` after it.
static void split_before_value(const ct_sjson_document *doc, const ct_sjson_document_place *p,
                               ct_sjson_gap_builder *lead, ct_sjson_gap_builder *rest) {
    const ct_sjson_gap *const gap = &p->gap;
    const bool is_start = !p->previous && doc->links.items[p->container].is_bare;
    if (p->is_broken) {
        add_text(doc, lead, gap->begin, gap->own_begin);
        const bool is_at_start = is_start && gap->own_begin == gap->begin;
        add_new_line(is_at_start ? rest : lead);
        add_text(doc, rest, gap->own_begin, gap->end);
    } else if (p->previous) {
        add_text(doc, lead, gap->begin, gap->trailing_end);
        add_line_separator(doc, p, lead);
        add_text(doc, rest, gap->trailing_end, gap->end);
    } else {
        const uint32_t end = padding_end(doc, p);
        add_text(doc, lead, gap->begin, end);
        add_line_separator(doc, p, rest);
        add_text(doc, rest, end, gap->end);
    }
}

// Does the same for the gap between the last value and the container's end.
static void split_after_last(const ct_sjson_document *doc, const ct_sjson_document_place *p,
                             ct_sjson_gap_builder *lead, ct_sjson_gap_builder *rest) {
    add_text(doc, lead, p->gap.begin, p->gap.trailing_end);
    if (p->is_broken)
        add_new_line(lead);
    else
        add_line_separator(doc, p, lead);
    add_text(doc, rest, p->gap.trailing_end, p->gap.end);
}

// Does the same for the gap in an empty container.
static void split_empty(const ct_sjson_document *doc, const ct_sjson_document_place *p,
                        ct_sjson_gap_builder *lead, ct_sjson_gap_builder *rest) {
    const ct_sjson_gap *const gap = &p->gap;
    const bool is_array = doc->entries.items[p->container].type == CT_SJSON_TYPE_ARRAY;
    if (doc->links.items[p->container].is_bare) {
        add_text(doc, lead, gap->begin, gap->end);
        const char *const text = ct_string_builder_text(lead->text);
        if (lead->text->length && text[lead->text->length - 1] != '\n')
            add_new_line(lead);
        add_new_line(rest);
    } else if (p->is_broken) {
        add_text(doc, lead, gap->begin, gap->trailing_end);
        add_new_line(lead);
        if (gap->has_line_end)
            add_text(doc, rest, gap->trailing_end, gap->end);
        else
            add_new_line(rest);
    } else {
        if (gap->has_comment)
            add_text(doc, lead, gap->begin, gap->end);
        const char *const text = ct_string_builder_text(lead->text);
        const bool is_padded = lead->text->length && text[lead->text->length - 1] == ' ';
        ct_sjson_gap_add(lead, " ", is_padded || (is_array && !gap->has_comment) ? 0 : 1);
        ct_sjson_gap_add(rest, " ", is_array ? 0 : 1);
    }
}

// Appends the comments before a value to the gap that ends at its place.
static void add_comments_before(const ct_sjson_document_companions *c, bool is_broken,
                                ct_sjson_gap_builder *lead) {
    const char *const text = c->doc->text.items;
    ct_sjson_gap_item next;
    bool is_waiting = false; // the last piece is a comment, and nothing follows it yet
    for (ct_sjson_gap_item i = ct_sjson_gap_item_at(text, c->before.own_begin, c->before.end);
         i.kind != CT_SJSON_GAP_ITEM_KIND_END; i = next) {
        next = ct_sjson_gap_item_at(text, i.end, c->before.end);
        if (i.kind == CT_SJSON_GAP_ITEM_KIND_COMMENT) {
            if (is_waiting)
                ct_sjson_gap_add(lead, " ", 1);
            ct_sjson_gap_add(lead, text + i.begin, i.end - i.begin);
            is_waiting = true;
        } else if (i.kind == CT_SJSON_GAP_ITEM_KIND_LINE_END && is_waiting && is_broken) {
            add_new_line(lead);
            is_waiting = false;
        }
    }
    if (is_waiting)
        ct_sjson_gap_add(lead, " ", 1);
}

// Puts the comments after a value at the start of the gap that follows it.
static void add_comments_after(const ct_sjson_document_companions *c, ct_sjson_gap_builder *rest) {
    const char *const text = c->doc->text.items;
    for (ct_sjson_gap_item i = ct_sjson_gap_item_at(text, c->after.begin, c->after.trailing_end);
         i.kind != CT_SJSON_GAP_ITEM_KIND_END;
         i = ct_sjson_gap_item_at(text, i.end, c->after.trailing_end)) {
        if (i.kind != CT_SJSON_GAP_ITEM_KIND_COMMENT)
            continue;
        ct_sjson_gap_add(rest, " ", 1);
        ct_sjson_gap_add(rest, text + i.begin, i.end - i.begin);
    }
}

void ct_sjson_document_make_gaps(const ct_sjson_document *doc, const ct_sjson_document_place *p,
                                 const ct_sjson_document_companions *c, ct_string_builder *lead_out,
                                 ct_string_builder *rest_out) {
    ct_string_builder lead_text, rest_text, split_text;
    ct_string_builder_init(&lead_text, doc->allocator);
    ct_string_builder_init(&rest_text, doc->allocator);
    ct_string_builder_init(&split_text, doc->allocator);
    const char *const indent = ct_string_builder_text(&p->indent);
    ct_sjson_gap_builder lead = {&lead_text, p->style.line_end, indent};
    ct_sjson_gap_builder rest = {&rest_text, p->style.line_end, indent}, split = rest;
    split.text = &split_text;
    if (!p->before)
        rest.indent = split.indent = ct_string_builder_text(&p->end_indent);
    if (p->before)
        split_before_value(doc, p, &lead, &split);
    else if (p->previous)
        split_after_last(doc, p, &lead, &split);
    else
        split_empty(doc, p, &lead, &split);
    add_comments_before(c, p->is_broken, &lead);
    add_comments_after(c, &rest);
    ct_sjson_gap_add(&rest, ct_string_builder_text(&split_text), split_text.length);
    const bool commas = p->style.has_commas;
    const bool ends_with_comma = !p->before && p->previous && p->gap.has_comma;
    ct_sjson_gap_finish(&lead, p->previous && (commas || p->gap.has_comma), p->previous, lead_out);
    ct_sjson_gap_finish(&rest,
                        p->before ? commas || (p->previous && p->gap.has_comma) : ends_with_comma,
                        p->before, rest_out);
    ct_string_builder_free(&lead_text);
    ct_string_builder_free(&rest_text);
    ct_string_builder_free(&split_text);
}
