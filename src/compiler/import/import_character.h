// import_character.h: what a model with joints or clips becomes beside the rest: a skeleton, an
// animation for each clip, and a state machine to start from.
#pragma once
#include "compiler/import/import_sources.h"

// Adds the outputs: skeleton and state machine unless the clips are for another one, and an
// animation for each clip that moves something. Adds warnings of what is left out.
void ct_import_character_list(ct_import_sources *s);

// Writes the members of the skeleton: all joints, with the poses that they have as nodes.
void ct_import_skeleton_write(const ct_import_sources *s, ct_sjson_writer *w);

// Writes the members of an animation.
void ct_import_animation_write(const ct_import_sources *s, const ct_import_output *o,
                               ct_sjson_writer *w);

// Writes the members of the state machine: a state for each animation, and where there are several,
// for each an event of its name that starts it.
void ct_import_machine_write(const ct_import_sources *s, ct_sjson_writer *w);

// Checks that the skeleton of the project that clips are meant for (s->skeleton, in the file `path`)
// has joints for what they move, matched by name. Adds a warning that names those without. Returns
// false with `error` when it has none, or when there are no clips.
bool ct_import_character_check(ct_import_sources *s, const ct_sjson *skeleton, const char *path,
                               ct_error *error);
