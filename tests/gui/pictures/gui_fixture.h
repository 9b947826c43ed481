// gui_fixture.h: the renderer's fixture with a GUI system, and a GUI that covers the picture.
#pragma once
#include "gui/gui.h"
#include "render/golden_picture.h"

typedef struct gui_fixture {
    render_fixture render;
    ct_gui_system *system;
    ct_gui *gui;
} gui_fixture;

enum { GUI_WIDTH = 320, GUI_HEIGHT = 240 };

static inline void gui_fixture_start(gui_fixture *f, bool is_immediate) {
    fixture_start_with(&f->render, fixture_data(), GUI_WIDTH, GUI_HEIGHT, true);
    f->system = ct_gui_system_create(&(ct_gui_system_desc){.allocator = test_heap(),
                                                           .renderer = f->render.renderer,
                                                           .resources = f->render.resources});
    f->gui = ct_gui_create(f->system,
                           &(ct_gui_desc){.world = f->render.world, .is_immediate = is_immediate});
}

// Ends everything: as fixture_stop, but fonts go offline while the GUI system is there to hear of it.
static inline void gui_fixture_stop(gui_fixture *f) {
    render_fixture *const r = &f->render;
    fixture_expect_no_error(r);
    ct_resource_package_destroy(r->resources, r->project);
    ct_resource_package_destroy(r->resources, r->core);
    ct_resource_manager_end_all(r->resources);
    ct_gui_system_destroy(f->system);
    ct_renderer_destroy(r->renderer);
    ct_resource_manager_destroy(r->resources);
    ct_task_manager_destroy(r->tasks);
    ct_free(test_heap(), r->pixels);
    ct_log_remove_sink(fixture_note_error, NULL);
    if (ct_log_error_count() != r->errors)
        fail_msg("an error was logged at the end: %s", fixture_last_error);
}

// Draws the frame and takes its picture, with all glyphs that it needs.
static inline void gui_fixture_picture(gui_fixture *f) {
    ct_gui_system_end_frame(f->system);
    fixture_picture(&f->render);
}

static inline uint32_t gui_color(uint32_t red, uint32_t green, uint32_t blue, uint32_t alpha) {
    return red | green << 8 | blue << 16 | alpha << 24;
}
