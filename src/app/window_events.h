// window_events.h: SDL's events as events of our input.
//
// What concerns the window itself (closing, size) is window.c's. Main thread.
#pragma once
#include "app/sdl_api.h"
#include "input/input.h"

// Feeds what `event` says of keyboard and mouse to `input`; other events are passed over. When the
// window loses the focus, all buttons are released.
void ct_window_event_feed(ct_input *input, const SDL_Event *event);
