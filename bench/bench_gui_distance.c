// bench_gui_distance.c: the distance field of a page of glyphs, beside a plain transform.
//
// `distance_field`: 4096 x 4096 pixels of coverage to 512 x 512, with a spread of 4. The page holds
// 1,024 rings, discs and bars of about 90 pixels, with smooth edges, at places of a fixed seed. The
// peer is the two-pass transform of Felzenszwalb and Huttenlocher as their paper has it: a lower
// envelope of parabolas for each column, then for each row, once for the distances to the inside
// and once for those to the outside, in floats at full resolution, of which every eighth pixel is
// used. It runs in one thread, as ours does.

#include <math.h>
#include <string.h>

#include "bench.h"
#include "foundation/math/random.h"
#include "text/distance_field.h"

enum { SIDE = 4096, SCALE = 8, SPREAD = 4, TARGET = SIDE / SCALE, CELL = 128 };

static const float infinity = 1e20f;

static uint8_t *page, *target;
static float *inside, *outside;
static float line[SIDE], line_result[SIDE], borders[SIDE + 1];
static uint32_t parabolas[SIDE];

// --- The page ------------------------------------------------------------------------------------

// The distance of a point to a glyph's outline, positive inside.
static float glyph_distance(uint32_t kind, float size, float x, float y) {
    if (kind == 0)
        return size - hypotf(x, y);
    if (kind == 1)
        return 8 - fabsf(hypotf(x, y) - size + 8);
    return fminf(size - fabsf(x + y) * 0.7071f, 9 - fabsf(x - y) * 0.7071f);
}

static void draw_glyph(ct_random *r, uint32_t left, uint32_t top) {
    const uint32_t kind = ct_random_below(r, 3);
    const float size = ct_random_float_range(r, 35, 50);
    const float middle = CELL / 2 + ct_random_float_range(r, 0, 1);
    for (uint32_t y = 0; y < CELL; ++y) {
        for (uint32_t x = 0; x < CELL; ++x) {
            const float d = glyph_distance(kind, size, (float)x - middle, (float)y - middle);
            page[(uint64_t)(top + y) * SIDE + left + x] =
                (uint8_t)(255 * fminf(fmaxf(d + 0.5f, 0), 1) + 0.5f);
        }
    }
}

static void begin(void) {
    ct_allocator *const a = ct_bench_heap();
    ct_random r = ct_random_seeded(1, 1);
    page = ct_alloc_zero(a, (uint64_t)SIDE * SIDE);
    target = ct_alloc_zero(a, (uint64_t)TARGET * TARGET);
    inside = ct_alloc_zero(a, sizeof(float) * SIDE * SIDE);
    outside = ct_alloc_zero(a, sizeof(float) * SIDE * SIDE);
    for (uint32_t y = 0; y < SIDE; y += CELL) {
        for (uint32_t x = 0; x < SIDE; x += CELL)
            draw_glyph(&r, x, y);
    }
}

static void end(void) {
    ct_allocator *const a = ct_bench_heap();
    ct_free(a, outside);
    ct_free(a, inside);
    ct_free(a, target);
    ct_free(a, page);
}

static double run(void) {
    const double started = ct_bench_now_ns();
    ct_distance_field(ct_bench_heap(), page, SIDE, SIDE, SCALE, SPREAD, target);
    const double time = ct_bench_now_ns() - started;
    ct_bench_use(target[TARGET * TARGET / 2]);
    return time / 1e6;
}

// --- The plain transform -------------------------------------------------------------------------

// Transforms `line` to `line_result`.
static void transform_line(void) {
    uint32_t k = 0;
    parabolas[0] = 0;
    borders[0] = -infinity;
    borders[1] = infinity;
    for (uint32_t q = 1; q < SIDE; ++q) {
        float s;
        for (;; --k) {
            const uint32_t v = parabolas[k];
            s = ((line[q] - line[v]) / (float)(q - v) + (float)(q + v)) * 0.5f;
            if (s > borders[k] || k == 0)
                break;
        }
        if (s > borders[k])
            ++k;
        parabolas[k] = q;
        borders[k] = k == 0 ? -infinity : s;
        borders[k + 1] = infinity;
    }
    k = 0;
    for (uint32_t q = 0; q < SIDE; ++q) {
        while (borders[k + 1] < (float)q)
            ++k;
        const float away = (float)q - (float)parabolas[k];
        line_result[q] = away * away + line[parabolas[k]];
    }
}

static void transform(float *squares) {
    for (uint32_t x = 0; x < SIDE; ++x) {
        for (uint32_t y = 0; y < SIDE; ++y)
            line[y] = squares[(uint64_t)y * SIDE + x];
        transform_line();
        for (uint32_t y = 0; y < SIDE; ++y)
            squares[(uint64_t)y * SIDE + x] = line_result[y];
    }
    for (uint32_t y = 0; y < SIDE; ++y) {
        memcpy(line, squares + (uint64_t)y * SIDE, sizeof(line));
        transform_line();
        memcpy(squares + (uint64_t)y * SIDE, line_result, sizeof(line));
    }
}

static double plain_run(void) {
    const double started = ct_bench_now_ns();
    for (uint64_t i = 0; i < (uint64_t)SIDE * SIDE; ++i) {
        inside[i] = page[i] >= 128 ? 0 : infinity;
        outside[i] = page[i] >= 128 ? infinity : 0;
    }
    transform(inside);
    transform(outside);
    for (uint32_t i = 0; i < TARGET * TARGET; ++i) {
        const uint64_t at =
            (uint64_t)(i / TARGET * SCALE + SCALE / 2) * SIDE + i % TARGET * SCALE + SCALE / 2;
        const float distance = (sqrtf(outside[at]) - sqrtf(inside[at])) / SCALE;
        const float value = 128.5f + distance * 127 / SPREAD;
        target[i] = (uint8_t)fminf(fmaxf(value, 0), 255);
    }
    const double time = ct_bench_now_ns() - started;
    ct_bench_use(target[TARGET * TARGET / 2]);
    return time / 1e6;
}

static const ct_bench_case cases[] = {
    {"distance_field", "4096 to 512", "Felzenszwalb", "ms", 0.5, 0, begin, end, run, plain_run},
};

const ct_bench_group ct_bench_gui_distance = {"gui", cases, CT_COUNT_OF(cases)};
