#include "gui/gui_glyph_service.h"

#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/os/os.h"

// A font that the thread has opened.
typedef struct open_font {
    uint32_t font;
    ct_glyph_raster *raster; // NULL: it cannot be read
    ct_error error;          // why
} open_font;

struct ct_gui_glyph_service {
    ct_allocator *allocator;
    ct_thread thread;
    bool has_thread;
    ct_mutex mutex; // of all below
    ct_condition changed;
    CT_ARRAY(ct_gui_glyph_request) requests; // from `first_request` on, oldest first
    uint32_t first_request;
    CT_ARRAY(ct_gui_glyph_result) results; // from `first_result` on, oldest first
    uint32_t first_result;
    uint32_t current; // font that is being opened or rasterised; 0: the thread does neither
    bool is_ending;
    // The rasterisers are the thread's own. The update thread removes those of fonts other than
    // `current`.
    CT_ARRAY(open_font) fonts;
};

ct_gui_glyph_service *ct_gui_glyph_service_create(ct_allocator *a) {
    ct_gui_glyph_service *const s = CT_NEW(a, ct_gui_glyph_service);
    s->allocator = a;
    ct_mutex_init(&s->mutex);
    ct_condition_init(&s->changed);
    ct_array_init(&s->requests, a);
    ct_array_init(&s->results, a);
    ct_array_init(&s->fonts, a);
    return s;
}

// --- The thread ----------------------------------------------------------------------------------

// Copies what is known of a font. Returns false when the thread has not opened it yet. Call it with
// the mutex.
static bool find_font(const ct_gui_glyph_service *s, uint32_t font, open_font *found) {
    for (uint32_t i = 0; i < s->fonts.count; ++i)
        if (s->fonts.items[i].font == font) {
            *found = s->fonts.items[i];
            return true;
        }
    return false;
}

// Opens the font of a request. Takes milliseconds: call it without the mutex.
static open_font open_font_of(ct_gui_glyph_service *s, const ct_gui_glyph_request *request) {
    open_font font = {.font = request->font};
    font.raster = ct_glyph_raster_create(s->allocator, request->outlines, request->num_bytes,
                                         request->face_index, &font.error);
    return font;
}

static ct_gui_glyph_result rasterise(ct_gui_glyph_service *s, ct_glyph_raster *raster,
                                     const ct_gui_glyph_request *request, ct_error *error) {
    ct_gui_glyph_result result = {.font = request->font, .glyph = request->glyph};
    ct_byte_array pixels;
    ct_array_init(&pixels, s->allocator);
    result.has_failed =
        !raster || !ct_glyph_raster_draw(raster, request->glyph, request->size, request->spread,
                                         &pixels, &result.picture, error);
    if (result.has_failed) {
        snprintf(result.reason, sizeof(result.reason), "%.199s", error->message);
        result.picture = (ct_glyph_picture){0};
    } else if (pixels.count) {
        result.num_bytes = pixels.count;
        result.pixels = ct_alloc(s->allocator, pixels.count);
        memcpy(result.pixels, pixels.items, pixels.count);
    }
    ct_array_free(&pixels);
    return result;
}

static void run(void *data) {
    ct_gui_glyph_service *const s = data;
    ct_mutex_lock(&s->mutex);
    while (!s->is_ending) {
        if (s->first_request == s->requests.count) {
            ct_condition_wait(&s->changed, &s->mutex);
            continue;
        }
        const ct_gui_glyph_request request = s->requests.items[s->first_request++];
        s->current = request.font;
        open_font font = {0};
        const bool is_open = find_font(s, request.font, &font);
        ct_mutex_unlock(&s->mutex);
        if (!is_open)
            font = open_font_of(s, &request);
        ct_error error = font.error;
        const ct_gui_glyph_result result = rasterise(s, font.raster, &request, &error);
        ct_mutex_lock(&s->mutex);
        if (!is_open)
            ct_array_push(&s->fonts, font);
        s->current = 0;
        ct_array_push(&s->results, result);
        ct_condition_broadcast(&s->changed);
    }
    ct_mutex_unlock(&s->mutex);
}

