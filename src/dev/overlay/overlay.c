#include "dev/overlay/overlay.h"

#include <stdio.h>
#include <string.h>

#include "dev/overlay/overlay_paint.h"
#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/math/math.h"
#include "foundation/profiler/profiler.h"
#include "foundation/string/utf8.h"

enum { MAX_ENTERED = 8, HINT_BYTES = 128, STOP_BYTES = 256 };

static const uint64_t panel_interval_ns = 250000000; // texts that change more often cannot be read

// Where the game is stopped. It has a world of its own while it shows: each frame of a stop is drawn over
// the picture of the frame before, with its panels.
typedef struct stop_bar {
    char text[STOP_BYTES]; // printable UTF-8 in one line; "": not stopped
    ct_render_world_id world;
    ct_gui *gui;            // NULL: it was not drawn yet
    uint32_t width, height; // of the picture that it is for
} stop_bar;

struct ct_overlay {
    ct_allocator *allocator;
    ct_overlay_log *log;
    bool is_attached;
    ct_overlay_desc desc;
    ct_overlay_mode mode;
    bool is_key_down; // the key that switches; its own text is not typed

    ct_overlay_line line;
    char entered[MAX_ENTERED][CT_OVERLAY_LINE_BYTES]; // a ring
    uint64_t num_entered, num_taken;                  // ever

    // While it is shown:
    ct_render_world_id world;
    ct_gui *kept, *moving;
    ct_overlay_layout layout;
    uint32_t width, height; // of the picture that the layout is for
    uint64_t painted_ns;    // when the panels were last drawn
    ct_overlay_graph graph;
    ct_overlay_memory memory;
    ct_overlay_log_line log_lines[CT_OVERLAY_MOST_LOG_LINES];

    ct_overlay_texts texts; // of the game; shown while it is off, too
    stop_bar stop;          // likewise
};

static const char viewport_name[] = "overlay";

// --- Life cycle ----------------------------------------------------------------------------------

ct_overlay *ct_overlay_create(ct_allocator *a) {
    ct_overlay *const o = CT_NEW(a, ct_overlay);
    o->allocator = a;
    o->log = ct_overlay_log_create(a);
    return o;
}

void ct_overlay_destroy(ct_overlay *o) {
    if (!o)
        return;
    CT_ASSERT(!o->is_attached, "an overlay is destroyed while it is attached%s", "");
    ct_overlay_log_destroy(o->log);
    ct_free_sized(o->allocator, o, sizeof(*o));
}

static void end_guis(ct_overlay *o) {
    if (!o->kept)
        return;
    ct_gui_destroy(o->moving);
    ct_gui_destroy(o->kept);
    ct_render_world_destroy(o->desc.renderer, o->world);
    o->kept = o->moving = NULL;
    o->width = o->height = 0;
}

static void end_stop(ct_overlay *o) {
    stop_bar *const bar = &o->stop;
    if (!bar->gui)
        return;
    ct_gui_destroy(bar->gui);
    ct_render_world_destroy(o->desc.renderer, bar->world);
    bar->gui = NULL;
}

// The GUI that moves comes last: it is drawn over the panels.
static void begin_guis(ct_overlay *o) {
    o->layout = ct_overlay_layout_of(o->width, o->height);
    o->world = ct_render_world_create(o->desc.renderer);
    ct_gui_desc desc = {.world = o->world,
                        .reference_width = o->layout.width,
                        .reference_height = o->layout.height};
    o->kept = ct_gui_create(o->desc.gui, &desc);
    desc.is_immediate = true;
    o->moving = ct_gui_create(o->desc.gui, &desc);
    o->painted_ns = 0;
}

// --- Modes ---------------------------------------------------------------------------------------

static const char *const mode_names[CT_NUM_OVERLAY_MODES] = {"off", "on", "line"};

const char *ct_overlay_mode_name(ct_overlay_mode mode) {
    return mode_names[mode];
}

ct_overlay_mode ct_overlay_get_mode(const ct_overlay *o) {
    return o->mode;
}

bool ct_overlay_is_idle(const ct_overlay *o) {
    return o->mode == CT_OVERLAY_MODE_OFF && !o->kept && o->texts.count == 0;
}

bool ct_overlay_set_mode(ct_overlay *o, ct_overlay_mode mode, ct_error *error) {
    CT_ASSERT(o->is_attached && mode < CT_NUM_OVERLAY_MODES, "mode %u", mode);
    const ct_string_id32 viewport = ct_string_id32_of(viewport_name);
    if (mode != CT_OVERLAY_MODE_OFF && !ct_renderer_has_viewport(o->desc.renderer, viewport))
        return ct_error_set(error,
                            "the render config has no viewport \"%s\"; expected it as in "
                            "core/rendering/renderer.render_config",
                            viewport_name);
    o->mode = mode;
    return true;
}

static void switch_mode(ct_overlay *o) {
    ct_error error = {0};
    const ct_overlay_mode next = (ct_overlay_mode)((o->mode + 1) % CT_NUM_OVERLAY_MODES);
    if (!ct_overlay_set_mode(o, next, &error))
        ct_log_report("overlay", &error);
}

