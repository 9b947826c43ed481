// worker_skeleton.h: a skeleton's source as the blob that it becomes, for its own compile function
// and for clips, which are compiled for its joints.
//
// Joints are in the order of the source, except that parents come before their children.
#pragma once
#include "compiler/protocol/compile.h"
#include "resource/types/skeleton_resource.h"

// Reads a source and appends the rest of the blob to `w`, which has its header. Returns false after
// reporting errors at their places in `doc`.
bool ct_worker_skeleton_write(ct_compile *c, const ct_sjson *doc, ct_blob_writer *w);

// Reads the source of the skeleton `name` as a blob of this machine, which lives as long as the
// job. Returns NULL after reporting errors, at `at` in the job's source or in the skeleton's.
const ct_skeleton_resource *ct_worker_skeleton_read(ct_compile *c, const char *name,
                                                    ct_sjson_value at);
