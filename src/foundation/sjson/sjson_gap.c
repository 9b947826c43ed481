#include "foundation/sjson/sjson_gap.h"

#include <string.h>

static bool is_line_end(const char *text, uint32_t at, uint32_t end) {
    return text[at] == '\n' || (text[at] == '\r' && at + 1 < end && text[at + 1] == '\n');
}

static uint32_t comment_end(const char *text, uint32_t at, uint32_t end) {
    if (text[at + 1] == '/') {
        while (at < end && !is_line_end(text, at, end))
            ++at;
        return at;
    }
    const char *const mark = memmem(text + at + 2, end - at - 2, "*/", 2);
    return mark ? (uint32_t)(mark - text) + 2 : end;
}

ct_sjson_gap_item ct_sjson_gap_item_at(const char *text, uint32_t at, uint32_t end) {
    ct_sjson_gap_item item = {CT_SJSON_GAP_ITEM_KIND_END, at, at, false};
    if (at == end)
        return item;
    if (is_line_end(text, at, end)) {
        item.kind = CT_SJSON_GAP_ITEM_KIND_LINE_END;
        item.end = at + (text[at] == '\n' ? 1 : 2);
    } else if (text[at] == ',') {
        item.kind = CT_SJSON_GAP_ITEM_KIND_COMMA;
        item.end = at + 1;
    } else if (text[at] == '/') {
        item.kind = CT_SJSON_GAP_ITEM_KIND_COMMENT;
        item.is_line_comment = text[at + 1] == '/';
        item.end = comment_end(text, at, end);
    } else {
        item.kind = CT_SJSON_GAP_ITEM_KIND_BLANKS;
        while (item.end < end && text[item.end] != ',' && text[item.end] != '/' &&
               !is_line_end(text, item.end, end))
            ++item.end;
    }
    return item;
}

// Returns where the part that belongs to the value before it ends, in a gap without a line end.
static uint32_t trailing_end_on_line(const ct_sjson_gap *gap, ct_sjson_gap_place place,
                                     uint32_t comma_end, uint32_t comments_end) {
    if (place == CT_SJSON_GAP_PLACE_TAIL && gap->has_comment)
        return comments_end;
    return gap->has_comma ? comma_end : gap->begin;
}

ct_sjson_gap ct_sjson_gap_read(const char *text, uint32_t begin, uint32_t end,
                               ct_sjson_gap_place place) {
    const bool is_start = place == CT_SJSON_GAP_PLACE_START;
    ct_sjson_gap gap = {.begin = begin, .trailing_end = begin, .own_begin = begin, .end = end};
    uint32_t comma_end = begin, comments_end = begin;
    bool is_blank_line = is_start;
    for (ct_sjson_gap_item i = ct_sjson_gap_item_at(text, begin, end);
         i.kind != CT_SJSON_GAP_ITEM_KIND_END; i = ct_sjson_gap_item_at(text, i.end, end)) {
        if (i.kind == CT_SJSON_GAP_ITEM_KIND_COMMA) {
            gap.has_comma = true;
            comma_end = i.end;
            is_blank_line = false;
        } else if (i.kind == CT_SJSON_GAP_ITEM_KIND_COMMENT) {
            gap.has_comment = true;
            comments_end = i.end;
            is_blank_line = false;
        } else if (i.kind == CT_SJSON_GAP_ITEM_KIND_LINE_END) {
            if (!gap.has_line_end && !is_start)
                gap.trailing_end = gap.own_begin = i.begin;
            else if (is_blank_line)
                gap.own_begin = i.begin;
            gap.has_line_end = is_blank_line = true;
        }
    }
    if (!gap.has_line_end && !is_start)
        gap.trailing_end = gap.own_begin =
            trailing_end_on_line(&gap, place, comma_end, comments_end);
    if (place == CT_SJSON_GAP_PLACE_TAIL)
        gap.own_begin = end;
    return gap;
}

// Ends the line when the last item is a line comment.
static void end_line_comment(ct_sjson_gap_builder *b) {
    const char *const text = ct_string_builder_text(b->text);
    const uint32_t end = b->text->length;
    bool is_line_comment = false;
    for (ct_sjson_gap_item i = ct_sjson_gap_item_at(text, 0, end);
         i.kind != CT_SJSON_GAP_ITEM_KIND_END; i = ct_sjson_gap_item_at(text, i.end, end))
        is_line_comment = i.is_line_comment;
    if (!is_line_comment)
        return;
    ct_string_builder_add(b->text, b->line_end);
    ct_string_builder_add(b->text, b->indent);
}

void ct_sjson_gap_add(ct_sjson_gap_builder *b, const char *piece, uint32_t bytes) {
    if (bytes == 0)
        return;
    if (!is_line_end(piece, 0, bytes))
        end_line_comment(b);
    ct_string_builder_add_bytes(b->text, piece, bytes);
}

void ct_sjson_gap_finish(ct_sjson_gap_builder *b, bool needs_comma, bool is_between,
                         ct_string_builder *out) {
    end_line_comment(b);
    const char *const text = ct_string_builder_text(b->text);
    const uint32_t end = b->text->length, out_begin = out->length;
    const ct_sjson_gap gap = ct_sjson_gap_read(text, 0, end, CT_SJSON_GAP_PLACE_BETWEEN);
    if (needs_comma && !gap.has_comma)
        ct_string_builder_add_char(out, ',');
    bool keeps_comma = needs_comma;
    for (ct_sjson_gap_item i = ct_sjson_gap_item_at(text, 0, end);
         i.kind != CT_SJSON_GAP_ITEM_KIND_END; i = ct_sjson_gap_item_at(text, i.end, end)) {
        const bool is_comma = i.kind == CT_SJSON_GAP_ITEM_KIND_COMMA;
        if (!is_comma || keeps_comma)
            ct_string_builder_add_bytes(out, text + i.begin, i.end - i.begin);
        keeps_comma = keeps_comma && !is_comma;
    }
    if (is_between && out->length == out_begin)
        ct_string_builder_add_char(out, ' ');
}
