// worker_physics_names.h: checks the names of materials, filters and templates that components give
// against the sources of the project's physics.
//
// These are those of the physics that `physics` in settings.config names, in all its variants; the
// resource is compiled again when one of them, or the setting, changes. Nothing is read when only
// "default" is named.
#pragma once
#include "compiler/types/unit/worker_template.h"

// Checks the names that an actor, trigger or mover gives in the end, after all overrides. Reports
// those that are not there, with the nearest or all that are. False after an error. Physics that is
// missing or cannot be read accepts every name: it has errors of its own.
bool ct_component_check_physics_names(ct_template *t, const ct_template_component *component);
