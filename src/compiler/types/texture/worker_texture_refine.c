#include "compiler/types/texture/worker_texture_refine.h"

enum {
    PIXELS = CT_WORKER_BLOCK_PIXELS,
    MAX_INSET = 3, // of a channel's end points
    MAX_ROUNDS = 8,
};

// --- One channel ---------------------------------------------------------------------------------

// End points as the block has them: high > low has six steps between, otherwise four, and 0 and
// 255.
typedef struct channel_fit {
    int32_t first, second;
    uint64_t error; // of 35 times the values
    uint64_t indices;
} channel_fit;

static int32_t clamped(int32_t value, int32_t most) {
    return value < 0 ? 0 : value > most ? most : value;
}

// The bits of step `step` of `steps` from `first` to `second`.
static uint64_t step_bits(int32_t step, int32_t steps) {
    return step == 0 ? 0 : step == steps ? 1 : (uint64_t)step + 1;
}

static void keep_better(channel_fit *best, const channel_fit *tried) {
    if (tried->error < best->error)
        *best = *tried;
}

static void try_eight(const uint8_t *values, int32_t high, int32_t low, channel_fit *best) {
    channel_fit fit = {.first = high, .second = low};
    const int32_t range = high - low;
    for (uint32_t i = 0; i < PIXELS && fit.error < best->error; ++i) {
        const int32_t step = clamped(((high - values[i]) * 14 + range) / (2 * range), 7);
        const int32_t off = 35 * values[i] - 5 * (high * (7 - step) + low * step);
        fit.error += (uint64_t)((int64_t)off * off);
        fit.indices |= step_bits(step, 7) << 3 * i;
    }
    keep_better(best, &fit);
}

static void try_six(const uint8_t *values, int32_t low, int32_t high, channel_fit *best) {
    channel_fit fit = {.first = low, .second = high};
    const int32_t range = high - low;
    for (uint32_t i = 0; i < PIXELS && fit.error < best->error; ++i) {
        const int32_t v = values[i];
        const int32_t step = range ? clamped(((v - low) * 10 + range) / (2 * range), 5) : 0;
        int32_t off = 35 * v - 7 * (low * (5 - step) + high * step);
        uint64_t bits = step_bits(step, 5);
        if (35 * v < (off < 0 ? -off : off)) {
            off = 35 * v;
            bits = 6;
        }
        if (35 * (255 - v) < (off < 0 ? -off : off)) {
            off = 35 * (255 - v);
            bits = 7;
        }
        fit.error += (uint64_t)((int64_t)off * off);
        fit.indices |= bits << 3 * i;
    }
    keep_better(best, &fit);
}

// The least and greatest of the values, without those that are 0 or 255 if so asked. False when
// there are none.
static bool find_range(const uint8_t *values, bool without_ends, int32_t *low, int32_t *high) {
    *low = 255;
    *high = 0;
    for (uint32_t i = 0; i < PIXELS; ++i) {
        if (without_ends && (values[i] == 0 || values[i] == 255))
            continue;
        *low = values[i] < *low ? values[i] : *low;
        *high = values[i] > *high ? values[i] : *high;
    }
    return *low <= *high;
}

void ct_worker_refine_channel(const uint8_t values[PIXELS], uint8_t block[8]) {
    int32_t low, high;
    channel_fit best = {.error = UINT64_MAX};
    find_range(values, false, &low, &high);
    if (low == high) {
        best = (channel_fit){.first = high, .second = low};
    } else {
        for (int32_t a = 0; a <= MAX_INSET; ++a)
            for (int32_t b = 0; b <= MAX_INSET && high - a > low + b; ++b)
                try_eight(values, high - a, low + b, &best);
        if ((low == 0 || high == 255) && find_range(values, true, &low, &high))
            for (int32_t a = 0; a <= MAX_INSET; ++a)
                for (int32_t b = 0; b <= MAX_INSET && high - a >= low + b; ++b)
                    try_six(values, low + b, high - a, &best);
    }
    block[0] = (uint8_t)best.first;
    block[1] = (uint8_t)best.second;
    for (uint32_t i = 0; i < 6; ++i)
        block[2 + i] = (uint8_t)(best.indices >> 8 * i);
}

