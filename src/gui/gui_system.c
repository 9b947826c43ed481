#include "foundation/error.h"
#include "foundation/memory/proxy_allocator.h"
#include "foundation/profiler/profiler.h"
#include "gui/gui_private.h"

// --- Fonts ---------------------------------------------------------------------------------------

void ct_gui_system_set_font(ct_gui_system *s, ct_string_id64 name, const ct_font_resource *blob) {
    ct_gui_glyphs_set_font(s->glyphs, name, blob);
    ct_text_set_font(s->text, name, blob);
    s->has_new_fonts = true;
}

static void font_online(void *user, ct_string_id64 name, const void *blob) {
    ct_gui_system_set_font(user, name, blob);
}

static void font_offline(void *user, ct_string_id64 name, const void *blob) {
    (void)blob;
    ct_gui_system_set_font(user, name, NULL);
}

static void font_reload(void *user, ct_string_id64 name, const void *old_blob,
                        const void *new_blob) {
    (void)old_blob;
    ct_gui_system_set_font(user, name, new_blob);
}

// Fonts may be online before.
static void register_fonts(ct_gui_system *s) {
    ct_resource_manager_register(
        s->resources, "font",
        &(ct_resource_callbacks){
            .user = s, .online = font_online, .offline = font_offline, .reload = font_reload});
    ct_resource_manager_each_online(s->resources, "font", font_online, s);
}

// --- Life cycle ----------------------------------------------------------------------------------

static void touch(void *user) {
    ct_gui_touch_texts(user);
}

ct_gui_system *ct_gui_system_create(const ct_gui_system_desc *desc) {
    ct_gui_system *const s = CT_NEW(desc->allocator, ct_gui_system);
    ct_allocator *const a = ct_proxy_allocator_create(desc->allocator, "gui");
    *s = (ct_gui_system){.backing = desc->allocator,
                         .allocator = a,
                         .renderer = desc->renderer,
                         .resources = desc->resources};
    s->text = ct_text_create(a);
    s->glyphs = ct_gui_glyphs_create(a, desc->renderer, s->text);
    ct_gui_glyphs_on_evict(s->glyphs, touch, s);
    ct_array_init(&s->guis, a);
    ct_array_init(&s->quads, a);
    ct_array_init(&s->clipped, a);
    ct_array_init(&s->points, a);
    ct_array_init(&s->corners, a);
    ct_text_set_fallbacks(s->text, desc->fallbacks, desc->num_fallbacks);
    if (desc->resources)
        register_fonts(s);
    return s;
}

void ct_gui_system_destroy(ct_gui_system *s) {
    if (!s)
        return;
    while (s->guis.count)
        ct_gui_destroy(s->guis.items[s->guis.count - 1]);
    ct_gui_glyphs_destroy(s->glyphs);
    ct_text_destroy(s->text);
    ct_array_free(&s->guis);
    ct_array_free(&s->quads);
    ct_array_free(&s->clipped);
    ct_array_free(&s->points);
    ct_array_free(&s->corners);
    ct_proxy_allocator_destroy(s->allocator);
    ct_free_sized(s->backing, s, sizeof(*s));
}

ct_text *ct_gui_system_text(ct_gui_system *s) {
    return s->text;
}

void ct_gui_system_set_language(ct_gui_system *s, const char *language) {
    s->has_language = language != NULL;
    if (language)
        ct_text_set_language(s->text, language);
}

void ct_gui_system_follow_language(ct_gui_system *s, const char *language) {
    if (!s->has_language)
        ct_text_set_language(s->text, language);
}

// --- Frames --------------------------------------------------------------------------------------

// Makes texts again that new glyphs, a new font or another language change.
static void remake_texts(ct_gui_system *s) {
    const uint64_t version = ct_gui_glyphs_version(s->glyphs);
    const bool is_changed = s->texts_version != version;
    const uint32_t language = ct_text_language_number(s->text);
    s->has_new_fonts |= s->texts_language != language;
    s->texts_language = language;
    for (uint32_t i = 0; i < s->guis.count; ++i)
        if (is_changed || s->has_new_fonts)
            ct_gui_remake_texts(s->guis.items[i], s->has_new_fonts);
    s->texts_version = version;
    s->has_new_fonts = false;
}

void ct_gui_system_end_frame(ct_gui_system *s) {
    CT_PROFILER_SCOPE("GUI");
    ct_gui_glyphs_end_frame(s->glyphs);
    for (uint32_t i = 0; i < s->guis.count; ++i)
        s->guis.items[i]->num_clips = 0;
    remake_texts(s);
    ct_text_end_frame(s->text);
}

void ct_gui_system_end_part(ct_gui_system *s) {
    ct_gui_glyphs_take(s->glyphs);
    remake_texts(s);
}

void ct_gui_system_wait_for_glyphs(ct_gui_system *s) {
    ct_gui_glyphs_wait(s->glyphs);
}
