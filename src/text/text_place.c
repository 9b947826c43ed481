#include <string.h>

#include "text/text_private.h"

// A line while it is placed.
typedef struct line_work {
    const ct_text_line_desc *desc;
    ct_text_line line;
    float stretch; // of each unit that is stretched
    float gap;     // of the fonts
} line_work;

// --- Slices --------------------------------------------------------------------------------------

static bool is_safe(const ct_text_unit *unit) {
    return (unit->flags & (CT_TEXT_UNIT_STARTS | CT_TEXT_UNIT_UNSAFE)) == CT_TEXT_UNIT_STARTS;
}

// Sets the glyphs of a slice that can be cut out of its item's run.
static void cut_run(const ct_text_item *item, const ct_text_unit *units, uint32_t end,
                    ct_text_slice *slice) {
    const uint32_t num_glyphs = item->run->num_glyphs;
    const bool is_first = slice->first_unit == item->first_unit;
    const bool is_last = end == item->first_unit + item->num_units;
    const uint32_t from = is_first ? 0 : units[slice->first_unit].glyph;
    const uint32_t to = is_last ? num_glyphs : units[end].glyph;
    slice->run = item->run;
    slice->base = item->byte;
    slice->first_glyph = item->level & 1 ? num_glyphs - to : from;
    slice->num_glyphs = to - from;
}

// Shapes a slice on its own.
static void shape_again(ct_text *t, const ct_text_item *item, uint32_t end, ct_text_slice *slice) {
    ct_text_unit *const units = t->work.units.items;
    ct_text_item part = *item;
    part.level = slice->level;
    const uint32_t byte = units[slice->first_unit].byte;
    const ct_text_run_key key = ct_text_key_of(t, &part, byte, units[end].byte - byte);
    slice->run = ct_text_shape(t, &key);
    slice->base = byte;
    slice->first_glyph = 0;
    slice->num_glyphs = slice->run->num_glyphs;
    ct_text_measure_units(slice->run, slice->scale, byte, units + slice->first_unit,
                          slice->num_units);
}

// Adds the units `first` to `end` of an item.
static void add_slice(ct_text *t, const ct_text_item *item, uint32_t first, uint32_t end,
                      uint8_t level) {
    if (first >= end)
        return;
    const ct_text_unit *const units = t->work.units.items;
    ct_text_slice slice = {.first_unit = first,
                           .num_units = end - first,
                           .font = item->font,
                           .style = item->style,
                           .level = level,
                           .scale = item->scale};
    const uint32_t item_end = item->first_unit + item->num_units;
    const bool can_cut = ((level ^ item->level) & 1) == 0 &&
                         (first == item->first_unit || is_safe(&units[first])) &&
                         (end == item_end || is_safe(&units[end]));
    if (can_cut)
        cut_run(item, units, end, &slice);
    else
        shape_again(t, item, end, &slice);
    ct_array_push(&t->work.slices, slice);
}

