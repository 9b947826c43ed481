// world_environment.h: what render settings are in a world: blends of environments, values that a
// game sets, and the volumes of levels that name environments.
//
// An environment of a world is a recipe: environments with weights, and values that replace the
// blend's. Nothing is copied from the resources, so that an environment that is reloaded shows in
// the next frame. The recipe is changed in one place and used from another (apply), so that a game
// can change several values and show them at once.
//
// The values of a view are the recipe's blend, then for each volume of a spawned level that names an
// environment, from the lowest priority to the highest, a step of that environment's values towards
// them: by the volume's weight inside, falling to 0 at its fade distance outside; then the values
// that the game set. A value that an environment does not name counts as the render setting. Bools
// and choices do not blend: the greatest weight counts. Update thread.
#pragma once
#include "world/world.h"

enum { CT_WORLD_ENVIRONMENT_MAX_PARTS = 16 };

typedef struct ct_world_environment ct_world_environment;

// An environment with its weight in a blend, which is not negative.
typedef struct ct_world_environment_part {
    ct_string_id64 environment;
    float weight;
} ct_world_environment_part;

// Makes an environment that is one resource, and applies it. The caller destroys it before the
// world.
ct_world_environment *ct_world_environment_create(ct_world *w, ct_string_id64 environment);

// Frees it.
void ct_world_environment_destroy(ct_world_environment *e);

// Replaces the recipe by a blend of `count` parts, at most CT_WORLD_ENVIRONMENT_MAX_PARTS (copied):
// the mean of their values by weight. Drops the values that were set. When all weights are 0 the
// render settings stay.
void ct_world_environment_blend(ct_world_environment *e, const ct_world_environment_part *parts,
                                uint32_t count);

// Sets a value in place of the blend's, until the next blend: 4 floats as in render_setting.h.
// Those of unknown settings are ignored. Returns false, and changes
// nothing, when there are CT_RENDER_MAX_SETTINGS others.
bool ct_world_environment_set(ct_world_environment *e, const char *name, const float value[4]);

// Gives the value of the recipe, applied or not, for the render setting `name`; the setting's own
// value where the recipe says none. Returns false when there is no such setting.
bool ct_world_environment_get(const ct_world_environment *e, const char *name, float value[4]);

// Lets the recipe count for what is rendered from now on.
void ct_world_environment_apply(ct_world_environment *e);

// Writes the values with which to render `w` for a camera at `position` in world space, with the
// applied recipe of `e`, which may be NULL, to `values` (room for CT_RENDER_MAX_SETTINGS). Returns
// how many there are. Linear in the volumes of the world's levels.
uint32_t ct_world_environment_values(const ct_world *w, const ct_world_environment *e,
                                     ct_vec3 position, ct_render_environment_value *values);
