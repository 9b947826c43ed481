// picture_fixture.h: the core's frame with known light in its picture, in any of its settings.
#pragma once
#include <math.h>

#include "render/golden_picture.h"

enum { PICTURE_WIDTH = 320, PICTURE_HEIGHT = 180 };

static inline void picture_set(render_fixture *f, const char *name, ct_render_given given) {
    ct_error error = {0};
    if (!ct_renderer_set_setting(f->renderer, name, &given, &error))
        fail_msg("%s", error.message);
}

static inline void picture_number(render_fixture *f, const char *name, double value) {
    picture_set(f, name,
                (ct_render_given){.kind = CT_RENDER_GIVEN_KIND_NUMBER, .numbers = {value}});
}

static inline void picture_switch(render_fixture *f, const char *name, bool value) {
    picture_set(f, name,
                (ct_render_given){.kind = CT_RENDER_GIVEN_KIND_BOOL, .numbers = {value ? 1 : 0}});
}

static inline void picture_choose(render_fixture *f, const char *name, const char *value) {
    picture_set(f, name, (ct_render_given){.kind = CT_RENDER_GIVEN_KIND_TEXT, .text = value});
}

static inline void picture_start(render_fixture *f, const char *config) {
    ct_error error = {0};
    fixture_start_with(f, fixture_data(), PICTURE_WIDTH, PICTURE_HEIGHT, true);
    if (!ct_renderer_set_config(f->renderer, config, &error))
        fail_msg("%s", error.message);
}

// Shows a pattern of tests/render/project/shaders/pattern.shader in place of the scene.
static inline void picture_pattern(render_fixture *f, const char *kind, double light) {
    picture_switch(f, "pattern", true);
    picture_choose(f, "kind", kind);
    picture_number(f, "light", light);
}

// Returns the last picture, which the caller frees with picture_free.
static inline uint8_t *picture_keep(render_fixture *f) {
    assert_non_null(f->pixels);
    uint8_t *const pixels = f->pixels;
    f->pixels = NULL;
    return pixels;
}

// Draws a frame and returns its picture.
static inline uint8_t *picture_take(render_fixture *f) {
    fixture_picture(f);
    return picture_keep(f);
}

static inline void picture_free(uint8_t *pixels) {
    ct_free(test_heap(), pixels);
}

static inline const uint8_t *picture_at(const uint8_t *pixels, uint32_t x, uint32_t y) {
    return pixels + ((uint64_t)y * PICTURE_WIDTH + x) * 4;
}

static inline int picture_most_difference(const uint8_t *a, const uint8_t *b) {
    return golden_difference(a, b, (uint64_t)PICTURE_WIDTH * PICTURE_HEIGHT * 4).most;
}

// The linear light of a byte of the back buffer, 0 to 1.
static inline double picture_light(uint8_t value) {
    const double v = value / 255.0;
    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

// The number that shaders/show_number.shader shows in the next frame.
static inline double picture_shown_number(render_fixture *f, double least, double scale) {
    fixture_picture(f);
    const uint8_t *const p = fixture_pixel(f, 0.5f, 0.5f);
    return least + scale * (p[0] * 256.0 + p[1]) / 32768.0;
}
