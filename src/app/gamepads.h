// gamepads.h: game controllers, through SDL, as pads 1 to 4 of the input.
//
// SDL knows the buttons of most controllers from its built-in database. A project adds mappings in
// its input resource, and a player adds them with SDL_GAMECONTROLLERCONFIG or
// SDL_GAMECONTROLLERCONFIG_FILE in the environment. A controller gets the lowest free pad; one that
// is connected again gets its old pad if that is still free. A fifth waits until a pad is free.
// Runs without a window have no controllers. Main thread.
#pragma once
#include "app/sdl_api.h"
#include "input/input.h"

typedef struct ct_gamepads ct_gamepads;

// Starts SDL's controllers; those that are connected come with the first events. `sdl` and `input`
// are borrowed and must outlive the result. Returns NULL with `error` when SDL cannot provide
// controllers.
ct_gamepads *ct_gamepads_create(ct_allocator *a, const ct_sdl_api *sdl, ct_input *input,
                                ct_error *error);

// Closes the controllers and stops their motors. NULL is fine.
void ct_gamepads_destroy(ct_gamepads *g);

// Adds mappings, one per line in the format of SDL's controller database. Skips lines that start
// with # and lines for other systems. A line that SDL refuses is a warning (`gamepad_mapping`).
void ct_gamepads_add_mappings(ct_gamepads *g, const char *text);

// Feeds another input from now on, which is borrowed in place of the one before.
void ct_gamepads_use_input(ct_gamepads *g, ct_input *input);

// Feeds an event of SDL to the input; events that are not about controllers are ignored.
void ct_gamepads_feed(ct_gamepads *g, const SDL_Event *event);

// Advances rumble effects by `seconds`, and sets motors and lights. Call it once a frame.
void ct_gamepads_update(ct_gamepads *g, float seconds);
