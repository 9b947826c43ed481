// worker_fbx_files.h: Assimp's view of the files of a model.
#pragma once
#include "compiler/types/model/worker_model_files.h"

struct aiFileIO;

// Fills `io` for Assimp; `files` must outlive the import.
void ct_worker_fbx_files_init(struct aiFileIO *io, ct_worker_model_files *files);
