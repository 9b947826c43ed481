// new_plugin.h: `cuttle new --plugin`: the sources of a plugin for a project.
#pragma once
#include "foundation/error.h"
#include "foundation/types.h"

// Writes the sources of the plugin `name` to plugins/NAME of the project in `folder`, and lists its
// library in settings.config, whose other text stays. Returns false with `error`, and writes nothing,
// when the name is wrong, the project has no settings or such a plugin already, or a file cannot be
// written.
bool ct_new_plugin(ct_allocator *a, const char *folder, const char *name, ct_error *error);
