// worker_bvh.h: reads BVH files: a skeleton and one clip, as motion capture programs write them.
//
// A file has a tree of joints (HIERARCHY) and a table of numbers (MOTION), a row for each frame.
// Each joint becomes a node with the joint's OFFSET; end sites are left out. Rotations are about
// the axes that CHANNELS names, in its order: "Zrotation Xrotation Yrotation" turns about the
// joint's Y first, then X, then Z. A position channel replaces its part of OFFSET, as most
// programs do. Y is up; the file does not name its unit.
#pragma once
#include "compiler/types/model/worker_scene.h"

// Reads the file into `scene`: nodes, and one clip that has the file's name. Other words than those
// of the format, numbers that are not finite, and missing rows are errors at their line and column;
// numbers after the last row are left out with a warning. `files` and `at` are not used. Returns
// false after reporting.
bool ct_worker_bvh_read(ct_compile *c, ct_worker_model_files *files,
                        const ct_worker_model_file *file, ct_sjson_value at,
                        ct_worker_scene *scene);
