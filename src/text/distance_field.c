#include "text/distance_field.h"

#include <math.h>

#include "foundation/error.h"
#include "foundation/memory/allocator.h"
#include "text/distance_contour.h"

enum { ROWS_AT_ONCE = 16 }; // a row of columns that are transposed: one line of the cache

// The distance to the nearest crossing exceeds that to the edge by at most 1 / (4 * distance): a
// segment is no longer than the diagonal of a cell. Where that is more than this part of a target
// pixel, the segments are looked at.
static const float most_error = 0.03f;

typedef struct field {
    ct_allocator *allocator;
    ct_distance_contour contour;
    uint32_t width, height, scale, spread;
    uint32_t columns, rows; // of the target
    float first;            // where the first sample lies in a row or column
    float limit;            // squared distances of more are not needed
    float *out;             // rows * columns: squared distances to crossings, then the result
    // Of the envelope; as many as a line has elements.
    uint32_t *parabolas;
    float *borders;
} field;

static float sample_at(const field *f, uint32_t i) {
    return f->first + (float)(f->scale * i);
}

// --- Envelopes -----------------------------------------------------------------------------------

// Where the parabolas of two elements of a line meet; `q` comes after `v`.
static float border_of(const float *line, uint32_t v, uint32_t q) {
    return 0.5f * ((float)(q + v) + (line[q] - line[v]) / (float)(q - v));
}

// The lower envelope of parabolas over the elements of a line that are not infinite. Returns how
// many are part of it.
static uint32_t make_envelope(field *f, const float *line, uint32_t count) {
    uint32_t *const parabolas = f->parabolas;
    float *const borders = f->borders;
    uint32_t num = 0;
    for (uint32_t q = 0; q < count; ++q) {
        if (line[q] == INFINITY)
            continue;
        float border = -INFINITY;
        while (num > 0) {
            border = border_of(line, parabolas[num - 1], q);
            if (border > borders[num - 1])
                break;
            --num;
        }
        parabolas[num] = q;
        borders[num++] = border;
    }
    return num;
}

// Lowers `out`, whose elements are `stride` apart, to the envelope of a line at each sample.
static void lower_to_envelope(field *f, const float *line, uint32_t count, float *out,
                              uint32_t num_out, uint64_t stride) {
    const uint32_t num = make_envelope(f, line, count);
    if (num == 0)
        return;
    for (uint32_t i = 0, k = 0; i < num_out; ++i) {
        const float at = sample_at(f, i);
        while (k + 1 < num && f->borders[k + 1] < at)
            ++k;
        const float away = at - (float)f->parabolas[k];
        const float squared = away * away + line[f->parabolas[k]];
        if (squared < out[i * stride])
            out[i * stride] = squared;
    }
}

// --- Crossings between rows ----------------------------------------------------------------------

// Notes in `last` where the edge crosses the columns between row `y` and the next one.
static void note_crossings(const field *f, int32_t y, float *last) {
    const ct_distance_contour *const c = &f->contour;
    const uint64_t *const top = ct_distance_contour_row(c, y);
    const uint64_t *const bottom = top + c->row_words;
    for (uint32_t k = 0; k < c->row_words; ++k) {
        for (uint64_t differ = top[k] ^ bottom[k]; differ; differ &= differ - 1) {
            const int32_t x = (int32_t)(k * 64) + __builtin_ctzll(differ) - 1;
            last[x] = (float)y + ct_distance_contour_crossing(c, x, y, true);
        }
    }
}

// Sets each element of a line, or lowers it, to the squared distance of `at` to `last`.
static void set_line(const field *f, const float *last, float at, float *line) {
    for (uint32_t x = 0; x < f->width; ++x) {
        const float squared = (at - last[x]) * (at - last[x]);
        line[x] = squared <= f->limit ? squared : INFINITY;
    }
}

