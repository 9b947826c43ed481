#include "text/text_private.h"

// What may stick out of the box: a text fits a box of the width that it was measured with.
static const float tolerance = 0.01f;

static bool is_blank(const ct_text_work *w, uint32_t unit) {
    return w->units.items[unit].flags & CT_TEXT_UNIT_BLANK;
}

// Returns the end of what is visible of the units `first` to `end`: blanks hang.
static uint32_t visible_end(const ct_text_work *w, uint32_t first, uint32_t end) {
    while (end > first && is_blank(w, end - 1))
        --end;
    return end;
}

// Returns where the line that starts with unit `first` ends: at the last opportunity before the
// unit that sticks out, or before that unit itself.
static uint32_t find_line_end(const ct_text_work *w, uint32_t first, uint32_t count) {
    const float width = w->desc->width + tolerance;
    float pen = 0;
    uint32_t opportunity = first;
    for (uint32_t u = first; u < count; ++u) {
        const ct_text_unit *const unit = &w->units.items[u];
        if (unit->flags & CT_TEXT_UNIT_BREAK_BEFORE)
            opportunity = u;
        pen += unit->advance;
        if (pen > width && u > first && !(unit->flags & CT_TEXT_UNIT_BLANK))
            return opportunity > first ? opportunity : u;
    }
    return count;
}

// --- Ellipsis ------------------------------------------------------------------------------------

static float run_advance(const ct_text_run *run) {
    int64_t advance = 0;
    for (uint32_t i = 0; i < run->num_glyphs; ++i)
        advance += run->glyphs[i].advance;
    return (float)advance;
}

static float ellipsis_width(ct_text *t, uint16_t style) {
    uint16_t font;
    const ct_text_run *const run = ct_text_ellipsis(t, style, &font);
    return run_advance(run) * t->fonts.items[font]->inverse_units *
           t->work.styles.items[style].size;
}

// Returns where the units from `first` end so that an ellipsis in the style of the last one fits
// behind them.
static uint32_t cut_for_ellipsis(ct_text *t, uint32_t first, uint32_t count) {
    const ct_text_unit *const units = t->work.units.items;
    if (t->work.desc->width <= 0)
        return count;
    const float width = t->work.desc->width + tolerance;
    float pen = 0, ellipsis = 0;
    uint32_t end = first;
    for (uint32_t u = first; u < count && pen <= width; ++u) {
        if (u == first || units[u].style != units[u - 1].style)
            ellipsis = ellipsis_width(t, units[u].style);
        pen += units[u].advance;
        end = pen + ellipsis <= width ? u + 1 : end;
    }
    return end;
}

// Places the last line that there is room for.
static void place_cut_line(ct_text *t, uint32_t first, uint32_t count) {
    const uint32_t end = visible_end(&t->work, first, cut_for_ellipsis(t, first, count));
    ct_text_place_line(
        t, &(ct_text_line_desc){
               .first = first, .end = end, .next = end, .has_ellipsis = true, .is_last = true});
}

// --- Filling -------------------------------------------------------------------------------------

static bool is_too_wide(const ct_text_work *w, uint32_t first, uint32_t end) {
    float pen = 0;
    for (uint32_t u = first; u < end; ++u)
        pen += w->units.items[u].advance;
    return pen > w->desc->width + tolerance;
}

// Returns whether the line of units `first` to `next` must end in an ellipsis.
static bool needs_ellipsis(const ct_text_work *w, uint32_t first, uint32_t next, uint32_t count) {
    const ct_text_desc *const d = w->desc;
    if (!d->has_ellipsis)
        return false;
    const bool is_last = d->max_lines > 0 && w->lines.count + 1 == d->max_lines;
    if (is_last && (next < count || w->end + w->break_bytes < w->plain.count))
        return true;
    return d->is_single_line && d->width > 0 && is_too_wide(w, first, visible_end(w, first, count));
}

static void place(ct_text *t, uint32_t first, uint32_t next, uint32_t count) {
    ct_text_work *const w = &t->work;
    if (needs_ellipsis(w, first, next, count)) {
        place_cut_line(t, first, count);
    } else {
        ct_text_place_line(t, &(ct_text_line_desc){.first = first,
                                                   .end = visible_end(w, first, next),
                                                   .next = next,
                                                   .is_last = next == count});
    }
    w->is_full = w->desc->max_lines > 0 && w->lines.count == w->desc->max_lines;
}

void ct_text_fill_lines(ct_text *t) {
    ct_text_work *const w = &t->work;
    const uint32_t count = w->units.count - 1;
    const bool is_wrapped = w->desc->width > 0 && !w->desc->is_single_line;
    uint32_t first = 0;
    do {
        const uint32_t next = is_wrapped ? find_line_end(w, first, count) : count;
        place(t, first, next, count);
        first = next;
    } while (first < count && !w->is_full);
}
