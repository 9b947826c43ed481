// moved_git.h: asks git where files are of which the index of references does not know.
#pragma once
#include "content/move/moved_files.h"

// Appends the files of which git knows, of those that references of `graph` miss and for which
// `moved` has no candidates. Nothing happens outside of a work tree, or when nothing is missing.
void ct_moved_git_find(ct_moved_files *moved, const ct_reference_graph *graph);
