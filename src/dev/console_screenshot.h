// console_screenshot.h: the console's `screenshot` command: a picture of the frame as the answer.
//
// The answer comes later than the message is handled: the render thread draws the frame, encodes
// the picture and ends the screenshot, and the server takes it at a later frame boundary and sends
// it, if its client is still there. Update thread.
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
// refused them all, as a renderer that is destroyed has.
void ct_console_screenshots_destroy(ct_console_screenshots *s);

// Asks for the picture of the frame being recorded, for the client that asks, and leaves the answer
// to the list. The message must have an `id`. A client has 4 on their way at most. As
// ct_console_run.
bool ct_console_run_screenshot(ct_console_target *target, uint32_t num_arguments,
                               const char *const *arguments, ct_string_builder *result,
                               ct_error *error);

// Takes a screenshot that has ended into `screenshot`, whose arrays the caller frees with
// ct_console_screenshot_free. Returns false when there is none.
bool ct_console_screenshots_take(ct_console_screenshots *s, ct_console_screenshot *screenshot);

// Frees what ct_console_screenshots_take gave.
void ct_console_screenshot_free(ct_console_screenshot *screenshot);
