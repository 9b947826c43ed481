#include "compiler/types/texture/worker_texture_levels.h"

#include <math.h>
#include <string.h>

#include "foundation/memory/allocator.h"
#include "resource/types/texture_resource.h"

enum { CHANNELS = 4 };

// --- Bytes and what they stand for ---------------------------------------------------------------

// IEC 61966-2-1, in doubles: as floats the results are the same wherever pow is good to a few bits.
static float linear_of(double value, bool is_srgb) {
    if (!is_srgb)
        return (float)value;
    return (float)(value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4));
}

void ct_worker_texels_init(ct_worker_texels *t, bool is_srgb, bool is_normal,
                           bool is_premultiplied) {
    *t = (ct_worker_texels){
        .is_srgb = is_srgb, .is_normal = is_normal, .is_premultiplied = is_premultiplied};
    for (uint32_t i = 0; i < 256; ++i)
        t->to_linear[i] = linear_of((double)i / 255, is_srgb);
    for (uint32_t i = 0; i < 255; ++i)
        t->thresholds[i] = linear_of(((double)i + 0.5) / 255, is_srgb);
}

static uint8_t byte_of_color(const ct_worker_texels *t, float linear) {
    uint32_t first = 0, last = 255;
    while (first < last) {
        const uint32_t middle = (first + last) / 2;
        if (linear >= t->thresholds[middle])
            first = middle + 1;
        else
            last = middle;
    }
    return (uint8_t)first;
}

static uint8_t byte_of_number(float value) {
    return (uint8_t)(fminf(fmaxf(value, 0.0f), 1.0f) * 255.0f + 0.5f);
}

// To unit length; one without a direction points out of the surface.
static void normalize(float n[3]) {
    const float length = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    if (length < 1e-3f) {
        n[0] = n[1] = 0.0f;
        n[2] = 1.0f;
        return;
    }
    for (uint32_t c = 0; c < 3; ++c)
        n[c] /= length;
}

static void read_pixel(const ct_worker_texels *t, const uint8_t *bytes, float *out) {
    out[3] = (float)bytes[3] / 255.0f;
    for (uint32_t c = 0; c < 3; ++c)
        out[c] = t->to_linear[bytes[c]];
    for (uint32_t c = 0; c < 3 && t->is_normal; ++c)
        out[c] = out[c] * 2.0f - 1.0f;
    if (t->is_normal)
        normalize(out);
    for (uint32_t c = 0; c < 3 && t->is_premultiplied; ++c)
        out[c] *= out[3];
}

static void read_row(const ct_worker_level *l, const ct_worker_texels *t, uint32_t y, float *out) {
    const uint64_t count = (uint64_t)l->width * CHANNELS;
    if (l->floats) {
        memcpy(out, l->floats + y * count, count * sizeof(float));
        return;
    }
    for (uint64_t i = 0; i < count; i += CHANNELS)
        read_pixel(t, l->bytes + y * count + i, out + i);
}

static void write_pixel(const ct_worker_texels *t, const float *pixel, uint8_t *out) {
    float n[3] = {pixel[0], pixel[1], pixel[2]};
    if (t->is_normal)
        normalize(n);
    for (uint32_t c = 0; c < 3; ++c)
        out[c] = t->is_normal ? byte_of_number(n[c] * 0.5f + 0.5f) : byte_of_color(t, n[c]);
    out[3] = byte_of_number(pixel[3]);
}

void ct_worker_level_row(const ct_worker_level *l, const ct_worker_texels *t, uint32_t y,
                         float *row, uint8_t *bytes) {
    const uint64_t count = (uint64_t)l->width * CHANNELS;
    if (l->bytes && !t->is_normal && !t->is_premultiplied) {
        memcpy(bytes, l->bytes + y * count, count);
        return;
    }
    read_row(l, t, y, row);
    for (uint64_t i = 0; i < count; i += CHANNELS)
        write_pixel(t, row + i, bytes + i);
}

// --- Averaging -----------------------------------------------------------------------------------

// How much of pixel `j` of `old_size` lies in pixel `i` of `new_size`, as a share of the latter.
static float coverage(uint32_t i, uint32_t new_size, uint32_t j, uint32_t old_size) {
    const uint64_t begin = (uint64_t)i * old_size, end = begin + old_size;
    const uint64_t pixel_begin = (uint64_t)j * new_size, pixel_end = pixel_begin + new_size;
    const uint64_t from = begin > pixel_begin ? begin : pixel_begin;
    const uint64_t to = end < pixel_end ? end : pixel_end;
    return (float)(to - from) / (float)old_size;
}

// The first pixel of `old_size` that pixel `i` of `new_size` covers, and the one after the last.
static void covered(uint32_t i, uint32_t new_size, uint32_t old_size, uint32_t *first,
                    uint32_t *end) {
    *first = (uint32_t)((uint64_t)i * old_size / new_size);
    *end = (uint32_t)((((uint64_t)i + 1) * old_size + new_size - 1) / new_size);
}

static void narrow_row(const float *row, uint32_t old_width, float *out, uint32_t new_width) {
    for (uint32_t x = 0; x < new_width; ++x) {
        uint32_t first, end;
        covered(x, new_width, old_width, &first, &end);
        float sum[CHANNELS] = {0};
        for (uint32_t j = first; j < end; ++j) {
            const float weight = coverage(x, new_width, j, old_width);
            for (uint32_t c = 0; c < CHANNELS; ++c)
                sum[c] += weight * row[(uint64_t)j * CHANNELS + c];
        }
        for (uint32_t c = 0; c < CHANNELS; ++c)
            out[(uint64_t)x * CHANNELS + c] = sum[c];
    }
}

ct_worker_level ct_worker_level_half(ct_allocator *a, const ct_worker_level *source,
                                     const ct_worker_texels *t) {
    ct_worker_level l = {.width = ct_texture_half_size(source->width),
                         .height = ct_texture_half_size(source->height)};
    l.floats = ct_alloc(a, (uint64_t)l.width * l.height * CHANNELS * sizeof(float));
    const uint64_t row_floats = (uint64_t)source->width * CHANNELS;
    float *row = ct_alloc(a, 2 * row_floats * sizeof(float)), *sum = row + row_floats;
    for (uint32_t y = 0; y < l.height; ++y) {
        uint32_t first, end;
        covered(y, l.height, source->height, &first, &end);
        memset(sum, 0, row_floats * sizeof(float));
        for (uint32_t j = first; j < end; ++j) {
            const float weight = coverage(y, l.height, j, source->height);
            read_row(source, t, j, row);
            for (uint64_t i = 0; i < row_floats; ++i)
                sum[i] += weight * row[i];
        }
        narrow_row(sum, source->width, l.floats + (uint64_t)y * l.width * CHANNELS, l.width);
    }
    ct_free(a, row);
    return l;
}
