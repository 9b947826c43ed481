// bench_gui.c: what GUIs cost on the way to the renderer, beside the draw lists of Dear ImGui.
//
// gui_rects: 10,000 rectangles of one layer in an immediate GUI, to vertices in the renderer's
// stream. The peer: ImDrawList::AddRectFilled. Time for each rectangle.
// gui_text: 500 labels of 20 Latin letters that were drawn in the frames before. The peer:
// ImDrawList::AddText with ImGui's own font, which is not shaped. Time for each glyph.
// gui_update: one of 10,000 retained objects is set again: what the render thread does for it, until
// the ranges to send are known. The peer: the same with 100 objects. Time for each update.
#include "bench.h"

#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/os/file.h"
#include "gui/gui.h"
#include "peer_imgui.h"
#include "render/object/render_batches.h"
#include "resource/blob/blob.h"

enum {
    NUM_RECTS = 10000,
    NUM_LABELS = 500,
    LENGTH = 20,
    NUM_UPDATES = 2000,
    MANY = 10000,
    FEW = 100,
};

static ct_renderer *renderer;
static ct_gui_system *guis;
static ct_gui *gui;
static peer_imgui *imgui;
static float rects[NUM_RECTS][4];
static uint32_t colors[NUM_RECTS];
static char texts[NUM_LABELS][LENGTH + 1];
static const char *labels[NUM_LABELS];

static void begin(void) {
    renderer = ct_renderer_create_recorder(
        &(ct_renderer_desc){.allocator = ct_bench_heap(), .width = 1920, .height = 1080});
    guis = ct_gui_system_create(
        &(ct_gui_system_desc){.allocator = ct_bench_heap(), .renderer = renderer});
    gui = ct_gui_create(
        guis, &(ct_gui_desc){.world = ct_render_world_create(renderer), .is_immediate = true});
    imgui = peer_imgui_create();
    for (uint32_t i = 0; i < NUM_RECTS; ++i) {
        rects[i][0] = (float)(i % 100) * 19;
        rects[i][1] = (float)(i / 100) * 10;
        rects[i][2] = 15;
        rects[i][3] = 8;
        colors[i] = 0xff000000u | i * 2654435761u;
    }
}

static void end(void) {
    peer_imgui_destroy(imgui);
    ct_gui_system_destroy(guis);
    ct_renderer_destroy(renderer);
}

// --- Rectangles ----------------------------------------------------------------------------------

static double draw_rects(void) {
    const double start = ct_bench_now_ns();
    for (uint32_t i = 0; i < NUM_RECTS; ++i) {
        const ct_gui_draw draw = {.color = colors[i]};
        ct_gui_rect(gui, &draw, (ct_vec2){{rects[i][0], rects[i][1]}},
                    (ct_vec2){{rects[i][2], rects[i][3]}});
    }
    const double ns = ct_bench_now_ns() - start;
    ct_gui_system_end_frame(guis);
    ct_renderer_end_frame(renderer);
    return ns / NUM_RECTS;
}

static double draw_peer_rects(void) {
    const double start = ct_bench_now_ns();
    ct_bench_use(peer_imgui_rects(imgui, (const float(*)[4])rects, colors, NUM_RECTS));
    return (ct_bench_now_ns() - start) / NUM_RECTS;
}

// --- Text ----------------------------------------------------------------------------------------

static const ct_string_id64 font_name = {1};
static struct {
    ct_font_resource font;
    ct_font_page page;
    ct_font_glyph glyphs[300];
    uint8_t pixels[64 * 64];
} * blob;

// A font with pictures for its first glyphs, all of them the same.
static void begin_text(void) {
    static const char path[] = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf";
    begin();
    uint64_t bytes = 0;
    ct_error error = {0};
    char *const file = ct_file_read(ct_bench_heap(), path, &bytes, &error);
    CT_REQUIRE(file, "%s", error.message);
    blob = ct_alloc_zero(ct_bench_heap(), sizeof(*blob) + bytes);
    blob->font = (ct_font_resource){.flags = CT_FONT_DISTANCE_FIELD,
                                    .size = 32,
                                    .spread = 4,
                                    .ascent = 30,
                                    .descent = 8,
                                    .glyphs = {offsetof(__typeof__(*blob), glyphs), 300},
                                    .pages = {offsetof(__typeof__(*blob), page), 1},
                                    .outlines = {sizeof(*blob), (uint32_t)bytes}};
    blob->page = (ct_font_page){64, 64, {offsetof(__typeof__(*blob), pixels), 64 * 64}};
    for (uint32_t i = 0; i < CT_COUNT_OF(blob->glyphs); ++i)
        blob->glyphs[i] = (ct_font_glyph){.glyph = i, .width = 24, .height = 32, .top = 24};
    memcpy(blob + 1, file, bytes);
    ct_free(ct_bench_heap(), file);
    ct_gui_system_set_font(guis, font_name, &blob->font);
    for (uint32_t i = 0; i < NUM_LABELS; ++i) {
        for (uint32_t k = 0; k < LENGTH; ++k)
            texts[i][k] = (char)('a' + (i * 7 + k * 11 + i * k) % 26);
        labels[i] = texts[i];
    }
}

