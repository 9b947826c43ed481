// Text: the quads of a layout, in passes from the back to the front: shadows, glows, outlines,
// glyphs. All glyphs of a pass come before those of the next, so that the outline of a letter never
// covers the letter before it.
#include <math.h>
#include <string.h>

#include "foundation/error.h"
#include "gui/gui_private.h"

typedef enum text_pass {
    PASS_SHADOW,
    PASS_GLOW,
    PASS_OUTLINE,
    PASS_FILL,
    NUM_PASSES,
} text_pass;

// How the glyphs of a style are drawn in a pass.
typedef struct pass_style {
    bool is_drawn, is_snapped; // to whole units: pictures of coverage
    uint32_t color;
    uint32_t effect; // without the page
    float x, y;      // offset
} pass_style;

enum {
    EDGE = 128,       // of a distance field: its outline
    EDGE_STEPS = 127, // the steps of a spread
    PAGE_BITS = 255,  // of an effect
};

static uint32_t to_byte(float x) {
    return x > 0.0f ? (x < 255.0f ? (uint32_t)(x + 0.5f) : 255) : 0; // NaN is 0
}

// The effect of a distance field whose edge is `grow` pixels outside of the outline and is `soft`
// pixels soft. Both are of the text; `scale` is how many of them are in one of the font's pages.
static uint32_t effect_of(const ct_font_resource *font, float scale, float grow, float soft) {
    if (!(font->flags & CT_FONT_DISTANCE_FIELD))
        return 0;
    const float unit = 1.0f / (scale * font->spread);
    // The field is 0 from a spread on: an edge there would cover the whole quad.
    const uint32_t edge = to_byte(fmaxf((float)EDGE - grow * unit * (float)EDGE_STEPS, 1.0f));
    const uint32_t softness = to_byte(0.5f * soft * unit * 255.0f);
    return edge << 8 | softness << 16 | to_byte(font->spread) << 24;
}

static pass_style style_of(const ct_text_style *style, const ct_font_resource *font,
                           text_pass pass) {
    const bool is_field = font->flags & CT_FONT_DISTANCE_FIELD;
    const float scale = style->size / font->size;
    pass_style p = {.is_snapped = !is_field};
    switch (pass) {
    case PASS_SHADOW:
        p.is_drawn = style->shadow_color >> 24 != 0;
        p.color = style->shadow_color;
        p.x = style->shadow_x;
        p.y = style->shadow_y;
        p.effect = effect_of(font, scale, style->outline, style->shadow_blur);
        break;
    case PASS_GLOW:
        p.is_drawn = style->glow > 0.0f && is_field;
        p.color = style->glow_color;
        p.effect = effect_of(font, scale, style->outline + 0.5f * style->glow, style->glow);
        break;
    case PASS_OUTLINE:
        p.is_drawn = style->outline > 0.0f && is_field;
        p.color = style->outline_color;
        p.effect = effect_of(font, scale, style->outline, 0.0f);
        break;
    default:
        p.is_drawn = true;
        p.color = style->color;
        p.effect = ct_gui_fill_effect(font);
        break;
    }
    return p;
}

// --- Vertices ------------------------------------------------------------------------------------

static void write_quad(ct_batch_vertex *v, const ct_text_quad *q, float x, float y, uint32_t color,
                       uint32_t effect) {
    ct_gui_write_quad(v, _mm_add_ps(_mm_loadu_ps(&q->x0), _mm_setr_ps(x, y, x, y)),
                      _mm_loadu_ps(&q->u0), color, effect);
}

// Writes quads of one style and font.
static void write_run(const ct_text_quad *quads, uint32_t count, const pass_style *style,
                      ct_vec2 at, ct_batch_vertex *v) {
    const float x = at.x + style->x, y = at.y + style->y;
    for (uint32_t i = 0; i < count; ++i, v += 4)
        write_quad(v, &quads[i], x, y, style->color, style->effect | (quads[i].effect & PAGE_BITS));
}