// --- The update thread ---------------------------------------------------------------------------

void ct_gui_glyph_service_free(ct_gui_glyph_service *s, ct_gui_glyph_result *result) {
    ct_free_sized(s->allocator, result->pixels, result->num_bytes);
    *result = (ct_gui_glyph_result){0};
}

void ct_gui_glyph_service_destroy(ct_gui_glyph_service *s) {
    if (s->has_thread) {
        ct_mutex_lock(&s->mutex);
        s->is_ending = true;
        ct_condition_broadcast(&s->changed);
        ct_mutex_unlock(&s->mutex);
        ct_thread_join(s->thread);
    }
    for (uint32_t i = 0; i < s->fonts.count; ++i)
        ct_glyph_raster_destroy(s->fonts.items[i].raster);
    for (uint32_t i = s->first_result; i < s->results.count; ++i)
        ct_gui_glyph_service_free(s, &s->results.items[i]);
    ct_array_free(&s->fonts);
    ct_array_free(&s->results);
    ct_array_free(&s->requests);
    ct_condition_shutdown(&s->changed);
    ct_mutex_shutdown(&s->mutex);
    ct_free_sized(s->allocator, s, sizeof(*s));
}

void ct_gui_glyph_service_request(ct_gui_glyph_service *s, const ct_gui_glyph_request *request) {
    ct_mutex_lock(&s->mutex);
    if (s->first_request == s->requests.count)
        s->first_request = s->requests.count = 0;
    ct_array_push(&s->requests, *request);
    ct_condition_broadcast(&s->changed);
    ct_mutex_unlock(&s->mutex);
    if (!s->has_thread)
        s->thread = ct_thread_start("glyphs", run, s);
    s->has_thread = true;
}

bool ct_gui_glyph_service_take(ct_gui_glyph_service *s, ct_gui_glyph_result *result) {
    if (!s->has_thread)
        return false;
    ct_mutex_lock(&s->mutex);
    const bool has_result = s->first_result < s->results.count;
    if (has_result)
        *result = s->results.items[s->first_result++];
    if (s->first_result == s->results.count)
        s->first_result = s->results.count = 0;
    ct_mutex_unlock(&s->mutex);
    return has_result;
}

static void forget_requests(ct_gui_glyph_service *s, uint32_t font) {
    uint32_t kept = 0;
    for (uint32_t i = s->first_request; i < s->requests.count; ++i)
        if (s->requests.items[i].font != font)
            s->requests.items[kept++] = s->requests.items[i];
    s->first_request = 0;
    s->requests.count = kept;
}

static void forget_results(ct_gui_glyph_service *s, uint32_t font) {
    uint32_t kept = 0;
    for (uint32_t i = s->first_result; i < s->results.count; ++i) {
        if (s->results.items[i].font == font)
            ct_gui_glyph_service_free(s, &s->results.items[i]);
        else
            s->results.items[kept++] = s->results.items[i];
    }
    s->first_result = 0;
    s->results.count = kept;
}

void ct_gui_glyph_service_forget(ct_gui_glyph_service *s, uint32_t font) {
    ct_mutex_lock(&s->mutex);
    forget_requests(s, font);
    while (s->current == font)
        ct_condition_wait(&s->changed, &s->mutex);
    forget_results(s, font);
    for (uint32_t i = s->fonts.count; i-- > 0;)
        if (s->fonts.items[i].font == font) {
            ct_glyph_raster_destroy(s->fonts.items[i].raster);
            ct_array_swap_erase(&s->fonts, i);
        }
    ct_mutex_unlock(&s->mutex);
}

void ct_gui_glyph_service_wait(ct_gui_glyph_service *s) {
    ct_mutex_lock(&s->mutex);
    while (s->first_request < s->requests.count || s->current)
        ct_condition_wait(&s->changed, &s->mutex);
    ct_mutex_unlock(&s->mutex);
}
