// worker_gltf_clips.h: the animations of a glTF file as clips.
#pragma once
#include "compiler/types/model/worker_gltf_file.h"

// Adds a clip for each animation. Nodes must be there. Motion of nodes outside the scene, and of
// anything but translation, rotation and scale, is left out with a warning. Returns false after
// reporting what is wrong.
bool ct_gltf_add_clips(ct_gltf_file *g);
