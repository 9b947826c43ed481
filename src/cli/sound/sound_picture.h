// sound_picture.h: the waveform of a sound as a picture.
#pragma once
#include "resource/types/sound_resource.h"

// Writes a PNG file of 1024 x 256 pixels: lines for full scale at top and bottom and for silence, the
// waveform in blue (in red where samples are at full scale), and the ends of the loop in yellow.
// Returns false with `error`.
bool ct_sound_picture_write(ct_allocator *scratch, const ct_sound_resource *sound, const char *path,
                            ct_error *error);
