// new_project.h: the files that `cuttle new` writes: templates/new of the repository, and with
// `--menu` those of templates/menu in place of files of the same name; with `--plugin` those of
// templates/plugin, to a project. The build puts them into the
// executable (cmake/embed_folder.cmake).
#pragma once
#include "foundation/types.h"

typedef struct ct_new_project_file {
    const char *path; // from the project's folder
    const unsigned char *bytes;
    uint64_t size_bytes;
} ct_new_project_file;

extern const ct_new_project_file ct_new_project_files[];
extern const uint32_t ct_new_project_num_files;

extern const ct_new_project_file ct_menu_project_files[];
extern const uint32_t ct_menu_project_num_files;

extern const ct_new_project_file ct_plugin_project_files[];
extern const uint32_t ct_plugin_project_num_files;