// The same, each moved to whole pixels of the screen.
static void write_snapped_run(const ct_text_quad *quads, uint32_t count, const pass_style *style,
                              ct_vec2 at, float pixel, ct_batch_vertex *v) {
    for (uint32_t i = 0; i < count; ++i, v += 4) {
        const ct_text_quad *const q = &quads[i];
        const float left = q->x0 + at.x + style->x, bottom = q->y0 + at.y + style->y;
        const float x = roundf(left / pixel) * pixel - q->x0;
        const float y = roundf(bottom / pixel) * pixel - q->y0;
        write_quad(v, q, x, y, style->color, style->effect | (q->effect & PAGE_BITS));
    }
}

// Writes the quads of a pass. `pixel` is the size of a pixel that pictures of coverage are moved to
// whole ones of; 0: they are not. Returns how many quads it wrote.
static uint32_t write_pass(const ct_gui_system *s, const ct_text_layout *layout, text_pass pass,
                           ct_vec2 at, float pixel, ct_batch_vertex *v) {
    ct_batch_vertex *const first = v;
    const ct_text_quad *const quads = layout->quads;
    uint32_t end;
    for (uint32_t begin = 0; begin < layout->num_quads; begin = end) {
        const ct_text_quad *const q = &quads[begin];
        end = begin + 1;
        while (end < layout->num_quads && quads[end].style == q->style &&
               quads[end].font == q->font)
            ++end;
        const ct_font_resource *const font = ct_text_font_blob(s->text, q->font);
        const pass_style style =
            font ? style_of(&layout->styles[q->style], font, pass) : (pass_style){0};
        if (!style.is_drawn)
            continue;
        if (style.is_snapped && pixel > 0.0f)
            write_snapped_run(q, end - begin, &style, at, pixel, v);
        else
            write_run(q, end - begin, &style, at, v);
        v += (end - begin) * 4;
    }
    return (uint32_t)(v - first) / 4;
}

// A bit for each pass that some style draws.
static uint32_t find_passes(const ct_text_layout *layout) {
    uint32_t passes = 1u << PASS_FILL;
    for (uint32_t i = 0; i < layout->num_styles; ++i) {
        const ct_text_style *const style = &layout->styles[i];
        passes |= (style->shadow_color >> 24 ? 1u << PASS_SHADOW : 0) |
                  (style->glow > 0.0f ? 1u << PASS_GLOW : 0) |
                  (style->outline > 0.0f ? 1u << PASS_OUTLINE : 0);
    }
    return passes;
}

// The glyphs themselves, of distance fields: each quad knows its effect.
static void write_fill(const ct_text_layout *layout, ct_vec2 at, ct_batch_vertex *v) {
    for (uint32_t i = 0; i < layout->num_quads; ++i, v += 4) {
        const ct_text_quad *const q = &layout->quads[i];
        write_quad(v, q, at.x, at.y, layout->styles[q->style].color, q->effect);
    }
}

// Whether some glyph is a picture of coverage, which may have to be moved to whole pixels.
static bool has_coverage(const ct_text_layout *layout) {
    uint32_t last_font = UINT32_MAX;
    for (uint32_t i = 0; i < layout->num_quads; ++i) {
        if (layout->quads[i].font != last_font && !(layout->quads[i].effect >> 24))
            return true;
        last_font = layout->quads[i].font;
    }
    return false;
}

static ct_batch_vertex *write_rules(const ct_text_layout *layout, ct_vec2 at, ct_batch_vertex *v) {
    ct_text_quad quad = {.effect = 0};
    float uv[2];
    ct_gui_glyphs_white(uv);
    quad.u0 = quad.u1 = uv[0];
    quad.v0 = quad.v1 = uv[1];
    for (uint32_t i = 0; i < layout->num_rules; ++i, v += 4) {
        const ct_text_rule *const rule = &layout->rules[i];
        quad.x0 = rule->x;
        quad.y0 = rule->y;
        quad.x1 = rule->x + rule->width;
        quad.y1 = rule->y + rule->height;
        write_quad(v, &quad, at.x, at.y, rule->color, 0);
    }
    return v;
}

