// gamepads.h: game controllers, through SDL, as pads 1 to 4 of the input.
//
// SDL knows the buttons of most controllers by its built-in database; a project adds mappings in
// its input resource, a player with SDL_GAMECONTROLLERCONFIG or SDL_GAMECONTROLLERCONFIG_FILE in
// the environment. A controller gets the lowest free pad; one that went and comes back gets the pad
// that it had, while that is free. A fifth waits until a pad is free. Runs without a window have no
// controllers. Main thread.
#pragma once
#include "app/sdl_api.h"
#include "input/input.h"

typedef struct ct_gamepads ct_gamepads;

// Starts SDL's controllers; those that are there come with the first events. `input` is borrowed.
// NULL with `error` when SDL has none.
ct_gamepads *ct_gamepads_create(ct_allocator *a, const ct_sdl_api *sdl, ct_input *input,
                                ct_error *error);

// Ends them: motors stop. NULL is fine.
void ct_gamepads_destroy(ct_gamepads *g);

// Adds mappings, one a line as SDL's controller database has them; lines that start with # and
// those for other systems are passed over. What SDL refuses is a warning (`gamepad_mapping`).
void ct_gamepads_add_mappings(ct_gamepads *g, const char *text);

// Takes an event of SDL: what is not about controllers is passed over.
void ct_gamepads_feed(ct_gamepads *g, const SDL_Event *event);

// Once a frame: lets `seconds` pass for rumble effects, and sets motors and lights.
void ct_gamepads_update(ct_gamepads *g, float seconds);