static uint32_t least(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

static uint32_t most(uint32_t a, uint32_t b) {
    return a > b ? a : b;
}

// Cuts the line out of the items. Blanks at its end have the paragraph's level (rule L1).
static void add_slices(ct_text *t, const ct_text_line_desc *line) {
    ct_text_work *const w = &t->work;
    for (uint32_t i = w->units.items[line->first].item; i < w->items.count; ++i) {
        const ct_text_item *const item = &w->items.items[i];
        const uint32_t first = most(item->first_unit, line->first);
        const uint32_t end = least(item->first_unit + item->num_units, line->next);
        if (item->first_unit >= line->next)
            break;
        const uint32_t middle =
            item->level == w->base_level ? end : least(end, most(first, line->end));
        add_slice(t, item, first, middle, item->level);
        add_slice(t, item, middle, end, w->base_level);
    }
}

const ct_text_run *ct_text_ellipsis(ct_text *t, uint16_t style, uint16_t *font) {
    static const char one[] = "\xe2\x80\xa6", three[] = "...";
    const uint16_t own = ct_text_style_font(t, style);
    uint32_t count, i = 0;
    const uint16_t *const chain = ct_text_font_chain(t, own, &count);
    while (i < count && !ct_text_font_has(t, chain[i], 0x2026))
        ++i;
    const bool has_one = i < count && (i == 0 || !ct_text_font_has(t, own, '.'));
    *font = has_one ? chain[i] : own;
    const ct_text_run_key key = {.text = has_one ? one : three,
                                 .num_bytes = 3,
                                 .script = HB_SCRIPT_COMMON,
                                 .font = *font,
                                 .is_right_to_left = t->work.base_level & 1};
    return ct_text_shape(t, &key);
}

static void add_ellipsis(ct_text *t, const ct_text_line_desc *line) {
    ct_text_work *const w = &t->work;
    uint16_t style = w->spans.items[w->span].style;
    if (w->units.count > 1)
        style = w->units.items[line->end > line->first ? line->end - 1 : line->first].style;
    ct_text_slice slice = {.base = w->units.items[line->end].byte,
                           .first_unit = line->end,
                           .style = style,
                           .level = w->base_level};
    slice.run = ct_text_ellipsis(t, style, &slice.font);
    slice.num_glyphs = slice.run->num_glyphs;
    slice.scale = w->styles.items[style].size * t->fonts.items[slice.font]->inverse_units;
    ct_array_push(&w->slices, slice);
}

// --- Order ---------------------------------------------------------------------------------------

// Finds the order in which slices are seen.
static void order_slices(ct_text_work *w) {
    const uint32_t count = w->slices.count;
    ct_array_resize(&w->slice_levels, count);
    ct_array_resize(&w->slice_order, count);
    for (uint32_t i = 0; i < count; ++i)
        w->slice_levels.items[i] = w->slices.items[i].level;
    ct_text_visual_order(w->slice_levels.items, count, w->slice_order.items);
}

// --- Measures ------------------------------------------------------------------------------------

static float units_width(const ct_text_work *w, uint32_t first, uint32_t end) {
    float width = 0;
    for (uint32_t u = first; u < end; ++u)
        width += w->units.items[u].advance;
    return width;
}

static void grow_by_font(const ct_text *t, uint16_t font, float size, line_work *l) {
    const ct_font_resource *const blob = t->fonts.items[font]->blob;
    const float scale = size / blob->size;
    l->line.ascent = blob->ascent * scale > l->line.ascent ? blob->ascent * scale : l->line.ascent;
    l->line.descent =
        blob->descent * scale > l->line.descent ? blob->descent * scale : l->line.descent;
    l->gap = blob->line_gap * scale > l->gap ? blob->line_gap * scale : l->gap;
}

static void measure_fonts(const ct_text *t, line_work *l) {
    const ct_text_work *const w = &t->work;
    const uint16_t style = w->units.count > 1 && l->desc->first < w->units.count - 1
                               ? w->units.items[l->desc->first].style
                               : w->spans.items[w->span].style;
    grow_by_font(t, ct_text_style_font(t, style), w->styles.items[style].size, l);
    for (uint32_t i = 0; i < w->slices.count; ++i) {
        const ct_text_slice *const s = &w->slices.items[i];
        grow_by_font(t, s->font, w->styles.items[s->style].size, l);
    }
}

// Returns how much each stretched unit grows, and marks these.
static float justify(ct_text_work *w, const line_work *l) {
    const float room = w->desc->width - l->line.width;
    if (w->desc->align != CT_TEXT_ALIGN_JUSTIFY || w->desc->width <= 0 || l->desc->is_last ||
        room <= 0)
        return 0;
    uint32_t count = 0;
    ct_text_unit *const units = w->units.items;
    for (uint32_t u = l->desc->first; u + 1 < l->desc->end; ++u) {
        const bool is_between =
            (units[u].flags & CT_TEXT_UNIT_WIDE) && (units[u + 1].flags & CT_TEXT_UNIT_WIDE);
        if (!(units[u].flags & CT_TEXT_UNIT_SPACE) && !is_between)
            continue;
        units[u].flags |= CT_TEXT_UNIT_STRETCHED;
        ++count;
    }
    return count > 0 ? room / (float)count : 0;
}

// --- Glyphs and clusters -------------------------------------------------------------------------

// Returns the unit that a glyph's cluster starts in, from `u` on in the slice's direction; adds how
// much the units that are passed are stretched.
static uint32_t move_to_unit(const ct_text_work *w, const ct_text_slice *s, uint32_t u,
                             uint32_t byte, float stretch, float *x) {
    const ct_text_unit *const units = w->units.items;
    const uint32_t end = s->first_unit + s->num_units;
    if (s->run->key.is_right_to_left) {
        for (; u > s->first_unit && units[u].byte > byte; --u)
            *x += units[u].flags & CT_TEXT_UNIT_STRETCHED ? stretch : 0;
    } else {
        for (; u + 1 < end && units[u + 1].byte <= byte; ++u)
            *x += units[u].flags & CT_TEXT_UNIT_STRETCHED ? stretch : 0;
    }
    return u;
}

// Adds the glyphs of a slice that starts at `x`. (Fields are written one by one here, and in other
// loops over glyphs: a struct that is put together elsewhere and copied waits for its stores.)
static void add_glyphs(ct_text_work *w, const ct_text_slice *s, float stretch, float x, float y) {
    const ct_text_run_glyph *const glyphs = s->run->glyphs + s->first_glyph;
    uint32_t u = s->run->key.is_right_to_left ? s->first_unit + s->num_units - 1 : s->first_unit;
    int64_t pen = 0;
    ct_array_reserve(&w->glyphs, (uint64_t)w->glyphs.count + s->num_glyphs);
    for (uint32_t i = 0; i < s->num_glyphs; ++i) {
        const ct_text_run_glyph *const g = &glyphs[i];
        uint16_t style = s->style;
        if (s->num_units > 0) {
            u = move_to_unit(w, s, u, s->base + g->byte, stretch, &x);
            style = w->units.items[u].style;
        }
        ct_text_glyph *const out = &w->glyphs.items[w->glyphs.count++];
        out->glyph = g->glyph;
        out->font = s->font;
        out->style = style;
        out->x = x + (float)(pen + g->x) * s->scale;
        out->y = y + (float)g->y * s->scale;
        out->byte = s->num_units > 0 ? s->base + g->byte : s->base;
        pen += g->advance;
    }
}

// Places the clusters of a slice that starts at `x`. Returns where it ends.
static float place_clusters(ct_text_work *w, const line_work *l, const ct_text_slice *s, float x) {
    const bool is_right_to_left = s->run->key.is_right_to_left;
    ct_text_cluster *const clusters = w->clusters.items + l->line.first_cluster;
    for (uint32_t i = 0; i < s->num_units; ++i) {
        const uint32_t u = s->first_unit + (is_right_to_left ? s->num_units - 1 - i : i);
        const ct_text_unit *const unit = &w->units.items[u];
        const float end =
            x + unit->advance + (unit->flags & CT_TEXT_UNIT_STRETCHED ? l->stretch : 0);
        ct_text_cluster *const out = &clusters[u - l->desc->first];
        out->byte = unit->byte;
        out->num_bytes = unit[1].byte - unit->byte;
        out->start_x = is_right_to_left ? end : x;
        out->end_x = is_right_to_left ? x : end;
        out->line = w->lines.count;
        x = end;
    }
    return x;
}

static float ellipsis_end(const ct_text_slice *s, float x) {
    int64_t advance = 0;
    for (uint32_t i = 0; i < s->num_glyphs; ++i)
        advance += s->run->glyphs[i].advance;
    return x + (float)advance * s->scale;
}

// Adds a cluster for the line break that ends a paragraph.
static void add_break_cluster(ct_text_work *w, line_work *l, float left, float right) {
    const float x = w->base_level & 1 ? left : right;
    ct_array_push(&w->clusters, (ct_text_cluster){.byte = w->end,
                                                  .num_bytes = w->break_bytes,
                                                  .start_x = x,
                                                  .end_x = x,
                                                  .line = w->lines.count});
    ++l->line.num_clusters;
    l->line.num_bytes += w->break_bytes;
}

// --- Rules ---------------------------------------------------------------------------------------

static void push_rule(ct_text *t, uint16_t style, float x0, float x1, float y, bool is_strike) {
    ct_text_work *const w = &t->work;
    const ct_text_style *const s = &w->styles.items[style];
    const ct_font_resource *const blob = t->fonts.items[ct_text_style_font(t, style)]->blob;
    const float scale = s->size / blob->size;
    const float middle = is_strike ? blob->x_height / 2 : blob->underline_position;
    const float height = blob->underline_thickness * scale;
    ct_array_push(&w->rules, (ct_text_rule){.x = x0,
                                            .y = y + middle * scale - height / 2,
                                            .width = x1 - x0,
                                            .height = height,
                                            .color = s->color});
}

// Adds the rules of text of one style from `x0` to `x1`.
static void add_rules_of(ct_text *t, uint16_t style, float x0, float x1, float y) {
    const ct_text_style s = t->work.styles.items[style];
    if (s.is_underlined)
        push_rule(t, style, x0, x1, y, false);
    if (s.is_struck)
        push_rule(t, style, x0, x1, y, true);
}

// Adds rules to the visible clusters of a line: one for neighbours of one style.
static void add_rules(ct_text *t, const line_work *l) {
    ct_text_work *const w = &t->work;
    const ct_text_cluster *const clusters = w->clusters.items + l->line.first_cluster;
    const uint32_t count = l->desc->end - l->desc->first;
    for (uint32_t i = 0; i < count;) {
        const uint16_t style = w->units.items[l->desc->first + i].style;
        float x0 = clusters[i].start_x, x1 = clusters[i].end_x;
        for (++i; i < count && w->units.items[l->desc->first + i].style == style &&
                  clusters[i].start_x == clusters[i - 1].end_x;
             ++i)
            x1 = clusters[i].end_x;
        add_rules_of(t, style, x0 < x1 ? x0 : x1, x0 < x1 ? x1 : x0, l->line.y);
    }
}

// --- Lines ---------------------------------------------------------------------------------------

static float line_y(const ct_text_work *w, const line_work *l) {
    if (w->lines.count == 0)
        return 0;
    const ct_text_line *const above = &w->lines.items[w->lines.count - 1];
    const float times = w->desc->line_height > 0 ? w->desc->line_height : 1;
    return above->y - (above->descent + w->gap + l->line.ascent) * times;
}

// Places all slices from left to right. The visible part of the line starts at 0.
static void place_slices(ct_text *t, line_work *l) {
    ct_text_work *const w = &t->work;
    const float blanks = units_width(w, l->desc->end, l->desc->next);
    const float left = w->base_level & 1 ? -blanks : 0;
    float x = left, y = l->line.y;
    for (uint32_t i = 0; i < w->slices.count; ++i) {
        const ct_text_slice *const s = &w->slices.items[w->slice_order.items[i]];
        add_glyphs(w, s, l->stretch, x, y);
        x = s->num_units > 0 ? place_clusters(w, l, s, x) : ellipsis_end(s, x);
    }
    l->line.num_glyphs = w->glyphs.count - l->line.first_glyph;
    l->line.width = x - left - blanks;
    w->pen = x - left;
    if (l->desc->is_last && w->break_bytes > 0 && !l->desc->has_ellipsis)
        add_break_cluster(w, l, left, x);
}

static float slices_width(const ct_text_work *w, const ct_text_line_desc *desc) {
    const float visible = units_width(w, desc->first, desc->end);
    if (!desc->has_ellipsis)
        return visible;
    return ellipsis_end(&w->slices.items[w->slices.count - 1], visible);
}

void ct_text_place_line(ct_text *t, const ct_text_line_desc *desc) {
    ct_text_work *const w = &t->work;
    line_work l = {.desc = desc};
    l.line.first_glyph = w->glyphs.count;
    l.line.first_cluster = w->clusters.count;
    l.line.num_clusters = desc->next - desc->first;
    l.line.byte = w->units.items[desc->first].byte;
    l.line.num_bytes = w->units.items[desc->next].byte - l.line.byte;
    l.line.is_right_to_left = w->base_level & 1;
    w->slices.count = 0;
    add_slices(t, desc);
    if (desc->has_ellipsis)
        add_ellipsis(t, desc);
    measure_fonts(t, &l);
    l.line.width = slices_width(w, desc);
    l.line.y = line_y(w, &l);
    l.stretch = justify(w, &l);
    order_slices(w);
    ct_array_reserve(&w->clusters, (uint64_t)w->clusters.count + l.line.num_clusters);
    w->clusters.count += l.line.num_clusters; // filled by place_slices
    ct_array_push(&w->first_rules, w->rules.count);
    place_slices(t, &l);
    if (w->has_rules)
        add_rules(t, &l);
    w->gap = l.gap;
    ct_array_push(&w->lines, l.line);
}

// --- Alignment -----------------------------------------------------------------------------------

typedef enum side { SIDE_LEFT, SIDE_CENTER, SIDE_RIGHT } side;

static side side_of(ct_text_align align, bool is_right_to_left) {
    switch (align) {
    case CT_TEXT_ALIGN_CENTER:
        return SIDE_CENTER;
    case CT_TEXT_ALIGN_END:
        return is_right_to_left ? SIDE_LEFT : SIDE_RIGHT;
    case CT_TEXT_ALIGN_LEFT:
        return SIDE_LEFT;
    case CT_TEXT_ALIGN_RIGHT:
        return SIDE_RIGHT;
    default:
        return is_right_to_left ? SIDE_RIGHT : SIDE_LEFT;
    }
}

static void move_line(ct_text_work *w, uint32_t index, float dx) {
    ct_text_line *const line = &w->lines.items[index];
    line->x += dx;
    for (uint32_t i = 0; i < line->num_glyphs; ++i)
        w->glyphs.items[line->first_glyph + i].x += dx;
    for (uint32_t i = 0; i < line->num_clusters; ++i) {
        w->clusters.items[line->first_cluster + i].start_x += dx;
        w->clusters.items[line->first_cluster + i].end_x += dx;
    }
    const bool is_last = index + 1 == w->lines.count;
    const uint32_t end = is_last ? w->rules.count : w->first_rules.items[index + 1];
    for (uint32_t i = w->first_rules.items[index]; i < end; ++i)
        w->rules.items[i].x += dx;
}

void ct_text_align_lines(ct_text *t) {
    ct_text_work *const w = &t->work;
    const ct_text_align align = w->desc->align;
    const bool is_boxed = w->desc->width > 0;
    float widest = 0;
    for (uint32_t i = 0; i < w->lines.count; ++i)
        widest = w->lines.items[i].width > widest ? w->lines.items[i].width : widest;
    const bool is_start = align == CT_TEXT_ALIGN_START || align == CT_TEXT_ALIGN_JUSTIFY;
    // Without a box all but START and JUSTIFY are relative to the origin.
    const float box = is_boxed ? w->desc->width : is_start ? widest : 0;
    for (uint32_t i = 0; i < w->lines.count; ++i) {
        const ct_text_line *const line = &w->lines.items[i];
        const side s = side_of(align, line->is_right_to_left);
        const float room = box - line->width;
        const float dx = s == SIDE_LEFT ? 0 : s == SIDE_RIGHT ? room : room / 2;
        if (dx != 0)
            move_line(w, i, dx);
    }
}