// --- Keys ----------------------------------------------------------------------------------------

static const struct {
    const char *key;
    ct_overlay_edit edit;
} edits[] = {
    {"left", CT_OVERLAY_EDIT_LEFT},
    {"right", CT_OVERLAY_EDIT_RIGHT},
    {"home", CT_OVERLAY_EDIT_HOME},
    {"end", CT_OVERLAY_EDIT_END},
    {"backspace", CT_OVERLAY_EDIT_BACKSPACE},
    {"delete", CT_OVERLAY_EDIT_DELETE},
    {"up", CT_OVERLAY_EDIT_OLDER},
    {"down", CT_OVERLAY_EDIT_NEWER},
};

static void enter_line(ct_overlay *o) {
    if (o->num_entered - o->num_taken == MAX_ENTERED) // more in a frame than anybody types
        return;
    if (ct_overlay_line_enter(&o->line, o->entered[o->num_entered % MAX_ENTERED]))
        ++o->num_entered;
}

static void handle_keystroke(ct_overlay *o, uint32_t key) {
    const char *const name = ct_input_button_name(CT_INPUT_DEVICE_KEYBOARD, key);
    if (strcmp(name, "enter") == 0 || strcmp(name, "numpad enter") == 0)
        enter_line(o);
    else if (strcmp(name, "esc") == 0)
        o->mode = CT_OVERLAY_MODE_ON;
    for (uint32_t i = 0; i < CT_COUNT_OF(edits); ++i)
        if (strcmp(name, edits[i].key) == 0)
            ct_overlay_line_edit(&o->line, edits[i].edit);
}

// The key that switches. Returns whether the event is about it, or text of it.
static bool handle_switch(ct_overlay *o, const ct_input_event *event) {
    const bool is_text =
        event->kind == CT_INPUT_EVENT_KIND_TEXT || event->kind == CT_INPUT_EVENT_KIND_EDITING;
    if (is_text)
        return o->is_key_down;
    if (o->desc.key < 0 || event->number != (uint32_t)o->desc.key)
        return false;
    if (event->kind == CT_INPUT_EVENT_KIND_PRESSED)
        switch_mode(o);
    if (event->kind != CT_INPUT_EVENT_KIND_KEYSTROKE)
        o->is_key_down = event->kind == CT_INPUT_EVENT_KIND_PRESSED;
    return true;
}

static bool takes_event(void *user, const ct_input_event *event) {
    ct_overlay *const o = user;
    if (event->device != CT_INPUT_DEVICE_KEYBOARD)
        return false;
    if (handle_switch(o, event))
        return true;
    if (o->mode != CT_OVERLAY_MODE_LINE)
        return false;
    if (event->kind == CT_INPUT_EVENT_KIND_KEYSTROKE)
        handle_keystroke(o, event->number);
    else if (event->kind == CT_INPUT_EVENT_KIND_TEXT)
        ct_overlay_line_insert(&o->line, event->text);
    return true;
}

bool ct_overlay_take_line(ct_overlay *o, char line[CT_OVERLAY_LINE_BYTES]) {
    if (o->num_taken == o->num_entered)
        return false;
    memcpy(line, o->entered[o->num_taken++ % MAX_ENTERED], CT_OVERLAY_LINE_BYTES);
    return true;
}

void ct_overlay_attach(ct_overlay *o, const ct_overlay_desc *desc) {
    const ct_input_filter filter = {.user = o, .takes = takes_event};
    o->desc = *desc;
    o->is_attached = true;
    ct_input_set_filter(desc->input, &filter);
}

void ct_overlay_detach(ct_overlay *o) {
    if (!o->is_attached)
        return;
    end_guis(o);
    end_stop(o);
    ct_input_set_filter(o->desc.input, NULL);
    o->mode = CT_OVERLAY_MODE_OFF;
    o->is_attached = o->is_key_down = false;
}

// --- Drawing -------------------------------------------------------------------------------------

// Makes the GUIs when it was not shown, or the picture has another size now.
static void fit_picture(ct_overlay *o) {
    uint32_t width, height;
    ct_renderer_size(o->desc.renderer, &width, &height);
    if (o->kept && width == o->width && height == o->height)
        return;
    end_guis(o);
    o->width = width > 0 ? width : 1;
    o->height = height > 0 ? height : 1;
    begin_guis(o);
}

static void paint_panels(ct_overlay *o, const ct_overlay_figures *figures) {
    o->painted_ns = figures->now_ns;
    ct_overlay_memory_count(&o->memory);
    const ct_overlay_panels panels = {
        .layout = &o->layout,
        .figures = figures,
        .graph = &o->graph,
        .memory = &o->memory,
        .log = o->log_lines,
        .num_log_lines = ct_overlay_log_last(o->log, o->layout.num_log_lines, o->log_lines)};
    ct_gui_reset(o->kept);
    ct_overlay_paint_panels(o->kept, &panels);
}