static void lower_line(const field *f, const float *last, float at, float *line) {
    for (uint32_t x = 0; x < f->width; ++x) {
        const float squared = (at - last[x]) * (at - last[x]);
        line[x] = squared <= f->limit && squared < line[x] ? squared : line[x];
    }
}

static void fill(float *values, uint64_t count, float value) {
    for (uint64_t i = 0; i < count; ++i)
        values[i] = value;
}

// Lowers the result to the distances to crossings of columns. A crossing between the two rows
// beside a sample is nearer than any below, so that the way up may find it last.
static void take_columns(field *f) {
    float *const lines = ct_alloc(f->allocator, sizeof(float) * f->rows * (uint64_t)f->width);
    float *const last = ct_alloc(f->allocator, sizeof(float) * f->width);
    fill(last, f->width, -INFINITY);
    int32_t y = -1;
    for (uint32_t i = 0; i < f->rows; ++i) {
        const float at = sample_at(f, i);
        for (; y < (int32_t)f->height && (float)(y + 1) <= at; ++y)
            note_crossings(f, y, last);
        set_line(f, last, at, lines + (uint64_t)i * f->width);
    }
    fill(last, f->width, INFINITY);
    y = (int32_t)f->height - 1;
    for (uint32_t i = f->rows; i-- > 0;) {
        const float at = sample_at(f, i);
        float *const line = lines + (uint64_t)i * f->width;
        for (; y >= -1 && y >= (int32_t)floorf(at); --y)
            note_crossings(f, y, last);
        lower_line(f, last, at, line);
        lower_to_envelope(f, line, f->width, f->out + (uint64_t)i * f->columns, f->columns, 1);
    }
    ct_free(f->allocator, last);
    ct_free(f->allocator, lines);
}

// --- Crossings in rows ---------------------------------------------------------------------------

// Writes where the edge crosses row `y`, from the left. Returns how often.
static uint32_t list_crossings(const field *f, int32_t y, float *places) {
    const ct_distance_contour *const c = &f->contour;
    const uint64_t *const row = ct_distance_contour_row(c, y);
    uint32_t count = 0;
    for (uint32_t k = 0; k + 1 < c->row_words; ++k) {
        for (uint64_t differ = row[k] ^ (row[k] >> 1 | row[k + 1] << 63); differ;
             differ &= differ - 1) {
            const int32_t x = (int32_t)(k * 64) + __builtin_ctzll(differ) - 1;
            places[count++] = (float)x + ct_distance_contour_crossing(c, x, y, false);
        }
    }
    return count;
}

// Sets the squared distance of each sampled column to the nearest of sorted places.
static void set_nearest(const field *f, const float *places, uint32_t count, float *nearest) {
    for (uint32_t i = 0, k = 0; i < f->columns; ++i) {
        const float at = sample_at(f, i);
        if (count == 0) {
            nearest[i] = INFINITY;
            continue;
        }
        while (k + 1 < count && fabsf(places[k + 1] - at) <= fabsf(places[k] - at))
            ++k;
        const float squared = (places[k] - at) * (places[k] - at);
        nearest[i] = squared <= f->limit ? squared : INFINITY;
    }
}

// Lowers the result to the distances to crossings of rows. A line is a sampled column.
static void take_rows(field *f) {
    ct_allocator *const a = f->allocator;
    float *const lines = ct_alloc(a, sizeof(float) * f->columns * (uint64_t)f->height);
    float *const places = ct_alloc(a, sizeof(float) * (f->width + 1ull));
    float *const block = ct_alloc(a, sizeof(float) * ROWS_AT_ONCE * f->columns);
    for (uint32_t y = 0; y < f->height; y += ROWS_AT_ONCE) {
        const uint32_t num = f->height - y < ROWS_AT_ONCE ? f->height - y : ROWS_AT_ONCE;
        for (uint32_t k = 0; k < num; ++k)
            set_nearest(f, places, list_crossings(f, (int32_t)(y + k), places),
                        block + k * f->columns);
        for (uint32_t i = 0; i < f->columns; ++i) {
            float *const line = lines + (uint64_t)i * f->height + y;
            for (uint32_t k = 0; k < num; ++k)
                line[k] = block[k * f->columns + i];
        }
    }
    for (uint32_t i = 0; i < f->columns; ++i)
        lower_to_envelope(f, lines + (uint64_t)i * f->height, f->height, f->out + i, f->rows,
                          f->columns);
    ct_free(a, block);
    ct_free(a, places);
    ct_free(a, lines);
}

