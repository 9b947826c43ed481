// overlay_script.h: runs what was typed into the overlay's line.
#pragma once
#include "dev/overlay/overlay.h"
#include "lua/lua_machine.h"

// Runs the lines that were entered, as the console does, and logs each with its result or its error
// and traceback. Scratch memory comes from `a`. Call it between two frames. Update thread.
void ct_overlay_run_lines(ct_overlay *o, ct_allocator *a, ct_lua *lua);
