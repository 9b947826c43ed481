// x11_window.h: what is needed to draw into an X11 window of another program.
//
// Xlib ends the process when a window that it is asked about does not exist. So a window is looked at first, and
// errors are noted from then on. libX11 is loaded when it is first asked for. Main thread.
#pragma once
#include "foundation/types.h"

// Returns whether the window exists on the display of the environment; otherwise `error` says why not. From then
// on, errors of Xlib do not end the process.
bool ct_x11_window_find(uint32_t window, ct_error *error);

// Returns whether the other program has closed the window that was found.
bool ct_x11_window_is_lost(void);

// Closes the connection to the display, and lets Xlib handle errors as before.
void ct_x11_window_end(void);