// --- The field -----------------------------------------------------------------------------------

// Turns squared distances to crossings into signed distances to the edge, in target pixels.
static void finish(field *f) {
    const float scale = (float)f->scale, farthest = (float)f->spread + 1;
    const float near = fmaxf(2, 0.25f / (most_error * scale));
    for (uint32_t row = 0; row < f->rows; ++row) {
        const float y = sample_at(f, row);
        float *const out = f->out + (uint64_t)row * f->columns;
        for (uint32_t column = 0; column < f->columns; ++column) {
            const float x = sample_at(f, column);
            float squared = out[column];
            if (squared <= near * near)
                squared = ct_distance_contour_nearest(&f->contour, x, y, squared);
            const float distance = fminf(sqrtf(squared) / scale, farthest);
            out[column] = ct_distance_contour_is_inside(&f->contour, x, y) ? distance : -distance;
        }
    }
}

void ct_distance_field_float(ct_allocator *a, const uint8_t *coverage, uint32_t width,
                             uint32_t height, uint32_t scale, uint32_t spread, float *target) {
    CT_ASSERT(width >= 1 && height >= 1 && width <= CT_DISTANCE_FIELD_MAX_SIZE &&
                  height <= CT_DISTANCE_FIELD_MAX_SIZE,
              "%u x %u pixels", width, height);
    CT_ASSERT(scale >= 1 && scale <= CT_DISTANCE_FIELD_MAX_SCALE && spread >= 1 &&
                  spread <= CT_DISTANCE_FIELD_MAX_SPREAD,
              "scale %u, spread %u", scale, spread);
    const float reach = (float)(scale * (spread + 1) + 1);
    const uint32_t longest = width > height ? width : height;
    field f = {.allocator = a,
               .width = width,
               .height = height,
               .scale = scale,
               .spread = spread,
               .columns = ct_distance_field_size(width, scale),
               .rows = ct_distance_field_size(height, scale),
               .first = (float)(scale - 1) * 0.5f,
               .limit = reach * reach,
               .out = target,
               .parabolas = ct_alloc(a, sizeof(uint32_t) * longest),
               .borders = ct_alloc(a, sizeof(float) * longest)};
    ct_distance_contour_init(&f.contour, a, coverage, width, height);
    fill(target, (uint64_t)f.rows * f.columns, INFINITY);
    take_columns(&f);
    take_rows(&f);
    finish(&f);
    ct_distance_contour_shutdown(&f.contour);
    ct_free(a, f.borders);
    ct_free(a, f.parabolas);
}

void ct_distance_field(ct_allocator *a, const uint8_t *coverage, uint32_t width, uint32_t height,
                       uint32_t scale, uint32_t spread, uint8_t *target) {
    const uint64_t count =
        (uint64_t)ct_distance_field_size(width, scale) * ct_distance_field_size(height, scale);
    float *const distances = ct_alloc(a, sizeof(float) * count);
    ct_distance_field_float(a, coverage, width, height, scale, spread, distances);
    const float step = (CT_DISTANCE_FIELD_EDGE - 1) / (float)spread;
    for (uint64_t i = 0; i < count; ++i) {
        const float value = CT_DISTANCE_FIELD_EDGE + 0.5f + distances[i] * step;
        target[i] = (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
    }
    ct_free(a, distances);
}
