#include <string.h>

#include "app/png_writer.h"
#include "embed/embed_private.h"
#include "foundation/memory/memory.h"

void ct_embed_picture_init(ct_embed_picture *p) {
    *p = (ct_embed_picture){0};
    ct_mutex_init(&p->lock);
}

static uint64_t bytes_of(uint32_t width, uint32_t height) {
    return (uint64_t)width * height * 4;
}

void ct_embed_picture_free(ct_embed_picture *p) {
    ct_free_sized(ct_memory_heap(), p->pixels, bytes_of(p->width, p->height));
    ct_mutex_shutdown(&p->lock);
}

// On the render thread.
static void take(void *user, const uint8_t *pixels, uint32_t width, uint32_t height) {
    ct_embed_picture *const p = user;
    ct_mutex_lock(&p->lock);
    p->is_empty = !pixels;
    if (pixels) {
        const uint64_t bytes = bytes_of(width, height);
        p->pixels = ct_realloc(ct_memory_heap(), p->pixels, bytes_of(p->width, p->height), bytes);
        memcpy(p->pixels, pixels, bytes);
        p->width = width;
        p->height = height;
    }
    ct_mutex_unlock(&p->lock);
}

void ct_embed_picture_request(cuttle_engine *engine) {
    ct_renderer_screenshot(ct_app_renderer(engine->app), take, &engine->picture);
}

// Waits for the last picture. Between two frames no other is on its way.
static bool wait_for_picture(cuttle_engine *engine, ct_error *error) {
    ct_renderer_flush(ct_app_renderer(engine->app));
    if (engine->picture.is_empty)
        return ct_error_set(error, "the last frame drew nothing");
    return engine->picture.pixels ||
           ct_error_set(error, "no picture is kept; set keeps_pictures in the desc, or call "
                               "cuttle_engine_keep_pictures before a step");
}

bool cuttle_engine_keep_pictures(cuttle_engine *engine, bool keeps_pictures,
                                 cuttle_engine_error *error) {
    if (!ct_embed_begin_call(engine, error))
        return false;
    engine->keeps_pictures = keeps_pictures;
    return ct_embed_end_call(engine, true, NULL, error);
}

bool cuttle_engine_picture_size(cuttle_engine *engine, uint32_t *width, uint32_t *height,
                                cuttle_engine_error *error) {
    if (!ct_embed_begin_call(engine, error))
        return false;
    ct_error found = {0};
    const bool is_done = width && height
                             ? wait_for_picture(engine, &found)
                             : ct_error_set(&found, "width and height must not be NULL");
    if (is_done) {
        *width = engine->picture.width;
        *height = engine->picture.height;
    }
    return ct_embed_end_call(engine, is_done, &found, error);
}

static bool copy(cuttle_engine *engine, void *pixels, size_t bytes, ct_error *error) {
    if (!pixels)
        return ct_error_set(error, "pixels is NULL; expected memory for the picture");
    if (!wait_for_picture(engine, error))
        return false;
    const ct_embed_picture *const p = &engine->picture;
    const uint64_t needed = bytes_of(p->width, p->height);
    if (bytes < needed)
        return ct_error_set(error,
                            "pixels has %zu bytes; expected at least %llu, for %u x %u pixels",
                            bytes, (unsigned long long)needed, p->width, p->height);
    memcpy(pixels, p->pixels, needed);
    return true;
}

bool cuttle_engine_pixels(cuttle_engine *engine, void *pixels, size_t bytes,
                          cuttle_engine_error *error) {
    if (!ct_embed_begin_call(engine, error))
        return false;
    ct_error found = {0};
    const bool is_done = copy(engine, pixels, bytes, &found);
    return ct_embed_end_call(engine, is_done, &found, error);
}

static bool write_png(cuttle_engine *engine, const char *path, ct_error *error) {
    const ct_embed_picture *const p = &engine->picture;
    if (!path)
        return ct_error_set(error, "path is NULL; expected the name of a file");
    ct_error why = {0};
    if (!wait_for_picture(engine, &why) ||
        !ct_png_write(path, p->pixels, p->width, p->height, &why))
        return ct_error_set(error, "cannot write the picture \"%.255s\": %.700s", path,
                            why.message);
    return true;
}

bool cuttle_engine_write_png(cuttle_engine *engine, const char *path, cuttle_engine_error *error) {
    if (!ct_embed_begin_call(engine, error))
        return false;
    ct_error found = {0};
    const bool is_done = write_png(engine, path, &found);
    return ct_embed_end_call(engine, is_done, &found, error);
}

static bool resize(cuttle_engine *engine, uint32_t width, uint32_t height, ct_error *error) {
    return ct_embed_check_size(width, height, error) &&
           (ct_app_set_resolution(engine->app, width, height) ||
            ct_error_set(error, "the window is minimized or full screen: its size stays"));
}

bool cuttle_engine_resize(cuttle_engine *engine, uint32_t width, uint32_t height,
                          cuttle_engine_error *error) {
    if (!ct_embed_begin_call(engine, error))
        return false;
    ct_error found = {0};
    const bool is_done = resize(engine, width, height, &found);
    return ct_embed_end_call(engine, is_done, &found, error);
}