// Where the origin of a layout is.
static ct_vec2 place(const ct_gui_text_desc *desc, const ct_text_layout *layout) {
    ct_vec2 at = desc->position;
    if (desc->height > 0.0f && desc->text.width > 0.0f) {
        const float room = desc->height - (layout->top - layout->bottom);
        at.y += room * desc->vertical - layout->bottom;
    }
    return at;
}

// The size of the pixels that pictures of coverage are aligned to; 0: they are not, in the world
// and where an object has a pose of its own.
static float snap_of(const ct_gui *g, const ct_gui_draw *draw) {
    return g->desc.is_world || draw->pose ? 0.0f : ct_gui_pixel(g);
}

// Adds the quads of a text to the scratch quads.
static void add_text(ct_gui *g, const ct_gui_draw *draw, const ct_gui_text_desc *desc,
                     const ct_text_layout *layout) {
    ct_gui_system *const s = g->system;
    const float pixel = snap_of(g, draw);
    const uint32_t passes = find_passes(layout);
    const uint32_t most =
        layout->num_quads * (uint32_t)__builtin_popcount(passes) + layout->num_rules;
    const ct_vec2 at = place(desc, layout);
    const uint32_t first = s->quads.count;
    ct_batch_vertex *v = ct_gui_add_quads(s, most);
    for (uint32_t pass = 0; pass < NUM_PASSES; ++pass) {
        if (passes & 1u << pass)
            v += write_pass(s, layout, (text_pass)pass, at, pixel, v) * 4;
        if (pass == PASS_OUTLINE)
            v = write_rules(layout, at, v);
    }
    s->quads.count = first + (uint32_t)(v - (s->quads.items + first));
}

// --- Immediate -----------------------------------------------------------------------------------

// Text of one style without effects, pose and clip goes straight to the stream.
static bool is_plain(const ct_gui *g, const ct_gui_draw *draw, const ct_gui_text_desc *desc,
                     const ct_text_layout *layout) {
    return g->desc.is_immediate && !draw->pose && !g->num_clips && !layout->num_rules &&
           layout->num_quads && find_passes(layout) == 1u << PASS_FILL &&
           (desc->position.x + desc->position.y + desc->height) * 0.0f == 0.0f;
}

static void send_plain(ct_gui *g, const ct_gui_draw *draw, const ct_gui_text_desc *desc,
                       const ct_text_layout *layout) {
    const ct_render_gui_key key = ct_gui_key_of(g, draw, CT_GUI_KIND_TEXT);
    const ct_vec2 at = place(desc, layout);
    ct_batch_vertex *const v = ct_render_gui_append(g->system->renderer, &key, layout->num_quads);
    if (has_coverage(layout))
        write_pass(g->system, layout, PASS_FILL, at, snap_of(g, draw), v);
    else
        write_fill(layout, at, v);
}

// --- Retained ------------------------------------------------------------------------------------

// Keeps what a text was made from in the record of its slot.
static void keep_text(ct_gui *g, uint32_t slot, const ct_gui_draw *draw,
                      const ct_gui_text_desc *desc, bool is_waiting) {
    ct_allocator *const a = g->system->allocator;
    if (!g->slots.items[slot].link) {
        ct_array_push(&g->texts, CT_NEW(a, ct_gui_text_record));
        g->slots.items[slot].link = g->texts.count;
    }
    ct_gui_text_record *const record = g->texts.items[g->slots.items[slot].link - 1];
    const uint32_t num_bytes = desc->text.num_bytes;
    uint32_t capacity = record->text_capacity;
    char *text = record->text;
    if (num_bytes >= capacity) { // as long as it fits, an update allocates nothing
        ct_free(a, text);
        capacity = num_bytes + num_bytes / 2 + 1;
        text = ct_alloc(a, capacity);
    }
    if (num_bytes)
        memcpy(text, desc->text.text, num_bytes);
    *record = (ct_gui_text_record){.draw = *draw,
                                   .desc = *desc,
                                   .text = text,
                                   .text_capacity = capacity,
                                   .has_pose = draw->pose != NULL,
                                   .has_clip = g->num_clips > 0,
                                   .is_waiting = is_waiting,
                                   .slot = slot};
    record->desc.text.text = text;
    if (draw->pose)
        record->pose = *draw->pose;
    if (g->num_clips)
        record->clip = g->clips[g->num_clips - 1];
}