// --- Colours -------------------------------------------------------------------------------------

// End points in 5, 6 and 5 bits; the two colours between them are thirds.
typedef struct color_fit {
    int32_t ends[2][3];
    uint32_t error;
    uint32_t indices;
} color_fit;

static const int32_t most_of_component[3] = {31, 63, 31};

static int32_t component_to_8_bits(int32_t value, uint32_t component) {
    return component == 1 ? value << 2 | value >> 4 : value << 3 | value >> 2;
}

// Finds the nearest of the four colours for each pixel; stops when worse than `most`.
static void fit_indices(const uint8_t pixels[4 * PIXELS], color_fit *fit, uint32_t most) {
    int32_t colors[4][3];
    for (uint32_t c = 0; c < 3; ++c) {
        colors[0][c] = component_to_8_bits(fit->ends[0][c], c);
        colors[1][c] = component_to_8_bits(fit->ends[1][c], c);
        colors[2][c] = (2 * colors[0][c] + colors[1][c]) / 3;
        colors[3][c] = (colors[0][c] + 2 * colors[1][c]) / 3;
    }
    fit->error = 0;
    fit->indices = 0;
    for (uint32_t i = 0; i < PIXELS && fit->error < most; ++i) {
        uint32_t least = UINT32_MAX, index = 0;
        for (uint32_t k = 0; k < 4; ++k) {
            const int32_t r = pixels[4 * i] - colors[k][0], g = pixels[4 * i + 1] - colors[k][1],
                          b = pixels[4 * i + 2] - colors[k][2];
            const uint32_t error = (uint32_t)(r * r + g * g + b * b);
            index = error < least ? k : index;
            least = error < least ? error : least;
        }
        fit->error += least;
        fit->indices |= index << 2 * i;
    }
}

static color_fit read_fit(const uint8_t pixels[4 * PIXELS], const uint8_t block[8]) {
    color_fit fit;
    for (uint32_t i = 0; i < 2; ++i) {
        const int32_t word = block[2 * i] | block[2 * i + 1] << 8;
        fit.ends[i][0] = word >> 11;
        fit.ends[i][1] = word >> 5 & 63;
        fit.ends[i][2] = word & 31;
    }
    fit_indices(pixels, &fit, UINT32_MAX);
    return fit;
}

// One step up or down of each component. True when that found a better fit.
static bool try_neighbours(const uint8_t pixels[4 * PIXELS], color_fit *best) {
    const uint32_t before = best->error;
    for (uint32_t i = 0; i < 12 && best->error > 0; ++i) {
        color_fit fit = *best;
        int32_t *component = &fit.ends[i / 6][i / 2 % 3];
        *component += i % 2 ? 1 : -1;
        if (*component < 0 || *component > most_of_component[i / 2 % 3])
            continue;
        fit_indices(pixels, &fit, best->error);
        if (fit.error < best->error)
            *best = fit;
    }
    return best->error < before;
}

// With the first word the greater: BC1 has holes otherwise.
static void write_fit(const color_fit *fit, uint8_t block[8]) {
    uint32_t words[2], indices = fit->indices;
    for (uint32_t i = 0; i < 2; ++i)
        words[i] = (uint32_t)(fit->ends[i][0] << 11 | fit->ends[i][1] << 5 | fit->ends[i][2]);
    const bool is_swapped = words[0] < words[1];
    if (words[0] == words[1])
        indices = 0;
    else if (is_swapped)
        indices ^= 0x55555555;
    for (uint32_t i = 0; i < 2; ++i) {
        const uint32_t word = words[is_swapped ? 1 - i : i];
        block[2 * i] = (uint8_t)word;
        block[2 * i + 1] = (uint8_t)(word >> 8);
    }
    for (uint32_t i = 0; i < 4; ++i)
        block[4 + i] = (uint8_t)(indices >> 8 * i);
}

void ct_worker_refine_color(const uint8_t pixels[4 * PIXELS], uint8_t block[8]) {
    color_fit best = read_fit(pixels, block);
    for (uint32_t i = 0; i < MAX_ROUNDS && try_neighbours(pixels, &best); ++i)
        ;
    write_fit(&best, block);
}
