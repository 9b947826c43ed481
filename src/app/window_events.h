// window_events.h: SDL's events as events of our input.
//
// What concerns the window itself (closing, size) is window.c's, what concerns game controllers
// gamepads.c's. Main thread.
#pragma once
#include "app/sdl_api.h"
#include "input/input.h"

// The window that events come from. SDL counts in points, of which some displays have fewer than
// pixels.
typedef struct ct_window_frame {
    float width, height;      // pixels
    float pixels_per_point_x; // 1 where points are pixels
    float pixels_per_point_y;
} ct_window_frame;

// Feeds what `event` says of keyboard, mouse and touch panel to `input`; other events are passed
// over. When the window loses the focus, all buttons are released.
void ct_window_event_feed(ct_input *input, const ct_window_frame *frame, const SDL_Event *event);
