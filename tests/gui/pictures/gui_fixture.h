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
    f->gui = ct_gui_create(f->system, &(ct_gui_desc){.world = f->render.world,
                                                     .is_immediate = is_immediate});
}

// Ends everything. The resource manager calls the GUI system until its resources are offline.
static inline void gui_fixture_stop(gui_fixture *f) {
    ct_resource_package_destroy(f->render.resources, f->render.project);
    ct_resource_package_destroy(f->render.resources, f->render.core);
    f->render.project = f->render.core = NULL;
    ct_resource_manager_end_all(f->render.resources);
    ct_gui_system_destroy(f->system);
    fixture_stop(&f->render);
}

// Draws the frame and takes its picture, with all glyphs that it needs.
static inline void gui_fixture_picture(gui_fixture *f) {
    ct_gui_system_end_frame(f->system);
    fixture_picture(&f->render);
}

static inline uint32_t gui_color(uint32_t red, uint32_t green, uint32_t blue, uint32_t alpha) {
    return red | green << 8 | blue << 16 | alpha << 24;
}
