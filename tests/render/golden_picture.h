// golden_picture.h: compares pictures with those in tests/golden.
//
// Tolerance: the mean difference of all channels is at most 0.5 of 255, and no channel differs by
// more than 24: room for another driver's rounding at edges, none for a changed light or material.
// A difference leaves the new picture beside the test program. CUTTLE_UPDATE_GOLDEN=1 writes the
// pictures anew instead; look at them before they are committed.
#pragma once
#include "render/render_fixture.h"

#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#define STB_IMAGE_WRITE_IMPLEMENTATION
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wextra"
#include <stb/stb_image.h>
#include <stb/stb_image_write.h>
#pragma GCC diagnostic pop

#define GOLDEN_MOST_MEAN 0.5
#define GOLDEN_MOST_DIFFERENCE 24

typedef struct picture_difference {
    double mean;
    int most;
} picture_difference;

static inline picture_difference golden_difference(const uint8_t *a, const uint8_t *b,
                                                   uint64_t count) {
    picture_difference d = {0};
    uint64_t sum = 0;
    for (uint64_t i = 0; i < count; ++i) {
        const int difference = abs((int)a[i] - (int)b[i]);
        sum += (uint64_t)difference;
        d.most = difference > d.most ? difference : d.most;
    }
    d.mean = (double)sum / (double)count;
    return d;
}

static inline bool golden_is_alike(picture_difference d) {
    return d.mean <= GOLDEN_MOST_MEAN && d.most <= GOLDEN_MOST_DIFFERENCE;
}

// How the fixture's last picture differs from tests/golden/<name>.png, which must exist.
static inline picture_difference golden_compare(const render_fixture *f, const char *name) {
    char path[CT_PATH_BYTES];
    snprintf(path, sizeof(path), "%s/tests/golden/%s.png", fixture_environment("CUTTLE_SOURCE"),
             name);
    int width, height, channels;
    uint8_t *golden = stbi_load(path, &width, &height, &channels, 4);
    if (!golden)
        fail_msg("%s: %s", path, stbi_failure_reason());
    assert_int_equal(width, f->width);
    assert_int_equal(height, f->height);
    const picture_difference d =
        golden_difference(golden, f->pixels, (uint64_t)f->width * f->height * 4);
    stbi_image_free(golden);
    return d;
}

// Fails unless the fixture's last picture is like tests/golden/<name>.png.
static inline void golden_expect(const render_fixture *f, const char *name) {
    char path[CT_PATH_BYTES];
    assert_non_null(f->pixels);
    if (ct_os_environment("CUTTLE_UPDATE_GOLDEN")) {
        snprintf(path, sizeof(path), "%s/tests/golden/%s.png", fixture_environment("CUTTLE_SOURCE"),
                 name);
        assert_true(stbi_write_png(path, (int)f->width, (int)f->height, 4, f->pixels, 0));
        return;
    }
    const picture_difference d = golden_compare(f, name);
    if (golden_is_alike(d))
        return;
    snprintf(path, sizeof(path), "%s.png", name);
    stbi_write_png(path, (int)f->width, (int)f->height, 4, f->pixels, 0);
    fail_msg("%s differs: mean %.3f, most %d; the new picture is %s", name, d.mean, d.most, path);
}
