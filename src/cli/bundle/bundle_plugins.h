// bundle_plugins.h: the libraries of a game's plugins in its bundle: at the same places as in the project.
#pragma once
#include "foundation/container/array.h"
#include "foundation/error.h"
#include "resource/types/config_resource.h"

// The word behind a plugin's library in libraries.txt, where other lines have a package.
#define CT_BUNDLE_PLUGIN "plugin"

// Appends the project paths of the libraries that the settings name for this platform: borrowed from
// `settings`.
void ct_bundle_plugin_libraries(const ct_config_resource *settings, ct_string_array *libraries);

// Returns whether a library's path is free in a bundle whose game has the name `game`: not in the folders of
// player and data, and none of the game's own files. Returns false with `error`.
bool ct_bundle_plugin_check(const char *library, const char *game, ct_error *error);

// Appends the paths of libraries that a bundle's libraries.txt has as plugins. The names are from `paths`'s
// allocator and belong to the caller. Appends nothing when there is no such file.
void ct_bundle_plugins_listed(const char *folder, ct_string_array *paths);
