// bundle_files.h: the files beside a bundle's data: the player, its start script, desktop file and
// icon, and the libraries of plugins.
#pragma once
#include "foundation/memory/allocator.h"

typedef struct ct_bundle_files_desc {
    ct_allocator *allocator;
    const char *folder;         // of the bundle; is there
    const char *project;        // whose `icon.png` is taken, else core's
    const char *name;           // of the start script and the desktop file
    const char *title;          // of the game's window
    const char *const *plugins; // project paths of the libraries of plugins
    uint32_t num_plugins;
} ct_bundle_files_desc;

// Makes the name for a project's files, [a-z0-9_-]+, from the name of its folder.
void ct_bundle_name(const char *project, char name[64]);

// Copies the player beside this program to `bin/cuttle-player` and the plugins to their places, and writes
// the start script, desktop file, icon and `libraries.txt`. Returns false with `error`.
bool ct_bundle_files_write(const ct_bundle_files_desc *desc, ct_error *error);
