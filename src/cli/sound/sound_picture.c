#include "cli/sound/sound_picture.h"

#include "app/png_writer.h"
#include "foundation/memory/allocator.h"

enum {
    COLUMN_PIXELS = 2,
    WIDTH = CT_SOUND_WAVEFORM_COLUMNS * COLUMN_PIXELS,
    HEIGHT = 256,
    MIDDLE = HEIGHT / 2,
    FULL_SCALE = 127, // of the waveform, and pixels from the middle
};

typedef struct color {
    uint8_t red, green, blue;
} color;

static const color background = {24, 26, 31}, axis = {60, 64, 72}, wave = {92, 160, 232},
                   loud = {232, 84, 72}, loop = {236, 200, 72};

static void draw(uint8_t *pixels, int32_t x, int32_t from_y, int32_t to_y, color c) {
    for (int32_t y = from_y; y <= to_y; ++y) {
        uint8_t *const p = pixels + ((uint64_t)y * WIDTH + (uint64_t)x) * 4;
        p[0] = c.red;
        p[1] = c.green;
        p[2] = c.blue;
        p[3] = 255;
    }
}

static void draw_wave(uint8_t *pixels, const ct_sound_resource *sound) {
    const int8_t *const columns = ct_blob_at(sound, sound->waveform.offset);
    for (int32_t x = 0; x < WIDTH; ++x) {
        const int32_t lowest = columns[x / COLUMN_PIXELS * 2];
        const int32_t highest = columns[x / COLUMN_PIXELS * 2 + 1];
        const bool is_loud = highest >= FULL_SCALE || lowest <= -FULL_SCALE;
        draw(pixels, x, MIDDLE - highest, MIDDLE - (lowest < -FULL_SCALE ? -FULL_SCALE : lowest),
             is_loud ? loud : wave);
    }
}

static void draw_loop_end(uint8_t *pixels, const ct_sound_resource *sound, uint32_t frame) {
    const int32_t x = (int32_t)((uint64_t)frame * (WIDTH - 1) / sound->num_frames);
    draw(pixels, x, 0, HEIGHT - 1, loop);
}

bool ct_sound_picture_write(ct_allocator *scratch, const ct_sound_resource *sound, const char *path,
                            ct_error *error) {
    uint8_t *const pixels = ct_alloc(scratch, 4ull * WIDTH * HEIGHT);
    for (int32_t x = 0; x < WIDTH; ++x) {
        draw(pixels, x, 0, HEIGHT - 1, background);
        draw(pixels, x, MIDDLE, MIDDLE, axis);
        draw(pixels, x, MIDDLE - FULL_SCALE, MIDDLE - FULL_SCALE, axis);
        draw(pixels, x, MIDDLE + FULL_SCALE, MIDDLE + FULL_SCALE, axis);
    }
    draw_wave(pixels, sound);
    if (sound->flags & CT_SOUND_LOOPS) {
        draw_loop_end(pixels, sound, sound->loop_begin);
        draw_loop_end(pixels, sound, sound->loop_end);
    }
    const bool is_written = ct_png_write(path, pixels, WIDTH, HEIGHT, error);
    ct_free(scratch, pixels);
    return is_written;
}
