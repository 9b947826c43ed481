// Compiles skeletons: see worker_skeleton.h.
#include "compiler/protocol/compiler_types.h"
#include "compiler/types/skeleton/worker_skeleton.h"

bool ct_compile_skeleton(ct_compile *c) {
    return ct_worker_skeleton_write(c, c->doc, &c->blob);
}
