#include "dev/console_screenshot.h"

#include <stdatomic.h>

#include "app/png_writer.h"
#include "foundation/error.h"
#include "foundation/sjson/sjson_writer.h"

enum {
    MAX_OF_A_CLIENT = 4,
    MAX_PNG_BYTES = 32 << 20, // of one answer
};

// A screenshot on its way. The render thread has it from the request until `is_ended`.
typedef struct pending {
    ct_console_screenshot screenshot; // `json` has no end yet
    ct_sjson_writer w;                // of `json`
    atomic_bool is_ended;
} pending;

struct ct_console_screenshots {
    ct_allocator *allocator;
    CT_ARRAY(pending *) list; // in the order of the requests
};

ct_console_screenshots *ct_console_screenshots_create(ct_allocator *a) {
    ct_console_screenshots *const s = CT_NEW(a, ct_console_screenshots);
    s->allocator = a;
    ct_array_init(&s->list, a);
    return s;
}

void ct_console_screenshots_destroy(ct_console_screenshots *s) {
    ct_console_screenshot screenshot;
    while (ct_console_screenshots_take(s, &screenshot))
        ct_console_screenshot_free(&screenshot);
    CT_ASSERT(s->list.count == 0, "the renderer still has %u screenshots", s->list.count);
    ct_array_free(&s->list);
    ct_free_sized(s->allocator, s, sizeof(*s));
}

// --- The render thread ---------------------------------------------------------------------------

static bool encode(pending *p, const uint8_t *pixels, uint32_t width, uint32_t height,
                   ct_error *error) {
    ct_byte_array *const png = &p->screenshot.png;
    if (!pixels)
        return ct_error_set(error, "no screenshot: the frame drew nothing, or the graphics "
                                   "device was lost");
    if (!ct_png_encode(pixels, width, height, png, error))
        return false;
    return png->count <= MAX_PNG_BYTES ||
           ct_error_set(error,
                        "the screenshot of %u x %u pixels has %u bytes as PNG, more than %d; "
                        "make the window smaller",
                        width, height, png->count, (int)MAX_PNG_BYTES);
}

static void end(void *user, const uint8_t *pixels, uint32_t width, uint32_t height) {
    pending *const p = user;
    ct_error error = {0};
    if (encode(p, pixels, width, height, &error)) {
        char text[64];
        snprintf(text, sizeof(text), "screenshot of %u x %u pixels", width, height);
        ct_sjson_member_string(&p->w, "result", text);
        ct_sjson_member_string(&p->w, "file_type", "png");
        ct_sjson_member_number(&p->w, "binary_size", p->screenshot.png.count);
    } else {
        ct_array_free(&p->screenshot.png);
        ct_sjson_member_string(&p->w, "error", error.message);
    }
    ct_sjson_end_object(&p->w);
    atomic_store(&p->is_ended, true);
}

// --- The update thread ---------------------------------------------------------------------------

static uint32_t num_of_client(const ct_console_screenshots *s, ct_console_client_id client) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->list.count; ++i)
        count += s->list.items[i]->screenshot.client.value == client.value;
    return count;
}

// Writes the answer up to the request's id.
static void begin_answer(pending *p, const ct_console_target *target) {
    ct_sjson_writer_init(&p->w, &p->screenshot.json, CT_SJSON_STYLE_JSON);
    ct_sjson_begin_object(&p->w);
    ct_sjson_member_string(&p->w, "type", "result");
    ct_sjson_write_key(&p->w, "id");
    ct_sjson_write_value(&p->w, target->message, target->id);
}

bool ct_console_run_screenshot(ct_console_target *target, uint32_t num_arguments,
                               const char *const *arguments, ct_string_builder *result,
                               ct_error *error) {
    (void)result;
    ct_console_screenshots *const s = target->screenshots;
    if (num_arguments != 0)
        return ct_error_set(
            error,
            "the file \"%.255s\" is not allowed here: the answer holds the screenshot, "
            "and the client writes it",
            arguments[0]);
    if (!s)
        return ct_error_set(error, "screenshots are for connections of the console; the program "
                                   "that runs the engine has the picture");
    if (target->id.entry == 0)
        return ct_error_set(error, "the answer holds the screenshot: add an \"id\" to the message");
    if (num_of_client(s, target->client) == MAX_OF_A_CLIENT)
        return ct_error_set(error,
                            "%d screenshots for this connection are not finished; wait for them",
                            (int)MAX_OF_A_CLIENT);
    pending *const p = CT_NEW(s->allocator, pending);
    p->screenshot.client = target->client;
    ct_string_builder_init(&p->screenshot.json, s->allocator);
    ct_array_init(&p->screenshot.png, s->allocator);
    begin_answer(p, target);
    ct_array_push(&s->list, p);
    ct_renderer_screenshot(ct_app_renderer(target->app), end, p);
    target->answers_later = true;
    return true;
}

bool ct_console_screenshots_take(ct_console_screenshots *s, ct_console_screenshot *screenshot) {
    for (uint32_t i = 0; i < s->list.count; ++i) {
        pending *const p = s->list.items[i];
        if (!atomic_load(&p->is_ended))
            continue;
        *screenshot = p->screenshot;
        ct_array_erase(&s->list, i, 1);
        ct_free_sized(s->allocator, p, sizeof(*p));
        return true;
    }
    return false;
}

void ct_console_screenshot_free(ct_console_screenshot *screenshot) {
    ct_string_builder_free(&screenshot->json);
    ct_array_free(&screenshot->png);
}