static void paint_moving(ct_overlay *o) {
    char hint[HINT_BYTES] = "cuttle console overlay line: type here";
    if (o->desc.key >= 0)
        snprintf(
            hint, sizeof(hint), "%s: type here",
            ct_input_locale_name(o->desc.input, CT_INPUT_DEVICE_KEYBOARD, (uint32_t)o->desc.key));
    ct_overlay_paint_graph(o->moving, &o->layout, &o->graph);
    ct_overlay_paint_line(o->moving, ct_gui_system_text(o->desc.gui), &o->layout, &o->line,
                          o->mode == CT_OVERLAY_MODE_LINE, hint);
}

static void render(ct_overlay *o, ct_render_world_id world) {
    // Nothing in the view depends on a camera.
    const ct_render_view view = {.pose = ct_mat4_identity(),
                                 .projection = ct_mat4_perspective(1.0f, 1.0f, 0.1f, 1.0f)};
    const float whole[4] = {0.0f, 0.0f, 1.0f, 1.0f};
    ct_renderer_render_world(o->desc.renderer, world, &view, ct_string_id32_of(viewport_name),
                             whole, NULL, 0);
}

void ct_overlay_show_text(ct_overlay *o, ct_vec3 color, const char *text, uint64_t now_ns) {
    ct_overlay_texts_add(&o->texts, color, text, now_ns);
}

// Draws what is there while it is shown.
static void paint(ct_overlay *o, const ct_overlay_figures *figures) {
    ct_overlay_graph_take(&o->graph, figures->times, figures->budget_seconds);
    if (o->painted_ns == 0 || figures->now_ns - o->painted_ns >= panel_interval_ns)
        paint_panels(o, figures);
    paint_moving(o);
}

// Removes the panels when only texts are still shown.
static void clear_panels(ct_overlay *o) {
    if (o->painted_ns != 0)
        ct_gui_reset(o->kept);
    o->painted_ns = 0;
}

// Texts for which there is no viewport are in the log only.
static bool shows_texts(const ct_overlay *o) {
    return o->texts.count > 0 &&
           ct_renderer_has_viewport(o->desc.renderer, ct_string_id32_of(viewport_name));
}

void ct_overlay_draw(ct_overlay *o, const ct_overlay_figures *figures) {
    ct_overlay_texts_expire(&o->texts, figures->now_ns);
    if (o->mode == CT_OVERLAY_MODE_OFF && !shows_texts(o)) {
        end_guis(o);
        return;
    }
    CT_PROFILER_SCOPE("overlay");
    fit_picture(o);
    if (o->mode == CT_OVERLAY_MODE_OFF)
        clear_panels(o);
    else
        paint(o, figures);
    ct_overlay_paint_texts(o->moving, &o->layout, &o->texts);
    render(o, o->world);
}

// --- Stops ---------------------------------------------------------------------------------------

// Copies whole characters that can be shown; others become spaces.
static void copy_printable(char out[STOP_BYTES], const char *text) {
    const size_t bytes = strlen(text);
    size_t used = 0;
    for (size_t at = 0; at < bytes;) {
        const uint32_t length = ct_utf8_length(text + at, bytes - at);
        const bool is_shown = length > 1 || (length == 1 && text[at] >= ' ' && text[at] != 0x7f);
        const uint32_t num_out = is_shown ? length : 1;
        if (used + num_out >= STOP_BYTES)
            break;
        memcpy(out + used, is_shown ? text + at : " ", num_out);
        used += num_out;
        at += length ? length : 1;
    }
    out[used] = '\0';
}

void ct_overlay_show_stop(ct_overlay *o, const char *text) {
    char copy[STOP_BYTES] = "";
    if (text)
        copy_printable(copy, text);
    if (strcmp(copy, o->stop.text) == 0)
        return;
    end_stop(o);
    memcpy(o->stop.text, copy, sizeof(copy));
}

static void begin_stop(ct_overlay *o) {
    stop_bar *const bar = &o->stop;
    ct_overlay_layout layout = ct_overlay_layout_of(bar->width, bar->height);
    if (layout.pixels_of_a_unit < 1.0f) { // it alone can be read in small pictures, too
        layout.width = (float)bar->width;
        layout.height = (float)bar->height;
    }
    bar->world = ct_render_world_create(o->desc.renderer);
    bar->gui = ct_gui_create(o->desc.gui, &(ct_gui_desc){.world = bar->world,
                                                         .reference_width = layout.width,
                                                         .reference_height = layout.height});
    ct_overlay_paint_stop(bar->gui, &layout, bar->text);
}

void ct_overlay_draw_stop(ct_overlay *o) {
    stop_bar *const bar = &o->stop;
    uint32_t width, height;
    if (!o->is_attached || !bar->text[0] ||
        !ct_renderer_has_viewport(o->desc.renderer, ct_string_id32_of(viewport_name)))
        return;
    ct_renderer_size(o->desc.renderer, &width, &height);
    if (bar->width != width || bar->height != height)
        end_stop(o);
    bar->width = width > 0 ? width : 1;
    bar->height = height > 0 ? height : 1;
    if (!bar->gui)
        begin_stop(o);
    render(o, bar->world);
}
