// console_screenshot.h: the console's `screenshot` command: answers with an image of the frame.
//
// The answer comes after the message was handled. The render thread draws the frame, encodes the
// image and finishes the screenshot. The server takes it at a later frame boundary and sends it, if
// its client is still connected. Update thread.
#pragma once
#include "dev/console_commands.h"
#include "foundation/container/array.h"

typedef struct ct_console_screenshots ct_console_screenshots;

// An answer: a message to a client. With a picture `json` has the `binary_size` of `png`; with an
// error `png` is empty.
typedef struct ct_console_screenshot {
    ct_console_client_id client;
    ct_string_builder json;
    ct_byte_array png;
} ct_console_screenshot;

// Makes an empty list, with memory from `a`, which must be safe from any thread.
ct_console_screenshots *ct_console_screenshots_create(ct_allocator *a);

// Frees the list and the screenshots that were not taken. Call it once the renderer has drawn or
// refused all of them; destroying the renderer ensures that.
void ct_console_screenshots_destroy(ct_console_screenshots *s);

// Requests a screenshot of the frame being recorded for the target's client; the list answers
// later. The message must have an `id`. A client can have at most 4 pending screenshots. A
// ct_console_run function.
bool ct_console_run_screenshot(ct_console_target *target, uint32_t num_arguments,
                               const char *const *arguments, ct_string_builder *result,
                               ct_error *error);

// Moves a finished screenshot to `screenshot`; the caller frees its arrays with
// ct_console_screenshot_free. Returns false when no screenshot is finished.
bool ct_console_screenshots_take(ct_console_screenshots *s, ct_console_screenshot *screenshot);

// Frees a screenshot from ct_console_screenshots_take.
void ct_console_screenshot_free(ct_console_screenshot *screenshot);