void ct_gui_drop_text(ct_gui *g, uint32_t record) {
    ct_gui_text_record *const x = g->texts.items[record];
    g->slots.items[x->slot].link = 0;
    ct_array_swap_erase(&g->texts, record);
    if (record < g->texts.count)
        g->slots.items[g->texts.items[record]->slot].link = record + 1;
    ct_free(g->system->allocator, x->text);
    ct_free_sized(g->system->allocator, x, sizeof(*x));
}

static void remake(ct_gui *g, ct_gui_text_record *record) {
    ct_gui_system *const s = g->system;
    ct_text_layout *const layout = ct_text_layout_of(s->text, &record->desc.text);
    record->is_waiting = ct_gui_glyphs_resolve(s->glyphs, layout);
    record->is_fixed = ct_gui_glyphs_is_fixed(layout);
    ct_gui_draw draw = record->draw;
    draw.id = ct_gui_id_of(g, record->slot);
    draw.pose = record->has_pose ? &record->pose : NULL;
    // The GUI may be in the middle of a frame.
    const uint32_t num_clips = g->num_clips;
    const ct_gui_box clip = g->clips[0];
    g->num_clips = record->has_clip;
    g->clips[0] = record->clip;
    ct_gui_begin_quads(s);
    add_text(g, &draw, &record->desc, layout);
    ct_gui_send_quads(g, &draw, CT_GUI_KIND_TEXT);
    g->num_clips = num_clips;
    g->clips[0] = clip;
}

void ct_gui_remake_texts(ct_gui *g, bool is_all) {
    for (uint32_t i = 0; i < g->texts.count; ++i)
        if (is_all || g->texts.items[i]->is_waiting)
            remake(g, g->texts.items[i]);
}

static void touch(ct_gui_system *s, ct_gui_text_record *record) {
    ct_text_layout *const layout = ct_text_layout_of(s->text, &record->desc.text);
    ct_gui_glyphs_resolve(s->glyphs, layout);
    record->is_fixed = ct_gui_glyphs_is_fixed(layout);
}

void ct_gui_touch_texts(ct_gui_system *s) {
    for (uint32_t i = 0; i < s->guis.count; ++i) {
        const ct_gui *const g = s->guis.items[i];
        for (uint32_t k = 0; k < g->texts.count; ++k)
            if (!g->texts.items[k]->is_fixed)
                touch(s, g->texts.items[k]);
    }
}

// --- Text ----------------------------------------------------------------------------------------

ct_gui_object_id ct_gui_text(ct_gui *g, const ct_gui_draw *draw, const ct_gui_text_desc *desc) {
    ct_gui_system *const s = g->system;
    ct_text_layout *const layout = ct_text_layout_of(s->text, &desc->text);
    const bool is_waiting = ct_gui_glyphs_resolve(s->glyphs, layout);
    if (is_plain(g, draw, desc, layout)) {
        send_plain(g, draw, desc, layout);
        return (ct_gui_object_id){0};
    }
    ct_gui_begin_quads(s);
    add_text(g, draw, desc, layout);
    const ct_gui_object_id id = ct_gui_send_quads(g, draw, CT_GUI_KIND_TEXT);
    if (id.value)
        keep_text(g, (uint32_t)(id.value & CT_GUI_MAX_OBJECTS), draw, desc, is_waiting);
    return id;
}
