// bench_gui_text.c: laying out text that was never seen before.
//
// text_unseen: 50 Latin strings of 20 characters, each another in every run, in one font. Ours:
// ct_text_layout_of without a width, with everything that a layout has (lines, clusters, caches).
// The peer: hb_buffer_add_utf8, hb_shape and reading the glyphs, on the same strings one run later:
// right behind ours they would be warm. Time for each glyph.
// text_cached: 500 labels of 20 characters, laid out in the frames before. The peer: hashing the
// same texts with MurmurHash64A. Time for each label.
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/os/file.h"
#include "text/hb_api.h"
#include "text/text.h"

enum { NUM_STRINGS = 50, NUM_LABELS = 500, LENGTH = 20, LABEL_ROUNDS = 20 };

static const char font_path[] = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf";
static const ct_string_id64 font_name = {1};

static ct_text *engine;
static ct_font_resource *font;
static const ct_hb_api *hb;
static hb_font_t *hb_own;
static hb_buffer_t *buffer;
static char strings[NUM_LABELS][LENGTH + 1], former[NUM_STRINGS][LENGTH + 1];
static uint32_t random_state;

static void read_font(void) {
    uint64_t bytes = 0;
    ct_error error = {0};
    char *const file = ct_file_read(ct_bench_heap(), font_path, &bytes, &error);
    CT_REQUIRE(file, "%s", error.message);
    font = ct_alloc_zero(ct_bench_heap(), sizeof(*font) + bytes);
    font->size = 64;
    font->ascent = 50;
    font->descent = 14;
    font->outlines = (ct_blob_array){sizeof(*font), (uint32_t)bytes};
    memcpy(font + 1, file, bytes);
    ct_free(ct_bench_heap(), file);
}

static void open_peer(void) {
    hb = ct_hb_load(NULL);
    hb_blob_t *const blob = hb->hb_blob_create((const char *)(font + 1), font->outlines.count,
                                               HB_MEMORY_MODE_READONLY, NULL, NULL);
    hb_face_t *const face = hb->hb_face_create(blob, 0);
    hb->hb_blob_destroy(blob);
    hb_own = hb->hb_font_create(face);
    hb->hb_face_destroy(face);
    hb->hb_ot_font_set_funcs(hb_own);
    hb->hb_font_make_immutable(hb_own);
    buffer = hb->hb_buffer_create();
}

// Makes strings that were not there before: words of letters with a capital at times.
static void make_strings(uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        for (uint32_t c = 0; c < LENGTH; ++c) {
            random_state = random_state * 1664525u + 1013904223u;
            const uint32_t value = random_state >> 16;
            strings[i][c] = (char)(c % 6 == 5 ? ' ' : (c % 6 == 0 ? 'A' : 'a') + value % 26);
        }
    }
}

static void begin(void) {
    read_font();
    engine = ct_text_create(ct_bench_heap());
    ct_text_set_font(engine, font_name, font);
    open_peer();
    random_state = 1;
    make_strings(NUM_STRINGS);
}

static void end(void) {
    hb->hb_buffer_destroy(buffer);
    hb->hb_font_destroy(hb_own);
    ct_text_destroy(engine);
    ct_free(ct_bench_heap(), font);
}

static ct_text_desc desc_of(const char *text) {
    return (ct_text_desc){.text = text,
                          .num_bytes = LENGTH,
                          .style = {.font = font_name, .size = 20, .color = 0xffffffff}};
}

static double run_unseen(void) {
    memcpy(former, strings, sizeof(former));
    make_strings(NUM_STRINGS);
    uint64_t num_glyphs = 0;
    const double start = ct_bench_now_ns();
    for (uint32_t i = 0; i < NUM_STRINGS; ++i) {
        const ct_text_desc desc = desc_of(strings[i]);
        num_glyphs += ct_text_layout_of(engine, &desc)->num_glyphs;
    }
    const double time = ct_bench_now_ns() - start;
    for (uint32_t i = 0; i < 200; ++i)
        ct_text_end_frame(engine);
    return time / (double)num_glyphs;
}

static double run_harfbuzz(void) {
    uint64_t num_glyphs = 0, sum = 0;
    const double start = ct_bench_now_ns();
    for (uint32_t i = 0; i < NUM_STRINGS; ++i) {
        hb->hb_buffer_clear_contents(buffer);
        hb->hb_buffer_add_utf8(buffer, former[i], LENGTH, 0, LENGTH);
        const hb_segment_properties_t properties = {.direction = HB_DIRECTION_LTR,
                                                    .script = HB_SCRIPT_LATIN};
        hb->hb_buffer_set_segment_properties(buffer, &properties);
        hb->hb_shape(hb_own, buffer, NULL, 0);
        unsigned int count = 0;
        const hb_glyph_info_t *const infos = hb->hb_buffer_get_glyph_infos(buffer, &count);
        const hb_glyph_position_t *const at = hb->hb_buffer_get_glyph_positions(buffer, &count);
        for (uint32_t g = 0; g < count; ++g)
            sum += infos[g].codepoint + (uint32_t)at[g].x_advance;
        num_glyphs += count;
    }
    ct_bench_use(sum);
    return (ct_bench_now_ns() - start) / (double)num_glyphs;
}

static void begin_cached(void) {
    begin();
    make_strings(NUM_LABELS);
}

static double run_cached(void) {
    uint64_t num_glyphs = 0;
    const double start = ct_bench_now_ns();
    for (uint32_t round = 0; round < LABEL_ROUNDS; ++round) {
        for (uint32_t i = 0; i < NUM_LABELS; ++i) {
            const ct_text_desc desc = desc_of(strings[i]);
            num_glyphs += ct_text_layout_of(engine, &desc)->num_glyphs;
        }
    }
    ct_bench_use(num_glyphs);
    return (ct_bench_now_ns() - start) / (LABEL_ROUNDS * NUM_LABELS);
}

static double run_hash(void) {
    uint64_t sum = 0;
    const double start = ct_bench_now_ns();
    for (uint32_t round = 0; round < LABEL_ROUNDS; ++round) {
        for (uint32_t i = 0; i < NUM_LABELS; ++i)
            sum += ct_string_id64_of_bytes(strings[i], LENGTH).value;
    }
    ct_bench_use(sum);
    return (ct_bench_now_ns() - start) / (LABEL_ROUNDS * NUM_LABELS);
}

static const ct_bench_case cases[] = {
    {.workload = "text_unseen",
     .subject = "layout",
     .peer = "HarfBuzz",
     .unit = "ns",
     .goal = 1.5,
     .num_runs = 101,
     .begin = begin,
     .end = end,
     .run_subject = run_unseen,
     .run_peer = run_harfbuzz},
    {.workload = "text_cached",
     .subject = "label of 20 glyphs",
     .peer = "hash of the text",
     .unit = "ns",
     .begin = begin_cached,
     .end = end,
     .run_subject = run_cached,
     .run_peer = run_hash},
};

const ct_bench_group ct_bench_gui_text = {"gui", cases, CT_COUNT_OF(cases)};