static void end_text(void) {
    end();
    ct_free(ct_bench_heap(), blob);
}

static double draw_texts(void) {
    const double start = ct_bench_now_ns();
    for (uint32_t i = 0; i < NUM_LABELS; ++i) {
        const ct_gui_draw draw = {.layer = 1};
        const ct_gui_text_desc desc = {
            .text = {.text = labels[i],
                     .num_bytes = LENGTH,
                     .style = {.font = font_name, .size = 16, .color = UINT32_MAX}},
            .position = {{10, (float)(i % 60) * 16}}};
        ct_gui_text(gui, &draw, &desc);
    }
    const double ns = ct_bench_now_ns() - start;
    ct_gui_system_end_frame(guis);
    ct_renderer_end_frame(renderer);
    return ns / (NUM_LABELS * LENGTH);
}

static double draw_peer_texts(void) {
    const double start = ct_bench_now_ns();
    ct_bench_use(peer_imgui_texts(imgui, labels, NUM_LABELS));
    return (ct_bench_now_ns() - start) / (NUM_LABELS * LENGTH);
}

// --- Updates -------------------------------------------------------------------------------------

static ct_render_batches many, few;

static void fill(ct_render_batches *batches, uint32_t count) {
    const ct_batch_vertex vertices[4] = {{.color = 1}};
    ct_render_batches_init(batches, ct_bench_heap(), false);
    for (uint32_t slot = 1; slot <= count; ++slot)
        ct_render_batches_set(batches, slot, 0, 1, vertices, 1);
}

static void begin_updates(void) {
    fill(&many, MANY);
    fill(&few, FEW);
}

static void end_updates(void) {
    ct_render_context context = {.device = NULL};
    ct_render_batches_shutdown(&many, &context);
    ct_render_batches_shutdown(&few, &context);
}

static double update(ct_render_batches *batches, uint32_t count) {
    ct_batch_vertex vertices[4] = {{.color = 1}};
    ct_render_batch *const b = &batches->batches.items[0];
    const double start = ct_bench_now_ns();
    for (uint32_t i = 0; i < NUM_UPDATES; ++i) {
        vertices[0].color = i;
        ct_render_batches_set(batches, 1 + i * 61 % count, 0, 1, vertices, 1);
        ct_bench_use(ct_render_batches_pending_bytes(batches));
        b->changes.count = 0; // as an upload leaves it
    }
    return (ct_bench_now_ns() - start) / NUM_UPDATES;
}

static double update_many(void) {
    return update(&many, MANY);
}

static double update_few(void) {
    return update(&few, FEW);
}

// --- The table -----------------------------------------------------------------------------------

static const ct_bench_case cases[] = {
    {.workload = "gui_rects",
     .subject = "10,000 rectangles",
     .peer = "ImGui",
     .unit = "ns",
     .goal = 1.2,
     .begin = begin,
     .end = end,
     .run_subject = draw_rects,
     .run_peer = draw_peer_rects},
    {.workload = "gui_text",
     .subject = "10,000 glyphs, cached",
     .peer = "ImGui",
     .unit = "ns",
     .goal = 1.0,
     .begin = begin_text,
     .end = end_text,
     .run_subject = draw_texts,
     .run_peer = draw_peer_texts},
    {.workload = "gui_update",
     .subject = "one of 10,000",
     .peer = "one of 100",
     .unit = "ns",
     .goal = 1.5,
     .begin = begin_updates,
     .end = end_updates,
     .run_subject = update_many,
     .run_peer = update_few},
};

const ct_bench_group ct_bench_gui = {"gui", cases, CT_COUNT_OF(cases)};
