// project_nodes.h: the nodes of Flow that a project writes in Lua, from its .flow_nodes files.
#pragma once
#include "foundation/container/array.h"
#include "foundation/os/path.h"
#include "resource/types/flow/flow_project_nodes.h"

// A file.
typedef struct ct_project_nodes_file {
    const char *name; // of the resource: "flow/game"
    ct_flow_project_nodes nodes;
} ct_project_nodes_file;

typedef CT_ARRAY(ct_project_nodes_file) ct_project_nodes;

// Reads the file of the resource `name`. Memory is from `a`, a temp allocator. Returns false with the first
// `error`.
bool ct_project_nodes_read(ct_allocator *a, const char *project, const char *name,
                           ct_flow_project_nodes *nodes, ct_error *error);

// Reads all such files of a project, sorted by their paths, as ct_project_nodes_read does. `heap` is for
// memory that is freed right after use.
bool ct_project_nodes_read_all(ct_allocator *a, ct_allocator *heap, const char *project,
                               ct_project_nodes *files, ct_error *error);

// Writes the folder of the project that a file is in: the nearest one with a settings.config. Returns false
// when there is no such folder.
bool ct_project_nodes_folder(const char *path, char folder[CT_PATH_BYTES]);
