// window_events.h: turns SDL's events into events of the input.
//
// window.c handles events of the window itself (closing, size), gamepads.c those of game
// controllers. Main thread.
#pragma once
#include "app/sdl_api.h"
#include "input/input.h"

// The window that events come from. SDL counts in points, and some displays have fewer points than
// pixels.
typedef struct ct_window_frame {
    float width, height;      // pixels
    float pixels_per_point_x; // 1 where points are pixels
    float pixels_per_point_y;
} ct_window_frame;

// Feeds an event of keyboard, mouse or touch panel to `input`, with places in pixels; ignores other
// events. When the window loses the focus, all buttons are released.
void ct_window_event_feed(ct_input *input, const ct_window_frame *frame, const SDL_Event *event);
